/*  The formula of superquadrics: mass properties against sums over slices, highest points against the surface and
    against differences, and meshes and refusals. */
#include "shape/superquadric.h"

#include "base/random.h"
#include "base/vector.h"
#include "scree/scree.h"
#include "test.h"

#include <math.h>

static scree_superquadric make(double a, double b, double c, double m, double n)
{
    const double radii[3] = {a, b, c}, exponents[2] = {m, n};

    return scree_superquadric_of(radii, exponents);
}

/*  The left side of the formula. */
static double formula_at(const scree_superquadric *s, const double x[3])
{
    const double m = s->exponents[0], n = s->exponents[1];
    const double inner = pow(fabs(x[0] / s->radii[0]), n) + pow(fabs(x[1] / s->radii[1]), n);

    return pow(inner, m / n) + (s->radii[2] > 0 ? pow(fabs(x[2] / s->radii[2]), m) : 0);
}

/* ---- mass ---- */

/*  Volume and moments x^2, y^2, z^2 as sums over a grid of the substituted variables sin t, which has no singular
    ends. */
static void slow_moments(const scree_superquadric *s, double sums[4])
{
    const double m = s->exponents[0], n = s->exponents[1];
    const int cuts = 4000;
    double area = 0, across = 0;

    for (int k = 0; k < 4; k++)
        sums[k] = 0;
    /* the superellipse of half axes 1: its area, and its moment along x by strips */
    for (int k = 0; k < cuts; k++) {
        const double t = acos(-1.0) * ((k + 0.5) / cuts - 0.5), x = sin(t);
        const double strip = 2 * pow(1 - pow(fabs(x), n), 1 / n) * cos(t) * acos(-1.0) / cuts;
        area += strip;
        across += x * x * strip;
    }
    for (int k = 0; k < cuts; k++) {
        const double t = acos(-1.0) * ((k + 0.5) / cuts - 0.5), z = sin(t);
        const double size = pow(1 - pow(fabs(z), m), 1 / m), thick = cos(t) * acos(-1.0) / cuts;
        sums[0] += area * size * size * thick;
        sums[1] += across * pow(size, 4) * thick;
        sums[3] += z * z * area * size * size * thick;
    }
    sums[2] = sums[1];
}

TEST(mass_is_that_of_slices)
{
    const double exponents[] = {2, 2.7, 4, 8};

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const scree_superquadric s = make(1.1, 0.7, 0.3, exponents[i], exponents[j]);
            const double *r = s.radii;
            double sums[4];
            scree_mesh_solid solid = {0};
            scree_superquadric_solid(&s, 2, &solid);
            slow_moments(&s, sums);
            const double volume = sums[0] * r[0] * r[1] * r[2];
            CHECK_NEAR(solid.volume, volume, 1e-5 * volume);
            for (int k = 0; k < 3; k++) {
                const int p = (k + 1) % 3, q = (k + 2) % 3;
                const double inertia = 2 * r[0] * r[1] * r[2] *
                                       (sums[1 + p] * r[p] * r[p] + sums[1 + q] * r[q] * r[q]);
                CHECK_NEAR(solid.principal[k], inertia, 1e-5 * inertia);
            }
        }
}

/*  The general formula, with an exponent next to 2, meets that of the ellipsoid. */
TEST(mass_of_an_ellipsoid)
{
    const scree_superquadric s = make(3, 2, 1, 2, 2), near = make(3, 2, 1, 2 + 1e-9, 2 + 1e-9);
    scree_mesh_solid solid = {0}, other = {0};

    scree_superquadric_solid(&s, 1, &solid);
    scree_superquadric_solid(&near, 1, &other);
    CHECK_NEAR(solid.volume, 8 * acos(-1.0), 1e-13);
    CHECK_NEAR(solid.principal[0], solid.volume * (4 + 1) / 5, 1e-12);
    CHECK_NEAR(other.volume, solid.volume, 1e-7);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(other.principal[k], solid.principal[k], 1e-6);
    const scree_superquadric flat = make(3, 2, 0, 2, 2), flat_near = make(3, 2, 0, 2, 2 + 1e-9);
    scree_superquadric_solid(&flat, 1, &solid);
    scree_superquadric_solid(&flat_near, 1, &other);
    CHECK_NEAR(solid.volume, 6 * acos(-1.0), 1e-13);
    CHECK_NEAR(solid.principal[2], solid.volume * (9 + 4) / 4, 1e-12);
    CHECK_NEAR(other.volume, solid.volume, 1e-7);
    CHECK_NEAR(other.principal[2], solid.principal[2], 1e-6);
}

/* ---- highest points ---- */

static scree_superquadric random_shape(scree_random *random)
{
    const double exponents[4] = {2, 2.5, 4, 8};

    return make(scree_random_range(random, 0.1, 1), scree_random_range(random, 0.1, 1),
                scree_random_range(random, 0.1, 1), exponents[scree_random_below(random, 4)],
                exponents[scree_random_below(random, 4)]);
}

/*  It is on the surface, the normal there is the direction, and no other point of the surface is higher. */
TEST(highest_points_are_on_the_surface)
{
    scree_random random = scree_random_stream(5, 0);
    const int count = TEST_EFFORT(300, 5000);

    for (int n = 0; n < count; n++) {
        const scree_superquadric s = random_shape(&random);
        double way[3], point[3], normal[3], far = 0;
        for (int k = 0; k < 3; k++)
            way[k] = scree_random_normal(&random);
        if (n % 5 == 0)
            way[n / 5 % 3] = 0;
        scree_superquadric_highest(&s, way, point, NULL);
        CHECK_NEAR(formula_at(&s, point), 1, 1e-12);
        scree_superquadric_normal(&s, point, normal);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(normal[k] / scree_length(normal), way[k] / scree_length(way), 1e-9);
        for (int i = 0; i < 50; i++) {
            double other[3];
            for (int k = 0; k < 3; k++)
                other[k] = scree_random_normal(&random);
            /* of degree m, so this is a point of the surface */
            const double scale = pow(formula_at(&s, other), -1 / s.exponents[0]);
            for (int k = 0; k < 3; k++)
                other[k] *= scale;
            CHECK(scree_dot(way, other) <= scree_dot(way, point) * (1 + 1e-12));
            far = fmax(far, scree_length(other));
        }
        CHECK(far <= s.far * (1 + 1e-12));
        CHECK(s.far <= sqrt(3));
    }
}

/*  Where it is not infinite, the derivative is that of differences. */
TEST(bends_are_differences)
{
    scree_random random = scree_random_stream(6, 0);

    for (int n = 0; n < 200; n++) {
        const scree_superquadric s = random_shape(&random);
        double way[3], point[3], bend[3][3];
        for (int k = 0; k < 3; k++)
            way[k] =
                (scree_random_below(&random, 2) ? 1 : -1) * scree_random_range(&random, 0.3, 1);
        const double length = scree_length(way);
        for (int k = 0; k < 3; k++)
            way[k] /= length;
        scree_superquadric_highest(&s, way, point, bend);
        for (int j = 0; j < 3; j++) {
            double up[3], down[3], high[3], low[3];
            const double h = 1e-6;
            memcpy(up, way, sizeof up);
            memcpy(down, way, sizeof down);
            up[j] += h;
            down[j] -= h;
            scree_superquadric_highest(&s, up, high, NULL);
            scree_superquadric_highest(&s, down, low, NULL);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(bend[k][j], (high[k] - low[k]) / (2 * h), 1e-6);
        }
    }
}

/*  The farthest point in closed form against many points. */
TEST(farthest_points)
{
    scree_random random = scree_random_stream(8, 0);

    for (int n = 0; n < 30; n++) {
        const scree_superquadric s = random_shape(&random);
        double far = 0;
        for (int i = 0; i < 20000; i++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = s.radii[k] * scree_random_normal(&random);
            const double scale = pow(formula_at(&s, at), -1 / s.exponents[0]);
            far = fmax(far, scale * scree_length(at));
        }
        CHECK(far <= s.far * (1 + 1e-12));
        CHECK(far >= s.far * 0.99);
    }
}

/* ---- meshes ---- */

TEST(meshes_are_closed_and_on_the_surface)
{
    for (int flat = 0; flat < 2; flat++)
        for (uint32_t facets = 8; facets < 3000; facets = facets * 3 / 2 + 1) {
            scree_superquadric_def def = scree_default_superquadric_def();
            scree_mesh *mesh = NULL;
            def.radii[0] = 0.9;
            def.radii[1] = 0.5;
            def.radii[2] = flat ? 0 : 0.2;
            def.exponents[0] = flat ? 2 : 6;
            def.exponents[1] = 3;
            def.dimensions = flat ? 2 : 3;
            def.facets = facets;
            CHECK_EQUAL(scree_mesh_superquadric(&def, &mesh), SCREE_OK);
            const scree_mesh_info info = scree_mesh_describe(mesh);
            const scree_superquadric s = scree_superquadric_of(def.radii, def.exponents);
            CHECK_EQUAL(info.open_edges, 0);
            CHECK_EQUAL(info.flipped_edges, 0);
            CHECK(info.facet_count >= facets / 3 && info.facet_count <= 2 * facets + 8);
            for (uint32_t v = 0; v < info.vertex_count; v++)
                CHECK_NEAR(formula_at(&s, info.vertices + 3 * (size_t)v), 1, 1e-12);
            CHECK(info.radii[0] == 0.9 && info.exponents[1] == 3 && info.far == s.far);
            scree_mesh_solid solid, exact = {0};
            CHECK_EQUAL(scree_mesh_solid_of(mesh, 1, &solid, NULL), SCREE_OK);
            scree_superquadric_solid(&s, 1, &exact);
            CHECK(solid.volume == exact.volume && solid.area > 0);
            CHECK(!solid.inward);
            scree_mesh_destroy(mesh);
        }
}

static void refuse(scree_superquadric_def def, const char *field)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;

    def.error = &error;
    CHECK_EQUAL(scree_mesh_superquadric(&def, &mesh), SCREE_BAD_VALUE);
    CHECK(mesh == NULL);
    CHECK_SAYS(error.text, field);
}

TEST(bad_values_are_refused)
{
    scree_superquadric_def good = scree_default_superquadric_def(), def;
    scree_mesh *mesh = NULL;

    refuse(good, "radii[0] is 0");
    for (int k = 0; k < 3; k++)
        good.radii[k] = 1;
    const double bad[] = {0, -1, NAN, INFINITY, 1e51};
    for (int n = 0; n < 5; n++)
        for (int k = 0; k < 3; k++) {
            def = good;
            def.radii[k] = bad[n];
            refuse(def, k == 0 ? "radii[0]" : k == 1 ? "radii[1]" : "radii[2]");
        }
    def = good;
    def.radii[1] = 0.009;
    refuse(def, "at most 100 times");
    const double wrong[] = {1.9, 8.1, NAN, -4};
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 2; k++) {
            def = good;
            def.exponents[k] = wrong[n];
            refuse(def, k == 0 ? "exponents[0]" : "exponents[1]");
        }
    def = good;
    def.dimensions = 4;
    refuse(def, "dimensions is 4");
    def.dimensions = 2;
    refuse(def, "radii[2] is 1, must be 0");
    def.radii[2] = 0;
    def.exponents[0] = 3;
    refuse(def, "exponents[0] is 3, must be 2");
    def = good;
    def.facets = 7;
    refuse(def, "facets is 7");
    def.facets = 1000001;
    refuse(def, "facets is 1000001");
    def = good;
    def.cookie = 0;
    CHECK_EQUAL(scree_mesh_superquadric(&def, &mesh), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_mesh_superquadric(NULL, &mesh), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_mesh_superquadric(&good, NULL), SCREE_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(mass_is_that_of_slices),
                                      CASE(mass_of_an_ellipsoid),
                                      CASE(highest_points_are_on_the_surface),
                                      CASE(bends_are_differences),
                                      CASE(farthest_points),
                                      CASE(meshes_are_closed_and_on_the_surface),
                                      CASE(bad_values_are_refused)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
