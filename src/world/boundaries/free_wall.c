/*  A free wall is a rigid body. It is integrated like bodies (integrate.c, c = 1): at the end of a step, with the
    contact forces there,

        v' = v + (F + m g + load - D v') dt / m,    (I + E dt) w' = I w + (M + load) dt

    and the next step uses these velocities; it rotates like a free body (rotation.c). Loads and damping cannot make it
    unstable; contacts can, as for bodies.

    Sums over contacts are exact, so their order makes no difference. */
#include "world/boundaries/free_wall.h"

#include "base/exact_sum.h"
#include "base/vector.h"
#include "world/contacts/stiffness_row.h"
#include "world/state/rotation.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

bool scree_has_free_walls(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].is_free)
            return true;
    return false;
}

/* ---- body arrays with one row, for rotation.c ---- */

typedef struct free_wall_row
{
    scree_body_arrays arrays;
    double inertia[1][4], spin[1][4], spin_before[1][4], orientation[1][4],
        orientation_before[1][4];
    uint32_t flags[1][1];
} free_wall_row;

static void set_row(const scree_wall_record *wall, const scree_free_wall_motion *motion,
                    free_wall_row *row)
{
    memset(row, 0, sizeof *row);
    for (int k = 0; k < 3; k++) {
        row->inertia[0][k] = wall->free_wall.inertia[k];
        row->spin[0][k] = row->spin_before[0][k] = motion->spin[k];
    }
    memcpy(row->orientation[0], motion->orientation, sizeof motion->orientation);
    memcpy(row->orientation_before[0], motion->orientation, sizeof motion->orientation);
    row->flags[0][0] = wall->free_wall.held;
    row->arrays.inertia = row->inertia;
    row->arrays.spin = row->spin;
    row->arrays.spin_before = row->spin_before;
    row->arrays.orientation = row->orientation;
    row->arrays.orientation_before = row->orientation_before;
    row->arrays.flags = row->flags;
}

/* ---- pose ---- */

/*  The pose of the surface, from the state of the centre of mass. */
static void find_pose_of_motion(const scree_wall_record *wall, const scree_free_wall_motion *motion,
                                scree_wall_pose *pose)
{
    const double *frame = wall->free_wall.frame, *start = wall->def.orientation;
    const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
    double arm[3];

    scree_quaternion_multiply(motion->orientation, back, pose->orientation);
    scree_quaternion_turn(pose->orientation, wall->free_wall.centre, arm);
    for (int k = 0; k < 3; k++)
        pose->position[k] = motion->place[k] - arm[k];
    scree_wall_velocity_at(motion->place, motion->velocity, motion->spin, pose->position,
                           pose->velocity);
    memcpy(pose->spin, motion->spin, sizeof pose->spin);
    scree_quaternion_turn_back(start, wall->def.normal, pose->normal);
    scree_quaternion_turn(pose->orientation, pose->normal, pose->normal);
}

static bool is_usable(const scree_free_wall_motion *motion)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(motion->place[k]) <= SCREE_MAX_COORDINATE &&
              fabs(motion->velocity[k]) <= SCREE_MAX_COORDINATE &&
              fabs(motion->spin[k]) <= SCREE_MAX_COORDINATE))
            return false;
    return true;
}

scree_status scree_free_wall_move(scree_wall_record *wall, double dt, scree_error *error)
{
    static const double no_torque[3] = {0, 0, 0};
    scree_free_wall_motion *next = &wall->next_motion;
    free_wall_row row;

    *next = wall->motion;
    for (int k = 0; k < 3; k++)
        next->place[k] += next->velocity[k] * dt;
    set_row(wall, &wall->motion, &row);
    scree_turn_drift(&row.arrays, 0, no_torque, dt, 0);
    memcpy(next->spin, row.spin[0], sizeof next->spin);
    memcpy(next->orientation, row.orientation[0], sizeof next->orientation);
    if (!is_usable(next))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall %u, which is free: its place, velocity or spin is not finite any "
                          "more, or beyond 1e100 (velocity %g %g %g, spin %g %g %g)",
                          wall->id.index1, next->velocity[0], next->velocity[1], next->velocity[2],
                          next->spin[0], next->spin[1], next->spin[2]);
    find_pose_of_motion(wall, next, &wall->next);
    return SCREE_OK;
}

/* ---- contact forces ---- */

typedef struct push_sums
{
    scree_exact_sum force[3], torque[3];
} push_sums;

/*  The reaction of a body on the wall, at the contact point. */
static void add_push(push_sums *sums, const double place[3], const double point[3],
                     const double on_body[3], const double moment[3])
{
    double arm[3], turn[3];

    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - place[k];
    scree_cross(arm, on_body, turn);
    for (int k = 0; k < 3; k++) {
        scree_exact_add(&sums->force[k], -on_body[k]);
        scree_exact_add(&sums->torque[k], -turn[k] - moment[k]);
    }
}

static void sum_pushes(const scree_found_contacts *contacts, size_t w, double force[3],
                       double torque[3])
{
    scree_contact_walk walk = scree_all_contacts_but_pairs(contacts);
    const double *place = contacts->walls->wall[w].next_motion.place;
    push_sums sums;

    for (int k = 0; k < 3; k++) {
        scree_exact_clear(&sums.force[k]);
        scree_exact_clear(&sums.torque[k]);
    }
    for (scree_found_contact c; scree_next_contact(&walk, &c);)
        if (c.wall == w)
            add_push(&sums, place, scree_point_of(contacts, &c), scree_force_of(contacts, &c),
                     scree_moment_of(contacts, &c));
    for (int k = 0; k < 3; k++) {
        force[k] = scree_exact_value(&sums.force[k]);
        torque[k] = scree_exact_value(&sums.torque[k]);
    }
}

static void push(const scree_step *step, scree_wall_record *wall, const double force[3],
                 const double torque[3])
{
    const double dt = step->dt;
    const scree_free_wall_def *free_wall = &wall->free_wall;
    scree_free_wall_motion *motion = &wall->next_motion;
    double due[3];
    free_wall_row row;

    for (int k = 0; k < 3; k++) {
        double gain = (force[k] + free_wall->force[k]) / free_wall->mass + step->def->gravity[k];
        if (!(free_wall->held >> k & 1))
            motion->velocity[k] =
                (motion->velocity[k] + gain * dt) / (1 + free_wall->damping * dt / free_wall->mass);
        due[k] = torque[k] + free_wall->torque[k] - free_wall->angular_damping * motion->spin[k];
    }
    set_row(wall, motion, &row);
    for (int k = 0; k < 3; k++)
        row.inertia[0][k] += free_wall->angular_damping * dt;
    scree_turn_finish(&row.arrays, 0, due, dt);
    memcpy(motion->spin, row.spin[0], sizeof motion->spin);
    find_pose_of_motion(wall, motion, &wall->next);
}

void scree_free_wall_push(const scree_step *step, const scree_found_contacts *contacts,
                          scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++) {
        double force[3], torque[3];
        if (!walls->wall[w].is_free)
            continue;
        sum_pushes(contacts, w, force, torque);
        push(step, &walls->wall[w], force, torque);
    }
}

/* ---- stable step ---- */

static double largest_of(const double v[3])
{
    return fmax(v[0], fmax(v[1], v[2]));
}

#define HELD_IN_PLACE (SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z)

/*  Springs and dashpots, along and about axes: exact sums, since contacts are in the order of bodies in memory. */
typedef struct resistance
{
    scree_exact_sum along[2], about[2];
} resistance;

/*  The rotational stiffness of a contact is at most its largest translational stiffness times the square of the
    lever arm. */
static void add_resistance(const scree_wall_record *wall, const double point[3],
                           const scree_stiffness_row row, resistance *sum)
{
    double arm_sq = scree_apart_sq(point, wall->next_motion.place);

    for (int part = 0; part < 2; part++) {
        double most = largest_of(row + (part ? SCREE_ROW_DASHPOTS : 0));
        scree_exact_add(&sum->along[part], most);
        scree_exact_add(&sum->about[part], most * arm_sq);
    }
}

static double rate_of(const scree_wall_record *wall, const double along[2], const double about[2])
{
    const scree_free_wall_def *free_wall = &wall->free_wall;
    double least = fmin(free_wall->inertia[0], fmin(free_wall->inertia[1], free_wall->inertia[2]));
    double rate = (free_wall->held & HELD_IN_PLACE) == HELD_IN_PLACE
                      ? 0
                      : scree_stable_rate(along[0], 0, along[1], 1 / free_wall->mass);

    if (free_wall->held / SCREE_FREEZE_SPIN_X == 7)
        return rate;
    /* if the wall can rotate only about z, only that moment of inertia matters */
    least = least > 0 ? least : free_wall->inertia[2];
    return fmax(rate, scree_stable_rate(about[0], 0, about[1], 1 / least));
}

static double rate_of_wall(const scree_found_contacts *contacts, size_t w)
{
    const scree_wall_record *wall = &contacts->walls->wall[w];
    scree_contact_walk walk = scree_all_contacts_but_pairs(contacts);
    resistance sum;
    double along[2], about[2];

    for (int part = 0; part < 2; part++) {
        scree_exact_clear(&sum.along[part]);
        scree_exact_clear(&sum.about[part]);
    }
    for (scree_found_contact c; scree_next_contact(&walk, &c);)
        if (c.wall == w)
            add_resistance(wall, scree_point_of(contacts, &c), scree_stiffness_of(contacts, &c),
                           &sum);
    for (int part = 0; part < 2; part++) {
        along[part] = scree_exact_value(&sum.along[part]);
        about[part] = scree_exact_value(&sum.about[part]);
    }
    return rate_of(wall, along, about);
}

double scree_free_wall_stable(const scree_found_contacts *contacts, size_t *wall)
{
    const scree_walls *walls = contacts->walls;
    double fastest = 0;

    for (size_t w = 0; w < walls->count; w++) {
        double rate = walls->wall[w].is_free ? rate_of_wall(contacts, w) : 0;
        if (rate > fastest) {
            fastest = rate;
            *wall = w;
        }
    }
    return fastest > 0 ? 1 / fastest : INFINITY;
}
