/*  Hashes that identify meshes and clumps. */
#ifndef SCREE_WORLD_GEOMETRY_DIGEST_H
#define SCREE_WORLD_GEOMETRY_DIGEST_H

#include "shape/clump.h"
#include "shape/mesh.h"
/*  A hash of a mesh's vertices and facets; 0 for NULL. */
uint64_t scree_mesh_digest(const scree_mesh *mesh);
/*  A hash of a clump's pebbles and mass. */
uint64_t scree_clump_digest(const scree_clump *clump);

#endif
