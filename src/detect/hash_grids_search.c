/*  Pairs and queries. Within a grid each occupied cell is searched against itself and the first
    half of the cells around it. Between grids it is the smaller body that looks, into the few cells
    of each coarser grid where its box can meet a body: not all 27 around it. So each pair is found
    once: two cells see each other from one side only, and of two grids only the finer looks. */
#include "detect/hash_grids.h"

#define BLOCK_CELLS 128u /* occupied cells of a block */
#define AHEAD 8u         /* cells between the one whose bodies are fetched and the one searched */

/* ---- windows: the cells of a grid that a box can reach ---- */

/*  Along each axis `count` cells from `first` on, over the edge of the block if need be, none
    twice. */
typedef struct window
{
    uint32_t first[3], count[3];
} window;

/*  The points of all bodies in the grid that can meet the box: false if there are none. A body
    reaches up from its lower corner, or both ways from its centre. Quotients are monotone under
    rounding, as is the difference, so no body's cell is missed; and `reach` is more than the
    bodies' sizes by more than a centre's rounding. */
static bool open_window(const scree_hash_grids *self, const scree_hash_grid *grid,
                        const scree_box *box, window *seen)
{
    double below = self->by_centre ? 0.5 * grid->reach : grid->reach;
    double above = self->by_centre ? below : 0;

    for (int k = 0; k < 3; k++) {
        double from = (box->lower[k] - below) * grid->inverse;
        double to = (box->upper[k] + above) * grid->inverse;
        /* cell coordinates are below 2^50; a box may be anywhere */
        if (!(from < 0x1p51) || !(to > -0x1p51))
            return false;
        int64_t first = scree_hash_floor(from > -0x1p51 ? from : -0x1p51);
        int64_t last = scree_hash_floor(to < 0x1p51 ? to : 0x1p51);
        int64_t cells = (int64_t)1 << grid->bits[k];
        seen->first[k] = (uint32_t)((uint64_t)first & ((uint64_t)cells - 1));
        seen->count[k] = (uint32_t)(last - first + 1 < cells ? last - first + 1 : cells);
    }
    return true;
}

static uint32_t window_part(const scree_hash_grid *grid, const window *seen, int axis,
                            uint32_t step)
{
    uint32_t mask = (1u << grid->bits[axis]) - 1;
    return scree_hash_part(grid, axis, (seen->first[axis] + step) & mask);
}

/* ---- pairs ---- */

static void pair_all(const uint32_t *ids, uint32_t count, scree_sink *sink)
{
    for (uint32_t a = 0; a < count && !sink->stopped; a++)
        for (uint32_t b = a + 1; b < count; b++)
            scree_sink_pair(sink, ids[a], ids[b]);
}

static void pair_lists(const uint32_t *first, uint32_t first_count, const uint32_t *second,
                       uint32_t second_count, scree_sink *sink)
{
    for (uint32_t a = 0; a < first_count && !sink->stopped; a++)
        for (uint32_t b = 0; b < second_count; b++)
            scree_sink_pair(sink, first[a], second[b]);
}

/*  A body of a finer grid with those of a coarser one. */
static void pair_across(const scree_hash_grids *self, const scree_hash_grid *grid,
                        const scree_box *box, uint32_t id, scree_sink *sink)
{
    window seen;
    /* coordinates that are in range in a finer grid are in range here */
    bool is_open = open_window(self, grid, box, &seen);
    if (SCREE_NEVER(!is_open))
        return;
    for (uint32_t z = 0; z < seen.count[2]; z++) {
        uint32_t at_z = window_part(grid, &seen, 2, z);
        for (uint32_t y = 0; y < seen.count[1]; y++) {
            uint32_t at_yz = at_z | window_part(grid, &seen, 1, y);
            for (uint32_t x = 0; x < seen.count[0]; x++) {
                uint32_t count, cell = at_yz | window_part(grid, &seen, 0, x);
                const uint32_t *ids = scree_hash_bodies(&self->pool, grid, cell, &count);
                pair_lists(&id, 1, ids, count, sink);
            }
        }
    }
}

static void search_cell(const scree_hash_grids *self, const scree_bodies *bodies, uint32_t rank,
                        uint32_t cell, scree_sink *sink)
{
    const scree_hash_grid *grid = &self->grid[self->order[rank]];
    uint32_t around[27], count, other_count;
    const uint32_t *ids = scree_hash_bodies(&self->pool, grid, cell, &count);
    int half = scree_hash_neighbors(grid, cell, around) / 2;

    pair_all(ids, count, sink);
    for (int k = 0; k < half; k++) {
        const uint32_t *others = scree_hash_bodies(&self->pool, grid, around[k], &other_count);
        pair_lists(ids, count, others, other_count, sink);
    }
    for (uint32_t r = rank + 1; r < self->order_count; r++) {
        const scree_hash_grid *coarse = &self->grid[self->order[r]];
        for (uint32_t a = 0; coarse->count && a < count && !sink->stopped; a++)
            pair_across(self, coarse, &bodies->box[ids[a]], ids[a], sink);
    }
}

/*  Ids of neighbours have nothing in common, so the bodies of a cell are spread over memory: they
    are called for before their turn comes. Only speed. */
static void fetch_cell(const scree_hash_grids *self, const scree_bodies *bodies,
                       const scree_hash_grid *grid, uint32_t cell)
{
#if defined(__GNUC__)
    uint32_t count;
    const uint32_t *ids = scree_hash_bodies(&self->pool, grid, cell, &count);
    for (uint32_t k = 0; k < count; k++) {
        __builtin_prefetch(&bodies->box[ids[k]].lower[0]);
        __builtin_prefetch(&bodies->box[ids[k]].upper[2]);
        if (bodies->sphere)
            __builtin_prefetch(bodies->sphere[ids[k]]);
    }
#endif
}

size_t scree_hash_block_count(const scree_hash_grids *self)
{
    size_t blocks = 0;
    if (!self->active)
        return 1;
    for (uint32_t rank = 0; rank < self->order_count; rank++)
        blocks += scree_block_count(self->grid[self->order[rank]].occupied_count, BLOCK_CELLS);
    return blocks;
}

void scree_hash_pairs(const scree_hash_grids *self, const scree_bodies *bodies, size_t block,
                      scree_sink *sink)
{
    if (!self->active) {
        pair_all(bodies->active, bodies->active_count, sink);
        return;
    }
    uint32_t rank = 0;
    const scree_hash_grid *grid = &self->grid[self->order[0]];
    for (size_t blocks; block >= (blocks = scree_block_count(grid->occupied_count, BLOCK_CELLS));
         grid = &self->grid[self->order[++rank]])
        block -= blocks;
    size_t end = scree_block_end(block, BLOCK_CELLS, grid->occupied_count);
    for (size_t c = block * BLOCK_CELLS; c < end && !sink->stopped; c++) {
        if (c + AHEAD < end)
            fetch_cell(self, bodies, grid, grid->occupied[c + AHEAD]);
        search_cell(self, bodies, rank, grid->occupied[c], sink);
    }
}

/* ---- queries ---- */

static void hit_list(const scree_bodies *bodies, const scree_probe *probe, const uint32_t *ids,
                     uint32_t count, scree_hit_sink *sink)
{
    for (uint32_t k = 0; k < count && !sink->stopped; k++)
        if (scree_probe_meets(probe, &bodies->box[ids[k]]))
            scree_sink_hit(sink, ids[k]);
}

static void query_window(const scree_hash_grids *self, const scree_hash_grid *grid,
                         const scree_bodies *bodies, const scree_probe *probe, const window *seen,
                         scree_hit_sink *sink)
{
    for (uint32_t z = 0; z < seen->count[2]; z++)
        for (uint32_t y = 0; y < seen->count[1]; y++)
            for (uint32_t x = 0; x < seen->count[0] && !sink->stopped; x++) {
                uint32_t count;
                const uint32_t *ids = scree_hash_bodies(&self->pool, grid,
                                                        window_part(grid, seen, 0, x) |
                                                            window_part(grid, seen, 1, y) |
                                                            window_part(grid, seen, 2, z),
                                                        &count);
                hit_list(bodies, probe, ids, count, sink);
            }
}

/*  A window of more cells than there are occupied ones is not looked through. */
static void query_grid(const scree_hash_grids *self, const scree_hash_grid *grid,
                       const scree_bodies *bodies, const scree_probe *probe, scree_hit_sink *sink)
{
    window seen;
    if (grid->count == 0 || !open_window(self, grid, &probe->box, &seen))
        return;
    if ((uint64_t)seen.count[0] * seen.count[1] * seen.count[2] < grid->occupied_count) {
        query_window(self, grid, bodies, probe, &seen, sink);
        return;
    }
    for (uint32_t c = 0; c < grid->occupied_count && !sink->stopped; c++) {
        uint32_t count;
        const uint32_t *ids = scree_hash_bodies(&self->pool, grid, grid->occupied[c], &count);
        hit_list(bodies, probe, ids, count, sink);
    }
}

void scree_hash_query(const scree_hash_grids *self, const scree_bodies *bodies,
                      const scree_probe *probe, scree_hit_sink *sink)
{
    if (!self->active)
        hit_list(bodies, probe, bodies->active, bodies->active_count, sink);
    for (uint32_t rank = 0; self->active && rank < self->order_count; rank++)
        query_grid(self, &self->grid[self->order[rank]], bodies, probe, sink);
}
