/*  Callers who hand over nonsense: null pointers, strides of 0, counts without end, numbers that are
    none, ids that are not there, room that is too small, parameters out of range. Each is refused with
    a message that says what it is, nothing is allocated for it, and nothing changes. */
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    uint64_t *count = user;
    (*count)++;
    return first >= second;
}

static const double xs[4] = {0, 1, 2, 9}, ys[4] = {0, 0, 0, 0}, zs[4] = {0, 0, 0, 0},
                    radii[4] = {0.5, 0.5, 0.5, 0.5};

static scree_table good_table(void)
{
    return scree_table_spheres(4, scree_doubles(xs, 8), scree_doubles(ys, 8), scree_doubles(zs, 8),
                               scree_doubles(radii, 8));
}

static failing_allocator books;
static scree_detector *subject;

/*  A detector with the four spheres, of method `index`: pairs {0,1} and {1,2}. */
static void open_subject(size_t index)
{
    scree_detector_def def = scree_default_detector_def();
    scree_table table = good_table();
    memset(&books, 0, sizeof books);
    def.method = scree_method_at(index)->name;
    def.allocator = failing_allocator_hooks(&books);
    CHECK_EQUAL(scree_detector_create(&def, &subject), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_OK);
}

static int count_block(const scree_pairs *block, void *user)
{
    *(uint64_t *)user += block->count;
    return 0;
}

static void check_unchanged(void)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_stats(subject).bodies, 4);
    CHECK_EQUAL(scree_detector_pairs(subject, &canonical, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 2);
    CHECK_EQUAL(pairs.first[0], 0);
    CHECK_EQUAL(pairs.second[0], 1);
    CHECK_EQUAL(pairs.first[1], 1);
    CHECK_EQUAL(pairs.second[1], 2);
}

static void close_subject(void)
{
    check_unchanged();
    scree_detector_destroy(subject);
    CHECK(failing_allocator_is_clean(&books));
}

static void refuse_update(const scree_table *table, scree_status wanted, const char *says)
{
    size_t before = books.requests;
    CHECK_EQUAL(scree_detector_update(subject, table, NULL), wanted);
    CHECK_SAYS(scree_detector_message(subject), says);
    CHECK_EQUAL(books.requests, before);
    CHECK_EQUAL(scree_detector_insert(subject, table, NULL), wanted);
    CHECK_SAYS(scree_detector_message(subject), says);
    scree_pairs pairs = {1, NULL, NULL};
    scree_csr csr = {1, 1, NULL, NULL};
    CHECK_EQUAL(scree_detector_pairs_of(subject, table, NULL, &pairs), wanted);
    CHECK_SAYS(scree_detector_message(subject), says);
    CHECK_EQUAL(pairs.count, 0);
    CHECK_EQUAL(scree_detector_csr_of(subject, table, NULL, &csr), wanted);
    CHECK_SAYS(scree_detector_message(subject), says);
    CHECK_EQUAL(csr.count, 0);
    CHECK_EQUAL(books.requests, before);
}

TEST(tables_of_the_wrong_form)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        scree_table table = good_table();
        refuse_update(NULL, SCREE_BAD_ARGUMENT, "NULL");
        table.cookie++;
        refuse_update(&table, SCREE_BAD_DEF, "scree_table_spheres");
        memset(&table, 0, sizeof table);
        refuse_update(&table, SCREE_BAD_DEF, "table");
        table = good_table();
        table.centre[1].stride = 0;
        refuse_update(&table, SCREE_BAD_ARGUMENT, "stride of column y is 0");
        table = good_table();
        table.radius.stride = 7;
        refuse_update(&table, SCREE_BAD_ARGUMENT, "stride of column radius is 7");
        table = good_table();
        table.centre[2].data = NULL;
        refuse_update(&table, SCREE_BAD_ARGUMENT, "column z is NULL");
        table = good_table();
        table.centre[0].real = (scree_real)7;
        refuse_update(&table, SCREE_BAD_ARGUMENT, "column x has unknown type 7");
        table = good_table();
        table.owners = scree_integer_view(xs, 3);
        refuse_update(&table, SCREE_BAD_ARGUMENT, "stride of column owners is 3");
        table = scree_table_boxes(4, good_table().centre, good_table().centre);
        refuse_update(&table, SCREE_BAD_ARGUMENT, "boxes");
        close_subject();
    }
}

TEST(counts_without_end)
{
    static const size_t counts[] = {(size_t)SCREE_MAX_BODIES + 1, (size_t)1 << 31, SIZE_MAX,
                                    SIZE_MAX / 8};
    open_subject(0);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        scree_table table = good_table();
        table.count = counts[k];
        refuse_update(&table, SCREE_TOO_LARGE, "count is");
    }
    scree_table table = good_table();
    table.centre[0].stride = SIZE_MAX / 2;
    refuse_update(&table, SCREE_BAD_ARGUMENT, "stride");
    close_subject();
}

/*  Value `value` in row 2 of column `name`: the message names both, and the value. */
static void refuse_value(int column, double value, const char *name, const char *number)
{
    double columns[4][4];
    memcpy(columns[0], xs, sizeof xs);
    memcpy(columns[1], ys, sizeof ys);
    memcpy(columns[2], zs, sizeof zs);
    memcpy(columns[3], radii, sizeof radii);
    columns[column][2] = value;
    scree_table table =
        scree_table_spheres(4, scree_doubles(columns[0], 8), scree_doubles(columns[1], 8),
                            scree_doubles(columns[2], 8), scree_doubles(columns[3], 8));
    refuse_update(&table, SCREE_BAD_VALUE, "row 2");
    CHECK_SAYS(scree_detector_message(subject), name);
    CHECK_SAYS(scree_detector_message(subject), number);
    uint32_t row = 2;
    scree_rows dirty = {&row, 1};
    CHECK_EQUAL(scree_detector_update(subject, &table, &dirty), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(subject), name);
    check_unchanged();
}

TEST(numbers_that_cannot_be)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        refuse_value(0, NAN, " x is", "nan");
        refuse_value(1, INFINITY, " y is", "inf");
        refuse_value(2, -INFINITY, " z is", "-inf");
        refuse_value(0, 1e300, " x is", "e+300");
        refuse_value(3, -0.25, "radius is", "-0.25");
        refuse_value(3, NAN, "radius is", "nan");
        refuse_value(3, 2e100, "radius is", "e+100");
        close_subject();
    }
}

TEST(boxes_inside_out)
{
    scree_detector_def def = scree_default_detector_def();
    double lower[2] = {0, 5}, upper[2] = {1, 4};
    scree_view low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(lower, 8);
        high[k] = scree_doubles(upper, 8);
    }
    def.volume = SCREE_BOXES;
    CHECK_EQUAL(scree_detector_create(&def, &subject), SCREE_OK);
    scree_table table = scree_table_boxes(2, low, high);
    CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(subject), "row 1");
    CHECK_SAYS(scree_detector_message(subject), "lower x is 5");
    CHECK_EQUAL(scree_detector_stats(subject).bodies, 0);
    scree_detector_destroy(subject);
}

TEST(ids_that_are_not_there)
{
    static const uint32_t twice[4] = {1, 2, 1, 3}, stale[1] = {4}, same[2] = {3, 3};
    static const uint32_t huge[4] = {0, 1, 2, SCREE_MAX_BODIES};
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        scree_table table = good_table();
        scree_rows rows = {stale, 1};
        CHECK_EQUAL(scree_detector_update(subject, &table, &rows), SCREE_BAD_ARGUMENT);
        rows = (scree_rows){same, 2};
        CHECK_EQUAL(scree_detector_update(subject, &table, &rows), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(scree_detector_message(subject), "twice");
        rows = (scree_rows){NULL, 2};
        CHECK_EQUAL(scree_detector_update(subject, &table, &rows), SCREE_BAD_ARGUMENT);
        rows = (scree_rows){same, SIZE_MAX};
        CHECK_EQUAL(scree_detector_update(subject, &table, &rows), SCREE_BAD_ARGUMENT);
        check_unchanged();
        table.ids = scree_integer_view(twice, 4);
        CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(scree_detector_message(subject), "body 1 is named twice");
        CHECK_EQUAL(scree_detector_insert(subject, &table, NULL), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(scree_detector_message(subject), "there already");
        table.ids = scree_integer_view(huge, 4);
        CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_BAD_ARGUMENT);
        check_unchanged();
        CHECK_EQUAL(scree_detector_remove(subject, stale, 1), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(scree_detector_message(subject), "body 4 is not there");
        CHECK_EQUAL(scree_detector_remove(subject, same, 2), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_remove(subject, NULL, 2), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(scree_detector_remove(subject, NULL, 0), SCREE_OK);
        close_subject();
    }
}

TEST(room_that_is_too_small)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        uint32_t first[2] = {77, 77}, second[2] = {77, 77}, neighbor[4];
        uint64_t start[5];
        scree_pairs pairs;
        scree_neighbors n;
        scree_pairs_options options = {true, first, second, 1};
        CHECK_EQUAL(scree_detector_pairs(subject, &options, &pairs), SCREE_TOO_SMALL);
        CHECK_EQUAL(pairs.count, 2);
        CHECK_EQUAL(first[1], 77);
        CHECK_EQUAL(second[1], 77);
        options.capacity = 2;
        options.second = NULL;
        CHECK_EQUAL(scree_detector_pairs(subject, &options, &pairs), SCREE_BAD_ARGUMENT);
        scree_neighbors_options rows = {false, start, 4, neighbor, 4};
        CHECK_EQUAL(scree_detector_neighbors(subject, &rows, &n), SCREE_TOO_SMALL);
        rows.start_capacity = 5;
        rows.capacity = 3;
        CHECK_EQUAL(scree_detector_neighbors(subject, &rows, &n), SCREE_TOO_SMALL);
        CHECK_EQUAL(n.count, 4);
        rows.capacity = 4;
        CHECK_EQUAL(scree_detector_neighbors(subject, &rows, &n), SCREE_OK);
        CHECK_EQUAL(start[4], 4);
        CHECK_EQUAL(neighbor[1], 0);
        close_subject();
    }
}

static void refuse_def(const scree_detector_def *def, scree_status wanted, const char *says)
{
    scree_error why = {SCREE_OK, ""};
    scree_detector_def with = *def;
    scree_detector *detector = subject;
    with.error = &why;
    CHECK_EQUAL(scree_detector_create(&with, &detector), wanted);
    CHECK(detector == NULL);
    if (says)
        CHECK_SAYS(why.text, says);
}

#define REFUSE(field, value, status, says)                                                         \
    do {                                                                                           \
        scree_detector_def refused = scree_default_detector_def();                                 \
        refused.field = value;                                                                     \
        refuse_def(&refused, status, says);                                                        \
    } while (0)

TEST(definitions_out_of_range)
{
    REFUSE(cookie, 0, SCREE_BAD_DEF, NULL);
    REFUSE(method, NULL, SCREE_BAD_ARGUMENT, "method");
    REFUSE(method, "no-such", SCREE_UNKNOWN_METHOD, "no-such");
    REFUSE(method, "", SCREE_UNKNOWN_METHOD, "method");
    REFUSE(dimensions, 1, SCREE_BAD_ARGUMENT, "dimensions is 1");
    REFUSE(dimensions, 4, SCREE_BAD_ARGUMENT, "dimensions is 4");
    REFUSE(dimensions, -3, SCREE_BAD_ARGUMENT, "dimensions is -3");
    REFUSE(volume, (scree_volume)2, SCREE_BAD_ARGUMENT, "volume is 2");
    REFUSE(unusable, (scree_unusable)9, SCREE_BAD_ARGUMENT, "unusable is 9");
    REFUSE(simd, (scree_simd)9, SCREE_BAD_ARGUMENT, "simd is 9");
    REFUSE(thread_count, 0, SCREE_BAD_ARGUMENT, "thread_count");
    REFUSE(thread_count, 100000, SCREE_BAD_ARGUMENT, "thread_count");
    REFUSE(cell_factor, 0.5, SCREE_BAD_ARGUMENT, "cell_factor is 0.5");
    REFUSE(cell_factor, NAN, SCREE_BAD_ARGUMENT, "cell_factor is");
    REFUSE(bin_factor, 0, SCREE_BAD_ARGUMENT, "bin_factor is 0");
    REFUSE(bin_factor, INFINITY, SCREE_BAD_ARGUMENT, "bin_factor is inf");
    REFUSE(stripe_factor, -1, SCREE_BAD_ARGUMENT, "stripe_factor is -1");
    REFUSE(rtree_max_entries, 3, SCREE_BAD_ARGUMENT, "rtree_max_entries is 3");
    REFUSE(rtree_max_entries, 65, SCREE_BAD_ARGUMENT, "rtree_max_entries is 65");
    REFUSE(rtree_min_entries, 1, SCREE_BAD_ARGUMENT, "rtree_min_entries is 1");
    REFUSE(rtree_min_entries, 9, SCREE_BAD_ARGUMENT, "rtree_min_entries is 9");
    REFUSE(allocator.allocate, failing_allocator_allocate, SCREE_BAD_DEF, "allocator");
    scree_detector_def def = scree_default_detector_def();
    CHECK_EQUAL(scree_detector_create(&def, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_create(NULL, &subject), SCREE_BAD_DEF);
    CHECK(subject == NULL);
}

TEST(null_detectors)
{
    scree_table table = good_table();
    scree_pairs pairs;
    scree_neighbors neighbors;
    scree_csr csr;
    size_t count;
    uint64_t calls = 0;
    scree_query query = scree_query_sphere((const double[3]){0, 0, 0}, 1);
    CHECK_EQUAL(scree_detector_update(NULL, &table, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_insert(NULL, &table, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_remove(NULL, NULL, 0), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_clear(NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_pairs(NULL, NULL, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_neighbors(NULL, NULL, &neighbors), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_for_each_pair(NULL, count_pair, &calls), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_for_each_block(NULL, count_block, &calls), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_csr(NULL, NULL, &csr), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_csr_of(NULL, &table, NULL, &csr), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_pairs_of(NULL, &table, NULL, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(NULL, &query, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_method(NULL) == NULL);
    CHECK_TEXT(scree_detector_message(NULL), "");
    CHECK_EQUAL(scree_detector_stats(NULL).bodies, 0);
    scree_detector_destroy(NULL);
    open_subject(0);
    CHECK_EQUAL(scree_detector_pairs(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_neighbors(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_for_each_pair(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_for_each_block(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_csr(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_csr_of(subject, &table, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(subject), "the result is NULL");
    CHECK_EQUAL(scree_detector_pairs_of(subject, &table, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_pairs_of(subject, NULL, NULL, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_csr_of(subject, NULL, NULL, &csr), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(subject, &query, NULL, 5, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(subject, NULL, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    close_subject();
}

/*  A thousand rounds of clear and reuse: the memory held does not grow. */
TEST(clear_and_reuse)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        scree_table table = good_table();
        scree_pairs pairs;
        size_t bytes = 0;
        for (int round = 0; round < 1000; round++) {
            CHECK_EQUAL(scree_detector_clear(subject), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(subject, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, 0);
            CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(subject, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, 2);
            if (round == 10)
                bytes = books.live_bytes;
        }
        if (books.live_bytes != bytes)
            FAIL("%s: %zu bytes after ten rounds, %zu after a thousand", scree_method_at(m)->name,
                 bytes, (size_t)books.live_bytes);
        close_subject();
    }
}

/*  Bodies that go to and fro: once all places have been seen, nothing more is allocated. */
TEST(steady_state_allocates_nothing)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        double moved[4];
        scree_table table = good_table();
        scree_pairs pairs;
        size_t requests = 0;
        table.centre[0] = scree_doubles(moved, sizeof *moved);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 4; i++)
                moved[i] = xs[i] + (round % 4 == 3 ? 0 : 0.25 * (round % 4) * i);
            CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(subject, NULL, &pairs), SCREE_OK);
            if (round == 100)
                requests = books.requests;
        }
        if (books.requests != requests)
            FAIL("%s: %zu allocations in the steady state", scree_method_at(m)->name,
                 books.requests - requests);
        close_subject();
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(tables_of_the_wrong_form), CASE(counts_without_end),
        CASE(numbers_that_cannot_be),   CASE(boxes_inside_out),
        CASE(ids_that_are_not_there),   CASE(room_that_is_too_small),
        CASE(definitions_out_of_range), CASE(null_detectors),
        CASE(clear_and_reuse),          CASE(steady_state_allocates_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
