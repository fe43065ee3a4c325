/*  How far the bodies of each block of rows may go before a look at them can find anything, where a caller says how far they
    have gone: see scree_motion in scree/detect.h. */
#ifndef SCREE_LEEWAY_H
#define SCREE_LEEWAY_H

#include "base/memory.h"

typedef struct scree_leeway
{
    double *left; /* of each block */
    size_t capacity;
    size_t rows; /* of the table that it is known of; 0: of none */
} scree_leeway;

/*  The bodies of a block have gone this far. Whether all still are within their margins; false too for a way that is no number. */
static inline bool scree_leeway_lasts(scree_leeway *leeway, size_t block, double way)
{
    double left = leeway->left[block] - way;

    /* ways are not below 0: so this is no more than what is left, whatever rounding does */
    leeway->left[block] = left - leeway->left[block] * 0x1p-50;
    return leeway->left[block] > 0;
}

/*  What is left to a body that has moved, of what it is allowed. Both sides of the test that it stands for round by less than
    2^-45 of the largest body and of what it moves. */
static inline double scree_leeway_of(double allowance, double moved, double largest)
{
    return allowance - moved - 0x1p-40 * (largest + allowance + moved) - 0x1p-500;
}

#endif
