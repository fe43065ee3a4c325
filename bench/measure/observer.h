/*  Detectors that look on while bodies move: all see the same steps, one after the other, so each is
    timed on the same motion, and a slow moment of the machine hits all alike. */
#ifndef SCREE_OBSERVER_H
#define SCREE_OBSERVER_H

#include "scree/detect.h"

typedef struct scree_observer
{
    const char *name;
    scree_detector *detector;
    uint64_t pair_count; /* potential pairs, of the last run */
    /* sums since the last scree_observer_reset */
    uint64_t steps, runs, pairs, inversions;
    double sec, sec_runs; /* processor time of all steps, and of those that mapped bodies */
    double sec_pairs;     /* of these, of the search */
} scree_observer;

/*  insertion-sort in three dimensions, with this margin. */
scree_status scree_observer_open(scree_observer *observer, const char *name, scree_volume volume,
                                 const scree_margin_def *margin, scree_error *error);
void scree_observer_close(scree_observer *observer);
void scree_observer_reset(scree_observer *observer);

/*  One step of length 1: an advance, and if it mapped bodies a search. */
scree_status scree_observer_look(scree_observer *observer, const scree_table *table,
                                 const scree_motion *motion, scree_error *error);

/*  A margin of this kind and length, else defaults. */
scree_margin_def scree_margin_of(scree_margin_kind kind, double length);

#endif
