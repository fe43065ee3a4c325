/*  Small scenes for tests of the language and of what it makes. */
#ifndef SCENE_MAKER_H
#define SCENE_MAKER_H

#include "scene.h"
#include "test.h"

#define SCENE_TEXT_HEAD                                                                            \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "s = sphere { radius = 0.01 }\n"                                                               \
    "b = box { lower = {0, 0, 0}, upper = {1, 1, 1} }\n"

/*  The scene of a text; NULL, with the message in *error, if it is refused. */
static inline scree_scene *open_scene_with(const char *text, const char *const *settings,
                                           size_t setting_count, scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    *error = (scree_error){SCREE_OK, ""};
    def.text = text;
    def.name = "scene.lua";
    def.settings = settings;
    def.setting_count = setting_count;
    def.error = error;
    scree_status status = scree_scene_open(&def, &scene);
    if (status != error->status || (status == SCREE_OK) != (scene != NULL))
        FAIL("status %d, error %d, scene %p", status, error->status, (void *)scene);
    return scene;
}

/*  A text that is refused, and a part of the message. */
typedef struct bad_scene
{
    const char *text, *why;
} bad_scene;

/*  Each is read between `before` and `after`. */
static inline void check_bad_scenes(const bad_scene *bad, size_t count, const char *before,
                                    const char *after)
{
    for (size_t k = 0; k < count; k++) {
        scree_error error;
        char text[900];
        CHECK((size_t)snprintf(text, sizeof text, "%s%s%s", before, bad[k].text, after) <
              sizeof text);
        if (open_scene_with(text, NULL, 0, &error))
            FAIL("%s was accepted", bad[k].text);
        CHECK_SAYS(error.text, bad[k].why);
    }
}

static inline scree_scene *must_open(const char *text)
{
    scree_error error;
    scree_scene *scene = open_scene_with(text, NULL, 0, &error);

    if (!scene)
        FAIL("%s", error.text);
    return scene;
}

/*  Opened, built and started. */
static inline scree_scene *must_start(const char *text, scree_world **world)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(text);

    if (scree_scene_build(scene, NULL, world, &error) || scree_scene_start(scene, *world, &error))
        FAIL("%s", error.text);
    return scene;
}

static inline void must_step(scree_scene *scene, scree_world *world, uint64_t steps)
{
    scree_error error = {SCREE_OK, ""};

    if (scree_scene_step(scene, world, steps, &error))
        FAIL("%s", error.text);
}

/*  Skips the whole program where scenes cannot be read. */
#define NEEDS_SCENES(name)                                                                         \
    do {                                                                                           \
        if (!scree_scene_available()) {                                                            \
            printf("%s: skipped, there is no Lua 5.4\n", name);                                    \
            return 77;                                                                             \
        }                                                                                          \
    } while (0)

/*  What a column of the scene says now. */
static inline double column(scree_scene *scene, scree_world *world, const char *name)
{
    double values[64];
    scree_error error = {SCREE_OK, ""};

    CHECK(scree_scene_column_count(scene) <= 64);
    if (scree_scene_measure(scene, world, values, &error))
        FAIL("%s", error.text);
    for (size_t k = 0; k < scree_scene_column_count(scene); k++)
        if (strcmp(scree_scene_column_name(scene, k), name) == 0)
            return values[k];
    FAIL("no column %s", name);
}

#endif
