/*  Bonds on ranks, which are threads here: bonded bodies that are far apart, bonds that break, and the list of those. */
#include "ranks_bed.h"

/*  Of the list of bonds that broke, apart from handles, which belong to a world: each must name its body. */
static uint64_t hash_breaks(scree_world *world, size_t *count)
{
    const scree_break *list;
    uint64_t hash = SCREE_HASH_START;
    scree_body body;

    CHECK_EQUAL(scree_world_breaks(world, &list, count), SCREE_OK);
    for (size_t k = 0; k < *count; k++) {
        hash = scree_hash_word(hash, list[k].step);
        hash = scree_hash_number(hash, list[k].time);
        hash = scree_hash_word(hash, list[k].first_serial);
        hash = scree_hash_word(hash, list[k].second_serial);
        hash = scree_hash_word(hash, (uint64_t)list[k].cause);
        for (int a = 0; a < 3; a++) {
            hash = scree_hash_number(hash, list[k].point[a]);
            hash = scree_hash_number(hash, list[k].normal[a]);
        }
        CHECK_EQUAL(scree_world_get_body(world, list[k].second, &body), SCREE_OK);
        CHECK_EQUAL(body.serial, list[k].second_serial);
    }
    return hash;
}

static uint64_t breaks;
static size_t break_count;
static uint64_t intact;

/*  Bonds all that are near each other, later some more; pulls a body away from its partners. */
static void bond_and_pull(scree_world *world, int call)
{
    scree_bond_def def = scree_default_bond_def();
    scree_body body;
    uint64_t made;

    if (call == 0 || call == 3) {
        def.gap = call ? 0.001 : 0.004;
        CHECK_EQUAL(scree_world_add_bonds(world, &def, &made), SCREE_OK);
        CHECK(call || made > 50);
    }
    if (call == 2 || call == 4) {
        CHECK_EQUAL(scree_world_get_body(world, id_of(world, 44), &body), SCREE_OK);
        body.velocity[2] += 3;
        CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
    }
    breaks = hash_breaks(world, &break_count);
    intact = scree_world_bond_counts(world).intact;
}

static void compare_bonds(const run *alone, uint32_t ranks, uint32_t threads)
{
    const uint64_t should_be = breaks, should_be_intact = intact;
    const size_t count = break_count;

    compare(alone, ranks, threads);
    CHECK_EQUAL(break_count, count);
    CHECK_EQUAL(breaks, should_be);
    CHECK_EQUAL(intact, should_be_intact);
}

TEST(bonds_that_break_are_the_same_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7};
    run alone = {.of = {.bodies = 200, .ratio = 1.3, .threads = 1, .has_bonds = true},
                 .host = bond_and_pull};

    set_calls(&alone, 7, TEST_EFFORT(120, 600));
    CHECK(break_count >= 5);
    CHECK(intact >= 5);
    for (int k = 0; k < 5; k++)
        for (uint32_t threads = 1; threads <= 2; threads++)
            compare_bonds(&alone, ranks[k], threads);
}

TEST(bonds_in_a_periodic_box_with_a_balance_are_the_same)
{
    run alone = {.of = {.bodies = 200,
                        .ratio = 1.3,
                        .threads = 1,
                        .is_periodic = true,
                        .is_automatic = true,
                        .has_balance = true,
                        .has_bonds = true},
                 .host = bond_and_pull};

    set_calls(&alone, 7, TEST_EFFORT(120, 600));
    CHECK(break_count >= 5);
    for (uint32_t ranks = 2; ranks <= 5; ranks++)
        compare_bonds(&alone, ranks, 1);
}

/*  Of two bonded bodies one is taken far away: the bond is longer than a part of a rank is wide. */
static void part_far(scree_world *world, int call)
{
    scree_bond_def def = scree_default_bond_def();
    scree_body body;
    uint64_t made;

    if (call == 1) {
        def.gap = 0.014;
        def.first = id_of(world, 1);
        def.second = id_of(world, 3);
        CHECK_EQUAL(scree_world_add_bonds(world, &def, &made), SCREE_OK);
        CHECK_EQUAL(made, 1);
    }
    if (call == 2) {
        CHECK_EQUAL(scree_world_get_body(world, id_of(world, 1), &body), SCREE_OK);
        body.position[2] += 0.4;
        body.velocity[2] = 0;
        CHECK_EQUAL(scree_world_set_body(world, body.id, &body), SCREE_OK);
    }
    breaks = hash_breaks(world, &break_count);
    intact = scree_world_bond_counts(world).intact;
}

TEST(a_bond_over_the_part_of_another_rank_holds)
{
    run alone = {
        .of = {.bodies = 60, .ratio = 1.3, .threads = 1, .has_bonds = true, .bonds_last = true},
        .host = part_far};

    set_calls(&alone, 5, TEST_EFFORT(60, 300));
    CHECK_EQUAL(intact, 1);
    for (uint32_t ranks = 2; ranks <= 9; ranks++)
        compare_bonds(&alone, ranks, 1);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bonds_that_break_are_the_same_on_any_number_of_ranks),
        CASE(bonds_in_a_periodic_box_with_a_balance_are_the_same),
        CASE(a_bond_over_the_part_of_another_rank_holds),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
