/*  Walls of facets as host and kernels share them. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_FACET_NUMBERS_H
#define SCREE_WORLD_FACET_NUMBERS_H

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
#endif

/*  Arrays of a mesh, see shape/mesh.h, by type. */
enum
{
    SCREE_MESH_FACETS,
    SCREE_MESH_EDGE_OF,
    SCREE_MESH_EDGE_START,
    SCREE_MESH_EDGE_FACET,
    SCREE_MESH_VERTEX_START,
    SCREE_MESH_VERTEX_FACET,
    SCREE_MESH_PATCH,
    SCREE_MESH_TREE_FACET,
    SCREE_MESH_LEVEL_START,
    SCREE_MESH_WORDS,
};
enum
{
    SCREE_MESH_VERTICES,
    SCREE_MESH_NORMALS,
    SCREE_MESH_VALUES,
};
enum
{
    SCREE_MESH_EDGE_IS_RIM,
    SCREE_MESH_VERTEX_IS_RIM,
    SCREE_MESH_TURN,
    SCREE_MESH_BYTES,
};

/*  Where the arrays of a wall's mesh begin in the buffers for words, doubles, bytes and groups; zeros for a plane. */
typedef struct scree_mesh_layout
{
    double origin[3], scale;
    uint64_t words[SCREE_MESH_WORDS], values[SCREE_MESH_VALUES], bytes[SCREE_MESH_BYTES], groups;
    uint32_t facets, levels; /* their number */
} scree_mesh_layout;

/*  Contact of a body with a facet, an edge or a vertex of a wall. Each body near such walls has room for FACET_CONTACTS
    of them, and as much for those of the step before. Contact history is in a buffer of its own, by contact. */
typedef struct scree_facet_contact
{
    double in_mesh[3]; /* its point in the frame of the mesh, */
    double point[3];   /* and in space */
    double normal[3], overlap;
    uint32_t wall, facet, feature;
    int32_t side;
    uint32_t
        previous; /* which contact of the body in the step before; SCREE_ENTRY_NONE: it is new */
    uint32_t spare;
} scree_facet_contact;

/*  An entry of the list of facets that a body may touch before the next search. */
typedef struct scree_facet_near
{
    uint32_t wall, facet;
} scree_facet_near;

#endif
