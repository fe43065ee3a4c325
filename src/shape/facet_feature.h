/*  Features of facets, and points on them. Plain C, and plain OpenCL C. */
#ifndef SCREE_FACET_FEATURE_H
#define SCREE_FACET_FEATURE_H

#ifndef __OPENCL_C_VERSION__
#include <stddef.h>
#include <stdint.h>
#endif

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

#endif
