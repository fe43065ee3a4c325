/*  cell-space: the method. A search goes through the leaf cells, takes the pieces of each out of
    its list into columns, and sweeps these, along one axis where they are many; queries go down from the parent cells that their window
    overlaps. What cells are is said in cell_space.h; where they lie, how they are filled and how
    pieces move are three files of their own.

    ONCE, FOR PAIRS. Two pieces may share many leaves; each point of space is in exactly one. A pair
    is reported in the leaf that holds a point of the pair that depends on nothing but the two, so
    in one leaf at most; and that leaf lists both:
    - Boxes: the component-wise maximum of the lower corners. It lies in both boxes if they overlap,
      by comparisons of the same numbers, and a box is listed by every leaf that holds a point of
      it.
    - Spheres: a point q between the centres, in proportion to the radii, from the smaller one (of
      equal ones, from the smaller id). A leaf may hold the corner of both boxes and list neither
      sphere, for the conformal check is stricter than the boxes; but q lies in both spheres up to
      rounding, rounding is covered by the slack (cell_space_layout.c), and a sphere with its slack
      is listed by every leaf that holds a point of it.

    ONCE, FOR QUERIES. A piece is handed over in the first leaf of its own list that the query looks
    into: no geometry of the piece is in this rule. The window has a slack, so that what only the
    rounding of a query's test would hit is not lost. */
#include "detect/cell_space.h"
#include "detect/axis_sort.h"

#include <math.h>
#include <string.h>

#define NONE SCREE_CELL_NONE
#define BLOCK_CELLS 512u
#define MAX_COLUMNS 6
/*  Of a leaf with so many pieces the search goes along one axis; with fewer it costs no more to test all pairs. */
#define MANY_PIECES 128u

/* ---- creation ---- */

static scree_status check_domain(scree_cell_space *cs, const scree_method_env *env)
{
    const scree_cell_space_def *def = &cs->def;

    for (int k = 0; k < env->def->dimensions; k++) {
        double low = def->lower[k], high = def->upper[k];
        if (!(fabs(low) <= SCREE_MAX_COORDINATE) || !(fabs(high) <= SCREE_MAX_COORDINATE) ||
            low > high)
            return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                              "detector def: cell_space.lower[%d] is %g and upper[%d] is %g, must "
                              "be lower <= upper and at most %g in magnitude",
                              k, low, k, high, SCREE_MAX_COORDINATE);
        cs->is_given |= low != 0 || high != 0;
    }
    return SCREE_OK;
}

static scree_status check_number(const scree_method_env *env, const char *name, uint32_t value,
                                 uint32_t least, uint32_t most)
{
    if (value >= least && value <= most)
        return SCREE_OK;
    return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                      "detector def: cell_space.%s is %u, must be %u to %u", name, value, least,
                      most);
}

static scree_status cell_space_create(void *state, const scree_method_env *env)
{
    scree_cell_space *cs = state;
    const scree_cell_space_def *def = &env->def->cell_space;

    cs->def = *def;
    cs->dimensions = env->def->dimensions;
    cs->sweep = scree_sweep_choose(env->def->volume, env->def->simd);
    scree_lazy_clear(&cs->lists);
    if (check_domain(cs, env) || check_number(env, "cells", def->cells, 0, 1u << 24) ||
        check_number(env, "target", def->target, 1, 1000) ||
        check_number(env, "merge_below", def->merge_below, 0, def->target) ||
        check_number(env, "max_children", def->max_children, 2, 64) ||
        check_number(env, "depth", def->depth, 0, 16))
        return SCREE_BAD_ARGUMENT;
    if (!(def->factor >= 2 && def->factor <= 1000))
        return scree_fail(env->error, SCREE_BAD_ARGUMENT,
                          "detector def: cell_space.factor is %g, must be 2 to 1000", def->factor);
    return SCREE_OK;
}

static void cell_space_destroy(void *state, const scree_method_env *env)
{
    scree_cell_space *cs = state;
    scree_memory *memory = env->memory;

    for (size_t w = 0; w < cs->remapper_count; w++) {
        scree_remapper *worker = &cs->remapper[w];
        scree_memory_give(memory, &worker->edit, worker->edit_capacity, sizeof *worker->edit);
        scree_memory_give(memory, &worker->found, worker->found_capacity, sizeof *worker->found);
        scree_memory_give(memory, &worker->mark, worker->mark_capacity, sizeof *worker->mark);
    }
    scree_memory_give(memory, &cs->remapper, cs->remapper_count, sizeof *cs->remapper);
    scree_memory_give(memory, &cs->segment, cs->segment_capacity, sizeof *cs->segment);
    scree_memory_give(memory, &cs->cell, cs->cell_capacity, sizeof *cs->cell);
    scree_memory_give(memory, &cs->space, cs->space_capacity, sizeof *cs->space);
    scree_memory_give(memory, &cs->piece, cs->piece_capacity, sizeof *cs->piece);
    scree_memory_give(memory, &cs->link, cs->link_capacity, sizeof *cs->link);
    scree_memory_give(memory, &cs->ids, cs->ids_capacity, sizeof *cs->ids);
    scree_memory_give(memory, &cs->tail, cs->tail_capacity, sizeof *cs->tail);
    scree_memory_give(memory, &cs->task, cs->task_capacity, sizeof *cs->task);
    scree_sorter_free(&cs->merging, memory);
    scree_lazy_free(&cs->lists, memory);
}

/* ---- changes ---- */

static scree_status cell_space_build(void *state, const scree_method_env *env,
                                     const scree_bodies *bodies)
{
    return scree_cell_space_build(state, env, bodies);
}

static scree_status cell_space_update(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    return scree_cell_space_remap(state, env, bodies, ids, ids ? count : bodies->active_count,
                                  false, true);
}

static scree_status cell_space_insert(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    return scree_cell_space_remap(state, env, bodies, ids, count, false, false);
}

static scree_status cell_space_remove(void *state, const scree_method_env *env,
                                      const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    return scree_cell_space_remap(state, env, bodies, ids, count, true, false);
}

/* ---- pairs ---- */

/*  The pieces of one leaf: rows of ids, and of columns x y z r, or lower and upper of each axis. Rows ascend by id; where
    there are many, by their lower ends on `axis`, and key[row] is the key of that end. */
struct leaf_search
{
    const scree_cell_space *cs;
    const scree_bodies *bodies;
    scree_sink *sink;
    double *column[MAX_COLUMNS];
    uint32_t *ids, *hits;
    uint64_t *key;
    int axis;
};

static bool make_columns(struct leaf_search *search, size_t pieces, scree_scratch *scratch)
{
    size_t padded = pieces + SCREE_SWEEP_PADDING;
    int columns = search->bodies->sphere ? 4 : 6;

    search->ids = scree_scratch_take(scratch, padded, sizeof *search->ids);
    search->hits = scree_scratch_take(scratch, padded, sizeof *search->hits);
    search->key = scree_scratch_take(scratch, padded, sizeof *search->key);
    for (int k = 0; k < columns; k++) {
        search->column[k] = scree_scratch_take(scratch, padded, sizeof **search->column);
        if (!search->column[k])
            return false;
        memset(search->column[k], 0, padded * sizeof **search->column);
    }
    return search->ids && search->hits && search->key;
}

static size_t list_pieces(struct leaf_search *search, const scree_space_cell *cell)
{
    const scree_lazy_arena *lists = &search->cs->lists;
    size_t count = 0;

    for (uint32_t n = scree_lazy_next(lists, cell->head); n != NONE; n = scree_lazy_next(lists, n))
        search->ids[count++] = lists->node[n].key;
    return count;
}

/*  Sorts by lower ends along the axis with the smallest coverage. So parallel needles, which reach through so many
    cells that refining does not pay, are not all tested against each other. */
static void sort_pieces(struct leaf_search *search, size_t count)
{
    const scree_bodies *bodies = search->bodies;
    double least = INFINITY;

    search->axis = 0;
    for (int k = 0; k < bodies->dimensions; k++) {
        double share = scree_axis_share(bodies->box, search->ids, count, k);
        search->axis = share < least ? k : search->axis;
        least = fmin(share, least);
    }
    for (size_t i = 0; i < count; i++)
        search->key[i] = scree_end_key(bodies->box, search->axis, search->ids[i]);
    scree_axis_quick_sort(search->key, search->ids, count);
}

static void gather(struct leaf_search *search, size_t count)
{
    const scree_bodies *bodies = search->bodies;

    for (size_t i = 0; i < count; i++) {
        uint32_t id = search->ids[i];
        for (int k = 0; k < 4 && bodies->sphere; k++)
            search->column[k][i] = bodies->sphere[id][k];
        for (int k = 0; k < 3 && !bodies->sphere; k++) {
            search->column[k][i] = bodies->box[id].lower[k];
            search->column[k + 3][i] = bodies->box[id].upper[k];
        }
    }
}

/*  The point that decides in which leaf a pair is reported: see ONCE. */
static void pair_point(const struct leaf_search *search, size_t i, size_t j, double point[3])
{
    double *const *column = search->column;

    if (!search->bodies->sphere) {
        for (int k = 0; k < 3; k++)
            point[k] = fmax(column[k][i], column[k][j]);
        return;
    }
    bool is_j = column[3][j] < column[3][i] ||
                (column[3][j] <= column[3][i] && search->ids[j] < search->ids[i]);
    size_t a = is_j ? j : i, b = is_j ? i : j;
    double reach = column[3][a] + column[3][b];
    double t = reach > 0 ? column[3][a] / reach : 0;
    for (int k = 0; k < 3; k++)
        point[k] = column[k][a] + (column[k][b] - column[k][a]) * t;
}

/*  Boxes of spheres that overlap do so as well, so where rows are sorted none is lost that begins after row i ends. */
static size_t last_row(const struct leaf_search *search, size_t i, size_t count)
{
    uint32_t upper = search->ids[i] | SCREE_UPPER_END;

    return scree_axis_count_up_to(search->key, count,
                                  scree_end_key(search->bodies->box, search->axis, upper));
}

static void search_leaf(struct leaf_search *search, const scree_space_cell *cell)
{
    size_t count = list_pieces(search, cell);
    bool is_sorted = count >= MANY_PIECES;
    double point[3];

    if (is_sorted)
        sort_pieces(search, count);
    gather(search, count);
    for (size_t i = 0; i + 1 < count && !search->sink->stopped; i++) {
        size_t end = is_sorted ? last_row(search, i, count) : count;
        size_t hits = search->cs->sweep(search->column, i, i + 1, end, search->hits);
        for (size_t h = 0; h < hits; h++) {
            pair_point(search, i, search->hits[h], point);
            if (scree_cell_holds(cell, point))
                scree_sink_pair(search->sink, search->ids[i], search->ids[search->hits[h]]);
        }
    }
}

static size_t cell_space_block_count(const void *state, const scree_bodies *bodies)
{
    const scree_cell_space *cs = state;

    (void)bodies;
    return scree_block_count(cs->cell_count, BLOCK_CELLS);
}

static void cell_space_pairs(const void *state, const scree_bodies *bodies, size_t block,
                             scree_scratch *scratch, scree_sink *sink)
{
    const scree_cell_space *cs = state;
    size_t begin = block * BLOCK_CELLS, most = 0;
    size_t end = scree_block_end(block, BLOCK_CELLS, cs->cell_count);
    struct leaf_search search = {.cs = cs, .bodies = bodies, .sink = sink};

    for (size_t c = begin; c < end; c++)
        if (cs->cell[c].head != NONE && cs->cell[c].mapped > most)
            most = cs->cell[c].mapped;
    if (most < 2 || !make_columns(&search, most, scratch))
        return;
    for (size_t c = begin; c < end && !sink->stopped; c++)
        if (cs->cell[c].head != NONE && cs->cell[c].mapped > 1)
            search_leaf(&search, &cs->cell[c]);
}

/* ---- queries: the iterator over a window ---- */

/*  The probe before any hit: a leaf that was visited stays visited while a first hit reduces t_max, otherwise a
    piece could be left to a leaf that is then skipped. */
struct window
{
    const scree_cell_space *cs;
    const scree_bodies *bodies;
    const scree_probe *now;
    scree_probe probe;
    double slack;
    scree_hit_sink *sink;
};

static bool is_looked_into(const struct window *window, const scree_space_cell *cell)
{
    scree_box grown;

    for (int k = 0; k < 3; k++) {
        grown.lower[k] = cell->range.lower[k] - window->slack;
        grown.upper[k] = cell->range.upper[k] + window->slack;
    }
    return scree_probe_meets(&window->probe, &grown);
}

static void offer(const struct window *window, uint32_t cell, uint32_t id)
{
    const scree_cell_space *cs = window->cs;
    uint32_t node = cs->piece[id].first;

    if (!scree_probe_meets(window->now, &window->bodies->box[id]))
        return;
    while (cs->link[node].cell != cell && !is_looked_into(window, &cs->cell[cs->link[node].cell]))
        node = cs->link[node].next;
    if (cs->link[node].cell == cell)
        scree_sink_hit(window->sink, id);
}

/*  Recursive, at most as deep as spaces are nested: 17 levels. */
static void look_into_space(const struct window *window, uint32_t index)
{
    const scree_cell_space *cs = window->cs;
    const scree_space *space = &cs->space[index];
    scree_box box = window->probe.box;
    uint32_t at[3];

    for (int k = 0; k < 3; k++) {
        /* twice: rounding must not make the range smaller than what is visited */
        box.lower[k] -= 2 * window->slack;
        box.upper[k] += 2 * window->slack;
    }
    scree_cell_range range = scree_space_range(space, &box);
    for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++)
        for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++)
            for (at[0] = range.first[0]; at[0] <= range.last[0]; at[0]++) {
                uint32_t c = scree_space_cell_at(space, at);
                const scree_space_cell *cell = &cs->cell[c];
                if (window->sink->stopped || !is_looked_into(window, cell))
                    continue;
                if (cell->child != NONE) {
                    look_into_space(window, cell->child);
                    continue;
                }
                for (uint32_t n = scree_lazy_next(&cs->lists, cell->head); n != NONE;
                     n = scree_lazy_next(&cs->lists, n))
                    offer(window, c, cs->lists.node[n].key);
            }
}

/*  Distances along a ray are rounded relative to where it comes from, those of a window relative to
    its corners. */
static void cell_space_query(const void *state, const scree_bodies *bodies,
                             const scree_probe *probe, scree_hit_sink *sink)
{
    struct window window = {
        .cs = state, .bodies = bodies, .now = probe, .probe = *probe, .sink = sink};
    double magnitude = 0;

    if (bodies->active_count == 0)
        return;
    for (int k = 0; k < 3; k++) {
        magnitude = fmax(magnitude, fmax(fabs(probe->box.lower[k]), fabs(probe->box.upper[k])));
        if (probe->is_ray)
            magnitude = fmax(magnitude, fabs(probe->origin[k]));
    }
    window.slack = 0x1p-45 * magnitude + 0x1p-500;
    look_into_space(&window, 0);
}

/* ---- the method ---- */

static void cell_space_stats(const void *state, scree_stats *stats)
{
    const scree_cell_space *cs = state;

    stats->remapped += cs->remapped;
    stats->rebuilds += cs->relaid;
}

/*  Leaves with pieces in them; those at the edge of the domain have no end. */
static void cell_space_outline(const void *state, const scree_bodies *bodies,
                               scree_scratch *scratch, scree_outline_sink *sink)
{
    const scree_cell_space *cs = state;
    (void)bodies;
    (void)scratch;
    for (uint32_t c = 0; c < cs->cell_count && !sink->stopped; c++) {
        const scree_space_cell *cell = &cs->cell[c];
        if (cell->head == SCREE_CELL_NONE || cell->child != SCREE_CELL_NONE || cell->mapped == 0)
            continue;
        scree_outline_piece piece = {.kind = SCREE_OUTLINE_CELL,
                                     .level = cs->space[cell->space].depth,
                                     .count = cell->mapped};
        for (int k = 0; k < 3; k++) {
            piece.lower[k] = cell->range.lower[k];
            piece.upper[k] = cell->range.upper[k];
        }
        scree_outline_put(sink, &piece);
    }
}

const scree_method scree_method_cell_space = {
    .info = {.name = "cell-space",
             .summary = "linked cells, refined where small bodies gather (PFC)",
             .cost = "N, whatever the sizes; an update costs in proportion to the moved",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_INCREMENTAL | SCREE_METHOD_COHERENT | SCREE_METHOD_DIRTY |
                             SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1.0, 1.0}},
    .state_bytes = sizeof(scree_cell_space),
    .exact = true,
    .create = cell_space_create,
    .destroy = cell_space_destroy,
    .build = cell_space_build,
    .update = cell_space_update,
    .insert = cell_space_insert,
    .remove = cell_space_remove,
    .block_count = cell_space_block_count,
    .pairs = cell_space_pairs,
    .query = cell_space_query,
    .stats = cell_space_stats,
    .outline = cell_space_outline,
};
