/*  Checks whether the contact points agree with the axis: none deeper, and one as deep. No two points of the two blocks
    are nearer along the normal than the separation. A corner that appears to be is on the wrong side of a steep face,
    by less than a grain. If none is as near, rounding over a small angle has moved the point of the axis' features
    outside of one block. */
#include "narrow/block_contact.h"

#include <math.h>
#include <string.h>

/*  In sizes: the lowest corner is below all others by so much, and beside the face by so much. */
#define ALONE 1e-6
#define BESIDE 1e-4

/*  How far the second lowest corner is above the lowest. */
static double rise_above(const double *height, uint32_t count)
{
    double low = INFINITY, next = INFINITY;

    for (uint32_t c = 0; c < count; c++) {
        double above = height[c] > low ? height[c] : low;
        next = above < next ? above : next;
        low = height[c] < low ? height[c] : low;
    }
    return next - low;
}

/*  A point proves the axis if a place of the other is as low as its lowest corner, to the tolerance of proofs t, and
    above the face, to a grain. By convexity all places that are so low are within t / rise times the other's size of
    that corner: 2e-5 at most. */
bool scree_block_is_beside(const scree_block_kernels *kernels, const scree_block_view view[2],
                           const scree_block_outlook side[2], const scree_block_axis *axis,
                           double distance, double grain)
{
    const int of = axis->kind != SCREE_FEATURE_SECOND;
    const scree_block_view *mine = &view[of], *other = &view[!of];
    const double size = grain / SCREE_CONVEX_GRAIN;
    double out[3], foot[3];

    if (axis->kind == SCREE_FEATURE_EDGES)
        return false;
    for (int k = 0; k < 3; k++) {
        out[k] = of ? -axis->normal[k] : axis->normal[k];
        foot[k] = other->corner[axis->id[0]][k] - distance * out[k];
    }
    kernels->heights(other->columns->corner, other->columns->corners, out, side[!of].height);
    if (!(rise_above(side[!of].height, other->corner_count) > ALONE * size))
        return false;
    double *const at[3] = {&foot[0], &foot[1], &foot[2]};
    return kernels->gaps(mine->columns->face, mine->columns->faces, at, 1, side[of].cosine) >
           BESIDE * size;
}

/*  The distance from a point, along the normal, to the surface of the other; INFINITY if it is outside by any amount.
    */
static double strict_gap(const scree_block_view *other, const scree_block_outlook *look,
                         const double at[3], double grain)
{
    double enters = -INFINITY, leaves = INFINITY;

    for (uint32_t f = 0; f < other->face_count; f++) {
        double over = scree_dot(other->face[f], at) - other->face[f][3];
        double cosine = look->cosine[f];
        if (cosine > SCREE_BLOCK_FLAT)
            enters = fmax(enters, over / cosine);
        else if (cosine < -SCREE_BLOCK_FLAT)
            leaves = fmin(leaves, over / cosine);
        else if (over > grain)
            return INFINITY;
    }
    return enters <= leaves ? enters : INFINITY;
}

static void set_gap(scree_block_point *p, double gap, const double normal[3])
{
    int from = p->kind == SCREE_FEATURE_SECOND;

    p->gap = gap;
    for (int k = 0; k < 3; k++)
        p->point[!from][k] = p->point[from][k] + (from ? -gap : gap) * normal[k];
}

bool scree_block_check(scree_block_contact *work, const scree_block_view view[2],
                       const double normal[3], double distance, double reach, double grain)
{
    double slack = SCREE_BLOCK_PROOF * grain;
    size_t kept = 0;
    bool is_proven = false;

    for (size_t n = 0; n < work->count; n++) {
        scree_block_point *p = &work->points[n];
        if (p->gap < distance - slack) {
            int from = p->kind == SCREE_FEATURE_SECOND;
            double gap = p->kind == SCREE_FEATURE_EDGES
                             ? distance
                             : strict_gap(&view[!from], &work->side[!from], p->point[from], grain);
            if (!(gap < reach))
                continue;
            set_gap(p, gap > distance ? gap : distance, normal);
        }
        is_proven = is_proven || (p->gap <= distance + slack && !(p->is_beside && distance > 0));
        if (kept < n)
            work->points[kept] = *p;
        kept++;
    }
    work->count = kept;
    return is_proven;
}

/*  The position of a point along an edge, from 0 to 1. */
static double share_along(const double along[3], const double start[3], const double at[3])
{
    double way[3];

    for (int k = 0; k < 3; k++)
        way[k] = at[k] - start[k];
    double share = scree_dot(way, along) / scree_dot(along, along);
    return share > 0 ? (share < 1 ? share : 1) : 0;
}

/*  The nearest points of two edges; the direction between these is perpendicular to both. If the edges are nearly
    parallel, any place is nearest except for the perpendicular component, so the place where that is 0 is used: clamped
    to the first edge, then to the second, and back. */
static void find_crossing(const scree_block_view view[2], const uint32_t id[2], double at[3])
{
    const double *along[2], *start[2];
    double across[3], between = 0, across_sq = 0;

    for (int s = 0; s < 2; s++) {
        along[s] = view[s].along[id[s]];
        start[s] = view[s].corner[view[s].edge[id[s]].corner[0]];
    }
    double share = scree_dot(along[1], along[0]) / scree_dot(along[0], along[0]);
    for (int k = 0; k < 3; k++) {
        across[k] = along[1][k] - share * along[0][k];
        between += across[k] * (start[0][k] - start[1][k]);
        across_sq += across[k] * across[k];
    }
    for (int k = 0; k < 3; k++)
        at[k] = start[1][k] + (across_sq > 0 ? between / across_sq : 0) * along[1][k];
    for (int turn = 0; turn < 3; turn++) {
        double within = share_along(along[turn % 2], start[turn % 2], at);
        for (int k = 0; k < 3; k++)
            at[k] = start[turn % 2][k] + within * along[turn % 2][k];
    }
}

scree_status scree_block_push_nearest(scree_block_contact *work, scree_memory *memory,
                                      const scree_block_view view[2], const scree_block_axis *axis,
                                      double distance)
{
    scree_block_point p = {.kind = axis->kind, .id = {axis->id[0], axis->id[1]}, .share = 1};
    int from = axis->kind == SCREE_FEATURE_SECOND;

    if (axis->kind == SCREE_FEATURE_EDGES) {
        const double *ea = view[0].along[p.id[0]], *eb = view[1].along[p.id[1]];
        double across[3];
        find_crossing(view, p.id, p.point[0]);
        scree_cross(ea, eb, across);
        p.share =
            scree_block_share(view, work->side, p.id[0], p.id[1],
                              scree_dot(across, across) / (scree_dot(ea, ea) * scree_dot(eb, eb)));
    } else
        memcpy(p.point[from], view[from].corner[axis->id[0]], sizeof p.point[from]);
    set_gap(&p, distance, axis->normal);
    return scree_block_push(work, memory, &p);
}
