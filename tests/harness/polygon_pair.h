/*  Two convex polygons somewhere near each other, and the slow, obvious truth about where they touch: all sides as axes, all
    corners against all sides, all corners above and below. In long doubles. */
#ifndef SCREE_TESTS_POLYGON_PAIR_H
#define SCREE_TESTS_POLYGON_PAIR_H

#include "base/random.h"
#include "narrow/block_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define POLYGON_SORTS 16
#define POLYGON_MOST 64
/*  Polygons are about as large as 1, and numbers are good to 1e-15 of that. */
#define POLYGON_NEAR 1e-9
/*  A corner that is a grain beside a polygon is taken for one that is over its boundary: the gap there is off by a grain for each
    time that the side next to it is steeper than flat. */
#define POLYGON_BESIDE 1e-8

typedef struct posed_polygon
{
    scree_mesh *mesh;
    scree_convex convex;
} posed_polygon;

typedef struct polygon_stock
{
    scree_memory memory;
    posed_polygon polygons[POLYGON_SORTS];
    scree_block_contact work;
} polygon_stock;

/*  A square, a triangle, bricks, regular ones of up to 64 corners, hulls of points by chance, and slivers as thin as 1 in 1,000. */
static inline uint32_t polygon_points(scree_random *random, int sort, double points[3 * 64])
{
    static const uint32_t regular[] = {4, 3, 4, 5, 6, 8, 17, 64};
    static const double squeeze[] = {1, 1, 0.2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.1, 0.01, 0.001};
    uint32_t count = sort < 8 ? regular[sort] : (uint32_t)(sort - 5);

    for (uint32_t p = 0; p < count; p++) {
        double angle = 2 * 3.14159265358979323846 * (p + 0.5) / count;
        double at[2] = {cos(angle), sin(angle)};
        for (uint32_t k = 0; k < 2; k++)
            points[3 * p + k] = 0.5 * (sort < 8 ? at[k] : scree_random_normal(random));
        points[3 * p + 1] *= squeeze[sort];
        points[3 * p + 2] = 0;
    }
    return count;
}

static inline bool make_polygons(polygon_stock *stock)
{
    memset(stock, 0, sizeof *stock);
    if (scree_memory_init(&stock->memory, NULL))
        return false;
    for (int s = 0; s < POLYGON_SORTS; s++) {
        scree_random random = scree_random_stream(19, (uint64_t)s);
        scree_hull_def def = scree_default_hull_def();
        posed_polygon *to = &stock->polygons[s];
        scree_error why = {SCREE_OK, ""};
        scree_mesh_solid solid;
        double points[3 * 64];
        def.corners = 2;
        def.points = points;
        def.point_count = polygon_points(&random, s, points);
        def.error = &why;
        if (scree_mesh_hull(&def, &to->mesh) || scree_mesh_solid_of(to->mesh, 1, &solid, &why) ||
            scree_convex_init(&to->convex, to->mesh, solid.inward, solid.centre, &stock->memory,
                              &why)) {
            printf("%s\n", why.text);
            return false;
        }
    }
    return true;
}

static inline void free_polygons(polygon_stock *stock)
{
    for (int s = 0; s < POLYGON_SORTS; s++) {
        scree_convex_free(&stock->polygons[s].convex, &stock->memory);
        scree_mesh_destroy(stock->polygons[s].mesh);
    }
    scree_block_contact_free(&stock->work, &stock->memory);
}

/* ---- the truth ---- */

typedef struct flat_truth
{
    uint32_t count;
    long double corner[POLYGON_MOST][2];
    long double side[POLYGON_MOST][3]; /* of corner n to the next: normal, height */
} flat_truth;

static inline void truth_of(const scree_block_body *body, const scree_mesh *mesh,
                            const double centre[3], flat_truth *to)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    long double area = 0;

    /* hulls stand in the order of their corners */
    to->count = info.vertex_count;
    for (uint32_t v = 0; v < to->count; v++)
        for (int k = 0; k < 2; k++) {
            to->corner[v][k] = body->pose.place[k];
            for (int j = 0; j < 2; j++)
                to->corner[v][k] += (long double)body->pose.turn[k][j] *
                                    (info.vertices[3 * v + (size_t)j] - centre[j]);
        }
    for (uint32_t v = 0; v < to->count; v++) {
        const long double *a = to->corner[v], *b = to->corner[(v + 1) % to->count];
        area += a[0] * b[1] - a[1] * b[0];
    }
    for (uint32_t v = 0; v < to->count; v++) {
        const long double *a = to->corner[v], *b = to->corner[(v + 1) % to->count];
        long double x = b[0] - a[0], y = b[1] - a[1], length = sqrtl(x * x + y * y);
        long double sign = area > 0 ? 1 : -1;
        to->side[v][0] = sign * y / length;
        to->side[v][1] = -sign * x / length;
        to->side[v][2] = to->side[v][0] * a[0] + to->side[v][1] * a[1];
    }
}

static inline long double over_side(const flat_truth *of, uint32_t side, const long double at[2])
{
    return of->side[side][0] * at[0] + of->side[side][1] * at[1] - of->side[side][2];
}

static inline long double part_flat(const flat_truth of[2], long double x, long double y)
{
    long double first = -INFINITY, second = INFINITY;

    for (uint32_t c = 0; c < of[0].count; c++)
        first = fmaxl(first, x * of[0].corner[c][0] + y * of[0].corner[c][1]);
    for (uint32_t c = 0; c < of[1].count; c++)
        second = fminl(second, x * of[1].corner[c][0] + y * of[1].corner[c][1]);
    return second - first;
}

static inline long double from_segment(const long double at[2], const long double a[2],
                                       const long double b[2])
{
    long double x = b[0] - a[0], y = b[1] - a[1];
    long double share = ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / (x * x + y * y);

    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return hypotl(at[0] - a[0] - share * x, at[1] - a[1] - share * y);
}

static inline long double flat_distance(const flat_truth of[2])
{
    long double best = -INFINITY, nearest = INFINITY;

    for (int s = 0; s < 2; s++)
        for (uint32_t n = 0; n < of[s].count; n++)
            best = fmaxl(best, part_flat(of, (s ? -1 : 1) * of[s].side[n][0],
                                         (s ? -1 : 1) * of[s].side[n][1]));
    if (best <= 0)
        return best;
    for (int s = 0; s < 2; s++)
        for (uint32_t c = 0; c < of[s].count; c++)
            for (uint32_t n = 0; n < of[!s].count; n++)
                nearest = fminl(nearest, from_segment(of[s].corner[c], of[!s].corner[n],
                                                      of[!s].corner[(n + 1) % of[!s].count]));
    return nearest;
}

/*  How far it is from a corner along a way to where the line through it first meets a polygon; false: it passes by, or nearly so. */
static inline bool flat_way(const flat_truth *of, const long double at[2], const double way[3],
                            long double *gap)
{
    long double enters = -INFINITY, leaves = INFINITY;

    for (uint32_t n = 0; n < of->count; n++) {
        long double tilt = of->side[n][0] * way[0] + of->side[n][1] * way[1];
        long double over = over_side(of, n, at);
        if (fabsl(tilt) < 1e-12L && over > -1e-6L)
            return false;
        if (fabsl(tilt) < 1e-12L)
            continue;
        if (tilt < 0)
            enters = fmaxl(enters, -over / tilt);
        else
            leaves = fminl(leaves, -over / tilt);
    }
    *gap = enters;
    return enters < leaves - 1e-6L;
}

/*  Corners of both, on sides that face the other, whose gap is below the reach and that are not among the points. */
static inline uint32_t missing_corners(const scree_block_contact *work, const flat_truth of[2],
                                       double reach)
{
    uint32_t missing = 0;

    for (int s = 0; s < 2; s++)
        for (uint32_t c = 0; c < of[s].count; c++) {
            const long double *at = of[s].corner[c];
            const double way[3] = {(s ? -1 : 1) * work->normal[0], (s ? -1 : 1) * work->normal[1],
                                   0};
            bool faces = false, has = false;
            long double gap;
            for (int n = 0; n < 2; n++) {
                const long double *side = of[s].side[(c + of[s].count - (uint32_t)n) % of[s].count];
                faces = faces || side[0] * way[0] + side[1] * way[1] > 1e-6L;
            }
            if (!faces || !flat_way(&of[!s], at, way, &gap) || !(gap < reach - 1e-6L))
                continue;
            for (size_t n = 0; n < work->count; n++) {
                const double *p = work->points[n].point[s];
                long double x = p[0] - at[0], y = p[1] - at[1];
                long double beside = x * way[1] - y * way[0];
                has = has || fabsl(beside) < 1e-7L;
            }
            missing += !has;
        }
    return missing;
}

static inline bool lies_on_flat(const flat_truth *of, const double at[3])
{
    const long double point[2] = {at[0], at[1]};
    long double most = -INFINITY;

    for (uint32_t n = 0; n < of->count; n++)
        most = fmaxl(most, over_side(of, n, point));
    return fabsl(most) < 1e-7L && at[2] == 0;
}

/* ---- poses ---- */

/*  By chance; a side of each on the other, as they are or a little askew; the same twice, none of them turned. */
typedef enum polygon_lie
{
    POLYGONS_BY_CHANCE,
    POLYGONS_FLAT,
    POLYGONS_ASKEW,
    POLYGONS_ALIGNED,
    POLYGON_LIES,
} polygon_lie;

static inline scree_mesh_pose flat_pose(double x, double y, double angle)
{
    const double at[3] = {x, y, 0}, q[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};

    return scree_mesh_pose_of(at, q);
}

static inline polygon_lie pose_polygons(scree_random *random, const posed_polygon *of[2],
                                        scree_block_body bodies[2])
{
    uint32_t chance = scree_random_below(random, 7);
    polygon_lie lie = chance < 4 ? POLYGONS_BY_CHANCE : (polygon_lie)(chance - 3);
    double far = scree_random_below(random, 8) ? 0 : 100, turn = scree_random_range(random, -4, 4);
    double x = far * scree_random_range(random, -1, 1), y = far * scree_random_range(random, -1, 1);

    if (lie == POLYGONS_ALIGNED) {
        of[1] = of[0];
        turn = 0;
    }
    const scree_convex *a = &of[0]->convex, *b = &of[1]->convex;
    bodies[0] = (scree_block_body){a, flat_pose(x, y, turn)};
    if (lie == POLYGONS_BY_CHANCE || lie == POLYGONS_ALIGNED) {
        double way = scree_random_range(random, -4, 4);
        double apart = (a->size + b->size) * scree_random_range(random, 0.1, 1.05);
        double other = lie == POLYGONS_ALIGNED ? turn : scree_random_range(random, -4, 4);
        if (lie == POLYGONS_ALIGNED && scree_random_below(random, 2))
            way = 1.5707963267948966 * scree_random_below(random, 4);
        bodies[1] =
            (scree_block_body){b, flat_pose(x + apart * cos(way), y + apart * sin(way), other)};
        return lie;
    }
    const double *side = a->face[scree_random_below(random, a->face_count)];
    const double *beside = b->face[scree_random_below(random, b->face_count)];
    double up = atan2(side[1], side[0]) + turn, down = atan2(-beside[1], -beside[0]);
    double tilt = lie == POLYGONS_ASKEW ? scree_random_log_uniform(random, 1e-14, 1e-2) : 0;
    double apart = side[3] + beside[3] + 0.1 * scree_random_range(random, -1, 1);
    double along = (a->size + b->size) * scree_random_range(random, -0.5, 0.5);
    bodies[1] =
        (scree_block_body){b, flat_pose(x + apart * cos(up) - along * sin(up),
                                        y + apart * sin(up) + along * cos(up), up - down + tilt)};
    return lie;
}

/* ---- one pose ---- */

typedef struct polygon_tally
{
    uint64_t poses, touching, points, overlapping, lies[POLYGON_LIES];
} polygon_tally;

static inline const char *wrong_polygon_points(const scree_block_contact *work,
                                               const flat_truth of[2], double reach)
{
    double least = INFINITY;

    for (size_t n = 0; n < work->count; n++) {
        const scree_block_point *p = &work->points[n];
        double away = 0;
        for (int k = 0; k < 3; k++)
            away = fmax(away, fabs(p->point[1][k] - p->point[0][k] - p->gap * work->normal[k]));
        if (away > 1e-9)
            return "a point is not along the normal";
        if (!(p->weight > 0 && p->weight <= 1) || !(p->gap < reach))
            return "a point has no weight, or is out of reach";
        if (p->kind == SCREE_FEATURE_EDGES)
            return "edges cross in a plane";
        if (!lies_on_flat(&of[0], p->point[0]) || !lies_on_flat(&of[1], p->point[1]))
            return "a point is not on both outlines";
        least = fmin(least, p->gap);
    }
    return fabs(least - work->distance) > POLYGON_BESIDE ? "no point is at the distance" : NULL;
}

static inline const char *wrong_polygons(const scree_block_contact *work, const flat_truth of[2],
                                         double reach, polygon_lie lie)
{
    double truth = (double)flat_distance(of);

    if (truth > reach + POLYGON_NEAR)
        return work->count ? "points of what is out of reach" : NULL;
    if (truth > reach - POLYGON_NEAR)
        return NULL;
    if (fabs(work->distance - truth) > POLYGON_NEAR) {
        printf("distance is %.17g, not %.17g\n", work->distance, truth);
        return "the distance is another";
    }
    if (!work->count)
        return "there is no point";
    if (part_flat(of, work->normal[0], work->normal[1]) < truth - POLYGON_NEAR ||
        work->normal[2] != 0)
        return "the normal does not part them";
    const char *why = wrong_polygon_points(work, of, reach);
    if (!why && lie == POLYGONS_BY_CHANCE && missing_corners(work, of, reach))
        why = "a corner is missing";
    return why;
}

/*  What is wrong with a pose of two polygons, of which there is one for each seed; NULL: nothing. */
static inline const char *try_polygons(polygon_stock *stock, uint64_t seed, polygon_tally *tally)
{
    scree_random random = scree_random_stream(seed, 8);
    const posed_polygon *of[2] = {&stock->polygons[scree_random_below(&random, POLYGON_SORTS)],
                                  &stock->polygons[scree_random_below(&random, POLYGON_SORTS)]};
    scree_block_body bodies[2];
    polygon_lie lie = pose_polygons(&random, of, bodies);
    double reach =
        scree_random_below(&random, 2) ? scree_random_log_uniform(&random, 1e-6, 0.3) : 0;
    double spread = scree_random_range(&random, 0.01, 0.5);
    flat_truth truth[2];

    for (int s = 0; s < 2; s++) {
        scree_mesh_solid solid;
        scree_mesh_solid_of(of[s]->mesh, 1, &solid, NULL);
        truth_of(&bodies[s], of[s]->mesh, solid.centre, &truth[s]);
    }
    if (scree_block_find(&stock->work, &stock->memory, bodies, reach, spread))
        return "no memory";
    const char *why = wrong_polygons(&stock->work, truth, reach, lie);
    tally->poses++;
    tally->lies[lie]++;
    tally->touching += stock->work.count > 0;
    tally->overlapping += stock->work.count > 0 && stock->work.distance < 0;
    tally->points += stock->work.count;
    return why;
}

#endif
