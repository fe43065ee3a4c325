/*  All triangle kernels for one SIMD instruction set. Included for each, after base/wide.h or base/wide_float.h, with
    TRIANGLE_TILE, TRIANGLE_MARGIN and so on set for its number type (see triangle_kernels.c). The order of the files
    matters. */
/* no include guard: included once for each level */
/* clang-format off */
#include "narrow/segment_edges.inc.h"
#include "narrow/triangle_pair.inc.h"
#include "narrow/triangle_exact.inc.h"
#include "narrow/triangle_compare.inc.h"
#include "narrow/triangle_certify.inc.h"
#include "narrow/triangle_hybrid.inc.h"
/* clang-format on */
