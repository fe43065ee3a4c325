/*  Four doubles as one value: x, y, z and a fourth that belongs to them. Bit-identical with and without vector
    instructions. */
#ifndef SCREE_ROW4_H
#define SCREE_ROW4_H

#include "base/common.h"

#if defined(__GNUC__)
typedef double row4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long row4_bits __attribute__((vector_size(32)));
#define row4_load(p) (*(const row4 *)(const void *)(p))
#define row4_store(p, a) ((void)(*(row4 *)(void *)(p) = (a)))
typedef float row4_floats __attribute__((vector_size(16), aligned(4), may_alias));
#define row4_load_floats(p) __builtin_convertvector(*(const row4_floats *)(const void *)(p), row4)
#define row4_store_floats(p, a)                                                                    \
    ((void)(*(row4_floats *)(void *)(p) = __builtin_convertvector(a, row4_floats)))
#define row4_of(x, y, z, w) ((row4){x, y, z, w})
#define row4_set(x) ((row4){x, x, x, x})
#define row4_add(a, b) ((a) + (b))
#define row4_sub(a, b) ((a) - (b))
#define row4_mul(a, b) ((a) * (b))
/*  Sets the fourth to 0. */
#define row4_three(a) ((row4)((row4_bits)(a) & (row4_bits){-1, -1, -1, 0}))
#else
typedef struct row4
{
    double at[4];
} row4;

static inline row4 row4_of(double x, double y, double z, double w)
{
    row4 made = {{x, y, z, w}};
    return made;
}

static inline row4 row4_load_floats(const float *p)
{
    return row4_of((double)p[0], (double)p[1], (double)p[2], (double)p[3]);
}

static inline row4 row4_load(const double *p)
{
    return row4_of(p[0], p[1], p[2], p[3]);
}

static inline void row4_store(double *p, row4 a)
{
    for (int k = 0; k < 4; k++)
        p[k] = a.at[k];
}

static inline void row4_store_floats(float *p, row4 a)
{
    for (int k = 0; k < 4; k++)
        p[k] = (float)a.at[k];
}

static inline row4 row4_add(row4 a, row4 b)
{
    return row4_of(a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]);
}

static inline row4 row4_sub(row4 a, row4 b)
{
    return row4_of(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2], a.at[3] - b.at[3]);
}

static inline row4 row4_mul(row4 a, row4 b)
{
    return row4_of(a.at[0] * b.at[0], a.at[1] * b.at[1], a.at[2] * b.at[2], a.at[3] * b.at[3]);
}

static inline row4 row4_three(row4 a)
{
    return row4_of(a.at[0], a.at[1], a.at[2], 0);
}
#define row4_set(x) row4_of(x, x, x, x)
#endif

#endif
