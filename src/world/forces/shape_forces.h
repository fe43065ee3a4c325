/*  Forces of contacts of solids. */
#ifndef SCREE_WORLD_SHAPE_FORCES_H
#define SCREE_WORLD_SHAPE_FORCES_H

#include "scree/base.h"

struct scree_world;

/*  Forces of the contacts in `next`. SCREE_UNSTABLE where a halo is used up. */
scree_status scree_solids_forces(struct scree_world *world, double dt);

#endif
