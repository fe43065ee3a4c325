/*  Wear of walls: what the contacts of a step add to the sums of facets. */
#ifndef SCREE_WORLD_WALL_WEAR_H
#define SCREE_WORLD_WALL_WEAR_H

#include "world/contacts/found_contacts.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

/*  Called at the end of a step with known forces and velocities. */
void scree_wear_take_step(const scree_step *step, const scree_found_contacts *contacts,
                          scree_walls *walls);

#endif
