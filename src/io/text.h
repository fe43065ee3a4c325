/*  Text for the readers: lines, words between blanks, numbers. Everything has a length and no terminator, so any bytes
    may occur; and every message names the line. */
#ifndef SCREE_TEXT_H
#define SCREE_TEXT_H

#include "base/decimal.h"
#include "base/error.h"

/*  A part of the text, up to but not including `end`. */
typedef struct scree_span
{
    const char *at, *end;
} scree_span;

typedef struct scree_text
{
    scree_span rest; /* not read yet */
    uint64_t line;   /* number of the line last read, from 1 */
    const char *name;
    scree_error *error; /* may be NULL */
} scree_text;

scree_text scree_text_open(const void *bytes, size_t count, const char *name, scree_error *error);

/*  The next line, without blanks at both ends. Returns false at the end of the text. */
bool scree_next_line(scree_text *text, scree_span *line);
/*  The next line that is not empty and does not begin with #. */
bool scree_next_content(scree_text *text, scree_span *line);
/*  Takes a word off the front. Returns false if there is none left. */
bool scree_next_word(scree_span *line, scree_span *word);
/*  Takes the text up to the next `separator`, without blanks and quotes around it. *more must be true before the first
    call, and is false after the last part. */
bool scree_next_field(scree_span *line, char separator, bool *more, scree_span *field);

static inline size_t scree_span_length(scree_span span)
{
    return (size_t)(span.end - span.at);
}
bool scree_span_is(scree_span span, const char *word);
/*  Ignores case. */
bool scree_span_is_any_case(scree_span span, const char *word);

#define SCREE_SHOWN 40
/*  For messages: shortened, and without control characters. */
const char *scree_show(scree_span span, char shown[SCREE_SHOWN]);

/*  "NAME:LINE: ..." and SCREE_BAD_FILE. */
scree_status scree_text_fail(const scree_text *text, const char *format, ...) SCREE_PRINTF(2, 3);

/*  Reads a finite number of at most `most` in magnitude. SCREE_BAD_FILE, with the field's name. */
scree_status scree_read_real(const scree_text *text, const char *field, scree_span word,
                             double most, double *value);
/*  Reads an integer of 0 or more. */
scree_status scree_read_whole(const scree_text *text, const char *field, scree_span word,
                              uint64_t least, uint64_t most, uint64_t *value);
/*  Reads an integer with optional sign. */
scree_status scree_read_integer(const scree_text *text, const char *field, scree_span word,
                                int64_t least, int64_t most, int64_t *value);

#endif
