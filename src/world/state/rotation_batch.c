/*  Tables of the kernels in rotation_batch.inc.h by SIMD level. Without vectors, rotation.c is used body by body. */
#include "world/state/rotation_batch.h"

#include "narrow/mesh_contact.h"
#include "world/state/rotation.h"

static void tumble_some_scalar(scree_body_arrays *bodies, scree_tumblers *some, double dt,
                               double share)
{
    for (uint32_t k = 0; k < some->count; k++)
        scree_turn_drift(bodies, some->slot[k], bodies->torque_before[some->slot[k]], dt, share);
}

static void tumble_end_scalar(scree_body_arrays *bodies, scree_tumblers *some, double share)
{
    for (uint32_t k = 0; k < some->count; k++) {
        const double *now = bodies->torque[some->slot[k]];
        const double *before = bodies->torque_before[some->slot[k]];
        const double more[3] = {now[0] - before[0], now[1] - before[1], now[2] - before[2]};
        scree_turn_finish(bodies, some->slot[k], more, share);
    }
}

static void momenta_of_some_scalar(const scree_body_arrays *bodies, scree_tumblers *some,
                                   double (*momentum)[4])
{
    for (uint32_t k = 0; k < some->count; k++)
        scree_body_momentum(bodies, some->slot[k], momentum[k]);
}

static void matrices_of_some_scalar(const scree_body_arrays *bodies, scree_tumblers *some,
                                    double (*turn)[3][3])
{
    for (uint32_t k = 0; k < some->count; k++) {
        uint32_t slot = some->slot[k];
        const scree_mesh_pose pose =
            scree_mesh_pose_of(bodies->position[slot], bodies->orientation[slot]);
        memcpy(turn[k], pose.turn, sizeof *turn);
    }
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/state/rotation_batch.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/state/rotation_batch.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/state/rotation_batch.inc.h"
#endif

scree_tumble_fn *const scree_tumble_kernels[] = WIDE_LEVELS(tumble_some);
scree_tumble_end_fn *const scree_tumble_end_kernels[] = WIDE_LEVELS(tumble_end);
scree_momenta_fn *const scree_momenta_kernels[] = WIDE_LEVELS(momenta_of_some);
scree_matrices_fn *const scree_matrices_kernels[] = WIDE_LEVELS(matrices_of_some);
