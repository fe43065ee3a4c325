/*  Tables of the kernels in wall_geometry.inc.h by SIMD level. All compute the same bits. */
#include "world/forces/wall_geometry.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/wall_geometry.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/wall_geometry.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/wall_geometry.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/wall_geometry.inc.h"
#endif

scree_wall_geometry_fn *const scree_wall_geometry_kernels[] = WIDE_LEVELS(wall_geometry);
