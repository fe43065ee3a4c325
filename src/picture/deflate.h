/*  Compression as in zlib streams (RFC 1950, 1951): repetitions, then Huffman codes made for each block. */
#ifndef SCREE_DEFLATE_H
#define SCREE_DEFLATE_H

#include "base/memory.h"

typedef struct scree_deflated
{
    uint8_t *bytes;
    size_t count, capacity;
} scree_deflated;

/*  Appends a whole stream to the output. SCREE_OUT_OF_MEMORY. */
scree_status scree_deflate(const uint8_t *bytes, size_t count, scree_memory *memory,
                           scree_deflated *out);

/*  Code lengths of symbols, at most 286, with these weights, none longer than `limit`; 0 for a weight of 0. */
void scree_code_lengths(const uint32_t *weight, uint32_t count, unsigned limit, uint8_t *length);

#endif
