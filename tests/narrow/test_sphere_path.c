/*  What a sphere passes on a straight way, against a slow reference that looks at thousands of places of it. */
#include "base/random.h"
#include "base/vector.h"
#include "harness/mesh_maker.h"
#include "narrow/sphere_path.h"
#include "shape/facet_point.h"

#define LOOKS 2000

static void random_point(scree_random *random, double size, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = scree_random_range(random, -size, size);
}

static void at_share(const double from[3], const double to[3], double share, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = from[k] + share * (to[k] - from[k]);
}

TEST(how_near_a_way_comes_to_a_facet)
{
    scree_random random = scree_random_stream(1, 0);
    int crossed = 0;

    for (int n = 0; n < TEST_EFFORT(300, 3000); n++) {
        maker m = maker_new(3, 1);
        double from[3], to[3], nearest = INFINITY, length;
        bool crosses = false;
        for (int v = 0; v < 3; v++)
            maker_vertex(&m, scree_random_range(&random, -1, 1), scree_random_range(&random, -1, 1),
                         scree_random_range(&random, -1, 1));
        maker_facet(&m, 0, 1, 2);
        scree_mesh *mesh = maker_mesh(&m);
        random_point(&random, 1.5, from);
        random_point(&random, 1.5, to);
        /* and half of them about through its middle */
        for (int k = 0; k < 3 && n % 2; k++)
            to[k] =
                0.3 * to[k] - from[k] + (m.vertex[k] + m.vertex[3 + k] + m.vertex[6 + k]) * 2 / 3;
        length = scree_apart(from, to);
        double before = 0;
        for (int k = 0; k <= LOOKS; k++) {
            double point[3];
            at_share(from, to, (double)k / LOOKS, point);
            scree_facet_point near =
                scree_facet_nearest(mesh, mesh->vertices, mesh->normals, 0, point);
            nearest = fmin(nearest, sqrt(near.away_sq));
            double side = near.feature == SCREE_ON_FACE ? near.height : 0;
            crosses |= side * before < 0;
            before = side;
        }
        double found = scree_path_facet_distance(mesh, 0, from, to);
        CHECK(found <= nearest + 1e-12);
        CHECK(found >= nearest - length / LOOKS);
        if (crosses)
            CHECK(found <= 1e-12);
        crossed += crosses;
        /* the same the other way, and of a place */
        CHECK_NEAR(scree_path_facet_distance(mesh, 0, to, from), found, 1e-12);
        CHECK_NEAR(scree_path_facet_distance(mesh, 0, from, from),
                   sqrt(scree_facet_nearest(mesh, mesh->vertices, mesh->normals, 0, from).away_sq),
                   1e-12);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
    CHECK(crossed > 20);
}

/*  The rule, at thousands of places. */
static bool pass_slowly(const double from[3], const double to[3], double sum, double least,
                        bool *is_close)
{
    double nearest = INFINITY;
    bool begins = scree_length(from) < sum, ends = scree_length(to) < sum;

    for (int k = 0; k <= LOOKS; k++) {
        double point[3];
        at_share(from, to, (double)k / LOOKS, point);
        nearest = fmin(nearest, scree_length(point));
    }
    double edge = sum - 0.5 * least, grain = scree_apart(from, to) / LOOKS;
    *is_close =
        fabs(nearest - edge) <= grain || nearest >= fmin(scree_length(from), scree_length(to));
    if (begins && ends)
        return false;
    return nearest < edge && ((!begins && !ends) || scree_dot(from, to) < 0);
}

TEST(spheres_that_pass_each_other)
{
    scree_random random = scree_random_stream(2, 0);
    int passed = 0, missed = 0;

    for (int n = 0; n < TEST_EFFORT(1000, 20000); n++) {
        double from[3], to[3], least = scree_random_log_uniform(&random, 0.01, 1);
        bool is_close;
        random_point(&random, 4, from);
        random_point(&random, 4, to);
        bool due = pass_slowly(from, to, 1 + least, least, &is_close);
        bool found = scree_spheres_pass(from, to, 1 + least, least);
        CHECK(is_close || found == due);
        /* no way that is short enough passes: the bound of crossings.c */
        double way = scree_apart(from, to);
        CHECK(!found || way > least);
        CHECK(!found || way * way > 3 * (1 + least) * least);
        passed += found;
        missed += !found;
    }
    CHECK(passed > 50 && missed > 50);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(how_near_a_way_comes_to_a_facet),
        CASE(spheres_that_pass_each_other),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
