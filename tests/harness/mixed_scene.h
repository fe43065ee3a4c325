/*  The scene of data/mixed.lua, and a world of it that is computed in a given way. */
#ifndef SCREE_TESTS_MIXED_SCENE_H
#define SCREE_TESTS_MIXED_SCENE_H

#include "drum.h"
#include "scene.h"

#include <stdio.h>

/*  NULL, with the sentence in `error`, where it cannot be read. */
static inline scree_scene *mixed_scene_read(uint32_t bodies, scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();
    char count[32];
    const char *const settings[] = {count};
    scree_scene *scene;

    snprintf(count, sizeof count, "count=%u", (unsigned)bodies);
    def.path = TEST_ROOT "/tests/data/mixed.lua";
    def.settings = settings;
    def.setting_count = 1;
    def.error = error;
    return scree_scene_open(&def, &scene) ? NULL : scene;
}

/*  A scene builds its world in one way; a copy without bodies goes any. */
static inline scree_status mixed_scene_build(scree_scene *scene, const drum_way *way,
                                             scree_mesh_engine engine, scree_world **world,
                                             scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_world *built;
    scree_status status = scree_scene_build(scene, NULL, &built, error);

    *world = NULL;
    if (status)
        return status;
    drum_way_apply(way, &def);
    def.detection.mesh_engine = engine;
    def.hooks.error = error;
    status = scree_world_copy(built, &def, world);
    scree_world_destroy(built);
    return status;
}

/*  With the bodies of the start. NULL for both, with the sentence in `error`, where that fails. */
static inline scree_world *mixed_scene_open(uint32_t bodies, const drum_way *way,
                                            scree_mesh_engine engine, scree_scene **scene,
                                            scree_error *error)
{
    scree_world *world = NULL;

    *scene = mixed_scene_read(bodies, error);
    if (*scene && (mixed_scene_build(*scene, way, engine, &world, error) ||
                   scree_scene_start(*scene, world, error))) {
        scree_world_destroy(world);
        scree_scene_close(*scene);
        world = NULL;
        *scene = NULL;
    }
    return world;
}

#endif
