/*  Text as the readers see it: lines, words between blanks, numbers. Everything goes by length, never by a
    terminator, so any bytes may come; and everything that is refused is refused with its line. */
#ifndef SCREE_TEXT_H
#define SCREE_TEXT_H

#include "base/decimal.h"
#include "base/error.h"

/*  Part of the text; its end is not part of it. */
typedef struct scree_span
{
    const char *at, *end;
} scree_span;

typedef struct scree_text
{
    scree_span rest; /* not read yet */
    uint64_t line;   /* the one last read, from 1 */
    const char *name;
    scree_error *error; /* may be NULL */
} scree_text;

scree_text scree_text_open(const void *bytes, size_t count, const char *name, scree_error *error);

/*  The next line, blanks at both ends left out; false at the end of the text. */
bool scree_next_line(scree_text *text, scree_span *line);
/*  The next one that is not empty and does not begin with #. */
bool scree_next_content(scree_text *text, scree_span *line);
/*  Cuts a word off the front; false when none is left. */
bool scree_next_word(scree_span *line, scree_span *word);
/*  Up to the next `separator`, blanks and quotes around it left out. *more is true before the first, and false
    once the last is taken. */
bool scree_next_field(scree_span *line, char separator, bool *more, scree_span *field);

static inline size_t scree_span_length(scree_span span)
{
    return (size_t)(span.end - span.at);
}
bool scree_span_is(scree_span span, const char *word);
/*  Capital letters or not. */
bool scree_span_is_any_case(scree_span span, const char *word);

#define SCREE_SHOWN 40
/*  As messages show it: short, and without bytes that upset a terminal. */
const char *scree_show(scree_span span, char shown[SCREE_SHOWN]);

/*  "NAME:LINE: ..." and SCREE_BAD_FILE. */
scree_status scree_text_fail(const scree_text *text, const char *format, ...) SCREE_PRINTF(2, 3);

/*  A finite number of at most `most` in magnitude; SCREE_BAD_FILE, with the field's name. */
scree_status scree_read_real(const scree_text *text, const char *field, scree_span word,
                             double most, double *value);
/*  A whole number. */
scree_status scree_read_whole(const scree_text *text, const char *field, scree_span word,
                              uint64_t least, uint64_t most, uint64_t *value);
/*  With a sign or without. */
scree_status scree_read_integer(const scree_text *text, const char *field, scree_span word,
                                int64_t least, int64_t most, int64_t *value);

#endif
