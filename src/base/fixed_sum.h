/*  Sums of terms that are not negative, as whole numbers of 2^-80 in two words, the lower first. Each term is cut to a
    whole number once, so the order of terms makes no difference. A sum that would not fit, or has a term that is not
    finite, is all ones from then on. */
#ifndef SCREE_FIXED_SUM_H
#define SCREE_FIXED_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define SCREE_FIXED_HIGH 65536.0 /* 2^16: the upper word counts 2^-16 */

static inline void scree_fixed_fill(uint64_t sum[2])
{
    sum[0] = sum[1] = UINT64_MAX;
}

static inline bool scree_fixed_is_full(const uint64_t sum[2])
{
    return sum[0] == UINT64_MAX && sum[1] == UINT64_MAX;
}

/*  Adds another sum. */
static inline void scree_fixed_join(uint64_t sum[2], const uint64_t more[2])
{
    if (scree_fixed_is_full(sum))
        return;
    const uint64_t low = sum[0] + more[0], carry = low < more[0];
    const uint64_t high = sum[1] + more[1] + carry;
    const bool is_too_large = high < sum[1] || (carry && high == sum[1]);

    sum[0] = low;
    sum[1] = high;
    if (is_too_large || scree_fixed_is_full(more))
        scree_fixed_fill(sum);
}

static inline void scree_fixed_add(uint64_t sum[2], double term)
{
    const double scaled = term * SCREE_FIXED_HIGH;

    if (!(scaled < 0x1p62)) {
        scree_fixed_fill(sum);
        return;
    }
    const uint64_t high = (uint64_t)scaled;
    const uint64_t more[2] = {(uint64_t)((scaled - (double)high) * 0x1p64), high};
    scree_fixed_join(sum, more);
}

/*  INFINITY for a sum that did not fit. */
static inline double scree_fixed_value(const uint64_t sum[2])
{
    if (scree_fixed_is_full(sum))
        return INFINITY;
    return (double)sum[1] / SCREE_FIXED_HIGH + (double)sum[0] * 0x1p-80;
}

#endif
