/*  Tables of the kernels in block_kernels.inc.h by SIMD level. */
#include "narrow/block_kernels.h"

#include <math.h>

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "narrow/block_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "narrow/block_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "narrow/block_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "narrow/block_kernels.inc.h"
#endif

#define OF_LEVEL(level)                                                                            \
    {                                                                                              \
        .turn = turn_rows_##level, .heights = row_heights_##level, .top = row_top_##level,         \
        .gaps = face_gaps_##level, .way_through = block_way_through_##level,                       \
        .cross = crossing_segments_##level                                                         \
    }

const scree_block_kernels scree_block_kernels_of[] = WIDE_TABLE(OF_LEVEL);
