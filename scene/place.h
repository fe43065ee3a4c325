/*  Finds places where a body touches neither a body nor a wall, at a cost that does not grow with how many there
    are. */
#ifndef SCREE_SCENE_PLACE_H
#define SCREE_SCENE_PLACE_H

#include "scene_internal.h"
#include "shape/mesh.h"
#include "taken.h"

typedef struct scene_placer
{
    const scree_scene *scene;
    const scree_scene_geometry *region;
    scene_taken taken; /* bodies in and near the region, and their images */
    scree_memory memory;
    scree_wall *walls; /* of the world, then those that are to be kept off and are not in it */
    size_t wall_count, wall_room;
    uint32_t *solids;  /* of walls, those whose inside is taken */
    scree_mesh **made; /* of walls that are not in the world */
    size_t solid_count, made_count, keep_off_room;
    scree_facet_list facets;
    double largest;   /* radius that is asked for */
    double normal[3]; /* of the face, where the last place is */
    int dimensions;
} scene_placer;

/*  Looks at the world once. On failure there is nothing to free. */
scree_status scene_placer_begin(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                const scree_scene_geometry *region, double largest,
                                scree_error *error);
void scene_placer_end(scene_placer *placer);

/*  What the source keeps off, from now on. SCREE_OUT_OF_MEMORY, and what a mesh is refused for; then only the end follows. */
scree_status scene_placer_keep_off(scene_placer *placer, scree_world *world,
                                   const scree_scene_source *source, scree_error *error);
void scene_placer_end_keep_off(scene_placer *placer); /* scene_placer_end does it */
/*  Whether a point is inside of a closed surface that is kept off; and out of it, off the surface: whether it was moved. */
bool scene_is_in_solid(const scene_placer *placer, const double centre[3]);
bool scene_push_off_solids(const scene_placer *placer, double centre[3], double radius);

/*  *found: a place was found within so many trials, of which those made are taken away. The random numbers that
    were used depend on nothing but the trials. */
scree_status scene_find_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              uint64_t *trials, double centre[3], bool *found, scree_error *error);
/*  Whether a sphere may touch one in the region. */
bool scene_is_near(const scene_placer *placer, const double centre[3], double radius);
/*  A place in the region that meets no wall, and of several that is least deep in what is there; not *found where
    walls leave none. */
scree_status scene_seek_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              double centre[3], bool *found, scree_error *error);
/*  Whether a sphere overlaps or touches a wall. */
scree_status scene_meets_wall(scene_placer *placer, const double centre[3], double radius,
                              bool *meets);
/*  From now on a body is there. */
scree_status scene_take_place(scene_placer *placer, const double centre[3], double radius,
                              scree_error *error);

#endif
