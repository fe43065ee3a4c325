/*  Looking into a world: its detector, and where the time of steps goes. Neither changes what comes. */
#include "harness/drum.h"
#include "test.h"

static int count_piece(const scree_outline_piece *piece, void *user)
{
    uint64_t *bodies = user;
    *bodies += piece->count;
    return 0;
}

static const drum_scene drum = {.across = 3, .most = 3, .layers = 1, .facets = 100};

static scree_world *open_drum(const drum_way *way)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(&drum, way, &error);
    if (!world)
        FAIL("%s", error.text);
    return world;
}

TEST(the_detector_at_work_can_be_looked_at)
{
    const drum_way way = {.method = "hashing2"};
    scree_world *world = open_drum(&way);
    uint64_t bodies = 0;

    CHECK(!scree_world_step(world, 5));
    const scree_detector *detector = scree_world_detector(world);
    CHECK_TEXT(scree_detector_explain(detector).method, "hashing2");
    CHECK_EQUAL(scree_detector_stats(detector).bodies, scree_world_body_count(world));
    CHECK(!scree_detector_outline(detector, count_piece, &bodies));
    CHECK_EQUAL(bodies, scree_world_body_count(world));
    CHECK(!scree_world_set_method(world, "dess2"));
    CHECK_TEXT(scree_detector_explain(scree_world_detector(world)).method, "dess2");
    CHECK(!scree_world_detector(NULL));
    scree_world_destroy(world);
}

TEST(phases_add_up_and_change_nothing)
{
    const drum_way way = {0};
    scree_world *timed = open_drum(&way), *other = open_drum(&way);
    const scree_contact *contacts;
    size_t count;

    CHECK(!scree_world_step(timed, 3));
    CHECK_EQUAL(scree_world_phases(timed).steps, 0);
    CHECK(scree_world_phases(timed).search == 0 && scree_world_phases(timed).rest == 0);
    scree_world_time_phases(timed, true);
    CHECK(!scree_world_step(timed, 20));
    scree_phases phases = scree_world_phases(timed);
    CHECK_EQUAL(phases.steps, 20);
    CHECK(phases.search > 0 && phases.pairs > 0 && phases.walls > 0 && phases.sums > 0 &&
          phases.rest > 0);
    /* what is read between steps is of no phase */
    CHECK(!scree_world_contacts(timed, NULL, &contacts, &count));
    CHECK(scree_world_phases(timed).rest == phases.rest);
    scree_world_time_phases(timed, false);
    CHECK(!scree_world_step(timed, 2));
    CHECK_EQUAL(scree_world_phases(timed).steps, 0);
    CHECK(!scree_world_step(other, 25));
    CHECK(scree_world_digest(timed) == scree_world_digest(other));
    scree_world_time_phases(NULL, true);
    CHECK_EQUAL(scree_world_phases(NULL).steps, 0);
    scree_world_destroy(timed);
    scree_world_destroy(other);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_detector_at_work_can_be_looked_at),
        CASE(phases_add_up_and_change_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
