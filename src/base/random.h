/*  A counter-based random generator, Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random
    numbers: as easy as 1, 2, 3", SC 2011). Number k of stream s of seed q is a function of (q, s,
    k) alone: the same on every machine, in any order, from any thread. */
#ifndef SCREE_RANDOM_H
#define SCREE_RANDOM_H

#include "base/common.h"

/*  Four 32-bit numbers from counter and key. */
void scree_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/*  A sequence, read one number after the other. Plain data: a copy continues independently. */
typedef struct scree_random
{
    uint64_t seed, stream, next; /* `next`: index of the next 64-bit number */
} scree_random;

scree_random scree_random_stream(uint64_t seed, uint64_t stream);
uint64_t scree_random_u64(scree_random *random);

/*  In [0, 1), a multiple of 2^-53. */
double scree_random_unit(scree_random *random);

/*  In [lower, upper), or `lower` where the two are equal. */
double scree_random_range(scree_random *random, double lower, double upper);

/*  In [0, bound), unbiased; 0 if `bound` is 0. */
uint32_t scree_random_below(scree_random *random, uint32_t bound);

/*  Normal distribution with mean 0 and standard deviation 1. */
double scree_random_normal(scree_random *random);

/*  In [lower, upper], uniform in the logarithm; 0 < lower <= upper. */
double scree_random_log_uniform(scree_random *random, double lower, double upper);

#endif
