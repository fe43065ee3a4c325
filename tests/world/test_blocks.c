/*  Convex blocks in a world: they lie, slide and tip as they should, stack, and take what they give in impacts. What bodies of
    triangles are held to otherwise, in all combinations of shapes, is in test_solids*.c, with blocks among them.

    Tolerances: what is at rest moves by less than 1e-6 of its size in the last of the time, a stack of eight by 1e-5, and presses on
    the floor with its weight to 1e-3. Impacts without friction or damping change what there is of energy by up to 2 %: points have one
    normal, while some of them lie over faces that tilt. */
#include "harness/solid_maker.h"

#define SIDE 0.1
#define SKIN 0.002

static scree_mesh *box(double x, double y, double z)
{
    const double upper[3] = {x / 2, y / 2, z / 2}, lower[3] = {-x / 2, -y / 2, -z / 2};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

static double speed_of(const scree_body *b)
{
    const double *v = b->velocity, *w = b->spin;

    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           SIDE * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* ---- a block on a slope ---- */

/*  What a block of width SIDE and some height does after the floor on which it has come to rest is tilted; as floor a plane, or a
    block that is frozen. How far it went along, and how far its upright is tilted; the rest of the last third. */
typedef struct outcome
{
    double way, tilt, crept, acceleration;
} outcome;

static outcome let_go(double height, double slope, double friction, bool on_block, double time)
{
    scree_mesh *mesh = box(SIDE, SIDE, height), *slab = box(4, 1, SIDE);
    scree_world_def def = plain_def(2e-5);
    uint64_t third = (uint64_t)(time / def.step.dt / 3);
    outcome found;

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 0.3, friction);
    scree_body_def floor = body_at(&s, scree_shape_block(slab, SKIN), 1, 0, -SIDE / 2 - SKIN);
    floor.flags = SCREE_FREEZE;
    if (on_block)
        add(&s, &floor);
    else
        add_wall(&s, NULL);
    scree_body_def body =
        body_at(&s, scree_shape_block(mesh, SKIN), 0, 0, height / 2 + SKIN - 1e-5);
    scree_body_id id = add(&s, &body);
    step(&s, 10000);
    scree_body begin = body_of(&s, id);
    for (int k = 1; k <= 200; k++) {
        const double tilted[3] = {9.81 * sin(slope * k / 200), 0, -9.81 * cos(slope * k / 200)};
        CHECK_EQUAL(scree_world_set_gravity(s.world, tilted), SCREE_OK);
        step(&s, 100);
    }
    step(&s, 2 * third);
    scree_body late = body_of(&s, id);
    step(&s, third);
    scree_body end = body_of(&s, id);
    const double *q = end.orientation;
    found.way = end.position[0] - begin.position[0];
    found.crept = end.position[0] - late.position[0];
    found.acceleration = (end.velocity[0] - late.velocity[0]) / ((double)third * def.step.dt);
    found.tilt = acos(1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    CHECK(fabs(balance(&s)) < 1e-3 * begin.mass * 9.81 * height);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(slab);
    return found;
}

/*  tan = friction; below it stays where it is, above it goes as a block does on a wedge. */
TEST(slides_where_friction_ends)
{
    const double friction = 0.4;

    for (int on_block = 0; on_block < 2; on_block++) {
        double stays = atan(0.98 * friction), goes = atan(1.2 * friction);
        outcome rest = let_go(0.5 * SIDE, stays, friction, on_block, 0.9);
        CHECK_NEAR(rest.crept, 0, 1e-6 * SIDE);
        CHECK(fabs(rest.way) < 0.01 * SIDE);
        outcome slide = let_go(0.5 * SIDE, goes, friction, on_block, 0.9);
        double acceleration = 9.81 * (sin(goes) - friction * cos(goes));
        CHECK_NEAR(slide.acceleration, acceleration, 0.01 * acceleration);
        CHECK(slide.tilt < 0.01);
    }
}

/*  A block tips where its centre is beyond its lower edge, and not before: its edges are round, so that it stands on its faces
    a skin above the floor. */
TEST(tips_where_its_centre_is_beyond_the_edge)
{
    const double height = 3 * SIDE, critical = atan(SIDE / (height + 2 * SKIN));

    for (int on_block = 0; on_block < 2; on_block++) {
        outcome stands = let_go(height, 0.95 * critical, 5, on_block, 1.5);
        CHECK(stands.tilt < 0.01 && fabs(stands.crept) < 1e-3 * height);
        outcome tips = let_go(height, 1.03 * critical, 5, on_block, 1.5);
        CHECK(tips.tilt > 0.1);
    }
}

/* ---- stacks ---- */

/*  Cubes corner upon corner, or each beside the one below by a little, pushed sideways by less than friction holds. */
static void stack(int count, double aside, double push, double rest)
{
    scree_mesh *mesh = cube(SIDE);
    scree_world_def def = plain_def(2e-5);
    double weight = 0, there[32], z = SIDE / 2 + SKIN;
    scree_body_id id[32];
    scree_wall wall;

    def.gravity[2] = -9.81;
    def.gravity[0] = push * 9.81;
    scene s = open_scene(&def, "linear", 0.3, 0.6);
    scree_wall_id ground = add_wall(&s, NULL);
    for (int k = 0; k < count; k++, z += SIDE + 2 * SKIN) {
        scree_body_def body =
            body_at(&s, scree_shape_block(mesh, SKIN), k % 2 ? aside : 0, k % 3 ? -aside : 0, z);
        id[k] = add(&s, &body);
    }
    step(&s, 2000);
    CHECK_EQUAL(scree_world_set_damping(s.world, 20, 0), SCREE_OK);
    /* a tower is tilted back for a long time */
    step(&s, count > 3 ? 120000 : 60000);
    for (int k = 0; k < count; k++)
        there[k] = body_of(&s, id[k]).position[0];
    step(&s, 10000);
    for (int k = 0; k < count; k++) {
        scree_body b = body_of(&s, id[k]);
        weight += 9.81 * b.mass;
        CHECK_NEAR(b.position[0], there[k], rest * SIDE);
        CHECK(speed_of(&b) < 100 * rest * SIDE);
        CHECK(fabs(b.orientation[1]) + fabs(b.orientation[2]) < 0.01);
    }
    CHECK_EQUAL(scree_world_get_wall(s.world, ground, &wall), SCREE_OK);
    CHECK_NEAR(wall.force[2], -weight, 1e-3 * weight);
    CHECK(scree_world_detection_stats(s.world).contacts >= (uint64_t)(4 * count));
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

TEST(stacks_stand)
{
    stack(3, 0, 0.1, 1e-6);
    stack(3, 1e-4, 0.1, 1e-6);
    stack(3, 0.02, 0.1, 1e-6);
    stack(8, 1e-5, 0, 1e-5);
}

/* ---- impacts ---- */

/*  Without friction or damping: what a block has after it met another that is frozen or free, by chance turned. The largest
    gain and loss of all. */
static void impact(int k, bool is_free, double speed, double *gain, double *loss)
{
    scree_random random = scree_random_stream(77, (uint64_t)k);
    scree_mesh *large = cube(0.2), *small = box(0.04, 0.06, 0.08);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 1, 0);
    scree_body_def body = body_at(&s, scree_shape_block(large, 0.004), 0, 0, 0);

    for (int a = 0; a < 4; a++)
        body.orientation[a] = scree_random_normal(&random);
    body.flags = is_free ? 0 : SCREE_FREEZE;
    add(&s, &body);
    body = body_at(&s, scree_shape_block(small, 0.004), 0.02 * scree_random_normal(&random),
                   0.02 * scree_random_normal(&random), 0.26);
    for (int a = 0; a < 4; a++)
        body.orientation[a] = scree_random_normal(&random);
    for (int a = 0; a < 3; a++)
        body.spin[a] = 3 * scree_random_normal(&random);
    body.velocity[2] = -speed;
    scree_body_id id = add(&s, &body);
    scree_energy e = scree_world_energy(s.world);
    double before = e.kinetic + e.rotational;
    step(&s, (uint64_t)(0.2 / speed / def.step.dt));
    CHECK(body_of(&s, id).velocity[2] > -speed);
    while (scree_world_detection_stats(s.world).contacts > 0)
        step(&s, 100);
    e = scree_world_energy(s.world);
    double change = (e.kinetic + e.rotational) / before - 1;
    *gain = change > *gain ? change : *gain;
    *loss = -change > *loss ? -change : *loss;
    scree_world_destroy(s.world);
    scree_mesh_destroy(large);
    scree_mesh_destroy(small);
}

/*  Overlaps are less than the skins. */
TEST(impacts_give_back_what_they_took)
{
    double gain = 0, loss = 0;

    for (int k = 0; k < TEST_EFFORT(16, 40); k++)
        impact(k, k % 2, 0.5, &gain, &loss);
    printf("  impacts: gain %.4g, loss %.4g\n", gain, loss);
    CHECK(gain < 0.02);
    CHECK(loss < 0.01);
}

/* ---- edges along each other ---- */

/*  Cubes corner upon corner, turned by so little that crossings of their edges count nothing, as they meet: no law sees those. */
TEST(what_counts_nothing_is_no_contact)
{
    scree_mesh *mesh = cube(1);

    for (int k = 0; k < 40; k++) {
        const double angle = 1e-6 * pow(0.5, k);
        scree_world_def def = plain_def(1e-5);
        def.step.integrator = k % 2 ? SCREE_IMPLICIT_EULER : SCREE_VELOCITY_VERLET;
        scene s = open_scene(&def, "linear", 0.3, 0.5);
        scree_body_def body = body_at(&s, scree_shape_block(mesh, 0.01), 0, 0, 0);
        add(&s, &body);
        body = body_at(&s, scree_shape_block(mesh, 0.01), 0.4 * angle, 0.2 * angle, 1.0199);
        body.orientation[0] = cos(angle / 2);
        body.orientation[3] = sin(angle / 2);
        body.velocity[2] = -1;
        add(&s, &body);
        step(&s, 100);
        CHECK(scree_world_detection_stats(s.world).contacts > 0);
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(mesh);
}

/* ---- pieces of a cell space ---- */

/*  Blocks of several sizes, turned by chance, fall on each other. */
static scene heap(const char *method, const scree_mesh *const mesh[3])
{
    scree_random random = scree_random_stream(12, 0);
    scree_world_def def = plain_def(2e-5);

    def.gravity[2] = -9.81;
    def.detection.method = method;
    scene s = open_scene(&def, "linear", 0.5, 0.4);
    add_wall(&s, NULL);
    for (int k = 0; k < 48; k++) {
        scree_body_def body = body_at(&s, scree_shape_block(mesh[k % 3], 0.001), 0.045 * (k % 4),
                                      0.045 * (k / 4 % 4), 0.04 + 0.045 * (k / 16));
        for (int a = 0; a < 4; a++)
            body.orientation[a] = scree_random_normal(&random);
        body.velocity[2] = -1;
        add(&s, &body);
    }
    return s;
}

/*  A block, with its centre where its mesh has its origin here, lies within its ball, which is what detection sees of it; every
    method finds the same contacts. */
TEST(pfc_12_blocks_are_pieces)
{
    scree_mesh *mesh[3] = {box(0.02, 0.02, 0.02), box(0.01, 0.02, 0.03), globe(20, 0.01, 1)};
    uint64_t first = 0;

    for (size_t m = 0; m < scree_method_count(); m++) {
        const char *method = scree_method_at(m)->name;
        scene s = heap(method, (const scree_mesh *const *)mesh);
        step(&s, 4000);
        uint64_t digest = scree_world_digest(s.world);
        first = first ? first : digest;
        if (digest != first)
            FAIL("%s has another digest", method);
        CHECK(scree_world_detection_stats(s.world).contacts >= 4);
        scree_bodies_view view = scree_world_bodies(s.world);
        for (size_t i = 0; i < view.count; i++) {
            scree_body b;
            CHECK_EQUAL(scree_world_get_body(s.world, scree_body_id_at(view.id, i), &b), SCREE_OK);
            scree_mesh_info surface = scree_mesh_describe(b.shape.mesh);
            for (size_t v = 0; v < surface.vertex_count; v++) {
                const double *at = surface.vertices + 3 * v;
                double away = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
                CHECK(away + b.shape.rounding <= b.shape.radius);
            }
        }
        scree_world_destroy(s.world);
    }
    for (int k = 0; k < 3; k++)
        scree_mesh_destroy(mesh[k]);
}

/* ---- depth ---- */

/*  Pressed by more than its edges are round: the force continues growing, until the limit. */
TEST(overlaps_may_be_deeper_than_skins)
{
    scree_mesh *mesh = cube(SIDE);

    for (int on_block = 0; on_block < 2; on_block++)
        for (int refused = 0; refused < 2; refused++) {
            scree_world_def def = plain_def(1e-5);
            def.overlap_limit = refused ? 0.02 : 0.5;
            scene s = open_scene(&def, "linear", 0.5, 0.3);
            scree_body_def body =
                body_at(&s, scree_shape_block(mesh, 1e-4), 0, 0, -SIDE / 2 - 1e-4);
            body.flags = SCREE_FREEZE;
            if (on_block)
                add(&s, &body);
            else
                add_wall(&s, NULL);
            body = body_at(&s, scree_shape_block(mesh, 1e-4), 0.01, 0.02, SIDE / 2 + 2e-4);
            body.velocity[2] = -4;
            scree_body_id id = add(&s, &body);
            if (refused) {
                CHECK_EQUAL(scree_world_step(s.world, 3000), SCREE_UNSTABLE);
                CHECK(strstr(scree_world_message(s.world), "of the smaller radius"));
            } else {
                double deepest = 0;
                for (int k = 0; k < 3000; k++) {
                    step(&s, 1);
                    double deep = SIDE / 2 + 1e-4 - body_of(&s, id).position[2];
                    deepest = deep > deepest ? deep : deepest;
                }
                CHECK(deepest > 5e-4);
                CHECK(body_of(&s, id).velocity[2] > 1);
            }
            scree_world_destroy(s.world);
        }
    scree_mesh_destroy(mesh);
}

/* ---- what is no block ---- */

static void refuse(const scene *s, scree_shape shape, const char *why)
{
    scree_body_def body = body_at(s, shape, 0, 0, 0);
    scree_body_id id;
    uint64_t digest = scree_world_digest(s->world);

    CHECK_EQUAL(scree_world_add_body(s->world, &body, &id), SCREE_BAD_VALUE);
    if (!strstr(scree_world_message(s->world), why))
        FAIL("%s", scree_world_message(s->world));
    CHECK_EQUAL(scree_world_digest(s->world), digest);
}

TEST(what_is_no_block_is_refused)
{
    scree_mesh *mesh = cube(SIDE), *stone = globe(320, 0.05, 1.5);
    scree_random random = scree_random_stream(3, 0);
    maker m = maker_plane(2, 1, 0, &random);
    scree_mesh *sheet = maker_mesh(&m);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);

    refuse(&s, scree_shape_block(stone, 0.01), "not convex");
    refuse(&s, scree_shape_block(sheet, 0.01), "not closed");
    refuse(&s, scree_shape_block(NULL, 0.01), "mesh is NULL");
    refuse(&s, scree_shape_block(mesh, 0), "rounding is 0");
    /* a mesh that was refused as a block may be a body of triangles, and one of these become a block */
    scree_body_def body = body_at(&s, scree_shape_mesh(stone, 0.01), 0, 0, 0);
    add(&s, &body);
    body = body_at(&s, scree_shape_mesh(mesh, 0.01), 1, 0, 0);
    add(&s, &body);
    body = body_at(&s, scree_shape_block(mesh, 0.01), 2, 0, 0);
    scree_body b = body_of(&s, add(&s, &body));
    CHECK(b.shape.kind == SCREE_SHAPE_BLOCK && b.shape.mesh == mesh && b.shape.rounding == 0.01);
    CHECK_NEAR(b.mass, 2500 * SIDE * SIDE * SIDE, 1e-12);
    b.shape.kind = SCREE_SHAPE_MESH;
    CHECK_EQUAL(scree_world_set_body(s.world, b.id, &b), SCREE_BAD_ARGUMENT);
    scree_world_destroy(s.world);
    def.dimensions = 2;
    s = open_scene(&def, "linear", 0.5, 0);
    refuse(&s, scree_shape_block(mesh, 0.01), "must have 2 in 2 dimensions");
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(stone);
    scree_mesh_destroy(sheet);
    maker_free(&m);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE_OF_PHYSICS(slides_where_friction_ends),
        CASE_OF_PHYSICS(tips_where_its_centre_is_beyond_the_edge),
        CASE_OF_PHYSICS(stacks_stand),
        CASE_OF_PHYSICS(impacts_give_back_what_they_took),
        CASE(what_counts_nothing_is_no_contact),
        CASE(pfc_12_blocks_are_pieces),
        CASE(overlaps_may_be_deeper_than_skins),
        CASE(what_is_no_block_is_refused),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
