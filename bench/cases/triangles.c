/*  Touching triangles measured: workloads are made, truth is asked of the double, and methods take turns. */
#include "cases/triangles.h"

#include "base/error.h"
#include "base/random.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  Of bodies of diameter 1, as in the paper. */
#define SKIN 0.01
#define GAP 0.005
#define RUNS 5

const char *const scree_triangle_method_names[] = {
    [SCREE_TRIANGLES_CERTIFIED] = "certified",
    [SCREE_TRIANGLES_COMPARISON] = "comparison",
    [SCREE_TRIANGLES_HYBRID] = "hybrid",
};

/* ---- workloads ---- */

typedef struct workload
{
    double *corners[2]; /* 9 numbers a triangle */
    size_t triangles[2];
    uint32_t *first, *second;
    size_t count;
    bool *touches; /* the truth */
    scree_triangle_touch *found;
} workload;

static void free_workload(workload *w)
{
    for (int s = 0; s < 2; s++)
        free(w->corners[s]);
    free(w->first);
    free(w->second);
    free(w->touches);
    free(w->found);
    memset(w, 0, sizeof *w);
}

static bool allot_workload(workload *w, size_t first, size_t second, size_t count)
{
    memset(w, 0, sizeof *w);
    w->triangles[0] = first;
    w->triangles[1] = second;
    w->count = count;
    w->corners[0] = calloc(first * 9, sizeof(double));
    w->corners[1] = calloc(second * 9, sizeof(double));
    w->first = malloc(count * sizeof *w->first);
    w->second = malloc(count * sizeof *w->second);
    w->touches = malloc(count * sizeof *w->touches);
    w->found = malloc(count * sizeof *w->found);
    return w->corners[0] && w->corners[1] && w->first && w->second && w->touches && w->found;
}

/*  Slices and stacks of globes with so many triangles: 2 slices (stacks - 1). */
static const struct
{
    uint32_t triangles, slices, stacks;
} globes[] = {{12, 3, 3}, {36, 6, 4}, {140, 10, 8}, {1224, 34, 19}};

static void globe_corner(uint32_t slices, uint32_t stacks, uint32_t slice, uint32_t stack,
                         double to[3])
{
    const double pi = 3.14159265358979323846;
    double along = 2 * pi * slice / slices, down = pi * stack / stacks;
    to[0] = 0.5 * sin(down) * cos(along);
    to[1] = 0.5 * sin(down) * sin(along);
    to[2] = 0.5 * cos(down);
}

/*  At the poles one of the two triangles of a field has no area, and is left out. A globe of diameter 1, turned a little about two axes, at a place on the first axis. */
static void make_globe(size_t which, double turn, double at, double *corners)
{
    uint32_t slices = globes[which].slices, stacks = globes[which].stacks;
    double *to = corners;
    for (uint32_t i = 0; i < slices; i++)
        for (uint32_t j = 0; j < stacks; j++) {
            if (j > 0) {
                globe_corner(slices, stacks, i, j, to);
                globe_corner(slices, stacks, i, j + 1, to + 3);
                globe_corner(slices, stacks, i + 1, j, to + 6);
                to += 9;
            }
            if (j + 1 < stacks) {
                globe_corner(slices, stacks, i + 1, j, to);
                globe_corner(slices, stacks, i, j + 1, to + 3);
                globe_corner(slices, stacks, i + 1, j + 1, to + 6);
                to += 9;
            }
        }
    for (double *c = corners; c < to; c += 3) {
        double x = c[0] * cos(turn) - c[1] * sin(turn), y = c[0] * sin(turn) + c[1] * cos(turn);
        double z = c[2] * cos(2 * turn) - x * sin(2 * turn);
        c[0] = x * cos(2 * turn) + c[2] * sin(2 * turn) + at;
        c[1] = y;
        c[2] = z;
    }
}

/*  Leftmost or rightmost coordinate. */
static double extreme(const double *corners, size_t triangles, double sign)
{
    double most = -INFINITY;
    for (size_t c = 0; c < 3 * triangles; c++)
        most = fmax(most, sign * corners[3 * c]);
    return sign * most;
}

static void shift(double *corners, size_t triangles, double by)
{
    for (size_t c = 0; c < 3 * triangles; c++)
        corners[3 * c] += by;
}

/*  All triangles of the one with all of the other. */
static void pair_all(workload *w)
{
    for (size_t k = 0; k < w->count; k++) {
        w->first[k] = (uint32_t)(k / w->triangles[1]);
        w->second[k] = (uint32_t)(k % w->triangles[1]);
    }
}

/*  Two globes whose outermost corners are apart by the gap along an axis. */
static bool make_globes(workload *w, size_t which)
{
    size_t n = globes[which].triangles;
    if (!allot_workload(w, n, n, n * n))
        return false;
    make_globe(which, 0.2, 0, w->corners[0]);
    make_globe(which, 0.2, 0, w->corners[1]);
    /* its mirror image, so that the corners which stick out are opposite each other */
    for (size_t c = 0; c < 3 * n; c++)
        w->corners[1][3 * c] = -w->corners[1][3 * c];
    shift(w->corners[1], n, extreme(w->corners[0], n, 1) - extreme(w->corners[1], n, -1) + GAP);
    pair_all(w);
    return true;
}

/*  A globe over a square of two triangles. */
static bool make_globe_on_plane(workload *w, size_t which)
{
    static const double plane[18] = {0, -5, -5, 0, 5, -5, 0, 5, 5, 0, -5, -5, 0, 5, 5, 0, -5, 5};
    size_t n = globes[which].triangles;
    if (!allot_workload(w, n, 2, 2 * n))
        return false;
    make_globe(which, 0.2, 0, w->corners[0]);
    memcpy(w->corners[1], plane, sizeof plane);
    shift(w->corners[1], 2, extreme(w->corners[0], n, 1) + GAP);
    pair_all(w);
    return true;
}

/*  Triangles of about 0.1 at random: in a cube of 1, or second ones within a reach or two of the first. */
static bool make_random(workload *w, size_t n, bool near)
{
    scree_random random = scree_random_stream(1, near);
    if (!allot_workload(w, n, n, n))
        return false;
    for (size_t t = 0; t < n; t++) {
        double place[2][3];
        for (int k = 0; k < 3; k++) {
            place[0][k] = scree_random_unit(&random);
            place[1][k] = near ? place[0][k] + 0.06 * scree_random_range(&random, -1, 1)
                               : scree_random_unit(&random);
        }
        for (size_t s = 0; s < 2; s++)
            for (size_t c = 0; c < 9; c++)
                w->corners[s][9 * t + c] =
                    place[s][c % 3] + 0.05 * scree_random_range(&random, -1, 1);
        w->first[t] = w->second[t] = (uint32_t)t;
    }
    return true;
}

/* ---- measuring ---- */

static scree_triangle_pairs pairs_of(const workload *w, size_t count)
{
    return (scree_triangle_pairs){
        .side = {{w->corners[0], NULL, NULL, SKIN, NULL}, {w->corners[1], NULL, NULL, SKIN, NULL}},
        .first = w->first,
        .second = w->second,
        .count = count,
    };
}

static void triangle_at(const workload *w, int side, uint32_t t, double to[3][3])
{
    memcpy(to, w->corners[side] + 9 * (size_t)t, 9 * sizeof(double));
}

/*  The first pairs of a workload one by one in double, or as a batch at a level. Returns how many touch. */
static size_t run_once(const workload *w, size_t count, const scree_triangle_settings *settings,
                       int level, scree_triangle_counts *counts)
{
    scree_triangle_pairs pairs = pairs_of(w, count);
    scree_gap gap;
    size_t touching = 0;
    if (level > 0)
        return scree_triangle_batch(&pairs, settings, w->found, NULL, NULL, counts);
    for (size_t k = 0; k < count; k++) {
        double first[3][3], second[3][3];
        triangle_at(w, 0, w->first[k], first);
        triangle_at(w, 1, w->second[k], second);
        touching +=
            scree_triangle_single((const double(*)[3])first, (const double(*)[3])second, 2 * SKIN,
                                  settings, &gap, counts) == SCREE_TRIANGLES_TOUCH;
    }
    return touching;
}

/*  The least of several runs, each over so many pairs: all of the workload and again, or its first. */
static double ns_a_pair(const workload *w, const scree_triangle_settings *settings, int level,
                        uint64_t work)
{
    double least = INFINITY;
    size_t count = work < w->count ? (size_t)work : w->count;
    uint64_t rounds = work > w->count ? work / w->count : 1;
    for (int run = 0; run < RUNS; run++) {
        scree_triangle_counts counts = {0};
        double begin = scree_thread_seconds();
        for (uint64_t k = 0; k < rounds; k++)
            run_once(w, count, settings, level, &counts);
        least = fmin(least, scree_thread_seconds() - begin);
    }
    return least * 1e9 / ((double)rounds * (double)count);
}

static void find_truth(workload *w, scree_triangle_bench *bench)
{
    bench->pairs = w->count;
    for (size_t k = 0; k < w->count; k++) {
        double first[3][3], second[3][3];
        triangle_at(w, 0, w->first[k], first);
        triangle_at(w, 1, w->second[k], second);
        w->touches[k] = scree_triangles_touch((const double(*)[3])first, (const double(*)[3])second,
                                              2 * SKIN, NULL);
        bench->touching += w->touches[k];
    }
}

/*  What a method finds, and what it should have. */
static void hold_against_truth(const workload *w, const scree_triangle_settings *settings,
                               scree_triangle_bench *bench)
{
    scree_triangle_counts counts = {0};
    size_t m = settings->method, found = run_once(w, w->count, settings, 1, &counts), right = 0;
    for (size_t k = 0; k < found; k++)
        right += w->touches[w->found[k].pair];
    bench->missed[m] = bench->touching - right;
    bench->unfounded[m] = found - right;
    bench->fallback[m] = 100.0 * (double)counts.compared / (double)w->count;
    bench->doubles[m] = 100.0 * (double)counts.doubles / (double)w->count;
    bench->iterations[m] = (double)counts.iterations / (double)w->count;
}

static scree_status measure_workload(workload *w, uint64_t work, scree_triangle_bench *bench,
                                     scree_error *error)
{
    find_truth(w, bench);
    for (int method = 0; method < SCREE_TRIANGLE_METHODS; method++) {
        scree_triangle_settings settings = scree_triangle_default_settings();
        settings.method = (scree_triangle_method)method;
        hold_against_truth(w, &settings, bench);
        if (method != SCREE_TRIANGLES_HYBRID && (bench->missed[method] || bench->unfounded[method]))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "%s, %u triangles: %s misses %zu contacts and has %zu too many",
                              bench->name, bench->triangles, scree_triangle_method_names[method],
                              bench->missed[method], bench->unfounded[method]);
        for (int level = 0; level <= SCREE_SIMD_AVX512; level++) {
            settings.simd = (scree_simd)level;
            /* where a pair takes ten times as long, a tenth will do */
            uint64_t share = level < SCREE_SIMD_AVX2 ? (work + 9) / 10 : work;
            if (level == 0 || scree_simd_resolve(settings.simd) == settings.simd)
                bench->ns[method][level] = ns_a_pair(w, &settings, level, share);
        }
    }
    return SCREE_OK;
}

static bool make_workload(size_t which, workload *w, scree_triangle_bench *bench)
{
    static const double fallbacks[2][4] = {{7.7, 4.5, 1.2, 0.028}, {6.3, 5.1, 4.8, 3.6}};
    /* Tables 2 and 3: their times of comparison over those of hybrid */
    static const double speed_ups[2][4] = {{1.32, 1.87, 2.08, 2.19}, {0.93, 0.97, 1.03, 1.07}};
    memset(bench, 0, sizeof *bench);
    if (which < 2) {
        bench->name = which ? "near" : "random";
        return make_random(w, 16384, which == 1);
    }
    size_t plane = (which - 2) / 4, globe = (which - 2) % 4;
    bench->name = plane ? "sphere on plane" : "two spheres";
    bench->triangles = globes[globe].triangles;
    bench->paper_fallback = fallbacks[plane][globe];
    bench->paper_speed_up = speed_ups[plane][globe];
    return plane ? make_globe_on_plane(w, globe) : make_globes(w, globe);
}

scree_status scree_bench_triangles(uint64_t work,
                                   scree_triangle_bench bench[SCREE_TRIANGLE_BENCHES],
                                   size_t *count, scree_error *error)
{
    for (*count = 0; *count < SCREE_TRIANGLE_BENCHES; ++*count) {
        workload w;
        scree_status status = SCREE_OUT_OF_MEMORY;
        if (make_workload(*count, &w, &bench[*count]))
            status = measure_workload(&w, work, &bench[*count], error);
        else
            scree_fail(error, status, "no memory for pairs of triangles");
        free_workload(&w);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}
