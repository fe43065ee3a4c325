/*  What may go wrong in a step, each time with a sentence that says where; and worlds without bodies and of
    many. */
#include "base/portable_math.h"
#include "scree/event.h"
#include "sound_world.h"

/*  A spring that fails from a given overlap on. */
typedef struct trap
{
    double overlap;
    double force; /* then */
} trap;

static scree_status prepare_nothing(const scree_law_input *input,
                                    double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)constants;
    (void)user;
    return SCREE_OK;
}

static void spring_with_trap(const scree_batch *batch, const double *constants, void *user)
{
    const trap *t = user;

    (void)constants;
    for (uint32_t k = 0; k < batch->count; k++) {
        double force = batch->overlap[k] > t->overlap ? t->force : 1e3 * batch->overlap[k];
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -force * batch->normal[a][k];
        if (batch->energy)
            batch->energy[k] = 0;
        for (int l = 0; l < SCREE_LOSSES && batch->loss[l]; l++)
            batch->loss[l][k] = 0;
    }
}

static scree_law own_law(trap *t)
{
    scree_law law = {.name = "trapped",
                     .summary = "a spring that breaks",
                     .prepare = prepare_nothing,
                     .force = spring_with_trap,
                     .user = t};
    return law;
}

/*  Four in a row, the third and fourth come nearer than the law allows. */
static scree_world *make_row(const scree_law *law)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.step.dt = 1e-5;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    rule.own_law = law;
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    for (int k = 0; k < 4; k++) {
        body.position[0] = 0.01999 * k;
        body.velocity[0] = k == 3 ? -0.5 : 0;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

static void check_refusals(double force)
{
    trap sprung = {2e-5, force}, never = {1, 0};
    scree_law law = own_law(&sprung), sound = own_law(&never);
    scree_world *world = make_row(&law), *other = make_row(&sound);
    scree_status status = SCREE_OK;
    uint64_t steps, digest;

    for (int k = 0; k < 1000 && !status; k++) {
        digest = scree_world_digest(world);
        CHECK(digest == scree_world_digest(other));
        status = scree_world_step(world, 1);
        if (!status)
            CHECK_EQUAL(scree_world_step(other, 1), SCREE_OK);
    }
    CHECK_EQUAL(status, SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "body 3: the force of its contact with body 4");
    CHECK_SAYS(scree_world_message(world), "law trapped");
    CHECK(scree_world_digest(world) == scree_world_digest(other));
    /* it stays where it is, however often one asks, and continues when the law is well again */
    steps = scree_world_clock(world).steps;
    CHECK(steps > 0);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_world_clock(world).steps, steps);
    CHECK(scree_world_digest(world) == scree_world_digest(other));
    sprung.overlap = 1;
    for (int k = 0; k < 50; k++) {
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
        CHECK_EQUAL(scree_world_step(other, 1), SCREE_OK);
        CHECK(scree_world_digest(world) == scree_world_digest(other));
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
}

TEST(a_law_that_gives_no_number_stops_the_step)
{
    check_refusals(NAN);
    check_refusals(INFINITY);
}

static scree_status host_force(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                               void *user)
{
    const double *wrong = user;

    (void)time;
    scree_force_sink_add_row(sink, bodies->count - 1, (double[3]){0, *wrong, 0}, NULL);
    return *wrong < 0 ? SCREE_BAD_ARGUMENT : SCREE_OK;
}

TEST(a_host_that_gives_no_number_stops_the_step)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    double wrong = NAN;
    uint64_t before = scree_world_digest(world);

    scree_world_set_force(world, host_force, &wrong);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "body 2");
    CHECK(scree_world_digest(world) == before);
    wrong = -1;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "the host's force function");
    CHECK(scree_world_digest(world) == before);
    wrong = 1;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    scree_world_destroy(world);
}

static void path_of_nan(double time, double shift[3], double velocity[3], double turn[4],
                        double spin[3], void *user)
{
    (void)velocity;
    (void)turn;
    (void)spin;
    shift[0] = time > *(const double *)user ? NAN : 0;
}

TEST(a_path_that_leads_nowhere_stops_the_step)
{
    scree_body_id ids[2];
    scree_wall_id floor;
    scree_world *world = make_world(ids);
    double until = 2.5e-5;
    const scree_wall_path path = {.function = path_of_nan, .user = &until};
    uint64_t before;

    CHECK_EQUAL(scree_world_walls(world, &floor, 1), 1);
    CHECK_EQUAL(scree_world_set_wall_path(world, floor, &path), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 2), SCREE_OK);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "shift.x is nan");
    CHECK(scree_world_digest(world) == before);
    until = 1;
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    scree_world_destroy(world);
}

TEST(bodies_that_overlap_at_the_start_are_reported)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body body;
    uint64_t before;

    CHECK_EQUAL(scree_world_get_body(world, ids[1], &body), SCREE_OK);
    body.position[0] = 0.012;
    CHECK_EQUAL(scree_world_set_body(world, ids[1], &body), SCREE_OK);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "bodies 1 and 2 overlap by 0.8 of the smaller radius");
    CHECK(scree_world_digest(world) == before);
    /* one centre upon the other */
    body.position[0] = 0;
    CHECK_EQUAL(scree_world_set_body(world, ids[1], &body), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "bodies 1 and 2 overlap by 2 of the smaller radius");
    /* it is not the end: one may be taken away */
    CHECK_EQUAL(scree_world_remove_body(world, ids[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 5), SCREE_OK);
    scree_world_destroy(world);
}

/*  The first of them by its number, and the deepest, wherever it was found. */
TEST(the_deepest_of_many_overlaps_is_named)
{
    for (uint32_t threads = 1; threads <= 3; threads++) {
        scree_world_def def = sound_world();
        scree_material_def material = scree_default_material_def();
        scree_body_def body = scree_default_body_def();
        def.compute.thread_count = threads;
        scree_world *world = open_world(&def);
        CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
        body.shape = scree_shape_sphere(0.01);
        /* pairs of bodies far from each other, of which number 700 is deeper than the others */
        for (int k = 0; k < 2000; k++) {
            bool is_second = k % 2;
            body.position[0] = k / 2 + (is_second ? k == 1401 ? 0.002 : 0.012 : 0);
            CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
        }
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_UNSTABLE);
        CHECK_SAYS(scree_world_message(world), "bodies 1 and 2 overlap by 0.8 of");
        CHECK_SAYS(scree_world_message(world),
                   "so do 1000 pairs, the deepest bodies 1401 and 1402 by 1.8");
        scree_world_destroy(world);
    }
}

/*  A sphere between two planes that hardly have room for it. */
TEST(a_time_step_that_is_far_too_long_is_noticed)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_wall_def ceiling = scree_default_wall_def();
    scree_stable_step stable;
    scree_status status;
    uint64_t before = 0;

    ceiling.material.index1 = 1;
    ceiling.point[2] = 0.0197;
    ceiling.normal[2] = -1;
    CHECK_EQUAL(scree_world_add_wall(world, &ceiling, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
    CHECK(stable.dt > 0 && stable.dt < 1);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 0.1 * stable.dt), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 100), SCREE_OK);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 10 * stable.dt), SCREE_OK);
    do {
        before = scree_world_digest(world);
        status = scree_world_step(world, 1);
    } while (!status && scree_world_clock(world).steps < 120);
    CHECK_EQUAL(status, SCREE_UNSTABLE);
    CHECK_SAYS(scree_world_message(world), "overlap");
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

/* ---- extremes ---- */

TEST(no_body_and_one_alone)
{
    scree_world_def def = sound_world();
    scree_world *world;
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    const scree_contact *contacts;
    const scree_event *events;
    scree_stable_step stable;
    scree_body state;
    size_t count;

    def.events = true;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_step(world, 5), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    CHECK_EQUAL(scree_world_events(world, &events, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
    CHECK(stable.dt == INFINITY);
    CHECK_EQUAL(scree_world_bodies(world).count, 0);
    CHECK(scree_world_totals(world).mass == 0);
    CHECK_EQUAL(scree_world_step(world, 0), SCREE_OK);
    CHECK_EQUAL(scree_world_clock(world).steps, 5);

    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(0.01);
    CHECK_EQUAL(scree_world_add_body(world, &body, &id), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1000), SCREE_OK);
    CHECK_EQUAL(scree_world_get_body(world, id, &state), SCREE_OK);
    /* g t^2 / 2 to rounding: the integrator is exact for a constant force */
    CHECK_NEAR(state.position[1], -0.5 * 9.81 * 1e-2 * 1e-2, 1e-15);
    CHECK_NEAR(state.velocity[1], -9.81 * 1e-2, 1e-14);
    CHECK_EQUAL(scree_world_remove_body(world, id), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 5), SCREE_OK);
    scree_world_destroy(world);
}

TEST(a_million_contacts_at_one_body)
{
    const uint32_t count = TEST_EFFORT(100000, 1000000);
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_world *world;
    scree_body_def body = scree_default_body_def();
    scree_body_def *defs = calloc(count, sizeof *defs);
    double small = 0.2 / sqrt(count), push = 0;
    scree_body_id giant, *ids = calloc(count, sizeof *ids);
    const scree_contact *contacts;
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    scree_body state;
    size_t found;

    CHECK(defs && ids);
    def.step.dt = 1e-7;
    def.detection.method = "flat";
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(1);
    CHECK_EQUAL(scree_world_add_body(world, &body, &giant), SCREE_OK);
    /* on a spiral from pole to pole, so that no two touch */
    for (uint32_t k = 0; k < count; k++) {
        double z = 1 - (2 * k + 1.0) / count, r = sqrt(1 - z * z), sine, cosine;
        scree_sin_cos(2.39996322972865332 * k, &sine, &cosine);
        defs[k] = body;
        defs[k].shape = scree_shape_sphere(small);
        double at[3] = {r * cosine, r * sine, z};
        for (int a = 0; a < 3; a++)
            defs[k].position[a] = at[a] * (1 + 0.9 * small);
    }
    CHECK_EQUAL(scree_world_add_bodies(world, defs, count, ids), SCREE_OK);
    if (scree_world_step(world, 3))
        FAIL("%s", scree_world_message(world));
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, count);
    filter.body = giant;
    CHECK_EQUAL(scree_world_contacts(world, &filter, &contacts, &found), SCREE_OK);
    CHECK_EQUAL(found, count);
    for (size_t c = 0; c < found; c++)
        push += sqrt(contacts[c].force[0] * contacts[c].force[0] +
                     contacts[c].force[1] * contacts[c].force[1] +
                     contacts[c].force[2] * contacts[c].force[2]);
    CHECK_EQUAL(scree_world_get_body(world, giant, &state), SCREE_OK);
    /* from all sides alike */
    for (int a = 0; a < 3; a++)
        CHECK(push > 0 && fabs(state.force[a]) < 1e-4 * push);
    CHECK_EQUAL(scree_world_remove_bodies(world, ids, count), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(world).contacts, 0);
    scree_world_destroy(world);
    free(defs);
    free(ids);
}

TEST(no_world_is_no_crash)
{
    scree_body_id id = {1, 1};
    scree_wall_id wall = {1, 1};
    scree_body body;
    scree_wall wall_state;
    scree_stable_step stable;
    const scree_contact *contacts;
    const scree_event *events;
    size_t count;
    scree_wall_path path = {.rate = 0};
    scree_wall_def wall_def = scree_default_wall_def();
    scree_body_def body_def = scree_default_body_def();
    const double gravity[3] = {0, 0, 0};
    double none[3] = {1, 1, 1};

    scree_world_destroy(NULL);
    CHECK_TEXT(scree_world_message(NULL), "");
    CHECK_EQUAL(scree_world_step(NULL, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_gravity(NULL, gravity), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_get_gravity(NULL, none), SCREE_BAD_ARGUMENT);
    CHECK(memcmp(none, gravity, sizeof none) == 0);
    CHECK_EQUAL(scree_world_set_dt(NULL, SCREE_TIME_FIXED, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_damping(NULL, 0, 0), SCREE_BAD_ARGUMENT);
    none[0] = none[1] = none[2] = 1;
    scree_time_mode mode = SCREE_TIME_AUTOMATIC;
    CHECK_EQUAL(scree_world_get_dt(NULL, &mode, &none[0]), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(mode, SCREE_TIME_FIXED);
    CHECK_EQUAL(scree_world_get_damping(NULL, &none[1], &none[2]), SCREE_BAD_ARGUMENT);
    CHECK(memcmp(none, gravity, sizeof none) == 0);
    CHECK_EQUAL(scree_world_set_method(NULL, "flat"), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_margin(NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_material(NULL, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_rule(NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_body(NULL, &body_def, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_body(NULL, id), SCREE_BAD_ARGUMENT);
    CHECK(!scree_world_has_body(NULL, id));
    CHECK_EQUAL(scree_world_get_body(NULL, id, &body), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_body(NULL, id, &body), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_body_count(NULL), 0);
    CHECK_EQUAL(scree_world_add_wall(NULL, &wall_def, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_wall(NULL, wall), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_wall_path(NULL, wall, &path), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_get_wall(NULL, wall, &wall_state), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_walls(NULL, NULL, 0), 0);
    CHECK_EQUAL(scree_world_stable_step(NULL, &stable), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_contacts(NULL, NULL, &contacts, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_events(NULL, &events, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_clock(NULL).steps, 0);
    CHECK_EQUAL(scree_world_detection_stats(NULL).rebuilds, 0);
    CHECK(scree_world_energy(NULL).kinetic == 0);
    CHECK_EQUAL(scree_world_totals(NULL).bodies, 0);
    scree_world_set_force(NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_law_that_gives_no_number_stops_the_step),
        CASE(a_host_that_gives_no_number_stops_the_step),
        CASE(a_path_that_leads_nowhere_stops_the_step),
        CASE(bodies_that_overlap_at_the_start_are_reported),
        CASE(the_deepest_of_many_overlaps_is_named),
        CASE(a_time_step_that_is_far_too_long_is_noticed),
        CASE(no_body_and_one_alone),
        CASE(a_million_contacts_at_one_body),
        CASE(no_world_is_no_crash),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
