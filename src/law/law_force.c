/*  Forces of the built-in laws. The kernel is law_row.inc.h; this file compiles it for each SIMD instruction set. With
    "hertz" a contact costs two roots for stiffness and damping, and one root and one division each to rotate the
    history and to limit friction. These take most of its time. The history is therefore a force and not a displacement,
    which would need one more division. */
#include "base/portable_math.h"
#include "law/law_builtin.h"
#include "law/law_row.h"

#include <float.h>
#include <math.h>

static bool law_keeps_account(const scree_batch *b)
{
    return b->energy || b->loss[SCREE_LOSS_DAMPING] || b->loss[SCREE_LOSS_FRICTION] ||
           b->loss[SCREE_LOSS_ROLLING];
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "law/law_force.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "law/law_force.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "law/law_force.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "law/law_force.inc.h"
#endif

const scree_law_kernels *scree_law_kernels_at(scree_simd level)
{
#define KERNELS(level)                                                                             \
    {                                                                                              \
        law_linear_##level, law_linear_rolling_##level, law_hertz_##level,                         \
            law_hertz_rolling_##level, law_jkr_##level, law_dmt_##level, law_sjkr_##level,         \
            law_capillary_##level, law_plastic_##level, law_bonded_##level, law_penalty_##level,   \
            law_eepa_##level                                                                       \
    }
    static const scree_law_kernels kernels[] = WIDE_TABLE(KERNELS);
#undef KERNELS
    return &kernels[level];
}
