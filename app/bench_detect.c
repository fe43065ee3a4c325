/*  scree bench detect: methods against each other on one scene. Runs of the methods are
   interleaved, so that a slow moment of the machine hits all; the pairs of every step must be the
   same for all. */
#include "measure.h"
#include "report.h"
#include "verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_METHODS 64
#define MAX_SIZES 16
#define MAX_REPEATS 1000

typedef struct job
{
    scree_trial trial; /* n is set for each size */
    uint64_t size[MAX_SIZES];
    size_t size_count;
    const char *method[MAX_METHODS];
    size_t method_count;
    uint32_t repeats;
    int format;
    bool all, scaling;
    const char *lie; /* this method's runner lies about a pair */
} job;

/*  What was measured of one method at one size. */
typedef struct result
{
    scree_measure measure; /* of the last run; sec is the median */
    bool measured;
} result;

/* ---- the command line ---------------------------------------------------------------------------
 */

/*  "1e5", "1e3,1e4" or "1e3..1e5": the last by half powers of ten. */
static bool parse_sizes(const char *text, job *j)
{
    char part[64];
    const char *dots = strstr(text, "..");
    uint64_t lower, upper;
    j->size_count = 0;
    if (dots) {
        snprintf(part, sizeof part, "%.*s", (int)(dots - text), text);
        if (!scree_text_to_count(part, &lower) || !scree_text_to_count(dots + 2, &upper) ||
            lower < 1 || upper < lower || upper > SCREE_MAX_BODIES)
            return false;
        double n = (double)lower;
        for (; n < (double)upper * 1.01 && j->size_count < MAX_SIZES; n *= sqrt(10))
            j->size[j->size_count++] = (uint64_t)(n + 0.5);
        return true;
    }
    while (*text && j->size_count < MAX_SIZES) {
        size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!scree_text_to_count(part, &j->size[j->size_count]) ||
            j->size[j->size_count] > SCREE_MAX_BODIES)
            return false;
        j->size_count++;
        text += length + (text[length] == ',');
    }
    return *text == 0 && j->size_count > 0;
}

static bool parse_methods(const char *text, job *j)
{
    static char names[MAX_METHODS][32];
    const scree_verb *verb = &scree_verb_bench_detect;
    if (!text || strcmp(text, "all") == 0) {
        j->all = true;
        for (; j->method_count < MAX_METHODS && scree_method_at(j->method_count); j->method_count++)
            j->method[j->method_count] = scree_method_at(j->method_count)->name;
        return true;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        if (j->method_count == MAX_METHODS) {
            scree_usage_error("%s: --method: more than %d names", verb->name, MAX_METHODS);
            return false;
        }
        char *name = names[j->method_count];
        snprintf(name, sizeof names[0], "%.*s", (int)length, text);
        if (!scree_check_method(verb, name))
            return false;
        j->method[j->method_count++] = name;
        if (text[length] == 0)
            return true;
        text += length + 1;
    }
}

static bool parse_motion(const scree_arguments *arguments, job *j)
{
    const char *text = scree_argument(&scree_verb_bench_detect, arguments, "motion");
    bool thesis = strncmp(j->trial.scene, "thesis", 6) == 0;
    scree_error error;
    text = text ? text : thesis ? "springs" : "none";
    if (scree_scene_motion_parse(text, &j->trial.motion, &error) == SCREE_OK)
        return true;
    scree_usage_error("bench detect: --%s", error.text);
    return false;
}

static const char *next_scene(const void *list, size_t index)
{
    (void)list;
    return scree_scene_name(index);
}

/*  A scene without bodies costs nothing, and says whether the name is right. */
static bool check_scene(const job *j)
{
    scree_scene scene;
    scree_error error;
    if (scree_scene_create(j->trial.scene, 0, 0, NULL, &scene, &error) == SCREE_OK) {
        bool springs = scene.springs;
        scree_scene_free(&scene);
        if (springs || j->trial.motion.kind != SCREE_MOTION_SPRINGS)
            return true;
        scree_usage_error("bench detect: --motion: springs need scene thesis1 or thesis2");
        return false;
    }
    const char *closest = scree_closest_word(j->trial.scene, next_scene, NULL);
    if (closest)
        scree_usage_error("bench detect: --%s; did you mean \"%s\"?", error.text, closest);
    else
        scree_usage_error("bench detect: --%s", error.text);
    return false;
}

static bool parse_job(const scree_arguments *arguments, job *j)
{
    const scree_verb *verb = &scree_verb_bench_detect;
    uint64_t steps = 1, repeats = 3, threads = 1, seed = 1;
    int simd = SCREE_SIMD_AUTO;
    memset(j, 0, sizeof *j);
    const char *scene = scree_argument(verb, arguments, "scene");
    const char *sizes = scree_argument(verb, arguments, "n");
    j->trial.scene = scene ? scene : "uniform";
    j->scaling = scree_argument(verb, arguments, "scaling") != NULL;
    j->lie = scree_argument(verb, arguments, "lie");
    if (!scree_parse_count(verb, arguments, "steps", 1, 1000000, &steps) ||
        !scree_parse_count(verb, arguments, "repeat", 1, MAX_REPEATS, &repeats) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_count(verb, arguments, "seed", 0, UINT64_MAX, &seed) ||
        !scree_parse_word(verb, arguments, "simd", scree_simd_words, &simd) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &j->format))
        return false;
    if (!parse_sizes(sizes ? sizes : j->scaling ? "1e3..1e5" : "10000", j)) {
        scree_usage_error(
            "bench detect: --n: \"%.60s\" is not a number of bodies, a list of at most "
            "%d, or a range 1e3..1e5",
            sizes, MAX_SIZES);
        return false;
    }
    j->scaling = j->scaling || j->size_count > 1;
    j->repeats = (uint32_t)repeats;
    j->trial.steps = (uint32_t)steps;
    j->trial.threads = (uint32_t)threads;
    j->trial.seed = seed;
    j->trial.simd = (scree_simd)simd;
    return parse_motion(arguments, j) && check_scene(j) &&
           parse_methods(scree_argument(verb, arguments, "method"), j);
}

/* ---- measuring ----------------------------------------------------------------------------------
 */

static double claimed_exponent(const scree_method_info *info, int dimensions)
{
    return info->exponent[dimensions - 2];
}

/*  The first step whose pairs differ, or steps if none does. */
static uint32_t first_difference(const scree_runner *a, const scree_runner *b)
{
    uint32_t step = 0, steps = a->trial.steps + a->trial.skipped;
    while (step < steps && a->step_checksum[step] == b->step_checksum[step])
        step++;
    return step;
}

static int compare_runs(const job *j, const scree_runner *runners, const result *results)
{
    size_t base = 0;
    int code = SCREE_EXIT_OK;
    while (base < j->method_count && !results[base].measured)
        base++;
    for (size_t m = base + 1; m < j->method_count; m++) {
        if (!results[m].measured || results[m].measure.checksum == results[base].measure.checksum)
            continue;
        fprintf(stderr,
                "scree: bench detect: %s and %s disagree: scene %s, n %zu, seed %llu, step %u\n",
                j->method[base], j->method[m], j->trial.scene, runners[m].trial.n,
                (unsigned long long)j->trial.seed, first_difference(&runners[base], &runners[m]));
        code = SCREE_EXIT_CHECK;
    }
    return code;
}

/*  All runs of all methods at one size, repeat by repeat. `results` has one for each method. */
static int measure_runs(const job *j, scree_runner *runners, result *results)
{
    double *seconds = malloc(MAX_METHODS * (size_t)j->repeats * sizeof *seconds);
    if (!seconds)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    for (uint32_t repeat = 0; repeat < j->repeats; repeat++)
        for (size_t m = 0; m < j->method_count; m++) {
            scree_error error = {SCREE_OK, ""};
            if (!runners[m].detector)
                continue;
            scree_status status = scree_runner_run(&runners[m], &results[m].measure, &error);
            if (status != SCREE_OK) {
                fprintf(stderr, "scree: bench detect: %s: ", j->method[m]);
                free(seconds);
                return scree_status_error(status, error.text);
            }
            results[m].measured = true;
            seconds[m * j->repeats + repeat] = results[m].measure.sec;
        }
    for (size_t m = 0; m < j->method_count; m++)
        if (results[m].measured)
            results[m].measure.sec = scree_median(seconds + m * j->repeats, j->repeats);
    free(seconds);
    return compare_runs(j, runners, results);
}

/*  False if "all" leaves this method out at this size, which is said. */
static bool takes_part(const job *j, const scree_trial *trial, const char *method, int *code)
{
    scree_error error = {SCREE_OK, ""};
    scree_hindrance hindrance;
    if (!j->all)
        return true;
    scree_status status = scree_find_hindrance(trial, method, &hindrance, &error);
    if (status != SCREE_OK) {
        *code = scree_status_error(status, error.text);
        return false;
    }
    if (!hindrance.text[0])
        return true;
    fprintf(stderr, "scree: bench detect: %s is left out at n = %zu: %s\n", method, trial->n,
            hindrance.text);
    return false;
}

static int measure_size(const job *j, uint64_t n, result *results)
{
    scree_runner runners[MAX_METHODS];
    scree_trial trial = j->trial;
    int code = SCREE_EXIT_OK;
    memset(runners, 0, sizeof runners);
    trial.n = (size_t)n;
    for (size_t m = 0; m < j->method_count && code == SCREE_EXIT_OK; m++) {
        scree_error error = {SCREE_OK, ""};
        results[m].measured = false;
        if (!takes_part(j, &trial, j->method[m], &code))
            continue;
        trial.lie = j->lie && strcmp(j->lie, j->method[m]) == 0;
        scree_status status = scree_runner_create(&trial, j->method[m], NULL, &runners[m], &error);
        if (status != SCREE_OK)
            code = scree_status_error(status, error.text);
    }
    if (code == SCREE_EXIT_OK)
        code = measure_runs(j, runners, results);
    for (size_t m = 0; m < j->method_count; m++)
        scree_runner_free(&runners[m]);
    return code;
}

/* ---- printing -----------------------------------------------------------------------------------
 */

static const scree_report_column run_columns[] = {
    {"method", true, false},   {"scene", true, true},         {"n", false, true},
    {"steps", false, true},    {"threads", false, true},      {"simd", true, true},
    {"ms", false, false},      {"ns_per_body", false, false}, {"ns_per_pair", false, false},
    {"tested", false, false},  {"pairs", false, false},       {"bytes_per_body", false, false},
    {"checksum", true, false},
};

static void add_run(const job *j, uint64_t n, const char *method, const scree_measure *measure,
                    scree_report *report)
{
    double steps = j->trial.steps, ns = measure->sec * 1e9;
    double pairs = (double)measure->pairs, bodies = (double)n * steps;
    scree_report_add(report, "%s", method);
    scree_report_add(report, "%s", j->trial.scene);
    scree_report_add(report, "%llu", (unsigned long long)n);
    scree_report_add(report, "%u", j->trial.steps);
    scree_report_add(report, "%u", j->trial.threads);
    scree_report_add(report, "%s", scree_simd_name(scree_simd_resolve(j->trial.simd)));
    scree_report_add(report, "%.3f", ns / steps / 1e6);
    scree_report_add(report, "%.1f", bodies > 0 ? ns / bodies : 0);
    scree_report_add(report, "%.1f", pairs > 0 ? ns / pairs : 0);
    scree_report_add(report, "%.0f", (double)measure->tested / steps);
    scree_report_add(report, "%.0f", pairs / steps);
    scree_report_add(report, "%.0f", n ? (double)measure->bytes / (double)n : 0);
    scree_report_add(report, "%016llx", (unsigned long long)measure->checksum);
}

static int print_runs(const job *j, const result (*results)[MAX_METHODS])
{
    scree_report report;
    int code = SCREE_EXIT_OK;
    bool table = j->format == SCREE_REPORT_TABLE;
    scree_report_begin(&report, run_columns, SCREE_COUNT_OF(run_columns));
    for (size_t s = 0; s < j->size_count; s++) {
        for (size_t m = 0; m < j->method_count; m++)
            if (results[s][m].measured)
                add_run(j, j->size[s], j->method[m], &results[s][m].measure, &report);
        if (!table)
            continue;
        printf("%sscene %s, n = %llu, %u step%s, %u thread%s, %s\n", s ? "\n" : "", j->trial.scene,
               (unsigned long long)j->size[s], j->trial.steps, j->trial.steps == 1 ? "" : "s",
               j->trial.threads, j->trial.threads == 1 ? "" : "s",
               scree_simd_name(scree_simd_resolve(j->trial.simd)));
        code = scree_report_end(&report, j->format, stdout);
        scree_report_begin(&report, run_columns, SCREE_COUNT_OF(run_columns));
    }
    return table ? code : scree_report_end(&report, j->format, stdout);
}

/*  How far a fitted exponent may be from the claim: caches make small scenes look cheap. */
#define EXPONENT_TOLERANCE 0.15

static const scree_report_column scaling_columns[] = {
    {"method", true, false},  {"scene", true, true},      {"from", false, false},
    {"to", false, false},     {"exponent", false, false}, {"claim", false, false},
    {"verdict", true, false},
};

static void add_scaling(const job *j, size_t m, int dimensions,
                        const result (*results)[MAX_METHODS], scree_report *report)
{
    double x[MAX_SIZES], y[MAX_SIZES];
    size_t count = 0;
    double claim = claimed_exponent(scree_method_by_name(j->method[m]), dimensions);
    for (size_t s = 0; s < j->size_count; s++)
        if (results[s][m].measured) {
            x[count] = (double)j->size[s];
            y[count++] = results[s][m].measure.sec;
        }
    if (count < 2)
        return;
    double exponent = scree_fit_exponent(x, y, count);
    const char *verdict = claim <= 0                              ? "no claim"
                          : exponent > claim + EXPONENT_TOLERANCE ? "worse"
                          : exponent < claim - EXPONENT_TOLERANCE ? "better"
                                                                  : "as claimed";
    scree_report_add(report, "%s", j->method[m]);
    scree_report_add(report, "%s", j->trial.scene);
    scree_report_add(report, "%.0f", x[0]);
    scree_report_add(report, "%.0f", x[count - 1]);
    scree_report_add(report, "%.2f", exponent);
    scree_report_add(report, "%.2f", claim);
    scree_report_add(report, "%s", verdict);
}

static int print_scaling(const job *j, int dimensions, const result (*results)[MAX_METHODS])
{
    scree_report report;
    if (j->format == SCREE_REPORT_TABLE)
        printf("\ntime ~ n^exponent\n");
    scree_report_begin(&report, scaling_columns, SCREE_COUNT_OF(scaling_columns));
    for (size_t m = 0; m < j->method_count; m++)
        add_scaling(j, m, dimensions, results, &report);
    return scree_report_end(&report, j->format, stdout);
}

static int run_bench_detect(const scree_arguments *arguments)
{
    static result results[MAX_SIZES][MAX_METHODS];
    const result(*all)[MAX_METHODS] = (const result(*)[MAX_METHODS])results;
    scree_scene scene;
    job j;
    int code = SCREE_EXIT_OK;
    if (!parse_job(arguments, &j))
        return SCREE_EXIT_USAGE;
    scree_status status = scree_scene_create(j.trial.scene, 0, 0, NULL, &scene, NULL);
    if (status != SCREE_OK)
        return scree_status_error(status, NULL);
    int dimensions = scene.dimensions;
    scree_scene_free(&scene);
    for (size_t s = 0; s < j.size_count && code == SCREE_EXIT_OK; s++)
        code = measure_size(&j, j.size[s], results[s]);
    if (code != SCREE_EXIT_OK && code != SCREE_EXIT_CHECK)
        return code;
    int printed = SCREE_EXIT_OK;
    if (!j.scaling || j.format == SCREE_REPORT_TABLE)
        printed = print_runs(&j, all);
    if (j.scaling && printed == SCREE_EXIT_OK)
        printed = print_scaling(&j, dimensions, all);
    if (code == SCREE_EXIT_OK && j.format == SCREE_REPORT_TABLE && j.method_count > 1)
        printf("\nall checksums are equal\n");
    return code != SCREE_EXIT_OK ? code : printed;
}

static const scree_option bench_detect_options[] = {
    {"scene", "NAME",
     "uniform ratio10 ratio100 giant clusters discs discs32 even2[:RATIO]\n"
     "needles identical thesis1 thesis2[:RATIO]; uniform"},
    {"n", "N", "bodies, also 1e5; a list 1e3,1e4 or a range 1e3..1e5 fits exponents; 10000"},
    {"scaling", NULL, "fit exponents over --n, by default 1e3..1e5, and compare with the claims"},
    {"method", "NAMES", "one or several with commas, or all; all"},
    {"steps", "S", "updates and searches in a run; 1"},
    {"repeat", "R", "runs; the median counts; 3"},
    {"motion", "MOTION",
     "none, all:RADII (a step), few:PERCENT (of the bodies, as dirty rows),\n"
     "springs (thesis scenes); none, or springs in thesis scenes"},
    {"threads", "T", "1 to 256; 1"},
    {"simd", "LEVEL", "auto, scalar, avx2 or avx512; auto"},
    {"seed", "Q", "another scene of the same kind; 1"},
    {"format", "FORMAT", "table, csv or json; table"},
    {"lie", "METHOD", "hide one pair of this method, to see that the comparison notices"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_detect = {
    "bench detect",
    NULL,
    "Measures methods on a scene, and checks that all find the same pairs.",
    "ms is the time of one update and search, the median over the runs; tested and pairs are\n"
    "means over the steps. The detector of a method keeps its memory from run to run, so all but\n"
    "the first run find it warm. With all, methods of quadratic cost are left out above 20000\n"
    "bodies, and so are those that would take more than 1 GB; that is said on stderr.\n"
    "Exit code 1 if checksums differ.",
    bench_detect_options,
    run_bench_detect,
};
