/*  Morton codes: bodies with close codes are close in space. */
#ifndef SCREE_MORTON_H
#define SCREE_MORTON_H

#include "base/common.h"

/*  Spreads the bits of a number below 2^21 to every third bit, from the lowest. */
static inline uint64_t scree_morton_spread(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

#endif
