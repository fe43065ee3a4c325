/*  Every request for memory that the calls of a world make fails once, and from there on for good. The call must
    say so, the state must be exactly what it was, and the same call must then succeed and lead to where it
    would have led. */
#include "harness/drum.h"
#include "harness/failing_allocator.h"
#include "scree/event.h"
#include "scree/wall.h"
#include "test.h"

static const drum_scene drum = {.across = 3,
                                .layers = 1,
                                .most = 2,
                                .facets = 16,
                                .has_planes = true,
                                .integrator = SCREE_VELOCITY_VERLET,
                                .has_energy_balance = true};

/*  A world and what calls need that come later. */
typedef struct stage
{
    failing_allocator *memory;
    scree_world *world, *copy;
    scree_snapshot *snapshot;
    scree_body_id ids[8];
    scree_wall_id walls[4];
    uint32_t threads;
    scree_error error;
} stage;

static scree_world_def define(stage *s)
{
    scree_world_def def = scree_default_world_def();

    drum_scene_define(&drum, &def);
    def.hooks.allocator = failing_allocator_hooks(s->memory);
    def.detection.method = "flat";
    def.detection.sort_every = 20;
    def.detection.audit = 50;
    def.energy_balance = def.events = true;
    def.compute.thread_count = s->threads;
    def.hooks.error = &s->error;
    return def;
}

/* ---- the calls, in an order in which all of them work ---- */

static scree_status create(stage *s)
{
    scree_world_def def = define(s);
    return scree_world_create(&def, &s->world);
}

static scree_status add_material(stage *s)
{
    scree_material_def def = scree_default_material_def();
    def.young = 2e6;
    return scree_world_add_material(s->world, &def, NULL);
}

static scree_status add_rule(stage *s)
{
    static const char *const names[] = {"friction"};
    static const double values[] = {0.7};
    scree_rule_def def = scree_default_rule_def();
    def.law = "linear-rolling";
    def.names = names;
    def.values = values;
    def.value_count = 1;
    def.type = SCREE_CONTACT_WALLS;
    return scree_world_add_rule(s->world, &def);
}

static scree_status add_plane(stage *s)
{
    static const double rows[2][4] = {{0, 0, 0, 0}, {1, 0.1, 0, 0}};
    scree_wall_def def = scree_default_wall_def();
    def.material.index1 = 1;
    def.point[0] = -0.05;
    def.normal[0] = 1;
    def.path.table = rows;
    def.path.table_count = 2;
    return scree_world_add_wall(s->world, &def, &s->walls[0]);
}

static scree_status set_path(stage *s)
{
    static const double rows[2][4] = {{0, 0, 0, 0}, {1, 0, 0.1, 0}};
    const scree_wall_path path = {.table = rows, .table_count = 2};
    return scree_world_set_wall_path(s->world, s->walls[0], &path);
}

static scree_body_def ball(double x, uint64_t serial)
{
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_sphere(2e-3);
    def.material.index1 = 1;
    def.position[0] = x;
    def.position[1] = 0.045;
    def.serial = serial;
    return def;
}

static scree_status add_few(stage *s)
{
    scree_body_def defs[4];
    for (int k = 0; k < 4; k++)
        defs[k] = ball(-0.005 + 0.0039 * k, 0);
    return scree_world_add_bodies(s->world, defs, 4, s->ids);
}

static scree_status add_many(stage *s)
{
    scree_body_def defs[200];
    for (int k = 0; k < 200; k++)
        defs[k] = ball(1 + 0.1 * k, 0);
    return scree_world_add_bodies(s->world, defs, 200, NULL);
}

static scree_status add_numbered(stage *s)
{
    scree_body_def defs[2] = {ball(30, 100000), ball(31, 99999)};
    return scree_world_add_bodies(s->world, defs, 2, NULL);
}

/*  The first load that a body has makes room for those of all. */
static scree_status push(stage *s)
{
    scree_body body;
    scree_status status = scree_world_get_body(s->world, s->ids[0], &body);
    body.load[0] = 1e-3;
    return status ? status : scree_world_set_body(s->world, s->ids[0], &body);
}

static scree_status fill_drum(stage *s)
{
    return drum_scene_fill(&drum, s->world);
}

static scree_status step_once(stage *s)
{
    return scree_world_step(s->world, 1);
}

static scree_status step_one_after_the_other(stage *s)
{
    scree_status status = SCREE_OK;
    for (int k = 0; k < 60 && !status; k++)
        status = scree_world_step(s->world, 1);
    return status;
}

static scree_status remove_some(stage *s)
{
    return scree_world_remove_bodies(s->world, s->ids, 2);
}

static scree_status change_method(stage *s)
{
    return scree_world_set_method(s->world, "hash-grids");
}

static scree_status change_margin(stage *s)
{
    scree_margin_def margin = scree_default_detector_def().margin;
    margin.kind = SCREE_MARGIN_TOLERANCE;
    return scree_world_set_margin(s->world, &margin);
}

static scree_status read_contacts(stage *s)
{
    const scree_contact *contacts;
    size_t count;
    return scree_world_contacts(s->world, NULL, &contacts, &count);
}

static scree_status read_events(stage *s)
{
    const scree_event *events;
    size_t count;
    return scree_world_events(s->world, &events, &count);
}

static scree_status read_stable_step(stage *s)
{
    scree_stable_step step;
    return scree_world_stable_step(s->world, &step);
}

static scree_status take_snapshot(stage *s)
{
    scree_snapshot_destroy(s->snapshot);
    s->snapshot = NULL;
    return scree_world_snapshot(s->world, &s->snapshot);
}

static scree_status go_back(stage *s)
{
    return scree_world_restore(s->world, s->snapshot);
}

static scree_status make_copy(stage *s)
{
    scree_world_def def = define(s);
    scree_world_destroy(s->copy);
    s->copy = NULL;
    return scree_world_copy(s->world, &def, &s->copy);
}

static scree_status remove_wall(stage *s)
{
    return scree_world_remove_wall(s->world, s->walls[0]);
}

static scree_status automatic_time(stage *s)
{
    return scree_world_set_dt(s->world, SCREE_TIME_AUTOMATIC, 1e-4);
}

/*  `rests`: a failure may come in the middle of several steps; those that were taken stay. */
static const struct
{
    const char *name;
    scree_status (*call)(stage *s);
    bool rests;
} calls[] = {
    {"create", create, false},
    {"step empty", step_once, false},
    {"add material", add_material, false},
    {"add rule", add_rule, false},
    {"add wall", add_plane, false},
    {"step walls alone", step_once, false},
    {"add few", add_few, false},
    {"first step", step_once, false},
    {"push", push, false},
    {"set path", set_path, false},
    {"fill drum", fill_drum, true},
    {"step", step_once, false},
    {"steps", step_one_after_the_other, true},
    {"contacts", read_contacts, false},
    {"events", read_events, false},
    {"stable step", read_stable_step, false},
    {"snapshot", take_snapshot, false},
    {"remove some", remove_some, false},
    {"add many", add_many, false},
    {"add numbered", add_numbered, false},
    {"method", change_method, false},
    {"step with another method", step_once, false},
    {"margin", change_margin, false},
    {"step with another margin", step_once, false},
    {"copy", make_copy, false},
    {"remove wall", remove_wall, false},
    {"step without", step_once, false},
    {"automatic time", automatic_time, false},
    {"step in automatic time", step_one_after_the_other, true},
    {"restore wall", add_plane, false},
    {"snapshot again", take_snapshot, false},
    {"steps after", step_one_after_the_other, true},
    {"restore", go_back, false},
    {"steps after a restore", step_one_after_the_other, true},
};

#define CALLS (sizeof calls / sizeof *calls)

static void close_stage(stage *s)
{
    scree_world_destroy(s->world);
    scree_world_destroy(s->copy);
    scree_snapshot_destroy(s->snapshot);
}

/*  All calls before number `end` succeed. */
static void play(stage *s, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++)
        if (calls[k].call(s))
            FAIL("%s: %s", calls[k].name, scree_world_message(s->world));
}

static uint64_t digest_of(const stage *s)
{
    return scree_world_digest(s->world) + 3 * scree_world_digest(s->copy);
}

/*  Call number `at` with request number `k` of its own failing. False: it makes no so many. */
static bool fail_one(size_t at, size_t k, bool all_after, uint64_t expected)
{
    failing_allocator memory = {.fail_at = 0};
    stage s = {.memory = &memory, .threads = 1};
    uint64_t before;
    bool failed;
    scree_status status;

    play(&s, 0, at);
    before = digest_of(&s);
    memory.fail_at = memory.requests + k;
    memory.fail_all_after = all_after;
    status = calls[at].call(&s);
    failed = memory.failures > 0;
    memory.fail_at = 0;
    if (status && status != SCREE_OUT_OF_MEMORY)
        FAIL("%s, request %zu: status is \"%s\": %s", calls[at].name, k, scree_status_name(status),
             scree_world_message(s.world));
    if (status && !(calls[at].call == create || calls[at].call == make_copy
                        ? s.error.text
                        : scree_world_message(s.world))[0])
        FAIL("%s, request %zu: no message", calls[at].name, k);
    if (status && !calls[at].rests) {
        if (calls[at].call != make_copy && digest_of(&s) != before)
            FAIL("%s, request %zu: the state has changed", calls[at].name, k);
        play(&s, at, at + 1);
    }
    if ((!status || !calls[at].rests) && digest_of(&s) != expected)
        FAIL("%s, request %zu%s: another state than without a failure", calls[at].name, k,
             status ? "" : " (it did without)");
    if (status && calls[at].rests && at + 1 < CALLS && calls[at].call != fill_drum)
        play(&s, at, CALLS);
    close_stage(&s);
    CHECK(failing_allocator_is_clean(&memory));
    return failed;
}

static void fail_all(bool all_after)
{
    uint64_t expected[CALLS];
    failing_allocator memory = {.fail_at = 0};
    stage whole = {.memory = &memory, .threads = 1};
    size_t requests = 0;

    for (size_t at = 0; at < CALLS; at++) {
        play(&whole, at, at + 1);
        expected[at] = digest_of(&whole);
    }
    close_stage(&whole);
    for (size_t at = 0; at < CALLS; at++) {
        /* long ones by leaps, which meet others each time */
        for (size_t k = 1; fail_one(at, k, all_after, expected[at]);
             k += 1 + k / TEST_EFFORT(8, 16))
            requests++;
    }
    printf("%zu requests failed\n", requests);
    CHECK(requests > 300);
}

TEST(one_request_fails)
{
    fail_all(false);
}

TEST(all_requests_fail_from_one_on)
{
    fail_all(true);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(one_request_fails),
        CASE(all_requests_fail_from_one_on),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
