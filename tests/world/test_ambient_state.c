/*  The fluid and force fields as part of the state: digests, snapshots, copies, damage, lack of memory; the same bits
    for all threads and SIMD instruction sets; and what is refused. */
#include "harness/failing_allocator.h"
#include "pond_maker.h"
#include "world/save/snapshot.h"

/* ---- the state ---- */

TEST(threads_simd_and_order_do_not_matter)
{
    pond p = open_swirl(SCREE_SIMD_SCALAR, 1, false);
    uint64_t wanted;

    step(&p, 400);
    wanted = scree_world_digest(p.world);
    scree_world_destroy(p.world);
    for (int k = 0; k < 4; k++) {
        const scree_simd simd[] = {SCREE_SIMD_AUTO, SCREE_SIMD_AVX2, SCREE_SIMD_128,
                                   SCREE_SIMD_SCALAR};
        pond other = open_swirl(simd[k], 1 + (uint32_t)k, k % 2 == 1);
        step(&other, 400);
        CHECK_EQUAL(scree_world_digest(other.world), wanted);
        scree_world_destroy(other.world);
    }
}

TEST(snapshots_and_copies_continue_bit_identically)
{
    pond p = open_swirl(SCREE_SIMD_AUTO, 1, false), other;
    scree_world_def def = pond_def(1);
    scree_snapshot *snapshot;
    scree_world *copy;
    scree_fluid_def fluid;

    step(&p, 150);
    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(p.world, &def, &copy), SCREE_OK);
    step(&p, 150);
    CHECK_EQUAL(scree_world_step(copy, 150), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(copy), scree_world_digest(p.world));
    CHECK(scree_world_ambient_work(copy).fluid == scree_world_ambient_work(p.world).fluid);
    scree_world_destroy(copy);
    other = open_swirl(SCREE_SIMD_AUTO, 1, false);
    CHECK_EQUAL(scree_world_set_fluid(other.world, NULL), SCREE_OK);
    CHECK(!scree_world_get_fluid(other.world, &fluid));
    scree_world_clear_force_fields(other.world);
    CHECK_EQUAL(scree_world_restore(other.world, snapshot), SCREE_OK);
    CHECK(scree_world_get_fluid(other.world, &fluid));
    CHECK(fluid.cell == 6e-3 && strcmp(fluid.velocity[1], "20 * (x - 0.008)") == 0);
    step(&other, 150);
    CHECK_EQUAL(scree_world_digest(other.world), scree_world_digest(p.world));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(other.world);
    scree_world_destroy(p.world);
}

TEST(the_digest_knows_formulas)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();
    uint64_t none = scree_world_digest(p.world), some;

    set_fluid(&p, &fluid);
    some = scree_world_digest(p.world);
    CHECK(some != none);
    fluid.velocity[2] = "1";
    set_fluid(&p, &fluid);
    CHECK(scree_world_digest(p.world) != some);
    scree_world_destroy(p.world);
}

/*  Any byte of the definitions in a snapshot may be wrong: it is refused, and nothing changes, or it is another fluid. */
TEST(damaged_definitions_are_refused)
{
    pond p = open_swirl(SCREE_SIMD_AUTO, 1, false);
    scree_snapshot *snapshot;
    unsigned char *bytes;
    uint64_t count, refused = 0, before;

    CHECK_EQUAL(scree_world_snapshot(p.world, &snapshot), SCREE_OK);
    bytes = scree_snapshot_find(snapshot, "ambient", &count);
    CHECK(bytes && count > 100);
    before = scree_world_digest(p.world);
    for (uint64_t k = 0; k < count; k++) {
        const unsigned char right = bytes[k];
        for (unsigned way = 1; way < 256; way *= 4) {
            bytes[k] = (unsigned char)(right ^ way);
            if (scree_world_restore(p.world, snapshot)) {
                refused++;
                CHECK_EQUAL(scree_world_digest(p.world), before);
            }
            bytes[k] = right;
            CHECK_EQUAL(scree_world_restore(p.world, snapshot), SCREE_OK);
        }
    }
    CHECK(refused > count / 4);
    CHECK_EQUAL(scree_world_digest(p.world), before);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(p.world);
}

/*  Everything that needs memory fails in turn, and nothing is lost. */
TEST(without_memory_nothing_changes)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = pond_def(1e-5);
        scree_fluid_def fluid = oil();
        scree_force_field_def field = scree_default_force_field_def();
        scree_snapshot *snapshot = NULL;
        bool has_failed = false;

        def.hooks.allocator = failing_allocator_hooks(&memory);
        pond p = open_pond(&def);
        add_ball(&p, 1e-3, 0, 0, 0);
        fluid.cell = 0.01;
        fluid.velocity[0] = "x + t";
        field.acceleration[1] = "sin(t)";
        memory.fail_at = memory.requests + k;
        has_failed |= scree_world_set_fluid(p.world, &fluid) != SCREE_OK;
        has_failed |= scree_world_add_force_field(p.world, &field) != SCREE_OK;
        has_failed |= scree_world_step(p.world, 1) != SCREE_OK;
        has_failed |= scree_world_snapshot(p.world, &snapshot) != SCREE_OK;
        if (snapshot)
            has_failed |= scree_world_restore(p.world, snapshot) != SCREE_OK;
        CHECK(has_failed || memory.requests < memory.fail_at);
        scree_snapshot_destroy(snapshot);
        scree_world_destroy(p.world);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < memory.fail_at)
            break;
    }
}

/* ---- refusals ---- */

static void refuse_fluid(const pond *p, const scree_fluid_def *def, scree_status status,
                         const char *message)
{
    CHECK_EQUAL(scree_world_set_fluid(p->world, def), status);
    CHECK_SAYS(scree_world_message(p->world), message);
    CHECK(!scree_world_get_fluid(p->world, NULL));
}

TEST(bad_fluids_are_refused)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();

    fluid.cookie = 0;
    refuse_fluid(&p, &fluid, SCREE_BAD_DEF, "not from scree_default_fluid_def");
    fluid = oil();
    fluid.viscosity = 0;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "viscosity is 0, must be above 0");
    fluid = oil();
    fluid.density = NAN;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "density is nan");
    fluid = oil();
    fluid.drag = SCREE_DRAG_GIDASPOW;
    fluid.density = 0;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "density is 0 and viscosity 0.1");
    fluid = oil();
    fluid.drag = (scree_drag)9;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "drag is 9");
    fluid = oil();
    fluid.upper[1] = -INFINITY;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "lower[1] is -inf, must be below upper[1]");
    fluid = oil();
    fluid.cell = -1;
    refuse_fluid(&p, &fluid, SCREE_BAD_VALUE, "cell is -1");
    fluid = oil();
    fluid.cell = 1;
    fluid.void_fraction = "0.5";
    refuse_fluid(&p, &fluid, SCREE_BAD_ARGUMENT, "void_fraction is \"0.5\" and cell is 1");
    fluid = oil();
    fluid.velocity[1] = "2 * vx";
    refuse_fluid(&p, &fluid, SCREE_BAD_ARGUMENT, "velocity[1]: column 5");
    scree_world_destroy(p.world);
    def.dimensions = 2;
    def.gravity[2] = 0;
    p = open_pond(&def);
    fluid = oil();
    refuse_fluid(&p, &fluid, SCREE_BAD_ARGUMENT, "2 dimensions, must have 3");
    scree_world_destroy(p.world);
}

TEST(bad_fields_are_refused)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_force_field_def field = scree_default_force_field_def();

    field.size = 4;
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_BAD_DEF);
    field = scree_default_force_field_def();
    field.force[2] = "3 +";
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "force field def: force[2]: column");
    field.force[2] = NULL;
    for (int k = 0; k < SCREE_MAX_FORCE_FIELDS; k++)
        CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_TOO_LARGE);
    CHECK_EQUAL(scree_world_get_force_field(p.world, SCREE_MAX_FORCE_FIELDS, &field),
                SCREE_BAD_ARGUMENT);
    scree_world_destroy(p.world);
}

TEST(formulas_that_are_not_finite_refuse_the_step)
{
    scree_world_def def = pond_def(1e-4);
    pond p = open_pond(&def);
    scree_fluid_def fluid = oil();

    add_ball(&p, 1e-3, 0, 0, 0);
    add_ball(&p, 1e-3, 1, 0, 0);
    fluid.velocity[0] = "1 / (x - 1)";
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "the force of the fluid on body 2 at (1, 0, 0)");
    fluid = oil();
    fluid.void_fraction = "x";
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(p.world), "body 1 at (0, 0, 0) is not finite: formulas must "
                                             "be finite there, and a void fraction above 0");
    fluid.void_fraction = NULL;
    set_fluid(&p, &fluid);
    step(&p, 1);
    scree_world_destroy(p.world);
}

TEST(local_time_steps_are_refused)
{
    scree_world_def def = pond_def(1e-4);
    scree_fluid_def fluid = oil();

    def.step.local_steps = 2;
    pond p = open_pond(&def);
    add_ball(&p, 1e-3, 0, 0, 0);
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_step(p.world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(p.world), "there can be no fluid or force field");
    scree_world_destroy(p.world);
}

TEST(devices_name_them)
{
    scree_world_def def = pond_def(1e-4);
    scree_fluid_def fluid = oil();
    scree_force_field_def field = scree_default_force_field_def();
    char text[300];

    def.energy_balance = false;
    pond p = open_pond(&def);
    set_fluid(&p, &fluid);
    CHECK_EQUAL(scree_world_add_force_field(p.world, &field), SCREE_OK);
    CHECK(scree_world_device_refusals(p.world, text, sizeof text) == 2);
    CHECK_TEXT(text, "a fluid; force fields");
    scree_world_destroy(p.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(threads_simd_and_order_do_not_matter),
        CASE(snapshots_and_copies_continue_bit_identically),
        CASE(the_digest_knows_formulas),
        CASE(damaged_definitions_are_refused),
        CASE(without_memory_nothing_changes),
        CASE(bad_fluids_are_refused),
        CASE(bad_fields_are_refused),
        CASE(formulas_that_are_not_finite_refuse_the_step),
        CASE(local_time_steps_are_refused),
        CASE(devices_name_them),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
