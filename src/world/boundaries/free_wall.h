/*  Free walls: rigid bodies with a surface that bodies see as a wall. */
#ifndef SCREE_WORLD_FREE_WALL_H
#define SCREE_WORLD_FREE_WALL_H

#include "base/error.h"
#include "world/contacts/found_contacts.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

bool scree_loose_walls_are_there(const scree_walls *walls);

/*  `next_ride` and `next`, `dt` after `ride`. SCREE_BAD_VALUE where that cannot be used. */
scree_status scree_loose_move(scree_wall_record *wall, double dt, scree_error *error);
/*  A step has come to its end, with forces: how fast free walls go in the next. */
void scree_loose_push(const scree_step *step, const scree_found_contacts *contacts,
                      scree_walls *walls);

/*  The longest step that all of them bear before the contacts that they have; INFINITY: any. *wall is the place of the one
    that bears least. Stiffness of contacts with walls must be known. */
double scree_loose_stable(const scree_found_contacts *contacts, size_t *wall);

#endif
