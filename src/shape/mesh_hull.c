/*  A mesh of the convex hull. Hulls are exact (hull.h). Points that bodies do not need are then removed and the hull is
    computed again, until there are none: corners of slivers, which come from points that are collinear except for
    rounding, and corners with fewer than three faces. */
#include "shape/hull.h"
#include "shape/mesh.h"

#include "base/error.h"
#include "base/sized_definition.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#define HULL_COOKIE 0x1b6de5c3u
/*  The product of three smaller coordinates could not be distinguished from 0. */
#define SMALLEST_COORDINATE 0x1p-280

void scree_init_hull_def(scree_hull_def *def, size_t size)
{
    static const scree_hull_def own = {
        .cookie = HULL_COOKIE, .size = sizeof(scree_hull_def), .tolerance = 1e-9, .corners = 3};

    scree_definition_write(def, size, &own, sizeof own);
}

typedef struct hulling
{
    scree_memory memory;
    double (*point)[3]; /* relative to the middle, in units of a power of two: at most 1 */
    uint32_t *source;   /* index in the definition of each remaining point */
    uint32_t count, room;
    double thickness;
    scree_hull hull;
    uint32_t *start, *around, around_count; /* facets of a point */
    uint8_t *drops; /* by point; 2: remove; 1: would be removed, but for a removed neighbour */
} hulling;

/* ---- points ---- */

static scree_status check_hull_def(const scree_hull_def *def)
{
    if (!def->points)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "hull def: points is NULL");
    if (def->corners != 2 && def->corners != 3)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "hull def: corners is %d, must be 3, or 2 for a polygon", def->corners);
    if (def->point_count < (uint32_t)def->corners + 1)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "hull def: point_count is %u, at least %d span a %s", def->point_count,
                          def->corners + 1, def->corners == 3 ? "body" : "polygon");
    if (def->point_count > SCREE_MESH_MAX_FACETS / 2)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "hull def: point_count is %u, at most %u",
                          def->point_count, SCREE_MESH_MAX_FACETS / 2);
    /* a mesh would drop facets lower than 1e-10 of their edges */
    if (!(def->tolerance >= 1e-9 && def->tolerance <= 0.1))
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "hull def: tolerance is %g, must be 1e-9 to 0.1", def->tolerance);
    for (uint32_t p = 0; p < def->point_count; p++)
        for (size_t k = 0; k < 3; k++)
            if (!(fabs(def->points[3 * (size_t)p + k]) <= SCREE_MESH_LARGEST))
                return scree_fail(def->error, SCREE_BAD_VALUE,
                                  "hull def: point %u: %c is %g, must be finite and at most 1e60 "
                                  "in magnitude",
                                  p, "xyz"[k], def -> points[3 * (size_t)p + k]);
    for (uint32_t p = 0; p < def->point_count && def->corners == 2; p++)
        if (def->points[3 * (size_t)p + 2] != 0)
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "hull def: point %u: z is %g, must be 0 in two dimensions", p,
                              def->points[3 * (size_t)p + 2]);
    return SCREE_OK;
}

static scree_status take_points(hulling *h, const scree_hull_def *def)
{
    double middle[3], most = 0;
    int exponent = 0;

    for (size_t k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t p = 0; p < def->point_count; p++) {
            double at = def->points[3 * p + k];
            lower = at < lower ? at : lower;
            upper = at > upper ? at : upper;
        }
        middle[k] = lower + 0.5 * (upper - lower);
        most = upper - lower > most ? upper - lower : most;
    }
    (void)frexp(most, &exponent);
    h->count = h->room = def->point_count;
    h->thickness = def->tolerance * ldexp(most, -exponent);
    if (scree_memory_take(&h->memory, h->count, sizeof *h->point, &h->point) ||
        scree_memory_take(&h->memory, h->count, sizeof *h->source, &h->source) ||
        scree_memory_take(&h->memory, h->count, 1, &h->drops) ||
        scree_memory_take(&h->memory, (size_t)h->count + 1, sizeof *h->start, &h->start))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < h->count; p++) {
        h->source[p] = p;
        for (size_t k = 0; k < 3; k++) {
            double at = ldexp(def->points[3 * (size_t)p + k] - middle[k], -exponent);
            h->point[p][k] = fabs(at) < SMALLEST_COORDINATE ? 0 : at;
        }
    }
    return SCREE_OK;
}

/* ---- removed points ---- */

/*  The height of a facet: twice the area over the longest side. The corner opposite to that is in the middle. */
static double height_of_facet(const hulling *h, const scree_hull_facet *facet, uint32_t *middle)
{
    double most = -1, cross_sq = 0;
    const double *at[3];

    *middle = 0;
    for (int k = 0; k < 3; k++)
        at[k] = h->point[facet->corner[k]];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double side_sq = scree_apart_sq(at[i], at[j]);
        double cross = (at[1][i] - at[0][i]) * (at[2][j] - at[0][j]) -
                       (at[1][j] - at[0][j]) * (at[2][i] - at[0][i]);
        cross_sq += cross * cross;
        if (!(side_sq > most))
            continue;
        most = side_sq;
        *middle = facet->corner[k];
    }
    return sqrt(cross_sq / most);
}

/*  Whether each lies in the other's plane, to the tolerance. */
static bool are_of_one_face(const hulling *h, const scree_hull_facet *a, const scree_hull_facet *b)
{
    for (int k = 0; k < 3; k++) {
        const double *p = h->point[b->corner[k]], *q = h->point[a->corner[k]];
        double over = -a->normal[3], under = -b->normal[3];
        for (int j = 0; j < 3; j++) {
            over += a->normal[j] * p[j];
            under += b->normal[j] * q[j];
        }
        if (fabs(over) > h->thickness || fabs(under) > h->thickness)
            return false;
    }
    return true;
}

/*  Whether a point has three faces around it. Slivers, which lie on edges, belong to both faces or to none. */
static bool is_corner(const hulling *h, uint32_t p)
{
    const scree_hull_facet *face[3];
    uint32_t faces = 0, middle;

    for (uint32_t k = h->start[p]; k < h->start[p + 1]; k++) {
        const scree_hull_facet *facet = &h->hull.facets[h->around[k]];
        bool is_new = height_of_facet(h, facet, &middle) > h->thickness;
        for (uint32_t f = 0; f < faces; f++)
            is_new = is_new && !are_of_one_face(h, face[f], facet);
        if (is_new)
            face[faces++] = facet;
        if (faces == 3)
            return true;
    }
    return false;
}

/*  Facets of points: around[start[p]] .. around[start[p + 1] - 1]. */
static scree_status find_around(hulling *h)
{
    uint32_t sum = 0;

    memset(h->start, 0, ((size_t)h->count + 1) * sizeof *h->start);
    for (size_t f = 0; f < h->hull.facet_count; f++)
        for (int k = 0; k < 3 && !h->hull.facets[f].is_gone; k++)
            h->start[h->hull.facets[f].corner[k]]++;
    for (uint32_t p = 0; p <= h->count; p++)
        h->start[p] = sum += h->start[p];
    h->around_count = sum;
    if (scree_memory_take(&h->memory, sum, sizeof *h->around, &h->around))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t f = 0; f < h->hull.facet_count; f++)
        for (int k = 0; k < 3 && !h->hull.facets[f].is_gone; k++)
            h->around[--h->start[h->hull.facets[f].corner[k]]] = f;
    return SCREE_OK;
}

static bool is_used(const hulling *h, uint32_t p)
{
    return h->start[p] < h->start[p + 1];
}

/*  Of neighbours one is removed at a time: two may need each other. */
static bool may_go(const hulling *h, uint32_t p)
{
    for (uint32_t k = h->start[p]; k < h->start[p + 1]; k++)
        for (int c = 0; c < 3; c++)
            if (h->drops[h->hull.facets[h->around[k]].corner[c]] == 2)
                return false;
    return true;
}

/*  Keeps only the points of the next hull. Returns false if it would be the same. */
static bool drop_points(hulling *h)
{
    uint32_t kept = 0, had = h->count, middle;

    memset(h->drops, 0, h->count);
    for (size_t f = 0; f < h->hull.facet_count; f++) {
        const scree_hull_facet *facet = &h->hull.facets[f];
        if (!facet->is_gone && height_of_facet(h, facet, &middle) <= h->thickness)
            h->drops[middle] = 1;
    }
    for (uint32_t p = 0; p < had; p++)
        if (is_used(h, p) && (h->drops[p] == 1 || !is_corner(h, p)) && may_go(h, p))
            h->drops[p] = 2;
    for (uint32_t p = 0; p < had; p++) {
        if (!is_used(h, p) || h->drops[p] == 2)
            continue;
        memmove(h->point[kept], h->point[p], sizeof *h->point);
        h->source[kept++] = h->source[p];
    }
    h->count = kept;
    return kept < had;
}

/* ---- the mesh ---- */

static scree_status make_hull_mesh(hulling *h, const scree_hull_def *def, scree_mesh **mesh)
{
    scree_mesh_def made = scree_default_mesh_def();
    double(*vertices)[3] = NULL;
    uint32_t(*facets)[3] = NULL;
    scree_status status = SCREE_OUT_OF_MEMORY;
    size_t most = h->hull.facet_count;

    if (!scree_memory_take(&h->memory, h->count, sizeof *vertices, &vertices) &&
        !scree_memory_take(&h->memory, most, sizeof *facets, &facets)) {
        for (uint32_t p = 0; p < h->count; p++)
            memcpy(vertices[p], def->points + 3 * (size_t)h->source[p], sizeof *vertices);
        for (size_t f = 0; f < most; f++)
            if (!h->hull.facets[f].is_gone)
                memcpy(facets[made.facet_count++], h->hull.facets[f].corner, sizeof *facets);
        made.vertices = vertices[0];
        made.vertex_count = h->count;
        made.facets = facets[0];
        made.weld = 0;
        made.allocator = def->allocator;
        made.error = def->error;
        status = scree_mesh_create(&made, mesh);
    } else {
        scree_fail(def->error, status, "hull def: out of memory");
    }
    scree_memory_give(&h->memory, &facets, most, sizeof *facets);
    scree_memory_give(&h->memory, &vertices, h->count, sizeof *vertices);
    return status;
}

/*  Repeats until no point of the hull is removed; each time there are fewer. */
static scree_status refine_hull(hulling *h)
{
    bool again = true;

    while (again) {
        scree_hull_free(&h->hull);
        scree_status status = scree_hull_build(&h->hull, &h->memory, (const double(*)[3])h->point,
                                               h->count, h->thickness);
        if (!status)
            status = find_around(h);
        if (status)
            return status;
        again = drop_points(h);
        scree_memory_give(&h->memory, &h->around, h->around_count, sizeof *h->around);
    }
    return SCREE_OK;
}

scree_status scree_mesh_hull(const scree_hull_def *def, scree_mesh **mesh)
{
    hulling h = {.count = 0};
    scree_status status;

    if (!mesh)
        return SCREE_BAD_ARGUMENT;
    *mesh = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_hull_def own = scree_default_hull_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&h.memory, &def->allocator)))
        return scree_fail(def->error, status, "hull def: allocator has some functions, not all");
    if ((status = check_hull_def(def)))
        return status;
    if (def->corners == 2)
        return scree_polygon_hull(def, &h.memory, mesh);
    h.hull.memory = &h.memory;
    status = take_points(&h, def);
    if (!status)
        status = refine_hull(&h);
    if (status == SCREE_BAD_VALUE)
        scree_fail(def->error, status,
                   "hull def: the %u points lie in a plane, or nearer to one than the tolerance, "
                   "%g of their extent",
                   def->point_count, def->tolerance);
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(def->error, status, "hull def: out of memory");
    if (!status)
        status = make_hull_mesh(&h, def, mesh);
    scree_hull_free(&h.hull);
    scree_memory_give(&h.memory, &h.start, (size_t)h.room + 1, sizeof *h.start);
    scree_memory_give(&h.memory, &h.drops, h.room, 1);
    scree_memory_give(&h.memory, &h.source, h.room, sizeof *h.source);
    scree_memory_give(&h.memory, &h.point, h.room, sizeof *h.point);
    return status;
}
