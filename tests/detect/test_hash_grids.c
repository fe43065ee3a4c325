/*  Hierarchical hash grids, row by row of what their makers say of them; each test has the number
    of its row. Here: which grid and which cell a body is in, the choices, and sizes and places that
    are hard. Changes are in test_hash_grids_change.c, what is found in test_hash_grids_pairs.c. */
#include "hash_grids_world.h"

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

/* ---- cells ---- */

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

/* ---- choices ---- */

TEST(all_pairs_up_to_the_threshold)
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

    /* for good, until all is built again */
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

/*  What is hashed: the middle of spheres, and the corner of boxes, if nothing else is asked for. */
TEST(hg_19_middles_of_spheres_and_corners_of_boxes)
{
    static const scree_hash_point points[] = {SCREE_HASH_POINT_AUTO, SCREE_HASH_POINT_CORNER,
                                              SCREE_HASH_POINT_CENTRE};
    for (int volume = SCREE_SPHERES; volume <= SCREE_BOXES; volume++)
        for (int k = 0; k < 3; k++) {
            scree_detector_def def = grids_only();
            def.volume = (scree_volume)volume;
            def.hash_grids.point = points[k];
            scree_detector *d = make(&def);
            CHECK(inside(d)->by_centre == (k == 2 || (k == 0 && volume == SCREE_SPHERES)));
            scree_detector_destroy(d);
        }
}

TEST(choices_are_checked)
{
    REFUSE(size, (scree_hash_size)7, "hash_grids.size is 7, must be a scree_hash_size");
    REFUSE(point, (scree_hash_point)7, "hash_grids.point is 7, must be a scree_hash_point");
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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hg_01_one_cell_of_one_grid),
        CASE(hg_02_smallest_cells_larger_than_the_longest_edge),
        CASE(hg_12_sparse_levels_of_factor_two),
        CASE(hg_18_grids_are_sorted_by_cell_size),
        CASE(hg_08_cells_of_a_new_grid),
        CASE(hg_10_a_search_visits_occupied_cells_alone),
        CASE(hg_19_all_octants_and_far_away),
        CASE(hg_19_faces_and_negative_coordinates),
        CASE(hg_20_27_cells_around_each),
        CASE(all_pairs_up_to_the_threshold),
        CASE(hg_19_middles_of_spheres_and_corners_of_boxes),
        CASE(choices_are_checked),
        CASE(hg_24_points),
        CASE(hg_24_ratio_of_a_billion),
        CASE(hg_24_numbers_at_the_limit),
        CASE(hg_24_nan_is_refused),
        CASE(hg_24_all_in_one_place),
        CASE(hg_24_far_moves_and_growth_at_once),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
