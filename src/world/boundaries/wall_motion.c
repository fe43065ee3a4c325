/*  Poses of walls at a time: on a path, moved by a servo, or free. */
#include "world/boundaries/wall_motion.h"

#include "base/quaternion.h"
#include "world/boundaries/free_wall.h"
#include "world/state/wall_path.h"

#include <string.h>

static scree_status find_pose(const scree_wall_record *wall, double time, int dimensions,
                              scree_wall_pose *pose, scree_error *error)
{
    scree_wall_motion motion;
    scree_status status =
        scree_wall_path_at(&wall->def.path, time - wall->start_time, dimensions, &motion, error);

    if (status)
        return status;
    scree_wall_motion_apply(&motion, wall->def.point, wall->def.orientation, pose->position,
                            pose->orientation, pose->velocity);
    scree_quaternion_turn(motion.turn, wall->def.normal, pose->normal);
    memcpy(pose->spin, motion.spin, sizeof pose->spin);
    for (int k = 0; k < 3; k++) {
        pose->position[k] += wall->next_shift[k];
        pose->velocity[k] += wall->drive.speed * wall->servo.axis[k];
    }
    return SCREE_OK;
}

scree_status scree_wall_find_pose(scree_wall_record *wall, double time, int dimensions,
                                  scree_error *error)
{
    scree_wall_pose pose;

    memcpy(wall->next_shift, wall->drive.shift, sizeof wall->next_shift);
    scree_status status = find_pose(wall, time, dimensions, &pose, error);
    if (!status)
        wall->now = wall->next = pose;
    return status;
}

scree_status scree_wall_move(scree_wall_record *wall, double time, double dt, int dimensions,
                             scree_error *error)
{
    if (wall->is_free)
        return scree_free_wall_move(wall, dt, error);
    for (int k = 0; k < 3; k++)
        wall->next_shift[k] = wall->drive.shift[k] + wall->drive.speed * wall->servo.axis[k] * dt;
    return scree_wall_moves(wall) ? find_pose(wall, time, dimensions, &wall->next, error)
                                  : SCREE_OK;
}

scree_status scree_walls_move(scree_walls *walls, double time, double dt, scree_error *error)
{
    scree_status status = SCREE_OK;

    for (size_t w = 0; w < walls->count && !status; w++)
        status = scree_wall_move(&walls->wall[w], time, dt, walls->dimensions, error);
    return status;
}
