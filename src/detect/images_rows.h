/*  The passes over all spheres of a periodic domain: a row x y z r, four
    numbers that follow each other, is one vector. */
#ifndef SCREE_IMAGES_ROWS_H
#define SCREE_IMAGES_ROWS_H

#include "base/common.h"

/*  Ranges of x y z r: infinite where there is no period, and of r. */
typedef struct scree_range
{
    double lower[4], upper[4];
} scree_range;

/*  What is looked for in rows: centres that are not in [lower, upper) of the cell, and, of those that are,
    spheres that reach down to `below` on some axis. */
typedef struct scree_row_limits
{
    scree_range cell;
    double below[4]; /* -infinite where there is no period, and of r */
} scree_row_limits;

/*  A bit for each row. */
typedef struct scree_row_bits
{
    uint64_t outside, low;
} scree_row_bits;

/*  Looks at rows, at most 64, and grows `bounds` by those inside: by centre - radius and centre + radius, with
    rounding. */
scree_row_bits scree_images_look_at_rows(const double *rows, uint32_t count,
                                         const scree_row_limits *limits, scree_range *bounds,
                                         scree_simd simd);

#endif
