/*  What can be said of a scene before it is run, and what a short trial shows. */
#ifndef SCREE_SCENE_EXAMINE_H
#define SCREE_SCENE_EXAMINE_H

#include "scene.h"

typedef struct scree_scene_exam
{
    uint64_t bodies;    /* at the start */
    double expected;    /* bodies in all, with those poured in the time of the run */
    double mass;        /* kg, at the start */
    double least, most; /* radii, of bodies and of what sources make */
    double gravity;     /* its magnitude */
    uint64_t contacts;  /* at the start */
    double deepest;     /* overlap at the start over the smaller radius */
    char refusal[252];  /* why the first step is refused; "" */
    double
        stable; /* s: longest stable step of the contacts at the start, else of the smallest grains */
    bool stable_by_contact;
    uint64_t stable_body; /* serial numbers of those that set it, 0: a wall */
    uint64_t stable_partner;
    uint32_t stable_material; /* from 1: else the material, and */
    double stable_radius;
    double
        weight_overlap; /* of the lowest grains under the weight of all, over the radius; 0 without gravity */
    const char *method; /* that "auto" takes; NULL without bodies */
    char reason[200];
    /*  Of the trial: */
    double seconds;      /* that it took */
    uint64_t steps;      /* that it made */
    double dt;           /* of its last step */
    double body_steps;   /* sum of bodies over steps */
    double bytes_a_body; /* of the world; 0 without bodies */
    char stopped[252];   /* why it stopped early; "" */
    /*  Of the whole run, from that: */
    double run_steps, run_seconds, run_bytes;
} scree_scene_exam;

/*  Builds and starts the scene, and runs it for about so many seconds of the clock on the wall; 0: no step.
    `hooks` as for scree_scene_build. SCREE_OUT_OF_MEMORY, and all that building and starting refuse. */
scree_status scree_scene_examine(scree_scene *scene, const scree_world_def *hooks, double seconds,
                                 scree_scene_exam *exam, scree_error *error);

#endif
