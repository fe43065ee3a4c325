/*  Features of surfaces that cross, without a comparison of everything with everything.

    A vertex that touches is in the other's box or within reach of it; each of these is compared with the nearest facets
    of the other (mesh_search.h).

    Pairs of edges that are within reach have facets among the contacts. Of two edges that have passed each other, each
    has a part inside the other body or near it: it has an end inside, or its first facet is among the contacts. The
    edges of the second body are looked for behind each edge of the first: within the wedge of directions from it that
    have a weight, which planes bound, no farther than edges that have passed each other may be.

    What is found so are candidates. Whether they are features, only mesh_feature_parts.h says. */
#include "narrow/mesh_features.h"

#include "base/vector.h"
#include "narrow/mesh_feature_parts.h"
#include "shape/mesh_search.h"

#include <math.h>
#include <stdlib.h>

/*  Relative enlargement of regions in which is searched: far more than errors of rounding. */
#define ENLARGE 0x1p-16

/* ---- edges as numbers: four times the first facet, and the corner ---- */

#define SORT_NAME sort_numbers
#define SORT_ROW uint32_t
#define SORT_BEFORE(a, b) (*(a) < *(b))
#include "base/shell_sort.inc.h"

static scree_status push_number(scree_facet_list *list, scree_memory *memory, uint32_t number)
{
    scree_status status = scree_memory_reserve(memory, &list->facet, &list->capacity,
                                               list->count + 1, sizeof *list->facet);

    if (!status)
        list->facet[list->count++] = number;
    return status;
}

static scree_feature_edge place_number(const scree_feature_search *search, int side,
                                       uint32_t number)
{
    return scree_feature_place_edge(search, side, number / 4, number % 4);
}

/* ---- vertices ---- */

/*  The edges of a vertex that is inside. */
static scree_status push_edges_of(scree_facet_list *list, scree_memory *memory,
                                  const scree_mesh *mesh, uint32_t vertex)
{
    scree_status status = SCREE_OK;

    for (uint32_t k = mesh->vertex_start[vertex]; k < mesh->vertex_start[vertex + 1]; k++)
        for (size_t c = 0; c < 3 && !status; c++) {
            const uint32_t facet = mesh->vertex_facet[k];
            const uint32_t *corner = mesh->facets + 3 * (size_t)facet;
            if ((corner[c] == vertex || corner[(c + 1) % 3] == vertex) &&
                scree_feature_begins_edge(mesh, facet, c))
                status = push_number(list, memory, 4 * facet + (uint32_t)c);
        }
    return status;
}

/*  A box in the frame of bodies[side] in which all that can touch it lies. */
typedef struct reached_box
{
    double lower[3], upper[3];
} reached_box;

/*  Behind a surface that is not closed there is no end to the inside but the largest depth. */
static reached_box box_reached(const scree_feature_search *search, int side)
{
    const scree_mesh *mesh = search->bodies[side].mesh;
    const double reach = search->skins[side].outward != 0
                             ? search->reach
                             : fmax(search->reach, search->depth->largest);
    double widen = reach * (1 + ENLARGE) + ENLARGE / mesh->tree.scale;
    reached_box box;

    for (int k = 0; k < 3; k++)
        for (int b = 0; b < 2; b++)
            widen = fmax(widen, 0x1p-40 * fabs(search->bodies[b].pose.place[k]));
    for (int k = 0; k < 3; k++) {
        box.lower[k] = mesh->lower[k] - widen;
        box.upper[k] = mesh->upper[k] + widen;
    }
    return box;
}

static bool is_in_box(const reached_box *box, const double at[3])
{
    for (int k = 0; k < 3; k++)
        if (!(at[k] >= box->lower[k] && at[k] <= box->upper[k]))
            return false;
    return true;
}

/*  The box of bodies[1 - from] in the frame of bodies[from]. */
static void turn_box(const scree_feature_search *search, int from, const reached_box *box,
                     scree_half_space spaces[6])
{
    const scree_mesh_pose *mine = &search->bodies[from].pose,
                          *other = &search->bodies[1 - from].pose;

    for (int k = 0; k < 3; k++) {
        double axis[3], at = 0;
        for (int j = 0; j < 3; j++) {
            axis[j] = other->turn[j][k];
            at += axis[j] * (mine->place[j] - other->place[j]);
        }
        scree_feature_to_local(mine, axis, spaces[2 * k].normal);
        spaces[2 * k].limit = box->upper[k] - at;
        for (int j = 0; j < 3; j++)
            spaces[2 * k + 1].normal[j] = -spaces[2 * k].normal[j];
        spaces[2 * k + 1].limit = at - box->lower[k];
    }
}

static scree_status find_vertex(scree_mesh_features *work, scree_memory *memory,
                                const scree_feature_search *search, int from, uint32_t facet,
                                uint32_t vertex, const reached_box *box, uint32_t *near)
{
    scree_feature_vertex v = scree_feature_place_vertex(search, from, facet, vertex);

    if (!is_in_box(box, v.local))
        return SCREE_OK;
    /* with what was nearest to the last vertex the search begins short */
    scree_feature_compare_vertex(search, &v, *near);
    if (!scree_feature_search_vertex(search, &v, fmax(search->reach, search->depth->largest)))
        return SCREE_OK;
    *near = v.nearest.facet;
    scree_status status = scree_feature_take_vertex(work, memory, search, &v);
    return status || !v.is_inside
               ? status
               : push_edges_of(&work->edges[from], memory, search->bodies[from].mesh, vertex);
}

static scree_status find_vertices(scree_mesh_features *work, scree_memory *memory,
                                  const scree_feature_search *search, int from)
{
    const scree_mesh *mesh = search->bodies[from].mesh;
    const reached_box box = box_reached(search, 1 - from);
    scree_half_space spaces[6];
    uint32_t near = 0;

    turn_box(search, from, &box, spaces);
    scree_status status = scree_mesh_within(mesh, spaces, 6, memory, &work->facets);
    sort_numbers(work->facets.facet, work->facets.count);
    for (size_t k = 0; k < work->facets.count && !status; k++)
        for (size_t c = 0; c < 3 && !status; c++) {
            const uint32_t facet = work->facets.facet[k];
            const uint32_t vertex = mesh->facets[3 * (size_t)facet + c];
            if (mesh->vertex_facet[mesh->vertex_start[vertex]] == facet)
                status = find_vertex(work, memory, search, from, facet, vertex, &box, &near);
        }
    return status;
}

/* ---- edges ---- */

/*  Adds those that cross the surface of the other, or are near it; each once, in order. */
static scree_status complete_edges(scree_mesh_features *work, scree_memory *memory,
                                   const scree_feature_search *search, int side,
                                   const scree_mesh_touch *contacts, size_t count)
{
    const scree_mesh *mesh = search->bodies[side].mesh;
    scree_facet_list *edges = &work->edges[side];
    scree_status status = SCREE_OK;
    size_t kept = 0;

    for (size_t k = 0; k < count && !status; k++)
        for (size_t c = 0; c < 3 && !status; c++)
            if (scree_feature_begins_edge(mesh, contacts[k].facet[side], c))
                status = push_number(edges, memory, 4 * contacts[k].facet[side] + (uint32_t)c);
    sort_numbers(edges->facet, edges->count);
    for (size_t k = 0; k < edges->count; k++)
        if (k == 0 || edges->facet[k] != edges->facet[k - 1])
            edges->facet[kept++] = edges->facet[k];
    edges->count = kept;
    return status;
}

/*  Brings the edges of the second body into the world, and notes where those of each facet begin. Slots that were never
    written may contain any index, so new ones are set to zero, a valid index. */
static scree_status place_edges(scree_mesh_features *work, scree_memory *memory,
                                const scree_feature_search *search)
{
    const scree_facet_list *edges = &work->edges[1];
    const size_t before = work->slot_capacity;
    scree_status status =
        scree_memory_reserve(memory, &work->slot, &work->slot_capacity,
                             search->bodies[1].mesh->facet_count, sizeof *work->slot);

    if (!status)
        status = scree_memory_reserve(memory, &work->placed, &work->placed_capacity, edges->count,
                                      sizeof *work->placed);
    if (status)
        return status;
    memset(work->slot + before, 0, (work->slot_capacity - before) * sizeof *work->slot);
    for (size_t k = 0; k < edges->count; k++) {
        const uint32_t facet = edges->facet[k] / 4;
        work->placed[k] = place_number(search, 1, edges->facet[k]);
        if (k == 0 || edges->facet[k - 1] / 4 != facet)
            work->slot[facet] = (uint32_t)k;
    }
    return SCREE_OK;
}

/*  Keeps the pair for later if the edges cross. Pairs are in the order of facets of the first, then of the second. */
static scree_status offer_edges(scree_mesh_features *work, scree_memory *memory,
                                const scree_feature_edge *a, uint32_t first,
                                const scree_feature_edge *b, uint32_t second)
{
    double share[2];

    if (!scree_feature_edges_cross(a, b, share))
        return SCREE_OK;
    scree_status status = scree_memory_reserve(memory, &work->pairs, &work->pair_capacity,
                                               work->pair_count + 1, sizeof *work->pairs);
    if (!status)
        work->pairs[work->pair_count++] =
            (uint64_t)(first / 4) << 34 | (uint64_t)(second / 4) << 4 | first % 4 << 2 | second % 4;
    return status;
}

/*  The edges of facets that are within reach of each other. */
static scree_status offer_near(scree_mesh_features *work, scree_memory *memory,
                               const scree_feature_search *search, const uint32_t facet[2])
{
    scree_feature_edge other[3];
    size_t corner[3], others = 0;
    scree_status status = SCREE_OK;

    for (size_t d = 0; d < 3; d++)
        if (scree_feature_begins_edge(search->bodies[1].mesh, facet[1], d)) {
            corner[others] = d;
            other[others++] = scree_feature_place_edge(search, 1, facet[1], d);
        }
    for (size_t c = 0; c < 3 && others; c++) {
        if (!scree_feature_begins_edge(search->bodies[0].mesh, facet[0], c))
            continue;
        scree_feature_edge mine = scree_feature_place_edge(search, 0, facet[0], c);
        for (size_t n = 0; n < others && !status; n++)
            status = offer_edges(work, memory, &mine, 4 * facet[0] + (uint32_t)c, &other[n],
                                 4 * facet[1] + (uint32_t)corner[n]);
    }
    return status;
}

/* ---- what lies behind an edge ---- */

static void add_space(scree_half_space *spaces, int *count, const double normal[3], double sign,
                      double limit)
{
    for (int k = 0; k < 3; k++)
        spaces[*count].normal[k] = sign * normal[k];
    spaces[(*count)++].limit = limit;
}

/*  The plane that bounds the directions from an edge that tilt over a facet by less than the wedge allows: it contains the
    edge, and the direction into the facet that is turned by the wedge's angle to the inside. `inside` and `into` are
    perpendicular to the edge; lengths are 1. Returns false if no plane does. */
static bool plane_of_wedge(const double inside[3], const double into[3], double plane[3])
{
    const double turn_sine = SCREE_EDGE_WEDGE, turn_cosine = sqrt(1 - turn_sine * turn_sine);
    const double cosine = scree_dot(inside, into);
    const double sine = sqrt(fmax(0, 1 - cosine * cosine));

    /* the facet is nearly in the middle of the inside, or opposite to it: all is within its wedge, or little */
    if (cosine > turn_cosine || sine < 1e-3)
        return false;
    const double along = cosine * turn_cosine + sine * turn_sine;
    const double across = (sine * turn_cosine - cosine * turn_sine) / sine;
    for (int k = 0; k < 3; k++)
        plane[k] = along * inside[k] + across * (into[k] - cosine * inside[k]);
    return true;
}

/*  The region, in the frame of the second body, in which edges lie that an edge of the first has passed. */
static int spaces_behind(const scree_feature_search *search, const scree_feature_edge *a,
                         scree_half_space spaces[SCREE_MAX_HALF_SPACES])
{
    const scree_mesh *mesh = a->body->mesh;
    const scree_mesh_pose *to = &search->bodies[1].pose;
    const double longest = SCREE_EDGES_APART * search->depth->largest;
    const double slack = ENLARGE * (a->length + longest);
    double outside[3], from[3], along[3], inside[3];
    int count = 0;

    scree_feature_place_in(&search->bodies[1], a->from, from);
    scree_feature_to_local(to, a->along, along);
    for (int k = 0; k < 3; k++)
        along[k] /= a->length;
    const double start = scree_dot(along, from);
    add_space(spaces, &count, along, 1, start + a->length + slack);
    add_space(spaces, &count, along, -1, slack - start);
    if (!scree_feature_edge_outside(search, a, outside))
        return count;
    const double length = scree_length(outside);
    if (!(length > 0))
        return count;
    for (int k = 0; k < 3; k++)
        outside[k] /= -length;
    scree_feature_to_local(to, outside, inside);
    add_space(spaces, &count, inside, 1, scree_dot(inside, from) + longest + slack);
    add_space(spaces, &count, inside, -1, slack - scree_dot(inside, from));
    /* an edge that is no rim has two facets */
    for (uint32_t n = mesh->edge_start[a->edge]; n < mesh->edge_start[a->edge + 1]; n++) {
        double into[3], local[3], plane[3];
        scree_feature_into_facet(a, mesh->edge_facet[n], a->from, into);
        const double size = scree_length(into);
        for (int k = 0; k < 3; k++)
            into[k] /= size;
        scree_feature_to_local(to, into, local);
        if (plane_of_wedge(inside, local, plane))
            add_space(spaces, &count, plane, -1, slack - scree_dot(plane, from));
    }
    return count;
}

static scree_status offer_behind(scree_mesh_features *work, scree_memory *memory,
                                 const scree_feature_search *search, uint32_t first)
{
    const scree_mesh *mesh = search->bodies[1].mesh;
    const scree_feature_edge a = place_number(search, 0, first);
    scree_half_space spaces[SCREE_MAX_HALF_SPACES];
    int count = spaces_behind(search, &a, spaces);

    scree_status status = scree_mesh_within(mesh, spaces, count, memory, &work->facets);
    for (size_t k = 0; k < work->facets.count && !status; k++) {
        const uint32_t facet = work->facets.facet[k];
        const scree_facet_list *edges = &work->edges[1];
        for (size_t n = work->slot[facet];
             n < edges->count && edges->facet[n] / 4 == facet && !status; n++)
            status = offer_edges(work, memory, &a, first, &work->placed[n], edges->facet[n]);
    }
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/*  Decides the pairs, each once. */
static scree_status take_pairs(scree_mesh_features *work, scree_memory *memory,
                               const scree_feature_search *search)
{
    scree_status status = SCREE_OK;

    if (work->pair_count > 0)
        qsort(work->pairs, work->pair_count, sizeof *work->pairs, compare_pairs);
    for (size_t k = 0; k < work->pair_count && !status; k++) {
        const uint64_t pair = work->pairs[k];
        if (k > 0 && pair == work->pairs[k - 1])
            continue;
        const scree_feature_edge a =
            scree_feature_place_edge(search, 0, (uint32_t)(pair >> 34), pair >> 2 & 3);
        const scree_feature_edge b =
            scree_feature_place_edge(search, 1, (uint32_t)(pair >> 4) & 0x3fffffff, pair & 3);
        status = scree_feature_take_edges(work, memory, search, &a, &b);
    }
    return status;
}

/* ---- all features ---- */

scree_status scree_mesh_find_deep_features(scree_mesh_features *work, scree_memory *memory,
                                           const scree_mesh_body bodies[2],
                                           const scree_mesh_skin skins[2], double thickness,
                                           double reach, const scree_mesh_depth *depth,
                                           const scree_mesh_touch *contacts, size_t count)
{
    const scree_feature_search search = {
        .bodies = bodies, .skins = skins, .reach = reach, .thickness = thickness, .depth = depth};
    scree_status status = SCREE_OK;

    work->count = work->pair_count = 0;
    for (int side = 0; side < 2 && !status; side++) {
        work->edges[side].count = 0;
        status = find_vertices(work, memory, &search, side);
        if (!status)
            status = complete_edges(work, memory, &search, side, contacts, count);
    }
    for (size_t k = 0; k < count && !status; k++)
        status = offer_near(work, memory, &search, contacts[k].facet);
    if (!status)
        status = place_edges(work, memory, &search);
    for (size_t k = 0; k < work->edges[0].count && !status; k++)
        status = offer_behind(work, memory, &search, work->edges[0].facet[k]);
    if (!status)
        status = take_pairs(work, memory, &search);
    if (status)
        work->count = 0;
    return status;
}
