/*  Paths of walls: the motion at a time, and the pose of a wall that results. */
#ifndef SCREE_WORLD_WALL_PATH_H
#define SCREE_WORLD_WALL_PATH_H

#include "base/memory.h"
#include "scree/wall.h"
#include "scree/world.h"

/*  A point x moves to centre + turn (x - centre) + shift. `centre` moves at `velocity`, and the wall rotates about
    it with `spin`. */
typedef struct scree_wall_motion
{
    double centre[3];
    double shift[3], velocity[3];
    double turn[4]; /* unit quaternion w x y z */
    double spin[3];
} scree_wall_motion;

/*  Checks a path: SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE, naming the field. In two dimensions it must stay in the plane
    z = 0. If there is a function, other fields are not checked. */
scree_status scree_wall_path_check(const scree_wall_path *path, int dimensions, scree_error *error);

/*  A copy that owns its table. SCREE_OUT_OF_MEMORY: *copy is a path without motion. */
scree_status scree_wall_path_copy(const scree_wall_path *path, scree_memory *memory,
                                  scree_wall_path *copy);
void scree_wall_path_free(scree_wall_path *copy, scree_memory *memory);

/*  False if the wall always stays at its first pose. */
bool scree_wall_path_moves(const scree_wall_path *path);

/*  The motion at `time`, for a path that passed the check. In closed form, so errors do not accumulate.
    SCREE_BAD_VALUE if the path's function returns invalid values, or values became too large. */
scree_status scree_wall_path_at(const scree_wall_path *path, double time, int dimensions,
                                scree_wall_motion *motion, scree_error *error);

/*  Applies the motion to a wall that was added at `point` with `orientation`: its pose and velocity. */
void scree_wall_motion_apply(const scree_wall_motion *motion, const double point[3],
                             const double orientation[4], double new_point[3],
                             double new_orientation[4], double velocity[3]);

/*  Velocity of a point of the wall, velocity + spin x (point - position), from that of its position. */
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
