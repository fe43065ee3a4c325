/*  SIMD vectors of floats, with the names and the meaning of base/wide.h. Including a kernel once more after this file
    defines WIDE_FN(name) in floats. There are twice as many lanes. wide_set rounds its argument to float.

        #define WIDE_LEVEL WIDE_AVX2
        #include "base/wide.h"
        #include "base/wide_float.h"
        #include "world/some_kernel.inc.h"

    Including base/wide.h again switches back to doubles. There are no gathers. */
/* no include guard: included once for each level */
#undef WIDE_FN
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
#define WIDE_FN(name) name##_float_scalar
#define WIDE_LANES 1u
#define wide float
#define wide_load(p) (*(p))
#define wide_set(x) ((float)(x))
#define wide_add(a, b) ((a) + (b))
#define wide_sub(a, b) ((a) - (b))
#define wide_mul(a, b) ((a) * (b))
#define wide_less_equal(a, b) ((uint32_t)((a) <= (b)))
#define wide_store(p, a) ((void)(*(p) = (a)))
#define wide_min(a, b) ((a) < (b) ? (a) : (b))
#define wide_max(a, b) ((a) > (b) ? (a) : (b))
#define wide_div(a, b) ((a) / (b))
#define wide_sqrt(a) sqrtf(a)
#define wide_abs(a) fabsf(a)
#define wide_where(a, b, x, y) ((a) <= (b) ? (x) : (y))
#elif WIDE_LEVEL == WIDE_128
#define WIDE_FN(name) name##_float_simd128
#define WIDE_LANES 4u
#define wide scree_4f
#define wide_load(p) scree_4f_load(p)
#define wide_set(x) scree_4f_set((float)(x))
#define wide_add(a, b) ((a) + (b))
#define wide_sub(a, b) ((a) - (b))
#define wide_mul(a, b) ((a) * (b))
#define wide_less_equal(a, b) scree_4i_bits((scree_4i)((a) <= (b)))
#define wide_store(p, a) scree_4f_store(p, a)
#define wide_min(a, b) scree_4f_min(a, b)
#define wide_max(a, b) scree_4f_max(a, b)
#define wide_div(a, b) ((a) / (b))
#define wide_sqrt(a) scree_4f_sqrt(a)
#define wide_abs(a) scree_4f_abs(a)
#define wide_where(a, b, x, y) scree_4f_where((scree_4i)((a) <= (b)), x, y)
#elif WIDE_LEVEL == WIDE_AVX2
#define WIDE_FN(name) name##_float_avx2
#define WIDE_LANES 8u
#define wide __m256
#define wide_load(p) _mm256_loadu_ps(p)
#define wide_set(x) _mm256_set1_ps((float)(x))
#define wide_add(a, b) _mm256_add_ps(a, b)
#define wide_sub(a, b) _mm256_sub_ps(a, b)
#define wide_mul(a, b) _mm256_mul_ps(a, b)
#define wide_less_equal(a, b) ((uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)))
#define wide_store(p, a) _mm256_storeu_ps(p, a)
#define wide_min(a, b) _mm256_min_ps(a, b)
#define wide_max(a, b) _mm256_max_ps(a, b)
#define wide_div(a, b) _mm256_div_ps(a, b)
#define wide_sqrt(a) _mm256_sqrt_ps(a)
#define wide_abs(a) _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a)
#define wide_where(a, b, x, y) _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LE_OQ))
#elif WIDE_LEVEL == WIDE_AVX512
#define WIDE_FN(name) name##_float_avx512
#define WIDE_LANES 16u
#define wide __m512
#define wide_load(p) _mm512_loadu_ps(p)
#define wide_set(x) _mm512_set1_ps((float)(x))
#define wide_add(a, b) _mm512_add_ps(a, b)
#define wide_sub(a, b) _mm512_sub_ps(a, b)
#define wide_mul(a, b) _mm512_mul_ps(a, b)
#define wide_less_equal(a, b) ((uint32_t)_mm512_cmp_ps_mask(a, b, _CMP_LE_OQ))
#define wide_store(p, a) _mm512_storeu_ps(p, a)
#define wide_min(a, b) _mm512_min_ps(a, b)
#define wide_max(a, b) _mm512_max_ps(a, b)
#define wide_div(a, b) _mm512_div_ps(a, b)
#define wide_sqrt(a) _mm512_sqrt_ps(a)
#define wide_abs(a) _mm512_abs_ps(a)
#define wide_where(a, b, x, y) _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LE_OQ), y, x)
#endif
