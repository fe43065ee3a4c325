/*  How far walls go in a step, at most: against thousands of looks at points of walls that go all the ways there are. */
#include "base/quaternion.h"
#include "base/random.h"
#include "base/vector.h"
#include "harness/world_maker.h"
#include "world/boundaries/wall_motion.h"
#include "world/boundaries/wall_way.h"
#include "world/state/wall_path.h"

#include <math.h>

#define LOOKS 2000

static void random_vector(scree_random *random, double size, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = scree_random_range(random, -size, size);
}

static void wave(double time, double shift[3], double velocity[3], double turn[4], double spin[3],
                 void *user)
{
    const double axis[3] = {0.6, 0, 0.8};

    (void)user;
    for (int k = 0; k < 3; k++) {
        shift[k] = sin((3 + k) * time);
        velocity[k] = (3 + k) * cos((3 + k) * time);
        spin[k] = 2 * axis[k];
    }
    scree_quaternion_about(axis, 2 * time, turn);
}

static double table[4][4];
static double rows[3][5][8];
static scree_path_part parts[3];

static void random_part(scree_random *random, int k, scree_path_part *part)
{
    *part = (scree_path_part){.kind = (scree_path_kind)(1 + scree_random_below(random, 5))};
    random_vector(random, 1, part->vector);
    random_vector(random, 2, part->centre);
    part->rate = scree_random_range(random, -4, 4);
    part->angle = scree_random_range(random, -1, 1);
    part->frequency = scree_random_range(random, 0, 2);
    part->phase = scree_random_range(random, 0, 6);
    if (scree_random_below(random, 2)) {
        part->start = scree_random_range(random, 0, 2);
        part->stop = part->start + scree_random_range(random, 0.5, 3);
        part->ramp = scree_random_below(random, 2) ? 0.2 : 0;
    }
    if (part->kind != SCREE_PATH_TABLE)
        return;
    part->table = (const double(*)[8])rows[k];
    part->table_count = 1 + scree_random_below(random, 5);
    part->smooth = scree_random_below(random, 2);
    for (int r = 0; r < 5; r++) {
        rows[k][r][0] = 0.7 * r + scree_random_range(random, 0, 0.3);
        random_vector(random, 1, rows[k][r] + 1);
        for (int j = 4; j < 8; j++)
            rows[k][r][j] = scree_random_range(random, -1, 1);
    }
    if (scree_random_below(random, 2))
        part->period = rows[k][part->table_count - 1][0] - rows[k][0][0] + 0.4;
}

static scree_wall_path random_path(scree_random *random)
{
    scree_wall_path path = {.velocity = {0}};
    uint32_t kind = scree_random_below(random, 6);

    if (kind == 0)
        path.function = wave;
    if (kind == 1)
        random_vector(random, 1, path.velocity);
    if (kind == 2 || kind == 3) {
        random_vector(random, 2, path.centre);
        random_vector(random, 1, path.axis);
        path.rate = scree_random_range(random, -3, 3);
    }
    if (kind == 3) {
        random_vector(random, 1, path.swing);
        path.frequency = scree_random_range(random, 0, 2);
        for (int r = 0; r < 4; r++) {
            table[r][0] = 0.6 * r + scree_random_range(random, 0, 0.3);
            random_vector(random, 1, table[r] + 1);
        }
        path.table = (const double(*)[4])table;
        path.table_count = 4;
    }
    if (kind >= 4) {
        path.parts = parts;
        path.part_count = 1 + scree_random_below(random, 3);
        for (uint32_t k = 0; k < path.part_count; k++)
            random_part(random, (int)k, &parts[k]);
    }
    return path;
}

static void point_at(const scree_wall_record *wall, const double local[3], double point[3])
{
    double turned[3];

    scree_quaternion_turn(wall->next.orientation, local, turned);
    for (int k = 0; k < 3; k++)
        point[k] = wall->next.position[k] + turned[k];
}

TEST(no_point_goes_farther)
{
    scree_random random = scree_random_stream(7, 0);
    double tightest = 0;

    for (int n = 0; n < TEST_EFFORT(400, 4000); n++) {
        scree_wall_record wall = {.def = {.kind = SCREE_WALL_PLANE}};
        scree_wall_way way;
        double local[3], first[3], last[3], length = 0, start = scree_random_range(&random, 0, 3);
        double dt = scree_random_log_uniform(&random, 0.001, 1);
        wall.def.path = random_path(&random);
        wall.path_moves = scree_wall_path_moves(&wall.def.path);
        wall.def.orientation[0] = 1;
        wall.def.normal[2] = 1;
        random_vector(&random, 1, wall.def.point);
        random_vector(&random, 1, local);
        if (scree_random_below(&random, 4) == 0) {
            wall.has_servo = true;
            wall.servo.axis[1] = 1;
            wall.drive.speed = scree_random_range(&random, -1, 1);
            random_vector(&random, 1, wall.drive.shift);
        }
        if (scree_wall_path_check(&wall.def.path, 3, NULL))
            continue;
        CHECK_EQUAL(scree_wall_find_pose(&wall, start, 3, NULL), SCREE_OK);
        CHECK_EQUAL(scree_wall_move(&wall, start + dt, dt, 3, NULL), SCREE_OK);
        CHECK_EQUAL(scree_wall_find_way(&wall, start + dt, dt, 3, &way, NULL), SCREE_OK);
        for (int k = 0; k <= LOOKS; k++) {
            scree_wall_record at;
            double point[3];
            CHECK_EQUAL(scree_wall_at_share(&wall, start + dt, dt, 3, (double)k / LOOKS, &at, NULL),
                        SCREE_OK);
            point_at(&at, local, point);
            if (k == 0)
                memcpy(first, point, sizeof first);
            else
                length += scree_apart(point, last);
            memcpy(last, point, sizeof last);
        }
        double bound = way.shift + way.turn * scree_apart(first, way.centre);
        CHECK(length <= bound * (1 + 1e-9) + 1e-12);
        tightest = fmax(tightest, length / fmax(bound, 1e-300));
        if (way.is_straight)
            CHECK_NEAR(length, scree_apart(first, last), 1e-9);
    }
    /* and it is worth something */
    CHECK(tightest > 0.99);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_point_goes_farther),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
