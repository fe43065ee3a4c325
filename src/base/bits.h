/*  Which bit of a word is the lowest that is set: masks are gone through by it. */
#ifndef SCREE_BITS_H
#define SCREE_BITS_H

#include "base/common.h"

/*  `bits` is not 0. */
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

#endif
