/*  What single changes cost: 10,000 bodies that come or go one by one, among 100,000. Sorted lists and a set of pairs are
    gone through as a whole for any change, so those of many calls wait for each other. The row asks for a bound: all of
    them together may cost as much as one search from nothing. */
#include "claims/churn.h"
#include "claims/yade_internal.h"
#include "measure/measure.h"

#include <math.h>

#define REPEATS 3

/*  An update and a search from nothing, the shortest of some. */
static scree_status time_build(const char *method, size_t n, uint64_t seed, double *seconds,
                               scree_error *error)
{
    scree_trial trial = {.scene = "uniform", .n = n, .seed = seed, .steps = 1, .threads = 1};
    scree_runner runner;
    scree_measure measure;
    scree_status status = scree_runner_create(&trial, method, NULL, &runner, error);
    if (status != SCREE_OK)
        return status;
    *seconds = INFINITY;
    for (int repeat = 0; repeat < REPEATS && status == SCREE_OK; repeat++) {
        status = scree_runner_run(&runner, &measure, error);
        *seconds = fmin(*seconds, measure.sec_cpu);
    }
    scree_runner_free(&runner);
    return status;
}

scree_status scree_yade_churn(scree_study *study, scree_error *error)
{
    static const char *const methods[] = {"insertion-sort", "dess2"};
    size_t n = study->quick ? 20000 : 100000, operations = n / 10;
    scree_claim *note = scree_study_note(study, "single changes", "IS-30");
    note->pass = true;
    for (size_t m = 0; m < SCREE_COUNT_OF(methods); m++) {
        double ns, build;
        scree_study_tell(study, "single changes: %s, %zu bodies", methods[m], n);
        scree_status status =
            scree_churn_run(methods[m], "uniform", n, operations, study->seed, &ns, error);
        if (status == SCREE_OK)
            status = time_build(methods[m], n, study->seed, &build, error);
        if (status != SCREE_OK)
            return status;
        double share = ns * 1e-9 * (double)operations / build;
        scree_claim_say(note,
                        "%s%s: %.1f us each, %zu of them %.2f of a search of %zu from nothing",
                        m ? "; " : "", methods[m], ns * 1e-3, operations, share, n);
        note->pass = note->pass && share <= 1;
    }
    return SCREE_OK;
}
