/*  Internals of fitting a surrogate to its facets. */
#ifndef SCREE_SURROGATE_FIT_H
#define SCREE_SURROGATE_FIT_H

#include "shape/surrogate.h"

/*  Returns the second if the first is NaN. Not fmin and fmax, for which compilers emit calls. */
static inline double scree_smaller_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double scree_larger_of(double a, double b)
{
    return a > b ? a : b;
}

/*  Parameters of the edges from the first corner that give the point nearest to `place`, which is relative to that
    corner: never below 0, their sum never above 1 except for rounding. Triangles may be segments and points. */
void scree_surrogate_nearest(const double place[3], const double edge1[3], const double edge2[3],
                             double share[2]);

/*  (x2 - x1) x (x3 - x1), and its squared length: four times the squared area. Below SCREE_SURROGATE_FLAT, in units of
    the size of the set, a triangle counts as a segment. */
#define SCREE_SURROGATE_FLAT 0x1p-100
double scree_surrogate_normal(const double corner[3][3], double normal[3]);

/* ---- kernels by SIMD instruction set (surrogate_kernels.c); all are bit-identical ---- */

/*  Triangles per block: results stay in the first-level cache. A multiple of every WIDE_LANES. */
#define SCREE_FIT_BLOCK 64u

/*  Terms of triangles for a corner x of a surrogate: |x - t|^8, and |x - t|^6 (x - t). */
typedef struct scree_fit_pull
{
    double power[SCREE_FIT_BLOCK], way[3][SCREE_FIT_BLOCK];
} scree_fit_pull;

/*  For `count` triangles from `first` on, at most SCREE_FIT_BLOCK. */
typedef struct scree_fit_kernels
{
    void (*approach)(const scree_surrogate_room *room, uint32_t first, uint32_t count,
                     const double corner[3], scree_fit_pull *pull);
    void (*protrude)(const scree_surrogate_room *room, uint32_t first, uint32_t count, int c,
                     const double normal[3], const double height[3],
                     double above[3][SCREE_FIT_BLOCK]);
    double (*farthest_sq)(const scree_surrogate_room *room, const double corner[3][3]);
} scree_fit_kernels;

extern const scree_fit_kernels scree_fit_kernels_of[SCREE_SIMD_ROWS]; /* indexed by scree_simd */

/*  Copies the triangles in the scratch, or the corners of the outline, to columns. */
void scree_surrogate_line_up_triangles(scree_surrogate_room *room);
void scree_surrogate_line_up_outline(scree_surrogate_room *room);

/*  A power of two that scales a size above 0 to [1/2, 1); approximately so for the smallest numbers. */
double scree_surrogate_unit(double size);

#endif
