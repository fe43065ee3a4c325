/*  Covers a composed region with cells: adjacent boxes that contain the region and little else. The bounding box is
    divided recursively. Cells outside the region are dropped, and cells inside are not divided further. Positions of
    bodies are drawn from cells. The volume is that of the cells inside, plus a share of each other cell, estimated
    with points. */
#include "cells.h"

#include <math.h>
#include <string.h>

#define MAX_CELLS 120000u
#define MAX_POINTS 524288u
#define MIN_POINTS 8192u
#define FACET_BUDGET 30000000u
/*  An axis is divided if its edge is at least this fraction of the longest. */
#define SHORT 0.6

static uint64_t work_of(const scree_scene_geometry *g)
{
    if (scene_is_composed(g))
        return work_of(g->first) + work_of(g->second);
    return g->mesh ? g->facet_count : 1;
}

static uint32_t bounded(uint64_t count, uint32_t least, uint32_t most)
{
    return count > most ? most : count < least ? least : (uint32_t)count;
}

scene_division scene_plan_division(const scree_scene_geometry *g)
{
    uint64_t work = work_of(g), most = FACET_BUDGET / work;

    return (scene_division){.max_cells = bounded(most / 2, 512, MAX_CELLS),
                            .points = bounded(most, MIN_POINTS, MAX_POINTS),
                            .work = work};
}

/* ---- cells ------------------------------------------------------------------------------------------------ */

/*  All cells of a level have the same size, `edge`. */
typedef struct level
{
    const scree_scene_geometry *region;
    int dimensions;
    double edge[3];
} level;

static double volume_of(const level *l)
{
    double volume = 1;

    for (int k = 0; k < 3; k++)
        volume *= k < l->dimensions ? l->edge[k] : 1;
    return volume;
}

/*  Chooses the axes to divide; returns the number of cells that one becomes. */
static uint32_t divide_edges(level *l, bool halved[3])
{
    double longest = 0;
    uint32_t count = 1;

    for (int k = 0; k < l->dimensions; k++)
        longest = fmax(longest, l->edge[k]);
    for (int k = 0; k < 3; k++) {
        halved[k] = k < l->dimensions && l->edge[k] > SHORT * longest;
        l->edge[k] *= halved[k] ? 0.5 : 1;
        count *= halved[k] ? 2 : 1;
    }
    return count;
}

typedef enum cell_kind
{
    CELL_OUTSIDE,
    CELL_INSIDE,
    CELL_BOTH,
} cell_kind;

static cell_kind look_at(const level *l, const double lower[3])
{
    double centre[3] = {0}, square = 0;

    for (int k = 0; k < l->dimensions; k++) {
        centre[k] = lower[k] + 0.5 * l->edge[k];
        square += 0.25 * l->edge[k] * l->edge[k];
    }
    /* the sphere around the cell, slightly enlarged: a cell that touches the surface is neither inside nor outside */
    double around = sqrt(square) * (1 + 1e-9);
    if (scene_keeps_clear(l->region, l->dimensions, centre, around))
        return CELL_OUTSIDE;
    return scene_holds_sphere(l->region, l->dimensions, centre, around) ? CELL_INSIDE : CELL_BOTH;
}

static void put_cell(scene_cell *cell, const level *l, const double lower[3])
{
    memcpy(cell->lower, lower, sizeof cell->lower);
    memcpy(cell->edge, l->edge, sizeof cell->edge);
}

/*  Divides the cells of a level from `from` on: those inside go to the front, the others behind them. Both have
    room. */
static void divide(level *l, const bool halved[3], const scene_cell *from, size_t count,
                   scene_cell *whole, size_t *whole_count, scene_cell *part, size_t *part_count)
{
    *part_count = 0;
    for (size_t i = 0; i < count; i++)
        for (int corner = 0; corner < 8; corner++) {
            double lower[3];
            bool is_one = true;
            for (int k = 0; k < 3; k++) {
                bool is_upper = (corner >> k & 1) != 0;
                is_one &= !is_upper || halved[k];
                lower[k] = from[i].lower[k] + (is_upper ? l->edge[k] : 0);
            }
            cell_kind kind = is_one ? look_at(l, lower) : CELL_OUTSIDE;
            if (kind == CELL_INSIDE)
                put_cell(&whole[(*whole_count)++], l, lower);
            if (kind == CELL_BOTH)
                put_cell(&part[(*part_count)++], l, lower);
        }
}

/*  Writes the cells to the first of three arrays with room for max_cells + 1 each. Returns their number; those
    inside come first. */
static size_t make_cells(const scree_scene_geometry *g, int dimensions, const scene_division *plan,
                         scene_cell *const room[3], size_t *whole_count)
{
    level l = {.region = g, .dimensions = dimensions, .edge = {1, 1, 1}};
    scene_cell *from = room[1], *to = room[2];
    size_t looked = 0, count = 1;

    for (int k = 0; k < dimensions; k++)
        l.edge[k] = g->upper[k] - g->lower[k];
    put_cell(from, &l, g->lower);
    *whole_count = 0;
    while (count > 0) {
        level next = l;
        bool halved[3];
        size_t more = count * divide_edges(&next, halved);
        if (looked + more > plan->max_cells)
            break;
        looked += more;
        l = next;
        divide(&l, halved, from, count, room[0], whole_count, to, &count);
        scene_cell *other = from;
        from = to;
        to = other;
    }
    memcpy(room[0] + *whole_count, from, count * sizeof *from);
    return *whole_count + count;
}

/* ---- volume ----------------------------------------------------------------------------------------------- */

/*  Point `i` of a cell in a low-discrepancy sequence: multiples of powers of the inverse of the root of x^(d+1) = x
    + 1. */
static void point_of(const scene_cell *cell, int dimensions, uint32_t i, double point[3])
{
    static const double step_2[] = {0.7548776662466927, 0.5698402909980532, 0};
    static const double step_3[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    const double *step = dimensions == 2 ? step_2 : step_3;

    for (int k = 0; k < 3 && k < dimensions; k++) {
        double at = 0.5 + (i + 1.0) * step[k];
        point[k] = cell->lower[k] + (at - floor(at)) * cell->edge[k];
    }
}

static void measure_cells(scree_scene_geometry *g, int dimensions, const scene_division *plan,
                          scene_cell *cells, size_t count, size_t whole_count)
{
    size_t parts = count - whole_count;
    uint32_t each = parts ? (uint32_t)(plan->points / parts) : 0, drawn = 0;
    double sum = 0, variance = 0, end = 0;

    each = each < 1 ? 1 : each;
    for (size_t i = 0; i < count; i++) {
        const level l = {.dimensions = dimensions,
                         .edge = {cells[i].edge[0], cells[i].edge[1], cells[i].edge[2]}};
        double volume = volume_of(&l), point[3] = {0};
        uint32_t inside = 0;
        end += volume;
        cells[i].end = end;
        for (uint32_t k = 0; k < each && i >= whole_count; k++) {
            point_of(&cells[i], dimensions, drawn++, point);
            inside += scene_holds_point(g, dimensions, point);
        }
        sum += i < whole_count ? volume : volume * inside / each;
        /* an estimate of the share that is never 0 or 1 */
        double share = (inside + 1.0) / (each + 2.0);
        variance += i < whole_count ? 0 : volume * volume * share * (1 - share) / each;
    }
    g->volume = sum;
    g->volume_error = 2 * sqrt(variance);
}

scree_status scene_make_cells(scree_scene *scene, scree_scene_geometry *g,
                              const scene_division *plan, bool are_kept)
{
    int dimensions = scene->plan.world.dimensions;
    size_t each = plan->max_cells + 1, whole_count;
    scree_memory *memory = &scene->memory;
    scene_cell *all = NULL, *kept = NULL;
    scree_status status = scree_memory_take(memory, 3 * each, sizeof *all, &all);

    if (status)
        return status;
    scene_cell *const room[] = {all, all + each, all + 2 * each};
    size_t count = make_cells(g, dimensions, plan, room, &whole_count);
    measure_cells(g, dimensions, plan, all, count, whole_count);
    if (are_kept && count > 0) {
        kept = scene_take(scene, count, sizeof *kept);
        status = kept ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    }
    if (kept) {
        memcpy(kept, all, count * sizeof *kept);
        g->cells = kept;
        g->cell_count = (uint32_t)count;
    }
    scree_memory_give(memory, &all, 3 * each, sizeof *all);
    return status;
}

/* ---- drawing ---------------------------------------------------------------------------------------------- */

void scene_draw_in_cells(const scree_scene_geometry *g, int dimensions, scree_random *random,
                         double point[3])
{
    double at = scree_random_range(random, 0, g->cells[g->cell_count - 1].end);
    uint32_t first = 0, last = g->cell_count - 1;

    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (g->cells[middle].end > at)
            last = middle;
        else
            first = middle + 1;
    }
    const scene_cell *cell = &g->cells[first];
    for (int k = 0; k < dimensions; k++)
        point[k] = scree_random_range(random, cell->lower[k], cell->lower[k] + cell->edge[k]);
}
