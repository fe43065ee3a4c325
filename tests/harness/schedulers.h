/*  Three hosts that are no help: results must not depend on who runs what, or when. */
#ifndef HARNESS_SCHEDULERS_H
#define HARNESS_SCHEDULERS_H

#include "scree/base.h"

/*  Runs nothing when it is handed over, and all that waits, last first, when one is waited for. */
typedef struct reverse_scheduler
{
    struct
    {
        scree_task_fn *task;
        void *data;
    } waiting[64];
    uint32_t count;
} reverse_scheduler;

scree_tasks reverse_scheduler_tasks(reverse_scheduler *self);

/*  Runs each task at once, and returns no handle. */
scree_tasks inline_scheduler_tasks(void);

/*  A thread for each task, which sleeps a while first. */
typedef struct delay_scheduler
{
    uint64_t seed, next;
} delay_scheduler;

scree_tasks delay_scheduler_tasks(delay_scheduler *self);

#endif
