/*  Claims go to stdout, one by one with figure and verdict; charts into files. */
#include "app/bench/published.h"

#include "app/bench/record.h"
#include "common/out_file.h"
#include "measure/plot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const scree_option scree_published_options[] = {
    {"quick", NULL, "smaller scenes and fewer runs, less than half a minute"},
    {"plots", "DIR", "write the curves as SVG, and all figures as CSV"},
    {"record", "DIR", "write which rows of the checklist the claims prove, and their figures"},
    {NULL, NULL, NULL},
};

scree_study scree_published_begin(const scree_verb *verb, const scree_arguments *arguments)
{
    scree_study study;
    memset(&study, 0, sizeof study);
    study.quick = scree_argument(verb, arguments, "quick") != NULL;
    study.seed = 1;
    study.progress = isatty(STDERR_FILENO) ? stderr : NULL;
    return study;
}

/* ---- files ---- */

int scree_write_into(const char *folder, const char *name,
                     void (*write)(const void *data, FILE *out), const void *data)
{
    scree_out_file file;
    char *path = scree_join_path(folder, name);
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

static void write_chart(const void *data, FILE *out)
{
    const scree_chart *chart = data;
    scree_plot_series series[SCREE_CHART_CURVES];
    scree_plot plot = {chart->title,   chart->subtitle, chart->x_label,
                       chart->y_label, series,          chart->curve_count};
    for (size_t k = 0; k < chart->curve_count; k++) {
        const scree_curve *curve = &chart->curve[k];
        series[k] =
            (scree_plot_series){curve->name, curve->x, curve->y, curve->count, curve->dashed};
    }
    scree_plot_write(&plot, out);
}

static void write_points(const void *data, FILE *out)
{
    const scree_study *study = data;
    fputs("chart,curve,x,y\n", out);
    for (size_t c = 0; c < study->chart_count; c++)
        for (size_t k = 0; k < study->chart[c].curve_count; k++) {
            const scree_curve *curve = &study->chart[c].curve[k];
            for (size_t p = 0; p < curve->count; p++)
                fprintf(out, "%s,%s,%.6g,%.6g\n", study->chart[c].file, curve->name, curve->x[p],
                        curve->y[p]);
        }
}

static int write_files(const scree_study *study, const char *name, const char *folder)
{
    char points[64];
    int code = scree_make_folder(folder);
    snprintf(points, sizeof points, "%s.csv", name ? name : "");
    if (code == SCREE_EXIT_OK && name)
        code = scree_write_into(folder, points, write_points, study);
    for (size_t c = 0; c < study->chart_count && code == SCREE_EXIT_OK; c++)
        code = scree_write_into(folder, study->chart[c].file, write_chart, &study->chart[c]);
    return code;
}

/* ---- the record of the checklist ---- */

typedef struct recorded_study
{
    const scree_study *study;
    const char *verb;
} recorded_study;

static void write_record(const void *data, FILE *out)
{
    const recorded_study *of = data;
    const scree_study *study = of->study;
    for (size_t k = 0; k < study->claim_count + study->note_count; k++) {
        const scree_claim *claim =
            k < study->claim_count ? &study->claim[k] : &study->note[k - study->claim_count];
        scree_record_lines(&(scree_recorded){claim->rows, of->verb, claim->id, claim->figure,
                                             study->quick ? "quick" : "full", claim->pass},
                           out);
    }
    scree_record_end(out);
}

int scree_record_into(const char *folder, const char *verb,
                      void (*write)(const void *data, FILE *out), const void *data)
{
    char name[64];
    snprintf(name, sizeof name, "%s.txt", verb);
    for (char *c = name; *c; c++)
        if (*c == ' ')
            *c = '_';
    int code = scree_make_folder(folder);
    return code == SCREE_EXIT_OK ? scree_write_into(folder, name, write, data) : code;
}

/* ---- claims ---- */

static void print_claim(const scree_claim *claim)
{
    const char *colour = scree_colour(stdout, claim->pass ? "\033[32m" : "\033[33m");
    printf("%-7s %s%s%s  %s\n", claim->id, colour, claim->pass ? "pass" : "miss",
           scree_colour(stdout, "\033[0m"), claim->text);
    fputs("              ", stdout);
    for (const char *c = claim->figure; *c; c++) {
        putchar(*c);
        if (*c == '\n')
            fputs("              ", stdout);
    }
    putchar('\n');
}

static void print_claims(const scree_study *study)
{
    size_t passed = 0;
    for (size_t k = 0; k < study->claim_count; k++) {
        print_claim(&study->claim[k]);
        passed += study->claim[k].pass;
    }
    if (study->table[0])
        printf("\n%s", study->table);
    printf("\n%zu of %zu claims hold on this machine%s\n", passed, study->claim_count,
           study->quick ? " (quick: figures are rough)" : "");
}

int scree_published_end(const scree_verb *verb, const scree_arguments *arguments,
                        const scree_study *study, const char *name, scree_status status,
                        const scree_error *error)
{
    const char *folder = scree_argument(verb, arguments, "plots");
    const char *record = scree_argument(verb, arguments, "record");
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree-bench: %s: %s\n", verb->name, error->text);
        return SCREE_EXIT_CHECK;
    }
    if (status != SCREE_OK)
        return scree_status_error(status, error->text);
    print_claims(study);
    char label[48];
    snprintf(label, sizeof label, "bench %s", verb->name);
    int code = record
                   ? scree_record_into(record, label, write_record, &(recorded_study){study, label})
                   : SCREE_EXIT_OK;
    if (code != SCREE_EXIT_OK)
        return code;
    return folder ? write_files(study, name, folder) : SCREE_EXIT_OK;
}
