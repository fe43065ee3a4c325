/*  Forces of the built-in laws on batches, for one SIMD instruction set: see law_force.c. */
#include "law/law_row.inc.h"

/*  All interactions, with and without the energy balance. */
#define LAW(name, is_hertz, rolls, kind)                                                           \
    WIDE_TARGET static void WIDE_FN(name)(const scree_batch *b, const double *c, void *user)       \
    {                                                                                              \
        const law_traits bare = {is_hertz, rolls, false, kind},                                    \
                         kept = {is_hertz, rolls, true, kind};                                     \
        (void)user;                                                                                \
        if (law_keeps_account(b))                                                                  \
            for (uint32_t row = 0; row < b->count; row += WIDE_LANES)                              \
                WIDE_FN(law_row)(b, c, row, kept);                                                 \
        else                                                                                       \
            for (uint32_t row = 0; row < b->count; row += WIDE_LANES)                              \
                WIDE_FN(law_row)(b, c, row, bare);                                                 \
    }

LAW(law_linear, false, false, LAW_DRY)
LAW(law_linear_rolling, false, true, LAW_DRY)
LAW(law_hertz, true, false, LAW_DRY)
LAW(law_hertz_rolling, true, true, LAW_DRY)
LAW(law_penalty, false, false, LAW_PENALTY)
LAW(law_jkr, true, true, LAW_JKR)
LAW(law_dmt, true, true, LAW_DMT)
LAW(law_sjkr, true, true, LAW_AREA)
LAW(law_capillary, true, true, LAW_BRIDGE)
LAW(law_plastic, false, true, LAW_PLASTIC)
LAW(law_eepa, true, true, LAW_EEPA)
LAW(law_bonded, false, true, LAW_BOND)

#undef LAW
