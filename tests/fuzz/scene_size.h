/*  Which scenes a target may run: few bodies and facets, one thread or two. */
#ifndef SCREE_TESTS_FUZZ_SCENE_SIZE_H
#define SCREE_TESTS_FUZZ_SCENE_SIZE_H

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

#endif
