/*  Bonds that break: counted and listed with their cause, in steps of all kinds, through snapshots, and in exports. */
#include "harness/export_maker.h"
#include "harness/failing_allocator.h"
#include "harness/io_vtp.h"
#include "harness/world_maker.h"
#include "world/save/snapshot.h"
#include "world/step/bond_failures.h"

#include <math.h>
#include <string.h>

#define R 0.001
#define YOUNG 1e7

static scree_world *bonded_world(const scree_world_def *def, double tension, double shear)
{
    static const char *const names[] = {"bond_young", "bond_tension", "bond_shear"};
    const double values[] = {YOUNG, tension, shear};
    scree_rule_def rule = scree_default_rule_def();
    scree_material_def material = scree_default_material_def();

    rule.law = "bonded";
    rule.names = names;
    rule.values = values;
    rule.value_count = 3;
    scree_world *world = make_world(def, &material);
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

static scree_world_def some_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-6;
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

static size_t breaks_of(const scree_world *world, const scree_break **breaks)
{
    size_t count;

    CHECK_EQUAL(scree_world_breaks(world, breaks, &count), SCREE_OK);
    return count;
}

/* ---- causes ---- */

/*  Two bodies on rails at x = 0 and x = 2 R, of which the second goes with a velocity of x and y. */
static scree_world *pulled(const scree_world_def *def, double tension, double shear, double vx,
                           double vy)
{
    scree_world *world = bonded_world(def, tension, shear);
    scree_body_def held = ball(R, 0, 0, 0), drawn = ball(R, 2 * R, 0, 0);

    held.flags = SCREE_FREEZE;
    drawn.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X;
    drawn.velocity[0] = vx;
    drawn.velocity[1] = vy;
    add(world, &held);
    add(world, &drawn);
    CHECK_EQUAL(glue(world, 1e-9), 1);
    return world;
}

/*  When it breaks follows from the strength: stretch over length is tension over Young's modulus, and so is what has
    slid, of shear; distance is a fifth of half the radius. */
TEST(each_cause_is_told)
{
    const double never = 1e12, strength = 1e5, length = 2 * R;
    const struct
    {
        scree_break_cause cause;
        double tension, shear, vx, vy, way;
    } cases[] = {
        {SCREE_BREAK_TENSION, strength, never, 0.02, 0, strength / YOUNG * length},
        {SCREE_BREAK_SHEAR, never, strength, 0, 0.02, strength / YOUNG * length},
        {SCREE_BREAK_DISTANCE, never, never, 0.02, 0, 0.1 * R},
        {SCREE_BREAK_DISTANCE, never, never, 1e5, 0,
         0}, /* so far that it is no candidate any more */
        /* both at once */
        {SCREE_BREAK_TENSION, strength, strength, 50, 50, 0},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        scree_world_def def = some_def();
        scree_world *world =
            pulled(&def, cases[k].tension, cases[k].shear, cases[k].vx, cases[k].vy);
        const scree_break *breaks;
        scree_bond_counts counts = scree_world_bond_counts(world);
        CHECK(counts.intact == 1 && counts.made == 1 && counts.broken == 0);
        CHECK_EQUAL(breaks_of(world, &breaks), 0);
        for (int s = 0; s < 6000 && breaks_of(world, &breaks) == 0; s++)
            step(world, 1);
        CHECK_EQUAL(breaks_of(world, &breaks), 1);
        CHECK_EQUAL(breaks->cause, cases[k].cause);
        scree_clock clock = scree_world_clock(world);
        CHECK_EQUAL(breaks->step, clock.steps);
        CHECK(breaks->time == clock.time);
        if (cases[k].way > 0)
            CHECK_NEAR(clock.time * 0.02, cases[k].way, 0.06e-6);
        CHECK(breaks->first.index1 == 1 && breaks->second.index1 == 2);
        CHECK(breaks->first_serial == 1 && breaks->second_serial == 2);
        counts = scree_world_bond_counts(world);
        CHECK(counts.intact == 0 && counts.broken == 1);
        CHECK_EQUAL(counts.by_tension, cases[k].cause == SCREE_BREAK_TENSION);
        CHECK_EQUAL(counts.by_shear, cases[k].cause == SCREE_BREAK_SHEAR);
        CHECK_EQUAL(counts.by_distance, cases[k].cause == SCREE_BREAK_DISTANCE);
        scree_body second = body_of(world, breaks->second);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(breaks->point[a], second.position[a] / 2, 1e-12);
        /* it is told once */
        step(world, 50);
        CHECK_EQUAL(breaks_of(world, &breaks), 1);
        scree_world_forget_breaks(world);
        CHECK_EQUAL(breaks_of(world, &breaks), 0);
        CHECK_EQUAL(scree_world_bond_counts(world).broken, 1);
        scree_world_destroy(world);
    }
}

/*  What breaks where both centres are in one place has a normal all the same: along x, as for all contacts there; it came
    along y, so it is sheared. Lengths and times are powers of two, so that one step leads there exactly. */
TEST(centres_in_one_place_have_a_normal)
{
    const double radius = 0x1p-10;
    const scree_break *breaks;
    scree_world_def def = some_def();

    def.step.dt = 0x1p-20;
    def.overlap_limit = 3;
    scree_world *world = bonded_world(&def, 1e12, 1);
    scree_body_def held = ball(radius, 0, 0, 0), drawn = ball(radius, 0, 2 * radius, 0);
    held.flags = SCREE_FREEZE;
    drawn.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X;
    drawn.velocity[1] = -2 * radius / def.step.dt;
    add(world, &held);
    scree_body_id moved = add(world, &drawn);
    CHECK_EQUAL(glue(world, 1e-9), 1);
    step(world, 1);
    CHECK(body_of(world, moved).position[1] == 0);
    CHECK_EQUAL(breaks_of(world, &breaks), 1);
    CHECK_EQUAL(breaks->cause, SCREE_BREAK_SHEAR);
    CHECK(breaks->normal[0] == 1 && breaks->normal[1] == 0 && breaks->normal[2] == 0);
    CHECK(breaks->point[0] == 0 && breaks->point[1] == 0 && breaks->point[2] == 0);
    scree_world_destroy(world);
}

TEST(no_body_has_no_bonds)
{
    const scree_break *breaks;
    size_t count;
    scree_world_def def = some_def();
    scree_world *world = bonded_world(&def, 1, 1);

    CHECK_EQUAL(scree_world_bond_counts(NULL).made, 0);
    CHECK_EQUAL(scree_world_breaks(NULL, &breaks, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_breaks(world, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_breaks(world, &breaks, NULL), SCREE_BAD_ARGUMENT);
    scree_world_forget_breaks(NULL);
    CHECK_EQUAL(breaks_of(world, &breaks), 0);
    scree_world_destroy(world);
}

/*  What goes with a body did not break. */
TEST(bonds_go_with_bodies_silently)
{
    scree_world_def def = some_def();
    scree_world *world = pulled(&def, 1e6, 1e6, 0, 0);
    const scree_break *breaks;

    step(world, 2);
    CHECK_EQUAL(scree_world_remove_body(world, (scree_body_id){2, 1}), SCREE_OK);
    scree_bond_counts counts = scree_world_bond_counts(world);
    CHECK(counts.intact == 0 && counts.made == 1 && counts.broken == 0);
    step(world, 2);
    CHECK_EQUAL(breaks_of(world, &breaks), 0);
    scree_world_destroy(world);
}

/* ---- against the bonds before and after ---- */

#define MAX_BONDS 2000

typedef struct pair_of_bodies
{
    uint64_t first, second;
} pair_of_bodies;

static size_t intact_pairs(scree_world *world, pair_of_bodies *pairs)
{
    const scree_bond *bonds;
    size_t count, found = 0;

    CHECK_EQUAL(scree_world_bonds(world, &bonds, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++)
        if (bonds[k].is_intact) {
            CHECK(found < MAX_BONDS && bonds[k].cause == SCREE_BREAK_NONE);
            pairs[found++] = (pair_of_bodies){body_of(world, bonds[k].first).serial,
                                              body_of(world, bonds[k].second).serial};
        }
    return found;
}

/*  A glued heap that falls on a floor. */
static scree_world *falling(const scree_world_def *given)
{
    scree_world_def def = *given;
    scree_wall_def floor = scree_default_wall_def();

    def.step.dt = 4e-6;
    def.gravity[2] = -9.81;
    scree_world *world = bonded_world(&def, 3e4, 2e4);
    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (int k = 0; k < 120; k++) {
        scree_body_def body = ball(R * (1 + 0.01 * (k % 7)), 2.02 * R * (k % 4),
                                   2.02 * R * (k / 4 % 5), 2.02 * R * (k / 20) + 2 * R);
        body.velocity[2] = -1.5;
        add(world, &body);
    }
    CHECK(glue(world, 3e-5) > 100);
    return world;
}

/*  Every bond that is no longer among those that hold is in the list, in order, and no other. */
static void compare_step(const pair_of_bodies *before, size_t before_count,
                         const pair_of_bodies *after, size_t after_count, const scree_break *breaks,
                         size_t break_count)
{
    size_t a = 0, found = 0;

    for (size_t b = 0; b < before_count; b++) {
        if (a < after_count && memcmp(&before[b], &after[a], sizeof *before) == 0) {
            a++;
            continue;
        }
        CHECK(found < break_count);
        CHECK_EQUAL(breaks[found].first_serial, before[b].first);
        CHECK_EQUAL(breaks[found].second_serial, before[b].second);
        found++;
    }
    CHECK(a == after_count && found == break_count);
}

static void follow(const scree_world_def *def, uint64_t steps)
{
    static pair_of_bodies before[MAX_BONDS], after[MAX_BONDS];
    scree_world *world = falling(def);
    const scree_break *breaks;
    size_t count = intact_pairs(world, before), told = 0;

    for (uint64_t s = 0; s < steps; s++) {
        step(world, 1);
        size_t left = intact_pairs(world, after), now = breaks_of(world, &breaks);
        compare_step(before, count, after, left, breaks + told, now - told);
        for (size_t k = told; k < now; k++)
            CHECK_EQUAL(breaks[k].step, scree_world_clock(world).steps);
        told = now;
        count = left;
        memcpy(before, after, left * sizeof *before);
        scree_bond_counts counts = scree_world_bond_counts(world);
        CHECK_EQUAL(counts.intact, left);
        CHECK_EQUAL(counts.made, counts.intact + counts.broken);
        CHECK_EQUAL(counts.broken, told);
    }
    if (!(told > 20 && count > 20))
        FAIL("%zu broke and %zu hold: nothing to compare", told, count);
    scree_world_destroy(world);
}

TEST(the_list_is_what_holds_no_longer)
{
    scree_world_def def = some_def();

    follow(&def, 1500);
    def.detection.sort_every = 7;
    def.compute.thread_count = 3;
    follow(&def, 700);
}

TEST(steps_of_their_own_tell_as_well)
{
    scree_world_def def = some_def();

    def.step.local_steps = 3;
    follow(&def, 1000);
}

TEST(implicit_steps_tell_as_well)
{
    scree_world_def def = some_def();

    def.step.integrator = SCREE_IMPLICIT_EULER;
    follow(&def, 600);
}

/*  In a periodic domain where bodies are wrapped, half way is near both. */
TEST(breaks_lie_between_their_bodies)
{
    scree_world_def def = some_def();

    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[0] = 0;
    def.domain.upper[0] = 20 * R;
    scree_world *world = bonded_world(&def, 1e3, 1e12);
    scree_body_def a = ball(R, 0.5 * R, 0, 0), b = ball(R, 18.5 * R, 0, 0);
    const scree_break *breaks;

    a.velocity[0] = 0.01;
    b.velocity[0] = -0.01;
    add(world, &a);
    add(world, &b);
    CHECK_EQUAL(glue(world, 1e-9), 1);
    step(world, 100);
    CHECK_EQUAL(breaks_of(world, &breaks), 1);
    CHECK_NEAR(breaks->point[0], -0.5 * R, 1e-6);
    CHECK_NEAR(breaks->normal[0], -1, 1e-12);
    scree_world_destroy(world);
}

/* ---- state ---- */

TEST(counts_go_through_snapshots)
{
    scree_world_def def = some_def(), hooks = scree_default_world_def();
    scree_world *world = falling(&def), *copy;
    scree_snapshot *snapshot, *again;
    const scree_break *breaks;

    step(world, 700);
    scree_bond_counts then = scree_world_bond_counts(world), now;
    CHECK(then.broken > 5);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &hooks, &copy), SCREE_OK);
    now = scree_world_bond_counts(copy);
    CHECK(memcmp(&now, &then, sizeof now) == 0);
    CHECK_EQUAL(breaks_of(copy, &breaks), 0);
    step(world, 800);
    step(copy, 800);
    then = scree_world_bond_counts(world);
    now = scree_world_bond_counts(copy);
    CHECK(memcmp(&now, &then, sizeof now) == 0);
    size_t told = breaks_of(copy, &breaks);
    CHECK(told > 0 && breaks[0].step > 700);
    CHECK_EQUAL(scree_world_snapshot(copy, &again), SCREE_OK);
    scree_snapshot_destroy(again);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    CHECK_EQUAL(breaks_of(world, &breaks), 0);
    step(world, 800);
    CHECK_EQUAL(breaks_of(world, &breaks), told);
    now = scree_world_bond_counts(world);
    CHECK(memcmp(&now, &then, sizeof now) == 0);
    scree_world_destroy(copy);

    /* more broke than were made */
    scree_bond_course *course = scree_snapshot_rows(snapshot, "bonds");
    course->broken[1] = course->made;
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "more bonds broke than were made");
    now = scree_world_bond_counts(world);
    CHECK(memcmp(&now, &then, sizeof now) == 0);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

/*  A step that has no room for its list has not happened, and tells when it does. */
TEST(no_request_for_memory_may_fail_badly)
{
    failing_allocator memory = {0};
    scree_world_def def = some_def();
    const scree_break *breaks;

    def.hooks.allocator = failing_allocator_hooks(&memory);
    scree_world *world = pulled(&def, 1e4, 1e12, 0.02, 0);
    step(world, 98);
    CHECK_EQUAL(breaks_of(world, &breaks), 0);
    scree_status status = SCREE_OK;
    size_t refused = 0;
    while (breaks_of(world, &breaks) == 0 && refused < 100) {
        uint64_t digest = scree_world_digest(world);
        memory.requests = 0;
        memory.fail_at = 1;
        status = scree_world_step(world, 1);
        memory.fail_at = 0;
        if (status) {
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK_SAYS(scree_world_message(world), "the list of broken bonds: out of memory");
            CHECK(scree_world_digest(world) == digest);
            CHECK_EQUAL(scree_world_bond_counts(world).broken, 0);
            refused++;
            step(world, 1);
        }
    }
    CHECK_EQUAL(refused, 1);
    CHECK_EQUAL(breaks_of(world, &breaks), 1);
    CHECK_EQUAL(breaks->cause, SCREE_BREAK_TENSION);
    scree_world_destroy(world);
    CHECK(failing_allocator_is_clean(&memory));
}

/* ---- exports ---- */

TEST(contacts_say_what_became_of_their_bond)
{
    scree_world_def def = some_def();
    scree_world *world = falling(&def);
    const scree_bond *bonds;
    size_t count, by[5] = {0}, wanted[5] = {0};

    begin_folder();
    step(world, 1500);
    CHECK_EQUAL(scree_export(world, SCREE_EXPORT_VTP_CONTACTS, path, NULL, NULL), SCREE_OK);
    vtp_file file = vtp_read(path);
    for (size_t c = 0; c < file.lines; c++)
        by[vtp_whole(vtp_find(&file, "CellData", "bond"), c)]++;
    CHECK_EQUAL(scree_world_bonds(world, &bonds, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++)
        wanted[bonds[k].is_intact ? 1 : 1 + bonds[k].cause]++;
    wanted[0] = file.lines - count;
    CHECK(memcmp(by, wanted, sizeof by) == 0);
    CHECK(by[0] > 0 && by[1] > 20 && by[2] > 0 && by[3] > 0);
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_cause_is_told),
        CASE(centres_in_one_place_have_a_normal),
        CASE(no_body_has_no_bonds),
        CASE(bonds_go_with_bodies_silently),
        CASE(the_list_is_what_holds_no_longer),
        CASE(steps_of_their_own_tell_as_well),
        CASE(implicit_steps_tell_as_well),
        CASE(breaks_lie_between_their_bodies),
        CASE(counts_go_through_snapshots),
        CASE(no_request_for_memory_may_fail_badly),
        CASE(contacts_say_what_became_of_their_bond),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
