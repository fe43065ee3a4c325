/*  What scene functions return to the script: materials, walls, regions, shapes. They are userdata with one metatable. */
#include "language.h"

#include <stddef.h>
#include <string.h>

static const char value_mark = 0;

void scene_open_values(lua_State *L)
{
    /* without __index, so that a script cannot change the metatable */
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &value_mark);
}

void scene_push_metatable(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &value_mark);
}

static void push_bytes(scene_reader *reader, const scene_value *value, size_t bytes)
{
    scene_value *held = lua_newuserdatauv(reader->L, bytes, 0);

    memcpy(held, value, bytes);
    held->made_by = reader->function->name;
    scene_push_metatable(reader->L);
    lua_setmetatable(reader->L, -2);
}

void scene_push(scene_reader *reader, const scene_value *value)
{
    push_bytes(reader, value, sizeof *value);
}

void scene_push_index(scene_reader *reader, scene_kind kind, size_t index)
{
    const scene_value value = {.kind = kind, .index = (uint32_t)index};

    push_bytes(reader, &value, offsetof(scene_value, has_centre));
}

const scene_value *scene_value_at(lua_State *L, int index)
{
    bool ours;

    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &value_mark);
    ours = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return ours ? lua_touserdata(L, index) : NULL;
}
