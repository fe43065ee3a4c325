/*  The cost of a run: its steps from a trial, and its files from a sample of each kind times their number. */
#ifndef SCREE_CHECK_COST_H
#define SCREE_CHECK_COST_H

#include "trial.h"

typedef struct scree_cost_part
{
    const char *name; /* "pictures" */
    scree_scene_every every;
    bool is_last_alone; /* written once, at the end */
    uint32_t tries;
    double each, length; /* mean s and bytes of one */
    double times;        /* number of files */
    uint32_t max_kept;   /* number that is kept; 0: all */
} scree_cost_part;

typedef struct scree_cost
{
    double start; /* processor s for reading the scene and making its world */
    scree_cost_part *part;
    size_t part_count;
    double seconds;     /* total, at most where conditions may end the run before, */
    double min_seconds; /* and at least; equal where the end is known */
    double bytes;       /* peak memory; 0: unknown */
    double disk;        /* bytes that will be written and stay */
} scree_cost;

/*  Writes one file of each kind to a temporary folder, which is removed. Call it at the start and at the end of a
    trial, because pictures of few bodies take less time. An exit code. */
int scree_check_files(scree_scene *scene, scree_world *world, uint32_t threads, scree_cost *cost);

/*  The sums, after the trial. Set `start` before, and `bytes` to the peak before memory counting was restarted. */
void scree_check_sum(scree_world *world, const scree_scene_trial *trial, scree_cost *cost);

#endif
