/*  The automatic choice: each method takes over on scenes made for it, switching at every step leaves the
    sorted pairs byte for byte those of a plain loop, a choice is a function of the calls, and what is
    said about it is true. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

#define MOST 30000u
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct scene
{
    uint32_t count;
    double number[MOST][4]; /* x y z r */
} scene;

static scene world;

static scree_table view(const scene *s)
{
    scree_view column[4];
    for (int k = 0; k < 4; k++)
        column[k] = scree_doubles(&s->number[0][k], sizeof s->number[0]);
    return scree_table_spheres(s->count, column[0], column[1], column[2], column[3]);
}

/*  Spheres at random in a cube; `clusters` above 0: in so many clumps far from each other. */
static void fill(scene *s, uint32_t count, uint32_t clusters, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, count);
    double side = cbrt(count) * 1.6, centre[3] = {0, 0, 0};
    s->count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (clusters && i % (count / clusters) == 0)
            for (int k = 0; k < 3; k++)
                centre[k] = scree_random_range(&random, 0, 3000);
        for (int k = 0; k < 3; k++)
            s->number[i][k] =
                centre[k] + scree_random_range(&random, 0, clusters ? side / 4 : side);
        s->number[i][3] = 1;
    }
}

/*  Radii from 0.02 to 2, as many in each octave: with so few bodies a tree costs less than so many grids. */
static void fill_mixed(scene *s, uint64_t seed)
{
    fill(s, 1500, 0, seed);
    for (uint32_t i = 0; i < s->count; i++)
        s->number[i][3] = 0.02 * pow(100, (i * 37 % 101) / 100.);
}

static scree_detector *create(const char *method)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    if (method)
        def.method = method;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    return d;
}

static scree_pairs pairs_of(scree_detector *d, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs found;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &found), SCREE_OK);
    return found;
}

static void check_same(scree_pairs a, scree_pairs b)
{
    CHECK_EQUAL(a.count, b.count);
    if (a.count == 0)
        return;
    CHECK(memcmp(a.first, b.first, a.count * sizeof *a.first) == 0);
    CHECK(memcmp(a.second, b.second, a.count * sizeof *a.second) == 0);
}

static const char *at_work(const scree_detector *d)
{
    return scree_detector_explain(d).method;
}

static void update(scree_detector *d, const scree_rows *dirty)
{
    scree_table table = view(&world);
    CHECK_EQUAL(scree_detector_update(d, &table, dirty), SCREE_OK);
}

/*  Moves a few bodies by a little; the rows stay the caller's. */
static scree_rows stir(uint32_t step, uint32_t rows[20], double by)
{
    for (uint32_t i = 0; i < 20; i++) {
        rows[i] = (i * 37 + step) % world.count;
        world.number[rows[i]][i % 3] += by * (i % 2 ? 1 : -1);
    }
    return (scree_rows){rows, 20};
}

/* ---- which method is chosen ---- */

TEST(it_is_the_default)
{
    scree_detector *d = create(NULL);
    CHECK_TEXT(scree_detector_method(d)->name, "auto");
    scree_detector_destroy(d);
}

TEST(each_method_has_its_scene)
{
    scree_detector *d = create("auto");
    fill(&world, 40, 0, 1);
    update(d, NULL);
    CHECK_TEXT(at_work(d), "bounding-volume");
    fill(&world, 20000, 0, 1);
    update(d, NULL);
    CHECK_TEXT(at_work(d), "flat");
    fill_mixed(&world, 1);
    update(d, NULL);
    CHECK_TEXT(at_work(d), "bvh8");
    CHECK_EQUAL(scree_detector_explain(d).switches, 3);
    fill(&world, 30000, 10, 1); /* clusters, which are split into islands */
    update(d, NULL);
    CHECK_TEXT(at_work(d), "flat");
    CHECK(scree_detector_explain(d).crowding > 20);
    CHECK(strstr(scree_detector_explain(d).reason, "dense in parts"));

    /* few move, step after step: what is sorted is kept, or where they are fewer still the pairs */
    fill(&world, 2000, 0, 1);
    update(d, NULL);
    uint32_t few[20];
    for (uint32_t step = 0; step < 12; step++) {
        scree_rows dirty = stir(step, few, 0.01);
        update(d, &dirty);
        (void)pairs_of(d, false);
    }
    CHECK_TEXT(at_work(d), "flat");
    CHECK_NEAR(scree_detector_explain(d).dirty_share, 0.01, 1e-9);
    fill(&world, 500, 0, 1); /* then all move again */
    update(d, NULL);
    uint32_t rows[20];
    for (uint32_t step = 0; step < 12; step++) {
        scree_rows dirty = stir(step, rows, 0.01);
        update(d, &dirty);
        (void)pairs_of(d, false);
    }
    CHECK_TEXT(at_work(d), "insertion-sort");
    CHECK_NEAR(scree_detector_explain(d).dirty_share, 0.04, 1e-9);
    uint64_t remapped = scree_detector_stats(d).remapped;
    CHECK(remapped >= 500);
    for (uint32_t step = 0; step < 40 && !strcmp(at_work(d), "insertion-sort"); step++) {
        remapped = scree_detector_stats(d).remapped;
        update(d, NULL);
    }
    CHECK(strcmp(at_work(d), "insertion-sort") != 0);
    CHECK(scree_detector_stats(d).remapped >= remapped); /* figures so far stay */
    scree_detector_destroy(d);
}

/*  Insertion sort pays for pairs where few bodies move. Both scenes are expected to have many, as in random places;
    in one of them bodies stand apart, which is known from what was found. */
TEST(pairs_that_were_found_count)
{
    for (int apart = 0; apart < 2; apart++) {
        scree_detector *d = create("auto");
        uint32_t rows[20];
        fill(&world, 400, 0, 1);
        for (uint32_t i = 0; i < 400 && apart; i++) {
            const uint32_t place[3] = {i % 10, i / 10 % 10, i / 100};
            for (int k = 0; k < 3; k++)
                world.number[i][k] = 1.02 * 2 * world.number[i][3] * place[k];
        }
        update(d, NULL);
        CHECK(scree_detector_explain(d).pairs > 0.5);
        for (uint32_t step = 0; step < 12; step++) {
            scree_rows dirty = stir(step, rows, 0.001);
            dirty.count = 4;
            update(d, &dirty);
            (void)pairs_of(d, false);
        }
        CHECK_TEXT(at_work(d), apart ? "insertion-sort" : "flat");
        CHECK(apart ? scree_detector_explain(d).pairs < 0.1
                    : scree_detector_explain(d).pairs > 0.5);
        scree_detector_destroy(d);
    }
}

/*  Bodies that move few at a time, but far, make insertion sort exchange half the scene: it is left, and not
    tried again until all have moved. */
TEST(what_does_not_pay_is_left)
{
    scree_detector *d = create("auto");
    uint32_t rows[20];
    bool was_tried = false;
    fill(&world, 600, 0, 1);
    update(d, NULL);
    for (uint32_t step = 0; step < 100; step++) {
        scree_rows dirty = stir(step, rows, step < 20 ? 0.01 : step % 2 ? 20 : -20);
        update(d, &dirty);
        (void)pairs_of(d, false);
        was_tried |= strcmp(at_work(d), "insertion-sort") == 0;
    }
    CHECK(was_tried);
    CHECK(strcmp(at_work(d), "insertion-sort") != 0);
    scree_detector_destroy(d);
}

/* ---- switching changes nothing ---- */

TEST(switching_every_step_keeps_the_pairs)
{
    scree_detector *d = create("auto"), *plain = create("dess");
    uint64_t switches = 0;
    for (uint32_t step = 0; step < 24; step++) {
        if (step % 3 == 2)
            fill_mixed(&world, step);
        else
            fill(&world, step % 3 ? 12000 : 60, 0, step);
        update(d, NULL);
        update(plain, NULL);
        check_same(pairs_of(d, true), pairs_of(plain, true));
        CHECK_EQUAL(scree_detector_explain(d).switches, switches + (step > 0 || switches == 0));
        switches = scree_detector_explain(d).switches;
        double point[3] = {5, 5, 5};
        scree_query query = scree_query_sphere(point, 6);
        scree_hit hits[400], others[400];
        size_t count, other;
        CHECK_EQUAL(scree_detector_hits(d, &query, hits, 400, &count, NULL), SCREE_OK);
        CHECK_EQUAL(scree_detector_hits(plain, &query, others, 400, &other, NULL), SCREE_OK);
        CHECK_EQUAL(count, other);
        for (size_t k = 0; k < count && k < 400; k++)
            CHECK_EQUAL(hits[k].id, others[k].id);
    }
    scree_detector_destroy(d);
    scree_detector_destroy(plain);
}

/*  Inserting and removing, whichever method is at work and whether it can or not. */
TEST(bodies_come_and_go)
{
    static const uint32_t counts[] = {60, 700, 12000};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        scree_detector *d = create("auto"), *plain = create("dess");
        fill(&world, counts[c], 0, 3);
        update(d, NULL);
        update(plain, NULL);
        for (uint32_t step = 0; step < 20; step++) {
            uint32_t rows[20], id = step * 2 + 1;
            scree_rows dirty = stir(2 * step, rows, 0.3);
            for (uint32_t i = 0; i < 20; i++)
                rows[i] -= rows[i] % 2; /* those that stay */
            dirty.count = 1;
            update(d, &dirty);
            update(plain, &dirty);
            CHECK_EQUAL(scree_detector_remove(d, &id, 1), SCREE_OK);
            CHECK_EQUAL(scree_detector_remove(plain, &id, 1), SCREE_OK);
            check_same(pairs_of(d, true), pairs_of(plain, true));
            if (step % 3)
                continue;
            scree_table table = view(&world);
            table.count = 1;
            CHECK_EQUAL(scree_detector_insert(d, &table, NULL), SCREE_OK);
            CHECK_EQUAL(scree_detector_insert(plain, &table, NULL), SCREE_OK);
            check_same(pairs_of(d, true), pairs_of(plain, true));
        }
        scree_detector_destroy(d);
        scree_detector_destroy(plain);
    }
}

/*  Two detectors that hear the same calls give the same sequence, whatever their clocks said. */
TEST(a_choice_is_a_function_of_the_calls)
{
    scree_detector *d = create("auto"), *other = create("auto");
    uint32_t rows[20];
    fill(&world, 3000, 0, 5);
    for (uint32_t step = 0; step < 30; step++) {
        scree_rows dirty = stir(step, rows, step < 20 ? 0.01 : 8);
        update(d, step ? &dirty : NULL);
        update(other, step ? &dirty : NULL);
        for (uint32_t busy = 0; busy < step % 3; busy++)
            (void)pairs_of(other, true);
        CHECK_TEXT(at_work(d), at_work(other));
        check_same(pairs_of(d, false), pairs_of(other, false));
    }
    scree_detector_destroy(d);
    scree_detector_destroy(other);
}

/* ---- what is said ---- */

static int stop_at_once(uint32_t first, uint32_t second, void *user)
{
    (void)first, (void)second, (void)user;
    return 1;
}

TEST(the_explanation_is_true)
{
    scree_detector *d = create("auto");
    scree_explanation why = scree_detector_explain(d);
    CHECK_EQUAL(why.looks, 0);
    fill(&world, 20000, 0, 1);
    for (uint32_t i = 0; i < world.count; i += 3)
        world.number[i][3] = 0.05;
    update(d, NULL);
    (void)pairs_of(d, false);
    why = scree_detector_explain(d);
    CHECK_EQUAL(why.bodies, 20000);
    CHECK_EQUAL(why.looks, 1);
    CHECK_NEAR(why.size_ratio, 20, 1e-9);
    CHECK_NEAR(why.slenderness, 1, 1e-12);
    CHECK_NEAR(why.crowding, 1, 0.6);
    CHECK_NEAR(why.far_share, 0, 0);
    CHECK(strlen(why.reason) > 10);
    CHECK(why.alternative_count >= 3);
    bool has_winner = false;
    for (uint32_t k = 0; k < why.alternative_count; k++) {
        bool is_winner = strcmp(why.alternatives[k].method, why.method) == 0;
        has_winner |= is_winner;
        CHECK((why.alternatives[k].measured > 0) == is_winner);
        CHECK(why.alternatives[k].predicted > 0);
    }
    CHECK(has_winner);

    /* pairs a body are those of the last whole search, and before one what is expected */
    scree_pairs pairs;
    CHECK_EQUAL(scree_detector_pairs(d, NULL, &pairs), SCREE_OK);
    CHECK(why.pairs == (double)pairs.count / 20000);
    CHECK_EQUAL(scree_detector_for_each_pair(d, stop_at_once, NULL), SCREE_OK);
    CHECK(scree_detector_explain(d).pairs == (double)pairs.count / 20000);
    scree_detector_clear(d);
    update(d, NULL);
    double expected = scree_detector_explain(d).pairs;
    CHECK(expected != why.pairs && expected > 0.7 * why.pairs && expected < 1.4 * why.pairs);

    /* outliers are seen, and do not make the others look crowded */
    for (uint32_t i = 0; i < world.count; i += 50)
        world.number[i][i % 3] = 1e9;
    scree_detector_clear(d);
    update(d, NULL);
    why = scree_detector_explain(d);
    CHECK_NEAR(why.far_share, 0.02, 0.02);
    CHECK(why.crowding < 3);
    scree_detector_destroy(d);
}

TEST(other_methods_say_who_asked)
{
    scree_detector *d = create("hashing2");
    scree_explanation why = scree_detector_explain(d);
    CHECK_TEXT(why.method, "hashing2");
    CHECK_SAYS(why.reason, "asked for");
    CHECK_EQUAL(why.alternative_count, 0);
    scree_detector_destroy(d);
    why = scree_detector_explain(NULL);
    CHECK(why.method == NULL);
}

TEST(boxes_are_seen_to_be_slender)
{
    scree_detector_def def = scree_default_detector_def();
    static double box[500][6];
    scree_view lower[3], upper[3];
    scree_detector *d;
    def.volume = SCREE_BOXES;
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 3; k++) {
            box[i][k] = i % 10;
            box[i][3 + k] = i % 10 + (k == i % 3 ? 10 : i % 7 ? 0 : 1);
        }
    for (int k = 0; k < 3; k++) {
        lower[k] = scree_doubles(&box[0][k], sizeof box[0]);
        upper[k] = scree_doubles(&box[0][3 + k], sizeof box[0]);
    }
    scree_table table = scree_table_boxes(500, lower, upper);
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK(scree_detector_explain(d).slenderness > 2);
    scree_detector_destroy(d);
}

/*  The parameters of every candidate are checked when the detector is made. */
TEST(parameters_are_checked_at_once)
{
    scree_detector_def def = scree_default_detector_def();
    scree_error error;
    scree_detector *d;
    def.error = &error;
    def.insertion_sort.sort_axis = 7;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "sort_axis");
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(it_is_the_default),
        CASE(each_method_has_its_scene),
        CASE(pairs_that_were_found_count),
        CASE(what_does_not_pay_is_left),
        CASE(switching_every_step_keeps_the_pairs),
        CASE(bodies_come_and_go),
        CASE(a_choice_is_a_function_of_the_calls),
        CASE(the_explanation_is_true),
        CASE(other_methods_say_who_asked),
        CASE(boxes_are_seen_to_be_slender),
        CASE(parameters_are_checked_at_once),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
