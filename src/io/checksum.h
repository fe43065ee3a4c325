/*  A checksum of 64 bits: four chains of scree_hash_word, each over every fourth word, so that a processor
    works on all four at once; then one over the four ends and the length.

    Every step is a bijection of the chain for a given word, and of the word for a given chain. So a change
    within one aligned word of eight bytes is always noticed, a single bit above all; any other with a chance
    of one in 2^64. */
#ifndef SCREE_CHECKSUM_H
#define SCREE_CHECKSUM_H

#include "base/common.h"

/*  Of bytes that are read as words, little-endian; behind the end are zeros. */
uint64_t scree_checksum(const void *bytes, size_t count);

#endif
