/*  Where walls are at a time. */
#ifndef SCREE_WORLD_WALL_MOTION_H
#define SCREE_WORLD_WALL_MOTION_H

#include "base/error.h"
#include "world/state/walls.h"

/*  `next` of one wall at a time, `dt` after `now`. As below. */
scree_status scree_wall_move(scree_wall_record *wall, double time, double dt, int dimensions,
                             scree_error *error);
/*  `next` of all walls at a time, `dt` after `now`. SCREE_BAD_VALUE where a path leads to what cannot be used: then
    nothing has changed that counts. */
scree_status scree_walls_move(scree_walls *walls, double time, double dt, scree_error *error);
/*  `now` and `next` as path and servo have it at a time. */
scree_status scree_wall_find_pose(scree_wall_record *wall, double time, int dimensions,
                                  scree_error *error);

#endif
