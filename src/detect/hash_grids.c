/*  hash-grids as a method: parameters, and changes of bodies. Up to a threshold there are no grids and all pairs are
    tested. The body that exceeds it moves all into grids, where they stay until the next build. */
#include "detect/hash_grids.h"

#include <string.h>

/* ---- parameters ---- */

#define MAX_CELLS 1024u
#define MAX_CAPACITY 65536u
#define MAX_DENSITY 4096u

static scree_status check_range(const scree_method_env *env, const char *name, uint32_t value,
                                uint32_t lowest, uint32_t most)
{
    if (value >= lowest && value <= most)
        return SCREE_OK;
    return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                      "detector def: hash_grids.%s is %u, must be %u to %u", name, value, lowest,
                      most);
}

static scree_status check_cells(const scree_method_env *env, const scree_hash_grids_def *def)
{
    for (int k = 0; k < env->def->dimensions; k++) {
        uint32_t n = def->cells[k];
        if (n < 4 || n > MAX_CELLS || (n & (n - 1)) != 0)
            return scree_fail(
                env->error, SCREE_BAD_ARGUMENT,
                "detector def: hash_grids.cells[%d] is %u, must be a power of two, 4 to %u", k, n,
                MAX_CELLS);
    }
    return SCREE_OK;
}

static scree_status check_choices(const scree_method_env *env, const scree_hash_grids_def *def)
{
    /* levels nearer to each other are many and hold no fewer candidates */
    if (!(def->factor >= 1.01 && def->factor <= 1e6))
        return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                          "detector def: hash_grids.factor is %g, must be 1.01 to 1e6",
                          def->factor);
    if (def->size != SCREE_HASH_SIZE_BOX && def->size != SCREE_HASH_SIZE_SPHERE)
        return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                          "detector def: hash_grids.size is %d, must be a scree_hash_size",
                          (int)def->size);
    if (def->point != SCREE_HASH_POINT_AUTO && def->point != SCREE_HASH_POINT_CORNER &&
        def->point != SCREE_HASH_POINT_CENTRE)
        return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                          "detector def: hash_grids.point is %d, must be a scree_hash_point",
                          (int)def->point);
    return SCREE_OK;
}

static scree_status hash_grids_create(void *state, const scree_method_env *env)
{
    scree_hash_grids *self = state;
    const scree_hash_grids_def *def = &env->def->hash_grids;

    self->memory = env->memory;
    scree_hash_pool_init(&self->pool, env->memory, def->list_capacity);
    if (check_cells(env, def) ||
        check_range(env, "list_capacity", def->list_capacity, 1, MAX_CAPACITY) ||
        check_range(env, "occupied_capacity", def->occupied_capacity, 1, MAX_CAPACITY) ||
        check_range(env, "minimal_density", def->minimal_density, 1, MAX_DENSITY) ||
        check_range(env, "activation", def->activation, 0, MAX_CAPACITY) || check_choices(env, def))
        return SCREE_BAD_ARGUMENT;
    self->def = *def;
    self->dimensions = env->def->dimensions;
    self->by_centre = def->point == SCREE_HASH_POINT_AUTO ? env->def->volume == SCREE_SPHERES
                                                          : def->point == SCREE_HASH_POINT_CENTRE;
    return SCREE_OK;
}

static void hash_grids_destroy(void *state, const scree_method_env *env)
{
    (void)env;
    scree_hash_free(state);
}

/* ---- changes ---- */

/*  Grids that are there, and their sizes, are kept: a build is the published clear() and add(). */
static scree_status hash_grids_build(void *state, const scree_method_env *env,
                                     const scree_bodies *bodies)
{
    scree_hash_grids *self = state;
    self->active = bodies->active_count > self->def.activation;
    if (self->active)
        return scree_hash_fill(self, env, bodies);
    scree_hash_clear(self);
    return SCREE_OK;
}

static scree_status add_body(scree_hash_grids *self, const scree_bodies *bodies, uint32_t id)
{
    uint32_t slot;
    self->disorder++;
    if (scree_hash_grid_for(self, bodies, scree_hash_size_of(self, bodies, id), &slot))
        return SCREE_OUT_OF_MEMORY;
    return scree_hash_add(self, slot, bodies, id);
}

/*  Moves a body to another level if its size requires it, or to another cell if it has left its own. */
static scree_status move_body(scree_hash_grids *self, const scree_bodies *bodies, uint32_t id)
{
    uint32_t slot = self->place[id].grid;
    scree_hash_grid *grid = &self->grid[slot];
    double size = scree_hash_size_of(self, bodies, id);

    if (size < grid->low || size >= grid->cell) {
        scree_hash_take_out(self, id);
        return add_body(self, bodies, id);
    }
    grid->reach = size > grid->reach ? size : grid->reach;
    uint32_t cell = scree_hash_cell(self, grid, &bodies->box[id]);
    if (cell == self->place[id].cell)
        return SCREE_OK;
    self->disorder++;
    scree_hash_take_out(self, id);
    return scree_hash_put(self, slot, cell, id);
}

static scree_status refill(scree_hash_grids *self, const scree_method_env *env,
                           const scree_bodies *bodies)
{
    self->refilled++;
    return scree_hash_fill(self, env, bodies);
}

static scree_status move_bodies(scree_hash_grids *self, const scree_method_env *env,
                                const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    if (self->def.rebuild)
        return refill(self, env, bodies);
    const uint32_t *list = ids ? ids : bodies->active;
    for (size_t k = 0; k < (ids ? count : bodies->active_count); k++)
        if (move_body(self, bodies, list[k]))
            return SCREE_OUT_OF_MEMORY;
    /* sort all again once half of the bodies have been moved, on average */
    return !ids && self->disorder > self->count / 2 ? refill(self, env, bodies) : SCREE_OK;
}

static scree_status hash_grids_update(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_hash_grids *self = state;
    if (!self->active)
        return SCREE_OK;
    if (move_bodies(self, env, bodies, ids, count) || scree_hash_tidy(self, bodies))
        return SCREE_OUT_OF_MEMORY;
    if (!scree_hash_pool_is_wasteful(&self->pool))
        return SCREE_OK;
    scree_hash_clear(self);
    scree_hash_trim(self);
    return refill(self, env, bodies);
}

static scree_status hash_grids_insert(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_hash_grids *self = state;
    if (!self->active && bodies->active_count <= self->def.activation)
        return SCREE_OK;
    self->active = true;
    /* also where they are the first to be in grids */
    if (count >= self->count)
        return refill(self, env, bodies);
    if (scree_memory_reserve(self->memory, &self->place, &self->place_capacity, bodies->bound,
                             sizeof *self->place))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < count; k++)
        if (add_body(self, bodies, ids[k]))
            return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static scree_status hash_grids_remove(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_hash_grids *self = state;
    (void)env;
    (void)bodies;
    for (size_t k = 0; self->active && k < count; k++)
        scree_hash_take_out(self, ids[k]);
    return SCREE_OK;
}

/* ---- the method ---- */

static size_t hash_grids_block_count(const void *state, const scree_bodies *bodies)
{
    (void)bodies;
    return scree_hash_block_count(state);
}

static void hash_grids_pairs(const void *state, const scree_bodies *bodies, size_t block,
                             scree_scratch *scratch, scree_sink *sink)
{
    (void)scratch;
    scree_hash_pairs(state, bodies, block, sink);
}

static void hash_grids_query(const void *state, const scree_bodies *bodies,
                             const scree_probe *probe, scree_hit_sink *sink)
{
    scree_hash_query(state, bodies, probe, sink);
}

static void hash_grids_stats(const void *state, scree_stats *stats)
{
    const scree_hash_grids *self = state;
    stats->remapped += self->relocated;
    stats->rebuilds += self->refilled;
}

static void hash_grids_outline(const void *state, const scree_bodies *bodies,
                               scree_scratch *scratch, scree_outline_sink *sink)
{
    scree_hash_outline(state, bodies, scratch, sink);
}

const scree_method scree_method_hash_grids = {
    .info = {.name = "hash-grids",
             .summary = "grids of doubling cell size, each folded onto a block (Schornbaum 2009)",
             .cost = "N, times the number of levels that hold bodies, whatever the size ratio",
             .worst_time = "N^2, where long thin bodies lie side by side, or bodies as far apart "
                           "as a grid repeats",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_INCREMENTAL | SCREE_METHOD_COHERENT | SCREE_METHOD_DIRTY |
                             SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1.0, 1.0}},
    .state_bytes = sizeof(scree_hash_grids),
    .create = hash_grids_create,
    .destroy = hash_grids_destroy,
    .build = hash_grids_build,
    .update = hash_grids_update,
    .insert = hash_grids_insert,
    .remove = hash_grids_remove,
    .block_count = hash_grids_block_count,
    .pairs = hash_grids_pairs,
    .query = hash_grids_query,
    .stats = hash_grids_stats,
    .outline = hash_grids_outline,
};
