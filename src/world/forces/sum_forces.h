/*  The total force on each body. */
#ifndef SCREE_WORLD_SUM_FORCES_H
#define SCREE_WORLD_SUM_FORCES_H

#include "world/forces/contact_sums.h"

/*  Sums forces and torques of each body into `force` and `torque`, with gravity and loads. `finishes`: also does the
    second half of velocity Verlet. False if a sum is not finite. */
bool scree_sums_gather(const scree_sum_job *job, bool finishes);
/*  Adds damping, global and local. False if a sum is not finite afterwards. */
bool scree_sums_damp(const scree_sum_job *job);

#endif
