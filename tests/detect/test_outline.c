/*  Outlines: that what a method hands over is what it has built. All bodies are in it, where they lie; nothing is empty,
    inside out or without an end; and looking changes nothing. */
#include "harness/failing_allocator.h"
#include "scenes/scenes.h"
#include "test.h"

#include <math.h>

#define MOST 200000u
#define KINDS 5

typedef struct picture
{
    scree_outline_piece piece[MOST];
    size_t count, stop_after; /* 0: never */
    size_t of_kind[KINDS];
    uint64_t bodies[KINDS]; /* counts, summed up */
    uint32_t deepest;
} picture;

static picture seen;

static int keep(const scree_outline_piece *piece, void *user)
{
    picture *p = user;
    CHECK(p->count < MOST);
    CHECK(piece->count > 0);
    for (int k = 0; k < 3; k++)
        CHECK(piece->lower[k] <= piece->upper[k] && fabs(piece->lower[k]) < 1e101 &&
              fabs(piece->upper[k]) < 1e101);
    p->piece[p->count++] = *piece;
    p->of_kind[piece->kind]++;
    p->bodies[piece->kind] += piece->count;
    p->deepest = piece->level > p->deepest ? piece->level : p->deepest;
    return p->count == p->stop_after;
}

static void look(const scree_detector *detector, size_t stop_after)
{
    memset(&seen, 0, sizeof seen);
    seen.stop_after = stop_after;
    CHECK(!scree_detector_outline(detector, keep, &seen));
}

typedef struct case_of
{
    scree_scene scene;
    scree_detector *detector;
    scree_pairs pairs;
} case_of;

static scree_detector *make(const char *method, const scree_scene *scene,
                            const scree_allocator *memory)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;

    def.method = method;
    def.dimensions = scene->dimensions;
    def.volume = scene->volume;
    if (memory)
        def.allocator = *memory;
    CHECK(!scree_detector_create(&def, &detector));
    return detector;
}

static void begin(case_of *c, const char *method, const char *scene, size_t n)
{
    scree_error error;
    CHECK(!scree_scene_create(scene, n, 7, NULL, &c->scene, &error));
    c->detector = make(method, &c->scene, NULL);
    scree_table table = scree_scene_table(&c->scene);
    CHECK(!scree_detector_update(c->detector, &table, NULL));
    CHECK(!scree_detector_pairs(c->detector, NULL, &c->pairs));
}

static void end(case_of *c)
{
    scree_detector_destroy(c->detector);
    scree_scene_free(&c->scene);
}

/* ---- what pieces of a kind must be like ------------------------------------------------------------------ */

/*  The middle of a body is in a piece; a little beside is near enough for floats. */
static bool is_in(const scree_scene *scene, size_t body, const scree_outline_piece *piece)
{
    for (int k = 0; k < scene->dimensions; k++) {
        double x = scene->centre[k][body], near = 1e-4 * (piece->upper[k] - piece->lower[k]);
        if (x < piece->lower[k] - near || x > piece->upper[k] + near)
            return false;
    }
    return true;
}

/*  Bodies that are in no piece of this kind, and of the level that is given unless it is -1. */
static size_t count_left_out(const scree_scene *scene, scree_outline_kind kind, int level)
{
    size_t left = 0;
    for (size_t i = 0; i < scene->count; i++) {
        bool is_there = false;
        for (size_t p = 0; p < seen.count && !is_there; p++)
            is_there = seen.piece[p].kind == kind &&
                       (level < 0 || (int)seen.piece[p].level == level) &&
                       is_in(scene, i, &seen.piece[p]);
        left += !is_there;
    }
    return left;
}

static void check_nodes(const scree_scene *scene)
{
    size_t roots = 0, leaves_hold = 0;
    for (size_t p = 0; p < seen.count; p++) {
        const scree_outline_piece *piece = &seen.piece[p];
        roots += piece->kind == SCREE_OUTLINE_NODE && piece->level == 0;
        if (piece->kind == SCREE_OUTLINE_NODE && piece->level == seen.deepest)
            leaves_hold += piece->count;
    }
    CHECK(roots >= 1 && roots <= 8);
    CHECK_EQUAL(leaves_hold, scene->count);
    for (int level = 0; level <= (int)seen.deepest; level++)
        CHECK_EQUAL(count_left_out(scene, SCREE_OUTLINE_NODE, level), 0);
}

static void check_ranges(const scree_scene *scene)
{
    size_t of_axis[3] = {0};
    double last[3];

    CHECK_EQUAL(seen.of_kind[SCREE_OUTLINE_RANGE], scene->count * (size_t)scene->dimensions);
    for (size_t p = 0; p < seen.count; p++) {
        const scree_outline_piece *piece = &seen.piece[p];
        uint32_t axis = piece->axis;
        if (piece->kind != SCREE_OUTLINE_RANGE)
            continue;
        CHECK_EQUAL(piece->place, of_axis[axis]);
        CHECK(of_axis[axis]++ == 0 || piece->lower[axis] >= last[axis]);
        last[axis] = piece->lower[axis];
    }
}

/*  They follow each other, and hold every body once; boundaries begin where a stripe ends. */
static void check_stripes(const scree_scene *scene)
{
    const scree_outline_piece *last = NULL;

    CHECK_EQUAL(seen.bodies[SCREE_OUTLINE_STRIPE], scene->count);
    for (size_t p = 0; p < seen.count; p++) {
        const scree_outline_piece *piece = &seen.piece[p];
        CHECK(!last || piece->lower[piece->axis] == last->upper[piece->axis]);
        if (piece->kind == SCREE_OUTLINE_STRIPE)
            last = piece;
    }
    CHECK(seen.of_kind[SCREE_OUTLINE_BOUNDARY] > 0);
}

TEST(trees_hold_every_body_on_every_level)
{
    static const char *const methods[] = {"rtree", "rtree-rstar", "rtree-packed", "dess-rtree",
                                          "bvh8"};
    static const char *const scenes[] = {"uniform", "discs32", "needles", "giant"};
    for (size_t m = 0; m < 5; m++)
        for (size_t s = 0; s < 4; s++) {
            case_of c;
            begin(&c, methods[m], scenes[s], 700);
            look(c.detector, 0);
            CHECK(seen.deepest >= 1);
            check_nodes(&c.scene);
            end(&c);
        }
}

TEST(axes_are_sorted)
{
    static const char *const methods[] = {"spatial-sort-1", "spatial-sort-2", "spatial-sort-3",
                                          "dess",           "dess2",          "insertion-sort",
                                          "dess-rtree"};
    for (size_t m = 0; m < 7; m++)
        for (int plane = 0; plane < 2; plane++) {
            case_of c;
            begin(&c, methods[m], plane ? "discs32" : "needles", 300);
            look(c.detector, 0);
            check_ranges(&c.scene);
            end(&c);
        }
}

TEST(stripes_follow_each_other)
{
    for (int plane = 0; plane < 2; plane++) {
        case_of c;
        begin(&c, "stripe-sort", plane ? "discs" : "uniform", 5000);
        look(c.detector, 0);
        check_stripes(&c.scene);
        CHECK_EQUAL(count_left_out(&c.scene, SCREE_OUTLINE_STRIPE, -1), 0);
        end(&c);
    }
}

TEST(cells_hold_every_body)
{
    static const struct
    {
        const char *method;
        bool is_once; /* in one cell each */
    } methods[] = {{"hashing", true}, {"hashing2", true}, {"hash-grids", true},
                   {"flat", true},    {"cgrid", false},   {"cell-space", false}};
    static const char *const scenes[] = {"uniform", "discs", "discs32", "ratio10", "thesis2:4"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t s = 0; s < 5; s++) {
            case_of c;
            begin(&c, methods[m].method, scenes[s], 900);
            look(c.detector, 0);
            if (seen.of_kind[SCREE_OUTLINE_CELL] != seen.count)
                FAIL("%s on %s: not cells alone", methods[m].method, scenes[s]);
            CHECK(methods[m].is_once ? seen.bodies[SCREE_OUTLINE_CELL] == c.scene.count
                                     : seen.bodies[SCREE_OUTLINE_CELL] >= c.scene.count);
            size_t left = count_left_out(&c.scene, SCREE_OUTLINE_CELL, -1);
            /* the lattice may leave a few out, which then are in cells at its boundary */
            if (left > c.scene.count / 100)
                FAIL("%s on %s: %zu bodies are in no cell", methods[m].method, scenes[s], left);
            end(&c);
        }
}

/*  Where bodies are boxes the lower corner decides with some, a lattice over the middles with others. */
TEST(cells_of_boxes_hold_them)
{
    static const struct
    {
        const char *method;
        bool by_corner;
    } methods[] = {{"flat", true}, {"hash-grids", true}, {"cgrid", false}, {"cell-space", false}};
    for (size_t m = 0; m < 4; m++) {
        case_of c;
        begin(&c, methods[m].method, "needles", 600);
        look(c.detector, 0);
        CHECK(seen.bodies[SCREE_OUTLINE_CELL] >= c.scene.count);
        for (int k = 0; k < 3 && methods[m].by_corner; k++)
            memcpy(c.scene.centre[k], c.scene.low[k], c.scene.count * sizeof(double));
        CHECK(count_left_out(&c.scene, SCREE_OUTLINE_CELL, -1) <= 6);
        end(&c);
    }
}

TEST(levels_are_told_apart)
{
    case_of c;

    begin(&c, "hash-grids", "ratio100", 2000);
    look(c.detector, 0);
    CHECK(seen.deepest >= 4);
    for (size_t p = 0; p < seen.count; p++)
        for (size_t q = p; q < seen.count; q += 97)
            CHECK(seen.piece[p].level >= seen.piece[q].level ||
                  seen.piece[p].upper[0] - seen.piece[p].lower[0] >
                      1.5 * (seen.piece[q].upper[0] - seen.piece[q].lower[0]));
    end(&c);
    begin(&c, "cell-space", "fines100", 20000);
    look(c.detector, 0);
    CHECK(seen.deepest >= 1);
    end(&c);
    begin(&c, "flat", "ratio100", 20000);
    look(c.detector, 0);
    CHECK(seen.deepest >= 1);
    end(&c);
}

/*  Three clusters and some handfuls, far from each other: islands with grids of their own, and islets. */
#define CLUSTER 512
#define HANDFUL 20
#define FAR (3 * CLUSTER + 5 * HANDFUL)

static size_t put_cluster(double (*place)[4], double x, double y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        place[i][0] = x + 1.9 * (double)(i % 8);
        place[i][1] = y + 1.9 * (double)(i / 8 % 8);
        place[i][2] = 1.9 * (double)(i / 64);
        place[i][3] = 1;
    }
    return count;
}

TEST(islands_and_islets)
{
    static double place[FAR][4];
    size_t count = 0, bodies = 0;
    scree_scene scene = {.dimensions = 3, .volume = SCREE_SPHERES};
    scree_pairs pairs;

    for (int i = 0; i < 3; i++)
        count += put_cluster(place + count, 1e6 * i, -1e6 * i, CLUSTER);
    for (int i = 0; i < 5; i++)
        count += put_cluster(place + count, -7e5 * i, 3e5 + 1e5 * i, HANDFUL);
    scree_detector *detector = make("flat", &scene, NULL);
    scree_table table = scree_table_spheres(count, scree_doubles(&place[0][0], sizeof *place),
                                            scree_doubles(&place[0][1], sizeof *place),
                                            scree_doubles(&place[0][2], sizeof *place),
                                            scree_doubles(&place[0][3], sizeof *place));
    CHECK(!scree_detector_update(detector, &table, NULL));
    CHECK(!scree_detector_pairs(detector, NULL, &pairs));
    look(detector, 0);
    CHECK_EQUAL(seen.bodies[SCREE_OUTLINE_CELL], 3 * CLUSTER);
    for (size_t p = 0; p < seen.count; p++)
        bodies += seen.piece[p].kind == SCREE_OUTLINE_NODE && seen.piece[p].count == CLUSTER;
    CHECK_EQUAL(bodies, 3);
    CHECK(seen.of_kind[SCREE_OUTLINE_NODE] > 3);
    scree_detector_destroy(detector);
}

/*  Too crowded for cells: a tree. */
TEST(clusters_are_in_a_tree)
{
    case_of c;

    begin(&c, "flat", "identical", 3000);
    look(c.detector, 0);
    CHECK_EQUAL(seen.of_kind[SCREE_OUTLINE_NODE], seen.count);
    CHECK(seen.count > 100);
    end(&c);
}

/*  What "auto" has chosen shows itself. */
TEST(the_chosen_one_is_shown)
{
    case_of c, other;

    begin(&c, "auto", "discs", 9000);
    begin(&other, scree_detector_explain(c.detector).method, "discs", 9000);
    look(other.detector, 0);
    size_t wanted = seen.count;
    look(c.detector, 0);
    CHECK(wanted > 0);
    CHECK_EQUAL(seen.count, wanted);
    end(&c);
    end(&other);
}

TEST(some_have_nothing_to_show)
{
    static const char *const methods[] = {"pairing", "bounding-volume"};
    case_of c;

    for (size_t m = 0; m < 2; m++) {
        begin(&c, methods[m], "uniform", 100);
        look(c.detector, 0);
        CHECK_EQUAL(seen.count, 0);
        end(&c);
    }
    /* so few that all pairs are tested */
    begin(&c, "auto", "uniform", 12);
    look(c.detector, 0);
    CHECK_EQUAL(seen.of_kind[SCREE_OUTLINE_RANGE], 0);
    end(&c);
    begin(&c, "hash-grids", "uniform", 20);
    look(c.detector, 0);
    CHECK_EQUAL(seen.count, 0);
    end(&c);
}

TEST(a_visitor_may_stop)
{
    const scree_method_info *method;

    for (size_t i = 0; (method = scree_method_at(i)) != NULL; i++)
        for (size_t most = 1; most < 12; most += 5) {
            case_of c;
            begin(&c, method->name, "discs32", 500);
            look(c.detector, 0);
            size_t all = seen.count;
            look(c.detector, most);
            CHECK_EQUAL(seen.count, all < most ? all : most);
            end(&c);
        }
}

TEST(looking_changes_nothing)
{
    const scree_method_info *method;

    for (size_t i = 0; (method = scree_method_at(i)) != NULL; i++) {
        case_of c, other;
        begin(&c, method->name, "ratio10", 400);
        begin(&other, method->name, "ratio10", 400);
        for (int step = 0; step < 5; step++) {
            scree_pairs a, b;
            for (size_t k = 0; k < c.scene.count; k += 3)
                other.scene.centre[0][k] = c.scene.centre[0][k] += 0.3;
            scree_table one = scree_scene_table(&c.scene), two = scree_scene_table(&other.scene);
            CHECK(!scree_detector_update(c.detector, &one, NULL));
            look(c.detector, 0);
            CHECK(!scree_detector_update(other.detector, &two, NULL));
            CHECK(!scree_detector_pairs(c.detector, NULL, &a));
            CHECK(!scree_detector_pairs(other.detector, NULL, &b));
            CHECK(a.count == b.count);
            CHECK(memcmp(a.first, b.first, a.count * sizeof *a.first) == 0 &&
                  memcmp(a.second, b.second, a.count * sizeof *a.second) == 0);
        }
        end(&c);
        end(&other);
    }
}

TEST(nothing_is_shown_that_is_not_of_these_bodies)
{
    static const double x = 3, y = 4, z = 5, r = 1;
    case_of c;
    scree_detector *empty;

    begin(&c, "bvh8", "uniform", 100);
    empty = make("hashing", &c.scene, NULL);
    look(empty, 0);
    CHECK_EQUAL(seen.count, 0);
    scree_detector_destroy(empty);
    /* one more has come, and the tree is not its own */
    scree_table one = scree_table_spheres(1, scree_doubles(&x, 8), scree_doubles(&y, 8),
                                          scree_doubles(&z, 8), scree_doubles(&r, 8));
    CHECK(!scree_detector_insert(c.detector, &one, NULL));
    look(c.detector, 0);
    CHECK_EQUAL(seen.count, 0);
    CHECK(!scree_detector_pairs(c.detector, NULL, &c.pairs));
    look(c.detector, 0);
    CHECK(seen.count > 10);
    CHECK(scree_detector_outline(NULL, keep, &seen) == SCREE_BAD_ARGUMENT);
    CHECK(scree_detector_outline(c.detector, NULL, NULL) == SCREE_BAD_ARGUMENT);
    end(&c);
}

/*  Images at the boundary are bodies of the structure. */
TEST(periodic_domains_show_images)
{
    scree_detector_def def = scree_default_detector_def();
    static double x[400], y[400], r[400];
    scree_detector *detector;
    scree_pairs pairs;

    for (int i = 0; i < 400; i++) {
        x[i] = i % 20 + 0.5;
        y[i] = (double)(i / 20) + 0.5;
        r[i] = 0.5;
    }
    def.dimensions = 2;
    def.method = "hashing2";
    def.period[0] = def.period[1] = 20;
    CHECK(!scree_detector_create(&def, &detector));
    scree_table table = scree_table_spheres(400, scree_doubles(x, 8), scree_doubles(y, 8),
                                            (scree_view){0}, scree_doubles(r, 8));
    CHECK(!scree_detector_update(detector, &table, NULL));
    CHECK(!scree_detector_pairs(detector, NULL, &pairs));
    look(detector, 0);
    CHECK(seen.bodies[SCREE_OUTLINE_CELL] > 400);
    scree_detector_destroy(detector);
}

TEST(memory_that_runs_out_is_told)
{
    static const char *const methods[] = {"hashing", "cgrid", "hash-grids"};
    for (size_t m = 0; m < 3; m++) {
        failing_allocator memory = {.fail_at = 0};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_error error;
        scree_scene scene;
        scree_pairs pairs;

        CHECK(!scree_scene_create("discs", 300, 7, NULL, &scene, &error));
        scree_detector *detector = make(methods[m], &scene, &hooks);
        scree_table table = scree_scene_table(&scene);
        CHECK(!scree_detector_update(detector, &table, NULL));
        CHECK(!scree_detector_pairs(detector, NULL, &pairs));
        size_t before = memory.requests, blocks = memory.live_blocks;
        look(detector, 0);
        size_t wanted = memory.requests - before;
        CHECK(wanted > 0);
        for (size_t k = 1; k <= wanted; k++) {
            memory.fail_at = memory.requests + k;
            memset(&seen, 0, sizeof seen);
            CHECK(scree_detector_outline(detector, keep, &seen) == SCREE_OUT_OF_MEMORY);
            CHECK(memory.live_blocks == blocks);
        }
        scree_detector_destroy(detector);
        scree_scene_free(&scene);
        CHECK(failing_allocator_is_clean(&memory));
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(trees_hold_every_body_on_every_level),
        CASE(axes_are_sorted),
        CASE(stripes_follow_each_other),
        CASE(cells_hold_every_body),
        CASE(cells_of_boxes_hold_them),
        CASE(levels_are_told_apart),
        CASE(islands_and_islets),
        CASE(clusters_are_in_a_tree),
        CASE(the_chosen_one_is_shown),
        CASE(some_have_nothing_to_show),
        CASE(a_visitor_may_stop),
        CASE(looking_changes_nothing),
        CASE(nothing_is_shown_that_is_not_of_these_bodies),
        CASE(periodic_domains_show_images),
        CASE(memory_that_runs_out_is_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
