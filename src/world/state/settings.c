/*  Conversion between a world's definition and the settings that decide its future. */
#include "world/state/settings.h"

#include <string.h>

scree_physics scree_physics_of(const scree_world_def *def)
{
    scree_physics physics = {
        .dimensions = (uint64_t)def->dimensions,
        .integrator = (uint64_t)def->step.integrator | (uint64_t)def->step.local_steps << 16,
        .time = (uint64_t)def->step.mode,
        .energy_balance = def->energy_balance,
        .dt = def->step.dt,
        .safety_factor = def->step.safety_factor,
        .max_growth = def->step.max_growth,
        .global_damping = def->global_damping,
        .local_damping = def->local_damping,
        .overlap_limit = def->overlap_limit,
    };

    memcpy(physics.gravity, def->gravity, sizeof physics.gravity);
    for (int k = 0; k < 3; k++) {
        physics.boundary[k] = (uint64_t)def->domain.boundary[k];
        if (def->domain.boundary[k] == SCREE_BOUNDARY_NONE)
            continue;
        physics.lower[k] = def->domain.lower[k];
        physics.upper[k] = def->domain.upper[k];
    }
    return physics;
}

scree_physics_picard scree_physics_picard_of(const scree_world_def *def)
{
    const scree_picard_def *picard = &def->step.picard;
    uint64_t choices = (picard->keeps_sets ? 1u : 0u) | (picard->skips_levels ? 2u : 0u) |
                       (picard->accelerates ? 4u : 0u);

    return (scree_physics_picard){picard->tolerance, picard->iterations,
                                  picard->halvings | choices << 8};
}

bool scree_physics_picard_is_sound(const scree_physics_picard *picard)
{
    return picard->tolerance > 0 && picard->tolerance < 1 && picard->iterations >= 1 &&
           picard->iterations <= SCREE_MAX_ITERATIONS &&
           (picard->halvings & 255) <= SCREE_MAX_HALVINGS && picard->halvings >> 8 <= 7;
}

void scree_physics_apply(const scree_physics *physics, const scree_physics_picard *picard,
                         scree_world_def *def)
{
    def->dimensions = (int)physics->dimensions;
    def->step.integrator = (scree_integrator)scree_physics_integrator(physics);
    def->step.mode = (scree_time_mode)physics->time;
    def->step.local_steps = (uint32_t)scree_physics_local_steps(physics);
    def->energy_balance = physics->energy_balance != 0;
    def->step.dt = physics->dt;
    def->step.safety_factor = physics->safety_factor;
    def->step.max_growth = physics->max_growth;
    def->global_damping = physics->global_damping;
    def->local_damping = physics->local_damping;
    def->overlap_limit = physics->overlap_limit;
    if (picard)
        def->step.picard = (scree_picard_def){.tolerance = picard->tolerance,
                                              .iterations = (uint32_t)picard->iterations,
                                              .halvings = picard->halvings & 255,
                                              .keeps_sets = picard->halvings >> 8 & 1,
                                              .skips_levels = picard->halvings >> 9 & 1,
                                              .accelerates = picard->halvings >> 10 & 1};
    memcpy(def->gravity, physics->gravity, sizeof def->gravity);
    for (int k = 0; k < 3; k++)
        def->domain.boundary[k] = (scree_boundary)physics->boundary[k];
    memcpy(def->domain.lower, physics->lower, sizeof def->domain.lower);
    memcpy(def->domain.upper, physics->upper, sizeof def->domain.upper);
}

scree_status scree_physics_compare_frames(const scree_physics *has, const scree_physics *wanted,
                                          scree_error *error)
{
    if (has->dimensions != wanted->dimensions)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it is of a world of %u dimensions, this one has %u",
                          (unsigned)wanted->dimensions, (unsigned)has->dimensions);
    for (int k = 0; k < 3; k++) {
        if (has->boundary[k] != wanted->boundary[k])
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "snapshot: the boundary along %c is another one", "xyz"[k]);
        if (has->lower[k] != wanted->lower[k] || has->upper[k] != wanted->upper[k])
            return scree_fail(
                error, SCREE_BAD_ARGUMENT,
                "snapshot: its domain is %g to %g along %c, that of this world %g to %g",
                wanted->lower[k], wanted->upper[k], "xyz"[k], has -> lower[k], has -> upper[k]);
    }
    return SCREE_OK;
}
