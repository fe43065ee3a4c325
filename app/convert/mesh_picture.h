/*  A picture of a surrogate tree. */
#ifndef SCREE_MESH_PICTURE_H
#define SCREE_MESH_PICTURE_H

#include "shape/surrogate.h"

/*  Draws the levels next to each other, and the mesh last: for each surrogate the halos of its corners, coloured by
    radius. Returns an exit code, with a message on failure. */
int scree_mesh_picture(const scree_surrogate *tree, const scree_mesh *mesh, const char *path);

#endif
