/*  Force functions of the host on ranks, which are threads here. Only the world of rank 0 has the function, which sees all
    bodies in the rows of its world, and adds several forces to a body; states have the same bits as on one process. */
#include "ranks_bed.h"

#include <stdatomic.h>

/*  At which call of it the function fails; 0: never. */
static _Atomic uint64_t asked, fails_at, has_wrong_row;

/*  Bodies attract each other in the order of their global ids, the first is pushed twice, all are turned: a function of
    the state of all bodies, of time, and of the forces of contacts. */
static scree_status attract(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                            void *user)
{
    const double strength = *(const double *)user;
    const uint64_t call = atomic_fetch_add(&asked, 1) + 1;
    const double push[3] = {1e-3, 0, 0};
    uint64_t serials = 0;

    for (size_t row = 0; row < bodies->count; row++)
        serials += scree_uint64_at(bodies->serial, row);
    for (size_t row = 0; row < bodies->count; row++) {
        const double *x = scree_row_at(bodies->position, row);
        const double *v = scree_row_at(bodies->velocity, row);
        const double *w = scree_row_at(bodies->spin, row);
        const double *f = scree_row_at(bodies->force, row);
        double force[3], torque[3];
        for (int k = 0; k < 3; k++) {
            force[k] = -strength * x[k] * (1 + sin(1000 * time)) - 1e-3 * v[k] + 1e-2 * f[k] +
                       1e-9 * (double)serials;
            torque[k] = -1e-8 * w[k];
        }
        if (scree_force_sink_add_row(sink, row, force, torque))
            return SCREE_OK;
        if (scree_uint64_at(bodies->serial, row) % 7 == 1)
            scree_force_sink_add(sink, scree_body_id_at(bodies->id, row), push, NULL);
    }
    if (call == has_wrong_row)
        scree_force_sink_add_row(sink, bodies->count, push, NULL);
    return call == fails_at ? SCREE_BAD_VALUE : SCREE_OK;
}

/*  The function comes, changes, and goes. */
static void set_force(scree_world *world, int call)
{
    static double weak = 0.5, strong = 3;

    if (call == 0)
        atomic_store(&asked, 0);
    if (call < 5)
        scree_world_set_force(world, call < 1 ? NULL : attract, call < 3 ? &weak : &strong);
    else
        scree_world_set_force(world, NULL, NULL);
}

TEST(force_functions_of_the_host_are_the_same)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = {.bodies = 300,
                        .ratio = 4,
                        .threads = 1,
                        .is_periodic = true,
                        .damping = 0.1,
                        .has_balance = true,
                        .has_fluid = true,
                        .void_cell = 0.01},
                 .host = set_force};
    run shapes = {.of = {.bodies = 60,
                         .ratio = 2,
                         .threads = 2,
                         .is_automatic = true,
                         .sleeps = true,
                         .leaves = true,
                         .lists_events = true,
                         .shapes = BED_ALL},
                  .host = set_force};
    run few = {.of = {.bodies = 3, .ratio = 1, .threads = 1}, .host = set_force};

    set_calls(&alone, 6, TEST_EFFORT(100, 400));
    for (int k = 0; k < 4; k++)
        compare(&alone, ranks[k], 1);
    set_calls(&shapes, 6, TEST_EFFORT(60, 400));
    compare(&shapes, 3, 1);
    set_calls(&few, 6, 20);
    compare(&few, 7, 1);
}

/*  In the second call, after some steps of it. */
static void compare_failures(const char *word)
{
    run alone = {.of = {.bodies = 200, .ratio = 3, .threads = 1}, .host = set_force, .calls = 3};

    for (int k = 0; k < 3; k++)
        alone.steps[k] = 30;
    run_alone(&alone);
    CHECK(alone.status != SCREE_OK);
    CHECK(strstr(alone.error.text, word) != NULL);
    for (uint32_t ranks = 1; ranks <= 7; ranks += 3) {
        const run all = run_on(&alone, ranks, 1);
        CHECK_EQUAL(all.status, alone.status);
        CHECK_TEXT(all.error.text, alone.error.text);
        CHECK_EQUAL(all.taken, alone.taken);
        CHECK_EQUAL(all.digest[1], alone.digest[1]);
    }
}

TEST(a_function_that_fails_refuses_the_step_as_on_one_process)
{
    fails_at = 10;
    compare_failures("the host's force function: bad value");
    fails_at = 0;
    has_wrong_row = 10;
    compare_failures("row 200 does not exist");
    has_wrong_row = 0;
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(force_functions_of_the_host_are_the_same),
        CASE(a_function_that_fails_refuses_the_step_as_on_one_process),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
