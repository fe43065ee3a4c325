/*  What methods say of their worst case. Memory is counted, by an allocator that keeps the most that was ever held: on
    scenes that are hard in one way or another it may not grow faster than is said. */
#include "base/memory.h"
#include "scenes/scenes.h"
#include "scree/detect.h"
#include "test.h"

#include <string.h>

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef struct meter
{
    size_t held, most;
} meter;

static void count(meter *m, size_t given, size_t taken)
{
    m->held += taken - given;
    m->most = m->held > m->most ? m->held : m->most;
}

static void *count_allocate(size_t bytes, void *user)
{
    void *block = malloc(bytes);
    if (block)
        count(user, 0, bytes);
    return block;
}

/*  Both blocks are there for a moment, as in most systems. */
static void *count_reallocate(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    void *moved = count_allocate(new_bytes, user);
    if (!moved)
        return NULL;
    memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    free(block);
    count(user, old_bytes, 0);
    return moved;
}

static void count_release(void *block, size_t bytes, void *user)
{
    free(block);
    count(user, bytes, 0);
}

/* ---- one search ------------------------------------------------------------------------------ */

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    (void)first;
    (void)second;
    ++*(uint64_t *)user;
    return 0;
}

/*  The most bytes that an update and a search took, without a list of pairs. */
static double bytes_of(const char *method, const char *scene_name, size_t n, uint64_t *pairs)
{
    meter bytes = {0, 0};
    scree_scene scene;
    CHECK_EQUAL(scree_scene_create(scene_name, n, 1, NULL, &scene, NULL), SCREE_OK);
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = scene.dimensions;
    def.volume = scene.volume;
    def.allocator = (scree_allocator){count_allocate, count_reallocate, count_release, &bytes};

    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    scree_table table = scree_scene_table(&scene);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
    *pairs = 0;
    CHECK_EQUAL(scree_detector_for_each_pair(detector, count_pair, pairs), SCREE_OK);
    scree_detector_destroy(detector);
    scree_scene_free(&scene);
    CHECK_EQUAL(bytes.held, 0);
    return (double)bytes.most;
}

static bool is_quadratic(const scree_method_info *info)
{
    return info->capabilities & SCREE_METHOD_QUADRATIC;
}

/* ---- the tests ------------------------------------------------------------------------------- */

TEST(every_method_says_its_worst)
{
    static const char *const memory[] = {"N", "N log N + K"};
    for (size_t m = 0; m < scree_method_count(); m++) {
        const scree_method_info *info = scree_method_at(m);
        bool known = false;
        CHECK(info->worst_time && info->worst_memory);
        for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
            known = known || strcmp(info->worst_memory, memory[k]) == 0;
        if (!known)
            FAIL("%s: the test does not know memory \"%s\"", info->name, info->worst_memory);
        if (is_quadratic(info) != (strstr(info->worst_time, "in any scene") != NULL))
            FAIL("%s: its flag and \"%s\" contradict each other", info->name, info->worst_time);
    }
}

/*  Sixteen times the bodies: lists of N sqrt(N) would take 64 times the memory. Arrays that grow by doubling may be half
    empty, so twice sixteen times is still linear. */
#define TIMES 16
#define SLACK 2

TEST(memory_grows_no_faster_than_is_said)
{
    static const char *const scenes[] = {"layer",   "coil",     "identical", "giant",
                                         "needles", "clusters", "uniform",   "ratio100"};
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++)
        for (size_t m = 0; m < scree_method_count(); m++) {
            const scree_method_info *info = scree_method_at(m);
            size_t n = TEST_EFFORT(256u, 512u) / (strcmp(scenes[s], "identical") == 0 ? 4 : 1);
            uint64_t few, many;
            double small = bytes_of(info->name, scenes[s], n, &few);
            double large = bytes_of(info->name, scenes[s], TIMES * n, &many);
            double times = TIMES;
            if (strchr(info->worst_memory, 'K') && few > 0 && (double)many / (double)few > TIMES)
                times = (double)many / (double)few;
            if (large > SLACK * times * small)
                FAIL("%s, %s: %.0f bytes for %zu bodies, %.0f for %zu: not \"%s\"", info->name,
                     scenes[s], small, n, large, TIMES * n, info->worst_memory);
        }
}

/*  The bodies of a layer all overlap on one axis. 90,001 of them must do with a gigabyte. */
TEST(a_flat_layer_takes_less_than_a_gigabyte)
{
    size_t n = TEST_EFFORT(10000, 90001);
    uint64_t pairs, expected = 0;
    double most = 0;
    const char *who = "";
    for (size_t m = 0; m < scree_method_count(); m++) {
        const scree_method_info *info = scree_method_at(m);
        if (is_quadratic(info))
            continue;
        double bytes = bytes_of(info->name, "layer", n, &pairs);
        expected = expected ? expected : pairs;
        CHECK_EQUAL(pairs, expected);
        if (bytes > 1e9 / 90001 * (double)n)
            FAIL("%s: %.0f bytes for a layer of %zu", info->name, bytes, n);
        who = bytes > most ? info->name : who;
        most = bytes > most ? bytes : most;
    }
    FIGURE("%zu bodies: at most %.1f MB, of %s", n, most / 1e6, who);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_method_says_its_worst),
        CASE(memory_grows_no_faster_than_is_said),
        CASE(a_flat_layer_takes_less_than_a_gigabyte),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
