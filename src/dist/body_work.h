/*  What bodies cost in a step, by which space is shared out among ranks. Results do not depend on it. */
#ifndef SCREE_DIST_BODY_WORK_H
#define SCREE_DIST_BODY_WORK_H

#include "world/step/world_data.h"

/*  Writes the work of bodies 0 .. count - 1, each above 0, in units of ten nanoseconds: by the kind of the body, and by its
    contacts in the last step. A function of the state alone, and not of clocks. */
void scree_find_body_work(const scree_world *world, uint32_t count, uint32_t *work);

#endif
