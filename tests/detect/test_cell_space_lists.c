/*  The lists of the cell space: which cells are dirty, that cells and pieces list each other, the sums, the
    iterator over a window, and that threads make the same sets. Each test has the row of the
    checklist that it proves. */
#include "cell_space_world.h"

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

static uint32_t ids[MOST]; /* of a table that is not in order */

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
    CHECK_SEEN(home->centroids, home->centroids + 1, "counting the centroids again");
    CHECK_SEEN(home->extents, home->extents + 1, "counting the extents again");
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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_23_dirty_at_creation),
        CASE(pfc_25_only_the_dirty_are_remapped),
        CASE(pfc_31_lists_both_ways),
        CASE(pfc_31_stamps_run_out),
        CASE(pfc_31_faults_are_seen),
        CASE(pfc_32_sums),
        CASE(pfc_33_window),
        CASE(pfc_43_threads_make_the_same_sets),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
