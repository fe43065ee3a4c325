/*  Exponential, logarithm, arc tangent, sine and cosine by textbook methods: reduce the argument by a power of two or
    by quarter turns, then sum the Taylor series. The series are longer than a fitted polynomial, but their coefficients
    and error bounds can be checked by hand. Every operation is one that IEEE 754 rounds correctly. */
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

static uint64_t scree_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double scree_number_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#include "base/cube_root.inc.h"

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

/* ---- arc tangent ---- */

#include "base/arc_tangent.inc.h"

/* ---- sine and cosine ---- */

/*  2 / pi, behind 64 zero bits: binary digits enough for every finite number. */
static const uint32_t two_over_pi[41] = {
    0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
    0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu,
    0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u,
    0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu,
    0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u,
    0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u,
};

/*  pi / 2 in two parts. */
#define HALF_PI_HIGH 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/*  The first 27 bits of a number: products of such halves are exact. (Veltkamp, Dekker 1971) */
static double upper_half(double a)
{
    double scaled = 134217729.0 * a;
    return scaled - (scaled - a);
}

/*  high + low = a * b to the last bit. */
static void exact_product(double a, double b, double *high, double *low)
{
    double a_high = upper_half(a), a_low = a - a_high;
    double b_high = upper_half(b), b_low = b - b_high;
    *high = a * b;
    *low = ((a_high * b_high - *high) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/*  digit[0] is the most significant. */
enum
{
    DIGITS = 8
};

static void shift_left(uint32_t digit[DIGITS], int bits) /* 1 .. 32 */
{
    for (int k = 0; k < DIGITS; k++) {
        uint64_t two = (uint64_t)digit[k] << 32 | (k + 1 < DIGITS ? digit[k + 1] : 0u);
        digit[k] = (uint32_t)(two >> (32 - bits));
    }
}

static void negate(uint32_t digit[DIGITS])
{
    uint64_t carry = 1;
    for (int k = DIGITS - 1; k >= 0; k--) {
        carry += ~digit[k];
        digit[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

/*  x / (pi/2) modulo 4 for x = m 2^e, m < 2^53, as a number of 256 bits whose first bit has weight 2. Bits of 2/pi with
    higher weight give multiples of 4 for any integer m; the bits cut off at the end are worth less than 2^-201 in
    total. (Payne & Hanek 1983) */
static void reduce_to_quadrants(uint64_t m, int e, uint32_t digit[DIGITS])
{
    uint64_t low = m & 0xffffffffu, high = m >> 32, carry = 0;
    unsigned start = (unsigned)(62 + e), word = start / 32;
    uint32_t window[DIGITS];

    for (size_t k = 0; k < DIGITS; k++) {
        uint64_t two = (uint64_t)two_over_pi[word + k] << 32 | two_over_pi[word + k + 1];
        window[k] = (uint32_t)(two << (start % 32) >> 32);
    }
    for (int k = DIGITS - 1; k >= 0; k--) {
        carry += window[k] * low;
        digit[k] = (uint32_t)carry;
        carry >>= 32;
    }
    carry = 0;
    for (int k = DIGITS - 1; k > 0; k--) {
        carry += window[k] * high + digit[k - 1];
        digit[k - 1] = (uint32_t)carry;
        carry >>= 32;
    }
}

/*  x = k pi/2 + r + lost, |r| <= pi/4, for finite x >= 0; returns k modulo 4. No number of 53 bits is
    nearer than 2^-62 to a multiple of pi/2, so r has all its bits. */
static uint32_t reduce_angle(double x, double *r, double *lost)
{
    uint32_t digit[DIGITS], quadrant;
    uint64_t bits, first, second;
    double high, low, product, error, scale = 1.0;
    bool negative;
    int shift = 0;

    *r = x;
    *lost = 0.0;
    if (x <= 0.5 * HALF_PI_HIGH)
        return 0;
    memcpy(&bits, &x, sizeof bits);
    reduce_to_quadrants((bits & 0x000fffffffffffffu) | 0x0010000000000000u,
                        (int)(bits >> 52) - 1075, digit);

    /* the nearest multiple, and the remaining fraction without its sign */
    quadrant = digit[0] >> 30;
    shift_left(digit, 2);
    negative = digit[0] >> 31 != 0;
    if (negative) {
        quadrant++;
        negate(digit);
    }
    for (; digit[0] == 0 && SCREE_ALWAYS(shift < 128); shift += 32)
        shift_left(digit, 32);
    for (; digit[0] >> 31 == 0 && SCREE_ALWAYS(shift < 160); shift++)
        shift_left(digit, 1);

    /* times pi/2, in two doubles */
    first = (uint64_t)digit[0] << 32 | digit[1];
    second = (uint64_t)digit[2] << 32 | digit[3];
    scale = power_of_two(-shift) * (negative ? -1.0 : 1.0);
    high = (double)(first >> 11) * 0x1p-53;
    low = (double)((first & 0x7ffu) << 53 | second >> 11) * 0x1p-117;
    exact_product(high, HALF_PI_HIGH, &product, &error);
    error += high * HALF_PI_LOW + low * HALF_PI_HIGH;
    *r = (product + error) * scale;
    *lost = ((product - (product + error)) + error) * scale;
    return quadrant & 3;
}

/*  Taylor series up to r^17 and r^18: the rest is below 2^-63 and 2^-71 for |r| <= pi/4. */
static double sine_near_zero(double r, double lost)
{
    static const double coefficients[] = {
        1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
        1.0 / 362880.0,          -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0,
    };
    double r_sq = r * r, sum = 0.0;
    for (size_t i = 0; i < SCREE_COUNT_OF(coefficients); i++)
        sum = sum * r_sq + coefficients[i];
    return r + (r * r_sq * sum + lost * (1.0 - 0.5 * r_sq));
}

static double cosine_near_zero(double r, double lost)
{
    static const double coefficients[] = {
        -1.0 / 6402373705728000.0, 1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0,
        -1.0 / 3628800.0,          1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,
    };
    double r_sq = r * r, half_sq = 0.5 * r_sq, start = 1.0 - half_sq, sum = 0.0;
    for (size_t i = 0; i < SCREE_COUNT_OF(coefficients); i++)
        sum = sum * r_sq + coefficients[i];
    return start + (((1.0 - start) - half_sq) + (r_sq * r_sq * sum - r * lost));
}

void scree_sin_cos(double x, double *sine, double *cosine)
{
    double r, lost, s, c;
    uint32_t quadrant;

    if (!(fabs(x) < INFINITY)) {
        *sine = *cosine = (double)NAN;
        return;
    }
    quadrant = reduce_angle(fabs(x), &r, &lost);
    s = sine_near_zero(r, lost);
    c = cosine_near_zero(r, lost);
    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2)
        *sine = -*sine;
    if (quadrant == 1 || quadrant == 2)
        *cosine = -*cosine;
    if (signbit(x))
        *sine = -*sine;
}

double scree_sin(double x)
{
    double sine, cosine;
    scree_sin_cos(x, &sine, &cosine);
    return sine;
}

double scree_cos(double x)
{
    double sine, cosine;
    scree_sin_cos(x, &sine, &cosine);
    return cosine;
}
