/*  Steps up to a time: where it ends, and that all kinds of steps can be shortened. */
#include "scree/body.h"
#include "sound_world.h"

/*  A floor and two bodies, in a world of this kind. */
static scree_world *make(scree_integrator integrator, scree_time_mode time, double dt)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def ball = scree_default_body_def();

    def.step.integrator = integrator;
    def.step.mode = time;
    def.step.dt = dt;
    material.young = 1e6;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    floor.material = ball.material;
    memcpy(floor.normal, (const double[3]){0, 1, 0}, sizeof floor.normal);
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        ball.shape = scree_shape_sphere(0.01);
        memcpy(ball.position, (const double[3]){0.001 * k, 0.0101 + 0.0202 * k, 0},
               sizeof ball.position);
        CHECK_EQUAL(scree_world_add_bodies(world, &ball, 1, NULL), SCREE_OK);
    }
    return world;
}

static void go(scree_world *world, double seconds)
{
    if (scree_world_advance(world, seconds))
        FAIL("%s", scree_world_message(world));
}

TEST(time_ends_where_it_should)
{
    static const struct
    {
        scree_integrator integrator;
        scree_time_mode time;
        double dt;
    } kinds[] = {
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, 0},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, 3e-5},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_MASS_SCALING, 1e-5},
        {SCREE_IMPLICIT_EULER, SCREE_TIME_FIXED, 1e-5},
    };
    static const double portions[] = {1e-3, 1.23e-5, 7e-6, 3.3333e-4, 1.5e-5, 0, 2.5e-3};

    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        scree_world *world = make(kinds[k].integrator, kinds[k].time, kinds[k].dt);
        double end = 0, dt;
        for (size_t j = 0; j < COUNT_OF(portions); j++) {
            double now = scree_world_clock(world).time;
            go(world, portions[j]);
            end = now + portions[j];
            if (fabs(scree_world_clock(world).time - end) > 1e-15)
                FAIL("kind %zu, portion %zu: %.17g, not %.17g", k, j, scree_world_clock(world).time,
                     end);
        }
        /* the world's own step is what it was */
        scree_time_mode mode;
        CHECK_EQUAL(scree_world_get_dt(world, &mode, &dt), SCREE_OK);
        CHECK_EQUAL(mode, kinds[k].time);
        CHECK_NEAR(dt, kinds[k].dt, 0);
        scree_world_destroy(world);
    }
}

TEST(whole_steps_are_those_of_step)
{
    scree_world *one = make(SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5);
    scree_world *two = make(SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5);

    go(one, 0.03);
    advance(two, 3000);
    CHECK_EQUAL(scree_world_digest(one), scree_world_digest(two));
    scree_world_destroy(one);
    scree_world_destroy(two);
}

/*  2.5 steps are three, the last two of 0.75 each; less than one step is one. */
TEST(no_slivers)
{
    scree_world *world = make(SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5);

    go(world, 2.5e-5);
    CHECK_EQUAL(scree_world_clock(world).steps, 3);
    CHECK_NEAR(scree_world_clock(world).dt, 0.75e-5, 1e-18);
    go(world, 4e-6);
    CHECK_EQUAL(scree_world_clock(world).steps, 4);
    /* automatic steps are as many as without an end, and one or two more */
    scree_world *free = make(SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, 0);
    scree_world *bound = make(SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, 0);
    while (scree_world_clock(free).time < 0.02)
        advance(free, 1);
    go(bound, 0.02);
    CHECK(scree_world_clock(bound).steps <= scree_world_clock(free).steps + 2);
    CHECK(scree_world_clock(bound).steps >= scree_world_clock(free).steps);
    scree_world_destroy(free);
    scree_world_destroy(bound);
    scree_world_destroy(world);
}

/*  Steps of any lengths give free fall exactly: the motion is that of the shortened steps, not of others. */
TEST(shortened_steps_are_right)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_world *world = open_world(&def);
    scree_body_id id;
    double place[3], speed[3], passed = 0;

    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    ball.shape = scree_shape_sphere(0.01);
    ball.velocity[0] = 2;
    CHECK_EQUAL(scree_world_add_bodies(world, &ball, 1, &id), SCREE_OK);
    for (int k = 1; k <= 20; k++) {
        go(world, k * 1.37e-6);
        passed += k * 1.37e-6;
    }
    CHECK_EQUAL(scree_body_get_position(world, id, place), SCREE_OK);
    CHECK_EQUAL(scree_body_get_velocity(world, id, speed), SCREE_OK);
    CHECK_NEAR(place[0], 2 * passed, 1e-16);
    CHECK_NEAR(speed[1], def.gravity[1] * passed, 1e-16);
    CHECK_NEAR(place[1], def.gravity[1] * passed * passed / 2, 1e-16);
    scree_world_destroy(world);
}

TEST(local_steps_end_there_too)
{
    scree_world_def def = sound_world();
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_world *local;

    def.step.local_steps = 3;
    def.step.dt = 8e-5;
    CHECK_EQUAL(scree_world_copy(world, &def, &local), SCREE_OK);
    for (int k = 1; k < 8; k++)
        go(local, k * 1.1e-5);
    CHECK_NEAR(scree_world_clock(local).time, 28 * 1.1e-5, 1e-15);
    scree_world_destroy(world);
    scree_world_destroy(local);
}

TEST(what_is_no_time_is_refused)
{
    scree_world *world = make(SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5);
    uint64_t digest = scree_world_digest(world);

    CHECK_EQUAL(scree_world_advance(world, -1e-9), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "advance");
    CHECK_EQUAL(scree_world_advance(world, NAN), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_advance(world, INFINITY), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_advance(world, 0), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(world), digest);
    /* a second counted in portions below its last digit does not go on for ever */
    go(world, 1);
    go(world, 1e-18);
    CHECK_EQUAL(scree_world_advance(NULL, 1), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

static scree_status stop_it(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                            void *user)
{
    (void)sink, (void)bodies, (void)user;
    return time > 1.5e-4 ? SCREE_BAD_VALUE : SCREE_OK;
}

/*  The world's own step comes back also where a shortened one is refused. */
TEST(a_refused_step_ends_it)
{
    scree_world *world = make(SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5);
    double dt;

    scree_world_set_force(world, stop_it, NULL);
    CHECK(scree_world_advance(world, 1.54e-4) != SCREE_OK);
    CHECK(scree_world_clock(world).time <= 1.5e-4);
    scree_world_get_dt(world, NULL, &dt);
    CHECK_NEAR(dt, 1e-5, 0);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(time_ends_where_it_should),
        CASE(whole_steps_are_those_of_step),
        CASE(no_slivers),
        CASE(shortened_steps_are_right),
        CASE(local_steps_end_there_too),
        CASE(what_is_no_time_is_refused),
        CASE(a_refused_step_ends_it),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
