/*  Files broken one word or byte at a time. What a reader says must have the line and the value. */
#ifndef SCREE_TESTS_IO_BROKEN_H
#define SCREE_TESTS_IO_BROKEN_H

#include "scree/io.h"
#include "test.h"

/*  Reads a file called "t" and frees what comes of it. */
typedef scree_status read_file_fn(const void *bytes, size_t count, scree_error *error);

/*  From a block exactly as long as the file, so that the sanitizer sees a byte too far. */
static inline scree_status read_exact(read_file_fn *read, const void *bytes, size_t count,
                                      scree_error *error)
{
    void *copy = malloc(count ? count : 1);
    scree_status status;
    memcpy(copy, bytes, count);
    *error = (scree_error){SCREE_OK, ""};
    status = read(count ? copy : NULL, count, error);
    free(copy);
    return status;
}

static inline void check_accepted(read_file_fn *read, const void *bytes, size_t count)
{
    scree_error error;
    if (read_exact(read, bytes, count, &error))
        FAIL("refused: %s\n%.*s", error.text, (int)count, (const char *)bytes);
}

static inline void check_refused_bytes(read_file_fn *read, const void *bytes, size_t count,
                                       const char *says)
{
    scree_error error;
    scree_status status = read_exact(read, bytes, count, &error);
    if (status != SCREE_BAD_FILE)
        FAIL("status %d, must be refused (%s): %s\n%.*s", (int)status, says, error.text, (int)count,
             (const char *)bytes);
    CHECK_EQUAL(error.status, status);
    CHECK_SAYS(error.text, says);
}

static inline void check_refused_text(read_file_fn *read, const char *text, const char *says)
{
    check_refused_bytes(read, text, strlen(text), says);
}

/*  A file that must be refused, and what must be said. */
typedef struct broken_file
{
    const char *text, *says;
} broken_file;

static inline size_t check_broken_files(read_file_fn *read, const broken_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_refused_text(read, files[i].text, files[i].says);
    return count;
}

static inline bool is_gap(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/*  Each word of `text` for which `chosen` is true is replaced by each of `words`; the message must have the
    line, and show the word. Returns how many files that makes. */
static inline size_t check_broken_words(read_file_fn *read, const char *text,
                                        bool (*chosen)(const char *word, size_t length),
                                        const char *const *words)
{
    size_t made = 0, line = 1;
    for (const char *at = text; *at;) {
        size_t length = 0;
        if (is_gap(*at)) {
            line += *at++ == '\n';
            continue;
        }
        while (at[length] && !is_gap(at[length]))
            length++;
        for (int w = 0; chosen(at, length) && words[w]; w++, made++) {
            char file[4096], says[80];
            scree_error error;
            snprintf(file, sizeof file, "%.*s%s%s", (int)(at - text), text, words[w], at + length);
            snprintf(says, sizeof says, "t:%zu: ", line);
            if (read_exact(read, file, strlen(file), &error) != SCREE_BAD_FILE ||
                strncmp(error.text, says, strlen(says)) != 0 || !strstr(error.text, words[w]))
                FAIL("line %zu, \"%.*s\" is \"%s\": says \"%s\"", line, (int)length, at, words[w],
                     error.text);
        }
        at += length;
    }
    return made;
}

static inline bool is_number_word(const char *word, size_t length)
{
    return strchr("+-.0123456789", *word) && length > 0;
}

static inline bool is_plain_word(const char *word, size_t length)
{
    return !is_number_word(word, length);
}

#endif
