#include "claims/speed_up.h"

#include "base/error.h"

#include <math.h>

#define REPEATS 3

static scree_status run_pair(scree_runner runner[2], double least[2], scree_error *error)
{
    scree_measure measure[2];
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (int k = 0; k < 2; k++) {
            scree_status status = scree_runner_run(&runner[k], &measure[k], error);
            if (status != SCREE_OK)
                return status;
            least[k] = fmin(least[k], measure[k].sec);
        }
    return measure[0].checksum == measure[1].checksum
               ? SCREE_OK
               : scree_fail(error, SCREE_BAD_VALUE, "two threads find other pairs than one");
}

scree_status scree_study_speed_up(scree_study *study, const char *rows, const scree_entry *entry,
                                  scree_error *error)
{
    scree_runner runner[2];
    double least[2] = {INFINITY, INFINITY};
    int made = 0;
    scree_status status = SCREE_OK;

    scree_study_tell(study, "two threads: %zu bodies", entry->trial.n);
    for (; made < 2 && status == SCREE_OK; made++) {
        scree_trial trial = entry->trial;
        trial.threads = 1 + (uint32_t)made;
        status = scree_runner_create(&trial, entry->method, &entry->def, &runner[made], error);
        if (status != SCREE_OK)
            break;
    }
    if (status == SCREE_OK)
        status = run_pair(runner, least, error);
    while (made > 0)
        scree_runner_free(&runner[--made]);
    if (status != SCREE_OK)
        return status;
    scree_claim *note = scree_study_note(study, "two threads", rows);
    scree_claim_say(note, "two threads are %.2f times as fast as one (%zu bodies)",
                    least[0] / least[1], entry->trial.n);
    note->pass = least[1] < least[0];
    return SCREE_OK;
}
