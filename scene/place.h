/*  Finds places where a body touches neither a body nor a wall, at a cost that does not grow with how many there
    are. */
#ifndef SCREE_SCENE_PLACE_H
#define SCREE_SCENE_PLACE_H

#include "scene_internal.h"
#include "shape/mesh.h"

typedef struct scene_placer
{
    const scree_scene *scene;
    const scree_scene_geometry *region;
    scree_detector *taken; /* bodies in and near the region, and their images */
    scree_memory memory;
    scree_wall *walls;
    size_t wall_count;
    scree_facet_list facets;
    double largest; /* radius that is asked for */
    int dimensions;
} scene_placer;

/*  Looks at the world once. On failure there is nothing to free. */
scree_status scene_placer_begin(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                const scree_scene_geometry *region, double largest,
                                scree_error *error);
void scene_placer_end(scene_placer *placer);

/*  *found: a place was found within so many trials. The random numbers that were used depend on nothing but
    the trials. */
scree_status scene_find_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              uint32_t trials, double centre[3], bool *found, scree_error *error);
/*  From now on a body is there. */
scree_status scene_take_place(scene_placer *placer, const double centre[3], double radius,
                              scree_error *error);

#endif
