/*  All bodies into the grids at once. They are put in by ascending cell: bodies of neighbouring
    cells then lie together in memory, and so do the cells in the lists of occupied ones, which a
    search follows. Bodies that move spoil this order slowly, and an update restores it now and
    then. */
#include "detect/hash_grids.h"

#include <string.h>

void scree_hash_clear(scree_hash_grids *self)
{
    for (uint32_t k = 0; k < self->grid_count; k++) {
        scree_hash_grid *grid = &self->grid[k];
        grid->occupied_count = grid->count = 0;
        grid->reach = 0;
        if (grid->in_use)
            memset(grid->brick, 0xff, grid->brick_total * sizeof *grid->brick);
    }
    scree_hash_pool_clear(&self->pool);
    self->count = self->disorder = 0;
}

void scree_hash_trim(scree_hash_grids *self)
{
    scree_hash_pool_free(&self->pool);
    for (uint32_t k = 0; k < self->grid_count; k++) {
        scree_hash_grid *grid = &self->grid[k];
        scree_memory_give(self->memory, &grid->occupied, grid->occupied_capacity,
                          sizeof *grid->occupied);
        grid->occupied_capacity = 0;
    }
}

void scree_hash_free(scree_hash_grids *self)
{
    for (uint32_t k = 0; k < self->grid_count; k++)
        scree_hash_grid_close(self, &self->grid[k]);
    scree_hash_pool_free(&self->pool);
    scree_memory_give(self->memory, &self->grid, self->grid_capacity, sizeof *self->grid);
    scree_memory_give(self->memory, &self->order, self->order_capacity, sizeof *self->order);
    scree_memory_give(self->memory, &self->place, self->place_capacity, sizeof *self->place);
}

/*  Finds each body its grid, and makes each grid large enough for its bodies. */
static scree_status assign_grids(scree_hash_grids *self, const scree_bodies *bodies)
{
    for (uint32_t a = 0; a < bodies->active_count; a++) {
        uint32_t id = bodies->active[a], slot;
        if (scree_hash_grid_for(self, bodies, scree_hash_size_of(self, bodies, id), &slot))
            return SCREE_OUT_OF_MEMORY;
        self->place[id].grid = slot;
        self->grid[slot].count++;
    }
    for (uint32_t rank = 0; rank < self->order_count; rank++) {
        scree_hash_grid *grid = &self->grid[self->order[rank]];
        uint32_t count = grid->count;
        grid->count = 0;
        if (scree_hash_grid_resize(self, grid, count))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  keys: the grid above, the cell below. */
static scree_status put_in_order(scree_hash_grids *self, const scree_method_env *env,
                                 const scree_bodies *bodies, uint64_t *keys, uint32_t *ids)
{
    scree_sorter sorter = {0};
    uint32_t count = bodies->active_count;

    for (uint32_t a = 0; a < count; a++) {
        uint32_t id = bodies->active[a], slot = self->place[id].grid;
        ids[a] = id;
        keys[a] = (uint64_t)slot << 32 | scree_hash_cell(self, &self->grid[slot], &bodies->box[id]);
    }
    scree_status status = scree_sort_u64(&sorter, self->memory, env->workers, keys, ids, count);
    scree_sorter_free(&sorter, self->memory);
    for (uint32_t a = 0; a < count && !status; a++)
        status = scree_hash_put(self, (uint32_t)(keys[a] >> 32), (uint32_t)keys[a], ids[a]);
    return status;
}

scree_status scree_hash_fill(scree_hash_grids *self, const scree_method_env *env,
                             const scree_bodies *bodies)
{
    uint64_t *keys = NULL;
    uint32_t *ids = NULL;
    size_t count = bodies->active_count;

    scree_hash_clear(self);
    if (scree_memory_reserve(self->memory, &self->place, &self->place_capacity, bodies->bound,
                             sizeof *self->place) ||
        assign_grids(self, bodies) || scree_memory_take(self->memory, count, sizeof *keys, &keys))
        return SCREE_OUT_OF_MEMORY;
    scree_status status = scree_memory_take(self->memory, count, sizeof *ids, &ids);
    if (!status)
        status = put_in_order(self, env, bodies, keys, ids);
    scree_memory_give(self->memory, &ids, count, sizeof *ids);
    scree_memory_give(self->memory, &keys, count, sizeof *keys);
    return status;
}
