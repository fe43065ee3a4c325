/*  Superquadrics against a slow search over all directions, and what is known in closed form: spheres, planes of
    symmetry, touching poles, flat faces, thin plates. */
#include "narrow/superquadric_gap.h"

#include "base/quaternion.h"
#include "base/random.h"
#include "base/vector.h"
#include "test.h"

#include <math.h>

#define PI 3.14159265358979323846

static scree_superquadric make(double a, double b, double c, double m, double n)
{
    const double radii[3] = {a, b, c}, exponents[2] = {m, n};

    return scree_superquadric_of(radii, exponents);
}

static scree_quadric_body put(const scree_superquadric *shape, double x, double y, double z,
                              const double q[4])
{
    scree_quadric_body body = {.shape = shape, .place = {x, y, z}};

    for (int j = 0; j < 3; j++) {
        const double unit[3] = {j == 0, j == 1, j == 2};
        double turned[3];
        scree_quaternion_turn(q, unit, turned);
        for (int k = 0; k < 3; k++)
            body.turn[k][j] = turned[k];
    }
    return body;
}

static const double straight[4] = {1, 0, 0, 0};

static void random_turn(scree_random *random, double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = scree_random_normal(random);
    scree_quaternion_normalise(q);
}

/* ---- the slow reference: heights over a grid of directions, and the best ones refined ---- */

static double height(const scree_quadric_body body[2], const double point[3], const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    double high[3], low[3], way[3];

    scree_quadric_highest(&body[0], n, high);
    if (point)
        memcpy(low, point, sizeof low);
    else
        scree_quadric_highest(&body[1], back, low);
    for (int k = 0; k < 3; k++)
        way[k] = low[k] - high[k];
    return scree_dot(way, n);
}

static double height_at(const scree_quadric_body body[2], const double point[3], double down,
                        double around)
{
    const double n[3] = {sin(down) * cos(around), sin(down) * sin(around), cos(down)};

    return height(body, point, n);
}

/*  A pattern search: halves its step where no neighbour is higher. */
static double refine(const scree_quadric_body body[2], const double point[3], double down,
                     double around, double step)
{
    double best = height_at(body, point, down, around);

    while (step > 1e-9) {
        bool moved = false;
        for (int k = 0; k < 8 && !moved; k++) {
            const double d = down + step * cos(k * PI / 4);
            const double a = around + step * sin(k * PI / 4) / fmax(sin(down), 1e-3);
            const double other = height_at(body, point, d, a);
            if (other > best) {
                best = other;
                down = d;
                around = a;
                moved = true;
            }
        }
        if (!moved)
            step /= 2;
    }
    return best;
}

#define ROWS 40
#define COLUMNS 80

static double slow_distance(const scree_quadric_body body[2], const double point[3])
{
    static double grid[ROWS][COLUMNS];
    double best = -INFINITY;

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = height_at(body, point, PI * (i + 0.5) / ROWS, 2 * PI * j / COLUMNS);
    for (int n = 0; n < 5; n++) {
        int row = 0, column = 0;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                if (grid[i][j] > grid[row][column]) {
                    row = i;
                    column = j;
                }
        best = fmax(best, refine(body, point, PI * (row + 0.5) / ROWS, 2 * PI * column / COLUMNS,
                                 PI / ROWS));
        /* the others are to be elsewhere */
        for (int i = row - 3; i <= row + 3; i++)
            for (int j = column - 3; j <= column + 3; j++)
                if (i >= 0 && i < ROWS)
                    grid[i][(j + COLUMNS) % COLUMNS] = -INFINITY;
    }
    return best;
}

typedef struct tried
{
    uint32_t steps, most;
} tried;

static scree_superquadric random_shape(scree_random *random, double thin)
{
    const double exponents[4] = {2, 2.5, 4, 8};
    double r[3];

    for (int k = 0; k < 3; k++)
        r[k] = scree_random_log_uniform(random, thin, 1);
    return make(r[0], r[1], r[2], exponents[scree_random_below(random, 4)],
                exponents[scree_random_below(random, 4)]);
}

/*  `depth`: overlap as a share of the thinnest half axis, at most; below 0 apart by that. */
static void try_pair(uint64_t seed, bool with_point, double thin, double depth, tried *tally)
{
    scree_random random = scree_random_stream(seed, 77);
    const scree_superquadric shape[2] = {random_shape(&random, thin), random_shape(&random, thin)};
    double q[2][4], way[3], length = 0;

    for (int k = 0; k < 2; k++)
        random_turn(&random, q[k]);
    for (int k = 0; k < 3; k++)
        way[k] = scree_random_normal(&random);
    length = scree_length(way);
    scree_quadric_body body[2] = {put(&shape[0], 1, 2, 3, q[0]), put(&shape[1], 0, 0, 0, q[1])};
    const double wanted = -depth * fmin(shape[0].thin, with_point ? INFINITY : shape[1].thin);
    /* along a random line, by bisection on what is tested */
    double low = 0, high = 2 * (shape[0].far + shape[1].far) + fabs(wanted), point[3];
    scree_quadric_gap gap = {0};
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        for (int k = 0; k < 3; k++)
            point[k] = body[1].place[k] = body[0].place[k] + middle * way[k] / length;
        gap = with_point ? scree_quadric_gap_of_point(&body[0], point, NULL, INFINITY, NULL)
                         : scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
        if (gap.distance > wanted)
            high = middle;
        else
            low = middle;
        tally->most = gap.steps > tally->most ? gap.steps : tally->most;
        tally->steps += gap.steps;
    }
    const double slow = slow_distance(body, with_point ? point : NULL);
    const double size = shape[0].far + shape[1].far;
    /* the slow search may end a little below a ridge */
    if (slow - gap.distance > 1e-12 * size || gap.distance - slow > 1e-7 * size)
        FAIL("seed %" PRIu64 ": distance %.15g, slow %.15g, %u steps", seed, gap.distance, slow,
             gap.steps);
    /* both points are on the line of the normal */
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(gap.point[1][k] - gap.point[0][k], gap.distance * gap.normal[k], 1e-6 * size);
}

static void try_many(bool with_point, double thin, double depth, tried *tally)
{
    const uint64_t count = TEST_EFFORT(25, 500);

    for (uint64_t seed = 0; seed < count; seed++)
        try_pair(seed, with_point, thin, depth, tally);
    printf("steps: mean %.2f, most %u\n", tally->steps / (60.0 * (double)count), tally->most);
}

TEST(pairs_apart)
{
    tried tally = {0};
    try_many(false, 0.2, -0.5, &tally);
    CHECK(tally.most < 100);
}

TEST(pairs_that_touch)
{
    tried tally = {0};
    try_many(false, 0.2, 0.01, &tally);
    CHECK(tally.most < 100);
}

TEST(thin_pairs)
{
    tried tally = {0};
    try_many(false, 0.1, 0.01, &tally);
    CHECK(tally.most < 100);
}

TEST(points)
{
    tried tally = {0};
    try_many(true, 0.2, -0.1, &tally);
    try_many(true, 0.2, 0.05, &tally);
    CHECK(tally.most < 100);
}

/* ---- in closed form ---- */

static scree_quadric_gap gap_along_x(const scree_superquadric *a, const scree_superquadric *b,
                                     const double q[4], double x)
{
    const scree_quadric_body body[2] = {put(a, 0, 0, 0, straight), put(b, x, 0, 0, q)};

    return scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
}

TEST(balls_are_balls)
{
    const scree_superquadric small = make(0.5, 0.5, 0.5, 2, 2), large = make(2, 2, 2, 2, 2);
    scree_random random = scree_random_stream(3, 0);

    for (int n = 0; n < 200; n++) {
        double q[2][4], at[3];
        for (int k = 0; k < 2; k++)
            random_turn(&random, q[k]);
        for (int k = 0; k < 3; k++)
            at[k] = scree_random_normal(&random) * 2;
        const scree_quadric_body body[2] = {put(&small, 0, 0, 0, q[0]),
                                            put(&large, at[0], at[1], at[2], q[1])};
        const scree_quadric_gap gap =
            scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
        CHECK_NEAR(gap.distance, scree_length(at) - 2.5, 1e-13);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(gap.normal[k], at[k] / scree_length(at), 1e-10);
    }
}

/*  Poles on poles, at which curvatures are 0 or large; flat faces that are parallel; a thin plate on its edge. */
TEST(poles_and_flat_faces)
{
    const double exponents[] = {2, 3, 8};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const scree_superquadric box = make(1, 0.6, 0.8, exponents[i], exponents[j]);
            const scree_superquadric plate = make(0.01, 1, 1, 2, exponents[j]);
            for (double depth = -0.5; depth < 0.006; depth += 0.0505) {
                scree_quadric_gap gap = gap_along_x(&box, &box, straight, 2 - depth);
                CHECK_NEAR(gap.distance, -depth, 1e-12);
                CHECK_NEAR(gap.normal[0], 1, 1e-12);
                gap = gap_along_x(&plate, &plate, straight, 0.02 - depth / 10);
                CHECK_NEAR(gap.distance, -depth / 10, 1e-12);
                CHECK_NEAR(gap.normal[0], 1, 1e-12);
            }
        }
}

/*  Bodies that are shifted along their flat faces, which touch far from the line of centres. */
TEST(flat_faces_aside)
{
    const scree_superquadric box = make(1, 1, 0.5, 8, 8);

    for (int n = 0; n < 20; n++) {
        const double aside = 0.08 * n;
        const scree_quadric_body body[2] = {put(&box, 0, 0, 0, straight),
                                            put(&box, aside, 0.3, 0.99, straight)};
        const scree_quadric_gap gap =
            scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
        CHECK_NEAR(gap.distance, slow_distance(body, NULL), 1e-9);
        CHECK(gap.steps < 60);
    }
}

/*  Lines that touch a body at a known point, moved along its normal there: apart by any distance, or into it by little. */
TEST(lines)
{
    scree_random random = scree_random_stream(13, 0);

    for (int n = 0; n < TEST_EFFORT(2000, 20000); n++) {
        const scree_superquadric s = random_shape(&random, 0.2);
        double q[4], along[3], way[3], on[3], at[3];
        random_turn(&random, q);
        for (int k = 0; k < 3; k++) {
            along[k] = scree_random_normal(&random);
            way[k] = scree_random_normal(&random);
        }
        const double length = scree_length(along);
        for (int k = 0; k < 3; k++)
            along[k] /= length;
        const double common = scree_dot(along, way);
        for (int k = 0; k < 3; k++)
            way[k] -= common * along[k];
        const double width = scree_length(way);
        for (int k = 0; k < 3; k++)
            way[k] /= width;
        const scree_quadric_body body = put(&s, 0.3, 0.2, 0.1, q);
        scree_quadric_highest(&body, way, on);
        const double away = n % 2 ? scree_random_range(&random, 0, 1) : -1e-4 * s.thin;
        for (int k = 0; k < 3; k++)
            at[k] = on[k] + away * way[k] + (n % 3 - 1) * along[k];
        const scree_quadric_gap gap = scree_quadric_gap_of_point(&body, at, along, INFINITY, NULL);
        CHECK_NEAR(gap.distance, away, 1e-11);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(gap.normal[k], way[k], 1e-5);
        CHECK(gap.steps < 60);
    }
}

/*  Two random shapes, the second at a random place; the bodies point to the shapes. */
static void put_random_pair(scree_random *random, double thinnest, scree_superquadric shape[2],
                            scree_quadric_body body[2])
{
    double q[2][4], at[3];

    for (int k = 0; k < 2; k++)
        shape[k] = random_shape(random, thinnest);
    for (int k = 0; k < 2; k++)
        random_turn(random, q[k]);
    for (int k = 0; k < 3; k++)
        at[k] = scree_random_normal(random);
    body[0] = put(&shape[0], 0, 0, 0, q[0]);
    body[1] = put(&shape[1], at[0], at[1], at[2], q[1]);
}

/*  A search that ends early is right about which side of the bound the distance is on. */
TEST(bounds_are_kept)
{
    scree_random random = scree_random_stream(9, 0);

    for (int n = 0; n < 500; n++) {
        scree_superquadric shape[2];
        scree_quadric_body body[2];
        put_random_pair(&random, 0.1, shape, body);
        const scree_quadric_gap whole =
            scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
        const scree_quadric_gap early = scree_quadric_gap_of(&body[0], &body[1], NULL, 0, NULL);
        CHECK((whole.distance >= 0) == (early.distance >= 0));
        CHECK(early.distance <= whole.distance + 1e-12);
        if (whole.distance < 0)
            CHECK(early.distance == whole.distance);
    }
}

/*  The same pair from the other side. */
TEST(sides_agree)
{
    scree_random random = scree_random_stream(11, 0);

    for (int n = 0; n < 500; n++) {
        scree_superquadric shape[2];
        scree_quadric_body body[2];
        put_random_pair(&random, 0.2, shape, body);
        const scree_quadric_gap one =
            scree_quadric_gap_of(&body[0], &body[1], NULL, INFINITY, NULL);
        const scree_quadric_gap two =
            scree_quadric_gap_of(&body[1], &body[0], NULL, INFINITY, NULL);
        if (one.distance < -0.3 * fmin(shape[0].thin, shape[1].thin))
            continue;
        CHECK_NEAR(one.distance, two.distance, 1e-11);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(one.normal[k], -two.normal[k], 1e-6);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pairs_apart),     CASE(pairs_that_touch),     CASE(thin_pairs),       CASE(points),
        CASE(balls_are_balls), CASE(poles_and_flat_faces), CASE(flat_faces_aside), CASE(lines),
        CASE(bounds_are_kept), CASE(sides_agree)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
