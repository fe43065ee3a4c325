/*  Forces of contacts of solids. */
#ifndef SCREE_WORLD_SHAPE_FORCES_H
#define SCREE_WORLD_SHAPE_FORCES_H

#include "scree/base.h"

#include <stdbool.h>

struct scree_world;

/*  Forces of the contacts in `next`. SCREE_UNSTABLE where a halo is used up. */
scree_status scree_solids_forces(struct scree_world *world, double dt);
/*  Adds them to force and torque of bodies; false where these are not finite any more. */
bool scree_solids_gather(struct scree_world *world);

#endif
