/*  scree demo: runs a rotating drum of grains of many sizes for a few seconds. Shows progress and speed, prints the
    energy balance and contact statistics, and writes a picture. */
#include "app/begin/verbs.h"
#include "common/machine.h"
#include "common/out_file.h"
#include "scenes/worlds.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP 2e-5 /* s: a twelfth of the shortest contact duration */
#define STEPS_AT_ONCE 500

typedef struct demo
{
    scree_drum_plan plan;
    scree_drum drum;
    uint64_t steps;
    double began; /* s, wall-clock time */
} demo;

/*  A progress line, overwritten on a terminal; otherwise one line every tenth of the run. */
static void show_progress(const demo *d)
{
    scree_clock clock = scree_world_clock(d->drum.world);
    scree_detection_stats seen = scree_world_detection_stats(d->drum.world);
    double sec = scree_clock_seconds() - d->began;
    double left = clock.steps ? sec * (double)(d->steps - clock.steps) / (double)clock.steps : 0;
    bool is_terminal = isatty(STDOUT_FILENO) == 1;
    uint64_t tenth = d->steps / 10 / STEPS_AT_ONCE * STEPS_AT_ONCE;

    /* a run of fewer than ten lines prints each */
    if (!is_terminal && tenth > 0 && clock.steps % tenth != 0)
        return;
    printf("%s%3.0f %%  t = %.3f s  %7" PRIu64
           " contacts  %5.0f ns per body and step  %4.0f s left%s",
           is_terminal ? "\r" : "", 100.0 * (double)clock.steps / (double)d->steps, clock.time,
           seen.contacts, clock.steps ? sec * 1e9 / (double)clock.steps / d->plan.bodies : 0, left,
           is_terminal ? "" : "\n");
    fflush(stdout);
}

static scree_status turn_drum(demo *d)
{
    scree_status status = SCREE_OK;

    d->began = scree_clock_seconds();
    for (uint64_t done = 0; done < d->steps && !status; done += STEPS_AT_ONCE) {
        uint64_t many = d->steps - done < STEPS_AT_ONCE ? d->steps - done : STEPS_AT_ONCE;
        status = scree_world_step(d->drum.world, many);
        if (!status)
            show_progress(d);
    }
    if (isatty(STDOUT_FILENO) == 1)
        putchar('\n');
    return status;
}

static void print_books(const demo *d)
{
    scree_detection_stats seen = scree_world_detection_stats(d->drum.world);
    scree_totals totals = scree_world_totals(d->drum.world);

    printf("\n%" PRIu64 " bodies, none lost; %.2f contacts each; %" PRIu64
           " neighbour list rebuilds in %" PRIu64 " steps,\n%" PRIu64
           " contacts found late; digest %016" PRIx64 "\n",
           totals.bodies, totals.coordination, seen.rebuilds,
           scree_world_clock(d->drum.world).steps, seen.late_contacts,
           scree_world_digest(d->drum.world));
}

static int draw(const demo *d, const char *folder, uint32_t threads)
{
    scree_picture_def def = scree_default_picture_def();
    size_t bytes = strlen(folder) + sizeof "/demo.png";
    char *path = malloc(bytes);
    int code = path ? scree_make_folder(folder) : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);

    def.width = 1440;
    def.height = 1080;
    def.thread_count = threads;
    def.camera.rise = 0.3;
    def.ranged = true;
    def.range[1] = 2 * d->plan.rate * d->drum.radius; /* twice the speed of the wall */
    if (code == SCREE_EXIT_OK) {
        scree_error error = {SCREE_OK, ""};
        snprintf(path, bytes, "%s/demo.png", folder);
        scree_status status = scree_picture_png(d->drum.world, &def, path, &error);
        if (status)
            code = scree_status_error(status, error.text);
    }
    if (code == SCREE_EXIT_OK)
        printf("  %s: colour is speed\n", path);
    free(path);
    return code;
}

static int run_demo(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_demo;
    const char *folder = scree_argument(verb, arguments, "out");
    demo d = {.plan = scree_default_drum_plan()};
    scree_world_def def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    uint64_t bodies = 4000, threads = scree_machine_cores();
    double seconds = 1;

    if (!scree_parse_count(verb, arguments, "n", 1, 10000000, &bodies) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_real(verb, arguments, "time", 1e-4, 1e6, &seconds))
        return SCREE_EXIT_USAGE;
    d.plan.bodies = (uint32_t)bodies;
    d.steps = (uint64_t)ceil(seconds / STEP);
    def.step.dt = STEP;
    def.compute.thread_count = (uint32_t)threads;
    scree_status status = scree_drum_create(&d.plan, &def, &d.drum, &error);
    if (status)
        return scree_status_error(status, error.text);
    printf("a drum %.3g m across with %" PRIu64
           " grains, radii %.3g to %.3g m, turns at %.3g rad/s for "
           "%.3g s\n\n",
           2 * d.drum.radius, bodies, d.plan.smallest, d.plan.smallest * d.plan.ratio, d.plan.rate,
           seconds);
    status = turn_drum(&d);
    int code =
        status ? scree_status_error(status, scree_world_message(d.drum.world)) : SCREE_EXIT_OK;
    if (code == SCREE_EXIT_OK) {
        print_books(&d);
        code = draw(&d, folder ? folder : "out", (uint32_t)threads);
    }
    scree_drum_destroy(&d.drum);
    return code;
}

static const scree_option demo_options[] = {
    {"n", "N", "grains; 4000"},
    {"time", "S", "duration in seconds; 1"},
    {"threads", "N", "all processors"},
    {"out", "DIR", "folder for demo.png; out"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_demo = {
    .name = "demo",
    .summary = "Runs a rotating drum of grains of many sizes and draws it.",
    .text =
        "The result is the same on every machine and for any number of threads: the digest at the\n"
        "end shows it.",
    .example = "scree demo --out out",
    .options = demo_options,
    .run = run_demo,
};
