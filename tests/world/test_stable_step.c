/*  Which step is stable: sums of springs and dashpots, as by hand and as spheres do that go to and fro. */
#include "step_maker.h"

TEST(infinite_without_contacts)
{
    scree_world_def def = given(1e-5);
    scree_world *world = make_linear(&def);
    scree_body_def body = ball(1e-3, 0, 0, 0);

    CHECK(stable_step(world).dt == INFINITY);
    add(world, &body);
    CHECK(stable_step(world).dt == INFINITY);
    CHECK_EQUAL(stable_step(world).body.index1, 0);
    step(world, 1);
    CHECK(stable_step(world).dt == INFINITY);
    CHECK_EQUAL(scree_world_stable_step(NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_stable_step(world, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/*  A row of three along x, the last one smaller: by hand. */
TEST(sums_over_contacts)
{
    scree_world_def def = given(1e-7);
    scree_world *world = make_linear(&def);
    double big = 1e-3, small = 0.5e-3;
    scree_body_def bodies[3] = {ball(big, 0, 0, 0), ball(big, 1.99e-3, 0, 0),
                                ball(small, 1.99e-3 + 1.49e-3, 0, 0)};
    scree_body_id ids[3];
    scree_stable_step stable;
    double mass, inertia, along, about, due;

    for (int k = 0; k < 3; k++)
        ids[k] = add(world, &bodies[k]);
    stable = stable_step(world);
    mass = body_of(world, ids[2]).mass;
    inertia = body_of(world, ids[2]).inertia[0];
    /* the small one: once the normal stiffness along x; about y and z the tangential one at its arm */
    along = sqrt(mass / STIFFNESS);
    about = sqrt(inertia / (RATIO * STIFFNESS * 0.495e-3 * 0.495e-3));
    due = fmin(along, about);
    /* the arm is where the overlap is halved */
    CHECK_NEAR(stable.springs, due, 1e-12 * due);
    CHECK(is_same(stable.body, ids[2]));
    CHECK(is_same(stable.partner, ids[1]));
    /* it is there whether or not a step has been taken, and asking changes nothing */
    uint64_t digest = scree_world_digest(world);
    stable_step(world);
    CHECK(scree_world_digest(world) == digest);
    step(world, 1);
    digest = scree_world_digest(world);
    /* the step has moved it by 3e-9 m, of an arm of 5e-4 m */
    CHECK_NEAR(stable_step(world).springs, due, 1e-5 * due);
    CHECK(scree_world_digest(world) == digest);
    scree_world_destroy(world);
}

/*  Turned in space: sums along the axes are other ones then. Two contacts at right angles, in the plane of x
    and y at 45 degrees. */
TEST(projects_on_the_axes)
{
    scree_world_def def = given(1e-7);
    scree_world *world = make_linear(&def);
    double h = 1.98e-3 * sqrt(0.5), mass, inertia, along, about;
    scree_body_def middle = ball(1e-3, 0, 0, 0), one = ball(1e-3, h, h, 0),
                   other = ball(1e-3, h, -h, 0);
    scree_body_id id = add(world, &middle);

    one.flags = other.flags = SCREE_FREEZE;
    add(world, &one);
    add(world, &other);
    mass = body_of(world, id).mass;
    inertia = body_of(world, id).inertia[0];
    /* along x: 2 (kn / 2 + kt / 2); along z: 2 kt; about z: 2 kt r^2, about x: kt r^2 */
    along = sqrt(mass / (STIFFNESS * (1 + RATIO)));
    about = sqrt(inertia / (2 * RATIO * STIFFNESS * 0.99e-3 * 0.99e-3));
    CHECK_NEAR(stable_step(world).springs, fmin(along, about), 1e-12 * along);
    CHECK(is_same(stable_step(world).body, id));
    /* components that are frozen do not vibrate */
    scree_body body = body_of(world, id);
    body.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK_NEAR(stable_step(world).springs, along, 1e-12 * along);
    body.flags |= SCREE_FREEZE_X | SCREE_FREEZE_Y;
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK_NEAR(stable_step(world).springs, sqrt(mass / (2 * RATIO * STIFFNESS)), 1e-12 * along);
    body.flags = SCREE_FREEZE;
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK(stable_step(world).dt == INFINITY);
    scree_world_destroy(world);
}

/*  Also where the list of contacts must be made again for it. */
TEST(asking_leaves_what_contacts_did)
{
    scree_world_def def = given(1e-7);
    scree_world *world = make_linear(&def);
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 1.99e-3, 0, 0), c = ball(1e-3, 1, 0, 0);
    scree_rule_def rule = scree_default_rule_def();
    const scree_contact *contacts;
    size_t count;

    add(world, &a);
    add(world, &b);
    step(world, 3);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 1);
    double force = contacts[0].force[0];
    CHECK(force < -0.5);
    rule.groups = 2;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    uint64_t digest = scree_world_digest(world);
    CHECK(stable_step(world).dt < 1e-3);
    CHECK(scree_world_digest(world) == digest);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 1);
    CHECK(contacts[0].force[0] == force);
    /* a body that came is looked at, and asking does not make it part of the last step */
    c.position[0] = 3.98e-3;
    add(world, &c);
    digest = scree_world_digest(world);
    CHECK_EQUAL(stable_step(world).body.index1, 2);
    CHECK(scree_world_digest(world) == digest);
    step(world, 1);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 2);
    scree_world_destroy(world);
}

TEST(dashpots_by_hand)
{
    scree_world_def def = given(1e-7);
    scree_world *world = make_linear(&def);
    scree_body_def light = ball(1e-3, 0, 0, 0), heavy = ball(2e-3, 2.99e-3, 0, 0);

    light.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    heavy.flags = SCREE_FREEZE;
    scree_body_id id = add(world, &light);
    add(world, &heavy);
    double due = pushed_step(body_of(world, id).mass, 8);
    CHECK_NEAR(stable_step(world).dt, due, 1e-12 * due);
    scree_world_destroy(world);
}

/*  Spheres in a cubic lattice that all turn one way, held in place: how fast after 2,000 steps of so much of what is
    stable. */
static double spin_after(double restitution, double share)
{
    scree_world_def def = given(1e-7);
    scree_material_def material = scree_default_material_def();
    double fastest = 0;

    material.restitution = restitution;
    material.friction = 1e6;
    scree_world *world = make_world(&def, &material);
    for (int k = 0; k < 125; k++) {
        scree_body_def body =
            ball(1e-3, 1.98e-3 * (k % 5), 1.98e-3 * (k / 5 % 5), 1.98e-3 * (k / 25));
        for (int a = 0; a < 3; a++)
            body.spin[a] = 1e-3;
        body.flags = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z;
        add(world, &body);
    }
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, share * stable_step(world).dt),
                SCREE_OK);
    step(world, 2000);
    scree_bodies_view view = scree_world_bodies(world);
    for (size_t k = 0; k < view.count; k++)
        fastest = fmax(fastest, fabs(scree_row_at(view.spin, k)[2]));
    scree_world_destroy(world);
    return fastest;
}

/*  And not far from it what turns to and fro grows, where springs alone would be stable up to several times as much. */
TEST(what_dashpots_allow_is_stable)
{
    static const double restitution[] = {0.05, 0.1, 0.3, 0.5};

    for (int k = 0; k < 4; k++) {
        double inside = spin_after(restitution[k], 1), outside = spin_after(restitution[k], 1.8);
        if (!(inside < 5e-4 && outside > 1))
            FAIL("restitution %g: from 1e-3 rad/s to %g, and with steps 1.8 times as long to %g",
                 restitution[k], inside, outside);
    }
}

TEST(walls_count)
{
    scree_world_def def = given(1e-7);
    scree_world *world = make_linear(&def);
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def body = ball(1e-3, 0, 0, 0.99e-3);
    scree_body_id id = add(world, &body);
    scree_stable_step stable;

    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    stable = stable_step(world);
    double along = sqrt(body_of(world, id).mass / STIFFNESS);
    double about = sqrt(body_of(world, id).inertia[0] / (RATIO * STIFFNESS * 0.99e-3 * 0.99e-3));
    CHECK_NEAR(stable.springs, fmin(along, about), 1e-12 * along);
    CHECK(is_same(stable.body, id));
    CHECK_EQUAL(stable.partner.index1, 0);
    scree_world_destroy(world);
}

/*  Hertz stiffens as it is pressed: k = 2 E* sqrt(R d). */
TEST(hertz_by_hand)
{
    scree_world_def def = given(1e-7);
    scree_material_def material = scree_default_material_def();
    material.young = 7e9;
    material.poisson = 0.2;
    material.stiffness_ratio = 1;
    scree_world *world = make_world(&def, &material);
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 1.999e-3, 0, 0);
    scree_body_id id = add(world, &a);

    add(world, &b);
    double young = 7e9 / 2 / (1 - 0.04), shear = 7e9 / 2 / 1.2 / 2 / 1.8,
           size = sqrt(0.5e-3 * 1e-6);
    double along = sqrt(body_of(world, id).mass / (2 * young * size));
    double about = sqrt(body_of(world, id).inertia[0] / (8 * shear * size * 0.9995e-3 * 0.9995e-3));
    /* the overlap is a difference of places: 1e-6 of 2e-3, to 2e-19 */
    CHECK_NEAR(stable_step(world).springs, fmin(along, about), 1e-11 * along);
    CHECK(is_same(stable_step(world).body, id)); /* of two that are alike the first */
    scree_world_destroy(world);
}

/*  A law that says nothing of its stiffness is pressed a little harder. */
static scree_status plain_prepare(const scree_law_input *input,
                                  double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)user;
    constants[0] = 3e4;
    return SCREE_OK;
}

static void plain_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

TEST(laws_that_do_not_say)
{
    static const scree_law plain = {
        .name = "plain", .prepare = plain_prepare, .force = plain_force};
    scree_world_def def = given(1e-7);
    scree_world *world = make_world(&def, NULL);
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def a = ball(1e-3, 0, 0, 0), b = ball(1e-3, 1.99e-3, 0, 0);

    rule.own_law = &plain;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    scree_body_id id = add(world, &a);
    add(world, &b);
    double along = sqrt(body_of(world, id).mass / 3e4);
    double about = sqrt(body_of(world, id).inertia[0] / (3e4 * 0.995e-3 * 0.995e-3));
    /* a difference over 2^-20 of the radius */
    CHECK_NEAR(stable_step(world).springs, fmin(along, about), 1e-7 * along);
    scree_world_destroy(world);
}

/*  A spring and a dashpot of twice its critical damping. */
static void dashing_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -(constants[0] * batch->overlap[k] +
                                   4 * sqrt(constants[0] * batch->mass[k]) * batch->approach[k]) *
                                 batch->normal[a][k];
}

TEST(dashpots_of_a_law_of_the_host)
{
    static const scree_law dashing = {
        .name = "dashing", .prepare = plain_prepare, .force = dashing_force};
    scree_world_def def = given(1e-7);
    scree_world *world = make_world(&def, NULL);
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def light = ball(1e-3, 0, 0, 0), heavy = ball(2e-3, 2.99e-3, 0, 0);

    rule.own_law = &dashing;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    light.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    heavy.flags = SCREE_FREEZE;
    scree_body_id id = add(world, &light);
    add(world, &heavy);
    /* taken to be the same across, where springs count three times */
    double mass = body_of(world, id).mass, a = 3 * 3e4, b = 4 * 4 * sqrt(3e4 * mass * 8 / 9);
    double due = (sqrt(b * b + 4 * a * 1.6 * mass) - b) / (2 * a);
    CHECK_NEAR(stable_step(world).dt, due, 1e-6 * due);
    scree_world_destroy(world);
}

/*  Remembers the sum of its overlaps, and pushes a little more for it. */
static void counting_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++) {
        double sum = batch->memory[0][k] + batch->overlap[k];
        batch->next[0][k] = sum;
        for (int a = 0; a < 3; a++)
            batch->force[a][k] =
                -constants[0] * (batch->overlap[k] + 1e-3 * sum) * batch->normal[a][k];
    }
}

static void keep_quiet(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)level;
    (void)id;
    (void)text;
    (void)user;
}

/*  Laws are asked again where a given step is compared with the stable one, which is no part of the state. */
TEST(being_asked_again_is_not_stored)
{
    static const scree_law counting = {
        .name = "counting", .memory_count = 1, .prepare = plain_prepare, .force = counting_force};
    uint64_t digest[2];

    for (int is_looked_at = 0; is_looked_at < 2; is_looked_at++) {
        scree_world_def def = given(1e-7);
        scree_rule_def rule = scree_default_rule_def();
        if (is_looked_at)
            def.hooks.log.write = keep_quiet;
        scree_world *world = make_world(&def, NULL);
        rule.own_law = &counting;
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
        for (int k = 0; k < 300; k++) {
            scree_body_def body = ball(1e-3, 1.99e-3 * k, 0, 0);
            add(world, &body);
        }
        step(world, 200);
        digest[is_looked_at] = scree_world_digest(world);
        scree_world_destroy(world);
    }
    CHECK(digest[0] == digest[1]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(infinite_without_contacts),
        CASE(sums_over_contacts),
        CASE(projects_on_the_axes),
        CASE(asking_leaves_what_contacts_did),
        CASE(dashpots_by_hand),
        CASE(what_dashpots_allow_is_stable),
        CASE(walls_count),
        CASE(hertz_by_hand),
        CASE(laws_that_do_not_say),
        CASE(dashpots_of_a_law_of_the_host),
        CASE(being_asked_again_is_not_stored),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
