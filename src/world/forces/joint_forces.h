/*  Forces of all joints in an evaluation. */
#ifndef SCREE_WORLD_JOINT_FORCES_H
#define SCREE_WORLD_JOINT_FORCES_H

#include "world/forces/joint_force.h"
#include "world/state/step_data.h"
#include "world/state/sums.h"

/*  Resistance of the joints of a body against motion along any axis, and against rotation, to which those of lever arms
    are added. */
enum
{
    SCREE_JOINT_STIFFNESS,
    SCREE_JOINT_DASHPOT,
    SCREE_JOINT_TURN_STIFFNESS,
    SCREE_JOINT_TURN_DASHPOT,
    SCREE_JOINT_RESISTANCES,
};

/*  step/room_data.c fills it once sums have begun and walls are at their poses. */
typedef struct scree_joint_job
{
    const scree_step *step;
    scree_joint_scene scene;
    scree_joints *joints;
    scree_sums *sums;
    bool wants_resistance;
} scree_joint_job;

/*  Adds the forces of all joints, and stores what the evaluation finds in `next`. SCREE_OUT_OF_MEMORY, with a
    message. */
scree_status scree_joint_forces(const scree_joint_job *job);
/*  The same without adding forces. */
scree_status scree_joint_look(const scree_joint_job *job);

#endif
