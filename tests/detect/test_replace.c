/*  Whole tables of plain rows take a way of their own into the detector. Here it is compared with the
    general one, row by row: both must leave bit-identical data behind, for every form of column, ids in any order,
    filters, every SIMD level, one thread and three; and a table that cannot be used must leave nothing
    behind at all. */
#include "detect/detector_internal.h"

#include "base/random.h"
#include "harness/same_bits.h"
#include "test.h"

#include <math.h>

#define MAX_ROWS 20000u

/*  Up to six columns in one buffer, each with its own type and stride. */
typedef struct sheet
{
    unsigned char *bytes;
    scree_view column[6];
    scree_table table;
} sheet;

/*  form 0: doubles side by side; 1: doubles, a row side by side; 2, 3: the same of floats; 4: all mixed,
    not aligned. */
enum
{
    FORMS = 5
};

static void lay_columns(sheet *s, size_t rows, int form, int columns)
{
    static const size_t odd[6] = {8, 13, 48, 4, 9, 17};
    size_t used = form == 4 ? 1 : 0;
    s->bytes = calloc(1, 1 + rows * 6 * 48);
    for (int k = 0; k < columns; k++) {
        bool narrow = form == 2 || form == 3 || (form == 4 && (odd[k] == 4 || odd[k] == 13));
        size_t size = narrow ? 4 : 8, stride = size;
        if (form == 1 || form == 3)
            stride = size * (size_t)columns;
        if (form == 4)
            stride = odd[k];
        s->column[k] =
            (scree_view){s->bytes + used, stride, narrow ? SCREE_FLOAT32 : SCREE_FLOAT64};
        used += form == 1 || form == 3 ? size : rows * stride;
    }
}

static void put(const sheet *s, int column, size_t row, double value)
{
    unsigned char *at = s->bytes + ((const unsigned char *)s->column[column].data - s->bytes) +
                        row * s->column[column].stride;
    float narrow = (float)value;
    if (s->column[column].real == SCREE_FLOAT32)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &value, sizeof value);
}

/*  Places in a cube, among them both zeros and numbers of very different size. */
static sheet make_sheet(scree_random *random, size_t rows, int form, scree_volume volume,
                        int dimensions)
{
    sheet s;
    memset(&s, 0, sizeof s);
    bool spheres = volume == SCREE_SPHERES;
    lay_columns(&s, rows, form, spheres ? dimensions + 1 : 2 * dimensions);
    for (size_t row = 0; row < rows; row++) {
        double size = scree_random_range(random, 0, 1);
        for (int k = 0; k < dimensions; k++) {
            double place = scree_random_range(random, -50, 50);
            uint32_t kind = scree_random_below(random, 16);
            if (kind == 0)
                place = -0.0;
            if (kind == 1)
                place *= 1e20;
            put(&s, k, row, place);
            if (!spheres)
                put(&s, dimensions + k, row, kind == 0 ? -0.0 : place + size + 1e-6 * fabs(place));
        }
        if (spheres)
            put(&s, dimensions, row, row % 7 == 0 ? -0.0 : size);
    }
    s.table = spheres ? scree_table_spheres(rows, s.column[0], s.column[1], s.column[2],
                                            s.column[dimensions])
                      : scree_table_boxes(rows, s.column, s.column + dimensions);
    return s;
}

static void free_sheet(sheet *s)
{
    free(s->bytes);
}

static scree_detector *open_detector(scree_volume volume, int dimensions, scree_simd simd,
                                     uint32_t threads)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.method = "rtree-packed";
    def.volume = volume;
    def.dimensions = dimensions;
    def.simd = simd;
    def.thread_count = threads;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    return d;
}

/*  All that the two know of their bodies is the same, bit by bit. */
static void check_same(const scree_detector *a, const scree_detector *b)
{
    const scree_store *s = &a->store, *t = &b->store;
    CHECK_EQUAL(s->bound, t->bound);
    CHECK_EQUAL(s->high, t->high);
    CHECK_EQUAL(s->body_count, t->body_count);
    CHECK_EQUAL(s->active_count, t->active_count);
    CHECK_EQUAL(s->infinite_count, t->infinite_count);
    CHECK_EQUAL(s->freed_count, t->freed_count);
    CHECK_EQUAL(s->rejected_count, t->rejected_count);
    CHECK(same_bits(&s->bounds, &t->bounds, sizeof s->bounds));
    CHECK(same_bits(s->state, t->state, s->bound));
    CHECK(same_bits(s->position, t->position, s->bound * sizeof *s->position));
    CHECK(same_bits(s->active, t->active, s->active_count * sizeof *s->active));
    for (uint32_t k = 0; k < s->active_count; k++) {
        uint32_t id = s->active[k];
        CHECK(same_bits(&s->box[id], &t->box[id], sizeof s->box[id]));
        CHECK(!s->sphere || same_bits(s->sphere[id], t->sphere[id], sizeof s->sphere[id]));
        CHECK(!s->group || s->group[id] == t->group[id]);
        CHECK(!s->mask || s->mask[id] == t->mask[id]);
        CHECK(!s->owner || s->owner[id] == t->owner[id]);
    }
    CHECK((s->group != NULL) == (t->group != NULL));
    CHECK((s->mask != NULL) == (t->mask != NULL));
    CHECK((s->owner != NULL) == (t->owner != NULL));
}

/*  What an update does where the table is not plain. */
static scree_status update_row_by_row(scree_detector *d, const scree_table *table)
{
    scree_survey found;
    scree_status status = scree_change_survey(d, table, NULL, &found);
    if (!status)
        status = scree_change_reserve(d, found.bound, table, 0, found.infinite);
    if (!status)
        status = scree_change_check_ids(d, table, NULL, -1);
    return status ? status : scree_change_all(d, table);
}

static void update_both(scree_detector *plain, scree_detector *general, const sheet *s)
{
    CHECK(scree_replace_fits(plain, &s->table) && scree_replace_is_usable(plain, &s->table));
    CHECK_EQUAL(scree_detector_update(plain, &s->table, NULL), SCREE_OK);
    CHECK_EQUAL(update_row_by_row(general, &s->table), SCREE_OK);
    check_same(plain, general);
}

/* ---- the same as the general way ---- */

TEST(every_form_of_column)
{
    static const size_t rows[] = {1, 2, 7, 8, 9, 255, 256, 257, 1000};
    scree_random random = scree_random_stream(17, 0);
    for (int form = 0; form < FORMS; form++)
        for (int which = 0; which < 4; which++)
            for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++) {
                scree_volume volume = which & 1 ? SCREE_BOXES : SCREE_SPHERES;
                int dimensions = which & 2 ? 2 : 3;
                scree_detector *plain = open_detector(volume, dimensions, simd, 1);
                scree_detector *general = open_detector(volume, dimensions, simd, 1);
                for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
                    sheet s = make_sheet(&random, rows[k], form, volume, dimensions);
                    update_both(plain, general, &s);
                    free_sheet(&s);
                }
                scree_detector_destroy(plain);
                scree_detector_destroy(general);
            }
}

TEST(several_threads)
{
    scree_random random = scree_random_stream(18, 0);
    scree_detector *plain = open_detector(SCREE_SPHERES, 3, SCREE_SIMD_AUTO, 3);
    scree_detector *general = open_detector(SCREE_SPHERES, 3, SCREE_SIMD_AUTO, 1);
    for (int step = 0; step < 4; step++) {
        sheet s = make_sheet(&random, MAX_ROWS - 100 * (size_t)step, step, SCREE_SPHERES, 3);
        update_both(plain, general, &s);
        free_sheet(&s);
    }
    scree_detector_destroy(plain);
    scree_detector_destroy(general);
}

/*  Whatever was there before: gaps, freed ids, infinite and rejected bodies, fixed ones. */
TEST(after_other_bodies)
{
    scree_random random = scree_random_stream(19, 0);
    for (int scene = 0; scene < 200; scene++) {
        scree_detector *d[2];
        size_t rows = 1 + scree_random_below(&random, 40);
        size_t next = scene % 3 ? rows : 1 + scree_random_below(&random, 60);
        sheet before = make_sheet(&random, rows, 0, SCREE_SPHERES, 3);
        sheet after = make_sheet(&random, next, 1, SCREE_SPHERES, 3);
        uint8_t flags[40] = {0};
        uint32_t removed[3], count = scree_random_below(&random, 4);
        for (size_t row = 0; row < rows; row++)
            if (scree_random_below(&random, 4) == 0)
                flags[row] = (uint8_t)(1u << scree_random_below(&random, 3));
        if (scene % 5 == 0)
            put(&before, 3, rows / 2, -1);
        before.table.flags = scree_integer_view(flags, 1);
        for (uint32_t k = 0; k < 3; k++)
            removed[k] = k;
        for (int k = 0; k < 2; k++) {
            scree_detector_def def = scree_default_detector_def();
            def.method = "rtree-packed";
            def.unusable = SCREE_SKIP_BODY;
            CHECK_EQUAL(scree_detector_create(&def, &d[k]), SCREE_OK);
            CHECK_EQUAL(scree_detector_update(d[k], &before.table, NULL), SCREE_OK);
            if (rows > 3)
                CHECK_EQUAL(scree_detector_remove(d[k], removed, count), SCREE_OK);
            if (scene % 2)
                CHECK_EQUAL(scree_detector_insert(d[k], &after.table, NULL), SCREE_OK);
        }
        update_both(d[0], d[1], &after);
        /* ids are given out again, alike */
        uint32_t ids[2];
        scree_table one = after.table;
        one.count = 1;
        for (int k = 0; k < 2; k++) {
            CHECK_EQUAL(scree_detector_insert(d[k], &one, &ids[k]), SCREE_OK);
            scree_detector_destroy(d[k]);
        }
        CHECK_EQUAL(ids[0], ids[1]);
        CHECK_EQUAL(ids[0], next);
        free_sheet(&before);
        free_sheet(&after);
    }
}

/* ---- ids and filters ---- */

/*  Columns of integers, each with a stride of its own. */
typedef struct labels
{
    struct
    {
        uint32_t id;
        uint64_t group, mask;
    } row[MAX_ROWS];
    uint32_t owner[MAX_ROWS];
    uint8_t flags[3 * MAX_ROWS];
} labels;

static void shuffle_ids(scree_random *random, labels *l, size_t rows)
{
    for (size_t row = rows - 1; row > 0; row--) {
        size_t other = scree_random_below(random, (uint32_t)row + 1);
        uint32_t id = l->row[row].id;
        l->row[row].id = l->row[other].id;
        l->row[other].id = id;
    }
}

/*  Some of the columns, or all; returns whether the ids are those below `rows`, each once. */
static bool label(scree_random *random, labels *l, sheet *s, size_t rows)
{
    uint32_t kind = scree_random_below(random, 8);
    bool has_passive = scree_random_below(random, 6) == 0, is_whole = true;
    for (size_t row = 0; row < rows; row++) {
        l->row[row].id = (uint32_t)row;
        l->row[row].group = 1ull << scree_random_below(random, 3);
        l->row[row].mask = scree_random_below(random, 8);
        l->owner[row] = scree_random_below(random, 3);
        l->flags[3 * row] = (uint8_t)(scree_random_below(random, 3) ? 0 : SCREE_FIXED);
        if (has_passive && scree_random_below(random, 10) == 0)
            l->flags[3 * row] =
                (uint8_t)(scree_random_below(random, 2) ? SCREE_INFINITE : SCREE_NO_BOUND);
    }
    if (kind >= 4)
        shuffle_ids(random, l, rows);
    if (kind == 6) { /* a hole */
        l->row[scree_random_below(random, (uint32_t)rows)].id = (uint32_t)rows;
        is_whole = false;
    }
    if (kind == 7 && rows > 1) { /* twice the same */
        l->row[rows - 1].id = l->row[0].id;
        is_whole = false;
    }
    if (kind >= 2)
        s->table.ids = scree_integer_view(&l->row[0].id, sizeof l->row[0]);
    if (scree_random_below(random, 3))
        s->table.groups = scree_integer_view(&l->row[0].group, sizeof l->row[0]);
    if (scree_random_below(random, 3))
        s->table.masks = scree_integer_view(&l->row[0].mask, sizeof l->row[0]);
    if (scree_random_below(random, 3))
        s->table.owners = scree_integer_view(l->owner, 4);
    if (scree_random_below(random, 3))
        s->table.flags = scree_integer_view(l->flags, 3);
    return is_whole;
}

static void check_same_pairs(scree_detector *a, scree_detector *b)
{
    const scree_pairs_options canonical = {.canonical = true};
    scree_pairs one, other;
    CHECK_EQUAL(scree_detector_pairs(a, &canonical, &one), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(b, &canonical, &other), SCREE_OK);
    CHECK_EQUAL(one.count, other.count);
    CHECK(one.count == 0 || same_bits(one.first, other.first, one.count * sizeof *one.first));
    CHECK(one.count == 0 || same_bits(one.second, other.second, one.count * sizeof *one.second));
}

/*  Columns come and go from step to step, and so do bodies. */
TEST(ids_and_filters)
{
    static labels l;
    uint32_t plain = 0, shuffled = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        scree_random random = scree_random_stream(seed, 22);
        bool is_large = seed % 100 == 0;
        scree_volume volume = seed % 3 ? SCREE_SPHERES : SCREE_BOXES;
        int dimensions = seed % 4 ? 3 : 2;
        scree_detector *d = open_detector(volume, dimensions, SCREE_SIMD_AUTO, is_large ? 3 : 1);
        scree_detector *reference = open_detector(volume, dimensions, SCREE_SIMD_AUTO, 1);
        for (int step = 0; step < 6; step++) {
            size_t rows = is_large ? MAX_ROWS - scree_random_below(&random, 100)
                                   : 1 + scree_random_below(&random, 300);
            sheet s = make_sheet(&random, rows, (int)scree_random_below(&random, FORMS), volume,
                                 dimensions);
            bool is_whole = label(&random, &l, &s, rows);
            bool is_plain = scree_replace_fits(d, &s.table) && scree_replace_is_usable(d, &s.table);
            CHECK(is_whole || !is_plain);
            plain += is_plain;
            shuffled += is_plain && s.table.ids.data && l.row[0].id != 0;
            scree_status status = scree_detector_update(d, &s.table, NULL);
            CHECK_EQUAL(update_row_by_row(reference, &s.table), status);
            refused += status != SCREE_OK;
            check_same(d, reference);
            if (!is_large)
                check_same_pairs(d, reference);
            free_sheet(&s);
        }
        scree_detector_destroy(d);
        scree_detector_destroy(reference);
    }
    CHECK(plain > 200 && shuffled > 50 && refused > 50);
}

/*  Bodies that were fixed no longer are: a table without flags says so. */
TEST(filters_are_forgotten)
{
    scree_detector *d = open_detector(SCREE_SPHERES, 3, SCREE_SIMD_AUTO, 1);
    const double zero[2] = {0, 0}, one[2] = {1, 1};
    const uint8_t fixed[2] = {SCREE_FIXED, SCREE_FIXED};
    scree_table table = scree_table_spheres(2, scree_doubles(zero, 8), scree_doubles(zero, 8),
                                            scree_doubles(zero, 8), scree_doubles(one, 8));
    scree_pairs pairs;
    table.flags = scree_integer_view(fixed, 1);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 0);
    table.flags.data = NULL;
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
    CHECK_EQUAL(pairs.count, 1);
    scree_detector_destroy(d);
}

/* ---- numbers that cannot be used ---- */

/*  A number that cannot be used, in any row and column: the call says where, and nothing changes. */
static void refuse(uint32_t threads, size_t rows, scree_volume volume, scree_simd simd)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1.0000000001e100, -2e100, 1e300};
    scree_random random = scree_random_stream(20, rows);
    scree_detector *d = open_detector(volume, 3, simd, threads);
    scree_detector *reference = open_detector(volume, 3, simd, threads);
    sheet s = make_sheet(&random, rows, 0, volume, 3);
    update_both(d, reference, &s);
    int columns = volume == SCREE_SPHERES ? 4 : 6;
    for (int k = 0; k < 60; k++) {
        sheet other = make_sheet(&random, rows, k % FORMS, volume, 3);
        size_t row = k < 10 ? rows - 1 : scree_random_below(&random, (uint32_t)rows);
        int column = (int)scree_random_below(&random, (uint32_t)columns);
        double value = bad[k % 6];
        char text[64];
        if (other.column[column].real == SCREE_FLOAT32 && isfinite(value))
            value = NAN;
        put(&other, column, row, value);
        CHECK_EQUAL(scree_detector_update(d, &other.table, NULL), SCREE_BAD_VALUE);
        (void)snprintf(text, sizeof text, "row %zu (body %zu): ", row, row);
        CHECK_SAYS(scree_detector_message(d), text);
        check_same(d, reference);
        free_sheet(&other);
    }
    free_sheet(&s);
    scree_detector_destroy(d);
    scree_detector_destroy(reference);
}

TEST(a_refused_table_changes_nothing)
{
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++) {
        refuse(1, 9, SCREE_SPHERES, simd);
        refuse(1, 777, SCREE_SPHERES, simd);
        refuse(1, 777, SCREE_BOXES, simd);
    }
    refuse(3, MAX_ROWS, SCREE_SPHERES, SCREE_SIMD_AUTO);
    refuse(3, MAX_ROWS, SCREE_BOXES, SCREE_SIMD_AUTO);
}

TEST(limits_are_where_they_were)
{
    scree_detector *d = open_detector(SCREE_SPHERES, 3, SCREE_SIMD_AUTO, 1);
    scree_detector *boxes = open_detector(SCREE_BOXES, 3, SCREE_SIMD_AUTO, 1);
    double number[4] = {1e100, -1e100, -0.0, 1e100}, upper[3] = {1e100, -1e100, 0};
    scree_view low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(&number[k], 8);
        high[k] = scree_doubles(&upper[k], 8);
    }
    scree_table sphere =
        scree_table_spheres(1, low[0], low[1], low[2], scree_doubles(number + 3, 8));
    scree_table box = scree_table_boxes(1, low, high);
    CHECK_EQUAL(scree_detector_update(d, &sphere, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(boxes, &box, NULL), SCREE_OK);
    number[3] = -5e-324;
    CHECK_EQUAL(scree_detector_update(d, &sphere, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(d), "radius is -4.94");
    number[3] = nextafter(1e100, INFINITY);
    CHECK_EQUAL(scree_detector_update(d, &sphere, NULL), SCREE_BAD_VALUE);
    upper[2] = -5e-324;
    CHECK_EQUAL(scree_detector_update(boxes, &box, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_detector_message(boxes), "must be at most upper z");
    scree_detector_destroy(d);
    scree_detector_destroy(boxes);
}

/*  A body to be skipped sends the table the general way; without it the plain way follows. */
TEST(skipped_bodies_come_and_go)
{
    scree_detector_def def = scree_default_detector_def();
    scree_random random = scree_random_stream(21, 0);
    scree_detector *d;
    def.method = "rtree-packed";
    def.unusable = SCREE_SKIP_BODY;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    sheet s = make_sheet(&random, 300, 0, SCREE_SPHERES, 3);
    put(&s, 3, 299, NAN);
    CHECK_EQUAL(scree_detector_update(d, &s.table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(d).rejected, 1);
    CHECK_EQUAL(d->store.active_count, 299);
    put(&s, 3, 299, 1);
    CHECK_EQUAL(scree_detector_update(d, &s.table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(d).rejected, 0);
    CHECK_EQUAL(d->store.active_count, 300);
    free_sheet(&s);
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_form_of_column),       CASE(several_threads),
        CASE(after_other_bodies),         CASE(ids_and_filters),
        CASE(filters_are_forgotten),      CASE(a_refused_table_changes_nothing),
        CASE(limits_are_where_they_were), CASE(skipped_bodies_come_and_go),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
