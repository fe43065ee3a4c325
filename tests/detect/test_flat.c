/*  What is particular to the method flat: floats that must not decide what doubles decide otherwise,
    cells and rows and levels with any number of bodies, sizes that come and go, bodies far out, and
    the same sequence of pairs whatever the number of threads. Everything is compared with a plain
    loop over the rule or, where that would take too long, with another method. */
#include "base/random.h"
#include "detect/flat.h"
#include "scenes/scenes.h"

#include <math.h>

#define MOST 140000u
#include "flat_world.h"

static void begin(scree_volume kind, int axes)
{
    volume = kind;
    dimensions = axes;
    count = 0;
    memset(number, 0, sizeof number);
}

static void add_sphere(double x, double y, double z, double r)
{
    double all[4] = {x, y, dimensions == 3 ? z : 0, r};
    for (int k = 0; k < 4; k++)
        number[k][count] = all[k];
    count++;
}

static void add_box(const double centre[3], const double half[3])
{
    for (int k = 0; k < 3 && k < dimensions; k++) {
        number[k][count] = centre[k] - half[k];
        number[3 + k][count] = centre[k] + half[k];
    }
    count++;
}

static scree_table make_table(void)
{
    scree_view column[6];
    for (int k = 0; k < 6; k++)
        column[k] = scree_doubles(number[k], sizeof(double));
    return volume == SCREE_SPHERES
               ? scree_table_spheres(count, column[0], column[1], column[2], column[3])
               : scree_table_boxes(count, column, column + 3);
}

/*  At every SIMD level there is; the first failure ends the test. */
static void check_all_levels(void)
{
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    scree_pairs expected = find_by_loop();
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
        scree_detector *detector = make_detector("flat", simd, 1);
        scree_pairs pairs = find_pairs(detector, true);
        check_same(&pairs, &expected);
        scree_detector_destroy(detector);
    }
}

/*  The same by another method. */
static void check_by_method(scree_detector *detector, const char *method)
{
    scree_detector *other = make_detector(method, SCREE_SIMD_AUTO, 1);
    scree_pairs expected = find_pairs(other, true), pairs = find_pairs(detector, true);
    check_same(&pairs, &expected);
    scree_detector_destroy(other);
}

/*  Radii log-uniform over 1:ratio, about six partners each. */
static void add_mixture(scree_random *random, size_t bodies, double ratio, double offset)
{
    size_t first = count;
    double sum = 0;
    for (size_t k = 0; k < bodies; k++) {
        double r = scree_random_log_uniform(random, 1, ratio + 1e-9), half[3] = {r, r, r};
        double zero[3] = {0, 0, 0};
        sum += dimensions == 3 ? r * r * r : r * r;
        if (volume == SCREE_SPHERES)
            add_sphere(0, 0, 0, r);
        else
            add_box(zero, half);
    }
    double side = dimensions == 3 ? cbrt(6 * sum) : sqrt(4 * sum);
    for (size_t i = first; i < count; i++)
        for (int k = 0; k < dimensions; k++) {
            double at = offset + scree_random_range(random, 0, side);
            number[k][i] += at;
            if (volume == SCREE_BOXES)
                number[3 + k][i] += at;
        }
}

/* ---- numbers of bodies ---- */

TEST(numbers_around_every_block)
{
    static const size_t sizes[] = {1,   2,    3,    7,    8,    9,    15,  16,  17,
                                   31,  32,   33,   63,   64,   65,   127, 128, 255,
                                   256, 1023, 1024, 1025, 2047, 2048, 2049};
    scree_random random = scree_random_stream(1, 0);
    for (size_t s = 0; s < LENGTH(sizes); s++)
        for (int kind = 0; kind < 4; kind++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            add_mixture(&random, sizes[s], kind & 1 ? 3 : 1, 0);
            check_all_levels();
        }
}

TEST(more_than_255_in_one_cell)
{
    scree_random random = scree_random_stream(2, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        add_mixture(&random, 600, 1, 0);
        for (size_t i = 0; i < 300; i++) { /* a cluster at one point, among others */
            double at[3] = {3, 3, 3}, half[3] = {0.01, 0.01, 0.01};
            if (kind)
                add_box(at, half);
            else
                add_sphere(3, 3, 3, 1);
        }
        check_all_levels();
    }
}

/*  Bunches of 1 to 40 in every row around, all of which overlap: runs as long as the lanes of every level, one
    more and one less, and as many pairs as a body can find at a time. The bunches are far apart, so cells
    are mostly empty; then close, so that they are not. */
TEST(runs_of_every_length)
{
    scree_random random = scree_random_stream(22, 0);
    for (int kind = 0; kind < 12; kind++) {
        double apart = kind & 1 ? 5 : 12, odd = kind & 2 ? 1.3 : 1;
        begin(kind >= 8 ? SCREE_BOXES : SCREE_SPHERES, kind & 4 ? 2 : 3);
        for (int k = 1; k <= 40; k++)
            for (int i = 0; i < 3 * k; i++) {
                double at[3], half[3] = {1, 1, odd};
                for (int axis = 0; axis < 3; axis++)
                    at[axis] = scree_random_range(&random, 0, 1.1);
                at[0] += apart * (k % 7);
                at[1] += apart * (k / 7 % 6);
                if (kind >= 8)
                    add_box(at, half);
                else
                    add_sphere(at[0], at[1], dimensions == 3 ? at[2] : 0, i % 3 ? 1 : odd);
            }
        check_all_levels();
    }
}

/*  Half of the bodies are spread so thinly that the other half falls into one cell: there the tree
    takes over, until they are spread out. */
TEST(more_than_65535_in_one_cell)
{
    scree_random random = scree_random_stream(3, 0);
    begin(SCREE_SPHERES, 2);
    for (size_t i = 0; i < 66000; i++)
        add_sphere((double)(i % 257), (double)(i / 257), 0, 0.5001);
    for (size_t i = 0; i < 70000; i++)
        add_sphere(scree_random_range(&random, -1e7, 1e7), scree_random_range(&random, -1e7, 1e7),
                   0, 0.5001);
    scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
    check_by_method(detector, "rtree-packed");
    for (size_t i = 0; i < 66000; i++)
        number[0][i] = 1000.0 * (double)i;
    check_by_method(detector, "rtree-packed");
    scree_detector_destroy(detector);
}

/*  The same with fewer, so that a plain loop can check it, through many steps. */
TEST(clusters_come_and_go)
{
    scree_random random = scree_random_stream(12, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        add_mixture(&random, 1200, 1, 0);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        for (int step = 0; step < 140; step++) {
            for (size_t i = 0; i < 600; i++) /* within 1e-3, then within 20 */
                for (int k = 0; k < 3; k++) {
                    double at = scree_random_unit(&random) * (step < 100 ? 1e-3 : 20);
                    number[k][i] = at;
                    number[kind ? 3 + k : 3][i] = kind ? at + 1e-5 : 1e-5;
                }
            scree_pairs pairs = find_pairs(detector, true);
            if (step % 9 == 0)
                check_by_loop(&pairs);
            double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
            scree_query query = scree_query_box(zero, one);
            size_t found = 0, expected = 0;
            (void)scree_detector_hits(detector, &query, NULL, 0, &found, NULL);
            for (size_t i = 0; i < count && kind; i++)
                expected += number[0][i] <= 1 && number[1][i] <= 1 && number[2][i] <= 1 &&
                            number[3][i] >= 0 && number[4][i] >= 0 && number[5][i] >= 0;
            CHECK(!kind || found == expected);
        }
        scree_detector_destroy(detector);
    }
}

/*  One row: bodies on a line. More than 65,535 of them, of one level, in one run of a giant. */
TEST(more_than_65535_in_one_row)
{
    begin(SCREE_SPHERES, 3);
    for (size_t i = 0; i < 70000; i++)
        add_sphere((double)((i * 7919) % 70000), 0, 0, 0.5 + 1e-9 * (double)(i % 3));
    add_sphere(35000, 3e5, 0, 3e5);
    add_sphere(35000, -1e4, 0, 4e4);
    scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
    check_by_method(detector, "rtree-packed");
    scree_detector_destroy(detector);
}

/* ---- rounding ---- */

/*  Spheres whose distance is their reach, and one unit in the last place to either side of it, at
    places where floats see far less than that. */
TEST(gaps_of_one_ulp)
{
    static const double places[] = {0, 1, -3.7, 1e3, 12345.678, 1e6, 1e9, 1e15};
    for (int kind = 0; kind < 4; kind++)
        for (size_t p = 0; p < LENGTH(places); p++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            for (int n = 0; n < 200; n++) {
                double r = 0.3 + 0.01 * (n % 7), s = 0.2 + 0.001 * n;
                double at[3] = {places[p] + 4.0 * n, places[p], places[p] / 3}, half[3] = {r, r, r};
                double gap = at[0] + r + s;
                gap = n % 3 == 0 ? gap : nextafter(gap, n % 3 == 1 ? HUGE_VAL : -HUGE_VAL);
                double next[3] = {gap, at[1], at[2]}, half_next[3] = {s, s, s};
                if (kind & 1) {
                    add_box(at, half);
                    add_box(next, half_next);
                } else {
                    add_sphere(at[0], at[1], at[2], r);
                    add_sphere(next[0], next[1], next[2], s);
                }
            }
            check_all_levels();
        }
}

/*  Small bodies that touch a giant to the last unit: windows of one level on another. */
TEST(touching_a_giant)
{
    static const double sizes[] = {30, 1000, 1e5};
    for (int kind = 0; kind < 4; kind++)
        for (size_t s = 0; s < LENGTH(sizes); s++) {
            double zero[3] = {0, 0, 0}, half[3] = {sizes[s], sizes[s], sizes[s]};
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            if (kind & 1)
                add_box(zero, half);
            else
                add_sphere(0, 0, 0, sizes[s]);
            for (int n = 0; n < 900; n++) {
                double r = 0.1 + 1e-4 * n, at[3] = {0, 0, 0}, edge[3] = {r, r, r};
                double away = sizes[s] + r, toward = n % 3 == 0 ? away : n % 3 == 1 ? 0 : HUGE_VAL;
                at[n % dimensions] = nextafter(away, toward) * (n % 2 ? -1 : 1);
                at[(n + 1) % dimensions] = kind & 1 ? n % 17 : 0;
                if (kind & 1)
                    add_box(at, edge);
                else
                    add_sphere(at[0], at[1], at[2], r);
            }
            check_all_levels();
        }
}

/*  Bodies that are smaller than a float's last unit where they are: what windows are widened for. */
TEST(pairs_lost_in_a_wide_domain)
{
    scree_random random = scree_random_stream(13, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(SCREE_SPHERES, 2);
        for (size_t i = 0; i < MOST / 2 - 1; i++) {
            double r = kind ? scree_random_range(&random, 3e-3, 7e-3) : 7e-3;
            double x = scree_random_range(&random, 0, 1e6);
            add_sphere(x, 0, 0, r);
            add_sphere(x + 1.9 * r, 0, 0, r);
        }
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_pairs pairs = find_pairs(detector, true);
        CHECK(pairs.count >= MOST / 2 - 1);
        for (uint64_t k = 0, i = 0; i + 1 < count; i += 2) {
            while (k < pairs.count && pairs.first[k] < i)
                k++;
            if (k == pairs.count || pairs.first[k] != i || pairs.second[k] != i + 1)
                FAIL("{%" PRIu64 ", %" PRIu64 "} is missing", i, i + 1);
        }
        scree_detector_destroy(detector);
    }
}

TEST(bodies_on_cell_faces)
{
    for (int kind = 0; kind < 4; kind++)
        for (int step = 0; step < 3; step++) {
            double pitch = step == 0 ? 1 : step == 1 ? 0.1 : 1.0 / 3, half[3];
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            for (int k = 0; k < 3; k++)
                half[k] = pitch / 2;
            for (int i = 0; i < 1000; i++) {
                double at[3] = {pitch * (i % 10), pitch * (i / 10 % 10), pitch * (i / 100)};
                if (dimensions == 2 && i >= 100)
                    at[0] += pitch * 10 * (i / 100);
                if (kind & 1)
                    add_box(at, half);
                else
                    add_sphere(at[0], at[1], at[2], pitch / 2);
            }
            check_all_levels();
        }
}

/*  The same scene in other units, and somewhere else. */
TEST(coordinates_of_every_magnitude)
{
    static const double scales[] = {1e-300, 1e-200, 1e-160, 1e-30, 1e30, 1e90};
    scree_random random = scree_random_stream(4, 0);
    for (int kind = 0; kind < 2; kind++) {
        for (size_t s = 0; s < LENGTH(scales); s++) {
            begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
            add_mixture(&random, 300, 4, 0);
            for (int k = 0; k < 6; k++)
                for (size_t i = 0; i < count; i++)
                    number[k][i] *= scales[s];
            check_all_levels();
        }
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        add_mixture(&random, 300, 4, 1e15);
        check_all_levels();
    }
}

/* ---- bodies far out ---- */

static void add_outliers(scree_random *random, size_t bodies, double distance)
{
    for (size_t k = 0; k < bodies; k++) {
        double at[3], half[3] = {1, 1, 1};
        for (int axis = 0; axis < 3; axis++)
            at[axis] = scree_random_range(random, -distance, distance);
        at[k % 3] = k % 2 ? distance : -distance;
        for (int reference = 0; reference < 2; reference++) { /* some meet one another */
            if (volume == SCREE_BOXES)
                add_box(at, half);
            else
                add_sphere(at[0], at[1], at[2], 1);
            at[0] += k % 4 ? 1.5 : 2.5;
        }
    }
}

TEST(outliers_meet_what_they_should)
{
    static const double distances[] = {1e3, 1e6, 1e9, 1e15, 1e30, 1e99};
    scree_random random = scree_random_stream(5, 0);
    for (int kind = 0; kind < 4; kind++)
        for (size_t d = 0; d < LENGTH(distances); d++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            add_mixture(&random, 1500, 2, 0);
            add_outliers(&random, 10, distances[d]);
            /* one that is far by its place, and large enough to reach back */
            double at[3] = {distances[d], 0, 0}, half[3] = {distances[d], 1, 1};
            if (kind & 1)
                add_box(at, half);
            else
                add_sphere(distances[d], 0, 0, distances[d]);
            check_all_levels();
        }
}

/* ---- levels ---- */

TEST(every_mixture_of_sizes)
{
    static const double ratios[] = {1, 2, 10, 100, 1e4, 1e8};
    scree_random random = scree_random_stream(6, 0);
    for (int kind = 0; kind < 4; kind++)
        for (size_t r = 0; r < LENGTH(ratios); r++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            add_mixture(&random, 2500, ratios[r], -5);
            add_mixture(&random, 20, 1, 3); /* and some that are all the same */
            check_all_levels();
        }
}

TEST(points_and_giants)
{
    scree_random random = scree_random_stream(7, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(SCREE_SPHERES, kind ? 2 : 3);
        add_mixture(&random, 1500, 1, 0);
        for (int k = 0; k < 300; k++)
            add_sphere(0.01 * k, 1, 1, 0);
        for (int k = 0; k < 5; k++)
            add_sphere(100.0 * k, -500, 3, 505);
        add_sphere(0, 0, 0, 1e9);
        check_all_levels();
    }
}

TEST(needles_of_every_axis)
{
    scree_random random = scree_random_stream(8, 0);
    for (int axes = 2; axes <= 3; axes++) {
        begin(SCREE_BOXES, axes);
        for (int i = 0; i < 2000; i++) {
            double at[3], half[3] = {0.1, 0.1, 0.1};
            half[i % 4 % 3] = i % 7 ? 5 : 0.2;
            for (int k = 0; k < 3; k++)
                at[k] = scree_random_range(&random, 0, axes == 3 ? 40 : 120);
            add_box(at, half);
        }
        check_all_levels();
    }
}

/*  One detector through scenes that have nothing in common. */
TEST(levels_change_from_step_to_step)
{
    scree_random random = scree_random_stream(9, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        for (int step = 0; step < 24; step++) {
            begin(volume, 3);
            if (step % 8 != 5) /* nothing at all */
                add_mixture(&random, step % 3 ? 900 : 30, step % 4 ? pow(10, step % 5) : 1, step);
            if (step % 6 == 1)
                add_outliers(&random, 5, 1e12);
            scree_pairs pairs = find_pairs(detector, true);
            check_by_loop(&pairs);
        }
        scree_detector_destroy(detector);
    }
}

/* ---- threads, queries, memory ---- */

static void check_threads(void)
{
    scree_detector *alone = make_detector("flat", SCREE_SIMD_AUTO, 1);
    scree_pairs expected = find_pairs(alone, false);
    for (uint32_t threads = 2; threads <= 16; threads += threads < 4 ? 1 : 4) {
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, threads);
        scree_pairs pairs = find_pairs(detector, false);
        check_same(&pairs, &expected);
        scree_detector_destroy(detector);
    }
    scree_detector_destroy(alone);
}

TEST(any_number_of_threads)
{
    scree_random random = scree_random_stream(10, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
        add_mixture(&random, 50000, kind & 2 ? 1 : 30, 0);
        add_outliers(&random, 50, 1e9);
        check_threads();
    }
}

static void check_query(const scree_detector *detector, const scree_detector *plain,
                        const scree_query *query)
{
    static scree_hit hits[2][MOST];
    size_t found, expected;
    CHECK(scree_detector_hits(detector, query, hits[0], MOST, &found, NULL) == SCREE_OK);
    CHECK(scree_detector_hits(plain, query, hits[1], MOST, &expected, NULL) == SCREE_OK);
    CHECK_EQUAL(found, expected);
    for (size_t k = 0; k < found; k++) {
        CHECK_EQUAL(hits[0][k].id, hits[1][k].id);
        CHECK(hits[0][k].distance == hits[1][k].distance);
    }
}

TEST(queries_find_what_a_scan_finds)
{
    scree_random random = scree_random_stream(11, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
        add_mixture(&random, 3000, 50, kind == 0 ? 1e15 : -10);
        add_outliers(&random, 10, 1e12);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_detector *plain = make_detector("pairing", SCREE_SIMD_AUTO, 1);
        (void)find_pairs(detector, true);
        scree_table table = make_table();
        CHECK(scree_detector_update(plain, &table, NULL) == SCREE_OK);
        for (int n = 0; n < 300; n++) {
            double at[3] = {0, 0, 0}, to[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
            size_t i = scree_random_below(&random, (uint32_t)count);
            for (int k = 0; k < dimensions; k++) {
                at[k] = number[k][i] + scree_random_range(&random, -20, 20);
                to[k] = at[k] + scree_random_range(&random, 0, n % 10 ? 10 : 1e13);
                direction[k] = n % 3 == k ? 1 : scree_random_range(&random, -1, 1) * (n % 4 > 1);
            }
            direction[0] += direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
            scree_query query = n % 5 == 0   ? scree_query_box(at, to)
                                : n % 5 == 1 ? scree_query_sphere(at, 12)
                                : n % 5 == 2 ? scree_query_ray(at, direction, 100)
                                : n % 5 == 3 ? scree_query_ray_first(at, direction, INFINITY)
                                             : scree_query_nearest(at, 7);
            check_query(detector, plain, &query);
        }
        scree_detector_destroy(detector);
        scree_detector_destroy(plain);
    }
}

/*  The method alone, as the detector uses it. */
TEST(at_most_64_bytes_a_body)
{
    static const char *const scenes[] = {"uniform", "ratio100", "discs32", "needles", "clusters"};
    for (size_t s = 0; s < LENGTH(scenes); s++) {
        scree_scene scene;
        scree_error error;
        CHECK(scree_scene_create(scenes[s], 100000, 1, NULL, &scene, &error) == SCREE_OK);
        size_t bytes[2];
        for (int k = 0; k < 2; k++) {
            scree_detector_def def = scree_default_detector_def();
            scree_detector *detector;
            def.method = k ? "flat" : "pairing";
            def.volume = scene.volume;
            def.dimensions = scene.dimensions;
            CHECK(scree_detector_create(&def, &detector) == SCREE_OK);
            scree_table table = scree_scene_table(&scene);
            CHECK(scree_detector_update(detector, &table, NULL) == SCREE_OK);
            bytes[k] = scree_detector_stats(detector).bytes;
            if (k) { /* what is there is enough for the next time */
                CHECK(scree_detector_update(detector, &table, NULL) == SCREE_OK);
                CHECK_EQUAL(scree_detector_stats(detector).bytes, bytes[1]);
            }
            scree_detector_destroy(detector);
        }
        /* of spheres the detector keeps boxes for the other */
        size_t boxes = scene.volume == SCREE_SPHERES ? sizeof(scree_box) * scene.count : 0;
        CHECK(bytes[1] + boxes <= bytes[0] + 64 * scene.count);
        scree_scene_free(&scene);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_around_every_block),
        CASE(more_than_255_in_one_cell),
        CASE(runs_of_every_length),
        CASE(more_than_65535_in_one_cell),
        CASE(clusters_come_and_go),
        CASE(more_than_65535_in_one_row),
        CASE(gaps_of_one_ulp),
        CASE(touching_a_giant),
        CASE(pairs_lost_in_a_wide_domain),
        CASE(bodies_on_cell_faces),
        CASE(coordinates_of_every_magnitude),
        CASE(outliers_meet_what_they_should),
        CASE(every_mixture_of_sizes),
        CASE(points_and_giants),
        CASE(needles_of_every_axis),
        CASE(levels_change_from_step_to_step),
        CASE(any_number_of_threads),
        CASE(queries_find_what_a_scan_finds),
        CASE(at_most_64_bytes_a_body),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
