/*  Tables of the kernels in drift_kernels.inc.h by SIMD level. Kicks are computed row by row, rotations in columns
    of several bodies. */
#include "world/motion/drift_kernels.h"

#include "world/state/rotation.h"

#include <string.h>

static const uint32_t side_by_side[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/*  A body with a large rotation, or one that is left over. */
static void turn_one(const scree_rows_before *from, scree_body_arrays *bodies, double dt,
                     double share, uint32_t slot)
{
    const double *spin = from->spin[slot], *torque = from->torque[slot];
    double mean[3], turned[4];

    for (int k = 0; k < 3; k++)
        mean[k] = spin[k] + torque[k] * spin[3] * share;
    scree_turn(from->orientation[slot], mean, dt, turned);
    memcpy(bodies->orientation[slot], turned, sizeof turned);
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_pair.h"
#include "base/wide_rows.h"
#include "world/motion/drift_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_pair.h"
#include "base/wide_rows.h"
#include "world/motion/drift_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_pair.h"
#include "base/wide_rows.h"
#include "world/motion/drift_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_pair.h"
#include "base/wide_rows.h"
#include "world/motion/drift_kernels.inc.h"
#endif

scree_drift_fn *const scree_drift_kernels[] = WIDE_LEVELS(drift_bodies);
