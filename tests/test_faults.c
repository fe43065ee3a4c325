/*  Everything that can go wrong goes wrong here. Each allocation of a representative run of every
    method fails once, and then all from it on: the status must say so, nothing may leak, and calling
    again must give the right pairs. And callers who hand over nonsense are told what it is, and
    nothing changes. */
#include "failing_allocator.h"
#include "harness/reference.h"
#include "test.h"

#include <math.h>

/* ---- a representative run ---- */

/*  What is done, and the pairs after each step. */
#define STORY_STEPS 9u
typedef struct story
{
    test_scene scene;
    pair_list after[STORY_STEPS];
} story;

/*  The story told to one detector. Statuses other than "out of memory" are wrong. */
typedef struct faulty_run
{
    failing_allocator memory;
    scree_detector *detector;
    const story *story;
    uint32_t failures; /* calls that ran out of memory */
    const char *wrong; /* the first call with another status, or wrong pairs */
} faulty_run;

#define RUN_BODIES 120u /* rows of the largest step */

static void add_bodies(test_scene *scene, uint32_t first, uint32_t count, double shift)
{
    for (uint32_t i = 0; i < count; i++) {
        scene_row *row = scene_add_row(scene);
        row->id = first + i;
        row->chosen = i % 3 == 0;
        row->number[0] = row->id % 6 + shift;
        row->number[1] = row->id / 6 % 6;
        row->number[2] = row->id / 36;
        row->number[3] = 0.5 + 0.1 * (row->id % 4);
        row->group = row->id % 5 ? UINT64_MAX : 1;
        row->mask = UINT64_MAX;
        row->owner = row->id % 20 == 0;
        row->flags = row->id % 97 == 5 ? SCREE_INFINITE : 0;
    }
}

/*  Build, move, dirty, insert both ways, remove, search in all ways, ask, clear, build again. */
static void write_scene(test_scene *scene, scree_volume volume)
{
    memset(scene, 0, sizeof *scene);
    scene->dimensions = 3;
    scene->volume = volume;
    scene->columns = SCENE_IDS | SCENE_GROUPS | SCENE_MASKS | SCENE_OWNERS | SCENE_FLAGS;
    scene->cell_factor = 1;
    scene->bin_factor = 1.5;
    scene->stripe_factor = 2;
    scene->rtree_max_entries = 8;
    scene->rtree_min_entries = 3;
    static const scene_step_kind kinds[STORY_STEPS] = {SCENE_UPDATE, SCENE_UPDATE, SCENE_DIRTY,
                                                       SCENE_INSERT, SCENE_REMOVE, SCENE_INSERT_NEW,
                                                       SCENE_QUERY,  SCENE_CLEAR,  SCENE_UPDATE};
    static const uint32_t first[STORY_STEPS] = {0, 0, 0, 120, 40, 160, 0, 0, 20};
    static const uint32_t count[STORY_STEPS] = {120, 120, 120, 30, 20, 15, 0, 0, 90};
    for (size_t k = 0; k < STORY_STEPS; k++) {
        scene_step *step = scene_add_step(scene, kinds[k]);
        step->query = scree_query_nearest((const double[3]){4, 4, 1}, 200);
        step->checks = SCENE_CHECK_ALL;
        add_bodies(scene, first[k], count[k], 0.25 * (double)k);
    }
    for (uint32_t i = 0; i < scene->row_count && volume == SCREE_BOXES; i++)
        for (int k = 0; k < 3; k++)
            scene->rows[i].number[3 + k] = scene->rows[i].number[k] + 0.9;
}

static void story_make(story *made, scree_volume volume)
{
    reference_model model;
    uint32_t ids[RUN_BODIES + 1];
    memset(made, 0, sizeof *made);
    write_scene(&made->scene, volume);
    reference_init(&model, &made->scene, REFERENCE_HONEST);
    for (uint32_t s = 0; s < STORY_STEPS; s++) {
        (void)reference_step(&model, &made->scene.steps[s], ids);
        reference_pairs(&model, false, &made->after[s]);
    }
    reference_free(&model);
}

static void story_free(story *made)
{
    for (uint32_t s = 0; s < STORY_STEPS; s++)
        pair_list_free(&made->after[s]);
    scene_free(&made->scene);
}

/*  Whether a call succeeded; nothing but memory may have been missing. */
static bool note(faulty_run *run, scree_status status, const char *call)
{
    if (status == SCREE_OK)
        return true;
    if (status != SCREE_OUT_OF_MEMORY || !scree_detector_message(run->detector)[0])
        run->wrong = run->wrong ? run->wrong : call;
    run->failures++;
    return false;
}

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    uint64_t *count = user;
    (*count)++;
    return first >= second;
}

static void search(faulty_run *run)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_neighbors_options half = {.half = true};
    scree_neighbors neighbors;
    scree_pairs pairs;
    uint64_t count = 0;
    scree_query box = scree_query_box((const double[3]){0, 0, 0}, (const double[3]){5, 5, 5});
    scree_query near = scree_query_nearest((const double[3]){4, 4, 1}, 50);
    scree_hit hits[400];
    size_t hit_count;
    scree_error why;
    (void)note(run, scree_detector_pairs(run->detector, NULL, &pairs), "pairs");
    (void)note(run, scree_detector_pairs(run->detector, &canonical, &pairs), "canonical pairs");
    (void)note(run, scree_detector_for_each_pair(run->detector, count_pair, &count), "for each");
    (void)note(run, scree_detector_neighbors(run->detector, NULL, &neighbors), "neighbors");
    (void)note(run, scree_detector_neighbors(run->detector, &half, &neighbors), "half neighbors");
    for (int k = 0; k < 2; k++) {
        scree_status status =
            scree_detector_hits(run->detector, k ? &box : &near, hits, 400, &hit_count, &why);
        if (status && (status != SCREE_OUT_OF_MEMORY || !why.text[0]))
            run->wrong = run->wrong ? run->wrong : "hits";
        run->failures += status == SCREE_OUT_OF_MEMORY;
    }
}

static scree_status call_step(faulty_run *run, const scene_step *step)
{
    scene_table made = scene_table_make(&run->story->scene, step);
    scree_rows dirty = {made.dirty, made.dirty_count};
    uint32_t *ids = scene_memory((step->count + 1) * sizeof *ids);
    scree_status status = SCREE_OK;
    for (uint32_t i = 0; i < step->count; i++)
        ids[i] = run->story->scene.rows[step->begin + i].id;
    switch (step->kind) {
    case SCENE_UPDATE:
        status = scree_detector_update(run->detector, &made.table, NULL);
        break;
    case SCENE_DIRTY:
        status = scree_detector_update(run->detector, &made.table, &dirty);
        break;
    case SCENE_INSERT:
    case SCENE_INSERT_NEW:
        status = scree_detector_insert(run->detector, &made.table, NULL);
        break;
    case SCENE_REMOVE:
        status = scree_detector_remove(run->detector, ids, step->count);
        break;
    case SCENE_CLEAR:
        status = scree_detector_clear(run->detector);
        break;
    default:
        break;
    }
    free(ids);
    scene_table_free(&made);
    return status;
}

/*  The pairs of the detector, found without failures, are these. */
static bool pairs_are(faulty_run *run, const pair_list *list)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    if (scree_detector_pairs(run->detector, &canonical, &pairs) || pairs.count != list->count)
        return false;
    for (size_t k = 0; k < list->count; k++)
        if (pairs.first[k] != list->pair[k][0] || pairs.second[k] != list->pair[k][1])
            return false;
    return true;
}

static void play(faulty_run *run)
{
    static const pair_list none = {0};
    for (uint32_t s = 0; s < STORY_STEPS && !run->wrong; s++) {
        const scene_step *step = &run->story->scene.steps[s];
        const pair_list *after = &run->story->after[s];
        const pair_list *before = s ? &run->story->after[s - 1] : &none;
        bool failed = !note(run, call_step(run, step), "a change");
        if (!failed)
            search(run);
        if (!run->memory.failures)
            continue;
        /* memory is back: the detector is in one of two states, and calling again is right */
        size_t fail_at = run->memory.fail_at;
        run->memory.fail_at = 0;
        if (!pairs_are(run, after) && !(failed && pairs_are(run, before)))
            run->wrong = "pairs after a failure";
        else if (failed && (call_step(run, step) || !pairs_are(run, after)))
            run->wrong = "the call made again";
        run->memory.fail_at = run->memory.fail_all_after ? fail_at : 0;
    }
}

/*  The k-th allocation fails. Returns whether there was a k-th. */
static bool run_with_failure(const char *method, const story *told, size_t k, bool all_after)
{
    faulty_run run;
    scree_error why = {SCREE_OK, ""};
    memset(&run, 0, sizeof run);
    run.memory.fail_at = k;
    run.memory.fail_all_after = all_after;
    run.story = told;
    scree_detector_def def = scene_def(&told->scene, method);
    def.allocator = failing_allocator_hooks(&run.memory);
    def.error = &why;
    scree_status status = scree_detector_create(&def, &run.detector);
    if (status == SCREE_OK)
        play(&run);
    else if (status != SCREE_OUT_OF_MEMORY || !why.text[0] || run.detector)
        run.wrong = "create";
    bool reached = run.memory.failures > 0;
    scree_detector_destroy(run.detector);
    bool is_clean = failing_allocator_is_clean(&run.memory);
    if (run.wrong)
        FAIL("%s, allocation %zu fails%s: %s is wrong", method, k,
             all_after ? " and all after" : "", run.wrong);
    if (!is_clean)
        FAIL("%s, allocation %zu fails%s: memory is lost", method, k,
             all_after ? " and all after" : "");
    if (all_after && reached && !status && !run.failures)
        FAIL("%s, all allocations from %zu fail: no call says so", method, k);
    return reached;
}

static void fail_every_allocation(bool all_after)
{
    for (int volume = SCREE_SPHERES; volume <= SCREE_BOXES; volume++) {
        static story told;
        story_make(&told, (scree_volume)volume);
        for (size_t m = 0; m < scree_method_count(); m++) {
            size_t k = 1;
            while (run_with_failure(scree_method_at(m)->name, &told, k, all_after))
                k++;
            /* a run with so few allocations would test nothing */
            CHECK(k > 15);
        }
        story_free(&told);
    }
}

TEST(each_allocation_fails_once)
{
    fail_every_allocation(false);
}

TEST(each_allocation_and_all_after_fail)
{
    fail_every_allocation(true);
}

TEST(pools_without_memory)
{
    for (size_t k = 1; k < 10; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_pool *pool = NULL;
        scree_status status = scree_pool_create(3, &hooks, &pool);
        CHECK((status == SCREE_OK) == (pool != NULL));
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        scree_pool_destroy(pool);
        CHECK(failing_allocator_is_clean(&memory));
        if (status == SCREE_OK)
            return;
    }
    FAIL("a pool needs ten allocations");
}

/* ---- nonsense ---- */

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

#define REFUSE(field, value, status, says)                         \
    do {                                                           \
        scree_detector_def refused = scree_default_detector_def(); \
        refused.field = value;                                     \
        refuse_def(&refused, status, says);                        \
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
    CHECK_EQUAL(scree_detector_hits(NULL, &query, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_method(NULL) == NULL);
    CHECK_TEXT(scree_detector_message(NULL), "");
    CHECK_EQUAL(scree_detector_stats(NULL).bodies, 0);
    scree_detector_destroy(NULL);
    open_subject(0);
    CHECK_EQUAL(scree_detector_pairs(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_neighbors(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_for_each_pair(subject, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(subject, &query, NULL, 5, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(subject, NULL, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    close_subject();
}

/*  A thousand rounds of clear and reuse keep the memory they have. */
TEST(clear_and_reuse)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        open_subject(m);
        scree_table table = good_table();
        scree_pairs pairs;
        size_t requests = 0;
        for (int round = 0; round < 1000; round++) {
            CHECK_EQUAL(scree_detector_clear(subject), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(subject, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, 0);
            CHECK_EQUAL(scree_detector_update(subject, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_pairs(subject, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, 2);
            if (round == 10)
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
        CASE(each_allocation_fails_once),
        CASE(each_allocation_and_all_after_fail),
        CASE(pools_without_memory),
        CASE(tables_of_the_wrong_form),
        CASE(counts_without_end),
        CASE(numbers_that_cannot_be),
        CASE(boxes_inside_out),
        CASE(ids_that_are_not_there),
        CASE(room_that_is_too_small),
        CASE(definitions_out_of_range),
        CASE(null_detectors),
        CASE(clear_and_reuse),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
