/*  Which grid a body belongs to. Level k has cells of edge c_k = c_0 factor^k and holds the bodies
    of size c_(k-1) <= s < c_k; only levels with bodies have a grid, and those that stay empty are
    dropped. c_0 comes from the first body. (Schornbaum 2009; the level from a logarithm, put right
    by comparison, instead of by repeated division, which has no end for a size of 0.) */
#include "detect/hash_grids.h"

#include "base/portable_math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define IDLE_UPDATES 100u /* an empty level is kept for so many, for bodies that come back */
#define SMALLEST                                                                                   \
    1e-250 /* the first size, if it is to count: cells and their inverses stay finite */
#define LN_2 0x1.62e42fefa39efp-1

/* ---- arithmetic ---- */

/*  By squaring: exact for powers of two, and the same on all machines. */
static double power(double base, uint32_t exponent)
{
    double result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

/*  In two halves, since factor^level may overflow where first * factor^level does not. */
double scree_hash_level_cell(double first, double factor, int32_t level)
{
    uint32_t steps = level < 0 ? (uint32_t)-level : (uint32_t)level;
    double half = power(factor, steps / 2), rest = power(factor, steps - steps / 2);
    return level < 0 ? first / half / rest : first * half * rest;
}

/*  All sizes of 2^-60 c_0 and less share a level. */
static int32_t lowest_level(const scree_hash_grids *self)
{
    return (int32_t)floor(-60 * LN_2 / scree_ln(self->def.factor));
}

static double cell_of_level(const scree_hash_grids *self, int32_t level)
{
    return scree_hash_level_cell(self->first_cell, self->def.factor, level);
}

int32_t scree_hash_level_of(const scree_hash_grids *self, double size)
{
    int32_t lowest = lowest_level(self), level;
    if (size < cell_of_level(self, lowest))
        return lowest;
    level =
        (int32_t)floor((scree_ln(size) - scree_ln(self->first_cell)) / scree_ln(self->def.factor)) +
        1;
    while (!(size < cell_of_level(self, level)))
        level++;
    while (level > lowest && size < cell_of_level(self, level - 1))
        level--;
    return level;
}

/* ---- sizes ---- */

/*  The longest edge; or the diameter of the sphere around the body, which does not change as it
    turns. For spheres both are the edge of the box, rounded outward as it is. */
static double extent(const scree_hash_grids *self, const scree_bodies *bodies, uint32_t id)
{
    const scree_box *box = &bodies->box[id];
    double longest = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        double edge = box->upper[k] - box->lower[k];
        longest = edge > longest ? edge : longest;
        sum += edge * edge;
    }
    if (self->def.size == SCREE_HASH_SIZE_SPHERE && bodies->volume == SCREE_BOXES)
        return fmax(sqrt(sum), longest); /* the squares may underflow */
    return longest;
}

/*  Two bodies that touch must never be two cells apart. Their points x <= y differ by at most s,
    the larger size (by half the sum of the sizes, for centres). With u = 2^-53 the quotients x / c
    and y / c are computed with errors of at most 2u |x| / c and 2u |y| / c, and a centre with u
    |x|; their floors differ by 2 only if what is computed differs by more than 1. So it is enough
    that s (1 + 4u) + 8u m < c for each of the two, m the larger of its coordinates in magnitude:
    half of each one's 8u m pays for its own point. The 4u also pays for the edge's own rounding.

    So cells are at least 2^-50 of the coordinates in them. Bodies so far out that their coordinates
    cannot tell their own size from 0 go to a coarser level, and cell coordinates stay below 2^50.
    */
double scree_hash_size_of(const scree_hash_grids *self, const scree_bodies *bodies, uint32_t id)
{
    const scree_box *box = &bodies->box[id];
    double farthest = 0;
    for (int k = 0; k < 3; k++) {
        double most = -box->lower[k] > box->upper[k] ? -box->lower[k] : box->upper[k];
        farthest = most > farthest ? most : farthest;
    }
    return extent(self, bodies, id) * (1 + 2 * DBL_EPSILON) + 4 * DBL_EPSILON * farthest;
}

/*  Before any rounding: boxes of spheres are never quite points. */
static double given_size(const scree_hash_grids *self, const scree_bodies *bodies, uint32_t id)
{
    return bodies->sphere ? 2 * bodies->sphere[id][3] : extent(self, bodies, id);
}

/*  c_0 from the first body, or if that is a point from the smallest that is none, or 1. */
static void found(scree_hash_grids *self, const scree_bodies *bodies)
{
    double size = given_size(self, bodies, bodies->active[0]);
    if (size < SMALLEST) {
        size = INFINITY;
        for (uint32_t a = 0; a < bodies->active_count; a++) {
            double s = given_size(self, bodies, bodies->active[a]);
            size = s >= SMALLEST && s < size ? s : size;
        }
    }
    self->first_cell = isfinite(size) ? size * sqrt(self->def.factor) : 1;
}

/* ---- the list of grids ---- */

/*  The first in order whose cells are larger than `size`. */
static uint32_t rank_of(const scree_hash_grids *self, double size)
{
    uint32_t low = 0, high = self->order_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (size < self->grid[self->order[middle]].cell)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/*  A slot for a new grid: one that is not in use, or one more. */
static scree_status free_slot(scree_hash_grids *self, uint32_t *slot)
{
    if (scree_memory_reserve(self->memory, &self->order, &self->order_capacity,
                             (size_t)self->order_count + 1, sizeof *self->order) ||
        scree_memory_reserve(self->memory, &self->grid, &self->grid_capacity,
                             (size_t)self->order_count + 1, sizeof *self->grid))
        return SCREE_OUT_OF_MEMORY;
    *slot = self->grid_count;
    for (uint32_t k = 0; self->order_count < self->grid_count && k < self->grid_count; k++)
        if (!self->grid[k].in_use)
            *slot = k;
    if (*slot == self->grid_count)
        memset(&self->grid[self->grid_count++], 0, sizeof *self->grid);
    return SCREE_OK;
}

static scree_status make_grid(scree_hash_grids *self, double size, uint32_t rank, uint32_t *slot)
{
    if (free_slot(self, slot))
        return SCREE_OUT_OF_MEMORY;
    scree_hash_grid *grid = &self->grid[*slot];
    if (scree_hash_grid_open(self, grid)) {
        scree_hash_grid_close(self, grid);
        return SCREE_OUT_OF_MEMORY;
    }
    grid->in_use = true;
    grid->level = scree_hash_level_of(self, size);
    grid->cell = cell_of_level(self, grid->level);
    grid->inverse = 1 / grid->cell;
    grid->low = grid->level > lowest_level(self) ? cell_of_level(self, grid->level - 1) : 0;
    memmove(&self->order[rank + 1], &self->order[rank],
            (self->order_count - rank) * sizeof *self->order);
    self->order[rank] = *slot;
    self->order_count++;
    return SCREE_OK;
}

scree_status scree_hash_grid_for(scree_hash_grids *self, const scree_bodies *bodies, double size,
                                 uint32_t *slot)
{
    if (self->first_cell == 0)
        found(self, bodies);
    uint32_t rank = rank_of(self, size);
    if (rank < self->order_count && size >= self->grid[self->order[rank]].low)
        *slot = self->order[rank];
    else if (make_grid(self, size, rank, slot))
        return SCREE_OUT_OF_MEMORY;
    scree_hash_grid *grid = &self->grid[*slot];
    grid->reach = size > grid->reach ? size : grid->reach;
    return SCREE_OK;
}

scree_status scree_hash_tidy(scree_hash_grids *self, const scree_bodies *bodies)
{
    uint32_t kept = 0;
    for (uint32_t rank = 0; rank < self->order_count; rank++) {
        uint32_t slot = self->order[rank];
        scree_hash_grid *grid = &self->grid[slot];
        grid->idle = grid->count ? 0 : grid->idle + 1;
        if (grid->idle > IDLE_UPDATES)
            scree_hash_grid_close(self, grid);
        else
            self->order[kept++] = slot;
    }
    self->order_count = kept;
    for (uint32_t rank = 0; rank < self->order_count; rank++) {
        uint32_t slot = self->order[rank];
        if (scree_hash_grid_is_too_large(self, &self->grid[slot]) &&
            scree_hash_grid_rehash(self, slot, bodies, self->grid[slot].count))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}
