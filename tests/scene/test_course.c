/*  What a scene does in the course of a run: bodies poured, sunk and counted, the same whatever the cut of calls,
    and after the course was saved and loaded. */
#include "scene_maker.h"

#include <math.h>

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"

/*  A pour over a plane, a plane that counts, a sink under it; small steps, so that much happens in few. */
static const char busy[] =
    "gravity { 0, 0, -9.81 }\n"
    "g = material { density = 2500, young = 1e6 }\n"
    "wall { shape = plane { point = {0, 0, -1} }, material = g }\n"
    "pour { name = \"a\", rate = 20000, count = 150, region = cylinder { from = {0, 0, 0.05}, to = "
    "{0, 0, 0.15}, radius = 0.05 },\n"
    "       shape = sphere { radius = loguniform(0.001, 0.003) }, by = \"mass\", velocity = {0, 0, "
    "-20}, spread = 0.1, material = g }\n"
    "pour { name = \"b\", mass_rate = 1, start = 0.002, stop = 0.012, region = box { lower = "
    "{-0.05, -0.05, 0.2}, upper = {0.05, 0.05, 0.25} },\n"
    "       shape = sphere { radius = sizes { {0.002, 1}, {0.003, 2} } }, velocity = {0, 0, -20}, "
    "material = g }\n"
    "measure { name = \"p\", region = plane { point = {0, 0, 0.04}, normal = {0, 0, -1} } }\n"
    "sink { name = \"s\", region = plane { point = {0, 0, 0.02} } }\n"
    "solver { dt = 5e-5, act_every = 10 }" R;

TEST(the_cut_of_calls_does_not_matter)
{
    scree_world *whole, *cut;
    scree_scene *a = must_start(busy, &whole), *b = must_start(busy, &cut);
    uint64_t parts[] = {1, 2, 3, 4, 10, 0, 7, 13, 50, 110, 200};

    must_step(a, whole, 400);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        must_step(b, cut, parts[i]);
    CHECK_EQUAL(scree_world_clock(cut).steps, 400);
    CHECK(scree_world_digest(whole) == scree_world_digest(cut));
    scree_scene_tally x = scree_scene_count(a), y = scree_scene_count(b);
    CHECK(x.poured == y.poured && x.sunk == y.sunk && x.sunk_mass == y.sunk_mass &&
          x.poured_mass == y.poured_mass);
    /* and it was not nothing */
    CHECK(x.poured > 100 && x.sunk > 50 && x.sunk < x.poured);
    CHECK_EQUAL(scree_world_body_count(whole), x.poured - x.sunk);
    scree_world_destroy(whole);
    scree_world_destroy(cut);
    scree_scene_close(a);
    scree_scene_close(b);
}

/*  After it was saved at some step and loaded by another scene of the same text. */
TEST(a_course_continues_where_it_was_saved)
{
    static const uint64_t at[] = {0, 5, 10, 95, 250};

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
        must_step(scene, world, 300 - at[i]);
        uint64_t digest = scree_world_digest(world);
        double passed = column(scene, world, "p.flow"), rate = column(scene, world, "s.count");
        CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
        if (scree_scene_course_load(other, course, bytes, &error))
            FAIL("%s", error.text);
        must_step(other, world, 300 - at[i]);
        CHECK(scree_world_digest(world) == digest);
        CHECK(column(other, world, "p.flow") == passed && column(other, world, "s.count") == rate);
        CHECK(passed > 20 && rate > 20);
        free(course);
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(world);
        scree_scene_close(scene);
        scree_scene_close(other);
    }
}

/*  States of when measures without a name were called by their number. */
TEST(a_measure_called_like_its_wall_takes_states_of_its_number)
{
    static const char head[] = "g = material { density = 2500, young = 1e6 }\n"
                               "w = wall { name = \"lid\", shape = plane { }, material = g }\n";
    char numbered[400], unnamed[400];
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    snprintf(unnamed, sizeof unnamed, "%smeasure { wall = w, what = {\"force\"} }" R, head);
    snprintf(numbered, sizeof numbered,
             "%smeasure { name = \"measure1\", wall = w, what = {\"force\"} }" R, head);
    scree_scene *old = must_start(numbered, &world), *scene = must_open(unnamed);
    size_t bytes = scree_scene_course_bytes(old);
    unsigned char *course = malloc(bytes);
    CHECK_EQUAL(scree_scene_course_save(old, course, bytes, &error), SCREE_OK);
    CHECK_TEXT(scree_scene_plan_of(scene)->measures[0].name, "lid");
    if (scree_scene_course_load(scene, course, bytes, &error))
        FAIL("%s", error.text);
    free(course);
    scree_world_destroy(world);
    scree_scene_close(old);
    scree_scene_close(scene);
}

/*  A wall may have the name that another measure gets by its number. */
TEST(names_of_walls_never_clash_with_numbers)
{
    scree_scene *scene = must_open(
        "g = material { density = 2500, young = 1e6 }\n"
        "a = wall { name = \"measure2\", shape = plane { }, material = g }\n"
        "b = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = g }\n"
        "measure { wall = a, what = {\"force\"} }\n"
        "measure { wall = b, what = {\"force\"} }" R);

    CHECK_TEXT(scree_scene_plan_of(scene)->measures[0].name, "measure1");
    CHECK_TEXT(scree_scene_plan_of(scene)->measures[1].name, "measure2");
    scree_scene_close(scene);
}

TEST(a_course_that_is_not_whole_is_refused)
{
    scree_world *world;
    scree_scene *scene = must_start(busy, &world), *other = must_open(H R);
    scree_error error = {SCREE_OK, ""};
    unsigned char *course, *broken;

    must_step(scene, world, 100);
    size_t bytes = scree_scene_course_bytes(scene);
    course = malloc(bytes);
    broken = malloc(bytes);
    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes - 1, &error), SCREE_TOO_SMALL);
    CHECK_EQUAL(scree_scene_course_save(other, course, bytes, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_scene_course_save(scene, course, bytes, &error), SCREE_OK);
    for (size_t count = 0; count < bytes; count++)
        CHECK_EQUAL(scree_scene_course_load(scene, course, count, &error), SCREE_BAD_FILE);
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        memcpy(broken, course, bytes);
        broken[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (scree_scene_course_load(scene, broken, bytes, &error) != SCREE_BAD_FILE)
            FAIL("bit %zu of %zu can be turned", bit, bytes);
    }
    CHECK_EQUAL(scree_scene_course_load(other, course, bytes, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "another scene");
    /* nothing of that changed the course */
    CHECK_EQUAL(scree_scene_course_save(scene, broken, bytes, &error), SCREE_OK);
    CHECK(memcmp(broken, course, bytes) == 0);
    free(course);
    free(broken);
    scree_world_destroy(world);
    scree_scene_close(scene);
    scree_scene_close(other);
}

TEST(nothing_steps_before_the_start)
{
    scree_scene *scene = must_open(H R);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_step(scene, world, 1, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_scene_measure(scene, world, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_scene_count(scene).poured, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  No two bodies, and no body and wall, touch when they come. */
static void check_apart(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    size_t count;

    for (size_t i = 0; i < view.count; i++)
        for (size_t k = 0; k < i; k++) {
            double square = 0,
                   reach = scree_double_at(view.radius, i) + scree_double_at(view.radius, k);
            for (int a = 0; a < 3; a++)
                square +=
                    pow(scree_row_at(view.position, i)[a] - scree_row_at(view.position, k)[a], 2);
            if (square < reach * reach)
                FAIL("bodies %zu and %zu of radii %g, %g are %g apart", i, k,
                     scree_double_at(view.radius, i), scree_double_at(view.radius, k),
                     sqrt(square));
        }
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
}

TEST(fills_touch_nothing)
{
    static const char *const fills[] = {
        /* into a closed cone with a plane through it and a body in it */
        H
        "wall { shape = cone { from = {0, 0, 0}, to = {0, 0, 0.2}, radius = 0.1, radius_to = 0.02, "
        "facets = 7 }, material = g, orientation = {0.9, 0.1, 0, 0.2}, position = {0.01, 0, 0} }\n"
        "wall { shape = plane { normal = {1, 0, 1} }, material = g } body { shape = sphere { "
        "radius = 0.02 }, material = g, position = {0.02, 0.03, 0.05} }\n"
        "fill { count = 300, region = box { lower = {-0.1, -0.1, 0}, upper = {0.1, 0.1, 0.1} }, "
        "shape = sphere { radius = loguniform(0.001, 0.01) }, by = \"mass\", material = g }\n"
        "solver { dt = 1e-9 }" R,
        /* periodic: images are there too, and a region that reaches over the boundary */
        H "domain { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, boundary = \"periodic\" }\n"
          "fill { solid_fraction = 0.25, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} "
          "}, shape = sphere { radius = 0.008 }, material = g }\n"
          "fill { count = 20, region = box { lower = {-0.02, 0, 0}, upper = {0.02, 0.1, 0.1} }, "
          "shape = sphere { radius = 0.002 }, material = g }\n"
          "solver { dt = 1e-9 }" R,
        H "fill { mass = 1, region = sphere { centre = {1, 1, 1}, radius = 0.1 }, shape = sphere { "
          "radius = normal(0.005, 0.001) }, material = g }\n"
          "solver { dt = 1e-9 }" R,
    };

    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        scree_world *world;
        scree_scene *scene = must_start(fills[i], &world);
        check_apart(world);
        if (i == 1)
            CHECK_NEAR((double)scree_world_body_count(world),
                       20 + 0.25 * 1e-3 / (4.0 / 3 * 3.14159265 * pow(0.008, 3)), 1);
        if (i == 2)
            /* within half a body of the largest mass */
            CHECK_NEAR(scree_world_totals(world).mass, 1,
                       0.5 * 2500 * 4.0 / 3 * 3.1416 * pow(0.008, 3));
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
}

/*  What a sink takes is added again, by number; also where a run continues. */
TEST(what_leaves_wraps_around)
{
#define CYCLE                                                                                      \
    H "gravity { 0, 0, -10 }\n"                                                                    \
      "fill { count = 40, region = b, shape = s, material = g }\n"                                 \
      "out = sink { region = plane { point = {0, 0, -0.1} } }\n"                                   \
      "side = sink { region = plane { point = {5, 0, 0}, normal = {-1, 0, 0} } }\n"                \
      "pour { name = \"again\", returns = {out, side}, shape = sphere { radius = uniform(0.01, "   \
      "0.02) }, "                                                                                  \
      "material = g, region = box { lower = {0, 0, 1}, upper = {1, 1, 2} } }\n"                    \
      "solver { dt = 1e-3, act_every = 10 }" R
    scree_world *world;
    scree_scene *scene = must_start(CYCLE, &world);
    scree_error error;

    for (int k = 0; k < 30; k++) {
        must_step(scene, world, 50);
        CHECK_EQUAL(scree_world_body_count(world), 40);
    }
    scree_scene_tally tally = scree_scene_count(scene);
    CHECK(tally.sunk > 40);
    CHECK_EQUAL(tally.poured, tally.sunk);
    CHECK_EQUAL(tally.waiting, 0);
    scree_world_destroy(world);
    scree_scene_close(scene);

    static const char *const broken[][2] = {
        {"rate = 3, returns = o", "pour: has `returns` and a rate; give one of them"},
        {"returns = b", "pour: returns: is a box, must be a sink or a list of sinks"},
        {"returns = {}", "pour: returns: "},
        {"returns = {o, o}", "pour: returns: item 2 is the sink of item 1 again"},
        {"returns = {o, 7}", "item 2 is 7, must be a value returned by sink { ... }"},
        {"returns = o }\npour { region = b, shape = s, material = g, returns = o",
         "scene.lua:6: pour: returns: the pour of line 5 returns what that sink takes"},
        {"count = 3", "or `mass_rate`, in kg/s, is missing; or `returns`, sinks"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 H "o = sink { region = b }\npour { region = b, shape = s, material = g, %s }" R,
                 broken[i][0]);
        scene = open_scene_with(text, NULL, 0, &error);
        CHECK(!scene);
        CHECK_SAYS(error.text, broken[i][1]);
    }
#undef CYCLE
}

TEST(what_does_not_fit_is_said)
{
    scree_scene *scene = must_open(H "fill { solid_fraction = 0.6, region = b, shape = sphere { "
                                     "radius = 0.2 }, material = g }" R);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "scene.lua:4: fill: no room for 18 bodies: they would take 0.603 of");
    CHECK_SAYS(error.text, "ask for fewer, or pour");
    CHECK_EQUAL(scree_world_body_count(world), 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
    /* what the world does not take is told with the line */
    scene = must_open(
        H
        "domain { dimensions = 3 }\nbody { shape = s, material = g, position = {0, 0, 1e200} }" R);
    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "scene.lua:5: body: ");
    scree_world_destroy(world);
    scree_scene_close(scene);
    scene = must_open("g = material { young = math.huge }\nrule { materials = {g, g} }" R);
    CHECK(scree_scene_build(scene, NULL, &world, &error) != SCREE_OK && !world);
    CHECK_SAYS(error.text, "scene.lua:2: rule: ");
    scree_scene_close(scene);
}

/*  Mean shares of sizes against what was asked for: by number and by mass, within five deviations. */
TEST(sizes_have_their_shares)
{
    scree_world *world;
    scree_scene *scene =
        must_start(H "r = box { lower = {0, 0, 0}, upper = {10, 10, 10} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = sizes { {0.01, "
                     "3}, {0.02, 1} } }, material = g, groups = {1} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = sizes { {0.01, "
                     "1}, {0.02, 1} } }, by = \"mass\", material = g, groups = {2} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = uniform(0.01, "
                     "0.02) }, material = g, groups = {3} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = loguniform(0.01, "
                     "0.02) }, by = \"mass\", material = g, groups = {4} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = normal(0.01, "
                     "0.001) }, material = g, groups = {5} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = uniform(0.01, "
                     "0.02) }, by = \"mass\", material = g, groups = {6} }\n"
                     "fill { count = 4000, region = r, shape = sphere { radius = normal(0.01, "
                     "0.002, 0.005, 0.015) }, by = \"mass\", material = g, groups = {7} }" R,
                   &world);
    scree_bodies_view view = scree_world_bodies(world);
    double small[8] = {0}, mass[8] = {0}, small_mass[8] = {0}, sum[8] = {0};

    for (size_t i = 0; i < view.count; i++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, i), &body), SCREE_OK);
        int group = 0;
        while (!(body.groups >> group & 1))
            group++;
        double r = body.shape.radius;
        sum[group] += r / 4000;
        mass[group] += body.mass;
        if (r < 0.0141421356) {
            small[group] += 1.0 / 4000;
            small_mass[group] += body.mass;
        }
    }
    CHECK_NEAR(small[0], 0.75, 5 * sqrt(0.75 * 0.25 / 4000));
    /* equal masses of r and 2 r: eight small ones for each large one */
    CHECK_NEAR(small[1], 8.0 / 9, 5 * sqrt(8.0 / 81 / 4000));
    CHECK_NEAR(sum[2], 0.015, 5 * 0.01 / sqrt(12 * 4000));
    /* half of the logarithm has half of the mass; the deviation of a mass share of 4000 is below 1 % */
    CHECK_NEAR(small_mass[3] / mass[3], 0.5, 0.05);
    CHECK_NEAR(sum[4], 0.01, 5 * 0.001 / sqrt(4000));
    /* even by mass: 41 % of the mass lies below sqrt(2) of the smallest */
    CHECK_NEAR(small_mass[5] / mass[5], sqrt(2) - 1, 0.05);
    /* numbers tilt to the small end */
    CHECK(sum[6] < 0.0098 && sum[6] > 0.008);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(pours_keep_their_rates)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H "r = box { lower = {0, 0, 0}, upper = {1, 1, 1} }\n"
          "pour { rate = 1000, region = r, shape = s, material = g, start = 0.01, stop = 0.05 }\n"
          "pour { mass_rate = 2, mass = 0.05, region = box { lower = {2, 0, 0}, upper = {3, 1, 1} "
          "}, shape = s, material = g }\n"
          "pour { rate = 1e5, count = 30, region = box { lower = {5, 0, 0}, upper = {5.05, 0.05, "
          "0.05} }, shape = s, material = g }\n"
          "solver { dt = 1e-4, act_every = 10 }" R,
        &world);
    scree_error error = {SCREE_OK, ""};

    must_step(scene, world, 301);
    /* 0.03 s: 20 of the first; the second by whole bodies of 0.01047 kg */
    /* one less where the clock's sum of steps is a rounding short of the time */
    CHECK_NEAR(column(scene, world, "pour1.count"), 20, 1);
    CHECK(column(scene, world, "pour2.mass") <= 0.05 && column(scene, world, "pour2.count") == 4);
    /* so many have no room: they wait */
    CHECK(column(scene, world, "pour3.count") < 30);
    CHECK_EQUAL(scree_scene_count(scene).waiting,
                30 - (uint64_t)column(scene, world, "pour3.count"));
    must_step(scene, world, 500);
    CHECK_NEAR(column(scene, world, "pour1.count"), 40, 0);
    CHECK(column(scene, world, "pour2.count") == 4);
    CHECK_EQUAL(scree_scene_step(scene, world, 0, &error), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Against sums made here of a few bodies with known numbers. */
TEST(measures_say_what_is_there)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "w = wall { shape = plane { }, material = g }\n"
        "big = wall { shape = box { lower = {-5, -5, -5}, upper = {5, 5, 5} }, material = g }\n"
        "body { shape = s, material = g, position = {0.2, 0.2, 0.0099}, mass = 1 }\n"
        "body { shape = s, material = g, position = {0.2, 0.2, 0.0298}, velocity = {0, 0, 0}, mass "
        "= 2 }\n"
        "body { shape = s, material = g, position = {0.8, 0.8, 0.8}, velocity = {3, 0, 4}, mass = "
        "3 }\n"
        "body { shape = s, material = g, position = {3, 3, 3}, velocity = {100, 0, 0}, mass = 5 }\n"
        "measure { name = \"m\", region = b, what = {\"count\", \"mass\", \"solid_fraction\", "
        "\"speed\", \"velocity\", \"temperature\", \"coordination\"} }\n"
        "measure { name = \"all\" } measure { name = \"w\", wall = w, what = {\"force\", "
        "\"torque\"} }\n"
        "measure { name = \"s\", region = sphere { centre = {3, 3, 3}, radius = 0.1 } }\n"
        "solver { dt = 1e-9 }" R,
        &world);

    must_step(scene, world, 1);
    CHECK(column(scene, world, "m.count") == 3 && column(scene, world, "m.mass") == 6);
    CHECK(column(scene, world, "all.count") == 4 && column(scene, world, "all.mass") == 11);
    CHECK(column(scene, world, "s.count") == 1);
    CHECK_NEAR(column(scene, world, "m.solid_fraction"), 3 * 4.0 / 3 * 3.14159265358979 * 1e-6,
               1e-15);
    CHECK_NEAR(column(scene, world, "m.speed"), 5.0 / 3, 1e-6);
    CHECK_NEAR(column(scene, world, "m.velocity_x"), 1.5, 1e-6);
    CHECK_NEAR(column(scene, world, "m.velocity_z"), 2, 1e-6);
    /* (3 kg 25 / 6 kg - (1.5^2 + 2^2)) / 3 */
    CHECK_NEAR(column(scene, world, "m.temperature"), (12.5 - 6.25) / 3, 1e-6);
    /* a contact of two bodies, and one with the plane: 1 + 1 + 1 over 3 */
    CHECK_NEAR(column(scene, world, "m.coordination"), 1, 1e-12);
    scree_wall_id ids[8];
    scree_wall wall;
    scree_world_walls(world, ids, 8);
    CHECK_EQUAL(scree_world_get_wall(world, ids[0], &wall), SCREE_OK);
    CHECK(wall.force[2] < 0 && column(scene, world, "w.force_z") == wall.force[2]);
    /* about the origin: y F */
    CHECK_NEAR(column(scene, world, "w.torque_x"), 0.2 * wall.force[2], 1e-9 * -wall.force[2]);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Two bodies in it, pressed along z, one of them also on the floor, which is outside: half of its line is in. */
TEST(spheres_measure_stress)
{
    static const char *const axes[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    const double volume = 4.0 / 3 * 3.14159265358979 * 0.02 * 0.02 * 0.02;
    scree_world *world;
    scree_scene *scene = must_start(
        H
        "wall { shape = plane { }, material = g }\n"
        "body { shape = s, material = g, position = {0, 0, 0.0099}, mass = 1 }\n"
        "body { shape = s, material = g, position = {0, 0, 0.0298}, velocity = {3, 0, -4}, mass = "
        "2 "
        "}\n"
        "measure { name = \"m\", region = sphere { centre = {0, 0, 0.02495}, radius = 0.02 }, what "
        "= "
        "{\"pressure\", \"shear_stress\", \"stress\", \"fabric\", \"count\"} }\n"
        "measure { name = \"n\", region = sphere { centre = {1, 1, 1}, radius = 0.02 }, what = "
        "{\"stress\"} }\n"
        "solver { dt = 1e-9 }" R,
        &world);
    const scree_contact *contacts;
    size_t count;
    double sum = 0;
    char name[40];

    must_step(scene, world, 1);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 2);
    double pair = fabs(contacts[0].force[2]), floor = fabs(contacts[1].force[2]);
    CHECK(pair > 0 && floor > 0);
    /* of momentum about the mean: 2/3 kg of both together; the floor's line is in from 0.00495 on */
    double motion = 2.0 / 3 * 16 / volume, contact = (pair * 0.0199 + floor * 0.00495) / volume;
    CHECK(column(scene, world, "m.count") == 2);
    CHECK_NEAR(column(scene, world, "m.stress_zz"), motion + contact, 1e-5 * (motion + contact));
    /* the symmetric part of what friction does along the line */
    double slide = contacts[0].force[0] * -0.0199 / 2;
    CHECK_NEAR(column(scene, world, "m.stress_xz"), (slide - 2.0 / 3 * 12) / volume, 1e-5 * motion);
    CHECK_NEAR(column(scene, world, "m.fabric_zz"), 1, 1e-12);
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "m.stress_%s", axes[k]);
        sum += column(scene, world, name);
    }
    CHECK_NEAR(column(scene, world, "m.pressure"), sum / 3, 1e-9 * sum);
    CHECK(column(scene, world, "m.shear_stress") > 0.1 * sum);
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "n.stress_%s", axes[k]);
        CHECK(column(scene, world, name) == 0);
    }
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A body that goes round a periodic domain passes the plane once a round; the boundary does not count. */
TEST(planes_count_passages)
{
    scree_world *world;
    scree_scene *scene = must_start(
        H "domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = \"periodic\" }\n"
          "body { shape = s, material = g, position = {0.3, 0.5, 0.5}, velocity = {1, 0, 0}, mass "
          "= 4 }\n"
          "body { shape = s, material = g, position = {0.7, 0.2, 0.5}, velocity = {-1, 0, 0}, mass "
          "= 1 }\n"
          "measure { name = \"p\", region = plane { point = {0.5, 0, 0}, normal = {2, 0, 0} } }\n"
          "solver { dt = 1e-3, act_every = 5 }" R,
        &world);

    must_step(scene, world, 100);
    CHECK(column(scene, world, "p.flow") == 0);
    must_step(scene, world, 150); /* both have passed, the one forward, the other back */
    CHECK(column(scene, world, "p.flow") == 0);
    CHECK_NEAR(column(scene, world, "p.mass_flow"), 0,
               1e-12); /* all of it was said by the last measure */
    must_step(scene, world, 2850);
    CHECK(column(scene, world, "p.flow") == 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
    scene = must_start(
        H "domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = \"periodic\" }\n"
          "body { shape = s, material = g, position = {0.3, 0.5, 0.5}, velocity = {1, 0, 0}, mass "
          "= 4 }\n"
          "measure { name = \"p\", region = plane { point = {0.5, 0, 0}, normal = {2, 0, 0} } }\n"
          "solver { dt = 1e-3, act_every = 5 }" R,
        &world);
    must_step(scene, world, 500);
    CHECK(column(scene, world, "p.flow") == 1);
    must_step(scene, world, 1000);
    /* 4 kg in the second since: */
    CHECK_NEAR(column(scene, world, "p.mass_flow"), 4, 1e-9);
    must_step(scene, world, 1500);
    CHECK(column(scene, world, "p.flow") == 3);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(sinks_look_at_place_material_and_time)
{
    scree_world *world;
    scree_scene *scene =
        must_start(H "h = material { density = 1000 }\n"
                     "body { shape = s, material = g, position = {0.5, 0.5, 0.5} } body { shape = "
                     "s, material = h, position = {0.6, 0.5, 0.5} }\n"
                     "body { shape = s, material = h, position = {2, 0.5, 0.5} }\n"
                     "sink { name = \"a\", region = b, material = h }\n"
                     "sink { name = \"b\", region = plane { point = {1.5, 0, 0}, normal = {-1, 0, "
                     "0} }, start = 0.01, stop = 0.02 }\n"
                     "solver { dt = 1e-3, act_every = 1 }" R,
                   &world);

    must_step(scene, world, 1);
    CHECK(column(scene, world, "a.count") == 1 && column(scene, world, "b.count") == 0);
    CHECK_NEAR(column(scene, world, "a.mass"), 1000 * 4.0 / 3 * 3.14159265358979 * 1e-6, 1e-12);
    must_step(scene, world, 30);
    CHECK(column(scene, world, "a.count") == 1 && column(scene, world, "b.count") == 1);
    CHECK_EQUAL(scree_world_body_count(world), 1);
    CHECK_EQUAL(scree_scene_count(scene).sunk, 2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  Threads, methods and the order in memory do not decide what is poured. */
TEST(hooks_do_not_change_what_happens)
{
    scree_error error = {SCREE_OK, ""};
    uint64_t digests[2];

    for (int i = 0; i < 2; i++) {
        scree_world_def hooks = scree_default_world_def();
        scree_scene *scene = must_open(busy);
        scree_world *world;
        hooks.compute.thread_count = i ? 3 : 1;
        hooks.detection.method = i ? "hash-grids" : "auto";
        hooks.detection.audit = i ? 50 : 0;
        CHECK_EQUAL(scree_scene_build(scene, &hooks, &world, &error), SCREE_OK);
        CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_OK);
        must_step(scene, world, 200);
        digests[i] = scree_world_digest(world);
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
    CHECK(digests[0] == digests[1]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_cut_of_calls_does_not_matter),
        CASE(a_course_continues_where_it_was_saved),
        CASE(a_measure_called_like_its_wall_takes_states_of_its_number),
        CASE(names_of_walls_never_clash_with_numbers),
        CASE(a_course_that_is_not_whole_is_refused),
        CASE(nothing_steps_before_the_start),
        CASE(fills_touch_nothing),
        CASE(what_leaves_wraps_around),
        CASE(what_does_not_fit_is_said),
        CASE(sizes_have_their_shares),
        CASE(pours_keep_their_rates),
        CASE(measures_say_what_is_there),
        CASE(spheres_measure_stress),
        CASE(planes_count_passages),
        CASE(sinks_look_at_place_material_and_time),
        CASE(hooks_do_not_change_what_happens),
    };

    NEEDS_SCENES("test_scene_course");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
