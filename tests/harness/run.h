/*  Plays a scene to one method, or to all that the registry has, and compares every answer with what
    is expected. No method is named here: one that is in the registry is tested. */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include "expect.h"

/*  How a scene is played. All zero: one thread, best instructions. */
typedef struct run_options
{
    scree_simd simd;
    scree_tasks tasks;
    uint32_t thread_count; /* for the message; 0 is 1 */
} run_options;

typedef struct run_report
{
    bool failed;
    uint32_t step;
    char method[64];
    char text[1600];
    uint64_t sequence; /* digest of all pairs in the order in which they came */
} run_report;

void run_scene(expectation *expected, const char *method, const run_options *options,
               run_report *report);

typedef struct check_options
{
    const char *method; /* NULL: all */
    bool all_simd;      /* another level for each method and scene; else options.simd */
    reference_lie lie;
    run_options run;
} check_options;

/*  The scene against the reference: all methods, or one. A query is asked of the first method of the
    registry as well, since all must agree on it to the last bit. Returns whether all is well. */
bool check_scene(const test_scene *scene, const check_options *options, run_report *report);

/*  Levels that this processor has. */
uint32_t simd_levels(scree_simd levels[SCREE_SIMD_AVX512]);

#endif
