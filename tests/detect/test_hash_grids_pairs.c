/*  What searches of hierarchical hash grids find, and what they cost: every pair once, whatever the
    factor, the flags and the number of threads; no pair lost to rounding; hits as a scan finds
    them. Each test has the number of its row among what the makers say of them. */
#include "harness/failing_allocator.h"
#include "hash_grids_world.h"

/* ---- touching ---- */

/*  A box from `low` on the first axis, of this edge. */
static double add_box(double low, double edge)
{
    uint32_t i = bodies.count++;
    for (int k = 0; k < 3; k++) {
        bodies.lower[i][k] = k == 0 ? low : 0;
        bodies.upper[i][k] = bodies.lower[i][k] + (k == 0 ? edge : 0);
    }
    bodies.flags[i] = 0;
    return bodies.upper[i][0];
}

/*  Two boxes, as long as cells but for a few units in the last place, touch at 2^m cells, where the
    spacing of numbers doubles: without its margin for rounding the second is two cells away. */
TEST(hg_03_touching_where_rounding_could_part)
{
    scree_detector_def def = grids_only();
    def.volume = SCREE_BOXES;
    def.hash_grids.point = SCREE_HASH_POINT_CORNER;
    scree_detector *d = make(&def);
    bodies.as_given = true;
    for (double cell = 0.6; cell < 1; cell += 0.03)
        for (int m = 8; m < 48; m += TEST_EFFORT(9, 3)) {
            ((scree_hash_grids *)d->state)->first_cell = cell;
            bodies.count = 0;
            for (int k = 1; k < 300; k++) {
                double ulp = ldexp(cell, m - 53);
                double touch = add_box(ldexp(cell, m) - k % 20 * ulp, cell * (1 - k * 0x1p-53));
                (void)add_box(touch, cell * 0.9);
            }
            update(d);
            check_structure(d);
            CHECK(check_pairs(d) >= 299);
            CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
            scree_detector_destroy(d);
            d = make(&def);
        }
    bodies.as_given = false;
    scree_detector_destroy(d);
}

/*  Each large box touches a small one with its far face, with nothing to spare. */
TEST(hg_03_touching_across_levels)
{
    scree_detector_def def = grids_only();
    scree_random random = scree_random_stream(33, 0);
    def.volume = SCREE_BOXES;
    for (int point = 0; point < 3; point++) {
        def.hash_grids.point = (scree_hash_point)point;
        bodies.count = 0;
        bodies.as_given = true;
        for (uint32_t k = 0; k < 600; k++) {
            double edge = ldexp(1 + scree_random_below(&random, 64), -3);
            double at = 20.0 * k + scree_random_below(&random, 64) / 8.0;
            double small = ldexp(1, -(int)(k % 9));
            double touch = add_box(at, edge);
            (void)add_box(touch, small);
            (void)add_box(at - small, small);
        }
        scree_detector *d = make_filled(&def);
        bodies.as_given = false;
        CHECK_EQUAL(check_pairs(d), 1200);
        scree_detector_destroy(d);
    }
}

TEST(hg_03_only_adjacent_cells)
{
    scree_detector_def def = grids_only();
    for (int point = 0; point < 3; point++)
        for (int volume = 0; volume < 2; volume++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                def.hash_grids.point = (scree_hash_point)point;
                def.hash_grids.size = (scree_hash_size)(point == 1);
                def.volume = (scree_volume)volume;
                def.dimensions = dimensions;
                scatter(1500, 8, 0.05, 0.6, 3);
                scree_detector *d = make_filled(&def);
                CHECK(check_pairs(d) > 100);
                scree_detector_destroy(d);
            }
    /* equal bodies two cells apart are not even tested */
    scree_detector *d = make(&def);
    bodies.count = 0;
    for (uint32_t i = 0; i < 4; i++)
        add_body(3.0 * i, 0, 0, 0.5); /* cells of 1.41 */
    update(d);
    CHECK_EQUAL(check_pairs(d), 0);
    CHECK_EQUAL(scree_detector_stats(d).tested, 0);
    scree_detector_destroy(d);
}

/* ---- cost ---- */

static double tested_a_body(uint32_t count, double smallest, double largest)
{
    scree_detector_def def = hash_grids_def();
    /* as many bodies in a unit of volume */
    scatter(count, 0.5 * cbrt(count), smallest, largest, 4);
    scree_detector *d = make_filled(&def);
    (void)search(d);
    double tested = (double)scree_detector_stats(d).tested / count;
    scree_detector_destroy(d);
    return tested;
}

TEST(work_a_body_does_not_grow)
{
    double equal = tested_a_body(40000, 0.5, 0.5), mixed = tested_a_body(40000, 0.06, 0.6);
    CHECK(equal < 40 && mixed < 40);
    CHECK(tested_a_body(1000, 0.5, 0.5) > 0.7 * equal);
    CHECK(tested_a_body(1000, 0.06, 0.6) > 0.7 * mixed);
}

static int ignore_pair(uint32_t first, uint32_t second, void *user)
{
    (void)first;
    (void)second;
    (void)user;
    return 0;
}

TEST(hg_05_memory_a_body_does_not_grow)
{
    static const uint32_t counts[] = {1000, 4096, 4097, 30000, 40000};
    scree_detector_def def = hash_grids_def();
    double most = 0;
    for (size_t c = 0; c < SCREE_COUNT_OF(counts); c++) {
        /* the detector and its buffers are there for any number of bodies */
        scatter(counts[c], 0.5 * cbrt(counts[c]), 0.4, 0.4, 5);
        scree_detector *d = make(&def);
        CHECK_EQUAL(scree_detector_for_each_pair(d, ignore_pair, NULL), SCREE_OK);
        uint64_t empty = scree_detector_stats(d).bytes;
        for (uint32_t step = 0; step < 30; step++) {
            update(d);
            drift(0.1, step);
            CHECK_EQUAL(scree_detector_for_each_pair(d, ignore_pair, NULL), SCREE_OK);
            most = fmax(most, (double)(scree_detector_stats(d).bytes - empty) / counts[c]);
            CHECK((scree_detector_stats(d).bytes - empty) / counts[c] <= 200);
        }
        scree_detector_destroy(d);
    }
    FIGURE("at most %.0f bytes a body", most);
}

/* ---- pairs ---- */

TEST(any_factor_finds_the_same)
{
    static const double factors[] = {1.01, 1.2, 1.5, 2, 3, 4, 8, 1e6};
    scree_detector_def def = hash_grids_def();
    scatter(1000, 8, 0.01, 1, 13);
    for (size_t f = 0; f < SCREE_COUNT_OF(factors); f++) {
        def.hash_grids.factor = factors[f];
        scree_detector *d = make_filled(&def);
        check_structure(d);
        CHECK(check_pairs(d) > 100);
        scree_detector_destroy(d);
    }
}

TEST(hg_14_infinite_bodies_meet_all_finite_ones)
{
    scree_detector_def def = hash_grids_def();
    scatter(200, 5, 0.3, 0.3, 14);
    bodies.flags[3] = bodies.flags[40] = SCREE_INFINITE;
    scree_detector *d = make_filled(&def);
    CHECK(check_pairs(d) >= 2 * 198);
    CHECK_EQUAL(inside(d)->count, 198);
    check_structure(d);
    scree_detector_destroy(d);
}

TEST(hg_22_fixed_bodies_do_not_meet)
{
    scree_detector_def def = hash_grids_def();
    scatter(800, 5, 0.2, 1, 22);
    for (uint32_t i = 0; i < bodies.count; i++)
        bodies.flags[i] = i % 3 ? SCREE_FIXED : 0;
    scree_detector *d = make_filled(&def);
    CHECK(check_pairs(d) > 100);
    scree_detector_destroy(d);
}

/* ---- threads ---- */

typedef struct tally
{
    uint64_t count, stop_at;
} tally;

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    tally *t = user;
    if (first >= second)
        t->count += 1000000;
    return ++t->count == t->stop_at;
}

TEST(hg_17_every_pair_once_on_any_number_of_threads)
{
    scree_detector_def def = hash_grids_def();
    scatter(2500, 7, 0.05, 0.8, 17);
    uint64_t found = 0;
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        def.thread_count = threads;
        scree_detector *d = make_filled(&def);
        uint64_t now = check_pairs(d); /* a pair twice, or with itself, would be in the list */
        CHECK(found == 0 || now == found);
        found = now;
        CHECK(scree_hash_block_count(inside(d)) > 8);
        tally all = {0, 0}, some = {0, 100};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &all), SCREE_OK);
        CHECK_EQUAL(all.count, found);
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &some), SCREE_OK);
        CHECK_EQUAL(some.count, 100);
        scree_detector_destroy(d);
    }
}

/*  Bodies in one cell, in two, and in two grids: an action that has enough is not kept waiting. */
TEST(hg_17_a_search_stops_when_told)
{
    scree_detector_def def = hash_grids_def();
    for (int kind = 0; kind < 3; kind++) {
        bodies.count = 0;
        for (uint32_t i = 0; i < 2000; i++)
            add_body(i % 2 && kind == 1 ? 0.9 : 0.1, 0, 0, i % 2 && kind == 2 ? 2 : 0.5);
        scree_detector *d = make_filled(&def);
        CHECK_EQUAL(inside(d)->order_count, kind == 2 ? 2 : 1);
        tally one = {0, 1};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &one), SCREE_OK);
        CHECK_EQUAL(one.count, 1);
        CHECK(scree_detector_stats(d).tested < 10000);
        scree_detector_destroy(d);
    }
    scatter(1000, 5, 0.3, 0.3, 17);
    for (uint64_t stop_at = 1; stop_at < 400; stop_at += 7) {
        scree_detector *d = make_filled(&def);
        tally some = {0, stop_at};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &some), SCREE_OK);
        CHECK_EQUAL(some.count, stop_at);
        scree_detector_destroy(d);
    }
}

/* ---- queries ---- */

static int collect_hit(const scree_hit *hit, void *user)
{
    uint8_t *seen = user;
    seen[hit->id]++;
    return 0;
}

/*  Hits of the grids are those of a method that looks at all bodies. */
TEST(queries_find_what_a_scan_finds)
{
    static uint8_t found[MOST], expected[MOST];
    scree_random random = scree_random_stream(30, 0);
    scree_detector_def def = hash_grids_def(), plain = hash_grids_def();
    plain.method = "pairing";
    scatter(2000, 10, 0.05, 1, 30);
    for (int kind = 0; kind < 4; kind++) {
        plain.volume = def.volume = (scree_volume)(kind & 1);
        bodies.count = kind < 2 ? 2000 : 30;
        scree_detector *d = make_filled(&def), *scan = make_filled(&plain);
        for (uint32_t k = 0; k < 400; k++) {
            double low[3], high[3];
            double size = scree_random_log_uniform(&random, 1e-3, k % 50 ? 20 : 1e90);
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = scree_random_range(&random, -12, 12) * (k % 40 == 8 ? 1e30 : 1);
                high[axis] = low[axis] + size;
            }
            scree_query query = k % 4 == 0   ? scree_query_box(low, high)
                                : k % 4 == 1 ? scree_query_sphere(low, size)
                                : k % 4 == 2 ? scree_query_ray(low, high, 5)
                                             : scree_query_nearest(low, 1 + k % 9);
            memset(found, 0, sizeof found);
            memset(expected, 0, sizeof expected);
            CHECK_EQUAL(scree_detector_query(d, &query, collect_hit, found, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_query(scan, &query, collect_hit, expected, NULL), SCREE_OK);
            CHECK(memcmp(found, expected, sizeof found) == 0);
        }
        scree_detector_destroy(d);
        scree_detector_destroy(scan);
    }
}

/*  Hits of every body, of which not all can be kept. */
TEST(queries_may_run_out_of_memory)
{
    static const double low[3] = {-1e30, -1e30, -1e30}, high[3] = {1e30, 1e30, 1e30};
    static const double wide[3] = {11, 11, 11}, narrow[3] = {-11, -11, -11};
    for (int kind = 0; kind < 2; kind++)
        for (size_t k = 1; k < 6; k++) {
            failing_allocator memory = {0};
            scree_detector_def def = hash_grids_def();
            def.allocator = failing_allocator_hooks(&memory);
            scatter(20000, 10, 0.05, 0.05, 34);
            scree_detector *d = make_filled(&def);
            scree_query query = kind ? scree_query_box(low, high) : scree_query_box(narrow, wide);
            static uint8_t found[MOST];
            memory.fail_at = memory.requests + k;
            CHECK_EQUAL(scree_detector_query(d, &query, collect_hit, found, NULL),
                        SCREE_OUT_OF_MEMORY);
            scree_detector_destroy(d);
            CHECK(failing_allocator_is_clean(&memory));
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hg_03_touching_where_rounding_could_part),
        CASE(hg_03_touching_across_levels),
        CASE(hg_03_only_adjacent_cells),
        CASE(work_a_body_does_not_grow),
        CASE(hg_05_memory_a_body_does_not_grow),
        CASE(any_factor_finds_the_same),
        CASE(hg_14_infinite_bodies_meet_all_finite_ones),
        CASE(hg_22_fixed_bodies_do_not_meet),
        CASE(hg_17_every_pair_once_on_any_number_of_threads),
        CASE(hg_17_a_search_stops_when_told),
        CASE(queries_find_what_a_scan_finds),
        CASE(queries_may_run_out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
