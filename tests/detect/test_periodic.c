/*  Periodic domains: every method against a straight loop over pairs and images, in rectangular and
    tilted cells, for spheres and boxes that need not be wrapped, moving and growing, with margins; and
    queries that look at the nearest image. */
#include "harness/periodic_scene.h"

#include "test.h"

#include <math.h>
#include <string.h>

typedef periodic_scene world;

static scree_detector *create(const world *w, const char *method, scree_margin_kind margin)
{
    scree_error why;
    scree_detector *d = periodic_scene_detector(w, method, SCREE_SIMD_AUTO, margin, &why);

    if (!d)
        FAIL("%s", why.text);
    return d;
}

static void check_pairs(const world *w, const scree_pairs *pairs, const char *method,
                        bool may_have_more)
{
    if (!periodic_scene_has_pairs(w, pairs, method, may_have_more))
        FAIL("pairs are not those of the rule");
}

static bool same_pairs(const scree_pairs *a, const scree_pairs *b)
{
    return a->count == b->count &&
           (a->count == 0 || (memcmp(a->first, b->first, a->count * sizeof *a->first) == 0 &&
                              memcmp(a->second, b->second, a->count * sizeof *a->second) == 0));
}

TEST(is_29_pairs_across_the_boundary_by_every_method)
{
    const scree_pairs_options canonical = {.canonical = true};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        world w = periodic_scene_make(seed);
        scree_table table = periodic_scene_table(&w);
        scree_detector *oracle = create(&w, "bounding-volume", SCREE_MARGIN_NONE);
        scree_pairs expected, pairs;
        CHECK_EQUAL(scree_detector_update(oracle, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(oracle, &canonical, &expected), SCREE_OK);
        check_pairs(&w, &expected, "bounding-volume", false);
        for (size_t m = 0; m < scree_method_count(); m++) {
            scree_detector *d = create(&w, scree_method_at(m)->name, SCREE_MARGIN_NONE);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            if (!same_pairs(&pairs, &expected))
                FAIL("seed %llu: %s has %llu pairs, not %llu", (unsigned long long)seed,
                     scree_method_at(m)->name, (unsigned long long)pairs.count,
                     (unsigned long long)expected.count);
            scree_detector_destroy(d);
        }
        scree_detector_destroy(oracle);
    }
}

TEST(pfc_05_moving_bodies_cross_the_boundary)
{
    const scree_pairs_options canonical = {.canonical = true};
    for (uint64_t seed = 100; seed < 200; seed++) {
        world w = periodic_scene_make(seed);
        const char *method = scree_method_at(seed % scree_method_count())->name;
        scree_margin_kind margin = seed % 2 ? SCREE_MARGIN_PER_BODY : SCREE_MARGIN_TOLERANCE;
        scree_detector *plain = create(&w, method, SCREE_MARGIN_NONE);
        scree_detector *lazy = create(&w, method, margin);
        for (int step = 0; step < 30; step++) {
            scree_pairs pairs;
            scree_table table = periodic_scene_table(&w);
            CHECK_EQUAL(scree_detector_update(plain, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(plain, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, method, false);
            CHECK_EQUAL(scree_detector_advance(lazy, &table, NULL, 1, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(lazy, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, method, true);
            periodic_scene_move(&w);
        }
        scree_detector_destroy(plain);
        scree_detector_destroy(lazy);
    }
}

/*  What methods keep of body 0 goes with it, and comes back with it, as its place among the active ones is another then. */
TEST(the_first_body_leaves_comes_back_and_moves)
{
    const scree_pairs_options canonical = {.canonical = true};
    const uint32_t first = 0;
    const scree_rows dirty = {&first, 1};
    for (uint64_t seed = 300; seed < 360; seed++)
        for (size_t m = 0; m < scree_method_count(); m++) {
            const char *method = scree_method_at(m)->name;
            world w = periodic_scene_make(seed);
            scree_table table = periodic_scene_table(&w), alone = table;
            scree_pairs pairs;
            uint32_t id;
            if (w.count < 2)
                continue;
            scree_detector *d = create(&w, method, SCREE_MARGIN_NONE);
            alone.count = 1;
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            CHECK_EQUAL(scree_detector_remove(d, &first, 1), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            CHECK(pairs.count == 0 || pairs.first[0] != first);
            CHECK_EQUAL(scree_detector_insert(d, &alone, &id), SCREE_OK);
            CHECK_EQUAL(id, first);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, method, false);
            for (int k = 0; k < w.dimensions; k++)
                w.x[0][k] += 1e-3;
            table = periodic_scene_table(&w);
            CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, method, false);
            scree_detector_destroy(d);
        }
}

TEST(is_29_a_sheared_cell_may_be_flipped)
{
    /* a tilt of half the period and of minus half are the same lattice */
    world w = periodic_scene_make(7);
    w.dimensions = 3;
    w.volume = SCREE_SPHERES;
    w.period[0] = w.period[1] = w.period[2] = 3;
    w.tilt[0] = 1.5;
    w.tilt[1] = w.tilt[2] = 0;
    scree_detector *d = create(&w, "hashing2", SCREE_MARGIN_NONE);
    scree_table table = periodic_scene_table(&w);
    scree_pairs before, after;
    const scree_pairs_options canonical = {.canonical = true};
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &before), SCREE_OK);
    uint64_t count = before.count;
    w.tilt[0] = -1.5;
    CHECK_EQUAL(scree_detector_set_cell(d, w.period, w.tilt), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &after), SCREE_OK);
    CHECK_EQUAL(after.count, count);
    check_pairs(&w, &after, "hashing2", false);
    /* it continues shearing */
    w.tilt[0] = 0.3;
    CHECK_EQUAL(scree_detector_set_cell(d, w.period, w.tilt), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &after), SCREE_OK);
    check_pairs(&w, &after, "hashing2", false);
    scree_detector_destroy(d);
}

TEST(images_two_periods_away_are_found)
{
    /* with both tilts at half the period, the corner across is two periods of x away */
    world w = {.dimensions = 3, .volume = SCREE_SPHERES, .count = 2, .period = {3, 3, 3}};
    const double places[2][3] = {{0.01, 2.99, 2.99}, {2.99, 0.01, 0.01}};
    memcpy(w.x, places, sizeof places);
    w.tilt[0] = w.tilt[1] = 1.5;
    w.radius[0] = w.radius[1] = 0.05;
    for (size_t m = 0; m < scree_method_count(); m++) {
        scree_detector *d = create(&w, scree_method_at(m)->name, SCREE_MARGIN_NONE);
        scree_table table = periodic_scene_table(&w);
        scree_pairs pairs;
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
        CHECK_EQUAL(pairs.count, 1);
        scree_detector_destroy(d);
    }
}

TEST(images_are_told)
{
    world w = {.dimensions = 2, .volume = SCREE_SPHERES, .count = 2, .period = {10, 0, 0}};
    w.x[0][0] = 0.1;
    w.x[1][0] = 29.9;
    w.radius[0] = w.radius[1] = 0.2;
    scree_detector *d = create(&w, "dess", SCREE_MARGIN_NONE);
    scree_table table = periodic_scene_table(&w);
    scree_pairs pairs;
    int64_t n[3];
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 1);
    CHECK_EQUAL(scree_detector_image(d, 0, 1, n), SCREE_OK);
    CHECK_EQUAL(n[0], -3);
    CHECK_EQUAL(n[1], 0);
    CHECK_EQUAL(scree_detector_image(d, 1, 0, n), SCREE_OK);
    CHECK_EQUAL(n[0], 3);
    CHECK_EQUAL(scree_detector_image(d, 0, 2, n), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_image(d, 0, 1, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_image(NULL, 0, 1, n), SCREE_BAD_ARGUMENT);
    scree_detector_destroy(d);
}

TEST(queries_look_at_the_nearest_image)
{
    world w = {.dimensions = 2, .volume = SCREE_SPHERES, .count = 2, .period = {10, 0, 0}};
    w.x[0][0] = 0.5;
    w.x[1][0] = 25;
    w.radius[0] = w.radius[1] = 1;
    const double corner[3] = {9, -1, 0}, far_corner[3] = {9.6, 1, 0}, point[3] = {-1, 0, 0};
    for (int volume = 0; volume < 2; volume++) {
        w.volume = volume ? SCREE_BOXES : SCREE_SPHERES;
        w.half[0][0] = w.half[0][1] = w.half[1][0] = w.half[1][1] = 1;
        scree_detector *d = create(&w, "rtree", SCREE_MARGIN_NONE);
        scree_table table = periodic_scene_table(&w);
        scree_hit hit;
        size_t count;
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        scree_query query = scree_query_box(corner, far_corner);
        CHECK_EQUAL(scree_detector_hits(d, &query, &hit, 1, &count, NULL), SCREE_OK);
        CHECK_EQUAL(count, 1);
        CHECK_EQUAL(hit.id, 0);
        query = scree_query_nearest(point, 1);
        CHECK_EQUAL(scree_detector_hits(d, &query, &hit, 1, &count, NULL), SCREE_OK);
        CHECK_EQUAL(hit.id, 0);
        CHECK_NEAR(hit.distance, 0.5, 1e-12);
        query = scree_query_sphere(point, 0.4);
        CHECK_EQUAL(scree_detector_hits(d, &query, &hit, 1, &count, NULL), SCREE_OK);
        CHECK_EQUAL(count, 0);
        scree_detector_destroy(d);
    }
}

static void check_cell(double px, double py, double xy, int dimensions, const char *says)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_error why = {SCREE_OK, ""};
    def.error = &why;
    def.dimensions = dimensions;
    def.period[0] = px;
    def.period[1] = py;
    def.tilt[0] = xy;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(why.text, says);
}

TEST(bad_cells_and_bodies_are_refused)
{
    check_cell(-1, 0, 0, 3, "period x is -1");
    check_cell((double)NAN, 0, 0, 3, "period x is nan");
    check_cell(INFINITY, 0, 0, 3, "period x is inf");
    check_cell(4, 4, 2.1, 3, "tilt xy is 2.1");
    check_cell(4, 0, 1, 3, "tilt xy is 1");
    check_cell(4, 4, (double)NAN, 3, "tilt xy is nan");
    world w = {.dimensions = 2, .volume = SCREE_SPHERES, .count = 1, .period = {10, 0, 0}};
    w.radius[0] = 2.5;
    scree_detector *d = create(&w, "dess", SCREE_MARGIN_NONE);
    scree_table table = periodic_scene_table(&w);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "it is 5 wide on axis x");
    w.radius[0] = nextafter(2.5, 0);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    w.radius[0] = 1;
    w.x[0][0] = 1e7; /* a million periods are allowed, */
    w.x[0][1] = 1e8; /* and any place on an axis without a period */
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    w.x[0][0] = nextafter(-1e7, -1e9);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "within 1e+06 periods");
    const double other[3] = {9, 1, 0}, none[3] = {0, 0, 0};
    CHECK_EQUAL(scree_detector_set_cell(d, other, none), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(d), "axis y was not periodic");
    CHECK_EQUAL(scree_detector_set_cell(d, NULL, none), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_set_cell(NULL, other, none), SCREE_BAD_ARGUMENT);
    scree_detector_destroy(d);
}

TEST(boxes_are_narrower_than_half_a_period)
{
    for (int k = 0; k < 3; k++) {
        world w = {.dimensions = 3, .volume = SCREE_BOXES, .count = 2, .period = {10, 0, 0}};
        w.period[k] = 10;
        w.half[1][k] = 2.5;
        scree_detector *d = create(&w, "dess", SCREE_MARGIN_NONE);
        scree_table table = periodic_scene_table(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(d), "row 1 (body 1): it is 5 wide on axis");
        w.half[1][k] = nextafter(2.5, 0);
        table = periodic_scene_table(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        w.half[1][k] = 1;
        if (k)
            w.half[1][3 - k] = 30; /* the third axis has no period */
        table = periodic_scene_table(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        scree_detector_destroy(d);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_29_pairs_across_the_boundary_by_every_method),
        CASE(pfc_05_moving_bodies_cross_the_boundary),
        CASE(the_first_body_leaves_comes_back_and_moves),
        CASE(is_29_a_sheared_cell_may_be_flipped),
        CASE(images_two_periods_away_are_found),
        CASE(images_are_told),
        CASE(queries_look_at_the_nearest_image),
        CASE(bad_cells_and_bodies_are_refused),
        CASE(boxes_are_narrower_than_half_a_period),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
