/*  The tests of the tests. A method with planted faults is put into the registry, and nothing else is
    told of it: the harness must find each fault by itself, and make it small. Then the reference
    lies, and that must be found as well. */
#include "faulty_method.c"

#define SCREE_EXTRA_METHODS(X) X(faulty)
#include "../../src/detect/registry.c"

#include "harness/generate.h"
#include "harness/shrink.h"
#include "test.h"

/*  Scenes until the first difference, or 0 if there is none. */
static uint64_t first_difference(const check_options *options, uint64_t limit, run_report *report)
{
    for (uint64_t seed = 1; seed <= limit; seed++) {
        test_scene scene = scene_generate(seed, NULL);
        bool is_fine = check_scene(&scene, options, report);
        scene_free(&scene);
        if (!is_fine)
            return seed;
    }
    return 0;
}

TEST(registry_has_the_faulty_method)
{
    CHECK(scree_method_by_name("faulty") == &scree_method_faulty.info);
    CHECK(scree_method_at(scree_method_count() - 1) == &scree_method_faulty.info);
    CHECK(scree_method_at(scree_method_count()) == NULL);
}

TEST(without_a_fault_nothing_is_found)
{
    check_options options = {.method = "faulty", .all_simd = true};
    run_report report;
    faulty_fault = FAULT_NONE;
    uint64_t seed = first_difference(&options, 1000, &report);
    if (seed)
        FAIL("seed %llu: %s", (unsigned long long)seed, report.text);
}

/*  Every method is run: the faulty one is found among them, without its name. */
TEST(each_fault_is_found)
{
    check_options options = {.all_simd = true};
    run_report report;
    for (int f = FAULT_MISSES_A_PAIR; f < FAULT_ORDER_DEPENDS_ON_TIME; f++) {
        faulty_fault = (fault)f;
        uint64_t seed = first_difference(&options, 2000, &report);
        if (!seed)
            FAIL("fault %d is not found in 2000 scenes", f);
        CHECK_TEXT(report.method, "faulty");
        CHECK(report.text[0] != 0);
    }
    faulty_fault = FAULT_NONE;
}

/*  The order of pairs is a function of the calls: playing a scene twice shows one that is not. */
TEST(unsteady_order_is_found)
{
    uint32_t differing = 0;
    for (int unsteady = 0; unsteady < 2; unsteady++) {
        faulty_fault = unsteady ? FAULT_ORDER_DEPENDS_ON_TIME : FAULT_NONE;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            test_scene scene = scene_generate(seed, NULL);
            expectation expected;
            run_options with = {0};
            run_report once, again;
            for (uint32_t s = 0; s < scene.step_count; s++)
                scene.steps[s].checks = SCENE_CHECK_UNSORTED;
            expectation_init(&expected, &scene, REFERENCE_HONEST);
            run_scene(&expected, "faulty", &with, &once);
            faulty_searches = (uint32_t)seed;
            run_scene(&expected, "faulty", &with, &again);
            differing += once.sequence != again.sequence;
            expectation_free(&expected);
            scene_free(&scene);
        }
        if (!unsteady)
            CHECK_EQUAL(differing, 0);
    }
    faulty_fault = FAULT_NONE;
    CHECK(differing > 0);
}

TEST(a_failing_scene_becomes_small)
{
    check_options options = {.method = "faulty"};
    run_report report;
    faulty_fault = FAULT_MISSES_A_PAIR;
    uint64_t seed = first_difference(&options, 2000, &report);
    CHECK(seed != 0);
    test_scene scene = scene_generate(seed, NULL);
    shrink_scene(&scene, &options, &report, 4000);
    bool still_fails = !check_scene(&scene, &options, &report);
    uint32_t rows = scene.row_count, steps = scene.step_count;
    scene_free(&scene);
    faulty_fault = FAULT_NONE;
    CHECK(still_fails);
    /* two bodies that meet, in one call */
    CHECK_EQUAL(rows, 2);
    CHECK_EQUAL(steps, 1);
    CHECK_SAYS(report.text, "is missing");
}

TEST(a_lying_reference_is_caught)
{
    run_report report;
    for (int lie = REFERENCE_HONEST + 1; lie < REFERENCE_LIES; lie++) {
        check_options options = {.lie = (reference_lie)lie};
        if (!first_difference(&options, 1000, &report))
            FAIL("lie %d of the reference is not caught", lie);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(registry_has_the_faulty_method),
        CASE(without_a_fault_nothing_is_found),
        CASE(each_fault_is_found),
        CASE(unsteady_order_is_found),
        CASE(a_failing_scene_becomes_small),
        CASE(a_lying_reference_is_caught),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
