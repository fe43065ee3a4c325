/*  Wear of walls on ranks, which are threads here: bodies of all ranks wear one wall, and its sums are those of one
    process. */
#include "ranks_bed.h"
#include "scree/wear.h"

static scree_facet_wear worn; /* of the last wall, at the end of the last call but one */

static size_t list_walls(const scree_world *world, scree_wall_id ids[16])
{
    const size_t count = scree_world_walls(world, ids, 16);

    CHECK(count > 0 && count <= 16);
    return count;
}

/*  All walls wear; later a belt runs, one wall begins again, another stops, and one is other than it was. */
static void let_wear(scree_world *world, int call)
{
    scree_wear_def wear = scree_default_wear_def();
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    scree_wall_id ids[16];
    const size_t count = list_walls(world, ids);

    wear.coefficient = 1e-3;
    wear.erosion = 1e-7;
    belt.velocity[0] = 0.4;
    for (size_t w = 0; w < count && call == 0; w++)
        CHECK_EQUAL(scree_world_set_wear(world, ids[w], &wear), SCREE_OK);
    if (call == 1)
        CHECK_EQUAL(scree_world_set_wall_belt(world, ids[0], &belt), SCREE_OK);
    if (call == 3)
        CHECK_EQUAL(scree_world_set_wear(world, ids[0], &wear), SCREE_OK);
    if (call == 4 && count > 1)
        CHECK_EQUAL(scree_world_set_wear(world, ids[1], NULL), SCREE_OK);
    wear.erosion = 1;
    if (call == 4 && count > 2)
        CHECK_EQUAL(scree_world_set_wear(world, ids[2], &wear), SCREE_OK);
    scree_wall wall;
    CHECK_EQUAL(scree_world_get_wall(world, ids[0], &wall), SCREE_OK);
    if (!wall.mesh)
        CHECK_EQUAL(scree_world_wear(world, ids[0], &worn, 1), SCREE_OK);
}

TEST(walls_wear_alike_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {.of = {.bodies = 300, .ratio = 2, .threads = 1}, .host = let_wear};

    set_calls(&alone, 6, TEST_EFFORT(600, 1500));
    CHECK(worn.sliding > 0 && worn.impacts > 10 && worn.eroded_volume > 0);
    for (int k = 0; k < 4; k++)
        compare(&alone, ranks[k], 1 + (uint32_t)k % 2);
}

TEST(walls_of_triangles_and_bodies_of_all_shapes_wear_them_alike)
{
    run alone = {
        .of = {.bodies = 120, .ratio = 2, .threads = 1, .shapes = BED_ALL, .has_mesh = true},
        .host = let_wear};
    run spheres = {.of = {.bodies = 200, .ratio = 2, .threads = 1, .has_mesh = true, .rolls = true},
                   .host = let_wear};

    set_calls(&alone, 5, 300);
    compare(&alone, 3, 1);
    set_calls(&spheres, 5, TEST_EFFORT(400, 1000));
    compare(&spheres, 4, 1);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls_wear_alike_on_any_number_of_ranks),
        CASE(walls_of_triangles_and_bodies_of_all_shapes_wear_them_alike),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
