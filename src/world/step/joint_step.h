/*  Joints in a step: what they contribute to events, the energy balance and the time step. Nothing happens in a world
    without joints. */
#ifndef SCREE_WORLD_JOINT_STEP_H
#define SCREE_WORLD_JOINT_STEP_H

#include "base/exact_sum.h"
#include "world/step/world_data.h"

/*  Changes of elastic energy between the last step and an evaluation without a step are added to the sums: of what is
    more, and of what is less. */
void scree_joints_find_change(const scree_joints *joints, scree_exact_sum sums[2]);
/*  The step has been accepted: what its evaluation found counts from now on. */
void scree_joints_accept(scree_world *world, double dt);
/*  Called at the end of a step: lists joints that were lost since the last one. */
void scree_joints_list_lost(scree_world *world);
/*  Removes joints whose body or wall is gone. */
void scree_joints_drop(scree_world *world);
/*  Joints were added, removed or have broken: which pairs touch has changed. */
void scree_joints_changed(scree_world *world);

#endif
