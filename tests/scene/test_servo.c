/*  Servos in scenes: what they drive, what is measured of it, and what is refused. */
#include "scene_maker.h"

#include <math.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6, friction = 0.3 }\n"                               \
    "s = sphere { radius = 0.01 }\n"
#define R "\nrun { time = 1 }"

TEST(a_box_presses_what_is_in_it)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "solver { dt = 4e-5 }\n"
             "w = wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, material = g, "
             "servo = servo { stress = 2000, speed = 0.5 } }\n"
             "fill { region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, shape = s, "
             "material = g, count = 90 }\n"
             "measure { name = \"w\", wall = w, what = {\"force\", \"size\", \"side_stress\"} }" R,
        &world);

    CHECK_NEAR(column(scene, world, "w.size_y"), 0.1, 1e-15);
    must_step(scene, world, 12000);
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "w.side_stress_%c", "xyz"[k]);
        CHECK_NEAR(column(scene, world, name), 2000, 20);
        snprintf(name, sizeof name, "w.size_%c", "xyz"[k]);
        double size = column(scene, world, name);
        CHECK(size < 0.1 && size > 0.05);
    }
    CHECK_NEAR(column(scene, world, "w.force_x"), 0, 0.2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Two sides alone, for a time; the forces of the others follow. Also in two dimensions. */
TEST(sides_of_a_box_are_chosen)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world *world;
        char text[1000];
        snprintf(text, sizeof text,
                 "domain { dimensions = %d }\n" HEAD "solver { dt = 4e-5 }\n"
                 "w = wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, %s} }, material "
                 "= g, servo = servo { force = 2, speed = 0.1, sides = {\"+y\", \"-x\"}, start = "
                 "0.01, stop = 0.02 } }\n"
                 "measure { name = \"w\", wall = w, what = {\"size\"} }" R,
                 dimensions, dimensions == 3 ? "0.1" : "0");
        scree_scene *scene = must_start(text, &world);
        scree_wall_id ids[6];
        size_t count = scree_world_walls(world, ids, 6);
        CHECK_EQUAL(count, 2 * dimensions);
        for (size_t k = 0; k < count; k++) {
            scree_wall wall;
            CHECK_EQUAL(scree_world_get_wall(world, ids[k], &wall), SCREE_OK);
            CHECK_EQUAL(wall.servo.is_on, k == 0 || k == 3);
        }
        must_step(scene, world, 1000);
        CHECK_NEAR(column(scene, world, "w.size_x"), 0.1 - 0.001, 2e-5);
        CHECK_NEAR(column(scene, world, "w.size_y"), 0.1 - 0.001, 2e-5);
        CHECK_NEAR(column(scene, world, "w.size_z"), dimensions == 3 ? 0.1 : 0, 1e-12);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  A plate and a plane come down on a ball each. Numbers are in the scene's units. */
TEST(planes_and_meshes_are_driven)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "units { length = \"mm\", mass = \"g\", time = \"ms\" }\n"
        "g = material { density = 2.5e-3, young = 1 }\n"
        "solver { dt = 0.02 }\n"
        "wall { shape = plane {}, material = g }\n"
        "p = wall { shape = facets { vertices = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, "
        "20, 0}}, facets = {{1, 2, 3}, {1, 3, 4}} }, position = {0, 0, 21}, material = g, "
        "servo = servo { stress = 0.0005, axis = {0, 0, -1}, speed = 0.1 } }\n"
        "q = wall { shape = plane { point = {0, 0, 22}, normal = {0, 0, -1} }, material = g, "
        "groups = {2}, meets = {2}, servo = servo { stress = 0.001, area = 200, speed = 0.1, gain "
        "= 10 } }\n"
        "body { shape = sphere { radius = 10 }, material = g, position = {0, 0, 10}, meets = {1} "
        "}\n"
        "body { shape = sphere { radius = 10 }, material = g, position = {80, 0, 10}, groups = {1, "
        "2} }\n"
        "measure { name = \"p\", wall = p, what = {\"force\", \"position\"} }\n"
        "measure { name = \"q\", wall = q, what = {\"force\", \"position\"} }" R,
        &world);

    must_step(scene, world, 20000);
    CHECK_NEAR(column(scene, world, "p.force_z"), 0.0005 * 1600, 1e-4);
    CHECK_NEAR(column(scene, world, "q.force_z"), 0.001 * 200, 1e-4);
    CHECK(column(scene, world, "p.position_z") < 0.02);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_makes_no_sense_is_refused)
{
    static const bad_scene bad[] = {
        {"servo { speed = 1 }", "`force` or `stress` is missing"},
        {"servo { force = 1, stress = 1, speed = 1 }", "has `force` and `stress`"},
        {"servo { force = 1, area = 1, speed = 1 }", "area: is what a `stress` is on"},
        {"servo { force = 1 }", "speed"},
        {"servo { force = -1, speed = 1 }", "force: is -1"},
        {"servo { force = 1, speed = 0 }", "speed: is 0"},
        {"servo { force = 1, speed = 1, start = 2, stop = 1 }", "stop: is at 1, must be after"},
        {"wall { shape = plane {}, material = g, servo = 1 }", "servo: is 1, must be a servo"},
        {"wall { shape = plane {}, material = g, servo = move { velocity = {0, 0, 1} } }",
         "must be a servo"},
        {"wall { shape = plane {}, material = g, servo = servo { stress = 1, speed = 1 } }",
         "a plane has no end"},
        {"wall { shape = plane {}, material = g, servo = servo { force = 1, speed = 1, sides = "
         "{\"+x\"} } }",
         "sides: are of a box"},
        {"wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 1}, radius = 1 }, material = g, "
         "servo = servo { force = 1, speed = 1 } }",
         "axis: is missing"},
        {"wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"+z\"} }, material = "
         "g, servo = servo { stress = 1, speed = 1 } }",
         "a box with open sides"},
        {"wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"+z\"} }, material = "
         "g, servo = servo { force = 1, speed = 1, sides = {\"+z\"} } }",
         "has one that is open"},
        {"wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, material = g, servo = servo "
         "{ force = 1, speed = 1, axis = {1, 0, 0} } }",
         "sides of a box are driven inwards"},
        {"w = wall { shape = plane {}, material = g }\nmeasure { wall = w, what = {\"size\"} }",
         "\"size\" is not available for a wall like this"},
        {"w = wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, material = g }\n"
         "measure { wall = w, what = {\"position\"} }",
         "\"position\" is not available for a wall like this"},
        {"w = wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"-x\"} }, "
         "material = g }\nmeasure { wall = w, what = {\"side_stress\"} }",
         "\"side_stress\" is not available for a wall like this"},
    };

    check_bad_scenes(bad, sizeof bad / sizeof *bad, HEAD, R);

    /* what only the world sees is told with the line */
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(
        HEAD "wall { shape = plane {}, material = g, servo = servo { force = 1, speed = 1, axis = "
             "{0, 0, -1} } }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "scene.lua:3: wall: servo: wall servo: axis (0 0 -1) does not lead");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_box_presses_what_is_in_it),
        CASE(sides_of_a_box_are_chosen),
        CASE(planes_and_meshes_are_driven),
        CASE(what_makes_no_sense_is_refused),
    };
    NEEDS_SCENES("test_scene_servo");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
