/*  Separation or penetration depth of two convex polyhedra.

    SEPARATING AXES. A facet of the Minkowski difference comes from a face of one and a corner of the other, or from two
    edges whose arcs cross on the Gauss map (Gregorius, GDC 2013). Only such products of edges can be the best axis. If
    two edges are nearly parallel the facet is a sliver, but may be the best: see block_close.c.

    THE NEAREST POINTS of separated polyhedra: Gilbert, Johnson, Keerthi (IEEE J. Robotics 4 (1988) 193). For at most
    four corners of the difference, all points, segments and triangles are tried for the one that is nearest to the
    origin. There are 14, so the result does not depend on an order of tests. */
#include "narrow/block_contact.h"

#include <math.h>
#include <string.h>

#define MAX_ROUNDS 100
/*  Smallest relative gain in squared distance for which another corner is added. */
#define MIN_GAIN 1e-15

/* ---- faces ---- */

/*  The first that is `wanted`, which one of them is. */
static uint32_t first_of(const double *values, uint32_t count, double wanted)
{
    uint32_t at = 0;

    while (at + 1 < count && values[at] != wanted)
        at++;
    return at;
}

/*  The axis of the face of one block that separates by `gap`, among the gaps by faces, and the lowest corner over it.
    `sign`: 1 if the normals of these faces point from the first to the second. */
static void take_face(const scree_block_view *view, const scree_block_view *other, int sign,
                      const double *gaps, double gap, scree_block_axis *axis)
{
    const double *face = view->face[first_of(gaps, view->face_count, gap)];
    double least = INFINITY;

    axis->kind = sign > 0 ? SCREE_FEATURE_SECOND : SCREE_FEATURE_FIRST;
    axis->id[0] = axis->id[1] = 0;
    for (int k = 0; k < 3; k++)
        axis->normal[k] = sign * face[k];
    for (uint32_t c = 0; c < other->corner_count; c++) {
        double over = scree_dot(face, other->corner[c]);
        axis->id[0] = over < least ? c : axis->id[0];
        least = over < least ? over : least;
    }
}

/*  The largest separation by a face. */
static double part_by_faces(const scree_block_kernels *kernels, const scree_block_view view[2],
                            const scree_block_outlook side[2], double most, scree_block_axis *axis)
{
    double best[2];

    for (int k = 0; k < 2; k++) {
        const scree_convex_columns *mine = view[k].columns, *other = view[!k].columns;
        best[k] = kernels->gaps(mine->face, mine->faces, other->corner, view[!k].corner_count,
                                side[k].cosine);
    }
    int of = best[1] > best[0];
    if (best[of] < most)
        take_face(&view[of], &view[!of], of ? -1 : 1, side[of].cosine, best[of], axis);
    return best[of];
}

/* ---- edges ---- */

/*  Whether the arcs between the normals of the two faces cross, with those of the second negated. */
static bool arcs_cross(const scree_block_view view[2], uint32_t a, uint32_t b)
{
    const scree_convex_edge *first = &view[0].edge[a], *second = &view[1].edge[b];
    const double *ea = view[0].along[a], *eb = view[1].along[b];
    double b0 = scree_dot(view[1].face[second->face[0]], ea);
    double b1 = scree_dot(view[1].face[second->face[1]], ea);

    if (!(b0 * b1 < 0))
        return false;
    double a0 = scree_dot(view[0].face[first->face[0]], eb);
    double a1 = scree_dot(view[0].face[first->face[1]], eb);
    return a0 * a1 < 0 && b0 * a1 < 0;
}

static double part_by_edge(const scree_block_view view[2], uint32_t a, uint32_t b, double best,
                           scree_block_axis *axis)
{
    const double *ea = view[0].along[a], *eb = view[1].along[b];
    const scree_convex_edge *first = &view[0].edge[a], *second = &view[1].edge[b];
    double way[3], gap = 0, side = 0;

    scree_cross(ea, eb, way);
    double length_sq = scree_dot(way, way);
    bool is_along = !(length_sq > SCREE_BLOCK_ALONG * SCREE_BLOCK_ALONG * scree_dot(ea, ea) *
                                      scree_dot(eb, eb));
    if (is_along) {
        scree_block_product(ea, eb, way);
        length_sq = scree_dot(way, way);
        if (!(length_sq > 0))
            return best;
    }
    for (int k = 0; k < 2; k++)
        side += scree_dot(way, view[0].face[first->face[k]]);
    double scale = (side < 0 ? -1 : 1) / sqrt(length_sq);
    for (int k = 0; k < 3; k++) {
        way[k] *= scale;
        gap +=
            way[k] * (view[1].corner[second->corner[0]][k] - view[0].corner[first->corner[0]][k]);
    }
    /* whether two nearly parallel arcs cross cannot be decided: then another corner is the farthest along the axis */
    if (is_along && gap > best)
        gap = scree_block_part_along(view, way);
    if (!(gap > best))
        return best;
    *axis = (scree_block_axis){{way[0], way[1], way[2]}, SCREE_FEATURE_EDGES, {a, b}};
    return gap;
}

double scree_block_part_by_edges(const scree_block_view view[2], double enough, double best,
                                 scree_block_axis *axis)
{
    uint32_t edges = view[0].is_flat ? 0 : view[0].edge_count;

    for (uint32_t a = 0; a < edges && best <= enough; a++)
        for (uint32_t b = 0; b < view[1].edge_count; b++)
            if (arcs_cross(view, a, b))
                best = part_by_edge(view, a, b, best, axis);
    return best;
}

double scree_block_separation(const scree_block_kernels *kernels, const scree_block_view view[2],
                              const scree_block_outlook side[2], double most,
                              scree_block_axis *axis)
{
    double best = part_by_faces(kernels, view, side, most, axis);

    if (best >= most)
        return best;
    /* separated edges are handled elsewhere */
    return scree_block_part_by_edges(view, 0, best, axis);
}

/* ---- nearest points ---- */

/*  A corner of the Minkowski difference. */
typedef struct difference_corner
{
    double at[3];
    uint32_t of[2];
} difference_corner;

typedef struct gjk_blocks
{
    const scree_block_kernels *kernels;
    const scree_block_view *view;
    const scree_block_outlook *side;
} gjk_blocks;

typedef struct simplex
{
    difference_corner corner[4];
    int count;
} simplex;

/*  The corner of first minus second that is farthest along a direction. */
static difference_corner farthest_difference(const gjk_blocks *blocks, const double way[3])
{
    const double back[3] = {-way[0], -way[1], -way[2]};
    const scree_block_view *view = blocks->view;
    difference_corner c;

    for (int k = 0; k < 2; k++) {
        double *height = blocks->side[k].height;
        double most = blocks->kernels->top(view[k].columns->corner, view[k].columns->corners,
                                           k ? back : way, height);
        c.of[k] = first_of(height, view[k].corner_count, most);
    }
    for (int k = 0; k < 3; k++)
        c.at[k] = view[0].corner[c.of[0]][k] - view[1].corner[c.of[1]][k];
    return c;
}

/*  The point of a segment's line that is nearest to the origin. Returns false if it is not between the ends. */
static bool nearest_of_two(const double p[3], const double q[3], double nearest[3])
{
    double along[3], share;

    for (int k = 0; k < 3; k++)
        along[k] = q[k] - p[k];
    double length_sq = scree_dot(along, along);
    share = -scree_dot(p, along);
    if (!(share > 0 && share < length_sq))
        return false;
    for (int k = 0; k < 3; k++)
        nearest[k] = p[k] + share / length_sq * along[k];
    return true;
}

/*  Does the same for the plane of a triangle. */
static bool nearest_of_three(const double *const p[3], double nearest[3])
{
    double u[3], v[3], normal[3], across[3];

    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
    }
    scree_cross(u, v, normal);
    double area_sq = scree_dot(normal, normal);
    if (!(area_sq > 1e-24 * scree_dot(u, u) * scree_dot(v, v)))
        return false;
    for (int c = 0; c < 3; c++) {
        scree_cross(p[(c + 1) % 3], p[(c + 2) % 3], across);
        if (!(scree_dot(across, normal) > 0))
            return false;
    }
    double share = scree_dot(normal, p[0]) / area_sq;
    for (int k = 0; k < 3; k++)
        nearest[k] = share * normal[k];
    return true;
}

/*  The point of some corners, a segment or a triangle that is nearest to the origin. Returns false if a smaller part
    has a nearer one. */
static bool nearest_of(const simplex *s, int part, double nearest[3])
{
    const double *p[4] = {NULL, NULL, NULL, NULL};
    int count = 0;

    for (int c = 0; c < s->count; c++)
        if (part >> c & 1)
            p[count++] = s->corner[c].at;
    if (count == 1)
        memcpy(nearest, p[0], 3 * sizeof *nearest);
    /* four corners: the origin is not inside, since the blocks are separated */
    return count == 1 || (count == 2 && nearest_of_two(p[0], p[1], nearest)) ||
           (count == 3 && nearest_of_three(p, nearest));
}

/*  Which corners make the part that is nearest to the origin, as bits, and its nearest point. The others were known
    before the last one, and all their parts are farther: it is in the part. */
static int nearest_part(const simplex *s, double nearest[3])
{
    const int last = 1 << (s->count - 1);
    double best = INFINITY, at[3] = {0, 0, 0};
    int part = last;

    for (int mask = last; mask < 2 * last; mask++) {
        if (!nearest_of(s, mask, at) || !(scree_dot(at, at) < best))
            continue;
        best = scree_dot(at, at);
        part = mask;
        memcpy(nearest, at, sizeof at);
    }
    return part;
}

static void keep_part(simplex *s, int part)
{
    int kept = 0;

    for (int c = 0; c < s->count; c++)
        if (part >> c & 1)
            s->corner[kept++] = s->corner[c];
    s->count = kept;
}

static bool has_corner(const simplex *s, const difference_corner *corner)
{
    for (int c = 0; c < s->count; c++)
        if (memcmp(s->corner[c].of, corner->of, sizeof corner->of) == 0)
            return true;
    return false;
}

/*  Three nearly collinear corners have a plane that is dominated by rounding errors. */
static bool is_sliver(const simplex *s)
{
    double u[3], v[3], normal[3];

    if (s->count < 3)
        return false;
    for (int k = 0; k < 3; k++) {
        u[k] = s->corner[1].at[k] - s->corner[0].at[k];
        v[k] = s->corner[2].at[k] - s->corner[0].at[k];
    }
    scree_cross(u, v, normal);
    return !(scree_dot(normal, normal) >
             SCREE_BLOCK_ALONG * SCREE_BLOCK_ALONG * scree_dot(u, u) * scree_dot(v, v));
}

bool scree_block_distance(const scree_block_kernels *kernels, const scree_block_view view[2],
                          const scree_block_outlook side[2], double grain, double *distance,
                          double normal[3])
{
    const gjk_blocks blocks = {kernels, view, side};
    simplex s;
    double at[3], away_sq, parted = 0;

    s.count = 1;
    s.corner[0] = farthest_difference(&blocks, normal);
    memcpy(at, s.corner[0].at, sizeof at);
    away_sq = scree_dot(at, at);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const double way[3] = {-at[0], -at[1], -at[2]};
        difference_corner corner = farthest_difference(&blocks, way);
        double next[3] = {0};
        parted = scree_dot(at, corner.at);
        if (away_sq - parted <= MIN_GAIN * away_sq || has_corner(&s, &corner))
            break;
        s.corner[s.count++] = corner;
        int part = nearest_part(&s, next);
        double next_sq = scree_dot(next, next);
        /* no progress: the gain is lost in rounding */
        if (!(next_sq < away_sq)) {
            s.count--;
            break;
        }
        keep_part(&s, part);
        away_sq = next_sq;
        memcpy(at, next, sizeof at);
    }
    double away = sqrt(away_sq);
    for (int k = 0; k < 3; k++)
        normal[k] = -at[k] / away;
    *distance = away;
    /* the corner that is nearest along the direction between the points proves both */
    return away > grain && fabs(away_sq - parted) <= SCREE_BLOCK_ROUNDING * grain * away &&
           !is_sliver(&s);
}
