/*  The resolved text of a scene. Its settings and the folder of its files are put before the text on the first line,
    so that lines keep their numbers. If the scene was resolved before, the old beginning is removed first. */
/* realpath */
#define _XOPEN_SOURCE 700
#include "base/error.h"
#include "scene_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESOLVED_MARK "--[[resolved]] "
#define SCENE_MARK "--[[scene]] "

/* ---- the beginning of a resolved scene --------------------------------------------------------------------- */

/*  Grows in the scene's memory. */
typedef struct text_buffer
{
    scree_memory *memory;
    char *text;
    size_t count, room;
    bool failed;
} text_buffer;

static void append(text_buffer *buffer, const char *text, size_t length)
{
    if (buffer->failed || scree_memory_reserve(buffer->memory, &buffer->text, &buffer->room,
                                               buffer->count + length + 1, 1)) {
        buffer->failed = true;
        return;
    }
    memcpy(buffer->text + buffer->count, text, length);
    buffer->count += length;
    buffer->text[buffer->count] = 0;
}

static void append_text(text_buffer *buffer, const char *text)
{
    append(buffer, text, strlen(text));
}

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c && strchr("_-+./ :,", c)) || (unsigned char)c >= 128;
}

/*  Writes all characters except letters, digits and harmless ones as numbers. */
static void append_quoted(text_buffer *buffer, const char *text)
{
    char code[8];

    append_text(buffer, "\"");
    for (; *text; text++) {
        if (is_plain(*text)) {
            append(buffer, text, 1);
        } else {
            snprintf(code, sizeof code, "\\%03u", (unsigned)(unsigned char)*text);
            append_text(buffer, code);
        }
    }
    append_text(buffer, "\"");
}

static void append_settings(text_buffer *buffer, const scree_scene_plan *plan)
{
    bool any = false;

    for (size_t i = 0; i < plan->parameter_count; i++) {
        const scree_scene_parameter *p = &plan->parameters[i];
        if (!p->is_set)
            continue;
        append_text(buffer, any ? ", " : "set { values = { ");
        append_text(buffer, p->name);
        append_text(buffer, " = ");
        if (p->is_text)
            append_quoted(buffer, p->value);
        else
            append_text(buffer, p->value);
        any = true;
    }
    if (any)
        append_text(buffer, " } } ");
}

static void append_folder(text_buffer *buffer, const scree_scene *scene)
{
    char *real;

    if (!scene->names_files)
        return;
    real = realpath(scene->folder[0] ? scene->folder : ".", NULL);
    append_text(buffer, "folder { path = ");
    append_quoted(buffer, real ? real : scene->folder);
    append_text(buffer, " } ");
    free(real);
}

/* ---- skipping an earlier beginning ------------------------------------------------------------------------- */

/*  The rest of a text that is being read. */
typedef struct text_rest
{
    const char *at, *end;
} text_rest;

static bool take_words(text_rest *rest, const char *words)
{
    size_t length = strlen(words);

    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, words, length) != 0)
        return false;
    rest->at += length;
    return true;
}

static bool take_quoted(text_rest *rest)
{
    if (!take_words(rest, "\""))
        return false;
    while (rest->at < rest->end && *rest->at != '"') {
        bool is_code = rest->end - rest->at > 3 && rest->at[0] == '\\' && rest->at[1] >= '0' &&
                       rest->at[1] <= '9';
        if (!is_code && !is_plain(*rest->at))
            return false;
        rest->at += is_code ? 4 : 1;
    }
    return take_words(rest, "\"");
}

/*  A name, a number, true or false. */
static bool take_word(text_rest *rest)
{
    const char *begin = rest->at;

    while (rest->at < rest->end && *rest->at != ' ' && *rest->at != ',' && is_plain(*rest->at) &&
           !(rest->at > begin && rest->at[0] == '-' && rest->at[-1] == '-'))
        rest->at++;
    return rest->at > begin;
}

static bool take_settings(text_rest *rest)
{
    do {
        if (!take_word(rest) || !take_words(rest, " = ") || !(take_quoted(rest) || take_word(rest)))
            return false;
    } while (take_words(rest, ", "));
    return take_words(rest, " } } ");
}

/*  The start of the original text in a text that was resolved before, which begins exactly as resolving writes it. A
    first line that only looks similar belongs to the scene. */
static const char *skip_resolved(const char *text, size_t *bytes)
{
    text_rest rest = {text, text + *bytes};

    if (!take_words(&rest, RESOLVED_MARK) ||
        (take_words(&rest, "set { values = { ") && !take_settings(&rest)) ||
        (take_words(&rest, "folder { path = ") &&
         !(take_quoted(&rest) && take_words(&rest, " } "))) ||
        !take_words(&rest, SCENE_MARK))
        return text;
    *bytes = (size_t)(rest.end - rest.at);
    return rest.at;
}

/* ---- resolving --------------------------------------------------------------------------------------------- */

scree_status scene_resolve(scree_scene *scene, const char *text, size_t bytes, scree_error *error)
{
    text_buffer head = {.memory = &scene->memory};

    append_settings(&head, &scene->plan);
    append_folder(&head, scene);
    if (!head.failed) {
        const char *original = skip_resolved(text, &bytes);
        size_t extra = head.count ? strlen(RESOLVED_MARK) + strlen(SCENE_MARK) : 0;
        scene->resolved = scene_take(scene, head.count + extra + bytes + 1, 1);
        char *at = scene->resolved;
        if (at && head.count) {
            at += sprintf(at, "%s%s%s", RESOLVED_MARK, head.text, SCENE_MARK);
        }
        if (at)
            memcpy(at, original, bytes);
    }
    scree_memory_give(&scene->memory, &head.text, head.room, 1);
    return scene->resolved
               ? SCREE_OK
               : scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
}
