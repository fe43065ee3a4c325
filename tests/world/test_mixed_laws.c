/*  Mixed precision: laws of the host's, the bound of friction, and what floats cannot hold. */
#include "harness/failing_allocator.h"
#include "sound_world.h"

/* ---- laws of the host ---- */

/*  A spring that remembers a third, and how often it was asked; it must not lose digits. */
static scree_status prepare_third(const scree_law_input *input, double *constants, void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e4;
    return SCREE_OK;
}

static void exert_third(const scree_batch *b, const double *c, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < b->count; k++) {
        for (int a = 0; a < 3; a++)
            b->force[a][k] = -c[0] * b->overlap[k] * b->normal[a][k];
        b->next[0][k] = 1.0 / 3;
        b->next[1][k] = b->memory[1][k] + 1;
        for (int m = 2; m < 9; m++)
            b->next[m][k] = b->overlap[k];
        if (b->energy)
            b->energy[k] = 0.5 * c[0] * b->overlap[k] * b->overlap[k];
        for (int l = 0; b->energy && l < SCREE_LOSSES; l++)
            b->loss[l][k] = 0;
    }
}

static const scree_law third = {.name = "third",
                                .summary = "a spring",
                                .memory_count = 9,
                                .prepare = prepare_third,
                                .force = exert_third};

/*  Balls of two materials fall upon each other: own law between unlike ones, hertz between like ones. */
static scree_world *open_both_laws(const scree_allocator *allocator, scree_precision precision,
                                   const char *own)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_material_id material[2];
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.precision = precision;
    def.gravity[1] = 0;
    def.method = "flat";
    if (allocator)
        def.allocator = *allocator;
    if (scree_world_create(&def, &world))
        return NULL;
    if (scree_world_add_material(world, &glass, &material[0]) ||
        scree_world_add_material(world, &glass, &material[1]))
        goto failed;
    rule.material[0] = material[0];
    rule.material[1] = material[1];
    if (own)
        rule.law = own;
    else
        rule.own_law = &third;
    if (scree_world_add_rule(world, &rule))
        goto failed;
    body.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 60; k++) {
        body.material = material[k % 2];
        body.position[0] = 0.0199 * (k % 5);
        body.position[1] = 0.0199 * (k / 5 % 4);
        body.position[2] = 0.0199 * (k / 20);
        body.velocity[0] = 0.1 * (k % 3 - 1);
        if (scree_world_add_body(world, &body, NULL))
            goto failed;
    }
    return world;

failed:
    scree_world_destroy(world);
    return NULL;
}

TEST(laws_of_the_host_compute_and_remember_in_double)
{
    scree_world *world = open_both_laws(NULL, SCREE_MIXED, NULL), *copy;
    scree_world_def def = scree_default_world_def();
    const scree_contact *contacts;
    size_t count, own = 0, built_in = 0;

    CHECK(world);
    advance(world, 9);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    advance(world, 1);
    advance(copy, 1);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    CHECK_EQUAL(scree_world_contacts(copy, NULL, &contacts, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        const scree_contact *c = &contacts[k];
        if (c->memory_count != 9) {
            built_in++;
            CHECK_EQUAL(c->memory_count, 4);
            CHECK(c->memory[3] == (double)(float)c->memory[3]); /* its overlap */
            continue;
        }
        own++;
        CHECK(c->memory[0] == 1.0 / 3);
        CHECK(c->memory[1] <= 11);
        CHECK(c->memory[8] == c->overlap);
        CHECK_NEAR(length_of(c->force), 1e4 * c->overlap, 2e-7 * 1e4 * c->overlap);
        CHECK(c->force[0] == (double)(float)c->force[0]);
    }
    CHECK(own > 20 && built_in > 20);
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

/*  Its forces are those in double, rounded once; so are the paths, to what a float may differ. */
TEST(laws_of_the_host_lead_to_the_same_paths)
{
    scree_world *mixed = open_both_laws(NULL, SCREE_MIXED, NULL);
    scree_world *exact = open_both_laws(NULL, SCREE_DOUBLE, NULL);

    CHECK(mixed && exact);
    advance(mixed, 500);
    advance(exact, 500);
    scree_bodies_view a = scree_world_bodies(mixed), b = scree_world_bodies(exact);
    for (size_t k = 0; k < a.count; k++)
        CHECK(distance(a.position[k], b.position[k]) < 1e-9);
    scree_world_destroy(mixed);
    scree_world_destroy(exact);
}

/* ---- Coulomb ---- */

TEST(the_bound_of_friction_is_kept)
{
    scree_world *world = open_both_laws(NULL, SCREE_MIXED, "linear");
    const scree_contact *contacts;
    size_t count, sliding = 0;

    CHECK(world);
    for (int turn = 0; turn < 50; turn++) {
        advance(world, 4);
        CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
        for (size_t k = 0; k < count; k++) {
            const double *n = contacts[k].normal, *f = contacts[k].force;
            double pressed = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
            const double along[3] = {f[0] - pressed * n[0], f[1] - pressed * n[1],
                                     f[2] - pressed * n[2]};
            double share = pressed == 0 ? 0 : length_of(along) / fabs(pressed);
            /* where spring and dashpot nearly cancel, so do the first digits */
            if (fabs(pressed) < 0.1 * 5e4 * contacts[k].overlap)
                continue;
            if (!(share <= 0.5))
                FAIL("a share of %.12g, pressed by %g", share, pressed);
            sliding += share > 0.49999;
        }
    }
    printf("%zu times sliding\n", sliding);
    CHECK(sliding > 20);
    scree_world_destroy(world);
}

/* ---- memory ---- */

static uint64_t digest_after(scree_world *world, int steps)
{
    for (int k = 0; k < steps; k++) {
        scree_status status = scree_world_step(world, 1);
        if (status) {
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK(scree_world_message(world)[0]);
            return 0;
        }
    }
    return scree_world_digest(world);
}

/*  Each request fails once; the step that it was for has not happened, and succeeds when it is made again. */
TEST(failing_requests_change_nothing)
{
    failing_allocator memory = {.fail_at = 0};
    scree_allocator hooks = failing_allocator_hooks(&memory);
    scree_world *world = open_both_laws(&hooks, SCREE_MIXED, NULL);
    size_t from = memory.requests, to;
    uint64_t expected;

    CHECK(world);
    expected = digest_after(world, 30);
    to = memory.requests;
    CHECK(to > from + 10);
    scree_world_destroy(world);
    for (size_t k = 1; k <= to; k++) {
        failing_allocator again = {.fail_at = k};
        hooks = failing_allocator_hooks(&again);
        world = open_both_laws(&hooks, SCREE_MIXED, NULL);
        CHECK(world || again.failures == 1);
        while (world && scree_world_clock(world).steps < 30) {
            uint64_t before = scree_world_digest(world);
            if (scree_world_step(world, 1))
                CHECK(scree_world_digest(world) == before);
        }
        if (world)
            CHECK(scree_world_digest(world) == expected);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&again));
    }
}

/* ---- what is refused ---- */

static scree_status try_body(scree_precision precision, double radius, double mass,
                             const char *says)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;
    scree_status status;

    def.precision = precision;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(radius);
    body.mass = mass;
    status = scree_world_add_body(world, &body, NULL);
    if (says)
        CHECK_SAYS(scree_world_message(world), says);
    scree_world_destroy(world);
    return status;
}

TEST(bodies_that_floats_cannot_hold_are_refused)
{
    CHECK_EQUAL(try_body(SCREE_DOUBLE, 1e-10, 0, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e-10, 0, "radius is 1e-10, must be 1e-9 to 1e6 in mixed"),
                SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 2e6, 1, "radius is 2e+06"), SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1, 1e-26, "mass is 1e-26, must be 1e-25 to 1e25 in mixed"),
                SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1, 1e26, "mass is 1e+26"), SCREE_BAD_VALUE);
    CHECK_EQUAL(try_body(SCREE_DOUBLE, 1, 1e26, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e-9, 0, NULL), SCREE_OK);
    CHECK_EQUAL(try_body(SCREE_MIXED, 1e6, 1e25, NULL), SCREE_OK);
}

/*  Two balls that overlap by a hundredth, between which a rule says so. */
static scree_world *open_pair(scree_precision precision, const char *law, const char *name,
                              double value, double overlap)
{
    scree_world_def def = sound_world();
    scree_material_def glass = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.precision = precision;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &glass, &body.material), SCREE_OK);
    rule.law = law;
    rule.names = &name;
    rule.values = &value;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    body.position[0] = 0.02 - 0.01 * overlap;
    CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    return world;
}

TEST(forces_beyond_floats_are_refused)
{
    static const double stiff[] = {1e50, 3e38};
    for (int k = 0; k < 2; k++) {
        scree_world *world = open_pair(SCREE_MIXED, "linear", "stiffness", stiff[k], 0.01);
        uint64_t before = scree_world_digest(world);
        /* at 3e38 N/m the stiffness is a float, and the force of 3e34 N; what goes with it is not */
        scree_status status = scree_world_step(world, 1);
        CHECK_EQUAL(status, k == 0 ? SCREE_BAD_VALUE : status);
        if (status)
            CHECK(scree_world_digest(world) == before);
        if (k == 0)
            CHECK_SAYS(scree_world_message(world), "is not finite (law linear)");
        scree_world_destroy(world);
    }
    /* the same is well in double */
    scree_world *world = open_pair(SCREE_DOUBLE, "linear", "stiffness", 1e50, 0.01);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 1e-40), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

/*  Between the root of the greatest float and that float squares are infinite, forces are not. */
TEST(great_and_small_forces_slide_as_others_do)
{
    static const double stiff[] = {1e24, 1e-20};

    for (int k = 0; k < 2; k++) {
        double share[2];
        for (int p = 0; p < 2; p++) {
            scree_world *world =
                open_pair((scree_precision)p, "linear", "stiffness", stiff[k], 0.01);
            scree_bodies_view view = scree_world_bodies(world);
            scree_body body;
            const scree_contact *contact;
            size_t count;
            CHECK_EQUAL(scree_world_get_body(world, view.id[0], &body), SCREE_OK);
            body.velocity[1] = k == 0 ? 1e9 : 1e-9;
            CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
            CHECK_EQUAL(scree_world_set_gravity(world, (const double[3]){0, 0, 0}), SCREE_OK);
            CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, k == 0 ? 1e-16 : 1e-3),
                        SCREE_OK);
            advance(world, 3);
            CHECK_EQUAL(scree_world_contacts(world, NULL, &contact, &count), SCREE_OK);
            CHECK_EQUAL(count, 1);
            share[p] = contact->force[1] / contact->force[0];
            scree_world_destroy(world);
        }
        printf("tangential over normal force: %.9g, in double %.9g\n", share[1], share[0]);
        CHECK(share[0] > 1e-3);
        CHECK_NEAR(share[1], share[0], 4e-6 * share[0]);
    }
}

TEST(overlaps_beyond_the_limit_are_refused_in_the_same_words)
{
    char text[2][300];

    for (int p = 0; p < 2; p++) {
        scree_world *world = open_pair((scree_precision)p, "hertz", "friction", 0.3, 0.7);
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
        snprintf(text[p], sizeof text[p], "%s", scree_world_message(world));
        scree_world_destroy(world);
    }
    CHECK_SAYS(text[1], "overlap by 0.7 of the smaller radius, the limit is 0.5");
    CHECK_TEXT(text[1], text[0]);
}

/* ---- stability ---- */

TEST(the_stable_step_is_that_of_double)
{
    static const char *const laws[] = {"hertz", "linear-rolling"};

    for (int l = 0; l < 2; l++) {
        scree_stable_step step[2];
        for (int p = 0; p < 2; p++) {
            scree_world *world = open_both_laws(NULL, (scree_precision)p, laws[l]);
            CHECK(world);
            CHECK_EQUAL(scree_world_stable_step(world, &step[p]), SCREE_OK);
            /* at rest is where the next one is looked at from */
            advance(world, 3);
            CHECK_EQUAL(scree_world_stable_step(world, &step[p]), SCREE_OK);
            scree_world_destroy(world);
        }
        CHECK(step[0].dt > 0);
        CHECK_NEAR(step[1].dt, step[0].dt, 1e-6 * step[0].dt);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(laws_of_the_host_compute_and_remember_in_double),
        CASE(laws_of_the_host_lead_to_the_same_paths),
        CASE(the_bound_of_friction_is_kept),
        CASE(failing_requests_change_nothing),
        CASE(bodies_that_floats_cannot_hold_are_refused),
        CASE(forces_beyond_floats_are_refused),
        CASE(great_and_small_forces_slide_as_others_do),
        CASE(overlaps_beyond_the_limit_are_refused_in_the_same_words),
        CASE(the_stable_step_is_that_of_double),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
