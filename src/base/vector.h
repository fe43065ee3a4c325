/*  Vectors of three numbers. Plain C, and plain OpenCL C. */
#ifndef SCREE_VECTOR_H
#define SCREE_VECTOR_H

#ifndef __OPENCL_C_VERSION__
#include <math.h>
#endif

static inline double scree_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double scree_length(const double v[3])
{
    return sqrt(scree_dot(v, v));
}

static inline void scree_cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/*  Returns the squared distance. */
static inline double scree_apart_sq(const double a[3], const double b[3])
{
    const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return scree_dot(way, way);
}

static inline double scree_apart(const double a[3], const double b[3])
{
    return sqrt(scree_apart_sq(a, b));
}

#endif
