/*  The nearest point of a facet to a given point, and the feature it lies on. */
#ifndef SCREE_FACET_POINT_H
#define SCREE_FACET_POINT_H

#include "shape/mesh.h"

/*  The feature that a point of a facet lies on. */
enum
{
    SCREE_ON_FACE = 0,
    SCREE_ON_EDGE = 1,   /* 1 + k: of a triangle, from corner k to the next */
    SCREE_ON_VERTEX = 4, /* 4 + k: corner k */
};

typedef struct scree_facet_point
{
    double away[3]; /* from the given point to the nearest one */
    double away_sq;
    double height; /* of the given point over the facet's plane, along its normal */
    uint32_t feature;
} scree_facet_point;

/*  `vertices` are the mesh's, or their current positions if the mesh has moved; `normal` is that of the facet there.
    Facets that share an edge or vertex compute bit-identical points on it. */
scree_facet_point scree_facet_nearest(const scree_mesh *mesh, const double *vertices,
                                      const double normal[3], uint32_t facet,
                                      const double place[3]);

#endif
