/*  What methods do inside, to the last pair. Any tree that holds all bodies gives the right pairs, and
    any size of cell, so tests of pairs do not see that a split went wrong or that a table is twice as
    large as it should be. Here scenes are played that fill, move, refill and empty every method, and
    four things are noted after each step: the candidates, in the order in which they are handed over;
    the bodies that the structure offers to probes, likewise; the figures of scree_stats; and how much
    memory was asked for. Each must be what it was when this was written, on every machine, with every
    compiler and at every level of SIMD: nothing in a method may depend on these.

    So a change of how a method works fails here, and should: its author looks at what changed,
    and if it is what was meant, puts in what SCREE_TEST_PRINT=1 prints. `tested` is the sum over a
    play, to be read by people: it should not grow without a reason. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "detect/scratch.h"
#include "figures_digest.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <math.h>

#define MOST 460u
#define FIRST 320u /* bodies at the begin */

typedef struct figures
{
    uint64_t tested;
    uint32_t pairs, probes, stats, bytes;
} figures;

typedef struct note
{
    scree_sink pair; /* first: the sinks are parts of a note */
    scree_hit_sink hit;
    const scree_bodies *bodies; /* of a ray that is shortened by what it hits, with its probe */
    scree_probe *probe;
    figures *of;
} note;

/* ---- scenes ---- */

typedef enum scene
{
    UNIFORM,  /* equal spheres */
    RATIO,    /* spheres, radii over a ratio of 100, dense and thin places */
    DISCS,    /* two dimensions */
    NEEDLES,  /* boxes, long on one axis */
    CLUSTERS, /* boxes in clusters, among them flat ones */
    LATTICE,  /* cubes that touch, two in most places: much is equal */
    BOARD,    /* rectangles */
    SHEET,    /* boxes without a height, all at the same: no volume can be told from another */
    PERIODIC, /* spheres in a tilted cell */
    SCENES,
} scene;

typedef struct world
{
    scene kind;
    uint32_t count;
    int dimensions;
    bool boxes;
    double x[3][MOST], half[3][MOST], low[3][MOST], high[3][MOST];
    scree_random random;
} world;

static world now;

static double any(double lower, double upper)
{
    return scree_random_range(&now.random, lower, upper);
}

static void place(uint32_t i)
{
    double side = 8.5;
    if (now.kind == RATIO)
        side = i % 2 ? 4 : 25;
    if (now.dimensions == 2 || now.kind == SHEET)
        side = 24;
    for (int k = 0; k < now.dimensions; k++)
        now.x[k][i] = any(-0.3 * side, 0.7 * side);
    for (int k = 0; k < 3 && now.kind == CLUSTERS; k++)
        now.x[k][i] = any(0, 2) + 11 * (double)(i * (uint32_t)(k + 1) % 5);
    for (int k = 0; k < 3 && now.kind == LATTICE; k++)
        now.x[k][i] = scree_random_below(&now.random, 7);
    if (now.kind == SHEET)
        now.x[2][i] = 0.5;
}

static void make_body(uint32_t i)
{
    /* no logarithm: the tail of 1 / x */
    double r = now.kind == UNIFORM ? 0.5 : now.kind == RATIO ? 0.04 / any(0.01, 1) : any(0.4, 0.6);
    for (int k = 0; k < now.dimensions; k++)
        now.half[k][i] = r;
    if (now.kind == NEEDLES) {
        now.half[0][i] = now.half[1][i] = now.half[2][i] = 0.1;
        double length = any(1, 3);
        now.half[scree_random_below(&now.random, 3)][i] = length;
    } else if (now.boxes) {
        for (int k = 0; k < now.dimensions; k++)
            now.half[k][i] = now.kind == LATTICE ? 0.5 : r * any(0.2, 1);
        if (now.kind == SHEET)
            now.half[2][i] = 0;
        if (now.kind == CLUSTERS && i % 3 == 0)
            now.half[i % 9 / 3][i] = 0;
    }
    place(i);
}

static void make_scene(scene kind)
{
    memset(&now, 0, sizeof now);
    now.kind = kind;
    now.random = scree_random_stream(2026, (uint64_t)kind);
    now.count = FIRST;
    now.dimensions = kind == DISCS || kind == BOARD ? 2 : 3;
    now.boxes = kind >= NEEDLES && kind <= SHEET;
    for (uint32_t i = 0; i < MOST; i++)
        make_body(i);
}

static void shake(double by)
{
    for (uint32_t i = 0; i < now.count; i++)
        for (int k = 0; k < (now.kind == SHEET ? 2 : now.dimensions); k++)
            now.x[k][i] += by * any(-1, 1);
}

/*  Rows from `first` on. */
static scree_table rows_from(uint32_t first, uint32_t count)
{
    scree_view centre[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = first; i < first + count; i++) {
            now.low[k][i] = now.x[k][i] - now.half[k][i];
            now.high[k][i] = now.x[k][i] + now.half[k][i];
        }
        centre[k] = scree_doubles(now.x[k] + first, sizeof(double));
        low[k] = scree_doubles(now.low[k] + first, sizeof(double));
        high[k] = scree_doubles(now.high[k] + first, sizeof(double));
    }
    return now.boxes ? scree_table_boxes(count, low, high)
                     : scree_table_spheres(count, centre[0], centre[1], centre[2],
                                           scree_doubles(now.half[0] + first, sizeof(double)));
}

/* ---- what is noted ---- */

static void note_pairs(scree_sink *sink)
{
    note *n = (note *)sink;
    for (uint32_t k = 0; k < sink->fill; k++) {
        digest(&n->of->pairs, sink->first[k]);
        digest(&n->of->pairs, sink->second[k]);
    }
    sink->fill = 0;
}

/*  To where the ray enters the body's box. */
static void shorten(scree_probe *probe, const scree_bodies *bodies, uint32_t id)
{
    double t;
    scree_box box = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < bodies->dimensions && bodies->sphere; k++) {
        box.lower[k] = bodies->sphere[id][k] - bodies->sphere[id][3];
        box.upper[k] = bodies->sphere[id][k] + bodies->sphere[id][3];
    }
    if (!bodies->sphere)
        box = bodies->box[id];
    if (scree_probe_enters(probe, &box, &t))
        probe->t_max = t;
}

static void note_hits(scree_hit_sink *sink)
{
    note *n = (note *)((char *)sink - offsetof(note, hit));
    for (uint32_t k = 0; k < sink->fill; k++) {
        digest(&n->of->probes, sink->id[k]);
        if (n->probe)
            shorten(n->probe, n->bodies, sink->id[k]);
    }
    sink->fill = 0;
}

static void note_candidates(scree_detector *d, note *n)
{
    scree_bodies bodies = scree_detector_view(d);
    scree_scratch scratch = {.memory = &d->memory};
    size_t blocks = d->method->block_count ? d->method->block_count(d->state, &bodies) : 1;
    digest(&n->of->pairs, blocks);
    for (size_t block = 0; block < blocks; block++) {
        scratch.used = 0;
        d->method->pairs(d->state, &bodies, block, &scratch, &n->pair);
        note_pairs(&n->pair);
        digest(&n->of->pairs, UINT64_MAX);
    }
    CHECK(!scratch.failed);
    scree_scratch_free(&scratch);
}

static void note_probes(scree_detector *d, note *n)
{
    static const double at[][6] = {
        {-1, -1, -1, 3, 2, 4},
        {2.5, 2, 0, 2.6, 2.1, 0.1},
        {-9, 1, -9, 90, 1.5, 90},
    };
    scree_bodies bodies = scree_detector_view(d);
    if (!d->method->query || !bodies.active_count)
        return;
    for (size_t p = 0; p < SCREE_COUNT_OF(at); p++) {
        scree_probe probe = {.t_max = INFINITY};
        for (int k = 0; k < d->def.dimensions; k++) {
            probe.box.lower[k] = at[p][k];
            probe.box.upper[k] = at[p][k + 3];
        }
        d->method->query(d->state, &bodies, &probe, &n->hit);
        note_hits(&n->hit);
        /* a ray through the middle of the bodies, across this box */
        probe.is_ray = true;
        for (int k = 0; k < d->def.dimensions; k++) {
            probe.box.lower[k] = -90;
            probe.box.upper[k] = 90;
            probe.origin[k] = -90;
            probe.direction[k] = 1 + 0.01 * at[p][k];
        }
        d->method->query(d->state, &bodies, &probe, &n->hit);
        note_hits(&n->hit);
        n->bodies = &bodies;
        n->probe = &probe;
        d->method->query(d->state, &bodies, &probe, &n->hit);
        note_hits(&n->hit);
        n->probe = NULL;
        digest(&n->of->probes, UINT64_MAX);
    }
}

static void note_stats(const scree_stats *s, figures *of)
{
    const uint64_t numbers[] = {s->tested,     s->reported, s->updates,   s->rebuilds, s->remapped,
                                s->inversions, s->created,  s->destroyed, s->advances, s->runs,
                                s->late,       s->rejected, s->bodies};
    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        digest(&of->stats, numbers[k]);
    digest(&of->bytes, s->bytes);
}

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    (void)first, (void)second;
    return ++*(uint32_t *)user == 30;
}

static void take_note(scree_detector *d, figures *of)
{
    static const scree_pairs_options in_order = {.canonical = true};
    static note n;
    uint32_t count = 0;
    scree_pairs pairs;
    scree_neighbors neighbors;
    scree_stats stats;
    /* the first ones for what they take of memory and work */
    CHECK_EQUAL(scree_detector_for_each_pair(d, count_pair, &count), SCREE_OK);
    digest(&of->stats, scree_detector_stats(d).tested);
    CHECK_EQUAL(scree_detector_neighbors(d, NULL, &neighbors), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, now.count % 2 ? &in_order : NULL, &pairs), SCREE_OK);
    stats = scree_detector_stats(d);
    of->tested += stats.tested;
    note_stats(&stats, of);
    for (int k = 0; k < 3 && stats.bodies; k++) {
        digest_real(&of->stats, d->store.bounds.lower[k]);
        digest_real(&of->stats, d->store.bounds.upper[k]);
    }
    n.of = of;
    n.probe = NULL;
    n.pair.fill = n.hit.fill = 0;
    n.pair.flush = note_pairs;
    n.hit.flush = note_hits;
    note_candidates(d, &n);
    note_probes(d, &n);
}

/* ---- the play ---- */

static void update_all(scree_detector *d, figures *of)
{
    scree_table table = rows_from(0, now.count);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    take_note(d, of);
}

/*  Every so many go elsewhere. */
static void move_some(scree_detector *d, uint32_t every)
{
    uint32_t rows[MOST];
    scree_rows dirty = {rows, 0};
    for (uint32_t i = every / 2; i < now.count; i += every) {
        place(i);
        rows[dirty.count++] = i;
    }
    scree_table table = rows_from(0, now.count);
    CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
}

static void update_some(scree_detector *d, figures *of, uint32_t every)
{
    move_some(d, every);
    take_note(d, of);
}

/*  Some, many times; all in between. What few steps begin, many may bring to an end. */
static void update_often(scree_detector *d, figures *of)
{
    for (uint32_t step = 0; step < 40; step++) {
        if (step % 10 == 4) {
            scree_table table = rows_from(0, now.count);
            CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
        }
        move_some(d, 15 + step);
    }
    take_note(d, of);
}

static void take_out_and_put_in(scree_detector *d, figures *of)
{
    uint32_t ids[MOST], out = 0;
    for (uint32_t i = 3; i < now.count; i += 7)
        ids[out++] = i;
    CHECK_EQUAL(scree_detector_remove(d, ids, out), SCREE_OK);
    take_note(d, of);
    scree_table table = rows_from(now.count, 2 * out);
    CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_OK);
    take_note(d, of);
    now.count += out; /* a half of them are in the gaps */
}

typedef struct variant
{
    const char *name; /* as it is called here */
    const char *method;
    void (*set)(scree_detector_def *def);
} variant;

static void play(const variant *how, scene kind, scree_simd simd, figures *of)
{
    failing_allocator memory = {0};
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    make_scene(kind);
    *of = (figures){0, 2166136261u, 2166136261u, 2166136261u, 2166136261u};
    def.method = how->method;
    def.simd = simd;
    def.dimensions = now.dimensions;
    def.volume = now.boxes ? SCREE_BOXES : SCREE_SPHERES;
    def.allocator = failing_allocator_hooks(&memory);
    if (kind == PERIODIC) {
        def.period[0] = 8.5, def.period[1] = 9, def.period[2] = 10;
        def.tilt[0] = 2, def.tilt[1] = -1, def.tilt[2] = 0.5;
    }
    if (how->set)
        how->set(&def);
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    update_all(d, of);
    for (int step = 0; step < 3; step++) {
        shake(0.1);
        update_all(d, of);
    }
    update_some(d, of, 40);
    update_some(d, of, 40);
    update_some(d, of, 5);
    update_often(d, of);
    take_out_and_put_in(d, of);
    update_some(d, of, 3);
    shake(1);
    update_all(d, of);
    for (int step = 0; step < 4; step++) { /* some fly apart, */
        for (uint32_t i = 0; i < now.count; i += 3)
            for (int k = 0; k < now.dimensions && now.kind != SHEET; k++)
                now.x[k][i] *= 2;
        update_all(d, of);
    }
    now.count = 150; /* many leave, */
    update_all(d, of);
    now.count = MOST; /* more come */
    update_all(d, of);
    shake(0.01);
    update_all(d, of);
    CHECK_EQUAL(scree_detector_clear(d), SCREE_OK);
    take_note(d, of);
    now.count = 40;
    update_all(d, of);
    digest(&of->bytes, memory.requests);
    scree_detector_destroy(d);
    CHECK_EQUAL(memory.live_blocks, 0);
}

/* ---- methods and their parameters ---- */

static void small_nodes(scree_detector_def *def)
{
    def->rtree_max_entries = 5;
    def->rtree_min_entries = 2;
}

static void naive_stripes(scree_detector_def *def)
{
    def->stripe_naive = true;
    def->stripe_factor = 0.7;
}

static void by_insertion(scree_detector_def *def)
{
    def->sort_by_insertion = true;
}

static void larger_cells(scree_detector_def *def)
{
    def->cell_factor = 1.7;
    def->bin_factor = 4;
}

static void corners(scree_detector_def *def)
{
    def->hash_grids.cells[0] = def->hash_grids.cells[1] = def->hash_grids.cells[2] = 4;
    def->hash_grids.list_capacity = 1;
    def->hash_grids.occupied_capacity = 2;
    def->hash_grids.minimal_density = 2;
    def->hash_grids.activation = 8;
    def->hash_grids.factor = 1.3;
    def->hash_grids.size = SCREE_HASH_SIZE_SPHERE;
    def->hash_grids.point = SCREE_HASH_POINT_CORNER;
    def->hash_grids.rebuild = true;
}

static void fine_cells(scree_detector_def *def)
{
    def->cell_space.cells = 40;
    def->cell_space.target = 2;
    def->cell_space.merge_below = 2;
    def->cell_space.factor = 2;
    def->cell_space.max_children = 4;
}

static void given_domain(scree_detector_def *def)
{
    for (int k = 0; k < def->dimensions; k++) {
        def->cell_space.lower[k] = -1;
        def->cell_space.upper[k] = 5 + k;
    }
}

static void first_axis(scree_detector_def *def)
{
    def->insertion_sort.sort_axis = 0;
    def->insertion_sort.sort_then_collide = true;
}

static const variant variants[] = {

    {"bounding-volume", "bounding-volume", NULL},
    {"spatial-sort-1", "spatial-sort-1", NULL},
    {"spatial-sort-2", "spatial-sort-2", NULL},
    {"spatial-sort-3", "spatial-sort-3", NULL},
    {"spatial-sort-3 by insertion", "spatial-sort-3", by_insertion},
    {"hashing", "hashing", NULL},
    {"hashing2", "hashing2", NULL},
    {"hashing, larger cells", "hashing", larger_cells},
    {"cgrid", "cgrid", NULL},
    {"cgrid, larger bins", "cgrid", larger_cells},
    {"dess", "dess", NULL},
    {"dess2", "dess2", NULL},
    {"stripe-sort", "stripe-sort", NULL},
    {"stripe-sort, naive", "stripe-sort", naive_stripes},
    {"rtree", "rtree", NULL},
    {"rtree, small nodes", "rtree", small_nodes},
    {"rtree-rstar", "rtree-rstar", NULL},
    {"rtree-rstar, small nodes", "rtree-rstar", small_nodes},
    {"rtree-packed", "rtree-packed", NULL},
    {"rtree-packed, small nodes", "rtree-packed", small_nodes},
    {"dess-rtree", "dess-rtree", NULL},
    {"hash-grids", "hash-grids", NULL},
    {"hash-grids, corners", "hash-grids", corners},
    {"cell-space", "cell-space", NULL},
    {"cell-space, fine", "cell-space", fine_cells},
    {"cell-space, given domain", "cell-space", given_domain},
    {"insertion-sort", "insertion-sort", NULL},
    {"insertion-sort, first axis", "insertion-sort", first_axis},
    {"bvh8", "bvh8", NULL},
};

static const struct
{
    const char *name;
    figures of[SCENES];
} known[] = {
#include "figures_known.h"
};

/* ---- tests ---- */

static void print_all(void)
{
    for (size_t v = 0; v < SCREE_COUNT_OF(variants); v++) {
        printf("    {\"%s\",\n     {", variants[v].name);
        for (int kind = 0; kind < SCENES; kind++) {
            figures f;
            play(&variants[v], (scene)kind, SCREE_SIMD_SCALAR, &f);
            printf("%s{%" PRIu64 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32
                   "}",
                   kind ? ",\n      " : "", f.tested, f.pairs, f.probes, f.stats, f.bytes);
        }
        printf("}},\n");
    }
}

static void check_same(const char *name, int kind, const figures *is, const figures *was)
{
    if (is->stats != was->stats)
        FAIL("%s, scene %d: other figures; %" PRIu64 " pairs tested, it was %" PRIu64, name, kind,
             is->tested, was->tested);
    if (is->pairs != was->pairs)
        FAIL("%s, scene %d: other candidates, or in another order", name, kind);
    if (is->probes != was->probes)
        FAIL("%s, scene %d: other bodies for probes, or in another order", name, kind);
    /* where pointers have another size, so have blocks of memory */
    if (sizeof(void *) == 8 && is->bytes != was->bytes)
        FAIL("%s, scene %d: another amount of memory", name, kind);
}

static void play_all(scree_simd simd, int every)
{
    if (scree_simd_resolve(simd) != simd)
        return;
    const char *only = getenv("SCREE_TEST_METHOD"); /* as in other tests */
    CHECK_EQUAL(SCREE_COUNT_OF(known), SCREE_COUNT_OF(variants));
    for (size_t v = 0; v < SCREE_COUNT_OF(variants); v++) {
        CHECK_TEXT(known[v].name, variants[v].name);
        if (only && strcmp(variants[v].method, only) != 0)
            continue;
        for (int kind = 0; kind < SCENES; kind += every) {
            figures f;
            play(&variants[v], (scene)kind, simd, &f);
            check_same(variants[v].name, kind, &f, &known[v].of[kind]);
        }
    }
}

TEST(methods_work_as_they_did)
{
    if (getenv("SCREE_TEST_PRINT"))
        print_all();
    else
        play_all(SCREE_SIMD_SCALAR, 1);
}

TEST(two_at_once_work_the_same)
{
    if (!getenv("SCREE_TEST_PRINT"))
        play_all(SCREE_SIMD_128, 3);
}

TEST(four_at_once_work_the_same)
{
    if (!getenv("SCREE_TEST_PRINT"))
        play_all(SCREE_SIMD_AVX2, 3);
}

TEST(eight_at_once_work_the_same)
{
    if (!getenv("SCREE_TEST_PRINT"))
        play_all(SCREE_SIMD_AVX512, 3);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(methods_work_as_they_did),
        CASE(two_at_once_work_the_same),
        CASE(four_at_once_work_the_same),
        CASE(eight_at_once_work_the_same),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
