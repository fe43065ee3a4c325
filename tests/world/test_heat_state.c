/*  Heat as a part of the state: the same by all ways to compute it, through snapshots and files, each field counts, and
    no request for memory may fail badly. */
#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "heat_maker.h"
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

/*  Spheres, clumps, meshes and blocks pressed together, warm ones and cold ones, two walls of given temperature; what
    contacts lose becomes heat. */
static packing warm_packing(const way *w, scree_allocator allocator)
{
    scree_world_def def = fixed(4e-6);
    scree_heat_def heat = scree_default_heat_def();
    scree_shape shape[4];
    made_shapes made = make_shapes(shape);

    def.detection.method = w->method;
    def.compute.thread_count = w->threads;
    def.compute.simd = w->simd;
    def.detection.sort_every = w->sorts ? 7 : 0;
    def.energy_balance = true;
    def.hooks.allocator = allocator;
    packing p = make_packing(def, 5, 0.3, scree_shape_sphere(R));
    for (uint32_t k = 1; k <= 125; k += 8) {
        scree_body_def body = ball(R, 0, 0, 0);
        body.shape = shape[1 + k / 8 % 3];
        memcpy(body.position, body_of(p.world, (scree_body_id){k, 1}).position,
               sizeof body.position);
        CHECK_EQUAL(scree_world_remove_body(p.world, (scree_body_id){k, 1}), SCREE_OK);
        add(p.world, &body);
    }
    free_shapes(&made);
    heat.loss_share = 0.5;
    CHECK_EQUAL(scree_world_set_heat(p.world, &heat), SCREE_OK);
    heat_material(p.world, 1, 50, CAPACITY);
    scree_bodies_view view = scree_world_bodies(p.world);
    for (size_t k = 0; k < view.count; k++)
        set_temperature(p.world, scree_body_id_at(view.id, k),
                        280 + 10.0 * (double)(scree_uint64_at(view.serial, k) % 7),
                        scree_uint64_at(view.serial, k) % 11 == 0);
    set_wall_temperature(p.world, p.wall[0], 500);
    set_wall_temperature(p.world, p.wall[4], 200);
    drive(&p, 2000, 0.1);
    return p;
}

static const way plain = {"bvh8", 1, SCREE_SIMD_AUTO, false};

TEST(it_is_the_same_by_all_ways)
{
    static const way ways[] = {{"bvh8", 1, SCREE_SIMD_AUTO, false},
                               {"insertion-sort", 3, SCREE_SIMD_SCALAR, true},
                               {"flat", 2, SCREE_SIMD_AUTO, true},
                               {"auto", 1, SCREE_SIMD_AUTO, false}};

    uint64_t known[STRETCHES] = {0};

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        packing p = warm_packing(&ways[k], (scree_allocator){0});
        for (int n = 0; n < STRETCHES; n++) {
            step(p.world, STRETCH);
            uint64_t digest = scree_world_digest(p.world);
            known[n] = k ? known[n] : digest;
            CHECK(digest == known[n]);
        }
        scree_heat_totals totals = scree_world_heat(p.world);
        CHECK(totals.losses > 0 && totals.walls != 0 && totals.losses_to_walls > 0);
        check_books(p.world, 1e-13);
        scree_world_destroy(p.world);
    }
}

/*  Taken in the middle, given back to a world that has gone on, to a copy, and to one from a file. */
TEST(it_goes_through_snapshots_and_files)
{
    packing p = warm_packing(&plain, (scree_allocator){0});
    scree_snapshot *snapshot, *without;
    scree_world_def hooks = scree_default_world_def();
    scree_world *copy, *read;
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    step(p.world, 2 * STRETCH);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    uint64_t middle = scree_world_digest(p.world);
    if (scree_world_copy(p.world, &hooks, &copy) ||
        scree_checkpoint_write(p.world, path_of("heat.scree"), NULL, 0, &error))
        FAIL("%s", error.text);
    if (scree_checkpoint_read(path_of("heat.scree"), NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, NULL, &read, &error))
        FAIL("%s", error.text);
    CHECK(scree_world_digest(read) == middle && scree_world_digest(copy) == middle);
    scree_heat_totals was = scree_world_heat(p.world), is = scree_world_heat(read);
    CHECK(was.content == is.content && was.walls == is.walls && was.losses == is.losses &&
          was.sources == is.sources && was.losses_to_walls == is.losses_to_walls &&
          was.entered == is.entered && was.stable_dt == is.stable_dt && was.pieces == is.pieces);
    CHECK(wall_heat(read, p.wall[0]).given == wall_heat(p.world, p.wall[0]).given);
    step(p.world, STRETCH);
    uint64_t end = scree_world_digest(p.world);
    CHECK(end != middle);
    /* where it was turned off meanwhile as well */
    CHECK_EQUAL(scree_world_set_heat(p.world, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_snapshot(p.world, &without), SCREE_OK);
    CHECK_EQUAL(scree_world_restore(p.world, snapshot), SCREE_OK);
    CHECK(scree_world_digest(p.world) == middle);
    step(p.world, STRETCH);
    step(copy, STRETCH);
    step(read, STRETCH);
    CHECK(scree_world_digest(p.world) == end);
    CHECK(scree_world_digest(copy) == end);
    CHECK(scree_world_digest(read) == end);
    CHECK_EQUAL(scree_world_restore(copy, without), SCREE_OK);
    CHECK(!scree_world_heat(copy).is_on);
    step(copy, 1);
    scree_snapshot_destroy(without);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(read);
    scree_world_destroy(copy);
    scree_world_destroy(p.world);
    remove(path_of("heat.scree"));
    leave_folder();
}

/*  A world without heat is what it would be if there were no such thing: digest, memory and file. */
TEST(without_it_costs_nothing)
{
    scree_world_def def = fixed(4e-6);
    packing p = make_packing(def, 4, 0.3, scree_shape_sphere(R));
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;

    enter_folder();
    step(p.world, 10);
    uint64_t digest = scree_world_digest(p.world), bytes = scree_world_totals(p.world).bytes;
    turn_heat_on(p.world, 300);
    CHECK(scree_world_digest(p.world) != digest);
    CHECK(scree_world_totals(p.world).bytes >= bytes + 64 * sizeof(double[SCREE_HEATS]));
    CHECK_EQUAL(scree_world_set_heat(p.world, NULL), SCREE_OK);
    CHECK(scree_world_digest(p.world) == digest);
    CHECK_EQUAL(scree_world_totals(p.world).bytes, bytes);
    CHECK_EQUAL(scree_checkpoint_write(p.world, path_of("cold.scree"), NULL, 0, NULL), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_read(path_of("cold.scree"), NULL, &checkpoint, NULL), SCREE_OK);
    CHECK(!scree_checkpoint_section_of(checkpoint, "state.heat", &section));
    CHECK(!scree_checkpoint_section_of(checkpoint, "state.heat.body", &section));
    scree_checkpoint_destroy(checkpoint);
    scree_world_destroy(p.world);
    remove(path_of("cold.scree"));
    leave_folder();
}

/* ---- files that were meddled with ---- */

static unsigned char *read_heat_file(scree_world *world, size_t *count)
{
    unsigned char *bytes = calloc(1, 1 << 16);

    CHECK_EQUAL(scree_checkpoint_write(world, path_of("bad.scree"), NULL, 0, NULL), SCREE_OK);
    FILE *file = fopen(path_of("bad.scree"), "rb");
    CHECK(file && bytes);
    *count = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    remove(path_of("bad.scree"));
    return bytes;
}

/*  One number of a section is another, behind checksums that are right. */
static void check_refused(const unsigned char *bytes, size_t count, const char *name, size_t at,
                          const void *other, const char *words)
{
    unsigned char *copy = malloc(count);
    scree_checkpoint_section section;
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    memcpy(copy, bytes, count);
    CHECK_EQUAL(scree_checkpoint_read_bytes(bytes, count, NULL, &checkpoint, NULL), SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, name, &section));
    scree_checkpoint_destroy(checkpoint);
    memcpy(copy + section.offset + 8 * at, other, 8);
    repair_checksums(copy, count);
    scree_status status = scree_checkpoint_read_bytes(copy, count, NULL, &checkpoint, &error);
    if (!status) {
        status = scree_checkpoint_world(checkpoint, NULL, &world, &error);
        scree_checkpoint_destroy(checkpoint);
        if (!status)
            FAIL("number %zu of %s was accepted", at, name);
    }
    CHECK_EQUAL(status, SCREE_BAD_FILE);
    CHECK_SAYS(error.text, words);
    free(copy);
}

TEST(heat_that_cannot_be_is_refused)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    const double nan = NAN, minus = -1, two = 2, half = 0.5, hot = 1e10;
    const uint64_t many = 2, endless = UINT64_MAX;
    size_t count;

    enter_folder();
    set_wall_temperature(world, add_plane(world, 0, 0, -R, 2, 1), 400);
    step(world, 3);
    unsigned char *bytes = read_heat_file(world, &count);
    check_refused(bytes, count, "state.heat", 0, &minus, "its heat cannot be");
    check_refused(bytes, count, "state.heat", 1, &two, "its heat cannot be");
    check_refused(bytes, count, "state.heat", 1, &half,
                  "its heat cannot be"); /* no energy balance */
    for (size_t k = 2; k < 8; k++)
        check_refused(bytes, count, "state.heat", k, &nan, "its heat cannot be");
    check_refused(bytes, count, "state.heat", 8, &minus, "its heat cannot be");
    check_refused(bytes, count, "state.heat", 9, &endless, "its heat cannot be");
    for (size_t k = 0; k < 3; k++)
        check_refused(bytes, count, "state.heat.material", k, &minus, "impossible numbers");
    for (size_t k = 0; k < 8; k++)
        check_refused(bytes, count, "state.heat.body", 8 + k, &nan,
                      "row 1: an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.body", 0, &minus,
                  "row 0: an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.body", 7, &half,
                  "row 0: an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.wall", 0, &many, "an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.wall", 1, &hot, "an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.wall", 2, &nan, "an impossible temperature or heat");
    check_refused(bytes, count, "state.heat.wall", 3, &nan, "an impossible temperature or heat");
    free(bytes);
    scree_world_destroy(world);
    leave_folder();
}

/*  Each thing that is said of heat is a part of the state. */
TEST(each_field_counts)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    def.energy_balance = true;
    scree_world *world = make_chain(&def, 2, 300, id);
    scree_wall_id floor = add_plane(world, 0, 0, -R, 2, 1);
    scree_material_heat_def material = scree_default_material_heat_def();
    scree_heat_def heat = scree_default_heat_def();
    uint64_t digest = scree_world_digest(world);

#define DIFFERS(call)                                                                              \
    CHECK_EQUAL(call, SCREE_OK);                                                                   \
    CHECK(scree_world_digest(world) != digest);                                                    \
    digest = scree_world_digest(world);
    material.conductivity = CONDUCTIVITY;
    material.capacity = CAPACITY;
    material.young = 1e9;
    DIFFERS(scree_world_set_material_heat(world, (scree_material_id){1}, &material))
    material.conductivity = 9;
    DIFFERS(scree_world_set_material_heat(world, (scree_material_id){1}, &material))
    material.capacity = 9;
    DIFFERS(scree_world_set_material_heat(world, (scree_material_id){1}, &material))
    heat.temperature = 300;
    heat.loss_share = 0.5;
    DIFFERS(scree_world_set_heat(world, &heat))
    heat.temperature = 301;
    DIFFERS(scree_world_set_heat(world, &heat))
    scree_body_heat body = {.temperature = 310};
    DIFFERS(scree_world_set_body_heat(world, id[0], &body))
    body.source = 1;
    DIFFERS(scree_world_set_body_heat(world, id[0], &body))
    body.is_held = true;
    DIFFERS(scree_world_set_body_heat(world, id[0], &body))
    scree_wall_heat wall = {.is_given = true};
    DIFFERS(scree_world_set_wall_heat(world, floor, &wall))
    wall.temperature = 1;
    DIFFERS(scree_world_set_wall_heat(world, floor, &wall))
#undef DIFFERS
    scree_world_destroy(world);
}

/* ---- memory that fails ---- */

/*  Turned on, said and gone a step with: each is done or has changed nothing. */
TEST(no_request_for_memory_may_fail_badly)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = fixed(1e-6);
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_world(&def, NULL);
        scree_material_heat_def material = scree_default_material_heat_def();
        scree_heat_def heat = scree_default_heat_def();
        scree_body_def body = ball(R, 0, 0, 0);
        uint64_t digest = scree_world_digest(world);

        add(world, &body);
        body.position[0] = 1.99 * R;
        add(world, &body);
        material.conductivity = material.capacity = 1;
        memory.requests = 0;
        memory.fail_at = k;
#define TRY(call)                                                                                  \
    do {                                                                                           \
        digest = scree_world_digest(world);                                                        \
        scree_status status = call;                                                                \
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);                                \
        CHECK((scree_world_digest(world) == digest) == (status != SCREE_OK));                      \
        if (status)                                                                                \
            CHECK_EQUAL(call, SCREE_OK);                                                           \
    } while (0)
        TRY(scree_world_set_heat(world, &heat));
        TRY(scree_world_set_material_heat(world, (scree_material_id){1}, &material));
        TRY(scree_world_step(world, 1));
        body.position[0] = 3.98 * R;
        TRY(scree_world_add_body(world, &body, NULL));
        TRY(scree_world_step(world, 1));
#undef TRY
        /* a snapshot, and back */
        scree_snapshot *snapshot = NULL;
        digest = scree_world_digest(world);
        if (!scree_world_snapshot(world, &snapshot))
            CHECK(scree_world_restore(world, snapshot) <= SCREE_OUT_OF_MEMORY);
        CHECK(scree_world_digest(world) == digest);
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(it_is_the_same_by_all_ways), CASE(it_goes_through_snapshots_and_files),
        CASE(without_it_costs_nothing),   CASE(heat_that_cannot_be_is_refused),
        CASE(each_field_counts),          CASE(no_request_for_memory_may_fail_badly),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
