/*  What a host may ask of a free wall. */
#ifndef SCREE_WORLD_SET_FREE_WALL_H
#define SCREE_WORLD_SET_FREE_WALL_H

#include "base/error.h"
#include "scree/wall.h"

/*  Leaves a unit quaternion, and what is held in any case. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE. */
scree_status scree_loose_check(scree_free_wall_def *loose, int dimensions, scree_error *error);

#endif
