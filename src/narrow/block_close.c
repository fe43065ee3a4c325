/*  Two blocks where rounding decides: edges that lie nearly along each other, corners and edges that all but touch.

    EDGES ALONG EACH OTHER. The product of two edges with a sine s between them is known to rounding over s, and blocks are as long
    as they are: the axis may miss what it should part by that. But an axis at right angles to both edges, to rounding, parts the
    two as well as the true one. Of the second edge what is along the first is taken off; then the product of what is left, whatever
    its direction, is at right angles to the first, to what is left, and so to the second. It turns about the edge by
    rounding over s; the facet is a sliver as wide as s, in which that makes no difference.

    NEAREST POINTS. Of blocks that are apart the distance is the greatest separation by any way (duality), and the best way is
    a face's normal, a product of edges, or leads from a corner to a corner or to an edge. Here all of them are tried. What parts
    two by so much parts them, whether it is known to all digits or not; that GJK fails where corners are nearly in a line does not
    matter. */
#include "narrow/block_contact.h"

#include <math.h>

/*  Of a grain: pairs that are farther apart than another by more are not the nearest. */
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

/*  By a way from a point of the one to one of the other; `sign`: 1 if it leads from the first to the second. */
static void try_way(sure_search *s, const double way[3], int sign, uint32_t corner)
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

/*  To an edge, if the nearest point is between its ends. What is at right angles but for rounding is so once more. */
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
    try_way(s, way, sign, corner);
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
        try_way(s, way, sign, corner);
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
