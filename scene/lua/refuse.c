/*  Errors of scene functions: "file:line: function: field: is VALUE, must be WHAT". */
#include "language.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn static void raise_text(scene_reader *reader, const char *text)
{
    lua_pushfstring(reader->L, "%s:%d: %s", reader->scene->name, reader->line, text);
    lua_error(reader->L);
    for (;;) /* lua_error does not return */
        ;
}

_Noreturn void scene_refuse(scene_reader *reader, const char *format, ...)
{
    char text[400];
    int used = snprintf(text, sizeof text, "%s: ", reader->function->name);
    va_list arguments;

    if (reader->field && reader->field->name)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s: ", reader->field->name);
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    raise_text(reader, text);
}

void scene_say_value(scene_reader *reader, int index, char *text, size_t size)
{
    const char *value;
    size_t length;

    index = lua_absindex(reader->L, index);
    value = scene_describe(reader->L, index);
    length = strlen(value);
    snprintf(text, size, lua_type(reader->L, index) == LUA_TSTRING ? "\"%.60s%s\"" : "%.60s%s",
             value, length > 60 ? "..." : "");
    lua_pop(reader->L, 1);
}

_Noreturn void scene_refuse_at(scene_reader *reader, int index, const char *wanted)
{
    char value[100];

    scene_say_value(reader, index, value, sizeof value);
    scene_refuse(reader, "is %s, must be %s", value, wanted);
}

_Noreturn void scene_refuse_value(scene_reader *reader, const char *wanted)
{
    scene_refuse_at(reader, reader->index, wanted);
}

_Noreturn void scene_fail_as(scene_reader *reader, scree_status status, const char *text)
{
    reader->host->status = status;
    scene_refuse(reader, "%s", text);
}

/*  The same as Lua's own error. */
_Noreturn void scene_lacks_memory(lua_State *L)
{
    scene_host *host = scene_host_of(L);

    if (!host->scene->is_over_budget) {
        host->status = SCREE_OUT_OF_MEMORY;
        luaL_error(L, "out of memory");
    } else {
        luaL_error(L, "the scene needs more memory than its budget of %d MiB",
                   (int)(host->budget_bytes >> 20));
    }
    for (;;)
        ;
}
