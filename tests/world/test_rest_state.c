/*  Rest as state: snapshots, copies, files and bodies of all shapes; what is refused; and what fails when memory does. */
#include "harness/rest_maker.h"
#include "scree/cell.h"

#include "harness/failing_allocator.h"
#include "scree/checkpoint.h"
#include "world/motion/sleep.h"

#include <unistd.h>

#define HALF 9000

/*  From the middle on by a snapshot in the same world, by a copy and by a file: some rest then. */
TEST(what_rests_continues)
{
    rest_bin bin = rest_bin_of(5, 4);
    scree_world *world = rest_bin_open(&bin), *copy, *read;
    scree_world_def def = scree_default_world_def();
    scree_snapshot *snapshot;
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    char path[64];

    step(world, HALF);
    scree_sleep_counts before = scree_world_sleep_counts(world);
    CHECK(before.asleep > 5 && before.skipped > 0);
    uint64_t middle = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    def.compute.thread_count = 2;
    def.detection.method = "bvh8";
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    snprintf(path, sizeof path, "/tmp/scree-rest-%ld.scree", (long)getpid());
    if (scree_checkpoint_write(world, path, NULL, 0, &error) ||
        scree_checkpoint_read(path, NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, &def, &read, &error))
        FAIL("%s", error.text);
    scree_checkpoint_destroy(checkpoint);
    remove(path);
    CHECK_EQUAL(scree_world_digest(copy), middle);
    CHECK_EQUAL(scree_world_digest(read), middle);
    CHECK_EQUAL(scree_world_sleep_counts(read).asleep, before.asleep);
    rest_hit(world, &bin);
    rest_hit(copy, &bin);
    rest_hit(read, &bin);
    step(world, HALF);
    step(copy, HALF);
    step(read, HALF);
    uint64_t end = scree_world_digest(world);
    CHECK_EQUAL(scree_world_digest(copy), end);
    CHECK_EQUAL(scree_world_digest(read), end);
    CHECK(scree_world_sleep_counts(read).skipped > 0);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(world), middle);
    rest_hit(world, &bin);
    step(world, HALF);
    CHECK_EQUAL(scree_world_digest(world), end);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    scree_world_destroy(read);
}

/*  A world without rest takes the snapshot of one that has it, and the other way round. */
TEST(rest_comes_and_goes_with_snapshots)
{
    rest_bin bin = rest_bin_of(3, 2);
    scree_world *with = rest_bin_open(&bin), *without;
    scree_snapshot *asleep, *awake;

    bin.has_no_rest = true;
    without = rest_bin_open(&bin);
    step(with, 4000);
    step(without, 4000);
    CHECK_EQUAL(scree_world_snapshot(with, &asleep), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(without, &awake), SCREE_OK);
    uint64_t one = scree_world_digest(with), other = scree_world_digest(without);
    CHECK(one != other);
    CHECK_EQUAL(scree_world_restore(without, asleep), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(with, awake), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(without), one);
    CHECK_EQUAL(scree_world_digest(with), other);
    step(with, 500);
    CHECK_EQUAL(scree_world_sleep_counts(with).asleep, 0);
    step(without, 500);
    CHECK_EQUAL(scree_world_restore(with, asleep), SCREE_OK);
    step(with, 500);
    CHECK_EQUAL(scree_world_digest(with), scree_world_digest(without));
    scree_snapshot_destroy(asleep);
    scree_snapshot_destroy(awake);
    scree_world_destroy(with);
    scree_world_destroy(without);
}

/*  All bodies are awake when the rule is set again, and go on as others do when it is taken away. */
TEST(the_rule_can_be_taken_away)
{
    rest_bin bin = rest_bin_of(3, 3);
    scree_world *world = rest_bin_open(&bin);

    step(world, 8000);
    CHECK(scree_world_sleep_counts(world).asleep > 5);
    rest_turn_on(world, false);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 0);
    step(world, 200);
    CHECK(scree_world_sleep_counts(world).asleep > 5);
    CHECK_EQUAL(scree_world_set_sleep(world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 0);
    step(world, 200);
    CHECK_EQUAL(scree_world_sleep_counts(world).fell_asleep, 0);
    scree_world_destroy(world);
}

static void check_refused(scree_world *world, const scree_sleep_def *def, scree_status status,
                          const char *why)
{
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_set_sleep(world, def), status);
    CHECK_SAYS(scree_world_message(world), why);
    CHECK_EQUAL(scree_world_digest(world), before);
}

TEST(what_cannot_be_is_refused)
{
    scree_world_def plain = scree_default_world_def();
    plain.step.dt = REST_DT;
    scree_world_def other = plain;
    const scree_sleep_def empty = {0};
    scree_sleep_def def = scree_default_sleep_def();
    scree_world *world = make_world(&plain, NULL);

    check_refused(world, &empty, SCREE_BAD_DEF, "scree_default_sleep_def");
    check_refused(world, &def, SCREE_BAD_VALUE, "speed is 0, must be above 0");
    def.speed = NAN;
    check_refused(world, &def, SCREE_BAD_VALUE, "speed is nan");
    def.speed = 1e-3;
    def.acceleration = -1;
    check_refused(world, &def, SCREE_BAD_VALUE, "acceleration is -1");
    def.acceleration = 0;
    def.steps = 0;
    check_refused(world, &def, SCREE_BAD_VALUE, "steps is 0");
    def.steps = 1;
    CHECK_EQUAL(scree_world_set_sleep(world, &def), SCREE_OK);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_MASS_SCALING, REST_DT), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_sleep(NULL, &def), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_sleep_counts(NULL).fell_asleep, 0);
    CHECK(!scree_world_is_asleep(world, (scree_body_id){1, 1}));
    CHECK(!scree_world_is_asleep(NULL, (scree_body_id){1, 1}));
    scree_world_destroy(world);
    for (int k = 0; k < 3; k++) {
        other = plain;
        other.step.integrator = k == 0 ? SCREE_IMPLICIT_EULER : plain.step.integrator;
        other.step.mode = k == 1 ? SCREE_TIME_MASS_SCALING : plain.step.mode;
        other.step.local_steps = k == 2 ? 3 : 0;
        world = make_world(&other, NULL);
        check_refused(world, &def, SCREE_BAD_ARGUMENT, "explicit steps");
        scree_world_destroy(world);
    }
}

TEST(rows_that_cannot_be_are_known)
{
    const scree_sleep_rule rule = {1e-3, 0, 10};
    scree_sleep_rule wrong = rule;
    double row[SCREE_SLEEP_VALUES] = {11};

    CHECK(scree_sleep_rule_is_sound(&rule) && scree_sleep_row_is_sound(&rule, row));
    row[0] = 12;
    CHECK(!scree_sleep_row_is_sound(&rule, row));
    row[0] = 0.5;
    CHECK(!scree_sleep_row_is_sound(&rule, row));
    row[0] = 1;
    row[7] = NAN;
    CHECK(!scree_sleep_row_is_sound(&rule, row));
    wrong.speed = 0;
    CHECK(!scree_sleep_rule_is_sound(&wrong));
    wrong = rule;
    wrong.steps = 0;
    CHECK(!scree_sleep_rule_is_sound(&wrong));
}

/*  Whatever allocation fails, the rule is on or off, and the next try continues as if nothing had been. */
TEST(memory_that_fails_changes_nothing)
{
    rest_bin bin = rest_bin_of(2, 2);
    scree_world *plain = rest_bin_open(&bin);

    step(plain, 60);
    const uint64_t expected = scree_world_digest(plain);
    scree_world_destroy(plain);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        rest_bin other = bin;
        scree_sleep_def def = scree_default_sleep_def();
        other.has_no_rest = true;
        other.def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = rest_bin_open(&other);
        def.speed = 2e-3;
        def.acceleration = 1;
        def.steps = 40;
        memory.fail_at = atomic_load(&memory.requests) + k;
        uint64_t before = scree_world_digest(world);
        if (scree_world_set_sleep(world, &def)) {
            CHECK_EQUAL(scree_world_digest(world), before);
            CHECK_EQUAL(scree_world_set_sleep(world, &def), SCREE_OK);
        }
        for (int tries = 0; tries < 2 && scree_world_clock(world).steps < 60; tries++)
            (void)scree_world_step(world, 60 - scree_world_clock(world).steps);
        bool is_over = atomic_load(&memory.requests) < memory.fail_at;
        CHECK_EQUAL(scree_world_clock(world).steps, 60);
        CHECK_EQUAL(scree_world_digest(world), expected);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (is_over)
            break;
    }
}

/*  Bodies at rest that are outside all at once, as the domain is another, wrap around. */
TEST(a_domain_that_is_moved_takes_sleeping_bodies_along)
{
    uint64_t digest[2][5];

    for (int computes_all = 0; computes_all < 2; computes_all++) {
        rest_bin bin = rest_bin_of(5, 3);
        scree_cell_def cell;
        bin.is_periodic = true;
        bin.computes_all = computes_all;
        scree_world *world = rest_bin_open(&bin);
        step(world, 6000);
        CHECK(scree_world_sleep_counts(world).asleep > 50);
        scree_world_get_cell(world, &cell);
        cell.lower[1] += 0.02;
        cell.upper[1] += 0.02;
        CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
        for (int k = 0; k < 5; k++) {
            step(world, 1);
            digest[computes_all][k] = scree_world_digest(world);
        }
        scree_world_destroy(world);
    }
    for (int k = 0; k < 5; k++)
        CHECK(digest[0][k] == digest[1][k]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(what_rests_continues),
        CASE(rest_comes_and_goes_with_snapshots),
        CASE(the_rule_can_be_taken_away),
        CASE(what_cannot_be_is_refused),
        CASE(rows_that_cannot_be_are_known),
        CASE(a_domain_that_is_moved_takes_sleeping_bodies_along),
        CASE(memory_that_fails_changes_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
