/*  Kinds are distinguished by a small hash table. The filter rule is evaluated once for each pair of kinds. */
#include "detect/kinds.h"

#include <string.h>

/*  Slots of the table of hashes: twice the kinds, or more. */
#define SLOT_BITS 8
#define SLOTS (1u << SLOT_BITS)
#define NO_KIND 0xffu

/*  Everything that part 2 of the rule uses of a body, except its owner. */
typedef struct filter
{
    uint64_t group, mask, fixed;
} filter;

static filter filter_of(const scree_store *store, uint32_t id)
{
    filter f;
    f.group = store->group ? store->group[id] : UINT64_MAX;
    f.mask = store->mask ? store->mask[id] : f.group;
    f.fixed = store->state[id] & SCREE_FIXED;
    return f;
}

static bool do_meet(const filter *a, const filter *b)
{
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0 && !(a->fixed & b->fixed);
}

static bool is_same(const filter *a, const filter *b)
{
    return ((a->group ^ b->group) | (a->mask ^ b->mask) | (a->fixed ^ b->fixed)) == 0;
}

/*  Odd numbers with bits here and there: what differs in any bit goes to another slot, nearly always. */
static uint32_t slot_of(const filter *f)
{
    uint64_t mixed = f->group * 0x9e3779b97f4a7c15u + f->mask * 0xc2b2ae3d27d4eb4fu + f->fixed;
    return (uint32_t)((mixed ^ mixed >> 29) * 0x165667b19e3779f9u >> (64 - SLOT_BITS));
}

/*  The kind of a filter, perhaps a new one; NO_KIND if there are too many. */
static uint8_t kind_of(const filter *f, filter known[SCREE_KINDS], uint8_t slots[SLOTS],
                       uint32_t *count)
{
    for (uint32_t slot = slot_of(f);; slot = (slot + 1) % SLOTS) {
        uint8_t kind = slots[slot];
        if (kind != NO_KIND && is_same(&known[kind], f))
            return kind;
        if (kind != NO_KIND)
            continue;
        if (*count == SCREE_KINDS)
            return NO_KIND;
        known[*count] = *f;
        return slots[slot] = (uint8_t)(*count)++;
    }
}

static void find_meetings(scree_kinds *kinds, const filter *known)
{
    kinds->all_meet = true;
    for (uint32_t a = 0; a < kinds->count; a++) {
        kinds->meets[a] = 0;
        for (uint32_t b = 0; b < kinds->count; b++) {
            bool meet = do_meet(&known[a], &known[b]);
            kinds->meets[a] |= (uint64_t)meet << b;
            kinds->all_meet &= meet;
        }
    }
}

/*  False if there are too many kinds. */
static bool tell_apart(scree_kinds *kinds, const scree_store *store, filter known[SCREE_KINDS])
{
    uint8_t slots[SLOTS];
    memset(slots, NO_KIND, sizeof slots);
    for (uint32_t id = 0; id < store->bound; id++) {
        if (!(store->state[id] & SCREE_STATE_PRESENT))
            continue;
        const filter f = filter_of(store, id);
        kinds->of[id] = kind_of(&f, known, slots, &kinds->count);
        if (kinds->of[id] == NO_KIND)
            return false;
    }
    return true;
}

scree_status scree_kinds_find(scree_kinds *kinds, scree_memory *memory, const scree_store *store)
{
    filter known[SCREE_KINDS] = {{0, 0, 0}};
    if (kinds->found_at == store->filters)
        return SCREE_OK;
    if (scree_memory_reserve(memory, &kinds->of, &kinds->of_capacity, store->bound,
                             sizeof *kinds->of))
        return SCREE_OUT_OF_MEMORY;
    kinds->found_at = store->filters;
    kinds->count = 0;
    kinds->all_meet = false;
    kinds->are_few = tell_apart(kinds, store, known);
    if (kinds->are_few)
        find_meetings(kinds, known);
    return SCREE_OK;
}

void scree_kinds_free(scree_kinds *kinds, scree_memory *memory)
{
    scree_memory_give(memory, &kinds->of, kinds->of_capacity, sizeof *kinds->of);
}

/* ---- pairs ---- */

/*  With too many kinds for the table: compares the columns themselves. */
static void keep_by_columns(const scree_store *store, scree_sink *sink)
{
    const uint8_t *state = store->state;
    const uint64_t *group = store->group, *mask = store->mask ? store->mask : group;
    if (store->has_fixed)
        SCREE_SINK_KEEP_IF(sink, !(state[i] & state[j] & SCREE_FIXED));
    if (group)
        SCREE_SINK_KEEP_IF(sink, ((group[i] & mask[j]) != 0) & ((group[j] & mask[i]) != 0));
    else if (mask)
        SCREE_SINK_KEEP_IF(sink, (mask[i] != 0) & (mask[j] != 0));
}

/*  Number of pairs processed together. */
#define CHUNK 64u

/*  Whether two of the bodies of some pairs have the same owner. Nothing is written: where owners are those of clumps,
    or of nothing, few pairs are left out. */
static bool share_an_owner(const uint32_t *owner, const uint32_t *first, const uint32_t *second,
                           uint32_t count)
{
    uint32_t shared = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t mine = owner[first[k]];
        shared |= mine == owner[second[k]] ? mine : 0;
    }
    return shared != 0;
}

/*  Removes pairs of one owner; a chunk without such pairs is kept, or moved, unchanged. */
static void keep_by_owner(const uint32_t *owner, scree_sink *sink)
{
    uint32_t *const first = sink->first, *const second = sink->second;
    uint32_t kept = 0, end;
    for (uint32_t begin = 0; begin < sink->fill; begin = end) {
        end = sink->fill - begin < CHUNK ? sink->fill : begin + CHUNK;
        if (!share_an_owner(owner, first + begin, second + begin, end - begin)) {
            if (kept < begin) {
                memmove(first + kept, first + begin, (end - begin) * sizeof *first);
                memmove(second + kept, second + begin, (end - begin) * sizeof *second);
            }
            kept += end - begin;
            continue;
        }
        for (uint32_t k = begin; k < end; k++) {
            const uint32_t i = first[k], j = second[k];
            first[kept] = i;
            second[kept] = j;
            kept += (owner[i] == 0) | (owner[i] != owner[j]);
        }
    }
    sink->fill = kept;
}

void scree_kinds_keep(const scree_kinds *kinds, const scree_store *store, scree_sink *sink)
{
    const uint8_t *of = kinds->of;
    const uint32_t *owner = store->owner;
    if (scree_kinds_are_needed(store) && !kinds->are_few)
        keep_by_columns(store, sink);
    else if (scree_kinds_are_needed(store) && !kinds->all_meet)
        SCREE_SINK_KEEP_IF(sink, (uint32_t)(kinds->meets[of[i]] >> of[j] & 1));
    if (owner)
        keep_by_owner(owner, sink);
}
