#include "dist/bond_exchange.h"

#include "dist/unpack_shapes.h"
#include "law/law_builtin.h"
#include "world/contacts/persistent.h"

#include <stdlib.h>

/* ---- ghosts ---- */

static int compare_wishes(const void *a, const void *b)
{
    const scree_ghost_wish *p = a, *q = b;

    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    return (p->body > q->body) - (p->body < q->body);
}

static bool is_wish(const scree_pair_record *record, const scree_rules *rules, uint32_t rank)
{
    return record->other_rank != rank &&
           scree_persistent_is(&rules->slots[scree_packed_law_slot(rules, &record->law)],
                               record->history[SCREE_BOND_STATE]);
}

scree_status scree_find_bonded(const scree_received *received, const scree_world *part,
                               uint32_t rank, scree_memory *memory, scree_ghost_wish **wishes,
                               size_t *count, size_t *capacity)
{
    scree_serials table = {NULL, 0, 0};
    size_t most = 0;

    *count = 0;
    for (size_t k = 0; k < received->pair_count; k++)
        most += is_wish(&received->pair[k], &part->rules, rank);
    if (most == 0)
        return SCREE_OK;
    scree_status status = scree_memory_reserve(memory, wishes, capacity, most, sizeof **wishes);
    if (!status)
        status = scree_slot_table_make(&table, memory, &part->bodies);
    for (size_t k = 0; k < received->pair_count && !status; k++) {
        const scree_pair_record *record = &received->pair[k];
        if (!is_wish(record, &part->rules, rank))
            continue;
        const uint32_t slot =
            scree_slot_of_serial(&table, record->goes_with_second ? record->second : record->first);
        if (slot != UINT32_MAX)
            (*wishes)[(*count)++] = (scree_ghost_wish){record->other_rank, slot};
    }
    scree_serials_free(&table, memory);
    if (*count > 1)
        qsort(*wishes, *count, sizeof **wishes, compare_wishes);
    return status;
}

/* ---- bonds that broke ---- */

/*  By step, then as a step of one process has them. */
static int compare_breaks(const void *a, const void *b)
{
    const scree_break *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->first_serial != y->first_serial)
        return x->first_serial < y->first_serial ? -1 : 1;
    return (x->second_serial > y->second_serial) - (x->second_serial < y->second_serial);
}

/*  Received on rank 0, in the order of ranks. */
typedef struct break_inbox
{
    uint64_t *counts; /* sent to each rank, then received from each */
    scree_rank_message *messages;
    size_t total;
} break_inbox;

static scree_status receive(const scree_comm *comm, scree_breaks *own, break_inbox *box,
                            scree_break *into)
{
    scree_rank_message out = {0, own->count * sizeof *own->list, own->list};
    size_t in = 0;

    for (uint32_t r = 0; comm->rank == 0 && r < comm->size; r++) {
        const size_t count = (size_t)box->counts[comm->size + r];
        if (count)
            box->messages[in++] = (scree_rank_message){r, count * sizeof *into, into};
        into = into ? into + count : NULL;
    }
    return comm->exchange(comm->user, &out, own->count > 0, box->messages, in);
}

/*  Handles of the host's world. A body of a bond that broke is in it. */
static void take(scree_breaks *list, size_t count, const scree_body_arrays *bodies,
                 const scree_serials *table)
{
    scree_break *fresh = list->list + list->count;

    if (count)
        qsort(fresh, count, sizeof *fresh, compare_breaks);
    for (size_t k = 0; k < count; k++) {
        const uint32_t first = scree_slot_of_serial(table, fresh[k].first_serial),
                       second = scree_slot_of_serial(table, fresh[k].second_serial);
        if (first != UINT32_MAX)
            fresh[k].first = bodies->id[first][0];
        if (second != UINT32_MAX)
            fresh[k].second = bodies->id[second][0];
        list->course.broken[fresh[k].cause - SCREE_BREAK_TENSION]++;
    }
    list->count += count;
}

/*  Rank 0 knows how many come, and makes room for them. */
static scree_status make_room(const scree_comm *comm, break_inbox *box, scree_world *whole,
                              scree_serials *table)
{
    scree_breaks *list = whole ? &whole->breaks : NULL;

    for (uint32_t r = 0; r < comm->size; r++)
        box->total += (size_t)box->counts[comm->size + r];
    if (!list || box->total == 0)
        return SCREE_OK;
    if (scree_memory_reserve(&whole->memory, &list->list, &list->capacity, list->count + box->total,
                             sizeof *list->list))
        return SCREE_OUT_OF_MEMORY;
    return scree_slot_table_make(table, &whole->memory, &whole->bodies);
}

scree_status scree_gather_breaks(const scree_comm *comm, scree_memory *memory, scree_world *part,
                                 scree_world *whole)
{
    const size_t words = 2 * (size_t)comm->size;
    break_inbox box = {0};
    scree_serials table = {NULL, 0, 0};
    scree_status status = scree_memory_take(memory, words, sizeof *box.counts, &box.counts);

    if (!status)
        status = scree_memory_take(memory, comm->size, sizeof *box.messages, &box.messages);
    status = scree_comm_agree(comm, status);
    if (!status) {
        memset(box.counts, 0, words * sizeof *box.counts);
        box.counts[0] = part->breaks.count;
        status = comm->all_to_all(comm->user, box.counts, box.counts + comm->size, 1);
    }
    if (!status)
        status = scree_comm_agree(comm, make_room(comm, &box, whole, &table));
    if (!status)
        status = receive(comm, &part->breaks, &box,
                         whole && box.total ? whole->breaks.list + whole->breaks.count : NULL);
    if (!status && whole)
        take(&whole->breaks, box.total, &whole->bodies, &table);
    if (!status)
        part->breaks.count = 0;
    if (whole)
        scree_serials_free(&table, &whole->memory);
    scree_memory_give(memory, &box.counts, words, sizeof *box.counts);
    scree_memory_give(memory, &box.messages, comm->size, sizeof *box.messages);
    return status;
}
