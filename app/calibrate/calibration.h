/*  scree calibrate, and what its parts share: which parameters are varied, which measurements they should give, and what was
    tried. */
#ifndef SCREE_CALIBRATION_H
#define SCREE_CALIBRATION_H

#include "app/calibrate/gauss.h"
#include "base/decimal.h"
#include "common/options.h"

#define SCREE_CALIBRATE_MAX_TARGETS 16
#define SCREE_CALIBRATE_MAX_TRIES 1000
#define SCREE_CALIBRATE_MAX_NAME 64 /* with its end */

/*  A parameter of the scene. A range of two decades or more is searched by its logarithm. */
typedef struct scree_axis
{
    char name[SCREE_CALIBRATE_MAX_NAME];
    double lower, upper;
    bool is_logarithmic;
} scree_axis;

/*  A column of metrics.csv, and what it should be. */
typedef struct scree_target
{
    char name[SCREE_CALIBRATE_MAX_NAME];
    double value, tolerance;
} scree_target;

typedef struct scree_calibration
{
    const char *scene, *folder;
    const char *const *settings; /* of all runs */
    size_t setting_count;
    scree_axis axis[SCREE_GAUSS_DIMENSIONS];
    size_t axis_count;
    scree_target target[SCREE_CALIBRATE_MAX_TARGETS];
    size_t target_count;
    double from; /* means of rows from this time on; negative: the last row */
    uint64_t seed, max_runs, batch, jobs, threads;
    bool force, is_quiet;
    int format;
} scree_calibration;

typedef struct scree_try
{
    double unit[SCREE_GAUSS_DIMENSIONS];          /* place in the unit box */
    double parameter[SCREE_GAUSS_DIMENSIONS];     /* as the scene gets them */
    double measured[SCREE_CALIBRATE_MAX_TARGETS]; /* NAN: the run failed */
    bool is_done;
    int code; /* exit code of the run */
} scree_try;

/* ---- misfit.c ---- */

/*  Root of the mean square of the errors, each over its tolerance: at most 1 if all are met. NAN if the run failed. */
double scree_misfit(const scree_calibration *calibration, const scree_try *tried);
/*  Whether each target is met within its tolerance. */
bool scree_is_met(const scree_calibration *calibration, const scree_try *tried);
/*  Index of the try with the smallest misfit among `count`; `count` if all failed. */
size_t scree_best_try(const scree_calibration *calibration, const scree_try *tries, size_t count);

/* ---- search.c ---- */

/*  The text that the scene gets: six digits. */
void scree_axis_text(const scree_axis *axis, double unit, char text[SCREE_REAL_TEXT]);

/* ---- parts.c: --vary and --fit ---- */

/*  "friction=0.1..0.9,rolling=0..0.3", and "heap.mass=0.02+-0.001". False with a message. */
bool scree_read_axes(scree_calibration *calibration, const char *text);
bool scree_read_targets(scree_calibration *calibration, const char *text);

/* ---- targets.c ---- */

/*  Whether the scene has these parameters and reports these columns: an exit code, with a message. *digest: a hash of the
    scene. */
int scree_look_at_scene(const scree_calibration *calibration, uint64_t *digest);
/*  What the run in a folder has measured: an exit code, with a message. */
int scree_read_measured(const scree_calibration *calibration, const char *folder, double *measured);

/* ---- tries.c: the folder, which has all tries ---- */

/*  Makes the folder, or takes the one of an earlier call with the same search: an exit code. */
int scree_tries_begin(const scree_calibration *calibration, uint64_t scene);
/*  Reads tries.csv; tries that it has are done. */
int scree_tries_read(const scree_calibration *calibration, scree_try *tries, size_t count);
int scree_tries_write(const scree_calibration *calibration, const scree_try *tries, size_t count);

/* ---- jobs.c ---- */

/*  Runs those of tries[begin .. end - 1] that are not done, so many at a time, and writes tries.csv after each. */
int scree_run_tries(const scree_calibration *calibration, scree_try *tries, size_t begin,
                    size_t end);
/*  "FOLDER/try-007", to be freed. */
char *scree_try_folder(const scree_calibration *calibration, size_t number);

/* ---- result.c ---- */

/*  Prints the result and writes calibration.svg: an exit code, 1 if targets are not met. */
int scree_say_result(const scree_calibration *calibration, const scree_try *tries, size_t count);

#endif
