/*  For tests of shapes in scenes: scenes beside files, what they refuse, and runs that are cut in two. */
#ifndef SCENE_SHAPES_H
#define SCENE_SHAPES_H

#include "harness/checkpoint_maker.h"
#include "harness/failing_allocator.h"
#include "scene_internal.h"
#include "scene_maker.h"

/*  Corners of a box from {0, 0, 0} to {1, 2, 3}, as an OBJ file. */
static const char brick_obj[] =
    "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\n"
    "f 4 1 5\nf 4 5 8\n";

/*  With files of the test's folder. `hooks` and `log` may be NULL. */
static inline scree_scene *open_beside(const char *text, const scree_allocator *hooks,
                                       const scree_log *log, scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    *error = (scree_error){SCREE_OK, ""};
    def.text = text;
    def.name = "scene.lua";
    def.folder = test_folder;
    def.error = error;
    if (hooks)
        def.allocator = *hooks;
    if (log)
        def.log = *log;
    scree_scene_open(&def, &scene);
    return scene;
}

#define HEARD 400

/*  The last warning, in an array of HEARD. */
static inline void hear_warning(scree_log_level level, scree_log_id id, const char *text,
                                void *heard)
{
    (void)id;
    if (level == SCREE_LOG_WARNING)
        snprintf(heard, HEARD, "%s", text);
}

static inline void refuses(const char *text, const char *says)
{
    scree_error error;

    if (open_beside(text, NULL, NULL, &error))
        FAIL("taken: %s", text);
    if (!strstr(error.text, says))
        FAIL("\"%s\" does not say \"%s\"", error.text, says);
}

static inline void begin(scree_scene *scene, scree_world **world)
{
    scree_error error = {SCREE_OK, ""};

    if (scree_scene_build(scene, NULL, world, &error) || scree_scene_start(scene, *world, &error))
        FAIL("%s", error.text);
}

static inline scree_body body_number(scree_world *world, uint64_t serial)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_body body = {0};

    for (size_t i = 0; i < view.count; i++)
        if (scree_uint64_at(view.serial, i) == serial)
            CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, i), &body), SCREE_OK);
    CHECK_EQUAL(body.serial, serial);
    return body;
}

/*  A run that is stopped at a step and continues from a file, in a world that has met fewer shapes, and these in another order,
    ends bit-identically. Returns what the whole run made. */
static inline scree_scene_tally continues(const char *text, uint64_t stop, uint64_t more)
{
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_start(text, &world), *other = must_open(text);
    unsigned char course[4096];

    enter_folder();
    must_step(scene, world, stop);
    size_t bytes = scree_scene_course_bytes(scene);
    CHECK(bytes <= sizeof course);
    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
    write_to(world, path_of("half.scree"));
    must_step(scene, world, more);
    scree_scene_tally tally = scree_scene_count(scene);
    file_bytes whole = bytes_of(world);
    scree_world_destroy(world);
    scree_checkpoint *checkpoint = read_from(path_of("half.scree"));
    CHECK_EQUAL(scree_scene_build(other, NULL, &world, &error), SCREE_OK);
    if (scree_checkpoint_restore(checkpoint, world, &error))
        FAIL("%s", error.text);
    CHECK_EQUAL(scree_scene_course_load(other, course, bytes, &error), SCREE_OK);
    must_step(other, world, more);
    file_bytes again = bytes_of(world);
    CHECK(whole.count == again.count && memcmp(whole.data, again.data, whole.count) == 0);
    free(whole.data);
    free(again.data);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(world);
    scree_scene_close(scene);
    scree_scene_close(other);
    unlink(path_of("half.scree"));
    leave_folder();
    return tally;
}

static inline scree_status start_with(const char *text, const scree_allocator *hooks)
{
    scree_world_def world_hooks = scree_default_world_def();
    scree_error error;
    scree_world *world = NULL;

    world_hooks.hooks.allocator = *hooks;
    scree_scene *scene = open_beside(text, hooks, NULL, &error);
    scree_status status = scene ? SCREE_OK : error.status;
    if (!status)
        status = scree_scene_build(scene, &world_hooks, &world, NULL);
    if (!status)
        status = scree_scene_start(scene, world, NULL);
    scree_world_destroy(world);
    scree_scene_close(scene);
    return status;
}

/*  Memory ends at any allocation of opening, building and starting: that is said, and nothing is left behind. */
static inline void lacks_memory_anywhere(const char *text)
{
    for (size_t k = 1;; k += 1 + k / 60) {
        failing_allocator memory = {.fail_at = k, .fail_all_after = true};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_status status = start_with(text, &hooks);
        CHECK(failing_allocator_is_clean(&memory));
        if (status != SCREE_OK)
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        if (memory.requests < k)
            break;
    }
}

#endif
