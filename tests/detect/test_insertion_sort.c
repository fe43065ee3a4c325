/*  The insertion-sort collider: rows IS-01, IS-02, IS-03 and IS-30 of the checklist. Edge cases and
    the region query are in test_insertion_sort_edges.c, threads (IS-31) in
    test_insertion_sort_threads.c. */
#include "insertion_sort_world.h"

/* ---- IS-01: lists that stay sorted ----------------------------------------------------------- */

static void wander(uint32_t i, double most, double raster)
{
    shift(i, most, raster);
    for (int k = 0; k < 3; k++)
        if (w.lower[i][k] < -1 || w.lower[i][k] > 5)
            scatter(i, 1, 4, 1.5, raster);
}

/*  Bodies wander, jump, or swell; all of them, some, or none, and often onto the ends of others. */
static void step_once(int step)
{
    double raster = step / 1000 % 2 ? 0.25 : 0;
    double most = step % 7 == 0 ? 1 : 0.1;
    if (step % 5 < 2) {
        for (uint32_t i = 0; i < w.count; i++)
            wander(i, most, raster);
        update();
        return;
    }
    uint32_t ids[8], count = 1 + scree_random_below(&source, 8);
    uint32_t stride = w.count / 8, first = scree_random_below(&source, stride);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = first + i * stride;
        if (step % 11 == 0)
            scatter(ids[i], 1, 4, 1.5, raster);
        else
            wander(ids[i], most, raster);
    }
    update_some(ids, count);
}

TEST(is_01_oracle_over_moving_steps)
{
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        source = scree_random_stream(101, (uint64_t)d);
        open_world(&def, 48);
        scatter(0, 48, 4, 1.5, 0);
        update();
        check();
        for (int step = 0; step < 5000; step++) {
            step_once(step);
            check();
        }
        CHECK_EQUAL(rebuilds(), 1);
        FIGURE("%dD: 5,000 steps, %d pairs made", d, (int)w.created);
        CHECK(w.created > 10000);
        close_world();
    }
}

/*  One inversion is one exchange, and a pair begins when the last axis says so. */
TEST(is_01_counts_inversions)
{
    scree_detector_def def = def_of(3);
    open_world(&def, 2);
    set_box(0, 0, 0, 0, 1);
    set_box(1, 2, 2, 2, 1);
    update();
    check();
    CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 0);
    set_box(0, 1.5, 1.5, 0, 1); /* its upper end goes past a lower one, on two axes */
    update();
    check();
    CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 2);
    CHECK_EQUAL(w.created, 0);
    set_box(0, 1.5, 1.5, 1, 1); /* touches */
    update();
    check();
    CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 1);
    CHECK_EQUAL(w.created, 1);
    set_box(0, 4, 4, 4, 1); /* its lower ends pass two each, its upper ends one each */
    update();
    check();
    CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 9);
    CHECK_EQUAL(w.destroyed, 1);
    update();
    check();
    CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 0);
    close_world();
}

/*  With few bodies moved, nothing is done for the others: as many places are computed again as there
    are such bodies. */
TEST(is_01_few_bodies_cost_little)
{
    enum
    {
        count = 2000
    };
    scree_detector_def def = def_of(3);
    source = scree_random_stream(102, 0);
    open_world(&def, count);
    scatter(0, count, 13, 1, 0);
    update();
    uint64_t remapped = scree_detector_stats(w.detector).remapped;
    for (uint32_t step = 0; step < 20; step++) {
        uint32_t ids[3] = {step, 500 + step, 1900 - step};
        for (int i = 0; i < 3; i++)
            shift(ids[i], 0.01, 0);
        update_some(ids, 3);
        CHECK(inside()->places_are_current);
        CHECK(scree_detector_stats(w.detector).inversions < 3 * 3 * 2 * 20);
    }
    CHECK_EQUAL(scree_detector_stats(w.detector).remapped, remapped + 60);

    /* where no body is, a body passes no body, not even itself */
    const uint32_t lonely = 7;
    for (int step = 0; step < 4; step++) {
        set_box(lonely, step % 3 * 10 + 50, step * 10 + 50, 90 - step * 10, 1 + step);
        update_some(&lonely, 1);
        CHECK_EQUAL(step > 0 && scree_detector_stats(w.detector).inversions, 0);
    }
    close_world();
}

/* ---- IS-02: the first search ----------------------------------------------------------------- */

TEST(is_02_initial_sort_and_sweep)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 17, 300, 2500};
    source = scree_random_stream(103, 0);
    for (int d = 2; d <= 3; d++)
        for (size_t c = 0; c < SCREE_COUNT_OF(counts); c++)
            for (int axis = -1; axis < d; axis++) {
                scree_detector_def def = def_of(d);
                uint32_t n = counts[c];
                def.insertion_sort.sort_axis = axis;
                open_world(&def, n);
                scatter(0, n, d == 2 ? sqrt(n) : cbrt(n), 1.5, axis == 0 ? 0.5 : 0);
                update();
                check();
                CHECK_EQUAL(rebuilds(), 1);
                CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 0);
                /* other bodies under the same table: all is sorted again, the set is corrected */
                for (uint32_t i = 0; i < n; i += 3)
                    w.present[i] = false;
                update();
                check();
                CHECK_EQUAL(rebuilds(), n ? 2 : 1);
                close_world();
            }
}

TEST(is_02_refuses_an_axis_that_is_not_there)
{
    static const struct
    {
        int dimensions, axis;
        const char *says;
    } cases[] = {
        {2, 2, "insertion_sort.sort_axis is 2, must be -1 to 1"},
        {3, 3, "insertion_sort.sort_axis is 3, must be -1 to 2"},
        {3, -2, "insertion_sort.sort_axis is -2, must be -1 to 2"},
    };
    for (size_t c = 0; c < SCREE_COUNT_OF(cases); c++) {
        scree_error error = {0};
        scree_detector *detector;
        scree_detector_def def = def_of(cases[c].dimensions);
        def.insertion_sort.sort_axis = cases[c].axis;
        def.error = &error;
        CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_BAD_ARGUMENT);
        CHECK(!detector);
        CHECK_SAYS(error.text, cases[c].says);
    }
}

/* ---- IS-03: pairs begin and end -------------------------------------------------------------- */

/*  Everything at once: steps of all sizes, teleports that make mending give up, bodies that come and
    go, a table of other bodies, a clear. `check` compares counters with differences. */
TEST(is_03_counters_equal_oracle_differences)
{
    enum
    {
        count = 400
    };
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        source = scree_random_stream(104, (uint64_t)d);
        open_world(&def, count);
        scatter(0, count, d == 2 ? 20 : 7, 1, 0);
        for (uint32_t i = count - 40; i < count; i++)
            w.present[i] = false;
        update();
        check();
        for (uint32_t step = 0; step < 300; step++) {
            uint32_t ids[20], fresh = 0, old = 0;
            for (uint32_t i = 0; i < count; i++)
                if (scree_random_below(&source, 8) == 0)
                    shift(i, step % 10 ? 0.05 : 2, 0);
            update();
            check();
            for (uint32_t i = scree_random_below(&source, 30); i < count && fresh < 20; i += 13)
                if (!w.present[i])
                    ids[fresh++] = i;
            uint64_t before = w.created;
            insert(ids, fresh);
            check();
            /* each pair of a new body is found once, and nothing else is looked for */
            CHECK_EQUAL(fresh ? inside()->lists[0].count : 0, w.created - before);
            for (uint32_t i = scree_random_below(&source, 30); i < count && old < 20; i += 11)
                if (w.present[i])
                    ids[old++] = i;
            take_out(ids, old);
            check();
            if (step % 60 == 59) {
                w.present[step % count] ^= true;
                update();
                check();
            }
            if (step == 150) {
                CHECK_EQUAL(scree_detector_clear(w.detector), SCREE_OK);
                update();
                check();
            }
        }
        CHECK_EQUAL(rebuilds(), 1 + 5 + 1);
        FIGURE("%dD: %d pairs made, %d ended", d, (int)w.created, (int)w.destroyed);
        CHECK(w.destroyed > 1000);
        close_world();
    }
}

/*  Turned over, a scene has as many inversions as there can be. It is sorted again then, which is
    counted; pairs that are there before and after have neither ended nor begun. */
TEST(is_03_teleports_are_sorted_again)
{
    enum
    {
        count = 2500
    };
    source = scree_random_stream(105, 0);
    for (int few = 0; few < 2; few++) {
        scree_detector_def def = def_of(3);
        open_world(&def, count);
        scatter(0, count, 14, 1, 0);
        update();
        check();
        for (uint32_t step = 1; step <= 3; step++) {
            uint32_t moved = few ? count / 8 : count, ids[count];
            double mirror = few && step % 2 ? 1e4 : 14;
            for (uint32_t i = 0; i < moved; i++) {
                ids[i] = i;
                for (int k = 0; k < 3; k++) {
                    double lower = mirror - w.upper[i][k];
                    w.upper[i][k] = mirror - w.lower[i][k];
                    w.lower[i][k] = lower;
                }
            }
            if (few)
                update_some(ids, moved);
            else
                update();
            check();
            CHECK_EQUAL(rebuilds(), 1 + step);
        }
        CHECK(few ? w.destroyed > 100 : w.destroyed == 0);
        close_world();
    }
}

/*  Pieces of a list that are in order each, and far from it where they meet. */
TEST(is_03_gives_up_at_a_boundary)
{
    scree_detector_def def = def_of(3);
    open_world(&def, MOST);
    for (uint32_t i = 0; i < MOST; i++)
        set_box(i, i, 0, 0, 0.5);
    update();
    check();
    CHECK_EQUAL(inside()->pairs.count, 0);
    update();
    uint32_t bodies = MOST / (uint32_t)inside()->piece_count; /* of a piece */
    for (uint32_t i = bodies; i < MOST; i++)
        if (i % bodies < bodies / 2)
            set_box(i, i - 0.6 * bodies + 0.25, 0, 0, 0.5);
    update();
    check();
    for (size_t c = 0; c + 1 < inside()->piece_count; c++)
        CHECK(inside()->piece[0][c].gave_up);
    CHECK_EQUAL(rebuilds(), 2);
    CHECK(w.created > 1000);
    close_world();
}

/*  The same set, each step from nothing. */
TEST(is_03_sort_then_collide_gives_the_same_set)
{
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        def.insertion_sort.sort_then_collide = true;
        source = scree_random_stream(106, (uint64_t)d);
        open_world(&def, 48);
        scatter(0, 48, 4, 1.5, 0);
        update();
        check();
        for (int step = 0; step < 1500; step++) {
            step_once(step);
            check();
        }
        CHECK_EQUAL(rebuilds(), 1);
        CHECK(w.created > 3000);
        CHECK_EQUAL(inside()->piece_count, 0); /* nothing was mended event by event */
        close_world();
    }
}

/* ---- IS-30: bodies that come and go ---------------------------------------------------------- */

#define RESIDENTS 100000u
#define COMERS 10000u
#define ALONE 20u

/*  All four numbers of a sphere, as many as there will be. */
static double sphere[RESIDENTS + COMERS][4];

static scree_table spheres(uint32_t first, uint32_t count)
{
    return scree_table_spheres(count, scree_doubles(&sphere[first][0], sizeof *sphere),
                               scree_doubles(&sphere[first][1], sizeof *sphere),
                               scree_doubles(&sphere[first][2], sizeof *sphere),
                               scree_doubles(&sphere[first][3], sizeof *sphere));
}

TEST(is_30_inserts_and_removes_without_a_full_sort)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "insertion-sort";
    scree_detector *detector = make(&def);
    def.method = "rtree-packed";
    scree_detector *oracle = make(&def);
    static uint32_t ids[COMERS];
    uint32_t done = 0;
    source = scree_random_stream(107, 0);
    for (uint32_t i = 0; i < RESIDENTS + COMERS; i++) {
        for (int k = 0; k < 3; k++)
            sphere[i][k] = scree_random_range(&source, 0, 47);
        sphere[i][3] = 0.4;
    }
    scree_table table = spheres(0, RESIDENTS);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).remapped, RESIDENTS);

    /* some that are needed at once, each alone: nothing but the new body is mapped */
    for (; done < ALONE; done++) {
        scree_pairs found;
        table = spheres(RESIDENTS + done, 1);
        CHECK_EQUAL(scree_detector_insert(detector, &table, ids + done), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(detector, NULL, &found), SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(detector).remapped, RESIDENTS + done + 1);
    }
    /* all others one by one, a call for each */
    for (; done < COMERS; done++) {
        table = spheres(RESIDENTS + done, 1);
        CHECK_EQUAL(scree_detector_insert(detector, &table, ids + done), SCREE_OK);
    }
    /* they wait for each other: the structure hears of them when it is needed */
    scree_pairs pairs, expected;
    CHECK_EQUAL(scree_detector_stats(detector).remapped, RESIDENTS + ALONE);
    CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
    scree_stats stats = scree_detector_stats(detector);
    FIGURE("%u calls with a body each at %u bodies: %d full sort, %" PRIu64 " bodies mapped",
           COMERS, RESIDENTS, (int)stats.rebuilds, stats.remapped - RESIDENTS);
    CHECK_EQUAL(stats.rebuilds, 1);
    CHECK_EQUAL(stats.remapped, RESIDENTS + COMERS); /* old bodies were not sorted again */

    table = spheres(0, RESIDENTS + COMERS);
    scree_pairs_options canonical = {.canonical = true};
    CHECK_EQUAL(scree_detector_update(oracle, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(oracle, &canonical, &expected), SCREE_OK);
    CHECK_EQUAL(pairs.count, expected.count);
    CHECK(memcmp(pairs.first, expected.first, pairs.count * sizeof *pairs.first) == 0);
    CHECK(memcmp(pairs.second, expected.second, pairs.count * sizeof *pairs.second) == 0);

    CHECK_EQUAL(scree_detector_remove(detector, ids, COMERS), SCREE_OK);
    table = spheres(0, RESIDENTS);
    CHECK_EQUAL(scree_detector_update(oracle, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(oracle, &canonical, &expected), SCREE_OK);
    CHECK_EQUAL(pairs.count, expected.count);
    CHECK(memcmp(pairs.second, expected.second, pairs.count * sizeof *pairs.second) == 0);
    stats = scree_detector_stats(detector);
    CHECK_EQUAL(stats.rebuilds, 1);
    CHECK_EQUAL(stats.remapped, RESIDENTS + COMERS);

    /* a few, and many at a time */
    done = 0;
    for (uint32_t batch = 3; done < COMERS; batch = batch < 3000 ? 2 * batch + 1 : batch) {
        uint32_t count = COMERS - done < batch ? COMERS - done : batch;
        table = spheres(RESIDENTS + done, count);
        CHECK_EQUAL(scree_detector_insert(detector, &table, ids + done), SCREE_OK);
        done += count;
    }
    CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
    CHECK_EQUAL(scree_detector_stats(detector).remapped, RESIDENTS + 2 * COMERS);
    scree_detector_destroy(detector);
    scree_detector_destroy(oracle);
}

/*  More come than there were: they are sorted, and that is a full sort, which is counted. */
TEST(is_30_more_come_than_there_were)
{
    uint32_t ids[60];
    scree_detector_def def = def_of(3);
    source = scree_random_stream(108, 0);
    open_world(&def, 60);
    scatter(0, 60, 4, 1.5, 0.5);
    for (uint32_t i = 0; i < 60; i++) {
        ids[i] = 59 - i;
        w.present[i] = i < 3;
    }
    update();
    check();
    insert(ids, 57);
    check();
    CHECK_EQUAL(rebuilds(), 2);
    take_out(ids, 60);
    check();
    CHECK_EQUAL(inside()->count, 0);
    insert(ids, 60);
    check();
    close_world();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(is_01_oracle_over_moving_steps),
        CASE(is_01_counts_inversions),
        CASE(is_01_few_bodies_cost_little),
        CASE(is_02_initial_sort_and_sweep),
        CASE(is_02_refuses_an_axis_that_is_not_there),
        CASE(is_03_counters_equal_oracle_differences),
        CASE(is_03_teleports_are_sorted_again),
        CASE(is_03_gives_up_at_a_boundary),
        CASE(is_03_sort_then_collide_gives_the_same_set),
        CASE(is_30_inserts_and_removes_without_a_full_sort),
        CASE(is_30_more_come_than_there_were),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
