/*  One grid: which cell a box is in, which cells are around it, and bodies put in and taken out in
    O(1). Space is folded onto the block of cells by dropping the high bits of cell coordinates, so
    neighbours in space stay neighbours in the block, over its edges too; cells far apart that
    share one cost false candidates, no more. (Schornbaum 2009.)

    Where neighbours are is computed from the three parts of an index; the published array of 27
    offsets for each outermost cell is not needed. */
#include "detect/hash_grids.h"

#include <math.h>
#include <string.h>

#define NONE SCREE_HASH_NONE
#define MAX_BITS 30u /* of an index: then a grid grows no more, and its cells fill up */

/* ---- where things are ---- */

/*  Bodies are in grids whose cells are at least 2^-50 of their coordinates (scree_hash_size_of), so
    the quotient is below 2^50; but a body that has moved while its grid is enlarged may be anywhere
    until it is found a grid of its own. */
int64_t scree_hash_unfolded(const scree_hash_grids *self, const scree_hash_grid *grid,
                            const scree_box *box, int axis)
{
    double x = self->by_centre ? 0.5 * (box->lower[axis] + box->upper[axis]) : box->lower[axis];
    double scaled = x * grid->inverse;
    return fabs(scaled) < 0x1p62 ? scree_hash_floor(scaled) : 0;
}

uint32_t scree_hash_cell(const scree_hash_grids *self, const scree_hash_grid *grid,
                         const scree_box *box)
{
    uint32_t cell = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t at = (uint32_t)scree_hash_unfolded(self, grid, box, k);
        cell |= scree_hash_part(grid, k, at & ((1u << grid->bits[k]) - 1));
    }
    return cell;
}

int scree_hash_neighbors(const scree_hash_grid *grid, uint32_t cell, uint32_t around[27])
{
    uint32_t part[3][3];
    int count = 0, layers = grid->bits[2] ? 3 : 1;

    for (int axis = 0; axis < 3; axis++) {
        uint32_t at = scree_hash_at(grid, axis, cell), mask = (1u << grid->bits[axis]) - 1;
        for (uint32_t d = 0; d < 3; d++)
            part[axis][d] = scree_hash_part(grid, axis, (at + d - 1) & mask);
    }
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                around[count++] = part[0][x] | part[1][y] | part[2][z];
    return count;
}

/* ---- size of a grid ---- */

/*  Bits of an index after this many doublings. */
static uint32_t index_bits(const scree_hash_grids *self, uint32_t doublings)
{
    uint32_t bits = (uint32_t)self->dimensions * doublings;
    for (int k = 0; k < self->dimensions; k++)
        for (uint32_t n = self->def.cells[k]; n > 1; n /= 2)
            bits++;
    return bits;
}

/*  Number of bodies for which this many doublings are enough. */
static uint32_t bodies_for(const scree_hash_grids *self, uint32_t doublings)
{
    if (index_bits(self, doublings + 1) > MAX_BITS)
        return UINT32_MAX;
    return (1u << index_bits(self, doublings)) / self->def.minimal_density;
}

/*  Number of bodies below which there are too many doublings. */
static uint32_t too_few_for(const scree_hash_grids *self, uint32_t doublings)
{
    if (doublings == 0)
        return 0;
    return (1u << index_bits(self, doublings)) / self->def.minimal_density / 64;
}

bool scree_hash_grid_is_too_large(const scree_hash_grids *self, const scree_hash_grid *grid)
{
    return grid->count < too_few_for(self, grid->doublings);
}

/*  Bricks are as nearly cubes as the cells of the block allow. */
static void lay_bits(const scree_hash_grids *self, scree_hash_grid *grid)
{
    static const uint8_t longest[2][3] = {{5, 4, 0}, {3, 3, 3}};
    uint8_t shift = 0;

    for (int k = 0; k < 3; k++) {
        uint8_t bits = 0;
        if (k < self->dimensions) {
            bits = grid->doublings;
            for (uint32_t n = self->def.cells[k]; n > 1; n /= 2)
                bits++;
        }
        uint8_t most = longest[self->dimensions == 3][k];
        grid->bits[k] = bits;
        grid->brick_bits[k] = bits < most ? bits : most;
    }
    for (int k = 0; k < 3; k++) {
        grid->inner[k] = shift;
        shift = (uint8_t)(shift + grid->brick_bits[k]);
    }
    grid->brick_shift = shift;
    for (int k = 0; k < 3; k++) {
        grid->outer[k] = shift;
        shift = (uint8_t)(shift + grid->bits[k] - grid->brick_bits[k]);
    }
}

scree_status scree_hash_grid_resize(scree_hash_grids *self, scree_hash_grid *grid, uint32_t count)
{
    scree_hash_grid laid = *grid;
    while (count > bodies_for(self, laid.doublings))
        laid.doublings++;
    while (count < too_few_for(self, laid.doublings))
        laid.doublings--;
    if (grid->brick && laid.doublings == grid->doublings)
        return SCREE_OK;
    lay_bits(self, &laid);
    laid.enlarge_at = bodies_for(self, laid.doublings);
    laid.brick_total = 1u << (index_bits(self, laid.doublings) - laid.brick_shift);
    if (scree_memory_take(self->memory, laid.brick_total, sizeof *laid.brick, &laid.brick))
        return SCREE_OUT_OF_MEMORY;
    memset(laid.brick, 0xff, laid.brick_total * sizeof *laid.brick);
    scree_memory_give(self->memory, &grid->brick, grid->brick_total, sizeof *grid->brick);
    *grid = laid;
    return SCREE_OK;
}

scree_status scree_hash_grid_open(scree_hash_grids *self, scree_hash_grid *grid)
{
    if (scree_memory_reserve(self->memory, &grid->occupied, &grid->occupied_capacity,
                             self->def.occupied_capacity, sizeof *grid->occupied))
        return SCREE_OUT_OF_MEMORY;
    return scree_hash_grid_resize(self, grid, 0);
}

void scree_hash_grid_close(scree_hash_grids *self, scree_hash_grid *grid)
{
    scree_memory_give(self->memory, &grid->occupied, grid->occupied_capacity,
                      sizeof *grid->occupied);
    scree_memory_give(self->memory, &grid->brick, grid->brick_total, sizeof *grid->brick);
    memset(grid, 0, sizeof *grid);
}

scree_status scree_hash_grid_rehash(scree_hash_grids *self, uint32_t slot,
                                    const scree_bodies *bodies, uint32_t count)
{
    scree_hash_grid *grid = &self->grid[slot];
    uint32_t total = grid->count, filled = 0, *ids = NULL;

    if (scree_memory_take(self->memory, total, sizeof *ids, &ids))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t c = 0; c < grid->occupied_count; c++) {
        uint32_t n;
        const uint32_t *found = scree_hash_bodies(&self->pool, grid, grid->occupied[c], &n);
        memcpy(ids + filled, found, n * sizeof *ids);
        filled += n;
    }
    for (uint32_t k = 0; k < total; k++)
        scree_hash_take_out(self, ids[k]);
    scree_status status = scree_hash_grid_resize(self, grid, count);
    for (uint32_t k = 0; k < total && !status; k++)
        status =
            scree_hash_put(self, slot, scree_hash_cell(self, grid, &bodies->box[ids[k]]), ids[k]);
    scree_memory_give(self->memory, &ids, total, sizeof *ids);
    return status;
}

/* ---- bodies in, bodies out ---- */

static uint32_t *word_of(const scree_hash_grids *self, const scree_hash_grid *grid, uint32_t cell)
{
    uint32_t brick = grid->brick[cell >> grid->brick_shift];
    return &self->pool.brick[brick].cell[cell & ((1u << grid->brick_shift) - 1)];
}

/*  The first body of a cell: the cell becomes occupied. */
static scree_status put_first(scree_hash_grids *self, scree_hash_grid *grid, uint32_t cell,
                              uint32_t id)
{
    uint32_t *brick = &grid->brick[cell >> grid->brick_shift];

    if (scree_memory_reserve(self->memory, &grid->occupied, &grid->occupied_capacity,
                             (size_t)grid->occupied_count + 1, sizeof *grid->occupied) ||
        (*brick == NONE && scree_hash_take_brick(&self->pool, brick)))
        return SCREE_OUT_OF_MEMORY;
    self->pool.note[*brick]++;
    *word_of(self, grid, cell) = id;
    self->place[id].slot = grid->occupied_count;
    grid->occupied[grid->occupied_count++] = cell;
    return SCREE_OK;
}

/*  A cell with `word` of one body or more gets a list with room for another. */
static scree_status make_room(scree_hash_grids *self, uint32_t *word)
{
    scree_hash_pool *pool = &self->pool;
    uint32_t old = *word ^ SCREE_HASH_MANY, count = 1, occupied, list;
    bool is_list = (*word & SCREE_HASH_MANY) != 0;

    if (is_list) {
        const uint32_t *head = scree_hash_list_head(pool, old);
        count = head[SCREE_HASH_COUNT];
        if (count < (uint64_t)pool->list_capacity << head[SCREE_HASH_CLASS])
            return SCREE_OK;
    }
    if (scree_hash_take_list(pool, count + 1, &list))
        return SCREE_OUT_OF_MEMORY;
    uint32_t *bodies = scree_hash_list_bodies(pool, list);
    if (is_list) {
        occupied = scree_hash_list_head(pool, old)[SCREE_HASH_OCCUPIED];
        memcpy(bodies, scree_hash_list_bodies(pool, old), count * sizeof *bodies);
        scree_hash_give_list(pool, old);
    } else {
        occupied = self->place[*word].slot;
        bodies[0] = *word;
        self->place[*word].slot = 0;
    }
    scree_hash_list_head(pool, list)[SCREE_HASH_COUNT] = count;
    scree_hash_list_head(pool, list)[SCREE_HASH_OCCUPIED] = occupied;
    *word = SCREE_HASH_MANY | list;
    return SCREE_OK;
}

scree_status scree_hash_put(scree_hash_grids *self, uint32_t slot, uint32_t cell, uint32_t id)
{
    scree_hash_grid *grid = &self->grid[slot];
    uint32_t count;

    (void)scree_hash_bodies(&self->pool, grid, cell, &count);
    if (count == 0) {
        if (put_first(self, grid, cell, id))
            return SCREE_OUT_OF_MEMORY;
    } else {
        uint32_t *word = word_of(self, grid, cell);
        if (make_room(self, word))
            return SCREE_OUT_OF_MEMORY;
        scree_hash_list_bodies(&self->pool, *word ^ SCREE_HASH_MANY)[count] = id;
        scree_hash_list_head(&self->pool, *word ^ SCREE_HASH_MANY)[SCREE_HASH_COUNT]++;
        self->place[id].slot = count;
    }
    self->place[id].grid = slot;
    self->place[id].cell = cell;
    grid->count++;
    self->count++;
    self->relocated++;
    return SCREE_OK;
}

scree_status scree_hash_add(scree_hash_grids *self, uint32_t slot, const scree_bodies *bodies,
                            uint32_t id)
{
    scree_hash_grid *grid = &self->grid[slot];
    if (grid->count == grid->enlarge_at &&
        scree_hash_grid_rehash(self, slot, bodies, grid->count + 1))
        return SCREE_OUT_OF_MEMORY;
    return scree_hash_put(self, slot, scree_hash_cell(self, grid, &bodies->box[id]), id);
}

/*  The cell at `at` in the list of occupied ones is empty now: the last takes its place. */
static void drop_occupied(scree_hash_grids *self, scree_hash_grid *grid, uint32_t at)
{
    uint32_t cell = grid->occupied[at], last = grid->occupied[--grid->occupied_count];
    uint32_t *brick = &grid->brick[cell >> grid->brick_shift], word;

    if (at < grid->occupied_count) {
        grid->occupied[at] = last;
        word = *word_of(self, grid, last);
        if (word & SCREE_HASH_MANY)
            scree_hash_list_head(&self->pool, word ^ SCREE_HASH_MANY)[SCREE_HASH_OCCUPIED] = at;
        else
            self->place[word].slot = at;
    }
    if (--self->pool.note[*brick] == 0) {
        scree_hash_give_brick(&self->pool, *brick);
        *brick = NONE;
    }
}

void scree_hash_take_out(scree_hash_grids *self, uint32_t id)
{
    const scree_hash_place place = self->place[id];
    scree_hash_grid *grid = &self->grid[place.grid];
    uint32_t *word = word_of(self, grid, place.cell);

    if (*word & SCREE_HASH_MANY) {
        uint32_t list = *word ^ SCREE_HASH_MANY;
        uint32_t *head = scree_hash_list_head(&self->pool, list);
        uint32_t *bodies = scree_hash_list_bodies(&self->pool, list);
        uint32_t last = bodies[--head[SCREE_HASH_COUNT]];
        bodies[place.slot] = last;
        self->place[last].slot = place.slot;
        if (head[SCREE_HASH_COUNT] == 1) {
            *word = bodies[0];
            self->place[*word].slot = head[SCREE_HASH_OCCUPIED];
            scree_hash_give_list(&self->pool, list);
        }
    } else {
        *word = NONE;
        drop_occupied(self, grid, place.slot);
    }
    grid->count--;
    self->count--;
}
