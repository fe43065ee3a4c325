/*  Belts of walls. */
#ifndef SCREE_WORLD_SET_WALL_BELT_H
#define SCREE_WORLD_SET_WALL_BELT_H

#include "world/state/walls.h"

/*  Whether the values of a stored belt are possible: all 0 if it is off. */
bool scree_belt_is_sound(const scree_belt *belt, int dimensions);

#endif
