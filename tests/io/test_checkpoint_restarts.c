/*  Runs on ranks that are stopped, saved by all ranks, and continued on another number of them, twice: what the host reads is
    what it reads if one process does the same. Sleep, lists of events and force functions of a host. */
#include "dist/event_hash.h"
#include "dist/ranks_bed.h"
#include "io/checkpoint_ranks.h"

#include <stdio.h>
#include <unistd.h>

#define STAGES 3
#define CALLS 3 /* of each stage */

typedef struct restarts
{
    bed of;
    uint64_t steps; /* of a call */
    scree_force_fn *force;
    const uint32_t *ranks; /* of each stage; NULL: one process */
    int stage;
    uint64_t digest[STAGES][CALLS], seen[STAGES][CALLS];
    uint64_t fell, woke, events; /* at the end: so that the test tests something */
} restarts;

static char file[64];

/*  A function of time and of all bodies. */
static scree_status attract(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                            void *user)
{
    double middle[3] = {0, 0, 0};

    (void)user;
    for (size_t row = 0; row < bodies->count; row++)
        if (scree_uint64_at(bodies->serial, row) == 7)
            memcpy(middle, scree_row_at(bodies->position, row), sizeof middle);
    for (size_t row = 0; row < bodies->count; row++) {
        const double *x = scree_row_at(bodies->position, row);
        double force[3];
        for (int k = 0; k < 3; k++)
            force[k] = 0.05 * (middle[k] - x[k]) * (1 + sin(300 * time));
        if (scree_force_sink_add_row(sink, row, force, NULL))
            return SCREE_OK;
    }
    return SCREE_OK;
}

static uint64_t read_all(restarts *all, scree_world *world)
{
    const scree_sleep_counts counts = scree_world_sleep_counts(world);
    const uint64_t words[] = {counts.asleep, counts.fell_asleep, counts.woke};
    uint64_t hash = scree_hash_words(SCREE_HASH_START, words, sizeof words);
    const scree_event *events;
    size_t count = 0;

    if (all->of.lists_events)
        CHECK_EQUAL(scree_world_events(world, &events, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++)
        hash = hash_event(hash, &events[k]);
    all->fell += counts.fell_asleep;
    all->woke += counts.woke;
    all->events += count;
    return scree_hash_word(hash, count);
}

/*  From the bed, or from the file of the last stage. */
static scree_status make_stage(const restarts *all, uint32_t rank, scree_world **world,
                               scree_error *error)
{
    bed own = all->of;
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint;

    if (rank)
        own.bodies = 0;
    if (rank || all->stage == 0)
        return make(&own, world, error);
    scree_status status = scree_checkpoint_read(file, NULL, &checkpoint, error);
    hooks.events = all->of.lists_events;
    hooks.compute.thread_count = all->of.threads;
    if (!status)
        status = scree_checkpoint_world(checkpoint, &hooks, world, error);
    scree_checkpoint_destroy(checkpoint);
    return status;
}

/*  `ranks` NULL: one process. */
static void run_stage(restarts *all, scree_world *world, scree_rank_team *ranks)
{
    scree_error error = {SCREE_OK, ""};

    if (all->force)
        scree_world_set_force(world, all->force, NULL);
    for (int call = 0; call < CALLS; call++) {
        CHECK_EQUAL(scree_world_step(world, all->steps), SCREE_OK);
        all->digest[all->stage][call] = scree_world_digest(world);
        all->seen[all->stage][call] = read_all(all, world);
    }
    if (ranks ? scree_ranks_checkpoint_write(ranks, world, file, NULL, 0, &error)
              : scree_checkpoint_write(world, file, NULL, 0, &error))
        FAIL("%s", error.text);
}

static scree_status run_rank_of_stage(const scree_comm *comm, void *data)
{
    restarts *all = data;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = make_stage(all, comm->rank, &world, &error);

    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (status)
        FAIL("%s", error.text);
    scree_ranks_checkpoint_prepare(ranks);
    if (comm->rank == 0)
        run_stage(all, world, ranks);
    else
        status = scree_ranks_serve(ranks);
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static void run_all(restarts *all)
{
    scree_error error = {SCREE_OK, ""};

    for (all->stage = 0; all->stage < STAGES; all->stage++) {
        scree_world *world = NULL;
        if (all->ranks) {
            CHECK_EQUAL(scree_run_ranks(all->ranks[all->stage], run_rank_of_stage, all), SCREE_OK);
            continue;
        }
        if (make_stage(all, 0, &world, &error))
            FAIL("%s", error.text);
        run_stage(all, world, NULL);
        scree_world_destroy(world);
    }
    unlink(file);
}

static restarts compare_restarts(const restarts *of)
{
    static const uint32_t ranks[][STAGES] = {{3, 2, 7}, {1, 4, 1}, {2, 1, 3}};
    restarts alone = *of;

    snprintf(file, sizeof file, "checkpoint_restarts.%ld", (long)getpid());
    run_all(&alone);
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) {
        restarts all = *of;
        all.ranks = ranks[k];
        run_all(&all);
        for (int stage = 0; stage < STAGES; stage++)
            for (int call = 0; call < CALLS; call++)
                if (all.digest[stage][call] != alone.digest[stage][call] ||
                    all.seen[stage][call] != alone.seen[stage][call])
                    FAIL("%u, %u, then %u ranks: after call %d of stage %d there is another %s",
                         ranks[k][0], ranks[k][1], ranks[k][2], call + 1, stage + 1,
                         all.digest[stage][call] != alone.digest[stage][call] ? "digest" : "list");
    }
    return alone;
}

TEST(lists_of_events_go_on_after_a_restart_as_on_one_process)
{
    const restarts all = {
        .of = {.bodies = 200, .ratio = 3, .threads = 1, .lists_events = true, .rolls = true},
        .steps = 500};
    const restarts shapes = {
        .of = {.bodies = 60, .ratio = 2, .threads = 1, .lists_events = true, .shapes = BED_ALL},
        .steps = 200};

    CHECK(compare_restarts(&all).events >= 100);
    CHECK(compare_restarts(&shapes).events >= 20);
}

TEST(bodies_that_sleep_go_on_after_a_restart_as_on_one_process)
{
    const restarts all = {.of = {.bodies = 150,
                                 .ratio = 3,
                                 .threads = 1,
                                 .damping = 0.7,
                                 .sleeps = true,
                                 .lists_events = true,
                                 .has_balance = true},
                          .steps = 1200};

    const restarts alone = compare_restarts(&all);
    FIGURE("%" PRIu64 " fell asleep, %" PRIu64 " woke", alone.fell, alone.woke);
    CHECK(alone.fell >= 50);
}

TEST(forces_of_a_host_go_on_after_a_restart_as_on_one_process)
{
    const restarts all = {.of = {.bodies = 150, .ratio = 3, .threads = 1, .lists_events = true},
                          .steps = 150,
                          .force = attract};
    const restarts automatic = {
        .of = {.bodies = 80, .ratio = 3, .threads = 1, .is_automatic = true, .has_balance = true},
        .steps = 60,
        .force = attract};

    (void)compare_restarts(&all);
    (void)compare_restarts(&automatic);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(lists_of_events_go_on_after_a_restart_as_on_one_process),
        CASE(bodies_that_sleep_go_on_after_a_restart_as_on_one_process),
        CASE(forces_of_a_host_go_on_after_a_restart_as_on_one_process),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
