/*  A tree of boxes for the R-tree methods: each node holds up to 64 entries, an entry is a box and
    what lies in it, a node of the level below or (in leaves, level 0) a body. Nodes live in arrays
    that only grow, named by 32-bit numbers, so that a rebuild takes no memory after the first
    time. How bodies enter is a policy: rtree_guttman.c, rtree_rstar.c, or in bulk rtree_packed.c.
 */
#ifndef SCREE_RTREE_H
#define SCREE_RTREE_H

#include "detect/method.h"
#include "detect/rtree_tile.h"

#define SCREE_RTREE_NONE 0xffffffffu
#define SCREE_RTREE_MAX_ENTRIES 64u
#define SCREE_RTREE_FREE_LEVEL 0xffffu
/*  Nodes have two entries at least, so 2^31 bodies need no more than 31 levels. */
#define SCREE_RTREE_MAX_LEVELS 32u
/*  Depth first, a search leaves at most the other entries of one node per level on the stack. */
#define SCREE_RTREE_STACK (SCREE_RTREE_MAX_LEVELS * SCREE_RTREE_MAX_ENTRIES)

typedef struct scree_rtree_entry
{
    scree_box box;
    uint32_t child; /* a node, or the id of a body where level is 0 */
    uint32_t level; /* of the node that holds the entry */
} scree_rtree_entry;

typedef struct scree_rtree_head
{
    uint32_t parent; /* the next free node where level is SCREE_RTREE_FREE_LEVEL */
    uint16_t count, level;
} scree_rtree_head;

struct scree_rtree;

/*  How the place of a new entry is chosen. */
typedef struct scree_rtree_policy
{
    /*  The slot of `node`, not a leaf, under which a new box goes. */
    uint32_t (*choose)(const struct scree_rtree *tree, uint32_t node, const scree_box *box);
    /*  Reorders max_entries + 1 entries and returns how many go first; both parts get at least
        min_entries. */
    uint32_t (*split)(const struct scree_rtree *tree, scree_rtree_entry *entries, uint32_t count);
    bool reinserts; /* the first overflow of a level takes 30 % out and in again */
} scree_rtree_policy;

/*  Frequent: bounds, child, head. Rare: the rest.
    Invariant (scree_rtree_is_valid): the box of an entry is the exact hull of the node below; all
    nodes but the root have min_entries to max_entries entries; the parent of a node is one level
    above; each active body is in one leaf, leaf_of[id]. */
typedef struct scree_rtree
{
    const scree_rtree_policy *policy;
    bool packs; /* whole builds are in bulk; the policy is for single bodies */
    uint32_t dimensions, max_entries, min_entries;
    uint32_t width; /* lanes of a node: max_entries rounded up for vector loads */
    scree_simd simd;
    uint32_t root, node_count, free_node;
    double *bounds;  /* a node: lower x, y, z, then upper x, y, z, `width` numbers each */
    uint32_t *child; /* a node: `width` numbers */
    scree_rtree_head *head;
    uint32_t *leaf_of;          /* by id of body */
    scree_rtree_entry *pending; /* removed entries that wait for reinsertion; empty between calls */
    size_t bounds_capacity, child_capacity, head_capacity, leaf_capacity;
    size_t pending_count, pending_capacity;
    uint64_t placed; /* number of bodies put into a leaf so far */
    scree_tiler tiler;
} scree_rtree;

static inline double *scree_rtree_bounds(const scree_rtree *tree, uint32_t node)
{
    return tree->bounds + (size_t)node * 6 * tree->width;
}

static inline uint32_t *scree_rtree_children(const scree_rtree *tree, uint32_t node)
{
    return tree->child + (size_t)node * tree->width;
}

static inline scree_box scree_rtree_slot_box(const scree_rtree *tree, uint32_t node, uint32_t slot)
{
    const double *bounds = scree_rtree_bounds(tree, node) + slot;
    size_t width = tree->width;
    scree_box box = {{bounds[0], bounds[width], bounds[2 * width]},
                     {bounds[3 * width], bounds[4 * width], bounds[5 * width]}};
    return box;
}

static inline void scree_box_include(scree_box *box, const scree_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = other->lower[k] < box->lower[k] ? other->lower[k] : box->lower[k];
        box->upper[k] = other->upper[k] > box->upper[k] ? other->upper[k] : box->upper[k];
    }
}

/*  What boxes are weighed by. Volumes of flat or minute boxes are all 0, and then the margin (the
   sum of the edges) has to decide; both are finite, since coordinates stay below 1.1e100. */
typedef struct scree_box_size
{
    double volume, margin;
} scree_box_size;

static inline scree_box_size scree_box_measure(const scree_box *box, uint32_t dimensions)
{
    double dx = box->upper[0] - box->lower[0], dy = box->upper[1] - box->lower[1];
    double dz = box->upper[2] - box->lower[2];
    scree_box_size size = {dimensions == 3 ? dx * dy * dz : dx * dy, dx + dy + dz};
    return size;
}

static inline bool scree_box_size_less(scree_box_size a, scree_box_size b)
{
    return a.volume < b.volume || (a.volume == b.volume && a.margin < b.margin);
}

/*  By how much a box of size `before` grows when it takes `added` in. */
static inline scree_box_size scree_box_growth(const scree_box *box, scree_box_size before,
                                              const scree_box *added, uint32_t dimensions)
{
    scree_box hull = *box;
    scree_box_include(&hull, added);
    scree_box_size after = scree_box_measure(&hull, dimensions);
    scree_box_size growth = {after.volume - before.volume, after.margin - before.margin};
    return growth;
}

/* ---- nodes (rtree_node.c) ---- */

/*  `tree` is all zero, `def` checked. */
void scree_rtree_init(scree_rtree *tree, const scree_detector_def *def,
                      const scree_rtree_policy *policy);
void scree_rtree_free(scree_rtree *tree, scree_memory *memory);

/*  No nodes, room for `node_count` of them and for bodies with ids below id_bound. */
scree_status scree_rtree_reset(scree_rtree *tree, scree_memory *memory, size_t node_count,
                               uint32_t id_bound);

/*  Makes an empty node; pointers into the tree become invalid. */
scree_status scree_rtree_add_node(scree_rtree *tree, scree_memory *memory, uint32_t level,
                                  uint32_t *node);
void scree_rtree_free_node(scree_rtree *tree, uint32_t node);

scree_rtree_entry scree_rtree_get(const scree_rtree *tree, uint32_t node, uint32_t slot);
void scree_rtree_set_box(scree_rtree *tree, uint32_t node, uint32_t slot, const scree_box *box);
/*  The node must have room. Tells the child where it is. */
void scree_rtree_append(scree_rtree *tree, uint32_t node, const scree_rtree_entry *entry);
void scree_rtree_erase(scree_rtree *tree, uint32_t node, uint32_t slot);
uint32_t scree_rtree_slot_of(const scree_rtree *tree, uint32_t node, uint32_t child);
scree_box scree_rtree_node_box(const scree_rtree *tree, uint32_t node); /* not empty */

/*  The invariant above, in full: for tests. */
bool scree_rtree_is_valid(const scree_rtree *tree, const scree_bodies *bodies);

/* ---- one body at a time (rtree_insert.c) ---- */

/*  After SCREE_OUT_OF_MEMORY only reset and free make sense. */
scree_status scree_rtree_insert(scree_rtree *tree, scree_memory *memory, const scree_box *box,
                                uint32_t id);
scree_status scree_rtree_remove(scree_rtree *tree, scree_memory *memory, uint32_t id);

extern const scree_rtree_policy scree_rtree_guttman;
extern const scree_rtree_policy scree_rtree_rstar;

/* ---- in bulk (rtree_packed.c) ---- */

scree_status scree_rtree_pack(scree_rtree *tree, const scree_method_env *env,
                              const scree_bodies *bodies);

/* ---- what the methods share (rtree_method.c, rtree_search.c): `self` is a scree_rtree ---- */

void scree_rtree_method_destroy(void *self, const scree_method_env *env);
scree_status scree_rtree_method_build(void *self, const scree_method_env *env,
                                      const scree_bodies *bodies);
scree_status scree_rtree_method_update(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count);
scree_status scree_rtree_method_insert(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count);
scree_status scree_rtree_method_remove(void *self, const scree_method_env *env,
                                       const scree_bodies *bodies, const uint32_t *ids,
                                       size_t count);
void scree_rtree_method_stats(const void *self, scree_stats *stats);
size_t scree_rtree_method_block_count(const void *self, const scree_bodies *bodies);
void scree_rtree_method_pairs(const void *self, const scree_bodies *bodies, size_t block,
                              scree_scratch *scratch, scree_sink *sink);
void scree_rtree_method_query(const void *self, const scree_bodies *bodies,
                              const scree_probe *probe, scree_hit_sink *sink);
void scree_rtree_method_outline(const void *self, const scree_bodies *bodies,
                                scree_scratch *scratch, scree_outline_sink *sink);

/*  Shared by the three descriptors. */
#define SCREE_RTREE_CAPABILITIES                                                                   \
    (SCREE_METHOD_INCREMENTAL | SCREE_METHOD_DIRTY | SCREE_METHOD_QUERY | SCREE_METHOD_THREADS)
#define SCREE_RTREE_PARTS                                                                          \
    .state_bytes = sizeof(scree_rtree), .destroy = scree_rtree_method_destroy,                     \
    .build = scree_rtree_method_build, .update = scree_rtree_method_update,                        \
    .insert = scree_rtree_method_insert, .remove = scree_rtree_method_remove,                      \
    .block_count = scree_rtree_method_block_count, .pairs = scree_rtree_method_pairs,              \
    .query = scree_rtree_method_query, .stats = scree_rtree_method_stats,                          \
    .outline = scree_rtree_method_outline

#endif
