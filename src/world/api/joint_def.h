/*  Definitions of joints, and their checks. */
#ifndef SCREE_WORLD_JOINT_DEF_H
#define SCREE_WORLD_JOINT_DEF_H

#include "world/step/world_data.h"

/*  Checks a definition for this world. Makes the axis a unit vector, and chooses the default axis. */
scree_status scree_joint_def_check(const scree_world *world, scree_joint_def *def,
                                   scree_error *error);
/*  Checks a motor that is to be that of a joint. */
scree_status scree_joint_motor_check(scree_joint_kind kind, const scree_joint_motor *motor,
                                     scree_error *error);

#endif
