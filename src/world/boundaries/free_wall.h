/*  Free walls: rigid bodies whose surface is a wall for bodies. */
#ifndef SCREE_WORLD_FREE_WALL_H
#define SCREE_WORLD_FREE_WALL_H

#include "base/error.h"
#include "world/contacts/found_contacts.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

bool scree_has_free_walls(const scree_walls *walls);

/*  Computes `next_motion` and `next`, `dt` after `motion`. SCREE_BAD_VALUE if the result is unusable. */
scree_status scree_free_wall_move(scree_wall_record *wall, double dt, scree_error *error);
/*  Called at the end of a step with known forces: computes the velocities of free walls in the next step. */
void scree_free_wall_push(const scree_step *step, const scree_found_contacts *contacts,
                          scree_walls *walls);

/*  The longest step that is stable for all free walls with their present contacts; INFINITY: no limit. *wall is the
    index of the wall that limits it. Requires the stiffness of wall contacts. On ranks a call of all of them. */
double scree_free_wall_stable(const scree_step *step, const scree_found_contacts *contacts,
                              size_t *wall);

#endif
