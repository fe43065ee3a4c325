/*  What is particular to the tree of eight branches: numbers of bodies around each power of eight, and
    scenes that wear out its order or leave nothing to order by. Pairs are compared with those of a plain
    loop. */
#include "base/random.h"
#include "detect/bvh8.h"
#include "detect/detector_internal.h"
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 4200u
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*  x y z r, or lower and upper. */
typedef struct scene
{
    scree_volume volume;
    int dimensions;
    uint32_t count;
    double number[MOST][6];
} scene;

static scree_table view(const scene *s)
{
    const scree_view none = {0};
    scree_view column[6];
    for (int k = 0; k < 6; k++)
        column[k] = scree_doubles(&s->number[0][k], sizeof s->number[0]);
    if (s->volume == SCREE_SPHERES)
        return scree_table_spheres(s->count, column[0], column[1],
                                   s->dimensions == 3 ? column[2] : none, column[3]);
    return scree_table_boxes(s->count, column, column + 3);
}

static scree_detector *create(const char *method, const scene *s)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.method = method;
    def.dimensions = s->dimensions;
    def.volume = s->volume;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    return d;
}

/*  Updates both, and compares their sorted pairs. */
static void check_same(scree_detector *tree, scree_detector *plain, const scene *s)
{
    scree_pairs_options sorted = {.canonical = true};
    scree_pairs found, expected;
    scree_table table = view(s);
    CHECK_EQUAL(scree_detector_update(tree, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(plain, &table, NULL), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(tree, &sorted, &found), SCREE_OK);
    CHECK_EQUAL(scree_detector_pairs(plain, &sorted, &expected), SCREE_OK);
    CHECK_EQUAL(found.count, expected.count);
    for (uint64_t k = 0; k < found.count; k++)
        if (found.first[k] != expected.first[k] || found.second[k] != expected.second[k])
            FAIL("pair %" PRIu64 " is %u %u, not %u %u", k, found.first[k], found.second[k],
                 expected.first[k], expected.second[k]);
}

static void check_once(const scene *s)
{
    scree_detector *tree = create("bvh8", s), *plain = create("bounding-volume", s);
    check_same(tree, plain, s);
    scree_detector_destroy(tree);
    scree_detector_destroy(plain);
}

/*  Each meets a few others. */
static void fill(scene *s, uint32_t count, scree_volume volume, int dimensions, double scale)
{
    scree_random random = scree_random_stream(count + 1, (uint64_t)dimensions);
    double side = dimensions == 3 ? cbrt(count) : sqrt(count);
    *s = (scene){.volume = volume, .dimensions = dimensions, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        double r = scree_random_range(&random, 0.2, 0.8) * scale;
        for (int k = 0; k < dimensions; k++) {
            double x = scree_random_range(&random, 0, side) * scale;
            s->number[i][k] = x;
            if (volume == SCREE_BOXES) {
                s->number[i][k] = x - r;
                s->number[i][3 + k] = x + r;
            }
        }
        if (volume == SCREE_SPHERES)
            s->number[i][3] = r;
    }
}

static scene world;

/* ---- sizes and numbers ---- */

TEST(sizes_around_powers_of_eight)
{
    static const uint32_t powers[] = {1, 8, 16, 64, 72, 512, 520, 4096};
    for (size_t p = 0; p < COUNT_OF(powers); p++)
        for (uint32_t off = 0; off < 3; off++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                fill(&world, powers[p] + off - 1, off == 1 ? SCREE_BOXES : SCREE_SPHERES,
                     dimensions, 1);
                check_once(&world);
            }
}

TEST(all_magnitudes)
{
    static const double scales[] = {1e99, 1e15, 1e-150, 1e-300, 5e-324};
    for (size_t s = 0; s < COUNT_OF(scales); s++) {
        fill(&world, 300, SCREE_SPHERES, 3, scales[s] / 10);
        check_once(&world);
        fill(&world, 300, SCREE_BOXES, 2, scales[s] / 10);
        check_once(&world);
    }
}

TEST(bodies_in_one_place)
{
    for (uint32_t volume = 0; volume < 2; volume++) {
        world = (scene){.volume = (scree_volume)volume, .dimensions = 3, .count = 200};
        check_once(&world);
        /* all but one */
        world.number[77][0] = world.number[77][3] = 5;
        check_once(&world);
    }
}

/*  Each body is a thousand times nearer to the origin than the one before: no cells but cells in cells
    tell them apart, and in the end the order gives up. */
TEST(cells_within_cells)
{
    world = (scene){.volume = SCREE_SPHERES, .dimensions = 3, .count = 1600};
    for (uint32_t i = 0; i < world.count; i++) {
        double x = ldexp(1e100, -(int)i);
        for (int k = 0; k < 3; k++)
            world.number[i][k] = i % 3 == (uint32_t)k ? -x : x;
        world.number[i][3] = x / 4;
    }
    check_once(&world);
}

/* ---- outliers ---- */

TEST(outliers_leave_the_order_fine)
{
    fill(&world, 4000, SCREE_SPHERES, 3, 1);
    for (uint32_t i = 0; i < 4000; i += 400)
        world.number[i][i % 3] = i % 800 ? 1e90 : -1e80 * i;
    check_once(&world);

    /* leaves of the core are as small as without outliers: few bodies wide */
    scree_detector *d = create("bvh8", &world);
    scree_table table = view(&world);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    const scree_bvh8 *tree = d->state;
    uint32_t small = 0;
    for (uint32_t leaf = 0; leaf < tree->box_count[0]; leaf++)
        small += tree->size[leaf] < 24;
    CHECK(small > tree->box_count[0] - 30);
    scree_detector_destroy(d);
}

/* ---- refitting ---- */

TEST(order_is_kept_until_it_is_worn)
{
    fill(&world, 3000, SCREE_SPHERES, 3, 1);
    scree_detector *tree = create("bvh8", &world), *plain = create("bounding-volume", &world);
    check_same(tree, plain, &world);
    CHECK_EQUAL(scree_detector_stats(tree).remapped, 3000);

    /* all by a little: no new order */
    scree_random random = scree_random_stream(7, 7);
    for (int step = 0; step < 5; step++) {
        for (uint32_t i = 0; i < world.count; i++)
            for (int k = 0; k < 3; k++)
                world.number[i][k] += scree_random_range(&random, -0.01, 0.01);
        check_same(tree, plain, &world);
    }
    CHECK_EQUAL(scree_detector_stats(tree).remapped, 3000);

    /* all by a lot */
    for (uint32_t i = 0; i < world.count; i++)
        world.number[i][i % 3] += scree_random_range(&random, -4, 4);
    check_same(tree, plain, &world);
    CHECK_EQUAL(scree_detector_stats(tree).remapped, 6000);

    /* a few jump across the scene: fewer than wear it out, then more */
    for (uint32_t i = 0; i < 10; i++)
        world.number[i * 100][0] = 14 - world.number[i * 100][0];
    check_same(tree, plain, &world);
    CHECK_EQUAL(scree_detector_stats(tree).remapped, 6000);
    for (uint32_t i = 0; i < 100; i++)
        world.number[i * 30][1] = i % 2 ? -300 : 300;
    check_same(tree, plain, &world);
    CHECK_EQUAL(scree_detector_stats(tree).remapped, 9000);
    scree_detector_destroy(tree);
    scree_detector_destroy(plain);
}

TEST(few_dirty_bodies)
{
    fill(&world, 2000, SCREE_BOXES, 3, 1);
    scree_detector *tree = create("bvh8", &world), *plain = create("bounding-volume", &world);
    check_same(tree, plain, &world);
    scree_random random = scree_random_stream(9, 9);
    for (int step = 0; step < 20; step++) {
        uint32_t rows[200];
        scree_rows dirty = {rows, step % 2 ? 200u : 5u};
        for (uint32_t i = 0; i < dirty.count; i++) {
            rows[i] = i * 10 + (uint32_t)step % 10;
            double move = scree_random_range(&random, -1, 1);
            for (int k = 0; k < 6; k++)
                world.number[rows[i]][k] += move;
        }
        scree_table table = view(&world);
        scree_pairs found, expected;
        CHECK_EQUAL(scree_detector_update(tree, &table, &dirty), SCREE_OK);
        CHECK_EQUAL(scree_detector_update(plain, &table, &dirty), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(tree, NULL, &found), SCREE_OK);
        CHECK_EQUAL(scree_detector_pairs(plain, NULL, &expected), SCREE_OK);
        CHECK_EQUAL(found.count, expected.count);
    }
    scree_detector_destroy(tree);
    scree_detector_destroy(plain);
}

/*  How far leaves have grown is kept up body by body: it is what a look at all leaves finds. */
TEST(growth_is_kept_up)
{
    fill(&world, 2000, SCREE_SPHERES, 3, 1);
    scree_detector *d = create("bvh8", &world);
    scree_table table = view(&world);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    scree_bvh8 *tree = d->state;
    uint64_t wild = 0;
    for (int step = 0; step < 40; step++) {
        /* seven bodies leave by so much that their leaves are wild, then most of them come back */
        uint32_t row = 191 * (uint32_t)(step % 7);
        scree_rows dirty = {&row, 1};
        for (int k = 0; k < 3; k++)
            world.number[row][k] += step < 7 ? 15 : step < 25 ? -5 : 0.1 * step;
        CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
        scree_bodies bodies = scree_detector_view(d);
        uint64_t sum = tree->growth_sum, count = tree->wild_count;
        wild = count > wild ? count : wild;
        scree_bvh8_refit(tree, &d->env, &bodies, false);
        CHECK_EQUAL(tree->growth_sum, sum);
        CHECK_EQUAL(tree->wild_count, count);
    }
    CHECK(wild > 3);
    CHECK_EQUAL(scree_detector_stats(d).remapped, 2000); /* never built again */
    scree_detector_destroy(d);
}

/*  Without bodies there is no tree to update. */
TEST(an_empty_tree)
{
    failing_allocator memory = {0};
    scree_allocator hooks = failing_allocator_hooks(&memory);
    scree_memory own;
    CHECK_EQUAL(scree_memory_init(&own, &hooks), SCREE_OK);
    scree_detector_def def = scree_default_detector_def();
    scree_workers alone = {.count = 1};
    scree_method_env env = {.memory = &own, .workers = &alone, .def = &def};
    scree_bodies none = {.dimensions = 3};
    scree_bvh8 tree = {0};
    CHECK_EQUAL(scree_bvh8_build(&tree, &env, &none), SCREE_OK);
    CHECK_EQUAL(scree_bvh8_update(&tree, &env, &none, NULL, 0), SCREE_OK);
    CHECK_EQUAL(scree_bvh8_block_count(&tree), 0);
    scree_bvh8_free(&tree, &own);
    CHECK(failing_allocator_is_clean(&memory));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sizes_around_powers_of_eight),
        CASE(all_magnitudes),
        CASE(bodies_in_one_place),
        CASE(cells_within_cells),
        CASE(outliers_leave_the_order_fine),
        CASE(order_is_kept_until_it_is_worn),
        CASE(few_dirty_bodies),
        CASE(growth_is_kept_up),
        CASE(an_empty_tree),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
