/*  Quantities of measure, through scenes: what the library's own tests hold against closed forms comes out in the right
    column. */
#include "scene_maker.h"

#include "scree/fields.h"

#include <math.h>
#include <string.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"
#define PI 3.14159265358979323846

/*  A ball of radius 0.01 whose centre is on the sphere's surface: half in by the count of centres, by a lens in truth. */
TEST(spheres_are_filled_exactly)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "body { shape = s, material = g, position = {0.03, 0, 0} }\n"
        "body { shape = s, material = g, position = {0, 0, 0} }\n"
        "measure { name = \"m\", region = sphere { centre = {0, 0, 0}, radius = 0.03 }, what = "
        "{\"solid_fraction\", \"porosity\", \"pressure\"} }\n"
        "measure { name = \"n\", region = sphere { centre = {0.03, 0, 0}, radius = 0.005 }, what = "
        "{\"porosity\"} }\n"
        "measure { name = \"b\", region = box { lower = {-1, -1, -1}, upper = {1, 1, 1} }, what = "
        "{\"solid_fraction\"} }\nsolver { dt = 1e-9 }" R,
        &world);
    const double r = 0.01, big = 0.03, ball = 4 * PI / 3 * r * r * r;
    const double sum = r, difference = big - r; /* R + r - d with d = R */
    double lens = PI * sum * sum * (big * big + 2 * big * (big + r) - 3 * difference * difference) /
                  (12 * big);

    must_step(scene, world, 1);
    double found = column(scene, world, "m.solid_fraction");
    CHECK_NEAR(found, (ball + lens) / (4 * PI / 3 * big * big * big), 1e-12);
    CHECK(column(scene, world, "m.porosity") == 1 - found);
    CHECK_NEAR(column(scene, world, "n.porosity"), 0, 1e-12);
    CHECK_NEAR(column(scene, world, "b.solid_fraction"), 2 * ball / 8, 1e-15);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(porosity_is_of_spheres)
{
    scree_error error = {SCREE_OK, ""};

    CHECK(!open_scene_with(H "measure { region = b, what = \"porosity\" }" R, NULL, 0, &error));
    CHECK_SAYS(error.text, "what: \"porosity\" is not known of a region");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(spheres_are_filled_exactly),
        CASE(porosity_is_of_spheres),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
