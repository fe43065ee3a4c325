/*  How deep two meshes can be in each other at most. */
#ifndef SCREE_MESH_DEPTH_H
#define SCREE_MESH_DEPTH_H

#include "narrow/mesh_contact.h"

/*  No point of one is deeper in the other than the shortest way that parts their boxes. One of the two may be a wall,
    which is no solid: the other is as deep as it is wide, at most. */
double scree_mesh_largest_depth(const scree_mesh_body bodies[2], const bool is_wall[2]);

#endif
