/*  How heat flows in a step: see heat_flow.c. */
#ifndef SCREE_WORLD_HEAT_FLOW_H
#define SCREE_WORLD_HEAT_FLOW_H

#include "world/contacts/found_contacts.h"
#include "world/state/body_heat.h"
#include "world/state/step_data.h"

/*  A step has come to its end, and may yet be refused: what flows, and in how many pieces. SCREE_BAD_VALUE
    where a body has no capacity, SCREE_UNSTABLE where the step is far too long or a body would be colder than 0 K,
    SCREE_OUT_OF_MEMORY. Nothing of the state changes. */
scree_status scree_heat_find(const scree_step *step, const scree_found_contacts *contacts,
                             scree_heat *heat);
/*  It is taken: temperatures and books. */
void scree_heat_take_step(const scree_step *step, const scree_found_contacts *contacts,
                          scree_crowd *bodies, scree_walls *walls, scree_heat *heat);

#endif
