/*  Looking into a world: its detector, where the time of steps goes, what is left of margins. Neither changes what
    comes. */
#include "harness/drum.h"
#include "scree/wall.h"
#include "test.h"

#include <math.h>

static int count_piece(const scree_outline_piece *piece, void *user)
{
    uint64_t *bodies = user;
    *bodies += piece->count;
    return 0;
}

static const drum_scene drum = {.across = 3, .most = 3, .layers = 1, .facets = 100};

static scree_world *open_drum(const drum_way *way)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(&drum, way, &error);
    if (!world)
        FAIL("%s", error.text);
    return world;
}

TEST(the_detector_at_work_can_be_looked_at)
{
    const drum_way way = {.method = "hashing2"};
    scree_world *world = open_drum(&way);
    uint64_t bodies = 0;

    CHECK(!scree_world_step(world, 5));
    const scree_detector *detector = scree_world_detector(world);
    CHECK_TEXT(scree_detector_explain(detector).method, "hashing2");
    CHECK_EQUAL(scree_detector_stats(detector).bodies, scree_world_body_count(world));
    CHECK(!scree_detector_outline(detector, count_piece, &bodies));
    CHECK_EQUAL(bodies, scree_world_body_count(world));
    CHECK(!scree_world_set_method(world, "dess2"));
    CHECK_TEXT(scree_detector_explain(scree_world_detector(world)).method, "dess2");
    CHECK(!scree_world_detector(NULL));
    scree_world_destroy(world);
}

TEST(phases_add_up_and_change_nothing)
{
    const drum_way way = {0};
    scree_world *timed = open_drum(&way), *other = open_drum(&way);
    const scree_contact *contacts;
    size_t count;

    CHECK(!scree_world_step(timed, 3));
    CHECK_EQUAL(scree_world_timings(timed).steps, 0);
    CHECK(scree_world_timings(timed).search == 0 && scree_world_timings(timed).other == 0);
    scree_world_enable_timings(timed, true);
    CHECK(!scree_world_step(timed, 20));
    scree_timings timings = scree_world_timings(timed);
    CHECK_EQUAL(timings.steps, 20);
    CHECK(timings.search > 0 && timings.pairs > 0 && timings.walls > 0 && timings.sums > 0 &&
          timings.other > 0);
    /* what is read between steps is of no phase */
    CHECK(!scree_world_contacts(timed, NULL, &contacts, &count));
    CHECK(scree_world_timings(timed).other == timings.other);
    scree_world_enable_timings(timed, false);
    CHECK(!scree_world_step(timed, 2));
    CHECK_EQUAL(scree_world_timings(timed).steps, 0);
    CHECK(!scree_world_step(other, 25));
    CHECK(scree_world_digest(timed) == scree_world_digest(other));
    scree_world_enable_timings(NULL, true);
    CHECK_EQUAL(scree_world_timings(NULL).steps, 0);
    scree_world_destroy(timed);
    scree_world_destroy(other);
}

/* ---- what the detection statistics says of margins ---- */

/*  Two balls far apart, of which the first moves by a hundredth in each step, the second at a speed of its own;
    `growth` is the skin. */
static scree_world *open_pair(scree_world_def *def, double growth, double second)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_body_def ball = scree_default_body_def();
    scree_world *world;
    /* acts beyond touching, so that detection sees bodies that are thicker */
    static const char *const names[] = {"adhesion"};
    static const double values[] = {0.05};

    def->step.dt = 0.01;
    def->detection.margin.kind = growth > 0 ? SCREE_MARGIN_SKIN : SCREE_MARGIN_NONE;
    def->detection.margin.length = growth;
    CHECK(!scree_world_create(def, &world));
    CHECK(scree_world_detection_stats(world).remaining_margin == INFINITY);
    CHECK(!scree_world_add_material(world, &material, &ball.material));
    rule.law = "jkr";
    rule.names = names;
    rule.values = values;
    rule.value_count = 1;
    CHECK(!scree_world_add_rule(world, &rule));
    ball.shape = scree_shape_sphere(0.1);
    ball.position[0] = 9.72;
    ball.position[1] = ball.position[2] = 5;
    ball.velocity[0] = 1;
    CHECK(!scree_world_add_body(world, &ball, NULL));
    ball.position[0] = 3;
    ball.velocity[0] = second;
    CHECK(!scree_world_add_body(world, &ball, NULL));
    /* no body has been searched for yet */
    CHECK(scree_world_detection_stats(world).remaining_margin == 0);
    CHECK(scree_world_detection_stats(world).displacement == 0);
    return world;
}

/*  By hand: the way since the search, and what that leaves of the skin; also over a periodic boundary. */
TEST(detection_statistics_say_how_far_bodies_have_gone)
{
    for (int periodic = 0; periodic < 2; periodic++) {
        scree_world_def def = scree_default_world_def();
        if (periodic)
            def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[0] = 10;
        scree_world *world = open_pair(&def, 0.5, 0);
        uint64_t searches = 0;
        int since = 0;
        for (int k = 0; k < 130; k++) {
            CHECK(!scree_world_step(world, 1));
            scree_detection_stats seen = scree_world_detection_stats(world);
            since++;
            if (seen.rebuilds != searches)
                since = 0;
            /* the first search is made where bodies begin, before they move */
            if (k == 0)
                since = 1;
            searches = seen.rebuilds;
            CHECK_NEAR(seen.displacement, 0.01 * since, 1e-12);
            CHECK_NEAR(seen.remaining_margin, 0.5 - 0.01 * since, 1e-12);
        }
        CHECK_EQUAL(searches, 3);
        CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
        scree_world_destroy(world);
    }
}

/*  Beside a plane slack is that of the walls, from the first step in which they are searched for. */
TEST(slack_is_used_up_before_walls_are_searched_for)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = open_pair(&def, 100, 1);
    scree_wall_def wall = scree_default_wall_def();
    double last = 0;
    uint64_t searches = 0;
    int searched = 0;

    wall.material.index1 = 1;
    wall.point[2] = 4.6; /* four radii below the line on which they go */
    CHECK(!scree_world_add_wall(world, &wall, NULL));
    for (int k = 0; k < 200; k++) {
        CHECK(!scree_world_step(world, 1));
        scree_detection_stats seen = scree_world_detection_stats(world);
        CHECK(seen.remaining_margin > 0 && seen.remaining_margin < 20);
        /* both go the same way */
        if (seen.wall_rebuilds == searches)
            CHECK_NEAR(seen.remaining_margin, last - 0.01, 1e-9);
        else
            CHECK(last < 0.01 + 1e-9);
        searched += seen.wall_rebuilds != searches;
        searches = seen.wall_rebuilds;
        last = seen.remaining_margin;
    }
    CHECK(searched > 2);
    scree_world_destroy(world);
}

/*  Where nothing is near, one look leads as far as the plane. */
TEST(bodies_far_from_planes_are_hardly_looked_at)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = open_pair(&def, 100, 1);
    scree_wall_def wall = scree_default_wall_def();

    wall.material.index1 = 1;
    wall.normal[0] = 1;
    wall.normal[1] = wall.normal[2] = 0;
    wall.point[0] = -1000;
    CHECK(!scree_world_add_wall(world, &wall, NULL));
    CHECK(!scree_world_step(world, 5000));
    CHECK_EQUAL(scree_world_detection_stats(world).wall_rebuilds, 2);
    scree_world_destroy(world);
}

typedef struct said
{
    int count;
    char text[512];
} said;

static void hear_coarse(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    said *all = user;

    if (id != SCREE_LOG_COARSE_POSITIONS)
        return;
    CHECK_EQUAL(level, SCREE_LOG_WARNING);
    all->count++;
    snprintf(all->text, sizeof all->text, "%s", text);
}

/*  Two balls of 0.1 m far away: at 1e9 places are known to 1e-7 m, which is a millionth of the radius and a bit. */
TEST(places_that_are_too_coarse_are_told_once)
{
    static const double away[] = {0, 1e6, 4e8, 1e9, 1e15};

    for (int k = 0; k < 5; k++) {
        scree_world_def def = scree_default_world_def();
        said all = {0};
        def.hooks.log = (scree_log){hear_coarse, &all};
        scree_world *world = open_pair(&def, 100, 1);
        const scree_bodies_view view = scree_world_bodies(world);
        scree_body_id id = scree_body_id_at(view.id, 1);
        scree_body body;
        CHECK(!scree_world_get_body(world, id, &body));
        body.position[1] = away[k];
        CHECK(!scree_world_set_body(world, id, &body));
        CHECK(!scree_world_step(world, 2));
        CHECK_EQUAL(all.count, k >= 3);
        if (k >= 3)
            CHECK_SAYS(all.text, "body 2 is 1e+");
        /* the list is made again */
        CHECK(!scree_world_set_body(world, id, &body));
        CHECK(!scree_world_step(world, 2));
        CHECK_EQUAL(all.count, k >= 3);
        scree_world_destroy(world);
    }
}

TEST(without_a_margin_there_is_no_slack)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = open_pair(&def, 0, 0);

    CHECK(!scree_world_step(world, 3));
    CHECK(scree_world_detection_stats(world).remaining_margin == 0);
    CHECK(scree_world_detection_stats(world).displacement == 0);
    scree_world_destroy(world);
    CHECK(scree_world_detection_stats(NULL).remaining_margin == 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_detector_at_work_can_be_looked_at),
        CASE(phases_add_up_and_change_nothing),
        CASE(detection_statistics_say_how_far_bodies_have_gone),
        CASE(slack_is_used_up_before_walls_are_searched_for),
        CASE(bodies_far_from_planes_are_hardly_looked_at),
        CASE(places_that_are_too_coarse_are_told_once),
        CASE(without_a_margin_there_is_no_slack),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
