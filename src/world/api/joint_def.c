/*  Default values and checks of definitions of joints. */
#include "world/api/joint_def.h"

#include "base/check_numbers.h"
#include "base/error.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "world/forces/joint_force.h"

#include <math.h>

#define JOINT_COOKIE 0x10147001u

void scree_init_joint_def(scree_joint_def *def, size_t size)
{
    static const scree_joint_def own = {.cookie = JOINT_COOKIE,
                                        .size = sizeof(scree_joint_def),
                                        .axis = {0, 0, 1},
                                        .damping_ratio = 0.1,
                                        .rest_length = -1,
                                        .lower = -INFINITY,
                                        .upper = INFINITY,
                                        .strength = INFINITY,
                                        .turn_strength = INFINITY};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status refuse(scree_error *error, const char *field, const char *why)
{
    return scree_fail(error, SCREE_BAD_ARGUMENT, "joint: %s: %s", field, why);
}

/* ---- the world and the ends ---- */

static scree_status check_world(const scree_world *world, scree_error *error)
{
    const scree_world_def *def = &world->def;
    const char *with = scree_integrator_is_implicit(def->step.integrator) ? "implicit integrators"
                       : def->step.local_steps                            ? "local steps"
                       : world->sleep.is_on                               ? "bodies that sleep"
                       : world->device                                    ? "a device for steps"
                       : world->hooks                                     ? "ranks"
                                                                          : NULL;

    return with
               ? scree_fail(error, SCREE_BAD_ARGUMENT, "joint: joints cannot be used with %s", with)
               : SCREE_OK;
}

static bool is_immovable(const scree_body_arrays *bodies, size_t slot)
{
    return (scree_body_held(bodies->flags[slot][0]) & SCREE_FREEZE) == SCREE_FREEZE;
}

static scree_status check_body(const scree_body_arrays *bodies, scree_body_id id, const char *field,
                               scree_error *error)
{
    const size_t slot = scree_bodies_slot(bodies, id);

    if (slot == SIZE_MAX)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "joint: %s names no body (index1 %u)", field,
                          id.index1);
    if (scree_is_ghost(bodies, (uint32_t)slot))
        return refuse(error, field, "is a ghost, which another world moves");
    return SCREE_OK;
}

static scree_status check_wall(const scree_walls *walls, scree_wall_id id, scree_error *error)
{
    size_t place;

    if (scree_walls_find(walls, id, &place, error))
        return SCREE_BAD_ARGUMENT;
    if (walls->wall[place].is_free)
        return refuse(error, "wall", "is free, and free walls have no joints; use a body");
    return SCREE_OK;
}

static scree_status check_ends(const scree_world *world, const scree_joint_def *def,
                               scree_error *error)
{
    const scree_body_arrays *bodies = &world->bodies;
    const bool is_pair = def->second.index1 != 0;

    if (check_body(bodies, def->first, "first", error) ||
        (is_pair && check_body(bodies, def->second, "second", error)))
        return SCREE_BAD_ARGUMENT;
    if (is_pair && def->wall.index1)
        return refuse(error, "wall", "a joint has a second body or a wall, not both");
    if (is_pair && def->first.index1 == def->second.index1)
        return refuse(error, "second", "is the same body as first");
    if (def->wall.index1 && check_wall(&world->walls, def->wall, error))
        return SCREE_BAD_ARGUMENT;
    if (is_immovable(bodies, scree_bodies_slot(bodies, def->first)) &&
        (!is_pair || is_immovable(bodies, scree_bodies_slot(bodies, def->second))))
        return refuse(error, "first", "neither end can move");
    return SCREE_OK;
}

/* ---- numbers ---- */

static scree_status check_values(const scree_joint_def *def, scree_error *error)
{
    const bool is_between = def->damping_ratio >= 0 && def->damping_ratio <= 1;

    if (!(def->stiffness >= 0 && scree_is_usable(def->stiffness)))
        return scree_refuse_number(error, "joint", "stiffness", def->stiffness, "0 or more");
    if (!(def->turn_stiffness >= 0 && scree_is_usable(def->turn_stiffness)))
        return scree_refuse_number(error, "joint", "turn_stiffness", def->turn_stiffness,
                                   "0 or more");
    if (!is_between)
        return scree_refuse_number(error, "joint", "damping_ratio", def->damping_ratio, "0 to 1");
    if (!scree_is_usable(def->rest_length))
        return scree_refuse_number(error, "joint", "rest_length", def->rest_length, "finite");
    if (!(def->strength > 0))
        return scree_refuse_number(error, "joint", "strength", def->strength, "above 0");
    if (!(def->turn_strength > 0))
        return scree_refuse_number(error, "joint", "turn_strength", def->turn_strength, "above 0");
    if (!(def->upper >= def->lower) || def->upper == -INFINITY || def->lower == INFINITY)
        return scree_refuse_number(error, "joint", "upper", def->upper, "at least lower");
    return SCREE_OK;
}

/*  Members that a kind does not use must have their default values. */
static scree_status check_kind(const scree_joint_def *def, scree_error *error)
{
    const scree_joint_kind kind = def->kind;
    const bool is_spring = kind == SCREE_JOINT_SPRING, is_weld = kind == SCREE_JOINT_WELD;
    const bool has_limits = def->lower > -INFINITY || def->upper < INFINITY;

    if (is_weld && has_limits)
        return refuse(error, "upper", "a weld moves nowhere, so it has no limits");
    if (kind == SCREE_JOINT_BALL && (def->lower > -INFINITY || def->upper < 0))
        return refuse(error, "upper", "a ball has a largest tilt of 0 or more, and no lower limit");
    if (is_spring && def->turn_stiffness != 0)
        return refuse(error, "turn_stiffness", "a spring holds no rotation");
    if (!is_spring && def->rest_length >= 0)
        return refuse(error, "rest_length", "only springs have a length");
    if (!is_spring && scree_dot(def->second_anchor, def->second_anchor) != 0)
        return refuse(error, "second_anchor", "only springs have two anchors");
    if ((is_spring || is_weld) && !(def->axis[0] == 0 && def->axis[1] == 0 && def->axis[2] == 1))
        return refuse(error, "axis", "springs and welds have no axis");
    return scree_joint_motor_check(kind, &def->motor, error);
}

static scree_status check_flat(scree_joint_def *def, scree_error *error)
{
    double *axis = def->axis;
    const bool is_default = axis[0] == 0 && axis[1] == 0 && axis[2] == 1;

    if (def->kind == SCREE_JOINT_BALL)
        return refuse(error, "kind", "a ball in two dimensions is a hinge");
    if (def->anchor[2] != 0 || def->second_anchor[2] != 0)
        return refuse(error, "anchor", "z must be 0 in two dimensions");
    if (def->kind == SCREE_JOINT_SLIDER && is_default) {
        axis[0] = 1;
        axis[2] = 0;
    }
    if (def->kind == SCREE_JOINT_SLIDER && axis[2] != 0)
        return refuse(error, "axis", "a slider in two dimensions must be in the plane");
    if (def->kind == SCREE_JOINT_HINGE && (axis[0] != 0 || axis[1] != 0))
        return refuse(error, "axis", "a hinge in two dimensions must be along z");
    return SCREE_OK;
}

static scree_status check_vectors(scree_joint_def *def, int dimensions, scree_error *error)
{
    if (scree_check_numbers(error, "joint", "anchor", def->anchor, 3) ||
        scree_check_numbers(error, "joint", "second_anchor", def->second_anchor, 3) ||
        scree_check_numbers(error, "joint", "axis", def->axis, 3))
        return SCREE_BAD_VALUE;
    if (dimensions == 2 && check_flat(def, error))
        return SCREE_BAD_ARGUMENT;
    const double length = scree_length(def->axis);
    if (!(length > 1e-100 && length < 1e100))
        return scree_refuse_number(error, "joint", "the length of axis", length, "above 0");
    for (int k = 0; k < 3; k++)
        def->axis[k] /= length;
    return SCREE_OK;
}

scree_status scree_joint_motor_check(scree_joint_kind kind, const scree_joint_motor *motor,
                                     scree_error *error)
{
    const bool is_on = motor->mode != SCREE_MOTOR_OFF;

    if (motor->mode < SCREE_MOTOR_OFF || motor->mode > SCREE_MOTOR_POSITION)
        return scree_refuse_number(error, "joint", "motor.mode", (double)motor->mode,
                                   "SCREE_MOTOR_OFF, _SPEED or _POSITION");
    if (is_on && !scree_joint_has_axis(kind))
        return refuse(error, "motor", "only hinges and sliders have motors");
    if (!scree_is_usable(motor->target))
        return scree_refuse_number(error, "joint", "motor.target", motor->target, "finite");
    if (is_on && !(motor->max_effort > 0))
        return scree_refuse_number(error, "joint", "motor.max_effort", motor->max_effort,
                                   "above 0");
    if (!(motor->stiffness >= 0 && scree_is_usable(motor->stiffness)))
        return scree_refuse_number(error, "joint", "motor.stiffness", motor->stiffness,
                                   "0 or more");
    if (!(motor->damping >= 0 && scree_is_usable(motor->damping)))
        return scree_refuse_number(error, "joint", "motor.damping", motor->damping, "0 or more");
    if (motor->mode == SCREE_MOTOR_SPEED && motor->stiffness != 0)
        return refuse(error, "motor.stiffness", "a motor that holds a speed has none");
    return SCREE_OK;
}

scree_status scree_joint_def_check(const scree_world *world, scree_joint_def *def,
                                   scree_error *error)
{
    scree_status status;

    if (def->kind < SCREE_JOINT_HINGE || def->kind > SCREE_JOINT_SPRING)
        return scree_refuse_number(error, "joint", "kind", (double)def->kind, "a scree_joint_kind");
    if ((status = check_world(world, error)) || (status = check_ends(world, def, error)) ||
        (status = check_values(def, error)) || (status = check_kind(def, error)))
        return status;
    return check_vectors(def, world->def.dimensions, error);
}
