/*  One call for many steps or many calls for one each: hosts may read between calls alone, so steps within a call leave out
    what cannot be read, and go another way through the same numbers. */
#include "base/random.h"
#include "sound_world.h"

#include <string.h>

#define GRAINS 240

static void add_rule(scree_world *world, const char *law, scree_material_id a, scree_material_id b)
{
    const char *const names[] = {"contact_skin"};
    const double values[] = {1e-3};
    scree_rule_def rule = scree_default_rule_def();

    if (strcmp(law, "penalty") == 0) {
        rule.names = names;
        rule.values = values;
        rule.value_count = 1;
    }
    rule.type = SCREE_CONTACT_BODIES;
    rule.law = law;
    rule.material[0] = a;
    rule.material[1] = b;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
}

/*  Grains of two materials and sizes are thrown at each other in a box. `other`: of the law between the two; may be NULL. */
static scree_world *make_bed(const char *law, const char *other, scree_simd simd, uint32_t threads)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_random random = scree_random_stream(11, 0);
    scree_material_id id[2], none = {0};

    def.compute.simd = simd;
    def.compute.thread_count = threads;
    def.step.dt = 2e-5;
    scree_world *world = open_world(&def);
    for (int m = 0; m < 2; m++) {
        material.friction = 0.3 + 0.4 * m;
        CHECK_EQUAL(scree_world_add_material(world, &material, &id[m]), SCREE_OK);
    }
    if (other)
        add_rule(world, other, id[0], id[1]);
    add_rule(world, law, none, none);
    wall.material = id[0];
    for (int side = 0; side < 6; side++) {
        for (int a = 0; a < 3; a++) {
            wall.normal[a] = a == side / 2 ? (side % 2 ? -1 : 1) : 0;
            wall.point[a] = a == side / 2 && side % 2 ? 0.13 : 0;
        }
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    for (int k = 0; k < GRAINS; k++) {
        body.material = id[k % 2];
        body.shape = scree_shape_sphere(k % 2 ? 0.009 : 0.006);
        body.position[0] = 0.011 + 0.0205 * (k % 6);
        body.position[1] = 0.011 + 0.0205 * (k / 6 % 6);
        body.position[2] = 0.011 + 0.0182 * (k / 36);
        for (int a = 0; a < 3; a++)
            body.velocity[a] = scree_random_range(&random, -1, 1);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

/*  The same contacts with the same forces, to the last bit. */
static size_t check_contacts(scree_world *one, scree_world *many)
{
    const scree_contact *a, *b;
    size_t count, others;

    CHECK_EQUAL(scree_world_contacts(one, NULL, &a, &count), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(many, NULL, &b, &others), SCREE_OK);
    CHECK_EQUAL(count, others);
    for (size_t k = 0; k < count; k++) {
        CHECK_EQUAL(a[k].first.index1, b[k].first.index1);
        CHECK_EQUAL(a[k].second.index1, b[k].second.index1);
        for (int axis = 0; axis < 3; axis++)
            CHECK(a[k].force[axis] == b[k].force[axis] && a[k].moment[axis] == b[k].moment[axis]);
    }
    return count;
}

static void check_calls(const char *law, const char *other)
{
    size_t contacts = 0;

    for (int simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++) {
        uint32_t threads = 1 + (uint32_t)simd % 2;
        scree_world *one = make_bed(law, other, (scree_simd)simd, threads);
        scree_world *again = make_bed(law, other, SCREE_SIMD_AUTO, 1);
        for (int call = 0; call < 4; call++) {
            advance(one, 300);
            for (int k = 0; k < 300; k++)
                advance(again, 1);
            CHECK(scree_world_digest(one) == scree_world_digest(again));
            contacts += check_contacts(one, again);
        }
        scree_world_destroy(one);
        scree_world_destroy(again);
    }
    CHECK(contacts > GRAINS);
}

TEST(steps_of_one_call_are_those_of_many_hertz)
{
    check_calls("hertz", NULL);
}

TEST(steps_of_one_call_are_those_of_many_linear)
{
    check_calls("linear", NULL);
}

TEST(steps_of_one_call_are_those_of_many_penalty)
{
    check_calls("penalty", NULL);
}

TEST(steps_of_one_call_are_those_of_many_rolling)
{
    check_calls("hertz-rolling", NULL);
}

TEST(steps_of_one_call_are_those_of_many_mixed)
{
    check_calls("hertz", "linear");
    check_calls("linear-rolling", "hertz");
}

/* ---- a step that is refused within a call ---- */

/*  Two grains meet so fast that their overlap passes the limit. */
static scree_world *make_crash(void)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();

    def.overlap_limit = 0.2;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 2; k++) {
        body.position[0] = 0.03 * k;
        body.velocity[0] = k ? -40 : 40;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

/*  Steps in place look at margins only where bodies may have used them up: of margins that last for one to five steps, too, none is
    missed. */
TEST(margins_are_looked_at_within_a_call)
{
    for (int simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++) {
        scree_margin_def margin = scree_default_detector_def().margin;
        scree_world *one = make_bed("hertz", NULL, (scree_simd)simd, 1 + (uint32_t)simd % 2);
        scree_world *again = make_bed("hertz", NULL, SCREE_SIMD_AUTO, 1);
        margin.kind = simd % 2 ? SCREE_MARGIN_SKIN : SCREE_MARGIN_PER_BODY;
        margin.length = simd / 2 ? 1e-4 : 2e-5;
        CHECK_EQUAL(scree_world_set_margin(one, &margin), SCREE_OK);
        for (int call = 0; call < 4; call++) {
            advance(one, 200);
            for (int k = 0; k < 200; k++)
                advance(again, 1);
            CHECK(scree_world_digest(one) == scree_world_digest(again));
        }
        scree_world_destroy(one);
        scree_world_destroy(again);
    }
}

TEST(a_step_that_is_too_deep_is_refused_within_a_call)
{
    scree_world *one = make_crash(), *many = make_crash();
    scree_status status = SCREE_OK;

    while (!status)
        status = scree_world_step(many, 1);
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_step(one, 1000), SCREE_UNSTABLE);
    CHECK_TEXT(scree_world_message(one), scree_world_message(many));
    CHECK(scree_world_digest(one) == scree_world_digest(many));
    CHECK_EQUAL(check_contacts(one, many), 1);
    scree_world_destroy(one);
    scree_world_destroy(many);
}

/* ---- who may read ---- */

static scree_status read_within(scree_force_sink *sink, const scree_bodies_view *bodies,
                                double time, void *user)
{
    const scree_contact *contacts;
    size_t count;

    (void)bodies;
    (void)time;
    (void)sink;
    return scree_world_contacts(user, NULL, &contacts, &count);
}

TEST(contacts_cannot_be_read_within_a_step)
{
    scree_world *world = make_crash();
    uint64_t digest = scree_world_digest(world);

    scree_world_set_force(world, read_within, world);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_BAD_ARGUMENT);
    CHECK(scree_world_digest(world) == digest);
    scree_world_set_force(world, NULL, NULL);
    CHECK_EQUAL(check_contacts(world, world), 0);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(steps_of_one_call_are_those_of_many_hertz),
        CASE(steps_of_one_call_are_those_of_many_linear),
        CASE(steps_of_one_call_are_those_of_many_penalty),
        CASE(steps_of_one_call_are_those_of_many_rolling),
        CASE(steps_of_one_call_are_those_of_many_mixed),
        CASE(margins_are_looked_at_within_a_call),
        CASE(a_step_that_is_too_deep_is_refused_within_a_call),
        CASE(contacts_cannot_be_read_within_a_step),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
