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

static void clear(scree_flat *self)
{
    self->island_count = self->level_count = self->islet_count = self->block_count = 0;
    self->is_split = false;
}

static void give_columns(scree_flat *self, scree_memory *memory)
{
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++) {
        scree_memory_give(memory, &self->column[k], self->column_capacity[k], sizeof(float));
        self->column_capacity[k] = 0;
    }
    scree_memory_give(memory, &self->id, self->id_capacity, sizeof *self->id);
    scree_memory_give(memory, &self->order, self->order_capacity, sizeof *self->order);
    scree_memory_give(memory, &self->start, self->start_capacity, sizeof *self->start);
    scree_memory_give(memory, &self->histogram, self->histogram_capacity, sizeof *self->histogram);
    scree_memory_give(memory, &self->record, self->record_capacity, sizeof *self->record);
    scree_memory_give(memory, &self->island, self->island_capacity, sizeof *self->island);
    scree_memory_give(memory, &self->islet, self->islet_capacity, sizeof *self->islet);
    scree_memory_give(memory, &self->hull, self->hull_capacity, sizeof *self->hull);
    scree_flat_give_lists(self, memory);
    scree_memory_give(memory, &self->level, self->level_capacity, sizeof *self->level);
    self->id_capacity = self->order_capacity = self->start_capacity = 0;
    self->histogram_capacity = self->record_capacity = 0;
    self->island_capacity = self->level_capacity = 0;
    self->islet_capacity = self->hull_capacity = 0;
    clear(self);
}

static void give_tree(scree_flat *self, scree_memory *memory)
{
    self->placed += self->tree.placed;
    scree_bvh8_free(&self->tree, memory);
    self->tree = (scree_bvh8){0};
}

void scree_flat_destroy(void *state, const scree_method_env *env)
{
    scree_flat *self = state;
    scree_flat_keep_free(self, env);
    give_columns(self, env->memory);
    give_tree(self, env->memory);
}

/*  The cost of a cell grows with the square of the number of its bodies. The tree costs about as much as this many
    bodies in each cell, in any scene; */
#define CROWDED 200u
/*  and splitting the scene into islands costs as much as this many. */
#define CROWDED_TO_SPLIT 40u

/*  Changes until cells are tried again while bodies are crowded, and until islands are tried again if there was only
    one. */
#define TREE_STEPS 64u

static scree_status build_tree(scree_flat *self, const scree_method_env *env,
                               const scree_bodies *bodies)
{
    self->is_crowded = true;
    self->is_split = false;
    return scree_bvh8_build(&self->tree, env, bodies);
}

static scree_status build_whole(scree_flat *self, const scree_method_env *env,
                                const scree_bodies *bodies, uint64_t *crowding)
{
    self->is_split = false;
    scree_status status = scree_flat_plan_whole(self, env, bodies);
    return status ? status : scree_flat_sort(self, env, bodies, crowding);
}

static scree_status build_islands(scree_flat *self, const scree_method_env *env,
                                  const scree_bodies *bodies, uint64_t *crowding)
{
    scree_flat_islets islets;
    scree_status status = scree_flat_split(self, env, bodies, &islets);
    if (status)
        return status;
    self->is_split = self->island_count != 1 || self->islet_count > 0;
    if (!self->is_split) {
        self->whole_steps = TREE_STEPS;
        return build_whole(self, env, bodies, crowding);
    }
    status = scree_flat_plan_islands(self, env, bodies, &islets);
    return status ? status : scree_flat_sort(self, env, bodies, crowding);
}

/*  If islands were found the last time, they are built at once. */
static scree_status build_cells(scree_flat *self, const scree_method_env *env,
                                const scree_bodies *bodies, uint64_t *crowding)
{
    if (self->is_split)
        return build_islands(self, env, bodies, crowding);
    if (scree_flat_plan_whole(self, env, bodies))
        return SCREE_OUT_OF_MEMORY;
    bool is_tried = self->whole_steps > 0;
    self->whole_steps -= is_tried;
    if (!is_tried && scree_flat_sampled_crowding(self, bodies) > 4 * CROWDED_TO_SPLIT)
        return build_islands(self, env, bodies, crowding);
    if (scree_flat_sort(self, env, bodies, crowding))
        return SCREE_OUT_OF_MEMORY;
    if (is_tried || *crowding <= (uint64_t)CROWDED_TO_SPLIT * self->count)
        return SCREE_OK;
    return build_islands(self, env, bodies, crowding);
}

scree_status scree_flat_build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_flat *self = state;
    uint64_t crowding = 0;

    scree_flat_keep_end(self);
    if (self->is_crowded && ++self->tree_steps < TREE_STEPS)
        return build_tree(self, env, bodies);
    self->is_crowded = false;
    self->tree_steps = 0;
    self->count = bodies->active_count;
    self->placed += self->count;
    if (self->count == 0)
        clear(self);
    else if (build_cells(self, env, bodies, &crowding))
        return SCREE_OUT_OF_MEMORY;
    if (crowding > (uint64_t)CROWDED * self->count) {
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
        return scree_flat_keep_update(self, env, bodies, ids, count);
    self->tree_steps += ids == NULL;
    return scree_bvh8_update(&self->tree, env, bodies, ids, count);
}

size_t scree_flat_block_count(const void *state, const scree_bodies *bodies)
{
    const scree_flat *self = state;
    (void)bodies;
    if (self->keep.is_used)
        return scree_flat_keep_block_count(self);
    return self->is_crowded ? scree_bvh8_block_count(&self->tree) : self->block_count;
}

static void pairs(const void *state, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    const scree_flat *self = state;
    if (self->keep.is_used)
        scree_flat_keep_pairs(self, bodies, block, scratch, sink);
    else
        scree_flat_pairs(self, bodies, block, scratch, sink);
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
             .worst_time =
                 "N^2, where long thin bodies lie side by side, or cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_DIRTY | SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1, 1}},
    .state_bytes = sizeof(scree_flat),
    .exact = true,
    .spheres_alone = true,
    .create = create,
    .destroy = scree_flat_destroy,
    .build = scree_flat_build,
    .update = update,
    .block_count = scree_flat_block_count,
    .pairs = pairs,
    .query = scree_flat_query,
    .stats = stats,
    .outline = scree_flat_outline,
};
