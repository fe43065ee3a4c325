/*  Fills tiles with pairs: corners are gathered, made relative to one of them in double, and rounded to floats. With
    SIMD one corner at a time, x y z in a vector, which are then transposed to columns; the operations are the same, so
    results are bit-identical. */
#include "narrow/triangle_tile.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

static double skin_of(const scree_triangle_side *side, uint32_t triangle)
{
    return side->skin ? side->skin[triangle] : side->skin_of_all;
}

double scree_triangle_reach(const scree_triangle_pairs *pairs, size_t pair)
{
    return skin_of(&pairs->side[0], pairs->first[pair]) +
           skin_of(&pairs->side[1], pairs->second[pair]);
}

static void fill_reach(double reach, scree_triangle_tile *tile, uint32_t lane)
{
    double unit = scree_triangle_unit(reach);
    reach *= unit;
    tile->scale[lane] = unit;
    tile->reach[lane] = (float)reach;
    tile->reach_low[lane] = (float)(reach * (1 - 0x1p-22));
    tile->reach_high[lane] = (float)(reach * (1 + 0x1p-22));
    tile->unit[lane] = (float)unit;
    tile->unit_sq[lane] = (float)(unit * unit);
}

/*  Copies the first lane to all. */
static void repeat_reach(scree_triangle_tile *tile, uint32_t count)
{
    for (uint32_t lane = 1; lane < count; lane++) {
        tile->scale[lane] = tile->scale[0];
        tile->reach[lane] = tile->reach[0];
        tile->reach_low[lane] = tile->reach_low[0];
        tile->reach_high[lane] = tile->reach_high[0];
        tile->unit[lane] = tile->unit[0];
        tile->unit_sq[lane] = tile->unit_sq[0];
    }
}

void scree_triangle_fill_reaches(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                                 scree_triangle_tile *tile)
{
    uint32_t places = (count + 15) / 16 * 16;
    if (!pairs->side[0].skin && !pairs->side[1].skin) {
        fill_reach(scree_triangle_reach(pairs, begin), tile, 0);
        repeat_reach(tile, places);
        return;
    }
    for (uint32_t lane = 0; lane < places; lane++) {
        size_t pair = begin + (lane < count ? lane : count - 1);
        fill_reach(scree_triangle_reach(pairs, pair), tile, lane);
    }
}

static void fill_corners(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                         scree_triangle_tile *tile)
{
    for (uint32_t lane = 0; lane < count || lane % 16 != 0; lane++) {
        const double *corner[6];
        double column[15], room[18];
        scree_triangle_corners(pairs, begin + (lane < count ? lane : count - 1), room, corner);
        scree_triangle_columns(corner, tile->scale[lane], column);
        for (int k = 0; k < 15; k++)
            tile->corner[k][lane] = (float)column[k];
    }
}

#if WIDE_HAS_X86
#define AVX2 __attribute__((target("avx2")))

/*  Five corners of a pair, as x y z and an unused number each. */
AVX2 static inline void see_corners(const double *const corner[6], double scale, float row[5][4])
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d origin = _mm256_maskload_pd(corner[0], three), unit = _mm256_set1_pd(scale);
    for (int c = 0; c < 5; c++) {
        __m256d way = _mm256_sub_pd(_mm256_maskload_pd(corner[c + 1], three), origin);
        _mm_storeu_ps(row[c], _mm256_cvtpd_ps(_mm256_mul_pd(way, unit)));
    }
}

/*  Does the same for triangles of nine floats. Reads nothing beyond them. */
AVX2 static inline void see_floats(const float *first, const float *second, double scale,
                                   float row[5][4])
{
    const __m128i three = _mm_setr_epi32(-1, -1, -1, 0);
    __m256d origin = _mm256_cvtps_pd(_mm_maskload_ps(first, three)), unit = _mm256_set1_pd(scale);
    for (int c = 0; c < 5; c++) {
        const float *at = c < 2 ? first + 3 * (c + 1) : second + 3 * (c - 2);
        __m256d way = _mm256_sub_pd(_mm256_cvtps_pd(_mm_maskload_ps(at, three)), origin);
        _mm_storeu_ps(row[c], _mm256_cvtpd_ps(_mm256_mul_pd(way, unit)));
    }
}

AVX2 static inline __m256 two_corners(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

/*  Transposes eight corners in eight rows to their three columns. */
AVX2 static inline void turn_corners(float row[8][5][4], int c, scree_triangle_tile *tile,
                                     uint32_t lane)
{
    __m256 r0 = two_corners(row[0][c], row[4][c]), r1 = two_corners(row[1][c], row[5][c]);
    __m256 r2 = two_corners(row[2][c], row[6][c]), r3 = two_corners(row[3][c], row[7][c]);
    __m256 xy01 = _mm256_unpacklo_ps(r0, r1), xy23 = _mm256_unpacklo_ps(r2, r3);
    __m256 z01 = _mm256_unpackhi_ps(r0, r1), z23 = _mm256_unpackhi_ps(r2, r3);
    _mm256_storeu_ps(&tile->corner[3 * c][lane], _mm256_shuffle_ps(xy01, xy23, 0x44));
    _mm256_storeu_ps(&tile->corner[3 * c + 1][lane], _mm256_shuffle_ps(xy01, xy23, 0xee));
    _mm256_storeu_ps(&tile->corner[3 * c + 2][lane], _mm256_shuffle_ps(z01, z23, 0x44));
}

/*  Does the same if triangles are stored separately, nine numbers each: no indirection. */
static inline void corners_of_soup(const scree_triangle_pairs *pairs, size_t pair,
                                   const double *corner[6])
{
    const double *first = pairs->side[0].vertices + 9 * (size_t)pairs->first[pair];
    const double *second = pairs->side[1].vertices + 9 * (size_t)pairs->second[pair];
    for (size_t k = 0; k < 3; k++) {
        corner[k] = first + 3 * k;
        corner[3 + k] = second + 3 * k;
    }
}

AVX2 static void fill_corners_avx2(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                                   scree_triangle_tile *tile)
{
    bool is_of_floats = pairs->side[0].soup && pairs->side[1].soup;
    bool is_soup = !pairs->side[0].corners && !pairs->side[1].corners && !pairs->side[0].soup &&
                   !pairs->side[1].soup;
    for (uint32_t lane = 0; lane < count || lane % 16 != 0; lane += 8) {
        float row[8][5][4];
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t at = lane + k < count ? lane + k : count - 1;
            const double *corner[6];
            double room[18];
            if (is_of_floats) {
                see_floats(pairs->side[0].soup + 9 * (size_t)pairs->first[begin + at],
                           pairs->side[1].soup + 9 * (size_t)pairs->second[begin + at],
                           tile->scale[lane + k], row[k]);
                continue;
            }
            if (is_soup)
                corners_of_soup(pairs, begin + at, corner);
            else
                scree_triangle_corners(pairs, begin + at, room, corner);
            see_corners(corner, tile->scale[lane + k], row[k]);
        }
        for (int c = 0; c < 5; c++)
            turn_corners(row, c, tile, lane);
    }
}
#endif

void scree_triangle_fill(const scree_triangle_pairs *pairs, size_t begin, uint32_t count,
                         scree_simd level, scree_triangle_tile *tile)
{
#if WIDE_HAS_X86
    if (level >= SCREE_SIMD_AVX2) {
        fill_corners_avx2(pairs, begin, count, tile);
        return;
    }
#else
    (void)level;
#endif
    fill_corners(pairs, begin, count, tile);
}
