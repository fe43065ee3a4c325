/*  The method "flat" as the detector sees it: see flat.h. */
#include "detect/flat.h"

static scree_status create(void *state, const scree_method_env *env)
{
    scree_flat *self = state;
    self->dimensions = env->def->dimensions;
    self->volume = env->def->volume;
    self->simd = scree_simd_resolve(env->def->simd);
    return SCREE_OK;
}

static void give_columns(scree_flat *self, scree_memory *memory)
{
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++) {
        scree_memory_give(memory, &self->column[k], self->column_capacity[k], sizeof(float));
        self->column_capacity[k] = 0;
    }
    scree_memory_give(memory, &self->id, self->id_capacity, sizeof *self->id);
    scree_memory_give(memory, &self->start, self->start_capacity, sizeof *self->start);
    scree_memory_give(memory, &self->histogram, self->histogram_capacity, sizeof *self->histogram);
    scree_memory_give(memory, &self->record, self->record_capacity, sizeof *self->record);
    self->id_capacity = self->start_capacity = 0;
    self->histogram_capacity = self->record_capacity = 0;
}

static void give_tree(scree_flat *self, scree_memory *memory)
{
    self->placed += self->tree.placed;
    scree_bvh8_free(&self->tree, memory);
    self->tree = (scree_bvh8){0};
}

static void destroy(void *state, const scree_method_env *env)
{
    scree_flat *self = state;
    give_columns(self, env->memory);
    give_tree(self, env->memory);
}

/*  A cell that holds many bodies is tested as often as the square of that. The tree costs about as much
    as this many in each body's cell, whatever the scene. */
#define CROWD 200u

/*  As long as bodies are crowded, cells are tried again after so many changes. */
#define TREE_STEPS 64u

static scree_status build_tree(scree_flat *self, const scree_method_env *env,
                               const scree_bodies *bodies)
{
    self->is_crowded = true;
    return scree_bvh8_build(&self->tree, env, bodies);
}

static scree_status build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_flat *self = state;
    uint64_t crowd = 0;

    if (self->is_crowded && ++self->tree_steps < TREE_STEPS)
        return build_tree(self, env, bodies);
    self->is_crowded = false;
    self->tree_steps = 0;
    scree_flat_plan(self, env, bodies);
    self->placed += self->count;
    if (self->count > 0 && scree_flat_sort(self, env, bodies, &crowd))
        return SCREE_OUT_OF_MEMORY;
    if (crowd > (uint64_t)CROWD * self->count) {
        give_columns(self, env->memory);
        return build_tree(self, env, bodies);
    }
    give_tree(self, env->memory);
    return SCREE_OK;
}

static scree_status update(void *state, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    scree_flat *self = state;
    if (!self->is_crowded || self->tree_steps + 1 >= TREE_STEPS)
        return build(state, env, bodies);
    self->tree_steps += ids == NULL;
    return scree_bvh8_update(&self->tree, env, bodies, ids, count);
}

static size_t block_count(const void *state, const scree_bodies *bodies)
{
    const scree_flat *self = state;
    (void)bodies;
    return self->is_crowded ? scree_bvh8_block_count(&self->tree) : self->block_count;
}

static void stats(const void *state, scree_stats *figures)
{
    const scree_flat *self = state;
    figures->remapped += self->placed + self->tree.placed;
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
    .update = update,
    .block_count = block_count,
    .pairs = scree_flat_pairs,
    .query = scree_flat_query,
    .stats = stats,
};
