/*  The margins of the insertion-sort collider, row by row of the checklist: enlargement, the schedule in
    virtual time, integrated distance, sweeps of single bodies. Classes of speed: test_margins_bins.c. */
#include "base/random.h"

#include "margin_troop.h"

static scree_margin *margin_of(troop *t)
{
    return &t->detector->margin;
}

TEST(is_04_volumes_are_enlarged_by_one_length)
{
    static const double lengths[] = {0.25, -0.5, 0};
    static const double growths[] = {0.25, 0.2, 0}; /* the smallest radius is 0.4 */
    for (int n = 0; n < 3; n++) {
        scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
        troop t;
        def.margin.length = lengths[n];
        def.method = "dess"; /* goes by boxes */
        troop_open(&t, &def, 3);
        t.r[1] = 0.4;
        CHECK(troop_advance(&t, 1));
        for (size_t i = 0; i < 3; i++) {
            CHECK_NEAR(troop_growth(&t, i), growths[n], 1e-15);
            CHECK_NEAR(t.detector->store.box[i].upper[0], t.x[i][0] + t.r[i] + growths[n], 1e-13);
        }
        troop_close(&t);
    }
}

/*  A share of the smallest size that is not 0; without any size it is a share of nothing. */
TEST(is_04_points_have_no_size_to_go_by)
{
    for (int by_advance = 0; by_advance < 2; by_advance++)
        for (int sized = 0; sized < 2; sized++) {
            scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
            troop t;
            def.margin.length = -0.5;
            troop_open(&t, &def, 3);
            for (size_t i = 0; i < 3; i++)
                t.r[i] = sized ? (double)i : 0;
            scree_table table = troop_table(&t);
            if (by_advance)
                CHECK(troop_advance(&t, 1));
            else
                CHECK_EQUAL(scree_detector_update(t.detector, &table, NULL), SCREE_OK);
            for (size_t i = 0; i < 3; i++)
                CHECK_NEAR(troop_growth(&t, i), sized ? 0.5 : 0, 0);
            troop_close(&t);
        }
}

TEST(is_04_the_default_is_no_margin)
{
    scree_detector_def def = scree_default_detector_def();
    troop t;
    troop_open(&t, &def, 3);
    for (int step = 0; step < 3; step++) {
        CHECK(troop_advance(&t, 1)); /* runs in every step */
        CHECK_EQUAL(t.did.mapped, 3);
        CHECK_NEAR(t.detector->store.sphere[0][3], 1, 0);
    }
    troop_close(&t);
}

TEST(is_05_boxes_are_updated_by_runs_alone)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
    uint64_t updates = 0, runs = 0;
    troop t;
    def.margin.length = 0.1;
    def.method = "dess"; /* goes by boxes */
    troop_open(&t, &def, 20);
    for (size_t i = 0; i < 20; i++)
        t.v[i][1] = 0.001 * (double)i;
    for (int step = 0; step < 200; step++) {
        double before = t.detector->store.box ? t.detector->store.box[19].lower[1] : 0;
        runs += troop_advance(&t, 1);
        updates += before != t.detector->store.box[19].lower[1];
        troop_move(&t, 1);
    }
    CHECK_EQUAL(updates, runs);
    CHECK_EQUAL(scree_detector_stats(t.detector).runs, runs);
    CHECK_EQUAL(scree_detector_stats(t.detector).advances, 200);
    CHECK(runs > 20 && runs < 60); /* once in 0.1 / 0.019 steps */
    troop_close(&t);
}

/*  Steps from one run to the next, that run included. */
static int stride_of(double length, double factor, double speed, double dt, double *growth)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_STRIDE);
    int steps = 0;
    troop t;
    def.margin.length = length;
    def.margin.speed_factor = factor;
    troop_open(&t, &def, 2);
    t.v[1][2] = speed;
    CHECK(troop_advance(&t, dt));
    *growth = troop_growth(&t, 0);
    do {
        troop_move(&t, dt);
        steps++;
    } while (!troop_advance(&t, dt));
    troop_close(&t);
    return steps;
}

TEST(is_06_stride_is_length_over_speed_in_steps)
{
    static const double cases[][4] = {/* length, factor, speed, dt */
                                      {0.1, 1.05, 0.01, 1},
                                      {0.1, 1.05, 3, 1e-4},
                                      {0.1, 1.05, 1, 1}, /* 0 steps: 1 */
                                      {0, 1.05, 0.01, 1},
                                      {0.05, 1, 0.0033, 0.5}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const double *c = cases[n];
        double growth, v_max = c[2] * c[1], stride = fmax(1, floor(c[0] / v_max / c[3]));
        CHECK_EQUAL(stride_of(c[0], c[1], c[2], c[3], &growth), stride);
        CHECK_NEAR(growth, c[3] * (stride - 1) * v_max, 1e-9);
    }
}

TEST(is_08_speed_factor_shortens_the_stride)
{
    double growth;
    CHECK_NEAR(scree_default_detector_def().margin.speed_factor, 1.05, 0);
    CHECK_EQUAL(stride_of(0.1, 1.001, 0.001, 1, &growth), 99);
    CHECK_EQUAL(stride_of(0.1, 1.05, 0.001, 1, &growth), 95);
    CHECK_EQUAL(stride_of(0.1, 2.02, 0.001, 1, &growth), 49);
}

TEST(is_06_at_rest_a_run_comes_as_soon_as_anything_moves)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_STRIDE);
    troop t;
    troop_open(&t, &def, 2);
    CHECK(troop_advance(&t, 1));
    CHECK_NEAR(troop_growth(&t, 0), 0, 0);
    for (int step = 0; step < 1500; step++)
        CHECK(!troop_advance(&t, 1));
    t.v[0][0] = 1e-9;
    CHECK(troop_advance(&t, 1)); /* before it moves */
    CHECK(!troop_advance(&t, 1));
    troop_close(&t);
}

TEST(is_07_schedule_is_in_virtual_time)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_STRIDE);
    troop t;
    def.margin.length = 0.105 * 1.05;
    troop_open(&t, &def, 2);
    t.v[0][0] = 0.01;
    CHECK(troop_advance(&t, 1)); /* stride 10: due at 9.5, for growth of 9 steps */
    int steps = 0;
    do { /* steps are now a quarter as long */
        troop_move(&t, steps ? 0.25 : 1);
        steps++;
    } while (!troop_advance(&t, 0.25));
    CHECK_EQUAL(steps, 1 + 34); /* 1 + 34 / 4 = 9.5 */
    troop_close(&t);
}

/*  Bodies that meet head-on while the step changes all the time; only speeds are looked at. */
TEST(is_07_changing_steps_lose_no_contact)
{
    static const scree_margin_kind kinds[] = {SCREE_MARGIN_STRIDE, SCREE_MARGIN_DISTANCE,
                                              SCREE_MARGIN_BINS};
    for (int n = 0; n < 90; n++) {
        scree_detector_def def = troop_def(kinds[n % 3]);
        scree_random random = scree_random_stream(7, (uint64_t)n);
        uint64_t runs = 0;
        troop t;
        def.margin.trust_velocities = n % 2 == 0;
        def.margin.speed_factor = 1;
        def.margin.length = 0.1;
        troop_open(&t, &def, 40);
        for (size_t i = 0; i < 40; i++) {
            t.x[i][0] = 3.0 * (double)i + scree_random_range(&random, -0.4, 0.4);
            t.v[i][0] = i % 2 ? -0.01 : 0.01;
        }
        for (int step = 0; step < 150; step++) {
            double dt = scree_random_log_uniform(&random, 0.1, 3);
            runs += troop_advance(&t, dt);
            CHECK_EQUAL(troop_missed(&t), 0);
            troop_move(&t, dt);
        }
        CHECK(runs < 75);
        troop_close(&t);
    }
}

/*  So far out a step is rounded up by a fifth; the speeds do not say so. */
TEST(is_07_rounding_far_from_the_origin_loses_no_contact)
{
    static const scree_margin_kind kinds[] = {SCREE_MARGIN_STRIDE, SCREE_MARGIN_DISTANCE,
                                              SCREE_MARGIN_BINS};
    for (int n = 0; n < 3; n++) {
        scree_detector_def def = troop_def(kinds[n]);
        troop t;
        def.margin.trust_velocities = true;
        def.margin.speed_factor = 1;
        def.margin.length = 1e-4;
        troop_open(&t, &def, 2);
        t.x[0][0] = 0x1p30;
        t.x[1][0] = 0x1p30 + 2 + 2.2e-4;
        t.v[0][0] = 2e-7;
        t.v[1][0] = -2e-7;
        for (int step = 0; step < 1200; step++) {
            (void)troop_advance(&t, 1);
            CHECK_EQUAL(troop_missed(&t), 0);
            troop_move(&t, 1);
        }
        CHECK(t.x[1][0] - t.x[0][0] < 2);
        troop_close(&t);
    }
}

/*  How a body has moved that was given to insert or update is unknown. */
TEST(is_09_bodies_that_come_between_steps_make_a_run)
{
    for (int n = 0; n < 6; n++) {
        scree_detector_def def = troop_def((scree_margin_kind)(SCREE_MARGIN_STRIDE + n / 2));
        troop t;
        def.margin.trust_velocities = true;
        def.margin.length = 0.5;
        troop_open(&t, &def, 3);
        t.v[0][0] = 0.001;
        t.count = n % 2 ? 3 : 2;
        CHECK(troop_advance(&t, 1));
        CHECK(!troop_advance(&t, 1));
        t.count = 3;
        scree_table table = troop_table(&t);
        scree_rows third = {(uint32_t[]){2}, 1};
        if (n % 2) {
            CHECK(scree_detector_update(t.detector, &table, &third) == SCREE_OK);
        } else {
            for (int k = 0; k < 3; k++)
                table.centre[k].data = t.x[2] + k;
            table.count = 1;
            CHECK(scree_detector_insert(t.detector, &table, NULL) == SCREE_OK);
        }
        t.x[2][0] = 2.05; /* it has touched body 0, and rests again */
        CHECK(troop_advance(&t, 1));
        CHECK_EQUAL(troop_missed(&t), 0);
        CHECK(!troop_advance(&t, 1));
        troop_close(&t);
    }
}

TEST(is_09_a_faster_body_wakes_detection_early)
{
    for (int trust = 0; trust < 2; trust++) {
        scree_detector_def def = troop_def(SCREE_MARGIN_STRIDE);
        troop t;
        int steps = 0;
        def.margin.length = 1;
        def.margin.trust_velocities = trust;
        troop_open(&t, &def, 2);
        t.v[0][0] = 0.001;
        CHECK(troop_advance(&t, 1)); /* stride 952 */
        double growth = troop_growth(&t, 0);
        for (int quiet = 0; quiet < 100; quiet++) {
            troop_move(&t, 1);
            CHECK(!troop_advance(&t, 1));
        }
        double start = t.x[0][0];
        t.v[0][0] = 0.005; /* 5 times as fast: due at 951.5 * 1.05 / 5.25, 190.3 */
        do {
            CHECK(t.x[0][0] <= growth); /* not before the run does it leave its box */
            troop_move(&t, 1);
            steps++;
        } while (!troop_advance(&t, 1));
        CHECK_EQUAL(steps, 91);
        CHECK(start < 0.11 && t.x[0][0] < growth);
        troop_close(&t);
    }
}

TEST(is_10_the_largest_speed_is_that_of_all_bodies)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
    scree_random random = scree_random_stream(10, 0);
    troop t;
    def.margin.length = 1e3;
    troop_open(&t, &def, 100);
    for (int step = 0; step < 20; step++) {
        double largest = 0;
        for (size_t i = 0; i < 100; i++) {
            for (int k = 0; k < 3; k++)
                t.v[i][k] = scree_random_range(&random, -1, 1);
            t.spin[i][step % 3] = scree_random_range(&random, -1, 1);
            t.arm[i] = 0.3;
            largest = fmax(largest, 0.3 * fabs(t.spin[i][step % 3]) +
                                        sqrt(t.v[i][0] * t.v[i][0] + t.v[i][1] * t.v[i][1] +
                                             t.v[i][2] * t.v[i][2]));
        }
        (void)troop_advance(&t, 1e-3);
        CHECK_NEAR(margin_of(&t)->last.largest, largest, 1e-14);
        memset(t.spin, 0, sizeof t.spin);
    }
    troop_close(&t);
}

/*  A drum of facets that turns about its axis, and blades in it that turn the other way. */
TEST(is_15_turning_facets_are_never_missed)
{
    static const double pi = 3.14159265358979323846;
    for (int n = 0; n < 2 * SCREE_MARGIN_PER_BODY; n++) {
        scree_detector_def def = troop_def((scree_margin_kind)(1 + n / 2));
        rotor o[40];
        uint64_t runs = 0;
        troop t;
        def.volume = SCREE_BOXES;
        def.margin.length = 0.1;
        def.margin.trust_velocities = n % 2;
        def.margin.speed_factor = 1;
        def.margin.velocity[SCREE_PIECE_BALL] = n % 2;
        troop_open(&t, &def, 40);
        for (size_t i = 0; i < 40; i++) {
            bool is_blade = i % 4 == 3;
            for (int c = 0; c < 3; c++) {
                double turn = 2 * pi * ((double)i + (c == 1)) / 40,
                       radius = is_blade && c ? 0.4 : 2;
                o[i].corner[c][0] = radius * cos(turn);
                o[i].corner[c][1] = radius * sin(turn);
                o[i].corner[c][2] = c == 2 ? 0.5 : -0.5;
            }
            memset(o[i].centre, 0, sizeof o[i].centre);
            o[i].axis[0] = o[i].axis[1] = 0;
            o[i].axis[2] = 1;
            o[i].rate = is_blade ? -0.02 : 0.01;
        }
        for (int step = 0; step < 200; step++) {
            for (size_t i = 0; i < 40; i++)
                troop_set_rotor(&t, i, &o[i], o[i].rate * step);
            runs += troop_advance(&t, 1);
            CHECK_EQUAL(troop_missed(&t), 0);
        }
        CHECK(def.margin.kind == SCREE_MARGIN_TOLERANCE || runs < 150);
        troop_close(&t);
    }
}

/*  Fast for a moment, then slow: the published schedule has forgotten the peak when it looks again. */
TEST(is_16_a_peak_of_speed_is_not_forgotten)
{
    for (int kind = SCREE_MARGIN_STRIDE; kind <= SCREE_MARGIN_DISTANCE; kind++) {
        scree_detector_def def = troop_def((scree_margin_kind)kind);
        troop t;
        def.margin.length = kind == SCREE_MARGIN_STRIDE ? 1 : 0.92;
        def.margin.trust_velocities = true;
        troop_open(&t, &def, 2);
        t.x[1][0] = 2 + 2 * 0.93; /* just out of reach */
        t.v[0][0] = 0.0465;       /* stride 20: growth 0.928, scheduled at 19.5 */
        t.v[1][0] = -0.0465;
        CHECK(troop_advance(&t, 1));
        troop_move(&t, 1);
        CHECK(!troop_advance(&t, 1));
        t.v[0][0] = 0.45;
        t.v[1][0] = -0.45;
        troop_move(&t, 1);
        CHECK(!troop_advance(&t, 1)); /* 2 steps are less than 19.5 * 0.0488 / 0.4725 */
        troop_move(&t, 1);
        t.v[0][0] = t.v[1][0] = 0; /* they have come by 0.9465, and are slow again */
        CHECK(troop_advance(&t, 1));
        CHECK_EQUAL(troop_missed(&t), 0);
        troop_close(&t);
    }
}

typedef struct crazy_result
{
    uint64_t pairs;    /* at the end */
    double inversions; /* a run, after the first */
} crazy_result;

/*  A result nearly at rest, and one body that is not. */
static crazy_result move_crazy_bodies(scree_margin_kind kind, bool crazy)
{
    scree_detector_def def = troop_def(kind);
    scree_random random = scree_random_stream(17, 0);
    crazy_result result = {0, 0};
    uint64_t runs = 0;
    troop t;
    def.method = "insertion-sort";
    def.margin.length = 0.2;
    def.margin.bin_ratio = 10;
    def.margin.bin_count = 3;
    def.margin.target_steps = 20;
    troop_open(&t, &def, TROOP_MAX);
    for (size_t i = 0; i < TROOP_MAX; i++) {
        double speed = i == 0 && crazy ? 0.01 : 1e-5;
        t.r[i] = 0.5;
        for (int k = 0; k < 3; k++) {
            t.x[i][k] = scree_random_range(&random, 0, 6.5);
            t.v[i][k] = scree_random_range(&random, -speed, speed);
        }
    }
    for (int step = 0; step < 400; step++) {
        scree_pairs found;
        bool ran = troop_advance(&t, 1);
        CHECK_EQUAL(troop_missed(&t), 0);
        CHECK(scree_detector_pairs(t.detector, NULL, &found) == SCREE_OK);
        result.pairs = found.count;
        if (ran && runs++ > 0)
            result.inversions += (double)scree_detector_stats(t.detector).inversions;
        troop_move(&t, 1);
    }
    result.inversions /= runs > 1 ? (double)(runs - 1) : 1;
    troop_close(&t);
    return result;
}

TEST(is_17_growths_differ_from_body_to_body)
{
    crazy_result tight = move_crazy_bodies(SCREE_MARGIN_NONE, true),
                 uniform = move_crazy_bodies(SCREE_MARGIN_SKIN, true),
                 bins = move_crazy_bodies(SCREE_MARGIN_BINS, true),
                 single = move_crazy_bodies(SCREE_MARGIN_PER_BODY, true);
    FIGURE("pairs: %d without margin, %d uniform, %d bins, %d per body", (int)tight.pairs,
           (int)uniform.pairs, (int)bins.pairs, (int)single.pairs);
    FIGURE("inversions a run: %.2f, %.1f, %.1f, %.1f", tight.inversions, uniform.inversions,
           bins.inversions, single.inversions);
    /* at least two thirds of the pairs that are only potential are spared */
    CHECK(3 * (bins.pairs - tight.pairs) < uniform.pairs - tight.pairs);
    CHECK(3 * (single.pairs - tight.pairs) < uniform.pairs - tight.pairs);
}

TEST(is_18_one_crazy_body_does_not_enlarge_all)
{
    for (int kind = SCREE_MARGIN_BINS; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        uint64_t calm = move_crazy_bodies((scree_margin_kind)kind, false).pairs,
                 crazy = move_crazy_bodies((scree_margin_kind)kind, true).pairs;
        CHECK(crazy <= calm + calm / 10);
    }
}

/*  A missed contact is not made improbable, it is ruled out: a body outside its volume is seen. */
TEST(is_25_a_body_that_leaves_its_volume_makes_a_run)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
    scree_random random = scree_random_stream(25, 0);
    troop t;
    def.margin.length = 0.125;
    troop_open(&t, &def, 1);
    for (int n = 0; n < 20000; n++) {
        double from[3] = {0, 0, 0}, d[3], length = 0;
        memcpy(t.x[0], from, sizeof from);
        scree_table table = troop_table(&t);
        CHECK(scree_detector_update(t.detector, &table, NULL) == SCREE_OK);
        for (int k = 0; k < 3; k++) {
            d[k] = scree_random_normal(&random);
            length += d[k] * d[k];
        }
        double share = 1 + (n % 2 ? 1 : -1) * scree_random_log_uniform(&random, 1e-13, 1);
        for (int k = 0; k < 3; k++)
            t.x[0][k] = d[k] / sqrt(length) * 0.125 * share;
        CHECK_EQUAL(troop_advance(&t, 1), share > 1);
    }
    troop_close(&t);
}

TEST(is_28_growth_follows_the_movement_of_each_body)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_PER_BODY);
    troop t;
    def.margin.length = 0.5;
    def.margin.target_steps = 10;
    def.margin.min_fraction = 0.2;
    def.volume = SCREE_BOXES;
    troop_open(&t, &def, 5);
    CHECK(troop_advance(&t, 1));
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(troop_growth(&t, i), 0.5, 0); /* nothing is known yet */
    t.v[1][0] = 1e-4;
    t.v[2][1] = -0.04;
    t.v[3][2] = 0.06;
    int steps = 0;
    do {
        troop_move(&t, 1);
        steps++;
    } while (!troop_advance(&t, 1));
    CHECK_EQUAL(steps, 9);                        /* 0.5 / 0.06 */
    CHECK_NEAR(troop_growth(&t, 0), 0, 0);        /* has not moved */
    CHECK_NEAR(troop_growth(&t, 1), 0.45, 1e-14); /* shrinks by a tenth at most */
    CHECK_NEAR(troop_growth(&t, 2), 0.45, 1e-14);
    CHECK_NEAR(troop_growth(&t, 3), 0.5, 1e-14); /* 0.06 * 10, but 0.5 at most */
    for (int run = 0; run < 20; run++) {
        steps = 0;
        do {
            troop_move(&t, 1);
            steps++;
        } while (!troop_advance(&t, 1));
    }
    CHECK_NEAR(troop_growth(&t, 1), 0.2 * 0.5, 1e-14); /* the least */
    CHECK_NEAR(troop_growth(&t, 2), 0.4, 1e-12);       /* ten steps */
    t.v[4][0] = 1e-9;                                  /* had growth 0: makes a run at once */
    troop_move(&t, 1);
    CHECK(troop_advance(&t, 1));
    CHECK_NEAR(troop_growth(&t, 4), 0.1, 1e-14);
    troop_close(&t);
}

TEST(is_28_without_a_target_growth_is_the_length)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_PER_BODY);
    troop t;
    def.margin.length = 0.5;
    def.margin.target_steps = -1;
    troop_open(&t, &def, 3);
    CHECK(troop_advance(&t, 1));
    t.x[0][0] -= 1;
    CHECK(troop_advance(&t, 1));
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(troop_growth(&t, i), 0.5, 0);
    troop_close(&t);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_04_volumes_are_enlarged_by_one_length),
        CASE(is_04_points_have_no_size_to_go_by),
        CASE(is_04_the_default_is_no_margin),
        CASE(is_05_boxes_are_updated_by_runs_alone),
        CASE(is_06_stride_is_length_over_speed_in_steps),
        CASE(is_06_at_rest_a_run_comes_as_soon_as_anything_moves),
        CASE(is_07_schedule_is_in_virtual_time),
        CASE(is_07_changing_steps_lose_no_contact),
        CASE(is_08_speed_factor_shortens_the_stride),
        CASE(is_07_rounding_far_from_the_origin_loses_no_contact),
        CASE(is_09_bodies_that_come_between_steps_make_a_run),
        CASE(is_09_a_faster_body_wakes_detection_early),
        CASE(is_10_the_largest_speed_is_that_of_all_bodies),
        CASE(is_15_turning_facets_are_never_missed),
        CASE(is_16_a_peak_of_speed_is_not_forgotten),
        CASE(is_17_growths_differ_from_body_to_body),
        CASE(is_18_one_crazy_body_does_not_enlarge_all),
        CASE(is_25_a_body_that_leaves_its_volume_makes_a_run),
        CASE(is_28_growth_follows_the_movement_of_each_body),
        CASE(is_28_without_a_target_growth_is_the_length),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
