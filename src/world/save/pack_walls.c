/*  Conversion of servos and free walls to and from the form in snapshots. */
#include "world/save/pack_walls.h"

#include "base/vector.h"
#include "world/api/set_free_wall.h"
#include "world/api/set_wall_servo.h"
#include "world/save/snapshot.h"

#include <math.h>
#include <string.h>

void scree_path_part_pack(const scree_path_part *part, size_t wall, scree_packed_path_part *packed)
{
    *packed = (scree_packed_path_part){.wall = wall,
                                       .kind = (uint64_t)part->kind,
                                       .smooth = part->smooth,
                                       .table_count = part->table_count,
                                       .rate = part->rate,
                                       .angle = part->angle,
                                       .frequency = part->frequency,
                                       .phase = part->phase,
                                       .period = part->period,
                                       .start = part->start,
                                       .stop = part->stop,
                                       .ramp = part->ramp};
    memcpy(packed->vector, part->vector, sizeof packed->vector);
    memcpy(packed->centre, part->centre, sizeof packed->centre);
}

void scree_path_part_unpack(const scree_packed_path_part *packed, const double (*table)[8],
                            scree_path_part *part)
{
    const uint64_t last = SCREE_PATH_ROCK;

    *part = (scree_path_part){.kind = packed->kind <= last ? (scree_path_kind)packed->kind
                                                           : SCREE_PATH_NONE,
                              .smooth = packed->smooth != 0,
                              .table = packed->table_count ? table : NULL,
                              .table_count = (size_t)packed->table_count,
                              .rate = packed->rate,
                              .angle = packed->angle,
                              .frequency = packed->frequency,
                              .phase = packed->phase,
                              .period = packed->period,
                              .start = packed->start,
                              .stop = packed->stop,
                              .ramp = packed->ramp};
    memcpy(part->vector, packed->vector, sizeof part->vector);
    memcpy(part->centre, packed->centre, sizeof part->centre);
}

void scree_servo_pack(const scree_wall_record *wall, scree_packed_servo *packed)
{
    const scree_wall_servo_def *servo = &wall->servo;
    const scree_wall_drive *drive = &wall->drive;

    *packed = (scree_packed_servo){
        .is_on = wall->has_servo,
        .speed = drive->speed,
        .target = drive->target,
        .force = drive->force,
        .contacts = drive->contacts,
        .wanted = servo->force,
        .stress = servo->stress,
        .area = servo->area,
        .max_speed = servo->max_speed,
        .gain = servo->gain,
        .start = servo->start,
        .stop = servo->stop,
    };
    memcpy(packed->shift, drive->shift, sizeof packed->shift);
    memcpy(packed->axis, servo->axis, sizeof packed->axis);
    memcpy(packed->between, servo->between, sizeof packed->between);
}

void scree_servo_unpack(const scree_packed_servo *packed, scree_wall_record *wall)
{
    wall->has_servo = packed->is_on != 0;
    wall->servo = (scree_wall_servo_def){
        .cookie = scree_default_wall_servo_def().cookie,
        .force = packed->wanted,
        .stress = packed->stress,
        .area = packed->area,
        .max_speed = packed->max_speed,
        .gain = packed->gain,
        .start = packed->start,
        .stop = packed->stop,
    };
    memcpy(wall->servo.axis, packed->axis, sizeof packed->axis);
    memcpy(wall->servo.between, packed->between, sizeof packed->between);
    wall->drive = (scree_wall_drive){.speed = packed->speed,
                                     .target = packed->target,
                                     .force = packed->force,
                                     .contacts = packed->contacts};
    memcpy(wall->drive.shift, packed->shift, sizeof packed->shift);
    memcpy(wall->next_shift, packed->shift, sizeof packed->shift);
    wall->next_word = 0;
}

bool scree_servo_is_sound(const scree_packed_servo *packed)
{
    scree_wall_record wall;

    for (int k = 0; k < 3; k++)
        if (!(fabs(packed->shift[k]) <= SCREE_MAX_COORDINATE))
            return false;
    if (!packed->is_on)
        return packed->speed == 0;
    memset(&wall, 0, sizeof wall);
    scree_servo_unpack(packed, &wall);
    return fabs(scree_dot(packed->axis, packed->axis) - 1) < 1e-6 &&
           fabs(packed->speed) <= packed->max_speed && packed->target >= 0 &&
           fabs(packed->force) < INFINITY && !scree_servo_check_numbers(&wall.servo, NULL);
}

void scree_free_wall_pack(const scree_wall_record *wall, scree_packed_free_wall *packed)
{
    const scree_free_wall_def *free_wall = &wall->free_wall;

    *packed = (scree_packed_free_wall){.is_on = wall->is_free,
                                       .mass = free_wall->mass,
                                       .damping = free_wall->damping,
                                       .angular_damping = free_wall->angular_damping,
                                       .held = free_wall->held,
                                       .motion = wall->motion};
    memcpy(packed->inertia, free_wall->inertia, sizeof packed->inertia);
    memcpy(packed->centre, free_wall->centre, sizeof packed->centre);
    memcpy(packed->frame, free_wall->frame, sizeof packed->frame);
    memcpy(packed->force, free_wall->force, sizeof packed->force);
    memcpy(packed->torque, free_wall->torque, sizeof packed->torque);
}

void scree_free_wall_unpack(const scree_packed_free_wall *packed, scree_wall_record *wall)
{
    wall->is_free = packed->is_on != 0;
    wall->free_wall =
        (scree_free_wall_def){.cookie = packed->is_on ? scree_default_free_wall_def().cookie : 0,
                              .mass = packed->mass,
                              .damping = packed->damping,
                              .angular_damping = packed->angular_damping,
                              .held = (uint32_t)packed->held};
    memcpy(wall->free_wall.inertia, packed->inertia, sizeof packed->inertia);
    memcpy(wall->free_wall.centre, packed->centre, sizeof packed->centre);
    memcpy(wall->free_wall.frame, packed->frame, sizeof packed->frame);
    memcpy(wall->free_wall.force, packed->force, sizeof packed->force);
    memcpy(wall->free_wall.torque, packed->torque, sizeof packed->torque);
    wall->motion = wall->next_motion = packed->motion;
}

static bool is_turn(const double q[4])
{
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6;
}

static bool is_flat_motion(const scree_free_wall_motion *motion)
{
    return motion->place[2] == 0 && motion->velocity[2] == 0 && motion->spin[0] == 0 &&
           motion->spin[1] == 0 && motion->orientation[1] == 0 && motion->orientation[2] == 0;
}

bool scree_free_wall_is_sound(const scree_packed_free_wall *packed, int dimensions)
{
    static const scree_packed_free_wall none = {.is_on = 0};
    const double *q = packed->motion.orientation;
    scree_wall_record wall;

    if (!packed->is_on)
        return memcmp(packed, &none, sizeof none) == 0;
    if (packed->is_on != 1 || packed->held > SCREE_FREEZE)
        return false;
    memset(&wall, 0, sizeof wall);
    scree_free_wall_unpack(packed, &wall);
    for (int k = 0; k < 3; k++)
        if (!(fabs(packed->motion.place[k]) <= SCREE_MAX_COORDINATE &&
              fabs(packed->motion.velocity[k]) <= SCREE_MAX_COORDINATE &&
              fabs(packed->motion.spin[k]) <= SCREE_MAX_COORDINATE))
            return false;
    return is_turn(q) && is_turn(packed->frame) &&
           (dimensions == 3 || is_flat_motion(&packed->motion)) &&
           !scree_free_wall_check(&wall.free_wall, dimensions, NULL);
}
