/*  Reading is strict: a cell that is no number, or a row with another number of cells, is an error with its line. */
#include "common/number_table.h"
#include "common/options.h"
#include "common/out_file.h"

#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static int read_names(reader *r, scree_number_table *t)
{
    const char *line, *cell;
    size_t left, length;
    if (!next_line(r, &line, &left))
        return refuse_line(r, "the names of the columns are missing", "", 0);
    while (next_cell(&line, &left, &cell, &length)) {
        size_t used = 0;
        if (t->column_count == SCREE_NUMBER_TABLE_COLUMNS)
            return refuse_line(r, "more than 256 columns, the first too many is", cell, length);
        char *name = t->names[t->column_count++];
        for (size_t i = 0; i < length && used + 1 < SCREE_NUMBER_TABLE_NAME; i++)
            if ((unsigned char)cell[i] >= ' ' && !strchr("<>&'\"", cell[i]))
                name[used++] = cell[i];
        name[used] = 0;
    }
    return SCREE_EXIT_OK;
}

static bool reserve_row(scree_number_table *t)
{
    if (t->row_count < t->row_capacity)
        return true;
    size_t capacity = t->row_capacity ? 2 * t->row_capacity : 256;
    size_t columns = t->column_count ? t->column_count : 1;
    double *cells = realloc(t->cells, capacity * columns * sizeof *cells);
    if (!cells)
        return false;
    t->cells = cells;
    t->row_capacity = capacity;
    return true;
}

static int read_rows(reader *r, scree_number_table *t)
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

const char *scree_number_table_name(const void *list, size_t index)
{
    const scree_number_table *t = list;
    return index < t->column_count ? t->names[index] : NULL;
}

size_t scree_number_table_find(const scree_number_table *t, const char *name, size_t length)
{
    for (size_t k = 0; k < t->column_count; k++)
        if (strlen(t->names[k]) == length && memcmp(t->names[k], name, length) == 0)
            return k;
    return t->column_count;
}

int scree_number_table_read(const char *path, scree_number_table *t)
{
    reader r = {path, NULL, NULL, 0};
    char *data = NULL;
    size_t bytes = 0;

    *t = (scree_number_table){0};
    if (!path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    int code = scree_read_file(path, &data, &bytes);
    if (code != SCREE_EXIT_OK)
        return code;
    r.at = data;
    r.end = data + bytes;
    t->names = malloc(SCREE_NUMBER_TABLE_COLUMNS * sizeof *t->names);
    if (t->names)
        code = read_names(&r, t);
    else
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    if (t->names && code == SCREE_EXIT_OK)
        code = read_rows(&r, t);
    free(data);
    if (code != SCREE_EXIT_OK)
        scree_number_table_free(t);
    return code;
}

void scree_number_table_free(scree_number_table *t)
{
    free(t->names);
    free(t->cells);
    *t = (scree_number_table){0};
}
