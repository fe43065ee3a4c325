/*  A row is four doubles: with AVX2 one vector, else four numbers. Both do the same operations, so bits
    are the same. */
#include "detect/images_rows.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

static scree_row_bits look_at_rows_scalar(const double *rows, uint32_t count,
                                          const scree_row_limits *limits, scree_range *bounds)
{
    scree_row_bits bits = {0, 0};
    scree_range b = *bounds;
    for (uint32_t row = 0; row < count; row++) {
        const double *numbers = rows + 4 * (size_t)row;
        const double radius = numbers[3];
        bool is_inside = true, is_low = false;
        for (int k = 0; k < 4; k++) {
            is_inside &=
                (numbers[k] >= limits->cell.lower[k]) & (numbers[k] < limits->cell.upper[k]);
            is_low |= numbers[k] - radius <= limits->below[k];
        }
        if (!is_inside) {
            bits.outside |= 1ull << row;
            continue;
        }
        bits.low |= (uint64_t)is_low << row;
        for (int k = 0; k < 4; k++) {
            double lower = numbers[k] - radius, upper = numbers[k] + radius;
            b.lower[k] = lower < b.lower[k] ? lower : b.lower[k];
            b.upper[k] = upper > b.upper[k] ? upper : b.upper[k];
        }
    }
    *bounds = b;
    return bits;
}

#if WIDE_HAS_X86
#define ROW_TARGET __attribute__((target("avx2")))

ROW_TARGET static scree_row_bits look_at_rows_avx2(const double *rows, uint32_t count,
                                                   const scree_row_limits *limits,
                                                   scree_range *bounds)
{
    const __m256d begin = _mm256_loadu_pd(limits->cell.lower),
                  end = _mm256_loadu_pd(limits->cell.upper), below = _mm256_loadu_pd(limits->below);
    __m256d lower = _mm256_loadu_pd(bounds->lower), upper = _mm256_loadu_pd(bounds->upper);
    scree_row_bits bits = {0, 0};
    for (uint32_t row = 0; row < count; row++) {
        __m256d numbers = _mm256_loadu_pd(rows + 4 * (size_t)row);
        __m256d radius = _mm256_permute4x64_pd(numbers, 0xff);
        __m256d low = _mm256_sub_pd(numbers, radius);
        __m256d inside = _mm256_and_pd(_mm256_cmp_pd(numbers, begin, _CMP_GE_OQ),
                                       _mm256_cmp_pd(numbers, end, _CMP_LT_OQ));
        if (_mm256_movemask_pd(inside) != 0xf) {
            bits.outside |= 1ull << row;
            continue;
        }
        bits.low |= (uint64_t)(_mm256_movemask_pd(_mm256_cmp_pd(low, below, _CMP_LE_OQ)) != 0)
                    << row;
        lower = _mm256_min_pd(low, lower);
        upper = _mm256_max_pd(_mm256_add_pd(numbers, radius), upper);
    }
    _mm256_storeu_pd(bounds->lower, lower);
    _mm256_storeu_pd(bounds->upper, upper);
    return bits;
}
#endif

scree_row_bits scree_images_look_at_rows(const double *rows, uint32_t count,
                                         const scree_row_limits *limits, scree_range *bounds,
                                         scree_simd simd)
{
#if WIDE_HAS_X86
    if (simd >= SCREE_SIMD_AVX2)
        return look_at_rows_avx2(rows, count, limits, bounds);
#endif
    (void)simd;
    return look_at_rows_scalar(rows, count, limits, bounds);
}
