/*  The search structure of a body's mesh, for display. */
#ifndef SCREE_WORLD_SURROGATE_OF_H
#define SCREE_WORLD_SURROGATE_OF_H

#include "scree/world.h"
#include "shape/surrogate.h"

/*  The surrogate tree of the mesh of a body; NULL: meshes are searched otherwise. It lives as long as bodies have
    the mesh. */
const scree_surrogate *scree_world_surrogate_of(const scree_world *world, const scree_shape *shape);

#endif
