/*  Examines a scene before it runs. */
#ifndef SCREE_SCENE_EXAMINE_H
#define SCREE_SCENE_EXAMINE_H

#include "scene.h"

typedef struct scree_scene_exam
{
    uint64_t bodies;    /* at the start */
    double later;       /* bodies that pours and fills of stages add during the run, about */
    double mass;        /* kg, at the start */
    double least, most; /* initial bodies and those from sources; by volume if not spherical */
    uint32_t min_triangles, max_triangles; /* over bodies that have triangles; 0: none */
    uint32_t min_pebbles, max_pebbles;     /* the same for clumps */
    double min_skin, max_skin, max_around; /* m; around: radius of the largest bounding sphere */
    double gravity;                        /* its magnitude */
    uint64_t contacts;                     /* at the start */
    double deepest;                        /* largest initial overlap over the smaller radius */
    char refusal[252];                     /* why the first step is refused; "" if it is not */
    double stable; /* s: stable step of the initial contacts, or of the smallest grains */
    bool stable_by_contact;
    bool stable_by_fluid; /* the drag of a body limits it */
    uint64_t stable_body; /* global ids of the bodies that limit it; 0: a wall */
    uint64_t stable_partner;
    uint32_t stable_wall;     /* index1 of a free wall that limits it, instead of a body; 0: none */
    uint32_t stable_material; /* from 1: the material that limits it, if there is no contact */
    double stable_radius;
    /*  The largest speed of any point of a mesh that moves by a path, servo or load, and the wall's index1; 0: no
        such wall. */
    double wall_speed;
    uint32_t fast_wall;
    double weight_overlap; /* of the lowest grains, over the radius; 0 without gravity */
    const char *method;    /* the choice of "auto"; NULL without bodies */
    char reason[200];
} scree_scene_exam;

/*  `world` is the scene's at its start; it does not change. `hooks` must be those with which it was built.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_scene_examine(scree_scene *scene, scree_world *world,
                                 const scree_world_def *hooks, scree_scene_exam *exam,
                                 scree_error *error);

/*  Whether any contact was deeper than `limit` times the smaller radius in the last step; then `text` names it. */
bool scree_scene_overlaps(scree_world *world, double limit, char *text, size_t capacity);

#endif
