/*  One drum on 1, 2, 3 and 8 threads, and on hosts that run tasks late, backwards or at once: one digest. */
#include "harness/drum.h"
#include "harness/schedulers.h"
#include "test.h"

#define STEPS 60u
#define EVERY 10u
#define CHECKPOINTS (STEPS / EVERY)

/*  So many bodies that there are several blocks of all kinds. */
static const drum_scene drum = {.across = 4,
                                .layers = 2,
                                .facets = 64,
                                .has_planes = true,
                                .integrator = SCREE_VELOCITY_VERLET,
                                .has_energy_balance = true};

static uint64_t known[CHECKPOINTS];
static bool is_known;

/*  Digests of the first run are those that all others must have. */
static void run(const drum_way *way, const char *what, uint32_t number)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(&drum, way, &error);
    bool was_known = is_known;

    if (!world)
        FAIL("%s: %s", scree_status_name(error.status), error.text);
    for (uint32_t k = 0; k < CHECKPOINTS; k++) {
        if (scree_world_step(world, EVERY))
            FAIL("%s", scree_world_message(world));
        uint64_t digest = scree_world_digest(world);
        if (!was_known)
            known[k] = digest;
        else if (known[k] != digest)
            FAIL("%s %u: another digest at step %u: %016" PRIx64 " instead of %016" PRIx64, what,
                 number, (k + 1) * EVERY, digest, known[k]);
    }
    is_known = true;
    scree_world_destroy(world);
}

static void know(void)
{
    const drum_way alone = {0};

    if (!is_known)
        run(&alone, "threads", 1);
}

TEST(the_number_of_threads_does_not_matter)
{
    static const uint32_t counts[] = {2, 3, 8};

    know();
    for (int k = 0; k < 3; k++) {
        const drum_way way = {.threads = counts[k]},
                       sorted = {.threads = counts[k], .sort_every = 8};
        run(&way, "threads", counts[k]);
        run(&sorted, "threads, sorted", counts[k]);
    }
}

TEST(threads_of_detection_do_not_matter)
{
    static const char *const methods[] = {"flat", "bvh8", "hash-grids", "cell-space"};

    know();
    for (uint32_t k = 0; k < 4; k++) {
        const drum_way way = {.threads = 3, .method = methods[k]};
        run(&way, methods[k], 3);
    }
}

TEST(who_runs_tasks_and_when_does_not_matter)
{
    reverse_scheduler reverse = {.count = 0};
    delay_scheduler delay = {.seed = 7};
    const drum_way ways[] = {{.tasks = reverse_scheduler_tasks(&reverse)},
                             {.tasks = inline_scheduler_tasks()},
                             {.tasks = delay_scheduler_tasks(&delay)}};

    know();
    for (uint32_t k = 0; k < 3; k++)
        run(&ways[k], "scheduler", k);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_number_of_threads_does_not_matter),
        CASE(threads_of_detection_do_not_matter),
        CASE(who_runs_tasks_and_when_does_not_matter),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
