/*  Free walls on ranks, which are threads here: bodies of all ranks push one, and it moves alike in all parts. */
#include "ranks_bed.h"

/*  A board of triangles above the bed, and a lid that may only go up and down. */
static void add_board(scree_world *world, double mass)
{
    scree_wall_def def = scree_default_wall_def();
    scree_free_wall_def board = scree_default_free_wall_def();
    scree_random random = scree_random_stream(5, 0);
    maker made = maker_plane(6, 0.07, 0.2, &random);
    scree_mesh *mesh = maker_mesh(&made);
    scree_wall_id id;

    def.kind = SCREE_WALL_MESH;
    def.material.index1 = 1;
    def.mesh = mesh;
    def.point[0] = -0.04;
    def.point[1] = -0.03;
    def.point[2] = 0.08;
    board.mass = mass;
    for (int k = 0; k < 3; k++)
        board.inertia[k] = mass * 0.07 * 0.07 / 6;
    board.centre[0] = board.centre[1] = 0.035;
    board.velocity[2] = -1;
    board.spin[1] = 2;
    board.angular_damping = 1e-6;
    CHECK_EQUAL(scree_world_add_wall(world, &def, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_free_wall(world, id, &board), SCREE_OK);
    scree_mesh_destroy(mesh);
    maker_free(&made);
}

static scree_wall_id last_wall(const scree_world *world)
{
    scree_wall_id ids[16] = {{0, 0}};
    const size_t count = scree_world_walls(world, ids, 16);

    CHECK(count > 0);
    return ids[count - 1];
}

static double spin_of_board; /* about y, at the end of the last call but one */

static void drop_board(scree_world *world, int call, double mass)
{
    const scree_wall_path rest = {.frequency = 0};
    scree_free_wall_def board;
    scree_wall wall;

    if (call == 0)
        add_board(world, mass);
    CHECK_EQUAL(scree_world_get_wall(world, last_wall(world), &wall), SCREE_OK);
    spin_of_board = wall.spin[1];
    if (call == 3) {
        CHECK(scree_world_get_free_wall(world, last_wall(world), &board));
        board.force[0] = 0.1;
        CHECK_EQUAL(scree_world_set_free_wall(world, last_wall(world), &board), SCREE_OK);
    }
    if (call == 5) {
        CHECK_EQUAL(scree_world_set_free_wall(world, last_wall(world), NULL), SCREE_OK);
        CHECK_EQUAL(scree_world_set_wall_path(world, last_wall(world), &rest), SCREE_OK);
    }
}

static void drop_plank(scree_world *world, int call)
{
    drop_board(world, call, 0.02);
}

/*  So light that contacts with it limit the step. */
static void drop_leaf(scree_world *world, int call)
{
    drop_board(world, call, 2e-4);
}

TEST(a_board_that_falls_on_a_bed_is_the_same_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = {.bodies = 300, .ratio = 2, .threads = 1}, .host = drop_plank};

    set_calls(&alone, 6, TEST_EFFORT(600, 1500));
    CHECK(fabs(spin_of_board - 2) > 0.1);
    for (int k = 0; k < 4; k++)
        compare(&alone, ranks[k], 1 + (uint32_t)k % 2);
}

TEST(boards_on_bodies_of_all_shapes_are_the_same)
{
    run alone = {.of = {.bodies = 120, .ratio = 2, .threads = 1, .shapes = BED_ALL},
                 .host = drop_plank};

    set_calls(&alone, 5, 300);
    compare(&alone, 3, 1);
}

/*  What limits a step is the stiffness of contacts with bodies of several ranks. */
TEST(steps_that_a_light_board_limits_are_the_same)
{
    run alone = {.of = {.bodies = 200, .ratio = 2, .threads = 1, .is_automatic = true},
                 .host = drop_leaf};
    run heavy = {.of = alone.of, .host = drop_plank};

    set_calls(&alone, 4, TEST_EFFORT(500, 1000));
    set_calls(&heavy, 4, TEST_EFFORT(500, 1000));
    compare(&alone, 2, 1);
    compare(&alone, 5, 1);
    compare(&heavy, 3, 1);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_board_that_falls_on_a_bed_is_the_same_on_any_number_of_ranks),
        CASE(boards_on_bodies_of_all_shapes_are_the_same),
        CASE(steps_that_a_light_board_limits_are_the_same),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
