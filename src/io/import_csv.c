/*  Spheres, one per line: CSV with named columns, and the text files of Yade, whose columns are named by a comment or
    implied by their number. */
#include "io/import_list.h"

#include <string.h>

/* ---- one row ---- */

/*  Splits at blanks, or at each separator. */
static bool next_cell(char separator, scree_span *rest, bool *more, scree_span *cell)
{
    if (separator != ' ')
        return scree_next_field(rest, separator, more, cell);
    return scree_next_word(rest, cell);
}

static scree_status read_cells(scree_import *import, const scree_text *text, scree_span line,
                               char separator, const scree_import_columns *columns)
{
    scree_import_row row;
    scree_span cell;
    bool more = true;
    char shown[SCREE_SHOWN];
    for (int c = 0; c < columns->count; c++) {
        scree_status status;
        if (!next_cell(separator, &line, &more, &cell))
            return scree_text_fail(text, "this line has %d columns, must have %d", c,
                                   columns->count);
        if ((status = scree_import_read(text, columns->kind[c], cell, &row)))
            return status;
    }
    if (next_cell(separator, &line, &more, &cell))
        return scree_text_fail(text, "\"%s\" is one column too many", scree_show(cell, shown));
    return scree_import_add(import, text, columns, &row);
}

/*  Defines columns by a list of names. */
static void set_columns(scree_import_columns *columns, const char *const *names)
{
    memset(columns, 0, sizeof *columns);
    for (; *names; names++) {
        scree_span name = {*names, *names + strlen(*names)};
        scree_import_column kind = scree_import_column_of(name);
        columns->kind[columns->count++] = kind;
        columns->present[kind] = true;
    }
}

/* ---- CSV ---- */

static char find_separator_of(scree_span line)
{
    for (; line.at < line.end; line.at++)
        if (*line.at == ',' || *line.at == ';' || *line.at == '\t')
            return *line.at;
    return ' ';
}

static int count_cells(scree_span line, char separator, bool *all_numbers)
{
    scree_span cell;
    bool more = true;
    double value;
    int count = 0;
    *all_numbers = true;
    for (; next_cell(separator, &line, &more, &cell); count++)
        *all_numbers &= scree_text_to_real(cell.at, scree_span_length(cell), &value);
    return count;
}

static scree_status read_name(const scree_import *import, const scree_text *text, scree_span name,
                              scree_import_columns *columns)
{
    scree_import_column kind = scree_import_column_of(name);
    char shown[SCREE_SHOWN];
    const char *nearest;
    if (kind == SCREE_COLUMN_UNKNOWN && !import->def->ignore_columns) {
        nearest = scree_import_nearest_column(scree_show(name, shown));
        return scree_text_fail(text, "column \"%s\" is not known%s%s%s", shown,
                               nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                               nearest ? "\"?" : "");
    }
    /* our own files have both; global ids are more durable */
    if (kind == SCREE_COLUMN_BODY_ID && columns->present[SCREE_COLUMN_BODY_ID] &&
        scree_span_is(name, "id"))
        kind = SCREE_COLUMN_KNOWN;
    return scree_import_add_column(text, columns, kind, name);
}

static scree_status read_names(const scree_import *import, const scree_text *text, scree_span line,
                               char separator, scree_import_columns *columns)
{
    scree_span name;
    bool more = true;
    memset(columns, 0, sizeof *columns);
    while (next_cell(separator, &line, &more, &name)) {
        scree_status status = read_name(import, text, name, columns);
        if (status)
            return status;
    }
    return SCREE_OK;
}

scree_status scree_import_csv(scree_import *import, scree_text *text)
{
    static const char *const flat[] = {"x", "y", "r", NULL};
    static const char *const solid[] = {"x", "y", "z", "r", NULL};
    scree_import_columns columns;
    scree_span line;
    scree_status status = SCREE_OK;
    bool is_row;
    char separator;
    int count;
    if (!scree_next_content(text, &line))
        return scree_text_fail(text, "there is neither a header nor a row");
    separator = find_separator_of(line);
    count = count_cells(line, separator, &is_row);
    if (!is_row)
        status = read_names(import, text, line, separator, &columns);
    else if (count == 3 || count == 4)
        set_columns(&columns, count == 3 ? flat : solid);
    else
        status = scree_text_fail(
            text, "there are %d columns without names; known are 3 (x,y,r) and 4 (x,y,z,r)", count);
    if (!status)
        status = scree_import_check_columns(text, &columns, import->def, true);
    if (!status && is_row)
        status = read_cells(import, text, line, separator, &columns);
    while (!status && scree_next_content(text, &line))
        status = read_cells(import, text, line, separator, &columns);
    return status;
}

/* ---- Yade ---- */

/*  "#format x_y_z_r_matId": the names, or nothing. */
static bool is_yade_format(scree_span line, scree_span *names)
{
    scree_span word;
    return scree_next_word(&line, &word) && scree_span_is(word, "#format") &&
           scree_next_word(&line, names);
}

bool scree_is_yade(scree_text text)
{
    scree_span line, names;
    bool numbers;
    while (scree_next_line(&text, &line)) {
        if (is_yade_format(line, &names))
            return true;
        if (line.at == line.end || *line.at == '#')
            continue;
        /* four numbers are the same as in CSV */
        return find_separator_of(line) != ',' && find_separator_of(line) != ';' &&
               count_cells(line, ' ', &numbers) == 5 && numbers;
    }
    return false;
}

/*  Materials and ids count from 0 in Yade: read_yade_row adds one. */
static scree_status read_yade_format(const scree_text *text, scree_span names,
                                     scree_import_columns *columns)
{
    scree_span name;
    bool more = true;
    char shown[SCREE_SHOWN];
    memset(columns, 0, sizeof *columns);
    while (scree_next_field(&names, '_', &more, &name)) {
        scree_import_column kind = scree_import_column_of(name);
        scree_status status;
        if (scree_span_is(name, "matId"))
            kind = SCREE_COLUMN_TYPE;
        else if (kind >= SCREE_COLUMN_KINDS)
            return scree_text_fail(text, "format: \"%s\" is not known", scree_show(name, shown));
        if ((status = scree_import_add_column(text, columns, kind, name)))
            return status;
    }
    return SCREE_OK;
}

/*  Adds one to ids and materials. */
static scree_status read_yade_row(scree_import *import, const scree_text *text, scree_span line,
                                  const scree_import_columns *columns)
{
    scree_import_row row;
    scree_span word;
    scree_status status;
    char shown[SCREE_SHOWN];
    for (int c = 0; c < columns->count; c++) {
        scree_import_column kind = columns->kind[c];
        if (!scree_next_word(&line, &word))
            return scree_text_fail(text, "this line has %d columns, must have %d", c,
                                   columns->count);
        if (kind == SCREE_COLUMN_TYPE || kind == SCREE_COLUMN_BODY_ID) {
            status = scree_read_whole(text, kind == SCREE_COLUMN_TYPE ? "matId" : "id", word, 0,
                                      UINT32_MAX - 1, &row.whole[kind]);
            row.whole[kind]++;
        } else
            status = scree_import_read(text, kind, word, &row);
        if (status)
            return status;
    }
    if (scree_next_word(&line, &word))
        return scree_text_fail(text, "\"%s\" is one column too many", scree_show(word, shown));
    return scree_import_add(import, text, columns, &row);
}

scree_status scree_import_yade(scree_import *import, scree_text *text)
{
    static const char *const plain[] = {"x", "y", "z", "r", NULL};
    static const char *const masked[] = {"x", "y", "z", "r", "mask", NULL};
    scree_import_columns columns = {.count = 0};
    scree_span line, names;
    while (scree_next_line(text, &line)) {
        scree_status status = SCREE_OK;
        bool numbers;
        if (line.at == line.end)
            continue;
        if (*line.at == '#') {
            if (is_yade_format(line, &names) && columns.count == 0 &&
                !(status = read_yade_format(text, names, &columns)))
                status = scree_import_check_columns(text, &columns, import->def, false);
        } else {
            if (columns.count == 0) {
                set_columns(&columns, count_cells(line, ' ', &numbers) == 5 ? masked : plain);
                status = scree_import_check_columns(text, &columns, import->def, false);
            }
            if (!status)
                status = read_yade_row(import, text, line, &columns);
        }
        if (status)
            return status;
    }
    if (import->count == 0)
        return scree_text_fail(text, "there are no spheres in it");
    return SCREE_OK;
}
