/*  Vertices of a mesh that are near a plane or behind it: the contacts of a mesh body with a plane. The mesh's tree is
    traversed as it is, with the plane brought into its frame, so the time depends on what is found. */
#ifndef SCREE_PLANE_MESH_H
#define SCREE_PLANE_MESH_H

#include "narrow/mesh_contact.h"

/*  Reusable scratch. Initialise to zero. */
typedef struct scree_plane_mesh
{
    /*  By vertex: facet is {vertex, 0}; distance is that from the plane, below 0 behind it; points are the vertex in
        the world and its projection on the plane. */
    scree_mesh_touch *contacts;
    size_t count, capacity;
} scree_plane_mesh;

/*  Finds all vertices whose distance from the plane, along its unit normal, is below `reach`. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_find_plane(scree_plane_mesh *work, scree_memory *memory,
                                   const scree_mesh_body *body, const double point[3],
                                   const double normal[3], double reach);
void scree_plane_mesh_free(scree_plane_mesh *work, scree_memory *memory);

#endif
