/*  All kernels of triangles, at one level. Included for each level, after base/wide.h or base/wide_float.h, with
    TRIANGLE_TILE, TRIANGLE_MARGIN and the like set for its numbers (see triangle_kernels.c). Their order counts. */
/* no include guard: included once for each level */
/* clang-format off */
#include "narrow/segment_edges.inc.h"
#include "narrow/triangle_pair.inc.h"
#include "narrow/triangle_exact.inc.h"
#include "narrow/triangle_compare.inc.h"
#include "narrow/triangle_certify.inc.h"
#include "narrow/triangle_hybrid.inc.h"
/* clang-format on */
