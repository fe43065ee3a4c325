/*  Two blocks, and the slow, obvious truth about where they touch: all axes, all pairs of corners, edges and triangles, in long
    doubles; all corners of the gap, one by one. */
#ifndef SCREE_TESTS_BLOCK_TRUTH_H
#define SCREE_TESTS_BLOCK_TRUTH_H

#include "narrow/block_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_FACETS 64
/*  Blocks are about as large as 1, and numbers are good to 1e-15 of that. */
#define BLOCK_NEAR 1e-9

typedef struct posed_block
{
    scree_mesh *mesh;
    scree_convex convex;
} posed_block;

/*  All triangles of a block, in the world; and about the first block's place, to more digits. */
typedef struct block_facets
{
    uint32_t count, vertex_count;
    double corner[BLOCK_FACETS][3][3], face[BLOCK_FACETS][4];
    long double vertex[BLOCK_FACETS][3];
    uint32_t facet[BLOCK_FACETS][3]; /* counter-clockwise, seen from outside */
} block_facets;

static inline void exact_vertices(const posed_block *of, const scree_block_body *body,
                                  const double centre[3], const double about[3], block_facets *to)
{
    scree_mesh_info info = scree_mesh_describe(of->mesh);
    to->vertex_count = info.vertex_count;
    for (uint32_t v = 0; v < to->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            to->vertex[v][k] = (long double)body->pose.place[k] - about[k];
            for (int j = 0; j < 3; j++)
                to->vertex[v][k] += (long double)body->pose.turn[k][j] *
                                    ((long double)info.vertices[3 * v + (size_t)j] - centre[j]);
        }
    for (uint32_t f = 0; f < info.facet_count; f++)
        memcpy(to->facet[f], info.facets + 3 * (size_t)f, sizeof to->facet[f]);
}

static inline void facets_in_world(const posed_block *of, const scree_block_body *body,
                                   const double centre[3], block_facets *to)
{
    scree_mesh_info info = scree_mesh_describe(of->mesh);
    to->count = info.facet_count;
    for (uint32_t f = 0; f < to->count; f++) {
        double u[3], v[3], length;
        for (uint32_t c = 0; c < 3; c++) {
            double local[3];
            for (int k = 0; k < 3; k++)
                local[k] =
                    info.vertices[3 * (size_t)info.facets[3 * f + c] + (size_t)k] - centre[k];
            scree_mesh_place(&body->pose, local, to->corner[f][c]);
        }
        for (int k = 0; k < 3; k++) {
            u[k] = to->corner[f][1][k] - to->corner[f][0][k];
            v[k] = to->corner[f][2][k] - to->corner[f][0][k];
        }
        scree_cross(u, v, to->face[f]);
        length = sqrt(scree_dot(to->face[f], to->face[f]));
        for (int k = 0; k < 3; k++)
            to->face[f][k] /= length;
        to->face[f][3] = scree_dot(to->face[f], to->corner[f][0]);
    }
}

/* ---- axes ---- */

static inline long double exact_dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void exact_cross(const long double a[3], const long double b[3], long double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void exact_way(const long double from[3], const long double to[3], long double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
}

/*  What of a way is across another: two that are nearly along each other have a product that is at right angles to both only so. */
static inline void exact_across(const long double way[3], const long double other[3],
                                long double across[3])
{
    long double share = exact_dot(way, other) / exact_dot(other, other);
    for (int k = 0; k < 3; k++)
        across[k] = way[k] - share * other[k];
}

/*  How far an axis, which points from the first to the second, parts the two: of any axis, so that one of rounding does no harm. */
static inline long double part_along(const block_facets of[2], const long double axis[3])
{
    long double first = -INFINITY, second = INFINITY;
    for (uint32_t v = 0; v < of[0].vertex_count; v++)
        first = fmaxl(first, exact_dot(of[0].vertex[v], axis));
    for (uint32_t v = 0; v < of[1].vertex_count; v++)
        second = fminl(second, exact_dot(of[1].vertex[v], axis));
    return (second - first) / sqrtl(exact_dot(axis, axis));
}

static inline long double part_by_all_faces(const block_facets of[2])
{
    long double best = -INFINITY, u[3], v[3], axis[3];
    for (int s = 0; s < 2; s++)
        for (uint32_t f = 0; f < of[s].count; f++) {
            const uint32_t *of_facet = of[s].facet[f];
            exact_way(of[s].vertex[of_facet[0]], of[s].vertex[of_facet[s ? 2 : 1]], u);
            exact_way(of[s].vertex[of_facet[0]], of[s].vertex[of_facet[s ? 1 : 2]], v);
            exact_cross(u, v, axis);
            best = fmaxl(best, part_along(of, axis));
        }
    return best;
}

/*  Each edge has two triangles, which go along it in opposite ways. */
static inline bool take_edge(const block_facets *of, uint32_t n, const long double *ends[2])
{
    uint32_t from = of->facet[n / 3][n % 3], to = of->facet[n / 3][(n % 3 + 1) % 3];
    ends[0] = of->vertex[from];
    ends[1] = of->vertex[to];
    return from < to;
}

/*  Both axes of two edges, unless another parts by more than their ends let them. */
static inline long double part_by_edges(const block_facets of[2], const long double *a[2],
                                        const long double *b[2], long double best)
{
    long double u[3], v[3], w[3], axis[3], between[3];
    exact_way(a[0], a[1], u);
    exact_way(b[0], b[1], v);
    exact_way(a[0], b[0], between);
    exact_across(v, u, w);
    exact_cross(u, w, axis);
    long double length = sqrtl(exact_dot(axis, axis));
    if (!(length > 0))
        return best;
    long double gap = exact_dot(axis, between) / length;
    for (int k = 0; k < 3 && gap < 0; k++)
        axis[k] = -axis[k];
    /* of blocks that overlap the way back may be the shorter one */
    if (fabsl(gap) > best)
        best = fmaxl(best, part_along(of, axis));
    for (int k = 0; k < 3; k++)
        axis[k] = -axis[k];
    return -fabsl(gap) > best ? fmaxl(best, part_along(of, axis)) : best;
}

static inline long double part_by_all_edges(const block_facets of[2], long double best)
{
    const long double *a[2], *b[2];
    for (uint32_t i = 0; i < 3 * of[0].count; i++) {
        if (!take_edge(&of[0], i, a))
            continue;
        for (uint32_t j = 0; j < 3 * of[1].count; j++)
            if (take_edge(&of[1], j, b))
                best = part_by_edges(of, a, b, best);
    }
    return best;
}

/* ---- nearest points of blocks that are apart ---- */

static inline long double clamped(long double share)
{
    return share > 0 ? (share < 1 ? share : 1) : 0;
}

static inline long double from_point_to_edge(const long double at[3], const long double *b[2])
{
    long double v[3], way[3];
    exact_way(b[0], b[1], v);
    exact_way(b[0], at, way);
    long double share = clamped(exact_dot(way, v) / exact_dot(v, v));
    for (int k = 0; k < 3; k++)
        way[k] -= share * v[k];
    return sqrtl(exact_dot(way, way));
}

/*  Where both lines are nearest, held between the ends: no less than the distance, and that if no end is nearer. */
static inline long double from_edge_to_edge(const long double *a[2], const long double *b[2])
{
    long double u[3], v[3], w[3], way[3];
    exact_way(a[0], a[1], u);
    exact_way(b[0], b[1], v);
    exact_way(a[0], b[0], way);
    exact_across(v, u, w);
    long double square = exact_dot(w, v);
    long double share = square > 0 ? clamped(-exact_dot(way, w) / square) : 0;
    for (int k = 0; k < 3; k++)
        way[k] += share * v[k];
    share = clamped(exact_dot(way, u) / exact_dot(u, u));
    for (int k = 0; k < 3; k++)
        way[k] -= share * u[k];
    return sqrtl(exact_dot(way, way));
}

/*  INFINITY: the foot is beside the facet. */
static inline long double from_point_to_facet(const block_facets *of, uint32_t facet,
                                              const long double at[3])
{
    const long double *p[3];
    long double u[3], v[3], axis[3], side[3], way[3];
    for (int c = 0; c < 3; c++)
        p[c] = of->vertex[of->facet[facet][c]];
    exact_way(p[0], p[1], u);
    exact_way(p[0], p[2], v);
    exact_cross(u, v, axis);
    for (int c = 0; c < 3; c++) {
        exact_way(p[c], p[(c + 1) % 3], u);
        exact_way(p[c], at, way);
        exact_cross(u, way, side);
        if (exact_dot(side, axis) < 0)
            return INFINITY;
    }
    return fabsl(exact_dot(way, axis)) / sqrtl(exact_dot(axis, axis));
}

static inline long double nearest_points(const block_facets of[2])
{
    const long double *a[2], *b[2];
    long double nearest = INFINITY;
    for (int s = 0; s < 2; s++)
        for (uint32_t v = 0; v < of[s].vertex_count; v++)
            for (uint32_t f = 0; f < of[!s].count; f++) {
                nearest = fminl(nearest, from_point_to_facet(&of[!s], f, of[s].vertex[v]));
                for (uint32_t c = 0; c < 3; c++)
                    if (take_edge(&of[!s], 3 * f + c, b))
                        nearest = fminl(nearest, from_point_to_edge(of[s].vertex[v], b));
            }
    for (uint32_t i = 0; i < 3 * of[0].count; i++) {
        if (!take_edge(&of[0], i, a))
            continue;
        for (uint32_t j = 0; j < 3 * of[1].count; j++)
            if (take_edge(&of[1], j, b))
                nearest = fminl(nearest, from_edge_to_edge(a, b));
    }
    return nearest;
}

/*  Below 0: they overlap. */
static inline double true_distance(const block_facets of[2])
{
    long double best = part_by_all_edges(of, part_by_all_faces(of));
    return (double)(best > 0 ? nearest_points(of) : best);
}

/* ---- points ---- */

/*  Height along a way of what a line through a point first or last meets of a block; false: it passes by, or nearly so. */
static inline bool height_at(const block_facets *of, const double at[3], const double way[3],
                             bool is_upper, double *height)
{
    double enters = -INFINITY, leaves = INFINITY;
    for (uint32_t f = 0; f < of->count; f++) {
        double tilt = scree_dot(of->face[f], way);
        double over = scree_dot(of->face[f], at) - of->face[f][3];
        if (fabs(tilt) < 1e-12 && over > -1e-6)
            return false;
        if (fabs(tilt) < 1e-12)
            continue;
        if (tilt < 0)
            enters = fmax(enters, -over / tilt);
        else
            leaves = fmin(leaves, -over / tilt);
    }
    *height = scree_dot(at, way) + (is_upper ? leaves : enters);
    return enters < leaves - 1e-6;
}

static inline bool has_point(const scree_block_contact *work, const double at[3])
{
    for (size_t n = 0; n < work->count; n++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = work->points[n].point[0][k] - at[k];
        /* on the way from the one to the other */
        double along = scree_dot(away, work->normal);
        if (scree_dot(away, away) - along * along < 1e-14)
            return true;
    }
    return false;
}

/*  Whether a place is a corner of the gap, and not among the points. */
static inline bool is_missing(const scree_block_contact *work, const block_facets of[2],
                              const double at[3], double reach)
{
    double upper, lower;
    if (!height_at(&of[0], at, work->normal, true, &upper) ||
        !height_at(&of[1], at, work->normal, false, &lower) || lower - upper > reach - 1e-6)
        return false;
    return !has_point(work, at);
}

static inline bool is_flat_edge(const block_facets *of, uint32_t facet, uint32_t c)
{
    const double *p = of->corner[facet][c], *q = of->corner[facet][(c + 1) % 3];
    for (uint32_t f = 0; f < of->count; f++)
        for (int e = 0; e < 3; e++)
            if (f != facet && memcmp(of->corner[f][e], q, 24) == 0 &&
                memcmp(of->corner[f][(e + 1) % 3], p, 24) == 0)
                return scree_dot(of->face[f], of->face[facet]) > 1 - 1e-12;
    return false;
}

/*  Where two lines cross as seen along a way; false: beside their ends, or where they are nearly parallel. */
static inline bool seen_crossing(const double a[2][3], const double b[2][3], const double way[3],
                                 double at[2][3])
{
    double u[3], v[3], w[3], c[3];
    for (int k = 0; k < 3; k++) {
        u[k] = a[1][k] - a[0][k];
        v[k] = b[1][k] - b[0][k];
        w[k] = b[0][k] - a[0][k];
    }
    scree_cross(u, v, c);
    double square = scree_dot(c, way);
    if (fabs(square) < 1e-3)
        return false;
    scree_cross(w, v, c);
    double x = scree_dot(c, way) / square;
    scree_cross(w, u, c);
    double y = scree_dot(c, way) / square;
    for (int k = 0; k < 3; k++) {
        at[0][k] = a[0][k] + x * u[k];
        at[1][k] = b[0][k] + y * v[k];
    }
    return x > 1e-6 && x < 1 - 1e-6 && y > 1e-6 && y < 1 - 1e-6;
}

static inline bool on_surface(const block_facets *of, const double at[3], const double way[3],
                              bool is_upper)
{
    double height;
    return height_at(of, at, way, is_upper, &height) && fabs(height - scree_dot(at, way)) < 1e-9;
}

static inline uint32_t missing_points(const scree_block_contact *work, const block_facets of[2],
                                      double reach)
{
    const double *way = work->normal;
    uint32_t missing = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t f = 0; f < of[s].count; f++)
            for (int c = 0; c < 3; c++) {
                /* a corner is on the rim of what is seen of its own block, or inside: lines through it are asked of the other */
                double height;
                const double *at = of[s].corner[f][c];
                bool is_top = false;
                for (uint32_t g = 0; g < of[s].count; g++) {
                    double over = scree_dot(of[s].face[g], at) - of[s].face[g][3];
                    double tilt = scree_dot(of[s].face[g], way) * (s ? -1 : 1);
                    is_top = is_top || (over > -1e-12 && tilt > 1e-6);
                }
                double own = scree_dot(at, way);
                if (!is_top || !height_at(&of[!s], at, way, s, &height))
                    continue;
                double gap = s ? own - height : height - own;
                missing += gap < reach - 1e-6 && !has_point(work, at);
            }
    for (uint32_t i = 0; i < 3 * of[0].count; i++)
        for (uint32_t j = 0; j < 3 * of[1].count; j++) {
            double edge[2][2][3], at[2][3];
            for (int k = 0; k < 3; k++) {
                edge[0][0][k] = of[0].corner[i / 3][i % 3][k];
                edge[0][1][k] = of[0].corner[i / 3][(i % 3 + 1) % 3][k];
                edge[1][0][k] = of[1].corner[j / 3][j % 3][k];
                edge[1][1][k] = of[1].corner[j / 3][(j % 3 + 1) % 3][k];
            }
            if (is_flat_edge(&of[0], i / 3, i % 3) || is_flat_edge(&of[1], j / 3, j % 3) ||
                !seen_crossing((const double(*)[3])edge[0], (const double(*)[3])edge[1], way, at) ||
                !on_surface(&of[0], at[0], way, true) || !on_surface(&of[1], at[1], way, false))
                continue;
            missing += is_missing(work, of, at[0], reach);
        }
    return missing;
}

/*  Whether a place is on the surface of a block. */
static inline bool lies_on(const block_facets *of, const double at[3], double slack)
{
    double most = -INFINITY;
    for (uint32_t f = 0; f < of->count; f++)
        most = fmax(most, scree_dot(of->face[f], at) - of->face[f][3]);
    return fabs(most) < slack;
}

/* ---- what is wrong ---- */

static inline const char *wrong_points(const scree_block_contact *work, const block_facets of[2],
                                       double reach)
{
    double least = INFINITY;
    for (size_t n = 0; n < work->count; n++) {
        const scree_block_point *p = &work->points[n];
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = p->point[1][k] - p->point[0][k] - p->gap * work->normal[k];
        if (scree_dot(away, away) > 1e-18)
            return "a point is not along the normal";
        if (!(p->weight > 0 && p->weight <= 1) || !(p->gap < reach))
            return "a point has no weight, or is out of reach";
        if (!lies_on(&of[0], p->point[0], 1e-7) || !lies_on(&of[1], p->point[1], 1e-7))
            return "a point is not on both surfaces";
        least = fmin(least, p->gap);
    }
    if (fabs(least - work->distance) > BLOCK_NEAR) {
        printf("the deepest point is at %.17g, the distance is %.17g\n", least, work->distance);
        return "no point is at the distance";
    }
    return NULL;
}

static inline const char *wrong_contact(const scree_block_contact *work, const block_facets of[2],
                                        double reach, bool counts_points)
{
    double truth = true_distance(of);
    if (truth > reach + BLOCK_NEAR)
        return work->count ? "points of what is out of reach" : NULL;
    if (truth > reach - BLOCK_NEAR)
        return NULL;
    if (fabs(work->distance - truth) > BLOCK_NEAR) {
        printf("distance is %.17g, not %.17g\n", work->distance, truth);
        return "the distance is another";
    }
    if (!work->count)
        return "there is no point";
    const long double axis[3] = {work->normal[0], work->normal[1], work->normal[2]};
    double parted = (double)part_along(of, axis);
    if (parted < truth - BLOCK_NEAR) {
        printf("the normal parts by %.17g, not %.17g\n", parted, truth);
        return "the normal does not part them";
    }
    const char *why = wrong_points(work, of, reach);
    if (!why && counts_points && missing_points(work, of, reach))
        why = "a point is missing";
    return why;
}

#endif
