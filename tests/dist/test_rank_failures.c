/*  Steps that fail on ranks, and hosts that do what ranks do not expect: the host's world is then as one process leaves it, and no rank
    waits for ever. */
#include "cut_comm.h"
#include "ranks_bed.h"

#include "dist/comm_module.h"

#include <stdlib.h>

/*  The same failure, or none, after the same steps. */
static void fails_alike(const run *alone, uint32_t ranks)
{
    const run all = run_on(alone, ranks, 1);

    if (all.status != alone->status)
        FAIL("%u ranks: %s (%s), should be %s (%s)", ranks, scree_status_name(all.status),
             all.error.text, scree_status_name(alone->status), alone->error.text);
    CHECK_TEXT(all.error.text, alone->error.text);
    CHECK_EQUAL(all.failed_serial, alone->failed_serial);
    CHECK_EQUAL(all.taken, alone->taken);
    for (int call = 0; call < alone->calls; call++)
        CHECK_EQUAL(all.digest[call], alone->digest[call]);
    CHECK_EQUAL(all.bytes_digest, alone->bytes_digest);
}

static run plate_run(double young)
{
    run alone = {.of = {.bodies = 1, .threads = 1, .plate = young}, .calls = 3};

    for (int k = 0; k < alone.calls; k++)
        alone.steps[k] = 2;
    run_alone(&alone);
    return alone;
}

/* ---- steps ---- */

TEST(a_rank_without_bodies_shortens_steps_as_the_others_do)
{
    const run alone = plate_run(1e7);

    CHECK_EQUAL(alone.status, SCREE_OK);
    CHECK_EQUAL(alone.taken, 6);
    for (uint32_t ranks = 1; ranks <= 5; ranks++)
        fails_alike(&alone, ranks);
}

TEST(steps_before_one_that_fails_late_count_and_it_is_told)
{
    const run alone = plate_run(1e30);

    CHECK_EQUAL(alone.status, SCREE_UNSTABLE);
    CHECK_SAYS(alone.error.text, "too stiff for any step");
    CHECK_EQUAL(alone.taken, 3);
    for (uint32_t ranks = 1; ranks <= 4; ranks++)
        fails_alike(&alone, ranks);
}

static void throw_two(scree_world *world, int call)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_body body;

    for (size_t k = 0; call == 1 && k < view.count; k++)
        if (scree_uint64_at(view.serial, k) == 291 || scree_uint64_at(view.serial, k) == 40) {
            scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
            body.velocity[0] = scree_uint64_at(view.serial, k) == 291 ? 1470 : -1470;
            scree_world_set_body(world, scree_body_id_at(view.id, k), &body);
        }
}

TEST(of_two_failures_the_same_is_told_on_any_number_of_ranks)
{
    run alone = {.of = {.bodies = 300, .ratio = 3, .threads = 1},
                 .host = throw_two,
                 .calls = 2,
                 .steps = {50, 50}};

    run_alone(&alone);
    CHECK_EQUAL(alone.status, SCREE_UNSTABLE);
    CHECK_EQUAL(alone.failed_serial, 40);
    for (uint32_t ranks = 1; ranks <= 5; ranks++)
        fails_alike(&alone, ranks);
}

/* ---- what hosts do between calls ---- */

static uint64_t first_that_touches(const scree_world *world)
{
    uint64_t least = UINT64_MAX;

    for (size_t c = 0; c < world->pairs.count; c++) {
        const uint64_t serial = world->bodies.serial[world->pairs.second[c][0]][0];
        if (world->pairs.touches[c][0] && serial < least)
            least = serial;
    }
    return least;
}

static void move_far_away(scree_world *world, int call)
{
    scree_bodies_view view = scree_world_bodies(world);
    const uint64_t serial = first_that_touches(world);
    scree_body body;

    for (size_t k = 0; call == 1 && k < view.count; k++)
        if (scree_uint64_at(view.serial, k) == serial) {
            scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
            body.position[2] += 0.3;
            body.position[0] *= -1;
            scree_world_set_body(world, scree_body_id_at(view.id, k), &body);
            return;
        }
}

TEST(a_touching_body_that_is_moved_far_away_loses_its_contacts)
{
    run alone = {.of = {.bodies = 600, .ratio = 3, .threads = 1, .seed = 5},
                 .host = move_far_away,
                 .calls = 3,
                 .steps = {2000, 50, 50}};

    run_alone(&alone);
    CHECK_EQUAL(alone.status, SCREE_OK);
    for (uint32_t ranks = 3; ranks <= 4; ranks++)
        fails_alike(&alone, ranks);
}

typedef struct host_session
{
    bed of;
    const scree_snapshot *snapshot;
    uint64_t digest;
    scree_status status;
    scree_error error;
    failing_allocator memory;
} host_session;

typedef void session_fn(host_session *session, scree_world *world, scree_rank_team **ranks);

/*  Opens ranks after `before` steps on rank 0 alone, and lets the host go on. */
static scree_status run_session(const scree_comm *comm, host_session *session, uint64_t before,
                                session_fn *host)
{
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    bed own = session->of;

    if (comm->rank == 0)
        own.allocator = failing_allocator_hooks(&session->memory);
    scree_status status = make(&own, &world, &error);
    if (!status && comm->rank == 0 && before)
        status = scree_world_step(world, before);
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status && comm->rank == 0)
        host(session, world, &ranks);
    else if (!status)
        (void)scree_ranks_serve(ranks);
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static void keep(host_session *session, scree_world *world, scree_status status)
{
    session->memory.fail_at = 0;
    session->status = status;
    session->digest = scree_world_digest(world);
    session->error = (scree_error){status, ""};
    if (status)
        scree_fail(&session->error, status, "%s", scree_world_message(world));
}

static void close_and_step(host_session *session, scree_world *world, scree_rank_team **ranks)
{
    scree_status status = scree_world_step(world, 1600);

    scree_ranks_close(*ranks);
    *ranks = NULL;
    if (!status)
        status = scree_world_step(world, 300);
    keep(session, world, status);
}

static scree_status run_and_close(const scree_comm *comm, void *data)
{
    return run_session(comm, data, 400, close_and_step);
}

TEST(a_world_steps_by_itself_again_after_ranks_are_closed)
{
    run alone = {.of = {.bodies = 600, .ratio = 3, .threads = 1, .seed = 5}};
    host_session session = {.of = alone.of};

    set_calls(&alone, 1, 2300);
    CHECK_EQUAL(scree_run_ranks(3, run_and_close, &session), SCREE_OK);
    CHECK_TEXT(session.error.text, "");
    CHECK_EQUAL(session.digest, alone.digest[0]);
}

static void restore_and_step(host_session *session, scree_world *world, scree_rank_team **ranks)
{
    scree_status status = scree_world_step(world, 100);

    (void)ranks;
    if (!status)
        status = scree_world_restore(world, session->snapshot);
    if (!status)
        status = scree_world_step(world, 100);
    keep(session, world, status);
}

static scree_status run_and_restore(const scree_comm *comm, void *data)
{
    return run_session(comm, data, 0, restore_and_step);
}

TEST(a_snapshot_of_the_same_step_is_heard_of)
{
    host_session session = {.of = {.bodies = 300, .ratio = 3, .threads = 1}};
    bed other = session.of;
    scree_snapshot *snapshot;
    scree_world *world;

    other.seed = 77;
    CHECK_EQUAL(make(&other, &world, &session.error), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_OK);
    session.snapshot = snapshot;
    CHECK_EQUAL(scree_run_ranks(3, run_and_restore, &session), SCREE_OK);
    CHECK_TEXT(session.error.text, "");
    CHECK_EQUAL(session.digest, scree_world_digest(world));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

/* ---- memory ---- */

/*  Rank 1 has none at some request. Others find in the same step that it is too long, and must not try a shorter one. */
typedef struct plate_shortage
{
    bed of;
    size_t fail_after;
    failing_allocator memory;
    uint64_t before, after;
    scree_status status;
} plate_shortage;

static scree_status run_short_plate(const scree_comm *comm, void *data)
{
    plate_shortage *of = data;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    bed own = of->of;

    if (comm->rank == 1)
        own.allocator = failing_allocator_hooks(&of->memory);
    scree_status status = scree_comm_agree(comm, make(&own, &world, &error));
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (comm->rank == 1)
        of->memory.fail_at = atomic_load(&of->memory.requests) + of->fail_after;
    if (!status && comm->rank == 0) {
        of->before = scree_world_digest(world);
        of->status = scree_world_step(world, 1);
        of->after = scree_world_digest(world);
    } else if (!status) {
        (void)scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

TEST(a_rank_without_memory_lets_none_try_a_shorter_step)
{
    run alone = {.of = {.bodies = 3, .threads = 1, .plate = 1e7}};
    uint32_t failed = 0;
    bool is_short = true;

    set_calls(&alone, 1, 1);
    for (size_t k = 1; is_short; k++) {
        plate_shortage of = {.of = alone.of, .fail_after = k};
        CHECK_EQUAL(scree_run_ranks(3, run_short_plate, &of), SCREE_OK);
        CHECK(failing_allocator_is_clean(&of.memory));
        is_short = atomic_load(&of.memory.failures) > 0;
        /* what one rank lacks in a step that is too long for another is there when it is tried again */
        if (of.status)
            CHECK_EQUAL(of.before, of.after);
        else
            CHECK_EQUAL(of.after, alone.digest[0]);
        CHECK_EQUAL(of.status, is_short && of.status ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        failed += of.status != SCREE_OK;
    }
    CHECK(failed >= 20);
    FIGURE("%" PRIu32 " requests refused", failed);
}

/*  Rank 0 has none in the middle of steps of one call each: the world is as before that call. */
typedef struct host_shortage
{
    host_session session;
    uint64_t warm;
    size_t fail_after;
    bool has_changed;
} host_shortage;

static void step_until_short(host_session *session, scree_world *world, scree_rank_team **ranks)
{
    host_shortage *of = (host_shortage *)session;
    scree_status status = scree_world_step(world, of->warm);
    const size_t fail_at = atomic_load(&session->memory.requests) + of->fail_after;

    (void)ranks;
    for (int k = 0; k < 100 && !status; k++) {
        const uint64_t before = scree_world_digest(world), steps = scree_world_clock(world).steps;
        const size_t pairs = world->pairs.count, walls = world->wall_contacts.now.count;
        session->memory.fail_at = fail_at;
        status = scree_world_step(world, 1);
        session->memory.fail_at = 0;
        if (status)
            of->has_changed =
                scree_world_digest(world) != before || scree_world_clock(world).steps != steps ||
                world->pairs.count != pairs || world->wall_contacts.now.count != walls;
    }
    keep(session, world, status);
}

static scree_status run_short_host(const scree_comm *comm, void *data)
{
    return run_session(comm, data, 0, step_until_short);
}

TEST(a_host_without_memory_keeps_its_world)
{
    uint32_t failed = 0;

    for (uint64_t warm = 100; warm < 600; warm += 400)
        for (size_t k = 1; k <= TEST_EFFORT(40, 200); k++) {
            host_shortage of = {
                .session = {.of = {.bodies = 300, .ratio = 3, .threads = 1, .seed = 5}},
                .warm = warm,
                .fail_after = k};
            CHECK_EQUAL(scree_run_ranks(2, run_short_host, &of), SCREE_OK);
            CHECK(failing_allocator_is_clean(&of.session.memory));
            if (of.has_changed)
                FAIL("warm %" PRIu64 ", request %zu: the world is another after \"%s\"", warm, k,
                     of.session.error.text);
            failed += of.session.status == SCREE_OUT_OF_MEMORY;
        }
    CHECK(failed >= 20);
    FIGURE("%" PRIu32 " requests refused", failed);
}

/*  The second failure is another one than the first, and is told. */
static void fail_twice(host_session *session, scree_world *world, scree_rank_team **ranks)
{
    scree_status status = scree_world_step(world, 50);

    (void)ranks;
    throw_two(world, 1);
    if (!status && scree_world_step(world, 50) == SCREE_UNSTABLE) {
        session->memory.fail_at = atomic_load(&session->memory.requests) + 1;
        status = scree_world_step(world, 50);
    }
    keep(session, world, status);
}

static scree_status run_and_fail_twice(const scree_comm *comm, void *data)
{
    return run_session(comm, data, 0, fail_twice);
}

TEST(each_failure_has_its_own_message)
{
    host_session session = {.of = {.bodies = 300, .ratio = 3, .threads = 1}};

    CHECK_EQUAL(scree_run_ranks(3, run_and_fail_twice, &session), SCREE_OK);
    CHECK_EQUAL(session.status, SCREE_OUT_OF_MEMORY);
    CHECK_SAYS(session.error.text, "out of memory");
}

/* ---- ranks that cannot be reached ---- */

typedef struct cut_session
{
    bed of;
    uint64_t cut_at, before, after;
    scree_status status;
    bool is_lost;
} cut_session;

static scree_status run_cut_rank(const scree_comm *comm, void *data)
{
    cut_session *session = data;
    cut_comm cut = {.whole = *comm};
    const scree_comm through = cut_through(&cut);
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = make(&session->of, &world, &error);

    if (!status)
        status = scree_ranks_open(&through, world, &ranks, &error);
    cut.cut_at = session->cut_at;
    if (!status && comm->rank == 0) {
        session->before = scree_world_digest(world);
        session->status = scree_world_step(world, 1);
        session->after = scree_world_digest(world);
        session->is_lost = scree_ranks_have_lost_world(ranks);
        if (session->status)
            CHECK_EQUAL(scree_world_step(world, 1), session->status);
    } else if (!status) {
        (void)scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

/*  In the rounds in which the state goes to rank 0, there is no way back, and the host is told. */
TEST(a_world_that_is_half_gathered_is_said_to_be_lost)
{
    uint32_t lost = 0, kept = 0;
    bool is_cut = true;

    for (uint64_t k = 1; is_cut; k++) {
        cut_session session = {.of = {.bodies = 60, .ratio = 2, .threads = 1}, .cut_at = k};
        CHECK_EQUAL(scree_run_ranks(3, run_cut_rank, &session), SCREE_OK);
        is_cut = session.status != SCREE_OK;
        if (!is_cut)
            break;
        CHECK_EQUAL(session.status, SCREE_IO_ERROR);
        if (!session.is_lost)
            CHECK_EQUAL(session.before, session.after);
        lost += session.is_lost;
        kept += !session.is_lost;
    }
    CHECK(lost >= 8 && kept >= 8);
}

/* ---- launchers ---- */

static bool is_launched_with(const char *const (*set)[2], size_t count)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                        "SLURM_STEP_NUM_TASKS", "SCREE_RANKS"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    for (size_t k = 0; k < count; k++)
        setenv(set[k][0], set[k][1], 1);
    return scree_mpi_is_launched();
}

TEST(one_task_of_a_launcher_needs_no_mpi)
{
    static const char *const one[][2] = {{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMI_SIZE", "1"}};
    static const char *const four[][2] = {{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMI_SIZE", "4"}};
    static const char *const slurm_one[][2] = {{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}};
    static const char *const slurm[][2] = {{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}};
    static const char *const none[][2] = {{"OMPI_COMM_WORLD_SIZE", "4"}, {"SCREE_RANKS", "0"}};

    CHECK(!is_launched_with(NULL, 0));
    for (int k = 0; k < 2; k++) {
        CHECK(!is_launched_with(&one[k], 1));
        CHECK(is_launched_with(&four[k], 1));
    }
    CHECK(!is_launched_with(slurm_one, 2));
    CHECK(is_launched_with(slurm, 2));
    CHECK(!is_launched_with(none, 2));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_rank_without_bodies_shortens_steps_as_the_others_do),
        CASE(steps_before_one_that_fails_late_count_and_it_is_told),
        CASE(of_two_failures_the_same_is_told_on_any_number_of_ranks),
        CASE(a_touching_body_that_is_moved_far_away_loses_its_contacts),
        CASE(a_world_steps_by_itself_again_after_ranks_are_closed),
        CASE(a_snapshot_of_the_same_step_is_heard_of),
        CASE(a_rank_without_memory_lets_none_try_a_shorter_step),
        CASE(a_host_without_memory_keeps_its_world),
        CASE(each_failure_has_its_own_message),
        CASE(a_world_that_is_half_gathered_is_said_to_be_lost),
        CASE(one_task_of_a_launcher_needs_no_mpi),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
