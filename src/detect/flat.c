/*  The method "flat" as the detector sees it: see flat.h. */
#include "detect/flat.h"

static scree_status create(void *state, const scree_method_env *env)
{
    scree_flat *self = state;
    self->dimensions = env->def->dimensions;
    self->volume = env->def->volume;
    self->simd = scree_simd_resolve(env->def->simd);
    self->columns = self->volume == SCREE_SPHERES ? 4 : 6;
    return SCREE_OK;
}

static void destroy(void *state, const scree_method_env *env)
{
    scree_flat *self = state;
    scree_memory *memory = env->memory;
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++)
        scree_memory_give(memory, &self->column[k], self->column_capacity[k], sizeof(float));
    scree_memory_give(memory, &self->id, self->id_capacity, sizeof *self->id);
    scree_memory_give(memory, &self->start, self->start_capacity, sizeof *self->start);
    scree_memory_give(memory, &self->histogram, self->histogram_capacity, sizeof *self->histogram);
    scree_memory_give(memory, &self->record, self->record_capacity, sizeof *self->record);
}

static scree_status build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_flat *self = state;
    scree_flat_plan(self, env, bodies);
    self->placed += self->count;
    return self->count ? scree_flat_sort(self, env, bodies) : SCREE_OK;
}

static size_t block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return ((const scree_flat *)state)->block_count;
}

static void stats(const void *state, scree_stats *figures)
{
    figures->remapped += ((const scree_flat *)state)->placed;
}

const scree_method scree_method_flat = {
    .info = {.name = "flat",
             .summary = "dense grids by size, bodies sorted by cell, runs tested by SIMD",
             .cost = "N",
             .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1, 1}},
    .state_bytes = sizeof(scree_flat),
    .exact = true,
    .spheres_alone = true,
    .create = create,
    .destroy = destroy,
    .build = build,
    .block_count = block_count,
    .pairs = scree_flat_pairs,
    .query = scree_flat_query,
    .stats = stats,
};
