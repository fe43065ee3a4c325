/*  Cells that move in scenes: what they do to bodies, runs that are cut in two, and what is refused. */
#include "scene_shapes.h"

#include "scree/cell.h"

#include <math.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6, friction = 0.3, restitution = 0.8 }\n"            \
    "solver { dt = 2e-5 }\n"
#define DOMAIN "domain { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, boundary = \"periodic\" }\n"
#define BALLS                                                                                      \
    "fill { region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, shape = sphere { "        \
    "radius = 0.006 }, material = g, count = 150 }\n"
#define SHEAR "cell { shear = {20, 0, -3}, stretch = {-1, 0, 0.5} }\n"
#define R "run { time = 0.1 }"

TEST(a_cell_shears_what_is_in_it)
{
    scree_world *world;
    scree_scene *scene = must_start(HEAD DOMAIN BALLS SHEAR R, &world);
    scree_bodies_view view = scree_world_bodies(world);
    scree_cell_def cell;

    for (size_t k = 0; k < view.count; k++) {
        double x = scree_row_at(view.position, k)[0] - 0.05,
               y = scree_row_at(view.position, k)[1] - 0.05,
               z = scree_row_at(view.position, k)[2] - 0.05;
        CHECK_NEAR(scree_row_at(view.velocity, k)[0], 20 * y - x, 1e-12);
        CHECK_NEAR(scree_row_at(view.velocity, k)[1], -3 * z, 1e-12);
        CHECK_NEAR(scree_row_at(view.velocity, k)[2], 0.5 * z, 1e-12);
    }
    must_step(scene, world, 4000);
    scree_world_get_cell(world, &cell);
    CHECK_NEAR(cell.upper[0] - cell.lower[0], 0.1 * exp(-0.08), 1e-6);
    CHECK(cell.gradient[0][1] == 20 && cell.homogeneous);
    CHECK(scree_world_detection_stats(world).contacts > 0);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(it_continues_where_it_was_cut)
{
    continues(HEAD DOMAIN BALLS SHEAR R, 1500, 1500);
    continues(HEAD DOMAIN BALLS "cell { shear = {20, 0, 0}, homogeneous = false }\n" R, 1000, 1000);
}

/*  What is known when bodies are there. */
static void start_is_refused(const char *text, const char *says)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_open(text);
    scree_world *world;

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK(scree_scene_start(scene, world, &error) != SCREE_OK);
    CHECK_SAYS(error.text, says);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_cannot_be_is_refused)
{
    start_is_refused(HEAD BALLS "cell { shear = {1, 0, 0} }\n" R,
                     "cell: no boundary of the world is periodic");
    start_is_refused(HEAD
                     "domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = {\"periodic\", "
                     "\"stop\", \"periodic\"} }\n" BALLS "cell { shear = {1, 0, 0} }\n" R,
                     "gradient xy is 1, must be 0 where an axis is not periodic");
    start_is_refused(HEAD DOMAIN SHEAR
                     "pour { region = box { lower = {0, 0, 0.09}, upper = {0.1, 0.1, 0.1} }, shape "
                     "= sphere { radius = 0.005 }, material = g, count = 10, rate = 100 }\n" R,
                     "cell: cannot be combined with the pour in line");
    start_is_refused(
        HEAD DOMAIN BALLS SHEAR
        "measure { name = \"m\", region = plane { point = {0, 0, 0}, normal = {1, 0, 0} } }\n" R,
        "cannot be combined with the plane of the measure");
    refuses(HEAD DOMAIN "cell { shear = 5 }" R, "cell: shear");
    refuses(HEAD DOMAIN "cell { shears = {1, 0, 0} }" R, "did you mean `shear`?");
    refuses(HEAD DOMAIN "cell { } cell { }" R, "cell");
}

#define DENSE                                                                                      \
    "fill { region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, shape = sphere { "        \
    "radius = uniform(0.006, 0.01) }, material = g, solid_fraction = 0.35 }\n"

TEST(a_cell_is_tilted_at_the_start)
{
    scree_world *world;
    scree_scene *scene =
        must_start(HEAD DOMAIN "cell { tilt = {0.02, -0.01, 0.03} }\n" BALLS R, &world);
    scree_cell_def cell;

    must_step(scene, world, 100);
    scree_world_get_cell(world, &cell);
    CHECK(cell.tilt[0] == 0.02 && cell.tilt[1] == -0.01 && cell.tilt[2] == 0.03);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
    start_is_refused(HEAD DOMAIN BALLS "cell { tilt = {0.06, 0, 0} }\n" R,
                     "tilt xy is 0.06, must be at most 0.05");
}

TEST(a_pressure_is_held)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD DOMAIN DENSE "cell { pressure = 800, shear = {1, 0, 0}, max_rate = 2 }\n" R, &world);
    scree_cell_servo_def servo;
    double pressure, stress[6];

    must_step(scene, world, 10);
    CHECK(scree_world_get_cell_servo(world, &servo, NULL, NULL));
    CHECK(servo.pressure == 800 && servo.max_rate == 2 && isnan(servo.stress[3]));
    scree_world_destroy(world);
    scree_scene_close(scene);

    scene =
        must_start(HEAD DOMAIN DENSE
                   "cell { stress = { xx = 800, yy = 820, zz = 840, xy = -60 }, max_rate = 2 }\n" R,
                   &world);
    must_step(scene, world, 40000);
    CHECK(scree_world_get_cell_servo(world, &servo, stress, &pressure));
    CHECK(pressure == 0 && isnan(servo.pressure) && isnan(servo.stress[4]));
    for (int q = 0; q < 4; q++)
        CHECK_NEAR(stress[q], servo.stress[q], 8);
    scree_world_destroy(world);
    scree_scene_close(scene);
    continues(HEAD DOMAIN DENSE "cell { pressure = 800, shear = {1, 0, 0}, max_rate = 2 }\n" R,
              1500, 1500);
}

TEST(what_cannot_be_held_is_refused)
{
    refuses(HEAD DOMAIN "cell { pressure = 5 }" R, "`max_rate` is missing");
    refuses(HEAD DOMAIN "cell { max_rate = 5 }" R, "there is neither");
    refuses(HEAD DOMAIN "cell { stress = { xx = 5, yx = 3 }, max_rate = 1 }" R,
            "yx is not a component");
    refuses(HEAD DOMAIN "cell { stress = { xx = {} }, max_rate = 1 }" R, "must be a number");
    refuses(HEAD DOMAIN "cell { stress = 7, max_rate = 1 }" R, "a table of numbers");
    refuses(HEAD DOMAIN "cell { stress = { xy = 7 }, shear = {1, 0, 0}, max_rate = 1 }" R,
            "xy has a rate and a controlled stress");
    refuses(HEAD DOMAIN "cell { pressure = 7, stretch = {0, 1, 0}, max_rate = 1 }" R,
            "yy has a rate and a controlled stress");
    refuses(HEAD DOMAIN "cell { pressure = 7, homogeneous = false, max_rate = 1 }" R,
            "homogeneous: must be true");
    start_is_refused(HEAD DOMAIN BALLS
                     "cell { pressure = 7, stress = { xx = 7 }, max_rate = 1 }\n" R,
                     "stress along an axis; give one of them");
    start_is_refused(HEAD DOMAIN BALLS "cell { stress = {}, max_rate = 1 }\n" R,
                     "no stress is given");
}

TEST(memory_ends_anywhere)
{
    lacks_memory_anywhere(HEAD DOMAIN SHEAR R);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_cell_shears_what_is_in_it), CASE(it_continues_where_it_was_cut),
        CASE(what_cannot_be_is_refused),   CASE(a_cell_is_tilted_at_the_start),
        CASE(a_pressure_is_held),          CASE(what_cannot_be_held_is_refused),
        CASE(memory_ends_anywhere),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
