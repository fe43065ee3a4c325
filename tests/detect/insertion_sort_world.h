/*  A world of boxes for one insertion-sort detector: what it keeps is looked at after every call, and its
    pairs and the numbers of those that began and ended are compared with all boxes against all. */
#ifndef SCREE_INSERTION_SORT_WORLD_H
#define SCREE_INSERTION_SORT_WORLD_H

#include "detect/insertion_sort.h"

#include "base/random.h"
#include "detect/detector_internal.h"
#include "test.h"

#include <math.h>

#define MOST 3000u

typedef struct world
{
    scree_detector *detector;
    int dimensions;
    uint32_t count; /* ids that may be there */
    double lower[MOST][3], upper[MOST][3];
    bool present[MOST];
    bool meets[MOST][MOST];      /* i < j, as of the last check */
    uint64_t created, destroyed; /* by differences of these */
} world;

static world w;
static scree_random source;

static inline scree_detector *make(const scree_detector_def *def)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_OK);
    return detector;
}

static inline scree_detector_def def_of(int dimensions)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "insertion-sort";
    def.dimensions = dimensions;
    def.volume = SCREE_BOXES;
    return def;
}

static inline void open_world(const scree_detector_def *def, uint32_t count)
{
    memset(&w, 0, sizeof w);
    w.detector = make(def);
    w.dimensions = def->dimensions;
    w.count = count;
    for (uint32_t i = 0; i < count; i++)
        w.present[i] = true;
}

static inline void close_world(void)
{
    scree_detector_destroy(w.detector);
}

static inline const scree_insertion *inside(void)
{
    return w.detector->state;
}

static inline void set_box(uint32_t i, double x, double y, double z, double edge)
{
    const double corner[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        w.lower[i][k] = corner[k];
        w.upper[i][k] = corner[k] + edge;
    }
}

/*  Boxes on a raster, so that ends are often equal; raster 0: none. */
static inline void scatter(uint32_t first, uint32_t count, double size, double most, double raster)
{
    for (uint32_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) {
            double lower = scree_random_range(&source, 0, size);
            double edge = scree_random_range(&source, 0, most);
            w.lower[i][k] = raster > 0 ? raster * floor(lower / raster) : lower;
            w.upper[i][k] = w.lower[i][k] + (raster > 0 ? raster * floor(edge / raster) : edge);
        }
}

static inline void shift(uint32_t i, double most, double raster)
{
    for (int k = 0; k < 3; k++) {
        double by = scree_random_range(&source, -most, most);
        by = raster > 0 ? raster * floor(by / raster + 0.5) : by;
        w.lower[i][k] += by;
        w.upper[i][k] += by;
    }
}

/*  The bodies that are present, as rows of a table; `rows` are such bodies, NULL: all. */
static inline scree_table table_of(const uint32_t *rows, size_t count)
{
    static double lower[MOST][3], upper[MOST][3];
    static uint32_t ids[MOST];
    scree_view l[3], u[3];
    size_t n = 0;
    for (uint32_t i = 0; i < (rows ? count : w.count); i++) {
        uint32_t id = rows ? rows[i] : i;
        if (!rows && !w.present[id])
            continue;
        memcpy(lower[n], w.lower[id], sizeof lower[n]);
        memcpy(upper[n], w.upper[id], sizeof upper[n]);
        ids[n++] = id;
    }
    for (int k = 0; k < 3; k++) {
        l[k] = scree_doubles(&lower[0][k], sizeof *lower);
        u[k] = scree_doubles(&upper[0][k], sizeof *upper);
    }
    scree_table table = scree_table_boxes(n, l, u);
    table.ids = scree_integer_view(ids, sizeof *ids);
    return table;
}

static inline void update(void)
{
    scree_table table = table_of(NULL, 0);
    CHECK_EQUAL(scree_detector_update(w.detector, &table, NULL), SCREE_OK);
}

static inline void update_some(const uint32_t *ids, size_t count)
{
    static uint32_t all[MOST];
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    scree_table table = table_of(ids, count);
    scree_rows rows = {all, count};
    CHECK_EQUAL(scree_detector_update(w.detector, &table, &rows), SCREE_OK);
}

static inline void insert(const uint32_t *ids, size_t count)
{
    scree_table table = table_of(ids, count);
    CHECK_EQUAL(scree_detector_insert(w.detector, &table, NULL), SCREE_OK);
    for (size_t i = 0; i < count; i++)
        w.present[ids[i]] = true;
}

static inline void take_out(const uint32_t *ids, size_t count)
{
    CHECK_EQUAL(scree_detector_remove(w.detector, ids, count), SCREE_OK);
    for (size_t i = 0; i < count; i++)
        w.present[ids[i]] = false;
}

static inline bool boxes_meet(uint32_t i, uint32_t j)
{
    bool meet = w.present[i] && w.present[j];
    for (int k = 0; k < w.dimensions && meet; k++)
        meet = w.lower[i][k] <= w.upper[j][k] && w.lower[j][k] <= w.upper[i][k];
    return meet;
}

/*  Everything that can be compared. */
static inline void check(void)
{
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(w.detector, NULL, &pairs), SCREE_OK);
    scree_bodies bodies = scree_store_view(&w.detector->store);
    if (bodies.active_count > 0)
        CHECK(scree_insertion_is_valid(inside(), &bodies));

    /* with this method, pairs always come in canonical order */
    uint64_t p = 0;
    for (uint32_t i = 0; i < w.count; i++)
        for (uint32_t j = i + 1; j < w.count; j++) {
            bool meets = boxes_meet(i, j);
            w.created += meets && !w.meets[i][j];
            w.destroyed += !meets && w.meets[i][j];
            w.meets[i][j] = meets;
            if (!meets)
                continue;
            if (p >= pairs.count || pairs.first[p] != i || pairs.second[p] != j)
                FAIL("pair %" PRIu64 " of %" PRIu64 " is not %u, %u", p, pairs.count, i, j);
            p++;
        }
    CHECK_EQUAL(pairs.count, p);
    scree_stats stats = scree_detector_stats(w.detector);
    CHECK_EQUAL(stats.tested, p);
    CHECK_EQUAL(stats.created, w.created);
    CHECK_EQUAL(stats.destroyed, w.destroyed);
}

static inline uint64_t rebuilds(void)
{
    return scree_detector_stats(w.detector).rebuilds;
}

#endif
