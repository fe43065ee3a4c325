/*  scree-bench demo: detection at work. All methods on 100,000 spheres of sizes 1 to 10, the
   fastest first, all finding the same pairs; then a packing of discs, drawn. */
#include "app/bench/verbs.h"
#include "common/out_file.h"
#include "measure/measure.h"
#include "scenes/packing.h"

#include <stdlib.h>
#include <string.h>

#define BODIES 100000u
#define DISCS 2600u
#define RUNS 3
#define MAX_METHODS 64
#define BAR_WIDTH 30

typedef struct row
{
    const char *method;
    scree_measure measure;
} row;

static int compare_rows(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return (x->measure.sec > y->measure.sec) - (x->measure.sec < y->measure.sec);
}

static const scree_trial demo_trial = {
    .scene = "ratio10", .n = BODIES, .seed = 1, .steps = 1, .threads = 1};

/*  The median of a few runs of one method. */
static scree_status measure_method(const char *method, row *to, scree_error *error)
{
    scree_runner runner;
    double sec[RUNS];
    to->method = method;
    scree_status status = scree_runner_create(&demo_trial, method, NULL, &runner, error);
    if (status != SCREE_OK)
        return status;
    for (int k = 0; k < RUNS && status == SCREE_OK; k++) {
        status = scree_runner_run(&runner, &to->measure, error);
        sec[k] = to->measure.sec;
    }
    scree_runner_free(&runner);
    if (status == SCREE_OK)
        to->measure.sec = scree_median(sec, RUNS);
    return status;
}

/*  Measures the methods that nothing hinders; what hinders the others stays in `left`, by index. */
static scree_status measure_methods(row *rows, size_t *count, scree_hindrance *left,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t m = 0; m < MAX_METHODS && scree_method_at(m) && status == SCREE_OK; m++) {
        const char *name = scree_method_at(m)->name;
        status = scree_find_hindrance(&demo_trial, name, &left[m], error);
        if (status == SCREE_OK && !left[m].text[0])
            status = measure_method(name, &rows[(*count)++], error);
    }
    return status;
}

static void print_row(const row *r, double slowest)
{
    char bar[BAR_WIDTH + 1];
    int length = (int)(r->measure.sec / slowest * BAR_WIDTH + 0.5);
    memset(bar, '#', BAR_WIDTH);
    bar[length < 1 ? 1 : length] = 0;
    printf("%-16s %9llu %9.1f %8.1f  %s%s%s\n", r->method, (unsigned long long)r->measure.pairs,
           r->measure.sec * 1e3, (double)r->measure.bytes / 1e6, scree_colour(stdout, "\033[36m"),
           bar, scree_colour(stdout, "\033[0m"));
}

static int check_rows(const row *rows, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (rows[k].measure.checksum != rows[0].measure.checksum) {
            fprintf(stderr, "scree-bench: demo: %s and %s find different pairs\n", rows[0].method,
                    rows[k].method);
            return SCREE_EXIT_CHECK;
        }
    printf("all %zu find the same pairs (checksum %016llx)\n", count,
           (unsigned long long)rows[0].measure.checksum);
    return SCREE_EXIT_OK;
}

static int compare_methods(void)
{
    static row rows[MAX_METHODS];
    static scree_hindrance left[MAX_METHODS];
    size_t count = 0;
    scree_error error = {SCREE_OK, ""};
    printf("%u spheres, sizes 1 to 10 (scene ratio10), one thread, %s\n\n", BODIES,
           scree_simd_name(scree_simd_resolve(SCREE_SIMD_AUTO)));
    fflush(stdout);
    scree_status status = measure_methods(rows, &count, left, &error);
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    qsort(rows, count, sizeof *rows, compare_rows);
    printf("%s%-16s %9s %9s %8s%s\n", scree_colour(stdout, "\033[1m"), "method", "pairs", "ms",
           "MB", scree_colour(stdout, "\033[0m"));
    for (size_t k = 0; k < count; k++)
        print_row(&rows[k], rows[count - 1].measure.sec);
    for (size_t m = 0; m < MAX_METHODS && scree_method_at(m); m++)
        if (left[m].text[0])
            printf("%-16s is left out: %s\n", scree_method_at(m)->name, left[m].text);
    putchar('\n');
    return check_rows(rows, count);
}

/*  "DIR/NAME" through a temporary file; `png` says which picture. */
static int write_picture(const char *folder, const char *name, bool png,
                         const scree_packing *packing, const scree_neighbors *neighbors)
{
    scree_out_file file;
    scree_status status = SCREE_OK;
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (!path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    snprintf(path, bytes, "%s/%s", folder, name);
    int code = scree_out_open(&file, path);
    if (code == SCREE_EXIT_OK) {
        if (png)
            status = scree_packing_png(packing, neighbors, file.stream);
        else
            scree_packing_svg(packing, neighbors, file.stream);
        if (status == SCREE_OK) {
            code = scree_out_commit(&file);
        } else {
            scree_out_abandon(&file);
            code = scree_status_error(status, NULL);
        }
    }
    if (code == SCREE_EXIT_OK)
        printf("  %s\n", path);
    free(path);
    return code;
}

static int draw_packing(const char *folder)
{
    scree_packing packing;
    scree_neighbors neighbors;
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_packing_create(DISCS, 1, "dess2", &packing, &error);
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    int code = SCREE_EXIT_OK;
    status = scree_packing_contacts(&packing, &neighbors);
    if (status != SCREE_OK)
        code = scree_status_error(status, scree_detector_message(packing.detector));
    if (code == SCREE_EXIT_OK) {
        printf("\n%u discs packed under a slope in %llu rounds, %llu pairs found on the way;\n"
               "colour is the number of neighbours, lines are the %llu contacts:\n",
               DISCS, (unsigned long long)packing.rounds, (unsigned long long)packing.pairs_found,
               (unsigned long long)neighbors.count / 2);
        code = scree_make_folder(folder);
    }
    if (code == SCREE_EXIT_OK)
        code = write_picture(folder, "demo.svg", false, &packing, &neighbors);
    if (code == SCREE_EXIT_OK)
        code = write_picture(folder, "demo.png", true, &packing, &neighbors);
    scree_packing_free(&packing);
    return code;
}

static int run_bench_demo(const scree_arguments *arguments)
{
    const char *folder = scree_argument(&scree_verb_bench_demo, arguments, "out");
    int code = compare_methods();
    return code == SCREE_EXIT_OK ? draw_packing(folder ? folder : "out") : code;
}

static const scree_option bench_demo_options[] = {
    {"out", "DIR", "where demo.svg and demo.png go; out"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_demo = {
    .name = "demo",
    .summary = "Shows all methods at work on 100,000 spheres, and draws a packing.",
    .text = "Exit code 1 if methods find different pairs.",
    .example = "scree-bench demo",
    .options = bench_demo_options,
    .run = run_bench_demo,
};
