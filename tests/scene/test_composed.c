/*  Regions composed of others, and walls that bodies are kept clear of. */
#include "scene_shapes.h"

#include <math.h>

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6 }\n"                                               \
    "s = sphere { radius = 0.03 }\n"                                                               \
    "b = box { lower = {0, 0, 0}, upper = {1, 1, 1} }\n"                                           \
    "c = cylinder { from = {0.5, 0.5, -0.1}, to = {0.5, 0.5, 1.1}, radius = 0.3 }\n"
#define FLAT "domain { dimensions = 2 }\n"
#define R "\nrun { time = 1, seed = 3 }"
#define PI 3.14159265358979323846
/*  The octahedron about (0.5, 0.5, 0.5), 0.4 from its middle to its corners. */
#define OCTAHEDRON                                                                                 \
    "facets { vertices = {{0.9, 0.5, 0.5}, {0.1, 0.5, 0.5}, {0.5, 0.9, 0.5}, {0.5, 0.1, 0.5}, "    \
    "{0.5, 0.5, 0.9}, {0.5, 0.5, 0.1}}, facets = {{1, 3, 5}, {3, 2, 5}, {2, 4, 5}, {4, 1, 5}, "    \
    "{3, 1, 6}, {2, 3, 6}, {4, 2, 6}, {1, 4, 6}} }"

static double ball(double radius)
{
    return 4.0 / 3 * PI * radius * radius * radius;
}

typedef void check_fn(const double at[3], double radius);

/*  Starts the scene, looks at each body, and returns how many there are. */
static size_t look(const char *text, check_fn *check)
{
    scree_world *world;
    scree_scene *scene = must_start(text, &world);
    scree_bodies_view view = scree_world_bodies(world);
    size_t count = view.count;

    for (size_t i = 0; i < view.count; i++)
        check(scree_row_at(view.position, i), scree_double_at(view.radius, i) * (1 - 1e-12));
    scree_world_destroy(world);
    scree_scene_close(scene);
    return count;
}

static void in_unit_box(const double at[3], double r)
{
    for (int k = 0; k < 3; k++)
        CHECK(at[k] >= r && at[k] <= 1 - r);
}

static void off_cylinder(const double at[3], double r)
{
    in_unit_box(at, r);
    CHECK(hypot(at[0] - 0.5, at[1] - 0.5) >= 0.3 + r);
}

/*  By chance, and pushed into place; the volume is that of the box without the cylinder. */
TEST(a_difference_keeps_whole_bodies_out)
{
    double volume = 1 - PI * 0.09;

    CHECK_EQUAL(
        look(HEAD "fill { region = b - c, shape = s, material = g, count = 300 }" R, off_cylinder),
        300);
    double count = (double)look(HEAD "fill { region = b - c, shape = s, material = g, "
                                     "solid_fraction = 0.48 }" R,
                                off_cylinder);
    CHECK_NEAR(count, 0.48 * volume / ball(0.03), 0.002 * 0.48 * volume / ball(0.03));
}

static void in_lens(const double at[3], double r)
{
    in_unit_box(at, r);
    CHECK(sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) <= 1 - r);
    CHECK(at[2] >= 0.2 + r);
}

/*  An eighth of a ball, above a plane: a plane alone has no end, and here it needs none. */
TEST(an_intersection_is_in_both)
{
    double count = (double)look(
        HEAD "half = plane { point = {0, 0, 0.2}, normal = {0, 0, -1} }\n"
             "fill { region = b * sphere { centre = {0, 0, 0}, radius = 1 } * half, shape = s, "
             "material = g, solid_fraction = 0.42 }" R,
        in_lens);
    double volume = PI / 4 * (2.0 / 3 - 0.2 + 0.008 / 3);

    CHECK_NEAR(count, 0.42 * volume / ball(0.03), 0.005 * 0.42 * volume / ball(0.03));
}

static void in_tee(const double at[3], double r)
{
    bool in_one = at[0] >= r && at[0] <= 1 - r && at[1] >= 0.4 + r && at[1] <= 0.6 - r;
    bool in_other = at[0] >= 0.4 + r && at[0] <= 0.6 - r && at[1] >= r && at[1] <= 1 - r;

    CHECK(in_one || in_other);
}

TEST(a_union_is_in_either)
{
    size_t count = look(FLAT "g = material { density = 2500, young = 1e6 }\n"
                             "across = box { lower = {0, 0.4}, upper = {1, 0.6} }\n"
                             "up = box { lower = {0.4, 0}, upper = {0.6, 1} }\n"
                             "fill { region = across + up, shape = sphere { radius = 0.02 }, "
                             "material = g, solid_fraction = 0.6 }" R,
                        in_tee);

    CHECK_NEAR((double)count, 0.6 * 0.36 / (PI * 0.0004), 1.5);
}

static void off_octahedron(const double at[3], double r)
{
    double sum = 0;

    in_unit_box(at, r);
    for (int k = 0; k < 3; k++)
        sum += fabs(at[k] - 0.5);
    CHECK(sum > 0.4);
    /* beside a face its plane is the nearest of it */
    bool is_beside = true;
    double out = (sum - 0.4) / 3;
    for (int k = 0; k < 3; k++)
        is_beside &= fabs(at[k] - 0.5) >= out;
    CHECK(!is_beside || (sum - 0.4) / sqrt(3) >= r);
}

/*  What a mesh encloses is cut out, and a hole within what is cut out belongs to the region. */
TEST(meshes_are_parts_as_well)
{
    CHECK_EQUAL(look(HEAD "fill { region = b - " OCTAHEDRON
                          ", shape = s, material = g, solid_fraction = 0.45 }" R,
                     off_octahedron),
                round(0.45 * (1 - 4.0 / 3 * 0.064) / ball(0.03)));
    CHECK_EQUAL(look(HEAD "wall { shape = b, material = g }\n"
                          "o = wall { shape = " OCTAHEDRON ", material = g }\n"
                          "pour { region = b, clear_of = o, shape = s, material = g, rate = 1e6, "
                          "count = 200 }\n"
                          "fill { region = b, clear_of = {o}, shape = s, material = g, count = "
                          "500 }" R,
                     off_octahedron),
                500);
}

/*  Walls that a stage adds are not there yet; and pushed into place bodies stay off them, too. */
TEST(bodies_keep_clear_of_walls_that_come_later)
{
#define LATER                                                                                      \
    HEAD "o = wall { shape = " OCTAHEDRON ", material = g }\n"                                     \
         "stage { ends = after(0.1) }\nstage { add = o, ends = after(0.1) }\n"                     \
         "fill { region = b, shape = s, material = g, solid_fraction = 0.42"
    CHECK(look(LATER ", clear_of = o }" R, off_octahedron) > 3000);
    /* what would be there without */
    scree_world *world;
    scree_scene *scene = must_start(LATER " }" R, &world);
    scree_bodies_view view = scree_world_bodies(world);
    size_t inside = 0;
    for (size_t i = 0; i < view.count; i++)
        inside += fabs(scree_row_at(view.position, i)[0] - 0.5) +
                      fabs(scree_row_at(view.position, i)[1] - 0.5) +
                      fabs(scree_row_at(view.position, i)[2] - 0.5) <
                  0.4;
    CHECK(inside > 100);
    scree_world_destroy(world);
    scree_scene_close(scene);
#undef LATER
}

static void in_front_of_later_plane(const double at[3], double r)
{
    in_unit_box(at, r);
    CHECK((at[0] + at[2] - 1) / sqrt(2) >= r);
}

/*  A gate that a stage takes out bounds nothing from then on. */
TEST(bodies_need_not_keep_clear_of_walls_that_have_gone)
{
    scree_world *world;
    scree_scene *scene =
        must_start("g = material { density = 2500, young = 1e6 }\n"
                   "gate = wall { shape = box { lower = {-1, -1, 0.05}, upper = {1, 1, 0.2} }, "
                   "material = g }\n"
                   "pour { rate = 2000, clear_of = gate, shape = sphere { radius = 0.004 }, "
                   "material = g, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\n"
                   "solver { dt = 1e-5 }\n"
                   "stage { ends = after(0.001), at_most = 1 }\n"
                   "stage { remove = gate, ends = after(0.05), at_most = 1 }",
                   &world);
    size_t behind = 0;

    must_step(scene, world, 2000);
    scree_bodies_view view = scree_world_bodies(world);
    for (size_t i = 0; i < view.count; i++)
        behind += scree_row_at(view.position, i)[2] < 0.05;
    CHECK(view.count > 20 && behind > 5);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(planes_that_come_later_have_a_front)
{
    CHECK_EQUAL(look(HEAD "w = wall { shape = plane { point = {0, 0, 1}, normal = {2, 0, 2} }, "
                          "material = g }\n"
                          "stage { ends = after(0.1) }\nstage { add = w, ends = after(0.1) }\n"
                          "fill { region = b, shape = s, material = g, count = 400, clear_of = w "
                          "}" R,
                     in_front_of_later_plane),
                400);
}

static double volume_of(const char *region, double *error)
{
    char text[800];

    snprintf(text, sizeof text,
             HEAD
             "fill { region = %s, shape = sphere { radius = 1e-4 }, material = g, count = 1 }" R,
             region);
    scree_scene *scene = must_open(text);
    const scree_scene_geometry *g = &scree_scene_plan_of(scene)->sources[0].region;
    double volume = g->volume;
    *error = g->volume_error;
    scree_scene_close(scene);
    return volume;
}

/*  Thin ones, and small ones in a large box; what is said of the error holds. */
TEST(volumes_are_as_right_as_they_say)
{
    static const struct
    {
        const char *region;
        double volume, share;
    } rows[] = {
        {"sphere { centre = {0, 0, 0}, radius = 0.05 } - sphere { centre = {0, 0, 0}, radius = "
         "0.049 }",
         4.0 / 3 * PI * (0.05 * 0.05 * 0.05 - 0.049 * 0.049 * 0.049), 0.006},
        {"sphere { centre = {0, 0, 0}, radius = 0.02 } + sphere { centre = {1, 1, 1}, radius = "
         "0.02 }",
         8.0 / 3 * PI * 8e-6, 0.001},
        {"sphere { centre = {0, 0, 0}, radius = 0.005 } + sphere { centre = {1, 1, 1}, radius = "
         "0.005 }",
         8.0 / 3 * PI * 1.25e-7, 0.001},
        {"b - c", 1 - PI * 0.09, 0.001},
        {"b * box { lower = {0.2, 0.1, 0.4}, upper = {0.9, 2, 0.5} }", 0.7 * 0.9 * 0.1, 0.001},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double error, volume = volume_of(rows[k].region, &error);
        CHECK_NEAR(volume, rows[k].volume, error);
        CHECK(error < rows[k].share * rows[k].volume);
    }
}

static void in_far_spheres(const double at[3], double r)
{
    double away = at[0] > 0.5 ? 1 : 0;
    CHECK(hypot(hypot(at[0] - away, at[1] - away), at[2] - away) <= 0.02 - r);
}

static void in_shell(const double at[3], double r)
{
    double away = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    CHECK(away >= 0.0094 + r && away <= 0.01 - r);
}

TEST(places_are_found_in_regions_that_are_small_in_their_box)
{
    double count = (double)look(
        HEAD
        "fill { solid_fraction = 0.2, shape = sphere { radius = 0.002 }, material = g, region = "
        "sphere { centre = {0, 0, 0}, radius = 0.02 } + sphere { centre = {1, 1, 1}, radius = "
        "0.02 } }" R,
        in_far_spheres);
    CHECK_NEAR(count, 400, 4);
    count = (double)look(
        HEAD
        "fill { solid_fraction = 0.1, shape = sphere { radius = 0.00025 }, material = g, region "
        "= sphere { centre = {0, 0, 0}, radius = 0.01 } - sphere { centre = {0, 0, 0}, radius "
        "= 0.0094 } }" R,
        in_shell);
    CHECK(count > 1000);
}

/*  Bodies are counted and taken out by their centres, where a part has any form. */
TEST(what_is_composed_is_measured)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD "fill { region = b, shape = s, material = g, count = 1000 }\n"
             "measure { name = \"all\", region = b }\n"
             "measure { name = \"in\", region = b * c }\n"
             "measure { name = \"out\", region = b - c, what = {\"count\", \"solid_fraction\"} }\n"
             "measure { name = \"both\", region = (b - c) + (b * c) }" R,
        &world);
    double in = column(scene, world, "in.count"), out = column(scene, world, "out.count");

    CHECK(in > 100 && out > 100);
    CHECK_NEAR(in + out, 1000, 0);
    CHECK_NEAR(column(scene, world, "both.count"), 1000, 0);
    CHECK_NEAR(column(scene, world, "out.solid_fraction"), out * ball(0.03) / (1 - PI * 0.09),
               0.001);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_composes_nothing_is_refused)
{
    refuses(HEAD "x = b * box { lower = {2, 0, 0}, upper = {3, 1, 1} }" R,
            "scene.lua:5: region: has no volume: along x its parts do not overlap");
    refuses(HEAD "fill { region = b - b, shape = s, material = g, count = 1 }" R,
            "scene.lua:5: fill: region: has no volume: none of 524288 points of the box around it "
            "is inside");
    refuses(HEAD "x = b * 2" R, "scene.lua:5: region: the second operand of *, + or - is 2, "
                                "must be a region, as box { ... }");
    refuses(HEAD "x = -b" R, "scene.lua:5: box: its value cannot be used with the - of one value; "
                             "regions have a * b (in both)");
    refuses(HEAD "x = b / 2" R, "scene.lua:5: box: its value cannot be used with /");
    refuses(HEAD "x = 2 ^ b" R, "box: its value cannot be used with ^");
    refuses(HEAD "x = g .. b" R, "material: its value cannot be used with ..");
    refuses(HEAD "x = b < b" R, "box: its value cannot be used with < or >");
    refuses(HEAD "x = #b" R, "box: its value cannot be used with #");
    refuses(HEAD "x = b.lower" R, "box: its value cannot be used as a table");
    refuses(HEAD "x = g()" R, "material: its value cannot be used as a function");
    refuses(HEAD "x = b - g" R, "region: the second operand of *, + or - is");
    refuses(HEAD "x = b - nosuch" R, "there is nothing called \"nosuch\" here");
    refuses(HEAD "x = b + s" R, "region: a sphere as a region needs a centre");
    refuses(HEAD "x = b - facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, facets = {{1, 2, "
                 "3}} }" R,
            "region: as a region the surface must be closed");
    refuses(HEAD "fill { region = plane { } - b, shape = s, material = g, count = 1 }" R,
            "fill: region: has no end along x: intersect it with a box");
    refuses(HEAD "wall { shape = b - c, material = g }" R,
            "wall: shape: is composed of regions; a wall has one surface");
    refuses(FLAT HEAD "fill { region = b - c, shape = s, material = g, count = 1 }" R,
            "region: must be a box, a sphere or facets in two dimensions");
    refuses(HEAD "for i = 1, 40 do b = b + b end" R,
            "is composed of 16384 parts; must be at most 10000");
    refuses(HEAD "fill { region = b, shape = s, material = g, count = 1, clear_of = b }" R,
            "fill: clear_of: is a box, must be a wall or a list of walls");
    refuses(HEAD "fill { region = b, shape = s, material = g, count = 1, clear_of = {} }" R,
            "fill: clear_of: ");
    refuses(HEAD "w = wall { shape = b, material = g }\n"
                 "fill { region = b, shape = s, material = g, count = 1, clear_of = {w, 3} }" R,
            "fill: clear_of: item 2 is 3, must be a value returned by wall { ... }");
    refuses(HEAD "x = b for k = 1, 300 do x = x - c end" R, "must be at most 200");
}

/*  What does not fit says how far it came. */
TEST(what_does_not_fit_says_what_was_reached)
{
    scree_scene *scene = must_open(HEAD "fill { region = b, shape = sphere { radius = 0.07 }, "
                                        "material = g, solid_fraction = 0.65 }" R);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "scene.lua:5: fill: no room for 452 bodies: they would take 0.649 of");
    CHECK_SAYS(error.text, "; growing from smaller ones they came to 0.5");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_difference_keeps_whole_bodies_out),
        CASE(an_intersection_is_in_both),
        CASE(a_union_is_in_either),
        CASE(meshes_are_parts_as_well),
        CASE(bodies_keep_clear_of_walls_that_come_later),
        CASE(bodies_need_not_keep_clear_of_walls_that_have_gone),
        CASE(planes_that_come_later_have_a_front),
        CASE(volumes_are_as_right_as_they_say),
        CASE(places_are_found_in_regions_that_are_small_in_their_box),
        CASE(what_is_composed_is_measured),
        CASE(what_composes_nothing_is_refused),
        CASE(what_does_not_fit_says_what_was_reached),
    };
    NEEDS_SCENES("test_scene_composed");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
