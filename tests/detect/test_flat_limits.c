/*  The method flat where its tables and vectors end: cells and rows with more bodies than a byte counts, or than are
    noted; contacts as many cells apart as there can be; numbers as small and as large as there are. Each test
    looks inside whether the scene is what it is meant to be, then compares with a plain loop over the rule. */
#include "base/random.h"
#include "detect/detector_internal.h"
#include "detect/flat.h"

#include <float.h>
#include <math.h>

#define MOST 10000u
#include "flat_world.h"

static void begin(int axes)
{
    volume = SCREE_SPHERES;
    dimensions = axes;
    count = 0;
    memset(number, 0, sizeof number);
}

static void add(double x, double y, double z, double r)
{
    const double all[4] = {x, y, dimensions == 3 ? z : 0, r};
    for (int k = 0; k < 4; k++)
        number[k][count] = all[k];
    count++;
}

static scree_table make_table(void)
{
    scree_view column[4];
    for (int k = 0; k < 4; k++)
        column[k] = scree_doubles(number[k], sizeof(double));
    return scree_table_spheres(count, column[0], column[1], column[2], column[3]);
}

/*  Bodies in the fullest cell and row of one grid, or 0 where there are islands, or a tree. */
typedef struct fullest
{
    uint32_t cell, row;
} fullest;

static fullest look_inside(const scree_detector *detector)
{
    const scree_flat *flat = detector->state;
    fullest most = {0, 0};
    if (flat->is_split || flat->is_crowded)
        return most;
    for (uint32_t l = 0; l < flat->level_count; l++) {
        const scree_flat_level *level = &flat->level[l];
        const uint32_t *start = flat->start + level->first_cell;
        for (uint32_t row = 0; row < level->rows; row++, start += level->cells[0]) {
            uint32_t bodies = start[level->cells[0]] - start[0];
            most.row = bodies > most.row ? bodies : most.row;
            for (uint32_t cell = 0; cell < level->cells[0]; cell++) {
                bodies = start[cell + 1] - start[cell];
                most.cell = bodies > most.cell ? bodies : most.cell;
            }
        }
    }
    return most;
}

/*  At every SIMD level there is. */
static fullest check_all_levels(void)
{
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);
    scree_pairs expected = find_by_loop();
    fullest most = {0, 0};
    for (scree_simd simd = SCREE_SIMD_SCALAR; simd <= best; simd++) {
        scree_detector *detector = make_detector("flat", simd, 1);
        scree_pairs pairs = find_pairs(detector, true);
        check_same(&pairs, &expected);
        most = look_inside(detector);
        scree_detector_destroy(detector);
    }
    return most;
}

/*  A body of the cluster meets all others of it: more than a sink holds, with those of its other runs. */
TEST(more_than_512_in_one_cell)
{
    scree_random random = scree_random_stream(1, 0);
    for (int odd = 0; odd < 2; odd++) {
        begin(3);
        for (int i = 0; i < 9261; i++)
            add(1.5 * (i % 21), 1.5 * (i / 21 % 21), 1.5 * (i / 441), 1);
        for (int i = 0; i < 560; i++)
            add(15.3 + scree_random_range(&random, 0, 1e-3), 15.3, 15.3, odd && i % 2 ? 1.1 : 1);
        CHECK(check_all_levels().cell > (odd ? 255 : 512));
    }
}

/*  The cells of a row of up to 512 bodies are noted while it is put in order, those of longer ones are not. Bodies are
    in no order along the row. */
TEST(rows_around_512)
{
    static const uint32_t lengths[] = {255, 256, 257, 511, 512, 513, 514, 1023, 1024, 1025};
    scree_random random = scree_random_stream(2, 0);
    for (int axes = 2; axes <= 3; axes++)
        for (size_t k = 0; k < LENGTH(lengths); k++) {
            begin(axes);
            for (uint32_t i = 0; i < lengths[k]; i++)
                add(scree_random_range(&random, 0, 0.4 * lengths[k]), 0.5, 0.5, 1);
            add(0, 40, 40, 1); /* else there is one row */
            CHECK_EQUAL(check_all_levels().row, lengths[k]);
        }
}

/*  On x a cell is as wide as a body: the last that is looked into is two cells away. */
TEST(contacts_two_cells_apart)
{
    for (int odd = 0; odd < 2; odd++) {
        begin(3);
        for (int i = 0; i < 8820; i++) { /* of each row every other one is touched */
            int row = i / 45;
            add((1 - 1e-6) * (i % 45) + 0.0371 * row, 2.05 * (row % 14), 2.05 * (row / 14),
                odd && i % 3 == 0 ? 1 + 1e-6 : 1);
        }
        (void)check_all_levels();
        scree_detector *detector = make_detector("flat", SCREE_SIMD_AUTO, 1);
        scree_pairs pairs = find_pairs(detector, true);
        const scree_flat *flat = detector->state;
        const scree_flat_frame *frame = &flat->island[0].frame;
        uint32_t apart = 0;
        check_by_loop(&pairs);
        CHECK(!flat->is_split && !flat->is_crowded);
        for (uint64_t k = 0; k < pairs.count; k++) {
            int cell[2];
            for (int side = 0; side < 2; side++) {
                double x = number[0][side ? pairs.second[k] : pairs.first[k]];
                float at = scree_flat_near(frame, 0, x);
                cell[side] = (int)scree_flat_cell(&flat->level[0], 0, at);
            }
            apart += abs(cell[0] - cell[1]) == 2;
        }
        CHECK(apart > 50);
        scree_detector_destroy(detector);
    }
}

/*  Below 2^-537 squares vanish, and by the rule all such bodies overlap; further up some do. */
TEST(denormal_numbers)
{
    static const double units[] = {5e-324, 3e-320, 1e-310, 2.3e-308, 1e-163, 1e-161};
    scree_random random = scree_random_stream(3, 0);
    for (size_t u = 0; u < LENGTH(units); u++)
        for (int away = 0; away < 2; away++) {
            begin(2 + (int)u % 2);
            for (int i = 0; i < 200; i++)
                add(units[u] * scree_random_range(&random, -30, 30),
                    units[u] * scree_random_range(&random, -30, 30),
                    units[u] * scree_random_range(&random, -30, 30), units[u] * (i % 3 ? 1 : 4));
            for (int i = 0; i < 20 * away; i++) /* of another order of size */
                add(1e3 * i, 0, 0, i % 2 ? 1 : DBL_MIN);
            (void)check_all_levels();
        }
}

/*  The largest numbers that are taken, alone and among small ones. */
TEST(numbers_up_to_1e100)
{
    scree_random random = scree_random_stream(4, 0);
    for (int kind = 0; kind < 4; kind++) {
        begin(2 + kind % 2);
        for (int i = 0; i < 200; i++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = scree_random_range(&random, -1e100, 1e100);
            add(at[0], at[1], at[2], i % 5 ? 1e98 : 1e99);
        }
        for (int i = 0; i < 16; i++)
            add(i & 1 ? 1e100 : -1e100, i & 2 ? 1e100 : -1e100, i & 4 ? 1e100 : -1e100,
                i & 8 ? 1e100 : 0);
        for (int i = 0; kind >= 2 && i < 200; i++)
            add(scree_random_range(&random, 0, 10), scree_random_range(&random, 0, 10),
                scree_random_range(&random, 0, 10), i % 7 ? 0.5 : DBL_TRUE_MIN);
        (void)check_all_levels();
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(more_than_512_in_one_cell), CASE(rows_around_512),     CASE(contacts_two_cells_apart),
        CASE(denormal_numbers),          CASE(numbers_up_to_1e100),
    };
    return test_main(argc, argv, tests, LENGTH(tests));
}
