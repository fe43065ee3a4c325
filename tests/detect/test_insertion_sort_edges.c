/*  The insertion-sort collider where things are equal, without size, without end, or without sense
    (section 8 of its specification), and its region query (section 7). */
#include "insertion_sort_world.h"

TEST(edge_no_body_and_one)
{
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        uint32_t ids[] = {0, 1};
        open_world(&def, 2);
        w.present[0] = w.present[1] = false;
        update();
        check();
        update();
        check();
        insert(ids, 1);
        check();
        shift(0, 1, 0);
        update();
        check();
        update_some(ids, 1);
        check();
        insert(ids + 1, 1);
        check();
        take_out(ids, 2);
        check();
        update();
        check();
        close_world();
    }
}

/*  All ends tie, on all axes: each lower end still comes before each upper one. Then they part, and
    come together again. */
TEST(edge_all_identical)
{
    for (int d = 2; d <= 3; d++)
        for (uint32_t n = 2; n <= 1300; n = n < 100 ? 5 * n : n + 1050) {
            scree_detector_def def = def_of(d);
            open_world(&def, n);
            source = scree_random_stream(120, n);
            for (int round = 0; round < 2; round++) {
                for (uint32_t i = 0; i < n; i++)
                    set_box(i, 3, -1, 0, 2);
                update();
                check();
                CHECK_EQUAL(inside()->pairs.count, (uint64_t)n * (n - 1) / 2);
                update();
                check();
                CHECK_EQUAL(scree_detector_stats(w.detector).inversions, 0);
                for (uint32_t i = 0; i < n; i++)
                    set_box(i, 3.0 * (n - i), -1, 0, 2);
                update();
                check();
                CHECK_EQUAL(inside()->pairs.count, 0);
            }
            close_world();
        }
}

/*  Facets and points have boxes without width on one axis, or all. Two that are at one place touch;
    -0.0 is the same place as +0.0. */
TEST(edge_zero_width)
{
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        open_world(&def, 60);
        source = scree_random_stream(121, (uint64_t)d);
        for (int step = 0; step < 400; step++) {
            for (uint32_t i = 0; i < 60; i++) {
                if (step > 0 && scree_random_below(&source, 4) != 0)
                    continue;
                scatter(i, 1, 3, 2, 1);
                for (uint32_t k = 0; k < 3; k++)
                    if (i % 3 != k)
                        w.upper[i][k] = w.lower[i][k] == 0 ? -0.0 : w.lower[i][k];
            }
            update();
            check();
        }
        CHECK(w.created > 1000 && w.destroyed > 1000);
        close_world();
    }
}

/*  One box around everything, and one through everything, move to and fro among many small ones. */
TEST(edge_giants)
{
    enum
    {
        count = 1500
    };
    for (int few = 0; few < 2; few++) {
        scree_detector_def def = def_of(3);
        source = scree_random_stream(122, 0);
        open_world(&def, count);
        scatter(0, count, 15, 0.5, 0);
        for (int step = 0; step < 12; step++) {
            const uint32_t ids[] = {700, 701};
            double at = step % 6 * 8 - 20;
            set_box(700, -1e3 + at * 40, -1e3, -1e3, 2e3);
            set_box(701, at, at / 2, -100, 200);
            w.upper[701][1] = at / 2 + 0.5;
            if (few && step > 0)
                update_some(ids, 2);
            else
                update();
            check();
            CHECK_EQUAL(rebuilds(), 1);
        }
        CHECK(w.created > count);
        close_world();
    }
}

/*  A number that is none would put the lists out of order for good: it never gets there. */
TEST(edge_nan_is_refused)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e101};
    scree_detector_def def = def_of(3);
    source = scree_random_stream(123, 0);
    open_world(&def, 30);
    scatter(0, 30, 3, 1.5, 0);
    update();
    check();
    for (size_t b = 0; b < SCREE_COUNT_OF(bad); b++) {
        double good = w.upper[17][1];
        w.upper[17][1] = bad[b];
        scree_table table = table_of(NULL, 0);
        CHECK_EQUAL(scree_detector_update(w.detector, &table, NULL), SCREE_BAD_VALUE);
        w.upper[17][1] = good;
        check();
        shift(3, 1, 0);
        update();
        check();
        CHECK_EQUAL(rebuilds(), 1);
    }
    close_world();
}

/*  A body that becomes infinite leaves the lists, meets all, and comes back; one whose numbers are not
    usable likewise, and meets none. */
TEST(edge_infinite_and_unusable)
{
    scree_detector_def def = def_of(3);
    uint8_t flags[30] = {0};
    scree_pairs pairs;
    def.unusable = SCREE_SKIP_BODY;
    source = scree_random_stream(124, 0);
    open_world(&def, 30);
    scatter(0, 30, 3, 1.5, 0);
    update();
    check();
    uint64_t begun = inside()->pairs.count;

    scree_table table = table_of(NULL, 0);
    table.flags = scree_integer_view(flags, 1);
    flags[5] = SCREE_INFINITE;
    CHECK_EQUAL(scree_detector_update(w.detector, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(w.detector, NULL, &pairs), SCREE_OK);
    uint64_t meets_5 = 0;
    for (uint64_t p = 0; p < pairs.count; p++)
        meets_5 += pairs.first[p] == 5 || pairs.second[p] == 5;
    CHECK_EQUAL(meets_5, 29);
    flags[5] = 0;
    CHECK_EQUAL(scree_detector_update(w.detector, &table, NULL), SCREE_OK);
    CHECK_EQUAL(inside()->pairs.count, begun);

    double good = w.lower[5][0];
    w.lower[5][0] = NAN;
    const uint32_t five = 5;
    update_some(&five, 1);
    CHECK_EQUAL(inside()->count, 29);
    w.lower[5][0] = good;
    update_some(&five, 1);
    CHECK_EQUAL(inside()->count, 30);
    CHECK_EQUAL(inside()->pairs.count, begun);
    close_world();
}

/*  Lists and sets that are not whole are seen to be not: else `check` would check nothing. */
TEST(edge_sees_what_is_wrong)
{
    scree_detector_def def = def_of(3);
    const uint32_t one = 1;
    open_world(&def, 16);
    for (uint32_t i = 0; i < 16; i++)
        set_box(i, i, 0, 0, 1);
    update();
    update_some(&one, 1);
    check();
    scree_insertion *self = w.detector->state;
    scree_bodies bodies = scree_store_view(&w.detector->store);

    self->axis[0].key[3]++; /* another coordinate */
    CHECK(!scree_insertion_is_valid(self, &bodies));
    self->axis[0].key[3]--;
    uint32_t end = self->axis[1].end[3]; /* two ends of equal coordinates, not in their order */
    self->axis[1].end[3] = self->axis[1].end[4];
    self->axis[1].end[4] = end;
    CHECK(!scree_insertion_is_valid(self, &bodies));
    self->axis[1].end[4] = self->axis[1].end[3];
    self->axis[1].end[3] = end;
    self->place[2][7]++;
    CHECK(!scree_insertion_is_valid(self, &bodies));
    self->place[2][7]--;
    self->pairs.partner[self->pairs.run[4].first] = 6; /* does not touch 4 */
    CHECK(!scree_insertion_is_valid(self, &bodies));
    self->pairs.partner[self->pairs.run[4].first] = 5;
    self->pairs.count++;
    CHECK(!scree_insertion_is_valid(self, &bodies));
    self->pairs.count--;
    CHECK(scree_insertion_is_valid(self, &bodies));
    close_world();
}

/* ---- region query ---------------------------------------------------------------------------- */

typedef struct hits
{
    uint32_t count;
    bool wrong;
    double lower[3], upper[3];
} hits;

static int count_hit(const scree_hit *hit, void *user)
{
    hits *h = user;
    h->count++;
    for (int k = 0; k < w.dimensions; k++)
        h->wrong |= w.lower[hit->id][k] > h->upper[k] || w.upper[hit->id][k] < h->lower[k];
    return 0;
}

static void check_region(double low, double high, int axis)
{
    hits h = {.lower = {-1, -1, -1}, .upper = {30, 30, 30}};
    h.lower[axis] = low;
    h.upper[axis] = high;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < w.count; i++) {
        bool meets = true;
        for (int k = 0; k < w.dimensions; k++)
            meets = meets && w.lower[i][k] <= h.upper[k] && h.lower[k] <= w.upper[i][k];
        expected += meets;
    }
    scree_query query = scree_query_box(h.lower, h.upper);
    CHECK_EQUAL(scree_detector_query(w.detector, &query, count_hit, &h, NULL), SCREE_OK);
    CHECK(!h.wrong);
    CHECK_EQUAL(h.count, expected);
}

/*  Regions at the bottom, at the top, in the middle, beside it all, and around it all. */
TEST(section_7_finds_what_is_in_a_region)
{
    for (int d = 2; d <= 3; d++) {
        scree_detector_def def = def_of(d);
        source = scree_random_stream(125, (uint64_t)d);
        open_world(&def, 300);
        scatter(0, 300, 20, 3, 0.5);
        w.lower[7][0] = w.lower[7][1] = w.lower[7][2] = -5;
        w.upper[7][0] = w.upper[7][1] = w.upper[7][2] = 40;
        for (int step = 0; step < 40; step++) {
            update();
            for (int axis = 0; axis < d; axis++) {
                double low = scree_random_range(&source, -1, 22);
                check_region(low, low + scree_random_range(&source, 0, 2), axis);
                check_region(-1, 0.5, axis);
                check_region(19.5, 30, axis);
                check_region(10, 10, axis);
                check_region(-3, -2, axis);
                check_region(50, 60, axis);
                check_region(-10, 60, axis);
            }
            for (uint32_t i = 0; i < 300; i++)
                shift(i, 0.3, 0.5);
        }
        close_world();
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(edge_no_body_and_one),    CASE(edge_all_identical),
        CASE(edge_zero_width),         CASE(edge_giants),
        CASE(edge_nan_is_refused),     CASE(edge_infinite_and_unusable),
        CASE(edge_sees_what_is_wrong), CASE(section_7_finds_what_is_in_a_region),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
