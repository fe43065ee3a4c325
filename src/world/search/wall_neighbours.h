/*  Finds walls near bodies. */
#ifndef SCREE_WORLD_WALL_NEIGHBOURS_H
#define SCREE_WORLD_WALL_NEIGHBOURS_H

#include "world/contacts/wall_contact_list.h"

/*  Called before an evaluation: searches walls for bodies that have used up their search distance, and chooses new
    ones for steps of `dt`. Adds their number to `searches`. */
scree_status scree_wall_contacts_search(const scree_wall_contact_job *job, double dt,
                                        uint64_t *searches);
/*  Whether a body and a wall may interact: by their groups, because the body can move, and no joint parts them. */
bool scree_wall_contacts_meet(const scree_body_arrays *bodies, const scree_joints *joints,
                              uint32_t slot, const scree_wall_record *wall);

/*  Upper bound of the displacement of any point of a wall from its pose `now` to `next`; infinite for a plane that
    rotates. */
double scree_wall_travel(const scree_wall_record *wall);

#endif
