/*  Pebbles that may reach into a ball: at every level those that a plain loop finds. */
#include "base/random.h"
#include "scree/scree.h"
#include "test.h"
#include "world/collide/pebble_query.h"

#include <string.h>

#define PEBBLES 64u

static uint32_t find_plainly(const double (*pebble)[4], uint32_t count, const double centre[3],
                             double more, uint32_t *near)
{
    uint32_t found = 0;

    for (uint32_t p = 0; p < count; p++) {
        double away_sq = 0, most = pebble[p][3] + more;
        for (int k = 0; k < 3; k++)
            away_sq += (pebble[p][k] - centre[k]) * (pebble[p][k] - centre[k]);
        if (away_sq <= most * most)
            near[found++] = p;
    }
    return found;
}

TEST(every_level_finds_the_same)
{
    scree_random random = scree_random_stream(16, 0);

    for (uint32_t trial = 0; trial < 4000; trial++) {
        double pebble[PEBBLES][4], centre[3], more = scree_random_range(&random, 0, 1.5);
        uint32_t plain[PEBBLES + 8], near[PEBBLES + 8], count = 1 + trial % PEBBLES;
        for (uint32_t p = 0; p < count; p++) {
            for (int k = 0; k < 3; k++)
                pebble[p][k] = scree_random_range(&random, -1, 1);
            pebble[p][3] = scree_random_range(&random, 0.1, 0.4);
        }
        for (int k = 0; k < 3; k++)
            centre[k] = scree_random_range(&random, -2, 2);
        /* one that is about as far away as it may be */
        if (trial % 3 == 0) {
            memcpy(centre, pebble[0], sizeof centre);
            centre[0] += pebble[0][3] + more;
        }
        uint32_t due = find_plainly((const double(*)[4])pebble, count, centre, more, plain);
        for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
            if (scree_simd_resolve((scree_simd)level) != (scree_simd)level)
                continue;
            CHECK_EQUAL(scree_pebble_sift_kernels[level]((const double(*)[4])pebble, count, centre,
                                                         more, near),
                        due);
            CHECK(memcmp(near, plain, due * sizeof *near) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_level_finds_the_same),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
