/*  The parallel insertion sort, row IS-31 of the checklist: lists cut into pieces must come out as one
    insertion sort would leave them, with the same pairs, the same number of inversions, and the same
    counters, whichever thread runs the pieces, and when. Run under the thread sanitizer, this also shows that
    no two pieces touch the same entry. */
#include "detect/detector_internal.h"
#include "detect/insertion_sort.h"

#include "base/random.h"
#include "harness/schedulers.h"
#include "test.h"

#include <math.h>

#define MOST 12000u
#define HOSTS 6u

static double sphere[MOST][4];
static scree_random source;

/*  How a scene moves from step to step. */
typedef enum motion
{
    MOTION_SMALL,   /* within a piece and over boundaries */
    MOTION_FAR,     /* some go further than half a piece */
    MOTION_PASSING, /* and come to lie just at a boundary, or at an end of the list */
    MOTION_CHAOS,   /* mending gives up */
    MOTION_KINDS
} motion;

static void scatter(uint32_t count)
{
    double size = cbrt(count);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            sphere[i][k] = scree_random_range(&source, 0, size);
        sphere[i][3] = scree_random_range(&source, 0.2, 0.7);
    }
}

static void move(uint32_t count, motion kind, int step)
{
    double size = cbrt(count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (kind == MOTION_CHAOS)
                sphere[i][k] = size - sphere[i][k];
            else
                sphere[i][k] += scree_random_range(&source, -0.01, 0.01);
    if (kind == MOTION_FAR)
        for (uint32_t i = 0; i < count; i += 400)
            sphere[i][i / 400 % 3] = scree_random_range(&source, 0, size);
    if (kind == MOTION_PASSING)
        for (uint32_t i = 0; i < 3; i++)
            sphere[i][i] = step % 2 ? -1.0 - i : size * (1 + i) / 4;
}

/*  What must be the same everywhere. */
typedef struct outcome
{
    uint64_t pairs, digest, inversions, created, destroyed, rebuilds;
} outcome;

static uint64_t digest_of(const scree_pairs *pairs)
{
    uint64_t digest = 14695981039346656037u;
    for (uint64_t p = 0; p < pairs->count; p++) {
        digest = (digest ^ pairs->first[p]) * 1099511628211u;
        digest = (digest ^ pairs->second[p]) * 1099511628211u;
    }
    return digest;
}

static outcome look_at(scree_detector *detector)
{
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
    scree_stats stats = scree_detector_stats(detector);
    return (outcome){pairs.count,   digest_of(&pairs), stats.inversions,
                     stats.created, stats.destroyed,   stats.rebuilds};
}

/*  Digest of the pairs of the reference, and how many. */
static outcome look_at_oracle(scree_detector *oracle)
{
    scree_pairs pairs;
    scree_pairs_options canonical = {.canonical = true};
    CHECK_EQUAL(scree_detector_pairs(oracle, &canonical, &pairs), SCREE_OK);
    return (outcome){.pairs = pairs.count, .digest = digest_of(&pairs)};
}

static const scree_insertion *inside(const scree_detector *detector)
{
    return detector->state;
}

/*  Inversions of the list that was, in the order that is: counted by another insertion sort. */
static uint64_t count_inversions(const scree_insertion *before, int k, const scree_box *box)
{
    static uint64_t key[2 * MOST];
    static uint32_t end[2 * MOST];
    for (size_t p = 0; p < 2 * before->count; p++) {
        end[p] = before->axis[k].end[p];
        key[p] = scree_end_key(box, k, end[p]);
    }
    return scree_axis_resort(key, end, 2 * before->count);
}

static bool was_far(const scree_insertion *self)
{
    bool far = false;
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < self->piece_count; c++)
            far |= self->piece[k][c].is_far;
    return far;
}

static scree_table table_of(uint32_t count)
{
    return scree_table_spheres(count, scree_doubles(&sphere[0][0], sizeof *sphere),
                               scree_doubles(&sphere[0][1], sizeof *sphere),
                               scree_doubles(&sphere[0][2], sizeof *sphere),
                               scree_doubles(&sphere[0][3], sizeof *sphere));
}

static void update(scree_detector *detector, uint32_t count, bool few)
{
    static uint32_t rows[MOST];
    scree_table table = table_of(count);
    scree_rows dirty = {rows, 0};
    for (uint32_t i = 0; few && i < count; i += 400)
        rows[dirty.count++] = i;
    CHECK_EQUAL(scree_detector_update(detector, &table, few ? &dirty : NULL), SCREE_OK);
}

/*  Detectors with all hosts, and a reference. */
static void open_hosts(scree_detector *detectors[HOSTS + 1], scree_pool *pools[2],
                       reverse_scheduler *backwards, delay_scheduler *late)
{
    CHECK_EQUAL(scree_pool_create(2, NULL, &pools[0]), SCREE_OK);
    CHECK_EQUAL(scree_pool_create(7, NULL, &pools[1]), SCREE_OK);
    const scree_tasks tasks[HOSTS + 1] = {{0},
                                          scree_pool_tasks(pools[0]),
                                          scree_pool_tasks(pools[1]),
                                          reverse_scheduler_tasks(backwards),
                                          inline_scheduler_tasks(),
                                          delay_scheduler_tasks(late),
                                          {0}};
    for (size_t h = 0; h <= HOSTS; h++) {
        scree_detector_def def = scree_default_detector_def();
        def.method = h < HOSTS ? "insertion-sort" : "dess";
        def.tasks = tasks[h];
        CHECK_EQUAL(scree_detector_create(&def, &detectors[h]), SCREE_OK);
    }
}

static void check_same(const outcome *a, const outcome *b)
{
    CHECK_EQUAL(a->pairs, b->pairs);
    CHECK_EQUAL(a->digest, b->digest);
    CHECK_EQUAL(a->inversions, b->inversions);
    CHECK_EQUAL(a->created, b->created);
    CHECK_EQUAL(a->destroyed, b->destroyed);
    CHECK_EQUAL(a->rebuilds, b->rebuilds);
}

/*  One step of everyone. */
static void check_step(scree_detector *detectors[HOSTS + 1], uint32_t count, motion kind, int step)
{
    uint64_t inversions = 0;
    bool few = step % 4 == 3 && kind != MOTION_CHAOS;
    outcome first = {0};
    update(detectors[HOSTS], count, few);
    scree_bodies bodies = scree_store_view(&detectors[HOSTS]->store);
    for (int k = 0; k < 3; k++)
        inversions += count_inversions(inside(detectors[0]), k, bodies.box);
    for (size_t h = 0; h < HOSTS; h++) {
        update(detectors[h], count, few);
        bodies = scree_store_view(&detectors[h]->store);
        CHECK(scree_insertion_is_valid(inside(detectors[h]), &bodies));
        outcome now = look_at(detectors[h]);
        if (h == 0)
            first = now;
        check_same(&first, &now);
    }
    outcome expected = look_at_oracle(detectors[HOSTS]);
    CHECK_EQUAL(first.pairs, expected.pairs);
    CHECK_EQUAL(first.digest, expected.digest);
    if (!few && kind != MOTION_CHAOS)
        CHECK_EQUAL(first.inversions, inversions);
}

static void check_motion(uint32_t count, motion kind, int steps)
{
    static reverse_scheduler backwards;
    static delay_scheduler late = {31, 0};
    scree_detector *detectors[HOSTS + 1];
    scree_pool *pools[2];
    bool far = false;

    source = scree_random_stream(310 + kind, count);
    scatter(count);
    open_hosts(detectors, pools, &backwards, &late);
    for (size_t h = 0; h <= HOSTS; h++)
        update(detectors[h], count, false);
    for (int step = 0; step < steps; step++) {
        move(count, kind, step);
        check_step(detectors, count, kind, step);
        far |= was_far(inside(detectors[0]));
    }
    bool is_cut = count >= 2000;
    CHECK_EQUAL(inside(detectors[0])->piece_count > 1, is_cut);
    CHECK_EQUAL(far, is_cut && (kind == MOTION_FAR || kind == MOTION_PASSING));
    CHECK_EQUAL(scree_detector_stats(detectors[0]).rebuilds, kind == MOTION_CHAOS ? 1 + steps : 1);
    for (size_t h = 0; h <= HOSTS; h++)
        scree_detector_destroy(detectors[h]);
    scree_pool_destroy(pools[0]);
    scree_pool_destroy(pools[1]);
}

TEST(is_31_small_motion)
{
    check_motion(500, MOTION_SMALL, 5);
    check_motion(3000, MOTION_SMALL, 7);
    check_motion(MOST, MOTION_SMALL, 3);
}

TEST(is_31_further_than_half_a_piece)
{
    check_motion(3000, MOTION_FAR, 7);
    check_motion(MOST, MOTION_FAR, 3);
}

TEST(is_31_to_the_ends_and_boundaries)
{
    check_motion(3000, MOTION_PASSING, 7);
    check_motion(5000, MOTION_PASSING, 3);
}

TEST(is_31_gives_up_alike)
{
    check_motion(3000, MOTION_CHAOS, 3);
}

/*  Bodies that come and go in threads. */
TEST(is_31_inserts_and_removes)
{
    static reverse_scheduler backwards;
    static delay_scheduler late = {32, 0};
    scree_detector *detectors[HOSTS + 1];
    scree_pool *pools[2];
    uint32_t count = 4000;
    source = scree_random_stream(320, 0);
    scatter(count);
    open_hosts(detectors, pools, &backwards, &late);
    for (size_t h = 0; h <= HOSTS; h++)
        update(detectors[h], count, false);
    for (int step = 0; step < 3; step++) {
        uint32_t ids[500];
        outcome first = {0};
        for (uint32_t i = 0; i < 500; i++)
            ids[i] = 8 * i + (uint32_t)step;
        for (size_t h = 0; h <= HOSTS; h++) {
            scree_table table = table_of(500);
            table.ids = scree_integer_view(ids, sizeof *ids);
            CHECK_EQUAL(scree_detector_remove(detectors[h], ids, 500), SCREE_OK);
            CHECK_EQUAL(scree_detector_insert(detectors[h], &table, NULL), SCREE_OK);
            outcome now = h < HOSTS ? look_at(detectors[h]) : look_at_oracle(detectors[h]);
            if (h == 0)
                first = now;
            else if (h < HOSTS)
                check_same(&first, &now);
            else
                CHECK(now.pairs == first.pairs && now.digest == first.digest);
        }
        CHECK_EQUAL(first.rebuilds, 1);
    }
    for (size_t h = 0; h <= HOSTS; h++)
        scree_detector_destroy(detectors[h]);
    scree_pool_destroy(pools[0]);
    scree_pool_destroy(pools[1]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_31_small_motion),
        CASE(is_31_further_than_half_a_piece),
        CASE(is_31_to_the_ends_and_boundaries),
        CASE(is_31_gives_up_alike),
        CASE(is_31_inserts_and_removes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
