/*  Opens a scene from a file or a text. */
#include "base/error.h"
#include "io/read_file.h"
#include "scene_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_COOKIE 0x5ce0de01u

scree_scene_def scree_default_scene_def(void)
{
    return (scree_scene_def){.cookie = SCENE_COOKIE,
                             .name = "scene",
                             .instruction_budget = 500000000u,
                             .memory_budget = (size_t)1 << 31,
                             .seconds = 30};
}

static scree_status check_def(const scree_scene_def *def)
{
    scree_error *error = def->error;

    if (!def->path == !def->text)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "scene def: %s",
                          def->path ? "path and text are given; one is wanted"
                                    : "neither path nor text is given");
    if (def->setting_count && !def->settings)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "scene def: settings is NULL and setting_count is %zu",
                          def->setting_count);
    for (size_t i = 0; i < def->setting_count; i++)
        if (!def->settings[i] || !strchr(def->settings[i], '=') || def->settings[i][0] == '=')
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "the setting \"%.60s\" must be a name, =, and a value, as rate=8",
                              def->settings[i] ? def->settings[i] : "");
    if (!(def->seconds > 0) || def->memory_budget == 0 || def->instruction_budget == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "scene def: a budget is 0");
    return SCREE_OK;
}

static void set_defaults(scree_scene *scene, const scree_scene_def *def)
{
    scree_scene_plan *plan = &scene->plan;

    scene->memory_budget = def->memory_budget;
    scene->log = def->log;
    scene->without_files = def->without_files;
    plan->title = "";
    plan->seed = 1;
    plan->world = scree_default_world_def();
    plan->world.step.mode = SCREE_TIME_AUTOMATIC;
    plan->chooses_dt = true;
    plan->act_every = 50;
    plan->checkpoints_kept = 3;
}

/*  Up to and including the last slash; "" if there is none. */
static char *folder_of(scree_scene *scene, const scree_scene_def *def)
{
    if (!def->path) {
        const char *folder = def->folder ? def->folder : "";
        size_t length = strlen(folder);
        char *copy = scene_take(scene, length + 2, 1);
        if (copy && length) {
            strcpy(copy, folder);
            copy[length] = folder[length - 1] == '/' ? 0 : '/';
        }
        return copy;
    }
    const char *slash = strrchr(def->path, '/');
    return scene_copy_text(scene, def->path, slash ? (size_t)(slash - def->path) + 1 : 0);
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

/*  Skips the byte order mark that some editors write: in the middle of a resolved scene it would be an error. */
static const char *skip_byte_order_mark(const char *text, size_t *bytes)
{
    if (*bytes < 3 || memcmp(text, "\xef\xbb\xbf", 3) != 0)
        return text;
    *bytes -= 3;
    return text + 3;
}

static scree_status open_text(scree_scene *scene, const scree_scene_def *def, const char *given,
                              size_t bytes)
{
    scree_error why = {SCREE_OK, ""};
    const char *text = skip_byte_order_mark(given, &bytes);
    scree_status status = scene_run_script(scene, def, text, bytes, &why);

    if (!status) {
        scene_show_lists(scene);
        status = scene_finish(scene, &why);
    }
    if (!status)
        status = scene_resolve(scene, text, bytes, &why);
    return status ? scree_fail(def->error, status, "%s", why.text) : SCREE_OK;
}

/*  Adds a terminating zero. */
static scree_status read_script(scree_scene *scene, const scree_scene_def *def)
{
    scree_file_bytes file = {0};
    scree_error why = {SCREE_OK, ""};
    scree_status status = scree_file_read(def->path, NULL, &scene->memory, &file, &why);
    char *text = NULL;

    if (!status && file.count > def->memory_budget / 4)
        status = scree_fail(&why, SCREE_BAD_FILE, "%s: is %zu bytes long, too long for a scene",
                            def->path, file.count);
    if (!status) {
        text = scene_copy_text(scene, (const char *)file.bytes, file.count);
        status =
            text ? SCREE_OK : scree_fail(&why, SCREE_OUT_OF_MEMORY, "%s: out of memory", def->path);
    }
    size_t count = file.count;
    scree_file_bytes_free(&file, &scene->memory);
    if (status || !text)
        return scree_fail(def->error, status, "%s", why.text);
    return open_text(scene, def, text, count);
}

scree_status scree_scene_open(const scree_scene_def *def, scree_scene **opened)
{
    if (!opened)
        return SCREE_BAD_ARGUMENT;
    *opened = NULL;
    if (!def || def->cookie != SCENE_COOKIE)
        return SCREE_BAD_DEF;
    scree_status status = check_def(def);
    if (status)
        return status;
    scree_scene *scene = scene_new(&def->allocator);
    if (!scene)
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "scene: out of memory");
    set_defaults(scene, def);
    const char *name = def->path ? def->path : def->name ? def->name : "scene";
    scene->name = scene_copy_text(scene, name, strlen(name));
    scene->folder = folder_of(scene, def);
    if (!scene->name || !scene->folder)
        status = scree_fail(def->error, SCREE_OUT_OF_MEMORY, "scene: out of memory");
    else if (def->path)
        status = read_script(scene, def);
    else
        status =
            open_text(scene, def, def->text, def->text_bytes ? def->text_bytes : strlen(def->text));
    if (status) {
        scree_scene_close(scene);
        return status;
    }
    *opened = scene;
    return SCREE_OK;
}
