/*  scree bench thesis: the claims of the thesis, the figures of this machine, and whether they
 * agree. */
#include "out_file.h"
#include "plot.h"
#include "thesis.h"
#include "verbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_claim(const scree_thesis_claim *claim)
{
    const char *colour = scree_colour(stdout, claim->pass ? "\033[32m" : "\033[33m");
    printf("%-7s %s%s%s  %s\n", claim->id, colour, claim->pass ? "pass" : "miss",
           scree_colour(stdout, "\033[0m"), claim->claim);
    fputs("              ", stdout);
    for (const char *c = claim->figure; *c; c++) {
        putchar(*c);
        if (*c == '\n')
            fputs("              ", stdout);
    }
    putchar('\n');
}

/* ---- files --------------------------------------------------------------------------------------
 */

/*  "DIR/NAME"; NULL if memory runs out. */
static char *join_path(const char *folder, const char *name)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (path)
        snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

/*  One file: `write` fills it. */
static int write_file(const char *folder, const char *name,
                      void (*write)(const void *data, FILE *out), const void *data)
{
    scree_out_file file;
    char *path = join_path(folder, name);
    if (!path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    int code = scree_out_open(&file, path);
    if (code == SCREE_EXIT_OK) {
        write(data, file.stream);
        code = scree_out_commit(&file);
    }
    free(path);
    return code;
}

static void write_set_csv(const scree_thesis_set *set, FILE *out)
{
    for (size_t s = 0; s < set->series_count; s++) {
        const scree_thesis_series *series = &set->series[s];
        for (size_t k = 0; k < series->count; k++)
            fprintf(out, "%s,%s,%s,%g,%.6g,%.6g,%.6g,%.0f,%.0f,%.0f,%.3f\n", set->title,
                    series->name, set->x_label, series->x[k], series->ms[k], series->ms_update[k],
                    series->ms_rest[k], series->tested[k], series->pairs[k], series->inversions[k],
                    series->spread[k]);
    }
}

static void write_csv(const void *data, FILE *out)
{
    const scree_thesis *thesis = data;
    fputs("set,series,axis,x,ms,ms_update,ms_rest,tested,pairs,inversions,spread\n", out);
    write_set_csv(&thesis->test1, out);
    write_set_csv(&thesis->test2, out);
    write_set_csv(&thesis->even, out);
    write_set_csv(&thesis->accuracy, out);
}

/*  What a curve shows at a point of its series. */
typedef double curve_fn(const scree_thesis_set *set, const scree_thesis_series *series, size_t k);

static double ns_per_body(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    (void)set;
    return series->ms[k] * 1e6 / series->x[k];
}

static double growth(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    (void)set;
    return series->ms[k] / series->ms[0];
}

static double over_dess(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    const scree_thesis_series *dess = scree_thesis_find(set, "dess");
    return dess && k < dess->count ? series->ms[k] / dess->ms[k] : 0;
}

typedef struct plot_job
{
    const char *file, *title, *subtitle, *y_label;
    const scree_thesis_set *set;
    curve_fn *curve;
} plot_job;

static void write_plot(const void *data, FILE *out)
{
    const plot_job *job = data;
    double y[SCREE_THESIS_MAX_SERIES][SCREE_THESIS_MAX_POINTS];
    scree_plot_series curves[SCREE_THESIS_MAX_SERIES];
    scree_plot plot = {job->title, job->subtitle, job->set->x_label, job->y_label, curves, 0};
    for (size_t s = 0; s < job->set->series_count; s++) {
        const scree_thesis_series *series = &job->set->series[s];
        for (size_t k = 0; k < series->count; k++)
            y[s][k] = job->curve(job->set, series, k);
        scree_plot_series curve = {series->name, series->x, y[s], series->count, series->naive};
        curves[plot.series_count++] = curve;
    }
    scree_plot_write(&plot, out);
}

static int write_files(const scree_thesis *thesis, const char *folder)
{
    const plot_job jobs[] = {
        {"thesis-test1.svg", "Test 1: time over the number of discs",
         "nanoseconds a disc and step; a horizontal line is linear time", "ns a disc",
         &thesis->test1, ns_per_body},
        {"thesis-test1-dess.svg", "Test 1: against DESS", "time of a step over that of dess",
         "time / dess", &thesis->test1, over_dess},
        {"thesis-test2.svg", "Test 2: discs of different size on the lattice",
         "800 discs; time over that at ratio 1", "time / time at ratio 1", &thesis->test2, growth},
        {"thesis-test2-even.svg", "Size ratio at equal contacts",
         "800 discs with about 6 neighbours each; time over that at ratio 1",
         "time / time at ratio 1", &thesis->even, growth},
    };
    int code = scree_make_folder(folder);
    if (code == SCREE_EXIT_OK)
        code = write_file(folder, "thesis.csv", write_csv, thesis);
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs && code == SCREE_EXIT_OK; k++)
        code = write_file(folder, jobs[k].file, write_plot, &jobs[k]);
    return code;
}

/* ---- the verb -----------------------------------------------------------------------------------
 */

static int run_bench_thesis(const scree_arguments *arguments)
{
    static scree_thesis thesis;
    const scree_verb *verb = &scree_verb_bench_thesis;
    scree_thesis_options options = {.seed = 1, .progress = isatty(STDERR_FILENO) ? stderr : NULL};
    scree_error error = {SCREE_OK, ""};
    const char *folder = scree_argument(verb, arguments, "plots");
    options.quick = scree_argument(verb, arguments, "quick") != NULL;
    scree_status status = scree_thesis_run(&options, &thesis, &error);
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree: bench thesis: %s\n", error.text);
        return SCREE_EXIT_CHECK;
    }
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    unsigned passed = 0;
    for (int k = 0; k < SCREE_THESIS_CLAIMS; k++) {
        print_claim(&thesis.claim[k]);
        passed += thesis.claim[k].pass;
    }
    printf("\n%u of %d claims hold on this machine%s\n", passed, SCREE_THESIS_CLAIMS,
           options.quick ? " (quick: figures are rough)" : "");
    return folder ? write_files(&thesis, folder) : SCREE_EXIT_OK;
}

static const scree_option bench_thesis_options[] = {
    {"quick", NULL, "smaller scenes and fewer runs, less than half a minute"},
    {"plots", "DIR", "write the curves as SVG, and all figures as CSV"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_thesis = {
    "bench thesis",
    NULL,
    "Measures the claims of Perkins' thesis (1999) anew, GC-H1 to GC-H12.",
    "Prints each claim, the measured figure, and pass or miss. A miss is no error: nature may\n"
    "disagree with the thesis. docs/results/thesis.md explains. Exit code 1 only if methods\n"
    "find different pairs.",
    bench_thesis_options,
    run_bench_thesis,
};
