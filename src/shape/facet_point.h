/*  The point of a facet that is nearest to a place, and what it lies on. */
#ifndef SCREE_FACET_POINT_H
#define SCREE_FACET_POINT_H

#include "shape/mesh.h"

/*  What a point of a facet lies on. */
enum
{
    SCREE_ON_FACE = 0,
    SCREE_ON_EDGE = 1,   /* 1 + k: of a triangle, from corner k to the next */
    SCREE_ON_VERTEX = 4, /* 4 + k: corner k */
};

typedef struct scree_facet_point
{
    double away[3]; /* from the place to the point */
    double away_sq;
    double height; /* of the place over the facet's plane, along its normal */
    uint32_t feature;
} scree_facet_point;

/*  `vertices` are the mesh's, or where they are when the mesh is moved; `normal` is that of the facet there.
    Facets that share an edge or vertex agree to the last bit on its point nearest to a place. */
scree_facet_point scree_facet_nearest(const scree_mesh *mesh, const double *vertices,
                                      const double normal[3], uint32_t facet,
                                      const double place[3]);

#endif
