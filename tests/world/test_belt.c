/*  Belts of walls: what they do to bodies, against closed forms and against walls that move; that they are the same by
    all ways to compute them, and through snapshots and files; and what is refused. */
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "scree/sleep.h"
#include "servo_maker.h"
#include "world/state/walls.h"

static const double pi = 3.14159265358979323846;

static scree_wall_belt_def sliding(double x, double y, double z)
{
    scree_wall_belt_def belt = scree_default_wall_belt_def();

    belt.velocity[0] = x;
    belt.velocity[1] = y;
    belt.velocity[2] = z;
    return belt;
}

static void set_belt(scree_world *world, scree_wall_id id, const scree_wall_belt_def *belt)
{
    if (scree_world_set_wall_belt(world, id, belt))
        FAIL("no belt: %s", scree_world_message(world));
}

static scree_world_def weighty(double dt)
{
    scree_world_def def = fixed(dt);

    def.gravity[2] = -10;
    return def;
}

static scree_material_def rough(double friction)
{
    scree_material_def material = scree_default_material_def();

    material.friction = friction;
    material.restitution = 0.3;
    return material;
}

/*  Depth at which a sphere of the default material rests: so small that it does not matter here. */
static scree_body_id set_down(scree_world *world, double x, double y)
{
    const scree_body_def body = ball(R, x, y, R);

    return add(world, &body);
}

/* ---- closed forms ---- */

/*  Friction pushes a sphere until its lowest point is as fast as the belt: v + w r = V with w r = 5/2 v. */
static void check_sphere(scree_world *world, scree_wall_id floor)
{
    const scree_wall_belt_def belt = sliding(0.1, 0, 0);
    scree_body_id id = set_down(world, 0, 0);

    set_belt(world, floor, &belt);
    step(world, 20000);
    scree_body body = body_of(world, id);
    CHECK_NEAR(body.velocity[0], 0.1 * 2 / 7, 1e-4);
    CHECK_NEAR(body.spin[1] * R, -0.1 * 5 / 7, 3e-4);
    CHECK_NEAR(body.velocity[1], 0, 1e-9);
    scree_energy e = scree_world_energy(world);
    CHECK(e.walls > 0);
    CHECK_NEAR(e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction -
                   e.walls - e.entered,
               0, 0.01 * e.walls);
    scree_world_destroy(world);
}

TEST(a_sphere_on_a_plane_gets_two_sevenths_of_its_speed)
{
    scree_world_def def = weighty(2e-6);
    const scree_material_def material = rough(0.5);

    def.energy_balance = true;
    scree_world *world = make_world(&def, &material);
    check_sphere(world, add_plane(world, 0, 0, 0, 2, 1));
}

TEST(a_sphere_on_a_mesh_gets_them_too)
{
    scree_world_def def = weighty(2e-6);
    const scree_material_def material = rough(0.5);

    def.energy_balance = true;
    scree_world *world = make_world(&def, &material);
    check_sphere(world, add_mesh(world, make_plate(20 * R, false, 3), 0));
}

/*  A clump that cannot roll is as fast as the belt after V / (friction g). */
TEST(a_clump_slides_and_then_rides)
{
    scree_world_def def = weighty(2e-6);
    const scree_material_def material = rough(0.2);
    const scree_pebble feet[] = {
        {{-R, -R, 0}, 0.4 * R}, {{R, -R, 0}, 0.4 * R}, {{R, R, 0}, 0.4 * R}, {{-R, R, 0}, 0.4 * R}};
    scree_clump_def clump_def = scree_default_clump_def();
    const scree_wall_belt_def belt = sliding(0, 0.1, 0);
    scree_clump *clump;

    def.energy_balance = true;
    clump_def.pebbles = feet;
    clump_def.pebble_count = 4;
    CHECK_EQUAL(scree_clump_create(&clump_def, &clump), SCREE_OK);
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
    scree_body_def body = ball(R, 0, 0, 0.4 * R);
    body.shape = scree_shape_clump(clump);
    scree_body_id id = add(world, &body);
    set_belt(world, floor, &belt);
    step(world, 10000);
    CHECK_NEAR(body_of(world, id).velocity[1], 0.2 * 10 * 0.02, 1e-3);
    step(world, 40000);
    CHECK_NEAR(body_of(world, id).velocity[1], 0.1, 1e-4);
    /* of the work half became kinetic energy, half heat */
    scree_energy e = scree_world_energy(world);
    CHECK_NEAR(e.friction, e.kinetic, 0.02 * e.kinetic);
    CHECK_NEAR(e.walls, 2 * e.kinetic, 0.04 * e.kinetic);
    scree_world_destroy(world);
    scree_clump_destroy(clump);
}

/*  A turntable: at first friction acts along rate axis x (point - centre). */
TEST(a_turntable_pushes_around_its_centre)
{
    const scree_world_def def = weighty(2e-6);
    const scree_material_def material = rough(0.5);
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
    scree_body_id id = set_down(world, 13 * R, 24 * R);

    belt.centre[0] = 10 * R;
    belt.centre[1] = 20 * R;
    belt.axis[2] = 7;
    belt.rate = 20;
    set_belt(world, floor, &belt);
    step(world, 200);
    scree_body body = body_of(world, id);
    CHECK(body.velocity[0] < 0 && body.velocity[1] > 0);
    CHECK_NEAR(body.velocity[0] / body.velocity[1], -4.0 / 3, 1e-3);
    scree_world_destroy(world);
}

/* ---- beside walls that move ---- */

static uint64_t places_of(scree_world *world)
{
    const scree_bodies_view view = scree_world_bodies(world);
    uint64_t sum = 0;

    for (size_t i = 0; i < view.count; i++) {
        uint64_t words[3];
        memcpy(words, scree_row_at(view.position, i), sizeof words);
        for (int k = 0; k < 3; k++)
            sum = (sum ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    }
    return sum;
}

/*  A plane that moves in itself is a belt: the same bits, by any kernel. */
TEST(a_plane_that_moves_in_itself_is_the_same)
{
    static const scree_simd levels[] = {SCREE_SIMD_SCALAR, SCREE_SIMD_128, SCREE_SIMD_AVX2,
                                        SCREE_SIMD_AVX512, SCREE_SIMD_AUTO};

    for (int has_balance = 0; has_balance < 2; has_balance++)
        for (size_t level = 0; level < sizeof levels / sizeof *levels; level++) {
            uint64_t places[3];
            for (int kind = 0; kind < 3; kind++) {
                scree_world_def def = weighty(2e-6);
                def.energy_balance = has_balance;
                def.compute.simd = levels[level];
                packing p = make_packing(def, 4, 0.4, scree_shape_sphere(R));
                scree_wall_path path = scree_default_wall_def().path;
                const scree_wall_belt_def belt = sliding(0.2, -0.1, 0);
                path.velocity[0] = 0.2;
                path.velocity[1] = -0.1;
                if (kind == 0)
                    set_belt(p.world, p.wall[4], &belt);
                else if (kind == 1)
                    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.wall[4], &path), SCREE_OK);
                step(p.world, 2000);
                places[kind] = places_of(p.world);
                scree_world_destroy(p.world);
            }
            CHECK(places[0] == places[1]);
            CHECK(places[0] != places[2]);
        }
}

TEST(what_is_not_along_the_wall_does_not_count)
{
    double speed[2];

    for (int k = 0; k < 2; k++) {
        const scree_world_def def = weighty(2e-6);
        const scree_material_def material = rough(0.5);
        const scree_wall_belt_def belt = sliding(0.1, 0, k ? 3 : 0);
        scree_world *world = make_world(&def, &material);
        scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
        scree_body_id id = set_down(world, 0, 0);
        set_belt(world, floor, &belt);
        step(world, 3000);
        speed[k] = body_of(world, id).velocity[0];
        CHECK_NEAR(body_of(world, id).position[2], R, 1e-3 * R);
        scree_world_destroy(world);
    }
    CHECK(speed[0] > 0 && fabs(speed[1] - speed[0]) < 1e-12);
}

TEST(it_turns_with_its_wall)
{
    const scree_world_def def = fixed(1e-4);
    const scree_material_def material = rough(0.5);
    scree_world *world = make_world(&def, &material);
    scree_wall_id wall = add_mesh(world, make_plate(10 * R, false, 3), 0);
    scree_wall_path path = scree_default_wall_def().path;
    scree_wall_belt_def belt = sliding(1, 0, 0), now;

    belt.centre[0] = 3;
    belt.axis[0] = 2;
    belt.axis[2] = 0;
    belt.rate = 5;
    path.axis[2] = 1;
    path.rate = pi / 2;
    path.velocity[2] = 7;
    CHECK_EQUAL(scree_world_set_wall_path(world, wall, &path), SCREE_OK);
    set_belt(world, wall, &belt);
    CHECK(scree_world_get_wall_belt(world, wall, &now));
    CHECK_EQUAL(now.velocity[0], 1);
    CHECK_EQUAL(now.axis[0], 1);
    CHECK_EQUAL(now.centre[0], 3);
    step(world, 10000);
    CHECK(scree_world_get_wall_belt(world, wall, &now));
    CHECK_NEAR(now.velocity[0], 0, 1e-9);
    CHECK_NEAR(now.velocity[1], 1, 1e-9);
    CHECK_NEAR(now.axis[1], 1, 1e-9);
    CHECK_NEAR(now.centre[1], 3, 1e-9);
    CHECK_NEAR(now.centre[2], 7, 1e-9);
    CHECK_EQUAL(now.rate, 5);
    /* it stays through another path, and goes when it is turned off */
    path = scree_default_wall_def().path;
    CHECK_EQUAL(scree_world_set_wall_path(world, wall, &path), SCREE_OK);
    CHECK(scree_world_get_wall_belt(world, wall, &now));
    CHECK_NEAR(now.velocity[1], 1, 1e-9);
    set_belt(world, wall, NULL);
    CHECK(!scree_world_get_wall_belt(world, wall, &now));
    CHECK(now.velocity[1] == 0 && now.axis[2] == 1);
    scree_world_destroy(world);
}

TEST(a_belt_that_starts_wakes_bodies)
{
    const scree_world_def def = weighty(2e-6);
    const scree_material_def material = rough(0.5);
    scree_sleep_def sleep = scree_default_sleep_def();
    const scree_wall_belt_def belt = sliding(0.1, 0, 0);
    scree_world *world = make_world(&def, &material);
    scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
    scree_body_id id = set_down(world, 0, 0);

    sleep.speed = 1e-3;
    CHECK_EQUAL(scree_world_set_sleep(world, &sleep), SCREE_OK);
    step(world, 20000);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 1);
    set_belt(world, floor, &belt);
    step(world, 2000);
    CHECK_EQUAL(scree_world_sleep_counts(world).asleep, 0);
    CHECK(body_of(world, id).velocity[0] > 0.005);
    scree_world_destroy(world);
}

/* ---- bit-identical results ---- */

typedef struct way
{
    const char *method;
    uint32_t threads;
    scree_simd simd;
    bool sorts, has_balance;
} way;

static packing belted(const way *w)
{
    scree_world_def def = weighty(2e-6);

    def.detection.method = w->method;
    def.compute.thread_count = w->threads;
    def.compute.simd = w->simd;
    def.detection.sort_every = w->sorts ? 7 : 0;
    def.energy_balance = w->has_balance;
    packing p = make_packing(def, 5, 0.3, scree_shape_sphere(R));
    for (int k = 0; k < 6; k++) {
        scree_wall_belt_def belt = sliding(0.1 * k, -0.2, 0.3);
        belt.rate = 3 * k;
        belt.axis[k % 3] = 1;
        belt.centre[1] = 2 * R;
        set_belt(p.world, p.wall[k], &belt);
    }
    return p;
}

#define STRETCH 400u

TEST(it_is_the_same_by_all_ways)
{
    static const way ways[] = {{"bvh8", 1, SCREE_SIMD_AUTO, false, false},
                               {"insertion-sort", 3, SCREE_SIMD_SCALAR, true, false},
                               {"flat", 2, SCREE_SIMD_128, true, false},
                               {"auto", 1, SCREE_SIMD_AVX2, false, false}};

    uint64_t known = 0;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        packing p = belted(&ways[k]);
        step(p.world, 3 * STRETCH);
        const uint64_t digest = scree_world_digest(p.world);
        known = k ? known : digest;
        CHECK(digest == known);
        scree_world_destroy(p.world);
    }
}

TEST(it_goes_through_snapshots_and_files)
{
    static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false, true};
    packing p = belted(&plain);
    scree_world_def hooks = scree_default_world_def();
    scree_snapshot *snapshot, *without;
    scree_world *copy;

    enter_folder();
    step(p.world, STRETCH);
    const uint64_t middle = scree_world_digest(p.world);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(p.world, &hooks, &copy), SCREE_OK);
    write_to(p.world, path_of("belt.scree"));
    scree_checkpoint *checkpoint = read_from(path_of("belt.scree"));
    scree_world *read = world_of(checkpoint, NULL);
    CHECK(scree_world_digest(read) == middle && scree_world_digest(copy) == middle);
    step(p.world, STRETCH);
    const uint64_t end = scree_world_digest(p.world);
    for (int k = 0; k < 6; k++)
        set_belt(p.world, p.wall[k], NULL);
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
    CHECK(!scree_world_get_wall_belt(p.world, p.wall[0], NULL));
    scree_snapshot_destroy(without);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(read);
    scree_world_destroy(copy);
    scree_world_destroy(p.world);
    remove(path_of("belt.scree"));
    leave_folder();
}

TEST(each_field_counts)
{
    const scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_belt_def belt = sliding(1, 2, 3), other;
    uint64_t digest, none = scree_world_digest(p.world);

#define DIFFERS(change)                                                                            \
    other = belt;                                                                                  \
    change;                                                                                        \
    set_belt(p.world, p.lid, &other);                                                              \
    CHECK(scree_world_digest(p.world) != digest);
    belt.rate = 4;
    set_belt(p.world, p.lid, &belt);
    digest = scree_world_digest(p.world);
    CHECK(digest != none);
    DIFFERS(other.velocity[2] = 0)
    DIFFERS(other.centre[0] = 1)
    DIFFERS(other.axis[1] = 1)
    DIFFERS(other.rate = 3)
#undef DIFFERS
    set_belt(p.world, p.lid, NULL);
    CHECK(scree_world_digest(p.world) == none);
    scree_world_destroy(p.world);
}

/* ---- what is refused ---- */

TEST(nonsense_is_refused)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_belt_def belt;
    const uint64_t digest = scree_world_digest(p.world);

#define BAD(change, status, words)                                                                 \
    belt = sliding(1, 0, 0);                                                                       \
    change;                                                                                        \
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.floor, &belt), status);                       \
    CHECK_SAYS(scree_world_message(p.world), words);                                               \
    CHECK(scree_world_digest(p.world) == digest);
    BAD(belt.velocity[1] = NAN, SCREE_BAD_VALUE, "velocity[1]")
    BAD(belt.velocity[0] = INFINITY, SCREE_BAD_VALUE, "velocity[0]")
    BAD(belt.centre[2] = 1e200, SCREE_BAD_VALUE, "centre[2]")
    BAD(belt.rate = NAN, SCREE_BAD_VALUE, "rate")
    BAD(belt.axis[2] = 0, SCREE_BAD_VALUE, "axis")
    BAD(belt.cookie = 0, SCREE_BAD_DEF, "scree_default_wall_belt_def")
    belt = sliding(1, 0, 0);
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, (scree_wall_id){9, 1}, &belt),
                SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "names no wall");
    CHECK_EQUAL(scree_world_set_wall_belt(NULL, p.floor, &belt), SCREE_BAD_ARGUMENT);
    CHECK(!scree_world_get_wall_belt(NULL, p.floor, &belt));
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.floor, NULL), SCREE_OK);
    scree_world_destroy(p.world);
    def.dimensions = 2;
    p = make_press(&def, NULL, 0.5 * R);
    const uint64_t flat = scree_world_digest(p.world);
#undef BAD
#define BAD(change, words)                                                                         \
    belt = sliding(1, 0, 0);                                                                       \
    change;                                                                                        \
    CHECK_EQUAL(scree_world_set_wall_belt(p.world, p.floor, &belt), SCREE_BAD_VALUE);              \
    CHECK_SAYS(scree_world_message(p.world), words);                                               \
    CHECK(scree_world_digest(p.world) == flat);
    BAD(belt.velocity[2] = 1, "velocity[2]")
    BAD(belt.centre[2] = 1, "centre[2]")
    BAD((belt.rate = 1, belt.axis[0] = 1), "along z")
#undef BAD
    scree_world_destroy(p.world);
}

TEST(damaged_files_are_refused)
{
    const scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    const scree_wall_belt_def belt = sliding(1, 0, 0);
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    set_belt(p.world, p.lid, &belt);
    const file_bytes file = bytes_of(p.world);
    unsigned char *copy = malloc(file.count);
    CHECK(copy);
    CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, NULL),
                SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, "state.wall.belt", &section));
    CHECK_EQUAL(section.rows, 2);
    CHECK_EQUAL(section.row_bytes, sizeof(scree_belt));
    scree_checkpoint_destroy(checkpoint);
#define BAD(row, change)                                                                           \
    {                                                                                              \
        scree_belt packed[2];                                                                      \
        scree_world *world;                                                                        \
        memcpy(copy, file.data, file.count);                                                       \
        memcpy(packed, copy + section.offset, sizeof packed);                                      \
        scree_belt *is = &packed[row];                                                             \
        change;                                                                                    \
        memcpy(copy + section.offset, packed, sizeof packed);                                      \
        repair_checksums(copy, file.count);                                                        \
        scree_status status =                                                                      \
            scree_checkpoint_read_bytes(copy, file.count, NULL, &checkpoint, &error);              \
        if (!status) {                                                                             \
            status = scree_checkpoint_world(checkpoint, NULL, &world, &error);                     \
            if (!status)                                                                           \
                FAIL("%s was accepted", #change);                                                  \
            scree_checkpoint_destroy(checkpoint);                                                  \
        }                                                                                          \
        CHECK_EQUAL(status, SCREE_BAD_FILE);                                                       \
        CHECK_SAYS(error.text, "an impossible belt");                                              \
    }
    BAD(1, is->is_on = 2)
    BAD(1, is->axis[0] = 1)
    BAD(1, is->velocity[0] = NAN)
    BAD(1, is->centre[1] = INFINITY)
    BAD(1, is->rate = NAN)
    BAD(0, is->rate = 1)
#undef BAD
    free(file.data);
    free(copy);
    scree_world_destroy(p.world);
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_sphere_on_a_plane_gets_two_sevenths_of_its_speed),
        CASE(a_sphere_on_a_mesh_gets_them_too),
        CASE(a_clump_slides_and_then_rides),
        CASE(a_turntable_pushes_around_its_centre),
        CASE(a_plane_that_moves_in_itself_is_the_same),
        CASE(what_is_not_along_the_wall_does_not_count),
        CASE(it_turns_with_its_wall),
        CASE(a_belt_that_starts_wakes_bodies),
        CASE(it_is_the_same_by_all_ways),
        CASE(it_goes_through_snapshots_and_files),
        CASE(each_field_counts),
        CASE(nonsense_is_refused),
        CASE(damaged_files_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
