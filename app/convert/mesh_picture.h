/*  A picture of a surrogate tree. */
#ifndef SCREE_MESH_PICTURE_H
#define SCREE_MESH_PICTURE_H

#include "shape/surrogate.h"

/*  Level beside level, and the mesh last: of each surrogate the halos of its corners, coloured by how thick these are. An exit
    code; what failed is said. */
int scree_mesh_picture(const scree_surrogate *tree, const scree_mesh *mesh, const char *path);

#endif
