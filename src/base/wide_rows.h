/*  Transposes rows of four doubles to columns and back: the numbers of a body are adjacent in memory, and kernels need
    those of several bodies. Four loads and some shuffles take a third of the time of as many gathers.

    Included for each instruction set after wide.h; wide_load_rows and wide_store_rows are the names. */
/* no include guard: included once for each level */
#undef wide_load_rows
#undef wide_store_rows
#define wide_load_rows WIDE_FN(load_rows)
#define wide_store_rows WIDE_FN(store_rows)

#if WIDE_LEVEL == WIDE_SCALAR && !defined(SCREE_ROWS_SCALAR)
#define SCREE_ROWS_SCALAR
/*  column[k] gets number k of the rows base + 4 * row[lane]. */
SCREE_KERNEL_PART void load_rows_scalar(const double *base, const uint32_t *row, double column[4])
{
    const double *from = base + 4 * (size_t)*row;
    for (int k = 0; k < 4; k++)
        column[k] = from[k];
}

/*  The reverse, into rows that begin at to[0], to[stride], ... */
SCREE_KERNEL_PART void store_rows_scalar(double *to, size_t stride, const double column[4])
{
    (void)stride;
    for (int k = 0; k < 4; k++)
        to[k] = column[k];
}

#elif WIDE_LEVEL == WIDE_128 && !defined(SCREE_ROWS_128)
#define SCREE_ROWS_128
SCREE_KERNEL_PART WIDE_TARGET void load_rows_simd128(const double *base, const uint32_t *row,
                                                     scree_2d column[4])
{
    const double *first = base + 4 * (size_t)row[0], *second = base + 4 * (size_t)row[1];
    for (int k = 0; k < 4; k++)
        column[k] = (scree_2d){first[k], second[k]};
}

SCREE_KERNEL_PART WIDE_TARGET void store_rows_simd128(double *to, size_t stride,
                                                      const scree_2d column[4])
{
    for (size_t k = 0; k < 4; k++) {
        to[k] = column[k][0];
        to[stride + k] = column[k][1];
    }
}

#elif WIDE_LEVEL == WIDE_AVX2 && !defined(SCREE_ROWS_AVX2)
#define SCREE_ROWS_AVX2
SCREE_KERNEL_PART WIDE_TARGET void transpose_avx2(__m256d a, __m256d b, __m256d c, __m256d d,
                                                  __m256d out[4])
{
    __m256d ab = _mm256_unpacklo_pd(a, b), AB = _mm256_unpackhi_pd(a, b);
    __m256d cd = _mm256_unpacklo_pd(c, d), CD = _mm256_unpackhi_pd(c, d);
    out[0] = _mm256_permute2f128_pd(ab, cd, 0x20);
    out[1] = _mm256_permute2f128_pd(AB, CD, 0x20);
    out[2] = _mm256_permute2f128_pd(ab, cd, 0x31);
    out[3] = _mm256_permute2f128_pd(AB, CD, 0x31);
}

/*  Halves of rows are combined by the loads, which saves half of the shuffles of a transposition. */
SCREE_KERNEL_PART WIDE_TARGET __m256d two_halves_avx2(const double *lower, const double *upper)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(lower)), _mm_loadu_pd(upper),
                                1);
}

SCREE_KERNEL_PART WIDE_TARGET void load_rows_avx2(const double *base, const uint32_t *row,
                                                  __m256d column[4])
{
    const double *at[4];

    for (int k = 0; k < 4; k++)
        at[k] = base + 4 * (size_t)row[k];
    for (int half = 0; half < 2; half++) {
        __m256d even = two_halves_avx2(at[0] + 2 * half, at[2] + 2 * half);
        __m256d odd = two_halves_avx2(at[1] + 2 * half, at[3] + 2 * half);
        column[2 * half] = _mm256_unpacklo_pd(even, odd);
        column[2 * half + 1] = _mm256_unpackhi_pd(even, odd);
    }
}

SCREE_KERNEL_PART WIDE_TARGET void store_rows_avx2(double *to, size_t stride,
                                                   const __m256d column[4])
{
    __m256d row[4];

    transpose_avx2(column[0], column[1], column[2], column[3], row);
    for (size_t k = 0; k < 4; k++)
        _mm256_storeu_pd(to + k * stride, row[k]);
}

#elif WIDE_LEVEL == WIDE_AVX512 && !defined(SCREE_ROWS_AVX512)
#define SCREE_ROWS_AVX512
/*  Rows 0 and 4, 1 and 5, and so on, in one vector each. */
SCREE_KERNEL_PART WIDE_TARGET void transpose_avx512(__m512d a, __m512d b, __m512d c, __m512d d,
                                                    __m512d out[4])
{
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    __m512d ab = _mm512_unpacklo_pd(a, b), AB = _mm512_unpackhi_pd(a, b);
    __m512d cd = _mm512_unpacklo_pd(c, d), CD = _mm512_unpackhi_pd(c, d);
    out[0] = _mm512_permutex2var_pd(ab, low, cd);
    out[1] = _mm512_permutex2var_pd(AB, low, CD);
    out[2] = _mm512_permutex2var_pd(ab, high, cd);
    out[3] = _mm512_permutex2var_pd(AB, high, CD);
}

SCREE_KERNEL_PART WIDE_TARGET __m512d two_rows_avx512(const double *lower, const double *upper)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(lower)),
                              _mm256_loadu_pd(upper), 1);
}

SCREE_KERNEL_PART WIDE_TARGET void load_rows_avx512(const double *base, const uint32_t *row,
                                                    __m512d column[4])
{
    __m512d pair[4];

    for (int k = 0; k < 4; k++)
        pair[k] = two_rows_avx512(base + 4 * (size_t)row[k], base + 4 * (size_t)row[4 + k]);
    transpose_avx512(pair[0], pair[1], pair[2], pair[3], column);
}

SCREE_KERNEL_PART WIDE_TARGET void store_rows_avx512(double *to, size_t stride,
                                                     const __m512d column[4])
{
    __m512d pair[4];

    transpose_avx512(column[0], column[1], column[2], column[3], pair);
    for (size_t k = 0; k < 4; k++) {
        _mm256_storeu_pd(to + k * stride, _mm512_castpd512_pd256(pair[k]));
        _mm256_storeu_pd(to + (4 + k) * stride, _mm512_extractf64x4_pd(pair[k], 1));
    }
}
#endif
