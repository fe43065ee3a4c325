/*  What is particular to the tree methods: rtree, rtree-rstar, rtree-packed, dess-rtree. Their
   trees stay sound through builds, moves, insertions and removals, whatever the boxes and the sizes
   of nodes; they terminate on boxes that no split can tell apart; and they find what a plain loop
   finds. */
#include "base/random.h"
#include "detect/dess_rtree.h"
#include "detect/detector_internal.h"
#include "detect/rtree.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 400u

static const char *const rtrees[] = {"rtree", "rtree-rstar", "rtree-packed"};
static const char *const tree_methods[] = {"rtree", "rtree-rstar", "rtree-packed", "dess-rtree"};
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- scenes ---- */

typedef enum scene_kind
{
    UNIFORM,
    LATTICE, /* boxes that touch exactly */
    IDENTICAL,
    POINTS,
    RATIO,
    HUGE_NUMBERS, /* volumes near 1e300 */
    DENORMAL,     /* volumes that underflow to 0 */
    GIANT,
    FLAT,
    LINE,
    CLUSTERS,
    MIXED, /* flat boxes among solid ones */
    SCENE_KINDS
} scene_kind;

/*  x y z r for spheres, lower and upper for boxes. */
typedef struct scene
{
    scree_volume volume;
    int dimensions;
    uint32_t count;
    double number[MOST][6];
} scene;

static void centre_and_radius(scree_random *random, scene_kind kind, uint32_t i, uint32_t count,
                              double centre[3], double *radius)
{
    double side = cbrt((double)count + 1);
    for (int k = 0; k < 3; k++)
        centre[k] = scree_random_range(random, -side, side);
    *radius = scree_random_range(random, 0.1, 0.7);
    uint32_t width = (uint32_t)side + 1;
    switch (kind) {
    case LATTICE:
        centre[0] = i % width;
        centre[1] = i / width % width;
        centre[2] = (double)(i / width / width);
        *radius = 0.5;
        break;
    case IDENTICAL:
        centre[0] = centre[1] = centre[2] = 0.3;
        *radius = 0.5;
        break;
    case POINTS:
        for (int k = 0; k < 3; k++)
            centre[k] = floor(centre[k]);
        *radius = 0;
        break;
    case RATIO:
        *radius = scree_random_log_uniform(random, 1e-6, 1);
        break;
    case GIANT:
        *radius = i == count / 2 ? 1000 : *radius;
        break;
    case FLAT:
        centre[2] = 0.7;
        *radius = i % 2 ? 0 : *radius;
        break;
    case LINE:
        centre[1] = centre[2] = 0;
        break;
    case CLUSTERS:
        for (int k = 0; k < 3; k++)
            centre[k] = centre[k] * 0.05 + 20 * (double)(i * (uint32_t)(k + 1) % 7);
        break;
    default:
        break;
    }
}

static double scale_of(scene_kind kind)
{
    return kind == HUGE_NUMBERS ? 1e98 : kind == DENORMAL ? 1e-310 : 1;
}

static void fill_row(scene *s, scree_random *random, scene_kind kind, uint32_t i)
{
    double centre[3], radius, scale = scale_of(kind);
    centre_and_radius(random, kind, i, s->count, centre, &radius);
    for (int k = 0; k < 3; k++) {
        bool flat = (kind == FLAT || (kind == MIXED && i % 3 == 0)) && k == 2;
        double half = flat ? 0 : radius;
        if (kind == UNIFORM || kind == MIXED)
            half *= scree_random_range(random, 0.1, 1);
        if (kind == MIXED && flat)
            centre[k] = 0;
        if (s->volume == SCREE_BOXES) {
            s->number[i][k] = (centre[k] - half) * scale;
            s->number[i][k + 3] = (centre[k] + half) * scale;
        } else {
            s->number[i][k] = centre[k] * scale;
        }
    }
    if (s->volume == SCREE_SPHERES)
        s->number[i][3] = radius * scale;
}

static scene *make_scene(scree_random *random, scene_kind kind, uint32_t count)
{
    static scene s;
    memset(&s, 0, sizeof s);
    s.volume = scree_random_below(random, 2) ? SCREE_SPHERES : SCREE_BOXES;
    s.dimensions = 2 + (int)scree_random_below(random, 2);
    s.count = count;
    for (uint32_t i = 0; i < count; i++)
        fill_row(&s, random, kind, i);
    return &s;
}

static void move_row(scene *s, scree_random *random, uint32_t i, double reach)
{
    for (int k = 0; k < 3; k++) {
        double step = scree_random_range(random, -reach, reach);
        s->number[i][k] += step;
        if (s->volume == SCREE_BOXES)
            s->number[i][k + 3] += step;
    }
}

/*  A view of rows [first, first + count). */
static scree_table table_of(const scene *s, uint32_t first, uint32_t count)
{
    size_t stride = sizeof s->number[0];
    scree_view v[6];
    for (int k = 0; k < 6; k++)
        v[k] = scree_doubles(&s->number[first][k], stride);
    return s->volume == SCREE_SPHERES ? scree_table_spheres(count, v[0], v[1], v[2], v[3])
                                      : scree_table_boxes(count, v, v + 3);
}

/* ---- detectors ---- */

typedef struct node_size
{
    uint32_t max, min;
} node_size;

static const node_size node_sizes[] = {{4, 2}, {16, 6}, {64, 32}, {5, 2}, {64, 2}};
static const uint32_t thread_counts[] = {1, 2, 7};

static scree_detector *make_detector(const char *method, const scene *s, node_size size,
                                     uint32_t threads)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    def.dimensions = s->dimensions;
    def.volume = s->volume;
    def.rtree_max_entries = size.max;
    def.rtree_min_entries = size.min;
    def.thread_count = threads;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    return detector;
}

static bool tree_is_valid(scree_detector *d)
{
    scree_bodies bodies = scree_store_view(&d->store);
    if (d->is_stale && scree_detector_build(d))
        return false;
    if (strcmp(d->method->info.name, "dess-rtree") == 0) {
        const scree_dess_rtree *dess = d->state;
        return scree_rank_tree_is_valid(&dess->tree, dess->lower, dess->upper, bodies.active_count);
    }
    return scree_rtree_is_valid(d->state, &bodies);
}

/*  Both detectors have the same bodies: then the same pairs. */
static void check_same_pairs(scree_detector *oracle, scree_detector *d)
{
    scree_pairs_options options = {.canonical = true};
    scree_pairs expected, found;
    CHECK_EQUAL(scree_detector_pairs(oracle, &options, &expected), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(d, &options, &found), SCREE_OK);
    CHECK_EQUAL(found.count, expected.count);
    for (uint64_t k = 0; k < found.count; k++) {
        CHECK_EQUAL(found.first[k], expected.first[k]);
        CHECK_EQUAL(found.second[k], expected.second[k]);
    }
    /* trees are as exact as boxes can be: nothing is put to the test in vain */
    if (d->def.volume == SCREE_BOXES)
        CHECK_EQUAL(scree_detector_stats(d).tested, found.count);
}

#define MAX_HITS (MOST + 100u)

static void check_same_hits(scree_detector *oracle, scree_detector *d, const scree_query *query)
{
    static scree_hit expected[MAX_HITS], found[MAX_HITS];
    size_t expected_count, found_count;
    CHECK_EQUAL(scree_detector_hits(oracle, query, expected, MAX_HITS, &expected_count, NULL),
                SCREE_OK);
    CHECK_EQUAL(scree_detector_hits(d, query, found, MAX_HITS, &found_count, NULL), SCREE_OK);
    CHECK_EQUAL(found_count, expected_count);
    for (size_t i = 0; i < found_count; i++) {
        CHECK_EQUAL(found[i].id, expected[i].id);
        CHECK(found[i].distance == expected[i].distance);
    }
}

static void random_point(scree_random *random, double scale, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = scale * scree_random_range(random, -8, 8);
}

/*  One of each kind, at random. The oracle's answer is a loop over all bodies: none of its
   structure is asked (bounding-volume has no query). */
static void check_queries(scree_detector *oracle, scree_detector *d, scree_random *random,
                          double scale)
{
    double a[3], b[3], direction[3];
    random_point(random, scale, a);
    random_point(random, 1, direction);
    for (int k = 0; k < 3; k++)
        b[k] = a[k] + scale * scree_random_range(random, 0, 4);
    if (scree_random_below(random, 3) == 0)
        direction[1] = direction[2] = 0;
    double t_max = scree_random_below(random, 2) ? INFINITY : scale * 2;
    const scree_query queries[] = {
        scree_query_box(a, b),
        scree_query_box(a, a),
        scree_query_box(b, a),
        scree_query_sphere(a, scale * scree_random_range(random, 0, 3)),
        scree_query_ray(a, direction, t_max),
        scree_query_ray_first(a, direction, t_max),
        scree_query_nearest(a, 1 + scree_random_below(random, 10)),
    };
    for (size_t i = 0; i < COUNT_OF(queries); i++)
        check_same_hits(oracle, d, &queries[i]);
}

/* ---- tests ---- */

/*  Moves, partial updates, insertions and removals by turns; after each, the tree is sound and the
    pairs are those of the oracle. */
static void run_history(const char *method, scene_kind kind, uint32_t count, node_size size,
                        uint32_t threads, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 1);
    scene *s = make_scene(&random, kind, count);
    scree_detector *oracle = make_detector("bounding-volume", s, size, 1);
    scree_detector *d = make_detector(method, s, size, threads);
    scree_detector *both[] = {oracle, d};
    uint32_t rows[MOST], row_count = 0;
    scree_table all = table_of(s, 0, s->count);

    for (int k = 0; k < 2; k++)
        CHECK_EQUAL(scree_detector_update(both[k], &all, NULL), SCREE_OK);
    for (int step = 0; step < 6; step++) {
        CHECK(tree_is_valid(d));
        check_same_pairs(oracle, d);
        check_queries(oracle, d, &random, scale_of(kind));
        if (s->count == 0)
            break;
        bool few = step % 2 == 0;
        row_count = 0;
        for (uint32_t i = 0; i < s->count; i++) {
            if (few && i % 7 != (uint32_t)step)
                continue;
            move_row(s, &random, i, 0.5 * scale_of(kind));
            rows[row_count++] = i;
        }
        scree_rows dirty = {rows, row_count};
        for (int k = 0; k < 2; k++)
            CHECK_EQUAL(scree_detector_update(both[k], &all, few ? &dirty : NULL), SCREE_OK);
    }

    /* out, a few at a time, until none is left; then some in again */
    for (uint32_t first = 0; first < s->count; first += 1 + s->count / 9) {
        uint32_t last = first + 1 + s->count / 9;
        row_count = 0;
        for (uint32_t i = first; i < last && i < s->count; i++)
            rows[row_count++] = (i * 7 + 3) % s->count;
        if (s->count % 7 == 0)
            for (uint32_t i = 0; i < row_count; i++)
                rows[i] = first + i;
        for (int k = 0; k < 2; k++)
            CHECK_EQUAL(scree_detector_remove(both[k], rows, row_count), SCREE_OK);
        CHECK(tree_is_valid(d));
        check_same_pairs(oracle, d);
        check_queries(oracle, d, &random, scale_of(kind));
    }
    for (uint32_t first = 0; first < s->count; first += 1 + s->count / 5) {
        uint32_t some = s->count - first < 1 + s->count / 5 ? s->count - first : 1 + s->count / 5;
        scree_table more = table_of(s, first, some);
        for (int k = 0; k < 2; k++)
            CHECK_EQUAL(scree_detector_insert(both[k], &more, NULL), SCREE_OK);
        CHECK(tree_is_valid(d));
        check_same_pairs(oracle, d);
    }
    scree_detector_destroy(d);
    scree_detector_destroy(oracle);
}

TEST(trees_stay_sound_and_find_all)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 5, 17, 60, 300};
    uint64_t seed = 0;
    for (size_t m = 0; m < COUNT_OF(tree_methods); m++)
        for (int kind = 0; kind < SCENE_KINDS; kind++)
            for (size_t c = 0; c < COUNT_OF(counts); c++) {
                node_size size = node_sizes[seed % COUNT_OF(node_sizes)];
                uint32_t threads = thread_counts[seed % COUNT_OF(thread_counts)];
                run_history(tree_methods[m], (scene_kind)kind, counts[c], size, threads, seed++);
            }
}

/*  Every box equal: splits can only go by count, and all of 79,800 pairs come once. */
TEST(identical_boxes_terminate)
{
    scree_random random = scree_random_stream(5, 0);
    for (size_t m = 0; m < COUNT_OF(tree_methods); m++)
        for (size_t n = 0; n < COUNT_OF(node_sizes); n++) {
            scene *s = make_scene(&random, IDENTICAL, 400);
            scree_detector *d = make_detector(tree_methods[m], s, node_sizes[n], 1);
            scree_table all = table_of(s, 0, s->count);
            scree_pairs pairs;
            CHECK_EQUAL(scree_detector_update(d, &all, NULL), SCREE_OK);
            CHECK(tree_is_valid(d));
            CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
            CHECK_EQUAL(pairs.count, 400 * 399 / 2);
            scree_detector_destroy(d);
        }
}

static void check_split(const scree_rtree_policy *policy, scree_rtree_entry *entries,
                        uint32_t count, uint32_t least, uint32_t most)
{
    scree_detector_def def = scree_default_detector_def();
    scree_rtree tree = {0};
    scree_rtree_init(&tree, &def, policy);
    uint32_t first = policy->split(&tree, entries, count);
    CHECK(first >= least && first <= most);
}

static scree_rtree_entry cube_at(double x, double y, double z, uint32_t child)
{
    scree_rtree_entry entry = {{{x, y, z}, {x + 1, y + 1, z + 1}}, child, 0};
    return entry;
}

/*  Two rows of cubes along x, far apart along one other axis: 8 and 9 of them, by turns. */
TEST(splits_follow_the_gap)
{
    const scree_rtree_policy *policies[] = {&scree_rtree_guttman, &scree_rtree_rstar};
    for (int p = 0; p < 2; p++)
        for (int axis = 0; axis < 3; axis++) {
            scree_rtree_entry entries[17];
            for (uint32_t i = 0; i < 17; i++) {
                double at[3] = {0, 0, 0};
                at[(axis + 1) % 3] = (double)i * 0.5;
                at[axis] = i % 2 ? 40 : 0;
                entries[i] = cube_at(at[0], at[1], at[2], i);
            }
            check_split(policies[p], entries, 17, 8, 9);
            for (uint32_t i = 1; i < 8; i++)
                CHECK_EQUAL(entries[i].child % 2, entries[0].child % 2);
            for (uint32_t i = 10; i < 17; i++)
                CHECK_EQUAL(entries[i].child % 2, entries[16].child % 2);
            CHECK(entries[0].child % 2 != entries[16].child % 2);
        }
}

/*  No rule tells identical boxes apart but the count; the quadratic split shares them out. */
TEST(identical_boxes_are_shared_out)
{
    scree_rtree_entry entries[17];
    for (uint32_t i = 0; i < 17; i++)
        entries[i] = cube_at(1, 2, 3, i);
    check_split(&scree_rtree_guttman, entries, 17, 8, 9);
    check_split(&scree_rtree_rstar, entries, 17, 6, 11);
}

/*  Bodies that come in sorted order are the classical bad case of insertion: nodes are left half
   full. The tree must not grow higher than its smallest nodes allow. */
TEST(sorted_insertion_keeps_the_tree_low)
{
    scree_random random = scree_random_stream(6, 0);
    for (size_t m = 0; m < COUNT_OF(rtrees); m++)
        for (int falling = 0; falling < 2; falling++) {
            node_size size = {16, 6};
            scene *s = make_scene(&random, LINE, 0);
            scree_detector *d = make_detector(rtrees[m], s, size, 1);
            for (uint32_t i = 0; i < 3000; i++) {
                double x = falling ? -(double)i : (double)i;
                s->number[0][0] = x;
                s->number[0][1] = s->number[0][2] = 0;
                s->number[0][3] = s->volume == SCREE_SPHERES ? 0.4 : x;
                s->number[0][4] = s->number[0][5] = 0;
                scree_table one = table_of(s, 0, 1);
                CHECK_EQUAL(scree_detector_insert(d, &one, NULL), SCREE_OK);
                if (i == 0)
                    CHECK(tree_is_valid(d));
            }
            CHECK(!d->is_stale);
            CHECK(tree_is_valid(d));
            const scree_rtree *tree = d->state;
            /* log 3000 / log 6 is 4.5 */
            CHECK(tree->head[tree->root].level <= 4);
            scree_detector_destroy(d);
        }
}

/*  Sum over inner nodes of the overlap of their entries: what the R*-tree is about. */
static double total_overlap(const scree_rtree *tree)
{
    double sum = 0;
    for (uint32_t node = 0; node < tree->node_count; node++)
        for (uint32_t i = 0; tree->head[node].level == 1 && i < tree->head[node].count; i++)
            for (uint32_t j = 0; j < i; j++) {
                scree_box a = scree_rtree_slot_box(tree, node, i);
                scree_box b = scree_rtree_slot_box(tree, node, j);
                double volume = 1;
                for (uint32_t k = 0; k < tree->dimensions; k++) {
                    double edge = fmin(a.upper[k], b.upper[k]) - fmax(a.lower[k], b.lower[k]);
                    volume *= edge > 0 ? edge : 0;
                }
                sum += volume;
            }
    return sum;
}

/*  Over eight scenes of a kind. */
static double overlap_of(const char *method, scene_kind kind)
{
    double sum = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        scree_random random = scree_random_stream(seed, 7);
        node_size size = {16, 6};
        scene *s = make_scene(&random, kind, 400);
        scree_detector *d = make_detector(method, s, size, 1);
        scree_table all = table_of(s, 0, s->count);
        CHECK_EQUAL(scree_detector_update(d, &all, NULL), SCREE_OK);
        CHECK(tree_is_valid(d));
        sum += total_overlap(d->state);
        scree_detector_destroy(d);
    }
    return sum;
}

TEST(rstar_overlaps_less_than_guttman)
{
    CHECK(overlap_of("rtree-rstar", CLUSTERS) < 0.9 * overlap_of("rtree", CLUSTERS));
}

/*  64 points of a lattice, in no order: 4 x 4 x 4 in eight nodes of 2 x 2 x 2, or 8 x 8 in sixteen
   of 2 x 2. */
static void check_tiles(uint32_t dimensions)
{
    uint32_t side = dimensions == 3 ? 4 : 8, capacity = dimensions == 3 ? 8 : 4;
    scree_memory memory;
    scree_workers workers;
    scree_tiler tiler = {0};
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_workers_init(&workers, NULL, 1, NULL, NULL), SCREE_OK);
    CHECK_EQUAL(scree_tiler_reserve(&tiler, &memory, 64), SCREE_OK);
    for (uint32_t axis = 0, pitch = 1; axis < dimensions; axis++, pitch *= side) {
        for (uint32_t i = 0; i < 64; i++)
            tiler.key[i] = (i * 37 % 64) / pitch % side;
        CHECK_EQUAL(
            scree_tiler_sort_axis(&tiler, &memory, &workers, axis, dimensions, 64, capacity),
            SCREE_OK);
    }
    for (uint32_t k = 0; k < 64; k++) {
        uint32_t a = tiler.order[k] * 37 % 64;
        uint32_t b = tiler.order[k / capacity * capacity] * 37 % 64;
        for (uint32_t axis = 0, pitch = 1; axis < dimensions; axis++, pitch *= side)
            CHECK_EQUAL(a / pitch % side / 2, b / pitch % side / 2);
    }
    scree_tiler_free(&tiler, &memory);
    scree_workers_free(&workers);
    CHECK_EQUAL(memory.bytes, 0);
}

TEST(tiles_are_square)
{
    check_tiles(2);
    check_tiles(3);
}

TEST(packed_nodes_are_full)
{
    scree_random random = scree_random_stream(9, 0);
    node_size size = {16, 6};
    for (uint32_t count = 1; count <= 400; count += 7) {
        scene *s = make_scene(&random, UNIFORM, count);
        scree_detector *d = make_detector("rtree-packed", s, size, 1);
        scree_table all = table_of(s, 0, s->count);
        CHECK_EQUAL(scree_detector_update(d, &all, NULL), SCREE_OK);
        CHECK(tree_is_valid(d));
        const scree_rtree *tree = d->state;
        uint32_t nodes = 0, level_count = count;
        do {
            level_count = (level_count + 15) / 16;
            nodes += level_count;
        } while (level_count > 1);
        CHECK_EQUAL(tree->node_count, nodes);
        scree_detector_destroy(d);
    }
}

/*  The rule of the specification: an entry overlaps a region if lower < region.upper and
    upper >= region.lower, also where it encloses the region and has no end inside. */
TEST(regions_in_ranks_are_closed_and_find_what_encloses_them)
{
    static const double ends[][2] = {{0, 10}, {2, 3}, {3, 5}, {5, 5}, {6, 9}, {-0.0, 0}};
    static const double regions[][2] = {{4, 4.5}, {3, 3},   {5, 5}, {5.5, 5.6}, {10, 11},
                                        {11, 12}, {-2, -1}, {0, 0}, {-5, 50}};
    static scene s;
    node_size size = {4, 2};
    s = (scene){.volume = SCREE_BOXES, .dimensions = 2, .count = COUNT_OF(ends)};
    for (uint32_t i = 0; i < s.count; i++)
        for (int k = 0; k < 2; k++) {
            s.number[i][k] = ends[i][0];
            s.number[i][k + 3] = ends[i][1];
        }
    scree_detector *d = make_detector("dess-rtree", &s, size, 1);
    scree_table all = table_of(&s, 0, s.count);
    CHECK_EQUAL(scree_detector_update(d, &all, NULL), SCREE_OK);
    CHECK(tree_is_valid(d));
    const scree_dess_rtree *dess = d->state;
    for (size_t r = 0; r < COUNT_OF(regions); r++) {
        double low = regions[r][0], high = regions[r][1];
        scree_box region = {{low, low, 0}, {high, high, 0}};
        scree_rank_box ranks = scree_dess_rtree_region(dess, &region);
        uint32_t found[SCREE_RANK_TREE_MAX_ENTRIES], found_count = 0, expected = 0;
        for (uint32_t leaf = 0; leaf < dess->tree.leaf_count; leaf++)
            found_count += scree_rank_tree_select(&dess->tree, leaf, &ranks, found);
        for (uint32_t i = 0; i < s.count; i++)
            expected += ends[i][0] <= high && low <= ends[i][1];
        CHECK_EQUAL(found_count, expected);
        for (uint32_t i = 0; i < s.count; i++)
            for (int k = 0; k < 2; k++) {
                bool overlaps =
                    dess->lower[k][i] < ranks.upper[k] && dess->upper[k][i] >= ranks.lower[k];
                CHECK_EQUAL(overlaps, ends[i][0] <= high && low <= ends[i][1]);
            }
    }
    scree_detector_destroy(d);
}

/*  The check of trees itself: each kind of damage is seen. */
TEST(damage_is_seen)
{
    scree_random random = scree_random_stream(11, 0);
    node_size size = {4, 2};
    scene *s = make_scene(&random, UNIFORM, 100);
    scree_table all = table_of(s, 0, s->count);
    for (int damage = 0; damage < 6; damage++) {
        scree_detector *d = make_detector("rtree", s, size, 1);
        CHECK_EQUAL(scree_detector_update(d, &all, NULL), SCREE_OK);
        CHECK(tree_is_valid(d));
        scree_rtree *tree = d->state;
        uint32_t leaf = tree->leaf_of[17], parent = tree->head[leaf].parent;
        if (damage == 0) /* a box that is too small */
            scree_rtree_bounds(tree, parent)[0] += 1e-3;
        if (damage == 1) /* a box that is too large */
            scree_rtree_bounds(tree, parent)[3 * tree->width] += 1e-3;
        if (damage == 2) /* a body twice */
            scree_rtree_children(tree, leaf)[0] = scree_rtree_children(tree, leaf)[1];
        if (damage == 3) /* a body lost */
            scree_rtree_erase(tree, leaf, 0);
        if (damage == 4) /* a leaf on another level */
            tree->head[leaf].level = 1;
        if (damage == 5) /* a node without a parent */
            scree_rtree_erase(tree, parent, scree_rtree_slot_of(tree, parent, leaf));
        CHECK(!tree_is_valid(d));
        scree_detector_destroy(d);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(trees_stay_sound_and_find_all),
        CASE(identical_boxes_terminate),
        CASE(splits_follow_the_gap),
        CASE(identical_boxes_are_shared_out),
        CASE(sorted_insertion_keeps_the_tree_low),
        CASE(rstar_overlaps_less_than_guttman),
        CASE(tiles_are_square),
        CASE(packed_nodes_are_full),
        CASE(regions_in_ranks_are_closed_and_find_what_encloses_them),
        CASE(damage_is_seen),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
