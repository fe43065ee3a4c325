/*  Removal of bodies from a world. */
#ifndef SCREE_WORLD_REMOVE_BODY_H
#define SCREE_WORLD_REMOVE_BODY_H

#include "world/step/world_data.h"
/*  Removes bodies, and everything that refers to them: ids[k], `stride` bytes apart. All must exist, and none may be
    given twice. */
void scree_world_take_out(scree_world *world, const scree_body_id *ids, size_t stride,
                          size_t count);

#endif
