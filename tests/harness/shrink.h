/*  Makes a failing scene small: steps, bodies and rows are taken out and numbers rounded as long as
    it still fails with the same method. */
#ifndef HARNESS_SHRINK_H
#define HARNESS_SHRINK_H

#include "run.h"

/*  `report` is that of the failure, and then that of the small scene. At most `tries` runs. */
void shrink_scene(test_scene *scene, const check_options *options, run_report *report,
                  uint32_t tries);

/*  Prints a failure: what, where, the command that repeats it, and the small scene. */
void report_failure(const test_scene *scene, const check_options *options,
                    const run_report *report);

/*  check_scene of the scene of a seed; shrinks and reports if it fails. */
bool check_seed(uint64_t seed, const check_options *options, bool quiet);

#endif
