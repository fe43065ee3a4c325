/*  Conversion of joints to and from the form in snapshots. */
#ifndef SCREE_WORLD_PACK_JOINTS_H
#define SCREE_WORLD_PACK_JOINTS_H

#include "world/state/body_order.h"
#include "world/step/world_data.h"

/*  Words of eight bytes, no padding. */
typedef struct scree_packed_joint
{
    uint64_t number;              /* index1 of its handle */
    uint64_t first, second, wall; /* rows, from 1; 0: none */
    uint64_t kind, motor_mode, collide, is_broken, user;
    double point[2][3], frame[2][4];
    double stiffness, dashpot, turn_stiffness, turn_dashpot;
    double rest_length, lower, upper, strength, turn_strength;
    double target, max_effort, motor_stiffness, motor_damping;
    double position, stored, lost, motor_work, given;
} scree_packed_joint;

struct scree_snapshot;

/*  Writes the sections of joints. `order` has the row of each slot. */
void scree_joints_write(const scree_world *world, const struct scree_snapshot *snapshot);
/*  Checks whatever is used as an index. */
scree_status scree_joints_check(const scree_world *world, const struct scree_snapshot *snapshot,
                                scree_error *error);
/*  Reads joints into empty storage, with the bodies of the snapshot: slots are rows. SCREE_OUT_OF_MEMORY. */
scree_status scree_joints_read(const scree_body_arrays *bodies, const scree_walls *walls,
                               const struct scree_snapshot *snapshot, scree_joints *joints);
/*  Whether the values could be those of a joint. */
bool scree_packed_joint_is_sound(const scree_packed_joint *packed, int dimensions);
bool scree_joint_course_is_sound(const scree_joint_course *course);
/*  Nothing if no joints were made. */
uint64_t scree_joints_hash(uint64_t hash, const scree_world *world);

#endif
