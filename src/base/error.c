/*  Messages to the caller's error record and to the host's log. Both have a fixed size, so reporting an error needs no
    memory. Text that is too long is truncated. */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/*  Messages quote files, scenes and names, which may contain control characters that a terminal would interpret,
    including those that UTF-8 encodes in two bytes. These are replaced. A message is one line. */
static void make_plain(unsigned char *text)
{
    for (; *text; text++) {
        bool is_long = text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0;
        if (is_long || *text < 0x20 || *text == 0x7f)
            *text = '?';
        if (is_long)
            *++text = '?';
    }
}

/*  vsnprintf truncates and terminates. It fails only for text that cannot be encoded, and then the buffer is
    unspecified. */
static void format_text(char *text, size_t size, const char *format, va_list arguments)
{
    if (vsnprintf(text, size, format, arguments) < 0)
        text[0] = '\0';
    make_plain((unsigned char *)text);
}

scree_status scree_fail(scree_error *error, scree_status status, const char *format, ...)
{
    va_list arguments;

    if (!error)
        return status;
    error->status = status;
    va_start(arguments, format);
    format_text(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

void scree_log_write(const scree_log *log, scree_log_level level, scree_log_id id,
                     const char *format, ...)
{
    char text[512];
    va_list arguments;

    if (!log || !log->write)
        return;
    va_start(arguments, format);
    format_text(text, sizeof text, format, arguments);
    va_end(arguments);
    log->write(level, id, text, log->user);
}
