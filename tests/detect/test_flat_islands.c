/*  The method flat where bodies lie in clusters with empty space between them: islands with frames and
    grids of their own, islets without a grid, and what lies between; and where the domain is wide
    throughout. Pairs are compared with a plain loop over the rule or with another method, and each
    scene is asked whether it was split at all. */
#include "base/random.h"
#include "detect/flat.h"
#include "harness/failing_allocator.h"

#include <math.h>

#define MOST 40000u
#include "flat_world.h"

/*  Centre and half edges; of spheres the first of these is the radius. */
static double centre[MOST][3], half[MOST][3];

static void begin(scree_volume kind, int axes)
{
    volume = kind;
    dimensions = axes;
    count = 0;
}

static void add(double x, double y, double z, double size)
{
    double at[3] = {x, y, dimensions == 3 ? z : 0};
    for (int k = 0; k < 3; k++) {
        centre[count][k] = at[k];
        half[count][k] = k < dimensions ? size : 0;
    }
    count++;
}

static scree_table make_table(void)
{
    scree_view column[6];
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            bool is_box = volume == SCREE_BOXES;
            number[k][i] = is_box ? centre[i][k] - half[i][k] : centre[i][k];
            number[3 + k][i] = is_box ? centre[i][k] + half[i][k] : half[i][0];
        }
    for (int k = 0; k < 6; k++)
        column[k] = scree_doubles(number[k], sizeof(double));
    return volume == SCREE_SPHERES
               ? scree_table_spheres(count, column[0], column[1], column[2], column[3])
               : scree_table_boxes(count, column, column + 3);
}

/*  What the method makes of the scene, asked without a detector. */
typedef struct anatomy
{
    bool is_split, is_crowded, is_fine;
    uint32_t islands, islets, max_levels;
} anatomy;

static anatomy look_inside(void)
{
    static double sphere[MOST][4];
    static scree_box box[MOST];
    static uint32_t active[MOST];
    (void)make_table();
    for (size_t i = 0; i < count; i++) {
        active[i] = (uint32_t)i;
        for (int k = 0; k < 4; k++)
            sphere[i][k] = number[k][i];
        for (int k = 0; k < 3; k++) {
            box[i].lower[k] = number[k][i];
            box[i].upper[k] = number[3 + k][i];
        }
    }
    bool is_box = volume == SCREE_BOXES;
    scree_bodies bodies = {.dimensions = dimensions,
                           .volume = volume,
                           .bound = (uint32_t)count,
                           .active_count = (uint32_t)count,
                           .active = active,
                           .position = active,
                           .box = is_box ? box : NULL,
                           .sphere = is_box ? NULL : (const double(*)[4])sphere};
    scree_detector_def def = scree_default_detector_def();
    scree_memory memory;
    scree_workers workers = {.count = 1};
    scree_method_env env = {&memory, &workers, &def, NULL};
    scree_flat flat = {0};
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    def.volume = volume;
    def.dimensions = dimensions;
    const scree_method *method = scree_method_find("flat");
    CHECK(method->create(&flat, &env) == SCREE_OK);
    CHECK(method->build(&flat, &env, &bodies) == SCREE_OK);
    anatomy seen = {.is_split = flat.is_split,
                    .is_crowded = flat.is_crowded,
                    .is_fine = flat.island_count > 0 && flat.island[0].frame.is_fine,
                    .islands = flat.island_count,
                    .islets = flat.islet_count};
    for (uint32_t k = 0; k < flat.island_count && !flat.is_crowded; k++)
        if (flat.island[k].level_count > seen.max_levels)
            seen.max_levels = flat.island[k].level_count;
    method->destroy(&flat, &env);
    CHECK_EQUAL(memory.bytes, 0);
    return seen;
}

/*  At every SIMD level there is, and the second time as the first. */
static void check_all_levels(void)
{
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    scree_pairs expected = find_by_loop();
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
        scree_detector *detector = make_detector("flat", simd, 1);
        for (int time = 0; time < 2; time++) {
            scree_pairs pairs = find_pairs(detector, true);
            check_same(&pairs, &expected);
        }
        scree_detector_destroy(detector);
    }
}

/*  Bodies of radius 1 to `ratio`, so many that each meets a few, within a cube of which this is the
    lower corner. */
static void add_clump(scree_random *random, size_t bodies, double ratio, const double corner[3])
{
    size_t first = count;
    double sum = 0;
    for (size_t k = 0; k < bodies; k++) {
        double r = ratio > 1 ? scree_random_log_uniform(random, 1, ratio) : 1;
        sum += dimensions == 3 ? r * r * r : r * r;
        add(0, 0, 0, r);
    }
    double side = dimensions == 3 ? cbrt(7 * sum) : sqrt(5 * sum);
    for (size_t i = first; i < count; i++)
        for (int k = 0; k < dimensions; k++)
            centre[i][k] = corner[k] + scree_random_range(random, 0, side);
}

/*  Clumps here and there, and bodies alone or two together between them. */
static void add_clumps(scree_random *random, size_t clumps, size_t bodies, double ratio,
                       double domain)
{
    for (size_t c = 0; c < clumps; c++) {
        double corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = scree_random_range(random, -domain, domain);
        add_clump(random, bodies, ratio, corner);
    }
    for (size_t c = 0; c < clumps * bodies / 20; c++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = scree_random_range(random, -domain, domain);
        add(at[0], at[1], at[2], 1);
        if (c % 2)
            add(at[0] + 1.5, at[1], at[2], 1);
    }
}

TEST(clumps_in_empty_space)
{
    static const double domains[] = {1e5, 1e7, 1e10, 1e13};
    scree_random random = scree_random_stream(1, 0);
    for (int kind = 0; kind < 4; kind++)
        for (size_t d = 0; d < LENGTH(domains); d++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            add_clumps(&random, 7, 300, 1, domains[d]);
            anatomy seen = look_inside();
            CHECK(seen.is_split && !seen.is_crowded);
            CHECK_EQUAL(seen.islands, 8); /* and that of the islets */
            CHECK(seen.islets >= 40);
            check_all_levels();
        }
}

TEST(levels_in_several_islands)
{
    static const double ratios[] = {3, 30, 1000};
    scree_random random = scree_random_stream(2, 0);
    for (int kind = 0; kind < 4; kind++)
        for (size_t r = 0; r < LENGTH(ratios); r++) {
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            add_clumps(&random, 5, 500, ratios[r], 1e9);
            anatomy seen = look_inside();
            CHECK(seen.is_split && seen.islands == 6);
            CHECK(seen.max_levels > 1 || ratios[r] < 10);
            check_all_levels();
        }
}

/*  Needles of every axis, so that shapes have levels of their own in each island. */
TEST(shapes_in_several_islands)
{
    scree_random random = scree_random_stream(3, 0);
    begin(SCREE_BOXES, 3);
    add_clumps(&random, 4, 500, 1, 1e8);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            half[i][k] = k == (int)(i % 3) ? 5 : 0.3;
    CHECK(look_inside().is_split);
    check_all_levels();
}

/*  Clumps whose nearest bodies are diagonal neighbours: a pair of bodies between them touches to the
    last unit, or misses by it. All eight corners of one clump. */
TEST(islands_that_touch_at_corners)
{
    scree_random random = scree_random_stream(4, 0);
    for (int kind = 0; kind < 2; kind++)
        for (int way = 0; way < 3; way++) {
            begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
            for (int corner = 0; corner < 9; corner++) {
                double at[3];
                for (int k = 0; k < 3; k++)
                    at[k] = corner == 8 ? 0 : corner >> k & 1 ? 60 : -60;
                size_t first = count;
                add_clump(&random, 280, 1, at);
                for (size_t i = first; i < count; i++) /* in a cube of 24 */
                    for (int k = 0; k < 3; k++)
                        centre[i][k] = at[k] + fmin(fmax(centre[i][k] - at[k], 1), 23);
            }
            for (int corner = 0; corner < 8; corner++) {
                double from[3], toward = way == 0 ? HUGE_VAL : way == 1 ? -HUGE_VAL : 0;
                double side[3] = {1, 1, 1};
                for (int k = 0; k < 3; k++) {
                    side[k] = corner >> k & 1 ? 1 : -1;
                    from[k] = side[k] > 0 ? 26 : -2;
                }
                double gap = way == 2 ? 2 : nextafter(2, toward);
                add(from[0], from[1], from[2], 1);
                if (kind)
                    add(from[0] + side[0] * gap, from[1] + side[1] * gap, from[2] + side[2] * gap,
                        1);
                else
                    add(from[0] + side[0] * gap, from[1], from[2], 1);
            }
            for (int k = 0; k < 60; k++) /* so far that all of it is one cluster */
                add(1e7 * k, -1e9, 3e8, 1);
            CHECK(look_inside().is_split);
            check_all_levels();
        }
}

/*  A pair of large bodies that just touch, nearly as wide as the blocks between two far clumps of small
    ones: mostly in two blocks, which are neighbours on one axis, two, or three. */
static void add_pair_of_blocks(scree_random *random, double origin, double domain, int axes)
{
    double h = domain / 12, from[3], to[3], step[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        from[k] = origin + scree_random_range(random, 0.3, 0.7) * domain;
    memcpy(to, from, sizeof to);
    for (int k = 0; k < axes; k++)
        step[k] = (scree_random_below(random, 2) ? 1 : -1) * h *
                  (volume == SCREE_BOXES || axes == 1 ? 2
                   : axes == 2                        ? 1.41
                                                      : 1.15);
    for (int k = 0; k < axes; k++)
        to[k] += step[k];
    double other_h = h;
    if (axes == 1 && volume == SCREE_SPHERES) { /* the furthest that the rule accepts */
        other_h = h * scree_random_range(random, 0.9, 1);
        if (origin < 0) { /* where c + r is known far better than the sum of the radii is */
            from[0] = step[0] > 0 ? -h : h;
            to[0] = step[0] > 0 ? other_h : -other_h;
        }
        for (double next = to[0];; next = nextafter(next, step[0] * INFINITY)) {
            double one[4] = {from[0], from[1], from[2], h};
            double other[4] = {next, to[1], to[2], other_h};
            if (!scree_spheres_overlap(one, other))
                break;
            to[0] = next;
        }
    }
    add(from[0], from[1], from[2], h);
    add(to[0], to[1], to[2], other_h);
}

TEST(pairs_across_blocks)
{
    static const double origins[] = {-500, 1e6, 1e12};
    scree_random random = scree_random_stream(12, 0);
    for (int scene = 0; scene < 180; scene++) {
        begin(scene & 1 ? SCREE_BOXES : SCREE_SPHERES, 3);
        double origin = origins[scene % 3], domain = 1000;
        double corner[3] = {origin, origin, origin};
        add_clump(&random, 500, 1, corner);
        for (int k = 0; k < 3; k++)
            corner[k] += domain - 40;
        add_clump(&random, 500, 1, corner);
        add_pair_of_blocks(&random, origin, domain, 1 + scene / 2 % 3);
        CHECK(look_inside().is_split);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_pairs pairs = find_pairs(detector, true);
        check_by_loop(&pairs);
        scree_detector_destroy(detector);
    }
}

/*  In islands and in islets, at places where floats of the whole scene see nothing. */
TEST(gaps_of_one_ulp)
{
    scree_random random = scree_random_stream(5, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
        for (int clump = 0; clump < 5; clump++) {
            double corner[3] = {1e9 * clump, 7e8 * clump, -3e8 * clump};
            for (int n = 0; n < 150; n++) {
                double r = 0.3 + 0.001 * n, x = corner[0] + 3.1 * (n % 12);
                double y = corner[1] + 3.1 * (n / 12), next = x + 2 * r;
                next = n % 3 == 0 ? next : nextafter(next, n % 3 == 1 ? HUGE_VAL : -HUGE_VAL);
                add(x, y, corner[2], r);
                add(next, y, corner[2], r);
            }
        }
        for (int n = 0; n < 200; n++) {
            double x = scree_random_range(&random, -1e10, 1e10), next = x + 2;
            next = n % 3 == 0 ? next : nextafter(next, n % 3 == 1 ? HUGE_VAL : -HUGE_VAL);
            add(x, 3e9 + 1e7 * n, 0, 1);
            add(next, 3e9 + 1e7 * n, 0, 1);
        }
        CHECK(look_inside().is_split);
        check_all_levels();
    }
}

/*  On the faces of blocks, at their corners, and a last unit from these. */
TEST(bodies_on_block_faces)
{
    for (int kind = 0; kind < 4; kind++)
        for (int step = 0; step < 3; step++) {
            double pitch = step == 0 ? 1 : step == 1 ? 0.1 : 1.0 / 3;
            begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
            for (int clump = 0; clump < 4; clump++)
                for (int i = 0; i < 343; i++) {
                    double x = 4096 * clump + pitch * (i % 7), y = pitch * (i / 7 % 7);
                    double z = pitch * (i / 49);
                    if (dimensions == 2)
                        x += 7 * pitch * (i / 49);
                    x = i % 5 ? x : nextafter(x, i % 2 ? HUGE_VAL : -HUGE_VAL);
                    add(x, y, z, pitch / 2);
                }
            add(3e6, 2e6, 1e6, pitch / 2);
            CHECK(look_inside().is_split);
            check_all_levels();
        }
}

/*  Bodies two by two, which touch or miss by the last unit, anywhere in a domain so wide that floats would
    leave all in doubt; of one size, and of several levels. */
TEST(wide_domains_are_seen_in_whole_numbers)
{
    static const double widths[] = {4e5, 1e6, 1e7, 6e7};
    int with_levels = 0;
    scree_random random = scree_random_stream(13, 0);
    for (int kind = 0; kind < 4; kind++)
        for (size_t w = 0; w < LENGTH(widths); w++) {
            begin(SCREE_SPHERES, kind & 2 ? 2 : 3);
            for (int n = 0; n < 900; n++) {
                double from[3], to[3], gap = kind & 1 ? n % 7 < 3 ? 2 : 0.02 * (n % 5 + 1) : 2;
                for (int k = 0; k < 3; k++)
                    from[k] = to[k] = scree_random_range(&random, -widths[w], widths[w]);
                double far = from[n % dimensions] + gap;
                to[n % dimensions] =
                    n % 3 ? nextafter(far, n % 3 == 1 ? HUGE_VAL : -HUGE_VAL) : far;
                add(from[0], from[1], from[2], gap / 2);
                add(to[0], to[1], to[2], gap / 2);
                for (int k = 0; k < 3; k++)
                    to[k] += scree_random_range(&random, -1.5, 1.5);
                add(to[0], to[1], to[2], gap / 2);
            }
            if (kind & 1 && w >= 2) { /* a level of one, which others touch */
                add(0, 0, 0, 40);
                for (int n = 0; n < 6; n++)
                    add(n % 2 ? 40.1 : nextafter(40.1, 50), 0, 0, 0.1);
            }
            anatomy seen = look_inside();
            with_levels += seen.max_levels > 1;
            CHECK(seen.is_fine && !seen.is_split);
            check_all_levels();
        }
    CHECK(with_levels >= 2);
}

/*  Clumps in clumps in clumps: islands are split again. And so deep that it ends. */
TEST(islands_in_islands)
{
    scree_random random = scree_random_stream(6, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        for (int clump = 0; clump < 8; clump++) {
            double corner[3] = {0, 0, 0}, width = 1e15;
            for (int depth = 0; depth < 3; depth++, width *= 1e-4)
                for (int k = 0; k < 3; k++)
                    corner[k] += clump >> depth & 1 ? width * (1 + 0.1 * k) : 0;
            add_clump(&random, 300, 1, corner);
        }
        anatomy seen = look_inside();
        CHECK(seen.is_split && !seen.is_crowded);
        CHECK_EQUAL(seen.islands, 8);
        check_all_levels();

        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        for (int i = 0; i < 1500; i++) /* each half as far out as the one before */
            add(ldexp(1, i % 300 - 150), ldexp(1, i % 299 - 150), 0, 1e-40);
        check_all_levels();
    }
}

/*  A body that reaches over all islands, and many at one place. */
TEST(what_cannot_be_split)
{
    scree_random random = scree_random_stream(7, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        add_clumps(&random, 6, 300, 1, 1e7);
        add(0, -2e7, 0, 2e7);
        check_all_levels();
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        for (int i = 0; i < 700; i++)
            add(1, 2, 3, 1e-3);
        add_clumps(&random, 3, 300, 1, 1e7);
        check_all_levels();
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        for (int i = 0; i < 700; i++) /* squares of distances vanish: the rule says that all meet */
            add(1e-300 * (i % 26), 1e-299 * (i / 26), 0, 0);
        check_all_levels();
    }
}

/*  One detector through scenes with and without islands, without bodies, and with more of them. */
TEST(islands_come_and_go)
{
    scree_random random = scree_random_stream(8, 0);
    for (int kind = 0; kind < 2; kind++) {
        begin(kind ? SCREE_BOXES : SCREE_SPHERES, 3);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        double zero[3] = {0, 0, 0};
        for (int step = 0; step < 40; step++) {
            begin(volume, 3);
            if (step % 5 == 4)
                add_clump(&random, 700, step % 2 ? 1 : 20, zero);
            else if (step % 13 != 12)
                add_clumps(&random, 1 + (size_t)step % 6, 300, step % 3 ? 1 : 10, 1e6);
            scree_pairs pairs = find_pairs(detector, true);
            check_by_loop(&pairs);
        }
        scree_detector_destroy(detector);
    }
}

TEST(any_number_of_threads)
{
    scree_random random = scree_random_stream(9, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
        add_clumps(&random, 20, 1000, kind & 2 ? 1 : 10, 1e8);
        double corner[3] = {3e8, 0, 0};
        add_clump(&random, 9000, 1, corner); /* one much larger */
        CHECK(look_inside().is_split);
        scree_detector *alone = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_pairs expected = find_pairs(alone, false);
        for (uint32_t threads = 2; threads <= 16; threads += threads < 4 ? 1 : 4) {
            scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, threads);
            scree_pairs pairs = find_pairs(detector, false);
            check_same(&pairs, &expected);
            scree_detector_destroy(detector);
        }
        scree_detector *other = make_detector("bvh8", SCREE_SIMD_AUTO, 1);
        expected = find_pairs(other, true);
        scree_pairs pairs = find_pairs(alone, true);
        check_same(&pairs, &expected);
        scree_detector_destroy(other);
        scree_detector_destroy(alone);
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
    scree_random random = scree_random_stream(10, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(kind & 1 ? SCREE_BOXES : SCREE_SPHERES, kind & 2 ? 2 : 3);
        add_clumps(&random, 8, 300, kind == 0 ? 10 : 1, kind < 2 ? 1e6 : 1e11);
        CHECK(look_inside().is_split);
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_detector *plain = make_detector("pairing", SCREE_SIMD_AUTO, 1);
        (void)find_pairs(detector, true);
        scree_table table = make_table();
        CHECK(scree_detector_update(plain, &table, NULL) == SCREE_OK);
        for (int n = 0; n < 300; n++) {
            double at[3] = {0, 0, 0}, to[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
            size_t i = scree_random_below(&random, (uint32_t)count);
            size_t j = scree_random_below(&random, (uint32_t)count);
            for (int k = 0; k < dimensions; k++) {
                at[k] = centre[i][k] + scree_random_range(&random, -20, 20);
                to[k] = at[k] + scree_random_range(&random, 0, n % 10 ? 10 : 1e13);
                direction[k] = centre[j][k] - at[k]; /* through another island */
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

/*  Memory runs out at any moment; the next search finds all pairs again. */
TEST(memory_that_runs_out)
{
    scree_random random = scree_random_stream(11, 0);
    begin(SCREE_SPHERES, 3);
    add_clumps(&random, 4, 300, 10, 1e7);
    CHECK(look_inside().is_split);
    scree_detector *plain = make_detector("pairing", SCREE_SIMD_AUTO, 1);
    scree_pairs expected = find_pairs(plain, true);
    bool failed = true;
    for (size_t k = 1; failed; k++) {
        failing_allocator source = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&source);
        scree_detector_def def = scree_default_detector_def();
        scree_detector *detector;
        scree_pairs_options options = {.canonical = true};
        scree_pairs pairs;
        scree_table table = make_table();
        def.method = "flat";
        def.allocator = hooks;
        if (scree_detector_create(&def, &detector) == SCREE_OK) {
            scree_status status = scree_detector_update(detector, &table, NULL);
            status = status ? status : scree_detector_pairs(detector, &options, &pairs);
            CHECK(status == SCREE_OK || (status == SCREE_OUT_OF_MEMORY && source.failures > 0));
            CHECK(scree_detector_update(detector, &table, NULL) == SCREE_OK);
            CHECK(scree_detector_pairs(detector, &options, &pairs) == SCREE_OK);
            check_same(&pairs, &expected);
            scree_detector_destroy(detector);
        }
        CHECK(failing_allocator_is_clean(&source));
        failed = source.failures > 0;
    }
    scree_detector_destroy(plain);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(clumps_in_empty_space),
        CASE(levels_in_several_islands),
        CASE(shapes_in_several_islands),
        CASE(islands_that_touch_at_corners),
        CASE(pairs_across_blocks),
        CASE(gaps_of_one_ulp),
        CASE(bodies_on_block_faces),
        CASE(islands_in_islands),
        CASE(wide_domains_are_seen_in_whole_numbers),
        CASE(what_cannot_be_split),
        CASE(islands_come_and_go),
        CASE(any_number_of_threads),
        CASE(queries_find_what_a_scan_finds),
        CASE(memory_that_runs_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
