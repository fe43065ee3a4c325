/*  Poses of walls at a time. */
#ifndef SCREE_WORLD_WALL_MOTION_H
#define SCREE_WORLD_WALL_MOTION_H

#include "base/error.h"
#include "world/state/walls.h"

/*  Computes `next` of one wall at a time, `dt` after `now`. Statuses as below. */
scree_status scree_wall_move(scree_wall_record *wall, double time, double dt, int dimensions,
                             scree_error *error);
/*  Computes `next` of all walls at a time, `dt` after `now`. SCREE_BAD_VALUE if a path leads to an unusable pose;
    `now` stays. */
scree_status scree_walls_move(scree_walls *walls, double time, double dt, scree_error *error);
/*  Computes `now` and `next` from path and servo at a time. */
scree_status scree_wall_find_pose(scree_wall_record *wall, double time, int dimensions,
                                  scree_error *error);

#endif
