/*  Wear of walls: sliding and impacts against their formulas, sides of facets, worn meshes; that sums are the same by
    all ways to compute them, and through snapshots and files; and what is refused. */
#include "base/common.h"
#include "base/fixed_sum.h"
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "scree/wear.h"
#include "servo_maker.h"
#include "world/state/walls.h"

static const double pi = 3.14159265358979323846;

static scree_wear_def both_ways(void)
{
    scree_wear_def wear = scree_default_wear_def();

    wear.coefficient = 1e-3;
    wear.hardness = 2e9;
    wear.erosion = 1e-7;
    return wear;
}

static void set_wear(scree_world *world, scree_wall_id id, const scree_wear_def *wear)
{
    if (scree_world_set_wear(world, id, wear))
        FAIL("no wear: %s", scree_world_message(world));
}

static scree_facet_wear wear_of(scree_world *world, scree_wall_id id)
{
    scree_facet_wear wear;

    CHECK_EQUAL(scree_world_wear(world, id, &wear, 1), SCREE_OK);
    return wear;
}

/*  The sum over a mesh of few facets. */
static scree_facet_wear wear_of_mesh(scree_world *world, scree_wall_id id)
{
    scree_facet_wear each[64], sum = {.sliding = 0};
    const size_t count =
        wall_of(world, id).mesh ? scree_mesh_describe(wall_of(world, id).mesh).facet_count : 1;

    CHECK(count <= 64);
    CHECK_EQUAL(scree_world_wear(world, id, each, count), SCREE_OK);
    for (size_t f = 0; f < count; f++) {
        sum.sliding += each[f].sliding;
        sum.impact_energy += each[f].impact_energy;
        sum.impacts += each[f].impacts;
        sum.slid_volume += each[f].slid_volume;
        sum.eroded_volume += each[f].eroded_volume;
        sum.depth += each[f].depth * each[f].area;
    }
    return sum;
}

/* ---- sums ---- */

TEST(sums_of_any_order_are_alike)
{
    static const double terms[] = {1e-12, 3.7, 1e6, 0x1p-80, 0x1.8p-80, 123456.789, 0, 5e-324, 0.1};
    uint64_t forth[2] = {0, 0}, back[2] = {0, 0};
    double about = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(terms); k++) {
        scree_fixed_add(forth, terms[k]);
        scree_fixed_add(back, terms[SCREE_COUNT_OF(terms) - 1 - k]);
        about += terms[k];
    }
    CHECK(forth[0] == back[0] && forth[1] == back[1]);
    CHECK_NEAR(scree_fixed_value(forth), about, 1e-9 * about);
    /* a carry: two terms that are each half of the upper word's unit */
    uint64_t carried[2] = {0, 0};
    scree_fixed_add(carried, 0x1p-17);
    CHECK(carried[0] == (uint64_t)1 << 63 && carried[1] == 0);
    scree_fixed_add(carried, 0x1p-17);
    CHECK(carried[0] == 0 && carried[1] == 1 && scree_fixed_value(carried) == 0x1p-16);
}

TEST(a_sum_that_is_too_large_stays_so)
{
    static const double bad[] = {INFINITY, NAN, 1e300, 0x1p46};

    for (size_t k = 0; k < SCREE_COUNT_OF(bad); k++) {
        uint64_t sum[2] = {5, 7};
        scree_fixed_add(sum, bad[k]);
        CHECK(isinf(scree_fixed_value(sum)));
        scree_fixed_add(sum, 1);
        CHECK(isinf(scree_fixed_value(sum)));
    }
    uint64_t sum[2] = {0, 0};
    for (int k = 0; k < 8; k++)
        scree_fixed_add(sum, 0x1.fp45);
    CHECK(isinf(scree_fixed_value(sum)));
}

/* ---- sliding ---- */

static scree_world_def weighty(double dt)
{
    scree_world_def def = fixed(dt);

    def.gravity[2] = -10;
    return def;
}

/*  A body that is held above a belt: its weight slides over the way of the belt. */
static void check_belt(scree_world *world, scree_wall_id floor, scree_shape shape, double height)
{
    const scree_wear_def wear = both_ways();
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    scree_body_def body = ball(R, 0.2 * R, -0.3 * R, height);

    body.shape = shape;
    body.flags = SCREE_FREEZE & ~SCREE_FREEZE_Z;
    scree_body_id id = add(world, &body);
    step(world, 40000); /* it comes to rest */
    belt.velocity[0] = 0.3;
    belt.velocity[1] = 0.4;
    CHECK_EQUAL(scree_world_set_wall_belt(world, floor, &belt), SCREE_OK);
    set_wear(world, floor, &wear);
    step(world, 1000);
    const double work = body_of(world, id).mass * 10 * 0.5 * 1000 * 2e-6;
    const scree_facet_wear worn = wear_of_mesh(world, floor);
    CHECK_NEAR(worn.sliding, work, 1e-3 * work);
    CHECK_NEAR(worn.slid_volume, 1e-3 * worn.sliding / 2e9, 1e-12 * worn.slid_volume);
    CHECK(worn.impacts == 0 && worn.impact_energy == 0 && worn.eroded_volume == 0);
    scree_world_destroy(world);
}

TEST(weight_slides_over_the_way_of_a_belt)
{
    const scree_world_def def = weighty(2e-6);
    scree_material_def material = scree_default_material_def();
    const scree_pebble pebbles[] = {{{-R, 0, 0}, R}, {{R, 0, 0}, R}};
    scree_clump_def clump_def = scree_default_clump_def();
    scree_clump *clump;

    material.restitution = 0.2;
    clump_def.pebbles = pebbles;
    clump_def.pebble_count = 2;
    CHECK_EQUAL(scree_clump_create(&clump_def, &clump), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        scree_world *world = make_world(&def, &material);
        check_belt(world, add_plane(world, 0, 0, 0, 2, 1),
                   k ? scree_shape_clump(clump) : scree_shape_sphere(R), R);
        world = make_world(&def, &material);
        check_belt(world, add_mesh(world, make_plate(10 * R, false, 3), 0),
                   k ? scree_shape_clump(clump) : scree_shape_sphere(R), R);
    }
    scree_clump_destroy(clump);
}

TEST(a_block_slides_too)
{
    const scree_world_def def = weighty(2e-6);
    scree_material_def material = scree_default_material_def();
    scree_mesh *cube = make_plate(R, true, 3);
    scree_hull_def hull = scree_default_hull_def();
    const scree_mesh_info info = scree_mesh_describe(cube);
    scree_mesh *convex;

    material.restitution = 0.2;
    hull.points = info.vertices;
    hull.point_count = info.vertex_count;
    CHECK_EQUAL(scree_mesh_hull(&hull, &convex), SCREE_OK);
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
    check_belt(world, floor, scree_shape_block(convex, 0.05 * R), 0.55 * R);
    scree_mesh_destroy(convex);
    scree_mesh_destroy(cube);
}

/*  Friction stops a sphere that cannot roll after v^2 / (2 mu g): the weight times that way. */
TEST(a_ball_that_slides_to_rest_wears_by_its_way)
{
    const scree_world_def def = weighty(2e-6);
    scree_material_def material = scree_default_material_def();
    const scree_wear_def wear = both_ways();

    material.friction = 0.5;
    material.restitution = 0.2;
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
    scree_body_def body = ball(R, 0, 0, R);
    body.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    scree_body_id id = add(world, &body);
    step(world, 20000);
    scree_body now = body_of(world, id);
    const double start = now.position[0];
    now.velocity[0] = 0.1;
    CHECK_EQUAL(scree_world_set_body(world, id, &now), SCREE_OK);
    set_wear(world, floor, &wear);
    step(world, 15000);
    now = body_of(world, id);
    CHECK_NEAR(now.position[0] - start, 0.1 * 0.1 / (2 * 0.5 * 10), 2e-5);
    const double work = now.mass * 10 * (now.position[0] - start);
    CHECK_NEAR(wear_of(world, floor).sliding, work, 0.02 * work);
    scree_world_destroy(world);
}

/* ---- impacts ---- */

/*  The formula of the header, with numbers of its own. */
static double eroded(const scree_wear_def *wear, double mass, double diameter, double speed,
                     double steep)
{
    return wear->erosion * mass * pow(steep, wear->angle_exponent) *
           pow(1 + wear->hardness / 1e9 * (1 - steep), wear->hardness_exponent) *
           pow(speed / wear->reference_speed, wear->speed_exponent) *
           pow(diameter / wear->reference_diameter, wear->diameter_exponent);
}

/*  A ball is shot at a mesh at an angle. */
static void check_shot(double degrees)
{
    const scree_world_def def = fixed(2e-8);
    scree_material_def material = scree_default_material_def();
    const scree_wear_def wear = both_ways();
    const double steep = sin(degrees * pi / 180), flat = cos(degrees * pi / 180), speed = 5;
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_mesh(world, make_plate(10 * R, false, 3), 0);
    scree_body_def body = ball(R, 0.6 * R, -0.4 * R, 1.01 * R);

    body.velocity[0] = speed * flat;
    body.velocity[2] = -speed * steep;
    scree_body_id id = add(world, &body);
    set_wear(world, floor, &wear);
    step(world, 20000);
    CHECK(body_of(world, id).velocity[2] > 0);
    const double mass = body_of(world, id).mass;
    const scree_facet_wear worn = wear_of_mesh(world, floor);
    CHECK_EQUAL(worn.impacts, 1);
    CHECK_NEAR(worn.impact_energy, mass / 2 * pow(speed * steep, 2), 0.01 * worn.impact_energy);
    const double volume = eroded(&wear, mass, 2 * R, speed, steep);
    CHECK_NEAR(worn.eroded_volume, volume, 0.01 * volume);
    scree_world_destroy(world);
}

TEST(a_ball_erodes_by_speed_and_angle)
{
    check_shot(90);
    check_shot(60);
    check_shot(20);
}

TEST(a_block_that_lands_on_four_corners_hits_once)
{
    const scree_world_def def = fixed(1e-6);
    const scree_wear_def wear = both_ways();
    scree_mesh *cube = make_plate(R, true, 3);
    scree_hull_def hull = scree_default_hull_def();
    const scree_mesh_info info = scree_mesh_describe(cube);
    scree_mesh *convex;

    hull.points = info.vertices;
    hull.point_count = info.vertex_count;
    CHECK_EQUAL(scree_mesh_hull(&hull, &convex), SCREE_OK);
    scree_world *world = make_world(&def, NULL);
    scree_wall_id floor = add_mesh(world, make_plate(10 * R, false, 3), 0);
    scree_body_def body = ball(R, 0, 0, 0.56 * R);
    body.shape = scree_shape_block(convex, 0.05 * R);
    body.velocity[2] = -0.2;
    scree_body_id id = add(world, &body);
    set_wear(world, floor, &wear);
    step(world, 5000);
    CHECK(body_of(world, id).velocity[2] > 0);
    const scree_facet_wear worn = wear_of_mesh(world, floor);
    const double mass = body_of(world, id).mass;
    const double volume =
        eroded(&wear, mass, cbrt(6 * mass / (scree_default_material_def().density * pi)), 0.2, 1);
    CHECK_EQUAL(worn.impacts, 1);
    CHECK_NEAR(worn.impact_energy, mass / 2 * 0.2 * 0.2, 0.02 * worn.impact_energy);
    CHECK_NEAR(worn.eroded_volume, volume, 0.03 * volume);
    scree_world_destroy(world);
    scree_mesh_destroy(convex);
    scree_mesh_destroy(cube);
}

/*  Over the edge between two facets, and on. */
TEST(a_ball_that_slides_across_facets_hits_none)
{
    const scree_world_def def = weighty(2e-6);
    scree_material_def material = scree_default_material_def();
    const scree_wear_def wear = both_ways();

    material.friction = 0;
    material.restitution = 0.2;
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_mesh(world, make_plate(10 * R, false, 3), 0);
    scree_body_def body = ball(R, -3 * R, 1 * R, R);
    scree_body_id id = add(world, &body);
    step(world, 20000);
    scree_body now = body_of(world, id);
    now.velocity[0] = 0.1;
    CHECK_EQUAL(scree_world_set_body(world, id, &now), SCREE_OK);
    set_wear(world, floor, &wear);
    step(world, 30000);
    now = body_of(world, id);
    CHECK(now.position[0] > 2 * R);
    scree_facet_wear each[2];
    CHECK_EQUAL(scree_world_wear(world, floor, each, 2), SCREE_OK);
    CHECK(each[0].sliding > 0 && each[1].sliding > 0);
    CHECK(each[0].impacts + each[1].impacts == 0);
    const double work = now.mass * 10 * (now.position[0] + 3 * R);
    CHECK_NEAR(each[0].sliding + each[1].sliding, work, 0.02 * work);
    scree_world_destroy(world);
}

/* ---- sides, and worn meshes ---- */

/*  From above and from below: depths of opposite signs, volumes of the same. */
TEST(the_side_that_is_worn_counts)
{
    double depth[2];

    for (int from = 0; from < 2; from++) {
        const scree_world_def def = fixed(1e-7);
        const scree_wear_def wear = both_ways();
        const double side = from ? -1 : 1;
        scree_world *world = make_world(&def, NULL);
        scree_wall_id wall = add_mesh(world, make_plate(10 * R, false, 3), 0);
        scree_body_def body = ball(R, 0.6 * R, -0.4 * R, side * 1.01 * R);
        body.velocity[0] = 1;
        body.velocity[2] = -side;
        add(world, &body);
        set_wear(world, wall, &wear);
        step(world, 2000);
        const scree_facet_wear worn = wear_of_mesh(world, wall);
        depth[from] = worn.depth;
        CHECK_EQUAL(worn.impacts, 1);
        CHECK(worn.eroded_volume > 0 && worn.slid_volume > 0);
        CHECK_NEAR(fabs(worn.depth), worn.eroded_volume + worn.slid_volume,
                   1e-9 * fabs(worn.depth));
        scree_world_destroy(world);
    }
    CHECK_NEAR(depth[0], -depth[1], 1e-6 * fabs(depth[0]));
}

TEST(a_worn_mesh_is_lower)
{
    const scree_world_def def = weighty(2e-6);
    scree_material_def material = scree_default_material_def();
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    const scree_wear_def wear = both_ways();
    scree_mesh *mesh;

    material.restitution = 0.2;
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_mesh(world, make_plate(10 * R, false, 3), 0);
    scree_body_def body = ball(R, 2 * R, -2 * R, R);
    body.flags = SCREE_FREEZE & ~SCREE_FREEZE_Z;
    add(world, &body);
    belt.velocity[0] = 1;
    CHECK_EQUAL(scree_world_set_wall_belt(world, floor, &belt), SCREE_OK);
    set_wear(world, floor, &wear);
    step(world, 5000);
    scree_facet_wear each[2];
    CHECK_EQUAL(scree_world_wear(world, floor, each, 2), SCREE_OK);
    const int worn = each[0].sliding > 0 ? 0 : 1;
    CHECK(each[worn].depth != 0 && each[1 - worn].sliding == 0);
    const double up = each[worn].depth > 0 ? 1 : -1; /* the facets point down where this is -1 */
    CHECK_EQUAL(scree_world_worn_mesh(world, floor, 0.1 * R / fabs(each[worn].depth), &mesh),
                SCREE_OK);
    const scree_mesh_info info = scree_mesh_describe(mesh);
    double low = 0, high = -1, sum = 0;
    CHECK_EQUAL(info.vertex_count, 4);
    CHECK_EQUAL(info.facet_count, 2);
    for (uint32_t v = 0; v < 4; v++) {
        const double z = info.vertices[3 * v + 2];
        low = fmin(low, z);
        high = fmax(high, z);
        sum += z;
    }
    /* one corner belongs to the worn facet alone, two to both, one to the other */
    CHECK(up == 1 || up == -1);
    CHECK_NEAR(low, -0.1 * R, 1e-9 * R);
    CHECK_NEAR(high, 0, 1e-12);
    CHECK_NEAR(sum, -0.2 * R, 1e-9 * R);
    scree_mesh_destroy(mesh);
    CHECK_EQUAL(scree_world_worn_mesh(world, floor, 0, &mesh), SCREE_OK);
    for (uint32_t v = 0; v < 4; v++)
        CHECK(scree_mesh_describe(mesh).vertices[3 * v + 2] == 0);
    scree_mesh_destroy(mesh);
    scree_world_destroy(world);
}

/* ---- bit-identical results ---- */

typedef struct way
{
    const char *method;
    uint32_t threads;
    scree_simd simd;
    bool sorts;
} way;

static packing worn_packing(const way *w)
{
    scree_world_def def = weighty(2e-6);
    const scree_wear_def wear = both_ways();

    def.detection.method = w->method;
    def.compute.thread_count = w->threads;
    def.compute.simd = w->simd;
    def.detection.sort_every = w->sorts ? 7 : 0;
    packing p = make_packing(def, 5, 0.3, scree_shape_sphere(R));
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    belt.velocity[0] = 0.5;
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.wall[4], &belt), SCREE_OK);
    for (int k = 0; k < 6; k += 2)
        set_wear(p.world, p.wall[k], &wear);
    return p;
}

#define STRETCH 1000u

TEST(it_is_the_same_by_all_ways)
{
    static const way ways[] = {{"bvh8", 1, SCREE_SIMD_AUTO, false},
                               {"insertion-sort", 3, SCREE_SIMD_SCALAR, true},
                               {"flat", 2, SCREE_SIMD_128, true},
                               {"auto", 1, SCREE_SIMD_AVX2, false}};
    uint64_t known = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(ways); k++) {
        packing p = worn_packing(&ways[k]);
        step(p.world, 2 * STRETCH);
        const uint64_t digest = scree_world_digest(p.world);
        known = k ? known : digest;
        CHECK(digest == known);
        CHECK(wear_of(p.world, p.wall[4]).sliding > 0 && wear_of(p.world, p.wall[4]).impacts > 10);
        scree_world_destroy(p.world);
    }
}

/*  Wear reads the step and changes nothing in it. */
TEST(bodies_move_as_without_it)
{
    static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false};
    packing worn = worn_packing(&plain), whole = worn_packing(&plain);

    for (int k = 0; k < 6; k += 2)
        set_wear(whole.world, whole.wall[k], NULL);
    step(worn.world, STRETCH * 2);
    step(whole.world, STRETCH * 2);
    CHECK(scree_world_digest(worn.world) != scree_world_digest(whole.world));
    for (int k = 0; k < 6; k += 2)
        set_wear(worn.world, worn.wall[k], NULL);
    CHECK(scree_world_digest(worn.world) == scree_world_digest(whole.world));
    scree_world_destroy(worn.world);
    scree_world_destroy(whole.world);
}

TEST(it_goes_through_snapshots_and_files)
{
    static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false};
    packing p = worn_packing(&plain);
    scree_world_def hooks = scree_default_world_def();
    scree_snapshot *snapshot, *without;
    scree_world *copy;

    enter_folder();
    step(p.world, 2 * STRETCH);
    CHECK(wear_of(p.world, p.wall[4]).sliding > 0);
    const uint64_t middle = scree_world_digest(p.world);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(p.world, &hooks, &copy), SCREE_OK);
    write_to(p.world, path_of("wear.scree"));
    scree_checkpoint *checkpoint = read_from(path_of("wear.scree"));
    scree_world *read = world_of(checkpoint, NULL);
    CHECK(scree_world_digest(copy) == middle);
    CHECK(scree_world_digest(read) == middle);
    step(p.world, STRETCH);
    const uint64_t end = scree_world_digest(p.world);
    for (int k = 0; k < 6; k += 2)
        set_wear(p.world, p.wall[k], NULL);
    CHECK(scree_world_digest(p.world) != end);
    CHECK_EQUAL(scree_world_snapshot(p.world, &without), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(p.world, snapshot), SCREE_OK);
    CHECK(scree_world_digest(p.world) == middle);
    step(p.world, STRETCH);
    step(copy, STRETCH);
    step(read, STRETCH);
    CHECK(scree_world_digest(p.world) == end);
    CHECK(scree_world_digest(copy) == end);
    CHECK(scree_world_digest(read) == end);
    CHECK_EQUAL(scree_world_restore(p.world, without), SCREE_OK);
    CHECK(!scree_world_get_wear(p.world, p.wall[0], NULL));
    scree_snapshot_destroy(without);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(read);
    scree_world_destroy(copy);
    scree_world_destroy(p.world);
    remove(path_of("wear.scree"));
    leave_folder();
}

/*  Sums stay when the wall gets another path, and begin at 0 again when wear is set again. */
TEST(it_stays_with_its_wall)
{
    static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false};
    packing p = worn_packing(&plain);
    const scree_wear_def wear = both_ways();
    scree_wall_path path = scree_default_wall_def().path;
    scree_wear_def now;

    step(p.world, 2 * STRETCH);
    const double before = wear_of(p.world, p.wall[4]).sliding;
    path.velocity[2] = -0.001;
    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.wall[4], &path), SCREE_OK);
    CHECK(before > 0 && wear_of(p.world, p.wall[4]).sliding == before);
    CHECK(scree_world_get_wear(p.world, p.wall[4], &now));
    CHECK(memcmp(&now, &wear, sizeof wear) == 0);
    set_wear(p.world, p.wall[4], &wear);
    CHECK(wear_of(p.world, p.wall[4]).sliding == 0);
    CHECK_EQUAL(scree_world_remove_wall(p.world, p.wall[4]), SCREE_OK);
    step(p.world, 10);
    scree_world_destroy(p.world);
}

TEST(each_field_counts)
{
    const scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    const scree_wear_def wear = both_ways();
    const uint64_t none = scree_world_digest(p.world);

    set_wear(p.world, p.lid, &wear);
    const uint64_t digest = scree_world_digest(p.world);
    CHECK(digest != none);
#define DIFFERS(change)                                                                            \
    {                                                                                              \
        scree_wear_def other = wear;                                                               \
        change;                                                                                    \
        set_wear(p.world, p.lid, &other);                                                          \
        CHECK(scree_world_digest(p.world) != digest);                                              \
    }
    DIFFERS(other.coefficient = 0)
    DIFFERS(other.hardness = 1)
    DIFFERS(other.erosion = 0)
    DIFFERS(other.reference_speed = 1)
    DIFFERS(other.reference_diameter = 1)
    DIFFERS(other.speed_exponent = 1)
    DIFFERS(other.diameter_exponent = 1)
    DIFFERS(other.angle_exponent = 1)
    DIFFERS(other.hardness_exponent = 1)
#undef DIFFERS
    set_wear(p.world, p.lid, NULL);
    CHECK(scree_world_digest(p.world) == none);
    scree_world_destroy(p.world);
}

/* ---- what is refused ---- */

TEST(nonsense_is_refused)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    const uint64_t digest = scree_world_digest(p.world);
    scree_facet_wear worn[2];
    scree_mesh *mesh;

#define BAD(change, status, words)                                                                 \
    {                                                                                              \
        scree_wear_def wear = both_ways();                                                         \
        change;                                                                                    \
        CHECK_EQUAL(scree_world_set_wear(p.world, p.floor, &wear), status);                        \
        CHECK_SAYS(scree_world_message(p.world), words);                                           \
        CHECK(scree_world_digest(p.world) == digest);                                              \
    }
    BAD(wear.coefficient = NAN, SCREE_BAD_VALUE, "coefficient")
    BAD(wear.coefficient = -1, SCREE_BAD_VALUE, "coefficient")
    BAD(wear.hardness = 0, SCREE_BAD_VALUE, "hardness")
    BAD(wear.erosion = INFINITY, SCREE_BAD_VALUE, "erosion")
    BAD(wear.reference_speed = 0, SCREE_BAD_VALUE, "reference_speed")
    BAD(wear.reference_diameter = -1, SCREE_BAD_VALUE, "reference_diameter")
    BAD(wear.speed_exponent = 11, SCREE_BAD_VALUE, "speed_exponent")
    BAD(wear.diameter_exponent = NAN, SCREE_BAD_VALUE, "diameter_exponent")
    BAD(wear.angle_exponent = -1, SCREE_BAD_VALUE, "angle_exponent")
    BAD(wear.hardness_exponent = 11, SCREE_BAD_VALUE, "hardness_exponent")
    BAD(wear.cookie = 0, SCREE_BAD_DEF, "scree_default_wear_def")
    BAD(wear.size = 4, SCREE_BAD_DEF, "scree_default_wear_def")
#undef BAD
    const scree_wear_def wear = both_ways();
    CHECK_EQUAL(scree_world_set_wear(p.world, (scree_wall_id){9, 1}, &wear), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_wear(NULL, p.floor, &wear), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_wear(p.world, p.floor, worn, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "does not wear");
    set_wear(p.world, p.floor, &wear);
    CHECK_EQUAL(scree_world_wear(p.world, p.floor, worn, 2), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "count is 2, the wall has 1 facets");
    CHECK_EQUAL(scree_world_wear(p.world, p.floor, NULL, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_wear(NULL, p.floor, worn, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_worn_mesh(p.world, p.floor, 1, &mesh), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "plane");
    CHECK(!mesh);
    scree_wall_id plate = add_mesh(p.world, make_plate(10 * R, false, 3), -R);
    CHECK_EQUAL(scree_world_worn_mesh(p.world, plate, 1, &mesh), SCREE_BAD_ARGUMENT);
    set_wear(p.world, plate, &wear);
    CHECK_EQUAL(scree_world_worn_mesh(p.world, plate, NAN, &mesh), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_worn_mesh(p.world, plate, -1, &mesh), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_worn_mesh(p.world, plate, 1, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_worn_mesh(NULL, plate, 1, &mesh), SCREE_BAD_ARGUMENT);
    scree_world_destroy(p.world);
    def.step.local_steps = 4;
    p = make_press(&def, NULL, 0.5 * R);
    CHECK_EQUAL(scree_world_set_wear(p.world, p.floor, &wear), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "not with local time steps");
    scree_world_destroy(p.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sums_of_any_order_are_alike),
        CASE(a_sum_that_is_too_large_stays_so),
        CASE(weight_slides_over_the_way_of_a_belt),
        CASE(a_block_slides_too),
        CASE(a_ball_that_slides_to_rest_wears_by_its_way),
        CASE(a_ball_erodes_by_speed_and_angle),
        CASE(a_block_that_lands_on_four_corners_hits_once),
        CASE(a_ball_that_slides_across_facets_hits_none),
        CASE(the_side_that_is_worn_counts),
        CASE(a_worn_mesh_is_lower),
        CASE(it_is_the_same_by_all_ways),
        CASE(bodies_move_as_without_it),
        CASE(it_goes_through_snapshots_and_files),
        CASE(it_stays_with_its_wall),
        CASE(each_field_counts),
        CASE(nonsense_is_refused),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
