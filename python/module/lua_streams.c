/*  Lua's archive, as systems have it, is made for programs: it finds the streams of the C library at fixed distances, which a
    module cannot have. So these are renamed in it (cmake/python.cmake), and are here. */
#include <stdio.h>

extern FILE *scree_lua_stdin, *scree_lua_stdout, *scree_lua_stderr;
FILE *scree_lua_stdin, *scree_lua_stdout, *scree_lua_stderr;

__attribute__((constructor)) static void set_streams(void)
{
    scree_lua_stdin = stdin;
    scree_lua_stdout = stdout;
    scree_lua_stderr = stderr;
}
