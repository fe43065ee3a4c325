/*  Bodies that are near in space are laid near in memory, so that the forces of a body's contacts come from
    the nearer caches. Nothing that the host sees depends on it: contacts and sums go by serial numbers. */
#include "world/search/sort_bodies.h"

#include "world/step/world_data.h"

#include <math.h>

/*  Cells along x first: a row of them is what a search goes through as well. Cells are four mean radii wide,
    and no more than 2^20 along an axis. */
typedef struct place_grid
{
    double lower[3], inv_cell;
} place_grid;

#define MOST_CELLS 1048575.0

static place_grid lay_grid(const scree_crowd *bodies)
{
    place_grid grid = {{INFINITY, INFINITY, INFINITY}, 0};
    double upper[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0, longest = 0;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *row = bodies->position[slot];
        for (int k = 0; k < 3; k++) {
            grid.lower[k] = row[k] < grid.lower[k] ? row[k] : grid.lower[k];
            upper[k] = row[k] > upper[k] ? row[k] : upper[k];
        }
        sum += row[3];
    }
    for (int k = 0; k < 3; k++)
        longest = upper[k] - grid.lower[k] > longest ? upper[k] - grid.lower[k] : longest;
    double cell = 4 * sum / bodies->count;
    if (!(cell > longest / MOST_CELLS))
        cell = longest / MOST_CELLS;
    grid.inv_cell = cell > 0 ? 1 / cell : 0;
    return grid;
}

static uint64_t cell_number(double at, double lower, double inv_cell)
{
    double number = (at - lower) * inv_cell;
    return number < MOST_CELLS ? (uint64_t)number : (uint64_t)MOST_CELLS;
}

static scree_status reserve_room(scree_world *world, uint32_t count)
{
    scree_memory *memory = &world->memory;

    if (scree_memory_reserve(memory, &world->place_keys, &world->place_key_capacity, count,
                             sizeof *world->place_keys) ||
        scree_memory_reserve(memory, &world->place_order, &world->place_order_capacity, count,
                             sizeof *world->place_order))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

/*  Between sorts there is better use for it. */
static void give_room(scree_world *world)
{
    scree_memory *memory = &world->memory;

    scree_sorter_free(&world->sorter, memory);
    scree_memory_give(memory, &world->place_keys, world->place_key_capacity,
                      sizeof *world->place_keys);
    scree_memory_give(memory, &world->place_order, world->place_order_capacity,
                      sizeof *world->place_order);
    world->place_key_capacity = world->place_order_capacity = 0;
}

static void make_keys(scree_world *world, const scree_crowd *bodies)
{
    place_grid grid = lay_grid(bodies);

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *row = bodies->position[slot];
        world->place_keys[slot] = cell_number(row[2], grid.lower[2], grid.inv_cell) << 40 |
                                  cell_number(row[1], grid.lower[1], grid.inv_cell) << 20 |
                                  cell_number(row[0], grid.lower[0], grid.inv_cell);
        world->place_order[slot] = slot;
    }
}

scree_status scree_world_sort_places(scree_world *world)
{
    scree_crowd *bodies = &world->bodies;
    uint32_t count = bodies->count;
    size_t widest = scree_bodies_widest(bodies);
    void *buffer;

    if (count < 2)
        return SCREE_OK;
    if (reserve_room(world, count) || scree_memory_take(&world->memory, count, widest, &buffer))
        return SCREE_OUT_OF_MEMORY;
    make_keys(world, bodies);
    scree_status status = scree_sort_u64(&world->sorter, &world->memory, &world->workers,
                                         world->place_keys, world->place_order, count);
    if (!status) {
        uint32_t *place = buffer;
        for (uint32_t slot = 0; slot < count; slot++)
            place[world->place_order[slot]] = slot;
        scree_contact_list_permute(&world->pairs, place, count, place + count);
        scree_surfaces_permute(&world->surfaces, world->place_order, count, buffer);
        scree_bodies_permute(bodies, world->place_order, buffer);
        world->search_anew = true;
    }
    scree_memory_give(&world->memory, &buffer, count, widest);
    give_room(world);
    return status;
}
