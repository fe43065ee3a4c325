/*  scree-bench detect in three parts: what is asked for, measuring it, and printing it. */
#ifndef SCREE_BENCH_DETECT_H
#define SCREE_BENCH_DETECT_H

#include "app/bench/verbs.h"
#include "measure/measure.h"

#define SCREE_JOB_METHODS 64
#define SCREE_JOB_SIZES 16

typedef struct scree_job
{
    scree_trial trial;      /* n is set for each size */
    scree_detector_def def; /* margin */
    uint64_t size[SCREE_JOB_SIZES];
    size_t size_count;
    const char *method[SCREE_JOB_METHODS];
    size_t method_count;
    uint32_t repeats;
    int format;
    bool all, scaling;
    const char *lie; /* this method's runner lies about a pair */
} scree_job;

/*  What was measured of one method at one size. */
typedef struct scree_job_result
{
    scree_measure measure; /* of the last run; sec is the median */
    bool measured;
} scree_job_result;

typedef scree_job_result scree_job_row[SCREE_JOB_METHODS];

/*  False with a message. */
bool scree_job_parse(const scree_verb *verb, const scree_arguments *arguments, scree_job *job);

/*  "tolerance:extent=0.05,reach=1" into the fields of a margin; false with a message. */
bool scree_margin_parse(const char *text, scree_margin_def *margin);

/*  All methods at the index-th size. These return exit codes. */
int scree_job_measure(const scree_job *job, size_t index, scree_job_row row);
int scree_job_print(const scree_job *job, const scree_job_row *rows);

#endif
