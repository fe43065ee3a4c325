/*  Values that are the same for all stages of a step. */
#ifndef SCREE_WORLD_STEP_DATA_H
#define SCREE_WORLD_STEP_DATA_H

#include "base/error.h"
#include "base/exact_sum.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "law/law_table.h"
#include "scree/world.h"
#include "world/state/bodies.h"
#include "world/state/settings.h"

/*  The current step, as the folders below it see it. step/room_data.c fills it for each stage. */
typedef struct scree_step
{
    const scree_world_def *def;
    const scree_rules *rules;
    const scree_workers *workers;
    scree_memory *memory;
    scree_error *error;
    scree_simd simd;
    uint64_t number; /* from 1 */
    double time;     /* at its end */
    double dt;
    /* exact sums over all ranks; NULL: this world has all bodies */
    scree_status (*sum)(void *user, scree_exact_sum *sums, size_t count);
    /* NULL as well: the largest of each value, and sums of words, over all ranks */
    scree_status (*largest)(void *user, double *values, size_t count);
    scree_status (*add)(void *user, uint64_t *words, size_t count);
    /* temperatures of ghosts from their owners; NULL as well */
    scree_status (*share_heat)(void *user, scree_body_arrays *bodies);
    void *ranks; /* user of all */
} scree_step;

#endif
