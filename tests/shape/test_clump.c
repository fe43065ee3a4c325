/*  What clumps weigh, against closed forms and against counting; pebbles that fill meshes; and what cannot be.

    Tolerances: sums of slices are refined until they are right to 1e-13 or so; counting points is right to a few over the
    root of their number. */
#include "base/portable_math.h"
#include "base/quaternion.h"
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"

#define PI 3.14159265358979323846

static scree_clump_info info_of(int dimensions, const scree_pebble *pebbles, uint32_t count,
                                scree_clump **clump)
{
    *clump = clump_of(dimensions, pebbles, count);
    return scree_clump_describe(*clump);
}

/* ---- closed forms ---- */

TEST(one_pebble_is_a_ball)
{
    const scree_pebble pebble = {{1, -2, 300}, 0.25};
    double volume = 4 * PI / 3 * 0.25 * 0.25 * 0.25, area = PI * 0.0625;
    scree_clump *clump;

    scree_clump_info info = info_of(3, &pebble, 1, &clump);
    CHECK_NEAR(info.mass.volume, volume, 1e-13 * volume);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(info.mass.centre[k], pebble.centre[k], 1e-13 * 300);
        CHECK_NEAR(info.principal[k], 0.4 * volume * 0.0625, 1e-12 * volume * 0.0625);
    }
    CHECK_NEAR(info.orientation[0], 1, 1e-12);
    CHECK_NEAR(info.reach, 0.25, 1e-10);
    CHECK_EQUAL(info.pebble_count, 1);
    CHECK(memcmp(info.pebbles, &pebble, sizeof pebble) == 0);
    scree_clump_destroy(clump);
    const scree_pebble disc = {{1, -2, 0}, 0.25};
    info = info_of(2, &disc, 1, &clump);
    CHECK_EQUAL(info.dimensions, 2);
    CHECK_NEAR(info.mass.volume, area, 1e-14 * area);
    CHECK_NEAR(info.principal[2], 0.5 * area * 0.0625, 1e-13 * area * 0.0625);
    scree_clump_destroy(clump);
    scree_clump_destroy(NULL);
    CHECK_EQUAL(scree_clump_describe(NULL).pebble_count, 0);
}

/*  A lens off two balls, whichever way they lie: what is cut off a ball of radius r at height h above its middle has volume
    pi (r - h)^2 (2 r + h) / 3. */
TEST(two_pebbles_have_a_lens_in_common)
{
    static const double away[][3] = {{0, 0, 0.9}, {0.9, 0, 0}, {0.5, -0.4, 0.62}, {-0.1, 0.2, 0.3},
                                     {0, 0, 1.7}, {0.3, 0, 0}, {1.9, 0.1, 0.1}};
    for (size_t n = 0; n < SCREE_COUNT_OF(away); n++) {
        const double *w = away[n], a = 1, b = 0.7;
        double d = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        const scree_pebble pebbles[2] = {{{5, 6, 7}, a}, {{5 + w[0], 6 + w[1], 7 + w[2]}, b}};
        scree_clump *clump;
        double h = 0.5 * (d + (a * a - b * b) / d), g = d - h, wanted = 4 * PI / 3 * (a * a * a);
        if (d >= a + b)
            wanted += 4 * PI / 3 * (b * b * b);
        else if (d > a - b)
            wanted += 4 * PI / 3 * (b * b * b) - PI / 3 * (a - h) * (a - h) * (2 * a + h) -
                      PI / 3 * (b - g) * (b - g) * (2 * b + g);
        scree_clump_info info = info_of(3, pebbles, 2, &clump);
        CHECK_NEAR(info.mass.volume, wanted, 1e-13 * wanted);
        /* the axis through both centres is principal, and the two others are alike */
        double axis[3], turned[3];
        for (int k = 0; k < 3; k++)
            axis[k] = w[k] / d;
        scree_quaternion_turn_back(info.orientation, axis, turned);
        double most = fabs(turned[0]);
        for (int k = 1; k < 3; k++)
            most = fabs(turned[k]) > most ? fabs(turned[k]) : most;
        CHECK(d <= a - b || fabs(most - 1) < 1e-9);
        scree_clump_destroy(clump);
    }
}

/*  Discs alike: overlap of two of radius 1 whose centres are d apart is 2 acos(d / 2) - d sqrt(4 - d^2) / 2. */
TEST(two_discs)
{
    for (int n = 0; n < 12; n++) {
        double d = 0.2 * n, turn = 0.7 * n, apart = d < 2 ? d : 2;
        const scree_pebble pebbles[2] = {{{0, 0, 0}, 1}, {{d * cos(turn), d * sin(turn), 0}, 1}};
        double lens = 2 * acos(apart / 2) - 0.5 * apart * sqrt(4 - apart * apart);
        scree_clump *clump;
        scree_clump_info info = info_of(2, pebbles, 2, &clump);
        CHECK_NEAR(info.mass.volume, 2 * PI - lens, 1e-13);
        CHECK_NEAR(info.mass.centre[0], 0.5 * pebbles[1].centre[0], 1e-13);
        CHECK_NEAR(info.mass.centre[1], 0.5 * pebbles[1].centre[1], 1e-13);
        CHECK(info.mass.centre[2] == 0);
        CHECK(info.orientation[0] == 1);
        scree_clump_destroy(clump);
    }
}

/*  Apart, moments add as of points (Steiner); pebbles inside others and pebbles twice add nothing. */
TEST(apart_and_hidden)
{
    const scree_pebble pebbles[6] = {{{-2, 0, 0}, 1},      {{3, 0, 0}, 1}, {{-2, 0.1, 0.2}, 0.5},
                                     {{3, 0.25, 0}, 0.75}, {{3, 0, 0}, 1}, {{-2, 0, 0}, 1}};
    double ball = 4 * PI / 3;

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_pebble flat[6];
        scree_clump *clump;
        double one = dimensions == 3 ? ball : PI, own = dimensions == 3 ? 0.4 : 0.5;
        for (int p = 0; p < 6; p++) {
            flat[p] = pebbles[p];
            flat[p].centre[2] = dimensions == 3 ? flat[p].centre[2] : 0;
        }
        scree_clump_info info = info_of(dimensions, flat, 6, &clump);
        CHECK_NEAR(info.mass.volume, 2 * one, 1e-12);
        CHECK_NEAR(info.mass.centre[0], 0.5, 1e-12);
        CHECK_NEAR(info.principal[2], 2 * own * one + 2 * one * 6.25, 1e-11);
        CHECK_NEAR(info.principal[0], dimensions == 3 ? 2 * own * one : info.principal[2], 1e-11);
        CHECK_NEAR(info.reach, 3.5, 1e-9);
        scree_clump_destroy(clump);
    }
}

/*  Pebbles as small as a billionth of the way between them: what is far from the middle loses no more digits than its
    place has, and there is an end to refining. */
TEST(small_and_far_apart)
{
    for (int n = 3; n <= 12; n += 3) {
        double r = scree_exp(-n * scree_ln(10)), ball = 4 * PI / 3 * r * r * r, most = 1e-15 / r;
        const scree_pebble apart[2] = {{{-1, 0, 0}, r}, {{1, 0, 0}, r}};
        const scree_pebble cut[3] = {{{-1, 0, 0}, r}, {{1, 0, 0}, r}, {{1, r, 0}, r}};
        scree_clump *clump;

        scree_clump_info info = info_of(3, apart, 2, &clump);
        CHECK_NEAR(info.mass.volume, 2 * ball, 1e-12 * ball);
        CHECK_NEAR(info.principal[2], 2 * ball * (1 + 0.4 * r * r), 1e-12 * ball);
        CHECK_NEAR(info.principal[0], 0.8 * ball * r * r, 1e-12 * ball * r * r);
        scree_clump_destroy(clump);
        /* two alike that are a radius apart cover 27/16 of one */
        info = info_of(3, cut, 3, &clump);
        CHECK_NEAR(info.mass.volume, (1 + 27.0 / 16) * ball, (1e-12 + 30 * most) * ball);
        scree_clump_destroy(clump);
    }
}

/* ---- in any number ---- */

static uint32_t make_pebbles(scree_pebble *pebbles, uint32_t count, int dimensions, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 7);

    for (uint32_t p = 0; p < count; p++) {
        for (int k = 0; k < 3; k++)
            pebbles[p].centre[k] = k < dimensions ? scree_random_unit(&random) : 0;
        pebbles[p].radius = scree_random_range(&random, 0.2, 0.5);
    }
    return count;
}

/*  Points of a box drawn evenly, and how many of them some pebble holds. */
TEST(counting_gives_the_same)
{
    const int points = TEST_EFFORT(20000, 200000);

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_pebble pebbles[8];
        scree_random random = scree_random_stream(5, (uint64_t)dimensions);
        scree_clump *clump;
        double count = 0, sum[3] = {0}, polar = 0, box = dimensions == 3 ? 8 : 4;
        scree_clump_info info =
            info_of(dimensions, pebbles, make_pebbles(pebbles, 8, dimensions, 3), &clump);
        for (int n = 0; n < points; n++) {
            double at[3] = {0, 0, 0};
            bool inside = false;
            for (int k = 0; k < dimensions; k++)
                at[k] = scree_random_range(&random, -0.5, 1.5);
            for (int p = 0; p < 8; p++) {
                double sq = 0;
                for (int k = 0; k < 3; k++)
                    sq += (at[k] - pebbles[p].centre[k]) * (at[k] - pebbles[p].centre[k]);
                inside |= sq < pebbles[p].radius * pebbles[p].radius;
            }
            if (!inside)
                continue;
            count++;
            double x = at[0] - info.mass.centre[0], y = at[1] - info.mass.centre[1];
            polar += x * x + y * y;
            for (int k = 0; k < 3; k++)
                sum[k] += at[k];
        }
        double share = 5 / sqrt(points);
        CHECK_NEAR(count * box / points, info.mass.volume, share * info.mass.volume);
        CHECK_NEAR(polar * box / points, info.mass.inertia[2][2], share * info.mass.inertia[2][2]);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(sum[k] / count, info.mass.centre[k], share);
        scree_clump_destroy(clump);
    }
}

/*  Slices lie across z: with the axes named otherwise all sums are others, and what comes out is the same. */
TEST(no_axis_is_special)
{
    for (uint64_t seed = 1; seed < TEST_EFFORT(3, 9); seed++) {
        scree_pebble pebbles[7], turned[7];
        uint32_t count = make_pebbles(pebbles, (uint32_t)(seed % 5 + 3), 3, seed);
        scree_clump *clump[2];
        for (uint32_t p = 0; p < count; p++) {
            turned[p].radius = pebbles[p].radius;
            for (int k = 0; k < 3; k++)
                turned[p].centre[k] = pebbles[p].centre[(k + 1) % 3] + 10 * k;
        }
        scree_clump_info a = info_of(3, pebbles, count, &clump[0]);
        scree_clump_info b = info_of(3, turned, count, &clump[1]);
        CHECK_NEAR(a.mass.volume, b.mass.volume, 2e-13 * a.mass.volume);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(a.mass.centre[(k + 1) % 3], b.mass.centre[k] - 10 * k, 1e-12);
            for (int j = 0; j < 3; j++)
                CHECK_NEAR(a.mass.inertia[(k + 1) % 3][(j + 1) % 3], b.mass.inertia[k][j],
                           1e-12 * a.mass.inertia[0][0]);
        }
        scree_clump_destroy(clump[0]);
        scree_clump_destroy(clump[1]);
    }
}

/*  Equal balls in rows, whose surfaces meet in circles that lie level or upright, on edges and in corners: nothing is in
    general position. A row of three of radius 1, one apart, is one ball and two lunes. */
TEST(regular_clumps)
{
    double lune = 4 * PI / 3 - 2 * PI / 3 * 0.25 * 2.5;
    for (int axis = 0; axis < 3; axis++) {
        scree_pebble row[3] = {{{0, 0, 0}, 1}, {{0, 0, 0}, 1}, {{0, 0, 0}, 1}}, cube[8];
        scree_clump *clump;
        row[1].centre[axis] = 1;
        row[2].centre[axis] = 2;
        scree_clump_info info = info_of(3, row, 3, &clump);
        CHECK_NEAR(info.mass.volume, 4 * PI / 3 + 2 * lune, 1e-12);
        CHECK_NEAR(info.mass.centre[axis], 1, 1e-12);
        scree_clump_destroy(clump);
        for (int p = 0; p < 8; p++)
            cube[p] = (scree_pebble){{p & 1, p >> 1 & 1, p >> 2}, 0.8};
        info = info_of(3, cube, 8, &clump);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(info.mass.centre[k], 0.5, 1e-12);
            CHECK_NEAR(info.principal[k], info.principal[0], 1e-12 * info.principal[0]);
        }
        CHECK_NEAR(info.orientation[0], 1, 1e-9);
        scree_clump_destroy(clump);
    }
}

/* ---- shapes ---- */

TEST(mass_and_frame_of_the_shape)
{
    scree_clump *clump = jack(0.02, 0.018);
    scree_clump_info info = scree_clump_describe(clump);
    scree_shape shape = scree_shape_clump(clump), none = scree_shape_clump(NULL);
    scree_mass mass;
    double origin[3], turn[4];

    CHECK_EQUAL(scree_shape_mass(&shape, 2500, 3, &mass, NULL), SCREE_OK);
    CHECK_NEAR(mass.mass, 2500 * info.mass.volume, 1e-12 * mass.mass);
    for (int k = 0; k < 3; k++)
        CHECK(mass.inertia[k] == 2500 * info.principal[k]);
    CHECK_EQUAL(scree_shape_frame(&shape, origin, turn, NULL), SCREE_OK);
    CHECK(memcmp(origin, info.mass.centre, sizeof origin) == 0);
    CHECK(memcmp(turn, info.orientation, sizeof turn) == 0);
    CHECK_EQUAL(scree_shape_mass(&shape, 2500, 2, &mass, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_mass(&none, 2500, 3, &mass, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_shape_frame(&none, origin, turn, NULL), SCREE_BAD_ARGUMENT);
    scree_clump_destroy(clump);
}

/* ---- given ---- */

TEST(mass_may_be_given)
{
    const scree_pebble pebbles[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}};
    scree_clump_mass mass = {3, {0.5, 0.1, 0}, {{1, 0.1, 0}, {0.1, 1.5, 0.2}, {0, 0.2, 2}}};
    scree_clump_def def = scree_default_clump_def();
    scree_error error = {SCREE_OK, ""};
    scree_clump *clump;

    def.pebbles = pebbles;
    def.pebble_count = 2;
    def.mass = &mass;
    def.error = &error;
    CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_OK);
    scree_clump_info info = scree_clump_describe(clump);
    CHECK(info.mass.volume == 3 && info.mass.centre[1] == 0.1);
    CHECK_NEAR(info.principal[0] + info.principal[1] + info.principal[2], 4.5, 1e-12);
    CHECK_NEAR(info.reach, 1 + sqrt(0.25 + 0.01), 1e-9);
    scree_clump_destroy(clump);
    const scree_clump_mass wrong[] = {
        {0, {0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {NAN, {0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {1, {INFINITY, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {1, {0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 2.1}}},
        {1, {0}, {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {1, {0}, {{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}},
        {1, {0}, {{1e308, 0, 0}, {0, 1e308, 0}, {0, 0, 1e308}}},
    };
    for (size_t n = 0; n < SCREE_COUNT_OF(wrong); n++) {
        mass = wrong[n];
        CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_BAD_VALUE);
        CHECK(clump == NULL && strstr(error.text, "no body has these"));
    }
}

/* ---- what cannot be ---- */

static void refuse_clump(const scree_clump_def *def, scree_status status, const char *why)
{
    scree_clump_def asked = *def;
    scree_error error = {SCREE_OK, ""};
    scree_clump *clump = (scree_clump *)(uintptr_t)8;

    asked.error = &error;
    CHECK_EQUAL(scree_clump_create(&asked, &clump), status);
    CHECK(clump == NULL);
    if (!strstr(error.text, why))
        FAIL("\"%s\" does not say \"%s\"", error.text, why);
}

TEST(what_is_no_clump_is_refused)
{
    scree_pebble pebbles[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}};
    scree_clump_def good = scree_default_clump_def(), def;
    scree_clump *clump;

    good.pebbles = pebbles;
    good.pebble_count = 2;
    CHECK_EQUAL(scree_clump_create(&good, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_clump_create(NULL, &clump), SCREE_BAD_ARGUMENT);
    def = good;
    def.cookie = 0;
    CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_BAD_DEF);
    def = good;
    def.allocator.allocate = failing_allocator_allocate;
    refuse_clump(&def, SCREE_BAD_DEF, "allocator");
    def = good;
    def.dimensions = 4;
    refuse_clump(&def, SCREE_BAD_ARGUMENT, "dimensions is 4");
    def = good;
    def.pebbles = NULL;
    refuse_clump(&def, SCREE_BAD_ARGUMENT, "pebbles is NULL");
    def = good;
    def.pebble_count = 0;
    refuse_clump(&def, SCREE_BAD_ARGUMENT, "pebble_count is 0");
    def.pebble_count = 65536;
    refuse_clump(&def, SCREE_BAD_ARGUMENT, "pebble_count is 65536");
    pebbles[1].radius = 0;
    refuse_clump(&good, SCREE_BAD_VALUE, "pebble 1: radius is 0");
    pebbles[1].radius = INFINITY;
    refuse_clump(&good, SCREE_BAD_VALUE, "pebble 1: radius is inf");
    pebbles[1].radius = 1;
    pebbles[0].centre[1] = NAN;
    refuse_clump(&good, SCREE_BAD_VALUE, "pebble 0: y is nan");
    pebbles[0].centre[1] = 0;
    pebbles[0].centre[2] = 1;
    def = good;
    def.dimensions = 2;
    refuse_clump(&def, SCREE_BAD_VALUE, "pebble 0: z is 1");
    /* too small and too large to have a moment of inertia */
    pebbles[0] = pebbles[1] = (scree_pebble){{0, 0, 0}, 1e-60};
    CHECK_EQUAL(scree_clump_create(&good, &clump), SCREE_OK);
    scree_clump_destroy(clump);
    pebbles[0].radius = 1e60;
    CHECK_EQUAL(scree_clump_create(&good, &clump), SCREE_OK);
    scree_clump_destroy(clump);
}

/* ---- filled ---- */

static scree_clump_fill_def fill_of(const scree_mesh *mesh, scree_error *error)
{
    scree_clump_fill_def def = scree_default_clump_fill_def();

    def.mesh = mesh;
    def.error = error;
    return def;
}

/*  Pebbles lie within a convex mesh but for what its flat facets cut off, and cover it. */
TEST(pebbles_fill_a_mesh)
{
    scree_mesh *stone = globe(1280, 0.05, 1.4);
    scree_mesh_solid solid;
    scree_error error = {SCREE_OK, ""};
    scree_clump *clump, *again, *coarse;
    double covered;
    scree_clump_fill_def def = fill_of(stone, &error);

    CHECK_EQUAL(scree_mesh_solid_of(stone, 1, &solid, NULL), SCREE_OK);
    CHECK_EQUAL(scree_clump_fill(&def, &clump, &covered), SCREE_OK);
    scree_clump_info info = scree_clump_describe(clump);
    CHECK(covered > 0.9);
    CHECK(info.pebble_count > 5 && info.pebble_count < 300);
    CHECK_NEAR(info.mass.volume, solid.volume, 1e-15);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(info.principal[k], solid.principal[k], 1e-12 * solid.principal[k]);
    /* no vertex is inside a pebble */
    scree_mesh_info mesh = scree_mesh_describe(stone);
    for (uint32_t p = 0; p < info.pebble_count; p++)
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            double sq = 0, radius = info.pebbles[p].radius;
            for (size_t k = 0; k < 3; k++) {
                double way = mesh.vertices[3 * v + k] - info.pebbles[p].centre[k];
                sq += way * way;
            }
            CHECK(sq > radius * radius * (1 - 1e-9));
        }
    /* the same again; others by another seed; weighed by what they fill they weigh nearly as much */
    CHECK_EQUAL(scree_clump_fill(&def, &again, NULL), SCREE_OK);
    CHECK_EQUAL(scree_clump_describe(again).pebble_count, info.pebble_count);
    CHECK(memcmp(scree_clump_describe(again).pebbles, info.pebbles,
                 info.pebble_count * sizeof *info.pebbles) == 0);
    def.gap = 0.3;
    def.seed = 2;
    def.mass_of_mesh = false;
    CHECK_EQUAL(scree_clump_fill(&def, &coarse, &covered), SCREE_OK);
    scree_clump_info few = scree_clump_describe(coarse);
    CHECK(few.pebble_count < info.pebble_count);
    CHECK(few.mass.volume > 0.3 * solid.volume && few.mass.volume < 1.02 * solid.volume);
    scree_clump_destroy(coarse);
    scree_clump_destroy(again);
    def.max_pebbles = 1;
    CHECK_EQUAL(scree_clump_fill(&def, &again, &covered), SCREE_OK);
    CHECK_EQUAL(scree_clump_describe(again).pebble_count, 1);
    CHECK(covered < 0.9);
    scree_clump_destroy(again);
    scree_clump_destroy(clump);
    scree_mesh_destroy(stone);
}

/*  Facets that are turned inward, or one way and the other, enclose the same. */
TEST(which_way_facets_are_turned_does_not_matter)
{
    scree_pebble pebbles[3][8];
    for (int turned = 0; turned < 3; turned++) {
        const double lower[3] = {0, 0, 0}, upper[3] = {1, 2, 3};
        maker m = maker_box(lower, upper);
        for (uint32_t f = 0; f < m.facet_count; f++)
            if (turned == 1 || (turned == 2 && f % 3 == 0)) {
                uint32_t first = m.facet[3 * f];
                m.facet[3 * f] = m.facet[3 * f + 1];
                m.facet[3 * f + 1] = first;
            }
        scree_mesh *mesh = maker_mesh(&m);
        scree_error error = {SCREE_OK, ""};
        scree_clump_fill_def def = fill_of(mesh, &error);
        scree_clump *clump;
        if (scree_clump_fill(&def, &clump, NULL))
            FAIL("%s", error.text);
        scree_clump_info info = scree_clump_describe(clump);
        CHECK(info.pebble_count <= 8);
        memset(pebbles[turned], 0, sizeof *pebbles);
        memcpy(pebbles[turned], info.pebbles, info.pebble_count * sizeof *info.pebbles);
        for (uint32_t p = 0; p < info.pebble_count; p++)
            CHECK_NEAR(pebbles[turned][p].radius, pebbles[0][p].radius, 1e-12);
        scree_clump_destroy(clump);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

static void refuse_fill(const scree_clump_fill_def *def, scree_status status, const char *why)
{
    scree_clump *clump = (scree_clump *)(uintptr_t)8;

    CHECK_EQUAL(scree_clump_fill(def, &clump, NULL), status);
    CHECK(clump == NULL);
    if (!strstr(def->error->text, why))
        FAIL("\"%s\" does not say \"%s\"", def->error->text, why);
}

TEST(what_cannot_be_filled_is_refused)
{
    scree_mesh *box = cube(1), *open;
    scree_error error = {SCREE_OK, ""};
    scree_clump_fill_def good = fill_of(box, &error), def = good;
    scree_random random = scree_random_stream(1, 1);
    maker m = maker_plane(3, 1, 0, &random);
    scree_clump *clump;

    open = maker_mesh(&m);
    CHECK_EQUAL(scree_clump_fill(&good, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_clump_fill(NULL, &clump, NULL), SCREE_BAD_ARGUMENT);
    def.cookie = 1;
    CHECK_EQUAL(scree_clump_fill(&def, &clump, NULL), SCREE_BAD_DEF);
    def = good;
    def.allocator.allocate = failing_allocator_allocate;
    refuse_fill(&def, SCREE_BAD_DEF, "allocator");
    def = good;
    def.mesh = NULL;
    refuse_fill(&def, SCREE_BAD_ARGUMENT, "mesh is NULL");
    def.mesh = open;
    refuse_fill(&def, SCREE_BAD_ARGUMENT, "not closed");
    def = good;
    def.gap = 0;
    refuse_fill(&def, SCREE_BAD_VALUE, "gap is 0");
    def.gap = 1.5;
    refuse_fill(&def, SCREE_BAD_VALUE, "gap is 1.5");
    def = good;
    def.smallest = -1;
    refuse_fill(&def, SCREE_BAD_VALUE, "smallest is -1");
    def.smallest = 2;
    refuse_fill(&def, SCREE_BAD_VALUE, "smallest is 2");
    def = good;
    def.max_pebbles = 0;
    refuse_fill(&def, SCREE_BAD_VALUE, "max_pebbles is 0");
    def.max_pebbles = 65536;
    refuse_fill(&def, SCREE_BAD_VALUE, "max_pebbles is 65536");
    scree_mesh *stone = globe(320, 0.05, 2);
    def = fill_of(stone, &error);
    def.smallest = 1;
    refuse_fill(&def, SCREE_BAD_VALUE, "no ball");
    scree_mesh_destroy(stone);
    scree_mesh_destroy(box);
    scree_mesh_destroy(open);
    maker_free(&m);
}

TEST(memory_may_fail_at_any_time)
{
    scree_mesh *stone = globe(80, 0.05, 1.2);
    scree_pebble pebbles[4];

    make_pebbles(pebbles, 4, 3, 1);
    for (int what = 0; what < 2; what++)
        for (size_t k = 1;; k++) {
            failing_allocator memory = {.fail_at = k};
            scree_clump_def def = scree_default_clump_def();
            scree_error error = {SCREE_OK, ""};
            scree_clump_fill_def fill = fill_of(stone, &error);
            scree_clump *clump = NULL;
            def.pebbles = pebbles;
            def.pebble_count = 4;
            def.error = &error;
            def.allocator = fill.allocator = failing_allocator_hooks(&memory);
            fill.mass_of_mesh = false;
            fill.max_pebbles = 5;
            scree_status status =
                what ? scree_clump_fill(&fill, &clump, NULL) : scree_clump_create(&def, &clump);
            CHECK_EQUAL(status, memory.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY);
            CHECK(!status || strstr(error.text, "out of memory"));
            scree_clump_destroy(clump);
            CHECK(failing_allocator_is_clean(&memory));
            if (memory.requests < k)
                break;
        }
    scree_mesh_destroy(stone);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_pebble_is_a_ball),
        CASE(two_pebbles_have_a_lens_in_common),
        CASE(two_discs),
        CASE(apart_and_hidden),
        CASE(small_and_far_apart),
        CASE(counting_gives_the_same),
        CASE(no_axis_is_special),
        CASE(regular_clumps),
        CASE(mass_and_frame_of_the_shape),
        CASE(mass_may_be_given),
        CASE(what_is_no_clump_is_refused),
        CASE(pebbles_fill_a_mesh),
        CASE(which_way_facets_are_turned_does_not_matter),
        CASE(what_cannot_be_filled_is_refused),
        CASE(memory_may_fail_at_any_time),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
