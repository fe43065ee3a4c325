/*  Whether a vertex touches the other surface. Outside it does if the nearest point is within reach and in front of it.
    Inside, where surfaces cross, it goes out by the nearest facet on its outer side. */
#include "narrow/mesh_feature_parts.h"

#include "base/vector.h"
#include "narrow/sphere_minima.h"
#include "shape/mesh_search.h"

#include <math.h>

/*  WAYS OUT. Cosine of the angle between the normal of a vertex that is inside and its way out, from which facets are all alike; */
#define STRAIGHT 0.5
/*  below it a facet counts as if it were farther away, up to this factor. */
#define ASTRAY 4.0

static void to_world(const scree_mesh_pose *pose, const double local[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = scree_dot(pose->turn[k], local);
}

static double sign_of_facet(const scree_mesh *mesh, int outward, uint32_t facet)
{
    return mesh->flipped_edges > 0 ? outward * mesh->turn[facet] : outward;
}

bool scree_vertex_faces(const scree_mesh_body *body, int outward, uint32_t vertex,
                        const double way[3])
{
    const scree_mesh *mesh = body->mesh;
    double local[3];

    if (outward == 0)
        return true;
    scree_feature_to_local(&body->pose, way, local);
    for (uint32_t k = mesh->vertex_start[vertex]; k < mesh->vertex_start[vertex + 1]; k++) {
        uint32_t facet = mesh->vertex_facet[k];
        if (sign_of_facet(mesh, outward, facet) *
                scree_dot(mesh->normals + 3 * (size_t)facet, local) >
            0)
            return true;
    }
    return false;
}

double scree_feature_outward(const scree_feature_search *search, int side, uint32_t facet,
                             uint32_t feature)
{
    const scree_mesh_body *body = &search->bodies[side];
    const scree_mesh *mesh = body->mesh;
    double local[3], from[3];

    if (search->skins[side].outward != 0 || !search->depth)
        return sign_of_facet(mesh, search->skins[side].outward, facet);
    if (scree_is_rim(&(scree_surface_view){.mesh = mesh}, facet, feature))
        return 0;
    scree_feature_place_in(body, search->depth->centre[1 - side], local);
    for (int k = 0; k < 3; k++)
        from[k] =
            local[k] - mesh->vertices[3 * (size_t)mesh->facets[3 * (size_t)facet] + (size_t)k];
    return scree_dot(from, mesh->normals + 3 * (size_t)facet) < 0 ? -1 : 1;
}

/* ---- the nearest facet ---- */

static void keep_nearest(const scree_mesh *mesh, uint32_t facet, const double local[3],
                         scree_nearest_facet *best)
{
    const scree_facet_point point =
        scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet, facet, local);
    const double height = fabs(point.height) - fabs(best->point.height);
    const bool is_tied = point.away_sq == best->point.away_sq && facet != best->facet;

    if (point.away_sq < best->point.away_sq ||
        (is_tied && (height > 0 || (height == 0 && facet < best->facet)))) {
        best->point = point;
        best->facet = facet;
        best->is_tied = false;
    }
    best->is_tied |= is_tied;
}

scree_feature_vertex scree_feature_place_vertex(const scree_feature_search *search, int from,
                                                uint32_t facet, uint32_t vertex)
{
    const scree_mesh_body *mine = &search->bodies[from];
    scree_feature_vertex v = {
        .from = from, .vertex = vertex, .facet = facet, .nearest.point.away_sq = INFINITY};

    scree_mesh_place(&mine->pose, mine->mesh->vertices + 3 * (size_t)vertex, v.at);
    scree_feature_place_in(&search->bodies[1 - from], v.at, v.local);
    return v;
}

void scree_feature_compare_vertex(const scree_feature_search *search, scree_feature_vertex *v,
                                  uint32_t facet)
{
    keep_nearest(search->bodies[1 - v->from].mesh, facet, v->local, &v->nearest);
}

typedef struct nearest_search
{
    const scree_mesh *mesh;
    const double *local;
    double reach;
    scree_nearest_facet *best;
} nearest_search;

static double visit_nearest(void *user, uint32_t facet)
{
    const nearest_search *search = user;

    keep_nearest(search->mesh, facet, search->local, search->best);
    return fmin(search->reach, sqrt(search->best->point.away_sq));
}

/*  Returns false if no facet is within reach. */
static bool search_nearest(const scree_mesh *mesh, const double local[3], double reach,
                           scree_nearest_facet *best)
{
    nearest_search search = {mesh, local, reach, best};

    scree_mesh_search(mesh, local, fmin(reach, sqrt(best->point.away_sq)), NULL, visit_nearest,
                      &search);
    return best->point.away_sq <= reach * reach;
}

bool scree_feature_search_vertex(const scree_feature_search *search, scree_feature_vertex *v,
                                 double reach)
{
    return search_nearest(search->bodies[1 - v->from].mesh, v->local, reach, &v->nearest);
}

double scree_feature_outside(const scree_feature_search *search, int side, const double at[3],
                             double way[3])
{
    const scree_mesh_body *body = &search->bodies[side];
    scree_nearest_facet best = {.point.away_sq = INFINITY};
    double local[3];

    for (int k = 0; k < 3; k++)
        way[k] = 0;
    scree_feature_place_in(body, at, local);
    if (!search_nearest(body->mesh, local, fmax(search->depth->largest, search->thickness), &best))
        return INFINITY;
    if (scree_feature_outward(search, side, best.facet, best.point.feature) * best.point.height < 0)
        return best.point.away_sq <= search->depth->largest * search->depth->largest ? 0 : INFINITY;
    const double outside = sqrt(best.point.away_sq);
    to_world(&body->pose, best.point.away, way);
    for (int k = 0; k < 3 && outside > 0; k++)
        way[k] /= -outside;
    return outside;
}

/* ---- where a vertex touches ---- */

/*  Where a vertex touches the other surface, and the direction to the other body. */
typedef struct vertex_touch
{
    scree_facet_point point;
    uint32_t facet;
    bool is_inside;
    double distance, way[3];
    double cosine, share; /* of a way out, and the factor of its length; otherwise 1 */
} vertex_touch;

/*  The direction to the other body: from a vertex inside away from its surface, and on the surface into the facet. */
static void find_way(const scree_feature_search *search, int to, vertex_touch *touch)
{
    const scree_mesh_body *other = &search->bodies[to];
    const double *normal = other->mesh->normals + 3 * (size_t)touch->facet;
    double share = touch->is_inside ? -touch->distance : touch->distance;

    to_world(&other->pose, touch->distance > 0 ? touch->point.away : normal, touch->way);
    if (touch->distance == 0)
        share = -scree_feature_outward(search, to, touch->facet, touch->point.feature);
    for (int k = 0; k < 3; k++)
        touch->way[k] /= share;
}

/*  The mean of the normals around a vertex, in the world, of length 1; 0 if the surface has no outside. */
static void normal_of_vertex(const scree_mesh_body *body, int outward, uint32_t vertex,
                             double normal[3])
{
    const scree_mesh *mesh = body->mesh;
    double sum[3] = {0, 0, 0};

    for (uint32_t k = mesh->vertex_start[vertex]; k < mesh->vertex_start[vertex + 1]; k++) {
        uint32_t facet = mesh->vertex_facet[k];
        for (int a = 0; a < 3; a++)
            sum[a] +=
                sign_of_facet(mesh, outward, facet) * mesh->normals[3 * (size_t)facet + (size_t)a];
    }
    const double length = scree_length(sum);
    for (int a = 0; a < 3 && length > 0; a++)
        sum[a] /= length;
    to_world(&body->pose, sum, normal);
}

/*  The way out of a vertex that is inside: to the nearest facet, where those that are not on its outer side count as if
    they were farther away. A corner of a box that was pressed into another box goes back through the face by which it
    came, though the side of the other box may be nearer. As long as one way grows into another, no energy comes or goes. */
typedef struct way_out
{
    const scree_feature_search *search;
    const scree_feature_vertex *v;
    double normal[3]; /* of the vertex */
    bool is_found;
    vertex_touch best;
} way_out;

static double factor_of_way(double cosine)
{
    return ASTRAY - (ASTRAY - 1) * scree_feature_ramp(cosine / STRAIGHT);
}

/*  Returns false if an inside is not defined there. */
static bool is_way_out(const way_out *out, vertex_touch *touch)
{
    const int to = 1 - out->v->from;

    if (scree_feature_outward(out->search, to, touch->facet, touch->point.feature) == 0)
        return false;
    find_way(out->search, to, touch);
    touch->cosine = scree_dot(touch->way, out->normal);
    touch->share = out->search->skins[out->v->from].outward ? factor_of_way(touch->cosine) : 1;
    return true;
}

static double visit_way_out(void *user, uint32_t facet)
{
    way_out *out = user;
    const scree_mesh *mesh = out->search->bodies[1 - out->v->from].mesh;
    const double largest = out->search->depth->largest;
    const double farthest = out->is_found ? out->best.share * out->best.distance : ASTRAY * largest;
    vertex_touch touch = {.facet = facet, .is_inside = true};

    touch.point = scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet,
                                      facet, out->v->local);
    touch.distance = sqrt(touch.point.away_sq);
    if (touch.distance > farthest || touch.distance > largest || !is_way_out(out, &touch))
        return farthest;
    /* of those that are equally near the first, whatever the order of visits */
    const double far = touch.share * touch.distance;
    if (far > farthest || (out->is_found && far == farthest && facet > out->best.facet))
        return farthest;
    out->best = touch;
    out->is_found = true;
    return far;
}

/*  Mostly it is the nearest facet. */
static bool find_way_out(const scree_feature_search *search, const scree_feature_vertex *v,
                         vertex_touch *touch)
{
    const int from = v->from;
    way_out out = {.search = search, .v = v};

    normal_of_vertex(&search->bodies[from], search->skins[from].outward, v->vertex, out.normal);
    touch->is_inside = true;
    if (!v->nearest.is_tied && touch->distance <= search->depth->largest &&
        is_way_out(&out, touch) && touch->share == 1)
        return true;
    scree_mesh_search(search->bodies[1 - from].mesh, v->local, search->depth->largest, NULL,
                      visit_way_out, &out);
    *touch = out.best;
    return out.is_found;
}

/*  Returns false if the vertex does not touch. */
static bool touch_of_vertex(const scree_feature_search *search, scree_feature_vertex *v,
                            vertex_touch *touch)
{
    const int from = v->from, to = 1 - from;

    touch->facet = v->nearest.facet;
    touch->point = v->nearest.point;
    touch->distance = sqrt(touch->point.away_sq);
    touch->share = 1;
    double height =
        scree_feature_outward(search, to, touch->facet, touch->point.feature) * touch->point.height;
    v->is_inside = touch->is_inside = height < 0;
    if (search->depth && (touch->is_inside || touch->distance == 0))
        return find_way_out(search, v, touch);
    /* the nearest facet of a vertex farther away may be elsewhere */
    if (touch->distance == 0 || !(touch->distance < search->reach))
        return false;
    find_way(search, to, touch);
    return scree_vertex_faces(&search->bodies[from], search->skins[from].outward, v->vertex,
                              touch->way);
}

/* ---- the feature ---- */

/*  The way by which a vertex would turn if it moved sideways and its nearest point stayed on an edge or at a vertex. */
static void turn_aside(const scree_feature_search *search, int to, const vertex_touch *touch,
                       const double normal[3], double aside[3])
{
    const scree_mesh_body *other = &search->bodies[to];
    const uint32_t feature = touch->point.feature;
    double along[3], place[2][3], edge_sq = 0;

    for (int k = 0; k < 3; k++)
        aside[k] = normal[k] - touch->cosine * touch->way[k];
    if (feature >= SCREE_ON_VERTEX)
        return;
    for (uint32_t end = 0; end < 2; end++) {
        const uint32_t corner = (feature - SCREE_ON_EDGE + end) % 3;
        scree_mesh_place(&other->pose,
                         other->mesh->vertices +
                             3 * (size_t)other->mesh->facets[3 * (size_t)touch->facet + corner],
                         place[end]);
    }
    for (int k = 0; k < 3; k++) {
        along[k] = place[1][k] - place[0][k];
        edge_sq += along[k] * along[k];
    }
    const double part = scree_dot(aside, along) / edge_sq;
    for (int k = 0; k < 3; k++)
        aside[k] -= part * along[k];
}

/*  How the factor of a way out changes with the angle, by motion of the second body relative to the first. */
static void set_share(const scree_feature_search *search, const scree_feature_vertex *v,
                      const vertex_touch *touch, scree_mesh_feature *feature)
{
    const int from = v->from, to = 1 - from;
    const double slope = -(ASTRAY - 1) / STRAIGHT *
                         scree_feature_ramp_slope(touch->cosine / STRAIGHT) * (from ? -1 : 1);
    double normal[3], aside[3];

    normal_of_vertex(&search->bodies[from], search->skins[from].outward, v->vertex, normal);
    feature->share = touch->share;
    scree_cross(touch->way, normal, feature->turn);
    for (int k = 0; k < 3; k++)
        feature->turn[k] *= slope;
    if (touch->point.feature == SCREE_ON_FACE || !(touch->distance > 0))
        return;
    turn_aside(search, to, touch, normal, aside);
    for (int k = 0; k < 3; k++)
        feature->move[k] = -slope * aside[k] / touch->distance;
}

scree_status scree_feature_take_vertex(scree_mesh_features *work, scree_memory *memory,
                                       const scree_feature_search *search, scree_feature_vertex *v)
{
    const int from = v->from, to = 1 - from;
    vertex_touch touch;

    if (!touch_of_vertex(search, v, &touch))
        return SCREE_OK;
    scree_mesh_feature *feature = scree_feature_push(work, memory);
    if (!feature)
        return SCREE_OUT_OF_MEMORY;
    feature->kind = from ? SCREE_FEATURE_SECOND : SCREE_FEATURE_FIRST;
    feature->id = v->vertex;
    feature->facet[from] = v->facet;
    feature->facet[to] = touch.facet;
    feature->distance = touch.is_inside ? -touch.distance : touch.distance;
    feature->weight = scree_vertex_weight(search->skins[from].area[v->vertex], search->thickness);
    for (int k = 0; k < 3; k++) {
        feature->point[from][k] = v->at[k];
        feature->point[to][k] = v->at[k] + feature->distance * touch.way[k];
        feature->normal[k] = from ? -touch.way[k] : touch.way[k];
    }
    feature->share = 1;
    if (touch.share > 1)
        set_share(search, v, &touch, feature);
    return SCREE_OK;
}
