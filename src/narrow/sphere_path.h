/*  What a sphere passes on a straight way: a facet, or another sphere. */
#ifndef SCREE_SPHERE_PATH_H
#define SCREE_SPHERE_PATH_H

#include "shape/mesh.h"

/*  How near a point comes to a facet on its way, in the mesh's own frame; 0: it goes through. From `from` to the same place:
    how near it is. */
double scree_path_facet_distance(const scree_mesh *mesh, uint32_t facet, const double from[3],
                                 const double to[3]);

/*  Whether two spheres pass through each other unseen, on a way in which the centre of the second goes from `from` to `to`
    as seen from that of the first. `sum`: of their radii; `least`: the smaller one. They do where they would have
    overlapped by more than half of the smaller one, and do not touch at either end; or at one of both alone, the
    second being on the other side of the first by then. */
bool scree_spheres_pass(const double from[3], const double to[3], double sum, double least);

#endif
