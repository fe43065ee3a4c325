/*  The sweeps, compiled once for each SIMD level from one text, and the choice among them. */
#include "detect/sweep.h"

#include "base/bits.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "detect/sweep.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "detect/sweep.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "detect/sweep.inc.h"
#endif

scree_sweep_fn *scree_sweep_choose(scree_volume volume, scree_simd simd)
{
    bool spheres = volume == SCREE_SPHERES;
#if WIDE_HAS_X86
    if (simd == SCREE_SIMD_AVX512)
        return spheres ? sweep_spheres_avx512 : sweep_boxes_avx512;
    if (simd == SCREE_SIMD_AVX2)
        return spheres ? sweep_spheres_avx2 : sweep_boxes_avx2;
#endif
    (void)simd;
    return spheres ? sweep_spheres_scalar : sweep_boxes_scalar;
}
