/*  The convex polygon of points in a plane, as a line of segments: Andrew's monotone chain (Information Processing
    Letters 9 (1979) 216), with exact orientation tests. Corners that stick out by no more than the tolerance are
    removed, one of two neighbours at a time, until there are none. */
#include "shape/hull.h"
#include "shape/mesh.h"

#include "base/error.h"
#include "base/vector.h"
#include "shape/orient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  The product of three smaller coordinates could not be distinguished from 0. */
#define MIN_PART 0x1p-280

typedef struct flat_point
{
    double at[3]; /* relative to the middle, in units of a power of two: at most 1 */
    uint32_t source;
} flat_point;

typedef struct ring
{
    flat_point *point, *corner; /* the corners are in counter-clockwise order */
    uint32_t count;
    double thickness;
} ring;

static int compare_flat_points(const void *a, const void *b)
{
    const flat_point *first = a, *second = b;

    for (int k = 0; k < 2; k++)
        if (first->at[k] != second->at[k])
            return first->at[k] < second->at[k] ? -1 : 1;
    return first->source < second->source ? -1 : 1;
}

static void scale_points(ring *r, const scree_hull_def *def)
{
    double middle[2], most = 0;
    int exponent = 0;

    for (size_t k = 0; k < 2; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t p = 0; p < def->point_count; p++) {
            lower = fmin(lower, def->points[3 * p + k]);
            upper = fmax(upper, def->points[3 * p + k]);
        }
        middle[k] = lower + 0.5 * (upper - lower);
        most = fmax(most, upper - lower);
    }
    (void)frexp(most, &exponent);
    r->thickness = def->tolerance * ldexp(most, -exponent);
    for (uint32_t p = 0; p < def->point_count; p++) {
        r->point[p] = (flat_point){.source = p};
        for (size_t k = 0; k < 2; k++) {
            double at = ldexp(def->points[3 * (size_t)p + k] - middle[k], -exponent);
            r->point[p].at[k] = fabs(at) < MIN_PART ? 0 : at;
        }
    }
    qsort(r->point, def->point_count, sizeof *r->point, compare_flat_points);
}

static bool turns_left(const flat_point *a, const flat_point *b, const flat_point *c)
{
    const double above[3] = {a->at[0], a->at[1], 1};

    return scree_orient(a->at, b->at, c->at, above) > 0;
}

/*  The lower chain from left to right, then the upper from right to left. */
static void go_round(ring *r, uint32_t points)
{
    for (int half = 0; half < 2; half++) {
        uint32_t begin = r->count;
        for (uint32_t k = 0; k < points; k++) {
            const flat_point *next = &r->point[half ? points - 1 - k : k];
            while (r->count >= begin + 2 &&
                   !turns_left(&r->corner[r->count - 2], &r->corner[r->count - 1], next))
                r->count--;
            r->corner[r->count++] = *next;
        }
        r->count--; /* the last is the first of the other chain */
    }
}

/*  Height of a corner over its neighbours: twice the area over the longest side. */
static double height_of_corner(const flat_point *a, const flat_point *b, const flat_point *c)
{
    double cross = (b->at[0] - a->at[0]) * (c->at[1] - a->at[1]) -
                   (b->at[1] - a->at[1]) * (c->at[0] - a->at[0]);
    double max_sq = fmax(scree_apart_sq(a->at, b->at),
                         fmax(scree_apart_sq(b->at, c->at), scree_apart_sq(c->at, a->at)));

    return max_sq > 0 ? fabs(cross) / sqrt(max_sq) : 0;
}

static void drop_low_corners(ring *r)
{
    uint32_t had = 0;

    while (r->count >= 3 && r->count != had) {
        uint32_t kept = 0;
        had = r->count;
        /* a corner whose neighbour has just been removed waits; the last has the first as neighbour */
        flat_point first = r->corner[0], last = r->corner[had - 1];
        bool has_gone = false, first_goes = false;
        for (uint32_t k = 0; k < had; k++) {
            flat_point own = r->corner[k];
            const flat_point *before = kept ? &r->corner[kept - 1] : &last;
            const flat_point *after = k + 1 < had ? &r->corner[k + 1] : &first;
            bool may_go = !has_gone && !(k + 1 == had && first_goes);
            has_gone = may_go && height_of_corner(before, &own, after) <= r->thickness;
            first_goes = first_goes || (k == 0 && has_gone);
            if (has_gone)
                continue;
            r->corner[kept++] = own;
        }
        r->count = kept;
    }
}

/*  Clockwise, so that normals, which are to the left, point outward. */
static scree_status make_ring_mesh(const ring *r, const scree_hull_def *def, scree_memory *memory,
                                   scree_mesh **mesh)
{
    scree_mesh_def made = scree_default_mesh_def();
    double(*vertices)[3] = NULL;
    uint32_t(*segments)[2] = NULL;
    scree_status status = SCREE_OUT_OF_MEMORY;

    if (!scree_memory_take(memory, r->count, sizeof *vertices, &vertices) &&
        !scree_memory_take(memory, r->count, sizeof *segments, &segments)) {
        for (uint32_t c = 0; c < r->count; c++) {
            uint32_t source = r->corner[r->count - 1 - c].source;
            memcpy(vertices[c], def->points + 3 * (size_t)source, sizeof *vertices);
            segments[c][0] = c;
            segments[c][1] = (c + 1) % r->count;
        }
        made.corners = 2;
        made.vertices = vertices[0];
        made.vertex_count = made.facet_count = r->count;
        made.facets = segments[0];
        made.weld = 0;
        made.allocator = def->allocator;
        made.error = def->error;
        status = scree_mesh_create(&made, mesh);
    } else {
        scree_fail(def->error, status, "hull def: out of memory");
    }
    scree_memory_give(memory, &segments, r->count, sizeof *segments);
    scree_memory_give(memory, &vertices, r->count, sizeof *vertices);
    return status;
}

scree_status scree_polygon_hull(const scree_hull_def *def, scree_memory *memory, scree_mesh **mesh)
{
    ring r = {.count = 0};
    scree_status status = SCREE_OUT_OF_MEMORY;

    /* both chains, before the last of each is dropped */
    size_t room = 2 * (size_t)def->point_count;
    if (scree_memory_take(memory, def->point_count, sizeof *r.point, &r.point) ||
        scree_memory_take(memory, room, sizeof *r.corner, &r.corner)) {
        scree_fail(def->error, status, "hull def: out of memory");
    } else {
        scale_points(&r, def);
        go_round(&r, def->point_count);
        drop_low_corners(&r);
        status = r.count < 3 ? scree_fail(def->error, SCREE_BAD_VALUE,
                                          "hull def: the %u points lie on a line, or nearer to one "
                                          "than the tolerance, %g of their extent",
                                          def->point_count, def->tolerance)
                             : make_ring_mesh(&r, def, memory, mesh);
    }
    scree_memory_give(memory, &r.corner, room, sizeof *r.corner);
    scree_memory_give(memory, &r.point, def->point_count, sizeof *r.point);
    return status;
}
