/*  Kernels over tiles of pairs, in floats, at every level. */
#include "narrow/triangle_tile.h"

#include <math.h>
#include <string.h>

#define TRIANGLE_TILE scree_triangle_tile
#define TRIANGLE_MARGIN 0x1p-18
#define TRIANGLE_LARGEST 0x1p20
#define TRIANGLE_TINY 0x1p-100
#define TRIANGLE_NOISE 0x1p-20
/*  Of the margin: below, the direction between points may be off by a degree. */
#define TRIANGLE_DOUBT 64
#define SEGMENT_PARALLEL 0x1p-21

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "narrow/triangle_wide.h"

#include "narrow/triangle_level.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "narrow/triangle_wide.h"

#include "narrow/triangle_level.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "narrow/triangle_wide.h"

#include "narrow/triangle_level.inc.h"
#endif

#if WIDE_HAS_X86
#define TRIANGLE_LEVELS(name)                                                                      \
    {                                                                                              \
        name##_float, name##_float, name##_float_avx2, name##_float_avx512                         \
    }
#else
#define TRIANGLE_LEVELS(name)                                                                      \
    {                                                                                              \
        name##_float, name##_float, name##_float, name##_float                                     \
    }
#endif

scree_triangle_kernel *const scree_triangle_kernels[3][4] = {
    [SCREE_TRIANGLES_CERTIFIED] = TRIANGLE_LEVELS(certify_tile),
    [SCREE_TRIANGLES_COMPARISON] = TRIANGLE_LEVELS(compare_tile),
    [SCREE_TRIANGLES_HYBRID] = TRIANGLE_LEVELS(iterate_tile),
};
