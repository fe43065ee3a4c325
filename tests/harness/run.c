/*  One scene, one method: makes each call of the script, holds its status and its results against the
    expectation, and stops at the first difference with a sentence that names it. */
#include "run.h"
#include "compare.h"
#include "margins.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_fail(run *r, const char *format, ...)
{
    va_list arguments;
    if (r->report->failed)
        return;
    r->report->failed = true;
    r->report->step = r->step;
    va_start(arguments, format);
    (void)vsnprintf(r->report->text, sizeof r->report->text, format, arguments);
    va_end(arguments);
}

static bool check_status(run *r, scree_status status, const char *call)
{
    const expected_step *e = &r->expected->steps[r->step];
    const char *message = scree_detector_message(r->detector);
    if (!(e->statuses & (1u << status))) {
        run_fail(r, "%s gives \"%s\" (%s), expected are statuses %x", call,
                 scree_status_name(status), message, e->statuses);
        return false;
    }
    if (status && !message[0])
        run_fail(r, "%s gives \"%s\" without a message", call, scree_status_name(status));
    return !status;
}

/* ---- calls ---- */

static void play_insert(run *r, const scene_step *step, const scene_table *made)
{
    const expected_step *e = &r->expected->steps[r->step];
    uint32_t *ids = scene_memory((step->count + 1) * sizeof *ids);
    scree_status status = scree_detector_insert(r->detector, &made->table, ids);
    if (check_status(r, status, "insert"))
        for (uint32_t i = 0; i < step->count && !made->table.ids.data; i++)
            if (ids[i] != e->ids[i])
                run_fail(r, "insert gives row %u the id %u, not %u", i, ids[i], e->ids[i]);
    free(ids);
}

static void play_remove(run *r, const scene_step *step)
{
    uint32_t *ids = scene_memory((step->count + 1) * sizeof *ids);
    for (uint32_t i = 0; i < step->count; i++)
        ids[i] = r->scene->rows[step->begin + i].id;
    (void)check_status(r, scree_detector_remove(r->detector, ids, step->count), "remove");
    free(ids);
}

static void play_table(run *r, const scene_step *step)
{
    scene_table made = scene_table_make(r->scene, step);
    scree_rows rows = {made.dirty, made.dirty_count};
    if (step->kind == SCENE_UPDATE)
        (void)check_status(r, scree_detector_update(r->detector, &made.table, NULL), "update");
    else if (step->kind == SCENE_DIRTY)
        (void)check_status(r, scree_detector_update(r->detector, &made.table, &rows),
                           "dirty update");
    else
        play_insert(r, step, &made);
    scene_table_free(&made);
}

static void check_stats(run *r, const scene_step *step)
{
    const expected_step *e = &r->expected->steps[r->step];
    scree_stats stats = scree_detector_stats(r->detector);
    if (stats.bodies != e->body_count)
        run_fail(r, "stats.bodies is %llu, not %u", (unsigned long long)stats.bodies,
                 e->body_count);
    if (step->kind == SCENE_UPDATE && (e->statuses & 1u) && stats.rejected != e->rejected)
        run_fail(r, "stats.rejected is %llu, not %u", (unsigned long long)stats.rejected,
                 e->rejected);
    if (stats.bytes != r->memory.live_bytes)
        run_fail(r, "stats.bytes is %llu, allocated are %zu", (unsigned long long)stats.bytes,
                 (size_t)r->memory.live_bytes);
}

static void play_step(run *r, const scene_step *step)
{
    switch (step->kind) {
    case SCENE_REMOVE:
        play_remove(r, step);
        break;
    case SCENE_CLEAR:
        if (r->step % 2)
            (void)check_status(r, scree_detector_clear_all(r->detector), "clear all");
        else
            (void)check_status(r, scree_detector_clear(r->detector), "clear");
        break;
    case SCENE_QUERY:
        compare_query(r, step);
        break;
    default:
        play_table(r, step);
    }
    if (!r->report->failed)
        check_stats(r, step);
    if (!r->report->failed && step->checks)
        compare_pairs(r, step->checks);
}

void run_scene(expectation *expected, const char *method, const run_options *options,
               run_report *report)
{
    run r;
    scree_error why = {SCREE_OK, ""};
    memset(&r, 0, sizeof r);
    memset(report, 0, sizeof *report);
    r.scene = expected->scene;
    r.expected = expected;
    r.report = report;
    report->sequence = 0xcbf29ce484222325u;
    (void)snprintf(report->method, sizeof report->method, "%s", method);

    scree_detector_def def = scene_def(r.scene, method);
    def.simd = options->simd;
    def.tasks = options->tasks;
    def.allocator = failing_allocator_hooks(&r.memory);
    def.error = &why;
    if (scree_detector_create(&def, &r.detector)) {
        run_fail(&r, "create fails: %s", why.text);
        return;
    }
    for (r.step = 0; r.step < r.scene->step_count && !report->failed; r.step++)
        play_step(&r, &r.scene->steps[r.step]);
    scree_detector_destroy(r.detector);
    if (!failing_allocator_is_clean(&r.memory))
        run_fail(&r,
                 "after destroy %zu blocks of %zu bytes are held, %zu were given back with a "
                 "wrong size",
                 (size_t)r.memory.live_blocks, (size_t)r.memory.live_bytes,
                 (size_t)r.memory.wrong_sizes);
}

/* ---- all methods ---- */

uint32_t simd_levels(scree_simd levels[SCREE_SIMD_AVX512])
{
    uint32_t count = 1;
    levels[0] = SCREE_SIMD_SCALAR;
    for (int level = SCREE_SIMD_SCALAR + 1; level <= SCREE_SIMD_AVX512; level++)
        if (scree_simd_resolve((scree_simd)level) == (scree_simd)level)
            levels[count++] = (scree_simd)level;
    return count;
}

static bool has_queries(const test_scene *scene)
{
    for (uint32_t s = 0; s < scene->step_count; s++)
        if (scene->steps[s].kind == SCENE_QUERY)
            return true;
    return false;
}

bool check_scene(const test_scene *scene, const check_options *options, run_report *report)
{
    expectation expected;
    scree_simd levels[SCREE_SIMD_AVX512];
    uint32_t level_count = simd_levels(levels);
    bool asks = has_queries(scene);
    margin_record record = {NULL, 0};
    memset(report, 0, sizeof *report);
    expectation_init(&expected, scene, options->lie);
    for (size_t m = 0; m < scree_method_count() && !report->failed; m++) {
        const char *name = scree_method_at(m)->name;
        run_options with = options->run;
        if (options->method && strcmp(name, options->method) != 0 && !(asks && m == 0))
            continue;
        if (options->all_simd)
            with.simd = levels[(scene->seed + m) % level_count];
        run_scene(&expected, name, &with, report);
        if (!report->failed && scene_has_margin(scene))
            run_scene_with_margin(&expected, name, &with, &record, report);
    }
    margin_record_free(&record);
    expectation_free(&expected);
    return !report->failed;
}
