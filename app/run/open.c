/*  From a command line to a world ready for its first step. The scene is read and the world made before anything is
    written, so an invalid scene leaves no folder behind. */
#include "app/run/check_plan.h"
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "common/options.h"

#include "io/write_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- threads, scene, world ---- */

static int open_scene(scree_run *run)
{
    scree_scene_def def = scree_default_scene_def();

    def.path = run->options->scene;
    if (!def.path) {
        def.text = run->options->text;
        def.name = run->options->name;
        def.folder = run->options->base;
    }
    def.settings = run->options->settings;
    def.setting_count = run->options->setting_count;
    return scree_run_open_scene(run, def);
}

/*  Audits are part of a scene's world only if the scene has them: makes a copy of the world with audits. */
static int set_audit(scree_run *run)
{
    scree_error error = {SCREE_OK, ""};
    scree_world_def hooks = scree_run_hooks(run), def = run->plan->world;
    scree_world *copy = NULL;

    if (!run->options->audit || run->options->audit == def.detection.audit)
        return SCREE_EXIT_OK;
    def.detection.audit = hooks.detection.audit;
    def.compute.tasks = hooks.compute.tasks;
    def.hooks.log = hooks.hooks.log;
    def.hooks.error = &error;
    scree_status status = scree_world_copy(run->world, &def, &copy);
    if (!status) {
        scree_world_destroy(run->world);
        run->world = copy;
    }
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

static int make_world(scree_run *run)
{
    scree_world_def hooks = scree_run_hooks(run);
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_scene_build(run->scene, &hooks, &run->world, &error);

    if (!status)
        status = scree_scene_start(run->scene, run->world, &error);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

/* ---- end of the run ---- */

static int set_end(scree_run *run)
{
    const scree_scene_plan *plan = run->plan;

    /* another scene has its own end */
    if (run->options->steps || run->options->whole || run->options->with)
        run->set_steps = run->options->steps;
    run->end_steps = run->set_steps ? run->set_steps : plan->end_steps;
    run->end_time = run->end_steps ? 0 : plan->end_time;
    /* an implicit step that was shortened grows again by a factor of 2 */
    run->growth = plan->world.step.mode == SCREE_TIME_AUTOMATIC ? plan->world.step.max_growth
                  : plan->world.step.integrator >= SCREE_IMPLICIT_EULER ? 2
                                                                        : 1;
    if (!run->end_steps && !(run->end_time > 0) && !plan->ends_by_stages)
        return scree_usage_error("run: the scene does not say when the run ends; give --steps N");
    return SCREE_EXIT_OK;
}

/* ---- the folder ---- */

static int write_scene(scree_run *run)
{
    scree_error error = {SCREE_OUT_OF_MEMORY, "scene.lua: out of memory"};
    scree_file file;
    char *path = scree_folder_path(&run->folder, "scene.lua");
    scree_status status = path ? scree_file_begin(&file, path, NULL, &error) : SCREE_OUT_OF_MEMORY;

    if (!status) {
        scree_file_put_text(&file, scree_scene_resolved(run->scene));
        status = scree_file_commit(&file);
    }
    free(path);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

static int open_log(scree_run *run)
{
    char *path = scree_folder_path(&run->folder, "log.txt");
    /* lines that were waiting are written to it */
    scree_lines waiting = run->notes.log;
    int code = SCREE_EXIT_OK;

    if (!path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    if (!scree_lines_open(&run->notes.log, path))
        code = scree_system_error(path, "cannot open");
    run->notes.log.pending = waiting.pending;
    run->notes.log.used = waiting.used;
    run->notes.log.capacity = waiting.capacity;
    free(path);
    return code;
}

static void set_start(scree_run *run)
{
    time_t now = time(NULL);
    struct tm day;

    if (gmtime_r(&now, &day))
        strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", &day);
}

/*  Reports if rows that a run has written are missing. */
static int check_table(const scree_run *run, const char *name, const scree_lines_mark *mark)
{
    char *path = mark->is_known ? scree_folder_path(&run->folder, "%s", name) : NULL;
    int code = SCREE_EXIT_OK;

    if (mark->is_known && !path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    if (path && !run->options->force && !scree_lines_have(path, mark))
        code = scree_usage_error(
            "%s: was removed, cut or changed since the checkpoint of step %" PRIu64
            "; restore it, or continue with what is there by --force",
            path, run->checkpoint_step);
    free(path);
    return code;
}

/*  The scene and the state with which the run continues: from now on without --with. */
static int keep_change(scree_run *run)
{
    int code = write_scene(run);

    if (code == SCREE_EXIT_OK && !scree_run_checkpoint(run))
        code = SCREE_EXIT_SYSTEM;
    return code;
}

/*  Reads the run's own records in the checkpoint; changes of this call are added to earlier ones. */
static int recall(scree_run *run)
{
    char *fresh = run->changes;
    bool good;

    run->changes = NULL;
    good = !run->kept || scree_run_recall(run, run->kept, run->kept_bytes);
    if (!good)
        scree_notes_error(&run->notes, "the checkpoint has no record of what the run had written");
    for (const char *at = fresh; at && *at && good; at += strcspn(at, "\n") + 1)
        good = scree_run_add_change(run, at, strcspn(at, "\n"));
    free(fresh);
    return good ? SCREE_EXIT_OK : SCREE_EXIT_INPUT;
}

/*  Opens the output from the present state on. The length of the run follows from the checkpoint, and the interval
    of metrics from the length. */
static int open_outputs(scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_scene_every every = run->plan->checkpoint;
    bool is_resumed = run->has_checkpoint;
    int code = scree_run_outputs_open(run);

    run->first_step = clock.steps;
    if (code == SCREE_EXIT_OK)
        code = recall(run);
    if (code != SCREE_EXIT_OK)
        return code;
    scree_run_outputs_look(run);
    scree_run_stages_recall(run);
    code = set_end(run);
    if (code != SCREE_EXIT_OK)
        return code;
    scree_run_film_open(run);
    run->checkpoint_due = scree_schedule_begin(every.steps, every.time, clock, false);
    code = check_table(run, "metrics.csv", &run->metrics_mark);
    if (code == SCREE_EXIT_OK)
        code = check_table(run, "breaks.csv", &run->breaks_mark);
    if (code != SCREE_EXIT_OK)
        return code;
    bool good = scree_run_metrics_open(run, is_resumed) && scree_run_breaks_open(run, is_resumed) &&
                scree_run_detection_open(run, is_resumed);
    scree_run_stages_open(run);
    return good ? SCREE_EXIT_OK : SCREE_EXIT_SYSTEM;
}

static void warn_of_scene(const char *text, void *user)
{
    scree_run *run = user;

    scree_notes_warn(&run->notes, SCREE_NOTE_SCENE, "%s: %s",
                     run->options->scene ? run->options->scene : "scene", text);
}

static int open_new(scree_run *run)
{
    const scree_run_options *options = run->options;
    int code = open_scene(run);

    if (code == SCREE_EXIT_OK)
        code = set_end(run);
    if (code == SCREE_EXIT_OK)
        code = make_world(run);
    if (code == SCREE_EXIT_OK)
        code = set_audit(run);
    if (code == SCREE_EXIT_OK)
        code = scree_run_ranks_open(run);
    if (code == SCREE_EXIT_OK)
        code = scree_folder_open(&run->folder, options->folder, false, options->force);
    set_start(run);
    if (code != SCREE_EXIT_OK)
        return code;
    /* write run.json first: it marks the folder as one of a run, which may be started again as long as there is no
       scene.lua */
    code = open_log(run);
    if (code == SCREE_EXIT_OK && !scree_run_record(run, 0))
        code = SCREE_EXIT_SYSTEM;
    if (code == SCREE_EXIT_OK)
        code = write_scene(run);
    if (code == SCREE_EXIT_OK)
        scree_check_plan(run->plan, warn_of_scene, run);
    if (code != SCREE_EXIT_OK && !scree_lines_cut(&run->notes.log, 0))
        scree_system_error(run->folder.path, "cannot restore log.txt");
    return code;
}

static int open_old(scree_run *run)
{
    const scree_run_options *options = run->options;
    int code = scree_folder_open(&run->folder, options->folder, true, false);

    if (code == SCREE_EXIT_OK)
        code = open_log(run);
    set_start(run);
    if (code == SCREE_EXIT_OK) {
        scree_run_record_read(run);
        run->resumed++;
        code = scree_run_resume(run);
    }
    if (code == SCREE_EXIT_OK && options->with)
        code = scree_run_change(run);
    if (code == SCREE_EXIT_OK && !run->world)
        code = make_world(run);
    if (code == SCREE_EXIT_OK)
        code = set_audit(run);
    if (code == SCREE_EXIT_OK)
        code = scree_run_ranks_open(run);
    return code;
}

int scree_run_open(scree_run *run, const scree_run_options *options)
{
    run->options = options;
    run->folder.lock = -1;
    run->metrics.descriptor = run->breaks.descriptor = run->detection.descriptor = -1;
    scree_progress_begin(&run->progress, options->mode, stdout);
    scree_notes_begin(&run->notes, &run->progress);
    int code = options->resume ? open_old(run) : open_new(run);
    if (code != SCREE_EXIT_OK)
        return code;
    code = open_outputs(run);
    if (code == SCREE_EXIT_OK && options->with)
        code = keep_change(run);
    if (code == SCREE_EXIT_OK) {
        if (options->resume)
            scree_run_record(run, 0);
        scree_notes_log(&run->notes, "scree %s, %" PRIu32 " threads, step %" PRIu64,
                        SCREE_VERSION_TEXT, run->threads, run->first_step);
    }
    return code;
}

void scree_run_close(scree_run *run)
{
    scree_progress_clear(&run->progress);
    scree_notes_end(&run->notes);
    scree_lines_close(&run->metrics);
    scree_lines_close(&run->breaks);
    scree_lines_close(&run->detection);
    scree_run_outputs_close(run);
    scree_run_ranks_close(run);
    scree_world_destroy(run->world);
    scree_scene_close(run->scene);
    scree_pool_destroy(run->pool);
    scree_folder_close(&run->folder);
    free(run->measured);
    free(run->kept);
    free(run->changes);
}
