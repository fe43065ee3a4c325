/*  Which walls a body may touch. */
#ifndef SCREE_WORLD_WALL_NEIGHBOURS_H
#define SCREE_WORLD_WALL_NEIGHBOURS_H

#include "world/contacts/wall_contact_list.h"

/*  Before an evaluation: looks for candidates of the bodies that have used up their room, and gives them some for steps of
    `dt`. Adds to `searches` how many these are. */
scree_status scree_surfaces_search(const scree_surface_job *job, double dt, uint64_t *searches);
/*  Whether a body and a wall may exert forces on each other: groups, and that the body can be pushed. */
bool scree_surfaces_meet(const scree_crowd *bodies, uint32_t slot, const scree_wall_record *wall);

#endif
