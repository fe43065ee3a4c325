/*  scree check: a run without the run. Reports what the scene contains, whether its numbers are plausible, which bodies
    overlap at the start, the stable step and what limits it, the choice of detection method, and from a short trial the
    time and memory of the run. */
#include "app/begin/check_cost.h"
#include "app/begin/check_stages.h"
#include "app/begin/verbs.h"
#include "app/run/check_plan.h"
#include "app/run/forecast.h"
#include "common/machine.h"
#include "dist/ranks.h"
#include "examine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SETTINGS 256

/* ---- words ------------------------------------------------------------------------------------------------ */

#define SECONDS_A_YEAR 31557600.0

static void print_duration(double sec)
{
    if (sec < 120)
        printf("%.3g s", sec);
    else if (sec < 7200)
        printf("%.3g min", sec / 60);
    else if (sec < 172800)
        printf("%.3g h", sec / 3600);
    else if (sec < 2 * SECONDS_A_YEAR)
        printf("%.3g days", sec / 86400);
    else
        printf("%.3g years", sec / SECONDS_A_YEAR);
}

static const char *material_name(const scree_scene_plan *plan, uint32_t material)
{
    const char *name = material ? plan->materials[material - 1].name : "";
    return name[0] ? name : "a material";
}

/* ---- findings --------------------------------------------------------------------------------------------- */

static int findings;

static void note(const char *text)
{
    printf("  note: %s\n", text);
    findings++;
}

static void note_of_plan(const char *text, void *user)
{
    (void)user;
    note(text);
}

#define MAX_WARNINGS 10

/*  Messages logged while the scene was read. */
static char warnings[MAX_WARNINGS][400];
static int warning_count;

static void keep_warning(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)id;
    (void)user;
    if (level == SCREE_LOG_WARNING && warning_count < MAX_WARNINGS)
        snprintf(warnings[warning_count++], sizeof warnings[0], "%s", text);
}

static void repeat_warnings(void)
{
    for (int k = 0; k < warning_count; k++)
        note(warnings[k]);
}

/*  Values that are possible, but are more often an error of units. */
static void judge_units(const scree_scene_plan *plan, const scree_scene_exam *exam)
{
    char text[300];

    for (size_t i = 0; i < plan->material_count && plan->world.dimensions == 3; i++) {
        const scree_material_def *m = &plan->materials[i];
        if (m->density < 10 || m->density > 25000) {
            snprintf(text, sizeof text,
                     "line %d: the density of %s is %g kg/m^3; solids have 100 to 23000%s",
                     plan->material_lines[i], material_name(plan, (uint32_t)i + 1), m->density,
                     m->density < 25 ? " (is it in g/cm^3?)" : "");
            note(text);
        }
        if (m->young < 1e4) {
            snprintf(text, sizeof text,
                     "line %d: %s with a Young's modulus of %g Pa is softer than a jelly (is it in "
                     "MPa or GPa?)",
                     plan->material_lines[i], material_name(plan, (uint32_t)i + 1), m->young);
            note(text);
        }
    }
    if (exam->most > 0.5 || (exam->least > 0 && exam->least < 1e-6)) {
        snprintf(text, sizeof text, "radii are from %g to %g m (are they in mm?)", exam->least,
                 exam->most);
        note(text);
    }
    if (exam->gravity > 0 && (exam->gravity < 0.1 || exam->gravity > 300)) {
        bool is_in_mm = exam->gravity > 9.7e-3 && exam->gravity < 9.9e-3;
        snprintf(text, sizeof text, "gravity is %g m/s^2; on the earth it is 9.81%s", exam->gravity,
                 is_in_mm ? " (that is 9810 mm/s^2: was it given in m/s^2 where lengths are in mm?)"
                          : "");
        note(text);
    }
    if (exam->weight_overlap > 0.02) {
        snprintf(text, sizeof text,
                 "under the weight of all bodies the lowest overlap by about %.2g of their radius: "
                 "a stiffer material would be more realistic",
                 exam->weight_overlap);
        note(text);
    }
}

static void judge_start(const scree_scene_exam *exam)
{
    char text[400];

    if (exam->refusal[0]) {
        snprintf(text, sizeof text, "the first step is refused: %s", exam->refusal);
        note(text);
    } else if (exam->deepest > 0.05) {
        snprintf(text, sizeof text,
                 "at the start bodies overlap by up to %.2g of the smaller radius: they will jump "
                 "apart",
                 exam->deepest);
        note(text);
    }
}

/*  Walls whose motion begins later than the trial. */
static void judge_walls(const scree_scene_plan *plan, const scree_scene_exam *exam)
{
    double dt = ldexp(plan->world.step.dt, -(int)plan->world.step.local_steps),
           thinnest = exam->least;
    char text[400];

    if (exam->min_skin > 0)
        thinnest = fmin(thinnest, exam->min_skin);
    if (plan->world.step.mode != SCREE_TIME_FIXED || !(thinnest > 0) ||
        !(exam->wall_speed * dt > thinnest))
        return;
    snprintf(text, sizeof text,
             "wall %" PRIu32
             " goes up to %.3g m/s, %.3g m in a step of %.3g s: it would pass through bodies of "
             "%.3g m, and such a step is refused; use steps of at most %.3g s",
             exam->fast_wall, exam->wall_speed, exam->wall_speed * dt, dt, thinnest,
             thinnest / exam->wall_speed);
    note(text);
}

/*  Smallest sensible fraction of the stable step. */
#define SHORT_STEP 1e-3

static void judge_step(const scree_scene_plan *plan, const scree_scene_exam *exam,
                       const scree_scene_trial *trial, const scree_cost *cost)
{
    char text[300];

    if (plan->world.step.mode == SCREE_TIME_FIXED &&
        ldexp(plan->world.step.dt, -(int)plan->world.step.local_steps) > exam->stable) {
        snprintf(text, sizeof text,
                 "the step of %.3g s is longer than the stable step (%.3g s): the run will be "
                 "refused, or its results will be wrong",
                 plan->world.step.dt, exam->stable);
        note(text);
    }
    if (plan->world.step.mode == SCREE_TIME_FIXED &&
        plan->world.step.dt < SHORT_STEP * exam->stable && isfinite(exam->stable)) {
        snprintf(text, sizeof text,
                 "the step of %.3g s is %.3g times shorter than necessary (%.3g s is stable): is "
                 "it in s?",
                 plan->world.step.dt, exam->stable / plan->world.step.dt, exam->stable);
        note(text);
    }
    if (trial->run_seconds > SECONDS_A_YEAR) {
        snprintf(text, sizeof text, "the run would take %.3g steps, about %.3g years",
                 trial->run_steps, trial->run_seconds / SECONDS_A_YEAR);
        note(text);
    }
    if (trial->stopped[0]) {
        snprintf(text, sizeof text, "the trial ended early: %.230s", trial->stopped);
        note(text);
    }
    if (cost->bytes > (double)scree_machine_free_bytes())
        note("the run needs more memory than is free on this machine");
    if (cost->disk > SCREE_RUN_DISK_SHARE * scree_machine_disk_bytes("."))
        note("the run writes more than half of the free space on this disk: it will need --force");
}

/* ---- the report --------------------------------------------------------------------------------------------- */

static void print_scene(const scree_scene_plan *plan, const scree_scene_exam *exam)
{
    printf("%s\n\n", plan->title);
    printf("  bodies       %" PRIu64 " at the start, %.3g kg", exam->bodies, exam->mass);
    if (exam->later >= 0.5)
        printf("; about %.0f more in the course of the run", exam->later);
    printf("\n  radii        %.4g to %.4g m, 1 : %.3g\n", exam->least, exam->most,
           exam->least > 0 ? exam->most / exam->least : 1);
    if (exam->max_triangles)
        printf("  %-12s %" PRIu32 " to %" PRIu32
               " a body, contact skins of %.3g to %.3g m; balls around them up to %.4g m\n",
               plan->world.dimensions == 2 ? "sides" : "triangles", exam->min_triangles,
               exam->max_triangles, exam->min_skin, exam->max_skin, exam->max_around);
    if (exam->max_pebbles)
        printf("  pebbles      %" PRIu32 " to %" PRIu32
               " a clump; balls around them up to %.4g m\n",
               exam->min_pebbles, exam->max_pebbles, exam->max_around);
    printf("  walls        %zu; materials %zu, rules %zu, sinks %zu, measurements %zu\n",
           plan->wall_count, plan->material_count, plan->rule_count, plan->sink_count,
           plan->measure_count);
    for (size_t i = 0; i < plan->parameter_count; i++)
        printf("  parameter    %s = %s %s%s\n", plan->parameters[i].name, plan->parameters[i].value,
               plan->parameters[i].unit, plan->parameters[i].is_set ? ", set" : "");
    printf("  at the start %" PRIu64 " contacts", exam->contacts);
    if (exam->contacts)
        printf(", the deepest %.2g of the smaller radius", exam->deepest);
    if (exam->weight_overlap > 0)
        printf("; under their weight some %.2g", exam->weight_overlap);
    putchar('\n');
}

static void print_step(const scree_scene_plan *plan, const scree_scene_exam *exam,
                       const scree_scene_trial *trial)
{
    printf("  stable step  %.3g s", exam->stable);
    if (exam->stable_by_contact && exam->stable_partner)
        printf(", set by bodies %" PRIu64 " and %" PRIu64 "\n", exam->stable_body,
               exam->stable_partner);
    else if (exam->stable_by_contact && exam->stable_wall)
        printf(", set by wall %" PRIu32 ", which is free\n", exam->stable_wall);
    else if (exam->stable_by_contact)
        printf(", set by body %" PRIu64 " at a wall\n", exam->stable_body);
    else if (exam->stable_by_fluid)
        printf(", set by the drag of the fluid on body %" PRIu64 "\n", exam->stable_body);
    else if (exam->stable_material)
        printf(", for grains of %s of radius %.3g m with an overlap of a hundredth of it\n",
               material_name(plan, exam->stable_material), exam->stable_radius);
    else
        printf(", nothing touches\n");
    if (trial->shortest_stable > 0)
        printf("               in the trial from %.3g to %.3g s\n", trial->shortest_stable,
               trial->longest_stable);
    if (trial->run_steps > 0)
        printf("  step         %.3g s (%s)\n", trial->run_time / trial->run_steps,
               plan->world.step.mode == SCREE_TIME_FIXED       ? "fixed"
               : plan->world.step.mode == SCREE_TIME_AUTOMATIC ? "automatic, on average"
                                                               : "mass scaling");
    if (exam->method)
        printf("  detection    %s: %s\n", exam->method, exam->reason);
}

static void print_trial(const scree_scene_trial *trial)
{
    char load[64];

    scree_machine_load(load);
    printf("  trial        %" PRIu64 " steps as the run's", trial->steps);
    if (trial->long_steps)
        printf(" and %" PRIu64 " long ones", trial->long_steps);
    printf(" in ");
    print_duration(trial->seconds);
    if (trial->reached < 0.995)
        printf(": %.2g %% of the run, the rest is assumed to be similar%s", 100 * trial->reached,
               trial->grows ? ", or to grow as it did so far" : "");
    printf(" (%s)\n", load);
}

/*  For a condition that did not hold in the trial, only its bound is known. */
static const char *how_sure(const scree_scene *scene)
{
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    if (plan->stage_count == 0 && !plan->stop)
        return "";
    return scree_scene_is_over(scene) ? ", if conditions hold when they did in the trial"
                                      : ", by when conditions hold";
}

static void print_cost(const scree_scene *scene, uint32_t threads, const scree_scene_trial *trial,
                       const scree_cost *cost)
{
    char text[32];

    if (trial->min_steps < 0.99 * trial->run_steps) {
        printf("  the run      between %.3g and %.3g steps, between ", trial->min_steps,
               trial->run_steps);
        print_duration(cost->min_seconds);
        printf(" and ");
    } else {
        printf("  the run      %.3g steps, about ", trial->run_steps);
    }
    print_duration(cost->seconds);
    printf(" of %" PRIu32 " thread%s undisturbed%s", threads, threads == 1 ? "" : "s",
           how_sure(scene));
    if (cost->bytes > 0)
        printf("; memory %s", scree_bytes_text(cost->bytes, text));
    if (cost->disk > 0)
        printf("; disk %s", scree_bytes_text(cost->disk, text));
    printf("\n    start      ");
    print_duration(cost->start);
    printf("\n    steps      ");
    print_duration(trial->run_seconds);
    if (trial->body_steps > 0)
        printf(", %.0f ns per body and step", 1e9 * trial->run_seconds / trial->body_steps);
    putchar('\n');
    for (size_t k = 0; k < cost->part_count; k++) {
        const scree_cost_part *part = &cost->part[k];
        /* parts below a thousandth are omitted */
        if (part->times * part->each < 1e-3 * cost->seconds)
            continue;
        printf("    %-10s ", part->name);
        print_duration(part->times * part->each);
        printf(", %.0f of ", part->times);
        print_duration(part->each);
        if (part->length > 0)
            printf(" and %s", scree_bytes_text(part->length, text));
        putchar('\n');
    }
}

/*  Reports what the requested device cannot do. Returns whether there is anything. */
static bool print_device(const scree_world *world, const char *device)
{
    char reasons[512];
    size_t count;

    if (!device || !*device || strcmp(device, "cpu") == 0)
        return false;
    count = scree_world_device_refusals(world, reasons, sizeof reasons);
    printf("\ndevice %s: ", device);
    if (count)
        printf("the run cannot start there: %s\n", reasons);
    else
        printf("the device supports everything that this scene does at its start\n");
    return count != 0;
}

/*  Reports what several processes cannot do. Returns whether there is anything. */
static bool print_ranks(const scree_world *world)
{
    char text[512];

    scree_ranks_refusals(world, text, sizeof text);
    printf("\nranks: ");
    if (text[0])
        printf("the run cannot start there: not with ranks yet: %s\n", text);
    else
        printf("several processes support everything that this scene does at its start\n");
    return text[0] != '\0';
}

static int judge(const scree_scene_plan *plan, const scree_scene_exam *exam,
                 const scree_scene_trial *trial, const scree_cost *cost)
{
    putchar('\n');
    findings = 0;
    repeat_warnings();
    scree_check_plan(plan, note_of_plan, NULL);
    judge_units(plan, exam);
    judge_start(exam);
    judge_step(plan, exam, trial, cost);
    judge_walls(plan, exam);
    if (findings == 0)
        printf("  no problems found\n");
    return exam->refusal[0] || trial->stopped[0] ? SCREE_EXIT_CHECK : SCREE_EXIT_OK;
}

/*  `watch` must have been started before the scene was read. */
static int examine(scree_scene *scene, const scree_scene_stopwatch *watch, double seconds,
                   const char *device, bool on_ranks)
{
    scree_world_def hooks = scree_default_world_def();
    scree_scene_exam exam;
    scree_scene_trial trial;
    scree_cost cost = {0};
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    int code = SCREE_EXIT_OK;
    bool is_refused = false;

    hooks.compute.thread_count = watch->threads;
    scree_status status = scree_scene_build_trial(scene, &hooks, &world, &error);
    if (status)
        return scree_status_error(status, error.text);
    cost.start = scree_scene_stopwatch_read(watch);
    cost.bytes = scree_machine_peak_bytes();
    status = scree_scene_examine(scene, world, &hooks, &exam, &error);
    if (status)
        code = scree_status_error(status, error.text);
    scree_machine_forget_peak();
    /* a world that cannot be created has no trial */
    seconds = !status && exam.refusal[0] ? 0 : seconds;
    if (!status && seconds > 0)
        code = scree_check_files(scene, world, watch->threads, &cost);
    if (!status)
        scree_scene_try(scene, world, watch->threads, seconds, &trial);
    if (!status && code == SCREE_EXIT_OK && seconds > 0 && scree_scene_is_whole(scene))
        code = scree_check_files(scene, world, watch->threads, &cost);
    if (!status) {
        print_scene(plan, &exam);
        is_refused = print_device(world, device ? device : plan->world.compute.device);
        if (on_ranks)
            is_refused |= print_ranks(world);
        print_step(plan, &exam, &trial);
        scree_check_stages(scene);
    }
    if (!status && trial.run_steps > 0) {
        scree_check_sum(world, &trial, &cost);
        print_trial(&trial);
        print_cost(scene, watch->threads, &trial, &cost);
    }
    if (!status && code == SCREE_EXIT_OK)
        code = judge(plan, &exam, &trial, &cost);
    if (code == SCREE_EXIT_OK && is_refused)
        code = SCREE_EXIT_CHECK;
    scree_world_destroy(world);
    free(cost.part);
    return code;
}

static int run_check(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_check;
    scree_scene_def def = scree_default_scene_def();
    const char *settings[MAX_SETTINGS];
    scree_error error = {SCREE_OK, ""};
    uint64_t threads = 0;
    double seconds = 4;
    scree_scene *scene;

    if (!arguments->operand)
        return scree_usage_error("check: which scene? For example: scree check drum.lua");
    if (!scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_real(verb, arguments, "seconds", 0, 1e5, &seconds))
        return SCREE_EXIT_USAGE;
    const char *setting;
    while ((setting = scree_argument_at(verb, arguments, "set", def.setting_count)) != NULL) {
        if (def.setting_count == MAX_SETTINGS)
            return scree_usage_error("check: --set is given more than %d times", MAX_SETTINGS);
        settings[def.setting_count++] = setting;
    }
    def.path = arguments->operand;
    def.settings = settings;
    def.error = &error;
    def.log.write = keep_warning;
    scree_scene_stopwatch watch = scree_scene_stopwatch_start((uint32_t)threads);
    scree_status status = scree_scene_open(&def, &scene);
    if (status)
        return scree_status_error(status, error.text);
    uint32_t said = scree_scene_plan_of(scene)->threads;
    if (!threads && said)
        watch.threads = said;
    int code = examine(scene, &watch, seconds, scree_argument(verb, arguments, "device"),
                       scree_argument(verb, arguments, "ranks") != NULL);
    scree_scene_close(scene);
    return code;
}

static const scree_option check_options[] = {
    {"set", "NAME=VALUE...", "set a parameter of the scene; may be given several times"},
    {"seconds", "S", "duration of the trial, about; 0: none; default 4"},
    {"threads", "N", "default: the scene's, or 1"},
    {"device", "DEVICE",
     "list what a device such as gpu cannot do in this scene; default: the scene's"},
    {"ranks", NULL, "list what several processes (mpirun) cannot do in this scene"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_check = {
    .name = "check",
    .operand = "SCENE",
    .summary = "Checks a scene before it runs: its numbers, its first step, the cost of the run.",
    .text = "Nothing is left behind. Exit code 1: the run cannot start as it is.",
    .example = "scree check hopper.lua --set time=2",
    .options = check_options,
    .run = run_check,
};
