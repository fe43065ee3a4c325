/*  The order of bodies in memory. */
#ifndef SCREE_WORLD_SORT_BODIES_H
#define SCREE_WORLD_SORT_BODIES_H

#include "world/contacts/candidates.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/body_order.h"
#include "world/state/step_data.h"

/*  Sorts bodies in space, at least two, and updates lists of contacts. `order` is scratch, which is freed.
    SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_bodies_sort(const scree_step *step, scree_body_order *order,
                               scree_body_arrays *bodies, scree_contact_list *pairs,
                               scree_wall_contacts *wall_contacts);

#endif
