/*  A bed of grains with contacts that are flattened and stick: energies add up, and the history of contacts is in snapshots and
    digests, for any number of threads, SIMD instruction set and method. */
#include "harness/world_maker.h"

#include "base/random.h"

#include <math.h>

#define SIDE 4
#define LAYERS 5
#define GRAINS (SIDE * SIDE * LAYERS)
#define RADIUS 1e-3

static scree_world *make_bed(uint32_t threads, scree_simd simd, const char *method, double dt)
{
    static const char *const names[] = {"plasticity", "adhesion", "pull_off_force"};
    static const double values[] = {0.6, 0.5, 2e-5};
    scree_world_def def = scree_default_world_def();
    scree_material_def m = scree_default_material_def();
    scree_random random = scree_random_stream(8, 0);
    scree_rule_def rule = scree_default_rule_def();

    def.gravity[2] = -9.81;
    def.step.dt = dt;
    if (dt == 0)
        def.step.mode = SCREE_TIME_AUTOMATIC;
    def.energy_balance = true;
    def.compute.thread_count = threads;
    def.compute.simd = simd;
    def.detection.method = method;
    m.young = 1e6;
    m.restitution = 0.6;
    m.rolling_friction = 0.1;
    scree_world *world = make_world(&def, &m);
    rule.law = "eepa";
    rule.names = names;
    rule.values = values;
    rule.value_count = 3;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    scree_wall_def floor = scree_default_wall_def();
    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int k = 0; k < GRAINS; k++) {
        double x[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        for (int a = 0; a < 3; a++)
            x[a] = RADIUS * (2.05 * x[a] + 0.04 * scree_random_unit(&random));
        scree_body_def grain = ball(RADIUS * (0.9 + 0.1 * scree_random_unit(&random)), x[0], x[1],
                                    x[2] + 1.2 * RADIUS);
        grain.velocity[2] = -0.5;
        add(world, &grain);
    }
    return world;
}

static double total(const scree_energy *e)
{
    return e->kinetic + e->rotational + e->potential + e->elastic + e->damping + e->friction +
           e->rolling + e->body_damping - e->walls - e->loads - e->boundary - e->entered +
           e->removed;
}

/*  The error of the balance in a fall, over the energy that was lost. */
static double imbalance(double dt)
{
    scree_world *world = make_bed(1, SCREE_SIMD_AUTO, "auto", dt);
    scree_energy start = scree_world_energy(world);

    step(world, (uint64_t)(0.02 / dt));
    scree_energy end = scree_world_energy(world);
    CHECK(end.damping > 0.1 * start.kinetic);
    CHECK(end.elastic > -0.1 * start.kinetic);
    CHECK(scree_world_totals(world).coordination > 1.5);
    scree_world_destroy(world);
    return (total(&end) - total(&start)) / start.kinetic;
}

TEST(energies_add_up)
{
    double coarse = imbalance(4e-6), fine = imbalance(1e-6);
    /* it falls with the square of the step */
    CHECK(fabs(coarse) < 5e-4);
    CHECK(fabs(fine) < 5e-5);
}

TEST(one_digest_however_it_is_computed)
{
    uint64_t known = 0;

    for (int way = 0; way < 5; way++) {
        static const struct
        {
            uint32_t threads;
            scree_simd simd;
            const char *method;
        } ways[] = {{1, SCREE_SIMD_AUTO, "auto"},
                    {3, SCREE_SIMD_AUTO, "auto"},
                    {1, SCREE_SIMD_SCALAR, "flat"},
                    {2, SCREE_SIMD_128, "hash-grids"},
                    {1, SCREE_SIMD_AVX2, "dess"}};
        scree_world *world = make_bed(ways[way].threads, ways[way].simd, ways[way].method, 4e-6);
        step(world, 3000);
        if (way == 0)
            known = scree_world_digest(world);
        CHECK_EQUAL(scree_world_digest(world), known);
        scree_world_destroy(world);
    }
}

/*  Flat parts and reduced lines are in a snapshot: what comes after it is the same. */
TEST(a_snapshot_has_the_history)
{
    scree_world *world = make_bed(1, SCREE_SIMD_AUTO, "auto", 4e-6),
                *other = make_bed(2, SCREE_SIMD_SCALAR, "flat", 4e-6);
    scree_snapshot *snapshot = NULL;

    step(world, 2000);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    uint64_t middle = scree_world_digest(world);
    step(world, 2000);
    uint64_t end = scree_world_digest(world);
    CHECK_EQUAL(scree_world_restore(other, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(other), middle);
    step(other, 2000);
    CHECK_EQUAL(scree_world_digest(other), end);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

/*  The time step that is found for the steeper line of unloading is stable: a bed comes to rest in it. */
TEST(automatic_steps_are_stable)
{
    scree_world *world = make_bed(1, SCREE_SIMD_AUTO, "auto", 4e-6);
    scree_stable_step touching, pressed;

    step(world, 2000);
    CHECK_EQUAL(scree_world_stable_step(world, &touching), SCREE_OK);
    scree_world_destroy(world);
    world = make_bed(1, SCREE_SIMD_AUTO, "auto", 0);
    step(world, 200);
    CHECK_EQUAL(scree_world_stable_step(world, &pressed), SCREE_OK);
    CHECK(pressed.dt > 0 && pressed.dt < INFINITY && touching.dt > 4e-6);
    CHECK(scree_world_clock(world).time < 200 * pressed.springs);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(energies_add_up),
        CASE(one_digest_however_it_is_computed),
        CASE(a_snapshot_has_the_history),
        CASE(automatic_steps_are_stable),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
