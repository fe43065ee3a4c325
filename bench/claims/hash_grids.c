/*  The claims about hierarchical hash grids. Scenes are spheres at random in a cube with a given volume
    fraction; all move a little in each step, so that all cells are computed again. */
#include "claims/hash_grids.h"

#include "claims/churn.h"
#include "measure/contest.h"

#include <math.h>
#include <string.h>

/*  A step of each body, in radii. */
#define SPEED 0.05

static scree_entry grid_entry(const scree_study *study, const char *scene, size_t n, uint32_t steps)
{
    scree_entry entry =
        scree_entry_make("hash-grids", scene, n, study->seed, SCREE_MOTION_ALL, SPEED, steps);
    entry.group = 1;
    return entry;
}

/* ---- HG-H1, HG-H2: linear time and memory ---- */

#define SIZES 7

typedef struct growth
{
    double x[SIZES], ms[SIZES], bytes[SIZES];
    size_t count;
} growth;

static scree_status measure_growth(const scree_study *study, const char *scene, growth *g,
                                   scree_error *error)
{
    static const size_t sizes[SIZES] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    g->count = study->quick ? 5 : SIZES;
    for (size_t k = 0; k < g->count; k++) {
        uint32_t steps = (uint32_t)fmin(100, fmax(3, 300000 / (double)sizes[k]));
        scree_entry entry = grid_entry(study, scene, sizes[k], steps);
        scree_study_tell(study, "HG-H1, HG-H2: %s, %zu bodies", scene, sizes[k]);
        scree_status status = scree_contest_run(&entry, 1, sizes[k] > 100000 ? 1 : 3, error);
        if (status != SCREE_OK)
            return status;
        g->x[k] = (double)sizes[k];
        g->ms[k] = entry.ms;
        g->bytes[k] = (double)entry.measure.bytes;
    }
    return SCREE_OK;
}

static void say_bytes(const growth *g, scree_claim *claim, scree_curve *curve)
{
    for (size_t k = 0; k < g->count; k++) {
        scree_claim_say(claim, " %.0f", g->bytes[k] / g->x[k]);
        scree_curve_add(curve, g->x[k], g->bytes[k] / g->x[k]);
    }
}

static scree_status measure_linear(scree_study *study, scree_error *error)
{
    static const char *const scenes[] = {"mixture:1:0.3", "mixture:1:0.6", "mixture:10:0.3",
                                         "mixture:10:0.6"};
    scree_claim *time = scree_study_claim(
        study, "HG-H1", "HG-04", "time is proportional to N: exponent 1.0 +- 0.1, N = 1e3 to 1e6");
    scree_claim *memory = scree_study_claim(
        study, "HG-H2", "HG-05",
        "memory is proportional to N: bytes a body bounded (at most 200 at the end)");
    scree_chart *chart = scree_study_chart(
        study, "hash-grids-size.svg", "Time over the number of bodies",
        "hash-grids; size ratio and volume fraction; a horizontal line is linear time", "bodies",
        "ns a body and step");
    scree_chart *bytes =
        scree_study_chart(study, "hash-grids-memory.svg", "Memory over the number of bodies",
                          "hash-grids; size ratio and volume fraction", "bodies", "bytes a body");
    time->pass = memory->pass = true;
    for (size_t s = 0; s < SCREE_COUNT_OF(scenes); s++) {
        growth g;
        scree_status status = measure_growth(study, scenes[s], &g, error);
        if (status != SCREE_OK)
            return status;
        scree_curve *curve = scree_chart_curve(chart, scenes[s]);
        for (size_t k = 0; k < g.count; k++)
            scree_curve_add(curve, g.x[k], g.ms[k] * 1e6 / g.x[k]);
        double p = scree_fit_exponent(g.x, g.ms, g.count);
        scree_claim_say(time, "%s%s: %.2f (%.0f to %.0f ns a body)", s ? "\n" : "", scenes[s], p,
                        g.ms[0] * 1e6 / g.x[0], g.ms[g.count - 1] * 1e6 / g.x[g.count - 1]);
        time->pass = time->pass && fabs(p - 1) <= 0.1;
        scree_claim_say(memory, "%s%s:", s ? "\n" : "", scenes[s]);
        say_bytes(&g, memory, scree_chart_curve(bytes, scenes[s]));
        memory->pass = memory->pass && g.bytes[g.count - 1] / g.x[g.count - 1] <= 200;
    }
    return SCREE_OK;
}

/* ---- HG-H3: adding and removing ---- */

static scree_status measure_churn(scree_study *study, scree_error *error)
{
    static const size_t sizes[] = {1000, 10000, 100000, 1000000};
    size_t count = study->quick ? 3 : SCREE_COUNT_OF(sizes);
    size_t operations = study->quick ? 200000 : 1000000;
    double ns[SCREE_COUNT_OF(sizes)], least = INFINITY, most = 0;
    scree_claim *claim =
        scree_study_claim(study, "HG-H3", "HG-07",
                          "adding and removing costs O(1): within a factor of 3, N = 1e3 to 1e6");
    scree_chart *chart =
        scree_study_chart(study, "hash-grids-churn.svg", "Adding and removing at random",
                          "hash-grids, one body a call", "bodies", "ns an operation");
    scree_curve *curve = scree_chart_curve(chart, "hash-grids");
    for (size_t k = 0; k < count; k++) {
        scree_study_tell(study, "HG-H3: %zu bodies", sizes[k]);
        scree_status status = scree_churn_run("hash-grids", "mixture:1:0.3", sizes[k], operations,
                                              study->seed, &ns[k], error);
        if (status != SCREE_OK)
            return status;
        scree_curve_add(curve, (double)sizes[k], ns[k]);
        scree_claim_say(claim, "%s%zu: %.0f ns", k ? ", " : "", sizes[k], ns[k]);
        least = fmin(least, ns[k]);
        most = fmax(most, ns[k]);
    }
    scree_claim_say(claim, "; %.1f times, %zu operations each", most / least, operations);
    claim->pass = most / least < 3;
    return SCREE_OK;
}

/* ---- HG-H4: any mix of sizes ---- */

static scree_status measure_mixes(scree_study *study, scree_error *error)
{
    static const char *const scenes[] = {"power:1:0.3", "power:10:0.3", "power:100:0.3",
                                         "power:1000:0.3", "power:10000:0.3"};
    enum
    {
        COUNT = SCREE_COUNT_OF(scenes)
    };
    size_t n = study->quick ? 20000 : 100000;
    double mono = 0, worst = 0;
    scree_claim *claim = scree_study_claim(
        study, "HG-H4", "", "any mix of sizes: right, and time a body within 3 of equal sizes");
    scree_chart *chart =
        scree_study_chart(study, "hash-grids-ratio.svg", "Time over the size ratio",
                          "power law of sizes, volume fraction 0.3; over the time at ratio 1",
                          "size ratio", "time / time at ratio 1");
    scree_curve *curve = scree_chart_curve(chart, "hash-grids");
    for (size_t k = 0; k < COUNT; k++) {
        scree_entry entry[2];
        entry[0] = grid_entry(study, scenes[k], n, study->quick ? 3 : 10);
        entry[1] = entry[0];
        entry[1].method = "cell-space";
        scree_study_tell(study, "HG-H4: %s", scenes[k]);
        scree_status status = scree_contest_run(entry, 2, 3, error);
        if (status != SCREE_OK)
            return status;
        mono = k == 0 ? entry[0].ms : mono;
        worst = fmax(worst, entry[0].ms / mono);
        scree_curve_add(curve, pow(10, (double)k), entry[0].ms / mono);
        scree_claim_say(claim, "%s%.2f",
                        k ? ", " : "time over that at ratio 1, for 1 to 1e4: ", entry[0].ms / mono);
    }
    scree_claim_say(claim, "; pairs equal those of cell-space (%zu bodies)", n);
    claim->pass = worst <= 3;
    return SCREE_OK;
}

/* ---- HG-H5: the factor of the hierarchy ---- */

static scree_status measure_factors(scree_study *study, scree_error *error)
{
    static const double factors[] = {1.2, 1.5, 2, 3, 4, 8};
    static const char *const scenes[] = {"mixture:10:0.3", "mixture:100:0.3", "power:100:0.3",
                                         "bimodal:16:0.3"};
    enum
    {
        COUNT = SCREE_COUNT_OF(factors)
    };
    double sum[COUNT] = {0};
    size_t n = study->quick ? 20000 : 100000;
    scree_claim *claim = scree_study_claim(
        study, "HG-H5", "HG-13", "a hierarchy factor of 2 is within 10 % of the best, on average");
    scree_chart *chart = scree_study_chart(study, "hash-grids-factor.svg", "The hierarchy factor",
                                           "time over that with the best factor",
                                           "cell size over that of the next level", "time / best");
    for (size_t s = 0; s < SCREE_COUNT_OF(scenes); s++) {
        scree_entry entry[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            entry[k] = grid_entry(study, scenes[s], n, study->quick ? 2 : 5);
            entry[k].def.hash_grids.factor = factors[k];
        }
        scree_study_tell(study, "HG-H5: %s", scenes[s]);
        scree_status status = scree_contest_run(entry, COUNT, study->quick ? 1 : 3, error);
        if (status != SCREE_OK)
            return status;
        scree_curve *curve = scree_chart_curve(chart, scenes[s]);
        double best = INFINITY;
        for (size_t k = 0; k < COUNT; k++)
            best = fmin(best, entry[k].ms);
        scree_claim_say(claim, "%s%s:", s ? "\n" : "", scenes[s]);
        for (size_t k = 0; k < COUNT; k++) {
            double slowdown = entry[k].ms / best;
            sum[k] += slowdown / (double)SCREE_COUNT_OF(scenes);
            scree_curve_add(curve, factors[k], slowdown);
            scree_claim_say(claim, " %.2f", slowdown);
        }
    }
    scree_claim_say(claim, "\nmean for");
    for (size_t k = 0; k < COUNT; k++)
        scree_claim_say(claim, "%s %g: %.2f", k ? "," : "", factors[k], sum[k]);
    claim->pass = sum[2] <= 1.1;
    return SCREE_OK;
}

/* ---- HG-H6: few bodies ---- */

static scree_status measure_small(scree_study *study, scree_error *error)
{
    static const size_t sizes[] = {2, 4, 8, 16, 24, 32, 40, 48, 64, 96, 128};
    size_t crossover = 0;
    double at_threshold = 0;
    scree_claim *claim = scree_study_claim(study, "HG-H6", "HG-21",
                                           "up to 32 bodies all pairs are faster than grids");
    scree_chart *chart = scree_study_chart(
        study, "hash-grids-small.svg", "Few bodies",
        "volume fraction 0.3; all pairs (below activation), or grids", "bodies", "ns a step");
    scree_curve *pairs = scree_chart_curve(chart, "all pairs");
    scree_curve *grids = scree_chart_curve(chart, "grids");
    scree_study_tell(study, "HG-H6: 2 to 128 bodies");
    for (size_t k = 0; k < SCREE_COUNT_OF(sizes); k++) {
        scree_entry entry[2];
        entry[0] = grid_entry(study, "mixture:1:0.3", sizes[k], study->quick ? 300 : 3000);
        entry[1] = entry[0];
        entry[0].def.hash_grids.activation = 65536;
        entry[1].def.hash_grids.activation = 0;
        scree_status status = scree_contest_run(entry, 2, study->quick ? 3 : 9, error);
        if (status != SCREE_OK)
            return status;
        double ratio = entry[1].ms / entry[0].ms;
        scree_curve_add(pairs, (double)sizes[k], entry[0].ms * 1e6);
        scree_curve_add(grids, (double)sizes[k], entry[1].ms * 1e6);
        scree_claim_say(claim, "%s%zu: %.2f", k ? ", " : "grids / all pairs at ", sizes[k], ratio);
        if (ratio >= 1)
            crossover = sizes[k];
        if (sizes[k] == 32)
            at_threshold = ratio;
    }
    scree_claim_say(claim, "\nall pairs win up to %zu bodies of those", crossover);
    claim->pass = at_threshold >= 1;
    return SCREE_OK;
}

/* ---- HG-H7: unbounded space ---- */

/*  Coordinates are multiples of this and below 2^23, so that shifts and differences are exact. */
#define GRAIN (1.0 / 1024)

/*  More than a million cells: cells of equal spheres of radius 1 are 2 sqrt(2) wide. */
#define SHIFT 3145728.0

static scree_status checksum_of(const scree_scene *scene, uint64_t *checksum, scree_error *error)
{
    scree_detector *detector = NULL;
    scree_pairs pairs;
    scree_detector_def def = scree_default_detector_def();
    def.method = "hash-grids";
    def.error = error;
    scree_table table = scree_scene_table(scene);
    scree_status status = scree_detector_create(&def, &detector);
    if (status == SCREE_OK)
        status = scree_detector_update(detector, &table, NULL);
    if (status == SCREE_OK)
        status = scree_detector_pairs(detector, NULL, &pairs);
    if (status == SCREE_OK)
        *checksum = scree_pairs_checksum(&pairs);
    scree_detector_destroy(detector);
    return status;
}

static void shift(scree_scene *scene, const double by[3])
{
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 3; k++)
            scene->centre[k][i] += by[k];
}

static scree_status shift_through_octants(scree_scene *scene, uint64_t right, unsigned *equal,
                                          scree_error *error)
{
    for (int octant = 0; octant < 8; octant++) {
        uint64_t checksum = 0;
        double there[3], back[3];
        for (int k = 0; k < 3; k++) {
            there[k] = octant >> k & 1 ? -SHIFT : SHIFT;
            back[k] = -there[k];
        }
        shift(scene, there);
        scree_status status = checksum_of(scene, &checksum, error);
        if (status != SCREE_OK)
            return status;
        shift(scene, back);
        *equal += checksum == right;
    }
    return SCREE_OK;
}

static scree_status measure_shifts(scree_study *study, scree_error *error)
{
    scree_scene scene;
    uint64_t right = 0;
    unsigned equal = 0;
    size_t n = study->quick ? 5000 : 50000;
    scree_study_tell(study, "HG-H7: eight octants");
    scree_status status = scree_scene_create("mixture:10:0.3", n, study->seed, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    /* around the origin, so that the unshifted bodies are in all octants themselves */
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            scene.centre[k][i] = GRAIN * floor((scene.centre[k][i] - scene.upper[k] / 2) / GRAIN);
    status = checksum_of(&scene, &right, error);
    if (status == SCREE_OK)
        status = shift_through_octants(&scene, right, &equal, error);
    scree_scene_free(&scene);
    if (status != SCREE_OK)
        return status;
    scree_claim *claim = scree_study_claim(
        study, "HG-H7", "HG-19",
        "space is unbounded: shifted by 1e6 cells into each octant, the same pairs");
    scree_claim_say(claim, "%u of 8 shifts give the pairs of %zu bodies around the origin", equal,
                    n);
    claim->pass = equal == 8;
    return SCREE_OK;
}

scree_status scree_bench_hash_grids(scree_study *study, scree_error *error)
{
    static scree_status (*const parts[])(scree_study *, scree_error *) = {
        measure_linear,  measure_churn, measure_mixes,
        measure_factors, measure_small, measure_shifts,
    };
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < SCREE_COUNT_OF(parts) && status == SCREE_OK; k++)
        status = parts[k](study, error);
    return status;
}
