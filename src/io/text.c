/*  One pass over the bytes: a line ends at the next line end, and a word at the next blank. */
#include "io/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static scree_span without_blanks(scree_span span)
{
    while (span.at < span.end && is_blank(*span.at))
        span.at++;
    while (span.at < span.end && is_blank(span.end[-1]))
        span.end--;
    return span;
}

scree_text scree_text_open(const void *bytes, size_t count, const char *name, scree_error *error)
{
    const char *nothing = "";
    scree_text text = {{nothing, nothing}, 0, name, error};
    if (count > 0)
        text.rest = (scree_span){bytes, (const char *)bytes + count};
    if (count >= 3 && memcmp(text.rest.at, "\xef\xbb\xbf", 3) == 0)
        text.rest.at += 3; /* the byte order mark that some editors put before UTF-8 */
    return text;
}

bool scree_next_line(scree_text *text, scree_span *line)
{
    scree_span *rest = &text->rest;
    const char *newline;
    if (rest->at == rest->end)
        return false;
    newline = memchr(rest->at, '\n', scree_span_length(*rest));
    line->at = rest->at;
    line->end = newline ? newline : rest->end;
    rest->at = newline ? newline + 1 : rest->end;
    *line = without_blanks(*line);
    text->line++;
    return true;
}

bool scree_next_content(scree_text *text, scree_span *line)
{
    while (scree_next_line(text, line))
        if (line->at < line->end && *line->at != '#')
            return true;
    return false;
}

bool scree_next_word(scree_span *line, scree_span *word)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    word->at = line->at;
    while (line->at < line->end && !is_blank(*line->at))
        line->at++;
    word->end = line->at;
    return word->at < word->end;
}

bool scree_next_field(scree_span *line, char separator, bool *more, scree_span *field)
{
    const char *found;
    if (!*more)
        return false;
    found = memchr(line->at, separator, scree_span_length(*line));
    field->at = line->at;
    field->end = found ? found : line->end;
    *more = found != NULL;
    line->at = found ? found + 1 : line->end;
    *field = without_blanks(*field);
    if (scree_span_length(*field) >= 2 && *field->at == '"' && field->end[-1] == '"') {
        field->at++;
        field->end--;
    }
    return true;
}

bool scree_span_is(scree_span span, const char *word)
{
    return scree_span_length(span) == strlen(word) &&
           memcmp(span.at, word, scree_span_length(span)) == 0;
}

bool scree_span_is_any_case(scree_span span, const char *word)
{
    if (scree_span_length(span) != strlen(word))
        return false;
    for (; span.at < span.end; span.at++, word++)
        if ((*span.at >= 'A' && *span.at <= 'Z' ? *span.at + 32 : *span.at) != *word)
            return false;
    return true;
}

const char *scree_show(scree_span span, char shown[SCREE_SHOWN])
{
    size_t k = 0;
    for (; k < scree_span_length(span) && k < 32; k++)
        shown[k] = span.at[k] >= ' ' && span.at[k] <= '~' ? span.at[k] : '?';
    strcpy(shown + k, k < scree_span_length(span) ? "..." : "");
    return shown;
}

scree_status scree_text_fail(const scree_text *text, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(what, sizeof what, format, arguments) < 0)
        what[0] = 0;
    va_end(arguments);
    return scree_fail(text->error, SCREE_BAD_FILE, "%.100s:%" PRIu64 ": %s", text->name, text->line,
                      what);
}

scree_status scree_read_real(const scree_text *text, const char *field, scree_span word,
                             double most, double *value)
{
    char shown[SCREE_SHOWN];
    double found;
    if (!scree_text_to_real(word.at, scree_span_length(word), &found))
        return scree_text_fail(text, "%s: \"%s\" is not a number", field, scree_show(word, shown));
    if (!(fabs(found) <= most))
        return scree_text_fail(text, "%s: %s must be finite and at most %g in magnitude", field,
                               scree_show(word, shown), most);
    *value = found;
    return SCREE_OK;
}

scree_status scree_read_whole(const scree_text *text, const char *field, scree_span word,
                              uint64_t least, uint64_t most, uint64_t *value)
{
    char shown[SCREE_SHOWN];
    uint64_t found;
    if (!scree_text_to_whole(word.at, scree_span_length(word), most, &found) || found < least)
        return scree_text_fail(text,
                               "%s: \"%s\" is not a whole number from %" PRIu64 " to %" PRIu64,
                               field, scree_show(word, shown), least, most);
    *value = found;
    return SCREE_OK;
}

scree_status scree_read_integer(const scree_text *text, const char *field, scree_span word,
                                int64_t least, int64_t most, int64_t *value)
{
    char shown[SCREE_SHOWN];
    scree_span digits = word;
    uint64_t size = 0;
    int64_t found = 0;
    bool negative = digits.at < digits.end && *digits.at == '-', good;
    if (digits.at < digits.end && (*digits.at == '-' || *digits.at == '+'))
        digits.at++;
    good = scree_text_to_whole(digits.at, scree_span_length(digits), INT64_MAX, &size);
    found = negative ? -(int64_t)size : (int64_t)size;
    if (!good || found < least || found > most)
        return scree_text_fail(text,
                               "%s: \"%s\" is not a whole number from %" PRId64 " to %" PRId64,
                               field, scree_show(word, shown), least, most);
    *value = found;
    return SCREE_OK;
}
