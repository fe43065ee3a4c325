/*  A set of pairs that is kept from step to step. Each body has a list of its partners with larger
    ids, in ascending order; the lists live in one array, in runs of 4, 8, 16, ... places, and a run
    that became too small is handed on to the next list of its size. Reading the set body after body
    gives the pairs in canonical order, whatever happened before.

    Changes come sorted, many at a time: a list is merged with its changes at once, so that a body
    with a million partners costs no more for a million changes than for one. */
#ifndef SCREE_PAIR_SET_H
#define SCREE_PAIR_SET_H

#include "base/memory.h"

/*  Partners are partner[first] to partner[first + count - 1]. room: 0, or 4 times a power of two. */
typedef struct scree_pair_run
{
    size_t first;
    uint32_t count, room;
} scree_pair_run;

#define SCREE_PAIR_ROOMS 32u

/*  All zero is an empty set. Invariants: i < j for each partner j of run[i]; runs do not share places,
    neither with each other nor with free runs; all lie below `used`. */
typedef struct scree_pair_set
{
    scree_pair_run *run; /* by id */
    uint32_t bound;      /* ids in the set are below this */
    uint32_t *partner;
    uint32_t *merged; /* one list while it is merged */
    size_t used, run_capacity, partner_capacity, merged_capacity;
    size_t free_run[SCREE_PAIR_ROOMS]; /* by size, one more than the place of the first, 0: none */
    uint64_t count;
    uint64_t created, destroyed; /* so far */
} scree_pair_set;

/*  What happened to a pair, as a number: these sort by (smaller id, larger id). */
static inline uint64_t scree_pair_change(uint32_t i, uint32_t j, bool begins)
{
    uint64_t first = i < j ? i : j, second = i < j ? j : i;
    return first << 32 | second << 1 | begins;
}

/*  Ids are below `bound` from now on. Unchanged on failure. */
scree_status scree_pair_set_reserve(scree_pair_set *set, scree_memory *memory, uint32_t bound);

/*  Applies sorted changes. Repetitions, and changes that are already true, have no effect. On SCREE_OUT_OF_MEMORY
    some may have been applied, others not. */
scree_status scree_pair_set_apply(scree_pair_set *set, scree_memory *memory,
                                  const uint64_t *changes, size_t count);

/*  Drops all pairs that are not to be kept, in one pass over bodies and pairs. */
typedef bool scree_pair_keep_fn(const void *data, uint32_t i, uint32_t j);
void scree_pair_set_prune(scree_pair_set *set, scree_pair_keep_fn *keep, const void *data);

/*  Whether the invariants hold; for tests. */
bool scree_pair_set_is_valid(const scree_pair_set *set);

void scree_pair_set_free(scree_pair_set *set, scree_memory *memory);

#endif
