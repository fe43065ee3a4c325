/*  Servo walls: that they hold what they are told to, whatever they touch and however long the step is. */
#include "servo_maker.h"

/* ---- what it holds ---- */

/*  Hertz: F = 4/3 E* sqrt(R) d^1.5 at both ends of the sphere, E* of two alike. */
TEST(a_sphere_is_pressed_with_the_force)
{
    scree_world_def def = fixed(1e-6);
    scree_material_def material = scree_default_material_def();
    press p = make_press(&def, &material, 0.2 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.1);
    const double modulus = material.young / (2 * (1 - material.poisson * material.poisson));

    set_servo(p.world, p.lid, &servo);
    step(p.world, 40000);
    scree_wall lid = wall_of(p.world, p.lid), floor = wall_of(p.world, p.floor);
    CHECK(lid.servo.is_on && lid.servo.contacts == 1);
    CHECK_NEAR(lid.servo.target, 0.01, 0);
    CHECK_NEAR(lid.servo.force, 0.01, 1e-9);
    CHECK_NEAR(lid.force[2], 0.01, 1e-9);
    CHECK_NEAR(floor.force[2], -0.01, 1e-8);
    CHECK(!floor.servo.is_on);
    double overlap = pow(0.01 / (4.0 / 3 * modulus * sqrt(R)), 2.0 / 3);
    CHECK_NEAR(lid.position[2], 2 * R - 2 * overlap, 1e-4 * overlap);
    CHECK_NEAR(lid.servo.shift[2], -0.2 * R - 2 * overlap, 1e-4 * overlap);
    CHECK_NEAR(lid.servo.shift[0], 0, 0);
    CHECK_NEAR(lid.servo.speed, 0, 1e-8);
    scree_world_destroy(p.world);
}

/*  The same by each integrator, law, restitution and length of step, also far longer than is stable; never faster than it
    may be. */
TEST(it_holds_whatever_the_step_is)
{
    static const struct
    {
        scree_integrator integrator;
        scree_time_mode time;
        double dt, restitution;
        const char *law;
        uint64_t steps;
    } ways[] = {
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-6, 0, "hertz", 60000},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 1e-5, 1, "hertz", 10000},
        {SCREE_SYMPLECTIC_EULER, SCREE_TIME_FIXED, 2e-6, 0.05, "linear", 30000},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_FIXED, 8e-6, 0.9, "linear", 10000},
        {SCREE_VELOCITY_VERLET, SCREE_TIME_AUTOMATIC, 0, 0.5, "hertz", 30000},
        {SCREE_SYMPLECTIC_EULER, SCREE_TIME_MASS_SCALING, 1e-4, 0.5, "linear", 3000},
        {SCREE_IMPLICIT_EULER, SCREE_TIME_FIXED, 1e-4, 0.5, "linear", 2000},
    };

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        scree_world_def def = fixed(ways[k].dt);
        scree_material_def material = scree_default_material_def();
        scree_rule_def rule = scree_default_rule_def();
        def.step.integrator = ways[k].integrator;
        def.step.mode = ways[k].time;
        def.overlap_limit = INFINITY;
        material.restitution = ways[k].restitution;
        material.stiffness = 2000;
        press p = make_press(&def, &material, 0.001 * R);
        rule.law = ways[k].law;
        CHECK_EQUAL(scree_world_add_rule(p.world, &rule), SCREE_OK);
        scree_wall_servo_def servo = pushing(0.01, 0.02);
        set_servo(p.world, p.lid, &servo);
        double worst = 0;
        for (uint64_t done = 0; done < ways[k].steps; done += 10) {
            step(p.world, 10);
            scree_wall lid = wall_of(p.world, p.lid);
            CHECK(fabs(lid.servo.speed) <= 0.02);
            double off = fabs(lid.servo.force / 0.01 - 1);
            worst = done > ways[k].steps * 3 / 4 && off > worst ? off : worst;
        }
        if (!(worst < 1e-3))
            FAIL("way %zu: off by %g of the target", k, worst);
        scree_world_destroy(p.world);
    }
}

/*  Weight on it from above, and it yields to pushes where nothing is asked. */
TEST(a_target_of_nothing_yields)
{
    scree_world_def def = fixed(1e-6);
    press p = make_press(&def, NULL, -0.01 * R);
    scree_wall_servo_def servo = pushing(0, 1);

    set_servo(p.world, p.lid, &servo);
    step(p.world, 20000);
    scree_wall lid = wall_of(p.world, p.lid);
    CHECK(lid.position[2] > 2 * R - 1e-4 * R && lid.position[2] < 4 * R);
    CHECK(lid.servo.force < 1e-6);
    /* where it touches nothing it stays */
    CHECK_EQUAL(scree_world_remove_body(p.world, p.body), SCREE_OK);
    step(p.world, 1);
    double there = wall_of(p.world, p.lid).position[2];
    step(p.world, 100);
    CHECK(wall_of(p.world, p.lid).position[2] == there);
    scree_world_destroy(p.world);
}

TEST(it_waits_and_rests_by_the_clock)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01);

    servo.start = 1e-3;
    servo.stop = 2e-3;
    set_servo(p.world, p.lid, &servo);
    step(p.world, 99);
    CHECK_NEAR(wall_of(p.world, p.lid).servo.shift[2], 0, 0);
    step(p.world, 400);
    scree_wall lid = wall_of(p.world, p.lid);
    CHECK_NEAR(lid.servo.shift[2], -0.01 * 1e-3, 0.011 * 1e-5);
    CHECK_NEAR(lid.servo.speed, 0, 0);
    CHECK_NEAR(lid.velocity[2], 0, 0);
    scree_world_destroy(p.world);
}

/*  An axis beside the normal: the force along it is held, with what friction adds. */
TEST(it_goes_along_its_axis)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.1 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01);

    servo.axis[0] = 3;
    servo.axis[2] = -4;
    set_servo(p.world, p.lid, &servo);
    step(p.world, 300);
    scree_wall lid = wall_of(p.world, p.lid);
    CHECK_NEAR(lid.velocity[0], 0.006, 1e-12);
    CHECK_NEAR(lid.velocity[2], -0.008, 1e-12);
    CHECK_NEAR(lid.servo.shift[0] / lid.servo.shift[2], -0.75, 1e-12);
    CHECK_NEAR(lid.position[0] - lid.servo.shift[0], 0, 1e-15);
    scree_world_destroy(p.world);
}

/* ---- stresses ---- */

/*  A plate and a block, of which the axis sees as much. */
TEST(a_mesh_knows_its_area)
{
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        scree_world_def def = fixed(2e-6);
        press p = make_press(&def, NULL, R);
        scree_wall_id id = add_mesh(p.world, make_plate(3 * R, is_closed, 3), 2.1 * R);
        scree_wall_servo_def servo = scree_default_wall_servo_def();
        servo.stress = 1000;
        servo.max_speed = 0.1;
        servo.axis[2] = -2;
        set_servo(p.world, id, &servo);
        step(p.world, 20000);
        scree_wall wall = wall_of(p.world, id);
        CHECK_NEAR(wall.servo.target, 1000 * 9 * R * R, 1e-12);
        CHECK_NEAR(wall.servo.force, wall.servo.target, 1e-6 * wall.servo.target);
        /* seen aslant */
        servo.axis[1] = -2;
        set_servo(p.world, id, &servo);
        step(p.world, 1);
        wall = wall_of(p.world, id);
        double seen = is_closed ? sqrt(0.5) * (9 + 4.5) : sqrt(0.5) * 9;
        CHECK_NEAR(wall.servo.target, 1000 * seen * R * R, 1e-12);
        scree_world_destroy(p.world);
    }
}

static void check_stresses(const packing *p, double stress, double tolerance)
{
    double width[3];

    for (int a = 0; a < p->sides / 2; a++)
        width[a] = wall_of(p->world, p->wall[2 * a + 1]).position[a] -
                   wall_of(p->world, p->wall[2 * a]).position[a];
    for (int k = 0; k < p->sides; k++) {
        scree_wall wall = wall_of(p->world, p->wall[k]);
        double area = 1;
        for (int a = 0; a < p->sides / 2; a++)
            area *= a == k / 2 ? 1 : width[a];
        CHECK_NEAR(wall.servo.target, stress * area, 1e-9 * stress * area);
        CHECK_NEAR(wall.servo.force / area, stress, tolerance * stress);
        CHECK_NEAR(fabs(wall.force[k / 2]), wall.servo.force, 1e-9 * wall.servo.force);
    }
}

TEST(a_packing_is_pressed_from_all_sides)
{
    scree_world_def def = fixed(4e-6);
    packing p = make_packing(def, 5, 0.3, scree_shape_sphere(R));

    drive(&p, 2000, 0.1);
    step(p.world, 12000);
    check_stresses(&p, 2000, 0.01);
    /* another stress, from where they are */
    drive(&p, 4000, 0.1);
    double before = wall_of(p.world, p.wall[1]).position[0];
    step(p.world, 1);
    CHECK_NEAR(wall_of(p.world, p.wall[1]).position[0], before, 0.1 * 4e-6 * 1.01);
    step(p.world, 12000);
    check_stresses(&p, 4000, 0.01);
    scree_world_destroy(p.world);
}

TEST(discs_are_pressed_from_all_sides)
{
    scree_world_def def = fixed(6e-5);
    def.dimensions = 2;
    packing p = make_packing(def, 6, 0.3, scree_shape_sphere(R));

    drive(&p, 20, 0.1);
    step(p.world, 10000);
    check_stresses(&p, 20, 0.01);
    scree_world_destroy(p.world);
}

TEST(clumps_are_pressed_from_all_sides)
{
    scree_world_def def = fixed(4e-6);
    scree_clump *clump = make_dumbbell();
    scree_shape shape = scree_shape_clump(clump);
    shape.radius = R;
    packing p = make_packing(def, 4, 0.3, shape);

    scree_clump_destroy(clump);
    drive(&p, 2000, 0.1);
    step(p.world, 20000);
    check_stresses(&p, 2000, 0.01);
    scree_world_destroy(p.world);
}

/* ---- changes in the middle ---- */

TEST(where_a_wall_is_stays_when_its_servo_changes)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01);
    scree_wall_path path = {.velocity = {0, 0, 0.004}};

    set_servo(p.world, p.lid, &servo);
    step(p.world, 100);
    double there = wall_of(p.world, p.lid).position[2];
    CHECK_NEAR(there, 2.5 * R - 0.01 * 99e-5, 1e-12);
    /* along the same axis speed continues, along another it begins at rest */
    set_servo(p.world, p.lid, &servo);
    CHECK_NEAR(wall_of(p.world, p.lid).velocity[2], -0.01, 1e-15);
    servo.axis[2] = -1;
    servo.axis[0] = 1;
    set_servo(p.world, p.lid, &servo);
    CHECK_NEAR(wall_of(p.world, p.lid).velocity[2], 0, 0);
    CHECK(wall_of(p.world, p.lid).position[2] == there);
    set_servo(p.world, p.lid, NULL);
    step(p.world, 10);
    CHECK(!wall_of(p.world, p.lid).servo.is_on);
    CHECK(wall_of(p.world, p.lid).position[2] == there);
    /* a path and a servo together */
    servo = pushing(0.01, 0.01);
    set_servo(p.world, p.lid, &servo);
    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.lid, &path), SCREE_OK);
    step(p.world, 11);
    CHECK_NEAR(wall_of(p.world, p.lid).position[2], there + 0.004 * 11e-5 - 0.01 * 10e-5, 1e-12);
    path.velocity[2] = 0;
    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.lid, &path), SCREE_OK);
    CHECK_NEAR(wall_of(p.world, p.lid).velocity[2], -0.01, 1e-15);
    CHECK_NEAR(wall_of(p.world, p.lid).servo.shift[2], 0, 0);
    scree_world_destroy(p.world);
}

TEST(a_wall_that_bounds_an_area_stays)
{
    packing p = make_packing(fixed(4e-6), 2, 0.3, scree_shape_sphere(R));

    drive(&p, 2000, 0.1);
    CHECK_EQUAL(scree_world_remove_wall(p.world, p.wall[0]), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "wall 1 bounds the area of the servo of wall 3");
    for (int k = 2; k < 6; k++)
        set_servo(p.world, p.wall[k], NULL);
    CHECK_EQUAL(scree_world_remove_wall(p.world, p.wall[0]), SCREE_OK);
    scree_world_destroy(p.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_sphere_is_pressed_with_the_force),
        CASE(it_holds_whatever_the_step_is),
        CASE(a_target_of_nothing_yields),
        CASE(it_waits_and_rests_by_the_clock),
        CASE(it_goes_along_its_axis),
        CASE(a_mesh_knows_its_area),
        CASE(a_packing_is_pressed_from_all_sides),
        CASE(discs_are_pressed_from_all_sides),
        CASE(clumps_are_pressed_from_all_sides),
        CASE(where_a_wall_is_stays_when_its_servo_changes),
        CASE(a_wall_that_bounds_an_area_stays),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
