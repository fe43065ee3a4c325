/*  Pairs put in order: the canonical list, and neighbours by body. Both come from one counting
   sort, in time and memory linear in pairs and ids. */
#ifndef SCREE_PAIR_LIST_H
#define SCREE_PAIR_LIST_H

#include "detect/collect.h"

/*  Arrays of a detector that results are put into, kept from call to call. */
typedef struct scree_pair_arrays
{
    uint32_t *first, *second; /* as found, or canonical */
    uint32_t *neighbor;       /* rows sorted */
    uint64_t *start;          /* entries of row i are at [start[i], start[i + 1]) */
    uint32_t *by_second;      /* scratch of the sort: the transposed rows */
    uint64_t *by_second_start;
    size_t first_capacity, second_capacity, neighbor_capacity, start_capacity;
    size_t by_second_capacity, by_second_start_capacity;
} scree_pair_arrays;

void scree_pair_arrays_free(scree_pair_arrays *arrays, scree_memory *memory);

/*  Reserves first and second for `count` pairs. */
scree_status scree_pair_arrays_reserve(scree_pair_arrays *arrays, scree_memory *memory,
                                       uint64_t count);

/*  Neighbours by body from pairs with first < second, into start[0 .. bound] and neighbor; `half`
   lists a pair at its first only. Uses the scratch of `arrays`. */
scree_status scree_pair_rows(scree_pair_arrays *arrays, scree_memory *memory, const uint32_t *first,
                             const uint32_t *second, uint64_t count, uint32_t bound, bool half,
                             uint64_t *start, uint32_t *neighbor);

/*  The pairs of half rows, one after the other: sorted by (first, second). */
void scree_pair_unroll(const uint64_t *start, const uint32_t *neighbor, uint32_t bound,
                       uint32_t *first, uint32_t *second);

#endif
