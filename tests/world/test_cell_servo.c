/*  Cells that are driven to given stresses: they hold them, whatever bodies are in them; the stress is that of a slow reference; nothing
    is late, no byte depends on how pairs were found, and runs go on from where they were. */
#include "cell_bodies.h"
#include "scree/checkpoint.h"

TEST(stresses_are_those_of_a_slow_reference)
{
    for (int kind = OF_BALLS; kind <= TEST_EFFORT(OF_BALLS, OF_CLUMPS); kind++) {
        const cell_bodies c = {.dimensions = 3, .many = 5, .kind = (body_kind)kind};
        static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
        scree_world *world = loose(&c);
        scree_cell_servo_def servo = scree_default_cell_servo_def();
        double slow[3][3], stress[6];

        for (int q = 0; q < 6; q++)
            servo.stress[q] = q < 3 ? 2000 + 100 * q : -200;
        servo.max_rate = 3;
        CHECK_EQUAL(scree_world_set_cell_servo(world, &servo), SCREE_OK);
        for (int k = 0; k < 40; k++) {
            scree_cell_def before;
            step(world, 499);
            scree_world_get_cell(world, &before);
            step(world, 1);
            reference_stress(world, &before, slow);
            CHECK(scree_world_get_cell_servo(world, NULL, stress, NULL));
            for (int q = 0; q < 6; q++)
                CHECK_NEAR(stress[q], slow[row[q]][column[q]], 1e-9 * (fabs(stress[0]) + 1));
        }
        CHECK(scree_world_detection_stats(world).contacts > 150);
        CHECK(stress[0] > 1000 && stress[3] < -50);
        scree_world_destroy(world);
    }
}

/* ---- what it holds ---- */

/*  In two and three dimensions; spheres, and clumps; from far off, and where it is changed. */
TEST(a_pressure_is_held_and_stays)
{
    static const cell_bodies sets[] = {{.dimensions = 3, .many = 5},
                                       {.dimensions = 2, .many = 10},
                                       {.dimensions = 3, .many = 4, .kind = OF_CLUMPS}};

    for (size_t k = 0; k < TEST_EFFORT(1, sizeof sets / sizeof *sets); k++) {
        scree_world *world = loose(&sets[k]);
        double most, target = 1000;
        press(world, target);
        for (int again = 0; again < 2; again++) {
            step(world, sets[k].dimensions == 2 ? 60000 : 20000);
            CHECK_NEAR(mean_pressure(world, target, 100, &most), target, 0.002 * target);
            CHECK(most < 0.01 * target);
            target = 3000;
            press(world, target);
        }
        CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
        scree_world_destroy(world);
    }
}

/*  Each axis its own, and a stress across them that the packing carries. */
TEST(all_stresses_are_held)
{
    const cell_bodies c = {.dimensions = 3, .many = 5};
    scree_world *world = loose(&c);
    scree_cell_servo_def servo = scree_default_cell_servo_def();
    double stress[6];

    press(world, 1000);
    step(world, 20000);
    servo.max_rate = 2;
    for (int q = 0; q < 6; q++)
        servo.stress[q] = q < 3 ? 1000 + 50 * q : q == 3 ? -150 : 0;
    CHECK_EQUAL(scree_world_set_cell_servo(world, &servo), SCREE_OK);
    step(world, 25000);
    for (int k = 0; k < 20; k++) {
        step(world, 100);
        scree_world_get_cell_servo(world, NULL, stress, NULL);
        for (int q = 0; q < 6; q++)
            CHECK_NEAR(stress[q], servo.stress[q], 10);
    }
    scree_world_destroy(world);
}

/*  Sheared on and on: volume follows, and the pressure stays in the mean. */
TEST(shear_continues_at_constant_pressure)
{
    const cell_bodies c = {.dimensions = 3, .many = 5};
    scree_world *world = loose(&c);
    scree_cell_def cell;
    double most;

    press(world, 1000);
    step(world, 15000);
    shear(world, 1);
    step(world, 10000);
    CHECK_NEAR(mean_pressure(world, 1000, 300, &most), 1000, 10);
    CHECK(most < 300);
    scree_world_get_cell(world, &cell);
    CHECK(cell.gradient[0][1] == 1 && cell.homogeneous);
    CHECK_NEAR(cell.upper[0] - cell.lower[0], cell.upper[2] - cell.lower[2], 1e-12);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    scree_world_destroy(world);
}

/* ---- the promises ---- */

TEST(bytes_do_not_depend_on_how_pairs_are_found)
{
    static const struct
    {
        const char *method;
        uint32_t threads;
    } ways[] = {{"bounding-volume", 1}, {"pairing", 1},   {"flat", 3}, {"bvh8", 2},
                {"hash-grids", 1},      {"cell-space", 4}};
    uint64_t wanted = 0;

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const cell_bodies c = {
            .dimensions = 3, .many = 5, .method = ways[w].method, .threads = ways[w].threads};
        scree_world *world = loose(&c);
        press(world, 2000);
        step(world, 4000);
        shear(world, 20);
        step(world, 1000);
        wanted = w ? wanted : scree_world_digest(world);
        CHECK(scree_world_digest(world) == wanted);
        CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
        CHECK(scree_world_detection_stats(world).contacts > 100);
        scree_world_destroy(world);
    }
}

TEST(a_run_continues_from_where_it_was)
{
    static const char *const path = "test_cell_servo.scree";
    const cell_bodies c = {.dimensions = 3, .many = 5};
    scree_world_def def = def_of(&c);
    scree_world *world = loose(&c), *other = loose(&c), *copy, *read;
    scree_snapshot *none, *half;
    scree_checkpoint *checkpoint;
    scree_cell_servo_def servo;
    scree_error error = {0};

    CHECK_EQUAL(scree_world_snapshot(other, &none), SCREE_OK);
    press(world, 2000);
    step(world, 5000); /* packed, and slower than it may be */
    CHECK_EQUAL(scree_world_snapshot(world, &half), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_write(world, path, NULL, 0, &error), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_read(path, NULL, &checkpoint, &error), SCREE_OK);
    if (scree_checkpoint_world(checkpoint, &def, &read, &error))
        FAIL("%s", error.text);
    CHECK_EQUAL(scree_world_restore(other, half), SCREE_OK);
    CHECK(scree_world_get_cell_servo(other, &servo, NULL, NULL));
    CHECK(servo.pressure == 2000 && servo.max_rate == 2 && isnan(servo.stress[0]));
    CHECK(pressure_of(other) == pressure_of(world));
    step(world, 1500);
    step(copy, 1500);
    step(read, 1500);
    step(other, 1500);
    CHECK(scree_world_digest(copy) == scree_world_digest(world));
    CHECK(scree_world_digest(read) == scree_world_digest(world));
    CHECK(scree_world_digest(other) == scree_world_digest(world));
    /* to where there was none; and what it holds is a part of the state */
    CHECK_EQUAL(scree_world_restore(other, none), SCREE_OK);
    CHECK(!scree_world_get_cell_servo(other, &servo, NULL, NULL));
    uint64_t before = scree_world_digest(world);
    press(world, 2001);
    CHECK(scree_world_digest(world) != before);
    CHECK_EQUAL(scree_world_set_cell_servo(world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_set_cell_servo(world, NULL), SCREE_OK);
    scree_cell_def cell;
    scree_world_get_cell(world, &cell);
    CHECK(cell.gradient[0][0] == 0 && cell.gradient[1][1] == 0 && cell.gradient[2][2] == 0);
    step(world, 10);
    CHECK_EQUAL(remove(path), 0);
    scree_checkpoint_destroy(checkpoint);
    scree_snapshot_destroy(none);
    scree_snapshot_destroy(half);
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_world_destroy(copy);
    scree_world_destroy(read);
}

/*  A tenth of a percent of what there was is what the method of time steps leaves open. */
static double sum_of(const scree_energy *e)
{
    return e->kinetic + e->rotational + e->potential + e->elastic + e->damping + e->friction +
           e->rolling + e->body_damping - e->walls - e->loads - e->boundary - e->entered +
           e->removed;
}

TEST(the_balance_closes)
{
    const cell_bodies c = {.dimensions = 3, .many = 5};
    scree_world *world = loose(&c);
    scree_energy energy = scree_world_energy(world);
    double before = sum_of(&energy);

    press(world, 2000);
    step(world, 8000);
    energy = scree_world_energy(world);
    CHECK(energy.boundary > 0 && energy.elastic > 0);
    CHECK_NEAR(sum_of(&energy), before, 0.01 * energy.boundary);
    scree_world_destroy(world);
}

static void refuses(scree_world *world, const scree_cell_servo_def *servo, scree_status status,
                    const char *says)
{
    uint64_t digest = scree_world_digest(world);

    CHECK_EQUAL(scree_world_set_cell_servo(world, servo), status);
    CHECK_SAYS(scree_world_message(world), says);
    CHECK(scree_world_digest(world) == digest);
}

TEST(what_cannot_be_is_refused)
{
    const cell_bodies c = {.dimensions = 2, .many = 5};
    scree_world *world = loose(&c);
    scree_cell_servo_def good = scree_default_cell_servo_def(), bad;
    scree_cell_def cell;

    good.pressure = 100;
    good.max_rate = 1;
    CHECK_EQUAL(scree_world_set_cell_servo(NULL, &good), SCREE_BAD_ARGUMENT);
    bad = good;
    bad.cookie = 0;
    refuses(world, &bad, SCREE_BAD_DEF, "not from scree_default_cell_servo_def");
    bad = good;
    bad.max_rate = 0;
    refuses(world, &bad, SCREE_BAD_VALUE, "max_rate is 0, must be above 0");
    bad.max_rate = NAN;
    refuses(world, &bad, SCREE_BAD_VALUE, "max_rate is");
    bad = good;
    bad.pressure = NAN;
    refuses(world, &bad, SCREE_BAD_VALUE, "no stress is given");
    bad.pressure = INFINITY;
    refuses(world, &bad, SCREE_BAD_VALUE, "pressure is inf, must be finite");
    bad = good;
    bad.stress[1] = 5;
    refuses(world, &bad, SCREE_BAD_VALUE, "give one of them");
    bad = good;
    bad.stress[4] = 5;
    refuses(world, &bad, SCREE_BAD_VALUE, "yz: there is none in two dimensions");
    CHECK_EQUAL(scree_world_set_cell_servo(world, &good), SCREE_OK);
    scree_world_get_cell(world, &cell);
    cell.homogeneous = false;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "must be homogeneous while a servo drives it");
    CHECK_EQUAL(scree_world_set_cell_servo(world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    refuses(world, &good, SCREE_BAD_VALUE, "the cell must be homogeneous");
    scree_world_destroy(world);

    scree_world_def def = def_of(&c);
    def.domain.boundary[1] = SCREE_BOUNDARY_STOP;
    world = make_world(&def, NULL);
    refuses(world, &good, SCREE_BAD_VALUE, "the boundary along y is not periodic");
    scree_world_destroy(world);
}

/*  Of nothing a cell can make no pressure: it comes together until there is no room, and says so before. */
TEST(what_cannot_be_held_is_told)
{
    const cell_bodies c = {.dimensions = 2, .many = 8};
    char heard[300] = "";
    scree_world_def def = def_of(&c);
    scree_cell_servo_def servo = scree_default_cell_servo_def();
    scree_cell_def cell;

    def.hooks.log = (scree_log){hear_servos, heard};
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = ball(R, 0.1, 0.1, 0);
    add(world, &body);
    scree_world_get_cell(world, &cell);
    cell.homogeneous = true;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    servo.pressure = 100;
    servo.max_rate = 0.5;
    CHECK_EQUAL(scree_world_set_cell_servo(world, &servo), SCREE_OK);
    step(world, 19990);
    CHECK(heard[0] == 0);
    step(world, 20);
    CHECK_SAYS(heard,
               "servo of the cell: pressure: in most of 20000 steps it is as fast as it may be");
    CHECK_EQUAL(scree_world_step(world, 1000000), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "period");
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE_OF_PHYSICS(stresses_are_those_of_a_slow_reference),
        CASE_OF_PHYSICS(a_pressure_is_held_and_stays),
        CASE_OF_PHYSICS(all_stresses_are_held),
        CASE_OF_PHYSICS(shear_continues_at_constant_pressure),
        CASE(bytes_do_not_depend_on_how_pairs_are_found),
        CASE(a_run_continues_from_where_it_was),
        CASE(the_balance_closes),
        CASE(what_cannot_be_is_refused),
        CASE(what_cannot_be_held_is_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
