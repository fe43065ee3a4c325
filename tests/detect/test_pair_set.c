/*  The set of pairs that insertion-sort keeps, against a matrix. */
#include "detect/pair_set.h"

#include "base/random.h"
#include "harness/failing_allocator.h"
#include "test.h"

#define BODIES 60u

static bool there[BODIES][BODIES]; /* i < j */
static scree_random source;

static int compare_changes(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void check_set(const scree_pair_set *set)
{
    uint64_t count = 0;
    CHECK(scree_pair_set_is_valid(set));
    for (uint32_t i = 0; i < set->bound; i++) {
        scree_pair_run run = set->run[i];
        uint32_t before = i;
        for (size_t p = run.first; p < run.first + run.count; p++) {
            uint32_t j = set->partner[p];
            CHECK(j > before && j < BODIES && there[i][j]);
            before = j;
            count++;
        }
    }
    for (uint32_t i = 0; i < BODIES; i++)
        for (uint32_t j = 0; j < BODIES; j++)
            count -= there[i][j];
    CHECK_EQUAL(count, 0);
}

/*  Random changes, sorted, some twice and some that are so already; returns how many. */
static size_t make_changes(uint64_t *changes, size_t most)
{
    size_t count = 0;
    while (count < most) {
        uint32_t i = scree_random_below(&source, BODIES), j = scree_random_below(&source, BODIES);
        bool begins = scree_random_below(&source, 8) < 4 + (i % 3);
        if (i == j)
            continue;
        /* of one pair not both in one go */
        bool other = false;
        for (size_t c = 0; c < count; c++)
            other |= changes[c] == scree_pair_change(i, j, !begins);
        if (!other)
            changes[count++] = scree_pair_change(j, i, begins);
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    return count;
}

static void change_matrix(const uint64_t *changes, size_t count, uint64_t *created,
                          uint64_t *destroyed)
{
    for (size_t c = 0; c < count; c++) {
        uint32_t i = (uint32_t)(changes[c] >> 32), j = (uint32_t)changes[c] >> 1;
        bool begins = changes[c] & 1;
        *created += begins && !there[i][j];
        *destroyed += !begins && there[i][j];
        there[i][j] = begins;
    }
}

static bool is_odd_sum(const void *data, uint32_t i, uint32_t j)
{
    (void)data;
    return (i + j) % 2 == 1;
}

static bool keeps_none(const void *data, uint32_t i, uint32_t j)
{
    (void)data;
    (void)i;
    (void)j;
    return false;
}

TEST(holds_what_a_matrix_holds)
{
    scree_memory memory;
    scree_pair_set set = {0};
    uint64_t changes[400], created = 0, destroyed = 0;
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    source = scree_random_stream(31, 0);
    memset(there, 0, sizeof there);
    for (int step = 0; step < 3000; step++) {
        size_t count = make_changes(changes, scree_random_below(&source, step % 50 ? 20 : 400));
        CHECK_EQUAL(scree_pair_set_reserve(&set, &memory, BODIES), SCREE_OK);
        CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes, count), SCREE_OK);
        change_matrix(changes, count, &created, &destroyed);
        if (step % 97 == 0) {
            scree_pair_set_prune(&set, is_odd_sum, NULL);
            for (uint32_t i = 0; i < BODIES; i++)
                for (uint32_t j = 0; j < BODIES; j++)
                    if (there[i][j] && !is_odd_sum(NULL, i, j)) {
                        there[i][j] = false;
                        destroyed++;
                    }
        }
        check_set(&set);
        CHECK_EQUAL(set.created, created);
        CHECK_EQUAL(set.destroyed, destroyed);
    }
    CHECK(created > 10000 && destroyed > 10000);
    scree_pair_set_free(&set, &memory);
    CHECK_EQUAL(memory.bytes, 0);
}

/*  Lists grow and shrink a million times, and memory stays what it was after the first of them. */
TEST(does_not_grow_over_time)
{
    scree_memory memory;
    scree_pair_set set = {0};
    size_t bytes = 0;
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_pair_set_reserve(&set, &memory, 1000), SCREE_OK);
    for (uint32_t round = 0; round < 5000; round++) {
        uint64_t changes[200];
        uint32_t first = round * 7 % 700;
        for (int begins = 1; begins >= 0; begins--) {
            for (uint32_t c = 0; c < 200; c++)
                changes[c] = scree_pair_change(first + c / 50,
                                               first + 10 + c % 50 * (1 + round % 3), begins);
            CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes, 200), SCREE_OK);
        }
        CHECK(scree_pair_set_is_valid(&set));
        if (round == 10)
            bytes = memory.bytes;
        if (round > 10)
            CHECK_EQUAL(memory.bytes, bytes);
    }
    CHECK_EQUAL(set.count, 0);
    CHECK_EQUAL(set.created, 1000000);
    scree_pair_set_free(&set, &memory);
}

/*  A body with all others for partners gets them in two goes, every other one in each. */
TEST(merges_long_lists)
{
    enum
    {
        count = 100000
    };
    static uint64_t changes[count];
    scree_memory memory;
    scree_pair_set set = {0};
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_pair_set_reserve(&set, &memory, count + 1), SCREE_OK);
    for (uint32_t part = 0; part < 2; part++) {
        for (uint32_t j = 0; j < count / 2; j++)
            changes[j] = scree_pair_change(0, 1 + 2 * j + part, true);
        CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes, count / 2), SCREE_OK);
    }
    CHECK_EQUAL(set.count, count);
    CHECK(scree_pair_set_is_valid(&set));
    for (uint32_t j = 0; j < count; j++)
        CHECK_EQUAL(set.partner[set.run[0].first + j], j + 1);

    /* what is left of it needs no long run, and without partners none at all */
    for (uint32_t j = 3; j < count; j++)
        changes[j] = scree_pair_change(0, 1 + j, false);
    CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes + 3, count - 3), SCREE_OK);
    CHECK_EQUAL(set.run[0].room, 4);
    scree_pair_set_prune(&set, keeps_none, NULL);
    CHECK_EQUAL(set.run[0].room, 0);
    CHECK_EQUAL(set.destroyed, count);
    CHECK(scree_pair_set_is_valid(&set));
    scree_pair_set_free(&set, &memory);
}

TEST(stays_whole_without_memory)
{
    for (size_t fail_at = 1;; fail_at++) {
        failing_allocator allocator = {.fail_at = fail_at};
        scree_allocator hooks = failing_allocator_hooks(&allocator);
        scree_memory memory;
        scree_pair_set set = {0};
        uint64_t changes[100], created = 0, destroyed = 0;
        source = scree_random_stream(32, 0);
        memset(there, 0, sizeof there);
        CHECK_EQUAL(scree_memory_init(&memory, &hooks), SCREE_OK);
        for (int step = 0; step < 30; step++) {
            size_t count = make_changes(changes, 100);
            while (scree_pair_set_reserve(&set, &memory, BODIES))
                ;
            if (scree_pair_set_apply(&set, &memory, changes, count)) {
                /* some are made: made again, they have no effect */
                CHECK(scree_pair_set_is_valid(&set));
                CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes, count), SCREE_OK);
            }
            change_matrix(changes, count, &created, &destroyed);
            check_set(&set);
            CHECK_EQUAL(set.created, created);
            CHECK_EQUAL(set.destroyed, destroyed);
        }
        scree_pair_set_free(&set, &memory);
        CHECK(failing_allocator_is_clean(&allocator));
        if (allocator.requests < fail_at)
            break;
    }
}

/*  A set that is not whole is seen to be not. */
TEST(sees_what_is_wrong)
{
    scree_memory memory;
    scree_pair_set set = {0};
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_pair_set_reserve(&set, &memory, 9), SCREE_OK);
    const uint64_t changes[] = {scree_pair_change(1, 2, true), scree_pair_change(1, 5, true),
                                scree_pair_change(7, 8, true)};
    CHECK_EQUAL(scree_pair_set_apply(&set, &memory, changes, 3), SCREE_OK);
    const uint64_t end[] = {scree_pair_change(7, 8, false)};
    CHECK_EQUAL(scree_pair_set_apply(&set, &memory, end, 1), SCREE_OK);
    CHECK(scree_pair_set_is_valid(&set));

    set.count++;
    CHECK(!scree_pair_set_is_valid(&set));
    set.count--;
    set.partner[set.run[1].first] = 5; /* twice */
    CHECK(!scree_pair_set_is_valid(&set));
    set.partner[set.run[1].first] = 1; /* itself */
    CHECK(!scree_pair_set_is_valid(&set));
    set.partner[set.run[1].first] = 2;
    set.run[1].room += 4; /* the place of another */
    CHECK(!scree_pair_set_is_valid(&set));
    set.run[1].room -= 4;
    size_t head = set.free_run[0];
    memcpy(&set.partner[head - 1], &head, sizeof head); /* round and round */
    CHECK(!scree_pair_set_is_valid(&set));
    scree_pair_set_free(&set, &memory);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(holds_what_a_matrix_holds),  CASE(does_not_grow_over_time), CASE(merges_long_lists),
        CASE(stays_whole_without_memory), CASE(sees_what_is_wrong),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
