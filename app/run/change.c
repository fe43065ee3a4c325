/*  `--resume DIR --with SCENE`: continues a run with another scene. The world of the new scene is built for the time
    of the checkpoint and gets its state, so everything that does not fit (materials, contact models, walls, sources)
    is refused while the state is restored. Settings that are part of the state, such as the time step, are then
    changed if both scenes differ. */
#include "app/run/run.h"
#include "common/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*  Records a difference for the log, run.json and checkpoints. */
static void note(scree_run *run, const char *format, ...) SCREE_PRINTF(2, 3);

static void note(scree_run *run, const char *format, ...)
{
    char text[300];
    va_list list;
    int used =
        snprintf(text, sizeof text, "step %" PRIu64 ": ", scree_world_clock(run->world).steps);

    va_start(list, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, list);
    va_end(list);
    (void)scree_run_add_change(run, text, strlen(text));
    scree_notes_say(&run->notes, "changed at %s", text);
}

static void note_setting(const char *text, void *user)
{
    note(user, "%s", text);
}

static void note_number(scree_run *run, const char *what, const char *unit, double before,
                        double after)
{
    if (before != after)
        note(run, "%s %.9g%s is now %.9g%s", what, before, unit, after, unit);
}

static void note_every(scree_run *run, const char *what, scree_scene_every before,
                       scree_scene_every after)
{
    note_number(run, what, " s", before.time, after.time);
    note_number(run, what, " steps", (double)before.steps, (double)after.steps);
}

/* ---- permitted differences ---- */

/*  Frames are numbered by their interval from the start: with a longer interval new frames would overwrite old ones. */
static bool is_rarer(scree_scene_every before, scree_scene_every after)
{
    return after.time > before.time || after.steps > before.steps ||
           (before.time > 0) != (after.time > 0) || (before.steps > 0) != (after.steps > 0);
}

static int refuse(const scree_run *run, const char *what)
{
    scree_message("%s: %s", run->options->with, what);
    return SCREE_EXIT_INPUT;
}

static int check_outputs(const scree_run *run, const scree_scene_plan *old,
                         const scree_scene_plan *new)
{
    bool same = old->output_count == new->output_count &&
                old->picture_count == new->picture_count && old->fields_count == new->fields_count;

    for (size_t k = 0; same && k < old->output_count; k++)
        same = old->outputs[k].write == new->outputs[k].write;
    for (size_t k = 0; same && k < old->fields_count; k++)
        same = old->fields[k].format == new->fields[k].format;
    if (!same)
        return refuse(run,
                      "output: the run writes other files; how often may change, but not which");
    for (size_t k = 0; k < old->output_count; k++)
        if (is_rarer(old->outputs[k].every, new->outputs[k].every))
            return refuse(run, "output: every: is longer than it was, or of another kind, so that "
                               "frames would overwrite "
                               "those of earlier times; it may only become shorter");
    for (size_t k = 0; k < old->picture_count; k++)
        if (is_rarer(old->pictures[k].every, new->pictures[k].every))
            return refuse(
                run,
                "picture: every: is longer than it was, or of another kind, so that pictures would "
                "overwrite those of earlier times; it may only become shorter");
    for (size_t k = 0; k < old->fields_count; k++)
        if (is_rarer(old->fields[k].every, new->fields[k].every))
            return refuse(
                run,
                "fields: every: is longer than it was, or of another kind, so that files would "
                "overwrite those of earlier times; it may only become shorter");
    return SCREE_EXIT_OK;
}

/*  Frames of a stage are numbered by its interval, too. */
static int check_stages(const scree_run *run, const scree_scene_plan *old,
                        const scree_scene_plan *new)
{
    for (size_t k = 0; k < old->stage_count && k < new->stage_count; k++) {
        double before = old->stages[k].output_every, after = new->stages[k].output_every;
        if (after > before || (before > 0) != (after > 0))
            return refuse(run, "stage: output_every: is longer than it was, or of another kind, so "
                               "that frames would "
                               "overwrite those of earlier times; it may only become shorter");
    }
    return SCREE_EXIT_OK;
}

static int check_scene(const scree_run *run, const scree_scene *old, const scree_scene *new)
{
    char part[200], text[300];

    if (scree_scene_is_same(old, new, part, sizeof part))
        return SCREE_EXIT_OK;
    snprintf(text, sizeof text, "%s: must be as it was; a new run can have another", part);
    return refuse(run, text);
}

static int check_columns(const scree_run *run, const scree_scene *old, const scree_scene *new)
{
    size_t count = scree_scene_column_count(old);
    bool same = count == scree_scene_column_count(new) &&
                scree_scene_standard_count(old) == scree_scene_standard_count(new);

    for (size_t k = 0; same && k < count; k++)
        same = strcmp(scree_scene_column_name(old, k), scree_scene_column_name(new, k)) == 0;
    return same ? SCREE_EXIT_OK
                : refuse(run, "metrics.csv would have other columns; measurements, sources and "
                              "columns must be the same");
}

/*  Others are compared when the state is restored. */
static int check_solver(const scree_run *run, const scree_scene *old, const scree_scene *new)
{
    const char *what = scree_scene_other_solver(old, new);
    char text[100];

    if (!what)
        return SCREE_EXIT_OK;
    snprintf(text, sizeof text, "solver: %s: must be as it was; a new run can have another", what);
    return refuse(run, text);
}

static void note_stage(scree_run *run, const scree_scene_stage *old, const scree_scene_stage *new)
{
    note_number(run, "at_most of a stage", " s", old->at_most, new->at_most);
    note_number(run, "metrics_every of a stage", " s", old->metrics_every, new->metrics_every);
    note_number(run, "output_every of a stage", " s", old->output_every, new->output_every);
    for (uint32_t k = 0; k < old->change_count; k++)
        for (int i = 0; i < 3; i++)
            note_number(run, "a number that a stage changes", "", old->changes[k].number[i],
                        new->changes[k].number[i]);
    for (uint32_t k = 0; k < old->change_count; k++)
        for (uint32_t i = 0; i < old->changes[k].value_count; i++)
            note_number(run, "a value that a stage changes", "", old->changes[k].values[i],
                        new->changes[k].values[i]);
}

static void note_plan(scree_run *run, const scree_scene_plan *old)
{
    const scree_scene_plan *new = run->plan;

    note_number(run, "the end", " s", old->end_time, new->end_time);
    note_number(run, "the end", " steps", (double)old->end_steps, (double)new->end_steps);
    note_every(run, "metrics: every", old->metrics, new->metrics);
    note_every(run, "checkpoint: every", old->checkpoint, new->checkpoint);
    for (size_t k = 0; k < old->output_count; k++)
        note_every(run, "output: every", old->outputs[k].every, new->outputs[k].every);
    for (size_t k = 0; k < old->picture_count; k++)
        note_every(run, "picture: every", old->pictures[k].every, new->pictures[k].every);
    for (size_t k = 0; k < old->fields_count; k++) {
        note_every(run, "fields: every", old->fields[k].every, new->fields[k].every);
        note_every(run, "fields: sample_every", old->fields[k].sample, new->fields[k].sample);
    }
    note_every(run, "metrics: sample_every", old->sample, new->sample);
    for (size_t k = 0; k < old->stage_count; k++)
        note_stage(run, &old->stages[k], &new->stages[k]);
    /* a course fits only a scene with as many conditions of the same kinds */
    for (size_t k = 0; k < old->condition_count; k++) {
        note_number(run, "bound of a condition", "", old->conditions[k].bound,
                    new->conditions[k].bound);
        note_number(run, "during of a condition", " s", old->conditions[k].during,
                    new->conditions[k].during);
    }
}

/* ---- the new scene ---- */

static int open_scene(scree_run *run, scree_scene **scene)
{
    scree_scene_def def = scree_default_scene_def();
    scree_error error = {SCREE_OK, ""};

    def.path = run->options->with;
    def.settings = run->options->settings;
    def.setting_count = run->options->setting_count;
    def.log = scree_notes_hook(&run->notes);
    def.error = &error;
    scree_status status = scree_scene_open(&def, scene);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

/*  Of the new scene, before it is the run's. */
typedef struct changing
{
    scree_run *run;
    const scree_scene_plan *plan;
} changing;

/*  A value of a material or a rule that the scenes say differently. */
static void note_value(bool is_rule, uint32_t index, const char *name, double before, double after,
                       void *user)
{
    const changing *c = user;
    char what[120];

    if (is_rule)
        snprintf(what, sizeof what, "%.40s of the rule of line %d", name,
                 c->plan->rules[index - 1].line);
    else
        snprintf(what, sizeof what, "%.40s of the material of line %d", name,
                 c->plan->material_lines[index - 1]);
    note_number(c->run, what, "", before, after);
}

/*  The state of the checkpoint that the run was to go on from, into a world of the scene. */
static int take_state(scree_run *run, const scree_scene *old, scree_scene *scene,
                      scree_world **world)
{
    scree_error error = {SCREE_OUT_OF_MEMORY, "out of memory"};
    scree_world_def hooks = scree_run_hooks(run);
    scree_checkpoint *checkpoint = NULL;
    scree_checkpoint_part course = {0};
    char *path = scree_run_checkpoint_path(run, run->checkpoint_step);
    scree_status status =
        path ? scree_checkpoint_read(path, NULL, &checkpoint, &error) : SCREE_OUT_OF_MEMORY;

    free(path);
    if (!status && !scree_checkpoint_part_of(checkpoint, "course", &course))
        status = SCREE_BAD_FILE;
    if (!status)
        status =
            scree_scene_build_with(scene, old, &hooks, course.data, course.bytes, world, &error);
    if (!status)
        status = scree_checkpoint_restore(checkpoint, *world, &error);
    if (!status)
        status = scree_scene_course_load(scene, course.data, course.bytes, &error);
    changing c = {run, scree_scene_plan_of(scene)};
    if (!status)
        status = scree_scene_take_values(scene, old, *world, note_value, &c, &error);
    scree_checkpoint_destroy(checkpoint);
    if (!status)
        return SCREE_EXIT_OK;
    scree_message(
        "%s: the state of step %" PRIu64 " does not fit: %s; what may change: the step, "
        "damping, gravity, values of materials and rules, sleep, bounds of conditions, the "
        "end, and how often something is written",
        run->options->with, run->checkpoint_step, error.text);
    return status == SCREE_OUT_OF_MEMORY ? SCREE_EXIT_MEMORY : SCREE_EXIT_INPUT;
}

/*  A step that the scene gives, with stiffer values. */
static void warn_of_step(scree_run *run)
{
    const scree_world_def *def = &run->plan->world;
    scree_stable_step stable;
    double dt = scree_scene_dt(run->scene);

    if (def->step.mode != SCREE_TIME_FIXED || def->step.local_steps ||
        def->step.integrator >= SCREE_IMPLICIT_EULER ||
        scree_world_stable_step(run->world, &stable) || !(dt > stable.dt))
        return;
    scree_notes_warn(&run->notes, SCREE_NOTE_RESUME,
                     "%s: the step of %.3g s is longer than the stable one, %.3g s; use "
                     "solver { dt = %.2g }, or leave out dt, so that steps are automatic",
                     run->options->with, dt, stable.dt, 0.2 * stable.dt);
}

int scree_run_change(scree_run *run)
{
    scree_scene *scene = NULL, *old = run->scene;
    scree_world *world = NULL;
    const scree_scene_plan *plan = run->plan;

    if (!run->has_checkpoint)
        return scree_usage_error(
            "run: --with: there is no checkpoint yet; start again with --force");
    int code = open_scene(run, &scene);
    if (code == SCREE_EXIT_OK)
        code = check_outputs(run, plan, scree_scene_plan_of(scene));
    if (code == SCREE_EXIT_OK)
        code = check_solver(run, old, scene);
    if (code == SCREE_EXIT_OK)
        code = check_columns(run, old, scene);
    if (code == SCREE_EXIT_OK)
        code = check_scene(run, old, scene);
    if (code == SCREE_EXIT_OK)
        code = check_stages(run, plan, scree_scene_plan_of(scene));
    if (code == SCREE_EXIT_OK)
        code = take_state(run, old, scene, &world);
    if (code != SCREE_EXIT_OK) {
        scree_world_destroy(world);
        scree_scene_close(scene);
        return code;
    }
    scree_world_destroy(run->world);
    run->world = world;
    run->scene = scene;
    run->plan = scree_scene_plan_of(scene);
    note(run, "the scene is now %s", run->options->with);
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_scene_take_settings(scene, old, world, note_setting, run, &error);
    if (!status)
        note_plan(run, plan);
    if (!status)
        warn_of_step(run);
    scree_scene_close(old);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}
