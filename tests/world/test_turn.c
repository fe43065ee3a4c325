/*  Turns and tumbling: exact where they can be, conserving what they must, second order where they are not. */
#include "base/quaternion.h"
#include "base/random.h"
#include "test.h"
#include "world/state/rotation.h"

#include <math.h>

/* ---- one turn ---- */

static void any_orientation(scree_random *random, double q[4])
{
    do
        for (int k = 0; k < 4; k++)
            q[k] = scree_random_unit(random) - 0.5;
    while (!scree_quaternion_normalise(q));
}

static double distance(const double *a, const double *b, int count)
{
    double largest = 0;

    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

TEST(no_turn_keeps_the_bits)
{
    /* not of length 1 to the last bit: what is normalised would change */
    const double q[4] = {0.5, 0.5, 0.5, 0.5 + 0x1p-50}, none[3] = {0, -0.0, 0}, some[3] = {1, 2, 3};
    double turned[4];

    scree_turn(q, none, 1, turned);
    CHECK(memcmp(q, turned, sizeof q) == 0);
    scree_turn(q, some, 0, turned);
    CHECK(memcmp(q, turned, sizeof q) == 0);
}

/*  Against the quaternion of that angle about that axis; from far below a bit to many rounds. */
TEST(turns_by_any_angle)
{
    scree_random random = scree_random_stream(7, 0);

    for (int trial = 0; trial < 20000; trial++) {
        double q[4], axis[4], spin[3], about[4], due[4], turned[4];
        double angle = scree_exp(40 * scree_random_unit(&random) - 34);
        any_orientation(&random, q);
        axis[3] = 0;
        do
            for (int k = 0; k < 3; k++)
                axis[k] = scree_random_unit(&random) - 0.5;
        while (!scree_quaternion_normalise(axis));
        for (int k = 0; k < 3; k++)
            spin[k] = axis[k] * angle / 0.125;
        scree_turn(q, spin, 0.125, turned);
        scree_quaternion_about(axis, angle, about);
        scree_quaternion_multiply(about, q, due);
        /* a few roundings of numbers up to 1, and of the angle */
        CHECK_NEAR(distance(due, turned, 4), 0, 8e-16 + 4e-16 * angle);
    }
}

/*  The series and what follows where it ends agree to rounding. */
TEST(series_ends_without_a_step)
{
    const double q[4] = {1, 0, 0, 0};

    for (int k = -4; k <= 4; k++) {
        double half = 0.125 * (1 + k * 0x1p-52), spin[3] = {0, 2 * half, 0}, turned[4];
        scree_turn(q, spin, 1, turned);
        CHECK_NEAR(turned[0], 0.992197667229329, 3e-16);
        /* four last bits of the angle, and one of the result */
        CHECK_NEAR(turned[2], 0.12467473338522769, 1.3e-16);
    }
}

TEST(stays_a_unit)
{
    const double spin[3] = {12, -7, 3};
    double q[4] = {1, 0, 0, 0}, next[4];

    for (int k = 0; k < 1000000; k++) {
        scree_turn(q, spin, 1e-3, next);
        memcpy(q, next, sizeof q);
    }
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    CHECK_NEAR(norm, 1, 1e-15);
    /* 1000 s at once: a million roundings, most of which add up like a random walk */
    scree_turn((const double[4]){1, 0, 0, 0}, spin, 1000, next);
    CHECK_NEAR(distance(q, next, 4), 0, 1e-11);
}

/* ---- one body ---- */

typedef struct spinner
{
    scree_memory memory;
    scree_body_arrays bodies;
} spinner;

static void make_spinner(spinner *s, const double inertia[3], const double spin[3])
{
    const double level[4] = {1, 0, 0, 0};

    CHECK_EQUAL(scree_memory_init(&s->memory, NULL), SCREE_OK);
    scree_bodies_init(&s->bodies, &s->memory);
    CHECK_EQUAL(scree_bodies_reserve(&s->bodies, 1), SCREE_OK);
    CHECK_EQUAL(scree_bodies_push(&s->bodies), 0);
    memcpy(s->bodies.inertia[0], inertia, 3 * sizeof *inertia);
    s->bodies.inertia[0][3] = 1;
    memcpy(s->bodies.spin[0], spin, 3 * sizeof *spin);
    s->bodies.spin[0][3] = 0;
    memcpy(s->bodies.orientation[0], level, sizeof level);
    s->bodies.flags[0][0] = 0;
}

static void free_spinner(spinner *s)
{
    scree_bodies_free(&s->bodies);
    CHECK_EQUAL(s->memory.bytes, 0);
}

/*  As integrate.c does with velocity Verlet: the torque holds for the whole step. */
static void spin_on(spinner *s, const double torque[3], double dt)
{
    scree_bodies_swap(&s->bodies);
    scree_turn_drift(&s->bodies, 0, torque, dt, dt / 2);
}

static const double no_torque[3] = {0, 0, 0};

static void seen_by_body(const spinner *s, double spin[3])
{
    scree_quaternion_turn_back(s->bodies.orientation[0], s->bodies.spin[0], spin);
}

static double energy_of(const spinner *s)
{
    double momentum[3], energy = 0;

    scree_body_momentum(&s->bodies, 0, momentum);
    for (int k = 0; k < 3; k++)
        energy += 0.5 * momentum[k] * s->bodies.spin[0][k];
    return energy;
}

/*  Inertias 1, 2, 3 and a spin near the second axis: it turns over and over (Dzhanibekov). The times are of
    the elliptic integral, K(k) / p with k^2 = 0.9998000600, and of a Runge-Kutta run. */
TEST(flips_in_time)
{
    const double inertia[3] = {1, 2, 3}, spin[3] = {0.01, 1, 0.01}, dt = 1e-3;
    double momentum[3], start[3], seen[3], last = 1, first = 0, crossing = 0, energy;
    double worst = 0, sum_early = 0, sum_late = 0;
    uint64_t steps = 1955287, flips = 0;
    spinner s;

    make_spinner(&s, inertia, spin);
    scree_body_momentum(&s.bodies, 0, start);
    energy = energy_of(&s);
    for (uint64_t k = 1; k <= steps; k++) {
        spin_on(&s, no_torque, dt);
        seen_by_body(&s, seen);
        if (seen[1] * last < 0) {
            crossing = dt * ((double)k - seen[1] / (seen[1] - last));
            first = flips++ == 0 ? crossing : first;
        }
        last = seen[1];
        double drift = energy_of(&s) / energy - 1;
        worst = fmax(worst, fabs(drift));
        if (k <= steps / 2)
            sum_early += drift;
        else
            sum_late += drift;
    }
    scree_body_momentum(&s.bodies, 0, momentum);
    CHECK_EQUAL(flips, 100);
    CHECK_NEAR(first, 10.91691349, 10.9 * 1e-3);
    CHECK_NEAR((crossing - first) / 99, 19.55286710, 19.6 * 1e-3);
    CHECK_NEAR(distance(momentum, start, 3), 0, 1e-10);
    CHECK(worst < 1e-6);
    /* no trend: the means of both halves, 50 flips each, are alike */
    CHECK_NEAR(sum_late / (double)(steps - steps / 2), sum_early / (double)(steps / 2), 2e-8);
    free_spinner(&s);
}

/*  Where the body is after some time, with a torque that is constant in space. */
static void end_of_run(const double inertia[3], const double torque[3], uint32_t flags, int steps,
                       double spin[3], double orientation[4])
{
    const double start[3] = {0.7, 1, -0.4};
    spinner s;

    make_spinner(&s, inertia, start);
    s.bodies.flags[0][0] = flags;
    for (int k = 0; k < steps; k++)
        spin_on(&s, torque, 4.0 / steps);
    memcpy(spin, s.bodies.spin[0], 3 * sizeof *spin);
    memcpy(orientation, s.bodies.orientation[0], 4 * sizeof *orientation);
    free_spinner(&s);
}

static void check_order(const double inertia[3], const double torque[3], uint32_t flags)
{
    double spin[3][3], q[3][4], fine_spin[3], fine[4], error[3];

    end_of_run(inertia, torque, flags, 40000, fine_spin, fine);
    for (int level = 0; level < 3; level++) {
        end_of_run(inertia, torque, flags, 200 << level, spin[level], q[level]);
        error[level] = fmax(distance(q[level], fine, 4), distance(spin[level], fine_spin, 3));
    }
    CHECK(error[0] < 1e-2);
    for (int level = 0; level < 2; level++) {
        double order = scree_ln(error[level] / error[level + 1]) / scree_ln(2);
        CHECK_NEAR(order, 2, 0.1);
    }
}

static const double torques[2][3] = {{0, 0, 0}, {0.3, -0.2, 0.5}};

TEST(is_of_second_order)
{
    static const double inertias[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3},
                                          {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};

    for (int trial = 0; trial < 12; trial++)
        check_order(inertias[trial / 2], torques[trial % 2], 0);
}

TEST(is_of_second_order_where_held)
{
    static const double inertia[3] = {1, 2, 3};

    for (uint32_t axis = 0; axis < 3; axis++)
        check_order(inertia, torques[0], SCREE_FREEZE_SPIN_X << axis);
}

/*  A top with an axis of symmetry is exact at any step, whichever its axis is. */
TEST(symmetric_top_is_exact)
{
    for (int odd = 0; odd < 3; odd++) {
        double inertia[3] = {2, 2, 2}, spin[3] = {0.3, 0.3, 0.3}, seen[3];
        int even = (odd + 1) % 3, rest = (odd + 2) % 3;
        spinner s;
        inertia[odd] = 3;
        spin[odd] = 1.1;
        spin[rest] = 0;
        make_spinner(&s, inertia, spin);
        for (int k = 0; k < 1000; k++)
            spin_on(&s, no_torque, 0.25);
        seen_by_body(&s, seen);
        /* the part across the axis goes round at (I3 - I1) / I1 w3 */
        double angle = (3.0 - 2) / 2 * 1.1 * 250;
        CHECK_NEAR(seen[odd], 1.1, 1e-12);
        CHECK_NEAR(seen[even], 0.3 * scree_cos(angle), 1e-11);
        CHECK_NEAR(seen[rest], 0.3 * scree_sin(angle), 1e-11);
        free_spinner(&s);
    }
}

/* ---- components that are frozen ---- */

/*  A wheel on a fixed axle that its inertia is not aligned with: it turns evenly, and a torque along the axle
    speeds it up by what it has of inertia about that. */
TEST(an_axle_holds)
{
    const double inertia[3] = {1, 2, 3}, spin[3] = {0, 0, 2}, torque[3] = {0, 0, 0.5};
    double tilt[4] = {0.8, 0.6, 0, 0}, about;
    spinner s;

    make_spinner(&s, inertia, spin);
    memcpy(s.bodies.orientation[0], tilt, sizeof tilt);
    s.bodies.flags[0][0] = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y;
    for (int k = 0; k < 1000; k++)
        spin_on(&s, no_torque, 0.01);
    CHECK(s.bodies.spin[0][0] == 0 && s.bodies.spin[0][1] == 0);
    CHECK_NEAR(s.bodies.spin[0][2], 2, 1e-12);
    for (int k = 0; k < 1000; k++)
        spin_on(&s, torque, 0.01);
    /* space's z is 2 sin cos y' + (cos^2 - sin^2) z' for the body, with half the angle's sine and cosine */
    about = 2 * 0.96 * 0.96 + 3 * 0.28 * 0.28;
    CHECK_NEAR(s.bodies.spin[0][2], 2 + 0.5 * 10 / about, 1e-11);
    CHECK(s.bodies.spin[0][0] == 0 && s.bodies.spin[0][1] == 0);
    free_spinner(&s);
}

TEST(one_frozen_component_keeps_its_value)
{
    const double inertia[3] = {1, 2, 3}, spin[3] = {0.2, 0.7, 1};
    double before[3], after[3];
    spinner s;

    make_spinner(&s, inertia, spin);
    s.bodies.flags[0][0] = SCREE_FREEZE_SPIN_X;
    scree_body_momentum(&s.bodies, 0, before);
    for (int k = 0; k < 5000; k++)
        spin_on(&s, no_torque, 1e-3);
    scree_body_momentum(&s.bodies, 0, after);
    CHECK(s.bodies.spin[0][0] == 0.2);
    /* what freezes it has no torque about the other axes */
    CHECK_NEAR(after[1], before[1], 1e-11);
    CHECK_NEAR(after[2], before[2], 1e-11);
    CHECK(fabs(after[0] - before[0]) > 1e-3);
    free_spinner(&s);
}

TEST(all_frozen_turn_evenly)
{
    const double inertia[3] = {1, 2, 3}, spin[3] = {0.2, 0.7, 1};
    double due[4];
    spinner s;

    make_spinner(&s, inertia, spin);
    s.bodies.flags[0][0] = SCREE_FREEZE;
    for (int k = 0; k < 100; k++)
        spin_on(&s, no_torque, 0.05);
    CHECK(memcmp(s.bodies.spin[0], spin, sizeof spin) == 0);
    scree_turn((const double[4]){1, 0, 0, 0}, spin, 5, due);
    CHECK_NEAR(distance(s.bodies.orientation[0], due, 4), 0, 1e-14);
    free_spinner(&s);
}

/* ---- what is added at the end of a step ---- */

TEST(a_kick_changes_the_momentum_by_itself)
{
    const double inertia[3] = {1, 2, 3}, spin[3] = {0.2, 0.7, 1}, torque[3] = {3, -1, 2};
    double before[3], after[3];
    spinner s;

    make_spinner(&s, inertia, spin);
    for (int k = 0; k < 10; k++)
        spin_on(&s, torque, 0.1);
    scree_body_momentum(&s.bodies, 0, before);
    scree_turn_finish(&s.bodies, 0, torque, 0.25);
    scree_body_momentum(&s.bodies, 0, after);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(after[k], before[k] + 0.25 * torque[k], 1e-14);
    s.bodies.flags[0][0] = SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    memcpy(before, s.bodies.spin[0], sizeof before);
    scree_turn_finish(&s.bodies, 0, torque, 0.25);
    CHECK(s.bodies.spin[0][1] == before[1] && s.bodies.spin[0][2] == before[2]);
    CHECK(s.bodies.spin[0][0] > before[0]);
    free_spinner(&s);
}

TEST(momentum_of_round_bodies)
{
    const double inertia[3] = {0.3, 0.3, 0.3}, spin[3] = {1, -2, 3};
    double momentum[3];
    spinner s;

    make_spinner(&s, inertia, spin);
    s.bodies.spin[0][3] = 1 / 0.3;
    scree_body_momentum(&s.bodies, 0, momentum);
    for (int k = 0; k < 3; k++)
        CHECK(momentum[k] == 0.3 * spin[k]);
    free_spinner(&s);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_turn_keeps_the_bits),
        CASE(turns_by_any_angle),
        CASE(series_ends_without_a_step),
        CASE(stays_a_unit),
        CASE(flips_in_time),
        CASE(is_of_second_order),
        CASE(is_of_second_order_where_held),
        CASE(symmetric_top_is_exact),
        CASE(an_axle_holds),
        CASE(one_frozen_component_keeps_its_value),
        CASE(all_frozen_turn_evenly),
        CASE(a_kick_changes_the_momentum_by_itself),
        CASE(momentum_of_round_bodies),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
