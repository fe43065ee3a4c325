/*  Every method of the registry against the reference, on 20,000 random scenes of all kinds, or 2,000, at every
    SIMD level of this machine; then scenes of many steps, scenes of many bodies, and a few whose
    answers are written down here. SCREE_TEST_SCENES sets another number of scenes, SCREE_TEST_METHOD
    names the only method. */
#include "harness/generate.h"
#include "harness/shrink.h"
#include "test.h"

static uint64_t scene_count(void)
{
    const char *wanted = getenv("SCREE_TEST_SCENES");
    if (wanted)
        return strtoull(wanted, NULL, 10);
    return TEST_EFFORT(2000, 20000);
}

TEST(random_scenes)
{
    check_options options = {.method = getenv("SCREE_TEST_METHOD"), .all_simd = true};
    uint64_t count = scene_count();
    for (uint64_t seed = 1; seed <= count; seed++)
        if (!check_seed(seed, &options, false))
            FAIL("seed %" PRIu64 " of %" PRIu64, seed, count);
    printf("%" PRIu64 " scenes x %zu methods\n", count, scree_method_count());
}

/*  All methods on scenes that are not made by seed alone; no shrinking, the message must do. */
static void check_large(uint64_t first, uint64_t count, const generate_options *size)
{
    check_options options = {.method = getenv("SCREE_TEST_METHOD"), .all_simd = true};
    for (uint64_t seed = first; seed < first + count; seed++) {
        run_report report;
        test_scene scene = scene_generate(seed, size);
        bool is_fine = check_scene(&scene, &options, &report);
        if (!is_fine)
            report.text[sizeof report.text - 1] = 0;
        scene_free(&scene);
        if (!is_fine)
            FAIL("seed %" PRIu64 ", method %s, step %u: %s", seed, report.method, report.step,
                 report.text);
    }
}

TEST(many_steps)
{
    generate_options size = {.min_bodies = 5, .max_bodies = 40, .min_steps = 120};
    check_large(500000, TEST_EFFORT(6, 60), &size);
}

TEST(many_bodies)
{
    generate_options size = {.min_bodies = 400, .max_bodies = 1500};
    check_large(600000, TEST_EFFORT(6, 60), &size);
}

/*  A kind of scene that no seed leads to would be a test that cannot fail. */
TEST(every_generator_is_used)
{
    bool seen[64] = {false};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        test_scene scene = scene_generate(seed, NULL);
        for (uint32_t p = 0; p < harness_placement_count; p++)
            seen[p] |= strncmp(scene.name, harness_placements[p].name,
                               strlen(harness_placements[p].name)) == 0;
        scene_free(&scene);
    }
    for (uint32_t p = 0; p < harness_placement_count; p++)
        if (!seen[p])
            FAIL("no scene is made by %s", harness_placements[p].name);
}

/*  Pairs and hits of some scenes, as a number. They change only when the rule changes, or the way
    scenes are made: a commit that changes them says why. */
TEST(golden_scenes)
{
    static const uint64_t golden[10] = {
        0x7eea9c903cce399fu, 0x51182a6f944e9b91u, 0xdfc0834d5d302665u, 0x1b103828920e62e7u,
        0x41a5f86fdde78722u, 0xa024de8eee801121u, 0xb4955a5e89826148u, 0x1071e90e10df04a4u,
        0xf475c2386fcbdd71u, 0xfcd8897dbdeeffd6u,
    };
    bool differs = false;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        test_scene scene = scene_generate(seed * 1000, NULL);
        expectation expected;
        run_options with = {0};
        run_report report;
        expectation_init(&expected, &scene, REFERENCE_HONEST);
        run_scene(&expected, scree_method_at(0)->name, &with, &report);
        uint64_t digest = expectation_digest(&expected);
        if (digest != golden[seed - 1]) {
            printf("scene %" PRIu64 " is 0x%016" PRIx64 "u\n", seed * 1000, digest);
            differs = true;
        }
        expectation_free(&expected);
        scene_free(&scene);
    }
    CHECK(!differs);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_generator_is_used), CASE(golden_scenes), CASE(many_steps), CASE(many_bodies),
        CASE(random_scenes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
