/*  The cell space, claim by claim: each test that begins with pfc_ bears the row of the checklist
    that it proves. After every change the lists of cells and pieces are checked against the bodies,
    both ways, and all sums are counted anew. */
#include "base/random.h"
#include "detect/cell_space.h"
#include "detect/conformal.h"
#include "detect/detector_internal.h"
#include "failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 120000u

static double position[MOST][3], radius[MOST], lower[MOST][3], upper[MOST][3];
static uint32_t ids[MOST], rows[MOST];
static scree_random source;
static scree_error why;

/* ---- detectors and scenes ---- */

static scree_detector_def make_def(int dimensions, scree_volume volume)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "cell-space";
    def.dimensions = dimensions;
    def.volume = volume;
    def.error = &why;
    return def;
}

static scree_detector *make(const scree_detector_def *def)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_OK);
    return detector;
}

static const scree_cell_space *space_of(const scree_detector *detector)
{
    return detector->state;
}

static scree_table spheres(size_t count)
{
    return scree_table_spheres(count, scree_doubles(&position[0][0], sizeof *position),
                               scree_doubles(&position[0][1], sizeof *position),
                               scree_doubles(&position[0][2], sizeof *position),
                               scree_doubles(radius, sizeof *radius));
}

static scree_table boxes(size_t count)
{
    scree_view low[3], high[3];

    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(&lower[0][k], sizeof *lower);
        high[k] = scree_doubles(&upper[0][k], sizeof *upper);
    }
    return scree_table_boxes(count, low, high);
}

static void scatter(uint32_t begin, uint32_t end, double low, double high, double smallest,
                    double largest)
{
    for (uint32_t i = begin; i < end; i++) {
        for (int k = 0; k < 3; k++)
            position[i][k] = scree_random_range(&source, low, high);
        radius[i] = scree_random_log_uniform(&source, smallest, largest);
    }
}

static void box_up(uint32_t count, int dimensions)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double half = k < dimensions ? radius[i] * scree_random_range(&source, 0.1, 1) : 0;
            lower[i][k] = position[i][k] - half;
            upper[i][k] = position[i][k] + half;
        }
}

static void update(scree_detector *detector, scree_table table)
{
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
}

static void check_valid(scree_detector *detector)
{
    scree_bodies bodies = scree_store_view(&detector->store);
    if (!scree_cell_space_is_valid(space_of(detector), &bodies, &why))
        FAIL("%s", why.text);
}

static scree_cell_figures figures_of(scree_detector *detector)
{
    scree_bodies bodies = scree_store_view(&detector->store);
    return scree_cell_space_figures(space_of(detector), &bodies);
}

static scree_pairs pairs_of(scree_detector *detector, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;

    CHECK_EQUAL(scree_detector_pairs(detector, &options, &pairs), SCREE_OK);
    return pairs;
}

static void check_same(scree_pairs a, scree_pairs b)
{
    CHECK_EQUAL(a.count, b.count);
    for (uint64_t k = 0; k < a.count; k++)
        if (a.first[k] != b.first[k] || a.second[k] != b.second[k])
            FAIL("pair %" PRIu64 " is %u %u, not %u %u", k, b.first[k], b.second[k], a.first[k],
                 a.second[k]);
}

/*  Valid, and the pairs of the oracle on the same table. */
static void check_all(scree_detector *detector, scree_table table)
{
    scree_detector_def def = make_def(detector->def.dimensions, detector->def.volume);
    def.method = "bounding-volume";
    scree_detector *oracle = make(&def);

    check_valid(detector);
    update(oracle, table);
    check_same(pairs_of(oracle, true), pairs_of(detector, true));
    scree_detector_destroy(oracle);
}

/*  One cell over the cube of edge 1, if `cells` is 1. */
static scree_detector_def unit_def(uint32_t cells)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    for (int k = 0; k < 3; k++)
        def.cell_space.upper[k] = 1;
    def.cell_space.cells = cells;
    return def;
}

/* ---- decomposition ---- */

TEST(pfc_07_equal_cells)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
        uint32_t count = dimensions == 2 ? 11000 : 110000, wanted = count / 11;
        source = scree_random_stream(7, 0);
        scatter(0, count, -50, 50, 0.01, 0.1);
        scree_detector *detector = make(&def);
        update(detector, spheres(count));
        scree_cell_figures figures = figures_of(detector);
        printf("%dD: %u parent cells of edge %g\n", dimensions, figures.parents, figures.len);
        /* each axis is rounded up to whole cells */
        CHECK(figures.parents >= wanted && figures.parents < wanted * 5 / 4);
        const scree_cell_space *cs = space_of(detector);
        for (uint32_t c = 0; c < figures.parents; c++)
            for (int k = 0; k < dimensions; k++) {
                double edge = cs->cell[c].range.upper[k] - cs->cell[c].range.lower[k];
                CHECK(isinf(edge) || fabs(edge - figures.len) < 1e-12);
            }
        scree_detector_destroy(detector);
    }
}

/*  Edges of very different length, and axes of none, still give cubes, and about as many. */
TEST(pfc_07_flat_domains)
{
    static const double edges[][3] = {{1, 1, 1},    {1e6, 1e-3, 1e-3}, {1, 1, 0},
                                      {1e-5, 1, 1}, {0, 3, 0},         {1e90, 1, 1e-90}};
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        scree_detector_def def = make_def(3, SCREE_SPHERES);
        for (int k = 0; k < 3; k++)
            def.cell_space.upper[k] = edges[e][k];
        def.cell_space.cells = 1000;
        scree_detector *detector = make(&def);
        memset(position, 0, sizeof *position);
        radius[0] = 0;
        update(detector, spheres(1));
        scree_cell_figures figures = figures_of(detector);
        CHECK(figures.parents >= 999 && figures.parents <= 1400);
        for (int k = 0; k < 3; k++)
            CHECK(figures.count[k] == 1 ||
                  fabs(figures.count[k] * figures.len - edges[e][k]) <= 1.001 * figures.len);
        scree_detector_destroy(detector);
    }
}

TEST(pfc_08_index_round_trip)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
        for (int k = 0; k < 3; k++) {
            def.cell_space.lower[k] = -7.3 + k;
            def.cell_space.upper[k] = 11.1 + 2.7 * k;
        }
        def.cell_space.cells = 500;
        scree_detector *detector = make(&def);
        update(detector, spheres(0));
        const scree_cell_space *cs = space_of(detector);
        const scree_space *root = &cs->space[0];
        uint32_t at[3], c = 0;
        for (at[2] = 0; at[2] < root->count[2]; at[2]++)
            for (at[1] = 0; at[1] < root->count[1]; at[1]++)
                for (at[0] = 0; at[0] < root->count[0]; at[0]++, c++) {
                    CHECK_EQUAL(scree_space_cell_at(root, at), c);
                    for (int k = 0; k < dimensions; k++) {
                        double low = cs->cell[c].range.lower[k], high = cs->cell[c].range.upper[k];
                        double middle = root->origin[k] + (at[k] + 0.5) * root->len;
                        CHECK_EQUAL(scree_space_index(root, k, middle), at[k]);
                        /* formula (3) */
                        CHECK_EQUAL((uint32_t)floor((middle - root->origin[k]) / root->len), at[k]);
                        CHECK(low < middle && middle < high);
                        /* a lower face belongs to the cell, the upper one to the next */
                        CHECK_EQUAL(scree_space_index(root, k, low), at[k]);
                        CHECK_EQUAL(scree_space_index(root, k, nextafter(high, low)),
                                    isinf(high) ? root->count[k] - 1 : at[k]);
                        CHECK(isinf(high) || scree_space_index(root, k, high) == at[k] + 1);
                    }
                }
        CHECK_EQUAL(c, root->cells);
        scree_detector_destroy(detector);
    }
}

TEST(pfc_09_outside_and_not_a_number)
{
    scree_detector_def def = unit_def(64);
    source = scree_random_stream(9, 0);
    scatter(0, 600, -3, 4, 0.05, 0.3);
    for (uint32_t i = 0; i < 600; i += 10) /* far away, in pairs that touch */
        for (int k = 0; k < 3; k++) {
            position[i][k] = (i % 20 ? -1 : 1) * pow(10, i % 100) + k;
            position[i + 1][k] = position[i][k];
        }
    scree_detector *detector = make(&def);
    update(detector, spheres(600));
    check_all(detector, spheres(600));
    const scree_space *root = &space_of(detector)->space[0];
    CHECK_EQUAL(scree_space_index(root, 0, -INFINITY), 0);
    CHECK_EQUAL(scree_space_index(root, 0, INFINITY), root->count[0] - 1);
    CHECK_EQUAL(scree_space_index(root, 0, 1e300), root->count[0] - 1);

    position[5][1] = NAN;
    scree_table table = spheres(600);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_BAD_VALUE);
    check_valid(detector);
    scree_detector_destroy(detector);

    def.unusable = SCREE_SKIP_BODY;
    detector = make(&def);
    update(detector, spheres(600));
    check_valid(detector);
    CHECK_EQUAL(scree_detector_stats(detector).rejected, 1);
    scree_detector_destroy(detector);
}

/*  Tests that a search makes: the pairs of each list. */
static double work_per_body(scree_detector *detector)
{
    const scree_cell_space *cs = space_of(detector);
    double work = 0;
    for (uint32_t c = 0; c < cs->cell_count; c++)
        if (cs->cell[c].head != SCREE_CELL_NONE)
            work += 0.5 * cs->cell[c].mapped * ((double)cs->cell[c].mapped - 1);
    return work / detector->store.active_count;
}

/*  Work and memory per body do not grow with their number; time is for the benchmarks. */
TEST(pfc_10_linear)
{
    static const double largest[] = {1, 10};
    for (size_t ratio = 0; ratio < 2; ratio++) {
        double least = INFINITY, most = 0, entries = 0;
        for (uint32_t count = 1000; count <= 100000; count *= 10) {
            scree_detector_def def = make_def(3, SCREE_SPHERES);
            double mean_cube = ratio ? 999 / (3 * log(10)) : 1; /* of log-uniform radii */
            source = scree_random_stream(10, count);
            scatter(0, count, 0, cbrt(count * mean_cube / 0.18), 1, largest[ratio]);
            scree_detector *detector = make(&def);
            update(detector, spheres(count));
            double work = work_per_body(detector);
            least = fmin(least, work);
            most = fmax(most, work);
            entries = fmax(entries, figures_of(detector).cells_per_piece);
            scree_detector_destroy(detector);
        }
        CHECK(most < 2 * least);
        CHECK(entries < 6);
    }
}

/* ---- extents and conformal checks ---- */

TEST(pfc_11_least_extents)
{
    source = scree_random_stream(11, 0);
    scatter(0, 200, -5, 5, 0.01, 3);
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    scree_detector *detector = make(&def);
    update(detector, spheres(200));
    scree_bodies bodies = scree_store_view(&detector->store);
    for (uint32_t i = 0; i < 200; i++) {
        scree_reach reach = scree_cell_reach(&bodies, i);
        for (int k = 0; k < 3; k++) {
            /* holds the sphere, and hardly more: tight on all six sides */
            double low = position[i][k] - radius[i], high = position[i][k] + radius[i];
            CHECK(reach.box.lower[k] <= low && low - reach.box.lower[k] < 1e-12);
            CHECK(reach.box.upper[k] >= high && reach.box.upper[k] - high < 1e-12);
        }
    }
    scree_detector_destroy(detector);
}

/*  Corners of a tetrahedron; every point of it must be in a cell that lists its box. */
TEST(pfc_12_blocks)
{
    scree_detector_def def = make_def(3, SCREE_BOXES);
    double corner[40][4][3];

    source = scree_random_stream(12, 0);
    for (uint32_t i = 0; i < 40; i++)
        for (int k = 0; k < 3; k++) {
            double at = scree_random_range(&source, -4, 4);
            lower[i][k] = INFINITY;
            upper[i][k] = -INFINITY;
            for (int v = 0; v < 4; v++) {
                corner[i][v][k] = at + scree_random_range(&source, -1, 1);
                lower[i][k] = fmin(lower[i][k], corner[i][v][k]);
                upper[i][k] = fmax(upper[i][k], corner[i][v][k]);
            }
        }
    def.cell_space.cells = 1000;
    scree_detector *detector = make(&def);
    update(detector, boxes(40));
    check_all(detector, boxes(40));
    const scree_cell_space *cs = space_of(detector);
    for (uint32_t sample = 0; sample < 4000; sample++) {
        uint32_t i = sample % 40, at[3];
        double weight[4], sum = 0;
        for (int v = 0; v < 4; v++)
            sum += weight[v] = scree_random_range(&source, 0, 1);
        for (int k = 0; k < 3; k++) {
            double x = 0;
            for (int v = 0; v < 4; v++)
                x += weight[v] / sum * corner[i][v][k];
            at[k] = scree_space_index(&cs->space[0], k, x);
        }
        uint32_t cell = scree_space_cell_at(&cs->space[0], at);
        CHECK(scree_lazy_contains(&cs->lists, cs->cell[cell].head, i));
    }
    scree_detector_destroy(detector);
}

TEST(pfc_20_interaction_distance_enlarges_all)
{
    scree_detector_def def = unit_def(1000);
    source = scree_random_stream(20, 0);
    scatter(0, 500, 0, 1, 0.01, 0.02);
    scree_detector *detector = make(&def);
    update(detector, spheres(500));
    uint64_t entries = figures_of(detector).entries;
    uint32_t cells[500];
    const scree_cell_space *cs = space_of(detector);
    for (uint32_t i = 0; i < 500; i++) {
        cells[i] = 0;
        for (uint32_t n = cs->piece[i].first; n != SCREE_CELL_NONE; n = cs->link[n].next)
            cells[i]++;
        radius[i] += 0.03; /* half the interaction distance */
    }
    update(detector, spheres(500));
    check_all(detector, spheres(500));
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t now = 0;
        for (uint32_t n = cs->piece[i].first; n != SCREE_CELL_NONE; n = cs->link[n].next)
            now++;
        CHECK(now >= cells[i]);
    }
    CHECK(figures_of(detector).entries > entries * 3 / 2);
    scree_detector_destroy(detector);
}

TEST(pfc_21_spheres_miss_corner_cells)
{
    scree_detector_def def = unit_def(8000);
    uint64_t extent_cells = 0, mapped = 0;

    def.cell_space.depth = 0;
    source = scree_random_stream(21, 0);
    scatter(0, 60, 0.2, 0.8, 0.06, 0.1);
    scree_detector *detector = make(&def);
    update(detector, spheres(60));
    const scree_cell_space *cs = space_of(detector);
    scree_bodies bodies = scree_store_view(&detector->store);
    for (uint32_t i = 0; i < 60; i++) {
        scree_reach reach = scree_cell_reach(&bodies, i);
        scree_cell_range range = scree_space_range(&cs->space[0], &reach.box);
        uint32_t at[3];
        for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++)
            for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++)
                for (at[0] = range.first[0]; at[0] <= range.last[0]; at[0]++) {
                    const scree_space_cell *cell = &cs->cell[scree_space_cell_at(&cs->space[0], at)];
                    bool listed = scree_lazy_contains(&cs->lists, cell->head, i);
                    double nearest = INFINITY;
                    /* dense points of the cell; the nearest is at most half a step off */
                    for (uint32_t s = 0; s < 1000; s++) {
                        uint32_t step[3] = {s % 10, s / 10 % 10, s / 100};
                        double sum = 0;
                        for (int k = 0; k < 3; k++) {
                            double x = cell->range.lower[k] + step[k] * cs->space[0].len / 9;
                            sum += (x - position[i][k]) * (x - position[i][k]);
                        }
                        nearest = fmin(nearest, sqrt(sum));
                    }
                    CHECK(listed || nearest > radius[i]);
                    CHECK(!listed || nearest < radius[i] + cs->space[0].len / 9);
                    extent_cells++;
                    mapped += listed;
                }
    }
    CHECK(mapped < extent_cells * 9 / 10);
    scree_detector_destroy(detector);
}

/*  The squared distance from a point to a triangle, by many points of it. */
static double sampled_distance(const double vertex[3][3], const scree_box *cell)
{
    double nearest = INFINITY;
    for (int a = 0; a <= 60; a++)
        for (int b = 0; a + b <= 60; b++) {
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = (a * vertex[0][k] + b * vertex[1][k] + (60 - a - b) * vertex[2][k]) / 60;
            nearest = fmin(nearest, scree_conformal_distance_sq(cell, point));
        }
    return sqrt(nearest);
}

TEST(pfc_22_facets)
{
    uint32_t by_box = 0, reached = 0;

    source = scree_random_stream(22, 0);
    for (uint32_t trial = 0; trial < 3000; trial++) {
        double vertex[3][3], margin = trial % 3 ? scree_random_range(&source, 0, 0.2) : 0;
        double offset = trial % 7 ? 0 : 1e6, size = trial % 5 ? 1 : 5;
        bool box_overlap = true;
        scree_box cell;
        for (int k = 0; k < 3; k++) {
            for (int v = 0; v < 3; v++)
                vertex[v][k] = scree_random_range(&source, -size, size) + offset;
            if (trial % 11 == 0) /* a segment, and a point */
                vertex[2][k] = vertex[trial % 2][k];
            if (trial % 22 == 0)
                vertex[1][k] = vertex[2][k] = vertex[0][k];
            cell.lower[k] = scree_random_range(&source, -1, 1) + offset;
            cell.upper[k] = cell.lower[k] + scree_random_range(&source, 0.05, 0.6);
        }
        if (trial % 13 == 0)
            cell.upper[trial % 3] = INFINITY; /* a border cell */
        for (int k = 0; k < 3; k++) {
            double low = fmin(vertex[0][k], fmin(vertex[1][k], vertex[2][k])) - margin;
            double high = fmax(vertex[0][k], fmax(vertex[1][k], vertex[2][k])) + margin;
            box_overlap &= low <= cell.upper[k] && cell.lower[k] <= high;
        }
        bool found = scree_conformal_triangle(&cell, (const double(*)[3])vertex, margin);
        if (sampled_distance((const double(*)[3])vertex, &cell) <= margin)
            CHECK(found);
        by_box += box_overlap;
        reached += found;
    }
    CHECK(reached < by_box * 8 / 10);
    CHECK(reached > by_box / 4);
}

TEST(conformal_spheres)
{
    const scree_box cell = {{0, 0, -INFINITY}, {1, 1, INFINITY}};
    const double inside[4] = {0.5, 0.5, 7, 0}, corner[4] = {2, 2, 0, 1}, side[4] = {2, 0.5, 3, 1};

    CHECK(scree_conformal_sphere(&cell, inside, 0));
    CHECK(!scree_conformal_sphere(&cell, corner, 0.4));
    CHECK(scree_conformal_sphere(&cell, corner, 0.4143));
    CHECK(scree_conformal_sphere(&cell, side, 0)); /* touches */
}

/* ---- dirty lists ---- */

TEST(pfc_23_dirty_at_creation)
{
    scree_detector_def def = unit_def(100);
    scree_detector *detector = make(&def);

    update(detector, spheres(0));
    source = scree_random_stream(23, 0);
    scatter(0, 300, 0, 1, 0.02, 0.1);
    scree_table table = spheres(300);
    CHECK_EQUAL(scree_detector_insert(detector, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_stats(detector).remapped, 300);
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1); /* the empty one */
    check_all(detector, table);
    scree_detector_destroy(detector);
}

TEST(pfc_25_only_the_dirty_are_remapped)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    source = scree_random_stream(25, 0);
    scatter(0, 3000, 0, 30, 0.5, 1);
    scree_detector *detector = make(&def);
    update(detector, spheres(3000));
    uint64_t before = scree_detector_stats(detector).remapped;
    for (int step = 1; step <= 20; step++) {
        for (uint32_t k = 0; k < 30; k++) {
            rows[k] = (uint32_t)step + 97 * k;
            for (int axis = 0; axis < 3; axis++)
                position[rows[k]][axis] += scree_random_range(&source, -3, 3);
        }
        scree_table table = spheres(3000);
        scree_rows dirty = {rows, 30};
        CHECK_EQUAL(scree_detector_update(detector, &table, &dirty), SCREE_OK);
        CHECK_EQUAL(scree_detector_stats(detector).remapped, before + 30u * (uint32_t)step);
    }
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
    check_all(detector, spheres(3000));
    scree_detector_destroy(detector);
}

/* ---- lists and sums ---- */

/*  Bodies come, go, move a little or far, in tables and in few rows. */
static void churn(int dimensions, scree_volume volume, uint32_t threads, uint64_t seed)
{
    scree_detector_def def = make_def(dimensions, volume);
    uint32_t count = 400;

    def.thread_count = threads;
    def.cell_space.factor = 4;
    source = scree_random_stream(seed, 0);
    scatter(0, count, 0, dimensions == 2 ? 12 : 5, 0.05, 0.5);
    box_up(count, dimensions);
    scree_detector *detector = make(&def);
    scree_table table = volume == SCREE_SPHERES ? spheres(count) : boxes(count);
    update(detector, table);
    for (int step = 0; step < 20; step++) {
        double move = step % 5 == 4 ? 2 : 0.1;
        for (uint32_t k = 0; k < count; k++) {
            rows[k] = k;
            for (int axis = 0; axis < dimensions; axis++)
                position[k][axis] += scree_random_range(&source, -move, move);
        }
        box_up(count, dimensions);
        scree_rows dirty = {rows + step, 100};
        if (step % 3 == 0) { /* these leave and come again where they are now */
            CHECK_EQUAL(scree_detector_remove(detector, rows + step, 100), SCREE_OK);
            check_valid(detector);
            scree_table some = volume == SCREE_SPHERES ? spheres(count) : boxes(count);
            memcpy(ids, rows, sizeof ids);
            for (uint32_t k = 0; k < 100; k++) {
                uint32_t id = rows[(uint32_t)step + 99 - k];
                memmove(position[k + 10000], position[id], sizeof *position);
                memmove(lower[k + 10000], lower[id], sizeof *lower);
                memmove(upper[k + 10000], upper[id], sizeof *upper);
                radius[k + 10000] = radius[id];
                ids[k] = id;
            }
            some.count = 100;
            some.ids = scree_integer_view(ids, sizeof *ids);
            for (int k = 0; k < 3; k++) {
                some.centre[k].data = volume == SCREE_SPHERES && some.centre[k].data
                                          ? &position[10000][k]
                                          : some.centre[k].data;
                some.lower[k].data = some.lower[k].data ? &lower[10000][k] : NULL;
                some.upper[k].data = some.upper[k].data ? &upper[10000][k] : NULL;
            }
            if (some.radius.data)
                some.radius.data = &radius[10000];
            CHECK_EQUAL(scree_detector_insert(detector, &some, NULL), SCREE_OK);
        } else if (step % 3 == 1) {
            CHECK_EQUAL(scree_detector_update(detector, &table, &dirty), SCREE_OK);
        }
        check_valid(detector);
        if (step % 2)
            update(detector, table);
        check_valid(detector);
    }
    update(detector, table);
    check_all(detector, table);
    CHECK(figures_of(detector).spaces > 1);
    scree_detector_destroy(detector);
}

TEST(pfc_31_lists_both_ways)
{
    for (uint32_t seed = 0; seed < 2; seed++) {
        churn(2, SCREE_SPHERES, 1, seed);
        churn(3, SCREE_SPHERES, 1, seed);
        churn(2, SCREE_BOXES, 1, seed);
        churn(3, SCREE_BOXES, 1, seed);
    }
}

/*  The stamps of a remap begin again when they run out. */
TEST(pfc_31_stamps_run_out)
{
    scree_detector_def def = unit_def(64);
    source = scree_random_stream(31, 1);
    scatter(0, 300, 0, 1, 0.02, 0.1);
    scree_detector *detector = make(&def);
    update(detector, spheres(300));
    update(detector, spheres(300));
    ((scree_cell_space *)detector->state)->remapper[0].stamp = UINT32_MAX - 101;
    for (uint32_t i = 0; i < 300; i++)
        position[i][1] = 1 - position[i][1];
    update(detector, spheres(300));
    check_all(detector, spheres(300));
    scree_detector_destroy(detector);
}

/*  The check itself must be able to fail. */
TEST(pfc_31_faults_are_seen)
{
    scree_detector_def def = unit_def(8);
    source = scree_random_stream(31, 0);
    scatter(0, 200, 0, 1, 0.001, 0.01);
    scree_detector *detector = make(&def);
    update(detector, spheres(200));
    check_valid(detector);
    scree_bodies bodies = scree_store_view(&detector->store);
    scree_cell_space *cs = detector->state;
    scree_piece *piece = &cs->piece[17];
    scree_space_cell *home = &cs->cell[piece->home];
    uint32_t node = scree_lazy_next(&cs->lists, home->head);

#define CHECK_SEEN(field, wrong, words)                                                            \
    do {                                                                                           \
        uint64_t kept_ = (uint64_t)(field);                                                        \
        (field) = (wrong);                                                                         \
        CHECK(!scree_cell_space_is_valid(cs, &bodies, &why));                                      \
        CHECK_SAYS(why.text, words);                                                               \
        (field) = kept_;                                                                           \
        CHECK(scree_cell_space_is_valid(cs, &bodies, &why));                                       \
    } while (0)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    CHECK_SEEN(home->mapped, home->mapped + 1, "length of the list");
    CHECK_SEEN(home->centroids, home->centroids + 1, "centroids counted anew");
    CHECK_SEEN(home->extents, home->extents + 1, "sum of extents");
    CHECK_SEEN(cs->entries, cs->entries + 1, "entries are miscounted");
    CHECK_SEEN(cs->outside, cs->outside + 1, "outside is miscounted");
    CHECK_SEEN(cs->dead_cells, cs->dead_cells + 1, "cells are lost");
    CHECK_SEEN(piece->first, SCREE_CELL_NONE, "does not list it");
    CHECK_SEEN(piece->outside, true, "side of the domain");
    CHECK_SEEN(piece->size, piece->size + 1, "");
    CHECK_SEEN(piece->home, SCREE_CELL_NONE, "");
    CHECK_SEEN(cs->lists.node[node].state, 1, "locked or marked");
    CHECK_SEEN(cs->lists.node[node].key, 199, "");
    CHECK_SEEN(cs->lists.node[node].key, 100000, "not active");
    CHECK_SEEN(cs->space[1].parent, (cs->space[1].parent + 1) % 8, "child of its cell");
#pragma GCC diagnostic pop
    scree_detector_destroy(detector);
}

TEST(pfc_32_sums)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    def.cell_space.factor = 5;
    source = scree_random_stream(32, 0);
    scatter(0, 800, 0, 15, 0.05, 1);
    scree_detector *detector = make(&def);
    update(detector, spheres(800));
    const scree_cell_space *cs = space_of(detector);
    for (int step = 0; step < 20; step++) {
        uint64_t centroids = 0;
        double volume = 0, truth = 0;
        for (uint32_t c = 0; c < cs->space[0].cells; c++) {
            centroids += cs->cell[c].centroids;
            volume += (double)cs->cell[c].extents;
        }
        volume *= pow(cs->space[0].len, 3) / SCREE_CELL_VOLUME;
        for (uint32_t i = 0; i < 800; i++)
            truth += pow(2 * radius[i], 3);
        CHECK_EQUAL(centroids, 800);
        CHECK_NEAR(volume / truth, 1, 1e-4); /* fractions of 2^-24 of a cell are lost */
        check_valid(detector);
        for (uint32_t i = 0; i < 800; i++)
            for (int k = 0; k < 3; k++)
                position[i][k] += scree_random_range(&source, -0.2, 0.2);
        update(detector, spheres(800));
    }
    scree_detector_destroy(detector);
}

/* ---- the iterator ---- */

/*  Hits of random windows, spheres and rays, against a linear scan. */
static void check_queries(scree_detector *detector, scree_table table, double low, double high)
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

TEST(pfc_33_window)
{
    for (int volume = SCREE_SPHERES; volume <= SCREE_BOXES; volume++) {
        scree_detector_def def = make_def(3, (scree_volume)volume);
        source = scree_random_stream(33, 0);
        scatter(0, 3000, 0, 10, 0.05, 0.9);
        box_up(3000, 3);
        scree_detector *detector = make(&def);
        scree_table table = volume == SCREE_SPHERES ? spheres(3000) : boxes(3000);
        update(detector, table);
        check_queries(detector, table, -1, 11);
        scree_detector_destroy(detector);
    }
}

/* ---- refinement ---- */

/*  One cell of volume 1 with `count` spheres whose extents have a mean volume of 1 / fit. */
static bool is_refined(uint32_t count, double fit, double factor)
{
    scree_detector_def def = unit_def(1);
    def.cell_space.factor = factor;
    source = scree_random_stream(34, count);
    double r = 0.5 * cbrt(1 / fit);
    scatter(0, count, 0.1, 0.9, r, r * (1 + 1e-12));
    scree_detector *detector = make(&def);
    update(detector, spheres(count));
    check_all(detector, spheres(count));
    bool refined = figures_of(detector).spaces > 1;
    scree_detector_destroy(detector);
    return refined;
}

TEST(pfc_34_both_thresholds)
{
    CHECK(!is_refined(10, 1000, 20));
    CHECK(is_refined(11, 1000, 20));
    CHECK(!is_refined(40, 19.9, 20));
    CHECK(is_refined(40, 20.1, 20));
    CHECK(!is_refined(40, 49, 50));
    CHECK(is_refined(40, 51, 50));
}

/*  What does not pay is not done: larger pieces that overlap all children. */
TEST(pfc_34_refinement_must_pay)
{
    scree_detector_def def = unit_def(27);
    source = scree_random_stream(34, 0);
    scatter(0, 1000, 0, 1, 1e-3, 1e-3);
    scatter(1000, 1300, 0.01, 0.02, 3, 3); /* centres in one corner cell, extents over all */
    scree_detector *detector = make(&def);
    update(detector, spheres(1300));
    check_valid(detector);
    CHECK_EQUAL(figures_of(detector).spaces, 1);
    /* and is tried again when they are gone */
    for (uint32_t k = 0; k < 300; k++)
        rows[k] = 1000 + k;
    CHECK_EQUAL(scree_detector_remove(detector, rows, 300), SCREE_OK);
    check_valid(detector);
    CHECK(figures_of(detector).spaces > 20);
    scree_detector_destroy(detector);
}

TEST(pfc_35_three_levels)
{
    scree_detector_def def = unit_def(8);
    def.cell_space.most_children = 2;
    source = scree_random_stream(35, 0);
    scatter(0, 300, 0, 1, 0.001, 0.05);
    scatter(300, 800, 0.6, 0.7, 0.0005, 0.005);
    scatter(800, 1300, 0.64, 0.65, 0.00005, 0.0005);
    scree_detector *detector = make(&def);
    update(detector, spheres(1300));
    check_all(detector, spheres(1300));
    CHECK(figures_of(detector).depth >= 3);
    check_queries(detector, spheres(1300), 0.5, 0.8);
    scree_detector_destroy(detector);

    /* no deeper than allowed */
    def.cell_space.depth = 2;
    detector = make(&def);
    update(detector, spheres(1300));
    check_all(detector, spheres(1300));
    CHECK_EQUAL(figures_of(detector).depth, 2);
    scree_detector_destroy(detector);
}

TEST(pfc_35_identical_pieces_end)
{
    scree_detector_def def = unit_def(8);
    for (uint32_t i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            position[i][k] = 0.3;
        radius[i] = 0;
    }
    scree_detector *detector = make(&def);
    update(detector, spheres(200));
    check_all(detector, spheres(200));
    CHECK_EQUAL(pairs_of(detector, false).count, 200 * 199 / 2);
    CHECK_EQUAL(figures_of(detector).depth, 10);
    scree_detector_destroy(detector);

    /* without a domain it has no extent, and there is nothing to refine */
    def = make_def(3, SCREE_SPHERES);
    detector = make(&def);
    update(detector, spheres(200));
    check_all(detector, spheres(200));
    CHECK_EQUAL(figures_of(detector).parents, 1);
    scree_detector_destroy(detector);
}

TEST(pfc_36_giants_are_not_refined)
{
    scree_detector_def def = unit_def(64);
    source = scree_random_stream(36, 0);
    scatter(0, 400, 0, 1, 0.15, 0.4);
    scree_detector *detector = make(&def);
    update(detector, spheres(400));
    check_all(detector, spheres(400));
    CHECK_EQUAL(figures_of(detector).spaces, 1);
    scree_detector_destroy(detector);
}

/*  Memory is in proportion to the bodies, even if each is as large as the domain. */
TEST(pfc_36_cells_grow_with_the_pieces)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    source = scree_random_stream(36, 1);
    scatter(0, 2000, 0, 1, 3, 5);
    def.cell_space.cells = 10000;
    scree_detector *detector = make(&def);
    update(detector, spheres(2000));
    CHECK(figures_of(detector).cells_per_piece <= 17);
    scree_detector_destroy(detector);

    /* the same if they grow later */
    scatter(0, 2000, 0, 1, 0.01, 0.01);
    detector = make(&def);
    update(detector, spheres(2000));
    CHECK(figures_of(detector).parents >= 10000);
    for (uint32_t i = 0; i < 2000; i++)
        radius[i] = 3;
    update(detector, spheres(2000));
    check_valid(detector);
    CHECK(figures_of(detector).cells_per_piece <= 17);
    scree_detector_destroy(detector);
}

TEST(pfc_37_ten_extents_in_a_leaf)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (uint32_t count = 1000; count <= 100000; count *= 10) {
            scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
            double side = dimensions == 2 ? sqrt(count / 0.2) : cbrt(count / 0.1);
            source = scree_random_stream(37, count);
            scatter(0, count, 0, side, 0.9, 1.1);
            def.cell_space.cells = count == 100000 ? 900 : 0; /* so that most are refined */
            scree_detector *detector = make(&def);
            update(detector, spheres(count));
            scree_cell_figures figures = figures_of(detector);
            printf("%dD, %u bodies: %.1f extents in a leaf, %.2f cells a piece\n", dimensions,
                   count, figures.mean_extents, figures.cells_per_piece);
            CHECK(figures.mean_extents >= 5 && figures.mean_extents <= 20);
            scree_detector_destroy(detector);
        }
}

TEST(pfc_38_coarse_cells_are_left_behind)
{
    scree_detector_def def = unit_def(64);
    double bytes[2];

    source = scree_random_stream(38, 0);
    scatter(0, 200, 0, 1, 0.02, 0.05);
    scree_detector *detector = make(&def);
    for (uint32_t i = 200; i < 1200; i++)
        radius[i] = 0.001;
    for (int step = 0; step <= 200; step++) {
        for (uint32_t i = 200; i < 1200; i++) {
            if (step == 0)
                for (int k = 0; k < 3; k++)
                    position[i][k] = scree_random_range(&source, 0.1, 0.2);
            position[i][0] += 0.004;
        }
        update(detector, spheres(1200));
        if (step % 20 == 0)
            check_all(detector, spheres(1200));
        if (step == 40 || step == 200)
            bytes[step == 200] = (double)scree_detector_stats(detector).bytes;
    }
    scree_cell_figures figures = figures_of(detector);
    CHECK(figures.merged > 3);
    /* where the cluster was, nothing is refined: only the cells that it is in now */
    const scree_cell_space *cs = space_of(detector);
    for (uint32_t c = 0; c < cs->space[0].cells; c++)
        CHECK(cs->cell[c].child == SCREE_CELL_NONE || cs->cell[c].centroids >= 2);
    CHECK(bytes[1] <= 1.5 * bytes[0]);

    /* all small ones gone: all is coarse again */
    for (uint32_t i = 0; i < 1000; i++)
        rows[i] = 200 + i;
    CHECK_EQUAL(scree_detector_remove(detector, rows, 1000), SCREE_OK);
    check_valid(detector);
    for (uint32_t c = 0; c < cs->space[0].cells; c++)
        CHECK(cs->cell[c].child == SCREE_CELL_NONE || cs->cell[c].centroids >= 2);
    CHECK(figures_of(detector).spaces <= 6);
    scree_detector_destroy(detector);
}

/*  The size criterion is lost, with hysteresis: between half the factor and the factor cells stay
    as they are. */
TEST(pfc_38_large_pieces_merge_cells)
{
    scree_detector_def def = unit_def(1);
    source = scree_random_stream(38, 1);
    scatter(0, 40, 0.1, 0.9, 0.1, 0.1);
    scree_detector *detector = make(&def);
    update(detector, spheres(40));
    CHECK(figures_of(detector).spaces > 1); /* fit is 125 */
    for (uint32_t i = 0; i < 40; i++)
        radius[i] = 0.5 * cbrt(1 / 15.0);
    update(detector, spheres(40));
    CHECK(figures_of(detector).spaces > 1);
    for (uint32_t i = 0; i < 40; i++)
        radius[i] = 0.5 * cbrt(1 / 9.0);
    update(detector, spheres(40));
    check_all(detector, spheres(40));
    CHECK_EQUAL(figures_of(detector).spaces, 1);
    for (uint32_t i = 0; i < 40; i++)
        radius[i] = 0.5 * cbrt(1 / 15.0);
    update(detector, spheres(40));
    CHECK_EQUAL(figures_of(detector).spaces, 1);
    scree_detector_destroy(detector);
}

/*  Small pieces drift through large ones that stay: refinement follows them. */
TEST(pfc_39_flow)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    for (int k = 0; k < 3; k++)
        def.cell_space.upper[k] = 20;
    def.cell_space.cells = 100;
    source = scree_random_stream(39, 0);
    scatter(0, 300, 0, 20, 1, 1.2);
    scatter(300, 2500, 0, 6, 0.1, 0.12);
    scree_detector *detector = make(&def);
    update(detector, spheres(2500));
    for (int step = 0; step < 300; step++) {
        for (uint32_t i = 300; i < 2500; i++)
            for (int k = 0; k < 3; k++) {
                position[i][k] += scree_random_range(&source, 0, k == 0 ? 0.1 : 0.05);
                position[i][k] -= position[i][k] > 20 ? 20 : 0;
            }
        update(detector, spheres(2500));
        scree_cell_figures figures = figures_of(detector);
        /* 11 pieces that are small in their cell make 8 children: 1.4 is the least */
        CHECK(figures.mean_extents >= 2 && figures.mean_extents <= 20);
        CHECK(figures.mean_mapped < 20);
        if (step % 150 == 0)
            check_all(detector, spheres(2500));
    }
    scree_cell_figures figures = figures_of(detector);
    CHECK(figures.merged > 10 && figures.refined > 10);
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
    scree_detector_destroy(detector);
}

/* ---- threads ---- */

/*  All lists and sums as words, in the order of cells. */
static uint64_t digest(const scree_cell_space *cs)
{
    uint64_t sum = 14695981039346656037u;
    for (uint32_t c = 0; c < cs->cell_count; c++) {
        const scree_space_cell *cell = &cs->cell[c];
        if (cell->head == SCREE_CELL_NONE)
            continue;
        uint64_t words[] = {c, cell->child, cell->mapped, cell->centroids, cell->extents};
        for (size_t w = 0; w < 5; w++)
            sum = (sum ^ words[w]) * 1099511628211u;
        for (uint32_t n = scree_lazy_next(&cs->lists, cell->head); n != SCREE_CELL_NONE;
             n = scree_lazy_next(&cs->lists, n))
            sum = (sum ^ cs->lists.node[n].key) * 1099511628211u;
    }
    return sum;
}

TEST(pfc_43_threads_make_the_same_sets)
{
    enum
    {
        COUNT = 4000
    };
    scree_detector *detector[3];
    for (uint32_t t = 0; t < 3; t++) {
        scree_detector_def def = make_def(3, SCREE_SPHERES);
        def.thread_count = 1 + 2 * t;
        def.cell_space.factor = 4;
        detector[t] = make(&def);
    }
    source = scree_random_stream(43, 0);
    scatter(0, COUNT, 0, 30, 0.3, 1);
    for (int step = 0; step < 25; step++) {
        for (uint32_t t = 0; t < 3; t++)
            update(detector[t], spheres(COUNT));
        for (uint32_t t = 1; t < 3; t++) {
            CHECK_EQUAL(digest(space_of(detector[0])), digest(space_of(detector[t])));
            check_same(pairs_of(detector[0], false), pairs_of(detector[t], false));
        }
        for (uint32_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++)
                position[i][k] += scree_random_range(&source, -0.1, 0.1);
    }
    CHECK_EQUAL(scree_detector_stats(detector[2]).rebuilds, 1);
    check_valid(detector[2]);
    for (uint32_t t = 0; t < 3; t++)
        scree_detector_destroy(detector[t]);
    churn(3, SCREE_SPHERES, 4, 43);
}

/* ---- domains and parameters ---- */

/*  One runaway does not stretch the cells of all others, and a crowd that leaves is followed. */
TEST(automatic_domain)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    source = scree_random_stream(1, 0);
    scatter(0, 2000, 0, 15, 0.5, 0.5);
    position[77][1] = 1e90;
    scree_detector *detector = make(&def);
    update(detector, spheres(2000));
    check_all(detector, spheres(2000));
    CHECK(figures_of(detector).len < 20);
    for (uint32_t i = 0; i < 2000; i++)
        position[i][0] += 1000;
    for (int step = 0; step < 2; step++)
        update(detector, spheres(2000));
    check_all(detector, spheres(2000));
    CHECK(space_of(detector)->outside < 100);
    scree_detector_destroy(detector);
}

/*  Bodies that come one by one get cells for as many as there are. */
TEST(growing_crowd)
{
    scree_detector_def def = make_def(2, SCREE_SPHERES);
    scree_detector *detector = make(&def);
    source = scree_random_stream(2, 0);
    scatter(0, 3000, 0, 100, 0.5, 1);
    scree_table table = spheres(3000);
    for (uint32_t i = 0; i < 3000; i++) {
        scree_table one = spheres(1);
        for (int k = 0; k < 2; k++)
            one.centre[k].data = &position[i][k];
        one.radius.data = &radius[i];
        CHECK_EQUAL(scree_detector_insert(detector, &one, NULL), SCREE_OK);
        if (i == 0)
            CHECK_EQUAL(pairs_of(detector, false).count, 0);
    }
    check_all(detector, table);
    CHECK(figures_of(detector).mean_mapped < 60);
    scree_detector_destroy(detector);
}

static void check_refused(const scree_detector_def *def, const char *field)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_BAD_ARGUMENT);
    CHECK(detector == NULL);
    CHECK_SAYS(why.text, field);
}

TEST(bad_parameters_are_refused)
{
    const scree_detector_def good = make_def(3, SCREE_SPHERES);
    scree_detector_def def;

#define CHECK_REFUSED(field, value)                                                                \
    do {                                                                                           \
        def = good;                                                                                \
        def.cell_space.field = (value);                                                            \
        check_refused(&def, "cell_space." #field);                                                 \
    } while (0)
    CHECK_REFUSED(lower[0], 1);
    CHECK_REFUSED(lower[2], NAN);
    CHECK_REFUSED(lower[1], -INFINITY);
    CHECK_REFUSED(target, 0);
    CHECK_REFUSED(target, 1001);
    CHECK_REFUSED(merge_below, 11);
    CHECK_REFUSED(factor, 1.9);
    CHECK_REFUSED(factor, 1001);
    CHECK_REFUSED(factor, NAN);
    CHECK_REFUSED(most_children, 1);
    CHECK_REFUSED(most_children, 65);
    CHECK_REFUSED(depth, 17);
    CHECK_REFUSED(cells, (1u << 24) + 1);
    def = good;
    def.cell_space.upper[1] = -1e-3;
    check_refused(&def, "cell_space.lower[1]");
    def.cell_space.upper[1] = NAN;
    check_refused(&def, "cell_space.lower[1]");
    def.cell_space.upper[1] = 1e101;
    check_refused(&def, "1e+100 in magnitude");
    /* the third axis is not looked at in two dimensions */
    def = make_def(2, SCREE_SPHERES);
    def.cell_space.lower[2] = NAN;
    scree_detector_destroy(make(&def));
}

/*  Every request for memory fails once; what follows is right again. */
TEST(out_of_memory)
{
    source = scree_random_stream(3, 0);
    scatter(0, 600, 0, 8, 0.1, 0.5);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_detector_def def = make_def(3, SCREE_SPHERES);
        scree_detector *detector;
        scree_table table = spheres(400), all = spheres(600);
        scree_rows dirty = {rows, 50};
        def.allocator = failing_allocator_hooks(&memory);
        def.thread_count = 2;
        def.cell_space.factor = 4;
        if (!scree_detector_create(&def, &detector)) {
            for (uint32_t i = 0; i < 50; i++)
                rows[i] = i * 3;
            (void)scree_detector_update(detector, &table, NULL);
            (void)scree_detector_update(detector, &table, &dirty);
            for (uint32_t i = 0; i < 400; i++)
                position[i][0] = 8 - position[i][0];
            (void)scree_detector_update(detector, &table, NULL);
            (void)scree_detector_remove(detector, rows, 50);
            (void)scree_detector_update(detector, &all, NULL);
            memory.fail_at = 0;
            update(detector, all);
            check_all(detector, all);
            scree_detector_destroy(detector);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k || (memory.fail_at == 0 && memory.failures == 0))
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_07_equal_cells),
        CASE(pfc_07_flat_domains),
        CASE(pfc_08_index_round_trip),
        CASE(pfc_09_outside_and_not_a_number),
        CASE(pfc_10_linear),
        CASE(pfc_11_least_extents),
        CASE(pfc_12_blocks),
        CASE(pfc_20_interaction_distance_enlarges_all),
        CASE(pfc_21_spheres_miss_corner_cells),
        CASE(pfc_22_facets),
        CASE(conformal_spheres),
        CASE(pfc_23_dirty_at_creation),
        CASE(pfc_25_only_the_dirty_are_remapped),
        CASE(pfc_31_lists_both_ways),
        CASE(pfc_31_stamps_run_out),
        CASE(pfc_31_faults_are_seen),
        CASE(pfc_32_sums),
        CASE(pfc_33_window),
        CASE(pfc_34_both_thresholds),
        CASE(pfc_34_refinement_must_pay),
        CASE(pfc_35_three_levels),
        CASE(pfc_35_identical_pieces_end),
        CASE(pfc_36_giants_are_not_refined),
        CASE(pfc_36_cells_grow_with_the_pieces),
        CASE(pfc_37_ten_extents_in_a_leaf),
        CASE(pfc_38_coarse_cells_are_left_behind),
        CASE(pfc_38_large_pieces_merge_cells),
        CASE(pfc_39_flow),
        CASE(pfc_43_threads_make_the_same_sets),
        CASE(automatic_domain),
        CASE(growing_crowd),
        CASE(bad_parameters_are_refused),
        CASE(out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
