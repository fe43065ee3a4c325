/*  A detector under test, and the comparison of its pairs and hits with what is expected. */
#ifndef HARNESS_COMPARE_H
#define HARNESS_COMPARE_H

#include "failing_allocator.h"
#include "run.h"

typedef struct run
{
    const test_scene *scene;
    expectation *expected;
    run_report *report;
    scree_detector *detector;
    uint32_t step;
    failing_allocator memory; /* never fails here, but keeps books */
} run;

/*  Only the first failure is kept. */
void run_fail(run *r, const char *format, ...) SCREE_PRINTF(2, 3);

void compare_pairs(run *r, uint32_t checks);
void compare_query(run *r, const scene_step *step);

#endif
