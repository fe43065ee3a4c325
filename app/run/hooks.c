/*  Hooks of a run: its threads, its log, the time since its start. */
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "common/machine.h"

#include "base/clock.h"

double scree_run_wall(const scree_run *run)
{
    return scree_clock_seconds() - run->notes.began;
}

scree_world_def scree_run_hooks(scree_run *run)
{
    scree_world_def hooks = scree_default_world_def();

    if (!run->pool) {
        run->threads = run->options->threads ? (uint32_t)run->options->threads
                       : run->plan->threads  ? run->plan->threads
                       : run->options->ranks ? scree_run_ranks_threads(run->options->ranks)
                                             : scree_machine_cores();
        if (scree_pool_create(run->threads, NULL, &run->pool))
            run->pool = NULL;
    }
    if (run->pool) {
        hooks.compute.tasks = scree_pool_tasks(run->pool);
        run->threads = scree_pool_thread_count(run->pool);
    }
    hooks.detection.audit = (uint32_t)run->options->audit;
    hooks.compute.device = run->options->device;
    hooks.hooks.log = scree_notes_hook(&run->notes);
    return hooks;
}
