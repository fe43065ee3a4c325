/*  Sorted pairs: the canonical list, and neighbours by body. */
#ifndef SCREE_PAIR_LIST_H
#define SCREE_PAIR_LIST_H

#include "detect/collect.h"

/*  Arrays of a detector for results, kept from call to call. */
typedef struct scree_pair_arrays
{
    uint32_t *first, *second; /* as found, or canonical */
    uint32_t *neighbor;       /* rows sorted */
    uint64_t *start;          /* entries of row i are at [start[i], start[i + 1]) */
    uint32_t *short_start;    /* the same in 32 bits */
    uint64_t *entry;          /* scratch of the sort: row and neighbour, by ranges of rows, */
    uint64_t *place; /* and for each block of pairs, the positions of its entries in each range */
    size_t first_capacity, second_capacity, neighbor_capacity, start_capacity, short_start_capacity;
    size_t entry_capacity, place_capacity;
} scree_pair_arrays;

void scree_pair_arrays_free(scree_pair_arrays *arrays, scree_memory *memory);

/*  Reserves first and second for `count` pairs. */
scree_status scree_pair_arrays_reserve(scree_pair_arrays *arrays, scree_memory *memory,
                                       uint64_t count);

/*  Pairs with first < second, as found. */
typedef struct scree_pair_list
{
    uint64_t count;
    const uint32_t *first, *second;
} scree_pair_list;

typedef struct scree_row_form
{
    bool half;     /* a pair is listed at its first body only */
    bool as_found; /* neighbours of a body in the order of the pairs; else ascending */
} scree_row_form;

/*  Neighbours by body into start[0 .. bound] and neighbor. Uses the scratch of `arrays`. `neighbor` may be the array
    `second` of the pairs. */
scree_status scree_pair_rows(scree_pair_arrays *arrays, scree_memory *memory,
                             const scree_workers *workers, const scree_pair_list *pairs,
                             uint32_t bound, scree_row_form form, uint64_t *start,
                             uint32_t *neighbor);

/*  The row of each entry: together with `neighbor` of half rows these are the canonical pairs. */
void scree_pair_unroll(const scree_workers *workers, const uint64_t *start, uint32_t bound,
                       uint32_t *first);

#endif
