/*  Compares boxes of two trees, eight at a time, for every SIMD instruction set. Eight floats are one AVX2 vector;
    AVX-512 uses the same code. */
#include "narrow/mesh_boxes.h"

#include <math.h>

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/mesh_sift.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/mesh_sift.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/mesh_sift.inc.h"
#endif

/* clang-format off */
#define SIFTER(level) {turn_boxes##level, turn_leaf##level, sift##level, sift_leaf##level, \
                       meet##level, reach_of_boxes##level, reach_of_leaf##level}
/* clang-format on */

#if WIDE_HAS_128
#define SIFTER_128 SIFTER(_float_simd128)
#else
#define SIFTER_128 SIFTER(_float_scalar)
#endif
#if WIDE_HAS_X86
#define SIFTER_WIDE SIFTER(_float_avx2)
#else
#define SIFTER_WIDE SIFTER_128
#endif

const scree_mesh_sifter scree_mesh_sifters[SCREE_SIMD_ROWS] = {
    [SCREE_SIMD_AUTO] = SIFTER(_float_scalar),
    [SCREE_SIMD_SCALAR] = SIFTER(_float_scalar),
    [SCREE_SIMD_128] = SIFTER_128,
    [SCREE_SIMD_AVX2] = SIFTER_WIDE,
    [SCREE_SIMD_AVX512] = SIFTER_WIDE,
};
