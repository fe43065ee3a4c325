/*  A checksum of 64 bits: four chains of scree_hash_word, each over every fourth word, which a processor computes in
    parallel; then one over the four results and the length.

    Every step is a bijection of the chain for a given word, and of the word for a given chain. So a change within one
    aligned word of eight bytes, such as a single bit, is always detected. Any other change is missed with a probability
    of 2^-64. */
#ifndef SCREE_CHECKSUM_H
#define SCREE_CHECKSUM_H

#include "base/common.h"

/*  Checksum of bytes, read as little-endian words and padded with zeros. */
uint64_t scree_checksum(const void *bytes, size_t count);

#endif
