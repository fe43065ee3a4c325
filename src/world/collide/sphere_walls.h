/*  Contacts of spheres with walls. */
#ifndef SCREE_WORLD_SPHERE_WALLS_H
#define SCREE_WORLD_SPHERE_WALLS_H

#include "world/contacts/wall_contact_list.h"

scree_status scree_surfaces_init(scree_surfaces *surfaces, scree_memory *memory,
                                 uint32_t worker_count);
void scree_surfaces_free(scree_surfaces *surfaces);

/*  Finds the contacts of bodies at their present positions, into `next`. */
scree_status scree_surfaces_evaluate(scree_surface_job *job);

#endif
