/*  Events: contacts that begin and end, as a host reads them. */
#include "harness/failing_allocator.h"
#include "world_box.h"

/*  A set of contacts, kept by what events say. */
typedef struct known
{
    scree_body_id first, second;
    scree_wall_id wall;
} known;

static size_t find_known(const known *list, size_t count, const scree_event *e)
{
    for (size_t k = 0; k < count; k++)
        if (same(list[k].first, e->first) && same(list[k].second, e->second) &&
            list[k].wall.index1 == e->wall.index1)
            return k;
    return count;
}

static size_t read_events(const scene *s, const scree_event **events)
{
    size_t count;

    CHECK_EQUAL(scree_world_events(s->world, events, &count), SCREE_OK);
    return count;
}

/*  Contacts of a body with a wall are counted, since it may have two with a mesh. */
static size_t replay(const scene *s, known *list, size_t count, uint64_t *last_step)
{
    const scree_event *e;
    size_t events = read_events(s, &e);

    for (size_t k = 0; k < events; k++) {
        size_t at = e[k].kind == SCREE_EVENT_CONTACT_BEGIN ? count : find_known(list, count, &e[k]);
        CHECK(e[k].step >= *last_step);
        *last_step = e[k].step;
        if (e[k].kind == SCREE_EVENT_CONTACT_BEGIN) {
            CHECK(count < 1000);
            list[count++] = (known){e[k].first, e[k].second, e[k].wall};
        } else {
            CHECK(at < count); /* what ends has begun */
            list[at] = list[--count];
        }
    }
    return count;
}

static void check_known(const scene *s, known *list, size_t count)
{
    const scree_contact *c;
    size_t contacts = read_all(s, NULL, &c);

    CHECK_EQUAL(contacts, count);
    for (size_t k = 0; k < contacts; k++) {
        const scree_event as_event = {
            .first = c[k].first, .second = c[k].second, .wall = c[k].wall};
        size_t at = find_known(list, count, &as_event);
        CHECK(at < count);
        /* each is found once */
        known found = list[at];
        list[at] = list[count - 1];
        list[--count] = found;
    }
}

TEST(events_lead_from_contacts_to_contacts)
{
    static known list[1000], copy[1000];
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    size_t count = 0;
    uint64_t last = 0;

    for (int round = 0; round < 60; round++) {
        step(&s, round % 2 ? 1 : 150);
        count = replay(&s, list, count, &last);
        CHECK(last <= scree_world_clock(s.world).steps);
        memcpy(copy, list, sizeof copy);
        check_known(&s, copy, count);
    }
    CHECK(count > 30);
    scree_world_destroy(s.world);
}

/*  The same events for any method and any order in memory. */
TEST(events_do_not_depend_on_detection)
{
    scree_world_def def = scene_def(), other = def;
    scene a, b;

    other.detection.method = "spatial-sort-1";
    other.detection.sort_every = 0;
    other.compute.thread_count = 2;
    a = open_scene(&def, 60);
    b = open_scene(&other, 60);
    for (int round = 0; round < 20; round++) {
        const scree_event *of_a, *of_b;
        size_t count;
        step(&a, 150);
        step(&b, 150);
        count = read_events(&a, &of_a);
        CHECK_EQUAL(count, read_events(&b, &of_b));
        for (size_t k = 0; k < count; k++) {
            CHECK_EQUAL(of_a[k].step, of_b[k].step);
            CHECK_EQUAL(of_a[k].kind, of_b[k].kind);
            CHECK(of_a[k].time == of_b[k].time && of_a[k].speed == of_b[k].speed);
            CHECK(of_a[k].duration == of_b[k].duration);
            CHECK(memcmp(of_a[k].impulse, of_b[k].impulse, sizeof of_a[k].impulse) == 0);
            CHECK(memcmp(of_a[k].point, of_b[k].point, sizeof of_a[k].point) == 0);
            CHECK(same(of_a[k].first, of_b[k].first) && same(of_a[k].second, of_b[k].second));
            CHECK_EQUAL(of_a[k].facet, of_b[k].facet);
        }
    }
    scree_world_destroy(a.world);
    scree_world_destroy(b.world);
}

static scree_world_def boundary_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-5;
    def.events = true;
    def.domain.boundary[0] = SCREE_BOUNDARY_DESTROY;
    def.domain.lower[0] = -1;
    def.domain.upper[0] = 1;
    return def;
}

/*  Two bodies, of which the first touches the second and leaves. */
static scene open_boundary(const scree_world_def *def)
{
    scree_body_def body = scree_default_body_def();
    scree_material_def material = scree_default_material_def();
    scene s = {0};

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(0.1);
    body.position[0] = 1.0995;
    body.velocity[0] = 100;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    body.position[0] = 0.9005;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    return s;
}

/*  The boundary ends what it destroys, in the same step. */
TEST(destroyed_bodies_end_their_contacts)
{
    scree_world_def def = boundary_def();
    scene s = open_boundary(&def);
    const scree_event *e;

    step(&s, 1);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, 1);
    CHECK_EQUAL(read_events(&s, &e), 3);
    CHECK(e[0].kind == SCREE_EVENT_CONTACT_BEGIN && e[1].kind == SCREE_EVENT_CONTACT_END);
    CHECK_EQUAL(e[2].kind, SCREE_EVENT_BODY_LEFT);
    CHECK_EQUAL(e[2].first_serial, 1);
    CHECK(!scree_world_has_body(s.world, e[2].first));
    CHECK(e[2].point[0] > 1.1 && e[2].speed > 90);
    CHECK(e[0].step == 1 && e[1].step == 1);
    CHECK(same(e[0].first, e[1].first) && same(e[0].second, e[1].second));
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 0);
    scree_world_destroy(s.world);
}

/*  Carried away by the host: they part in the next step. */
TEST(contacts_that_the_host_tears_apart_end)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 20);
    const scree_contact *c;
    const scree_event *e;
    scree_body body;
    size_t count, ended = 0, of_it;
    scree_contact_filter_def filter = scree_default_contact_filter_def();

    step(&s, 8000);
    CHECK(read_all(&s, NULL, &c) > 5);
    body = body_of(&s, c[0].first);
    filter.body = body.id;
    of_it = read_all(&s, &filter, &c);
    body.position[2] += 1;
    CHECK_EQUAL(scree_world_set_body(s.world, body.id, &body), SCREE_OK);
    step(&s, 1);
    count = read_events(&s, &e);
    for (size_t k = 0; k < count; k++)
        ended += e[k].kind == SCREE_EVENT_CONTACT_END &&
                 (same(e[k].first, body.id) || same(e[k].second, body.id));
    CHECK_EQUAL(ended, of_it);
    scree_world_destroy(s.world);
}

/*  A step that is taken cannot fail any more: what there is no memory for is missing, which is said. */
TEST(events_of_bodies_may_be_missing)
{
    size_t missing = 0;

    for (size_t fail = 1; fail < 200; fail++) {
        failing_allocator memory = {0};
        scree_world_def def = boundary_def();
        const scree_event *e;
        size_t count = 0;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scene s = open_boundary(&def);
        memory.fail_at = memory.requests + fail;
        bool is_taken = scree_world_step(s.world, 1) == SCREE_OK, has_failed = memory.failures > 0;
        memory.fail_at = 0;
        CHECK_EQUAL(scree_world_totals(s.world).destroyed, is_taken);
        if (is_taken && scree_world_events(s.world, &e, &count) == SCREE_OK) {
            CHECK_EQUAL(count, 3);
        } else if (is_taken) {
            CHECK_SAYS(scree_world_message(s.world), "missing");
            missing++;
        }
        step(&s, 1);
        CHECK_EQUAL(read_events(&s, &e), is_taken ? 0 : 3);
        scree_world_destroy(s.world);
        CHECK(failing_allocator_is_clean(&memory));
        if (!has_failed)
            break;
    }
    CHECK(missing > 0);
}

static scree_status kick(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                         void *user)
{
    for (size_t k = 0; k < bodies->count && time > *(double *)user; k++) {
        const double side = scree_row_at(bodies->position, k)[0] < 0 ? -1 : 1;
        scree_force_sink_add_row(sink, k, (double[3]){1e10 * side, 0, 0}, NULL);
    }
    return SCREE_OK;
}

/*  So fast that they are no candidates any more in the step in which they part. */
TEST(contacts_that_are_torn_apart_in_one_step_end)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    const scree_event *e;
    double when = 1.5e-5;
    scene s = {0};

    def.step.dt = 1e-5;
    def.events = true;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(RADIUS);
    for (int k = 0; k < 2; k++) {
        body.position[0] = 0.00999 * (k ? 1 : -1);
        CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    }
    scree_world_set_force(s.world, kick, &when);
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK(e[0].kind == SCREE_EVENT_CONTACT_BEGIN && e[0].step == 1);
    step(&s, 1); /* the kick is felt at its end */
    CHECK_EQUAL(read_events(&s, &e), 0);
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK(e[0].kind == SCREE_EVENT_CONTACT_END && e[0].step == 3);
    CHECK_EQUAL(scree_world_detection_stats(s.world).potential_contacts, 0);
    scree_world_destroy(s.world);
}

TEST(events_must_be_asked_for)
{
    scree_world_def def = scene_def();
    const scree_event *events;
    size_t count;
    scene s;

    def.events = false;
    s = open_scene(&def, 3);
    CHECK_EQUAL(scree_world_events(s.world, &events, &count), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(s.world), "def.events");
    CHECK_EQUAL(scree_world_events(NULL, &events, &count), SCREE_BAD_ARGUMENT);
    scree_world_destroy(s.world);
    def.events = true;
    s = open_scene(&def, 3);
    CHECK_EQUAL(scree_world_events(s.world, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_events(s.world, &events, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    scree_world_destroy(s.world);
}

/*  A step that finds no room for its events has not happened. */
TEST(events_may_run_out_of_memory)
{
    size_t refusals = 0;

    for (size_t fail = 1; fail < 200; fail++) {
        failing_allocator memory = {0};
        scree_world_def def = scene_def(), reference_def = def;
        scene s, reference;
        uint64_t digest;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        s = open_scene(&def, 12);
        reference = open_scene(&reference_def, 12);
        digest = scree_world_digest(s.world);
        memory.fail_at = memory.requests + fail;
        scree_status status = scree_world_step(s.world, 1);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK(!status || scree_world_digest(s.world) == digest);
        memory.fail_at = 0;
        step(&s, status ? 1 : 0);
        step(&reference, 1);
        CHECK(scree_world_digest(s.world) == scree_world_digest(reference.world));
        scree_world_destroy(s.world);
        scree_world_destroy(reference.world);
        CHECK(failing_allocator_is_clean(&memory));
        refusals += status != SCREE_OK;
        if (!status && memory.failures == 0)
            break;
    }
    CHECK(refusals > 5);
}

/*  Two spheres without friction that meet head-on, each at 1 m/s. */
static scene open_blow(scree_world_def *def, scree_body_id ids[2])
{
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scene s = {0};

    def->step.dt = 1e-6;
    def->events = true;
    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    material.friction = 0;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(RADIUS);
    for (int k = 0; k < 2; k++) {
        body.position[0] = 0.0101 * (k ? 1 : -1);
        body.velocity[0] = k ? -1 : 1;
        CHECK_EQUAL(scree_world_add_body(s.world, &body, &ids[k]), SCREE_OK);
    }
    return s;
}

/*  They meet at their relative speed; the impulse is what the momentum has changed by, and the time is that of the steps
    in between. A call of advance is one call, whatever it takes. */
TEST(a_blow_is_told_with_speed_impulse_and_duration)
{
    for (int way = 0; way < 2; way++) {
        scree_world_def def = scree_default_world_def();
        scree_body_id ids[2];
        scene s = open_blow(&def, ids);
        const scree_event *e;
        const double mass = scree_body_get_mass(s.world, ids[0]);

        if (way == 0)
            step(&s, 20000);
        else
            CHECK_EQUAL(scree_world_advance(s.world, 2.00003e-2), SCREE_OK);
        CHECK_EQUAL(read_events(&s, &e), 2);
        CHECK_EQUAL(e[0].kind, SCREE_EVENT_CONTACT_BEGIN);
        CHECK_EQUAL(e[1].kind, SCREE_EVENT_CONTACT_END);
        CHECK(scree_body_id_equal(e[0].first, ids[0]) && scree_body_id_equal(e[1].second, ids[1]));
        CHECK_EQUAL(e[0].first_serial, 1);
        CHECK_EQUAL(e[1].second_serial, 2);
        CHECK(e[0].speed == 2);
        CHECK(e[0].normal[0] == 1 && fabs(e[0].point[0]) < 1e-15);
        CHECK_NEAR(e[1].duration, e[1].time - e[0].time, 1e-15);
        CHECK_NEAR(e[1].duration, (double)(e[1].step - e[0].step) * def.step.dt, 1e-12);
        const double change = mass * (body_of(&s, ids[0]).velocity[0] - 1);
        CHECK(change < -0.5 * mass);
        CHECK_NEAR(e[1].impulse[0], change, 1e-12 * mass);
        CHECK(e[1].impulse[1] == 0 && e[1].impulse[2] == 0);
        scree_world_destroy(s.world);
    }
}

/*  At a wall that moves the speed is relative to it. */
TEST(a_wall_is_met_at_the_speed_relative_to_it)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    const scree_event *e;
    scene s = {0};

    def.step.dt = 1e-6;
    def.events = true;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    material.friction = 0;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    wall.material = body.material = s.material;
    wall.path.velocity[2] = 0.5;
    CHECK_EQUAL(scree_world_add_wall(s.world, &wall, &s.floor), SCREE_OK);
    body.shape = scree_shape_sphere(RADIUS);
    body.position[2] = 0.0101;
    body.velocity[2] = -1;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, &id), SCREE_OK);
    step(&s, 20000);
    CHECK_EQUAL(read_events(&s, &e), 2);
    CHECK(e[0].wall.index1 == s.floor.index1 && e[0].second_serial == 0);
    CHECK(e[0].speed == 1.5 && e[0].normal[2] == -1);
    const double mass = scree_body_get_mass(s.world, id);
    CHECK_NEAR(e[1].impulse[2], mass * (body_of(&s, id).velocity[2] + 1), 1e-12 * mass);
    CHECK(e[1].duration > 0);
    scree_world_destroy(s.world);
}

/*  What has acted before a snapshot is not in it. */
TEST(impulses_count_from_a_restore_on)
{
    scree_world_def def = scree_default_world_def();
    scree_body_id ids[2];
    scene s = open_blow(&def, ids);
    const scree_event *e;
    scree_snapshot *snapshot;
    double all;

    for (size_t count = 0; count == 0;) {
        step(&s, 1);
        count = read_events(&s, &e);
    }
    step(&s, 10);
    CHECK_EQUAL(scree_world_snapshot(s.world, &snapshot), SCREE_OK);
    step(&s, 20000);
    CHECK_EQUAL(read_events(&s, &e), 1);
    all = e[0].impulse[0];
    CHECK_EQUAL(scree_world_restore(s.world, snapshot), SCREE_OK);
    CHECK_EQUAL(read_events(&s, &e), 0);
    step(&s, 20000);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK_EQUAL(e[0].kind, SCREE_EVENT_CONTACT_END);
    CHECK(fabs(e[0].impulse[0]) > 0 && fabs(e[0].impulse[0]) < fabs(all));
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(s.world);
}

/*  As often as scree_world_sleep_counts says: bodies that lie fall asleep, and one that is hit wakes. */
TEST(bodies_that_fall_asleep_and_wake_are_told)
{
    scree_world_def def = scene_def();
    scree_sleep_def sleep = scree_default_sleep_def();
    scene s = open_scene(&def, 20);
    size_t asleep = 0, awake = 0;
    uint64_t last = 0;

    sleep.speed = 0.05;
    sleep.acceleration = 5;
    CHECK_EQUAL(scree_world_set_damping(s.world, 20, 0.1), SCREE_OK);
    CHECK_EQUAL(scree_world_set_sleep(s.world, &sleep), SCREE_OK);
    for (int round = 0; round < 40; round++) {
        const scree_event *e;
        step(&s, 500);
        size_t count = read_events(&s, &e);
        for (size_t k = 0; k < count; k++) {
            bool is_sleep = e[k].kind == SCREE_EVENT_FELL_ASLEEP || e[k].kind == SCREE_EVENT_WOKE;
            if (!is_sleep)
                continue;
            CHECK(e[k].step >= last);
            last = e[k].step;
            asleep += e[k].kind == SCREE_EVENT_FELL_ASLEEP;
            awake += e[k].kind == SCREE_EVENT_WOKE;
            CHECK(scree_world_has_body(s.world, e[k].first));
            CHECK(is_none(e[k].second) && e[k].first_serial > 0);
        }
    }
    scree_sleep_counts counts = scree_world_sleep_counts(s.world);
    CHECK(asleep > 10 && awake > 0);
    CHECK_EQUAL(asleep, counts.fell_asleep);
    CHECK_EQUAL(awake, counts.woke);
    scree_world_destroy(s.world);
}

/*  The same bonds as scree_world_breaks lists, in the step in which they broke. */
TEST(bonds_that_break_are_told)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_bond_def bond = scree_default_bond_def();
    static const char *const names[] = {"bond_young", "bond_tension", "bond_shear"};
    static const double values[] = {1e7, 1e4, 1e4};
    const scree_break *breaks;
    const scree_event *e;
    scene s = {0};
    size_t count, found = 0;

    def.step.dt = 1e-6;
    def.events = true;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    rule.law = "bonded";
    rule.names = names;
    rule.values = values;
    rule.value_count = 3;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(RADIUS);
    for (int k = 0; k < 3; k++) {
        body.position[0] = 2 * RADIUS * k;
        body.velocity[0] = 20 * (k - 1);
        CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    }
    bond.gap = 1e-6;
    CHECK_EQUAL(scree_world_add_bonds(s.world, &bond, NULL), SCREE_OK);
    step(&s, 1000);
    CHECK_EQUAL(scree_world_breaks(s.world, &breaks, &count), SCREE_OK);
    CHECK_EQUAL(count, 2);
    size_t events = read_events(&s, &e);
    for (size_t k = 0; k < events; k++) {
        if (e[k].kind != SCREE_EVENT_BOND_BROKE)
            continue;
        CHECK(found < count);
        CHECK_EQUAL(e[k].step, breaks[found].step);
        CHECK(e[k].time == breaks[found].time);
        CHECK_EQUAL(e[k].cause, breaks[found].cause);
        CHECK_EQUAL(e[k].first_serial, breaks[found].first_serial);
        CHECK_EQUAL(e[k].second_serial, breaks[found].second_serial);
        CHECK(memcmp(e[k].point, breaks[found].point, sizeof e[k].point) == 0);
        found++;
    }
    CHECK_EQUAL(found, 2);
    scree_world_destroy(s.world);
}

/*  Listing changes nothing. */
TEST(states_are_the_same_with_and_without_events)
{
    scree_world_def def = scene_def(), other = def;

    other.events = false;
    scene a = open_scene(&def, 60), b = open_scene(&other, 60);
    for (int round = 0; round < 10; round++) {
        step(&a, 300);
        step(&b, 300);
        CHECK_EQUAL(scree_world_digest(a.world), scree_world_digest(b.world));
    }
    scree_world_destroy(a.world);
    scree_world_destroy(b.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(events_lead_from_contacts_to_contacts),
        CASE(events_do_not_depend_on_detection),
        CASE(destroyed_bodies_end_their_contacts),
        CASE(events_of_bodies_may_be_missing),
        CASE(contacts_that_the_host_tears_apart_end),
        CASE(contacts_that_are_torn_apart_in_one_step_end),
        CASE(events_must_be_asked_for),
        CASE(events_may_run_out_of_memory),
        CASE(a_blow_is_told_with_speed_impulse_and_duration),
        CASE(a_wall_is_met_at_the_speed_relative_to_it),
        CASE(impulses_count_from_a_restore_on),
        CASE(bodies_that_fall_asleep_and_wake_are_told),
        CASE(bonds_that_break_are_told),
        CASE(states_are_the_same_with_and_without_events),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
