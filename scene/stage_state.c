/*  The present stage of a scene, for files that do not begin or end stages. */
#include "scene_internal.h"

bool scene_has_conditions(const scree_scene *scene)
{
    return scene->plan.stage_count > 0 || scene->plan.stop;
}

bool scene_stage_has_ended(const scree_scene *scene)
{
    return scene->course.standing == SCENE_ENDED || scene->course.standing == SCENE_OVER;
}

double scene_time_in_stage(const scree_scene *scene, uint32_t stage, uint32_t stage_end,
                           double time)
{
    uint32_t now = scene->course.stage;

    if (stage > now || (stage_end && now >= stage_end))
        return -1;
    return stage ? time - scene->course.stages[stage - 1].began_time : time;
}

bool scree_scene_is_whole(const scree_scene *scene)
{
    return scene->course.standing != SCENE_PARTIAL;
}

uint32_t scree_scene_stage_number(const scree_scene *scene)
{
    return scene->course.stage;
}

double scene_dt_of_stage(const scree_scene_stage *stage, double before)
{
    double dt = before;

    for (uint32_t k = 0; k < stage->change_count; k++)
        if (stage->changes[k].kind == SCREE_CHANGE_STEP)
            dt = stage->changes[k].number[0];
    return dt;
}

double scene_longest_dt(const scree_scene_plan *plan)
{
    double dt = plan->world.step.dt, longest = dt;

    for (size_t s = 0; s < plan->stage_count; s++) {
        dt = scene_dt_of_stage(&plan->stages[s], dt);
        longest = dt > longest ? dt : longest;
    }
    return longest;
}

double scree_scene_dt(const scree_scene *scene)
{
    double dt = scene->plan.world.step.dt;

    for (uint32_t s = 0; s < scene->course.stage; s++)
        dt = scene_dt_of_stage(&scene->plan.stages[s], dt);
    return dt;
}
