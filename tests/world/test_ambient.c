/*  The fluid and force fields: closed forms of single bodies, void fractions, sleep, the energy balance, and the time
    step. */
#include "pond_maker.h"

/* ---- single bodies ---- */

TEST(a_ball_sinks_at_the_speed_of_stokes)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();
    scree_body_id id = add_ball(&p, 1e-3, 0, 0, 0);
    double speed = (2500 - 900) * GRAVITY * 4e-6 / 18 / 0.1;

    set_fluid(&p, &fluid);
    step(&p, 2000);
    CHECK(fabs(body_of(&p, id).velocity[2] + speed) < 1e-9 * speed);
    scree_world_destroy(p.world);
}

TEST(wind_takes_a_ball_along_and_turns_it)
{
    scree_world_def def = pond_def(1e-4);
    scree_fluid_def fluid = oil();
    scree_body body;

    def.gravity[2] = 0;
    pond p = open_pond(&def);
    scree_body_id id = add_ball(&p, 1e-3, 0, 0, 0);
    fluid.velocity[0] = "0.5";
    fluid.velocity[1] = "if(t < 100, -0.25, 7)";
    fluid.angular_velocity[2] = "3";
    fluid.has_rotational_drag = true;
    set_fluid(&p, &fluid);
    step(&p, 3000);
    body = body_of(&p, id);
    CHECK(fabs(body.velocity[0] - 0.5) < 1e-9);
    CHECK(fabs(body.velocity[1] + 0.25) < 1e-9);
    CHECK(fabs(body.spin[2] - 3) < 1e-9);
    scree_world_destroy(p.world);
}

/*  A ball of half the density floats with half of its volume above the surface, at any depth of the box. */
TEST(a_ball_floats_at_the_surface)
{
    scree_world_def def = pond_def(2e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();
    scree_body_id id = add_ball(&p, 0.01, 0, 0, 0.02);

    fluid.density = 5000;
    fluid.viscosity = 5;
    fluid.upper[2] = 0.03;
    set_fluid(&p, &fluid);
    step(&p, 20000);
    CHECK(fabs(body_of(&p, id).position[2] - 0.03) < 1e-7);
    scree_world_destroy(p.world);
}

TEST(a_pressure_gradient_pushes)
{
    scree_world_def def = pond_def(1e-3);
    pond p = open_pond(&def);
    scree_fluid_def fluid = scree_default_fluid_def();
    scree_body_id id = add_ball(&p, 0.01, 0, 0, 0);

    fluid.drag = SCREE_DRAG_NONE;
    fluid.pressure_gradient[2] = "-2500 * 9.81";
    set_fluid(&p, &fluid);
    step(&p, 100);
    CHECK(fabs(body_of(&p, id).velocity[2]) < 1e-12);
    scree_world_destroy(p.world);
}

/*  A clump of one pebble is a sphere of the same volume. */
TEST(other_bodies_count_as_spheres_of_their_volume)
{
    const scree_pebble pebble = {{0, 0, 0}, 1e-3};
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();
    scree_clump_def clump_def = scree_default_clump_def();
    scree_clump *clump;
    scree_body_def body = scree_default_body_def();
    scree_body_id ball = add_ball(&p, 1e-3, 0.1, 0, 0), id;

    clump_def.pebbles = &pebble;
    clump_def.pebble_count = 1;
    CHECK_EQUAL(scree_clump_create(&clump_def, &clump), SCREE_OK);
    body.shape = scree_shape_clump(clump);
    body.material = p.material;
    CHECK_EQUAL(scree_world_add_body(p.world, &body, &id), SCREE_OK);
    set_fluid(&p, &fluid);
    step(&p, 2000);
    CHECK(fabs(body_of(&p, id).velocity[2] / body_of(&p, ball).velocity[2] - 1) < 1e-9);
    scree_world_destroy(p.world);
    scree_clump_destroy(clump);
}

/*  Trilinear interpolation is exact for a flow that is linear along each axis; beyond the grid it stays the same. */
TEST(a_flow_on_a_grid)
{
    static const double places[][3] = {{0.1, 0.2, 0.3}, {1.9, 0.4, 2.7}, {-5, 0.5, 9}, {2, 1, 3}};
    scree_world_def def = pond_def(1e-6);
    scree_fluid_def fluid = oil(), read;
    double nodes[12][3];
    scree_flow_grid flow = {{3, 2, 2}, {0, 0, 0}, {1, 1, 3}, (const double(*)[3])nodes};
    scree_snapshot *snapshot;
    scree_body_id id[4];

    for (int n = 0; n < 12; n++) {
        double x = n % 3, y = n / 3 % 2, z = 3 * (n / 6);
        nodes[n][0] = x * y + z;
        nodes[n][1] = 1;
        nodes[n][2] = x * y * z;
    }
    def.gravity[2] = 0;
    pond p = open_pond(&def);
    for (int k = 0; k < 4; k++)
        id[k] = add_ball(&p, 1e-3, places[k][0], places[k][1], places[k][2]);
    fluid.flow = &flow;
    fluid.velocity[1] = "0.5";
    set_fluid(&p, &fluid);
    memset(nodes, 0, sizeof nodes);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_set_fluid(p.world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(p.world, snapshot), SCREE_OK);
    scree_snapshot_destroy(snapshot);
    CHECK(scree_world_get_fluid(p.world, &read));
    CHECK(read.flow && read.flow->count[0] == 3 && read.flow->velocity[11][2] == 6);
    step(&p, 1);
    for (uint32_t k = 0; k < 4; k++) {
        const scree_body body = body_of(&p, id[k]);
        const double *at = places[k], *force = body.force;
        double x = at[0] < 0 ? 0 : at[0], z = at[2] > 3 ? 3 : at[2], drag = 3 * PI * 0.1 * 2e-3;
        CHECK(fabs(force[0] / drag - (x * at[1] + z)) < 1e-2);
        CHECK(fabs(force[1] / drag - 1.5) < 1e-2);
        CHECK(fabs(force[2] / drag - x * at[1] * z) < 1e-2);
    }
    flow.spacing[1] = 0;
    CHECK_EQUAL(scree_world_set_fluid(p.world, &fluid), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "flow: spacing is 0, must be above 0");
    flow.spacing[1] = 1;
    flow.count[2] = 0;
    CHECK_EQUAL(scree_world_set_fluid(p.world, &fluid), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "count is 3 x 2 x 0 nodes");
    flow.count[2] = 2;
    nodes[7][1] = INFINITY;
    CHECK_EQUAL(scree_world_set_fluid(p.world, &fluid), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "the velocity of node 7 is (0, inf, 0)");
    CHECK(scree_world_get_fluid(p.world, NULL));
    scree_world_destroy(p.world);
}

/* ---- force fields ---- */

TEST(fields_add_up_within_their_boxes)
{
    scree_world_def def = pond_def(1e-3);
    scree_force_field_def one = scree_default_force_field_def(),
                          other = scree_default_force_field_def(), read;

    def.gravity[2] = 0;
    pond p = open_pond(&def);
    scree_body_id id = add_ball(&p, 0.01, 0, 0, 0), far = add_ball(&p, 0.01, 5, 0, 0);
    double mass = body_of(&p, id).mass;
    one.acceleration[0] = "2";
    other.force[0] = "3 * mass + 0 * radius";
    other.upper[0] = 2;
    CHECK_EQUAL(scree_world_add_force_field(p.world, &one), SCREE_OK);
    CHECK_EQUAL(scree_world_add_force_field(p.world, &other), SCREE_OK);
    CHECK_EQUAL(scree_world_force_field_count(p.world), 2);
    CHECK_EQUAL(scree_world_get_force_field(p.world, 1, &read), SCREE_OK);
    CHECK(strcmp(read.force[0], other.force[0]) == 0 && !read.acceleration[0]);
    step(&p, 1);
    CHECK(fabs(body_of(&p, id).force[0] - 5 * mass) < 1e-12 * mass);
    CHECK(fabs(body_of(&p, far).force[0] - 2 * mass) < 1e-12 * mass);
    scree_world_clear_force_fields(p.world);
    CHECK_EQUAL(scree_world_force_field_count(p.world), 0);
    step(&p, 1);
    CHECK(body_of(&p, id).force[0] == 0);
    scree_world_destroy(p.world);
}

TEST(groups_choose_bodies)
{
    scree_world_def def = pond_def(1e-3);
    scree_force_field_def field = scree_default_force_field_def();

    def.gravity[2] = 0;
    pond p = open_pond(&def);
    scree_body_id id = add_ball(&p, 0.01, 0, 0, 0);
    scree_fluid_def fluid = oil();
    field.acceleration[0] = "1";
    field.groups = 2;
    fluid.velocity[1] = "1";
    fluid.groups = 4;
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
    set_fluid(&p, &fluid);
    step(&p, 10);
    CHECK(body_of(&p, id).velocity[0] == 0 && body_of(&p, id).velocity[1] == 0);
    scree_world_destroy(p.world);
}

/* ---- void fractions ---- */

static void add_lattice(const pond *p, int n, double spacing, double radius)
{
    for (int k = 0; k < n * n * n; k++)
        add_ball(p, radius, (k % n + 0.5) * spacing, (k / n % n + 0.5) * spacing,
                 (k / n / n + 0.5) * spacing);
}

/*  In a periodic lattice the void fraction is the same everywhere, so the law of Ergun gives the force of each. */
TEST(the_void_fraction_of_a_lattice)
{
    const double spacing = 0.0125, radius = 0.005, viscosity = 1e-3, density = 1000, speed = 0.01;
    scree_world_def def = pond_def(1e-4);
    scree_fluid_def fluid = scree_default_fluid_def();

    def.gravity[2] = 0;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 8 * spacing;
    }
    pond p = open_pond(&def);
    add_lattice(&p, 8, spacing, radius);
    fluid.drag = SCREE_DRAG_GIDASPOW;
    fluid.density = density;
    fluid.viscosity = viscosity;
    fluid.velocity[0] = "0.01";
    fluid.cell = 2 * spacing;
    set_fluid(&p, &fluid);
    step(&p, 1);
    double volume = 4.0 / 3 * PI * radius * radius * radius, d = 2 * radius;
    double e = 1 - volume / (spacing * spacing * spacing);
    double wanted =
        volume * speed / e * (150 * (1 - e) * viscosity / (e * d * d) + 1.75 * density * speed / d);
    scree_bodies_view view = scree_world_bodies(p.world);
    for (size_t k = 0; k < view.count; k++)
        CHECK(fabs(scree_row_at(view.force, k)[0] / wanted - 1) < 1e-3);
    scree_world_destroy(p.world);
}

TEST(cells_that_are_too_small_are_refused)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();

    add_ball(&p, 0.01, 0, 0, 0);
    add_ball(&p, 0.01, 1e9, 0, 0);
    fluid.cell = 0.019;
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "cell is 0.019 m, must be at least the diameter");
    fluid.cell = 0.02;
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_TOO_LARGE);
    CHECK_SAYS(scree_world_message(p.world), "too many cells");
    scree_world_destroy(p.world);
}

/* ---- sleep, implicit steps ---- */

/*  Bodies that lie still fall asleep in a fluid, and wind that begins wakes them. */
TEST(wind_wakes_bodies)
{
    scree_world_def def = pond_def(1e-5);
    scree_sleep_def sleep = scree_default_sleep_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_fluid_def fluid = oil();
    scree_wall_id wall;
    pond p = open_pond(&def);
    scree_body_id id = add_ball(&p, 1e-3, 0, 0, 0.999e-3);

    floor.material = p.material;
    sleep.speed = 1e-3;
    sleep.acceleration = 0.1;
    CHECK_EQUAL(scree_world_add_wall(p.world, &floor, &wall), SCREE_OK);
    CHECK_EQUAL(scree_world_set_sleep(p.world, &sleep), SCREE_OK);
    fluid.velocity[0] = "if(t < 0.1, 0, 10)";
    set_fluid(&p, &fluid);
    step(&p, 9000);
    CHECK(scree_world_is_asleep(p.world, id));
    step(&p, 2000);
    CHECK(!scree_world_is_asleep(p.world, id));
    CHECK(body_of(&p, id).velocity[0] > 0.01);
    scree_world_destroy(p.world);
}

/*  Sleep skips the sums of bodies whose contacts do not change, but not the forces of fields. */
TEST(fields_act_on_bodies_that_sleep)
{
    scree_world_def def = pond_def(1e-5);
    scree_sleep_def sleep = scree_default_sleep_def();
    scree_force_field_def field = scree_default_force_field_def();

    def.gravity[2] = 0;
    pond p = open_pond(&def);
    scree_body_id id = add_ball(&p, 1e-3, 0, 0, 0);
    add_ball(&p, 1e-3, 2.0001e-3, 0, 0);
    sleep.speed = 1e-3;
    sleep.acceleration = 0.1;
    CHECK_EQUAL(scree_world_set_sleep(p.world, &sleep), SCREE_OK);
    field.acceleration[2] = "0.01";
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
    step(&p, 500);
    CHECK(scree_world_is_asleep(p.world, id));
    CHECK(fabs(body_of(&p, id).force[2] / body_of(&p, id).mass - 0.01) < 1e-12);
    scree_world_destroy(p.world);
}

/*  Implicit steps may be longer than drag takes. The balance has the error of the first step, half a step's way of 400. */
TEST(implicit_steps_are_of_any_length)
{
    scree_world_def def = pond_def(2e-3);
    scree_fluid_def fluid = oil();
    scree_body_id id;

    def.step.integrator = SCREE_IMPLICIT_EULER;
    def.step.picard.tolerance = 1e-9;
    pond p = open_pond(&def);
    id = add_ball(&p, 2e-4, 0, 0, 0);
    set_fluid(&p, &fluid);
    step(&p, 400);
    CHECK(fabs(body_of(&p, id).velocity[2] / ((2500 - 900) * GRAVITY * 1.6e-7 / 1.8) + 1) < 1e-6);
    CHECK(fabs(balance(&p)) < 1.3e-3 * fabs(scree_world_ambient_work(p.world).fluid));
    scree_world_destroy(p.world);
}

/* ---- energy ---- */

/*  Free bodies: to rounding errors, by each integrator that has no iteration. */
TEST(the_work_of_the_fluid_closes_the_balance)
{
    const scree_integrator way[] = {SCREE_VELOCITY_VERLET, SCREE_SYMPLECTIC_EULER,
                                    SCREE_EXPLICIT_EULER};

    for (int k = 0; k < 3; k++) {
        scree_world_def def = pond_def(1e-3);
        scree_fluid_def fluid = oil();
        scree_force_field_def field = scree_default_force_field_def();
        scree_ambient_work work;
        def.step.integrator = way[k];
        def.gravity[2] = 0;
        pond p = open_pond(&def);
        scree_body_id id = add_ball(&p, 5e-3, 0, 0, 0);
        add_ball(&p, 5e-3, 1, 0, 0);
        fluid.velocity[0] = "sin(10 * t)";
        fluid.has_rotational_drag = true;
        fluid.angular_velocity[1] = "1";
        field.acceleration[1] = "1";
        set_fluid(&p, &fluid);
        CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
        step(&p, 300);
        work = scree_world_ambient_work(p.world);
        CHECK(work.fields > 0 && work.fluid != 0);
        CHECK(fabs(balance(&p)) < 1e-12 * (work.fields + fabs(work.fluid)));
        CHECK_EQUAL(scree_world_remove_body(p.world, id), SCREE_OK);
        CHECK(scree_world_ambient_work(p.world).fields == work.fields);
        CHECK_EQUAL(scree_world_set_fluid(p.world, NULL), SCREE_OK);
        scree_world_clear_force_fields(p.world);
        add_ball(&p, 5e-3, 2, 0, 0);
        step(&p, 10);
        CHECK(scree_world_ambient_work(p.world).fields == work.fields);
        CHECK(fabs(balance(&p)) < 1e-12 * (work.fields + fabs(work.fluid)));
        scree_world_destroy(p.world);
    }
}

/*  With impacts on the floor it closes as it does without a fluid. */
TEST(a_swirl_closes)
{
    pond p = open_swirl(SCREE_SIMD_AUTO, 1, false);
    double scale;

    step(&p, 1500);
    scale = fabs(scree_world_ambient_work(p.world).fluid) + scree_world_energy(p.world).potential;
    CHECK(fabs(balance(&p)) < 5e-3 * scale);
    scree_world_destroy(p.world);
}

/* ---- the time step ---- */

TEST(a_step_that_is_too_long_for_drag_is_refused)
{
    scree_world_def def = pond_def(1e-3);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();
    scree_body_id small;

    add_ball(&p, 2e-3, 0, 0, 0);
    small = add_ball(&p, 2e-4, 0.1, 0, 0);
    set_fluid(&p, &fluid);
    /* m / c = 2500 d^2 / 18 / viscosity */
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(p.world),
               "dt is 0.001, the drag of the fluid on body 2 needs less than 0.000222: "
               "dt = 0.00011 would do, or automatic steps");
    CHECK_EQUAL(scree_world_failed_body(p.world).index1, small.index1);
    CHECK_EQUAL(scree_world_clock(p.world).steps, 0);
    CHECK_EQUAL(scree_world_set_dt(p.world, SCREE_TIME_FIXED, 1.1e-4), SCREE_OK);
    step(&p, 1000);
    CHECK(fabs(body_of(&p, small).velocity[2] / ((2500 - 900) * GRAVITY * 1.6e-7 / 1.8) + 1) <
          1e-9);
    scree_world_destroy(p.world);
}

static char warning[300];

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)user;
    (void)level;
    if (id == SCREE_LOG_STEP_TOO_LONG)
        snprintf(warning, sizeof warning, "%s", text);
}

TEST(warnings_name_the_fluid)
{
    scree_world_def def = pond_def(1.5e-4);
    scree_fluid_def fluid = oil();

    def.hooks.log.write = hear;
    pond p = open_pond(&def);
    add_ball(&p, 2e-4, 0.1, 0, 0);
    set_fluid(&p, &fluid);
    step(&p, 1);
    CHECK_SAYS(warning, "stable is at most 8.89e-05: body 1 against the fluid");
    scree_world_destroy(p.world);
}

TEST(automatic_steps_follow_drag)
{
    scree_world_def def = pond_def(0);
    scree_fluid_def fluid = oil();
    scree_body_id id;

    def.step.mode = SCREE_TIME_AUTOMATIC;
    pond p = open_pond(&def);
    id = add_ball(&p, 2e-4, 0, 0, 0);
    set_fluid(&p, &fluid);
    step(&p, 2000);
    CHECK(scree_world_clock(p.world).dt < 2.2e-4);
    CHECK(scree_world_clock(p.world).dt > 1e-5);
    CHECK(fabs(body_of(&p, id).velocity[2] / ((2500 - 900) * GRAVITY * 1.6e-7 / 1.8) + 1) < 1e-6);
    scree_world_destroy(p.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_ball_sinks_at_the_speed_of_stokes),
        CASE(wind_takes_a_ball_along_and_turns_it),
        CASE(a_ball_floats_at_the_surface),
        CASE(a_pressure_gradient_pushes),
        CASE(other_bodies_count_as_spheres_of_their_volume),
        CASE(a_flow_on_a_grid),
        CASE(fields_add_up_within_their_boxes),
        CASE(groups_choose_bodies),
        CASE(the_void_fraction_of_a_lattice),
        CASE(cells_that_are_too_small_are_refused),
        CASE(wind_wakes_bodies),
        CASE(fields_act_on_bodies_that_sleep),
        CASE(implicit_steps_are_of_any_length),
        CASE(the_work_of_the_fluid_closes_the_balance),
        CASE(a_swirl_closes),
        CASE(a_step_that_is_too_long_for_drag_is_refused),
        CASE(warnings_name_the_fluid),
        CASE(automatic_steps_follow_drag),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
