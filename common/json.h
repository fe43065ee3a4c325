/*  Writes JSON to a stream. Commas, quotes and nesting are kept here, so the output is always valid. Errors set the
    error flag of the stream. */
#ifndef SCREE_JSON_H
#define SCREE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct scree_json
{
    FILE *out;
    bool is_one_line; /* otherwise each value is on its own line */
    int depth;
    uint32_t is_list, has_value; /* a bit for each depth */
} scree_json;

/*  The whole is one object; scree_json_finish closes it and ends the line. */
scree_json scree_json_begin(FILE *out, bool is_one_line);
void scree_json_finish(scree_json *json);

/*  `key` is ignored in lists. At most 30 levels. */
void scree_json_object(scree_json *json, const char *key);
void scree_json_list(scree_json *json, const char *key);
void scree_json_end(scree_json *json);

void scree_json_text(scree_json *json, const char *key, const char *text); /* NULL: null */
void scree_json_real(scree_json *json, const char *key, double value);     /* not finite: null */
void scree_json_count(scree_json *json, const char *key, uint64_t value);
void scree_json_flag(scree_json *json, const char *key, bool value);

/*  In quotes; bytes that are not UTF-8 become the replacement character. */
void scree_json_print_text(const char *text, FILE *out);

#endif
