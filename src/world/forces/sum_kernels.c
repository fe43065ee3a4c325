/*  Tables of the kernels in sum_kernels.inc.h by SIMD level. */
#include "world/forces/sum_kernels.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_pair.h"
#include "world/forces/sum_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_pair.h"
#include "world/forces/sum_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_pair.h"
#include "world/forces/sum_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_pair.h"
#include "world/forces/sum_kernels.inc.h"
#endif

scree_sum_fn *const scree_sum_kernels[] = WIDE_LEVELS(sum_bodies);
