/*  Heat on ranks, which are threads here: temperatures and the balance of heat of one process, also with substeps, and the
    same failures. */
#include "ranks_bed.h"

/*  Of the material, in W/(m K). */
#define SLOW 2e3
#define FAST 6e4 /* a step has several substeps */

static scree_status set_material(scree_world *world, double conductivity)
{
    scree_material_heat_def def = scree_default_material_heat_def();

    def.conductivity = conductivity;
    def.capacity = 1;
    return scree_world_set_material_heat(world, (scree_material_id){1}, &def);
}

/*  The floor is hot, a body is held, others have sources and sinks. */
static void warm(scree_world *world, double conductivity, double loss_share)
{
    const scree_bodies_view view = scree_world_bodies(world);
    scree_heat_def def = scree_default_heat_def();
    const scree_wall_heat hot = {.is_given = true, .temperature = 500};

    def.loss_share = loss_share;
    CHECK_EQUAL(scree_world_set_heat(world, &def), SCREE_OK);
    CHECK_EQUAL(set_material(world, conductivity), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_heat(world, world->walls.wall[0].id, &hot), SCREE_OK);
    for (size_t k = 0; k < view.count; k++) {
        const scree_body_id id = scree_body_id_at(view.id, k);
        const uint64_t serial = scree_uint64_at(view.serial, k);
        scree_body_heat heat;
        CHECK_EQUAL(scree_world_get_body_heat(world, id, &heat), SCREE_OK);
        heat.temperature = 280 + (double)(serial % 40);
        heat.source = serial % 5 == 0 ? 0.1 : serial % 7 == 0 ? -0.02 : 0;
        heat.is_held = serial == 33;
        CHECK_EQUAL(scree_world_set_body_heat(world, id, &heat), SCREE_OK);
    }
}

static void add_body(scree_world *world)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(0.003);
    def.material.index1 = 1;
    def.position[2] = 0.2;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
}

/*  Switches heat on, changes one thing of it at each call, and switches it off. */
static void change_heat(scree_world *world, int call)
{
    const scree_wall_heat cold = {.is_given = true, .temperature = 200};
    scree_body_heat heat;

    if (call == 1)
        warm(world, SLOW, world->def.energy_balance ? 0.5 : 0);
    if (call == 2)
        CHECK_EQUAL(set_material(world, FAST), SCREE_OK);
    if (call == 3)
        CHECK_EQUAL(scree_world_set_wall_heat(world, world->walls.wall[0].id, &cold), SCREE_OK);
    if (call == 4) {
        CHECK_EQUAL(scree_world_get_body_heat(world, id_of(world, 9), &heat), SCREE_OK);
        heat.temperature = 1000;
        CHECK_EQUAL(scree_world_set_body_heat(world, id_of(world, 9), &heat), SCREE_OK);
    }
    if (call == 5) {
        add_body(world);
        CHECK_EQUAL(scree_world_remove_body(world, id_of(world, 9)), SCREE_OK);
    }
    if (call == 6)
        CHECK_EQUAL(scree_world_set_heat(world, NULL), SCREE_OK);
}

static uint64_t max_pieces;
static double given;

/*  The steps of the last call have been taken. */
static void heat_and_look(scree_world *world, int call)
{
    scree_wall_heat wall;

    if (call == 0)
        warm(world, FAST, world->def.energy_balance ? 1 : 0);
    max_pieces = call ? world->heat.course.pieces : 0;
    CHECK_EQUAL(scree_world_get_wall_heat(world, world->walls.wall[0].id, &wall), SCREE_OK);
    given = wall.given;
}

TEST(temperatures_and_what_walls_give_are_the_same_with_substeps)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7};
    run alone = {.of = {.bodies = 300, .ratio = 2, .threads = 1}, .host = heat_and_look};
    uint64_t shared = 0;

    set_calls(&alone, 4, TEST_EFFORT(300, 2000));
    CHECK(max_pieces >= 2);
    CHECK(given != 0);
    for (int k = 0; k < 5; k++)
        shared += compare(&alone, ranks[k], 1 + ranks[k] % 2);
    CHECK(shared >= 4);
}

TEST(what_contacts_lose_warms_bodies_as_on_one_process)
{
    run alone = {.of = {.bodies = 300,
                        .ratio = 3,
                        .threads = 1,
                        .is_periodic = true,
                        .is_automatic = true,
                        .has_balance = true},
                 .host = heat_and_look};

    set_calls(&alone, 3, TEST_EFFORT(200, 1000));
    for (uint32_t ranks = 2; ranks <= 5; ranks++)
        compare(&alone, ranks, 1);
}

TEST(heat_flows_through_bodies_of_all_shapes)
{
    run alone = {.of = {.bodies = 80, .ratio = 2, .threads = 1, .shapes = BED_ALL, .leaves = true},
                 .host = heat_and_look};

    set_calls(&alone, 3, TEST_EFFORT(300, 1000));
    for (uint32_t ranks = 2; ranks <= 4; ranks++)
        compare(&alone, ranks, 1);
}

TEST(what_the_host_changes_of_heat_is_heard)
{
    run alone = {.of = {.bodies = 200, .ratio = 2, .threads = 1}, .host = change_heat};
    run balanced = {.of = {.bodies = 200, .ratio = 2, .threads = 1, .has_balance = true},
                    .host = change_heat};

    set_calls(&alone, 8, 200);
    set_calls(&balanced, 8, 200);
    for (uint32_t ranks = 1; ranks <= 4; ranks++) {
        compare(&alone, ranks, 1);
        compare(&balanced, ranks, 1);
    }
}

/* ---- failures ---- */

/*  Body 150 has a sink of 1 W per K that it has: at the last call it has no heat left. */
static void cool_one(scree_world *world, int call)
{
    scree_body_heat heat;

    if (call == 0)
        warm(world, SLOW, 0);
    if (call == 1) {
        CHECK_EQUAL(scree_world_get_body_heat(world, id_of(world, 150), &heat), SCREE_OK);
        heat.source = -1e4;
        CHECK_EQUAL(scree_world_set_body_heat(world, id_of(world, 150), &heat), SCREE_OK);
    }
}

/*  The same where a step has substeps: then it is the coldest body of all that counts. */
static void cool_in_substeps(scree_world *world, int call)
{
    cool_one(world, call);
    if (call == 0)
        CHECK_EQUAL(set_material(world, FAST), SCREE_OK);
}

static void take_capacity(scree_world *world, int call)
{
    const scree_material_heat_def none = scree_default_material_heat_def();

    if (call == 0)
        warm(world, SLOW, 0);
    if (call == 1)
        CHECK_EQUAL(scree_world_set_material_heat(world, (scree_material_id){1}, &none), SCREE_OK);
}

static void insulate_badly(scree_world *world, int call)
{
    if (call == 0)
        warm(world, SLOW, 0);
    if (call == 1)
        CHECK_EQUAL(set_material(world, 1e12), SCREE_OK);
}

static void fails_alike(host_fn *host, const char *word)
{
    run alone = {.of = {.bodies = 200, .ratio = 2, .threads = 1},
                 .host = host,
                 .calls = 2,
                 .steps = {400, 100}};

    run_alone(&alone);
    CHECK(alone.status != SCREE_OK);
    CHECK_SAYS(alone.error.text, word);
    for (uint32_t ranks = 1; ranks <= 4; ranks++) {
        const run all = run_on(&alone, ranks, 1);
        CHECK_EQUAL(all.status, alone.status);
        CHECK_EQUAL(all.taken, alone.taken);
        CHECK_TEXT(all.error.text, alone.error.text);
        CHECK_EQUAL(all.digest[0], alone.digest[0]);
        CHECK_EQUAL(all.digest[1], alone.digest[1]);
    }
}

TEST(a_body_that_would_be_colder_than_nothing_is_told)
{
    fails_alike(cool_one, "body 150 would be colder than 0 K");
    fails_alike(cool_in_substeps, "body 150 would be colder than 0 K");
}

TEST(other_failures_of_heat_are_told)
{
    fails_alike(take_capacity, "has no heat capacity");
    fails_alike(insulate_badly, "times the largest stable step");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(temperatures_and_what_walls_give_are_the_same_with_substeps),
        CASE(what_contacts_lose_warms_bodies_as_on_one_process),
        CASE(heat_flows_through_bodies_of_all_shapes),
        CASE(what_the_host_changes_of_heat_is_heard),
        CASE(a_body_that_would_be_colder_than_nothing_is_told),
        CASE(other_failures_of_heat_are_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
