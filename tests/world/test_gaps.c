/*  Candidates that are apart: passing over those that cannot touch yet finds the same ones as testing all, while bodies go their
    ways, fast and slow, and whatever is no number. */
#include "base/random.h"
#include "test.h"
#include "world/forces/sphere_forces.h"

#include <math.h>

#define BODIES 400
#define CANDIDATES 1000

static scree_memory memory;

typedef struct scene
{
    double position[BODIES][4], before[BODIES][4], travel[BODIES / SCREE_TRAVEL_ROWS + 1];
    uint32_t first[CANDIDATES][1], second[CANDIDATES][1];
    scree_geometry geometry;
    scree_gaps gaps;
} scene;

static void begin_scene(scene *s, scree_random *random)
{
    for (int k = 0; k < BODIES; k++)
        for (int axis = 0; axis < 4; axis++)
            s->position[k][axis] =
                axis == 3 ? scree_random_range(random, 0.2, 0.5) : scree_random_range(random, 0, 4);
    for (int c = 0; c < CANDIDATES; c++) {
        s->first[c][0] = scree_random_below(random, BODIES);
        s->second[c][0] = (s->first[c][0] + 1 + scree_random_below(random, BODIES - 1)) % BODIES;
    }
    s->geometry =
        (scree_geometry){.position = s->position[0], .first = s->first[0], .second = s->second[0]};
    CHECK_EQUAL(scree_gaps_reserve(&s->gaps, &memory, CANDIDATES), SCREE_OK);
    scree_gaps_begin_tile(&s->gaps, 0, CANDIDATES, (const uint32_t(*)[1])s->first,
                          (const uint32_t(*)[1])s->second);
}

/*  One body goes a long way now and then, the others a little. */
static void move_bodies(scene *s, scree_random *random, double way)
{
    uint32_t fast = scree_random_below(random, 8 * BODIES);

    memset(s->travel, 0, sizeof s->travel);
    for (uint32_t k = 0; k < BODIES; k++) {
        double gone = 0, *most = &s->travel[k / SCREE_TRAVEL_ROWS];
        for (int axis = 0; axis < 3; axis++) {
            double step = scree_random_range(random, -way, way) * (k == fast ? 100 : 1);
            s->position[k][axis] += step;
            gone += step * step;
        }
        gone = sqrt(gone) * (1 + 0x1p-40);
        *most = gone > *most ? gone : *most;
    }
}

static void find_both(scene *s, scree_simd simd, size_t begin, size_t *passed_over)
{
    uint32_t all[CANDIDATES + 8], some[CANDIDATES + 8], many, count;
    double travelled = s->gaps.tile[0].travelled;

    for (size_t k = begin / SCREE_PACK; k < CANDIDATES / SCREE_PACK; k++)
        *passed_over += s->gaps.until[k] > travelled;
    many = scree_touch_kernels[simd](&s->geometry, begin, CANDIDATES, all);
    count = scree_touch_apart_kernels[simd](&s->geometry, begin, CANDIDATES, travelled,
                                            s->gaps.until, some);
    CHECK_EQUAL(count, many);
    CHECK(count == many && memcmp(all, some, many * sizeof *all) == 0);
}

TEST(what_cannot_touch_yet_is_passed_over_and_nothing_else)
{
    static scene s;
    scree_random random = scree_random_stream(7, 0);
    size_t passed_over = 0;

    for (int round = 0; round < TEST_EFFORT(30, 600); round++) {
        const double way = ldexp(1, -(int)scree_random_below(&random, 14) - 2);
        const scree_simd simd = (scree_simd)(1 + round % (int)scree_simd_resolve(SCREE_SIMD_AUTO));
        const size_t begin = SCREE_PACK * scree_random_below(&random, 20);
        begin_scene(&s, &random);
        for (int step = 0; step < 60; step++) {
            find_both(&s, simd, begin, &passed_over);
            move_bodies(&s, &random, way);
            scree_gaps_travel(&s.gaps.tile[0], s.travel);
        }
    }
    CHECK(passed_over > 1000);
    scree_gaps_free(&s.gaps, &memory);
}

TEST(a_way_that_is_no_number_ends_it)
{
    static scene s;
    scree_random random = scree_random_stream(8, 0);
    size_t passed_over = 0;

    begin_scene(&s, &random);
    find_both(&s, SCREE_SIMD_SCALAR, 0, &passed_over);
    memset(s.travel, 0, sizeof s.travel);
    s.travel[0] = NAN;
    scree_gaps_travel(&s.gaps.tile[0], s.travel);
    for (int step = 0; step < 3; step++) {
        find_both(&s, SCREE_SIMD_SCALAR, 0, &passed_over);
        memset(s.travel, 0, sizeof s.travel);
        scree_gaps_travel(&s.gaps.tile[0], s.travel);
    }
    CHECK_EQUAL(passed_over, 0);
    scree_gaps_free(&s.gaps, &memory);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(what_cannot_touch_yet_is_passed_over_and_nothing_else),
        CASE(a_way_that_is_no_number_ends_it),
    };
    if (scree_memory_init(&memory, NULL))
        return 2;
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
