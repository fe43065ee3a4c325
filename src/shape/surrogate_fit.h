/*  Inside of fitting a surrogate to what it stands for. */
#ifndef SCREE_SURROGATE_FIT_H
#define SCREE_SURROGATE_FIT_H

/*  Where the first is not a number, the second. Not fmin and fmax, which compilers call. */
static inline double scree_smaller_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double scree_larger_of(double a, double b)
{
    return a > b ? a : b;
}

/*  Shares of the edges from the first corner that lead to the point nearest to `place`, which is seen from that corner: never
    below 0, their sum never above 1 but for rounding. Triangles may be segments and points. */
void scree_surrogate_nearest(const double place[3], const double edge1[3], const double edge2[3],
                             double share[2]);

/*  (x2 - x1) x (x3 - x1), and its length squared: four times the square of the area. Below SCREE_SURROGATE_FLAT, in units
    of the size of what it stands for, a triangle is a segment. */
#define SCREE_SURROGATE_FLAT 0x1p-100
double scree_surrogate_normal(const double corner[3][3], double normal[3]);

/*  A power of two that takes a size above 0 into [1/2, 1); for the smallest numbers nearly. */
double scree_surrogate_unit(double size);

#endif
