/*  Forces of contacts with planes, in steps in place. */
#ifndef SCREE_WORLD_PLANE_FORCES_H
#define SCREE_WORLD_PLANE_FORCES_H

#include "world/contacts/wall_contact_list.h"
#include "world/forces/force_job.h"

/*  Whether contacts with these pair parameters can be in a list of plane contacts; 0: no parameters yet. */
bool scree_planes_are_dry(const scree_step *step, uint32_t law);
/*  Computes everything from positions to sums and contact history. `touching` is the number of contacts. If it does
    not return SCREE_OK, the step cannot be made in place and must be repeated as a step that can be undone, which
    finds the cause. */
scree_status scree_planes_press(const scree_force_job *job, scree_plane_contacts *planes,
                                size_t *touching);

#endif
