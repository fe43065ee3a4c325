/*  Mass of shapes; the nearest point of a facet against a slow reference and in exact cases; and the search for
    facets near a point against a look at all of them. */
#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"
#include "harness/slow_nearest.h"
#include "shape/facet_point.h"

#define PI 3.14159265358979323846

/* ---- mass ---- */

TEST(spheres_and_discs_have_their_mass)
{
    scree_shape ball = scree_shape_sphere(0.3);
    scree_mass m;
    CHECK(scree_shape_mass(&ball, 2500, 3, &m, NULL) == SCREE_OK);
    CHECK_NEAR(m.volume, 4 * PI / 3 * 0.027, 1e-16);
    CHECK_NEAR(m.mass, 2500 * 4 * PI / 3 * 0.027, 1e-12);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(m.inertia[k], 0.4 * m.mass * 0.09, 1e-13);
    CHECK(scree_shape_mass(&ball, 2500, 2, &m, NULL) == SCREE_OK);
    CHECK_NEAR(m.volume, PI * 0.09, 1e-16);
    CHECK_NEAR(m.mass, 2500 * PI * 0.09, 1e-12);
    CHECK_NEAR(m.inertia[2], 0.5 * m.mass * 0.09, 1e-13);
    CHECK_NEAR(m.inertia[0] + m.inertia[1], m.inertia[2], 1e-14); /* flat: perpendicular axes */
}

TEST(masses_that_cannot_be_are_refused)
{
    struct
    {
        double radius, density;
        const char *says;
    } const bad[] = {
        {0, 1, "radius is 0"},          {-1, 1, "radius is -1"},
        {INFINITY, 1, "radius is inf"}, {(double)NAN, 1, "radius is nan"},
        {1, 0, "density is 0"},         {1, -5, "density is -5"},
        {1, (double)NAN, "density is"}, {1e90, 1e90, "must be above 0 and finite"},
        {1e-110, 1, "give mass"},       {1e-70, 1e-5, "moment of inertia"},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(bad); i++) {
        scree_shape shape = scree_shape_sphere(bad[i].radius);
        scree_error error = {SCREE_OK, ""};
        scree_mass mass = {.mass = 7};
        CHECK(scree_shape_mass(&shape, bad[i].density, 3, &mass, &error) == SCREE_BAD_VALUE);
        CHECK_SAYS(error.text, bad[i].says);
        CHECK(mass.mass == 7);
    }
    scree_shape none = {.kind = SCREE_SHAPE_NONE, .radius = 1}, ball = scree_shape_sphere(1);
    scree_mass mass;
    CHECK(scree_shape_mass(&none, 1, 3, &mass, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_shape_mass(&ball, 1, 4, &mass, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_shape_mass(NULL, 1, 3, &mass, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_shape_mass(&ball, 1, 3, NULL, NULL) == SCREE_BAD_ARGUMENT);
}

/* ---- nearest points ---- */

static scree_mesh *one_triangle(const double v[9])
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = v;
    def.vertex_count = 3;
    def.facet_count = 1;
    def.weld = 0;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    return mesh;
}

static scree_facet_point nearest(const scree_mesh *mesh, uint32_t facet, double x, double y,
                                 double z)
{
    double place[3] = {x, y, z};
    return scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet, facet,
                               place);
}

TEST(nearest_points_lie_on_the_right_feature)
{
    double v[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    struct
    {
        double place[3];
        uint32_t feature;
        double point[3];
    } const cases[] = {
        {{1, 1, 3}, SCREE_ON_FACE, {1, 1, 0}},       {{1, 1, -3}, SCREE_ON_FACE, {1, 1, 0}},
        {{1, 1, 0}, SCREE_ON_FACE, {1, 1, 0}},       {{1, -2, 1}, SCREE_ON_EDGE, {1, 0, 0}},
        {{3, 3, 1}, SCREE_ON_EDGE + 1, {2, 2, 0}},   {{-5, 3, 1}, SCREE_ON_EDGE + 2, {0, 3, 0}},
        {{-1, -1, 1}, SCREE_ON_VERTEX, {0, 0, 0}},   {{6, -1, 1}, SCREE_ON_VERTEX + 1, {4, 0, 0}},
        {{9, 4, 0}, SCREE_ON_VERTEX + 1, {4, 0, 0}}, {{-1, 5, 1}, SCREE_ON_VERTEX + 2, {0, 4, 0}},
    };
    scree_mesh *mesh = one_triangle(v);
    for (size_t i = 0; i < SCREE_COUNT_OF(cases); i++) {
        const double *p = cases[i].place;
        scree_facet_point point = nearest(mesh, 0, p[0], p[1], p[2]);
        CHECK_EQUAL(point.feature, cases[i].feature);
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(p[k] + point.away[k], cases[i].point[k], 0);
            sum += point.away[k] * point.away[k];
        }
        CHECK_NEAR(point.away_sq, sum, 0);
        CHECK_NEAR(point.height, p[2], 0);
    }
    scree_mesh_destroy(mesh);
}

/*  Of a triangle over its longest edge. */
static double height_of(const double v[9])
{
    double a[3], b[3], across_sq = 0, longest_sq = 0;
    for (int i = 0; i < 3; i++) {
        double edge_sq = 0;
        a[i] = v[3 + i] - v[i];
        b[i] = v[6 + i] - v[i];
        for (int k = 0; k < 3; k++) {
            double edge = v[(3 * i + 3 + k) % 9] - v[3 * i + k];
            edge_sq += edge * edge;
        }
        longest_sq = edge_sq > longest_sq ? edge_sq : longest_sq;
    }
    for (int i = 0; i < 3; i++) {
        double across = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        across_sq += across * across;
    }
    return sqrt(across_sq / longest_sq);
}

/*  Triangles of all forms, from good ones to slivers a billionth as high as long, and places near and far, in
    the plane, over corners and along edges. */
TEST(nearest_points_agree_with_the_slow_reference)
{
    scree_random random = scree_random_stream(1, 0);
    for (int i = 0; i < 300000; i++) {
        double v[9], p[3], thin = i % 3 ? 1 : scree_random_log_uniform(&random, 1e-8, 1);
        double a = scree_random_unit(&random), b = scree_random_range(&random, -1, 1);
        for (int k = 0; k < 3; k++) {
            v[k] = scree_random_range(&random, -1, 1);
            v[3 + k] = scree_random_range(&random, -1, 1);
            v[6 + k] = v[k] + a * (v[3 + k] - v[k]) + thin * scree_random_range(&random, -1, 1);
        }
        double reach = scree_random_log_uniform(&random, 1e-6, 10);
        uint32_t kind = scree_random_below(&random, 4);
        for (int k = 0; k < 3; k++) {
            double on_edge = v[3 + k] + b * (v[6 + k] - v[3 + k]);
            double start = kind == 0 ? v[6 + k] : kind == 1 ? on_edge : 0.3 * (v[k] + v[3 + k]);
            p[k] = start + reach * scree_random_range(&random, -1, 1);
        }
        if (height_of(v) < 1e-9)
            continue; /* dropped as without area, or nearly so */
        scree_mesh *mesh = one_triangle(v);
        scree_facet_point fast = nearest(mesh, 0, p[0], p[1], p[2]);
        long double slow[3] = {0}, slow_sq = nearest_slowly(mesh, 0, p, slow), apart = 0;
        for (int k = 0; k < 3; k++)
            apart += ((long double)fast.away[k] - slow[k]) * ((long double)fast.away[k] - slow[k]);
        /* the normal of a sliver is tilted by what its edges are rounded over its height, and the place is
           up to 20 away */
        double tolerance = 1e-13 + 20 * 4e-16 / height_of(v);
        if (!(sqrtl(apart) < (long double)tolerance) ||
            !(fabsl((long double)fast.away_sq - slow_sq) < 20 * (long double)tolerance))
            FAIL("off by %Lg, squares by %Lg, height %g, feature %u, round %d", sqrtl(apart),
                 (long double)fast.away_sq - slow_sq, height_of(v), fast.feature, i);
        scree_mesh_destroy(mesh);
    }
}

/*  Both facets of an edge must answer in the same bits where they answer "on the edge", whichever way they
    go along it, and all facets of a vertex. */
TEST(facets_agree_to_the_last_bit_on_what_they_share)
{
    scree_random random = scree_random_stream(2, 0);
    size_t edges = 0, vertices = 0;
    for (int i = 0; i < 30000; i++) {
        double v[12], p[3];
        uint32_t f[6] = {0, 1, 2, 3, 1, 0};
        for (int k = 0; k < 12; k++)
            v[k] = scree_random_range(&random, -1, 1);
        if (i & 1) {
            f[4] = 0;
            f[5] = 1;
        }
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *mesh;
        def.vertices = v;
        def.vertex_count = 4;
        def.facets = f;
        def.facet_count = 2;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        for (int k = 0; k < 3; k++)
            p[k] = 2 * (v[k] + v[3 + k]) - v[6 + k] - v[9 + k] +
                   scree_random_range(&random, -0.5, 0.5);
        scree_facet_point a = nearest(mesh, 0, p[0], p[1], p[2]);
        scree_facet_point b = nearest(mesh, 1, p[0], p[1], p[2]);
        bool both_edges = a.feature == SCREE_ON_EDGE && b.feature == SCREE_ON_EDGE + 1;
        bool both_ends = a.feature == SCREE_ON_VERTEX + 1 &&
                         b.feature == (i & 1 ? SCREE_ON_VERTEX + 2 : SCREE_ON_VERTEX + 1);
        if (both_edges || both_ends)
            CHECK(same_bits(a.away, b.away, sizeof a.away) && a.away_sq == b.away_sq);
        edges += both_edges;
        vertices += both_ends;
        scree_mesh_destroy(mesh);
    }
    CHECK(edges > 1000 && vertices > 1000);
}

/*  An edge a million times longer than the distance: as exact as a short one near both of its ends. */
TEST(long_edges_lose_nothing_near_their_ends)
{
    scree_random random = scree_random_stream(4, 0);
    for (int i = 0; i < 2000; i++) {
        double v[9] = {0, 0, 0, 1e6, 3e5, -2e5, 1e6, -7e5, 4e5}, p[3];
        int end = i % 3;
        /* beside an edge, or over the face, a few units from a vertex */
        for (int k = 0; k < 3; k++) {
            double other = v[3 * ((end + 1) % 3) + k] - v[3 * end + k];
            double third = v[3 * ((end + 2) % 3) + k] - v[3 * end + k];
            double beside = i % 2 ? other - 0.3 * third : third - 0.3 * other;
            p[k] = v[3 * end + k] + 3e-6 * (i % 5 ? beside : other + third) +
                   scree_random_range(&random, -0.1, 0.1);
        }
        scree_mesh *mesh = one_triangle(v);
        scree_facet_point fast = nearest(mesh, 0, p[0], p[1], p[2]);
        long double slow[3];
        nearest_slowly(mesh, 0, p, slow);
        if (i % 5)
            CHECK(fast.feature >= SCREE_ON_EDGE && fast.feature < SCREE_ON_VERTEX);
        else
            CHECK_EQUAL(fast.feature, SCREE_ON_FACE);
        /* the reference reckons from the first end: 2^-64 of 1e6, a few times */
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(fast.away[k], (double)slow[k], 5e-13);
        scree_mesh_destroy(mesh);
    }
}

TEST(nearest_points_of_segments)
{
    double v[] = {0, 0, 0, 3, 4, 0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.corners = 2;
    def.vertices = v;
    def.vertex_count = 2;
    def.facet_count = 1;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    scree_facet_point point = nearest(mesh, 0, 3 - 4, 4 - (-3) - 2.5, 0);
    CHECK_EQUAL(point.feature, SCREE_ON_FACE);
    /* (-1, 4.5): 3 along, 3.5 to the left */
    CHECK_NEAR(point.height, 3.5, 1e-15);
    CHECK_NEAR(point.away[0], 3.5 * 0.8, 1e-15);
    CHECK_NEAR(point.away[1], -3.5 * 0.6, 1e-15);
    CHECK_NEAR(point.away_sq, 12.25, 1e-14);
    point = nearest(mesh, 0, -1, -1, 0);
    CHECK_EQUAL(point.feature, SCREE_ON_VERTEX);
    CHECK(point.away[0] == 1 && point.away[1] == 1 && point.away_sq == 2);
    point = nearest(mesh, 0, 3, 5, 0);
    CHECK_EQUAL(point.feature, SCREE_ON_VERTEX + 1);
    CHECK(point.away[0] == 0 && point.away[1] == -1);
    CHECK_NEAR(point.height, 0.6, 1e-15);
    scree_mesh_destroy(mesh);
}

/* ---- search ---- */

/*  What is found is ascending, and all that the slow reference finds, but for what is within rounding. */
static void check_near(const scree_mesh *mesh, const double p[3], double reach,
                       scree_memory *memory, scree_facet_list *list)
{
    size_t at = 0;
    CHECK(scree_mesh_near(mesh, p, reach, memory, list) == SCREE_OK);
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        long double point[3];
        long double slack =
            nearest_slowly(mesh, f, p, point) / ((long double)reach * (long double)reach) - 1;
        bool found = at < list->count && list->facet[at] == f;
        at += found;
        if (slack < 1e-9L ? !found && slack < -1e-9L : found)
            FAIL("facet %u is %sfound at %g %g %g, reach %g, off by %Lg", f, found ? "" : "not ",
                 p[0], p[1], p[2], reach, slack);
    }
    CHECK_EQUAL(at, list->count);
}

TEST(facets_near_a_point_are_all_found)
{
    scree_random random = scree_random_stream(3, 0);
    scree_memory memory;
    scree_facet_list list = {NULL, 0, 0};
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    for (int round = 0; round < 60; round++) {
        uint32_t size = 1 + (uint32_t)round / 5;
        double centre = round % 4 == 3 ? 1e4 : 0, scale = round % 5 == 4 ? 1e-6 : 1;
        maker m = round % 3 == 0   ? maker_plane(size, 1, 0.2, &random)
                  : round % 3 == 1 ? maker_ball(size)
                                   : maker_box((double[]){0, 0, 0}, (double[]){1, 20, 1e-3});
        for (size_t i = 0; i < 3 * (size_t)m.vertex_count; i++)
            m.vertex[i] = m.vertex[i] * scale + centre;
        scree_mesh_def def = maker_def(&m);
        scree_mesh *mesh;
        def.weld = 0;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        for (int i = 0; i < 100; i++) {
            double p[3], reach = scale * scree_random_log_uniform(&random, 1e-3, 3);
            for (int k = 0; k < 3; k++)
                p[k] = centre +
                       scale * scree_random_range(&random, -1.5, 1.5) * (i % 10 == 9 ? 100 : 1);
            check_near(mesh, p, i % 10 == 9 ? scale * 100 : reach, &memory, &list);
        }
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
    scree_facet_list_free(&list, &memory);
    CHECK_EQUAL(memory.bytes, 0);
}

/*  Just within reach, beside the end of the mesh where the boxes are rounded most. */
TEST(the_rounding_of_boxes_loses_nothing)
{
    scree_random random = scree_random_stream(6, 0);
    scree_memory memory;
    scree_facet_list list = {NULL, 0, 0};
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    for (int i = 0; i < 500; i++) {
        double width = scree_random_range(&random, 0.1, 3);
        double reach = width * scree_random_log_uniform(&random, 1e-9, 1e-1);
        maker m = maker_plane(3, width, 0.2, &random);
        scree_mesh *mesh = maker_mesh(&m);
        double end = mesh->upper[0], p[3] = {end + reach * (1 - 1e-6), 0.4 * width, 0};
        if (reach > 1e-8 * width) { /* else 1e-6 of it is lost in the sum */
            CHECK(scree_mesh_near(mesh, p, reach, &memory, &list) == SCREE_OK);
            CHECK(list.count >= 1);
        }
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
    scree_facet_list_free(&list, &memory);
}

TEST(searches_with_extreme_numbers)
{
    maker m = maker_ball(9);
    scree_mesh *mesh = maker_mesh(&m);
    scree_memory memory;
    scree_facet_list list = {NULL, 0, 0};
    double origin[3] = {0, 0, 0}, far[3] = {1e50, -1e50, 0}, top[3] = {0, 0, 1};
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    double reaches[] = {INFINITY, 1e300, 1e60, 1e20, 1.001};
    for (size_t i = 0; i < SCREE_COUNT_OF(reaches); i++) {
        CHECK(scree_mesh_near(mesh, origin, reaches[i], &memory, &list) == SCREE_OK);
        CHECK_EQUAL(list.count, mesh->facet_count);
    }
    CHECK(scree_mesh_near(mesh, origin, 0.5, &memory, &list) == SCREE_OK && list.count == 0);
    CHECK(scree_mesh_near(mesh, far, 1e49, &memory, &list) == SCREE_OK && list.count == 0);
    CHECK(scree_mesh_near(mesh, far, 2e50, &memory, &list) == SCREE_OK);
    CHECK_EQUAL(list.count, mesh->facet_count);
    CHECK(scree_mesh_near(mesh, top, 0, &memory, &list) == SCREE_OK);
    CHECK_EQUAL(list.count, 4); /* those that have this vertex */
    /* groups that are not full: what is not there is not found */
    scree_random random = scree_random_stream(5, 0);
    maker plane = maker_plane(7, 1, 0.2, &random);
    scree_mesh *flat = maker_mesh(&plane);
    CHECK(scree_mesh_near(flat, top, INFINITY, &memory, &list) == SCREE_OK);
    CHECK_EQUAL(list.count, 98);
    for (uint32_t i = 0; i < 98; i++)
        CHECK_EQUAL(list.facet[i], i);
    scree_mesh_destroy(flat);
    maker_free(&plane);
    scree_facet_list_free(&list, &memory);

    failing_allocator hooks = {.fail_at = 1};
    scree_allocator allocator = failing_allocator_hooks(&hooks);
    CHECK(scree_memory_init(&memory, &allocator) == SCREE_OK);
    CHECK(scree_mesh_near(mesh, top, 1, &memory, &list) == SCREE_OUT_OF_MEMORY);
    scree_facet_list_free(&list, &memory);
    CHECK(failing_allocator_is_clean(&hooks));
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(segments_are_searched_too)
{
    double v[200 * 3];
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    scree_memory memory;
    scree_facet_list list = {NULL, 0, 0};
    for (int i = 0; i < 200; i++) {
        v[3 * i] = i / 2 + i % 2 * 0.5;
        v[3 * i + 1] = v[3 * i + 2] = 0;
    }
    def.corners = 2;
    def.vertices = v;
    def.vertex_count = 200;
    def.facet_count = 100; /* [0, 0.5], [1, 1.5], ... */
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    double p[3] = {40.25, 3, 0};
    CHECK(scree_mesh_near(mesh, p, 5, &memory, &list) == SCREE_OK);
    CHECK_EQUAL(list.count, 9); /* 4 to either side: 3.75 + 0.25 is at the end of the next */
    for (uint32_t i = 0; i < 9; i++)
        CHECK_EQUAL(list.facet[i], 36 + i);
    scree_facet_list_free(&list, &memory);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(spheres_and_discs_have_their_mass),
        CASE(masses_that_cannot_be_are_refused),
        CASE(nearest_points_lie_on_the_right_feature),
        CASE(nearest_points_agree_with_the_slow_reference),
        CASE(facets_agree_to_the_last_bit_on_what_they_share),
        CASE(long_edges_lose_nothing_near_their_ends),
        CASE(nearest_points_of_segments),
        CASE(facets_near_a_point_are_all_found),
        CASE(the_rounding_of_boxes_loses_nothing),
        CASE(searches_with_extreme_numbers),
        CASE(segments_are_searched_too),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
