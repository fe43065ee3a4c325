/*  Numbers are printed with as many digits as reading them back requires. */
#include "common/json.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>

/*  Length of the UTF-8 character that begins here (RFC 3629); 0 if it is invalid. */
static size_t character_bytes(const unsigned char *c)
{
    size_t more = c[0] < 0x80                   ? 0
                  : c[0] >= 0xc2 && c[0] < 0xe0 ? 1
                  : c[0] >= 0xe0 && c[0] < 0xf0 ? 2
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 3
                                                : 9;
    if (more == 9)
        return 0;
    for (size_t k = 1; k <= more; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    bool is_too_long = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool is_surrogate = c[0] == 0xed && c[1] >= 0xa0;
    bool is_too_large = c[0] == 0xf4 && c[1] >= 0x90;
    return is_too_long || is_surrogate || is_too_large ? 0 : more + 1;
}

void scree_json_print_text(const char *text, FILE *out)
{
    const unsigned char *c = (const unsigned char *)text;

    fputc('"', out);
    while (*c) {
        size_t bytes = character_bytes(c);
        if (bytes == 0) {
            fputs("\xef\xbf\xbd", out);
            bytes = 1;
        } else if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < ' ') {
            fprintf(out, "\\u%04x", *c);
        } else {
            fwrite(c, 1, bytes, out);
        }
        c += bytes;
    }
    fputc('"', out);
}

static void new_line(const scree_json *json)
{
    if (json->is_one_line)
        return;
    fputc('\n', json->out);
    for (int k = 0; k < json->depth; k++)
        fputs("  ", json->out);
}

/*  Writes what precedes a value: a comma, a new line, its key. */
static void begin_value(scree_json *json, const char *key)
{
    uint32_t bit = 1u << json->depth;

    if (json->has_value & bit)
        fputs(json->is_one_line ? ", " : ",", json->out);
    json->has_value |= bit;
    new_line(json);
    if (json->is_list & bit)
        return;
    scree_json_print_text(key, json->out);
    fputs(": ", json->out);
}

static void begin_group(scree_json *json, bool is_list)
{
    fputc(is_list ? '[' : '{', json->out);
    json->depth++;
    uint32_t bit = 1u << json->depth;
    json->has_value &= ~bit;
    json->is_list = is_list ? json->is_list | bit : json->is_list & ~bit;
}

scree_json scree_json_begin(FILE *out, bool is_one_line)
{
    scree_json json = {.out = out, .is_one_line = is_one_line};
    begin_group(&json, false);
    return json;
}

void scree_json_finish(scree_json *json)
{
    scree_json_end(json);
    fputc('\n', json->out);
}

void scree_json_object(scree_json *json, const char *key)
{
    begin_value(json, key);
    begin_group(json, false);
}

void scree_json_list(scree_json *json, const char *key)
{
    begin_value(json, key);
    begin_group(json, true);
}

void scree_json_end(scree_json *json)
{
    uint32_t bit = 1u << json->depth;

    json->depth--;
    if (json->has_value & bit)
        new_line(json);
    fputc(json->is_list & bit ? ']' : '}', json->out);
}

void scree_json_text(scree_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    if (text)
        scree_json_print_text(text, json->out);
    else
        fputs("null", json->out);
}

void scree_json_real(scree_json *json, const char *key, double value)
{
    char text[SCREE_REAL_TEXT];

    begin_value(json, key);
    if (isfinite(value)) {
        scree_real_to_text(value, text);
        fputs(text, json->out);
    } else {
        fputs("null", json->out);
    }
}

void scree_json_count(scree_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void scree_json_flag(scree_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}
