/*  Pieces in cells, changed wholesale: building, refining and merging. All three put an ascending
    run of ids into a cell: either the cell is split and its children get a run each, or the ids
    become its list, node after node, so that the nodes of a list lie side by side. Nothing here
    runs at the same time as anything else, and what it does depends on sets alone. */
#include "detect/cell_space.h"

#include <math.h>
#include <string.h>

#define NONE SCREE_CELL_NONE
/*  Refining may multiply the entries of a cell by this. Pieces of one kind stay below it at every
    allowed factor, for with 20 extents or more in a cell it is 3.2 in the limit of many children;
    but a child that larger pieces overlap whole has them all, and then refining gains nothing. */
#define MAX_SPREAD 4

/* ---- sizes and homes ---- */

uint32_t scree_cell_size(const scree_cell_space *cs, const scree_bodies *bodies, uint32_t id,
                         const scree_space *space)
{
    const scree_box *box = &bodies->box[id];
    double size = SCREE_CELL_VOLUME;

    for (int k = 0; k < cs->dimensions; k++) {
        /* not the width of a sphere's box, which changes as it is rounded */
        double width = bodies->sphere ? 2 * bodies->sphere[id][3] : box->upper[k] - box->lower[k];
        /* a slab that is wide on one axis and thin on another: no factor may swallow the rest */
        size *= fmin(width / space->len, 0x1p32);
    }
    return size < 0x1p32 - 1 ? (uint32_t)size : UINT32_MAX;
}

bool scree_cell_space_is_outside(const scree_cell_space *cs, const double point[3])
{
    bool inside = true;

    for (int k = 0; k < cs->dimensions; k++)
        inside &= (cs->domain.lower[k] <= point[k]) & (point[k] <= cs->domain.upper[k]);
    return !inside;
}

/*  The same integers are added and, later, subtracted: a size in units of a cell, divided by the
    number of cells of its space, is one in units of the cell around it. */
static void count_centre(scree_cell_space *cs, uint32_t cell, uint32_t size, bool add)
{
    while (cell != NONE) {
        scree_space_cell *c = &cs->cell[cell];
        const scree_space *space = &cs->space[c->space];
        uint32_t one = add ? 1u : UINT32_MAX;
        uint64_t extent = add ? size : 0 - (uint64_t)size;
        atomic_fetch_add_explicit(&c->centroids, one, memory_order_relaxed);
        atomic_fetch_add_explicit(&c->extents, extent, memory_order_relaxed);
        size /= space->cells;
        cell = space->parent;
    }
}

void scree_cell_space_house(scree_cell_space *cs, uint32_t id, uint32_t home, uint32_t size)
{
    scree_piece *piece = &cs->piece[id];

    count_centre(cs, piece->home, piece->size, false);
    piece->home = home;
    piece->size = size;
    count_centre(cs, home, size, true);
}

/* ---- the cells of a piece ---- */

void scree_cell_space_link(scree_cell_space *cs, uint32_t id, uint32_t node, uint32_t cell)
{
    scree_piece *piece = &cs->piece[id];

    cs->link[node] = (scree_piece_link){cell, piece->first, NONE};
    if (piece->first != NONE)
        cs->link[piece->first].prev = node;
    piece->first = node;
}

void scree_cell_space_unlink(scree_cell_space *cs, uint32_t id, uint32_t node)
{
    const scree_piece_link *link = &cs->link[node];

    if (link->prev == NONE)
        cs->piece[id].first = link->next;
    else
        cs->link[link->prev].next = link->next;
    if (link->next != NONE)
        cs->link[link->next].prev = link->prev;
}

/* ---- when to refine and to merge ---- */

/*  extents fit in a cell: its volume over their mean. */
static double fit(uint64_t centroids, uint64_t extents)
{
    return (double)centroids * SCREE_CELL_VOLUME / (double)extents; /* of points: infinite */
}

bool scree_cell_space_wants_split(const scree_cell_space *cs, uint32_t cell, uint64_t centroids,
                                  uint64_t extents)
{
    const scree_space *space = &cs->space[cs->cell[cell].space];

    return centroids > cs->def.target && fit(centroids, extents) > cs->def.factor &&
           space->depth < cs->def.depth && space->len >= 2 * cs->min_len;
}

bool scree_cell_space_wants_merge(const scree_cell_space *cs, uint32_t cell)
{
    uint64_t centroids = atomic_load_explicit(&cs->cell[cell].centroids, memory_order_relaxed);
    uint64_t extents = atomic_load_explicit(&cs->cell[cell].extents, memory_order_relaxed);

    return cs->cell[cell].child != NONE && (centroids == 0 || centroids < cs->def.merge_below ||
                                            fit(centroids, extents) <= 0.5 * cs->def.factor);
}

/*  Children per axis, m, so that m^d children have about `target` extents each: of two m, that
    whose children are nearer to it in ratio. (Always rounding up would leave 3 in a child just
    above 80 in the cell.) The number wanted falls between m^d and (m+1)^d at the root of their
    product. But where children would be refined again at once, one more is better. */
static uint32_t choose_children(const scree_cell_space *cs, uint32_t cell, uint64_t centroids,
                                uint64_t extents)
{
    double count = (double)centroids, fits = fit(centroids, extents);
    double wanted = fmin(count, fits) / cs->def.target;
    double len = cs->space[cs->cell[cell].space].len;
    uint32_t m = 2;

    for (; m < cs->def.max_children && len / (m + 1) >= cs->min_len; m++) {
        double children = (double)m * m * (cs->dimensions == 2 ? 1 : m);
        double next = (m + 1.0) * (m + 1.0) * (cs->dimensions == 2 ? 1 : m + 1.0);
        /* only speed: any number of children is right */
        bool again = count > children * cs->def.target && fits > children * cs->def.factor;
        if (children * next >= wanted * wanted && !again)
            break;
    }
    return m;
}

/* ---- filling ---- */

static scree_status push_task(scree_cell_space *cs, scree_memory *memory, uint32_t cell,
                              size_t begin, size_t count)
{
    scree_status status = scree_memory_reserve(memory, &cs->task, &cs->task_capacity,
                                               cs->task_count + 1, sizeof *cs->task);
    if (!status)
        cs->task[cs->task_count++] = (scree_fill_task){cell, begin, count};
    return status;
}

/*  Visits every cell of `space` that piece `id` reaches. With cursors, writes the id at each cell's cursor;
    otherwise counts it in `mapped`. Returns the number of cells. */
static size_t visit_cells(scree_cell_space *cs, const scree_bodies *bodies,
                          const scree_space *space, uint32_t id, uint32_t *cursor)
{
    scree_reach reach = scree_cell_reach(bodies, id);
    scree_cell_range range = scree_space_range(space, &reach.box);
    bool one = scree_cell_range_is_one(&range);
    uint32_t at[3];
    size_t visited = 0;

    for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++)
        for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++)
            for (at[0] = range.first[0]; at[0] <= range.last[0]; at[0]++) {
                uint32_t c = scree_space_cell_at(space, at);
                if (!one && !scree_cell_is_reached(&cs->cell[c], &reach))
                    continue;
                visited++;
                if (cursor)
                    cs->ids[cursor[c - space->first]++] = id;
                else
                    atomic_store_explicit(&cs->cell[c].mapped, cs->cell[c].mapped + 1,
                                          memory_order_relaxed);
            }
    return visited;
}

/*  Counts the run of every cell, after those in cs->ids that end at `top`. `given`: where the ids
    to distribute are, copied there or read from the active bodies. A task for each cell. */
static scree_status distribute(scree_cell_space *cs, const scree_method_env *env,
                               const scree_bodies *bodies, uint32_t index, size_t given,
                               size_t count, size_t entries, size_t top)
{
    const scree_space *space = &cs->space[index];
    scree_status status = scree_memory_reserve(env->memory, &cs->ids, &cs->ids_capacity,
                                               top + entries, sizeof *cs->ids);
    if (!status)
        status = scree_memory_reserve(env->memory, &cs->tail, &cs->tail_capacity, space->cells,
                                      sizeof *cs->tail);
    if (status)
        return status;
    if (top + entries > UINT32_MAX)
        return SCREE_TOO_LARGE;
    for (uint32_t c = 0; c < space->cells && !status; c++) {
        scree_space_cell *cell = &cs->cell[space->first + c];
        cs->tail[c] = (uint32_t)top;
        if (cell->mapped)
            status = push_task(cs, env->memory, space->first + c, top, cell->mapped);
        top += cell->mapped;
        cell->mapped = 0;
    }
    for (size_t k = 0; k < count && !status; k++)
        (void)visit_cells(cs, bodies, space, cs->ids[given + k], cs->tail);
    return status;
}

/*  Splits a cell and gives its run to the children; *done is false if that does not pay. */
static scree_status try_split(scree_cell_space *cs, const scree_method_env *env,
                              const scree_bodies *bodies, scree_fill_task task, uint32_t m,
                              bool *done)
{
    uint32_t index;
    size_t entries = 0;
    scree_status status = scree_cell_space_split(cs, env->memory, task.cell, m, &index);

    *done = false;
    if (status)
        return status;
    for (size_t k = 0; k < task.count && entries <= MAX_SPREAD * task.count; k++)
        entries += visit_cells(cs, bodies, &cs->space[index], cs->ids[task.begin + k], NULL);
    if (entries > MAX_SPREAD * task.count) {
        scree_cell_space_unsplit(cs, index);
        cs->cell[task.cell].refused = (uint32_t)task.count;
        return SCREE_OK;
    }
    *done = true;
    cs->refined++;
    return distribute(cs, env, bodies, index, task.begin, task.count, entries,
                      task.begin + task.count);
}

/*  The run becomes the list of a leaf. */
static scree_status write_list(scree_cell_space *cs, const scree_method_env *env,
                               const scree_bodies *bodies, scree_fill_task task)
{
    scree_status status = scree_lazy_reserve(&cs->lists, env->memory, task.count);
    scree_space_cell *cell = &cs->cell[task.cell];
    uint32_t last = cell->head;

    if (!status)
        status = scree_memory_reserve(env->memory, &cs->link, &cs->link_capacity,
                                      cs->lists.capacity, sizeof *cs->link);
    if (status)
        return status;
    for (size_t k = 0; k < task.count; k++) {
        uint32_t id = cs->ids[task.begin + k], node = scree_lazy_take(&cs->lists);
        scree_reach reach = scree_cell_reach(bodies, id);
        scree_lazy_append(&cs->lists, last, id, node);
        last = node;
        scree_cell_space_link(cs, id, node, task.cell);
        if (scree_cell_holds(cell, reach.middle)) {
            bool outside = scree_cell_space_is_outside(cs, reach.middle);
            cs->outside += outside - cs->piece[id].outside;
            cs->piece[id].outside = outside;
            scree_cell_space_house(cs, id, task.cell,
                                   scree_cell_size(cs, bodies, id, &cs->space[cell->space]));
        }
    }
    cell->mapped = (uint32_t)task.count;
    cs->entries += task.count;
    return SCREE_OK;
}

/*  Sums over the pieces of a run whose centre is in the cell. */
static void survey(const scree_cell_space *cs, const scree_bodies *bodies, scree_fill_task task,
                   uint64_t *centroids, uint64_t *extents)
{
    const scree_space_cell *cell = &cs->cell[task.cell];

    *centroids = *extents = 0;
    for (size_t k = 0; k < task.count; k++) {
        uint32_t id = cs->ids[task.begin + k];
        scree_reach reach = scree_cell_reach(bodies, id);
        if (scree_cell_holds(cell, reach.middle)) {
            *centroids += 1;
            *extents += scree_cell_size(cs, bodies, id, &cs->space[cell->space]);
        }
    }
}

/*  Processes the tasks, the last one first: its run is the topmost in cs->ids, so those of its children follow
    directly. */
static scree_status fill(scree_cell_space *cs, const scree_method_env *env,
                         const scree_bodies *bodies)
{
    scree_status status = SCREE_OK;

    while (cs->task_count && !status) {
        scree_fill_task task = cs->task[--cs->task_count];
        uint64_t centroids, extents;
        bool done = false;
        cs->cell[task.cell].refused = 0;
        survey(cs, bodies, task, &centroids, &extents);
        if (scree_cell_space_wants_split(cs, task.cell, centroids, extents))
            status = try_split(cs, env, bodies, task,
                               choose_children(cs, task.cell, centroids, extents), &done);
        if (!status && !done)
            status = write_list(cs, env, bodies, task);
    }
    return status;
}

static scree_status fill_cell(scree_cell_space *cs, const scree_method_env *env,
                              const scree_bodies *bodies, uint32_t cell, size_t count)
{
    scree_status status;

    cs->task_count = 0;
    status = push_task(cs, env->memory, cell, 0, count);
    return status ? status : fill(cs, env, bodies);
}

/* ---- building ---- */

/*  The ids of all active bodies at the bottom of cs->ids, ascending. */
static scree_status list_bodies(scree_cell_space *cs, const scree_method_env *env,
                                const scree_bodies *bodies)
{
    uint32_t count = bodies->active_count;
    scree_status status =
        scree_memory_reserve(env->memory, &cs->ids, &cs->ids_capacity, count, sizeof *cs->ids);
    bool sorted = true;

    if (!status)
        status = scree_memory_reserve(env->memory, &cs->piece, &cs->piece_capacity, bodies->bound,
                                      sizeof *cs->piece);
    if (status)
        return status;
    for (uint32_t p = 0; p < count; p++) {
        cs->ids[p] = bodies->active[p];
        sorted &= p == 0 || cs->ids[p - 1] < cs->ids[p];
    }
    for (uint32_t id = 0; id < bodies->bound; id++)
        cs->piece[id] = (scree_piece){NONE, NONE, 0, false};
    cs->piece_bound = bodies->bound;
    return sorted ? SCREE_OK
                  : scree_sort_u32(&cs->merging, env->memory, env->workers, cs->ids, NULL, count);
}

scree_status scree_cell_space_build(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies)
{
    size_t count = bodies->active_count, entries = 0;
    scree_status status = scree_cell_space_lay(cs, env, bodies);

    if (!status)
        status = list_bodies(cs, env, bodies);
    if (status)
        return status;
    cs->entries = 0;
    cs->outside = cs->cursor = 0;
    cs->task_count = 0;
    for (size_t p = 0; p < count; p++)
        entries += visit_cells(cs, bodies, &cs->space[0], cs->ids[p], NULL);
    status = distribute(cs, env, bodies, 0, 0, count, entries, count);
    if (!status)
        status = fill(cs, env, bodies);
    cs->remapped += count;
    cs->built_entries = cs->entries;
    cs->built_active = bodies->active_count;
    cs->built_outside = cs->outside;
    return status;
}

/* ---- refining and merging ---- */

/*  Takes the pieces out of a leaf, onto the end of cs->ids. */
static scree_status empty_list(scree_cell_space *cs, const scree_method_env *env, uint32_t cell,
                               size_t *count)
{
    scree_space_cell *c = &cs->cell[cell];
    scree_status status = scree_memory_reserve(env->memory, &cs->ids, &cs->ids_capacity,
                                               *count + c->mapped, sizeof *cs->ids);
    uint32_t node = scree_lazy_next(&cs->lists, c->head), next;

    if (status)
        return status;
    for (; node != NONE; node = next) {
        uint32_t id = cs->lists.node[node].key;
        next = scree_lazy_next(&cs->lists, node);
        cs->ids[(*count)++] = id;
        scree_cell_space_unlink(cs, id, node);
        scree_lazy_give(&cs->lists, node);
        if (cs->piece[id].home == cell)
            scree_cell_space_house(cs, id, NONE, 0);
    }
    cs->entries -= c->mapped;
    c->mapped = 0;
    atomic_store_explicit(&cs->lists.node[c->head].next, NONE, memory_order_relaxed);
    return SCREE_OK;
}

scree_status scree_cell_space_refine(scree_cell_space *cs, const scree_method_env *env,
                                     const scree_bodies *bodies, uint32_t cell)
{
    size_t count = 0;
    scree_status status = empty_list(cs, env, cell, &count);

    return status ? status : fill_cell(cs, env, bodies, cell, count);
}

/*  Empties and deletes all spaces below a cell: the deepest first, as each is found again under the
    cell until it has no spaces in it. */
static scree_status empty_spaces(scree_cell_space *cs, const scree_method_env *env, uint32_t cell,
                                 size_t *count)
{
    uint32_t top = cell, index = cs->cell[cell].child, c = cs->space[index].first;
    scree_status status = SCREE_OK;

    while (!status && cs->cell[top].child != NONE) {
        const scree_space *space = &cs->space[index];
        if (c == space->first + space->cells) {
            uint32_t parent = space->parent;
            scree_cell_space_unsplit(cs, index);
            index = cs->cell[parent].space;
            c = parent + 1;
        } else if (cs->cell[c].child != NONE) {
            index = cs->cell[c].child;
            c = cs->space[index].first;
        } else {
            status = empty_list(cs, env, c++, count);
        }
    }
    return status;
}

scree_status scree_cell_space_merge(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies, uint32_t cell)
{
    size_t count = 0, unique = 0;
    scree_status status = empty_spaces(cs, env, cell, &count);

    if (!status)
        status = scree_sort_u32(&cs->merging, env->memory, env->workers, cs->ids, NULL, count);
    if (status)
        return status;
    for (size_t k = 0; k < count; k++)
        if (k == 0 || cs->ids[k] != cs->ids[k - 1])
            cs->ids[unique++] = cs->ids[k];
    cs->merged++;
    return fill_cell(cs, env, bodies, cell, unique);
}
