/*  Covers composed regions with cells: see cells.c. */
#ifndef SCREE_SCENE_CELLS_H
#define SCREE_SCENE_CELLS_H

#include "scene_internal.h"

/*  Limits of the division: number of cells and number of points, each of bounded work. */
typedef struct scene_division
{
    uint32_t max_cells, points;
    uint64_t work;
} scene_division;

scene_division scene_plan_division(const scree_scene_geometry *region);
/*  Computes the volume of a composed region and, if requested, keeps its cells. */
scree_status scene_make_cells(scree_scene *scene, scree_scene_geometry *region,
                              const scene_division *plan, bool are_kept);
/*  Draws a point from the cells, uniformly. */
void scene_draw_in_cells(const scree_scene_geometry *region, int dimensions, scree_random *random,
                         double point[3]);

#endif
