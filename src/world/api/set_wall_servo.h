/*  What a host may ask of a servo. */
#ifndef SCREE_WORLD_SET_WALL_SERVO_H
#define SCREE_WORLD_SET_WALL_SERVO_H

#include "base/error.h"
#include "world/state/walls.h"

/*  Whether its numbers can be, apart from the wall that it drives. SCREE_BAD_VALUE. */
scree_status scree_servo_check_numbers(const scree_wall_servo_def *servo, scree_error *error);
/*  Whether a servo's area lies between this wall and others; a message says so. */
bool scree_servo_refuses_removal(const scree_walls *walls, scree_wall_id id, scree_error *error);

#endif
