/*  Columns by formulas, in scenes: what they are worth, in which order, what they recall after a course was saved and loaded; and scenes
    that are refused. */
#include "scene_maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"
/*  A ball that falls on nothing, from a height of 0.5 m with 1 m/s. */
#define BALL                                                                                       \
    H "gravity { 0, 0, -10 }\nsolver { dt = 1e-3 }\n"                                              \
      "body { shape = s, material = g, position = {0, 0, 0.5}, velocity = {0, 0, 1} }\n"

/*  All columns of the scene, measured once. */
typedef struct measured
{
    scree_scene *scene;
    double values[64];
} measured;

static measured measure(scree_scene *scene, scree_world *world)
{
    measured m = {.scene = scene};
    scree_error error = {SCREE_OK, ""};

    CHECK(scree_scene_column_count(scene) <= 64);
    if (scree_scene_measure(scene, world, m.values, &error))
        FAIL("%s", error.text);
    return m;
}

static double value_of(const measured *m, const char *name)
{
    for (size_t k = 0; k < scree_scene_column_count(m->scene); k++)
        if (strcmp(scree_scene_column_name(m->scene, k), name) == 0)
            return m->values[k];
    FAIL("there is no column %s", name);
}

TEST(columns_are_computed_from_others)
{
    scree_world *world;
    scree_scene *scene = must_start(
        BALL
        "w = wall { shape = plane { point = {0, 0, 0.2}, normal = {0, 0, 1} }, material = g }\n"
        "measure { name = \"w\", wall = w, what = {\"force\", \"position\"} }\n"
        "column { name = \"energy\", value = \"kinetic + potential\", unit = \"J\" }\n"
        "column { name = \"height\", value = \"centre_z - w.position_z\" }\n"
        "column { name = \"share\", value = \"energy / weight\", parameters = { weight = 4 } }\n"
        "column { name = \"gap\", value = \"2 * 'w.position_z'\" }" R,
        &world);
    measured m = measure(scene, world);
    double standard[SCREE_SCENE_MAX_STANDARD];

    scree_scene_standard(scene, world, standard);
    CHECK_EQUAL(scree_scene_column_count(scene), 10);
    CHECK_TEXT(scree_scene_column_name(scene, 6), "energy");
    CHECK_TEXT(scree_scene_column_unit(scene, 6), "J");
    CHECK_TEXT(scree_scene_column_unit(scene, 7), "");
    scree_energy energy = scree_world_energy(world);
    CHECK(value_of(&m, "energy") == energy.kinetic + energy.potential);
    CHECK(value_of(&m, "share") == value_of(&m, "energy") / 4);
    CHECK_NEAR(value_of(&m, "height"), 0.3, 1e-15);
    CHECK(value_of(&m, "gap") == 0.4);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A column may need one that stands behind it. */
TEST(the_order_of_the_script_does_not_matter)
{
    scree_world *world;
    scree_scene *scene = must_start(BALL "column { name = \"a\", value = \"b + 1\" }\n"
                                         "column { name = \"b\", value = \"c * 2\" }\n"
                                         "column { name = \"c\", value = \"bodies + 4\" }" R,
                                    &world);
    measured m = measure(scene, world);

    CHECK_TEXT(scree_scene_column_name(scene, 0), "a");
    CHECK(value_of(&m, "a") == 11 && value_of(&m, "b") == 10 && value_of(&m, "c") == 5);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

#define RECALLING                                                                                  \
    BALL "column { name = \"fallen\", value = \"start(centre_z) - centre_z\" }\n"                  \
         "column { name = \"speed\", value = \"(centre_z - previous(centre_z)) / max(time - "      \
         "previous(time), 1e-9)\" }\n"                                                             \
         "column { name = \"twice\", value = \"previous(centre_z - start(centre_z))\" }" R

TEST(formulas_recall_the_first_row_and_the_one_before)
{
    scree_world *world;
    scree_scene *scene = must_start(RECALLING, &world);
    measured m = measure(scene, world);
    double first = scree_world_totals(world).centre[2], before = first;

    CHECK(value_of(&m, "fallen") == 0 && value_of(&m, "speed") == 0 && value_of(&m, "twice") == 0);
    for (int row = 1; row < 5; row++) {
        must_step(scene, world, 10);
        double now = scree_world_totals(world).centre[2];
        m = measure(scene, world);
        CHECK(value_of(&m, "fallen") == first - now);
        CHECK_NEAR(value_of(&m, "speed"), (now - before) / 0.01, 1e-9);
        CHECK_NEAR(value_of(&m, "twice"), before - first, 0);
        before = now;
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  stage_start(x) is x in the last row of the stage before, whatever rows lie between. */
TEST(formulas_recall_where_the_stage_began)
{
    scree_world *world;
    scree_scene *scene =
        must_start(BALL "column { name = \"since\", value = \"time - stage_start(time)\" }\n"
                        "stage { ends = after { steps = 20 } }\nstage { ends = after { steps = 30 "
                        "} }\nstage { }\nrun { time = 1 }",
                   &world);
    static const double since[] = {0, 10, 20, 10, 20, 30, 10, 20};
    scree_error error = {SCREE_OK, ""};
    double values[64];

    for (size_t row = 0; row < sizeof since / sizeof *since; row++) {
        if (row > 0)
            must_step(scene, world, 10);
        if (scree_scene_measure(scene, world, values, &error))
            FAIL("%s", error.text);
        CHECK_NEAR(values[0], since[row] * 1e-3, 1e-12);
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  What is recalled is in the course. A course of other formulas is refused. */
TEST(what_is_recalled_is_saved_with_the_course)
{
    scree_world *world;
    scree_scene *scene = must_start(RECALLING, &world), *other = must_open(RECALLING);
    scree_scene *changed =
        must_open(BALL "column { name = \"fallen\", value = \"start(time)\" }" R);
    unsigned char bytes[1000];
    scree_error error = {SCREE_OK, ""};

    measure(scene, world);
    must_step(scene, world, 20);
    measure(scene, world);
    must_step(scene, world, 20);
    size_t count = scree_scene_course_bytes(scene);
    CHECK(count <= sizeof bytes);
    CHECK_EQUAL(scree_scene_course_save(scene, bytes, sizeof bytes, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_course_load(other, bytes, count, &error), SCREE_OK);
    measured a = measure(scene, world), b = measure(other, world);
    CHECK(memcmp(a.values, b.values, 3 * sizeof *a.values) == 0);
    CHECK(value_of(&b, "fallen") != 0 && value_of(&b, "speed") != 0);
    CHECK_EQUAL(scree_scene_course_load(changed, bytes, count, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "the state is of another scene");
    scree_world_destroy(world);
    scree_scene_close(scene);
    scree_scene_close(other);
    scree_scene_close(changed);
}

/*  Without formulas that recall, courses are what they were. */
TEST(columns_without_recalls_leave_the_course_as_it_is)
{
    scree_scene *plain = must_open(BALL R);
    scree_scene *with = must_open(BALL "column { name = \"a\", value = \"time * 2\" }" R);

    CHECK_EQUAL(scree_scene_course_bytes(plain), scree_scene_course_bytes(with));
    scree_scene_close(plain);
    scree_scene_close(with);
}

TEST(bad_columns_are_refused_with_their_line)
{
    static const char *const cases[][2] = {
        {"column { value = \"1\" }", "column: `name` is missing"},
        {"column { name = \"a\" }", "column: `value` is missing"},
        {"column { name = \"a\", value = 3 }", "value: is 3, must be"},
        {"column { name = \"a b\", value = \"1\" }",
         "column: name: `a b` must begin with a letter, and have only letters, digits and _"},
        {"column { name = \"1a\", value = \"1\" }", "column: name: `1a` must begin with a letter"},
        {"column { name = \"sqrt\", value = \"1\" }", "column: name: `sqrt` is a word of formulas"},
        {"column { name = \"time\", value = \"1\" }",
         "column: name: there is a column \"time\" already"},
        {"measure { name = \"m\" }\ncolumn { name = \"m.count\", value = \"1\" }",
         "scene.lua:5: column: name: there is a column \"m.count\" already"},
        {"column { name = \"a\", value = \"1\" }\ncolumn { name = \"a\", value = \"2\" }",
         "scene.lua:5: column: name: there is a column \"a\" already"},
        {"column { name = \"a\", value = \"\" }",
         "scene.lua:4: column: value: column 1: the formula is empty"},
        {"column { name = \"a\", value = \"kinetics / 2\" }",
         "column: value: column 1: there is no name `kinetics`; did you mean `kinetic`?"},
        {"column { name = \"a\", value = \"elastic\" }",
         "value: column 1: there is no name `elastic`"},
        {"column { name = \"a\", value = \"bodies / 0\" }", "value: column 8: division by 0"},
        {"column { name = \"a\", value = \"bodies / k\", parameters = { k = 0 } }",
         "value: column 8: division by 0"},
        {"column { name = \"a\", value = \"sqrt(bodies\" }", "`,` or `)` is missing"},
        {"column { name = \"a\", value = \"start(bodies, 2)\" }",
         "value: column 1: start has 2 arguments, must have 1"},
        {"column { name = \"a\", value = \"begin(bodies)\" }", "there is no function `begin`"},
        {"column { name = \"a\", value = \"starts(bodies)\" }",
         "there is no function `starts`; did you mean `start`?"},
        {"column { name = \"a\", value = \"start + 1\" }", "`start` is a function"},
        {"column { name = \"a\", value = \"a + 1\" }",
         "scene.lua:4: column: a circle: `a` needs `a`"},
        {"column { name = \"a\", value = \"b\" }\ncolumn { name = \"b\", value = \"start(c)\" }\n"
         "column { name = \"c\", value = \"b + 1\" }",
         "scene.lua:5: column: a circle: `b` needs `c` needs `b`"},
        {"column { name = \"a\", value = \"1\", parameters = { time = 1 } }",
         "column: parameters: `time` is the name of a column"},
        {"column { name = \"a\", value = \"1\", parameters = { [\"b c\"] = 1 } }",
         "parameters: the name `b c` must begin with a letter"},
        {"column { name = \"a\", value = \"1\", parameters = { k = math.huge } }",
         "parameters: k is infinite"},
        {"column { name = \"a\", value = \"1\", parameters = { k = \"x\" } }",
         "parameters: k is x, must be a number"},
        {"column { name = \"a\", value = \"1\", parameters = 3 }", "must be a table of numbers"},
        {"column { name = \"a\", value = \"1\", parameters = { 3 } }",
         "has an item without a name"},
        {"column { name = \"a\", value = \"1\", unit = \"a, b\" }", "unit: is \"a, b\""},
        {"column { name = \"a\", formula = \"1\" }", "there is no field `formula`"},
        {"for k = 1, 101 do column { name = \"a\" .. k, value = \"1\" } end", "there can be 100"},
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
        CASE(columns_are_computed_from_others),
        CASE(the_order_of_the_script_does_not_matter),
        CASE(formulas_recall_the_first_row_and_the_one_before),
        CASE(formulas_recall_where_the_stage_began),
        CASE(what_is_recalled_is_saved_with_the_course),
        CASE(columns_without_recalls_leave_the_course_as_it_is),
        CASE(bad_columns_are_refused_with_their_line),
    };
    NEEDS_SCENES("test_columns");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
