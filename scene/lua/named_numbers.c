/*  Tables of numbers by name, as { restitution = 0.9 }: sorted by name, since Lua's own order is that of addresses. */
#include "language.h"

#include <string.h>

#define MAX_NUMBERS 32

void scene_read_named_numbers(scene_reader *reader, scene_named_numbers *numbers)
{
    lua_State *L = reader->L;

    if (lua_type(L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "a table of numbers, as { restitution = 0.9 }");
    const char **names = scene_keep(reader, MAX_NUMBERS, sizeof *names);
    double *values = scene_keep(reader, MAX_NUMBERS, sizeof *values);
    uint32_t count = 0;
    for (lua_pushnil(L); lua_next(L, reader->index); lua_pop(L, 1)) {
        double x = lua_tonumber(L, -1);
        if (lua_type(L, -2) != LUA_TSTRING)
            scene_refuse(reader,
                         "has an item without a name; values are written as `restitution = 0.9`");
        int at = lua_gettop(L);
        if (lua_type(L, -1) != LUA_TNUMBER || isnan(x))
            scene_refuse(reader, "%.40s is %.60s, must be a number", lua_tostring(L, at - 1),
                         scene_describe(L, at));
        if (count == MAX_NUMBERS)
            scene_refuse(reader, "has more than %d items", MAX_NUMBERS);
        uint32_t place = count++;
        const char *name = scene_keep_text(reader, lua_gettop(L) - 1);
        for (; place > 0 && strcmp(names[place - 1], name) > 0; place--) {
            names[place] = names[place - 1];
            values[place] = values[place - 1];
        }
        names[place] = name;
        values[place] = x;
    }
    *numbers = (scene_named_numbers){names, values, count};
}
