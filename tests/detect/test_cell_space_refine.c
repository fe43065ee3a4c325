/*  Refinement in the cell space: when cells are divided, how deep, when that does not pay, and when
    they are merged again. Each test has the row of the checklist that it proves. */
#include "cell_space_world.h"

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
    def.cell_space.max_children = 2;
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

/* ---- merging ---- */

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
    int steps = TEST_EFFORT(300, 10000);
    double least = INFINITY, most = 0;
    for (int step = 0; step < steps; step++) {
        for (uint32_t i = 300; i < 2500; i++)
            for (int k = 0; k < 3; k++) {
                position[i][k] += scree_random_range(&source, 0, k == 0 ? 0.1 : 0.05);
                position[i][k] -= position[i][k] > 20 ? 20 : 0;
            }
        update(detector, spheres(2500));
        scree_cell_figures figures = figures_of(detector);
        /* 11 pieces that are small in their cell make 8 children: 1.4 is the least */
        least = fmin(least, figures.mean_extents);
        most = fmax(most, figures.mean_extents);
        CHECK(figures.mean_extents >= 2 && figures.mean_extents <= 20);
        CHECK(figures.mean_mapped < 20);
        if (step % 150 == 0)
            check_all(detector, spheres(2500));
    }
    FIGURE("%.1f to %.1f extents in a leaf in %d cycles", least, most, steps);
    scree_cell_figures figures = figures_of(detector);
    CHECK(figures.merged > 10 && figures.refined > 10);
    CHECK_EQUAL(scree_detector_stats(detector).rebuilds, 1);
    scree_detector_destroy(detector);
}

/* ---- leaves with many pieces ---- */

/*  Spheres of one size and of several, and boxes, so many in a leaf that it is searched along an axis; in one leaf, and
    in several that list the same pieces. */
TEST(crowded_leaves)
{
    for (int c = 0; c < 16; c++) {
        int dimensions = c % 2 ? 2 : 3;
        scree_detector_def def = make_def(dimensions, c / 2 % 2 ? SCREE_BOXES : SCREE_SPHERES);
        def.cell_space.cells = c / 4 % 2 ? 8 : 1;
        def.cell_space.depth = 0;
        source = scree_random_stream(77, (uint64_t)c);
        scatter(0, 900, -1, 1, c / 8 ? 0.01 : 0.05, 0.05);
        for (uint32_t i = 0; i < 900 && dimensions == 2; i++)
            position[i][2] = 0;
        box_up(900, dimensions);
        scree_detector *detector = make(&def);
        scree_table table = def.volume == SCREE_BOXES ? boxes(900) : spheres(900);
        update(detector, table);
        check_all(detector, table);
        scree_detector_destroy(detector);
    }
}

static uint64_t rows_swept;
static scree_sweep_fn *sweep_itself;

static size_t sweep_and_count(double *const column[], size_t i, size_t begin, size_t end,
                              uint32_t *hits)
{
    rows_swept += end - begin;
    return sweep_itself(column, i, begin, end, hits);
}

/*  Needles side by side, in x and in y, reach through so many cells that refining these does not pay. */
TEST(needles_side_by_side_are_not_all_compared)
{
    for (int across = 0; across < 2; across++) {
        uint32_t count = 4000;
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) {
                double at = k == across ? 0.01 * i : k == 2 ? 0 : (i % 7) * 3;
                double half = k == across ? 0.004 : k == 2 ? 0 : 20;
                lower[i][k] = at - half;
                upper[i][k] = at + half;
            }
        scree_detector_def def = make_def(2, SCREE_BOXES);
        scree_detector *detector = make(&def);
        scree_table table = boxes(count);
        update(detector, table);
        scree_cell_space *cs = detector->state;
        sweep_itself = cs->sweep;
        cs->sweep = sweep_and_count;
        rows_swept = 0;
        CHECK_EQUAL(pairs_of(detector, false).count, 0);
        CHECK(rows_swept < 40 * (uint64_t)count); /* all pairs of a leaf: thousands */
        scree_detector_destroy(detector);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
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
        CASE(crowded_leaves),
        CASE(needles_side_by_side_are_not_all_compared),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
