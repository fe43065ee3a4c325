/*  Lists of pairs in order: rows of neighbours and canonical pairs against a plain sort, for rows of
    every length that is sorted in a way of its own, for pairs enough to be cut into blocks and ids
    enough for many ranges, with one thread and three. */
#include "detect/pair_list.h"

#include "base/random.h"
#include "test.h"

static scree_workers open_workers(uint32_t threads)
{
    scree_workers workers;
    CHECK_EQUAL(scree_workers_init(&workers, NULL, threads, NULL, NULL), SCREE_OK);
    return workers;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/*  Distinct pairs below `bound`; those of a few hubs are many. */
static uint64_t make_pairs(scree_random *random, uint32_t bound, uint64_t wanted, uint32_t hubs,
                           uint64_t *key)
{
    uint64_t count = 0, kept = 0;
    for (; count < wanted; count++) {
        uint32_t i = scree_random_below(random, count % 2 && hubs ? hubs : bound);
        uint32_t j = scree_random_below(random, bound - 1);
        j += j >= i;
        key[count] = i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
    }
    qsort(key, count, sizeof *key, compare_keys);
    for (uint64_t k = 0; k < count; k++)
        if (k == 0 || key[k] != key[k - 1])
            key[kept++] = key[k];
    return kept;
}

static void check_rows(uint32_t bound, const uint64_t *key, uint64_t count, const uint64_t *start,
                       const uint32_t *neighbor, bool half)
{
    uint64_t entries = 0, k = 0, found = 0;
    for (uint32_t row = 0; row < bound; row++) {
        CHECK(start[row] == entries && start[row + 1] >= start[row]);
        entries = start[row + 1];
        for (uint64_t e = start[row]; e < start[row + 1]; e++) {
            CHECK(e == start[row] || neighbor[e - 1] < neighbor[e]);
            CHECK(neighbor[e] < bound);
            found += neighbor[e] < row;
            /* those after the row are the sorted pairs, one by one */
            if (neighbor[e] > row) {
                CHECK(k < count && key[k] == ((uint64_t)row << 32 | neighbor[e]));
                k++;
            }
        }
    }
    CHECK(k == count);
    CHECK(entries == (half ? count : 2 * count));
    CHECK(found == (half ? 0 : count));
}

static void try_pairs(uint32_t bound, uint64_t wanted, uint32_t hubs, uint32_t threads)
{
    scree_random random = scree_random_stream(31, bound + wanted);
    scree_workers workers = open_workers(threads);
    scree_pair_arrays arrays = {0};
    scree_memory memory;
    uint64_t *key = malloc((wanted + 1) * sizeof *key);
    uint64_t *start = malloc(((size_t)bound + 1) * sizeof *start);
    uint32_t *first = malloc((wanted + 1) * sizeof *first);
    uint32_t *second = malloc((wanted + 1) * sizeof *second);
    uint32_t *neighbor = malloc((2 * wanted + 1) * sizeof *neighbor);
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    uint64_t count = make_pairs(&random, bound, wanted, hubs, key);
    for (uint64_t k = 0; k < count; k++) {
        first[k] = (uint32_t)(key[k] >> 32);
        second[k] = (uint32_t)key[k];
    }
    for (uint64_t k = count; k-- > 1;) {
        uint64_t other = scree_random_below(&random, (uint32_t)k + 1);
        uint32_t i = first[k], j = second[k];
        first[k] = first[other];
        second[k] = second[other];
        first[other] = i;
        second[other] = j;
    }
    const scree_pair_list pairs = {count, first, second};
    memset(start, 0xff, ((size_t)bound + 1) * sizeof *start);
    CHECK_EQUAL(scree_pair_rows(&arrays, &memory, &workers, &pairs, bound, (scree_row_form){0},
                                start, neighbor),
                SCREE_OK);
    check_rows(bound, key, count, start, neighbor, false);
    /* half rows may take the place of the pairs */
    CHECK_EQUAL(scree_pair_rows(&arrays, &memory, &workers, &pairs, bound,
                                (scree_row_form){.half = true}, start, second),
                SCREE_OK);
    check_rows(bound, key, count, start, second, true);
    scree_pair_unroll(&workers, start, bound, first);
    for (uint64_t k = 0; k < count; k++)
        CHECK(key[k] == ((uint64_t)first[k] << 32 | second[k]));
    scree_pair_arrays_free(&arrays, &memory);
    CHECK_EQUAL(memory.bytes, 0);
    scree_workers_free(&workers);
    free(key);
    free(start);
    free(first);
    free(second);
    free(neighbor);
}

TEST(rows_of_every_length)
{
    for (uint32_t bound = 2; bound < 90; bound++)
        try_pairs(bound, (uint64_t)bound * bound, 0, 1);
    try_pairs(1000, 0, 0, 1);
    try_pairs(1000, 3000, 3, 1);
    try_pairs(300, 30000, 2, 1);
    try_pairs(100000, 60000, 2, 1);
}

TEST(ranges_and_blocks)
{
    static const uint32_t bounds[] = {4095, 4096, 4097, 8192, 70000, 3000000};
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        try_pairs(bounds[k], 200000, 0, 1);
        try_pairs(bounds[k], 200000, 5, 3);
    }
}

TEST(no_bodies_no_pairs)
{
    scree_workers workers = open_workers(1);
    scree_pair_arrays arrays = {0};
    scree_memory memory;
    const scree_pair_list none = {0, NULL, NULL};
    uint64_t start[1] = {7};
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(
        scree_pair_rows(&arrays, &memory, &workers, &none, 0, (scree_row_form){0}, start, NULL),
        SCREE_OK);
    CHECK_EQUAL(start[0], 0);
    scree_pair_unroll(&workers, start, 0, NULL);
    scree_workers_free(&workers);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(rows_of_every_length),
        CASE(ranges_and_blocks),
        CASE(no_bodies_no_pairs),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
