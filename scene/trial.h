/*  Estimates the length and cost of a run in a fraction of its time. */
#ifndef SCREE_SCENE_TRIAL_H
#define SCREE_SCENE_TRIAL_H

#include "scene.h"

/*  Processor time, which depends little on other load of the machine. */
typedef struct scree_scene_stopwatch
{
    uint32_t threads;
    double mine, all;
} scree_scene_stopwatch;

scree_scene_stopwatch scree_scene_stopwatch_start(uint32_t threads);
/*  Time of the calling thread, or of all threads divided by their number, whichever is larger. */
double scree_scene_stopwatch_read(const scree_scene_stopwatch *watch);

typedef struct scree_scene_trial
{
    double seconds;      /* processor time used by the trial */
    uint64_t steps;      /* steps as in the run, */
    uint64_t long_steps; /* and longer ones in between */
    double reached;      /* fraction of the run that was covered */
    char stopped[252];   /* why the run would stop at its start; "" if it would not */
    /*  Estimates for the whole run: */
    double run_steps, run_time; /* number of steps, and simulated time in s */
    double run_seconds;         /* processor time of steps */
    /*  The same if all conditions that did not hold in the trial held as early as they can, and steps became no more and
        no costlier than at its end; equal where neither can be otherwise. */
    double min_steps, min_seconds;
    bool grows;        /* the estimates assume that steps go on to become more and costlier */
    double body_steps; /* sum of the number of bodies over all steps */
    double max_bodies; /* largest number at a time */
    double shortest_stable,
        longest_stable; /* step, s, by the rule of the run's steps, where these are automatic; 0: nothing touched */
} scree_scene_trial;

/*  The world of scree_scene_build and scree_scene_start, but with longer steps when scree_scene_try needs them. */
scree_status scree_scene_build_trial(scree_scene *scene, const scree_world_def *hooks,
                                     scree_world **world, scree_error *error);

/*  Moves this world, which must not have taken a step, through the course in about `seconds`: timed stretches with
    the steps of the run, and between them the longest stable steps. If that does not cover the whole course, the
    rest is extrapolated, with the bodies that pours will add. */
void scree_scene_try(scree_scene *scene, scree_world *world, uint32_t threads, double seconds,
                     scree_scene_trial *trial);

#endif
