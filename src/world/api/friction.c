/*  Changes friction during a run. */
#include "law/law_friction.h"
#include "world/step/world_data.h"

#include <math.h>

static scree_status check_friction(const scree_rules *rules, scree_material_id material,
                                   double friction, scree_error *error)
{
    if (material.index1 > rules->material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "friction: there is no material %u, only 1 to %zu", material.index1,
                          rules->material_count);
    if (!isnan(friction) && !scree_is_friction(friction))
        return scree_fail(error, SCREE_BAD_VALUE, "friction: is %g, must be 0 to 1e100", friction);
    return SCREE_OK;
}

scree_status scree_world_set_friction(scree_world *world, scree_material_id material,
                                      double friction)
{
    scree_status status;
    double *wanted;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    status = check_friction(&world->rules, material, friction, &world->error);
    if (status)
        return status;
    size_t count = scree_friction_count(&world->rules);
    if (count == 0)
        return SCREE_OK;
    if (scree_memory_take(&world->memory, count, sizeof *wanted, &wanted))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "friction: out of memory");
    scree_friction_choose(&world->rules, material, friction, wanted);
    status = scree_friction_set(&world->rules, wanted, &world->error);
    scree_memory_give(&world->memory, &wanted, count, sizeof *wanted);
    if (!status)
        world->clock.unprimed = 1;
    return status;
}

double scree_world_get_friction(const scree_world *world, scree_material_id material)
{
    if (!world || material.index1 == 0 || material.index1 > world->rules.material_count)
        return NAN;
    return world->rules.materials[material.index1 - 1].def.friction;
}
