/*  Sets of bodies in periodic cells against the rule, word by word, for every two bodies: by every method, at every
    SIMD level, with hundreds of bodies in one corner, cells that begin anywhere, places millions of periods
    away, cells that shrink under their bodies; and who gets images. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "test.h"

#include <math.h>

#define BODY_SET 420u

typedef struct body_set
{
    scree_volume volume;
    int dimensions;
    uint32_t count;
    double period[3], tilt[3];
    double x[BODY_SET][3], radius[BODY_SET], lower[BODY_SET][3], upper[BODY_SET][3];
    scree_random random;
} body_set;

static void bound(body_set *c, uint32_t i)
{
    for (int k = 0; k < 3; k++) {
        c->lower[i][k] = c->x[i][k] - c->radius[i];
        c->upper[i][k] = c->x[i][k] + c->radius[i];
    }
}

/*  Moves a body by up to so many lattice vectors, with what rounding that brings. */
static void move_far(body_set *c, uint32_t i, double most)
{
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] = c->period[k] > 0 ? floor(scree_random_range(&c->random, -most, most + 1)) : 0;
    c->x[i][0] += n[0] * c->period[0] + n[1] * c->tilt[0] + n[2] * c->tilt[1];
    c->x[i][1] += n[1] * c->period[1] + n[2] * c->tilt[2];
    c->x[i][2] += n[2] * c->period[2];
    bound(c, i);
}

/*  Two of three bodies around a corner of the cell, of some seeds all in one cell of a grid, the others
    anywhere; one radius, or many. */
static void make_body_set(body_set *c, uint64_t seed, bool is_even)
{
    memset(c, 0, sizeof *c);
    c->random = scree_random_stream(seed, 3);
    c->volume = seed % 3 == 0 ? SCREE_BOXES : SCREE_SPHERES;
    c->dimensions = seed % 5 == 0 ? 2 : 3;
    c->count = BODY_SET;
    double begin = seed % 4 == 1 ? -8 : seed % 4 == 2 ? 3.3 : 0;
    for (int k = 0; k < c->dimensions; k++)
        c->period[k] = seed % 7 == 0 && k == 2 ? 0 : 16;
    if (seed % 2 == 0 && c->period[2] > 0) {
        c->tilt[0] = 8;
        c->tilt[1] = -7.9;
        c->tilt[2] = 5;
    } else if (seed % 2 == 0) {
        c->tilt[0] = -3;
    }
    for (uint32_t i = 0; i < BODY_SET; i++) {
        double spread = i % 3 == 0 ? 16 : seed % 6 == 5 ? 0.05 : 0.7;
        for (int k = 0; k < c->dimensions; k++)
            c->x[i][k] = begin + scree_random_range(&c->random, i % 3 ? -spread : 0, spread);
        c->radius[i] = is_even ? 0.2 : scree_random_log_uniform(&c->random, 0.01, 0.4);
        bound(c, i);
    }
}

static scree_table table_of(body_set *c)
{
    scree_view low[3], high[3], centre[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&c->x[0][k], sizeof c->x[0]);
        low[k] = scree_doubles(&c->lower[0][k], sizeof c->lower[0]);
        high[k] = scree_doubles(&c->upper[0][k], sizeof c->upper[0]);
    }
    return c->volume == SCREE_SPHERES
               ? scree_table_spheres(c->count, centre[0], centre[1], centre[2],
                                     scree_doubles(c->radius, sizeof *c->radius))
               : scree_table_boxes(c->count, low, high);
}

/*  The rule as scree/detect.h words it. */
static bool overlap(const body_set *c, uint32_t i, uint32_t j)
{
    bool spheres = c->volume == SCREE_SPHERES;
    double d[3], n[3] = {0, 0, 0}, rest[3];
    for (int k = 0; k < 3; k++)
        d[k] = spheres ? c->x[i][k] - c->x[j][k]
                       : 0.5 * (c->lower[i][k] + c->upper[i][k]) -
                             0.5 * (c->lower[j][k] + c->upper[j][k]);
    if (c->period[2] > 0) {
        n[2] = nearbyint(d[2] / c->period[2]);
        d[1] -= n[2] * c->tilt[2];
        d[0] -= n[2] * c->tilt[1];
    }
    if (c->period[1] > 0) {
        n[1] = nearbyint(d[1] / c->period[1]);
        d[0] -= n[1] * c->tilt[0];
    }
    if (c->period[0] > 0)
        n[0] = nearbyint(d[0] / c->period[0]);
    const double v[3] = {n[0] * c->period[0] + n[1] * c->tilt[0] + n[2] * c->tilt[1],
                         n[1] * c->period[1] + n[2] * c->tilt[2], n[2] * c->period[2]};
    for (int k = 0; k < 3; k++) {
        rest[k] = (c->x[i][k] - c->x[j][k]) - v[k];
        if (!spheres && k < c->dimensions &&
            !(c->lower[i][k] - c->upper[j][k] <= v[k] && c->lower[j][k] - c->upper[i][k] <= -v[k]))
            return false;
    }
    double reach = c->radius[i] + c->radius[j];
    return !spheres || rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2] <= reach * reach;
}

static scree_detector *create(const body_set *c, const char *method, scree_simd simd)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_error why;
    def.error = &why;
    def.method = method;
    def.simd = simd;
    def.dimensions = c->dimensions;
    def.volume = c->volume;
    memcpy(def.period, c->period, sizeof def.period);
    memcpy(def.tilt, c->tilt, sizeof def.tilt);
    if (scree_detector_create(&def, &d))
        FAIL("%s", why.text);
    return d;
}

/*  Canonical pairs must be those of the rule, in order. */
static void check_against_rule(const body_set *c, scree_detector *d, const char *what,
                               uint64_t seed)
{
    const scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    uint64_t at = 0;
    CHECK_EQUAL(scree_detector_pairs(d, &canonical, &pairs), SCREE_OK);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = i + 1; j < c->count; j++) {
            bool found = at < pairs.count && pairs.first[at] == i && pairs.second[at] == j;
            if (found != overlap(c, i, j))
                FAIL("seed %llu, %s: %u-%u is %s", (unsigned long long)seed, what, i, j,
                     found ? "reported" : "missing");
            at += found;
        }
    CHECK_EQUAL(at, pairs.count);
}

static void check_all_methods(body_set *c, uint64_t seed)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        const char *method = scree_method_at(m)->name;
        scree_detector *d = create(c, method, SCREE_SIMD_AUTO);
        scree_table table = table_of(c);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        check_against_rule(c, d, method, seed);
        scree_detector_destroy(d);
    }
}

TEST(crowded_corners_by_every_method)
{
    body_set c;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        make_body_set(&c, seed, seed % 3 == 1);
        check_all_methods(&c, seed);
    }
}

/*  All low in a corner: each body has an image for each of the seven ways, and whole blocks of candidates are of two
    images, which never stand for a pair. */
TEST(candidates_of_two_images_alone)
{
    body_set c;
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
        make_body_set(&c, 1, true);
        for (uint32_t i = 0; i < c.count; i++) {
            for (int k = 0; k < 3; k++)
                c.x[i][k] = scree_random_range(&c.random, 0, 16);
            for (int k = 0; k < 3 && i < 60; k++)
                c.x[i][k] = scree_random_range(&c.random, 0.05, 0.1);
        }
        scree_detector *d = create(&c, "flat", simd);
        scree_table table = table_of(&c);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        check_against_rule(&c, d, "flat", simd);
        scree_stats stats = scree_detector_stats(d);
        CHECK(!d->images.has_moved && stats.tested > stats.reported + 7 * (60 * 59 / 2));
        scree_detector_destroy(d);
    }
}

/*  Pairs through the faces whose distance is their reach, but for a few units in the last place. Images are larger
    than bodies by more than that, so floats, and the doubles of images, must not be believed. In a cell
    that begins far from 0, they leave more in doubt. */
TEST(gaps_of_one_ulp_across_faces)
{
    static const double begins[] = {0, -8, 0x1p12, 0x1p22};
    body_set c;
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    for (uint64_t seed = 0; seed < 16; seed++) {
        make_body_set(&c, 1, true);
        c.count = BODY_SET;
        double start = begins[seed % 4], tilt = seed / 4 % 2 ? 3 : 0;
        c.tilt[0] = tilt;
        for (uint32_t i = 0; i < c.count; i++) {
            c.radius[i] = seed < 8 || i % 4 < 2 ? 0.3 : 0.37;
            for (int k = 0; k < 3; k++)
                c.x[i][k] = start + scree_random_range(&c.random, 0.5, 15.5);
            if (i % 2 == 0)
                continue;
            /* through the face of x, the same place but for that */
            double reach = c.radius[i] + c.radius[i - 1];
            double low = start + scree_random_range(&c.random, 0, 0.5);
            memcpy(c.x[i], c.x[i - 1], sizeof c.x[i]);
            c.x[i - 1][0] = low;
            c.x[i][0] = low + 16 - reach;
            for (uint32_t ulps = scree_random_below(&c.random, 4); ulps > 0; ulps--)
                c.x[i][0] = nextafter(c.x[i][0], i % 4 == 1 ? 0x1p60 : -0x1p60);
        }
        for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
            scree_detector *d = create(&c, "flat", simd);
            scree_table table = table_of(&c);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            CHECK(d->images.is_narrow);
            check_against_rule(&c, d, "flat", seed);
            scree_detector_destroy(d);
        }
    }
}

/*  Puts all into the cell that begins at 0, near its faces mostly. */
static void bring_home(body_set *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        for (int k = 0; k < c->dimensions; k++) {
            double edge = scree_random_below(&c->random, 2) ? 15.2 : 0;
            bool is_near = scree_random_below(&c->random, 2);
            c->x[i][k] = is_near ? edge + scree_random_range(&c->random, 0, 0.8)
                                 : scree_random_range(&c->random, 0, 16);
        }
        bound(c, i);
    }
}

/*  While no body is moved, images lie behind the bodies' own rows: they must not be disturbed by a table that is
    refused once room was made for it, nor by one body that leaves the cell and comes back. */
TEST(bodies_at_home_at_every_level)
{
    body_set c;
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const char *method = scree_method_at(seed % scree_method_count())->name;
        make_body_set(&c, seed, seed % 4 == 1);
        bring_home(&c);
        for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
            scree_detector *d = create(&c, seed % 3 == 2 ? "flat" : method, simd);
            scree_table table = table_of(&c);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            check_against_rule(&c, d, method, seed);
            uint32_t ids[BODY_SET];
            for (uint32_t i = 0; i < c.count; i++)
                ids[i] = c.count + i;
            ids[c.count - 1] = 0; /* is there already */
            table.ids = scree_integer_view(ids, sizeof *ids);
            CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_BAD_ARGUMENT);
            check_against_rule(&c, d, "after a refusal", seed);
            table.ids = (scree_integers){NULL, 0};
            for (int back = 0; back < 2; back++) {
                c.x[0][0] += back ? -16 : 16;
                bound(&c, 0);
                CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
                check_against_rule(&c, d, back ? "one is back" : "one is away", seed);
            }
            scree_detector_destroy(d);
        }
    }
}

TEST(bodies_anywhere_at_every_level)
{
    body_set c;
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const char *method = seed % 2 ? "flat" : "bvh8";
        make_body_set(&c, seed, seed % 3 == 1);
        for (uint32_t i = 0; i < c.count; i++)
            if (seed % 4 == 0 || i % 5 == 0)
                move_far(&c, i, seed % 8 == 0 ? 3e5 : 2);
        for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
            scree_detector *d = create(&c, method, simd);
            scree_table table = table_of(&c);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            check_against_rule(&c, d, method, seed);
            scree_detector_destroy(d);
        }
    }
}

TEST(bodies_that_drift_through_the_faces)
{
    body_set c;
    for (uint64_t seed = 30; seed < 36; seed++) {
        make_body_set(&c, seed, seed % 2);
        scree_detector *d = create(&c, "auto", SCREE_SIMD_AUTO);
        for (int step = 0; step < 12; step++) {
            scree_table table = table_of(&c);
            uint32_t rows[BODY_SET / 2];
            const scree_rows some = {rows, BODY_SET / 2};
            for (uint32_t k = 0; k < BODY_SET / 2; k++)
                rows[k] = 2 * k;
            /* of the others nothing is heard in odd steps: they do not move either */
            CHECK_EQUAL(scree_detector_update(d, &table, step % 2 ? &some : NULL), SCREE_OK);
            check_against_rule(&c, d, "auto", seed);
            for (uint32_t i = 0; i < c.count; i += 1 + (uint32_t)(step % 2 == 0)) {
                for (int k = 0; k < c.dimensions; k++)
                    c.x[i][k] += scree_random_range(&c.random, -0.2, 0.25);
                bound(&c, i);
            }
        }
        scree_detector_destroy(d);
    }
}

/*  Bodies may then be wider than half a period, and what is wanted is the nearest image all the same. */
TEST(cells_shrink_under_their_bodies)
{
    body_set c;
    for (uint64_t seed = 40; seed < 48; seed++) {
        make_body_set(&c, seed, false);
        for (uint32_t i = 0; i < 8; i++) {
            c.radius[i] = 3.9;
            bound(&c, i);
        }
        for (size_t m = 0; m < scree_method_count(); m += 3) {
            body_set now = c;
            const char *method = scree_method_at((m + seed) % scree_method_count())->name;
            scree_detector *d = create(&c, method, SCREE_SIMD_AUTO);
            scree_table table = table_of(&c);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            check_against_rule(&c, d, method, seed);
            for (int k = 0; k < 3; k++) {
                now.period[k] *= 0.6;
                now.tilt[k] *= 0.6;
            }
            CHECK_EQUAL(scree_detector_set_cell(d, now.period, now.tilt), SCREE_OK);
            check_against_rule(&now, d, method, seed);
            scree_detector_destroy(d);
        }
    }
}

/*  A cell that is long in x and short in y: many periods of y with a tilt of hundreds are taken back by
    periods of x. Spheres touch up to the last digits of such numbers. */
TEST(far_places_in_tilted_cells)
{
    body_set c;
    for (uint64_t seed = 50; seed < 80; seed++) {
        memset(&c, 0, sizeof c);
        c.random = scree_random_stream(seed, 4);
        c.volume = seed % 2 ? SCREE_SPHERES : SCREE_BOXES;
        c.dimensions = 2;
        c.count = 400;
        c.period[0] = 1000;
        c.period[1] = 1;
        c.tilt[0] = 499.7;
        for (uint32_t i = 0; i < c.count; i++) {
            double n = floor(scree_random_range(&c.random, -9e5, 9e5));
            c.x[i][1] = 0.5 + n;
            c.x[i][0] = n * c.tilt[0] - floor(n * c.tilt[0] / c.period[0]) * c.period[0];
            /* neighbours in a row that all but touch: gaps of digits that were lost */
            c.x[i][0] += 0.4 * (i + 1e-9 * scree_random_range(&c.random, -1, 1));
            c.radius[i] = 0.2;
            bound(&c, i);
        }
        for (size_t m = seed % 5; m < scree_method_count(); m += 5) {
            const char *method = scree_method_at(m)->name;
            scree_detector *d = create(&c, method, SCREE_SIMD_AUTO);
            scree_table table = table_of(&c);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
            check_against_rule(&c, d, method, seed);
            scree_detector_destroy(d);
        }
    }
}

/*  Images are of bodies that reach out of the cell, no others, and of each on one side alone; no body is
    moved who lies in a cell that begins at 0 or half a period from it. */
TEST(only_bodies_at_faces_have_images)
{
    static body_set c;
    const double begins[] = {0, -8, 16, 40};
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++) {
        make_body_set(&c, 1, true);
        c.volume = SCREE_SPHERES;
        for (uint32_t i = 0; i < c.count; i++) {
            bool at_face = i % 42 == 0;
            for (int k = 0; k < 3; k++)
                c.x[i][k] = begins[b] + scree_random_range(&c.random, 1, 15);
            if (at_face)
                c.x[i][i / 42 % 3] = begins[b] + (i / 42 % 2 ? 15.9 : 0.1);
        }
        scree_detector *d = create(&c, "flat", SCREE_SIMD_AUTO);
        scree_table table = table_of(&c);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        CHECK(!d->images.has_moved);
        CHECK(d->images.is_narrow);
        CHECK(d->images.image_count >= 4 && d->images.image_count <= 6);
        for (uint32_t k = 0; k < d->images.image_count; k++)
            CHECK_EQUAL(d->images.owner[k] % 42, 0);
        /* a body that is wider than the share */
        c.radius[1] = 3.95;
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        CHECK(!d->images.is_narrow);
        scree_detector_destroy(d);
    }
}

/*  The quick way into a periodic detector refuses what the slow one does, with its words. */
TEST(what_does_not_fit_is_refused_with_words)
{
    body_set c;
    make_body_set(&c, 1, true);
    scree_detector *d = create(&c, "flat", SCREE_SIMD_AUTO);
    scree_table table = table_of(&c);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    c.radius[333] = 4;
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "row 333 (body 333): it is 8 wide on axis x");
    c.radius[333] = 0.2;
    check_against_rule(&c, d, "flat", 1);
    double place = c.x[77][1];
    c.x[77][1] = 1.7e7;
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "row 77 (body 77): it lies at 1.7e+07 on axis y");
    c.x[77][1] = place;
    check_against_rule(&c, d, "flat", 1);
    scree_detector_destroy(d);
}

/*  So does the quick look of a step in which all are within their margins. */
TEST(quiet_steps_refuse_it_too)
{
    body_set c;
    make_body_set(&c, 1, true);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    scree_advance did;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 5; /* all that the cell leaves */
    memcpy(def.period, c.period, sizeof def.period);
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    scree_table table = table_of(&c);
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    c.radius[400] = 3;
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_OK);
    CHECK(!did.ran);
    c.radius[400] = 4;
    CHECK_EQUAL(scree_detector_advance(d, &table, NULL, 1, &did), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "row 400 (body 400): it is 8 wide on axis x");
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(crowded_corners_by_every_method),  CASE(bodies_at_home_at_every_level),
        CASE(bodies_anywhere_at_every_level),   CASE(bodies_that_drift_through_the_faces),
        CASE(cells_shrink_under_their_bodies),  CASE(far_places_in_tilted_cells),
        CASE(only_bodies_at_faces_have_images), CASE(what_does_not_fit_is_refused_with_words),
        CASE(quiet_steps_refuse_it_too),        CASE(candidates_of_two_images_alone),
        CASE(gaps_of_one_ulp_across_faces),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
