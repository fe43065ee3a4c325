/*  The sweeps, compiled once for each SIMD level from one text, and the choice among them. */
#include "detect/sweep.h"

#include "base/bits.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "detect/sweep.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "detect/sweep.inc.h"
#endif
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
    static scree_sweep_fn *const spheres[] = WIDE_LEVELS(sweep_spheres);
    static scree_sweep_fn *const boxes[] = WIDE_LEVELS(sweep_boxes);
    return volume == SCREE_SPHERES ? spheres[simd] : boxes[simd];
}
