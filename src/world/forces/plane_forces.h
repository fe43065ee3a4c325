/*  Forces of contacts with planes, in steps in place. */
#ifndef SCREE_WORLD_PLANE_FORCES_H
#define SCREE_WORLD_PLANE_FORCES_H

#include "world/contacts/wall_contact_list.h"
#include "world/forces/force_job.h"

/*  Whether contacts of this law can stand in a list of contacts with planes: a slot of the table, or 0, of none. */
bool scree_planes_are_dry(const scree_step *step, uint32_t law);
/*  From places to sums, and what contacts remember; how many touch. Not SCREE_OK where the step cannot be made in place: what is
    wrong with it is to be seen without. */
scree_status scree_planes_press(const scree_force_job *job, scree_plane_contacts *planes,
                                size_t *touching);

#endif
