#include "report.h"

#include "measure/plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*  Tests have no use for a world without memory. */
static void *grow(void *block, size_t bytes)
{
    void *grown = realloc(block, bytes);
    if (!grown) {
        fputs("validation: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

void validation_begin(validation *v, const char *title, const char *text)
{
    if (v->section_count == VALIDATION_SECTIONS) {
        fputs("validation: VALIDATION_SECTIONS is too small\n", stderr);
        exit(1);
    }
    validation_section *section = &v->section[v->section_count++];
    memset(section, 0, sizeof *section);
    section->title = title;
    section->text = text;
}

void validation_free(validation *v)
{
    for (size_t s = 0; s < v->section_count; s++) {
        validation_section *section = &v->section[s];
        for (size_t c = 0; c < section->chart_count; c++)
            for (size_t k = 0; k < section->chart[c].curve_count; k++) {
                free(section->chart[c].curve[k].x);
                free(section->chart[c].curve[k].y);
            }
        free(section->row);
    }
    v->section_count = 0;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static bool row_passes(const validation_row *row)
{
    double off = fabs(row->ours - row->reference);
    switch (row->measure) {
    case VALIDATION_RELATIVE:
        return off <= row->tolerance * fabs(row->reference);
    case VALIDATION_ABSOLUTE:
        return off <= row->tolerance;
    case VALIDATION_AT_MOST:
        return row->ours <= row->reference;
    case VALIDATION_BETWEEN:
        return row->ours >= row->reference && row->ours <= row->upper;
    case VALIDATION_EXACT:
        return memcmp(&row->ours, &row->reference, sizeof row->ours) == 0;
    case VALIDATION_FAILED:
        break;
    }
    return false;
}

static void add_row(validation *v, validation_row row, const char *source, const char *name,
                    va_list arguments)
{
    validation_section *section = &v->section[v->section_count - 1];
    if (section->row_count == section->row_capacity) {
        section->row_capacity = section->row_capacity * 2 + 16;
        section->row = grow(section->row, section->row_capacity * sizeof *section->row);
    }
    vsnprintf(row.name, sizeof row.name, name, arguments);
    snprintf(row.source, sizeof row.source, "%s", source);
    row.passed = row_passes(&row);
    section->row[section->row_count++] = row;
}

void validation_relative(validation *v, const char *source, double reference, double ours,
                         double tolerance, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    validation_row row = {.measure = VALIDATION_RELATIVE,
                          .reference = reference,
                          .ours = ours,
                          .tolerance = tolerance};
    add_row(v, row, source, name, arguments);
    va_end(arguments);
}

void validation_absolute(validation *v, const char *source, double reference, double ours,
                         double tolerance, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    validation_row row = {.measure = VALIDATION_ABSOLUTE,
                          .reference = reference,
                          .ours = ours,
                          .tolerance = tolerance};
    add_row(v, row, source, name, arguments);
    va_end(arguments);
}

void validation_at_most(validation *v, const char *source, double bound, double ours,
                        const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    validation_row row = {.measure = VALIDATION_AT_MOST, .reference = bound, .ours = ours};
    add_row(v, row, source, name, arguments);
    va_end(arguments);
}

void validation_between(validation *v, const char *source, double lower, double upper, double ours,
                        const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    validation_row row = {
        .measure = VALIDATION_BETWEEN, .reference = lower, .upper = upper, .ours = ours};
    add_row(v, row, source, name, arguments);
    va_end(arguments);
}

void validation_exact(validation *v, const char *source, double reference, double ours,
                      const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    validation_row row = {.measure = VALIDATION_EXACT, .reference = reference, .ours = ours};
    add_row(v, row, source, name, arguments);
    va_end(arguments);
}

void validation_failed(validation *v, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    validation_row row = {.measure = VALIDATION_FAILED};
    add_row(v, row, "", why, arguments);
    va_end(arguments);
}

static double key_of(const validation_row *row)
{
    return row->measure == VALIDATION_BETWEEN ? row->ours : row->ours - row->reference;
}

static int by_key(const void *a, const void *b)
{
    double x = key_of(*(const validation_row *const *)a);
    double y = key_of(*(const validation_row *const *)b);
    return (x > y) - (x < y);
}

static validation_row median_of(const validation_row **row, size_t count)
{
    double least = row[0]->ours, largest = row[0]->ours;
    for (size_t k = 0; k < count; k++) {
        least = fmin(least, row[k]->ours);
        largest = fmax(largest, row[k]->ours);
    }
    qsort(row, count, sizeof *row, by_key);
    validation_row median = *row[count / 2];
    median.starts = (uint32_t)count;
    median.least = least;
    median.largest = largest;
    return median;
}

void validation_take_medians(validation *first, size_t section, const validation *others,
                             size_t count)
{
    for (size_t s = 0; section + s < first->section_count; s++) {
        validation_section *rows = &first->section[section + s];
        for (size_t k = 0; k < rows->row_count; k++) {
            const validation_row *row[VALIDATION_MAX_STARTS] = {&rows->row[k]};
            size_t found = 1;
            for (size_t o = 0; o < count; o++)
                if (s < others[o].section_count &&
                    others[o].section[s].row_count == rows->row_count &&
                    others[o].section[s].row[k].measure == rows->row[k].measure)
                    row[found++] = &others[o].section[s].row[k];
            /* a number that could not be measured is no number */
            if (found == count + 1 && rows->row[k].measure != VALIDATION_FAILED)
                rows->row[k] = median_of(row, found);
        }
    }
}

size_t validation_rows(const validation *v, bool failed_alone)
{
    size_t count = 0;
    for (size_t s = 0; s < v->section_count; s++)
        for (size_t k = 0; k < v->section[s].row_count; k++)
            count += !failed_alone || !v->section[s].row[k].passed;
    return count;
}

/* ---- charts -------------------------------------------------------------------------------------- */

validation_chart *validation_add_chart(validation *v, const char *file, const char *title,
                                       const char *subtitle, const char *x_label,
                                       const char *y_label)
{
    validation_section *section = &v->section[v->section_count - 1];
    if (section->chart_count == VALIDATION_CHARTS) {
        fputs("validation: VALIDATION_CHARTS is too small\n", stderr);
        exit(1);
    }
    validation_chart *chart = &section->chart[section->chart_count++];
    memset(chart, 0, sizeof *chart);
    chart->file = file;
    chart->title = title;
    chart->subtitle = subtitle;
    chart->x_label = x_label;
    chart->y_label = y_label;
    return chart;
}

validation_curve *validation_add_curve(validation_chart *chart, const char *name, bool dashed)
{
    if (chart->curve_count == VALIDATION_CURVES) {
        fputs("validation: VALIDATION_CURVES is too small\n", stderr);
        exit(1);
    }
    validation_curve *curve = &chart->curve[chart->curve_count++];
    memset(curve, 0, sizeof *curve);
    curve->name = name;
    curve->dashed = dashed;
    return curve;
}

void validation_point(validation_curve *curve, double x, double y)
{
    if (curve->count == curve->capacity) {
        curve->capacity = curve->capacity * 2 + 64;
        curve->x = grow(curve->x, curve->capacity * sizeof *curve->x);
        curve->y = grow(curve->y, curve->capacity * sizeof *curve->y);
    }
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

/* ---- writing ------------------------------------------------------------------------------------- */

typedef struct cells
{
    char reference[64], ours[64], deviation[32], tolerance[32];
} cells;

static void format_percent(double share, bool is_signed, char text[32])
{
    double percent = share * 100;
    if (fabs(percent) >= 0.001 || percent == 0)
        snprintf(text, 32, is_signed ? "%+.3g %%" : "%.3g %%", percent);
    else
        snprintf(text, 32, is_signed ? "%+.1e" : "%.0e", share);
}

static cells format_row(const validation_row *row)
{
    cells c = {"", "", "", ""};
    double off = row->ours - row->reference;
    if (row->measure == VALIDATION_FAILED)
        return c;
    snprintf(c.reference, sizeof c.reference, "%.6g", row->reference);
    snprintf(c.ours, sizeof c.ours, "%.6g", row->ours);
    switch (row->measure) {
    case VALIDATION_RELATIVE:
        format_percent(off / fabs(row->reference), true, c.deviation);
        format_percent(row->tolerance, false, c.tolerance);
        break;
    case VALIDATION_ABSOLUTE:
        snprintf(c.deviation, sizeof c.deviation, "%+.2g", off);
        snprintf(c.tolerance, sizeof c.tolerance, "%.2g", row->tolerance);
        break;
    case VALIDATION_AT_MOST:
        snprintf(c.reference, sizeof c.reference, "at most %.4g", row->reference);
        snprintf(c.ours, sizeof c.ours, "%.3g", row->ours);
        break;
    case VALIDATION_BETWEEN:
        snprintf(c.reference, sizeof c.reference, "%.6g to %.6g", row->reference, row->upper);
        break;
    case VALIDATION_EXACT:
        snprintf(c.deviation, sizeof c.deviation, "%.2g", off);
        snprintf(c.tolerance, sizeof c.tolerance, "same bits");
        break;
    case VALIDATION_FAILED:
        break;
    }
    if (row->starts > 1 && row->least != row->largest) {
        size_t used = strlen(c.ours);
        snprintf(c.ours + used, sizeof c.ours - used, " (%.4g to %.4g)", row->least, row->largest);
    }
    return c;
}

void validation_print_row(const validation_row *row, FILE *out)
{
    cells c = format_row(row);
    fprintf(out, "%s: %s", row->passed ? "pass" : "FAIL", row->name);
    if (row->measure != VALIDATION_FAILED)
        fprintf(out, ": %s (reference %s, deviation %s, tolerance %s)", c.ours, c.reference,
                c.deviation, c.tolerance);
    fputc('\n', out);
}

static void write_section(const validation_section *section, FILE *out)
{
    fprintf(out, "\n## %s\n\n%s\n", section->title, section->text);
    if (section->row_count > 0)
        fputs("\n| case | reference | ours | deviation | tolerance | | from |\n"
              "|---|---|---|---|---|---|---|\n",
              out);
    for (size_t k = 0; k < section->row_count; k++) {
        const validation_row *row = &section->row[k];
        cells c = format_row(row);
        fprintf(out, "| %s | %s | %s | %s | %s | %s | %s |\n", row->name, c.reference, c.ours,
                c.deviation, c.tolerance, row->passed ? "pass" : "**FAIL**", row->source);
    }
    for (size_t c = 0; c < section->chart_count; c++)
        fprintf(out, "\n![%s](%s)\n", section->chart[c].title, section->chart[c].file);
}

void validation_write_page(const validation *v, FILE *out)
{
    size_t rows = validation_rows(v, false), failed = validation_rows(v, true);
    fprintf(
        out,
        "# Validation: physics with known answers\n\n"
        "Written by `./do validate`, and the same on every machine: %zu numbers from elsewhere "
        "beside those of "
        "scree, %zu pass, %zu fail. A short form of each section runs in `./do test` "
        "(`test_validation_*`).\n\n"
        "Where grains flow or pack, numbers are chaotic: each is the median of three starts, in "
        "which bodies are placed up to 1e-9 of a radius apart, and what all three gave stands "
        "in brackets (`./do validate --seed=N NAME` gives those of one more).\n\n"
        "No reference and no tolerance comes from scree's own output. Where one comes from "
        "stands in the last "
        "column: **[F]** a formula, given there or in the text; **[C]** computed by a small "
        "integrator that "
        "shares no code with scree (`tests/validation/reference.c`, `enskog.c`, `event_gas.c`, or "
        "beside its "
        "case), event-driven, or by another engine that is named; **[D]** "
        "read off a "
        "published figure (reading error about 1 %%); **[P]** a published input with the "
        "number that it must "
        "give; **[U]** from general knowledge of the literature, a trend rather than a number. "
        "Units are SI "
        "unless said.\n",
        rows, rows - failed, failed);
    fputs("\n| section | numbers | pass |\n|---|---|---|\n", out);
    for (size_t s = 0; s < v->section_count; s++) {
        const validation_section *section = &v->section[s];
        size_t passed = 0;
        for (size_t k = 0; k < section->row_count; k++)
            passed += section->row[k].passed;
        fprintf(out, "| %s | %zu | %s%zu%s |\n", section->title, section->row_count,
                passed == section->row_count ? "" : "**", passed,
                passed == section->row_count ? "" : "**");
    }
    for (size_t s = 0; s < v->section_count; s++)
        write_section(&v->section[s], out);
}

static bool write_chart(const validation_chart *chart, const char *folder)
{
    char path[1024];
    scree_plot_series series[VALIDATION_CURVES];
    for (size_t k = 0; k < chart->curve_count; k++) {
        const validation_curve *curve = &chart->curve[k];
        scree_plot_series shown = {curve->name, curve->x, curve->y, curve->count, curve->dashed};
        series[k] = shown;
    }
    scree_plot plot = {chart->title,   chart->subtitle, chart->x_label,
                       chart->y_label, series,          chart->curve_count};
    snprintf(path, sizeof path, "%s/%s", folder, chart->file);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return false;
    }
    if (chart->logarithmic)
        scree_plot_write(&plot, out);
    else
        scree_plot_write_linear(&plot, out);
    bool written = !ferror(out);
    written = fclose(out) == 0 && written;
    if (!written)
        perror(path);
    return written;
}

bool validation_write_charts(const validation *v, const char *folder)
{
    bool written = true;
    for (size_t s = 0; s < v->section_count; s++)
        for (size_t c = 0; c < v->section[s].chart_count; c++)
            written = write_chart(&v->section[s].chart[c], folder) && written;
    return written;
}
