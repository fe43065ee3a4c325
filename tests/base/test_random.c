/*  Random numbers: the generator against its published answers, one stream against recorded numbers
    (so that all machines agree), and the distributions against what they should be. */
#include "base/random.h"
#include "test.h"

#include <math.h>

/*  kat_vectors of Random123, the authors' distribution: philox4x32, 10 rounds. */
TEST(philox_gives_the_published_answers)
{
    static const struct
    {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        scree_philox(known[i].counter, known[i].key, out);
        for (int j = 0; j < 4; j++)
            CHECK_EQUAL(out[j], known[i].out[j]);
    }
}

TEST(a_stream_is_philox_read_in_order)
{
    scree_random random = scree_random_stream(0x299f31d0a4093822u, 0x0370734413198a2eu);
    uint32_t counter[4] = {0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344}, out[4];
    uint32_t key[2] = {0xa4093822, 0x299f31d0};

    random.next = 2 * 0x05a308d3243f6a88u;
    scree_philox(counter, key, out);
    CHECK_EQUAL(scree_random_u64(&random), out[0] | (uint64_t)out[1] << 32);
    CHECK_EQUAL(scree_random_u64(&random), out[2] | (uint64_t)out[3] << 32);
}

TEST(streams_and_seeds_differ)
{
    scree_random a = scree_random_stream(1, 0), b = scree_random_stream(1, 1);
    scree_random c = scree_random_stream(2, 0), copy = a;
    uint64_t first = scree_random_u64(&a);

    CHECK(first != scree_random_u64(&b));
    CHECK(first != scree_random_u64(&c));
    CHECK(first == scree_random_u64(&copy));
    CHECK(first != scree_random_u64(&a));
}

/*  Recorded from this code; the same on every machine, with every compiler and flag. */
TEST(the_first_numbers_do_not_change)
{
    scree_random random = scree_random_stream(20, 26);
    static const uint64_t whole[] = {0xca57018a732c2ed3u, 0xd5cac58730c0b2a2u, 0x63cada0975e70e07u,
                                     0xa4aa30e7beac21aeu};
    static const double unit[] = {0x1.34641efe722f4p-1, 0x1.28f9322729ep-5, 0x1.2c96eda835dd8p-3,
                                  0x1.b86e9d3a8718p-8};
    static const double normal[] = {0x1.0dcf2fbae0e4dp-2, 0x1.537503ecfc7fdp+0,
                                    0x1.df032f7d29322p-1, 0x1.36f94483728e6p-3};
    static const double log_uniform[] = {0x1.c48f86ab67b86p+5, 0x1.3df19a226d5e4p+0,
                                         0x1.107d6ef00b3cap+6, 0x1.04c0e80cc158bp+0};
    static const uint32_t below[] = {829, 305, 352, 939};

    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(scree_random_u64(&random), whole[i]);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(scree_random_unit(&random), unit[i], 0.0);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(scree_random_normal(&random), normal[i], 0.0);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(scree_random_log_uniform(&random, 0.001, 1000.0), log_uniform[i], 0.0);
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(scree_random_below(&random, 1000), below[i]);
}

TEST(unit_numbers_fill_the_interval)
{
    scree_random random = scree_random_stream(3, 0);
    double sum = 0.0, sum_sq = 0.0, lowest = 1.0, highest = 0.0;
    int n = 100000;

    for (int i = 0; i < n; i++) {
        double x = scree_random_unit(&random);
        CHECK(x >= 0.0 && x < 1.0);
        sum += x;
        sum_sq += x * x;
        lowest = x < lowest ? x : lowest;
        highest = x > highest ? x : highest;
    }
    /* five standard errors: 5 / sqrt(12 n) and 5 sqrt(4 / 45 n) */
    CHECK_NEAR(sum / n, 0.5, 0.0046);
    CHECK_NEAR(sum_sq / n, 1.0 / 3.0, 0.0048);
    CHECK(lowest < 1e-3 && highest > 1.0 - 1e-3);
}

TEST(ranges_are_half_open)
{
    scree_random random = scree_random_stream(4, 0);
    double next = nextafter(1.0, 2.0);

    for (int i = 0; i < 1000; i++) {
        double x = scree_random_range(&random, -3.0, 5.0);
        CHECK(x >= -3.0 && x < 5.0);
        /* two neighbours: half of the sums round to the upper end */
        CHECK(scree_random_range(&random, 1.0, next) == 1.0);
        CHECK(scree_random_range(&random, 2.0, 2.0) == 2.0);
    }
}

TEST(below_is_below_and_even)
{
    scree_random random = scree_random_stream(5, 0);
    int counts[7] = {0}, n = 70000;
    uint32_t large = 0xC0000000u; /* a quarter of all draws falls into the incomplete part */
    int in_first_third = 0;

    for (int i = 0; i < n; i++)
        counts[scree_random_below(&random, 7)]++;
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(counts[i], 10000, 5 * 93); /* sqrt(n 1/7 6/7) = 92.6 */
    for (int i = 0; i < n; i++) {
        uint32_t x = scree_random_below(&random, large);
        CHECK(x < large);
        in_first_third += x < large / 3;
    }
    /* without the redrawing, multiples of 3 come twice as often: caught by their share */
    CHECK_NEAR(in_first_third, n / 3.0, 5 * 125);
    in_first_third = 0;
    for (int i = 0; i < n; i++)
        in_first_third += scree_random_below(&random, large) % 3 == 0;
    CHECK_NEAR(in_first_third, n / 3.0, 5 * 125);
    CHECK_EQUAL(scree_random_below(&random, 1), 0);
    CHECK_EQUAL(scree_random_below(&random, 0), 0);
}

TEST(normal_numbers_have_normal_moments)
{
    scree_random random = scree_random_stream(6, 0);
    double sum = 0.0, sum_sq = 0.0, sum_4 = 0.0;
    int n = 100000, within_one = 0;

    for (int i = 0; i < n; i++) {
        double x = scree_random_normal(&random);
        sum += x;
        sum_sq += x * x;
        sum_4 += x * x * x * x;
        within_one += fabs(x) < 1.0;
    }
    /* five standard errors: deviations of x, x^2, x^4 are 1, sqrt 2, sqrt 96 */
    CHECK_NEAR(sum / n, 0.0, 0.016);
    CHECK_NEAR(sum_sq / n, 1.0, 0.023);
    CHECK_NEAR(sum_4 / n, 3.0, 0.16);
    CHECK_NEAR((double)within_one / n, 0.6827, 0.0074);
}

TEST(log_uniform_is_even_in_the_logarithm)
{
    scree_random random = scree_random_stream(7, 0);
    int n = 30000, decades[3] = {0};

    for (int i = 0; i < n; i++) {
        double x = scree_random_log_uniform(&random, 0.1, 100.0);
        CHECK(x >= 0.1 && x <= 100.0);
        decades[x < 1.0 ? 0 : x < 10.0 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(decades[i], 10000, 5 * 82);

    /* exp(log(x)) is not always x, yet the result stays inside */
    for (int i = 0; i < 1000; i++) {
        double x = scree_random_range(&random, 0.5, 1e6);
        CHECK(scree_random_log_uniform(&random, x, x) == x);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(philox_gives_the_published_answers),
        CASE(a_stream_is_philox_read_in_order),
        CASE(streams_and_seeds_differ),
        CASE(the_first_numbers_do_not_change),
        CASE(unit_numbers_fill_the_interval),
        CASE(ranges_are_half_open),
        CASE(below_is_below_and_even),
        CASE(normal_numbers_have_normal_moments),
        CASE(log_uniform_is_even_in_the_logarithm),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
