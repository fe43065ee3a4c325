/*  Motions of walls that add up: where each leads, how they follow each other, what is refused, and that they are kept. */
#include "scree/wall.h"
#include "sound_world.h"
#include "world/state/path_parts.h"
#include "world/state/wall_path.h"

#define PI 3.14159265358979323846

static scree_wall_motion motion_of(const scree_path_part *parts, size_t count, double time)
{
    scree_wall_path path = {.parts = parts, .part_count = count};
    scree_wall_motion motion;
    scree_error error = {SCREE_OK, ""};

    if (scree_wall_path_check(&path, 3, &error) ||
        scree_wall_path_at(&path, time, 3, &motion, &error))
        FAIL("%s", error.text);
    return motion;
}

/*  Where a point of the wall is at a time. */
static void place_of(const scree_path_part *parts, size_t count, double time, const double point[3],
                     double place[3], double velocity[3])
{
    static const double none[4] = {1, 0, 0, 0};
    const scree_wall_motion motion = motion_of(parts, count, time);
    double orientation[4];

    scree_wall_motion_apply(&motion, point, none, place, orientation, velocity);
}

/*  The velocity that is told is that of the places: by differences to both sides. */
static void check_velocity(const scree_path_part *parts, size_t count, double time)
{
    static const double point[3] = {0.3, -0.2, 0.7};
    const double h = 1e-6;
    double before[3], after[3], now[3], velocity[3], ignored[3];

    place_of(parts, count, time - h, point, before, ignored);
    place_of(parts, count, time + h, point, after, ignored);
    place_of(parts, count, time, point, now, velocity);
    for (int k = 0; k < 3; k++)
        if (fabs((after[k] - before[k]) / (2 * h) - velocity[k]) > 2e-6 * (1 + fabs(velocity[k])))
            FAIL("at %g, axis %d: %g by differences, told %g", time, k,
                 (after[k] - before[k]) / (2 * h), velocity[k]);
}

static const double rows[4][8] = {{0, 0, 0, 0, 1, 0, 0, 0},
                                  {0.5, 1, 0, 2, 0.8, 0.6, 0, 0},
                                  {0.8, 1, 1, 0, 0.6, 0, -0.8, 0},
                                  {1.5, 0, 0, 1, 1, 0, 0, 0}};

TEST(velocities_are_those_of_places)
{
    static const double directions[3][3] = {{1, 2, -1}, {0, 0, 2}, {-1, 0.5, 0.5}};

    for (int kind = SCREE_PATH_MOVE; kind <= SCREE_PATH_ROCK; kind++)
        for (int other = SCREE_PATH_MOVE; other <= SCREE_PATH_ROCK; other++)
            for (int style = 0; style < 4; style++) {
                scree_path_part parts[3] = {{.kind = (scree_path_kind)kind},
                                            {.kind = (scree_path_kind)other},
                                            {.kind = SCREE_PATH_SPIN}};
                for (int k = 0; k < 3; k++) {
                    memcpy(parts[k].vector, directions[k], sizeof parts[k].vector);
                    parts[k].centre[k] = 0.4;
                    parts[k].rate = 1.5 + k;
                    parts[k].angle = 0.3;
                    parts[k].frequency = 0.7 + 0.2 * k;
                    parts[k].phase = 0.4 * k;
                    if (parts[k].kind == SCREE_PATH_TABLE) {
                        parts[k].table = rows;
                        parts[k].table_count = 4;
                        parts[k].smooth = style & 1;
                        parts[k].period = style & 2 ? 1.9 : 0;
                    }
                    parts[k].start = style & 1 ? 0.1 : 0;
                    parts[k].stop = style & 2 ? 2.2 : 0;
                    parts[k].ramp = style == 3 ? 0.5 : 0;
                }
                for (double time = 0.23; time < 4; time += 0.171)
                    check_velocity(parts, 3, time);
            }
}

/*  A turn that is carried by the one before it: an orbit, and a spin about a point of its own. */
TEST(turns_carry_those_after_them)
{
    const scree_path_part parts[2] = {
        {.kind = SCREE_PATH_SPIN, .vector = {0, 0, 1}, .rate = PI / 2},
        {.kind = SCREE_PATH_SPIN, .vector = {1, 0, 0}, .centre = {3, 0, 0}, .rate = PI / 2}};
    double place[3], velocity[3];

    /* after a second: about its own axis y has become z; then the orbit takes x to y */
    place_of(parts, 2, 1, (double[3]){3, 1, 0}, place, velocity);
    CHECK_NEAR(place[0], 0, 1e-14);
    CHECK_NEAR(place[1], 3, 1e-14);
    CHECK_NEAR(place[2], 1, 1e-14);
    /* its centre goes round the origin */
    place_of(parts, 2, 1, (double[3]){3, 0, 0}, place, velocity);
    CHECK_NEAR(place[1], 3, 1e-14);
    CHECK_NEAR(velocity[0], -3 * PI / 2, 1e-13);
    const scree_wall_motion motion = motion_of(parts, 2, 1);
    CHECK_NEAR(motion.spin[2], PI / 2, 1e-15);
    /* the own axis points along y by then */
    CHECK_NEAR(motion.spin[1], PI / 2, 1e-15);
    CHECK_NEAR(motion.spin[0], 0, 1e-15);
}

/*  Two swings at right angles, a quarter of a period apart, are a circle; shifts do not turn with turns. */
TEST(shifts_add_in_space)
{
    const scree_path_part parts[3] = {
        {.kind = SCREE_PATH_SWING, .vector = {0.1, 0, 0}, .frequency = 2},
        {.kind = SCREE_PATH_SPIN, .vector = {0, 0, 1}, .rate = 1},
        {.kind = SCREE_PATH_SWING, .vector = {0, 0.1, 0}, .frequency = 2, .phase = PI / 2}};

    for (double time = 0; time < 3; time += 0.37) {
        const scree_wall_motion motion = motion_of(parts, 3, time);
        double x = motion.shift[0], y = motion.shift[1] + 0.1;
        CHECK_NEAR(sqrt(x * x + y * y), 0.1, 1e-15);
        CHECK_NEAR(x, 0.1 * sin(4 * PI * time), 1e-15);
    }
}

/*  The same as the fields of a path that has no parts, to the last bits. */
TEST(parts_lead_where_fields_do)
{
    static const double table[2][4] = {{0, 0, 0, 0}, {2, 0, 0, 1}};
    static const double rows8[2][8] = {{0, 0, 0, 0, 1, 0, 0, 0}, {2, 0, 0, 1, 1, 0, 0, 0}};
    const scree_path_part parts[4] = {
        {.kind = SCREE_PATH_MOVE, .vector = {1, 0, 2}},
        {.kind = SCREE_PATH_SPIN, .vector = {0, 2, 1}, .centre = {1, 1, 0}, .rate = 3},
        {.kind = SCREE_PATH_TABLE, .table = rows8, .table_count = 2},
        {.kind = SCREE_PATH_SWING, .vector = {0, 0.5, 0}, .frequency = 4, .phase = 1}};
    const scree_wall_path fields = {.velocity = {1, 0, 2},
                                    .centre = {1, 1, 0},
                                    .axis = {0, 2, 1},
                                    .rate = 3,
                                    .swing = {0, 0.5, 0},
                                    .frequency = 4,
                                    .phase = 1,
                                    .table = table,
                                    .table_count = 2};
    static const double point[3] = {0.2, 0.4, -1}, turn[4] = {1, 0, 0, 0};

    for (double time = 0; time < 3; time += 0.29) {
        double place[3], velocity[3], other[3], speed[3], orientation[4];
        scree_wall_motion motion;
        place_of(parts, 4, time, point, place, velocity);
        CHECK_EQUAL(scree_wall_path_at(&fields, time, 3, &motion, NULL), SCREE_OK);
        scree_wall_motion_apply(&motion, point, turn, other, orientation, speed);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(place[k], other[k], 1e-13);
            CHECK_NEAR(velocity[k], speed[k], 1e-12);
        }
    }
}

TEST(clocks_start_stop_and_ramp)
{
    scree_path_part part = {.kind = SCREE_PATH_MOVE, .vector = {1, 0, 0}, .start = 1, .stop = 5};
    static const double times[] = {0, 1, 2, 4.5, 5, 9}, places[] = {0, 0, 1, 3.5, 4, 4};

    for (size_t k = 0; k < COUNT_OF(times); k++) {
        const scree_wall_motion motion = motion_of(&part, 1, times[k]);
        CHECK_NEAR(motion.shift[0], places[k], 1e-15);
        CHECK_NEAR(motion.velocity[0], times[k] >= 1 && times[k] < 5 ? 1 : 0, 0);
    }
    /* half of the ramp is lost at each end, and velocities do not jump */
    part.ramp = 1.5;
    CHECK_NEAR(motion_of(&part, 1, 3).velocity[0], 1, 0);
    CHECK_NEAR(motion_of(&part, 1, 3).shift[0], 2 - 0.75, 1e-15);
    CHECK_NEAR(motion_of(&part, 1, 7).shift[0], 4 - 1.5, 1e-15);
    double last = 0;
    for (double time = 0; time < 6; time += 1e-3) {
        double speed = motion_of(&part, 1, time).velocity[0];
        CHECK(fabs(speed - last) < 1.1e-3);
        last = speed;
    }
    /* for ever */
    part.stop = 0;
    CHECK_NEAR(motion_of(&part, 1, 1e6).velocity[0], 1, 0);
}

TEST(tables_hold_smooth_and_go_round)
{
    scree_path_part part = {.kind = SCREE_PATH_TABLE, .table = rows, .table_count = 4};

    /* on rows it is where they say; before and after it holds */
    for (int style = 0; style < 4; style++) {
        part.smooth = style & 1;
        part.period = style & 2 ? 2 : 0;
        for (int k = 0; k < 4; k++) {
            const scree_wall_motion motion = motion_of(&part, 1, rows[k][0]);
            for (int j = 0; j < 3; j++)
                CHECK_NEAR(motion.shift[j], rows[k][1 + j], 1e-14);
            CHECK_NEAR(fabs(motion.turn[0]), rows[k][4], 1e-14);
        }
    }
    part.smooth = false;
    part.period = 0;
    CHECK_NEAR(motion_of(&part, 1, 7).shift[2], 1, 0);
    CHECK_NEAR(motion_of(&part, 1, 7).velocity[2], 0, 0);
    CHECK_NEAR(motion_of(&part, 1, 0.25).shift[2], 1, 1e-15);
    /* every round is the same, and after the last row it goes back to the first */
    part.period = 2;
    for (double time = 0; time < 2; time += 0.07) {
        const scree_wall_motion first = motion_of(&part, 1, time);
        const scree_wall_motion later = motion_of(&part, 1, time + 6);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(first.shift[k], later.shift[k], 1e-13);
        CHECK_NEAR(first.turn[0], later.turn[0], 1e-13);
    }
    CHECK_NEAR(motion_of(&part, 1, 1.75).shift[2], 0.5, 1e-14);
    /* smooth curves have no jump of velocity, closed or not */
    part.smooth = true;
    for (int closed = 0; closed < 2; closed++) {
        part.period = closed ? 2 : 0;
        double last[3] = {0};
        for (double time = 0; time < 4.5; time += 1e-3) {
            const scree_wall_motion motion = motion_of(&part, 1, time);
            for (int k = 0; k < 3; k++) {
                CHECK(time == 0 || fabs(motion.velocity[k] - last[k]) < 0.3);
                last[k] = motion.velocity[k];
            }
        }
    }
    /* a table of one row is a place */
    part.table_count = 1;
    CHECK(motion_of(&part, 1, 3).turn[0] == 1);
}

/*  A turn of a table has a constant rate, and takes the shorter way. */
TEST(turns_of_tables_are_even)
{
    static const double turn[2][8] = {
        {0, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, -0.70710678118654752, 0, 0, -0.70710678118654752}};
    const scree_path_part part = {.kind = SCREE_PATH_TABLE, .table = turn, .table_count = 2};

    for (double time = 0.01; time < 1; time += 0.1) {
        const scree_wall_motion motion = motion_of(&part, 1, time);
        CHECK_NEAR(motion.spin[2], PI / 2, 1e-14);
        CHECK_NEAR(2 * atan2(motion.turn[3], motion.turn[0]), PI / 2 * time, 1e-14);
    }
}

/* ---- what is refused ---- */

typedef struct refusal
{
    scree_path_part part;
    int dimensions;
    const char *says;
} refusal;

static const double falling[2][8] = {{1, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0}};
static const double no_turn[1][8] = {{0, 0, 0, 0, 0, 0, 0, 0}};
static const double endless[1][8] = {{0, INFINITY, 0, 0, 1, 0, 0, 0}};
static const double lifted[1][8] = {{0, 0, 0, 1, 1, 0, 0, 0}};

TEST(what_cannot_be_followed_is_refused)
{
    const refusal cases[] = {
        {{.kind = SCREE_PATH_NONE}, 3, "part 1: kind is 0"},
        {{.kind = (scree_path_kind)9}, 3, "part 1: kind is 9"},
        {{.kind = SCREE_PATH_MOVE, .vector = {0, NAN, 0}}, 3, "vector.y is nan"},
        {{.kind = SCREE_PATH_MOVE, .vector = {0, 0, 1}}, 2, "vector.z is 1, must be 0 in two"},
        {{.kind = SCREE_PATH_SPIN, .rate = 1}, 3, "its axis (0 0 0) has no direction"},
        {{.kind = SCREE_PATH_SPIN, .vector = {1, 0, 0}}, 2, "must be along z"},
        {{.kind = SCREE_PATH_ROCK, .vector = {0, 0, 1}, .angle = INFINITY}, 3, "angle is inf"},
        {{.kind = SCREE_PATH_SWING, .frequency = NAN}, 3, "frequency is nan"},
        {{.kind = SCREE_PATH_SWING, .phase = 1e101}, 3, "phase is 1e+101"},
        {{.kind = SCREE_PATH_SPIN, .vector = {0, 0, 1}, .centre = {0, 0, NAN}}, 3, "centre.z"},
        {{.kind = SCREE_PATH_MOVE, .start = -1}, 3, "start is -1"},
        {{.kind = SCREE_PATH_MOVE, .stop = NAN}, 3, "stop is nan"},
        {{.kind = SCREE_PATH_MOVE, .start = 2, .stop = 1}, 3, "stop is 1, must be after start, 2"},
        {{.kind = SCREE_PATH_MOVE, .stop = 1, .ramp = 0.6}, 3, "ramp is 0.6, must be at most half"},
        {{.kind = SCREE_PATH_TABLE}, 3, "no table"},
        {{.kind = SCREE_PATH_TABLE, .table = falling, .table_count = 2}, 3, "must be above 1"},
        {{.kind = SCREE_PATH_TABLE, .table = no_turn, .table_count = 1}, 3, "has no direction"},
        {{.kind = SCREE_PATH_TABLE, .table = endless, .table_count = 1}, 3, "row 0"},
        {{.kind = SCREE_PATH_TABLE, .table = lifted, .table_count = 1}, 2, "leaves the plane"},
        {{.kind = SCREE_PATH_TABLE, .table = rows, .table_count = 4, .period = 1},
         3,
         "period is 1, must be at least"},
        {{.kind = SCREE_PATH_TABLE, .table = rows, .table_count = 4, .period = 1.5},
         3,
         "it would jump"},
    };

    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        scree_wall_path path = {.parts = &cases[k].part, .part_count = 1};
        scree_error error = {SCREE_OK, ""};
        CHECK(scree_wall_path_check(&path, cases[k].dimensions, &error) != SCREE_OK);
        CHECK_SAYS(error.text, cases[k].says);
    }
    scree_wall_path path = {.part_count = 1};
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(scree_wall_path_check(&path, 3, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "parts is NULL");
    path.part_count = 1001;
    path.parts = &cases[0].part;
    CHECK_EQUAL(scree_wall_path_check(&path, 3, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "at most 1000");
}

/* ---- in worlds ---- */

static scree_world *moving_world(scree_wall_id *wall)
{
    static const scree_path_part parts[3] = {
        {.kind = SCREE_PATH_ROCK, .vector = {0, 0, 1}, .angle = 0.01, .frequency = 20},
        {.kind = SCREE_PATH_TABLE, .table = rows, .table_count = 4, .period = 2, .smooth = true},
        {.kind = SCREE_PATH_SWING, .vector = {0, 1e-4, 0}, .frequency = 50, .ramp = 0.01}};
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_wall_def def = scree_default_wall_def();

    def.material.index1 = 1;
    memcpy(def.point, (const double[3]){0, -5, 0}, sizeof def.point);
    memcpy(def.normal, (const double[3]){0, 1, 0}, sizeof def.normal);
    def.path.parts = parts;
    def.path.part_count = 3;
    CHECK_EQUAL(scree_world_add_wall(world, &def, wall), SCREE_OK);
    return world;
}

TEST(snapshots_and_copies_keep_them)
{
    scree_wall_id wall;
    scree_world *world = moving_world(&wall), *copy;
    scree_world_def def = sound_world();
    scree_snapshot *snapshot;
    const scree_wall_path still = {.table = NULL};

    advance(world, 20);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    uint64_t before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_digest(copy), before);
    advance(world, 30);
    advance(copy, 30);
    uint64_t after = scree_world_digest(world);
    CHECK_EQUAL(scree_world_digest(copy), after);
    /* back, also where the wall has another path now */
    CHECK_EQUAL(scree_world_set_wall_path(world, wall, &still), SCREE_OK);
    CHECK(scree_world_digest(world) != after);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(world), before);
    advance(world, 30);
    CHECK_EQUAL(scree_world_digest(world), after);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(world);
    scree_world_destroy(copy);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(velocities_are_those_of_places),
        CASE(turns_carry_those_after_them),
        CASE(shifts_add_in_space),
        CASE(parts_lead_where_fields_do),
        CASE(clocks_start_stop_and_ramp),
        CASE(tables_hold_smooth_and_go_round),
        CASE(turns_of_tables_are_even),
        CASE(what_cannot_be_followed_is_refused),
        CASE(snapshots_and_copies_keep_them),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
