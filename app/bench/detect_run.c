/*  Runs of the methods are interleaved, so that a slow moment of the machine hits all; the pairs of
    every step must be the same for all. */
#include "app/bench/detect.h"

#include <stdlib.h>
#include <string.h>

/*  The first step whose pairs differ, or steps if none does. */
static uint32_t first_difference(const scree_runner *a, const scree_runner *b)
{
    uint32_t step = 0, steps = a->trial.steps + a->trial.skipped;
    while (step < steps && a->step_checksum[step] == b->step_checksum[step])
        step++;
    return step;
}

static int compare_runs(const scree_job *job, const scree_runner *runners, const scree_job_row row)
{
    size_t base = 0;
    int code = SCREE_EXIT_OK;
    while (base < job->method_count && !row[base].measured)
        base++;
    for (size_t m = base + 1; m < job->method_count; m++) {
        if (!row[m].measured || row[m].measure.checksum == row[base].measure.checksum)
            continue;
        fprintf(stderr,
                "scree-bench: detect: %s and %s disagree: scene %s, n %zu, seed %llu, step %u\n",
                job->method[base], job->method[m], job->trial.scene, runners[m].trial.n,
                (unsigned long long)job->trial.seed, first_difference(&runners[base], &runners[m]));
        code = SCREE_EXIT_CHECK;
    }
    return code;
}

/*  All runs of all methods at one size, repeat by repeat. `row` has one for each method. */
static int measure_runs(const scree_job *job, scree_runner *runners, scree_job_row row)
{
    double *seconds = malloc(SCREE_JOB_METHODS * (size_t)job->repeats * sizeof *seconds);
    if (!seconds)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    for (uint32_t repeat = 0; repeat < job->repeats; repeat++)
        for (size_t m = 0; m < job->method_count; m++) {
            scree_error error = {SCREE_OK, ""};
            if (!runners[m].detector)
                continue;
            scree_status status = scree_runner_run(&runners[m], &row[m].measure, &error);
            if (status != SCREE_OK) {
                fprintf(stderr, "scree-bench: detect: %s: ", job->method[m]);
                free(seconds);
                return scree_status_error(status, error.text);
            }
            row[m].measured = true;
            seconds[m * job->repeats + repeat] = row[m].measure.sec;
        }
    for (size_t m = 0; m < job->method_count; m++)
        if (row[m].measured)
            row[m].measure.sec = scree_median(seconds + m * job->repeats, job->repeats);
    free(seconds);
    return compare_runs(job, runners, row);
}

/*  False if "all" leaves this method out at this size, which is said. */
static bool takes_part(const scree_job *job, const scree_trial *trial, const char *method,
                       int *code)
{
    scree_error error = {SCREE_OK, ""};
    scree_hindrance hindrance;
    if (!job->all)
        return true;
    scree_status status = scree_find_hindrance(trial, method, &hindrance, &error);
    if (status != SCREE_OK) {
        *code = scree_status_error(status, error.text);
        return false;
    }
    if (!hindrance.text[0])
        return true;
    fprintf(stderr, "scree-bench: detect: %s is left out at n = %zu: %s\n", method, trial->n,
            hindrance.text);
    return false;
}

int scree_job_measure(const scree_job *job, size_t index, scree_job_row row)
{
    scree_runner runners[SCREE_JOB_METHODS];
    scree_trial trial = job->trial;
    int code = SCREE_EXIT_OK;
    memset(runners, 0, sizeof runners);
    trial.n = (size_t)job->size[index];
    for (size_t m = 0; m < job->method_count && code == SCREE_EXIT_OK; m++) {
        scree_error error = {SCREE_OK, ""};
        row[m].measured = false;
        if (!takes_part(job, &trial, job->method[m], &code))
            continue;
        trial.lie = job->lie && strcmp(job->lie, job->method[m]) == 0;
        scree_status status =
            scree_runner_create(&trial, job->method[m], &job->def, &runners[m], &error);
        if (status != SCREE_OK)
            code = scree_status_error(status, error.text);
    }
    if (code == SCREE_EXIT_OK)
        code = measure_runs(job, runners, row);
    for (size_t m = 0; m < job->method_count; m++)
        scree_runner_free(&runners[m]);
    return code;
}
