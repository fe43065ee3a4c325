/*  scree-bench scaling: how time and memory for each body change with the number of bodies and of
    threads. A line is flat if cost is linear; efficiency is the share of the threads that is not
    lost. Sizes that would not fit into the free memory are left out, which is said. */
#include "app/bench/published.h"
#include "app/bench/verbs.h"
#include "common/machine.h"
#include "common/methods.h"
#include "common/out_file.h"
#include "common/report.h"
#include "measure/measure.h"
#include "measure/plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_SIZES 16
#define MAX_THREADS 16

/*  Of a scene: positions, velocities, radii, flags. */
#define SCENE_BYTES 57.0
/*  Lists that grow by doubling hold both copies for a moment. */
#define GROWTH 2.0

typedef struct point
{
    double sec, bytes;
    uint64_t pairs, checksum;
    bool measured;
} point;

typedef struct scaling
{
    scree_trial trial;
    const char *method, *out;
    uint64_t repeats, size[MAX_SIZES], threads[MAX_THREADS];
    size_t size_count, thread_count;
    int format;
    char load[64]; /* of the machine, before */
    point points[MAX_SIZES][MAX_THREADS];
} scaling;

/* ---- measuring ---- */

/*  From the size before, with the same room to grow for all. */
static bool fits(const scaling *s, size_t at)
{
    double free_bytes = (double)scree_machine_free_bytes(), n = (double)s->size[at];
    if (at == 0)
        return true;
    const point *before = &s->points[at - 1][0];
    double each = before->bytes / (double)s->size[at - 1];
    double wanted = n * (SCENE_BYTES + GROWTH * each);
    if (before->measured && wanted <= free_bytes)
        return true;
    if (before->measured)
        fprintf(stderr,
                "scree-bench: scaling: n = %" PRIu64
                " is left out: it may take %.1f GB, and %.1f are "
                "free\n",
                s->size[at], wanted / 1e9, free_bytes / 1e9);
    return false;
}

static int measure_point(const scaling *s, size_t at, size_t t, point *to)
{
    double least = INFINITY; /* what else the machine does only adds */
    scree_error error = {SCREE_OK, ""};
    scree_runner runner;
    scree_measure measure;
    scree_trial trial = s->trial;
    trial.n = (size_t)s->size[at];
    trial.threads = (uint32_t)s->threads[t];
    memset(&measure, 0, sizeof measure);
    scree_status status = scree_runner_create(&trial, s->method, NULL, &runner, &error);
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    for (uint64_t k = 0; k < s->repeats && status == SCREE_OK; k++) {
        status = scree_runner_run(&runner, &measure, &error);
        least = fmin(least, measure.sec);
    }
    scree_runner_free(&runner);
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    *to = (point){least, (double)measure.bytes, measure.pairs, measure.checksum, true};
    return SCREE_EXIT_OK;
}

/*  All numbers of threads at one size; they must find the same pairs. */
static int measure_size(scaling *s, size_t at)
{
    point *row = s->points[at];
    for (size_t t = 0; t < s->thread_count; t++) {
        int code = measure_point(s, at, t, &row[t]);
        if (code != SCREE_EXIT_OK)
            return code;
        if (row[t].checksum != row[0].checksum) {
            fprintf(stderr,
                    "scree-bench: scaling: %s finds other pairs with %" PRIu64
                    " threads: scene %s, n "
                    "%" PRIu64 ", seed %" PRIu64 "\n",
                    s->method, s->threads[t], s->trial.scene, s->size[at], s->trial.seed);
            return SCREE_EXIT_CHECK;
        }
    }
    return SCREE_EXIT_OK;
}

/* ---- figures ---- */

static double ns_per_body(const scaling *s, size_t at, size_t t)
{
    return s->points[at][t].sec * 1e9 / (double)s->size[at];
}

/*  The time of one thread over that of all of t together; the first column is the measure. */
static double efficiency(const scaling *s, size_t at, size_t t)
{
    const point *row = s->points[at];
    return row[0].sec * (double)s->threads[0] / (row[t].sec * (double)s->threads[t]);
}

/*  Of time over size, with this number of threads. */
static double fit_exponent(const scaling *s, size_t t)
{
    double x[MAX_SIZES], y[MAX_SIZES];
    size_t count = 0;
    for (size_t at = 0; at < s->size_count; at++)
        if (s->points[at][t].measured) {
            x[count] = (double)s->size[at];
            y[count++] = s->points[at][t].sec;
        }
    return scree_fit_exponent(x, y, count);
}

static const scree_report_column columns[] = {
    {"method", true, true},         {"scene", true, true},         {"n", false, false},
    {"threads", false, false},      {"ms", false, false},          {"ns_per_body", false, false},
    {"pairs", false, false},        {"ns_per_pair", false, false}, {"bytes_per_body", false, false},
    {"beside_pairs", false, false}, {"efficiency", false, false},  {"exponent", false, true},
    {"checksum", true, true},
};

static int print_figures(const scaling *s, int format, FILE *out)
{
    scree_report report;
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (size_t at = 0; at < s->size_count; at++)
        for (size_t t = 0; t < s->thread_count; t++) {
            const point *p = &s->points[at][t];
            double n = (double)s->size[at], pairs = (double)p->pairs;
            if (!p->measured)
                continue;
            scree_report_add(&report, "%s", s->method);
            scree_report_add(&report, "%s", s->trial.scene);
            scree_report_add(&report, "%" PRIu64, s->size[at]);
            scree_report_add(&report, "%" PRIu64, s->threads[t]);
            scree_report_add(&report, "%.3f", p->sec * 1e3);
            scree_report_add(&report, "%.1f", ns_per_body(s, at, t));
            scree_report_add(&report, "%" PRIu64, p->pairs);
            scree_report_add(&report, "%.2f", pairs > 0 ? p->sec * 1e9 / pairs : 0);
            scree_report_add(&report, "%.0f", p->bytes / n);
            scree_report_add(&report, "%.0f", (p->bytes - 8 * pairs) / n);
            scree_report_add(&report, "%.2f", efficiency(s, at, t));
            scree_report_add(&report, "%.3f", fit_exponent(s, t));
            scree_report_add(&report, "%016" PRIx64, p->checksum);
        }
    return scree_report_end(&report, format, out);
}

static void print_exponents(const scaling *s, FILE *out)
{
    for (size_t t = 0; t < s->thread_count && s->size_count > 1; t++)
        fprintf(out, "%s%" PRIu64 " thread%s: time ~ n^%.3f\n", t ? "" : "\n", s->threads[t],
                s->threads[t] == 1 ? "" : "s", fit_exponent(s, t));
}

/* ---- files ---- */

static void write_plot(const void *data, FILE *out)
{
    const scaling *s = data;
    static double x[MAX_THREADS][MAX_SIZES], y[MAX_THREADS][MAX_SIZES];
    char names[MAX_THREADS][24], title[96];
    scree_plot_series series[MAX_THREADS];
    for (size_t t = 0; t < s->thread_count; t++) {
        size_t count = 0;
        for (size_t at = 0; at < s->size_count; at++)
            if (s->points[at][t].measured) {
                x[t][count] = (double)s->size[at];
                y[t][count++] = ns_per_body(s, at, t);
            }
        snprintf(names[t], sizeof names[t], "%" PRIu64 " thread%s", s->threads[t],
                 s->threads[t] == 1 ? "" : "s");
        series[t] = (scree_plot_series){names[t], x[t], y[t], count, false};
    }
    snprintf(title, sizeof title, "%.30s on %.30s", s->method, s->trial.scene);
    scree_plot plot = {title,    "build and all pairs; a horizontal line is linear time",
                       "bodies", "ns a body",
                       series,   s->thread_count};
    scree_plot_write(&plot, out);
}

static void write_csv(const void *data, FILE *out)
{
    print_figures(data, SCREE_REPORT_CSV, out);
}

static void write_page(const void *data, FILE *out)
{
    const scaling *s = data;
    char processor[128], date[32];
    scree_machine_processor(processor);
    scree_machine_date(date);
    fprintf(out,
            "# Scaling of %s\n\nMeasured %s on %s (%s), with a %s when it began, by\n"
            "`scree-bench scaling --method %s --scene %s`, the fastest of %" PRIu64
            " runs, seed %" PRIu64 ".\n\n",
            s->method, date, processor, scree_simd_name(scree_simd_resolve(s->trial.simd)), s->load,
            s->method, s->trial.scene, s->repeats, s->trial.seed);
    fputs("Time is that of an update and a search, from unsorted arrays to the last pair in "
          "memory, by\n"
          "the clock. `bytes_per_body` is all that the detector holds, `beside_pairs` the same "
          "without 8\n"
          "bytes a pair. `efficiency` is the time with the first number of threads over the time "
          "of all\n"
          "threads together. The pairs are the same for all numbers of threads: checksums are "
          "compared.\n\n"
          "![time over size](scaling.svg)\n\n```\n",
          out);
    print_figures(s, SCREE_REPORT_TABLE, out);
    print_exponents(s, out);
    fputs("```\n", out);
}

static int write_files(const scaling *s)
{
    int code = scree_make_folder(s->out);
    if (code == SCREE_EXIT_OK)
        code = scree_write_into(s->out, "scaling.md", write_page, s);
    if (code == SCREE_EXIT_OK)
        code = scree_write_into(s->out, "scaling.csv", write_csv, s);
    return code == SCREE_EXIT_OK ? scree_write_into(s->out, "scaling.svg", write_plot, s) : code;
}

/* ---- the command line ---- */

/*  1, 2, 3 ... on few cores; 1, 2, 4 ... and all on many. */
static void choose_threads(scaling *s)
{
    uint64_t cores = scree_machine_cores();
    cores = cores > 256 ? 256 : cores;
    for (uint64_t t = 1; t <= cores && s->thread_count<MAX_THREADS; t += cores> 8 ? t : 1)
        s->threads[s->thread_count++] = t;
    if (s->threads[s->thread_count - 1] != cores && s->thread_count < MAX_THREADS)
        s->threads[s->thread_count++] = cores;
}

static bool check_scene(const char *name)
{
    scree_scene scene;
    scree_error error;
    if (scree_scene_create(name, 0, 0, NULL, &scene, &error) != SCREE_OK) {
        scree_usage_error("scaling: --%s", error.text);
        return false;
    }
    scree_scene_free(&scene);
    return true;
}

static bool parse_scaling(const scree_arguments *arguments, scaling *s)
{
    const scree_verb *verb = &scree_verb_bench_scaling;
    const char *scene = scree_argument(verb, arguments, "scene");
    uint64_t seed = 1;
    int simd = SCREE_SIMD_AUTO;
    s->method = scree_argument(verb, arguments, "method");
    if (!s->method)
        s->method = scree_method_by_name("auto") ? "auto" : "flat";
    s->out = scree_argument(verb, arguments, "out");
    s->repeats = 5;
    s->trial.scene = scene ? scene : "uniform";
    s->trial.steps = 1;
    if (!scree_parse_count(verb, arguments, "repeat", 1, 1000, &s->repeats) ||
        !scree_parse_count(verb, arguments, "seed", 0, UINT64_MAX, &seed) ||
        !scree_parse_word(verb, arguments, "simd", scree_simd_words, &simd) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &s->format) ||
        !scree_check_method(verb, s->method) || !check_scene(s->trial.scene))
        return false;
    s->trial.seed = seed;
    s->trial.simd = (scree_simd)simd;
    if (!scree_parse_counts(verb, arguments, "n", "1e4,3e4,1e5,3e5,1e6,3e6,1e7,3e7",
                            SCREE_MAX_BODIES, MAX_SIZES, s->size, &s->size_count))
        return false;
    if (scree_argument(verb, arguments, "threads"))
        return scree_parse_counts(verb, arguments, "threads", "", 256, MAX_THREADS, s->threads,
                                  &s->thread_count);
    choose_threads(s);
    return true;
}

static int run_bench_scaling(const scree_arguments *arguments)
{
    static scaling s;
    int code = SCREE_EXIT_OK;
    if (!parse_scaling(arguments, &s))
        return SCREE_EXIT_USAGE;
    scree_machine_load(s.load);
    for (size_t at = 0; at < s.size_count && code == SCREE_EXIT_OK; at++)
        if (fits(&s, at))
            code = measure_size(&s, at);
    if (code != SCREE_EXIT_OK)
        return code;
    bool table = s.format == SCREE_REPORT_TABLE;
    if (table)
        printf("method %s, scene %s, %s\n", s.method, s.trial.scene,
               scree_simd_name(scree_simd_resolve(s.trial.simd)));
    code = print_figures(&s, s.format, stdout);
    if (table)
        print_exponents(&s, stdout);
    return code == SCREE_EXIT_OK && s.out ? write_files(&s) : code;
}

static const scree_option bench_scaling_options[] = {
    {"scene", "NAME", "a scene of scree-bench detect; uniform"},
    {"n", "NUMBERS", "bodies, growing, with commas; 1e4,3e4 and so on to 3e7"},
    {"threads", "NUMBERS", "growing, with commas; 1 to the number of cores"},
    {"method", "NAME", "auto if there is one, else flat"},
    {"repeat", "R", "runs; the fastest counts; 5"},
    {"simd", "LEVEL", "auto, scalar, simd128, avx2 or avx512; auto"},
    {"seed", "Q", "another scene of the same kind; 1"},
    {"format", "FORMAT", "table, csv or json; table"},
    {"out", "DIR", "write scaling.md, scaling.csv and scaling.svg"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_scaling = {
    .name = "scaling",
    .summary = "Measures how a method's time and memory grow with bodies, and fall with threads.",
    .text = "bytes_per_body is all that the detector holds, beside_pairs without 8 bytes a pair; "
            "efficiency\n"
            "is the time with the first number of threads over that of all threads together; "
            "exponent is that\n"
            "of time over n. Sizes that may not fit into the free memory are left out; that is "
            "said on stderr.\n"
            "Exit code 1 if numbers of threads find different pairs.",
    .example = "scree-bench scaling --n 1e4,1e5,1e6 --threads 1,2",
    .options = bench_scaling_options,
    .run = run_bench_scaling,
};
