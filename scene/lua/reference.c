/*  Writes the reference of the language from the table that is used for reading scenes. */
#include "base/nearest_name.h"
#include "language.h"

#include <stdio.h>
#include <string.h>

bool scree_scene_available(void)
{
    return true;
}

const char *scree_scene_function_at(size_t index)
{
    const scene_function *function = scene_function_at(index);
    return function ? function->name : NULL;
}

static const char *next_name(const void *list, size_t index)
{
    (void)list;
    return scree_scene_function_at(index);
}

const char *scree_scene_nearest_function(const char *word)
{
    return scree_nearest_name(word, next_name, NULL);
}

/* ---- a field ---------------------------------------------------------------------------------------------- */

static const char *type_name(const scene_field *field)
{
    switch (field->type) {
    case SCENE_NUMBER:
        return "number";
    case SCENE_WHOLE:
    case SCENE_WHOLE32:
        return "whole number";
    case SCENE_SWITCH:
        return "true or false";
    case SCENE_TEXT:
        return "text";
    case SCENE_WORD:
    case SCENE_NAME:
        return "word";
    case SCENE_FLAGS:
        return "words";
    case SCENE_GROUPS:
        return "list of numbers";
    case SCENE_VECTOR:
        return "vector";
    case SCENE_QUATERNION:
        return "quaternion";
    case SCENE_MATERIAL:
        return "material";
    case SCENE_WALL:
        return "wall";
    case SCENE_REGION:
        return "region";
    case SCENE_BALL:
        return "shape";
    case SCENE_SIZES:
        return "number or distribution";
    case SCENE_OWN:
        return field->accepts;
    }
    return "";
}

/*  "above 0, m" */
static void say_range(const scene_field *field, char *text, size_t size)
{
    bool numeric = field->type == SCENE_NUMBER || field->type == SCENE_WHOLE ||
                   field->type == SCENE_WHOLE32 || field->type == SCENE_SIZES;
    int used = 0;

    text[0] = 0;
    if (numeric && isfinite(field->lower) && isfinite(field->upper))
        used =
            snprintf(text, size, "%g to %g%s%s", field->lower, field->upper,
                     field->above ? ", not the first" : "", field->below ? ", not the last" : "");
    else if (numeric && isfinite(field->lower))
        used = snprintf(text, size, field->above ? "above %g" : "%g or more", field->lower);
    if (field->unit && field->unit[0])
        snprintf(text + used, size - (size_t)used, "%s%s", used ? "; " : "", field->unit);
}

static const char *say_default(const scene_field *field)
{
    return field->required ? "required" : field->standard;
}

static void write_field(const scene_field *field, scree_scene_put_fn *put, void *user)
{
    char range[100], row[500];

    say_range(field, range, sizeof range);
    snprintf(row, sizeof row, "| %s%s%s | %s | %s | %s | ", field->name ? "`" : "",
             field->name ? field->name : "its items", field->name ? "`" : "", type_name(field),
             range, say_default(field));
    put(row, user);
    put(field->help, user);
    put(" |\n", user);
}

/* ---- a function -------------------------------------------------------------------------------------------- */

static void write_function(const scene_function *function, scree_scene_put_fn *put, void *user)
{
    const char *const pieces[] = {"### ",
                                  function->name,
                                  "\n\n",
                                  function->summary,
                                  function->once ? " At most once in a scene." : "",
                                  "\n\n```lua\n",
                                  function->example,
                                  "\n```\n\n"};

    for (size_t k = 0; k < SCREE_COUNT_OF(pieces); k++)
        put(pieces[k], user);
    put("| field | type | range, unit | default | |\n|---|---|---|---|---|\n", user);
    for (size_t i = 0; i < function->field_count; i++)
        if (!function->fields[i].is_removed)
            write_field(&function->fields[i], put, user);
    put("\n", user);
}

static const char *const preface = "# The language of scenes\n\n"
                                   "<!-- written by scree from the table by which scenes are read; "
                                   "tests/scene/test_reference.c compares -->\n\n"
                                   "A scene is a Lua 5.4 script. Each function below takes one "
                                   "table; its fields may be in any order. An unknown field "
                                   "is an error, and the message names the nearest known one. "
                                   "Units are SI, unless [units](#units) changes them. A "
                                   "vector is `{x, y, z}`; z may be omitted if it is 0.\n\n"
                                   "Scripts have Lua's numbers, texts, tables, functions, loops "
                                   "and `math`, `table`, `string`; `print` writes to the log. "
                                   "Functions that reach outside a scene are missing (`io`, `os`, "
                                   "`require`, `load`, `debug`), and so are those whose "
                                   "results could differ between machines: `math.sin` and similar "
                                   "functions, `^` and `math.random` are scree's own, "
                                   "`pairs` visits keys in sorted order, `table.sort` is stable, "
                                   "and texts have no patterns (`string.find` searches "
                                   "plain text). There are no metatables and no coroutines. A "
                                   "script has budgets of instructions, memory and time.\n\n";

void scree_scene_write_reference(scree_scene_put_fn *put, void *user)
{
    const scene_function *function;
    const char *chapter = "";

    put(preface, user);
    for (size_t i = 0; (function = scene_function_at(i)) != NULL; i++) {
        if (strcmp(chapter, function->chapter) != 0) {
            put("## ", user);
            put(function->chapter, user);
            put("\n\n", user);
            chapter = function->chapter;
        }
        write_function(function, put, user);
    }
}

/* ---- for a terminal ---------------------------------------------------------------------------------------- */

bool scree_scene_write_help(const char *name, scree_scene_put_fn *put, void *user)
{
    const scene_function *function;
    size_t i = 0;
    char text[900], range[100];

    while ((function = scene_function_at(i)) != NULL && strcmp(function->name, name) != 0)
        i++;
    if (!function)
        return false;
    put(function->example, user);
    put("\n", user);
    put(function->summary, user);
    put("\n\n", user);
    for (size_t k = 0; k < function->field_count; k++) {
        const scene_field *field = &function->fields[k];
        if (field->is_removed)
            continue;
        say_range(field, range, sizeof range);
        snprintf(text, sizeof text, "  %-18s %s%s%s; %s%s\n%21s",
                 field->name ? field->name : "its items", type_name(field), range[0] ? ", " : "",
                 range, field->required ? "" : "default ", say_default(field), "");
        put(text, user);
        put(field->help, user);
        put("\n", user);
    }
    return true;
}
