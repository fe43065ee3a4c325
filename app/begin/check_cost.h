/*  What a run will cost: its steps from a trial, and what it writes from some of each, times how often it does. */
#ifndef SCREE_CHECK_COST_H
#define SCREE_CHECK_COST_H

#include "trial.h"

typedef struct scree_cost_part
{
    const char *name; /* "pictures" */
    scree_scene_every every;
    bool is_last_alone; /* one at the end */
    uint32_t tries;
    double each, length; /* s and bytes of one, in the mean of those tried */
    double times;        /* how many there will be */
    uint32_t most_kept;  /* of them; 0: all */
} scree_cost_part;

typedef struct scree_cost
{
    double start; /* s of the processor, reading the scene and making its world */
    scree_cost_part *part;
    size_t part_count;
    double seconds; /* in all */
    double bytes;   /* most at once; 0: nobody knows */
    double disk;    /* bytes that will be written and stay */
} scree_cost;

/*  Writes one of all that the run will write in a temporary folder, which is removed. To be called at the start and
    at the end of a trial: pictures of few bodies take less time. An exit code. */
int scree_check_files(scree_scene *scene, scree_world *world, uint32_t threads, scree_cost *cost);

/*  The sums, when the trial is over. `start` is set before, and `bytes` to the most there was before memory was
    counted anew. */
void scree_check_sum(scree_world *world, const scree_scene_trial *trial, scree_cost *cost);

#endif
