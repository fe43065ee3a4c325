/*  Walls of triangles on a device, against the host: after each call both worlds have the same digest. */
#include "device_drum.h"
#include "scree/checkpoint.h"
#include "world/step/world_data.h"

#define HAVE_DEVICE()                                                                              \
    do {                                                                                           \
        if (!has_device())                                                                         \
            return;                                                                                \
    } while (0)

#define STEPS (uint64_t) TEST_EFFORT(1100, 10000)

static void check_drum(const device_drum *drum, uint64_t steps)
{
    scree_world *before = make_drum(drum, NULL);

    /* so that there is something to compare */
    CHECK_EQUAL(scree_world_step(before, 900), SCREE_OK);
    CHECK(before->wall_contacts.now.count > 20);
    FIGURE("contacts with walls %.0f", (double)before->wall_contacts.now.count);
    scree_world_destroy(before);
    check_same_worlds(make_drum(drum, NULL), make_drum(drum, test_device()), steps);
}

TEST(drum_that_rotates)
{
    HAVE_DEVICE();
    const device_drum drum = {
        .across = 6, .layers = TEST_EFFORT(3, 8), .sides = 24, .least = 0.8, .rate = 6};

    check_drum(&drum, STEPS);
}

/*  Blades are open sheets: grains slide off their edges and corners. The floor is a plane; the drum moves along its
    axis, too. */
TEST(drum_with_blades_and_a_floor)
{
    HAVE_DEVICE();
    const device_drum drum = {.across = 6,
                              .layers = TEST_EFFORT(3, 8),
                              .sides = 24,
                              .least = 0.5,
                              .rate = -12,
                              .shake = 5e-4,
                              .has_lifters = true,
                              .has_floor = true,
                              .has_two_materials = true};

    check_drum(&drum, STEPS);
}

/*  The surface of the floor, and that of the drum, move along themselves. */
TEST(drum_with_belts)
{
    HAVE_DEVICE();
    const device_drum drum = {.across = 6,
                              .layers = TEST_EFFORT(3, 8),
                              .sides = 24,
                              .least = 0.5,
                              .rate = 3,
                              .has_lifters = true,
                              .has_floor = true,
                              .has_belts = true};

    check_drum(&drum, STEPS);
}

/*  Triangles narrower than a grain: contacts go from one to the next, and there is one for several. */
TEST(drum_of_narrow_triangles)
{
    HAVE_DEVICE();
    const device_drum drum = {
        .across = 5, .layers = 3, .sides = 400, .least = 0.4, .rate = 8, .has_lifters = true};

    check_drum(&drum, STEPS);
}

/*  A law that acts before grains touch. */
TEST(drum_that_attracts)
{
    HAVE_DEVICE();
    static const char *const names[] = {"volume", "surface_tension", NULL};
    const device_drum drum = {.law = "capillary",
                              .across = 5,
                              .layers = 3,
                              .sides = 24,
                              .least = 0.6,
                              .rate = 6,
                              .has_lifters = true,
                              .names = names,
                              .values = (const double[]){1e-9, 0.07}};

    check_drum(&drum, STEPS);
}

/*  Grains that leave one end come in at the other, where they are near other facets. */
TEST(drum_without_ends)
{
    HAVE_DEVICE();
    const device_drum drum = {.across = 5,
                              .layers = TEST_EFFORT(6, 8),
                              .sides = 24,
                              .least = 0.6,
                              .rate = 6,
                              .has_lifters = true,
                              .is_periodic = true};

    check_drum(&drum, STEPS);
}

static void advance(scree_world *world, uint64_t steps)
{
    CHECK_EQUAL(scree_world_step(world, steps), SCREE_OK);
}

static const device_drum small = {
    .across = 5, .layers = 3, .sides = 24, .least = 0.6, .rate = 6, .has_lifters = true};

/*  Force records are computed by the host when they are read, from the contacts and history that came back: the loads
    are those of a host that continues from the same state. */
TEST(loads_on_the_drum)
{
    HAVE_DEVICE();
    scree_world *worlds[2] = {make_drum(&small, NULL), make_drum(&small, test_device())};
    static scree_facet_load loads[2][256];
    const scree_wall_id id = {1, 1};
    scree_snapshot *snapshot;
    scree_wall walls[2];
    uint64_t contacts = 0;

    advance(worlds[1], 900);
    CHECK_EQUAL(scree_world_snapshot(worlds[1], &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(worlds[0], snapshot), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        CHECK_EQUAL(scree_world_get_wall(worlds[k], id, &walls[k]), SCREE_OK);
        const size_t facets = scree_mesh_describe(walls[k].mesh).facet_count;
        CHECK_EQUAL(scree_world_wall_loads(worlds[k], id, loads[k], facets), SCREE_OK);
    }
    CHECK(memcmp(walls[0].force, walls[1].force, sizeof walls[0].force) == 0);
    CHECK(memcmp(walls[0].torque, walls[1].torque, sizeof walls[0].torque) == 0);
    CHECK(memcmp(loads[0], loads[1], sizeof loads[0]) == 0);
    for (int f = 0; f < 256; f++)
        contacts += loads[0][f].contacts;
    CHECK(contacts > 10);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

/*  Contacts that the host has begun continue on the device, and the other way round. */
TEST(to_and_fro_in_a_drum)
{
    HAVE_DEVICE();
    scree_world *here = make_drum(&small, test_device()), *host = make_drum(&small, NULL);

    for (int turn = 0; turn < 8; turn++) {
        CHECK_EQUAL(scree_world_set_device(here, turn % 2 ? test_device() : "cpu"), SCREE_OK);
        advance(here, 131);
        advance(host, 131);
        CHECK(scree_world_digest(here) == scree_world_digest(host));
    }
    scree_world_destroy(here);
    scree_world_destroy(host);
}

/*  Walls come and go between calls; a mesh that was copied is not taken for another. */
TEST(walls_that_come_and_go)
{
    HAVE_DEVICE();
    scree_world *worlds[2] = {make_drum(&small, NULL), make_drum(&small, test_device())};
    const device_drum wide = {.across = 6, .layers = 3, .sides = 12};
    scree_wall_id gone = {1, 1};

    for (int turn = 0; turn < 3; turn++) {
        for (int k = 0; k < 2; k++) {
            scree_wall_def wall = scree_default_wall_def();
            scree_mesh *mesh = drum_mesh(&wide);
            scree_wall_id id;
            advance(worlds[k], 200);
            wall.kind = SCREE_WALL_MESH;
            wall.mesh = mesh;
            wall.material.index1 = 1;
            wall.path.velocity[1] = 0.01;
            CHECK_EQUAL(scree_world_add_wall(worlds[k], &wall, &id), SCREE_OK);
            CHECK_EQUAL(scree_world_remove_wall(worlds[k], gone), SCREE_OK);
            gone = k == 1 ? id : gone;
            scree_mesh_destroy(mesh);
            advance(worlds[k], 100);
        }
        CHECK(scree_world_digest(worlds[0]) == scree_world_digest(worlds[1]));
    }
    CHECK_EQUAL(scree_device_course_of(worlds[1]).host_steps, 0);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

/*  A grain between the hubs of two fans overlaps all their triangles at once. Returns how many steps the host took. */
static uint64_t steps_on_fans(int sides)
{
    const device_drum fans = {.across = 1, .layers = 1, .sides = sides, .least = 1, .rate = 6};
    scree_world *host = make_drum(&fans, NULL), *device = make_drum(&fans, test_device());
    uint64_t host_steps;

    for (int turn = 0; turn < 3; turn++) {
        advance(host, 40);
        advance(device, 40);
        CHECK(scree_world_digest(host) == scree_world_digest(device));
    }
    host_steps = scree_device_course_of(device).host_steps;
    scree_world_destroy(host);
    scree_world_destroy(device);
    return host_steps;
}

/*  Kernels with more room are built, up to a limit; beyond it the host takes steps. */
TEST(many_triangles_at_once)
{
    HAVE_DEVICE();
    CHECK_EQUAL(steps_on_fans(12), 0);
    CHECK_EQUAL(steps_on_fans(100), 0);
    CHECK(steps_on_fans(300) > 0);
}

/*  Blades reach grains at rest: the motion of walls alone makes facets come near. */
TEST(grains_at_rest_that_blades_reach)
{
    HAVE_DEVICE();
    device_drum still = small;

    still.is_still = true;
    still.rate = 25;
    scree_world *host = make_drum(&still, NULL);
    uint32_t moved = 0;
    CHECK_EQUAL(scree_world_step(host, STEPS), SCREE_OK);
    for (uint32_t slot = 0; slot < host->bodies.count; slot++)
        moved += host->bodies.velocity[slot][0] != 0;
    CHECK(moved > 4);
    scree_world_destroy(host);
    check_same_worlds(make_drum(&still, NULL), make_drum(&still, test_device()), STEPS);
}

/*  Blades so fast that they are on the other side of a grain after one step, and touch it at neither end. */
TEST(nothing_passes_through_fast_blades)
{
    HAVE_DEVICE();
    const device_drum fast = {.across = 4,
                              .layers = 1,
                              .sides = 24,
                              .least = 0.9,
                              .rate = 52500,
                              .has_lifters = true,
                              .is_still = true};
    scree_world *worlds[2];

    for (int k = 0; k < 2; k++) {
        worlds[k] = make_drum(&fast, k ? test_device() : NULL);
        CHECK_EQUAL(scree_world_step(worlds[k], 3), SCREE_UNSTABLE);
        CHECK_SAYS(scree_world_message(worlds[k]), "unseen");
    }
    CHECK_TEXT(scree_world_message(worlds[1]), scree_world_message(worlds[0]));
    CHECK_EQUAL(scree_world_clock(worlds[1]).steps, scree_world_clock(worlds[0]).steps);
    CHECK(scree_world_digest(worlds[0]) == scree_world_digest(worlds[1]));
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(drum_that_rotates),
                                      CASE(drum_with_blades_and_a_floor),
                                      CASE(drum_with_belts),
                                      CASE(drum_of_narrow_triangles),
                                      CASE(drum_that_attracts),
                                      CASE(drum_without_ends),
                                      CASE(loads_on_the_drum),
                                      CASE(to_and_fro_in_a_drum),
                                      CASE(walls_that_come_and_go),
                                      CASE(many_triangles_at_once),
                                      CASE(grains_at_rest_that_blades_reach),
                                      CASE(nothing_passes_through_fast_blades)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
