/*  What pictures colour bodies by that a world knows beside their motion: bonds that hold, and which bodies sleep. */
#include "harness/rest_maker.h"
#include "picture/roster.h"
#include "picture_maker.h"
#include "scree/bond.h"

/*  A heap that has come to rest is glued, then hit: some bonds break, and some bodies wake. */
static scree_world *broken_heap(void)
{
    rest_bin bin = rest_bin_of(4, 4);
    scree_bond_def bond = scree_default_bond_def();
    uint64_t made = 0;

    bin.law = "bonded";
    scree_world *world = rest_bin_open(&bin);
    step(world, 12000);
    bond.gap = 1e-4;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, &made), SCREE_OK);
    CHECK(made > 40);
    rest_hit(world, &bin);
    step(world, 900);
    /* until the first have come to rest again */
    for (int n = 0; n < 100 && scree_world_sleep_counts(world).asleep == 0; n++)
        step(world, 100);
    return world;
}

static void read_field(scree_roster *roster, scree_world *world, const char *name,
                       scree_memory *memory)
{
    static const scree_workers alone = {.count = 1};
    scree_picture_def def = scree_default_picture_def();
    scree_error error;

    def.field = name;
    CHECK_EQUAL(scree_roster_call(roster, world, &def, memory, &alone), SCREE_OK);
    CHECK_EQUAL(scree_roster_read(roster, world, &def, memory, &error), SCREE_OK);
    CHECK(roster->is_count);
}

static uint32_t intact_bonds_of(scree_world *world, scree_body_id id)
{
    const scree_bond *bonds;
    size_t count;
    uint32_t held = 0;

    CHECK_EQUAL(scree_world_bonds(world, &bonds, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++)
        held += bonds[k].is_intact &&
                (bonds[k].first.index1 == id.index1 || bonds[k].second.index1 == id.index1);
    return held;
}

TEST(bonds_and_rest_are_fields)
{
    scree_world *world = broken_heap();
    scree_roster roster = {0};
    scree_memory memory;
    double held = 0, asleep_bodies = 0;

    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    read_field(&roster, world, "bonds", &memory);
    scree_bodies_view view = scree_world_bodies(world);
    for (size_t i = 0; i < roster.count; i++) {
        CHECK_EQUAL(roster.value[i],
                    intact_bonds_of(world, scree_body_id_at(view.id, roster.row[i])));
        held += roster.value[i];
    }
    scree_bond_counts bonds = scree_world_bond_counts(world);
    CHECK(bonds.broken > 0 && bonds.intact > 0);
    CHECK_EQUAL(held, 2 * bonds.intact);

    read_field(&roster, world, "sleeping", &memory);
    for (size_t i = 0; i < roster.count; i++) {
        CHECK_EQUAL(roster.value[i],
                    scree_world_is_asleep(world, scree_body_id_at(view.id, roster.row[i])));
        asleep_bodies += roster.value[i];
    }
    CHECK(asleep_bodies > 0 && asleep_bodies < (double)roster.count);
    CHECK_EQUAL(asleep_bodies, scree_world_sleep_counts(world).asleep);
    scree_roster_free(&roster, &memory);
    CHECK_EQUAL(memory.bytes, 0);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bonds_and_rest_are_fields),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
