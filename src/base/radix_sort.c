/*  Least significant digit radix sort, eight bits per pass. Each pass counts the digits of every block, turns the
    counts into positions (all blocks' zeros first, in block order, then all ones, ...) and lets every block move its
    own items there. A stable sort has only one result, so it does not depend on blocks or threads. */
#include "base/radix_sort.h"

#include <stdatomic.h>
#include <string.h>

#define SORT_BLOCK                                                                                 \
    ((size_t)16384)           /* 128 KiB of keys: one worker's share of a second-level cache \
                               */
#define SORT_FEW ((size_t)64) /* below this insertion sort beats the 256 counts of a pass */
#define SORT_DIGITS 256u

/*  Turns counts into positions: counts[block][digit] becomes that of the block's first item with that digit. */
static void places_of_counts(uint32_t *counts, size_t block_count)
{
    uint32_t start[SORT_DIGITS] = {0}, sum = 0;

    for (size_t block = 0; block < block_count; block++)
        for (size_t digit = 0; digit < SORT_DIGITS; digit++)
            start[digit] += counts[block * SORT_DIGITS + digit];
    for (size_t digit = 0; digit < SORT_DIGITS; digit++) {
        uint32_t n = start[digit];
        start[digit] = sum;
        sum += n;
    }
    for (size_t block = 0; block < block_count; block++, counts += SORT_DIGITS)
        for (size_t digit = 0; digit < SORT_DIGITS; digit++) {
            uint32_t n = counts[digit];
            counts[digit] = start[digit];
            start[digit] += n;
        }
}

/*  Allocates everything a sort can need, so that the rest cannot fail. */
static scree_status reserve_scratch(scree_sorter *sorter, scree_memory *memory, size_t keys_bytes,
                                    size_t payload_count, size_t block_count)
{
    scree_status status =
        scree_memory_reserve(memory, &sorter->keys, &sorter->keys_bytes, keys_bytes, 1);

    if (!status)
        status = scree_memory_reserve(memory, &sorter->payload, &sorter->payload_capacity,
                                      payload_count, sizeof *sorter->payload);
    if (!status)
        status = scree_memory_reserve(memory, &sorter->histograms, &sorter->histogram_capacity,
                                      block_count * SORT_DIGITS, sizeof *sorter->histograms);
    return status;
}

#define sort_key uint32_t
#define SORT_FN(name) name##_u32
#include "base/radix_sort.inc.h"
#undef sort_key
#undef SORT_FN

#define sort_key uint64_t
#define SORT_FN(name) name##_u64
#include "base/radix_sort.inc.h"
#undef sort_key
#undef SORT_FN

void scree_sorter_free(scree_sorter *sorter, scree_memory *memory)
{
    scree_memory_give(memory, &sorter->keys, sorter->keys_bytes, 1);
    scree_memory_give(memory, &sorter->payload, sorter->payload_capacity, sizeof *sorter->payload);
    scree_memory_give(memory, &sorter->histograms, sorter->histogram_capacity,
                      sizeof *sorter->histograms);
    *sorter = (scree_sorter){0};
}
