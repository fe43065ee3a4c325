/*  Paths of walls: where a path has led at a time, and where that puts a wall. */
#ifndef SCREE_WORLD_WALL_PATH_H
#define SCREE_WORLD_WALL_PATH_H

#include "base/memory.h"
#include "scree/wall.h"
#include "scree/world.h"

/*  x goes to centre + turn (x - centre) + shift; `centre` moves at `velocity`, and the wall spins about
    it. */
typedef struct scree_wall_motion
{
    double centre[3];
    double shift[3], velocity[3];
    double turn[4]; /* unit quaternion w x y z */
    double spin[3];
} scree_wall_motion;

/*  Whether a path can be followed: SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE with the field named. In two
    dimensions it must stay in the plane z = 0. Where there is a function, the rest is not looked at. */
scree_status scree_wall_path_check(const scree_wall_path *path, int dimensions, scree_error *error);

/*  A copy with a table of its own. SCREE_OUT_OF_MEMORY: *copy is a path at rest. */
scree_status scree_wall_path_copy(const scree_wall_path *path, scree_memory *memory,
                                  scree_wall_path *copy);
void scree_wall_path_free(scree_wall_path *copy, scree_memory *memory);

/*  False: the wall stays where it was put, for ever. */
bool scree_wall_path_moves(const scree_wall_path *path);

/*  At `time`, for a path that passed the check: in closed form, so no error grows. SCREE_BAD_VALUE where the
    path's function gives what cannot be used, or numbers have become too large. */
scree_status scree_wall_path_at(const scree_wall_path *path, double time, int dimensions,
                                scree_wall_motion *motion, scree_error *error);

/*  Where the motion takes a wall that was put at `point` with `orientation`, and the velocity there. */
void scree_wall_motion_apply(const scree_wall_motion *motion, const double point[3],
                             const double orientation[4], double new_point[3],
                             double new_orientation[4], double velocity[3]);

/*  velocity + spin x (point - position): of a wall's point, from those of its position. */
static inline void scree_wall_velocity_at(const double position[3], const double velocity[3],
                                          const double spin[3], const double point[3],
                                          double result[3])
{
    double x = point[0] - position[0], y = point[1] - position[1], z = point[2] - position[2];
    result[0] = velocity[0] + (spin[1] * z - spin[2] * y);
    result[1] = velocity[1] + (spin[2] * x - spin[0] * z);
    result[2] = velocity[2] + (spin[0] * y - spin[1] * x);
}

#endif
