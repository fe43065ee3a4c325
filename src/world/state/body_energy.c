/*  Kinetic and potential energy of a body. */
#include "world/state/body_energy.h"

#include "base/vector.h"
#include "world/state/rotation.h"

double scree_body_kinetic(const scree_body_arrays *bodies, uint32_t slot)
{
    const double *velocity = bodies->velocity[slot];

    return scree_is_ghost(bodies, slot)
               ? 0
               : 0.5 * bodies->inertia[slot][3] * scree_dot(velocity, velocity);
}

double scree_body_rotational(const scree_body_arrays *bodies, uint32_t slot)
{
    double momentum[3];

    if (scree_is_ghost(bodies, slot))
        return 0;
    scree_body_momentum(bodies, slot, momentum);
    return 0.5 * scree_dot(momentum, bodies->spin[slot]);
}

double scree_body_potential(const scree_body_arrays *bodies, const double gravity[3], uint32_t slot)
{
    return scree_is_ghost(bodies, slot)
               ? 0
               : -bodies->inertia[slot][3] * scree_dot(gravity, bodies->position[slot]);
}

double scree_body_energy(const scree_body_arrays *bodies, const double gravity[3], uint32_t slot)
{
    return scree_body_kinetic(bodies, slot) + scree_body_rotational(bodies, slot) +
           scree_body_potential(bodies, gravity, slot);
}
