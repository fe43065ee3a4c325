/*  polygon in scenes: what it takes and refuses, what its bodies weigh, and runs that are cut in two. */
#include "scene_shapes.h"

#include <math.h>

#define FLAT "domain { dimensions = 2 }\n"
#define BRICK "points = {{0, 0}, {2, 0}, {2, 1}, {0, 1}}"

/*  The first body; its mesh is gone afterwards, and `lowest` is the height of its lowest vertex. */
static scree_body first_of(const char *text, double *lowest)
{
    scree_error error;
    scree_scene *scene = open_beside(text, NULL, NULL, &error);
    scree_world *world;
    scree_body body;

    if (!scene)
        FAIL("%s", error.text);
    begin(scene, &world);
    scree_bodies_view view = scree_world_bodies(world);
    CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, 0), &body), SCREE_OK);
    scree_mesh_info info = scree_mesh_describe(body.shape.mesh);
    *lowest = INFINITY;
    for (size_t v = 0; v < info.vertex_count; v++)
        *lowest = fmin(*lowest, info.vertices[3 * v + 1]);
    scree_world_destroy(world);
    scree_scene_close(scene);
    return body;
}

#define BODY(shape)                                                                                \
    FLAT "m = material { density = 7 }\nbody { shape = " shape                                     \
         ", material = m, position = {0, 0} }\nrun { steps = 1 }"

TEST(polygons_weigh_what_they_should)
{
    const double pi = 3.14159265358979323846;
    double lowest;
    scree_body b = first_of(BODY("polygon { " BRICK " }"), &lowest);

    CHECK_NEAR(b.mass, 14, 1e-13);
    CHECK_NEAR(b.inertia[2], 14 * 5.0 / 12, 1e-12);
    CHECK_NEAR(b.shape.rounding, 0.05 * sqrt(2 / pi), 1e-15);
    b = first_of(BODY("polygon { " BRICK ", scale = 0.1, rounding = 0.2 }"), &lowest);
    CHECK_NEAR(b.mass, 0.14, 1e-15);
    CHECK_NEAR(b.shape.rounding, 0.02 * sqrt(2 / pi), 1e-15);
    b = first_of(BODY("polygon { " BRICK ", radius = 0.3 }"), &lowest);
    CHECK_NEAR(b.mass, 7 * pi * 0.09, 1e-13);
    b = first_of(BODY("polygon { regular = 6, scale = 2 }"), &lowest);
    CHECK_NEAR(b.mass, 7 * 4 * 1.5 * sqrt(3), 1e-12);
    /* a side below */
    b = first_of(BODY("polygon { regular = 4, scale = 1 }"), &lowest);
    CHECK_NEAR(b.mass, 14, 1e-13);
    CHECK_NEAR(lowest, -sqrt(0.5), 1e-15);
}

TEST(what_is_wrong_is_refused)
{
    static const struct
    {
        const char *text, *says;
    } cases[] = {
        {"polygon { " BRICK " }", "is for two dimensions"},
        {FLAT "block { points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }",
         "in two use `polygon`"},
        {FLAT "polygon { }", "`points` or `regular` is missing"},
        {FLAT "polygon { " BRICK ", regular = 5 }", "has `points` and `regular`"},
        {FLAT "polygon { regular = 5 }", "`radius` or `scale` is missing"},
        {FLAT "polygon { regular = 2, scale = 1 }", "regular"},
        {FLAT "polygon { points = {{0, 0}, {1, 1}} }", "points"},
        {FLAT "polygon { points = {{0, 0}, {1, 1}, {2, 2}} }", "lie on a line"},
        {FLAT "polygon { points = {{0, 0}, {1, 0}, {0, 0/0}} }", "must be a number"},
        {FLAT "polygon { points = {{0, 0}, {1, 0}, {0, 1e60}} }", "point 3"},
        {FLAT "polygon { points = {{0, 0}, {1, 0}, {0, 1, 0}} }", "must be {x, y}"},
        {FLAT "polygon { " BRICK ", scale = 2, radius = 1 }", "has `scale` and `radius`"},
        {FLAT "polygon { " BRICK ", rounding = 0 }", "rounding"},
        {FLAT "polygon { " BRICK ", variants = 3 }", "there are 3 of one size"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        refuses(cases[k].text, cases[k].says);
}

/*  What lies within the others is left out, and said. */
TEST(inner_points_are_left_out)
{
    char heard[HEARD] = "";
    const scree_log log = {.write = hear_warning, .user = heard};
    scree_error error;
    scree_scene *scene = open_beside(
        FLAT "polygon { points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.5, 0}} }\n"
             "run { steps = 1 }",
        NULL, &log, &error);

    CHECK(scene);
    CHECK(strstr(heard, "2 of 6 points are not corners"));
    scree_scene_close(scene);
}

/* ---- the course ------------------------------------------------------------------------------------------ */

/*  Polygons fall on a line, a wall of segments and each other and into a sink, as others come. */
static const char busy[] = FLAT
    "gravity { 0, -9.81 }\n"
    "m = material { density = 10, stiffness = 1e5, restitution = 0.5, friction = 0.4 }\n"
    "rule { law = \"linear\" }\nwall { shape = plane { point = {0, 0} }, material = m }\n"
    "wall { shape = facets { vertices = {{0, 0.01}, {0.01, 0.002}, {0.03, 0.02}}, "
    "facets = {{1, 2}, {2, 3}} }, material = m }\n"
    "pour { name = \"a\", rate = 3000, count = 40, region = box { lower = {-0.04, 0.02}, upper = "
    "{0.04, 0.06} },\n"
    "       shape = mixture { {polygon { regular = 5, radius = uniform(0.0008, 0.0016), variants = "
    "3, rounding = 0.2 }, 1}, {polygon { " BRICK ", scale = 0.001, rounding = 0.2 }, 1} },\n"
    "       velocity = {0, -1.5}, material = m }\n"
    "sink { name = \"s\", region = box { lower = {-1, -1}, upper = {0, 0.003} } }\n"
    "solver { dt = 1e-5, act_every = 20, energy_balance = true }\nrun { time = 1 }";

TEST(a_run_that_went_on_writes_the_same_output)
{
    scree_scene_tally tally = continues(busy, 2010, 900);

    CHECK(tally.poured > 30 && tally.sunk > 0 && tally.sunk < tally.poured);
}

TEST(every_allocation_may_fail)
{
    enter_folder();
    lacks_memory_anywhere(FLAT
                          "m = material { }\n"
                          "fill { count = 4, region = box { lower = {0, 0}, upper = {1, 1} }, "
                          "material = m, shape = polygon { " BRICK ", scale = uniform(0.01, 0.02), "
                          "variants = 2 } }\n"
                          "body { shape = polygon { regular = 5, radius = 0.1 }, material = m, "
                          "position = {3, 0} }\nrun { steps = 1 }");
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(polygons_weigh_what_they_should), CASE(what_is_wrong_is_refused),
        CASE(inner_points_are_left_out),       CASE(a_run_that_went_on_writes_the_same_output),
        CASE(every_allocation_may_fail),
    };

    NEEDS_SCENES("test_scene_polygons");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
