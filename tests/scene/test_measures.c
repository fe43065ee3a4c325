/*  Quantities of measure, through scenes: what the library's own tests hold against closed forms comes out in the right
    column. */
#include "harness/failing_allocator.h"
#include "scene_maker.h"

#include "scree/fields.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/wall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    CHECK_SAYS(error.text, "what: \"porosity\" is not available for a region");
}

/*  Grains in a corner of a box that is open above: what each side feels is what the world says of it, all together the force; of
    what is not there, there is no column. In two dimensions as well. */
TEST(sides_of_a_box_have_forces_of_their_own)
{
    static const char *const sides[] = {"-x", "+x", "-y", "+y", "-z", "+z"};

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const int open = 2 * dimensions - 1;
        scree_world *world;
        char text[1000];
        snprintf(text, sizeof text,
                 "domain { dimensions = %d }\ngravity { %s }\nsolver { dt = 5e-5 }\n" H
                 "w = wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, %s}, open = "
                 "{\"%s\"} }, material = g }\n"
                 "fill { region = box { lower = {0, 0, 0}, upper = {0.1, 0.05, %s} }, "
                 "shape = s, material = g, count = 8 }\n"
                 "measure { name = \"w\", wall = w, what = {\"side_force\", \"force\"} }" R,
                 dimensions, dimensions == 3 ? "-5, -3, -9" : "-0.5, -0.9",
                 dimensions == 3 ? "0.1" : "0", sides[open], dimensions == 3 ? "0.05" : "0");
        scree_scene *scene = must_start(text, &world);
        scree_wall_id ids[6];
        double sum[3] = {0}, most = 0;

        CHECK_EQUAL(scree_scene_column_count(scene), 3 + 3 * open);
        CHECK_EQUAL(scree_world_walls(world, ids, 6), open);
        for (int look = 0; look < 5; look++) {
            memset(sum, 0, sizeof sum);
            must_step(scene, world, 1500);
            for (int n = 0; n < 3 * open; n++) {
                char name[40];
                scree_wall wall;
                snprintf(name, sizeof name, "w.side_force_%s_%c", sides[n / 3], "xyz"[n % 3]);
                double force = column(scene, world, name);
                CHECK_EQUAL(scree_world_get_wall(world, ids[n / 3], &wall), SCREE_OK);
                CHECK(force == wall.force[n % 3]);
                sum[n % 3] += force;
                most = fmax(most, fabs(force));
            }
            for (int k = 0; k < 3; k++) {
                char name[] = {'w', '.', 'f', 'o', 'r', 'c', 'e', '_', "xyz"[k], 0};
                CHECK_NEAR(column(scene, world, name), sum[k], 1e-12 * (most + 1));
            }
        }
        CHECK(sum[0] < 0 && sum[1] < 0 && most > 0.01);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  A side that is open among the first: those after it keep their names. */
/*  A measure of a wall is called like it, unless something else is. */
TEST(columns_carry_names_of_walls)
{
    scree_scene *scene =
        must_open(H "lid = wall { name = \"lid\", shape = plane { }, material = g }\n"
                    "pot = wall { name = \"pot\", shape = plane { }, material = g }\n"
                    "bare = wall { shape = plane { }, material = g }\n"
                    "measure { wall = lid }\nmeasure { wall = lid, what = \"torque\" }\n"
                    "measure { name = \"pot\", wall = bare }\nmeasure { wall = pot }\nmeasure { "
                    "wall = bare }" R);
    static const char *const names[] = {"lid.force_x", "measure2.torque_x", "pot.force_x",
                                        "measure4.force_x", "measure5.force_x"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        CHECK_TEXT(scree_scene_column_name(scene, 3 * k), names[k]);
    scree_scene_close(scene);
}

TEST(open_sides_have_no_columns)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "gravity { 0, 0, -9.81 }\n" H
        "w = wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, open = {\"-x\", "
        "\"+y\", \"+z\"} }, material = g }\n"
        "body { shape = s, material = g, position = {0.05, 0.05, 0.0099} }\n"
        "body { shape = s, material = g, position = {0.0901, 0.05, 0.05} }\n"
        "measure { name = \"w\", wall = w, what = \"side_force\" }" R,
        &world);

    CHECK_EQUAL(scree_scene_column_count(scene), 9);
    CHECK_TEXT(scree_scene_column_name(scene, 0), "w.side_force_+x_x");
    CHECK_TEXT(scree_scene_column_unit(scene, 0), "N");
    CHECK_TEXT(scree_scene_column_name(scene, 3), "w.side_force_-y_x");
    CHECK_TEXT(scree_scene_column_name(scene, 8), "w.side_force_-z_z");
    must_step(scene, world, 1);
    CHECK(column(scene, world, "w.side_force_+x_x") > 0);
    CHECK(column(scene, world, "w.side_force_-y_y") == 0);
    CHECK(column(scene, world, "w.side_force_-z_z") < 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- means over time --------------------------------------------------------------------------------- */

#define BOUNCING                                                                                   \
    H "gravity { 0, 0, -9.81 }\nw = wall { shape = plane { }, material = g }\n"                    \
      "for k = 1, 6 do body { shape = s, material = g, position = {0.021 * k, 0, 0.0099 + 0.001 "  \
      "* "                                                                                         \
      "k}, velocity = {k, 0, 0} } end\nsolver { dt = 1e-4 }\n"

static void sample(scree_scene *scene, scree_world *world)
{
    scree_error error = {SCREE_OK, ""};

    if (scree_scene_sample(scene, world, &error))
        FAIL("%s", error.text);
}

/*  The reference without means is asked at every sample. */
TEST(means_are_of_samples)
{
    static const char *const names[] = {"m.speed", "m.solid_fraction", "w.force_z", "m.velocity_z"};
    static const char measures[] =
        "measure { name = \"m\", region = sphere { centre = {0.06, 0, 0}, radius = 0.05 }, what = "
        "{\"speed\", \"solid_fraction\", \"velocity\"}%s }\n"
        "measure { name = \"w\", wall = w%s }\nmeasure { name = \"now\", what = \"speed\" }\n"
        "metrics { every_steps = 20%s }" R;
    char text[2][2000], reference_text[1000];
    scree_world *world, *reference_world;

    for (int k = 0; k < 2; k++) {
        const char *mean = k ? ", mean = true" : "";
        snprintf(reference_text, sizeof reference_text, measures, mean, mean,
                 k ? ", sample_every_steps = 5" : "");
        snprintf(text[k], sizeof text[k], "%s%s", BOUNCING, reference_text);
    }
    scree_scene *reference = must_start(text[0], &reference_world),
                *scene = must_start(text[1], &world);
    for (int row = 0; row < 3; row++) {
        double sum[4] = {0};
        for (int k = 0; k < 4; k++) {
            must_step(scene, world, 5);
            must_step(reference, reference_world, 5);
            sample(scene, world);
            sample(reference, reference_world); /* nothing is a mean there */
            for (int n = 0; n < 4; n++)
                sum[n] += column(reference, reference_world, names[n]);
        }
        double values[16];
        scree_error error;
        CHECK_EQUAL(scree_scene_measure(scene, world, values, &error), SCREE_OK);
        for (size_t c = 0; c < scree_scene_column_count(scene); c++) {
            const char *name = scree_scene_column_name(scene, c);
            for (int n = 0; n < 4; n++)
                if (strcmp(name, names[n]) == 0)
                    CHECK_NEAR(values[c], sum[n] / 4, 1e-14 * fabs(sum[n]));
            if (strcmp(name, "now.speed") == 0)
                CHECK(values[c] == column(reference, reference_world, name));
        }
        /* without a sample since then it is what is now */
        CHECK(column(scene, world, "m.speed") == column(reference, reference_world, "m.speed"));
    }
    scree_world_destroy(world);
    scree_world_destroy(reference_world);
    scree_scene_close(scene);
    scree_scene_close(reference);
}

/* ---- fields ------------------------------------------------------------------------------------------ */

#define GRID                                                                                       \
    "fields { lower = {0, -0.02, 0}, upper = {0.15, 0.02, 0.05}, cells = {4, 2, 3}, width = "      \
    "0.03, "                                                                                       \
    "format = \"csv\"%s }\n"

static void read_text(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "rb");

    CHECK(file != NULL);
    size_t got = fread(text, 1, room - 1, file);
    CHECK(got > 100 && got < room - 1);
    text[got] = 0;
    fclose(file);
}

static void write_fields(scree_scene *scene, scree_world *world, char *text, size_t room)
{
    scree_error error = {SCREE_OK, ""};

    if (scree_scene_write_fields(scene, world, 0, "measures.csv", &error))
        FAIL("%s", error.text);
    read_text("measures.csv", text, room);
    remove("measures.csv");
}

/*  The mean that scree_world_add_fields gives, as a file. */
static void expect_fields(scree_world *world, const scree_scene_plan *plan, scree_field *sums,
                          double samples, char *text, size_t room)
{
    scree_field mean[24];
    scree_error error = {SCREE_OK, ""};

    for (size_t k = 0; k < sizeof mean / (sizeof(double)); k++)
        ((double *)mean)[k] = ((double *)sums)[k] / samples;
    if (scree_export_fields(&plan->fields[0].def, 3, scree_world_clock(world).time, mean, 24,
                            "expected.csv", &error))
        FAIL("%s", error.text);
    read_text("expected.csv", text, room);
    remove("expected.csv");
}

static void add_now(scree_world *world, const scree_scene_plan *plan, scree_field *sums)
{
    CHECK_EQUAL(scree_world_add_fields(world, &plan->fields[0].def, 1, sums, 24), SCREE_OK);
}

TEST(fields_are_means_of_samples)
{
    static char text[2][20000], wanted[20000], got[20000];
    scree_world *world, *plain_world;

    for (int k = 0; k < 2; k++) {
        char grid[400];
        snprintf(grid, sizeof grid, GRID, k ? ", sample_every_steps = 5" : "");
        snprintf(text[k], sizeof text[k], "%s%s%s", BOUNCING, grid, R);
    }
    scree_scene *plain = must_start(text[0], &plain_world), *scene = must_start(text[1], &world);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(plan->fields_count, 1);
    for (int file = 0; file < 2; file++) {
        scree_field sums[24] = {{0}};
        for (int k = 0; k < 3; k++) {
            must_step(scene, world, 5);
            must_step(plain, plain_world, 5);
            CHECK_EQUAL(scree_scene_sample_fields(scene, world, 0, &error), SCREE_OK);
            CHECK_EQUAL(scree_scene_sample_fields(plain, plain_world, 0, &error), SCREE_OK);
            add_now(world, plan, sums);
            if (k == 1) { /* half way on disk and back */
                size_t bytes = scree_scene_course_bytes(scene);
                void *course = malloc(bytes);
                CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
                scree_scene_restart_fields(scene, 0);
                CHECK_EQUAL(scree_scene_course_load(scene, course, bytes, &error), SCREE_OK);
                CHECK(scree_scene_course_load(plain, course, bytes, &error) == SCREE_BAD_FILE);
                free(course);
            }
        }
        expect_fields(world, plan, sums, 3, wanted, sizeof wanted);
        write_fields(scene, world, got, sizeof got);
        CHECK_TEXT(got, wanted);
        scree_scene_restart_fields(scene, 0);
        /* not sampled, or not since: what is now */
        memset(sums, 0, sizeof sums);
        add_now(world, plan, sums);
        expect_fields(world, plan, sums, 1, wanted, sizeof wanted);
        write_fields(scene, world, got, sizeof got);
        CHECK_TEXT(got, wanted);
        write_fields(plain, plain_world, got, sizeof got);
        CHECK_TEXT(got, wanted);
    }
    CHECK_EQUAL(scree_scene_sample_fields(scene, world, 1, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there are 1 fields, so 1 is not an index");
    CHECK_EQUAL(scree_scene_write_fields(scene, world, 0, "no/such/folder.csv", &error),
                SCREE_IO_ERROR);
    scree_scene_restart_fields(scene, 7);
    scree_world_destroy(world);
    scree_world_destroy(plain_world);
    scree_scene_close(scene);
    scree_scene_close(plain);
}

/*  Of a wall: the mean of what scree_world_add_wall_loads says, parts of a box together. */
TEST(walls_have_grids)
{
    static char wanted[20000], got[20000];
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_start(
        BOUNCING
        "v = wall { shape = box { lower = {-1, -1, 0.0015}, upper = {1, 1, 1} }, material = g }\n"
        "fields { wall = v, lower = {-1.1, -1.1, -0.1}, upper = {1.1, 1.1, 0.9}, cells = {4, 1, "
        "5}, "
        "format = \"csv\", sample_every_steps = 5 }" R,
        &world);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    scree_wall_load sums[20] = {{0}};
    scree_wall_id ids[7];
    double area = 0, push = 0;

    CHECK_EQUAL(scree_world_walls(world, ids, 7), 7);
    for (int k = 0; k < 3; k++) {
        must_step(scene, world, 5);
        CHECK_EQUAL(scree_scene_sample_fields(scene, world, 0, &error), SCREE_OK);
        for (int part = 1; part < 7; part++)
            CHECK_EQUAL(
                scree_world_add_wall_loads(world, ids[part], &plan->fields[0].def, 1, sums, 20),
                SCREE_OK);
    }
    for (size_t k = 0; k < 20 * sizeof *sums / sizeof(double); k++)
        ((double *)(void *)sums)[k] /= 3;
    for (int k = 0; k < 20; k++) {
        area += sums[k].area;
        push += sums[k].push;
    }
    /* planes go on beyond the box: floor, and four sides to the boundary of the grid */
    CHECK_NEAR(area, 2.2 * 2.2 + 4 * 2.2 * 1, 1e-12);
    CHECK(push > 0);
    CHECK_EQUAL(scree_export_wall_loads(&plan->fields[0].def, 3, scree_world_clock(world).time,
                                        sums, 20, "expected.csv", &error),
                SCREE_OK);
    read_text("expected.csv", wanted, sizeof wanted);
    remove("expected.csv");
    write_fields(scene, world, got, sizeof got);
    CHECK_TEXT(got, wanted);
    CHECK_SAYS(got, "x,y,z,area,pressure,shear_x,shear_y,shear_z,push,contacts\n");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_has_no_mean_is_refused)
{
    static const struct
    {
        const char *text, *says;
    } broken[] = {
        {"measure { mean = true }", "metrics { sample_every = } is missing"},
        {"measure { region = plane { }, mean = true } metrics { every = 1, sample_every = 1 }",
         "flow through a plane is counted"},
        {"metrics { sample_every = 1 }", "`every`, in s, or `every_steps` is missing"},
        {"metrics { every = 1, sample_every = 1, sample_every_steps = 2 }", "give one of them"},
        {"metrics { every = 1, sample_every = 0 }", "sample_every: is 0"},
        {"metrics { every = 1, sample_every = 0.5 }\nmeasure { }",
         "scene.lua:2: metrics: sample_every: is for measures with `mean = true`, but there is "
         "none"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 1, 1}, width = 1, "
         "sample_every = 1 }\nmetrics { every_steps = 4, sample_every_steps = 2 }",
         "scene.lua:3: metrics: sample_every_steps: is for measures"},
        {"fields { }", "`lower` is missing"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, -1}, cells = {1, 1, 1}, width = 1 }",
         "upper: is below lower along z"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 0, 1}, width = 1 }",
         "cells: item 2 is 0"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1000, 1000, 1000}, width = 1 }",
         "cells: are 1e+09 together"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1}, width = 1 }", "cells: has 1"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 1, 1}, width = 0 }",
         "width: is 0"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 1, 1}, width = 1, every = 1, "
         "every_steps = 1 }",
         "give one of them"},
        {"domain { dimensions = 2 } fields { lower = {0, 0}, upper = {1, 1}, cells = {1, 1, 2}, "
         "width "
         "= 1 }",
         "in two dimensions there is one along z"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 1, 1} }",
         "or `wall` is missing"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 1}, cells = {1, 1, 1}, width = 1, wall = wall "
         "{ "
         "shape = plane { }, material = g } }",
         "a wall has no `width`"},
        {"fields { lower = {0, 0, 0}, upper = {1, 1, 0}, cells = {1, 1, 1}, wall = wall { shape = "
         "plane { }, material = g } }",
         "scene.lua:2: fields: upper: is 0 along z, as is lower; cells of a wall must have a "
         "length"},
        {"fields { lower = {0, 3, 0}, upper = {1, 3, 1}, cells = {1, 2, 1}, width = 1 }",
         "scene.lua:2: fields: upper: is 3 along y, as is lower; several cells must have a length"},
        {"measure { wall = wall { shape = plane { }, material = g }, what = \"side_force\" }",
         "\"side_force\" is not available for a wall like this"},
        {"measure { region = sphere { centre = {0, 0, 0}, radius = 1e-120 }, what = \"porosity\" }",
         "scene.lua:2: measure: region: its volume is 0"},
        {"measure { region = sphere { centre = {0, 0, 0}, radius = 1e120 }, what = "
         "\"solid_fraction\" }",
         "scene.lua:2: measure: region: its volume is inf"},
        {"output { write = \"csv\", every = 1, fields = {\"mass\", \"temperature\"} }",
         "scene.lua:2: output: fields: \"temperature\" needs heat; heat { } is missing"},
    };

    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        char text[1000];
        scree_error error = {SCREE_OK, ""};
        snprintf(text, sizeof text, "g = material { density = 2500, young = 1e6 }\n%s%s",
                 broken[k].text, R);
        CHECK(!open_scene_with(text, NULL, 0, &error));
        CHECK_SAYS(error.text, broken[k].says);
    }
}

/*  A sample that finds no memory is not there; the next one is. */
TEST(no_request_for_memory_may_fail_badly)
{
    char text[3000], grid[400];

    snprintf(grid, sizeof grid, GRID, ", sample_every_steps = 5");
    snprintf(text, sizeof text,
             "%s%smeasure { what = {\"speed\", \"coordination\"}, mean = true }\n"
             "metrics { every_steps = 9, sample_every_steps = 1 }%s",
             BOUNCING, grid, R);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene;
        scree_world *world;
        def.text = text;

        def.allocator = failing_allocator_hooks(&memory);
        CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_OK);
        CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
        CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_OK);
        must_step(scene, world, 5);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status first = scree_scene_sample(scene, world, &error);
        scree_status second = scree_scene_sample_fields(scene, world, 0, &error);
        scree_status third = scree_scene_write_fields(scene, world, 0, "measures.csv", &error);
        bool done = memory.requests < k;
        memory.fail_at = 0;
        remove("measures.csv");
        scree_status statuses[] = {first, second, third};
        for (int n = 0; n < 3; n++)
            CHECK(statuses[n] == SCREE_OK || statuses[n] == SCREE_OUT_OF_MEMORY);
        CHECK(done == (!first && !second && !third));
        double now = column(scene, world, "measure1.speed");
        sample(scene, world);
        CHECK_NEAR(column(scene, world, "measure1.speed"), now, 1e-15);
        scree_world_destroy(world);
        scree_scene_close(scene);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

/*  A wall of several parts is sampled as a whole or not at all. */
TEST(a_sample_of_a_wall_is_whole)
{
    static const char text[] = BOUNCING
        "v = wall { shape = box { lower = {-1, -1, 0.0015}, upper = {1, 1, 1} }, material = g }\n"
        "fields { wall = v, lower = {-1.1, -1.1, -0.1}, upper = {1.1, 1.1, 0.9}, cells = {4, 1, "
        "5}, format = \"csv\", sample_every_steps = 5 }" R;
    static char wanted[20000], got[20000];
    size_t failed = 0;
    bool fails = true;

    for (size_t k = 0; fails || k < 2; k++) {
        failing_allocator memory = {0};
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_world_def hooks = scree_default_world_def();
        scree_scene *scene;
        scree_world *world;
        def.text = text;
        def.allocator = hooks.hooks.allocator = failing_allocator_hooks(&memory);
        CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_OK);
        CHECK_EQUAL(scree_scene_build(scene, &hooks, &world, &error), SCREE_OK);
        CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_OK);
        must_step(scene, world, 5);
        memory.fail_at = k ? memory.requests + k : 0;
        scree_status status = scree_scene_sample_fields(scene, world, 0, &error);
        memory.fail_at = 0;
        fails = memory.failures > 0;
        failed += fails;
        CHECK_EQUAL(status, fails ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (fails)
            CHECK_EQUAL(scree_scene_sample_fields(scene, world, 0, &error), SCREE_OK);
        write_fields(scene, world, k ? got : wanted, sizeof got);
        if (k)
            CHECK_TEXT(got, wanted);
        scree_world_destroy(world);
        scree_scene_close(scene);
        CHECK(failing_allocator_is_clean(&memory));
    }
    printf("%zu requests failed\n", failed);
    CHECK(failed > 2);
}

/*  What cannot be measured is told with its line. */
TEST(a_measurement_that_fails_has_a_line)
{
    scree_world *world;
    scree_scene *scene =
        must_start("domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = {\"periodic\", "
                   "\"none\", \"none\"} }\n"
                   "measure { region = sphere { centre = {1e20, 0, 0}, radius = 0.1 }, what = "
                   "\"porosity\" }" R,
                   &world);
    scree_error error = {SCREE_OK, ""};
    double value;

    CHECK_EQUAL(scree_scene_measure(scene, world, &value, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "scene.lua:2: measure: solid volume: centre[0] is 1e+20");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- heat --------------------------------------------------------------------------------------------- */

#define HOT                                                                                        \
    "heat { temperature = 300 }\ng = material { density = 2500, young = 1e6, conductivity = 2, "   \
    "heat_capacity = 500 }\n"                                                                      \
    "h = material { density = 5000, young = 1e6, conductivity = 2, heat_capacity = 750 }\n"

TEST(heat_is_measured_and_exported)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HOT "p = wall { shape = plane { }, material = g, temperature = 400 }\n"
            "q = wall { shape = plane { point = {0, 0, 9}, normal = {0, 0, -1} }, material = g }\n"
            "body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.0098}, "
            "temperature = 310, holds_temperature = true }\n"
            "body { shape = sphere { radius = 0.01 }, material = h, position = {1, 0, 1}, "
            "temperature = 350 }\n"
            "body { shape = clump { pebbles = { {0, 0, 0, 0.01}, {0.005, 0, 0, 0.01} } }, material "
            "= g, position = {2, 0, 1}, temperature = 321.5 }\n"
            "measure { name = \"two\", region = box { lower = {-1, -1, 0}, upper = {1.5, 1, 2} }, "
            "what = \"body_temperature\" }\n"
            "measure { name = \"none\", region = sphere { centre = {5, 5, 5}, radius = 1 }, what = "
            "\"body_temperature\" }\n"
            "measure { name = \"p\", wall = p, what = {\"heat_flow\", \"heat\"} }\n"
            "measure { name = \"q\", wall = q, what = {\"heat_flow\"} }\nsolver { dt = 1e-5 }" R,
        &world);
    scree_wall_id ids[2];
    scree_wall_heat heat;
    scree_error error = {SCREE_OK, ""};
    FILE *file;
    char text[6000] = "";

    /* capacities are as 2500 500 to 5000 750: one to three */
    CHECK_NEAR(column(scene, world, "two.body_temperature"), (310 + 3 * 350.0) / 4, 1e-10);
    CHECK(column(scene, world, "none.body_temperature") == 0);
    must_step(scene, world, 3);
    scree_world_walls(world, ids, 2);
    CHECK_EQUAL(scree_world_get_wall_heat(world, ids[0], &heat), SCREE_OK);
    CHECK(heat.flow > 0 && heat.given > 0);
    CHECK(column(scene, world, "p.heat_flow") == heat.flow);
    CHECK(column(scene, world, "p.heat") == heat.given);
    CHECK(column(scene, world, "q.heat_flow") == 0);

    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_VTP_PEBBLES, "measures.vtp", NULL, &error),
                SCREE_OK);
    file = fopen("measures.vtp", "rb");
    CHECK(file != NULL);
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    remove("measures.vtp");
    CHECK_SAYS(text, "Name=\"temperature\"");
    const double clump = 321.5; /* two rows side by side, as they are in memory */
    const double rows[2] = {clump, clump};
    size_t found = 0;
    for (size_t k = 0; k + sizeof rows <= got; k++)
        found += memcmp(text + k, rows, sizeof rows) == 0;
    CHECK_EQUAL(found, 1);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(heat_that_is_not_there_is_refused)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    const char *field = "temperature";
    scree_export_def options = scree_default_export_def();

    CHECK(!open_scene_with(H "measure { what = \"body_temperature\" }" R, NULL, 0, &error));
    CHECK_SAYS(error.text, "scene.lua:4: measure: what: needs heat; heat { } is missing");
    CHECK(!open_scene_with(HOT "measure { what = \"heat\" }" R, NULL, 0, &error));
    CHECK_SAYS(error.text, "what: \"heat\" is not available for a region");
    scree_scene *scene =
        must_start(H "body { shape = s, material = g, position = {0, 0, 0} }" R, &world);
    options.fields = &field;
    options.field_count = 1;
    static const scree_export_format formats[] = {SCREE_EXPORT_VTP_PEBBLES, SCREE_EXPORT_VTP_SOLIDS,
                                                  SCREE_EXPORT_CSV};
    for (int k = 0; k < 3; k++) {
        CHECK_EQUAL(scree_export(world, formats[k], "measures.vtp", &options, &error),
                    SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, "field \"temperature\": the world has no heat");
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    NEEDS_SCENES("test_scene_measures");
    static const test_case tests[] = {
        CASE(spheres_are_filled_exactly),
        CASE(porosity_is_of_spheres),
        CASE(sides_of_a_box_have_forces_of_their_own),
        CASE(columns_carry_names_of_walls),
        CASE(open_sides_have_no_columns),
        CASE(means_are_of_samples),
        CASE(fields_are_means_of_samples),
        CASE(walls_have_grids),
        CASE(what_has_no_mean_is_refused),
        CASE(no_request_for_memory_may_fail_badly),
        CASE(a_sample_of_a_wall_is_whole),
        CASE(a_measurement_that_fails_has_a_line),
        CASE(heat_is_measured_and_exported),
        CASE(heat_that_is_not_there_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
