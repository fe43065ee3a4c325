/*  The published iteration and the certified one: what each claims, one pair at a time in double and in batches. */
#include "test.h"

#include "harness/triangle_set.h"

static triangle_set all;
static answers got;

/* ---- Algorithm 4 once more, by the letter, in the units of the caller ---- */

typedef struct published
{
    double share[4], square, functional, before;
} published;

static double outside(double a, double b)
{
    return fmax(0, a - 1) + fmax(-a, 0) + fmax(0, b - 1) + fmax(-b, 0) + fmax(0, a + b - 1);
}

static double outside_slope(double a, double b)
{
    return (a > 1) - (a < 0) + (a + b > 1);
}

static void look_published(const triangle_pair *pair, double weight, double way[4][3], double d[3],
                           published *p)
{
    p->square = 0;
    for (int k = 0; k < 3; k++) {
        for (int w = 0; w < 4; w++) {
            const double(*t)[3] = pair->corner[w / 2];
            way[w][k] = (w < 2 ? 1 : -1) * (t[1 + w % 2][k] - t[0][k]);
        }
        d[k] = pair->corner[0][0][k] - pair->corner[1][0][k];
        for (int w = 0; w < 4; w++)
            d[k] += p->share[w] * way[w][k];
        p->square += d[k] * d[k];
    }
    p->before = p->functional;
    p->functional = 0.5 * p->square + weight * (outside(p->share[0], p->share[1]) +
                                                outside(p->share[2], p->share[3]));
}

static published iterate_published(const triangle_pair *pair,
                                   const scree_triangle_settings *settings)
{
    published p = {{0, 0, 0, 0}, 0, INFINITY, INFINITY};
    double way[4][3], d[3];
    look_published(pair, settings->penalty, way, d, &p);
    for (uint32_t n = 0; n < settings->steps; n++) {
        for (int w = 0; w < 4; w++) {
            double slope = 0, square = 0;
            for (int k = 0; k < 3; k++) {
                slope += d[k] * way[w][k];
                square += way[w][k] * way[w][k];
            }
            p.share[w] -= slope / (square + settings->regularisation);
        }
        double half[4];
        memcpy(half, p.share, sizeof half);
        for (int w = 0; w < 4; w++)
            p.share[w] -=
                settings->penalty * outside_slope(half[w], half[w ^ 1]) / settings->regularisation;
        look_published(pair, settings->penalty, way, d, &p);
    }
    return p;
}

static scree_triangle_settings published_settings(double alpha)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    settings.method = SCREE_TRIANGLES_HYBRID;
    settings.fallback = false;
    settings.penalty = settings.regularisation = alpha;
    return settings;
}

/*  In double the same to rounding, and so in floats. */
TEST(hybrid_is_what_was_published)
{
    PROVES("NW-12");
    static const double alphas[3] = {1, 1e-2, 1e-4};
    for (int a = 0; a < 3; a++) {
        scree_triangle_settings settings = published_settings(alphas[a]);
        uint64_t differs = 0, seen[3] = {0, 0, 0};
        make_set(50, 1400, 0.1, 0, &all);
        for (size_t k = 0; k < all.count; k++)
            all.skin[k] = 0.02;
        scree_triangle_pairs pairs = set_pairs(&all);
        ask(&pairs, &settings, &got);
        for (size_t k = 0; k < all.count; k++) {
            const triangle_pair *pair = &all.pair[k];
            scree_triangle_counts counts = {0};
            scree_gap gap;
            published p = iterate_published(pair, &settings);
            double change = fabs(p.functional - p.before), size = pair_size(pair);
            scree_triangle_verdict verdict = scree_triangle_single(pair->corner[0], pair->corner[1],
                                                                   0.02, &settings, &gap, &counts);
            /* steps are discontinuous at the boundaries: a share exactly there may go either way */
            if (fabs(gap.distance - sqrt(p.square)) > 1e-9 * size) {
                differs++;
                continue;
            }
            CHECK_EQUAL(counts.iterations, 4);
            seen[verdict]++;
            if (fabs(change - 0.01) > 1e-9 * size * size && fabs(p.square - 4e-4) > 1e-9)
                CHECK_EQUAL(verdict, change > 0.01      ? SCREE_TRIANGLES_UNDECIDED
                                     : p.square <= 4e-4 ? SCREE_TRIANGLES_TOUCH
                                                        : SCREE_TRIANGLES_APART);
            /* floats: 2^-24 of the size in each of some twenty operations, times four steps */
            if (fabs(change - 0.01) > 1e-4 * size * size &&
                fabs(p.square - 4e-4) > 1e-4 * size * size)
                differs += got.verdict[k] != verdict;
        }
        CHECK(differs < 70);
        CHECK(seen[0] > 0 && seen[1] > 0);
    }
}

/*  With steps so many and so short that it ends at boundaries instead of going to and fro across them. */
TEST(many_steps_come_to_the_minimum)
{
    PROVES("NW-11");
    scree_triangle_settings settings = published_settings(1);
    double worst = 0;

    settings.penalty = 10;
    settings.regularisation = 5000;
    settings.steps = 100000;
    for (uint64_t n = 0; n < 100; n++) {
        scree_random random = scree_random_stream(11, n);
        scree_triangle_counts counts = {0};
        scree_gap gap;
        triangle_pair pair;
        make_pair(&random, PAIR_NEAR, &pair);
        const triangle_pair *same = &pair;
        double truth = scree_triangle_distance(same->corner[0], same->corner[1]).distance;
        scree_triangle_single(same->corner[0], same->corner[1], 0.02, &settings, &gap, &counts);
        CHECK_EQUAL(counts.iterations, settings.steps);
        worst = fmax(worst, fabs(gap.distance - truth) / pair_size(&pair));
    }
    FIGURE("after 100,000 steps off by %.1e of the size", worst);
    CHECK(worst < 0.02);
}

/* ---- what it misses ---- */

/*  Two small triangles over each other whose nearest corners are not where the iteration begins. Their coordinates
    are so small that no step changes the functional by a hundredth, so it always believes that it has arrived. */
static const triangle_pair missed = {{
    {{-0.02, 0, 0}, {0, 0.01, 0}, {0, -0.01, 0}},
    {{0.023, 0, 0.004}, {0.003, 0.01, 0.004}, {0.003, -0.01, 0.004}},
}};

TEST(the_published_test_misses_a_contact)
{
    static const double alphas[3] = {1, 0.1, 1e-2};
    CHECK_NEAR(gap_of(&missed).distance, 0.005, 1e-15);
    for (int a = 0; a < 3; a++) {
        scree_triangle_settings settings = published_settings(alphas[a]);
        scree_triangle_counts counts = {0};
        scree_gap gap;
        settings.fallback = true; /* which is not asked: it is sure */
        CHECK_EQUAL(scree_triangle_single(missed.corner[0], missed.corner[1], 0.01, &settings, &gap,
                                          &counts),
                    SCREE_TRIANGLES_APART);
        CHECK_EQUAL(counts.compared, 0);
        all.count = 0;
        for (int k = 0; k < 20; k++)
            set_add(&all, &missed, 0.01);
        scree_triangle_pairs pairs = set_pairs(&all);
        ask(&pairs, &settings, &got);
        CHECK_EQUAL(got.count, 0);
        settings.method = SCREE_TRIANGLES_CERTIFIED;
        CHECK_EQUAL(scree_triangle_single(missed.corner[0], missed.corner[1], 0.01, &settings, &gap,
                                          &counts),
                    SCREE_TRIANGLES_TOUCH);
        ask(&pairs, &settings, &got);
        CHECK_EQUAL(got.count, 20);
    }
}

/*  The smaller the unit of length, the stricter the test: a length is compared with the square of one. */
TEST(the_published_test_depends_on_the_unit)
{
    triangle_pair large = missed;
    scree_triangle_settings settings = published_settings(1e-2);
    scree_triangle_counts counts = {0};
    scree_gap gap;
    place_pair(&large, 1e3, 0);
    const triangle_pair *same = &large;
    settings.penalty = settings.regularisation = 1e-2 * 1e6; /* of squares of lengths */
    CHECK_EQUAL(
        scree_triangle_single(same->corner[0], same->corner[1], 10, &settings, &gap, &counts),
        SCREE_TRIANGLES_UNDECIDED);
}

/*  All pairs of two plates of small triangles, a little apart: as the spheres of the paper are. */
TEST(misses_among_the_triangles_of_two_bodies)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    uint64_t touching = 0, missing = 0, unfounded = 0;
    all.count = 0;
    for (uint64_t n = 0; n < 2500; n++) {
        scree_random random = scree_random_stream(60, n);
        triangle_pair pair;
        make_pair(&random, PAIR_NEAR, &pair);
        place_pair(&pair, 0.03, 0);
        for (int c = 0; c < 3; c++)
            pair.corner[0][c][2] *= 0.1, pair.corner[1][c][2] = 0.1 * pair.corner[1][c][2] + 0.012;
        set_add(&all, &pair, 0.02);
    }
    scree_triangle_pairs pairs = set_pairs(&all);
    for (int method = 0; method < 3; method++) {
        settings.method = (scree_triangle_method)method;
        ask(&pairs, &settings, &got);
        touching = missing = unfounded = 0;
        for (size_t k = 0; k < all.count; k++) {
            bool truth = sqrtl(reference_distance_sq(&all.pair[k])) <= 0.02L;
            bool said = got.verdict[k] == SCREE_TRIANGLES_TOUCH;
            touching += truth;
            missing += truth && !said;
            unfounded += said && !truth;
        }
        if (settings.method == SCREE_TRIANGLES_HYBRID)
            CHECK(missing > touching / 10);
        else
            CHECK(missing == 0 && unfounded == 0);
    }
    CHECK(touching > 200 && touching < 2300);
}

/* ---- the certified one ---- */

/*  In double: never wrong, with and without fallback, whatever its steps. */
TEST(certified_in_double_is_never_wrong)
{
    PROVES("NW-13");
    uint64_t open = 0, steps = 0;
    make_set(70, MAX_SET, 1, 0, &all);
    for (size_t k = 0; k < all.count; k++) {
        const triangle_pair *pair = &all.pair[k];
        bool truth = scree_triangles_touch(pair->corner[0], pair->corner[1], all.skin[k], NULL);
        for (uint32_t n = 0; n <= 8; n += 4) {
            scree_triangle_settings settings = scree_triangle_default_settings();
            scree_triangle_counts counts = {0};
            scree_gap gap;
            settings.steps = n;
            settings.points = (scree_triangle_points)(k % 3);
            scree_triangle_verdict verdict = scree_triangle_single(
                pair->corner[0], pair->corner[1], all.skin[k], &settings, &gap, &counts);
            CHECK_EQUAL(verdict, truth ? SCREE_TRIANGLES_TOUCH : SCREE_TRIANGLES_APART);
            CHECK(counts.iterations <= n && counts.pairs == 1);
            steps += counts.iterations;
            settings.fallback = false;
            verdict = scree_triangle_single(pair->corner[0], pair->corner[1], all.skin[k],
                                            &settings, &gap, &counts);
            CHECK(verdict == SCREE_TRIANGLES_UNDECIDED ||
                  (verdict == SCREE_TRIANGLES_TOUCH) == truth);
            CHECK((verdict == SCREE_TRIANGLES_UNDECIDED) == (counts.undecided == 1));
            open += counts.undecided;
        }
    }
    FIGURE("%d pairs, none wrong", MAX_SET);
    CHECK(open > 0 && steps > 0);
}

TEST(comparison_in_double_is_the_distance)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    settings.method = SCREE_TRIANGLES_COMPARISON;
    for (uint64_t n = 0; n < 200; n++) {
        scree_random random = scree_random_stream(80, n);
        triangle_pair pair;
        scree_triangle_counts counts = {0};
        scree_gap gap, wanted;
        make_pair(&random, (int)(n % PAIR_SORTS), &pair);
        const triangle_pair *p = &pair;
        bool touch = scree_triangles_touch(p->corner[0], p->corner[1], 0.5, &wanted);
        CHECK((scree_triangle_single(p->corner[0], p->corner[1], 0.5, &settings, &gap, &counts) ==
               SCREE_TRIANGLES_TOUCH) == touch);
        CHECK(memcmp(&gap, &wanted, sizeof gap) == 0);
        CHECK(counts.compared == 1 && counts.doubles == 1 && counts.touching == touch);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hybrid_is_what_was_published),
        CASE(many_steps_come_to_the_minimum),
        CASE(the_published_test_misses_a_contact),
        CASE(the_published_test_depends_on_the_unit),
        CASE(misses_among_the_triangles_of_two_bodies),
        CASE(certified_in_double_is_never_wrong),
        CASE(comparison_in_double_is_the_distance),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
