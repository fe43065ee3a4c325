/*  Rows are sorted by transposing twice: pairs are put into rows by their second end in any order;
    reading those rows in ascending order and appending to rows by the first end leaves each of
   these ascending. No row, however long, is ever sorted by comparison. */
#include "detect/pair_list.h"

#include <string.h>

void scree_pair_arrays_free(scree_pair_arrays *arrays, scree_memory *memory)
{
#define GIVE(name)                                                                                 \
    scree_memory_give(memory, &arrays->name, arrays->name##_capacity, sizeof *arrays->name)
    GIVE(first);
    GIVE(second);
    GIVE(neighbor);
    GIVE(start);
    GIVE(by_second);
    GIVE(by_second_start);
#undef GIVE
}

#define RESERVE(name, wanted)                                                                      \
    scree_memory_reserve(memory, &arrays->name, &arrays->name##_capacity, wanted,                  \
                         sizeof *arrays->name)

/*  size_t may be narrower than a count of pairs: one that cannot be stored cannot be allocated. */
static scree_status to_size(uint64_t count, size_t *size)
{
    *size = (size_t)count;
    return *size == count ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

scree_status scree_pair_arrays_reserve(scree_pair_arrays *arrays, scree_memory *memory,
                                       uint64_t count)
{
    size_t size;
    if (to_size(count, &size) || RESERVE(first, size) || RESERVE(second, size))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

/*  Turns counts, kept one place up, into starts that will be right once the rows are filled:
   filling row i moves start[i + 1] from the row's beginning to its end. */
static void counts_to_starts(uint64_t *start, uint32_t bound)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i <= bound; i++) {
        uint64_t count = start[i];
        start[i] = sum;
        sum += count;
    }
}

scree_status scree_pair_rows(scree_pair_arrays *arrays, scree_memory *memory, const uint32_t *first,
                             const uint32_t *second, uint64_t count, uint32_t bound, bool half,
                             uint64_t *start, uint32_t *neighbor)
{
    size_t entries;
    if (count > SIZE_MAX / 2 || to_size(half ? count : 2 * count, &entries) ||
        RESERVE(by_second, entries) || RESERVE(by_second_start, (size_t)bound + 2))
        return SCREE_OUT_OF_MEMORY;

    /* two places up, so that after counts_to_starts row r begins at [r + 1], and after filling [r]
     */
    uint64_t *from = arrays->by_second_start;
    memset(from, 0, ((size_t)bound + 2) * sizeof *from);
    memset(start, 0, ((size_t)bound + 1) * sizeof *start);
    for (uint64_t k = 0; k < count; k++) {
        from[second[k] + 1]++;
        start[first[k]]++;
        if (!half) {
            from[first[k] + 1]++;
            start[second[k]]++;
        }
    }
    counts_to_starts(from, bound + 1);
    counts_to_starts(start, bound);

    for (uint64_t k = 0; k < count; k++) {
        arrays->by_second[from[second[k] + 1]++] = first[k];
        if (!half)
            arrays->by_second[from[first[k] + 1]++] = second[k];
    }
    for (uint32_t row = 0; row < bound; row++)
        for (uint64_t k = from[row]; k < from[row + 1]; k++)
            neighbor[start[arrays->by_second[k]]++] = row;

    /* each start has moved to the end of its row, which is the start of the next */
    memmove(start + 1, start, (size_t)bound * sizeof *start);
    start[0] = 0;
    return SCREE_OK;
}

void scree_pair_unroll(const uint64_t *start, const uint32_t *neighbor, uint32_t bound,
                       uint32_t *first, uint32_t *second)
{
    for (uint32_t i = 0; i < bound; i++) {
        for (uint64_t k = start[i]; k < start[i + 1]; k++) {
            first[k] = i;
            second[k] = neighbor[k];
        }
    }
}
