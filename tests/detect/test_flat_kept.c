/*  The method flat where few bodies move in a step: pairs that are kept, bodies that are found where they
    are now and no longer where they were, and a new beginning when many have moved. Each step is
    compared with another method on the same bodies. */
#include "base/random.h"
#include "detect/flat.h"
#include "harness/failing_allocator.h"
#include "same_pairs.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 12000u
#define FEW 30u

/*  x y z r, or lower and upper of each axis. */
static double number[6][MOST];
static scree_volume volume;
static int dimensions;
static size_t count;

static void put(size_t i, const double at[3], double size)
{
    for (int k = 0; k < 3; k++) {
        double x = k < dimensions ? at[k] : 0, half = k < dimensions ? size : 0;
        number[k][i] = volume == SCREE_BOXES ? x - half : x;
        number[3 + k][i] = volume == SCREE_BOXES ? x + half : size;
    }
}

/*  Radii from 1 to `ratio`; `clumps` above 0: in so many, far from each other. */
static void fill(scree_volume kind, int axes, size_t bodies, double ratio, size_t clumps,
                 scree_random *random)
{
    double corner[3] = {0, 0, 0}, mean = ratio > 1 ? 0.6 * ratio : 1;
    double side = mean * (axes == 3 ? 1.8 * cbrt((double)bodies) : 2 * sqrt((double)bodies));
    volume = kind;
    dimensions = axes;
    count = bodies;
    for (size_t i = 0; i < bodies; i++) {
        double at[3];
        if (clumps && i % (bodies / clumps) == 0)
            for (int k = 0; k < 3; k++)
                corner[k] = scree_random_range(random, -1e7, 1e7);
        for (int k = 0; k < 3; k++)
            at[k] = corner[k] + scree_random_range(random, 0, side);
        put(i, at, ratio > 1 ? scree_random_range(random, 1, ratio) : 1);
    }
}

static scree_table make_table(void)
{
    scree_view column[6];
    for (int k = 0; k < 6; k++)
        column[k] = scree_doubles(number[k], sizeof(double));
    return volume == SCREE_SPHERES
               ? scree_table_spheres(count, column[0], column[1], column[2], column[3])
               : scree_table_boxes(count, column, column + 3);
}

static scree_detector *make_detector(const char *method, scree_simd simd, uint32_t threads,
                                     const scree_allocator *allocator)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    def.simd = simd;
    def.thread_count = threads;
    def.volume = volume;
    def.dimensions = dimensions;
    if (allocator)
        def.allocator = *allocator;
    return scree_detector_create(&def, &detector) == SCREE_OK ? detector : NULL;
}

static void update(scree_detector *detector, const scree_rows *rows)
{
    scree_table table = make_table();
    CHECK(scree_detector_update(detector, &table, rows) == SCREE_OK);
}

static scree_pairs pairs_of(scree_detector *detector, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;
    CHECK(scree_detector_pairs(detector, &options, &pairs) == SCREE_OK);
    return pairs;
}

/*  Moves some bodies: by a little, onto another body, to the last unit of touching it, far out and back,
    and to another size. */
static scree_rows stir(scree_random *random, uint32_t rows[FEW], uint32_t among)
{
    for (uint32_t n = 0; n < FEW; n++) {
        uint32_t i = rows[n] = n * (among / FEW) + scree_random_below(random, among / FEW);
        uint32_t j = scree_random_below(random, (uint32_t)count);
        bool is_box = volume == SCREE_BOXES;
        double at[3], size = is_box ? (number[3][i] - number[0][i]) / 2 : number[3][i];
        double other_size = is_box ? (number[3][j] - number[0][j]) / 2 : number[3][j];
        for (int k = 0; k < 3; k++) {
            double x = is_box ? (number[k][i] + number[3 + k][i]) / 2 : number[k][i];
            double y = is_box ? (number[k][j] + number[3 + k][j]) / 2 : number[k][j];
            at[k] = n % 5 == 0   ? x + scree_random_range(random, -0.3, 0.3)
                    : n % 5 == 1 ? y + scree_random_range(random, -1, 1)
                    : n % 5 == 2 ? y
                    : n % 5 == 3 ? scree_random_range(random, -1, 1) * (n % 2 ? 1e9 : 100)
                                 : x;
        }
        if (n % 5 == 2) { /* touches, and one unit more and less */
            at[0] += size + other_size;
            at[0] = n % 3 ? nextafter(at[0], n % 3 == 1 ? HUGE_VAL : -HUGE_VAL) : at[0];
        }
        put(i, at, n % 5 == 4 ? scree_random_range(random, 0.1, 3) : size);
    }
    return (scree_rows){rows, FEW};
}

static void check_queries(scree_detector *detector, scree_detector *plain, scree_random *random)
{
    static scree_hit hits[2][MOST];
    for (int n = 0; n < 20; n++) {
        size_t found, expected, i = scree_random_below(random, (uint32_t)count);
        double at[3] = {number[0][i], number[1][i], number[2][i]}, to[3], direction[3] = {1, 2, 0};
        for (int k = 0; k < 3; k++)
            to[k] = at[k] + (k < dimensions ? 5 : 0);
        scree_query query = n % 4 == 0   ? scree_query_box(at, to)
                            : n % 4 == 1 ? scree_query_sphere(at, 4)
                            : n % 4 == 2 ? scree_query_ray(at, direction, 100)
                                         : scree_query_nearest(at, 5);
        CHECK(scree_detector_hits(detector, &query, hits[0], MOST, &found, NULL) == SCREE_OK);
        CHECK(scree_detector_hits(plain, &query, hits[1], MOST, &expected, NULL) == SCREE_OK);
        CHECK_EQUAL(found, expected);
        for (size_t k = 0; k < found; k++)
            CHECK_EQUAL(hits[0][k].id, hits[1][k].id);
    }
}

/*  Steps in which few of the first `among` bodies move; returns in how many of them pairs were kept, which
    is seen by how many bodies were put into order. */
static int go_on(scree_simd simd, int steps, uint32_t among, scree_random *random)
{
    scree_detector *detector = make_detector("flat", simd, 1, NULL);
    scree_detector *plain = make_detector("dess", SCREE_SIMD_AUTO, 1, NULL);
    uint32_t rows[FEW];
    int kept = 0;
    update(detector, NULL);
    update(plain, NULL);
    for (int step = 0; step < steps; step++) {
        scree_rows moved = stir(random, rows, among);
        uint64_t before = scree_detector_stats(detector).remapped;
        update(detector, &moved);
        update(plain, &moved);
        kept += scree_detector_stats(detector).remapped - before < count / 2;
        scree_pairs pairs = pairs_of(detector, true), expected = pairs_of(plain, true);
        check_same(&pairs, &expected);
        if (step % 7 == 6)
            check_queries(detector, plain, random);
    }
    scree_detector_destroy(detector);
    scree_detector_destroy(plain);
    return kept;
}

TEST(pairs_are_those_of_the_moment)
{
    scree_random random = scree_random_stream(1, 0);
    for (int kind = 0; kind < 12; kind++) {
        fill(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3, 2000, kind / 4 == 1 ? 5 : 1,
             kind / 4 == 2 ? 4 : 0, &random);
        CHECK(go_on(SCREE_SIMD_AUTO, 30, kind & 1 ? 60 : (uint32_t)count, &random) >= 10);
    }
}

TEST(at_every_simd_level)
{
    scree_random random = scree_random_stream(2, 0);
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++)
        for (int kind = 0; kind < 4; kind++) {
            fill(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3, 1700, kind & 2 ? 1 : 3,
                 0, &random);
            CHECK(go_on(simd, 20, 100, &random) >= 10);
        }
}

/*  A wide domain, in which places are whole numbers: bodies two by two, far from all others. */
static void spread_pairs(int axes, scree_random *random)
{
    fill(SCREE_SPHERES, axes, 2000, 1, 0, random);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < dimensions; k++)
            number[k][i] = i % 2 ? number[k][i - 1] + 0.9 : number[k][i] * 3e5;
}

TEST(in_a_wide_domain)
{
    scree_random random = scree_random_stream(3, 0);
    for (int axes = 2; axes <= 3; axes++) {
        spread_pairs(axes, &random);
        CHECK(go_on(SCREE_SIMD_AUTO, 24, (uint32_t)count, &random) >= 6);
    }
}

/*  One body, at first like all others, until pairs are kept. Then it is so far away, and so large, that it still reaches in: its place does not fit the numbers that others have, and its surface passes them by next to nothing. */
static void reach_in_from_afar(double away, scree_random *random)
{
    scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1, NULL);
    scree_detector *plain = make_detector("dess", SCREE_SIMD_AUTO, 1, NULL);
    update(detector, NULL);
    update(plain, NULL);
    for (int step = 0; step < 69; step++) {
        uint32_t rows[1] = {0}, j = 1 + scree_random_below(random, 1999);
        double way = step < 9 ? 2 : away * ldexp(1, step % 15);
        double at[3] = {number[0][j], number[1][j], number[2][j]};
        scree_rows moved = {rows, 1};
        at[step % dimensions] += step % 2 ? way : -way;
        put(0, at, way - 1 + (step % 4 < 2 ? 1e-4 : -1e-4));
        update(detector, &moved);
        update(plain, &moved);
        scree_pairs pairs = pairs_of(detector, true), expected = pairs_of(plain, true);
        check_same(&pairs, &expected);
    }
    scree_detector_destroy(detector);
    scree_detector_destroy(plain);
}

TEST(a_giant_from_afar)
{
    scree_random random = scree_random_stream(7, 0);
    fill(SCREE_SPHERES, 3, 2000, 1, 0, &random);
    reach_in_from_afar(1e3, &random);
    spread_pairs(3, &random);
    reach_in_from_afar(1e6, &random);
}

/*  Bodies that come, go, or all move end what is kept. */
TEST(other_changes_between)
{
    scree_random random = scree_random_stream(4, 0);
    fill(SCREE_SPHERES, 3, 2000, 1, 0, &random);
    scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1, NULL);
    scree_detector *plain = make_detector("dess", SCREE_SIMD_AUTO, 1, NULL);
    uint32_t rows[FEW];
    update(detector, NULL);
    update(plain, NULL);
    for (int step = 0; step < 60; step++) {
        scree_rows moved = stir(&random, rows, 200);
        bool all = step % 13 == 9;
        if (step % 17 == 11)
            count = count == 2000 ? 1900 : 2000; /* given as all there are */
        update(detector, all || step % 17 == 11 ? NULL : &moved);
        update(plain, all || step % 17 == 11 ? NULL : &moved);
        if (step % 3 == 0)
            continue; /* two changes before a search */
        scree_pairs pairs = pairs_of(detector, true), expected = pairs_of(plain, true);
        check_same(&pairs, &expected);
    }
    scree_detector_destroy(detector);
    scree_detector_destroy(plain);
}

TEST(any_number_of_threads)
{
    for (int kind = 0; kind < 2; kind++) {
        static uint32_t expected_first[20 * MOST], expected_second[20 * MOST];
        uint64_t expected = 0;
        for (uint32_t threads = 1; threads <= 16; threads += threads < 4 ? 1 : 4) {
            scree_random random = scree_random_stream(5, 0);
            uint32_t rows[FEW];
            fill(kind ? SCREE_BOXES : SCREE_SPHERES, 3, MOST, 1, 0, &random);
            scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, threads, NULL);
            update(detector, NULL);
            for (int step = 0; step < 8; step++) {
                scree_rows moved = stir(&random, rows, 500);
                update(detector, &moved);
            }
            scree_pairs pairs = pairs_of(detector, false);
            CHECK(pairs.count < 20 * MOST);
            if (threads == 1) {
                expected = pairs.count;
                memcpy(expected_first, pairs.first, pairs.count * sizeof *pairs.first);
                memcpy(expected_second, pairs.second, pairs.count * sizeof *pairs.second);
            }
            scree_pairs first = {
                .first = expected_first, .second = expected_second, .count = expected};
            check_same(&pairs, &first);
            scree_detector_destroy(detector);
        }
    }
}

/*  Memory fails at any moment; what is found afterwards is right. */
TEST(memory_that_runs_out)
{
    bool failed = true;
    for (size_t k = 1; failed; k++) {
        failing_allocator source = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&source);
        scree_random random = scree_random_stream(6, 0);
        uint32_t rows[FEW];
        fill(SCREE_SPHERES, 3, 1500, 1, 0, &random);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1, &hooks);
        if (detector) {
            scree_detector *plain = make_detector("dess", SCREE_SIMD_AUTO, 1, NULL);
            scree_table table = make_table();
            update(plain, NULL);
            if (scree_detector_update(detector, &table, NULL) != SCREE_OK)
                update(detector, NULL);
            for (int step = 0; step < 6; step++) {
                scree_rows moved = stir(&random, rows, 60);
                table = make_table();
                if (scree_detector_update(detector, &table, &moved) != SCREE_OK)
                    update(detector, &moved);
                update(plain, &moved);
                scree_pairs_options options = {.canonical = true};
                scree_pairs pairs, expected = pairs_of(plain, true);
                if (scree_detector_pairs(detector, &options, &pairs) != SCREE_OK)
                    pairs = pairs_of(detector, true);
                check_same(&pairs, &expected);
            }
            scree_detector_destroy(plain);
            scree_detector_destroy(detector);
        }
        CHECK(failing_allocator_is_clean(&source));
        failed = source.failures > 0;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pairs_are_those_of_the_moment),
        CASE(at_every_simd_level),
        CASE(in_a_wide_domain),
        CASE(a_giant_from_afar),
        CASE(other_changes_between),
        CASE(any_number_of_threads),
        CASE(memory_that_runs_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
