/*  The classes of generalized contact detection that sort, one by one: a test for each of their
    rows of docs/checklist.md (Perkins 1999; Perkins & Williams 2001). Each class is compared with a
    straight loop, and what its row claims is counted: candidates, exchanges, bytes, stripes. What
    only a clock can tell is a claim of `scree-bench thesis`. */
#include "gcd_world.h"

/*  Boxes that overlap, for one pair: what a class comes to that compares boxes exactly. */
static double excess_of_boxes(void)
{
    return (double)count_pairs(boxes_meet) / (double)count_pairs(bodies_meet);
}

static double bytes_of(const char *method)
{
    return (double)search(method).bytes;
}

/* ---- spatial sorts --------------------------------------------------------------------------- */

/*  All neighbours on an axis are N sqrt(N) entries, but the lists of one body are intersected as they are made: memory
    grows as with ranges, also where all overlap on an axis. */
TEST(gc_11_spatial_sort_1_keeps_one_list)
{
    check_method("spatial-sort-1");
    double lists[2], ranges[2], layers[2];
    for (int k = 0; k < 2; k++) {
        size_t edge = k ? 80 : 20;
        scatter(2, SCREE_SPHERES, edge * edge, 1);
        lists[k] = bytes_of("spatial-sort-1");
        ranges[k] = bytes_of("spatial-sort-2");
        begin_world(3, SCREE_SPHERES, edge * edge);
        for (size_t i = 0; i < edge * edge; i++)
            place(i, (double)(i % edge), (double)(i / edge), 0, 0.51);
        layers[k] = bytes_of("spatial-sort-1");
    }
    FIGURE(
        "16 times the bodies: lists take %.1f times the bytes, ranges %.1f, lists of a layer %.1f",
        lists[1] / lists[0], ranges[1] / ranges[0], layers[1] / layers[0]);
    CHECK(ranges[1] < 18 * ranges[0]);
    CHECK(lists[1] < 18 * lists[0] && layers[1] < 18 * layers[0]);
}

TEST(gc_12_spatial_sort_2_loses_accuracy_with_the_size_ratio)
{
    check_method("spatial-sort-2");
    double last = 0;
    for (int ratio = 1; ratio <= 32; ratio *= 4) { /* 1, 4, 16 */
        scatter(2, SCREE_SPHERES, 1500, ratio);
        double more = excess("spatial-sort-2") / excess_of_boxes();
        FIGURE("%.2f at ratio %d", more, ratio);
        CHECK(ratio == 1 ? more < 1.02 : more > 1.1 * last);
        last = more;
    }
}

/*  The full range on one axis alone, so about half of what two hold in vain; it hardly grows from
    ratio 4 to ratio 32. */
TEST(gc_13_spatial_sort_3_takes_one_pass)
{
    check_method("spatial-sort-3");
    double pass[2];
    for (int k = 0; k < 2; k++) {
        scatter(2, SCREE_SPHERES, 1500, k ? 32 : 4);
        pass[k] = excess("spatial-sort-3") / excess_of_boxes();
        double ranges = excess("spatial-sort-2") / excess_of_boxes();
        CHECK(pass[k] - 1 < 0.6 * (ranges - 1));
    }
    FIGURE("%.2f at ratio 4, %.2f at 32", pass[0], pass[1]);
    CHECK(pass[1] < 1.15 * pass[0]);
}

/*  Which sort ran is seen by its exchanges: heap sort counts none. */
TEST(gc_14_heap_sort_and_insertion_sort_can_be_chosen)
{
    static const char *const names[] = {"spatial-sort-1", "spatial-sort-2", "spatial-sort-3"};
    for (size_t c = 0; c < 2 * COUNT_OF(names) + 2; c++) {
        bool is_dess = c >= 2 * COUNT_OF(names), by_insertion = c % 2;
        scree_detector_def def = def_of(is_dess ? by_insertion ? "dess2" : "dess" : names[c / 2]);
        def.sort_by_insertion = by_insertion;
        check_against_loop(&def);

        /* body 0 passes body 1 on axis 0: one end passes one, or each of two passes two */
        begin_world(2, SCREE_SPHERES, 3);
        for (size_t i = 0; i < 3; i++)
            place(i, 5 * (double)i, 7 * (double)i, 0, 1);
        def.dimensions = 2;
        def.volume = SCREE_SPHERES;
        scree_detector *detector = make(&def);
        CHECK_EQUAL(scree_detector_stats(detector).inversions, 0);
        place(0, 7.5, 0, 0, 1);
        update(detector);
        CHECK_EQUAL(check_pairs(detector), 0);
        CHECK_EQUAL(scree_detector_stats(detector).inversions, by_insertion ? is_dess ? 4 : 1 : 0);
        scree_detector_destroy(detector);
    }
}

/* ---- DESS ------------------------------------------------------------------------------------ */

/*  Ends that are equal: the whole diagram of ties, on a lattice of boxes that only touch. */
static void check_ties(const char *method)
{
    size_t n = 7;
    for (int d = 2; d <= 3; d++) {
        size_t count = d == 2 ? n * n : n * n * n, edge = 3 * n - 2;
        begin_world(d, SCREE_BOXES, count);
        for (size_t i = 0; i < count; i++)
            place(i, (double)(i % n) - 3, (double)(i / n % n) - 3, (double)(i / n / n) - 3, 0.5);
        CHECK_EQUAL(2 * search(method).tested + count, d == 2 ? edge * edge : edge * edge * edge);
    }
}

TEST(gc_23_dess_sorts_again_each_step)
{
    check_method("dess");
    check_ties("dess");
    scatter(2, SCREE_SPHERES, 1000, 3);
    scree_detector *detector = make_plain("dess");
    for (uint64_t step = 1; step < 5; step++) {
        check_pairs(detector);
        scree_stats stats = scree_detector_stats(detector);
        CHECK_EQUAL(stats.rebuilds, step);
        CHECK_EQUAL(stats.inversions, 0);
        CHECK_EQUAL(stats.tested, count_pairs(boxes_meet));
        shift_all(0.2);
        update(detector);
    }
    scree_detector_destroy(detector);
}

/*  Where bodies move by a hundredth of a radius, mending takes a small part of the comparisons that
    any sort from nothing needs. Times: GC-H5 of `scree-bench thesis`. */
TEST(gc_24_dess2_mends_its_order)
{
    check_method("dess2");
    check_ties("dess2");
    scatter(2, SCREE_SPHERES, 2000, 3);
    double ends = 2.0 * 2000, from_nothing = 2 * ends * log2(ends);
    scree_detector *detector = make_plain("dess2");
    for (int step = 0; step < 10; step++) {
        shift_all(0.01);
        update(detector);
        check_pairs(detector);
        scree_stats stats = scree_detector_stats(detector);
        CHECK(stats.inversions > 0);
        CHECK((double)stats.inversions < 0.05 * from_nothing);
        CHECK_EQUAL(stats.rebuilds, 1);
        if (step == 9)
            FIGURE("%.2f %% of the comparisons of a sort from nothing",
                   100 * (double)stats.inversions / from_nothing);
    }
    update(detector);
    CHECK_EQUAL(scree_detector_stats(detector).inversions, 0);
    scree_detector_destroy(detector);
}

/*  Increasing, and nowhere near linear: from 1e-40 to 1e40. */
static double bend(double x, int axis)
{
    double t = x / world.edge, odd = axis == 1 ? t * t * t : t;
    return t < 0.5 ? odd * 1e-40 : odd * 1e40;
}

/*  What searches by ranks alone cannot notice a map of the coordinates that keeps their order: the
    same candidates, in the same sequence. Hashing looks at coordinates, and is seen to notice. */
TEST(gc_25_dess_searches_by_integers)
{
    static const char *const names[] = {"dess", "dess2", "dess-rtree", "hashing2"};
    static scree_pairs before[COUNT_OF(names)];
    scree_detector *straight[COUNT_OF(names)];
    for (int d = 2; d <= 3; d++) {
        scatter(d, SCREE_BOXES, 2000, 4);
        for (size_t m = 0; m < COUNT_OF(names); m++) {
            straight[m] = make_plain(names[m]);
            before[m] = pairs_of(straight[m], false);
        }
        for (size_t i = 0; i < world.count; i++)
            for (int k = 0; k < d; k++)
                set_interval(i, k, bend(world.lower[i][k], k), bend(world.upper[i][k], k));
        for (size_t m = 0; m < COUNT_OF(names); m++) {
            scree_detector *bent = make_plain(names[m]);
            scree_pairs after = pairs_of(bent, false);
            uint64_t tested = scree_detector_stats(straight[m]).tested;
            CHECK_EQUAL(after.count, before[m].count);
            if (strcmp(names[m], "hashing2") == 0) {
                CHECK(scree_detector_stats(bent).tested > 10 * tested);
            } else {
                check_same(before[m], after);
                CHECK_EQUAL(scree_detector_stats(bent).tested, tested);
            }
            scree_detector_destroy(bent);
            scree_detector_destroy(straight[m]);
        }
    }
}

/*  All overlap on two axes; the third decides, whichever it is. */
TEST(gc_26_dess_in_3d)
{
    static const char *const names[] = {"dess", "dess2"};
    for (size_t c = 0; c < 3 * COUNT_OF(names); c++) {
        int deciding = (int)(c % 3);
        begin_world(3, SCREE_BOXES, 200);
        for (size_t i = 0; i < world.count; i++)
            for (int k = 0; k < 3; k++) {
                double from = scree_random_range(&world.random, 0, k == deciding ? 200 : 1);
                set_interval(i, k, from, from + (k == deciding ? 1.5 : 2));
            }
        scree_stats stats = search(names[c / 3]);
        CHECK(stats.tested > 100 && stats.tested < 1000);
        CHECK_EQUAL(stats.tested, count_pairs(boxes_meet));
    }
    for (size_t m = 0; m < COUNT_OF(names); m++) {
        scatter(3, SCREE_SPHERES, 1500, 4);
        CHECK_EQUAL(search(names[m]).tested, count_pairs(boxes_meet));
    }
}

/*  A region strictly inside an object has none of its ends. */
static void check_surrounding(const char *method, int dimensions)
{
    static const double from[3] = {90, 90, 90}, to[3] = {91, 91, 91};
    begin_world(dimensions, SCREE_BOXES, 500);
    for (size_t i = 0; i < world.count; i++)
        place(i, 20 * scree_random_unit(&world.random), 20 * scree_random_unit(&world.random),
              20 * scree_random_unit(&world.random), 0.5);
    place(10, 90, 90, 90, 5);         /* around the region */
    place(250, 90, 90, 90, 1000);     /* around everything */
    place(251, 98, 90.5, 90.5, 7);    /* touches it from above */
    place(252, 82, 90.5, 90.5, 8);    /* and from below */
    place(253, 82, 90.5, 90.5, 7.99); /* almost */
    place(254, 90.5, 90.5, 90.5, 0.1);
    scree_detector *detector = make_plain(method);
    CHECK_EQUAL(check_region(detector, from, to), 5);
    scree_detector_destroy(detector);
}

TEST(gc_27_regions_find_the_objects_around_them)
{
    static const char *const names[] = {"dess", "dess2", "dess-rtree", "stripe-sort"};
    for (size_t c = 0; c < 2 * COUNT_OF(names); c++)
        check_surrounding(names[c / 2], 2 + (int)(c % 2));
}

/* ---- stripes --------------------------------------------------------------------------------- */

/*  Stripes down to one body, with boundaries of many stripes, and one body in all boundaries. */
TEST(gc_28_stripes_have_borders_and_no_duplicates)
{
    static const double factors[] = {1e-3, 0.5, 2, 8};
    for (size_t f = 0; f < 2 * COUNT_OF(factors); f++) {
        scree_detector_def def = def_of("stripe-sort");
        def.stripe_factor = factors[f / 2];
        def.stripe_naive = f % 2;
        check_against_loop(&def);
        for (int d = 2; d <= 3; d++) {
            scatter(d, SCREE_SPHERES, 1200, 5);
            place(600, world.edge / 2, world.edge / 2, d == 3 ? world.edge / 2 : 0, world.edge);
            def.dimensions = d;
            def.volume = SCREE_SPHERES;
            CHECK_EQUAL(search_with(&def).tested, count_pairs(boxes_meet));
        }
    }
}

/*  In how many stripes the world was searched: in each, pairs come upwards on axis 1. */
static size_t count_stripes(bool naive)
{
    scree_detector_def def = def_of("stripe-sort");
    def.stripe_factor = 1;
    def.stripe_naive = naive;
    scree_detector *detector = make(&def);
    scree_pairs pairs = pairs_of(detector, false);
    size_t stripes = 1;
    double last = -HUGE_VAL;
    SCREE_FOR_EACH_PAIR(pairs, i, j) {
        double at = fmin(world.lower[i][1], world.lower[j][1]);
        stripes += at < last;
        last = at;
    }
    scree_detector_destroy(detector);
    return stripes;
}

/*  Columns of 20 bodies that reach 3 columns on: a boundary is 60. Published stripes of sqrt(N) = 40
    are less than that, so most of what they sort is boundary; mended ones have 4 boundaries at least.
    Times: GC-H7 of `scree-bench thesis`. */
TEST(gc_29_borders_outgrow_naive_stripes_and_mended_ones_do_not)
{
    begin_world(2, SCREE_BOXES, 1600);
    for (size_t i = 0; i < world.count; i++) {
        double x = (double)(i / 20), y = (double)(i % 20) + scree_random_unit(&world.random) * 0.1;
        set_interval(i, 0, x, x + 3.5);
        set_interval(i, 1, y, y + 8); /* stripes are cut along axis 0, where bodies are short */
    }
    size_t naive = count_stripes(true), mended = count_stripes(false);
    FIGURE("%zu naive stripes, %zu mended", naive, mended);
    CHECK_EQUAL(naive, 40);
    CHECK(mended > 2 && mended <= 1600 / (4 * 60) + 2); /* the last two run out of bodies */
}

/* ---- ranks in a tree ------------------------------------------------------------------------- */

/*  Ranks serve the search, so accuracy is that of DESS at any ratio; `scree-bench thesis` has its
    curve beside those of dess and rtree. */
TEST(gc_30_dess_rtree_searches_ranks_in_a_tree)
{
    check_method("dess-rtree");
    check_ties("dess-rtree");
    for (int ratio = 1; ratio <= 32; ratio *= 32) {
        scatter(3, SCREE_SPHERES, 1500, ratio);
        uint64_t boxes = count_pairs(boxes_meet);
        CHECK_EQUAL(search("dess-rtree").tested, boxes);
        CHECK_EQUAL(search("dess").tested, boxes);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(gc_11_spatial_sort_1_keeps_one_list),
        CASE(gc_12_spatial_sort_2_loses_accuracy_with_the_size_ratio),
        CASE(gc_13_spatial_sort_3_takes_one_pass),
        CASE(gc_14_heap_sort_and_insertion_sort_can_be_chosen),
        CASE(gc_23_dess_sorts_again_each_step),
        CASE(gc_24_dess2_mends_its_order),
        CASE(gc_25_dess_searches_by_integers),
        CASE(gc_26_dess_in_3d),
        CASE(gc_27_regions_find_the_objects_around_them),
        CASE(gc_28_stripes_have_borders_and_no_duplicates),
        CASE(gc_29_borders_outgrow_naive_stripes_and_mended_ones_do_not),
        CASE(gc_30_dess_rtree_searches_ranks_in_a_tree),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
