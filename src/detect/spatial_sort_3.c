/*  Spatial sorting in one pass, the variant that MIMES used. On the master axis the partial range
    is enough, as every body goes through its own: a pair is found by the one that begins first. On
    the other axes the full range is needed, and where it begins is found by a linear search through
    the upper ends, which gives the method its term of N squared. */
#include "detect/spatial_sort.h"

typedef struct spatial_pass
{
    scree_spatial sorted;
    uint64_t *table;
    size_t table_capacity;
    uint64_t *upper_key[3]; /* by place: the key of the upper end of the body there */
} spatial_pass;

static void pass_destroy(void *state, const scree_method_env *env)
{
    spatial_pass *self = state;
    scree_spatial_free(&self->sorted, env->memory);
    scree_memory_give(env->memory, &self->table, self->table_capacity, sizeof *self->table);
}

static scree_status list_uppers(spatial_pass *self, const scree_method_env *env,
                                const scree_bodies *bodies, bool again)
{
    scree_spatial *sorted = &self->sorted;
    scree_status status = scree_spatial_sort_table(sorted, env, bodies, again, &self->table,
                                                   &self->table_capacity, sizeof *self->table);
    for (int k = 0; k < sorted->dimensions && !status && sorted->count; k++) {
        self->upper_key[k] = self->table + (size_t)k * sorted->count;
        for (size_t p = 0; p < sorted->count; p++)
            self->upper_key[k][p] =
                scree_end_key(bodies->box, k, sorted->axis[k].end[p] | SCREE_UPPER_END);
    }
    return status;
}

static scree_status pass_build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    return list_uppers(state, env, bodies, false);
}

static scree_status pass_update(void *state, const scree_method_env *env,
                                const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    (void)ids;
    (void)count;
    return list_uppers(state, env, bodies, true);
}

/*  The first place on an axis whose body does not end before body a begins: at the latest that of *
    a. */
static uint32_t find_first(const spatial_pass *self, int axis, size_t a)
{
    const uint64_t *upper_key = self->upper_key[axis];
    uint64_t lower = self->sorted.axis[axis].key[self->sorted.rank[axis][a]];
    uint32_t p = 0;
    while (upper_key[p] < lower)
        p++;
    return p;
}

static void pass_pairs(const void *state, const scree_bodies *bodies, size_t block,
                       scree_scratch *scratch, scree_sink *sink)
{
    const spatial_pass *self = state;
    const scree_spatial *sorted = &self->sorted;
    size_t end = scree_block_end(block, SCREE_SPATIAL_BLOCK, sorted->count);
    int x = sorted->order[0], y = sorted->order[1], z = sorted->order[2];
    const uint32_t *rank_y = sorted->rank[y], *rank_z = sorted->rank[z], *id = sorted->id;
    (void)bodies;
    (void)scratch;
    for (size_t a = block * SCREE_SPATIAL_BLOCK; a < end && !sink->stopped; a++) {
        uint32_t first_y = find_first(self, y, a), stop_y = scree_spatial_stop(sorted, y, a);
        uint32_t first_z = z == y ? first_y : find_first(self, z, a);
        uint32_t stop_z = scree_spatial_stop(sorted, z, a);
        for (size_t b = a + 1; b < sorted->stop[x][a]; b++)
            if (scree_rank_within(rank_y[b], first_y, stop_y) &&
                scree_rank_within(rank_z[b], first_z, stop_z))
                scree_sink_pair(sink, id[a], id[b]);
    }
}

const scree_method scree_method_spatial_sort_3 = {
    .info =
        {
            .name = "spatial-sort-3",
            .summary = "sorted lower ends; one pass, with full ranges by linear search",
            .cost = "N squared, with a small factor, for the linear search",
            .worst_time = "N^2 in any scene",
            .worst_memory = "N",
            .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS | SCREE_METHOD_QUADRATIC,
            .exponent = {2, 2},
        },
    .state_bytes = sizeof(spatial_pass),
    .create = scree_spatial_create,
    .destroy = pass_destroy,
    .build = pass_build,
    .update = pass_update,
    .block_count = scree_spatial_block_count,
    .pairs = pass_pairs,
    .query = scree_spatial_query,
    .stats = scree_spatial_stats,
    .outline = scree_spatial_outline,
};
