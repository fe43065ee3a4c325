/*  What the store of a detector keeps between calls: which ids were named in which call, also after
    4 billion calls; neighbours and figures; and memory, which stops growing when the same is done again. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "test.h"

#define MOST 6000u

static double place[MOST][3], radius[MOST];

static scree_table spheres(size_t count, const uint32_t *ids)
{
    size_t stride = sizeof *place;
    scree_table table = scree_table_spheres(
        count, scree_doubles(&place[0][0], stride), scree_doubles(&place[0][1], stride),
        scree_doubles(&place[0][2], stride), scree_doubles(radius, sizeof *radius));
    if (ids)
        table.ids = scree_integer_view(ids, sizeof *ids);
    return table;
}

static void scatter(size_t count, double side, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            place[i][k] = scree_random_range(&random, 0, side);
        radius[i] = scree_random_range(&random, 0.3, 0.6);
    }
}

static scree_detector *make(const char *method)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    return detector;
}

/* ---- ids of a call ---- */

/*  The number of the call comes round to those that were used before, and to that of no call. Ids are
    named by updates, insertions and removals. */
TEST(calls_may_be_counted_around)
{
    static const uint32_t ids[4] = {0, 1, 2, 3};
    scatter(4, 10, 1);
    for (uint32_t before = 0; before < 4; before++) {
        scree_detector *detector = make("dess");
        scree_table table = spheres(3, ids);
        for (uint32_t k = 0; k < before; k++)
            CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        detector->store.call = UINT32_MAX;
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        for (uint32_t k = 0; k < 3; k++)
            CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_remove(detector, ids, 3), SCREE_OK);
        detector->store.call = UINT32_MAX;
        table = spheres(4, ids);
        CHECK_EQUAL(scree_detector_insert(detector, &table, NULL), SCREE_OK);
        detector->store.call = UINT32_MAX;
        CHECK_EQUAL(scree_detector_remove(detector, ids, 4), SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(detector).bodies, 0);
        scree_detector_destroy(detector);
    }
}

TEST(ids_named_twice_are_seen_in_any_call)
{
    static const uint32_t ids[3] = {5, 6, 5};
    scatter(3, 10, 2);
    for (uint32_t call = 0; call < 3; call++) {
        scree_detector *detector = make("dess");
        scree_table table = spheres(3, ids);
        detector->store.call = UINT32_MAX - call;
        for (int k = 0; k < 4; k++) {
            CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_BAD_ARGUMENT);
            CHECK_SAYS(scree_detector_message(detector), "row 2: body 5 is named twice");
        }
        scree_detector_destroy(detector);
    }
}

/* ---- images ---- */

/*  On each axis by itself, the others as they were not: every coordinate is written. */
TEST(images_on_any_axis)
{
    for (int axis = 0; axis < 3; axis++) {
        scree_detector_def def = scree_default_detector_def();
        scree_detector *detector;
        int64_t n[3] = {7, 7, 7};
        def.period[axis] = 10;
        CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 3; k++)
                place[i][k] = k == axis ? (i ? 9.8 : 0.1) : 5;
            radius[i] = 0.5;
        }
        scree_table table = spheres(2, NULL);
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_image(detector, 0, 1, n), SCREE_OK);
        for (int k = 0; k < 3; k++)
            CHECK_EQUAL(n[k], k == axis ? -1 : 0);
        CHECK_EQUAL(scree_detector_image(detector, 1, 0, n), SCREE_OK);
        CHECK_EQUAL(n[axis], 1);
        scree_detector_destroy(detector);
    }
}

/* ---- neighbours ---- */

/*  Where there are no pairs any more, nothing is left of those that were, also in the caller's arrays. */
TEST(neighbours_that_have_gone)
{
    scree_detector *detector = make("dess");
    scree_neighbors found;
    uint64_t start[51];
    uint32_t neighbor[4000];
    scree_neighbors_options own = {
        .start = start, .start_capacity = 51, .neighbor = neighbor, .capacity = 4000};
    for (int turn = 0; turn < 2; turn++)
        for (double side = 2; side < 5000; side *= 1000) {
            scatter(50, side, 5);
            scree_table table = spheres(50, NULL);
            memset(start, 0xff, sizeof start);
            CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_neighbors(detector, turn ? &own : NULL, &found), SCREE_OK);
            CHECK((found.count > 0) == (side < 3));
            CHECK_EQUAL(found.start[0], 0);
            for (uint32_t i = 0; i < 50; i++)
                CHECK(found.start[i] <= found.start[i + 1]);
            CHECK_EQUAL(found.start[50], found.count);
        }
    scree_detector_destroy(detector);
}

/* ---- figures ---- */

/*  Every call that changes bodies is timed, from the last update on; so is every search. An advance that
    fails did nothing, whatever was in `did`. */
TEST(calls_are_counted_and_timed)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    uint32_t ids[10];
    scree_pairs pairs;
    scree_advance did = {true, 7, 7, 7};
    def.method = "dess";
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 0.5;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    scatter(100, 6, 6);
    scree_table table = spheres(10, NULL);
    CHECK_EQUAL(scree_detector_insert(detector, &table, ids), SCREE_OK);
    double inserted = scree_detector_stats(detector).sec_update;
    CHECK(inserted > 0 && inserted < 100);
    CHECK_EQUAL(scree_detector_remove(detector, ids, 5), SCREE_OK);
    double removed = scree_detector_stats(detector).sec_update;
    CHECK(removed > inserted && removed < 100);
    CHECK_EQUAL(scree_detector_stats(detector).updates, 0);

    table = spheres(100, NULL);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).updates, 1);
    CHECK(scree_detector_stats(detector).sec_update > 0);
    CHECK(scree_detector_stats(detector).sec_update < 100);
    CHECK_EQUAL(scree_detector_pairs(detector, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).reported, pairs.count);
    CHECK(scree_detector_stats(detector).tested >= pairs.count && pairs.count > 0);
    CHECK(scree_detector_stats(detector).sec_query > 0);
    CHECK(scree_detector_stats(detector).sec_query < 100);

    CHECK_EQUAL(scree_detector_advance(detector, &table, NULL, -1, &did), SCREE_BAD_VALUE);
    CHECK(!did.ran && did.mapped == 0 && did.late == 0 && did.used == 0);
    double before = scree_detector_stats(detector).sec_update;
    CHECK_EQUAL(scree_detector_advance(detector, &table, NULL, 1, &did), SCREE_OK);
    scree_stats stats = scree_detector_stats(detector);
    CHECK(stats.sec_update > 0 && stats.sec_update < 100 && stats.sec_update != before);
    CHECK(stats.advances == 1 && stats.runs == (did.ran ? 1 : 0) && stats.updates == 1);
    place[50][0] += 3;
    CHECK_EQUAL(scree_detector_advance(detector, &table, NULL, 1, NULL), SCREE_OK);
    stats = scree_detector_stats(detector);
    /* the longest step there may be */
    CHECK_EQUAL(scree_detector_advance(detector, &table, NULL, SCREE_MAX_COORDINATE, NULL),
                SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).advances, 3);
    CHECK(stats.advances == 2 && stats.runs == (did.ran ? 2 : 1) && stats.late == 0);
    scree_detector_destroy(detector);
}

/*  A build places all bodies, later updates at most all of them and once more in order;
    what is not sorted has no places. */
TEST(placed_bodies_are_counted)
{
    static const uint32_t rows[10] = {3, 1, 4, 15, 9, 26, 5, 35, 8, 97};
    for (size_t m = 0; scree_method_at(m); m++) {
        const scree_method_info *info = scree_method_at(m);
        bool has_places = strcmp(info->name, "pairing") != 0 &&
                          strcmp(info->name, "bounding-volume") != 0 &&
                          strcmp(info->name, "auto") != 0;
        scree_detector *detector = make(info->name);
        scree_table table = spheres(300, NULL);
        scree_rows dirty = {rows, 10};
        uint64_t before = 0;
        for (int step = 0; step < 4 && has_places; step++) {
            scatter(300, 10 + step, 7);
            CHECK_EQUAL(scree_detector_update(detector, &table, step == 3 ? &dirty : NULL),
                        SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(detector, NULL, &(scree_pairs){0}), SCREE_OK);
            scree_stats stats = scree_detector_stats(detector);
            uint64_t placed = stats.remapped - before;
            if (placed > 600 || (step == 0 && (placed != 300 || stats.rebuilds != 1)) ||
                stats.rebuilds < 1 || stats.rebuilds > (uint64_t)step + 1)
                FAIL("%s, step %d: %" PRIu64 " placed, %" PRIu64 " builds", info->name, step,
                     placed, stats.rebuilds);
            before = stats.remapped;
        }
        scree_detector_destroy(detector);
    }
}

/* ---- memory ---- */

static uint64_t bytes_after(scree_detector *detector, size_t count, int times)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_neighbors neighbors;
    scree_pairs pairs;
    scree_table table = spheres(count, NULL);
    for (int k = 0; k < times; k++) {
        CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(detector, &canonical, &pairs), SCREE_OK);
        CHECK_EQUAL(scree_detector_neighbors(detector, NULL, &neighbors), SCREE_OK);
    }
    return scree_detector_stats(detector).bytes;
}

/*  By every method: the same bodies again and again need no more memory than a few times did. */
TEST(steady_work_needs_no_more_memory)
{
    scatter(2000, 20, 3);
    for (size_t m = 0; scree_method_at(m); m++) {
        scree_detector *detector = make(scree_method_at(m)->name);
        uint64_t before = bytes_after(detector, 2000, 3);
        uint64_t after = bytes_after(detector, 2000, 20);
        if (after > before)
            FAIL("%s: %" PRIu64 " bytes, then %" PRIu64, scree_method_at(m)->name, before, after);
        scree_detector_destroy(detector);
    }
}

/*  And a set of bodies of which few are left is not asked for more than it was. */
TEST(fewer_bodies_need_no_more_memory)
{
    scatter(MOST, 30, 4);
    for (size_t m = 0; scree_method_at(m); m++) {
        scree_detector *detector = make(scree_method_at(m)->name);
        uint64_t before = bytes_after(detector, MOST, 2);
        uint64_t after = bytes_after(detector, 100, 3);
        if (after > before)
            FAIL("%s: %" PRIu64 " bytes, then %" PRIu64, scree_method_at(m)->name, before, after);
        scree_detector_destroy(detector);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(calls_may_be_counted_around),
        CASE(ids_named_twice_are_seen_in_any_call),
        CASE(images_on_any_axis),
        CASE(neighbours_that_have_gone),
        CASE(calls_are_counted_and_timed),
        CASE(placed_bodies_are_counted),
        CASE(steady_work_needs_no_more_memory),
        CASE(fewer_bodies_need_no_more_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
