/*  Several ways to do the same, run against each other: repeat by repeat, each in turn, so that a slow
    moment of the machine hits all alike; medians count, in processor time of the one thread. */
#ifndef SCREE_CONTEST_H
#define SCREE_CONTEST_H

#include "measure/measure.h"

typedef struct scree_entry
{
    const char *method;
    scree_trial trial;
    scree_detector_def def; /* margin and parameters of the method */
    int group;              /* entries of one group, above 0, must find the same pairs */
    /*  Runs in a row in each repeat, of which the one with the least time counts: what other entries have left in
        the caches, and what is not yet predicted of its branches, costs the first alone; 1 */
    uint32_t in_a_row;

    /* what was measured, of one step */
    double ms, ms_update, ms_rest;
    double spread;         /* longest over shortest run */
    scree_measure measure; /* of the last run, all steps */
} scree_entry;

/*  One thread, seed, default parameters, and `steps` of this motion after one that is not measured. */
scree_entry scree_entry_make(const char *method, const char *scene, size_t n, uint32_t seed,
                             scree_scene_motion_kind kind, double amount, uint32_t steps);

/*  At most SCREE_CONTEST_ENTRIES, at most SCREE_CONTEST_REPEATS. SCREE_BAD_VALUE if two of a group
    found different pairs. */
#define SCREE_CONTEST_ENTRIES 16
#define SCREE_CONTEST_REPEATS 9
scree_status scree_contest_run(scree_entry *entries, size_t count, uint32_t repeats,
                               scree_error *error);

#endif
