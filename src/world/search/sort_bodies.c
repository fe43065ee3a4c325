/*  Spatial sort: bodies that are near in space are stored near in memory, so that the contacts of a body are in the
    nearer caches. It does not affect results: the order of contacts and sums depends on global ids. */
#include "world/search/sort_bodies.h"

#include <math.h>

/*  Cells along x first: a search visits a row of cells, too. Cells are four mean radii wide, with at most 2^20 along
    an axis. */
typedef struct place_grid
{
    double lower[3], inv_cell;
} place_grid;

#define MAX_CELLS 1048575.0

static place_grid lay_grid(const scree_body_arrays *bodies)
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
    if (!(cell > longest / MAX_CELLS))
        cell = longest / MAX_CELLS;
    grid.inv_cell = cell > 0 ? 1 / cell : 0;
    return grid;
}

static uint64_t cell_number(double at, double lower, double inv_cell)
{
    double number = (at - lower) * inv_cell;
    return number < MAX_CELLS ? (uint64_t)number : (uint64_t)MAX_CELLS;
}

static void make_keys(const scree_body_arrays *bodies, scree_body_order *order)
{
    place_grid grid = lay_grid(bodies);

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *row = bodies->position[slot];
        order->key[slot] = cell_number(row[2], grid.lower[2], grid.inv_cell) << 40 |
                           cell_number(row[1], grid.lower[1], grid.inv_cell) << 20 |
                           cell_number(row[0], grid.lower[0], grid.inv_cell);
        order->slot[slot] = slot;
    }
}

scree_status scree_bodies_sort(const scree_step *step, scree_body_order *order,
                               scree_body_arrays *bodies, scree_contact_list *pairs,
                               scree_wall_contacts *wall_contacts)
{
    scree_memory *memory = step->memory;
    uint32_t count = bodies->count;
    size_t widest = scree_bodies_widest(bodies);
    void *buffer;

    if (scree_body_order_reserve(order, memory, count) ||
        scree_memory_take(memory, count, widest, &buffer))
        return SCREE_OUT_OF_MEMORY;
    make_keys(bodies, order);
    scree_status status = scree_body_order_sort(order, memory, step->workers, count);
    if (!status) {
        uint32_t *place = buffer;
        for (uint32_t slot = 0; slot < count; slot++)
            place[order->slot[slot]] = slot;
        scree_contact_list_permute(pairs, place, count, place + count);
        scree_wall_contacts_permute(wall_contacts, order->slot, count, buffer);
        scree_bodies_permute(bodies, order->slot, buffer);
    }
    scree_memory_give(memory, &buffer, count, widest);
    /* the memory is needed elsewhere between sorts */
    scree_body_order_free(order, memory);
    return status;
}
