/*  Tests the surface of one body against a box, a point or a ray. All volumes are closed. */
#ifndef SCREE_WORLD_SHAPE_QUERY_H
#define SCREE_WORLD_SHAPE_QUERY_H

#include "shape/clump.h"
#include "shape/mesh.h"

/*  A body or one of its periodic images. */
typedef struct scree_placed_shape
{
    double centre[3], radius;  /* of the bounding sphere; of a sphere its own */
    const scree_mesh *mesh;    /* of a mesh or block, */
    const scree_clump *clump;  /* of a clump, or NULL */
    double origin[3], turn[4]; /* position of the mesh's or clump's frame */
} scree_placed_shape;

bool scree_shape_meets_box(const scree_placed_shape *shape, const double lower[3],
                           const double upper[3]);
/*  Distance from a point; 0 inside. */
double scree_shape_distance(const scree_placed_shape *shape, const double point[3],
                            double nearest[3]);
/*  Whether a ray hits it at 0 <= *t <= t_max; *t is 0 if it starts inside. */
bool scree_shape_meets_ray(const scree_placed_shape *shape, const double origin[3],
                           const double direction[3], double t_max, double *t);

#endif
