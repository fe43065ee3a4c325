/*  Finds positions where a body touches neither a body nor a wall, at a cost that does not grow with their number. */
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
    scree_wall *walls; /* those of the world, then those to keep off that are not in it */
    size_t wall_count, wall_room;
    uint32_t *solids;  /* walls whose inside is excluded */
    scree_mesh **made; /* for walls that are not in the world */
    size_t solid_count, made_count, keep_off_room;
    scree_facet_list facets;
    double largest;   /* largest radius of the queries */
    double normal[3]; /* of the face at the last position */
    int dimensions;
} scene_placer;

/*  Reads the world once. After a failure there is nothing to free. */
scree_status scene_placer_begin(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                const scree_scene_geometry *region, double largest,
                                scree_error *error);
void scene_placer_end(scene_placer *placer);

/*  Sets what the source keeps off. SCREE_OUT_OF_MEMORY, and statuses of meshes; after a failure only
    scene_placer_end may follow. */
scree_status scene_placer_keep_off(scene_placer *placer, scree_world *world,
                                   const scree_scene_source *source, scree_error *error);
void scene_placer_end_keep_off(scene_placer *placer); /* called by scene_placer_end */
/*  Whether a point is inside a closed surface to keep off; and moves a sphere out of it: whether it was moved. */
bool scene_is_in_solid(const scene_placer *placer, const double centre[3]);
bool scene_push_off_solids(const scene_placer *placer, double centre[3], double radius);

/*  Tries positions until one is free. `trials` is the number of trials left and is reduced. The random numbers used
    depend only on the number of trials. */
scree_status scene_find_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              uint64_t *trials, double centre[3], bool *found, scree_error *error);
/*  Whether a sphere may touch one in the region. */
bool scene_is_near(const scene_placer *placer, const double centre[3], double radius);
/*  A position in the region that touches no wall: of several, the one with the smallest overlap. Not *found if walls
    leave none. */
scree_status scene_seek_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              double centre[3], bool *found, scree_error *error);
/*  Whether a sphere overlaps or touches a wall. */
scree_status scene_meets_wall(scene_placer *placer, const double centre[3], double radius,
                              bool *meets);
/*  Adds a body, which later queries avoid. */
scree_status scene_take_place(scene_placer *placer, const double centre[3], double radius,
                              scree_error *error);

#endif
