/*  Each case has its own detector, kept from run to run, and runs a few times in a row, of which the least
    counts: what another case left in the caches costs the first of them alone. */
#include "cases/columns.h"

#include "base/clock.h"
#include "base/common.h"
#include "base/error.h"
#include "base/random.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

/*  Runs of a case in a row. */
#define RUNS 3

/*  Of the smallest radius. */
#define SKIN 0.1

const char *const scree_column_case_names[] = {
    "bare",    "ids",      "mixed ids",      "flags",      "groups",    "masks",
    "owners",  "periodic", "sheared",        "far off",    "advance",   "skin",
    "mapping", "quiet",    "quiet periodic", "quiet told", "canonical", "each pair",
    "blocks",  "csr",      "half csr",       "neighbors",  NULL,
};

/*  What the cases share: the bodies, at two sets of places, and all columns. */
typedef struct bed
{
    scree_memory memory;
    scree_scene scene;
    double *far[3];   /* the places, some periods away */
    double *moved[3]; /* the places, all moved by more than the skin */
    double *ways;     /* of blocks of rows: none */
    uint32_t *in_order, *mixed;
    uint64_t *group, *mask;
    uint32_t *owner;
    uint32_t threads;
} bed;

/*  All columns of a bed, with their types. */
/* clang-format off */
#define COLUMNS(X)                                                                                 \
    X(far[0]) X(far[1]) X(far[2]) X(moved[0]) X(moved[1]) X(moved[2])                              \
    X(ways) X(in_order) X(mixed) X(group) X(mask) X(owner)
/* clang-format on */

static scree_status take_columns(bed *b)
{
    size_t n = b->scene.count;
#define TAKE(column)                                                                               \
    if (scree_memory_take(&b->memory, n, sizeof *b->column, &b->column))                           \
        return SCREE_OUT_OF_MEMORY;
    COLUMNS(TAKE)
#undef TAKE
    return SCREE_OK;
}

static void free_bed(bed *b)
{
    size_t n = b->scene.count;
#define GIVE(column) scree_memory_give(&b->memory, &b->column, n, sizeof *b->column);
    COLUMNS(GIVE)
#undef GIVE
    scree_scene_free(&b->scene);
}

static void fill_bed(bed *b)
{
    const scree_scene *scene = &b->scene;
    scree_random random = scree_random_stream(1, 0);
    for (uint32_t i = 0; i < scene->count; i++) {
        for (int k = 0; k < 3; k++) {
            double period = scene->upper[k] - scene->lower[k];
            double away = (double)scree_random_below(&random, 21) - 10;
            b->far[k][i] = scene->centre[k][i] + away * period;
            b->moved[k][i] = scene->centre[k][i] + 2 * SKIN * scene->radius[i];
        }
        b->in_order[i] = b->mixed[i] = i;
        b->group[i] = 1ull << i % 4 | 1ull << (i + 1) % 4;
        b->mask[i] = i % 4 ? 15 : 6;
        b->owner[i] = i + 1;
        b->ways[i] = 0;
    }
    for (uint32_t i = (uint32_t)scene->count; i > 1; i--) {
        uint32_t j = scree_random_below(&random, i), last = b->mixed[i - 1];
        b->mixed[i - 1] = b->mixed[j];
        b->mixed[j] = last;
    }
}

static scree_status make_bed(bed *b, size_t n, scree_error *error)
{
    memset(b, 0, sizeof *b);
    scree_status status = scree_memory_init(&b->memory, NULL);
    if (status == SCREE_OK)
        status = scree_scene_create("uniform", n, 1, NULL, &b->scene, error);
    if (status != SCREE_OK)
        return status;
    if (take_columns(b)) {
        free_bed(b);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "bench columns: no memory for %zu bodies", n);
    }
    fill_bed(b);
    return SCREE_OK;
}

/* ---- one case ---- */

static bool is_periodic(int which)
{
    return which == SCREE_CASE_PERIODS || which == SCREE_CASE_SHEARED || which == SCREE_CASE_FAR ||
           which == SCREE_CASE_QUIET_PERIODS;
}

static bool has_skin(int which)
{
    return which == SCREE_CASE_SKIN || which == SCREE_CASE_MAPPING || which == SCREE_CASE_QUIET ||
           which == SCREE_CASE_QUIET_PERIODS || which == SCREE_CASE_TOLD;
}

static bool is_quiet(int which)
{
    return which == SCREE_CASE_QUIET || which == SCREE_CASE_QUIET_PERIODS ||
           which == SCREE_CASE_TOLD;
}

static scree_detector_def def_of(const bed *b, int which)
{
    static const double tilt[3] = {0.1, -0.15, 0.2};
    scree_detector_def def = scree_default_detector_def();
    for (int k = 0; k < 3 && is_periodic(which); k++)
        def.period[k] = b->scene.upper[k] - b->scene.lower[k];
    for (int k = 0; k < 3 && which == SCREE_CASE_SHEARED; k++)
        def.tilt[k] = tilt[k] * def.period[0];
    if (has_skin(which)) {
        def.margin.kind = SCREE_MARGIN_SKIN;
        def.margin.length = -SKIN;
    }
    return def;
}

static scree_table table_of(const bed *b, int which)
{
    scree_table table = scree_scene_table(&b->scene);
    table.flags = (scree_integers){NULL, 0};
    if (which == SCREE_CASE_IDS || which == SCREE_CASE_MIXED)
        table.ids =
            scree_integer_view(which == SCREE_CASE_IDS ? b->in_order : b->mixed, sizeof *b->mixed);
    if (which == SCREE_CASE_FLAGS)
        table.flags = scree_integer_view(b->scene.flags, sizeof *b->scene.flags);
    if (which == SCREE_CASE_GROUPS || which == SCREE_CASE_MASKS)
        table.groups = scree_integer_view(b->group, sizeof *b->group);
    if (which == SCREE_CASE_MASKS)
        table.masks = scree_integer_view(b->mask, sizeof *b->mask);
    if (which == SCREE_CASE_OWNERS)
        table.owners = scree_integer_view(b->owner, sizeof *b->owner);
    for (int k = 0; k < 3 && which == SCREE_CASE_FAR; k++)
        table.centre[k] = scree_doubles(b->far[k], sizeof(double));
    return table;
}

static int take_pair(uint32_t first, uint32_t second, void *user)
{
    uint64_t *count = user;
    *count += first < second;
    return 0;
}

static int take_block(const scree_pairs *block, void *user)
{
    uint64_t *count = user;
    for (uint64_t k = 0; k < block->count; k++)
        *count += block->first[k] < block->second[k];
    return 0;
}

static scree_status search_csr(scree_detector *detector, bool half, uint64_t *count)
{
    const scree_csr_options options = {half, false};
    scree_csr csr = {0};
    scree_status status = scree_detector_csr(detector, &options, &csr);
    *count = half ? csr.count : csr.count / 2;
    return status;
}

/*  All pairs, in the form of the case. */
static scree_status search(scree_detector *detector, int which, uint64_t *count)
{
    const scree_pairs_options options = {.canonical = which == SCREE_CASE_CANONICAL};
    scree_pairs pairs = {0};
    scree_neighbors rows = {0};
    scree_status status;
    *count = 0;
    switch (which) {
    case SCREE_CASE_EACH:
        return scree_detector_for_each_pair(detector, take_pair, count);
    case SCREE_CASE_BLOCKS:
        return scree_detector_for_each_block(detector, take_block, count);
    case SCREE_CASE_CSR:
    case SCREE_CASE_HALF_CSR:
        return search_csr(detector, which == SCREE_CASE_HALF_CSR, count);
    case SCREE_CASE_NEIGHBORS:
        status = scree_detector_neighbors(detector, NULL, &rows);
        *count = rows.count / 2;
        return status;
    default:
        status = scree_detector_pairs(detector, &options, &pairs);
        *count = pairs.count;
        return status;
    }
}

/*  What other programs take does not count, but with several threads only the clock sees them all. */
static double seconds_of(const bed *b)
{
    return b->threads == 1 ? scree_thread_seconds() : scree_clock_seconds();
}

/*  One step of a case: what is timed. */
static scree_status step(const bed *b, scree_detector *detector, const scree_table *table,
                         int which, scree_column_row *row)
{
    const bool is_told = which == SCREE_CASE_TOLD;
    const scree_motion motion = {.travel = scree_doubles(b->ways, sizeof *b->ways)};
    scree_status status;
    double begin = seconds_of(b), between;
    if (which == SCREE_CASE_ADVANCE || which == SCREE_CASE_MAPPING || is_quiet(which))
        status = scree_detector_advance(detector, table, is_told ? &motion : NULL, 1, NULL);
    else
        status = scree_detector_update(detector, table, NULL);
    between = seconds_of(b);
    if (status == SCREE_OK && !is_quiet(which))
        status = search(detector, which, &row->pairs);
    double end = seconds_of(b), n = (double)table->count;
    row->ns_update = fmin(row->ns_update, (between - begin) / n * 1e9);
    row->ns_pairs = fmin(row->ns_pairs, (end - between) / n * 1e9);
    return status;
}

static scree_status run_case(const bed *b, scree_detector *detector, int which,
                             scree_column_row *row)
{
    scree_table here = table_of(b, which), there = here;
    scree_status status = SCREE_OK;
    for (int k = 0; k < 3; k++)
        there.centre[k] = scree_doubles(b->moved[k], sizeof(double));
    for (int run = 0; run < RUNS && status == SCREE_OK; run++) {
        scree_column_row unused = *row;
        if (which == SCREE_CASE_MAPPING)
            status = step(b, detector, &there, which, &unused);
        if (status == SCREE_OK)
            status = step(b, detector, &here, which, row);
    }
    return status;
}

/* ---- all ---- */

static scree_status check_pairs(const scree_column_row row[SCREE_CASES], scree_error *error)
{
    /* cases of which each pair follows from where bodies are alone: periods and skins add some, groups
       and masks leave some out */
    static const int same_as[SCREE_CASES] = {
        [SCREE_CASE_GROUPS] = -1,
        [SCREE_CASE_MASKS] = -1,
        [SCREE_CASE_SHEARED] = -1,
        [SCREE_CASE_PERIODS] = -1,
        [SCREE_CASE_FAR] = SCREE_CASE_PERIODS,
        [SCREE_CASE_SKIN] = -1,
        [SCREE_CASE_MAPPING] = SCREE_CASE_SKIN,
        [SCREE_CASE_QUIET] = -1,
        [SCREE_CASE_QUIET_PERIODS] = -1,
        [SCREE_CASE_TOLD] = -1,
    };
    for (int k = 0; k < SCREE_CASES; k++)
        if (same_as[k] >= 0 && row[k].pairs != row[same_as[k]].pairs)
            return scree_fail(
                error, SCREE_BAD_VALUE, "bench columns: %s finds %llu pairs, %s finds %llu",
                scree_column_case_names[k], (unsigned long long)row[k].pairs,
                scree_column_case_names[same_as[k]], (unsigned long long)row[same_as[k]].pairs);
    return SCREE_OK;
}

static scree_status open_case(const bed *b, const char *method, scree_simd simd, int which,
                              scree_detector **detector, scree_error *error)
{
    scree_detector_def def = def_of(b, which);
    def.method = method;
    def.simd = simd;
    def.thread_count = b->threads;
    def.error = error;
    return scree_detector_create(&def, detector);
}

scree_status scree_bench_columns(const char *method, size_t n, scree_simd simd, uint32_t threads,
                                 uint32_t repeats, scree_column_row row[SCREE_CASES],
                                 scree_error *error)
{
    scree_detector *detector[SCREE_CASES] = {NULL};
    bed b;
    scree_status status = make_bed(&b, n, error);
    if (status != SCREE_OK)
        return status;
    b.threads = threads;
    for (int which = 0; which < SCREE_CASES; which++) {
        row[which] = (scree_column_row){INFINITY, INFINITY, 0};
        if (status == SCREE_OK)
            status = open_case(&b, method, simd, which, &detector[which], error);
    }
    for (uint32_t repeat = 0; repeat < repeats; repeat++)
        for (int which = 0; which < SCREE_CASES && status == SCREE_OK; which++) {
            status = run_case(&b, detector[which], which, &row[which]);
            if (status != SCREE_OK)
                scree_fail(error, status, "bench columns: %s",
                           scree_detector_message(detector[which]));
        }
    if (status == SCREE_OK)
        status = check_pairs(row, error);
    for (int which = 0; which < SCREE_CASES; which++)
        scree_detector_destroy(detector[which]);
    free_bed(&b);
    return status;
}
