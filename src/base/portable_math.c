/*  Exponential and logarithm by the textbook: take out the power of two, sum the Taylor series of
    the small rest. The series are longer than those of a fitted polynomial, but their coefficients
    and error bounds can be checked by hand. Every operation is one that IEEE 754 rounds correctly.
 */
#include "base/portable_math.h"
#include "base/common.h"

#include <math.h>
#include <string.h>

/*  ln 2 in two parts: the first has 32 bits, so that its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33

static double power_of_two(int exponent) /* -1022 .. 1023 */
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/*  x = k ln 2 + r with |r| < 0.35, and e^r = 1 + r + r^2 (1/2! + r/3! + ... + r^11/13!); the rest
    of the series is below 0.35^14/14! < 2^-57. `lost` is what rounding r took away. */
double scree_exp(double x)
{
    static const double inverse_factorials[] = {
        1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
        1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
        1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        1.0 / 2.0,
    };
    double high, low, r, lost, sum = 0.0, result;
    int k;

    if (x != x)
        return x;
    if (x > 710.0) /* above 1024 ln 2 */
        return INFINITY;
    if (x < -746.0) /* below -1075 ln 2 */
        return 0.0;

    k = (int)(x * 0x1.71547652b82fep+0 + (x < 0.0 ? -0.5 : 0.5));
    high = x - k * LN2_HIGH;
    low = k * LN2_LOW;
    r = high - low;
    lost = (high - r) - low;
    for (size_t i = 0; i < SCREE_COUNT_OF(inverse_factorials); i++)
        sum = sum * r + inverse_factorials[i];
    result = 1.0 + (r + (lost + r * r * sum));

    /* in two halves, since 2^k itself may be out of range: only the second product rounds */
    return result * power_of_two(k / 2) * power_of_two(k - k / 2);
}

/*  x = 2^k m with m in [sqrt 1/2, sqrt 2), f = m - 1, s = f / (2 + f), so that log m = log((1 + s)
    / (1 - s)) = 2 s + 2 s^3/3 + 2 s^5/5 + ..., s^2 < 0.0295. The series ends with s^21; the rest
    is below 2^-59 of the sum. It is arranged as f - (f^2/2 - s (f^2/2 + series)), where the large
    terms are exact or nearly so (after K. C. Ng's log in fdlibm). */
double scree_ln(double x)
{
    double m, f, s, s_sq, half_sq, series = 0.0;
    uint64_t bits;
    int k = 0;

    if (x != x || x == INFINITY)
        return x;
    if (x <= 0.0)
        return x < 0.0 ? (double)NAN : -INFINITY;
    if (x < 0x1p-1022) { /* denormal: make it normal */
        x *= 0x1p54;
        k = -54;
    }

    memcpy(&bits, &x, sizeof bits);
    k += (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&m, &bits, sizeof m);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        k++;
    }

    f = m - 1.0;
    s = f / (2.0 + f);
    s_sq = s * s;
    half_sq = 0.5 * f * f;
    for (int divisor = 21; divisor >= 3; divisor -= 2)
        series = (series + 2.0 / divisor) * s_sq;
    return k * LN2_HIGH - ((half_sq - (s * (half_sq + series) + k * LN2_LOW)) - f);
}

double scree_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    return scree_exp(y * scree_ln(x));
}
