/*  Bodies that come and go one by one, where the method hears of them later, together: dess2, insertion-sort, and auto. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#include <string.h>

#define MOST 400u

static const char *const names[] = {"dess2", "insertion-sort", "auto"};
static double sphere[MOST][4];
static scree_random source;

static scree_table rows_from(size_t first, size_t count)
{
    return scree_table_spheres(count, scree_doubles(&sphere[first][0], sizeof *sphere),
                               scree_doubles(&sphere[first][1], sizeof *sphere),
                               scree_doubles(&sphere[first][2], sizeof *sphere),
                               scree_doubles(&sphere[first][3], sizeof *sphere));
}

static void scatter(void)
{
    source = scree_random_stream(31, 0);
    for (uint32_t i = 0; i < MOST; i++) {
        for (int k = 0; k < 3; k++)
            sphere[i][k] = scree_random_range(&source, 0, 10);
        sphere[i][3] = 0.7;
    }
}

static scree_detector *make(const char *method, const scree_allocator *allocator)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    if (allocator)
        def.allocator = *allocator;
    return scree_detector_create(&def, &detector) ? NULL : detector;
}

/* ---- against a method that keeps nothing ---------------------------------------------------- */

static void check_pairs(scree_detector *a, scree_detector *b)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_pairs p, q;
    CHECK_EQUAL(scree_detector_pairs(a, &canonical, &p), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(b, &canonical, &q), SCREE_OK);
    CHECK_EQUAL(p.count, q.count);
    for (uint64_t k = 0; k < p.count; k++)
        CHECK(p.first[k] == q.first[k] && p.second[k] == q.second[k]);
}

static void check_hits(scree_detector *a, scree_detector *b)
{
    scree_hit hits[2][MOST];
    size_t count[2];
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = scree_random_range(&source, 0, 10);
    scree_query query = scree_query_sphere(at, 3);
    CHECK_EQUAL(scree_detector_hits(a, &query, hits[0], MOST, &count[0], NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_hits(b, &query, hits[1], MOST, &count[1], NULL), SCREE_OK);
    CHECK_EQUAL(count[0], count[1]);
    for (size_t h = 0; h < count[0]; h++)
        CHECK_EQUAL(hits[0][h].id, hits[1][h].id);
}

/*  The same call to both. */
static uint32_t insert_one(scree_detector *const both[2], uint32_t row)
{
    uint32_t ids[2];
    scree_table table = rows_from(row, 1);
    for (int d = 0; d < 2; d++)
        CHECK_EQUAL(scree_detector_insert(both[d], &table, &ids[d]), SCREE_OK);
    CHECK_EQUAL(ids[0], ids[1]);
    return ids[0];
}

static void remove_one(scree_detector *const both[2], uint32_t id)
{
    for (int d = 0; d < 2; d++)
        CHECK_EQUAL(scree_detector_remove(both[d], &id, 1), SCREE_OK);
}

static void move_one(scree_detector *const both[2], uint32_t id)
{
    uint32_t row = 0;
    scree_table table = rows_from(scree_random_below(&source, MOST), 1);
    scree_rows dirty = {&row, 1};
    table.ids = scree_integer_view(&id, sizeof id);
    for (int d = 0; d < 2; d++)
        CHECK_EQUAL(scree_detector_update(both[d], &table, &dirty), SCREE_OK);
}

/*  Bodies come, go, come again under the same ids, and move, with a search or a query now and then. */
static void play(scree_detector *const both[2], int steps)
{
    uint32_t present[MOST], count = 0;
    scree_table table = rows_from(0, 100);
    for (int d = 0; d < 2; d++)
        CHECK_EQUAL(scree_detector_update(both[d], &table, NULL), SCREE_OK);
    check_pairs(both[0], both[1]);
    for (; count < 100; count++)
        present[count] = count;
    for (int step = 0; step < steps; step++) {
        uint32_t what = scree_random_below(&source, 20), which = scree_random_below(&source, count);
        if (what < 8 && count < 180) {
            present[count++] = insert_one(both, scree_random_below(&source, MOST));
        } else if (what < 15 && count > 20) {
            remove_one(both, present[which]);
            present[which] = present[--count];
        } else if (what < 17) {
            move_one(both, present[which]);
        } else if (what < 19) {
            check_hits(both[0], both[1]);
        } else {
            check_pairs(both[0], both[1]);
        }
    }
    check_pairs(both[0], both[1]);
}

TEST(single_changes_are_those_of_a_plain_loop)
{
    scatter();
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        scree_detector *both[2] = {make(names[m], NULL), make("bounding-volume", NULL)};
        play(both, TEST_EFFORT(2000, 20000));
        scree_detector_destroy(both[0]);
        scree_detector_destroy(both[1]);
    }
}

/*  The structure hears of them when it is searched: once of all. */
TEST(single_changes_are_made_together)
{
    scatter();
    for (size_t m = 0; m < 2; m++) {
        scree_detector *detector = make(names[m], NULL);
        scree_table table = rows_from(0, 200);
        scree_pairs pairs;
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        for (uint32_t id = 0; id < 50; id++)
            CHECK_EQUAL(scree_detector_remove(detector, &id, 1), SCREE_OK);
        for (uint32_t row = 200; row < 250; row++) {
            table = rows_from(row, 1);
            CHECK_EQUAL(scree_detector_insert(detector, &table, NULL), SCREE_OK);
        }
        CHECK_EQUAL(detector->waiting.leaving_count, 50);
        CHECK_EQUAL(detector->waiting.entering_count, 50);
        CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
        CHECK(scree_waiting_is_empty(&detector->waiting));
        CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);

        /* bodies that are added and removed in between never reach the method, and take no room */
        for (int k = 0; k < 1000; k++) {
            uint32_t id;
            CHECK_EQUAL(scree_detector_insert(detector, &table, &id), SCREE_OK);
            CHECK_EQUAL(scree_detector_remove(detector, &id, 1), SCREE_OK);
        }
        CHECK(scree_waiting_is_empty(&detector->waiting));
        CHECK(detector->waiting.entering_capacity < 1000);
        scree_detector_destroy(detector);
    }
}

/*  Without memory for the lists the method hears of each change at once. */
TEST(memory_may_run_out)
{
    scatter();
    for (size_t m = 0; m < sizeof names / sizeof *names; m++)
        for (size_t k = 1;; k++) {
            failing_allocator memory = {.fail_at = k};
            scree_allocator hooks = failing_allocator_hooks(&memory);
            scree_detector *detector = make(names[m], &hooks);
            scree_detector *both[2] = {detector, make("bounding-volume", NULL)};
            scree_table table = rows_from(0, 60), more = rows_from(60, 3);
            uint32_t gone[] = {3, 4};
            bool done = detector && !scree_detector_update(detector, &table, NULL) &&
                        !scree_detector_insert(detector, &more, NULL) &&
                        !scree_detector_remove(detector, gone, 2);
            if (done) {
                CHECK_EQUAL(scree_detector_update(both[1], &table, NULL), SCREE_OK);
                CHECK_EQUAL(scree_detector_insert(both[1], &more, NULL), SCREE_OK);
                CHECK_EQUAL(scree_detector_remove(both[1], gone, 2), SCREE_OK);
                scree_pairs pairs;
                (void)scree_detector_pairs(detector, NULL, &pairs);
                memory.fail_at = 0;
                check_pairs(both[0], both[1]);
            }
            scree_detector_destroy(detector);
            scree_detector_destroy(both[1]);
            CHECK(failing_allocator_is_clean(&memory));
            if (memory.requests < k)
                break;
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(single_changes_are_those_of_a_plain_loop),
        CASE(single_changes_are_made_together),
        CASE(memory_may_run_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
