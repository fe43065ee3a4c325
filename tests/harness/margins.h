/*  Scenes played with a margin: whole updates become steps in time. */
#ifndef HARNESS_MARGINS_H
#define HARNESS_MARGINS_H

#include "run.h"

/*  What the first method reported, step by step: all others must report the same. */
typedef struct margin_record
{
    pair_list *steps; /* NULL before the first method */
    uint32_t step_count;
} margin_record;

/*  A share of all scenes: where true pairs are known, and ids are the caller's. */
bool scene_has_margin(const test_scene *scene);

/*  One of all kinds of margin, by the scene's seed. */
scree_margin_def scene_margin(const test_scene *scene);

/*  Every true pair of each step must be reported, and no other pairs than by the methods before. */
void run_scene_with_margin(expectation *expected, const char *method, const run_options *options,
                           margin_record *record, run_report *report);
void margin_record_free(margin_record *record);

#endif
