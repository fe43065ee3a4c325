/*  What is particular to hashing, hashing2 and cgrid: grids have a domain, a cell size and a lot of
    empty space, and none of the three may be noticed from outside. That they report the right pairs
    on scenes of all kinds is tested with all other methods, elsewhere. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#define MOST 6000

static double position[MOST][3], radius[MOST], lower[MOST][3], upper[MOST][3];
static const char *const names[] = {"hashing", "hashing2", "cgrid"};
static scree_random source;

/*  Every byte the library asks for goes through here; none is refused. */
static failing_allocator memory;

static scree_detector *make(const char *method, int dimensions, scree_volume volume,
                            uint32_t threads, bool coarse)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;

    def.method = method;
    def.dimensions = dimensions;
    def.volume = volume;
    def.thread_count = threads;
    def.coarse = coarse;
    def.allocator = failing_allocator_hooks(&memory);
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    return detector;
}

static scree_table spheres(size_t count)
{
    return scree_table_spheres(count, scree_doubles(&position[0][0], sizeof *position),
                               scree_doubles(&position[0][1], sizeof *position),
                               scree_doubles(&position[0][2], sizeof *position),
                               scree_doubles(radius, sizeof *radius));
}

static scree_table boxes(size_t count)
{
    scree_view low[3], high[3];

    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(&lower[0][k], sizeof *lower);
        high[k] = scree_doubles(&upper[0][k], sizeof *upper);
    }
    return scree_table_boxes(count, low, high);
}

static void scatter(uint32_t count, double side, double smallest, double largest)
{
    source = scree_random_stream(4, 0);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            position[i][k] = scree_random_range(&source, -side / 2, side / 2);
        radius[i] = scree_random_log_uniform(&source, smallest, largest);
    }
}

static void update(scree_detector *detector, scree_table table)
{
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
}

static scree_pairs pairs_of(scree_detector *detector, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;

    CHECK_EQUAL(scree_detector_pairs(detector, &options, &pairs), SCREE_OK);
    return pairs;
}

static void check_same(scree_pairs a, scree_pairs b)
{
    CHECK_EQUAL(a.count, b.count);
    for (uint64_t k = 0; k < a.count; k++)
        if (a.first[k] != b.first[k] || a.second[k] != b.second[k])
            FAIL("pair %" PRIu64 " is %u %u, not %u %u", k, b.first[k], b.second[k], a.first[k],
                 a.second[k]);
}

/*  All methods against the oracle on a table of spheres or boxes, from nothing. Returns the pairs.
 */
static uint64_t check_scene(scree_table table, int dimensions)
{
    scree_detector *oracle = make("bounding-volume", dimensions, table.volume, 1, false);
    uint64_t count;

    update(oracle, table);
    scree_pairs expected = pairs_of(oracle, true);
    count = expected.count;
    for (size_t m = 0; m < 3; m++) {
        scree_detector *detector = make(names[m], dimensions, table.volume, 1, false);
        update(detector, table);
        check_same(expected, pairs_of(detector, true));
        scree_detector_destroy(detector);
    }
    scree_detector_destroy(oracle);
    return count;
}

/*  The thesis' classes failed when bodies left the domain (GC-H10). */
TEST(bodies_that_leave_the_domain_are_found)
{
    scree_detector *oracle = make("bounding-volume", 3, SCREE_SPHERES, 1, false);

    for (size_t m = 0; m < 3; m++) {
        scree_detector *detector = make(names[m], 3, SCREE_SPHERES, 1, false);
        scatter(600, 7, 0.3, 0.5);
        update(detector, spheres(600));

        /* a cloud leaves, farther with each step, some of it together; others stay */
        for (int step = 0; step < 12; step++) {
            uint32_t leaving = step < 6 ? 5 : 300;
            for (uint32_t i = 0; i < leaving; i++)
                position[i][step % 3] += (i & 1 ? 1 : -1) * (1 << step);
            update(detector, spheres(600));
            update(oracle, spheres(600));
            check_same(pairs_of(oracle, true), pairs_of(detector, true));
            CHECK(pairs_of(oracle, false).count > 200);

            /* the grid of hashing holds while only one in a hundred has left it */
            if (step < 6 && m < 2)
                CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
        }
        if (m < 2)
            CHECK(scree_detector_stats(detector).rebuilds > 1);
        scree_detector_destroy(detector);
    }
    scree_detector_destroy(oracle);
}

TEST(bodies_that_grow_and_shrink_are_found)
{
    static const double factors[] = {1.05, 1.05, 1.3, 8, 0.5, 0.97, 0.05, 1};
    scree_detector *oracle = make("bounding-volume", 2, SCREE_SPHERES, 1, false);

    for (size_t m = 0; m < 3; m++) {
        scree_detector *detector = make(names[m], 2, SCREE_SPHERES, 1, false);
        scatter(300, 20, 0.2, 0.5);
        update(detector, spheres(300));
        for (size_t step = 0; step < sizeof factors / sizeof *factors; step++) {
            for (uint32_t i = 0; i < 300; i++)
                radius[i] *= factors[step];
            update(detector, spheres(300));
            update(oracle, spheres(300));
            check_same(pairs_of(oracle, true), pairs_of(detector, true));
        }
        scree_detector_destroy(detector);
    }
    scree_detector_destroy(oracle);
}

/*  One row is named, and its body becomes larger than the squares are. */
TEST(one_body_that_outgrows_its_square_is_found)
{
    scree_detector *oracle = make("bounding-volume", 3, SCREE_SPHERES, 1, false);

    for (size_t m = 0; m < 3; m++) {
        scree_detector *detector = make(names[m], 3, SCREE_SPHERES, 1, false);
        uint32_t row = 7;
        scree_rows dirty = {&row, 1};

        scatter(300, 10, 0.2, 0.5);
        update(detector, spheres(300));
        radius[row] = 4;
        scree_table table = spheres(300);
        CHECK_EQUAL(scree_detector_update(detector, &table, &dirty), SCREE_OK);
        update(oracle, table);
        check_same(pairs_of(oracle, true), pairs_of(detector, true));
        scree_detector_destroy(detector);
    }
    scree_detector_destroy(oracle);
}

/*  Single bodies cost a placement each, not a look at all of them. */
TEST(few_changes_touch_few_bodies)
{
    for (size_t m = 0; m < 2; m++) {
        scree_detector *detector = make(names[m], 3, SCREE_SPHERES, 1, false);
        scree_detector *oracle = make("bounding-volume", 3, SCREE_SPHERES, 1, false);
        uint32_t row = 999, gone = 500;
        scree_rows dirty = {&row, 1};

        scatter(1000, 10, 0.4, 0.5);
        scree_table table = spheres(999), more = spheres(1);
        update(detector, table);
        uint64_t before = scree_detector_stats(detector).remapped;

        /* the last body comes with its id, moves, and another leaves */
        more.centre[0].data = &position[999][0];
        more.centre[1].data = &position[999][1];
        more.centre[2].data = &position[999][2];
        more.radius.data = &radius[999];
        CHECK_EQUAL(scree_detector_insert(detector, &more, NULL), SCREE_OK);
        position[999][1] *= 0.5;
        table = spheres(1000);
        CHECK_EQUAL(scree_detector_update(detector, &table, &dirty), SCREE_OK);
        CHECK_EQUAL(scree_detector_remove(detector, &gone, 1), SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(detector).remapped, before + 2);
        CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);

        update(oracle, table);
        CHECK_EQUAL(scree_detector_remove(oracle, &gone, 1), SCREE_OK);
        check_same(pairs_of(oracle, true), pairs_of(detector, true));
        scree_detector_destroy(detector);
        scree_detector_destroy(oracle);
    }
}

/*  Where coordinates are so large that a body is as wide as the gap between two of them, rounded
    centres of touching bodies lie two widths apart. */
TEST(rounded_centres_lose_no_pair)
{
    source = scree_random_stream(8, 0);
    for (int round = 0; round < 200; round++) {
        double origin = round & 1 ? 0x1p52 : -0x1.8p52;
        for (uint32_t i = 0; i < 40; i++)
            for (int k = 0; k < 3; k++) {
                lower[i][k] = origin + scree_random_below(&source, 7);
                upper[i][k] = lower[i][k] + 1;
            }
        CHECK(check_scene(boxes(40), 2 + round % 2) > 0);
    }
}

/*  Bodies on the faces, edges and corners of squares, touching exactly. */
TEST(lattices_that_touch_are_complete)
{
    uint32_t count = 0;

    for (int x = -4; x < 4; x++)
        for (int y = -4; y < 4; y++)
            for (int z = -4; z < 4; z++, count++) {
                position[count][0] = x;
                position[count][1] = y;
                position[count][2] = z;
                radius[count] = 0.5;
            }
    CHECK_EQUAL(check_scene(spheres(count), 3), 3 * 7 * 64);

    /* points on points: sizes of 0 */
    for (uint32_t i = 0; i < count; i++) {
        radius[i] = 0;
        position[i][2] = 0;
    }
    CHECK_EQUAL(check_scene(spheres(count), 2), 64 * 28);
    for (uint32_t i = 0; i < 100; i++)
        memcpy(position[i], (double[3]){0.1, -7, 1e30}, sizeof position[i]);
    CHECK_EQUAL(check_scene(spheres(100), 3), 50 * 99);
}

/*  A domain of 1e15 squares along each axis; near neighbours in it; one body far from all. */
TEST(memory_follows_the_bodies_not_the_domain)
{
    for (int round = 0; round < 2; round++) {
        scatter(2000, round ? 30 : 1e15, 0.5, 0.5);
        for (uint32_t i = 0; i < 1000; i++)
            for (int k = 0; k < 3; k++)
                position[i + 1000][k] = position[i][k] + (k == 0) * 0.75;
        if (round)
            position[0][0] = position[0][1] = position[0][2] = 1e15;
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            CHECK(check_scene(spheres(2000), dimensions) >= 999);
            for (size_t m = 0; m < 3; m++) {
                scree_detector *detector = make(names[m], dimensions, SCREE_SPHERES, 1, false);
                update(detector, spheres(2000));
                CHECK(scree_detector_stats(detector).bytes < 2000 * 400);
                (void)pairs_of(detector, false);
                CHECK(scree_detector_stats(detector).bytes < 2000 * 700);
                scree_detector_destroy(detector);
            }
        }
    }
}

/*  Bodies that escaped to all sides take the squares from the others for no method. */
TEST(escaped_bodies_cost_little)
{
    for (size_t m = 0; m < 3; m++) {
        scree_detector *detector = make(names[m], 3, SCREE_SPHERES, 1, false);

        scatter(4000, 16, 0.5, 0.5);
        update(detector, spheres(4000));
        (void)pairs_of(detector, false);
        uint64_t tested = scree_detector_stats(detector).tested;
        scree_detector_destroy(detector);

        for (uint32_t i = 0; i < 10; i++)
            for (int k = 0; k < 3; k++)
                position[i * 7][k] = (k % 2 ? 1 : -1) * (i & 1 ? 1e7 : 1e11) * (i + 1);
        CHECK(check_scene(spheres(4000), 3) > 1000);
        detector = make(names[m], 3, SCREE_SPHERES, 1, false);
        update(detector, spheres(4000));
        (void)pairs_of(detector, false);
        CHECK(scree_detector_stats(detector).tested < 2 * tested);

        /* and they are not taken for a reason to lay the grid again */
        update(detector, spheres(4000));
        if (m < 2)
            CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
        scree_detector_destroy(detector);
    }
}

/*  They differ in what they clear, not in what they find. */
TEST(both_hashings_emit_the_same_candidates)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector *first = make("hashing", dimensions, SCREE_SPHERES, 1, true);
        scree_detector *second = make("hashing2", dimensions, SCREE_SPHERES, 1, true);

        scatter(5000, dimensions == 2 ? 70 : 17, 0.3, 0.5);
        update(first, spheres(5000));
        update(second, spheres(5000));
        check_same(pairs_of(first, false), pairs_of(second, false));
        CHECK(pairs_of(first, false).count > 5000);
        CHECK_EQUAL(scree_detector_stats(first).tested, pairs_of(first, false).count);
        scree_detector_destroy(first);
        scree_detector_destroy(second);
    }
}

static double tested_per_pair(const char *method, uint32_t count)
{
    scree_detector *detector = make(method, 2, SCREE_SPHERES, 1, false);

    update(detector, spheres(count));
    (void)pairs_of(detector, false);
    scree_stats stats = scree_detector_stats(detector);
    CHECK(stats.reported > 1000);
    scree_detector_destroy(detector);
    return (double)stats.tested / (double)stats.reported;
}

/*  The weakness of hashing, and what CGRID mends (GC-H11, and section 6 of the specification). */
TEST(sizes_cost_hashing_accuracy_and_cgrid_little)
{
    scatter(4000, 50, 0.5, 0.5);
    double hashing = tested_per_pair("hashing2", 4000), cgrid = tested_per_pair("cgrid", 4000);
    scatter(4000, 50, 0.05, 1.6);
    double hashing_wide = tested_per_pair("hashing2", 4000);
    double cgrid_wide = tested_per_pair("cgrid", 4000);

    /* 9 squares of area 4 r^2 against a disc of radius 2 r: 2.9 */
    CHECK_NEAR(hashing, 9 / 3.14159, 0.2);
    CHECK(hashing_wide > 4 * hashing);
    CHECK(cgrid_wide < 1.5 * cgrid);
}

/*  One thread: with more, it is chance when a worker first gets a block, and its scratch. */
/*  What is said through the log of scenes in which nearly all pairs are tested. */
static void hear_of_scene(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    if (id != SCREE_LOG_QUADRATIC)
        return;
    CHECK_EQUAL(level, SCREE_LOG_WARNING);
    CHECK(strstr(text, "100 times") && strstr(text, "\"bvh8\""));
    ++*(int *)user;
}

static void put_giant(size_t i, double r)
{
    radius[i] = r;
    position[i][0] = 200;
    position[i][1] = position[i][2] = 0;
}

/*  Once, as long as it is so; again when it has been otherwise in between. Neither of bodies of many sizes, nor where there
    are few, nor of cgrid, whose bins follow the mean. */
TEST(a_giant_among_small_ones_is_told)
{
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        bool is_hashing = strcmp(names[m], "cgrid") != 0;
        int heard = 0;
        scree_detector_def def = scree_default_detector_def();
        scree_detector *detector;
        def.method = names[m];
        def.log = (scree_log){hear_of_scene, &heard};
        CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
        scatter(MOST, 60, 1, 1);
        scree_table table = spheres(MOST), few = spheres(500);
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(heard, 0);
        for (int step = 0; step < 3; step++) {
            put_giant(0, 101.7);
            CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
            CHECK_EQUAL(heard, is_hashing);
        }
        CHECK_EQUAL(scree_detector_update(detector, &few, NULL), SCREE_OK);
        put_giant(0, 1);
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(heard, is_hashing);
        put_giant(0, 101.7);
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(heard, 2 * is_hashing);
        scree_detector_destroy(detector);
    }
}

TEST(nothing_is_allocated_once_warm)
{
    for (size_t m = 0; m < 3; m++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            scree_detector *detector = make(names[m], dimensions, SCREE_SPHERES, 1, false);
            size_t after_warm_up = 0;

            scatter(3000, dimensions == 2 ? 60 : 14, 0.3, 0.5);
            for (int step = 0; step < 40; step++) {
                for (uint32_t i = 0; i < 3000; i++)
                    for (int k = 0; k < 3; k++)
                        position[i][k] += scree_random_range(&source, -0.05, 0.05);
                update(detector, spheres(3000));
                (void)pairs_of(detector, false);
                if (step == 15)
                    after_warm_up = memory.requests;
            }
            /* the list of pairs itself may still reach a new length now and then */
            CHECK(memory.requests - after_warm_up <= 4);
            scree_detector_destroy(detector);
        }
}

TEST(threads_change_nothing)
{
    static const uint32_t threads[] = {1, 2, 7};

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector *oracle = make("bounding-volume", dimensions, SCREE_SPHERES, 1, false);
        scatter(MOST, dimensions == 2 ? 70 : 16, 0.1, 1);
        update(oracle, spheres(MOST));
        scree_pairs expected = pairs_of(oracle, true);
        for (size_t m = 0; m < 3; m++) {
            scree_detector *detector[3];
            for (size_t t = 0; t < 3; t++) {
                detector[t] = make(names[m], dimensions, SCREE_SPHERES, threads[t], false);
                update(detector[t], spheres(MOST));
                check_same(expected, pairs_of(detector[t], true));
                check_same(pairs_of(detector[0], false), pairs_of(detector[t], false));
            }
            for (size_t t = 0; t < 3; t++)
                scree_detector_destroy(detector[t]);
        }
        scree_detector_destroy(oracle);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_that_leave_the_domain_are_found),
        CASE(bodies_that_grow_and_shrink_are_found),
        CASE(one_body_that_outgrows_its_square_is_found),
        CASE(few_changes_touch_few_bodies),
        CASE(rounded_centres_lose_no_pair),
        CASE(lattices_that_touch_are_complete),
        CASE(memory_follows_the_bodies_not_the_domain),
        CASE(escaped_bodies_cost_little),
        CASE(both_hashings_emit_the_same_candidates),
        CASE(sizes_cost_hashing_accuracy_and_cgrid_little),
        CASE(a_giant_among_small_ones_is_told),
        CASE(nothing_is_allocated_once_warm),
        CASE(threads_change_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
