/*  Checks of servo walls. */
#ifndef SCREE_WORLD_SET_WALL_SERVO_H
#define SCREE_WORLD_SET_WALL_SERVO_H

#include "base/error.h"
#include "world/state/walls.h"

/*  Checks the values of a servo apart from its wall. SCREE_BAD_VALUE. */
scree_status scree_servo_check_numbers(const scree_wall_servo_def *servo, scree_error *error);
/*  Whether the area of some servo depends on this wall, so that it cannot be removed. Then writes a message. */
bool scree_servo_refuses_removal(const scree_walls *walls, scree_wall_id id, scree_error *error);

#endif
