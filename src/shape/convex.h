/*  A convex polyhedron inside the library: the geometry of a block. Coplanar facets are one face, however it is
    triangulated; edges lie between two faces, corners at the ends of edges. It never changes once it is created. */
#ifndef SCREE_CONVEX_H
#define SCREE_CONVEX_H

#include "base/error.h"
#include "shape/mesh.h"

/*  Contact histories store edge indices in 16 bits. */
#define SCREE_MAX_BLOCK_EDGES 65535u
/*  Fraction of the size below which points coincide and planes are the same. */
#define SCREE_CONVEX_GRAIN 1e-9

typedef struct scree_convex_edge
{
    uint32_t corner[2]; /* face[0] is to the left of the direction from the first to the second */
    uint32_t face[2];
} scree_convex_edge;

/*  The same numbers by columns, for vectors: whole groups of this many, of which the last is repeated. */
#define SCREE_CONVEX_GROUP 8u

typedef struct scree_convex_columns
{
    uint32_t corners, faces, edges; /* with those that are repeated */
    double *corner[3], *face[4], *along[3];
    double *room; /* all of them */
    size_t capacity;
} scree_convex_columns;

typedef struct scree_convex
{
    uint32_t corner_count, face_count, edge_count;
    double (*corner)[3]; /* relative to the given origin */
    double (*face)[4];   /* outward unit normal, and the height of the highest corner along it */
    scree_convex_edge *edge;
    double (*along)[3]; /* by edge: vector from its first corner to its second */
    double size;        /* distance from the origin of the farthest corner, */
    double inner;       /* and of the nearest face */
    size_t corner_room, face_room, edge_room;
    bool is_flat; /* a polygon */
    scree_convex_columns columns;
} scree_convex;

/*  Reserves columns for as many corners, faces and edges as a convex has. SCREE_OUT_OF_MEMORY. */
scree_status scree_convex_columns_reserve(scree_convex_columns *columns, const scree_convex *convex,
                                          scree_memory *memory);
void scree_convex_columns_free(scree_convex_columns *columns, scree_memory *memory);

/*  Computes the convex polyhedron of a closed mesh with consistent orientation (`inward`: normals point inward), or of
    a closed line. SCREE_BAD_VALUE, with a message: it is not convex; SCREE_TOO_LARGE: too many edges;
    SCREE_OUT_OF_MEMORY. It must be freed whatever the status. */
scree_status scree_convex_init(scree_convex *convex, const scree_mesh *mesh, bool inward,
                               const double origin[3], scree_memory *memory, scree_error *error);
/*  convex_flat.c: the same for a line of segments, whose directions do not matter. */
scree_status scree_convex_of_line(scree_convex *convex, const scree_mesh *mesh,
                                  const double origin[3], scree_memory *memory, scree_error *error);
/*  convex_columns.c: fills the columns from the rest, which is complete. SCREE_OUT_OF_MEMORY. */
scree_status scree_convex_fill_columns(scree_convex *convex, scree_memory *memory);
void scree_convex_free(scree_convex *convex, scree_memory *memory);

#endif
