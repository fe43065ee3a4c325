/*  The kernels at each SIMD level: body_kernels.inc.h. Sums and kicks go row by row, turns by columns of
    several bodies. */
#include "world/forces/body_kernels.h"

#include "base/row4.h"
#include "world/state/rotation.h"

#include <float.h>

/*  Entries with this bit set are of the second body, which gets the opposite. */
static const double signs[2] = {1, -1};
/*  A hint that a row will be needed: rows of a body's contacts lie wherever its partners do. */
#if defined(__GNUC__)
#define fetch(address) __builtin_prefetch(address)
#else
#define fetch(address) ((void)(address))
#endif

static const uint32_t side_by_side[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/*  One that turns far, or is left over. */
static void turn_one(scree_crowd *bodies, double dt, double share, uint32_t slot)
{
    const double *spin = bodies->spin_twin[slot], *torque = bodies->torque_twin[slot];
    double mean[3];

    for (int k = 0; k < 3; k++)
        mean[k] = spin[k] + torque[k] * spin[3] * share;
    scree_turn(bodies->orientation_twin[slot], mean, dt, bodies->orientation[slot]);
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/body_kernels.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/body_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/body_kernels.inc.h"
#endif

scree_sum_fn *const scree_sum_kernels[] = WIDE_LEVELS(sum_bodies);
scree_drift_fn *const scree_drift_kernels[] = WIDE_LEVELS(drift_bodies);
scree_way_fn *const scree_way_kernels[] = WIDE_LEVELS(follow_bodies);
