/*  Greedy: every change that keeps the failure is kept, and the rounds end when none is left. Calls
    that a change makes wrong are expected to be refused, so nothing can be cut that has no sense. */
#include "shrink.h"
#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shrinker
{
    test_scene *scene;
    check_options options;
    run_report *report;
    uint32_t tries;
    bool is_smaller; /* in this round */
} shrinker;

/*  Takes the changed scene if it still fails; else throws it away. */
static bool keep(shrinker *s, test_scene *changed)
{
    run_report report;
    if (s->tries == 0 || (s->tries--, check_scene(changed, &s->options, &report))) {
        scene_free(changed);
        return false;
    }
    scene_free(s->scene);
    *s->scene = *changed;
    *s->report = report;
    s->is_smaller = true;
    return true;
}

static void cut_rows(test_scene *scene, uint32_t step, uint32_t index)
{
    uint32_t at = scene->steps[step].begin + index;
    memmove(&scene->rows[at], &scene->rows[at + 1],
            (scene->row_count - at - 1) * sizeof *scene->rows);
    scene->row_count--;
    scene->steps[step].count--;
    for (uint32_t s = 0; s < scene->step_count; s++)
        if (scene->steps[s].begin > at)
            scene->steps[s].begin--;
}

static void cut_step(test_scene *scene, uint32_t step)
{
    while (scene->steps[step].count)
        cut_rows(scene, step, scene->steps[step].count - 1);
    memmove(&scene->steps[step], &scene->steps[step + 1],
            (scene->step_count - step - 1) * sizeof *scene->steps);
    scene->step_count--;
}

static void drop_steps(shrinker *s)
{
    test_scene changed = scene_copy(s->scene);
    while (changed.step_count > s->report->step + 1)
        cut_step(&changed, changed.step_count - 1);
    (void)keep(s, &changed);
    for (uint32_t k = s->scene->step_count; k-- > 0;) {
        if (k >= s->scene->step_count)
            continue;
        changed = scene_copy(s->scene);
        cut_step(&changed, k);
        (void)keep(s, &changed);
    }
}

/*  All rows of ids in [begin, end). */
static void drop_ids(shrinker *s, uint32_t begin, uint32_t end)
{
    test_scene changed = scene_copy(s->scene);
    uint32_t before = changed.row_count;
    for (uint32_t k = 0; k < changed.step_count; k++)
        for (uint32_t i = changed.steps[k].count; i-- > 0;) {
            uint32_t id = changed.rows[changed.steps[k].begin + i].id;
            if (id >= begin && id < end)
                cut_rows(&changed, k, i);
        }
    if (changed.row_count == before)
        scene_free(&changed);
    else
        (void)keep(s, &changed);
}

static void drop_bodies(shrinker *s)
{
    uint32_t bound = 0;
    for (uint32_t i = 0; i < s->scene->row_count; i++)
        if (s->scene->rows[i].id >= bound)
            bound = s->scene->rows[i].id + 1;
    for (uint32_t size = (bound + 1) / 2; size > 0 && s->tries; size /= 2)
        for (uint32_t begin = 0; begin < bound && s->tries; begin += size)
            drop_ids(s, begin, begin + size);
}

static void drop_single_rows(shrinker *s)
{
    for (uint32_t k = s->scene->step_count; k-- > 0;) {
        for (uint32_t i = s->scene->steps[k].count; i-- > 0 && s->tries;) {
            test_scene changed = scene_copy(s->scene);
            cut_rows(&changed, k, i);
            (void)keep(s, &changed);
        }
    }
}

static void simplify_form(shrinker *s)
{
    for (int way = 0; way < 12; way++) {
        test_scene changed = scene_copy(s->scene);
        uint32_t columns = changed.columns;
        if (way == 0)
            changed.columns |= SCENE_IDS;
        else if (way <= 4)
            changed.columns &= ~(SCENE_IDS << way);
        if (way == 5)
            changed.floats = changed.padding = 0;
        if (way == 6)
            changed.by_columns = false;
        if (way == 7)
            changed.cell_factor = 1, changed.bin_factor = 1.5, changed.stripe_factor = 2;
        if (way == 8)
            changed.stripe_naive = changed.sort_by_insertion = false;
        if (way == 9)
            changed.rtree_max_entries = 16, changed.rtree_min_entries = 6;
        if (way == 10)
            changed.method_seed = 0;
        for (uint32_t k = 0; way == 11 && k + 1 < changed.step_count; k++)
            changed.steps[k].checks = 0;
        if (way <= 4 && changed.columns == columns)
            scene_free(&changed);
        else {
            bool was_smaller = s->is_smaller;
            (void)keep(s, &changed);
            s->is_smaller = was_smaller; /* another form is no reason for another round */
        }
    }
}

static void round_numbers(shrinker *s)
{
    for (uint32_t i = 0; i < s->scene->row_count && s->tries; i++) {
        for (int k = 0; k < 6; k++) {
            double value = s->scene->rows[i].number[k];
            if (!scene_number_used(s->scene, k) || !isfinite(value) || value == rint(value))
                continue;
            for (double grain = 1; grain <= 64 && s->tries; grain *= 8) {
                test_scene changed = scene_copy(s->scene);
                changed.rows[i].number[k] = rint(value * grain) / grain;
                bool same = changed.rows[i].number[k] == value;
                if (same)
                    scene_free(&changed);
                if (same || keep(s, &changed))
                    break;
            }
        }
    }
}

void shrink_scene(test_scene *scene, const check_options *options, run_report *report,
                  uint32_t tries)
{
    shrinker s = {scene, *options, report, tries, true};
    char method[64];
    memcpy(method, report->method, sizeof method);
    s.options.method = method;
    while (s.is_smaller && s.tries) {
        s.is_smaller = false;
        drop_steps(&s);
        simplify_form(&s);
        if (scene->columns & SCENE_IDS)
            drop_bodies(&s);
        drop_single_rows(&s);
    }
    round_numbers(&s);
}

void report_failure(const test_scene *scene, const check_options *options, const run_report *report)
{
    printf("DIFFERENCE: seed %llu (%s), method %s, step %u, simd %s, threads %u\n  %s\n",
           (unsigned long long)scene->seed, scene->name, report->method, report->step,
           options->all_simd ? "of the seed" : scree_simd_name(options->run.simd),
           options->run.thread_count ? options->run.thread_count : 1, report->text);
    printf("  repeat: campaign detect --scenes 1 --seed %llu --method %s\n",
           (unsigned long long)scene->seed, report->method);
    scene_print(scene);
}

bool check_seed(uint64_t seed, const check_options *options, bool quiet)
{
    run_report report;
    test_scene scene = scene_generate(seed, NULL);
    bool is_fine = check_scene(&scene, options, &report);
    if (!is_fine && !quiet) {
        printf("seed %llu: a difference with method %s; making the scene small\n",
               (unsigned long long)seed, report.method);
        shrink_scene(&scene, options, &report, 4000);
        report_failure(&scene, options, &report);
    }
    scene_free(&scene);
    return is_fine;
}
