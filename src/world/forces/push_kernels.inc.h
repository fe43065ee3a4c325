/*  What a batch exerts, at one SIMD level: see push_kernels.c. */
#include "world/forces/push_counts.inc.h"

static WIDE_TARGET void WIDE_FN(push)(scree_sums *sums, uint32_t worker, const scree_pushes *pushes)
{
    for (uint32_t at = 0; at < pushes->count; at += WIDE_LANES)
        WIDE_FN(push_vector)(sums, worker, pushes, at);
}
