/*  scree-bench auto: how near the automatic choice comes to the best single method. Each scene is run with
    `auto` and with every method that may be the best, repeat by repeat in turn; the ratio is the time
    of `auto` over that of the fastest. Two sweeps follow: over size ratios, and over the width of the
    domain, both of which should change nothing. */
#include "app/bench/verbs.h"
#include "common/report.h"
#include "measure/contest.h"

#include "base/common.h"

#include <string.h>

/*  One contest's entries: `auto`, then the others. */
static const char *const rivals[] = {"auto", "flat", "bvh8", "insertion-sort", "bounding-volume"};
#define RIVALS SCREE_COUNT_OF(rivals)
/*  Methods that are out of the running above so many bodies, 0 for none, when all move. */
static const size_t max_bodies[RIVALS] = {0, 0, 0, 20000, 2000};

/*  `auto` should take no longer than this, in times of the best method. */
#define AIM 1.15

/*  Runs in a row, of which the least counts: scenes of a thousand bodies take a fraction of a millisecond, and
    `auto` would else be compared in code that the method it chooses finds warm after it. */
#define IN_A_ROW 4

static const char *const scenes[] = {
    "uniform",  "ratio10",       "ratio100",      "fines10",     "fines100", "giant",
    "clusters", "discs",         "discs32",       "even2:10",    "needles",  "thesis1",
    "burst",    "mixture:4:0.3", "bimodal:4:0.3", "power:4:0.3",
};

typedef struct motion_row
{
    const char *name;
    scree_scene_motion_kind kind;
    double amount;
} motion_row;

static const motion_row motions[] = {
    {"static", SCREE_MOTION_NONE, 0},
    {"all move", SCREE_MOTION_ALL, 0.01},
    {"1 % move", SCREE_MOTION_FEW, 1},
};

static const scree_report_column columns[] = {
    {"scene", true, false},           {"n", false, false},
    {"motion", true, false},          {"auto", false, false},
    {"flat", false, false},           {"bvh8", false, false},
    {"insertion-sort", false, false}, {"bounding-volume", false, false},
    {"auto_over_best", false, false}, {"chosen", true, false},
    {"reason", true, false},
};

typedef struct bench
{
    scree_report report;
    uint64_t repeats;
    double worst, lowest, highest; /* of the ratio; of the time of `auto`, a body */
    uint32_t rows, near;           /* all, and those in which the ratio is at most AIM */
} bench;

/*  Short runs are repeated within a run, so that all last about as long as ten thousand bodies. */
static uint32_t steps_of(const motion_row *motion, size_t n)
{
    size_t steps = 100000 / n;
    uint32_t few = steps < 1 ? 1 : steps > 40 ? 40 : (uint32_t)steps;
    return motion->kind == SCREE_MOTION_NONE ? 1 : few < 10 ? 10 : few;
}

/*  `chosen` is the last run of `auto`. */
static void add_row(bench *b, const char *scene, size_t n, const motion_row *motion,
                    const double ns[RIVALS], const scree_measure *chosen)
{
    double best = 0;
    for (size_t m = 1; m < RIVALS; m++)
        if (ns[m] > 0 && (best == 0 || ns[m] < best))
            best = ns[m];
    double ratio = ns[0] / best;
    b->worst = ratio > b->worst ? ratio : b->worst;
    b->rows++;
    b->near += ratio <= AIM;
    b->lowest = b->lowest == 0 || ns[0] < b->lowest ? ns[0] : b->lowest;
    b->highest = ns[0] > b->highest ? ns[0] : b->highest;
    scree_report_add(&b->report, "%s", scene);
    scree_report_add(&b->report, "%zu", n);
    scree_report_add(&b->report, "%s", motion->name);
    for (size_t m = 0; m < RIVALS; m++)
        scree_report_add(&b->report, ns[m] > 0 ? "%.1f" : "-", ns[m]);
    scree_report_add(&b->report, "%.2f", ratio);
    scree_report_add(&b->report, "%s", chosen->method);
    scree_report_add(&b->report, "%s", chosen->reason);
}

/*  One row of the table. */
static scree_status measure(bench *b, const char *scene, size_t n, const motion_row *motion,
                            scree_error *error)
{
    scree_entry entries[RIVALS];
    double ns[RIVALS] = {0};
    size_t count = 0;
    for (size_t m = 0; m < RIVALS; m++) {
        if (max_bodies[m] && n > max_bodies[m])
            continue;
        entries[count] = scree_entry_make(rivals[m], scene, n, 1, motion->kind, motion->amount,
                                          steps_of(motion, n));
        /* a static scene is built from nothing; moving ones have gone on for a while */
        entries[count].trial.skipped = motion->kind == SCREE_MOTION_NONE ? 0 : 16;
        entries[count].in_a_row = IN_A_ROW;
        entries[count].group = 1;
        count++;
    }
    scree_status status = scree_contest_run(entries, count, (uint32_t)b->repeats, error);
    if (status != SCREE_OK)
        return status;
    for (size_t m = 0, e = 0; m < RIVALS; m++)
        if (e < count && strcmp(entries[e].method, rivals[m]) == 0)
            ns[m] = entries[e++].ms * 1e6 / (double)n;
    add_row(b, scene, n, motion, ns, &entries[0].measure);
    return SCREE_OK;
}

static scree_status measure_scenes(bench *b, size_t most, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < SCREE_COUNT_OF(scenes); s++)
        for (size_t m = 0; m < SCREE_COUNT_OF(motions); m++)
            for (size_t n = 1000; n <= most && status == SCREE_OK; n *= 10)
                status = measure(b, scenes[s], n, &motions[m], error);
    return status;
}

static scree_status measure_sweep(bench *b, const char *const *names, size_t count, size_t n,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    b->lowest = b->highest = 0;
    for (size_t s = 0; s < count && status == SCREE_OK; s++)
        status = measure(b, names[s], n, &motions[0], error);
    return status;
}

static int run_bench_auto(const scree_arguments *arguments)
{
    static const char *const by_ratio[] = {"mixture:1:0.1",   "mixture:10:0.1",  "mixture:100:0.1",
                                           "mixture:1e3:0.1", "mixture:1e4:0.1", "mixture:1e5:0.1",
                                           "mixture:1e6:0.1"};
    static const char *const by_width[] = {"wide:300", "wide:1e4", "wide:1e6"};
    const scree_verb *verb = &scree_verb_bench_auto;
    bench b = {.repeats = SCREE_CONTEST_REPEATS};
    uint64_t most = 100000;
    int format = SCREE_REPORT_TABLE;
    scree_error error = {SCREE_OK, ""};
    double ratios = 1, widths = 1;
    if (!scree_parse_count(verb, arguments, "n", 1000, 10000000, &most) ||
        !scree_parse_count(verb, arguments, "repeat", 1, SCREE_CONTEST_REPEATS, &b.repeats) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    scree_report_begin(&b.report, columns, SCREE_COUNT_OF(columns));
    scree_status status = measure_scenes(&b, most, &error);
    double worst = b.worst;
    if (status == SCREE_OK)
        status = measure_sweep(&b, by_ratio, SCREE_COUNT_OF(by_ratio), most, &error);
    ratios = b.highest / b.lowest;
    if (status == SCREE_OK)
        status = measure_sweep(&b, by_width, SCREE_COUNT_OF(by_width), most, &error);
    widths = b.highest / b.lowest;
    int code = scree_report_end(&b.report, format, stdout);
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    if (format == SCREE_REPORT_TABLE)
        printf("\n%u of %u rows within %.2f times the best single method, the worst %.2f; size "
               "ratios 1 to "
               "1e6: within %.2f times; a domain 1e6 bodies wide: %.2f times\n",
               b.near, b.rows, AIM, worst, ratios, widths);
    return code;
}

static const scree_option bench_auto_options[] = {
    {"n", "N", "the most bodies: 1000, 10000, ... up to this; 100000"},
    {"repeat", "R", "turns of each, 1 to 9, of four runs; the median counts; 9"},
    {"format", "FORMAT", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_auto = {
    .name = "auto",
    .summary = "Measures the automatic choice against the methods it may choose.",
    .text = "Figures are nanoseconds a body for one update and search, in processor time: static "
            "scenes\n"
            "from nothing, moving ones after some steps; all move by a hundredth of their radius. "
            "Of four\n"
            "runs in a row the least counts, of all repeats the median. Then auto over the "
            "fastest, the\n"
            "method that it had chosen in the end, and why. Then sweeps of size ratios and of the "
            "width of\n"
            "the domain. Exit code 4 if methods find different pairs.",
    .example = "scree-bench auto --n 1e4",
    .options = bench_auto_options,
    .run = run_bench_auto,
};
