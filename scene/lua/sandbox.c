/*  Everything that a script can call. Nothing accesses files or clocks, compiles code from text, shows addresses,
    depends on the machine, or takes long without being charged to the budget. Only listed functions are available. */
#include "base/clock.h"
#include "base/error.h"
#include "base/portable_math.h"
#include "language.h"

#include <lualib.h>
#include <string.h>

/*  Instructions between two checks of the budgets, if no block is longer than this many bytes. */
#define MAX_INSTRUCTIONS 500
#define SHORT_BLOCK ((size_t)1 << 18)
/*  Functions may do this many times as much work as the script's own instructions. */
#define SCENE_WORK_BUDGET 4

/*  Once a budget is exceeded, every check ends the script: pcall does not catch this error. */
static void end_if_spent(lua_State *L, int level)
{
    scene_host *host = scene_host_of(L);

    if (!host->spent &&
        (host->instructions > host->budget || host->work > SCENE_WORK_BUDGET * host->budget))
        host->spent =
            "the scene takes too long: its budget of instructions is used up (an endless loop?)";
    else if (!host->spent && scree_clock_thread_seconds() > host->deadline)
        host->spent = "the scene takes too long: its time is used up (an endless loop?)";
    else if (!host->spent && host->def->stops && host->def->stops(host->def->stop_user))
        host->spent = "the scene was not read to the end: the program was asked to stop";
    if (!host->spent)
        return;
    luaL_where(L, level);
    lua_pushstring(L, host->spent);
    lua_concat(L, 2);
    lua_error(L);
}

void scene_charge(lua_State *L, uint64_t instructions)
{
    scene_host_of(L)->work += instructions;
    end_if_spent(L, 1);
}

static int looks_after(const scene_host *host)
{
    size_t count = host->longest > SHORT_BLOCK ? MAX_INSTRUCTIONS * SHORT_BLOCK / host->longest
                                               : MAX_INSTRUCTIONS;
    return count < 4 ? 4 : (int)count;
}

static void count_instructions(lua_State *L, lua_Debug *activity)
{
    scene_host *host = scene_host_of(L);

    (void)activity;
    host->instructions += (uint64_t)lua_gethookcount(L);
    end_if_spent(L, 0);
}

void scene_watch(scene_host *host)
{
    lua_sethook(host->L, count_instructions, LUA_MASKCOUNT, looks_after(host));
}

/* ---- base ---- */

const char *scene_describe(lua_State *L, int index)
{
    const scene_value *value = scene_value_at(L, index);

    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
        lua_pushvalue(L, index);
        return lua_tostring(L, -1);
    case LUA_TNIL:
        return lua_pushliteral(L, "nil");
    case LUA_TBOOLEAN:
        return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    default:
        return value ? lua_pushfstring(L, "a %s", value->made_by)
                     : lua_pushfstring(L, "a %s", luaL_typename(L, index));
    }
}

static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    scene_describe(L, 1);
    return 1;
}

static int base_print(lua_State *L)
{
    scene_host *host = scene_host_of(L);
    int count = lua_gettop(L);
    char line[400];
    size_t used = 0;

    line[0] = 0;
    for (int i = 1; i <= count; i++) {
        const char *text = scene_describe(L, i);
        size_t length = strlen(text), room = sizeof line - used - 2;
        if (i > 1 && room > 0)
            line[used++] = ' ';
        length = length < room ? length : room;
        memcpy(line + used, text, length);
        used += length;
        line[used] = 0;
        lua_pop(L, 1);
        if (used + 3 > sizeof line)
            break;
    }
    scree_log_write(&host->scene->log, SCREE_LOG_INFO, (scree_log_id)0, "%s", line);
    return 0;
}

/*  As in Lua, but does not catch the error of an exceeded budget. */
static int base_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    if (scene_host_of(L)->spent || status == LUA_ERRMEM)
        lua_error(L);
    if (status == LUA_OK)
        return lua_gettop(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

/* ---- the rest ---- */

static void copy_names(lua_State *L, int from, int to, const char *const *names)
{
    for (; *names; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, to, *names);
    }
}

static const luaL_Reg own_base[] = {
    {"tostring", base_tostring},
    {"print", base_print},
    {"pcall", base_pcall},
    {NULL, NULL},
};

void scene_open_base(lua_State *L, int library)
{
    static const char *const kept[] = {"assert", "error",    "ipairs", "select",
                                       "type",   "tonumber", NULL};

    luaL_requiref(L, "_G", luaopen_base, 0);
    copy_names(L, lua_gettop(L), library, kept);
    lua_pop(L, 1);
    lua_pushvalue(L, library);
    luaL_setfuncs(L, own_base, 0);
    lua_pop(L, 1);
}
