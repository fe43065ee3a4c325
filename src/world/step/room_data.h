/*  What the world hands to the rooms below the step. */
#ifndef SCREE_WORLD_ROOM_DATA_H
#define SCREE_WORLD_ROOM_DATA_H

#include "world/collide/shape_contacts.h"
#include "world/contacts/found_contacts.h"
#include "world/contacts/wall_contact_list.h"
#include "world/forces/contact_sums.h"
#include "world/forces/force_job.h"
#include "world/forces/sphere_forces.h"
#include "world/motion/integrate.h"
#include "world/search/neighbours.h"
#include "world/state/step_data.h"

struct scree_world;

/*  Of the step that leads on from the clock by `dt`. */
scree_step scree_world_this_step(struct scree_world *world, double dt);
/*  As the last evaluation has found them. */
scree_found_contacts scree_world_found_contacts(const struct scree_world *world);
/*  How bodies are shown to the detector. */
scree_search_look scree_world_search_look(const struct scree_world *world);
/*  A search for who may touch whom, after a step. */
scree_search_job scree_world_search_job(struct scree_world *world, const scree_step *step);
/*  Bodies and walls, in this step. */
scree_surface_job scree_world_surface_job(struct scree_world *world, const scree_step *step);
/*  Where spheres of candidates are, and how images of them move. */
scree_geometry scree_world_geometry(const struct scree_world *world);
/*  Contacts of spheres, in this step. It is known whether their stiffness is asked for, and whether the list is new. */
scree_pair_job scree_world_pair_job(struct scree_world *world, const scree_step *step);
/*  Sums of forces, in this step. */
scree_sum_job scree_world_sum_job(struct scree_world *world, const scree_step *step);
/*  Bodies, as this step moves them. */
scree_motion_job scree_world_motion_job(struct scree_world *world, const scree_step *step);
/*  Contacts of solids, in this step. */
scree_solid_job scree_world_solid_job(struct scree_world *world, const scree_step *step);
/*  Forces of contacts with walls and of solids, in this step. It is known whether their stiffness is asked for. */
scree_force_job scree_world_force_job(struct scree_world *world, const scree_step *step);

#endif
