/*  Wear in scenes: how it is written, what is measured, and what is refused. */
#include "scene_maker.h"

#include "scree/wear.h"

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6, friction = 0.5, restitution = 0.2 }\n"            \
    "s = sphere { radius = 0.01 }\n"
#define R "\nrun { time = 1 }"

static scree_wear_def wear_at(scree_world *world, size_t at, bool is_on)
{
    scree_wall_id ids[8];
    scree_wear_def wear;

    CHECK(scree_world_walls(world, ids, 8) > at);
    CHECK_EQUAL(scree_world_get_wear(world, ids[at], &wear), is_on);
    return wear;
}

/*  Of a plane, and of each side of a box; all fields. */
TEST(walls_wear)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "wall { shape = plane {}, material = g, wear = wear { coefficient = 1e-4 } }\n"
             "wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"+z\"} }, "
             "material = g, wear = wear { coefficient = 1, hardness = 2, erosion = 3, "
             "reference_speed = 4, reference_diameter = 5, speed_exponent = 6, diameter_exponent = "
             "7, angle_exponent = 8, hardness_exponent = 9 } }\n"
             "wall { shape = plane {}, material = g }" R,
        &world);

    scree_wear_def wear = wear_at(world, 0, true);
    CHECK(wear.coefficient == 1e-4 && wear.hardness == 1e9 && wear.erosion == 0);
    for (size_t k = 1; k < 6; k++) {
        wear = wear_at(world, k, true);
        CHECK(wear.coefficient == 1 && wear.hardness == 2 && wear.erosion == 3);
        CHECK(wear.reference_speed == 4 && wear.reference_diameter == 5);
        CHECK(wear.speed_exponent == 6 && wear.diameter_exponent == 7);
        CHECK(wear.angle_exponent == 8 && wear.hardness_exponent == 9);
    }
    (void)wear_at(world, 6, false);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  The column is the sum over the sides of the box; of a wall that does not wear it is 0. */
TEST(the_volume_is_measured)
{
    scree_wall_id ids[8];
    scree_facet_wear each;
    scree_world *world;
    double sum = 0;
    scree_scene *scene = must_start(
        HEAD "solver { dt = 1e-4 }\ngravity { 0, 0, -10 }\n"
             "w = wall { shape = box { lower = {0, 0, 0}, upper = {0.2, 0.2, 0.2} }, material = g, "
             "wear = wear { coefficient = 1e-3, erosion = 1e-6 } }\n"
             "p = wall { shape = plane { point = {0, 0, -1} }, material = g }\n"
             "body { shape = s, material = g, position = {0.1, 0.1, 0.03}, velocity = {1, 0, 0} }\n"
             "measure { name = \"box\", wall = w, what = {\"wear\"} }\n"
             "measure { name = \"plane\", wall = p, what = \"wear\" }" R,
        &world);

    CHECK(column(scene, world, "box.wear") == 0);
    must_step(scene, world, 3000);
    CHECK_EQUAL(scree_world_walls(world, ids, 8), 7);
    for (int k = 0; k < 6; k++) {
        CHECK_EQUAL(scree_world_wear(world, ids[k], &each, 1), SCREE_OK);
        sum += each.slid_volume + each.eroded_volume;
        CHECK(k != 4 || (each.slid_volume > 0 && each.eroded_volume > 0));
        CHECK(k != 1 || each.impacts > 0);
    }
    CHECK(sum > 0);
    CHECK_NEAR(column(scene, world, "box.wear"), sum, 1e-12 * sum);
    CHECK(column(scene, world, "plane.wear") == 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_makes_no_sense_is_refused)
{
    static const bad_scene bad[] = {
        {"wear {}", "`coefficient` or `erosion` is missing"},
        {"wear { hardness = 1e9 }", "`coefficient` or `erosion` is missing"},
        {"wear { coefficient = 1, angle_exponent = 2 }", "angle_exponent: needs an `erosion`"},
        {"wear { coefficient = -1 }", "coefficient: is -1"},
        {"wear { coefficient = 1, hardness = 0 }", "hardness: is 0"},
        {"wear { erosion = 1, speed_exponent = 11 }", "speed_exponent: is 11"},
        {"wear { erosion = 0/0 }", "erosion"},
        {"wall { shape = plane {}, material = g, wear = 1 }", "wear: is 1, must be wear"},
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = \"wear\" }",
         "\"wear\" is not available"},
    };

    check_bad_scenes(bad, sizeof bad / sizeof *bad, HEAD, R);

    /* what only the world sees is told with the line */
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(HEAD "solver { dt = 1e-4, local_steps = 3 }\n"
                                        "wall { shape = plane {}, material = g, wear = wear { "
                                        "coefficient = 1 } }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "scene.lua:4: wall: wear: not with local time steps");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls_wear),
        CASE(the_volume_is_measured),
        CASE(what_makes_no_sense_is_refused),
    };
    NEEDS_SCENES("test_scene_wear");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
