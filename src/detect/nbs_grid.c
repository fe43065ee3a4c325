/*  Keeps the grid: lays it out, places bodies, and lays it out again when it no longer fits them.

    WHY OVERLAPPING BODIES ARE IN ADJACENT SQUARES. On one axis let W be the largest width of a box, u = 2^-53, and
    index() the function of lattice.h.

    (a) index() is never decreasing, and so is the computed centre: it is the exact centre C rounded (halving is exact
    except for the smallest numbers, where the error is less than 2^-1074).

    (b) Overlapping boxes have |C_a - C_b| <= (w_a + w_b) / 2 <= W.

    (c) Let C_a <= C_b, and s the larger of C_a and the origin, if that is left of the upper end of the lattice;
    otherwise both bodies are in the last square. By (a) and (b), index(b) is at most that of a point s + W, and s and s
    + W are at most R + W in magnitude, R the largest magnitude within the lattice, however far away the bodies are. The
    computed quotients of s and s + W differ from the exact ones by three roundings each: of the centre, of the
    difference, of the quotient. In units of length the first is at most (R + W) u, the others 2 (R + W) u each; for
    both points 10 (R + W) u, and a little for products of errors. So the quotients differ by no more than 1, and their
    floors too, if

        cell >= W + 12 (R + W) u.

    The cell is at least W (1 + 1e-6) + slack. R is at most |origin| + range + cell, that is three times the largest
    centre M and a cell, so slack = 2^-47 M + DBL_MIN = 64 M u + DBL_MIN, with 1e-6 W, covers it; DBL_MIN covers the
    halving. The rounding of boxes before they come here does not matter: W is the width of the present boxes. Cells
    that are enlarged further, to bound their number, and squares merged by the clamp only bring bodies nearer. */
#include "detect/nbs_grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROOM 1e-6
/*  The largest body is very large if it is wider than this many times the mean. Squares are crowded with more bodies
    than this; each then takes about ten microseconds. */
#define GIANT 8.0
#define CROWDED 1000.0

void scree_nbs_free(scree_nbs_grid *grid, scree_memory *memory)
{
    scree_memory_give(memory, &grid->head, grid->head_capacity, sizeof *grid->head);
    scree_memory_give(memory, &grid->next, grid->next_capacity, sizeof *grid->next);
    scree_memory_give(memory, &grid->prev, grid->prev_capacity, sizeof *grid->prev);
    scree_memory_give(memory, &grid->square, grid->square_capacity, sizeof *grid->square);
}

static scree_status reserve_bodies(scree_nbs_grid *grid, scree_memory *memory, size_t bound)
{
    scree_status status =
        scree_memory_reserve(memory, &grid->next, &grid->next_capacity, bound, sizeof *grid->next);
    if (!status)
        status = scree_memory_reserve(memory, &grid->prev, &grid->prev_capacity, bound,
                                      sizeof *grid->prev);
    if (!status)
        status = scree_memory_reserve(memory, &grid->square, &grid->square_capacity, bound,
                                      sizeof *grid->square);
    return status;
}

/*  Points all in one place get a cell of any size; points elsewhere, 64 squares along the domain.
 */
static double choose_cell(const scree_extent *extent, double factor, double slack)
{
    double range = 0;

    if (extent->width > 0)
        return factor * (extent->width * (1 + ROOM)) + slack;
    for (int k = 0; k < 3; k++)
        range = fmax(range, extent->upper[k] - extent->lower[k]);
    return range > 0 ? range / 64 + slack : 1.0;
}

/*  A cheap estimate of the cost of a search. One body far larger than the rest makes squares so large that all
    bodies share a few of them, and nearly all pairs are tested: a message in the log warns of that. */
static void look_for_giants(scree_nbs_grid *grid, const scree_method_env *env,
                            const scree_bodies *bodies, const scree_extent *extent)
{
    double mean = 0, squares = 1;

    for (int k = 0; k < bodies->dimensions; k++) {
        mean = fmax(mean, extent->mean_width[k]);
        squares *= grid->lattice.count[k];
    }
    double in_a_square = bodies->active_count / squares;
    bool is_slow = extent->width > GIANT * mean && in_a_square > CROWDED;
    if (is_slow && !grid->is_slow)
        scree_log_write(&env->def->log, SCREE_LOG_WARNING, SCREE_LOG_QUADRATIC,
                        "%s: the largest body is %.0f times as wide as the mean, so that a square "
                        "holds %.0f bodies on "
                        "average and nearly all pairs are tested; \"flat\", \"hash-grids\" or "
                        "\"bvh8\" do not slow down",
                        env->def->method, extent->width / mean, in_a_square);
    grid->is_slow = is_slow;
}

static void lay(scree_nbs_grid *grid, const scree_method_env *env, const scree_bodies *bodies,
                scree_extent *extent)
{
    double least = env->def->cell_factor * extent->width;

    if (least > 0)
        scree_extent_trim(extent, bodies, (double[3]){least, least, least});
    double slack = extent->magnitude * 0x1p-47 + DBL_MIN;
    double cell = choose_cell(extent, env->def->cell_factor, slack);
    double count = (double)bodies->active_count;
    double rows = grid->few_rows ? 8 * sqrt(count) + 64 : 2 * count + 64;

    scree_lattice_lay(&grid->lattice, extent, (double[3]){cell, cell, cell}, 2 * count + 64, rows);
    grid->outer = bodies->dimensions - 1;
    /* what was laid for the largest width is good for it, whatever the subtraction rounds to */
    grid->room = fmax(extent->width, (cell - slack) / (1 + 2 * ROOM));
    grid->laid_width = extent->width;
    grid->laid_count = bodies->active_count;
    look_for_giants(grid, env, bodies, extent);
}

static bool is_outgrown(const scree_nbs_grid *grid, const scree_bodies *bodies,
                        const scree_extent *extent)
{
    return extent->width > grid->room ||
           extent->width > 1.1 * grid->laid_width ||    /* only speed, as the others */
           extent->width < 0.9 * grid->laid_width ||    /* only speed */
           bodies->active_count / 2 > grid->laid_count; /* only speed */
}

static void place(scree_nbs_grid *grid, const scree_bodies *bodies, uint32_t id)
{
    for (int k = 0; k < bodies->dimensions; k++)
        grid->square[id][k] =
            scree_lattice_index(&grid->lattice, k, scree_box_centre(&bodies->box[id], k));

    uint32_t *head = &grid->head[grid->square[id][grid->outer]];
    grid->next[id] = *head;
    grid->prev[id] = SCREE_NBS_NONE;
    if (*head != SCREE_NBS_NONE)
        grid->prev[*head] = id;
    *head = id;
    grid->remapped++;
}

static void unlink_body(scree_nbs_grid *grid, uint32_t id)
{
    uint32_t next = grid->next[id], prev = grid->prev[id];

    if (prev != SCREE_NBS_NONE)
        grid->next[prev] = next;
    else
        grid->head[grid->square[id][grid->outer]] = next;
    if (next != SCREE_NBS_NONE)
        grid->prev[next] = prev;
}

static scree_status place_all(scree_nbs_grid *grid, const scree_method_env *env,
                              const scree_bodies *bodies)
{
    size_t lists = grid->lattice.count[grid->outer];
    scree_status status = scree_memory_reserve(env->memory, &grid->head, &grid->head_capacity,
                                               lists, sizeof *grid->head);
    if (!status)
        status = reserve_bodies(grid, env->memory, bodies->bound);
    if (status)
        return status;
    memset(grid->head, 0xff, lists * sizeof *grid->head);
    for (uint32_t p = 0; p < bodies->active_count; p++)
        place(grid, bodies, bodies->active[p]);
    grid->touched = 0;
    return SCREE_OK;
}

scree_status scree_nbs_build(scree_nbs_grid *grid, const scree_method_env *env,
                             const scree_bodies *bodies)
{
    scree_extent extent;

    scree_extent_measure(&extent, bodies);
    lay(grid, env, bodies, &extent);
    return place_all(grid, env, bodies);
}

/*  More than one body in a hundred is far outside: the outermost squares grow long. */
static bool is_left(const scree_nbs_grid *grid, const scree_bodies *bodies)
{
    uint32_t outside = 0;

    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const scree_box *box = &bodies->box[bodies->active[p]];
        bool clamped = false;
        for (int k = 0; k < bodies->dimensions; k++)
            clamped |= scree_lattice_clamps(&grid->lattice, k, scree_box_centre(box, k));
        outside += clamped;
    }
    return outside > bodies->active_count / 100;
}

static scree_status update_all(scree_nbs_grid *grid, const scree_method_env *env,
                               const scree_bodies *bodies)
{
    scree_extent extent;

    scree_extent_measure(&extent, bodies);
    bool outgrown = is_outgrown(grid, bodies, &extent);
    if (outgrown || is_left(grid, bodies)) {
        lay(grid, env, bodies, &extent);
        grid->relaid++;
        scree_log_write(&env->def->log, SCREE_LOG_INFO, SCREE_LOG_GRID_REBUILT,
                        "%s: the grid is rebuilt: %s", env->def->method,
                        outgrown ? "sizes have changed" : "bodies have left the grid");
    }
    return place_all(grid, env, bodies);
}

static bool all_fit(const scree_nbs_grid *grid, const scree_bodies *bodies, const uint32_t *ids,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < bodies->dimensions; k++) {
            const scree_box *box = &bodies->box[ids[i]];
            if (box->upper[k] - box->lower[k] > grid->room)
                return false;
        }
    return true;
}

/*  When as many bodies have been placed singly as there are, checking all costs no more than that: then sizes that
    have shrunk and bodies that have left are noticed. */
static bool can_place_singly(scree_nbs_grid *grid, const scree_bodies *bodies, const uint32_t *ids,
                             size_t count)
{
    grid->touched += count;
    return grid->touched < bodies->active_count && all_fit(grid, bodies, ids, count);
}

scree_status scree_nbs_update(scree_nbs_grid *grid, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    if (!ids || !can_place_singly(grid, bodies, ids, count))
        return update_all(grid, env, bodies);
    for (size_t i = 0; i < count; i++) {
        unlink_body(grid, ids[i]);
        place(grid, bodies, ids[i]);
    }
    return SCREE_OK;
}

scree_status scree_nbs_insert(scree_nbs_grid *grid, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_status status;

    if (!can_place_singly(grid, bodies, ids, count))
        return update_all(grid, env, bodies);
    status = reserve_bodies(grid, env->memory, bodies->bound);
    for (size_t i = 0; !status && i < count; i++)
        place(grid, bodies, ids[i]);
    return status;
}

void scree_nbs_remove(scree_nbs_grid *grid, const uint32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        unlink_body(grid, ids[i]);
    grid->touched += count;
}

/*  Squares of the probe on an axis, enlarged by one on each side: a body reaches less than a square
    beyond that of its centre, by the proof above. */
static void probe_range(const scree_lattice *lattice, const scree_probe *probe, int axis,
                        uint32_t *first, uint32_t *last)
{
    *first = scree_lattice_index(lattice, axis, probe->box.lower[axis]);
    *last = scree_lattice_index(lattice, axis, probe->box.upper[axis]);
    *first -= *first > 0;
    *last += *last + 1 < lattice->count[axis];
}

void scree_nbs_query(const scree_nbs_grid *grid, const scree_bodies *bodies,
                     const scree_probe *probe, scree_hit_sink *sink)
{
    uint32_t first[3] = {0}, last[3] = {0};

    if (bodies->active_count == 0)
        return;
    for (int k = 0; k < bodies->dimensions; k++)
        probe_range(&grid->lattice, probe, k, &first[k], &last[k]);
    for (uint32_t s = first[grid->outer]; s <= last[grid->outer] && !sink->stopped; s++)
        for (uint32_t id = grid->head[s]; id != SCREE_NBS_NONE; id = grid->next[id]) {
            bool inside = true;
            for (int k = 0; k < grid->outer; k++)
                inside &= (grid->square[id][k] >= first[k]) & (grid->square[id][k] <= last[k]);
            if (inside && (!probe->is_ray || scree_probe_meets(probe, &bodies->box[id])))
                scree_sink_hit(sink, id);
        }
}

void scree_nbs_outline(const scree_nbs_grid *grid, const scree_bodies *bodies,
                       scree_scratch *scratch, scree_outline_sink *sink)
{
    scree_outline_entries entries;
    if (!scree_outline_take(scratch, bodies->active_count, &entries))
        return;
    for (uint32_t i = 0; i < bodies->active_count; i++) {
        uint32_t id = bodies->active[i];
        scree_outline_enter(&entries, scree_outline_key(&grid->lattice, grid->square[id]), id);
    }
    scree_outline_cells(sink, &grid->lattice, &entries, 0);
}
