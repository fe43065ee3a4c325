/*  Spatial sorting with full ranges. In a first pass the range of each body on each axis is widened downwards to the
    first body that reaches into it. In a second pass the bodies in the range on one axis are compared with the
    ranges on the others. A widened range also contains bodies that begin in between and end before: few if sizes are
    equal, many if they differ. */
#include "detect/spatial_sort.h"

typedef struct spatial_ranges
{
    scree_spatial sorted;
    uint32_t *table;
    size_t table_capacity;
    uint32_t *first[3]; /* by place: the first place in the range of the body there */
} spatial_ranges;

static void ranges_destroy(void *state, const scree_method_env *env)
{
    spatial_ranges *self = state;
    scree_spatial_free(&self->sorted, env->memory);
    scree_memory_give(env->memory, &self->table, self->table_capacity, sizeof *self->table);
}

/*  The thesis goes through the range of each body and widens the ranges of the bodies there to
    include it. As bodies come in order, the first to include a place is the one that counts, and
    places are reached in order: going on from where the last range ended gives the same ranges in
    one pass. */
static void widen_ranges(const uint32_t *stop, uint32_t *first, size_t count)
{
    size_t reached = 0;
    for (size_t p = 0; p < count; p++)
        for (; reached < stop[p]; reached++)
            first[reached] = (uint32_t)p;
}

static scree_status make_ranges(spatial_ranges *self, const scree_method_env *env,
                                const scree_bodies *bodies, bool again)
{
    scree_spatial *sorted = &self->sorted;
    scree_status status = scree_spatial_sort_table(sorted, env, bodies, again, &self->table,
                                                   &self->table_capacity, sizeof *self->table);
    for (int k = 0; k < sorted->dimensions && !status && sorted->count; k++) {
        self->first[k] = self->table + (size_t)k * sorted->count;
        widen_ranges(sorted->stop[k], self->first[k], sorted->count);
    }
    return status;
}

static scree_status ranges_build(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies)
{
    return make_ranges(state, env, bodies, false);
}

static scree_status ranges_update(void *state, const scree_method_env *env,
                                  const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    (void)ids;
    (void)count;
    return make_ranges(state, env, bodies, true);
}

/*  The second pass. Both bodies of a pair have each other in their ranges: the smaller id
    reports. */
static void ranges_pairs(const void *state, const scree_bodies *bodies, size_t block,
                         scree_scratch *scratch, scree_sink *sink)
{
    const spatial_ranges *self = state;
    const scree_spatial *sorted = &self->sorted;
    size_t end = scree_block_end(block, SCREE_SPATIAL_BLOCK, sorted->count);
    int x = sorted->order[0], y = sorted->order[1], z = sorted->order[2];
    const uint32_t *rank_y = sorted->rank[y], *rank_z = sorted->rank[z], *id = sorted->id;
    (void)bodies;
    (void)scratch;
    for (size_t a = block * SCREE_SPATIAL_BLOCK; a < end && !sink->stopped; a++) {
        uint32_t first_y = self->first[y][rank_y[a]], stop_y = scree_spatial_stop(sorted, y, a);
        uint32_t first_z = self->first[z][rank_z[a]], stop_z = scree_spatial_stop(sorted, z, a);
        for (size_t b = self->first[x][a]; b < sorted->stop[x][a]; b++)
            if (scree_rank_within(rank_y[b], first_y, stop_y) &&
                scree_rank_within(rank_z[b], first_z, stop_z) && id[a] < id[b])
                scree_sink_pair(sink, id[a], id[b]);
    }
}

const scree_method scree_method_spatial_sort_2 = {
    .info =
        {
            .name = "spatial-sort-2",
            .summary = "sorted lower ends; a full range for each body and axis",
            .cost = "N sqrt(N) in 2D, N^(5/3) in 3D; more with the ratio of sizes",
            .worst_time = "N^2, where one body is far longer than the rest, or most overlap most "
                          "others on every axis",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
            .exponent = {1.5, 5.0 / 3.0},
        },
    .state_bytes = sizeof(spatial_ranges),
    .create = scree_spatial_create,
    .destroy = ranges_destroy,
    .build = ranges_build,
    .update = ranges_update,
    .block_count = scree_spatial_block_count,
    .pairs = ranges_pairs,
    .query = scree_spatial_query,
    .stats = scree_spatial_stats,
    .outline = scree_spatial_outline,
};
