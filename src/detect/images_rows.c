/*  A row is four doubles: with AVX2 one vector, else four numbers. Both do the same operations, so bits
    are the same. */
#include "detect/images_rows.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

static uint64_t copy_rows_scalar(const double *from, double *to, uint32_t count,
                                 const scree_range *cell, scree_range *bounds)
{
    uint64_t outside = 0;
    scree_range b = *bounds;
    for (uint32_t row = 0; row < count; row++) {
        const double *numbers = from + 4 * (size_t)row;
        const double radius = numbers[3];
        bool is_inside = true;
        for (int k = 0; k < 4; k++) {
            to[4 * (size_t)row + (size_t)k] = numbers[k];
            is_inside &= (numbers[k] >= cell->lower[k]) & (numbers[k] < cell->upper[k]);
        }
        if (!is_inside) {
            outside |= 1ull << row;
            continue;
        }
        for (int k = 0; k < 4; k++) {
            double lower = numbers[k] - radius, upper = numbers[k] + radius;
            b.lower[k] = lower < b.lower[k] ? lower : b.lower[k];
            b.upper[k] = upper > b.upper[k] ? upper : b.upper[k];
        }
    }
    *bounds = b;
    return outside;
}

static uint32_t list_low_scalar(const double *rows, const uint32_t *ids, uint32_t count,
                                const double below[4], uint32_t *low)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double *row = rows + 4 * (size_t)ids[k];
        low[found] = ids[k];
        found += (row[0] - row[3] <= below[0]) | (row[1] - row[3] <= below[1]) |
                 (row[2] - row[3] <= below[2]);
    }
    return found;
}

#if WIDE_HAS_X86
#define ROW_TARGET __attribute__((target("avx2")))

ROW_TARGET static uint64_t copy_rows_avx2(const double *from, double *to, uint32_t count,
                                          const scree_range *cell, scree_range *bounds)
{
    const __m256d begin = _mm256_loadu_pd(cell->lower), end = _mm256_loadu_pd(cell->upper);
    __m256d lower = _mm256_loadu_pd(bounds->lower), upper = _mm256_loadu_pd(bounds->upper);
    uint64_t outside = 0;
    for (uint32_t row = 0; row < count; row++) {
        __m256d numbers = _mm256_loadu_pd(from + 4 * (size_t)row);
        __m256d radius = _mm256_permute4x64_pd(numbers, 0xff);
        __m256d inside = _mm256_and_pd(_mm256_cmp_pd(numbers, begin, _CMP_GE_OQ),
                                       _mm256_cmp_pd(numbers, end, _CMP_LT_OQ));
        _mm256_storeu_pd(to + 4 * (size_t)row, numbers);
        if (_mm256_movemask_pd(inside) != 0xf) {
            outside |= 1ull << row;
            continue;
        }
        lower = _mm256_min_pd(_mm256_sub_pd(numbers, radius), lower);
        upper = _mm256_max_pd(_mm256_add_pd(numbers, radius), upper);
    }
    _mm256_storeu_pd(bounds->lower, lower);
    _mm256_storeu_pd(bounds->upper, upper);
    return outside;
}

ROW_TARGET static uint32_t list_low_avx2(const double *rows, const uint32_t *ids, uint32_t count,
                                         const double below[4], uint32_t *low)
{
    const __m256d most = _mm256_loadu_pd(below);
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++) {
        __m256d numbers = _mm256_loadu_pd(rows + 4 * (size_t)ids[k]);
        __m256d edges = _mm256_sub_pd(numbers, _mm256_permute4x64_pd(numbers, 0xff));
        low[found] = ids[k];
        found += (_mm256_movemask_pd(_mm256_cmp_pd(edges, most, _CMP_LE_OQ)) & 7) != 0;
    }
    return found;
}
#endif

uint64_t scree_images_copy_rows(const double *from, double *to, uint32_t count,
                                const scree_range *cell, scree_range *bounds, scree_simd simd)
{
#if WIDE_HAS_X86
    if (simd >= SCREE_SIMD_AVX2)
        return copy_rows_avx2(from, to, count, cell, bounds);
#endif
    (void)simd;
    return copy_rows_scalar(from, to, count, cell, bounds);
}

uint32_t scree_images_list_low(const double *rows, const uint32_t *ids, uint32_t count,
                               const double below[4], uint32_t *low, scree_simd simd)
{
#if WIDE_HAS_X86
    if (simd >= SCREE_SIMD_AVX2)
        return list_low_avx2(rows, ids, count, below, low);
#endif
    (void)simd;
    return list_low_scalar(rows, ids, count, below, low);
}
