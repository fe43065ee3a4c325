/*  The radix sort against a slow, obvious stable sort, for all kinds of input, counts around its
    limits, any number of workers, and without memory. */
#include "base/radix_sort.h"
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <float.h>
#include <math.h>

#define MOST 100000

static uint64_t keys[MOST], wanted[MOST];
static uint32_t short_keys[MOST], payload[MOST], wanted_payload[MOST];
static scree_workers workers_of[8]; /* of 1, 2 and 7 threads */

/* ---- the slow, obvious reference ---- */

typedef struct item
{
    uint64_t key;
    uint32_t place, payload;
} item;

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static void sort_slowly(uint64_t *key, uint32_t *carried, size_t count)
{
    item *items = malloc((count + 1) * sizeof *items);

    for (size_t i = 0; i < count; i++)
        items[i] = (item){key[i], (uint32_t)i, carried[i]};
    qsort(items, count, sizeof *items, compare_items);
    for (size_t i = 0; i < count; i++) {
        key[i] = items[i].key;
        carried[i] = items[i].payload;
    }
    free(items);
}

/* ---- inputs ---- */

enum
{
    RANDOM_BITS,
    SORTED,
    REVERSED,
    EQUAL,
    FEW_DISTINCT,
    ONE_DIGIT,     /* one pass: the result ends in the scratch arrays */
    HIGH_DIGIT,    /* only the last digit differs */
    NEARLY_SORTED, /* the last key is the smallest */
    SMALL_RANGE,   /* of doubles */
    KIND_COUNT
};

static uint64_t key_of_kind(int kind, size_t i, size_t count, scree_random *random)
{
    uint64_t bits = scree_random_u64(random);

    switch (kind) {
    case RANDOM_BITS:
        return bits;
    case SORTED:
        return i * 3;
    case REVERSED:
        return (count - i) * 5;
    case EQUAL:
        return 0x0123456789ABCDEFu;
    case FEW_DISTINCT:
        return (bits % 3) * 0x0100010001000101u;
    case ONE_DIGIT:
        return 0xFF00FF0000000000u | (bits & 0xFF0000);
    case HIGH_DIGIT:
        return bits & 0xFF000000FF000000u;
    case NEARLY_SORTED:
        return i + 1 < count ? i + 7 : 0;
    default:
        return scree_key_of_double((double)(bits % 1000) - 500.0);
    }
}

static void fill(int kind, size_t count, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, (uint64_t)kind);

    for (size_t i = 0; i < count; i++) {
        keys[i] = key_of_kind(kind, i, count, &random);
        short_keys[i] = (uint32_t)(keys[i] ^ keys[i] >> 32);
        payload[i] = (uint32_t)i * 2654435761u;
    }
}

#define CHECK_SAME(got, expected, count, kind)                                                     \
    do {                                                                                           \
        for (size_t check_i = 0; check_i < (count); check_i++)                                     \
            if ((got)[check_i] != (expected)[check_i])                                             \
                FAIL("%s: kind %d, count %zu, place %zu", #got, kind, (size_t)(count), check_i);   \
    } while (0)

static void check_u64(scree_sorter *sorter, scree_memory *memory, int kind, size_t count,
                      int threads)
{
    fill(kind, count, 1);
    memcpy(wanted, keys, count * sizeof *keys);
    memcpy(wanted_payload, payload, count * sizeof *payload);
    sort_slowly(wanted, wanted_payload, count);
    CHECK_EQUAL(scree_sort_u64(sorter, memory, &workers_of[threads], keys, payload, count),
                SCREE_OK);
    CHECK_SAME(keys, wanted, count, kind);
    CHECK_SAME(payload, wanted_payload, count, kind);

    fill(kind, count, 1);
    CHECK_EQUAL(scree_sort_u64(sorter, memory, &workers_of[threads], keys, NULL, count), SCREE_OK);
    CHECK_SAME(keys, wanted, count, kind);
}

static void check_u32(scree_sorter *sorter, scree_memory *memory, int kind, size_t count,
                      int threads)
{
    fill(kind, count, 2);
    for (size_t i = 0; i < count; i++)
        wanted[i] = short_keys[i];
    memcpy(wanted_payload, payload, count * sizeof *payload);
    sort_slowly(wanted, wanted_payload, count);
    CHECK_EQUAL(scree_sort_u32(sorter, memory, &workers_of[threads], short_keys, payload, count),
                SCREE_OK);
    CHECK_SAME(short_keys, wanted, count, kind);
    CHECK_SAME(payload, wanted_payload, count, kind);

    fill(kind, count, 2);
    CHECK_EQUAL(scree_sort_u32(sorter, memory, &workers_of[threads], short_keys, NULL, count),
                SCREE_OK);
    CHECK_SAME(short_keys, wanted, count, kind);
}

static void check_with_threads(int threads)
{
    static const size_t counts[] = {0, 1, 2, 3, 63, 64, 65, 1000, 16384, 16385, MOST};
    failing_allocator books = {0};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_sorter sorter = {0};
    scree_memory memory;

    scree_memory_init(&memory, &hooks);
    CHECK_EQUAL(scree_workers_init(&workers_of[threads], NULL, (uint32_t)threads, NULL, NULL),
                SCREE_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            check_u64(&sorter, &memory, kind, counts[i], threads);
            check_u32(&sorter, &memory, kind, counts[i], threads);
        }
    scree_workers_free(&workers_of[threads]);
    scree_sorter_free(&sorter, &memory);
    CHECK_EQUAL(memory.bytes, 0);
    CHECK(failing_allocator_is_clean(&books));
}

TEST(sorts_with_one_thread)
{
    check_with_threads(1);
}

TEST(sorts_with_two_threads)
{
    check_with_threads(2);
}

TEST(sorts_with_seven_threads)
{
    check_with_threads(7);
}

/* ---- what it does not do ---- */

static const scree_workers alone = {.count = 1};

TEST(sorts_nothing_at_null)
{
    scree_sorter sorter = {0};
    scree_memory memory;

    scree_memory_init(&memory, NULL);
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, NULL, NULL, 0), SCREE_OK);
    CHECK_EQUAL(scree_sort_u32(&sorter, &memory, &alone, NULL, NULL, 0), SCREE_OK);
    scree_sorter_free(&sorter, &memory);
}

TEST(refuses_more_keys_than_places)
{
#if SIZE_MAX > UINT32_MAX
    scree_sorter sorter = {0};
    scree_memory memory;
    size_t too_many = (size_t)UINT32_MAX + 1;

    scree_memory_init(&memory, NULL);
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, NULL, too_many), SCREE_TOO_LARGE);
    CHECK_EQUAL(scree_sort_u32(&sorter, &memory, &alone, short_keys, NULL, too_many),
                SCREE_TOO_LARGE);
#endif
}

TEST(needs_no_memory_for_few_or_ordered_keys)
{
    failing_allocator books = {.fail_at = 1, .fail_all_after = true};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_sorter sorter = {0};
    scree_memory memory;

    scree_memory_init(&memory, &hooks);
    fill(RANDOM_BITS, 63, 3);
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, 63), SCREE_OK);
    fill(SORTED, MOST, 3);
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, MOST), SCREE_OK);
    fill(EQUAL, MOST, 3);
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, MOST), SCREE_OK);
    CHECK_EQUAL(books.requests, 0);
}

TEST(keeps_its_scratch_memory)
{
    failing_allocator books = {0};
    scree_allocator hooks = failing_allocator_hooks(&books);
    scree_sorter sorter = {0};
    scree_memory memory;

    scree_memory_init(&memory, &hooks);
    for (int run = 0; run < 5; run++) {
        fill(RANDOM_BITS, 20000, 4);
        CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, 20000), SCREE_OK);
        CHECK_EQUAL(scree_sort_u32(&sorter, &memory, &alone, short_keys, payload, 15000), SCREE_OK);
    }
    CHECK_EQUAL(books.requests, 3);
    scree_sorter_free(&sorter, &memory);
    CHECK(failing_allocator_is_clean(&books));
}

TEST(without_memory_nothing_moves)
{
    size_t count = 1000;

    for (size_t k = 1; k <= 3; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_sorter sorter = {0};
        scree_memory memory;

        scree_memory_init(&memory, &hooks);
        fill(RANDOM_BITS, count, 5);
        memcpy(wanted, keys, count * sizeof *keys);
        memcpy(wanted_payload, payload, count * sizeof *payload);
        CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, count),
                    SCREE_OUT_OF_MEMORY);
        CHECK_SAME(keys, wanted, count, RANDOM_BITS);
        CHECK_SAME(payload, wanted_payload, count, RANDOM_BITS);

        /* and the next attempt succeeds */
        sort_slowly(wanted, wanted_payload, count);
        CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, count), SCREE_OK);
        CHECK_SAME(keys, wanted, count, RANDOM_BITS);
        CHECK_SAME(payload, wanted_payload, count, RANDOM_BITS);
        scree_sorter_free(&sorter, &memory);
        CHECK(failing_allocator_is_clean(&books));
    }
}

/* ---- keys of doubles ---- */

TEST(keys_order_as_their_doubles)
{
    static const double rising[] = {
        -INFINITY, -DBL_MAX,  -1e10,   -1.5, -1.0, -DBL_MIN, -0x1p-1060, -0x1p-1074, 0.0,
        0x1p-1074, 0x1p-1060, DBL_MIN, 0.5,  1.0,  1.5,      DBL_MAX,    INFINITY,
    };
    size_t count = sizeof rising / sizeof *rising;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            uint64_t a = scree_key_of_double(rising[i]), b = scree_key_of_double(rising[j]);
            CHECK((a < b) == (rising[i] < rising[j]));
            CHECK((a == b) == (i == j));
        }
    CHECK(scree_key_of_double(-0.0) == scree_key_of_double(0.0));
}

TEST(doubles_sort_by_their_keys)
{
    static double numbers[5000];
    scree_random random = scree_random_stream(6, 0);
    scree_sorter sorter = {0};
    scree_memory memory;
    uint32_t count = 5000;

    scree_memory_init(&memory, NULL);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = scree_random_normal(&random) * (i % 5 == 0 ? 1e-310 : 1e3);
        if (i % 7 == 0)
            numbers[i] = i % 2 ? -0.0 : 0.0;
        keys[i] = scree_key_of_double(numbers[i]);
        payload[i] = i;
    }
    CHECK_EQUAL(scree_sort_u64(&sorter, &memory, &alone, keys, payload, count), SCREE_OK);
    for (uint32_t i = 1; i < count; i++) {
        double before = numbers[payload[i - 1]], after = numbers[payload[i]];
        /* -0.0 and +0.0 are equal, so they stay in their order */
        CHECK(before < after || (before == after && payload[i - 1] < payload[i]));
    }
    scree_sorter_free(&sorter, &memory);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sorts_with_one_thread),         CASE(sorts_with_two_threads),
        CASE(sorts_with_seven_threads),      CASE(sorts_nothing_at_null),
        CASE(refuses_more_keys_than_places), CASE(needs_no_memory_for_few_or_ordered_keys),
        CASE(keeps_its_scratch_memory),      CASE(without_memory_nothing_moves),
        CASE(keys_order_as_their_doubles),   CASE(doubles_sort_by_their_keys),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
