/*  Results of a detector: pairs in arrays and in blocks, neighbours, a search in one call, stopping. What all methods share is
    tested on one method. */
#include "detect/line_detector.h"

#include <math.h>

/* ---- results ---- */

TEST(pairs_go_into_the_callers_arrays)
{
    const double x[] = {0, 1, 2};
    scree_detector *d = line_detector(x, 3);
    uint32_t first[3], second[3];
    scree_pairs_options options = {true, first, second, 2};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_TOO_SMALL);
    CHECK_EQUAL(pairs.count, 3);
    CHECK_SAYS(scree_detector_message(d), "3 are needed");
    options.capacity = 3;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_OK);
    CHECK(pairs.first == first && pairs.second == second);
    CHECK_EQUAL(first[2], 1);
    CHECK_EQUAL(second[2], 2);
    options.second = NULL;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_pairs(d, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_pairs(NULL, NULL, &pairs), SCREE_BAD_ARGUMENT);
    scree_detector_destroy(d);
}

TEST(neighbors_come_in_sorted_rows)
{
    const double x[] = {2, 0, 1, 9};
    scree_detector *d = line_detector(x, 4);
    scree_neighbors rows;
    CHECK_EQUAL(scree_detector_neighbors(d, NULL, &rows), SCREE_OK);
    static const uint32_t full[] = {1, 2, 0, 2, 0, 1};
    static const uint64_t full_start[] = {0, 2, 4, 6, 6};
    CHECK_EQUAL(rows.count, 6);
    CHECK(memcmp(rows.neighbor, full, sizeof full) == 0);
    CHECK(memcmp(rows.start, full_start, sizeof full_start) == 0);

    uint64_t start[5];
    uint32_t neighbor[3];
    scree_neighbors_options options = {true, start, 4, neighbor, 3};
    CHECK_EQUAL(scree_detector_neighbors(d, &options, &rows), SCREE_TOO_SMALL);
    CHECK_EQUAL(rows.count, 3);
    CHECK_EQUAL(rows.id_bound, 4);
    options.start_capacity = 5;
    options.capacity = 2;
    CHECK_EQUAL(scree_detector_neighbors(d, &options, &rows), SCREE_TOO_SMALL);
    options.capacity = 3;
    CHECK_EQUAL(scree_detector_neighbors(d, &options, &rows), SCREE_OK);
    static const uint32_t half[] = {1, 2, 2};
    static const uint64_t half_start[] = {0, 2, 3, 3, 3};
    CHECK(memcmp(neighbor, half, sizeof half) == 0);
    CHECK(memcmp(start, half_start, sizeof half_start) == 0);
    options.neighbor = NULL;
    CHECK_EQUAL(scree_detector_neighbors(d, &options, &rows), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_neighbors(d, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_neighbors(NULL, NULL, &rows), SCREE_BAD_ARGUMENT);
    scree_detector_destroy(d);
}

static int stop_after(uint32_t first, uint32_t second, void *user)
{
    int *left = user;
    CHECK(first < second);
    return --*left == 0;
}

TEST(the_action_may_stop)
{
    const double x[] = {0, 0, 0, 0, 0};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        def.dimensions = 2;
        def.thread_count = threads;
        CHECK(scree_detector_create(&def, &d) == SCREE_OK);
        scree_table table = line(x, 5);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        int left = 4;
        CHECK_EQUAL(scree_detector_for_each_pair(d, stop_after, &left), SCREE_OK);
        CHECK_EQUAL(left, 0);
        CHECK_EQUAL(scree_detector_stats(d).reported, 4);
        left = 100;
        CHECK_EQUAL(scree_detector_for_each_pair(d, stop_after, &left), SCREE_OK);
        CHECK_EQUAL(left, 90);
        CHECK_EQUAL(scree_detector_for_each_pair(d, NULL, NULL), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_for_each_pair(NULL, stop_after, &left), SCREE_BAD_ARGUMENT);
        scree_detector_destroy(d);
    }
}

TEST(coarse_reports_all_that_the_method_finds)
{
    const double x[] = {0, 50, 100};
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.dimensions = 2;
    def.method = "pairing";
    def.coarse = true;
    CHECK(scree_detector_create(&def, &d) == SCREE_OK);
    scree_table table = line(x, 3);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_TEXT(pairs_of(d), "0-1 0-2 1-2");
    CHECK_EQUAL(scree_detector_stats(d).tested, 3);
    scree_detector_destroy(d);
}

/* ---- a search in one call, and lists in 32 bits ---- */

TEST(one_call_takes_bodies_and_gives_pairs)
{
    const double x[] = {2, 0, 1, 9}, moved[] = {0, 9};
    scree_detector *d = create("flat", 2, SCREE_SPHERES);
    scree_table table = line(x, 4);
    scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs_of(d, &table, &canonical, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 3);
    CHECK(pairs.first[0] == 0 && pairs.second[0] == 1 && pairs.first[2] == 1);
    CHECK_EQUAL(scree_detector_stats(d).updates, 1);

    /* the bodies of the call before are gone */
    table = line(moved, 2);
    CHECK_EQUAL(scree_detector_pairs_of(d, &table, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 0);
    CHECK_EQUAL(scree_detector_stats(d).bodies, 2);

    /* what is wrong with the arguments is said before anything changes */
    uint32_t room[3];
    scree_pairs_options half_given = {false, room, NULL, 3};
    table = line(x, 4);
    CHECK_EQUAL(scree_detector_pairs_of(d, &table, &half_given, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(d), "one of the two arrays is NULL");
    CHECK_EQUAL(scree_detector_stats(d).bodies, 2);

    /* arrays that are too small: the bodies are there, and may be asked for again */
    scree_pairs_options own = {true, room, room, 2};
    CHECK_EQUAL(scree_detector_pairs_of(d, &table, &own, &pairs), SCREE_TOO_SMALL);
    CHECK_EQUAL(pairs.count, 3);
    CHECK_TEXT(pairs_of(d), "0-1 0-2 1-2");

    table = line(x, 0);
    CHECK_EQUAL(scree_detector_pairs_of(d, &table, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 0);
    scree_detector_destroy(d);
}

TEST(lists_of_neighbours_in_32_bits)
{
    const double x[] = {2, 0, 1, 9};
    scree_detector *d = create("flat", 2, SCREE_SPHERES);
    scree_table table = line(x, 4);
    scree_csr_options half = {true, true}, full = {false, true};
    scree_csr csr;
    static const uint32_t neighbor[] = {1, 2, 0, 2, 0, 1}, start[] = {0, 2, 4, 6, 6};
    static const uint32_t half_neighbor[] = {1, 2, 2}, half_start[] = {0, 2, 3, 3, 3};
    CHECK_EQUAL(scree_detector_csr_of(d, &table, &full, &csr), SCREE_OK);
    CHECK(csr.id_bound == 4 && csr.count == 6);
    CHECK(memcmp(csr.start, start, sizeof start) == 0);
    CHECK(memcmp(csr.neighbor, neighbor, sizeof neighbor) == 0);
    CHECK_EQUAL(scree_detector_csr(d, &half, &csr), SCREE_OK);
    CHECK_EQUAL(csr.count, 3);
    CHECK(memcmp(csr.start, half_start, sizeof half_start) == 0);
    CHECK(memcmp(csr.neighbor, half_neighbor, sizeof half_neighbor) == 0);
    CHECK_EQUAL(scree_detector_stats(d).reported, 3);

    /* no bodies: one start, and no neighbours */
    table = line(x, 0);
    CHECK_EQUAL(scree_detector_csr_of(d, &table, NULL, &csr), SCREE_OK);
    CHECK(csr.id_bound == 0 && csr.count == 0 && csr.start[0] == 0);
    scree_detector_destroy(d);
}

typedef struct block_log
{
    uint64_t count;
    uint32_t first[2016], second[2016];
    bool stops;
} block_log;

static int take_block(const scree_pairs *block, void *user)
{
    block_log *log = user;
    CHECK(block->count > 0 && block->count <= SCREE_BLOCK_PAIRS &&
          log->count <= 2016 - block->count);
    memcpy(log->first + log->count, block->first, block->count * sizeof *block->first);
    memcpy(log->second + log->count, block->second, block->count * sizeof *block->second);
    log->count += block->count;
    return log->stops;
}

/*  More pairs than one block has, on one thread and on three, which store them first. */
TEST(blocks_are_the_pairs_as_found)
{
    static const double x[64] = {0};
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        static block_log log;
        scree_detector_def def = scree_default_detector_def();
        scree_detector *d;
        scree_pairs pairs;
        def.method = "pairing";
        def.dimensions = 2;
        def.thread_count = threads;
        CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
        scree_table table = line(x, 64);
        CHECK_EQUAL(scree_detector_pairs_of(d, &table, NULL, &pairs), SCREE_OK);
        CHECK_EQUAL(pairs.count, 2016);
        memset(&log, 0, sizeof log);
        CHECK_EQUAL(scree_detector_for_each_block(d, take_block, &log), SCREE_OK);
        CHECK_EQUAL(log.count, 2016);
        CHECK_EQUAL(scree_detector_stats(d).reported, 2016);
        CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
        CHECK(memcmp(pairs.first, log.first, sizeof log.first) == 0);
        CHECK(memcmp(pairs.second, log.second, sizeof log.second) == 0);
        scree_detector_destroy(d);
    }
}

TEST(blocks_of_pairs_can_be_stopped)
{
    static const double x[64] = {0};
    static block_log log = {.stops = true};
    scree_detector *d = create("pairing", 2, SCREE_SPHERES);
    scree_table table = line(x, 64);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_for_each_block(d, take_block, &log), SCREE_OK);
    CHECK(log.count > 0 && log.count <= SCREE_BLOCK_PAIRS);
    CHECK_EQUAL(scree_detector_stats(d).reported, log.count);
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pairs_go_into_the_callers_arrays),
        CASE(neighbors_come_in_sorted_rows),
        CASE(one_call_takes_bodies_and_gives_pairs),
        CASE(lists_of_neighbours_in_32_bits),
        CASE(blocks_are_the_pairs_as_found),
        CASE(blocks_of_pairs_can_be_stopped),
        CASE(the_action_may_stop),
        CASE(coarse_reports_all_that_the_method_finds),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
