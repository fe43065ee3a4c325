/*  What is particular to the methods that sort: spatial-sort-1 to -3, dess, dess2 and stripe-sort.
    Where ends are equal, who of two reports the pair, what is kept from step to step, and what
    their parameters must not change. That they report the right pairs on scenes of all kinds is
    tested with all other methods, elsewhere. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#define MOST 4000

static double lower[MOST][3], upper[MOST][3];
static scree_random source;

static const char *const names[] = {"spatial-sort-1", "spatial-sort-2", "spatial-sort-3",
                                    "dess",           "dess2",          "stripe-sort"};
#define METHODS (sizeof names / sizeof *names)

/* ---- detectors on the boxes above ------------------------------------------------------------ */

static scree_detector_def def_of(const char *method, int dimensions)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = dimensions;
    def.volume = SCREE_BOXES;
    return def;
}

static scree_detector *make(const scree_detector_def *def)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_OK);
    return detector;
}

static scree_detector *make_plain(const char *method, int dimensions)
{
    scree_detector_def def = def_of(method, dimensions);
    return make(&def);
}

static scree_table boxes(size_t first, size_t count)
{
    scree_view l[3], u[3];
    for (int k = 0; k < 3; k++) {
        l[k] = scree_doubles(&lower[first][k], sizeof *lower);
        u[k] = scree_doubles(&upper[first][k], sizeof *upper);
    }
    return scree_table_boxes(count, l, u);
}

static void update(scree_detector *detector, size_t count)
{
    scree_table table = boxes(0, count);
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
    for (uint64_t i = 0; i < a.count; i++) {
        CHECK_EQUAL(a.first[i], b.first[i]);
        CHECK_EQUAL(a.second[i], b.second[i]);
    }
}

/*  Boxes with edges in [least, most], at random in a cube of the given edge. */
static void scatter(size_t count, double edge, double least, double most)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            lower[i][k] = scree_random_range(&source, 0, edge);
            upper[i][k] = lower[i][k] + scree_random_range(&source, least, most);
        }
}

static void shift(size_t first, size_t count, double most)
{
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) {
            double by = scree_random_range(&source, -most, most);
            lower[i][k] += by;
            upper[i][k] += by;
        }
}

/* ---- where ends are equal -------------------------------------------------------------------- */

/*  The six columns of the case diagram for a target [10, 20], then what ties make of them. */
static const struct
{
    double lower, upper;
    bool meets;
} intervals[] = {
    {1, 5, false},   {5, 15, true},  {5, 25, true},  {12, 18, true},    {15, 25, true},
    {25, 30, false}, {5, 10, true},  {20, 25, true}, {10, 20, true},    {10, 15, true},
    {15, 20, true},  {10, 25, true}, {5, 20, true},  {10, 10, true},    {20, 20, true},
    {15, 15, true},  {9, 9, false},  {5, 9, false},  {21, 21.5, false},
};
#define INTERVALS (sizeof intervals / sizeof *intervals)

static void set_interval(size_t body, int axis, double from, double to)
{
    lower[body][axis] = from;
    upper[body][axis] = to;
}

/*  All placements of the diagram, target first and match first, on any pair of axes. A bystander
    far out on the third axis keeps the axes from being alike. */
static void check_placements(const char *method, int dimensions)
{
    scree_detector *detector = make_plain(method, dimensions);
    for (size_t c = 0; c < INTERVALS * INTERVALS * 2 * 3; c++) {
        size_t x = c % INTERVALS, y = c / INTERVALS % INTERVALS,
               match = c / INTERVALS / INTERVALS % 2;
        int skipped = (int)(c / INTERVALS / INTERVALS / 2);
        int a = skipped == 0, b = skipped == 2 ? 1 : 2;
        if (dimensions == 2 && skipped != 2)
            continue;
        for (int k = 0; k < 3; k++) {
            set_interval(1 - match, k, 10, 20);
            set_interval(match, k, 10, 20);
            set_interval(2, k, 500, 500.0 + 100 * (k == a));
        }
        set_interval(match, a, intervals[x].lower, intervals[x].upper);
        set_interval(match, b, intervals[y].lower, intervals[y].upper);
        update(detector, 3);
        bool meets = intervals[x].meets && intervals[y].meets;
        if (pairs_of(detector, false).count != meets)
            FAIL("%s, %dD, columns %zu and %zu on axes %d and %d", method, dimensions, x, y, a, b);
    }
    scree_detector_destroy(detector);
}

TEST(reports_each_placement_once)
{
    for (size_t m = 0; m < METHODS; m++) {
        check_placements(names[m], 2);
        check_placements(names[m], 3);
    }
}

/*  Boxes of a lattice touch all their neighbours, across edges and corners too. The lattice lies
    around 0, where -0.0 and +0.0 must touch. */
TEST(finds_what_only_touches)
{
    size_t n = 9;
    for (size_t m = 0; m < METHODS; m++) {
        for (int d = 2; d <= 3; d++) {
            size_t count = d == 2 ? n * n : n * n * n, edge = 3 * n - 2;
            for (size_t i = 0; i < count; i++) {
                size_t at[3] = {i % n, i / n % n, i / n / n};
                for (int k = 0; k < 3; k++) {
                    double middle = (double)at[k] - 4;
                    set_interval(i, k, middle, middle == -1 ? -0.0 : middle + 1);
                }
            }
            scree_detector *detector = make_plain(names[m], d);
            update(detector, count);
            /* one with another, in both orders and with itself: (3n - 2)^d */
            size_t both = (d == 2 ? edge * edge : edge * edge * edge) - count;
            CHECK_EQUAL(pairs_of(detector, false).count, both / 2);
            scree_detector_destroy(detector);
        }
    }
}

/* ---- what is kept from step to step ---------------------------------------------------------- */

TEST(counts_inversions)
{
    scree_detector *detector = make_plain("dess2", 2);
    for (int k = 0; k < 2; k++) {
        set_interval(0, k, 0, 1);
        set_interval(1, k, k ? 0 : 2, k ? 1 : 3);
    }
    update(detector, 2);
    CHECK_EQUAL(scree_detector_stats(detector).inversions, 0);
    set_interval(0, 0, 4, 5); /* both its ends pass both of the other's */
    update(detector, 2);
    CHECK_EQUAL(scree_detector_stats(detector).inversions, 4);
    set_interval(0, 0, 2.5, 5); /* its lower end goes back past one */
    update(detector, 2);
    CHECK_EQUAL(scree_detector_stats(detector).inversions, 1);
    CHECK_EQUAL(pairs_of(detector, false).count, 1);
    update(detector, 2);
    CHECK_EQUAL(scree_detector_stats(detector).inversions, 0);
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
    scree_detector_destroy(detector);
}

/*  Turning a scene over leaves as many inversions as there can be, 24 million here an axis;
    insertion sort gives up long before. */
TEST(survives_teleports)
{
    enum
    {
        count = 3500
    };
    source = scree_random_stream(8, 0);
    scatter(count, 30, 0.5, 1.5);
    scree_detector *detector = make_plain("dess2", 3);
    scree_detector *oracle = make_plain("bounding-volume", 3);
    update(detector, count);
    for (int step = 0; step < 3; step++) {
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                set_interval(i, k, -upper[i][k], -lower[i][k]);
        update(detector, count);
        update(oracle, count);
        check_same(pairs_of(oracle, true), pairs_of(detector, true));
        /* 8 N log2 N of the 2 N ends on each axis, and the one insertion that went over */
        CHECK(scree_detector_stats(detector).inversions <= 3 * 2 * count * (8 * 13 + 1));
        CHECK(scree_detector_stats(detector).inversions > count);
    }
    scree_detector_destroy(detector);
    scree_detector_destroy(oracle);
}

/*  Bodies come, go and move by twos and threes; the index is mended each time and never built again.
    An id that comes back is a new body. */
TEST(mends_its_index)
{
    size_t count = 300, spare = 20;
    source = scree_random_stream(9, 0);
    for (int d = 2; d <= 3; d++) {
        scree_detector *detectors[2] = {make_plain("bounding-volume", d), make_plain("dess2", d)};
        scatter(count + spare, 9, 0.5, 1.5);
        for (int m = 0; m < 2; m++)
            update(detectors[m], count);
        for (int step = 0; step < 60; step++) {
            uint32_t ids[3], rows[3];
            for (uint32_t i = 0; i < 3; i++) {
                rows[i] = 3 * scree_random_below(&source, (uint32_t)count / 3) + i;
                ids[i] = 5 * i + scree_random_below(&source, 5);
                shift(rows[i], 1, step % 10 ? 0.2 : 9);
            }
            shift(count, spare, 0.5);
            for (int m = 0; m < 2; m++) {
                scree_table all = boxes(0, count), fresh = boxes(count, 3);
                scree_rows dirty = {rows, 1 + (size_t)step % 3};
                CHECK_EQUAL(scree_detector_update(detectors[m], &all, &dirty), SCREE_OK);
                CHECK_EQUAL(scree_detector_remove(detectors[m], ids, 3), SCREE_OK);
                fresh.ids = scree_integer_view(ids, sizeof *ids);
                CHECK_EQUAL(scree_detector_insert(detectors[m], &fresh, NULL), SCREE_OK);
            }
            check_same(pairs_of(detectors[0], true), pairs_of(detectors[1], true));
        }
        CHECK_EQUAL(scree_detector_stats(detectors[1]).rebuilds, 1);
        for (int m = 0; m < 2; m++)
            scree_detector_destroy(detectors[m]);
    }
}

/*  More bodies come than there were, then all go, then some come again. */
TEST(comes_back_from_nothing)
{
    source = scree_random_stream(16, 0);
    scatter(200, 6, 0.5, 1.5);
    for (size_t m = 0; m < METHODS; m++) {
        scree_detector *detector = make_plain(names[m], 3),
                       *oracle = make_plain("bounding-volume", 3);
        scree_table rest = boxes(3, 197);
        uint32_t ids[200];
        update(detector, 3);
        CHECK_EQUAL(scree_detector_insert(detector, &rest, NULL), SCREE_OK);
        update(oracle, 200);
        check_same(pairs_of(oracle, true), pairs_of(detector, true));
        for (uint32_t i = 0; i < 200; i++)
            ids[i] = i;
        CHECK_EQUAL(scree_detector_remove(detector, ids, 200), SCREE_OK);
        CHECK_EQUAL(pairs_of(detector, false).count, 0);
        rest = boxes(0, 0);
        CHECK_EQUAL(scree_detector_update(detector, &rest, NULL), SCREE_OK);
        CHECK_EQUAL(pairs_of(detector, false).count, 0);
        update(detector, 200);
        check_same(pairs_of(oracle, true), pairs_of(detector, true));
        scree_detector_destroy(detector);
        scree_detector_destroy(oracle);
    }
}

TEST(allocates_nothing_in_steady_state)
{
    enum
    {
        count = 2000
    };
    for (size_t m = 0; m < METHODS; m++) {
        for (int d = 2; d <= 3; d++) {
            scree_detector_def def = def_of(names[m], d);
            failing_allocator memory = {0};
            def.allocator = failing_allocator_hooks(&memory);
            scree_detector *detector = make(&def);
            size_t before = 0;
            source = scree_random_stream(10, 0);
            scatter(count, d == 2 ? 45 : 13, 0.5, 1.5);
            for (int step = 0; step < 20; step++) {
                before = step == 10 ? memory.requests : before;
                update(detector, count);
                (void)pairs_of(detector, false);
                shift(0, count, 0.01);
            }
            CHECK_EQUAL(memory.requests, before);
            scree_detector_destroy(detector);
        }
    }
}

/* ---- what parameters change, and what they do not -------------------------------------------- */

/*  Insertion sort ends where heap sort does, so even the sequence of pairs is the same. */
TEST(sorts_by_insertion_to_the_same_end)
{
    size_t count = 500;
    for (size_t m = 0; m < 3; m++) {
        scree_detector_def def = def_of(names[m], 3);
        scree_detector *by_heap = make(&def);
        def.sort_by_insertion = true;
        scree_detector *by_insertion = make(&def);
        source = scree_random_stream(11, m);
        scatter(count, 8, 0.5, 1.5);
        for (int step = 0; step < 10; step++) {
            update(by_heap, count);
            update(by_insertion, count);
            check_same(pairs_of(by_heap, false), pairs_of(by_insertion, false));
            CHECK_EQUAL(scree_detector_stats(by_heap).inversions, 0);
            CHECK((scree_detector_stats(by_insertion).inversions > 0) == (step > 0));
            shift(0, count, 0.1);
        }
        scree_detector_destroy(by_heap);
        scree_detector_destroy(by_insertion);
    }
}

/*  Stripes of one body, of some, of all; with boundaries wider than they are, and one body that makes
    a boundary of everything. */
TEST(stripes_never_show)
{
    size_t count = 1500;
    for (int d = 2; d <= 3; d++) {
        source = scree_random_stream(12, (uint64_t)d);
        scatter(count, d == 2 ? 40 : 12, 0.1, 3);
        for (int k = 0; k < 3; k++)
            set_interval(count / 2, k, -1, 50);
        scree_detector *oracle = make_plain("bounding-volume", d);
        update(oracle, count);
        static const double factors[] = {1e-6, 0.1, 0.5, 2, 8, 1e6};
        for (size_t f = 0; f < 12; f++) {
            scree_detector_def def = def_of("stripe-sort", d);
            def.stripe_factor = factors[f / 2];
            def.stripe_naive = f % 2;
            scree_detector *detector = make(&def);
            update(detector, count);
            check_same(pairs_of(oracle, true), pairs_of(detector, true));
            CHECK_EQUAL(scree_detector_stats(detector).tested,
                        scree_detector_stats(detector).reported);
            scree_detector_destroy(detector);
        }
        scree_detector_destroy(oracle);
    }
}

/*  A tower of bodies that all overlap from above: it has to be searched along its height, or each
    body looks at all others. Pairs come in the order of the axis that was chosen. */
TEST(searches_where_ranges_are_short)
{
    enum
    {
        count = 40
    };
    for (size_t c = 0; c < 3 * METHODS; c++) {
        const char *method = names[c / 3];
        int height = (int)(c % 3);
        if (strcmp(method, "stripe-sort") == 0)
            continue; /* cuts where ranges are short, and searches the other way */
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) {
                double at = k == height ? (double)i : -0.01 * (double)i;
                set_interval(i, k, at, at + 1);
            }
        scree_detector *detector = make_plain(method, 3);
        update(detector, count);
        scree_pairs pairs = pairs_of(detector, false);
        CHECK_EQUAL(pairs.count, count - 1);
        for (uint32_t i = 0; i < pairs.count; i++)
            CHECK_EQUAL(pairs.first[i], i);
        scree_detector_destroy(detector);
    }
}

/*  In how many stripes a scene was searched: in each, pairs come upwards on axis 1. */
static size_t stripes_in(double factor, bool naive, size_t count)
{
    scree_detector_def def = def_of("stripe-sort", 2);
    def.stripe_factor = factor;
    def.stripe_naive = naive;
    scree_detector *detector = make(&def);
    update(detector, count);
    scree_pairs pairs = pairs_of(detector, false);
    size_t stripes = 1;
    double last = -1;
    for (uint64_t i = 0; i < pairs.count; i++) {
        double a = lower[pairs.first[i]][1], b = lower[pairs.second[i]][1], at = a < b ? a : b;
        stripes += at < last;
        last = at;
    }
    scree_detector_destroy(detector);
    return stripes;
}

/*  40 columns of 25 bodies that reach two columns further: a boundary is 50 bodies and the rest of a
    column. Published stripes have 32, mended ones seven times that; the last two are shorter, as
    there is less and less beyond them. */
TEST(stripes_outgrow_their_borders)
{
    enum
    {
        count = 1000
    };
    source = scree_random_stream(17, 0);
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i / 25), y = (double)(i % 25) + scree_random_unit(&source) * 0.1;
        set_interval(i, 0, x, x + 2.5);
        set_interval(i, 1, y, y + 3); /* axis 1 is the one to search along */
    }
    CHECK_EQUAL(stripes_in(1, true, count), 32);
    CHECK_EQUAL(stripes_in(1, false, count), 6);
    CHECK_EQUAL(stripes_in(1e6, true, count), 1);

    /* one body that reaches all others costs its own stripe, which grows to 512, not all of them */
    set_interval(0, 0, 0, 100);
    CHECK_EQUAL(stripes_in(1, true, count), 32);
    CHECK_EQUAL(stripes_in(1, false, count), 5);
}

/*  Candidates for each pair reported. */
static double excess(const char *method, size_t count)
{
    scree_detector *detector = make_plain(method, 2);
    update(detector, count);
    (void)pairs_of(detector, false);
    scree_stats stats = scree_detector_stats(detector);
    scree_detector_destroy(detector);
    return (double)stats.tested / (double)stats.reported;
}

/*  As test 2 of the thesis: squares of edge 1 to `ratio`, packed as densely at any ratio. Where one
    is large, full ranges near it fill with bodies that overlap nothing: spatial-sort-2 has them on
    both axes, spatial-sort-3 on one, the others on none. */
TEST(accuracy_falls_where_it_should)
{
    enum
    {
        count = 800
    };
    double exact[2], ranges[2], pass[2];
    for (int r = 0; r < 2; r++) {
        double ratio = r ? 16 : 1;
        source = scree_random_stream(13, 0);
        for (size_t i = 0; i < count; i++) {
            double size = scree_random_range(&source, 1, ratio + 1e-9);
            for (int k = 0; k < 2; k++) {
                double at = scree_random_range(&source, 0, 20 * (1 + ratio));
                set_interval(i, k, at - size / 2, at + size / 2);
            }
        }
        exact[r] = excess("spatial-sort-1", count) + excess("dess", count) - 1;
        ranges[r] = excess("spatial-sort-2", count);
        pass[r] = excess("spatial-sort-3", count);
    }
    CHECK(exact[0] == 1 && exact[1] == 1);
    CHECK(ranges[0] < 1.01 && pass[0] < 1.01);
    CHECK(ranges[1] > 1.4 && pass[1] > 1);
    CHECK(ranges[1] - 1 > 1.8 * (pass[1] - 1));
}

TEST(sequence_does_not_depend_on_threads)
{
    enum
    {
        count = MOST
    };
    source = scree_random_stream(14, 0);
    scatter(count, 16, 0.2, 2);
    for (size_t m = 0; m < METHODS; m++) {
        scree_detector *detectors[3];
        for (int t = 0; t < 3; t++) {
            scree_detector_def def = def_of(names[m], 3);
            def.thread_count = t == 0 ? 1 : t == 1 ? 2 : 7;
            detectors[t] = make(&def);
            update(detectors[t], count);
        }
        scree_pairs one = pairs_of(detectors[0], false);
        CHECK(one.count > count);
        for (int t = 1; t < 3; t++)
            check_same(one, pairs_of(detectors[t], false));
        for (int t = 0; t < 3; t++)
            scree_detector_destroy(detectors[t]);
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

/*  A body around the region has no end inside it, on no axis. */
TEST(queries_find_what_surrounds_them)
{
    size_t count = 400;
    source = scree_random_stream(15, 0);
    scatter(count, 20, 0.1, 0.5);
    for (int k = 0; k < 3; k++) {
        set_interval(200, k, -100, 100);
        set_interval(201, k, 10, 30);
        set_interval(202, k, 11, 12);
    }
    static const double a[3] = {40, 40, 40}, b[3] = {41, 41, 41};
    static const double c[3] = {29.5, 29.5, 29.5}, d[3] = {30, 30, 30};
    static const double e[3] = {-200, -200, -200}, f[3] = {-100, -100, -100};
    scree_query around = scree_query_box(a, b), inside = scree_query_box(c, d),
                corner = scree_query_box(e, f);
    for (size_t m = 0; m < METHODS; m++) {
        scree_detector *detector = make_plain(names[m], 3);
        scree_hit hits[4];
        size_t hit_count;
        CHECK_EQUAL(scree_detector_hits(detector, &around, hits, 4, &hit_count, NULL), SCREE_OK);
        CHECK_EQUAL(hit_count, 0);
        update(detector, count);
        CHECK_EQUAL(scree_detector_hits(detector, &around, hits, 4, &hit_count, NULL), SCREE_OK);
        CHECK_EQUAL(hit_count, 1);
        CHECK_EQUAL(hits[0].id, 200);
        CHECK_EQUAL(scree_detector_hits(detector, &inside, hits, 4, &hit_count, NULL), SCREE_OK);
        CHECK_EQUAL(hit_count, 2);
        CHECK_EQUAL(hits[1].id, 201);
        CHECK_EQUAL(scree_detector_hits(detector, &corner, hits, 4, &hit_count, NULL), SCREE_OK);
        CHECK_EQUAL(hit_count, 1);
        scree_detector_destroy(detector);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(reports_each_placement_once),
        CASE(finds_what_only_touches),
        CASE(comes_back_from_nothing),
        CASE(counts_inversions),
        CASE(survives_teleports),
        CASE(mends_its_index),
        CASE(allocates_nothing_in_steady_state),
        CASE(sorts_by_insertion_to_the_same_end),
        CASE(stripes_never_show),
        CASE(searches_where_ranges_are_short),
        CASE(stripes_outgrow_their_borders),
        CASE(accuracy_falls_where_it_should),
        CASE(sequence_does_not_depend_on_threads),
        CASE(queries_find_what_surrounds_them),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
