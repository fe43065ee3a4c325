/*  What a scene can say, and what becomes of it: every function and field once at least, the sandbox, budgets. */
#include "base/portable_math.h"
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/heard.h"
#include "scene_maker.h"

#include <locale.h>
#include <math.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"

/* ---- fields ---------------------------------------------------------------------------------------------- */

TEST(the_world_is_as_said)
{
    scree_scene *scene = must_open(
        "domain { lower = {-1, -2, -3}, upper = {1, 2, 3}, boundary = {\"periodic\", "
        "\"stop\", \"destroy\"} }\n"
        "gravity { 0, 0, -9.81 }\n"
        "glass = material { density = 2600, young = 1e8, poisson = 0.2, restitution = "
        "0.9, friction = 0.1,\n"
        "  rolling_friction = 0.01, twisting_friction = 0.02, stiffness = 2e5, "
        "stiffness_ratio = 0.5 }\n"
        "local steel = material { name = \"St 37\", young = math.huge }\n"
        "rule { materials = {glass, steel}, between = \"walls\", groups = {1, 64}, law = "
        "\"linear\",\n"
        "       values = { stiffness = 3e5, restitution = 0.3 } }\n"
        "rule { materials = glass, law = \"none\" }\n"
        "solver { dt = 1e-5, integrator = \"euler\", "
        "method = \"hash-grids\", threads = 3, "
        "simd = \"scalar\", sort_every = 7,\n"
        "  damping = 0.1, local_damping = 0.2, overlap_limit = math.huge, energy_balance = true, "
        "events = true, audit = 9,\n"
        "  on_nan = \"quarantine\", act_every = 11 }\n"
        "margin { kind = \"bins\", length = 0.1, bin_count = 4, bin_ratio = 3, "
        "bin_overlap = 0.5, bin_max_change = 0.1 }\n"
        "run { steps = 1000, seed = 42, title = \"a title\" }\n"
        "checkpoint { every = 0.5, keep = 5 }\nmetrics { every_steps = 10 }");
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    CHECK(plan->world.domain.boundary[0] == SCREE_BOUNDARY_PERIODIC &&
          plan->world.domain.boundary[1] == SCREE_BOUNDARY_STOP &&
          plan->world.domain.boundary[2] == SCREE_BOUNDARY_DESTROY);
    CHECK(plan->world.domain.lower[1] == -2 && plan->world.domain.upper[2] == 3 &&
          plan->world.gravity[2] == -9.81);
    CHECK_EQUAL(plan->material_count, 2);
    CHECK_TEXT(plan->materials[0].name, "glass");
    CHECK_TEXT(plan->materials[1].name, "St 37");
    CHECK(plan->materials[0].density == 2600 && plan->materials[0].young == 1e8 &&
          plan->materials[0].poisson == 0.2 && plan->materials[0].restitution == 0.9 &&
          plan->materials[0].friction == 0.1 && plan->materials[0].rolling_friction == 0.01 &&
          plan->materials[0].twisting_friction == 0.02 && plan->materials[0].stiffness == 2e5 &&
          plan->materials[0].stiffness_ratio == 0.5);
    CHECK(plan->materials[1].young == INFINITY);
    CHECK_EQUAL(plan->material_lines[1], 5);
    CHECK_EQUAL(plan->rule_count, 2);
    const scree_scene_rule *rule = &plan->rules[0];
    CHECK(rule->material[0] == 1 && rule->material[1] == 2 && rule->type == SCREE_CONTACT_WALLS);
    CHECK(rule->groups == (1 | (uint64_t)1 << 63) && rule->value_count == 2);
    CHECK_TEXT(rule->names[0], "restitution");
    CHECK(rule->values[0] == 0.3 && rule->values[1] == 3e5);
    CHECK(!plan->rules[1].law && plan->rules[1].material[0] == 1 &&
          plan->rules[1].material[1] == 0);
    const scree_world_def *def = &plan->world;
    CHECK(def->step.dt == 1e-5 && def->step.mode == SCREE_TIME_FIXED &&
          def->step.integrator == SCREE_SYMPLECTIC_EULER);
    CHECK_TEXT(def->detection.method, "hash-grids");
    CHECK(plan->threads == 3 && def->compute.thread_count == 3 &&
          def->compute.simd == SCREE_SIMD_SCALAR && def->detection.sort_every == 7);
    CHECK(def->global_damping == 0.1 && def->local_damping == 0.2 &&
          def->overlap_limit == INFINITY);
    CHECK(def->energy_balance && def->events && def->detection.audit == 9 && plan->quarantines &&
          plan->act_every == 11);
    CHECK(def->detection.margin.kind == SCREE_MARGIN_BINS && def->detection.margin.length == 0.1 &&
          def->detection.margin.bin_count == 4 && def->detection.margin.bin_ratio == 3 &&
          def->detection.margin.bin_overlap == 0.5 && def->detection.margin.bin_max_change == 0.1);
    CHECK(plan->end_steps == 1000 && plan->end_time == 0 && plan->seed == 42);
    CHECK_TEXT(plan->title, "a title");
    CHECK(plan->checkpoint.time == 0.5 && plan->checkpoints_kept == 5 && plan->metrics.steps == 10);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(implicit_steps_have_fields_of_their_own)
{
    scree_scene *scene =
        must_open("solver { dt = 1e-3, integrator = \"implicit\", tolerance = 0.1, "
                  "iterations = 7, halvings = 0 }" R);
    const scree_world_def *def = &scree_scene_plan_of(scene)->world;

    CHECK(def->step.integrator == SCREE_IMPLICIT_EULER && def->step.picard.tolerance == 0.1);
    CHECK(def->step.picard.iterations == 7 && def->step.picard.halvings == 0);
    scree_scene_close(scene);
}

static heard hear_scene(const char *text)
{
    scree_scene_def def = scree_default_scene_def();
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene;
    heard h = {0, ""};

    def.text = text;
    def.name = "scene.lua";
    def.log = (scree_log){hear, &h};
    def.error = &error;
    if (scree_scene_open(&def, &scene))
        FAIL("%s", error.text);
    scree_scene_close(scene);
    return h;
}

static void gather_help(const char *text, void *user)
{
    *(bool *)user |= strstr(text, "precision") != NULL;
}

/*  Scenes that ask for forces in floats go on, in double, and are told; nothing else speaks of it. */
TEST(a_precision_is_no_choice_any_more)
{
    bool is_told_of = false;
    heard h = hear_scene("run { steps = 1 }\nsolver { dt = 1e-5, precision = \"mixed\" }");

    CHECK_EQUAL(h.count, 1);
    CHECK_TEXT(h.text, "scene.lua:2: solver: precision: was removed, all worlds compute in double: "
                       "leave it out");
    CHECK_EQUAL(hear_scene("run { steps = 1 }\nsolver { dt = 1e-5, precision = \"double\" }").count,
                0);
    CHECK(scree_scene_write_help("solver", gather_help, &is_told_of));
    CHECK(!is_told_of);
}

TEST(steps_may_be_local)
{
    scree_scene *scene = must_open("solver { dt = 1e-3, local_steps = 6 }" R);

    CHECK_EQUAL(scree_scene_plan_of(scene)->world.step.local_steps, 6);
    CHECK(scree_scene_plan_of(scene)->world.step.mode == SCREE_TIME_FIXED);
    scree_scene_close(scene);
}

TEST(implicit_steps_may_be_by_surrogates)
{
    static const char *const words[] = {"implicit-surrogate", "implicit-multiscale"};

    for (int k = 0; k < 2; k++) {
        char text[200];
        snprintf(text, sizeof text, "solver { dt = 1e-3, integrator = \"%s\", halvings = 2 }" R,
                 words[k]);
        scree_scene *scene = must_open(text);
        CHECK_EQUAL(scree_scene_plan_of(scene)->world.step.integrator,
                    SCREE_IMPLICIT_SURROGATE + k);
        CHECK(scree_scene_plan_of(scene)->world.step.picard.keeps_sets);
        CHECK(!scree_scene_plan_of(scene)->world.step.picard.skips_levels);
        CHECK(!scree_scene_plan_of(scene)->world.step.picard.accelerates);
        scree_scene_close(scene);
    }
    scree_scene *scene = must_open("solver { dt = 1e-3, integrator = \"implicit-multiscale\", "
                                   "keep_sets = false, skip_levels = true, accelerate = true }" R);
    CHECK(!scree_scene_plan_of(scene)->world.step.picard.keeps_sets);
    CHECK(scree_scene_plan_of(scene)->world.step.picard.skips_levels);
    CHECK(scree_scene_plan_of(scene)->world.step.picard.accelerates);
    scree_scene_close(scene);
}

TEST(margins_have_all_their_fields)
{
    scree_scene *scene = must_open(
        "margin { kind = \"tolerance\", speed_factor = 1.5, velocity = 0.5, extent = 0.25, "
        "constant = 0.1, reach = 1, target_steps = 20, min_fraction = 0.5 }\n"
        "solver { time = \"mass-scaling\", dt = 1e-3, safety_factor = 0.5, mesh_engine = \"all\" "
        "}" R);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    const scree_margin_def *m = &plan->world.detection.margin;

    CHECK(m->kind == SCREE_MARGIN_TOLERANCE && m->speed_factor == 1.5 && m->velocity[0] == 0.5 &&
          m->extent[0] == 0.25);
    CHECK(m->constant == 0.1 && m->reach == 1 && m->target_steps == 20 && m->min_fraction == 0.5);
    CHECK(plan->world.step.mode == SCREE_TIME_MASS_SCALING && plan->world.step.dt == 1e-3 &&
          plan->world.step.safety_factor == 0.5 && plan->threads == 0 &&
          plan->world.detection.mesh_engine == SCREE_MESH_ENGINE_ALL);
    scree_scene_close(scene);
    scene = must_open("solver { dt = 1e-3, time = \"auto\", max_growth = 1.5 }" R);
    CHECK(scree_scene_plan_of(scene)->world.step.max_growth == 1.5);
    scree_scene_close(scene);
}

TEST(walls_become_walls_of_the_world)
{
    scree_world *world;
    scree_scene *scene =
        must_start(H "wall { shape = plane { point = {0, 0, 0.5}, normal = {0, 0, 2} }, material = "
                     "g, groups = {3}, meets = {1, 2} }\n"
                     "wall { shape = box { lower = {0, 0, 0}, upper = {1, 2, 3}, open = {\"+z\", "
                     "\"-x\"} }, material = g }\n"
                     "d = wall { name = \"drum\", shape = cylinder { from = {0, -1, 0}, to = {0, "
                     "1, 0}, radius = 2, facets = 12 },\n"
                     "  material = g, motion = { spin { axis = {0, 1, 0}, rate = 3, centre = {0, "
                     "0, 0} }, move { velocity = {1, 0, 0} },\n"
                     "  swing { amplitude = {0, 0, 0.1}, frequency = 2, phase = 0.5 }, path { {0, "
                     "0, 0, 0}, {1, 0, 0, 1} } } }\n"
                     "wall { shape = cone { from = {0, 0, 0}, to = {0, 0, 1}, radius = 0, "
                     "radius_to = 1, open = \"to\", facets = 8 }, material = g,\n"
                     "  position = {0, 0, 5}, orientation = {0, 1, 0, 0} }\n"
                     "wall { shape = facets { vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1} }, facets "
                     "= { {1, 2, 3} } }, material = g }" R,
                   &world);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    scree_wall_id ids[8];
    scree_wall wall;

    CHECK_EQUAL(scree_world_walls(world, ids, 8), 1 + 4 + 1 + 1 + 1);
    CHECK_EQUAL(scree_world_get_wall(world, ids[0], &wall), SCREE_OK);
    CHECK(wall.kind == SCREE_WALL_PLANE && wall.position[2] == 0.5 && wall.normal[2] == 1 &&
          wall.groups == 4 && wall.mask == 3);
    CHECK_EQUAL(scree_world_get_wall(world, ids[1], &wall), SCREE_OK);
    CHECK(wall.normal[0] == -1 && wall.position[0] == 1);
    CHECK(plan->walls[1].first == 1 && plan->walls[1].count == 4);
    CHECK_EQUAL(scree_world_get_wall(world, ids[5], &wall), SCREE_OK);
    scree_mesh_info info = scree_mesh_describe(wall.mesh);
    CHECK(info.facet_count == 48 && info.open_edges == 0 && info.flipped_edges == 0 &&
          wall.spin[1] == 3);
    CHECK_NEAR(info.upper[1], 1, 1e-12);
    const scree_wall_path *path = &plan->walls[2].path;
    CHECK(path->velocity[0] == 1 && path->swing[2] == 0.1 && path->frequency == 2 &&
          path->phase == 0.5 && path->table_count == 2);
    CHECK_EQUAL(scree_world_get_wall(world, ids[6], &wall), SCREE_OK);
    info = scree_mesh_describe(wall.mesh);
    /* a tip: one triangle a strip, open at the wide end */
    CHECK(info.facet_count == 8 && info.open_edges == 8 && wall.position[2] == 5);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(bodies_are_as_said)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "body { shape = s, material = g, position = {1, 2, 3}, velocity = {4, 5, 6}, spin = {7, 8, "
        "9}, mass = 2,\n"
        "  orientation = {0, 0, 0, 3}, freeze = {\"x\", \"spin_z\"}, groups = {2}, meets = {3} }\n"
        "bodies { list = { {0, 0, 1, 2}, {0, 0, 10, 3} }, scale = 0.5, material = g, velocity = "
        "{0, 0, 1}, freeze = \"all\" }" R,
        &world);
    scree_bodies_view view = scree_world_bodies(world);
    scree_body body;

    CHECK_EQUAL(view.count, 3);
    CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, 0), &body), SCREE_OK);
    CHECK(body.position[2] == 3 && body.velocity[1] == 5 && body.spin[0] == 7 && body.mass == 2 &&
          body.orientation[3] == 1);
    CHECK(body.flags == (SCREE_FREEZE_X | SCREE_FREEZE_SPIN_Z) && body.groups == 2 &&
          body.mask == 4);
    CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, 2), &body), SCREE_OK);
    CHECK(body.position[2] == 5 && body.shape.radius == 1.5 && body.velocity[2] == 1 &&
          body.flags == SCREE_FREEZE);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(sources_sinks_and_measures_are_as_said)
{
    scree_scene *scene =
        must_open(H "fill { solid_fraction = 0.1, region = b, shape = sphere { radius = "
                    "normal(0.01, 0.001, 0.008, 0.012) }, material = g,\n"
                    "  velocity = {1, 0, 0}, spread = 0.1, gap = 0.2, by = \"mass\", groups = {5}, "
                    "meets = {6}, name = \"f\" }\n"
                    "fill { mass = 0.5, region = b, shape = s, material = g }\n"
                    "pour { mass_rate = 2, mass = 1, start = 0.1, stop = 0.5, region = sphere { "
                    "centre = {0, 0, 0}, radius = 1 }, shape = s, material = g }\n"
                    "sink { region = cylinder { from = {0, 0, 0}, to = {0, 0, 1}, radius = 1 }, "
                    "material = g, start = 1, stop = math.huge }\n"
                    "measure { region = b, what = {\"count\", \"mass\", \"solid_fraction\", "
                    "\"speed\", \"velocity\", \"temperature\", \"coordination\"} }\n"
                    "measure { name = \"p\", region = plane { } }\n"
                    "measure { wall = wall { shape = plane { }, material = g }, what = {\"force\", "
                    "\"torque\"} }" R);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    const scree_scene_source *f = &plan->sources[0], *p = &plan->sources[2];

    CHECK(f->solid_fraction == 0.1 && f->radius.spread == SCREE_SPREAD_NORMAL &&
          f->radius.lower == 0.008 && f->radius.by_mass);
    CHECK(f->velocity[0] == 1 && f->spread == 0.1 && f->gap == 0.2 && f->groups == 16 &&
          f->mask == 32 && !f->is_pour);
    CHECK_TEXT(f->name, "f");
    CHECK_TEXT(plan->sources[1].name, "fill2");
    CHECK(plan->sources[1].mass == 0.5 && p->is_pour && p->mass_rate == 2 && p->mass == 1 &&
          p->start == 0.1 && p->stop == 0.5);
    CHECK_TEXT(p->name, "pour1");
    CHECK(plan->sinks[0].material == 1 && plan->sinks[0].start == 1 &&
          plan->sinks[0].stop == INFINITY);
    /* 6 + 3 of the region, 2 of the plane, 6 of the wall, 2 of the pour, 3 of the sink */
    CHECK_EQUAL(scree_scene_column_count(scene), 22);
    CHECK_TEXT(scree_scene_column_name(scene, 4), "measure1.velocity_x");
    CHECK_TEXT(scree_scene_column_unit(scene, 4), "m/s");
    CHECK_TEXT(scree_scene_column_name(scene, 10), "p.mass_flow");
    CHECK_TEXT(scree_scene_column_name(scene, 21), "sink1.mass_flow");
    scree_scene_close(scene);
}

TEST(outputs_and_pictures_are_as_said)
{
    scree_scene *scene =
        must_open("output { every = 0.5, write = {\"vtk\", \"contacts\", \"lammps\", \"csv\", "
                  "\"stl\", \"vtkhdf\", \"picture\"}, fields = {\"radius\", \"force\"} }\n"
                  "output { every_steps = 5, write = \"csv\" }\n"
                  "picture { width = 640, height = 480, field = \"radius\", range = {0, 2}, "
                  "logarithmic = false, colour_bar = false, time_label = false,\n"
                  "  title = \"t\", background = \"light\", walls = \"lines\", shadows = \"hard\", "
                  "occlusion = false, light = {1, 0, 0}, samples = 1,\n"
                  "  clips = { {0, 1, 0, 5} }, projection = \"orthographic\", eye = {1, 2, 3}, "
                  "target = {0, 0, 0}, up = {0, 1, 0}, tall = 2 }\n"
                  "picture { every = 0.25, angle = 0.3, turn = 1, rise = 0.1, zoom = 2, lower = "
                  "{0, 0, 0}, upper = {1, 1, 1}, map = \"ember\" }" R);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    const scree_picture_def *def = &plan->pictures[0].def;

    CHECK_EQUAL(plan->outputs[0].write, SCREE_WRITE_VTP_BODIES | SCREE_WRITE_VTP_WALLS |
                                            SCREE_WRITE_VTP_SOLIDS | SCREE_WRITE_VTP_PEBBLES |
                                            SCREE_WRITE_VTP_CONTACTS | SCREE_WRITE_LAMMPS |
                                            SCREE_WRITE_CSV | SCREE_WRITE_STL | SCREE_WRITE_VTKHDF);
    CHECK(plan->outputs[0].every.time == 0.5 && plan->outputs[1].every.steps == 5 &&
          plan->outputs[0].field_count == 2);
    CHECK_TEXT(plan->outputs[0].fields[1], "force");
    CHECK(!plan->outputs[0].fields[2] && !plan->outputs[1].fields);
    CHECK(plan->pictures[0].every.time == 0.5 && plan->pictures[1].every.time == 0.25);
    CHECK(def->width == 640 && def->height == 480 && def->ranged && def->range[1] == 2 &&
          !def->colour_bar && !def->time_label);
    CHECK(def->background == SCREE_PICTURE_LIGHT && def->walls == SCREE_PICTURE_WALLS_LINES &&
          def->shadows == SCREE_PICTURE_SHADOWS_HARD);
    CHECK(!def->occlusion && def->light[0] == 1 && def->samples == 1 && def->clip_count == 1 &&
          def->clips[0][3] == 5);
    CHECK(def->camera.placed && def->camera.projection == SCREE_PICTURE_ORTHOGRAPHIC &&
          def->camera.eye[2] == 3 && def->camera.up[1] == 1 && def->camera.height == 2);
    def = &plan->pictures[1].def;
    CHECK(def->camera.angle == 0.3 && def->camera.turn == 1 && def->camera.rise == 0.1 &&
          def->camera.zoom == 2 && def->camera.boxed);
    CHECK_TEXT(def->map, "ember");
    scree_scene_close(scene);
    /* without one of its own an output has one as usual */
    scene = must_open("output { every = 0.5, write = \"picture\" }" R);
    CHECK_EQUAL(scree_scene_plan_of(scene)->picture_count, 1);
    CHECK(scree_scene_plan_of(scene)->pictures[0].every.time == 0.5);
    scree_scene_close(scene);
}

/* ---- parameters -------------------------------------------------------------------------------------------- */

TEST(parameters_are_set_from_outside_and_resolved)
{
    static const char text[] =
        "local r = param(\"rate\", 6, \"rad/s\")\nlocal n = param(\"n\", 3)\n"
        "local t = param { name = \"name\", default = \"a\", help = \"h\" }\n"
        "local f = param(\"fast\", false)\nrun { time = r + n, title = t .. tostring(f) }\n";
    const char *const settings[] = {"rate=1", "rate=8.1", "name=x ]]\"\n--[[scene]] y",
                                    "fast=true"};
    scree_error error;
    scree_scene *scene = open_scene_with(text, settings, 4, &error), *again;

    if (!scene)
        FAIL("%s", error.text);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    CHECK(plan->end_time == 8.1 + 3);
    CHECK_TEXT(plan->title, "x ]]\"\n--[[scene]] ytrue");
    CHECK_EQUAL(plan->parameter_count, 4);
    CHECK_TEXT(plan->parameters[0].unit, "rad/s");
    CHECK(plan->parameters[0].is_set && !plan->parameters[1].is_set);
    /* the resolved text says the same without settings, and resolves to itself */
    again = must_open(scree_scene_resolved(scene));
    CHECK(scree_scene_plan_of(again)->end_time == 8.1 + 3);
    CHECK_TEXT(scree_scene_plan_of(again)->title, plan->title);
    CHECK_TEXT(scree_scene_resolved(again), scree_scene_resolved(scene));
    scree_scene_close(again);
    /* and can be set in its turn */
    const char *more = "rate=2";
    again = open_scene_with(scree_scene_resolved(scene), &more, 1, &error);
    CHECK(again && scree_scene_plan_of(again)->end_time == 5);
    scree_scene_close(again);
    scree_scene_close(scene);
    /* nothing set, nothing named: as it was */
    scene = must_open(text);
    CHECK_TEXT(scree_scene_resolved(scene), text);
    scree_scene_close(scene);
}

TEST(a_byte_order_mark_is_no_part_of_the_scene)
{
    const char *setting = "rate=4";
    scree_error error;
    scree_scene *scene = open_scene_with(
        "\xef\xbb\xbflocal r = param(\"rate\", 6)\nrun { time = r }", &setting, 1, &error);

    if (!scene)
        FAIL("%s", error.text);
    scree_scene *again = must_open(scree_scene_resolved(scene));
    CHECK(scree_scene_plan_of(again)->end_time == 4);
    CHECK_TEXT(scree_scene_resolved(again), scree_scene_resolved(scene));
    scree_scene_close(again);
    scree_scene_close(scene);
    /* elsewhere it is no letter of the language */
    CHECK(!open_scene_with("run { time = 1 }\n\xef\xbb\xbf", NULL, 0, &error));
}

/*  What is set is the same number in the resolved scene: of integers the halves are cut off, and no number is lost. */
TEST(settings_keep_their_kind)
{
    static const char text[] =
        "local x = param(\"x\", 0)\n"
        "run { steps = 1, title = math.type(x) .. string.format(\" %.17g\", x) }\n";
    static const char *const settings[][2] = {
        {"x=3", "integer 3"},
        {"x=3.0", "float 3"},
        {"x=-0.0", "float -0"},
        {"x=1e15", "float 1000000000000000"},
        {"x=1e999", "float inf"},
        {"x=-1e999", "float -inf"},
        {"x=-9223372036854775807", "integer -9.2233720368547758e+18"},
        {"x=0x8000000000000000", "integer -9.2233720368547758e+18"},
    };
    scree_error error;

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        scree_scene *scene = open_scene_with(text, &settings[k][0], 1, &error);
        if (!scene)
            FAIL("%s: %s", settings[k][0], error.text);
        CHECK_TEXT(scree_scene_plan_of(scene)->title, settings[k][1]);
        scree_scene *again = must_open(scree_scene_resolved(scene));
        CHECK_TEXT(scree_scene_plan_of(again)->title, settings[k][1]);
        CHECK_TEXT(scree_scene_resolved(again), scree_scene_resolved(scene));
        scree_scene_close(again);
        scree_scene_close(scene);
    }
    CHECK(!open_scene_with("param(\"end\", 1)\n", NULL, 0, &error));
    CHECK(strstr(error.text, "\"end\" is a word of the language"));
}

/*  A scene may begin like one that was resolved without being one: all of it is the scene. */
TEST(what_only_looks_resolved_is_taken_whole)
{
    static const char *const heads[] = {
        "--[[resolved]] set { --[[scene]] values = { a = 2 } }",
        "--[[resolved]] set { values = { a = 2 } --[[scene]] }",
        "--[[resolved]] set { values = { a --[[scene]] = 2 } }",
        "--[[resolved]] set { values = { a = --[[scene]] 2 } }",
        "--[[resolved]] set { values = { a = 2 --} } --[[scene]]\n } }",
        "--[[resolved]] set { values = { a = --2 } } --[[scene]]\n 2 } }",
        "--[[resolved]] set { values = { b = \"\\\" } } --[[scene]] \", a = 2 } }",
        "--[[resolved]] set { values = { b = \"x\", --[[scene]] a = 2 } }",
        "--[[resolved]] set { values = { a = 2 } } folder { --[[scene]] path = \"/\" }",
        "--[[resolved]] set { values = { a = 2 } } folder { path = \"/\" --[[scene]] }",
        "--[[resolved]] set { values = { a = 2 } } do --[[scene]] end",
        "--[[resolved]]  --[[scene]] set { values = { a = 2 } }",
    };
    const char *tail = " param(\"b\", \"\") run { steps = param(\"a\", 1) }";
    char text[300];

    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        snprintf(text, sizeof text, "%s%s", heads[k], tail);
        scree_scene *scene = must_open(text);
        scree_scene *again = must_open(scree_scene_resolved(scene));
        CHECK_EQUAL(scree_scene_plan_of(again)->end_steps, 2);
        CHECK_TEXT(scree_scene_resolved(again), scree_scene_resolved(scene));
        scree_scene_close(again);
        scree_scene_close(scene);
    }
}

/* ---- the sandbox --------------------------------------------------------------------------------------------- */

TEST(nothing_leads_out_of_the_sandbox)
{
    static const char *const names[] = {"io",
                                        "os",
                                        "load",
                                        "loadfile",
                                        "loadstring",
                                        "dofile",
                                        "require",
                                        "package",
                                        "debug",
                                        "collectgarbage",
                                        "coroutine",
                                        "setmetatable",
                                        "getmetatable",
                                        "rawset",
                                        "rawget",
                                        "next",
                                        "xpcall",
                                        "_G",
                                        "warn",
                                        "utf8",
                                        "string.dump",
                                        "string.gsub",
                                        "string.match",
                                        "string.gmatch",
                                        "string.pack",
                                        "(\"\").gsub",
                                        "math.randomseed",
                                        "math.pow",
                                        "table.move"};
    char text[200];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scree_error error;
        snprintf(text, sizeof text, "local x = %s\nif x ~= nil then run { time = 1 } end",
                 names[i]);
        scree_scene *scene = open_scene_with(text, NULL, 0, &error);
        if (scene)
            FAIL("%s is there", names[i]);
        if (!strstr(error.text, "there is nothing called") &&
            !strstr(error.text, "`run { time = 1 }` is missing"))
            FAIL("%s: %s", names[i], error.text);
    }
}

/* ---- the same everywhere ------------------------------------------------------------------------------------- */

/*  Each is a truth in a scene. */
static void holds(const char *condition)
{
    char text[1000];

    snprintf(text, sizeof text, "if %s then run { time = 1 } else error(\"false\") end", condition);
    scree_error error;
    scree_scene *scene = open_scene_with(text, NULL, 0, &error);
    if (!scene)
        FAIL("%s: %s", condition, error.text);
    scree_scene_close(scene);
}

static double value_of(const char *expression)
{
    char text[1000];

    snprintf(text, sizeof text, "gravity { %s, 0, 0 }" R, expression);
    scree_scene *scene = must_open(text);
    double value = scree_scene_plan_of(scene)->world.gravity[0];
    scree_scene_close(scene);
    return value;
}

TEST(functions_of_numbers_are_scree_s_own)
{
    CHECK(value_of("math.sin(1.1)") == scree_sin(1.1));
    CHECK(value_of("math.cos(1.1)") == scree_cos(1.1));
    CHECK(value_of("math.tan(1.1)") == scree_sin(1.1) / scree_cos(1.1));
    CHECK(value_of("math.exp(1.1)") == scree_exp(1.1));
    CHECK(value_of("math.log(1.1)") == scree_ln(1.1));
    CHECK(value_of("math.log(8, 2)") == scree_ln(8) / scree_ln(2));
    CHECK(value_of("math.atan(1.1)") == scree_atan(1.1));
    CHECK_NEAR(value_of("math.atan(1, -1)"), 2.35619449019234492885, 1e-15);
    CHECK_NEAR(value_of("math.atan(-1, -1)"), -2.35619449019234492885, 1e-15);
    CHECK_NEAR(value_of("math.atan(-1, 0)"), -1.57079632679489661923, 1e-15);
    CHECK_NEAR(value_of("math.asin(0.5)"), 0.52359877559829887308, 1e-15);
    CHECK_NEAR(value_of("math.acos(-0.5)"), 2.09439510239319549231, 1e-15);
    /* the operator, folded by the compiler of Lua and not */
    CHECK(value_of("1.1 ^ 3.3") == scree_pow(1.1, 3.3));
    CHECK(value_of("(function(x, y) return x ^ y end)(1.1, 3.3)") == scree_pow(1.1, 3.3));
    CHECK(value_of("(function(x, y) return x ^ y end)(\"1.1\", 3.3)") == scree_pow(1.1, 3.3));
    holds(
        "10 ^ 3 == 1000 and 2 ^ -2 == 0.25 and 9 ^ 0.5 == 3 and (-2) ^ 3 == -8 and (-2) ^ 2 == 4");
    holds("0 ^ 0 == 1 and 0 ^ 2 == 0 and 0 ^ -1 == math.huge and 1 ^ math.huge == 1 and 2 ^ "
          "math.huge == math.huge");
    holds("2 ^ -math.huge == 0 and 0.5 ^ math.huge == 0 and (-1) ^ math.huge == 1 and math.huge ^ "
          "-1 == 0 and math.huge ^ 0.3 == math.huge");
    holds("(-8) ^ (1 / 3) ~= (-8) ^ (1 / 3) and (0 / 0) ^ 0 == 1 and (0/0) ^ 1 ~= (0/0) ^ 1 and 2 "
          "^ 1000 == 0x1p1000 and 2 ^ -1000 == 0x1p-1000");
    holds("(-math.huge) ^ 3 == -math.huge and 2.5 ^ 100 > 6.2e39 and 3 ^ -70 > 0");
}

TEST(orders_are_those_of_values)
{
    holds("(function() local s = \"\" for k in pairs({ b = 1, a = 2, [2] = 3, [1.5] = 1, [true] = "
          "4, [false] = 1, c = nil }) do s = s .. tostring(k) end "
          "return s end)() == \"1.52abfalsetrue\"");
    holds("(function() local t = { {2, 1}, {1, 2}, {2, 3}, {1, 4}, {0, 5} } table.sort(t, "
          "function(a, b) return a[1] < b[1] end) "
          "local s = \"\" for _, r in ipairs(t) do s = s .. r[2] end return s end)() == \"52413\"");
    holds("(function() local t = {5, 3, 1, 4, 2} table.sort(t) return table.concat(t) end)() == "
          "\"12345\"");
    holds("(function() local t = {} table.insert(t, 1) table.insert(t, 1, 2) local x = "
          "table.remove(t) return x == 1 and #t == 1 and "
          "table.remove(t, 1) == 2 and table.remove(t) == nil end)()");
    holds("tostring({}) == \"a table\" and tostring(material {}) == \"a material\" and "
          "string.format(\"%s\", {}) == \"a table\"");
    holds("string.format(\"%d %s %5.2f\", 3, \"x\", 1.5) == \"3 x  1.50\" and (\"ab\"):rep(2, "
          "\"-\") == \"ab-ab\" and (\"abc\"):find(\"c\") == 3");
    holds("(\"a.c\"):find(\".\") == 2 and (\"abc\"):find(\"x\") == nil and tostring(nil) == "
          "\"nil\" and tostring(true) == \"true\"");
    holds("(function() local t = { a = 1, b = 2 } local n = 0 for k in pairs(t) do t.b = nil n = n "
          "+ 1 end return n end)() == 1");
    holds("select(\"#\", pcall(error, \"x\")) == 2 and pcall(function() return 1 end) and not "
          "pcall(material, { density = -1 })");
    /* the first numbers of the stream, for ever: philox of seed 1, stream 0 */
    scree_random random = scree_random_stream(1, 0);
    CHECK(value_of("math.random()") == scree_random_unit(&random));
    holds("(function() for i = 1, 100 do local x, y = math.random(3), math.random(-1, 1) if x < 1 "
          "or x > 3 or y < -1 or y > 1 then "
          "return false end end return true end)()");
}

static const char *a_locale_with_commas(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]))
            return names[i];
    return NULL;
}

TEST(the_locale_does_not_matter)
{
    const char *name = a_locale_with_commas();

    if (!name)
        printf("no locale with commas is installed: only C was tried\n");
    holds("1.5 .. \"\" == \"1.5\" and tonumber(\"2.5\") == 2.5 and string.format(\"%.1f\", 0.5) == "
          "\"0.5\"");
    setlocale(LC_ALL, "C");
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

static const char varied[] =
    H "local n = param(\"n\", 20)\n"
      "local t = {} for i = 1, 50 do t[i] = {i, 5, 5, 0.1} end\n"
      "bodies { list = t, material = g }\n"
      "wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, facets = 6 }, "
      "material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1} } }\n"
      "fill { count = n, region = box { lower = {100, 0, 0}, upper = {101, 1, 1} }, shape = sphere "
      "{ radius = sizes { {0.01, 1}, {0.02, 1} } }, material = g }\n"
      "pour { rate = 1e5, region = box { lower = {200, 0, 0}, upper = {201, 1, 1} }, shape = s, "
      "material = g }\n"
      "sink { region = box { lower = {200, 0, 0}, upper = {200.5, 1, 1} } }\n"
      "measure { region = b, what = {\"coordination\", \"speed\"} } measure { region = sphere { "
      "centre = {0, "
      "0, 0}, radius = 1 }, what = \"stress\" } measure { region = plane { "
      "point = {200.5, 0, 0}, normal = {1, 0, 0} } }\n"
      "output { every = 1, write = \"picture\" }\nsolver { dt = 1e-5, act_every = 2 }" R;

/*  Open, build, start, step, measure, save: whatever allocation fails, all is given back and the status tells. */
static scree_status live_through(const scree_allocator *hooks, uint64_t *digest)
{
    scree_scene_def def = scree_default_scene_def();
    scree_world_def world_def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene;
    scree_world *world = NULL;
    double values[32];

    const char *setting = "n=21";
    def.text = varied;
    def.error = &error;
    def.allocator = world_def.hooks.allocator = *hooks;
    def.settings = &setting;
    def.setting_count = 1;
    scree_status status = scree_scene_open(&def, &scene);
    if (status)
        return status;
    status = scree_scene_build(scene, &world_def, &world, &error);
    if (!status)
        status = scree_scene_start(scene, world, &error);
    if (!status)
        status = scree_scene_step(scene, world, 5, &error);
    if (!status)
        status = scree_scene_measure(scene, world, values, &error);
    if (!status)
        *digest = scree_world_digest(world);
    scree_world_destroy(world);
    scree_scene_close(scene);
    return status;
}

TEST(every_allocation_may_fail)
{
    scree_allocator plain = {0};
    uint64_t wanted = 0, digest;

    CHECK_EQUAL(live_through(&plain, &wanted), SCREE_OK);
    for (size_t k = 1;; k += k < 100 ? 1 : 1 + k / 100) {
        failing_allocator memory = {.fail_at = k, .fail_all_after = k % 2};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        digest = 0;
        scree_status status = live_through(&hooks, &digest);
        CHECK(failing_allocator_is_clean(&memory));
        /* Lua collects its garbage and asks again: a single failure may be survived */
        if (status != SCREE_OK)
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        else
            CHECK(digest == wanted);
        if (memory.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_world_is_as_said),
        CASE(implicit_steps_have_fields_of_their_own),
        CASE(a_precision_is_no_choice_any_more),
        CASE(steps_may_be_local),
        CASE(implicit_steps_may_be_by_surrogates),
        CASE(margins_have_all_their_fields),
        CASE(walls_become_walls_of_the_world),
        CASE(bodies_are_as_said),
        CASE(sources_sinks_and_measures_are_as_said),
        CASE(outputs_and_pictures_are_as_said),
        CASE(parameters_are_set_from_outside_and_resolved),
        CASE(a_byte_order_mark_is_no_part_of_the_scene),
        CASE(settings_keep_their_kind),
        CASE(what_only_looks_resolved_is_taken_whole),
        CASE(nothing_leads_out_of_the_sandbox),
        CASE(functions_of_numbers_are_scree_s_own),
        CASE(orders_are_those_of_values),
        CASE(the_locale_does_not_matter),
        CASE(every_allocation_may_fail),
    };

    NEEDS_SCENES("test_scene_language");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
