/*  Which walls a body may touch. */
#ifndef SCREE_WORLD_WALL_NEIGHBOURS_H
#define SCREE_WORLD_WALL_NEIGHBOURS_H

#include "world/contacts/wall_contact_list.h"

struct scree_world;

/*  Before an evaluation: looks for candidates of the bodies that have used up their room. */
scree_status scree_surfaces_search(struct scree_world *world, double dt);
/*  Whether a body and a wall may exert forces on each other: groups, and that the body can be pushed. */
bool scree_surfaces_meet(const scree_crowd *bodies, uint32_t slot, const scree_wall_record *wall);
/*  Bodies begin .. end - 1 have moved: `before` is where the first of them was, and so on. */
void scree_surfaces_follow(struct scree_world *world, const double (*before)[4], uint32_t begin,
                           uint32_t end);

#endif
