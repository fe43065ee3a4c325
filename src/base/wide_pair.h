/*  Two rows of four doubles that are processed together, such as a force and a torque, as one value: one vector if the
    machine has vectors of eight doubles. Bit-identical for every instruction set.

    Included for each instruction set after wide.h. row_pair is the type; WIDE_FN(pair_add) and so on are its
    operations. */
/* no include guard: included once for each level */
#include "base/common.h"
#include "base/row_pair.h"

#undef row_pair
#define row_pair WIDE_FN(row_pair)

#if WIDE_LEVEL == WIDE_AVX512 && !defined(SCREE_ROW_PAIR_AVX512)
#define SCREE_ROW_PAIR_AVX512
SCREE_KERNEL_PART WIDE_TARGET row_pair pair_load_avx512(const double *lower, const double *upper)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(lower)),
                              _mm256_loadu_pd(upper), 1);
}

/*  Loads the lower row only; the upper one is undefined. */
SCREE_KERNEL_PART WIDE_TARGET row_pair pair_load_lower_avx512(const double *lower)
{
    return _mm512_castpd256_pd512(_mm256_loadu_pd(lower));
}

SCREE_KERNEL_PART WIDE_TARGET void pair_store_lower_avx512(double *lower, row_pair a)
{
    _mm256_storeu_pd(lower, _mm512_castpd512_pd256(a));
}

SCREE_KERNEL_PART WIDE_TARGET void pair_store_avx512(double *lower, double *upper, row_pair a)
{
    _mm256_storeu_pd(lower, _mm512_castpd512_pd256(a));
    _mm256_storeu_pd(upper, _mm512_extractf64x4_pd(a, 1));
}

/*  Copies the fourth number of each row to all places of that row. */
SCREE_KERNEL_PART WIDE_TARGET row_pair pair_fourth_avx512(row_pair a)
{
    return _mm512_permutex_pd(a, 0xff);
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_set_avx512(double x)
{
    return _mm512_set1_pd(x);
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_add_avx512(row_pair a, row_pair b)
{
    return a + b;
}

/*  Adds the lower rows; the upper row is that of `a`. */
SCREE_KERNEL_PART WIDE_TARGET row_pair pair_add_lower_avx512(row_pair a, row_pair b)
{
    return _mm512_mask_add_pd(a, 0x0f, a, b);
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_sub_avx512(row_pair a, row_pair b)
{
    return a - b;
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_mul_avx512(row_pair a, row_pair b)
{
    return a * b;
}

#elif WIDE_LEVEL == WIDE_AVX2 && !defined(SCREE_ROW_PAIR_AVX2)
#define SCREE_ROW_PAIR_AVX2
SCREE_KERNEL_PART WIDE_TARGET row_pair pair_load_avx2(const double *lower, const double *upper)
{
    return (row_pair){_mm256_loadu_pd(lower), _mm256_loadu_pd(upper)};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_load_lower_avx2(const double *lower)
{
    return pair_load_avx2(lower, lower);
}

SCREE_KERNEL_PART WIDE_TARGET void pair_store_lower_avx2(double *lower, row_pair a)
{
    _mm256_storeu_pd(lower, a.lower);
}

SCREE_KERNEL_PART WIDE_TARGET void pair_store_avx2(double *lower, double *upper, row_pair a)
{
    _mm256_storeu_pd(lower, a.lower);
    _mm256_storeu_pd(upper, a.upper);
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_fourth_avx2(row_pair a)
{
    return (row_pair){_mm256_permute4x64_pd(a.lower, 0xff), _mm256_permute4x64_pd(a.upper, 0xff)};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_set_avx2(double x)
{
    return (row_pair){_mm256_set1_pd(x), _mm256_set1_pd(x)};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_add_avx2(row_pair a, row_pair b)
{
    return (row_pair){a.lower + b.lower, a.upper + b.upper};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_add_lower_avx2(row_pair a, row_pair b)
{
    return (row_pair){a.lower + b.lower, a.upper};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_sub_avx2(row_pair a, row_pair b)
{
    return (row_pair){a.lower - b.lower, a.upper - b.upper};
}

SCREE_KERNEL_PART WIDE_TARGET row_pair pair_mul_avx2(row_pair a, row_pair b)
{
    return (row_pair){a.lower * b.lower, a.upper * b.upper};
}

#elif WIDE_LEVEL == WIDE_128 && !defined(SCREE_ROW_PAIR_128)
#define SCREE_ROW_PAIR_128
#define pair_load_simd128 pair_load_scalar
#define pair_load_lower_simd128 pair_load_lower_scalar
#define pair_store_lower_simd128 pair_store_lower_scalar
#define pair_store_simd128 pair_store_scalar
#define pair_fourth_simd128 pair_fourth_scalar
#define pair_set_simd128 pair_set_scalar
#define pair_add_simd128 pair_add_scalar
#define pair_add_lower_simd128 pair_add_lower_scalar
#define pair_sub_simd128 pair_sub_scalar
#define pair_mul_simd128 pair_mul_scalar

#elif WIDE_LEVEL == WIDE_SCALAR && !defined(SCREE_ROW_PAIR_SCALAR)
#define SCREE_ROW_PAIR_SCALAR
SCREE_KERNEL_PART row_pair pair_load_scalar(const double *lower, const double *upper)
{
    return (row_pair){
        {lower[0], lower[1], lower[2], lower[3], upper[0], upper[1], upper[2], upper[3]}};
}

SCREE_KERNEL_PART row_pair pair_load_lower_scalar(const double *lower)
{
    return pair_load_scalar(lower, lower);
}

SCREE_KERNEL_PART void pair_store_lower_scalar(double *lower, row_pair a)
{
    for (int k = 0; k < 4; k++)
        lower[k] = a.at[k];
}

SCREE_KERNEL_PART void pair_store_scalar(double *lower, double *upper, row_pair a)
{
    for (int k = 0; k < 4; k++) {
        lower[k] = a.at[k];
        upper[k] = a.at[4 + k];
    }
}

SCREE_KERNEL_PART row_pair pair_fourth_scalar(row_pair a)
{
    for (int k = 0; k < 3; k++) {
        a.at[k] = a.at[3];
        a.at[4 + k] = a.at[7];
    }
    return a;
}

SCREE_KERNEL_PART row_pair pair_set_scalar(double x)
{
    return (row_pair){{x, x, x, x, x, x, x, x}};
}

SCREE_KERNEL_PART row_pair pair_add_scalar(row_pair a, row_pair b)
{
    for (int k = 0; k < 8; k++)
        a.at[k] += b.at[k];
    return a;
}

SCREE_KERNEL_PART row_pair pair_add_lower_scalar(row_pair a, row_pair b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] += b.at[k];
    return a;
}

SCREE_KERNEL_PART row_pair pair_sub_scalar(row_pair a, row_pair b)
{
    for (int k = 0; k < 8; k++)
        a.at[k] -= b.at[k];
    return a;
}

SCREE_KERNEL_PART row_pair pair_mul_scalar(row_pair a, row_pair b)
{
    for (int k = 0; k < 8; k++)
        a.at[k] *= b.at[k];
    return a;
}
#endif
