/*  A box tree of eight branches over bodies in Morton order. Eight bodies that follow each other are a
    leaf, eight leaves a node, and so on: where a node's children are is known from its number, so
    there are no pointers. Boxes lie in groups of eight siblings, one column a face, and are tested
    eight at a time. Everything is in double and exact: no coordinate is too large, too small or too
    far out for it. Method `bvh8` is this tree; others may hand it bodies that do not suit them. */
#ifndef SCREE_BVH8_H
#define SCREE_BVH8_H

#include "detect/method.h"

#include <float.h>
#include <math.h>

#define SCREE_BVH8_LANES 8u
/*  2^31 bodies are 2^28 leaves, boxes of level 0; level 9 has two boxes. */
#define SCREE_BVH8_LEVELS 10

typedef struct scree_bvh8
{
    bool has_spheres; /* columns of a leaf are x y z r, else lower x y z, upper x y z */
    scree_simd simd;
    uint32_t axes; /* 2 or 3 */
    uint32_t body_count;
    uint32_t level_count;                  /* 0 without bodies */
    uint32_t box_count[SCREE_BVH8_LEVELS]; /* level 0: one a leaf; the last: at most eight */
    uint32_t
        group_at[SCREE_BVH8_LEVELS]; /* first group of a level; box b is in group b / 8 of it */
    uint32_t *id;                    /* bodies in order, the last leaf filled up */
    uint32_t *place;                 /* of an id in that order */
    uint32_t *key;                   /* Morton keys; invalid after the build */
    double *column;                  /* of leaves; NaN where a leaf has no body */
    double *bounds;                  /* groups of eight boxes; NaN where there is none */
    float *size;                     /* of each leaf when it was made */
    uint8_t *growth;                 /* its growth since then: see bvh8_refit.c */
    uint64_t growth_sum, wild_count;
    size_t id_capacity, place_capacity, key_capacity, column_capacity, bounds_capacity;
    size_t size_capacity, growth_capacity;
    scree_sorter sorter;
    uint64_t placed; /* number of bodies sorted so far */
} scree_bvh8;

/*  Discards the old tree, and builds one for bodies->active, which may be a part of a detector's bodies. A new tree
    is all zero. After SCREE_OUT_OF_MEMORY it can be built again, and freed. */
scree_status scree_bvh8_build(scree_bvh8 *tree, const scree_method_env *env,
                              const scree_bodies *bodies);
void scree_bvh8_free(scree_bvh8 *tree, scree_memory *memory);

/*  The same bodies have moved: those in ids[0..count), or all if ids is NULL. Boxes are refitted; the order stays
    until the tree has become inefficient, and then the tree is rebuilt. */
scree_status scree_bvh8_update(scree_bvh8 *tree, const scree_method_env *env,
                               const scree_bodies *bodies, const uint32_t *ids, size_t count);

/*  The pairs whose volumes overlap, exactly, each once; blocks as in method.h. */
size_t scree_bvh8_block_count(const scree_bvh8 *tree);
void scree_bvh8_pairs(const scree_bvh8 *tree, size_t block, scree_scratch *scratch,
                      scree_sink *sink);

/*  Finds every body that the probe may meet. */
void scree_bvh8_query(const scree_bvh8 *tree, const scree_bodies *bodies, const scree_probe *probe,
                      scree_hit_sink *sink);

void scree_bvh8_outline(const scree_bvh8 *tree, scree_outline_sink *sink);

/* ---- between the files of the tree ---- */

static inline uint32_t scree_bvh8_columns(const scree_bvh8 *tree)
{
    return tree->has_spheres ? 4 : 6;
}

static inline double *scree_bvh8_leaf(const scree_bvh8 *tree, uint32_t leaf)
{
    return tree->column + (size_t)leaf * scree_bvh8_columns(tree) * SCREE_BVH8_LANES;
}

/*  Column k of the group's boxes is at + k * 8: lower x y z, upper x y z. */
static inline double *scree_bvh8_group(const scree_bvh8 *tree, uint32_t level, uint32_t group)
{
    return tree->bounds + (size_t)(tree->group_at[level] + group) * 6 * SCREE_BVH8_LANES;
}

/*  Sorts bodies->active into tree->id, so that near bodies are near each other. */
scree_status scree_bvh8_order(scree_bvh8 *tree, const scree_method_env *env,
                              const scree_bodies *bodies);
/*  Reads all bodies in order, and makes all boxes. `is_new`: sizes of leaves are recorded as the reference of
    growth. */
void scree_bvh8_refit(scree_bvh8 *tree, const scree_method_env *env, const scree_bodies *bodies,
                      bool is_new);
/*  The same where only these bodies have moved. */
void scree_bvh8_refit_some(scree_bvh8 *tree, const scree_bodies *bodies, const uint32_t *ids,
                           size_t count);
/*  True if a new order would make searches so much faster that it is worth the sort. */
bool scree_bvh8_is_worn(const scree_bvh8 *tree);

#endif
