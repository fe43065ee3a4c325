/*  Two blocks somewhere near each other, and the slow, obvious truth about where they touch: all axes, all pairs of triangles,
    all corners and all crossings of edges, one by one. */
#ifndef SCREE_TESTS_BLOCK_PAIR_H
#define SCREE_TESTS_BLOCK_PAIR_H

#include "base/quaternion.h"
#include "base/random.h"
#include "narrow/block_contact.h"
#include "narrow/triangle_distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_SORTS 15
/*  The last of them are flakes, as thick as that. */
#define BLOCK_FLAKES 3
#define BLOCK_FACETS 64
/*  Blocks are about as large as 1, and numbers are good to 1e-15 of that. */
#define BLOCK_NEAR 1e-9

typedef struct posed_block
{
    scree_mesh *mesh;
    scree_convex convex;
} posed_block;

typedef struct block_stock
{
    scree_memory memory;
    posed_block blocks[BLOCK_SORTS];
    scree_block_contact work;
} block_stock;

/*  Boxes, tetrahedra, wedges, prisms, hulls of points by chance, and flakes with rims as sharp as 1 in 1,000. */
static inline uint32_t block_points(scree_random *random, int sort, double points[3 * 16])
{
    static const double thickness[BLOCK_FLAKES] = {0.03, 0.006, 0.001};
    int flake = sort - (BLOCK_SORTS - BLOCK_FLAKES);
    static const double corners[4][24] = {
        {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1},
        {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
        {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, -1, 0, 1, 1, 0, 1},
        {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1}};
    static const uint32_t counts[4] = {8, 4, 6, 6};
    uint32_t count = sort < 4 ? counts[sort] : flake < 0 ? (uint32_t)(4 + sort) : 6;

    for (uint32_t p = 0; p < count; p++)
        for (uint32_t k = 0; k < 3; k++)
            points[3 * p + k] = sort < 4    ? 0.5 * corners[sort][3 * p + k]
                                : sort == 4 ? 0.5 * corners[0][3 * p + k] * (1 + k)
                                            : 0.5 * scree_random_normal(random);
    for (uint32_t p = 0; flake >= 0 && p < count; p++)
        points[3 * p + 2] *= thickness[flake];
    return count;
}

static inline bool make_block(scree_memory *memory, scree_mesh *mesh, posed_block *to)
{
    scree_error why = {SCREE_OK, ""};
    scree_mesh_solid solid;

    to->mesh = mesh;
    if (scree_mesh_solid_of(mesh, 1, &solid, &why) ||
        scree_convex_init(&to->convex, mesh, solid.inward, solid.centre, memory, &why)) {
        printf("%s\n", why.text);
        return false;
    }
    return true;
}

static inline bool make_blocks(block_stock *stock)
{
    memset(stock, 0, sizeof *stock);
    if (scree_memory_init(&stock->memory, NULL))
        return false;
    for (int s = 0; s < BLOCK_SORTS; s++) {
        scree_random random = scree_random_stream(9, (uint64_t)s);
        scree_hull_def def = scree_default_hull_def();
        double points[3 * 16];
        scree_mesh *mesh;
        def.points = points;
        def.point_count = block_points(&random, s, points);
        if (scree_mesh_hull(&def, &mesh) || !make_block(&stock->memory, mesh, &stock->blocks[s]))
            return false;
    }
    return true;
}

static inline void free_blocks(block_stock *stock)
{
    for (int s = 0; s < BLOCK_SORTS; s++) {
        scree_convex_free(&stock->blocks[s].convex, &stock->memory);
        scree_mesh_destroy(stock->blocks[s].mesh);
    }
    scree_block_contact_free(&stock->work, &stock->memory);
}

/* ---- poses ---- */

static inline void unit_way(scree_random *random, double way[3])
{
    double length = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = scree_random_normal(random);
        length += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++)
        way[k] /= sqrt(length);
}

/*  A turn that brings one way onto the opposite of another, and then some angle about it. */
static inline void face_to_face(const double from[3], const double to[3], double angle,
                                double turn[3][3])
{
    double u[2][3], v[2][3], w[2][3];
    for (int s = 0; s < 2; s++) {
        const double *n = s ? to : from;
        double helper[3] = {fabs(n[0]) < 0.9, fabs(n[0]) >= 0.9, 0}, length;
        for (int k = 0; k < 3; k++)
            w[s][k] = s ? -n[k] : n[k];
        scree_block_cross(helper, w[s], u[s]);
        length = sqrt(scree_block_dot(u[s], u[s]));
        for (int k = 0; k < 3; k++)
            u[s][k] /= length;
        scree_block_cross(w[s], u[s], v[s]);
    }
    double c = cos(angle), d = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn[i][j] = (c * u[1][i] + d * v[1][i]) * u[0][j] +
                         (c * v[1][i] - d * u[1][i]) * v[0][j] + w[1][i] * w[0][j];
}

/*  The height of the highest corner along a way in the world. */
static inline double top_along(const scree_block_body *body, const double way[3], double sign)
{
    double most = -INFINITY;
    for (uint32_t c = 0; c < body->convex->corner_count; c++) {
        double height = 0;
        for (int k = 0; k < 3; k++)
            height += sign * way[k] * scree_block_dot(body->pose.turn[k], body->convex->corner[c]);
        most = fmax(most, height);
    }
    return most;
}

/*  How the two lie: by chance; flat on each other, as they are or turned or a little askew; the same twice. */
typedef enum block_lie
{
    BLOCKS_BY_CHANCE,
    BLOCKS_FLAT,
    BLOCKS_ASKEW,
    BLOCKS_ALIGNED,
    BLOCK_LIES,
} block_lie;

static inline block_lie pose_blocks(scree_random *random, const posed_block *const of[2],
                                    scree_block_body bodies[2])
{
    uint32_t chance = scree_random_below(random, 8);
    block_lie lie = chance < 5 ? BLOCKS_BY_CHANCE : (block_lie)(chance - 4);
    double q[4], way[3], apart = of[0]->convex.size + of[1]->convex.size;
    double far = scree_random_below(random, 8) ? 0 : 100;

    for (int k = 0; k < 4; k++)
        q[k] = lie == BLOCKS_ALIGNED ? k == 0 : scree_random_normal(random);
    for (int s = 0; s < 2; s++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = far * scree_random_range(random, -1, 1);
        bodies[s] = (scree_block_body){&of[s]->convex, scree_mesh_pose_of(at, q)};
        for (int k = 0; k < 4 && lie != BLOCKS_ALIGNED; k++)
            q[k] = scree_random_normal(random);
    }
    unit_way(random, way);
    apart *= scree_random_range(random, 0.1, 1);
    /* a corner of each nearly at one of the other */
    if (chance < 3)
        apart = top_along(&bodies[0], way, 1) + top_along(&bodies[1], way, -1) +
                scree_random_range(random, -0.3, 0.1);
    if (lie != BLOCKS_BY_CHANCE) {
        const double *face =
            of[0]->convex.face[scree_random_below(random, of[0]->convex.face_count)];
        const double *other =
            of[1]->convex.face[scree_random_below(random, of[1]->convex.face_count)];
        static const double angles[] = {0, 0.5, 1, 1e-7, 1e-12};
        double to[3], tilt[3], turn[3][3];
        for (int k = 0; k < 3; k++)
            to[k] = scree_block_dot(bodies[0].pose.turn[k], face);
        unit_way(random, tilt);
        double lean = lie == BLOCKS_ASKEW ? scree_random_log_uniform(random, 1e-14, 1e-2) : 0;
        for (int k = 0; k < 3; k++)
            tilt[k] = to[k] + lean * tilt[k];
        double length = sqrt(scree_block_dot(tilt, tilt));
        for (int k = 0; k < 3; k++)
            tilt[k] /= length;
        face_to_face(other, tilt, angles[scree_random_below(random, 5)] * 1.5707963267948966, turn);
        if (lie != BLOCKS_ALIGNED)
            memcpy(bodies[1].pose.turn, turn, sizeof turn);
        double aside = scree_random_below(random, 3) ? 0.3 : 0;
        apart = face[3] + other[3] + 0.1 * scree_random_range(random, -1, 1);
        for (int k = 0; k < 3; k++)
            way[k] = to[k] + aside * (way[k] - scree_block_dot(way, to) * to[k]) / apart;
    }
    for (int k = 0; k < 3; k++)
        bodies[1].pose.place[k] = bodies[0].pose.place[k] + apart * way[k];
    return lie;
}

/* ---- the truth ---- */

/*  All triangles of a block, in the world. */
typedef struct block_facets
{
    uint32_t count;
    double corner[BLOCK_FACETS][3][3], face[BLOCK_FACETS][4];
} block_facets;

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
        scree_block_cross(u, v, to->face[f]);
        length = sqrt(scree_block_dot(to->face[f], to->face[f]));
        for (int k = 0; k < 3; k++)
            to->face[f][k] /= length;
        to->face[f][3] = scree_block_dot(to->face[f], to->corner[f][0]);
    }
}

static inline double farthest_along(const block_facets *of, const double way[3])
{
    double most = -INFINITY;
    for (uint32_t f = 0; f < of->count; f++)
        for (int c = 0; c < 3; c++)
            most = fmax(most, scree_block_dot(of->corner[f][c], way));
    return most;
}

/*  How far an axis, which points from the first to the second, parts the two. */
static inline double part_along(const block_facets of[2], const double axis[3])
{
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    return -farthest_along(&of[1], back) - farthest_along(&of[0], axis);
}

static inline double part_by_all_faces(const block_facets of[2])
{
    double best = -INFINITY;
    for (int s = 0; s < 2; s++)
        for (uint32_t f = 0; f < of[s].count; f++) {
            const double *n = of[s].face[f],
                         axis[3] = {s ? -n[0] : n[0], s ? -n[1] : n[1], s ? -n[2] : n[2]};
            best = fmax(best, part_along(of, axis));
        }
    return best;
}

/*  Each edge has two triangles, which go along it in opposite ways. */
static inline bool is_first_of_two(const block_facets *of, uint32_t facet, uint32_t c)
{
    return memcmp(of->corner[facet][c], of->corner[facet][(c + 1) % 3], 24) < 0;
}

static inline double part_by_all_edges(const block_facets of[2])
{
    double best = -INFINITY;
    for (uint32_t i = 0; i < 3 * of[0].count; i++)
        for (uint32_t j = 0; j < 3 * of[1].count; j++) {
            double edge[2][3], axis[3];
            bool is_once = true;
            for (int s = 0; s < 2; s++) {
                uint32_t f = (s ? j : i) / 3, c = (s ? j : i) % 3;
                for (int k = 0; k < 3; k++)
                    edge[s][k] = of[s].corner[f][(c + 1) % 3][k] - of[s].corner[f][c][k];
                is_once = is_once && is_first_of_two(&of[s], f, c);
            }
            if (!is_once)
                continue;
            scree_block_cross(edge[0], edge[1], axis);
            double length = sqrt(scree_block_dot(axis, axis));
            /* what is nearly parallel has an axis of rounding, which parts no less truly, but is not one to be asked for */
            if (!(length > 1e-5 * sqrt(scree_block_dot(edge[0], edge[0]) *
                                       scree_block_dot(edge[1], edge[1]))))
                continue;
            for (int side = -1; side < 2; side += 2) {
                double way[3];
                for (int k = 0; k < 3; k++)
                    way[k] = axis[k] * side / length;
                best = fmax(best, part_along(of, way));
            }
        }
    return best;
}

static inline double true_distance(const block_facets of[2])
{
    double best = fmax(part_by_all_faces(of), part_by_all_edges(of)), nearest = INFINITY;
    if (best <= 0)
        return best;
    for (uint32_t i = 0; i < of[0].count; i++)
        for (uint32_t j = 0; j < of[1].count; j++)
            nearest = fmin(nearest, scree_triangle_distance((const double(*)[3])of[0].corner[i],
                                                            (const double(*)[3])of[1].corner[j])
                                        .distance);
    return nearest;
}

/*  Height along a way of what a line through a point first or last meets of a block; false: it passes by, or nearly so. */
static inline bool height_at(const block_facets *of, const double at[3], const double way[3],
                             bool is_upper, double *height)
{
    double enters = -INFINITY, leaves = INFINITY;
    for (uint32_t f = 0; f < of->count; f++) {
        double lean = scree_block_dot(of->face[f], way);
        double over = scree_block_dot(of->face[f], at) - of->face[f][3];
        if (fabs(lean) < 1e-12 && over > -1e-6)
            return false;
        if (fabs(lean) < 1e-12)
            continue;
        if (lean < 0)
            enters = fmax(enters, -over / lean);
        else
            leaves = fmin(leaves, -over / lean);
    }
    *height = scree_block_dot(at, way) + (is_upper ? leaves : enters);
    return enters < leaves - 1e-6;
}

static inline bool has_point(const scree_block_contact *work, const double at[3])
{
    for (size_t n = 0; n < work->count; n++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = work->points[n].point[0][k] - at[k];
        /* on the way from the one to the other */
        double along = scree_block_dot(away, work->normal);
        if (scree_block_dot(away, away) - along * along < 1e-14)
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
                return scree_block_dot(of->face[f], of->face[facet]) > 1 - 1e-12;
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
    scree_block_cross(u, v, c);
    double square = scree_block_dot(c, way);
    if (fabs(square) < 1e-3)
        return false;
    scree_block_cross(w, v, c);
    double x = scree_block_dot(c, way) / square;
    scree_block_cross(w, u, c);
    double y = scree_block_dot(c, way) / square;
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
    return height_at(of, at, way, is_upper, &height) &&
           fabs(height - scree_block_dot(at, way)) < 1e-9;
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
                    double over = scree_block_dot(of[s].face[g], at) - of[s].face[g][3];
                    double lean = scree_block_dot(of[s].face[g], way) * (s ? -1 : 1);
                    is_top = is_top || (over > -1e-12 && lean > 1e-6);
                }
                double own = scree_block_dot(at, way);
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
        most = fmax(most, scree_block_dot(of->face[f], at) - of->face[f][3]);
    return fabs(most) < slack;
}

/* ---- one pose ---- */

typedef struct block_tally
{
    uint64_t poses, touching, points, overlapping, lies[BLOCK_LIES];
} block_tally;

static inline const char *wrong_points(const scree_block_contact *work, const block_facets of[2],
                                       double reach)
{
    double least = INFINITY;
    for (size_t n = 0; n < work->count; n++) {
        const scree_block_point *p = &work->points[n];
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = p->point[1][k] - p->point[0][k] - p->gap * work->normal[k];
        if (scree_block_dot(away, away) > 1e-18)
            return "a point is not along the normal";
        if (!(p->weight > 0 && p->weight <= 1) || !(p->gap < reach))
            return "a point has no weight, or is out of reach";
        if (!lies_on(&of[0], p->point[0], 1e-7) || !lies_on(&of[1], p->point[1], 1e-7))
            return "a point is not on both surfaces";
        least = fmin(least, p->gap);
    }
    return fabs(least - work->distance) > BLOCK_NEAR ? "no point is at the distance" : NULL;
}

static inline const char *wrong_contact(const scree_block_contact *work, const block_facets of[2],
                                        double reach, block_lie lie)
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
    if (part_along(of, work->normal) < truth - BLOCK_NEAR)
        return "the normal does not part them";
    const char *why = wrong_points(work, of, reach);
    if (!why && lie == BLOCKS_BY_CHANCE && missing_points(work, of, reach))
        why = "a point is missing";
    return why;
}

/*  What is wrong with a pose of two blocks, of which there is one for each seed; NULL: nothing. */
static inline const char *try_blocks(block_stock *stock, uint64_t seed, block_tally *tally)
{
    scree_random random = scree_random_stream(seed, 7);
    const posed_block *of[2] = {&stock->blocks[scree_random_below(&random, BLOCK_SORTS)],
                                &stock->blocks[scree_random_below(&random, BLOCK_SORTS)]};
    scree_block_body bodies[2];
    block_lie lie = pose_blocks(&random, of, bodies);
    double reach =
        scree_random_below(&random, 2) ? scree_random_log_uniform(&random, 1e-6, 0.3) : 0;
    double spread = scree_random_range(&random, 0.01, 0.5);
    block_facets facets[2];

    for (int s = 0; s < 2; s++) {
        scree_mesh_solid solid;
        scree_mesh_solid_of(of[s]->mesh, 1, &solid, NULL);
        facets_in_world(of[s], &bodies[s], solid.centre, &facets[s]);
    }
    if (scree_block_find(&stock->work, &stock->memory, bodies, reach, spread))
        return "no memory";
    const char *why = wrong_contact(&stock->work, facets, reach, lie);
    tally->poses++;
    tally->lies[lie]++;
    tally->touching += stock->work.count > 0;
    tally->overlapping += stock->work.count > 0 && stock->work.distance < 0;
    tally->points += stock->work.count;
    return why;
}

#endif
