/*  Text tables: one body per line, fields separated by commas, semicolons, tabs or blanks, as in the first line. A
    first line in which a field is not a number names the columns; otherwise the number of columns decides. Lines have a
    length and no terminator, so any bytes may occur. */
#include "app/detect/read_internal.h"

#include "base/decimal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 256
#define MAX_NUMBER 128 /* characters of an integer, including leading zeros */

typedef struct span
{
    const char *begin, *end;
} span;

typedef struct csv
{
    const char *at, *end;
    uint64_t line; /* number of the line last read */
    char separator;
    int field_count;
    scree_column column[MAX_FIELDS]; /* SCREE_COLUMN_COUNT: ignored */
} csv;

/* ---- lines and fields ---------------------------------------------------------------------------
 */

static span trim(span s)
{
    while (s.begin < s.end && (*s.begin == ' ' || *s.begin == '\t'))
        s.begin++;
    while (s.begin < s.end && (s.end[-1] == ' ' || s.end[-1] == '\t' || s.end[-1] == '\r'))
        s.end--;
    return s;
}

/*  The next line that is neither empty nor a comment. */
static bool next_line(csv *reader, span *line)
{
    while (reader->at < reader->end) {
        const char *begin = reader->at;
        const char *newline = memchr(begin, '\n', (size_t)(reader->end - begin));
        reader->at = newline ? newline + 1 : reader->end;
        reader->line++;
        span whole = {begin, newline ? newline : reader->end};
        span content = trim(whole);
        if (content.begin < content.end && *content.begin != '#') {
            *line = content;
            return true;
        }
    }
    return false;
}

/*  Takes a field off the front of *rest. Returns false if nothing is left. `more`: a separator has just been passed, so
    that "1," has two fields. */
static bool next_field(const csv *reader, span *rest, bool *more, span *field)
{
    if (!*more)
        return false;
    if (reader->separator == ' ') {
        *rest = trim(*rest);
        if (rest->begin == rest->end)
            return false;
    }
    const char *c = rest->begin;
    if (reader->separator == ' ')
        while (c < rest->end && *c != ' ' && *c != '\t')
            c++;
    else
        while (c < rest->end && *c != reader->separator)
            c++;
    span found = {rest->begin, c};
    *field = trim(found);
    /* quotes around a field, as spreadsheets write them */
    if (field->end - field->begin >= 2 && *field->begin == '"' && field->end[-1] == '"') {
        field->begin++;
        field->end--;
    }
    *more = c < rest->end;
    rest->begin = c < rest->end ? c + 1 : c;
    return true;
}

/*  A field for messages: shortened, and without control characters. */
static const char *shown(span field, char text[40])
{
    size_t n = (size_t)(field.end - field.begin), k = 0;
    for (; k < n && k < 32; k++)
        text[k] = field.begin[k] >= ' ' && field.begin[k] <= '~' ? field.begin[k] : '?';
    text[k] = 0;
    if (k < n)
        strcpy(text + k, "...");
    return text;
}

/* ---- values -------------------------------------------------------------------------------------
 */

/*  A terminated copy for strtoull. Returns false if the field cannot be a number. */
static bool copy_field(span field, char text[MAX_NUMBER])
{
    size_t n = (size_t)(field.end - field.begin);
    if (n == 0 || n >= MAX_NUMBER || memchr(field.begin, 0, n))
        return false;
    memcpy(text, field.begin, n);
    text[n] = 0;
    return true;
}

static bool parse_real(span field, double *value)
{
    return scree_text_to_real(field.begin, (size_t)(field.end - field.begin), value);
}

static bool parse_integer(span field, uint64_t limit, uint64_t *value)
{
    char text[MAX_NUMBER], *end;
    if (!copy_field(field, text) || text[0] < '0' || text[0] > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    unsigned long long number = strtoull(text, &end, hex ? 16 : 10);
    *value = number;
    return *end == 0 && errno == 0 && number <= limit;
}

static scree_status store_field(scree_body_table *table, size_t row, scree_column column,
                                span field, scree_read_error *error)
{
    const scree_column_info *info = &scree_column_infos[column];
    char text[40];
    if (info->type == SCREE_TYPE_F64) {
        double *reals = (double *)table->column[column];
        if (!parse_real(field, &reals[row]))
            return scree_read_fail(error, SCREE_BAD_FILE, info->name, "\"%s\" is not a number",
                                   shown(field, text));
        return SCREE_OK;
    }
    uint64_t value, limit = info->type == SCREE_TYPE_U64   ? UINT64_MAX
                            : info->type == SCREE_TYPE_U32 ? UINT32_MAX
                                                           : UINT8_MAX;
    if (!parse_integer(field, limit, &value))
        return scree_read_fail(error, SCREE_BAD_FILE, info->name,
                               "\"%s\" is not a whole number from 0 to %llu", shown(field, text),
                               (unsigned long long)limit);
    if (info->type == SCREE_TYPE_U64)
        ((uint64_t *)table->column[column])[row] = value;
    else if (info->type == SCREE_TYPE_U32)
        ((uint32_t *)table->column[column])[row] = (uint32_t)value;
    else
        ((uint8_t *)table->column[column])[row] = (uint8_t)value;
    return SCREE_OK;
}

/* ---- the first line -----------------------------------------------------------------------------
 */

static char find_separator(span line)
{
    for (const char *c = line.begin; c < line.end; c++)
        if (*c == ',' || *c == ';' || *c == '\t')
            return *c;
    return ' ';
}

static bool is_header(const csv *reader, span line)
{
    span rest = line, field;
    bool more = true;
    double value;
    while (next_field(reader, &rest, &more, &field))
        if (!parse_real(field, &value))
            return true;
    return false;
}

/*  Adds a column of this name. */
static scree_status add_column(csv *reader, span name, const scree_read_options *options,
                               scree_body_table *table, scree_read_error *error)
{
    char text[40];
    size_t length = (size_t)(name.end - name.begin);
    if (reader->field_count == MAX_FIELDS)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns", "are more than %d", MAX_FIELDS);
    scree_column column = scree_column_by_name(name.begin, length);
    bool ignored = options->ignore && strcmp(options->ignore, "all") != 0
                       ? scree_name_in_list(options->ignore, name.begin, length)
                       : options->ignore && column == SCREE_COLUMN_COUNT;
    if (ignored)
        column = SCREE_COLUMN_COUNT;
    else if (column == SCREE_COLUMN_COUNT)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "\"%s\" is unknown (--ignore skips columns)", shown(name, text));
    else if (table->present[column])
        return scree_read_fail(error, SCREE_BAD_FILE, scree_column_infos[column].name,
                               "this column appears twice");
    else
        table->present[column] = true;
    reader->column[reader->field_count++] = column;
    return SCREE_OK;
}

/*  Columns by their number, if there are no names. */
static const char *default_columns(int count)
{
    return count == 3   ? "x,y,r"
           : count == 4 ? "x,y,z,r"
           : count == 6 ? "lo_x,lo_y,lo_z,hi_x,hi_y,hi_z"
                        : NULL;
}

static int count_fields(const csv *reader, span line)
{
    span rest = line, field;
    bool more = true;
    int count = 0;
    while (count <= MAX_FIELDS && next_field(reader, &rest, &more, &field))
        count++;
    return count;
}

/*  Determines the columns from the header, the options, or the number of fields. has_header: the line is not a row. */
static scree_status read_header(csv *reader, span line, const scree_read_options *options,
                                scree_body_table *table, bool *has_header, scree_read_error *error)
{
    reader->separator = find_separator(line);
    *has_header = !options->columns && is_header(reader, line);
    csv names = *reader;
    span rest = line, name;
    if (!*has_header) {
        const char *list =
            options->columns ? options->columns : default_columns(count_fields(reader, line));
        if (!list)
            return scree_read_fail(
                error, SCREE_BAD_FILE, "columns",
                "there are %d without names; known are 3 (x,y,r), 4 (x,y,z,r), 6 "
                "(boxes)",
                count_fields(reader, line));
        names.separator = ',';
        rest.begin = list;
        rest.end = list + strlen(list);
    }
    bool more = true;
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && next_field(&names, &rest, &more, &name))
        status = add_column(reader, name, options, table, error);
    return status == SCREE_OK ? scree_check_columns(table, error) : status;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

static scree_status read_row(const csv *reader, span line, const scree_read_options *options,
                             scree_body_table *table, scree_read_error *error)
{
    span rest = line, field;
    bool more = true;
    int count = 0;
    scree_status status = SCREE_OK;
    scree_column column;
    for (; status == SCREE_OK && next_field(reader, &rest, &more, &field); count++)
        if (count < reader->field_count && reader->column[count] != SCREE_COLUMN_COUNT)
            status = store_field(table, table->count, reader->column[count], field, error);
    if (status != SCREE_OK)
        return status;
    if (count != reader->field_count)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns", "this line has %d, must have %d",
                               count, reader->field_count);
    status = scree_check_row(table, table->count, options->any_number, &column, error);
    table->count += status == SCREE_OK;
    return status;
}

static csv open_csv(const char *data, size_t size)
{
    csv reader = {.at = data, .end = data ? data + size : data};
    if (data && size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3; /* the byte order mark that some editors put before UTF-8 */
    return reader;
}

/*  An upper bound of the number of rows. */
static uint64_t count_lines(const char *at, const char *end)
{
    uint64_t lines = 1;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        lines++;
        at++;
    }
    return lines;
}

scree_status scree_read_csv(const char *data, size_t size, const scree_read_options *options,
                            scree_body_table *table, scree_read_error *error)
{
    csv reader = open_csv(data, size);
    span line;
    bool has_header = false;
    error->at = 1;
    if (!next_line(&reader, &line))
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "there is neither a header nor a row");
    error->at = reader.line;
    scree_status status = read_header(&reader, line, options, table, &has_header, error);
    if (status == SCREE_OK)
        status = scree_take_rows(table, count_lines(line.begin, reader.end), error);
    bool is_row = !has_header || next_line(&reader, &line);
    while (status == SCREE_OK && is_row) {
        error->at = reader.line;
        status = read_row(&reader, line, options, table, error);
        is_row = next_line(&reader, &line);
    }
    return status;
}

uint64_t scree_csv_line_of_row(const char *data, size_t size, const scree_read_options *options,
                               size_t row)
{
    csv reader = open_csv(data, size);
    span line;
    if (!next_line(&reader, &line))
        return 0;
    reader.separator = find_separator(line);
    size_t skip = row + (!options->columns && is_header(&reader, line));
    while (skip > 0 && next_line(&reader, &line))
        skip--;
    return reader.line;
}
