/*  Vectors of floats, as base/wide.h has vectors of doubles. A kernel is written once with these names and included
    once for each instruction set, with FLAT_LEVEL set to WIDE_SCALAR, WIDE_128, WIDE_AVX2 or WIDE_AVX512.

    FLAT_FN(name) is the name of a kernel for this set, FLAT_TARGET its attribute, FLAT_LANES its width, and FLAT_RUN
    the largest number of consecutive bodies that it tests before it checks for space. Comparisons return one bit for
    each lane in `among`; with NaN both are true. The maximum of two is NaN if the second is. flat_put writes the ids
    whose bits are set, in order, and arbitrary values behind them. flat_doubts notes whether any lane is in doubt,
    even one that is not in `among`. flat_whole is a vector of integers; flat_sub_whole returns, as floats, how much
    larger those in memory are. Multiply-add is allowed here: these numbers only decide what is in doubt. */
/* no include guard: included once for each level */

#undef FLAT_FN
#undef FLAT_TARGET
#undef FLAT_LANES
#undef FLAT_RUN
#undef flat_wide
#undef flat_load
#undef flat_set
#undef flat_sub
#undef flat_add
#undef flat_mul
#undef flat_mul_add
#undef flat_mul_sub_from
#undef flat_max
#undef flat_bits
#undef flat_at_most
#undef flat_more_than
#undef flat_doubts
#undef flat_no_doubts
#undef flat_add_doubts
#undef flat_any_doubts
#undef flat_put
#undef flat_put_same
#undef flat_whole
#undef flat_set_whole
#undef flat_sub_whole

#if FLAT_LEVEL == WIDE_SCALAR
#define FLAT_FN(name) name##_scalar
#define FLAT_TARGET
#define FLAT_LANES 1u
#define FLAT_RUN 15u
#define flat_wide float
#define flat_load(p) (*(p))
#define flat_set(x) (x)
#define flat_sub(a, b) ((a) - (b))
#define flat_add(a, b) ((a) + (b))
#define flat_mul(a, b) ((a) * (b))
#define flat_mul_add(a, b, c) ((a) * (b) + (c))
#define flat_mul_sub_from(a, b, c) ((c) - (a) * (b))
#define flat_max(a, b) ((a) > (b) ? (a) : (b))
#define flat_bits uint32_t
#define flat_at_most(among, a, b) ((among) & (uint32_t) !((a) > (b)))
#define flat_more_than(among, a, b) ((among) & (uint32_t) !((a) <= (b)))
#define flat_doubts flat_bits
#define flat_no_doubts 0
#define flat_add_doubts(doubts, hits, apart, most, least)                                          \
    ((flat_bits)((doubts) | flat_more_than(hits, apart, least)))
#define flat_any_doubts(doubts) ((doubts) != 0)
#define flat_put(to, ids, bits) (*(to) = *(ids))
#define flat_put_same(to, id) (*(to) = (id))
#define flat_whole int32_t
#define flat_set_whole(x) (x)
#define flat_sub_whole(p, a) ((float)(scree_flat_whole(p) - (a)))
#elif FLAT_LEVEL == WIDE_128
#define FLAT_FN(name) name##_simd128
#define FLAT_TARGET SIMD128_TARGET
#define FLAT_LANES 4u
#define FLAT_RUN 8u
#define flat_wide scree_4f
#define flat_load(p) scree_4f_load(p)
#define flat_set(x) scree_4f_set(x)
#define flat_sub(a, b) ((a) - (b))
#define flat_add(a, b) ((a) + (b))
#define flat_mul(a, b) ((a) * (b))
#define flat_mul_add(a, b, c) ((a) * (b) + (c))
#define flat_mul_sub_from(a, b, c) ((c) - (a) * (b))
#define flat_max(a, b) scree_4f_max(a, b)
#define flat_bits uint32_t
#define flat_at_most(among, a, b) ((among)&15u & ~scree_4i_bits((scree_4i)((a) > (b))))
#define flat_more_than(among, a, b) ((among)&15u & ~scree_4i_bits((scree_4i)((a) <= (b))))
#define flat_doubts scree_4i
#define flat_no_doubts ((scree_4i){0, 0, 0, 0})
#define flat_add_doubts(doubts, hits, apart, most, least)                                          \
    ((doubts) | (~(scree_4i)((apart) <= (least)) & ~(scree_4i)((apart) > (most))))
#define flat_any_doubts(doubts) (scree_4i_bits(doubts) != 0)
#define flat_put(to, ids, bits)                                                                    \
    scree_4i_store(to, scree_4i_choose(scree_4i_load(ids), scree_4i_load(order_of_four[bits])))
#define flat_put_same(to, id)                                                                      \
    scree_4i_store(to, (scree_4i){(int32_t)(id), (int32_t)(id), (int32_t)(id), (int32_t)(id)})
#define flat_whole scree_4i
#define flat_set_whole(x) ((scree_4i){x, x, x, x})
/* unsigned, as numbers behind the last body may differ by more than fits in a signed one */
#define flat_sub_whole(p, a)                                                                       \
    scree_4i_to_floats((scree_4i)((scree_4u)scree_4i_load(p) - (scree_4u)(a)))
#elif FLAT_LEVEL == WIDE_AVX2
#define FLAT_FN(name) name##_avx2
#define FLAT_TARGET __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define FLAT_LANES 8u
#define FLAT_RUN 8u
#define flat_wide __m256
#define flat_load(p) _mm256_loadu_ps(p)
#define flat_set(x) _mm256_set1_ps(x)
#define flat_sub(a, b) _mm256_sub_ps(a, b)
#define flat_add(a, b) _mm256_add_ps(a, b)
#define flat_mul(a, b) _mm256_mul_ps(a, b)
#define flat_mul_add(a, b, c) _mm256_add_ps(_mm256_mul_ps(a, b), c)
#define flat_mul_sub_from(a, b, c) _mm256_sub_ps(c, _mm256_mul_ps(a, b))
#define flat_max(a, b) _mm256_max_ps(a, b)
#define flat_bits uint32_t
#define flat_at_most(among, a, b)                                                                  \
    ((among) & (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NGT_UQ)))
#define flat_more_than(among, a, b)                                                                \
    ((among) & (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NLE_UQ)))
#define flat_doubts __m256
#define flat_no_doubts _mm256_setzero_ps()
#define flat_add_doubts(doubts, hits, apart, most, least)                                          \
    _mm256_or_ps(doubts, _mm256_and_ps(_mm256_cmp_ps(apart, least, _CMP_NLE_UQ),                   \
                                       _mm256_cmp_ps(apart, most, _CMP_NGT_UQ)))
#define flat_any_doubts(doubts) (_mm256_movemask_ps(doubts) != 0)
#define flat_put(to, ids, bits)                                                                    \
    _mm256_storeu_si256(                                                                           \
        (__m256i *)(void *)(to),                                                                   \
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(ids)),      \
                                    _mm256_cvtepu8_epi32(_mm_loadl_epi64(                          \
                                        (const __m128i *)(const void *)&order_of_bits[bits]))))
#define flat_put_same(to, id)                                                                      \
    _mm256_storeu_si256((__m256i *)(void *)(to), _mm256_set1_epi32((int)(id)))
#define flat_whole __m256i
#define flat_set_whole(x) _mm256_set1_epi32(x)
#define flat_sub_whole(p, a)                                                                       \
    _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(p)), a))
#elif FLAT_LEVEL == WIDE_AVX512
#define FLAT_FN(name) name##_avx512
#define FLAT_TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,bmi,bmi2")))
#define FLAT_LANES 16u
#define FLAT_RUN 16u
#define flat_wide __m512
#define flat_load(p) _mm512_loadu_ps(p)
#define flat_set(x) _mm512_set1_ps(x)
#define flat_sub(a, b) _mm512_sub_ps(a, b)
#define flat_add(a, b) _mm512_add_ps(a, b)
#define flat_mul(a, b) _mm512_mul_ps(a, b)
#define flat_mul_add(a, b, c) _mm512_fmadd_ps(a, b, c)
#define flat_mul_sub_from(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define flat_max(a, b) _mm512_max_ps(a, b)
#define flat_bits __mmask16
#define flat_at_most(among, a, b) _mm512_mask_cmp_ps_mask((__mmask16)(among), a, b, _CMP_NGT_UQ)
#define flat_more_than(among, a, b) _mm512_mask_cmp_ps_mask((__mmask16)(among), a, b, _CMP_NLE_UQ)
#define flat_doubts flat_bits
#define flat_no_doubts 0
#define flat_add_doubts(doubts, hits, apart, most, least)                                          \
    ((flat_bits)((doubts) | flat_more_than(hits, apart, least)))
#define flat_any_doubts(doubts) ((doubts) != 0)
#define flat_put(to, ids, bits)                                                                    \
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)(bits), _mm512_loadu_si512(ids)))
#define flat_put_same(to, id) _mm512_storeu_si512(to, _mm512_set1_epi32((int)(id)))
#define flat_whole __m512i
#define flat_set_whole(x) _mm512_set1_epi32(x)
#define flat_sub_whole(p, a) _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_loadu_si512(p), a))
#endif
