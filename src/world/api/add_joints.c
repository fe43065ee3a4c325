/*  Adds and removes joints, and sets their motors. */
#include "base/error.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "world/api/joint_def.h"
#include "world/forces/joint_force.h"
#include "world/step/joint_step.h"
#include "world/step/room_data.h"

#include <math.h>
#include <string.h>

/*  Shares of 1 / T^2 and 1 / T in stiffness and in the damping of motors: eight joints on a body have a stable step of
    T or more (forces/stiffness.c). */
#define STIFFNESS_SHARE (0.2 * 0.2)
#define MOTOR_SHARE 0.1
/*  A joint closes to this share of its lever arms. */
#define CLOSED 1e-6

/* ---- inertia ---- */

/*  Inverse inertias of both ends, as far as they can move. */
typedef struct joint_inertia
{
    double mass[2];   /* 1 / m */
    double turn[2];   /* 1 / smallest moment of inertia */
    double arm_sq[2]; /* of the anchors */
    double about[2];  /* 1 / moment of inertia about the axis through the anchor */
} joint_inertia;

#define HELD_IN_PLACE (SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z)
#define HELD_SPINS (SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z)

/*  Moment of inertia about an axis, a unit vector, through a point of the body. */
static double inertia_about(const scree_body_arrays *bodies, uint32_t slot, const double arm[3],
                            const double axis[3])
{
    const double *inertia = bodies->inertia[slot];
    double local[3], away[3];

    scree_quaternion_turn_back(bodies->orientation[slot], axis, local);
    scree_cross(axis, arm, away);
    return inertia[0] * local[0] * local[0] + inertia[1] * local[1] * local[1] +
           inertia[2] * local[2] * local[2] + inertia[3] * scree_dot(away, away);
}

/*  A slider moves along its axis, up to its limits, and the lever arm of its first body with it. */
static double travel_of(const scree_joint_record *joint)
{
    const double most = fmax(fabs(joint->lower), fabs(joint->upper));

    return joint->kind == SCREE_JOINT_SLIDER && most < INFINITY ? most : 0;
}

static joint_inertia find_inertia(const scree_body_arrays *bodies, const scree_joint_record *joint,
                                  const scree_joint_push *push)
{
    joint_inertia found = {{0}, {0}, {0}, {0}};

    for (int k = 0; k < 2; k++) {
        const uint32_t slot = push->slot[k];
        if (slot == UINT32_MAX)
            continue;
        const uint32_t held = scree_body_held(bodies->flags[slot][0]);
        const double *inertia = bodies->inertia[slot];
        const double least = fmin(inertia[0], fmin(inertia[1], inertia[2]));
        found.mass[k] = (held & HELD_IN_PLACE) == HELD_IN_PLACE ? 0 : 1 / inertia[3];
        const double arm = scree_length(push->arm[k]) + (k == 0 ? travel_of(joint) : 0);
        found.arm_sq[k] = arm * arm;
        if ((held & HELD_SPINS) == HELD_SPINS)
            continue;
        found.turn[k] = 1 / least;
        found.about[k] = 1 / inertia_about(bodies, slot, push->arm[k], push->axis);
    }
    return found;
}

/*  1 / (1 / a + 1 / b), and 0 if nothing can move. */
static double effective(double sum)
{
    return sum > 0 ? 1 / sum : 0;
}

static double effective_mass(const joint_inertia *i)
{
    return effective(i->mass[0] + i->mass[1] + i->turn[0] * i->arm_sq[0] +
                     i->turn[1] * i->arm_sq[1]);
}

/*  The time step that chosen values follow from; 0: not known yet. */
static double time_scale(const scree_world *world)
{
    if (world->def.step.mode == SCREE_TIME_FIXED)
        return world->def.step.dt;
    return (world->clock.steps ? world->clock.dt : world->def.step.dt) /
           world->def.step.safety_factor;
}

static scree_status lack_step(scree_error *error, const char *field)
{
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "joint: %s must be given: the length of automatic steps is not known before "
                      "the first, and dt sets no limit",
                      field);
}

/* ---- values that are chosen ---- */

static scree_status choose_motor(const scree_world *world, const joint_inertia *inertia,
                                 scree_joint_kind kind, scree_joint_motor *motor,
                                 scree_error *error)
{
    const bool is_hinge = kind == SCREE_JOINT_HINGE;
    const double least =
        is_hinge ? effective(inertia->turn[0] + inertia->turn[1]) : effective_mass(inertia);
    const double whole = is_hinge ? effective(inertia->about[0] + inertia->about[1])
                                  : effective(inertia->mass[0] + inertia->mass[1]);
    const double scale = time_scale(world);

    if (motor->mode == SCREE_MOTOR_OFF)
        return SCREE_OK;
    if (motor->damping == 0 && scale == 0)
        return lack_step(error, "motor.damping");
    if (!(least > 0 && whole > 0))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "joint: motor: neither end can move as the motor pushes");
    if (motor->damping == 0)
        motor->damping = MOTOR_SHARE * least / scale;
    if (motor->mode == SCREE_MOTOR_POSITION && motor->stiffness == 0)
        motor->stiffness = motor->damping * motor->damping / (4 * whole);
    return SCREE_OK;
}

static scree_status choose_springs(const scree_world *world, const joint_inertia *inertia,
                                   const scree_joint_def *def, scree_joint_record *joint,
                                   scree_error *error)
{
    const double mass = effective_mass(inertia);
    const double turn = effective(inertia->turn[0] + inertia->turn[1]);
    const double scale = time_scale(world), rate_sq = STIFFNESS_SHARE / (scale * scale);
    const bool holds_turn =
        def->kind != SCREE_JOINT_SPRING && (def->kind != SCREE_JOINT_BALL || def->upper < INFINITY);

    if (def->stiffness == 0 && scale == 0)
        return lack_step(error, "stiffness");
    if (holds_turn && def->turn_stiffness == 0 && scale == 0)
        return lack_step(error, "turn_stiffness");
    joint->stiffness = def->stiffness > 0 ? def->stiffness : mass * rate_sq;
    joint->dashpot = 2 * def->damping_ratio * sqrt(joint->stiffness * mass);
    if (!holds_turn)
        return SCREE_OK;
    joint->turn_stiffness = def->turn_stiffness > 0 ? def->turn_stiffness : turn * rate_sq;
    /* the limit of a ball is no dashpot */
    if (def->kind != SCREE_JOINT_BALL)
        joint->turn_dashpot = 2 * def->damping_ratio * sqrt(joint->turn_stiffness * turn);
    return SCREE_OK;
}

/* ---- making a joint ---- */

/*  The rotation of z into the axis. */
static void find_frame(const double axis[3], double frame[4])
{
    frame[0] = 1 + axis[2];
    frame[1] = -axis[1];
    frame[2] = axis[0];
    frame[3] = 0;
    if (frame[0] < 1e-9) {
        frame[0] = frame[2] = 0;
        frame[1] = 1;
    }
    (void)scree_quaternion_normalise(frame);
}

/*  An end in the frame of something at a place: nearest image. */
static void put_end(const scree_domain *domain, const double place[3], const double turn[4],
                    const double anchor[3], const double frame[4], scree_joint_end *end)
{
    const double back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
    double arm[3], n[3];

    scree_domain_step(domain, place, anchor, arm, n);
    scree_quaternion_turn(back, arm, end->point);
    scree_quaternion_multiply(back, frame, end->frame);
}

static void put_ends(const scree_world *world, const scree_joint_def *def,
                     scree_joint_record *joint)
{
    const scree_body_arrays *bodies = &world->bodies;
    const scree_domain *domain = &world->cell.next;
    const double *other = def->kind == SCREE_JOINT_SPRING ? def->second_anchor : def->anchor;
    const size_t first = scree_bodies_slot(bodies, def->first);
    double frame[4];

    find_frame(def->axis, frame);
    put_end(domain, bodies->position[first], bodies->orientation[first], def->anchor, frame,
            &joint->end[0]);
    joint->first_serial = bodies->serial[first][0];
    if (def->second.index1) {
        const size_t second = scree_bodies_slot(bodies, def->second);
        put_end(domain, bodies->position[second], bodies->orientation[second], other, frame,
                &joint->end[1]);
        joint->second_serial = bodies->serial[second][0];
    } else if (def->wall.index1) {
        const scree_wall_pose *pose =
            &world->walls.wall[scree_walls_place(&world->walls, def->wall)].now;
        put_end(domain, pose->position, pose->orientation, other, frame, &joint->end[1]);
    } else {
        memcpy(joint->end[1].point, other, sizeof joint->end[1].point);
        memcpy(joint->end[1].frame, frame, sizeof frame);
    }
}

/*  A joint whose ends are apart would be one to another image than that of its bodies that is nearest. */
static scree_status check_closed(const scree_joint_def *def, const scree_joint_push *push,
                                 const double gap_sq, scree_error *error)
{
    const double arm_sq =
        scree_dot(push->arm[0], push->arm[0]) + scree_dot(push->arm[1], push->arm[1]);

    if (def->kind == SCREE_JOINT_SPRING || gap_sq <= CLOSED * CLOSED * arm_sq)
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "joint: anchor: the bodies must be less than half a period apart");
}

static double gap_of(const scree_body_arrays *bodies, const scree_joint_record *joint,
                     const scree_joint_push *push)
{
    double arm[3];

    scree_quaternion_turn(bodies->orientation[push->slot[0]], joint->end[0].point, arm);
    return scree_apart_sq(arm, push->arm[0]);
}

static scree_status make_joint(const scree_world *world, const scree_joint_def *def,
                               scree_joint_record *joint, scree_error *error)
{
    const scree_joint_scene scene = scree_world_joint_scene(world, true);
    scree_joint_push push;
    scree_status status;

    *joint = (scree_joint_record){.kind = def->kind,
                                  .first = def->first,
                                  .second = def->second,
                                  .wall = def->wall,
                                  .rest_length = def->rest_length,
                                  .lower = def->lower,
                                  .upper = def->upper,
                                  .strength = def->strength,
                                  .turn_strength = def->turn_strength,
                                  .motor = def->motor,
                                  .collide = def->collide,
                                  .user = def->user};
    put_ends(world, def, joint);
    scree_joint_find(&scene, joint, &push);
    status = check_closed(def, &push, gap_of(&world->bodies, joint, &push), error);
    if (status)
        return status;
    if (def->kind == SCREE_JOINT_SPRING && def->rest_length < 0)
        joint->rest_length = push.found.position;
    if (def->kind != SCREE_JOINT_SPRING)
        joint->rest_length = 0;
    const joint_inertia inertia = find_inertia(&world->bodies, joint, &push);
    status = choose_springs(world, &inertia, def, joint, error);
    return status ? status : choose_motor(world, &inertia, def->kind, &joint->motor, error);
}

scree_status scree_world_add_joint(scree_world *world, const scree_joint_def *def,
                                   scree_joint_id *id)
{
    scree_joint_def checked = scree_default_joint_def();
    scree_joint_record made;
    scree_status status;

    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    if (!scree_definition_read(&checked, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "joint: the definition is not from scree_default_joint_def");
    scree_joints *joints = &world->joints;
    if (joints->course.made == UINT32_MAX)
        return scree_fail(&world->error, SCREE_TOO_LARGE, "joint: 2^32 - 1 joints were made");
    status = scree_joint_def_check(world, &checked, &world->error);
    if (!status)
        status = make_joint(world, &checked, &made, &world->error);
    if (status)
        return status;
    if (scree_memory_reserve(&world->memory, &joints->joint, &joints->capacity, joints->count + 1,
                             sizeof *joints->joint))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "joint: out of memory");
    made.id = (scree_joint_id){(uint32_t)++joints->course.made, 1};
    joints->joint[joints->count++] = made;
    scree_joints_changed(world);
    world->clock.unprimed = 1;
    if (id)
        *id = made.id;
    return SCREE_OK;
}

/* ---- changes ---- */

static scree_status find_joint(scree_world *world, scree_joint_id id, size_t *place)
{
    *place = scree_joints_place(&world->joints, id);
    return *place == SIZE_MAX ? scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                                           "world: the id names no joint (index1 %u)", id.index1)
                              : SCREE_OK;
}

scree_status scree_world_remove_joint(scree_world *world, scree_joint_id id)
{
    scree_joints *joints;
    size_t place;

    if (!world || find_joint(world, id, &place))
        return SCREE_BAD_ARGUMENT;
    joints = &world->joints;
    if (world->def.energy_balance)
        world->clock.removed += joints->joint[place].stored;
    scree_joints_leave(joints, &joints->joint[place]);
    joints->count--;
    memmove(&joints->joint[place], &joints->joint[place + 1],
            (joints->count - place) * sizeof *joints->joint);
    scree_joints_changed(world);
    world->clock.unprimed = 1;
    return SCREE_OK;
}

scree_status scree_world_set_joint_motor(scree_world *world, scree_joint_id id,
                                         const scree_joint_motor *motor)
{
    scree_joint_motor checked = motor ? *motor : (scree_joint_motor){.mode = SCREE_MOTOR_OFF};
    scree_joint_push push;
    scree_status status;
    size_t place;

    if (!world || find_joint(world, id, &place))
        return SCREE_BAD_ARGUMENT;
    scree_joint_record *joint = &world->joints.joint[place];
    const scree_joint_scene scene = scree_world_joint_scene(world, true);
    if (!scree_joint_has_axis(joint->kind))
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "joint: motor: only hinges and sliders have motors");
    status = scree_joint_motor_check(joint->kind, &checked, &world->error);
    if (status)
        return status;
    scree_joint_find(&scene, joint, &push);
    const joint_inertia inertia = find_inertia(&world->bodies, joint, &push);
    status = choose_motor(world, &inertia, joint->kind, &checked, &world->error);
    if (status)
        return status;
    joint->motor = checked;
    world->clock.unprimed = 1;
    return SCREE_OK;
}
