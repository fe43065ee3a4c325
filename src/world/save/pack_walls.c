/*  Conversion of what walls have to and from the form in snapshots. */
#include "world/save/pack_walls.h"

#include "base/vector.h"
#include "world/api/set_free_wall.h"
#include "world/api/set_wall_servo.h"
#include "world/save/snapshot.h"

#include <math.h>
#include <string.h>

/*  Members that are doubles, or arrays of doubles, with the same name in a definition and in a snapshot. Each list is
    used to pack and to unpack. */
#define PATH_NUMBERS(X) X(velocity) X(centre) X(axis) X(rate) X(swing) X(frequency) X(phase)
#define PART_NUMBERS(X)                                                                            \
    X(vector) X(centre) X(rate) X(angle) X(frequency) X(phase) X(period) X(start) X(stop) X(ramp)
#define SERVO_NUMBERS(X) X(axis) X(stress) X(area) X(max_speed) X(gain) X(start) X(stop)
#define DRIVE_NUMBERS(X) X(shift) X(speed) X(target) X(force)
#define FREE_WALL_NUMBERS(X)                                                                       \
    X(mass) X(inertia) X(centre) X(frame) X(force) X(torque) X(damping) X(angular_damping)

/*  Both are named by pointers `from` and `to`. */
#define X_COPY(name)                                                                               \
    _Static_assert(sizeof to->name == sizeof from->name, "the same numbers");                      \
    memcpy(&to->name, &from->name, sizeof to->name);

/*  Fails to compile if a list lacks a member. The other members are written by hand. */
#define X_PATH(name) +sizeof((scree_packed_path *)NULL)->name
#define X_PART(name) +sizeof((scree_packed_path_part *)NULL)->name
#define X_SERVO(name) +sizeof((scree_packed_servo *)NULL)->name
#define X_FREE_WALL(name) +sizeof((scree_packed_free_wall *)NULL)->name
_Static_assert(0 PATH_NUMBERS(X_PATH) + 2 * 8 == sizeof(scree_packed_path), "count, function");
_Static_assert(0 PART_NUMBERS(X_PART) + 4 * 8 == sizeof(scree_packed_path_part),
               "wall, kind, smooth, count");
_Static_assert(0 SERVO_NUMBERS(X_SERVO) DRIVE_NUMBERS(X_SERVO) + 3 * 8 + sizeof(scree_wall_id[4]) ==
                   sizeof(scree_packed_servo),
               "is_on, contacts, wanted, between");
_Static_assert(0 FREE_WALL_NUMBERS(X_FREE_WALL) + 2 * 8 + sizeof(scree_free_wall_motion) ==
                   sizeof(scree_packed_free_wall),
               "is_on, held, motion");

void scree_path_pack(const scree_wall_path *from, scree_packed_path *to)
{
    PATH_NUMBERS(X_COPY)
    to->table_count = from->table_count;
    to->has_function = from->function != NULL;
}

void scree_path_unpack(const scree_packed_path *from, const double (*table)[4], scree_wall_path *to)
{
    memset(to, 0, sizeof *to);
    PATH_NUMBERS(X_COPY)
    to->table = from->table_count ? table : NULL;
    to->table_count = (size_t)from->table_count;
}

void scree_path_part_pack(const scree_path_part *from, size_t wall, scree_packed_path_part *to)
{
    to->wall = wall;
    to->kind = (uint64_t)from->kind;
    to->smooth = from->smooth;
    to->table_count = from->table_count;
    PART_NUMBERS(X_COPY)
}

void scree_path_part_unpack(const scree_packed_path_part *from, const double (*table)[8],
                            scree_path_part *to)
{
    const uint64_t last = SCREE_PATH_ROCK;

    memset(to, 0, sizeof *to);
    to->kind = from->kind <= last ? (scree_path_kind)from->kind : SCREE_PATH_NONE;
    to->smooth = from->smooth != 0;
    to->table = from->table_count ? table : NULL;
    to->table_count = (size_t)from->table_count;
    PART_NUMBERS(X_COPY)
}

static void pack_drive(const scree_wall_drive *from, scree_packed_servo *to)
{
    DRIVE_NUMBERS(X_COPY)
    to->contacts = from->contacts;
}

static void unpack_drive(const scree_packed_servo *from, scree_wall_drive *to)
{
    memset(to, 0, sizeof *to);
    DRIVE_NUMBERS(X_COPY)
    to->contacts = from->contacts;
}

void scree_servo_pack(const scree_wall_record *wall, scree_packed_servo *to)
{
    const scree_wall_servo_def *from = &wall->servo;

    to->is_on = wall->has_servo;
    pack_drive(&wall->drive, to);
    SERVO_NUMBERS(X_COPY)
    to->wanted = from->force;
    memcpy(to->between, from->between, sizeof to->between);
}

void scree_servo_unpack(const scree_packed_servo *from, scree_wall_record *wall)
{
    scree_wall_servo_def *to = &wall->servo;

    wall->has_servo = from->is_on != 0;
    *to = scree_default_wall_servo_def();
    SERVO_NUMBERS(X_COPY)
    to->force = from->wanted;
    memcpy(to->between, from->between, sizeof to->between);
    unpack_drive(from, &wall->drive);
    memcpy(wall->next_shift, from->shift, sizeof from->shift);
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

void scree_free_wall_pack(const scree_wall_record *wall, scree_packed_free_wall *to)
{
    const scree_free_wall_def *from = &wall->free_wall;

    to->is_on = wall->is_free;
    FREE_WALL_NUMBERS(X_COPY)
    to->held = from->held;
    to->motion = wall->motion;
}

void scree_free_wall_unpack(const scree_packed_free_wall *from, scree_wall_record *wall)
{
    scree_free_wall_def *to = &wall->free_wall;

    wall->is_free = from->is_on != 0;
    *to = scree_default_free_wall_def();
    FREE_WALL_NUMBERS(X_COPY)
    to->held = (uint32_t)from->held;
    wall->motion = wall->next_motion = from->motion;
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

void scree_wall_heat_pack(const scree_wall_heat *heat, scree_packed_wall_heat *packed)
{
    *packed = (scree_packed_wall_heat){heat->is_given, heat->temperature, heat->flow, heat->given};
}

void scree_wall_heat_unpack(const scree_packed_wall_heat *packed, scree_wall_heat *heat)
{
    *heat =
        (scree_wall_heat){packed->is_given != 0, packed->temperature, packed->flow, packed->given};
}
