/*  One body against a box, a point or a ray, with its own surface. All volumes are closed. */
#ifndef SCREE_WORLD_SHAPE_QUERY_H
#define SCREE_WORLD_SHAPE_QUERY_H

#include "shape/clump.h"
#include "shape/mesh.h"

/*  A body, or one of its periodic images. */
typedef struct scree_placed_shape
{
    double centre[3], radius;  /* of a sphere that holds it; of a sphere its own */
    const scree_mesh *mesh;    /* of a mesh or block, */
    const scree_clump *clump;  /* of a clump, or NULL */
    double origin[3], turn[4]; /* of these: where their frame is */
} scree_placed_shape;

bool scree_shape_meets_box(const scree_placed_shape *shape, const double lower[3],
                           const double upper[3]);
/*  Distance of a point, 0 inside; and the point of the body that is nearest to it. */
double scree_shape_distance(const scree_placed_shape *shape, const double point[3],
                            double nearest[3]);
/*  Whether a ray hits it at 0 <= *t <= t_max; 0 if it starts inside. */
bool scree_shape_meets_ray(const scree_placed_shape *shape, const double origin[3],
                           const double direction[3], double t_max, double *t);

#endif
