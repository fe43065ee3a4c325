/*  Generalized contact detection as an interface: the first ten rows of its part of
    docs/checklist.md (Perkins 1999, chapters 2 and 3), a test each. One interface for all classes,
    an action that is called once for a pair, range search, choice by name, the two baselines, and
    the 36 cases. Loops go over the registry: what holds for the thesis' classes has to hold for
    all. */
#include "base/clock.h"
#include "gcd_world.h"

static const char *const thesis_classes[] = {
    "pairing",  "bounding-volume", "spatial-sort-1", "spatial-sort-2", "spatial-sort-3", "hashing",
    "hashing2", "cgrid",           "rtree",          "rtree-rstar",    "rtree-packed",   "dess",
    "dess2",    "stripe-sort",     "dess-rtree",
};

static const char *method_name(size_t index)
{
    return scree_method_at(index)->name;
}

/* ---- init, step, neighbours, objects; and the table ------------------------------------------ */

static void check_interface(const char *method, int dimensions, scree_volume volume)
{
    begin_world(dimensions, volume, 0);
    scree_detector *detector = make_plain(method); /* init, and a step without bodies */
    CHECK_EQUAL(check_pairs(detector), 0);
    scatter(dimensions, volume, 150, 3);
    for (int step = 0; step < 5; step++) {
        update(detector);
        CHECK(check_pairs(detector) > 0);
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = scree_random_range(&world.random, 0, world.edge / 2);
            to[k] = from[k] + world.edge / 3;
        }
        if (dimensions == 2)
            from[2] = to[2] = 0;
        CHECK(check_region(detector, from, to) > 0);
        shift_all(1);
    }
    scree_detector_destroy(detector);
}

TEST(gc_01_every_class_has_the_same_four_functions)
{
    for (size_t m = 0; m < scree_method_count(); m++)
        for (int c = 0; c < 4; c++)
            check_interface(method_name(m), 2 + c % 2, c / 2 ? SCREE_BOXES : SCREE_SPHERES);
}

/*  Bodies are known by integers that the caller chose, not by where they stand in his table. */
TEST(gc_02_objects_are_keyed_by_integers_and_have_volumes)
{
    static const uint32_t ids[] = {907, 3, 40, 512};
    static const uint32_t twice[] = {907, 3, 40, 3}, beyond[] = {907, 3, 40, SCREE_MAX_BODIES};
    for (size_t m = 0; m < scree_method_count(); m++) {
        begin_world(3, SCREE_SPHERES, 0);
        scree_detector *detector = make_plain(method_name(m));
        begin_world(3, SCREE_SPHERES, 4);
        for (size_t i = 0; i < 4; i++)
            place(i, 3 * (double)i, 0, 0, 1);
        scree_table table = table_from(0);
        table.ids = scree_integer_view(ids, sizeof *ids);
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(pairs_of(detector, true).count, 0);

        /* a larger volume for the body with number 40 */
        world.radius[2] = 2;
        uint32_t row = 2;
        CHECK_EQUAL(scree_detector_update(detector, &table, &(scree_rows){&row, 1}), SCREE_OK);
        scree_pairs pairs = pairs_of(detector, true);
        CHECK_EQUAL(pairs.count, 2);
        CHECK(pairs.first[0] == 3 && pairs.second[0] == 40);
        CHECK(pairs.first[1] == 40 && pairs.second[1] == 512);

        /* a key is for one body, and in range */
        table.ids.data = twice;
        CHECK(scree_detector_update(detector, &table, NULL) != SCREE_OK);
        table.ids.data = beyond;
        CHECK(scree_detector_update(detector, &table, NULL) != SCREE_OK);
        CHECK_EQUAL(pairs_of(detector, true).count, 2);
        scree_detector_destroy(detector);
    }
}

/* ---- the action ------------------------------------------------------------------------------ */

#define TALLY 250

typedef struct tally
{
    uint8_t calls[TALLY][TALLY];
    uint64_t total, limit;
} tally;

static int count_call(uint32_t first, uint32_t second, void *user)
{
    tally *t = user;
    CHECK(first < second);
    t->calls[first][second]++;
    return ++t->total == t->limit;
}

static void check_tally(const tally *t, const char *method)
{
    for (size_t i = 0; i < world.count; i++)
        for (size_t j = 0; j < world.count; j++)
            if (t->calls[i][j] != (i < j && bodies_meet(i, j)))
                FAIL("%s: %d calls for %zu %zu", method, t->calls[i][j], i, j);
}

/*  Active: the action is called while the search continues. Passive: candidates are collected, here
    by several threads, and gone through after it. */
TEST(gc_03_the_action_is_called_once_for_each_pair)
{
    static tally t;
    scatter(2, SCREE_SPHERES, TALLY, 6);
    for (size_t c = 0; c < 2 * scree_method_count(); c++) {
        scree_detector_def def = def_of(method_name(c / 2));
        def.thread_count = c % 2 ? 3 : 1;
        scree_detector *detector = make(&def);
        memset(&t, 0, sizeof t);
        CHECK_EQUAL(scree_detector_for_each_pair(detector, count_call, &t), SCREE_OK);
        check_tally(&t, def.method);

        uint64_t all = t.total;
        scree_pairs pairs = pairs_of(detector, false);
        memset(&t, 0, sizeof t);
        SCREE_FOR_EACH_PAIR(pairs, i, j) {
            count_call(i, j, &t);
        }
        check_tally(&t, def.method);
        CHECK_EQUAL(t.total, all);

        t.total = 0;
        t.limit = all / 2;
        CHECK_EQUAL(scree_detector_for_each_pair(detector, count_call, &t), SCREE_OK);
        CHECK_EQUAL(t.total, all / 2);
        scree_detector_destroy(detector);
    }
}

typedef struct digest
{
    uint64_t sum, count;
} digest;

static uint64_t digest_pair(uint32_t first, uint32_t second)
{
    uint64_t both = (uint64_t)first << 32 | second;
    return (both + 1) * 0x9e3779b97f4a7c15u >> 7;
}

static int add_to_digest(uint32_t first, uint32_t second, void *user)
{
    digest *d = user;
    d->sum += digest_pair(first, second);
    d->count++;
    return 0;
}

TEST(gc_04_callback_and_inlined_loop_see_the_same_pairs)
{
    double seconds[2] = {0, 0};
    scatter(3, SCREE_SPHERES, 2000, 2);
    for (size_t m = 0; m < scree_method_count(); m++) {
        scree_detector *detector = make_plain(method_name(m));
        digest called = {0, 0}, inlined = {0, 0};
        double began = scree_clock_seconds(), between;
        CHECK_EQUAL(scree_detector_for_each_pair(detector, add_to_digest, &called), SCREE_OK);
        seconds[0] += (between = scree_clock_seconds()) - began;
        scree_pairs pairs = pairs_of(detector, false);
        SCREE_FOR_EACH_PAIR(pairs, i, j) {
            inlined.sum += digest_pair(i, j);
            inlined.count++;
        }
        seconds[1] += scree_clock_seconds() - between;
        CHECK(called.count > world.count);
        CHECK_EQUAL(called.count, inlined.count);
        CHECK_EQUAL(called.sum, inlined.sum);

        /* break leaves the loop, continue takes the next pair, and loops may be nested */
        uint64_t turns = 0, inner = 0, at = pairs.count / 3;
        SCREE_FOR_EACH_PAIR(pairs, i, j) {
            if (turns++ < at)
                continue;
            CHECK(i == pairs.first[at] && j == pairs.second[at]);
            SCREE_FOR_EACH_PAIR(pairs, k, l) {
                if (k == i && l == j)
                    break;
                inner++;
            }
            break;
        }
        CHECK_EQUAL(turns, at + 1);
        CHECK_EQUAL(inner, at);
        scree_detector_destroy(detector);
    }
    FIGURE("searches by all methods, called %.2f ms, inlined %.2f ms", 1e3 * seconds[0],
           1e3 * seconds[1]);
}

/* ---- FindObjects ----------------------------------------------------------------------------- */

/*  Regions from a point to the whole, inside, across and beyond where the bodies are. */
TEST(gc_05_any_region_finds_what_a_linear_scan_finds)
{
    for (size_t c = 0; c < 4 * scree_method_count(); c++) {
        scatter(c % 2 ? 2 : 3, c / 2 % 2 ? SCREE_BOXES : SCREE_SPHERES, 300, 5);
        scree_detector *detector = make_plain(method_name(c / 4));
        size_t found = 0;
        for (int q = 0; q < 24; q++) {
            double from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
            for (int k = 0; k < world.dimensions; k++) {
                from[k] = scree_random_range(&world.random, -0.3, 1.2) * world.edge;
                to[k] = from[k] + (q % 4) * scree_random_unit(&world.random) * world.edge / 3;
            }
            found += check_region(detector, from, to);
        }
        CHECK(found > 24);
        double far[3] = {-9e9, -9e9, -9e9}, away[3] = {9e9, 9e9, 9e9};
        CHECK_EQUAL(check_region(detector, far, away), world.count);
        CHECK_EQUAL(check_region(detector, away, away), 0);
        scree_detector_destroy(detector);
    }
}

/* ---- accuracy -------------------------------------------------------------------------------- */

/*  Those that compare boxes exactly hand over just the overlapping ones. A disc fills pi / 4 of its
    box, so no more than 4 / pi of that is lost to the exact test. */
TEST(gc_06_candidate_lists_are_as_short_as_the_class_allows)
{
    static const char *const by_boxes[] = {"spatial-sort-1", "rtree", "rtree-rstar", "rtree-packed",
                                           "dess",           "dess2", "dess-rtree",  "stripe-sort"};
    scatter(2, SCREE_SPHERES, 1000, 4);
    uint64_t pairs = count_pairs(bodies_meet), boxes = count_pairs(boxes_meet);
    CHECK_EQUAL(search("bounding-volume").tested, pairs);
    for (size_t m = 0; m < COUNT_OF(by_boxes); m++)
        CHECK_EQUAL(search(by_boxes[m]).tested, boxes);
    CHECK_NEAR((double)boxes / (double)pairs, 4 / 3.14159, 0.05);

    /* the order of GC-H11, and no class beside pairing anywhere near all pairs */
    uint64_t hashing = search("hashing").tested, ranges = search("spatial-sort-2").tested;
    uint64_t pass = search("spatial-sort-3").tested, all = search("pairing").tested;
    FIGURE("candidates a pair: hashing %.2f, ranges %.2f, one pass %.2f, boxes %.2f",
           (double)hashing / (double)pairs, (double)ranges / (double)pairs,
           (double)pass / (double)pairs, (double)boxes / (double)pairs);
    CHECK_EQUAL(all, 1000 * 999 / 2);
    CHECK(all > 10 * hashing && hashing > ranges && ranges > pass && pass >= boxes);
}

/* ---- choice by name -------------------------------------------------------------------------- */

TEST(gc_07_a_class_is_chosen_by_its_name_at_run_time)
{
    for (size_t m = 0; m < COUNT_OF(thesis_classes); m++) {
        char name[32]; /* not a constant of this program */
        snprintf(name, sizeof name, "%s", thesis_classes[m]);
        scatter(2, SCREE_SPHERES, 40, 2);
        scree_detector *detector = make_plain(name);
        CHECK_TEXT(scree_detector_method(detector)->name, thesis_classes[m]);
        CHECK(scree_detector_method(detector) == scree_method_by_name(name));
        memset(name, 'x', sizeof name - 1); /* the name was the caller's */
        CHECK_TEXT(scree_detector_method(detector)->name, thesis_classes[m]);
        CHECK(check_pairs(detector) > 0);
        scree_detector_destroy(detector);
    }
    scree_error error;
    scree_detector *none = (scree_detector *)&error;
    scree_detector_def def = def_of("DESS");
    def.error = &error;
    CHECK_EQUAL(scree_detector_create(&def, &none), SCREE_UNKNOWN_METHOD);
    CHECK(!none && !scree_method_by_name("DESS"));
    CHECK_SAYS(error.text, "DESS");
}

/* ---- baselines ------------------------------------------------------------------------------- */

TEST(gc_08_pairing_has_each_of_n_with_each_other)
{
    static const size_t counts[] = {0, 1, 2, 3, 100, 257};
    static uint8_t seen[257][257];
    for (size_t c = 0; c < 2 * COUNT_OF(counts); c++) {
        size_t n = counts[c / 2], all = n * (n - 1) / 2;
        begin_world(c % 2 ? 2 : 3, SCREE_SPHERES, n);
        for (size_t i = 0; i < n; i++)
            place(i, 10 * (double)i, 0, 0, 1); /* none meet */
        CHECK_EQUAL(search("pairing").tested, all);
        scree_detector_def def = def_of("pairing");
        def.coarse = true;
        scree_detector *detector = make(&def);
        scree_pairs pairs = pairs_of(detector, false);
        CHECK_EQUAL(pairs.count, all);
        memset(seen, 0, sizeof seen);
        SCREE_FOR_EACH_PAIR(pairs, i, j) {
            CHECK(i < j && j < n && !seen[i][j]);
            seen[i][j] = 1;
        }
        scree_detector_destroy(detector);
    }
}

static void check_two(scree_volume volume, bool meet)
{
    world.volume = volume;
    scree_stats stats = search("bounding-volume");
    CHECK_EQUAL(stats.reported, meet);
    CHECK_EQUAL(stats.tested, meet);
}

/*  Discs and boxes are closed: they meet if they touch, and not one rounding farther apart. */
TEST(gc_09_bounding_volume_tests_discs_and_boxes)
{
    for (int d = 2; d <= 3; d++) {
        begin_world(d, SCREE_SPHERES, 2);
        place(0, 0, 0, 0, 2);
        place(1, 3, 4, 0, 3); /* 3, 4, 5 */
        check_two(SCREE_SPHERES, true);
        place(1, 3, nextafter(4, 5), 0, 3);
        check_two(SCREE_SPHERES, false);
        check_two(SCREE_BOXES, true);
        place(1, 0, 4, d == 3 ? 3 : 100, 3);
        check_two(SCREE_SPHERES, true);
        check_two(SCREE_BOXES, true);

        set_interval(1, 1, 2, 7);
        check_two(SCREE_BOXES, true);
        set_interval(1, 1, nextafter(2, 3), 7);
        check_two(SCREE_BOXES, false);
        set_interval(1, 1, -7, -2);
        check_two(SCREE_BOXES, true);
    }
}

/* ---- the case diagram ------------------------------------------------------------------------ */

/*  Where the match lies along an axis for the target [10, 20]: columns 1 to 6. */
static const double columns[6][2] = {{1, 5}, {5, 15}, {5, 25}, {12, 18}, {15, 25}, {25, 30}};

/*  All cells of 6 x 6 (or 6 x 6 x 6), with the match as second body (A) and as first (B), among
    bystanders that keep indices and grids from being trivial. Returns how often they met. */
static unsigned count_cases(const char *method, int dimensions)
{
    enum
    {
        bystanders = 40
    };
    unsigned contacts = 0, cells = dimensions == 2 ? 36 : 216;
    begin_world(dimensions, SCREE_BOXES, 2 + bystanders);
    for (size_t i = 0; i < bystanders; i++)
        place(2 + i, 60 + 12 * (double)(i % 7), 60 + 12 * (double)(i / 7), 12 * (double)(i % 3), 5);
    scree_detector *detector = make_plain(method);
    for (unsigned c = 0; c < 2 * cells; c++) {
        unsigned cell = c / 2, match = c % 2;
        bool meet = true;
        for (int k = 0; k < dimensions; k++, cell /= 6) {
            set_interval(1 - match, k, 10, 20);
            set_interval(match, k, columns[cell % 6][0], columns[cell % 6][1]);
            meet = meet && cell % 6 != 0 && cell % 6 != 5;
        }
        update(detector);
        scree_pairs pairs = pairs_of(detector, false);
        if (pairs.count != meet || (meet && (pairs.first[0] != 0 || pairs.second[0] != 1)))
            FAIL("%s, %dD: cell %u%s has %" PRIu64 " pairs", method, dimensions, c / 2,
                 match ? "A" : "B", pairs.count);
        contacts += (unsigned)pairs.count;
    }
    scree_detector_destroy(detector);
    return contacts;
}

/*  16 of the 36 cells are contacts, and 64 of the 216; A and B are two cells of the same number. */
TEST(gc_10_every_case_is_found_once_as_a_or_as_b)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        CHECK_EQUAL(count_cases(method_name(m), 2), 2 * 16);
        CHECK_EQUAL(count_cases(method_name(m), 3), 2 * 64);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(gc_01_every_class_has_the_same_four_functions),
        CASE(gc_02_objects_are_keyed_by_integers_and_have_volumes),
        CASE(gc_03_the_action_is_called_once_for_each_pair),
        CASE(gc_04_callback_and_inlined_loop_see_the_same_pairs),
        CASE(gc_05_any_region_finds_what_a_linear_scan_finds),
        CASE(gc_06_candidate_lists_are_as_short_as_the_class_allows),
        CASE(gc_07_a_class_is_chosen_by_its_name_at_run_time),
        CASE(gc_08_pairing_has_each_of_n_with_each_other),
        CASE(gc_09_bounding_volume_tests_discs_and_boxes),
        CASE(gc_10_every_case_is_found_once_as_a_or_as_b),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
