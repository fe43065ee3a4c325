/*  Hooks of a run: its threads, its log, the time since its start; and its scene, which has the log. */
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "common/machine.h"
#include "common/options.h"

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

int scree_run_open_scene(scree_run *run, scree_scene_def def)
{
    scree_error error = {SCREE_OK, ""};

    def.log = scree_notes_hook(&run->notes);
    def.error = &error;
    scree_status status = scree_scene_open(&def, &run->scene);
    if (status)
        return scree_status_error(status, error.text);
    run->plan = scree_scene_plan_of(run->scene);
    return SCREE_EXIT_OK;
}
