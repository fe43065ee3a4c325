/*  Walls that are rigid bodies: they fall, swing and turn as bodies do, and what bodies do to them is what they do to
    bodies. */
#include "harness/solid_maker.h"

#include "base/quaternion.h"

#include <string.h>

/*  A square plate of triangles in the plane z = 0, with its middle at the origin. */
static scree_mesh *plate(double side)
{
    scree_random random = scree_random_stream(1, 0);
    maker m = maker_plane(2, side, 0, &random);

    for (uint32_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] -= side / 2;
        m.vertex[3 * v + 1] -= side / 2;
    }
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

static scree_free_wall_def rigid(double mass, double x, double y, double z)
{
    scree_free_wall_def loose = scree_default_free_wall_def();

    loose.mass = mass;
    loose.inertia[0] = x;
    loose.inertia[1] = y;
    loose.inertia[2] = z;
    return loose;
}

static scree_wall_id add_loose(const scene *s, const scree_mesh *mesh,
                               const scree_free_wall_def *loose)
{
    scree_wall_id id = add_wall(s, mesh);

    if (scree_world_set_free_wall(s->world, id, loose))
        FAIL("%s", scree_world_message(s->world));
    return id;
}

static scree_wall wall_of(const scene *s, scree_wall_id id)
{
    scree_wall wall;

    CHECK_EQUAL(scree_world_get_wall(s->world, id, &wall), SCREE_OK);
    return wall;
}

/* ---- alone ---- */

TEST(it_falls_and_is_damped)
{
    scree_mesh *mesh = plate(0.1);
    scree_world_def def = plain_def(1e-4);
    def.gravity[2] = -10;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_free_wall_def loose = rigid(2, 1, 1, 1);

    loose.velocity[0] = 3;
    scree_wall_id free_wall = add_loose(&s, mesh, &loose);
    loose.damping = 4;
    loose.force[1] = 1;
    scree_wall_id damped = add_loose(&s, mesh, &loose);
    loose.held = SCREE_FREEZE_X | SCREE_FREEZE_Z;
    scree_wall_id held = add_loose(&s, mesh, &loose);
    step(&s, 10000);
    scree_wall w = wall_of(&s, free_wall);
    CHECK(w.is_free);
    CHECK_NEAR(w.velocity[2], -10, 1e-9);
    CHECK_NEAR(w.position[2], -5, 1e-3);
    CHECK_NEAR(w.position[0], 3, 1e-9);
    /* m dv/dt = f - c v */
    w = wall_of(&s, damped);
    CHECK_NEAR(w.velocity[2], -5 * (1 - exp(-2)), 1e-3);
    CHECK_NEAR(w.velocity[1], 0.25 * (1 - exp(-2)), 1e-4);
    CHECK_NEAR(w.velocity[0], 3 * exp(-2), 1e-3);
    w = wall_of(&s, held);
    CHECK(w.velocity[0] == 3 && w.velocity[2] == 0);
    CHECK_NEAR(w.velocity[1], 0.25 * (1 - exp(-2)), 1e-4);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/*  The same ride as a free body of these inertias, whose motion is tested elsewhere. */
TEST(it_tumbles_as_a_body_does)
{
    const double lower[3] = {-0.1, -0.2, -0.3}, upper[3] = {0.1, 0.2, 0.3};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    scree_world_def def = plain_def(1e-4);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_mesh(mesh, 0.001), 0, 0, 0);
    double origin[3], turn[4];

    body.spin[0] = 3;
    body.spin[1] = 20;
    body.spin[2] = -7;
    body.mask = 0;
    scree_body_id id = add(&s, &body);
    scree_body b = body_of(&s, id);
    CHECK_EQUAL(scree_world_body_frame(s.world, id, origin, turn), SCREE_OK);
    scree_free_wall_def loose = rigid(b.mass, b.inertia[0], b.inertia[1], b.inertia[2]);
    memcpy(loose.spin, b.spin, sizeof loose.spin);
    /* the body's axes of inertia, as seen from its mesh */
    const double back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
    scree_quaternion_multiply(back, b.orientation, loose.frame);
    scree_wall_def wall = scree_default_wall_def();
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material = s.material;
    wall.groups = 2;
    scree_wall_id w;
    CHECK_EQUAL(scree_world_add_wall(s.world, &wall, &w), SCREE_OK);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, w, &loose), SCREE_OK);
    step(&s, 20000);
    CHECK_EQUAL(scree_world_body_frame(s.world, id, origin, turn), SCREE_OK);
    scree_wall now = wall_of(&s, w);
    double same = 0;
    for (int k = 0; k < 4; k++)
        same += now.orientation[k] * turn[k];
    CHECK_NEAR(fabs(same), 1, 1e-9);
    b = body_of(&s, id);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(now.spin[k], b.spin[k], 1e-6);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  A plate on a hinge, whose centre of mass is away from the mesh's origin: the origin goes round it. */
TEST(the_surface_goes_with_the_centre_of_mass)
{
    scree_mesh *mesh = plate(0.1);
    scree_world_def def = plain_def(1e-4);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_free_wall_def loose = rigid(1, 1, 1, 1);

    loose.centre[0] = 0.3;
    loose.torque[2] = 2;
    scree_wall_id id = add_loose(&s, mesh, &loose);
    step(&s, 10000);
    scree_wall w = wall_of(&s, id);
    /* half of 2 rad/s^2 for a second */
    CHECK_NEAR(w.spin[2], 2, 1e-9);
    double angle = 2 * atan2(w.orientation[3], w.orientation[0]);
    CHECK_NEAR(angle, 1, 1e-3);
    CHECK_NEAR(w.position[0], 0.3 - 0.3 * cos(angle), 1e-9);
    CHECK_NEAR(w.position[1], -0.3 * sin(angle), 1e-9);
    CHECK_NEAR(w.velocity[0], 2 * 0.3 * sin(angle), 1e-9);
    CHECK_NEAR(w.velocity[1], -2 * 0.3 * cos(angle), 1e-9);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/* ---- with bodies ---- */

/*  About y, of a wall whose axes of inertia are those of its mesh. */
static double own_turn(const scree_wall *w, const double inertia[3])
{
    double momentum[3];

    scree_quaternion_turn_back(w->orientation, w->spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] *= inertia[k];
    scree_quaternion_turn(w->orientation, momentum, momentum);
    return momentum[1];
}

/*  A ball hits a plate off its middle: momentum and angular momentum of both together stay, and without damping so does the
    energy. */
TEST(an_impact_keeps_momentum)
{
    scree_mesh *mesh = plate(0.2);
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 1, 0.3);
    const double mass = 0.3, inertia[3] = {1e-3, 1.1e-3, 2e-3};
    scree_free_wall_def loose = rigid(mass, inertia[0], inertia[1], inertia[2]);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.02), 0.05, 0.03, 0.0205);

    body.velocity[0] = 0.4;
    body.velocity[2] = -1;
    scree_wall_id id = add_loose(&s, mesh, &loose);
    scree_body_id ball = add(&s, &body);
    double m = body_of(&s, ball).mass, i = body_of(&s, ball).inertia[0];
    double before = 0.5 * m * (1 + 0.16);
    step(&s, 20000);
    scree_body b = body_of(&s, ball);
    scree_wall w = wall_of(&s, id);
    CHECK(b.velocity[2] > -0.5 && w.velocity[2] < 0);
    CHECK_NEAR(m * b.velocity[0] + mass * w.velocity[0], 0.4 * m, 1e-12);
    CHECK_NEAR(m * b.velocity[2] + mass * w.velocity[2], -m, 1e-12);
    /* about the origin */
    double turn_of_ball = m * (b.position[2] * b.velocity[0] - b.position[0] * b.velocity[2]);
    double turn_of_wall = mass * (w.position[2] * w.velocity[0] - w.position[0] * w.velocity[2]);
    CHECK_NEAR(turn_of_ball + turn_of_wall + i * b.spin[1] + own_turn(&w, inertia),
               m * (0.0205 * 0.4 + 0.05), 1e-6 * m);
    double after = 0.5 * m *
                   (b.velocity[0] * b.velocity[0] + b.velocity[1] * b.velocity[1] +
                    b.velocity[2] * b.velocity[2]);
    for (int k = 0; k < 3; k++)
        after += 0.5 * (mass * w.velocity[k] * w.velocity[k] + i * b.spin[k] * b.spin[k] +
                        inertia[k] * w.spin[k] * w.spin[k]);
    scree_energy e = scree_world_energy(s.world);
    CHECK_NEAR(after + e.friction + e.damping, before, 0.01 * before);
    CHECK(fabs(balance(&s)) < 1e-3 * before);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/*  A lid on four balls carries its weight to the floor. */
TEST(a_lid_rests_on_balls)
{
    scree_mesh *mesh = plate(0.2);
    scree_world_def def = plain_def(1e-5);
    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 0.3, 0.5);
    scree_free_wall_def loose = rigid(0.5, 2e-3, 2e-3, 4e-3);
    scree_wall_id floor = add_wall(&s, NULL);
    scree_wall_def lid = scree_default_wall_def();
    double weight = 0.5;
    scree_wall_id id;

    loose.damping = 20;
    loose.angular_damping = 0.02;
    for (int k = 0; k < 4; k++) {
        scree_body_def body =
            body_at(&s, scree_shape_sphere(0.02), k & 1 ? 0.05 : -0.05, k & 2 ? 0.05 : -0.05, 0.02);
        weight += body_of(&s, add(&s, &body)).mass;
    }
    lid.kind = SCREE_WALL_MESH;
    lid.mesh = mesh;
    lid.material = s.material;
    lid.point[2] = 0.0401;
    CHECK_EQUAL(scree_world_add_wall(s.world, &lid, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, &loose), SCREE_OK);
    CHECK_EQUAL(scree_world_set_damping(s.world, 20, 0), SCREE_OK);
    step(&s, 100000);
    scree_wall on = wall_of(&s, id), under = wall_of(&s, floor);
    CHECK_NEAR(on.force[2], 0.5 * 9.81, 1e-3);
    CHECK_NEAR(under.force[2], -weight * 9.81, 1e-3);
    CHECK(fabs(on.velocity[2]) < 1e-6 && fabs(on.spin[0]) < 1e-5);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/* ---- bit-identical results ---- */

static scene open_mill(uint32_t threads, const char *method, scree_simd simd,
                       scree_integrator integrator)
{
    scree_mesh *mesh = plate(0.15);
    scree_world_def def = plain_def(2e-5);
    def.gravity[2] = -9.81;
    def.compute.thread_count = threads;
    def.detection.method = method;
    def.compute.simd = simd;
    def.step.integrator = integrator;
    scene s = open_scene(&def, "linear", 0.4, 0.4);
    scree_free_wall_def loose = rigid(0.2, 1e-3, 2e-3, 2e-3);

    add_wall(&s, NULL);
    loose.torque[2] = 0.02;
    loose.force[2] = 0.2 * 9.81;
    loose.angular_damping = 1e-4;
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id id;
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material = s.material;
    wall.point[2] = 0.03;
    wall.orientation[0] = wall.orientation[1] = sqrt(0.5);
    CHECK_EQUAL(scree_world_add_wall(s.world, &wall, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, &loose), SCREE_OK);
    for (int k = 0; k < 60; k++) {
        scree_body_def body =
            body_at(&s, scree_shape_sphere(0.008 + 0.0001 * (k % 7)), -0.06 + 0.02 * (k % 6),
                    -0.06 + 0.024 * (k / 6 % 5), 0.12 + 0.02 * (k / 30));
        add(&s, &body);
    }
    scree_mesh_destroy(mesh);
    return s;
}

TEST(digests_are_one)
{
    static const struct
    {
        uint32_t threads;
        const char *method;
        scree_simd simd;
    } ways[] = {{1, "flat", SCREE_SIMD_AUTO},
                {3, "hash-grids", SCREE_SIMD_AUTO},
                {2, "bvh8", SCREE_SIMD_SCALAR}};
    uint64_t first = 0;

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        scene s = open_mill(ways[k].threads, ways[k].method, ways[k].simd, SCREE_VELOCITY_VERLET);
        step(&s, 10000);
        uint64_t digest = scree_world_digest(s.world);
        CHECK(scree_world_detection_stats(s.world).contacts > 0);
        CHECK_EQUAL(scree_world_detection_stats(s.world).late_contacts, 0);
        first = k ? first : digest;
        CHECK_EQUAL(digest, first);
        scree_world_destroy(s.world);
    }
}

TEST(a_snapshot_continues_bit_identically)
{
    static const scree_integrator integrators[] = {SCREE_VELOCITY_VERLET, SCREE_IMPLICIT_EULER};

    for (int k = 0; k < 2; k++) {
        scene s = open_mill(1, "flat", SCREE_SIMD_AUTO, integrators[k]);
        scene other = open_mill(2, "hash-grids", SCREE_SIMD_AUTO, integrators[k]);
        scree_snapshot *snapshot;
        step(&s, 6000);
        step(&other, 10);
        CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
        CHECK_EQUAL(scree_world_restore(other.world, snapshot), SCREE_OK);
        CHECK_EQUAL(scree_world_digest(other.world), scree_world_digest(s.world));
        step(&s, 2000);
        step(&other, 2000);
        CHECK_EQUAL(scree_world_digest(other.world), scree_world_digest(s.world));
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(s.world);
        scree_world_destroy(other.world);
    }
}

/*  A light lid on many balls sets the length of steps: stiffness is summed over its contacts, whatever their order. */
TEST(chosen_steps_do_not_depend_on_the_order_in_memory)
{
    static const uint32_t every[] = {0, 1, 7};
    uint64_t first = 0;

    for (int way = 0; way < 3; way++) {
        scree_mesh *mesh = plate(0.2);
        scree_world_def def = plain_def(0);
        def.step.mode = SCREE_TIME_AUTOMATIC;
        def.detection.sort_every = every[way];
        def.gravity[2] = -9.81;
        scene s = open_scene(&def, "hertz", 0.4, 0.4);
        scree_free_wall_def light = rigid(1e-4, 1e-6, 1e-6, 2e-6);
        scree_stable_step stable;

        add_wall(&s, NULL);
        for (int k = 0; k < 64; k++) {
            scree_body_def body = body_at(&s, scree_shape_sphere(0.008 + 0.0001 * (k * 5 % 11)),
                                          -0.075 + 0.02 * (k * 3 % 8), -0.075 + 0.02 * (k / 8),
                                          0.008 + 1e-5 * (k % 7));
            body.velocity[0] = 0.1 * (k % 3);
            add(&s, &body);
        }
        scree_wall_def lid = scree_default_wall_def();
        scree_wall_id id;
        lid.kind = SCREE_WALL_MESH;
        lid.mesh = mesh;
        lid.material = s.material;
        lid.point[2] = 0.0165;
        CHECK_EQUAL(scree_world_add_wall(s.world, &lid, &id), SCREE_OK);
        light.force[2] = -5;
        light.held = SCREE_FREEZE_X | SCREE_FREEZE_Y | 7 * SCREE_FREEZE_SPIN_X;
        CHECK_EQUAL(scree_world_set_free_wall(s.world, id, &light), SCREE_OK);
        step(&s, 3000);
        CHECK_EQUAL(scree_world_stable_step(s.world, &stable), SCREE_OK);
        CHECK_EQUAL(stable.wall.index1, id.index1);
        first = way ? first : scree_world_digest(s.world);
        CHECK_EQUAL(scree_world_digest(s.world), first);
        scree_world_destroy(s.world);
        scree_mesh_destroy(mesh);
    }
}

/* ---- steps that are too long, and what is refused ---- */

TEST(a_light_wall_shortens_the_stable_step)
{
    scree_mesh *mesh = plate(0.2);
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 1, 0);
    scree_free_wall_def loose = rigid(1e-4, 1, 1, 1);
    scree_wall_id id = add_loose(&s, mesh, &loose);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.02), 0, 0, 0.0199);
    scree_stable_step stable;

    add(&s, &body);
    step(&s, 1);
    CHECK_EQUAL(scree_world_stable_step(s.world, &stable), SCREE_OK);
    CHECK_EQUAL(stable.wall.index1, id.index1);
    CHECK_EQUAL(stable.body.index1, 0);
    /* heavier than the ball: the ball sets it */
    loose.mass = 10;
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, &loose), SCREE_OK);
    step(&s, 1);
    double before = stable.dt;
    CHECK_EQUAL(scree_world_stable_step(s.world, &stable), SCREE_OK);
    CHECK_EQUAL(stable.wall.index1, 0);
    CHECK(stable.dt > 5 * before);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

static void refuse(const scene *s, scree_wall_id id, const scree_free_wall_def *loose,
                   scree_status status, const char *words)
{
    uint64_t before = scree_world_digest(s->world);

    CHECK_EQUAL(scree_world_set_free_wall(s->world, id, loose), status);
    CHECK(strstr(scree_world_message(s->world), words));
    CHECK_EQUAL(scree_world_digest(s->world), before);
}

TEST(bad_ones_are_refused)
{
    scree_mesh *mesh = plate(0.2);
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 1, 0);
    scree_free_wall_def good = rigid(1, 1, 1, 1), bad;
    scree_wall_id id = add_wall(&s, mesh), none = {0, 0};
    scree_wall_path path = scree_default_wall_def().path;
    scree_wall_servo_def servo = scree_default_wall_servo_def();

#define REFUSE(member, value, status, words)                                                       \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.member = value;                                                                        \
        refuse(&s, id, &bad, status, words);                                                       \
    } while (0)
    REFUSE(cookie, 0, SCREE_BAD_DEF, "scree_default_free_wall_def");
    REFUSE(mass, 0, SCREE_BAD_VALUE, "mass is 0");
    REFUSE(mass, NAN, SCREE_BAD_VALUE, "mass is");
    REFUSE(inertia[1], 0, SCREE_BAD_VALUE, "inertia is 0");
    REFUSE(inertia[1], -1, SCREE_BAD_VALUE, "inertia is -1");
    REFUSE(centre[2], INFINITY, SCREE_BAD_VALUE, "free wall: centre[2] is inf");
    REFUSE(velocity[0], NAN, SCREE_BAD_VALUE, "velocity[0] is nan");
    REFUSE(spin[0], 1e101, SCREE_BAD_VALUE, "spin[0] is 1e+101");
    REFUSE(force[0], NAN, SCREE_BAD_VALUE, "force[0] is nan");
    REFUSE(torque[0], NAN, SCREE_BAD_VALUE, "torque[0] is nan");
    REFUSE(damping, -1, SCREE_BAD_VALUE, "damping is -1");
    REFUSE(angular_damping, -1, SCREE_BAD_VALUE, "angular_damping is -1");
    REFUSE(frame[0], 0, SCREE_BAD_VALUE, "no rotation");
    REFUSE(held, 0x80, SCREE_BAD_ARGUMENT, "held is 0x80");
#undef REFUSE
    refuse(&s, none, &good, SCREE_BAD_ARGUMENT, "names no wall");
    CHECK_EQUAL(scree_world_set_free_wall(NULL, id, &good), SCREE_BAD_ARGUMENT);
    /* what cannot turn needs no inertia */
    bad = rigid(1, 0, 0, 0);
    bad.held = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, &bad), SCREE_OK);
    path.velocity[0] = 1;
    CHECK_EQUAL(scree_world_set_wall_path(s.world, id, &path), SCREE_BAD_ARGUMENT);
    servo.max_speed = servo.force = servo.axis[2] = 1;
    CHECK_EQUAL(scree_world_set_wall_servo(s.world, id, &servo), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_path(s.world, id, &path), SCREE_OK);
    refuse(&s, id, &good, SCREE_BAD_ARGUMENT, "has a path");
    /* one that is not loose is let be */
    uint64_t digest = scree_world_digest(s.world);
    step(&s, 7);
    CHECK(scree_world_digest(s.world) != digest);
    digest = scree_world_digest(s.world);
    CHECK_EQUAL(scree_world_set_free_wall(s.world, id, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(s.world), digest);
    step(&s, 3);
    CHECK_NEAR(wall_of(&s, id).position[0], 1e-5, 1e-15);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(it_falls_and_is_damped),
        CASE(it_tumbles_as_a_body_does),
        CASE(the_surface_goes_with_the_centre_of_mass),
        CASE(an_impact_keeps_momentum),
        CASE(a_lid_rests_on_balls),
        CASE(digests_are_one),
        CASE(a_snapshot_continues_bit_identically),
        CASE(chosen_steps_do_not_depend_on_the_order_in_memory),
        CASE(a_light_wall_shortens_the_stable_step),
        CASE(bad_ones_are_refused),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
