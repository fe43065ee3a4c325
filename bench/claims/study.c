/*  Claims and charts are plain arrays in the study: no memory of their own, nothing to free. */
#include "claims/study.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

scree_claim *scree_study_claim(scree_study *study, const char *id, const char *rows,
                               const char *text)
{
    assert(study->claim_count < SCREE_STUDY_CLAIMS);
    scree_claim *claim = &study->claim[study->claim_count++];
    *claim = (scree_claim){.id = id, .rows = rows, .text = text};
    return claim;
}

scree_claim *scree_study_note(scree_study *study, const char *id, const char *rows)
{
    assert(study->note_count < SCREE_STUDY_NOTES);
    scree_claim *note = &study->note[study->note_count++];
    *note = (scree_claim){.id = id, .rows = rows, .text = ""};
    return note;
}

scree_chart *scree_study_chart(scree_study *study, const char *file, const char *title,
                               const char *subtitle, const char *x_label, const char *y_label)
{
    assert(study->chart_count < SCREE_STUDY_CHARTS);
    scree_chart *chart = &study->chart[study->chart_count++];
    chart->file = file;
    chart->title = title;
    chart->subtitle = subtitle;
    chart->x_label = x_label;
    chart->y_label = y_label;
    chart->curve_count = 0;
    return chart;
}

scree_curve *scree_chart_curve(scree_chart *chart, const char *name)
{
    assert(chart->curve_count < SCREE_CHART_CURVES);
    scree_curve *curve = &chart->curve[chart->curve_count++];
    snprintf(curve->name, sizeof curve->name, "%s", name);
    curve->count = 0;
    curve->dashed = false;
    return curve;
}

void scree_curve_add(scree_curve *curve, double x, double y)
{
    assert(curve->count < SCREE_CURVE_POINTS);
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

void scree_claim_say(scree_claim *claim, const char *format, ...)
{
    size_t used = strlen(claim->figure);
    va_list list;
    va_start(list, format);
    vsnprintf(claim->figure + used, sizeof claim->figure - used, format, list);
    va_end(list);
}

/* ---- times by engine (row IS-27) ---- */

void scree_study_write(scree_study *study, const char *format, ...)
{
    size_t used = strlen(study->table);
    va_list list;
    va_start(list, format);
    vsnprintf(study->table + used, sizeof study->table - used, format, list);
    va_end(list);
}

void scree_study_engines(scree_study *study, const char *const run[2], const scree_engine_row *rows,
                         size_t count)
{
    double total[2] = {0, 0};
    for (size_t k = 0; k < count; k++)
        for (int r = 0; r < 2 && !rows[k].is_part; r++)
            total[r] += rows[k].seconds[r];
    scree_study_write(study, "%-26s %30s %30s\n", "", run[0], run[1]);
    scree_study_write(study, "%-26s", "engine");
    for (int r = 0; r < 2; r++)
        scree_study_write(study, " %8s %12s %8s", "count", "us", "%");
    for (size_t k = 0; k < count; k++) {
        scree_study_write(study, "\n%s%-*s", rows[k].is_part ? "  " : "", rows[k].is_part ? 24 : 26,
                          rows[k].name);
        for (int r = 0; r < 2; r++)
            scree_study_write(study, " %8llu %12.0f %8.2f", (unsigned long long)rows[k].count[r],
                              1e6 * rows[k].seconds[r],
                              total[r] > 0 ? 100 * rows[k].seconds[r] / total[r] : 0);
    }
    scree_study_write(study, "\n%-26s", "total");
    for (int r = 0; r < 2; r++)
        scree_study_write(study, " %8s %12.0f %8.0f", "", 1e6 * total[r], total[r] > 0 ? 100.0 : 0);
    scree_study_write(study, "\n");
}

void scree_study_tell(const scree_study *study, const char *format, ...)
{
    va_list list;
    if (!study->progress)
        return;
    va_start(list, format);
    fputs("  ", study->progress);
    vfprintf(study->progress, format, list);
    fputc('\n', study->progress);
    va_end(list);
}
