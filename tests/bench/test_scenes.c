/*  Scenes are bit-identical everywhere: golden digests. And they are what their list says: about
   six neighbours, the size ratios, one volume fraction, and motions that keep bodies inside. */
#include "harness/failing_allocator.h"
#include "measure/measure.h"
#include "scenes/motion.h"
#include "scenes/scenes.h"
#include "test.h"

#include <math.h>

#define PI 3.14159265358979323846

static scree_scene make(const char *name, size_t n, uint64_t seed)
{
    scree_scene scene;
    scree_error error = {SCREE_OK, ""};
    if (scree_scene_create(name, n, seed, NULL, &scene, &error) != SCREE_OK)
        FAIL("%s: %s", name, error.text);
    return scene;
}

/* FNV-1a over the bytes of a column, in little-endian order of its bits. */
static uint64_t digest_column(uint64_t digest, const double *column, size_t n)
{
    for (size_t i = 0; column && i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &column[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            digest = (digest ^ (bits >> (8 * k) & 255)) * 0x100000001b3u;
    }
    return digest;
}

static uint64_t digest_scene(const scree_scene *scene)
{
    uint64_t digest = 0xcbf29ce484222325u;
    size_t n = scene->count;
    digest = digest_column(digest, scene->radius, n);
    for (int k = 0; k < 3; k++) {
        digest = digest_column(digest, scene->centre[k], n);
        digest = digest_column(digest, scene->velocity[k], n);
        digest = digest_column(digest, scene->low[k], n);
        digest = digest_column(digest, scene->high[k], n);
    }
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ scene->flags[i]) * 0x100000001b3u;
    return digest;
}

static const struct
{
    const char *name;
    uint64_t digest; /* of 500 bodies, seed 1 */
} golden[] = {
    {"uniform", 0x45d10653d02d4a95u},   {"ratio10", 0xe226896b2d64f7e0u},
    {"ratio100", 0x3b423ddfa1b800d2u},  {"giant", 0x421594600a9a8bd5u},
    {"clusters", 0x804e2f8d5e0aefb3u},  {"discs", 0xe6dbac28a7fbb95eu},
    {"discs32", 0x45285e26df63c3f1u},   {"even2:4", 0x8fba0c9274270231u},
    {"needles", 0xbd4f884033cea092u},   {"identical", 0xf1ee8647c3b55335u},
    {"thesis1", 0x2ddb3bbdbd4fabadu},   {"thesis2:4", 0xf855166cdfc377acu},
    {"mixture:4", 0x124b24a759ebdf2eu}, {"bimodal:4", 0x4e7bd41ae913166au},
    {"power:4", 0xdf6aa742ebbdff47u},   {"burst", 0x4125e139c29e7f18u},
    {"fines10", 0x108656ddcb93ec32u},   {"fines100", 0x703f8cf37e5cd25cu},
    {"wide:1e6", 0xa4d2f8693393fce1u},  {"layer", 0x5497ac3431892922u},
    {"coil", 0xfa26f2b95f770b25u},
};

TEST(scenes_are_bit_identical_everywhere)
{
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        scree_scene scene = make(golden[k].name, 500, 1);
        uint64_t digest = digest_scene(&scene);
        scree_scene_free(&scene);
        if (digest != golden[k].digest)
            FAIL("%s: digest is 0x%016" PRIx64 "u", golden[k].name, digest);
    }
    /* every scene that is listed has a golden row */
    for (size_t i = 0; scree_scene_name(i); i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof golden / sizeof *golden; k++)
            found = found || strcmp(golden[k].name, scree_scene_name(i)) == 0;
        if (!found)
            FAIL("%s has no digest", scree_scene_name(i));
    }
}

TEST(seeds_differ)
{
    scree_scene a = make("uniform", 100, 1), b = make("uniform", 100, 2);
    CHECK(digest_scene(&a) != digest_scene(&b));
    scree_scene_free(&a);
    scree_scene_free(&b);
}

/*  Any n makes a table that a detector takes. */
TEST(any_number_of_bodies)
{
    static const size_t counts[] = {0, 1, 2, 3, 5, 10, 11, 12, 100};
    for (size_t s = 0; scree_scene_name(s); s++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            scree_scene scene = make(scree_scene_name(s), counts[k], 3);
            scree_detector_def def = scree_default_detector_def();
            scree_detector *detector;
            def.method = "bounding-volume";
            def.dimensions = scene.dimensions;
            def.volume = scene.volume;
            CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
            scree_table table = scree_scene_table(&scene);
            scree_status status = scree_detector_update(detector, &table, NULL);
            if (status != SCREE_OK)
                FAIL("%s of %zu: %s", scree_scene_name(s), counts[k],
                     scree_detector_message(detector));
            CHECK_EQUAL(scree_detector_stats(detector).bodies, counts[k]);
            scree_detector_destroy(detector);
            scree_scene_free(&scene);
        }
}

static double neighbours(const char *name, size_t n)
{
    scree_trial trial = {.scene = name, .n = n, .seed = 5, .steps = 1, .threads = 1};
    scree_runner runner;
    scree_measure measure;
    scree_error error = {SCREE_OK, ""};
    if (scree_runner_create(&trial, "bounding-volume", NULL, &runner, &error) != SCREE_OK ||
        scree_runner_run(&runner, &measure, &error) != SCREE_OK)
        FAIL("%s: %s", name, error.text);
    scree_runner_free(&runner);
    return 2.0 * (double)measure.pairs / (double)n;
}

/*  At 8000 bodies the walls cost up to an eighth of the neighbours in 3D (a tenth of the bodies'
   spheres of influence stick out), needles more, since they are long. */
TEST(about_six_neighbours)
{
    CHECK_NEAR(neighbours("uniform", 8000), 5.75, 0.35);
    CHECK_NEAR(neighbours("discs", 8000), 5.9, 0.2);
    CHECK_NEAR(neighbours("even2:1", 8000), 5.9, 0.2);
    CHECK_NEAR(neighbours("even2:4", 8000), 5.9, 0.2);
    CHECK_NEAR(neighbours("even2:32", 8000), 5.9, 0.25);
    CHECK_NEAR(neighbours("needles", 8000), 5.4, 0.6);
    CHECK_NEAR(neighbours("identical", 100), 99, 0);
}

static void check_ratio(const char *name, double ratio, double fraction)
{
    scree_scene scene = make(name, 20000, 2);
    double least = INFINITY, most = 0, volume = 0, log_sum = 0, space = 1;
    for (size_t i = 0; i < scene.count; i++) {
        double r = scene.radius[i];
        least = fmin(least, r);
        most = fmax(most, r);
        log_sum += log(r);
        volume += scene.dimensions == 3 ? 4.0 / 3 * PI * r * r * r : PI * r * r;
    }
    for (int k = 0; k < scene.dimensions; k++)
        space *= scene.upper[k] - scene.lower[k];
    scree_scene_free(&scene);
    CHECK(least >= 1 && most <= ratio * (1 + 1e-12));
    CHECK(least < 1.01 && most > 0.99 * ratio);
    /* log-uniform: the mean logarithm is the middle; deviation of the mean is log(ratio)/490 */
    CHECK_NEAR(log_sum / 20000, log(ratio) / 2, log(ratio) / 80);
    CHECK_NEAR(volume / space, fraction, 1e-9);
}

TEST(mixtures_have_their_ratio_and_fraction)
{
    check_ratio("ratio10", 10, 0.75);
    check_ratio("ratio100", 100, 0.75);
    check_ratio("discs32", 32, 1.5);
}

/*  The share of bodies up to r is known, and in fines10 every size class weighs the same. */
TEST(fines_are_many)
{
    scree_scene scene = make("fines10", 40000, 2);
    double volume[3] = {0, 0, 0}, small = 0, all = 0, space = 1;
    for (size_t i = 0; i < scene.count; i++) {
        double r = scene.radius[i];
        CHECK(r >= 1 && r <= 10 * (1 + 1e-12));
        /* thirds of the logarithm; the last holds some 80 bodies */
        volume[r < cbrt(10) ? 0 : r < cbrt(100) ? 1 : 2] += r * r * r;
        small += r < 2;
    }
    all = volume[0] + volume[1] + volume[2];
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(volume[k] / all, 1.0 / 3, 0.03);
        space *= scene.upper[k] - scene.lower[k];
    }
    CHECK_NEAR(4.0 / 3 * PI * all / space, 0.75, 1e-9);
    CHECK_NEAR(small / 40000, (1 - pow(2, -3)) / (1 - 1e-3), 0.01);
    scree_scene_free(&scene);

    scene = make("fines100", 40000, 2);
    small = 0;
    for (size_t i = 0; i < scene.count; i++) {
        CHECK(scene.radius[i] >= 1 && scene.radius[i] <= 100 * (1 + 1e-12));
        small += scene.radius[i] < 2;
    }
    CHECK_NEAR(small / 40000, (1 - pow(2, -2.5)) / (1 - 1e-5), 0.01);
    scree_scene_free(&scene);
}

TEST(giant_has_its_eleven)
{
    scree_scene scene = make("giant", 1000, 1);
    CHECK_NEAR(scene.radius[0], 1000, 0);
    for (size_t i = 1; i <= 10; i++)
        CHECK_NEAR(scene.radius[i], 100, 0);
    for (size_t i = 11; i < 1000; i++)
        CHECK_NEAR(scene.radius[i], 1, 0);
    scree_scene_free(&scene);
    /* they cut into the cube and do not swallow it */
    double found = neighbours("giant", 2000) * 2000 / 2;
    CHECK(found > 2000 * 2.5 && found < 2000 * 8.0);
}

TEST(needles_are_long)
{
    scree_scene scene = make("needles", 300, 1);
    int along[3] = {0, 0, 0};
    for (size_t i = 0; i < 300; i++)
        for (int k = 0; k < 3; k++) {
            double edge = scene.high[k][i] - scene.low[k][i];
            bool is_long = fabs(edge - 100) < 1e-9;
            CHECK(is_long || fabs(edge - 2) < 1e-9);
            along[k] += is_long;
        }
    CHECK_EQUAL(along[0] + along[1] + along[2], 300);
    CHECK(along[0] > 60 && along[1] > 60 && along[2] > 60);
    scree_scene_free(&scene);
}

TEST(clusters_have_outliers)
{
    scree_scene scene = make("clusters", 20000, 1);
    CHECK_NEAR(scene.upper[0] - scene.lower[0], 1e6, 0);
    scree_scene_free(&scene);
    double found = neighbours("clusters", 5000);
    CHECK(found > 1 && found < 30);
}

/*  A square ring is fixed, neighbours start in opposite directions. */
TEST(lattice_of_the_thesis)
{
    scree_scene scene = make("thesis1", 100, 1);
    int fixed = 0;
    for (size_t i = 0; i < 100; i++) {
        fixed += scene.flags[i] == SCREE_FIXED;
        CHECK(scene.flags[i] ? scene.velocity[0][i] == 0 : fabs(scene.velocity[0][i]) == 0.1);
    }
    CHECK_EQUAL(fixed, 36);
    CHECK_NEAR(scene.centre[0][1] - scene.centre[0][0], 2.05, 1e-12);
    CHECK(scene.velocity[0][44] == -scene.velocity[0][45]);
    CHECK(scene.velocity[0][44] == -scene.velocity[0][54]);
    scree_scene_free(&scene);

    scene = make("thesis2:32", 400, 1);
    for (size_t i = 0; i < 400; i++)
        CHECK(scene.radius[i] >= 1 && scene.radius[i] <= 32);
    CHECK_NEAR(scene.centre[0][1] - scene.centre[0][0], 2.05 * 32, 1e-9);
    scree_scene_free(&scene);
}

static void expect_refusal(const char *name, size_t n, scree_status status, const char *text)
{
    scree_scene scene;
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(scree_scene_create(name, n, 1, NULL, &scene, &error), status);
    CHECK_SAYS(error.text, text);
    scree_scene_free(&scene);
}

TEST(unknown_scenes_are_refused)
{
    expect_refusal("unifrom", 10, SCREE_BAD_ARGUMENT, "there is no \"unifrom\"");
    expect_refusal("", 10, SCREE_BAD_ARGUMENT, "there is no \"\"");
    expect_refusal("uniform:2", 10, SCREE_BAD_ARGUMENT, "takes no ratio");
    expect_refusal("thesis2:0.5", 10, SCREE_BAD_ARGUMENT, "from 1 to 1e6");
    expect_refusal("thesis2:", 10, SCREE_BAD_ARGUMENT, "from 1 to 1e6");
    expect_refusal("thesis2:nan", 10, SCREE_BAD_ARGUMENT, "from 1 to 1e6");
    expect_refusal("uniform", (size_t)1 << 40, SCREE_TOO_LARGE, "at most");
}

TEST(memory_may_run_out_anywhere)
{
    static const char *const names[] = {"needles", "thesis1", "uniform"};
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 1;; k++) {
            failing_allocator memory = {.fail_at = k, .fail_all_after = true};
            scree_allocator allocator = failing_allocator_hooks(&memory);
            scree_scene scene;
            scree_mover mover;
            scree_scene_motion motion = {s == 1 ? SCREE_MOTION_SPRINGS : SCREE_MOTION_FEW, 5, 0.01};
            scree_status status = scree_scene_create(names[s], 50, 1, &allocator, &scene, NULL);
            if (status == SCREE_OK) {
                status = scree_mover_create(&scene, motion, 1, &mover, NULL);
                if (status == SCREE_OK)
                    scree_mover_free(&mover);
                scree_scene_free(&scene);
            }
            CHECK(failing_allocator_is_clean(&memory));
            if (status == SCREE_OK)
                break;
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK(k < 100);
        }
}

/* ---- motion -------------------------------------------------------------------------------------
 */

TEST(motions_are_parsed)
{
    scree_scene_motion motion;
    scree_error error;
    CHECK_EQUAL(scree_scene_motion_parse("none", &motion, &error), SCREE_OK);
    CHECK_EQUAL(motion.kind, SCREE_MOTION_NONE);
    CHECK_EQUAL(scree_scene_motion_parse("all:0.01", &motion, &error), SCREE_OK);
    CHECK_EQUAL(motion.kind, SCREE_MOTION_ALL);
    CHECK_NEAR(motion.amount, 0.01, 0);
    CHECK_EQUAL(scree_scene_motion_parse("few:0.5", &motion, &error), SCREE_OK);
    CHECK_EQUAL(motion.kind, SCREE_MOTION_FEW);
    CHECK_NEAR(motion.step, 0, 0);
    CHECK_EQUAL(scree_scene_motion_parse("few:2:0.3", &motion, &error), SCREE_OK);
    CHECK_NEAR(motion.amount, 2, 0);
    CHECK_NEAR(motion.step, 0.3, 0);
    static const char *const bad[] = {"",          "all",     "all:",    "all:x",    "all:-1",
                                      "few:101",   "few:nan", "all:1x",  "nonesuch", "springs:1",
                                      "few",       "few:1:",  "few:1:x", "few:1:0",  "few:1:-1",
                                      "few:1:1:1", "all:1:1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (scree_scene_motion_parse(bad[k], &motion, &error) == SCREE_OK)
            FAIL("\"%s\" was taken", bad[k]);
}

/*  Each body moves by its step, in a straight line until it is reflected, and stays inside. */
TEST(all_move_and_stay_inside)
{
    static const char *const names[] = {"uniform", "discs", "needles", "giant", "identical"};
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        scree_scene scene = make(names[s], 200, 1), before = make(names[s], 200, 1);
        scree_scene_motion motion = {SCREE_MOTION_ALL, 0.01, 0};
        scree_mover mover;
        CHECK_EQUAL(scree_mover_create(&scene, motion, 1, &mover, NULL), SCREE_OK);
        scree_mover_step(&mover, NULL);
        for (size_t i = 0; i < 200; i++) {
            double moved = 0;
            for (int k = 0; k < 3; k++) {
                double d = scene.centre[k][i] - before.centre[k][i];
                moved += d * d;
            }
            /* shorter only if it was reflected */
            CHECK(sqrt(moved) <= 0.01 * scene.radius[i] * (1 + 1e-9) + 1e-12);
            CHECK(sqrt(moved) > 0 || scene.radius[i] > 50);
        }
        for (int step = 0; step < 300; step++)
            scree_mover_step(&mover, NULL);
        for (size_t i = 0; i < 200; i++)
            for (int k = 0; k < scene.dimensions; k++)
                CHECK(scene.centre[k][i] >= scene.lower[k] && scene.centre[k][i] <= scene.upper[k]);
        scree_mover_free(&mover);
        scree_scene_free(&scene);
        scree_scene_free(&before);
    }
}

TEST(few_move_and_are_named)
{
    scree_scene scene = make("uniform", 1000, 1), before = make("uniform", 1000, 1);
    scree_scene_motion motion = {SCREE_MOTION_FEW, 0.5, 0.25};
    scree_mover mover;
    scree_rows rows;
    CHECK_EQUAL(scree_mover_create(&scene, motion, 1, &mover, NULL), SCREE_OK);
    CHECK(scree_mover_dirty(&mover, &rows) == &rows);
    CHECK_EQUAL(rows.count, 5);
    scree_mover_step(&mover, NULL);
    size_t k = 0;
    int full_steps = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        bool named = k < rows.count && rows.rows[k] == i;
        bool moved = scene.centre[0][i] != before.centre[0][i];
        CHECK_EQUAL(named, moved);
        if (moved && fabs(hypot(hypot(scene.centre[0][i] - before.centre[0][i],
                                      scene.centre[1][i] - before.centre[1][i]),
                                scene.centre[2][i] - before.centre[2][i]) -
                          0.25) < 1e-9)
            full_steps++;
        k += named;
    }
    CHECK_EQUAL(k, rows.count);
    CHECK(full_steps >= 3); /* one or the other is reflected */
    scree_mover_free(&mover);
    scree_scene_free(&scene);
    scree_scene_free(&before);
}

TEST(springs_need_a_lattice)
{
    scree_scene scene = make("uniform", 10, 1);
    scree_scene_motion motion = {SCREE_MOTION_SPRINGS, 0, 0};
    scree_mover mover;
    scree_error error;
    CHECK_EQUAL(scree_mover_create(&scene, motion, 1, &mover, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "thesis1");
    scree_mover_free(&mover);
    scree_scene_free(&scene);
}

/*  Contacts form and break, and a pair of discs parts with the energy it came with. */
TEST(lattice_contacts_form_and_break)
{
    scree_trial trial = {.scene = "thesis1", .n = 400, .seed = 1, .steps = 1, .threads = 1};
    trial.motion.kind = SCREE_MOTION_SPRINGS;
    scree_runner runner;
    scree_measure measure;
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t skipped = 0; skipped < 12; skipped++) {
        trial.skipped = skipped;
        CHECK_EQUAL(scree_runner_create(&trial, "bounding-volume", NULL, &runner, NULL), SCREE_OK);
        CHECK_EQUAL(scree_runner_run(&runner, &measure, NULL), SCREE_OK);
        least = measure.pairs < least ? measure.pairs : least;
        most = measure.pairs > most ? measure.pairs : most;
        scree_runner_free(&runner);
    }
    CHECK_EQUAL(least, 0);
    CHECK(most > 200);
}

/* ---- measuring ----------------------------------------------------------------------------------
 */

TEST(checksums_ignore_order_only)
{
    uint32_t a[3] = {1, 2, 3}, b[3] = {5, 6, 7}, c[3] = {3, 1, 2}, d[3] = {7, 5, 6},
             e[3] = {7, 6, 5};
    scree_pairs one = {3, a, b}, two = {3, c, d}, three = {3, c, e}, less = {2, a, b}, none = {0};
    CHECK(scree_pairs_checksum(&one) == scree_pairs_checksum(&two));
    CHECK(scree_pairs_checksum(&one) != scree_pairs_checksum(&three));
    CHECK(scree_pairs_checksum(&one) != scree_pairs_checksum(&less));
    CHECK(scree_pairs_checksum(&less) != scree_pairs_checksum(&none));
}

TEST(medians_and_exponents)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    double x[] = {10, 100, 1000, 5}, y[] = {20, 2000, 200000, 0};
    CHECK_NEAR(scree_median(odd, 3), 3, 0);
    CHECK_NEAR(scree_median(even, 4), 2.5, 0);
    CHECK_NEAR(scree_median(even, 0), 0, 0);
    CHECK_NEAR(scree_fit_exponent(x, y, 4), 2, 1e-12); /* the last point has no logarithm */
    CHECK_NEAR(scree_fit_exponent(x, y, 1), 0, 0);
}

/*  All methods on a moving scene, dirty rows too, and a liar. */
TEST(methods_agree_and_a_lie_shows)
{
    static const char *const motions[] = {"none", "all:0.05", "few:2"};
    for (size_t k = 0; k < 3; k++) {
        scree_trial trial = {.scene = "ratio10", .n = 300, .seed = 2, .steps = 5, .threads = 1};
        uint64_t right = 0;
        scree_measure measure;
        scree_runner runner;
        CHECK_EQUAL(scree_scene_motion_parse(motions[k], &trial.motion, NULL), SCREE_OK);
        for (size_t m = 0; scree_method_at(m); m++) {
            const char *name = scree_method_at(m)->name;
            CHECK_EQUAL(scree_runner_create(&trial, name, NULL, &runner, NULL), SCREE_OK);
            /* twice: a run is a function of its trial alone */
            for (int run = 0; run < 2; run++) {
                CHECK_EQUAL(scree_runner_run(&runner, &measure, NULL), SCREE_OK);
                if ((m || run) && measure.checksum != right)
                    FAIL("%s, motion %s, run %d", name, motions[k], run);
                right = measure.checksum;
            }
            scree_runner_free(&runner);
        }
        trial.lie = true;
        CHECK_EQUAL(scree_runner_create(&trial, "bounding-volume", NULL, &runner, NULL), SCREE_OK);
        CHECK_EQUAL(scree_runner_run(&runner, &measure, NULL), SCREE_OK);
        CHECK(measure.checksum != right);
        scree_runner_free(&runner);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(scenes_are_bit_identical_everywhere),
        CASE(seeds_differ),
        CASE(any_number_of_bodies),
        CASE(about_six_neighbours),
        CASE(mixtures_have_their_ratio_and_fraction),
        CASE(fines_are_many),
        CASE(giant_has_its_eleven),
        CASE(needles_are_long),
        CASE(clusters_have_outliers),
        CASE(lattice_of_the_thesis),
        CASE(unknown_scenes_are_refused),
        CASE(memory_may_run_out_anywhere),
        CASE(motions_are_parsed),
        CASE(all_move_and_stay_inside),
        CASE(few_move_and_are_named),
        CASE(springs_need_a_lattice),
        CASE(lattice_contacts_form_and_break),
        CASE(checksums_ignore_order_only),
        CASE(medians_and_exponents),
        CASE(methods_agree_and_a_lie_shows),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
