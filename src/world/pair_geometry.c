/*  Geometry of contacts between spheres, several at once. The numbers of a contact are those of its two
    bodies alone, by the same operations at every level: who shares a vector with it makes no difference. */
#include "world/pair_forces.h"

/*  Centres nearer than the root of this are one. It is far below the square of any size that can be told
    from zero. */
#define TINY_SQ 0x1p-1000

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "world/pair_geometry.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "world/pair_geometry.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "world/pair_geometry.inc.h"
#endif

#if WIDE_HAS_X86
scree_touch_fn *const scree_touch_kernels[] = {touch_scalar, touch_scalar, touch_avx2,
                                               touch_avx512};
scree_geometry_fn *const scree_geometry_kernels[] = {geometry_scalar, geometry_scalar,
                                                     geometry_avx2, geometry_avx512};
#else
scree_touch_fn *const scree_touch_kernels[] = {touch_scalar, touch_scalar, touch_scalar,
                                               touch_scalar};
scree_geometry_fn *const scree_geometry_kernels[] = {geometry_scalar, geometry_scalar,
                                                     geometry_scalar, geometry_scalar};
#endif
