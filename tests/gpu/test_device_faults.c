/*  What a device cannot do, and what goes wrong on one: the world is as it was before the call, and continues with the host to the same
    state. */
#include "device_bed.h"
#include "gpu/opencl.h"
#include "scree/checkpoint.h"

#define HAVE_DEVICE()                                                                              \
    do {                                                                                           \
        if (!has_device())                                                                         \
            return;                                                                                \
    } while (0)

static const device_bed small = {
    .side = 4, .layers = 4, .least = 0.7, .speed = 0.5, .has_weight = true};

static void advance(scree_world *world, uint64_t steps)
{
    const scree_status status = scree_world_step(world, steps);

    if (status)
        printf("%s\n", scree_world_message(world));
    CHECK_EQUAL(status, SCREE_OK);
}

static uint64_t digest_after(const device_bed *bed, uint64_t steps)
{
    scree_world *world = make_bed(bed, NULL);
    uint64_t digest;

    advance(world, steps);
    digest = scree_world_digest(world);
    scree_world_destroy(world);
    return digest;
}

/* ---- what is refused ---- */

TEST(all_that_cannot_be_done_is_named_at_once)
{
    HAVE_DEVICE();
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    char reasons[512];

    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.energy_balance = true;
    def.domain.boundary[0] = SCREE_BOUNDARY_REFLECT;
    def.domain.upper[0] = 1;
    def.compute.device = test_device();
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_device_refusals(world, reasons, sizeof reasons), 3);
    CHECK_TEXT(
        reasons,
        "a time step that is not fixed; an energy balance; boundaries that are not periodic");
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSUPPORTED);
    CHECK_TEXT(scree_world_message(world),
               "world: the device cannot do: a time step that is not fixed; an energy balance; "
               "boundaries that are not periodic");
    CHECK_EQUAL(scree_world_clock(world).steps, 0);
    CHECK_EQUAL(scree_world_set_device(world, "cpu"), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

TEST(lists_that_do_not_fit_are_cut)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    char reasons[8];

    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.energy_balance = true;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_device_refusals(world, reasons, sizeof reasons), 2);
    CHECK_TEXT(reasons, "a time ");
    CHECK_EQUAL(scree_world_device_refusals(world, NULL, 0), 0);
    CHECK_EQUAL(scree_world_device_refusals(NULL, reasons, sizeof reasons), 0);
    CHECK_EQUAL(scree_world_set_device(NULL, "gpu"), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

TEST(devices_that_are_not_there)
{
    scree_world *world = make_bed(&small, NULL);

    CHECK_EQUAL(scree_world_set_device(world, "no such device"), SCREE_UNSUPPORTED);
    CHECK(strlen(scree_world_message(world)) > 20);
    advance(world, 3);
    scree_world_destroy(world);
}

/* ---- steps that are refused ---- */

TEST(a_step_is_refused_in_the_words_of_the_host)
{
    HAVE_DEVICE();
    device_bed fast = small;
    scree_world *host, *device;

    fast.speed = 12;
    fast.dt = 4e-5;
    fast.side = 6;
    host = make_bed(&fast, NULL);
    device = make_bed(&fast, test_device());
    CHECK_EQUAL(scree_world_step(host, 2000), SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_step(device, 2000), SCREE_UNSTABLE);
    CHECK_TEXT(scree_world_message(device), scree_world_message(host));
    CHECK_EQUAL(scree_world_clock(device).steps, scree_world_clock(host).steps);
    CHECK(scree_world_clock(host).steps > 2);
    CHECK(scree_world_digest(device) == scree_world_digest(host));
    scree_world_destroy(host);
    scree_world_destroy(device);
}

/*  A body that spins by more than series reach in a step: such steps are the host's. */
TEST(steps_that_kernels_cannot_do_are_left_to_the_host)
{
    HAVE_DEVICE();
    scree_world *worlds[2] = {make_bed(&small, NULL), make_bed(&small, test_device())};

    for (int k = 0; k < 2; k++) {
        scree_body body;
        scree_body_id id = {1, 1};
        CHECK_EQUAL(scree_world_get_body(worlds[k], id, &body), SCREE_OK);
        body.spin[1] = 1e5;
        CHECK_EQUAL(scree_world_set_body(worlds[k], id, &body), SCREE_OK);
        advance(worlds[k], 5);
    }
    CHECK(scree_world_digest(worlds[0]) == scree_world_digest(worlds[1]));
    CHECK_EQUAL(scree_device_course_of(worlds[1]).host_steps, 5);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

static scree_world *make_two(const char *device)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_world *world;

    def.step.dt = 1e-5;
    def.compute.device = device;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    ball.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 2; k++) {
        ball.position[2] = 0.05 * k;
        ball.velocity[2] = k == 0 ? 0.1 / def.step.dt : 0;
        CHECK_EQUAL(scree_world_add_body(world, &ball, NULL), SCREE_OK);
    }
    return world;
}

/*  One that would pass another unseen: the host looks at ways, so that is its step, too. */
TEST(nothing_passes_unseen)
{
    HAVE_DEVICE();
    scree_world *worlds[2] = {make_two(NULL), make_two(test_device())};

    for (int k = 0; k < 2; k++) {
        CHECK_EQUAL(scree_world_step(worlds[k], 3), SCREE_UNSTABLE);
        CHECK_SAYS(scree_world_message(worlds[k]), "would go through body 2 unseen");
    }
    CHECK_TEXT(scree_world_message(worlds[1]), scree_world_message(worlds[0]));
    CHECK(scree_world_digest(worlds[0]) == scree_world_digest(worlds[1]));
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

/* ---- what the host does between calls ---- */

/*  Bodies come and go, as from sources and into sinks. */
TEST(sources_and_sinks)
{
    HAVE_DEVICE();
    scree_world *worlds[2] = {make_bed(&small, NULL), make_bed(&small, test_device())};
    const uint32_t count = TEST_EFFORT(12, 100);

    for (uint32_t turn = 0; turn < count; turn++) {
        for (int k = 0; k < 2; k++) {
            scree_body_def body = scree_default_body_def();
            scree_body_id gone = {1 + turn, 1};
            body.material.index1 = 1;
            body.shape = scree_shape_sphere(0.003);
            body.position[0] = 0.008 + 0.009 * (turn % 4);
            body.position[1] = 0.008 + 0.009 * (turn / 4 % 4);
            body.position[2] = 0.08;
            body.velocity[2] = -5;
            advance(worlds[k], 60);
            CHECK_EQUAL(scree_world_add_body(worlds[k], &body, NULL), SCREE_OK);
            if (turn % 2)
                CHECK_EQUAL(scree_world_remove_body(worlds[k], gone), SCREE_OK);
        }
        CHECK(scree_world_digest(worlds[0]) == scree_world_digest(worlds[1]));
    }
    CHECK_EQUAL(scree_device_course_of(worlds[1]).host_steps, 0);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

TEST(to_and_fro_between_host_and_device)
{
    HAVE_DEVICE();
    scree_world *world = make_bed(&small, test_device());

    for (int turn = 0; turn < 6; turn++) {
        CHECK_EQUAL(scree_world_set_device(world, turn % 2 ? test_device() : "cpu"), SCREE_OK);
        advance(world, 100);
    }
    CHECK(scree_world_digest(world) == digest_after(&small, 600));
    scree_world_destroy(world);
}

TEST(a_host_continues_from_a_snapshot_of_a_device)
{
    HAVE_DEVICE();
    scree_world *device = make_bed(&small, test_device()), *host = make_bed(&small, NULL);
    scree_snapshot *snapshot;

    advance(device, 400);
    CHECK_EQUAL(scree_world_snapshot(device, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(host, snapshot), SCREE_OK);
    advance(host, 300);
    CHECK(scree_world_digest(host) == digest_after(&small, 700));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(device);
    scree_world_destroy(host);
}

/* ---- devices that fail ---- */

/*  Each call of the driver in turn: the world is what it was, and the host continues. */
TEST(a_device_that_is_lost)
{
    HAVE_DEVICE();
    const uint64_t right = digest_after(&small, 260);
    const uint64_t stride = TEST_EFFORT(37, 3);
    uint64_t calls = 0;

    for (uint64_t at = 1; at == 1 || at <= calls; at += stride) {
        scree_gpu_fault fault = {.code = -5};
        const scree_device_options options = {.fault = &fault};
        scree_world *world = make_bed(&small, NULL);
        CHECK_EQUAL(scree_device_open(world, test_device(), &options), SCREE_OK);
        advance(world, 60);
        const uint64_t before = scree_world_digest(world), begun = fault.calls;
        fault.at = begun + at;
        const scree_status status = scree_world_step(world, 200);
        if (at == 1)
            calls = 400;
        if (status) {
            CHECK(status == SCREE_DEVICE_ERROR || status == SCREE_OUT_OF_MEMORY);
            CHECK(strstr(scree_world_message(world), "OUT_OF_RESOURCES") != NULL ||
                  status == SCREE_OUT_OF_MEMORY);
            CHECK(scree_world_digest(world) == before);
            CHECK_EQUAL(scree_world_set_device(world, "cpu"), SCREE_OK);
            advance(world, 200);
        }
        CHECK(scree_world_digest(world) == right);
        scree_world_destroy(world);
    }
}

TEST(a_lost_device_takes_no_more_steps)
{
    HAVE_DEVICE();
    scree_gpu_fault fault = {.code = -5};
    const scree_device_options options = {.fault = &fault};
    scree_world *world = make_bed(&small, NULL);

    CHECK_EQUAL(scree_device_open(world, test_device(), &options), SCREE_OK);
    advance(world, 10);
    fault.at = fault.calls + 20;
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_DEVICE_ERROR);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_DEVICE_ERROR);
    CHECK_TEXT(scree_world_message(world),
               "world: its device has failed; to continue, call scree_world_set_device with "
               "\"cpu\"");
    CHECK_EQUAL(scree_world_set_device(world, test_device()), SCREE_OK);
    advance(world, 100);
    CHECK(scree_world_digest(world) == digest_after(&small, 110));
    scree_world_destroy(world);
}

TEST(too_little_memory)
{
    HAVE_DEVICE();
    const scree_device_options options = {.memory = 20000, .is_unchecked = true};
    scree_world *world = make_bed(&small, NULL);

    CHECK_EQUAL(scree_device_open(world, test_device(), &options), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 10), SCREE_OUT_OF_MEMORY);
    /* with the number that is wanted, and the one there is */
    CHECK(strstr(scree_world_message(world), "20000") != NULL ||
          strstr(scree_world_message(world), "20.0 kB") != NULL);
    CHECK_EQUAL(scree_world_clock(world).steps, 0);
    CHECK_EQUAL(scree_world_set_device(world, NULL), SCREE_OK);
    advance(world, 10);
    CHECK(scree_world_digest(world) == digest_after(&small, 10));
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(all_that_cannot_be_done_is_named_at_once),
                                      CASE(lists_that_do_not_fit_are_cut),
                                      CASE(devices_that_are_not_there),
                                      CASE(a_step_is_refused_in_the_words_of_the_host),
                                      CASE(steps_that_kernels_cannot_do_are_left_to_the_host),
                                      CASE(nothing_passes_unseen),
                                      CASE(sources_and_sinks),
                                      CASE(to_and_fro_between_host_and_device),
                                      CASE(a_host_continues_from_a_snapshot_of_a_device),
                                      CASE(a_device_that_is_lost),
                                      CASE(a_lost_device_takes_no_more_steps),
                                      CASE(too_little_memory)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
