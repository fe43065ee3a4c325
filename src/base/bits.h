/*  Bit masks: the index of the lowest set bit, and the number of set bits. */
#ifndef SCREE_BITS_H
#define SCREE_BITS_H

#include "base/common.h"

/*  `bits` must not be 0. */
static inline uint32_t scree_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t at = 0;
    while (!(bits >> at & 1u))
        at++;
    return at;
#endif
}

static inline uint32_t scree_count_bits(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcount(bits);
#else
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
#endif
}

#endif
