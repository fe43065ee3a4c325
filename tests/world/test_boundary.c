/*  The boundary of the domain: what happens to bodies there, and that it depends on nothing else. */
#include "base/random.h"
#include "harness/world_maker.h"
#include "scree/body.h"

#include <math.h>

static scree_world_def box_def(scree_boundary boundary)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-2;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = boundary;
        def.domain.lower[k] = -1;
        def.domain.upper[k] = 2;
    }
    return def;
}

static scree_body_def thrown(double radius, const double from[3], const double velocity[3])
{
    scree_body_def def = ball(radius, from[0], from[1], from[2]);

    memcpy(def.velocity, velocity, sizeof def.velocity);
    def.spin[0] = 3;
    return def;
}

/*  The domain comes with the world, before any body can: what cannot be one is refused, and what was given can be asked for. */
TEST(pfc_01_the_domain_comes_first)
{
    scree_error error = {SCREE_OK, ""};
    scree_world_def def = box_def(SCREE_BOUNDARY_STOP);
    scree_body_def body = ball(0.1, 0, 0, 0);
    scree_boundary boundary[3];
    double lower[3], upper[3];
    scree_world *world;

    def.hooks.error = &error;
    for (int axis = 0; axis < 3; axis++) {
        static const double wrong[][2] = {{1, 1}, {2, 1}, {0, INFINITY}, {NAN, 1}};
        for (size_t k = 0; k < 4; k++) {
            scree_world_def bad = def;
            bad.domain.lower[axis] = wrong[k][0];
            bad.domain.upper[axis] = wrong[k][1];
            CHECK_EQUAL(scree_world_create(&bad, &world), SCREE_BAD_ARGUMENT);
            CHECK(!world && strstr(error.text, "lower"));
            CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_BAD_ARGUMENT);
        }
    }
    def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[2] = -7;
    world = make_world(&def, NULL);
    scree_world_get_domain(world, lower, upper, boundary);
    CHECK(memcmp(lower, def.domain.lower, sizeof lower) == 0 && lower[2] == -7);
    CHECK(memcmp(upper, def.domain.upper, sizeof upper) == 0);
    CHECK(memcmp(boundary, def.domain.boundary, sizeof boundary) == 0);
    scree_world_get_domain(world, NULL, NULL, NULL);
    scree_world_get_domain(NULL, lower, upper, boundary);
    CHECK(lower[2] == 0 && upper[0] == 0 && boundary[0] == SCREE_BOUNDARY_NONE);
    scree_world_destroy(world);
}

TEST(nothing_happens_without_a_boundary)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_NONE);
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = thrown(0.1, (double[3]){1.9, 0, 0}, (double[3]){50, 0, 0});
    scree_body_id id = add(world, &body);

    step(world, 10);
    CHECK_NEAR(body_of(world, id).position[0], 1.9 + 50 * 0.1, 1e-12);
    CHECK(body_of(world, id).velocity[0] == 50);
    scree_world_destroy(world);
}

/* ---- stop ---- */

TEST(pfc_02_stops_at_each_side)
{
    for (int side = 0; side < 6; side++) {
        scree_world_def def = box_def(SCREE_BOUNDARY_NONE);
        double velocity[3] = {0.5, 0.5, 0.5};
        scree_body body;
        int axis = side / 2;
        def.domain.boundary[axis] = SCREE_BOUNDARY_STOP;
        velocity[axis] = side % 2 ? 50 : -50;
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = thrown(0.1, (double[3]){0.5, 0.5, 0.5}, velocity);
        scree_body_id id = add(world, &made);
        /* the centre comes to the boundary after three steps, and passes it in the fourth */
        step(world, 3);
        CHECK(body_of(world, id).velocity[axis] == velocity[axis]);
        CHECK(body_of(world, id).spin[0] == 3);
        step(world, 1);
        body = body_of(world, id);
        for (int k = 0; k < 3; k++)
            CHECK(body.velocity[k] == 0 && body.spin[k] == 0);
        double there = body.position[axis];
        CHECK(side % 2 ? there > 2 : there < -1);
        step(world, 10);
        CHECK(body_of(world, id).position[axis] == there);
        scree_world_destroy(world);
    }
}

/*  Weight moves nothing that has been stopped, not even a little in each step, with any integrator; a body that is put
    inside falls again. */
TEST(what_is_stopped_stays_there)
{
    for (int integrator = 0; integrator <= SCREE_IMPLICIT_MULTISCALE; integrator++) {
        scree_world_def def = box_def(SCREE_BOUNDARY_NONE);
        def.domain.boundary[1] = SCREE_BOUNDARY_STOP;
        def.gravity[2] = -10;
        def.step.integrator = (scree_integrator)integrator;
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = thrown(0.1, (double[3]){0, 1.9, 0}, (double[3]){0, 50, 0});
        scree_body_id id = add(world, &made);
        step(world, 1);
        scree_body there = body_of(world, id), later;
        CHECK(there.position[1] > 2 && there.flags == 0 && there.type == SCREE_BODY_DYNAMIC);
        step(world, 500);
        later = body_of(world, id);
        CHECK(memcmp(later.position, there.position, sizeof there.position) == 0);
        CHECK(memcmp(later.orientation, there.orientation, sizeof there.orientation) == 0);
        CHECK(later.velocity[2] == 0 && later.spin[0] == 0);

        /* what the host gives it for a step is taken away at its end, and weight still does not count */
        CHECK_EQUAL(scree_body_set_velocity(world, id, (double[3]){0, 0, 0}), SCREE_OK);
        step(world, 1);
        later = body_of(world, id);
        CHECK(memcmp(later.position, there.position, sizeof there.position) == 0);

        later.position[1] = 0;
        CHECK_EQUAL(scree_world_set_body(world, id, &later), SCREE_OK);
        step(world, 10);
        CHECK_NEAR(body_of(world, id).velocity[2], -10 * 10 * def.step.dt, 1e-9);
        scree_world_destroy(world);
    }
}

TEST(stopping_is_booked)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_STOP);
    def.energy_balance = true;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = thrown(0.1, (double[3]){0.5, 0.5, 0.5}, (double[3]){50, 1, -2});
    scree_energy before, after;

    add(world, &made);
    step(world, 1);
    before = scree_world_energy(world);
    CHECK(before.boundary == 0);
    CHECK(before.kinetic > 0 && before.rotational > 0);
    step(world, 9);
    after = scree_world_energy(world);
    CHECK(after.kinetic == 0 && after.rotational == 0);
    CHECK_NEAR(after.boundary, -before.kinetic - before.rotational, 1e-12 * before.kinetic);
    scree_world_destroy(world);
}

/* ---- reflect ---- */

TEST(pfc_03_turns_round_what_leads_out)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_REFLECT);
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = thrown(0.1, (double[3]){1.75, 0.5, 0.5}, (double[3]){10, 0.25, -0.5});
    scree_body_id id = add(world, &made);

    step(world, 2);
    CHECK(body_of(world, id).velocity[0] == 10);
    /* outside by 0.05 after the third step; back in after the fourth, without being turned round again */
    step(world, 1);
    CHECK(body_of(world, id).velocity[0] == -10);
    CHECK(body_of(world, id).velocity[1] == 0.25);
    CHECK(body_of(world, id).velocity[2] == -0.5);
    CHECK(body_of(world, id).spin[0] == 3);
    CHECK_NEAR(body_of(world, id).position[0], 2.05, 1e-12);
    step(world, 1);
    CHECK(body_of(world, id).velocity[0] == -10);
    step(world, 29);
    CHECK(body_of(world, id).velocity[0] == -10);
    step(world, 1);
    CHECK(body_of(world, id).velocity[0] == 10);
    scree_world_destroy(world);
}

/*  Far outside it takes many steps to come back: it must not be turned round in each. */
TEST(does_not_chatter)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_REFLECT);
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = thrown(0.1, (double[3]){3, 0.5, -2.5}, (double[3]){1, 0, -1});
    scree_body_id id = add(world, &made);

    step(world, 50);
    CHECK(body_of(world, id).velocity[0] == -1);
    CHECK(body_of(world, id).velocity[2] == 1);
    CHECK_NEAR(body_of(world, id).position[0], 3.01 - 0.49, 1e-12);
    scree_world_destroy(world);
}

/* ---- destroy ---- */

TEST(pfc_04_destroys_what_is_wholly_outside)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_DESTROY);
    def.energy_balance = true;
    scree_world *world = make_world(&def, NULL);
    scree_body_def leaves = thrown(0.1, (double[3]){1.9, 0, 0}, (double[3]){5, 0, 0});
    scree_body_def stays = thrown(0.1, (double[3]){-1, 0, 0}, (double[3]){0, 0, 0});
    scree_body_id gone = add(world, &leaves), kept = add(world, &stays);
    scree_totals totals;
    double energy;

    step(world, 1);
    energy = scree_world_energy(world).kinetic + scree_world_energy(world).rotational;
    /* at 2.1 it still touches the boundary, to rounding; a step later it does not */
    step(world, 2);
    CHECK(scree_world_has_body(world, gone));
    step(world, 2);
    CHECK(!scree_world_has_body(world, gone));
    CHECK(scree_world_has_body(world, kept));
    totals = scree_world_totals(world);
    CHECK_EQUAL(totals.bodies, 1);
    CHECK_EQUAL(totals.destroyed, 1);
    CHECK_EQUAL(totals.removed, 1);
    CHECK_NEAR(scree_world_energy(world).removed,
               energy - scree_world_energy(world).kinetic - scree_world_energy(world).rotational,
               1e-9 * energy);
    scree_world_destroy(world);
}

TEST(an_empty_world_has_boundaries_too)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_DESTROY);
    scree_world *world = make_world(&def, NULL);
    step(world, 3);
    CHECK_EQUAL(scree_world_totals(world).destroyed, 0);
    scree_world_destroy(world);
}

TEST(destroys_below_as_above)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_DESTROY);
    scree_world *world = make_world(&def, NULL);
    scree_body_def leaves = thrown(0.1, (double[3]){0, 0, -0.98}, (double[3]){0, 0, -5});
    scree_body_id id = add(world, &leaves);

    /* at -1.03 and -1.08 some of it is inside */
    step(world, 2);
    CHECK(scree_world_has_body(world, id));
    step(world, 1);
    CHECK(!scree_world_has_body(world, id));
    scree_world_destroy(world);
}

/*  Many go in the same step: names come free in an order that does not depend on where bodies lie, so bodies
    that are added later get the same ones. */
TEST(destroys_in_the_order_of_serials)
{
    scree_body_id made[2][20];

    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = box_def(SCREE_BOUNDARY_DESTROY);
        scree_body_id ids[64];
        def.detection.sort_every = variant ? 1 : 0;
        scree_world *world = make_world(&def, NULL);
        for (int k = 0; k < 64; k++) {
            /* places in another order than serials */
            double y = -0.9 + 0.04 * (k * 37 % 64);
            scree_body_def body =
                thrown(0.01, (double[3]){k % 3 ? 0 : 1.9, y, 0}, (double[3]){k % 3 ? 0 : 10, 0, 0});
            ids[k] = add(world, &body);
        }
        step(world, 5);
        for (int k = 0; k < 64; k++)
            CHECK_EQUAL(scree_world_has_body(world, ids[k]), k % 3 != 0);
        CHECK_EQUAL(scree_world_totals(world).destroyed, 22);
        for (int k = 0; k < 20; k++) {
            scree_body_def body =
                thrown(0.01, (double[3]){1, -0.9 + 0.04 * k, 0.5}, (double[3]){0, 0, 0});
            made[variant][k] = add(world, &body);
        }
        scree_world_destroy(world);
    }
    CHECK(memcmp(made[0], made[1], sizeof made[0]) == 0);
}

/* ---- periodic ---- */

TEST(comes_in_on_the_other_side)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_PERIODIC);
    scree_world *world = make_world(&def, NULL);
    scree_body_def right = thrown(0.1, (double[3]){1.95, 0.5, 0.5}, (double[3]){10, 0, 0});
    scree_body_def left = thrown(0.1, (double[3]){-0.95, -0.5, 0.5}, (double[3]){-10, 0, 0});
    /* many periods out, and back in one step */
    scree_body_def far =
        thrown(0.1, (double[3]){3 * 123456.0 + 0.25, 1.5, 0.5}, (double[3]){0, 0, 0});
    scree_body_def low =
        thrown(0.1, (double[3]){0.25, 1, -3 * 765432.0 + 1.5}, (double[3]){0, 0, 0});
    scree_body_id ids[4] = {add(world, &right), add(world, &left), add(world, &far),
                            add(world, &low)};

    step(world, 1);
    CHECK_NEAR(body_of(world, ids[0]).position[0], -0.95, 1e-12);
    CHECK_NEAR(body_of(world, ids[1]).position[0], 1.95, 1e-12);
    CHECK_NEAR(body_of(world, ids[2]).position[0], 0.25, 1e-9);
    CHECK_NEAR(body_of(world, ids[3]).position[2], 1.5, 1e-9);
    CHECK(body_of(world, ids[0]).velocity[0] == 10);
    CHECK(body_of(world, ids[0]).spin[0] == 3);
    scree_world_destroy(world);
}

/*  What falls for ever gains energy; the boundary gives it. */
TEST(periodic_falls_are_booked)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_PERIODIC);
    def.energy_balance = true;
    def.gravity[2] = -10;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.1, 0, 0, 0);
    scree_energy before, after;
    double mass;

    mass = body_of(world, add(world, &made)).mass;
    before = scree_world_energy(world);
    step(world, 400);
    after = scree_world_energy(world);
    /* 80 m: 27 periods */
    CHECK_NEAR(after.boundary, 27 * 3 * 10 * mass, 1e-9 * after.kinetic);
    CHECK_NEAR(after.kinetic + after.potential, before.kinetic + before.potential + after.boundary,
               1e-9 * after.kinetic);
    scree_world_destroy(world);
}

/*  Two that fly side by side across the boundary stay in touch with what they remember: the same as where no
    boundary is. */
TEST(contacts_last_across_the_boundary)
{
    scree_material_def material = scree_default_material_def();
    scree_body end[2][2];

    material.restitution = 1;
    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = box_def(variant ? SCREE_BOUNDARY_PERIODIC : SCREE_BOUNDARY_NONE);
        def.step.dt = 1e-4;
        scree_world *world = make_world(&def, &material);
        /* pressed together, sheared, and on their way; 0.05 periods from the boundary */
        scree_body_def a = ball(0.1, 1.85, 0.5, 0.5), b = ball(0.1, 1.85 + 0.195, 0.5, 0.5);
        a.velocity[0] = b.velocity[0] = 20;
        a.velocity[1] = 1;
        scree_body_id first = add(world, &a), second = add(world, &b);
        step(world, 60);
        CHECK(scree_world_detection_stats(world).contacts == 1);
        step(world, 60);
        end[variant][0] = body_of(world, first);
        end[variant][1] = body_of(world, second);
        scree_world_destroy(world);
    }
    for (int k = 0; k < 2; k++) {
        /* rounding of places, times the stiffness of a contact of 1e7 Pa over 12 ms */
        for (int axis = 0; axis < 3; axis++) {
            CHECK_NEAR(end[0][k].velocity[axis], end[1][k].velocity[axis], 1e-9);
            CHECK_NEAR(end[0][k].spin[axis], end[1][k].spin[axis], 1e-8);
        }
        CHECK_NEAR(end[0][k].position[0], end[1][k].position[0] + 3, 1e-11);
    }
}

/*  64 in a lattice, all on their way along x, or in all directions. */
static scree_world *make_gas(const scree_world_def *def, bool is_wild)
{
    scree_material_def material = scree_default_material_def();
    scree_random random = scree_random_stream(5, 0);

    material.restitution = 1;
    material.young = 1e9;
    scree_world *world = make_world(def, &material);
    for (int k = 0; k < 64; k++) {
        scree_body_def body =
            ball(0.1, -0.9 + 0.7 * (k % 4), -0.9 + 0.7 * (k / 4 % 4), -0.9 + 0.7 * (k / 16));
        body.position[0] += scree_random_range(&random, -0.2, 0.2);
        body.velocity[0] = 1;
        for (int axis = 0; is_wild && axis < 3; axis++)
            body.velocity[axis] = scree_random_range(&random, -3, 3);
        add(world, &body);
    }
    return world;
}

/*  A body that wraps around is where it was for the search: no more searches than without a boundary. */
TEST(crossing_brings_about_no_search)
{
    uint64_t searches[2];

    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = box_def(variant ? SCREE_BOUNDARY_PERIODIC : SCREE_BOUNDARY_NONE);
        def.step.dt = 1e-3;
        scree_world *world = make_gas(&def, false);
        step(world, 3500); /* each crosses once at least */
        searches[variant] = scree_world_detection_stats(world).rebuilds;
        scree_world_destroy(world);
    }
    CHECK(searches[0] < 1000);
    CHECK(searches[1] <= searches[0] + 2);
}

/*  And nothing is missed: the same bits where nothing is stored from step to step. */
TEST(crossing_misses_nothing)
{
    static const scree_margin_kind margins[] = {SCREE_MARGIN_NONE, SCREE_MARGIN_TOLERANCE,
                                                SCREE_MARGIN_PER_BODY};
    static const char *const methods[] = {"cell-space", "flat", "bvh8"};
    uint64_t due = 0;

    for (int variant = 0; variant < 9; variant++) {
        scree_world_def def = box_def(SCREE_BOUNDARY_PERIODIC);
        def.step.dt = 2e-4;
        def.detection.margin.kind = margins[variant % 3];
        def.detection.method = methods[variant / 3];
        def.detection.sort_every = variant == 4 ? 100 : 0;
        scree_world *world = make_gas(&def, true);
        step(world, 3000);
        if (variant == 0)
            due = scree_world_digest(world);
        CHECK(scree_world_digest(world) == due);
        CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
        scree_world_destroy(world);
    }
}

/*  So fast that it comes in by many periods in a step, in the midst of others, none of which it meets: else it would be
    refused. */
TEST(crosses_many_periods_in_a_step)
{
    uint64_t due = 0;

    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = box_def(SCREE_BOUNDARY_PERIODIC);
        def.detection.margin.kind = variant ? SCREE_MARGIN_PER_BODY : SCREE_MARGIN_NONE;
        scree_world *world = make_gas(&def, false);
        scree_body_def fast = ball(0.01, -0.95, -0.6, -0.55);
        fast.velocity[0] = 301;
        fast.velocity[1] = -300310; /* 1001 periods */
        fast.groups = fast.mask = 2;
        scree_body_id id = add(world, &fast);
        /* all in all more periods than a detector follows */
        step(world, 1100);
        CHECK(body_of(world, id).position[0] >= -1 && body_of(world, id).position[0] < 2);
        CHECK(body_of(world, id).position[1] >= -1 && body_of(world, id).position[1] < 2);
        if (variant == 0)
            due = scree_world_digest(world);
        CHECK(scree_world_digest(world) == due);
        scree_world_destroy(world);
    }
}

/* ---- all of it ---- */

TEST(leaves_ghosts_alone)
{
    static const scree_boundary kinds[] = {SCREE_BOUNDARY_STOP, SCREE_BOUNDARY_REFLECT,
                                           SCREE_BOUNDARY_DESTROY, SCREE_BOUNDARY_PERIODIC};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        scree_world_def def = box_def(kinds[k]);
        scree_world *world = make_world(&def, NULL);
        scree_body_def made = thrown(0.1, (double[3]){5, 0, 0}, (double[3]){1, 0, 0});
        made.flags = SCREE_GHOST;
        scree_body_id id = add(world, &made);
        step(world, 3);
        CHECK(scree_world_has_body(world, id));
        CHECK(body_of(world, id).position[0] == 5);
        CHECK(body_of(world, id).velocity[0] == 1);
        scree_world_destroy(world);
    }
}

/*  Axes may differ, and two dimensions have two. */
TEST(pfc_06_each_axis_has_its_own)
{
    scree_world_def def = box_def(SCREE_BOUNDARY_NONE);
    scree_body body;

    def.dimensions = 2;
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.boundary[1] = SCREE_BOUNDARY_REFLECT;
    scree_world *world = make_world(&def, NULL);
    scree_body_def made = ball(0.1, 1.9, 1.9, 0);
    made.velocity[0] = made.velocity[1] = 15;
    scree_body_id id = add(world, &made);
    step(world, 1);
    body = body_of(world, id);
    CHECK_NEAR(body.position[0], -0.95, 1e-12);
    CHECK_NEAR(body.position[1], 2.05, 1e-12);
    CHECK(body.velocity[0] == 15 && body.velocity[1] == -15);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_01_the_domain_comes_first),
        CASE(nothing_happens_without_a_boundary),
        CASE(pfc_02_stops_at_each_side),
        CASE(what_is_stopped_stays_there),
        CASE(stopping_is_booked),
        CASE(pfc_03_turns_round_what_leads_out),
        CASE(does_not_chatter),
        CASE(pfc_04_destroys_what_is_wholly_outside),
        CASE(an_empty_world_has_boundaries_too),
        CASE(destroys_below_as_above),
        CASE(destroys_in_the_order_of_serials),
        CASE(comes_in_on_the_other_side),
        CASE(periodic_falls_are_booked),
        CASE(contacts_last_across_the_boundary),
        CASE(crossing_brings_about_no_search),
        CASE(crossing_misses_nothing),
        CASE(crosses_many_periods_in_a_step),
        CASE(leaves_ghosts_alone),
        CASE(pfc_06_each_axis_has_its_own),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
