/*  Checkpoints of worlds with laws written as formulas: a world is made from the file alone, and continues as the one that wrote it. */
#include "scree/checkpoint.h"
#include "scree/law.h"
#include "scree/world.h"
#include "test.h"

#include <unistd.h>

static scree_world *make_world(void)
{
    static const scree_formula_memory memory[] = {{"deepest", "max(deepest, d)"}};
    static const scree_formula_parameter parameters[] = {{"loss", 0.5}};
    static const char *const names[] = {"loss"};
    static const double values[] = {0.25};
    scree_formula_law_def def = scree_default_formula_law_def();
    scree_world_def world_def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_error why = {SCREE_OK, ""};
    scree_material_id id;
    scree_law *law;
    scree_world *world;

    def.name = "hysteretic";
    def.normal = "E * sqrt(R) * d^1.5 * if(d < deepest, 1 - loss, 1)";
    def.tangential = "mu * fn * tanh(vt / 0.01)";
    def.memory = memory;
    def.memory_count = 1;
    def.parameters = parameters;
    def.parameter_count = 1;
    def.error = world_def.hooks.error = &why;
    world_def.step.dt = 1e-5;
    if (scree_formula_law_create(&def, &law) || scree_world_create(&world_def, &world) ||
        scree_world_add_material(world, &material, &id))
        FAIL("%s", why.text);
    rule.own_law = law;
    rule.names = names;
    rule.values = values;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    scree_formula_law_destroy(law);
    for (int k = 0; k < 8; k++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.01);
        body.material = id;
        body.position[0] = 0.0199 * k;
        body.velocity[0] = k % 2 ? -0.1 : 0.1;
        body.velocity[1] = 0.01 * k;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

TEST(a_world_with_formulas_is_made_from_its_checkpoint)
{
    scree_world *world = make_world(), *made;
    scree_checkpoint *checkpoint;
    scree_error why = {SCREE_OK, ""};
    char path[] = "/tmp/scree-laws-XXXXXX";
    int file = mkstemp(path);

    CHECK(file >= 0);
    close(file);
    CHECK_EQUAL(scree_world_step(world, 20), SCREE_OK);
    if (scree_checkpoint_write(world, path, NULL, 0, &why) ||
        scree_checkpoint_read(path, NULL, &checkpoint, &why) ||
        scree_checkpoint_world(checkpoint, NULL, &made, &why))
        FAIL("%s", why.text);
    CHECK(scree_world_digest(world) == scree_world_digest(made));
    CHECK(scree_world_detection_stats(world).contacts > 0);
    CHECK_EQUAL(scree_world_step(world, 300), SCREE_OK);
    CHECK_EQUAL(scree_world_step(made, 300), SCREE_OK);
    CHECK(scree_world_digest(world) == scree_world_digest(made));
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(made);
    scree_world_destroy(world);
    unlink(path);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(a_world_with_formulas_is_made_from_its_checkpoint)};

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
