/*  The boxes of a bvh8 tree, from the bodies in their order: leaves first, then level by level. When
    bodies move, only this is done again. Each leaf keeps the size it had when new; when leaves have
    grown too much on the whole, or a few of them beyond all measure, the order is worn out. */
#include "detect/bvh8.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAVES_PER_BLOCK 512u
#define GROUPS_PER_BLOCK 512u
/*  Rows of bodies that come in a few leaves are fetched ahead: they lie anywhere in memory. */
#define AHEAD 24u

#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

/*  Growth in steps of 1/16: 16 is the size when new. At 64 a leaf is wild. */
#define GROWTH_NEW 16
#define GROWTH_WILD 64
#define GROWTH_MOST 255
/*  A leaf as large as the scene costs every search of another leaf about 10 ns, and a new order about 25 ns a body:
    so a few dozen of them are as bad as a new order, however many bodies there are. */
#define WILD_LEAVES 24

typedef struct fitting
{
    scree_bvh8 *tree;
    const scree_bodies *bodies;
    uint32_t level;
    bool is_new;
} fitting;

static void join_box(double joined[6], const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; k++) {
        joined[k] = lower[k] < joined[k] ? lower[k] : joined[k];
        joined[3 + k] = upper[k] > joined[3 + k] ? upper[k] : joined[3 + k];
    }
}

static void clear_box(double joined[6])
{
    for (int k = 0; k < 3; k++) {
        joined[k] = INFINITY;
        joined[3 + k] = -INFINITY;
    }
}

/*  Half the sum of edges: also a leaf that is flat has one. What has grown is judged by it: only speed. */
static double box_size(const double box[6])
{
    return (box[3] - box[0]) + (box[4] - box[1]) + (box[5] - box[2]);
}

/*  Copies a leaf's bodies into its columns and joins their boxes. */
static void load_leaf(const scree_bvh8 *tree, const scree_bodies *bodies, uint32_t leaf,
                      double box[6])
{
    double *column = scree_bvh8_leaf(tree, leaf);
    size_t begin = (size_t)leaf * SCREE_BVH8_LANES;
    size_t count = scree_block_end(leaf, SCREE_BVH8_LANES, tree->body_count) - begin;
    const uint32_t *id = tree->id + begin;
    clear_box(box);
    for (size_t lane = 0; lane < count; lane++) {
        if (tree->has_spheres) {
            const double *sphere = bodies->sphere[id[lane]];
            double lower[3], upper[3];
            for (int k = 0; k < 3; k++)
                scree_sphere_bounds(sphere[k], sphere[3], &lower[k], &upper[k]);
            for (uint32_t k = 0; k < 4; k++)
                column[k * SCREE_BVH8_LANES + lane] = sphere[k];
            join_box(box, lower, upper);
        } else {
            const scree_box *body = &bodies->box[id[lane]];
            for (uint32_t k = 0; k < 3; k++) {
                column[k * SCREE_BVH8_LANES + lane] = body->lower[k];
                column[(3 + k) * SCREE_BVH8_LANES + lane] = body->upper[k];
            }
            join_box(box, body->lower, body->upper);
        }
    }
    for (uint32_t k = 0; count < SCREE_BVH8_LANES && k < scree_bvh8_columns(tree); k++)
        for (size_t lane = count; lane < SCREE_BVH8_LANES; lane++)
            column[k * SCREE_BVH8_LANES + lane] = NAN;
}

static void put_box(const scree_bvh8 *tree, uint32_t level, uint32_t at, const double box[6])
{
    double *group = scree_bvh8_group(tree, level, at / SCREE_BVH8_LANES);
    for (uint32_t k = 0; k < 6; k++)
        group[k * SCREE_BVH8_LANES + at % SCREE_BVH8_LANES] = box[k];
}

/*  NaN lanes lose every comparison. */
static void join_group(const scree_bvh8 *tree, uint32_t level, uint32_t at, double box[6])
{
    const double *group = scree_bvh8_group(tree, level, at);
    clear_box(box);
    for (uint32_t lane = 0; lane < SCREE_BVH8_LANES; lane++) {
        double child[6];
        for (uint32_t k = 0; k < 6; k++)
            child[k] = group[k * SCREE_BVH8_LANES + lane];
        join_box(box, child, child + 3);
    }
}

/* ---- growth: when to rebuild, which affects only speed ---- */

/*  How much a leaf has grown: only speed. */
static uint8_t measure_growth(const scree_bvh8 *tree, uint32_t leaf, const double box[6])
{
    double size = box_size(box), before = (double)tree->size[leaf];
    /* sizes above the range of float are all FLT_MAX: such a leaf never seems to grow */
    double growth = size > before ? GROWTH_NEW * (fmin(size, FLT_MAX) / before) : GROWTH_NEW;
    return (uint8_t)(growth < GROWTH_MOST ? growth : GROWTH_MOST);
}

static void note_size(const scree_bvh8 *tree, uint32_t leaf, const double box[6])
{
    tree->size[leaf] = (float)fmin(fmax(box_size(box), FLT_MIN), FLT_MAX);
    tree->growth[leaf] = GROWTH_NEW;
}

/*  Only speed. */
static void sum_growth(scree_bvh8 *tree)
{
    tree->growth_sum = tree->wild_count = 0;
    for (uint32_t leaf = 0; leaf < tree->box_count[0]; leaf++) {
        tree->growth_sum += tree->growth[leaf];
        tree->wild_count += tree->growth[leaf] >= GROWTH_WILD;
    }
}

/*  Only speed. */
bool scree_bvh8_is_worn(const scree_bvh8 *tree)
{
    /* by a quarter on the whole */
    return tree->wild_count > WILD_LEAVES ||
           tree->growth_sum > (uint64_t)tree->box_count[0] * (GROWTH_NEW + GROWTH_NEW / 4);
}

/* ---- all ---- */

/*  Bodies of a leaf are scattered in memory, so they are prefetched. Affects only speed. */
static void fetch_ahead(const fitting *fit, uint32_t leaf)
{
    const scree_bvh8 *tree = fit->tree;
    const uint32_t *id = tree->id;
    for (size_t i = (size_t)leaf * SCREE_BVH8_LANES + AHEAD, lane = 0;
         lane < SCREE_BVH8_LANES && i + lane < tree->body_count; lane++)
        FETCH(tree->has_spheres ? (const void *)fit->bodies->sphere[id[i + lane]]
                                : (const void *)&fit->bodies->box[id[i + lane]]);
}

static void fit_leaves(void *data, size_t block, uint32_t worker)
{
    const fitting *fit = data;
    const scree_bvh8 *tree = fit->tree;
    uint32_t end = (uint32_t)scree_block_end(block, LEAVES_PER_BLOCK, tree->box_count[0]);
    double box[6];
    (void)worker;
    for (uint32_t leaf = (uint32_t)block * LEAVES_PER_BLOCK; leaf < end; leaf++) {
        fetch_ahead(fit, leaf); /* only speed */
        load_leaf(tree, fit->bodies, leaf, box);
        put_box(tree, 0, leaf, box);
        if (fit->is_new)
            note_size(tree, leaf, box);
        else
            tree->growth[leaf] = measure_growth(tree, leaf, box);
    }
}

static void fit_groups(void *data, size_t block, uint32_t worker)
{
    const fitting *fit = data;
    const scree_bvh8 *tree = fit->tree;
    uint32_t end = (uint32_t)scree_block_end(block, GROUPS_PER_BLOCK, tree->box_count[fit->level]);
    double box[6];
    (void)worker;
    for (uint32_t at = (uint32_t)block * GROUPS_PER_BLOCK; at < end; at++) {
        join_group(tree, fit->level - 1, at, box);
        put_box(tree, fit->level, at, box);
    }
}

void scree_bvh8_refit(scree_bvh8 *tree, const scree_method_env *env, const scree_bodies *bodies,
                      bool is_new)
{
    fitting fit = {.tree = tree, .bodies = bodies, .is_new = is_new};
    scree_workers_run(env->workers, scree_block_count(tree->box_count[0], LEAVES_PER_BLOCK),
                      fit_leaves, &fit);
    for (fit.level = 1; fit.level < tree->level_count; fit.level++)
        scree_workers_run(env->workers,
                          scree_block_count(tree->box_count[fit.level], GROUPS_PER_BLOCK),
                          fit_groups, &fit);
    sum_growth(tree);
}

/* ---- some ---- */

static void refit_leaf(scree_bvh8 *tree, const scree_bodies *bodies, uint32_t leaf)
{
    double box[6];
    uint32_t at = leaf;
    load_leaf(tree, bodies, leaf, box);
    uint8_t before = tree->growth[leaf], now = measure_growth(tree, leaf, box);
    tree->growth[leaf] = now;
    tree->growth_sum += now;
    tree->growth_sum -= before;
    tree->wild_count += now >= GROWTH_WILD;
    tree->wild_count -= before >= GROWTH_WILD;
    for (uint32_t level = 0;; level++) {
        put_box(tree, level, at, box);
        if (level + 1 == tree->level_count)
            break;
        at /= SCREE_BVH8_LANES;
        join_group(tree, level, at, box);
    }
}

void scree_bvh8_refit_some(scree_bvh8 *tree, const scree_bodies *bodies, const uint32_t *ids,
                           size_t count)
{
    for (size_t i = 0; i < count; i++)
        refit_leaf(tree, bodies, tree->place[ids[i]] / SCREE_BVH8_LANES);
}
