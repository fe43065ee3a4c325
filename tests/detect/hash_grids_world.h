/*  Bodies, detectors and checks for the tests of hierarchical hash grids (test_hash_grids*.c). What
    is said of the structure is looked up in the structure, what is said of pairs is compared with a
    plain loop over all pairs. One world a program, since a test is done with it before the next
    begins. */
#ifndef HASH_GRIDS_WORLD_H
#define HASH_GRIDS_WORLD_H

#include "base/random.h"
#include "detect/detector_internal.h"
#include "detect/hash_grids.h"
#include "scree/scree.h"
#include "test.h"

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

static inline void add_body(double x, double y, double z, double radius)
{
    double centre[4] = {x, y, z, radius};
    uint32_t i = bodies.count++;
    for (int k = 0; k < 4; k++)
        bodies.x[i][k] = centre[k];
    bodies.flags[i] = 0;
}

static inline void scatter(uint32_t count, double side, double smallest, double largest,
                           uint64_t seed)
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

static inline void drift(double distance, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 1);
    for (uint32_t i = 0; i < bodies.count; i++)
        for (int k = 0; k < 3; k++)
            bodies.x[i][k] += scree_random_range(&random, -distance, distance);
}

/*  Rows [begin, end). */
static inline scree_table table_of(scree_volume volume, uint32_t begin, uint32_t end)
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

static inline scree_detector_def hash_grids_def(void)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "hash-grids";
    return def;
}

/*  As above, with grids from the first body on. */
static inline scree_detector_def grids_only(void)
{
    scree_detector_def def = hash_grids_def();
    def.hash_grids.activation = 0;
    return def;
}

/*  A detector with this value is not made, and the message says why. */
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

static inline scree_pairs search(scree_detector *d)
{
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_OK);
    return pairs;
}

/*  Built for no bodies: later insertions go to the structure at once. */
static inline scree_detector *make(const scree_detector_def *def)
{
    scree_detector *d;
    CHECK_EQUAL(scree_detector_create(def, &d), SCREE_OK);
    (void)search(d);
    return d;
}

static inline const scree_hash_grids *inside(const scree_detector *d)
{
    return d->state;
}

static inline void update(scree_detector *d)
{
    scree_table table = table_of(d->def.volume, 0, bodies.count);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
}

static inline void insert(scree_detector *d, uint32_t begin, uint32_t end)
{
    scree_table table = table_of(d->def.volume, begin, end);
    CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_OK);
}

static inline scree_detector *make_filled(const scree_detector_def *def)
{
    scree_detector *d = make(def);
    update(d);
    return d;
}

static inline void remove_range(scree_detector *d, uint32_t begin, uint32_t end)
{
    static uint32_t ids[MOST];
    for (uint32_t i = begin; i < end; i++)
        ids[i] = i;
    CHECK_EQUAL(scree_detector_remove(d, &ids[begin], end - begin), SCREE_OK);
}

/* ---- the plain loop ---- */

static inline bool touches(const scree_detector *d, uint32_t i, uint32_t j)
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
static inline uint64_t check_pairs_of(scree_detector *d, uint32_t count)
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

static inline uint64_t check_pairs(scree_detector *d)
{
    return check_pairs_of(d, bodies.count);
}

/* ---- the structure ---- */

/*  Every body is in the cell it belongs to, and nowhere else; lists, bricks and counts agree. */
static inline void check_structure(const scree_detector *d)
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
static inline const scree_hash_grid *grid_at(const scree_detector *d, uint32_t rank)
{
    CHECK(rank < inside(d)->order_count);
    return &inside(d)->grid[inside(d)->order[rank]];
}

static inline scree_hash_grid grid_of(const scree_detector *d, uint32_t id)
{
    return inside(d)->grid[inside(d)->place[id].grid];
}

#endif
