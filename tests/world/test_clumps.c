/*  Clumps in a world: one pebble is a sphere, several touch whatever spheres touch, and turn as bodies do.

    Tolerances: what is compared with a sphere has a moment of inertia that is right to 1e-13, and turns by another
    formula; a body at rest is held to 1e-3 of its weight after its motion has been damped. */
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"
#include "shape/shape_skin.h"

#include "scree/checkpoint.h"
#include "scree/wall.h"

#include <unistd.h>

/* ---- one pebble is a sphere ---- */

/*  A ball with spin meets something; where it is and how it moves after that. */
static void meet(scree_shape ball, scree_shape other, const scree_mesh *wall, scree_body *after)
{
    scree_world_def def = plain_def(1e-5);

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "hertz", 0.7, 0.4);
    scree_body_def body = body_at(&s, ball, 0.01, 0.02, 0.0505);
    body.velocity[0] = 0.3;
    body.velocity[2] = -0.5;
    body.spin[1] = 20;
    body.spin[2] = 5;
    if (other.kind) {
        scree_body_def big = body_at(&s, other, 0, 0, -0.05 - scree_shape_skin(&other));
        big.flags = SCREE_FREEZE;
        add(&s, &big);
    } else {
        add_wall(&s, wall);
    }
    scree_body_id id = add(&s, &body);
    step(&s, 2000);
    *after = body_of(&s, id);
    CHECK(after->velocity[2] > -0.1);
    scree_world_destroy(s.world);
}

TEST(one_pebble_is_a_sphere)
{
    const scree_pebble pebble = {{0, 0, 0}, 0.05};
    scree_random random = scree_random_stream(1, 0);
    scree_clump *clump = clump_of(3, &pebble, 1);
    maker m = maker_plane(3, 1, 0.2, &random);
    for (uint32_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] -= 0.45;
        m.vertex[3 * v + 1] -= 0.4;
    }
    scree_mesh *floor = maker_mesh(&m), *box = cube(0.1);
    const scree_shape none = {0}, ball = scree_shape_sphere(0.05);

    for (int with = 0; with < 5; with++) {
        scree_shape other = with == 0   ? ball
                            : with == 1 ? scree_shape_clump(clump)
                            : with == 2 ? scree_shape_mesh(box, 0.004)
                                        : none;
        scree_body a, b;
        meet(ball, other, with == 3 ? NULL : floor, &a);
        meet(scree_shape_clump(clump), other, with == 3 ? NULL : floor, &b);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(a.position[k], b.position[k], 1e-9);
            CHECK_NEAR(a.velocity[k], b.velocity[k], 1e-8);
            CHECK_NEAR(a.spin[k], b.spin[k], 1e-6);
        }
    }
    scree_clump_destroy(clump);
    scree_mesh_destroy(floor);
    scree_mesh_destroy(box);
    maker_free(&m);
}

/* ---- turning ---- */

/*  Free flight of a clump whose moments all differ, about its middle axis: it tumbles, and nothing is lost. */
TEST(tumbling_keeps_energy_and_momentum)
{
    const uint64_t steps = TEST_EFFORT(20000, 200000);
    const scree_pebble pebbles[3] = {
        {{0, 0, 0}, 0.05}, {{0.06, 0, 0}, 0.04}, {{0.01, 0.04, 0.01}, 0.03}};
    scree_clump *clump = clump_of(3, pebbles, 3);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);

    for (int k = 0; k < 3; k++)
        body.spin[k] = k == 1 ? 60 : 0.5;
    scree_body_id id = add(&s, &body);
    scree_totals before = scree_world_totals(s.world);
    double energy = scree_world_energy(s.world).rotational, most = 0, least = 1e9;
    for (int k = 0; k < 20; k++) {
        step(&s, steps / 20);
        double spin = body_of(&s, id).spin[1];
        most = spin > most ? spin : most;
        least = spin < least ? spin : least;
    }
    scree_totals after = scree_world_totals(s.world);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k],
                   1e-10 * fabs(before.angular_momentum[1]));
    CHECK_NEAR(scree_world_energy(s.world).rotational, energy, 1e-6 * energy);
    CHECK(most > least);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
}

TEST(frame_is_that_of_the_clump)
{
    scree_clump *clump = jack(0.02, 0.018);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
    const double origin[3] = {1, 2, 3}, turn[4] = {0.5, 0.5, -0.5, 0.5};
    double found_origin[3], found_turn[4];

    CHECK_EQUAL(scree_body_def_place(&body, origin, turn), SCREE_OK);
    scree_body_id id = add(&s, &body);
    CHECK_EQUAL(scree_world_body_frame(s.world, id, found_origin, found_turn), SCREE_OK);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(found_origin[k], origin[k], 1e-12);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(found_turn[k], turn[k], 1e-12);
    scree_body b = body_of(&s, id);
    CHECK_NEAR(b.mass, 2500 * scree_clump_describe(clump).mass.volume, 1e-12);
    CHECK(b.shape.kind == SCREE_SHAPE_CLUMP && b.shape.clump == clump);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
}

/* ---- at rest ---- */

/*  Falls from a little above, and lies there with its weight on the floor; on a slope that friction holds it stays where
    it is: what contacts remember continues from step to step. */
static void rest_on(int dimensions, const scree_clump *clump, const scree_mesh *floor, double slope)
{
    scree_world_def def = plain_def(2e-5);
    int up = dimensions - 1;
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id ground;
    scree_wall felt;

    def.dimensions = dimensions;
    def.gravity[up] = -9.81 * cos(slope);
    def.gravity[0] = -9.81 * sin(slope);
    scene s = open_scene(&def, "linear", 0.3, 0.5);
    wall.kind = floor ? SCREE_WALL_MESH : SCREE_WALL_PLANE;
    wall.mesh = floor;
    wall.material = s.material;
    wall.normal[0] = 0;
    wall.normal[1] = up == 1;
    wall.normal[2] = up == 2;
    CHECK_EQUAL(scree_world_add_wall(s.world, &wall, &ground), SCREE_OK);
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0.003, 0, 0);
    body.position[up] = scree_clump_describe(clump).reach + 1e-3;
    scree_body_id id = add(&s, &body);
    step(&s, 5000);
    CHECK_EQUAL(scree_world_set_damping(s.world, 50, 0), SCREE_OK);
    step(&s, 20000);
    scree_body there = body_of(&s, id);
    step(&s, 5000);
    scree_body b = body_of(&s, id);
    CHECK_EQUAL(scree_world_get_wall(s.world, ground, &felt), SCREE_OK);
    CHECK_NEAR(felt.force[up], def.gravity[up] * b.mass, 1e-3 * 9.81 * b.mass);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(b.position[k], there.position[k], 1e-7);
    CHECK(fabs(balance(&s)) < 1e-3 * 9.81 * b.mass * 0.1);
    CHECK(scree_world_detection_stats(s.world).contacts >= (uint64_t)dimensions);
    scree_world_destroy(s.world);
}

TEST(clumps_lie_on_floors)
{
    scree_random random = scree_random_stream(1, 0);
    scree_clump *clump = jack(0.02, 0.018);
    maker m = maker_plane(4, 1, 0.2, &random);
    for (uint32_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] -= 0.5;
        m.vertex[3 * v + 1] -= 0.5;
    }
    scree_mesh *floor = maker_mesh(&m);

    rest_on(3, clump, NULL, 0);
    rest_on(3, clump, floor, 0);
    rest_on(3, clump, NULL, 0.2);
    rest_on(3, clump, floor, 0.2);
    scree_clump_destroy(clump);
    scree_mesh_destroy(floor);
    maker_free(&m);
}

/*  Segments, which no tree is made of. */
TEST(clumps_lie_on_floors_in_two_dimensions)
{
    static const double line[] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
    static const uint32_t segments[] = {0, 1, 1, 2};
    const scree_pebble pebbles[3] = {
        {{0, 0, 0}, 0.02}, {{0.03, 0, 0}, 0.02}, {{0, 0.025, 0}, 0.015}};
    scree_mesh_def def = scree_default_mesh_def();
    scree_clump *clump = clump_of(2, pebbles, 3);
    scree_mesh *floor;

    def.corners = 2;
    def.vertices = line;
    def.vertex_count = 3;
    def.facets = segments;
    def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&def, &floor), SCREE_OK);
    rest_on(2, clump, NULL, 0);
    rest_on(2, clump, floor, 0);
    rest_on(2, clump, floor, 0.2);
    scree_mesh_destroy(floor);
    scree_clump_destroy(clump);
}

/* ---- impacts ---- */

typedef struct impact
{
    scree_integrator integrator;
    int dimensions;
    double across; /* 1: over a periodic boundary */
} impact;

/*  Two clumps without friction and damping: energy comes back, momentum stays. */
static double bounce(const scree_clump *a, const scree_clump *b, const impact *how)
{
    scree_world_def def = plain_def(1e-5);

    def.step.integrator = how->integrator;
    def.dimensions = how->dimensions;
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[0] = -0.5;
    def.domain.upper[0] = 0.5;
    scene s = open_scene(&def, "linear", 1, 0);
    double shift = how->across != 0 ? 0.5 : 0;
    scree_body_def first = body_at(&s, scree_shape_clump(a), shift - 0.05, 0, 0);
    scree_body_def second = body_at(&s, scree_shape_clump(b), 0.05 - shift, 0.01, 0);
    first.velocity[0] = 0.5;
    second.velocity[0] = -0.5;
    if (how->dimensions == 3)
        second.spin[0] = 3;
    add(&s, &first);
    scree_body_id id = add(&s, &second);
    scree_totals before = scree_world_totals(s.world);
    scree_energy had = scree_world_energy(s.world);
    uint64_t contacts = 0;
    for (int k = 0; k < 60; k++) {
        step(&s, 100);
        contacts += scree_world_detection_stats(s.world).contacts;
    }
    scree_totals after = scree_world_totals(s.world);
    scree_energy has = scree_world_energy(s.world);
    CHECK(contacts > 0);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
    CHECK_EQUAL(scree_world_detection_stats(s.world).missed_contacts, 0);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-12 * before.mass);
    /* of first order where the integrator is */
    double share = how->integrator == SCREE_VELOCITY_VERLET ? 1e-3 : 8e-2;
    CHECK_NEAR(has.kinetic + has.rotational, had.kinetic + had.rotational, share * had.kinetic);
    double speed = body_of(&s, id).velocity[0];
    scree_world_destroy(s.world);
    return speed;
}

TEST(impacts_give_back_what_they_took)
{
    static const scree_pebble flat[3] = {
        {{0, 0, 0}, 0.02}, {{0.03, 0, 0}, 0.02}, {{0, 0.025, 0}, 0.015}};
    scree_clump *clump = jack(0.02, 0.018), *small = jack(0.012, 0.012);
    scree_clump *discs = clump_of(2, flat, 3);

    for (int integrator = SCREE_SYMPLECTIC_EULER; integrator <= SCREE_IMPLICIT_EULER;
         integrator++) {
        const impact middle = {(scree_integrator)integrator, 3, 0},
                     boundary = {(scree_integrator)integrator, 3, 1};
        const impact plane = {(scree_integrator)integrator, 2, 0};
        double speed = bounce(clump, small, &middle);
        CHECK_NEAR(bounce(clump, small, &boundary), speed, 1e-3 * fabs(speed));
        bounce(clump, clump, &middle);
        bounce(discs, discs, &plane);
    }
    scree_clump_destroy(clump);
    scree_clump_destroy(small);
    scree_clump_destroy(discs);
}

/*  Centres of pebbles one upon the other: any direction will do, and it is a number. */
TEST(pebbles_may_lie_upon_each_other)
{
    const scree_pebble pebbles[2] = {{{-0.02, 0, 0}, 0.02}, {{0.02, 0, 0}, 0.02}};
    scree_clump *clump = clump_of(3, pebbles, 2);
    scree_world_def def = plain_def(1e-6);
    def.overlap_limit = INFINITY;
    scene s = open_scene(&def, "linear", 1, 0);
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
    const scree_contact *contacts;
    size_t count;

    add(&s, &body);
    add(&s, &body);
    step(&s, 1);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
    for (size_t c = 0; c < count; c++) {
        const double *n = contacts[c].normal;
        CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-12);
    }
    CHECK(count >= 2);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
}

/* ---- what the host sees ---- */

TEST(contacts_name_pebbles)
{
    const scree_pebble pebbles[3] = {{{-0.1, 0, 0}, 0.03}, {{0, 0, 0}, 0.03}, {{0.1, 0, 0}, 0.03}};
    scree_clump *clump = clump_of(3, pebbles, 3);
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 1, 0);
    const scree_contact *contacts;
    size_t count;
    /* a row; a second one across its end; a ball on the far end of that; a floor below the middle of the first */
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0.029);
    add(&s, &body);
    body = body_at(&s, scree_shape_clump(clump), 0.1, 0.159, 0.029);
    body.orientation[0] = body.orientation[3] = sqrt(0.5);
    add(&s, &body);
    body = body_at(&s, scree_shape_sphere(0.03), 0.1, 0.318, 0.1);
    body.position[2] = 0.029;
    add(&s, &body);
    add_wall(&s, NULL);
    step(&s, 1);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 1 + 1 + 3 + 3 + 1);
    size_t walls = 0;
    for (size_t c = 0; c < count; c++) {
        if (contacts[c].second.index1 == 0) {
            walls++;
            continue;
        }
        if (contacts[c].first.index1 == 1) {
            CHECK_EQUAL(contacts[c].pebble[0], 2); /* the end of the row */
            CHECK_EQUAL(contacts[c].pebble[1], 0);
        } else {
            CHECK_EQUAL(contacts[c].pebble[0], 2);
            CHECK_EQUAL(contacts[c].pebble[1], 0);
            CHECK_EQUAL(contacts[c].second.index1, 3);
        }
        CHECK_NEAR(contacts[c].overlap, 0.001, 1e-6);
        CHECK_NEAR(contacts[c].normal[1], 1, 1e-9);
    }
    CHECK_EQUAL(walls, 7);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
}

/*  The step is as short as the smallest pebble asks for, not the whole. */
TEST(steps_are_as_short_as_pebbles_ask_for)
{
    double chosen[2];

    for (int k = 0; k < 2; k++) {
        const scree_pebble pebbles[2] = {{{0, 0, 0}, 0.05}, {{0.05, 0, 0}, k ? 0.005 : 0.05}};
        scree_clump *clump = clump_of(3, pebbles, 2);
        scree_world_def def = plain_def(0);
        def.step.mode = SCREE_TIME_AUTOMATIC;
        scene s = open_scene(&def, "linear", 1, 0);
        scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
        body.velocity[0] = 1;
        add(&s, &body);
        step(&s, 2);
        chosen[k] = scree_world_clock(s.world).dt;
        scree_world_destroy(s.world);
        scree_clump_destroy(clump);
    }
    CHECK(chosen[1] < 0.2 * chosen[0]);
}

/* ---- what is refused ---- */

TEST(overlaps_have_a_limit)
{
    const scree_pebble pebbles[2] = {{{0, 0, 0}, 0.05}, {{0.06, 0, 0}, 0.02}};
    scree_clump *clump = clump_of(3, pebbles, 2);

    for (int with = 0; with < 3; with++) {
        scree_world_def def = plain_def(1e-5);
        def.overlap_limit = with == 2 ? INFINITY : 0.3;
        scene s = open_scene(&def, "linear", 0.5, 0);
        const double origin[3] = {0, 0, with ? 0.034 : 0.2}, turn[4] = {1, 0, 0, 0};
        scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
        CHECK_EQUAL(scree_body_def_place(&body, origin, turn), SCREE_OK);
        add(&s, &body);
        if (with) {
            add_wall(&s, NULL);
        } else {
            body = body_at(&s, scree_shape_sphere(0.01), 0.079, 0, 0.2);
            add(&s, &body);
        }
        CHECK_EQUAL(scree_world_step(s.world, 1), with == 2 ? SCREE_OK : SCREE_UNSTABLE);
        if (with < 2 && !strstr(scree_world_message(s.world), "of the smaller radius"))
            FAIL("%s", scree_world_message(s.world));
        scree_world_destroy(s.world);
    }
    scree_clump_destroy(clump);
}

TEST(what_is_no_clump_of_the_world_is_refused)
{
    const scree_pebble disc = {{0, 0, 0}, 0.05};
    scree_clump *flat = clump_of(2, &disc, 1), *clump = jack(0.02, 0.018),
                *other = jack(0.02, 0.018);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_clump(NULL), 0, 0, 0);

    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_BAD_VALUE);
    CHECK(strstr(scree_world_message(s.world), "clump is NULL"));
    body.shape = scree_shape_clump(flat);
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_BAD_VALUE);
    CHECK(strstr(scree_world_message(s.world), "its clump is of 2 dimensions, the world of 3"));
    body.shape = scree_shape_clump(clump);
    scree_body_id id = add(&s, &body);
    scree_body b = body_of(&s, id);
    b.shape.clump = other;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &b), SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_message(s.world), "mesh or clump cannot be changed"));
    scree_world_destroy(s.world);
    scree_clump_destroy(flat);
    scree_clump_destroy(clump);
    scree_clump_destroy(other);
}

/* ---- files ---- */

/*  Of two dimensions and of three, with a mass that was given: a world from the file alone continues to the same bits. */
TEST(checkpoints_bring_their_clumps)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const scree_pebble pebbles[2] = {{{-0.02, 0.001, 0}, 0.02}, {{0.02, 0, 0}, 0.03}};
        const scree_clump_mass mass = {
            1e-3, {0.001, 0, 0}, {{1e-6, 1e-8, 0}, {1e-8, 1e-6, 0}, {0, 0, 1e-6}}};
        scree_clump_def clump_def = scree_default_clump_def();
        scree_clump *clump[2];
        scree_world_def def = plain_def(1e-5);
        scree_error error = {SCREE_OK, ""};
        scree_checkpoint *checkpoint;
        scree_world *again = NULL;
        char path[64] = "/tmp/scree-clumps-XXXXXX";
        int file = mkstemp(path);

        CHECK(file >= 0);
        close(file);
        def.dimensions = dimensions;
        def.gravity[dimensions - 1] = -9.81;
        scene s = open_scene(&def, "linear", 0.5, 0.3);
        clump[0] = clump_of(dimensions, pebbles, 2);
        clump_def.dimensions = dimensions;
        clump_def.pebbles = pebbles;
        clump_def.pebble_count = 2;
        clump_def.mass = &mass;
        CHECK_EQUAL(scree_clump_create(&clump_def, &clump[1]), SCREE_OK);
        for (int k = 0; k < 6; k++) {
            scree_body_def body =
                body_at(&s, scree_shape_clump(clump[k % 2]), 0.01 * (k % 3), 0, 0);
            body.position[dimensions - 1] = 0.06 + 0.059 * k;
            if (k == 0)
                body.flags = SCREE_FREEZE;
            add(&s, &body);
        }
        step(&s, 3000);
        CHECK(scree_world_detection_stats(s.world).contacts > 0);
        if (scree_checkpoint_write(s.world, path, NULL, 0, &error) ||
            scree_checkpoint_read(path, NULL, &checkpoint, &error) ||
            scree_checkpoint_world(checkpoint, NULL, &again, &error))
            FAIL("%s", error.text);
        unlink(path);
        CHECK_EQUAL(scree_world_digest(again), scree_world_digest(s.world));
        scene other = {.world = again};
        step(&other, 500);
        step(&s, 500);
        CHECK_EQUAL(scree_world_digest(again), scree_world_digest(s.world));
        scree_checkpoint_destroy(checkpoint);
        scree_world_destroy(again);
        scree_world_destroy(s.world);
        scree_clump_destroy(clump[0]);
        scree_clump_destroy(clump[1]);
    }
}

/*  A file with a clump of two pebbles as its second mesh, after that of a wall, as bytes. */
static unsigned char *clump_file(size_t *count)
{
    const scree_pebble pebbles[2] = {{{-0.02, 0, 0}, 0.02}, {{0.02, 0, 0}, 0.03}};
    scree_clump *clump = clump_of(3, pebbles, 2);
    scree_mesh *box = cube(1);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0.3);
    scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0.52);
    char path[64] = "/tmp/scree-clumps-XXXXXX";
    int handle = mkstemp(path);
    FILE *file = fdopen(handle, "rb");
    unsigned char *bytes = malloc(1 << 20);

    CHECK(file && bytes);
    add_wall(&s, box);
    add(&s, &body);
    step(&s, 1);
    CHECK_EQUAL(scree_checkpoint_write(s.world, path, NULL, 0, NULL), SCREE_OK);
    fclose(file);
    file = fopen(path, "rb");
    *count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    unlink(path);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
    scree_clump_destroy(clump);
    return bytes;
}

TEST(files_are_looked_at)
{
    static const struct
    {
        const char *section;
        uint64_t row;
        size_t at, bytes;
        double number;
        uint64_t whole;
        const char *says;
    } changes[] = {
        {"meshes", 1, 0, 8, 0, 5, "clump 2 is not what its digest says"},
        {"meshes", 1, 12, 4, 0, 8, "makes no sense"},
        {"meshes", 1, 12, 4, 0, 5, "makes no sense"},
        {"meshes", 1, 12, 4, 0, 11, "makes no sense"},
        {"meshes", 1, 16, 4, 0, 1, "makes no sense"},
        {"meshes", 1, 28, 4, 0, 1, "makes no sense"},
        {"wall.meshes", 0, 0, 4, 0, 2, "makes no sense"},
        {"mesh.vertices", 9, 0, 8, 0.025, 0, "clump 2 is not what its digest says"},
        {"mesh.vertices", 9, 0, 8, -1, 0, "pebble 0: radius is -1"},
        {"state.body.shape", 0, 8, 8, 0.01, 0, "shape"},
        {"state.body.shape", 0, 0, 4, 0, 2, "shape"},
        {"state.body.shape", 0, 0, 4, 0, 1, "shape"},
        {"state.solid.memory", 0, 6, 2, 0, 2, "facet that does not exist"},
        {"state.solid.memory", 0, 0, 4, 0, 12, "facet that does not exist"},
        {"state.solid.memory", 0, 5, 1, 0, 7, "facet that does not exist"},
    };
    size_t count;
    unsigned char *good = clump_file(&count), *bytes = malloc(count);

    for (size_t n = 0; n < SCREE_COUNT_OF(changes); n++) {
        scree_checkpoint *checkpoint;
        scree_checkpoint_section section;
        scree_error error = {SCREE_OK, ""};
        scree_world *world = NULL;
        memcpy(bytes, good, count);
        CHECK_EQUAL(scree_checkpoint_read_bytes(bytes, count, NULL, &checkpoint, NULL), SCREE_OK);
        if (!scree_checkpoint_section_of(checkpoint, changes[n].section, &section))
            FAIL("there is no section %s", changes[n].section);
        scree_checkpoint_destroy(checkpoint);
        unsigned char *at =
            bytes + section.offset + changes[n].row * section.row_bytes + changes[n].at;
        if (changes[n].number != 0)
            memcpy(at, &changes[n].number, 8);
        else
            memcpy(at, &changes[n].whole, changes[n].bytes);
        repair_checksums(bytes, count);
        scree_status status = scree_checkpoint_read_bytes(bytes, count, NULL, &checkpoint, &error);
        if (!status) {
            status = scree_checkpoint_world(checkpoint, NULL, &world, &error);
            scree_checkpoint_destroy(checkpoint);
        }
        CHECK(status != SCREE_OK && world == NULL);
        if (!strstr(error.text, changes[n].says))
            FAIL("change %zu: \"%s\" does not say \"%s\"", n, error.text, changes[n].says);
    }
    free(good);
    free(bytes);
}

/* ---- memory ---- */

TEST(memory_may_fail_at_any_time)
{
    scree_clump *clump = jack(0.02, 0.018);
    scree_mesh *box = cube(0.1);
    uint64_t digest = 0;

    for (size_t k = 0;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_world_def def = plain_def(2e-5);
        scree_world *world = NULL, *copy = NULL;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        def.gravity[2] = -9.81;
        def.detection.method = "flat";
        def.overlap_limit = INFINITY;
        if (scree_world_create(&def, &world) == SCREE_OK) {
            scree_material_def material = scree_default_material_def();
            scree_wall_def wall = scree_default_wall_def();
            scree_body_def body = scree_default_body_def();
            size_t tries = 0;
            while (scree_world_add_material(world, &material, &body.material) && tries++ < 2)
                ;
            wall.material = body.material;
            while (scree_world_add_wall(world, &wall, NULL) && tries++ < 2)
                ;
            for (int n = 0; n < 4; n++) {
                body.shape = n == 3 ? scree_shape_mesh(box, 0.01) : scree_shape_clump(clump);
                body.position[0] = n == 3 ? 0.083 : 0;
                body.position[2] = n == 3 ? 0.06 : 0.04 + 0.05 * n;
                while (scree_world_add_body(world, &body, NULL) && tries++ < 2)
                    ;
            }
            while (scree_world_clock(world).steps < 30 && tries++ < 3)
                (void)scree_world_step(world, 30 - scree_world_clock(world).steps);
            if (scree_world_clock(world).steps != 30)
                FAIL("request %zu: %s", k, scree_world_message(world));
            if (k == 0)
                digest = scree_world_digest(world);
            CHECK_EQUAL(scree_world_digest(world), digest);
            if (scree_world_copy(world, &def, &copy) == SCREE_OK)
                CHECK_EQUAL(scree_world_digest(copy), digest);
            scree_world_destroy(copy);
            scree_world_destroy(world);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (k > 0 && memory.requests < k)
            break;
    }
    scree_clump_destroy(clump);
    scree_mesh_destroy(box);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_pebble_is_a_sphere),
        CASE(tumbling_keeps_energy_and_momentum),
        CASE(frame_is_that_of_the_clump),
        CASE(clumps_lie_on_floors),
        CASE(clumps_lie_on_floors_in_two_dimensions),
        CASE(impacts_give_back_what_they_took),
        CASE(pebbles_may_lie_upon_each_other),
        CASE(contacts_name_pebbles),
        CASE(steps_are_as_short_as_pebbles_ask_for),
        CASE(overlaps_have_a_limit),
        CASE(what_is_no_clump_of_the_world_is_refused),
        CASE(checkpoints_bring_their_clumps),
        CASE(files_are_looked_at),
        CASE(memory_may_fail_at_any_time),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
