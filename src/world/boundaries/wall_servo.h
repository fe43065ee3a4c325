/*  Servo walls: walls that move so that the contact force becomes a given one. */
#ifndef SCREE_WORLD_WALL_SERVO_H
#define SCREE_WORLD_WALL_SERVO_H

#include "base/error.h"
#include "world/contacts/found_contacts.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

/*  Limits a value to +-most. */
static inline double scree_servo_bound(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

bool scree_servo_is_on(const scree_walls *walls);
/*  Whether any wall has a servo, or has been moved by one. */
bool scree_servos_are_known(const scree_walls *walls);

/*  Called at the end of a step with known forces: computes the velocities of servo walls in the next step. */
void scree_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                        scree_walls *walls);

/*  Whether the area of its stress is bounded by other walls. */
bool scree_servo_names_walls(const scree_wall_servo_def *servo);

/*  The state that hosts read. */
scree_servo_state scree_servo_state_of(const scree_wall_record *wall);

#endif
