/*  Regions that surfaces enclose, and faces: where bodies are put, taken and counted, and what is said of those that
    found no place. */
#include "scene_shapes.h"

#include <math.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "s = sphere { radius = 0.01 }\n"
#define R "\nrun { time = 1, seed = 3 }"
/*  The corner of the unit cube at the origin: x + y + z <= 1. */
#define CORNER                                                                                     \
    "facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, facets = {{1, 3, 2}, {1, "  \
    "2, "                                                                                          \
    "4}, {1, 4, 3}, {2, 3, 4}} }"
/*  An L of three unit squares. */
#define ANGLE                                                                                      \
    "facets { vertices = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, facets = {{1, 2}, {2, " \
    "3}, {3, 4}, {4, 5}, {5, 6}, {6, 1}} }"

static void check_in_corner(scree_world *world, double scale)
{
    scree_bodies_view view = scree_world_bodies(world);

    for (size_t k = 0; k < view.count; k++) {
        const double *at = scree_row_at(view.position, k), r = at[3];
        CHECK(at[0] >= r && at[1] >= r && at[2] >= r);
        CHECK((scale - at[0] - at[1] - at[2]) / sqrt(3) >= r * (1 - 1e-12));
    }
}

/*  Few, found by chance; and so many that they are pushed into their places. */
TEST(bodies_lie_in_what_a_surface_encloses)
{
    scree_world *world;
    scree_scene *scene = must_start(HEAD "fill { region = " CORNER
                                         ", shape = sphere { radius = uniform(0.01, 0.05) }, "
                                         "material = g, count = 300 }" R,
                                    &world);

    CHECK_EQUAL(scree_world_body_count(world), 300);
    check_in_corner(world, 1);
    scree_world_destroy(world);
    scree_scene_close(scene);

    /* the volume is a sixth */
    scene =
        must_start(HEAD "fill { region = " CORNER ", shape = sphere { radius = 0.04 }, material "
                        "= g, solid_fraction = 0.42 }" R,
                   &world);
    CHECK_EQUAL(scree_world_body_count(world),
                round(0.42 / 6 / (4.0 / 3 * 3.14159265358979 * 0.04 * 0.04 * 0.04)));
    check_in_corner(world, 1);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(a_file_is_a_region_to_scale)
{
    char path[64] = "/tmp/scree-region-XXXXXX", text[600];
    scree_world *world;
    int file = mkstemp(path);

    CHECK(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    fclose(out);
    char named[80];
    snprintf(named, sizeof named, "%s.obj", path);
    CHECK_EQUAL(rename(path, named), 0);
    snprintf(text, sizeof text,
             HEAD "fill { region = mesh { file = \"%s\", scale = 0.5 }, shape = s, material = g, "
                  "count = 200 }\n"
                  "measure { name = \"m\", region = mesh { file = \"%s\", scale = 0.25 } }" R,
             named, named);
    scree_scene *scene = must_start(text, &world);
    check_in_corner(world, 0.5);
    double values[8];
    size_t inside = 0;
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(scree_scene_measure(scene, world, values, &error), SCREE_OK);
    scree_bodies_view view = scree_world_bodies(world);
    for (size_t k = 0; k < view.count; k++)
        inside += scree_row_at(view.position, k)[0] + scree_row_at(view.position, k)[1] +
                      scree_row_at(view.position, k)[2] <
                  0.25;
    CHECK_NEAR(values[0], (double)inside, 0);
    CHECK(inside > 5 && inside < 100);
    scree_world_destroy(world);
    scree_scene_close(scene);
    remove(named);
}

/*  In two dimensions segments enclose; a sink takes what is in its own. */
TEST(segments_enclose_in_two_dimensions)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "domain { dimensions = 2 }\n" HEAD "fill { region = " ANGLE
        ", shape = sphere { radius = 0.03 }, material = g, solid_fraction = 0.6 }\n"
        "sink { region = facets { vertices = {{0.5, -1}, {3, -1}, {3, 3}, {0.5, 3}}, facets = {{1, "
        "2}, {2, 3}, {3, 4}, {4, 1}} } }\n"
        "solver { dt = 1e-5, act_every = 1 }" R,
        &world);
    scree_bodies_view view = scree_world_bodies(world);

    CHECK_EQUAL(view.count, round(0.6 * 3 / (3.14159265358979 * 0.03 * 0.03)));
    for (size_t k = 0; k < view.count; k++) {
        const double *at = scree_row_at(view.position, k), r = 0.03 * (1 - 1e-12);
        CHECK(at[0] >= r && at[1] >= r && at[0] <= 2 - r && at[1] <= 2 - r);
        double dx = at[0] - 1, dy = at[1] - 1;
        CHECK(dx <= -r || dy <= -r || (dx < 0 && dy < 0 && dx * dx + dy * dy >= r * r));
    }
    must_step(scene, world, 2);
    view = scree_world_bodies(world);
    CHECK(view.count > 50);
    for (size_t k = 0; k < view.count; k++)
        CHECK(scree_row_at(view.position, k)[0] < 0.501);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Centres lie on it, as many on each part as its area says: the triangles are as 1 to 3. */
TEST(a_face_is_poured_from)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "g = material { density = 2500, young = 1e6 }\nsolver { dt = 1e-4, act_every = 1 }\n"
        "pour { face = facets { vertices = {{0, 0, 1}, {1, 0, 1}, {0, 1, 2}, {5, 5, 5}, {8, 5, 5}, "
        "{5, 6, 6}}, facets = {{1, 2, 3}, {4, 5, 6}} }, shape = sphere { radius = 1e-4 }, material "
        "= g, rate = 1e7, count = 400, groups = {1}, meets = {2} }" R,
        &world);
    size_t small = 0;

    must_step(scene, world, 2);
    scree_bodies_view view = scree_world_bodies(world);
    CHECK_EQUAL(view.count, 400);
    for (size_t k = 0; k < view.count; k++) {
        const double *at = scree_row_at(view.position, k);
        bool is_small = at[0] < 3;
        small += is_small;
        CHECK_NEAR(at[2] - at[1], is_small ? 1 : 0, 1e-12);
    }
    /* 100 of 400, four standard deviations */
    CHECK(small > 65 && small < 135);
    scree_world_destroy(world);
    scree_scene_close(scene);

    scene = must_start(
        "domain { dimensions = 2 }\n" HEAD "solver { dt = 1e-4, act_every = 1 }\n"
        "pour { face = facets { vertices = {{0, 1}, {4, 3}}, facets = {{1, 2}} }, shape = s, "
        "material = g, rate = 1e6, count = 20 }" R,
        &world);
    must_step(scene, world, 2);
    view = scree_world_bodies(world);
    CHECK_EQUAL(view.count, 20);
    for (size_t k = 0; k < view.count; k++)
        CHECK_NEAR(scree_row_at(view.position, k)[1], 1 + scree_row_at(view.position, k)[0] / 2,
                   1e-12);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  |x| + |y| + |z| <= 1. */
#define OCTAHEDRON                                                                                 \
    "facets { vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, "  \
    "facets = {{1, 3, 5}, {3, 2, 5}, {2, 4, 5}, {4, 1, 5}, {3, 1, 6}, {2, 3, 6}, {4, 2, 6}, {1, "  \
    "4, 6}} }"
#define GAP 0.02
#define MOVED 1e-5 /* since they appeared, at most */

static void check_beside_octahedron(const scree_bodies_view *view, double side, double speed)
{
    for (size_t k = 0; k < view->count; k++) {
        const double *at = scree_row_at(view->position, k), *v = scree_row_at(view->velocity, k);
        double off = (fabs(at[0]) + fabs(at[1]) + fabs(at[2]) - 1) / sqrt(3);
        double along = 0, square = 0;
        for (int axis = 0; axis < 3; axis++) {
            along += v[axis] * (at[axis] > 0 ? 1 : -1) / sqrt(3);
            square += v[axis] * v[axis];
        }
        /* beside an edge what is nearest may be another facet than the one it was put by */
        CHECK(side * off <= at[3] * (1 + GAP) + MOVED);
        CHECK(side * off > 0);
        if (side * off > at[3] * (1 + GAP) - MOVED)
            CHECK_NEAR(along, speed, 1e-9);
        CHECK_NEAR(square, speed * speed, 1e-9);
        for (size_t i = 0; i < k; i++) {
            double apart = 0;
            for (int axis = 0; axis < 3; axis++)
                apart += (at[axis] - scree_row_at(view->position, i)[axis]) *
                         (at[axis] - scree_row_at(view->position, i)[axis]);
            CHECK(sqrt(apart) >= at[3] + scree_double_at(view->radius, i));
        }
    }
}

/*  A face that is a wall as well: bodies appear beside it, and leave along its normals. */
TEST(bodies_appear_beside_a_face)
{
    static const struct
    {
        const char *side;
        double sign, speed;
    } ways[] = {{"front", 1, 2}, {"back", -1, -3}};

    for (size_t w = 0; w < 2; w++) {
        scree_world *world;
        char text[1200];
        snprintf(text, sizeof text,
                 "g = material { density = 2500, young = 1e6 }\nsolver { dt = 1e-7, act_every = 1 "
                 "}\nwall { shape = " OCTAHEDRON ", material = g }\n"
                 "pour { face = " OCTAHEDRON ", side = \"%s\", normal_speed = %g, gap = 0.02, "
                 "shape = sphere { radius = uniform(0.02, 0.04) }, material = g, rate = 1e8, count "
                 "= 60 }" R,
                 ways[w].side, ways[w].speed);
        scree_scene *scene = must_start(text, &world);
        must_step(scene, world, 8);
        scree_bodies_view view = scree_world_bodies(world);
        CHECK_EQUAL(view.count, 60);
        CHECK_EQUAL(scree_world_detection_stats(world).contacts, 0);
        check_beside_octahedron(&view, ways[w].sign, ways[w].speed);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  A tilted line of two dimensions: left of its way is up. */
TEST(segments_have_a_front)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "domain { dimensions = 2 }\n" HEAD "solver { dt = 1e-9, act_every = 1 }\n"
        "pour { face = facets { vertices = {{0, 1}, {4, 4}}, facets = {{1, 2}} }, side = "
        "\"front\", normal_speed = 5, velocity = {1, 0}, shape = s, gap = 0, material = g, rate = "
        "1e10, count = 20 }" R,
        &world);

    must_step(scene, world, 3);
    scree_bodies_view view = scree_world_bodies(world);
    CHECK_EQUAL(view.count, 20);
    for (size_t k = 0; k < view.count; k++) {
        CHECK_NEAR(-0.6 * scree_row_at(view.position, k)[0] +
                       0.8 * (scree_row_at(view.position, k)[1] - 1),
                   0.01, 1e-7);
        CHECK_NEAR(scree_row_at(view.velocity, k)[0], 1 - 3, 1e-9);
        CHECK_NEAR(scree_row_at(view.velocity, k)[1], 4, 1e-9);
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(a_face_continues_where_it_was_cut)
{
    scree_scene_tally tally = continues(
        "g = material { density = 2500, young = 1e6 }\nsolver { dt = 1e-5, act_every = 3 "
        "}\n"
        "pour { face = " OCTAHEDRON ", side = \"back\", normal_speed = -1, by = \"mass\", "
        "spread = 0.1, shape = sphere { radius = uniform(0.02, 0.04) }, material = g, rate "
        "= 1e5, count = 90 }\n"
        "pour { region = " CORNER ", shape = sphere { radius = uniform(0.01, 0.02) }, "
        "material = g, mass_rate = 500 }" R,
        50, 70);
    CHECK(tally.poured > 90);
}

/*  Two boxes in a row along x, turned about it by 3-4-5: rays from between them run along edges and sides of one, or close by,
    and decide nothing. The truth is plain in the boxes' own frame. */
TEST(what_is_enclosed_is_told_exactly)
{
    static const uint32_t sides[12][3] = {{0, 3, 1}, {0, 2, 3}, {4, 5, 7}, {4, 7, 6},
                                          {0, 1, 5}, {0, 5, 4}, {2, 7, 3}, {2, 6, 7},
                                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    scree_random random = scree_random_stream(77, 1);
    size_t inside = 0, outside = 0;

    for (int round = 0; round < 200; round++) {
        double corner[16][3], size = ldexp(scree_random_unit(&random) + 0.1, round % 40 - 20);
        uint32_t facets[24][3];
        for (int c = 0; c < 16; c++) {
            /* edges at the ends are told from other ends, so that by rounding they would differ */
            double u = (c & 2) != 2 * (c & 1) ? size : 0, v = (c & 4) != 4 * (c & 1) ? size : 0;
            corner[c][0] = ((c & 1) + (c & 8 ? 3 : 0)) * size;
            corner[c][1] = 0.8 * u - 0.6 * v;
            corner[c][2] = 0.6 * u + 0.8 * v;
        }
        for (int f = 0; f < 24; f++)
            for (int k = 0; k < 3; k++)
                facets[f][k] = (sides[f % 12][k] & 1 ? sides[f % 12][k] ^ 6 : sides[f % 12][k]) +
                               (f < 12 ? 0 : 8);
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *mesh;
        def.vertices = corner[0];
        def.vertex_count = 16;
        def.facets = facets[0];
        def.facet_count = 24;
        CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
        for (int k = 0; k < 200; k++) {
            int a = k % 8, b = k / 8 % 8;
            double share = 0.125 * (k % 9), x = (k % 16) * 0.25 * size, place[3] = {x, 0, 0};
            for (int axis = 1; axis < 3; axis++)
                place[axis] = corner[a][axis] + share * (corner[b][axis] - corner[a][axis]);
            double u = 0.8 * place[1] + 0.6 * place[2], v = -0.6 * place[1] + 0.8 * place[2];
            double across = fmin(fmin(u, size - u), fmin(v, size - v));
            double along = fmax(fmin(x, size - x), fmin(x - 3 * size, 4 * size - x));
            double deep = fmin(across, along);
            if (fabs(deep) < 1e-9 * size)
                continue;
            CHECK_EQUAL(scene_surface_holds(mesh, place, 0), deep > 0);
            inside += deep > 0;
            outside += deep < 0 && fabs(across) < 1e-9 * size;
        }
        scree_mesh_destroy(mesh);
    }
    CHECK(inside > 1000 && outside > 1000);
}

TEST(what_encloses_nothing_is_refused)
{
    static const struct
    {
        const char *text, *why;
    } bad[] = {
        {"sink { region = facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, facets = {{1, 2, "
         "3}} } }",
         "must be closed, all facets with the same side out: 3 edges have one facet"},
        {"sink { region = facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, facets "
         "= {{1, 2, 3}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}} } }",
         "both facets disagree"},
        {"sink { region = facets { vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, facets = {{1, 2, "
         "3}} } }",
         "region"},
        {"pour { shape = s, material = g, rate = 1 }", "`region` or `face` is missing"},
        {"fill { shape = s, material = g, count = 1 }", "`region` is missing"},
        {"pour { shape = s, material = g, rate = 1, face = box { lower = {0, 0, 0}, upper = {1, 1, "
         "1} } }",
         "must be facets { ... } or a mesh"},
        {"pour { shape = s, material = g, rate = 1, face = 3 }", "must be facets"},
        {"pour { shape = s, material = g, rate = 1, side = \"front\", region = " CORNER " }",
         "side: `face` is missing; only a source with a face has this"},
        {"pour { shape = s, material = g, rate = 1, normal_speed = 1, region = " CORNER " }",
         "normal_speed: `face` is missing; only a source with a face has this"},
        {"pour { shape = s, material = g, rate = 1, side = \"up\", face = " CORNER " }", "side"},
        {"pour { shape = s, material = g, rate = 1, region = " CORNER ", face = " CORNER " }",
         "has `region` and `face`"},
        {"fill { region = facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 0.01, 0}, {0, 0, 1}}, "
         "facets = {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}} }, shape = s, material = g, count "
         "= 1 }",
         "wide along y"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        scree_error error;
        char text[900];
        snprintf(text, sizeof text, HEAD "%s" R, bad[k].text);
        if (open_scene_with(text, NULL, 0, &error))
            FAIL("%s was accepted", bad[k].text);
        CHECK_SAYS(error.text, bad[k].why);
    }
}

typedef struct heard
{
    int count;
    char text[400];
} heard;

static void listen(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    if (level != SCREE_LOG_WARNING || id != SCREE_LOG_SOURCE_WAITS)
        return;
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

/*  How many there are, and why there are not more. */
TEST(what_finds_no_place_is_told)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;
    scree_world *world;
    heard h = {0};

    def.text = HEAD "solver { dt = 1e-5, act_every = 1 }\n"
                    "pour { region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.03} }, shape = "
                    "s, material = g, rate = 1e7, count = 500 }" R;
    def.name = "scene.lua";
    def.error = &error;
    def.log = (scree_log){listen, &h};
    if (scree_scene_open(&def, &scene) || scree_scene_build(scene, NULL, &world, &error) ||
        scree_scene_start(scene, world, &error))
        FAIL("%s", error.text);
    must_step(scene, world, 30);
    scree_scene_tally tally = scree_scene_count(scene);
    CHECK(tally.poured > 5 && tally.poured < 50);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "scene.lua:4: pour \"pour1\": at 1e-05 s ");
    CHECK_SAYS(h.text, "wait: in 200 trials none of radius 0.01 found a place");
    scree_scene_yield yield = scree_scene_yield_of(scene, 0);
    CHECK(yield.made == tally.poured && yield.waiting == tally.waiting);
    CHECK(yield.mass == tally.poured_mass && yield.made + yield.waiting == 500);
    CHECK_EQUAL(scree_scene_yield_of(scene, 1).made, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);

    /* of few half are enough */
    h.count = 0;
    def.text = HEAD "solver { dt = 1e-5, act_every = 1 }\n"
                    "pour { region = box { lower = {0, 0, 0}, upper = {0.021, 0.021, 0.021} }, "
                    "shape = s, material = g, rate = 1e5, count = 5 }" R;
    if (scree_scene_open(&def, &scene) || scree_scene_build(scene, NULL, &world, &error) ||
        scree_scene_start(scene, world, &error))
        FAIL("%s", error.text);
    must_step(scene, world, 3);
    CHECK_EQUAL(h.count, 0);
    must_step(scene, world, 3);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "1 bodies were made and 3 wait");
    scree_world_destroy(world);
    scree_scene_close(scene);

    scene = must_open(HEAD "fill { region = " CORNER
                           ", shape = sphere { radius = 0.1 }, material = g, count = 30 }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "no room for 30 bodies: they would take 0.754 of the region; ");
    CHECK_SAYS(error.text, " found a place, pushing none for the rest; ask for fewer, or pour");
    CHECK_EQUAL(scree_world_body_count(world), 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_lie_in_what_a_surface_encloses), CASE(a_file_is_a_region_to_scale),
        CASE(segments_enclose_in_two_dimensions),    CASE(a_face_is_poured_from),
        CASE(bodies_appear_beside_a_face),           CASE(segments_have_a_front),
        CASE(a_face_continues_where_it_was_cut),     CASE(what_is_enclosed_is_told_exactly),
        CASE(what_encloses_nothing_is_refused),      CASE(what_finds_no_place_is_told),
    };
    NEEDS_SCENES("test_scene_regions");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
