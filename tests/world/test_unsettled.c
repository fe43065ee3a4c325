/*  Which bodies are named where an implicit step does not settle: each body is off by what it would be off alone, the worst come
    first, and the list is of the last step alone. */
#include "harness/world_maker.h"

#include <math.h>
#include <string.h>

#define BALLS 12u

/*  How deep the step takes it into the floor; of two it is the same. */
static double speed_of(uint32_t k)
{
    return 7 + 0.4 * (k == 9 ? 5 * 2 % BALLS : 5 * k % BALLS);
}

static scree_world_def crash_def(double dt, uint32_t halvings)
{
    scree_world_def def = scree_default_world_def();

    def.step.integrator = SCREE_IMPLICIT_EULER;
    def.step.dt = dt;
    def.step.picard.tolerance = 1e-6;
    def.step.picard.iterations = 2;
    def.step.picard.halvings = halvings;
    return def;
}

static scree_world *make_floor(const scree_world_def *def)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def wall = scree_default_wall_def();

    material.stiffness = 1e5;
    scree_world *world = make_world(def, &material);
    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    wall.material.index1 = 1;
    wall.normal[2] = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    return world;
}

static scree_body_id drop(scree_world *world, uint32_t k)
{
    scree_body_def made = ball(1e-3, 5e-3 * k, 0, 1.2e-3);

    made.velocity[2] = -speed_of(k);
    return add(world, &made);
}

/*  The first to be added is gone, so that places in memory are not in the order of serials; one never touches. */
static scree_world *make_bed(const scree_world_def *def, scree_body_id id[BALLS])
{
    scree_world *world = make_floor(def);
    scree_body_def aloft = ball(1e-3, -5e-3, 0, 1);
    scree_body_id gone = add(world, &aloft);

    for (uint32_t k = 0; k < BALLS; k++)
        id[k] = drop(world, k);
    aloft.position[0] = -1e-2;
    add(world, &aloft);
    CHECK_EQUAL(scree_world_remove_bodies(world, &gone, 1), SCREE_OK);
    return world;
}

static double times_alone(const scree_world_def *def, uint32_t k)
{
    scree_unconverged one = {{0, 0}, 0};
    scree_world *world = make_floor(def);

    drop(world, k);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_unconverged(world, &one, 1), 1);
    scree_world_destroy(world);
    return one.residual;
}

/*  The slow reference: all by themselves, then the worst of those that are left. */
static void rank_alone(const scree_world_def *def, const scree_body_id id[BALLS],
                       scree_unconverged ranked[BALLS])
{
    bool taken[BALLS] = {false};
    double times[BALLS];

    for (uint32_t k = 0; k < BALLS; k++)
        times[k] = times_alone(def, k);
    for (uint32_t n = 0; n < BALLS; n++) {
        uint32_t worst = BALLS;
        for (uint32_t k = 0; k < BALLS; k++)
            if (!taken[k] && (worst == BALLS || times[k] > times[worst]))
                worst = k;
        taken[worst] = true;
        ranked[n] = (scree_unconverged){id[worst], times[worst]};
    }
}

static void check_list(const scree_world *world, const scree_unconverged *ranked)
{
    scree_unconverged list[SCREE_MAX_UNCONVERGED];

    CHECK_EQUAL(scree_world_unconverged(world, list, SCREE_MAX_UNCONVERGED), SCREE_MAX_UNCONVERGED);
    for (uint32_t n = 0; n < SCREE_MAX_UNCONVERGED; n++) {
        CHECK_EQUAL(list[n].id.index1, ranked[n].id.index1);
        CHECK_EQUAL(list[n].id.generation, ranked[n].id.generation);
        CHECK(list[n].residual == ranked[n].residual);
        CHECK(list[n].residual > 1);
    }
}

TEST(the_worst_are_named_first)
{
    scree_unconverged ranked[BALLS];
    uint32_t ties = 0;

    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        scree_world_def def = crash_def(5e-5, 0);
        scree_body_id id[BALLS];
        def.compute.thread_count = threads;
        scree_world *world = make_bed(&def, id);
        rank_alone(&def, id, ranked);
        for (uint32_t n = 1; n < SCREE_MAX_UNCONVERGED; n++)
            ties += ranked[n].residual == ranked[n - 1].residual;
        CHECK_EQUAL(scree_world_unconverged(world, NULL, 0), 0);
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
        check_list(world, ranked);
        scree_world_destroy(world);
    }
    CHECK(ties > 0);
}

TEST(the_message_names_three_and_counts_the_rest)
{
    scree_world_def def = crash_def(5e-5, 0);
    scree_unconverged list[3];
    scree_body_id id[BALLS];
    scree_world *world = make_bed(&def, id);
    char expected[200];

    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_unconverged(world, list, 3), SCREE_MAX_UNCONVERGED);
    /* none was removed but the first, so serials are places in the order of adding */
    snprintf(expected, sizeof expected,
             "body %u is off by %.3g times what picard.tolerance allows, body %u by %.3g, "
             "body %u by %.3g, and %u more are",
             list[0].id.index1, list[0].residual, list[1].id.index1, list[1].residual,
             list[2].id.index1, list[2].residual, BALLS - 3);
    CHECK_SAYS(scree_world_message(world), "not settled after 2 guesses");
    CHECK_SAYS(scree_world_message(world), expected);
    puts(scree_world_message(world));
    scree_world_destroy(world);
}

/*  A step that was halved is judged where it was given up. */
TEST(the_last_try_counts)
{
    scree_world_def halved = crash_def(1e-4, 1), def = crash_def(5e-5, 0);
    scree_body_id id[BALLS];
    scree_unconverged ranked[BALLS];

    halved.overlap_limit = INFINITY;
    scree_world *world = make_bed(&halved, id);
    rank_alone(&def, id, ranked);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    check_list(world, ranked);
    scree_world_destroy(world);
}

static scree_status refuse(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                           void *user)
{
    (void)sink, (void)bodies, (void)time, (void)user;
    return SCREE_BAD_VALUE;
}

TEST(no_body_is_named_for_another_reason)
{
    scree_world_def def = crash_def(5e-5, 0);
    scree_body_id id[BALLS];
    scree_unconverged untouched = {{7, 7}, 7};
    scree_world *world = make_bed(&def, id);
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK(scree_world_digest(world) == before);
    scree_world_set_force(world, refuse, NULL);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_unconverged(world, &untouched, 1), 0);
    scree_world_set_force(world, NULL, NULL);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_unconverged(world, NULL, 100), SCREE_MAX_UNCONVERGED);
    /* and not where the step is taken, with those that crash out of the way */
    CHECK_EQUAL(scree_world_remove_bodies(world, id, BALLS), SCREE_OK);
    step(world, 1);
    CHECK_EQUAL(scree_world_unconverged(world, &untouched, 1), 0);
    CHECK_EQUAL(untouched.id.index1, 7);
    CHECK_EQUAL(scree_world_unconverged(NULL, &untouched, 1), 0);
    scree_world_destroy(world);
}

/*  One that settles when it is halved has no body to name. */
TEST(no_body_is_named_where_a_shorter_step_settles)
{
    scree_world_def def = crash_def(1e-4, 40);

    def.step.picard.tolerance = 0.01;
    def.step.picard.iterations = 4;
    def.overlap_limit = INFINITY;
    scree_world *world = make_floor(&def);
    drop(world, 0);
    step(world, 1);
    CHECK(scree_world_clock(world).dt < def.step.dt);
    CHECK_EQUAL(scree_world_unconverged(world, NULL, 0), 0);
    scree_world_destroy(world);
}

/*  How deep a guess goes tells nothing of where the step would have ended. */
TEST(what_a_guess_does_is_said_of_a_guess)
{
    scree_world_def def = crash_def(5e-3, 0);
    scree_world *world = make_floor(&def);
    scree_body_def made = ball(5e-3, 0, 0, 6e-3);

    made.velocity[2] = -1;
    add(world, &made);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world),
               "world: step 1: forces have not settled in a step of 0.005 s: at guess 1 body 1 "
               "overlaps wall 1 by 0.8 of its radius, the limit is 0.5");
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_worst_are_named_first),
        CASE(the_message_names_three_and_counts_the_rest),
        CASE(the_last_try_counts),
        CASE(no_body_is_named_for_another_reason),
        CASE(what_a_guess_does_is_said_of_a_guess),
        CASE(no_body_is_named_where_a_shorter_step_settles),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
