/*  Mixing of two kinds of bodies; samples are the cells of a box. Let p be the fraction of the first kind among all N
    bodies, and p_i that among the n_i bodies of cell i, all by number. The variance

        S^2 = sum n_i / N (p_i - p)^2

    is p (1 - p) if each cell has only one kind. Over all ways to distribute the same bodies to the same C cells that
    are not empty, its mean is exactly p (1 - p) (C - 1) / (N - 1), by the hypergeometric distribution. The intensity
    of segregation (Danckwerts, Appl. Sci. Res. A 3 (1952) 279) is S^2 / (p (1 - p)). Lacey's index (J. Appl. Chem. 4
    (1954) 257) is the position of S^2 between both values, 0 segregated and 1 random; it may be slightly above 1 by
    chance. */
#include "scene_internal.h"

#include <math.h>
#include <string.h>

typedef struct mixing_cell
{
    uint64_t all, first;
} mixing_cell;

static bool is_first(const scree_scene_measurement *measure, const scree_bodies_view *view,
                     size_t row)
{
    if (measure->material)
        return scree_uint32_at(view->material, row) == measure->material;
    return scree_double_at(view->radius, row) > measure->above;
}

static size_t cell_of(const scree_scene_measurement *measure, int dimensions, const double place[3])
{
    const scree_scene_geometry *box = &measure->region;
    size_t cell = 0;

    for (int k = dimensions - 1; k >= 0; k--) {
        double share = (place[k] - box->lower[k]) / (box->upper[k] - box->lower[k]);
        size_t many = measure->cells[k], at = (size_t)fmax(0, share * (double)many);
        cell = cell * many + (at < many ? at : many - 1);
    }
    return cell;
}

static scene_mixing judge(const mixing_cell *cells, size_t count)
{
    double all = 0, first = 0, filled = 0, variance = 0;
    scene_mixing none = {0};

    for (size_t i = 0; i < count; i++) {
        all += (double)cells[i].all;
        first += (double)cells[i].first;
        filled += cells[i].all > 0;
    }
    double share = first / all, whole = share * (1 - share);
    /* only one kind, or fewer than two cells: undefined */
    if (!(whole > 0) || filled < 2 || filled >= all)
        return none;
    for (size_t i = 0; i < count; i++) {
        double n = (double)cells[i].all, off = n > 0 ? (double)cells[i].first / n - share : 0;
        variance += n / all * off * off;
    }
    double intensity = variance / whole, random = (filled - 1) / (all - 1);
    return (scene_mixing){intensity, (1 - intensity) / (1 - random)};
}

scree_status scene_look_at_mixing(const scree_scene *scene, const scree_scene_measurement *measure,
                                  const scree_bodies_view *view, scree_memory *memory,
                                  scene_mixing *mixing)
{
    int dimensions = scene->plan.world.dimensions;
    size_t count = 1;
    mixing_cell *cells = NULL;

    for (int k = 0; k < dimensions; k++)
        count *= measure->cells[k];
    if (scree_memory_take(memory, count, sizeof *cells, &cells))
        return SCREE_OUT_OF_MEMORY;
    memset(cells, 0, count * sizeof *cells);
    for (size_t i = 0; i < view->count; i++) {
        if (!scene_holds_point(&measure->region, dimensions, scree_row_at(view->position, i)))
            continue;
        mixing_cell *cell = &cells[cell_of(measure, dimensions, scree_row_at(view->position, i))];
        cell->all++;
        cell->first += is_first(measure, view, i);
    }
    *mixing = judge(cells, count);
    scree_memory_give(memory, &cells, count, sizeof *cells);
    return SCREE_OK;
}
