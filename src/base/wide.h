/*  SIMD vectors of doubles. A kernel is written once with these names and included once for each instruction set:

        #define WIDE_LEVEL WIDE_AVX2
        #include "base/wide.h"
        #include "detect/some_kernel.inc.h"

    WIDE_FN(name) is the kernel's name at this level, WIDE_TARGET its attribute, WIDE_LANES its width. A comparison
    gives one bit per lane. wide_min and wide_max are a < b ? a : b and a > b ? a : b, so of a NaN and a number they
    give the second. wide_where(a, b, x, y) is x where a <= b, else y. wide_gather(base, indices) is
    base[indices[lane]], of uint32_t below 2^31. There is deliberately no multiply-add (see common.h). Compilers that
    have these types accept + - * / on them. */
/* no include guard: included once for each level */
#include "base/common.h"

#ifndef WIDE_SCALAR
#define WIDE_SCALAR 0
#define WIDE_128 1
#define WIDE_AVX2 2
#define WIDE_AVX512 3
#include "base/simd128.h"
#define WIDE_HAS_128 SCREE_HAS_SIMD128
#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_HAS_X86 1
#include <immintrin.h>
#else
#define WIDE_HAS_X86 0
#endif
#include <math.h>
/*  A table with one entry per scree_simd: of_level(name of the instruction set). */
#if WIDE_HAS_X86
#define WIDE_TABLE(of_level)                                                                       \
    {                                                                                              \
        of_level(scalar), of_level(scalar), of_level(simd128), of_level(avx2), of_level(avx512)    \
    }
#elif WIDE_HAS_128
#define WIDE_TABLE(of_level)                                                                       \
    {                                                                                              \
        of_level(scalar), of_level(scalar), of_level(simd128), of_level(simd128),                  \
            of_level(simd128)                                                                      \
    }
#else
#define WIDE_TABLE(of_level)                                                                       \
    {                                                                                              \
        of_level(scalar), of_level(scalar), of_level(scalar), of_level(scalar), of_level(scalar)   \
    }
#endif
/*  A table of one kernel's functions, by the names of the instruction sets; for floats (wide_float.h) with _float
    added. */
#if WIDE_HAS_X86
#define WIDE_LEVELS(name)                                                                          \
    {                                                                                              \
        name##_scalar, name##_scalar, name##_simd128, name##_avx2, name##_avx512                   \
    }
#elif WIDE_HAS_128
#define WIDE_LEVELS(name)                                                                          \
    {                                                                                              \
        name##_scalar, name##_scalar, name##_simd128, name##_simd128, name##_simd128               \
    }
#else
#define WIDE_LEVELS(name)                                                                          \
    {                                                                                              \
        name##_scalar, name##_scalar, name##_scalar, name##_scalar, name##_scalar                  \
    }
#endif
#endif

#undef WIDE_FN
#undef WIDE_TARGET
#undef WIDE_LANES
#undef wide
#undef wide_load
#undef wide_set
#undef wide_add
#undef wide_sub
#undef wide_mul
#undef wide_less_equal
#undef wide_store
#undef wide_min
#undef wide_max
#undef wide_div
#undef wide_sqrt
#undef wide_abs
#undef wide_where
#undef wide_gather

#if WIDE_LEVEL == WIDE_SCALAR
#include "base/wide_scalar.h"
#elif WIDE_LEVEL == WIDE_128
#include "base/wide_128.h"
#elif WIDE_LEVEL == WIDE_AVX2
#define WIDE_FN(name) name##_avx2
#define WIDE_TARGET __attribute__((target("avx2")))
#define WIDE_LANES 4u
#define wide __m256d
#define wide_load(p) _mm256_loadu_pd(p)
#define wide_set(x) _mm256_set1_pd(x)
#define wide_add(a, b) _mm256_add_pd(a, b)
#define wide_sub(a, b) _mm256_sub_pd(a, b)
#define wide_mul(a, b) _mm256_mul_pd(a, b)
#define wide_less_equal(a, b) ((uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)))
#define wide_store(p, a) _mm256_storeu_pd(p, a)
#define wide_min(a, b) _mm256_min_pd(a, b)
#define wide_max(a, b) _mm256_max_pd(a, b)
#define wide_div(a, b) _mm256_div_pd(a, b)
#define wide_sqrt(a) _mm256_sqrt_pd(a)
#define wide_abs(a) _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
#define wide_where(a, b, x, y) _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LE_OQ))
#define wide_gather(base, indices)                                                                 \
    _mm256_i32gather_pd(base, _mm_loadu_si128((const __m128i *)(const void *)(indices)), 8)
#elif WIDE_LEVEL == WIDE_AVX512
#define WIDE_FN(name) name##_avx512
#define WIDE_TARGET __attribute__((target("avx512f")))
#define WIDE_LANES 8u
#define wide __m512d
#define wide_load(p) _mm512_loadu_pd(p)
#define wide_set(x) _mm512_set1_pd(x)
#define wide_add(a, b) _mm512_add_pd(a, b)
#define wide_sub(a, b) _mm512_sub_pd(a, b)
#define wide_mul(a, b) _mm512_mul_pd(a, b)
#define wide_less_equal(a, b) ((uint32_t)_mm512_cmp_pd_mask(a, b, _CMP_LE_OQ))
#define wide_store(p, a) _mm512_storeu_pd(p, a)
#define wide_min(a, b) _mm512_min_pd(a, b)
#define wide_max(a, b) _mm512_max_pd(a, b)
#define wide_div(a, b) _mm512_div_pd(a, b)
#define wide_sqrt(a) _mm512_sqrt_pd(a)
#define wide_abs(a) _mm512_abs_pd(a)
#define wide_where(a, b, x, y) _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LE_OQ), y, x)
#define wide_gather(base, indices)                                                                 \
    _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(const void *)(indices)), base, 8)
#endif
