/*  Numbers of at most 19 digits and no great exponent, which are nearly all there are: a product of two whole numbers
    decides them, and where it does not, that is said, and the long way must be gone. */
#ifndef SCREE_DECIMAL_SHORT_H
#define SCREE_DECIMAL_SHORT_H

#include "base/common.h"

/*  digits 10^power as the first 64 bits, the highest of them set, times 2^*exponent; *more if any bit after these
    is set; `digits` above 0. False: not known. */
bool scree_short_to_binary(uint64_t digits, int64_t power, uint64_t *top, bool *more,
                           int *exponent);

/*  A finite number above 0 as whole numbers: of 15 digits, and of 17; value is near digits 10^(point - 15 or 17). Rounded,
    halves to even, so that either may be 10^15 or 10^17. */
typedef struct scree_short_decimal
{
    uint64_t of_15, of_17;
    int point;
} scree_short_decimal;

/*  False: not known. */
bool scree_short_from_binary(double value, scree_short_decimal *number);

#endif
