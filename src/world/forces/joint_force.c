/*  Geometry and force of one joint.

    All is computed in space, with the second end relative to the centre of the first body, so periodic images need no
    special case. Force and torque on the two bodies are opposite and act at the second end: then neither momentum nor
    angular momentum is made. The rate of the vector d between the ends, as the first body sees it, is the velocity of
    the second end relative to the material point of the first body that is there, since its frame rotates along.

    Each spring has a potential, so the energy of a joint without dashpots is conserved. For a rotation by the angle a
    about n that is turn_stiffness a^2 / 2, with the torque -turn_stiffness a n. A hinge holds the tilt of its axis, from
    z1 to z2, and its own angle is the twist of the rotation: a torque M of motor and limit acts about (z1 + z2) /
    (1 + z1 z2), the vector whose product with the relative spin is the rate of the twist. Angles and distances of
    limits and motors are those of the first end as seen from the second, so signs change. */
#include "world/forces/joint_force.h"

#include "base/portable_math.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

double scree_joint_angle(double y, double x)
{
    double length = sqrt(x * x + y * y);

    if (x > 0)
        return 2 * scree_atan(y / (length + x));
    if (y == 0)
        return x < 0 ? PI : 0;
    return 2 * scree_atan((length - x) / y);
}

bool scree_joint_has_axis(scree_joint_kind kind)
{
    return kind == SCREE_JOINT_HINGE || kind == SCREE_JOINT_SLIDER;
}

/* ---- where the ends are ---- */

/*  Relative positions and velocities of the ends. */
typedef struct joint_motion
{
    double turn[2][4]; /* of the frames of both ends */
    double d[3],
        rate[3];    /* from the first end to the second, and its rate in the frame of the first */
    double spin[3]; /* of the second end relative to the first */
    double speed[3],
        turns[3];    /* of the second end, if it is no body, and image n of it: velocity and spin */
    double image[3]; /* velocity of the image of the second end relative to that end */
    double z[2][3];  /* the axes of both ends */
} joint_motion;

static void find_fixed_end(const scree_joint_scene *scene, const scree_joint_record *joint,
                           const double centre[3], double away[3], double n[3], joint_motion *m)
{
    const scree_joint_end *end = &joint->end[1];
    const size_t w = joint->wall.index1 ? scree_walls_place(scene->walls, joint->wall) : SIZE_MAX;
    double point[3];

    memcpy(point, end->point, sizeof point);
    memcpy(m->turn[1], end->frame, sizeof m->turn[1]);
    if (w != SIZE_MAX) {
        const scree_wall_record *wall = &scene->walls->wall[w];
        const scree_wall_pose *pose = scene->is_now ? &wall->now : &wall->next;
        memcpy(point, pose->position, sizeof point);
        scree_quaternion_shift(pose->orientation, end->point, 1, point);
        scree_quaternion_multiply(pose->orientation, end->frame, m->turn[1]);
        scree_wall_velocity_at(pose->position, pose->velocity, pose->spin, point, m->speed);
        memcpy(m->turns, pose->spin, sizeof m->turns);
    }
    scree_domain_step(&scene->cell->next, centre, point, away, n);
}

static void find_body_end(const scree_joint_scene *scene, const scree_joint_record *joint,
                          int which, uint32_t slot, double arm[3], joint_motion *m)
{
    const scree_joint_end *end = &joint->end[which];
    const double *turn = scene->bodies->orientation[slot];

    scree_quaternion_turn(turn, end->point, arm);
    scree_quaternion_multiply(turn, end->frame, m->turn[which]);
}

/*  Velocity of a point of a body. */
static void velocity_at(const scree_body_arrays *bodies, uint32_t slot, const double arm[3],
                        double velocity[3])
{
    scree_cross(bodies->spin[slot], arm, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += bodies->velocity[slot][k];
}

static void find_motion(const scree_joint_scene *scene, const scree_joint_record *joint,
                        scree_joint_push *push, joint_motion *m)
{
    static const double up[3] = {0, 0, 1};
    const scree_body_arrays *bodies = scene->bodies;
    const uint32_t first = push->slot[0], second = push->slot[1];
    double away[3], n[3], arm[3], at_first[3], at_second[3];

    find_body_end(scene, joint, 0, first, arm, m);
    if (second == UINT32_MAX) {
        find_fixed_end(scene, joint, bodies->position[first], away, n, m);
        memcpy(at_second, m->speed, sizeof at_second);
    } else {
        scree_domain_step(&scene->cell->next, bodies->position[first], bodies->position[second],
                          away, n);
        find_body_end(scene, joint, 1, second, push->arm[1], m);
        velocity_at(bodies, second, push->arm[1], at_second);
    }
    if (scene->cell->is_moving)
        scree_strain_speed(scene->cell, &scene->cell->next, n, m->image);
    for (int k = 0; k < 3; k++)
        push->point[k] = away[k] + push->arm[1][k];
    /* the force of a spring is along its line, so it may act at any point of that */
    memcpy(push->arm[0], joint->kind == SCREE_JOINT_SPRING ? arm : push->point, sizeof arm);
    velocity_at(bodies, first, push->arm[0], at_first);
    for (int k = 0; k < 3; k++) {
        m->d[k] = push->point[k] - arm[k];
        /* the image is n edges behind */
        m->image[k] = -m->image[k];
        m->rate[k] = at_second[k] + m->image[k] - at_first[k];
        m->spin[k] =
            (second == UINT32_MAX ? m->turns[k] : bodies->spin[second][k]) - bodies->spin[first][k];
    }
    scree_quaternion_turn(m->turn[0], up, m->z[0]);
    scree_quaternion_turn(m->turn[1], up, m->z[1]);
    memcpy(push->axis, m->z[0], sizeof push->axis);
}

/* ---- springs and dashpots ---- */

static void add(double to[3], double factor, const double v[3])
{
    for (int k = 0; k < 3; k++)
        to[k] += factor * v[k];
}

/*  Subtracts the component along a unit vector. */
static void take_along(double v[3], const double axis[3])
{
    add(v, -scree_dot(v, axis), axis);
}

/*  Holds a displacement or a rotation, with the energy of its spring and the power lost in its dashpot. */
static void hold(double stiffness, double dashpot, const double way[3], const double rate[3],
                 double push[3], scree_joint_found *found)
{
    add(push, -stiffness, way);
    add(push, -dashpot, rate);
    found->stored += 0.5 * stiffness * scree_dot(way, way);
    found->loss += dashpot * scree_dot(rate, rate);
}

/*  The rotation from the first frame to the second: its quaternion in the first frame, with w of 0 or more. */
static void find_rotation(const joint_motion *m, double q[4])
{
    const double back[4] = {m->turn[0][0], -m->turn[0][1], -m->turn[0][2], -m->turn[0][3]};

    scree_quaternion_multiply(back, m->turn[1], q);
    for (int k = 3; q[0] < 0 && k >= 0; k--)
        q[k] = -q[k];
}

/*  The rotation as a vector in space: axis times angle. */
static void find_turn(const joint_motion *m, double way[3])
{
    double q[4], sine;

    find_rotation(m, q);
    sine = scree_length(q + 1);
    for (int k = 0; k < 3; k++)
        way[k] = sine > 0 ? q[1 + k] / sine * (2 * scree_joint_angle(sine, q[0])) : 0;
    scree_quaternion_turn(m->turn[0], way, way);
}

/*  The tilt of the second axis against the first: axis times angle. Returns the angle. */
static double find_tilt(const joint_motion *m, double way[3])
{
    double sine, angle;

    scree_cross(m->z[0], m->z[1], way);
    sine = scree_length(way);
    angle = scree_joint_angle(sine, scree_dot(m->z[0], m->z[1]));
    for (int k = 0; k < 3; k++)
        way[k] = sine > 0 ? way[k] / sine * angle : 0;
    return angle;
}

static void hold_point(const scree_joint_record *joint, const joint_motion *m, bool is_free_along,
                       scree_joint_push *push)
{
    double way[3], rate[3];

    memcpy(way, m->d, sizeof way);
    memcpy(rate, m->rate, sizeof rate);
    if (is_free_along) {
        take_along(way, m->z[0]);
        take_along(rate, m->z[0]);
    }
    hold(joint->stiffness, joint->dashpot, way, rate, push->force, &push->found);
}

/* ---- limits and motors ---- */

/*  The effort of the limits, with a spring of this stiffness. */
static double limit(const scree_joint_record *joint, double stiffness, scree_joint_push *push)
{
    const double position = push->found.position;
    const double beyond = position > joint->upper   ? position - joint->upper
                          : position < joint->lower ? position - joint->lower
                                                    : 0;

    push->found.stored += 0.5 * stiffness * beyond * beyond;
    return -stiffness * beyond;
}

static double motor_effort(const scree_joint_motor *motor, double position, double speed)
{
    double effort = motor->mode == SCREE_MOTOR_SPEED
                        ? motor->damping * (motor->target - speed)
                        : motor->stiffness * (motor->target - position) - motor->damping * speed;

    if (motor->mode == SCREE_MOTOR_OFF)
        return 0;
    return fmax(-motor->max_effort, fmin(motor->max_effort, effort));
}

/*  Effort along or about the axis of a hinge or slider. */
static void drive(const scree_joint_record *joint, double stiffness, scree_joint_push *push)
{
    const double effort = motor_effort(&joint->motor, push->found.position, push->speed);

    push->found.motor += effort * push->speed;
    push->effort = effort + limit(joint, stiffness, push);
}

/* ---- kinds ---- */

/*  The twist of the first end that is nearest to the last one, so that turns are counted. */
static double follow_twist(const joint_motion *m, double last)
{
    double q[4], angle;

    find_rotation(m, q);
    angle = -2 * scree_joint_angle(q[3], q[0]);
    return angle + 2 * PI * floor((last - angle) / (2 * PI) + 0.5);
}

static void find_hinge(const scree_joint_record *joint, const joint_motion *m,
                       scree_joint_push *push)
{
    const double together = fmax(1 + scree_dot(m->z[0], m->z[1]), 1e-6);
    double about[3], tilt[3], rate[3];

    hold_point(joint, m, false, push);
    find_tilt(m, tilt);
    memcpy(rate, m->spin, sizeof rate);
    take_along(rate, m->z[0]);
    hold(joint->turn_stiffness, joint->turn_dashpot, tilt, rate, push->torque, &push->found);
    for (int k = 0; k < 3; k++)
        about[k] = -(m->z[0][k] + m->z[1][k]) / together;
    push->found.position = follow_twist(m, joint->position);
    push->speed = scree_dot(about, m->spin);
    drive(joint, joint->turn_stiffness, push);
    add(push->torque, push->effort, about);
}

static void find_slider(const scree_joint_record *joint, const joint_motion *m,
                        scree_joint_push *push)
{
    const double back[3] = {-m->z[0][0], -m->z[0][1], -m->z[0][2]};
    double turn[3];

    hold_point(joint, m, true, push);
    find_turn(m, turn);
    hold(joint->turn_stiffness, joint->turn_dashpot, turn, m->spin, push->torque, &push->found);
    push->found.position = scree_dot(m->d, back);
    push->speed = scree_dot(m->rate, back);
    drive(joint, joint->stiffness, push);
    add(push->force, push->effort, back);
}

static void find_ball(const scree_joint_record *joint, const joint_motion *m,
                      scree_joint_push *push)
{
    double tilt[3], angle;

    hold_point(joint, m, false, push);
    angle = push->found.position = find_tilt(m, tilt);
    push->speed = angle > 0 ? scree_dot(tilt, m->spin) / angle : 0;
    push->effort = limit(joint, joint->turn_stiffness, push);
    if (angle > 0)
        add(push->torque, push->effort / angle, tilt);
}

static void find_weld(const scree_joint_record *joint, const joint_motion *m,
                      scree_joint_push *push)
{
    double turn[3];

    hold_point(joint, m, false, push);
    find_turn(m, turn);
    hold(joint->turn_stiffness, joint->turn_dashpot, turn, m->spin, push->torque, &push->found);
}

/*  A spring of length 0 has no direction, and no force. */
static void find_spring(const scree_joint_record *joint, const joint_motion *m,
                        scree_joint_push *push)
{
    const double length = scree_length(m->d), more = length - joint->rest_length;
    double n[3];

    push->found.position = length;
    if (!(length > 0))
        return;
    for (int k = 0; k < 3; k++)
        n[k] = m->d[k] / length;
    push->speed = scree_dot(m->rate, n);
    push->effort = limit(joint, joint->stiffness, push);
    add(push->force, push->effort - joint->stiffness * more - joint->dashpot * push->speed, n);
    push->found.stored += 0.5 * joint->stiffness * more * more;
    push->found.loss += joint->dashpot * push->speed * push->speed;
}

/* ---- all ---- */

/*  What bodies do not do to each other: power of a wall, or of the difference between an image and its body. */
static double power_given(const scree_joint_push *push, const joint_motion *m)
{
    double power = -scree_dot(push->force, m->image);

    if (push->slot[1] == UINT32_MAX)
        power -= scree_dot(push->force, m->speed) + scree_dot(push->torque, m->turns);
    return power;
}

static void note_resistance(const scree_joint_record *joint, scree_joint_push *push)
{
    const bool is_along = joint->kind == SCREE_JOINT_SLIDER;
    const bool is_on = joint->motor.mode != SCREE_MOTOR_OFF;
    const double spring = joint->motor.mode == SCREE_MOTOR_POSITION ? joint->motor.stiffness : 0;
    const double dashpot = is_on ? joint->motor.damping : 0;
    scree_joint_found *found = &push->found;

    found->stiffness = joint->stiffness + (is_along ? spring : 0);
    found->dashpot = joint->dashpot + (is_along ? dashpot : 0);
    found->turn_stiffness = joint->turn_stiffness + (is_along ? 0 : spring);
    found->turn_dashpot = joint->turn_dashpot + (is_along ? 0 : dashpot);
    for (int k = 0; k < 2; k++)
        found->arm_sq[k] = scree_dot(push->arm[k], push->arm[k]);
}

void scree_joint_find(const scree_joint_scene *scene, const scree_joint_record *joint,
                      scree_joint_push *push)
{
    static void (*const find[])(const scree_joint_record *, const joint_motion *,
                                scree_joint_push *) = {[SCREE_JOINT_HINGE] = find_hinge,
                                                       [SCREE_JOINT_SLIDER] = find_slider,
                                                       [SCREE_JOINT_BALL] = find_ball,
                                                       [SCREE_JOINT_WELD] = find_weld,
                                                       [SCREE_JOINT_SPRING] = find_spring};
    joint_motion m = {0};

    memset(push, 0, sizeof *push);
    push->slot[0] = (uint32_t)scree_bodies_slot(scene->bodies, joint->first);
    push->slot[1] = joint->second.index1 ? (uint32_t)scree_bodies_slot(scene->bodies, joint->second)
                                         : UINT32_MAX;
    find_motion(scene, joint, push, &m);
    find[joint->kind](joint, &m, push);
    if (scene->dimensions == 2)
        push->force[2] = push->torque[0] = push->torque[1] = 0;
    push->found.given = power_given(push, &m);
    push->found.breaks = scree_length(push->force) > joint->strength ||
                         scree_length(push->torque) > joint->turn_strength;
    note_resistance(joint, push);
}
