/*  Bumpy stones that pour through a funnel of triangles onto a floor: bodies of triangles, none of them convex, that
    meet each other, facets and a plane. What it comes to may depend on nothing but itself. */
#ifndef HARNESS_FUNNEL_H
#define HARNESS_FUNNEL_H

#include "drum.h"

typedef struct funnel_scene
{
    uint32_t stones;
    uint32_t facets; /* of each, as icospheres have them */
    uint32_t forms;  /* how many meshes there are */
} funnel_scene;

/*  As drum_scene_open; with the energy balance. */
scree_world *funnel_scene_open(const funnel_scene *scene, const drum_way *way,
                               scree_mesh_engine engine, scree_error *error);

/*  What the energy balance does not record, over the energy that has been turned over: falls, and what was lost. */
double funnel_scene_gap(scree_world *world);

#endif
