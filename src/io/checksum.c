/*  Words are in the machine's byte order: all users are for little-endian machines only. */
#include "io/checksum.h"

#include "base/hash.h"

#define CHAINS 4
#define BLOCK_BYTES (CHAINS * sizeof(uint64_t))

static void add_block(uint64_t chain[CHAINS], const unsigned char *block)
{
    uint64_t word[CHAINS];

    memcpy(word, block, sizeof word);
    for (int k = 0; k < CHAINS; k++)
        chain[k] = scree_hash_word(chain[k], word[k]);
}

uint64_t scree_checksum(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t chain[CHAINS] = {SCREE_HASH_START, SCREE_HASH_START + 1, SCREE_HASH_START + 2,
                              SCREE_HASH_START + 3};
    uint64_t hash = SCREE_HASH_START;
    size_t left = count;

    for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES)
        add_block(chain, at);
    if (left > 0) {
        unsigned char last[BLOCK_BYTES] = {0};
        memcpy(last, at, left);
        add_block(chain, last);
    }
    for (int k = 0; k < CHAINS; k++)
        hash = scree_hash_word(hash, chain[k]);
    return scree_hash_word(hash, count);
}
