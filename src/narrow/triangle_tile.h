/*  A few pairs of triangles as columns of numbers, and the error bounds of decisions about them.

    Coordinates are relative to the first corner of the first triangle, in a unit in which the pair's range r is in [1,
    2): a power of two, so scaling is exact. They are computed in double and then rounded to float. Let u = 2^-24, and m
    the largest magnitude of the 15 coordinates. Then:

    POINTS. A corner is off by its rounding, at most sqrt(3) u m. A point of the first triangle, a combination of its
    two edges, by at most 2 u m in each coordinate for the products and the sum and u m for parameters that add up to 1
    + u; of the second, whose edges are differences of up to 2 m, by 8 u m and u m; the vector between them, up to 2 m
    long in each coordinate, by 2 u m. With the corners' own that is at most 17 u m in each coordinate, 30 u m in all.
    The computed squared length is accurate to 4 u, which is at most 7.1 u m for its root, as that is below 2 sqrt(3) m.
    So where the square is at most that of r - e, and e at least 38 u m, the triangles are no farther apart than r.

    PLANES. Take the vector D between the points as exact: any direction is valid. A dot product of D with a corner is
    off by 3 u sqrt(3) m |D| and sqrt(3) u m |D| for the corner's own rounding, 7 u m |D|; with an edge of the second by
    15 u m |D|; with their sum by 2 u m |D| more, and with the difference of both sides by 4 u m |D|: in all at most 36
    u m |D|. The comparison of squares is accurate to 8 u, 4 u for the roots, which is 14 u m at most. So where the
    separation is at least (r + e) |D|, and e at least 50 u m, the triangles are farther apart than r.

    e is 64 u m = 2^-18 m, and r is rounded down or up by 4 u before. So whatever floats decide holds for the given
    numbers by at least 14 u m. The error of the square in double is below 2^-46 m^2, while r is at least 2^-20 m
    (TRIANGLE_LARGEST; others are decided in double): then 14 u m r > 2^-41 m^2, so the double decides the same. Pairs
    closer to r than that are decided in double. Underflow: square and separation are offset by 2^-100 against a
    decision, far above what can be lost if coordinates are below 2^20, and far below 1. Overflow: coordinates that
    exceed floats are infinite, and fail every comparison. */
#ifndef SCREE_TRIANGLE_TILE_H
#define SCREE_TRIANGLE_TILE_H

#include "narrow/triangle_batch.h"

/*  A multiple of every WIDE_LANES, small enough for the first-level cache. */
#define TRIANGLE_TILE_PAIRS 128u

/*  corner: the second and third corner of the first triangle, then the three of the second, x y z each. reach_low and
    reach_high are below and above reach. unit: factor from the caller's lengths to these; scale: the same, exactly. */
#define TRIANGLE_TILE_FIELDS(real, n)                                                              \
    real corner[15][n];                                                                            \
    real reach[n], reach_low[n], reach_high[n], unit[n], unit_sq[n];                               \
    double scale[n];                                                                               \
    /* results: parameters are those of points only if the triangles touch */                      \
    real share[4][n], square[n];                                                                   \
    uint8_t verdict[n], doubted[n];

typedef struct scree_triangle_tile
{
    TRIANGLE_TILE_FIELDS(float, TRIANGLE_TILE_PAIRS)
} scree_triangle_tile;

/*  One pair in double, with the same text. */
typedef struct scree_triangle_tile_1
{
    TRIANGLE_TILE_FIELDS(double, 1)
} scree_triangle_tile_1;

typedef void scree_triangle_kernel(scree_triangle_tile *tile, uint32_t count,
                                   const scree_triangle_settings *settings,
                                   scree_triangle_counts *counts);

/*  By method, then by SIMD instruction set. Pairs from `count` up to a multiple of 16 are padding; their results are
    ignored. */
extern scree_triangle_kernel *const scree_triangle_kernels[3][SCREE_SIMD_ROWS];

/*  The columns of a pair, in units of 1 / unit, from its six corners. */
static inline void scree_triangle_columns(const double *const corner[6], double unit,
                                          double column[15])
{
    for (int c = 1; c < 6; c++)
        for (int k = 0; k < 3; k++)
            column[3 * (c - 1) + k] = (corner[c][k] - corner[0][k]) * unit;
}

/*  How near to the minimum points must be to be accepted, in units of the squared range. */
static inline double scree_triangle_accuracy(const scree_triangle_settings *settings)
{
    return settings->points == SCREE_TRIANGLE_POINTS_NEAREST ? settings->accuracy / 2 : 0x1p60;
}

/*  Points and distance at given parameters; column numbers as above. */
void scree_triangle_gap_at(const double *const corner[6], double unit, const double column[15],
                           const double share[4], scree_gap *gap);

/* ---- filling a tile ---- */

/*  The corners of a pair; those of a soup of floats are copied to `room`. */
static inline void scree_triangle_corners(const scree_triangle_pairs *pairs, size_t pair,
                                          double room[18], const double *corner[6])
{
    const uint32_t triangle[2] = {pairs->first[pair], pairs->second[pair]};
    for (size_t s = 0; s < 2; s++) {
        const scree_triangle_side *side = &pairs->side[s];
        size_t at = 3 * (size_t)triangle[s];
        if (side->soup) {
            for (size_t k = 0; k < 9; k++)
                room[9 * s + k] = (double)side->soup[3 * at + k];
            for (size_t k = 0; k < 3; k++)
                corner[3 * s + k] = room + 9 * s + 3 * k;
            continue;
        }
        for (size_t k = 0; k < 3; k++)
            corner[3 * s + k] =
                side->vertices + 3 * (side->corners ? side->corners[at + k] : at + k);
    }
}

/*  The lowest eight bits as bytes of 0 or 1, the lowest bit in the lowest byte. */
static inline uint64_t scree_bytes_of_bits(uint32_t bits)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = (bits & 0xffu) * ones & 0x8040201008040201u;
    return (spread + 0x7f * ones) >> 7 & ones;
}

/*  The sum of its skins. */
double scree_triangle_reach(const scree_triangle_pairs *pairs, size_t pair);

/*  Pairs [begin, begin + count), and copies of the last up to a multiple of 16: first ranges and units, then corners.
    If all pairs have the same range, the first tile's are valid for all, because it is the longest. */
void scree_triangle_fill_reaches(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                                 scree_triangle_tile *tile);
void scree_triangle_fill(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                         scree_simd level, scree_triangle_tile *tile);

/* ---- in double ---- */

/*  scree_triangles_touch, for corners wherever they are stored. */
bool scree_corners_touch(const double *const corner[6], double reach, scree_gap *gap);

/*  A power of two whose product with x is in [1, 2); approximately so for 0 and numbers near the ends of the range. */
double scree_triangle_unit(double x);

#endif
