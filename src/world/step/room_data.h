/*  Fills the structs that the world passes to the folders below the step. */
#ifndef SCREE_WORLD_ROOM_DATA_H
#define SCREE_WORLD_ROOM_DATA_H

#include "world/collide/shape_contacts.h"
#include "world/contacts/found_contacts.h"
#include "world/contacts/wall_contact_list.h"
#include "world/forces/contact_sums.h"
#include "world/forces/force_job.h"
#include "world/forces/joint_forces.h"
#include "world/forces/sphere_forces.h"
#include "world/motion/integrate.h"
#include "world/search/neighbours.h"
#include "world/state/step_data.h"

struct scree_world;

/*  The step of length `dt` from the present time. */
scree_step scree_world_this_step(struct scree_world *world, double dt);
/*  As found by the last evaluation. */
scree_found_contacts scree_world_found_contacts(const struct scree_world *world);
/*  What the detector sees of bodies. */
scree_search_look scree_world_search_look(const struct scree_world *world);
/*  Search for potential contacts after a step. */
scree_search_job scree_world_search_job(struct scree_world *world, const scree_step *step);
/*  Bodies and walls in this step. */
scree_wall_contact_job scree_world_wall_contact_job(struct scree_world *world,
                                                    const scree_step *step);
/*  Positions of the spheres of pairs, and the motion of their images. */
scree_geometry scree_world_geometry(const struct scree_world *world);
/*  Contacts of spheres in this step. wants_stiffness and list_is_new must be set before. */
scree_pair_job scree_world_pair_job(struct scree_world *world, const scree_step *step);
/*  Force sums in this step. */
scree_sum_job scree_world_sum_job(struct scree_world *world, const scree_step *step);
/*  Bodies as this step moves them. */
scree_motion_job scree_world_motion_job(struct scree_world *world, const scree_step *step);
/*  Contacts of non-spherical bodies in this step. */
scree_shape_job scree_world_shape_job(struct scree_world *world, const scree_step *step);
/*  Forces of contacts with walls and of non-spherical bodies in this step. wants_stiffness must be set before. */
scree_force_job scree_world_force_job(struct scree_world *world, const scree_step *step);
/*  Ends of joints, between steps now, or at the end of the current step. */
scree_joint_scene scree_world_joint_scene(const struct scree_world *world, bool is_now);
/*  Forces of joints in this step. wants_stiffness must be set before. */
scree_joint_job scree_world_joint_job(struct scree_world *world, const scree_step *step);

#endif
