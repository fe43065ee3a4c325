/*  Bodies, detectors and checks for the tests of the cell space (test_cell_space*.c). After every
    change the lists of cells and pieces are checked against the bodies, both ways, and all sums are
    counted again; pairs and hits are those of a method without cells. One world a program, since a
    test is done with it before the next begins. */
#ifndef CELL_SPACE_WORLD_H
#define CELL_SPACE_WORLD_H

#include "base/random.h"
#include "detect/cell_space.h"
#include "detect/detector_internal.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 120000u

static double position[MOST][3], radius[MOST], lower[MOST][3], upper[MOST][3];
static uint32_t rows[MOST];
static scree_random source;
static scree_error why;

/* ---- detectors and scenes ---- */

static inline scree_detector_def make_def(int dimensions, scree_volume volume)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "cell-space";
    def.dimensions = dimensions;
    def.volume = volume;
    def.error = &why;
    return def;
}

static inline scree_detector *make(const scree_detector_def *def)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_OK);
    return detector;
}

static inline const scree_cell_space *space_of(const scree_detector *detector)
{
    return detector->state;
}

static inline scree_table spheres(size_t count)
{
    return scree_table_spheres(count, scree_doubles(&position[0][0], sizeof *position),
                               scree_doubles(&position[0][1], sizeof *position),
                               scree_doubles(&position[0][2], sizeof *position),
                               scree_doubles(radius, sizeof *radius));
}

static inline scree_table boxes(size_t count)
{
    scree_view low[3], high[3];

    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(&lower[0][k], sizeof *lower);
        high[k] = scree_doubles(&upper[0][k], sizeof *upper);
    }
    return scree_table_boxes(count, low, high);
}

static inline void scatter(uint32_t begin, uint32_t end, double low, double high, double smallest,
                           double largest)
{
    for (uint32_t i = begin; i < end; i++) {
        for (int k = 0; k < 3; k++)
            position[i][k] = scree_random_range(&source, low, high);
        radius[i] = scree_random_log_uniform(&source, smallest, largest);
    }
}

static inline void box_up(uint32_t count, int dimensions)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double half = k < dimensions ? radius[i] * scree_random_range(&source, 0.1, 1) : 0;
            lower[i][k] = position[i][k] - half;
            upper[i][k] = position[i][k] + half;
        }
}

static inline void update(scree_detector *detector, scree_table table)
{
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
}

/*  One cell over the cube of edge 1, if `cells` is 1. */
static inline scree_detector_def unit_def(uint32_t cells)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    for (int k = 0; k < 3; k++)
        def.cell_space.upper[k] = 1;
    def.cell_space.cells = cells;
    return def;
}

/* ---- checks ---- */

static inline void check_valid(scree_detector *detector)
{
    scree_bodies bodies = scree_store_view(&detector->store);
    if (!scree_cell_space_is_valid(space_of(detector), &bodies, &why))
        FAIL("%s", why.text);
}

static inline scree_cell_figures figures_of(scree_detector *detector)
{
    scree_bodies bodies = scree_store_view(&detector->store);
    return scree_cell_space_figures(space_of(detector), &bodies);
}

static inline scree_pairs pairs_of(scree_detector *detector, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;

    CHECK_EQUAL(scree_detector_pairs(detector, &options, &pairs), SCREE_OK);
    return pairs;
}

static inline void check_same(scree_pairs a, scree_pairs b)
{
    CHECK_EQUAL(a.count, b.count);
    for (uint64_t k = 0; k < a.count; k++)
        if (a.first[k] != b.first[k] || a.second[k] != b.second[k])
            FAIL("pair %" PRIu64 " is %u %u, not %u %u", k, b.first[k], b.second[k], a.first[k],
                 a.second[k]);
}

/*  Valid, and the pairs of the oracle on the same table. */
static inline void check_all(scree_detector *detector, scree_table table)
{
    scree_detector_def def = make_def(detector->def.dimensions, detector->def.volume);
    def.method = "bounding-volume";
    scree_detector *oracle = make(&def);

    check_valid(detector);
    update(oracle, table);
    check_same(pairs_of(oracle, true), pairs_of(detector, true));
    scree_detector_destroy(oracle);
}

/*  Hits of random windows, spheres and rays, against a linear scan. */
static inline void check_queries(scree_detector *detector, scree_table table, double low,
                                 double high)
{
    static scree_hit hits[2][5000];
    scree_detector_def def = make_def(detector->def.dimensions, detector->def.volume);
    def.method = "bounding-volume";
    scree_detector *scan = make(&def);
    update(scan, table);
    for (int trial = 0; trial < 200; trial++) {
        double a[3], b[3];
        size_t count[2];
        for (int k = 0; k < 3; k++) {
            a[k] = scree_random_range(&source, low, high);
            b[k] = a[k] + scree_random_range(&source, 0, trial % 2 ? high - low : 0.1);
        }
        double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2] + 0.01};
        const scree_query queries[] = {scree_query_box(a, b), scree_query_sphere(a, b[0] - a[0]),
                                       scree_query_ray(a, d, trial % 3 ? 2 : INFINITY),
                                       scree_query_ray_first(a, d, INFINITY),
                                       scree_query_nearest(a, 7)};
        for (int q = 0; q < 5; q++) {
            CHECK_EQUAL(scree_detector_hits(detector, &queries[q], hits[0], 5000, &count[0], &why),
                        SCREE_OK);
            CHECK_EQUAL(scree_detector_hits(scan, &queries[q], hits[1], 5000, &count[1], &why),
                        SCREE_OK);
            CHECK_EQUAL(count[0], count[1]);
            for (size_t h = 0; h < count[0]; h++)
                CHECK(hits[0][h].id == hits[1][h].id && hits[0][h].distance == hits[1][h].distance);
        }
    }
    scree_detector_destroy(scan);
}

#endif
