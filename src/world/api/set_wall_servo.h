/*  What a host may ask of a servo. */
#ifndef SCREE_WORLD_SET_WALL_SERVO_H
#define SCREE_WORLD_SET_WALL_SERVO_H

#include "base/error.h"
#include "scree/wall.h"

#include <stdbool.h>

struct scree_world;

/*  Whether its numbers can be, apart from the wall that it drives. SCREE_BAD_VALUE. */
scree_status scree_servo_check_numbers(const scree_wall_servo *servo, scree_error *error);
/*  Whether a servo's area lies between this wall and others; the world's message says so. */
bool scree_servo_refuses_removal(struct scree_world *world, scree_wall_id id);

#endif
