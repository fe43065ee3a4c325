/*  Forces of contacts with walls. */
#ifndef SCREE_WORLD_WALL_FORCES_H
#define SCREE_WORLD_WALL_FORCES_H

#include "world/contacts/wall_contact_list.h"
#include "world/forces/force_job.h"

/*  Computes the forces of the contacts in `next`. */
scree_status scree_wall_contacts_forces(const scree_force_job *job,
                                        scree_wall_contacts *wall_contacts);

#endif
