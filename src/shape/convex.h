/*  A convex polyhedron from inside: what a block is made of. Facets in one plane are one face, however a face is cut; edges
    lie between two faces, and corners at the ends of edges. It never changes once it is made. */
#ifndef SCREE_CONVEX_H
#define SCREE_CONVEX_H

#include "base/error.h"
#include "shape/mesh.h"

/*  Edges have numbers of 16 bits in what contacts remember. */
#define SCREE_MOST_BLOCK_EDGES 65535u
/*  What is nearer than this share of the size is in one place, or in one plane. */
#define SCREE_CONVEX_GRAIN 1e-9

typedef struct scree_convex_edge
{
    uint32_t corner[2]; /* face[0] lies to the left of the way from the first to the second */
    uint32_t face[2];
} scree_convex_edge;

typedef struct scree_convex
{
    uint32_t corner_count, face_count, edge_count;
    double (*corner)[3]; /* about the origin that was given */
    double (*face)[4];   /* unit normal outward, and the height of the highest corner along it */
    scree_convex_edge *edge;
    double (*along)[3]; /* by edge: from its first corner to its second */
    double size;        /* distance of the farthest corner from the origin, */
    double inner;       /* and of the nearest face */
    size_t corner_room, face_room, edge_room;
    bool is_flat; /* a polygon */
} scree_convex;

/*  Of a closed mesh whose facets go round the same way; `inward`: their normals point inward; or of a closed line. SCREE_BAD_VALUE with a
    sentence: it is not convex; SCREE_TOO_LARGE: too many edges; SCREE_OUT_OF_MEMORY. Whatever it returns, it is to be freed. */
scree_status scree_convex_init(scree_convex *convex, const scree_mesh *mesh, bool inward,
                               const double origin[3], scree_memory *memory, scree_error *error);
/*  convex_flat.c: the same of a line of segments; which way these go does not matter. */
scree_status scree_convex_of_line(scree_convex *convex, const scree_mesh *mesh,
                                  const double origin[3], scree_memory *memory, scree_error *error);
void scree_convex_free(scree_convex *convex, scree_memory *memory);

#endif
