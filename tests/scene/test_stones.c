/*  Bodies of triangles in scenes: globes and meshes of files, one by one, from lists, filled and poured; what is not a
    body is refused with its reason; and a run continues bit-identically. */
#include "examine.h"
#include "scene_shapes.h"
#include "trial.h"

#include <math.h>

#define G "g = material { density = 2500, young = 1e7 }\n"
#define R "\nrun { steps = 1 }"
#define BOX "region = box { lower = {0, 0, 0}, upper = {0.2, 0.2, 0.2} }, material = g"

/* ---- sizes and shares ------------------------------------------------------------------------------------ */

TEST(fills_deal_stones)
{
    static const char text[] =
        G "fill { count = 60, " BOX ", shape = globe { radius = uniform(0.004, 0.008), noise = "
          "1.4, triangles = 80, variants = 5 } }" R;
    scree_world *world, *again;
    scree_scene *scene = must_start(text, &world), *reference = must_start(text, &again);
    const scree_scene_sizes *sizes = &scree_scene_plan_of(scene)->sources[0].radius;
    scree_bodies_view view = scree_world_bodies(world);
    uint32_t dealt[5] = {0};
    double turned = 0;

    CHECK_EQUAL(view.count, 60);
    CHECK(scree_world_digest(world) == scree_world_digest(again));
    CHECK(sizes->stones && sizes->table_count == 5 && scree_scene_plan_of(scene)->has_stones);
    for (uint32_t k = 0; k < 5; k++) {
        /* middles of fifths, the largest first */
        CHECK_NEAR(scene_round_radius(sizes->stones[k].volume, 3), 0.0076 - 0.0008 * k, 2e-4);
        CHECK_NEAR(sizes->stones[k].skin, 0.1 * scene_round_radius(sizes->stones[k].volume, 3),
                   1e-12);
        CHECK(k == 0 || sizes->stones[k].around <= sizes->stones[k - 1].around);
    }
    for (size_t i = 0; i < view.count; i++) {
        scree_body body;
        uint32_t k = 0;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, i), &body), SCREE_OK);
        while (k < 5 && sizes->stones[k].mesh != body.shape.mesh)
            k++;
        CHECK(body.shape.kind == SCREE_SHAPE_MESH && k < 5);
        dealt[k]++;
        CHECK_NEAR(body.mass, 2500 * sizes->stones[k].volume, 1e-12 * body.mass);
        /* places were looked for with no less than the world's own ball */
        CHECK(body.shape.radius <= sizes->stones[k].around);
        CHECK(body.shape.radius >= sizes->stones[k].around * (1 - 1e-11));
        turned += fabs(body.orientation[0]);
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                sum += (scree_row_at(view.position, i)[a] - scree_row_at(view.position, j)[a]) *
                       (scree_row_at(view.position, i)[a] - scree_row_at(view.position, j)[a]);
            CHECK(sqrt(sum) > scree_double_at(view.radius, i) + scree_double_at(view.radius, j));
        }
    }
    for (int k = 0; k < 5; k++)
        CHECK(dealt[k] > 3);
    /* of turns at random the mean of |w| is 4 / (3 pi) */
    CHECK_NEAR(turned / 60, 0.4244, 0.1);
    CHECK_NEAR(scree_scene_count(scene).poured_mass, 0, 0);
    scree_world_destroy(world);
    scree_world_destroy(again);
    scree_scene_close(scene);
    scree_scene_close(reference);
}

/*  By mass each variant has the same share of it, by number the same number. */
TEST(shares_are_of_mass_or_number)
{
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        char text[400];
        double mass[3] = {0}, all = 0;
        snprintf(text, sizeof text,
                 G
                 "fill { mass = 0.2, by = \"%s\", region = box { lower = {0, 0, 0}, upper = {0.4, "
                 "0.4, 0.4} }, material = g, shape = globe { radius = sizes { {0.002, 1}, "
                 "{0.003, 1}, {0.004, 1} }, variants = 3, triangles = 20 } }" R,
                 by_mass ? "mass" : "number");
        scree_world *world;
        scree_scene *scene = must_start(text, &world);
        scree_bodies_view view = scree_world_bodies(world);
        for (size_t i = 0; i < view.count; i++) {
            double one = 1 / scree_double_at(view.inverse_mass, i),
                   radius = scene_round_radius(one / 2500, 3);
            mass[radius < 0.0025 ? 0 : radius < 0.0035 ? 1 : 2] += by_mass ? one : 1;
            all += by_mass ? one : 1;
        }
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(mass[k] / all, 1.0 / 3, 0.06);
        CHECK_NEAR(scree_world_totals(world).mass, 0.2, 0.001);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  So crowded that they are pushed into their places. */
TEST(crowded_fills_find_room)
{
    scree_world *world;
    scree_scene *scene = must_start(
        G "fill { count = 250, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, "
          "material = g, shape = globe { radius = 0.0065, noise = 1.1, triangles = 80 } }\n"
          "measure { name = \"m\", region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, "
          "what = { \"solid_fraction\", \"count\" } }" R,
        &world);
    const scree_contact *contacts;
    size_t count;
    double values[8];
    scree_error error;

    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    /* solid is what is inside the triangles, not the balls around them */
    CHECK_EQUAL(scree_scene_measure(scene, world, values, &error), SCREE_OK);
    double solid = 250 * scene_ball_volume(0.0065, 3) / 1e-3;
    CHECK(fabs(values[0] - solid) < 1e-12 || fabs(values[1] - solid) < 1e-12);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_does_not_fit_is_said_of_the_balls)
{
    scree_scene *scene = must_open(G "fill { count = 400, region = box { lower = {0, 0, 0}, upper "
                                     "= {0.05, 0.05, 0.05} }, "
                                     "material = g, shape = globe { radius = 0.0065, triangles = "
                                     "80 } }" R);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "the balls around them would take");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- meshes of files, one by one and in lists ------------------------------------------------------------ */

static const scree_body *body_at(scree_world *world, size_t serial, scree_body *body)
{
    scree_bodies_view view = scree_world_bodies(world);

    for (size_t i = 0; i < view.count; i++)
        if (scree_uint64_at(view.serial, i) == serial &&
            !scree_world_get_body(world, scree_body_id_at(view.id, i), body))
            return body;
    FAIL("there is no body %zu", serial);
}

TEST(a_mesh_with_a_skin_is_a_body)
{
    scree_error error;
    scree_world *world;
    scree_body body;
    double origin[3], turn[4];

    enter_folder();
    save("brick.obj", brick_obj);
    scree_scene *scene = open_beside(
        G "m = mesh { file = \"brick.obj\", scale = 0.01, contact_skin = 0.05 }\n"
          "body { shape = m, material = g, position = {1, 2, 3}, orientation = {0.6, 0, "
          "0, 0.8}, spin = {0, 0, 1} }\n"
          "bodies { list = { {0, 0, 0}, {0, 0, 0.5}, {0, 0, 1} }, material = g, shape = "
          "mesh { file = \"brick.obj\", scale = uniform(0.01, 0.02), variants = 2, contact_skin "
          "= 0.1 } }" R,
        NULL, NULL, &error);
    if (!scene)
        FAIL("%s", error.text);
    begin(scene, &world);
    body_at(world, 1, &body);
    CHECK_NEAR(body.mass, 2500 * 6e-6, 1e-15);
    CHECK_NEAR(body.shape.contact_skin, 0.05 * cbrt(6e-6 * 3 / (4 * 3.14159265358979323846)),
               1e-15);
    CHECK(body.position[0] == 1 && body.position[1] == 2 && body.position[2] == 3);
    /* the mesh's own axes are turned, and its middle is where the body is */
    CHECK_EQUAL(scree_world_body_frame(world, body.id, origin, turn), SCREE_OK);
    double sign = turn[0] < 0 ? -1 : 1;
    CHECK_NEAR(sign * turn[0], 0.6, 1e-14);
    CHECK_NEAR(sign * turn[3], 0.8, 1e-14);
    CHECK_NEAR(origin[2], 3 - 0.015, 1e-14);
    /* lists deal in turn, the largest first */
    double volume[3];
    for (size_t i = 0; i < 3; i++) {
        volume[i] = body_at(world, i + 2, &body)->mass / 2500;
        CHECK(fabs(body.orientation[0]) < 1 && body.position[2] == 0.5 * (double)i);
    }
    CHECK_NEAR(cbrt(volume[0] / 6), 0.0175, 4e-4);
    CHECK_NEAR(cbrt(volume[1] / 6), 0.0125, 4e-4);
    CHECK(volume[2] == volume[0]);
    scree_world_destroy(world);
    scree_scene_close(scene);
    unlink(path_of("brick.obj"));
    leave_folder();
}

TEST(what_is_no_body_is_refused)
{
    static const struct
    {
        const char *text, *says;
    } broken[] = {
        {G "body { shape = mesh { file = \"none.obj\", contact_skin = 0.1 }, material = g, "
           "position = {0, "
           "0, 0} }",
         "none.obj"},
        {"mesh { file = \"open.obj\", contact_skin = 0.1 }", "scene.lua:1: mesh: open.obj: "},
        {"mesh { file = \"nan.obj\", contact_skin = 0.1 }", "nan.obj"},
        {"mesh { file = \"brick.obj\", contact_skin = 0 }",
         "contact_skin: is 0, must be a number above 0 and at most 1"},
        {"mesh { file = \"brick.obj\", contact_skin = -0.1 }", "contact_skin: is -0.1"},
        {"mesh { file = \"brick.obj\", contact_skin = 0.1, variants = 2 }",
         "2 of one scale, all alike"},
        {"mesh { file = \"brick.obj\", variants = 2 }", "variants: is for the shape of bodies"},
        {"mesh { file = \"brick.obj\", scale = uniform(1, 2) }",
         "scale: of a surface must be one number"},
        {G "wall { shape = mesh { file = \"brick.obj\", contact_skin = 0.1 }, material = g }",
         "wall: "},
        {G "fill { count = 1, material = g, shape = sphere { radius = 1 }, region = globe { radius "
           "= 1 } }",
         "is a shape of bodies, not a region"},
        {"globe { triangles = 80 }", "`radius` is missing"},
        {"globe { radius = 1, triangles = 81 }", "globe: "},
        {"globe { radius = 1, triangles = 4 }",
         "triangles: is 4, must be a whole number from 6 to 1e+06"},
        {"globe { radius = 1, triangles = 1000000, variants = 1000, noise = 1.2 }",
         "the limit is 5000000"},
        {"globe { radius = 1, variants = 2 }", "2 of one size and without noise, all alike"},
        {"globe { radius = 1, noise = 0.5 }", "noise: is 0.5, must be a number from 1 to 10"},
        {"globe { radius = 1, contact_skin = 2 }", "contact_skin: is 2"},
        {"domain { dimensions = 2 } globe { radius = 1 }",
         "in two there are discs, clumps and polygons"},
        {G "body { shape = globe { radius = uniform(1, 2) }, material = g, position = {0, 0, 0} }",
         "shape: has 16 variants; one body has one"},
        {G "bodies { list = { {0, 0, 0, 1} }, shape = globe { radius = 1 }, material = g }",
         "must be {x, y, z}"},
        {G "bodies { list = { {0, 0, 0} }, material = g }", "must be {x, y, z, radius}"},
        {G "bodies { list = { {0, 0, 0} }, shape = sphere { radius = 1 }, material = g }",
         "shape: is for clumps and bodies of triangles"},
        {G "bodies { file = \"brick.obj\", shape = globe { radius = 1 }, material = g }",
         "shape: only with a `list`"},
        {G "bodies { list = { {0, 0, 0} }, shape = 5, material = g }", "shape: is 5"},
    };

    enter_folder();
    save("brick.obj", brick_obj);
    save("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n");
    save("nan.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", broken[i].text, R);
        refuses(text, broken[i].says);
    }
    unlink(path_of("brick.obj"));
    unlink(path_of("open.obj"));
    unlink(path_of("nan.obj"));
    leave_folder();
}

/*  Two tetrahedra in one file, through each other: still a body, with a word about it. */
TEST(crossing_surfaces_are_warned_of)
{
    scree_error error;
    char heard[HEARD] = "";
    const scree_log log = {.write = hear_warning, .user = heard};

    enter_folder();
    save("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nv 1.1 0.1 0.1\nv 0.1 1.1 "
                    "0.1\nv 0.1 0.1 1.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 5 7 6\nf 5 6 8\nf 5 "
                    "8 7\nf 6 7 8\n");
    scree_scene *scene =
        open_beside("mesh { file = \"two.obj\", contact_skin = 0.1 }" R, NULL, &log, &error);
    if (!scene)
        FAIL("%s", error.text);
    CHECK_SAYS(heard, "scene.lua:1: mesh: two.obj: ");
    CHECK_SAYS(heard, "triangles intersect");
    scree_scene_close(scene);
    unlink(path_of("two.obj"));
    leave_folder();
}

/* ---- the course ------------------------------------------------------------------------------------------ */

/*  Stones fall on a plane that counts, and into a sink, as others come. */
static const char busy[] =
    "gravity { 0, 0, -9.81 }\n" G "wall { shape = plane { point = {0, 0, 0} }, material = g }\n"
    "pour { name = \"a\", rate = 3000, count = 40, region = box { lower = {-0.03, -0.03, 0.008}, "
    "upper = {0.03, 0.03, 0.04} },\n"
    "       shape = globe { radius = uniform(0.002, 0.004), noise = 1.5, triangles = 80, "
    "contact_skin = "
    "0.4, "
    "variants = 4 }, velocity = {0, 0, -1.5}, material = g }\n"
    "pour { name = \"b\", mass_rate = 0.4, region = box { lower = {0.1, 0, 0.1}, upper = {0.12, "
    "0.02, 0.12} }, by = \"mass\",\n"
    "       shape = globe { radius = uniform(0.002, 0.004), elongation = 2, triangles = 36, "
    "variants = 3 }, velocity = {0, 0, -1}, material = g }\n"
    "sink { name = \"s\", region = box { lower = {-1, -1, -1}, upper = {0, 0, 0.006} } }\n"
    "solver { dt = 1e-5, act_every = 20, energy_balance = true }\nrun { time = 1 }";

TEST(pours_of_stones_go_on_where_they_were_saved)
{
    static const uint64_t at[] = {0, 20, 700, 1510};

    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        scree_world *world;
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene = must_start(busy, &world), *other = must_open(busy);
        scree_snapshot *snapshot;
        must_step(scene, world, at[i]);
        size_t bytes = scree_scene_course_bytes(scene);
        unsigned char *course = malloc(bytes);
        CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
        CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
        must_step(scene, world, 2200 - at[i]);
        uint64_t digest = scree_world_digest(world);
        scree_scene_tally tally = scree_scene_count(scene);
        CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
        if (scree_scene_course_load(other, course, bytes, &error))
            FAIL("%s", error.text);
        must_step(other, world, 2200 - at[i]);
        CHECK(scree_world_digest(world) == digest);
        CHECK(tally.poured > 40 && tally.sunk > 0 && tally.sunk < tally.poured);
        CHECK_EQUAL(scree_scene_count(other).poured, tally.poured);
        /* a number of a stone that there is not */
        double none = 4.5;
        memcpy(course + 8 * 13, &none, sizeof none);
        CHECK_EQUAL(scree_scene_course_load(other, course, bytes, &error), SCREE_BAD_FILE);
        free(course);
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(world);
        scree_scene_close(scene);
        scree_scene_close(other);
    }
}

TEST(a_run_that_went_on_writes_the_same_output)
{
    continues(busy, 1510, 700);
}

TEST(the_resolved_scene_is_the_same_run)
{
    const char *setting = "bumps=1.3";
    static const char text[] =
        "b = param(\"bumps\", 1.1)\n" G "fill { count = 5, " BOX
        ", shape = globe { radius = 0.004, noise = b, triangles = 80, variants = 2 } }" R;
    scree_error error;
    scree_scene *scene = open_scene_with(text, &setting, 1, &error);
    scree_world *world, *again, *plain;

    CHECK(scene != NULL);
    begin(scene, &world);
    scree_scene *resolved = must_start(scree_scene_resolved(scene), &again);
    scree_scene *unset = must_start(text, &plain);
    CHECK(scree_world_digest(world) == scree_world_digest(again));
    CHECK(scree_world_digest(world) != scree_world_digest(plain));
    scree_world_destroy(world);
    scree_world_destroy(again);
    scree_world_destroy(plain);
    scree_scene_close(scene);
    scree_scene_close(resolved);
    scree_scene_close(unset);
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

TEST(check_knows_stones)
{
    scree_scene_exam exam = exam_of(
        G
        "fill { count = 9, " BOX ", shape = globe { radius = sizes { {0.004, 1}, {0.008, "
        "1} }, variants = 2, triangles = 80 } }\n"
        "body { shape = globe { radius = 0.01, triangles = 320, contact_skin = 0.05 }, material = "
        "g, position = {0.5, 0, 0} }\nsolver { dt = 1e-6 }" R);
    CHECK_EQUAL(exam.bodies, 10);
    CHECK_NEAR(exam.least, 0.004, 1e-15);
    CHECK_NEAR(exam.most, 0.01, 1e-15);
    CHECK_EQUAL(exam.min_triangles, 80);
    CHECK_EQUAL(exam.max_triangles, 320);
    CHECK_NEAR(exam.min_skin, 0.0004, 1e-15);
    CHECK_NEAR(exam.max_skin, 0.0008, 1e-15);
    CHECK(exam.max_around > 0.0105 && exam.max_around < 0.012);
    CHECK(exam.stable > 0 && exam.refusal[0] == 0);
    /* through each other, by more than half a radius */
#define TWO(limit)                                                                                 \
    G "bodies { list = { {0, 0, 0}, {0.009, 0, 0} }, material = g, shape = globe { radius = "      \
      "0.008, triangles = 320 } }\nsolver { dt = 1e-6" limit " }" R
    exam = exam_of(TWO(""));
    CHECK(exam.refusal[0] != 0);
    exam = exam_of(TWO(", overlap_limit = math.huge"));
    CHECK(exam.refusal[0] == 0 && exam.contacts > 0);
    /* they touch by their contact skins: that is no overlap, though the limit for balls is less */
    exam = exam_of(G "bodies { list = { {0, 0, 0}, {0.0173, 0, 0} }, material = g, shape = globe { "
                     "radius = 0.008, triangles = 320, contact_skin = 0.2 } }\n"
                     "solver { dt = 1e-6, overlap_limit = 0.001 }" R);
    CHECK(exam.contacts > 0 && exam.refusal[0] == 0);
    /* a trial has no limit of its own: it is looked at */
    scree_scene *scene = must_open(TWO(""));
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    char says[300] = "";
    CHECK_EQUAL(scree_scene_build_trial(scene, NULL, &world, &error), SCREE_OK);
    must_step(scene, world, 1);
    CHECK(scree_scene_overlaps(world, 0.5, says, sizeof says));
    CHECK_SAYS(says, "body 1 and body 2 overlap by 0.8");
    CHECK(!scree_scene_overlaps(world, INFINITY, says, sizeof says));
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    enter_folder();
    save("brick.obj", brick_obj);
    lacks_memory_anywhere(G "fill { count = 4, " BOX
                            ", shape = globe { radius = uniform(0.004, 0.008), triangles = "
                            "20, noise = 1.2, variants = 2 } }\n"
                            "body { shape = mesh { file = \"brick.obj\", scale = 0.01, "
                            "contact_skin = 0.1 }, material = g, "
                            "position = {1, 0, 0} }" R);
    unlink(path_of("brick.obj"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(fills_deal_stones),
        CASE(shares_are_of_mass_or_number),
        CASE(crowded_fills_find_room),
        CASE(what_does_not_fit_is_said_of_the_balls),
        CASE(a_mesh_with_a_skin_is_a_body),
        CASE(what_is_no_body_is_refused),
        CASE(crossing_surfaces_are_warned_of),
        CASE(pours_of_stones_go_on_where_they_were_saved),
        CASE(a_run_that_went_on_writes_the_same_output),
        CASE(the_resolved_scene_is_the_same_run),
        CASE(check_knows_stones),
        CASE(every_allocation_may_fail),
    };
    NEEDS_SCENES("test_scene_stones");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
