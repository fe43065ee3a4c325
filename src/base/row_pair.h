/*  Two rows of four doubles as one value, for machines without vectors of eight doubles: see wide_pair.h. */
#ifndef SCREE_ROW_PAIR_H
#define SCREE_ROW_PAIR_H

typedef struct row_pair_scalar
{
    double at[8];
} row_pair_scalar;

/*  Compilers turn each of its loops into two vector operations. */
typedef row_pair_scalar row_pair_simd128;

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

typedef struct row_pair_avx2
{
    __m256d lower, upper;
} row_pair_avx2;

typedef __m512d row_pair_avx512;
#endif

#endif
