/*  Sample files are written by the functions of the run, from the states at the start and at the end of a trial. */
#include "app/begin/check_cost.h"
#include "app/run/run.h"
#include "common/machine.h"
#include "common/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- sample files ------------------------------------------------------------------------------------------- */

static void take_in(scree_cost_part *part, const scree_scene_stopwatch *watch, double length)
{
    part->tries++;
    part->each += (scree_scene_stopwatch_read(watch) - part->each) / part->tries;
    part->length += (length - part->length) / part->tries;
}

static scree_status try_series(scree_run *run, const scree_run_series *series, const char *path,
                               scree_cost_part *part, scree_error *error)
{
    scree_scene_stopwatch watch = scree_scene_stopwatch_start(run->threads);
    scree_status status = scree_run_write_frame(run, series, path, error);

    part->name = scree_run_series_name(series);
    part->every = (scree_scene_every){series->schedule.time, series->schedule.steps};
    part->is_last_alone = series->is_last_alone;
    take_in(part, &watch, scree_machine_file_bytes(path));
    unlink(path);
    return status;
}

static scree_status try_checkpoint(scree_run *run, const char *path, scree_cost_part *part,
                                   scree_error *error)
{
    scree_scene_stopwatch watch = scree_scene_stopwatch_start(run->threads);
    scree_status status = scree_run_write_state(run, path, error);

    /* none at the start, but one at the end */
    part->name = "checkpoints";
    part->every = run->plan->checkpoint;
    part->is_last_alone = !part->every.steps && !(part->every.time > 0);
    part->max_kept = run->plan->checkpoints_kept ? run->plan->checkpoints_kept : 1;
    take_in(part, &watch, scree_machine_file_bytes(path));
    unlink(path);
    return status;
}

static scree_status try_metrics(scree_run *run, scree_cost_part *part, scree_error *error)
{
    const scree_scene_plan *plan = run->plan;
    scree_scene_stopwatch watch = scree_scene_stopwatch_start(run->threads);
    char *line;
    scree_status status = scree_run_metrics_row(run, &line, error);
    char *beside = status ? NULL : scree_run_detection_row(run);

    part->name = "metrics";
    part->every = plan->metrics;
    if (!part->every.steps && !(part->every.time > 0)) {
        part->every.steps = (plan->end_steps + 99) / 100;
        part->every.time = plan->end_time / 100;
    }
    take_in(part, &watch,
            (line ? (double)strlen(line) + 1 : 0) + (beside ? (double)strlen(beside) + 1 : 0));
    free(line);
    free(beside);
    return status;
}

static scree_status try_all(scree_run *run, const char *path, scree_cost *cost, scree_error *error)
{
    size_t count = run->series_count;
    scree_status status = SCREE_OK;

    if (!cost->part) {
        cost->part = calloc(count + 2, sizeof *cost->part);
        cost->part_count = cost->part ? count + 2 : 0;
    }
    if (!cost->part)
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < count && !status; k++)
        status = try_series(run, &run->series[k], path, &cost->part[k], error);
    if (!status)
        status = try_checkpoint(run, path, &cost->part[count], error);
    return status ? status : try_metrics(run, &cost->part[count + 1], error);
}

static int try_files(scree_run *run, scree_cost *cost)
{
    scree_error error = {SCREE_OUT_OF_MEMORY, "out of memory"};
    scree_status status = SCREE_OUT_OF_MEMORY;
    int code = scree_run_outputs_open(run);
    char *path = scree_folder_path(&run->folder, "file");

    if (code == SCREE_EXIT_OK) {
        if (path)
            status = try_all(run, path, cost, &error);
        code = status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
    }
    free(path);
    scree_run_outputs_close(run);
    free(run->measured);
    run->measured = NULL;
    return code;
}

int scree_check_files(scree_scene *scene, scree_world *world, uint32_t threads, scree_cost *cost)
{
    const char *place = getenv("TMPDIR");
    const scree_run_options options = {0};
    char folder[512];
    scree_run run;

    memset(&run, 0, sizeof run);
    run.options = &options;
    snprintf(folder, sizeof folder, "%s/scree-check-XXXXXX", place && place[0] ? place : "/tmp");
    if (!mkdtemp(folder))
        return scree_system_error(folder, "cannot make a temporary folder");
    run.scene = scene;
    run.plan = scree_scene_plan_of(scene);
    run.world = world;
    run.threads = threads;
    run.folder.path = folder;
    run.folder.lock = -1;
    scree_progress_begin(&run.progress, SCREE_PROGRESS_QUIET, stdout);
    scree_notes_begin(&run.notes, &run.progress);
    int code = try_files(&run, cost);
    scree_notes_end(&run.notes);
    rmdir(folder);
    return code;
}

/* ---- totals ------------------------------------------------------------------------------------------------ */

/*  Number of outputs at the start and at intervals until the end, but not twice after one step. */
static double times_of(const scree_cost_part *part, const scree_scene_trial *trial)
{
    double share = 0;

    if (part->is_last_alone)
        return 1;
    if (part->every.steps)
        share = trial->run_steps / (double)part->every.steps;
    else if (part->every.time > 0)
        share = trial->run_time / part->every.time;
    share = fmin(share, ceil(trial->run_steps * (1 - 1e-9)));
    return 1 + floor(share * (1 + 1e-9));
}

static double bytes_kept(const scree_cost_part *part)
{
    return part->length * (part->max_kept ? fmin(part->times, part->max_kept) : part->times);
}

/*  The trial's peak includes the program, the scene, the world, and one file of each kind; more bodies may be inserted.
    */
static double max_bytes(scree_world *world, const scree_scene_trial *trial, double before)
{
    double peak = scree_machine_peak_bytes(), bodies = (double)scree_world_body_count(world);
    double more = trial->max_bodies - bodies;

    if (bodies > 0 && more > 0)
        peak += more * (double)scree_world_totals(world).bytes / bodies;
    return fmax(before, peak);
}

void scree_check_sum(scree_world *world, const scree_scene_trial *trial, scree_cost *cost)
{
    cost->seconds = cost->start + trial->run_seconds;
    cost->min_seconds = cost->start + trial->min_seconds;
    cost->disk = 0;
    for (size_t k = 0; k < cost->part_count; k++) {
        cost->part[k].times = times_of(&cost->part[k], trial);
        double seconds = cost->part[k].times * cost->part[k].each;
        cost->seconds += seconds;
        cost->min_seconds += seconds * trial->min_steps / fmax(1, trial->run_steps);
        cost->disk += bytes_kept(&cost->part[k]);
    }
    cost->bytes = max_bytes(world, trial, cost->bytes);
}
