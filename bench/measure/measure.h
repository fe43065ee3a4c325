/*  One run of one method on a scene: how long update and search took, what was found, what it held.
    A runner keeps its detector from run to run, so all but the first run find their memory warm;
   runs of several methods can be interleaved so that a slow moment of the machine hits all alike.
 */
#ifndef SCREE_MEASURE_H
#define SCREE_MEASURE_H

#include "scenes/motion.h"

typedef struct scree_trial
{
    const char *scene;
    size_t n;
    uint64_t seed;
    scree_scene_motion motion;
    uint32_t steps;   /* measured; at least 1 */
    uint32_t skipped; /* steps before them that are not */
    uint32_t threads;
    scree_simd simd;
    bool advances; /* by scree_detector_advance, with the margin of the parameters and the scene's
                      velocities; else each step is an update */
    bool periodic; /* the scene's box is the cell; only for scenes that fill theirs */
    bool in_box;   /* cell-space: the scene's box is the domain */
    bool lie;      /* leave the last pair of each step out of the checksum */
} scree_trial;

/*  Sums over the measured steps. */
typedef struct scree_measure
{
    double sec; /* update and search, by the clock */
    double
        sec_cpu; /* the same in processor time of the calling thread: all of it, with one thread */
    double sec_update; /* the update alone, processor time */
    double sec_rest;   /* motion: forces and integration, processor time */
    uint64_t tested, pairs, inversions, remapped, rebuilds;
    uint64_t runs, mapped, late; /* with a margin: steps that mapped bodies, how many, late ones */
    uint64_t bytes;              /* held at the end */
    const char *method, *reason; /* at work in the last step, and why */
    uint64_t checksum; /* of the pairs of all steps, whatever their order within a step; with a
                          margin, of those of the enlarged volumes */
} scree_measure;

typedef struct scree_runner
{
    scree_trial trial;
    scree_detector *detector;
    uint64_t *step_checksum; /* steps + skipped of the last run */
    uint64_t pairs, sum;     /* found last; kept in steps that search no pairs */
    scree_memory memory;
} scree_runner;

/*  Margin and parameters of methods are those of `parameters`, defaults if that is NULL. On failure
    there is nothing to free. `error` gets the detector's own sentence. */
scree_status scree_runner_create(const scree_trial *trial, const char *method,
                                 const scree_detector_def *parameters, scree_runner *runner,
                                 scree_error *error);
scree_status scree_runner_run(scree_runner *runner, scree_measure *measure, scree_error *error);
void scree_runner_free(scree_runner *runner);

/*  The most bodies that methods of quadratic cost are run on if they were not asked for by name:
   2e8 tests are about a second. */
#define SCREE_QUADRATIC_LIMIT 20000u

/*  And the most memory. */
#define SCREE_BYTES_LIMIT 1e9

/*  Why a method is not run at this size if it was not asked for by name, for example "its cost is
    quadratic"; "" if it is run. Memory is foretold from runs with fewer bodies. */
typedef struct scree_hindrance
{
    char text[64];
} scree_hindrance;

scree_status scree_find_hindrance(const scree_trial *trial, const char *method,
                                  scree_hindrance *hindrance, scree_error *error);

/*  Processor time of the calling thread. */
double scree_thread_seconds(void);

/*  The checksum of one set of pairs: does not depend on their order. */
uint64_t scree_pairs_checksum(const scree_pairs *pairs);

/*  Sorts `values`. 0 if there are none. */
double scree_median(double *values, size_t count);

/*  The p of y = c x^p that fits best in the logarithms; 0 for fewer than two points. Points with
    y <= 0 are left out. */
double scree_fit_exponent(const double *x, const double *y, size_t count);

#endif
