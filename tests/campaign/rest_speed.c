/*  What a heap at rest costs on which one ball in a hundred falls: without the rule, with it and all computed, and by the
    shortcut; steps are taken in turn, a hundred of each. What it came to: docs/results/rest.md.

        rest_speed [ACROSS LAYERS STEPS] */
#include "harness/rest_maker.h"

#include "base/clock.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdlib.h>

#define TURN 100u
#define WAYS 3

static uint32_t across = 40, layers = 12, step_count = 1000;

static const char *const names[WAYS] = {"no rest", "rest, all computed", "rest"};

static scree_world *copy_of(scree_world *world, bool has_sleep, bool computes_all)
{
    scree_world_def def = scree_default_world_def();
    scree_world *copy;

    if (scree_world_copy(world, &def, &copy))
        FAIL("no copy");
    if (!has_sleep)
        CHECK_EQUAL(scree_world_set_sleep(copy, NULL), SCREE_OK);
    else
        rest_turn_on(copy, computes_all);
    return copy;
}

/*  Above the heap, where none touches another. */
static void rain(scree_world *world, const rest_bin *bin, double top)
{
    scree_random random = scree_random_stream(1, 0);
    uint32_t count = bin->across * bin->across * bin->layers / 100;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t cell = k * 97 % (bin->across * bin->across);
        scree_body_def body = ball(REST_RADIUS, (cell % bin->across + 0.5) * 0.023,
                                   (cell / bin->across + 0.5) * 0.023,
                                   top + 0.03 + scree_random_range(&random, 0, 0.3));
        add(world, &body);
    }
}

static double top_of(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    double top = 0;

    for (size_t i = 0; i < view.count; i++)
        top = fmax(top, scree_row_at(view.position, i)[2]);
    return top;
}

static void measure(scree_world *const worlds[WAYS], uint64_t steps, const char *what)
{
    double seconds[WAYS] = {0};
    double awake = 0, count = (double)scree_world_body_count(worlds[0]);

    for (uint64_t done = 0; done < steps; done += TURN) {
        for (int w = 0; w < WAYS; w++) {
            double start = scree_clock_seconds();
            step(worlds[w], TURN);
            seconds[w] += scree_clock_seconds() - start;
        }
        awake +=
            (count - (double)scree_world_sleep_counts(worlds[2]).asleep) * TURN / (double)steps;
    }
    printf("%s: %.2f %% of %.0f awake\n", what, 100 * awake / count, count);
    for (int w = 0; w < WAYS; w++)
        printf("  %-20s %7.1f ns a body and step, %5.2f of the first\n", names[w],
               1e9 * seconds[w] / count / (double)steps, seconds[w] / seconds[0]);
    if (scree_world_digest(worlds[1]) != scree_world_digest(worlds[2]))
        FAIL("the shortcut changed the world");
}

TEST(a_heap)
{
    rest_bin bin = rest_bin_of(across, layers);
    bin.def.detection.sort_every = 1000;
    scree_world *heap = rest_bin_open(&bin), *worlds[WAYS];
    uint64_t settling = 0;

    while ((double)scree_world_sleep_counts(heap).asleep <
               0.995 * (double)scree_world_body_count(heap) &&
           settling < 60000) {
        step(heap, 500);
        settling += 500;
    }
    scree_sleep_counts counts = scree_world_sleep_counts(heap);
    printf("%zu balls, of which %" PRIu64 " rest after %" PRIu64 " steps\n",
           scree_world_body_count(heap), counts.asleep, settling);
    for (int w = 0; w < WAYS; w++) {
        worlds[w] = copy_of(heap, w > 0, w == 1);
        step(worlds[w], 300);
    }
    measure(worlds, step_count, "a heap that stands");
    for (int w = 0; w < WAYS; w++)
        rain(worlds[w], &bin, top_of(heap));
    measure(worlds, step_count, "one ball in a hundred falls");
    for (int w = 0; w < WAYS; w++)
        scree_world_destroy(worlds[w]);
    scree_world_destroy(heap);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(a_heap)};

    if (argc == 4) {
        across = (uint32_t)strtoul(argv[1], NULL, 10);
        layers = (uint32_t)strtoul(argv[2], NULL, 10);
        step_count = (uint32_t)strtoul(argv[3], NULL, 10);
    }
    return test_main(1, argv, tests, 1);
}
