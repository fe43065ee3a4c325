/*  Implicit steps: against the closed form for a spring, far beyond what is stable, where forces do not settle. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"

#include <math.h>
#include <string.h>

static scree_world_def implicit_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.integrator = SCREE_IMPLICIT_EULER;
    def.step.dt = dt;
    return def;
}

/*  A material whose contacts with another of it, under the law "linear", are springs of half that stiffness. */
static scree_material_def springy(double stiffness, double restitution)
{
    scree_material_def def = scree_default_material_def();

    def.stiffness = stiffness;
    def.restitution = restitution;
    def.friction = 0.5;
    return def;
}

static scree_world *make_linear(const scree_world_def *def, const scree_material_def *material)
{
    scree_world *world = make_world(def, material);
    scree_rule_def rule = scree_default_rule_def();

    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

static void add_plane(scree_world *world, double z, double up)
{
    scree_wall_def def = scree_default_wall_def();

    def.material.index1 = 1;
    def.point[2] = z;
    def.normal[2] = up;
    CHECK_EQUAL(scree_world_add_wall(world, &def, NULL), SCREE_OK);
}

/*  A ball of radius and mass 1 between two plates that press it by 0.1 each. */
static scree_world *press(const scree_world_def *def, double stiffness, double away,
                          scree_body_id *id)
{
    scree_material_def material = springy(stiffness, 1);
    scree_world *world = make_linear(def, &material);
    scree_body_def made = ball(1, 0, 0, away);

    add_plane(world, -0.9, 1);
    add_plane(world, 0.9, -1);
    made.mass = 1;
    *id = add(world, &made);
    return world;
}

/*  v' = (v - dt w^2 x) / (1 + dt^2 w^2), x' = x + dt v', for stiffness of which explicit steps are a small share
    and many times too long. */
TEST(a_spring_goes_as_the_formula_says)
{
    static const double stiffness[] = {1e-2, 1, 1e2, 1e4, 1e6, 1e8};

    for (int s = 0; s < 6; s++) {
        scree_world_def def = implicit_def(0.1);
        double x = 0.05, v = 0, w2 = stiffness[s]; /* two of half of it, at either plate */
        scree_body_id id;
        def.step.picard = (scree_picard_def){.tolerance = 1e-12, .iterations = 1000, .halvings = 0};
        def.overlap_limit = INFINITY;
        scree_world *world = press(&def, stiffness[s], x, &id);
        for (int k = 0; k < 50; k++) {
            v = (v - 0.1 * w2 * x) / (1 + 0.01 * w2);
            x += 0.1 * v;
            step(world, 1);
            CHECK_NEAR(body_of(world, id).position[2], x, 1e-8);
        }
        CHECK_NEAR(scree_world_clock(world).time, 5, 1e-12);
        printf("stiffness %g: %.2f evaluations a step\n", stiffness[s],
               (double)scree_world_detection_stats(world).force_evaluations / 50);
        CHECK(scree_world_detection_stats(world).force_evaluations < 50 * 150);
        scree_world_destroy(world);
    }
}

/*  The same with an explicit step beyond the stable one: it is this that the implicit one is for. */
TEST(where_explicit_steps_blow_up)
{
    PROVES("NW-09");
    scree_world_def def = implicit_def(0.1);
    scree_body_id id;

    def.step.integrator = SCREE_SYMPLECTIC_EULER;
    scree_world *world = press(&def, 1e4, 0.05, &id);
    CHECK(scree_world_step(world, 50) != SCREE_OK || fabs(body_of(world, id).position[2]) > 1);
    scree_world_destroy(world);
}

/* ---- guesses that oscillate, and guesses that creep up ---- */

typedef struct slope
{
    double stiffness; /* of a force stiffness * x along each axis */
} slope;

static scree_status push_out(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                             void *user)
{
    const slope *given = user;

    (void)time;
    for (size_t row = 0; row < bodies->count; row++) {
        double force[3];
        for (int k = 0; k < 3; k++)
            force[k] = given->stiffness * scree_row_at(bodies->position, row)[k];
        scree_force_sink_add_row(sink, row, force, NULL);
    }
    return SCREE_OK;
}

/*  Guesses in 20 steps of 1 s of a body of mass 1, compared with v' = (v + k x) / (1 - k), x' = x + v'. */
static uint64_t guesses_on(double stiffness, bool accelerates)
{
    scree_world_def def = implicit_def(1);
    slope given = {stiffness};
    double x[3] = {1, -0.25, 0.5}, v[3] = {0, 0.125, -0.5};

    def.step.picard = (scree_picard_def){.tolerance = 1e-9, .iterations = 1000, .halvings = 0};
    def.step.picard.accelerates = accelerates;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(1, x[0], x[1], x[2]);
    memcpy(made.velocity, v, sizeof v);
    made.mass = 1;
    scree_body_id id = add(world, &made);
    scree_world_set_force(world, push_out, &given);
    for (int n = 0; n < 20; n++) {
        step(world, 1);
        for (int k = 0; k < 3; k++) {
            v[k] = (v[k] + stiffness * x[k]) / (1 - stiffness);
            x[k] += v[k];
            CHECK_NEAR(body_of(world, id).position[k], x[k], 1e-6 * (1 + fabs(x[k])));
        }
    }
    uint64_t guesses = scree_world_detection_stats(world).force_evaluations;
    scree_world_destroy(world);
    return guesses;
}

/*  What 20 steps of 1 s of a body of mass 1 are wrong by at most, as a share of the force at the end of a step. */
static double error_of_force(double stiffness, double tolerance)
{
    scree_world_def def = implicit_def(1);
    slope given = {stiffness};
    double worst = 0;

    def.step.picard.tolerance = tolerance;
    def.step.picard.accelerates = false;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(1, 1, -0.25, 0.5);
    made.velocity[1] = 0.125;
    made.mass = 1;
    scree_body_id id = add(world, &made);
    scree_world_set_force(world, push_out, &given);
    for (int n = 0; n < 20; n++) {
        scree_body before = body_of(world, id);
        step(world, 1);
        scree_body after = body_of(world, id);
        double wrong = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            double guess = after.position[k] - before.position[k] - before.velocity[k];
            double force = stiffness * after.position[k];
            wrong += pow(guess - force, 2);
            size += force * force;
        }
        worst = fmax(worst, sqrt(wrong / size));
    }
    scree_world_destroy(world);
    return worst;
}

TEST(forces_are_settled_to_the_tolerance)
{
    PROVES("NW-09 NW-31");
    static const double stiffness[] = {0.1, 0.3, 0.6}, tolerances[] = {0.1, 0.01, 1e-4};

    CHECK(scree_default_world_def().step.picard.tolerance == 0.01);
    for (int t = 0; t < 3; t++) {
        double worst = 0;
        for (int s = 0; s < 3; s++)
            worst = fmax(worst, error_of_force(stiffness[s], tolerances[t]));
        FIGURE("tolerance %g: force off by %.2g at most", tolerances[t], worst);
        CHECK(worst <= tolerances[t]);
        CHECK(worst > 0.05 * tolerances[t]);
    }
}

/*  Each residual is the stiffness times the one before, of the same sign. */
TEST(guesses_that_creep_up_are_accelerated)
{
    PROVES("NW-29");
    static const double stiffness[] = {0.05, 0.15, 0.3, 0.45, 0.6};

    for (int s = 0; s < 5; s++) {
        uint64_t plain = guesses_on(stiffness[s], false), fast = guesses_on(stiffness[s], true);
        printf("stiffness %g: %.2f guesses a step, accelerated %.2f\n", stiffness[s],
               (double)plain / 20, (double)fast / 20);
        if (s == 0 || s == 4)
            FIGURE("stiffness %g: %.2f guesses, accelerated %.2f", stiffness[s], (double)plain / 20,
                   (double)fast / 20);
        CHECK(3 * fast < 2 * plain);
        CHECK(stiffness[s] > 0.4 || 2 * fast < plain);
    }
}

/*  Of the opposite sign, and larger from 1 on: then iteration alone, here, does not end, and the world's does, whether it may
    accelerate or not. */
TEST(guesses_that_oscillate_are_damped)
{
    PROVES("NW-29");
    static const double stiffness[] = {0.5, 0.99, 1.5, 4, 100, 1e4};

    for (int s = 0; s < 6; s++) {
        double force = 0, before = 0;
        for (int n = 0; n < 1000 && fabs(force) < 1e100; n++) {
            before = force;
            force = -stiffness[s] * (1 + force);
        }
        CHECK((fabs(force - before) <= 1e-9 + 1e-3 * fabs(force)) == (stiffness[s] < 1));
        uint64_t damped = guesses_on(-stiffness[s], false);
        uint64_t both = guesses_on(-stiffness[s], true);
        printf("stiffness -%g: %.2f guesses a step, accelerated as well %.2f\n", stiffness[s],
               (double)damped / 20, (double)both / 20);
        if (s == 5)
            FIGURE("stiffness -%g: %.2f guesses", stiffness[s], (double)damped / 20);
        CHECK(damped < 20 * 40 && both < 20 * 40);
    }
}

/* ---- beds ---- */

static uint32_t random_bits(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/*  Balls that fall into a box and come to rest. */
static scree_world *make_bed(const scree_world_def *def, double stiffness, int across)
{
    scree_material_def material = springy(stiffness, 0.5);
    scree_world *world = make_linear(def, &material);
    uint32_t state = 7;

    add_plane(world, 0, 1);
    for (int side = 0; side < 4; side++) {
        scree_wall_def wall = scree_default_wall_def();
        wall.material.index1 = 1;
        wall.normal[2] = 0;
        wall.normal[side / 2] = side % 2 ? -1 : 1;
        wall.point[side / 2] = side % 2 ? 2.2e-3 * across : 0;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    for (int k = 0; k < across * across * across; k++) {
        double jitter[3];
        for (int a = 0; a < 3; a++)
            jitter[a] = 1e-4 * (random_bits(&state) / 16777216.0 - 0.5);
        scree_body_def made = ball(1e-3, 1.1e-3 + 2.2e-3 * (k % across) + jitter[0],
                                   1.1e-3 + 2.2e-3 * (k / across % across) + jitter[1],
                                   1.1e-3 + 2.2e-3 * (k / across / across) + jitter[2]);
        add(world, &made);
    }
    return world;
}

TEST(a_bed_settles_in_steps_longer_than_stable)
{
    /* m = 1.05e-5: for one contact of 500 N/m sqrt(m / k) is 1.4e-4 */
    static const double dts[] = {2e-5, 2e-4};

    for (int k = 0; k < 2; k++) {
        scree_world_def def = implicit_def(dts[k]);
        def.gravity[2] = -9.81;
        scree_world *world = make_bed(&def, 1000, 5);
        uint64_t steps = 0;
        while (scree_world_clock(world).time < 0.2) {
            step(world, 1);
            steps++;
        }
        scree_energy energy = scree_world_energy(world);
        scree_detection_stats c = scree_world_detection_stats(world);
        scree_totals totals = scree_world_totals(world);
        printf("dt %g: %llu steps, %.1f evaluations a step, kinetic %.3g, coordination %.2f, "
               "height %.4g\n",
               dts[k], (unsigned long long)steps, (double)c.force_evaluations / (double)steps,
               energy.kinetic, totals.coordination, totals.centre[2]);
        CHECK(energy.kinetic < 1e-7);
        CHECK(totals.coordination > 3);
        CHECK(totals.centre[2] > 3.5e-3 && totals.centre[2] < 5.5e-3);
        CHECK_EQUAL(c.late_contacts, 0);
        scree_world_destroy(world);
    }
}

/* ---- what is kept ---- */

/*  Forces cancel in pairs, whatever was guessed. */
TEST(momentum_is_kept)
{
    PROVES("NW-07");
    scree_world_def def = implicit_def(2e-4);
    scree_material_def material = springy(1000, 0.5);
    scree_world *world = make_linear(&def, &material);
    double before[3] = {0};

    for (int k = 0; k < 40; k++) {
        scree_body_def made = ball(1e-3, 1.9e-3 * (k % 4), 1.9e-3 * (k / 4 % 4), 1.9e-3 * (k / 16));
        made.velocity[k % 3] = 0.1 * (k % 7 - 3);
        made.spin[(k + 1) % 3] = 20;
        add(world, &made);
    }
    memcpy(before, scree_world_totals(world).momentum, sizeof before);
    step(world, 200);
    printf("%.2f evaluations a step\n",
           (double)scree_world_detection_stats(world).force_evaluations / 200);
    scree_totals totals = scree_world_totals(world);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(totals.momentum[k], before[k], 1e-18);
    CHECK(scree_world_detection_stats(world).force_evaluations > 250);
    scree_world_destroy(world);
}

/* ---- steps that do not settle ---- */

/*  A ball so fast that one step takes it deep into the floor. */
static scree_world *make_crash(scree_world_def *def, scree_body_id *id)
{
    scree_material_def material = springy(1e5, 0.5);
    scree_world *world = make_linear(def, &material);
    scree_body_def made = ball(1e-3, 0, 0, 1.2e-3);

    add_plane(world, 0, 1);
    made.velocity[2] = -10;
    *id = add(world, &made);
    return world;
}

TEST(a_step_that_does_not_settle_is_refused)
{
    PROVES("NW-31");
    scree_world_def def = implicit_def(5e-5);
    scree_body_id id;

    def.step.picard = (scree_picard_def){.tolerance = 1e-6, .iterations = 2, .halvings = 0};
    scree_world *world = make_crash(&def, &id);
    uint64_t before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "not settled after 2 guesses");
    CHECK_SAYS(scree_world_message(world), "body 1 ");
    CHECK(scree_world_digest(world) == before);
    CHECK_EQUAL(scree_world_clock(world).steps, 0);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

/*  Halved until it settles, or goes no deeper than the limit; then it grows again, twofold at most. */
TEST(a_step_that_does_not_settle_is_halved)
{
    scree_world_def def = implicit_def(3e-4);
    scree_body_id id;
    double last = 0, least = 1;

    scree_world *world = make_crash(&def, &id);
    for (int k = 0; k < 60; k++) {
        step(world, 1);
        double dt = scree_world_clock(world).dt;
        CHECK(last == 0 || dt <= 2 * last);
        CHECK(dt <= def.step.dt);
        last = dt;
        least = dt < least ? dt : least;
    }
    printf("shortest step %g, speed after it %g\n", least, body_of(world, id).velocity[2]);
    CHECK(least < def.step.dt);
    CHECK(last == def.step.dt);
    CHECK(body_of(world, id).velocity[2] > 0 && body_of(world, id).position[2] > 1e-3);
    CHECK(scree_world_message(world)[0] == 0);
    scree_world_destroy(world);
}

/* ---- state ---- */

/*  Tolerance and limits go with the state: a world that had others continues as the one that was written. */
TEST(snapshots_know_how_steps_are_found)
{
    scree_world_def def = implicit_def(1e-4), other = implicit_def(3e-4);
    scree_snapshot *snapshot;

    def.gravity[2] = -9.81;
    def.step.picard =
        (scree_picard_def){.tolerance = 1e-3, .iterations = 40, .halvings = 5, .accelerates = true};
    scree_world *world = make_bed(&def, 1000, 3), *second = make_bed(&other, 1000, 3), *copy;
    step(world, 200);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(second, snapshot), SCREE_OK);
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    CHECK_EQUAL(scree_world_copy(world, &other, &copy), SCREE_OK);
    step(world, 300);
    step(second, 300);
    step(copy, 300);
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    scree_world_destroy(copy);
    scree_world_destroy(second);
    /* and one that is not implicit has no such part */
    other.step.integrator = SCREE_VELOCITY_VERLET;
    second = make_bed(&other, 1000, 3);
    CHECK_EQUAL(scree_world_restore(second, snapshot), SCREE_OK);
    step(second, 300);
    CHECK(scree_world_digest(second) == scree_world_digest(world));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(second);
    scree_world_destroy(world);
}

/* ---- memory ---- */

/*  Every request of the first steps fails once: the step is refused, nothing has changed, and the next try leads to
    where it would have led. */
TEST(requests_fail)
{
    uint64_t expected = 0;
    size_t failed = 0;

    for (size_t k = 0; k == 0 || k <= failed + 1; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = implicit_def(1e-4);
        def.gravity[2] = -9.81;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_bed(&def, 1000, 3);
        uint64_t before = scree_world_digest(world);
        memory.fail_at = k ? memory.requests + k : 0;
        scree_status status = scree_world_step(world, 1);
        memory.fail_at = 0;
        failed += memory.failures;
        CHECK_EQUAL(status, memory.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (status) {
            CHECK(scree_world_message(world)[0]);
            CHECK(scree_world_digest(world) == before);
            step(world, 1);
        }
        step(world, 300);
        expected = k ? expected : scree_world_digest(world);
        CHECK(scree_world_digest(world) == expected);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
    }
    CHECK(failed > 10);
}

TEST(definitions_that_make_no_sense)
{
    static const struct
    {
        scree_picard_def picard;
        const char *says;
    } bad[] = {
        {{0, 100, 10, true, false, false}, "picard.tolerance is 0"},
        {{1, 100, 10, true, false, false}, "picard.tolerance is 1"},
        {{NAN, 100, 10, true, false, false}, "picard.tolerance is nan"},
        {{0.01, 0, 10, true, false, false}, "picard.iterations is 0"},
        {{0.01, 10001, 10, true, false, false}, "picard.iterations is 10001"},
        {{0.01, 100, 61, true, false, false}, "picard.halvings is 61"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        scree_world_def def = implicit_def(1e-3);
        scree_error error = {0};
        scree_world *world;
        def.step.picard = bad[k].picard;
        def.hooks.error = &error;
        CHECK_EQUAL(scree_world_create(&def, &world), SCREE_BAD_ARGUMENT);
        CHECK(world == NULL);
        CHECK_SAYS(error.text, bad[k].says);
    }
}

TEST(masses_are_not_scaled)
{
    scree_world_def def = implicit_def(1e-3), scaled = def;
    scree_error error = {0};
    scree_world *world;

    scaled.step.mode = SCREE_TIME_MASS_SCALING;
    scaled.hooks.error = &error;
    CHECK_EQUAL(scree_world_create(&scaled, &world), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "need no mass scaling");
    world = make_world(&def, NULL);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_MASS_SCALING, 1e-3), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "need no mass scaling");
    step(world, 1);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_spring_goes_as_the_formula_says),
        CASE(where_explicit_steps_blow_up),
        CASE(forces_are_settled_to_the_tolerance),
        CASE(guesses_that_creep_up_are_accelerated),
        CASE(guesses_that_oscillate_are_damped),
        CASE(a_bed_settles_in_steps_longer_than_stable),
        CASE(momentum_is_kept),
        CASE(a_step_that_does_not_settle_is_refused),
        CASE(a_step_that_does_not_settle_is_halved),
        CASE(snapshots_know_how_steps_are_found),
        CASE(requests_fail),
        CASE(definitions_that_make_no_sense),
        CASE(masses_are_not_scaled),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
