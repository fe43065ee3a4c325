/*  All pairs of a bvh8 tree. Eight sibling leaves together find the groups of leaves that they may meet, then each
    leaf finds leaves, and each of its bodies finds bodies. Only later entries of the order are tested, so each pair
    is found once, and earlier parts of the tree are not visited. */
#include "detect/bvh8.h"

/*  Groups of eight leaves, 64 bodies: a block of the search is two thousand bodies. */
#define GROUPS_PER_BLOCK 32u
/*  Number of leaves that are tested together. */
#define CHUNK 64u

static const uint32_t lane_numbers[SCREE_BVH8_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

/*  A leaf whose partners are sought: its bodies' columns, ids, and boxes as a group. */
typedef struct leaf_search
{
    const double *columns, *boxes;
    const uint32_t *id;
    bool has_spheres;
    double sphere_boxes[6 * SCREE_BVH8_LANES];
} leaf_search;

static void prepare_leaf(const scree_bvh8 *tree, uint32_t leaf, leaf_search *own)
{
    const double *columns = scree_bvh8_leaf(tree, leaf);
    own->columns = own->boxes = columns;
    own->id = tree->id + (size_t)leaf * SCREE_BVH8_LANES;
    own->has_spheres = tree->has_spheres;
    if (!tree->has_spheres)
        return;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t lane = 0; lane < SCREE_BVH8_LANES; lane++)
            scree_sphere_bounds(columns[k * SCREE_BVH8_LANES + lane],
                                columns[3 * SCREE_BVH8_LANES + lane],
                                &own->sphere_boxes[k * SCREE_BVH8_LANES + lane],
                                &own->sphere_boxes[(3 + k) * SCREE_BVH8_LANES + lane]);
    own->boxes = own->sphere_boxes;
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "detect/bvh8_search.inc.h"
#undef WIDE_LEVEL

#if WIDE_HAS_128
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "detect/bvh8_search.inc.h"
#undef WIDE_LEVEL
#endif

#if WIDE_HAS_X86
/*  For each mask of four lanes the indices of those whose bit is set, in order; the rest is not used. */
static const uint32_t chosen_lanes[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "detect/bvh8_search.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "detect/bvh8_search.inc.h"
#undef WIDE_LEVEL
#endif

size_t scree_bvh8_block_count(const scree_bvh8 *tree)
{
    return scree_block_count(scree_block_count(tree->body_count, 64), GROUPS_PER_BLOCK);
}

void scree_bvh8_pairs(const scree_bvh8 *tree, size_t block, scree_scratch *scratch,
                      scree_sink *sink)
{
    size_t group_count = scree_block_count(tree->box_count[0], SCREE_BVH8_LANES);
    uint32_t begin = (uint32_t)block * GROUPS_PER_BLOCK;
    uint32_t end = (uint32_t)scree_block_end(block, GROUPS_PER_BLOCK, group_count);
    uint32_t *list[2];
    for (int i = 0; i < 2; i++) {
        list[i] = scree_scratch_take(scratch, group_count + 1 + SCREE_BVH8_LANES, sizeof *list[i]);
        if (!list[i])
            return;
    }
    static void (*const searches[])(const scree_bvh8 *, uint32_t, uint32_t, uint32_t *[2],
                                    scree_sink *) = WIDE_LEVELS(search_groups);
    searches[tree->simd](tree, begin, end, list, sink);
}

/* ---- queries ---- */

/*  A leaf has level 0. The boxes of a group that the probe meets, for rays the nearest on top. */
static size_t push_group(const scree_bvh8 *tree, const scree_probe *probe, uint32_t level,
                         uint32_t group, scree_waiting_node *waiting)
{
    const double *bounds = scree_bvh8_group(tree, level, group);
    uint32_t first = group * SCREE_BVH8_LANES;
    uint32_t count =
        (uint32_t)scree_block_end(group, SCREE_BVH8_LANES, tree->box_count[level]) - first;
    size_t fill = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        scree_box box;
        scree_waiting_node entry = {0, level, first + lane};
        for (uint32_t k = 0; k < 3; k++) {
            box.lower[k] = bounds[k * SCREE_BVH8_LANES + lane];
            box.upper[k] = bounds[(3 + k) * SCREE_BVH8_LANES + lane];
        }
        if (!scree_boxes_overlap(&probe->box, &box) ||
            (probe->is_ray && !scree_probe_enters(probe, &box, &entry.t)))
            continue;
        fill = scree_waiting_put(waiting, fill, entry);
    }
    return fill;
}

/*  Of spheres there may be no boxes. */
static scree_box box_of_body(const scree_bvh8 *tree, const scree_bodies *bodies, uint32_t id)
{
    scree_box box = {{0, 0, 0}, {0, 0, 0}};
    if (!tree->has_spheres)
        return bodies->box[id];
    for (uint32_t k = 0; k < tree->axes; k++)
        scree_sphere_bounds(bodies->sphere[id][k], bodies->sphere[id][3], &box.lower[k],
                            &box.upper[k]);
    return box;
}

static void hit_bodies(const scree_bvh8 *tree, const scree_bodies *bodies, const scree_probe *probe,
                       uint32_t leaf, scree_hit_sink *sink)
{
    size_t end = scree_block_end(leaf, SCREE_BVH8_LANES, tree->body_count);
    for (size_t i = (size_t)leaf * SCREE_BVH8_LANES; i < end; i++) {
        scree_box box = box_of_body(tree, bodies, tree->id[i]);
        if (scree_probe_meets(probe, &box))
            scree_sink_hit(sink, tree->id[i]);
    }
    /* a hit that is tested now shortens the ray for the boxes on the stack */
    if (probe->is_ray && sink->fill > 0)
        sink->flush(sink);
}

void scree_bvh8_query(const scree_bvh8 *tree, const scree_bodies *bodies, const scree_probe *probe,
                      scree_hit_sink *sink)
{
    /* each level on the way down leaves at most seven boxes on the stack */
    scree_waiting_node waiting[SCREE_BVH8_LEVELS * SCREE_BVH8_LANES];
    size_t top = push_group(tree, probe, tree->level_count - 1, 0, waiting);
    while (top > 0 && !sink->stopped) {
        scree_waiting_node next = waiting[--top];
        if (next.t > probe->t_max && probe->is_ray)
            continue;
        if (next.level == 0)
            hit_bodies(tree, bodies, probe, next.node, sink);
        else
            top += push_group(tree, probe, next.level - 1, next.node, waiting + top);
    }
}
