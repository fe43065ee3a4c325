/*  Steps in place, within a call: whatever goes wrong in one of them, the world is where steps that are made one by one would
    have led it, up to the step before. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "scree/cell.h"
#include "scree/heat.h"
#include "scree/sleep.h"
#include "sound_world.h"

#define GRAINS 90

typedef struct bed
{
    uint64_t seed;
    const char *law;
    double overlap_limit;
    uint32_t threads;
    double jump;               /* time at which a wall jumps */
    bool is_periodic;          /* in place of walls; */
    failing_allocator *memory; /* or NULL */
} bed;

static void add_walls(scree_world *world, const bed *b, scree_material_id material)
{
    scree_wall_def wall = scree_default_wall_def();
    const double table[3][4] = {{0, 0, 0, 0}, {b->jump, 0, 0, 0}, {b->jump + 1e-5, 0, 0.005, 0}};

    wall.material = material;
    for (int side = 0; side < 6; side++) {
        for (int a = 0; a < 3; a++) {
            wall.normal[a] = a == side / 2 ? (side % 2 ? -1 : 1) : 0;
            wall.point[a] = a == side / 2 && side % 2 ? 0.1 : 0;
            wall.path.swing[a] = side == 4 && a == 2 ? 0.0005 : 0;
        }
        wall.path.frequency = 40;
        wall.path.table = side == 2 && b->jump > 0 ? table : NULL;
        wall.path.table_count = wall.path.table ? 3 : 0;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
}

/*  Grains move about in a box, one side of which shakes, and another jumps at them. */
static scree_world *make_bed(const bed *b)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_random random = scree_random_stream(b->seed, 0);

    def.step.dt = 2e-5;
    def.compute.thread_count = b->threads;
    def.overlap_limit = b->overlap_limit;
    if (b->memory)
        def.hooks.allocator = failing_allocator_hooks(b->memory);
    for (int a = 0; a < 3 && b->is_periodic; a++) {
        def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[a] = 0.1;
    }
    scree_world *world = open_world(&def);
    material.rolling_friction = 0.2;
    material.twisting_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    rule.type = SCREE_CONTACT_BODIES;
    rule.law = b->law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    if (!b->is_periodic)
        add_walls(world, b, body.material);
    for (int k = 0; k < GRAINS; k++) {
        body.shape = scree_shape_sphere(scree_random_range(&random, 0.005, 0.009));
        body.position[0] = 0.012 + 0.019 * (k % 5);
        body.position[1] = 0.012 + 0.019 * (k / 5 % 5);
        body.position[2] = 0.012 + 0.019 * (k / 25);
        for (int a = 0; a < 3; a++)
            body.velocity[a] = scree_random_range(&random, -0.5, 0.5);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

static uint64_t steps_of(const scree_world *world)
{
    return scree_world_clock(world).steps;
}

/*  Both go on without the body that was refused. */
static void go_on_without(scree_world *one, scree_world *many)
{
    scree_body_id failed_body = scree_world_failed_body(one);

    CHECK_EQUAL(failed_body.index1, scree_world_failed_body(many).index1);
    if (failed_body.index1 == 0)
        return;
    CHECK_EQUAL(scree_world_remove_body(one, failed_body), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_body(many, failed_body), SCREE_OK);
    CHECK_EQUAL(scree_world_step(one, 3), scree_world_step(many, 3));
    CHECK(scree_world_digest(one) == scree_world_digest(many));
}

/*  One by one, and after `warm` steps in one call: refused at the same step, with the same words. Returns how many more
    evaluations the call took. */
static uint64_t check_refusal(const bed *b, uint64_t warm)
{
    scree_world *one = make_bed(b), *many = make_bed(b);
    scree_status status = SCREE_OK;

    while (!status && steps_of(many) < 20000)
        status = scree_world_step(many, 1);
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    warm = warm < steps_of(many) ? warm : steps_of(many);
    advance(one, warm);
    CHECK_EQUAL(scree_world_step(one, 100000), SCREE_UNSTABLE);
    CHECK_TEXT(scree_world_message(one), scree_world_message(many));
    CHECK_EQUAL(steps_of(one), steps_of(many));
    CHECK(scree_world_digest(one) == scree_world_digest(many));
    uint64_t more = scree_world_detection_stats(one).force_evaluations -
                    scree_world_detection_stats(many).force_evaluations;
    go_on_without(one, many);
    scree_world_destroy(one);
    scree_world_destroy(many);
    return more;
}

TEST(a_step_that_is_refused_has_not_happened)
{
    static const char *const laws[] = {"hertz", "linear", "hertz", "hertz-rolling",
                                       "linear-rolling"};
    uint64_t more = 0;

    for (uint64_t seed = 0; seed < TEST_EFFORT(15, 300); seed++) {
        const bed b = {.seed = seed,
                       .law = laws[seed % COUNT_OF(laws)],
                       .overlap_limit = 0.2,
                       .threads = 1 + (uint32_t)(seed % 2),
                       .jump = 2e-5 * (100 + (double)(seed * 37 % 300))};
        more += check_refusal(&b, seed * 29 % 131);
    }
    /* some of them were made in place, and again */
    CHECK(more > 0);
}

/* ---- memory ---- */

#define STEPS 260

/*  The digest after each step, made one by one. */
static void record(const bed *b, uint64_t digest[STEPS + 1])
{
    scree_world *world = make_bed(b);

    for (int k = 0; k <= STEPS; k++) {
        digest[k] = scree_world_digest(world);
        advance(world, 1);
    }
    scree_world_destroy(world);
}

/*  The k-th request of the call fails, and `all` after it; false where there are not so many. */
static bool check_fault(bed b, size_t k, bool all, const uint64_t digest[STEPS + 1])
{
    failing_allocator memory = {0};

    b.memory = &memory;
    scree_world *world = make_bed(&b);
    memory.fail_at = memory.requests + k;
    memory.fail_all_after = all;
    scree_status status = scree_world_step(world, STEPS);
    memory.fail_at = 0;
    CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
    CHECK(steps_of(world) <= STEPS && scree_world_digest(world) == digest[steps_of(world)]);
    if (steps_of(world) < STEPS)
        advance(world, STEPS - steps_of(world));
    CHECK(scree_world_digest(world) == digest[STEPS]);
    scree_world_destroy(world);
    CHECK(failing_allocator_is_clean(&memory));
    return memory.failures > 0;
}

TEST(a_step_without_memory_has_not_happened)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const bed b = {.seed = 4, .law = "hertz", .overlap_limit = 0.5, .threads = threads};
        uint64_t digest[STEPS + 1];
        size_t k = 1;
        record(&b, digest);
        while (check_fault(b, k, false, digest) && check_fault(b, k, true, digest))
            k += TEST_EFFORT(1 + k / 16, 1);
        CHECK(k > 30);
    }
}

static size_t compare_contacts(scree_world *one, scree_world *many, scree_body_id body)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();

    filter.body = body;
    return check_same_contacts(one, many, &filter);
}

/*  Within a call nothing asks for the contacts of a body; after it hosts do, and take bodies out. */
TEST(contacts_of_a_body_are_known_after_any_number_of_steps)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const bed b = {.seed = 8, .law = "hertz", .overlap_limit = 0.5, .threads = threads};
        scree_world *one = make_bed(&b), *many = make_bed(&b);
        size_t contacts = 0;
        for (uint32_t round = 0; round < 12; round++) {
            const uint64_t searches = scree_world_detection_stats(many).rebuilds;
            for (int k = 0; k < 250; k++)
                advance(one, 1);
            advance(many, 250);
            CHECK(scree_world_detection_stats(many).rebuilds > searches + 1);
            const scree_bodies_view view = scree_world_bodies(many);
            for (size_t k = 0; k < view.count; k++)
                contacts += compare_contacts(one, many, scree_body_id_at(view.id, k));
            const scree_body_id gone = scree_body_id_at(view.id, round);
            CHECK_EQUAL(scree_world_remove_body(one, gone), SCREE_OK);
            CHECK_EQUAL(scree_world_remove_body(many, gone), SCREE_OK);
        }
        CHECK(contacts > 100);
        CHECK(scree_world_digest(one) == scree_world_digest(many));
        scree_world_destroy(one);
        scree_world_destroy(many);
    }
}

/* ---- what steps in place pass over ---- */

static scree_wall_id lid_of(scree_world *world)
{
    scree_wall_id ids[6];

    CHECK_EQUAL(scree_world_walls(world, ids, 6), 6);
    return ids[3];
}

static void warm(scree_world *world)
{
    scree_heat_def heat = scree_default_heat_def();
    scree_material_heat_def material = scree_default_material_heat_def();
    const scree_wall_heat hot = {.is_given = true, .temperature = 500};

    material.conductivity = 100;
    material.capacity = 1;
    CHECK_EQUAL(scree_world_set_heat(world, &heat), SCREE_OK);
    CHECK_EQUAL(scree_world_set_material_heat(world, (scree_material_id){1}, &material), SCREE_OK);
    CHECK_EQUAL(scree_world_set_wall_heat(world, lid_of(world), &hot), SCREE_OK);
}

static void put_to_sleep(scree_world *world)
{
    scree_sleep_def rest = scree_default_sleep_def();

    rest.speed = 0.1;
    rest.acceleration = 100;
    rest.steps = 5;
    CHECK_EQUAL(scree_world_set_sleep(world, &rest), SCREE_OK);
}

static void press_lid(scree_world *world)
{
    scree_wall_servo_def servo = scree_default_wall_servo_def();

    servo.force = 5;
    servo.max_speed = 0.1;
    CHECK_EQUAL(scree_world_set_wall_servo(world, lid_of(world), &servo), SCREE_OK);
}

static void loosen_lid(scree_world *world)
{
    scree_free_wall_def loose = scree_default_free_wall_def();

    loose.mass = 0.01;
    loose.held = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    CHECK_EQUAL(scree_world_set_free_wall(world, lid_of(world), &loose), SCREE_OK);
}

static void press_cell(scree_world *world)
{
    scree_cell_servo_def servo = scree_default_cell_servo_def();
    scree_cell_def cell;

    scree_world_get_cell(world, &cell);
    cell.homogeneous = true;
    CHECK_EQUAL(scree_world_set_cell(world, &cell), SCREE_OK);
    servo.pressure = 1000;
    servo.max_rate = 1;
    CHECK_EQUAL(scree_world_set_cell_servo(world, &servo), SCREE_OK);
}

/*  Whatever a step changes or reads beside motion, it does so in all steps of a call. */
TEST(more_than_motion_is_stepped_all_the_same)
{
    static const struct
    {
        const char *what;
        void (*give)(scree_world *world);
        bool is_periodic;
    } more[] = {{"heat", warm, false},
                {"rest", put_to_sleep, false},
                {"a servo", press_lid, false},
                {"a free wall", loosen_lid, false},
                {"a cell's servo", press_cell, true}};

    for (size_t k = 0; k < COUNT_OF(more); k++) {
        const bed b = {.seed = 5,
                       .law = "hertz",
                       .overlap_limit = 0.5,
                       .threads = 1,
                       .is_periodic = more[k].is_periodic};
        scree_world *one = make_bed(&b), *many = make_bed(&b);
        more[k].give(one);
        more[k].give(many);
        for (int step = 0; step < 700; step++)
            advance(one, 1);
        advance(many, 700);
        if (scree_world_digest(one) != scree_world_digest(many))
            FAIL("%s", more[k].what);
        scree_world_destroy(one);
        scree_world_destroy(many);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_step_that_is_refused_has_not_happened),
        CASE(a_step_without_memory_has_not_happened),
        CASE(contacts_of_a_body_are_known_after_any_number_of_steps),
        CASE(more_than_motion_is_stepped_all_the_same),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
