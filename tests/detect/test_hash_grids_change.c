/*  Hierarchical hash grids while bodies come, go, move and change their size: levels, cells and
    lists that grow and are given back, both ways to update, and memory that runs out on the way.
    Each test has the number of its row among what the makers say of them. */
#include "harness/failing_allocator.h"
#include "hash_grids_world.h"

/* ---- bodies that come and go ---- */

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
    uint64_t few = relocated_by_churn(1000), many = relocated_by_churn(40000);
    FIGURE("%d places computed for 100 bodies among 1,000, %d among 40,000", (int)few, (int)many);
    CHECK_EQUAL(few, 200);
    CHECK_EQUAL(many, 200);
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

        /* without the hierarchy: no grid is left, and its memory is given back */
        CHECK_EQUAL(scree_detector_clear_all(d), SCREE_OK);
        CHECK_EQUAL(check_pairs_of(d, 0), 0);
        CHECK_EQUAL(inside(d)->order_count, 0);
        CHECK_EQUAL(inside(d)->pool.brick_capacity, 0);
        FIGURE("%zu bytes kept by clear, %zu by clear_all", (size_t)bytes,
               (size_t)scree_detector_stats(d).bytes);
        CHECK(scree_detector_stats(d).bytes < bytes);
        insert(d, 0, bodies.count);
        CHECK_EQUAL(check_pairs(d), found);
        check_structure(d);
        CHECK_EQUAL(inside(d)->order_count, levels);
        scree_detector_destroy(d);
    }
}

/* ---- growth ---- */

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

    /* a build ends where insertions do; after many bodies have left, updates give the cells back */
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

TEST(hg_11_gives_back_what_many_bodies_needed)
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

/* ---- updates ---- */

TEST(hg_23_both_ways_to_update)
{
    scree_detector_def def = hash_grids_def();
    scree_detector *step_by_step = make(&def);
    def.hash_grids.rebuild = true;
    scree_detector *again = make(&def);
    scatter(1200, 7, 0.1, 0.8, 23);
    double seconds[2] = {0, 0};
    for (uint32_t step = 0; step < 20; step++) {
        update(step_by_step);
        update(again);
        seconds[0] += scree_detector_stats(step_by_step).sec_update;
        seconds[1] += scree_detector_stats(again).sec_update;
        CHECK_EQUAL(check_pairs(step_by_step), check_pairs(again));
        check_structure(step_by_step);
        check_structure(again);
        drift(0.02, step);
    }
    FIGURE("%d bodies relocated in %.2f ms, rebuilt %d in %.2f ms",
           (int)inside(step_by_step)->relocated, 1e3 * seconds[0], (int)inside(again)->relocated,
           1e3 * seconds[1]);
    CHECK(inside(step_by_step)->relocated < inside(again)->relocated / 3);
    CHECK_EQUAL(inside(again)->refilled, 19);

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
    update(again);
    CHECK_EQUAL(check_pairs(step_by_step), check_pairs(again));
    scree_detector_destroy(step_by_step);
    scree_detector_destroy(again);
}

/*  A body that has become as wide as the cells of its grid belongs one level up, in a build and in an
    update alike; one that is as wide as half of them stays. */
TEST(hg_23_a_body_that_fits_no_longer_changes_its_level)
{
    scree_detector_def def = grids_only();
    def.volume = SCREE_BOXES;
    scree_detector *d = make(&def);
    bodies.count = 0;
    for (int i = 0; i < 8; i++)
        add_body(10. * i, 0, 0, 1);
    update(d);
    const scree_hash_grids *self = inside(d);
    double cell = self->grid[self->place[3].grid].cell;
    CHECK_NEAR(self->grid[self->place[3].grid].low, cell / 2, 0);
    bodies.x[3][0] = 0; /* its edge is exact there */
    bodies.x[3][3] = cell / 2;
    static const uint32_t row = 3;
    scree_rows dirty = {&row, 1};
    scree_table table = table_of(SCREE_BOXES, 0, bodies.count);
    CHECK_EQUAL(scree_detector_update(d, &table, &dirty), SCREE_OK);
    CHECK(self->place[3].grid != self->place[2].grid);
    CHECK(self->grid[self->place[3].grid].cell > cell);
    scree_detector_destroy(d);
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

/*  How far a search must look is found out again with every build. */
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

/* ---- memory ---- */

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
        CASE(hg_06_levels_appear_and_disappear),
        CASE(hg_07_constant_cost_of_adding_and_removing),
        CASE(hg_07_a_million_cycles_need_no_more_memory),
        CASE(hg_15_inserting_one_by_one),
        CASE(hg_16_clear_keeps_the_hierarchy),
        CASE(hg_09_capacity_of_lists),
        CASE(hg_11_grows_with_the_513th_body),
        CASE(hg_11_a_build_grows_as_insertions_do),
        CASE(hg_11_gives_back_what_many_bodies_needed),
        CASE(hg_11_gives_back_lists),
        CASE(hg_23_both_ways_to_update),
        CASE(hg_23_a_body_that_fits_no_longer_changes_its_level),
        CASE(hg_23_order_is_restored_now_and_then),
        CASE(hg_23_reach_follows_the_bodies),
        CASE(memory_may_run_out_anywhere),
        CASE(memory_may_run_out_while_grids_change),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
