/*  Kernels of fitting, for every SIMD instruction set, and their columns. */
#include "shape/surrogate_fit.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

#include "shape/surrogate_kernels.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"

#include "shape/surrogate_kernels.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"

#include "shape/surrogate_kernels.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"

#include "shape/surrogate_kernels.inc.h"
#endif

/* clang-format off */
#define FIT_KERNELS(level) {fit_approach_##level, fit_protrude_##level, fit_farthest_sq_##level}
/* clang-format on */

const scree_fit_kernels scree_fit_kernels_of[SCREE_SIMD_ROWS] = WIDE_TABLE(FIT_KERNELS);

void scree_surrogate_nearest(const double place[3], const double edge1[3], const double edge2[3],
                             double share[2])
{
    const fit_edges_scalar edges =
        fit_edges_of_scalar(fit_set_scalar(edge1), fit_set_scalar(edge2));
    fit_shares_scalar at = fit_nearest_scalar(&edges, fit_set_scalar(place));
    share[0] = at.first;
    share[1] = at.second;
}

/* ---- columns ---- */

static uint32_t next_eight(uint32_t count)
{
    return (count + 7) / 8 * 8;
}

void scree_surrogate_line_up_triangles(scree_surrogate_room *room)
{
    scree_fit_columns *to = &room->columns;
    for (uint32_t t = 0; t < next_eight(room->triangle_count); t++) {
        uint32_t from = t < room->triangle_count ? t : room->triangle_count - 1;
        const double(*corner)[3] = (const double(*)[3])room->triangle[from];
        double edge[2][3];
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++)
                to->corner[3 * c + k][t] = corner[c][k];
            for (int e = 0; e < 2; e++)
                to->edge[3 * e + k][t] = edge[e][k] = corner[e + 1][k] - corner[0][k];
        }
        const fit_edges_scalar edges =
            fit_edges_of_scalar(fit_set_scalar(edge[0]), fit_set_scalar(edge[1]));
        to->product[0][t] = edges.square1;
        to->product[1][t] = edges.product;
        to->product[2][t] = edges.square2;
    }
}

void scree_surrogate_line_up_outline(scree_surrogate_room *room)
{
    for (uint32_t i = 0; i < next_eight(room->outline_count); i++) {
        uint32_t from = i < room->outline_count ? i : room->outline_count - 1;
        for (int k = 0; k < 3; k++)
            room->columns.outline[k][i] = room->outline[from][k];
    }
}
