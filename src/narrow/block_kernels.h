/*  What is done with all corners, faces or edges of a block at once, in vectors. Columns are those of
    scree_convex_columns: whole groups, of which the last row is repeated. All SIMD levels give the same bits. */
#ifndef SCREE_BLOCK_KERNELS_H
#define SCREE_BLOCK_KERNELS_H

#include "shape/convex.h"

/*  The faces of a block along a normal. */
typedef struct scree_block_slopes
{
    double *const *face;  /* columns */
    const double *cosine; /* face normal times contact normal */
    uint32_t count;
    double flat, steep; /* cosines: see block_points.c */
    double grain;
} scree_block_slopes;

/*  The part of a line through a point, along the normal, that is inside a block. */
typedef struct scree_block_way
{
    double enters, leaves;
    bool is_outside; /* all of it, beside a face that is parallel to the line */
    bool has_walls;  /* steep faces are near, and have not been looked at */
} scree_block_way;

/*  Columns of edges as seen along the normal: where they begin on two axes, how far they go on both, and the height of
    the upper end. */
enum
{
    SCREE_BLOCK_SEGMENT = 5
};

typedef struct scree_block_kernels
{
    /*  Turns `count` rows, and adds `shift`. */
    void (*turn)(double *const from[3], uint32_t count, const double turn[3][3],
                 const double shift[3], double *const to[3]);
    /*  The product of each row with a direction. */
    void (*heights)(double *const at[3], uint32_t count, const double way[3], double *height);
    /*  The same; returns the largest. */
    double (*top)(double *const at[3], uint32_t count, const double way[3], double *height);
    /*  For each face the height of the lowest corner over it; returns the largest. */
    double (*gaps)(double *const face[4], uint32_t faces, double *const corner[3], uint32_t corners,
                   double *gap);
    scree_block_way (*way_through)(const scree_block_slopes *slopes, const double at[3]);
    /*  Writes which of `count` segments may cross another, but for `slack` of the product of two lengths, and add up
        with it to more than `least` in height; returns how many. There is room for a group more. */
    uint32_t (*cross)(double *const segment[SCREE_BLOCK_SEGMENT], uint32_t count,
                      const double other[SCREE_BLOCK_SEGMENT], double least, double slack,
                      uint32_t *found);
} scree_block_kernels;

/*  By SIMD level. */
extern const scree_block_kernels scree_block_kernels_of[];

#endif
