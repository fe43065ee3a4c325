/*  Scenes that a target may run: few bodies and facets, one thread or two. */
#ifndef SCREE_TESTS_FUZZ_SMALL_SCENE_H
#define SCREE_TESTS_FUZZ_SMALL_SCENE_H

#include "scene.h"

static inline bool is_small(const scree_scene_plan *plan)
{
    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].is_pour || plan->sources[i].count > 50 || !plan->sources[i].count)
            return false;
    for (size_t i = 0; i < plan->wall_count; i++)
        if (plan->walls[i].surface.facets > 200)
            return false;
    return plan->body_count <= 200 && plan->world.compute.thread_count <= 2;
}

/*  Builds, starts and steps it. False: something was refused without a reason. */
static inline bool scene_lives(scree_scene *scene, uint64_t steps)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    if (scree_scene_build(scene, NULL, &world, &error))
        return error.text[0] != 0 && !world;
    scree_status status = scree_scene_start(scene, world, &error);
    if (!status)
        status = scree_scene_step(scene, world, steps, &error);
    scree_world_destroy(world);
    return !status || error.text[0] != 0;
}

#endif
