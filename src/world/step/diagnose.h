/*  Who is to blame where a step came to numbers that are not finite. Nobody asks while all is well, so it may
    look at everything. */
#ifndef SCREE_WORLD_DIAGNOSE_H
#define SCREE_WORLD_DIAGNOSE_H

#include "world/step/world_data.h"

/*  Forces of some bodies are not finite: SCREE_BAD_VALUE, with the body and the contact. */
scree_status scree_world_blame_force(scree_world *world);
/*  Detection has refused places or velocities: `status`, with the body of which it can use none. */
scree_status scree_world_blame_place(scree_world *world, scree_status status);

#endif
