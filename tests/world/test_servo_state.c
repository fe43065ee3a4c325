/*  Servo walls: that they are the same by all ways to compute them and through snapshots and files, and say what they
    cannot do. */
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "servo_maker.h"
#include "world/save/snapshot.h"

/* ---- bit-identical results ---- */

typedef struct way
{
    const char *method;
    uint32_t threads;
    scree_simd simd;
    bool sorts;
} way;

#define STRETCHES 4
#define STRETCH 250u

static packing packed_by(const way *w)
{
    scree_world_def def = fixed(4e-6);

    def.detection.method = w->method;
    def.compute.thread_count = w->threads;
    def.compute.simd = w->simd;
    def.detection.sort_every = w->sorts ? 7 : 0;
    def.energy_balance = true;
    packing p = make_packing(def, 5, 0.3, scree_shape_sphere(R));
    drive(&p, 2000, 0.1);
    return p;
}

TEST(it_is_the_same_by_all_ways)
{
    static const way ways[] = {{"bvh8", 1, SCREE_SIMD_AUTO, false},
                               {"insertion-sort", 3, SCREE_SIMD_SCALAR, true},
                               {"flat", 2, SCREE_SIMD_AUTO, true},
                               {"auto", 1, SCREE_SIMD_AUTO, false}};
    uint64_t known[STRETCHES] = {0};

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        packing p = packed_by(&ways[k]);
        for (int n = 0; n < STRETCHES; n++) {
            step(p.world, STRETCH);
            uint64_t digest = scree_world_digest(p.world);
            known[n] = k ? known[n] : digest;
            CHECK(digest == known[n]);
        }
        CHECK(wall_of(p.world, p.wall[0]).servo.contacts > 5);
        scree_world_destroy(p.world);
    }
}

/*  Taken in the middle, given back to a world that has gone on, to a copy, and to one from a file. */
TEST(it_goes_through_snapshots_and_files)
{
    static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false};
    packing p = packed_by(&plain);
    scree_snapshot *snapshot;
    scree_world_def hooks = scree_default_world_def();
    scree_world *copy, *read;
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    step(p.world, 2 * STRETCH);
    uint64_t middle = scree_world_digest(p.world);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    if (scree_world_copy(p.world, &hooks, &copy) ||
        scree_checkpoint_write(p.world, path_of("servo.scree"), NULL, 0, &error))
        FAIL("%s", error.text);
    if (scree_checkpoint_read(path_of("servo.scree"), NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, NULL, &read, &error))
        FAIL("%s", error.text);
    CHECK(scree_world_digest(read) == middle && scree_world_digest(copy) == middle);
    scree_servo_state was = wall_of(p.world, p.wall[3]).servo, is = wall_of(read, p.wall[3]).servo;
    CHECK(was.is_on && is.is_on && was.contacts == is.contacts && was.force == is.force &&
          was.target == is.target && was.speed == is.speed && was.shift[1] == is.shift[1]);
    step(p.world, STRETCH);
    uint64_t end = scree_world_digest(p.world);
    CHECK(end != middle);
    for (int k = 0; k < 6; k++)
        set_servo(p.world, p.wall[k], NULL);
    CHECK_EQUAL(scree_world_restore(p.world, snapshot), SCREE_OK);
    CHECK(scree_world_digest(p.world) == middle);
    step(p.world, STRETCH);
    step(copy, STRETCH);
    step(read, STRETCH);
    CHECK(scree_world_digest(p.world) == end);
    CHECK(scree_world_digest(copy) == end);
    CHECK(scree_world_digest(read) == end);
    /* and of a world without one into one that has */
    scree_snapshot *without;
    for (int k = 0; k < 6; k++)
        set_servo(copy, p.wall[k], NULL);
    CHECK_EQUAL(scree_world_snapshot(copy, &without), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(p.world, without), SCREE_OK);
    CHECK(scree_world_digest(p.world) == scree_world_digest(copy));
    CHECK(!wall_of(p.world, p.wall[0]).servo.is_on);
    scree_snapshot_destroy(without);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(read);
    scree_world_destroy(copy);
    scree_world_destroy(p.world);
    remove(path_of("servo.scree"));
    leave_folder();
}

static unsigned char *read_bytes(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = calloc(1, 1 << 20);

    CHECK(file && bytes);
    *count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/*  Numbers that no world has, behind checksums that are right. */
TEST(a_servo_that_cannot_be_is_refused)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01);
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;
    scree_error error = {SCREE_OK, ""};
    size_t count;

    enter_folder();
    set_servo(p.world, p.lid, &servo);
    step(p.world, 3);
    CHECK_EQUAL(scree_checkpoint_write(p.world, path_of("bad.scree"), NULL, 0, NULL), SCREE_OK);
    unsigned char *bytes = read_bytes(path_of("bad.scree"), &count), *copy = malloc(count);
    CHECK_EQUAL(scree_checkpoint_read_bytes(bytes, count, NULL, &checkpoint, NULL), SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, "state.wall.servo", &section));
    CHECK_EQUAL(section.rows, 2);
    CHECK_EQUAL(section.row_bytes, sizeof(scree_packed_servo));
    scree_checkpoint_destroy(checkpoint);

#define BAD(row, change)                                                                           \
    {                                                                                              \
        scree_packed_servo packed[2];                                                              \
        scree_world *world;                                                                        \
        memcpy(copy, bytes, count);                                                                \
        memcpy(packed, copy + section.offset, sizeof packed);                                      \
        scree_packed_servo *is = &packed[row];                                                     \
        change;                                                                                    \
        memcpy(copy + section.offset, packed, sizeof packed);                                      \
        repair_checksums(copy, count);                                                             \
        scree_status status = scree_checkpoint_read_bytes(copy, count, NULL, &checkpoint, &error); \
        if (!status) {                                                                             \
            status = scree_checkpoint_world(checkpoint, NULL, &world, &error);                     \
            if (!status)                                                                           \
                FAIL("%s was accepted", #change);                                                  \
            scree_checkpoint_destroy(checkpoint);                                                  \
        }                                                                                          \
        CHECK_EQUAL(status, SCREE_BAD_FILE);                                                       \
        CHECK_SAYS(error.text, "a servo");                                                         \
    }
    BAD(1, is->is_on = 2)
    BAD(1, is->shift[1] = NAN)
    BAD(1, is->axis[0] = 1)
    BAD(1, is->speed = 0.02)
    BAD(1, is->target = -1)
    BAD(1, is->force = INFINITY)
    BAD(1, is->wanted = -1)
    BAD(1, is->stop = -1)
    BAD(0, is->speed = 1)
    BAD(0, is->shift[2] = INFINITY)
    BAD(1, is->between[0] = p.floor)
    BAD(1, is->between[2].index1 = 9)
#undef BAD
    free(bytes);
    free(copy);
    scree_world_destroy(p.world);
    remove(path_of("bad.scree"));
    leave_folder();
}

/*  Each field of a servo is a part of the state. */
TEST(each_field_counts)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01), other;
    uint64_t digest, none = scree_world_digest(p.world);

#define DIFFERS(change)                                                                            \
    other = servo;                                                                                 \
    change;                                                                                        \
    set_servo(p.world, p.lid, &other);                                                             \
    CHECK(scree_world_digest(p.world) != digest);
    set_servo(p.world, p.lid, &servo);
    digest = scree_world_digest(p.world);
    CHECK(digest != none);
    DIFFERS(other.force = 0.02)
    DIFFERS((other.force = 0, other.stress = 1, other.area = 0.01))
    DIFFERS(other.area = 1)
    DIFFERS(other.max_speed = 0.02)
    DIFFERS(other.gain = 1)
    DIFFERS(other.start = 1)
    DIFFERS(other.stop = 2)
    DIFFERS(other.axis[0] = 0.1; other.axis[2] = -1)
#undef DIFFERS
    set_servo(p.world, p.lid, &servo);
    CHECK(scree_world_digest(p.world) == digest);
    scree_world_destroy(p.world);
}

/*  What the wall gives is what bodies get. */
TEST(the_balance_closes)
{
    scree_world_def def = fixed(5e-7);
    def.energy_balance = true;
    press p = make_press(&def, NULL, 0.01 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.05);

    set_servo(p.world, p.lid, &servo);
    step(p.world, 60000);
    scree_energy e = scree_world_energy(p.world);
    double left = e.kinetic + e.rotational + e.elastic + e.damping + e.friction - e.walls;
    CHECK(e.walls > 0 && e.elastic > 0);
    CHECK_NEAR(left, e.entered - e.removed, 0.01 * e.walls);
    scree_world_destroy(p.world);
}

/* ---- what is refused, and what is said ---- */

TEST(nonsense_is_refused)
{
    scree_world_def def = fixed(1e-5);
    press p = make_press(&def, NULL, 0.5 * R);
    scree_wall_id mesh = add_mesh(p.world, make_plate(R, false, 3), 3 * R);
    scree_wall_servo_def servo;
    uint64_t digest = scree_world_digest(p.world);

#define REFUSED(where, status, what, change)                                                       \
    servo = pushing(0.01, 0.01);                                                                   \
    change;                                                                                        \
    CHECK_EQUAL(scree_world_set_wall_servo(p.world, where, &servo), status);                       \
    CHECK_SAYS(scree_world_message(p.world), what);                                                \
    CHECK(scree_world_digest(p.world) == digest);

    REFUSED(p.lid, SCREE_BAD_DEF, "not from scree_default_wall_servo_def", servo.cookie = 0)
    REFUSED(p.lid, SCREE_BAD_VALUE, "force is -1, must be 0 or more", servo.force = -1)
    REFUSED(p.lid, SCREE_BAD_VALUE, "stress is nan", servo.stress = NAN)
    REFUSED(p.lid, SCREE_BAD_VALUE, "area is inf", servo.area = INFINITY)
    REFUSED(p.lid, SCREE_BAD_VALUE, "gain is -2", servo.gain = -2)
    REFUSED(p.lid, SCREE_BAD_VALUE, "max_speed is 0, must be above 0", servo.max_speed = 0)
    REFUSED(p.lid, SCREE_BAD_VALUE, "max_speed is 1e+10", servo.max_speed = 1e10)
    REFUSED(p.lid, SCREE_BAD_VALUE, "start is nan", servo.start = NAN)
    REFUSED(p.lid, SCREE_BAD_VALUE, "stop is 0, must be after start", servo.stop = 0)
    REFUSED(p.lid, SCREE_BAD_VALUE, "axis[1] is inf", servo.axis[1] = INFINITY)
    REFUSED(p.lid, SCREE_BAD_VALUE, "does not lead to the bodies before the plane",
            servo.axis[2] = 1)
    REFUSED(mesh, SCREE_BAD_VALUE, "the length of axis is 0", (void)0)
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "has force 0.01 and stress 5", servo.stress = 5)
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "a stress of 5 is on no area: a plane has no end",
            (servo.force = 0, servo.stress = 5))
    REFUSED(mesh, SCREE_BAD_ARGUMENT, "as seen along the axis the mesh covers none",
            (servo.force = 0, servo.stress = 5, servo.axis[0] = 1))
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "has area 1 and walls",
            (servo.area = 1, servo.between[0] = p.floor))
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "between[1] must name another plane",
            servo.between[0] = p.floor)
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "between[0] must name another plane",
            servo.between[0] = p.lid)
    REFUSED(p.lid, SCREE_BAD_ARGUMENT, "between[0] must name another plane",
            servo.between[0] = mesh)
    REFUSED(((scree_wall_id){9, 1}), SCREE_BAD_ARGUMENT, "the id names no wall", (void)0)
#undef REFUSED
    CHECK_EQUAL(scree_world_set_wall_servo(NULL, p.lid, &servo), SCREE_BAD_ARGUMENT);
    scree_world_destroy(p.world);

    def.dimensions = 2;
    p = make_press(&def, NULL, 0.5 * R);
    servo = pushing(0.01, 0.01);
    servo.axis[1] = -1;
    servo.axis[2] = 1;
    CHECK_EQUAL(scree_world_set_wall_servo(p.world, p.lid, &servo), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "axis[2] is 1, must be 0 in two dimensions");
    servo.axis[2] = 0;
    servo.between[0] = servo.between[1] = p.floor;
    servo.between[2] = p.floor;
    CHECK_EQUAL(scree_world_set_wall_servo(p.world, p.lid, &servo), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "between[2] must name none in two dimensions");
    scree_wall_id line = add_mesh(p.world, make_plate(2 * R, false, 2), 0);
    servo = pushing(0, 0.01);
    servo.stress = 3;
    servo.axis[1] = 1;
    set_servo(p.world, line, &servo);
    step(p.world, 1);
    /* the segment along x alone is across the axis */
    CHECK_NEAR(wall_of(p.world, line).servo.target, 3 * 2 * R, 1e-15);
    scree_world_destroy(p.world);
}

typedef struct heard
{
    int count;
    char text[300];
} heard;

static void listen(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    if (level != SCREE_LOG_WARNING || id != SCREE_LOG_SERVO)
        return;
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

TEST(what_cannot_be_held_is_said)
{
    scree_world_def def = fixed(1e-6);
    heard h = {0};
    def.hooks.log = (scree_log){listen, &h};
    def.overlap_limit = INFINITY;
    press p = make_press(&def, NULL, 0.9 * R);
    scree_wall_servo_def servo = pushing(0.01, 0.01);

    set_servo(p.world, p.lid, &servo);
    step(p.world, 999);
    CHECK_EQUAL(h.count, 0);
    step(p.world, 2000);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text,
               "step 1000: servo of wall 2: it touches nothing and keeps moving (0.01 m/s); "
               "bodies push with 0 N of 0.01 N");
    scree_world_destroy(p.world);

    /* a gain of which the engine would have to take less */
    h.count = 0;
    p = make_press(&def, NULL, -1e-3 * R);
    servo.gain = 1e6;
    set_servo(p.world, p.lid, &servo);
    step(p.world, 20000);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "its gain would not be stable");
    CHECK_NEAR(wall_of(p.world, p.lid).servo.force, 0.01, 1e-6);
    /* one that is below that is obeyed: it is slow */
    servo.gain = 1e-4;
    servo.force = 0.02;
    set_servo(p.world, p.lid, &servo);
    step(p.world, 2000);
    CHECK_NEAR(wall_of(p.world, p.lid).servo.speed,
               1e-4 * (0.02 - wall_of(p.world, p.lid).servo.force), 1e-9);
    CHECK_EQUAL(h.count, 1);
    scree_world_destroy(p.world);

    /* what runs away is never held */
    h.count = 0;
    p = make_press(&def, NULL, -1e-3 * R);
    scree_wall_path path = {.velocity = {0, 0, -0.001}};
    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.floor, &path), SCREE_OK);
    servo = pushing(0.01, 1e-5);
    set_servo(p.world, p.lid, &servo);
    scree_body body = body_of(p.world, p.body);
    body.load[2] = 1e-4;
    CHECK_EQUAL(scree_world_set_body(p.world, p.body, &body), SCREE_OK);
    step(p.world, 30000);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "it is as fast as it may be, and yet does not hold its target");
    scree_world_destroy(p.world);
}

/*  A ball that bounces off a lid which follows it: now and then it is touched, and turned back, but never holds. */
TEST(what_is_touched_now_and_then_is_not_held)
{
    scree_world_def def = fixed(1e-6);
    scree_material_def material = scree_default_material_def();
    scree_wall_path path = {.velocity = {0, 0, -1}};
    scree_wall_servo_def servo = pushing(0.01, 1e-3);
    heard h = {0};

    def.hooks.log = (scree_log){listen, &h};
    def.overlap_limit = INFINITY;
    material.restitution = 1;
    press p = make_press(&def, &material, 0);
    CHECK_EQUAL(scree_world_set_wall_path(p.world, p.floor, &path), SCREE_OK);
    set_servo(p.world, p.lid, &servo);
    scree_body body = body_of(p.world, p.body);
    body.velocity[2] = -0.01;
    body.load[2] = 10 * body.mass;
    CHECK_EQUAL(scree_world_set_body(p.world, p.body, &body), SCREE_OK);
    step(p.world, 20000);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "it touches nothing");
    step(p.world, 5000);
    CHECK_EQUAL(h.count, 2);
    CHECK_SAYS(h.text, "in most of 20000 steps it is as fast as it may be, and yet does not hold");
    scree_world_destroy(p.world);

    /* one that is slow is told by what is exerted on it in the mean */
    h.count = 0;
    p = make_press(&def, &material, -1e-3 * R);
    servo = pushing(0.01, 1);
    servo.gain = 1e-9;
    set_servo(p.world, p.lid, &servo);
    step(p.world, 19000);
    CHECK_EQUAL(h.count, 0);
    step(p.world, 2000);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text, "in the mean of 20000 steps bodies do not push with its target (");
    scree_world_destroy(p.world);
}

/* ---- memory ---- */

/*  A sphere and a clump under a lid: what servos ask for beside forces may be lacking. */
TEST(no_request_for_memory_may_fail_badly)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = fixed(1e-6);
        def.hooks.allocator = failing_allocator_hooks(&memory);
        press p = make_press(&def, NULL, -1e-3 * R);
        scree_clump *clump = make_dumbbell();
        scree_body_def body = ball(R, 5 * R, 0, R);
        scree_wall_servo_def servo = pushing(0.01, 0.01);
        body.shape = scree_shape_clump(clump);
        body.orientation[0] = sqrt(0.5);
        body.orientation[2] = sqrt(0.5);
        add(p.world, &body);
        scree_clump_destroy(clump);
        set_servo(p.world, p.lid, &servo);
        uint64_t digest = scree_world_digest(p.world);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_step(p.world, 1);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK((scree_world_digest(p.world) == digest) == (status != SCREE_OK));
        bool done = memory.requests < k;
        memory.fail_at = 0;
        step(p.world, 1);
        scree_world_destroy(p.world);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(it_is_the_same_by_all_ways),
        CASE(it_goes_through_snapshots_and_files),
        CASE(a_servo_that_cannot_be_is_refused),
        CASE(each_field_counts),
        CASE(the_balance_closes),
        CASE(nonsense_is_refused),
        CASE(what_cannot_be_held_is_said),
        CASE(what_is_touched_now_and_then_is_not_held),
        CASE(no_request_for_memory_may_fail_badly),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
