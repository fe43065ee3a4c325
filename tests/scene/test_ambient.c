/*  Fluids, force fields and rotating frames in scenes: what the world gets, columns of metrics, and what is refused. */
#include "scene_shapes.h"
#include "scree/ambient.h"

#include <math.h>
#include <unistd.h>

#define HEAD "g = material { density = 2500, young = 1e6 }\ns = sphere { radius = 0.001 }\n"
#define BALL "body { shape = s, material = g, position = {1, 2, 3}, groups = {2} }\n"
#define R "\nrun { time = 1 }"

TEST(all_of_a_fluid_is_said_to_the_world)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD BALL
        "fluid { density = 900, viscosity = 0.1, drag = \"di-felice\", velocity = {1, 0.1, "
        "\"0.3 * z\"}, pressure_gradient = {0, \"-t\", 2}, angular_velocity = {3, 0, 0}, "
        "buoyancy = false, rotational_drag = true, void_fraction = \"1 - 0.1 * z\", "
        "groups = {2, 3}, region = box { lower = {0, 0, 0}, upper = {4, 5, 6} } }\n"
        "solver { dt = 1e-5 }" R,
        &world);
    scree_fluid_def fluid;

    CHECK(scree_world_get_fluid(world, &fluid));
    CHECK(fluid.density == 900 && fluid.viscosity == 0.1 && fluid.drag == SCREE_DRAG_DI_FELICE);
    CHECK_TEXT(fluid.velocity[0], "1");
    CHECK_TEXT(fluid.velocity[1], "0.1");
    CHECK_TEXT(fluid.velocity[2], "0.3 * z");
    CHECK_TEXT(fluid.pressure_gradient[1], "-t");
    CHECK_TEXT(fluid.angular_velocity[0], "3");
    CHECK_TEXT(fluid.void_fraction, "1 - 0.1 * z");
    CHECK(!fluid.has_buoyancy && fluid.has_rotational_drag && fluid.groups == 6);
    CHECK(fluid.lower[2] == 0 && fluid.upper[2] == 6);
    must_step(scene, world, 10);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Numbers are in the scene's units, formulas in SI. */
TEST(numbers_have_units)
{
    scree_world *world;
    scree_scene *scene =
        must_start("units { length = \"mm\" }\ng = material { density = 2.5e-6, young = 1e3 }\n"
                   "body { shape = sphere { radius = 1 }, material = g, position = {0, 0, 0} }\n"
                   "fluid { viscosity = 1e-4, drag = \"stokes\", velocity = {2, \"2\", 0} }\n"
                   "solver { dt = 1e-5 }" R,
                   &world);
    scree_fluid_def fluid;

    CHECK(scree_world_get_fluid(world, &fluid));
    CHECK_TEXT(fluid.velocity[0], "0.002");
    CHECK_TEXT(fluid.velocity[1], "2");
    CHECK(fabs(fluid.viscosity - 0.1) < 1e-15);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A free body stands still in the frame at rest: it goes around in the one that rotates. */
TEST(a_frame_rotates)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "body { shape = s, material = g, position = {1.5, 2, 3}, velocity = {0, -2.5, 0} }\n"
             "rotating_frame { rotation = {0, 0, 5}, centre = {1, 2, 0} }\n"
             "force_field { acceleration = {0, 0, 1}, force = {0, 0, \"-mass\"} }\n"
             "solver { dt = 1e-4 }" R,
        &world);
    scree_bodies_view view;

    CHECK_EQUAL(scree_world_force_field_count(world), 2);
    must_step(scene, world, 3000);
    view = scree_world_bodies(world);
    CHECK(fabs(scree_row_at(view.position, 0)[0] - (1 + 0.5 * cos(1.5))) < 1e-6);
    CHECK(fabs(scree_row_at(view.position, 0)[1] - (2 - 0.5 * sin(1.5))) < 1e-6);
    CHECK(scree_row_at(view.position, 0)[2] == 3);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

static double metric(const scree_scene *scene, const scree_world *world, const char *name)
{
    double values[100];

    scree_scene_standard(scene, world, values);
    for (size_t k = 0; k < scree_scene_standard_count(scene); k++)
        if (strcmp(scree_scene_standard_name(scene, k), name) == 0)
            return values[k];
    return NAN;
}

TEST(work_is_in_the_metrics)
{
    scree_world *world;
    scree_scene *scene =
        must_start(HEAD BALL "solver { dt = 1e-5, energy_balance = true }\n"
                             "fluid { viscosity = 0.1, drag = \"stokes\", velocity = {1, 0, 0} }\n"
                             "force_field { acceleration = {0, 3, 0} }\n" R,
                   &world);

    must_step(scene, world, 100);
    CHECK(metric(scene, world, "by_fluid") > 0 && metric(scene, world, "by_fields") > 0);
    CHECK(fabs(metric(scene, world, "by_fluid") + metric(scene, world, "by_fields") -
               metric(scene, world, "kinetic")) < 1e-12 * metric(scene, world, "kinetic"));
    scree_world_destroy(world);
    scree_scene_close(scene);
    scene = must_open(HEAD BALL "solver { dt = 1e-5, energy_balance = true }" R);
    for (size_t k = 0; k < scree_scene_standard_count(scene); k++)
        CHECK(strcmp(scree_scene_standard_name(scene, k), "by_fluid") != 0);
    scree_scene_close(scene);
}

TEST(what_is_refused_names_the_line)
{
    static const char *const wrong[][2] = {
        {"fluid { density = 1 }", "scene.lua:4: fluid: `viscosity` is missing: drag needs it"},
        {"fluid { viscosity = 1 }", "scene.lua:4: fluid: `density` is missing"},
        {"fluid { drag = \"none\", rotational_drag = true }", "rotational_drag needs it"},
        {"fluid { drag = \"newton\" }", "fluid: drag: is \"newton\""},
        {"fluid { drag = \"none\", velocity = {1, 2} }", "fluid: velocity: "},
        {"fluid { drag = \"none\", velocity = {1, 2, false} }", "must be a number, or a formula"},
        {"fluid { drag = \"none\", velocity = 3 }", "must be three numbers or formulas"},
        {"fluid { drag = \"none\", cell = 1, void_fraction = 0.5 }",
         "has `void_fraction` and `cell`; give one of them"},
        {"fluid { drag = \"none\", region = s }", "region"},
        {"fluid { drag = \"none\", region = sphere { radius = 1, centre = {0, 0, 0} } }",
         "region: must be a box { }"},
        {"force_field { }", "force_field: `acceleration` or `force` is missing"},
        {"rotating_frame { }", "rotating_frame: `rotation` is missing"},
        {"for k = 1, 17 do force_field { force = {1, 0, 0} } end", "there can be 16 force fields"},
        {"fluid { drag = \"none\" } fluid { drag = \"none\" }", "fluid"},
        {"stage { ends = after(0.1) } stage { ends = after(0.1), change = set_fluid { drag = "
         "\"none\" } }",
         "set_fluid: the scene has no `fluid { }`"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[512];
        scree_error error;
        snprintf(text, sizeof text, HEAD BALL "%s" R, wrong[k][0]);
        scree_scene *scene = open_scene_with(text, NULL, 0, &error);
        if (scene)
            FAIL("not refused: %s", wrong[k][0]);
        CHECK_SAYS(error.text, wrong[k][1]);
    }
}

#define NODES "0 0 0 1 0 0\n20 0 0 2 0 0\n20 5 0 4 0 0\n0 5 0 3 0 0\n"

/*  A stage changes the fluid, and the state has it: a restored world continues with it. */
TEST(stages_change_the_fluid)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "body { shape = s, material = g, position = {0, 0, 0} }\nsolver { dt = 1e-4 }\n"
             "fluid { viscosity = 1, drag = \"stokes\" }\n"
             "stage { ends = after { steps = 100 } }\n"
             "stage { ends = after { steps = 300 }, change = set_fluid { viscosity = 1, drag = "
             "\"stokes\", velocity = {2, 0, 0} } }\n",
        &world);

    must_step(scene, world, 100);
    CHECK(scree_row_at(scree_world_bodies(world).velocity, 0)[0] == 0);
    must_step(scene, world, 300);
    CHECK(fabs(scree_row_at(scree_world_bodies(world).velocity, 0)[0] - 2) < 1e-6);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

static scree_scene *open_flow(const char *rows, scree_error *error)
{
    scree_scene *scene;

    enter_folder();
    save("flow.csv", rows);
    scene =
        open_beside("units { length = \"mm\" }\nfluid { drag = \"none\", flow = \"flow.csv\" }\n"
                    "solver { dt = 1e-5 }" R,
                    NULL, NULL, error);
    unlink(path_of("flow.csv"));
    leave_folder();
    return scene;
}

/*  Rows in any order; the file has the scene's units. */
TEST(a_flow_is_read_from_a_file)
{
    scree_error error;
    scree_scene *scene = open_flow("x,y,z,vx,vy,vz\n# a comment\n" NODES, &error);
    const scree_flow_grid *flow;

    if (!scene)
        FAIL("%s", error.text);
    flow = scree_scene_plan_of(scene)->fluid.flow;
    CHECK(flow && flow->count[0] == 2 && flow->count[1] == 2 && flow->count[2] == 1);
    CHECK(fabs(flow->spacing[0] - 0.02) < 1e-15);
    CHECK(fabs(flow->velocity[2][0] - 0.003) < 1e-15);
    CHECK(fabs(flow->velocity[3][0] - 0.004) < 1e-15);
    scree_scene_close(scene);
}

TEST(bad_files_of_flows_are_refused)
{
    static const char *const wrong[][2] = {
        {"0 0 0 1 0\n", "flow.csv:1: has 5 numbers, must have 6"},
        {NODES "1 2 x 4 5 6\n", "flow.csv:5: has a word"},
        {"# nothing\n", "flow.csv: has no rows"},
        {"0 0 0 1 0 0\n1 0 0 1 0 0\n0 1 0 1 0 0\n", "has 3 rows, a regular grid of 2 x 2 x 1"},
        {"0 0 0 1 0 0\n1 0 0 1 0 0\n2.4 0 0 1 0 0\n", "flow.csv:2: (1, 0, 0) is no node"},
        {"0 0 0 1 0 0\n1 1 0 1 0 0\n1 0 0 1 0 0\n1 0 0 1 0 0\n", "flow.csv:4: (1, 0, 0) is a node"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        scree_error error;
        if (open_flow(wrong[k][0], &error))
            FAIL("not refused: %s", wrong[k][0]);
        CHECK_SAYS(error.text, wrong[k][1]);
    }
}

/*  Formulas are read when the world is made. */
TEST(a_wrong_formula_names_the_line)
{
    scree_scene *scene =
        must_open(HEAD BALL "fluid { drag = \"none\", velocity = {0, \"3 * q\", 0} }" R);
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    CHECK(scree_scene_build(scene, NULL, &world, &error) != SCREE_OK);
    CHECK_SAYS(error.text, "scene.lua:4: fluid: fluid def: velocity[1]: column 5");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_of_a_fluid_is_said_to_the_world),
        CASE(numbers_have_units),
        CASE(a_frame_rotates),
        CASE(work_is_in_the_metrics),
        CASE(what_is_refused_names_the_line),
        CASE(stages_change_the_fluid),
        CASE(a_flow_is_read_from_a_file),
        CASE(bad_files_of_flows_are_refused),
        CASE(a_wrong_formula_names_the_line),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
