/*  NOTHING IS MISSED. If a vertex is nearer to a triangle than the contact skins, so are all triangles around it, and
    the pair with the first of them is among the contacts. So each vertex is tested in the rows of its first facet, and
    each pair of edges with the first facets of both. */
#include "narrow/mesh_features.h"

#include "base/vector.h"
#include "narrow/sphere_minima.h"

#include <math.h>
#include <stdlib.h>

/*  Sine of the angle outside an edge's wedge from which a direction no longer counts. */
#define WEDGE 0.1
/*  Cosine of the largest angle between the normal of a vertex that is inside and its way out. */
#define WAY_OUT 0.1
/*  The largest depth of edges that have passed each other, of the largest depth of bodies: each pair of edges has a
    direction of its own. */
#define EDGES_APART 1.5

/* ---- vectors ---- */

static void difference(const double a[3], const double b[3], double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
}

static void to_local(const scree_mesh_pose *pose, const double way[3], double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] =
            pose->turn[0][k] * way[0] + pose->turn[1][k] * way[1] + pose->turn[2][k] * way[2];
}

static void to_world(const scree_mesh_pose *pose, const double local[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = scree_dot(pose->turn[k], local);
}

static void place_vertex(const scree_mesh_body *body, uint32_t vertex, double at[3])
{
    scree_mesh_place(&body->pose, body->mesh->vertices + 3 * (size_t)vertex, at);
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
    to_local(&body->pose, way, local);
    for (uint32_t k = mesh->vertex_start[vertex]; k < mesh->vertex_start[vertex + 1]; k++) {
        uint32_t facet = mesh->vertex_facet[k];
        if (sign_of_facet(mesh, outward, facet) *
                scree_dot(mesh->normals + 3 * (size_t)facet, local) >
            0)
            return true;
    }
    return false;
}

/* ---- adding a feature ---- */

static scree_mesh_feature *push_feature(scree_mesh_features *work, scree_memory *memory)
{
    if (scree_memory_reserve(memory, &work->features, &work->capacity, work->count + 1,
                             sizeof *work->features))
        return NULL;
    memset(&work->features[work->count], 0, sizeof *work->features);
    return &work->features[work->count++];
}

/* ---- vertices ---- */

/*  A search for features: of vertices, those of bodies[from] at the surface of the other. */
typedef struct feature_search
{
    const scree_mesh_body *bodies;
    const scree_mesh_skin *skins;
    int from;
    double reach, thickness;
    const scree_mesh_depth *depth; /* NULL: surfaces do not cross */
} feature_search;

static void place_in(const scree_mesh_body *body, const double at[3], double local[3])
{
    double step[3];

    difference(at, body->pose.place, step);
    to_local(&body->pose, step, local);
}

/*  1 if normals of the facet point outward, -1 if inward; 0: there is no inside, as at the boundary of a surface. */
static double outward_of(const feature_search *search, int side, uint32_t facet, uint32_t feature)
{
    const scree_mesh_body *body = &search->bodies[side];
    const scree_mesh *mesh = body->mesh;
    double local[3], from[3];

    if (search->skins[side].outward != 0 || !search->depth)
        return sign_of_facet(mesh, search->skins[side].outward, facet);
    if (scree_is_rim(&(scree_surface_view){.mesh = mesh}, facet, feature))
        return 0;
    place_in(body, search->depth->centre[1 - side], local);
    difference(local, mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)facet], from);
    return scree_dot(from, mesh->normals + 3 * (size_t)facet) < 0 ? -1 : 1;
}

/*  The nearer of a point and the best so far. If several facets are equally near, the one whose plane is farthest decides
    on which side the point is. */
static void keep_nearest(const scree_mesh *mesh, uint32_t other, const double local[3],
                         scree_facet_point *best, uint32_t *facet)
{
    scree_facet_point point =
        scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)other, other, local);

    if (point.away_sq < best->away_sq ||
        (point.away_sq == best->away_sq && fabs(point.height) > fabs(best->height))) {
        *best = point;
        *facet = other;
    }
}

static scree_facet_point nearest_facet(const scree_mesh *mesh, const double local[3],
                                       const uint64_t *pairs, size_t count, uint32_t *facet)
{
    scree_facet_point best = {.away_sq = INFINITY};

    for (size_t k = 0; k < count; k++)
        keep_nearest(mesh, (uint32_t)pairs[k], local, &best, facet);
    return best;
}

/*  Where a vertex touches the other surface, and the direction to the other body. */
typedef struct vertex_touch
{
    scree_facet_point point;
    uint32_t facet;
    bool is_inside;
    double distance, way[3];
} vertex_touch;

/*  The direction to the other body: from a vertex inside away from its surface, and on the surface into the facet. */
static void find_way(const feature_search *search, vertex_touch *touch)
{
    const int to = 1 - search->from;
    const scree_mesh_body *other = &search->bodies[to];
    const double *normal = other->mesh->normals + 3 * (size_t)touch->facet;
    double share = touch->is_inside ? -touch->distance : touch->distance;

    to_world(&other->pose, touch->distance > 0 ? touch->point.away : normal, touch->way);
    if (touch->distance == 0)
        share = -outward_of(search, to, touch->facet, touch->point.feature);
    for (int k = 0; k < 3; k++)
        touch->way[k] /= share;
}

/*  The mean of the normals around a vertex, in the world; 0 if the surface has no outside. */
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
    to_world(&body->pose, sum, normal);
}

/*  The way out of a vertex that is inside: to the nearest facet on its outer side. A corner of a box that was pressed into
    another box goes back through the face by which it came, though the side of the other box may be nearer. Returns
    false if there is none. */
static bool find_way_out(const feature_search *search, uint32_t vertex, const double local[3],
                         const uint64_t *pairs, size_t count, vertex_touch *best)
{
    const int from = search->from, to = 1 - from;
    const scree_mesh *mesh = search->bodies[to].mesh;
    double normal[3], length;
    bool is_found = false;

    normal_of_vertex(&search->bodies[from], search->skins[from].outward, vertex, normal);
    length = scree_length(normal);
    for (size_t k = 0; k < count; k++) {
        vertex_touch touch = {.facet = (uint32_t)pairs[k], .is_inside = true};
        const double *facing = mesh->normals + 3 * (size_t)touch.facet;
        touch.point = scree_facet_nearest(mesh, mesh->vertices, facing, touch.facet, local);
        touch.distance = sqrt(touch.point.away_sq);
        if (outward_of(search, to, touch.facet, touch.point.feature) == 0 ||
            (is_found && !(touch.distance < best->distance)))
            continue;
        find_way(search, &touch);
        if (scree_dot(touch.way, normal) < WAY_OUT * length)
            continue;
        *best = touch;
        is_found = true;
    }
    return is_found;
}

/*  Returns false if the vertex does not touch. */
static bool touch_of_vertex(const feature_search *search, uint32_t vertex, const double local[3],
                            const uint64_t *pairs, size_t count, vertex_touch *touch)
{
    const int from = search->from, to = 1 - from;

    touch->facet = 0;
    touch->point = nearest_facet(search->bodies[to].mesh, local, pairs, count, &touch->facet);
    touch->distance = sqrt(touch->point.away_sq);
    double height =
        outward_of(search, to, touch->facet, touch->point.feature) * touch->point.height;
    touch->is_inside = height < 0;
    if (search->depth && (touch->is_inside || touch->distance == 0))
        return find_way_out(search, vertex, local, pairs, count, touch);
    /* the nearest facet of a vertex farther away may be elsewhere */
    if (touch->distance == 0 || !(touch->distance < search->reach))
        return false;
    find_way(search, touch);
    return scree_vertex_faces(&search->bodies[from], search->skins[from].outward, vertex,
                              touch->way);
}

static scree_status test_vertex(scree_mesh_features *work, scree_memory *memory,
                                const feature_search *search, uint32_t facet, uint32_t vertex,
                                const uint64_t *pairs, size_t count)
{
    int from = search->from, to = 1 - from;
    const scree_mesh_body *mine = &search->bodies[from], *other = &search->bodies[to];
    double at[3], local[3];
    vertex_touch touch;

    place_vertex(mine, vertex, at);
    place_in(other, at, local);
    if (!touch_of_vertex(search, vertex, local, pairs, count, &touch))
        return SCREE_OK;
    scree_mesh_feature *feature = push_feature(work, memory);
    if (!feature)
        return SCREE_OUT_OF_MEMORY;
    feature->kind = from ? SCREE_FEATURE_SECOND : SCREE_FEATURE_FIRST;
    feature->id = vertex;
    feature->facet[from] = facet;
    feature->facet[to] = touch.facet;
    feature->distance = touch.is_inside ? -touch.distance : touch.distance;
    feature->weight = scree_vertex_weight(search->skins[from].area[vertex], search->thickness);
    for (int k = 0; k < 3; k++) {
        feature->point[from][k] = at[k];
        feature->point[to][k] = at[k] + feature->distance * touch.way[k];
        feature->normal[k] = from ? -touch.way[k] : touch.way[k];
    }
    return SCREE_OK;
}

/*  Pairs are {facet of bodies[from], facet of the other}, in this order, grouped by facet. */
static scree_status test_vertices(scree_mesh_features *work, scree_memory *memory,
                                  const feature_search *search, const uint64_t *pairs, size_t count)
{
    const scree_mesh *mesh = search->bodies[search->from].mesh;
    scree_status status = SCREE_OK;

    for (size_t k = 0, end; k < count && !status; k = end) {
        uint32_t facet = (uint32_t)(pairs[k] >> 32);
        for (end = k + 1; end < count && pairs[end] >> 32 == facet; end++)
            ;
        for (size_t c = 0; c < 3 && !status; c++) {
            uint32_t vertex = mesh->facets[3 * (size_t)facet + c];
            if (mesh->vertex_facet[mesh->vertex_start[vertex]] == facet)
                status = test_vertex(work, memory, search, facet, vertex, pairs + k, end - k);
        }
    }
    return status;
}

/* ---- edges ---- */

/*  An edge in the world. */
typedef struct placed_edge
{
    const scree_mesh_body *body;
    uint32_t edge, facet;
    double from[3], along[3], length;
} placed_edge;

static placed_edge place_edge(const scree_mesh_body *body, uint32_t facet, size_t c)
{
    const uint32_t *vertex = body->mesh->facets + 3 * (size_t)facet;
    placed_edge e = {
        .body = body, .edge = body->mesh->edge_of[3 * (size_t)facet + c], .facet = facet};
    double to[3];

    place_vertex(body, vertex[c], e.from);
    place_vertex(body, vertex[(c + 1) % 3], to);
    difference(to, e.from, e.along);
    e.length = scree_length(e.along);
    return e;
}

static double within(double share)
{
    return share < 0 ? 0 : share < 1 ? share : 1;
}

/*  How far the direction, which starts at a point of the edge, tilts over the adjacent facets: there the facet is
    nearest, not the edge. A direction perpendicular to one counts in full: for faces on faces, edge crossings bound the
    intersection. */
static double weight_in_wedge(const placed_edge *e, const double at[3], const double way[3])
{
    const scree_mesh *mesh = e->body->mesh;
    double weight = 1;

    for (uint32_t k = mesh->edge_start[e->edge]; k < mesh->edge_start[e->edge + 1]; k++) {
        const uint32_t *vertex = mesh->facets + 3 * (size_t)mesh->edge_facet[k];
        const uint32_t *edge = mesh->edge_of + 3 * (size_t)mesh->edge_facet[k];
        size_t c = edge[0] == e->edge ? 0 : edge[1] == e->edge ? 1 : 2;
        double apex[3], into[3];
        place_vertex(e->body, vertex[(c + 2) % 3], apex);
        difference(apex, at, into);
        double share = scree_dot(into, e->along) / (e->length * e->length);
        for (int a = 0; a < 3; a++)
            into[a] -= share * e->along[a];
        weight *= within(1 - scree_dot(into, way) / (WEDGE * scree_length(into)));
    }
    return weight;
}

/*  Weight of the ends, by the distance from the nearer one. */
static double weight_along(const placed_edge *e, double share, double thickness)
{
    double end = share < 0.5 ? share : 1 - share;
    return within(end * e->length / thickness);
}

/*  The nearest points of two lines. Returns false if they are parallel, or the points are not between the ends. `sine`
    is that of the angle. */
static bool cross_edges(const placed_edge *a, const placed_edge *b, double share[2], double *sine)
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
    *sine = sqrt(square / (aa * bb));
    return share[0] > 0 && share[0] < 1 && share[1] > 0 && share[1] < 1;
}

/*  Whether a point is inside bodies[side]. */
static scree_status find_inside(const feature_search *search, int side, const double at[3],
                                scree_memory *memory, bool *is_inside)
{
    const scree_mesh_body *body = &search->bodies[side];
    scree_facet_list *facets = search->depth->facets;
    scree_facet_point best = {.away_sq = INFINITY};
    uint32_t nearest = 0;
    double local[3];

    *is_inside = false;
    place_in(body, at, local);
    if (scree_mesh_near(body->mesh, local, search->depth->largest, memory, facets))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < facets->count; k++)
        keep_nearest(body->mesh, facets->facet[k], local, &best, &nearest);
    *is_inside =
        facets->count > 0 && outward_of(search, side, nearest, best.feature) * best.height < 0;
    return SCREE_OK;
}

/*  The weight of a crossing at these points along a unit direction from the first edge to the second. */
static double weight_of_edges(const placed_edge *a, const placed_edge *b, double at[2][3],
                              const double way[3], double weight)
{
    const double back[3] = {-way[0], -way[1], -way[2]};

    return weight * weight_in_wedge(a, at[0], way) * weight_in_wedge(b, at[1], back);
}

static scree_status push_edges(scree_mesh_features *work, scree_memory *memory,
                               const placed_edge *a, const placed_edge *b, double at[2][3],
                               const double way[3], double distance, double weight)
{
    scree_mesh_feature *feature = push_feature(work, memory);

    if (!feature)
        return SCREE_OUT_OF_MEMORY;
    *feature = (scree_mesh_feature){.kind = SCREE_FEATURE_EDGES,
                                    .id = a->edge,
                                    .facet = {a->facet, b->facet},
                                    .distance = distance,
                                    .weight = weight};
    memcpy(feature->point, at, sizeof feature->point);
    memcpy(feature->normal, way, sizeof feature->normal);
    return SCREE_OK;
}

static scree_status test_edges(scree_mesh_features *work, scree_memory *memory,
                               const feature_search *search, const placed_edge *a,
                               const placed_edge *b)
{
    const double thickness = search->thickness;
    double share[2], sine, at[2][3], way[3], weight;
    bool is_inside;
    scree_status status = SCREE_OK;

    if (!cross_edges(a, b, share, &sine))
        return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        at[0][k] = a->from[k] + share[0] * a->along[k];
        at[1][k] = b->from[k] + share[1] * b->along[k];
    }
    difference(at[1], at[0], way);
    double distance = scree_length(way);
    if (!(distance > 0 && (search->depth || distance < search->reach)))
        return SCREE_OK;
    for (int k = 0; k < 3; k++)
        way[k] /= distance;
    weight = sine * weight_along(a, share[0], thickness) * weight_along(b, share[1], thickness);
    if (distance < search->reach) {
        double apart = weight_of_edges(a, b, at, way, weight);
        if (apart > 0)
            return push_edges(work, memory, a, b, at, way, distance, apart);
    }
    if (!search->depth || distance > EDGES_APART * search->depth->largest)
        return SCREE_OK;
    /* have they passed each other? */
    for (int k = 0; k < 3; k++)
        way[k] = -way[k];
    weight = weight_of_edges(a, b, at, way, weight);
    for (int side = 0; side < 2 && weight > 0 && !status; side++) {
        status = find_inside(search, 1 - side, at[side], memory, &is_inside);
        if (!is_inside)
            weight = 0;
    }
    return status || !(weight > 0) ? status
                                   : push_edges(work, memory, a, b, at, way, -distance, weight);
}

static scree_status test_pair(scree_mesh_features *work, scree_memory *memory,
                              const feature_search *search, const uint32_t facet[2])
{
    const scree_mesh_body *bodies = search->bodies;
    const scree_mesh *mesh[2] = {bodies[0].mesh, bodies[1].mesh};
    placed_edge other[3];
    size_t others = 0;
    scree_status status = SCREE_OK;

    for (size_t c = 0; c < 3; c++)
        if (mesh[1]->edge_facet[mesh[1]->edge_start[mesh[1]->edge_of[3 * (size_t)facet[1] + c]]] ==
            facet[1])
            other[others++] = place_edge(&bodies[1], facet[1], c);
    for (size_t c = 0; c < 3 && others; c++) {
        if (mesh[0]->edge_facet[mesh[0]->edge_start[mesh[0]->edge_of[3 * (size_t)facet[0] + c]]] !=
            facet[0])
            continue;
        placed_edge mine = place_edge(&bodies[0], facet[0], c);
        for (size_t d = 0; d < others && !status; d++)
            status = test_edges(work, memory, search, &mine, &other[d]);
    }
    return status;
}

/* ---- all features ---- */

static int compare_words(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static scree_status find_features(scree_mesh_features *work, scree_memory *memory,
                                  feature_search *search, const scree_mesh_touch *contacts,
                                  size_t count)
{
    scree_status status;

    work->count = 0;
    if (count == 0)
        return SCREE_OK;
    status = scree_memory_reserve(memory, &work->turned, &work->turned_capacity, count,
                                  sizeof *work->turned);
    for (search->from = 0; search->from < 2 && !status; search->from++) {
        for (size_t k = 0; k < count; k++)
            work->turned[k] = (uint64_t)contacts[k].facet[search->from] << 32 |
                              contacts[k].facet[1 - search->from];
        if (search->from == 1)
            qsort(work->turned, count, sizeof *work->turned, compare_words);
        status = test_vertices(work, memory, search, work->turned, count);
    }
    for (size_t k = 0; k < count && !status; k++)
        status = test_pair(work, memory, search, contacts[k].facet);
    if (status)
        work->count = 0;
    return status;
}

scree_status scree_mesh_find_features(scree_mesh_features *work, scree_memory *memory,
                                      const scree_mesh_body bodies[2],
                                      const scree_mesh_skin skins[2], double thickness,
                                      const scree_mesh_touch *contacts, size_t count)
{
    feature_search search = {.bodies = bodies,
                             .skins = skins,
                             .reach = bodies[0].skin + bodies[1].skin,
                             .thickness = thickness};

    return find_features(work, memory, &search, contacts, count);
}

scree_status scree_mesh_find_deep_features(scree_mesh_features *work, scree_memory *memory,
                                           const scree_mesh_body bodies[2],
                                           const scree_mesh_skin skins[2], double thickness,
                                           double reach, const scree_mesh_depth *depth,
                                           const scree_mesh_touch *contacts, size_t count)
{
    feature_search search = {
        .bodies = bodies, .skins = skins, .reach = reach, .thickness = thickness, .depth = depth};

    return find_features(work, memory, &search, contacts, count);
}

void scree_mesh_features_free(scree_mesh_features *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->features, work->capacity, sizeof *work->features);
    scree_memory_give(memory, &work->turned, work->turned_capacity, sizeof *work->turned);
    work->count = work->capacity = work->turned_capacity = 0;
}
