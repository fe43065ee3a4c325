/*  scree/body.h: one body, read and changed by its handle.

        scree_body_set_velocity(world, ball, (double[3]){1, 0, 0});
        scree_body_apply_impulse(world, ball, (double[3]){0, 0, 0.01}, NULL);
        scree_world_step(world, 100);
        double place[3];
        scree_body_get_position(world, ball, place);

    Everything here can also be done by scree_world_get_body and scree_world_set_body, which read and write all fields at
    once. To read many bodies use scree_world_bodies.

    A change between two steps makes the next step rebuild the neighbour list and find all forces anew, as does any
    other change of a world: changing many bodies before a step costs this once.

    STATUSES. SCREE_BAD_ARGUMENT: a pointer is NULL, or the handle names no body of this world (any more).
    SCREE_BAD_VALUE: a number is not finite or out of range; the message names body and field. A call that fails changes
    nothing. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include "scree/world.h"

/*  A handle that names no body. */
static inline scree_body_id scree_no_body(void)
{
    scree_body_id none;
    none.index1 = 0;
    none.generation = 0;
    return none;
}

static inline bool scree_body_id_is_null(scree_body_id id)
{
    return id.index1 == 0;
}

/*  Whether both name the same body, or both none. */
static inline bool scree_body_id_equal(scree_body_id a, scree_body_id b)
{
    return a.index1 == b.index1 && (a.index1 == 0 || a.generation == b.generation);
}

/*  Centre of mass in m, its velocity in m/s, angular velocity in rad/s, orientation as a unit quaternion w x y z. */
SCREE_API scree_status scree_body_get_position(const scree_world *world, scree_body_id id,
                                               double position[3]);
SCREE_API scree_status scree_body_get_velocity(const scree_world *world, scree_body_id id,
                                               double velocity[3]);
SCREE_API scree_status scree_body_get_spin(const scree_world *world, scree_body_id id,
                                           double spin[3]);
SCREE_API scree_status scree_body_get_orientation(const scree_world *world, scree_body_id id,
                                                  double orientation[4]);
/*  Force in N and torque in N m about the centre of mass: the sums of the last step, with gravity, loads and damping. */
SCREE_API scree_status scree_body_get_force(const scree_world *world, scree_body_id id,
                                            double force[3], double torque[3]);
/*  In kg; 0 for a handle that names no body. */
SCREE_API double scree_body_get_mass(const scree_world *world, scree_body_id id);

SCREE_API scree_status scree_body_set_position(scree_world *world, scree_body_id id,
                                               const double position[3]);
SCREE_API scree_status scree_body_set_velocity(scree_world *world, scree_body_id id,
                                               const double velocity[3]);
SCREE_API scree_status scree_body_set_spin(scree_world *world, scree_body_id id,
                                           const double spin[3]);
/*  Of any length above 0. */
SCREE_API scree_status scree_body_set_orientation(scree_world *world, scree_body_id id,
                                                  const double orientation[4]);
/*  A force in N and a torque in N m about the centre of mass that act in every step until they are set again. Either may be
    NULL: 0. SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_body_set_load(scree_world *world, scree_body_id id,
                                           const double force[3], const double torque[3]);
SCREE_API scree_status scree_body_set_material(scree_world *world, scree_body_id id,
                                               scree_material_id material);
SCREE_API scree_status scree_body_set_groups(scree_world *world, scree_body_id id, uint64_t groups,
                                             uint64_t mask);
/*  SCREE_FREEZE_X, ..., SCREE_GHOST. */
SCREE_API scree_status scree_body_set_flags(scree_world *world, scree_body_id id, uint32_t flags);
SCREE_API scree_status scree_body_set_user(scree_world *world, scree_body_id id, uint64_t user);

/*  Changes velocity and spin at once, as a blow of `impulse` (N s) at `point` does; NULL: at the centre of mass. What
    flags hold stays as it is. Across a periodic boundary `point` is meant near the body as it is stored. */
SCREE_API scree_status scree_body_apply_impulse(scree_world *world, scree_body_id id,
                                                const double impulse[3], const double point[3]);

#endif
