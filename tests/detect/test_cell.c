/*  The arithmetic of periodic cells, by itself: which cells are allowed, the vector of integer
    coordinates, the nearest image and the one in the brick, with any axes periodic and sheared. */
#include "detect/cell.h"
#include "test.h"

#include <math.h>

static scree_cell make(double x, double y, double z, double xy, double xz, double yz,
                       int dimensions)
{
    const double period[3] = {x, y, z}, tilt[3] = {xy, xz, yz};
    return scree_cell_make(period, tilt, dimensions);
}

static bool is_refused(double x, double y, double z, double xy, double xz, double yz,
                       int dimensions, const char *what)
{
    const double period[3] = {x, y, z}, tilt[3] = {xy, xz, yz};
    scree_error error = {SCREE_OK, ""};
    if (scree_cell_check(period, tilt, dimensions, &error) == SCREE_OK)
        return false;
    CHECK_EQUAL(error.status, SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, what);
    return true;
}

TEST(periods_are_checked)
{
    CHECK(!is_refused(0, 0, 0, 0, 0, 0, 3, ""));
    CHECK(!is_refused(1e-100, 1e100, 1, 0, 0, 0, 3, ""));
    CHECK(is_refused(0.9e-100, 1, 1, 0, 0, 0, 3, "period x"));
    CHECK(is_refused(1, 1.1e100, 1, 0, 0, 0, 3, "period y"));
    CHECK(is_refused(1, 1, -1, 0, 0, 0, 3, "period z"));
    CHECK(is_refused(1, NAN, 1, 0, 0, 0, 3, "period y"));
    CHECK(is_refused(1, 1, 1, 0, 0, 0, 2, "period z"));
    CHECK(!is_refused(1, 1, 0, 0.5, 0, 0, 2, ""));
}

/*  At most half the period along the tilt, both axes periodic. */
TEST(tilts_are_checked)
{
    CHECK(!is_refused(2, 4, 6, 1, -1, 2, 3, ""));
    CHECK(!is_refused(2, 4, 6, -1, 1, -2, 3, ""));
    CHECK(is_refused(2, 4, 6, 1.01, 0, 0, 3, "tilt xy"));
    CHECK(is_refused(2, 4, 6, 0, -1.01, 0, 3, "tilt xz"));
    CHECK(is_refused(2, 4, 6, 0, 0, 2.01, 3, "tilt yz"));
    CHECK(is_refused(2, 4, 6, 0, 0, NAN, 3, "tilt yz"));
    CHECK(is_refused(0, 4, 6, 0.1, 0, 0, 3, "at most 0 in magnitude"));
    CHECK(is_refused(2, 0, 6, 0.1, 0, 0, 3, "tilt xy"));
    CHECK(is_refused(2, 4, 0, 0, 0.1, 0, 3, "tilt xz"));
    CHECK(is_refused(2, 0, 6, 0, 0, 0.1, 3, "tilt yz"));
    CHECK(!is_refused(2, 0, 6, 0, 0.1, 0, 3, ""));
    CHECK(!is_refused(0, 4, 6, 0, 0, 0.1, 3, ""));
}

TEST(cells_are_on_with_any_period)
{
    for (int k = 0; k < 8; k++) {
        scree_cell cell = make(k & 1 ? 5 : 0, k & 2 ? 6 : 0, k & 4 ? 7 : 0, 0, 0, 0, 3);
        CHECK(cell.is_on == (k != 0));
        CHECK_NEAR(cell.period[0], k & 1 ? 5 : 0, 0);
        CHECK_NEAR(cell.period[1], k & 2 ? 6 : 0, 0);
        CHECK_NEAR(cell.period[2], k & 4 ? 7 : 0, 0);
    }
    scree_cell flat = make(0, 0, 7, 0, 0, 0, 2);
    CHECK(!flat.is_on);
    CHECK_NEAR(flat.period[2], 0, 0);
}

TEST(vectors_of_a_sheared_cell)
{
    scree_cell cell = make(100, 20, 4, 10, 3, 1, 3);
    static const double n[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double wanted[3][3] = {{100, 0, 0}, {10, 20, 0}, {3, 1, 4}};
    for (int j = 0; j < 3; j++) {
        double vector[3];
        scree_cell_vector(&cell, n[j], vector);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(vector[k], wanted[j][k], 0);
    }
}

/*  Every axis periodic or not: n is 0 where it is not, whatever it was before; a point that is moved by
    a lattice vector has the coordinates of that vector more. */
TEST(points_are_reduced)
{
    static const double inside[3] = {30, 7, 1.5}, step[3] = {2, -3, 5};
    for (int axes = 0; axes < 8; axes++) {
        double x = axes & 1 ? 100 : 0, y = axes & 2 ? 20 : 0, z = axes & 4 ? 4 : 0;
        scree_cell cell = make(x, y, z, x > 0 && y > 0 ? 10 : 0, x > 0 && z > 0 ? 3 : 0,
                               y > 0 && z > 0 ? 1 : 0, 3);
        double n[3] = {7, 7, 7}, vector[3], point[3];
        scree_cell_wrap(&cell, inside, n);
        CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
        scree_cell_vector(&cell, step, vector);
        for (int k = 0; k < 3; k++) {
            point[k] = inside[k] + vector[k];
            n[k] = 7;
        }
        scree_cell_wrap(&cell, point, n);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(n[k], axes >> k & 1 ? step[k] : 0, 0);
            n[k] = 7;
        }
        scree_cell_nearest(&cell, vector, n);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(n[k], axes >> k & 1 ? step[k] : 0, 0);
    }
}

/*  Just over half a period is nearer on the other side. */
TEST(the_nearest_image)
{
    scree_cell cell = make(100, 20, 4, 0, 0, 0, 3);
    double n[3];
    scree_cell_nearest(&cell, (double[3]){51, -11, 1.9}, n);
    CHECK(n[0] == 1 && n[1] == -1 && n[2] == 0);
    scree_cell_nearest(&cell, (double[3]){-51, 11, -2.1}, n);
    CHECK(n[0] == -1 && n[1] == 1 && n[2] == -1);
    scree_cell_wrap(&cell, (double[3]){-1, 20, 3.9}, n);
    CHECK(n[0] == -1 && n[1] == 1 && n[2] == 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(periods_are_checked),          CASE(tilts_are_checked),
        CASE(cells_are_on_with_any_period), CASE(vectors_of_a_sheared_cell),
        CASE(points_are_reduced),           CASE(the_nearest_image),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
