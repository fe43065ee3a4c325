/*  The cell space, claim by claim: each test that begins with pfc_ has the row of the checklist
    that it proves. Here: the decomposition into cells, extents, domains and parameters. Lists are
    in test_cell_space_lists.c, refinement is in test_cell_space_refine.c. */
#include "cell_space_world.h"
#include "detect/conformal.h"
#include "detect/exact.h"
#include "harness/failing_allocator.h"

/* ---- decomposition ---- */

TEST(pfc_07_equal_cells)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
        uint32_t count = dimensions == 2 ? 11000 : 110000, wanted = count / 11;
        source = scree_random_stream(7, 0);
        scatter(0, count, -50, 50, 0.01, 0.1);
        scree_detector *detector = make(&def);
        update(detector, spheres(count));
        scree_cell_figures figures = figures_of(detector);
        printf("%dD: %u parent cells of edge %g\n", dimensions, figures.parents, figures.len);
        /* each axis is rounded up to whole cells */
        CHECK(figures.parents >= wanted && figures.parents < wanted * 5 / 4);
        const scree_cell_space *cs = space_of(detector);
        for (uint32_t c = 0; c < figures.parents; c++)
            for (int k = 0; k < dimensions; k++) {
                double edge = cs->cell[c].range.upper[k] - cs->cell[c].range.lower[k];
                CHECK(isinf(edge) || fabs(edge - figures.len) < 1e-12);
            }
        scree_detector_destroy(detector);
    }
}

/*  The published numbers of cells are there for few bodies as well, where they are asked for; by default there is one for
    each 10 bodies at most. */
TEST(pfc_07_as_many_cells_as_published_on_demand)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const uint32_t published = dimensions == 2 ? 1000 : 10000;
        uint32_t parents[2];
        for (int asked = 0; asked < 2; asked++) {
            scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
            source = scree_random_stream(7, 1);
            scatter(0, 500, -50, 50, 0.01, 0.1);
            def.cell_space.cells = asked ? published : 0;
            scree_detector *detector = make(&def);
            update(detector, spheres(500));
            parents[asked] = figures_of(detector).parents;
            scree_detector_destroy(detector);
        }
        FIGURE("%dD: %u by default for 500 bodies, %u on demand", dimensions, parents[0],
               parents[1]);
        CHECK(parents[0] >= 50 && parents[0] < 50 * 2);
        CHECK(parents[1] >= published && parents[1] < published * 5 / 4);
    }
}

/*  Edges of very different length, and axes of none, still give cubes, and about as many. */
TEST(pfc_07_flat_domains)
{
    static const double edges[][3] = {{1, 1, 1},    {1e6, 1e-3, 1e-3}, {1, 1, 0},
                                      {1e-5, 1, 1}, {0, 3, 0},         {1e90, 1, 1e-90}};
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        scree_detector_def def = make_def(3, SCREE_SPHERES);
        for (int k = 0; k < 3; k++)
            def.cell_space.upper[k] = edges[e][k];
        def.cell_space.cells = 1000;
        scree_detector *detector = make(&def);
        memset(position, 0, sizeof *position);
        radius[0] = 0;
        update(detector, spheres(1));
        scree_cell_figures figures = figures_of(detector);
        CHECK(figures.parents >= 999 && figures.parents <= 1400);
        for (int k = 0; k < 3; k++)
            CHECK(figures.count[k] == 1 ||
                  fabs(figures.count[k] * figures.len - edges[e][k]) <= 1.001 * figures.len);
        scree_detector_destroy(detector);
    }
}

TEST(pfc_08_index_round_trip)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_detector_def def = make_def(dimensions, SCREE_SPHERES);
        for (int k = 0; k < 3; k++) {
            def.cell_space.lower[k] = -7.3 + k;
            def.cell_space.upper[k] = 11.1 + 2.7 * k;
        }
        def.cell_space.cells = 500;
        scree_detector *detector = make(&def);
        update(detector, spheres(0));
        const scree_cell_space *cs = space_of(detector);
        const scree_space *root = &cs->space[0];
        uint32_t at[3], c = 0;
        for (int k = 0; k < dimensions; k++)
            CHECK_NEAR(root->origin[k], def.cell_space.lower[k], 0);
        for (at[2] = 0; at[2] < root->count[2]; at[2]++)
            for (at[1] = 0; at[1] < root->count[1]; at[1]++)
                for (at[0] = 0; at[0] < root->count[0]; at[0]++, c++) {
                    CHECK_EQUAL(scree_space_cell_at(root, at), c);
                    for (int k = 0; k < dimensions; k++) {
                        double low = cs->cell[c].range.lower[k], high = cs->cell[c].range.upper[k];
                        double middle = root->origin[k] + (at[k] + 0.5) * root->len;
                        CHECK_EQUAL(scree_space_index(root, k, middle), at[k]);
                        /* formula (3) */
                        CHECK_EQUAL((uint32_t)floor((middle - root->origin[k]) / root->len), at[k]);
                        CHECK(low < middle && middle < high);
                        /* a lower face belongs to the cell, the upper one to the next */
                        CHECK_EQUAL(scree_space_index(root, k, low), at[k]);
                        CHECK_EQUAL(scree_space_index(root, k, nextafter(high, low)),
                                    isinf(high) ? root->count[k] - 1 : at[k]);
                        CHECK(isinf(high) || scree_space_index(root, k, high) == at[k] + 1);
                    }
                }
        CHECK_EQUAL(c, root->cells);
        scree_detector_destroy(detector);
    }
}

TEST(pfc_09_outside_and_not_a_number)
{
    scree_detector_def def = unit_def(64);
    source = scree_random_stream(9, 0);
    scatter(0, 600, -3, 4, 0.05, 0.3);
    for (uint32_t i = 0; i < 600; i += 10) /* far away, in pairs that touch */
        for (int k = 0; k < 3; k++) {
            position[i][k] = (i % 20 ? -1 : 1) * pow(10, i % 100) + k;
            position[i + 1][k] = position[i][k];
        }
    scree_detector *detector = make(&def);
    update(detector, spheres(600));
    check_all(detector, spheres(600));
    const scree_space *root = &space_of(detector)->space[0];
    CHECK_EQUAL(scree_space_index(root, 0, -INFINITY), 0);
    CHECK_EQUAL(scree_space_index(root, 0, INFINITY), root->count[0] - 1);
    CHECK_EQUAL(scree_space_index(root, 0, 1e300), root->count[0] - 1);

    position[5][1] = NAN;
    scree_table table = spheres(600);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_BAD_VALUE);
    check_valid(detector);
    scree_detector_destroy(detector);

    def.unusable = SCREE_SKIP_BODY;
    detector = make(&def);
    update(detector, spheres(600));
    check_valid(detector);
    CHECK_EQUAL(scree_detector_stats(detector).rejected, 1);
    scree_detector_destroy(detector);
}

/*  Tests that a search makes: the pairs of each list. */
static double work_per_body(scree_detector *detector)
{
    const scree_cell_space *cs = space_of(detector);
    double work = 0;
    for (uint32_t c = 0; c < cs->cell_count; c++)
        if (cs->cell[c].head != SCREE_CELL_NONE)
            work += 0.5 * cs->cell[c].mapped * ((double)cs->cell[c].mapped - 1);
    return work / detector->store.active_count;
}

/*  Work and memory per body do not grow with their number; time is for the benchmarks. */
TEST(work_is_linear)
{
    static const double largest[] = {1, 10};
    for (size_t ratio = 0; ratio < 2; ratio++) {
        double least = INFINITY, most = 0, entries = 0;
        for (uint32_t count = 1000; count <= 100000; count *= 10) {
            scree_detector_def def = make_def(3, SCREE_SPHERES);
            double mean_cube = ratio ? 999 / (3 * log(10)) : 1; /* of log-uniform radii */
            source = scree_random_stream(10, count);
            scatter(0, count, 0, cbrt(count * mean_cube / 0.18), 1, largest[ratio]);
            scree_detector *detector = make(&def);
            update(detector, spheres(count));
            double work = work_per_body(detector);
            least = fmin(least, work);
            most = fmax(most, work);
            entries = fmax(entries, figures_of(detector).cells_per_piece);
            scree_detector_destroy(detector);
        }
        CHECK(most < 2 * least);
        CHECK(entries < 6);
    }
}

/* ---- extents and conformal checks ---- */

TEST(pfc_11_least_extents)
{
    source = scree_random_stream(11, 0);
    scatter(0, 200, -5, 5, 0.01, 3);
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    scree_detector *detector = make(&def);
    update(detector, spheres(200));
    scree_bodies bodies = scree_store_view(&detector->store);
    for (uint32_t i = 0; i < 200; i++) {
        scree_reach reach = scree_cell_reach(&bodies, i);
        for (int k = 0; k < 3; k++) {
            /* holds the sphere, and hardly more: tight on all six sides */
            double low = position[i][k] - radius[i], high = position[i][k] + radius[i];
            CHECK(reach.box.lower[k] <= low && low - reach.box.lower[k] < 1e-12);
            CHECK(reach.box.upper[k] >= high && reach.box.upper[k] - high < 1e-12);
        }
    }
    scree_detector_destroy(detector);
}

/*  Corners of a tetrahedron; every point of it must be in a cell that lists its box. */
TEST(pfc_12_blocks)
{
    scree_detector_def def = make_def(3, SCREE_BOXES);
    double corner[40][4][3];

    source = scree_random_stream(12, 0);
    for (uint32_t i = 0; i < 40; i++)
        for (int k = 0; k < 3; k++) {
            double at = scree_random_range(&source, -4, 4);
            lower[i][k] = INFINITY;
            upper[i][k] = -INFINITY;
            for (int v = 0; v < 4; v++) {
                corner[i][v][k] = at + scree_random_range(&source, -1, 1);
                lower[i][k] = fmin(lower[i][k], corner[i][v][k]);
                upper[i][k] = fmax(upper[i][k], corner[i][v][k]);
            }
        }
    def.cell_space.cells = 1000;
    scree_detector *detector = make(&def);
    update(detector, boxes(40));
    check_all(detector, boxes(40));
    const scree_cell_space *cs = space_of(detector);
    for (uint32_t sample = 0; sample < 4000; sample++) {
        uint32_t i = sample % 40, at[3];
        double weight[4], sum = 0;
        for (int v = 0; v < 4; v++)
            sum += weight[v] = scree_random_range(&source, 0, 1);
        for (int k = 0; k < 3; k++) {
            double x = 0;
            for (int v = 0; v < 4; v++)
                x += weight[v] / sum * corner[i][v][k];
            at[k] = scree_space_index(&cs->space[0], k, x);
        }
        uint32_t cell = scree_space_cell_at(&cs->space[0], at);
        CHECK(scree_lazy_contains(&cs->lists, cs->cell[cell].head, i));
    }
    scree_detector_destroy(detector);
}

TEST(pfc_20_interaction_distance_enlarges_all)
{
    scree_detector_def def = unit_def(1000);
    source = scree_random_stream(20, 0);
    scatter(0, 500, 0, 1, 0.01, 0.02);
    scree_detector *detector = make(&def);
    update(detector, spheres(500));
    uint64_t entries = figures_of(detector).entries;
    uint32_t cells[500];
    const scree_cell_space *cs = space_of(detector);
    for (uint32_t i = 0; i < 500; i++) {
        cells[i] = 0;
        for (uint32_t n = cs->piece[i].first; n != SCREE_CELL_NONE; n = cs->link[n].next)
            cells[i]++;
        radius[i] += 0.03; /* half the interaction distance */
    }
    update(detector, spheres(500));
    check_all(detector, spheres(500));
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t now = 0;
        for (uint32_t n = cs->piece[i].first; n != SCREE_CELL_NONE; n = cs->link[n].next)
            now++;
        CHECK(now >= cells[i]);
    }
    CHECK(figures_of(detector).entries > entries * 3 / 2);
    scree_detector_destroy(detector);
}

TEST(pfc_21_spheres_miss_corner_cells)
{
    scree_detector_def def = unit_def(8000);
    uint64_t extent_cells = 0, mapped = 0;

    def.cell_space.depth = 0;
    source = scree_random_stream(21, 0);
    scatter(0, 60, 0.2, 0.8, 0.06, 0.1);
    scree_detector *detector = make(&def);
    update(detector, spheres(60));
    const scree_cell_space *cs = space_of(detector);
    scree_bodies bodies = scree_store_view(&detector->store);
    for (uint32_t i = 0; i < 60; i++) {
        scree_reach reach = scree_cell_reach(&bodies, i);
        scree_cell_range range = scree_space_range(&cs->space[0], &reach.box);
        uint32_t at[3];
        for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++)
            for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++)
                for (at[0] = range.first[0]; at[0] <= range.last[0]; at[0]++) {
                    const scree_space_cell *cell =
                        &cs->cell[scree_space_cell_at(&cs->space[0], at)];
                    bool listed = scree_lazy_contains(&cs->lists, cell->head, i);
                    double nearest = INFINITY;
                    /* dense points of the cell; the nearest is at most half a step off */
                    for (uint32_t s = 0; s < 1000; s++) {
                        uint32_t step[3] = {s % 10, s / 10 % 10, s / 100};
                        double sum = 0;
                        for (int k = 0; k < 3; k++) {
                            double x = cell->range.lower[k] + step[k] * cs->space[0].len / 9;
                            sum += (x - position[i][k]) * (x - position[i][k]);
                        }
                        nearest = fmin(nearest, sqrt(sum));
                    }
                    CHECK(listed || nearest > radius[i]);
                    CHECK(!listed || nearest < radius[i] + cs->space[0].len / 9);
                    extent_cells++;
                    mapped += listed;
                }
    }
    CHECK(mapped < extent_cells * 9 / 10);
    scree_detector_destroy(detector);
}

/*  The squared distance from a point to a triangle, by many points of it. */
/*  No point of a triangle is farther than this from a point that is looked at. */
static double sampling(const double vertex[3][3])
{
    double longest = 0;
    for (int v = 0; v < 3; v++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = vertex[v][k] - vertex[(v + 1) % 3][k];
            square += d * d;
        }
        longest = fmax(longest, sqrt(square));
    }
    return longest / 60;
}

static double sampled_distance(const double vertex[3][3], const scree_box *cell)
{
    double nearest = INFINITY;
    for (int a = 0; a <= 60; a++)
        for (int b = 0; a + b <= 60; b++) {
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = (a * vertex[0][k] + b * vertex[1][k] + (60 - a - b) * vertex[2][k]) / 60;
            nearest = fmin(nearest, scree_box_distance_sq(cell, point));
        }
    return sqrt(nearest);
}

TEST(pfc_22_facets)
{
    uint32_t by_box = 0, reached = 0;

    source = scree_random_stream(22, 0);
    for (uint32_t trial = 0; trial < 3000; trial++) {
        double vertex[3][3], margin = trial % 3 ? scree_random_range(&source, 0, 0.2) : 0;
        double offset = trial % 7 ? 0 : 1e6, size = trial % 5 ? 1 : 5;
        bool box_overlap = true;
        scree_box cell;
        for (int k = 0; k < 3; k++) {
            for (int v = 0; v < 3; v++)
                vertex[v][k] = scree_random_range(&source, -size, size) + offset;
            if (trial % 11 == 0) /* a segment, and a point */
                vertex[2][k] = vertex[trial % 2][k];
            if (trial % 22 == 0)
                vertex[1][k] = vertex[2][k] = vertex[0][k];
            cell.lower[k] = scree_random_range(&source, -1, 1) + offset;
            cell.upper[k] = cell.lower[k] + scree_random_range(&source, 0.05, 0.6);
        }
        if (trial % 13 == 0)
            cell.upper[trial % 3] = INFINITY; /* a boundary cell */
        for (int k = 0; k < 3; k++) {
            double low = fmin(vertex[0][k], fmin(vertex[1][k], vertex[2][k])) - margin;
            double high = fmax(vertex[0][k], fmax(vertex[1][k], vertex[2][k])) + margin;
            box_overlap &= low <= cell.upper[k] && cell.lower[k] <= high;
        }
        bool found = scree_conformal_triangle(&cell, (const double(*)[3])vertex, margin);
        double distance = sampled_distance((const double(*)[3])vertex, &cell);
        if (distance <= margin)
            CHECK(found);
        /* a yes in doubt is near: at a corner of two faces or more, or rounded */
        if (found)
            CHECK(distance <= 2 * margin + sampling((const double(*)[3])vertex) + 1e-6);
        by_box += box_overlap;
        reached += found;
    }
    CHECK(reached < by_box * 8 / 10);
    CHECK(reached > by_box / 4);
}

TEST(conformal_spheres)
{
    const scree_box cell = {{0, 0, -INFINITY}, {1, 1, INFINITY}};
    const double inside[4] = {0.5, 0.5, 7, 0}, corner[4] = {2, 2, 0, 1}, side[4] = {2, 0.5, 3, 1};

    CHECK(scree_conformal_sphere(&cell, inside, 0));
    CHECK(!scree_conformal_sphere(&cell, corner, 0.4));
    CHECK(scree_conformal_sphere(&cell, corner, 0.4143));
    CHECK(scree_conformal_sphere(&cell, side, 0)); /* touches */
}

/* ---- domains and parameters ---- */

/*  One runaway does not stretch the cells of all others, and a set of bodies that leaves is followed. */
TEST(automatic_domain)
{
    scree_detector_def def = make_def(3, SCREE_SPHERES);
    source = scree_random_stream(1, 0);
    scatter(0, 2000, 0, 15, 0.5, 0.5);
    position[77][1] = 1e90;
    scree_detector *detector = make(&def);
    update(detector, spheres(2000));
    check_all(detector, spheres(2000));
    CHECK(figures_of(detector).len < 20);
    for (uint32_t i = 0; i < 2000; i++)
        position[i][0] += 1000;
    for (int step = 0; step < 2; step++)
        update(detector, spheres(2000));
    check_all(detector, spheres(2000));
    CHECK(space_of(detector)->outside < 100);
    scree_detector_destroy(detector);
}

/*  Bodies that come one by one get cells for as many as there are. */
TEST(growing_number_of_bodies)
{
    scree_detector_def def = make_def(2, SCREE_SPHERES);
    scree_detector *detector = make(&def);
    source = scree_random_stream(2, 0);
    scatter(0, 3000, 0, 100, 0.5, 1);
    scree_table table = spheres(3000);
    for (uint32_t i = 0; i < 3000; i++) {
        scree_table one = spheres(1);
        for (int k = 0; k < 2; k++)
            one.centre[k].data = &position[i][k];
        one.radius.data = &radius[i];
        CHECK_EQUAL(scree_detector_insert(detector, &one, NULL), SCREE_OK);
        if (i == 0)
            CHECK_EQUAL(pairs_of(detector, false).count, 0);
    }
    check_all(detector, table);
    CHECK(figures_of(detector).mean_mapped < 60);
    scree_detector_destroy(detector);
}

static void check_refused(const scree_detector_def *def, const char *field)
{
    scree_detector *detector;
    CHECK_EQUAL(scree_detector_create(def, &detector), SCREE_BAD_ARGUMENT);
    CHECK(detector == NULL);
    CHECK_SAYS(why.text, field);
}

TEST(bad_parameters_are_refused)
{
    const scree_detector_def good = make_def(3, SCREE_SPHERES);
    scree_detector_def def;

#define CHECK_REFUSED(field, value)                                                                \
    do {                                                                                           \
        def = good;                                                                                \
        def.cell_space.field = (value);                                                            \
        check_refused(&def, "cell_space." #field);                                                 \
    } while (0)
    CHECK_REFUSED(lower[0], 1);
    CHECK_REFUSED(lower[2], NAN);
    CHECK_REFUSED(lower[1], -INFINITY);
    CHECK_REFUSED(target, 0);
    CHECK_REFUSED(target, 1001);
    CHECK_REFUSED(merge_below, 11);
    CHECK_REFUSED(factor, 1.9);
    CHECK_REFUSED(factor, 1001);
    CHECK_REFUSED(factor, NAN);
    CHECK_REFUSED(max_children, 1);
    CHECK_REFUSED(max_children, 65);
    CHECK_REFUSED(depth, 17);
    CHECK_REFUSED(cells, (1u << 24) + 1);
    def = good;
    def.cell_space.upper[1] = -1e-3;
    check_refused(&def, "cell_space.lower[1]");
    def.cell_space.upper[1] = NAN;
    check_refused(&def, "cell_space.lower[1]");
    def.cell_space.upper[1] = 1e101;
    check_refused(&def, "1e+100 in magnitude");
    /* the third axis is not looked at in two dimensions */
    def = make_def(2, SCREE_SPHERES);
    def.cell_space.lower[2] = NAN;
    scree_detector_destroy(make(&def));
}

/*  Every request for memory fails once; what follows is right again. */
TEST(out_of_memory)
{
    source = scree_random_stream(3, 0);
    scatter(0, 600, 0, 8, 0.1, 0.5);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_detector_def def = make_def(3, SCREE_SPHERES);
        scree_detector *detector;
        scree_table table = spheres(400), all = spheres(600);
        scree_rows dirty = {rows, 50};
        def.allocator = failing_allocator_hooks(&memory);
        def.thread_count = 2;
        def.cell_space.factor = 4;
        if (!scree_detector_create(&def, &detector)) {
            for (uint32_t i = 0; i < 50; i++)
                rows[i] = i * 3;
            (void)scree_detector_update(detector, &table, NULL);
            (void)scree_detector_update(detector, &table, &dirty);
            for (uint32_t i = 0; i < 400; i++)
                position[i][0] = 8 - position[i][0];
            (void)scree_detector_update(detector, &table, NULL);
            (void)scree_detector_remove(detector, rows, 50);
            (void)scree_detector_update(detector, &all, NULL);
            memory.fail_at = 0;
            update(detector, all);
            check_all(detector, all);
            scree_detector_destroy(detector);
        }
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k || (memory.fail_at == 0 && memory.failures == 0))
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pfc_07_equal_cells),
        CASE(pfc_07_as_many_cells_as_published_on_demand),
        CASE(pfc_07_flat_domains),
        CASE(pfc_08_index_round_trip),
        CASE(pfc_09_outside_and_not_a_number),
        CASE(work_is_linear),
        CASE(pfc_11_least_extents),
        CASE(pfc_12_blocks),
        CASE(pfc_20_interaction_distance_enlarges_all),
        CASE(pfc_21_spheres_miss_corner_cells),
        CASE(pfc_22_facets),
        CASE(conformal_spheres),
        CASE(automatic_domain),
        CASE(growing_number_of_bodies),
        CASE(bad_parameters_are_refused),
        CASE(out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
