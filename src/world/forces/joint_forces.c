/*  Forces of all joints in an evaluation. They are added to the exact sums of contacts, so neither the order of joints
    nor that of bodies matters. */
#include "world/forces/joint_forces.h"

#include "base/tasks.h"
#include "base/vector.h"
#include "world/forces/contact_sums.h"

#include <string.h>

/*  Joints per unit of work of a worker. */
#define JOINTS_PER_BLOCK 64u

typedef struct joint_run
{
    const scree_joint_job *job;
    bool adds;
} joint_run;

/*  Adds the force and the torque of one end. */
static void add_end(const scree_joint_job *job, uint32_t worker, const scree_joint_push *push,
                    int which, const scree_quantum *quantum)
{
    const double sign = which ? 1 : -1;
    double force[3], torque[3];

    for (int k = 0; k < 3; k++)
        force[k] = sign * push->force[k];
    scree_cross(push->arm[which], force, torque);
    for (int k = 0; k < 3; k++)
        torque[k] += sign * push->torque[k];
    scree_sums_add(job->sums, worker, push->slot[which], quantum, force, torque);
}

static void add_joint(const scree_joint_job *job, uint32_t worker, const scree_joint_push *push)
{
    const scree_body_arrays *bodies = job->scene.bodies;
    const bool is_pair = push->slot[1] != UINT32_MAX;
    const scree_quantum quantum =
        is_pair ? scree_pair_quantum(&job->sums->rule, bodies, push->slot[0], push->slot[1])
                : scree_wall_quantum(&job->sums->rule, bodies, push->slot[0]);

    add_end(job, worker, push, 0, &quantum);
    if (is_pair)
        add_end(job, worker, push, 1, &quantum);
}

static void run_block(void *data, size_t block, uint32_t worker)
{
    const joint_run *run = data;
    scree_joints *joints = run->job->joints;
    const size_t end = scree_block_end(block, JOINTS_PER_BLOCK, joints->count);

    for (size_t k = block * JOINTS_PER_BLOCK; k < end; k++) {
        scree_joint_record *joint = &joints->joint[k];
        scree_joint_push push;
        memset(&joint->next, 0, sizeof joint->next);
        if (joint->is_broken)
            continue;
        scree_joint_find(&run->job->scene, joint, &push);
        joint->next = push.found;
        if (run->adds)
            add_joint(run->job, worker, &push);
    }
}

/* ---- resistance ---- */

static void add_resistance(scree_joints *joints, uint32_t slot, const scree_joint_found *found,
                           int which)
{
    double *row = joints->resistance[slot], arm_sq = found->arm_sq[which];

    row[SCREE_JOINT_STIFFNESS] += found->stiffness;
    row[SCREE_JOINT_DASHPOT] += found->dashpot;
    row[SCREE_JOINT_TURN_STIFFNESS] += found->turn_stiffness + arm_sq * found->stiffness;
    row[SCREE_JOINT_TURN_DASHPOT] += found->turn_dashpot + arm_sq * found->dashpot;
}

/*  In the order of joints, so sums do not depend on the order of bodies. */
static scree_status sum_resistance(const scree_joint_job *job)
{
    const scree_body_arrays *bodies = job->scene.bodies;
    scree_joints *joints = job->joints;

    if (scree_memory_reserve(job->step->memory, &joints->resistance, &joints->resistance_capacity,
                             bodies->count, sizeof *joints->resistance))
        return scree_fail(job->step->error, SCREE_OUT_OF_MEMORY,
                          "world: the stiffness of joints: out of memory");
    memset(joints->resistance, 0, bodies->count * sizeof *joints->resistance);
    for (size_t k = 0; k < joints->count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        if (joint->is_broken)
            continue;
        add_resistance(joints, (uint32_t)scree_bodies_slot(bodies, joint->first), &joint->next, 0);
        if (joint->second.index1)
            add_resistance(joints, (uint32_t)scree_bodies_slot(bodies, joint->second), &joint->next,
                           1);
    }
    return SCREE_OK;
}

static scree_status run_joints(const scree_joint_job *job, bool adds)
{
    joint_run run = {job, adds};

    if (job->joints->count == 0)
        return SCREE_OK;
    scree_workers_run(job->step->workers, scree_block_count(job->joints->count, JOINTS_PER_BLOCK),
                      run_block, &run);
    return job->wants_resistance ? sum_resistance(job) : SCREE_OK;
}

scree_status scree_joint_forces(const scree_joint_job *job)
{
    return run_joints(job, true);
}

scree_status scree_joint_look(const scree_joint_job *job)
{
    return run_joints(job, false);
}
