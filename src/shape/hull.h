/*  The convex hull of points in space, as triangles. */
#ifndef SCREE_HULL_H
#define SCREE_HULL_H

#include "base/memory.h"
#include "scree/shape.h"

typedef struct scree_hull_facet
{
    uint32_t corner[3]; /* points, counter-clockwise from outside */
    uint32_t beside[3]; /* the facet across the edge from corner k to the next */
    double normal[4];   /* unit except for rounding, and its product with a corner */
    uint32_t outside;   /* the first point in its list; UINT32_MAX: none */
    bool is_gone;
    uint32_t mark;
} scree_hull_facet;

typedef struct scree_hull_edge
{
    uint32_t from, to, facet, edge; /* `facet`: the one that remains, across its edge `edge` */
} scree_hull_edge;

typedef struct scree_hull
{
    scree_memory *memory;
    const double (*point)[3]; /* coordinates as scree_orient requires them */
    uint32_t count;
    double thickness; /* points outside by no more than this are ignored */
    scree_hull_facet *facets;
    size_t facet_count, facet_capacity;
    uint32_t *next;     /* by point: the next in the same list */
    uint32_t *at_start; /* by point: the new facet whose first corner it is */
    uint32_t *gone;     /* facets that the last point sees */
    size_t gone_count, gone_capacity;
    scree_hull_edge *horizon;
    size_t horizon_count, horizon_capacity;
    uint32_t marks;
    bool is_listed_again; /* a list that had been processed got a point */
} scree_hull;

/*  Fills `facets`, some of which are removed. SCREE_BAD_VALUE: all points lie in a plane to within `thickness`;
    SCREE_OUT_OF_MEMORY. It must be freed whatever the status. */
scree_status scree_hull_build(scree_hull *hull, scree_memory *memory, const double (*points)[3],
                              uint32_t count, double thickness);
void scree_hull_free(scree_hull *hull);

/*  mesh_polygon.c: scree_mesh_hull for points in the plane; the definition has been checked. */
scree_status scree_polygon_hull(const scree_hull_def *def, scree_memory *memory, scree_mesh **mesh);

#endif
