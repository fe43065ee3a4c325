/*  scree/body.h: reads and changes one body by its handle.

        scree_body_set_velocity(world, ball, (double[3]){1, 0, 0});
        scree_body_apply_impulse(world, ball, (double[3]){0, 0, 0.01}, NULL);
        scree_world_step(world, 100);
        double place[3];
        scree_body_get_position(world, ball, place);

    scree_world_get_body and scree_world_set_body read and write all fields of a body at once. To read many bodies use
    scree_world_bodies.

    After a change the next step rebuilds the neighbour list and computes all forces again, as after any other change of
    a world. If many bodies are changed before a step, this happens once.

    STATUSES. SCREE_BAD_ARGUMENT: a pointer is NULL, or the handle names no body of this world, or a body that was
    removed. SCREE_BAD_VALUE: a number is not finite or out of range; the message names body and field. A call that
    fails changes nothing. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include "scree/world.h"

/*  Returns the handle that names no body. */
static inline scree_body_id scree_no_body(void)
{
    scree_body_id none;
    none.index1 = 0;
    none.generation = 0;
    return none;
}

/*  Returns whether the handle is the one that names no body. */
static inline bool scree_body_id_is_null(scree_body_id id)
{
    return id.index1 == 0;
}

/*  Returns whether both handles name the same body, or both name none. */
static inline bool scree_body_id_equal(scree_body_id a, scree_body_id b)
{
    return a.index1 == b.index1 && (a.index1 == 0 || a.generation == b.generation);
}

/*  Reads the centre of mass, in m. */
SCREE_API scree_status scree_body_get_position(const scree_world *world, scree_body_id id,
                                               double position[3]);
/*  Reads the velocity of the centre of mass, in m/s. */
SCREE_API scree_status scree_body_get_velocity(const scree_world *world, scree_body_id id,
                                               double velocity[3]);
/*  Reads the angular velocity in space, in rad/s. */
SCREE_API scree_status scree_body_get_spin(const scree_world *world, scree_body_id id,
                                           double spin[3]);
/*  Reads the orientation, a unit quaternion w x y z. */
SCREE_API scree_status scree_body_get_orientation(const scree_world *world, scree_body_id id,
                                                  double orientation[4]);
/*  Reads the resultant force in N, and torque in N m about the centre of mass, of the last step. Both include gravity,
    loads and damping. */
SCREE_API scree_status scree_body_get_force(const scree_world *world, scree_body_id id,
                                            double force[3], double torque[3]);
/*  Returns the type, or SCREE_BODY_DYNAMIC if the handle names no body. */
SCREE_API scree_body_type scree_body_get_type(const scree_world *world, scree_body_id id);
/*  Returns the mass in kg, or 0 if the handle names no body. */
SCREE_API double scree_body_get_mass(const scree_world *world, scree_body_id id);

/*  Moves the centre of mass to `position`, in m. */
SCREE_API scree_status scree_body_set_position(scree_world *world, scree_body_id id,
                                               const double position[3]);
/*  Sets the velocity of the centre of mass, in m/s. */
SCREE_API scree_status scree_body_set_velocity(scree_world *world, scree_body_id id,
                                               const double velocity[3]);
/*  Sets the angular velocity in space, in rad/s. */
SCREE_API scree_status scree_body_set_spin(scree_world *world, scree_body_id id,
                                           const double spin[3]);
/*  Sets the orientation, a quaternion w x y z of any length above 0. It is normalised. */
SCREE_API scree_status scree_body_set_orientation(scree_world *world, scree_body_id id,
                                                  const double orientation[4]);
/*  Sets a force in N, and a torque in N m about the centre of mass, that act in every step until they are set again.
    NULL means 0. Also SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_body_set_load(scree_world *world, scree_body_id id,
                                           const double force[3], const double torque[3]);
/*  Gives the body another material. Mass and inertia stay. */
SCREE_API scree_status scree_body_set_material(scree_world *world, scree_body_id id,
                                               scree_material_id material);
/*  Sets the groups that the body belongs to, and the groups that it collides with: bits of 64-bit masks. */
SCREE_API scree_status scree_body_set_groups(scree_world *world, scree_body_id id, uint64_t groups,
                                             uint64_t mask);
/*  Makes the body dynamic, kinematic or static. A static body stops; a dynamic one has no frozen components. */
SCREE_API scree_status scree_body_set_type(scree_world *world, scree_body_id id,
                                           scree_body_type type);
/*  Sets the flags SCREE_FREEZE_X, ..., SCREE_GHOST; those that are not given are cleared. With SCREE_FREEZE a dynamic
    body becomes kinematic, and without it any body becomes dynamic. */
SCREE_API scree_status scree_body_set_flags(scree_world *world, scree_body_id id, uint32_t flags);
/*  Sets the number that the host may use as it likes. */
SCREE_API scree_status scree_body_set_user(scree_world *world, scree_body_id id, uint64_t user);

/*  Changes velocity and angular velocity at once, by an impulse in N s that acts at `point`, or at the centre of mass
    if `point` is NULL. Components that flags freeze do not change. In a periodic domain give `point` near the stored
    position of the body, not near one of its images. */
SCREE_API scree_status scree_body_apply_impulse(scree_world *world, scree_body_id id,
                                                const double impulse[3], const double point[3]);

#endif
