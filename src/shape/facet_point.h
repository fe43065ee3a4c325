/*  The nearest point of a facet to a given point, and the feature it lies on. */
#ifndef SCREE_FACET_POINT_H
#define SCREE_FACET_POINT_H

#include "shape/facet_feature.h"
#include "shape/mesh.h"

/*  `vertices` are the mesh's, or their current positions if the mesh has moved; `normal` is that of the facet there.
    Facets that share an edge or vertex compute bit-identical points on it. */
scree_facet_point scree_facet_nearest(const scree_mesh *mesh, const double *vertices,
                                      const double normal[3], uint32_t facet,
                                      const double place[3]);

#endif
