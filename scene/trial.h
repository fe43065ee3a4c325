/*  The course of a run in a fraction of its time: what a step costs, and how long it is, over all of it. */
#ifndef SCREE_SCENE_TRIAL_H
#define SCREE_SCENE_TRIAL_H

#include "scene.h"

/*  Seconds of the processor: what else the machine does counts little. */
typedef struct scree_scene_stopwatch
{
    uint32_t threads;
    double mine, all;
} scree_scene_stopwatch;

scree_scene_stopwatch scree_scene_stopwatch_start(uint32_t threads);
/*  Of the thread that asks, or of all of them by the number of threads, whichever is more. */
double scree_scene_stopwatch_read(const scree_scene_stopwatch *watch);

typedef struct scree_scene_trial
{
    double seconds;      /* of the processor, that it took */
    uint64_t steps;      /* as the run would make them, */
    uint64_t long_steps; /* and longer ones in between */
    double reached;      /* how far it came, of 1 */
    char stopped[252];   /* why the run would stop at its beginning; "" */
    /*  Of the whole run: */
    double run_steps, run_time; /* number, and seconds of simulated time */
    double run_seconds;         /* of the processor, steps alone */
    /*  The same if all conditions that did not hold in the trial held as early as they can; equal where there are none. */
    double least_steps, least_seconds;
    double body_steps;  /* sum of bodies over steps */
    double most_bodies; /* at once */
    double shortest_stable,
        longest_stable; /* step, s, by the rule of the run's steps, where these are automatic; 0: nothing touched */
} scree_scene_trial;

/*  The world of scree_scene_build and scree_scene_start, but for longer steps if scree_scene_try asks for such. */
scree_status scree_scene_build_trial(scree_scene *scene, const scree_world_def *hooks,
                                     scree_world **world, scree_error *error);

/*  Leads that world, which has taken no step, through the course for about so many seconds: stretches as the run
    takes them, which are timed, and between them as long steps as are stable. Where that is not enough for all
    of the course, the rest is as the last that was seen, with the bodies that pours will have brought. */
void scree_scene_try(scree_scene *scene, scree_world *world, uint32_t threads, double seconds,
                     scree_scene_trial *trial);

#endif
