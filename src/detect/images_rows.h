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

/*  Copies rows, at most 64. Returns a bit for each whose centre is not in [lower, upper) of the cell, and
    grows `bounds` by the others: by centre - radius and centre + radius, with rounding. */
uint64_t scree_images_copy_rows(const double *from, double *to, uint32_t count,
                                const scree_range *cell, scree_range *bounds, scree_simd simd);

/*  Lists those of `ids` of which centre - radius is at most `below` on some axis; returns how many. */
uint32_t scree_images_list_low(const double *rows, const uint32_t *ids, uint32_t count,
                               const double below[4], uint32_t *low, scree_simd simd);

#endif
