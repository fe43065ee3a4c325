/*  The portable functions: against the system's libm (which is right to less than
    one unit in the last place), at the edges, and against recorded bits. */
#include "base/portable_math.h"
#include "base/random.h"
#include "test.h"

#include <float.h>
#include <math.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/*  Distance in units of the last place; NaN is near nothing. */
static uint64_t ulps_between(double a, double b)
{
    uint64_t x = bits_of(a), y = bits_of(b);

    if (a != a || b != b || signbit(a) != signbit(b))
        return a == b ? 0 : UINT64_MAX;
    return x < y ? y - x : x - y;
}

#define CHECK_ULPS(got, wanted, most, argument)                                                    \
    do {                                                                                           \
        double check_got = (got), check_wanted = (wanted);                                         \
        if (ulps_between(check_got, check_wanted) > (most))                                        \
            FAIL("%s at %a: %a, not %a", #got, argument, check_got, check_wanted);                 \
    } while (0)

TEST(exp_is_near_libm)
{
    scree_random random = scree_random_stream(11, 0);

    for (int i = 0; i < 200000; i++) {
        double wide = scree_random_range(&random, -708.0, 709.7);
        double narrow = scree_random_range(&random, -1.0, 1.0);
        CHECK_ULPS(scree_exp(wide), exp(wide), 1, wide);
        CHECK_ULPS(scree_exp(narrow), exp(narrow), 1, narrow);
    }
}

TEST(exp_rounds_denormal_results_once)
{
    scree_random random = scree_random_stream(12, 0);

    for (int i = 0; i < 20000; i++) {
        double x = scree_random_range(&random, -745.2, -708.0);
        CHECK_ULPS(scree_exp(x), exp(x), 1, x);
    }
}

TEST(exp_at_the_edges)
{
    CHECK(scree_exp(0.0) == 1.0);
    CHECK(scree_exp(-0.0) == 1.0);
    CHECK(scree_exp(1e-300) == 1.0);
    CHECK(scree_exp(DBL_MIN / 4) == 1.0);
    CHECK(scree_exp(INFINITY) == INFINITY);
    CHECK(scree_exp(-INFINITY) == 0.0);
    CHECK(isnan(scree_exp((double)NAN)));
    CHECK(scree_exp(DBL_MAX) == INFINITY);
    CHECK(scree_exp(-DBL_MAX) == 0.0);
    CHECK(isfinite(scree_exp(709.782712893383)));
    CHECK(scree_exp(709.7827128933841) == INFINITY);
    CHECK(scree_exp(709.9) == INFINITY);
    CHECK(scree_exp(710.1) == INFINITY);
    CHECK(scree_exp(-745.13) == 0x1p-1074);
    CHECK(scree_exp(-745.14) == 0.0);
    CHECK(scree_exp(-745.99) == 0.0);
    CHECK(scree_exp(-746.1) == 0.0);
}

TEST(ln_is_near_libm)
{
    scree_random random = scree_random_stream(13, 0);

    for (int i = 0; i < 200000; i++) {
        double near_one = scree_random_range(&random, 0.5, 2.0), any;
        uint64_t bits =
            scree_random_u64(&random) % bits_of(INFINITY); /* all sizes, denormals too */

        memcpy(&any, &bits, sizeof any);
        CHECK_ULPS(scree_ln(near_one), log(near_one), 1, near_one);
        if (any > 0.0)
            CHECK_ULPS(scree_ln(any), log(any), 1, any);
    }
}

TEST(ln_at_the_edges)
{
    double around_root = 0x1.6a09e667f3bcdp+0, denormal = 0x1p-1074;

    CHECK(scree_ln(1.0) == 0.0);
    CHECK(!signbit(scree_ln(1.0)));
    CHECK(scree_ln(0.0) == -INFINITY);
    CHECK(scree_ln(-0.0) == -INFINITY);
    CHECK(isnan(scree_ln(-1.0)));
    CHECK(isnan(scree_ln(-denormal)));
    CHECK(isnan(scree_ln(-INFINITY)));
    CHECK(isnan(scree_ln((double)NAN)));
    CHECK(scree_ln(INFINITY) == INFINITY);
    for (double x = denormal; x < 0x1p-1020; x *= 1.7)
        CHECK_ULPS(scree_ln(x), log(x), 1, x);
    CHECK_ULPS(scree_ln(DBL_MIN), log(DBL_MIN), 1, DBL_MIN);
    CHECK_ULPS(scree_ln(DBL_MAX), log(DBL_MAX), 1, DBL_MAX);
    CHECK_ULPS(scree_ln(around_root), log(around_root), 1, around_root);
    around_root = nextafter(around_root, 2.0);
    CHECK_ULPS(scree_ln(around_root), log(around_root), 1, around_root);
    /* next to 1, where the result is as small as the rounding of its parts */
    for (double x = 1.0, step = DBL_EPSILON; step < 0.1; step *= 2.0) {
        CHECK_ULPS(scree_ln(x + step), log(x + step), 1, x + step);
        CHECK_ULPS(scree_ln(x - step), log(x - step), 1, x - step);
    }
}

TEST(exp_and_ln_undo_each_other)
{
    scree_random random = scree_random_stream(14, 0);

    for (int i = 0; i < 10000; i++) {
        double x = scree_random_range(&random, -700.0, 700.0);
        /* half a unit in exp(x) is 2^-53 in x, and rounding x itself adds its own unit */
        CHECK_NEAR(scree_ln(scree_exp(x)), x, 3e-16 * (1.0 + fabs(x)));
    }
}

TEST(pow_keeps_its_promise)
{
    scree_random random = scree_random_stream(15, 0);

    for (int i = 0; i < 100000; i++) {
        double x = scree_random_log_uniform(&random, 1e-30, 1e30);
        double y = scree_random_range(&random, -10.0, 10.0), wanted = pow(x, y);
        CHECK_NEAR(scree_pow(x, y) / wanted, 1.0, 1e-15 * (1.0 + fabs(y * log(x))));
    }
}

TEST(pow_at_the_edges)
{
    CHECK(scree_pow(5.0, 0.0) == 1.0);
    CHECK(scree_pow(0.0, 0.0) == 1.0);
    CHECK(scree_pow(INFINITY, -0.0) == 1.0);
    CHECK(scree_pow(1.0, INFINITY) == 1.0);
    CHECK(scree_pow(1.0, -1e300) == 1.0);
    CHECK(scree_pow(0.0, 0.5) == 0.0);
    CHECK(scree_pow(0.0, -0.5) == INFINITY);
    CHECK(scree_pow(10.0, 400.0) == INFINITY);
    CHECK(scree_pow(10.0, -400.0) == 0.0);
    CHECK(scree_pow(2.0, INFINITY) == INFINITY);
    CHECK(scree_pow(0.5, INFINITY) == 0.0);
    CHECK(isnan(scree_pow(-2.0, 3.0)));
    CHECK(isnan(scree_pow((double)NAN, 2.0)));
    CHECK(isnan(scree_pow(2.0, (double)NAN)));
}

/*  long double has 11 bits more, so that its sine, rounded, is the right one but for near ties. */
static void check_angle(double x)
{
    double sine, cosine;
    CHECK_ULPS(scree_sin(x), (double)sinl((long double)x), 1, x);
    CHECK_ULPS(scree_cos(x), (double)cosl((long double)x), 1, x);
    scree_sin_cos(x, &sine, &cosine);
    CHECK(bits_of(sine) == bits_of(scree_sin(x)) && bits_of(cosine) == bits_of(scree_cos(x)));
}

TEST(sin_and_cos_are_near_libm)
{
    scree_random random = scree_random_stream(17, 0);

    for (int i = 0; i < 200000; i++) {
        double any, sign = i & 1 ? -1.0 : 1.0;
        uint64_t bits = scree_random_u64(&random) % bits_of(INFINITY); /* all sizes */

        memcpy(&any, &bits, sizeof any);
        check_angle(sign * any);
        check_angle(scree_random_range(&random, -4.0, 4.0));
        check_angle(sign * scree_random_log_uniform(&random, 1e-12, 1e10));
    }
}

/*  Where nearly all bits cancel: the doubles next to multiples of pi/2, and 6381956970095103 * 2^797,
    which is nearer to one than any other. */
TEST(sin_and_cos_near_multiples_of_half_pi)
{
    for (int k = 1; k < 100000; k++) {
        double x = (double)((long double)k * 1.57079632679489661923132169163975144L);
        check_angle(x);
        check_angle(nextafter(x, 0.0));
        check_angle(-nextafter(x, INFINITY));
    }
    check_angle(ldexp(6381956970095103.0, 797));
    CHECK(fabs(scree_cos(ldexp(6381956970095103.0, 797))) < 1e-18);
    for (int k = 0; k < 100; k++) {
        double x = 0.25 * k * 3.14159265358979323846;
        check_angle(x);
        check_angle(nextafter(x, INFINITY));
    }
}

TEST(sin_and_cos_at_the_edges)
{
    double bad[] = {INFINITY, -INFINITY, (double)NAN};

    for (size_t i = 0; i < 3; i++)
        CHECK(isnan(scree_sin(bad[i])) && isnan(scree_cos(bad[i])));
    CHECK(bits_of(scree_sin(0.0)) == bits_of(0.0));
    CHECK(bits_of(scree_sin(-0.0)) == bits_of(-0.0));
    CHECK(scree_cos(0.0) == 1.0 && scree_cos(-0.0) == 1.0);
    CHECK(scree_sin(0x1p-1074) == 0x1p-1074);
    CHECK(scree_sin(-DBL_MIN) == -DBL_MIN);
    CHECK(scree_cos(1e-9) == 1.0);
    check_angle(DBL_MAX);
    check_angle(-DBL_MAX);
    for (double x = 0.1; x < 1e300; x *= 7.7)
        CHECK_NEAR(scree_sin(x) * scree_sin(x) + scree_cos(x) * scree_cos(x), 1.0, 4e-16);
}

/*  Every result of a long run in one number: equal on all machines, compilers and flags. */
TEST(the_bits_do_not_change)
{
    scree_random random = scree_random_stream(16, 0);
    uint64_t digest = 0;

    for (int i = 0; i < 10000; i++) {
        double x = scree_random_range(&random, -740.0, 709.0);
        double y = scree_random_range(&random, 0.0, 1e6);
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_exp(x));
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_ln(y));
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_pow(y, 0.001 * x));
    }
    CHECK_EQUAL(digest, 6501045309943307552);

    digest = 0;
    for (int i = 0; i < 10000; i++) {
        double x = scree_random_range(&random, -1e3, 1e3);
        double y = scree_random_log_uniform(&random, 1.0, 1e300);
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_sin(x));
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_cos(x));
        digest = digest * 0x9E3779B97F4A7C15u + bits_of(scree_sin(y));
    }
    CHECK_EQUAL(digest, -6416223698079679663);
}

TEST(cube_roots_are_near_libm)
{
    static const double kept[] = {0, -0.0, INFINITY, -INFINITY};

    for (size_t k = 0; k < SCREE_COUNT_OF(kept); k++) {
        double root = scree_cube_root(kept[k]);
        CHECK(memcmp(&root, &kept[k], sizeof root) == 0);
    }
    CHECK(isnan(scree_cube_root((double)NAN)));
    CHECK(scree_cube_root(27) == 3 && scree_cube_root(-0.125) == -0.5);
    for (int e = -1073; e < 1024; e++)
        for (int k = 0; k < 20; k++) {
            double x = ldexp(1 + k / 20.0, e), root = scree_cube_root(x), wanted = cbrt(x);
            CHECK(fabs(root - wanted) <= 4 * 0x1p-53 * wanted);
            CHECK(scree_cube_root(-x) == -root);
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(cube_roots_are_near_libm),
        CASE(exp_is_near_libm),
        CASE(exp_rounds_denormal_results_once),
        CASE(exp_at_the_edges),
        CASE(ln_is_near_libm),
        CASE(ln_at_the_edges),
        CASE(exp_and_ln_undo_each_other),
        CASE(pow_keeps_its_promise),
        CASE(pow_at_the_edges),
        CASE(sin_and_cos_are_near_libm),
        CASE(sin_and_cos_near_multiples_of_half_pi),
        CASE(sin_and_cos_at_the_edges),
        CASE(the_bits_do_not_change),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
