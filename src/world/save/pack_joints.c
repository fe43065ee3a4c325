/*  Conversion of joints to and from the form in snapshots. */
#include "world/save/pack_joints.h"

#include "base/check_numbers.h"
#include "base/error.h"
#include "base/hash.h"
#include "world/api/joint_def.h"
#include "world/save/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(scree_joint_course) == 56, "words alone");

/* ---- a joint ---- */

/*  All but the rows of its ends. */
static scree_packed_joint pack(const scree_joint_record *joint)
{
    scree_packed_joint packed = {.number = joint->id.index1,
                                 .kind = (uint64_t)joint->kind,
                                 .motor_mode = (uint64_t)joint->motor.mode,
                                 .collide = joint->collide,
                                 .is_broken = joint->is_broken,
                                 .user = joint->user,
                                 .stiffness = joint->stiffness,
                                 .dashpot = joint->dashpot,
                                 .turn_stiffness = joint->turn_stiffness,
                                 .turn_dashpot = joint->turn_dashpot,
                                 .rest_length = joint->rest_length,
                                 .lower = joint->lower,
                                 .upper = joint->upper,
                                 .strength = joint->strength,
                                 .turn_strength = joint->turn_strength,
                                 .target = joint->motor.target,
                                 .max_effort = joint->motor.max_effort,
                                 .motor_stiffness = joint->motor.stiffness,
                                 .motor_damping = joint->motor.damping,
                                 .position = joint->position,
                                 .stored = joint->stored,
                                 .lost = joint->lost,
                                 .motor_work = joint->motor_work,
                                 .given = joint->given};

    for (int k = 0; k < 2; k++) {
        memcpy(packed.point[k], joint->end[k].point, sizeof packed.point[k]);
        memcpy(packed.frame[k], joint->end[k].frame, sizeof packed.frame[k]);
    }
    return packed;
}

static scree_joint_record unpack(const scree_packed_joint *packed)
{
    scree_joint_record joint = {.id = {(uint32_t)packed->number, 1},
                                .kind = (scree_joint_kind)packed->kind,
                                .motor = {.mode = (scree_motor_mode)packed->motor_mode,
                                          .target = packed->target,
                                          .max_effort = packed->max_effort,
                                          .stiffness = packed->motor_stiffness,
                                          .damping = packed->motor_damping},
                                .collide = packed->collide != 0,
                                .is_broken = packed->is_broken != 0,
                                .user = packed->user,
                                .stiffness = packed->stiffness,
                                .dashpot = packed->dashpot,
                                .turn_stiffness = packed->turn_stiffness,
                                .turn_dashpot = packed->turn_dashpot,
                                .rest_length = packed->rest_length,
                                .lower = packed->lower,
                                .upper = packed->upper,
                                .strength = packed->strength,
                                .turn_strength = packed->turn_strength,
                                .position = packed->position,
                                .stored = packed->stored,
                                .lost = packed->lost,
                                .motor_work = packed->motor_work,
                                .given = packed->given};

    for (int k = 0; k < 2; k++) {
        memcpy(joint.end[k].point, packed->point[k], sizeof packed->point[k]);
        memcpy(joint.end[k].frame, packed->frame[k], sizeof packed->frame[k]);
    }
    return joint;
}

/* ---- all ---- */

/*  The row of a wall from 1; 0: none. */
static uint64_t row_of_wall(const scree_walls *walls, const scree_joint_record *joint)
{
    return joint->wall.index1 ? scree_walls_place(walls, joint->wall) + 1 : 0;
}

void scree_joints_write(const scree_world *world, const struct scree_snapshot *snapshot)
{
    const scree_joints *joints = &world->joints;
    scree_packed_joint *packed = scree_snapshot_rows(snapshot, "joint");
    uint64_t count;

    if (joints->course.made == 0)
        return;
    *(scree_joint_course *)scree_snapshot_find(snapshot, "joints", &count) = joints->course;
    scree_snapshot_find(snapshot, "joint", &count);
    for (size_t k = 0; k < count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        packed[k] = pack(joint);
        packed[k].first = world->order.key[scree_bodies_slot(&world->bodies, joint->first)] + 1;
        if (joint->second.index1)
            packed[k].second =
                world->order.key[scree_bodies_slot(&world->bodies, joint->second)] + 1;
        packed[k].wall = row_of_wall(&world->walls, joint);
    }
}

static bool ends_are_there(const scree_snapshot_head *head, const scree_packed_joint *packed)
{
    return packed->first >= 1 && packed->first <= head->bodies && packed->second <= head->bodies &&
           packed->second != packed->first && packed->wall <= head->walls &&
           (packed->second == 0 || packed->wall == 0);
}

scree_status scree_joints_check(const scree_world *world, const struct scree_snapshot *snapshot,
                                scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_joint_course *course = scree_snapshot_rows(snapshot, "joints");
    scree_world_def def = world->def;
    uint64_t count, last = 0;
    const scree_packed_joint *packed = scree_snapshot_find(snapshot, "joint", &count);

    if (!course)
        return SCREE_OK;
    scree_snapshot_apply_physics(snapshot, &def);
    if (count && (scree_integrator_is_implicit(def.step.integrator) || def.step.local_steps ||
                  scree_snapshot_tail_of(head).has_sleep))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it has joints, and sleep or steps that exclude them");
    for (uint64_t k = 0; k < count; k++) {
        if (packed[k].number <= last || packed[k].number > course->made ||
            packed[k].number > UINT32_MAX)
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "snapshot: joints do not ascend (row %" PRIu64 ")", k);
        if (packed[k].kind > SCREE_JOINT_SPRING || packed[k].motor_mode > SCREE_MOTOR_POSITION ||
            !ends_are_there(head, &packed[k]))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "snapshot: a joint names bodies or walls that do not exist, or is "
                              "of a kind that is not known (row %" PRIu64 ")",
                              k);
        last = packed[k].number;
    }
    return SCREE_OK;
}

scree_status scree_joints_read(const scree_body_arrays *bodies, const scree_walls *walls,
                               const struct scree_snapshot *snapshot, scree_joints *joints)
{
    const scree_joint_course *course = scree_snapshot_rows(snapshot, "joints");
    uint64_t count;
    const scree_packed_joint *packed = scree_snapshot_find(snapshot, "joint", &count);

    joints->sets_are_stale = true;
    if (!course)
        return SCREE_OK;
    if (scree_memory_reserve(bodies->memory, &joints->joint, &joints->capacity, (size_t)count,
                             sizeof *joints->joint))
        return SCREE_OUT_OF_MEMORY;
    joints->course = *course;
    joints->count = (size_t)count;
    for (size_t k = 0; k < joints->count; k++) {
        scree_joint_record *joint = &joints->joint[k];
        *joint = unpack(&packed[k]);
        joint->first = bodies->id[packed[k].first - 1][0];
        joint->first_serial = bodies->serial[packed[k].first - 1][0];
        if (packed[k].second) {
            joint->second = bodies->id[packed[k].second - 1][0];
            joint->second_serial = bodies->serial[packed[k].second - 1][0];
        }
        if (packed[k].wall)
            joint->wall = walls->wall[packed[k].wall - 1].id;
    }
    return SCREE_OK;
}

/* ---- checks ---- */

static bool is_unit(const double q[4])
{
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6;
}

static bool are_positive(const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (!(numbers[k] >= 0 && scree_is_usable(numbers[k])))
            return false;
    return true;
}

bool scree_packed_joint_is_sound(const scree_packed_joint *packed, int dimensions)
{
    const scree_joint_motor motor = {
        .mode = (scree_motor_mode)packed->motor_mode,
        .target = packed->target,
        .max_effort = packed->max_effort,
        .stiffness = packed->motor_stiffness,
        .damping = packed->motor_damping,
    };

    return scree_are_usable(packed->point[0], 6) && is_unit(packed->frame[0]) &&
           is_unit(packed->frame[1]) && are_positive(&packed->stiffness, 4) &&
           are_positive(&packed->rest_length, 1) && packed->lower <= packed->upper &&
           packed->strength > 0 && packed->turn_strength > 0 && packed->collide <= 1 &&
           packed->is_broken <= 1 && scree_are_usable(&packed->position, 5) &&
           !(dimensions == 2 && packed->kind == SCREE_JOINT_BALL) &&
           !scree_joint_motor_check((scree_joint_kind)packed->kind, &motor, NULL);
}

bool scree_joint_course_is_sound(const scree_joint_course *course)
{
    return course->made > 0 && course->made <= UINT32_MAX && course->broken <= course->made &&
           course->lost <= course->made && scree_are_usable(&course->damping, 4);
}

/* ---- digest ---- */

/*  Global ids instead of rows. */
uint64_t scree_joints_hash(uint64_t hash, const scree_world *world)
{
    const scree_joints *joints = &world->joints;

    if (joints->course.made == 0)
        return hash;
    hash = scree_hash_words(hash, &joints->course, sizeof joints->course);
    for (size_t k = 0; k < joints->count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        scree_packed_joint packed = pack(joint);
        packed.first = joint->first_serial;
        packed.second = joint->second_serial;
        packed.wall = row_of_wall(&world->walls, joint);
        hash = scree_hash_words(hash, &packed, sizeof packed);
    }
    return hash;
}
