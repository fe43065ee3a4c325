/*  Results may not depend on threads: on scenes large enough to be cut into many blocks, every method
    must give the same pairs in the same order with 1, 2 and 7 threads, and under three hosts that run
    tasks backwards, at once, or late. */
#include "harness/generate.h"
#include "harness/run.h"
#include "harness/schedulers.h"
#include "test.h"

/*  Who runs the tasks. */
typedef struct host
{
    const char *name;
    run_options with;
} host;

/*  One method on one scene: alone, then with each host. Returns what is wrong, or NULL. */
static const char *check_hosts(expectation *expected, const char *method, const host *hosts,
                               size_t host_count)
{
    static run_report alone, report;
    static char text[2000];
    run_options one = {0};

    run_scene(expected, method, &one, &alone);
    if (alone.failed) {
        (void)snprintf(text, sizeof text, "%s, alone, step %u: %s", method, alone.step, alone.text);
        return text;
    }
    for (size_t h = 0; h < host_count; h++) {
        run_scene(expected, method, &hosts[h].with, &report);
        if (!report.failed && report.sequence == alone.sequence)
            continue;
        (void)snprintf(text, sizeof text, "%s, %s, step %u: %s", method, hosts[h].name, report.step,
                       report.failed ? report.text : "another order of pairs");
        return text;
    }
    return NULL;
}

static void check_scenes(uint64_t first, uint64_t count, const generate_options *size)
{
    static scree_pool *two, *seven;
    static reverse_scheduler backwards;
    static delay_scheduler late = {7, 0};

    CHECK_EQUAL(scree_pool_create(2, NULL, &two), SCREE_OK);
    CHECK_EQUAL(scree_pool_create(7, NULL, &seven), SCREE_OK);
    host hosts[] = {
        {"7 threads", {.tasks = scree_pool_tasks(seven)}},
        {"a host that is late", {.tasks = delay_scheduler_tasks(&late)}},
        {"2 threads", {.tasks = scree_pool_tasks(two)}},
        {"a host that works backwards", {.tasks = reverse_scheduler_tasks(&backwards)}},
        {"a host that works at once", {.tasks = inline_scheduler_tasks()}},
    };
    /* the first two take the most threads, and finish in the strangest order */
    bool are_few = TEST_SEEKS_RACES || (size && !test_is_full());
    size_t host_count = are_few ? 2 : SCREE_COUNT_OF(hosts);
    const char *wrong = NULL;
    uint64_t seed = first;
    for (; seed < first + count && !wrong; seed++) {
        test_scene scene = scene_generate(seed, size);
        expectation expected;
        expectation_init(&expected, &scene, REFERENCE_HONEST);
        for (size_t m = 0; m < scree_method_count() && !wrong; m++)
            wrong = check_hosts(&expected, scree_method_at(m)->name, hosts, host_count);
        expectation_free(&expected);
        scene_free(&scene);
    }
    scree_pool_destroy(two);
    scree_pool_destroy(seven);
    if (wrong)
        FAIL("seed %" PRIu64 ", %s", seed - 1, wrong);
}

TEST(small_scenes)
{
    check_scenes(700000, TEST_EFFORT(20, 96), NULL);
}

TEST(medium_scenes)
{
    static const generate_options size = {.min_bodies = 200,
                                          .max_bodies = TEST_SEEKS_RACES ? 250 : 700};
    check_scenes(800000, TEST_EFFORT(2, 16), &size);
}

TEST(large_scenes)
{
    static const generate_options size = {.min_bodies = 1500,
                                          .max_bodies = TEST_SEEKS_RACES ? 1600 : 3000};
    check_scenes(900021, TEST_EFFORT(1, 2), &size);
}

/*  Detectors with pools of their own, one after the other: no task is left behind. */
TEST(own_pools)
{
    for (uint32_t threads = 1; threads <= 7; threads += 3) {
        for (size_t m = 0; m < scree_method_count(); m++) {
            scree_detector_def def = scree_default_detector_def();
            double x[400], r[400];
            scree_pairs pairs;
            scree_detector *detector;
            for (int i = 0; i < 400; i++) {
                x[i] = i;
                r[i] = 0.9; /* neighbours are sqrt(3) apart */
            }
            scree_view row = scree_doubles(x, sizeof *x);
            scree_table table =
                scree_table_spheres(400, row, row, row, scree_doubles(r, sizeof *r));
            def.method = scree_method_at(m)->name;
            def.thread_count = threads;
            CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
            scree_status status = scree_detector_update(detector, &table, NULL);
            if (!status)
                status = scree_detector_pairs(detector, NULL, &pairs);
            uint64_t count = status ? 0 : pairs.count;
            scree_detector_destroy(detector);
            CHECK_EQUAL(status, SCREE_OK);
            CHECK_EQUAL(count, 399);
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(small_scenes),
        CASE(medium_scenes),
        CASE(large_scenes),
        CASE(own_pools),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
