/*  Small calls for one body, by its handle. Every change goes through scree_world_set_body, so all checks are in one
    place. */
#include "scree/body.h"

#include "base/quaternion.h"
#include "world/step/world_data.h"

#include <string.h>

/*  The row of a body in a column of four doubles; NULL if there is no such body. */
static const double *find_row(const scree_world *world, scree_body_id id, const double (*column)[4])
{
    size_t slot = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;

    return slot == SIZE_MAX ? NULL : column[slot];
}

static scree_status copy_row(const double *row, double *into, size_t count)
{
    if (!row || !into)
        return SCREE_BAD_ARGUMENT;
    memcpy(into, row, count * sizeof *into);
    return SCREE_OK;
}

#define ROW(name) find_row(world, id, world ? (const double(*)[4])world->bodies.name : NULL)

scree_status scree_body_get_position(const scree_world *world, scree_body_id id, double position[3])
{
    return copy_row(ROW(position), position, 3);
}

scree_status scree_body_get_velocity(const scree_world *world, scree_body_id id, double velocity[3])
{
    return copy_row(ROW(velocity), velocity, 3);
}

scree_status scree_body_get_spin(const scree_world *world, scree_body_id id, double spin[3])
{
    return copy_row(ROW(spin), spin, 3);
}

scree_status scree_body_get_orientation(const scree_world *world, scree_body_id id,
                                        double orientation[4])
{
    return copy_row(ROW(orientation), orientation, 4);
}

scree_status scree_body_get_force(const scree_world *world, scree_body_id id, double force[3],
                                  double torque[3])
{
    if (!force || !torque)
        return SCREE_BAD_ARGUMENT;
    scree_status status = copy_row(ROW(force), force, 3);
    return status ? status : copy_row(ROW(torque), torque, 3);
}

scree_body_type scree_body_get_type(const scree_world *world, scree_body_id id)
{
    size_t slot = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;

    return slot == SIZE_MAX ? SCREE_BODY_DYNAMIC : scree_body_type_of(world->bodies.flags[slot][0]);
}

double scree_body_get_mass(const scree_world *world, scree_body_id id)
{
    const double *inertia = ROW(inertia);

    return inertia ? inertia[3] : 0;
}

/* ---- changes ---- */

/*  Reads the body that is to be changed. If there is none, the message is that of scree_world_set_body. */
static scree_status read_body(scree_world *world, scree_body_id id, bool has_value,
                              scree_body *body)
{
    if (!world || !has_value)
        return SCREE_BAD_ARGUMENT;
    const size_t slot = scree_bodies_slot(&world->bodies, id);

    memset(body, 0, sizeof *body);
    if (slot == SIZE_MAX)
        return scree_world_set_body(world, id, body);
    scree_bodies_get(&world->bodies, (uint32_t)slot, body);
    return SCREE_OK;
}

#define SET(has_value, ...)                                                                        \
    scree_body body;                                                                               \
    scree_status status = read_body(world, id, has_value, &body);                                  \
    if (status)                                                                                    \
        return status;                                                                             \
    __VA_ARGS__;                                                                                   \
    return scree_world_set_body(world, id, &body)

scree_status scree_body_set_position(scree_world *world, scree_body_id id, const double position[3])
{
    SET(position != NULL, memcpy(body.position, position, sizeof body.position));
}

scree_status scree_body_set_velocity(scree_world *world, scree_body_id id, const double velocity[3])
{
    SET(velocity != NULL, memcpy(body.velocity, velocity, sizeof body.velocity));
}

scree_status scree_body_set_spin(scree_world *world, scree_body_id id, const double spin[3])
{
    SET(spin != NULL, memcpy(body.spin, spin, sizeof body.spin));
}

scree_status scree_body_set_orientation(scree_world *world, scree_body_id id,
                                        const double orientation[4])
{
    SET(orientation != NULL, memcpy(body.orientation, orientation, sizeof body.orientation));
}

scree_status scree_body_set_load(scree_world *world, scree_body_id id, const double force[3],
                                 const double torque[3])
{
    static const double none[3] = {0};

    SET(true, {
        memcpy(body.load, force ? force : none, sizeof none);
        memcpy(body.load + 3, torque ? torque : none, sizeof none);
    });
}

scree_status scree_body_set_material(scree_world *world, scree_body_id id,
                                     scree_material_id material)
{
    SET(true, body.material = material);
}

scree_status scree_body_set_groups(scree_world *world, scree_body_id id, uint64_t groups,
                                   uint64_t mask)
{
    SET(true, {
        body.groups = groups;
        body.mask = mask;
    });
}

scree_status scree_body_set_type(scree_world *world, scree_body_id id, scree_body_type type)
{
    SET(true, {
        if (type == SCREE_BODY_DYNAMIC)
            body.flags &= ~SCREE_FREEZE;
        if (type == SCREE_BODY_STATIC)
            for (int k = 0; k < 3; k++)
                body.velocity[k] = body.spin[k] = 0;
        body.type = type;
    });
}

scree_status scree_body_set_flags(scree_world *world, scree_body_id id, uint32_t flags)
{
    SET(true, body.flags = flags);
}

scree_status scree_body_set_user(scree_world *world, scree_body_id id, uint64_t user)
{
    SET(true, body.user = user);
}

/*  Adds the angular velocity that an impulse at a lever arm from the centre of mass causes. The inertia is known in
    the body's axes. */
static void add_turn(scree_body *body, const double arm[3], const double impulse[3])
{
    const double moment[3] = {arm[1] * impulse[2] - arm[2] * impulse[1],
                              arm[2] * impulse[0] - arm[0] * impulse[2],
                              arm[0] * impulse[1] - arm[1] * impulse[0]};
    double own[3], change[3];

    scree_quaternion_turn_back(body->orientation, moment, own);
    for (int k = 0; k < 3; k++)
        own[k] /= body->inertia[k];
    scree_quaternion_turn(body->orientation, own, change);
    for (int k = 0; k < 3; k++)
        if (!(body->flags & (SCREE_FREEZE_SPIN_X << k)))
            body->spin[k] += change[k];
}

scree_status scree_body_apply_impulse(scree_world *world, scree_body_id id, const double impulse[3],
                                      const double point[3])
{
    scree_body body;
    scree_status status = read_body(world, id, impulse != NULL, &body);

    if (status)
        return status;
    for (int k = 0; k < 3; k++)
        if (!(body.flags & (SCREE_FREEZE_X << k)))
            body.velocity[k] += impulse[k] / body.mass;
    if (point) {
        const double arm[3] = {point[0] - body.position[0], point[1] - body.position[1],
                               point[2] - body.position[2]};
        add_turn(&body, arm, impulse);
    }
    return scree_world_set_body(world, id, &body);
}
