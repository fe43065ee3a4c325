/*  What stages say of materials and laws: their values from then on. Each must be one that the law accepts, and steps of a given
    length must be stable with it. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <string.h>

static bool changes_values(const scree_scene_change *change)
{
    return change->kind == SCREE_CHANGE_MATERIAL || change->kind == SCREE_CHANGE_RULE;
}

static scree_status set_value(scree_world *world, const scree_scene_change *change, uint32_t k,
                              double value)
{
    return change->kind == SCREE_CHANGE_RULE
               ? scree_world_set_rule_value(world, change->index, change->names[k], value)
               : scree_world_set_material_value(world, (scree_material_id){change->index},
                                                change->names[k], value);
}

scree_status scene_change_values(scree_world *world, const scree_scene_change *change)
{
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < change->value_count && !status; k++)
        status = set_value(world, change, k, change->values[k]);
    return status;
}

/* ---- before the run --------------------------------------------------------------------------------------- */

static bool has_values(const scree_scene_plan *plan)
{
    for (size_t s = 0; s < plan->stage_count; s++)
        for (uint32_t k = 0; k < plan->stages[s].change_count; k++)
            if (changes_values(&plan->stages[s].changes[k]))
                return true;
    return false;
}

/*  As it was given. */
static scree_status take_back(const scree_scene_plan *plan, scree_world *world)
{
    scree_status status = SCREE_OK;

    for (size_t s = 0; s < plan->stage_count; s++)
        for (uint32_t k = 0; k < plan->stages[s].change_count; k++) {
            const scree_scene_change *change = &plan->stages[s].changes[k];
            for (uint32_t i = 0; changes_values(change) && i < change->value_count && !status; i++)
                status = set_value(world, change, i, NAN);
        }
    return status;
}

scree_status scene_try_values(const scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    if (!has_values(plan))
        return SCREE_OK;
    for (size_t s = 0; s < plan->stage_count; s++)
        for (uint32_t k = 0; k < plan->stages[s].change_count; k++) {
            const scree_scene_change *change = &plan->stages[s].changes[k];
            scree_status status =
                changes_values(change) ? scene_change_values(world, change) : SCREE_OK;
            if (status)
                return scene_fail_at(scene, error, status, change->line,
                                     "stage \"%.40s\": change: %s", plan->stages[s].name,
                                     scree_world_message(world));
        }
    scree_status status = take_back(plan, world);
    return status ? scree_fail(error, status, "%s: %s", scene->name, scree_world_message(world))
                  : SCREE_OK;
}

/* ---- steps of a given length ------------------------------------------------------------------------------ */

scree_status scene_check_fixed_step(const scree_scene *scene, scree_world *world,
                                    const scree_scene_stage *stage, scree_error *error)
{
    const scree_scene_change *change = NULL;
    scree_stable_step stable;
    scree_time_mode mode;
    double dt;

    for (uint32_t k = 0; k < stage->change_count; k++)
        if (changes_values(&stage->changes[k]))
            change = &stage->changes[k];
    scree_world_get_dt(world, &mode, &dt);
    if (!change || mode != SCREE_TIME_FIXED ||
        scene->plan.world.step.integrator >= SCREE_IMPLICIT_EULER)
        return SCREE_OK;
    dt = ldexp(dt, -(int)scene->plan.world.step.local_steps);
    scree_status status = scree_world_stable_step(world, &stable);
    if (status)
        return scene_fail_at(scene, error, status, change->line, "stage \"%.40s\": change: %s",
                             stage->name, scree_world_message(world));
    if (!(dt > stable.dt))
        return SCREE_OK;
    return scene_fail_at(scene, error, SCREE_BAD_VALUE, change->line,
                         "stage \"%.40s\": change: with these values the step of %.3g s is longer "
                         "than the stable one, %.3g s; give the stage a shorter one, dt = %.2g, or "
                         "leave out dt in solver { }, so that steps are automatic",
                         stage->name, dt, stable.dt, 0.2 * stable.dt);
}
