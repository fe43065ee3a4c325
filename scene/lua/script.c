/*  From a script to a plan: a Lua state with its own allocator and budget, run once and closed. */
/* uselocale: reading and writing numbers must not depend on the locale */
#define _GNU_SOURCE
#include "base/clock.h"
#include "base/error.h"
#include "base/nearest_name.h"
#include "language.h"
#include "path_sampling.h"

#include <locale.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------ */

/*  Header of each of Lua's blocks: its size. Lua assumes that shrinking never fails, and forgets the true size. */
typedef union block_head
{
    size_t bytes;
    max_align_t align;
} block_head;

#define BYTES_AN_INSTRUCTION 4

static bool is_within_budget(scene_host *host, size_t more)
{
    size_t held = host->lua_bytes + host->scene->memory.bytes;
    return more <= host->budget_bytes && held <= host->budget_bytes - more;
}

static void *resize_block(void *user, void *block, size_t old_bytes, size_t bytes)
{
    scene_host *host = user;
    const scree_allocator *hooks = &host->scene->memory.allocator;
    block_head *head = block ? (block_head *)block - 1 : NULL;
    size_t held = head ? head->bytes : 0;

    (void)old_bytes;
    if (bytes == 0) {
        if (head)
            hooks->release(head, sizeof *head + held, hooks->user);
        host->lua_bytes -= held;
        return NULL;
    }
    if (bytes > held && !is_within_budget(host, bytes - held)) {
        host->is_short = false;
        return NULL;
    }
    block_head *moved =
        head ? hooks->reallocate(head, sizeof *head + held, sizeof *head + bytes, hooks->user)
             : hooks->allocate(sizeof *head + bytes, hooks->user);
    if (!moved) {
        host->is_short = true;
        return bytes <= held ? block : NULL;
    }
    moved->bytes = bytes;
    host->lua_bytes += bytes - held;
    /* filling it takes time, too */
    host->work += bytes / BYTES_AN_INSTRUCTION;
    if (bytes > host->longest && host->L) {
        host->longest = bytes;
        scene_watch(host);
    }
    return moved + 1;
}

/* ---- settings ------------------------------------------------------------------------------------------ */

typedef struct name_list
{
    const scree_scene_parameter *rows;
    size_t count;
} name_list;

static const char *parameter_name(const void *list, size_t index)
{
    const name_list *names = list;
    return index < names->count ? names->rows[index].name : NULL;
}

static scree_status refuse_setting(scene_host *host, const char *setting, size_t length)
{
    const scene_list *list = &host->scene->list[SCENE_PARAMETERS];
    name_list names = {list->rows, list->count};
    char word[64];

    length = length < sizeof word ? length : sizeof word - 1;
    memcpy(word, setting, length);
    word[length] = 0;
    const char *nearest = scree_nearest_name(word, parameter_name, &names);
    if (names.count == 0)
        return scree_fail(host->error, SCREE_BAD_ARGUMENT,
                          "%s: there is no parameter \"%s\" to set: the scene has none",
                          host->scene->name, word);
    return scree_fail(host->error, SCREE_BAD_ARGUMENT,
                      "%s: there is no parameter \"%s\" to set; %s\"%s\"%s", host->scene->name,
                      word, nearest ? "did you mean " : "the scene has ",
                      nearest ? nearest : names.rows[0].name, nearest ? "?" : " and so on");
}

/*  Each setting must be one that the script has asked for; otherwise it is a misspelling. */
static scree_status check_settings(scene_host *host)
{
    const scene_list *list = &host->scene->list[SCENE_PARAMETERS];
    const scree_scene_parameter *rows = list->rows;

    for (size_t i = 0; i < host->def->setting_count; i++) {
        const char *setting = host->def->settings[i], *equals = strchr(setting, '=');
        size_t length = (size_t)(equals - setting);
        bool known = false;
        for (size_t k = 0; k < list->count && !known; k++)
            known = strlen(rows[k].name) == length && memcmp(rows[k].name, setting, length) == 0;
        if (!known)
            return refuse_setting(host, setting, length);
    }
    return SCREE_OK;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/*  A global that the script has not set: either a function, or a misspelling. Upvalue: the available names. */
static const char *next_global(const void *list, size_t index)
{
    static const char *const library[] = {"assert", "error",    "ipairs",   "math",   "pairs",
                                          "pcall",  "print",    "select",   "string", "table",
                                          "type",   "tonumber", "tostring", NULL};
    size_t own = sizeof library / sizeof *library - 1;

    (void)list;
    if (index < own)
        return library[index];
    const scene_function *function = scene_function_at(index - own);
    return function ? function->name : NULL;
}

static int find_global(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    const char *name = scene_describe(L, 2);
    const char *nearest = scree_nearest_name(name, next_global, NULL);
    if (nearest)
        return luaL_error(L, "there is nothing called \"%s\" here; did you mean \"%s\"?", name,
                          nearest);
    return luaL_error(L, "there is nothing called \"%s\" here", name);
}

/*  Functions that were added later: older scenes may have variables of these names. */
static bool may_be_replaced(const char *name)
{
    const scene_function *function;

    for (size_t i = 0; (function = scene_function_at(i)) != NULL; i++)
        if (strcmp(function->name, name) == 0)
            return function->may_be_replaced;
    return false;
}

static int set_global(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL && !may_be_replaced(lua_tostring(L, 2)))
        return luaL_error(L, "\"%s\" is the name of a scene function; choose another name",
                          lua_tostring(L, 2));
    lua_settop(L, 3);
    lua_rawset(L, 1);
    return 0;
}

static void push_globals(lua_State *L)
{
    scene_push_library(L);
    scene_add_functions(L, lua_gettop(L));
    scene_add_operators(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, find_global, 1);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, set_global, 1);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

/*  A material that the script assigns to a variable glass is called so in messages, if it has no other name; of
    several names, the first in alphabetical order. */
static void name_material(lua_State *L, int globals, uint32_t index, const char **name)
{
    scene_host *host = scene_host_of(L);
    const char *best = NULL;

    for (lua_pushnil(L); lua_next(L, globals); lua_pop(L, 1)) {
        const scene_value *value = scene_value_at(L, -1);
        if (!value || value->kind != SCENE_A_MATERIAL || value->index != index ||
            lua_type(L, -2) != LUA_TSTRING)
            continue;
        const char *word = lua_tostring(L, -2);
        if (strlen(word) <= 31 && (!best || strcmp(word, best) < 0))
            best = word;
    }
    if (!best)
        return;
    *name = scene_copy_text(host->scene, best, strlen(best));
    if (!*name) {
        *name = "";
        scene_lacks_memory(L);
    }
}

static void name_materials(lua_State *L, int globals)
{
    scene_list *list = &scene_host_of(L)->scene->list[SCENE_MATERIALS];
    scree_material_def *rows = list->rows;

    for (size_t i = 0; i < list->count; i++)
        if (rows[i].name[0] == 0)
            name_material(L, globals, (uint32_t)i + 1, &rows[i].name);
}

typedef struct source_text
{
    const char *text;
    size_t bytes;
} source_text;

/*  The same for settings of set { ... }. Of several, the first in alphabetical order. */
static void check_set(lua_State *L)
{
    scene_host *host = scene_host_of(L);
    const scene_list *list = &host->scene->list[SCENE_PARAMETERS];
    const scree_scene_parameter *rows = list->rows;
    const char *unknown = NULL;

    if (lua_getfield(L, LUA_REGISTRYINDEX, "scene settings") != LUA_TTABLE)
        return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        bool known = false;
        for (size_t k = 0; k < list->count && !known; k++)
            known = strcmp(rows[k].name, name) == 0;
        if (!known && (!unknown || strcmp(name, unknown) < 0))
            unknown = name;
    }
    if (unknown) {
        host->status = refuse_setting(host, unknown, strlen(unknown));
        lua_pushstring(L, host->error->text);
        lua_error(L);
    }
}

static int run_protected(lua_State *L)
{
    scene_host *host = scene_host_of(L);
    const source_text *source = lua_touserdata(L, 1);

    if (!scene_power_is_ours(L))
        return luaL_error(
            L, "this program was linked with another function for Lua's ^; results would "
               "depend on the machine");
    push_globals(L);
    int globals = lua_gettop(L);
    lua_pushvalue(L, globals);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushfstring(L, "@%s", host->scene->name);
    if (luaL_loadbufferx(L, source->text, source->bytes, lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    host->L = L;
    scene_watch(host);
    lua_call(L, 0, 0);
    /* functions of time are sampled up to the end */
    scene_bound_run(host->scene);
    scene_sample_motions(L);
    host->L = NULL;
    lua_sethook(L, NULL, 0, 0);
    name_materials(L, globals);
    check_set(L);
    return 0;
}

/*  Adds the line to a message: Lua's own functions do not if they were called from ours. */
static int add_place(lua_State *L)
{
    const char *text = lua_tostring(L, 1), *name = scene_host_of(L)->scene->name;
    lua_Debug at;

    if (!text || strncmp(text, name, strlen(name)) == 0)
        return 1;
    for (int level = 1; lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "l", &at) && at.currentline > 0) {
            lua_pushfstring(L, "%s:%d: %s", name, at.currentline, text);
            return 1;
        }
    lua_pushfstring(L, "%s: %s", name, text);
    return 1;
}

/*  Turns the message on top of the stack into an error of the scene. */
static scree_status tell(lua_State *L, scene_host *host, int outcome)
{
    if (outcome == LUA_ERRMEM && host->is_short)
        return scree_fail(host->error, SCREE_OUT_OF_MEMORY, "%s: out of memory", host->scene->name);
    if (outcome == LUA_ERRMEM)
        return scree_fail(host->error, SCREE_BAD_FILE,
                          "%s: the scene needs more memory than its budget of %zu bytes",
                          host->scene->name, host->budget_bytes);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    return scree_fail(host->error, host->status ? host->status : SCREE_BAD_FILE, "%s%s",
                      text ? "" : host->scene->name,
                      text ? text : ": the script ended with an error that is not a text");
}

static scree_status run_in_state(scene_host *host, source_text *source)
{
    lua_State *L = lua_newstate(resize_block, host);
    scree_status status = SCREE_OK;

    if (!L)
        return scree_fail(host->error, SCREE_OUT_OF_MEMORY, "%s: out of memory", host->scene->name);
    *(scene_host **)lua_getextraspace(L) = host;
    lua_pushcfunction(L, add_place);
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, source);
    int outcome = lua_pcall(L, 1, 0, 1);
    if (outcome != LUA_OK)
        status = tell(L, host, outcome);
    lua_close(L);
    return status;
}

scree_status scene_run_script(scree_scene *scene, const scree_scene_def *def, const char *text,
                              size_t bytes, scree_error *error)
{
    scene_host host = {.scene = scene,
                       .def = def,
                       .error = error,
                       .budget = def->instruction_budget,
                       .budget_bytes = def->memory_budget,
                       .deadline = scree_clock_thread_seconds() + def->seconds,
                       .random = scree_random_stream(1, 0),
                       .function_at = scene_function_at};
    source_text source = {text, bytes};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (!plain)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    locale_t before = uselocale(plain);
    scree_status status = run_in_state(&host, &source);
    if (!status)
        status = check_settings(&host);
    uselocale(before);
    freelocale(plain);
    return status;
}
