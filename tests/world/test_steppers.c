/*  Integrators against what is known: free motion, springs, impacts, and what holds bodies or slows them. */
#include "base/portable_math.h"
#include "harness/world_maker.h"

#include <math.h>

static scree_world_def integrator_def(scree_integrator integrator, double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.integrator = integrator;
    def.step.dt = dt;
    /* what is looked at here is the step, not how well it is found */
    def.step.picard.tolerance = 1e-10;
    return def;
}

static double order_due(int integrator)
{
    return integrator == SCREE_VELOCITY_VERLET ? 2 : 1;
}

/*  From the errors at a step and at half of it. */
static double order_of(double error, double half_error)
{
    return scree_ln(error / half_error) / scree_ln(2);
}

/* ---- free motion ---- */

TEST(falls_exactly)
{
    static const double start[3] = {0, 5, -5};

    for (int k = 0; k < 3; k++) {
        scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-4);
        def.gravity[2] = -9.81;
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = ball(0.1, 0, 0, 0);
        made.velocity[2] = start[k];
        scree_body_id id = add(world, &made);
        step(world, 20000);
        double t = 2, due = start[k] * t - 9.81 * t * t / 2;
        CHECK_NEAR(scree_world_clock(world).time, t, 1e-11);
        CHECK_NEAR(body_of(world, id).position[2], due, 1e-12 * fabs(due) + 2e-12);
        CHECK_NEAR(body_of(world, id).velocity[2], start[k] - 9.81 * t, 1e-11);
        scree_world_destroy(world);
    }
}

/*  Symplectic Euler is ahead by half a step: x = v t + g t (t + dt) / 2. */
TEST(euler_falls_ahead)
{
    scree_world_def def = integrator_def(SCREE_SYMPLECTIC_EULER, 1e-3);
    def.gravity[2] = -9.81;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.1, 0, 0, 0);
    scree_body_id id = add(world, &made);

    step(world, 1000);
    CHECK_NEAR(body_of(world, id).position[2], -9.81 * 1.001 / 2, 1e-12);
    CHECK_NEAR(body_of(world, id).velocity[2], -9.81, 1e-12);
    scree_world_destroy(world);
}

TEST(turns_under_a_constant_torque)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        scree_world_def def = integrator_def((scree_integrator)integrator, 1e-3);
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = ball(0.1, 0, 0, 0);
        scree_body_id id = add(world, &made);
        scree_body body = body_of(world, id);
        double rate = 2, angle, sine, cosine;
        body.load[4] = rate * body.inertia[0];
        CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
        step(world, 1000);
        body = body_of(world, id);
        angle = rate * (integrator == SCREE_VELOCITY_VERLET ? 1 : 1.001) / 2;
        scree_sin_cos(angle / 2, &sine, &cosine);
        CHECK_NEAR(body.spin[1], 2, 1e-12);
        CHECK_NEAR(body.orientation[0], cosine, 1e-12);
        CHECK_NEAR(body.orientation[2], sine, 1e-12);
        CHECK(body.spin[0] == 0 && body.spin[2] == 0);
        scree_world_destroy(world);
    }
}

/* ---- a pair that vibrates ---- */

/*  Springs act until bodies are 0.1 apart, both ways: a pair at rest there. */
static scree_status spring_prepare(const scree_law_input *input,
                                   double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1000;
    return SCREE_OK;
}

static void spring_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

static scree_world *make_springs(scree_integrator integrator, double dt)
{
    static const scree_law spring = {
        .name = "spring", .reach = 0.1, .prepare = spring_prepare, .force = spring_force};
    scree_world_def def = integrator_def(integrator, dt);
    scree_world *world = make_world(&def, NULL);
    scree_rule_def rule = scree_default_rule_def();

    rule.own_law = &spring;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

/*  After a time that is no round number of periods; masses 1 and 2. */
static double error_of_pair(scree_integrator integrator, int steps)
{
    double time = 0.37, dt = time / steps, rate = sqrt(1000 * 1.5), error;
    scree_world *world = make_springs(integrator, dt);
    scree_body_def a = ball(0.5, 0, 0, 0), b = ball(0.5, 1.05, 0, 0);
    scree_body_id first, second;

    a.mass = 1;
    b.mass = 2;
    first = add(world, &a);
    second = add(world, &b);
    step(world, (uint64_t)steps);
    error = fabs(body_of(world, second).position[0] - body_of(world, first).position[0] - 1 -
                 0.05 * scree_cos(rate * time));
    /* the centre stays */
    CHECK_NEAR(body_of(world, first).position[0] + 2 * body_of(world, second).position[0], 2.1,
               1e-12);
    scree_world_destroy(world);
    return error;
}

TEST(order_of_a_vibrating_pair)
{
    PROVES("NW-07");
    for (int integrator = 0; integrator <= SCREE_IMPLICIT_MULTISCALE; integrator++) {
        double due = order_due(integrator), error[4];
        for (int level = 0; level < 4; level++)
            error[level] = error_of_pair((scree_integrator)integrator, 400 << level);
        for (int level = 0; level < 3; level++)
            CHECK_NEAR(order_of(error[level], error[level + 1]), due, 0.05);
    }
}

/*  Symplectic: the energy neither grows nor shrinks in ten thousand periods. */
TEST(vibrates_for_ever)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        scree_world *world = make_springs((scree_integrator)integrator, 2e-3);
        scree_body_def a = ball(0.5, 0, 0, 0), b = ball(0.5, 1.05, 0, 0);
        double early = 0, late = 0;
        a.mass = b.mass = 1;
        scree_body_id first = add(world, &a), second = add(world, &b);
        for (int k = 0; k < 400000; k++) {
            step(world, 1);
            if (k < 4000 || k >= 396000) {
                scree_body one = body_of(world, first), two = body_of(world, second);
                double stretch = two.position[0] - one.position[0] - 1;
                double energy =
                    0.5 * (one.velocity[0] * one.velocity[0] + two.velocity[0] * two.velocity[0] +
                           1000 * stretch * stretch);
                *(k < 4000 ? &early : &late) += energy / 4000;
            }
        }
        CHECK_NEAR(early, 1.25, 0.1);
        /* the windows hold no whole number of periods: 1 / 57 of a ripple of 1e-2 */
        CHECK_NEAR(late, early, 2e-4 * early);
        scree_world_destroy(world);
    }
}

/* ---- an impact ---- */

/*  Two alike, head on, elastic by Hertz: after a fixed number of contact times, how far apart, against a
    run with steps far shorter. */
static double distance_after_impact(scree_integrator integrator, int steps)
{
    scree_material_def material = scree_default_material_def();
    scree_world_def def = integrator_def(integrator, 4e-3 / steps);
    double apart;

    material.restitution = 1;
    material.friction = 0;
    material.young = 1e7;
    scree_world *world = make_world(&def, &material);
    scree_body_def a = ball(0.01, 0, 0, 0), b = ball(0.01, 0.0201, 0, 0);
    a.velocity[0] = 0.5;
    b.velocity[0] = -0.5;
    scree_body_id first = add(world, &a), second = add(world, &b);
    step(world, (uint64_t)steps);
    apart = body_of(world, second).position[0] - body_of(world, first).position[0];
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, 0);
    scree_world_destroy(world);
    return apart;
}

TEST(order_of_an_impact)
{
    /* Hertz: t_c = 2.9432 (15 m* / (16 E* sqrt(R* v)))^(2/5); force is only once differentiable at touch, which
       costs a little of the order */
    double fine = distance_after_impact(SCREE_VELOCITY_VERLET, 400000);

    for (int integrator = 0; integrator < 2; integrator++) {
        /* of the second for Euler, too: it is Verlet with velocities half a step behind, and where it begins
           and ends in free flight these are the same */
        double coarse, half;
        coarse = fabs(distance_after_impact((scree_integrator)integrator, 400) - fine);
        half = fabs(distance_after_impact((scree_integrator)integrator, 6400) - fine);
        CHECK_NEAR(order_of(coarse, half) / 4, 2, 0.25);
    }
}

TEST(an_elastic_impact_gives_all_back)
{
    PROVES("NW-07");
    for (int integrator = 0; integrator < 2; integrator++) {
        scree_material_def material = scree_default_material_def();
        scree_world_def def = integrator_def((scree_integrator)integrator, 1e-6);
        material.restitution = 1;
        material.young = 1e7;
        scree_world *world = make_world(&def, &material);
        scree_body_def a = ball(0.01, 0, 0, 0), b = ball(0.01, 0.0201, 0, 0);
        a.velocity[0] = 0.5;
        scree_body_id first = add(world, &a), second = add(world, &b);
        step(world, 5000);
        CHECK_EQUAL(scree_world_detection_stats(world).contacts, 0);
        /* 3000 steps in the contact; the error is of order dt^2, or of dt at its two ends */
        CHECK_NEAR(body_of(world, first).velocity[0], 0, 1e-6);
        CHECK_NEAR(body_of(world, second).velocity[0], 0.5, 1e-6);
        double sum = body_of(world, first).velocity[0] + body_of(world, second).velocity[0];
        FIGURE("momentum off by %.1e of itself", fabs(sum / 0.5 - 1));
        CHECK_NEAR(sum, 0.5, 1e-14);
        scree_world_destroy(world);
    }
}

/* ---- what holds and pushes ---- */

TEST(frozen_components_keep_their_velocity)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        for (int flag = 0; flag < 6; flag++) {
            scree_world_def def = integrator_def((scree_integrator)integrator, 1e-3);
            for (int k = 0; k < 3; k++)
                def.gravity[k] = -10;
            scree_world *world = make_world(&def, NULL);
            scree_body_def made = ball(0.1, 0, 0, 0);
            for (int k = 0; k < 3; k++)
                made.velocity[k] = made.spin[k] = 0.5 + k;
            made.flags = 1u << flag;
            scree_body_id id = add(world, &made);
            scree_body body = body_of(world, id);
            for (int k = 0; k < 3; k++)
                body.load[3 + k] = body.inertia[0];
            CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
            step(world, 100);
            body = body_of(world, id);
            for (int k = 0; k < 3; k++) {
                if (flag == k) {
                    CHECK(body.velocity[k] == 0.5 + k);
                    CHECK_NEAR(body.position[k], 0.05 + 0.1 * k, 1e-14);
                } else {
                    CHECK_NEAR(body.velocity[k], -0.5 + k, 1e-12);
                }
                if (flag == 3 + k)
                    CHECK(body.spin[k] == 0.5 + k);
                else
                    CHECK_NEAR(body.spin[k], 0.6 + k, 1e-12);
            }
            scree_world_destroy(world);
        }
    }
}

/*  A ghost pushes and stays; two of them do not touch. */
TEST(ghosts_stay)
{
    scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-5);
    def.gravity[0] = 3;
    scree_world *world = make_world(&def, NULL);
    scree_body_def ghost = ball(0.1, 0, 0, 0), other = ball(0.1, 0.15, 0, 0),
                   real = ball(0.1, -0.19, 0, 0);
    scree_body_id ids[3];

    ghost.flags = other.flags = SCREE_GHOST;
    ghost.velocity[1] = ghost.spin[2] = 1;
    ids[0] = add(world, &ghost);
    ids[1] = add(world, &other);
    ids[2] = add(world, &real);
    step(world, 100);
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, 1);
    for (int k = 0; k < 3; k++) {
        CHECK(body_of(world, ids[0]).position[k] == ghost.position[k]);
        CHECK(body_of(world, ids[0]).velocity[k] == ghost.velocity[k]);
        CHECK(body_of(world, ids[0]).spin[k] == ghost.spin[k]);
    }
    CHECK(memcmp(body_of(world, ids[0]).orientation, ghost.orientation, sizeof ghost.orientation) ==
          0);
    CHECK(body_of(world, ids[2]).velocity[0] < 0);
    scree_world_destroy(world);
}

TEST(loads_push)
{
    scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-2);
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.1, 0, 0, 0);
    scree_body_id id;
    scree_body body;

    made.mass = 4;
    id = add(world, &made);
    body = body_of(world, id);
    for (int k = 0; k < 3; k++)
        body.load[k] = 8 * (k + 1);
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    step(world, 100);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(body_of(world, id).velocity[k], 2 * (k + 1), 1e-12);
        CHECK_NEAR(body_of(world, id).position[k], k + 1, 1e-12);
        CHECK(body_of(world, id).force[k] == 8 * (k + 1));
    }
    scree_world_destroy(world);
}

/* ---- the host's function ---- */

typedef struct pull
{
    double last_time;
    uint64_t calls;
    bool refuses;
} pull;

/*  A spring to the origin for all bodies. */
static scree_status pull_home(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                              void *user)
{
    pull *p = user;

    p->last_time = time;
    p->calls++;
    for (size_t b = 0; b < bodies->count; b++) {
        const double *x = scree_row_at(bodies->position, b);
        scree_force_sink_add_row(sink, b, (double[3]){-100 * x[0], -100 * x[1], -100 * x[2]},
                                 (double[3]){0, 0, 0.5});
    }
    return p->refuses ? SCREE_BAD_FILE : SCREE_OK;
}

static double error_of_pull(scree_integrator integrator, int steps)
{
    scree_world_def def = integrator_def(integrator, 0.5 / steps);
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.01, 0.3, -0.2, 0.1);
    double error = 0, sine, cosine;
    pull p = {0};

    made.mass = 1;
    scree_body_id id = add(world, &made);
    scree_world_set_force(world, pull_home, &p);
    step(world, (uint64_t)steps);
    CHECK_EQUAL(p.calls, steps + 1); /* once at the start, then at the end of each step */
    CHECK_NEAR(p.last_time, 0.5, 1e-12);
    scree_sin_cos(10 * 0.5, &sine, &cosine);
    for (int k = 0; k < 3; k++)
        error = fmax(error, fabs(body_of(world, id).position[k] - made.position[k] * cosine));
    scree_body body = body_of(world, id);
    CHECK_NEAR(body.spin[2], 0.5 * 0.5 / body.inertia[2], 1e-9 / body.inertia[2]);
    scree_world_destroy(world);
    return error;
}

TEST(the_host_pulls)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        double error[3];
        for (int level = 0; level < 3; level++)
            error[level] = error_of_pull((scree_integrator)integrator, 100 << level);
        for (int level = 0; level < 2; level++)
            CHECK_NEAR(order_of(error[level], error[level + 1]), order_due(integrator), 0.1);
    }
}

TEST(the_host_refuses)
{
    scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-3);
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.01, 0.3, -0.2, 0.1);
    scree_body_id id = add(world, &made);
    pull p = {0};
    uint64_t digest;

    scree_world_set_force(world, pull_home, &p);
    step(world, 5);
    digest = scree_world_digest(world);
    p.refuses = true;
    CHECK_EQUAL(scree_world_step(world, 5), SCREE_BAD_FILE);
    CHECK_SAYS(scree_world_message(world), "force function");
    CHECK(scree_world_digest(world) == digest);
    p.refuses = false;
    step(world, 1);
    CHECK(fabs(body_of(world, id).velocity[0]) > 0.1);
    scree_world_set_force(world, NULL, NULL);
    step(world, 1);
    scree_world_destroy(world);
}

/* ---- damping ---- */

static double error_of_drag(scree_integrator integrator, int steps)
{
    scree_world_def def = integrator_def(integrator, 1.0 / steps);
    def.global_damping = 2;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.01, 0, 0, 0);
    double due = scree_exp(-2), error;

    made.velocity[0] = made.spin[1] = 3;
    scree_body_id id = add(world, &made);
    step(world, (uint64_t)steps);
    error = fabs(body_of(world, id).velocity[0] - 3 * due);
    /* spins decay as velocities do */
    CHECK_NEAR(body_of(world, id).spin[1], body_of(world, id).velocity[0], 1e-12);
    scree_world_destroy(world);
    return error;
}

TEST(drag_decays)
{
    for (int integrator = 0; integrator <= SCREE_IMPLICIT_MULTISCALE; integrator++) {
        double error[3];
        for (int level = 0; level < 3; level++)
            error[level] = error_of_drag((scree_integrator)integrator, 100 << level);
        CHECK(error[2] < 5e-3);
        for (int level = 0; level < 2; level++)
            CHECK_NEAR(order_of(error[level], error[level + 1]), order_due(integrator), 0.1);
    }
}

/*  A share of the resultant works against the motion: up it is slowed by 1.3 g, down it falls with 0.7 g. */
TEST(local_damping_opposes_motion)
{
    scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-4);
    def.local_damping = 0.3;
    def.gravity[2] = -10;
    scree_world *world = make_world(&def, NULL);
    scree_body_def up = ball(0.01, 0, 0, 0), down = ball(0.01, 1, 0, 0), rest = ball(0.01, 2, 0, 0);
    scree_body_id ids[3];

    up.velocity[2] = 20;
    down.velocity[2] = -1;
    ids[0] = add(world, &up);
    ids[1] = add(world, &down);
    ids[2] = add(world, &rest);
    step(world, 10000);
    CHECK_NEAR(body_of(world, ids[0]).velocity[2], 20 - 13, 1e-10);
    CHECK_NEAR(body_of(world, ids[1]).velocity[2], -1 - 7, 1e-10);
    /* from rest: one force of the beginning without damping */
    CHECK_NEAR(body_of(world, ids[2]).velocity[2], -7, 2e-3);
    CHECK(body_of(world, ids[2]).velocity[2] < -7);
    scree_world_destroy(world);
}

/* ---- two dimensions ---- */

TEST(nothing_leaves_the_plane)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        scree_world_def def = integrator_def((scree_integrator)integrator, 1e-4);
        def.dimensions = 2;
        def.gravity[1] = -10;
        scree_world *world = make_world(&def, NULL);
        scree_body_def made[3] = {ball(0.1, 0, 0, 0), ball(0.1, 0.15, 0.11, 0),
                                  ball(0.1, 0.05, 0.3, 0)};
        scree_body_id ids[3];
        double about = 0, about_later = 0;
        made[0].flags = SCREE_FREEZE;
        made[1].velocity[0] = -1;
        made[2].velocity[1] = -2;
        made[2].spin[2] = 20;
        for (int k = 0; k < 3; k++)
            ids[k] = add(world, &made[k]);
        /* what a load says of the third dimension is not followed */
        scree_body body = body_of(world, ids[2]);
        body.load[2] = body.load[3] = body.load[4] = 1;
        CHECK_EQUAL(scree_world_set_body(world, ids[2], &body), SCREE_OK);
        about = fabs(body.spin[2]);
        step(world, 2000);
        for (int k = 0; k < 3; k++) {
            body = body_of(world, ids[k]);
            CHECK(body.position[2] == 0 && body.velocity[2] == 0);
            CHECK(body.spin[0] == 0 && body.spin[1] == 0);
            CHECK(body.orientation[1] == 0 && body.orientation[2] == 0);
            about_later += fabs(body.spin[2]);
        }
        /* they met */
        CHECK(fabs(about_later - about) > 1e-3);
        scree_world_destroy(world);
    }
}

/*  A disc has mass density pi r^2 and half of that times r^2 of inertia. */
TEST(discs_weigh_as_discs)
{
    scree_world_def def = integrator_def(SCREE_VELOCITY_VERLET, 1e-4);
    def.dimensions = 2;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.1, 0, 0, 0);
    scree_body body = body_of(world, add(world, &made));

    CHECK_NEAR(body.mass, 2500 * 3.14159265358979 * 0.01, 1e-12);
    CHECK_NEAR(body.inertia[2], 0.5 * body.mass * 0.01, 1e-15);
    scree_world_destroy(world);
}

/* ---- a body that tumbles, among the others ---- */

/*  Struck off centre by a load for some steps, then free: its angular momentum is what the load gave. */
TEST(odd_bodies_tumble)
{
    for (int integrator = 0; integrator < 2; integrator++) {
        scree_world_def def = integrator_def((scree_integrator)integrator, 1e-3);
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = ball(0.1, 0, 0, 0);
        made.mass = 1;
        made.inertia[0] = 1;
        made.inertia[1] = 2;
        made.inertia[2] = 3;
        scree_body_id id = add(world, &made);
        scree_body body = body_of(world, id);
        body.load[3] = 0.5;
        body.load[4] = 2;
        body.load[5] = -1;
        CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
        step(world, 1000);
        body = body_of(world, id);
        memset(body.load, 0, sizeof body.load);
        CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
        step(world, 3000);
        scree_totals totals = scree_world_totals(world);
        CHECK_NEAR(totals.angular_momentum[0], 0.5, 1e-11);
        CHECK_NEAR(totals.angular_momentum[1], 2, 1e-11);
        CHECK_NEAR(totals.angular_momentum[2], -1, 1e-11);
        CHECK(fabs(body_of(world, id).spin[0] - body.spin[0]) > 1e-3);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(falls_exactly),
        CASE(euler_falls_ahead),
        CASE(turns_under_a_constant_torque),
        CASE(order_of_a_vibrating_pair),
        CASE(vibrates_for_ever),
        CASE(order_of_an_impact),
        CASE(an_elastic_impact_gives_all_back),
        CASE(frozen_components_keep_their_velocity),
        CASE(ghosts_stay),
        CASE(loads_push),
        CASE(the_host_pulls),
        CASE(the_host_refuses),
        CASE(drag_decays),
        CASE(local_damping_opposes_motion),
        CASE(nothing_leaves_the_plane),
        CASE(discs_weigh_as_discs),
        CASE(odd_bodies_tumble),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
