/*  What the grids look like: their cells as they lie in space, not as they are folded onto the block. */
#include "detect/hash_grids.h"

#include <string.h>

/*  Cells shown of one grid along an axis, from the lowest; what lies beyond is shown in the last of them. */
#define MAX_CELLS (1u << 21)

/*  Bodies of a grid, one after the other, with what `keep` does to them. */
typedef struct hash_walk
{
    const scree_hash_grids *self;
    const scree_hash_grid *grid;
    const scree_bodies *bodies;
    int64_t lowest[3];
    scree_lattice lattice;
    scree_outline_entries entries;
} hash_walk;

static void lower_to(hash_walk *walk, uint32_t id)
{
    for (int k = 0; k < walk->self->dimensions; k++) {
        int64_t at = scree_hash_unfolded(walk->self, walk->grid, &walk->bodies->box[id], k);
        walk->lowest[k] = at < walk->lowest[k] ? at : walk->lowest[k];
    }
}

static void enter_body(hash_walk *walk, uint32_t id)
{
    uint32_t at[3] = {0, 0, 0};

    for (int k = 0; k < walk->self->dimensions; k++) {
        int64_t steps = scree_hash_unfolded(walk->self, walk->grid, &walk->bodies->box[id], k) -
                        walk->lowest[k];
        at[k] = steps < MAX_CELLS ? (uint32_t)steps : MAX_CELLS - 1;
    }
    scree_outline_enter(&walk->entries, scree_outline_key(&walk->lattice, at), id);
}

static void walk_bodies(hash_walk *walk, void (*meet)(hash_walk *walk, uint32_t id))
{
    for (uint32_t i = 0; i < walk->grid->occupied_count; i++) {
        uint32_t count;
        const uint32_t *ids =
            scree_hash_bodies(&walk->self->pool, walk->grid, walk->grid->occupied[i], &count);
        for (uint32_t k = 0; k < count; k++)
            meet(walk, ids[k]);
    }
}

static void lay_cells(hash_walk *walk)
{
    for (int k = 0; k < 3; k++) {
        bool is_used = k < walk->self->dimensions;
        walk->lattice.cell[k] = walk->grid->cell;
        walk->lattice.origin[k] = is_used ? (double)walk->lowest[k] * walk->grid->cell : 0;
        walk->lattice.count[k] = is_used ? MAX_CELLS : 1;
    }
}

void scree_hash_outline(const scree_hash_grids *self, const scree_bodies *bodies,
                        scree_scratch *scratch, scree_outline_sink *sink)
{
    hash_walk walk = {.self = self, .bodies = bodies};

    if (!self->active || !scree_outline_take(scratch, bodies->active_count, &walk.entries))
        return;
    for (uint32_t i = 0; i < self->order_count; i++) {
        walk.grid = &self->grid[self->order[i]];
        walk.entries.count = 0;
        for (int k = 0; k < 3; k++)
            walk.lowest[k] = INT64_MAX;
        walk_bodies(&walk, lower_to);
        lay_cells(&walk);
        walk_bodies(&walk, enter_body);
        scree_outline_cells(sink, &walk.lattice, &walk.entries, self->order_count - 1 - i);
    }
}
