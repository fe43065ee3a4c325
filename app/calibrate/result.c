/*  What is told at the end, and the plot. */
#include "app/calibrate/calibration.h"
#include "app/calibrate/search.h"

#include "common/out_file.h"
#include "common/report.h"
#include "measure/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plot ---- */

/*  Misfit of each try, and the smallest so far; `x` has room for three numbers a try. */
static int write_plot_to(const scree_calibration *c, const scree_try *tries, size_t count,
                         const char *path, double *x)
{
    double *misfit = x + count, *best = misfit + count, least = INFINITY;
    scree_out_file file;
    const int code = scree_out_open(&file, path);

    if (code != SCREE_EXIT_OK)
        return code;
    for (size_t k = 0; k < count; k++) {
        misfit[k] = scree_misfit(c, &tries[k]);
        least = fmin(least, isnan(misfit[k]) ? INFINITY : misfit[k]);
        x[k] = (double)(k + 1);
        best[k] = least;
    }
    scree_plot_series series[] = {{"of each try", x, misfit, count, false},
                                  {"smallest so far", x, best, count, true}};
    scree_plot plot = {"Misfit", "1: at the tolerances", "try", "misfit", series, 2};
    scree_plot_write(&plot, file.stream);
    return scree_out_commit(&file);
}

static int write_plot(const scree_calibration *c, const scree_try *tries, size_t count)
{
    double *x = calloc(3 * count + 1, sizeof *x);
    char *path = scree_join_path(c->folder, "calibration.svg");
    int code = SCREE_EXIT_OK;

    if (x && path)
        code = write_plot_to(c, tries, count, path, x);
    else
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    free(path);
    free(x);
    return code;
}

/* ---- the report ---- */

static const scree_report_column columns[] = {
    {.name = "name", .is_text = true},
    {.name = "value"},
    {.name = "from"},
    {.name = "to"},
    {.name = "wanted"},
    {.name = "tolerance"},
};

static void add_axes(const scree_calibration *c, const scree_try *tries, size_t count, size_t best,
                     scree_report *report)
{
    double lower[SCREE_GAUSS_DIMENSIONS], upper[SCREE_GAUSS_DIMENSIONS];
    bool has_ranges =
        scree_is_met(c, &tries[best]) && scree_search_ranges(c, tries, count, lower, upper);

    for (size_t d = 0; d < c->axis_count; d++) {
        char from[SCREE_REAL_TEXT] = "", to[SCREE_REAL_TEXT] = "";
        if (has_ranges) {
            scree_axis_text(&c->axis[d], lower[d], from);
            scree_axis_text(&c->axis[d], upper[d], to);
        }
        scree_report_add(report, "%s", c->axis[d].name);
        scree_report_add(report, "%.6g", tries[best].parameter[d]);
        scree_report_add(report, "%s", from);
        scree_report_add(report, "%s", to);
        scree_report_add(report, "%s", "");
        scree_report_add(report, "%s", "");
    }
}

static int print_best(const scree_calibration *c, const scree_try *tries, size_t count, size_t best)
{
    scree_report report;

    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    add_axes(c, tries, count, best, &report);
    for (size_t t = 0; t < c->target_count; t++) {
        scree_report_add(&report, "%s", c->target[t].name);
        scree_report_add(&report, "%.6g", tries[best].measured[t]);
        scree_report_add(&report, "%s", "");
        scree_report_add(&report, "%s", "");
        scree_report_add(&report, "%.6g", c->target[t].value);
        scree_report_add(&report, "%.6g", c->target[t].tolerance);
    }
    return scree_report_end(&report, c->format, stdout);
}

/*  The command that repeats the best run. */
static void print_command(const scree_calibration *c, const scree_try *best)
{
    printf("scree run %s", c->scene);
    for (size_t k = 0; k < c->setting_count; k++)
        printf(" --set %s", c->settings[k]);
    for (size_t d = 0; d < c->axis_count; d++)
        printf(" --set %s=%.6g", c->axis[d].name, best->parameter[d]);
    printf("\n");
}

/*  Parameters at an end of their range: the best values may lie beyond. */
static void warn_of_ends(const scree_calibration *c, const scree_try *best)
{
    for (size_t d = 0; d < c->axis_count; d++) {
        bool is_low = best->unit[d]<1e-3, is_high = best->unit[d]> 1 - 1e-3;
        if (is_low || is_high)
            scree_message(
                "calibrate: %s is at the %s end of its range, and better values may lie beyond: "
                "widen --vary",
                c->axis[d].name, is_low ? "lower" : "upper");
    }
}

/*  Tolerances that are smaller than the scatter are met by luck alone. */
static void warn_of_scatter(const scree_calibration *c, const scree_try *tries, size_t count)
{
    double scatter[SCREE_CALIBRATE_MAX_TARGETS];

    if (!scree_search_scatter(c, tries, count, scatter))
        return;
    for (size_t t = 0; t < c->target_count; t++)
        if (scatter[t] > c->target[t].tolerance)
            scree_message(
                "calibrate: %s scatters by %.2g between similar runs, more than its tolerance "
                "of %.2g: use more bodies, a mean over time (--from), or a larger tolerance",
                c->target[t].name, scatter[t], c->target[t].tolerance);
}

int scree_say_result(const scree_calibration *c, const scree_try *tries, size_t count)
{
    size_t best = scree_best_try(c, tries, count), failed = 0;

    for (size_t k = 0; k < count; k++)
        failed += isnan(scree_misfit(c, &tries[k])) ? 1 : 0;
    if (best == count) {
        scree_message(
            "calibrate: all %zu runs failed or measured nothing finite, the first with exit "
            "code %d: see %s/try-001/log.txt, and narrow the ranges of --vary",
            count, tries[0].code, c->folder);
        return tries[0].code ? tries[0].code : SCREE_EXIT_CHECK;
    }
    bool is_met = scree_is_met(c, &tries[best]);
    int code = write_plot(c, tries, count);
    if (!c->is_quiet && c->format == SCREE_REPORT_TABLE)
        printf("\n%s in %zu runs%s, best is try %zu, misfit %.3g\n\n",
               is_met ? "all targets are met" : "targets are not met", count,
               failed ? ", some of which failed" : "", best + 1, scree_misfit(c, &tries[best]));
    int printed = print_best(c, tries, count, best);
    code = code == SCREE_EXIT_OK ? printed : code;
    if (!c->is_quiet && c->format == SCREE_REPORT_TABLE) {
        printf("\n");
        print_command(c, &tries[best]);
    }
    if (!is_met)
        warn_of_ends(c, &tries[best]);
    warn_of_scatter(c, tries, count);
    return code == SCREE_EXIT_OK && !is_met ? SCREE_EXIT_CHECK : code;
}
