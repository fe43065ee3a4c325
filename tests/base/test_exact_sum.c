/*  Sums that are exact, whatever the order of their terms. */
#include "base/exact_sum.h"
#include "base/random.h"
#include "test.h"

#include <float.h>
#include <math.h>

static double sum_of(const double *terms, size_t count)
{
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (size_t k = 0; k < count; k++)
        scree_exact_add(&sum, terms[k]);
    return scree_exact_value(&sum);
}

#define CHECK_SUM(wanted, ...)                                                                     \
    do {                                                                                           \
        const double check_terms[] = {__VA_ARGS__};                                                \
        CHECK(sum_of(check_terms, sizeof check_terms / sizeof *check_terms) == (wanted));          \
    } while (0)

TEST(known_sums)
{
    CHECK(sum_of(NULL, 0) == 0);
    CHECK_SUM(1.5, 1.5);
    CHECK_SUM(-1.5, -1.5);
    CHECK_SUM(0, 1e300, -1e300);
    CHECK_SUM(1, 1e300, 1, -1e300);
    CHECK_SUM(-1, -1e300, -1, 1e300);
    CHECK_SUM(0.1, 0.1, 1e16, -1e16);
    CHECK_SUM(0x1p-1074, 0x1p-1074);
    CHECK_SUM(-0x1p-1074, 0x1p-1074, -0x1p-1073);
    CHECK_SUM(DBL_MAX, DBL_MAX);
    CHECK_SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX);
    CHECK_SUM(DBL_MIN, DBL_MIN, 1, -1);
    CHECK_SUM(0x1p53 + 2, 0x1p53, 1, 1);
}

TEST(terms_that_are_not_finite_show)
{
    const double infinite[] = {1, INFINITY, -3}, minus[] = {-INFINITY, 5};
    const double both[] = {INFINITY, 1, -INFINITY}, nan[] = {NAN, 1}, large[] = {DBL_MAX, DBL_MAX};

    CHECK(sum_of(infinite, 3) == INFINITY);
    CHECK(sum_of(minus, 2) == -INFINITY);
    CHECK(isnan(sum_of(both, 3)));
    CHECK(isnan(sum_of(nan, 2)));
    CHECK(sum_of(large, 2) == INFINITY);
}

TEST(it_may_go_on_after_it_was_read)
{
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (int k = 1; k <= 1000; k++) {
        scree_exact_add(&sum, k % 2 ? -k : k);
        CHECK(scree_exact_value(&sum) == (k % 2 ? -(k + 1) / 2 : k / 2));
    }
}

/*  Integers whose sum a 64-bit integer holds, and any order of terms of any size. */
TEST(the_order_makes_no_difference)
{
    enum
    {
        MANY = 5000
    };
    static double terms[MANY];
    scree_random random = scree_random_stream(7, 0);
    int64_t whole = 0;
    double first, exact = 0;

    for (size_t k = 0; k < MANY; k++) {
        int64_t term = (int64_t)(scree_random_u64(&random) >> 12) - ((int64_t)1 << 51);
        terms[k] = (double)term;
        whole += term;
    }
    exact = (double)whole;
    CHECK_NEAR(sum_of(terms, MANY), exact, fabs(exact) * DBL_EPSILON);

    for (size_t k = 0; k < MANY; k++) {
        double size = (double)(scree_random_u64(&random) % 600) - 300;
        terms[k] = ldexp((double)(scree_random_u64(&random) >> 11) - 0x1p52, (int)size);
    }
    first = sum_of(terms, MANY);
    for (int round = 0; round < 20; round++) {
        for (size_t k = MANY - 1; k > 0; k--) {
            size_t other = (size_t)(scree_random_u64(&random) % (k + 1));
            double kept = terms[k];
            terms[k] = terms[other];
            terms[other] = kept;
        }
        CHECK(sum_of(terms, MANY) == first);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(known_sums),
        CASE(terms_that_are_not_finite_show),
        CASE(it_may_go_on_after_it_was_read),
        CASE(the_order_makes_no_difference),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
