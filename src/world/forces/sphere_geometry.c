/*  Kernels of contacts between spheres. */
#include "base/prefetch.h"
#include "world/forces/sphere_forces.h"

#include <float.h>
#include <string.h>

/*  Prefetches the positions of pairs begin .. stop - 1, if there are that many. */
static inline void ask_for_places(const scree_geometry *geometry, size_t begin, size_t stop,
                                  size_t end)
{
    for (size_t c = begin; c < stop && c < end; c++) {
        SCREE_PREFETCH(geometry->position + 4 * (size_t)geometry->first[c]);
        SCREE_PREFETCH(geometry->position + 4 * (size_t)geometry->second[c]);
    }
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/sphere_geometry.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/sphere_geometry.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/sphere_geometry.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/sphere_geometry.inc.h"
#endif

scree_touch_fn *const scree_touch_kernels[] = WIDE_LEVELS(touch);
scree_touch_apart_fn *const scree_touch_apart_kernels[] = WIDE_LEVELS(touch_apart);
scree_geometry_fn *const scree_geometry_kernels[] = WIDE_LEVELS(geometry);
scree_rows_fn *const scree_rows_kernels[] = WIDE_LEVELS(rows);
scree_moments_fn *const scree_moments_kernels[] = WIDE_LEVELS(moments);
