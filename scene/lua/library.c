/*  math, table and string for scenes. Lua's own functions are used if their results are the same on every machine
    and they finish quickly. The others are implemented here: real functions from base/portable_math, random numbers
    from the scene's seed, sorting and the order of keys by value. */
#include "base/portable_math.h"
#include "language.h"

#include <lualib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- math ---- */

static int math_sin(lua_State *L)
{
    lua_pushnumber(L, scree_sin(luaL_checknumber(L, 1)));
    return 1;
}

static int math_cos(lua_State *L)
{
    lua_pushnumber(L, scree_cos(luaL_checknumber(L, 1)));
    return 1;
}

static int math_tan(lua_State *L)
{
    double sine, cosine;
    scree_sin_cos(luaL_checknumber(L, 1), &sine, &cosine);
    lua_pushnumber(L, sine / cosine);
    return 1;
}

/*  Direction of (x, y) as C's atan2, except for the signs of zeros. */
static double direction(double y, double x)
{
    if (x > 0)
        return scree_atan(y / x);
    if (x < 0)
        return scree_atan(y / x) + (y < 0 ? -PI : PI);
    return y > 0 ? PI / 2 : y < 0 ? -PI / 2 : y;
}

static int math_atan(lua_State *L)
{
    lua_pushnumber(L, direction(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
    return 1;
}

static int math_asin(lua_State *L)
{
    double x = luaL_checknumber(L, 1);
    lua_pushnumber(L, direction(x, sqrt((1 - x) * (1 + x))));
    return 1;
}

static int math_acos(lua_State *L)
{
    double x = luaL_checknumber(L, 1);
    lua_pushnumber(L, direction(sqrt((1 - x) * (1 + x)), x));
    return 1;
}

static int math_exp(lua_State *L)
{
    lua_pushnumber(L, scree_exp(luaL_checknumber(L, 1)));
    return 1;
}

static int math_log(lua_State *L)
{
    double x = scree_ln(luaL_checknumber(L, 1));
    if (!lua_isnoneornil(L, 2))
        x /= scree_ln(luaL_checknumber(L, 2));
    lua_pushnumber(L, x);
    return 1;
}

/*  As in Lua: in [0, 1), from 1 to m, from m to n. */
static int math_random(lua_State *L)
{
    scree_random *random = &scene_host_of(L)->random;
    lua_Integer lower = 1, upper;

    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, scree_random_unit(random));
        return 1;
    }
    upper = luaL_checkinteger(L, 1);
    if (lua_gettop(L) > 1) {
        lower = upper;
        upper = luaL_checkinteger(L, 2);
    }
    luaL_argcheck(L, lower <= upper, lua_gettop(L), "the interval is empty");
    uint64_t span = (uint64_t)upper - (uint64_t)lower;
    luaL_argcheck(L, span < UINT32_MAX, lua_gettop(L), "the interval is too long");
    lua_pushinteger(L, lower + (lua_Integer)scree_random_below(random, (uint32_t)span + 1));
    return 1;
}

static void keep_names(lua_State *L, int library, const char *name, lua_CFunction open,
                       const char *const *kept, const luaL_Reg *own)
{
    luaL_requiref(L, name, open, 0);
    lua_newtable(L);
    for (; *kept; kept++) {
        lua_getfield(L, -2, *kept);
        lua_setfield(L, -2, *kept);
    }
    luaL_setfuncs(L, own, 0);
    lua_setfield(L, library, name);
    lua_pop(L, 1);
}

static void open_math(lua_State *L, int library)
{
    static const char *const kept[] = {
        "abs",        "ceil", "deg", "floor", "fmod", "huge",      "max",  "maxinteger", "min",
        "mininteger", "modf", "pi",  "rad",   "sqrt", "tointeger", "type", "ult",        NULL};
    static const luaL_Reg own[] = {
        {"sin", math_sin},       {"cos", math_cos},   {"tan", math_tan}, {"asin", math_asin},
        {"acos", math_acos},     {"atan", math_atan}, {"exp", math_exp}, {"log", math_log},
        {"random", math_random}, {NULL, NULL},
    };
    keep_names(L, library, LUA_MATHLIBNAME, luaopen_math, kept, own);
}

/* ---- tables ---- */

/*  Whether a goes before b, by the function at index 2 or by <. */
static bool goes_before(lua_State *L, int a, int b)
{
    bool before;

    if (lua_isnoneornil(L, 2))
        return lua_compare(L, a, b, LUA_OPLT);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

/*  Merges [from, middle) and [middle, to) of the table at `source` into that at `target`. */
static void merge_runs(lua_State *L, int source, int target, lua_Integer from, lua_Integer middle,
                       lua_Integer to)
{
    lua_Integer a = from, b = middle;

    for (lua_Integer k = from; k < to; k++) {
        bool first = b >= to;
        if (a < middle && b < to) {
            lua_geti(L, source, a);
            lua_geti(L, source, b);
            first = !goes_before(L, lua_gettop(L), lua_gettop(L) - 1);
            lua_pop(L, 2);
        }
        lua_geti(L, source, first ? a++ : b++);
        lua_seti(L, target, k);
    }
}

/*  Stable, and deterministic for any comparison: Lua's own sort chooses pivots by the clock. */
static int table_sort(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    lua_createtable(L, count < 1000000 ? (int)count : 1000000, 0);
    int source = 1, target = 3;
    for (lua_Integer width = 1; width < count; width *= 2) {
        scene_charge(L, (uint64_t)count);
        for (lua_Integer from = 1; from <= count; from += 2 * width) {
            lua_Integer middle = from + width, to = from + 2 * width;
            middle = middle > count + 1 ? count + 1 : middle;
            merge_runs(L, source, target, from, middle, to > count + 1 ? count + 1 : to);
        }
        source = 4 - source;
        target = 4 - target;
    }
    for (lua_Integer i = 1; source == 3 && i <= count; i++) {
        lua_geti(L, 3, i);
        lua_seti(L, 1, i);
    }
    return 0;
}

static int table_insert(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer end = (lua_Integer)lua_rawlen(L, 1) + 1, place = end;

    if (lua_gettop(L) != 2 && lua_gettop(L) != 3)
        return luaL_error(L, "wrong number of arguments to 'insert'");
    if (lua_gettop(L) == 3)
        place = luaL_checkinteger(L, 2);
    luaL_argcheck(L, place >= 1 && place <= end, 2, "position out of bounds");
    scene_charge(L, (uint64_t)(end - place));
    for (lua_Integer i = end; i > place; i--) {
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
    }
    lua_pushvalue(L, lua_gettop(L));
    lua_seti(L, 1, place);
    return 0;
}

static int table_remove(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1), place = luaL_optinteger(L, 2, count);

    if (count == 0)
        return 0;
    luaL_argcheck(L, place >= 1 && place <= count, 2, "position out of bounds");
    scene_charge(L, (uint64_t)(count - place));
    lua_geti(L, 1, place);
    for (lua_Integer i = place; i < count; i++) {
        lua_geti(L, 1, i + 1);
        lua_seti(L, 1, i);
    }
    lua_pushnil(L);
    lua_seti(L, 1, count);
    return 1;
}

/*  Numbers before strings before booleans. */
static bool key_goes_before(lua_State *L, int a, int b)
{
    int type_a = lua_type(L, a), type_b = lua_type(L, b);

    if (type_a != type_b)
        return type_a == LUA_TNUMBER || (type_a == LUA_TSTRING && type_b == LUA_TBOOLEAN);
    if (type_a == LUA_TBOOLEAN)
        return lua_toboolean(L, a) < lua_toboolean(L, b);
    return lua_compare(L, a, b, LUA_OPLT);
}

static int compare_keys(lua_State *L)
{
    lua_pushboolean(L, key_goes_before(L, 1, 2));
    return 1;
}

/*  Upvalues: the table, its sorted keys, the number of keys visited. */
static int next_key(lua_State *L)
{
    lua_Integer place = lua_tointeger(L, lua_upvalueindex(3));

    do {
        lua_settop(L, 0);
        if (lua_geti(L, lua_upvalueindex(2), ++place) == LUA_TNIL)
            return 1;
        lua_pushvalue(L, 1);
    } while (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL); /* removed since */
    lua_pushinteger(L, place);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

/*  In the order of keys: Lua's own order depends on addresses. */
static int base_pairs(lua_State *L)
{
    lua_Integer count = 0;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_pushcfunction(L, table_sort);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
            return luaL_error(L, "pairs: a key is a %s, which has no order; use ipairs over a list",
                              luaL_typename(L, -2));
        lua_pushvalue(L, -2);
        lua_seti(L, 3, ++count);
    }
    scene_charge(L, (uint64_t)count);
    lua_pushvalue(L, 3);
    lua_pushcfunction(L, compare_keys);
    lua_pushvalue(L, 2);
    lua_insert(L, -3);
    lua_call(L, 2, 0);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_key, 3);
    return 1;
}

static void open_tables(lua_State *L, int library)
{
    static const char *const kept[] = {"concat", "pack", "unpack", NULL};
    static const luaL_Reg own[] = {
        {"insert", table_insert}, {"remove", table_remove}, {"sort", table_sort}, {NULL, NULL}};

    keep_names(L, library, LUA_TABLIBNAME, luaopen_table, kept, own);
    lua_pushcfunction(L, base_pairs);
    lua_setfield(L, library, "pairs");
}

/* ---- texts ---- */

/*  Without patterns, whose running time is unbounded. */
static int text_find(lua_State *L)
{
    size_t length, wanted;
    const char *text = luaL_checklstring(L, 1, &length), *word = luaL_checklstring(L, 2, &wanted);

    for (size_t i = 0; i + wanted <= length; i++) {
        if (i % 1000 == 999)
            scene_charge(L, 1000 + wanted);
        if (memcmp(text + i, word, wanted) == 0) {
            lua_pushinteger(L, (lua_Integer)i + 1);
            lua_pushinteger(L, (lua_Integer)i + (lua_Integer)wanted);
            return 2;
        }
    }
    lua_pushnil(L);
    return 1;
}

/*  Upvalue: Lua's own function, which would never end with an empty string. */
static int text_repeat(lua_State *L)
{
    luaL_checkstring(L, 1);
    if (!lua_isnoneornil(L, 3))
        luaL_checkstring(L, 3);
    if (luaL_len(L, 1) == 0 && (lua_isnoneornil(L, 3) || luaL_len(L, 3) == 0)) {
        lua_pushliteral(L, "");
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/*  Upvalue: Lua's own function; values whose address it would print are converted first. */
static int text_format(lua_State *L)
{
    const char *format = luaL_checkstring(L, 1);
    int count = lua_gettop(L);

    for (const char *c = format; (c = strchr(c, '%')) != NULL; c++) {
        c++;
        c += strspn(c, "-+ #0123456789.");
        if (*c == 'p')
            return luaL_argerror(L, 1, "%p is not the same everywhere");
        if (*c == 0)
            break;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    for (int i = 2; i <= count; i++)
        if (lua_type(L, i + 1) > LUA_TSTRING) {
            scene_describe(L, i + 1);
            lua_replace(L, i + 1);
        }
    lua_call(L, count, 1);
    return 1;
}

static void open_texts(lua_State *L, int library)
{
    static const char *const kept[] = {"byte", "char",  "len",     "lower",
                                       "sub",  "upper", "reverse", NULL};
    static const luaL_Reg own[] = {{"find", text_find}, {NULL, NULL}};

    keep_names(L, library, LUA_STRLIBNAME, luaopen_string, kept, own);
    lua_getfield(L, library, LUA_STRLIBNAME);
    /* ("x"):rep(2) uses the metatable of strings: point it to our table */
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_getfield(L, -1, "__index");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, text_format, 1);
    lua_setfield(L, -5, "format");
    lua_getfield(L, -1, "rep");
    lua_pushcclosure(L, text_repeat, 1);
    lua_setfield(L, -5, "rep");
    lua_pop(L, 1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 3);
}

/* ---- all ------------------------------------------------------------------------------------------------- */

void scene_push_library(lua_State *L)
{
    lua_newtable(L);
    int library = lua_gettop(L);
    scene_open_base(L, library);
    open_math(L, library);
    open_tables(L, library);
    open_texts(L, library);
}
