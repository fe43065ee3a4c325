/*  What all its contacts come to for each body. */
#ifndef SCREE_WORLD_SUM_FORCES_H
#define SCREE_WORLD_SUM_FORCES_H

#include <stdbool.h>

struct scree_world;

/*  Sums forces and torques of each body into `force` and `torque`, with gravity and loads; `finishes`: and does what
    ends the step of `dt`. False where a sum is not finite. */
bool scree_world_gather(struct scree_world *world, bool finishes, double dt);
/*  Adds damping, global and local. False where a sum is not finite any more. */
bool scree_world_damp(struct scree_world *world);

#endif
