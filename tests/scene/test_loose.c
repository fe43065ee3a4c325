/*  Free walls in scenes: a paddle that a motor turns among balls, runs that are cut in two, and what is refused. */
#include "scene_shapes.h"

#define HEAD                                                                                       \
    "g = material { density = 2500, young = 1e6, friction = 0.3 }\n"                               \
    "gravity { 0, 0, -9.81 }\n solver { dt = 2e-5 }\n"
#define PADDLE                                                                                     \
    "p = wall { name = \"paddle\", material = g, position = {0.05, 0.05, 0.02}, shape = facets { " \
    "vertices = {{-0.03, 0, -0.01}, {0.03, 0, -0.01}, {0.03, 0, 0.01}, {-0.03, 0, 0.01}}, facets " \
    "= {{1, 2, 3}, {1, 3, 4}} }, free = free_wall { "
#define PADDLE_END                                                                                 \
    "mass = 0.1, inertia = {1e-5, 1e-5, 2e-5}, torque = {0, 0, 5e-3}, angular_damping = 1e-4, "    \
    "held "                                                                                        \
    "= {\"x\", \"y\", \"z\", \"spin_x\", \"spin_y\"} } }\n"
#define BALLS                                                                                      \
    "wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.2} }, material = g }\n"          \
    "fill { region = box { lower = {0, 0, 0.04}, upper = {0.1, 0.1, 0.12} }, shape = sphere { "    \
    "radius = 0.005 }, material = g, count = 120 }\n"                                              \
    "measure { name = \"p\", wall = p, what = {\"torque\", \"velocity\", \"spin\"} }\n"
#define R "run { time = 0.1 }"

TEST(a_motor_turns_a_paddle_among_balls)
{
    scree_world *world;
    scree_scene *scene = must_start(HEAD PADDLE PADDLE_END BALLS R, &world);
    scree_wall wall;
    scree_wall_id id;

    CHECK(scree_world_walls(world, &id, 1) > 1);
    must_step(scene, world, 8000);
    CHECK_EQUAL(scree_world_get_wall(world, id, &wall), SCREE_OK);
    CHECK(wall.is_free && wall.spin[2] > 1 && wall.spin[0] == 0);
    CHECK_NEAR(column(scene, world, "p.spin_z"), wall.spin[2], 0);
    CHECK_NEAR(column(scene, world, "p.velocity_x"), 0, 0);
    CHECK_NEAR(wall.position[0], 0.05, 0);
    CHECK(scree_world_detection_stats(world).contacts > 0);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    /* 50 rad/s are the most that the motor comes to, with nothing in its way */
    CHECK(wall.spin[2] < 50);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(it_continues_where_it_was_cut)
{
    continues(HEAD PADDLE PADDLE_END BALLS R, 1500, 1500);
}

TEST(what_cannot_be_is_refused)
{
    refuses(HEAD PADDLE "} }\n" R, "free_wall: `mass` is missing");
    refuses(HEAD PADDLE "mass = 0 } }\n" R, "free_wall: mass: is 0, must be a number above 0");
    refuses(HEAD PADDLE "mass = 1, held = \"spin\" } }\n" R, "did you mean");
    refuses(HEAD PADDLE "mass = 1, masses = 2 } }\n" R, "did you mean `mass`?");
    refuses(HEAD "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g, "
                 "free = 3 }" R,
            "a free wall, as free_wall {");
    refuses(HEAD "wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, material = g, "
                 "free = free_wall { mass = 1, held = \"all\" } }" R,
            "free: a box is several planes");
    refuses(HEAD "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g, "
                 "motion = move { velocity = {1, 0, 0} }, free = free_wall { mass = 1 } }" R,
            "free: has `motion`, too");
    refuses(HEAD "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g, "
                 "servo = servo { force = 1, speed = 1 }, free = free_wall { mass = 1 } }" R,
            "free: has `servo`, too");
}

TEST(memory_ends_anywhere)
{
    lacks_memory_anywhere(HEAD PADDLE PADDLE_END R);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_motor_turns_a_paddle_among_balls),
        CASE(it_continues_where_it_was_cut),
        CASE(what_cannot_be_is_refused),
        CASE(memory_ends_anywhere),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
