/*  Bodies that sleep, on ranks, which are threads here: the same bodies fall asleep and wake in the same steps. */
#include "ranks_bed.h"

static scree_sleep_counts last;

/*  What is skipped depends on the lists of a rank. */
static uint64_t hash_sleep(scree_world *world)
{
    last = scree_world_sleep_counts(world);
    const uint64_t words[] = {last.asleep, last.fell_asleep, last.woke};
    return scree_hash_words(SCREE_HASH_START, words, sizeof words);
}

/*  Something falls into the bed and wakes it; then sleep ends, and begins again. */
static void disturb(scree_world *world, int call)
{
    scree_body_def def = scree_default_body_def();

    if (call == 3) {
        def.shape = scree_shape_sphere(0.004);
        def.material.index1 = 1;
        def.position[2] = 0.06;
        def.velocity[2] = -2;
        CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    }
    if (call == 5)
        CHECK_EQUAL(scree_world_set_sleep(world, NULL), SCREE_OK);
    if (call == 6)
        CHECK_EQUAL(set_sleep(world), SCREE_OK);
}

static void run_bed(run *alone, uint64_t steps)
{
    set_calls(alone, 8, steps);
    FIGURE("%zu asleep at the end, %zu fell asleep, %zu woke", (size_t)last.asleep,
           (size_t)last.fell_asleep, (size_t)last.woke);
}

TEST(the_same_bodies_sleep_at_the_same_step)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = {.bodies = 300,
                        .ratio = 3,
                        .threads = 1,
                        .damping = 0.7,
                        .sleeps = true,
                        .lists_events = true,
                        .has_balance = true},
                 .host = disturb,
                 .look = hash_sleep};

    run_bed(&alone, TEST_EFFORT(900, 2500));
    CHECK(last.fell_asleep >= 100);
    for (int k = 0; k < 4; k++)
        compare(&alone, ranks[k], 1);
}

TEST(shapes_in_steps_that_are_chosen_sleep_at_the_same_step)
{
    run alone = {.of = {.bodies = 60,
                        .ratio = 2,
                        .threads = 2,
                        .damping = 0.7,
                        .sleeps = true,
                        .is_periodic = true,
                        .shapes = BED_ALL},
                 .host = disturb,
                 .look = hash_sleep};
    run chosen = {.of = {.bodies = 200,
                         .ratio = 2,
                         .threads = 1,
                         .damping = 0.7,
                         .sleeps = true,
                         .is_automatic = true},
                  .host = disturb,
                  .look = hash_sleep};

    run_bed(&alone, TEST_EFFORT(500, 2000));
    compare(&alone, 3, 1);
    run_bed(&chosen, TEST_EFFORT(400, 2000));
    CHECK(last.fell_asleep >= 50);
    compare(&chosen, 4, 2);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_same_bodies_sleep_at_the_same_step),
        CASE(shapes_in_steps_that_are_chosen_sleep_at_the_same_step),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
