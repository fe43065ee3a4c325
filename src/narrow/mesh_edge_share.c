/*  The share is a product of factors, each of one number that grows with the distance from where the crossing ends. The
    change of its logarithm is therefore a sum.

    With a and b along the edges, n the way, u the velocity of the second relative to the first at the first's point,
    and w the relative angular velocity, the points of the edges move along them by shares s and t per time:

        a.a s - a.b t = a.u + distance (n x a).w        from a.n = 0 and b.n = 0 at all times
        a.b s - b.b t = b.u

    The second's point moves by u + distance w x n relative to the first. As seen from the first body the way turns by (b - (a.b / a.a) a) (a.a / q) (n x b).w, q = a.a b.b - (a.b)^2. */
#include "narrow/mesh_edge_share.h"

#include "base/vector.h"

#include <math.h>

/*  Change of the logarithm of a ramp. */
static double ramp_change(double x)
{
    return scree_feature_ramp_slope(x) / scree_feature_ramp(x);
}

/* ---- the factors ---- */

/*  Length over which the share grows at each end of an edge. */
static double end_length(const scree_feature_edge *e, double thickness)
{
    return fmin(thickness, 0.5 * e->length);
}

/*  Unit, from an edge into its n-th facet. */
static void into_facet(const scree_feature_edge *e, uint32_t n, double into[3])
{
    scree_feature_into_facet(e, e->body->mesh->edge_facet[n], e->from, into);
    const double length = scree_length(into);
    for (int k = 0; k < 3; k++)
        into[k] /= length;
}

/*  Where in its wedge a way from an edge is, as a direction into a facet tells. */
static double in_wedge(const double into[3], const double way[3], double sign)
{
    return 1 - sign * scree_dot(into, way) / SCREE_EDGE_WEDGE;
}

static double share_of_edge(const scree_edge_crossing *crossing, int side, double thickness)
{
    const scree_feature_edge *e = crossing->edge[side];
    const scree_mesh *mesh = e->body->mesh;
    const double scale = e->length / end_length(e, thickness), at = crossing->share[side];
    double share = scree_feature_ramp(1 - crossing->outside[side] / thickness) *
                   scree_feature_ramp(at * scale) * scree_feature_ramp((1 - at) * scale);

    for (uint32_t n = mesh->edge_start[e->edge]; n < mesh->edge_start[e->edge + 1] && share > 0;
         n++) {
        double into[3];
        into_facet(e, n, into);
        share *= scree_feature_ramp(in_wedge(into, crossing->way, side ? -1 : 1));
    }
    return share;
}

double scree_edge_share(const scree_edge_crossing *crossing, double thickness)
{
    const double *a = crossing->edge[0]->along, *b = crossing->edge[1]->along;
    const double aa = scree_dot(a, a), bb = scree_dot(b, b), ab = scree_dot(a, b);
    double share = share_of_edge(crossing, 0, thickness);

    if (share > 0)
        share *= share_of_edge(crossing, 1, thickness);
    return share * sqrt(fmax(0, 1 - ab * ab / (aa * bb)));
}

double scree_edge_weight(const scree_edge_crossing *crossing, double thickness)
{
    return end_length(crossing->edge[0], thickness) / thickness *
           (end_length(crossing->edge[1], thickness) / thickness);
}

/* ---- how they change ---- */

static void add_times(double sum[3], const double v[3], double factor)
{
    for (int k = 0; k < 3; k++)
        sum[k] += factor * v[k];
}

/*  Change of the logarithm by the place along an edge. */
static double change_along(const scree_edge_crossing *crossing, int side, double thickness)
{
    const scree_feature_edge *e = crossing->edge[side];
    const double scale = e->length / end_length(e, thickness), at = crossing->share[side];

    return scale * (ramp_change(at * scale) - ramp_change((1 - at) * scale));
}

/*  Change of the logarithm by the distance of a point outside of the other body, along its direction. */
static double change_outside(const scree_edge_crossing *crossing, int side, double thickness)
{
    const double outside = crossing->outside[side];

    return outside > 0 ? -ramp_change(1 - outside / thickness) / thickness : 0;
}

/*  Change of the logarithm by the rotation of the way as seen from an edge, which is along `other` but for a part along
    the edge. */
static double change_by_wedge(const scree_edge_crossing *crossing, int side, const double other[3])
{
    const scree_feature_edge *e = crossing->edge[side];
    const scree_mesh *mesh = e->body->mesh;
    const double sign = side ? -1 : 1;
    double change = 0;

    for (uint32_t n = mesh->edge_start[e->edge]; n < mesh->edge_start[e->edge + 1]; n++) {
        double into[3];
        into_facet(e, n, into);
        change -= sign / SCREE_EDGE_WEDGE * scree_dot(into, other) *
                  ramp_change(in_wedge(into, crossing->way, sign));
    }
    return change;
}

void scree_edge_share_change(const scree_edge_crossing *crossing, double thickness, double move[3],
                             double turn[3])
{
    const double *a = crossing->edge[0]->along, *b = crossing->edge[1]->along, *n = crossing->way;
    const double aa = scree_dot(a, a), bb = scree_dot(b, b), ab = scree_dot(a, b);
    const double square = aa * bb - ab * ab, share = scree_edge_share(crossing, thickness);
    const double out[2] = {share * change_outside(crossing, 0, thickness),
                           share * change_outside(crossing, 1, thickness)};
    const double along[2] = {(share * change_along(crossing, 0, thickness) +
                              out[0] * scree_dot(crossing->outward[0], a)) /
                                 square,
                             (share * change_along(crossing, 1, thickness) +
                              out[1] * scree_dot(crossing->outward[1], b)) /
                                 square};
    /* of the right sides of both equations */
    const double of_a = along[0] * bb + along[1] * ab, of_b = -along[0] * ab - along[1] * aa;
    double across_a[3], across_b[3], across[3], around[3];

    scree_cross(n, a, across_a);
    scree_cross(n, b, across_b);
    scree_cross(a, b, across);
    for (int k = 0; k < 3; k++)
        move[k] = turn[k] = 0;
    add_times(move, a, of_a);
    add_times(move, b, of_b);
    add_times(turn, across_a, of_a * crossing->distance);
    /* points outside of the other body, without their motion along the edges */
    scree_cross(n, crossing->outward[1], around);
    add_times(move, crossing->outward[0], -out[0]);
    add_times(move, crossing->outward[1], out[1]);
    add_times(turn, around, out[1] * crossing->distance);
    /* the sine */
    add_times(turn, across, share * ab / square);
    add_times(turn, across_b, share * change_by_wedge(crossing, 0, b) * aa / square);
    add_times(turn, across_a, -share * change_by_wedge(crossing, 1, a) * bb / square);
}
