/*  All runners live at the same time, so each keeps its memory warm from run to run. */
#include "measure/contest.h"

#include "base/error.h"

#include <assert.h>
#include <string.h>

typedef struct contest
{
    scree_runner runner[SCREE_CONTEST_ENTRIES];
    scree_measure run[SCREE_CONTEST_ENTRIES][SCREE_CONTEST_REPEATS];
} contest;

scree_entry scree_entry_make(const char *method, const char *scene, size_t n, uint32_t seed,
                             scree_scene_motion_kind kind, double amount, uint32_t steps)
{
    scree_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.method = method;
    entry.def = scree_default_detector_def();
    entry.trial.scene = scene;
    entry.trial.n = n;
    entry.trial.seed = seed;
    entry.trial.motion.kind = kind;
    entry.trial.motion.amount = amount;
    entry.trial.steps = steps;
    entry.trial.skipped = 1;
    entry.trial.threads = 1;
    entry.in_a_row = 1;
    return entry;
}

static scree_status compare(const scree_entry *entries, size_t count, scree_error *error)
{
    for (size_t b = 1; b < count; b++)
        for (size_t a = 0; a < b; a++)
            if (entries[a].group > 0 && entries[a].group == entries[b].group &&
                entries[a].measure.checksum != entries[b].measure.checksum)
                return scree_fail(error, SCREE_BAD_VALUE,
                                  "%s and %s find different pairs: scene %s, n %zu",
                                  entries[a].method, entries[b].method, entries[a].trial.scene,
                                  entries[a].trial.n);
    return SCREE_OK;
}

static scree_status run_entry(scree_runner *runner, uint32_t in_a_row, scree_measure *least,
                              scree_error *error)
{
    scree_status status = scree_runner_run(runner, least, error);
    for (uint32_t k = 1; k < in_a_row && status == SCREE_OK; k++) {
        scree_measure again;
        status = scree_runner_run(runner, &again, error);
        if (again.sec_cpu < least->sec_cpu)
            *least = again;
    }
    return status;
}

static scree_status run_all(contest *c, scree_entry *entries, size_t count, uint32_t repeats,
                            scree_error *error)
{
    for (uint32_t r = 0; r < repeats; r++) {
        for (size_t e = 0; e < count; e++) {
            scree_status status =
                run_entry(&c->runner[e], entries[e].in_a_row, &c->run[e][r], error);
            if (status != SCREE_OK)
                return status;
            entries[e].measure = c->run[e][r];
        }
        scree_status status = compare(entries, count, error);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static void keep_medians(const scree_measure *runs, uint32_t repeats, scree_entry *entry)
{
    double sec[SCREE_CONTEST_REPEATS], update[SCREE_CONTEST_REPEATS], rest[SCREE_CONTEST_REPEATS];
    double to_ms = 1e3 / entry->trial.steps;
    for (uint32_t r = 0; r < repeats; r++) {
        sec[r] = runs[r].sec_cpu;
        update[r] = runs[r].sec_update;
        rest[r] = runs[r].sec_rest;
    }
    entry->ms = scree_median(sec, repeats) * to_ms;
    entry->spread = sec[0] > 0 ? sec[repeats - 1] / sec[0] : 1; /* sorted by the median */
    entry->ms_update = scree_median(update, repeats) * to_ms;
    entry->ms_rest = scree_median(rest, repeats) * to_ms;
}

scree_status scree_contest_run(scree_entry *entries, size_t count, uint32_t repeats,
                               scree_error *error)
{
    contest c;
    scree_status status = SCREE_OK;
    assert(count <= SCREE_CONTEST_ENTRIES && repeats > 0 && repeats <= SCREE_CONTEST_REPEATS);
    memset(&c, 0, sizeof c);
    for (size_t e = 0; e < count && status == SCREE_OK; e++)
        status = scree_runner_create(&entries[e].trial, entries[e].method, &entries[e].def,
                                     &c.runner[e], error);
    if (status == SCREE_OK)
        status = run_all(&c, entries, count, repeats, error);
    for (size_t e = 0; e < count; e++) {
        if (status == SCREE_OK)
            keep_medians(c.run[e], repeats, &entries[e]);
        scree_runner_free(&c.runner[e]);
    }
    return status;
}
