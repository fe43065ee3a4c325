#include "number_lines.h"

#include "base/decimal.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t' || c == ' ' || c == '\r';
}

size_t scene_count_lines(const char *text, size_t bytes)
{
    size_t lines = 1;

    for (size_t k = 0; k < bytes; k++)
        lines += text[k] == '\n';
    return lines;
}

int scene_next_numbers(scene_number_lines *r, double row[SCENE_MAX_COLUMNS])
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
        if (count < SCENE_MAX_COLUMNS)
            row[count] = value;
        count++;
    }
    return count;
}

bool scene_is_no_row(const scene_number_lines *lines, int count)
{
    bool is_heading = count < 0 && !lines->columns && lines->line == 1;

    return count == 0 || is_heading;
}

scree_status scene_check_row(scene_number_lines *r, int count, scree_error *error)
{
    if (count < 0)
        return scree_fail(error, SCREE_BAD_FILE, "%s:%zu: has a word where a number should be",
                          r->path, r->line);
    if (r->columns && count != r->columns)
        return scree_fail(error, SCREE_BAD_FILE, "%s:%zu: has %d numbers, the lines before have %d",
                          r->path, r->line, count, r->columns);
    r->columns = count;
    return SCREE_OK;
}
