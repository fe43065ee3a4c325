/*  Laws that stick and bind in scenes: their values with units, and bodies of the start that are glued. */
#include "scene_maker.h"

#include "scree/bond.h"

#include <math.h>
#include <string.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"

/*  Values are in the scene's units, and reach the law in SI. */
TEST(values_of_laws_have_units)
{
    static const struct
    {
        const char *law, *name;
        double in_si; /* of 2 in mm, g and ms */
    } values[] = {
        {"jkr", "adhesion", 2e-3 * 1e6},   {"sjkr", "cohesion", 2e6},
        {"dmt", "separation", 2e-3},       {"capillary", "surface_tension", 2e3},
        {"capillary", "volume", 2e-9},     {"plastic", "plastic_stiffness", 2e3},
        {"bonded", "bond_tension", 2e6},   {"penalty", "contact_skin", 2e-3},
        {"capillary", "contact_angle", 2}, {"bonded", "bond_ratio", 2},
        {"eepa", "adhesion", 2e-3 * 1e6},  {"eepa", "pull_off_force", 2},
    };

    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "units { length = \"mm\", mass = \"g\", time = \"ms\" }\n"
                 "rule { law = \"%s\", values = { %s = 2 } }" R,
                 values[k].law, values[k].name);
        scree_scene *scene = must_open(text);
        const scree_scene_plan *plan = scree_scene_plan_of(scene);
        CHECK_EQUAL(plan->rule_count, 1);
        CHECK_EQUAL(plan->rules[0].value_count, 1);
        CHECK_NEAR(plan->rules[0].values[0], values[k].in_si, 1e-12 * values[k].in_si);
        scree_scene_close(scene);
    }
}

TEST(bodies_of_the_start_are_glued)
{
    scree_world *world;
    scree_scene *scene =
        must_start(H "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, "
                     "bond_shear = 1e5 } }\n"
                     "for k = 0, 5 do body { shape = s, material = g, position = {0.02 * k, 0, 0}, "
                     "groups = {k // 3 + 1} } end\n"
                     "bond { gap = 1e-5, groups = {2} }\nbond { gap = 1e-5, groups = {1} }" R,
                   &world);
    const scree_bond *bonds;
    size_t count;

    CHECK_EQUAL(scree_world_bonds(world, &bonds, &count), SCREE_OK);
    CHECK_EQUAL(count, 4); /* not from one group to the other */
    must_step(scene, world, 10);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(bonds_that_cannot_be_are_refused)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    scree_scene *scene = must_open(
        H "body { shape = s, material = g, position = {0, 0, 0} }\nbody { shape = s, material "
          "= g, position = {0.02, 0, 0} }\n"
          "bond { gap = 1e-5 }" R);

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "scene.lua:6: bond: no two bodies of the start with the law");
    scree_world_destroy(world);
    scree_scene_close(scene);
    /* only spheres are bonded, however near others are */
    scene = must_open(
        H
        "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, "
        "bond_shear = 1e5 } }\nbody { shape = s, material = g, position = {0, 0, 0} }\n"
        "body { shape = clump { pebbles = {{0, 0, 0, 0.01}, {0.005, 0, 0, 0.01}} }, material = g, "
        "position = {0.02, 0, 0} }\nbond { gap = 1e-5 }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "bond: only spheres are bonded, which 1 of the 2 bodies of the start");
    scree_world_destroy(world);
    scree_scene_close(scene);
    CHECK(!open_scene_with(H "bond { gap = -1 }" R, NULL, 0, &error));
    CHECK_SAYS(error.text, "bond: gap: is -1, must be a number");
    /* what the law refuses is said where the rule stands */
    scene = must_open(H "rule { law = \"jkr\" }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "adhesion is not given; the rule must give it, in J/m^2");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(values_of_laws_have_units),
        CASE(bodies_of_the_start_are_glued),
        CASE(bonds_that_cannot_be_are_refused),
    };
    NEEDS_SCENES("test_scene_laws");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
