/*  Vertices of a mesh that are near a plane, or behind it: where a body of triangles touches one. The mesh's tree is
    walked down as it is, with the plane brought into its frame, so that time goes by what is found. */
#ifndef SCREE_PLANE_MESH_H
#define SCREE_PLANE_MESH_H

#include "narrow/mesh_contact.h"

/*  Scratch that is used again and again; all zero at first. */
typedef struct scree_plane_mesh
{
    /*  By vertex: facet is {vertex, 0}, distance that from the plane, below 0 behind it; points are the vertex in the
        world and where it is on the plane. */
    scree_mesh_touch *contacts;
    size_t count, capacity;
} scree_plane_mesh;

/*  All vertices whose distance from the plane, along its unit normal, is below `reach`. SCREE_OUT_OF_MEMORY. */
scree_status scree_mesh_find_plane(scree_plane_mesh *work, scree_memory *memory,
                                   const scree_mesh_body *body, const double point[3],
                                   const double normal[3], double reach);
void scree_plane_mesh_free(scree_plane_mesh *work, scree_memory *memory);

#endif
