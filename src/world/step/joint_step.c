/*  Joints in a step: breaking, energies, events and removal. */
#include "world/step/joint_step.h"

#include "base/exact_sum.h"
#include "world/forces/joint_force.h"
#include "world/step/events.h"
#include "world/step/room_data.h"

#include <string.h>

void scree_joints_changed(scree_world *world)
{
    world->joints.sets_are_stale = true;
    world->needs_search = true;
}

void scree_joints_find_change(const scree_joints *joints, scree_exact_sum sums[2])
{
    for (size_t k = 0; k < joints->count; k++) {
        double change = joints->joint[k].next.stored - joints->joint[k].stored;
        scree_exact_add(&sums[change > 0 ? 0 : 1], change);
    }
}

/* ---- the end of a step ---- */

static void list_break(scree_world *world, const scree_joint_record *joint)
{
    const uint32_t slot = (uint32_t)scree_bodies_slot(&world->bodies, joint->first);
    scree_event_record *record;

    if (!world->def.events)
        return;
    record = scree_events_push_late(&world->events, &world->memory, &world->bodies,
                                    SCREE_EVENT_JOINT_BROKE, slot);
    if (!record)
        return;
    record->event.second = joint->second;
    record->event.second_serial = joint->second_serial;
    record->event.wall = joint->wall;
    record->event.joint = joint->id;
    scree_joint_push push;
    const scree_joint_scene scene = scree_world_joint_scene(world, true);
    scree_joint_find(&scene, joint, &push);
    for (int k = 0; k < 3; k++)
        record->event.point[k] = world->bodies.position[slot][k] + push.point[k];
    memcpy(record->event.normal, push.axis, sizeof push.axis);
}

/*  What the springs of a broken joint had stored is lost. */
static void break_joint(scree_world *world, scree_joint_record *joint)
{
    list_break(world, joint);
    joint->is_broken = true;
    joint->lost += joint->stored;
    joint->stored = joint->position = 0;
    world->joints.course.broken++;
    scree_joints_changed(world);
}

void scree_joints_accept(scree_world *world, double dt)
{
    scree_joints *joints = &world->joints;

    for (size_t k = 0; k < joints->count; k++) {
        scree_joint_record *joint = &joints->joint[k];
        const scree_joint_found *found = &joint->next;
        if (joint->is_broken)
            continue;
        joint->position = found->position;
        joint->stored = found->stored;
        joint->lost += found->loss * dt;
        joint->motor_work += found->motor * dt;
        joint->given += found->given * dt;
        if (found->breaks)
            break_joint(world, joint);
    }
}

/* ---- joints that are lost ---- */

static void note_lost(scree_world *world, const scree_joint_record *joint)
{
    scree_joints *joints = &world->joints;

    if (!world->def.events)
        return;
    if (scree_memory_reserve(&world->memory, &joints->lost_now, &joints->lost_capacity,
                             joints->lost_count + 1, sizeof *joints->lost_now)) {
        joints->has_lost_more = true;
        return;
    }
    joints->lost_now[joints->lost_count++] =
        (scree_lost_joint){joint->id,   joint->first,        joint->second,
                           joint->wall, joint->first_serial, joint->second_serial};
}

static bool is_gone(const scree_world *world, const scree_joint_record *joint)
{
    return scree_bodies_slot(&world->bodies, joint->first) == SIZE_MAX ||
           (joint->second.index1 && scree_bodies_slot(&world->bodies, joint->second) == SIZE_MAX) ||
           (joint->wall.index1 && scree_walls_place(&world->walls, joint->wall) == SIZE_MAX);
}

void scree_joints_drop(scree_world *world)
{
    scree_joints *joints = &world->joints;
    size_t kept = 0;

    for (size_t k = 0; k < joints->count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        if (!is_gone(world, joint)) {
            joints->joint[kept++] = *joint;
            continue;
        }
        note_lost(world, joint);
        scree_joints_leave(joints, joint);
        if (world->def.energy_balance)
            world->clock.removed += joint->stored;
        joints->course.lost++;
    }
    if (kept == joints->count)
        return;
    joints->count = kept;
    scree_joints_changed(world);
    world->clock.unprimed = 1;
}

void scree_joints_list_lost(scree_world *world)
{
    scree_joints *joints = &world->joints;
    scree_event_log *log = &world->events;

    if (joints->lost_count && scree_events_reserve(log, &world->memory, joints->lost_count))
        joints->has_lost_more = true;
    else
        for (size_t k = 0; k < joints->lost_count; k++) {
            const scree_lost_joint *lost = &joints->lost_now[k];
            scree_event_record *record = &log->records[log->record_count++];
            memset(record, 0, sizeof *record);
            record->event = (scree_event){.kind = SCREE_EVENT_JOINT_LOST,
                                          .first = lost->first,
                                          .second = lost->second,
                                          .first_serial = lost->first_serial,
                                          .second_serial = lost->second_serial,
                                          .wall = lost->wall,
                                          .joint = lost->id};
        }
    log->is_incomplete |= joints->has_lost_more;
    joints->lost_count = 0;
    joints->has_lost_more = false;
}
