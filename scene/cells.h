/*  Cells of composed regions: see cells.c. */
#ifndef SCREE_SCENE_CELLS_H
#define SCREE_SCENE_CELLS_H

#include "scene_internal.h"

/*  How finely: at most so many cells are looked at, and points drawn, each of so much work. */
typedef struct scene_division
{
    uint32_t most_cells, points;
    uint64_t work;
} scene_division;

scene_division scene_plan_division(const scree_scene_geometry *region);
/*  Sets the volume of a composed region and, if they are to be kept, its cells. */
scree_status scene_make_cells(scree_scene *scene, scree_scene_geometry *region,
                              const scene_division *plan, bool are_kept);
/*  Anywhere in them, evenly. */
void scene_draw_in_cells(const scree_scene_geometry *region, int dimensions, scree_random *random,
                         double point[3]);

#endif
