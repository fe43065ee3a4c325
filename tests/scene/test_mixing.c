/*  How mixed two kinds are, and what passes a part of a plane. */
#include "harness/failing_allocator.h"
#include "scene_maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TWO                                                                                        \
    "a = material { density = 2500, young = 1e6 }\nb = material { density = 2500, young = 1e6 }\n"
#define R "\nsolver { dt = 1e-6 }\nrun { time = 1 }"

/* ---- mixing ------------------------------------------------------------------------------------------- */

/*  Bodies on a lattice in the box from 0 to 4, whose kind is what `kind` says of x, y, z and a number. */
static void measure_lattice(const char *kind, const char *cells, double *segregation,
                            double *mixing)
{
    char text[2000];
    scree_world *world;

    snprintf(text, sizeof text,
             TWO
             "local n = 0\nfor x = 0, 3 do for y = 0, 3 do for z = 0, 3 do n = n + 1\n"
             "body { shape = sphere { radius = (%s) and 0.2 or 0.1 }, material = (%s) and a or b, "
             "position = {x + 0.5, y + 0.5, z + 0.5} } end end end\n"
             "body { shape = sphere { radius = 0.2 }, material = a, position = {9, 9, 9} }\n"
             "m = measure { name = \"m\", region = box { lower = {0, 0, 0}, upper = {4, 4, 4} }, "
             "what = {\"segregation\", \"mixing\"}, cells = %s, material = a }\n"
             "measure { name = \"r\", region = box { lower = {0, 0, 0}, upper = {4, 4, 4} }, "
             "what = {\"mixing\"}, cells = %s, above = 0.15 }" R,
             kind, kind, cells, cells);
    scree_scene *scene = must_start(text, &world);
    *segregation = column(scene, world, "m.segregation");
    *mixing = column(scene, world, "m.mixing");
    CHECK(column(scene, world, "r.mixing") == *mixing);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(segregated_is_one_and_even_is_none)
{
    double segregation, mixing;

    measure_lattice("x < 2", "{2, 1, 1}", &segregation, &mixing);
    CHECK(segregation == 1 && mixing == 0);
    measure_lattice("x < 2", "{4, 4, 4}", &segregation, &mixing); /* one body a cell says nothing */
    CHECK(segregation == 0 && mixing == 0);
    /* halves across the cells: each has as many; less than chance would leave */
    measure_lattice("x < 2", "{1, 4, 4}", &segregation, &mixing);
    CHECK_NEAR(segregation, 0, 1e-15);
    CHECK_NEAR(mixing, 1 / (1 - 15.0 / 63), 1e-12);
    /* a quarter of the first kind, all in two of eight cells */
    measure_lattice("y == 0", "{1, 8, 1}", &segregation, &mixing);
    CHECK_NEAR(segregation, 1, 1e-12);
    /* cells with 1/2 and 0: S^2 is 1/16 of p (1 - p) = 3/16 */
    measure_lattice("x < 2 and y % 2 == 0", "{2, 1, 1}", &segregation, &mixing);
    CHECK_NEAR(segregation, 1.0 / 3, 1e-12);
    CHECK_NEAR(mixing, (1 - 1.0 / 3) / (1 - 1.0 / 63), 1e-12);
    /* one kind */
    measure_lattice("true", "{2, 2, 2}", &segregation, &mixing);
    CHECK(segregation == 0 && mixing == 0);
}

/*  The mean over kinds that are dealt by chance is 1, however few are in a cell. */
TEST(chance_mixes_to_one)
{
    double sum = 0, square = 0, segregation, mixing;
    const int trials = 300;

    for (int k = 0; k < trials; k++) {
        char kind[200];
        /* the numbers below a random threshold of a shuffle: 24 of 64, by a multiplier that is odd */
        snprintf(kind, sizeof kind, "((n * %d + %d) %% 2003) * %d %% 1009 < 380", 2 * k + 37,
                 31 * k, k + 5);
        measure_lattice(kind, "{2, 3, 2}", &segregation, &mixing);
        sum += mixing;
        square += mixing * mixing;
    }
    double mean = sum / trials, spread = sqrt((square / trials - mean * mean) / trials);
    CHECK(spread > 1e-4 && spread < 0.02);
    CHECK_NEAR(mean, 1, 4 * spread);
}

/* ---- parts of planes ---------------------------------------------------------------------------------- */

TEST(only_what_passes_within_counts)
{
    scree_world *world;
    scree_scene *scene = must_start(
        TWO
        "body { shape = sphere { radius = 0.01 }, material = a, position = {0, 0, 0.05}, velocity "
        "= "
        "{0, 0, -10} }\n"
        "body { shape = sphere { radius = 0.01 }, material = a, position = {0.5, 0, 0.05}, "
        "velocity "
        "= {0, 0, -10} }\n"
        /* slanted: it is within after it has passed, but was not when it did */
        "body { shape = sphere { radius = 0.01 }, material = a, position = {0.16, 0, 0.05}, "
        "velocity "
        "= {-10, 0, -10} }\n"
        /* and back up through the hole */
        "body { shape = sphere { radius = 0.01 }, material = a, position = {0.02, 0.05, -0.05}, "
        "velocity = {0, 0, 10}, mass = 7 }\n"
        "measure { name = \"all\", region = plane { point = {0, 0, 0}, normal = {0, 0, -2} } }\n"
        "measure { name = \"hole\", region = plane { point = {0, 0, 0}, normal = {0, 0, -1} }, "
        "within "
        "= cylinder { from = {0, 0, -1}, to = {0, 0, 1}, radius = 0.104 } }\n"
        "measure { name = \"slot\", region = plane { point = {0, 0, 0}, normal = {0, 0, -1} }, "
        "within "
        "= box { lower = {0.105, -0.1, -0.1}, upper = {0.12, 0.1, 0.1} } }\n"
        "solver { dt = 1e-4, act_every = 20 }\nrun { time = 1 }",
        &world);

    must_step(scene, world, 121);
    CHECK_EQUAL(column(scene, world, "all.flow"), 3 - 1);
    CHECK_EQUAL(column(scene, world, "hole.flow"), 1 - 1);
    CHECK_EQUAL(column(scene, world, "slot.flow"), 1);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(nonsense_is_refused)
{
    static const struct
    {
        const char *text, *says;
    } broken[] = {
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = \"mixing\", "
         "material = a }",
         "`cells` is missing"},
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = \"mixing\", "
         "cells "
         "= {2, 2, 2} }",
         "`material` or `above`, a radius, is missing"},
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = \"mixing\", "
         "cells "
         "= {2, 2, 2}, material = a, above = 1 }",
         "has `material` and `above`"},
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, cells = {2, 2, 2} }",
         "are for \"segregation\" and \"mixing\""},
        {"measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = \"mixing\", "
         "cells "
         "= {2000, 2000, 1}, material = a }",
         "cells: are 4e+06 together"},
        {"measure { region = sphere { centre = {0, 0, 0}, radius = 1 }, what = \"mixing\", cells = "
         "{2, 2, 2}, material = a }",
         "what: \"mixing\" is not available for a region"},
        {"domain { dimensions = 2 } measure { region = box { lower = {0, 0}, upper = {1, 1} }, "
         "what = "
         "\"mixing\", cells = {2, 2, 2}, material = a }",
         "in two dimensions there is one along z"},
        {"measure { within = box { lower = {0, 0, 0}, upper = {1, 1, 1} } }",
         "within: is the part"},
        {"measure { region = plane { }, within = plane { } }", "within: is the part"},
    };

    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        char text[1000];
        scree_error error = {SCREE_OK, ""};
        snprintf(text, sizeof text, "%s%s%s", TWO, broken[k].text, R);
        CHECK(!open_scene_with(text, NULL, 0, &error));
        CHECK_SAYS(error.text, broken[k].says);
    }
}

TEST(no_request_for_memory_may_fail_badly)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene;
        scree_world *world;
        double values[8];
        def.text =
            TWO "body { shape = sphere { radius = 0.1 }, material = a, position = {0, 0, 0} }\n"
                "measure { region = box { lower = {-1, -1, -1}, upper = {1, 1, 1} }, what = "
                "\"mixing\", cells = {2, 2, 2}, material = a }" R;
        def.allocator = failing_allocator_hooks(&memory);
        CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_OK);
        CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
        CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_OK);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_scene_measure(scene, world, values, &error);
        bool done = memory.requests < k;
        memory.fail_at = 0;
        CHECK(done ? status == SCREE_OK : status == SCREE_OUT_OF_MEMORY);
        scree_world_destroy(world);
        scree_scene_close(scene);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

int main(int argc, char **argv)
{
    NEEDS_SCENES("test_scene_mixing");
    static const test_case tests[] = {
        CASE(segregated_is_one_and_even_is_none),   CASE(chance_mixes_to_one),
        CASE(only_what_passes_within_counts),       CASE(nonsense_is_refused),
        CASE(no_request_for_memory_may_fail_badly),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
