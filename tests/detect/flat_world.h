/*  What the tests of the method flat share: a scene in columns, its detector, and a plain loop over the rule
    that its pairs are compared with. Before it is included MOST says how many bodies there is room for; after
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

/*  What is at `row`: x y z r, or lower and upper. */
static bool overlap(const double one[6], const double other[6])
{
    scree_box a, b;
    if (volume == SCREE_SPHERES)
        return scree_spheres_overlap(one, other);
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    return scree_boxes_overlap(&a, &b);
}

/*  All pairs of the scene by two loops, good until the next call. */
static scree_pairs find_by_loop(void)
{
    static double row[MOST][6];
    static uint32_t *first, *second;
    static uint64_t capacity;
    scree_pairs found = {.count = 0};
    (void)make_table(); /* fills the columns */
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 6; k++)
            row[i][k] = number[k][i];
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            if (!overlap(row[i], row[j]))
                continue;
            if (found.count == capacity) {
                capacity = 2 * capacity + 1000;
                first = realloc(first, capacity * sizeof *first);
                second = realloc(second, capacity * sizeof *second);
                CHECK(first && second);
            }
            first[found.count] = (uint32_t)i;
            second[found.count++] = (uint32_t)j;
        }
    found.first = first;
    found.second = second;
    return found;
}

static void check_by_loop(const scree_pairs *pairs)
{
    scree_pairs expected = find_by_loop();
    check_same(pairs, &expected);
}

#endif
