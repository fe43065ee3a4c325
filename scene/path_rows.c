#include "path_rows.h"

#include "base/decimal.h"
#include "base/error.h"
#include "io/read_file.h"
#include "scene_internal.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS 1000000u
#define MOST_COLUMNS 8

typedef struct line_reader
{
    const char *path;
    const char *at, *end;
    size_t line;
    int columns; /* of the first row; 0: none yet */
} line_reader;

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t' || c == ' ' || c == '\r';
}

/*  Reads the numbers of the next line and returns how many; -1: the line has a word, or a number that is not finite. */
static int read_numbers(line_reader *r, double row[MOST_COLUMNS])
{
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *at = r->at;
    int count = 0;

    end = end ? end : r->end;
    r->at = end < r->end ? end + 1 : end;
    r->line++;
    while (at < end) {
        const char *begin = at;
        while (at < end && !is_separator(*at))
            at++;
        if (at == begin) {
            at++;
            continue;
        }
        if (*begin == '#')
            break;
        double value;
        if (!scree_text_to_real(begin, (size_t)(at - begin), &value) || !isfinite(value))
            return -1;
        if (count < MOST_COLUMNS)
            row[count] = value;
        count++;
    }
    return count;
}

static scree_status check_columns(line_reader *r, int count, scree_error *error)
{
    if (count < 0)
        return scree_fail(error, SCREE_BAD_FILE, "%s:%zu: has a word where a number should be",
                          r->path, r->line);
    if (count != 4 && count != 8)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s:%zu: has %d numbers, must have 4 (t x y z) or 8 (and a quaternion "
                          "w x y z)",
                          r->path, r->line, count);
    if (r->columns && count != r->columns)
        return scree_fail(error, SCREE_BAD_FILE, "%s:%zu: has %d numbers, the lines before have %d",
                          r->path, r->line, count, r->columns);
    r->columns = count;
    return SCREE_OK;
}

static size_t count_lines(const scree_file_bytes *file)
{
    size_t lines = 1;

    for (size_t k = 0; k < file->count; k++)
        lines += file->bytes[k] == '\n';
    return lines;
}

static scree_status read_rows(line_reader *r, double (*rows)[8], size_t *count, scree_error *error)
{
    *count = 0;
    while (r->at < r->end) {
        double row[MOST_COLUMNS] = {0, 0, 0, 0, 1, 0, 0, 0};
        int found = read_numbers(r, row);
        bool is_heading = found < 0 && !r->columns && r->line == 1;
        if (found == 0 || is_heading)
            continue;
        scree_status status = check_columns(r, found, error);
        if (status)
            return status;
        if (*count > 0 && !(row[0] > rows[*count - 1][0]))
            return scree_fail(error, SCREE_BAD_FILE,
                              "%s:%zu: is at time %g, and the row before at %g; times must ascend",
                              r->path, r->line, row[0], rows[*count - 1][0]);
        if (*count == MOST_ROWS)
            return scree_fail(error, SCREE_BAD_FILE, "%s: has more than %u rows", r->path,
                              MOST_ROWS);
        memcpy(rows[(*count)++], row, sizeof row);
    }
    if (*count < 2)
        return scree_fail(error, SCREE_BAD_FILE, "%s: has %zu rows of numbers, a path has two",
                          r->path, *count);
    return SCREE_OK;
}

scree_status scene_read_path_rows(scree_scene *scene, const char *path, double (**rows)[8],
                                  size_t *count, scree_error *error)
{
    scree_file_bytes file = {0};
    scree_status status = scree_file_read(path, NULL, &scene->memory, &file, error);

    *rows = NULL;
    if (!status) {
        line_reader reader = {.path = path,
                              .at = (const char *)file.bytes,
                              .end = (const char *)file.bytes + file.count};
        size_t lines = count_lines(&file);
        *rows = scene_take(scene, lines < MOST_ROWS ? lines : MOST_ROWS, sizeof **rows);
        status = *rows ? read_rows(&reader, *rows, count, error)
                       : scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path);
    }
    scree_file_bytes_free(&file, &scene->memory);
    return status;
}
