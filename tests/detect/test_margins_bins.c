/*  Classes of speed of the insertion-sort collider, row by row of the checklist: which bodies are in which, what each
    may travel, when a run is made, and how the classes follow the speeds. */
#include "base/random.h"

#include "margin_troop.h"

static scree_margin *margin_of(troop *t)
{
    return &t->detector->margin;
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
    scree_detector_def other = troop_def(SCREE_MARGIN_STRIDE);
    troop_open(&t, &other, 1);
    CHECK_EQUAL(scree_detector_speed_classes(t.detector, classes), 0);
    troop_close(&t);
}

TEST(is_20_classes_know_their_largest_speeds_in_each_step)
{
    scree_random random = scree_random_stream(20, 0);
    for (int trust = 0; trust < 2; trust++) {
        troop t;
        open_classes(&t, trust);
        for (int step = 0; step < 400; step++) {
            double largest[4] = {0, 0, 0, 0};
            bool ran = troop_advance(&t, 0.05);
            for (size_t i = 0; i < 6; i++) {
                CHECK(margin_of(&t)->bin[i] < 4);
                largest[margin_of(&t)->bin[i]] =
                    fmax(largest[margin_of(&t)->bin[i]], fabs(t.v[i][1]));
            }
            for (int n = 0; n < 4; n++) {
                /* in the step of a run, too: by the classes that the bodies have got */
                CHECK_NEAR(margin_of(&t)->last.of_bin[n], largest[n], 1e-14 * largest[n]);
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

TEST(is_22_a_body_at_the_boundary_of_classes_stays)
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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_19_each_class_has_its_speeds_and_its_growth),
        CASE(is_20_classes_know_their_largest_speeds_in_each_step),
        CASE(is_21_a_class_that_has_travelled_its_growth_makes_a_run),
        CASE(is_22_a_body_at_the_boundary_of_classes_stays),
        CASE(is_22_slower_by_one_class_a_run_and_faster_at_once),
        CASE(is_22_the_reference_speed_follows_by_a_share),
        CASE(is_20_new_bodies_begin_in_the_slowest_class_and_make_a_run),
        CASE(is_24_the_classes_are_a_histogram),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
