/*  Bonds: which pairs get them, what they carry and when they break, that energy is recorded, and that they go
    through snapshots, copies and digests. Their strength and beams of them are in `./do validate`. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"
#include "law/law_builtin.h"
#include "scree/bond.h"

#include <math.h>
#include <string.h>

#define R 0.001
#define YOUNG 1e7

static scree_status add_bonded_rule(scree_world *world, double strength)
{
    static const char *const names[] = {"bond_young", "bond_tension", "bond_shear", "bond_ratio",
                                        "bond_damping"};
    const double values[] = {YOUNG, strength, strength, 2, 0};
    scree_rule_def rule = scree_default_rule_def();

    rule.law = "bonded";
    rule.names = names;
    rule.values = values;
    rule.value_count = 5;
    return scree_world_add_rule(world, &rule);
}

static scree_world *bonded_world(const scree_world_def *def, double strength)
{
    scree_material_def material = scree_default_material_def();

    material.restitution = 1;
    material.friction = 0;
    scree_world *world = make_world(def, &material);
    CHECK_EQUAL(add_bonded_rule(world, strength), SCREE_OK);
    return world;
}

static scree_world_def some_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-6;
    def.energy_balance = true;
    return def;
}

static uint64_t glue(scree_world *world, double gap)
{
    scree_bond_def def = scree_default_bond_def();
    uint64_t made = 0;

    def.gap = gap;
    if (scree_world_add_bonds(world, &def, &made))
        FAIL("%s", scree_world_message(world));
    return made;
}

static size_t bonds_of(scree_world *world, const scree_bond **bonds, size_t *intact)
{
    size_t count;

    CHECK_EQUAL(scree_world_bonds(world, bonds, &count), SCREE_OK);
    *intact = 0;
    for (size_t k = 0; k < count; k++)
        *intact += (*bonds)[k].is_intact;
    return count;
}

static double all_energy(const scree_world *world)
{
    scree_energy e = scree_world_energy(world);
    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed;
}

/* ---- who gets them ---- */

TEST(pairs_within_the_gap_are_bonded)
{
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, 1e6);
    const scree_bond *bonds;
    size_t intact;
    static const double x[] = {0, 2 * R - 1e-6, 4 * R + 4e-6, 6 * R + 3e-5};

    scree_body_id id[4];
    for (int k = 0; k < 4; k++) {
        scree_body_def body = ball(R, x[k], 0, 0);
        id[k] = add(world, &body);
    }
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 0);
    CHECK_EQUAL(glue(world, 0), 1);
    CHECK_EQUAL(glue(world, 1e-5), 1);
    CHECK_EQUAL(glue(world, 1e-5), 0);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 2);
    CHECK_EQUAL(intact, 2);
    CHECK(bonds[0].first.index1 == 1 && bonds[0].second.index1 == 2);
    CHECK(bonds[1].first.index1 == 2 && bonds[1].second.index1 == 3);
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(bonds[k].stretch, 0, 1e-18);
    /* unstrained as they are: no body moves, whether they overlap or not */
    step(world, 100);
    for (int k = 0; k < 4; k++)
        CHECK(body_of(world, id[k]).position[0] == x[k]);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 2);
    scree_world_destroy(world);
}

TEST(groups_and_single_pairs_are_chosen)
{
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, 1e6);
    scree_bond_def bond = scree_default_bond_def();
    scree_body_id id[4];
    uint64_t made;

    for (int k = 0; k < 4; k++) {
        scree_body_def body = ball(R, 2 * R * k, 0, 0);
        body.groups = k < 2 ? 2 : 4;
        id[k] = add(world, &body);
    }
    bond.gap = 1e-6;
    bond.groups = 2;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, &made), SCREE_OK);
    CHECK_EQUAL(made, 1);
    bond.groups = UINT64_MAX;
    bond.first = id[3];
    bond.second = id[2];
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, &made), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(made, 0);
    CHECK_SAYS(scree_world_message(world), "bonds: bodies 4 and 3 get none");
    bond.second = id[0];
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

TEST(nonsense_is_refused)
{
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, 1e6);
    scree_body_def body = ball(R, 0, 0, 0);
    scree_body_id id = add(world, &body);
    scree_bond_def good = scree_default_bond_def(), bond = good;
    const scree_bond *bonds;
    size_t count;

    CHECK_EQUAL(scree_world_add_bonds(NULL, &bond, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_bonds(world, NULL, NULL), SCREE_BAD_ARGUMENT);
    bond.cookie = 0;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_DEF);
    bond = good;
    bond.gap = -1;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "bonds: gap is -1, must be 0 or more and finite");
    bond.gap = INFINITY;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_VALUE);
    bond = good;
    bond.groups = 0;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "groups is 0");
    bond = good;
    bond.first = bond.second = id;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "first and second are the same body");
    bond.second = (scree_body_id){7, 1};
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "second names no body (index1 7)");
    bond.first = (scree_body_id){0, 0};
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "first names no body (index1 0)");
    CHECK_EQUAL(scree_world_bonds(NULL, &bonds, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_bonds(world, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_bonds(world, &bonds, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(glue(world, 1), 0);
    scree_world_destroy(world);
}

/*  Bodies whose law has no bonds get none, nor do those at a wall. */
TEST(only_the_law_that_has_them_has_bonds)
{
    scree_world_def def = some_def();
    scree_world *world = make_world(&def, NULL);
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def body = ball(R, 0, 0, R - 1e-6);
    const scree_bond *bonds;
    size_t intact;

    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    add(world, &body);
    body.position[0] = 2 * R - 1e-6;
    add(world, &body);
    CHECK_EQUAL(glue(world, 1e-5), 0);
    step(world, 1);
    CHECK_EQUAL(glue(world, 1e-5), 0);
    /* contacts that are there keep their law */
    CHECK_EQUAL(add_bonded_rule(world, 1e6), SCREE_OK);
    CHECK_EQUAL(glue(world, 1e-5), 0);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 0);
    scree_world_destroy(world);

    world = bonded_world(&def, 1e6);
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    body.position[0] = 0;
    add(world, &body);
    step(world, 1);
    CHECK_EQUAL(glue(world, 1e-5), 0);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 0);
    scree_world_destroy(world);
}

/* ---- what they carry ---- */

/*  Two that are glued and spin, swing and twist: energy stays, momentum stays, and the bond brings the spins together. */
TEST(energy_stays_while_a_bond_holds)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world_def def = some_def();
        def.dimensions = dimensions;
        def.step.dt = 5e-7;
        scree_world *world = bonded_world(&def, 1e9);
        scree_body_def a = ball(R, 0, 0, 0), b = ball(1.5 * R, 2.5 * R, 0, 0);
        double before, motion, most = 0;
        b.velocity[0] = 0.02;
        b.velocity[1] = 0.01;
        a.spin[2] = 30;
        if (dimensions == 3) {
            a.spin[0] = 20;
            b.spin[1] = -20;
        }
        add(world, &a);
        add(world, &b);
        CHECK_EQUAL(glue(world, 0), 1);
        step(world, 1);
        before = all_energy(world);
        motion = scree_world_energy(world).kinetic + scree_world_energy(world).rotational;
        for (int k = 0; k < 4000; k++) {
            step(world, 1);
            double elastic = scree_world_energy(world).elastic;
            most = elastic > most ? elastic : most;
        }
        CHECK(most > 0.1 * motion);
        CHECK_NEAR(all_energy(world), before, 1e-3 * motion);
        scree_world_destroy(world);
    }
}

/*  Drawn apart: the force is E A / L times the stretch until the strength is reached, then none, and what was stored is
    lost. The pair stays in the list as broken while it is within reach, and touches again as two that never were one. */
TEST(a_bond_breaks_at_its_strength)
{
    const double strength = 2e5, area = 3.14159265358979323846 * R * R;
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, strength);
    scree_body_def held = ball(R, 0, 0, 0), drawn = ball(R, 2 * R - 2e-6, 0, 0);
    const scree_bond *bonds;
    size_t intact, steps = 0;
    held.flags = SCREE_FREEZE;
    drawn.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X;
    drawn.velocity[0] = 0.02;
    add(world, &held);
    scree_body_id id = add(world, &drawn);
    CHECK_EQUAL(glue(world, 0), 1);
    double length = 2 * R - 2e-6, elastic = 0;
    for (; bonds_of(world, &bonds, &intact) == 1 && intact == 1; steps++) {
        double stretch = body_of(world, id).position[0] - length;
        CHECK_NEAR(bonds[0].stretch, stretch, 1e-15);
        if (steps)
            CHECK_NEAR(body_of(world, id).force[0], -YOUNG * area / length * stretch, 1e-9);
        elastic = scree_world_energy(world).elastic;
        step(world, 1);
    }
    CHECK(bonds[0].stretch == 0);
    CHECK_NEAR((double)steps * 0.02e-6, strength / YOUNG * length, 0.03e-6);
    CHECK(body_of(world, id).force[0] == 0);
    CHECK_NEAR(elastic, 0.5 * strength * strength / YOUNG * area * length, 0.02 * elastic);
    CHECK_NEAR(scree_world_energy(world).damping, elastic, 0.02 * elastic);
    CHECK(scree_world_energy(world).elastic == 0);
    CHECK_NEAR(all_energy(world), 0.5 * body_of(world, id).mass * 0.02 * 0.02, 0.02 * elastic);
    step(world, 100);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 1);
    CHECK_EQUAL(intact, 0);
    /* it can be glued again as it is */
    CHECK_EQUAL(glue(world, 1e-4), 1);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 1);
    CHECK_EQUAL(intact, 1);
    step(world, 40000);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 0);
    scree_world_destroy(world);
}

/*  Beyond its reach a bond yields, however strong. */
TEST(a_bond_that_is_stretched_too_far_breaks)
{
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, 1e12);
    scree_body_def held = ball(R, 0, 0, 0), drawn = ball(R, 2 * R, 0, 0);
    const scree_bond *bonds;
    size_t intact;

    held.flags = SCREE_FREEZE;
    drawn.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X;
    drawn.velocity[0] = 0.1;
    add(world, &held);
    add(world, &drawn);
    CHECK_EQUAL(glue(world, 0), 1);
    step(world, 990); /* 0.2 R / 2 is 1e-4 */
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 1);
    CHECK_EQUAL(intact, 1);
    step(world, 20);
    CHECK_EQUAL(bonds_of(world, &bonds, &intact), 0);
    scree_world_destroy(world);
}

/* ---- they are part of the state ---- */

static scree_world *glued_heap(uint32_t threads)
{
    scree_world_def def = some_def();
    scree_wall_def floor = scree_default_wall_def();

    def.step.dt = 4e-6;
    def.compute.thread_count = threads;
    def.gravity[2] = -9.81;
    scree_world *world = bonded_world(&def, 3e4);
    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int k = 0; k < 120; k++) {
        scree_body_def body = ball(R * (1 + 0.01 * (k % 7)), 2.02 * R * (k % 4),
                                   2.02 * R * (k / 4 % 5), 2.02 * R * (k / 20) + 4 * R);
        body.velocity[2] = -1;
        add(world, &body);
    }
    return world;
}

TEST(bonds_go_through_snapshots_and_threads)
{
    scree_world *one = glued_heap(1);
    scree_world *other = glued_heap(3), *copy;
    scree_world_def hooks = scree_default_world_def();
    scree_snapshot *snapshot;
    const scree_bond *bonds;
    size_t intact, before;
    uint64_t made = glue(one, 3e-5);

    CHECK(made > 100);
    CHECK_EQUAL(glue(other, 3e-5), made);
    CHECK(scree_world_digest(one) == scree_world_digest(other));
    step(one, 800);
    step(other, 800);
    CHECK(scree_world_digest(one) == scree_world_digest(other));
    CHECK_EQUAL(scree_world_snapshot(one, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(one, &hooks, &copy), SCREE_OK);
    bonds_of(one, &bonds, &before);
    step(one, 1500);
    step(copy, 1500);
    CHECK(scree_world_digest(one) == scree_world_digest(copy));
    bonds_of(one, &bonds, &intact);
    if (!(intact > 0 && intact < before))
        FAIL("%zu bonds, then %zu", before, intact); /* some broke as it fell on the floor */
    CHECK_EQUAL(scree_world_restore(other, snapshot), SCREE_OK);
    step(other, 1500);
    CHECK(scree_world_digest(one) == scree_world_digest(other));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(one);
    scree_world_destroy(other);
    scree_world_destroy(copy);
}

/*  Contacts that are there when others are bonded go on as if nothing had been. */
TEST(bonding_others_leaves_contacts_as_they_are)
{
    scree_world_def def = some_def();
    def.energy_balance = false;
    scree_world *plain = bonded_world(&def, 1e6), *glued = bonded_world(&def, 1e6);
    scree_world *worlds[] = {plain, glued};

    for (int w = 0; w < 2; w++) {
        scree_body_def body = ball(R, 0, 0, 0);
        body.spin[1] = 100;
        add(worlds[w], &body);
        body.position[0] = 2 * R - 1e-5;
        body.velocity[2] = 0.1;
        add(worlds[w], &body);
        body = ball(R, 0, 1, 0);
        body.groups = 8;
        add(worlds[w], &body);
        body.position[0] = 2 * R;
        add(worlds[w], &body);
        step(worlds[w], 20);
    }
    scree_bond_def bond = scree_default_bond_def();
    uint64_t made;
    bond.groups = 8;
    bond.gap = 1e-6;
    CHECK_EQUAL(scree_world_add_bonds(glued, &bond, &made), SCREE_OK);
    CHECK_EQUAL(made, 1);
    step(plain, 20);
    step(glued, 20);
    for (uint32_t k = 1; k <= 2; k++) {
        scree_bodies_view a = scree_world_bodies(plain), b = scree_world_bodies(glued);
        /* forces of the moment are found again, as after any change from outside: no more than that */
        for (int axis = 0; axis < 3; axis++) {
            CHECK_NEAR(scree_row_at(a.position, k - 1)[axis], scree_row_at(b.position, k - 1)[axis],
                       1e-8 * R);
            CHECK_NEAR(scree_row_at(a.spin, k - 1)[axis], scree_row_at(b.spin, k - 1)[axis], 1e-3);
        }
    }
    scree_world_destroy(plain);
    scree_world_destroy(glued);
}

TEST(no_request_for_memory_may_fail_badly)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = some_def();
        scree_bond_def bond = scree_default_bond_def();
        const scree_bond *bonds;
        size_t count, done = 0;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = bonded_world(&def, 1e6);
        for (int b = 0; b < 3; b++) {
            scree_body_def body = ball(R, 2 * R * b, 0, 0);
            add(world, &body);
        }
        bond.gap = 1e-6;
        uint64_t digest = scree_world_digest(world);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_add_bonds(world, &bond, NULL);
        if (status) {
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK(scree_world_digest(world) == digest);
        } else {
            status = scree_world_bonds(world, &bonds, &count);
            CHECK(status == SCREE_OUT_OF_MEMORY || (status == SCREE_OK && count == 2));
        }
        done = memory.requests < k;
        memory.fail_at = 0;
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

/*  To walls none are glued: before one, with room between or just touching, the law is dry. */
TEST(a_wall_is_no_partner)
{
    static const double heights[] = {0.9 * R, R, 1.05 * R};

    for (int k = 0; k < 12; k++) {
        scree_world_def def = some_def();
        scree_wall_def wall = scree_default_wall_def();
        int up = k % 2 ? 2 : 1;
        def.dimensions = k % 2 ? 3 : 2;
        def.step.mode = k / 2 % 2 ? SCREE_TIME_AUTOMATIC : SCREE_TIME_FIXED;
        def.overlap_limit = INFINITY;
        scree_world *world = bonded_world(&def, 1e6);
        wall.material.index1 = 1;
        wall.normal[2] = 0;
        wall.normal[up] = 1;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
        scree_body_def body = ball(R, 0, 0, 0);
        body.position[up] = heights[k / 4];
        body.velocity[0] = 0.01;
        scree_body_id id = add(world, &body);
        step(world, 1);
        scree_body now = body_of(world, id);
        /* frictionless, so only the overlap counts */
        CHECK(heights[k / 4] < R ? now.force[up] > 0 : now.force[up] == 0);
        CHECK(isfinite(scree_world_clock(world).dt) && scree_world_clock(world).dt > 0);
        step(world, 10);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pairs_within_the_gap_are_bonded),
        CASE(groups_and_single_pairs_are_chosen),
        CASE(nonsense_is_refused),
        CASE(only_the_law_that_has_them_has_bonds),
        CASE(energy_stays_while_a_bond_holds),
        CASE(a_bond_breaks_at_its_strength),
        CASE(a_bond_that_is_stretched_too_far_breaks),
        CASE(bonds_go_through_snapshots_and_threads),
        CASE(bonding_others_leaves_contacts_as_they_are),
        CASE(a_wall_is_no_partner),
        CASE(no_request_for_memory_may_fail_badly),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
