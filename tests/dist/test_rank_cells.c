/*  Cells that deform, on ranks, which are threads here: images move across the parts of ranks, and stresses are sums over
    all ranks. */
#include "ranks_bed.h"

/*  Compressed along all axes and sheared; then at constant pressure; then sheared by its boundary alone. */
static void deform(scree_world *world, int call)
{
    scree_cell_def cell;
    scree_cell_servo_def press = scree_default_cell_servo_def();
    const int dimensions = world->def.dimensions;

    CHECK_EQUAL(scree_world_get_cell(world, &cell), SCREE_OK);
    if (call == 0) {
        for (int k = 0; k < dimensions; k++)
            cell.gradient[k][k] = -25;
        cell.gradient[0][1] = 20;
        if (dimensions == 3) {
            cell.gradient[1][2] = 5;
            cell.tilt[1] = 0.02;
        }
        cell.homogeneous = true;
        CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    }
    if (call == 2) {
        press.pressure = 200;
        press.max_rate = 30;
        CHECK_EQUAL(scree_world_set_cell_servo(world, &press), SCREE_OK);
    }
    if (call == 4) {
        CHECK_EQUAL(scree_world_set_cell_servo(world, NULL), SCREE_OK);
        CHECK_EQUAL(scree_world_get_cell(world, &cell), SCREE_OK);
        memset(cell.gradient, 0, sizeof cell.gradient);
        cell.gradient[0][1] = 60;
        cell.homogeneous = false;
        CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    }
}

static const bed loose = {.bodies = 300, .ratio = 1.5, .threads = 1, .is_cell = true, .seed = 4};

TEST(cells_that_deform_are_the_same_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = loose, .host = deform};
    uint64_t shared = 0;

    set_calls(&alone, 6, TEST_EFFORT(500, 1500));
    for (int k = 0; k < 4; k++)
        shared += compare(&alone, ranks[k], 1 + (uint32_t)k % 2);
    CHECK(shared > 100);
    FIGURE("%" PRIu64 " contacts over ranks", shared);
}

/*  Rank 0 opens ranks for a cell that deforms already, and small bodies are at the boundary of every part. */
TEST(sizes_that_differ_and_energies_are_the_same_in_a_cell)
{
    run alone = {.of = loose, .host = deform};

    alone.of.ratio = 6;
    alone.of.has_balance = true;
    set_calls(&alone, 6, 400);
    compare(&alone, 4, 1);
}

TEST(steps_that_are_chosen_are_the_same_in_a_cell)
{
    run alone = {.of = loose, .host = deform};

    alone.of.is_automatic = true;
    set_calls(&alone, 6, 200);
    compare(&alone, 3, 1);
    compare(&alone, 5, 1);
}

TEST(flat_cells_are_the_same)
{
    run alone = {.of = loose, .host = deform};

    alone.of.is_flat = true;
    alone.of.bodies = 100;
    set_calls(&alone, 6, 300);
    CHECK(compare(&alone, 3, 1) > 0);
}

TEST(bodies_of_all_shapes_are_the_same_in_a_cell)
{
    run alone = {.of = loose, .host = deform};

    alone.of.shapes = BED_ALL;
    alone.of.bodies = 340;
    set_calls(&alone, 6, 200);
    CHECK(compare(&alone, 3, 1) > 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(cells_that_deform_are_the_same_on_any_number_of_ranks),
        CASE(sizes_that_differ_and_energies_are_the_same_in_a_cell),
        CASE(steps_that_are_chosen_are_the_same_in_a_cell),
        CASE(flat_cells_are_the_same),
        CASE(bodies_of_all_shapes_are_the_same_in_a_cell),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
