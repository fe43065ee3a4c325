/*  scree plot: draws columns of a table as curves in SVG. */
#include "measure/plot.h"
#include "app/look/verbs.h"
#include "common/number_table.h"
#include "common/out_file.h"

#include <stdlib.h>
#include <string.h>

/*  Index of a column, or column_count with a message. */
static size_t find_column(const scree_number_table *t, const char *path, const char *name,
                          size_t length)
{
    char word[SCREE_NUMBER_TABLE_NAME];
    size_t column = scree_number_table_find(t, name, length);
    if (column < t->column_count)
        return column;
    snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), name);
    const char *closest = scree_closest_word(word, scree_number_table_name, t);
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

static bool choose_named(const scree_number_table *t, const char *path, const char *text, choice *c)
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
static void choose_usual(const scree_number_table *t, choice *c)
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

static bool choose(const scree_arguments *arguments, const scree_number_table *t, choice *c)
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
static double *turn_table(const scree_number_table *t)
{
    double *turned = malloc((t->row_count * t->column_count + 1) * sizeof *turned);
    for (size_t row = 0; turned && row < t->row_count; row++)
        for (size_t k = 0; k < t->column_count; k++)
            turned[k * t->row_count + row] = t->cells[row * t->column_count + k];
    return turned;
}

static int write_curves(const scree_arguments *arguments, const scree_number_table *t,
                        const choice *c, const double *turned)
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
    scree_number_table t;
    choice c;
    if (!arguments->operand)
        return scree_usage_error("plot: a table must be given, such as metrics.csv of a run");
    int code = scree_number_table_read(arguments->operand, &t);
    if (code != SCREE_EXIT_OK)
        return code;
    if (!choose(arguments, &t, &c))
        code = SCREE_EXIT_USAGE;
    if (code == SCREE_EXIT_OK) {
        double *turned = turn_table(&t);
        code = turned ? write_curves(arguments, &t, &c, turned)
                      : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        free(turned);
    }
    scree_number_table_free(&t);
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
