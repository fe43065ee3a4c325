/*  scree plot: draws columns of a table as curves in SVG. */
#include "measure/plot.h"
#include "app/look/verbs.h"
#include "common/out_file.h"

#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 256
#define MAX_NAME 64

typedef struct table
{
    char names[MAX_COLUMNS][MAX_NAME];
    size_t column_count, row_count, row_capacity;
    double *cells; /* row by row */
} table;

typedef struct reader
{
    const char *path, *at, *end;
    size_t line;
} reader;

static int refuse_line(const reader *r, const char *what, const char *cell, size_t length)
{
    fprintf(stderr, "scree: %s:%zu: %s \"%.*s\"\n", r->path, r->line, what,
            (int)(length < 60 ? length : 60), cell);
    return SCREE_EXIT_INPUT;
}

/*  The next line that is not empty, without its end. */
static bool next_line(reader *r, const char **line, size_t *length)
{
    while (r->at < r->end) {
        const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
        *line = r->at;
        *length = (size_t)((newline ? newline : r->end) - r->at);
        r->at = newline ? newline + 1 : r->end;
        r->line++;
        if (*length > 0 && (*line)[*length - 1] == '\r')
            (*length)--;
        if (*length > 0)
            return true;
    }
    return false;
}

/*  The next cell of a line, up to a comma. Returns false at the end. */
static bool next_cell(const char **line, size_t *left, const char **cell, size_t *length)
{
    if (!*line)
        return false;
    const char *comma = *left > 0 ? memchr(*line, ',', *left) : NULL;
    *cell = *line;
    *length = comma ? (size_t)(comma - *line) : *left;
    *left -= comma ? *length + 1 : *length;
    *line = comma ? comma + 1 : NULL;
    return true;
}

/*  Characters with a meaning in SVG are removed from names. */
static int read_names(reader *r, table *t)
{
    const char *line, *cell;
    size_t left, length;
    if (!next_line(r, &line, &left))
        return refuse_line(r, "the names of the columns are missing", "", 0);
    while (next_cell(&line, &left, &cell, &length)) {
        size_t used = 0;
        if (t->column_count == MAX_COLUMNS)
            return refuse_line(r, "more than 256 columns, the first too many is", cell, length);
        char *name = t->names[t->column_count++];
        for (size_t i = 0; i < length && used + 1 < MAX_NAME; i++)
            if ((unsigned char)cell[i] >= ' ' && !strchr("<>&'\"", cell[i]))
                name[used++] = cell[i];
        name[used] = 0;
    }
    return SCREE_EXIT_OK;
}

static bool reserve_row(table *t)
{
    if (t->row_count < t->row_capacity)
        return true;
    size_t capacity = t->row_capacity ? 2 * t->row_capacity : 256;
    double *cells = realloc(t->cells, capacity * t->column_count * sizeof *cells);
    if (!cells)
        return false;
    t->cells = cells;
    t->row_capacity = capacity;
    return true;
}

static int read_rows(reader *r, table *t)
{
    const char *line, *cell;
    size_t left, length;
    while (next_line(r, &line, &left)) {
        size_t column = 0;
        if (!reserve_row(t))
            return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        double *row = t->cells + t->row_count * t->column_count;
        for (; next_cell(&line, &left, &cell, &length); column++) {
            if (column == t->column_count)
                return refuse_line(r, "one cell too many:", cell, length);
            if (length == 0)
                row[column] = NAN; /* missing value */
            else if (!scree_text_to_real(cell, length, &row[column]))
                return refuse_line(r, "not a number:", cell, length);
        }
        if (column < t->column_count)
            return refuse_line(r, "cells are missing, the first in column", t->names[column],
                               strlen(t->names[column]));
        t->row_count++;
    }
    return SCREE_EXIT_OK;
}

static const char *next_name(const void *list, size_t index)
{
    const table *t = list;
    return index < t->column_count ? t->names[index] : NULL;
}

/*  Index of a column, or column_count with a message. */
static size_t find_column(const table *t, const char *path, const char *name, size_t length)
{
    char word[MAX_NAME];
    for (size_t k = 0; k < t->column_count; k++)
        if (strlen(t->names[k]) == length && memcmp(t->names[k], name, length) == 0)
            return k;
    snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), name);
    const char *closest = scree_closest_word(word, next_name, t);
    scree_usage_error("plot: %s has no column \"%s\"%s%s%s", path, word,
                      closest ? "; did you mean \"" : "", closest ? closest : "",
                      closest ? "\"?" : "");
    return t->column_count;
}

/* ---- choice of columns ---- */

typedef struct choice
{
    size_t columns[SCREE_PLOT_MAX_SERIES], count, against;
} choice;

static bool choose_named(const table *t, const char *path, const char *text, choice *c)
{
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        size_t column = find_column(t, path, at, length);
        if (column == t->column_count)
            return false;
        if (c->count == SCREE_PLOT_MAX_SERIES) {
            scree_usage_error("plot: more than %d columns", SCREE_PLOT_MAX_SERIES);
            return false;
        }
        c->columns[c->count++] = column;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

/*  The energies of a run, which share a unit; for other tables all columns. */
static void choose_usual(const table *t, choice *c)
{
    static const char *const usual[] = {"kinetic", "rotational", "elastic"};
    for (size_t k = 0; k < t->column_count; k++)
        for (size_t u = 0; u < sizeof usual / sizeof *usual; u++)
            if (strcmp(t->names[k], usual[u]) == 0)
                c->columns[c->count++] = k;
    for (size_t k = 0; k < t->column_count && c->count < SCREE_PLOT_MAX_SERIES; k++) {
        if (c->count > 0 && strcmp(t->names[c->columns[0]], usual[0]) == 0)
            return;
        if (k != c->against)
            c->columns[c->count++] = k;
    }
}

/*  An option with two names. Returns false, with a message, if both are given. */
static bool read_either(const scree_arguments *arguments, const char *name, const char *other,
                        const char **value)
{
    const char *second = scree_argument(&scree_verb_plot, arguments, other);

    *value = scree_argument(&scree_verb_plot, arguments, name);
    if (*value && second) {
        scree_usage_error("plot: --%s and --%s are the same; one of both", name, other);
        return false;
    }
    *value = *value ? *value : second;
    return true;
}

static bool choose(const scree_arguments *arguments, const table *t, choice *c)
{
    const char *columns, *against;

    if (!read_either(arguments, "columns", "y", &columns) ||
        !read_either(arguments, "against", "x", &against))
        return false;
    c->count = c->against = 0;
    if (against) {
        c->against = find_column(t, arguments->operand, against, strlen(against));
        if (c->against == t->column_count)
            return false;
    } else {
        for (size_t k = 0; k < t->column_count; k++)
            if (strcmp(t->names[k], "time") == 0)
                c->against = k;
    }
    if (columns)
        return choose_named(t, arguments->operand, columns, c);
    choose_usual(t, c);
    return true;
}

/*  Draws the columns one after the other. */
static double *turn_table(const table *t)
{
    double *turned = malloc((t->row_count * t->column_count + 1) * sizeof *turned);
    for (size_t row = 0; turned && row < t->row_count; row++)
        for (size_t k = 0; k < t->column_count; k++)
            turned[k * t->row_count + row] = t->cells[row * t->column_count + k];
    return turned;
}

static int write_curves(const scree_arguments *arguments, const table *t, const choice *c,
                        const double *turned)
{
    const scree_verb *verb = &scree_verb_plot;
    const char *out = scree_argument(verb, arguments, "out");
    const char *title = scree_argument(verb, arguments, "title");
    scree_plot_series series[SCREE_PLOT_MAX_SERIES];
    char safe[120] = "", *to = safe;
    scree_out_file file;
    for (const char *from = title ? title : ""; *from && to < safe + sizeof safe - 1; from++)
        if ((unsigned char)*from >= ' ' && !strchr("<>&", *from))
            *to++ = *from;
    *to = 0;
    for (size_t k = 0; k < c->count; k++)
        series[k] = (scree_plot_series){t->names[c->columns[k]], turned + c->against * t->row_count,
                                        turned + c->columns[k] * t->row_count, t->row_count, false};
    scree_plot plot = {safe,   "",      t->names[c->against], c->count == 1 ? series[0].name : "",
                       series, c->count};
    int code = scree_out_open(&file, out);
    if (code != SCREE_EXIT_OK)
        return code;
    if (scree_argument(verb, arguments, "log"))
        scree_plot_write(&plot, file.stream);
    else
        scree_plot_write_linear(&plot, file.stream);
    return scree_out_commit(&file);
}

static int run_plot(const scree_arguments *arguments)
{
    reader r = {arguments->operand, NULL, NULL, 0};
    char *data = NULL;
    size_t bytes = 0;
    choice c;
    if (!arguments->operand)
        return scree_usage_error("plot: a table must be given, such as metrics.csv of a run");
    int code = scree_read_file(arguments->operand, &data, &bytes);
    if (code != SCREE_EXIT_OK)
        return code;
    table *t = calloc(1, sizeof *t);
    if (!t) {
        free(data);
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    }
    r.at = data;
    r.end = data + bytes;
    code = read_names(&r, t);
    if (code == SCREE_EXIT_OK)
        code = read_rows(&r, t);
    if (code == SCREE_EXIT_OK && !choose(arguments, t, &c))
        code = SCREE_EXIT_USAGE;
    if (code == SCREE_EXIT_OK) {
        double *turned = turn_table(t);
        code = turned ? write_curves(arguments, t, &c, turned)
                      : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        free(turned);
    }
    free(t->cells);
    free(t);
    free(data);
    return code;
}

static const scree_option plot_options[] = {
    {"columns", "A,B", "columns to draw; default: the energies of a run, otherwise all"},
    {"against", "NAME", "column of the horizontal axis; default: time, otherwise the first column"},
    {"x", "NAME", "the same as --against"},
    {"y", "A,B", "the same as --columns"},
    {"log", NULL, "both axes are logarithmic"},
    {"title", "TEXT", "over the curves"},
    {"out", "FILE", "the SVG; stdout"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_plot = {
    .name = "plot",
    .operand = "TABLE",
    .summary = "Plots columns of a table, such as a run's metrics.csv, as SVG.",
    .text = "The first line of the table has the names, the others have numbers, separated by "
            "commas. An\n"
            "empty cell is a gap.",
    .example = "scree plot out/hopper/metrics.csv --out energy.svg",
    .options = plot_options,
    .run = run_plot,
};
