/*  A scene that takes every path of a step: spheres of two materials and radii from 1 to 10 in a drum of
    triangles that turns. Some are frozen, some are in groups of their own, one rule remembers more than the
    other and has moments. What it comes to may depend on nothing but itself. */
#ifndef HARNESS_DRUM_H
#define HARNESS_DRUM_H

#include "scree/world.h"

typedef struct drum_scene
{
    uint32_t
        across; /* cells along a diameter, 3 or more; one holds 1 to 1000 bodies, in the mean 154 */
    uint32_t most;    /* bodies along a side of a cell, at most; 0: 10 */
    uint32_t layers;  /* of cells along the axis */
    uint32_t facets;  /* of the drum, about */
    bool in_plane;    /* two dimensions: discs in a ring of segments */
    bool has_planes;  /* and two plane walls at the ends */
    bool is_periodic; /* along the axis instead of an end; not in the plane */
    scree_integrator integrator;
    scree_time_mode time;
    bool has_energy_balance;
    double overlap_limit; /* 0: 0.9. In long runs frozen bodies get deeper into walls that turn */
} drum_scene;

/*  Sets in `def` what is physics, and leaves how it is computed as it is. */
void drum_scene_define(const drum_scene *scene, scree_world_def *def);
/*  Materials, rules, walls and bodies. */
scree_status drum_scene_fill(const drum_scene *scene, scree_world *world);

/*  How it is computed. All zero: as by default. */
typedef struct drum_way
{
    const char *method;             /* NULL: "auto" */
    const scree_margin_def *margin; /* NULL: per-body */
    uint32_t threads;               /* 0: 1 */
    scree_simd simd;
    uint32_t sort_every; /* + 1; 0: as by default */
    scree_tasks tasks;
} drum_way;

void drum_way_apply(const drum_way *way, scree_world_def *def);

/*  A world with the scene in it; NULL where that failed, with the sentence in `error`. */
scree_world *drum_scene_open(const drum_scene *scene, const drum_way *way, scree_error *error);

#endif
