/*  Lists of events on ranks, which are threads here: after every call the list has the same events in the same order as on
    one process, with the same handles, places, speeds, durations and impulses. */
#include "event_hash.h"
#include "ranks_bed.h"

/*  Of the last call; and how many of each kind in all calls of the run alone. */
static size_t counts[SCREE_EVENT_DEEP + 1];
static bool is_counted;

static uint64_t hash_events(scree_world *world)
{
    const scree_event *events;
    size_t count;
    uint64_t hash = SCREE_HASH_START;

    CHECK_EQUAL(scree_world_events(world, &events, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        hash = hash_event(hash, &events[k]);
        counts[events[k].kind] += is_counted;
    }
    hash = scree_hash_word(hash, scree_world_local_counts(world).deep);
    return scree_hash_word(hash, count);
}

/*  Runs alone, and counts; `least` of the kind are needed, so that the test tests something. */
static void count_alone(run *alone, int calls, uint64_t steps, scree_event_kind kind, size_t least)
{
    memset(counts, 0, sizeof counts);
    is_counted = true;
    set_calls(alone, calls, steps);
    is_counted = false;
    FIGURE("%zu begin, %zu end, %zu bonds, %zu fall asleep, %zu wake, %zu leave, %zu deep",
           counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]);
    CHECK(counts[kind] >= least);
}

TEST(contacts_that_begin_and_end_are_listed_as_on_one_process)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};
    run alone = {
        .of = {.bodies = 400, .ratio = 4, .threads = 1, .lists_events = true, .rolls = true},
        .look = hash_events};
    run mesh = {.of = {.bodies = 200,
                       .ratio = 3,
                       .threads = 2,
                       .lists_events = true,
                       .has_mesh = true,
                       .is_periodic = true,
                       .is_automatic = true},
                .look = hash_events};

    count_alone(&alone, 4, TEST_EFFORT(400, 2500), SCREE_EVENT_CONTACT_END, 100);
    for (int k = 0; k < 4; k++)
        compare(&alone, ranks[k], 1);
    count_alone(&mesh, 3, TEST_EFFORT(300, 1500), SCREE_EVENT_CONTACT_BEGIN, 50);
    compare(&mesh, 4, 2);
}

TEST(contacts_of_shapes_are_listed_as_on_one_process)
{
    run alone = {
        .of = {.bodies = 100, .ratio = 2, .threads = 1, .lists_events = true, .shapes = BED_ALL},
        .look = hash_events};

    count_alone(&alone, 3, TEST_EFFORT(400, 2000), SCREE_EVENT_CONTACT_END, 20);
    for (uint32_t ranks = 2; ranks <= 7; ranks += 5)
        compare(&alone, ranks, 1);
}

/*  So heavy that surfaces cross. */
static void press(scree_world *world, int call)
{
    const double gravity[3] = {0, 0, -30000};

    if (call == 0)
        scree_world_set_gravity(world, gravity);
}

TEST(deep_contacts_are_listed_and_counted_as_on_one_process)
{
    run alone = {
        .of = {.bodies = 100, .ratio = 2, .threads = 1, .lists_events = true, .shapes = BED_ALL},
        .host = press,
        .look = hash_events};

    count_alone(&alone, 3, 200, SCREE_EVENT_DEEP, 5);
    for (uint32_t ranks = 2; ranks <= 7; ranks += 5)
        compare(&alone, ranks, 1);
}

/*  Bodies, some of which touch others, are moved to the other side: contacts end because their pairs are gone, in the list that is
    made before the first step. Later one is removed, and gravity changes. */
static void move_far(scree_world *world, int call)
{
    const double gravity[3] = {2, 0, -9.81};
    scree_bodies_view view = scree_world_bodies(world);
    scree_body body;

    if (call == 4)
        scree_world_set_gravity(world, gravity);
    for (size_t k = 0; k < view.count; k++) {
        const uint64_t serial = scree_uint64_at(view.serial, k);
        if (call == 3 && serial % 7 == 1) {
            scree_world_get_body(world, scree_body_id_at(view.id, k), &body);
            body.position[0] = -body.position[0];
            body.position[2] = 0.1 + 0.001 * (double)serial;
            scree_world_set_body(world, scree_body_id_at(view.id, k), &body);
        }
        if (call == 2 && serial == 23) {
            scree_world_remove_body(world, scree_body_id_at(view.id, k));
            break;
        }
    }
}

TEST(contacts_that_the_host_parts_end)
{
    run alone = {
        .of = {.bodies = 300, .ratio = 3, .threads = 1, .lists_events = true, .damping = 0.7},
        .host = move_far,
        .look = hash_events};
    run shapes = {.of = {.bodies = 140,
                         .ratio = 2,
                         .threads = 1,
                         .lists_events = true,
                         .damping = 0.7,
                         .shapes = BED_ALL},
                  .host = move_far,
                  .look = hash_events};

    count_alone(&alone, 5, TEST_EFFORT(600, 2000), SCREE_EVENT_CONTACT_END, 40);
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
    count_alone(&shapes, 5, TEST_EFFORT(250, 1000), SCREE_EVENT_CONTACT_END, 10);
    compare(&shapes, 3, 1);
}

/*  In the step in which a body leaves, its contacts end, among those of the other ranks. */
TEST(bodies_that_leave_are_listed_as_on_one_process)
{
    run alone = {.of = {.bodies = 400,
                        .ratio = 4,
                        .threads = 1,
                        .seed = 7,
                        .leaves = true,
                        .lists_events = true},
                 .look = hash_events};

    count_alone(&alone, 6, TEST_EFFORT(500, 2000), SCREE_EVENT_BODY_LEFT, 20);
    for (uint32_t ranks = 1; ranks <= 7; ranks += 2)
        compare(&alone, ranks, 1);
}

static void make_bonds(scree_world *world, int call)
{
    scree_bond_def bonds = scree_default_bond_def();

    bonds.gap = 0.004;
    if (call == 0)
        CHECK_EQUAL(scree_world_add_bonds(world, &bonds, NULL), SCREE_OK);
    if (call == 1)
        scree_world_set_gravity(world, (const double[3]){300, 0, 0});
}

TEST(bonds_that_break_are_listed_as_on_one_process)
{
    run alone = {
        .of = {.bodies = 300, .ratio = 1.3, .threads = 1, .has_bonds = true, .lists_events = true},
        .host = make_bonds,
        .look = hash_events};

    count_alone(&alone, 3, TEST_EFFORT(300, 1500), SCREE_EVENT_BOND_BROKE, 5);
    for (uint32_t ranks = 2; ranks <= 7; ranks += 5)
        compare(&alone, ranks, 1);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(contacts_that_begin_and_end_are_listed_as_on_one_process),
        CASE(contacts_of_shapes_are_listed_as_on_one_process),
        CASE(deep_contacts_are_listed_and_counted_as_on_one_process),
        CASE(contacts_that_the_host_parts_end),
        CASE(bodies_that_leave_are_listed_as_on_one_process),
        CASE(bonds_that_break_are_listed_as_on_one_process),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
