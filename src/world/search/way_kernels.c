/*  Tables of the kernels in way_kernels.inc.h by SIMD level. */
#include "world/search/way_kernels.h"

#include <float.h>
#include <math.h>

static const uint32_t side_by_side[8] = {0, 1, 2, 3, 4, 5, 6, 7};

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/search/way_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/search/way_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/search/way_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/search/way_kernels.inc.h"
#endif

scree_way_fn *const scree_way_kernels[] = WIDE_LEVELS(follow_bodies);
