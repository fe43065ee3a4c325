/*  Contacts of two meshes for laws of force, by features: vertices of each at the other's surface, and edges that cross.

    WHY NOT MEANS. Pairs of triangles that touch come in crowds round one place; merging those that are nearer than a halo
    (mesh_points.h, the published way) gives means that jump when a pair joins or leaves with part of its overlap. What
    jumps has no potential: two balls of 320 triangles without damping parted with half as much energy again as
    they met with. The distance of a vertex from the other surface is a continuous function of where both are, and its
    gradient is the normal: what is stored in such contacts comes back. Vertices alone miss edges that
    cross; these have weights that go to 0 where a crossing ends: at the ends of an edge, where it
    becomes parallel, and where the way between them leaves the wedge of directions in which an edge is what is nearest.

    WEIGHTS. A vertex stands for the area round it, and counts 1 if that is a disc as wide as the halos: finer meshes have
    more vertices, but no more weight. */
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
    uint32_t id;       /* of the vertex; of the first's edge */
    uint32_t facet[2]; /* of each, by which it was found */
    double point[2][3];
    double normal[3]; /* unit, from the first to the second */
    double distance;  /* below 0: the vertex is inside the other */
    double weight;    /* above 0, at most 1 */
} scree_mesh_feature;

/*  What is known of a mesh beside its place. */
typedef struct scree_mesh_skin
{
    const double *area; /* by vertex: a third of its facets' */
    int outward; /* 1: normals point out of what it encloses, -1: into it; 0: both sides are surface */
} scree_mesh_skin;

/*  Scratch that is used again and again; all zero at first. */
typedef struct scree_mesh_features
{
    scree_mesh_feature *features;
    size_t count, capacity;
    uint64_t *turned; /* contacts by the second's facet */
    size_t turned_capacity;
} scree_mesh_features;

/*  Of the pairs that a finder has found of the two bodies: all features that are nearer than the sum of the halos. Weights
    go by `thickness`. In order of kinds; vertices by facets, edges by those of the first, then of the second.
    SCREE_OUT_OF_MEMORY: none. */
scree_status scree_mesh_find_features(scree_mesh_features *work, scree_memory *memory,
                                      const scree_mesh_body bodies[2],
                                      const scree_mesh_skin skins[2], double thickness,
                                      const scree_mesh_touch *contacts, size_t count);
void scree_mesh_features_free(scree_mesh_features *work, scree_memory *memory);

/*  Weight of a vertex with this area. */
static inline double scree_vertex_weight(double area, double thickness)
{
    double disc = 0.25 * 3.14159265358979323846 * thickness * thickness;
    return area < disc ? area / disc : 1;
}

/*  Whether a way leaves a body at this vertex: some facet round it faces that way. */
bool scree_vertex_faces(const scree_mesh_body *body, int outward, uint32_t vertex,
                        const double way[3]);

#endif
