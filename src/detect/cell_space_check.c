/*  Inspection of a cell space: statistics of its refinement, and whether all its data agree with a recount. */
#include "detect/cell_space.h"

#include "base/error.h"

#define NONE SCREE_CELL_NONE

scree_cell_figures scree_cell_space_figures(const scree_cell_space *cs, const scree_bodies *bodies)
{
    const scree_space *root = &cs->space[0];
    scree_cell_figures figures = {.parents = root->cells,
                                  .len = root->len,
                                  .entries = cs->entries,
                                  .refined = cs->refined,
                                  .merged = cs->merged};
    uint64_t centroids = 0, mapped = 0;

    for (int k = 0; k < 3; k++)
        figures.count[k] = root->count[k];
    for (uint32_t s = 0; s < cs->space_count; s++) {
        if (cs->space[s].first == NONE)
            continue;
        figures.spaces++;
        if (cs->space[s].depth > figures.depth)
            figures.depth = cs->space[s].depth;
    }
    for (uint32_t c = 0; c < cs->cell_count; c++) {
        const scree_space_cell *cell = &cs->cell[c];
        if (cell->head == NONE || cell->child != NONE)
            continue;
        figures.leaves++;
        if (cell->centroids == 0)
            continue;
        figures.occupied++;
        centroids += cell->centroids;
        mapped += cell->mapped;
    }
    if (figures.occupied) {
        figures.mean_extents = (double)centroids / figures.occupied;
        figures.mean_mapped = (double)mapped / figures.occupied;
    }
    if (bodies->active_count)
        figures.cells_per_piece = (double)cs->entries / bodies->active_count;
    return figures;
}

/* ---- validity ---- */

struct check
{
    const scree_cell_space *cs;
    const scree_bodies *bodies;
    scree_error *error;
    uint64_t entries;
};

static bool fault(const struct check *check, const char *what, uint32_t cell, uint32_t id)
{
    (void)scree_fail(check->error, SCREE_BAD_VALUE, "cell space: %s (cell %u, piece %u)", what,
                     cell, id);
    return false;
}

/*  True if the chain of the piece has this node, and the node says this cell. */
static bool piece_lists(const struct check *check, uint32_t id, uint32_t node, uint32_t cell)
{
    const scree_cell_space *cs = check->cs;
    uint32_t n = cs->piece[id].first;

    while (n != NONE && n != node)
        n = cs->link[n].next;
    return n == node && cs->link[n].cell == cell;
}

/*  A leaf: its list ascends, names active bodies that reach it, and they name it. */
static bool leaf_is_valid(struct check *check, uint32_t c)
{
    const scree_cell_space *cs = check->cs;
    const scree_space_cell *cell = &cs->cell[c];
    uint32_t count = 0, n = scree_lazy_next(&cs->lists, cell->head), before = NONE;

    for (; n != NONE; n = scree_lazy_next(&cs->lists, n), count++) {
        uint32_t id = cs->lists.node[n].key;
        if (cs->lists.node[n].state != 0)
            return fault(check, "a node is locked or marked", c, id);
        if (before != NONE && before >= id)
            return fault(check, "a list does not ascend", c, id);
        if (id >= check->bodies->bound || check->bodies->position[id] == SCREE_NOT_ACTIVE)
            return fault(check, "a list names a body that is not active", c, id);
        if (!piece_lists(check, id, n, c))
            return fault(check, "a cell lists a piece that does not list it", c, id);
        scree_reach reach = scree_cell_reach(check->bodies, id);
        if (!scree_cell_is_reached(cell, &reach))
            return fault(check, "a piece does not reach a cell that lists it", c, id);
        before = id;
    }
    check->entries += count;
    if (count != cell->mapped)
        return fault(check, "mapped is not the length of the list", c, count);
    if (cell->child != NONE && count)
        return fault(check, "a refined cell has pieces", c, count);
    return true;
}

/*  Leaves that the piece reaches, and the one that contains its centre, found among all leaves. */
static bool piece_is_valid(struct check *check, uint32_t id)
{
    const scree_cell_space *cs = check->cs;
    const scree_piece *piece = &cs->piece[id];
    scree_reach reach = scree_cell_reach(check->bodies, id);
    uint32_t reached = 0, listed = 0, home = NONE;

    for (uint32_t c = 0; c < cs->cell_count; c++) {
        const scree_space_cell *cell = &cs->cell[c];
        if (cell->head == NONE || cell->child != NONE)
            continue;
        reached += scree_cell_is_reached(cell, &reach);
        if (!scree_cell_holds(cell, reach.middle))
            continue;
        if (home != NONE)
            return fault(check, "two leaves hold one point", c, id);
        home = c;
    }
    for (uint32_t n = piece->first; n != NONE; n = cs->link[n].next)
        listed++;
    if (reached != listed)
        return fault(check, "a piece is not in all the leaves that it reaches", listed, id);
    if (home == NONE || home != piece->home)
        return fault(check, "the home is not the leaf that holds the centre", piece->home, id);
    if (piece->size != scree_cell_size(cs, check->bodies, id, &cs->space[cs->cell[home].space]))
        return fault(check, "the size is another", home, id);
    if (piece->outside != scree_cell_space_is_outside(cs, reach.middle))
        return fault(check, "the piece is not on that side of the domain", home, id);
    return true;
}

/*  The centroids and extents of a cell, from the pieces: every piece counts in its home, and in the
    cells around it. */
static bool sums_are_valid(const struct check *check, uint32_t c)
{
    const scree_cell_space *cs = check->cs;
    uint64_t centroids = 0, extents = 0;

    for (uint32_t p = 0; p < check->bodies->active_count; p++) {
        const scree_piece *piece = &cs->piece[check->bodies->active[p]];
        uint32_t home = piece->home, size = piece->size;
        while (home != NONE && home != c) {
            const scree_space *space = &cs->space[cs->cell[home].space];
            size /= space->cells;
            home = space->parent;
        }
        centroids += home == c;
        extents += home == c ? size : 0;
    }
    if (centroids != cs->cell[c].centroids)
        return fault(check, "counting the centroids again gives another number", c,
                     (uint32_t)centroids);
    if (extents != cs->cell[c].extents)
        return fault(check, "counting the extents again gives another sum", c, (uint32_t)extents);
    return true;
}

static bool spaces_are_valid(const struct check *check)
{
    const scree_cell_space *cs = check->cs;
    uint32_t cells = 0;

    for (uint32_t s = 0; s < cs->space_count; s++) {
        const scree_space *space = &cs->space[s];
        if (space->first == NONE)
            continue;
        cells += space->cells;
        if (s > 0 && cs->cell[space->parent].child != s)
            return fault(check, "a space is not the child of its cell", space->parent, s);
    }
    if (cells + cs->dead_cells != cs->cell_count)
        return fault(check, "cells are lost", cells, cs->dead_cells);
    return true;
}

bool scree_cell_space_is_valid(const scree_cell_space *cs, const scree_bodies *bodies,
                               scree_error *error)
{
    struct check check = {.cs = cs, .bodies = bodies, .error = error};
    uint32_t outside = 0;

    if (!spaces_are_valid(&check))
        return false;
    for (uint32_t c = 0; c < cs->cell_count; c++)
        if (cs->cell[c].head != NONE && (!leaf_is_valid(&check, c) || !sums_are_valid(&check, c)))
            return false;
    if (check.entries != cs->entries)
        return fault(&check, "entries are miscounted", NONE, (uint32_t)check.entries);
    for (uint32_t p = 0; p < bodies->active_count; p++) {
        if (!piece_is_valid(&check, bodies->active[p]))
            return false;
        outside += cs->piece[bodies->active[p]].outside;
    }
    return outside == cs->outside || fault(&check, "outside is miscounted", NONE, outside);
}
