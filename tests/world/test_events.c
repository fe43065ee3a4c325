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
        size_t at = e[k].begins ? count : find_known(list, count, &e[k]);
        CHECK(e[k].step >= *last_step);
        *last_step = e[k].step;
        if (e[k].begins) {
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

    other.method = "spatial-sort-1";
    other.sort_every = 0;
    other.thread_count = 2;
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
            CHECK_EQUAL(of_a[k].begins, of_b[k].begins);
            CHECK(same(of_a[k].first, of_b[k].first) && same(of_a[k].second, of_b[k].second));
            CHECK_EQUAL(of_a[k].facet, of_b[k].facet);
        }
    }
    scree_world_destroy(a.world);
    scree_world_destroy(b.world);
}

/*  The border ends what it destroys, in the same step. */
TEST(destroyed_bodies_end_their_contacts)
{
    scree_world_def def = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    scene s = {0};
    const scree_event *e;
    scree_material_def material = scree_default_material_def();

    def.dt = 1e-5;
    def.events = true;
    def.boundary[0] = SCREE_BOUNDARY_DESTROY;
    def.lower[0] = -1;
    def.upper[0] = 1;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(0.1);
    body.position[0] = 1.0995;
    body.velocity[0] = 100;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    body.position[0] = 0.9005;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    step(&s, 1);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, 1);
    CHECK_EQUAL(read_events(&s, &e), 2);
    CHECK(e[0].begins && !e[1].begins);
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
    scree_contact_filter filter = scree_default_contact_filter();

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
        ended += !e[k].begins && (same(e[k].first, body.id) || same(e[k].second, body.id));
    CHECK_EQUAL(ended, of_it);
    scree_world_destroy(s.world);
}

static scree_status kick(const scree_bodies_view *bodies, double time, double (*force)[4],
                         double (*torque)[4], void *user)
{
    (void)torque;
    for (size_t k = 0; k < bodies->count; k++)
        force[k][0] += time > *(double *)user ? 1e10 * (bodies->position[k][0] < 0 ? -1 : 1) : 0;
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

    def.dt = 1e-5;
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
    CHECK(e[0].begins && e[0].step == 1);
    step(&s, 1); /* the kick is felt at its end */
    CHECK_EQUAL(read_events(&s, &e), 0);
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK(!e[0].begins && e[0].step == 3);
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
        scree_world_def def = scene_def(), twin_def = def;
        scene s, twin;
        uint64_t digest;
        def.allocator = failing_allocator_hooks(&memory);
        s = open_scene(&def, 12);
        twin = open_scene(&twin_def, 12);
        digest = scree_world_digest(s.world);
        memory.fail_at = memory.requests + fail;
        scree_status status = scree_world_step(s.world, 1);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK(!status || scree_world_digest(s.world) == digest);
        memory.fail_at = 0;
        step(&s, status ? 1 : 0);
        step(&twin, 1);
        CHECK(scree_world_digest(s.world) == scree_world_digest(twin.world));
        scree_world_destroy(s.world);
        scree_world_destroy(twin.world);
        CHECK(failing_allocator_is_clean(&memory));
        refusals += status != SCREE_OK;
        if (!status && memory.failures == 0)
            break;
    }
    CHECK(refusals > 5);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(events_lead_from_contacts_to_contacts),
        CASE(events_do_not_depend_on_detection),
        CASE(destroyed_bodies_end_their_contacts),
        CASE(contacts_that_the_host_tears_apart_end),
        CASE(contacts_that_are_torn_apart_in_one_step_end),
        CASE(events_must_be_asked_for),
        CASE(events_may_run_out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
