/*  What a trial says of a run, compared with that run: how many steps, how many bodies, how long. What it says of
    seconds is measured elsewhere (docs/results/check.md): here they only decide how it goes about it. */
#include "scene_maker.h"
#include "trial.h"

#include <math.h>

static scree_scene *open_example(const char *name, const char *setting)
{
    const char *settings[] = {setting};
    scree_error error;

    for (size_t k = 0; scree_scene_example_at(k); k++)
        if (strcmp(scree_scene_example_at(k)->name, name) == 0) {
            scree_scene *scene =
                open_scene_with(scree_scene_example_at(k)->text, settings, 1, &error);
            if (!scene)
                FAIL("%s", error.text);
            return scene;
        }
    FAIL("there is no example %s", name);
    return NULL;
}

static scree_scene_trial try_scene(scree_scene *scene, double seconds)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_trial trial;
    scree_world *world;

    if (scree_scene_build_trial(scene, NULL, &world, &error))
        FAIL("%s", error.text);
    scree_scene_try(scene, world, 1, seconds, &trial);
    CHECK_TEXT(trial.stopped, "");
    scree_world_destroy(world);
    return trial;
}

typedef struct real_run
{
    double steps, body_steps, max_bodies;
} real_run;

static real_run run_scene(scree_scene *scene)
{
    scree_error error = {SCREE_OK, ""};
    double end = scree_scene_plan_of(scene)->end_time;
    real_run run = {0, 0, 0};
    scree_world *world;

    if (scree_scene_build(scene, NULL, &world, &error) || scree_scene_start(scene, world, &error))
        FAIL("%s", error.text);
    while (scree_world_clock(world).time < end) {
        if (scree_scene_step(scene, world, 1, &error))
            FAIL("%s", error.text);
        double bodies = (double)scree_world_body_count(world);
        run.steps++;
        run.body_steps += bodies;
        run.max_bodies = fmax(run.max_bodies, bodies);
    }
    scree_world_destroy(world);
    return run;
}

static void must_foretell(const scree_scene_trial *trial, const real_run *run, double share)
{
    if (fabs(trial->run_steps - run->steps) > share * run->steps ||
        fabs(trial->body_steps - run->body_steps) > share * run->body_steps)
        FAIL("%g steps and %g of bodies foretold, %g and %g made", trial->run_steps,
             trial->body_steps, run->steps, run->body_steps);
    CHECK_NEAR(trial->max_bodies / run->max_bodies, 1, 0.1);
}

/*  With time enough, as it is; with a part of that, by longer steps in between. */
static void hold_against_run(const char *name, const char *setting)
{
    scree_scene *scene = open_example(name, setting);
    real_run run = run_scene(scene);
    scree_scene_trial whole = try_scene(scene, 600);

    CHECK(whole.long_steps == 0 && whole.reached > 0.999 && whole.run_seconds > 0);
    must_foretell(&whole, &run, 0.15);
    scree_scene_trial part = {0};
    /* how far it comes in so many seconds depends on what else the processor does */
    for (int k = 0; k < 6 && part.reached <= 0.55; k++)
        part = try_scene(scene, (0.6 + 0.08 * k) * whole.seconds);
    if (!(part.long_steps > 0 && part.steps < whole.steps && part.reached > 0.5))
        FAIL("%g long steps of %g, %g for the whole, reached %g", (double)part.long_steps,
             (double)part.steps, (double)whole.steps, part.reached);
    must_foretell(&part, &run, 0.3);
    scree_scene_close(scene);
}

TEST(grains_that_settle)
{
    hold_against_run("settling", "count=60");
}

TEST(discs_on_a_shelf)
{
    hold_against_run("discs", "count=40");
}

TEST(grains_that_are_poured_and_lost)
{
    hold_against_run("conveyor", "grains=50");
}

/*  Of a pour that is hardly seen, what it will bring is known. */
TEST(what_is_not_reached)
{
    scree_scene *scene = must_open(
        SCENE_TEXT_HEAD "solver { dt = 1e-5 }\n"
                        "pour { rate = 500, count = 300, region = b, shape = s, material = g }\n"
                        "run { time = 1 }");
    scree_scene_trial trial = try_scene(scene, 1e-6);

    CHECK(trial.reached < 0.1);
    CHECK_NEAR(trial.run_steps, 1e5, 10);
    CHECK_NEAR(trial.max_bodies, 300, 1);
    /* 300 come evenly in 0.6 s, and stay for 0.4 s */
    CHECK_NEAR(trial.body_steps, 1e5 * (0.6 * 150 + 0.4 * 300), 0.02 * 1e5 * 210);
    scree_scene_close(scene);
}

TEST(steps_that_are_given)
{
    static const char *const scenes[] = {
        "solver { dt = 1e-5 }\nrun { time = 0.01 }",
        "solver { dt = 1e-5 }\nrun { steps = 1000 }",
        "solver { time = \"mass-scaling\", dt = 1e-4 }\nrun { steps = 1000 }",
    };
    char text[600];

    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
        for (int is_short = 0; is_short < 2; is_short++) {
            snprintf(text, sizeof text,
                     "%sgravity { 0, 0, -10 }\nfill { count = 50, region = b, "
                     "shape = s, material = g }\nwall { shape = b, material = g }\n%s",
                     SCENE_TEXT_HEAD, scenes[k]);
            scree_scene *scene = must_open(text);
            scree_scene_trial trial = try_scene(scene, is_short ? 1e-6 : 60);
            CHECK_NEAR(trial.run_steps, 1000, 2);
            CHECK_NEAR(trial.run_time, k == 2 ? 0.1 : 0.01, 1e-3 * trial.run_time);
            CHECK_NEAR(trial.body_steps, 5e4, 100);
            CHECK(k != 2 || trial.long_steps == 0);
            CHECK(is_short ? trial.reached < 0.5 : trial.reached > 0.999);
            scree_scene_close(scene);
        }
}

TEST(the_shortest_runs)
{
    scree_scene *scene =
        must_open(SCENE_TEXT_HEAD
                  "body { shape = s, material = g, position = {0, 0, 0} }\nrun { steps = 1 }");
    scree_scene_trial trial = try_scene(scene, 1);

    CHECK(trial.run_steps == 1 && trial.steps == 1 && trial.reached == 1 && trial.body_steps == 1);
    scree_scene_close(scene);
    scene =
        must_open(SCENE_TEXT_HEAD
                  "body { shape = s, material = g, position = {0, 0, 0} }\nsolver { dt = 0.1 }\n"
                  "run { time = 0.05 }");
    trial = try_scene(scene, 1);
    CHECK(trial.run_steps == 1 && trial.max_bodies == 1);
    /* nothing is tried */
    trial = try_scene(scene, 0);
    CHECK(trial.run_steps == 0 && trial.steps == 0);
    scree_scene_close(scene);
}

/*  What the run would refuse at its beginning is said; a fill without room leaves no world. */
TEST(what_stops_it)
{
    scree_scene *scene =
        must_open(SCENE_TEXT_HEAD
                  "body { shape = s, material = g, position = {0, 0, 0} }\n"
                  "body { shape = s, material = g, position = {0, 0, 0.001} }\nrun { steps = 9 }");
    scree_error error = {SCREE_OK, ""};
    scree_scene_trial trial;
    scree_world *world;

    CHECK_EQUAL(scree_scene_build_trial(scene, NULL, &world, &error), SCREE_OK);
    scree_scene_try(scene, world, 1, 1, &trial);
    CHECK_SAYS(trial.stopped, "overlap");
    scree_world_destroy(world);
    scree_scene_close(scene);
    scene = must_open(SCENE_TEXT_HEAD "fill { count = 100, region = box { lower = {0, 0, 0}, upper "
                                      "= {0.05, 0.05, 0.05} }, shape = s, material = g }\n"
                                      "run { steps = 9 }");
    CHECK_EQUAL(scree_scene_build_trial(scene, NULL, &world, &error), SCREE_TOO_LARGE);
    CHECK(!world);
    CHECK_SAYS(error.text, "no room");
    scree_scene_close(scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(grains_that_settle),
        CASE(discs_on_a_shelf),
        CASE(grains_that_are_poured_and_lost),
        CASE(what_is_not_reached),
        CASE(steps_that_are_given),
        CASE(the_shortest_runs),
        CASE(what_stops_it),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
