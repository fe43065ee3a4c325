/*  Joints of a world (scree/joint.h): what they are made of, and their state. They are in the order of their handles,
    which are never used again, so neither order nor state depends on the order of bodies in memory. */
#ifndef SCREE_WORLD_JOINTS_H
#define SCREE_WORLD_JOINTS_H

#include "base/memory.h"
#include "scree/joint.h"
#include "world/state/bodies.h"

/*  An end of a joint in the frame of its body or wall, or in space: a point, and a frame whose z axis is the axis of the
    joint. */
typedef struct scree_joint_end
{
    double point[3], frame[4];
} scree_joint_end;

/*  What an evaluation finds. It counts once the step is accepted. */
typedef struct scree_joint_found
{
    double position;    /* as in scree_joint */
    double stored;      /* elastic energy, J */
    double loss, motor; /* W: dashpots, motor */
    double given; /* W: by the wall that is the second end, or by the image of the second body */
    double stiffness, dashpot, turn_stiffness, turn_dashpot; /* for the stable step */
    double arm_sq[2];                                        /* and the lever arms of both ends */
    bool breaks;
} scree_joint_found;

/*  Constants, then state. Those up to `work` are stored in snapshots as in scree_packed_joint. */
typedef struct scree_joint_record
{
    scree_joint_id id;
    scree_joint_kind kind;
    scree_body_id first, second;
    scree_wall_id wall;
    uint64_t first_serial, second_serial; /* 0: no second body */
    scree_joint_end end[2];
    double stiffness, dashpot, turn_stiffness, turn_dashpot;
    double rest_length, lower, upper, strength, turn_strength;
    scree_joint_motor motor;
    bool collide;
    uint64_t user;

    bool is_broken;
    double position, stored;
    double lost, motor_work, given; /* J since it was made */
    scree_joint_found next;         /* of the current evaluation */
} scree_joint_record;

/*  Numbers, and energy terms of joints that were removed. Stored as bytes in snapshots. */
typedef struct scree_joint_course
{
    uint64_t made, broken, lost;
    double damping, motor_work, walls, boundary;
} scree_joint_course;

/*  A joint that was removed with a body or wall, for the list of events. */
typedef struct scree_lost_joint
{
    scree_joint_id id;
    scree_body_id first, second;
    scree_wall_id wall;
    uint64_t first_serial, second_serial;
} scree_lost_joint;

/*  Two bodies, or a body and a wall, that do not touch: the smaller global id first; or global id and index1. */
typedef struct scree_apart_pair
{
    uint64_t first, second; /* 0 0: free */
} scree_apart_pair;

/*  Hash table with linear probing; at most half of it is used. */
typedef struct scree_apart_set
{
    scree_apart_pair *pair;
    size_t room, capacity; /* room: a power of two, or 0: no pair */
} scree_apart_set;

typedef struct scree_joints
{
    scree_joint_record *joint;
    size_t count, capacity;
    scree_joint_course course;
    scree_apart_set bodies, walls; /* valid unless they are stale */
    bool sets_are_stale;
    double (
        *resistance)[4]; /* by slot: stiffness and dashpots along, and about; see joint_forces.h */
    size_t resistance_capacity;
    scree_lost_joint *lost_now; /* since the last accepted step, if the world lists events */
    size_t lost_count, lost_capacity;
    bool has_lost_more; /* there was no memory for all of them */
    scree_joint *listed;
    size_t listed_capacity;
} scree_joints;

void scree_joints_free(scree_joints *joints, scree_memory *memory);
/*  SIZE_MAX if there is no such joint. */
size_t scree_joints_place(const scree_joints *joints, scree_joint_id id);
/*  Rebuilds the sets of pairs that do not touch. SCREE_OUT_OF_MEMORY. */
scree_status scree_joints_find_apart(scree_joints *joints, scree_memory *memory);
/*  Adds the energy terms of a joint to those of joints that were removed. */
void scree_joints_leave(scree_joints *joints, const scree_joint_record *joint);

/*  Whether a set that is not empty has a pair. */
bool scree_apart_set_has(const scree_apart_set *set, uint64_t first, uint64_t second);

/*  Whether joints keep two bodies from touching; sets must be valid. */
static inline bool scree_joints_part(const scree_joints *joints, uint64_t serial, uint64_t other)
{
    return joints->bodies.room &&
           scree_apart_set_has(&joints->bodies, serial < other ? serial : other,
                               serial < other ? other : serial);
}
/*  The same for a body and a wall. */
static inline bool scree_joints_part_wall(const scree_joints *joints, uint64_t serial,
                                          scree_wall_id wall)
{
    return joints->walls.room && scree_apart_set_has(&joints->walls, serial, wall.index1);
}

#endif
