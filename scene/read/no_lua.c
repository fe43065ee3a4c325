/*  Replaces the scene language in a program built without Lua. */
#include "base/error.h"
#include "scene_internal.h"

#ifndef SCREE_HAVE_LUA

bool scree_scene_available(void)
{
    return false;
}

scree_status scene_run_script(scree_scene *scene, const scree_scene_def *def, const char *text,
                              size_t bytes, scree_error *error)
{
    (void)def;
    (void)text;
    (void)bytes;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "%s: this program was built without Lua 5.4, and cannot read scenes; install "
                      "liblua5.4-dev and "
                      "pkg-config, and build it again",
                      scene->name);
}

void scree_scene_write_reference(scree_scene_put_fn *put, void *user)
{
    (void)put;
    (void)user;
}

bool scree_scene_write_help(const char *function, scree_scene_put_fn *put, void *user)
{
    (void)function;
    (void)put;
    (void)user;
    return false;
}

const char *scree_scene_function_at(size_t index)
{
    (void)index;
    return NULL;
}

const char *scree_scene_nearest_function(const char *word)
{
    (void)word;
    return NULL;
}

#else
/* a file without a declaration is no C */
typedef int scene_lua_is_here;
#endif
