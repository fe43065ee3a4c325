/*  Contacts of spheres with walls. */
#ifndef SCREE_WORLD_SPHERE_WALLS_H
#define SCREE_WORLD_SPHERE_WALLS_H

#include "world/contacts/wall_contact_list.h"

scree_status scree_wall_contacts_init(scree_wall_contacts *wall_contacts, scree_memory *memory,
                                      uint32_t worker_count);
void scree_wall_contacts_free(scree_wall_contacts *wall_contacts);

/*  Finds the contacts of bodies at their present positions, into `next`. */
scree_status scree_wall_contacts_evaluate(scree_wall_contact_job *job);

#endif
