/*  param, set, folder: parameters of a scene that are set from outside; and the table of all functions. */
#include "base/decimal.h"
#include "language.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- param ----------------------------------------------------------------------------------------------- */

typedef struct param_record
{
    const char *name, *unit, *help;
    double lower, upper;
} param_record;

static void begin_param(scene_reader *reader, void *record)
{
    (void)reader;
    *(param_record *)record =
        (param_record){.unit = "", .help = "", .lower = -INFINITY, .upper = INFINITY};
}

static void read_default(scene_reader *reader, void *target)
{
    int type = lua_type(reader->L, reader->index);

    (void)target;
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
        scene_refuse_value(reader, "a number, a text, true or false");
}

static bool is_name(const char *name)
{
    if (!(*name == '_' || (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z')))
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
           strlen(name);
}

/*  Keywords such as "end" cannot be names in the set { } of a resolved scene. */
static bool is_word_of_lua(lua_State *L, const char *name)
{
    lua_pushfstring(L, "%s = 1", name);
    bool is_word = luaL_loadstring(L, lua_tostring(L, -1)) == LUA_ERRSYNTAX;
    lua_pop(L, 2);
    return is_word;
}

/*  The value given from outside for a parameter; NULL: none. */
static const char *find_setting(const scene_reader *reader, const char *name)
{
    const scree_scene_def *def = reader->host->def;
    size_t length = strlen(name);
    const char *found = NULL;

    /* the last of several wins, as on a command line */
    for (size_t i = 0; i < def->setting_count; i++)
        if (strncmp(def->settings[i], name, length) == 0 && def->settings[i][length] == '=')
            found = def->settings[i] + length + 1;
    return found;
}

/*  Replaces the default by the setting's text, converted to its type. */
static void take_setting(scene_reader *reader, const char *text, int value)
{
    lua_State *L = reader->L;

    switch (lua_type(L, value)) {
    case LUA_TNUMBER:
        if (lua_stringtonumber(L, text) != strlen(text) + 1)
            scene_refuse(reader, "is set to \"%.60s\", must be a number", text);
        break;
    case LUA_TBOOLEAN:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            scene_refuse(reader, "is set to \"%.60s\", must be true or false", text);
        lua_pushboolean(L, text[0] == 't');
        break;
    default:
        lua_pushstring(L, text);
        break;
    }
    lua_replace(L, value);
}

#define NUMBER_TEXT (SCREE_REAL_TEXT + 2) /* with ".0" */

/*  Prints a number so that reading it gives the same value and type: integer and float division differ. */
static void print_number(lua_State *L, int value, char text[NUMBER_TEXT])
{
    double x = lua_tonumber(L, value);

    if (lua_isinteger(L, value) && lua_tointeger(L, value) == LLONG_MIN) {
        snprintf(text, NUMBER_TEXT, "0x8000000000000000");
    } else if (lua_isinteger(L, value)) {
        snprintf(text, NUMBER_TEXT, "%lld", (long long)lua_tointeger(L, value));
    } else if (isinf(x)) {
        snprintf(text, NUMBER_TEXT, x < 0 ? "-1e999" : "1e999");
    } else {
        scree_real_to_text(x, text);
        if (text[strspn(text, "-0123456789")] == 0)
            snprintf(text + strlen(text), NUMBER_TEXT - strlen(text), ".0");
    }
}

static const char *value_text(scene_reader *reader, int value)
{
    lua_State *L = reader->L;
    char text[NUMBER_TEXT];

    if (lua_type(L, value) == LUA_TNUMBER) {
        print_number(L, value, text);
        lua_pushstring(L, text);
    } else {
        scene_describe(L, value);
    }
    const char *kept = scene_keep_text(reader, lua_gettop(L));
    lua_pop(L, 1);
    return kept;
}

static void check_range(scene_reader *reader, const param_record *r, int value)
{
    double x = lua_tonumber(reader->L, value);

    if (lua_type(reader->L, value) == LUA_TNUMBER && !(x >= r->lower && x <= r->upper))
        scene_refuse(reader, "is %g, must be from %g to %g", x, r->lower, r->upper);
}

static int end_param(scene_reader *reader, void *record)
{
    param_record *r = record;
    lua_State *L = reader->L;
    scene_list *list = &reader->scene->list[SCENE_PARAMETERS];

    if (!is_name(r->name))
        scene_refuse(reader, "name: is \"%.40s\", must be letters, digits and _, as \"rate\"",
                     r->name);
    if (is_word_of_lua(L, r->name))
        scene_refuse(reader, "name: \"%s\" is a word of the language, must be a name", r->name);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(((scree_scene_parameter *)list->rows)[i].name, r->name) == 0)
            scene_refuse(reader, "name: there is a parameter \"%s\" already", r->name);
    lua_getfield(L, 1, "default");
    int value = lua_gettop(L);
    const char *setting = find_setting(reader, r->name);
    /* errors name the parameter, not a field */
    scene_field named = {.name = r->name};
    reader->field = &named;
    bool is_set = setting != NULL;
    if (setting) {
        take_setting(reader, setting, value);
    } else if (lua_getfield(L, LUA_REGISTRYINDEX, "scene settings") == LUA_TTABLE &&
               lua_getfield(L, -1, r->name) != LUA_TNIL) {
        if (lua_type(L, -1) != lua_type(L, value))
            scene_refuse(reader, "is set to %s, must be a %s", scene_describe(L, -1),
                         luaL_typename(L, value));
        lua_pushvalue(L, -1);
        lua_replace(L, value);
        is_set = true;
    }
    check_range(reader, r, value);
    lua_settop(L, value);
    const char *text = value_text(reader, value);
    reader->field = NULL;
    scree_scene_parameter *row = scene_row(reader, SCENE_PARAMETERS);
    *row = (scree_scene_parameter){.name = r->name,
                                   .unit = r->unit,
                                   .value = text,
                                   .is_set = is_set,
                                   .is_text = lua_type(L, value) == LUA_TSTRING};
    return 1;
}

#define OF(member) .offset = offsetof(param_record, member)
static const scene_field param_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .required = true,
     .help = "letters, digits and _"},
    {.name = "default",
     .type = SCENE_OWN,
     .read = read_default,
     .required = true,
     .accepts = "a number, a text, true or false",
     .help = "default value; settings have the same type"},
    {.name = "unit", .type = SCENE_TEXT, OF(unit), .standard = "\"\"", .help = "for readers"},
    {.name = "lower",
     .type = SCENE_NUMBER,
     OF(lower),
     SCENE_ANY,
     .standard = "none",
     .help = "smallest value"},
    {.name = "upper",
     .type = SCENE_NUMBER,
     OF(upper),
     SCENE_ANY,
     .standard = "none",
     .help = "largest value"},
    {.name = "help", .type = SCENE_TEXT, OF(help), .standard = "\"\"", .help = "for people"},
};
#undef OF

/* ---- set, folder: what a resolved scene begins with -------------------------------------------------------- */

typedef struct empty_record
{
    const char *path;
} empty_record;

/*  The first value wins: a resolved scene sets the final values before the text of the scene. */
static void read_set(scene_reader *reader, void *target)
{
    lua_State *L = reader->L;

    (void)target;
    if (lua_type(L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "a table, as { rate = 8 }");
    if (lua_getfield(L, LUA_REGISTRYINDEX, "scene settings") != LUA_TTABLE) {
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, "scene settings");
        lua_replace(L, -2);
    }
    int held = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, reader->index);) {
        lua_pushvalue(L, -2);
        if (lua_rawget(L, held) == LUA_TNIL) {
            lua_pushvalue(L, -3);
            lua_pushvalue(L, -3);
            lua_rawset(L, held);
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

static int end_set(scene_reader *reader, void *record)
{
    lua_State *L = reader->L;

    (void)record;
    /* parameters are defined later: accept any name here */
    lua_getfield(L, LUA_REGISTRYINDEX, "scene settings");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        int type = lua_type(L, -1), at = lua_gettop(L);
        if (lua_type(L, -2) != LUA_TSTRING)
            scene_refuse(reader, "values: has an item without a name");
        if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
            scene_refuse(reader, "values: %.40s is %.60s, must be a number, a text, true or false",
                         lua_tostring(L, at - 1), scene_describe(L, at));
    }
    return 0;
}

static const scene_field set_fields[] = {
    {.name = "values",
     .type = SCENE_OWN,
     .read = read_set,
     .required = true,
     .accepts = "a table, as { rate = 8 }",
     .help = "values of parameters by name, as { rate = 8 }; --set has priority"},
};

static int end_folder(scene_reader *reader, void *record)
{
    const char *path = ((empty_record *)record)->path;

    /* the first one wins, as with set */
    if (reader->host->has_folder)
        return 0;
    reader->host->has_folder = true;
    size_t length = strlen(path);
    char *folder = scene_keep(reader, length + 2, 1);

    strcpy(folder, path);
    if (length && path[length - 1] != '/')
        folder[length] = '/';
    reader->scene->folder = folder;
    return 0;
}

static const scene_field folder_fields[] = {
    {.name = "path",
     .type = SCENE_TEXT,
     .offset = offsetof(empty_record, path),
     .required = true,
     .help = "the folder of files that the scene names; by default that of the scene"},
};

const scene_function scene_setting_functions[] = {
    {.name = "param",
     .chapter = "Parameters",
     .in_order = true,
     .summary = "A parameter that can be set on the command line: `scree run --set rate=8`. "
                "Returns the value.",
     .example = "local rate = param(\"rate\", 6, \"rad/s\")\n"
                "local time = param { name = \"time\", default = 2, unit = \"s\" }",
     .fields = param_fields,
     .field_count = SCREE_COUNT_OF(param_fields),
     .record_bytes = sizeof(param_record),
     .begin = begin_param,
     .end = end_param},
    {.name = "set",
     .chapter = "Parameters",

     .summary = "Sets parameters that come after it; the first setting counts. The scene file in a "
                "run's folder begins with it.",
     .example = "set { values = { rate = 8 } }",
     .fields = set_fields,
     .field_count = SCREE_COUNT_OF(set_fields),
     .record_bytes = sizeof(empty_record),
     .end = end_set},
    {.name = "folder",
     .chapter = "Parameters",

     .summary = "The folder of files; the first call counts. The scene file in a run's folder "
                "begins with it.",
     .example = "folder { path = \"/home/ada/scenes\" }",
     .fields = folder_fields,
     .field_count = SCREE_COUNT_OF(folder_fields),
     .record_bytes = sizeof(empty_record),
     .end = end_folder},
};
const size_t scene_setting_function_count = SCREE_COUNT_OF(scene_setting_functions);
