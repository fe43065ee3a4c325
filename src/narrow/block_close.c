/*  Two blocks when rounding matters: nearly parallel edges, and corners and edges that almost touch.

    NEARLY PARALLEL EDGES. If s is the sine of the angle between two edges, their product is known to rounding over s,
    and over the length of a block the axis may be wrong by that. But any axis that is perpendicular to both edges, to
    rounding, separates the two as well as the true one. So the component along the first edge is subtracted from the
    second. The product of the remainder, whatever its direction, is perpendicular to the first, to the remainder, and
    so to the second. It is rotated about the edge by rounding over s; the facet is a sliver of width s, for which that
    makes no difference.

    NEAREST POINTS. The distance of separated blocks is the largest separation along any direction (duality). The best
    direction is a face normal, a product of edges, or leads from a corner to a corner or to an edge. Here all of them
    are tried. A direction that separates two blocks by some distance does so even if it is not exact. That GJK fails
    for nearly collinear corners does not matter here. */
#include "narrow/block_contact.h"

#include <math.h>

/*  In grains: pairs whose distance exceeds another's by more are not the nearest. */
#define AS_NEAR 0.01

void scree_block_product(const double a[3], const double b[3], double product[3])
{
    double share = scree_dot(a, b) / scree_dot(a, a), across[3];

    for (int k = 0; k < 3; k++)
        across[k] = b[k] - share * a[k];
    scree_cross(a, across, product);
}

double scree_block_part_along(const scree_block_view view[2], const double way[3])
{
    double top = -INFINITY, low = INFINITY;

    for (uint32_t c = 0; c < view[0].corner_count; c++) {
        double height = scree_dot(way, view[0].corner[c]);
        top = height > top ? height : top;
    }
    for (uint32_t c = 0; c < view[1].corner_count; c++) {
        double height = scree_dot(way, view[1].corner[c]);
        low = height < low ? height : low;
    }
    return low - top;
}

typedef struct sure_search
{
    const scree_block_view *view;
    double best, nearest, slack;
    scree_block_axis *axis;
} sure_search;

/*  Tries the direction from a point of one to a point of the other. `sign`: 1 if it leads from the first to the second.
    */
static void try_direction(sure_search *s, const double way[3], int sign, uint32_t corner)
{
    double length = sqrt(scree_dot(way, way)), unit[3];

    if (!(length <= s->nearest + s->slack) || !(length > s->best))
        return;
    s->nearest = length < s->nearest ? length : s->nearest;
    for (int k = 0; k < 3; k++)
        unit[k] = sign * way[k] / length;
    double parted = scree_block_part_along(s->view, unit);
    if (!(parted > s->best))
        return;
    s->best = parted;
    *s->axis = (scree_block_axis){{unit[0], unit[1], unit[2]},
                                  sign > 0 ? SCREE_FEATURE_FIRST : SCREE_FEATURE_SECOND,
                                  {corner, 0}};
}

/*  Tries the direction to an edge, if the nearest point is between its ends. It is orthogonalised twice, because the
    first result is perpendicular only to rounding. */
static void try_edge(sure_search *s, const double at[3], const double end[3], const double along[3],
                     int sign, uint32_t corner)
{
    double way[3], length_sq = scree_dot(along, along);

    for (int k = 0; k < 3; k++)
        way[k] = end[k] - at[k];
    for (int round = 0; round < 2; round++) {
        double share = -scree_dot(way, along) / length_sq;
        if (round == 0 && !(share > 0 && share < 1))
            return;
        for (int k = 0; k < 3; k++)
            way[k] += share * along[k];
    }
    try_direction(s, way, sign, corner);
}

static void try_corner(sure_search *s, int which, uint32_t corner)
{
    const scree_block_view *other = &s->view[!which];
    const double *at = s->view[which].corner[corner];
    int sign = which ? -1 : 1;

    for (uint32_t c = 0; c < other->corner_count; c++) {
        double way[3];
        for (int k = 0; k < 3; k++)
            way[k] = other->corner[c][k] - at[k];
        try_direction(s, way, sign, corner);
    }
    for (uint32_t e = 0; e < other->edge_count && !other->is_flat; e++)
        try_edge(s, at, other->corner[other->edge[e].corner[0]], other->along[e], sign, corner);
}

double scree_block_part_surely(const scree_block_view view[2], double best, double grain,
                               scree_block_axis *axis)
{
    sure_search s = {view, best, INFINITY, AS_NEAR * grain, axis};

    s.best = scree_block_part_by_edges(view, INFINITY, s.best, axis);
    for (int which = 0; which < 2; which++)
        for (uint32_t c = 0; c < view[which].corner_count; c++)
            try_corner(&s, which, c);
    return s.best;
}
