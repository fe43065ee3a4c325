/*  Paths of walls: against libm's sine and rotation matrices, velocities against differences of places,
    the table's corners, and every path that must be refused. */
#include "base/quaternion.h"
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/same_bits.h"
#include "test.h"
#include "world/state/wall_path.h"

#include <math.h>

static scree_wall_motion motion_at(const scree_wall_path *path, double time)
{
    scree_wall_motion motion;
    scree_error error = {SCREE_OK, ""};
    if (scree_wall_path_at(path, time, 3, &motion, &error))
        FAIL("at %g: %s", time, error.text);
    return motion;
}

/*  Where a wall's point is that was at p at the start. */
static void place_of(const scree_wall_path *path, double time, const double p[3], double place[3])
{
    scree_wall_motion motion = motion_at(path, time);
    double none[4] = {1, 0, 0, 0}, orientation[4], velocity[3];
    scree_wall_motion_apply(&motion, p, none, place, orientation, velocity);
}

TEST(a_path_at_rest_moves_nothing)
{
    scree_wall_path path = {.centre = {1, 2, 3}, .swing = {1, 0, 0}, .phase = 1};
    double p[3] = {0.1, 0.7, -3.3}, place[3];
    CHECK(!scree_wall_path_moves(&path));
    place_of(&path, 1e9, p, place);
    CHECK(same_bits(p, place, sizeof p));
    scree_wall_motion motion = motion_at(&path, 5);
    for (int k = 0; k < 3; k++)
        CHECK(motion.velocity[k] == 0 && motion.spin[k] == 0);
}

TEST(velocity_is_straight)
{
    scree_wall_path path = {.velocity = {1, -2, 0.5}};
    double p[3] = {1, 1, 1}, place[3];
    CHECK(scree_wall_path_moves(&path));
    place_of(&path, 8, p, place);
    CHECK(place[0] == 9 && place[1] == -15 && place[2] == 5);
}

/*  Against the rotation matrix of Rodrigues, with libm. */
TEST(turning_is_a_rotation_about_the_centre)
{
    scree_random random = scree_random_stream(1, 0);
    for (int i = 0; i < 2000; i++) {
        scree_wall_path path = {.rate = scree_random_range(&random, -10, 10)};
        double p[3], arm[3], axis[3], place[3], length = 0, along = 0;
        double time = scree_random_range(&random, 0, 100);
        for (int k = 0; k < 3; k++) {
            path.centre[k] = scree_random_range(&random, -1, 1);
            path.axis[k] = scree_random_range(&random, -5, 5);
            p[k] = scree_random_range(&random, -1, 1);
            length += path.axis[k] * path.axis[k];
        }
        for (int k = 0; k < 3; k++) {
            axis[k] = path.axis[k] / sqrt(length);
            arm[k] = p[k] - path.centre[k];
            along += axis[k] * arm[k];
        }
        double angle = path.rate * time;
        place_of(&path, time, p, place);
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            double wanted = path.centre[k] + arm[k] * cos(angle) +
                            (axis[a] * arm[b] - axis[b] * arm[a]) * sin(angle) +
                            axis[k] * along * (1 - cos(angle));
            CHECK_NEAR(place[k], wanted, 1e-14); /* some roundings of numbers up to 4 */
        }
    }
}

TEST(swinging_starts_where_the_wall_was_put)
{
    scree_wall_path path = {.swing = {0.1, 0, -0.2}, .frequency = 3, .phase = 0.7};
    scree_wall_motion motion = motion_at(&path, 0);
    CHECK(motion.shift[0] == 0 && motion.shift[2] == 0);
    for (double t = 0; t < 2; t += 0.0137) {
        motion = motion_at(&path, t);
        CHECK_NEAR(motion.shift[0], 0.1 * (sin(6 * 3.14159265358979 * t + 0.7) - sin(0.7)), 1e-14);
        CHECK_NEAR(motion.shift[2], -2 * motion.shift[0], 1e-16);
        CHECK(motion.shift[1] == 0 && motion.velocity[1] == 0);
    }
    /* after 1e15 whole periods nothing is lost, though the angle is 2e16 */
    CHECK_NEAR(motion_at(&path, 1e15).shift[0], 0, 1e-16);
}

TEST(velocities_are_slopes_of_places)
{
    static const double rows[3][4] = {{1, 0, 0, 0}, {5, 1, 2, 3}, {6, -1, 0, 2}};
    scree_wall_path path = {.velocity = {1, 2, -1},
                            .centre = {0.5, 1, 0},
                            .axis = {1, 1, 0.2},
                            .rate = -2,
                            .swing = {0, 0.3, 0.1},
                            .frequency = 0.7,
                            .phase = 2,
                            .table = rows,
                            .table_count = 3};
    double p[3] = {1, -1, 2}, none[4] = {1, 0, 0, 0}, orientation[4], before[3], after[3];
    CHECK(scree_wall_path_check(&path, 3, NULL) == SCREE_OK);
    for (double t = 0.05; t < 8; t += 0.1) {
        scree_wall_motion motion = motion_at(&path, t);
        double position[3], origin[3] = {0, 0, 0}, velocity[3], there[3], place[3], step = 1e-5;
        scree_wall_motion_apply(&motion, origin, none, position, orientation, velocity);
        place_of(&path, t, p, place);
        scree_wall_velocity_at(position, velocity, motion.spin, place, there);
        place_of(&path, t - step, p, before);
        place_of(&path, t + step, p, after);
        for (int k = 0; k < 3;
             k++) /* third derivative (about 100) times step^2 / 6, and rounding */
            CHECK_NEAR((after[k] - before[k]) / (2 * step), there[k], 1e-8);
    }
}

TEST(tables_are_linear_between_rows_and_hold_outside)
{
    static const double rows[4][4] = {{0, 1, 0, 0}, {1, 3, 0, 0}, {2, 3, 4, 0}, {4, 3, 4, 8}};
    scree_wall_path path = {.table = rows, .table_count = 4};
    struct
    {
        double t, x, y, z, vx, vy, vz;
    } const wanted[] = {
        {-1, 1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 2, 0, 0},    {0.5, 2, 0, 0, 2, 0, 0},
        {1, 3, 0, 0, 0, 4, 0},  {1.75, 3, 3, 0, 0, 4, 0}, {2, 3, 4, 0, 0, 0, 4},
        {3, 3, 4, 4, 0, 0, 4},  {4, 3, 4, 8, 0, 0, 0},    {1e9, 3, 4, 8, 0, 0, 0},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(wanted); i++) {
        scree_wall_motion m = motion_at(&path, wanted[i].t);
        CHECK(m.shift[0] == wanted[i].x && m.shift[1] == wanted[i].y && m.shift[2] == wanted[i].z);
        CHECK(m.velocity[0] == wanted[i].vx && m.velocity[1] == wanted[i].vy &&
              m.velocity[2] == wanted[i].vz);
    }
    path.table_count = 1;
    CHECK(motion_at(&path, 7).shift[0] == 1 && motion_at(&path, -7).velocity[0] == 0);
}

TEST(every_interval_of_a_long_table_is_found)
{
    static double rows[1000][4];
    for (int i = 0; i < 1000; i++)
        rows[i][0] = i * 0.25, rows[i][1] = (i % 7) * 1.5;
    scree_wall_path path = {.table = (const double(*)[4])rows, .table_count = 1000};
    for (int i = 0; i < 999; i++)
        for (int j = 0; j < 4; j++)
            CHECK_NEAR(motion_at(&path, (i + 0.25 * j) * 0.25).shift[0],
                       rows[i][1] + 0.25 * j * (rows[i + 1][1] - rows[i][1]), 1e-14);
}

TEST(orientations_turn_with_the_wall)
{
    scree_wall_path path = {.axis = {0, 0, 2}, .rate = 0.5 * 3.14159265358979323846};
    double point[3] = {1, 0, 5}, orientation[4] = {0, 1, 0, 0}, place[3], turned[4], velocity[3];
    double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    scree_wall_motion motion = motion_at(&path, 1);
    scree_wall_motion_apply(&motion, point, orientation, place, turned, velocity);
    CHECK_NEAR(place[0], 0, 1e-15);
    CHECK_NEAR(place[1], 1, 1e-15);
    CHECK(place[2] == 5);
    CHECK_NEAR(velocity[0], -path.rate, 1e-15);
    /* half a turn about x first, which leaves x and turns y round; then a quarter about z */
    scree_quaternion_turn(turned, x, x);
    scree_quaternion_turn(turned, y, y);
    CHECK_NEAR(x[1], 1, 1e-15);
    CHECK_NEAR(y[0], 1, 1e-15);
    scree_quaternion_turn_back(turned, x, x);
    CHECK_NEAR(x[0], 1, 1e-15);
}

typedef struct steering
{
    double shift, velocity, spin, turn[4], lift, spin_x;
} steering;

static void steer(double time, double shift[3], double velocity[3], double turn[4], double spin[3],
                  void *user)
{
    const steering *s = user;
    shift[0] = s->shift * time;
    velocity[0] = s->velocity;
    velocity[2] = s->lift;
    spin[0] = s->spin_x;
    spin[1] = s->spin;
    memcpy(turn, s->turn, sizeof s->turn);
}

TEST(functions_are_used_instead_of_all_else)
{
    steering s = {.shift = 2, .velocity = 2, .turn = {0, 0, 3, 0}};
    scree_wall_path path = {
        .velocity = {(double)NAN, 5, 5}, .rate = 1, .function = steer, .user = &s};
    double p[3] = {1, 2, 3}, place[3];
    CHECK(scree_wall_path_check(&path, 3, NULL) == SCREE_OK);
    CHECK(scree_wall_path_moves(&path));
    place_of(&path, 4, p, place); /* half a turn about y, and 8 along x */
    CHECK(place[0] == 7 && place[1] == 2 && place[2] == -3);
}

TEST(functions_that_give_nonsense_are_refused)
{
    struct
    {
        steering s;
        int dimensions;
        const char *says;
    } const bad[] = {
        {{.shift = (double)NAN, .velocity = 0, .spin = 0, .turn = {1, 0, 0, 0}},
         3,
         "shift.x is nan at time 1"},
        {{.shift = 0, .velocity = INFINITY, .spin = 0, .turn = {1, 0, 0, 0}},
         3,
         "velocity.x is inf"},
        {{.shift = 0, .velocity = 0, .spin = 1e101, .turn = {1, 0, 0, 0}}, 3, "spin.y is 1e+101"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {0, 0, 0, 0}}, 3, "turn is (0 0 0 0)"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {(double)NAN, 0, 0, 0}}, 3, "turn is (nan"},
        {{.shift = 0, .velocity = 0, .spin = 1, .turn = {1, 0, 0, 0}}, 2, "leaves the plane"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {0, 1, 0, 0}}, 2, "leaves the plane"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {0, 0, 1, 0}}, 2, "leaves the plane"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {1, 0, 0, 0}, .lift = 1},
         2,
         "leaves the plane"},
        {{.shift = 0, .velocity = 0, .spin = 0, .turn = {1, 0, 0, 0}, .spin_x = 1},
         2,
         "leaves the plane"},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(bad); i++) {
        scree_wall_motion motion;
        scree_error error = {SCREE_OK, ""};
        steering s = bad[i].s;
        scree_wall_path path = {.function = steer, .user = &s};
        CHECK(scree_wall_path_at(&path, 1, bad[i].dimensions, &motion, &error) == SCREE_BAD_VALUE);
        CHECK_SAYS(error.text, bad[i].says);
    }
}

TEST(paths_that_outgrow_numbers_are_refused)
{
    scree_wall_motion motion;
    scree_error error;
    scree_wall_path path = {.velocity = {1e100, 0, 0}};
    CHECK(scree_wall_path_at(&path, 1, 3, &motion, &error) == SCREE_OK);
    CHECK(scree_wall_path_at(&path, 10, 3, &motion, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "shift.x is 1e+101 at time 10");
}

TEST(bad_paths_are_refused_by_name)
{
    static const double falls[3][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 5, 0, 0}};
    static const double wild[2][4] = {{0, 0, 0, 0}, {1, 0, (double)NAN, 0}};
    static const double timeless[1][4] = {{INFINITY, 0, 0, 0}};
    static const double leaves[2][4] = {{0, 0, 0, 0}, {1, 0, 0, 2}};
    struct
    {
        scree_wall_path path;
        int dimensions;
        scree_status status;
        const char *says;
    } const bad[] = {
        {{.velocity = {0, (double)NAN, 0}}, 3, SCREE_BAD_VALUE, "velocity.y is nan"},
        {{.velocity = {0, 0, 1}}, 2, SCREE_BAD_VALUE, "velocity.z is 1, must be 0 in two"},
        {{.centre = {1e101, 0, 0}}, 3, SCREE_BAD_VALUE, "centre.x is 1e+101"},
        {{.axis = {0, 0, INFINITY}}, 3, SCREE_BAD_VALUE, "axis.z is inf"},
        {{.rate = (double)NAN}, 3, SCREE_BAD_VALUE, "rate is nan"},
        {{.rate = 2}, 3, SCREE_BAD_VALUE, "rate is 2, but axis (0 0 0) has no direction"},
        {{.rate = 2, .axis = {1, 0, 0}}, 2, SCREE_BAD_VALUE, "must be along z"},
        {{.rate = 2, .axis = {0, 1, 1}}, 2, SCREE_BAD_VALUE, "must be along z"},
        {{.swing = {0, 0, 3}}, 2, SCREE_BAD_VALUE, "swing.z is 3"},
        {{.swing = {-INFINITY, 0, 3}}, 3, SCREE_BAD_VALUE, "swing.x is -inf"},
        {{.frequency = INFINITY}, 3, SCREE_BAD_VALUE, "frequency is inf"},
        {{.phase = (double)NAN}, 3, SCREE_BAD_VALUE, "phase is nan"},
        {{.table_count = 3}, 3, SCREE_BAD_ARGUMENT, "table is NULL"},
        {{.table = falls, .table_count = SIZE_MAX}, 3, SCREE_BAD_ARGUMENT, "too many"},
        {{.table = falls, .table_count = 3},
         3,
         SCREE_BAD_VALUE,
         "row 2 of the table: t is 1, must be above 1"},
        {{.table = wild, .table_count = 2}, 3, SCREE_BAD_VALUE, "row 1 of the table: y is nan"},
        {{.table = timeless, .table_count = 1}, 3, SCREE_BAD_VALUE, "row 0 of the table: t is inf"},
        {{.table = leaves, .table_count = 2}, 2, SCREE_BAD_VALUE, "row 1 of the table: z is 2"},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(bad); i++) {
        scree_error error = {SCREE_OK, ""};
        CHECK_EQUAL(scree_wall_path_check(&bad[i].path, bad[i].dimensions, &error), bad[i].status);
        CHECK_SAYS(error.text, bad[i].says);
    }
    scree_wall_path good = {.velocity = {1, 1, 0},
                            .centre = {1, 1, 3},
                            .axis = {0, 0, -2},
                            .rate = 1,
                            .swing = {1, 2, 0},
                            .frequency = -1,
                            .table = falls,
                            .table_count = 2};
    CHECK(scree_wall_path_check(&good, 2, NULL) == SCREE_OK);
}

TEST(paths_know_whether_they_move)
{
    static const double row[1][4] = {{0, 1, 0, 0}};
    scree_wall_path moving[] = {{.velocity = {0, 0, 1}},
                                {.velocity = {0, 1, 0}},
                                {.rate = 1},
                                {.swing = {0, 1, 0}, .frequency = 1},
                                {.table = row, .table_count = 1},
                                {.function = steer}};
    scree_wall_path at_rest[] = {
        {.axis = {1, 0, 0}}, {.swing = {0, 1, 0}}, {.frequency = 1}, {.table = row}};
    for (size_t i = 0; i < SCREE_COUNT_OF(moving); i++)
        CHECK(scree_wall_path_moves(&moving[i]));
    for (size_t i = 0; i < SCREE_COUNT_OF(at_rest); i++)
        CHECK(!scree_wall_path_moves(&at_rest[i]));
}

/*  A function is used instead of a table, so that is not copied; a path may have none. */
TEST(copies_without_tables_take_no_memory)
{
    static const double row[1][4] = {{0, 1, 0, 0}};
    scree_wall_path paths[] = {{.function = steer, .table = row, .table_count = 1}, {.rate = 1}};
    for (size_t i = 0; i < 2; i++) {
        scree_memory memory;
        scree_wall_path copy;
        CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
        CHECK(scree_wall_path_copy(&paths[i], &memory, &copy) == SCREE_OK);
        CHECK(memory.bytes == 0 && copy.table == NULL && copy.table_count == 0);
        CHECK(copy.function == paths[i].function && copy.rate == paths[i].rate);
        scree_wall_path_free(&copy, &memory);
    }
}

TEST(copies_have_tables_of_their_own)
{
    double rows[2][4] = {{0, 1, 2, 3}, {1, 5, 6, 7}};
    scree_wall_path path = {.table = (const double(*)[4])rows, .table_count = 2, .phase = 4}, copy;
    for (size_t k = 1; k <= 2; k++) {
        failing_allocator hooks = {.fail_at = k};
        scree_allocator allocator = failing_allocator_hooks(&hooks);
        scree_memory memory;
        CHECK(scree_memory_init(&memory, &allocator) == SCREE_OK);
        scree_status status = scree_wall_path_copy(&path, &memory, &copy);
        CHECK(status == (k == 1 ? SCREE_OUT_OF_MEMORY : SCREE_OK));
        if (status) {
            CHECK(!scree_wall_path_moves(&copy));
        } else {
            CHECK(copy.table != path.table && copy.phase == 4);
            CHECK(same_bits(copy.table, rows, sizeof rows));
        }
        scree_wall_path_free(&copy, &memory);
        CHECK(failing_allocator_is_clean(&hooks));
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_path_at_rest_moves_nothing),
        CASE(velocity_is_straight),
        CASE(turning_is_a_rotation_about_the_centre),
        CASE(swinging_starts_where_the_wall_was_put),
        CASE(velocities_are_slopes_of_places),
        CASE(tables_are_linear_between_rows_and_hold_outside),
        CASE(every_interval_of_a_long_table_is_found),
        CASE(orientations_turn_with_the_wall),
        CASE(functions_are_used_instead_of_all_else),
        CASE(functions_that_give_nonsense_are_refused),
        CASE(paths_that_outgrow_numbers_are_refused),
        CASE(bad_paths_are_refused_by_name),
        CASE(paths_know_whether_they_move),
        CASE(copies_without_tables_take_no_memory),
        CASE(copies_have_tables_of_their_own),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
