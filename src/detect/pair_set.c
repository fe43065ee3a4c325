/*  Lists of partners in runs of one array. Where the array is full, all lists are copied into a new
    one, body after body and without the holes between: so growing also restores the order in memory
    in which pairs are read, and free runs never add up to more than the lists themselves. */
#include "detect/pair_set.h"

#include <string.h>

#define MIN_ROOM 4u /* a free run holds the place of the next one: two entries */

scree_status scree_pair_set_reserve(scree_pair_set *set, scree_memory *memory, uint32_t bound)
{
    size_t before = set->run_capacity;
    scree_status status =
        scree_memory_reserve(memory, &set->run, &set->run_capacity, bound, sizeof *set->run);
    if (status)
        return status;
    for (size_t i = before; i < set->run_capacity; i++)
        set->run[i] = (scree_pair_run){0, 0, 0};
    if (bound > set->bound)
        set->bound = bound;
    return SCREE_OK;
}

void scree_pair_set_free(scree_pair_set *set, scree_memory *memory)
{
    scree_memory_give(memory, &set->run, set->run_capacity, sizeof *set->run);
    scree_memory_give(memory, &set->partner, set->partner_capacity, sizeof *set->partner);
    scree_memory_give(memory, &set->merged, set->merged_capacity, sizeof *set->merged);
    *set = (scree_pair_set){0};
}

/* ---- runs ------------------------------------------------------------------------------------ */

static unsigned size_of_room(uint32_t room)
{
    unsigned size = 0;
    while (room > MIN_ROOM) {
        room /= 2;
        size++;
    }
    return size;
}

/*  The least room for this many. A body has less than 2^31 partners. */
static uint32_t room_for(uint32_t count)
{
    uint32_t room = MIN_ROOM;
    if (count == 0)
        return 0;
    while (room < count)
        room *= 2;
    return room;
}

static void release_run(scree_pair_set *set, scree_pair_run *run)
{
    if (run->room != 0) {
        size_t *head = &set->free_run[size_of_room(run->room)];
        memcpy(&set->partner[run->first], head, sizeof *head);
        *head = run->first + 1;
    }
    *run = (scree_pair_run){0, 0, 0};
}

/*  A new array with at least `extra` places in addition to the lists, and twice as large as that: so the number of
    changes until it is full is proportional to the cost of copying it. */
static scree_status move_runs(scree_pair_set *set, scree_memory *memory, size_t extra)
{
    size_t wanted = extra, used = 0;
    uint32_t *partner;
    for (uint32_t i = 0; i < set->bound; i++)
        wanted += room_for(set->run[i].count);
    /* a place for each body pays for the loop over all of them */
    wanted = 2 * wanted + set->bound;
    scree_status status = scree_memory_take(memory, wanted, sizeof *partner, &partner);
    if (status)
        return status;

    for (uint32_t i = 0; i < set->bound; i++) {
        scree_pair_run *run = &set->run[i];
        run->room = room_for(run->count);
        if (run->count != 0)
            memcpy(partner + used, set->partner + run->first, run->count * sizeof *partner);
        run->first = used;
        used += run->room;
    }
    scree_memory_give(memory, &set->partner, set->partner_capacity, sizeof *set->partner);
    memset(set->free_run, 0, sizeof set->free_run);
    set->partner = partner;
    set->partner_capacity = wanted;
    set->used = used;
    return SCREE_OK;
}

/*  Replaces a run by one for `count` entries, whose content is undefined. Unchanged on failure. */
static scree_status replace_run(scree_pair_set *set, scree_memory *memory, scree_pair_run *run,
                                uint32_t count)
{
    scree_pair_run new_run = {0, count, room_for(count)};
    if (new_run.room != 0) {
        size_t *head = &set->free_run[size_of_room(new_run.room)];
        if (*head == 0 && set->partner_capacity - set->used < new_run.room) {
            scree_status status = move_runs(set, memory, new_run.room);
            if (status)
                return status;
        }
        if (*head != 0) {
            new_run.first = *head - 1;
            memcpy(head, &set->partner[new_run.first], sizeof *head);
        } else {
            new_run.first = set->used;
            set->used += new_run.room;
        }
    }
    release_run(set, run);
    *run = new_run;
    return SCREE_OK;
}

/* ---- changes --------------------------------------------------------------------------------- */

/*  Result of merging one list. */
typedef struct merge
{
    uint32_t count; /* of set->merged */
    uint64_t created, destroyed;
} merge;

/*  Merges a list with its changes into set->merged, where there is room. */
static merge merge_changes(const scree_pair_set *set, const scree_pair_run *run,
                           const uint64_t *changes, size_t change_count)
{
    const uint32_t *old = set->partner;
    size_t o = run->first, end = run->first + run->count;
    merge m = {0, 0, 0};
    for (size_t c = 0; c < change_count; c++) {
        uint32_t second = (uint32_t)changes[c] >> 1;
        bool begins = changes[c] & 1;
        if (c > 0 && changes[c] == changes[c - 1])
            continue;
        while (o < end && old[o] < second)
            set->merged[m.count++] = old[o++];
        bool is_there = o < end && old[o] == second;
        o += is_there;
        m.created += begins && !is_there;
        m.destroyed += !begins && is_there;
        if (begins)
            set->merged[m.count++] = second;
    }
    if (o < end)
        memcpy(set->merged + m.count, old + o, (end - o) * sizeof *old);
    m.count += (uint32_t)(end - o);
    return m;
}

static scree_status apply_to_run(scree_pair_set *set, scree_memory *memory, scree_pair_run *run,
                                 const uint64_t *changes, size_t change_count)
{
    scree_status status = scree_memory_reserve(memory, &set->merged, &set->merged_capacity,
                                               run->count + change_count, sizeof *set->merged);
    if (status)
        return status;
    merge m = merge_changes(set, run, changes, change_count);
    /* a run is kept until it is too small, or four times too large */
    uint32_t fitting = room_for(m.count);
    uint64_t others = set->count - run->count;
    if (fitting > run->room || fitting < run->room / 2) {
        status = replace_run(set, memory, run, m.count);
        if (status)
            return status;
    }
    run->count = m.count;
    if (m.count != 0)
        memcpy(set->partner + run->first, set->merged, m.count * sizeof *set->merged);
    set->count = others + m.count;
    set->created += m.created;
    set->destroyed += m.destroyed;
    return SCREE_OK;
}

scree_status scree_pair_set_apply(scree_pair_set *set, scree_memory *memory,
                                  const uint64_t *changes, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t first = (uint32_t)(changes[begin] >> 32);
        for (end = begin + 1; end < count && changes[end] >> 32 == first; end++)
            ;
        scree_status status =
            apply_to_run(set, memory, &set->run[first], changes + begin, end - begin);
        if (status)
            return status;
    }
    return SCREE_OK;
}

void scree_pair_set_prune(scree_pair_set *set, scree_pair_keep_fn *keep, const void *data)
{
    for (uint32_t i = 0; i < set->bound; i++) {
        scree_pair_run *run = &set->run[i];
        size_t end = run->first + run->count;
        uint32_t kept = 0;
        for (size_t p = run->first; p < end; p++) {
            uint32_t j = set->partner[p];
            set->partner[run->first + kept] = j;
            kept += keep(data, i, j);
        }
        set->count -= run->count - kept;
        set->destroyed += run->count - kept;
        run->count = kept;
        if (kept == 0)
            release_run(set, run);
    }
}

/* ---- checks ---------------------------------------------------------------------------------- */

bool scree_pair_set_is_valid(const scree_pair_set *set)
{
    size_t room = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < set->bound; i++) {
        const scree_pair_run *run = &set->run[i];
        room += run->room;
        count += run->count;
        if (run->count > run->room || (run->room && run->first + run->room > set->used))
            return false;
        for (uint32_t p = 0; p < run->count; p++) {
            uint32_t before = p ? set->partner[run->first + p - 1] : i;
            if (set->partner[run->first + p] <= before)
                return false;
        }
    }
    /* runs that overlap would be found by the sum: free and used ones together fill the array */
    for (unsigned size = 0; size < SCREE_PAIR_ROOMS; size++) {
        size_t head = set->free_run[size];
        for (; head != 0; memcpy(&head, &set->partner[head - 1], sizeof head)) {
            room += (size_t)MIN_ROOM << size;
            if (room > set->used)
                return false;
        }
    }
    return room == set->used && set->used <= set->partner_capacity && count == set->count;
}
