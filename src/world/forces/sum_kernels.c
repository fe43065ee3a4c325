/*  The kernels at each SIMD level: sum_kernels.inc.h. Sums go row by row. */
#include "world/forces/sum_kernels.h"

#include "base/row4.h"

/*  Entries with this bit set are of the second body, which gets the opposite. */
static const double signs[2] = {1, -1};
/*  A hint that a row will be needed: rows of a body's contacts lie wherever its partners do. */
#if defined(__GNUC__)
#define fetch(address) __builtin_prefetch(address)
#else
#define fetch(address) ((void)(address))
#endif

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "world/forces/sum_kernels.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "world/forces/sum_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "world/forces/sum_kernels.inc.h"
#endif

scree_sum_fn *const scree_sum_kernels[] = WIDE_LEVELS(sum_bodies);
