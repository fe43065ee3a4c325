/*  Philox4x32-10: ten rounds of multiply, swap and xor turn a counter into four numbers. The counter is the only state.
    Constants and rounds are those of section 3.3 and table 2 of the paper cited in random.h; tests compare them with
    the published known answers. */
#include "base/random.h"
#include "base/portable_math.h"

#include <math.h>

void scree_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;

        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u; /* golden ratio */
        k1 += 0xBB67AE85u; /* sqrt(3) - 1 */
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

scree_random scree_random_stream(uint64_t seed, uint64_t stream)
{
    return (scree_random){.seed = seed, .stream = stream};
}

/*  Counter (k / 2, stream) gives the 64-bit numbers with even index k and k + 1. */
uint64_t scree_random_u64(scree_random *random)
{
    uint64_t k = random->next++, m = k / 2;
    uint32_t counter[4] = {(uint32_t)m, (uint32_t)(m >> 32), (uint32_t)random->stream,
                           (uint32_t)(random->stream >> 32)};
    uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    uint32_t out[4];

    scree_philox(counter, key, out);
    return k % 2 == 0 ? out[0] | (uint64_t)out[1] << 32 : out[2] | (uint64_t)out[3] << 32;
}

double scree_random_unit(scree_random *random)
{
    return (double)(scree_random_u64(random) >> 11) * 0x1p-53;
}

double scree_random_range(scree_random *random, double lower, double upper)
{
    double x = lower + (upper - lower) * scree_random_unit(random);
    return x < upper ? x : lower; /* the sum may round up to the open end of the interval */
}

/*  Returns the high half of number times bound, and draws again if the low half is in the incomplete part. (Lemire,
    "Fast random integer generation in an interval", ACM TOMACS 29, 2019) */
uint32_t scree_random_below(scree_random *random, uint32_t bound)
{
    uint32_t incomplete = bound ? (0u - bound) % bound : 0; /* 2^32 mod bound */
    uint64_t product;

    do
        product = (scree_random_u64(random) >> 32) * bound;
    while ((uint32_t)product < incomplete);
    return (uint32_t)(product >> 32);
}

/*  The polar method (Marsaglia and Bray 1964): a point in the unit disc without its centre. */
double scree_random_normal(scree_random *random)
{
    double x, y, s;

    do {
        x = 2.0 * scree_random_unit(random) - 1.0;
        y = 2.0 * scree_random_unit(random) - 1.0;
        s = x * x + y * y;
    } while (s >= 1.0 || s == 0.0);
    return x * sqrt(-2.0 * scree_ln(s) / s);
}

double scree_random_log_uniform(scree_random *random, double lower, double upper)
{
    double x = scree_exp(scree_random_range(random, scree_ln(lower), scree_ln(upper)));

    /* the two roundings may leave the interval */
    x = x < lower ? lower : x;
    return x > upper ? upper : x;
}
