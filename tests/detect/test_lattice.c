/*  The lattice that grids are laid on, by itself: what is measured of the bodies, which bodies a trim leaves
    out, how many cells there are on each axis, and which cell a coordinate falls into. Grids above it
    give right pairs on any lattice; here it is the lattice that is meant. */
#include "detect/lattice.h"
#include "test.h"

#include <math.h>

#define MOST 4000u

static scree_box box[MOST];
static uint32_t active[MOST];

static scree_bodies bodies_of(uint32_t count, int dimensions)
{
    scree_bodies bodies;
    memset(&bodies, 0, sizeof bodies);
    for (uint32_t i = 0; i < count; i++)
        active[i] = i;
    bodies.box = box;
    bodies.active = active;
    bodies.active_count = bodies.bound = count;
    bodies.dimensions = dimensions;
    return bodies;
}

/*  A cube around a point. */
static void put(uint32_t i, double x, double y, double z, double width)
{
    double centre[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        box[i].lower[k] = centre[k] - width / 2;
        box[i].upper[k] = centre[k] + width / 2;
    }
}

/* ---- measuring ---- */

TEST(extent_of_centres_and_widths)
{
    scree_extent extent;
    scree_bodies bodies = bodies_of(3, 3);
    put(0, 1, 2, 3, 2);
    put(1, -4, 8, 5, 4);
    put(2, 2, -1, 4, 6);
    scree_extent_measure(&extent, &bodies);
    static const double lower[3] = {-4, -1, 3}, upper[3] = {2, 8, 5};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(extent.lower[k], lower[k], 0);
        CHECK_NEAR(extent.upper[k], upper[k], 0);
        CHECK_NEAR(extent.mean_width[k], 4, 0);
    }
    CHECK_NEAR(extent.width, 6, 0);
    CHECK_NEAR(extent.magnitude, 8, 0);
}

/*  The widest is so on one axis, of the body that comes first; the farthest lies below. */
TEST(extent_of_a_plank)
{
    scree_extent extent;
    scree_bodies bodies = bodies_of(2, 3);
    put(0, -9, 0, 0, 1);
    box[0].lower[2] = -20;
    box[0].upper[2] = 10;
    put(1, 1, 1, 1, 1);
    scree_extent_measure(&extent, &bodies);
    CHECK_NEAR(extent.width, 30, 0);
    CHECK_NEAR(extent.lower[2], -5, 0);
    CHECK_NEAR(extent.mean_width[2], 15.5, 0);
    CHECK_NEAR(extent.magnitude, 9, 0);
}

/*  No axis has 0 in its range, and the farthest is on the last one. */
TEST(extent_away_from_the_origin)
{
    for (int side = -1; side <= 1; side += 2) {
        scree_extent extent;
        scree_bodies bodies = bodies_of(2, 3);
        put(0, side * 5, side * 6, side * 70, 1);
        put(1, side * 4, side * 8, side * 60, 1);
        scree_extent_measure(&extent, &bodies);
        static const double near[3] = {4, 6, 60}, far[3] = {5, 8, 70};
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(side * (side > 0 ? extent.lower[k] : extent.upper[k]), near[k], 0);
            CHECK_NEAR(side * (side > 0 ? extent.upper[k] : extent.lower[k]), far[k], 0);
        }
        CHECK_NEAR(extent.magnitude, 70, 0);
    }
}

TEST(extent_in_two_dimensions)
{
    scree_extent extent;
    scree_bodies bodies = bodies_of(2, 2);
    put(0, 1, 2, 70, 1);
    put(1, 3, 4, 90, 3);
    scree_extent_measure(&extent, &bodies);
    CHECK_NEAR(extent.upper[1], 4, 0);
    CHECK_NEAR(extent.lower[2], 0, 0);
    CHECK_NEAR(extent.upper[2], 0, 0);
    CHECK_NEAR(extent.mean_width[2], 0, 0);
    CHECK_NEAR(extent.width, 3, 0);
    CHECK_NEAR(extent.magnitude, 4, 0);
}

TEST(extent_of_nothing)
{
    scree_extent extent;
    scree_bodies bodies = bodies_of(0, 3);
    memset(&extent, 1, sizeof extent);
    scree_extent_measure(&extent, &bodies);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(extent.lower[k], 0, 0);
        CHECK_NEAR(extent.upper[k], 0, 0);
        CHECK_NEAR(extent.mean_width[k], 0, 0);
    }
    CHECK_NEAR(extent.width, 0, 0);
    CHECK_NEAR(extent.magnitude, 0, 0);
}

/* ---- trimming ---- */

static const double unit_cell[3] = {1, 1, 1};

/*  `count` points over [0, 100] on each axis, then those that the caller puts. */
static void put_bodies(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double at = 100.0 * i / (count - 1);
        put(i, at, 100 - at, at, 0.5);
    }
}

/*  Escaped below on x and above on y, one each: 1 in 400 may go on each axis. */
TEST(escaped_bodies_are_left_out)
{
    scree_extent extent;
    put_bodies(402);
    put(400, -1e9, 50, 50, 0.5);
    put(401, 50, 1e9, 50, 0.5);
    scree_bodies bodies = bodies_of(402, 3);
    scree_extent_measure(&extent, &bodies);
    CHECK_NEAR(extent.magnitude, 1e9, 0);
    scree_extent_trim(&extent, &bodies, unit_cell);
    double last = 100.0 * 399 / 401;
    static const double lower[3] = {0, 0, 0};
    const double upper[3] = {last, 100, last};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(extent.lower[k], k == 1 ? 100 - last : lower[k], 1e-9);
        CHECK_NEAR(extent.upper[k], upper[k], 1e-9);
    }
    CHECK_NEAR(extent.magnitude, 100, 1e-9);
}

/*  Escaped ever farther: each turn finds those that stick out of what is left. */
TEST(escaped_bodies_are_left_out_in_turns)
{
    scree_extent extent;
    put_bodies(1203);
    put(1200, 0, 50, 50, 0.5);
    put(1200, 1e6, 50, 50, 0.5);
    put(1201, -1e12, 50, 50, 0.5);
    put(1202, 1e18, 50, 50, 0.5);
    scree_bodies bodies = bodies_of(1203, 3);
    scree_extent_measure(&extent, &bodies);
    scree_extent_trim(&extent, &bodies, unit_cell);
    CHECK_NEAR(extent.lower[0], 0, 0);
    CHECK_NEAR(extent.upper[0], 100.0 * 1199 / 1202, 1e-9);
    /* four are too many: 3 may go */
    put(1199, 1e24, 50, 50, 0.5);
    scree_extent_measure(&extent, &bodies);
    scree_extent_trim(&extent, &bodies, unit_cell);
    CHECK(extent.upper[0] - extent.lower[0] >= 1e6);
    CHECK(extent.upper[0] - extent.lower[0] < 1e18);
}

/*  Fewer than 400 bodies have no body to spare; 400 have one. */
TEST(one_in_four_hundred)
{
    for (uint32_t count = 399; count <= 400; count++) {
        scree_extent extent;
        put_bodies(count);
        put(count - 1, 1e9, 50, 50, 0.5);
        scree_bodies bodies = bodies_of(count, 3);
        scree_extent_measure(&extent, &bodies);
        scree_extent_trim(&extent, &bodies, unit_cell);
        CHECK((extent.upper[0] < 101) == (count == 400));
    }
}

/*  An axis of four cells a body is long enough, a longer one is trimmed. Bodies are all at 0 but one:
    half of the range can go. */
TEST(short_axes_are_left_alone)
{
    for (int over = 0; over < 2; over++) {
        scree_extent extent;
        for (uint32_t i = 0; i < 400; i++)
            put(i, 0, 0, 0, 0.5);
        put(7, 1600 * 3 + over, 1600, 1600, 0.5);
        scree_bodies bodies = bodies_of(400, 3);
        scree_extent_measure(&extent, &bodies);
        scree_extent_trim(&extent, &bodies, (double[3]){3, 1, 1});
        CHECK_NEAR(extent.upper[0], over ? 0 : 4800, 0);
        CHECK_NEAR(extent.upper[1], 1600, 0);
    }
}

/*  The range is cut into 64. Where 33 of them are used, less than half could go, so nothing does. */
TEST(a_range_that_is_used_stays)
{
    for (uint32_t used = 32; used <= 33; used++) {
        scree_extent extent;
        for (uint32_t i = 0; i < 4000; i++)
            put(i, i < 3996 ? 1e6 * (i % used) : 64e6, 0, 0, 0.5);
        scree_bodies bodies = bodies_of(4000, 3);
        scree_extent_measure(&extent, &bodies);
        scree_extent_trim(&extent, &bodies, unit_cell);
        CHECK_NEAR(extent.lower[0], 0, 0);
        CHECK_NEAR(extent.upper[0], used == 32 ? 31e6 : 64e6, 0);
    }
}

/*  Those at the very end are in the last part, those just before the last part are not. */
TEST(parts_of_the_range)
{
    for (uint32_t end = 5; end <= 6; end++) {
        scree_extent extent;
        for (uint32_t i = 0; i < 4000; i++)
            put(i, i < 5 ? 0 : i < 5 + end ? 64e6 : 62.5e6, 0, 0, 0.5);
        scree_bodies bodies = bodies_of(4000, 3);
        scree_extent_measure(&extent, &bodies);
        scree_extent_trim(&extent, &bodies, unit_cell);
        CHECK_NEAR(extent.lower[0], 62.5e6, 0);
        CHECK_NEAR(extent.upper[0], end == 5 ? 62.5e6 : 64e6, 0);
    }
}

/*  The first slot that stays is the one whose bodies are more than there are to spare. */
TEST(as_many_may_go_as_are_spare)
{
    for (uint32_t away = 10; away <= 11; away++)
        for (int side = -1; side <= 1; side += 2) {
            scree_extent extent;
            for (uint32_t i = 0; i < 4000; i++)
                put(i, i < away ? side * 1e9 : i % 100, 0, 0, 0.5);
            scree_bodies bodies = bodies_of(4000, 3);
            scree_extent_measure(&extent, &bodies);
            scree_extent_trim(&extent, &bodies, unit_cell);
            CHECK((extent.upper[0] - extent.lower[0] < 100) == (away == 10));
        }
}

/* ---- laying ---- */

static scree_lattice lay(double x, double y, double z, double columns, double rows)
{
    scree_lattice lattice;
    const scree_extent extent = {.lower = {-10, 5, 7}, .upper = {x - 10, y + 5, z + 7}};
    static const double cell[3] = {1, 2, 4};
    memset(&lattice, 1, sizeof lattice);
    scree_lattice_lay(&lattice, &extent, cell, columns, rows);
    return lattice;
}

static void check_counts(scree_lattice lattice, uint32_t x, uint32_t y, uint32_t z)
{
    if (lattice.count[0] != x || lattice.count[1] != y || lattice.count[2] != z)
        FAIL("%u by %u by %u cells, should be %u by %u by %u", lattice.count[0], lattice.count[1],
             lattice.count[2], x, y, z);
}

TEST(cells_that_fit)
{
    scree_lattice lattice = lay(10, 10, 10, 1000, 1000);
    check_counts(lattice, 11, 6, 3);
    static const double origin[3] = {-10, 5, 7}, cell[3] = {1, 2, 4};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(lattice.origin[k], origin[k], 0);
        CHECK_NEAR(lattice.cell[k], cell[k], 0);
    }
    check_counts(lay(0, 0, 0, 1000, 1000), 1, 1, 1);
    check_counts(lay(0.99, 1.99, 3.99, 1000, 1000), 1, 1, 1);
}

/*  Exactly as many as there may be are not too many. */
TEST(columns_are_bounded)
{
    check_counts(lay(99, 0, 0, 100, 1), 100, 1, 1);
    scree_lattice lattice = lay(100, 0, 0, 100, 1);
    check_counts(lattice, 100, 1, 1);
    CHECK_NEAR(lattice.cell[0], 1, 1e-12);
    lattice = lay(500, 0, 0, 100.7, 1);
    check_counts(lattice, 100, 1, 1);
    CHECK_NEAR(lattice.cell[0], 5, 1e-12);
}

/*  Rows are cells along y times cells along z: the axis with few keeps them, else both get the root. */
TEST(rows_are_bounded)
{
    check_counts(lay(0, 18, 36, 1, 100), 1, 10, 10);  /* 10 by 10 as they are */
    check_counts(lay(0, 38, 76, 1, 100), 1, 10, 10);  /* 20 by 20 */
    check_counts(lay(0, 398, 12, 1, 100), 1, 25, 4);  /* 200 by 4 */
    check_counts(lay(0, 6, 796, 1, 100), 1, 4, 25);   /* 4 by 200 */
    check_counts(lay(0, 18, 796, 1, 100), 1, 10, 10); /* 10 by 200 */
    check_counts(lay(0, 398, 36, 1, 100), 1, 10, 10); /* 200 by 10 */
    scree_lattice lattice = lay(0, 398, 12, 1, 100);
    CHECK_NEAR(lattice.cell[1], 398.0 / 25, 1e-12);
    CHECK_NEAR(lattice.cell[2], 4, 0);
}

/*  An index is 32 bits wide, with room for a neighbour. */
TEST(cells_are_countable)
{
    scree_lattice lattice = lay(1e30, 0, 0, 1e20, 1);
    CHECK_EQUAL(lattice.count[0], 0x80000000u);
    CHECK_NEAR(lattice.cell[0], 1e30 / 0x1p31, 1e12);
}

/* ---- places ---- */

TEST(places_fall_into_cells)
{
    const scree_lattice lattice = {{-10, 0, 5}, {2, 1, 0.5}, {4, 1, 10}};
    static const struct
    {
        int axis;
        double x;
        uint32_t cell;
    } places[] = {
        {0, -10, 0}, {0, -8.001, 0}, {0, -8, 1},       {0, -6, 2},        {0, -4, 3},
        {0, -2, 3},  {0, 1e99, 3},   {0, INFINITY, 3}, {0, -10.001, 0},   {0, -1e99, 0},
        {1, 0.5, 0}, {1, 7, 0},      {2, 5.5, 1},      {2, 9.999, 9},     {2, 10, 9},
        {2, 5, 0},   {2, 4, 0},      {2, 9.5, 9},      {0, -INFINITY, 0}, {2, 9.49, 8},
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        uint32_t cell = scree_lattice_index(&lattice, places[k].axis, places[k].x);
        if (cell != places[k].cell)
            FAIL("axis %d, %g: cell %u", places[k].axis, places[k].x, cell);
    }
}

/*  More than a cell outside. */
TEST(outermost_cells_gather_what_is_far)
{
    const scree_lattice lattice = {{-10, 0, 5}, {2, 1, 0.5}, {4, 1, 10}};
    CHECK(!scree_lattice_clamps(&lattice, 0, -12));
    CHECK(scree_lattice_clamps(&lattice, 0, -12.01));
    CHECK(!scree_lattice_clamps(&lattice, 0, 0));
    CHECK(scree_lattice_clamps(&lattice, 0, 0.01));
    CHECK(!scree_lattice_clamps(&lattice, 2, 7));
    CHECK(scree_lattice_clamps(&lattice, 2, INFINITY));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(extent_of_centres_and_widths),
        CASE(extent_of_a_plank),
        CASE(extent_away_from_the_origin),
        CASE(extent_in_two_dimensions),
        CASE(extent_of_nothing),
        CASE(escaped_bodies_are_left_out),
        CASE(escaped_bodies_are_left_out_in_turns),
        CASE(one_in_four_hundred),
        CASE(short_axes_are_left_alone),
        CASE(a_range_that_is_used_stays),
        CASE(parts_of_the_range),
        CASE(as_many_may_go_as_are_spare),
        CASE(cells_that_fit),
        CASE(columns_are_bounded),
        CASE(rows_are_bounded),
        CASE(cells_are_countable),
        CASE(places_fall_into_cells),
        CASE(outermost_cells_gather_what_is_far),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
