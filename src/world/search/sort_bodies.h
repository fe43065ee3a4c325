/*  The order of bodies in memory. */
#ifndef SCREE_WORLD_SORT_BODIES_H
#define SCREE_WORLD_SORT_BODIES_H

#include "scree/base.h"

struct scree_world;

/*  Lays bodies in memory by place. SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_world_sort_places(struct scree_world *world);

#endif
