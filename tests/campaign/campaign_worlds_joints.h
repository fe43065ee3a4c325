/*  Joints of drawn worlds, and of their references. */
#ifndef SCREE_TESTS_CAMPAIGN_WORLDS_JOINTS_H
#define SCREE_TESTS_CAMPAIGN_WORLDS_JOINTS_H

#include "campaign_worlds_draw.h"

/*  Adds the forces of all joints whose bodies are there. */
void reference_joints_pull(reference_world *world);
/*  Whether two bodies are joined, so that they do not touch; and whether a body has a joint with another
    one that is there, or with the world. */
bool reference_joints_part(const reference_world *world, uint32_t i, uint32_t j);
bool reference_joints_hold(const reference_world *world, uint32_t i);
/*  Joins bodies, in the world and in its reference. False: the world refused it. */
bool drawn_joints_add(drawn_world *drawn);

#endif
