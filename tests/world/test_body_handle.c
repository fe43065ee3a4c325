/*  One body by its handle: reading, changing, blows, and what is refused. */
#include "scree/body.h"
#include "scree/cell.h"
#include "sound_world.h"

TEST(handles_are_compared)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body_id older = ids[0];

    CHECK(scree_body_id_is_null(scree_no_body()));
    CHECK(!scree_body_id_is_null(ids[0]));
    CHECK(scree_body_id_equal(ids[0], older));
    CHECK(!scree_body_id_equal(ids[0], ids[1]));
    older.generation++;
    CHECK(!scree_body_id_equal(ids[0], older));
    older.index1 = 0;
    CHECK(scree_body_id_equal(older, scree_no_body()));
    scree_world_destroy(world);
}

/*  What is set is read back by its own call and by scree_world_get_body, and nothing else has changed. */
TEST(what_is_set_is_read_back)
{
    static const double place[3] = {0.5, 0.25, 0.125}, speed[3] = {1, -2, 3}, spin[3] = {4, 5, -6};
    static const double turn[4] = {0, 3, 0, 4}, force[3] = {1, 2, 3}, torque[3] = {-1, 0, 1};
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body before, after;
    scree_material_def def = scree_default_material_def();
    scree_material_id other;
    double read[4];

    CHECK_EQUAL(scree_world_add_material(world, &def, &other), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, ids[1], &before), SCREE_OK);
    CHECK_EQUAL(scree_body_set_position(world, ids[1], place), SCREE_OK);
    CHECK_EQUAL(scree_body_set_velocity(world, ids[1], speed), SCREE_OK);
    CHECK_EQUAL(scree_body_set_spin(world, ids[1], spin), SCREE_OK);
    CHECK_EQUAL(scree_body_set_orientation(world, ids[1], turn), SCREE_OK);
    CHECK_EQUAL(scree_body_set_load(world, ids[1], force, torque), SCREE_OK);
    CHECK_EQUAL(scree_body_set_material(world, ids[1], other), SCREE_OK);
    CHECK_EQUAL(scree_body_set_groups(world, ids[1], 6, 12), SCREE_OK);
    CHECK_EQUAL(scree_body_set_flags(world, ids[1], SCREE_FREEZE_Y), SCREE_OK);
    CHECK_EQUAL(scree_body_set_user(world, ids[1], 77), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, ids[1], &after), SCREE_OK);
    memcpy(before.position, place, sizeof place);
    memcpy(before.velocity, speed, sizeof speed);
    memcpy(before.spin, spin, sizeof spin);
    memcpy(before.orientation, (const double[4]){0, 0.6, 0, 0.8}, sizeof before.orientation);
    memcpy(before.load, (const double[6]){1, 2, 3, -1, 0, 1}, sizeof before.load);
    before.material = other;
    before.groups = 6;
    before.mask = 12;
    before.flags = SCREE_FREEZE_Y;
    before.user = 77;
    CHECK(memcmp(&before, &after, sizeof before) == 0);

    CHECK_EQUAL(scree_body_get_position(world, ids[1], read), SCREE_OK);
    CHECK(memcmp(read, place, sizeof place) == 0);
    CHECK_EQUAL(scree_body_get_velocity(world, ids[1], read), SCREE_OK);
    CHECK(memcmp(read, speed, sizeof speed) == 0);
    CHECK_EQUAL(scree_body_get_spin(world, ids[1], read), SCREE_OK);
    CHECK(memcmp(read, spin, sizeof spin) == 0);
    CHECK_EQUAL(scree_body_get_orientation(world, ids[1], read), SCREE_OK);
    CHECK(memcmp(read, before.orientation, sizeof before.orientation) == 0);
    CHECK_NEAR(scree_body_get_mass(world, ids[1]), before.mass, 0);
    /* no load again */
    CHECK_EQUAL(scree_body_set_load(world, ids[1], NULL, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, ids[1], &after), SCREE_OK);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(after.load[k], 0, 0);
    scree_world_destroy(world);
}

/*  As by scree_world_set_body: the same digest. */
TEST(a_change_is_that_of_set_body)
{
    static const double speed[3] = {1, 2, 3};
    scree_body_id ids[2];
    scree_world *one = make_world(ids), *two = make_world(ids);
    scree_body body;

    CHECK_EQUAL(scree_body_set_velocity(one, ids[0], speed), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(two, ids[0], &body), SCREE_OK);
    memcpy(body.velocity, speed, sizeof speed);
    CHECK_EQUAL(scree_world_set_body(two, ids[0], &body), SCREE_OK);
    advance(one, 10);
    advance(two, 10);
    CHECK_EQUAL(scree_world_digest(one), scree_world_digest(two));
    scree_world_destroy(one);
    scree_world_destroy(two);
}

TEST(the_force_of_a_step_is_read)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_world *world = open_world(&def);
    scree_body_id id;
    double force[3], torque[3];

    CHECK_EQUAL(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
    ball.shape = scree_shape_sphere(0.01);
    CHECK_EQUAL(scree_world_add_bodies(world, &ball, 1, &id), SCREE_OK);
    CHECK_EQUAL(
        scree_body_set_load(world, id, (const double[3]){1, 0, 0}, (const double[3]){0, 0, 2}),
        SCREE_OK);
    advance(world, 1);
    CHECK_EQUAL(scree_body_get_force(world, id, force, torque), SCREE_OK);
    CHECK_NEAR(force[0], 1, 1e-15);
    CHECK_NEAR(force[1], def.gravity[1] * scree_body_get_mass(world, id), 1e-15);
    CHECK_NEAR(torque[2], 2, 1e-15);
    scree_world_destroy(world);
}

/*  Of a block whose moments differ, turned: the momentum and the moment of momentum that a blow brings are its own. */
TEST(a_blow_brings_its_momentum)
{
    static const double impulse[3] = {0.03, -0.02, 0.05};
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def stone = scree_default_body_def();
    scree_body_id id;
    scree_totals before, after;
    double point[3], centre[3];

    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &stone.material), SCREE_OK);
    stone.shape = scree_shape_sphere(0.05);
    stone.inertia[0] = 1e-4;
    stone.inertia[1] = 2e-4;
    stone.inertia[2] = 2.5e-4;
    memcpy(stone.orientation, (const double[4]){0.5, -0.1, 0.7, 0.3}, sizeof stone.orientation);
    memcpy(stone.spin, (const double[3]){1, 2, 3}, sizeof stone.spin);
    CHECK_EQUAL(scree_world_add_bodies(world, &stone, 1, &id), SCREE_OK);
    before = scree_world_totals(world);
    CHECK_EQUAL(scree_body_get_position(world, id, centre), SCREE_OK);
    for (int k = 0; k < 3; k++)
        point[k] = centre[k] + 0.01 * (k + 1);
    CHECK_EQUAL(scree_body_apply_impulse(world, id, impulse, point), SCREE_OK);
    after = scree_world_totals(world);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double moment = point[i] * impulse[j] - point[j] * impulse[i];
        CHECK_NEAR(after.momentum[k] - before.momentum[k], impulse[k], 1e-15);
        CHECK_NEAR(after.angular_momentum[k] - before.angular_momentum[k], moment, 1e-15);
    }
    /* at the centre it does not turn; what is held stays */
    double spin[3], held[3];
    CHECK_EQUAL(scree_body_get_spin(world, id, spin), SCREE_OK);
    CHECK_EQUAL(scree_body_apply_impulse(world, id, impulse, NULL), SCREE_OK);
    CHECK_EQUAL(scree_body_get_spin(world, id, held), SCREE_OK);
    CHECK(memcmp(spin, held, sizeof spin) == 0);
    CHECK_EQUAL(scree_body_set_flags(world, id, SCREE_FREEZE), SCREE_OK);
    before = scree_world_totals(world);
    CHECK_EQUAL(scree_body_apply_impulse(world, id, impulse, point), SCREE_OK);
    after = scree_world_totals(world);
    CHECK(memcmp(before.momentum, after.momentum, sizeof before.momentum) == 0);
    CHECK(memcmp(before.angular_momentum, after.angular_momentum, sizeof before.momentum) == 0);
    scree_world_destroy(world);
}

TEST(what_is_wrong_is_refused_and_changes_nothing)
{
    static const double bad[4] = {NAN, 0, 0, 0}, none[4] = {0}, one[3] = {1, 1, 1};
    scree_body_id ids[2], gone;
    scree_world *world = make_world(ids);
    double read[4];

    gone = ids[1];
    CHECK_EQUAL(scree_world_remove_body(world, ids[1]), SCREE_OK);
    uint64_t digest = scree_world_digest(world);
    CHECK_EQUAL(scree_body_set_velocity(world, ids[0], bad), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "body 1: velocity");
    CHECK_EQUAL(scree_body_set_position(world, ids[0], bad), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_spin(world, ids[0], bad), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_orientation(world, ids[0], none), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_load(world, ids[0], bad, NULL), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_apply_impulse(world, ids[0], bad, NULL), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_apply_impulse(world, ids[0], one, bad), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_flags(world, ids[0], 1u << 30), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_material(world, ids[0], (scree_material_id){9}), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_body_set_velocity(world, gone, one), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "names no body");
    CHECK_EQUAL(scree_body_get_velocity(world, gone, read), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_body_get_velocity(world, scree_no_body(), read), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_body_get_force(world, gone, read, read), SCREE_BAD_ARGUMENT);
    CHECK_NEAR(scree_body_get_mass(world, gone), 0, 0);
    CHECK_EQUAL(scree_world_digest(world), digest);
    scree_world_destroy(world);
}

/*  Under gravity a static body stays, a kinematic one continues as it did, and a dynamic one falls. */
TEST(a_type_says_what_moves_a_body)
{
    static const double speed[3] = {0.25, 0, 0};
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body body;
    scree_body_id id = ids[0];

    CHECK_EQUAL(scree_body_get_type(world, id), SCREE_BODY_DYNAMIC);
    CHECK_EQUAL(scree_body_set_type(world, id, SCREE_BODY_KINEMATIC), SCREE_OK);
    CHECK_EQUAL(scree_body_set_velocity(world, id, speed), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 10), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(body.type, SCREE_BODY_KINEMATIC);
    CHECK_EQUAL(body.flags, SCREE_FREEZE);
    CHECK(memcmp(body.velocity, speed, sizeof speed) == 0);
    /* a static one stops, and takes no velocity */
    CHECK_EQUAL(scree_body_set_type(world, id, SCREE_BODY_STATIC), SCREE_OK);
    CHECK_EQUAL(scree_body_set_velocity(world, id, speed), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "static");
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(body.type, SCREE_BODY_STATIC);
    CHECK_EQUAL(body.flags, SCREE_FREEZE);
    CHECK_EQUAL(scree_world_step(world, 10), SCREE_OK);
    CHECK(memcmp(body.position, scree_row_at(scree_world_bodies(world).position, 0),
                 3 * sizeof(double)) == 0);
    /* flags decide under the same type, and a new type over flags */
    body.flags = SCREE_FREEZE_Y;
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(scree_body_get_type(world, id), SCREE_BODY_DYNAMIC);
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    body.type = SCREE_BODY_STATIC;
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(scree_body_get_type(world, id), SCREE_BODY_STATIC);
    CHECK_EQUAL(scree_body_set_type(world, id, SCREE_BODY_DYNAMIC), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(body.flags, 0);
    CHECK_EQUAL(scree_body_set_flags(world, id, SCREE_FREEZE), SCREE_OK);
    CHECK_EQUAL(scree_body_get_type(world, id), SCREE_BODY_KINEMATIC);
    CHECK_EQUAL(scree_body_set_type(world, id, (scree_body_type)7), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_set_flags(world, id, 0x80), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_body_get_type(world, scree_no_body()), SCREE_BODY_DYNAMIC);
    scree_world_destroy(world);
}

/*  It is part of the state, and a definition says it as well. */
TEST(a_type_is_kept_in_snapshots)
{
    scree_body_id ids[2], id;
    scree_world *world = make_world(ids);
    scree_snapshot *snapshot;
    scree_body body;
    scree_body_def def = scree_default_body_def();

    CHECK_EQUAL(scree_world_get_body(world, ids[0], &body), SCREE_OK);
    def.shape = body.shape;
    def.material = body.material;
    def.position[0] = 100;
    def.velocity[0] = 1;
    def.type = SCREE_BODY_STATIC;
    CHECK_EQUAL(scree_world_add_body(world, &def, &id), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "velocity[0] is 1");
    def.velocity[0] = 0;
    CHECK_EQUAL(scree_world_add_body(world, &def, &id), SCREE_OK);
    CHECK_EQUAL(scree_body_set_type(world, ids[1], SCREE_BODY_KINEMATIC), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_body_set_type(world, id, SCREE_BODY_DYNAMIC), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_body_get_type(world, id), SCREE_BODY_STATIC);
    CHECK_EQUAL(scree_body_get_type(world, ids[1]), SCREE_BODY_KINEMATIC);
    CHECK_EQUAL(scree_body_get_type(world, ids[0]), SCREE_BODY_DYNAMIC);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

/*  Nor does a cell that is sheared, which gives other bodies the velocity of the image that comes in. */
TEST(a_static_body_stays_at_rest_in_a_sheared_cell)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def made = scree_default_body_def();
    scree_cell_def cell;
    scree_body_id id;
    scree_body body;
    scree_world *world;

    def.step.dt = 1e-5;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 1;
    }
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(world, &material, &made.material), SCREE_OK);
    CHECK_EQUAL(scree_world_get_cell(world, &cell), SCREE_OK);
    cell.gradient[0][1] = 5;
    cell.homogeneous = true;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    made.shape = scree_shape_sphere(0.01);
    made.type = SCREE_BODY_STATIC;
    made.position[0] = made.position[2] = 0.5;
    made.position[1] = 1.2;
    CHECK_EQUAL(scree_world_add_body(world, &made, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    double x = body.position[0];
    CHECK_NEAR(body.position[1], 0.2, 1e-12);
    CHECK_EQUAL(scree_world_step(world, 9), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    CHECK(body.position[0] == x && body.velocity[0] == 0);
    CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
    CHECK_EQUAL(scree_body_set_user(world, id, 3), SCREE_OK);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(handles_are_compared),
        CASE(what_is_set_is_read_back),
        CASE(a_change_is_that_of_set_body),
        CASE(the_force_of_a_step_is_read),
        CASE(a_blow_brings_its_momentum),
        CASE(a_type_says_what_moves_a_body),
        CASE(a_type_is_kept_in_snapshots),
        CASE(a_static_body_stays_at_rest_in_a_sheared_cell),
        CASE(what_is_wrong_is_refused_and_changes_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
