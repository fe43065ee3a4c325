/*  The order in which boxes are packed into nodes: sort-tile-recursive. */
#ifndef SCREE_RTREE_TILE_H
#define SCREE_RTREE_TILE_H

#include "base/radix_sort.h"

/*  All arrays have one number for each item. */
typedef struct scree_tiler
{
    scree_sorter sorter;
    uint64_t *key;      /* in: where the item lies on the axis, filled before each axis */
    uint32_t *order;    /* out, after the last axis: items in packing order */
    uint32_t *group_of; /* by item: slab, then column */
    uint32_t *group;
    size_t key_capacity, order_capacity, group_of_capacity, group_capacity;
} scree_tiler;

scree_status scree_tiler_reserve(scree_tiler *tiler, scree_memory *memory, size_t count);

/*  Called for axis 0, 1, ... dimensions - 1, with the keys of that axis. `capacity` is the number
   of items that will share a node. */
scree_status scree_tiler_sort_axis(scree_tiler *tiler, scree_memory *memory,
                                   const scree_workers *workers, uint32_t axis, uint32_t dimensions,
                                   size_t count, uint32_t capacity);
void scree_tiler_free(scree_tiler *tiler, scree_memory *memory);

/*  Packing order is cut into nodes: node `node` gets items [begin, end). All are full, but the
   last, and the one before it if the last would have fewer than min_entries. */
void scree_tile_range(size_t node, size_t count, uint32_t max_entries, uint32_t min_entries,
                      size_t *begin, size_t *end);

#endif
