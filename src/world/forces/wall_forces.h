/*  Forces of contacts with walls. */
#ifndef SCREE_WORLD_WALL_FORCES_H
#define SCREE_WORLD_WALL_FORCES_H

#include "scree/base.h"

struct scree_world;

/*  Forces of the contacts in `next`. */
scree_status scree_surfaces_forces(struct scree_world *world, double dt);

#endif
