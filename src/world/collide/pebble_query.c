/*  Tables of the kernels in pebble_query.inc.h by SIMD level. */
#include "world/collide/pebble_query.h"

static const uint32_t one_after_another[8] = {0, 1, 2, 3, 4, 5, 6, 7};

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/collide/pebble_query.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/collide/pebble_query.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/collide/pebble_query.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/collide/pebble_query.inc.h"
#endif

scree_pebble_sift_fn *const scree_pebble_sift_kernels[] = WIDE_LEVELS(sift_pebbles);
