/*  Storage of joints, and the pairs that they keep from touching. */
#include "world/state/joints.h"

#include "base/hash.h"

#include <string.h>

void scree_joints_free(scree_joints *joints, scree_memory *memory)
{
    scree_memory_give(memory, &joints->joint, joints->capacity, sizeof *joints->joint);
    scree_memory_give(memory, &joints->bodies.pair, joints->bodies.capacity,
                      sizeof *joints->bodies.pair);
    scree_memory_give(memory, &joints->walls.pair, joints->walls.capacity,
                      sizeof *joints->walls.pair);
    scree_memory_give(memory, &joints->resistance, joints->resistance_capacity,
                      sizeof *joints->resistance);
    scree_memory_give(memory, &joints->lost_now, joints->lost_capacity, sizeof *joints->lost_now);
    scree_memory_give(memory, &joints->listed, joints->listed_capacity, sizeof *joints->listed);
    memset(joints, 0, sizeof *joints);
}

/*  Handles ascend. */
size_t scree_joints_place(const scree_joints *joints, scree_joint_id id)
{
    size_t begin = 0, end = joints->count;

    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (joints->joint[middle].id.index1 < id.index1)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < joints->count && joints->joint[begin].id.index1 == id.index1 &&
                   id.generation == 1
               ? begin
               : SIZE_MAX;
}

void scree_joints_leave(scree_joints *joints, const scree_joint_record *joint)
{
    joints->course.damping += joint->lost;
    joints->course.motor_work += joint->motor_work;
    *(joint->second.index1 ? &joints->course.boundary : &joints->course.walls) += joint->given;
}

/* ---- pairs that do not touch ---- */

static size_t home_of(const scree_apart_set *set, uint64_t first, uint64_t second)
{
    return (size_t)scree_hash_word(scree_hash_word(SCREE_HASH_START, first), second) &
           (set->room - 1);
}

static void put(scree_apart_set *set, uint64_t first, uint64_t second)
{
    size_t at = home_of(set, first, second);

    while (set->pair[at].first && !(set->pair[at].first == first && set->pair[at].second == second))
        at = (at + 1) & (set->room - 1);
    set->pair[at] = (scree_apart_pair){first, second};
}

bool scree_apart_set_has(const scree_apart_set *set, uint64_t first, uint64_t second)
{
    size_t at = home_of(set, first, second);

    while (set->pair[at].first) {
        if (set->pair[at].first == first && set->pair[at].second == second)
            return true;
        at = (at + 1) & (set->room - 1);
    }
    return false;
}

static scree_status make_room(scree_apart_set *set, scree_memory *memory, size_t pairs)
{
    size_t room = 1;

    set->room = 0;
    if (pairs == 0)
        return SCREE_OK;
    while (room < 2 * pairs)
        room *= 2;
    if (scree_memory_reserve(memory, &set->pair, &set->capacity, room, sizeof *set->pair))
        return SCREE_OUT_OF_MEMORY;
    set->room = room;
    memset(set->pair, 0, room * sizeof *set->pair);
    return SCREE_OK;
}

static bool parts(const scree_joint_record *joint)
{
    return !joint->collide && !joint->is_broken;
}

scree_status scree_joints_find_apart(scree_joints *joints, scree_memory *memory)
{
    size_t bodies = 0, walls = 0;

    for (size_t k = 0; k < joints->count; k++) {
        bodies += parts(&joints->joint[k]) && joints->joint[k].second.index1;
        walls += parts(&joints->joint[k]) && joints->joint[k].wall.index1;
    }
    if (make_room(&joints->bodies, memory, bodies) || make_room(&joints->walls, memory, walls))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < joints->count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        const uint64_t a = joint->first_serial, b = joint->second_serial;
        if (parts(joint) && joint->second.index1)
            put(&joints->bodies, a < b ? a : b, a < b ? b : a);
        if (parts(joint) && joint->wall.index1)
            put(&joints->walls, a, joint->wall.index1);
    }
    joints->sets_are_stale = false;
    return SCREE_OK;
}
