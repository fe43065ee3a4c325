/*  Sums of terms that are not negative, as whole numbers of 2^-80 in two words, the lower first. Each term is cut to a
    whole number once, so the order of terms makes no difference. A sum that would not fit, or has a term that is not
    finite, is all ones from then on. */
#ifndef SCREE_FIXED_SUM_H
#define SCREE_FIXED_SUM_H

#include <math.h>
#include <stdint.h>

#define SCREE_FIXED_HIGH 65536.0 /* 2^16: the upper word counts 2^-16 */

static inline void scree_fixed_fill(uint64_t sum[2])
{
    sum[0] = sum[1] = UINT64_MAX;
}

static inline void scree_fixed_add(uint64_t sum[2], double term)
{
    const double scaled = term * SCREE_FIXED_HIGH;

    if (!(scaled < 0x1p62)) {
        scree_fixed_fill(sum);
        return;
    }
    const uint64_t high = (uint64_t)scaled;
    const uint64_t low = (uint64_t)((scaled - (double)high) * 0x1p64);
    const uint64_t before[2] = {sum[0], sum[1]};
    sum[0] += low;
    sum[1] += high + (sum[0] < low);
    if (sum[1] < before[1] || (before[0] == UINT64_MAX && before[1] == UINT64_MAX))
        scree_fixed_fill(sum);
}

/*  INFINITY for a sum that did not fit. */
static inline double scree_fixed_value(const uint64_t sum[2])
{
    if (sum[0] == UINT64_MAX && sum[1] == UINT64_MAX)
        return INFINITY;
    return (double)sum[1] / SCREE_FIXED_HIGH + (double)sum[0] * 0x1p-80;
}

#endif
