/*  What is set is read back, by one pattern of calls. */
#include "sound_world.h"

#include "scree/cell.h"
#include "scree/heat.h"
#include "scree/sleep.h"

TEST(numbers_are_read_back)
{
    static const double gravity[3] = {1, 2, 3};
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    double read[3], dt, global, local, lower[3], upper[3];
    scree_time_mode mode;
    scree_boundary boundary[3];
    scree_margin_def margin;

    CHECK_EQUAL(scree_world_set_gravity(world, gravity), SCREE_OK);
    CHECK_EQUAL(scree_world_get_gravity(world, read), SCREE_OK);
    CHECK(memcmp(read, gravity, sizeof read) == 0);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_AUTOMATIC, 2e-6), SCREE_OK);
    CHECK_EQUAL(scree_world_get_dt(world, &mode, &dt), SCREE_OK);
    CHECK(mode == SCREE_TIME_AUTOMATIC && dt == 2e-6);
    CHECK_EQUAL(scree_world_get_dt(world, NULL, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_set_damping(world, 3, 0.25), SCREE_OK);
    CHECK_EQUAL(scree_world_get_damping(world, &global, &local), SCREE_OK);
    CHECK(global == 3 && local == 0.25);
    CHECK_EQUAL(scree_world_set_friction(world, (scree_material_id){1}, 0.125), SCREE_OK);
    CHECK_NEAR(scree_world_get_friction(world, (scree_material_id){1}), 0.125, 0);
    CHECK_EQUAL(scree_world_set_method(world, "bvh8"), SCREE_OK);
    CHECK_TEXT(scree_world_get_method(world), "bvh8");
    CHECK_EQUAL(scree_world_get_margin(world, &margin), SCREE_OK);
    margin.length = 1e-4;
    CHECK_EQUAL(scree_world_set_margin(world, &margin), SCREE_OK);
    margin.length = 0;
    CHECK_EQUAL(scree_world_get_margin(world, &margin), SCREE_OK);
    CHECK_NEAR(margin.length, 1e-4, 0);
    CHECK_EQUAL(scree_world_get_domain(world, lower, upper, boundary), SCREE_OK);
    CHECK_EQUAL(boundary[2], SCREE_BOUNDARY_NONE);
    scree_world_destroy(world);
}

/*  What may be absent: not there, there with its definition, and not there again. */
TEST(definitions_are_read_back)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_sleep_def sleep;
    scree_heat_def heat;
    scree_wall_servo_def servo;
    scree_free_wall_def loose;
    scree_wall_id wall;

    CHECK_EQUAL(scree_world_walls(world, &wall, 1), 1);
    CHECK(!scree_world_get_sleep(world, &sleep));
    sleep.speed = 0.125;
    sleep.steps = 7;
    CHECK_EQUAL(scree_world_set_sleep(world, &sleep), SCREE_OK);
    sleep = scree_default_sleep_def();
    CHECK(scree_world_get_sleep(world, &sleep));
    CHECK(sleep.speed == 0.125 && sleep.steps == 7);
    CHECK_EQUAL(scree_world_set_sleep(world, NULL), SCREE_OK);
    CHECK(!scree_world_get_sleep(world, NULL));

    CHECK(!scree_world_get_heat(world, &heat));
    heat.temperature = 400;
    CHECK_EQUAL(scree_world_set_heat(world, &heat), SCREE_OK);
    heat.temperature = 0;
    CHECK(scree_world_get_heat(world, &heat));
    CHECK_NEAR(heat.temperature, 400, 0);
    CHECK_EQUAL(scree_world_set_heat(world, NULL), SCREE_OK);
    CHECK(!scree_world_get_heat(world, NULL));

    CHECK(!scree_world_get_wall_servo(world, wall, &servo));
    servo.force = 5;
    servo.max_speed = 2;
    CHECK_EQUAL(scree_world_set_wall_servo(world, wall, &servo), SCREE_OK);
    servo.force = 0;
    CHECK(scree_world_get_wall_servo(world, wall, &servo));
    CHECK(servo.force == 5 && servo.max_speed == 2);
    CHECK_EQUAL(scree_world_set_wall_servo(world, wall, &servo), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_servo(world, wall, NULL), SCREE_OK);
    CHECK(!scree_world_get_wall_servo(world, wall, NULL));

    CHECK(!scree_world_get_free_wall(world, wall, &loose));
    loose.mass = loose.inertia[0] = loose.inertia[1] = loose.inertia[2] = 3;
    loose.velocity[0] = 0.5;
    CHECK_EQUAL(scree_world_set_free_wall(world, wall, &loose), SCREE_OK);
    loose.mass = 0;
    CHECK(scree_world_get_free_wall(world, wall, &loose));
    CHECK(loose.mass == 3 && loose.velocity[0] == 0.5);
    CHECK_EQUAL(scree_world_set_free_wall(world, wall, NULL), SCREE_OK);
    CHECK(!scree_world_get_free_wall(world, wall, NULL));
    CHECK(!scree_world_get_free_wall(world, (scree_wall_id){9, 1}, &loose));
    scree_world_destroy(world);
}

TEST(a_cell_is_read_back)
{
    scree_world_def def = sound_world();
    scree_cell_def cell;
    scree_cell_servo_def servo;

    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 2;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_get_cell(world, &cell), SCREE_OK);
    cell.upper[0] = 3;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    cell.upper[0] = 0;
    CHECK_EQUAL(scree_world_get_cell(world, &cell), SCREE_OK);
    CHECK_NEAR(cell.upper[0], 3, 0);
    CHECK(!scree_world_get_cell_servo(world, &servo, NULL, NULL));
    CHECK_EQUAL(scree_world_get_cell(world, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_are_read_back),
        CASE(definitions_are_read_back),
        CASE(a_cell_is_read_back),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
