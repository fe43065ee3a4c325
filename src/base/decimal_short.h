/*  Numbers of at most 19 digits and small exponent, as nearly all are. One product of two integers decides them. If it
    cannot, the function returns false, and the caller uses the long algorithm. */
#ifndef SCREE_DECIMAL_SHORT_H
#define SCREE_DECIMAL_SHORT_H

#include "base/common.h"

/*  Computes digits * 10^power as its first 64 bits, the highest of them set, times 2^*exponent. *more: a later bit is
    set. `digits` is above 0. Returns false if it cannot be decided. */
bool scree_short_to_binary(uint64_t digits, int64_t power, uint64_t *top, bool *more,
                           int *exponent);

/*  A finite number above 0 as integers of 15 and of 17 digits; value is near digits * 10^(point - 15 or 17). They are
    rounded, halves to even, so either may be 10^15 or 10^17. */
typedef struct scree_short_decimal
{
    uint64_t of_15, of_17;
    int point;
} scree_short_decimal;

/*  Returns false if it cannot be decided. */
bool scree_short_from_binary(double value, scree_short_decimal *number);

#endif
