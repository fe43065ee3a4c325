/*  The scene is made again for each run, so a run is a function of its trial alone. Only the calls
   of the detector are inside the clock; moving the bodies and checking the pairs are not. */
#include "measure/measure.h"

#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- checksums ----------------------------------------------------------------------------------
 */

/*  The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection, so two pairs never collide.
 */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t scree_pairs_checksum(const scree_pairs *pairs)
{
    uint64_t sum = mix(pairs->count);
    for (uint64_t k = 0; k < pairs->count; k++)
        sum += mix((uint64_t)pairs->first[k] << 32 | pairs->second[k]);
    return sum;
}

/* ---- statistics ---------------------------------------------------------------------------------
 */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double scree_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare_doubles);
    size_t half = count / 2;
    return count % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double scree_fit_exponent(const double *x, const double *y, size_t count)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] > 0 && y[i] > 0))
            continue;
        double u = log(x[i]), v = log(y[i]);
        n += 1;
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    double spread = n * sxx - sx * sx;
    return n >= 2 && spread > 0 ? (n * sxy - sx * sy) / spread : 0;
}

/* ---- running ------------------------------------------------------------------------------------
 */

/*  What the scene says: its shape, and its box as the cell or the domain. */
static scree_status fit_def(const scree_trial *trial, scree_detector_def *def, scree_error *error)
{
    scree_scene scene;
    /* a periodic cell needs the box of all bodies; else the kind of scene is enough */
    size_t n = trial->periodic || trial->in_box ? trial->n : 0;
    scree_status status = scree_scene_create(trial->scene, n, trial->seed, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    if (trial->periodic && !scene.fills_box)
        status = scree_fail(error, SCREE_BAD_ARGUMENT, "periodic: the scene \"%s\" has no box",
                            trial->scene);
    def->dimensions = scene.dimensions;
    def->volume = scene.volume;
    for (int k = 0; k < scene.dimensions; k++) {
        if (trial->periodic)
            def->period[k] = scene.upper[k] - scene.lower[k];
        if (trial->in_box) {
            def->cell_space.lower[k] = scene.lower[k];
            def->cell_space.upper[k] = scene.upper[k];
        }
    }
    scree_scene_free(&scene);
    return status;
}

scree_status scree_runner_create(const scree_trial *trial, const char *method,
                                 const scree_detector_def *parameters, scree_runner *runner,
                                 scree_error *error)
{
    memset(runner, 0, sizeof *runner);
    runner->trial = *trial;

    scree_detector_def def = parameters ? *parameters : scree_default_detector_def();
    scree_status status = fit_def(trial, &def, error);
    if (status != SCREE_OK)
        return status;
    def.method = method;
    def.simd = trial->simd;
    def.thread_count = trial->threads;
    def.error = error;

    status = scree_memory_init(&runner->memory, NULL);
    if (status == SCREE_OK)
        status = scree_memory_take(&runner->memory, (size_t)trial->steps + trial->skipped,
                                   sizeof *runner->step_checksum, &runner->step_checksum);
    if (status != SCREE_OK)
        return scree_fail(error, status, "bench: no memory for %u steps", trial->steps);
    status = scree_detector_create(&def, &runner->detector);
    if (status != SCREE_OK)
        scree_runner_free(runner);
    return status;
}

void scree_runner_free(scree_runner *runner)
{
    scree_detector_destroy(runner->detector);
    runner->detector = NULL;
    scree_memory_give(&runner->memory, &runner->step_checksum,
                      (size_t)runner->trial.steps + runner->trial.skipped,
                      sizeof *runner->step_checksum);
}

double scree_thread_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*  The detector learns of the step; *ran says whether its pairs may be others now. */
static scree_status tell_detector(scree_runner *runner, scree_mover *mover, bool first,
                                  scree_advance *did)
{
    const scree_scene *scene = mover->scene;
    scree_rows rows;
    scree_table table = scree_scene_table(scene);
    if (!runner->trial.advances) {
        did->ran = true;
        return scree_detector_update(runner->detector, &table,
                                     first ? NULL : scree_mover_dirty(mover, &rows));
    }
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < scene->dimensions; k++)
        motion.velocity[k] = scree_doubles(scene->velocity[k], sizeof(double));
    return scree_detector_advance(runner->detector, &table, &motion, 1, did);
}

/*  Update and search of one step, timed. A step that maps no body needs no search: the pairs are
    those found last. */
static scree_status detect_step(scree_runner *runner, scree_mover *mover, bool first,
                                scree_measure *measure)
{
    scree_pairs pairs = {0, NULL, NULL};
    scree_advance did = {false, 0, 0, 0};
    double begin = scree_clock_seconds(), begin_cpu = scree_thread_seconds();
    scree_status status = tell_detector(runner, mover, first, &did);
    measure->sec_update += scree_thread_seconds() - begin_cpu;
    if (status == SCREE_OK && did.ran)
        status = scree_detector_pairs(runner->detector, NULL, &pairs);
    measure->sec_cpu += scree_thread_seconds() - begin_cpu;
    measure->sec += scree_clock_seconds() - begin;
    if (status != SCREE_OK)
        return status;
    scree_stats stats = scree_detector_stats(runner->detector);
    if (did.ran) {
        runner->pairs = pairs.count;
        pairs.count -= runner->trial.lie && pairs.count > 0;
        runner->sum = scree_pairs_checksum(&pairs);
        measure->tested += stats.tested;
        measure->inversions += stats.inversions;
    }
    measure->runs += did.ran;
    measure->mapped += did.mapped;
    measure->late += did.late;
    measure->pairs += runner->pairs;
    measure->bytes = stats.bytes;
    return SCREE_OK;
}

/*  The bodies move on: springs want the pairs in order, which is not part of the measured search.
 */
static scree_status move_step(scree_runner *runner, scree_mover *mover, double *sec)
{
    scree_pairs pairs = {0, NULL, NULL};
    if (mover->motion.kind == SCREE_MOTION_SPRINGS) {
        scree_pairs_options options = {.canonical = true};
        scree_status status = scree_detector_pairs(runner->detector, &options, &pairs);
        if (status != SCREE_OK)
            return status;
    }
    double begin = scree_thread_seconds();
    scree_mover_step(mover, &pairs);
    *sec += scree_thread_seconds() - begin;
    return SCREE_OK;
}

static scree_status run_steps(scree_runner *runner, scree_mover *mover, scree_measure *measure)
{
    uint32_t skipped = runner->trial.skipped, total = runner->trial.steps + skipped;
    scree_stats before = scree_detector_stats(runner->detector);
    for (uint32_t step = 0; step < total; step++) {
        scree_status status = detect_step(runner, mover, step == 0, measure);
        if (status != SCREE_OK)
            return status;
        scree_stats stats = scree_detector_stats(runner->detector);
        runner->step_checksum[step] = runner->sum;
        if (step + 1 < total)
            status = move_step(runner, mover, &measure->sec_rest);
        if (status != SCREE_OK)
            return status;
        if (step < skipped) {
            /* all that was measured so far is forgotten */
            memset(measure, 0, sizeof *measure);
            before = stats;
            continue;
        }
        measure->remapped = stats.remapped - before.remapped;
        measure->rebuilds = stats.rebuilds - before.rebuilds;
        measure->checksum = mix(measure->checksum ^ runner->sum);
    }
    return SCREE_OK;
}

scree_status scree_runner_run(scree_runner *runner, scree_measure *measure, scree_error *error)
{
    const scree_trial *trial = &runner->trial;
    scree_scene scene;
    scree_mover mover;
    memset(measure, 0, sizeof *measure);
    scree_status status =
        scree_scene_create(trial->scene, trial->n, trial->seed, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    status = scree_mover_create(&scene, trial->motion, trial->seed, &mover, error);
    if (status == SCREE_OK) {
        status = scree_detector_clear(runner->detector);
        if (status == SCREE_OK)
            status = run_steps(runner, &mover, measure);
        if (status != SCREE_OK)
            scree_fail(error, status, "%s", scree_detector_message(runner->detector));
        scree_explanation why = scree_detector_explain(runner->detector);
        measure->method = why.method;
        measure->reason = why.reason;
        scree_mover_free(&mover);
    }
    scree_scene_free(&scene);
    return status;
}

/* ---- what would take too long ------------------------------------------------------------------- */

/*  Memory at n from a power law through n/32 and n/8: bytes do not vary from run to run. */
static scree_status predict_bytes(const scree_trial *trial, const char *method, double *bytes,
                                  scree_error *error)
{
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        scree_trial small = *trial;
        scree_runner runner;
        scree_measure measure;
        small.n = trial->n / (k ? 8 : 32);
        small.steps = 1;
        small.skipped = 0;
        scree_status status = scree_runner_create(&small, method, NULL, &runner, error);
        if (status != SCREE_OK)
            return status;
        status = scree_runner_run(&runner, &measure, error);
        scree_runner_free(&runner);
        if (status != SCREE_OK)
            return status;
        x[k] = (double)small.n;
        y[k] = (double)measure.bytes;
    }
    *bytes = y[1] * pow(8, scree_fit_exponent(x, y, 2));
    return SCREE_OK;
}

scree_status scree_find_hindrance(const scree_trial *trial, const char *method,
                                  scree_hindrance *hindrance, scree_error *error)
{
    scree_scene scene;
    const scree_method_info *info = scree_method_by_name(method);
    hindrance->text[0] = 0;
    if (trial->n <= SCREE_QUADRATIC_LIMIT || !info)
        return SCREE_OK;
    scree_status status = scree_scene_create(trial->scene, 0, 0, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    double exponent = info->exponent[scene.dimensions - 2], bytes = 0;
    scree_scene_free(&scene);
    if (info->capabilities & SCREE_METHOD_QUADRATIC || exponent >= 1.9) {
        snprintf(hindrance->text, sizeof hindrance->text, "its cost is quadratic");
        return SCREE_OK;
    }
    status = predict_bytes(trial, method, &bytes, error);
    if (status == SCREE_OK && bytes > SCREE_BYTES_LIMIT)
        snprintf(hindrance->text, sizeof hindrance->text, "it would take about %.1f GB",
                 bytes / 1e9);
    return status;
}
