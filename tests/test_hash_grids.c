/*  Hierarchical hash grids, row by row of what their makers say of them. Each test bears the number
    of its row; what a row says of the structure is looked up in the structure, what it says of
    pairs is compared with a plain loop over all pairs. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "detect/hash_grids.h"
#include "failing_allocator.h"
#include "scree/scree.h"
#include "test.h"

#include <float.h>
#include <math.h>

#define NONE SCREE_HASH_NONE
#define MOST 40000u

/* ---- bodies ---- */

/*  Spheres, or boxes with the sphere's radius as half their edge. Row i is body i. */
typedef struct swarm
{
    uint32_t count;
    double x[MOST][4]; /* centre and radius */
    double lower[MOST][3], upper[MOST][3];
    uint8_t flags[MOST];
    bool as_given; /* lower and upper are not made from x */
} swarm;

static swarm bodies; /* too large for the stack */

static void add_body(double x, double y, double z, double radius)
{
    double centre[4] = {x, y, z, radius};
    uint32_t i = bodies.count++;
    for (int k = 0; k < 4; k++)
        bodies.x[i][k] = centre[k];
    bodies.flags[i] = 0;
}

static void scatter(uint32_t count, double side, double smallest, double largest, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);
    bodies.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        double x = scree_random_range(&random, -side, side);
        double y = scree_random_range(&random, -side, side);
        double z = scree_random_range(&random, -side, side);
        add_body(x, y, z, scree_random_log_uniform(&random, smallest, largest));
    }
}

static void drift(double distance, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 1);
    for (uint32_t i = 0; i < bodies.count; i++)
        for (int k = 0; k < 3; k++)
            bodies.x[i][k] += scree_random_range(&random, -distance, distance);
}

/*  Rows [begin, end). */
static scree_table table_of(scree_volume volume, uint32_t begin, uint32_t end)
{
    static uint32_t ids[MOST];
    scree_view view[3], low[3], high[3], radius;
    scree_table table;

    for (uint32_t i = begin; i < end; i++) {
        ids[i] = i;
        for (int k = 0; k < 3 && !bodies.as_given; k++) {
            bodies.lower[i][k] = bodies.x[i][k] - bodies.x[i][3];
            bodies.upper[i][k] = bodies.x[i][k] + bodies.x[i][3];
        }
    }
    for (int k = 0; k < 3; k++) {
        view[k] = scree_doubles(&bodies.x[begin][k], sizeof *bodies.x);
        low[k] = scree_doubles(&bodies.lower[begin][k], sizeof *bodies.lower);
        high[k] = scree_doubles(&bodies.upper[begin][k], sizeof *bodies.upper);
    }
    radius = scree_doubles(&bodies.x[begin][3], sizeof *bodies.x);
    table = volume == SCREE_SPHERES
                ? scree_table_spheres(end - begin, view[0], view[1], view[2], radius)
                : scree_table_boxes(end - begin, low, high);
    table.ids = scree_integer_view(&ids[begin], sizeof *ids);
    table.flags = scree_integer_view(&bodies.flags[begin], sizeof *bodies.flags);
    return table;
}

/* ---- detectors ---- */

static scree_detector_def hash_grids_def(void)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "hash-grids";
    return def;
}

/*  As above, with grids from the first body on. */
static scree_detector_def grids_only(void)
{
    scree_detector_def def = hash_grids_def();
    def.hash_grids.activation = 0;
    return def;
}

static scree_pairs search(scree_detector *d)
{
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_OK);
    return pairs;
}

/*  Built for no bodies: later insertions go to the structure at once. */
static scree_detector *make(const scree_detector_def *def)
{
    scree_detector *d;
    CHECK_EQUAL(scree_detector_create(def, &d), SCREE_OK);
    (void)search(d);
    return d;
}

static const scree_hash_grids *inside(const scree_detector *d)
{
    return d->state;
}

static void update(scree_detector *d)
{
    scree_table table = table_of(d->def.volume, 0, bodies.count);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
}

static void insert(scree_detector *d, uint32_t begin, uint32_t end)
{
    scree_table table = table_of(d->def.volume, begin, end);
    CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_OK);
}

static scree_detector *make_filled(const scree_detector_def *def)
{
    scree_detector *d = make(def);
    update(d);
    return d;
}

static void remove_range(scree_detector *d, uint32_t begin, uint32_t end)
{
    static uint32_t ids[MOST];
    for (uint32_t i = begin; i < end; i++)
        ids[i] = i;
    CHECK_EQUAL(scree_detector_remove(d, &ids[begin], end - begin), SCREE_OK);
}

/* ---- the plain loop ---- */

static bool touches(const scree_detector *d, uint32_t i, uint32_t j)
{
    if (bodies.flags[i] & bodies.flags[j] & (SCREE_FIXED | SCREE_INFINITE))
        return false;
    if ((bodies.flags[i] | bodies.flags[j]) & SCREE_INFINITE)
        return true;
    double sum = 0, reach = bodies.x[i][3] + bodies.x[j][3];
    for (int k = 0; k < d->def.dimensions; k++) {
        double distance = bodies.x[i][k] - bodies.x[j][k];
        sum += distance * distance;
        if (d->def.volume == SCREE_BOXES &&
            (bodies.lower[i][k] > bodies.upper[j][k] || bodies.lower[j][k] > bodies.upper[i][k]))
            return false;
    }
    return d->def.volume == SCREE_BOXES || sum <= reach * reach;
}

/*  The pairs of d are those of a loop over bodies [0, count). Returns how many. */
static uint64_t check_pairs_of(scree_detector *d, uint32_t count)
{
    scree_pairs pairs = search(d);
    uint64_t k = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            if (!touches(d, i, j))
                continue;
            if (k == pairs.count || pairs.first[k] != i || pairs.second[k] != j)
                FAIL("pair %u-%u is missing, or before it one is too many", i, j);
            k++;
        }
    CHECK_EQUAL(pairs.count, k);
    return k;
}

static uint64_t check_pairs(scree_detector *d)
{
    return check_pairs_of(d, bodies.count);
}

/* ---- the structure ---- */

/*  Every body is in the cell it belongs to, and nowhere else; lists, bricks and counts agree. */
static void check_structure(const scree_detector *d)
{
    static uint32_t seen[MOST];
    const scree_hash_grids *self = inside(d);
    scree_bodies view = scree_store_view(&d->store);
    uint32_t total = 0, bricks = 0, occupied = 0, noted = 0;

    memset(seen, 0, sizeof seen);
    for (uint32_t rank = 0; rank < self->order_count; rank++) {
        const scree_hash_grid *grid = &self->grid[self->order[rank]];
        uint32_t in_grid = 0;
        CHECK(grid->in_use && grid->count <= grid->enlarge_at);
        CHECK(rank == 0 || self->grid[self->order[rank - 1]].cell <= grid->low);
        for (uint32_t c = 0; c < grid->occupied_count; c++) {
            uint32_t count;
            const uint32_t *ids = scree_hash_bodies(&self->pool, grid, grid->occupied[c], &count);
            CHECK(count > 0);
            for (uint32_t k = 0; k < count; k++) {
                const scree_hash_place *place = &self->place[ids[k]];
                double size = scree_hash_size_of(self, &view, ids[k]);
                CHECK_EQUAL(place->grid, self->order[rank]);
                CHECK_EQUAL(place->cell, grid->occupied[c]);
                CHECK_EQUAL(place->slot, count == 1 ? c : k);
                CHECK_EQUAL(place->cell, scree_hash_cell(self, grid, &view.box[ids[k]]));
                CHECK(grid->low <= size && size < grid->cell && size <= grid->reach);
                seen[ids[k]]++;
            }
            in_grid += count;
        }
        CHECK_EQUAL(in_grid, grid->count);
        total += in_grid;
        occupied += grid->occupied_count;
        for (uint32_t b = 0; b < grid->brick_total; b++) {
            bricks += grid->brick[b] != NONE;
            noted += grid->brick[b] == NONE ? 0 : self->pool.note[grid->brick[b]];
        }
    }
    CHECK_EQUAL(total, self->count);
    CHECK_EQUAL(total, self->active ? view.active_count : 0);
    CHECK_EQUAL(bricks, self->pool.bricks_live);
    CHECK_EQUAL(noted, occupied);
    for (uint32_t a = 0; self->active && a < view.active_count; a++)
        CHECK_EQUAL(seen[view.active[a]], 1);
}

/*  The grids in use, ascending. */
static const scree_hash_grid *grid_at(const scree_detector *d, uint32_t rank)
{
    CHECK(rank < inside(d)->order_count);
    return &inside(d)->grid[inside(d)->order[rank]];
}

static scree_hash_grid grid_of(const scree_detector *d, uint32_t id)
{
    return inside(d)->grid[inside(d)->place[id].grid];
}

/* ---- membership and levels ---- */

TEST(hg_01_one_cell_of_one_grid)
{
    scree_detector_def def = hash_grids_def();
    scatter(3000, 20, 0.02, 2, 1);
    for (int volume = 0; volume < 2; volume++) {
        def.volume = (scree_volume)volume;
        scree_detector *d = make_filled(&def);
        CHECK(inside(d)->order_count > 4);
        check_structure(d);
        remove_range(d, 500, 1700);
        check_structure(d);
        insert(d, 500, 1700);
        check_structure(d);
        scree_detector_destroy(d);
    }
}

TEST(hg_02_smallest_cells_larger_than_the_longest_edge)
{
    static const double factors[] = {2, 1.25, 3, 10};
    scree_detector_def def = grids_only();
    def.volume = SCREE_BOXES;
    for (size_t f = 0; f < SCREE_COUNT_OF(factors); f++) {
        def.hash_grids.factor = factors[f];
        scree_detector *d = make(&def);
        scree_hash_grids *self = d->state;
        self->first_cell = 1;
        for (int32_t level = -15; level < 60; level++) {
            double cell = scree_hash_level_cell(1, factors[f], level);
            CHECK_EQUAL(scree_hash_level_of(self, cell), level + 1);
            CHECK_EQUAL(scree_hash_level_of(self, nextafter(cell, 0)), level);
        }
        scree_detector_destroy(d);
    }
    /* edges of 1, and of less than 1 by more than the rounding margin, and by less */
    def.hash_grids.factor = 2;
    scree_detector *d = make(&def);
    ((scree_hash_grids *)d->state)->first_cell = 1;
    bodies.count = 0;
    add_body(0, 0, 0, 0.5);
    add_body(0, 0, 0, 0.5 - 0x1p-40);
    add_body(0, 0, 0, 0.5 - 0x1p-54);
    add_body(0, 0, 0, 0.25);
    update(d);
    static const int32_t levels[] = {1, 0, 1, 0};
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQUAL(grid_of(d, i).level, levels[i]);
    check_structure(d);
    scree_detector_destroy(d);
}

/*  A box from `low` on the first axis, of this edge. */
static double add_box(double low, double edge)
{
    uint32_t i = bodies.count++;
    for (int k = 0; k < 3; k++) {
        bodies.lower[i][k] = k == 0 ? low : 0;
        bodies.upper[i][k] = bodies.lower[i][k] + (k == 0 ? edge : 0);
    }
    bodies.flags[i] = 0;
    return bodies.upper[i][0];
}

/*  Two boxes, as long as cells but for a few units in the last place, touch at 2^m cells, where the
    spacing of numbers doubles: without its margin for rounding the second is two cells away. */
TEST(hg_03_touching_where_rounding_could_part)
{
    scree_detector_def def = grids_only();
    def.volume = SCREE_BOXES;
    def.hash_grids.point = SCREE_HASH_POINT_CORNER;
    scree_detector *d = make(&def);
    bodies.as_given = true;
    for (double cell = 0.6; cell < 1; cell += 0.03)
        for (int m = 8; m < 48; m += 3) {
            ((scree_hash_grids *)d->state)->first_cell = cell;
            bodies.count = 0;
            for (int k = 1; k < 300; k++) {
                double ulp = ldexp(cell, m - 53);
                double touch = add_box(ldexp(cell, m) - k % 20 * ulp, cell * (1 - k * 0x1p-53));
                (void)add_box(touch, cell * 0.9);
            }
            update(d);
            check_structure(d);
            CHECK(check_pairs(d) >= 299);
            CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
            scree_detector_destroy(d);
            d = make(&def);
        }
    bodies.as_given = false;
    scree_detector_destroy(d);
}

/*  Each large box touches a small one with its far face, with nothing to spare. */
TEST(hg_03_touching_across_levels)
{
    scree_detector_def def = grids_only();
    scree_random random = scree_random_stream(33, 0);
    def.volume = SCREE_BOXES;
    for (int point = 0; point < 3; point++) {
        def.hash_grids.point = (scree_hash_point)point;
        bodies.count = 0;
        bodies.as_given = true;
        for (uint32_t k = 0; k < 600; k++) {
            double edge = ldexp(1 + scree_random_below(&random, 64), -3);
            double at = 20.0 * k + scree_random_below(&random, 64) / 8.0;
            double small = ldexp(1, -(int)(k % 9));
            double touch = add_box(at, edge);
            (void)add_box(touch, small);
            (void)add_box(at - small, small);
        }
        scree_detector *d = make_filled(&def);
        bodies.as_given = false;
        CHECK_EQUAL(check_pairs(d), 1200);
        scree_detector_destroy(d);
    }
}

TEST(hg_03_only_adjacent_cells)
{
    scree_detector_def def = grids_only();
    for (int point = 0; point < 3; point++)
        for (int volume = 0; volume < 2; volume++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                def.hash_grids.point = (scree_hash_point)point;
                def.hash_grids.size = (scree_hash_size)(point == 1);
                def.volume = (scree_volume)volume;
                def.dimensions = dimensions;
                scatter(1500, 8, 0.05, 0.6, 3);
                scree_detector *d = make_filled(&def);
                CHECK(check_pairs(d) > 100);
                scree_detector_destroy(d);
            }
    /* equal bodies two cells apart are not even tested */
    scree_detector *d = make(&def);
    bodies.count = 0;
    for (uint32_t i = 0; i < 4; i++)
        add_body(3.0 * i, 0, 0, 0.5); /* cells of 1.41 */
    update(d);
    CHECK_EQUAL(check_pairs(d), 0);
    CHECK_EQUAL(scree_detector_stats(d).tested, 0);
    scree_detector_destroy(d);
}

/* ---- cost ---- */

static double tested_a_body(uint32_t count, double smallest, double largest)
{
    scree_detector_def def = hash_grids_def();
    /* as many bodies in a unit of volume */
    scatter(count, 0.5 * cbrt(count), smallest, largest, 4);
    scree_detector *d = make_filled(&def);
    (void)search(d);
    double tested = (double)scree_detector_stats(d).tested / count;
    scree_detector_destroy(d);
    return tested;
}

TEST(hg_04_work_a_body_does_not_grow)
{
    double equal = tested_a_body(40000, 0.5, 0.5), mixed = tested_a_body(40000, 0.06, 0.6);
    CHECK(equal < 40 && mixed < 40);
    CHECK(tested_a_body(1000, 0.5, 0.5) > 0.7 * equal);
    CHECK(tested_a_body(1000, 0.06, 0.6) > 0.7 * mixed);
}

static int ignore_pair(uint32_t first, uint32_t second, void *user)
{
    (void)first;
    (void)second;
    (void)user;
    return 0;
}

TEST(hg_05_memory_a_body_does_not_grow)
{
    static const uint32_t counts[] = {1000, 4096, 4097, 30000, 40000};
    scree_detector_def def = hash_grids_def();
    for (size_t c = 0; c < SCREE_COUNT_OF(counts); c++) {
        /* the detector and its buffers are there for any number of bodies */
        scatter(counts[c], 0.5 * cbrt(counts[c]), 0.4, 0.4, 5);
        scree_detector *d = make(&def);
        CHECK_EQUAL(scree_detector_for_each_pair(d, ignore_pair, NULL), SCREE_OK);
        uint64_t empty = scree_detector_stats(d).bytes;
        for (uint32_t step = 0; step < 30; step++) {
            update(d);
            drift(0.1, step);
            CHECK_EQUAL(scree_detector_for_each_pair(d, ignore_pair, NULL), SCREE_OK);
            CHECK((scree_detector_stats(d).bytes - empty) / counts[c] <= 200);
        }
        scree_detector_destroy(d);
    }
}

TEST(hg_06_levels_appear_and_disappear)
{
    scree_detector_def def = hash_grids_def();
    scatter(400, 6, 0.2, 0.2, 6);
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(inside(d)->order_count, 1);
    for (uint32_t step = 0; step < 12; step++) {
        for (uint32_t i = 0; i < bodies.count; i++)
            bodies.x[i][3] *= i % 3 == 0 ? 1.4 : i % 3 == 1 ? 0.6 : 1;
        update(d);
        check_structure(d);
        CHECK(check_pairs(d) > 0);
    }
    CHECK(inside(d)->order_count > 10);
    CHECK(grid_of(d, 0).level >= 5 && grid_of(d, 1).level <= -7 && grid_of(d, 2).level == 0);

    /* all of one size again: the other levels stay for 100 updates, and then go */
    for (uint32_t i = 0; i < bodies.count; i++)
        bodies.x[i][3] = 0.2;
    for (uint32_t step = 0; step < 100; step++)
        update(d);
    CHECK_EQUAL(inside(d)->order_count, 3); /* those left in the first of them */
    static const double low[3] = {-9, -9, -9}, high[3] = {9, 9, 9};
    scree_query all = scree_query_box(low, high);
    size_t hits = 0;
    CHECK_EQUAL(scree_detector_hits(d, &all, NULL, 0, &hits, NULL), SCREE_TOO_SMALL);
    CHECK_EQUAL(hits, bodies.count);
    update(d);
    CHECK_EQUAL(inside(d)->order_count, 1);
    check_structure(d);

    /* and their places are taken by others */
    uint32_t slots = inside(d)->grid_count;
    for (uint32_t i = 0; i < 8; i++)
        bodies.x[i][3] = ldexp(0.2, (int)i);
    update(d);
    CHECK_EQUAL(inside(d)->order_count, 8);
    CHECK_EQUAL(inside(d)->grid_count, slots);
    check_structure(d);
    CHECK(check_pairs(d) > 0);
    scree_detector_destroy(d);
}

/*  Cells written by 200 removals and 200 insertions among so many. */
static uint64_t relocated_by_churn(uint32_t count)
{
    scree_detector_def def = hash_grids_def();
    scatter(count, 0.5 * cbrt(count), 0.4, 0.4, 7);
    scree_detector *d = make_filled(&def);
    uint64_t before = inside(d)->relocated;
    for (uint32_t k = 0; k < 200; k++) {
        remove_range(d, k, k + 1);
        insert(d, k, k + 1);
    }
    before = inside(d)->relocated - before;
    check_structure(d);
    scree_detector_destroy(d);
    return before;
}

TEST(hg_07_constant_cost_of_adding_and_removing)
{
    CHECK_EQUAL(relocated_by_churn(1000), 200);
    CHECK_EQUAL(relocated_by_churn(40000), 200);
}

TEST(hg_07_a_million_cycles_need_no_more_memory)
{
    scree_detector_def def = hash_grids_def();
    scree_random random = scree_random_stream(71, 0);
    uint64_t bytes = 0;
    scatter(2000, 6, 0.1, 0.8, 7);
    scree_detector *d = make_filled(&def);
    for (uint32_t cycle = 0; cycle < 1000; cycle++) {
        uint32_t begin = scree_random_below(&random, 1100), end = begin + 900;
        double side = cycle % 2 ? 6 : 60;
        remove_range(d, begin, end);
        for (uint32_t i = begin; i < end; i++)
            for (int k = 0; k < 3; k++)
                bodies.x[i][k] = scree_random_range(&random, -side, side);
        insert(d, begin, end);
        CHECK_EQUAL(inside(d)->refilled, 0);
        if (cycle == 100)
            bytes = scree_detector_stats(d).bytes;
        CHECK(cycle < 100 || scree_detector_stats(d).bytes <= bytes + bytes / 20);
    }
    check_structure(d);
    CHECK(check_pairs(d) > 0);
    scree_detector_destroy(d);
}

/* ---- parameters ---- */

#define REFUSE(field, value, part)                                                                 \
    do {                                                                                           \
        scree_error refused_error;                                                                 \
        scree_detector_def refused = hash_grids_def();                                             \
        scree_detector *refused_detector;                                                          \
        refused.error = &refused_error;                                                            \
        refused.hash_grids.field = value;                                                          \
        CHECK_EQUAL(scree_detector_create(&refused, &refused_detector), SCREE_BAD_ARGUMENT);       \
        CHECK(refused_detector == NULL);                                                           \
        CHECK_SAYS(refused_error.text, part);                                                      \
    } while (0)

TEST(hg_08_cells_of_a_new_grid)
{
    scree_detector_def def = grids_only();
    CHECK_EQUAL(def.hash_grids.cells[0], 16);
    CHECK_EQUAL(def.hash_grids.cells[1], 16);
    CHECK_EQUAL(def.hash_grids.cells[2], 16);
    static const uint32_t sizes[][3] = {{16, 16, 16}, {4, 4, 4}, {4, 8, 64}, {1024, 4, 16}};
    for (size_t s = 0; s < SCREE_COUNT_OF(sizes); s++) {
        memcpy(def.hash_grids.cells, sizes[s], sizeof sizes[s]);
        def.hash_grids.minimal_density = 1;
        scatter(60, 2, 0.3, 0.3, 8);
        scree_detector *d = make_filled(&def);
        for (int k = 0; k < 3; k++)
            CHECK_EQUAL(1u << grid_at(d, 0)->bits[k], sizes[s][k]);
        check_structure(d);
        CHECK(check_pairs(d) > 0);
        scree_detector_destroy(d);
    }
    REFUSE(cells[0], 0, "hash_grids.cells[0] is 0, must be a power of two, 4 to 1024");
    REFUSE(cells[0], 2, "cells[0] is 2, must be a power of two");
    REFUSE(cells[1], 12, "cells[1] is 12, must be a power of two");
    REFUSE(cells[2], 2048, "cells[2] is 2048, must be a power of two");
    /* the third axis is not looked at where there is none */
    def = grids_only();
    def.dimensions = 2;
    def.hash_grids.cells[2] = 0;
    scree_detector_destroy(make(&def));
}

/*  Lists outgrown when so many bodies come into one cell, one by one. */
static uint64_t outgrown(uint32_t list_capacity, uint32_t count)
{
    scree_detector_def def = grids_only();
    if (list_capacity)
        def.hash_grids.list_capacity = list_capacity;
    bodies.count = 0;
    scree_detector *d = make(&def);
    for (uint32_t i = 0; i < count; i++) {
        add_body(1, 1, 1, 0.5);
        insert(d, i, i + 1);
    }
    check_structure(d);
    CHECK_EQUAL(check_pairs(d), count * (count - 1) / 2);
    uint64_t lists = inside(d)->pool.outgrown;
    scree_detector_destroy(d);
    return lists;
}

TEST(hg_09_capacity_of_lists)
{
    CHECK_EQUAL(hash_grids_def().hash_grids.list_capacity, 16);
    CHECK_EQUAL(outgrown(0, 16), 0);
    CHECK_EQUAL(outgrown(0, 17), 1);
    CHECK_EQUAL(outgrown(2, 2), 0);
    CHECK_EQUAL(outgrown(2, 5), 2);
    CHECK_EQUAL(outgrown(1, 2), 1);
    CHECK_EQUAL(outgrown(64, 64), 0);
    REFUSE(list_capacity, 0, "hash_grids.list_capacity is 0, must be 1 to 65536");
    REFUSE(list_capacity, 65537, "hash_grids.list_capacity is 65537");
}

TEST(hg_10_a_search_visits_occupied_cells_alone)
{
    scree_detector_def def = grids_only();
    CHECK_EQUAL(def.hash_grids.occupied_capacity, 256);
    scatter(50, 2, 0.3, 0.3, 10);
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(grid_at(d, 0)->occupied_capacity, 256);
    uint32_t occupied = grid_at(d, 0)->occupied_count;
    scree_detector_destroy(d);

    for (int k = 0; k < 3; k++)
        def.hash_grids.cells[k] = 256;
    def.hash_grids.occupied_capacity = 3;
    d = make_filled(&def);
    CHECK_EQUAL(grid_at(d, 0)->occupied_count, occupied);
    CHECK(grid_at(d, 0)->occupied_capacity < 256);
    CHECK_EQUAL(scree_hash_block_count(inside(d)), 1);
    CHECK(inside(d)->pool.bricks_live <= occupied); /* memory is for these as well */
    check_structure(d);
    CHECK(check_pairs(d) > 0);
    scree_detector_destroy(d);
    REFUSE(occupied_capacity, 0, "hash_grids.occupied_capacity is 0, must be 1 to 65536");
}

/*  Grows exactly when the bodies of these numbers come. */
static void check_growth(const scree_detector_def *def, const uint32_t *steps, uint32_t step_count,
                         uint32_t count)
{
    scree_detector *d = make(def);
    uint32_t doublings = 0;
    scatter(count, 0.7 * cbrt(count), 0.5, 0.5, 11);
    for (uint32_t i = 0; i < count; i++) {
        insert(d, i, i + 1);
        doublings += doublings < step_count && i + 1 == steps[doublings];
        CHECK_EQUAL(grid_at(d, 0)->doublings, doublings);
    }
    CHECK_EQUAL(doublings, step_count);
    check_structure(d);

    /* a build ends where insertions do; after a crowd has left, updates give the cells back */
    update(d);
    remove_range(d, 0, bodies.count);
    for (uint32_t end = steps[0] - 1; end <= steps[0]; end++) {
        scree_table table = table_of(d->def.volume, 0, end);
        CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
        CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        CHECK(grid_at(d, 0)->doublings <= doublings);
    }
    scree_detector_destroy(d);
}

TEST(hg_11_grows_with_the_513th_body)
{
    static const uint32_t published[] = {513, 4097, 32769}, flat[] = {33, 129, 513},
                          dense[] = {65, 513};
    scree_detector_def def = grids_only();
    CHECK_EQUAL(def.hash_grids.minimal_density, 8);
    check_growth(&def, published, 3, 32769);
    def.hash_grids.minimal_density = 64;
    check_growth(&def, dense, 2, 600);
    def = grids_only();
    def.dimensions = 2;
    check_growth(&def, flat, 3, 600);
    REFUSE(minimal_density, 0, "hash_grids.minimal_density is 0, must be 1 to 4096");
    REFUSE(minimal_density, 4097, "hash_grids.minimal_density is 4097");
}

TEST(hg_11_a_build_grows_as_insertions_do)
{
    scree_detector_def def = grids_only();
    for (uint32_t count = 512; count <= 513; count++) {
        scatter(count, 5, 0.5, 0.5, 11);
        scree_detector *d = make_filled(&def);
        CHECK_EQUAL(grid_at(d, 0)->doublings, count - 512);
        scree_detector_destroy(d);
    }
    /* more cells than an index can name are not made */
    for (int k = 0; k < 3; k++)
        def.hash_grids.cells[k] = 1024;
    def.hash_grids.minimal_density = 4096;
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(grid_at(d, 0)->doublings, 0);
    CHECK_EQUAL(grid_at(d, 0)->enlarge_at, UINT32_MAX);
    scree_detector_destroy(d);
}

TEST(hg_11_gives_back_what_a_crowd_needed)
{
    scree_detector_def def = grids_only();
    scatter(40000, 17, 0.4, 0.4, 11);
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(grid_at(d, 0)->doublings, 3);
    size_t bricks = inside(d)->pool.brick_capacity;
    remove_range(d, 500, bodies.count);
    uint32_t row = 0;
    scree_rows one = {&row, 1};
    scree_table table = table_of(SCREE_SPHERES, 0, 500);
    CHECK_EQUAL(scree_detector_update(d, &table, &one), SCREE_OK);
    CHECK_EQUAL(grid_at(d, 0)->doublings, 1); /* 64^3 / 8 / 64 is 512, for 500 bodies too many */
    CHECK(inside(d)->pool.brick_capacity <= bricks);
    check_structure(d);
    remove_range(d, 10, 500);
    table = table_of(SCREE_SPHERES, 0, 10);
    CHECK_EQUAL(scree_detector_update(d, &table, &one), SCREE_OK);
    CHECK_EQUAL(grid_at(d, 0)->doublings, 0);
    CHECK(inside(d)->pool.brick_capacity < bricks / 4);
    check_structure(d);
    (void)check_pairs_of(d, 10);
    scree_detector_destroy(d);
}

TEST(hg_11_gives_back_lists)
{
    scree_detector_def def = grids_only();
    bodies.count = 0;
    for (uint32_t i = 0; i < 20000; i++) /* 100 bodies in each cell of 200 */
        add_body(3.0 * (i % 200), 0, 0, 0.5);
    scree_detector *d = make_filled(&def);
    size_t units = inside(d)->pool.unit_capacity;
    remove_range(d, 400, bodies.count);
    CHECK_EQUAL(inside(d)->pool.unit_capacity, units);
    uint32_t row = 0;
    scree_rows one = {&row, 1};
    scree_table table = table_of(SCREE_SPHERES, 0, 400);
    CHECK_EQUAL(scree_detector_update(d, &table, &one), SCREE_OK);
    CHECK(inside(d)->pool.unit_capacity < units / 4);
    check_structure(d);
    CHECK_EQUAL(check_pairs_of(d, 400), 200);
    scree_detector_destroy(d);
}

TEST(hg_12_sparse_levels_of_factor_two)
{
    scree_detector_def def = grids_only();
    CHECK(def.hash_grids.factor == 2);
    bodies.count = 0;
    add_body(0, 0, 0, 0.5);
    add_body(5, 5, 5, 500);
    add_body(0.5, 0, 0, 0.0005);
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(inside(d)->order_count, 3);
    CHECK_EQUAL(grid_at(d, 0)->level, -10); /* 1.41 / 2048 <= 0.001 < 1.41 / 1024 */
    CHECK_EQUAL(grid_at(d, 1)->level, 0);
    CHECK_EQUAL(grid_at(d, 2)->level, 10);
    double first = inside(d)->first_cell;
    CHECK_NEAR(first, sqrt(2), 1e-9);
    for (uint32_t rank = 0; rank < 3; rank++)
        CHECK(grid_at(d, rank)->cell == ldexp(first, grid_at(d, rank)->level));
    (void)check_pairs(d);
    scree_detector_destroy(d);
    CHECK_NEAR(scree_hash_level_cell(2, 3, 4), 162, 1e-12);
    CHECK_NEAR(scree_hash_level_cell(162, 3, -4), 2, 1e-14);
    CHECK(scree_hash_level_cell(1e-250, 2, 1000) > 1e50); /* though 2^1000 / 1e-250 is infinite */
    REFUSE(factor, 1, "hash_grids.factor is 1, must be 1.01 to 1e6");
    REFUSE(factor, 2e6, "hash_grids.factor is 2e+06");
    REFUSE(factor, NAN, "hash_grids.factor is nan");
}

TEST(hg_13_any_factor_finds_the_same)
{
    static const double factors[] = {1.01, 1.2, 1.5, 2, 3, 4, 8, 1e6};
    scree_detector_def def = hash_grids_def();
    scatter(1000, 8, 0.01, 1, 13);
    for (size_t f = 0; f < SCREE_COUNT_OF(factors); f++) {
        def.hash_grids.factor = factors[f];
        scree_detector *d = make_filled(&def);
        check_structure(d);
        CHECK(check_pairs(d) > 100);
        scree_detector_destroy(d);
    }
}

/* ---- what is there, and what is found ---- */

TEST(hg_14_infinite_bodies_meet_all_finite_ones)
{
    scree_detector_def def = hash_grids_def();
    scatter(200, 5, 0.3, 0.3, 14);
    bodies.flags[3] = bodies.flags[40] = SCREE_INFINITE;
    scree_detector *d = make_filled(&def);
    CHECK(check_pairs(d) >= 2 * 198);
    CHECK_EQUAL(inside(d)->count, 198);
    check_structure(d);
    scree_detector_destroy(d);
}

TEST(hg_15_inserting_one_by_one)
{
    scree_detector_def def = hash_grids_def();
    scatter(900, 8, 0.1, 1, 15);
    scree_detector *d = make(&def);
    for (uint32_t i = 0; i < bodies.count; i++) {
        insert(d, i, i + 1);
        if (i % 100 == 31 || i % 100 == 32) {
            check_structure(d);
            (void)check_pairs_of(d, i + 1);
        }
    }
    CHECK(check_pairs(d) > 100);
    check_structure(d);
    scree_detector_destroy(d);
}

/*  The makers' own test: radii uniform in [0.5 / sqrt(q), 0.5 sqrt(q)] in a box of edge 30. Kinds:
    alone, and with bodies 100 and 1000 times as large. */
static void published_workload(double ratio, bool with_giants)
{
    scree_random random = scree_random_stream(16, (uint64_t)ratio);
    bodies.count = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        double x[3], low = 0.5 / sqrt(ratio), high = 0.5 * sqrt(ratio);
        for (int k = 0; k < 3; k++)
            x[k] = scree_random_range(&random, 0, 30);
        add_body(x[0], x[1], x[2], scree_random_range(&random, low, high));
    }
    add_body(15, 15, 15, 1);
    if (with_giants) {
        add_body(-90, 15, 15, 100);
        add_body(15, 1015, 15, 1000);
    }
}

TEST(hg_16_clear_keeps_the_hierarchy)
{
    scree_detector_def def = hash_grids_def();
    for (uint32_t kind = 0; kind < 4; kind++) {
        published_workload(kind & 1 ? 10 : 1.01, kind & 2);
        scree_detector *d = make(&def);
        insert(d, 0, bodies.count);
        uint64_t found = check_pairs(d);
        CHECK(found > 50);
        check_structure(d);

        const scree_hash_grid before = *grid_at(d, 0);
        uint32_t levels = inside(d)->order_count;
        uint64_t bytes = scree_detector_stats(d).bytes;
        CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
        CHECK_EQUAL(check_pairs_of(d, 0), 0);
        CHECK_EQUAL(inside(d)->order_count, levels);
        CHECK_EQUAL(grid_at(d, 0)->doublings, before.doublings);
        CHECK_EQUAL(grid_at(d, 0)->count, 0);
        insert(d, 0, bodies.count);
        CHECK_EQUAL(check_pairs(d), found);
        CHECK_EQUAL(scree_detector_stats(d).bytes, bytes);
        check_structure(d);

        /* without the hierarchy: a detector anew */
        scree_detector_destroy(d);
        d = make(&def);
        insert(d, 0, bodies.count);
        CHECK_EQUAL(check_pairs(d), found);
        scree_detector_destroy(d);
    }
}

typedef struct tally
{
    uint64_t count, stop_at;
} tally;

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    tally *t = user;
    if (first >= second)
        t->count += 1000000;
    return ++t->count == t->stop_at;
}

TEST(hg_17_every_pair_once_on_any_number_of_threads)
{
    scree_detector_def def = hash_grids_def();
    scatter(2500, 7, 0.05, 0.8, 17);
    uint64_t found = 0;
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        def.thread_count = threads;
        scree_detector *d = make_filled(&def);
        uint64_t now = check_pairs(d); /* a pair twice, or with itself, would be in the list */
        CHECK(found == 0 || now == found);
        found = now;
        CHECK(scree_hash_block_count(inside(d)) > 8);
        tally all = {0, 0}, some = {0, 100};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &all), SCREE_OK);
        CHECK_EQUAL(all.count, found);
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &some), SCREE_OK);
        CHECK_EQUAL(some.count, 100);
        scree_detector_destroy(d);
    }
}

/*  Bodies in one cell, in two, and in two grids: an action that has enough is not kept waiting. */
TEST(hg_17_a_search_stops_when_told)
{
    scree_detector_def def = hash_grids_def();
    for (int kind = 0; kind < 3; kind++) {
        bodies.count = 0;
        for (uint32_t i = 0; i < 2000; i++)
            add_body(i % 2 && kind == 1 ? 0.9 : 0.1, 0, 0, i % 2 && kind == 2 ? 2 : 0.5);
        scree_detector *d = make_filled(&def);
        CHECK_EQUAL(inside(d)->order_count, kind == 2 ? 2 : 1);
        tally one = {0, 1};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &one), SCREE_OK);
        CHECK_EQUAL(one.count, 1);
        CHECK(scree_detector_stats(d).tested < 10000);
        scree_detector_destroy(d);
    }
    scatter(1000, 5, 0.3, 0.3, 17);
    for (uint64_t stop_at = 1; stop_at < 400; stop_at += 7) {
        scree_detector *d = make_filled(&def);
        tally some = {0, stop_at};
        CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &some), SCREE_OK);
        CHECK_EQUAL(some.count, stop_at);
        scree_detector_destroy(d);
    }
}

TEST(hg_18_grids_are_sorted_by_cell_size)
{
    scree_detector_def def = grids_only();
    scree_random random = scree_random_stream(18, 0);
    scree_detector *d = make(&def);
    bodies.count = 0;
    for (uint32_t i = 0; i < 500; i++) {
        double x = scree_random_range(&random, 0, 100), y = scree_random_range(&random, 0, 100);
        add_body(x, y, 0, scree_random_log_uniform(&random, 1e-6, 1e6));
        insert(d, i, i + 1);
        for (uint32_t rank = 1; rank < inside(d)->order_count; rank++)
            CHECK(grid_at(d, rank - 1)->cell < grid_at(d, rank)->cell);
    }
    CHECK(inside(d)->order_count > 30);
    check_structure(d);
    CHECK(check_pairs(d) > 0);
    scree_detector_destroy(d);
}

TEST(hg_19_all_octants_and_far_away)
{
    scree_detector_def def = grids_only();
    for (int volume = 0; volume < 2; volume++)
        for (int octant = 0; octant < 8; octant++) {
            static const double shifts[] = {0, 1e6, 1e9, 1e13};
            uint64_t found = 0;
            def.volume = (scree_volume)volume;
            for (size_t s = 0; s < SCREE_COUNT_OF(shifts); s++) {
                scree_detector *d = make(&def);
                scree_random random = scree_random_stream(19, 0);
                bodies.count = 0;
                for (uint32_t i = 0; i < 400; i++) {
                    double x[3]; /* multiples of 1/64 stay exact at 1e13 */
                    for (int k = 0; k < 3; k++)
                        x[k] = (scree_random_below(&random, 512) / 64.0 - 4) +
                               (octant >> k & 1 ? -shifts[s] : shifts[s]);
                    add_body(x[0], x[1], x[2], 0.5);
                }
                update(d);
                check_structure(d);
                uint64_t now = check_pairs(d);
                CHECK(now > 100 && (s == 0 || now == found));
                found = now;
                scree_detector_destroy(d);
            }
        }
}

TEST(hg_19_faces_and_negative_coordinates)
{
    scree_detector_def def = grids_only();
    def.hash_grids.point = SCREE_HASH_POINT_CORNER;
    def.volume = SCREE_BOXES;
    bodies.count = 0;
    add_body(0, 0, 0, 0.25);
    scree_detector *d = make(&def);
    ((scree_hash_grids *)d->state)->first_cell = 1; /* faces at whole numbers */
    update(d);
    const scree_hash_grid *grid = grid_at(d, 0);
    for (int64_t n = -40; n <= 40; n++) {
        double face = (double)n * grid->cell;
        const scree_box on = {{face, 0, 0}, {face, 0, 0}};
        const scree_box under = {{face - 1e-3, 0, 0}, {face, 0, 0}};
        uint32_t at = scree_hash_at(grid, 0, scree_hash_cell(inside(d), grid, &on));
        CHECK_EQUAL(at, (uint32_t)((n % 16 + 16) % 16));
        at = scree_hash_at(grid, 0, scree_hash_cell(inside(d), grid, &under));
        CHECK_EQUAL(at, (uint32_t)(((n - 1) % 16 + 16) % 16));
    }
    scree_detector_destroy(d);
}

TEST(hg_20_27_cells_around_each)
{
    static const uint32_t sizes[][3] = {{16, 16, 16}, {4, 8, 16}, {4, 4, 4}};
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (size_t s = 0; s < SCREE_COUNT_OF(sizes); s++) {
            scree_detector_def def = grids_only();
            uint32_t total = 1;
            memcpy(def.hash_grids.cells, sizes[s], sizeof sizes[s]);
            def.dimensions = dimensions;
            bodies.count = 0;
            add_body(0, 0, 0, 0.5);
            scree_detector *d = make_filled(&def);
            const scree_hash_grid *grid = grid_at(d, 0);
            for (int k = 0; k < dimensions; k++)
                total *= sizes[s][k];
            for (uint32_t cell = 0; cell < total; cell++) {
                uint32_t around[27], back[27];
                int count = scree_hash_neighbors(grid, cell, around);
                CHECK_EQUAL(count, dimensions == 2 ? 9 : 27);
                CHECK_EQUAL(around[count / 2], cell);
                for (int a = 0; a < count; a++) {
                    CHECK(around[a] < total);
                    for (int b = 0; b < a; b++)
                        CHECK(around[a] != around[b]);
                    (void)scree_hash_neighbors(grid, around[a], back);
                    CHECK_EQUAL(back[count - 1 - a], cell);
                }
            }
            scree_detector_destroy(d);
        }
}

TEST(hg_21_all_pairs_up_to_the_threshold)
{
    scree_detector_def def = hash_grids_def();
    CHECK_EQUAL(def.hash_grids.activation, 32);
    scatter(40, 3, 0.5, 0.5, 21);
    scree_detector *d = make(&def);
    insert(d, 0, 32);
    (void)check_pairs_of(d, 32);
    CHECK(!inside(d)->active);
    CHECK_EQUAL(inside(d)->order_count, 0);
    CHECK_EQUAL(scree_detector_stats(d).tested, 32 * 31 / 2);
    insert(d, 32, 33);
    CHECK(inside(d)->active);
    CHECK_EQUAL(inside(d)->count, 33);
    check_structure(d);
    (void)check_pairs_of(d, 33);

    /* for good, until all is built anew */
    remove_range(d, 2, 33);
    CHECK(inside(d)->active);
    CHECK_EQUAL(inside(d)->count, 2);
    check_structure(d);
    (void)check_pairs_of(d, 2);
    CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
    insert(d, 0, 32);
    (void)check_pairs_of(d, 32);
    CHECK(!inside(d)->active);
    drift(0.5, 21);
    scree_table moved = table_of(SCREE_SPHERES, 0, 32);
    CHECK_EQUAL(scree_detector_update(d, &moved, NULL), SCREE_OK);
    (void)check_pairs_of(d, 32);
    remove_range(d, 0, 3);
    CHECK_EQUAL(inside(d)->count, 0);
    scree_detector_destroy(d);
    REFUSE(activation, 65537, "hash_grids.activation is 65537, must be 0 to 65536");
}

TEST(hg_22_fixed_bodies_do_not_meet)
{
    scree_detector_def def = hash_grids_def();
    scatter(800, 5, 0.2, 1, 22);
    for (uint32_t i = 0; i < bodies.count; i++)
        bodies.flags[i] = i % 3 ? SCREE_FIXED : 0;
    scree_detector *d = make_filled(&def);
    CHECK(check_pairs(d) > 100);
    scree_detector_destroy(d);
}

TEST(hg_23_both_ways_to_update)
{
    scree_detector_def def = hash_grids_def();
    scree_detector *step_by_step = make(&def);
    def.hash_grids.rebuild = true;
    scree_detector *anew = make(&def);
    scatter(1200, 7, 0.1, 0.8, 23);
    for (uint32_t step = 0; step < 20; step++) {
        update(step_by_step);
        update(anew);
        CHECK_EQUAL(check_pairs(step_by_step), check_pairs(anew));
        check_structure(step_by_step);
        check_structure(anew);
        drift(0.02, step);
    }
    CHECK(inside(step_by_step)->relocated < inside(anew)->relocated / 3);
    CHECK_EQUAL(inside(anew)->refilled, 19);

    /* a few of them */
    static const uint32_t rows[] = {5, 17, 900};
    const scree_rows few = {rows, 3};
    for (uint32_t k = 0; k < 3; k++)
        bodies.x[rows[k]][0] += 3;
    scree_table table = table_of(SCREE_SPHERES, 0, bodies.count);
    update(step_by_step); /* all are where the table has them, the three included */
    uint64_t before = inside(step_by_step)->relocated;
    CHECK_EQUAL(scree_detector_update(step_by_step, &table, &few), SCREE_OK);
    CHECK_EQUAL(inside(step_by_step)->relocated, before);
    for (uint32_t k = 0; k < 3; k++)
        bodies.x[rows[k]][0] -= 3;
    CHECK_EQUAL(scree_detector_update(step_by_step, &table, &few), SCREE_OK);
    CHECK_EQUAL(inside(step_by_step)->relocated, before + 3);
    update(anew);
    CHECK_EQUAL(check_pairs(step_by_step), check_pairs(anew));
    scree_detector_destroy(step_by_step);
    scree_detector_destroy(anew);
}

TEST(hg_23_order_is_restored_now_and_then)
{
    scree_detector_def def = hash_grids_def();
    scatter(1000, 6, 0.3, 0.3, 23);
    scree_detector *d = make_filled(&def);
    for (uint32_t step = 0; step < 20; step++) {
        drift(0.3, step);
        update(d);
        CHECK(inside(d)->disorder <= bodies.count / 2);
        check_structure(d);
        (void)check_pairs(d);
    }
    CHECK(inside(d)->refilled > 2);
    scree_detector_destroy(d);
}

/*  How far a search must look is found out anew with every build. */
TEST(hg_23_reach_follows_the_bodies)
{
    scree_detector_def def = grids_only();
    def.hash_grids.rebuild = true;
    scatter(100, 4, 0.5, 0.5, 23);
    scree_detector *d = make_filled(&def);
    CHECK_NEAR(grid_at(d, 0)->reach, 1, 1e-9);
    for (uint32_t i = 0; i < bodies.count; i++)
        bodies.x[i][3] = 0.4;
    update(d);
    CHECK_NEAR(grid_at(d, 0)->reach, 0.8, 1e-9);
    scree_detector_destroy(d);
}

/* ---- sizes and places that are hard ---- */

TEST(hg_24_points)
{
    scree_detector_def def = grids_only();
    for (int first_is_point = 0; first_is_point < 2; first_is_point++) {
        bodies.count = 0;
        for (uint32_t i = 0; i < 60; i++)
            add_body(i % 5, i % 3, 0, (i + (uint32_t)first_is_point) % 2 ? 0 : 0.25);
        scree_detector *d = make_filled(&def);
        CHECK_NEAR(inside(d)->first_cell, 0.5 * sqrt(2), 1e-9);
        check_structure(d);
        CHECK(check_pairs(d) > 60);
        for (uint32_t i = 0; i < 60; i++)
            bodies.x[i][3] = 0;
        update(d);
        check_structure(d);
        CHECK(check_pairs(d) > 60);
        scree_detector_destroy(d);
    }
    /* points at the origin: nothing is known of any size */
    bodies.count = 0;
    for (uint32_t i = 0; i < 10; i++)
        add_body(0, 0, 0, i < 9 ? 0 : 1e-300);
    scree_detector *d = make_filled(&def);
    CHECK(inside(d)->first_cell == 1);
    CHECK_EQUAL(check_pairs(d), 45);
    CHECK_EQUAL(inside(d)->order_count, 1);
    CHECK_EQUAL(grid_at(d, 0)->level, -60);
    scree_detector_destroy(d);
}

TEST(hg_24_ratio_of_a_billion)
{
    scree_detector_def def = hash_grids_def();
    scatter(600, 1, 1e-9, 1, 24);
    scree_detector *d = make_filled(&def);
    CHECK(inside(d)->order_count > 20 && inside(d)->order_count < 33);
    check_structure(d);
    CHECK(check_pairs(d) > 100);
    scree_detector_destroy(d);
}

TEST(hg_24_numbers_at_the_limit)
{
    static const double scales[] = {1e100, 1e50, 1e-100, 1e-300};
    scree_detector_def def = grids_only();
    for (int volume = 0; volume < 2; volume++)
        for (size_t s = 0; s < SCREE_COUNT_OF(scales); s++) {
            def.volume = (scree_volume)volume;
            def.hash_grids.size = (scree_hash_size)(s & 1);
            scatter(300, 0.9, 1e-3, 0.1, 25);
            for (uint32_t i = 0; i < bodies.count; i++)
                for (int k = 0; k < 4; k++)
                    bodies.x[i][k] *= i % 7 ? scales[s] : 1;
            scree_detector *d = make_filled(&def);
            check_structure(d);
            CHECK(check_pairs(d) > 0);
            drift(scales[s] / 20, s);
            update(d);
            check_structure(d);
            (void)check_pairs(d);
            scree_detector_destroy(d);
        }
}

TEST(hg_24_nan_is_refused)
{
    scree_detector_def def = hash_grids_def();
    scatter(100, 3, 0.3, 0.3, 26);
    scree_detector *d = make_filled(&def);
    uint64_t before = check_pairs(d);
    double x = bodies.x[50][1];
    bodies.x[50][1] = NAN;
    scree_table table = table_of(SCREE_SPHERES, 0, bodies.count);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    bodies.x[50][1] = 1e300;
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_BAD_VALUE);
    bodies.x[50][1] = x;
    CHECK_EQUAL(check_pairs(d), before);
    check_structure(d);
    scree_detector_destroy(d);
}

TEST(hg_24_all_in_one_place)
{
    scree_detector_def def = hash_grids_def();
    bodies.count = 0;
    for (uint32_t i = 0; i < 300; i++)
        add_body(1, 2, 3, 0.5);
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(check_pairs(d), 300 * 299 / 2);
    CHECK_EQUAL(grid_at(d, 0)->occupied_count, 1);
    for (uint32_t i = 0; i < 299; i++) {
        remove_range(d, i, i + 1);
        check_structure(d);
    }
    scree_detector_destroy(d);
}

/*  A body that moves far while its grid is enlarged by another is not cast to an integer. */
TEST(hg_24_far_moves_and_growth_at_once)
{
    scree_detector_def def = grids_only();
    scatter(700, 4, 0.3, 0.3, 27);
    for (uint32_t i = 0; i < 350; i++)
        bodies.x[i][3] = 1.0;
    scree_detector *d = make_filled(&def);
    CHECK_EQUAL(grid_of(d, 699).doublings, 0);
    for (uint32_t i = 0; i < 350; i++)
        bodies.x[i][3] = 0.3;
    for (uint32_t i = 600; i < 700; i++)
        bodies.x[i][2] = 1e99;
    update(d);
    CHECK_EQUAL(grid_of(d, 0).doublings, 1);
    check_structure(d);
    CHECK(check_pairs(d) > 0);
    scree_detector_destroy(d);
}

/* ---- the rest ---- */

TEST(choices_are_checked)
{
    REFUSE(size, (scree_hash_size)7, "hash_grids.size is 7, must be a scree_hash_size");
    REFUSE(point, (scree_hash_point)7, "hash_grids.point is 7, must be a scree_hash_point");
}

static int collect_hit(const scree_hit *hit, void *user)
{
    uint8_t *seen = user;
    seen[hit->id]++;
    return 0;
}

/*  Hits of the grids are those of a method that looks at all bodies. */
TEST(queries_find_what_a_scan_finds)
{
    static uint8_t found[MOST], expected[MOST];
    scree_random random = scree_random_stream(30, 0);
    scree_detector_def def = hash_grids_def(), plain = hash_grids_def();
    plain.method = "pairing";
    scatter(2000, 10, 0.05, 1, 30);
    for (int kind = 0; kind < 4; kind++) {
        plain.volume = def.volume = (scree_volume)(kind & 1);
        bodies.count = kind < 2 ? 2000 : 30;
        scree_detector *d = make_filled(&def), *scan = make_filled(&plain);
        for (uint32_t k = 0; k < 400; k++) {
            double low[3], high[3];
            double size = scree_random_log_uniform(&random, 1e-3, k % 50 ? 20 : 1e90);
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = scree_random_range(&random, -12, 12) * (k % 40 == 8 ? 1e30 : 1);
                high[axis] = low[axis] + size;
            }
            scree_query query = k % 4 == 0   ? scree_query_box(low, high)
                                : k % 4 == 1 ? scree_query_sphere(low, size)
                                : k % 4 == 2 ? scree_query_ray(low, high, 5)
                                             : scree_query_nearest(low, 1 + k % 9);
            memset(found, 0, sizeof found);
            memset(expected, 0, sizeof expected);
            CHECK_EQUAL(scree_detector_query(d, &query, collect_hit, found, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_query(scan, &query, collect_hit, expected, NULL), SCREE_OK);
            CHECK(memcmp(found, expected, sizeof found) == 0);
        }
        scree_detector_destroy(d);
        scree_detector_destroy(scan);
    }
}

/*  Hits of every body, of which not all can be kept. */
TEST(queries_may_run_out_of_memory)
{
    static const double low[3] = {-1e30, -1e30, -1e30}, high[3] = {1e30, 1e30, 1e30};
    static const double wide[3] = {11, 11, 11}, narrow[3] = {-11, -11, -11};
    for (int kind = 0; kind < 2; kind++)
        for (size_t k = 1; k < 6; k++) {
            failing_allocator memory = {0};
            scree_detector_def def = hash_grids_def();
            def.allocator = failing_allocator_hooks(&memory);
            scatter(20000, 10, 0.05, 0.05, 34);
            scree_detector *d = make_filled(&def);
            scree_query query = kind ? scree_query_box(low, high) : scree_query_box(narrow, wide);
            static uint8_t found[MOST];
            memory.fail_at = memory.requests + k;
            CHECK_EQUAL(scree_detector_query(d, &query, collect_hit, found, NULL),
                        SCREE_OUT_OF_MEMORY);
            scree_detector_destroy(d);
            CHECK(failing_allocator_is_clean(&memory));
        }
}

/*  Every call may fail once: the bodies are kept, and the next call is right. */
TEST(memory_may_run_out_anywhere)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_detector_def def = grids_only();
        scree_detector *d;
        def.allocator = failing_allocator_hooks(&memory);
        def.hash_grids.list_capacity = 2;
        scatter(80, 2, 0.1, 0.8, 31);
        if (scree_detector_create(&def, &d) == SCREE_OK) {
            scree_table table = table_of(SCREE_SPHERES, 0, 60),
                        more = table_of(SCREE_SPHERES, 60, 80);
            while (scree_detector_update(d, &table, NULL) != SCREE_OK)
                ;
            for (int step = 0; step < 3; step++) {
                drift(1.0, (uint64_t)step);
                while (scree_detector_update(d, &table, NULL) != SCREE_OK)
                    ;
            }
            uint32_t ids[20];
            for (uint32_t i = 0; i < 20; i++)
                ids[i] = i;
            while (scree_detector_remove(d, ids, 20) != SCREE_OK)
                ;
            while (scree_detector_insert(d, &more, NULL) != SCREE_OK)
                ;
            scree_table first = table_of(SCREE_SPHERES, 0, 20);
            while (scree_detector_insert(d, &first, NULL) != SCREE_OK)
                ;
            scree_pairs pairs;
            scree_pairs_options sorted = {.canonical = true};
            while (scree_detector_pairs(d, &sorted, &pairs) != SCREE_OK)
                ;
            (void)check_pairs(d);
            check_structure(d);
            scree_detector_destroy(d);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

/*  Tries until memory lasts: at most one request fails. */
static void update_rows(scree_detector *d, uint32_t begin, uint32_t end)
{
    static uint32_t rows[MOST];
    scree_table table = table_of(SCREE_SPHERES, begin, end);
    scree_rows all = {rows, end - begin};
    for (uint32_t k = 0; k < end - begin; k++)
        rows[k] = k;
    while (scree_detector_update(d, &table, &all) != SCREE_OK)
        ;
}

/*  Grids appear, grow and shrink, by insertion and by dirty updates. */
TEST(memory_may_run_out_while_grids_change)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_detector_def def = grids_only();
        scree_detector *d;
        def.allocator = failing_allocator_hooks(&memory);
        def.hash_grids.rebuild = k % 5 == 0;
        def.hash_grids.minimal_density = 1;
        def.hash_grids.occupied_capacity = def.hash_grids.list_capacity = 1;
        for (int axis = 0; axis < 3; axis++)
            def.hash_grids.cells[axis] = 4;
        scatter(90, 2, 0.4, 0.4, 32);
        if (scree_detector_create(&def, &d) == SCREE_OK) {
            scree_table first = table_of(SCREE_SPHERES, 0, 60);
            while (scree_detector_update(d, &first, NULL) != SCREE_OK)
                ;
            for (uint32_t i = 60; i < 90; i++) {
                scree_table one = table_of(SCREE_SPHERES, i, i + 1);
                bodies.x[i][3] *= i % 10 ? 1 : i; /* some need a grid of their own */
                while (scree_detector_insert(d, &one, NULL) != SCREE_OK)
                    ;
            }
            for (uint32_t i = 0; i < 90; i++)
                bodies.x[i][3] = i % 7 ? 0.4 : 0.02 * i;
            update_rows(d, 0, 90);
            uint32_t ids[84];
            for (uint32_t i = 0; i < 84; i++)
                ids[i] = i;
            while (scree_detector_remove(d, ids, 84) != SCREE_OK)
                ;
            update_rows(d, 84, 90);
            scree_pairs_options sorted = {.canonical = true};
            scree_pairs pairs;
            while (scree_detector_pairs(d, &sorted, &pairs) != SCREE_OK)
                ;
            check_structure(d);
            scree_detector_destroy(d);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hg_01_one_cell_of_one_grid),
        CASE(hg_02_smallest_cells_larger_than_the_longest_edge),
        CASE(hg_03_touching_where_rounding_could_part),
        CASE(hg_03_touching_across_levels),
        CASE(hg_03_only_adjacent_cells),
        CASE(hg_04_work_a_body_does_not_grow),
        CASE(hg_05_memory_a_body_does_not_grow),
        CASE(hg_06_levels_appear_and_disappear),
        CASE(hg_07_constant_cost_of_adding_and_removing),
        CASE(hg_07_a_million_cycles_need_no_more_memory),
        CASE(hg_08_cells_of_a_new_grid),
        CASE(hg_09_capacity_of_lists),
        CASE(hg_10_a_search_visits_occupied_cells_alone),
        CASE(hg_11_grows_with_the_513th_body),
        CASE(hg_11_a_build_grows_as_insertions_do),
        CASE(hg_11_gives_back_what_a_crowd_needed),
        CASE(hg_11_gives_back_lists),
        CASE(hg_12_sparse_levels_of_factor_two),
        CASE(hg_13_any_factor_finds_the_same),
        CASE(hg_14_infinite_bodies_meet_all_finite_ones),
        CASE(hg_15_inserting_one_by_one),
        CASE(hg_16_clear_keeps_the_hierarchy),
        CASE(hg_17_every_pair_once_on_any_number_of_threads),
        CASE(hg_17_a_search_stops_when_told),
        CASE(hg_18_grids_are_sorted_by_cell_size),
        CASE(hg_19_all_octants_and_far_away),
        CASE(hg_19_faces_and_negative_coordinates),
        CASE(hg_20_27_cells_around_each),
        CASE(hg_21_all_pairs_up_to_the_threshold),
        CASE(hg_22_fixed_bodies_do_not_meet),
        CASE(hg_23_both_ways_to_update),
        CASE(hg_23_order_is_restored_now_and_then),
        CASE(hg_23_reach_follows_the_bodies),
        CASE(hg_24_points),
        CASE(hg_24_ratio_of_a_billion),
        CASE(hg_24_numbers_at_the_limit),
        CASE(hg_24_nan_is_refused),
        CASE(hg_24_all_in_one_place),
        CASE(hg_24_far_moves_and_growth_at_once),
        CASE(choices_are_checked),
        CASE(queries_find_what_a_scan_finds),
        CASE(queries_may_run_out_of_memory),
        CASE(memory_may_run_out_anywhere),
        CASE(memory_may_run_out_while_grids_change),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
