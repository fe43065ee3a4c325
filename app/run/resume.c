/*  Continues a run: the newest valid checkpoint has the scene, its course and the world. A broken one is renamed and
    reported. Without any checkpoint the run starts again from its own scene. */
#include "app/run/run.h"
#include "common/options.h"
#include "common/out_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int open_scene(scree_run *run, const char *text, size_t bytes, const char *name)
{
    scree_scene_def def = scree_default_scene_def();

    def.text = text;
    def.text_bytes = bytes;
    def.name = name;
    return scree_run_open_scene(run, def);
}

/*  Restores world and course from a checkpoint whose scene is open. */
static scree_status take_state(scree_run *run, const scree_checkpoint *checkpoint,
                               scree_error *error)
{
    scree_checkpoint_part course;
    scree_world_def hooks = scree_run_hooks(run);

    if (!scree_checkpoint_part_of(checkpoint, "course", &course)) {
        snprintf(error->text, sizeof error->text, "it has no state of a scene");
        return SCREE_BAD_FILE;
    }
    scree_status status =
        scree_scene_build_at(run->scene, &hooks, course.data, course.bytes, &run->world, error);
    if (!status)
        status = scree_checkpoint_restore(checkpoint, run->world, error);
    if (!status)
        status = scree_scene_course_load(run->scene, course.data, course.bytes, error);
    return status;
}

static void forget(scree_run *run)
{
    scree_world_destroy(run->world);
    scree_scene_close(run->scene);
    run->world = NULL;
    run->scene = NULL;
}

static void put_aside(scree_run *run, const char *path, const char *why)
{
    size_t bytes = strlen(path) + sizeof ".broken";
    char *name = malloc(bytes);

    scree_notes_warn(&run->notes, SCREE_NOTE_RESUME,
                     "%s; it is renamed to .broken, and the one before is used", why);
    if (name) {
        snprintf(name, bytes, "%s.broken", path);
        if (rename(path, name) != 0)
            scree_notes_warn(&run->notes, SCREE_NOTE_OLD_FILE, "%s: cannot be renamed", path);
    }
    free(name);
}

/*  The file is whole, as its checksums say, so what its scene is made of must have become another. */
static int refuse_state(scree_run *run, uint64_t step, const char *path, scree_status status,
                        const char *why)
{
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_status_error(status, why);
    scree_notes_error(&run->notes,
                      "%s: the state of step %" PRIu64
                      " does not fit its scene: %s; the file is whole, so a file that the scene "
                      "reads, as a mesh or a table, is not what it was: put back the one of then; "
                      "nothing was changed",
                      path, step, why);
    return SCREE_EXIT_INPUT;
}

/*  Tries one checkpoint. *is_broken: try the next one. */
static int take(scree_run *run, uint64_t step, bool *is_broken)
{
    scree_error error = {SCREE_OUT_OF_MEMORY, "out of memory"};
    scree_checkpoint *checkpoint = NULL;
    scree_checkpoint_part scene, kept;
    char *path = scree_run_checkpoint_path(run, step);
    int code = SCREE_EXIT_OK;

    *is_broken = false;
    scree_status status =
        path ? scree_checkpoint_read(path, NULL, &checkpoint, &error) : SCREE_OUT_OF_MEMORY;
    if (!status && (!scree_checkpoint_part_of(checkpoint, "scene", &scene) ||
                    !scree_checkpoint_part_of(checkpoint, "run", &kept))) {
        snprintf(error.text, sizeof error.text, "it was not written by scree run");
        status = SCREE_BAD_FILE;
    }
    if (!status)
        code = open_scene(run, scene.data, scene.bytes, path);
    if (!status && code == SCREE_EXIT_OK) {
        scree_status fits = take_state(run, checkpoint, &error);
        if (fits) {
            forget(run);
            code = refuse_state(run, step, path, fits, error.text);
        }
    }
    if (!status && code == SCREE_EXIT_OK) {
        run->kept = malloc(kept.bytes ? kept.bytes : 1);
        run->kept_bytes = kept.bytes;
        if (run->kept)
            memcpy(run->kept, kept.data, kept.bytes);
        status = run->kept ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    }
    if (status) {
        forget(run);
        *is_broken = status == SCREE_BAD_FILE;
        if (*is_broken)
            put_aside(run, path, error.text);
        code = scree_exit_of(status);
        if (!*is_broken)
            scree_notes_error(&run->notes, "%s", error.text);
    }
    scree_checkpoint_destroy(checkpoint);
    free(path);
    if (code == SCREE_EXIT_OK) {
        run->has_checkpoint = true;
        run->checkpoint_step = step;
    }
    return code;
}

/*  The run was killed before its first checkpoint: starts the scene in the folder from the beginning. */
static int start_again(scree_run *run)
{
    char *path = scree_folder_path(&run->folder, "scene.lua"), *text = NULL;
    size_t bytes = 0;
    int code =
        path ? scree_read_file(path, &text, &bytes) : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);

    if (code == SCREE_EXIT_OK)
        code = open_scene(run, text, bytes, path);
    if (code == SCREE_EXIT_OK)
        scree_notes_say(&run->notes, "there is no checkpoint yet: the run starts again");
    free(text);
    free(path);
    return code;
}

int scree_run_resume(scree_run *run)
{
    uint64_t *steps;
    size_t count, k = 0;
    bool is_broken = true;
    int code = SCREE_EXIT_OK;

    if (!scree_run_checkpoint_list(run, &steps, &count))
        code = scree_system_error(run->folder.path, "cannot read checkpoints");
    for (; code == SCREE_EXIT_OK && k < count && is_broken; k++) {
        int result = take(run, steps[k], &is_broken);
        code = is_broken ? SCREE_EXIT_OK : result;
    }
    free(steps);
    if (code == SCREE_EXIT_OK && !run->world)
        code = start_again(run);
    return code;
}
