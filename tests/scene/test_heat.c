/*  Heat in scenes: who gets which temperature, where it is written, and what is refused. */
#include "scene_maker.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/picture.h"
#include "scree/wall.h"

#include <math.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "heat { temperature = 310 }\n"                                                                 \
    "g = material { density = 2500, young = 1e6, conductivity = 2, heat_capacity = 500 }\n"        \
    "s = sphere { radius = 0.01 }\nsolver { dt = 4e-5 }\n"
#define R "\nrun { time = 1 }"

static double temperature_at(scree_world *world, size_t k)
{
    scree_view view = scree_world_temperatures(world);

    CHECK(view.data != NULL);
    return *(const double *)((const char *)view.data + k * view.stride);
}

TEST(all_of_it_is_said_to_the_world)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "p = wall { shape = plane { }, material = g, temperature = 400 }\n"
             "wall { shape = plane { point = {0, 0, 9}, normal = {0, 0, -1} }, material = g }\n"
             "body { shape = s, material = g, position = {1, 0, 0.00999}, heat_source = 0.5 }\n"
             "body { shape = s, material = g, position = {2, 0, 1}, temperature = 250, "
             "holds_temperature = true }\n"
             "bodies { list = { {3, 0, 1, 0.01}, {4, 0, 1, 0.01} }, material = g, temperature = "
             "260 }\n"
             "fill { region = box { lower = {5, 5, 1}, upper = {6, 6, 2} }, shape = s, material = "
             "g, count = 3, temperature = 270 }\n"
             "fill { region = box { lower = {7, 7, 1}, upper = {8, 8, 2} }, shape = s, material = "
             "g, count = 1 }\n" R,
        &world);
    static const double wanted[] = {310, 250, 260, 260, 270, 270, 270, 310};
    scree_bodies_view view = scree_world_bodies(world);
    scree_wall_id ids[2];
    scree_wall_heat wall;
    scree_body_heat heat;

    CHECK_EQUAL(view.count, 8);
    for (size_t k = 0; k < 8; k++)
        CHECK(temperature_at(world, k) == wanted[k]);
    CHECK_EQUAL(scree_world_get_body_heat(world, scree_body_id_at(view.id, 0), &heat), SCREE_OK);
    CHECK(heat.source == 0.5 && !heat.is_held);
    CHECK_EQUAL(scree_world_get_body_heat(world, scree_body_id_at(view.id, 1), &heat), SCREE_OK);
    CHECK(heat.is_held);
    CHECK_EQUAL(scree_world_walls(world, ids, 2), 2);
    CHECK_EQUAL(scree_world_get_wall_heat(world, ids[0], &wall), SCREE_OK);
    CHECK(wall.is_given && wall.temperature == 400);
    CHECK_EQUAL(scree_world_get_wall_heat(world, ids[1], &wall), SCREE_OK);
    CHECK(!wall.is_given);
    must_step(scene, world, 10);
    CHECK(temperature_at(world, 0) > 310 && temperature_at(world, 1) == 250);
    CHECK(scree_world_heat(world).walls > 0 && scree_world_heat(world).sources > 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  What comes later comes with its temperature, too. */
TEST(what_is_poured_is_warm)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "pour { region = box { lower = {0, 0, 1}, upper = {1, 1, 2} }, shape = s, material = "
             "g, rate = 1e4, temperature = 500 }\n" R,
        &world);

    must_step(scene, world, 200);
    CHECK(scree_world_body_count(world) > 10);
    CHECK(scree_world_heat(world).lowest == 500);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

#define BODY "body { shape = s, material = g, position = {0, 0, 1}"

TEST(temperatures_are_written_and_drawn)
{
    scree_world *world;
    scree_scene *scene = must_start(HEAD BODY ", temperature = 321.5 }" R, &world);
    scree_export_def options = scree_default_export_def();
    scree_picture_def picture = scree_default_picture_def();
    const char *wanted[] = {"temperature"};
    char path[] = "/tmp/scree-heat-XXXXXX", text[4096] = "";
    scree_error error = {SCREE_OK, ""};
    scree_picture *drawn = NULL;

    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    options.fields = wanted;
    options.field_count = 1;
    for (int all = 0; all < 2; all++) {
        if (scree_export(world, SCREE_EXPORT_CSV, path, all ? NULL : &options, &error))
            FAIL("%s", error.text);
        FILE *csv = fopen(path, "rb");
        CHECK(csv && fread(text, 1, sizeof text - 1, csv) > 0);
        fclose(csv);
        CHECK_SAYS(text, "temperature");
        CHECK_SAYS(text, "321.5");
    }
    picture.field = "temperature";
    CHECK_EQUAL(scree_picture_draw(world, &picture, &drawn, &error), SCREE_OK);
    scree_picture_destroy(drawn);
    /* and without heat it is said that there is none */
    CHECK_EQUAL(scree_world_set_heat(world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_CSV, path, &options, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "the world has no heat");
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_CSV, path, NULL, &error), SCREE_OK);
    CHECK(scree_picture_draw(world, &picture, &drawn, &error) != SCREE_OK);
    CHECK_SAYS(error.text, "the world has no heat");
    remove(path);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

static void check_refused(const char *text, const char *words)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = open_scene_with(text, NULL, 0, &error);

    if (scene)
        FAIL("accepted: %s", text);
    CHECK_SAYS(error.text, words);
}

#define COLD "g = material { density = 2500 }\ns = sphere { radius = 0.01 }\n"

TEST(nonsense_is_refused)
{
    check_refused("heat { temperature = -1 }" R, "temperature");
    check_refused("heat { losses = 2 }" R, "losses");
    check_refused("heat { losses = 1 }\n" COLD R, "takes `solver { energy_balance = true }`");
    check_refused("heat { }\nheat { }" R, "heat");
    check_refused("g = material { conductivity = -1 }" R, "conductivity");
    check_refused("g = material { heat_capacity = 0 / 0 }" R, "heat_capacity");
    check_refused("g = material { conductivity = 1 }" R, "`heat { }` is missing");
    check_refused(COLD "wall { shape = plane { }, material = g, temperature = 1 }" R,
                  "wall: temperature is given");
    check_refused(COLD BODY ", temperature = 1 }" R, "`heat { }` is missing");
    check_refused(COLD BODY ", heat_source = 1 }" R, "`heat { }` is missing");
    check_refused(COLD "fill { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, shape = s, "
                       "material = g, count = 1, temperature = 3 }" R,
                  "`heat { }` is missing");
    check_refused("heat { }\n" COLD BODY " }" R,
                  "body: with heat, its material (line 2) needs a heat_capacity");
    check_refused(HEAD BODY ", temperature = 0 / 0 }" R, "temperature");
    check_refused(HEAD BODY ", heat_source = math.huge }" R, "heat_source");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_of_it_is_said_to_the_world),
        CASE(what_is_poured_is_warm),
        CASE(temperatures_are_written_and_drawn),
        CASE(nonsense_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
