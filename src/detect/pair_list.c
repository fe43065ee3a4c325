/*  Rows of neighbours by sorting in two steps, each with good locality. Entries (row, neighbour) are first
    distributed to ranges of some thousand rows; then each range is finished within the second-level cache, by
    counting its rows and sorting each row. Blocks of pairs and ranges of rows are distributed over the workers; the
    result does not depend on that. Long rows are sorted by digits, so that the cost is proportional to their length. */
#include "detect/pair_list.h"

#include <string.h>

/*  Rows of a range: a power of two, at least this, and no more ranges than that. */
#define MIN_ROWS_BITS 12
#define MAX_RANGES 512u
/*  Pairs are divided into blocks of at least this many, and into at most this many blocks. */
#define MIN_BLOCK ((uint64_t)1 << 16)
#define MAX_BLOCKS 64u

void scree_pair_arrays_free(scree_pair_arrays *arrays, scree_memory *memory)
{
#define GIVE(name)                                                                                 \
    scree_memory_give(memory, &arrays->name, arrays->name##_capacity, sizeof *arrays->name)
    GIVE(first);
    GIVE(second);
    GIVE(neighbor);
    GIVE(start);
    GIVE(short_start);
    GIVE(entry);
    GIVE(place);
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

typedef struct row_sort
{
    const scree_pair_list *pairs;
    uint32_t bound;
    scree_row_form form;
    int bits; /* row >> bits is its range */
    size_t ranges, blocks;
    uint64_t block_pairs;
    uint64_t *entry, *place; /* place[block * ranges + range] */
    uint64_t *start;
    uint32_t *neighbor;
} row_sort;

static uint64_t block_end(const row_sort *sort, size_t block)
{
    uint64_t end = (block + 1) * sort->block_pairs;
    return end < sort->pairs->count ? end : sort->pairs->count;
}

/* ---- dealing out ---- */

static void count_block(void *data, size_t block, uint32_t worker)
{
    const row_sort *sort = data;
    uint64_t *count = sort->place + block * sort->ranges;
    const uint32_t *first = sort->pairs->first, *second = sort->pairs->second;
    (void)worker;
    memset(count, 0, sort->ranges * sizeof *count);
    for (uint64_t k = block * sort->block_pairs; k < block_end(sort, block); k++) {
        count[first[k] >> sort->bits]++;
        count[second[k] >> sort->bits] += !sort->form.half;
    }
}

/*  Counts become positions: all blocks' entries of the first range, in the order of the blocks, and so on. */
static void places_of_counts(const row_sort *sort)
{
    uint64_t sum = 0;
    for (size_t range = 0; range < sort->ranges; range++) {
        for (size_t block = 0; block < sort->blocks; block++) {
            uint64_t *place = &sort->place[block * sort->ranges + range], count = *place;
            *place = sum;
            sum += count;
        }
    }
}

static void deal_block(void *data, size_t block, uint32_t worker)
{
    const row_sort *sort = data;
    uint64_t *place = sort->place + block * sort->ranges, *entry = sort->entry;
    const uint32_t *first = sort->pairs->first, *second = sort->pairs->second;
    (void)worker;
    for (uint64_t k = block * sort->block_pairs; k < block_end(sort, block); k++) {
        uint64_t i = first[k], j = second[k];
        entry[place[i >> sort->bits]++] = i << 32 | j;
        if (!sort->form.half)
            entry[place[j >> sort->bits]++] = j << 32 | i;
    }
}

/* ---- one range ---- */

/*  Rows are short and unordered, so branches would be mispredicted. Each entry is compared with all others, and its
    position is the number of smaller ones; no two are equal. */
#define SORT_BY_RANK(width)                                                                        \
    static void sort_##width(uint32_t *row, uint64_t count)                                        \
    {                                                                                              \
        int32_t value[width], rank[width];                                                         \
        for (uint32_t k = 0; k < (width); k++) {                                                   \
            value[k] = k < count ? (int32_t)row[k] : INT32_MAX;                                    \
            rank[k] = 0;                                                                           \
        }                                                                                          \
        for (uint32_t other = 0; other < count; other++)                                           \
            for (uint32_t k = 0; k < (width); k++)                                                 \
                rank[k] += value[other] < value[k];                                                \
        for (uint32_t k = 0; k < count; k++)                                                       \
            row[rank[k]] = (uint32_t)value[k];                                                     \
    }
SORT_BY_RANK(8)
SORT_BY_RANK(16)
SORT_BY_RANK(64)

/*  Radix sort by bytes, the lowest first; a byte that is equal in all entries costs no pass. */
static void sort_long(uint32_t *row, uint64_t count, uint32_t *scratch)
{
    uint32_t *from = row, *to = scratch;
    for (int shift = 0; shift < 32; shift += 8) {
        uint64_t place[256] = {0}, sum = 0;
        for (uint64_t k = 0; k < count; k++)
            place[from[k] >> shift & 255]++;
        if (place[from[0] >> shift & 255] == count)
            continue;
        for (int digit = 0; digit < 256; digit++) {
            uint64_t here = place[digit];
            place[digit] = sum;
            sum += here;
        }
        for (uint64_t k = 0; k < count; k++)
            to[place[from[k] >> shift & 255]++] = from[k];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != row)
        memcpy(row, from, count * sizeof *row);
}

static void sort_row(uint32_t *row, uint64_t count, uint32_t *scratch)
{
    if (count > 64)
        sort_long(row, count, scratch);
    else if (count > 16)
        sort_64(row, count);
    else if (count > 8)
        sort_16(row, count);
    else if (count > 1)
        sort_8(row, count);
}

/*  After distribution, the last block's positions are the ends of the ranges. */
static uint64_t range_end(const row_sort *sort, size_t range)
{
    return sort->place[(sort->blocks - 1) * sort->ranges + range];
}

static void finish_range(void *data, size_t range, uint32_t worker)
{
    const row_sort *sort = data;
    uint64_t *start = sort->start, *entry = sort->entry;
    uint32_t row = (uint32_t)range << sort->bits, first_row = row;
    uint32_t last_row =
        sort->bound - row > 1u << sort->bits ? row + (1u << sort->bits) : sort->bound;
    uint64_t begin = range ? range_end(sort, range - 1) : 0, end = range_end(sort, range);
    (void)worker;
    memset(start + row, 0, (last_row - row) * sizeof *start);
    for (uint64_t k = begin; k < end; k++)
        start[entry[k] >> 32]++;
    for (uint64_t sum = begin; row < last_row; row++) {
        uint64_t count = start[row];
        start[row] = sum;
        sum += count;
    }
    /* filling a row moves its start to its end, which is the start of the next */
    for (uint64_t k = begin; k < end; k++)
        sort->neighbor[start[entry[k] >> 32]++] = (uint32_t)entry[k];
    memmove(start + first_row + 1, start + first_row, (last_row - first_row - 1) * sizeof *start);
    start[first_row] = begin;
    for (row = first_row; row < last_row && !sort->form.as_found; row++) {
        uint64_t from = start[row], count = (row + 1 < last_row ? start[row + 1] : end) - from;
        /* the entries of the range have been read, so their memory can be used */
        sort_row(sort->neighbor + from, count, (uint32_t *)(entry + from));
    }
}

scree_status scree_pair_rows(scree_pair_arrays *arrays, scree_memory *memory,
                             const scree_workers *workers, const scree_pair_list *pairs,
                             uint32_t bound, scree_row_form form, uint64_t *start,
                             uint32_t *neighbor)
{
    row_sort sort = {.pairs = pairs, .bound = bound, .form = form, .bits = MIN_ROWS_BITS};
    size_t entries;
    start[bound] = form.half ? pairs->count : 2 * pairs->count;
    if (pairs->count == 0) {
        memset(start, 0, bound * sizeof *start);
        return SCREE_OK;
    }
    while (bound >> sort.bits >= MAX_RANGES)
        sort.bits++;
    sort.ranges = (size_t)((bound - 1) >> sort.bits) + 1;
    sort.block_pairs = pairs->count / MAX_BLOCKS + 1; /* only speed */
    if (sort.block_pairs < MIN_BLOCK)
        sort.block_pairs = MIN_BLOCK;
    sort.blocks = (size_t)((pairs->count - 1) / sort.block_pairs) + 1;
    if (pairs->count > UINT64_MAX / 2 || to_size(start[bound], &entries) ||
        RESERVE(entry, entries) || RESERVE(place, sort.blocks * sort.ranges))
        return SCREE_OUT_OF_MEMORY;
    sort.entry = arrays->entry;
    sort.place = arrays->place;
    sort.start = start;
    sort.neighbor = neighbor;
    scree_workers_run(workers, sort.blocks, count_block, &sort);
    places_of_counts(&sort);
    scree_workers_run(workers, sort.blocks, deal_block, &sort);
    scree_workers_run(workers, sort.ranges, finish_range, &sort);
    return SCREE_OK;
}

/* ---- unrolling ---- */

typedef struct unrolling
{
    const uint64_t *start;
    uint32_t bound;
    uint32_t *first;
} unrolling;

static void unroll_rows(void *data, size_t block, uint32_t worker)
{
    const unrolling *u = data;
    uint32_t end = (uint32_t)scree_block_end(block, 1u << MIN_ROWS_BITS, u->bound);
    (void)worker;
    for (uint32_t row = (uint32_t)block << MIN_ROWS_BITS; row < end; row++)
        for (uint64_t k = u->start[row]; k < u->start[row + 1]; k++)
            u->first[k] = row;
}

void scree_pair_unroll(const scree_workers *workers, const uint64_t *start, uint32_t bound,
                       uint32_t *first)
{
    unrolling u = {start, bound, first};
    scree_workers_run(workers, scree_block_count(bound, 1u << MIN_ROWS_BITS), unroll_rows, &u);
}
