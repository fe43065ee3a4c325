/*  Tables of the kernels in push_kernels.inc.h by SIMD level. All count the same quanta. */
#include "world/forces/push_kernels.h"

void scree_push_one(scree_sums *sums, uint32_t worker, const scree_pushes *p, uint32_t k)
{
    const scree_quantum quantum = scree_quantum_of(&p->rule, p->mass[k], p->radius[k]);
    double force[3], opposite[3], torque[2][3];

    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        double turn = p->normal[b][k] * p->force[c][k] - p->normal[c][k] * p->force[b][k];
        double moment = p->moment[0] ? p->moment[a][k] : 0;
        force[a] = p->force[a][k];
        opposite[a] = -force[a];
        torque[0][a] = p->arm[0][k] * turn + moment;
        torque[1][a] = p->arm[1][k] * turn - moment;
    }
    scree_sums_add(sums, worker, p->first[k], &quantum, force, torque[0]);
    if (p->second)
        scree_sums_add(sums, worker, p->second[k], &quantum, opposite, torque[1]);
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/push_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/push_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/push_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/push_kernels.inc.h"
#endif

scree_push_fn *const scree_push_kernels[] = WIDE_LEVELS(push);
