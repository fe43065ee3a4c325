/*  Stable radix sorts of keys with a payload, least significant digit first, parallel by fixed blocks: the result does
    not depend on the number of threads. Digits that are equal in all keys cost no pass. Keys that are already in order
    cost one scan in total. */
#ifndef SCREE_RADIX_SORT_H
#define SCREE_RADIX_SORT_H

#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

/*  Sorts keys[0..count) ascending and payload with them. Scratch memory is kept in `sorter` for the
    next time; a new sorter is all zero. `payload` may be NULL. SCREE_OUT_OF_MEMORY, and
    SCREE_TOO_LARGE for more than 2^32 - 1 keys, leave the arrays as they were. */
typedef struct scree_sorter
{
    void *keys;           /* count keys */
    uint32_t *payload;    /* count payloads */
    uint32_t *histograms; /* 256 counts a block */
    size_t keys_bytes, payload_capacity, histogram_capacity;
} scree_sorter;

scree_status scree_sort_u32(scree_sorter *sorter, scree_memory *memory,
                            const scree_workers *workers, uint32_t *keys, uint32_t *payload,
                            size_t count);
scree_status scree_sort_u64(scree_sorter *sorter, scree_memory *memory,
                            const scree_workers *workers, uint64_t *keys, uint32_t *payload,
                            size_t count);
void scree_sorter_free(scree_sorter *sorter, scree_memory *memory);

/*  Returns a key with the same order as the number, for all doubles except NaN; -0.0 and +0.0 get the same key. */
static inline uint64_t scree_key_of_double(double value)
{
    double sum = value + 0.0; /* -0.0 + 0.0 is +0.0 */
    uint64_t bits, sign;

    memcpy(&bits, &sum, sizeof bits);
    sign = (uint64_t)1 << 63;
    return bits ^ (bits & sign ? ~(uint64_t)0 : sign);
}

#endif
