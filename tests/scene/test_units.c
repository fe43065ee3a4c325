/*  units { ... }: a scene in millimetres, grams and milliseconds is the scene in SI, to the last bit; every field
    with a unit follows; and what is said wrongly. */
#include "scene_maker.h"

#include <math.h>

/*  Everything that has a unit, once in SI and once in mm, g, ms. */
static const char si[] =
    "domain { lower = {-0.1, -0.1, -0.1}, upper = {0.1, 0.1, 0.4}, boundary = \"reflect\" }\n"
    "gravity { 0, 0, -10 }\n"
    "g = material { density = 2500, young = 1e6, stiffness = 2e4 }\n"
    "h = material { density = 8000, young = 2e6 }\n"
    "rule { materials = {g, h}, law = \"linear\", values = { stiffness = 3e4, friction = 0.2 } }\n"
    "rule { law = \"hertz\", values = { young = 5e5, shear = 2e5, restitution = 0.9 } }\n"
    "w = wall { shape = plane { point = {0, 0, -0.05} }, material = h }\n"
    "wall { shape = facets { vertices = {{0.05, 0, 0}, {0.08, 0, 0}, {0.05, 0.03, 0}}, facets = "
    "{{1, 2, 3}} }, position = {0.001, 0, 0.002},\n"
    "  material = g, motion = { swing { amplitude = {0, 0, 0.001}, frequency = 50, phase = 0.5 },\n"
    "  move { velocity = {0.01, 0, 0} }, spin { rate = 6, centre = {0.01, 0, 0} },\n"
    "  path { {0, 0, 0, 0}, {0.05, 0, 0, 0.01} } } }\n"
    "wall { shape = cone { from = {-0.08, 0, 0}, to = {-0.05, 0, 0}, radius = 0.01, radius_to = "
    "0.02 }, material = g }\n"
    "body { shape = sphere { radius = 0.004 }, material = g, position = {0, 0, 0.3}, velocity = "
    "{1, 2, -3},\n"
    "  spin = {10, 20, 30}, mass = 0.002 }\n"
    "bodies { list = { {0.02, 0, 0.3, 0.004}, {0.03, 0, 0.3, 0.005} }, material = h, velocity = "
    "{0, 0, -1} }\n"
    "fill { count = 20, shape = sphere { radius = uniform(0.002, 0.003) }, material = g, velocity "
    "= {0, 0, -2},\n"
    "  spread = 0.1, region = box { lower = {-0.05, -0.05, 0}, upper = {0, 0, 0.05} } }\n"
    "fill { mass = 0.005, shape = sphere { radius = normal(0.002, 0.0005) }, material = g,\n"
    "  region = sphere { centre = {0, 0, 0.2}, radius = 0.05 } }\n"
    "fill { solid_fraction = 0.05, shape = sphere { radius = sizes { {0.002, 1}, {0.004, 2} } },\n"
    "  by = \"mass\", material = g, region = cylinder { from = {0, 0, 0.06}, to = {0, 0, 0.12}, "
    "radius = 0.04 } }\n"
    "pour { mass_rate = 2, start = 0.001, stop = 0.04, shape = sphere { radius = 0.003 }, material "
    "= g,\n"
    "  region = box { lower = {-0.05, -0.05, 0.32}, upper = {0, 0, 0.36} } }\n"
    "pour { rate = 2000, shape = sphere { radius = 0.003 }, material = g,\n"
    "  region = box { lower = {0.05, 0.05, 0.32}, upper = {0.09, 0.09, 0.36} } }\n"
    "sink { region = plane { point = {0, 0, -0.04} }, start = 0.002, stop = 0.04 }\n"
    "solver { dt = 2e-5, damping = 0.5, act_every = 10, overlap_limit = math.huge }\n"
    "margin { kind = \"skin\", length = 0.0002, constant = 0.001 }\n"
    "output { every = 0.01, write = \"csv\" }\n"
    "picture { every = 0.02, range = {0, 2}, eye = {1, 2, 3}, target = {0, 0, 0.1}, angle = 0.5,\n"
    "  clips = { {1, 0, 0, 0.05} } }\n"
    "picture { field = \"force\", range = {0, 3}, wall_field = \"pressure\", wall_range = {0, "
    "2e6},\n"
    "  lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, turn "
    "= 0.25, rise = 0.5 }\n"
    "metrics { every = 0.001 }\ncheckpoint { every = 0.02 }\nrun { time = 0.05 }\n";

static const char metric[] =
    "units { length = \"mm\", mass = \"g\", time = \"ms\" }\n"
    "domain { lower = {-100, -100, -100}, upper = {100, 100, 400}, boundary = \"reflect\" }\n"
    "gravity { 0, 0, -0.01 }\n"
    "g = material { density = 0.0025, young = 1, stiffness = 20 }\n"
    "h = material { density = 0.008, young = 2 }\n"
    "rule { materials = {g, h}, law = \"linear\", values = { stiffness = 30, friction = 0.2 } }\n"
    "rule { law = \"hertz\", values = { young = 0.5, shear = 0.2, restitution = 0.9 } }\n"
    "w = wall { shape = plane { point = {0, 0, -50} }, material = h }\n"
    "wall { shape = facets { vertices = {{50, 0, 0}, {80, 0, 0}, {50, 30, 0}}, facets = "
    "{{1, 2, 3}} }, position = {1, 0, 2},\n"
    "  material = g, motion = { swing { amplitude = {0, 0, 1}, frequency = 0.05, phase = 0.5 },\n"
    "  move { velocity = {0.01, 0, 0} }, spin { rate = 0.006, centre = {10, 0, 0} },\n"
    "  path { {0, 0, 0, 0}, {50, 0, 0, 10} } } }\n"
    "wall { shape = cone { from = {-80, 0, 0}, to = {-50, 0, 0}, radius = 10, radius_to = "
    "20 }, material = g }\n"
    "body { shape = sphere { radius = 4 }, material = g, position = {0, 0, 300}, velocity = "
    "{1, 2, -3},\n"
    "  spin = {0.01, 0.02, 0.03}, mass = 2 }\n"
    "bodies { list = { {20, 0, 300, 4}, {30, 0, 300, 5} }, material = h, velocity = "
    "{0, 0, -1} }\n"
    "fill { count = 20, shape = sphere { radius = uniform(2, 3) }, material = g, velocity "
    "= {0, 0, -2},\n"
    "  spread = 0.1, region = box { lower = {-50, -50, 0}, upper = {0, 0, 50} } }\n"
    "fill { mass = 5, shape = sphere { radius = normal(2, 0.5) }, material = g,\n"
    "  region = sphere { centre = {0, 0, 200}, radius = 50 } }\n"
    "fill { solid_fraction = 0.05, shape = sphere { radius = sizes { {2, 1}, {4, 2} } },\n"
    "  by = \"mass\", material = g, region = cylinder { from = {0, 0, 60}, to = {0, 0, 120}, "
    "radius = 40 } }\n"
    "pour { mass_rate = 2, start = 1, stop = 40, shape = sphere { radius = 3 }, material "
    "= g,\n"
    "  region = box { lower = {-50, -50, 320}, upper = {0, 0, 360} } }\n"
    "pour { rate = 2, shape = sphere { radius = 3 }, material = g,\n"
    "  region = box { lower = {50, 50, 320}, upper = {90, 90, 360} } }\n"
    "sink { region = plane { point = {0, 0, -40} }, start = 2, stop = 40 }\n"
    "solver { dt = 0.02, damping = 0.0005, act_every = 10, overlap_limit = math.huge }\n"
    "margin { kind = \"skin\", length = 0.2, constant = 1 }\n"
    "output { every = 10, write = \"csv\" }\n"
    "picture { every = 20, range = {0, 2}, eye = {1000, 2000, 3000}, target = {0, 0, 100}, angle = "
    "0.5,\n"
    "  clips = { {1, 0, 0, 50} } }\n"
    "picture { field = \"force\", range = {0, 3}, wall_field = \"pressure\", wall_range = {0, 2},\n"
    "  lower = {0, 0, 0}, upper = {100, 100, 100}, turn "
    "= 0.25, rise = 0.5 }\n"
    "metrics { every = 1 }\ncheckpoint { every = 20 }\nrun { time = 50 }\n";

static void check_vectors(const double *a, const double *b, size_t count, const char *what)
{
    for (size_t k = 0; k < count; k++)
        if (!(a[k] == b[k]))
            FAIL("%s[%zu] is %.17g and %.17g", what, k, a[k], b[k]);
}

#define SAME(member) check_vectors(&a->member, &b->member, 1, #member)
#define SAME_3(member) check_vectors(a->member, b->member, 3, #member)

TEST(a_scene_in_other_units_is_the_same_scene)
{
    scree_world *world, *other;
    scree_scene *one = must_start(si, &world), *two = must_start(metric, &other);
    const scree_scene_plan *a = scree_scene_plan_of(one), *b = scree_scene_plan_of(two);

    CHECK(scree_world_body_count(world) > 60);
    CHECK(scree_world_digest(world) == scree_world_digest(other));
    must_step(one, world, 1500);
    must_step(two, other, 1500);
    CHECK(scree_world_digest(world) == scree_world_digest(other));
    CHECK(scree_scene_count(one).poured > 0 && scree_scene_count(one).sunk > 0);
    SAME(end_time);
    SAME(checkpoint.time);
    SAME(metrics.time);
    SAME(outputs[0].every.time);
    SAME(world.detection.margin.length);
    SAME(world.detection.margin.constant);
    SAME(sinks[0].start);
    SAME(sinks[0].stop);
    for (int k = 0; k < 3; k++) {
        SAME(pictures[0].every.time);
        SAME(pictures[0].def.range[k / 2]);
        SAME(pictures[1].def.range[k / 2]);
        SAME(pictures[1].def.wall_range[k / 2]);
        SAME(pictures[0].def.camera.eye[k]);
        SAME(pictures[0].def.camera.target[k]);
        SAME(pictures[1].def.camera.upper[k]);
        SAME(pictures[0].def.clips[0][k + 1]);
    }
    SAME(pictures[0].def.camera.angle);
    SAME_3(walls[2].surface.lower);
    SAME_3(walls[2].surface.upper);
    SAME(pictures[1].def.camera.turn);
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_scene_close(one);
    scree_scene_close(two);
}

/*  The scene that a run keeps says the units itself. */
TEST(a_resolved_scene_has_its_units)
{
    static const char text[] =
        "units { length = \"cm\" }\nlocal r = param(\"r\", 1, \"cm\")\n"
        "g = material { density = 0.0025 }\n"
        "body { shape = sphere { radius = r }, material = g, position = {1, 2, 3} }\n"
        "run { steps = 1 }";
    const char *setting = "r=2";
    scree_error error;
    scree_scene *scene = open_scene_with(text, &setting, 1, &error);

    if (!scene)
        FAIL("%s", error.text);
    scree_scene *again = must_open(scree_scene_resolved(scene));
    const scree_scene_body *a = scree_scene_plan_of(scene)->bodies,
                           *b = scree_scene_plan_of(again)->bodies;
    CHECK(a->radius == 0.02 && b->radius == 0.02 && b->position[2] == 0.03);
    CHECK(scree_scene_plan_of(again)->materials[0].density == 2500);
    scree_scene_close(again);
    scree_scene_close(scene);
}

/*  One body of radius 1 and a wall that spins at rate 1, in these units. */
static void check_unit(const char *units, double radius, double rate, double density)
{
    char text[600];

    snprintf(
        text, sizeof text,
        "units { %s }\ng = material { density = 1, young = 1e3 }\n"
        "body { shape = sphere { radius = 1 }, material = g, position = {0, 0, 0} }\n"
        "wall { shape = facets { vertices = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, facets = {{1, 2, "
        "3}} }, material = g,\n  motion = spin { rate = 1 } }\nrun { steps = 1 }",
        units);
    scree_scene *scene = must_open(text);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    if (!(plan->bodies[0].radius == radius && plan->walls[0].path.rate == rate &&
          fabs(plan->materials[0].density / density - 1) < 1e-14))
        FAIL("%s: radius %.17g, rate %.17g, density %.17g", units, plan->bodies[0].radius,
             plan->walls[0].path.rate, plan->materials[0].density);
    scree_scene_close(scene);
}

TEST(units_by_name_and_by_number)
{
    const double turn = 2 * 3.14159265358979323846;

    check_unit("length = \"m\"", 1, 1, 1);
    check_unit("length = \"km\"", 1000, 1, 1e-9);
    check_unit("length = \"nm\"", 1e-9, 1, 1e27);
    check_unit("length = \"in\"", 0.0254, 1, 1 / (0.0254 * 0.0254 * 0.0254));
    check_unit("length = \"ft\"", 0.3048, 1, 1 / (0.3048 * 0.3048 * 0.3048));
    check_unit("length = 0.001, mass = 0.001", 0.001, 1, 1e6);
    check_unit("length = 0.25", 0.25, 1, 64);
    check_unit("mass = \"t\"", 1, 1, 1000);
    check_unit("mass = \"lb\", length = \"um\"", 1e-6, 1, 0.45359237e18);
    check_unit("mass = \"ng\"", 1, 1, 1e-12);
    check_unit("time = \"min\"", 1, 1 / 60.0, 1);
    check_unit("time = \"h\", angle = \"turn\"", 1, turn / 3600, 1);
    check_unit("time = \"us\"", 1, 1e6, 1);
    check_unit("angle = \"deg\"", 1, turn / 360, 1);
    check_unit("time = \"ns\", angle = \"rad\"", 1, 1e9, 1);
    check_unit("length = 1e-12, time = 1e-20", 1e-12, 1e20, 1e36);
}

/*  In two dimensions a density is by area. */
TEST(densities_of_discs)
{
    scree_scene *scene = must_open("units { length = \"mm\" }\ndomain { dimensions = 2 }\n"
                                   "g = material { density = 1 }\n"
                                   "body { shape = sphere { radius = 1 }, material = g, position = "
                                   "{0, 0} }\nrun { steps = 1 }");

    CHECK(scree_scene_plan_of(scene)->materials[0].density == 1e6);
    scree_scene_close(scene);
}

/*  A growth below 0 is a share of the radius: it has no unit; defaults are what they are. */
TEST(shares_and_defaults_stay)
{
    scree_scene *scene =
        must_open("units { length = \"mm\", mass = \"g\", time = \"ms\" }\n"
                  "margin { kind = \"skin\", length = -0.07 }\ng = material {}\nrun { steps = 1 }");
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    scree_material_def standard = scree_default_material_def();

    CHECK(plan->world.detection.margin.length == -0.07);
    CHECK(plan->materials[0].density == standard.density &&
          plan->materials[0].young == standard.young);
    scree_scene_close(scene);
}

static void refuses(const char *text, const char *says)
{
    scree_error error;
    scree_scene *scene = open_scene_with(text, NULL, 0, &error);

    if (scene)
        FAIL("taken: %s", text);
    if (!strstr(error.text, says))
        FAIL("\"%s\" does not say \"%s\"", error.text, says);
}

TEST(what_is_refused)
{
    refuses("units { length = \"mmm\" }\nrun { steps = 1 }",
            "scene.lua:1: units: length: is \"mmm\"; did you mean \"mm\"?");
    refuses("units { time = \"fortnight\" }", "must be one of \"s\", \"ms\", \"us\", \"ns\", "
                                              "\"min\", \"h\", or a number of s");
    refuses("units { mass = true }", "mass: is true, must be one of \"kg\"");
    refuses("units { mass = 0 }", "mass: is 0, must be a number of kg from 1e-30 to 1e30");
    refuses("units { mass = -1 }", "is -1, must be a number of kg");
    refuses("units { mass = 1e31 }", "is 1e+31, must be");
    refuses("units { lenght = \"mm\" }", "did you mean `length`");
    refuses("gravity { 0, 0, -9.81 }\nunits { length = \"mm\" }",
            "scene.lua:2: units: must be said before `gravity` in line 1");
    refuses("units {}\nunits {}", "was called in line 1 already");
    refuses("units { length = \"mm\" }\ng = material {}\ndomain { dimensions = 2 }",
            "dimensions: is 2, and must be said before `material` in line 2");
    /* messages are in the scene's units */
    refuses("units { length = \"mm\" }\nsphere { radius = 0 }",
            "radius: is 0, must be a number above 0, in mm");
    refuses("units { length = \"mm\", time = \"ms\" }\nmaterial { young = -3 }",
            "young: is -3, must be a number above 0, in mm^-1 kg ms^-2");
    refuses("units { length = 0.5 }\nsphere { radius = 0 }", "in (0.5 m)");
    refuses("units { angle = \"deg\" }\npicture { angle = 200 }",
            "angle: is 200, must be a number above 0 and at most 171.887, in deg");
    refuses("units { length = \"mm\" }\nbox { lower = {0, 0, 3}, upper = {1, 1, 2} }",
            "lower is 3 along z and upper is 2");
    refuses("units { length = \"mm\" }\ndomain { lower = {0, 0, 3}, upper = {1, 1, 2} }",
            "lower is 3 along z and upper is 2");
    refuses("units { time = \"ms\" }\npath { {3, 0, 0, 0}, {2, 0, 0, 0} }",
            "row 2 is at time 2, and the one before at 3");
    /* what cannot be a number any more */
    refuses("units { length = 1e30 }\ngravity { 0, 0, 1e300 }", "item 3 is 1e+300, too large");
    refuses("units { length = 1e30 }\nsphere { radius = 1e300 }", "radius: is 1e+300, must be");
    refuses("units { length = 1e-30 }\nsphere { radius = uniform(1e-300, 1) }",
            "radius: its sizes are too large or too small");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_scene_in_other_units_is_the_same_scene),
        CASE(a_resolved_scene_has_its_units),
        CASE(units_by_name_and_by_number),
        CASE(densities_of_discs),
        CASE(shares_and_defaults_stay),
        CASE(what_is_refused),
    };
    NEEDS_SCENES("test_scene_units");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
