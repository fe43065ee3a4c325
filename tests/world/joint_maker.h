/*  Worlds with joints, for tests. */
#ifndef SCREE_TESTS_JOINT_MAKER_H
#define SCREE_TESTS_JOINT_MAKER_H

#include "scree/event.h"
#include "scree/joint.h"
#include "servo_maker.h"

static const double pi = 3.14159265358979323846;

static inline scree_joint_def joint_at(scree_joint_kind kind, scree_body_id first, double x,
                                       double y, double z)
{
    scree_joint_def def = scree_default_joint_def();

    def.kind = kind;
    def.first = first;
    def.anchor[0] = x;
    def.anchor[1] = y;
    def.anchor[2] = z;
    return def;
}

static inline void set_axis(scree_joint_def *def, double x, double y, double z)
{
    def->axis[0] = x;
    def->axis[1] = y;
    def->axis[2] = z;
}

static inline scree_joint_id join(scree_world *world, const scree_joint_def *def)
{
    scree_joint_id id;

    if (scree_world_add_joint(world, def, &id))
        FAIL("no joint: %s", scree_world_message(world));
    return id;
}

static inline scree_joint state_of(scree_world *world, scree_joint_id id)
{
    scree_joint joint;

    CHECK_EQUAL(scree_world_get_joint(world, id, &joint), SCREE_OK);
    return joint;
}

/*  What the energy balance should leave: 0. */
static inline double imbalance(const scree_world *world)
{
    const scree_energy e = scree_world_energy(world);

    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed;
}

static inline scree_world_def heavy(double dt)
{
    scree_world_def def = fixed(dt);

    def.gravity[2] = -10;
    def.energy_balance = true;
    return def;
}

#endif
