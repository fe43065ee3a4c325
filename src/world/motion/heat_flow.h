/*  Heat flow in a step: see heat_flow.c. */
#ifndef SCREE_WORLD_HEAT_FLOW_H
#define SCREE_WORLD_HEAT_FLOW_H

#include "world/contacts/found_contacts.h"
#include "world/state/body_heat.h"
#include "world/state/step_data.h"

/*  Called at the end of a step that may still be refused: finds the flows and `limits`. SCREE_BAD_VALUE if a body has
    no heat capacity, SCREE_OUT_OF_MEMORY. The state does not change. */
scree_status scree_heat_find(const scree_step *step, const scree_found_contacts *contacts,
                             scree_heat *heat);
/*  Called next, when `limits` are those of all ranks: finds the number of substeps. SCREE_UNSTABLE if the step is far
    too long or a body would become colder than 0 K. The state does not change. */
scree_status scree_heat_check(const scree_step *step, const scree_found_contacts *contacts,
                              scree_heat *heat);
/*  Accepts the step: changes temperatures and the heat balance. */
void scree_heat_take_step(const scree_step *step, const scree_found_contacts *contacts,
                          scree_body_arrays *bodies, scree_walls *walls, scree_heat *heat);

#endif
