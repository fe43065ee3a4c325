/*  Spatial sorting with lists. The thesis makes, for every body, a list of those that it overlaps on each axis, and
    then intersects the lists: N sqrt(N) entries on an axis, N^(5/3) in three dimensions, and N^2 if all overlap on one
    axis, as in a flat layer. Here the lists of one body are intersected while they are made, so there is only one at a
    time: that of the master axis, from which bodies that do not overlap on the other axes are removed.

    THE SAME PAIRS. The result of an intersection does not depend on its order: an entry of the list on another axis
    that is not in that of the master axis would be removed. And of two bodies that overlap on the master axis, one
    begins within the other: the pair is in one list, that of the body that begins first, whereas the thesis enters
    both in each other's lists and drops one of the two reports by id. */
#include "detect/spatial_sort.h"

static void lists_destroy(void *state, const scree_method_env *env)
{
    scree_spatial_free(state, env->memory);
}

static scree_status lists_build(void *state, const scree_method_env *env,
                                const scree_bodies *bodies)
{
    return scree_spatial_sort(state, env, bodies, false);
}

static scree_status lists_update(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    (void)ids;
    (void)count;
    return scree_spatial_sort(state, env, bodies, true);
}

/*  The list on the master axis: bodies have their numbers by the order there. Returns its length. */
static size_t list_partners(const scree_spatial *sorted, size_t a, uint32_t *list)
{
    size_t stop = sorted->stop[sorted->order[0]][a];
    for (size_t b = a + 1; b < stop; b++)
        list[b - a - 1] = (uint32_t)b;
    return stop - a - 1;
}

/*  Removes bodies that do not overlap a on an axis, where neither begins within the other. */
static size_t intersect(const scree_spatial *sorted, int k, size_t a, uint32_t *list, size_t count)
{
    const uint32_t *rank = sorted->rank[k], *stop = sorted->stop[k];
    uint32_t own = rank[a], own_stop = stop[own];
    size_t kept = 0;
    for (size_t e = 0; e < count; e++) {
        uint32_t other = rank[list[e]];
        list[kept] = list[e];
        kept +=
            scree_rank_within(other, own, own_stop) || scree_rank_within(own, other, stop[other]);
    }
    return kept;
}

static void lists_pairs(const void *state, const scree_bodies *bodies, size_t block,
                        scree_scratch *scratch, scree_sink *sink)
{
    const scree_spatial *sorted = state;
    size_t end = scree_block_end(block, SCREE_SPATIAL_BLOCK, sorted->count);
    uint32_t *list = scree_scratch_take(scratch, sorted->count, sizeof *list);
    (void)bodies;
    if (!list)
        return;
    for (size_t a = block * SCREE_SPATIAL_BLOCK; a < end && !sink->stopped; a++) {
        size_t count = list_partners(sorted, a, list);
        for (int k = 1; k < sorted->dimensions; k++)
            count = intersect(sorted, sorted->order[k], a, list, count);
        for (size_t e = 0; e < count; e++)
            scree_sink_pair(sink, sorted->id[a], sorted->id[list[e]]);
    }
}

const scree_method scree_method_spatial_sort_1 = {
    .info =
        {
            .name = "spatial-sort-1",
            .summary = "sorted lower ends; lists of neighbours on each axis, intersected",
            .cost = "N sqrt(N) in 2D, N^(5/3) in 3D",
            .worst_time = "N^2, where most bodies overlap most others on every axis",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {1.5, 5.0 / 3.0},
        },
    .state_bytes = sizeof(scree_spatial),
    .create = scree_spatial_create,
    .destroy = lists_destroy,
    .build = lists_build,
    .update = lists_update,
    .block_count = scree_spatial_block_count,
    .pairs = lists_pairs,
    .query = scree_spatial_query,
    .stats = scree_spatial_stats,
    .outline = scree_spatial_outline,
};
