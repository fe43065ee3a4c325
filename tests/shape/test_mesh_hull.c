/*  Convex hulls: what they enclose against closed forms and all pairs of points and facets, whatever lies in planes, on
    lines, or twice at one place. */
#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"
#include "shape/orient.h"

#include <math.h>

#define PI 3.14159265358979323846

static scree_mesh *hull_of(const double *points, uint32_t count, double tolerance)
{
    scree_hull_def def = scree_default_hull_def();
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;

    def.points = points;
    def.point_count = count;
    def.tolerance = tolerance > 0 ? tolerance : def.tolerance;
    def.error = &error;
    if (scree_mesh_hull(&def, &mesh))
        FAIL("%s", error.text);
    return mesh;
}

/*  Closed, facing outward, convex, and no point sticks out. */
static double check_hull(const scree_mesh *mesh, const double *points, uint32_t count, double slack)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    scree_error error = {SCREE_OK, ""};
    scree_mesh_solid solid;

    CHECK_EQUAL(info.open_edges + info.nonmanifold_edges + info.flipped_edges, 0);
    CHECK_EQUAL(info.facet_count, 2 * info.vertex_count - 4);
    if (scree_mesh_solid_of(mesh, 1, &solid, &error))
        FAIL("%s", error.text);
    CHECK(!solid.inward);
    for (uint32_t f = 0; f < info.facet_count; f++) {
        const double *a = info.vertices + 3 * (size_t)info.facets[3 * f];
        const double *b = info.vertices + 3 * (size_t)info.facets[3 * f + 1];
        const double *c = info.vertices + 3 * (size_t)info.facets[3 * f + 2];
        double n[3], length = 0;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            length += n[k] * n[k];
        }
        for (uint32_t p = 0; p < count; p++) {
            double over = 0;
            for (size_t k = 0; k < 3; k++)
                over += n[k] * (points[3 * (size_t)p + k] - a[k]);
            if (!(over <= slack * sqrt(length)))
                FAIL("point %u is %g above facet %u", p, over / sqrt(length), f);
        }
    }
    return solid.volume;
}

TEST(sides_of_planes_are_exact)
{
    const double a[3] = {0.1, 0.2, 0.3}, b[3] = {0.7, 0.1, 0.2}, c[3] = {0.3, 0.9, 0.4};
    scree_random random = scree_random_stream(3, 1);

    CHECK_EQUAL(scree_orient((double[]){0, 0, 0}, (double[]){1, 0, 0}, (double[]){0, 1, 0},
                             (double[]){0.3, 0.3, 0x1p-280}),
                1);
    CHECK_EQUAL(scree_orient((double[]){0, 0, 0}, (double[]){1, 0, 0}, (double[]){0, 1, 0},
                             (double[]){0.3, 0.3, -0x1p-280}),
                -1);
    CHECK_EQUAL(scree_orient(a, b, c, a), 0);
    CHECK_EQUAL(scree_orient(a, b, c, b), 0);
    /* in the plane x = y but for the last bit: sums of doubles would not see it */
    for (int n = 0; n < 2000; n++) {
        double p[4][3];
        for (int k = 0; k < 4; k++) {
            p[k][0] = p[k][1] = scree_random_unit(&random);
            p[k][2] = scree_random_unit(&random);
        }
        CHECK_EQUAL(scree_orient(p[0], p[1], p[2], p[3]), 0);
        p[3][0] = nextafter(p[3][0], 2);
        int side = scree_orient(p[0], p[1], p[2], p[3]);
        CHECK(side != 0);
        p[3][0] = nextafter(nextafter(p[3][0], -1), -1);
        CHECK_EQUAL(scree_orient(p[0], p[1], p[2], p[3]), -side);
        /* turning round, and exchanging two */
        CHECK_EQUAL(scree_orient(p[1], p[2], p[0], p[3]), -side);
        CHECK_EQUAL(scree_orient(p[1], p[0], p[2], p[3]), side);
        CHECK_EQUAL(scree_orient(p[3], p[0], p[1], p[2]), side);
    }
}

/*  The eight corners of a box are all that is left of a lattice of points, of points twice, and of such that are off by
    rounding, wherever the box is. */
TEST(boxes_have_eight_corners)
{
    scree_random random = scree_random_stream(4, 1);

    for (int n = 0; n < 30; n++) {
        double points[3 * 250], size[3], turn = 0.3 * n;
        uint32_t count = 0, cells = (uint32_t)(n % 5) + 1;
        for (int k = 0; k < 3; k++)
            size[k] = scree_random_range(&random, 0.1, 1);
        for (uint32_t i = 0; i <= cells; i++)
            for (uint32_t j = 0; j <= cells; j++)
                for (uint32_t k = 0; k <= cells; k++, count++) {
                    double x = size[0] * i / cells, y = size[1] * j / cells;
                    bool turned = n % 2;
                    points[3 * count] = (turned ? cos(turn) * x - sin(turn) * y : x) + (n > 20) * 7;
                    points[3 * count + 1] = turned ? sin(turn) * x + cos(turn) * y : y;
                    points[3 * count + 2] = size[2] * k / cells;
                }
        for (uint32_t k = 0; k < 9; k++)
            points[3 * count + k] = points[k];
        count += 3;
        for (uint32_t k = count; k-- > 1;) {
            uint32_t with = scree_random_below(&random, k + 1);
            for (uint32_t a = 0; a < 3; a++) {
                double kept = points[3 * k + a];
                points[3 * k + a] = points[3 * with + a];
                points[3 * with + a] = kept;
            }
        }
        scree_mesh *mesh = hull_of(points, count, 0);
        double volume = check_hull(mesh, points, count, 1e-9);
        CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 8);
        CHECK_NEAR(volume, size[0] * size[1] * size[2], 1e-8);
        scree_mesh_destroy(mesh);
    }
}

TEST(points_by_chance)
{
    scree_random random = scree_random_stream(5, 1);

    for (int n = 0; n < TEST_EFFORT(20, 120); n++) {
        double points[3 * 200];
        uint32_t count = 4 + scree_random_below(&random, 196);
        double scale = n % 3 == 0 ? 1 : n % 3 == 1 ? 1e40 : 1e-50;
        for (uint32_t k = 0; k < 3 * count; k++)
            points[k] =
                scale * scree_random_normal(&random) * (k % 3 == 2 && n % 4 == 0 ? 0.01 : 1);
        /* some at places of a coarse lattice: many in planes and on lines */
        for (uint32_t k = 0; k < 3 * count && n % 5 == 0; k++)
            points[k] = scale * scree_random_below(&random, 4);
        scree_hull_def def = scree_default_hull_def();
        scree_mesh *mesh = NULL;
        def.points = points;
        def.point_count = count;
        if (scree_mesh_hull(&def, &mesh)) {
            CHECK(n % 5 == 0 && count < 12); /* they lay in a plane */
            continue;
        }
        check_hull(mesh, points, count, 1e-8 * 5 * scale);
        scree_mesh_destroy(mesh);
    }
}

/*  Points on a ball are all corners; with a larger tolerance there are fewer. */
TEST(balls_have_all_corners)
{
    const uint32_t count = TEST_EFFORT(300, 2000);
    static double points[3 * 2000];
    scree_random random = scree_random_stream(6, 1);

    for (uint32_t p = 0; p < count; p++) {
        double length = 0;
        for (uint32_t k = 0; k < 3; k++) {
            points[3 * p + k] = scree_random_normal(&random);
            length += points[3 * p + k] * points[3 * p + k];
        }
        for (uint32_t k = 0; k < 3; k++)
            points[3 * p + k] *= 0.5 / sqrt(length);
    }
    scree_mesh *fine = hull_of(points, count, 0), *coarse = hull_of(points, count, 0.01);
    double volume = check_hull(fine, points, count, 1e-8);
    CHECK_EQUAL(scree_mesh_describe(fine).vertex_count, count);
    CHECK(volume < PI / 6 && volume > 0.9 * PI / 6);
    CHECK(scree_mesh_describe(coarse).vertex_count < count);
    check_hull(coarse, points, count, 0.05);
    scree_mesh_destroy(fine);
    scree_mesh_destroy(coarse);
}

/*  Vertices are the very numbers that were given. */
TEST(corners_keep_their_bits)
{
    const double points[] = {1e60, 0, 0, 0, 1e60, 1, 0, -1e59, 1e60, -1e60, 1e-60, 0.1, 0, 0, 0};
    scree_mesh *mesh = hull_of(points, 5, 0);
    scree_mesh_info info = scree_mesh_describe(mesh);

    CHECK_EQUAL(info.vertex_count, 4);
    for (uint32_t v = 0; v < 4; v++) {
        bool found = false;
        for (uint32_t p = 0; p < 5; p++)
            found |= memcmp(info.vertices + 3 * v, points + 3 * p, 3 * sizeof(double)) == 0;
        CHECK(found);
    }
    scree_mesh_destroy(mesh);
}

static void refuse_hull(const scree_hull_def *def, scree_status status, const char *why)
{
    scree_hull_def asked = *def;
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh = (scree_mesh *)(uintptr_t)8;

    asked.error = &error;
    CHECK_EQUAL(scree_mesh_hull(&asked, &mesh), status);
    CHECK(mesh == NULL);
    if (!strstr(error.text, why))
        FAIL("\"%s\" does not say \"%s\"", error.text, why);
}

TEST(what_spans_no_body_is_refused)
{
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1e-12};
    scree_hull_def good = scree_default_hull_def(), def;
    scree_mesh *mesh;

    good.points = points;
    good.point_count = 5;
    CHECK_EQUAL(scree_mesh_hull(&good, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_mesh_hull(NULL, &mesh), SCREE_BAD_ARGUMENT);
    def = good;
    def.cookie = 0;
    CHECK_EQUAL(scree_mesh_hull(&def, &mesh), SCREE_BAD_DEF);
    def = good;
    def.allocator.allocate = failing_allocator_allocate;
    refuse_hull(&def, SCREE_BAD_DEF, "allocator");
    def = good;
    def.points = NULL;
    refuse_hull(&def, SCREE_BAD_ARGUMENT, "points is NULL");
    def = good;
    def.point_count = 3;
    refuse_hull(&def, SCREE_BAD_ARGUMENT, "point_count is 3");
    def.point_count = 1u << 30;
    refuse_hull(&def, SCREE_BAD_ARGUMENT, "point_count is 1073741824");
    def = good;
    def.tolerance = 0;
    refuse_hull(&def, SCREE_BAD_VALUE, "tolerance is 0");
    def.tolerance = 0.2;
    refuse_hull(&def, SCREE_BAD_VALUE, "tolerance is 0.2");
    points[7] = NAN;
    refuse_hull(&good, SCREE_BAD_VALUE, "point 2: y is nan");
    points[7] = 1e61;
    refuse_hull(&good, SCREE_BAD_VALUE, "point 2: y is 1e+61");
    points[7] = 1;
    points[11] = 0;
    refuse_hull(&good, SCREE_BAD_VALUE, "the 5 points lie in a plane");
    for (int k = 0; k < 15; k++)
        points[k] = k % 3 == 0 ? k : 0;
    refuse_hull(&good, SCREE_BAD_VALUE, "the 5 points lie in a plane");
    for (int k = 0; k < 15; k++)
        points[k] = 3;
    refuse_hull(&good, SCREE_BAD_VALUE, "the 5 points lie in a plane");
}

TEST(memory_may_fail_at_any_time)
{
    double points[3 * 30];
    scree_random random = scree_random_stream(7, 1);

    for (int k = 0; k < 90; k++)
        points[k] = scree_random_unit(&random);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_hull_def def = scree_default_hull_def();
        scree_error error = {SCREE_OK, ""};
        scree_mesh *mesh;
        def.points = points;
        def.point_count = 30;
        def.error = &error;
        def.allocator = failing_allocator_hooks(&memory);
        scree_status status = scree_mesh_hull(&def, &mesh);
        CHECK_EQUAL(status, memory.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY);
        CHECK(!status || strstr(error.text, "out of memory"));
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sides_of_planes_are_exact),
        CASE(boxes_have_eight_corners),
        CASE(points_by_chance),
        CASE(balls_have_all_corners),
        CASE(corners_keep_their_bits),
        CASE(what_spans_no_body_is_refused),
        CASE(memory_may_fail_at_any_time),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
