/*  What a sphere passes on a straight path: a facet, or another sphere. */
#ifndef SCREE_SPHERE_PATH_H
#define SCREE_SPHERE_PATH_H

#include "shape/mesh.h"

/*  The smallest distance of a point to a facet on its path, in the mesh's own frame; 0: it passes through. If `from`
    and `to` are equal, the distance there. */
double scree_path_facet_distance(const scree_mesh *mesh, uint32_t facet, const double from[3],
                                 const double to[3]);

/*  Whether two spheres pass through each other undetected while the centre of the second moves from `from` to `to`
    relative to the first. `sum` is that of the radii; `least` is the smaller one. They do if the largest overlap on the
    path would exceed half of the smaller radius, and they do not touch at either end; or touch at one end only, with
    the second on the other side of the first by then. */
bool scree_spheres_pass(const double from[3], const double to[3], double sum, double least);

#endif
