/*  Joints in scenes: how they are written, what they become, and what is refused. */
#include "scene_maker.h"

#include "scree/joint.h"

#include <math.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "s = sphere { radius = 0.01 }\n"                                                               \
    "a = body { shape = s, material = g, position = {0, 0, 0} }\n"                                 \
    "b = body { shape = s, material = g, position = {0.1, 0, 0} }\n"                               \
    "w = wall { shape = plane { point = {0, 0, -1} }, material = g }\n"                            \
    "solver { dt = 1e-5 }\n"
#define R "\nrun { time = 0.001 }"

static double metric(const scree_scene *scene, const scree_world *world, const char *name)
{
    double values[100];

    scree_scene_standard(scene, world, values);
    for (size_t k = 0; k < scree_scene_standard_count(scene); k++)
        if (strcmp(scree_scene_standard_name(scene, k), name) == 0)
            return values[k];
    FAIL("no metric %s", name);
}

TEST(scenes_have_joints)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD
        "joint { kind = \"hinge\", first = a, second = b, at = {0.05, 0, 0}, axis = {0, 2, 0}, "
        "angles = {-1, 2}, rate = 3, torque = 4, turn_strength = 50 }\n"
        "joint { kind = \"slider\", first = b, second = w, at = {0.1, 0, 0}, axis = {1, 0, 0}, "
        "distances = {-0.01, 0.02}, distance = 0.005, force = 7, stiffness = 800 }\n"
        "joint { kind = \"ball\", first = a, at = {0, 0, 0}, angles = {0, 0.5}, collide = true }\n"
        "joint { kind = \"weld\", first = a, at = {0, 0, 0}, damping_ratio = 0.5 }\n"
        "joint { kind = \"spring\", first = a, second = b, at = {0, 0, 0}, to = {0.1, 0, 0}, "
        "rest_length = 0.08, stiffness = 100, strength = 9 }" R,
        &world);
    const scree_joint *joints;
    size_t count;

    CHECK_EQUAL(scree_world_joints(world, &joints, &count), SCREE_OK);
    CHECK_EQUAL(count, 5);
    for (size_t k = 0; k < count; k++)
        CHECK_EQUAL(joints[k].kind, (scree_joint_kind)k);
    CHECK_EQUAL(joints[0].second.index1, 2);
    CHECK_NEAR(joints[0].axis[1], 1, 1e-15);
    CHECK(joints[0].motor.mode == SCREE_MOTOR_SPEED && joints[0].motor.target == 3 &&
          joints[0].motor.max_effort == 4);
    CHECK(joints[1].wall.index1 == 1 && joints[1].stiffness == 800);
    CHECK(joints[1].motor.mode == SCREE_MOTOR_POSITION && joints[1].motor.target == 0.005);
    CHECK(joints[2].second.index1 == 0 && joints[2].wall.index1 == 0);
    CHECK_NEAR(joints[4].position, 0.1, 1e-15);
    CHECK_NEAR(joints[4].force[0], 100 * 0.02, 1e-9);
    CHECK_NEAR(metric(scene, world, "joints"), 5, 0);
    CHECK_NEAR(metric(scene, world, "broken_joints"), 0, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  In millimetres, milliseconds and degrees. */
TEST(joints_have_the_units_of_the_scene)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "units { length = \"mm\", angle = \"deg\" }\n"
        "g = material { density = 2.5e-6, young = 1e3 }\n"
        "a = body { shape = sphere { radius = 10 }, material = g, position = {0, 0, 0} }\n"
        "solver { dt = 1e-5 }\n"
        "joint { kind = \"hinge\", first = a, at = {50, 0, 0}, angle = 90, torque = 1e6 }" R,
        &world);
    const scree_joint *joints;
    size_t count;

    CHECK_EQUAL(scree_world_joints(world, &joints, &count), SCREE_OK);
    CHECK_NEAR(joints[0].point[0], 0.05, 1e-15);
    CHECK_NEAR(joints[0].motor.target, 1.5707963267948966, 1e-12);
    CHECK_NEAR(joints[0].motor.max_effort, 1, 1e-12);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  The chosen longest step stands for the time step, which is not known yet. */
TEST(stiffness_is_chosen_before_automatic_steps)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "g = material { density = 2500, young = 1e6 }\n"
        "a = body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0} }\n"
        "gravity { 0, 0, -10 }\n"
        "joint { kind = \"ball\", first = a, at = {0.05, 0, 0} }" R,
        &world);
    const scree_joint *joints;
    size_t count;

    must_step(scene, world, 20);
    CHECK_EQUAL(scree_world_joints(world, &joints, &count), SCREE_OK);
    CHECK(joints[0].stiffness > 0);
    CHECK(fabs(joints[0].point[0] - 0.05) < 1e-3);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_makes_no_sense_is_refused)
{
    static const bad_scene bad[] = {
        {"joint { first = a, at = {0, 0, 0} }", "`kind` is missing"},
        {"joint { kind = \"rope\", first = a, at = {0, 0, 0} }", "kind"},
        {"joint { kind = \"weld\", at = {0, 0, 0} }", "`first` is missing"},
        {"joint { kind = \"weld\", first = w, at = {0, 0, 0} }", "first: is"},
        {"joint { kind = \"weld\", first = a, second = g, at = {0, 0, 0} }", "second: is"},
        {"joint { kind = \"weld\", first = a, second = wall { shape = box { lower = {0, 0, 0}, "
         "upper = {1, 1, 1} }, material = g }, at = {0, 0, 0} }",
         "second: is a box"},
        {"joint { kind = \"weld\", first = a, second = wall { shape = plane {}, material = g, free "
         "= free_wall { mass = 1, held = \"all\" } }, at = {0, 0, 0} }",
         "second: is a free wall"},
        {"joint { kind = \"weld\", first = a }", "`at` is missing"},
        {"joint { kind = \"weld\", first = a, at = {0, 0, 0}, angles = {0, 1} }", "angles: are"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, distances = {0, 1} }",
         "distances: are limits of a slider"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, angles = {1, 0} }",
         "angles: the first is 1"},
        {"joint { kind = \"ball\", first = a, at = {0, 0, 0}, angles = {-1, 1} }", "must be 0"},
        {"joint { kind = \"slider\", first = a, at = {0, 0, 0}, rate = 1, torque = 1 }",
         "rate: is of the motor of a hinge"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, force = 1 }",
         "force: is of the motor of a slider"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, rate = 1 }", "`torque` is missing"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, torque = 1 }", "has no target"},
        {"joint { kind = \"hinge\", first = a, at = {0, 0, 0}, rate = 1, angle = 1, torque = 1 }",
         "has `rate` and `angle`"},
        {"joint { kind = \"spring\", first = a, at = {0, 0, 0} }", "`to` is missing"},
        {"joint { kind = \"weld\", first = a, at = {0, 0, 0}, to = {1, 0, 0} }", "to: is of a"},
        {"joint { kind = \"weld\", first = a, at = {0, 0, 0}, stiffness = 0 }", "stiffness: is 0"},
    };

    check_bad_scenes(bad, sizeof bad / sizeof *bad, HEAD, R);
}

/*  What only the world sees is told with the line. */
static void check_start(const char *text, const char *why)
{
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(text);

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK(scree_scene_start(scene, world, &error) != SCREE_OK);
    CHECK_SAYS(error.text, why);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_the_world_refuses_has_its_line)
{
    check_start(HEAD "joint { kind = \"weld\", first = a, second = a, at = {0, 0, 0} }" R,
                "scene.lua:7: joint: second: is the same body");
    check_start(HEAD "sleep { speed = 1 }\njoint { kind = \"weld\", first = a, at = {0, 0, 0} }" R,
                "scene.lua:8: joint: joints cannot be used with bodies that sleep");
}

/*  Editing a joint is another scene. */
TEST(joints_count_as_part_of_a_scene)
{
    scree_scene *one = must_open(HEAD "joint { kind = \"weld\", first = a, at = {0, 0, 0} }" R);
    scree_scene *two = must_open(HEAD "joint { kind = \"weld\", first = b, at = {0, 0, 0} }" R);
    scree_scene *none = must_open(HEAD R);
    char text[200];

    CHECK(scree_scene_is_same(one, one, text, sizeof text));
    CHECK(!scree_scene_is_same(one, two, text, sizeof text));
    CHECK_SAYS(text, "joint of line 7");
    CHECK(!scree_scene_is_same(one, none, text, sizeof text));
    CHECK_SAYS(text, "joints");
    scree_scene_close(one);
    scree_scene_close(two);
    scree_scene_close(none);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(scenes_have_joints),
        CASE(joints_have_the_units_of_the_scene),
        CASE(stiffness_is_chosen_before_automatic_steps),
        CASE(what_makes_no_sense_is_refused),
        CASE(what_the_world_refuses_has_its_line),
        CASE(joints_count_as_part_of_a_scene),
    };
    NEEDS_SCENES("test_scene_joints");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
