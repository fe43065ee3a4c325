/*  Input of the geometry of sphere contacts. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_SPHERE_ROWS_H
#define SCREE_WORLD_SPHERE_ROWS_H

#ifndef __OPENCL_C_VERSION__
#include <stdbool.h>
#include <stdint.h>
#endif

/*  Centres nearer than the square root of this are treated as coincident. It is far below the square of any useful
    size. */
#define SCREE_TINY_SQ 0x1p-1000

/*  Input of geometry kernels. */
typedef struct scree_geometry
{
    const double *position, *velocity, *spin; /* rows of four, from slot 0 */
    const uint32_t *first, *second;           /* slots of pairs */
    double reach, share; /* interaction range: a fixed part, and a share of r1 r2 / (r1 + r2) */
    bool is_periodic, is_tilted;
    bool is_moving;   /* images have velocities of their own: */
    double period[3]; /* 0: not periodic */
    double tilt[3];
    double gradient[3][3];
    bool asks_ahead; /* prefetch: there are so many bodies that rows are not in the nearer caches */
} scree_geometry;

#endif
