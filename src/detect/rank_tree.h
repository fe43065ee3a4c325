/*  A packed tree over rectangles of integers: what dess-rtree searches. Nodes are made in bulk and
   never change. The leaves come first, then the level above, up to the root, which is last. */
#ifndef SCREE_RANK_TREE_H
#define SCREE_RANK_TREE_H

#include "base/memory.h"
#include "base/tasks.h"
#include "detect/rtree_tile.h"

#define SCREE_RANK_TREE_MAX_ENTRIES 64u
/*  Depth first, a search leaves at most the other entries of one node per level on the stack; with at least four
    entries per node, 16 levels hold any number of bodies. */
#define SCREE_RANK_TREE_STACK (16u * SCREE_RANK_TREE_MAX_ENTRIES)

/*  For each axis a closed interval of ranks for entries, and for what is sought the half-open
   interval [lower, upper): an entry overlaps if entry.lower < upper and entry.upper >= lower. The
   sought interval may be empty and still overlap: entries that enclose it have no end inside. */
typedef struct scree_rank_box
{
    uint32_t lower[3], upper[3];
} scree_rank_box;

/*  Frequent: bounds, child, count. */
typedef struct scree_rank_tree
{
    uint32_t dimensions, max_entries, min_entries;
    uint32_t width; /* lanes of a node: max_entries rounded up for vector loads */
    uint32_t leaf_count, node_count;
    uint32_t *bounds; /* a node: lower of each axis, then upper of each, `width` numbers each */
    uint32_t *child;  /* a node: `width` numbers; in leaves the item */
    uint32_t *count;  /* a node: how many entries */
    size_t bounds_capacity, child_capacity, count_capacity;
    scree_tiler tiler;
} scree_rank_tree;

/*  Items are 0 .. item_count - 1: item i lies at lower[k][i], upper[k][i] on axis k. */
scree_status scree_rank_tree_build(scree_rank_tree *tree, scree_memory *memory,
                                   const scree_workers *workers, uint32_t *const lower[3],
                                   uint32_t *const upper[3], size_t item_count);
void scree_rank_tree_free(scree_rank_tree *tree, scree_memory *memory);

/*  Children of `node` (items, if it is a leaf) that overlap, into `found`, which has room for
    SCREE_RANK_TREE_MAX_ENTRIES; returns how many. */
uint32_t scree_rank_tree_select(const scree_rank_tree *tree, uint32_t node,
                                const scree_rank_box *sought, uint32_t *found);

scree_rank_box scree_rank_tree_node_box(const scree_rank_tree *tree, uint32_t node);

/*  Every node full enough, its box the exact hull of what is below, each item in one leaf. */
bool scree_rank_tree_is_valid(const scree_rank_tree *tree, uint32_t *const lower[3],
                              uint32_t *const upper[3], size_t item_count);

#endif
