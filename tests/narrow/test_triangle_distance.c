/*  Distances of triangles, segments, points and planes, one pair at a time: against a slow reference in long double. */
#include "test.h"

#include "harness/triangle_reference.h"
#include "narrow/triangle_distance.h"
#include "shape/facet_point.h"

static const char *const sorts[PAIR_SORTS] = {
    "near",
    "far",
    "needles",
    "segments",
    "points",
    "in a plane",
    "in parallel planes",
    "one corner",
    "one edge",
    "same",
    "crossing",
    "nearly parallel",
    "lattice",
    "of sizes",
};

/*  Points within rounding of their triangles, and as far from each other as is said. */
static void check_points(const triangle_pair *pair, const scree_gap *gap, double size)
{
    double square = 0;
    for (int s = 0; s < 2; s++) {
        triangle_pair own;
        for (int c = 0; c < 3; c++) {
            memcpy(own.corner[0][c], gap->point[s], sizeof own.corner[0][c]);
            memcpy(own.corner[1][c], pair->corner[s][c], sizeof own.corner[1][c]);
        }
        double scale =
            size + fabs(gap->point[s][0]) + fabs(gap->point[s][1]) + fabs(gap->point[s][2]);
        if (!(sqrtl(reference_distance_sq(&own)) <= 16 * 0x1p-53 * scale))
            FAIL("point %d is %Lg away from its triangle", s, sqrtl(reference_distance_sq(&own)));
    }
    for (int k = 0; k < 3; k++)
        square += pow(gap->point[0][k] - gap->point[1][k], 2);
    CHECK_NEAR(sqrt(square), gap->distance, 1e-14 * (size + fabs(gap->point[0][2])));
}

/*  The promise of the header: 2^-46 of the square of the size. */
static void check_against_reference(int sort, double factor, double offset, uint64_t count)
{
    long double worst = 0;
    for (uint64_t n = 0; n < count; n++) {
        scree_random random = scree_random_stream(1000 + (uint64_t)sort, n);
        triangle_pair pair;
        make_pair(&random, sort, &pair);
        place_pair(&pair, factor, offset);
        scree_gap gap = gap_of(&pair);
        long double truth = reference_distance_sq(&pair), size = pair_size(&pair);
        long double error = fabsl((long double)gap.distance * gap.distance - truth);
        if (!(error <= 0x1p-46L * size * size))
            FAIL("%s, pair %d, times %g at %g: distance %.17g, should be %.17Lg, size %Lg",
                 sorts[sort], (int)n, factor, offset, gap.distance, sqrtl(truth), size);
        worst = size > 0 ? fmaxl(worst, error / (size * size)) : worst;
        /* where a square is a number */
        if (factor == 1)
            CHECK_NEAR(gap.distance_sq, gap.distance * gap.distance, 1e-15 * gap.distance_sq);
        if (factor == 1)
            check_points(&pair, &gap, (double)size);
    }
    if (getenv("SCREE_TEST_TELL"))
        printf("%-20s worst error 2^-53 times %Lg\n", sorts[sort], worst * 0x1p53L);
}

TEST(distances_of_all_sorts)
{
    PROVES("NW-10");
    for (int sort = 0; sort < PAIR_SORTS; sort++)
        check_against_reference(sort, 1, 0, 4000);
    FIGURE("%d pairs and their points", PAIR_SORTS * 4000);
}

/*  Twice as large, which rounds alike: distances alone. */
TEST(distances_of_very_many)
{
    PROVES("NW-10");
    int pairs = TEST_EFFORT(1000, 80000);
    for (int sort = 0; sort < PAIR_SORTS; sort++)
        check_against_reference(sort, 2, 0, (uint64_t)pairs);
    FIGURE("%d pairs against long double", PAIR_SORTS * pairs);
}

TEST(distances_far_from_the_origin)
{
    for (int sort = 0; sort < PAIR_SORTS; sort++) {
        check_against_reference(sort, 1, 1e6, 400);
        check_against_reference(sort, 100, 1e15, 400);
    }
}

TEST(distances_of_tiny_and_huge_ones)
{
    for (int sort = 0; sort < PAIR_SORTS; sort++) {
        check_against_reference(sort, 1e-6, 0, 400);
        check_against_reference(sort, 1e15, 0, 400);
        check_against_reference(sort, 1e-300, 0, 400);
        check_against_reference(sort, 1e290, 0, 400);
    }
}

TEST(a_distance_does_not_depend_on_the_order)
{
    for (uint64_t n = 0; n < 3000; n++) {
        scree_random random = scree_random_stream(7, n);
        triangle_pair pair;
        make_pair(&random, (int)(n % PAIR_SORTS), &pair);
        double size = pair_size(&pair);
        double there = gap_of(&pair).distance;
        const triangle_pair *same = &pair;
        double back = scree_triangle_distance(same->corner[1], same->corner[0]).distance;
        /* each may err by 2^-46 of the square */
        CHECK_NEAR(there * there, back * back, 0x1p-45 * size * size);
    }
}

TEST(crossing_triangles_have_distance_zero)
{
    static const double flat[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const double through[3][3] = {{0.25, 0.25, -10}, {0.25, 0.25, 10}, {0.3, 5, 0}};
    static const double beside[3][3] = {{0.25, -0.25, -10}, {0.25, -0.25, 10}, {0.3, -5, 0}};
    scree_gap gap = scree_triangle_distance(flat, through);
    CHECK(gap.distance == 0 && gap.distance_sq == 0);
    CHECK(memcmp(gap.point[0], gap.point[1], sizeof gap.point[0]) == 0);
    CHECK_NEAR(gap.point[0][2], 0, 1e-15);
    gap = scree_triangle_distance(through, flat);
    CHECK(gap.distance == 0);
    /* the boundaries are as far apart as before */
    CHECK_NEAR(scree_triangle_distance(flat, beside).distance, 0.25, 1e-15);
    for (uint64_t n = 0; n < 2000; n++) {
        scree_random random = scree_random_stream(9, n);
        triangle_pair pair;
        make_pair(&random, PAIR_CROSSING, &pair);
        if (reference_distance_sq(&pair) < 1e-30L)
            CHECK(gap_of(&pair).distance == 0);
    }
}

TEST(touching_is_closed)
{
    static const double low[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const double high[3][3] = {{0, 0, 0.25}, {1, 0, 0.25}, {0, 1, 0.25}};
    scree_gap gap;
    CHECK(scree_triangles_touch(low, high, 0.25, &gap) && gap.distance == 0.25);
    CHECK(scree_triangles_touch(low, high, nextafter(0.25, 1), NULL));
    CHECK(!scree_triangles_touch(low, high, nextafter(0.25, 0), NULL));
    CHECK(!scree_triangles_touch(low, high, 0, NULL));
    CHECK(scree_triangles_touch(low, low, 0, &gap) && gap.distance == 0);
    /* reaches whose squares are no numbers */
    CHECK(scree_triangles_touch(low, high, 1e300, NULL));
    CHECK(!scree_triangles_touch(low, high, 1e-300, NULL));
}

TEST(numbers_at_the_ends_of_the_range)
{
    const double least = 4.9406564584124654e-324;
    const double tiny[3][3] = {{0, 0, 0}, {least, 0, 0}, {0, least, 0}};
    const double other[3][3] = {{0, 0, 4 * least}, {least, 0, 4 * least}, {0, least, 4 * least}};
    CHECK(scree_triangle_distance(tiny, other).distance == 4 * least);
    CHECK(scree_triangles_touch(tiny, other, 4 * least, NULL));
    CHECK(!scree_triangles_touch(tiny, other, 3 * least, NULL));
    const double huge[3][3] = {{-1e300, 0, 0}, {1e300, 0, 0}, {0, 1e300, 0}};
    const double above[3][3] = {{-1e300, 0, 1e300}, {1e300, 0, 1e300}, {0, 1e300, 1e300}};
    CHECK(scree_triangle_distance(huge, above).distance == 1e300);
    CHECK(scree_triangles_touch(huge, above, 1e300, NULL));
    CHECK(!scree_triangles_touch(huge, above, 0.9e300, NULL));
}

/* ---- segments ---- */

TEST(segments_against_the_reference)
{
    for (uint64_t n = 0; n < 20000; n++) {
        scree_random random = scree_random_stream(11, n);
        triangle_pair pair, thin;
        static const int of[4] = {PAIR_NEAR, PAIR_NEARLY_PARALLEL, PAIR_LATTICE, PAIR_POINTS};
        make_pair(&random, of[n % 4], &pair);
        if (n % 7 == 0)
            place_pair(&pair, 1e-300, 0);
        thin = pair;
        memcpy(thin.corner[0][2], thin.corner[0][1], sizeof thin.corner[0][2]);
        memcpy(thin.corner[1][2], thin.corner[1][1], sizeof thin.corner[1][2]);
        const triangle_pair *segments = &thin;
        scree_gap gap = scree_segment_distance(segments->corner[0], segments->corner[1]);
        long double truth = reference_distance_sq(&thin), size = pair_size(&thin);
        CHECK(fabsl((long double)gap.distance * gap.distance - truth) <= 0x1p-46L * size * size);
        CHECK(gap.share[0] >= 0 && gap.share[0] <= 1 && gap.share[1] >= 0 && gap.share[1] <= 1);
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += pow(gap.point[0][k] - gap.point[1][k], 2);
        if (n % 7 != 0)
            CHECK_NEAR(sqrt(square), gap.distance, 1e-14 * (double)size);
    }
}

/* ---- points, spheres, planes ---- */

/*  What meshes are asked for with spheres, where both know the answer. */
TEST(points_as_facets_of_meshes_see_them)
{
    uint32_t corners[3] = {0, 1, 2};
    scree_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.corners = 3;
    mesh.facets = corners;
    for (uint64_t n = 0; n < 20000; n++) {
        scree_random random = scree_random_stream(13, n);
        triangle_pair pair;
        make_pair(&random, PAIR_NEAR, &pair);
        const double *const corner[3] = {pair.corner[1][0], pair.corner[1][1], pair.corner[1][2]};
        double normal[3];
        scree_facet_normal(3, corner, normal);
        scree_facet_point facet =
            scree_facet_nearest(&mesh, pair.corner[1][0], normal, 0, pair.corner[0][0]);
        const double *place = pair.corner[0][0];
        const double(*triangle)[3] = (const double(*)[3])pair.corner[1];
        scree_gap gap = scree_point_triangle_distance(place, triangle);
        CHECK(memcmp(gap.point[0], place, sizeof gap.point[0]) == 0);
        /* both right to some 2^-50 of coordinates up to 2.5 */
        CHECK_NEAR(gap.distance_sq, facet.away_sq, 1e-13);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(gap.point[1][k] - gap.point[0][k], facet.away[k], 1e-6);
        double deep = scree_sphere_triangle_overlap(place, 0.75, triangle, &gap);
        CHECK_NEAR(deep, 0.75 - sqrt(facet.away_sq), 1e-7);
        CHECK(deep == scree_sphere_triangle_overlap(place, 0.75, triangle, NULL));
    }
}

TEST(points_and_triangles_without_area)
{
    const double point[3] = {1, 2, 3};
    const double same[3][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const double line[3][3] = {{0, 2, 3}, {4, 2, 3}, {2, 2, 3}};
    const double aside[3][3] = {{0, 2, 7}, {4, 2, 7}, {2, 2, 7}};
    CHECK(scree_point_triangle_distance(point, same).distance == 0);
    CHECK(scree_point_triangle_distance(point, line).distance == 0);
    CHECK(scree_point_triangle_distance(point, aside).distance == 4);
    CHECK(scree_sphere_triangle_overlap(point, 5, aside, NULL) == 1);
}

TEST(lowest_corners_over_planes)
{
    const double triangle[3][3] = {{0, 0, 3}, {1, 0, 2}, {0, 1, 2}};
    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, at[3] = {5, 5, 2.5};
    uint32_t corner = 9;
    CHECK(scree_triangle_plane_height(triangle, at, up, &corner) == -0.5);
    CHECK_EQUAL(corner, 1); /* of two the first */
    CHECK(scree_triangle_plane_height(triangle, at, down, &corner) == -0.5);
    CHECK_EQUAL(corner, 0);
    CHECK(scree_triangle_plane_height(triangle, at, up, NULL) == -0.5);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(distances_of_all_sorts),
        CASE(distances_of_very_many),
        CASE(distances_far_from_the_origin),
        CASE(distances_of_tiny_and_huge_ones),
        CASE(a_distance_does_not_depend_on_the_order),
        CASE(crossing_triangles_have_distance_zero),
        CASE(touching_is_closed),
        CASE(numbers_at_the_ends_of_the_range),
        CASE(segments_against_the_reference),
        CASE(points_as_facets_of_meshes_see_them),
        CASE(points_and_triangles_without_area),
        CASE(lowest_corners_over_planes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
