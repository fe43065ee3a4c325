/*  Stages: each begins where the one before it ends, what it changes is changed, and a run that is cut anywhere continues
    bit-identically. */
#include "harness/failing_allocator.h"
#include "scene_maker.h"
#include "scree/bond.h"
#include "scree/wall.h"

#include <math.h>
#include <stdlib.h>

#define H SCENE_TEXT_HEAD

/*  Grains are poured, more are put in, a lid comes down on them, some are taken and others held, and the floor goes. */
static const char acts[] = H
    "domain { lower = {-1, -1, -1}, upper = {1, 1, 2}, boundary = \"destroy\" }\n"
    "gravity { 0, 0, -10 }\n"
    "solver { dt = 1e-4, damping = 5 }\n"
    "floor = wall { shape = plane { }, material = g, name = \"floor\" }\n"
    "lid = wall { shape = plane { point = {0, 0, 0.5}, normal = {0, 0, -1} }, material = g }\n"
    "p = pour { count = 20, rate = 400, shape = s, material = g, region = box { lower = {0, 0, "
    "0.1}, upper = {0.2, 0.2, 0.3} } }\n"
    "f = fill { count = 10, shape = s, material = g, region = box { lower = {0, 0, 0.35}, upper "
    "= {0.2, 0.2, 0.45} } }\n"
    "measure { name = \"floor\", wall = floor }\n"
    "stage { name = \"pour\", add = p, ends = after(0.0605) }\n"
    "stage { name = \"more\", add = {f, lid}, ends = after { steps = 333 } }\n"
    "stage { name = \"press\", change = drive { wall = lid, motion = move { velocity = {0, 0, "
    "-0.5} } }, gravity = {0, 0, -5}, ends = wall_moved { wall = lid, axis = {0, 0, -1}, above = "
    "0.02 }, at_most = 1 }\n"
    "stage { name = \"thin\", remove = {box { lower = {0, 0, 0}, upper = {0.2, 0.05, 1} }},\n"
    "        change = {set_friction { material = g, to = 0.125 }, hold { region = box { lower = "
    "{0, "
    "0, 0}, upper = {0.2, 0.1, 1} } }},\n"
    "        damping = 1, dt = 5e-5, ends = all { after(0.02), count { above = 1 } }, at_most = 1 "
    "}\n"
    "stage { name = \"fall\", remove = {lid, floor}, change = release { }, check_every = 7, ends = "
    "count { region = box { lower = {-1, -1, -0.1}, upper = {1, 1, 2} }, below = 5, during = "
    "0.001 }, at_most = 3 }\n";

static scree_scene_stage_report report(const scree_scene *scene, uint32_t stage)
{
    return scree_scene_report_stage(scene, stage);
}

/*  Until no step follows. */
static uint64_t run_out(scree_scene *scene, scree_world *world, uint64_t portion)
{
    while (!scree_scene_is_over(scene) && scree_world_clock(world).steps < 200000)
        must_step(scene, world, portion);
    return scree_world_digest(world);
}

TEST(each_begins_where_the_one_before_it_ends)
{
    scree_world *world;
    scree_scene *scene = must_start(acts, &world);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    CHECK_EQUAL(plan->stage_count, 5);
    CHECK_EQUAL(scree_scene_stage_number(scene), 1);
    CHECK(plan->ends_by_stages && fabs(plan->end_time - (0.0605 + 0.0333 + 5)) < 1e-12);
    run_out(scene, world, 1000);
    CHECK_EQUAL(scree_scene_stage_number(scene), 5);
    for (uint32_t k = 1; k <= 5; k++) {
        CHECK(report(scene, k).has_ended && !report(scene, k).is_by_limit);
        if (k > 1)
            CHECK(report(scene, k).began_step == report(scene, k - 1).ended_step &&
                  report(scene, k).began_time == report(scene, k - 1).ended_time);
    }
    /* times and steps exactly, the others at multiples of check_every */
    CHECK_EQUAL(report(scene, 1).ended_step, 605);
    CHECK_EQUAL(report(scene, 2).ended_step, 605 + 333);
    CHECK_EQUAL(report(scene, 3).ended_step % 50, 0);
    CHECK(report(scene, 3).value > 0.02 && report(scene, 3).value < 0.02 + 0.5 * 51e-4);
    CHECK_SAYS(report(scene, 3).condition, "way of the wall 0.02");
    CHECK_EQUAL(report(scene, 5).ended_step % 7, 0);
    CHECK(report(scene, 5).value < 5);
    /* no step follows */
    uint64_t digest = scree_world_digest(world);
    must_step(scene, world, 100);
    CHECK(scree_world_digest(world) == digest);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

static void step_to_stage(scree_scene *scene, scree_world *world, uint32_t stage)
{
    while (scree_scene_stage_number(scene) < stage)
        must_step(scene, world, 1);
}

TEST(what_a_stage_changes_is_changed)
{
    scree_world *world;
    scree_scene *scene = must_start(acts, &world);
    double gravity[3], damping, dt;

    CHECK_EQUAL(scree_world_walls(world, NULL, 0), 1);
    CHECK_EQUAL(scree_world_body_count(world), 0);
    step_to_stage(scene, world, 2);
    CHECK_EQUAL(scree_world_walls(world, NULL, 0), 2);
    CHECK_EQUAL(scree_world_body_count(world), 30);
    step_to_stage(scene, world, 3);
    scree_world_get_gravity(world, gravity);
    CHECK(gravity[2] == -5);
    step_to_stage(scene, world, 4);
    scree_world_get_damping(world, &damping, NULL);
    scree_world_get_dt(world, NULL, &dt);
    CHECK(damping == 1 && dt == 5e-5);
    CHECK(scree_world_get_friction(world, (scree_material_id){1}) == 0.125);
    CHECK(scree_scene_count(scene).removed > 0);
    CHECK_EQUAL(scree_scene_count(scene).removed + scree_world_body_count(world), 30);
    size_t held = 0;
    for (size_t i = 0; i < scree_world_body_count(world); i++) {
        scree_body body;
        CHECK_EQUAL(
            scree_world_get_body(world, scree_body_id_at(scree_world_bodies(world).id, i), &body),
            SCREE_OK);
        held += (body.flags & SCREE_FREEZE) == SCREE_FREEZE;
        CHECK(body.position[1] >= 0.05 - 0.01);
        if (body.flags & SCREE_FREEZE)
            CHECK(body.velocity[0] == 0 && body.velocity[2] == 0);
    }
    CHECK(held > 0 && held < scree_world_body_count(world));
    step_to_stage(scene, world, 5);
    CHECK_EQUAL(scree_world_walls(world, NULL, 0), 0);
    CHECK(column(scene, world, "floor.force_z") == 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Saved at a step, and gone on from in a world that was built for it. */
static void cut_at(const char *text, uint64_t step, uint64_t portion, uint64_t digest)
{
    scree_world *world, *other_world;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_start(text, &world), *other = must_open(text);
    scree_snapshot *snapshot;

    must_step(scene, world, step);
    size_t bytes = scree_scene_course_bytes(scene);
    unsigned char *course = malloc(bytes);
    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    if (scree_scene_build_at(other, NULL, course, bytes, &other_world, &error))
        FAIL("step %d: %s", (int)step, error.text);
    if (scree_world_restore(other_world, snapshot))
        FAIL("step %d: %s", (int)step, scree_world_message(other_world));
    if (scree_scene_course_load(other, course, bytes, &error))
        FAIL("step %d: %s", (int)step, error.text);
    if (run_out(other, other_world, portion) != digest)
        FAIL("cut at step %d it ends otherwise", (int)step);
    for (uint32_t k = 1; k <= scree_scene_plan_of(other)->stage_count; k++)
        CHECK(report(other, k).has_ended);
    free(course);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other_world);
    scree_scene_close(scene);
    scree_scene_close(other);
}

TEST(a_run_that_is_cut_anywhere_continues_bit_identically)
{
    scree_world *world;
    scree_scene *scene = must_start(acts, &world);
    uint64_t digest = run_out(scene, world, 100000), last = scree_world_clock(world).steps;
    static const uint64_t portions[] = {1, 7, 1000000};

    for (uint32_t k = 1; k <= 5; k++)
        for (uint64_t near = 0; near < 3; near++)
            cut_at(acts, report(scene, k).ended_step - 1 + (near < 1 ? 0 : near), portions[near],
                   digest);
    for (uint64_t step = 311; step < last; step += 397)
        cut_at(acts, step, 13, digest);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A wall is free, driven, then gone; another comes with a servo; a crowded fill comes to bodies that are sorted by place; and
    columns recall what was. */
static const char moved_walls[] = H
    "gravity { 0, 0, -10 }\n"
    "solver { dt = 1e-4, damping = 5, sort_every = 3 }\n"
    "wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.6}, open = {\"+z\"} }, material "
    "= g }\n"
    "lid = wall { shape = plane { point = {0, 0, 0.5}, normal = {0, 0, -1} }, material = g, free = "
    "free_wall { mass = 1, held = \"all\" } }\n"
    "ram = wall { shape = plane { point = {0, 0, 0.6}, normal = {0, 0, -1} }, material = g, servo "
    "= "
    "servo { force = 1, speed = 0.5, start = 0.01, stop = 0.03 } }\n"
    "fill { count = 40, shape = s, material = g, region = box { lower = {0, 0, 0}, upper = {0.1, "
    "0.1, 0.2} } }\n"
    "f = fill { count = 350, shape = sphere { radius = 0.008 }, material = g, region = box { lower "
    "= {0, 0, 0}, upper = {0.1, 0.1, 0.2} } }\n"
    "column { name = \"since\", value = \"time - start(time)\" }\n"
    "column { name = \"more\", value = \"bodies - previous(bodies)\" }\n"
    "column { name = \"rise\", value = \"centre_z - start(centre_z)\" }\n"
    "stage { ends = after(0.02) }\n"
    "stage { change = drive { wall = lid, motion = move { velocity = {0, 0, -0.1} } }, ends = "
    "after(0.02) }\n"
    "stage { remove = lid, add = {f, ram}, ends = after(0.06) }\n";

TEST(free_walls_are_driven_and_removed)
{
    scree_world *world;
    scree_scene *scene = must_start(moved_walls, &world);
    scree_wall_id id[8];

    step_to_stage(scene, world, 3);
    CHECK_EQUAL(scree_world_walls(world, NULL, 0), 6);
    CHECK_EQUAL(scree_world_body_count(world), 390);
    must_step(scene, world, 300);
    /* the servo's times count from the stage in which its wall comes */
    scree_world_walls(world, id, 8);
    scree_wall ram;
    CHECK_EQUAL(scree_world_get_wall(world, id[5], &ram), SCREE_OK);
    CHECK(ram.position[2] < 0.6);
    uint64_t digest = run_out(scene, world, 1000), last = scree_world_clock(world).steps;
    for (uint64_t step = 150; step < last; step += 123)
        cut_at(moved_walls, step, 17, digest);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Quiet for long enough, which a cut in between must not forget. */
TEST(it_is_quiet_for_a_while)
{
    static const char text[] =
        H "gravity { 0, 0, -10 }\nsolver { dt = 1e-4, damping = 50 }\n"
          "wall { shape = plane { }, material = g }\n"
          "body { shape = s, material = g, position = {0, 0, 0.02} }\n"
          "stage { ends = quiet { energy = 1e-9, during = 0.05 }, at_most = 5 }\n";
    scree_world *world;
    scree_scene *scene = must_start(text, &world);
    uint64_t first = 0, step = 0;

    while (!scree_scene_is_over(scene) && step < 100000) {
        must_step(scene, world, 1);
        step = scree_world_clock(world).steps;
        scree_energy energy = scree_world_energy(world);
        bool is_quiet = energy.kinetic + energy.rotational < 1e-9;
        if (step % 50 == 0)
            first = !is_quiet ? 0 : first ? first : step;
    }
    CHECK(first > 0);
    CHECK_EQUAL(report(scene, 1).ended_step, first + 500);
    CHECK(report(scene, 1).value < 1e-9);
    CHECK_SAYS(report(scene, 1).condition, "(below 1e-09 J for 0.05 s)");
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(where_nothing_is_or_more_comes_it_is_not_quiet)
{
    scree_world *world;
    scree_scene *scene =
        must_start(H "solver { dt = 1e-4 }\n"
                     "p = pour { count = 2, rate = 10, shape = s, material = g, region = b }\n"
                     "stage { add = p, ends = quiet { energy = 1 }, at_most = 5 }\n",
                   &world);

    run_out(scene, world, 10);
    /* the second is due at 0.2 s, comes at the act after that, and is seen at the look after it */
    CHECK_EQUAL(report(scene, 1).ended_step, 2100);
    CHECK_EQUAL(scree_world_body_count(world), 2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(a_stage_that_is_not_at_its_end_in_time_fails)
{
    static const char text[] =
        H "solver { dt = 1e-4 }\nbody { shape = s, material = g, position = {0, 0, 0}, velocity = "
          "{1, 0, 0} }\n"
          "stage { name = \"wait\", ends = quiet { energy = 1e-12 }, at_most = 0.1%s }\n"
          "stage { name = \"then\", ends = after(0.1) }\n";
    char whole[1000];
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    snprintf(whole, sizeof whole, text, "");
    scree_scene *scene = must_start(whole, &world);
    CHECK_EQUAL(scree_scene_step(scene, world, 100000, &error), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_clock(world).steps, 1000);
    CHECK_SAYS(error.text, "scene.lua:6: stage \"wait\": had not ended after at_most = 0.1 s: "
                           "kinetic energy of a body 0.00523");
    /* and stays so */
    CHECK_EQUAL(scree_scene_step(scene, world, 1, &error), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_clock(world).steps, 1000);
    scree_world_destroy(world);
    scree_scene_close(scene);

    snprintf(whole, sizeof whole, text, ", or_fail = false");
    scene = must_start(whole, &world);
    run_out(scene, world, 100000);
    CHECK(report(scene, 1).is_by_limit && report(scene, 1).ended_step == 1000);
    CHECK_EQUAL(report(scene, 2).ended_step, 2000);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  What the world refuses at the beginning of a stage is told with its line, and leaves nothing that could be gone on from. */
TEST(a_beginning_that_is_refused_is_no_state)
{
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    unsigned char course[2000];
    scree_scene *scene = must_start(
        H "solver { dt = 1e-4 }\nw = wall { shape = plane { }, material = g }\n"
          "body { shape = s, material = g, position = {0, 0, 1} }\n"
          "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, bond_shear = "
          "1e5 } }\n"
          "stage { ends = after(0.01) }\n"
          "stage { name = \"glue\", remove = w, add = bond { gap = 1e-5 }, ends = after(0.01) }\n",
        &world);

    must_step(scene, world, 100);
    CHECK(scree_scene_is_whole(scene));
    CHECK_EQUAL(scree_scene_step(scene, world, 1, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "scene.lua:9: bond: no two bodies of the stage with the law");
    CHECK(!scree_scene_is_whole(scene));
    CHECK_EQUAL(scree_scene_course_save(scene, course, sizeof course, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_scene_step(scene, world, 1, &error), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Bonds of bodies that a stage before has put in; and what breaks of them ends the run. */
TEST(bodies_are_glued_in_a_stage)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "solver { dt = 1e-5 }\n"
        "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e3, bond_shear = "
        "1e3 } }\n"
        "top = wall { shape = plane { point = {0, 0, 0.04}, normal = {0, 0, -1} }, material = g }\n"
        "body { shape = s, material = g, position = {0, 0, 0.01} }\n"
        "body { shape = s, material = g, position = {0, 0, 0.03} }\n"
        "stage { ends = after { steps = 10 } }\n"
        "stage { add = bond { gap = 1e-6 }, change = hold { region = box { lower = {-1, -1, 0}, "
        "upper = {1, 1, 0.02} } }, gravity = {0, 0, 500}, remove = top, ends = broken { above = 0 "
        "}, at_most = 1 }\n",
        &world);

    must_step(scene, world, 10);
    CHECK_EQUAL(scree_world_bond_counts(world).made, 0);
    must_step(scene, world, 1);
    CHECK_EQUAL(scree_world_bond_counts(world).made, 1);
    run_out(scene, world, 100);
    CHECK_EQUAL(scree_world_bond_counts(world).broken, 1);
    CHECK(report(scene, 2).value == 1);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Walls that come and go many times: forces and places are of the one that is meant. */
TEST(walls_are_found_whatever_came_and_went)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "solver { dt = 1e-4 }\n"
        "a = wall { shape = box { lower = {-1, -1, -1}, upper = {2, 2, 2} }, material = g, servo = "
        "servo { stress = 1, speed = 1e-9 } }\n"
        "c = wall { shape = plane { point = {0, 0, 0.25} }, material = g }\n"
        "d = wall { shape = plane { point = {0, 0, 0.75} }, material = g }\n"
        "measure { name = \"c\", wall = c, what = \"position\" }\n"
        "measure { name = \"d\", wall = d, what = \"position\" }\n"
        "stage { ends = after { steps = 1 } }\n"
        "stage { remove = a, ends = after { steps = 1 } }\n"
        "stage { add = a, remove = c, ends = after { steps = 1 } }\n"
        "stage { add = c, remove = a, ends = after { steps = 1 } }\n",
        &world);
    static const size_t walls[] = {8, 2, 7, 2};

    for (int k = 0; k < 4; k++) {
        must_step(scene, world, 1);
        CHECK_EQUAL(scree_world_walls(world, NULL, 0), walls[k]);
        CHECK(column(scene, world, "d.position_z") == 0.75);
        CHECK(column(scene, world, "c.position_z") == (k == 2 ? 0 : 0.25));
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(a_condition_of_the_run_ends_it)
{
    char text[200];
    scree_world *world;
    scree_scene *scene = must_start(
        H "solver { dt = 1e-4 }\n"
          "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = g, "
          "motion = move { velocity = {0, 0, -1} } }\n"
          "floor = wall { shape = plane { }, material = g }\n"
          "body { shape = s, material = g, position = {0, 0, 0.01} }\n"
          "run { time = 5, check_every = 10, stop = any { wall_force { wall = floor, axis = {0, 0, "
          "-1}, above = 1 }, after { run_time = 4 } } }\n",
        &world);

    CHECK(!scree_scene_report_stop(scene, text, sizeof text));
    run_out(scene, world, 1000);
    CHECK(scree_scene_report_stop(scene, text, sizeof text));
    CHECK_SAYS(text, "force on the wall ");
    CHECK_SAYS(text, " N (above 1 N)");
    /* the lid is at the ball from 0.98 s on */
    CHECK(scree_world_clock(world).time > 0.98 && scree_world_clock(world).time < 1);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  It is looked at with the walls of each stage, and holds of no wall that is not there. */
TEST(a_condition_of_the_run_is_about_walls_that_are_there)
{
    static const char text[] =
        H "solver { dt = 1e-4 }\nlid = wall { shape = plane { }, material = g }\n"
          "body { shape = s, material = g, position = {0, 0, 1} }\n"
          "stage { ends = after(0.01) }\n"
          "stage { add = lid, ends = after(0.01) }\n"
          "stage { remove = lid, ends = after(0.01) }\n"
          "run { stop = wall_force { wall = lid, below = 1, during = %g } }\n";
    static const struct
    {
        double during;
        uint64_t last;
        bool is_stopped;
    } ends[] = {{0, 150, true}, {0.005, 200, true}, {0.011, 300, false}};
    char whole[1000], said[200];
    scree_world *world;

    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        snprintf(whole, sizeof whole, text, ends[k].during);
        scree_scene *scene = must_start(whole, &world);
        run_out(scene, world, 1000);
        CHECK_EQUAL(scree_world_clock(world).steps, ends[k].last);
        CHECK(scree_scene_report_stop(scene, said, sizeof said) == ends[k].is_stopped);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  Of stages and of the run: what can hold in one of them is not refused. */
TEST(conditions_of_the_run_may_come_to_hold_in_any_stage)
{
    scree_scene_close(must_open(
        H "w = wall { shape = plane { }, material = g }\n"
          "stage { ends = after(1) }\n"
          "stage { change = drive { wall = w, motion = move { velocity = {0, 0, 1} } }, ends = "
          "after(1) }\n"
          "stage { change = drive { wall = w }, ends = after(1) }\n"
          "run { stop = wall_moved { wall = w, above = 0.5 } }\n"));
    scree_scene_close(must_open(
        H "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e3, bond_shear = "
          "1e3 } }\n"
          "bond { gap = 1e-6 }\nbody { shape = s, material = g, position = {0, 0, 0} }\n"
          "body { shape = s, material = g, position = {0, 0, 0.02} }\n"
          "stage { ends = after(1) }\nrun { stop = broken { share = 0.5 } }\n"));
}

/*  The run's condition holds at the look at which the time of the stage is over: the run has ended as it should. */
TEST(the_run_may_end_where_a_stage_would_fail)
{
    char text[200];
    scree_world *world;
    scree_scene *scene =
        must_start(H "solver { dt = 1e-4 }\nbody { shape = s, material = g, position = {0, 0, 0}, "
                     "velocity = {1, 0, 0} }\n"
                     "stage { ends = quiet { energy = 1e-12 }, at_most = 0.1 }\n"
                     "run { stop = after(0.1) }\n",
                   &world);

    run_out(scene, world, 100000);
    CHECK_EQUAL(scree_world_clock(world).steps, 1000);
    CHECK(scree_scene_report_stop(scene, text, sizeof text));
    CHECK_SAYS(text, "time in the stage 0.1 s");
    CHECK(!report(scene, 1).has_ended);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

static const scree_scene_stage *stage_of(const scree_scene *scene, size_t number)
{
    return &scree_scene_plan_of(scene)->stages[number - 1];
}

/*  By the step of each stage, which lasts until another one sets it. */
TEST(steps_are_as_long_as_stages_say)
{
    scree_scene *scene =
        must_open("solver { dt = 1e-4 }\n"
                  "stage { dt = 1e-6, ends = after { steps = 1000 }, at_most = 0.01 }\n");
    CHECK(fabs(scree_scene_plan_of(scene)->end_time - 0.001) < 1e-12);
    scree_scene_close(scene);

    scene = must_open("solver { dt = 1e-5 }\nstage { ends = after { steps = 1000 } }\n"
                      "stage { dt = 1e-4, ends = after { steps = 1000 } }\n"
                      "stage { ends = after { steps = 1000 } }\n");
    CHECK(fabs(scree_scene_plan_of(scene)->end_time - 0.21) < 1e-12);
    CHECK(fabs(stage_of(scene, 1)->longest - 0.01) < 1e-12);
    CHECK(fabs(stage_of(scene, 3)->longest - 0.1) < 1e-12);
    CHECK(fabs(stage_of(scene, 3)->earliest - 0.11) < 1e-12);
    scree_scene_close(scene);
}

/*  A time of the run that has passed when the stage begins. */
TEST(a_stage_may_end_at_once)
{
    scree_world *world;
    scree_scene *scene = must_start(H "solver { dt = 1e-3 }\n"
                                      "body { shape = s, material = g, position = {0, 0, 0} }\n"
                                      "stage { ends = after(0.2) }\n"
                                      "stage { ends = after { run_time = 0.1 } }\n"
                                      "stage { ends = after(0.1) }\n",
                                    &world);

    CHECK(stage_of(scene, 2)->longest == 0);
    CHECK(fabs(scree_scene_plan_of(scene)->end_time - 0.3) < 1e-12);
    run_out(scene, world, 1000);
    CHECK_EQUAL(report(scene, 1).ended_step, 200);
    CHECK_EQUAL(report(scene, 2).ended_step, 201);
    CHECK_EQUAL(report(scene, 3).ended_step, 301);
    scree_world_destroy(world);
    scree_scene_close(scene);

    scene = must_open(H "body { shape = s, material = g, position = {0, 0, 0} }\n"
                        "stage { ends = quiet { energy = 1 } }\nrun { time = 1 }\n");
    CHECK(isinf(stage_of(scene, 1)->longest));
    scree_scene_close(scene);
}

/*  Where the step gets longer, ends by time are still met by the nearest step. */
TEST(a_longer_step_does_not_pass_over_an_end)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H "solver { dt = 1e-6 }\nbody { shape = s, material = g, position = {0, 0, 0} }\n"
          "stage { ends = after(1e-4) }\n"
          "stage { dt = 1e-3, ends = after(0.1) }\n"
          "stage { dt = 1e-5, ends = after(0.01) }\n",
        &world);

    run_out(scene, world, 1000000);
    CHECK_EQUAL(report(scene, 1).ended_step, 100);
    CHECK_EQUAL(report(scene, 2).ended_step, 200);
    CHECK_EQUAL(report(scene, 3).ended_step, 1200);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A scene from before there were stages may call its own things so. */
TEST(names_of_old_scenes_are_theirs)
{
    scree_scene_close(must_open("count = 5\nall = {1}\nstage = 2\nafter, any, quiet = 1, 2, 3\n" H
                                "body { shape = s, material = g, position = {0, 0, count} }\n"
                                "run { time = 1 }"));
}

TEST(a_course_with_stages_is_checked)
{
    scree_world *world, *other;
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = must_start(acts, &world);

    must_step(scene, world, 700);
    size_t bytes = scree_scene_course_bytes(scene);
    unsigned char *course = malloc(bytes);
    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
    for (size_t bit = 0; bit < 8 * bytes; bit += 3) {
        course[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK_EQUAL(scree_scene_course_load(scene, course, bytes, &error), SCREE_BAD_FILE);
        CHECK_EQUAL(scree_scene_build_at(scene, NULL, course, bytes, &other, &error),
                    SCREE_BAD_FILE);
        CHECK(!other);
        course[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK_EQUAL(scree_scene_course_load(scene, course, bytes, &error), SCREE_OK);
    free(course);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Few bodies and steps, but each kind of change and of condition. */
static const char all_kinds[] = H
    "solver { dt = 1e-4 }\ngravity { 0, 0, -10 }\n"
    "rule { law = \"bonded\", values = { bond_young = 1e5, bond_tension = 1e3, bond_shear = 1e3 } "
    "}\n"
    "w = wall { shape = plane { }, material = g }\n"
    "lid = wall { shape = box { lower = {-1, -1, -1}, upper = {2, 2, 2} }, material = g }\n"
    "body { shape = s, material = g, position = {0, 0, 0.01} }\n"
    "body { shape = s, material = g, position = {0, 0, 0.03} }\n"
    "f = fill { count = 2, shape = s, material = g, region = box { lower = {0.5, 0.5, 0.5}, upper "
    "= {0.6, 0.6, 0.6} } }\n"
    "stage { add = bond { gap = 1e-5 }, ends = any { broken { above = 5 }, after { steps = 2 } }, "
    "at_most = 1, check_every = 1 }\n"
    "stage { add = {f, lid}, change = {hold { }, drive { wall = lid, servo = servo { stress = 1, "
    "speed = 1e-3 } }}, ends = all { wall_moved { wall = lid, sides = \"+z\", above = 0 }, "
    "wall_force { "
    "wall = w, below = 1e9 }, count { region = b, above = 0 } }, at_most = 1, check_every = 1 }\n"
    "stage { remove = {w, lid, b}, change = {release { }, set_friction { to = 0.1 }}, gravity = "
    "{0, "
    "0, 0}, damping = 1, dt = 1e-5, ends = after { steps = 2 } }\n";

static scree_status run_with(const scree_allocator *hooks)
{
    scree_world_def world_hooks = scree_default_world_def();
    scree_scene_def def = scree_default_scene_def();
    scree_world *world = NULL;
    scree_scene *scene;

    def.text = all_kinds;
    def.allocator = world_hooks.hooks.allocator = *hooks;
    scree_status status = scree_scene_open(&def, &scene);
    if (status)
        return status;
    status = scree_scene_build(scene, &world_hooks, &world, NULL);
    if (!status)
        status = scree_scene_start(scene, world, NULL);
    if (!status)
        status = scree_scene_step(scene, world, 10, NULL);
    CHECK(status || (scree_scene_is_over(scene) && scree_world_body_count(world) == 0));
    scree_world_destroy(world);
    scree_scene_close(scene);
    return status;
}

TEST(without_memory_it_is_said)
{
    failing_allocator memory = {0};
    scree_allocator hooks = failing_allocator_hooks(&memory);

    CHECK_EQUAL(run_with(&hooks), SCREE_OK);
    CHECK(failing_allocator_is_clean(&memory));
    for (size_t k = 1;; k += k < 100 ? 1 : 1 + k / 100) {
        memory = (failing_allocator){.fail_at = k, .fail_all_after = k % 2};
        hooks = failing_allocator_hooks(&memory);
        scree_status status = run_with(&hooks);
        CHECK(failing_allocator_is_clean(&memory));
        /* Lua collects its garbage and asks again: a single failure may be survived */
        if (status && status != SCREE_OUT_OF_MEMORY)
            FAIL("without memory at request %zu: status %d", k, (int)status);
        if (memory.requests < k)
            break;
    }
}

/*  A lid that is far from the origin, and how far it has moved since the second stage began. */
static const char counted[] =
    H "solver { dt = 1e-4 }\n"
      "lid = wall { shape = box { lower = {-1, -1, -1}, upper = {2, 2, 2} }, material = g, servo = "
      "servo { stress = 1, speed = 1e-3 } }\n"
      "stage { ends = after { steps = 2 } }\n"
      "stage { ends = wall_moved { wall = lid, sides = \"+z\", above = 5e-6 }, at_most = 1, "
      "check_every = 1 }\n";

/*  The world and the scene get no memory at request `fail_at` of the beginning of the second stage: 0: all. Whether it
    was asked for. */
static bool begin_without(size_t fail_at, uint64_t *ended_step)
{
    failing_allocator memory = {0};
    scree_allocator hooks = failing_allocator_hooks(&memory);
    scree_world_def world_hooks = scree_default_world_def();
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;
    scree_world *world;

    def.text = counted;
    def.allocator = world_hooks.hooks.allocator = hooks;
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_OK);
    CHECK_EQUAL(scree_scene_build(scene, &world_hooks, &world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, NULL), SCREE_OK);
    must_step(scene, world, 2);
    memory.fail_at = fail_at ? memory.requests + fail_at : 0;
    scree_status status = scree_scene_step(scene, world, 1, NULL);
    memory.fail_at = 0;
    bool has_failed = memory.failures > 0;
    if (status) {
        CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
    } else {
        run_out(scene, world, 1);
        *ended_step = report(scene, 2).ended_step;
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
    CHECK(failing_allocator_is_clean(&memory));
    return has_failed;
}

TEST(without_memory_no_stage_begins)
{
    uint64_t right = 0;

    begin_without(0, &right);
    CHECK(right > 10);
    for (size_t k = 1;; k++) {
        uint64_t ended = right;
        bool has_failed = begin_without(k, &ended);
        if (ended != right)
            FAIL("without memory at request %zu the stage ends at step %d, not %d", k, (int)ended,
                 (int)right);
        if (!has_failed)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_begins_where_the_one_before_it_ends),
        CASE(what_a_stage_changes_is_changed),
        CASE(a_run_that_is_cut_anywhere_continues_bit_identically),
        CASE(free_walls_are_driven_and_removed),
        CASE(it_is_quiet_for_a_while),
        CASE(where_nothing_is_or_more_comes_it_is_not_quiet),
        CASE(a_stage_that_is_not_at_its_end_in_time_fails),
        CASE(a_beginning_that_is_refused_is_no_state),
        CASE(bodies_are_glued_in_a_stage),
        CASE(walls_are_found_whatever_came_and_went),
        CASE(a_condition_of_the_run_ends_it),
        CASE(a_condition_of_the_run_is_about_walls_that_are_there),
        CASE(conditions_of_the_run_may_come_to_hold_in_any_stage),
        CASE(the_run_may_end_where_a_stage_would_fail),
        CASE(steps_are_as_long_as_stages_say),
        CASE(a_stage_may_end_at_once),
        CASE(a_longer_step_does_not_pass_over_an_end),
        CASE(names_of_old_scenes_are_theirs),
        CASE(a_course_with_stages_is_checked),
        CASE(without_memory_it_is_said),
        CASE(without_memory_no_stage_begins),
    };

    NEEDS_SCENES("test_stages");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
