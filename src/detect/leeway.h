/*  How far the bodies of each block of rows may move before they must be tested, for callers that pass
    displacements: see scree_motion in scree/detect.h. */
#ifndef SCREE_LEEWAY_H
#define SCREE_LEEWAY_H

#include "base/memory.h"

typedef struct scree_leeway
{
    double *left; /* of each block */
    size_t capacity;
    size_t rows; /* number of rows of the table for which it is known; 0: unknown */
} scree_leeway;

/*  The bodies of a block have moved this far. Returns whether all are still within their margins; false if the
    displacement is NaN. */
static inline bool scree_leeway_lasts(scree_leeway *leeway, size_t block, double way)
{
    double left = leeway->left[block] - way;

    /* displacements are not negative, so this is no more than the true rest, with rounding */
    leeway->left[block] = left - leeway->left[block] * 0x1p-50;
    return leeway->left[block] > 0;
}

/*  The remaining displacement of a body that has moved, out of its allowance. Rounding on both sides of the test
    that it replaces is less than 2^-45 of the largest body and of its displacement. */
static inline double scree_leeway_of(double allowance, double moved, double largest)
{
    return allowance - moved - 0x1p-40 * (largest + allowance + moved) - 0x1p-500;
}

#endif
