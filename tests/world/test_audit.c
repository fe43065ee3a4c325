/*  Audits and late contacts: that nothing is missing where all is well, and that what is taken away is seen. */
#include "harness/solid_maker.h"
#include "scenes/worlds.h"
#include "test.h"

#include "world/step/world_data.h"

static unsigned messages;
static char last_message[256];

static void take_message(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)user;
    if (level != SCREE_LOG_WARNING || id != SCREE_LOG_CONTACT_MISSING)
        return;
    messages++;
    snprintf(last_message, sizeof last_message, "%s", text);
}

static scree_drum make_drum(uint32_t audit, const char *method)
{
    scree_drum_plan plan = scree_default_drum_plan();
    scree_world_def def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_drum drum;

    plan.bodies = 300;
    plan.facets = 48;
    def.step.dt = 2e-5;
    def.detection.audit = audit;
    def.detection.sort_every = 0;
    def.detection.method = method;
    def.hooks.log.write = take_message;
    messages = 0;
    if (scree_drum_create(&plan, &def, &drum, &error))
        FAIL("%s", error.text);
    return drum;
}

/*  PFC-29 too: contacts that come late are counted, and here are none. */
TEST(audits_find_nothing_missing)
{
    static const char *const methods[] = {"auto", "hash-grids"};
    for (int k = 0; k < 2; k++) {
        scree_drum drum = make_drum(50, methods[k]);
        CHECK_EQUAL(scree_world_step(drum.world, 6000), SCREE_OK);
        scree_detection_stats seen = scree_world_detection_stats(drum.world);
        CHECK_EQUAL(seen.audits, 120);
        CHECK_EQUAL(seen.missed_contacts, 0);
        CHECK_EQUAL(seen.late_contacts, 0);
        CHECK(seen.contacts > 100);
        CHECK_EQUAL(messages, 0);
        scree_drum_destroy(&drum);
    }
}

/*  The published guarantee with the published margin, in cells, with steps as long as they may be: all pairs are looked at in every
    cycle, before its forces are. */
TEST(pfc_26_every_cycle_of_a_drum_is_audited)
{
    const uint64_t cycles = TEST_EFFORT(3000, 100000);
    scree_drum_plan plan = scree_default_drum_plan();
    scree_world_def def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_drum drum;

    plan.bodies = 80;
    plan.facets = 48;
    plan.rate = 10;
    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.detection.method = "cell-space";
    def.detection.margin.kind = SCREE_MARGIN_TOLERANCE;
    def.detection.margin.reach = 2;
    def.detection.audit = 1;
    def.hooks.log.write = take_message;
    messages = 0;
    if (scree_drum_create(&plan, &def, &drum, &error))
        FAIL("%s", error.text);
    if (scree_world_step(drum.world, cycles))
        FAIL("%s", scree_world_message(drum.world));
    scree_detection_stats seen = scree_world_detection_stats(drum.world);
    FIGURE("%" PRIu64 " audits in %" PRIu64 " cycles, %" PRIu64 " searches: %" PRIu64
           " pairs missing, %" PRIu64 " late",
           seen.audits, cycles, seen.rebuilds, seen.missed_contacts, seen.late_contacts);
    /* cycles that are made once more are audited once more */
    CHECK(seen.audits >= cycles);
    CHECK_EQUAL(seen.missed_contacts + seen.late_contacts, 0);
    CHECK_EQUAL(messages, 0);
    /* it is no still life */
    CHECK(seen.rebuilds > cycles / 200 && seen.contacts > 10);
    scree_drum_destroy(&drum);
}

TEST(off_they_are_not_made)
{
    scree_drum drum = make_drum(0, "auto");
    CHECK_EQUAL(scree_world_step(drum.world, 100), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(drum.world).audits, 0);
    scree_drum_destroy(&drum);
}

/*  A candidate that touches is turned into one of another pair: its own is missing. */
static bool lose_a_contact(scree_world *world)
{
    scree_contact_list *list = &world->pairs;

    for (size_t c = 0; c + 1 < list->count; c++) {
        if (!list->touches[c][0])
            continue;
        list->first[c][0] = list->first[c + 1][0];
        list->second[c][0] = list->second[c + 1][0];
        if (scree_contact_list_count(list, world->bodies.count, &world->workers))
            return false;
        scree_contact_list_index(list, &world->bodies);
        return true;
    }
    return false;
}

TEST(a_lost_pair_is_noticed)
{
    scree_drum drum = make_drum(0, "auto");
    CHECK_EQUAL(scree_world_step(drum.world, 6000), SCREE_OK);
    drum.world->def.detection.audit = 1;
    CHECK_EQUAL(scree_world_step(drum.world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(drum.world).missed_contacts, 0);
    CHECK(lose_a_contact(drum.world));
    CHECK_EQUAL(scree_world_step(drum.world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(drum.world).missed_contacts, 1);
    CHECK_EQUAL(messages, 1);
    CHECK_SAYS(last_message, "which detection does not know");
    /* the next list has it again */
    CHECK_EQUAL(scree_world_step(drum.world, 5), SCREE_OK);
    CHECK_EQUAL(scree_world_detection_stats(drum.world).missed_contacts, 1);
    scree_drum_destroy(&drum);
}

TEST(a_lost_facet_is_noticed)
{
    scree_drum drum = make_drum(0, "auto");
    CHECK_EQUAL(scree_world_step(drum.world, 6000), SCREE_OK);
    scree_world *world = drum.world;
    CHECK(world->wall_contacts.now.count > 0);
    uint32_t slot = world->wall_contacts.now.body[0][0];
    world->wall_contacts.search.end[slot] = world->wall_contacts.search.begin[slot];
    world->def.detection.audit = 1;
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK(scree_world_detection_stats(world).missed_contacts > 0);
    CHECK_SAYS(last_message, "a facet of wall 1");
    scree_drum_destroy(&drum);
}

/*  The list is as if it had been made too late: what overlaps was not in the one before. */
TEST(late_contacts_are_counted)
{
    PROVES("PFC-29");
    scree_drum drum = make_drum(0, "auto");
    CHECK_EQUAL(scree_world_step(drum.world, 6000), SCREE_OK);
    scree_world *world = drum.world;
    CHECK(lose_a_contact(world));
    uint64_t before = scree_world_detection_stats(world).rebuilds;
    while (scree_world_detection_stats(world).rebuilds == before)
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    FIGURE("%d late contact counted", (int)scree_world_detection_stats(world).late_contacts);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 1);
    scree_drum_destroy(&drum);
}

/*  Two cubes that tilt on each other, a globe out of reach, and a sphere that hurries by, so that lists are made again. */
static scene leaning(bool by_cuts)
{
    scree_world_def def = plain_def(1e-4);
    def.detection.sort_every = 0;
    def.step.integrator = by_cuts ? SCREE_IMPLICIT_MULTISCALE : SCREE_SYMPLECTIC_EULER;
    scene s = open_scene(&def, "linear", 0.5, 0.5);
    scree_mesh *block = cube(1), *ball = globe(80, 0.5, 1);
    scree_body_def body = body_at(&s, scree_shape_mesh(block, 0.01), 0, 0, 0);
    add(&s, &body);
    body.position[0] = 1.015;
    add(&s, &body);
    body = body_at(&s, scree_shape_mesh(ball, 0.01), 0, 1.2, 0);
    add(&s, &body);
    body = body_at(&s, scree_shape_sphere(0.1), -50, 30, 0);
    body.velocity[0] = 500;
    add(&s, &body);
    scree_mesh_release(block);
    scree_mesh_release(ball);
    step(&s, 20);
    CHECK_EQUAL(scree_world_detection_stats(s.world).late_contacts, 0);
    CHECK(s.world->shape_contacts.now.count > 0);
    return s;
}

static void until_the_next_search(const scene *s)
{
    uint64_t before = scree_world_detection_stats(s->world).rebuilds;
    while (scree_world_detection_stats(s->world).rebuilds == before)
        step(s, 1);
}

TEST(late_bodies_of_triangles_are_counted)
{
    for (int by_cuts = 0; by_cuts < 2; by_cuts++) {
        scene s = leaning(by_cuts);
        /* lists come and go, and nothing is late */
        until_the_next_search(&s);
        until_the_next_search(&s);
        CHECK_EQUAL(scree_world_detection_stats(s.world).late_contacts, 0);
        /* as if none had been found: those that touch are late, those that are only near are not */
        CHECK(s.world->shape_contacts.candidate_count > 1);
        s.world->shape_contacts.candidate_count = 0;
        uint64_t begin = scree_world_detection_stats(s.world).triangle_tests;
        until_the_next_search(&s);
        CHECK_EQUAL(scree_world_detection_stats(s.world).late_contacts, 1);
        /* what is compared for that is not counted as compared */
        uint64_t middle = scree_world_detection_stats(s.world).triangle_tests;
        step(&s, 1);
        uint64_t end = scree_world_detection_stats(s.world).triangle_tests;
        CHECK(by_cuts || (middle > begin && 2 * (middle - begin) < 3 * (end - middle)));
        CHECK(s.world->shape_contacts.candidate_count > 1);
        scree_world_destroy(s.world);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(audits_find_nothing_missing),
        CASE(pfc_26_every_cycle_of_a_drum_is_audited),
        CASE(off_they_are_not_made),
        CASE(a_lost_pair_is_noticed),
        CASE(a_lost_facet_is_noticed),
        CASE(late_contacts_are_counted),
        CASE(late_bodies_of_triangles_are_counted),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
