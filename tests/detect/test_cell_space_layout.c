/*  Where cells lie: the index of a coordinate is that of the cell whose bounds hold it, to the last bit,
    wherever the space begins and whatever its cells measure. */
#include "base/random.h"
#include "detect/cell_space.h"
#include "test.h"

#include <float.h>
#include <math.h>

/*  A root: its first cell begins at -infinity, its last one ends at infinity. */
static scree_space make_space(double origin, double len, uint32_t count)
{
    scree_space space = {.len = len, .parent = SCREE_CELL_NONE};
    for (int k = 0; k < 3; k++) {
        space.origin[k] = origin;
        space.count[k] = count;
        space.range.lower[k] = -INFINITY;
        space.range.upper[k] = INFINITY;
    }
    space.cells = count * count * count;
    return space;
}

/*  As the header states it. */
static double bound_of(const scree_space *space, int axis, uint32_t i)
{
    double at = space->origin[axis] + (double)i * space->len;
    if (i == 0)
        return space->range.lower[axis];
    if (i == space->count[axis])
        return space->range.upper[axis];
    return fmin(fmax(at, space->range.lower[axis]), space->range.upper[axis]);
}

/*  On both sides of the i-th bound, at 1 or more. */
static void check_bound(const scree_space *space, int axis, uint32_t i)
{
    double at = bound_of(space, axis, i);
    uint32_t index = scree_space_index(space, axis, at);
    if (index < i || bound_of(space, axis, index) > at ||
        (index + 1 < space->count[axis] && bound_of(space, axis, index + 1) <= at))
        FAIL("bound %" PRIu32 " at %.17g is in cell %" PRIu32, i, at, index);
    double before = nextafter(at, -INFINITY);
    index = scree_space_index(space, axis, before);
    if (index >= i || (index > 0 && bound_of(space, axis, index) > before) ||
        bound_of(space, axis, index + 1) <= before)
        FAIL("just before bound %" PRIu32 " at %.17g is in cell %" PRIu32, i, at, index);
}

TEST(each_side_of_a_bound_has_its_cell)
{
    scree_random random = scree_random_stream(4, 4);
    for (int k = 0; k < 40000; k++) {
        /* far from the origin, quotients round up to a whole number before it is reached */
        double origin = scree_random_range(&random, -1, 1) * (k % 3 ? 1 : 1000);
        double len = scree_random_log_uniform(&random, 1e-3, 10);
        uint32_t count = 2 + scree_random_below(&random, k % 2 ? 3 : 60);
        scree_space space = make_space(origin, len, count);
        check_bound(&space, k % 3, 1);
        check_bound(&space, k % 3, 1 + scree_random_below(&random, count - 1));
        check_bound(&space, k % 3, count - 1);
    }
}

/*  A child lies in its parent's cell, whose bounds may be off its own by rounding. */
TEST(children_end_where_their_cell_does)
{
    scree_random random = scree_random_stream(5, 5);
    for (int k = 0; k < 20000; k++) {
        uint32_t count = 2 + scree_random_below(&random, 5);
        scree_space space = make_space(scree_random_range(&random, -9, 9), 0.3, count);
        for (int axis = 0; axis < 3; axis++) {
            double end = space.origin[axis] + count * space.len;
            space.range.lower[axis] = space.origin[axis] + (k % 5 - 2) * 1e-15;
            space.range.upper[axis] = end + (k % 7 - 3) * 1e-15;
            for (uint32_t i = 1; i < count; i++)
                check_bound(&space, axis, i);
            CHECK_EQUAL(scree_space_index(&space, axis, space.range.lower[axis]), 0);
            CHECK_EQUAL(scree_space_index(&space, axis, end + 1), count - 1);
            CHECK_EQUAL(scree_space_index(&space, axis, space.origin[axis] - 1), 0);
        }
    }
}

TEST(any_coordinate_has_a_cell)
{
    scree_space space = make_space(-3, 0.5, 7);
    CHECK_EQUAL(scree_space_index(&space, 0, -INFINITY), 0);
    CHECK_EQUAL(scree_space_index(&space, 1, INFINITY), 6);
    CHECK_EQUAL(scree_space_index(&space, 2, -DBL_MAX), 0);
    CHECK_EQUAL(scree_space_index(&space, 0, DBL_MAX), 6);
    CHECK_EQUAL(scree_space_index(&space, 0, -2.5), 1);
    CHECK_EQUAL(scree_space_index(&space, 0, nextafter(-2.5, -9)), 0);
}

TEST(an_axis_with_one_cell_is_not_looked_at)
{
    scree_space space = make_space(0, 1, 4);
    scree_box box = {{1.5, -7, 2}, {2.5, NAN, 2}};
    space.count[1] = 1;
    scree_cell_range range = scree_space_range(&space, &box);
    CHECK_EQUAL(range.first[0], 1);
    CHECK_EQUAL(range.last[0], 2);
    CHECK_EQUAL(range.first[1], 0);
    CHECK_EQUAL(range.last[1], 0);
    CHECK_EQUAL(range.first[2], 2);
    CHECK_EQUAL(range.last[2], 2);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_side_of_a_bound_has_its_cell),
        CASE(children_end_where_their_cell_does),
        CASE(any_coordinate_has_a_cell),
        CASE(an_axis_with_one_cell_is_not_looked_at),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
