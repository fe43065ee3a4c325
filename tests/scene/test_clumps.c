/*  Clumps in scenes: listed pebbles and those that fill a mesh, one by one, from lists, filled and poured, in two
    dimensions and three; what is no clump is refused with its reason; and a run continues bit-identically. */
#include "examine.h"
#include "harness/mesh_maker.h"
#include "scene_shapes.h"

#include "scree/io.h"

#include <math.h>

#define PI 3.14159265358979323846
#define G "g = material { density = 2500, young = 1e7 }\n"
#define R "\nrun { steps = 1 }"
#define BOX "region = box { lower = {0, 0, 0}, upper = {0.2, 0.2, 0.2} }, material = g"
/*  Two balls that do not overlap: their mass is known. */
#define PAIR "pebbles = { {0, 0, 0, 0.001}, {0.003, 0, 0, 0.002} }"

static void save_globe(const char *name)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh = NULL;

    def.facets = 320;
    def.radius = 1;
    def.bumps = 1.5;
    CHECK_EQUAL(scree_mesh_globe(&def, &mesh), SCREE_OK);
    CHECK_EQUAL(scree_mesh_write_stl(mesh, path_of(name), NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
}

/* ---- what it is ------------------------------------------------------------------------------------------ */

TEST(pebbles_are_what_is_listed)
{
    scree_world *world;
    double origin[3], turn[4], volume = 4 * PI / 3 * 9e-9;
    scree_scene *scene = must_start(
        G
        "body { shape = clump { " PAIR " }, material = g, position = {1, 2, 3}, orientation = "
        "{0.6, 0, 0, 0.8}, spin = {0, 0, 1} }\n"
        "body { shape = clump { " PAIR ", scale = 3 }, material = g, position = {2, 2, 3} }\n"
        "body { shape = clump { " PAIR ", radius = 0.004 }, material = g, position = {3, 2, 3} }\n"
        "body { shape = clump { " PAIR ", volume = 2e-8, centre = {0.002, 0, 0}, inertia = {2e-14, "
        "4e-14, 5e-14, 0, 0, 0}, scale = 2 }, material = g, position = {4, 2, 3} }" R,
        &world);
    scree_body body = body_number(world, 1);
    scree_clump_info info = scree_clump_describe(body.shape.clump);

    CHECK(body.shape.kind == SCREE_SHAPE_CLUMP && scree_scene_plan_of(scene)->has_clumps);
    CHECK_EQUAL(info.pebble_count, 2);
    CHECK(info.pebbles[1].centre[0] == 0.003 && info.pebbles[1].radius == 0.002);
    CHECK_NEAR(body.mass, 2500 * volume, 1e-12 * body.mass);
    CHECK(body.position[0] == 1 && body.position[1] == 2 && body.position[2] == 3);
    /* its own axes are turned, about its middle */
    CHECK_EQUAL(scree_world_body_frame(world, body.id, origin, turn), SCREE_OK);
    double sign = turn[0] < 0 ? -1 : 1, middle = 0.003 * 8 / 9;
    CHECK_NEAR(sign * turn[0], 0.6, 1e-13);
    CHECK_NEAR(sign * turn[3], 0.8, 1e-13);
    CHECK_NEAR(origin[0], 1 - middle * (0.36 - 0.64), 1e-13);
    CHECK_NEAR(origin[1], 2 - middle * 0.96, 1e-13);
    CHECK_NEAR(body_number(world, 2).mass, 27 * body.mass, 1e-11 * body.mass);
    CHECK_NEAR(body_number(world, 3).mass, 2500 * 4 * PI / 3 * 64e-9, 1e-12);
    body = body_number(world, 4);
    CHECK_NEAR(body.mass, 2500 * 8 * 2e-8, 1e-18);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(body.inertia[k], 2500 * 32 * (k == 0 ? 2e-14 : k == 1 ? 4e-14 : 5e-14), 1e-20);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(pebbles_fill_a_file)
{
    scree_error error;
    scree_world *world;

    enter_folder();
    save_globe("stone.stl");
    scree_scene *scene = open_beside(
        G "body { shape = clump { file = \"stone.stl\", scale = 0.01, gap = 0.2, smallest = 0.1, "
          "seed = 3 }, material = g, position = {0, 0, 0} }\n"
          "body { shape = clump { file = \"stone.stl\", scale = 0.01, max_pebbles = 5, weighs = "
          "\"pebbles\" }, material = g, position = {1, 0, 0} }\n"
          "body { shape = mesh { file = \"stone.stl\", scale = 0.01, contact_skin = 0.1 }, "
          "material = g, "
          "position = {2, 0, 0} }" R,
        NULL, NULL, &error);
    if (!scene)
        FAIL("%s", error.text);
    begin(scene, &world);
    scree_body filled = body_number(world, 1), few = body_number(world, 2);
    scree_body mesh = body_number(world, 3);
    CHECK(scree_clump_describe(filled.shape.clump).pebble_count > 5);
    CHECK_EQUAL(scree_clump_describe(few.shape.clump).pebble_count, 5);
    CHECK_NEAR(filled.mass, mesh.mass, 1e-10 * mesh.mass);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(filled.inertia[k], mesh.inertia[k], 1e-9 * mesh.inertia[k]);
    CHECK(few.mass > 0.3 * mesh.mass && fabs(few.mass - mesh.mass) > 1e-3 * mesh.mass);
    scree_world_destroy(world);
    scree_scene_close(scene);
    unlink(path_of("stone.stl"));
    leave_folder();
}

/* ---- many ------------------------------------------------------------------------------------------------ */

TEST(fills_and_lists_deal_clumps)
{
    scree_world *world, *again;
    static const char text[] =
        G "c = clump { " PAIR ", radius = uniform(0.002, 0.004), variants = 4 }\n"
          "bodies { list = { {0.5, 0, 0}, {0.5, 0, 0.1}, {0.5, 0, 0.2}, {0.5, 0, 0.3}, {0.5, 0, "
          "0.4} }, shape = c, material = g }\n"
          "fill { count = 60, " BOX ", shape = c }" R;
    scree_scene *scene = must_start(text, &world), *reference = must_start(text, &again);
    const scree_scene_sizes *sizes = &scree_scene_plan_of(scene)->sources[0].radius;
    scree_bodies_view view = scree_world_bodies(world);
    uint32_t dealt[4] = {0};

    CHECK_EQUAL(view.count, 65);
    CHECK(scree_world_digest(world) == scree_world_digest(again));
    CHECK_EQUAL(sizes->table_count, 4);
    for (uint32_t k = 0; k < 4; k++)
        CHECK_NEAR(scene_round_radius(sizes->stones[k].volume, 3), 0.00375 - 0.0005 * k, 1e-4);
    for (size_t i = 0; i < view.count; i++) {
        scree_body body;
        uint32_t k = 0;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, i), &body), SCREE_OK);
        while (k < 4 && sizes->stones[k].clump != body.shape.clump)
            k++;
        CHECK(body.shape.kind == SCREE_SHAPE_CLUMP && k < 4);
        dealt[k]++;
        CHECK(body.shape.radius <= sizes->stones[k].around);
        CHECK(fabs(body.orientation[0]) < 1);
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                sum += (scree_row_at(view.position, i)[a] - scree_row_at(view.position, j)[a]) *
                       (scree_row_at(view.position, i)[a] - scree_row_at(view.position, j)[a]);
            CHECK(sqrt(sum) > scree_double_at(view.radius, i) + scree_double_at(view.radius, j));
        }
    }
    for (int k = 0; k < 4; k++)
        CHECK(dealt[k] > 3);
    CHECK(body_number(world, 1).shape.clump == body_number(world, 5).shape.clump);
    scree_world_destroy(world);
    scree_world_destroy(again);
    scree_scene_close(scene);
    scree_scene_close(reference);
}

/*  Discs: sizes are those of discs of the same area, turns are about z. */
TEST(two_dimensions)
{
    scree_world *world;
    double values[8], area = 40 * PI * 0.005 * 0.005 / 0.04;
    scree_error error;
    scree_scene *scene = must_start(
        "domain { dimensions = 2 }\n" G
        "c = clump { pebbles = { {0, 0, 0.001}, {0.003, 0, 0.002} }, radius = 0.005 }\n"
        "body { shape = clump { pebbles = { {0, 0, 1} }, volume = 2, inertia = { 3 } }, material = "
        "g, position = {9, 9} }\n"
        "fill { count = 40, region = box { lower = {0, 0}, upper = {0.2, 0.2} }, material = g, "
        "shape = c }\nmeasure { name = \"m\", region = box { lower = {0, 0}, upper = {0.2, 0.2} }, "
        "what = { \"solid_fraction\" } }" R,
        &world);
    scree_body body = body_number(world, 1);

    CHECK_NEAR(body.mass, 5000, 1e-9);
    CHECK_NEAR(body.inertia[2], 7500, 1e-9);
    for (uint64_t serial = 2; serial <= 41; serial++) {
        body = body_number(world, serial);
        CHECK_NEAR(body.mass, 2500 * PI * 25e-6, 1e-12);
        CHECK(body.orientation[1] == 0 && body.orientation[2] == 0 && body.orientation[3] != 0);
    }
    CHECK_EQUAL(scree_scene_measure(scene, world, values, &error), SCREE_OK);
    CHECK_NEAR(values[0], area, 1e-12);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Lengths in millimetres, masses in grams. */
TEST(units_are_those_of_the_scene)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "units { length = \"mm\" }\ng = material { density = 2.5e-6, young = 1e7 }\n"
        "body { shape = clump { pebbles = { {0, 0, 0, 1}, {3, 0, 0, 2} } }, material = g, position "
        "= {0, 0, 0} }\n"
        "body { shape = clump { pebbles = { {0, 0, 0, 1} }, volume = 20, inertia = {20, 40, 50, 0, "
        "0, 0} }, material = g, position = {9, 0, 0} }" R,
        &world);
    scree_body body = body_number(world, 1);

    CHECK_NEAR(body.mass, 2500 * 4 * PI / 3 * 9e-9, 1e-12 * body.mass);
    body = body_number(world, 2);
    CHECK_NEAR(body.mass, 2500 * 2e-8, 1e-12 * body.mass);
    CHECK_NEAR(body.inertia[1], 2500 * 4e-14, 1e-12 * body.inertia[1]);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- what is refused ------------------------------------------------------------------------------------- */

TEST(what_is_no_clump_is_refused)
{
    static const struct
    {
        const char *text, *says;
    } broken[] = {
        {"clump { }", "`pebbles` or `file` is missing"},
        {"clump { " PAIR ", file = \"stone.stl\" }", "has `pebbles` and `file`"},
        {"clump { pebbles = { } }", "pebbles: has 0 items"},
        {"clump { pebbles = { {0, 0, 1} } }", "pebble 1 is a table, must be {x, y, z, radius}"},
        {"clump { pebbles = { {0, 0, 0, 1}, 5 } }", "pebble 2 is 5"},
        {"clump { pebbles = { {0, 0, 0, 0} } }", "pebble 1 has the radius 0, must be above 0"},
        {"clump { pebbles = { {0, 0, 0, 1e-70} } }", "pebble 0: radius is 1e-70"},
        {"clump { " PAIR ", scale = 0 }", "scale: is 0"},
        {"clump { " PAIR ", scale = 2, radius = 1 }", "has `scale` and `radius`"},
        {"clump { " PAIR ", scale = 1e70 }", "radius is "},
        {"clump { " PAIR ", variants = 3 }", "3 of one size, all alike"},
        {"clump { " PAIR ", gap = 0.1 }", "gap: is for pebbles that fill a `file`"},
        {"clump { " PAIR ", seed = 1 }", "seed: is for pebbles that fill a `file`"},
        {"clump { " PAIR ", volume = 1 }", "volume and inertia: give both or neither"},
        {"clump { " PAIR ", inertia = {1, 1, 1, 0, 0, 0} }", "give both or neither"},
        {"clump { " PAIR ", centre = {0, 0, 0} }", "centre: needs volume and inertia"},
        {"clump { " PAIR ", volume = 1, inertia = {1, 1, 1} }", "inertia: has 3 items"},
        {"clump { " PAIR ", volume = 1, inertia = {1, 1, 9, 0, 0, 0} }", "no body has these"},
        {"domain { dimensions = 2 } clump { file = \"stone.stl\" }", "is for three dimensions"},
        {"domain { dimensions = 2 } clump { pebbles = { {0, 0, 0, 1} } }",
         "must be {x, y, radius}"},
        {"clump { file = \"none.stl\" }", "none.stl"},
        {"clump { file = \"open.obj\" }", "clump: open.obj: "},
        {"clump { file = \"stone.stl\", gap = 0 }", "gap: is 0"},
        {"clump { file = \"stone.stl\", smallest = 1 }", "clump: stone.stl: clump fill: no ball"},
        {"clump { file = \"stone.stl\", volume = 1, inertia = {1, 1, 1, 0, 0, 0} }",
         "volume: only with `pebbles`"},
        {"p = {} for i = 1, 6000 do p[i] = {i, 0, 0, 0.6} end clump { pebbles = p, volume = 1, "
         "inertia = {1, 1, 1, 0, 0, 0}, scale = uniform(1, 2), variants = 1000 }",
         "the limit is 5000000"},
        {G "body { shape = clump { " PAIR ", scale = uniform(1, 2) }, material = g, position = {0, "
           "0, 0} }",
         "shape: has 16 variants; one body has one"},
        {G "fill { count = 1, material = g, shape = sphere { radius = 1 }, region = clump { " PAIR
           " } }",
         "is a shape of bodies, not a region"},
    };

    enter_folder();
    save_globe("stone.stl");
    save("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", broken[i].text, R);
        refuses(text, broken[i].says);
    }
    unlink(path_of("stone.stl"));
    unlink(path_of("open.obj"));
    leave_folder();
}

/* ---- the course ------------------------------------------------------------------------------------------ */

/*  Clumps fall on a plane and into a sink, as others come. */
static const char busy[] =
    "gravity { 0, 0, -9.81 }\n" G "wall { shape = plane { point = {0, 0, 0} }, material = g }\n"
    "pour { name = \"a\", rate = 3000, count = 40, region = box { lower = {-0.03, -0.03, 0.008}, "
    "upper = {0.03, 0.03, 0.04} },\n"
    "       shape = clump { pebbles = { {0, 0, 0, 0.002}, {0.002, 0, 0, 0.0015}, {0, 0.002, 0, "
    "0.001} }, scale = uniform(0.7, 1.2), variants = 4 }, velocity = {0, 0, -1.5}, material = g }\n"
    "pour { name = \"b\", mass_rate = 0.4, region = box { lower = {0.1, 0, 0.1}, upper = {0.12, "
    "0.02, 0.12} }, by = \"mass\",\n"
    "       shape = clump { " PAIR ", radius = uniform(0.002, 0.004), variants = 3 }, velocity = "
    "{0, 0, -1}, material = g }\n"
    "sink { name = \"s\", region = box { lower = {-1, -1, -1}, upper = {0, 0, 0.006} } }\n"
    "solver { dt = 1e-5, act_every = 20, energy_balance = true }\nrun { time = 1 }";

TEST(a_run_that_went_on_writes_the_same_output)
{
    scree_scene_tally tally = continues(busy, 1510, 700);

    CHECK(tally.poured > 40 && tally.sunk > 0 && tally.sunk < tally.poured);
}

/* ---- looked at before ------------------------------------------------------------------------------------ */

static scree_scene_exam exam_of(const char *text)
{
    scree_world *world;
    scree_scene *scene = must_start(text, &world);
    scree_scene_exam exam;
    scree_error error = {SCREE_OK, ""};

    if (scree_scene_examine(scene, world, NULL, &exam, &error))
        FAIL("%s", error.text);
    scree_world_destroy(world);
    scree_scene_close(scene);
    return exam;
}

TEST(check_knows_clumps)
{
    scree_scene_exam exam = exam_of(
        G "fill { count = 9, " BOX ", shape = clump { " PAIR ", radius = sizes { {0.002, "
          "1}, {0.004, 1} }, variants = 2 } }\n"
          "body { shape = clump { pebbles = { {0, 0, 0, 0.01}, {0.01, 0, 0, 0.01}, {0.02, "
          "0, 0, 0.01} } }, material = g, position = {0.5, 0, 0} }\nsolver { dt = 1e-6 }" R);
    CHECK_EQUAL(exam.bodies, 10);
    CHECK_NEAR(exam.least, 0.002, 1e-15);
    CHECK_EQUAL(exam.min_pebbles, 2);
    CHECK_EQUAL(exam.max_pebbles, 3);
    CHECK_EQUAL(exam.max_triangles, 0);
    CHECK_NEAR(exam.max_around, 0.02, 1e-6);
    CHECK(exam.stable > 0 && exam.refusal[0] == 0);
    /* as deep as 0.4 of the smaller pebble, though that is little of the balls around them */
    static const char two[] =
        G "c = clump { pebbles = { {-0.05, 0, 0, 0.01}, {0.05, 0, 0, 0.005} } }\n"
          "body { shape = c, material = g, position = {0, 0, 0} }\n"
          "body { shape = c, material = g, position = {0.113, 0, 0} }\n"
          "solver { dt = 1e-6, overlap_limit = %g }" R;
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text, two, k ? 0.1 : 0.5);
        exam = exam_of(text);
        CHECK_NEAR(exam.deepest, k ? 0 : 0.4, 1e-9);
        CHECK_EQUAL(exam.refusal[0] != 0, k);
    }
    CHECK_SAYS(exam.refusal, "overlap");
    /* a trial has no limit of its own: it is looked at */
    char text[500], says[300] = "";
    scree_world *world;
    snprintf(text, sizeof text, two, 0.5);
    scree_scene *scene = must_start(text, &world);
    must_step(scene, world, 1);
    CHECK(scree_scene_overlaps(world, 0.3, says, sizeof says));
    CHECK_SAYS(says, "body 1 and body 2 overlap by 0.4");
    CHECK(!scree_scene_overlaps(world, 0.45, says, sizeof says));
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    enter_folder();
    save_globe("stone.stl");
    lacks_memory_anywhere(G "fill { count = 4, " BOX ", shape = clump { " PAIR
                            ", scale = uniform(1, 2), variants = "
                            "2 } }\nbody { shape = clump { file = \"stone.stl\", scale = 0.01, "
                            "max_pebbles = 3 }, material "
                            "= g, position = {1, 0, 0} }" R);
    unlink(path_of("stone.stl"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pebbles_are_what_is_listed),
        CASE(pebbles_fill_a_file),
        CASE(fills_and_lists_deal_clumps),
        CASE(two_dimensions),
        CASE(units_are_those_of_the_scene),
        CASE(what_is_no_clump_is_refused),
        CASE(a_run_that_went_on_writes_the_same_output),
        CASE(check_knows_clumps),
        CASE(every_allocation_may_fail),
    };
    NEEDS_SCENES("test_scene_clumps");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
