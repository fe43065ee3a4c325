/*  Periodic domains: every method against a straight loop over pairs and images, in rectangular and
    tilted cells, for spheres and boxes that need not be wrapped, moving and growing, with margins; and
    queries that look at the nearest image. */
#include "base/random.h"
#include "scree/scree.h"

#include "test.h"

#include <math.h>

#define MAX_BODIES 48

typedef struct world
{
    int dimensions;
    scree_volume volume;
    size_t count;
    double period[3], tilt[3];
    double x[MAX_BODIES][3], half[MAX_BODIES][3], radius[MAX_BODIES];
    double lower[MAX_BODIES][3], upper[MAX_BODIES][3];
    scree_random random;
} world;

/*  Moves a body so that it touches the one before it, some periods away, up to rounding. */
static void touch_across(world *w, size_t i)
{
    double periods = (double)scree_random_below(&w->random, 5) - 2;
    double reach = w->volume == SCREE_SPHERES ? w->radius[i] + w->radius[i - 1]
                                              : w->half[i][0] + w->half[i - 1][0];
    memcpy(w->x[i], w->x[i - 1], sizeof w->x[i]);
    w->x[i][0] += reach + periods * w->period[0];
    if (scree_random_below(&w->random, 2))
        w->x[i][0] = nextafter(w->x[i][0], scree_random_below(&w->random, 2) ? 1e9 : -1e9);
}

static world make_world(uint64_t seed)
{
    world w = {.random = scree_random_stream(seed, 1)};
    scree_random *random = &w.random;
    w.dimensions = 2 + (int)scree_random_below(random, 2);
    w.volume = scree_random_below(random, 2) ? SCREE_BOXES : SCREE_SPHERES;
    w.count = scree_random_below(random, MAX_BODIES + 1);
    for (int k = 0; k < w.dimensions; k++)
        w.period[k] = scree_random_below(random, 4) ? scree_random_range(random, 2, 6) : 0;
    if (w.period[0] == 0)
        w.period[0] = 3;
    if (scree_random_below(random, 2)) {
        for (int k = 0; k < 3; k++) {
            static const int vector_of[3] = {1, 2, 2}, axis_of[3] = {0, 0, 1};
            double along = w.period[axis_of[k]];
            bool extreme = scree_random_below(random, 2) == 0;
            if (w.period[vector_of[k]] > 0 && along > 0)
                w.tilt[k] =
                    extreme ? 0.5 * along : scree_random_range(random, -0.5 * along, 0.5 * along);
        }
    }
    for (size_t i = 0; i < w.count; i++) {
        for (int k = 0; k < w.dimensions; k++) {
            double side = w.period[k] > 0 ? w.period[k] : 4;
            /* some far from the cell, some just on its border */
            w.x[i][k] = scree_random_range(random, -2 * side, 3 * side);
            if (scree_random_below(random, 8) == 0)
                w.x[i][k] = side * (double)scree_random_below(random, 3);
            w.half[i][k] = scree_random_log_uniform(random, 0.01, 0.45);
        }
        w.radius[i] = scree_random_log_uniform(random, 0.01, 0.45);
        if (i > 0 && scree_random_below(random, 3) == 0)
            touch_across(&w, i);
    }
    return w;
}

static scree_table table_of(world *w)
{
    scree_view low[3], high[3], centre[3];
    for (size_t i = 0; i < w->count; i++)
        for (int k = 0; k < 3; k++) {
            w->lower[i][k] = w->x[i][k] - w->half[i][k];
            w->upper[i][k] = w->x[i][k] + w->half[i][k];
        }
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&w->x[0][k], sizeof w->x[0]);
        low[k] = scree_doubles(&w->lower[0][k], sizeof w->lower[0]);
        high[k] = scree_doubles(&w->upper[0][k], sizeof w->upper[0]);
    }
    return w->volume == SCREE_SPHERES
               ? scree_table_spheres(w->count, centre[0], centre[1], centre[2],
                                     scree_doubles(w->radius, sizeof *w->radius))
               : scree_table_boxes(w->count, low, high);
}

/*  Whether j, moved by a lattice vector, overlaps i by more (or less) than rounding can blur: 1 surely,
    0 surely not, -1 too close to call. */
static int image_overlaps(const world *w, size_t i, size_t j, const double by[3])
{
    const double blur = 1e-12;
    double widest = -INFINITY, sum = 0;
    for (int k = 0; k < w->dimensions; k++) {
        double d = w->x[i][k] - w->x[j][k] - by[k];
        sum += d * d;
        widest = fmax(widest, fabs(d) - w->half[i][k] - w->half[j][k]);
    }
    double gap = w->volume == SCREE_SPHERES ? sqrt(sum) - w->radius[i] - w->radius[j] : widest;
    return fabs(gap) < blur ? -1 : gap < 0;
}

/*  Lattice coordinates along an axis for which the difference comes near 0. */
static void range_of(double difference, double period, int *from, int *to)
{
    *from = *to = 0;
    if (period > 0) {
        *from = (int)floor((difference - 1) / period);
        *to = (int)ceil((difference + 1) / period);
    }
}

static int overlaps(const world *w, size_t i, size_t j)
{
    int answer = 0, from[3], to[3];
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = w->x[i][k] - w->x[j][k];
    range_of(d[2], w->period[2], &from[2], &to[2]);
    for (int z = from[2]; z <= to[2]; z++) {
        range_of(d[1] - z * w->tilt[2], w->period[1], &from[1], &to[1]);
        for (int y = from[1]; y <= to[1]; y++) {
            double left = d[0] - z * w->tilt[1] - y * w->tilt[0];
            range_of(left, w->period[0], &from[0], &to[0]);
            for (int x = from[0]; x <= to[0]; x++) {
                double by[3] = {x * w->period[0] + y * w->tilt[0] + z * w->tilt[1],
                                y * w->period[1] + z * w->tilt[2], z * w->period[2]};
                int found = image_overlaps(w, i, j, by);
                if (found)
                    answer = answer == 1 ? 1 : found;
            }
        }
    }
    return answer;
}

/*  The rule as scree/detect.h words it, for pairs that only rounding decides. */
static bool rule_says(const world *w, size_t i, size_t j)
{
    double d[3], n[3] = {0, 0, 0}, sum[3];
    bool spheres = w->volume == SCREE_SPHERES;
    for (int k = 0; k < 3; k++)
        d[k] = spheres ? w->x[i][k] - w->x[j][k]
                       : 0.5 * (w->lower[i][k] + w->upper[i][k]) -
                             0.5 * (w->lower[j][k] + w->upper[j][k]);
    if (w->period[2] > 0) {
        n[2] = nearbyint(d[2] / w->period[2]);
        d[1] -= n[2] * w->tilt[2];
        d[0] -= n[2] * w->tilt[1];
    }
    if (w->period[1] > 0) {
        n[1] = nearbyint(d[1] / w->period[1]);
        d[0] -= n[1] * w->tilt[0];
    }
    if (w->period[0] > 0)
        n[0] = nearbyint(d[0] / w->period[0]);
    const double v[3] = {n[0] * w->period[0] + n[1] * w->tilt[0] + n[2] * w->tilt[1],
                         n[1] * w->period[1] + n[2] * w->tilt[2], n[2] * w->period[2]};
    for (int k = 0; k < 3; k++) {
        sum[k] = (w->x[i][k] - w->x[j][k]) - v[k];
        if (!spheres &&
            (w->lower[i][k] - w->upper[j][k] > v[k] || w->lower[j][k] - w->upper[i][k] > -v[k]))
            return false;
    }
    double reach = w->radius[i] + w->radius[j];
    return !spheres || sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] <= reach * reach;
}

static scree_detector *create(const world *w, const char *method, scree_margin_kind margin)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_error why;
    def.error = &why;
    def.method = method;
    def.dimensions = w->dimensions;
    def.volume = w->volume;
    def.margin.kind = margin;
    memcpy(def.period, w->period, sizeof def.period);
    memcpy(def.tilt, w->tilt, sizeof def.tilt);
    if (scree_detector_create(&def, &d))
        FAIL("%s", why.text);
    return d;
}

static bool has_pair(const scree_pairs *pairs, uint32_t i, uint32_t j)
{
    for (uint64_t k = 0; k < pairs->count; k++)
        if (pairs->first[k] == i && pairs->second[k] == j)
            return true;
    return false;
}

/*  Against the loop, where rounding cannot decide; and each pair once. */
static void check_pairs(const world *w, const scree_pairs *pairs, uint64_t seed, const char *method,
                        bool may_have_more)
{
    for (uint64_t k = 1; k < pairs->count; k++)
        if (pairs->first[k - 1] == pairs->first[k] && pairs->second[k - 1] == pairs->second[k])
            FAIL("seed %llu, %s: %u-%u twice", (unsigned long long)seed, method, pairs->first[k],
                 pairs->second[k]);
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t j = i + 1; j < w->count; j++) {
            int expected = overlaps(w, i, j);
            if (expected < 0)
                expected = rule_says(w, i, j);
            bool found = has_pair(pairs, i, j);
            if ((expected == 1 && !found) || (expected == 0 && found && !may_have_more))
                FAIL("seed %llu, %s: %u-%u is %s", (unsigned long long)seed, method, i, j,
                     found ? "reported" : "missing");
        }
}

static bool same_pairs(const scree_pairs *a, const scree_pairs *b)
{
    return a->count == b->count &&
           (a->count == 0 || (memcmp(a->first, b->first, a->count * sizeof *a->first) == 0 &&
                              memcmp(a->second, b->second, a->count * sizeof *a->second) == 0));
}

TEST(is_29_pairs_across_the_border_by_every_method)
{
    const scree_pairs_options canonical = {.canonical = true};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        world w = make_world(seed);
        scree_table table = table_of(&w);
        scree_detector *oracle = create(&w, "bounding-volume", SCREE_MARGIN_NONE);
        scree_pairs expected, pairs;
        CHECK_EQUAL(scree_detector_update(oracle, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(oracle, &canonical, &expected), SCREE_OK);
        check_pairs(&w, &expected, seed, "bounding-volume", false);
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

TEST(pfc_05_moving_bodies_cross_the_border)
{
    const scree_pairs_options canonical = {.canonical = true};
    for (uint64_t seed = 100; seed < 200; seed++) {
        world w = make_world(seed);
        const char *method = scree_method_at(seed % scree_method_count())->name;
        scree_margin_kind margin = seed % 2 ? SCREE_MARGIN_PER_BODY : SCREE_MARGIN_TOLERANCE;
        scree_detector *plain = create(&w, method, SCREE_MARGIN_NONE);
        scree_detector *lazy = create(&w, method, margin);
        for (int step = 0; step < 30; step++) {
            scree_pairs pairs;
            scree_table table = table_of(&w);
            CHECK_EQUAL(scree_detector_update(plain, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(plain, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, seed, method, false);
            CHECK_EQUAL(scree_detector_advance(lazy, &table, NULL, 1, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(lazy, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, seed, method, true);
            for (size_t i = 0; i < w.count; i++)
                for (int k = 0; k < w.dimensions; k++)
                    w.x[i][k] += scree_random_range(&w.random, -0.02, 0.03);
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
            world w = make_world(seed);
            scree_table table = table_of(&w), alone = table;
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
            check_pairs(&w, &pairs, seed, method, false);
            for (int k = 0; k < w.dimensions; k++)
                w.x[0][k] += 1e-3;
            table = table_of(&w);
            CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
            check_pairs(&w, &pairs, seed, method, false);
            scree_detector_destroy(d);
        }
}

TEST(is_29_a_sheared_cell_may_be_flipped)
{
    /* a tilt of half the period and of minus half are the same lattice */
    world w = make_world(7);
    w.dimensions = 3;
    w.volume = SCREE_SPHERES;
    w.period[0] = w.period[1] = w.period[2] = 3;
    w.tilt[0] = 1.5;
    w.tilt[1] = w.tilt[2] = 0;
    scree_detector *d = create(&w, "hashing2", SCREE_MARGIN_NONE);
    scree_table table = table_of(&w);
    scree_pairs before, after;
    const scree_pairs_options canonical = {.canonical = true};
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &before), SCREE_OK);
    uint64_t count = before.count;
    w.tilt[0] = -1.5;
    CHECK_EQUAL(scree_detector_set_cell(d, w.period, w.tilt), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &after), SCREE_OK);
    CHECK_EQUAL(after.count, count);
    check_pairs(&w, &after, 7, "hashing2", false);
    /* it goes on shearing */
    w.tilt[0] = 0.3;
    CHECK_EQUAL(scree_detector_set_cell(d, w.period, w.tilt), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &after), SCREE_OK);
    check_pairs(&w, &after, 7, "hashing2", false);
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
        scree_table table = table_of(&w);
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
    scree_table table = table_of(&w);
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
        scree_table table = table_of(&w);
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
    scree_table table = table_of(&w);
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
        scree_table table = table_of(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_detector_message(d), "row 1 (body 1): it is 5 wide on axis");
        w.half[1][k] = nextafter(2.5, 0);
        table = table_of(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        w.half[1][k] = 1;
        if (k)
            w.half[1][3 - k] = 30; /* the third axis has no period */
        table = table_of(&w);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        scree_detector_destroy(d);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_29_pairs_across_the_border_by_every_method),
        CASE(pfc_05_moving_bodies_cross_the_border),
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
