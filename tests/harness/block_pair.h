/*  Two blocks somewhere near each other, and the slow, obvious truth about where they touch: all axes, all pairs of triangles,
    all corners and all crossings of edges, one by one. */
#ifndef SCREE_TESTS_BLOCK_PAIR_H
#define SCREE_TESTS_BLOCK_PAIR_H

#include "block_truth.h"

#include "base/quaternion.h"
#include "base/random.h"

#define BLOCK_SORTS 15
/*  The last of them are flakes, as thick as that. */
#define BLOCK_FLAKES 3
/*  Then plates, needles, a blade and a prism of eight sides: all edges of many have few directions. */
#define BLOCK_LONG_SORTS 6
#define BLOCK_ALL_SORTS (BLOCK_SORTS + BLOCK_LONG_SORTS)

typedef struct block_stock
{
    scree_memory memory;
    posed_block blocks[BLOCK_ALL_SORTS];
    scree_block_contact work;
    scree_block_contact at_level; /* the same, at other SIMD levels */
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

static inline uint32_t long_points(int sort, double points[3 * 16])
{
    static const double half[5][3] = {{0.5, 0.5, 0.005},
                                      {0.5, 0.35, 0.0005},
                                      {0.5, 0.005, 0.005},
                                      {0.5, 0.001, 0.002},
                                      {0.5, 0.01, 0.3}};
    uint32_t count = sort < 5 ? 8 : 16;

    for (uint32_t p = 0; p < count; p++) {
        const double angle = 0.7853981633974483 * (p / 2);
        const double prism[3] = {p % 2 ? 0.5 : -0.5, 0.4 * cos(angle), 0.4 * sin(angle)};
        const double box[3] = {p % 2 ? 1 : -1, p / 2 % 2 ? 1 : -1, p / 4 ? 1 : -1};
        for (int k = 0; k < 3; k++)
            points[3 * p + (uint32_t)k] = sort < 5 ? half[sort][k] * box[k] : prism[k];
        /* the blade's edge is the line between both corners that are high */
        if (sort == 4 && p / 4)
            points[3 * p + 1] = 0;
    }
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
    for (int s = 0; s < BLOCK_ALL_SORTS; s++) {
        scree_random random = scree_random_stream(9, (uint64_t)s);
        scree_hull_def def = scree_default_hull_def();
        double points[3 * 16];
        scree_mesh *mesh;
        def.points = points;
        def.point_count = s < BLOCK_SORTS ? block_points(&random, s, points)
                                          : long_points(s - BLOCK_SORTS, points);
        if (scree_mesh_hull(&def, &mesh) || !make_block(&stock->memory, mesh, &stock->blocks[s]))
            return false;
    }
    return true;
}

static inline void free_blocks(block_stock *stock)
{
    for (int s = 0; s < BLOCK_ALL_SORTS; s++) {
        scree_convex_free(&stock->blocks[s].convex, &stock->memory);
        scree_mesh_destroy(stock->blocks[s].mesh);
    }
    scree_block_contact_free(&stock->work, &stock->memory);
    scree_block_contact_free(&stock->at_level, &stock->memory);
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
        scree_cross(helper, w[s], u[s]);
        length = sqrt(scree_dot(u[s], u[s]));
        for (int k = 0; k < 3; k++)
            u[s][k] /= length;
        scree_cross(w[s], u[s], v[s]);
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
            height += sign * way[k] * scree_dot(body->pose.turn[k], body->convex->corner[c]);
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
            to[k] = scree_dot(bodies[0].pose.turn[k], face);
        unit_way(random, tilt);
        double size = lie == BLOCKS_ASKEW ? scree_random_log_uniform(random, 1e-14, 1e-2) : 0;
        for (int k = 0; k < 3; k++)
            tilt[k] = to[k] + size * tilt[k];
        double length = sqrt(scree_dot(tilt, tilt));
        for (int k = 0; k < 3; k++)
            tilt[k] /= length;
        face_to_face(other, tilt, angles[scree_random_below(random, 5)] * 1.5707963267948966, turn);
        if (lie != BLOCKS_ALIGNED)
            memcpy(bodies[1].pose.turn, turn, sizeof turn);
        double aside = scree_random_below(random, 3) ? 0.3 : 0;
        apart = face[3] + other[3] + 0.1 * scree_random_range(random, -1, 1);
        for (int k = 0; k < 3; k++)
            way[k] = to[k] + aside * (way[k] - scree_dot(way, to) * to[k]) / apart;
    }
    for (int k = 0; k < 3; k++)
        bodies[1].pose.place[k] = bodies[0].pose.place[k] + apart * way[k];
    return lie;
}

/* ---- poses in which little decides ---- */

/*  Nothing, or as much as 1e-4 either way, or as little as numbers tell; `most` of which is as likely as any other power. */
static inline double little(scree_random *random, double most)
{
    double size = scree_random_log_uniform(random, 1e-16, most);
    uint32_t chance = scree_random_below(random, 9);

    return chance == 0 ? 0 : chance % 2 ? size : -size;
}

/*  A way along an edge, one at right angles that looks out of a face beside it or between both, and the third. */
static inline void frame_of_edge(const scree_convex *convex, uint32_t edge, bool is_flat,
                                 double frame[3][3])
{
    const double *a = convex->face[convex->edge[edge].face[0]];
    const double *b = convex->face[convex->edge[edge].face[1]];

    for (int k = 0; k < 3; k++) {
        frame[0][k] = convex->along[edge][k];
        frame[1][k] = a[k] + !is_flat * b[k];
    }
    for (int n = 0; n < 2; n++) {
        double length = sqrt(scree_dot(frame[n], frame[n]));
        for (int k = 0; k < 3; k++)
            frame[n][k] /= length;
    }
    scree_cross(frame[0], frame[1], frame[2]);
}

/*  Small turns about the three of a frame. */
static inline void turn_a_little(double frame[3][3], const double angle[3])
{
    for (int n = 0; n < 3; n++) {
        double *u = frame[(n + 1) % 3], *v = frame[(n + 2) % 3];
        double c = cos(angle[n]), s = sin(angle[n]);
        for (int k = 0; k < 3; k++) {
            double turned = c * u[k] + s * v[k];
            v[k] = c * v[k] - s * u[k];
            u[k] = turned;
        }
    }
}

/*  An edge of each along the other's and, by turns, a face or a ridge on a face or a ridge: but for angles of up to 1e-4, aside by
    a little, deep or apart by a little. */
static inline block_lie pose_grazing(scree_random *random, const posed_block *const of[2],
                                     scree_block_body bodies[2])
{
    double frame[2][3][3], q[4], at[2][3], far = scree_random_below(random, 8) ? 0 : 100;
    double angle[3], aside = little(random, 1e-2), up = little(random, 0.1);
    bool is_flat[2];

    for (int k = 0; k < 4; k++)
        q[k] = scree_random_normal(random);
    for (int k = 0; k < 3; k++) {
        angle[k] = little(random, 1e-4);
        at[0][k] = far * scree_random_range(random, -1, 1);
    }
    bodies[0] = (scree_block_body){&of[0]->convex, scree_mesh_pose_of(at[0], q)};
    bodies[1] = (scree_block_body){&of[1]->convex, bodies[0].pose};
    for (int s = 0; s < 2; s++) {
        const scree_convex *convex = &of[s]->convex;
        uint32_t edge = scree_random_below(random, convex->edge_count);
        is_flat[s] = scree_random_below(random, 2);
        frame_of_edge(convex, edge, is_flat[s], frame[s]);
        double share = scree_random_range(random, -0.1, 1.1);
        for (int k = 0; k < 3; k++)
            at[s][k] =
                convex->corner[convex->edge[edge].corner[0]][k] + share * convex->along[edge][k];
    }
    /* how the second's frame stands in the first: over it, so that what looks out of both is opposite */
    double sign = scree_random_below(random, 2) ? 1 : -1, over[3][3], turn[3][3];
    for (int k = 0; k < 3; k++) {
        over[0][k] = sign * frame[0][0][k];
        over[1][k] = -frame[0][1][k];
        over[2][k] = -sign * frame[0][2][k];
    }
    turn_a_little(over, angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            turn[i][j] = 0;
            for (int n = 0; n < 3; n++)
                turn[i][j] += over[n][i] * frame[1][n][j];
        }
    double place[3];
    for (int k = 0; k < 3; k++)
        place[k] =
            at[0][k] + up * frame[0][1][k] + aside * frame[0][2][k] - scree_dot(turn[k], at[1]);
    for (int i = 0; i < 3; i++) {
        bodies[1].pose.place[i] += scree_dot(bodies[0].pose.turn[i], place);
        for (int j = 0; j < 3; j++) {
            const double column[3] = {turn[0][j], turn[1][j], turn[2][j]};
            bodies[1].pose.turn[i][j] = scree_dot(bodies[0].pose.turn[i], column);
        }
    }
    return (block_lie)(is_flat[0] + is_flat[1]);
}

/* ---- one pose ---- */

typedef struct block_tally
{
    uint64_t poses, touching, points, overlapping, lies[BLOCK_LIES];
} block_tally;

static inline bool same_points(const scree_block_contact *a, const scree_block_contact *b)
{
    if (a->count != b->count || a->distance != b->distance)
        return false;
    for (size_t n = 0; n < a->count; n++) {
        const scree_block_point *p = &a->points[n], *q = &b->points[n];
        if (p->kind != q->kind || p->id[0] != q->id[0] || p->id[1] != q->id[1] ||
            memcmp(p->point, q->point, sizeof p->point) != 0 || p->gap != q->gap ||
            p->weight != q->weight)
            return false;
    }
    return a->count == 0 || memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/*  The result is that of the lowest level; vectors of all others must find the same bits. */
static inline bool levels_differ(block_stock *stock, const scree_block_body bodies[2], double reach,
                                 double spread)
{
    bool differ = false;

    for (int level = SCREE_SIMD_SCALAR + 1; level <= (int)scree_simd_resolve(SCREE_SIMD_AVX512);
         level++) {
        stock->at_level.simd = (scree_simd)level;
        differ |= scree_block_find(&stock->at_level, &stock->memory, bodies, reach, spread) ||
                  !same_points(&stock->work, &stock->at_level);
    }
    return differ;
}

/*  Whether a corner of the gap is missing is asked only where each is far from the next. */
static inline const char *try_pose(block_stock *stock, const posed_block *const of[2],
                                   const scree_block_body bodies[2], scree_random *random,
                                   bool counts_points, block_tally *tally)
{
    double reach = scree_random_below(random, 2) ? scree_random_log_uniform(random, 1e-6, 0.3) : 0;
    double spread = scree_random_range(random, 0.01, 0.5);
    block_facets facets[2];

    for (int s = 0; s < 2; s++) {
        scree_mesh_solid solid;
        scree_mesh_solid_of(of[s]->mesh, 1, &solid, NULL);
        facets_in_world(of[s], &bodies[s], solid.centre, &facets[s]);
        exact_vertices(of[s], &bodies[s], solid.centre, bodies[0].pose.place, &facets[s]);
    }
    if (scree_block_find(&stock->work, &stock->memory, bodies, reach, spread))
        return "no memory";
    if (levels_differ(stock, bodies, reach, spread))
        return "another result at another SIMD level";
    const char *why = wrong_contact(&stock->work, facets, reach, counts_points);
    tally->poses++;
    tally->touching += stock->work.count > 0;
    tally->overlapping += stock->work.count > 0 && stock->work.distance < 0;
    tally->points += stock->work.count;
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

    tally->lies[lie]++;
    return try_pose(stock, of, bodies, &random, lie == BLOCKS_BY_CHANCE, tally);
}

/*  The same of two that lie edge along edge, but for a little. */
static inline const char *try_grazing(block_stock *stock, uint64_t seed, block_tally *tally)
{
    scree_random random = scree_random_stream(seed, 8);
    const posed_block *of[2] = {&stock->blocks[scree_random_below(&random, BLOCK_ALL_SORTS)],
                                &stock->blocks[scree_random_below(&random, BLOCK_ALL_SORTS)]};
    scree_block_body bodies[2];

    tally->lies[pose_grazing(&random, of, bodies)]++;
    return try_pose(stock, of, bodies, &random, false, tally);
}

#endif
