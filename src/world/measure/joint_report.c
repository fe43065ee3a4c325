/*  Reads joints. */
#include "base/error.h"
#include "world/forces/joint_force.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <string.h>

static void report(const scree_world *world, const scree_joint_record *joint, scree_joint *report)
{
    const scree_joint_scene scene = scree_world_joint_scene(world, true);
    scree_joint_push push;

    *report = (scree_joint){.id = joint->id,
                            .kind = joint->kind,
                            .first = joint->first,
                            .second = joint->second,
                            .wall = joint->wall,
                            .user = joint->user,
                            .is_broken = joint->is_broken,
                            .lost = joint->lost,
                            .motor_work = joint->motor_work,
                            .stiffness = joint->stiffness,
                            .turn_stiffness = joint->turn_stiffness,
                            .motor = joint->motor};
    if (joint->is_broken)
        return;
    scree_joint_find(&scene, joint, &push);
    for (int k = 0; k < 3; k++) {
        report->point[k] = world->bodies.position[push.slot[0]][k] + push.point[k];
        report->force[k] = -push.force[k];
        report->torque[k] = -push.torque[k];
    }
    memcpy(report->axis, push.axis, sizeof report->axis);
    report->position = push.found.position;
    report->speed = push.speed;
    report->effort = push.effort;
    report->elastic = push.found.stored;
}

scree_status scree_world_joints(scree_world *world, const scree_joint **list, size_t *count)
{
    scree_joints *joints;

    if (!world || !list || !count)
        return SCREE_BAD_ARGUMENT;
    joints = &world->joints;
    if (scree_memory_reserve(&world->memory, &joints->listed, &joints->listed_capacity,
                             joints->count, sizeof *joints->listed))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: joints: out of memory");
    for (size_t k = 0; k < joints->count; k++)
        report(world, &joints->joint[k], &joints->listed[k]);
    *list = joints->listed;
    *count = joints->count;
    return SCREE_OK;
}

scree_status scree_world_get_joint(scree_world *world, scree_joint_id id, scree_joint *joint)
{
    const size_t place = world ? scree_joints_place(&world->joints, id) : SIZE_MAX;

    if (!world || !joint)
        return SCREE_BAD_ARGUMENT;
    if (place == SIZE_MAX)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: the id names no joint (index1 %u)", id.index1);
    report(world, &world->joints.joint[place], joint);
    return SCREE_OK;
}

scree_joint_counts scree_world_joint_counts(const scree_world *world)
{
    scree_joint_counts counts = {0};

    if (!world)
        return counts;
    for (size_t k = 0; k < world->joints.count; k++)
        counts.intact += !world->joints.joint[k].is_broken;
    counts.made = world->joints.course.made;
    counts.broken = world->joints.course.broken;
    counts.lost = world->joints.course.lost;
    return counts;
}
