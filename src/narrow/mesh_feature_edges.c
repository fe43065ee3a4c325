/*  Whether two edges touch: the nearest points of their lines are between the ends, in a direction in which each edge is
    the nearest feature of its body. Where surfaces cross they may have passed each other. */
#include "narrow/mesh_edge_share.h"

#include "base/vector.h"

#include <math.h>

static void difference(const double a[3], const double b[3], double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
}

static void place_vertex(const scree_mesh_body *body, uint32_t vertex, double at[3])
{
    scree_mesh_place(&body->pose, body->mesh->vertices + 3 * (size_t)vertex, at);
}

scree_feature_edge scree_feature_place_edge(const scree_feature_search *search, int side,
                                            uint32_t facet, size_t c)
{
    const scree_mesh_body *body = &search->bodies[side];
    const uint32_t *vertex = body->mesh->facets + 3 * (size_t)facet;
    scree_feature_edge e = {.body = body,
                            .side = side,
                            .edge = body->mesh->edge_of[3 * (size_t)facet + c],
                            .facet = facet};
    double to[3];

    place_vertex(body, vertex[c], e.from);
    place_vertex(body, vertex[(c + 1) % 3], to);
    difference(to, e.from, e.along);
    e.length = scree_length(e.along);
    return e;
}

static size_t corner_of_edge(const scree_feature_edge *e, uint32_t facet)
{
    const uint32_t *edge = e->body->mesh->edge_of + 3 * (size_t)facet;

    return edge[0] == e->edge ? 0 : edge[1] == e->edge ? 1 : 2;
}

/*  From a point of the edge towards a facet of it, perpendicular to the edge. */
void scree_feature_into_facet(const scree_feature_edge *e, uint32_t facet, const double at[3],
                              double into[3])
{
    const uint32_t *vertex = e->body->mesh->facets + 3 * (size_t)facet;
    double apex[3];

    place_vertex(e->body, vertex[(corner_of_edge(e, facet) + 2) % 3], apex);
    difference(apex, at, into);
    double share = scree_dot(into, e->along) / (e->length * e->length);
    for (int k = 0; k < 3; k++)
        into[k] -= share * e->along[k];
}

bool scree_feature_edge_outside(const scree_feature_search *search, const scree_feature_edge *e,
                                double outside[3])
{
    const scree_mesh *mesh = e->body->mesh;
    double into[3];

    for (int k = 0; k < 3; k++)
        outside[k] = 0;
    if (mesh->edge_is_rim[e->edge])
        return false;
    /* facets that are folded together have opposite normals, and flat ones lead away from each other: not both */
    for (uint32_t n = mesh->edge_start[e->edge]; n < mesh->edge_start[e->edge + 1]; n++) {
        const uint32_t facet = mesh->edge_facet[n];
        const double *normal = mesh->normals + 3 * (size_t)facet;
        double sign = scree_feature_outward(search, e->side, facet,
                                            SCREE_ON_EDGE + (uint32_t)corner_of_edge(e, facet));
        scree_feature_into_facet(e, facet, e->from, into);
        double length = scree_length(into);
        for (int k = 0; k < 3; k++)
            outside[k] += sign * scree_dot(e->body->pose.turn[k], normal) - into[k] / length;
    }
    return true;
}

bool scree_feature_edges_cross(const scree_feature_edge *a, const scree_feature_edge *b,
                               double share[2])
{
    double between[3], aa = scree_dot(a->along, a->along), bb = scree_dot(b->along, b->along);
    double ab = scree_dot(a->along, b->along), ar, br, square = aa * bb - ab * ab;

    difference(a->from, b->from, between);
    ar = scree_dot(a->along, between);
    br = scree_dot(b->along, between);
    if (!(square > 1e-12 * aa * bb))
        return false;
    share[0] = (ab * br - bb * ar) / square;
    share[1] = (aa * br - ab * ar) / square;
    return share[0] > 0 && share[0] < 1 && share[1] > 0 && share[1] < 1;
}

/*  Whether a direction leads out of the body. The wedge of a flat edge is the same on both of its sides. */
static bool leads_out(const scree_feature_search *search, const scree_feature_edge *e,
                      const double way[3])
{
    double outside[3];

    return !search->depth || !scree_feature_edge_outside(search, e, outside) ||
           scree_dot(outside, way) > 0;
}

/*  The share of a crossing in its direction; 0: there is no contact. */
static double share_of_edges(const scree_feature_search *search,
                             const scree_edge_crossing *crossing)
{
    const double *way = crossing->way, back[3] = {-way[0], -way[1], -way[2]};
    const double share = scree_edge_share(crossing, search->thickness);

    return share > 0 && leads_out(search, crossing->edge[0], way) &&
                   leads_out(search, crossing->edge[1], back)
               ? share
               : 0;
}

static scree_status push_edges(scree_mesh_features *work, scree_memory *memory,
                               const scree_feature_search *search,
                               const scree_edge_crossing *crossing, double at[2][3], double share)
{
    const scree_feature_edge *a = crossing->edge[0], *b = crossing->edge[1];
    scree_mesh_feature *feature = scree_feature_push(work, memory);

    if (!feature)
        return SCREE_OUT_OF_MEMORY;
    *feature = (scree_mesh_feature){.kind = SCREE_FEATURE_EDGES,
                                    .id = a->edge,
                                    .facet = {a->facet, b->facet},
                                    .distance = crossing->distance,
                                    .weight = scree_edge_weight(crossing, search->thickness),
                                    .share = share};
    memcpy(feature->point, at, sizeof feature->point);
    memcpy(feature->normal, crossing->way, sizeof feature->normal);
    scree_edge_share_change(crossing, search->thickness, feature->move, feature->turn);
    return SCREE_OK;
}

scree_status scree_feature_take_edges(scree_mesh_features *work, scree_memory *memory,
                                      const scree_feature_search *search,
                                      const scree_feature_edge *a, const scree_feature_edge *b)
{
    scree_edge_crossing crossing = {.edge = {a, b}};
    double at[2][3], share = 0;

    if (!scree_feature_edges_cross(a, b, crossing.share))
        return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        at[0][k] = a->from[k] + crossing.share[0] * a->along[k];
        at[1][k] = b->from[k] + crossing.share[1] * b->along[k];
    }
    difference(at[1], at[0], crossing.way);
    const double distance = scree_length(crossing.way);
    if (!(distance > 0 && (search->depth || distance < search->reach)))
        return SCREE_OK;
    for (int k = 0; k < 3; k++)
        crossing.way[k] /= distance;
    crossing.distance = distance;
    if (distance < search->reach)
        share = share_of_edges(search, &crossing);
    if (share > 0)
        return push_edges(work, memory, search, &crossing, at, share);
    if (!search->depth || distance > SCREE_EDGES_APART * search->depth->largest)
        return SCREE_OK;
    /* have they passed each other? */
    for (int k = 0; k < 3; k++)
        crossing.way[k] = -crossing.way[k];
    crossing.distance = -distance;
    if (!(share_of_edges(search, &crossing) > 0))
        return SCREE_OK;
    for (int side = 0; side < 2; side++)
        crossing.outside[side] =
            scree_feature_outside(search, 1 - side, at[side], crossing.outward[side]);
    share = scree_edge_share(&crossing, search->thickness);
    return share > 0 ? push_edges(work, memory, search, &crossing, at, share) : SCREE_OK;
}
