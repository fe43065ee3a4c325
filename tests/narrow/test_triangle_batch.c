/*  Batches of triangle pairs: the pairs that touch are those of the double, whatever the method, level and place. */
#include "test.h"

#include "base/clock.h"
#include "harness/triangle_set.h"

static triangle_set all;
static answers got, other;
static double worst; /* error of a distance squared, over the size squared */

/*  Names of what is being asked, for messages. */
static void check_touches(const scree_triangle_settings *settings, const char *what)
{
    size_t found = 0;
    for (size_t k = 0; k < all.count; k++) {
        const triangle_pair *pair = &all.pair[k];
        double size = pair_size(pair), reach = all.skin[k];
        scree_gap gap;
        bool touch = scree_triangles_touch(pair->corner[0], pair->corner[1], reach, &gap);
        if (got.verdict[k] != (touch ? SCREE_TRIANGLES_TOUCH : SCREE_TRIANGLES_APART))
            FAIL("%s: pair %zu of sort %zu is said to %s: distance %.17g, reach %.17g", what, k,
                 k % PAIR_SORTS, touch ? "be apart" : "touch", gap.distance, reach);
        double square = touch ? got.touch[found].distance_sq : got.distance_sq[k];
        if (touch && settings->points == SCREE_TRIANGLE_POINTS_DOUBLE)
            CHECK(got.touch[found].distance_sq == gap.distance_sq &&
                  memcmp(got.touch[found].point, gap.point, sizeof gap.point) == 0);
        /* 2^-20 is promised; squares of tiny and huge ones tell nothing */
        if (size > 1e-100 && size < 1e100 &&
            (settings->method == SCREE_TRIANGLES_COMPARISON ||
             (touch && settings->points != SCREE_TRIANGLE_POINTS_ANY))) {
            worst = fmax(worst, fabs(square - gap.distance_sq) / (size * size));
            CHECK_NEAR(square, gap.distance_sq, 0x1p-20 * size * size);
        }
        if (touch)
            CHECK_EQUAL(got.touch[found].pair, k);
        found += touch;
    }
    CHECK_EQUAL(got.count, found);
    CHECK_EQUAL(got.counts.touching, found);
    CHECK_EQUAL(got.counts.undecided, 0);
    CHECK_EQUAL(got.counts.pairs, all.count);
}

static void check_methods(const char *what)
{
    scree_triangle_pairs pairs = set_pairs(&all);
    for (int method = 0; method < 2; method++)
        for (int points = 0; points < 3; points++) {
            scree_triangle_settings settings = scree_triangle_default_settings();
            settings.method = (scree_triangle_method)method;
            settings.points = (scree_triangle_points)points;
            ask(&pairs, &settings, &got);
            check_touches(&settings, what);
        }
}

TEST(touching_pairs_are_those_of_the_double)
{
    PROVES("NW-50");
    for (uint64_t seed = 0; seed < 6; seed++) {
        make_set(100 + seed, MAX_SET, 1, 0, &all);
        check_methods("as they are");
    }
    FIGURE("%d pairs, worst error 2^-24 times %.1f", 6 * MAX_SET, worst * 0x1p24);
    if (getenv("SCREE_TEST_TELL"))
        printf("worst error 2^-24 times %g\n", worst * 0x1p24);
}

TEST(touching_pairs_at_every_scale_and_place)
{
    static const double factor[6] = {1e-6, 1e6, 1e-300, 1e150, 1, 100};
    static const double offset[6] = {0, 0, 0, 0, 1e9, 1e15};
    for (int k = 0; k < 6; k++) {
        make_set(200 + (uint64_t)k, 1500, factor[k], offset[k], &all);
        check_methods("placed");
    }
}

/*  One pair, and reaches up and down around its distance: the verdict changes where the double's does. */
TEST(one_ulp_either_side)
{
    for (uint64_t n = 0; n < 300; n++) {
        scree_random random = scree_random_stream(5, n);
        triangle_pair pair;
        make_pair(&random, n % 2 ? PAIR_IN_PARALLEL_PLANES : PAIR_NEAR, &pair);
        double reach = gap_of(&pair).distance;
        if (!(reach > 0))
            continue;
        for (int k = 0; k < 5; k++)
            reach = nextafter(reach, 0);
        all.count = 0;
        for (int k = 0; k < 11; k++) {
            set_add(&all, &pair, reach);
            reach = nextafter(reach, INFINITY);
        }
        check_methods("an ulp");
        CHECK(got.counts.doubles > 0);
        CHECK(got.verdict[0] == SCREE_TRIANGLES_APART && got.verdict[10] == SCREE_TRIANGLES_TOUCH);
    }
}

/* ---- the same bits ---- */

static void check_same(const answers *a, const answers *b, const char *what, int method)
{
    if (a->count != b->count || memcmp(a->touch, b->touch, a->count * sizeof *a->touch) != 0 ||
        memcmp(a->verdict, b->verdict, sizeof a->verdict) != 0 ||
        memcmp(a->distance_sq, b->distance_sq, sizeof a->distance_sq) != 0)
        FAIL("%s: method %d answers otherwise", what, method);
    CHECK(memcmp(&a->counts, &b->counts, sizeof a->counts) == 0);
}

static scree_triangle_settings settings_number(int n)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    settings.method = (scree_triangle_method)(n % 3);
    settings.fallback = n / 3 % 2;
    settings.points = (scree_triangle_points)(n / 6 % 3);
    settings.accuracy = n / 18 ? 0.01 : 0;
    return settings;
}

TEST(all_levels_give_the_same_bits)
{
    PROVES("NW-14");
    for (int part = 0; part < 4; part++) {
        make_set(300, part ? 1490 + (size_t)part : 17, part == 3 ? 1e-300 : 1, part == 2 ? 1e9 : 0,
                 &all);
        scree_triangle_pairs pairs = set_pairs(&all);
        for (int n = 0; n < 36; n++) {
            scree_triangle_settings settings = settings_number(n);
            settings.simd = SCREE_SIMD_SCALAR;
            ask(&pairs, &settings, &got);
            for (scree_simd level = SCREE_SIMD_128; level <= SCREE_SIMD_AVX512; level++) {
                settings.simd = level; /* what the machine lacks is done by what it has */
                ask(&pairs, &settings, &other);
                check_same(&got, &other, scree_simd_name(level), n);
            }
        }
    }
}

/*  Alone, each pair is answered as in the triangle_set. */
TEST(neighbours_make_no_difference)
{
    static answers alone;
    make_set(400, 700, 1, 0, &all);
    scree_triangle_pairs pairs = set_pairs(&all);
    for (int n = 0; n < 18; n += 1 + n % 2) {
        scree_triangle_settings settings = settings_number(n);
        size_t found = 0;
        ask(&pairs, &settings, &got);
        for (size_t k = 0; k < all.count; k++) {
            scree_triangle_pairs one = pairs;
            one.first = one.second = all.index + k;
            one.count = 1;
            alone.count = scree_triangle_batch(&one, &settings, alone.touch, alone.verdict,
                                               alone.distance_sq, NULL);
            CHECK(alone.verdict[0] == got.verdict[k]);
            CHECK(memcmp(&alone.distance_sq[0], &got.distance_sq[k], sizeof(double)) == 0);
            if (alone.count)
                CHECK(memcmp(alone.touch[0].point, got.touch[found].point,
                             sizeof alone.touch[0].point) == 0);
            found += alone.count;
        }
        CHECK_EQUAL(found, got.count);
    }
}

/* ---- the interface ---- */

/*  Of corners of triangles, GB in a second. */
static double rate_of(const scree_triangle_pairs *pairs, const scree_triangle_settings *settings)
{
    const int repeats = TEST_EFFORT(10, 1000);
    double begin = scree_clock_seconds();

    for (int n = 0; n < repeats; n++)
        ask(pairs, settings, &other);
    return 1e-9 * repeats * (double)(pairs->count * 2 * 9 * sizeof(double)) /
           (scree_clock_seconds() - begin);
}

TEST(triangles_by_index_and_as_soup)
{
    PROVES("NW-15");
    static double shuffled[2][9 * MAX_SET];
    static uint32_t corners[2][3 * MAX_SET];
    make_set(500, 500, 1, 0, &all);
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    ask(&pairs, &settings, &got);
    double soup = rate_of(&pairs, &settings);
    /* vertices from the last to the first */
    for (size_t s = 0; s < 2; s++) {
        for (size_t v = 0; v < 3 * all.count; v++) {
            size_t to = 3 * all.count - 1 - v;
            memcpy(shuffled[s] + 3 * to, all.vertices[s] + 3 * v, 3 * sizeof(double));
            corners[s][v] = (uint32_t)to;
        }
        pairs.side[s].vertices = shuffled[s];
        pairs.side[s].corners = corners[s];
    }
    FIGURE("corners as soup %.2f GB/s, by index %.2f GB/s", soup, rate_of(&pairs, &settings));
    ask(&pairs, &settings, &other);
    check_same(&got, &other, "by index", 0);
}

/*  A triangle_set of numbers that floats can have. */
static void round_set(triangle_set *made, float soup[2][9 * MAX_SET])
{
    for (size_t s = 0; s < 2; s++)
        for (size_t c = 0; c < 9 * made->count; c++) {
            soup[s][c] = (float)made->vertices[s][c];
            made->vertices[s][c] = (double)soup[s][c];
        }
}

/*  Every method at every level, with both sides of floats and with one of each. */
TEST(nw_15_nine_floats_are_the_doubles_that_they_are)
{
    static float soup[2][9 * MAX_SET];
    size_t compared = 0;
    make_set(700, 1490, 1, 0, &all);
    round_set(&all, soup);
    scree_triangle_pairs pairs = set_pairs(&all);
    for (int n = 0; n < 36; n++)
        for (scree_simd level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
            scree_triangle_settings settings = settings_number(n);
            settings.simd = level;
            ask(&pairs, &settings, &got);
            for (int kind = 1; kind < 4; kind++) {
                scree_triangle_pairs streamed = pairs;
                for (int s = 0; s < 2; s++)
                    if (kind >> s & 1) {
                        streamed.side[s].soup = soup[s];
                        streamed.side[s].vertices = NULL;
                    }
                ask(&streamed, &settings, &other);
                check_same(&got, &other, "nine floats", n);
                compared += all.count;
            }
        }
    CHECK(got.count > 0);
    FIGURE("%zu pairs as nine floats, the same bits", compared);
}

TEST(one_skin_for_all_or_one_each)
{
    make_set(600, 1000, 1, 0, &all);
    for (size_t k = 0; k < all.count; k++)
        all.skin[k] = 0.125, all.none[k] = 0.0625;
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    ask(&pairs, &settings, &got);
    pairs.side[0].skin = NULL;
    pairs.side[0].skin_of_all = 0.125;
    ask(&pairs, &settings, &other);
    check_same(&got, &other, "one halo", 0);
    pairs.side[1].skin = NULL;
    pairs.side[1].skin_of_all = 0.0625;
    ask(&pairs, &settings, &other);
    check_same(&got, &other, "two halos", 0);
    CHECK(got.count > 100 && got.count < 900);
    /* what is not wanted changes nothing */
    CHECK_EQUAL(scree_triangle_batch(&pairs, &settings, other.touch, NULL, NULL, NULL), got.count);
    CHECK(memcmp(got.touch, other.touch, got.count * sizeof *got.touch) == 0);
    CHECK_EQUAL(scree_triangle_batch(&pairs, &settings, other.touch, other.verdict, NULL, NULL),
                got.count);
    CHECK(memcmp(got.verdict, other.verdict, all.count) == 0);
    pairs.count = 0;
    CHECK_EQUAL(scree_triangle_batch(&pairs, &settings, other.touch, NULL, NULL, NULL), 0);
}

TEST(tiles_of_distant_pairs)
{
    all.count = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        scree_random random = scree_random_stream(6, n);
        triangle_pair pair;
        pair_of_points_at_random(&random, 1, &pair);
        for (int c = 0; c < 3; c++)
            pair.corner[1][c][0] += n < 900 ? 50 : 0;
        set_add(&all, &pair, 0.5);
    }
    check_methods("distant");
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    CHECK_EQUAL(scree_triangle_batch(&pairs, &settings, other.touch, other.verdict, NULL, NULL),
                got.count);
    CHECK(memcmp(got.verdict, other.verdict, all.count) == 0);
    /* far ones by the first look */
    ask(&pairs, &settings, &got);
    CHECK(got.counts.iterations < 100 * 4 && got.counts.compared <= 100);
}

/*  Distances of pairs that are apart: never below the truth but for rounding, and with comparison not above. */
TEST(distances_of_pairs_that_are_apart)
{
    make_set(700, 2000, 1, 0, &all);
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    ask(&pairs, &settings, &got);
    for (size_t k = 0; k < all.count; k++)
        CHECK(got.distance_sq[k] >=
              gap_of(&all.pair[k]).distance_sq - 0x1p-20 * pow(pair_size(&all.pair[k]), 2));
}

TEST(without_fallback_some_stay_open)
{
    uint64_t open = 0, wrong = 0;
    make_set(800, MAX_SET, 1, 0, &all);
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    settings.fallback = false;
    settings.points = SCREE_TRIANGLE_POINTS_ANY;
    ask(&pairs, &settings, &got);
    for (size_t k = 0; k < all.count; k++) {
        const triangle_pair *pair = &all.pair[k];
        bool touch = scree_triangles_touch(pair->corner[0], pair->corner[1], all.skin[k], NULL);
        open += got.verdict[k] == SCREE_TRIANGLES_UNDECIDED;
        wrong += got.verdict[k] == (touch ? SCREE_TRIANGLES_APART : SCREE_TRIANGLES_TOUCH);
    }
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(open, got.counts.undecided);
    CHECK(open > 0 && open < all.count);
    CHECK(got.counts.compared == 0 && got.counts.doubles == 0);
    /* more steps leave less open */
    settings.steps = 64;
    ask(&pairs, &settings, &other);
    CHECK(other.counts.undecided < got.counts.undecided);
    /* the rest goes to the comparison, and only that */
    settings.steps = 4;
    settings.fallback = true;
    ask(&pairs, &settings, &other);
    CHECK_EQUAL(other.counts.compared, open);
}

/*  Points that are good enough need no comparison, and are as good as was asked for. */
TEST(points_within_the_accuracy)
{
    make_set(900, MAX_SET, 1, 0, &all);
    for (size_t k = 0; k < all.count; k++)
        all.skin[k] = 0.5;
    scree_triangle_pairs pairs = set_pairs(&all);
    scree_triangle_settings settings = scree_triangle_default_settings();
    ask(&pairs, &settings, &got);
    settings.accuracy = 0.01;
    ask(&pairs, &settings, &other);
    CHECK(other.counts.compared < got.counts.compared);
    CHECK_EQUAL(other.count, got.count);
    for (size_t k = 0; k < got.count; k++) {
        /* half the square may be a hundredth of half of 0.25 above the least; and rounding, as promised */
        double size = pair_size(&all.pair[got.touch[k].pair]), slack = 0x1p-20 * size * size;
        CHECK(other.touch[k].distance_sq <= got.touch[k].distance_sq + 0.0025 + slack);
        CHECK(other.touch[k].distance_sq >= got.touch[k].distance_sq - slack);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(touching_pairs_are_those_of_the_double),
        CASE(touching_pairs_at_every_scale_and_place),
        CASE(one_ulp_either_side),
        CASE(all_levels_give_the_same_bits),
        CASE(neighbours_make_no_difference),
        CASE(triangles_by_index_and_as_soup),
        CASE(nw_15_nine_floats_are_the_doubles_that_they_are),
        CASE(one_skin_for_all_or_one_each),
        CASE(tiles_of_distant_pairs),
        CASE(distances_of_pairs_that_are_apart),
        CASE(without_fallback_some_stay_open),
        CASE(points_within_the_accuracy),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
