/*  Finds the body that caused a failure by values that are not finite. Runs only after a failure, so it may be slow. */
#ifndef SCREE_WORLD_DIAGNOSE_H
#define SCREE_WORLD_DIAGNOSE_H

#include "world/step/world_data.h"

/*  After forces were not finite: SCREE_BAD_VALUE, with the body and the contact. */
scree_status scree_world_diagnose_force(scree_world *world);
/*  After detection has refused positions or velocities with `status`: adds the first body with unusable values. */
scree_status scree_world_diagnose_position(scree_world *world, scree_status status);

#endif
