/*  A checksum of 64 bits: four chains of scree_hash_word, each over every fourth word, which a processor computes in
    parallel; then one over the four results and the length.

    Every step is a bijection of the chain for a given word, and of the word for a given chain. So a change within one
    aligned word of eight bytes, such as a single bit, is always detected. Any other change is missed with a probability
    of 2^-64. */
#ifndef SCREE_CHECKSUM_H
#define SCREE_CHECKSUM_H

#include "base/common.h"

#define SCREE_CHECKSUM_CHAINS 4
#define SCREE_CHECKSUM_BLOCK (SCREE_CHECKSUM_CHAINS * sizeof(uint64_t))

/*  The checksum of bytes that come in pieces. Words only, so that one process can go on where another has ended. */
typedef struct scree_checksum_state
{
    uint64_t chain[SCREE_CHECKSUM_CHAINS];
    uint64_t rest[SCREE_CHECKSUM_CHAINS]; /* the bytes of a block that is not full */
    uint64_t count;                       /* bytes so far */
} scree_checksum_state;

scree_checksum_state scree_checksum_begin(void);
void scree_checksum_add(scree_checksum_state *state, const void *bytes, size_t count);
uint64_t scree_checksum_end(const scree_checksum_state *state);

/*  Checksum of bytes, read as little-endian words and padded with zeros. */
uint64_t scree_checksum(const void *bytes, size_t count);

#endif
