/*  A vector of eight floats; an array on other processors. Each operation rounds as that of one float does, so results
    are bit-identical. Comparisons give one bit per lane. */
#ifndef SCREE_EIGHT_H
#define SCREE_EIGHT_H

#include "base/common.h"

#if defined(__SSE2__)
#include <emmintrin.h>

typedef struct scree_eight
{
    __m128 low, high;
} scree_eight;

#define SCREE_EIGHT_OPERATION(name, instruction)                                                   \
    static inline scree_eight scree_eight_##name(scree_eight a, scree_eight b)                     \
    {                                                                                              \
        scree_eight c = {instruction(a.low, b.low), instruction(a.high, b.high)};                  \
        return c;                                                                                  \
    }

SCREE_EIGHT_OPERATION(add, _mm_add_ps)
SCREE_EIGHT_OPERATION(sub, _mm_sub_ps)
SCREE_EIGHT_OPERATION(mul, _mm_mul_ps)
SCREE_EIGHT_OPERATION(min, _mm_min_ps)

static inline scree_eight scree_eight_load(const float p[8])
{
    scree_eight a = {_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
    return a;
}

static inline void scree_eight_store(float p[8], scree_eight a)
{
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}

static inline scree_eight scree_eight_set(float x)
{
    scree_eight a = {_mm_set1_ps(x), _mm_set1_ps(x)};
    return a;
}

/*  a < b */
static inline uint32_t scree_eight_less(scree_eight a, scree_eight b)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmplt_ps(a.low, b.low)) |
           (uint32_t)_mm_movemask_ps(_mm_cmplt_ps(a.high, b.high)) << 4;
}

#else

typedef struct scree_eight
{
    float lane[8];
} scree_eight;

#define SCREE_EIGHT_OPERATION(name, expression)                                                    \
    static inline scree_eight scree_eight_##name(scree_eight a, scree_eight b)                     \
    {                                                                                              \
        scree_eight c;                                                                             \
        for (int i = 0; i < 8; i++)                                                                \
            c.lane[i] = expression;                                                                \
        return c;                                                                                  \
    }

SCREE_EIGHT_OPERATION(add, a.lane[i] + b.lane[i])
SCREE_EIGHT_OPERATION(sub, a.lane[i] - b.lane[i])
SCREE_EIGHT_OPERATION(mul, a.lane[i] * b.lane[i])
SCREE_EIGHT_OPERATION(min, a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])

static inline scree_eight scree_eight_load(const float p[8])
{
    scree_eight a;
    for (int i = 0; i < 8; i++)
        a.lane[i] = p[i];
    return a;
}

static inline void scree_eight_store(float p[8], scree_eight a)
{
    for (int i = 0; i < 8; i++)
        p[i] = a.lane[i];
}

static inline scree_eight scree_eight_set(float x)
{
    scree_eight a;
    for (int i = 0; i < 8; i++)
        a.lane[i] = x;
    return a;
}

static inline uint32_t scree_eight_less(scree_eight a, scree_eight b)
{
    uint32_t hits = 0;
    for (int i = 0; i < 8; i++)
        hits |= (uint32_t)(a.lane[i] < b.lane[i]) << i;
    return hits;
}
#endif

#endif
