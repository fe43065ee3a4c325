/*  Contacts of two meshes for laws of force, by features: vertices of each at the surface of the other, and crossing
    edges.

    WHY NOT MEANS. Triangle pairs that touch come in large numbers around one place. The published method
    (mesh_points.h) merges those that are nearer than a skin. This gives means that jump when a pair joins or leaves
    with part of its overlap, and a discontinuous force has no potential: two balls of 320 triangles without damping
    separated with 1.5 times their initial energy. The distance of a vertex from the other surface is a continuous
    function of both poses, and its gradient is the normal, so energy stored in such contacts is returned. Vertices
    alone miss crossing edges. A crossing is a share of a contact, which goes to 0 where the crossing ends
    (mesh_edge_share.h).

    SURFACES THAT CROSS. Depths are distances below 0. A vertex that is inside the other body has the distance of the
    other's surface, at any depth, with a factor for ways that do not lead out along its normal; two edges of which each
    passes through the other body have that between them. So forces
    go on as they were while surfaces were apart, and push the bodies out. The sides of a surface that is not closed are
    told by the centre of the other body: it lies outside. An edge that goes round its boundary, with both ends outside, has
    passed nothing.

    WEIGHTS. A vertex represents the area around it, and has weight 1 if that is a disc as wide as the contact skins.
    Finer meshes have more vertices but not more total weight. */
#ifndef SCREE_MESH_FEATURES_H
#define SCREE_MESH_FEATURES_H

#include "narrow/mesh_contact.h"

typedef enum scree_feature_kind
{
    SCREE_FEATURE_FIRST,  /* a vertex of the first mesh, */
    SCREE_FEATURE_SECOND, /* of the second, */
    SCREE_FEATURE_EDGES,  /* an edge of each */
    SCREE_FEATURES,
} scree_feature_kind;

typedef struct scree_mesh_feature
{
    scree_feature_kind kind;
    uint32_t id;       /* id of the vertex, or of the edge of the first */
    uint32_t facet[2]; /* the facet of each by which it was found */
    double point[2][3];
    double normal[3]; /* unit, from the first to the second */
    double
        distance; /* below 0: the vertex is inside the other, or the edges have passed each other */
    double weight; /* above 0, at most 1 */
    /*  Edges: factor of the overlap, above 0, at most 1 (mesh_edge_share.h). Vertices: factor of the depth, at least 1. And
        its change with the velocity and the angular velocity of the second relative to the first, at the vertex, or at
        the point of the first edge. */
    double share, move[3], turn[3];
} scree_mesh_feature;

/*  Properties of a mesh that do not depend on its pose. */
typedef struct scree_mesh_skin
{
    const double *area; /* by vertex: a third of the area of its facets */
    int outward; /* 1: normals point outward, -1: inward; 0: not closed, both sides are surface */
} scree_mesh_skin;

/*  Reusable scratch. Initialise to zero. */
typedef struct scree_mesh_features
{
    scree_mesh_feature *features;
    size_t count, capacity;
    uint64_t *turned; /* contacts sorted by the second's facet */
    size_t turned_capacity;
    /* of surfaces that cross */
    uint64_t *pairs; /* of edges that may touch */
    size_t pair_count, pair_capacity;
    scree_facet_list edges[2]; /* that may be inside the other body */
    scree_facet_list facets;
    uint32_t *
        slot; /* by facet of the second: the place of its first edge in the list, if it has one there */
    struct scree_feature_edge *placed; /* the second's edges */
    size_t slot_capacity, placed_capacity;
} scree_mesh_features;

/*  Computes, from the pairs that a finder has found for the two bodies, all features that are nearer than the sum of
    the contact skins. `thickness` is the length scale of the weights. Sorted by kind; vertices by facets, edges by
    those of the first, then of the second. SCREE_OUT_OF_MEMORY: none. */
scree_status scree_mesh_find_features(scree_mesh_features *work, scree_memory *memory,
                                      const scree_mesh_body bodies[2],
                                      const scree_mesh_skin skins[2], double thickness,
                                      const scree_mesh_touch *contacts, size_t count);

/*  For surfaces that cross. */
typedef struct scree_mesh_depth
{
    double largest;          /* nothing is deeper: mesh_depth.h */
    const double *centre[2]; /* of the bodies, in the world */
} scree_mesh_depth;

/*  mesh_deep.c: the same for surfaces that cross. `reach` is the sum of the contact skins, and the contacts are those of a
    search with it. The cost grows with the surfaces that are inside, and with the contacts. */
scree_status scree_mesh_find_deep_features(scree_mesh_features *work, scree_memory *memory,
                                           const scree_mesh_body bodies[2],
                                           const scree_mesh_skin skins[2], double thickness,
                                           double reach, const scree_mesh_depth *depth,
                                           const scree_mesh_touch *contacts, size_t count);
void scree_mesh_features_free(scree_mesh_features *work, scree_memory *memory);

/*  Weight of a vertex with this area. */
static inline double scree_vertex_weight(double area, double thickness)
{
    double disc = 0.25 * 3.14159265358979323846 * thickness * thickness;
    return area < disc ? area / disc : 1;
}

/*  Whether a direction leaves a body at this vertex, that is, some facet around it faces that direction. */
bool scree_vertex_faces(const scree_mesh_body *body, int outward, uint32_t vertex,
                        const double way[3]);

#endif
