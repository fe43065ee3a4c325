/*  Rest in scenes: the world is told, and what cannot be is refused with its line. */
#include "scene_maker.h"
#include "scree/sleep.h"

#define R "\nrun { time = 1 }"
#define HEAP                                                                                       \
    "gravity { 0, 0, -9.81 }\n"                                                                    \
    "g = material { density = 2500, young = 1e6, restitution = 0.2 }\n"                            \
    "wall { shape = plane { }, material = g }\n"                                                   \
    "bodies { list = { {0, 0, 0.0101, 0.01}, {0.03, 0, 0.0101, 0.01} }, material = g }\n"          \
    "solver { dt = 1e-4 }\n"

TEST(bodies_of_scenes_rest)
{
    scree_world *world, *all;
    scree_scene *scene =
        must_start(HEAP "sleep { speed = 2e-3, acceleration = 0.5, steps = 40 }" R, &world);
    scree_scene *other = must_start(
        HEAP "sleep { speed = 2e-3, acceleration = 0.5, steps = 40, compute_all = true }" R, &all);
    const scree_sleep_def *def = &scree_scene_plan_of(other)->rest;

    CHECK(def->speed == 2e-3 && def->acceleration == 0.5 && def->steps == 40 && def->computes_all);
    must_step(scene, world, 3000);
    must_step(other, all, 3000);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 2);
    CHECK_EQUAL(scree_world_digest(world), scree_world_digest(all));
    scree_world_destroy(world);
    scree_world_destroy(all);
    scree_scene_close(scene);
    scree_scene_close(other);
}

TEST(speeds_are_in_the_scene_s_units)
{
    scree_scene *scene = must_open("units { length = \"mm\", time = \"ms\" }\n"
                                   "sleep { speed = 2, acceleration = 3 }" R);

    CHECK_NEAR(scree_scene_plan_of(scene)->rest.speed, 2, 1e-12);
    CHECK_NEAR(scree_scene_plan_of(scene)->rest.acceleration, 3000, 1e-9);
    scree_scene_close(scene);
}

TEST(what_cannot_be_is_refused)
{
    static const struct
    {
        const char *text, *why;
    } cases[] = {
        {"sleep { }" R, "speed"},
        {"sleep { speed = 0 }" R, "speed"},
        {"sleep { speed = 1, steps = 0 }" R, "steps"},
        {"sleep { speed = 1 }\nsleep { speed = 1 }" R, "once"},
    };
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK(!open_scene_with(cases[k].text, NULL, 0, &error));
        CHECK_SAYS(error.text, cases[k].why);
    }
    scree_scene *scene = must_open(HEAP "sleep { speed = 1 }\n" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_close(scene);
    scene = must_open("solver { integrator = \"implicit\", dt = 1e-4 }\nsleep { speed = 1 }\n" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "scene.lua:2: sleep: sleep def: bodies can sleep in explicit steps");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_of_scenes_rest),
        CASE(speeds_are_in_the_scene_s_units),
        CASE(what_cannot_be_is_refused),
    };
    NEEDS_SCENES("test_scene_rest");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
