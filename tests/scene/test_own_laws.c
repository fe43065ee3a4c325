/*  Laws that scenes write as formulas: they act as the built-in law that they are written after, hold on to nothing, and bound the
    automatic step; and scenes that are refused. */
#include "harness/failing_allocator.h"
#include "scene_maker.h"

#include "scree/law.h"

#include <math.h>
#include <string.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"
#define MINE                                                                                       \
    "law { name = \"mine\", where = \"a = sqrt(R * d); root = sqrt(2 * E * a * m)\",\n"            \
    "  normal = \"max(0, 4/3 * E * a * d + 2 * sqrt(5/6) * zeta * root * vn)\",\n"                 \
    "  spring = { stiffness = \"8 * G * a\", damping = \"2 * sqrt(5/6) * zeta * sqrt(4 * G / E) "  \
    "* root\", limit = \"mu * fn\" } }\n"
#define PILE                                                                                       \
    H "gravity { 0, 0, -9.81 }\nsolver { dt = 1e-4 }\n"                                            \
      "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g }\n"           \
      "for k = 0, 5 do body { shape = s, material = g, position = {0.003 * (k % 2), 0, 0.012 + "   \
      "0.021 * k} } end\n"

TEST(a_law_of_the_scene_acts_as_the_one_it_is_written_after)
{
    scree_world *world, *other;
    scree_scene *scene = must_start(MINE "rule { law = \"mine\" }\n" PILE R, &world),
                *built_in = must_start(PILE R, &other);

    must_step(scene, world, 600);
    must_step(built_in, other, 600);
    scree_energy a = scree_world_energy(world), b = scree_world_energy(other);
    CHECK(b.kinetic > 0 && b.rotational > 0);
    CHECK_NEAR(a.kinetic, b.kinetic, 1e-8 * b.kinetic);
    CHECK_NEAR(a.rotational, b.rotational, 1e-7 * b.rotational);
    CHECK(scree_world_digest(world) != scree_world_digest(other));
    /* the world keeps the law that the scene lets go */
    scree_scene_close(scene);
    scree_scene_close(built_in);
    CHECK_EQUAL(scree_world_step(world, 10), SCREE_OK);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

TEST(rules_give_parameters_to_laws_of_the_scene)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "units { length = \"mm\" }\n" H
        "law { name = \"k\", normal = \"stiffness * d\", parameters = { stiffness = 5 } }\n"
        "rule { law = \"k\", values = { stiffness = 7 } }" R,
        &world);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    /* in SI, whatever the scene's units and whatever the name means elsewhere */
    CHECK_EQUAL(plan->rules[0].value_count, 1);
    CHECK(plan->rules[0].values[0] == 7);
    CHECK_TEXT(plan->rules[0].own_law->name, "k");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A hundred times as stiff: the first step is a tenth. */
TEST(the_automatic_step_knows_how_stiff_formulas_are)
{
    scree_scene *soft = must_open(H "fill { count = 3, shape = s, material = g, region = b }" R);
    scree_scene *stiff =
        must_open(H "law { name = \"stiff\", normal = \"400/3 * E * sqrt(R) * d^1.5\" }\n"
                    "rule { law = \"stiff\" }\n"
                    "fill { count = 3, shape = s, material = g, region = b }" R);
    double a = scree_scene_plan_of(soft)->world.step.dt,
           b = scree_scene_plan_of(stiff)->world.step.dt;

    CHECK(a > 0);
    CHECK_NEAR(b / a, 0.1, 0.002);
    scree_scene_close(soft);
    scree_scene_close(stiff);
}

TEST(without_memory_a_scene_with_laws_leaves_nothing)
{
    size_t failures = 0;

    for (size_t fail_at = 1; fail_at < 200; fail_at++) {
        failing_allocator counting = {.fail_at = fail_at};
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene;
        def.text =
            MINE "rule { law = \"mine\" }\ncolumn { name = \"a\", value = \"start(time)\" }" R;
        def.allocator = failing_allocator_hooks(&counting);
        def.error = &error;
        scree_status status = scree_scene_open(&def, &scene);
        failures += status == SCREE_OUT_OF_MEMORY;
        scree_scene_close(scene);
        CHECK(failing_allocator_is_clean(&counting));
        if (!status)
            break;
    }
    CHECK(failures > 5);
}

TEST(bad_laws_are_refused_with_their_line)
{
    static const char *const cases[][2] = {
        {"law { normal = \"d\" }", "scene.lua:4: law: `name` is missing"},
        {"law { name = \"a\" }", "law: `normal` is missing"},
        {"law { name = \"hertz\", normal = \"d\" }",
         "law: hertz: name is that of a built-in law; choose another"},
        {"law { name = \"a\", normal = \"d\" }\nlaw { name = \"a\", normal = \"d\" }",
         "scene.lua:5: law: name: there is a law \"a\" already"},
        {"law { name = \"a\", normal = \"x * d\" }",
         "scene.lua:4: law: a: normal: column 1: there is no name `x`"},
        {"law { name = \"a\", normal = \"E * dd\" }",
         "law: a: normal: column 5: there is no name `dd`; did you mean `d`?"},
        {"law { name = \"a\", normal = \"E * (d\" }", "`)` is missing"},
        {"law { name = \"a\", normal = \"d / (1 - 1)\" }", "column 3: division by 0"},
        {"law { name = \"a\", normal = \"vt\", tangential = \"fm\" }",
         "law: a: tangential: column 1: there is no name `fm`"},
        {"law { name = \"a\", normal = \"start(d)\" }", "there is no function `start`"},
        {"law { name = \"a\", normal = 3 }", "law: normal: is 3, must be"},
        {"law { name = \"a\", normal = \"d\", spring = \"d\" }",
         "law: spring: is \"d\", must be a table"},
        {"law { name = \"a\", normal = \"d\", spring = { stiffness = \"1\" } }",
         "law: spring: `limit` is missing"},
        {"law { name = \"a\", normal = \"d\", spring = { limit = \"1\" } }",
         "law: spring: `stiffness` is missing"},
        {"law { name = \"a\", normal = \"d\", spring = { stiffness = \"1\", limit = \"fn\", dampin "
         "= \"1\" } }",
         "law: spring: there is no `dampin`; it has stiffness, damping, limit"},
        {"law { name = \"a\", normal = \"d\", spring = { stiffness = 1, limit = \"fn\" } }",
         "law: spring: stiffness is 1, must be a formula"},
        {"law { name = \"a\", normal = \"d\", tangential = \"1\", spring = { stiffness = \"1\", "
         "limit = \"fn\" } }",
         "has tangential and a spring"},
        {"law { name = \"a\", normal = \"d\", memory = { h = 1 } }",
         "law: memory: h is 1, must be a formula"},
        {"law { name = \"a\", normal = \"d\", memory = { \"h\" } }",
         "law: memory: has an item without a name"},
        {"law { name = \"a\", normal = \"d\", memory = 3 }", "law: memory: is 3, must be a table"},
        {"law { name = \"a\", normal = \"d\", memory = { R = \"d\" } }",
         "law: a: memory: the name `R` is taken"},
        {"local m = {} for k = 1, 9 do m[\"h\" .. k] = \"d\" end\n"
         "law { name = \"a\", normal = \"d\", memory = m }",
         "law: memory: has more than 8 items"},
        {"local m = {} for k = 1, 16 do m[\"h\" .. k] = 1 end\n"
         "law { name = \"a\", normal = \"d\", parameters = m }",
         "law: parameters: has 16 items, at most 15"},
        {"law { name = \"a\", normal = \"d\", parameters = { fn = 1 } }",
         "the name `fn` is that of the normal force"},
        {"law { name = \"a\", normal = \"d\", reach = -1 }", "law: reach: is -1"},
        {"law { name = \"a\", normal = \"d\", where = \"b = 2; b\" }",
         "only definitions are allowed here"},
        {"law { name = \"a\", norm = \"d\" }", "there is no field `norm`"},
        {"rule { law = \"a\" }\nlaw { name = \"a\", normal = \"d\" }",
         "a law of the scene's own must stand before the rule"},
        {"law { name = \"mine\", normal = \"d\" }\nrule { law = \"mien\" }",
         "there is no law \"mien\"; did you mean \"mine\"?"},
        {"law { name = \"mine\", normal = \"q * d\", parameters = { q = 1 } }\n"
         "rule { law = \"mine\", values = { p = 2 } }",
         "law \"mine\" has no value `p`"},
        {"for k = 1, 101 do law { name = \"a\" .. k, normal = \"d\" } end",
         "law: there can be 100"},
    };
    size_t wrong = 0;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        scree_error error = {SCREE_OK, ""};
        snprintf(text, sizeof text, H "%s" R, cases[i][0]);
        scree_scene *scene = open_scene_with(text, NULL, 0, &error);
        if (scene || !strstr(error.text, cases[i][1])) {
            printf("%s\n  says \"%s\"\n  not  \"%s\"\n", cases[i][0], error.text, cases[i][1]);
            wrong++;
        }
        scree_scene_close(scene);
    }
    CHECK_EQUAL(wrong, 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_law_of_the_scene_acts_as_the_one_it_is_written_after),
        CASE(rules_give_parameters_to_laws_of_the_scene),
        CASE(the_automatic_step_knows_how_stiff_formulas_are),
        CASE(without_memory_a_scene_with_laws_leaves_nothing),
        CASE(bad_laws_are_refused_with_their_line),
    };
    NEEDS_SCENES("test_own_laws");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
