/*  The layer around a body of triangles in which contacts are found: the contact skin of a mesh, the rounding of a block. */
#ifndef SCREE_SHAPE_SHAPE_SKIN_H
#define SCREE_SHAPE_SHAPE_SKIN_H

#include "scree/shape.h"

/*  Its thickness, m; 0 for spheres and clumps. */
static inline double scree_shape_skin(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_BLOCK ? shape->rounding : shape->contact_skin;
}

/*  The name of the member that has it, for messages. */
static inline const char *scree_shape_skin_name(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_BLOCK ? "rounding" : "contact_skin";
}

#endif
