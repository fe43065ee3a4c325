/*  What all its contacts come to for each body. */
#ifndef SCREE_WORLD_SUM_FORCES_H
#define SCREE_WORLD_SUM_FORCES_H

#include "world/forces/contact_sums.h"

/*  Sums forces and torques of each body into `force` and `torque`, with gravity and loads; `finishes`: and does what
    ends the step. False where a sum is not finite. */
bool scree_sums_gather(const scree_sum_job *job, bool finishes);
/*  Adds damping, global and local. False where a sum is not finite any more. */
bool scree_sums_damp(const scree_sum_job *job);

#endif
