/*  A convex polygon: walks around the line, drops vertices that lie between the last corner and the next vertex, and
    checks that none is above any side. */
#include "shape/convex.h"

#include <math.h>
#include <string.h>

typedef struct walking
{
    scree_convex *convex;
    const scree_mesh *mesh;
    const double *origin;
    uint32_t *vertex; /* in the order of the walk */
    uint32_t count;
    double grain;
} walking;

static void place_from_origin(const walking *w, uint32_t vertex, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = w->mesh->vertices[3 * (size_t)vertex + (size_t)k] - w->origin[k];
}

/*  Each vertex has two segments. Returns false if the walk returns before it has visited all. */
static bool walk_round(walking *w)
{
    const scree_mesh *mesh = w->mesh;
    uint32_t facet = 0, vertex = mesh->facets[0];

    do {
        const uint32_t *ends = mesh->facets + 2 * (size_t)facet;
        w->vertex[w->count++] = vertex;
        vertex = ends[0] == vertex ? ends[1] : ends[0];
        const uint32_t *beside = mesh->vertex_facet + mesh->vertex_start[vertex];
        facet = beside[0] == facet ? beside[1] : beside[0];
    } while (facet != 0 && w->count < mesh->facet_count);
    return facet == 0 && w->count == mesh->facet_count;
}

static void measure_line(walking *w)
{
    double twice_area = 0, most = 0;

    for (uint32_t n = 0; n < w->count; n++) {
        double a[3], b[3];
        place_from_origin(w, w->vertex[n], a);
        place_from_origin(w, w->vertex[(n + 1) % w->count], b);
        twice_area += a[0] * b[1] - a[1] * b[0];
        most = fmax(most, a[0] * a[0] + a[1] * a[1]);
    }
    w->convex->size = w->convex->inner = sqrt(most);
    w->grain = SCREE_CONVEX_GRAIN * w->convex->size;
    /* counter-clockwise from here on */
    for (uint32_t n = 0; twice_area < 0 && n < w->count / 2; n++) {
        uint32_t kept = w->vertex[n];
        w->vertex[n] = w->vertex[w->count - 1 - n];
        w->vertex[w->count - 1 - n] = kept;
    }
}

/*  Distance of b to the right of the line from a to c. */
static double distance_from_line(const double a[3], const double b[3], const double c[3])
{
    double x = c[0] - a[0], y = c[1] - a[1], length = sqrt(x * x + y * y);

    return length > 0 ? ((b[0] - a[0]) * y - (b[1] - a[1]) * x) / length : 0;
}

/*  The first vertex is tested last, between the last corner and the first corner kept. */
static void find_corners(walking *w)
{
    scree_convex *convex = w->convex;
    double(*corner)[3] = convex->corner, next[3];

    for (uint32_t n = 0; n < w->count; n++) {
        uint32_t kept = convex->corner_count;
        place_from_origin(w, w->vertex[n], corner[kept]);
        place_from_origin(w, w->vertex[(n + 1) % w->count], next);
        if (n == 0 || fabs(distance_from_line(corner[kept - 1], corner[kept], next)) > w->grain)
            convex->corner_count++;
    }
    uint32_t count = convex->corner_count;
    if (count > 2 &&
        fabs(distance_from_line(corner[count - 1], corner[0], corner[1])) <= w->grain) {
        memmove(corner, corner + 1, (count - 1) * sizeof *corner);
        convex->corner_count--;
    }
}

static scree_status set_side(walking *w, uint32_t side, scree_error *error)
{
    scree_convex *convex = w->convex;
    const double *a = convex->corner[side], *b = convex->corner[(side + 1) % convex->corner_count];
    double *face = convex->face[side], x = b[0] - a[0], y = b[1] - a[1], most = 0;
    double length = sqrt(x * x + y * y);

    face[0] = y / length;
    face[1] = -x / length;
    face[2] = 0;
    face[3] = face[0] * a[0] + face[1] * a[1];
    for (uint32_t n = 0; n < w->count; n++) {
        double at[3];
        place_from_origin(w, w->vertex[n], at);
        double over = face[0] * at[0] + face[1] * at[1] - face[3];
        if (over > 2 * w->grain)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "mesh of a block: vertex %u is %g above a side: it is not convex",
                              w->vertex[n], over);
        most = fmax(most, over);
    }
    face[3] += most;
    convex->inner = fmin(convex->inner, face[3]);
    return SCREE_OK;
}

static scree_status set_sides(walking *w, scree_error *error)
{
    scree_convex *convex = w->convex;
    uint32_t count = convex->corner_count;

    if (count < 3)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh of a block: its vertices lie on a line, or nearly so");
    if (count > SCREE_MAX_BLOCK_EDGES)
        return scree_fail(error, SCREE_TOO_LARGE, "mesh of a block: it has %u corners, at most %u",
                          count, SCREE_MAX_BLOCK_EDGES);
    convex->face_count = convex->edge_count = count;
    for (uint32_t c = 0; c < count; c++) {
        scree_status status = set_side(w, c, error);
        if (status)
            return status;
        convex->edge[c] = (scree_convex_edge){{c, c}, {(c + count - 1) % count, c}};
        memset(convex->along[c], 0, sizeof convex->along[c]);
    }
    return SCREE_OK;
}

static scree_status take_rooms(walking *w, scree_memory *memory)
{
    scree_convex *convex = w->convex;
    size_t count = w->mesh->facet_count;

    convex->corner_room = convex->face_room = convex->edge_room = count;
    return scree_memory_take(memory, count, sizeof *w->vertex, &w->vertex) ||
                   scree_memory_take(memory, count, sizeof *convex->corner, &convex->corner) ||
                   scree_memory_take(memory, count, sizeof *convex->face, &convex->face) ||
                   scree_memory_take(memory, count, sizeof *convex->edge, &convex->edge) ||
                   scree_memory_take(memory, count, sizeof *convex->along, &convex->along)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

scree_status scree_convex_of_line(scree_convex *convex, const scree_mesh *mesh,
                                  const double origin[3], scree_memory *memory, scree_error *error)
{
    walking w = {.convex = convex, .mesh = mesh, .origin = origin};
    scree_status status;

    memset(convex, 0, sizeof *convex);
    convex->is_flat = true;
    status = take_rooms(&w, memory);
    if (status) {
        scree_fail(error, status, "mesh of a block: %s", scree_status_name(status));
    } else if (!walk_round(&w)) {
        status = scree_fail(error, SCREE_BAD_VALUE,
                            "mesh of a block: its line has several parts: it is not convex");
    } else {
        measure_line(&w);
        find_corners(&w);
        status = set_sides(&w, error);
        if (!status && scree_convex_fill_columns(convex, memory))
            status = scree_fail(error, SCREE_OUT_OF_MEMORY, "mesh of a block: %s",
                                scree_status_name(SCREE_OUT_OF_MEMORY));
    }
    scree_memory_give(memory, &w.vertex, mesh->facet_count, sizeof *w.vertex);
    return status;
}
