/*  Quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22 (1996) 469). Each point outside is in the list of a facet that it
    sees. The farthest point of a list is added: the facets that it sees are removed, and the edges around them are
    joined to it.

    WHY COPLANAR POINTS ARE SAFE. Which facets a point sees is decided without rounding, and a point in a facet's plane
    does not see it. So the visible facets are connected and have one boundary. Of the two facets at an edge of the
    boundary one is visible, so the point is not on the line of that edge, and no new facet has area 0. A facet in whose
    plane the new point lies remains, and the new one next to it lies in the same plane. */
#include "shape/hull.h"

#include "shape/orient.h"

#include <math.h>
#include <string.h>

#define NO_POINT UINT32_MAX

/* ---- facets ---- */

static double height_over(const scree_hull *hull, const scree_hull_facet *facet, uint32_t p)
{
    const double *n = facet->normal, *at = hull->point[p];

    return n[0] * at[0] + n[1] * at[1] + n[2] * at[2] - n[3];
}

static bool is_seen_from(const scree_hull *hull, const scree_hull_facet *facet, uint32_t p)
{
    const uint32_t *c = facet->corner;

    return scree_orient(hull->point[c[0]], hull->point[c[1]], hull->point[c[2]], hull->point[p]) >
           0;
}

static scree_status push_facet(scree_hull *hull, uint32_t a, uint32_t b, uint32_t c)
{
    const double *at = hull->point[a];
    double u[3], v[3], *n, length = 0;
    scree_hull_facet *facet;

    if (scree_memory_reserve(hull->memory, &hull->facets, &hull->facet_capacity,
                             hull->facet_count + 1, sizeof *hull->facets))
        return SCREE_OUT_OF_MEMORY;
    facet = &hull->facets[hull->facet_count++];
    *facet = (scree_hull_facet){.corner = {a, b, c}, .outside = NO_POINT};
    n = facet->normal;
    for (int k = 0; k < 3; k++) {
        u[k] = hull->point[b][k] - at[k];
        v[k] = hull->point[c][k] - at[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = u[i] * v[j] - u[j] * v[i];
        length += n[k] * n[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++) {
        n[k] = length > 0 ? n[k] / length : 0;
        n[3] += n[k] * at[k];
    }
    return SCREE_OK;
}

/*  Puts a point into the list of the first facet, from a given one on, that it sees from higher than the thickness.
    Returns its largest height. */
static double list_point(scree_hull *hull, uint32_t p, size_t from)
{
    double most = -INFINITY;

    for (size_t f = from; f < hull->facet_count; f++) {
        scree_hull_facet *facet = &hull->facets[f];
        double height = facet->is_gone ? -INFINITY : height_over(hull, facet, p);
        most = height > most ? height : most;
        if (!(height > hull->thickness) || !is_seen_from(hull, facet, p))
            continue;
        hull->next[p] = facet->outside;
        facet->outside = p;
        break;
    }
    return most;
}

/*  A point that was above a removed facet is in the hull now, or above a new facet; but if by less than the thickness,
    it may be farther above an old one. */
static void list_again(scree_hull *hull, uint32_t p, size_t begin)
{
    double most = list_point(hull, p, begin);

    if (most <= hull->thickness && most > -hull->thickness && list_point(hull, p, 0) > 0)
        hull->is_listed_again = true;
}

/* ---- the first four ---- */

static double length_sq(const double way[3])
{
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/*  Distance of a point from the first `known` of `corner`: from a point, a line, a plane. */
static double away_from(const scree_hull *hull, const uint32_t corner[4], int known, uint32_t p)
{
    double way[3][3], across[3], base;

    for (int w = 0; w < 3; w++)
        for (int k = 0; k < 3; k++)
            way[w][k] =
                hull->point[w + 1 < known ? corner[w + 1] : p][k] - hull->point[corner[0]][k];
    if (known == 1)
        return sqrt(length_sq(way[0]));
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        across[k] = way[0][i] * way[1][j] - way[0][j] * way[1][i];
    }
    base = sqrt(length_sq(known == 2 ? way[0] : across));
    if (known == 2)
        return sqrt(length_sq(across)) / base;
    return fabs(across[0] * way[2][0] + across[1] * way[2][1] + across[2] * way[2][2]) / base;
}

/*  Each is the farthest from those before. Returns false if it is no farther than the thickness. */
static bool find_four(const scree_hull *hull, uint32_t corner[4])
{
    corner[0] = 0;
    for (int known = 1; known < 4; known++) {
        double most = -1;
        for (uint32_t p = 0; p < hull->count; p++) {
            double away = away_from(hull, corner, known, p);
            if (!(away > most))
                continue;
            most = away;
            corner[known] = p;
        }
        if (!(most > hull->thickness))
            return false;
    }
    return true;
}

static scree_status begin_hull(scree_hull *hull)
{
    static const int facet[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    uint32_t c[4] = {0, 0, 0, 0};

    if (!find_four(hull, c))
        return SCREE_BAD_VALUE;
    int side =
        scree_orient(hull->point[c[0]], hull->point[c[1]], hull->point[c[2]], hull->point[c[3]]);
    /* the volume exceeds rounding: they are not coplanar */
    if (SCREE_NEVER(side == 0))
        return SCREE_BAD_VALUE;
    if (side > 0) {
        uint32_t kept = c[1];
        c[1] = c[2];
        c[2] = kept;
    }
    for (int f = 0; f < 4; f++) {
        if (push_facet(hull, c[facet[f][0]], c[facet[f][1]], c[facet[f][2]]))
            return SCREE_OUT_OF_MEMORY;
        memcpy(hull->facets[f].beside, beside[f], sizeof beside[f]);
    }
    for (uint32_t p = 0; p < hull->count; p++)
        if (p != c[0] && p != c[1] && p != c[2] && p != c[3])
            list_point(hull, p, 0);
    return SCREE_OK;
}

/* ---- adding a point ---- */

static uint32_t farthest_of(const scree_hull *hull, const scree_hull_facet *facet)
{
    uint32_t farthest = facet->outside;
    double most = height_over(hull, facet, farthest);

    for (uint32_t p = hull->next[farthest]; p != NO_POINT; p = hull->next[p]) {
        double height = height_over(hull, facet, p);
        if (height > most || (height == most && p < farthest)) {
            most = height;
            farthest = p;
        }
    }
    return farthest;
}

static scree_status push_horizon(scree_hull *hull, const scree_hull_facet *gone, int edge)
{
    uint32_t from = gone->corner[edge], to = gone->corner[(edge + 1) % 3];
    const scree_hull_facet *stays = &hull->facets[gone->beside[edge]];
    uint32_t other = 0;

    if (scree_memory_reserve(hull->memory, &hull->horizon, &hull->horizon_capacity,
                             hull->horizon_count + 1, sizeof *hull->horizon))
        return SCREE_OUT_OF_MEMORY;
    while (stays->corner[other] != to)
        other++;
    hull->horizon[hull->horizon_count++] = (scree_hull_edge){from, to, gone->beside[edge], other};
    return SCREE_OK;
}

/*  Removes the facets that a point sees, starting from one of them, and collects the edges around them. */
static scree_status find_horizon(scree_hull *hull, uint32_t first, uint32_t eye)
{
    uint32_t seen = ++hull->marks, hidden = ++hull->marks;

    hull->horizon_count = 0;
    hull->facets[first].mark = seen;
    hull->gone[0] = first;
    hull->gone_count = 1;
    for (size_t k = 0; k < hull->gone_count; k++) {
        scree_hull_facet *facet = &hull->facets[hull->gone[k]];
        facet->is_gone = true;
        for (int e = 0; e < 3; e++) {
            scree_hull_facet *other = &hull->facets[facet->beside[e]];
            if (other->mark != seen && other->mark != hidden) {
                other->mark = is_seen_from(hull, other, eye) ? seen : hidden;
                if (other->mark == seen)
                    hull->gone[hull->gone_count++] = facet->beside[e];
            }
            if (other->mark == hidden && push_horizon(hull, facet, e))
                return SCREE_OUT_OF_MEMORY;
        }
    }
    return SCREE_OK;
}

static scree_status join_horizon(scree_hull *hull, uint32_t eye)
{
    size_t begin = hull->facet_count;

    for (size_t k = 0; k < hull->horizon_count; k++) {
        const scree_hull_edge *edge = &hull->horizon[k];
        hull->at_start[edge->from] = (uint32_t)hull->facet_count;
        if (push_facet(hull, edge->from, edge->to, eye))
            return SCREE_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < hull->horizon_count; k++) {
        const scree_hull_edge *edge = &hull->horizon[k];
        uint32_t made = (uint32_t)(begin + k), after = hull->at_start[edge->to];
        hull->facets[made].beside[0] = edge->facet;
        hull->facets[edge->facet].beside[edge->edge] = made;
        hull->facets[made].beside[1] = after;
        hull->facets[after].beside[2] = made;
    }
    return SCREE_OK;
}

static scree_status bring_in(scree_hull *hull, uint32_t first)
{
    uint32_t eye = farthest_of(hull, &hull->facets[first]);
    size_t begin = hull->facet_count;

    if (scree_memory_reserve(hull->memory, &hull->gone, &hull->gone_capacity, begin,
                             sizeof *hull->gone) ||
        find_horizon(hull, first, eye) || join_horizon(hull, eye))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < hull->gone_count; k++) {
        uint32_t p = hull->facets[hull->gone[k]].outside;
        while (p != NO_POINT) {
            uint32_t following = hull->next[p];
            if (p != eye)
                list_again(hull, p, begin);
            p = following;
        }
    }
    return SCREE_OK;
}

scree_status scree_hull_build(scree_hull *hull, scree_memory *memory, const double (*points)[3],
                              uint32_t count, double thickness)
{
    scree_status status;

    *hull = (scree_hull){.memory = memory, .point = points, .count = count, .thickness = thickness};
    if (scree_memory_take(memory, count, sizeof *hull->next, &hull->next) ||
        scree_memory_take(memory, count, sizeof *hull->at_start, &hull->at_start))
        return SCREE_OUT_OF_MEMORY;
    status = begin_hull(hull);
    do {
        hull->is_listed_again = false;
        for (uint32_t f = 0; f < hull->facet_count && !status; f++)
            if (!hull->facets[f].is_gone && hull->facets[f].outside != NO_POINT)
                status = bring_in(hull, f);
    } while (hull->is_listed_again && !status);
    return status;
}

void scree_hull_free(scree_hull *hull)
{
    scree_memory_give(hull->memory, &hull->facets, hull->facet_capacity, sizeof *hull->facets);
    scree_memory_give(hull->memory, &hull->next, hull->count, sizeof *hull->next);
    scree_memory_give(hull->memory, &hull->at_start, hull->count, sizeof *hull->at_start);
    scree_memory_give(hull->memory, &hull->gone, hull->gone_capacity, sizeof *hull->gone);
    scree_memory_give(hull->memory, &hull->horizon, hull->horizon_capacity, sizeof *hull->horizon);
}
