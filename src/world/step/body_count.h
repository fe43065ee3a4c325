/*  Checks before each step that the number of bodies equals bodies added minus bodies removed, so that none is lost
    silently. */
#ifndef SCREE_WORLD_BODY_COUNT_H
#define SCREE_WORLD_BODY_COUNT_H

#include "world/step/world_data.h"

/*  Compares two counts. If they differ: SCREE_BAD_VALUE, with the first body whose name has no slot, its last
    position, and the step. */
scree_status scree_world_call_roll(scree_world *world);

#endif
