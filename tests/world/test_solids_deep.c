/*  Bodies of triangles whose surfaces cross: contacts go on by depth, push bodies out, and give their energy back; what
    is deeper than overlap_limit is refused. */
#include "harness/solid_maker.h"

static scree_mesh *bar(double x, double y, double z)
{
    const double lower[3] = {-x, -y, -z}, upper[3] = {x, y, z};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

static double motion_of(const scree_world *world)
{
    scree_energy e = scree_world_energy(world);

    return e.kinetic + e.rotational;
}

static scree_world_def def_of(int threads, scree_simd simd, const char *method)
{
    scree_world_def def = plain_def(1e-5);

    def.compute.thread_count = (uint32_t)threads;
    def.compute.simd = simd;
    if (method)
        def.detection.method = method;
    return def;
}

/*  Two bodies that meet along z with this speed; the second lies above the first. */
static scene meeting(const scree_world_def *def, const scree_mesh *lower, const scree_mesh *upper,
                     const double offset[3], double skin, double speed)
{
    scene s = open_scene(def, "linear", 1, 0);
    scree_body_def a = body_at(&s, scree_shape_mesh(lower, skin), 0, 0, 0);
    scree_body_def b = body_at(&s, scree_shape_mesh(upper, skin), offset[0], offset[1], offset[2]);

    a.velocity[2] = speed / 2;
    b.velocity[2] = -speed / 2;
    add(&s, &a);
    add(&s, &b);
    return s;
}

static double height_of(const scene *s, uint32_t row)
{
    scree_bodies_view view = scree_world_bodies(s->world);

    return scree_row_at(view.position, row)[2];
}

/*  They fly apart again as they came, though the surfaces have crossed. */
static void bounce(const scree_mesh *lower, const scree_mesh *upper, const double offset[3],
                   double speed, double within)
{
    const scree_world_def def = def_of(1, SCREE_SIMD_AUTO, NULL);
    scene s = meeting(&def, lower, upper, offset, 5e-4, speed);
    const double before = motion_of(s.world);

    if (scree_world_step(s.world, 4000))
        FAIL("%s", scree_world_message(s.world));
    CHECK(scree_world_local_counts(s.world).deep > 0);
    CHECK(height_of(&s, 1) - height_of(&s, 0) > offset[2] + 0.01);
    CHECK_NEAR(motion_of(s.world), before, within * before);
    scree_world_destroy(s.world);
}

TEST(vertices_that_are_inside_are_pushed_out)
{
    scree_mesh *box = bar(0.05, 0.05, 0.05), *small = bar(0.03, 0.02, 0.03);
    const double over[3] = {0.004, 0.002, 0.085};

    bounce(box, small, over, 6, 0.02);
    scree_mesh_destroy(box);
    scree_mesh_destroy(small);
}

TEST(edges_that_have_passed_each_other_are_pushed_apart)
{
    scree_mesh *along = bar(0.2, 0.02, 0.02), *across = bar(0.02, 0.2, 0.02);
    const double over[3] = {0.003, 0.001, 0.045};

    bounce(along, across, over, 4, 0.02);
    scree_mesh_destroy(along);
    scree_mesh_destroy(across);
}

TEST(forces_are_the_same_on_both_sides_of_meeting)
{
    scree_mesh *box = bar(0.05, 0.05, 0.05), *small = bar(0.03, 0.02, 0.03);
    const scree_world_def def = def_of(1, SCREE_SIMD_AUTO, NULL);
    double force[3];

    for (int k = 0; k < 3; k++) {
        const double over[3] = {0.004, 0.002, 0.08 + (k - 1) * 1e-9};
        scene s = meeting(&def, box, small, over, 5e-4, 0);
        CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_OK);
        force[k] = scree_row_at(scree_world_bodies(s.world).force, 1)[2];
        CHECK(force[k] > 0);
        scree_world_destroy(s.world);
    }
    CHECK_NEAR(force[0], force[1], 1e-4 * force[1]);
    CHECK_NEAR(force[2], force[1], 1e-4 * force[1]);
    scree_mesh_destroy(box);
    scree_mesh_destroy(small);
}

/*  A sheet has its inside on the other side of it. */
TEST(walls_push_to_the_side_of_the_centre)
{
    scree_mesh *small = bar(0.03, 0.02, 0.03);
    scree_random random = scree_random_stream(3, 0);
    maker m = maker_plane(2, 1, 0, &random);
    scree_mesh *sheet = maker_mesh(&m);

    for (int below = 0; below < 2; below++) {
        const scree_world_def def = def_of(1, SCREE_SIMD_AUTO, NULL);
        scene s = open_scene(&def, "linear", 1, 0);
        scree_wall_def wall = scree_default_wall_def();
        const double side = below ? -1 : 1;
        scree_body_def b = body_at(&s, scree_shape_mesh(small, 5e-4), 0.51, 0.503, 0.04 * side);
        b.velocity[2] = -3 * side;
        wall.kind = SCREE_WALL_MESH;
        wall.mesh = sheet;
        wall.material = s.material;
        CHECK_EQUAL(scree_world_add_wall(s.world, &wall, NULL), SCREE_OK);
        add(&s, &b);
        const double before = motion_of(s.world);
        if (scree_world_step(s.world, 3000))
            FAIL("%s", scree_world_message(s.world));
        CHECK(scree_world_local_counts(s.world).deep > 0);
        CHECK(side * height_of(&s, 0) > 0.04);
        CHECK_NEAR(motion_of(s.world), before, 0.05 * before);
        scree_world_destroy(s.world);
    }
    maker_free(&m);
    scree_mesh_destroy(sheet);
    scree_mesh_destroy(small);
}

/* ---- events ---- */

typedef enum lying
{
    ON_MESH,
    ON_BLOCK,
    ON_PLANE,
    ON_TRIANGLES,
} lying;

/*  A body that falls on another, or on a wall; the skins are 5e-4 each, and a wall has none. */
static scene falling(lying under, bool is_block, double speed, const scree_mesh *box,
                     const scree_mesh *sheet)
{
    const scree_world_def def = def_of(1, SCREE_SIMD_AUTO, NULL);
    scene s = open_scene(&def, "linear", 1, 0);
    const double skins = under == ON_MESH || under == ON_BLOCK ? 1e-3 : 5e-4;

    if (under == ON_MESH || under == ON_BLOCK) {
        scree_body_def low = body_at(
            &s, under == ON_MESH ? scree_shape_mesh(box, 5e-4) : scree_shape_block(box, 5e-4), 0, 0,
            -0.05);
        low.type = SCREE_BODY_STATIC;
        add(&s, &low);
    } else {
        add_wall(&s, under == ON_PLANE ? NULL : sheet);
    }
    scree_body_def high =
        body_at(&s, is_block ? scree_shape_block(box, 5e-4) : scree_shape_mesh(box, 5e-4), 0.013,
                0.004, 0.05 + skins + 1e-4);
    high.velocity[2] = -speed;
    add(&s, &high);
    return s;
}

/*  Events by kind in some steps; that of a deep contact is looked at. */
static void count_events(const scene *s, uint64_t steps, size_t count[SCREE_EVENT_DEEP + 1])
{
    const scree_event *events;
    size_t n;

    step(s, steps);
    CHECK_EQUAL(scree_world_events(s->world, &events, &n), SCREE_OK);
    for (size_t k = 0; k < n; k++) {
        count[events[k].kind]++;
        if (events[k].kind != SCREE_EVENT_DEEP)
            continue;
        CHECK(fabs(events[k].normal[2]) > 0.99 && events[k].speed > 0);
        CHECK(fabs(events[k].point[2]) < 2e-3);
    }
}

TEST(deep_contacts_are_events)
{
    scree_mesh *box = bar(0.05, 0.05, 0.05);
    scree_random random = scree_random_stream(3, 0);
    maker m = maker_plane(2, 1, 0, &random);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        for (uint32_t k = 0; k < 2; k++)
            m.vertex[3 * v + k] -= 0.5;
    scree_mesh *sheet = maker_mesh(&m);

    for (int k = 0; k < 16; k++) {
        const lying under = (lying)(k % 4);
        const bool is_block = k / 4 % 2, is_slow = k >= 8;
        scene s = falling(under, is_block, is_slow ? 0.05 : 2, box, sheet);
        size_t count[SCREE_EVENT_DEEP + 1] = {0};
        scree_snapshot *snapshot = NULL;
        count_events(&s, is_slow ? 3000 : 65, count);
        if (!is_slow) {
            /* a world that is restored knows that it is deep */
            CHECK_EQUAL(count[SCREE_EVENT_CONTACT_BEGIN], 1);
            CHECK_EQUAL(count[SCREE_EVENT_DEEP], 1);
            CHECK_EQUAL(count[SCREE_EVENT_CONTACT_END], 0);
            CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
            CHECK_EQUAL(scree_world_restore(s.world, snapshot), SCREE_OK);
            scree_snapshot_destroy(snapshot);
        }
        count_events(&s, 3000, count);
        CHECK_EQUAL(count[SCREE_EVENT_DEEP], !is_slow);
        CHECK_EQUAL(count[SCREE_EVENT_CONTACT_END], 1);
        CHECK_EQUAL(scree_world_local_counts(s.world).deep > 0, !is_slow);
        scree_world_destroy(s.world);
    }
    maker_free(&m);
    scree_mesh_destroy(sheet);
    scree_mesh_destroy(box);
}

TEST(deeper_than_the_limit_is_refused)
{
    scree_mesh *box = bar(0.05, 0.05, 0.05);
    scree_world_def def = def_of(1, SCREE_SIMD_AUTO, NULL);
    const double over[3] = {0.004, 0.002, 0.0999};

    def.overlap_limit = 0.01;
    scene s = meeting(&def, box, box, over, 5e-4, 6);
    uint64_t digest = 0;
    scree_status status = SCREE_OK;
    for (int k = 0; k < 1000 && !status; k++) {
        digest = scree_world_digest(s.world);
        status = scree_world_step(s.world, 1);
    }
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    CHECK_EQUAL(scree_world_digest(s.world), digest);
    CHECK(strstr(scree_world_message(s.world), "surfaces are "));
    CHECK(strstr(scree_world_message(s.world), "deep in each other, the limit is 0.01"));
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
}

/*  Bumpy grains in a heap that are pressed far into each other. */
static uint64_t digest_of_heap(const scree_world_def *def)
{
    scree_mesh *grain = globe(80, 0.01, 1.4);
    scene s = open_scene(def, "hertz", 0.3, 0.5);

    for (int k = 0; k < 8; k++) {
        scree_body_def b = body_at(&s, scree_shape_mesh(grain, 1e-4), 0.022 * (k & 1),
                                   0.022 * (k >> 1 & 1), 0.022 * (k >> 2));
        for (int a = 0; a < 3; a++)
            b.velocity[a] = -10 * (b.position[a] - 0.011) / 0.011;
        b.spin[k % 3] = 20;
        add(&s, &b);
    }
    if (scree_world_step(s.world, 300))
        FAIL("%s", scree_world_message(s.world));
    CHECK(scree_world_local_counts(s.world).deep > 0);
    uint64_t digest = scree_world_digest(s.world);
    scree_world_destroy(s.world);
    scree_mesh_destroy(grain);
    return digest;
}

TEST(the_same_bits_for_threads_methods_and_instructions)
{
    scree_world_def def = def_of(1, SCREE_SIMD_SCALAR, NULL);
    def.step.dt = 1e-6;
    const uint64_t digest = digest_of_heap(&def);
    static const char *const methods[] = {"bvh8", "dess", "bounding-volume"};

    for (int k = 0; k < 3; k++) {
        def = def_of(k + 1, SCREE_SIMD_AUTO, methods[k]);
        def.step.dt = 1e-6;
        CHECK_EQUAL(digest_of_heap(&def), digest);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(vertices_that_are_inside_are_pushed_out),
        CASE(edges_that_have_passed_each_other_are_pushed_apart),
        CASE(forces_are_the_same_on_both_sides_of_meeting),
        CASE(walls_push_to_the_side_of_the_centre),
        CASE(deep_contacts_are_events),
        CASE(deeper_than_the_limit_is_refused),
        CASE(the_same_bits_for_threads_methods_and_instructions),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
