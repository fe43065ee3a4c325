/*  The kernels of dry contacts, at each SIMD level, and which law has one. */
#include "world/forces/dry_contacts.h"

#include "base/bits.h"
#include "base/portable_math.h"
#include "base/prefetch.h"
#include "law/law_builtin.h"
#include "law/law_row.h"

#include <float.h>
#include <math.h>

/*  Vectors that go through each stage together: while the roots of one are under way, the processor works at the next. */
#define DRY_VECTORS 8u

/*  Of the contacts that go through the stages next. */
static inline void ask_for_bodies(const scree_dry_run *run, uint32_t first,
                                  const uint32_t *candidates, uint32_t begin, uint32_t many,
                                  uint32_t count)
{
    const scree_sum_line *line = scree_sums_of(run->sums, run->worker);

    for (uint32_t k = begin; k < begin + many && k < count; k++) {
        const size_t c = candidates ? candidates[k] : first + k;
        const size_t slot[2] = {run->list->first[c][0], run->list->second[c][0]};
        for (int side = 0; side < 2; side++) {
            SCREE_PREFETCH(run->geometry->velocity + 4 * slot[side]);
            SCREE_PREFETCH(run->geometry->spin + 4 * slot[side]);
            SCREE_PREFETCH(line + slot[side]);
        }
    }
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#endif

scree_dry_fn *scree_dry_kernel(scree_simd simd, scree_law_force *force)
{
    static scree_dry_fn *const linear[] = WIDE_LEVELS(dry_linear);
    static scree_dry_fn *const penalty[] = WIDE_LEVELS(dry_penalty);
    static scree_dry_fn *const hertz[] = WIDE_LEVELS(dry_hertz);
    const scree_law_kernels *laws = scree_law_kernels_at(simd);

    return force == laws->hertz     ? hertz[simd]
           : force == laws->linear  ? linear[simd]
           : force == laws->penalty ? penalty[simd]
                                    : NULL;
}

scree_dry_planes_fn *scree_dry_planes_kernel(scree_simd simd, scree_law_force *force)
{
    static scree_dry_planes_fn *const linear[] = WIDE_LEVELS(planes_linear);
    static scree_dry_planes_fn *const penalty[] = WIDE_LEVELS(planes_penalty);
    static scree_dry_planes_fn *const hertz[] = WIDE_LEVELS(planes_hertz);
    const scree_law_kernels *laws = scree_law_kernels_at(simd);

    return force == laws->hertz     ? hertz[simd]
           : force == laws->linear  ? linear[simd]
           : force == laws->penalty ? penalty[simd]
                                    : NULL;
}
