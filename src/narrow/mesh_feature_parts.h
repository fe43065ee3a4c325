/*  What the two searches for features share: whether a vertex and the other surface, or two edges, are a feature. Neither
    depends on how the search came to look at them. */
#ifndef SCREE_MESH_FEATURE_PARTS_H
#define SCREE_MESH_FEATURE_PARTS_H

#include "narrow/mesh_features.h"
#include "shape/facet_point.h"

/*  Sine of the angle outside an edge's wedge from which a direction no longer counts. */
#define SCREE_EDGE_WEDGE 0.1
/*  The largest depth of edges that have passed each other, of the largest depth of bodies: each pair of edges has a
    direction of its own. */
#define SCREE_EDGES_APART 1.5

typedef struct scree_feature_search
{
    const scree_mesh_body *bodies;
    const scree_mesh_skin *skins;
    double reach, thickness;
    const scree_mesh_depth *depth; /* NULL: surfaces do not cross */
} scree_feature_search;

/* ---- vertices ---- */

/*  The facet nearest to a point, of those that it was compared with. */
typedef struct scree_nearest_facet
{
    scree_facet_point point;
    uint32_t facet;
    bool is_tied; /* others are as near */
} scree_nearest_facet;

typedef struct scree_feature_vertex
{
    int from;        /* side of the vertex */
    uint32_t vertex; /* and its first facet: */
    uint32_t facet;
    double at[3], local[3];      /* in the world, and in the frame of the other */
    scree_nearest_facet nearest; /* of the other */
    bool is_inside;              /* the other; set with the feature */
} scree_feature_vertex;

scree_feature_vertex scree_feature_place_vertex(const scree_feature_search *search, int from,
                                                uint32_t facet, uint32_t vertex);
/*  If several facets are equally near, the one whose plane is farthest decides on which side the vertex is, then the
    first. */
void scree_feature_compare_vertex(const scree_feature_search *search, scree_feature_vertex *v,
                                  uint32_t facet);
/*  Compares it with all facets that may be nearest. Returns false if none is within `reach`. */
bool scree_feature_search_vertex(const scree_feature_search *search, scree_feature_vertex *v,
                                 double reach);
/*  Adds the vertex if it touches. SCREE_OUT_OF_MEMORY. */
scree_status scree_feature_take_vertex(scree_mesh_features *work, scree_memory *memory,
                                       const scree_feature_search *search, scree_feature_vertex *v);

/*  1 if normals of the facet point outward, -1 if inward; 0: there is no inside, as at the boundary of a surface.
    `feature` is the part of the facet that is asked for. */
double scree_feature_outward(const scree_feature_search *search, int side, uint32_t facet,
                             uint32_t feature);
/*  How far a point in the world is outside of a body, along `way` from its surface; 0: it is inside, no deeper than the
    largest depth; infinite: farther than the thickness. */
double scree_feature_outside(const scree_feature_search *search, int side, const double at[3],
                             double way[3]);

/* ---- edges ---- */

/*  An edge in the world. */
typedef struct scree_feature_edge
{
    const scree_mesh_body *body;
    int side;
    uint32_t edge, facet; /* its first facet */
    double from[3], along[3], length;
} scree_feature_edge;

/*  The edge from corner c of a facet, which is the first facet of the edge. */
scree_feature_edge scree_feature_place_edge(const scree_feature_search *search, int side,
                                            uint32_t facet, size_t c);
static inline bool scree_feature_begins_edge(const scree_mesh *mesh, uint32_t facet, size_t c)
{
    return mesh->edge_facet[mesh->edge_start[mesh->edge_of[3 * (size_t)facet + c]]] == facet;
}
/*  From a point of the edge into one of its facets, perpendicular to the edge. */
void scree_feature_into_facet(const scree_feature_edge *e, uint32_t facet, const double at[3],
                              double into[3]);
/*  The direction, perpendicular to an edge, to its outer side; it has no particular length. Returns false if an inside is
    not defined there. */
bool scree_feature_edge_outside(const scree_feature_search *search, const scree_feature_edge *e,
                                double outside[3]);
/*  The nearest points of the lines of two edges. Returns false if they are parallel, or the points are not between the
    ends. */
bool scree_feature_edges_cross(const scree_feature_edge *a, const scree_feature_edge *b,
                               double share[2]);
/*  Adds the pair if it touches: an edge of the first body, and of the second. SCREE_OUT_OF_MEMORY. */
scree_status scree_feature_take_edges(scree_mesh_features *work, scree_memory *memory,
                                      const scree_feature_search *search,
                                      const scree_feature_edge *a, const scree_feature_edge *b);

/* ---- shared ---- */

/*  Smooth from 0 at 0 to 1 at 1, and its slope. */
static inline double scree_feature_ramp(double x)
{
    return x <= 0 ? 0 : x < 1 ? x * (2 - x) : 1;
}

static inline double scree_feature_ramp_slope(double x)
{
    return x < 0 || x > 1 ? 0 : 2 - 2 * x;
}

scree_mesh_feature *scree_feature_push(scree_mesh_features *work, scree_memory *memory);

static inline void scree_feature_to_local(const scree_mesh_pose *pose, const double way[3],
                                          double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] =
            pose->turn[0][k] * way[0] + pose->turn[1][k] * way[1] + pose->turn[2][k] * way[2];
}

/*  A point of the world in the frame of a body. */
static inline void scree_feature_place_in(const scree_mesh_body *body, const double at[3],
                                          double local[3])
{
    double step[3];

    for (int k = 0; k < 3; k++)
        step[k] = at[k] - body->pose.place[k];
    scree_feature_to_local(&body->pose, step, local);
}

#endif
