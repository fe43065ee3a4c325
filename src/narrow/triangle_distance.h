/*  Distance of a triangle from another object, and the nearest points: one pair at a time, in double. Batches are in
    triangle_batch.h; the decisions about touching are those of this file.

    Triangles may be needles, segments or points, may share corners, lie in one plane or be the same. Coordinates are
    finite and at most 1e300 in magnitude. All is computed relative to a corner, in a unit of about the size of the
    pair, so the accuracy depends only on distances and sizes. The error of the squared distance is below 2^-46 of the
    square of that size, also for slivers and nearly parallel edges. */
#ifndef SCREE_TRIANGLE_DISTANCE_H
#define SCREE_TRIANGLE_DISTANCE_H

#include "base/common.h"

/*  The two nearest points of two objects. If several pairs of points are equally near, one of them. */
typedef struct scree_gap
{
    double point[2][3];
    double distance;    /* 0: they touch or cross */
    double distance_sq; /* its square, which may underflow where the distance does not */
    /*  For segments: share[0] of the first, share[1] of the second. For triangles: parameters of the edges from the
        first corner to the second and to the third, of each. */
    double share[4];
} scree_gap;

/*  `triangle[k]` is corner k. By comparison; crossing triangles have distance 0. */
scree_gap scree_triangle_distance(const double first[3][3], const double second[3][3]);

/*  Whether they are no farther apart than `reach`, which is at least 0. This decides everywhere whether triangles
    touch. `gap`, unless NULL, gets the nearest points. */
bool scree_triangles_touch(const double first[3][3], const double second[3][3], double reach,
                           scree_gap *gap);

/*  Segments from `first[0]` to `first[1]` and so on; either may be a point. Numbers are finite and at most 1e300. */
scree_gap scree_segment_distance(const double first[2][3], const double second[2][3]);

/*  point[0] is the point, point[1] the nearest point of the triangle. share[0] and share[1] are undefined. */
scree_gap scree_point_triangle_distance(const double point[3], const double triangle[3][3]);

/*  Overlap of a triangle and a sphere: radius minus distance, below 0 if they are apart. `gap` as above. */
double scree_sphere_triangle_overlap(const double centre[3], double radius,
                                     const double triangle[3][3], scree_gap *gap);

/*  Returns the height of the lowest corner over a plane (of several the first), below 0 behind the plane. `normal` is a
    unit vector; `corner`, unless NULL, gets the index. */
double scree_triangle_plane_height(const double triangle[3][3], const double point[3],
                                   const double normal[3], uint32_t *corner);

#endif
