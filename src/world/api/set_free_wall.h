/*  Checks of free walls. */
#ifndef SCREE_WORLD_SET_FREE_WALL_H
#define SCREE_WORLD_SET_FREE_WALL_H

#include "base/error.h"
#include "scree/wall.h"

/*  Normalises the quaternion, and sets the components that are always frozen. SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE. */
scree_status scree_free_wall_check(scree_free_wall_def *free_wall, int dimensions,
                                   scree_error *error);

#endif
