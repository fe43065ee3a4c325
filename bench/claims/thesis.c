/*  The measuring half: sets of curves, each point measured by interleaved runs of all methods,
   medians kept. Steps before the measured ones let the lattice come apart, so that contacts form
   and break. */
#include "claims/thesis.h"

#include "base/error.h"

#include <string.h>

#define SKIPPED_STEPS 5

/*  A second of quadratic work a step is the most that a point may cost. */
#define QUADRATIC_LIMIT 22500

#define LIMIT_NONE SIZE_MAX

static const scree_thesis_series all_series[] = {
    {.name = "hashing", .method = "hashing", .limit = LIMIT_NONE},
    {.name = "hashing2", .method = "hashing2", .limit = LIMIT_NONE},
    {.name = "cgrid", .method = "cgrid", .limit = LIMIT_NONE},
    {.name = "dess", .method = "dess", .limit = LIMIT_NONE},
    {.name = "dess2", .method = "dess2", .limit = LIMIT_NONE},
    {.name = "spatial-sort-1", .method = "spatial-sort-1", .limit = LIMIT_NONE},
    {.name = "spatial-sort-2", .method = "spatial-sort-2", .limit = LIMIT_NONE},
    {.name = "spatial-sort-3", .method = "spatial-sort-3", .limit = QUADRATIC_LIMIT},
    {.name = "stripe-sort naive", .method = "stripe-sort", .naive = true, .limit = LIMIT_NONE},
    {.name = "stripe-sort", .method = "stripe-sort", .limit = LIMIT_NONE},
    {.name = "rtree", .method = "rtree", .limit = LIMIT_NONE},
    {.name = "dess-rtree", .method = "dess-rtree", .limit = LIMIT_NONE},
    {.name = "bounding-volume", .method = "bounding-volume", .limit = QUADRATIC_LIMIT},
};

static void begin_set(scree_thesis_set *set, const char *title, const char *x_label)
{
    set->title = title;
    set->x_label = x_label;
    for (size_t s = 0; s < SCREE_COUNT_OF(all_series); s++)
        if (scree_method_by_name(all_series[s].method))
            set->series[set->series_count++] = all_series[s];
}

/* ---- one point ---- */

static void keep_point(const scree_entry *entry, double x, scree_thesis_series *series)
{
    size_t k = series->count++;
    double steps = entry->trial.steps;
    series->x[k] = x;
    series->ms[k] = entry->ms;
    series->spread[k] = entry->spread;
    series->ms_update[k] = entry->ms_update;
    series->ms_rest[k] = entry->ms_rest;
    series->tested[k] = (double)entry->measure.tested / steps;
    series->pairs[k] = (double)entry->measure.pairs / steps;
    series->inversions[k] = (double)entry->measure.inversions / steps;
}

/*  All curves of the set that go that far, against each other. */
static scree_status measure_point(const scree_entry *like, double x, uint32_t repeats,
                                  scree_thesis_set *set, scree_error *error)
{
    scree_entry entries[SCREE_THESIS_MAX_SERIES];
    scree_thesis_series *series[SCREE_THESIS_MAX_SERIES];
    size_t count = 0;
    for (size_t s = 0; s < set->series_count; s++) {
        if (like->trial.n > set->series[s].limit)
            continue;
        series[count] = &set->series[s];
        entries[count] = *like;
        entries[count].method = set->series[s].method;
        entries[count].def.stripe_naive = set->series[s].naive;
        entries[count++].group = 1;
    }
    scree_status status = scree_contest_run(entries, count, repeats, error);
    for (size_t e = 0; e < count && status == SCREE_OK; e++)
        keep_point(&entries[e], x, series[e]);
    return status;
}

static scree_status add_point(scree_thesis_set *set, const scree_thesis_options *options,
                              const char *scene, scree_scene_motion_kind motion, size_t n, double x,
                              scree_error *error)
{
    /* small scenes take more steps, so that a run is long against the tick of the clock */
    size_t steps = (options->quick ? 40000 : 100000) / n;
    steps = steps < 4 ? 4 : steps > 100 ? 100 : steps;
    scree_entry like =
        scree_entry_make(NULL, scene, n, options->seed, motion, 0.01, (uint32_t)steps);
    like.trial.skipped = SKIPPED_STEPS;
    if (options->progress)
        fprintf(options->progress, "  %s, %s, %zu bodies\n", set->title, scene, n);
    return measure_point(&like, x, options->quick ? 3 : SCREE_CONTEST_REPEATS, set, error);
}

/* ---- the sets -----------------------------------------------------------------------------------
 */

static scree_status measure_sizes(const scree_thesis_options *options, scree_thesis *thesis,
                                  scree_error *error)
{
    /* squares of 32, 45, 64, 90, 109, 150, 200, 300 */
    static const size_t sizes[] = {1024, 2025, 4096, 8100, 11881, 22500, 40000, 90000};
    size_t count = options->quick ? 5 : SCREE_COUNT_OF(sizes);
    scree_status status = SCREE_OK;
    begin_set(&thesis->test1, "Test 1", "bodies");
    for (size_t k = 0; k < count && status == SCREE_OK; k++)
        status = add_point(&thesis->test1, options, "thesis1", SCREE_MOTION_SPRINGS, sizes[k],
                           (double)sizes[k], error);
    return status;
}

static scree_status measure_ratios(const scree_thesis_options *options, scree_thesis *thesis,
                                   scree_error *error)
{
    char scene[32];
    scree_status status = SCREE_OK;
    begin_set(&thesis->test2, "Test 2", "size ratio");
    begin_set(&thesis->even, "Test 2 at equal contacts", "size ratio");
    for (unsigned ratio = 1; ratio <= 32 && status == SCREE_OK; ratio *= 2) {
        snprintf(scene, sizeof scene, "thesis2:%u", ratio);
        status = add_point(&thesis->test2, options, scene, SCREE_MOTION_SPRINGS, 800, ratio, error);
        snprintf(scene, sizeof scene, "even2:%u", ratio);
        if (status == SCREE_OK)
            status = add_point(&thesis->even, options, scene, SCREE_MOTION_ALL, 800, ratio, error);
    }
    begin_set(&thesis->accuracy, "Accuracy", "size ratio");
    if (status == SCREE_OK)
        status =
            add_point(&thesis->accuracy, options, "even2:4", SCREE_MOTION_NONE, 2000, 4, error);
    return status;
}

/* ---- bodies that leave the domain ---------------------------------------------------------------
 */

/*  A grid is laid for the scene; then every third body flies away, farther each step. *checksum is
    of the pairs of all steps. */
static scree_status scatter(scree_detector *detector, scree_scene *scene, uint64_t *checksum)
{
    scree_status status = SCREE_OK;
    for (int step = 0; step < 8 && status == SCREE_OK; step++) {
        scree_pairs pairs;
        scree_table table = scree_scene_table(scene);
        status = scree_detector_update(detector, &table, NULL);
        if (status == SCREE_OK)
            status = scree_detector_pairs(detector, NULL, &pairs);
        if (status == SCREE_OK)
            *checksum = *checksum * 31 + scree_pairs_checksum(&pairs);
        for (size_t i = 0; i < scene->count; i += 3) {
            scene->centre[0][i] = scene->centre[0][i] * 1.5 - 20;
            scene->centre[1][i] = scene->centre[1][i] * 1.5 - 20;
        }
    }
    return status;
}

static scree_status scatter_method(const char *method, uint64_t seed, uint64_t *checksum,
                                   scree_error *error)
{
    scree_scene scene;
    scree_detector *detector = NULL;
    scree_status status = scree_scene_create("discs", 1500, seed, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = 2;
    def.error = error;
    *checksum = 0;
    status = scree_detector_create(&def, &detector);
    if (status == SCREE_OK) {
        status = scatter(detector, &scene, checksum);
        if (status != SCREE_OK)
            scree_fail(error, status, "%s", scree_detector_message(detector));
    }
    scree_detector_destroy(detector);
    scree_scene_free(&scene);
    return status;
}

static scree_status leave_domain(const scree_thesis_options *options, scree_thesis *thesis,
                                 scree_error *error)
{
    uint64_t right, found;
    scree_status status = scatter_method("bounding-volume", options->seed, &right, error);
    for (size_t m = 0; status == SCREE_OK && scree_method_at(m); m++) {
        status = scatter_method(scree_method_at(m)->name, options->seed, &found, error);
        thesis->left_domain++;
        thesis->survived += status == SCREE_OK && found == right;
    }
    return status;
}

scree_status scree_thesis_run(const scree_thesis_options *options, scree_thesis *thesis,
                              scree_error *error)
{
    memset(thesis, 0, sizeof *thesis);
    scree_status status = leave_domain(options, thesis, error);
    if (status == SCREE_OK)
        status = measure_ratios(options, thesis, error);
    if (status == SCREE_OK)
        status = measure_sizes(options, thesis, error);
    if (status == SCREE_OK)
        scree_thesis_judge(thesis);
    return status;
}
