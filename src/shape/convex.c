/*  Groups facets into faces: a facet joins a face while it lies in the plane of the face's largest facet. Edges are
    where two faces meet. A surface that is closed, connected, and has no vertex above any face is convex. */
#include "shape/convex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_FACE UINT32_MAX

typedef struct sized_facet
{
    double area_sq;
    uint32_t facet;
} sized_facet;

typedef struct facing
{
    scree_convex *convex;
    const scree_mesh *mesh;
    double sign; /* of outward normals */
    const double *origin;
    double grain;
    sized_facet *order;  /* the largest first: the plane of a sliver is inaccurate */
    uint32_t *face_of;   /* by facet */
    uint32_t *stack;     /* facets whose neighbours have not been visited; each is pushed once */
    uint32_t *corner_of; /* by vertex, from 1 */
} facing;

static double over_face(const double face[4], const double at[3])
{
    return face[0] * at[0] + face[1] * at[1] + face[2] * at[2] - face[3];
}

static void from_origin(const facing *f, uint32_t vertex, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = f->mesh->vertices[3 * (size_t)vertex + (size_t)k] - f->origin[k];
}

static void find_size(facing *f)
{
    double most = 0;

    for (uint32_t v = 0; v < f->mesh->vertex_count; v++) {
        double at[3];
        from_origin(f, v, at);
        double away_sq = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        most = away_sq > most ? away_sq : most;
    }
    f->convex->size = f->convex->inner = sqrt(most);
    f->grain = SCREE_CONVEX_GRAIN * f->convex->size;
}

/* ---- faces ---- */

static uint32_t facet_beside(const scree_mesh *mesh, uint32_t facet, size_t c)
{
    const uint32_t *pair =
        mesh->edge_facet + mesh->edge_start[mesh->edge_of[3 * (size_t)facet + c]];

    return pair[0] == facet ? pair[1] : pair[0];
}

static bool lies_in(const facing *f, uint32_t facet, const double face[4])
{
    for (size_t c = 0; c < 3; c++) {
        double at[3];
        from_origin(f, f->mesh->facets[3 * (size_t)facet + c], at);
        if (fabs(over_face(face, at)) > f->grain)
            return false;
    }
    return true;
}

static void fill_face(facing *f, uint32_t first)
{
    const scree_mesh *mesh = f->mesh;
    uint32_t number = f->convex->face_count++, height = 0;
    double *face = f->convex->face[number], at[3];

    for (size_t k = 0; k < 3; k++)
        face[k] = f->sign * mesh->normals[3 * (size_t)first + k];
    face[3] = 0;
    from_origin(f, mesh->facets[3 * (size_t)first], at);
    face[3] = over_face(face, at);
    f->face_of[first] = number;
    f->stack[height++] = first;
    while (height > 0) {
        uint32_t facet = f->stack[--height];
        for (size_t c = 0; c < 3; c++) {
            uint32_t other = facet_beside(mesh, facet, c);
            if (f->face_of[other] != NO_FACE || !lies_in(f, other, face))
                continue;
            f->face_of[other] = number;
            f->stack[height++] = other;
        }
    }
}

/*  The height of a face is that of its highest vertex; no other vertex may be above it. */
static scree_status check_face(const facing *f, uint32_t number, scree_error *error)
{
    double *face = f->convex->face[number], most = 0;

    for (uint32_t v = 0; v < f->mesh->vertex_count; v++) {
        double at[3];
        from_origin(f, v, at);
        double over = over_face(face, at);
        if (over > 2 * f->grain)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "mesh of a block: vertex %u is %g above a face: it is not convex", v,
                              over);
        most = over > most ? over : most;
    }
    face[3] += most;
    f->convex->inner = face[3] < f->convex->inner ? face[3] : f->convex->inner;
    return SCREE_OK;
}

static int compare_areas(const void *a, const void *b)
{
    const sized_facet *first = a, *second = b;

    if (first->area_sq != second->area_sq)
        return first->area_sq > second->area_sq ? -1 : 1;
    return first->facet < second->facet ? -1 : 1;
}

static void sort_facets(facing *f)
{
    for (uint32_t k = 0; k < f->mesh->facet_count; k++) {
        const uint32_t *vertex = f->mesh->facets + 3 * (size_t)k;
        double at[3][3];
        f->order[k] = (sized_facet){0, k};
        for (int c = 0; c < 3; c++)
            from_origin(f, vertex[c], at[c]);
        for (int d = 0; d < 3; d++) {
            int i = (d + 1) % 3, j = (d + 2) % 3;
            double cross = (at[1][i] - at[0][i]) * (at[2][j] - at[0][j]) -
                           (at[1][j] - at[0][j]) * (at[2][i] - at[0][i]);
            f->order[k].area_sq += cross * cross;
        }
    }
    qsort(f->order, f->mesh->facet_count, sizeof *f->order, compare_areas);
}

static scree_status find_faces(facing *f, scree_error *error)
{
    uint32_t facets = f->mesh->facet_count;
    scree_status status = SCREE_OK;

    memset(f->face_of, 0xff, facets * sizeof *f->face_of);
    sort_facets(f);
    for (uint32_t k = 0; k < facets; k++)
        if (f->face_of[f->order[k].facet] == NO_FACE)
            fill_face(f, f->order[k].facet);
    for (uint32_t k = 0; k < f->convex->face_count && !status; k++)
        status = check_face(f, k, error);
    return status;
}

/* ---- edges and corners ---- */

static uint32_t corner_of_vertex(facing *f, uint32_t vertex)
{
    if (!f->corner_of[vertex]) {
        from_origin(f, vertex, f->convex->corner[f->convex->corner_count]);
        f->corner_of[vertex] = ++f->convex->corner_count;
    }
    return f->corner_of[vertex] - 1;
}

static void push_edge(facing *f, uint32_t facet, size_t c, uint32_t other)
{
    const uint32_t *vertex = f->mesh->facets + 3 * (size_t)facet;
    double *along = f->convex->along[f->convex->edge_count];
    scree_convex_edge *edge = &f->convex->edge[f->convex->edge_count++];
    bool is_turned = f->sign < 0;

    edge->corner[is_turned] = corner_of_vertex(f, vertex[c]);
    edge->corner[!is_turned] = corner_of_vertex(f, vertex[(c + 1) % 3]);
    edge->face[0] = f->face_of[facet];
    edge->face[1] = f->face_of[other];
    for (int k = 0; k < 3; k++)
        along[k] = f->convex->corner[edge->corner[1]][k] - f->convex->corner[edge->corner[0]][k];
}

/*  Each edge once, by the smaller of its two facets; with `counts_only` none is stored. */
static uint32_t find_edges(facing *f, bool counts_only)
{
    uint32_t count = 0;

    for (uint32_t facet = 0; facet < f->mesh->facet_count; facet++)
        for (size_t c = 0; c < 3; c++) {
            uint32_t other = facet_beside(f->mesh, facet, c);
            if (other < facet || f->face_of[other] == f->face_of[facet])
                continue;
            count++;
            if (!counts_only)
                push_edge(f, facet, c, other);
        }
    return count;
}

static bool is_connected(const scree_mesh *mesh)
{
    for (uint32_t facet = 0; facet < mesh->facet_count; facet++)
        if (mesh->patch[facet] != mesh->patch[0])
            return false;
    return true;
}

static scree_status fill_convex(facing *f, scree_memory *memory, scree_error *error)
{
    scree_convex *convex = f->convex;
    size_t facets = f->mesh->facet_count;

    if (scree_memory_take(memory, facets, sizeof *f->order, &f->order) ||
        scree_memory_take(memory, facets, sizeof *f->face_of, &f->face_of) ||
        scree_memory_take(memory, facets, sizeof *f->stack, &f->stack) ||
        scree_memory_take(memory, f->mesh->vertex_count, sizeof *f->corner_of, &f->corner_of) ||
        scree_memory_take(memory, facets, sizeof *convex->face, &convex->face))
        return SCREE_OUT_OF_MEMORY;
    convex->face_room = facets;
    memset(f->corner_of, 0, f->mesh->vertex_count * sizeof *f->corner_of);
    if (find_faces(f, error))
        return SCREE_BAD_VALUE;
    uint32_t edges = find_edges(f, true);
    if (edges > SCREE_MAX_BLOCK_EDGES)
        return scree_fail(error, SCREE_TOO_LARGE, "mesh of a block: it has %u edges, at most %u",
                          edges, SCREE_MAX_BLOCK_EDGES);
    convex->edge_room = edges;
    convex->corner_room = f->mesh->vertex_count;
    if (scree_memory_take(memory, edges, sizeof *convex->edge, &convex->edge) ||
        scree_memory_take(memory, edges, sizeof *convex->along, &convex->along) ||
        scree_memory_take(memory, convex->corner_room, sizeof *convex->corner, &convex->corner))
        return SCREE_OUT_OF_MEMORY;
    find_edges(f, false);
    return scree_convex_fill_columns(convex, memory);
}

scree_status scree_convex_init(scree_convex *convex, const scree_mesh *mesh, bool inward,
                               const double origin[3], scree_memory *memory, scree_error *error)
{
    facing f = {.convex = convex, .mesh = mesh, .sign = inward ? -1 : 1, .origin = origin};
    scree_status status;

    if (mesh->corners == 2)
        return scree_convex_of_line(convex, mesh, origin, memory, error);
    memset(convex, 0, sizeof *convex);
    if (!is_connected(mesh))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh of a block: its surface has several parts: it is not convex");
    find_size(&f);
    status = fill_convex(&f, memory, error);
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(error, status, "mesh of a block: %s", scree_status_name(status));
    scree_memory_give(memory, &f.order, mesh->facet_count, sizeof *f.order);
    scree_memory_give(memory, &f.face_of, mesh->facet_count, sizeof *f.face_of);
    scree_memory_give(memory, &f.stack, mesh->facet_count, sizeof *f.stack);
    scree_memory_give(memory, &f.corner_of, mesh->vertex_count, sizeof *f.corner_of);
    return status;
}

void scree_convex_free(scree_convex *convex, scree_memory *memory)
{
    scree_memory_give(memory, &convex->face, convex->face_room, sizeof *convex->face);
    scree_memory_give(memory, &convex->edge, convex->edge_room, sizeof *convex->edge);
    scree_memory_give(memory, &convex->along, convex->edge_room, sizeof *convex->along);
    scree_memory_give(memory, &convex->corner, convex->corner_room, sizeof *convex->corner);
    scree_convex_columns_free(&convex->columns, memory);
}
