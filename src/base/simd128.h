/*  Vectors of 16 bytes, which every current processor has: SSE4.2, NEON, and the SIMD of WebAssembly. Two doubles, four
    floats, and integers of the same sizes. + - * / and comparisons are operators of the compiler on vectors. What
    operators cannot express is below, once for each kind of processor. Results are bit-identical to computing one
    number at a time. */
#ifndef SCREE_SIMD128_H
#define SCREE_SIMD128_H

#include "base/common.h"

#include <string.h>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SCREE_HAS_SIMD128 1
#define SIMD128_TARGET __attribute__((target("sse4.2,popcnt")))
#elif defined(__GNUC__) && defined(__aarch64__)
#include <arm_neon.h>
#define SCREE_HAS_SIMD128 1
#define SIMD128_TARGET
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define SCREE_HAS_SIMD128 1
#define SIMD128_TARGET
#else
#define SCREE_HAS_SIMD128 0
#endif

#if SCREE_HAS_SIMD128

typedef double scree_2d __attribute__((vector_size(16)));
typedef int64_t scree_2i __attribute__((vector_size(16)));
typedef uint64_t scree_2u __attribute__((vector_size(16)));
typedef float scree_4f __attribute__((vector_size(16)));
typedef int32_t scree_4i __attribute__((vector_size(16)));
typedef uint32_t scree_4u __attribute__((vector_size(16)));

#define SIMD128_PART SCREE_KERNEL_PART SIMD128_TARGET

/* ---- unaligned loads and stores ---- */

SIMD128_PART scree_2d scree_2d_load(const double *from)
{
    scree_2d a;
    memcpy(&a, from, sizeof a);
    return a;
}

SIMD128_PART void scree_2d_store(double *to, scree_2d a)
{
    memcpy(to, &a, sizeof a);
}

SIMD128_PART scree_4f scree_4f_load(const float *from)
{
    scree_4f a;
    memcpy(&a, from, sizeof a);
    return a;
}

SIMD128_PART void scree_4f_store(float *to, scree_4f a)
{
    memcpy(to, &a, sizeof a);
}

SIMD128_PART scree_4i scree_4i_load(const void *from)
{
    scree_4i a;
    memcpy(&a, from, sizeof a);
    return a;
}

SIMD128_PART void scree_4i_store(void *to, scree_4i a)
{
    memcpy(to, &a, sizeof a);
}

SIMD128_PART scree_2d scree_2d_set(double x)
{
    return (scree_2d){x, x};
}

SIMD128_PART scree_4f scree_4f_set(float x)
{
    return (scree_4f){x, x, x, x};
}

/* ---- select: a lane of `is` is all ones or all zeros ---- */

SIMD128_PART scree_2d scree_2d_where(scree_2i is, scree_2d yes, scree_2d no)
{
#if defined(__x86_64__)
    return (scree_2d)_mm_blendv_pd((__m128d)no, (__m128d)yes, (__m128d)is);
#else
    return (scree_2d)(((scree_2i)yes & is) | ((scree_2i)no & ~is));
#endif
}

SIMD128_PART scree_4f scree_4f_where(scree_4i is, scree_4f yes, scree_4f no)
{
#if defined(__x86_64__)
    return (scree_4f)_mm_blendv_ps((__m128)no, (__m128)yes, (__m128)is);
#else
    return (scree_4f)(((scree_4i)yes & is) | ((scree_4i)no & ~is));
#endif
}

/*  Returns one bit per lane. */
SIMD128_PART uint32_t scree_2i_bits(scree_2i is)
{
#if defined(__x86_64__)
    return (uint32_t)_mm_movemask_pd((__m128d)is);
#elif defined(__aarch64__)
    return ((uint32_t)is[0] & 1) | ((uint32_t)is[1] & 2);
#else
    return (uint32_t)wasm_i64x2_bitmask((v128_t)is);
#endif
}

SIMD128_PART uint32_t scree_4i_bits(scree_4i is)
{
#if defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)is);
#elif defined(__aarch64__)
    return vaddvq_u32((uint32x4_t)(is & (scree_4i){1, 2, 4, 8}));
#else
    return (uint32_t)wasm_i32x4_bitmask((v128_t)is);
#endif
}

/* ---- a < b ? a : b and a > b ? a : b: of a NaN and a number they return the second ---- */

SIMD128_PART scree_2d scree_2d_min(scree_2d a, scree_2d b)
{
#if defined(__x86_64__)
    return (scree_2d)_mm_min_pd((__m128d)a, (__m128d)b);
#elif defined(__aarch64__)
    return scree_2d_where((scree_2i)(a < b), a, b);
#else
    return (scree_2d)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#endif
}

SIMD128_PART scree_2d scree_2d_max(scree_2d a, scree_2d b)
{
#if defined(__x86_64__)
    return (scree_2d)_mm_max_pd((__m128d)a, (__m128d)b);
#elif defined(__aarch64__)
    return scree_2d_where((scree_2i)(a > b), a, b);
#else
    return (scree_2d)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#endif
}

SIMD128_PART scree_4f scree_4f_min(scree_4f a, scree_4f b)
{
#if defined(__x86_64__)
    return (scree_4f)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
    return scree_4f_where((scree_4i)(a < b), a, b);
#else
    return (scree_4f)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#endif
}

SIMD128_PART scree_4f scree_4f_max(scree_4f a, scree_4f b)
{
#if defined(__x86_64__)
    return (scree_4f)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
    return scree_4f_where((scree_4i)(a > b), a, b);
#else
    return (scree_4f)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#endif
}

/* ---- square roots, correctly rounded, and absolute values ---- */

SIMD128_PART scree_2d scree_2d_sqrt(scree_2d a)
{
#if defined(__x86_64__)
    return (scree_2d)_mm_sqrt_pd((__m128d)a);
#elif defined(__aarch64__)
    return (scree_2d)vsqrtq_f64((float64x2_t)a);
#else
    return (scree_2d)wasm_f64x2_sqrt((v128_t)a);
#endif
}

SIMD128_PART scree_4f scree_4f_sqrt(scree_4f a)
{
#if defined(__x86_64__)
    return (scree_4f)_mm_sqrt_ps((__m128)a);
#elif defined(__aarch64__)
    return (scree_4f)vsqrtq_f32((float32x4_t)a);
#else
    return (scree_4f)wasm_f32x4_sqrt((v128_t)a);
#endif
}

SIMD128_PART scree_2d scree_2d_abs(scree_2d a)
{
    return (scree_2d)((scree_2i)a & (scree_2i){INT64_MAX, INT64_MAX});
}

SIMD128_PART scree_4f scree_4f_abs(scree_4f a)
{
    return (scree_4f)((scree_4i)a & (scree_4i){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

/* ---- integers ---- */

/*  Converts each to the nearest float. */
SIMD128_PART scree_4f scree_4i_to_floats(scree_4i a)
{
    return __builtin_convertvector(a, scree_4f);
}

/*  Permutes the bytes of `a`; indices in `order` are at most 15. */
SIMD128_PART scree_4i scree_4i_choose(scree_4i a, scree_4i order)
{
#if defined(__x86_64__)
    return (scree_4i)_mm_shuffle_epi8((__m128i)a, (__m128i)order);
#elif defined(__aarch64__)
    return (scree_4i)vqtbl1q_u8((uint8x16_t)a, (uint8x16_t)order);
#else
    return (scree_4i)wasm_i8x16_swizzle((v128_t)a, (v128_t)order);
#endif
}

#endif
#endif
