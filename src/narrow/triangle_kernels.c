/*  Kernels for tiles of pairs, in floats, for every SIMD instruction set. */
#include "narrow/triangle_tile.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

#define TRIANGLE_TILE scree_triangle_tile
#define TRIANGLE_MARGIN 0x1p-18
#define TRIANGLE_LARGEST 0x1p20
#define TRIANGLE_TINY 0x1p-100
#define TRIANGLE_NOISE 0x1p-20
/*  In margins: for smaller distances the direction between points may be off by a degree. */
#define TRIANGLE_DOUBT 64
#define SEGMENT_PARALLEL 0x1p-21

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/triangle_level.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/triangle_level.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/triangle_level.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_float.h"

#include "narrow/triangle_level.inc.h"
#endif

scree_triangle_kernel *const scree_triangle_kernels[3][SCREE_SIMD_ROWS] = {
    [SCREE_TRIANGLES_CERTIFIED] = WIDE_LEVELS(certify_tile_float),
    [SCREE_TRIANGLES_COMPARISON] = WIDE_LEVELS(compare_tile_float),
    [SCREE_TRIANGLES_HYBRID] = WIDE_LEVELS(iterate_tile_float),
};
