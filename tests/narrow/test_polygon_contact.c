/*  Convex polygons: what points in a plane span, what it weighs, and where two of them touch, against the slow reference in
    polygon_pair.h and what is known by heart. As many poses as one likes: ./do campaign polygons. */
#include "harness/polygon_pair.h"

#include "harness/failing_allocator.h"
#include "test.h"

static polygon_stock stock;

/* ---- hulls ---- */

static scree_status hull_of(const double *points, uint32_t count, scree_mesh **mesh,
                            scree_error *why)
{
    scree_hull_def def = scree_default_hull_def();

    def.corners = 2;
    def.points = points;
    def.point_count = count;
    def.error = why;
    return scree_mesh_hull(&def, mesh);
}

static void refuse_points(const double *points, uint32_t count, scree_status status,
                          const char *text)
{
    scree_error why = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;

    CHECK_EQUAL(hull_of(points, count, &mesh, &why), status);
    if (!strstr(why.text, text))
        FAIL("%s", why.text);
    CHECK(!mesh);
}

/*  Nothing is outside, and every corner is one of the points, all others being on or within the sides: by all sides and points. */
TEST(hulls_hold_their_points)
{
    for (uint64_t seed = 0; seed < TEST_EFFORT(100, 2000); seed++) {
        scree_random random = scree_random_stream(seed, 3);
        double points[3 * 60];
        uint32_t count = 3 + scree_random_below(&random, 57), grid = scree_random_below(&random, 8);
        scree_error why = {SCREE_OK, ""};
        scree_mesh *mesh = NULL;
        for (uint32_t p = 0; p < count; p++) {
            for (uint32_t k = 0; k < 2; k++)
                points[3 * p + k] = grid ? (double)scree_random_below(&random, grid + 2)
                                         : scree_random_normal(&random);
            points[3 * p + 2] = 0;
        }
        scree_status status = hull_of(points, count, &mesh, &why);
        double area = 0;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                area =
                    fmax(area, fabs((points[3 * a] - points[0]) * (points[3 * b + 1] - points[1]) -
                                    (points[3 * a + 1] - points[1]) * (points[3 * b] - points[0])));
        CHECK_EQUAL(status, area > 1e-6 ? SCREE_OK : SCREE_BAD_VALUE);
        if (status)
            continue;
        scree_mesh_info info = scree_mesh_describe(mesh);
        CHECK(info.corners == 2 && info.open_edges == 0 && info.nonmanifold_edges == 0);
        CHECK(info.flipped_edges == 0 && info.vertex_count == info.facet_count);
        for (uint32_t f = 0; f < info.facet_count; f++) {
            const double *a = info.vertices + 3 * (size_t)info.facets[2 * f];
            const double *b = info.vertices + 3 * (size_t)info.facets[2 * f + 1];
            double length = hypot(b[0] - a[0], b[1] - a[1]);
            uint32_t on = 0;
            for (uint32_t p = 0; p < count; p++) {
                double left = ((b[0] - a[0]) * (points[3 * p + 1] - a[1]) -
                               (b[1] - a[1]) * (points[3 * p] - a[0])) /
                              length;
                /* normals point outward, to the left */
                CHECK(left < 1e-8);
                on += memcmp(a, points + 3 * (size_t)p, 24) == 0;
            }
            CHECK(on >= 1);
            /* what lies on a side is no corner */
            for (uint32_t v = 0; v < info.vertex_count; v++) {
                const double *at = info.vertices + 3 * (size_t)v;
                double left =
                    ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])) / length;
                CHECK(at == a || at == b || left < -1e-10);
            }
        }
        scree_mesh_destroy(mesh);
    }
}

TEST(points_that_span_nothing)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0};
    const double on_a_line[] = {0, 0, 0, 1, 0.1, 0, 2, 0.2, 0, -3, -0.3, 0};
    const double nearly[] = {0, 0, 0, 1, 1e-10, 0, 2, 0, 0};
    const double same[] = {1, 1, 0, 1, 1, 0, 1, 1, 0};
    double bad[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    scree_error why = {SCREE_OK, ""};
    scree_mesh *mesh;

    refuse_points(points, 2, SCREE_BAD_ARGUMENT, "point_count is 2, at least 3");
    refuse_points(on_a_line, 4, SCREE_BAD_VALUE, "lie on a line");
    refuse_points(nearly, 3, SCREE_BAD_VALUE, "lie on a line");
    refuse_points(same, 3, SCREE_BAD_VALUE, "lie on a line");
    refuse_points(bad, 3, SCREE_BAD_VALUE, "point 2: y is");
    bad[7] = INFINITY;
    refuse_points(bad, 3, SCREE_BAD_VALUE, "point 2: y is inf");
    bad[7] = 1;
    bad[5] = 0.5;
    refuse_points(bad, 3, SCREE_BAD_VALUE, "point 1: z is 0.5, must be 0");
    scree_hull_def def = scree_default_hull_def();
    def.points = points;
    def.point_count = 4;
    def.error = &why;
    def.corners = 4;
    CHECK_EQUAL(scree_mesh_hull(&def, &mesh), SCREE_BAD_ARGUMENT);
    CHECK(strstr(why.text, "corners is 4"));
    CHECK_EQUAL(hull_of(points, 4, &mesh, &why), SCREE_OK);
    CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 3);
    scree_mesh_destroy(mesh);
}

/* ---- mass ---- */

static scree_mesh *line_of(const double (*points)[2], uint32_t count, const uint32_t *segments,
                           uint32_t segment_count)
{
    scree_mesh_def def = scree_default_mesh_def();
    double vertices[3 * 16] = {0};
    uint32_t round[2 * 16];
    scree_mesh *mesh = NULL;

    for (uint32_t p = 0; p < count; p++) {
        memcpy(vertices + 3 * (size_t)p, points[p], sizeof points[p]);
        round[2 * p] = p;
        round[2 * p + 1] = (p + 1) % count;
    }
    def.corners = 2;
    def.vertices = vertices;
    def.vertex_count = count;
    def.facets = segments ? segments : round;
    def.facet_count = segments ? segment_count : count;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

/*  A brick far away, whichever way one goes round; and a triangle, of which r^2 is (a^2 + b^2 + c^2) / 36. */
TEST(polygons_weigh_their_area)
{
    for (int way = 0; way < 2; way++) {
        const double x = 100, y = -50;
        const double brick[2][4][2] = {{{x, y}, {x + 3, y}, {x + 3, y + 2}, {x, y + 2}},
                                       {{x, y + 2}, {x + 3, y + 2}, {x + 3, y}, {x, y}}};
        scree_mesh *mesh = line_of(brick[way], 4, NULL, 0);
        scree_mesh_solid solid;
        CHECK_EQUAL(scree_mesh_solid_of(mesh, 5, &solid, NULL), SCREE_OK);
        CHECK_NEAR(solid.volume, 6, 1e-13);
        CHECK_NEAR(solid.area, 10, 1e-13);
        CHECK_NEAR(solid.mass, 30, 1e-12);
        CHECK_NEAR(solid.centre[0], x + 1.5, 1e-12);
        CHECK_NEAR(solid.centre[1], y + 1, 1e-12);
        CHECK_EQUAL(solid.centre[2], 0);
        CHECK_NEAR(solid.principal[2], 30 * (9.0 + 4) / 12, 1e-11);
        CHECK_EQUAL(solid.principal[0], solid.principal[2]);
        CHECK_EQUAL(solid.orientation[0], 1);
        CHECK_EQUAL(solid.inward, way == 0);
        scree_shape shape = scree_shape_block(mesh, 0.1);
        scree_mass mass;
        CHECK_EQUAL(scree_shape_mass(&shape, 5, 2, &mass, NULL), SCREE_OK);
        CHECK_NEAR(mass.mass, 30, 1e-12);
        CHECK_EQUAL(scree_shape_mass(&shape, 5, 3, &mass, NULL), SCREE_BAD_ARGUMENT);
        scree_mesh_destroy(mesh);
    }
    const double corner[3][2] = {{0, 0}, {1e-3, 0}, {0.2e-3, 0.7e-3}};
    scree_mesh *mesh = line_of(corner, 3, NULL, 0);
    scree_mesh_solid solid;
    CHECK_EQUAL(scree_mesh_solid_of(mesh, 2, &solid, NULL), SCREE_OK);
    double squares = (1 + 0.04 + 0.49 + 0.64 + 0.49) * 1e-6;
    CHECK_NEAR(solid.volume, 0.35e-6, 1e-20);
    CHECK_NEAR(solid.principal[2], solid.mass * squares / 36, 1e-12 * solid.mass * squares);
    scree_mesh_destroy(mesh);
}

TEST(what_encloses_nothing)
{
    const double points[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const uint32_t open[] = {0, 1, 1, 2};
    scree_mesh *mesh = line_of(points, 3, open, 2);
    scree_error why = {SCREE_OK, ""};
    scree_mesh_solid solid;

    CHECK_EQUAL(scree_mesh_solid_of(mesh, 1, &solid, &why), SCREE_BAD_ARGUMENT);
    CHECK(strstr(why.text, "the line is not closed: of 3 ends 2 have one segment"));
    scree_mesh_destroy(mesh);
}

/* ---- what is convex ---- */

static scree_status convex_of_line(const double (*points)[2], uint32_t count,
                                   const uint32_t *segments, uint32_t segment_count,
                                   scree_convex *convex, scree_error *why)
{
    const double origin[3] = {0.1, 0.1, 0};
    scree_mesh *mesh = line_of(points, count, segments, segment_count);
    scree_status status = scree_convex_init(convex, mesh, false, origin, &stock.memory, why);

    scree_mesh_destroy(mesh);
    return status;
}

TEST(what_is_a_convex_polygon)
{
    const double square[8][2] = {{0.5, 0}, {1, 0}, {1, 0.5}, {1, 1},
                                 {0.5, 1}, {0, 1}, {0, 0.5}, {0, 0}};
    const double dented[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0.5, 0.9}, {0, 1}};
    const double star[5][2] = {{0, 1}, {0.6, -0.8}, {-0.95, 0.3}, {0.95, 0.3}, {-0.6, -0.8}};
    const double two[6][2] = {{0, 0}, {1, 0}, {0, 1}, {5, 0}, {6, 0}, {5, 1}};
    const uint32_t rings[] = {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3};
    const uint32_t turned[] = {1, 0, 1, 2, 0, 2};
    scree_error why = {SCREE_OK, ""};
    scree_convex a;

    /* vertices in the middle of sides, also the first one, are no corners */
    CHECK_EQUAL(convex_of_line(square, 8, NULL, 0, &a, &why), SCREE_OK);
    CHECK(a.is_flat && a.corner_count == 4 && a.face_count == 4 && a.edge_count == 4);
    CHECK_NEAR(a.inner, 0.1, 1e-15);
    CHECK_NEAR(a.size, 0.9 * sqrt(2), 1e-15);
    for (uint32_t c = 0; c < 4; c++) {
        const double *p = a.corner[c], *q = a.corner[(c + 1) % 4];
        CHECK_NEAR(scree_dot(a.face[c], p), a.face[c][3], 1e-15);
        CHECK_NEAR(scree_dot(a.face[c], q), a.face[c][3], 1e-15);
        CHECK(p[0] * q[1] - p[1] * q[0] > 0);
    }
    scree_convex_free(&a, &stock.memory);
    CHECK_EQUAL(convex_of_line(two, 3, turned, 3, &a, &why), SCREE_OK);
    CHECK_EQUAL(a.corner_count, 3);
    scree_convex_free(&a, &stock.memory);
    CHECK_EQUAL(convex_of_line(dented, 5, NULL, 0, &a, &why), SCREE_BAD_VALUE);
    CHECK(strstr(why.text, "above a side: it is not convex"));
    scree_convex_free(&a, &stock.memory);
    CHECK_EQUAL(convex_of_line(star, 5, NULL, 0, &a, &why), SCREE_BAD_VALUE);
    scree_convex_free(&a, &stock.memory);
    CHECK_EQUAL(convex_of_line(two, 6, rings, 6, &a, &why), SCREE_BAD_VALUE);
    CHECK(strstr(why.text, "several parts"));
    scree_convex_free(&a, &stock.memory);
}

/* ---- contacts ---- */

TEST(gc_42_polygons_by_chance)
{
    polygon_tally tally = {0};
    uint64_t poses = TEST_EFFORT(5000, 100000);

    for (uint64_t seed = 0; seed < poses; seed++) {
        const char *why = try_polygons(&stock, seed, &tally);
        if (why)
            FAIL("pose %llu: %s", (unsigned long long)seed, why);
    }
    CHECK(tally.touching > poses / 4 && tally.overlapping > poses / 8);
    CHECK(tally.touching - tally.overlapping > poses / 50);
    CHECK(tally.lies[POLYGONS_FLAT] > poses / 10 && tally.lies[POLYGONS_ALIGNED] > poses / 10);
}

static scree_block_body square_at(double x, double y, double angle)
{
    return (scree_block_body){&stock.polygons[0].convex, flat_pose(x, y, angle)};
}

/*  Squares of side sqrt(1/2), which stand upright. */
TEST(squares_on_squares)
{
    scree_block_contact *work = &stock.work;
    const double side = sqrt(0.5), quarter = 0.78539816339744831;
    scree_block_body bodies[2] = {square_at(0, 0, 0), square_at(0, side - 0.001, 0)};

    /* corner on corner: two points, though both have two there */
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 2);
    CHECK_NEAR(work->distance, -0.001, 1e-15);
    CHECK_NEAR(work->normal[1], 1, 1e-15);
    CHECK_NEAR(work->points[0].weight + work->points[1].weight, 2, 1e-12);
    /* half of the side is shared: a corner of each */
    bodies[1] = square_at(side / 2, side - 0.001, 0);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 2);
    CHECK(work->points[0].kind == SCREE_FEATURE_FIRST &&
          work->points[1].kind == SCREE_FEATURE_SECOND);
    /* a corner on a side: one */
    bodies[1] = square_at(0.1, side / 2 + 0.5 - 0.001, quarter);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 1);
    CHECK_NEAR(work->points[0].point[1][0], 0.1, 1e-15);
    /* corner at corner, apart: along the way between them */
    bodies[1] = square_at(side + 0.03, side + 0.04, 0);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0.06, 0.1));
    CHECK_EQUAL(work->count, 1);
    CHECK_NEAR(work->distance, 0.05, 1e-14);
    CHECK_NEAR(work->normal[0], 0.6, 1e-13);
    CHECK_EQUAL(work->normal[2], 0);
    /* on a line */
    const double point[3] = {7, -side / 2 + 0.01, 0}, up[3] = {0, 1, 0};
    CHECK(!scree_block_find_plane(work, &stock.memory, &bodies[0], point, up, 0, 0.1));
    CHECK_EQUAL(work->count, 2);
    CHECK_NEAR(work->distance, -0.01, 1e-15);
}

static scree_status make_and_find(const scree_allocator *hooks, scree_memory *memory)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0};
    const double origin[3] = {0, 0, 0};
    scree_hull_def def = scree_default_hull_def();
    scree_block_contact work = {.count = 0};
    scree_error why = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;
    scree_convex convex;
    scree_status status;

    CHECK(!scree_memory_init(memory, hooks));
    def.corners = 2;
    def.points = points;
    def.point_count = 5;
    def.allocator = *hooks;
    def.error = &why;
    status = scree_mesh_hull(&def, &mesh);
    CHECK(!status || strstr(why.text, "out of memory"));
    if (status)
        return status;
    status = scree_convex_init(&convex, mesh, false, origin, memory, &why);
    CHECK(!status || strstr(why.text, "out of memory"));
    const scree_block_body bodies[2] = {{&convex, flat_pose(0, 0, 0)},
                                        {&convex, flat_pose(0.2, 0.9, 0.1)}};
    if (!status)
        status = scree_block_find(&work, memory, bodies, 0.1, 0.1);
    scree_block_contact_free(&work, memory);
    scree_convex_free(&convex, memory);
    scree_mesh_destroy(mesh);
    return status;
}

TEST(memory_may_fail_at_any_time)
{
    for (size_t k = 1;; k++) {
        failing_allocator failing = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&failing);
        scree_memory memory;
        scree_status status = make_and_find(&hooks, &memory);
        CHECK_EQUAL(status, failing.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY);
        CHECK(failing_allocator_is_clean(&failing));
        if (failing.requests < k)
            break;
    }
}

/*  Two lines that go round are weighed together, whichever way. */
TEST(two_lines_are_no_shells)
{
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0};
    static const uint32_t facets[] = {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh_solid solid;
    scree_mesh *mesh;

    def.corners = 2;
    def.vertices = corners;
    def.vertex_count = 6;
    def.facets = facets;
    def.facet_count = 6;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    CHECK_EQUAL(scree_mesh_solid_of(mesh, 1, &solid, NULL), SCREE_OK);
    CHECK_NEAR(solid.volume, 1, 1e-12);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(two_lines_are_no_shells),     CASE(hulls_hold_their_points),
        CASE(points_that_span_nothing),    CASE(polygons_weigh_their_area),
        CASE(what_encloses_nothing),       CASE(what_is_a_convex_polygon),
        CASE(gc_42_polygons_by_chance),    CASE(squares_on_squares),
        CASE(memory_may_fail_at_any_time),
    };
    if (!make_polygons(&stock))
        return 1;
    int code = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    free_polygons(&stock);
    return code;
}
