/*  What can be said of a scene before it is run. */
#ifndef SCREE_SCENE_EXAMINE_H
#define SCREE_SCENE_EXAMINE_H

#include "scene.h"

typedef struct scree_scene_exam
{
    uint64_t bodies;    /* at the start */
    double expected;    /* bodies in all, with those poured in the time of the run */
    double mass;        /* kg, at the start */
    double least, most; /* radii, of bodies and of what sources make; of bodies of triangles and
                           clumps those of balls with their volume */
    uint32_t least_triangles, most_triangles; /* of bodies that have any; 0: there are none */
    uint32_t least_pebbles, most_pebbles;     /* of clumps, the same */
    double least_halo, most_halo,
        most_around;   /* m; the last: radius of the ball around the largest */
    double gravity;    /* its magnitude */
    uint64_t contacts; /* at the start */
    double deepest;    /* overlap at the start over the smaller radius */
    char refusal[252]; /* why the first step is refused; "" */
    double
        stable; /* s: longest stable step of the contacts at the start, else of the smallest grains */
    bool stable_by_contact;
    uint64_t stable_body; /* serial numbers of those that set it, 0: a wall */
    uint64_t stable_partner;
    uint32_t stable_wall;     /* index1: or a free wall, and no body; 0 */
    uint32_t stable_material; /* from 1: else the material, and */
    double stable_radius;
    /*  Of walls that are not planes, the fastest point of those that follow paths of their own, servos or loads: its speed, and the
        wall's index1; 0: all stand still. */
    double wall_speed;
    uint32_t fast_wall;
    double
        weight_overlap; /* of the lowest grains under the weight of all, over the radius; 0 without gravity */
    const char *method; /* that "auto" takes; NULL without bodies */
    char reason[200];
} scree_scene_exam;

/*  `world` is the scene's as it starts, and stays as it is; `hooks` those it was built with. SCREE_OUT_OF_MEMORY. */
scree_status scree_scene_examine(scree_scene *scene, scree_world *world,
                                 const scree_world_def *hooks, scree_scene_exam *exam,
                                 scree_error *error);

/*  Whether, in the last step, a contact was deeper than `limit` of the smaller radius; then `text` names it. */
bool scree_scene_overlaps(scree_world *world, double limit, char *text, size_t capacity);

#endif
