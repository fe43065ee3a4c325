/*  Tolerances, row by row of the checklist: what eps is made of, when it is found, which bodies are mapped again,
    and what is thereby guaranteed. */
#include "base/random.h"

#include "margin_troop.h"

static scree_detector_def tolerance(double velocity, double extent, double constant)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_TOLERANCE);
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++) {
        def.margin.velocity[kind] = velocity;
        def.margin.extent[kind] = extent;
    }
    def.margin.constant = constant;
    return def;
}

/*  eps of a unit sphere with speed 5, in a step of 0.1. */
static double eps_of(double velocity, double extent, double constant)
{
    scree_detector_def def = tolerance(velocity, extent, constant);
    troop t;
    troop_open(&t, &def, 1);
    t.v[0][0] = 3;
    t.v[0][1] = -4;
    CHECK(troop_advance(&t, 0.1));
    double eps = troop_allowance(&t, 0);
    troop_close(&t);
    return eps;
}

TEST(pfc_15_tolerance_is_velocity_and_extent_and_constant)
{
    CHECK_NEAR(eps_of(2, 0, 0), 2 * 5 * 0.1, 1e-14);
    CHECK_NEAR(eps_of(0, 0.25, 0), 0.25 * 2, 0);
    CHECK_NEAR(eps_of(0, 0, 0.125), 0.125, 0);
    CHECK_NEAR(eps_of(2, 0.25, 0.125), 1 + 0.5 + 0.125, 1e-14);
    /* nothing of it: a floor */
    CHECK_NEAR(eps_of(0, 1e-9, 0), 1e-6 * 2, 0);
}

TEST(pfc_15_velocity_is_that_of_the_fastest_point)
{
    scree_detector_def def = tolerance(1, 0, 0);
    troop t;
    troop_open(&t, &def, 1);
    t.v[0][2] = 1;
    t.spin[0][1] = -2;
    t.arm[0] = 3;
    CHECK(troop_advance(&t, 0.5));
    CHECK_NEAR(troop_allowance(&t, 0), (1 + 2 * 3) * 0.5, 1e-13);
    troop_close(&t);
}

TEST(pfc_16_size_is_the_diameter_or_the_mean_edge)
{
    scree_detector_def def = tolerance(0, 1, 0);
    troop t;
    troop_open(&t, &def, 2);
    t.r[1] = 0.25;
    CHECK(troop_advance(&t, 1));
    CHECK_NEAR(troop_allowance(&t, 0), 2, 0);
    CHECK_NEAR(troop_allowance(&t, 1), 0.5, 0);
    troop_close(&t);

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        def.volume = SCREE_BOXES;
        def.dimensions = dimensions;
        troop_open(&t, &def, 1);
        t.upper[0][0] = 3.5;  /* 4 wide, */
        t.upper[0][1] = 1.5;  /* 2 high, */
        t.upper[0][2] = -0.5; /* and flat */
        CHECK(troop_advance(&t, 1));
        CHECK_NEAR(troop_allowance(&t, 0), dimensions == 2 ? 3 : 2, 1e-15);
        troop_close(&t);
    }
}

TEST(pfc_17_tolerances_are_set_by_kind_and_constants_by_piece)
{
    for (uint8_t chosen = 0; chosen < SCREE_PIECE_KINDS; chosen++) {
        scree_detector_def def = tolerance(0, 0.1, 0);
        troop t;
        def.margin.extent[chosen] = 0.2;
        def.margin.velocity[chosen] = 1;
        troop_open(&t, &def, 5);
        t.has_constants = true;
        t.constant[4] = 0.5;
        for (size_t i = 0; i < 5; i++) {
            t.kinds[i] = (uint8_t)(i % SCREE_PIECE_KINDS);
            t.v[i][0] = 1;
        }
        CHECK(troop_advance(&t, 0.25));
        for (size_t i = 0; i < 5; i++)
            CHECK_NEAR(troop_allowance(&t, i),
                       (t.kinds[i] == chosen ? 0.4 + 0.25 : 0.2) + (i == 4 ? 0.5 : 0), 1e-14);
        troop_close(&t);
    }
}

TEST(pfc_18_tolerance_is_fixed_when_mapped)
{
    scree_detector_def def = tolerance(1, 0.1, 0);
    troop t;
    troop_open(&t, &def, 2);
    t.v[0][0] = 1;
    CHECK(troop_advance(&t, 0.1));
    CHECK_NEAR(troop_allowance(&t, 0), 0.3, 1e-14);
    t.v[0][0] = 4;
    CHECK(!troop_advance(&t, 0.2)); /* neither speed nor step changes it */
    CHECK_NEAR(troop_allowance(&t, 0), 0.3, 1e-14);
    t.x[0][1] = 0.29;
    CHECK(!troop_advance(&t, 0.2));
    CHECK_NEAR(troop_allowance(&t, 0), 0.3, 1e-14);
    t.x[0][1] = 0.31;
    CHECK(troop_advance(&t, 0.2));
    CHECK_EQUAL(t.did.mapped, 1);
    CHECK_NEAR(troop_allowance(&t, 0), 0.2 + 0.8, 1e-14);
    troop_close(&t);
}

TEST(pfc_18_changed_radius_constant_or_kind_maps_again)
{
    scree_detector_def def = tolerance(0, 0.1, 0);
    troop t;
    def.margin.extent[SCREE_PIECE_PEBBLE] = 0.3;
    troop_open(&t, &def, 4);
    t.has_constants = true;
    CHECK(troop_advance(&t, 1));
    CHECK(!troop_advance(&t, 1));
    t.r[0] = 0.9;
    t.constant[1] = 0.5;
    t.kinds[2] = SCREE_PIECE_PEBBLE;
    CHECK(troop_advance(&t, 1));
    CHECK_EQUAL(t.did.mapped, 3);
    CHECK_NEAR(troop_allowance(&t, 0), 0.18, 1e-15);
    CHECK_NEAR(troop_allowance(&t, 1), 0.7, 1e-15);
    CHECK_NEAR(troop_allowance(&t, 2), 0.6, 1e-15);
    CHECK_NEAR(troop_allowance(&t, 3), 0.2, 1e-15);
    CHECK(!troop_advance(&t, 1));
    troop_close(&t);
}

TEST(pfc_19_extent_grows_by_twice_eps_and_half_the_interaction)
{
    for (int boxes = 0; boxes < 2; boxes++) {
        scree_detector_def def = tolerance(0, 0.125, 0);
        troop t;
        def.margin.interaction = 0.5;
        def.method = "dess"; /* goes by boxes */
        def.volume = boxes ? SCREE_BOXES : SCREE_SPHERES;
        troop_open(&t, &def, 1);
        if (boxes) /* a facet: flat */
            t.lower[0][2] = t.upper[0][2] = 0;
        CHECK(troop_advance(&t, 1));
        double size = boxes ? 2. / 3 : 2, growth = 2 * 0.125 * size + 0.25;
        const scree_box *box = &t.detector->store.box[0];
        CHECK_NEAR(troop_growth(&t, 0), growth, 1e-15);
        CHECK_NEAR(box->upper[0], (boxes ? 0.5 : 1) + growth, 1e-14);
        CHECK_NEAR(box->lower[0], -(boxes ? 0.5 : 1) - growth, 1e-14);
        CHECK_NEAR(box->upper[2], (boxes ? 0 : 1) + growth, 1e-14);
        troop_close(&t);
    }
}

TEST(pfc_20_one_interaction_distance_enlarges_all_pieces)
{
    double before[SCREE_PIECE_KINDS] = {0};
    for (int round = 0; round < 2; round++) {
        scree_detector_def def = tolerance(0, 0.1, 0.01);
        troop t;
        def.margin.interaction = round ? 0.3 : 0;
        troop_open(&t, &def, SCREE_PIECE_KINDS);
        for (size_t i = 0; i < SCREE_PIECE_KINDS; i++)
            t.kinds[i] = (uint8_t)i;
        CHECK(troop_advance(&t, 1));
        for (size_t i = 0; i < SCREE_PIECE_KINDS; i++) {
            if (round)
                CHECK_NEAR(troop_growth(&t, i), before[i] + 0.15, 1e-15);
            before[i] = troop_growth(&t, i);
        }
        troop_close(&t);
    }
}

/*  A set of bodies of which some move; who must be mapped is worked out beside. */
static void check_dirty(scree_volume volume, double movers)
{
    scree_detector_def def = tolerance(0, 1. / 32, 0);
    static double mapped[TROOP_MAX][3];
    scree_random random = scree_random_stream(3, (uint64_t)volume);
    troop t;
    def.volume = volume;
    def.method = "cell-space";
    troop_open(&t, &def, TROOP_MAX);
    CHECK(troop_advance(&t, 1));
    CHECK_EQUAL(t.did.mapped, TROOP_MAX); /* at creation */
    memcpy(mapped, t.x, sizeof mapped);
    for (size_t i = 0; i < (size_t)(movers * TROOP_MAX); i++)
        for (int k = 0; k < 3; k++)
            t.v[i][k] = scree_random_range(&random, -0.01, 0.01);
    for (int step = 0; step < 100; step++) {
        size_t dirty = 0;
        troop_move(&t, 1);
        for (size_t i = 0; i < TROOP_MAX; i++) {
            double d[3], far = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = t.x[i][k] - mapped[i][k];
                far = fmax(far, fabs(d[k]));
            }
            double moved =
                volume == SCREE_BOXES ? far : sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (moved > (volume == SCREE_BOXES ? 1. / 32 : 2. / 32)) {
                dirty++;
                memcpy(mapped[i], t.x[i], sizeof mapped[i]);
            }
        }
        (void)troop_advance(&t, 1);
        CHECK_EQUAL(t.did.mapped, dirty);
        CHECK_EQUAL(t.did.ran, dirty > 0);
    }
    troop_close(&t);
}

TEST(pfc_23_dirty_when_created_and_when_moved_by_more_than_eps)
{
    check_dirty(SCREE_SPHERES, 1);
    check_dirty(SCREE_BOXES, 1);
}

TEST(pfc_25_only_dirty_pieces_are_mapped)
{
    check_dirty(SCREE_SPHERES, 0.01);
    check_dirty(SCREE_BOXES, 0.01);
}

TEST(pfc_24_rotation_counts_as_movement)
{
    const rotor o = {{0, 0, 0}, {{1, 0, 0}, {-1, 0.1, 0}, {-1, -0.1, 0}}, {0, 0, 1}, 1};
    for (int boxes = 0; boxes < 2; boxes++) {
        scree_detector_def def = tolerance(0, 0, 0.05);
        size_t count = boxes ? 1 : 3;
        troop t;
        def.volume = boxes ? SCREE_BOXES : SCREE_SPHERES;
        troop_open(&t, &def, count);
        troop_set_rotor(&t, 0, &o, 0);
        CHECK(troop_advance(&t, 1));
        troop_set_rotor(&t, 0, &o, 0.04); /* pebbles: chord 0.04; facet: 0.04 beyond */
        CHECK(!troop_advance(&t, 1));
        troop_set_rotor(&t, 0, &o, 0.06);
        CHECK(troop_advance(&t, 1));
        CHECK_EQUAL(t.did.mapped, count);
        troop_close(&t);
    }
}

/*  Facets and clumps that turn among one another, in steps as long as their tolerances allow. */
TEST(pfc_24_turning_clumps_and_facets_are_never_missed)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        scree_detector_def def = tolerance(0, 1. / 16, 0);
        scree_random random = scree_random_stream(seed, 1);
        size_t rotors = 20;
        rotor o[20];
        troop t;
        double time = 0, dt;
        def.volume = seed % 2 ? SCREE_BOXES : SCREE_SPHERES;
        troop_open(&t, &def, seed % 2 ? rotors : 3 * rotors);
        for (size_t i = 0; i < rotors; i++) {
            double length = 0;
            for (int k = 0; k < 3; k++) {
                o[i].centre[k] = scree_random_range(&random, 0, 4);
                o[i].axis[k] = scree_random_normal(&random);
                length += o[i].axis[k] * o[i].axis[k];
                for (int c = 0; c < 3; c++)
                    o[i].corner[c][k] = scree_random_range(&random, -0.8, 0.8);
            }
            for (int k = 0; k < 3; k++)
                o[i].axis[k] /= sqrt(length);
            o[i].rate = scree_random_range(&random, -2, 2);
        }
        for (size_t i = 0; i < t.count; i++)
            t.r[i] = 0.2;
        for (int step = 0; step < 80; step++) {
            for (size_t i = 0; i < rotors; i++)
                troop_set_rotor(&t, i, &o[i], o[i].rate * time);
            (void)troop_advance(&t, 1);
            CHECK_EQUAL(troop_missed(&t), 0);
            CHECK_EQUAL(t.did.late, 0);
            scree_table table = troop_table(&t);
            scree_motion motion = troop_motion(&t);
            CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_OK);
            CHECK(dt > 0 && dt < 1);
            time += dt;
        }
        troop_close(&t);
    }
}

TEST(pfc_30_no_body_moves_by_more_than_eps_in_the_longest_step)
{
    scree_detector_def def = tolerance(0, 1. / 32, 0);
    scree_random random = scree_random_stream(5, 0);
    double largest = 0;
    troop t;
    troop_open(&t, &def, 100);
    for (int step = 0; step < 300; step++) {
        scree_table table = troop_table(&t);
        scree_motion motion = troop_motion(&t);
        double dt, share = 0;
        (void)troop_advance(&t, 1);
        CHECK_EQUAL(t.did.late, 0);
        CHECK(t.did.used <= 2);
        for (size_t i = 0; i < t.count; i++)
            for (int k = 0; k < 3; k++)
                t.v[i][k] = scree_random_range(&random, -1, 1);
        CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_OK);
        for (size_t i = 0; i < t.count; i++)
            share = fmax(
                share,
                dt * sqrt(t.v[i][0] * t.v[i][0] + t.v[i][1] * t.v[i][1] + t.v[i][2] * t.v[i][2]) /
                    troop_allowance(&t, i));
        CHECK(share <= 1 && share > 1 - 1e-12); /* and no shorter than need be */
        largest = fmax(largest, share);
        troop_move(&t, dt);
    }
    printf("largest displacement over eps: %.15f\n", largest);
    troop_close(&t);
}

TEST(pfc_30_steps_that_are_too_long_are_counted)
{
    scree_detector_def def = tolerance(0, 1. / 32, 0);
    troop t;
    double dt;
    troop_open(&t, &def, 3);
    scree_table table = troop_table(&t);
    scree_motion motion = troop_motion(&t);
    CHECK(troop_advance(&t, 1));
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_OK);
    CHECK(dt == INFINITY);
    t.v[1][2] = 1;
    CHECK(scree_detector_longest_step(t.detector, &table, &motion, &dt) == SCREE_OK);
    CHECK_NEAR(dt, 1. / 16, 1e-14);
    troop_move(&t, 2.1 * dt);
    CHECK(troop_advance(&t, 1));
    CHECK_EQUAL(t.did.late, 1);
    CHECK_EQUAL(scree_detector_stats(t.detector).late, 1);
    CHECK_NEAR(t.did.used, 2.1, 1e-12);
    troop_close(&t);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_15_tolerance_is_velocity_and_extent_and_constant),
        CASE(pfc_15_velocity_is_that_of_the_fastest_point),
        CASE(pfc_16_size_is_the_diameter_or_the_mean_edge),
        CASE(pfc_17_tolerances_are_set_by_kind_and_constants_by_piece),
        CASE(pfc_18_tolerance_is_fixed_when_mapped),
        CASE(pfc_18_changed_radius_constant_or_kind_maps_again),
        CASE(pfc_19_extent_grows_by_twice_eps_and_half_the_interaction),
        CASE(pfc_20_one_interaction_distance_enlarges_all_pieces),
        CASE(pfc_23_dirty_when_created_and_when_moved_by_more_than_eps),
        CASE(pfc_24_rotation_counts_as_movement),
        CASE(pfc_24_turning_clumps_and_facets_are_never_missed),
        CASE(pfc_25_only_dirty_pieces_are_mapped),
        CASE(pfc_30_no_body_moves_by_more_than_eps_in_the_longest_step),
        CASE(pfc_30_steps_that_are_too_long_are_counted),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
