/*  The margins of the insertion-sort collider, row by row of the checklist: enlargement, the schedule in
    virtual time, integrated distance, classes of speed, sweeps of single bodies. */
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

TEST(is_10_the_greatest_speed_is_that_of_all_bodies)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_DISTANCE);
    scree_random random = scree_random_stream(10, 0);
    troop t;
    def.margin.length = 1e3;
    troop_open(&t, &def, 100);
    for (int step = 0; step < 20; step++) {
        double greatest = 0;
        for (size_t i = 0; i < 100; i++) {
            for (int k = 0; k < 3; k++)
                t.v[i][k] = scree_random_range(&random, -1, 1);
            t.spin[i][step % 3] = scree_random_range(&random, -1, 1);
            t.arm[i] = 0.3;
            greatest = fmax(greatest, 0.3 * fabs(t.spin[i][step % 3]) +
                                          sqrt(t.v[i][0] * t.v[i][0] + t.v[i][1] * t.v[i][1] +
                                               t.v[i][2] * t.v[i][2]));
        }
        (void)troop_advance(&t, 1e-3);
        CHECK_NEAR(margin_of(&t)->last.greatest, greatest, 1e-14);
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

/*  A crowd nearly at rest, and one body that is not. */
static uint64_t runs_of_crazy_crowd(scree_margin_kind kind, bool crazy, uint64_t *pairs)
{
    scree_detector_def def = troop_def(kind);
    scree_random random = scree_random_stream(17, 0);
    uint64_t runs = 0;
    troop t;
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
        runs += troop_advance(&t, 1);
        CHECK_EQUAL(troop_missed(&t), 0);
        CHECK(scree_detector_pairs(t.detector, NULL, &found) == SCREE_OK);
        *pairs = found.count;
        troop_move(&t, 1);
    }
    troop_close(&t);
    return runs;
}

TEST(is_17_growths_differ_from_body_to_body)
{
    uint64_t uniform, bins, single, tight;
    (void)runs_of_crazy_crowd(SCREE_MARGIN_NONE, true, &tight);
    (void)runs_of_crazy_crowd(SCREE_MARGIN_SKIN, true, &uniform);
    (void)runs_of_crazy_crowd(SCREE_MARGIN_BINS, true, &bins);
    (void)runs_of_crazy_crowd(SCREE_MARGIN_PER_BODY, true, &single);
    printf("pairs: %d without margin, %d uniform, %d bins, %d per body\n", (int)tight, (int)uniform,
           (int)bins, (int)single);
    /* at least two thirds of the pairs that are only potential are spared */
    CHECK(3 * (bins - tight) < uniform - tight);
    CHECK(3 * (single - tight) < uniform - tight);
}

TEST(is_18_one_crazy_body_does_not_enlarge_all)
{
    for (int kind = SCREE_MARGIN_BINS; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        uint64_t calm, crazy;
        (void)runs_of_crazy_crowd((scree_margin_kind)kind, false, &calm);
        (void)runs_of_crazy_crowd((scree_margin_kind)kind, true, &crazy);
        CHECK(crazy <= calm + calm / 10);
    }
}

/*  Speeds from 1 downwards by factors of 2. */
static void open_classes(troop *t, bool trust)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_BINS);
    def.margin.length = 0.8;
    def.margin.bin_count = 4;
    def.margin.trust_velocities = trust;
    troop_open(t, &def, 6);
    for (size_t i = 0; i < 6; i++)
        t->v[i][1] = i ? pow(0.5, (double)i) * (1 - 1e-9) : 1;
}

TEST(is_19_each_class_has_its_speeds_and_its_growth)
{
    scree_speed_class classes[SCREE_MARGIN_MAX_BINS];
    troop t;
    open_classes(&t, false);
    CHECK_EQUAL(scree_detector_speed_classes(t.detector, NULL), 4);
    for (int run = 0; run < 8; run++) /* bodies become slower by one class in a run */
        while (!troop_advance(&t, 0.01))
            troop_move(&t, 0.01);
    CHECK_EQUAL(scree_detector_speed_classes(t.detector, classes), 4);
    for (uint32_t n = 0; n < 4; n++) {
        CHECK_NEAR(classes[n].growth, 0.8 / pow(2, n), 1e-15);
        CHECK_NEAR(classes[n].speed, n == 3 ? 0 : 1 / pow(2, n + 1), 1e-8);
    }
    for (size_t i = 0; i < 6; i++) {
        CHECK_EQUAL(margin_of(&t)->bin[i], i < 3 ? i : 3);
        CHECK_NEAR(troop_growth(&t, i), classes[i < 3 ? i : 3].growth, 0);
    }
    troop_close(&t);
    CHECK_EQUAL(scree_detector_speed_classes(NULL, classes), 0);
}

TEST(is_20_classes_know_their_greatest_speeds_in_each_step)
{
    scree_random random = scree_random_stream(20, 0);
    for (int trust = 0; trust < 2; trust++) {
        troop t;
        open_classes(&t, trust);
        for (int step = 0; step < 400; step++) {
            double greatest[4] = {0, 0, 0, 0};
            bool ran = troop_advance(&t, 0.05);
            for (size_t i = 0; i < 6; i++) {
                CHECK(margin_of(&t)->bin[i] < 4);
                greatest[margin_of(&t)->bin[i]] =
                    fmax(greatest[margin_of(&t)->bin[i]], fabs(t.v[i][1]));
            }
            for (int n = 0; n < 4; n++) {
                /* in the step of a run, too: by the classes that the bodies have got */
                CHECK_NEAR(margin_of(&t)->last.of_bin[n], greatest[n], 1e-14 * greatest[n]);
                if (ran)
                    CHECK_NEAR(margin_of(&t)->bin_travelled[n], 0, 0);
            }
            troop_move(&t, 0.05);
            for (size_t i = 0; i < 6; i++)
                t.v[i][1] *= scree_random_range(&random, 0.7, 1.4);
        }
        troop_close(&t);
    }
}

TEST(is_21_a_class_that_has_travelled_its_growth_makes_a_run)
{
    troop t;
    open_classes(&t, true);
    for (int run = 0; run < 8; run++)
        while (!troop_advance(&t, 0.01))
            troop_move(&t, 0.01);
    /* all classes but the slowest stand still; its growth is 0.1 */
    for (size_t i = 0; i < 6; i++)
        t.v[i][1] = i < 3 ? 0 : 0.01;
    (void)troop_advance(&t, 1);
    double before = margin_of(&t)->bin_travelled[3];
    int steps = 0;
    do {
        troop_move(&t, 1);
        steps++;
    } while (!troop_advance(&t, 1));
    CHECK(before < 0.1);
    CHECK_EQUAL(steps, (int)ceil((0.1 - before) / 0.01));
    troop_close(&t);
}

/*  A run in the next step, because one body jumps. */
static void force_run(troop *t)
{
    t->x[t->count - 1][2] += 5;
    CHECK(troop_advance(t, 1e-9));
}

TEST(is_22_a_body_at_the_border_of_classes_stays)
{
    troop t;
    open_classes(&t, false);
    for (int run = 0; run < 8; run++)
        force_run(&t);
    CHECK_EQUAL(margin_of(&t)->bin[1], 1);
    for (int run = 0; run < 20; run++) {
        /* the lower end of its class is 0.25 */
        t.v[1][1] = run % 2 ? 0.26 : 0.21;
        force_run(&t);
        CHECK_EQUAL(margin_of(&t)->bin[1], 1);
    }
    t.v[1][1] = 0.19; /* below 0.8 of it */
    force_run(&t);
    CHECK_EQUAL(margin_of(&t)->bin[1], 2);
    t.v[1][1] = 0.24;
    force_run(&t);
    CHECK_EQUAL(margin_of(&t)->bin[1], 2);
    t.v[1][1] = 0.26;
    force_run(&t);
    CHECK_EQUAL(margin_of(&t)->bin[1], 1);
    troop_close(&t);
}

TEST(is_22_slower_by_one_class_a_run_and_faster_at_once)
{
    troop t;
    open_classes(&t, false);
    for (int run = 0; run < 8; run++)
        force_run(&t);
    t.v[1][1] = 1e-3;
    for (uint8_t bin = 2; bin <= 3; bin++) {
        force_run(&t);
        CHECK_EQUAL(margin_of(&t)->bin[1], bin);
    }
    t.v[1][1] = 0.9;
    force_run(&t);
    CHECK_EQUAL(margin_of(&t)->bin[1], 0);
    troop_close(&t);
}

TEST(is_22_the_reference_speed_follows_by_a_share)
{
    static const double changes[] = {0.3, -1, 0, 1};
    for (int n = 0; n < 4; n++) {
        scree_detector_def def = troop_def(SCREE_MARGIN_BINS);
        double share = n == 0 ? 0.3 : 1, expected = 2;
        troop t;
        def.margin.bin_max_change = changes[n];
        troop_open(&t, &def, 2);
        t.v[0][0] = 2;
        CHECK(troop_advance(&t, 1e-9));
        CHECK_NEAR(margin_of(&t)->reference_speed, 2, 1e-14); /* at first at once */
        for (int run = 0; run < 6; run++) {
            t.v[0][0] = run < 3 ? 8 : 1;
            expected += (t.v[0][0] - expected) * share;
            force_run(&t);
            CHECK_NEAR(margin_of(&t)->reference_speed, expected, 1e-13);
        }
        troop_close(&t);
    }
}

TEST(is_20_new_bodies_begin_in_the_slowest_class_and_make_a_run)
{
    troop t;
    open_classes(&t, true);
    t.count = 5;
    CHECK(troop_advance(&t, 1e-9));
    CHECK(!troop_advance(&t, 1e-9));
    t.count = 6;
    t.v[5][1] = 1;
    CHECK(troop_advance(&t, 1e-9));
    CHECK_EQUAL(margin_of(&t)->bin[5], 3);
    CHECK_NEAR(margin_of(&t)->last.of_bin[3], 1, 1e-14); /* and its speed counts there */
    t.count = 5;
    CHECK(troop_advance(&t, 1e-9)); /* fewer bodies make one, too */
    troop_close(&t);
}

TEST(is_24_the_classes_are_a_histogram)
{
    scree_speed_class classes[SCREE_MARGIN_MAX_BINS];
    scree_detector_def def = troop_def(SCREE_MARGIN_BINS);
    uint64_t sum = 0;
    troop t;
    troop_open(&t, &def, TROOP_MAX);
    for (size_t i = 0; i < TROOP_MAX; i++)
        t.v[i][0] = (double)(i + 1) / TROOP_MAX;
    for (int run = 0; run < 8; run++)
        force_run(&t);
    CHECK_EQUAL(scree_detector_speed_classes(t.detector, classes), 5);
    for (int n = 0; n < 5; n++) {
        printf("  from %.4f: %3d bodies, growth %.4f\n", classes[n].speed, (int)classes[n].bodies,
               classes[n].growth);
        sum += classes[n].bodies;
    }
    CHECK_EQUAL(sum, TROOP_MAX);
    /* from 1/2, 1/4, ... of 1; bodies may linger above 0.8 of the lower end */
    CHECK(classes[0].bodies >= 101 && classes[0].bodies <= 121);
    CHECK(classes[4].bodies >= 10 && classes[4].bodies <= 12);
    troop_close(&t);
}

/*  A missed contact is not made improbable, it is ruled out: whoever is outside his volume is seen. */
TEST(is_25_whoever_leaves_his_volume_makes_a_run)
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
        CASE(is_04_the_default_is_no_margin),
        CASE(is_05_boxes_are_updated_by_runs_alone),
        CASE(is_06_stride_is_length_over_speed_in_steps),
        CASE(is_06_at_rest_a_run_comes_as_soon_as_anything_moves),
        CASE(is_07_schedule_is_in_virtual_time),
        CASE(is_07_changing_steps_lose_no_contact),
        CASE(is_08_speed_factor_shortens_the_stride),
        CASE(is_09_a_faster_body_wakes_detection_early),
        CASE(is_10_the_greatest_speed_is_that_of_all_bodies),
        CASE(is_15_turning_facets_are_never_missed),
        CASE(is_16_a_peak_of_speed_is_not_forgotten),
        CASE(is_17_growths_differ_from_body_to_body),
        CASE(is_18_one_crazy_body_does_not_enlarge_all),
        CASE(is_19_each_class_has_its_speeds_and_its_growth),
        CASE(is_20_classes_know_their_greatest_speeds_in_each_step),
        CASE(is_20_new_bodies_begin_in_the_slowest_class_and_make_a_run),
        CASE(is_21_a_class_that_has_travelled_its_growth_makes_a_run),
        CASE(is_22_a_body_at_the_border_of_classes_stays),
        CASE(is_22_slower_by_one_class_a_run_and_faster_at_once),
        CASE(is_22_the_reference_speed_follows_by_a_share),
        CASE(is_24_the_classes_are_a_histogram),
        CASE(is_25_whoever_leaves_his_volume_makes_a_run),
        CASE(is_28_growth_follows_the_movement_of_each_body),
        CASE(is_28_without_a_target_growth_is_the_length),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
