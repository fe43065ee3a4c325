/*  Motion of joined bodies, compared with closed forms. */
#include "joint_maker.h"

#include "harness/mesh_maker.h"

/*  A sphere of mass 1 and radius 0.1. */
static scree_body_def unit_ball(double x, double y, double z)
{
    scree_body_def def = ball(0.1, x, y, z);

    def.mass = 1;
    return def;
}

#define UNIT_INERTIA (0.4 * 0.1 * 0.1)

/* ---- pendulums ---- */

/*  Time between the first and the third passage through position 0, interpolated. */
static double period_of(scree_world *world, scree_joint_id id, double offset, double longest)
{
    double last = state_of(world, id).position - offset, begin = 0;
    int passages = 0;

    while (scree_world_clock(world).time < longest) {
        const double before = scree_world_clock(world).time;
        step(world, 1);
        const double now = state_of(world, id).position - offset;
        if ((now > 0) != (last > 0)) {
            const double at =
                before + (scree_world_clock(world).time - before) * last / (last - now);
            if (passages == 2)
                return at - begin;
            begin = passages++ == 0 ? at : begin;
        }
        last = now;
    }
    FAIL("no period in %g s", longest);
}

/*  A pendulum of length 0.5 that starts at rest at this angle to the vertical. */
static scree_world *pendulum(double angle, double dt, scree_joint_id *hinge)
{
    const scree_world_def def = heavy(dt);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def body = unit_ball(0.5 * sin(angle), 0, -0.5 * cos(angle));
    scree_joint_def joint = joint_at(SCREE_JOINT_HINGE, add(world, &body), 0, 0, 0);

    set_axis(&joint, 0, 1, 0);
    *hinge = join(world, &joint);
    return world;
}

#define SMALL_PERIOD (2 * pi * sqrt((UNIT_INERTIA + 0.25) / (10 * 0.5)))

TEST(a_pendulum_has_the_period_of_small_swings)
{
    scree_joint_id hinge;
    const double angle = 0.02;
    scree_world *world = pendulum(angle, 2e-5, &hinge);
    const double found = period_of(world, hinge, angle, 3);

    CHECK_NEAR(found, SMALL_PERIOD * (1 + angle * angle / 16), 2e-5 * SMALL_PERIOD);
    scree_world_destroy(world);
}

/*  With the complete elliptic integral K(1/2), from a horizontal start. */
TEST(a_pendulum_has_the_period_of_large_swings)
{
    scree_joint_id hinge;
    scree_world *world = pendulum(pi / 2, 2e-5, &hinge);
    const double found = period_of(world, hinge, pi / 2, 4);

    CHECK_NEAR(found, SMALL_PERIOD * 1.8540746773013719 / (pi / 2), 5e-5 * SMALL_PERIOD);
    CHECK_NEAR(imbalance(world), 0, 1e-4);
    scree_world_destroy(world);
}

TEST(a_double_pendulum_conserves_energy)
{
    const scree_world_def def = heavy(1e-5);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def bodies[2] = {unit_ball(0.3, 0, 0), unit_ball(0.6, 0, 0.1)};
    const scree_body_id upper = add(world, &bodies[0]), lower = add(world, &bodies[1]);
    scree_joint_def top = joint_at(SCREE_JOINT_HINGE, upper, 0, 0, 0);
    scree_joint_def middle = joint_at(SCREE_JOINT_HINGE, upper, 0.3, 0, 0);

    set_axis(&top, 0, 1, 0);
    set_axis(&middle, 0, 1, 0);
    middle.second = lower;
    join(world, &top);
    join(world, &middle);
    const double start = scree_world_energy(world).potential;
    step(world, 100000);
    const scree_energy e = scree_world_energy(world);
    CHECK(e.kinetic > 0.5);
    CHECK_NEAR(e.kinetic + e.rotational + e.potential + e.elastic, start, 2e-4 * 6);
    CHECK(e.damping < 1e-4);
    CHECK_NEAR(imbalance(world), 0, 2e-4);
    scree_world_destroy(world);
}

/* ---- springs and sliders ---- */

TEST(a_slider_on_a_spring_has_its_frequency)
{
    scree_world_def def = fixed(1e-4);
    def.energy_balance = true;
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = unit_ball(0.3, 0.2, 0.1);
    body.velocity[0] = 1;
    const scree_body_id id = add(world, &body);
    scree_joint_def slider = joint_at(SCREE_JOINT_SLIDER, id, 0.3, 0.2, 0.1);
    scree_joint_def spring = joint_at(SCREE_JOINT_SPRING, id, 0.3, 0.2, 0.1);

    set_axis(&slider, 1, 0, 0);
    spring.second_anchor[0] = 1.3;
    spring.second_anchor[1] = 0.2;
    spring.second_anchor[2] = 0.1;
    spring.stiffness = 100;
    spring.damping_ratio = 0;
    const scree_joint_id rail = join(world, &slider), coil = join(world, &spring);
    /* a quarter of the period: the largest displacement, and all energy in the spring */
    step(world, (uint64_t)(2 * pi / 10 / 4 / 1e-4 + 0.5));
    CHECK_NEAR(state_of(world, rail).position, 0.1, 1e-6);
    CHECK_NEAR(state_of(world, coil).position, 0.9, 1e-6);
    CHECK_NEAR(state_of(world, coil).elastic, 0.5, 1e-4);
    CHECK_NEAR(state_of(world, coil).force[0], -10, 1e-3);
    CHECK_NEAR(body_of(world, id).position[0], 0.4, 1e-6);
    CHECK_NEAR(period_of(world, rail, 0, 5), 2 * pi / 10, 1e-6);
    CHECK_NEAR(body_of(world, id).position[1], 0.2, 1e-9);
    scree_world_destroy(world);
}

/*  x = exp(-z w t) cos(...): the logarithmic decrement of a damped spring. */
TEST(a_damped_spring_decays)
{
    const scree_world_def def = fixed(1e-4);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def body = unit_ball(0, 0, 0);
    const scree_body_id id = add(world, &body);
    scree_joint_def spring = joint_at(SCREE_JOINT_SPRING, id, 0, 0, 0);
    const double ratio = 0.05, rate = 10 * sqrt(1 - ratio * ratio);

    spring.second_anchor[0] = 1;
    spring.stiffness = 100;
    spring.damping_ratio = ratio;
    spring.rest_length = 0.9;
    join(world, &spring);
    step(world, (uint64_t)(2 * pi / rate / 1e-4 + 0.5));
    CHECK_NEAR(0.1 - body_of(world, id).position[0], 0.1 * exp(-ratio * 10 * 2 * pi / rate), 1e-4);
    scree_world_destroy(world);
}

/* ---- a mechanism ---- */

/*  A bar of a linkage: a sphere at its middle. */
static scree_body_id bar(scree_world *world, const double from[2], const double to[2])
{
    const scree_body_def def = unit_ball((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0);

    return add(world, &def);
}

/*  The angle of the rocker from D, for the crank angle at A: the circles about B and D. */
static double rocker_angle(double crank)
{
    const double a = 0.3, b = 0.8, c = 0.6, d = 0.9;
    const double bx = a * cos(crank) - d, by = a * sin(crank), f_sq = bx * bx + by * by;
    const double corner = acos((f_sq + c * c - b * b) / (2 * c * sqrt(f_sq)));

    return atan2(by, bx) - corner;
}

TEST(a_four_bar_linkage_has_the_angles_of_its_equation)
{
    const double start = 1, rocker = rocker_angle(start);
    const double A[2] = {0, 0}, D[2] = {0.9, 0}, B[2] = {0.3 * cos(start), 0.3 * sin(start)},
                 C[2] = {0.9 + 0.6 * cos(rocker), 0.6 * sin(rocker)};
    const scree_world_def def = fixed(1e-5);
    scree_world *world = make_world(&def, NULL);
    const scree_body_id bars[3] = {bar(world, A, B), bar(world, B, C), bar(world, D, C)};
    scree_joint_def hinges[4] = {joint_at(SCREE_JOINT_HINGE, bars[0], A[0], A[1], 0),
                                 joint_at(SCREE_JOINT_HINGE, bars[0], B[0], B[1], 0),
                                 joint_at(SCREE_JOINT_HINGE, bars[1], C[0], C[1], 0),
                                 joint_at(SCREE_JOINT_HINGE, bars[2], D[0], D[1], 0)};
    scree_joint_id ids[4];

    hinges[1].second = bars[1];
    hinges[2].second = bars[2];
    hinges[0].motor = (scree_joint_motor){
        .mode = SCREE_MOTOR_SPEED, .target = 6, .max_effort = 200, .damping = 50};
    for (int k = 0; k < 4; k++)
        ids[k] = join(world, &hinges[k]);
    for (int k = 0; k < 50; k++) {
        step(world, 2500);
        const double crank = start + state_of(world, ids[0]).position;
        const double angle = rocker + state_of(world, ids[3]).position;
        CHECK_NEAR(sin(angle - rocker_angle(crank)), 0, 1e-4);
    }
    CHECK_NEAR(state_of(world, ids[0]).position, 6 * 1.25, 0.2);
    scree_world_destroy(world);
}

/* ---- motors and limits ---- */

static scree_world *wheel(scree_world_def def, const double spin, scree_joint_def *hinge)
{
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = unit_ball(0, 0, 0);

    body.spin[2] = spin;
    *hinge = joint_at(SCREE_JOINT_HINGE, add(world, &body), 0, 0, 0);
    return world;
}

TEST(a_motor_accelerates_with_its_torque_and_holds_its_speed)
{
    scree_joint_def hinge;
    scree_world_def def = fixed(1e-5);
    def.energy_balance = true;
    scree_world *world = wheel(def, 0, &hinge);

    hinge.motor = (scree_joint_motor){.mode = SCREE_MOTOR_SPEED, .target = 10, .max_effort = 0.02};
    const scree_joint_id id = join(world, &hinge);
    step(world, 100000);
    CHECK_NEAR(body_of(world, hinge.first).spin[2], 0.02 / UNIT_INERTIA, 1e-6);
    CHECK_NEAR(state_of(world, id).motor_work, 0.5 * UNIT_INERTIA * 25, 1e-5);
    CHECK_NEAR(state_of(world, id).position, 2.5, 1e-4);
    CHECK_NEAR(imbalance(world), 0, 1e-5);
    step(world, 150000);
    CHECK_NEAR(body_of(world, hinge.first).spin[2], 10, 1e-6);
    CHECK_NEAR(state_of(world, id).speed, 10, 1e-6);
    /* angles count beyond a turn */
    CHECK_NEAR(state_of(world, id).position, 15, 1e-3);
    CHECK_EQUAL(scree_world_set_joint_motor(world, id, NULL), SCREE_OK);
    step(world, 1000);
    CHECK_NEAR(state_of(world, id).effort, 0, 0);
    scree_world_destroy(world);
}

TEST(a_motor_reaches_its_position_under_load)
{
    scree_joint_id hinge;
    scree_world *world = pendulum(0, 1e-4, &hinge);
    const scree_joint_motor servo = {.mode = SCREE_MOTOR_POSITION, .target = 1, .max_effort = 20};

    CHECK_EQUAL(scree_world_set_joint_motor(world, hinge, &servo), SCREE_OK);
    step(world, 50000);
    const scree_joint joint = state_of(world, hinge);
    /* weight turns it until the motor balances it */
    CHECK_NEAR(joint.effort, 5 * sin(joint.position), 1e-4);
    CHECK_NEAR(joint.effort, joint.motor.stiffness * (1 - joint.position), 1e-4);
    CHECK(joint.position > 0.5 && joint.position < 1);
    scree_world_destroy(world);
}

TEST(a_hinge_bounces_off_its_limit)
{
    scree_joint_def hinge;
    scree_world_def def = fixed(1e-5);
    def.energy_balance = true;
    scree_world *world = wheel(def, 2, &hinge);
    double deepest = 0;

    hinge.upper = 0.5;
    hinge.turn_stiffness = 40;
    const scree_joint_id id = join(world, &hinge);
    for (int k = 0; k < 400; k++) {
        step(world, 100);
        deepest = fmax(deepest, state_of(world, id).position);
    }
    CHECK_NEAR(body_of(world, hinge.first).spin[2], -2, 1e-4);
    /* all energy in the limit, and half a period there */
    CHECK_NEAR(deepest, 0.5 + 2 * sqrt(UNIT_INERTIA / 40), 1e-4);
    const double rest = pi * sqrt(UNIT_INERTIA / 40);
    CHECK_NEAR(state_of(world, id).position, 0.5 - 2 * (0.4 - 0.25 - rest), 1e-3);
    CHECK_NEAR(imbalance(world), 0, 1e-6);
    scree_world_destroy(world);
}

/*  The axis of a ball tilts up to its limit, and no farther than the spring yields. */
TEST(a_ball_has_a_largest_tilt)
{
    const scree_world_def def = heavy(1e-4);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def body = unit_ball(0.01, 0, 0.5);
    scree_joint_def ball_joint = joint_at(SCREE_JOINT_BALL, add(world, &body), 0, 0, 0);

    ball_joint.upper = 0.3;
    ball_joint.turn_stiffness = 200;
    const scree_joint_id id = join(world, &ball_joint);
    double most = 0;
    for (int k = 0; k < 300; k++) {
        step(world, 100);
        most = fmax(most, state_of(world, id).position);
    }
    CHECK(most > 0.3 && most < 0.4);
    scree_world_destroy(world);
}

/* ---- conservation ---- */

static void check_momentum(scree_joint_kind kind)
{
    const scree_world_def def = fixed(1e-4);
    scree_world *world = make_world(&def, NULL);
    scree_body_def a = unit_ball(0, 0, 0), b = unit_ball(0.25, 0.1, -0.05);
    a.velocity[0] = 1;
    a.velocity[1] = 0.3;
    a.spin[2] = 4;
    b.velocity[2] = -0.7;
    b.spin[0] = 3;
    b.mass = 0.5;
    scree_joint_def joint = joint_at(kind, add(world, &a), 0.12, 0.07, 0);
    joint.second = add(world, &b);
    if (kind == SCREE_JOINT_SPRING)
        joint.second_anchor[1] = 0.2;
    else if (kind != SCREE_JOINT_WELD)
        set_axis(&joint, 1, 2, -1);
    if (kind == SCREE_JOINT_SLIDER) {
        joint.lower = -0.1;
        joint.upper = 0.1;
    }
    join(world, &joint);
    const scree_totals before = scree_world_totals(world);
    step(world, 20000);
    const scree_totals after = scree_world_totals(world);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-10);
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-10);
    }
    scree_world_destroy(world);
}

TEST(joints_conserve_momentum_and_angular_momentum)
{
    for (int kind = SCREE_JOINT_HINGE; kind <= SCREE_JOINT_SPRING; kind++)
        check_momentum((scree_joint_kind)kind);
}

static scree_mesh *cuboid(double x, double y, double z)
{
    const double lower[3] = {-x / 2, -y / 2, -z / 2}, upper[3] = {x / 2, y / 2, z / 2};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

static scree_body_def block_of(scree_mesh *mesh, double x)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_block(mesh, 0.001);
    def.material.index1 = 1;
    def.position[0] = x;
    return def;
}

TEST(a_weld_makes_one_block_of_two)
{
    const scree_world_def def = fixed(2e-5);
    scree_world *one = make_world(&def, NULL), *two = make_world(&def, NULL);
    scree_mesh *whole = cuboid(0.2, 0.1, 0.1), *half = cuboid(0.1, 0.1, 0.1);
    scree_body_def body = block_of(whole, 0);
    const double spin[3] = {1, 2, 0.5};
    memcpy(body.spin, spin, sizeof spin);
    const scree_body_id long_one = add(one, &body);
    scree_body_id ends[2];
    for (int k = 0; k < 2; k++) {
        body = block_of(half, k ? 0.05 : -0.05);
        memcpy(body.spin, spin, sizeof spin);
        body.velocity[1] = spin[2] * body.position[0];
        body.velocity[2] = -spin[1] * body.position[0];
        ends[k] = add(two, &body);
    }
    scree_joint_def weld = joint_at(SCREE_JOINT_WELD, ends[0], 0, 0, 0);
    weld.second = ends[1];
    join(two, &weld);
    step(one, 50000);
    step(two, 50000);
    const scree_body a = body_of(one, long_one), b = body_of(two, ends[0]),
                     c = body_of(two, ends[1]);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(a.position[k], (b.position[k] + c.position[k]) / 2, 1e-9);
        CHECK_NEAR(a.spin[k], b.spin[k], 2e-3);
    }
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(a.orientation[k], c.orientation[k], 1e-3);
    CHECK(fabs(a.orientation[0]) < 0.7);
    scree_mesh_destroy(whole);
    scree_mesh_destroy(half);
    scree_world_destroy(one);
    scree_world_destroy(two);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_pendulum_has_the_period_of_small_swings),
        CASE(a_pendulum_has_the_period_of_large_swings),
        CASE(a_double_pendulum_conserves_energy),
        CASE(a_slider_on_a_spring_has_its_frequency),
        CASE(a_damped_spring_decays),
        CASE(a_four_bar_linkage_has_the_angles_of_its_equation),
        CASE(a_motor_accelerates_with_its_torque_and_holds_its_speed),
        CASE(a_motor_reaches_its_position_under_load),
        CASE(a_hinge_bounces_off_its_limit),
        CASE(a_ball_has_a_largest_tilt),
        CASE(joints_conserve_momentum_and_angular_momentum),
        CASE(a_weld_makes_one_block_of_two),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
