/*  What callers say of how bodies move: each column is named when a number in it cannot be used, is used up
    to its limits, and is not looked at where the plane has no such axis. */
#include "margin_troop.h"

#include <stddef.h>

typedef struct column
{
    const char *name;
    bool in_plane;
    double lowest;
} column;

static const column columns[] = {
    {"velocity x", true, -SCREE_MAX_COORDINATE},
    {"velocity y", true, -SCREE_MAX_COORDINATE},
    {"velocity z", false, -SCREE_MAX_COORDINATE},
    {"spin x", false, -SCREE_MAX_COORDINATE},
    {"spin y", false, -SCREE_MAX_COORDINATE},
    {"spin z", true, -SCREE_MAX_COORDINATE},
    {"arm", true, 0},
    {"constant", true, 0},
};
#define COLUMNS (sizeof columns / sizeof *columns)

/*  Nothing moves but by column c, in which body 1 has this number. */
static scree_status advance(troop *t, size_t c, double value)
{
    static double number[3];
    scree_motion motion;
    scree_table table = troop_table(t);
    memset(&motion, 0, sizeof motion);
    number[1] = value;
    scree_view view = scree_doubles(number, sizeof *number);
    if (c < 3)
        motion.velocity[c] = view;
    else if (c < 6)
        motion.spin[c - 3] = view;
    motion.arm = c == 6 ? view : scree_doubles(t->arm, sizeof *t->arm);
    if (c == 7)
        motion.constant = view;
    return scree_detector_advance(t->detector, &table, &motion, 1e-3, &t->did);
}

static void open_troop(troop *t, int dimensions)
{
    scree_detector_def def = troop_def(SCREE_MARGIN_SKIN);
    def.dimensions = dimensions;
    troop_open(t, &def, 3);
}

static void check_column(size_t c, double value, int dimensions, bool ok)
{
    troop t;
    char says[64];
    open_troop(&t, dimensions);
    scree_status status = advance(&t, c, value);
    if (status != (ok ? SCREE_OK : SCREE_BAD_VALUE))
        FAIL("%s is %g in %d dimensions: %s", columns[c].name, value, dimensions,
             scree_detector_message(t.detector));
    snprintf(says, sizeof says, "row 1 (body 1): %s is", columns[c].name);
    if (!ok) {
        CHECK_SAYS(scree_detector_message(t.detector), says);
        CHECK_SAYS(scree_detector_message(t.detector),
                   columns[c].lowest == 0 ? "0 or more and at most 1e100" : "finite and at most");
    }
    troop_close(&t);
}

TEST(each_column_is_named)
{
    for (size_t c = 0; c < COLUMNS; c++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            bool unseen = dimensions == 2 && !columns[c].in_plane;
            double lowest = columns[c].lowest;
            check_column(c, (double)NAN, dimensions, unseen);
            check_column(c, INFINITY, dimensions, unseen);
            check_column(c, -INFINITY, dimensions, unseen);
            /* a spin and its arm are judged by the speed they make together, which is 0 here */
            bool spin = c >= 3 && c < 6;
            check_column(c, nextafter(SCREE_MAX_COORDINATE, INFINITY), dimensions,
                         unseen || spin || c == 6);
            check_column(c, nextafter(lowest, -INFINITY), dimensions, unseen || spin);
            /* the limit itself is left to speeds, which are rounded up */
            check_column(c, 0.999 * lowest, dimensions, true);
            check_column(c, 0.999 * SCREE_MAX_COORDINATE, dimensions, true);
        }
}

/*  Strides are the columns' own, and a column that is not there is 0. */
TEST(strides_are_checked)
{
    for (size_t c = 0; c < COLUMNS; c++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            troop t;
            scree_motion motion;
            double number[3] = {0, 0, 0};
            open_troop(&t, dimensions);
            scree_table table = troop_table(&t);
            memset(&motion, 0, sizeof motion);
            scree_view view = scree_doubles(number, 7);
            if (c < 3)
                motion.velocity[c] = view;
            else if (c < 6)
                motion.spin[c - 3] = view;
            else if (c == 6)
                motion.arm = view;
            else
                motion.constant = view;
            bool unseen = dimensions == 2 && !columns[c].in_plane;
            CHECK_EQUAL(scree_detector_advance(t.detector, &table, &motion, 1, NULL),
                        unseen ? SCREE_OK : SCREE_BAD_ARGUMENT);
            if (!unseen)
                CHECK_SAYS(scree_detector_message(t.detector), columns[c].name);
            troop_close(&t);
        }
}

/*  The longest step asks for velocities: any one of them will do, spins with their arm alone. */
TEST(any_velocity_will_do)
{
    for (size_t c = 0; c < COLUMNS; c++)
        for (int dimensions = 2; dimensions <= 3; dimensions++)
            for (int with_arm = 0; with_arm < 2; with_arm++) {
                troop t;
                scree_motion motion;
                double number[3] = {0, 0, 0}, dt;
                open_troop(&t, dimensions);
                CHECK_EQUAL(advance(&t, 0, 0), SCREE_OK);
                scree_table table = troop_table(&t);
                memset(&motion, 0, sizeof motion);
                if (c < 3)
                    motion.velocity[c] = scree_doubles(number, sizeof *number);
                else if (c < 6)
                    motion.spin[c - 3] = scree_doubles(number, sizeof *number);
                if (with_arm)
                    motion.arm = scree_doubles(number, sizeof *number);
                bool seen = columns[c].in_plane || dimensions == 3;
                bool enough = c < 6 && seen && (c < 3 || with_arm);
                CHECK_EQUAL(scree_detector_longest_step(t.detector, &table, &motion, &dt),
                            enough ? SCREE_OK : SCREE_BAD_ARGUMENT);
                if (enough)
                    CHECK(isinf(dt));
                troop_close(&t);
            }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_column_is_named),
        CASE(strides_are_checked),
        CASE(any_velocity_will_do),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
