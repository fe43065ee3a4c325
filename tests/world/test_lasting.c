/*  Contacts that last: forces at any distance, who may end them, and that nothing else of a run depends on them: neither
    method nor margin, nor threads, nor snapshots; and bonds that hold beyond their reach. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"
#include "scree/bond.h"
#include "scree/event.h"

#include <math.h>
#include <string.h>

#define R 0.001
#define SPRING 1.0        /* N/m */
#define PRESSED (0.2 * R) /* in the beginning: a step later they still touch */

/*  A spring that pulls as it pushes, and counts its steps. */
static scree_status prepare_spring(const scree_law_input *input, double *constants, void *user)
{
    (void)input;
    (void)user;
    constants[0] = SPRING;
    return SCREE_OK;
}

static void spring_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++) {
        for (int axis = 0; axis < 3; axis++)
            batch->force[axis][k] = -constants[0] * batch->overlap[k] * batch->normal[axis][k];
        batch->next[0][k] = batch->memory[0][k] + 1;
        if (batch->energy)
            batch->energy[k] = constants[0] * batch->overlap[k] * batch->overlap[k] / 2;
        for (int loss = 0; batch->energy && loss < SCREE_LOSSES; loss++)
            batch->loss[loss][k] = 0;
        if (batch->stiffness)
            batch->stiffness[k] = batch->shear_stiffness[k] = constants[0];
    }
}

static const scree_law tether = {.name = "tether",
                                 .memory_count = 1,
                                 .lasts = true,
                                 .prepare = prepare_spring,
                                 .force = spring_force};

static scree_world_def some_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-4;
    def.energy_balance = true;
    def.overlap_limit = INFINITY;
    return def;
}

static scree_world *world_with(const scree_world_def *def, const scree_law *law)
{
    scree_world *world = make_world(def, NULL);
    scree_rule_def rule = scree_default_rule_def();

    rule.own_law = law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

static size_t contacts_of(scree_world *world, const scree_contact **contacts)
{
    size_t count;

    CHECK_EQUAL(scree_world_contacts(world, NULL, contacts, &count), SCREE_OK);
    return count;
}

static void add_moving(scree_world *world, double x, double speed, scree_body_id *id)
{
    scree_body_def body = ball(R, x, 0, 0);

    body.velocity[0] = speed;
    *id = add(world, &body);
}

/* ---- one pair ---- */

TEST(two_that_have_touched_swing_about_each_other)
{
    scree_world_def def = some_def();
    scree_world *world = world_with(&def, &tether);
    const scree_contact *contact;
    scree_body_id one, other;
    double farthest = 0;

    add_moving(world, 0, -0.5, &one);
    add_moving(world, 2 * R - PRESSED, 0.5, &other);
    double mass = body_of(world, one).mass, omega = sqrt(2 * SPRING / mass);
    double amplitude = 1 / omega;
    for (int k = 0; k < 2000; k++) {
        step(world, 1);
        double apart = body_of(world, other).position[0] - body_of(world, one).position[0] - 2 * R;
        /* the tether knows no sign: bodies that go through each other are pushed on the other side */
        if (apart < -PRESSED)
            break;
        farthest = fmax(farthest, apart);
        CHECK_EQUAL(contacts_of(world, &contact), 1);
        CHECK(contact->memory[0] == k + 1);
        CHECK_NEAR(contact->overlap, -apart, 1e-6 * R);
        double angle = omega * scree_world_clock(world).time;
        CHECK_NEAR(apart, amplitude * sin(angle) - PRESSED * cos(angle), 0.02 * amplitude);
    }
    CHECK_NEAR(farthest, hypot(amplitude, PRESSED), 0.01 * amplitude);
    CHECK(farthest > 2 * R);
    scree_world_destroy(world);
}

TEST(without_the_word_contacts_end)
{
    scree_world_def def = some_def();
    scree_law short_lived = tether;
    const scree_contact *contact;
    scree_body_id one, other;

    short_lived.lasts = false;
    scree_world *world = world_with(&def, &short_lived);
    add_moving(world, 0, -0.5, &one);
    add_moving(world, 2 * R - PRESSED, 0.5, &other);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world, &contact), 1);
    step(world, 5);
    CHECK_EQUAL(contacts_of(world, &contact), 0);
    scree_world_destroy(world);
}

TEST(what_has_not_touched_is_free)
{
    scree_world_def def = some_def();
    scree_world *world = world_with(&def, &tether);
    const scree_contact *contact;
    scree_body_id one, other;

    add_moving(world, 0, -0.5, &one);
    add_moving(world, 2 * R + 1e-9, 0.5, &other);
    step(world, 100);
    CHECK_EQUAL(contacts_of(world, &contact), 0);
    CHECK(body_of(world, one).velocity[0] == -0.5);
    scree_world_destroy(world);
}

TEST(pfc_46_only_removal_ends_them)
{
    scree_world_def def = some_def();
    const scree_contact *contact;
    scree_body_id id[3];

    def.events = true;
    scree_world *world = world_with(&def, &tether);
    for (int k = 0; k < 3; k++)
        add_moving(world, k * (2 * R - PRESSED), (k - 1) * 0.5, &id[k]);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world, &contact), 2);
    for (int k = 0; k < 20; k++) {
        const scree_event *events;
        size_t count;
        step(world, 1);
        CHECK_EQUAL(scree_world_events(world, &events, &count), SCREE_OK);
        CHECK_EQUAL(count, 0);
    }
    /* the last slot moves to where the first was */
    CHECK_EQUAL(scree_world_remove_body(world, id[0]), SCREE_OK);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world, &contact), 1);
    CHECK_EQUAL(contact->first.index1, id[1].index1);
    CHECK_EQUAL(contact->second.index1, id[2].index1);
    CHECK(contact->memory[0] == 22);
    CHECK_EQUAL(scree_world_remove_body(world, id[2]), SCREE_OK);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world, &contact), 0);
    scree_world_destroy(world);
}

TEST(across_a_boundary_it_is_the_nearest_image)
{
    scree_world_def def = some_def();
    const scree_contact *contact;
    scree_body_id one, other;

    def.gravity[2] = 0;
    for (int axis = 0; axis < 3; axis++) {
        def.domain.upper[axis] = 20 * R;
        def.domain.boundary[axis] = SCREE_BOUNDARY_PERIODIC;
    }
    scree_world *world = world_with(&def, &tether);
    add_moving(world, 0.5 * R, 0.1, &one);
    add_moving(world, 18.5 * R + PRESSED, -0.1, &other);
    double momentum = 0;
    for (int k = 0; k < 60; k++) {
        step(world, 1);
        double apart = body_of(world, one).position[0] - body_of(world, other).position[0];
        apart -= 20 * R * floor(apart / (20 * R));
        CHECK_EQUAL(contacts_of(world, &contact), 1);
        CHECK_NEAR(contact->overlap, 2 * R - apart, 1e-3 * R);
        momentum = fmax(momentum,
                        fabs(body_of(world, one).velocity[0] + body_of(world, other).velocity[0]));
    }
    CHECK(momentum < 1e-12);
    scree_world_destroy(world);
}

/* ---- many ---- */

enum
{
    MANY = 400,
    STEPS = 150,
    FEW_STEPS = 40,
};

/*  A cloud that flies apart, in which those that began in touch stay tied. */
static scree_world *make_cloud(const scree_world_def *def)
{
    scree_world *world = world_with(def, &tether);
    uint64_t state = 1;

    for (int k = 0; k < MANY; k++) {
        scree_body_def body =
            ball(R * (1 + 0.25 * (k % 3)), 3 * R * (k % 8), 3 * R * (k / 8 % 8), 3 * R * (k / 64));
        for (int axis = 0; axis < 3; axis++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            body.velocity[axis] = (double)(int64_t)state * 0x1p-63;
        }
        add(world, &body);
    }
    return world;
}

static uint64_t digest_of(scree_world_def def, uint64_t steps, uint64_t break_at)
{
    scree_world *world = make_cloud(&def);
    scree_snapshot *snapshot;

    step(world, break_at);
    if (break_at) {
        CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
        scree_world_destroy(world);
        world = world_with(&def, &tether);
        if (scree_world_restore(world, snapshot))
            FAIL("%s", scree_world_message(world));
        scree_snapshot_destroy(snapshot);
    }
    step(world, steps - break_at);
    uint64_t digest = scree_world_digest(world);
    scree_world_destroy(world);
    return digest;
}

TEST(the_cloud_is_tied_at_distances_and_its_books_close)
{
    scree_world_def def = some_def();
    scree_world *world = make_cloud(&def);
    const scree_contact *contacts;
    size_t far = 0, count;

    step(world, 1);
    count = contacts_of(world, &contacts);
    scree_energy before = scree_world_energy(world);
    step(world, STEPS);
    CHECK(contacts_of(world, &contacts) >= count);
    count = contacts_of(world, &contacts);
    for (size_t k = 0; k < count; k++)
        far += contacts[k].overlap < -4 * R;
    CHECK(far > 10);
    scree_energy after = scree_world_energy(world);
    double gain = after.kinetic + after.elastic - before.kinetic - before.elastic;
    CHECK(fabs(gain) < 0.02 * before.kinetic);
    scree_detection_stats detection_stats = scree_world_detection_stats(world);
    CHECK_EQUAL(detection_stats.late_contacts, 0);
    scree_world_destroy(world);
}

TEST(one_digest_whatever_finds_them)
{
    static const uint32_t threads[] = {1, 2, 3};
    const scree_world_def plain = some_def();
    const uint64_t digest = digest_of(plain, STEPS, 0);

    for (size_t m = 0; m < scree_method_count(); m++) {
        scree_world_def def = plain;
        def.detection.method = scree_method_at(m)->name;
        CHECK(digest_of(def, STEPS, 0) == digest);
    }
    for (size_t k = 0; k < 3; k++) {
        scree_world_def def = plain;
        def.compute.thread_count = threads[k];
        def.compute.simd = k == 0 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AVX2;
        CHECK(digest_of(def, STEPS, 50 * k) == digest);
    }
}

TEST(implicit_steps_have_them_too)
{
    scree_world_def def = some_def();
    const scree_contact *contact;
    scree_body_id one, other;

    def.step.integrator = SCREE_IMPLICIT_EULER;
    scree_world *world = world_with(&def, &tether);
    add_moving(world, 0, -0.5, &one);
    add_moving(world, 2 * R - PRESSED, 0.5, &other);
    double energy = scree_world_energy(world).kinetic, last = INFINITY;
    for (int k = 0; k < 60; k++) {
        step(world, 1);
        CHECK_EQUAL(contacts_of(world, &contact), 1);
        scree_energy now = scree_world_energy(world);
        CHECK(now.kinetic + now.elastic <= last * (1 + 1e-6));
        last = now.kinetic + now.elastic;
    }
    CHECK(last > 0.5 * energy);
    scree_world_destroy(world);
}

TEST(local_steps_are_refused)
{
    scree_world_def def = some_def();
    scree_body_id id;

    def.step.local_steps = 2;
    scree_world *world = world_with(&def, &tether);
    add_moving(world, 0, 0, &id);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "contacts that last");
    scree_world_destroy(world);
}

TEST(no_request_for_memory_may_fail_badly)
{
    scree_world_def plain = some_def();
    const uint64_t wanted = digest_of(plain, FEW_STEPS, 0);

    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = plain;
        uint64_t taken = 0;
        bool done;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = make_cloud(&def);
        memory.requests = 0;
        memory.fail_at = k;
        while (taken < FEW_STEPS) {
            uint64_t digest = scree_world_digest(world);
            scree_status status = scree_world_step(world, 1);
            if (status) {
                CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
                CHECK(scree_world_digest(world) == digest);
            }
            taken += status == SCREE_OK;
        }
        done = memory.requests < k;
        memory.fail_at = 0;
        CHECK(scree_world_digest(world) == wanted);
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

/* ---- bonds ---- */

static scree_world *bonded_pair(double lasts, double strength, scree_body_id id[2])
{
    static const char *const names[] = {"bond_young", "bond_tension", "bond_damping", "bond_lasts"};
    const double values[] = {1e3, strength, 0, lasts};
    scree_world_def def = some_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_bond_def bond = scree_default_bond_def();
    uint64_t made;

    def.step.dt = 1e-5;
    scree_world *world = make_world(&def, NULL);
    rule.law = "bonded";
    rule.names = names;
    rule.values = values;
    rule.value_count = 4;
    if (scree_world_add_rule(world, &rule))
        FAIL("%s", scree_world_message(world));
    add_moving(world, 0, -1, &id[0]);
    add_moving(world, 2 * R, 1, &id[1]);
    bond.gap = 1e-6;
    CHECK_EQUAL(scree_world_add_bonds(world, &bond, &made), SCREE_OK);
    CHECK_EQUAL(made, 1);
    return world;
}

TEST(a_bond_that_lasts_has_no_reach)
{
    scree_body_id id[2];
    const scree_bond *bond;
    size_t count;
    scree_world *world = bonded_pair(1, 1e30, id);
    double farthest = 0;

    for (int k = 0; k < 200; k++) {
        step(world, 1);
        CHECK_EQUAL(scree_world_bonds(world, &bond, &count), SCREE_OK);
        CHECK_EQUAL(count, 1);
        CHECK(bond->is_intact);
        farthest = fmax(farthest, bond->stretch);
    }
    CHECK(farthest > R / 2);
    CHECK_EQUAL(scree_world_bond_counts(world).broken, 0);
    scree_world_destroy(world);

    world = bonded_pair(0, 1e30, id);
    step(world, 200);
    CHECK_EQUAL(scree_world_bond_counts(world).by_distance, 1);
    scree_world_destroy(world);
}

TEST(a_bond_that_lasts_breaks_by_its_strength)
{
    scree_body_id id[2];
    const scree_contact *contact;
    scree_world *world = bonded_pair(1, 300, id);

    step(world, 200);
    CHECK_EQUAL(scree_world_bond_counts(world).by_tension, 1);
    /* what is broken lasts no longer */
    CHECK_EQUAL(contacts_of(world, &contact), 0);
    scree_world_destroy(world);
}

/*  Files of worlds that do not speak of it were written before there was such a parameter. */
TEST(tables_that_do_not_say_it_are_what_they_were)
{
    static const char *const names[] = {"bond_young", "bond_lasts"};
    const double values[] = {1e5, 1};
    uint64_t digest[2];

    for (uint32_t k = 0; k < 2; k++) {
        scree_world_def def = scree_default_world_def();
        scree_rule_def rule = scree_default_rule_def();
        def.step.dt = 1e-3;
        scree_world *world = make_world(&def, NULL);
        rule.law = "bonded";
        rule.names = names;
        rule.values = values;
        rule.value_count = 1 + k;
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
        digest[k] = scree_world_digest(world);
        scree_world_destroy(world);
    }
    CHECK(digest[0] == 0x636c9a87ac5600ffull);
    CHECK(digest[1] != digest[0]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(two_that_have_touched_swing_about_each_other),
        CASE(without_the_word_contacts_end),
        CASE(what_has_not_touched_is_free),
        CASE(pfc_46_only_removal_ends_them),
        CASE(across_a_boundary_it_is_the_nearest_image),
        CASE(the_cloud_is_tied_at_distances_and_its_books_close),
        CASE(one_digest_whatever_finds_them),
        CASE(implicit_steps_have_them_too),
        CASE(local_steps_are_refused),
        CASE(no_request_for_memory_may_fail_badly),
        CASE(a_bond_that_lasts_has_no_reach),
        CASE(a_bond_that_lasts_breaks_by_its_strength),
        CASE(tables_that_do_not_say_it_are_what_they_were),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
