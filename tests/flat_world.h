/*  What the tests of the method flat share: a scene in columns, its detector, and a plain loop over the rule
    that its pairs are held against. Before it is included MOST says how many bodies there is room for; after
    it the test defines make_table. */
#ifndef FLAT_WORLD_H
#define FLAT_WORLD_H

#include "same_pairs.h"

#include "detect/exact.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/*  Columns x y z r, or lower and upper of each axis. */
static double number[6][MOST];
static scree_volume volume;
static int dimensions;
static size_t count;

static scree_table make_table(void);

static scree_detector *make_detector(const char *method, scree_simd simd, uint32_t threads)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    def.simd = simd;
    def.thread_count = threads;
    def.volume = volume;
    def.dimensions = dimensions;
    CHECK(scree_detector_create(&def, &detector) == SCREE_OK);
    return detector;
}

static scree_pairs find_pairs(scree_detector *detector, bool canonical)
{
    scree_table table = make_table();
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;
    CHECK(scree_detector_update(detector, &table, NULL) == SCREE_OK);
    CHECK(scree_detector_pairs(detector, &options, &pairs) == SCREE_OK);
    return pairs;
}

static bool overlap(size_t i, size_t j)
{
    double a[6], b[6];
    scree_box one, other;
    for (int k = 0; k < 6; k++) {
        a[k] = number[k][i];
        b[k] = number[k][j];
    }
    if (volume == SCREE_SPHERES)
        return scree_spheres_overlap(a, b);
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return scree_boxes_overlap(&one, &other);
}

static void check_by_loop(const scree_pairs *pairs)
{
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            if (!overlap(i, j))
                continue;
            if (at >= pairs->count || pairs->first[at] != i || pairs->second[at] != j)
                FAIL("{%zu, %zu} is missing", i, j);
            at++;
        }
    CHECK_EQUAL(at, pairs->count);
}

#endif
