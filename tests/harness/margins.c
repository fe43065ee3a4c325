/*  The same scripts as without margins, but updates of all bodies are handed to scree_detector_advance,
    with velocities that are made up: whatever they say, positions are looked at, so no true pair may be
    missing, and the pairs reported are the same for all methods. */
#include "margins.h"

#include "compare.h"

#include <stdlib.h>
#include <string.h>

bool scene_has_margin(const test_scene *scene)
{
    for (uint32_t s = 0; s < scene->step_count; s++)
        if (scene->steps[s].kind == SCENE_INSERT_NEW)
            return false;
    return !scene->coarse && scene->seed % 4 != 0;
}

scree_margin_def scene_margin(const test_scene *scene)
{
    scree_random random = scree_random_stream(scene->seed, 0x3a791);
    scree_margin_def m = scree_default_detector_def().margin;
    m.kind = (scree_margin_kind)scree_random_below(&random, SCREE_MARGIN_PER_BODY + 1);
    m.length = scree_random_log_uniform(&random, 1e-3, 3);
    if (scree_random_below(&random, 4))
        m.length = -m.length;
    m.speed_factor = scree_random_range(&random, 1, 1.1);
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++) {
        m.velocity[kind] = scree_random_below(&random, 2) * scree_random_unit(&random);
        m.extent[kind] = scree_random_below(&random, 3) * scree_random_unit(&random);
    }
    /* bodies may be points */
    m.constant = scree_random_log_uniform(&random, 1e-12, 0.1);
    m.interaction = scree_random_below(&random, 2) * scree_random_unit(&random) * 0.1;
    m.reach = scree_random_below(&random, 2) ? 2 : 1;
    m.bin_count = 1 + scree_random_below(&random, 6);
    m.bin_ratio = scree_random_range(&random, 1.5, 10);
    m.bin_max_change = scree_random_range(&random, -1, 2);
    m.target_steps = scree_random_range(&random, -1, 10);
    m.min_fraction = scree_random_unit(&random);
    return m;
}

void margin_record_free(margin_record *record)
{
    for (uint32_t s = 0; s < record->step_count; s++)
        pair_list_free(&record->steps[s]);
    free(record->steps);
    memset(record, 0, sizeof *record);
}

/* ---- calls ---- */

static scree_status advance(run *r, const scree_table *table)
{
    scree_random random = scree_random_stream(r->scene->seed, 0x3a792 + r->step);
    double *velocity = scene_memory((table->count + 1) * 3 * sizeof *velocity);
    uint8_t *kinds = scene_memory(table->count + 1);
    double speed = scree_random_log_uniform(&random, 1e-6, 10);
    double dt = scree_random_log_uniform(&random, 1e-3, 10);
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (size_t i = 0; i < table->count; i++) {
        kinds[i] = (uint8_t)(i % SCREE_PIECE_KINDS);
        for (int k = 0; k < 3; k++)
            velocity[3 * i + (size_t)k] = scree_random_range(&random, -speed, speed);
    }
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(velocity + k, 3 * sizeof *velocity);
    motion.kinds = scree_integer_view(kinds, 1);
    scree_status status = scree_detector_advance(r->detector, table, &motion, dt, NULL);
    free(velocity);
    free(kinds);
    return status;
}

static scree_status play(run *r, const scene_step *step)
{
    scene_table made = scene_table_make(r->scene, step);
    scree_rows rows = {made.dirty, made.dirty_count};
    uint32_t *ids = scene_memory((step->count + 1) * sizeof *ids);
    scree_status status = SCREE_OK;
    for (uint32_t i = 0; i < step->count; i++)
        ids[i] = r->scene->rows[step->begin + i].id;
    switch (step->kind) {
    case SCENE_UPDATE:
        status = advance(r, &made.table);
        break;
    case SCENE_DIRTY:
        status = scree_detector_update(r->detector, &made.table, &rows);
        break;
    case SCENE_INSERT:
        status = scree_detector_insert(r->detector, &made.table, NULL);
        break;
    case SCENE_REMOVE:
        status = scree_detector_remove(r->detector, ids, step->count);
        break;
    case SCENE_CLEAR:
        status = scree_detector_clear(r->detector);
        break;
    default: /* queries see enlarged volumes: they have tests of their own */
        break;
    }
    scene_table_free(&made);
    free(ids);
    return status;
}

/* ---- results ---- */

static int order(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

static void check_true_pairs(run *r, const pair_list *found)
{
    const pair_list *must = &r->expected->steps[r->step].pairs;
    for (size_t k = 0; k < must->count && !r->report->failed; k++)
        if (!found->count ||
            !bsearch(must->pair[k], found->pair, found->count, sizeof *found->pair, order))
            run_fail(r, "margin of kind %d: true pair {%u, %u} is missing",
                     (int)scene_margin(r->scene).kind, must->pair[k][0], must->pair[k][1]);
}

static void check_pairs(run *r, margin_record *record, bool is_first)
{
    scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    pair_list found = {0};
    if (scree_detector_pairs(r->detector, &canonical, &pairs)) {
        run_fail(r, "pairs: %s", scree_detector_message(r->detector));
        return;
    }
    for (uint64_t k = 0; k < pairs.count; k++)
        pair_list_add(&found, pairs.first[k], pairs.second[k]);
    check_true_pairs(r, &found);
    pair_list *before = &record->steps[r->step];
    if (is_first) {
        *before = found;
        return;
    }
    if (found.count != before->count ||
        (found.count && memcmp(found.pair, before->pair, found.count * sizeof *found.pair) != 0))
        run_fail(r, "margin of kind %d: %zu pairs, not the %zu of the first method",
                 (int)scene_margin(r->scene).kind, found.count, before->count);
    pair_list_free(&found);
}

void run_scene_with_margin(expectation *expected, const char *method, const run_options *options,
                           margin_record *record, run_report *report)
{
    bool is_first = !record->steps;
    run r;
    scree_error why = {SCREE_OK, ""};
    memset(&r, 0, sizeof r);
    r.scene = expected->scene;
    r.expected = expected;
    r.report = report;
    if (is_first) {
        record->step_count = r.scene->step_count;
        record->steps = scene_memory((record->step_count + 1) * sizeof *record->steps);
    }
    scree_detector_def def = scene_def(r.scene, method);
    def.margin = scene_margin(r.scene);
    def.simd = options->simd;
    def.tasks = options->tasks;
    def.allocator = failing_allocator_hooks(&r.memory);
    def.error = &why;
    if (scree_detector_create(&def, &r.detector)) {
        run_fail(&r, "create with a margin fails: %s", why.text);
        return;
    }
    for (r.step = 0; r.step < r.scene->step_count && !report->failed; r.step++) {
        const scene_step *step = &r.scene->steps[r.step];
        scree_status status = play(&r, step);
        if (step->kind != SCENE_QUERY && !(expected->steps[r.step].statuses & (1u << status)))
            run_fail(&r, "with a margin of kind %d: \"%s\" (%s), expected are statuses %x",
                     (int)def.margin.kind, scree_status_name(status),
                     scree_detector_message(r.detector), expected->steps[r.step].statuses);
        if (!report->failed && step->checks)
            check_pairs(&r, record, is_first);
    }
    scree_detector_destroy(r.detector);
    if (!failing_allocator_is_clean(&r.memory))
        run_fail(&r, "with a margin: %zu blocks are held after destroy",
                 (size_t)r.memory.live_blocks);
}
