/*  The state of dess-rtree, for its tests. */
#ifndef SCREE_DESS_RTREE_H
#define SCREE_DESS_RTREE_H

#include "detect/axis_sort.h"
#include "detect/method.h"
#include "detect/rank_tree.h"

/*  Bodies stand here in the order of bodies->active, by their position in it. */
typedef struct scree_dess_rtree
{
    scree_rank_tree tree;
    scree_sorter sorter;
    scree_axis axis[3];            /* the 2 N ends of each axis in order */
    uint32_t *lower[3], *upper[3]; /* ranks of the ends of each body: its places in that order */
    size_t lower_capacity[3], upper_capacity[3];
    uint32_t body_count;
    uint64_t placed; /* bodies ranked, so far */
} scree_dess_rtree;

/*  The ranks that a region takes on each axis. */
scree_rank_box scree_dess_rtree_region(const scree_dess_rtree *dess, const scree_box *region);

#endif
