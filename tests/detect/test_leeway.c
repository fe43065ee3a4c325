/*  Steps in which the caller says how far bodies have gone, against the same steps in which all are looked at: the same are mapped
    in the same steps, and pairs are the same. And what such a step does not look at. */
#include "scree/detect.h"

#include "base/random.h"
#include "test.h"

#include <math.h>

#define MOST 700u /* five blocks and a part of one */

typedef struct body_set
{
    size_t count;
    double place[MOST][4], velocity[MOST][3];
    double travel[MOST / SCREE_TRAVEL_ROWS + 1];
} body_set;

static scree_table table_of(const body_set *c)
{
    const size_t stride = sizeof *c->place;
    return scree_table_spheres(
        c->count, scree_doubles(&c->place[0][0], stride), scree_doubles(&c->place[0][1], stride),
        scree_doubles(&c->place[0][2], stride), scree_doubles(&c->place[0][3], stride));
}

static scree_motion motion_of(const body_set *c, bool has_travel)
{
    const size_t stride = sizeof *c->velocity;
    scree_motion motion = {.velocity = {scree_doubles(&c->velocity[0][0], stride),
                                        scree_doubles(&c->velocity[0][1], stride),
                                        scree_doubles(&c->velocity[0][2], stride)}};
    if (has_travel)
        motion.travel = scree_doubles(c->travel, sizeof *c->travel);
    return motion;
}

static void make_body_set(body_set *c, scree_random *random)
{
    memset(c, 0, sizeof *c);
    c->count = 1 + scree_random_below(random, MOST);
    double side = 1.2 * cbrt((double)c->count);
    for (size_t row = 0; row < c->count; row++) {
        double speed = scree_random_below(random, 20) ? 0.002 : 0.1;
        for (int k = 0; k < 3; k++) {
            c->place[row][k] = scree_random_range(random, 0, side);
            c->velocity[row][k] = speed * scree_random_range(random, -1, 1);
        }
        c->place[row][3] = scree_random_range(random, 0.2, 0.6);
    }
}

static void note_way(body_set *c, size_t row, const double before[4])
{
    double way = hypot(hypot(c->place[row][0] - before[0], c->place[row][1] - before[1]),
                       c->place[row][2] - before[2]) *
                 (1 + 1e-15);
    double *most = &c->travel[row / SCREE_TRAVEL_ROWS];
    *most = way > *most ? way : *most;
}

/*  Now and then one jumps, and some steps move no body. */
static void step_body_set(body_set *c, scree_random *random)
{
    bool is_still = scree_random_below(random, 4) == 0;
    size_t jumper = scree_random_below(random, 10) ? MOST : scree_random_below(random, MOST);
    memset(c->travel, 0, sizeof c->travel);
    for (size_t row = 0; row < c->count; row++) {
        double before[4];
        memcpy(before, c->place[row], sizeof before);
        for (int k = 0; k < 3 && !is_still; k++)
            c->place[row][k] += c->velocity[row][k];
        c->place[row][0] += row == jumper ? 0.3 : 0;
        note_way(c, row, before);
    }
}

static void check_pairs(scree_detector *one, scree_detector *other)
{
    static const scree_pairs_options in_order = {.canonical = true};
    scree_pairs a, b;
    CHECK(scree_detector_pairs(one, &in_order, &a) == SCREE_OK);
    CHECK(scree_detector_pairs(other, &in_order, &b) == SCREE_OK);
    CHECK(a.count == b.count);
    CHECK(memcmp(a.first, b.first, a.count * sizeof *a.first) == 0);
    CHECK(memcmp(a.second, b.second, a.count * sizeof *a.second) == 0);
}

/*  What makes it unknown how far bodies are. */
static void disturb(scree_detector *one, scree_detector *other, body_set *c, scree_random *random)
{
    uint32_t last = (uint32_t)c->count - 1;
    scree_table table = table_of(c);
    if (scree_random_below(random, 2) && c->count > 1) {
        CHECK(scree_detector_remove(one, &last, 1) == SCREE_OK);
        CHECK(scree_detector_remove(other, &last, 1) == SCREE_OK);
        c->count--;
        return;
    }
    /* this is where rows are known from, and none of the ways since is told */
    for (size_t row = 0; row < c->count; row++)
        c->place[row][2] += 0.05;
    CHECK(scree_detector_update(one, &table, NULL) == SCREE_OK);
    CHECK(scree_detector_update(other, &table, NULL) == SCREE_OK);
    for (size_t row = 0; row < c->count; row++)
        c->place[row][2] += 0.05;
}

static void run_references(scree_margin_kind kind, const char *method, scree_simd simd,
                           uint64_t seed)
{
    static body_set c;
    scree_random random = scree_random_stream(seed, 0);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *told, *blind;
    def.method = method;
    def.simd = simd;
    def.margin.kind = kind;
    def.margin.length = 0.08;
    make_body_set(&c, &random);
    CHECK(scree_detector_create(&def, &told) == SCREE_OK);
    CHECK(scree_detector_create(&def, &blind) == SCREE_OK);
    for (int step = 0; step < 60; step++) {
        scree_advance did, all;
        scree_table table = table_of(&c);
        scree_motion with = motion_of(&c, step % 7 != 3), without = motion_of(&c, false);
        CHECK(scree_detector_advance(told, &table, &with, 1, &did) == SCREE_OK);
        CHECK(scree_detector_advance(blind, &table, &without, 1, &all) == SCREE_OK);
        CHECK(did.ran == all.ran);
        CHECK(did.mapped == all.mapped);
        CHECK(did.used <= all.used);
        if (step % 5 == 0 || did.ran)
            check_pairs(told, blind);
        if (scree_random_below(&random, 8) == 0)
            disturb(told, blind, &c, &random);
        step_body_set(&c, &random);
    }
    scree_detector_destroy(told);
    scree_detector_destroy(blind);
}

TEST(the_same_are_mapped_in_the_same_steps)
{
    static const scree_margin_kind kinds[] = {SCREE_MARGIN_SKIN, SCREE_MARGIN_PER_BODY,
                                              SCREE_MARGIN_TOLERANCE, SCREE_MARGIN_STRIDE};
    static const char *const methods[] = {"flat", "hash-grids", "insertion-sort"};
    static const scree_simd levels[] = {SCREE_SIMD_SCALAR, SCREE_SIMD_AUTO};
    for (uint64_t seed = 0; seed < 24; seed++)
        run_references(kinds[seed % 4], methods[seed % 3], levels[seed / 3 % 2], 77 + seed);
}

static scree_status advance(scree_detector *detector, const body_set *c, bool has_travel,
                            scree_advance *did)
{
    scree_table table = table_of(c);
    scree_motion motion = motion_of(c, has_travel);
    return scree_detector_advance(detector, &table, &motion, 1, did);
}

/*  A place that is none is found as soon as its block is looked at, and not before. */
TEST(rows_within_their_margins_are_not_read)
{
    static body_set c;
    scree_random random = scree_random_stream(5, 0);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_advance did;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 0.1;
    make_body_set(&c, &random);
    c.count = MOST;
    CHECK(scree_detector_create(&def, &detector) == SCREE_OK);
    CHECK(advance(detector, &c, false, &did) == SCREE_OK);
    CHECK(advance(detector, &c, true, &did) == SCREE_OK); /* looks, and notes */
    c.place[300][1] = NAN;
    CHECK(advance(detector, &c, true, &did) == SCREE_OK);
    c.travel[0] = 0.05; /* of another block */
    CHECK(advance(detector, &c, true, &did) == SCREE_OK);
    c.travel[0] = 0;
    c.travel[300 / SCREE_TRAVEL_ROWS] = NAN;
    CHECK(advance(detector, &c, true, &did) == SCREE_BAD_VALUE);
    c.travel[300 / SCREE_TRAVEL_ROWS] = 0;
    /* a call that failed leaves nothing known */
    CHECK(advance(detector, &c, true, &did) == SCREE_BAD_VALUE);
    c.place[300][1] = 0;
    CHECK(advance(detector, &c, true, &did) == SCREE_OK);
    scree_detector_destroy(detector);
}

/*  Ways add up: each is less than the margin, and after some all of it is gone. */
TEST(ways_add_up)
{
    static body_set c;
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_advance did;
    int steps = 0;
    memset(&c, 0, sizeof c);
    c.count = 1;
    c.place[0][3] = 1;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 1;
    CHECK(scree_detector_create(&def, &detector) == SCREE_OK);
    CHECK(advance(detector, &c, false, &did) == SCREE_OK);
    c.travel[0] = 0.125;
    do {
        c.place[0][0] += 0.125;
        CHECK(advance(detector, &c, true, &did) == SCREE_OK);
        steps++;
    } while (!did.ran && steps < 20);
    CHECK(steps == 8);
    scree_detector_destroy(detector);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_same_are_mapped_in_the_same_steps),
        CASE(rows_within_their_margins_are_not_read),
        CASE(ways_add_up),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
