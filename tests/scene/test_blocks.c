/*  Blocks in scenes: what points span and what a file holds, by number and size, dealt by fills and mixtures; what is no
    block is refused with its reason; and a run continues bit-identically. */
#include "scene_shapes.h"

#include <math.h>

#define G "g = material { density = 2500, young = 1e7 }\n"
#define R "\nrun { steps = 1 }"
#define BOX "region = box { lower = {0, 0, 0}, upper = {0.2, 0.2, 0.2} }, material = g"
/*  Corners of a box of 0.001 by 0.002 by 0.003, whose first is the origin. */
#define BRICK                                                                                      \
    "points = { {0, 0, 0}, {0.001, 0, 0}, {0, 0.002, 0}, {0.001, 0.002, 0}, {0, 0, 0.003}, "       \
    "{0.001, 0, 0.003}, {0, 0.002, 0.003}, {0.001, 0.002, 0.003} }"

/* ---- what it is ------------------------------------------------------------------------------------------ */

TEST(points_span_what_is_listed)
{
    const double volume = 6e-9, round = cbrt(volume * 3 / (4 * 3.14159265358979323846));
    scree_world *world;
    scree_scene *scene = must_start(
        G "body { shape = block { " BRICK " }, material = g, position = {1, 2, 3} }\n"
          "body { shape = block { " BRICK ", scale = 3, rounding = 0.2 }, material = g, position = "
          "{2, 2, 3} }\n"
          "body { shape = block { " BRICK
          ", radius = 0.004 }, material = g, position = {3, 2, 3} }" R,
        &world);
    scree_body body = body_number(world, 1);
    scree_mesh_info info = scree_mesh_describe(body.shape.mesh);

    CHECK(body.shape.kind == SCREE_SHAPE_BLOCK && scree_scene_plan_of(scene)->has_stones);
    CHECK(info.vertex_count == 8 && info.facet_count == 12);
    CHECK_NEAR(body.shape.rounding, 0.05 * round, 1e-12 * round);
    CHECK_NEAR(body.mass, 2500 * volume, 1e-12 * body.mass);
    CHECK(body.position[0] == 1 && body.position[1] == 2 && body.position[2] == 3);
    CHECK_NEAR(body_number(world, 2).mass, 27 * body.mass, 1e-11 * body.mass);
    CHECK_NEAR(body_number(world, 2).shape.rounding, 0.6 * round, 1e-12 * round);
    CHECK_NEAR(body_number(world, 3).mass, body.mass * pow(0.004 / round, 3), 1e-9);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(a_file_holds_a_block)
{
    scree_error error;
    scree_world *world;

    enter_folder();
    save("brick.obj", brick_obj);
    scree_scene *scene = open_beside(
        G "body { shape = block { file = \"brick.obj\", scale = 0.001 }, material = g, position = "
          "{0, 0, 0} }\n"
          "body { shape = block { " BRICK " }, material = g, position = {1, 0, 0} }" R,
        NULL, NULL, &error);
    if (!scene)
        FAIL("%s", error.text);
    begin(scene, &world);
    scree_body from_file = body_number(world, 1), listed = body_number(world, 2);
    CHECK(from_file.shape.kind == SCREE_SHAPE_BLOCK);
    CHECK_NEAR(from_file.mass, listed.mass, 1e-12 * listed.mass);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(from_file.inertia[k], listed.inertia[k], 1e-12 * listed.inertia[k]);
    scree_world_destroy(world);
    scree_scene_close(scene);
    unlink(path_of("brick.obj"));
    leave_folder();
}

TEST(fills_and_mixtures_deal_blocks)
{
    scree_world *world;
    scree_scene *scene = must_start(G "fill { count = 60, " BOX ", shape = block { " BRICK
                                      ", radius = uniform(0.003, 0.006), variants = 5 } }\n"
                                      "fill { count = 40, region = box { lower = {1, 0, 0}, upper "
                                      "= {1.2, 0.2, 0.2} }, material = "
                                      "g, shape = mixture { {block { " BRICK
                                      " }, 1}, {sphere { radius = 0.002 }, 1} } }" R,
                                    &world);
    scree_bodies_view view = scree_world_bodies(world);
    size_t blocks = 0, balls = 0;
    double least = 1, most = 0;

    CHECK_EQUAL(view.count, 100);
    for (uint64_t serial = 1; serial <= 100; serial++) {
        scree_body body = body_number(world, serial);
        blocks += serial > 60 && body.shape.kind == SCREE_SHAPE_BLOCK;
        balls += body.shape.kind == SCREE_SHAPE_SPHERE;
        if (serial > 60)
            continue;
        CHECK(body.shape.kind == SCREE_SHAPE_BLOCK);
        least = body.mass < least ? body.mass : least;
        most = body.mass > most ? body.mass : most;
    }
    CHECK(blocks > 5 && balls > 5 && blocks + balls == 40);
    CHECK(most > 3 * least && most < 8 * least);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_is_no_block_is_refused)
{
    static const char *const broken[][2] = {
        {"block { }", "`points` or `file` is missing"},
        {"block { " BRICK ", file = \"brick.obj\" }", "has `points` and `file`"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} } }", "points: has 3 items"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1} } }",
         "point 4 is a table, must be {x, y, z}"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, \"a\"} } }", "\"a\""},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0} } }", "lie in a plane"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0} } }", "the 4 points lie"},
        {"block { points = { {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1} } }", "the 4 points"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1 / 0} } }", "inf"},
        {"block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e200} } }",
         "point 4 has the coordinate 1e+200"},
        {"p = {} for i = 1, 22000 do local z, a = 2 * i / 22001 - 1, 2.4 * i local r = math.sqrt(1 "
         "- "
         "z * z) p[i] = {r * math.cos(a), r * math.sin(a), z} end block { points = p }",
         "22000 corners are more than a block can have"},
        {"block { " BRICK ", scale = 0 }", "scale: is 0"},
        {"block { " BRICK ", scale = 2, radius = 1 }", "has `scale` and `radius`"},
        {"block { " BRICK ", rounding = 0 }", "rounding: is 0"},
        {"block { " BRICK ", variants = 3 }", "3 of one size, all alike"},
        {"block { file = \"none.stl\" }", "none.stl"},
        {"block { file = \"open.obj\" }", "open.obj: "},
        {"block { file = \"notched.obj\" }", "notched.obj: it is not convex: it fills 0."},
        {"domain { dimensions = 2 } block { " BRICK " }", "is for three dimensions"},
        {"p = {} for i = 1, 20000 do p[i] = {math.cos(i), math.sin(i), math.cos(i * i)} end block "
         "{ "
         "points = p, scale = uniform(1, 2), variants = 1000 }",
         "budget"},
        {G "body { shape = block { " BRICK
           ", scale = uniform(1, 2) }, material = g, position = {0, "
           "0, 0} }",
         "shape: has 16 variants; one body has one"},
        {G "fill { count = 1, material = g, shape = sphere { radius = 1 }, region = block { " BRICK
           " } }",
         "is a shape of bodies, not a region"},
    };

    enter_folder();
    save("brick.obj", brick_obj);
    save("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n");
    /* a tetrahedron with a dent in one face */
    save("notched.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.3 0.3 0.1\n"
                        "f 1 5 2\nf 2 5 3\nf 3 5 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", broken[i][0], R);
        refuses(text, broken[i][1]);
    }
    unlink(path_of("brick.obj"));
    unlink(path_of("open.obj"));
    unlink(path_of("notched.obj"));
    leave_folder();
}

TEST(points_that_are_no_corners_are_told)
{
    char heard[HEARD] = "";
    const scree_log log = {.write = hear_warning, .user = heard};
    scree_error error;

    enter_folder();
    scree_scene *scene =
        open_beside("block { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}, "
                    "{0.1, 0.1, 0.1} } }" R,
                    NULL, &log, &error);
    CHECK(scene != NULL);
    CHECK(strstr(heard, "block: 2 of 6 points are not corners"));
    scree_scene_close(scene);
    leave_folder();
}

/* ---- the course ------------------------------------------------------------------------------------------ */

/*  Blocks fall on a plane, on each other and into a sink, as others come. */
static const char busy[] =
    "gravity { 0, 0, -9.81 }\n" G "wall { shape = plane { point = {0, 0, 0} }, material = g }\n"
    "pour { name = \"a\", rate = 3000, count = 40, region = box { lower = {-0.02, -0.02, 0.008}, "
    "upper = {0.02, 0.02, 0.04} },\n"
    "       shape = block { " BRICK
    ", scale = uniform(0.8, 1.6), variants = 4 }, velocity = {0, 0, "
    "-1.5}, material = g }\n"
    "sink { name = \"s\", region = box { lower = {-1, -1, -1}, upper = {0, 0, 0.004} } }\n"
    "solver { dt = 1e-5, act_every = 20, energy_balance = true }\nrun { time = 1 }";

TEST(a_run_that_went_on_writes_the_same_output)
{
    scree_scene_tally tally = continues(busy, 1510, 700);

    CHECK(tally.poured > 30 && tally.sunk > 0 && tally.sunk < tally.poured);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    enter_folder();
    save("brick.obj", brick_obj);
    lacks_memory_anywhere(
        G "fill { count = 4, " BOX ", shape = block { " BRICK ", scale = uniform(1, 2), variants = "
          "2 } }\nbody { shape = block { file = \"brick.obj\", scale = 0.01 }, material = g, "
          "position = {1, 0, 0} }" R);
    unlink(path_of("brick.obj"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(points_span_what_is_listed),          CASE(a_file_holds_a_block),
        CASE(fills_and_mixtures_deal_blocks),      CASE(what_is_no_block_is_refused),
        CASE(points_that_are_no_corners_are_told), CASE(a_run_that_went_on_writes_the_same_output),
        CASE(every_allocation_may_fail),
    };
    NEEDS_SCENES("test_scene_blocks");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
