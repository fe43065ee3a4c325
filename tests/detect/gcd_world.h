/*  Bodies for the tests of generalized contact detection (test_gcd*.c), and straight loops over
    them that say what must be found. Neither knows the library's inside. One world a program, since
    a test is done with it before the next begins. */
#ifndef GCD_WORLD_H
#define GCD_WORLD_H

#include "base/random.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define GCD_MOST 8000
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*  A body is a sphere, or the box around it unless a test sets that otherwise. */
static struct
{
    int dimensions;
    scree_volume volume;
    size_t count;
    double edge; /* centres are in [0, edge] */
    double centre[GCD_MOST][3], radius[GCD_MOST];
    double lower[GCD_MOST][3], upper[GCD_MOST][3];
    scree_random random;
} world;

static inline void begin_world(int dimensions, scree_volume volume, size_t count)
{
    world.dimensions = dimensions;
    world.volume = volume;
    world.count = count;
    world.random = scree_random_stream(41, count);
}

static inline void place(size_t i, double x, double y, double z, double radius)
{
    double at[3] = {x, y, z};
    world.radius[i] = radius;
    for (int k = 0; k < 3; k++) {
        world.centre[i][k] = at[k];
        world.lower[i][k] = at[k] - radius;
        world.upper[i][k] = at[k] + radius;
    }
}

static inline void set_interval(size_t i, int axis, double lower, double upper)
{
    world.lower[i][axis] = lower;
    world.upper[i][axis] = upper;
}

/*  Radii uniform in [1, ratio], so dense that a sphere meets about 6 others, whatever the ratio. */
static inline void scatter(int dimensions, scree_volume volume, size_t count, double ratio)
{
    double q = ratio, r1 = (1 + q) / 2, r2 = (1 + q + q * q) / 3, r3 = (1 + q) * (1 + q * q) / 4;
    /* mean of the area, or volume, of a sphere of radius r_i + r_j */
    double around =
        dimensions == 2 ? 3.14159 * 2 * (r2 + r1 * r1) : 4.18879 * 2 * (r3 + 3 * r2 * r1);
    double space = around * (double)count / 6;

    begin_world(dimensions, volume, count);
    world.edge = dimensions == 2 ? sqrt(space) : cbrt(space);
    for (size_t i = 0; i < count; i++) {
        double x = scree_random_range(&world.random, 0, world.edge);
        double y = scree_random_range(&world.random, 0, world.edge);
        double z = dimensions == 3 ? scree_random_range(&world.random, 0, world.edge) : 0;
        place(i, x, y, z, scree_random_range(&world.random, 1, ratio + 1e-12));
    }
}

/*  Every body goes somewhere else, on each axis by at most `reach`. */
static inline void shift_all(double reach)
{
    for (size_t i = 0; i < world.count; i++) {
        double by[3];
        for (int k = 0; k < 3; k++)
            by[k] = scree_random_range(&world.random, -reach, reach);
        place(i, world.centre[i][0] + by[0], world.centre[i][1] + by[1],
              world.dimensions == 3 ? world.centre[i][2] + by[2] : 0, world.radius[i]);
    }
}

/*  `first` and those after it. */
static inline scree_table table_from(size_t first)
{
    scree_view c[3], l[3], u[3], r = scree_doubles(&world.radius[first], sizeof *world.radius);
    for (int k = 0; k < 3; k++) {
        c[k] = scree_doubles(&world.centre[first][k], sizeof *world.centre);
        l[k] = scree_doubles(&world.lower[first][k], sizeof *world.lower);
        u[k] = scree_doubles(&world.upper[first][k], sizeof *world.upper);
    }
    size_t count = world.count - first;
    return world.volume == SCREE_SPHERES ? scree_table_spheres(count, c[0], c[1], c[2], r)
                                         : scree_table_boxes(count, l, u);
}

/* ---- what the rule says ---------------------------------------------------------------------- */

static inline bool boxes_meet(size_t i, size_t j)
{
    bool meet = true;
    for (int k = 0; k < world.dimensions; k++)
        meet = meet && world.lower[i][k] <= world.upper[j][k] &&
               world.lower[j][k] <= world.upper[i][k];
    return meet;
}

static inline bool bodies_meet(size_t i, size_t j)
{
    if (world.volume == SCREE_BOXES)
        return boxes_meet(i, j);
    double distance_sq = 0, reach = world.radius[i] + world.radius[j];
    for (int k = 0; k < world.dimensions; k++) {
        double d = world.centre[i][k] - world.centre[j][k];
        distance_sq += d * d;
    }
    return distance_sq <= reach * reach;
}

static inline uint64_t count_pairs(bool (*meet)(size_t i, size_t j))
{
    uint64_t count = 0;
    for (size_t i = 0; i < world.count; i++)
        for (size_t j = i + 1; j < world.count; j++)
            count += meet(i, j);
    return count;
}

/* ---- detectors on the world ------------------------------------------------------------------ */

static inline scree_detector_def def_of(const char *method)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = world.dimensions;
    def.volume = world.volume;
    return def;
}

static inline void update(scree_detector *detector)
{
    scree_table table = table_from(0);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
}

static inline scree_detector *make(const scree_detector_def *def)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_OK);
    update(detector);
    return detector;
}

static inline scree_detector *make_plain(const char *method)
{
    scree_detector_def def = def_of(method);
    return make(&def);
}

static inline scree_pairs pairs_of(scree_detector *detector, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(detector, &options, &pairs), SCREE_OK);
    return pairs;
}

/*  The same pairs in the same sequence. */
static inline void check_same(scree_pairs a, scree_pairs b)
{
    CHECK_EQUAL(a.count, b.count);
    for (uint64_t k = 0; k < a.count; k++)
        if (a.first[k] != b.first[k] || a.second[k] != b.second[k])
            FAIL("pair %" PRIu64 " is %u %u, not %u %u", k, b.first[k], b.second[k], a.first[k],
                 a.second[k]);
}

/*  The detector's pairs are those of the rule, each once. Returns how many. */
static inline uint64_t check_pairs(scree_detector *detector)
{
    const char *name = scree_detector_method(detector)->name;
    scree_pairs pairs = pairs_of(detector, true);
    uint64_t k = 0;
    for (uint32_t i = 0; i < world.count; i++)
        for (uint32_t j = i + 1; j < world.count; j++) {
            if (!bodies_meet(i, j))
                continue;
            if (k == pairs.count || pairs.first[k] != i || pairs.second[k] != j)
                FAIL("%s, %dD: pair %" PRIu64 " is not %u %u", name, world.dimensions, k, i, j);
            k++;
        }
    if (k != pairs.count)
        FAIL("%s, %dD: %" PRIu64 " pairs, not %" PRIu64, name, world.dimensions, pairs.count, k);
    return k;
}

/*  Figures of one search, with the pairs right. */
static inline scree_stats search_with(const scree_detector_def *def)
{
    scree_detector *detector = make(def);
    CHECK_EQUAL(check_pairs(detector), scree_detector_stats(detector).reported);
    scree_stats stats = scree_detector_stats(detector);
    scree_detector_destroy(detector);
    return stats;
}

static inline scree_stats search(const char *method)
{
    scree_detector_def def = def_of(method);
    return search_with(&def);
}

/*  Candidates for each pair: 1 is the best there is. */
static inline double excess(const char *method)
{
    scree_stats stats = search(method);
    return (double)stats.tested / (double)stats.reported;
}

/*  2D and 3D, spheres and boxes, sizes 1:1 and 1:8, at rest and in motion: against the loop. */
static inline void check_against_loop(const scree_detector_def *wanted)
{
    for (int c = 0; c < 8; c++) {
        scatter(c % 2 ? 2 : 3, c / 2 % 2 ? SCREE_BOXES : SCREE_SPHERES, 300, c / 4 ? 8 : 1);
        scree_detector_def def = *wanted;
        def.dimensions = world.dimensions;
        def.volume = world.volume;
        scree_detector *detector = make(&def);
        for (int step = 0; step < 4; step++) {
            CHECK(check_pairs(detector) > 100);
            shift_all(step == 2 ? world.edge / 2 : 0.3);
            update(detector);
        }
        CHECK(check_pairs(detector) > 0);
        scree_detector_destroy(detector);
    }
}

static inline void check_method(const char *method)
{
    scree_detector_def def = def_of(method);
    check_against_loop(&def);
}

/*  A region's bodies are those of a linear scan. Returns how many. */
static inline size_t check_region(scree_detector *detector, const double lower[3],
                                  const double upper[3])
{
    static scree_hit hits[GCD_MOST];
    size_t count, k = 0;
    scree_query query = scree_query_box(lower, upper);
    CHECK_EQUAL(scree_detector_hits(detector, &query, hits, GCD_MOST, &count, NULL), SCREE_OK);
    for (size_t i = 0; i < world.count; i++) {
        bool meets = true;
        double rest_sq = world.radius[i] * world.radius[i];
        for (int a = 0; a < 3 && a < world.dimensions; a++) {
            double c = world.centre[i][a];
            double away = c < lower[a] ? lower[a] - c : c > upper[a] ? c - upper[a] : 0;
            meets = meets && world.lower[i][a] <= upper[a] && lower[a] <= world.upper[i][a];
            rest_sq -= away * away;
        }
        if (world.volume == SCREE_SPHERES ? rest_sq < 0 : !meets)
            continue;
        if (k == count || hits[k].id != i)
            FAIL("%s: hit %zu is not %zu", scree_detector_method(detector)->name, k, i);
        k++;
    }
    CHECK_EQUAL(k, count);
    return count;
}

#endif
