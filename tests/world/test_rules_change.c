/*  Rules that come while bodies touch: what is there keeps its law until it ends. */
#include "test.h"

#include "scree/scree.h"

#include <math.h>

/*  Two spheres that meet in the middle, and what they leave with. */
static scree_world *make_pair(scree_body_id ids[2])
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_world *world;

    def.step.dt = 1e-5;
    def.detection.sort_every = 0;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    material.restitution = 1;
    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    ball.shape = scree_shape_sphere(1e-2);
    for (int k = 0; k < 2; k++) {
        ball.position[0] = k ? 1.01e-2 : -1.01e-2;
        ball.velocity[0] = k ? -0.5 : 0.5;
        CHECK_EQUAL(scree_world_add_body(world, &ball, &ids[k]), SCREE_OK);
    }
    return world;
}

static double speed_of(scree_world *world, scree_body_id id)
{
    scree_body body;
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    return body.velocity[0];
}

static void forbid_all(scree_world *world)
{
    scree_rule_def none = scree_default_rule_def();
    none.law = NULL;
    CHECK_EQUAL(scree_world_add_rule(world, &none), SCREE_OK);
}

static void step_until_touching(scree_world *world)
{
    for (int k = 0; k < 1000 && scree_world_detection_stats(world).contacts == 0; k++)
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, 1);
}

TEST(a_contact_outlives_a_rule_without_a_law)
{
    scree_body_id ids[2], other[2];
    scree_world *world = make_pair(ids), *reference = make_pair(other);

    step_until_touching(world);
    forbid_all(world);
    CHECK_EQUAL(scree_world_step(world, 2000), SCREE_OK);
    CHECK_EQUAL(scree_world_step(reference, scree_world_clock(world).steps), SCREE_OK);
    /* as if the rule were not there, but for the forces that a new rule has found again */
    CHECK_NEAR(speed_of(world, ids[0]), speed_of(reference, other[0]), 1e-6);
    CHECK_NEAR(speed_of(world, ids[0]), -0.5, 1e-2);
    scree_world_destroy(world);
    scree_world_destroy(reference);
}

TEST(the_next_one_has_no_force)
{
    scree_body_id ids[2];
    scree_world *world = make_pair(ids);
    scree_body body;

    step_until_touching(world);
    forbid_all(world);
    CHECK_EQUAL(scree_world_step(world, 2000), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, 0);
    CHECK_EQUAL(scree_world_get_body(world, ids[0], &body), SCREE_OK);
    body.velocity[0] = 0.5;
    CHECK_EQUAL(scree_world_set_body(world, ids[0], &body), SCREE_OK);
    double other = speed_of(world, ids[1]);
    CHECK_EQUAL(scree_world_step(world, 20000), SCREE_OK);
    CHECK(speed_of(world, ids[0]) == 0.5);
    CHECK(speed_of(world, ids[1]) == other);
    scree_world_destroy(world);
}

/*  Pressed together; the default lets the first contact rebound, a rule that comes meanwhile those after it sink in. `again`: the
    list of candidates is made in each step. */
static double bounce_under_another_law(bool again, uint64_t *searches)
{
    static const char *const names[] = {"restitution"};
    static const double values[] = {0.05};
    scree_body_id ids[2];
    scree_world *world = make_pair(ids);
    scree_rule_def soft = scree_default_rule_def();
    scree_margin_def margin = scree_default_world_def().detection.margin;

    margin.kind = SCREE_MARGIN_NONE;
    if (!again) {
        margin.kind = SCREE_MARGIN_SKIN;
        margin.length = 1;
    }
    CHECK_EQUAL(scree_world_set_margin(world, &margin), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, ids[k], &body), SCREE_OK);
        body.load[0] = k ? -0.5 : 0.5;
        CHECK_EQUAL(scree_world_set_body(world, ids[k], &body), SCREE_OK);
    }
    step_until_touching(world);
    soft.names = names;
    soft.values = values;
    soft.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &soft), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 500), SCREE_OK);
    double away = speed_of(world, ids[1]);
    *searches = scree_world_detection_stats(world).rebuilds;
    CHECK_EQUAL(scree_world_step(world, 20000), SCREE_OK);
    CHECK(again || scree_world_detection_stats(world).rebuilds == *searches);
    CHECK(away > 0.1);
    double last = speed_of(world, ids[1]);
    scree_world_destroy(world);
    return last;
}

TEST(one_that_ends_and_begins_again_goes_by_the_rule_that_came)
{
    uint64_t few, many;
    double kept = bounce_under_another_law(false, &few);
    double again = bounce_under_another_law(true, &many);

    CHECK(few < many);
    CHECK(kept == again);
    CHECK(fabs(kept) < 0.01);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_contact_outlives_a_rule_without_a_law),
        CASE(the_next_one_has_no_force),
        CASE(one_that_ends_and_begins_again_goes_by_the_rule_that_came),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
