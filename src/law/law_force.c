/*  Forces of the built-in laws. The kernel is law_row.inc.h; here it is made for each SIMD level, in doubles
    and in floats.

    A contact costs, with "hertz", two roots for stiffness and damping, and one root and one division each
    to turn the memory and to bound friction: they are most of its time, and so the memory is a force and not
    a displacement, which would want one division more. */
#include "base/portable_math.h"
#include "law/law_row.h"

#include <float.h>
#include <math.h>

static bool law_keeps_account(const scree_batch *b)
{
    return b->energy || b->loss[SCREE_LOSS_DAMPING] || b->loss[SCREE_LOSS_FRICTION] ||
           b->loss[SCREE_LOSS_ROLLING];
}

/*  Of these a world gives all or none. */
static bool law_keeps_float_account(const scree_float_batch *b)
{
    return b->energy != NULL;
}

static float law_rounded(double constant)
{
    return fabs(constant) <= (double)FLT_MAX ? (float)constant : INFINITY;
}

void scree_law_round(const double constants[SCREE_MAX_CONSTANTS],
                     float rounded[SCREE_MAX_CONSTANTS])
{
    static const scree_law_constant bounds[] = {SCREE_LAW_FRICTION, SCREE_LAW_ROLLING_FRICTION,
                                                SCREE_LAW_TWISTING_FRICTION};

    for (int k = 0; k < SCREE_MAX_CONSTANTS; k++)
        rounded[k] = law_rounded(constants[k]);
    for (size_t k = 0; k < SCREE_COUNT_OF(bounds); k++)
        rounded[bounds[k]] = law_rounded(constants[bounds[k]] * (1 - 0x1p-19));
    /* no bound at all: a number that times 0 is 0 */
    if (!(rounded[SCREE_LAW_GROWTH_MOST] <= FLT_MAX))
        rounded[SCREE_LAW_GROWTH_MOST] = FLT_MAX;
}

/*  Each level twice: in doubles, and in floats for worlds of mixed precision. */
#define WIDE_LEVEL WIDE_SCALAR
#include "law/law_force_level.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "law/law_force_level.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "law/law_force_level.inc.h"
#endif

const scree_law_kernels *scree_law_kernels_at(scree_simd level)
{
#define KERNELS(level)                                                                             \
    {                                                                                              \
        law_linear_##level, law_linear_rolling_##level, law_hertz_##level,                         \
            law_hertz_rolling_##level, law_linear_float_##level, law_linear_rolling_float_##level, \
            law_hertz_float_##level, law_hertz_rolling_float_##level, law_jkr_##level,             \
            law_dmt_##level, law_sjkr_##level, law_capillary_##level, law_plastic_##level,         \
            law_bonded_##level, law_penalty_##level, law_penalty_float_##level                     \
    }
    static const scree_law_kernels scalar = KERNELS(scalar);
#if WIDE_HAS_X86
    static const scree_law_kernels avx2 = KERNELS(avx2), avx512 = KERNELS(avx512);
    if (level == SCREE_SIMD_AVX512)
        return &avx512;
    if (level == SCREE_SIMD_AVX2)
        return &avx2;
#endif
#undef KERNELS
    (void)level;
    return &scalar;
}
