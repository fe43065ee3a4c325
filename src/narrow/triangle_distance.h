/*  How far a triangle is from something else, and the nearest points: one pair at a time, in double. Batches are
    in triangle_batch.h; what they answer about touching is what is answered here.

    Triangles may be needles, segments or points, may share corners, lie in one plane or be the same. Coordinates
    are finite and at most 1e300 without sign. All is reckoned from a corner, in a unit of about the size of the
    pair: only how far apart things are and how large they are decides how exact the answer is. The error of the
    distance squared is below 2^-46 of the square of that size: that of slivers and of edges that are nearly
    parallel as well. */
#ifndef SCREE_TRIANGLE_DISTANCE_H
#define SCREE_TRIANGLE_DISTANCE_H

#include "base/common.h"

/*  The two nearest points of two things. Where several pairs of points are as near, one of them. */
typedef struct scree_gap
{
    double point[2][3];
    double distance;    /* 0: they touch or cross */
    double distance_sq; /* its square, which may underflow where the distance does not */
    /*  Of segments: share[0] of the first, share[1] of the second. Of triangles: of the edges from the first corner to
        the second and to the third, of each. */
    double share[4];
} scree_gap;

/*  `triangle[k]` is corner k. By comparison; crossing triangles have distance 0. */
scree_gap scree_triangle_distance(const double first[3][3], const double second[3][3]);

/*  Whether they are no farther apart than `reach`, which is at least 0. This is what decides about touching
    triangles everywhere; `gap`, unless NULL, gets the nearest points. */
bool scree_triangles_touch(const double first[3][3], const double second[3][3], double reach,
                           scree_gap *gap);

/*  From `first[0]` to `first[1]` and so on; either may be a point. Numbers are finite and at most 1e300. */
scree_gap scree_segment_distance(const double first[2][3], const double second[2][3]);

/*  point[0] is the point, point[1] the triangle's nearest. share[0] and share[1] say nothing. */
scree_gap scree_point_triangle_distance(const double point[3], const double triangle[3][3]);

/*  How deep a triangle is in a sphere: radius less distance, below 0 if they are apart. `gap` as above. */
double scree_sphere_triangle_overlap(const double centre[3], double radius,
                                     const double triangle[3][3], scree_gap *gap);

/*  Of the corner that is lowest over a plane (of several the first): returns its height, below 0 behind the plane.
    `normal` is a unit vector; `corner`, unless NULL, gets which one it is. */
double scree_triangle_plane_height(const double triangle[3][3], const double point[3],
                                   const double normal[3], uint32_t *corner);

#endif
