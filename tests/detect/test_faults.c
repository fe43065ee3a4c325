/*  Everything that can go wrong goes wrong here. Each allocation of a representative run of every
    method fails once, and then all from it on: the status must say so, nothing may leak, and calling
    again must give the right pairs. SCREE_TEST_METHOD names the only method. */
#include "harness/failing_allocator.h"
#include "harness/reference.h"
#include "test.h"

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
        scene_row *row = scene_append_row(scene);
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

static int count_block(const scree_pairs *block, void *user)
{
    uint64_t *count = user;
    *count += block->count;
    return 0;
}

static void search_csr(faulty_run *run)
{
    static const scree_csr_options forms[] = {{false, false}, {true, false}, {true, true}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        scree_csr csr = {1, 1, &(uint32_t){0}, &(uint32_t){0}};
        bool is_found = note(run, scree_detector_csr(run->detector, &forms[k], &csr), "csr");
        if (!is_found && (csr.count || csr.start || csr.neighbor))
            run->wrong = "csr of a failed call";
    }
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
    (void)note(run, scree_detector_for_each_block(run->detector, count_block, &count), "blocks");
    search_csr(run);
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
        status = (step - run->story->scene.steps) % 2 ? scree_detector_clear_all(run->detector)
                                                      : scree_detector_clear(run->detector);
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
            const char *wanted = getenv("SCREE_TEST_METHOD"), *name = scree_method_at(m)->name;
            size_t k = 1;
            if (wanted && strcmp(wanted, name) != 0)
                continue;
            while (run_with_failure(name, &told, k, all_after))
                k += k > 30 ? TEST_EFFORT(5, 1) : 1;
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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_allocation_fails_once),
        CASE(each_allocation_and_all_after_fail),
        CASE(pools_without_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
