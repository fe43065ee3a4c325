/*  Servos: walls that are driven so that bodies push against them with a given force. */
#ifndef SCREE_WORLD_WALL_SERVO_H
#define SCREE_WORLD_WALL_SERVO_H

#include "base/error.h"
#include "world/contacts/found_contacts.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

/*  At most so much, either way. */
static inline double scree_servo_bound(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

bool scree_servo_is_on(const scree_walls *walls);
/*  Or one has been, and its wall is elsewhere since. */
bool scree_servos_are_known(const scree_walls *walls);

/*  A step has come to its end, with forces: how fast walls go in the next. */
void scree_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                        scree_walls *walls);

/*  The area of its stress lies between them. */
bool scree_servo_names_walls(const scree_wall_servo_def *servo);

/*  What the host reads. */
scree_servo_state scree_servo_state_of(const scree_wall_record *wall);

#endif
