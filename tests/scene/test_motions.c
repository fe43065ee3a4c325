/*  Motions of walls in scenes: lists that add up, clocks, tables that go round or lie in files, and functions of time. */
#include "scene_shapes.h"

#include <math.h>
#include <unistd.h>

#define PI 3.14159265358979323846
#define HEAD                                                                                       \
    "gravity { 0, 0, -9.81 }\ng = material { density = 2500, young = 1e6 }\n"                      \
    "solver { dt = 1e-4 }\n"

static const scree_wall_path *wall_path_of(const scree_scene *scene)
{
    return &scree_scene_plan_of(scene)->walls[0].path;
}

static scree_scene *open_motion(const char *motion)
{
    char text[1200];
    scree_error error;

    snprintf(text, sizeof text,
             HEAD "wall { shape = plane { }, material = g, motion = %s }\n"
                  "run { time = 2 }\n",
             motion);
    scree_scene *scene = open_beside(text, NULL, NULL, &error);
    if (!scene)
        FAIL("%s: %s", motion, error.text);
    return scene;
}

static void place_at(const scree_scene *scene, double time, double shift[3], double turn[4])
{
    scree_error error = {SCREE_OK, ""};

    if (scree_wall_path_place(wall_path_of(scene), time, shift, turn, &error))
        FAIL("%s", error.text);
}

/*  One motion of each kind alone is what it always was: checkpoints and digests of older runs hold. */
TEST(one_of_each_kind_needs_no_parts)
{
    scree_scene *scene = open_motion(
        "{ move { velocity = {1, 0, 0} }, spin { rate = 2, axis = {0, 1, 0}, centre = {0, 0, 3} }, "
        "swing { amplitude = {0, 0, 0.1}, frequency = 5, phase = 1 }, "
        "path { {0, 0, 0, 0}, {1, 0, 0.5, 0} } }");
    const scree_wall_path *path = wall_path_of(scene);

    CHECK_EQUAL(path->part_count, 0);
    CHECK_NEAR(path->velocity[0], 1, 0);
    CHECK_NEAR(path->rate, 2, 0);
    CHECK_NEAR(path->axis[1], 1, 0);
    CHECK_NEAR(path->centre[2], 3, 0);
    CHECK_NEAR(path->swing[2], 0.1, 0);
    CHECK_NEAR(path->frequency, 5, 0);
    CHECK_NEAR(path->phase, 1, 0);
    CHECK_EQUAL(path->table_count, 2);
    CHECK_NEAR(path->table[1][2], 0.5, 0);
    scree_scene_close(scene);
}

TEST(lists_add_up)
{
    double shift[3], turn[4];
    scree_scene *scene =
        open_motion("{ swing { amplitude = {0.1, 0, 0}, frequency = 1 }, "
                    "swing { amplitude = {0, 0.1, 0}, frequency = 1, phase = math.pi / 2 } }");

    CHECK_EQUAL(wall_path_of(scene)->part_count, 2);
    for (double time = 0; time < 2; time += 0.13) {
        place_at(scene, time, shift, turn);
        CHECK_NEAR(shift[0], 0.1 * sin(2 * PI * time), 1e-15);
        CHECK_NEAR(shift[1], 0.1 * cos(2 * PI * time) - 0.1, 1e-15);
    }
    scree_scene_close(scene);

    scene =
        open_motion("{ spin { rate = math.pi / 2 }, spin { rate = math.pi / 2, axis = {1, 0, 0}, "
                    "centre = {3, 0, 0} } }");
    CHECK_EQUAL(wall_path_of(scene)->part_count, 2);
    place_at(scene, 1, shift, turn);
    /* the point 3 1 0 goes to 0 3 1: see test_path_parts */
    CHECK_NEAR(turn[0], 0.5, 1e-15);
    scree_scene_close(scene);
}

TEST(clocks_and_angles_are_read)
{
    scree_scene *scene = open_motion(
        "{ swing { angle = 0.2, axis = {0, 1, 0}, centre = {0, 0, 0.3}, frequency = 2, phase = "
        "0.5, "
        "start = 0.25, stop = 1.75, ramp = 0.5 }, move { velocity = {0, 0, 1}, start = 1 } }");
    const scree_path_part *parts = wall_path_of(scene)->parts;

    CHECK_EQUAL(wall_path_of(scene)->part_count, 2);
    CHECK_EQUAL(parts[0].kind, SCREE_PATH_ROCK);
    CHECK_NEAR(parts[0].angle, 0.2, 0);
    CHECK_NEAR(parts[0].vector[1], 1, 0);
    CHECK_NEAR(parts[0].vector[2], 0, 0);
    CHECK_NEAR(parts[0].centre[2], 0.3, 0);
    CHECK_NEAR(parts[0].frequency, 2, 0);
    CHECK_NEAR(parts[0].phase, 0.5, 0);
    CHECK_NEAR(parts[0].start, 0.25, 0);
    CHECK_NEAR(parts[0].stop, 1.75, 0);
    CHECK_NEAR(parts[0].ramp, 0.5, 0);
    CHECK_EQUAL(parts[1].kind, SCREE_PATH_MOVE);
    CHECK_NEAR(parts[1].start, 1, 0);
    scree_scene_close(scene);
}

/*  Rows of a file are those of the scene, in the scene's units. */
TEST(paths_come_from_files)
{
    static const char *const files[] = {
        "t,x,y,z\n0,0,0,0\n0.5,0,10,0\n# a word\n\n1.5,0,20,5\n",
        "0 0 0 0\r\n0.5\t0 10 0\r\n1.5; 0; 20; 5",
        "time;x;y;z;w;a;b;c\n0;0;0;0;1;0;0;0\n0.5;0;10;0;1;0;0;0\n1.5;0;20;5;1;0;0;0\n",
    };

    enter_folder();
    for (size_t k = 0; k < 3; k++) {
        scree_error error;
        save("way.csv", files[k]);
        scree_scene *scene = open_beside("units { length = \"mm\" }\n" HEAD
                                         "wall { shape = plane { }, material = g, motion = path { "
                                         "file = \"way.csv\" } }\nrun { time = 2 }",
                                         NULL, NULL, &error);
        if (!scene)
            FAIL("%s", error.text);
        const scree_wall_path *path = wall_path_of(scene);
        CHECK_EQUAL(path->part_count, 0);
        CHECK_EQUAL(path->table_count, 3);
        CHECK_NEAR(path->table[2][0], 1.5, 0);
        CHECK_NEAR(path->table[2][2], 0.02, 1e-17);
        CHECK_NEAR(path->table[2][3], 0.005, 1e-18);
        scree_scene_close(scene);
    }
    unlink(path_of("way.csv"));
    leave_folder();
}

TEST(files_that_are_no_paths_are_refused)
{
    static const struct
    {
        const char *file, *says;
    } cases[] = {
        {"", "has 0 rows of numbers, a path has two"},
        {"t x y z\n0 0 0 0\n", "has 1 rows of numbers"},
        {"0 0 0 0\n1 0 0\n", "way.csv:2: has 3 numbers, must have 4"},
        {"0 0 0 0\n1 0 0 0 1 0 0 0\n", "way.csv:2: has 8 numbers, the lines before have 4"},
        {"0 0 0 0\n1 0 0 0 1 0 0 0 0\n", "way.csv:2: has 9 numbers"},
        {"0 0 0 0\n1 0 zero 0\n", "way.csv:2: has a word where a number should be"},
        {"0 0 0 0\n1 0 nan 0\n", "way.csv:2: has a word where a number should be"},
        {"1 0 0 0\n1 0 0 0\n", "way.csv:2: is at time 1, and the row before at 1"},
        {"0 0 0 0 0 0 0 0\n1 0 0 0 1 0 0 0\n",
         "row 1 has a quaternion of length 0, 0 0 0 0, must be a rotation"},
        {"0 0 0 0 1e120 0 0 0\n1 0 0 0 1 0 0 0\n", "row 1 has a quaternion of length 1e+120"},
        {"0 0 0 0\n1 0 -2e100 0\n",
         "row 2 has the number -2e+100, must be at most 1e+100 in magnitude"},
    };

    enter_folder();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        save("way.csv", cases[k].file);
        refuses(HEAD "wall { shape = plane { }, material = g, motion = path { file = \"way.csv\" } "
                     "}\nrun { time = 2 }",
                cases[k].says);
    }
    unlink(path_of("way.csv"));
    leave_folder();
}

/*  The place of a function, told by closed form. */
TEST(functions_become_tables)
{
    scree_scene *scene = open_motion("function(t) local a = 0.3 * math.sin(3 * t)\n"
                                     "  return {0.1 * math.sin(9 * t), 0.05 * t * t, 0.2 * t}, "
                                     "{math.cos(a / 2), 0, 0, math.sin(a / 2)} end");
    const scree_wall_path *path = wall_path_of(scene);
    double shift[3], turn[4];

    CHECK_EQUAL(path->part_count, 1);
    CHECK_EQUAL(path->parts[0].kind, SCREE_PATH_TABLE);
    CHECK(path->parts[0].table_count > 100);
    for (double time = 0; time <= 2; time += 0.0137) {
        double angle = 0.3 * sin(3 * time);
        place_at(scene, time, shift, turn);
        CHECK_NEAR(shift[0], 0.1 * sin(9 * time), 1e-6);
        CHECK_NEAR(shift[1], 0.05 * time * time, 1e-6);
        CHECK_NEAR(shift[2], 0.2 * time, 1e-6);
        CHECK_NEAR(2 * atan2(turn[3], turn[0]), angle, 2e-6);
    }
    scree_scene_close(scene);
    /* in the scene's units; one that stands still; one with a corner, which a table only comes near to */
    scene = open_motion("function(t) return {0, 0, 0} end");
    place_at(scene, 1, shift, turn);
    CHECK(shift[0] == 0 && turn[0] == 1);
    scree_scene_close(scene);
    scene = open_motion("function(t) return {math.abs(t - 1.1), 0, 0} end");
    place_at(scene, 1.1, shift, turn);
    CHECK_NEAR(shift[0], 0, 1e-4);
    place_at(scene, 0.3, shift, turn);
    CHECK_NEAR(shift[0], 0.8, 1e-9);
    scree_scene_close(scene);
}

/*  A function is a motion like others, also in a list: displacements add, and a rotation carries what comes later. */
TEST(functions_stand_in_lists)
{
    double shift[3], turn[4];
    scree_scene *scene =
        open_motion("{ swing { amplitude = {0, 0, 0.1}, frequency = 1 }, function(t) return {t * "
                    "t, 0, 0} end, function(t) return {0, math.sin(t), 0}, {math.cos(t / 2), 0, "
                    "0, math.sin(t / 2)} end, move { velocity = {1, 0, 0} } }");

    CHECK_EQUAL(wall_path_of(scene)->part_count, 4);
    for (double time = 0; time < 2; time += 0.13) {
        place_at(scene, time, shift, turn);
        CHECK_NEAR(shift[0], time * time + time, 1e-5);
        CHECK_NEAR(shift[1], sin(time), 1e-5);
        CHECK_NEAR(shift[2], 0.1 * sin(2 * PI * time), 1e-12);
        CHECK_NEAR(2 * atan2(turn[3], turn[0]), time, 1e-5);
    }
    scree_scene_close(scene);
    refuses(HEAD "wall { shape = plane { }, material = g, motion = { function(t) return {0, 0, t} "
                 "end, 5 } }\nrun { time = 2 }",
            "wall: motion: item 2 is 5, must be a motion, as spin { rate = 6 }, or a function");
}

/*  A function that repeats itself with the rows of a coarse table looks as if it stood still, or were slow; one may
    also move for a moment only. */
TEST(fast_functions_are_seen)
{
    double shift[3], turn[4];
    scree_scene *scene =
        open_motion("function(t) return {0.001 * (1 - math.cos(2 * math.pi * 64 * t)), 0, 0} end");

    for (double time = 0; time <= 2; time += 0.00137) {
        place_at(scene, time, shift, turn);
        CHECK_NEAR(shift[0], 0.001 * (1 - cos(2 * PI * 64 * time)), 1e-8);
    }
    scree_scene_close(scene);
    scene = open_motion("function(t) return {0.001 * math.sin(2 * math.pi * 64.05 * t), 0, 0} end");
    place_at(scene, 0.25 / 64.05, shift, turn);
    CHECK_NEAR(shift[0], 0.001, 1e-8);
    scree_scene_close(scene);
    scene = open_motion("function(t) return {math.exp(-((t - 0.8) / 0.002)^2), 0, 0} end");
    place_at(scene, 0.801, shift, turn);
    CHECK_NEAR(shift[0], exp(-0.25), 1e-5);
    scree_scene_close(scene);
}

/*  A run whose end is in steps has a time, too; one that chooses its steps has none. */
TEST(functions_need_to_know_the_end)
{
    enter_folder();
    scree_scene *scene =
        must_open(HEAD "wall { shape = plane { }, material = g, motion = function(t) return {0, "
                       "0, math.sin(t)} end }\nrun { steps = 20000 }");
    double shift[3], turn[4];
    place_at(scene, 1.9, shift, turn);
    CHECK_NEAR(shift[2], sin(1.9), 1e-6);
    scree_scene_close(scene);
    /* a stage has longer steps: the table is as long as if all were */
    scene =
        must_open(HEAD "wall { shape = plane { }, material = g, motion = function(t) return {0, "
                       "0, math.sin(t)} end }\nrun { steps = 2000 }\n"
                       "stage { ends = after { steps = 100 } }\nstage { dt = 1e-3 }");
    place_at(scene, 1.9, shift, turn);
    CHECK_NEAR(shift[2], sin(1.9), 1e-6);
    scree_scene_close(scene);
    refuses("g = material { density = 2500, young = 1e6 }\nwall { shape = plane { }, material = g, "
            "motion = function(t) return {0, 0, 0} end }\nrun { steps = 10 }",
            "a function needs to know how long the run is");
    leave_folder();
}

/*  A run that is cut in two comes to the same: the checkpoint knows the motions, and does not ask Lua. */
TEST(runs_go_on)
{
    continues(
        HEAD
        "wall { shape = plane { }, material = g, motion = { swing { amplitude = {0.001, 0, 0}, "
        "frequency = 20 }, swing { amplitude = {0, 0, 0.002}, frequency = 30, ramp = 0.01 } } }\n"
        "wall { shape = cylinder { from = {0, 0, -0.1}, to = {0, 0, 0.1}, radius = 0.1 }, "
        "material = g, motion = function(t) return {0.01 * math.sin(20 * t), 0, 0}, "
        "{math.cos(t), 0, 0, math.sin(t)} end }\n"
        "fill { count = 20, shape = sphere { radius = 0.005 }, material = g, region = box { "
        "lower = {-0.05, -0.05, 0}, upper = {0.05, 0.05, 0.05} } }\nrun { time = 0.2 }",
        150, 200);
}

TEST(memory_may_lack_anywhere)
{
    lacks_memory_anywhere(
        HEAD "wall { shape = plane { }, material = g, motion = { spin { rate = 1 }, spin { rate = "
             "2, axis = {1, 0, 0} }, path { {0, 0, 0, 0}, {1, 0, 0, 1}, smooth = true } } }\n"
             "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, t} end }\n"
             "run { time = 0.01 }");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_of_each_kind_needs_no_parts),
        CASE(lists_add_up),
        CASE(clocks_and_angles_are_read),
        CASE(paths_come_from_files),
        CASE(files_that_are_no_paths_are_refused),
        CASE(functions_become_tables),
        CASE(functions_stand_in_lists),
        CASE(fast_functions_are_seen),
        CASE(functions_need_to_know_the_end),
        CASE(runs_go_on),
        CASE(memory_may_lack_anywhere),
    };
    NEEDS_SCENES("test_motions");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
