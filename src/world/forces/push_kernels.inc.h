/*  Adds the forces of a batch at one SIMD level: see push_kernels.c. */
#include "world/forces/push_counts.inc.h"

static WIDE_TARGET void WIDE_FN(push)(scree_sums *sums, uint32_t worker, const scree_pushes *pushes)
{
    for (uint32_t at = 0; at < pushes->count; at += WIDE_LANES) {
        uint32_t lanes = pushes->count - at < WIDE_LANES ? pushes->count - at : WIDE_LANES;
        WIDE_FN(exerted) e = WIDE_FN(load_exerted)(pushes, at);
        if (lanes < WIDE_LANES)
            WIDE_FN(keep_exerted)(&e, (1u << lanes) - 1);
        if (WIDE_FN(push_exerted)(sums, worker, &pushes->rule, &e, pushes->are_few))
            continue;
        for (uint32_t k = at; k < at + lanes; k++)
            scree_push_one(sums, worker, pushes, k);
    }
}
