/*  One pair of triangles in double, by comparison: decides whether they touch. Compiles the text of the kernels for
    doubles, in a unit of the pair's own size. */
#include "narrow/triangle_distance.h"

#include "base/bits.h"
#include "narrow/triangle_tile.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TRIANGLE_TILE scree_triangle_tile_1
/*  e of triangle_tile.h, for u = 2^-53. It could be a hundred thousand times smaller, but a decision without the
    comparison must agree with the comparison, whose error is larger than this. */
#define TRIANGLE_MARGIN 0x1p-26
#define TRIANGLE_LARGEST 0x1p20
#define TRIANGLE_TINY 0x1p-900
#define TRIANGLE_NOISE 0x1p-48
#define TRIANGLE_DOUBT 0
#define SEGMENT_PARALLEL 0x1p-50

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "narrow/triangle_level.inc.h"

double scree_triangle_unit(double x)
{
    uint64_t bits, exponent;
    double unit;
    memcpy(&bits, &x, sizeof bits);
    exponent = bits >> 52 & 0x7ff;
    /* the largest finite powers of two at both ends */
    exponent = exponent < 2045 ? 2046 - exponent : 1;
    bits = exponent << 52;
    memcpy(&unit, &bits, sizeof unit);
    return unit;
}

void scree_triangle_gap_at(const double *const corner[6], double unit, const double column[15],
                           const double share[4], scree_gap *gap)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double first = share[0] * column[k] + share[1] * column[3 + k], b = column[6 + k];
        double second = share[2] * (column[9 + k] - b) + share[3] * (column[12 + k] - b) + b;
        square += (first - second) * (first - second);
        gap->point[0][k] = corner[0][k] + first / unit;
        gap->point[1][k] = corner[0][k] + second / unit;
    }
    memcpy(gap->share, share, sizeof gap->share);
    gap->distance = sqrt(square) / unit;
    gap->distance_sq = square / unit / unit;
}

/*  From columns to a pair, as load_pair does; in the unit of the pair's size its numbers are below 2. */
static scree_gap nearest_points(const double *const corner[6], double reach, bool *touch)
{
    scree_triangle_tile_1 tile;
    double column[15], size = 0, unit, square;
    scree_gap gap;
    scree_triangle_columns(corner, 1, column);
    for (int k = 0; k < 15; k++)
        size = fmax(size, fabs(column[k]));
    unit = scree_triangle_unit(size);
    for (int k = 0; k < 15; k++)
        tile.corner[k][0] = column[k] *= unit;
    WIDE_FN(two_triangles) pair = WIDE_FN(load_pair)(&tile, 0);
    WIDE_FN(nearest_pair) best = WIDE_FN(nearest_of)(&pair);
    square = best.crossed > 0 ? 0 : best.square;
    scree_triangle_gap_at(corner, unit, column, best.x, &gap);
    if (best.crossed > 0)
        memcpy(gap.point[1], gap.point[0], sizeof gap.point[1]);
    gap.distance = sqrt(square) / unit;
    gap.distance_sq = square / unit / unit;
    *touch = square <= reach * unit * (reach * unit);
    return gap;
}

bool scree_corners_touch(const double *const corner[6], double reach, scree_gap *gap)
{
    bool touch;
    scree_gap found = nearest_points(corner, reach, &touch);
    if (gap)
        *gap = found;
    return touch;
}

bool scree_triangles_touch(const double first[3][3], const double second[3][3], double reach,
                           scree_gap *gap)
{
    const double *const corner[6] = {first[0], first[1], first[2], second[0], second[1], second[2]};
    return scree_corners_touch(corner, reach, gap);
}

scree_gap scree_triangle_distance(const double first[3][3], const double second[3][3])
{
    scree_gap gap;
    scree_triangles_touch(first, second, 0, &gap);
    return gap;
}

/* ---- segments ---- */

static WIDE_FN(triple) segment_way(const double from[3], const double to[3])
{
    return (WIDE_FN(triple)){to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

static WIDE_FN(triple) scaled_way(WIDE_FN(triple) way, double unit)
{
    return (WIDE_FN(triple)){way.x * unit, way.y * unit, way.z * unit};
}

static double largest_number(WIDE_FN(triple) way, double least)
{
    return fmax(fmax(fabs(way.x), fabs(way.y)), fmax(fabs(way.z), least));
}

scree_gap scree_segment_distance(const double first[2][3], const double second[2][3])
{
    WIDE_FN(triple) way1 = segment_way(first[0], first[1]);
    WIDE_FN(triple) way2 = segment_way(second[0], second[1]);
    WIDE_FN(triple) from = segment_way(second[0], first[0]);
    double size = largest_number(way1, largest_number(way2, largest_number(from, 0)));
    double unit = scree_triangle_unit(size), share[2];
    WIDE_FN(segment_edge) edge1 = WIDE_FN(edge_of)(scaled_way(way1, unit));
    WIDE_FN(segment_edge) edge2 = WIDE_FN(edge_of)(scaled_way(way2, unit));
    WIDE_FN(triple) away = WIDE_FN(between_edges)(edge1, edge2, scaled_way(from, unit), share);
    double square = WIDE_FN(triple_dot)(away, away);
    scree_gap gap = {.distance = sqrt(square) / unit,
                     .distance_sq = square / unit / unit,
                     .share = {share[0], share[1], 0, 0}};
    const double *along[2] = {first[0], second[0]};
    const double *end[2] = {first[1], second[1]};
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++)
            gap.point[side][k] = along[side][k] + share[side] * (end[side][k] - along[side][k]);
    return gap;
}

/* ---- points, spheres, planes ---- */

scree_gap scree_point_triangle_distance(const double point[3], const double triangle[3][3])
{
    /* a triangle whose corners coincide: its edges have parameter 0 */
    const double *const corner[6] = {point, point, point, triangle[0], triangle[1], triangle[2]};
    scree_gap gap;
    scree_corners_touch(corner, 0, &gap);
    return gap;
}

double scree_sphere_triangle_overlap(const double centre[3], double radius,
                                     const double triangle[3][3], scree_gap *gap)
{
    scree_gap found = scree_point_triangle_distance(centre, triangle);
    if (gap)
        *gap = found;
    return radius - found.distance;
}

double scree_triangle_plane_height(const double triangle[3][3], const double point[3],
                                   const double normal[3], uint32_t *corner)
{
    double least = INFINITY;
    for (uint32_t c = 0; c < 3; c++) {
        double height = 0;
        for (int k = 0; k < 3; k++)
            height += normal[k] * (triangle[c][k] - point[k]);
        if (height < least) {
            least = height;
            if (corner)
                *corner = c;
        }
    }
    return least;
}

/* ---- the methods for one pair ---- */

static void fill_single(const double *const corner[6], double reach, scree_triangle_tile_1 *tile,
                        double column[15])
{
    double unit = scree_triangle_unit(reach);
    scree_triangle_columns(corner, unit, column);
    for (int k = 0; k < 15; k++)
        tile->corner[k][0] = column[k];
    tile->unit[0] = unit;
    tile->unit_sq[0] = unit * unit;
    tile->reach[0] = reach * unit;
    tile->reach_low[0] = tile->reach[0] * (1 - 4 * DBL_EPSILON);
    tile->reach_high[0] = tile->reach[0] * (1 + 4 * DBL_EPSILON);
}

scree_triangle_verdict scree_triangle_single(const double first[3][3], const double second[3][3],
                                             double reach, const scree_triangle_settings *settings,
                                             scree_gap *gap, scree_triangle_counts *counts)
{
    const double *const corner[6] = {first[0], first[1], first[2], second[0], second[1], second[2]};
    scree_triangle_verdict verdict = SCREE_TRIANGLES_UNDECIDED;
    scree_triangle_tile_1 tile;
    double column[15];
    if (settings->method != SCREE_TRIANGLES_COMPARISON) {
        fill_single(corner, reach, &tile, column);
        if (settings->method == SCREE_TRIANGLES_CERTIFIED)
            WIDE_FN(certify_tile)(&tile, 1, settings, counts);
        else
            WIDE_FN(iterate_tile)(&tile, 1, settings, counts);
        const double share[4] = {tile.share[0][0], tile.share[1][0], tile.share[2][0],
                                 tile.share[3][0]};
        scree_triangle_gap_at(corner, tile.unit[0], column, share, gap);
        verdict = (scree_triangle_verdict)tile.verdict[0];
    }
    if (settings->method == SCREE_TRIANGLES_COMPARISON ||
        (verdict == SCREE_TRIANGLES_UNDECIDED && settings->fallback)) {
        bool touch = scree_corners_touch(corner, reach, gap);
        verdict = touch ? SCREE_TRIANGLES_TOUCH : SCREE_TRIANGLES_APART;
        counts->compared++;
        counts->doubles++;
    }
    counts->pairs++;
    counts->touching += verdict == SCREE_TRIANGLES_TOUCH;
    counts->undecided += verdict == SCREE_TRIANGLES_UNDECIDED;
    return verdict;
}
