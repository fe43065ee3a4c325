/*  Belts in scenes: how they are written, started and stopped by stages, and what is refused. */
#include "scene_maker.h"

#include <math.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6, friction = 0.5 }\n"                               \
    "s = sphere { radius = 0.01 }\n"
#define R "\nrun { time = 1 }"

static scree_wall_belt_def belt_of(scree_world *world, size_t at, bool is_on)
{
    scree_wall_id ids[8];
    scree_wall_belt_def belt;

    CHECK(scree_world_walls(world, ids, 8) > at);
    CHECK_EQUAL(scree_world_get_wall_belt(world, ids[at], &belt), is_on);
    return belt;
}

/*  Of a plane, of each side of a box, and of facets. */
TEST(walls_have_belts)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD
        "wall { shape = plane {}, material = g, belt = belt { velocity = {0.5, 0, 0} } }\n"
        "wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"+z\"} }, material = "
        "g, belt = belt { rate = 6, axis = {0, 3, 0}, centre = {1, 2, 3} } }\n"
        "wall { shape = plane {}, material = g }" R,
        &world);

    scree_wall_belt_def belt = belt_of(world, 0, true);
    CHECK(belt.velocity[0] == 0.5 && belt.rate == 0);
    for (size_t k = 1; k < 6; k++) {
        belt = belt_of(world, k, true);
        CHECK(belt.rate == 6 && belt.axis[1] == 1 && belt.centre[2] == 3 && belt.velocity[0] == 0);
    }
    (void)belt_of(world, 6, false);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A grain is carried along, the other way, and then no more. */
TEST(stages_start_and_stop_them)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD
        "solver { dt = 1e-4 }\ngravity { 0, 0, -10 }\n"
        "w = wall { shape = plane {}, material = g, belt = belt { velocity = {0.7, 0, 0} } }\n"
        "body { shape = s, material = g, position = {0, 0, 0.01} }\n"
        "measure { name = \"all\", region = box { lower = {-9, -9, -1}, upper = {9, 9, 1} }, "
        "what = {\"velocity\"} }\n"
        "stage { ends = after(0.3), name = \"there\" }\n"
        "stage { ends = after(0.3), change = drive { wall = w, belt = belt { velocity = {-0.7, 0, "
        "0} } } }\n"
        "stage { ends = after(0.3), change = drive { wall = w } }\nrun { }",
        &world);

    must_step(scene, world, 2990);
    CHECK_NEAR(column(scene, world, "all.velocity_x"), 0.2, 5e-3);
    must_step(scene, world, 3000);
    CHECK_NEAR(column(scene, world, "all.velocity_x"), -0.2, 5e-3);
    must_step(scene, world, 3000);
    (void)belt_of(world, 0, false);
    CHECK_NEAR(column(scene, world, "all.velocity_x"), 0, 5e-3);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_makes_no_sense_is_refused)
{
    static const bad_scene bad[] = {
        {"belt {}", "`velocity` or `rate` is missing"},
        {"belt { velocity = {1, 0, 0}, axis = {0, 1, 0} }", "axis and centre need a `rate`"},
        {"belt { velocity = {1, 0, 0}, centre = {0, 1, 0} }", "axis and centre need a `rate`"},
        {"belt { velocity = 1 }", "velocity: is 1"},
        {"belt { rate = 0/0 }", "rate"},
        {"wall { shape = plane {}, material = g, belt = 1 }", "belt: is 1, must be a belt"},
        {"wall { shape = plane {}, material = g, belt = move { velocity = {0, 0, 1} } }",
         "must be a belt"},
    };

    check_bad_scenes(bad, sizeof bad / sizeof *bad, HEAD, R);

    /* what only the world sees is told with the line */
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(
        HEAD "wall { shape = plane {}, material = g, belt = belt { rate = 1, axis = {0, 0, "
             "0} } }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "scene.lua:3: wall: belt: wall belt: axis is (0, 0, 0)");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls_have_belts),
        CASE(stages_start_and_stop_them),
        CASE(what_makes_no_sense_is_refused),
    };
    NEEDS_SCENES("test_scene_belt");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
