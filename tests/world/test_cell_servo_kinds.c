/*  Cells that are driven to given stresses, with bodies of every kind, by every integrator: the stress is that
    of a slow reference and is held, bytes are the same however they are computed, and runs go on from where they were. What cannot
    be held, or not be summed, is told, and nothing is lost. */
#include "cell_bodies.h"
#include "harness/failing_allocator.h"
#include "scree/checkpoint.h"

#define TARGET 2000

static const char *const kind_names[] = {"balls", "clumps", "blocks", "meshes", "all"};

/* ---- what it holds ---- */

static void check_stress(scree_world *world, const cell_bodies *c)
{
    scree_cell_def before;
    double slow[3][3], pressure = 0;

    scree_world_get_cell(world, &before);
    step(world, 1);
    reference_stress(world, &before, slow);
    for (int k = 0; k < c->dimensions; k++)
        pressure += slow[k][k] / c->dimensions;
    CHECK_NEAR(pressure_of(world), pressure, 1e-9 * TARGET);
}

/*  From loose to where it stays. */
static void check_held(const cell_bodies *c, double time)
{
    scree_world *world = loose(c);
    const double dt = scree_world_clock(world).dt > 0 ? scree_world_clock(world).dt : c->dt;
    double most;

    press(world, TARGET);
    for (int k = 0; k < 5; k++) {
        step(world, (uint64_t)(time / 5 / dt));
        check_stress(world, c);
    }
    double mean = mean_pressure(world, TARGET, 20, &most);
    if (!(fabs(mean - TARGET) < 0.005 * TARGET && most < 0.02 * TARGET))
        FAIL("%d dimensions, %s, integrator %d: %g Pa in the mean, %g Pa off at most",
             c->dimensions, kind_names[c->kind], c->integrator, mean, most);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    CHECK(scree_world_detection_stats(world).contacts > 30);
    scree_world_destroy(world);
}

/*  Surrogates are of bodies of triangles: alone, and beside others. */
TEST(a_pressure_is_held_with_any_bodies)
{
    static const struct
    {
        body_kind kind;
        scree_integrator integrator;
        double time[2]; /* s, in two and three dimensions; 0: not there */
    } runs[] = {
        {OF_BALLS, SCREE_VELOCITY_VERLET, {0.8, 0.28}},
        {OF_BALLS, SCREE_IMPLICIT_EULER, {0.8, 0.28}},
        {OF_CLUMPS, SCREE_IMPLICIT_EULER, {0.8, 0.28}},
        {OF_BLOCKS, SCREE_VELOCITY_VERLET, {0, 0.32}},
        {OF_BLOCKS, SCREE_IMPLICIT_EULER, {0.8, 0}},
        {OF_MESHES, SCREE_VELOCITY_VERLET, {0, 0.22}},
        {OF_MESHES, SCREE_IMPLICIT_SURROGATE, {0, 0.22}},
        {OF_ALL, SCREE_VELOCITY_VERLET, {0.8, 0}},
        {OF_ALL, SCREE_IMPLICIT_EULER, {0.8, 0.28}},
        {OF_ALL, SCREE_IMPLICIT_MULTISCALE, {0, 0.28}},
    };

    for (size_t r = 0; r < 2 * SCREE_COUNT_OF(runs); r++) {
        const int flat = r % 2 == 0;
        const cell_bodies c = {.dimensions = flat ? 2 : 3,
                               .many = flat ? 6 : 4,
                               .kind = runs[r / 2].kind,
                               .integrator = runs[r / 2].integrator,
                               .dt = runs[r / 2].integrator == SCREE_VELOCITY_VERLET ? 2e-5 : 5e-5};
        if (!test_is_full() && (!flat || c.kind != OF_ALL))
            continue;
        if (runs[r / 2].time[!flat] > 0)
            check_held(&c, runs[r / 2].time[!flat]);
    }
}

/* ---- the promises ---- */

/*  Explicit steps and implicit ones. */
static const cell_bodies all_ways[] = {
    {.dimensions = 3, .many = 4, .kind = OF_ALL},
    {.dimensions = 3,
     .many = 4,
     .kind = OF_ALL,
     .integrator = SCREE_IMPLICIT_MULTISCALE,
     .dt = 5e-5},
};

TEST(bytes_do_not_depend_on_how_they_are_computed)
{
    static const char *const methods[] = {"bounding-volume", "flat", "bvh8"};

    for (size_t w = TEST_EFFORT(1, 0); w < SCREE_COUNT_OF(all_ways); w++) {
        uint64_t wanted = 0;
        for (uint32_t m = TEST_EFFORT(1, 0); m < SCREE_COUNT_OF(methods); m++) {
            cell_bodies c = all_ways[w];
            c.method = methods[m];
            c.threads = m + 1;
            scree_world *world = loose(&c);
            press(world, TARGET);
            step(world, c.dt > 0 ? 3000 : 7500);
            shear(world, 5);
            step(world, 300);
            wanted = wanted ? wanted : scree_world_digest(world);
            CHECK(scree_world_digest(world) == wanted);
            CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
            CHECK(scree_world_detection_stats(world).contacts > 50);
            scree_world_destroy(world);
        }
    }
}

TEST(a_run_continues_from_a_checkpoint)
{
    static const char *const path = "test_cell_servo_kinds.scree";
    scree_error error = {0};

    for (size_t w = TEST_EFFORT(1, 0); w < SCREE_COUNT_OF(all_ways); w++) {
        const uint64_t half = all_ways[w].dt > 0 ? 2600 : 6500;
        scree_world_def def = def_of(&all_ways[w]);
        scree_world *world = loose(&all_ways[w]), *read;
        scree_checkpoint *checkpoint;
        press(world, TARGET);
        step(world, half);
        CHECK_EQUAL(scree_checkpoint_write(world, path, NULL, 0, &error), SCREE_OK);
        CHECK_EQUAL(scree_checkpoint_read(path, NULL, &checkpoint, &error), SCREE_OK);
        if (scree_checkpoint_world(checkpoint, &def, &read, &error))
            FAIL("%s", error.text);
        CHECK(pressure_of(read) > 0.2 * TARGET);
        for (int k = 0; k < 5; k++) {
            step(world, half / 10);
            step(read, half / 10);
            CHECK(scree_world_digest(read) == scree_world_digest(world));
            CHECK(pressure_of(read) == pressure_of(world));
        }
        CHECK_EQUAL(remove(path), 0);
        scree_checkpoint_destroy(checkpoint);
        scree_world_destroy(world);
        scree_world_destroy(read);
    }
}

/* ---- what cannot be ---- */

/*  A body that is owned elsewhere has a share of the sums that is not known here. */
TEST(ghosts_are_refused)
{
    const cell_bodies c = {.dimensions = 3, .many = 3};
    scree_world *world = loose(&c);
    scree_body_def ghost = ball(R, 0, 0, 0);

    press(world, TARGET);
    step(world, 5);
    ghost.flags = SCREE_GHOST;
    scree_body_id id = add(world, &ghost);
    uint64_t digest = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world),
               "world: step 6: the cell has a servo, and body 28 is a ghost: the servo would not "
               "count the stress of other worlds");
    CHECK(scree_world_digest(world) == digest);
    CHECK_EQUAL(scree_world_remove_body(world, id), SCREE_OK);
    step(world, 5);
    add(world, &ghost);
    CHECK_EQUAL(scree_world_set_cell_servo(world, NULL), SCREE_OK);
    step(world, 5);
    scree_world_destroy(world);
}

/*  A cell that no body is in, and gas that is to carry what no gas can: a pull, and a push to the side that it yields to. The
    world continues, as long as there is room. */
TEST(what_is_never_stable_is_reported)
{
    static const struct
    {
        int bodies;
        double pressure, shear;
        const char *says;
    } runs[] = {
        {0, 100, NAN, "servo of the cell: pressure: in most of 20000 steps"},
        {1, -100, NAN, "servo of the cell: pressure: in most of 20000 steps"},
        {1, NAN, -100, "servo of the cell: xy: in most of 20000 steps"},
    };

    for (size_t r = 0; r < SCREE_COUNT_OF(runs); r++) {
        char heard[300] = "";
        cell_bodies c = {.dimensions = 2, .many = 5, .log = {hear_servos, heard}};
        scree_world_def def = def_of(&c);
        scree_world *world = runs[r].bodies ? loose(&c) : make_world(&def, NULL);
        scree_cell_servo_def servo = scree_default_cell_servo_def();
        scree_cell_def cell;
        scree_world_get_cell(world, &cell);
        cell.homogeneous = true;
        CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
        servo.pressure = runs[r].pressure;
        servo.stress[3] = runs[r].shear;
        servo.max_rate = 0.5;
        CHECK_EQUAL(scree_world_set_cell_servo(world, &servo), SCREE_OK);
        step(world, 20100);
        CHECK_SAYS(heard, runs[r].says);
        CHECK_SAYS(heard, "it is as fast as it may be, and yet does not hold its target");
        CHECK_EQUAL(scree_world_body_count(world), runs[r].bodies ? 25 : 0);
        scree_world_destroy(world);
    }
}

static size_t check_lost_memory(body_kind kind)
{
    uint64_t wanted = 0;

    for (size_t k = 0;; k++) {
        failing_allocator memory = {.fail_at = 0};
        const cell_bodies c = {.dimensions = 2,
                               .many = 4,
                               .kind = kind,
                               .allocator = failing_allocator_hooks(&memory)};
        scree_world *world = loose(&c);
        bool failed = false;
        press(world, 2000);
        size_t before = memory.requests;
        memory.fail_at = k ? before + k : 0;
        for (int n = 0; n < 20; n++) {
            uint64_t digest = scree_world_digest(world);
            scree_status status = scree_world_step(world, 30);
            if (status) {
                CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
                failed = true;
                /* so many of the 30 have been taken */
                step(world, 30 * (uint64_t)(n + 1) - scree_world_clock(world).steps);
            }
            CHECK(scree_world_digest(world) != digest);
        }
        if (!k)
            wanted = scree_world_digest(world);
        CHECK(scree_world_digest(world) == wanted);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (k && !failed)
            return k;
    }
}

TEST(lost_memory_loses_nothing)
{
    CHECK(check_lost_memory(OF_BALLS) > 5);
    CHECK(check_lost_memory(OF_ALL) > 20);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE_OF_PHYSICS(a_pressure_is_held_with_any_bodies),
        CASE(bytes_do_not_depend_on_how_they_are_computed),
        CASE(a_run_continues_from_a_checkpoint),
        CASE(ghosts_are_refused),
        CASE(what_is_never_stable_is_reported),
        CASE(lost_memory_loses_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
