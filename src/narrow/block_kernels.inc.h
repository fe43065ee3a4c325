/*  Kernels of blocks at one SIMD level: see block_kernels.h. */

static WIDE_TARGET void WIDE_FN(turn_rows)(double *const from[3], uint32_t count,
                                           const double turn[3][3], const double shift[3],
                                           double *const to[3])
{
    for (uint32_t r = 0; r < count; r += WIDE_LANES) {
        wide x = wide_load(from[0] + r), y = wide_load(from[1] + r), z = wide_load(from[2] + r);
        for (int k = 0; k < 3; k++)
            wide_store(to[k] + r, wide_set(turn[k][0]) * x + wide_set(turn[k][1]) * y +
                                      wide_set(turn[k][2]) * z + wide_set(shift[k]));
    }
}

static WIDE_TARGET double WIDE_FN(largest_lane)(wide values)
{
#if WIDE_LEVEL == WIDE_AVX512
    __m256d four = _mm256_max_pd(_mm512_castpd512_pd256(values), _mm512_extractf64x4_pd(values, 1));
#elif WIDE_LEVEL == WIDE_AVX2
    __m256d four = values;
#endif
#if WIDE_LEVEL >= WIDE_AVX2
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
#else
    double lane[WIDE_LANES];

    wide_store(lane, values);
    return lane[WIDE_LANES - 1] > lane[0] ? lane[WIDE_LANES - 1] : lane[0];
#endif
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(rows_along)(double *const at[3], uint32_t r,
                                                       const double way[3])
{
    return wide_set(way[0]) * wide_load(at[0] + r) + wide_set(way[1]) * wide_load(at[1] + r) +
           wide_set(way[2]) * wide_load(at[2] + r);
}

static WIDE_TARGET void WIDE_FN(row_heights)(double *const at[3], uint32_t count,
                                             const double way[3], double *height)
{
    for (uint32_t r = 0; r < count; r += WIDE_LANES)
        wide_store(height + r, WIDE_FN(rows_along)(at, r, way));
}

static WIDE_TARGET double WIDE_FN(row_top)(double *const at[3], uint32_t count, const double way[3],
                                           double *height)
{
    wide most = wide_set(-INFINITY);

    for (uint32_t r = 0; r < count; r += WIDE_LANES) {
        wide over = WIDE_FN(rows_along)(at, r, way);
        wide_store(height + r, over);
        most = wide_max(over, most);
    }
    return WIDE_FN(largest_lane)(most);
}

static WIDE_TARGET double WIDE_FN(face_gaps)(double *const face[4], uint32_t faces,
                                             double *const corner[3], uint32_t corners, double *gap)
{
    wide most = wide_set(-INFINITY);

    for (uint32_t f = 0; f < faces; f += WIDE_LANES) {
        wide x = wide_load(face[0] + f), y = wide_load(face[1] + f), z = wide_load(face[2] + f);
        wide low = wide_set(INFINITY);
        for (uint32_t c = 0; c < corners; c++)
            low = wide_min(x * wide_set(corner[0][c]) + y * wide_set(corner[1][c]) +
                               z * wide_set(corner[2][c]),
                           low);
        wide over = low - wide_load(face[3] + f);
        wide_store(gap + f, over);
        most = wide_max(over, most);
    }
    return WIDE_FN(largest_lane)(most);
}

static WIDE_TARGET scree_block_way WIDE_FN(block_way_through)(const scree_block_slopes *slopes,
                                                              const double at[3])
{
    const wide grain = wide_set(slopes->grain), flat = wide_set(slopes->flat);
    const wide less_grain = wide_set(-slopes->grain), less_flat = wide_set(-slopes->flat);
    wide enters = wide_set(-INFINITY), leaves = wide_set(-INFINITY);
    uint32_t outside = 0, walls = 0;

    for (uint32_t f = 0; f < slopes->count; f += WIDE_LANES) {
        wide cosine = wide_load(slopes->cosine + f);
        wide over = wide_load(slopes->face[0] + f) * wide_set(at[0]) +
                    wide_load(slopes->face[1] + f) * wide_set(at[1]) +
                    wide_load(slopes->face[2] + f) * wide_set(at[2]) -
                    wide_load(slopes->face[3] + f);
        wide size = wide_abs(cosine), way = over / cosine;
        uint32_t is_flat = wide_less_equal(size, flat), is_within = wide_less_equal(over, grain);
        uint32_t is_gentle = wide_less_equal(wide_set(slopes->steep), size);
        outside |= is_flat & ~is_within;
        walls |= is_within & wide_less_equal(less_grain, over) & ~is_flat & ~is_gentle;
        enters = wide_max(wide_where(cosine, flat, wide_set(-INFINITY), way), enters);
        leaves =
            wide_max(wide_where(less_flat, cosine, wide_set(-INFINITY), wide_set(0) - way), leaves);
    }
    return (scree_block_way){WIDE_FN(largest_lane)(enters), -WIDE_FN(largest_lane)(leaves),
                             outside != 0, walls != 0};
}

/*  Two segments a + x ea and b + y eb cross where x (ea x eb) = (b - a) x eb, and y (ea x eb) = (b - a) x ea; products
    of vectors in the plane. */
static WIDE_TARGET uint32_t WIDE_FN(crossing_segments)(double *const segment[SCREE_BLOCK_SEGMENT],
                                                       uint32_t count,
                                                       const double other[SCREE_BLOCK_SEGMENT],
                                                       double least, double slack, uint32_t *found)
{
    const wide u = wide_set(other[2]), v = wide_set(other[3]), less = wide_set(-slack);
    uint32_t many = 0;

    for (uint32_t r = 0; r < count; r += WIDE_LANES) {
        wide along[2] = {wide_load(segment[2] + r), wide_load(segment[3] + r)};
        wide between[2] = {wide_load(segment[0] + r) - wide_set(other[0]),
                           wide_load(segment[1] + r) - wide_set(other[1])};
        wide square = u * along[1] - v * along[0];
        wide x = between[0] * along[1] - between[1] * along[0];
        wide y = between[0] * v - between[1] * u;
        wide size = wide_abs(square);
        x = wide_where(wide_set(0), square, x, wide_set(0) - x);
        y = wide_where(wide_set(0), square, y, wide_set(0) - y);
        wide most = size + wide_set(slack);
        uint32_t is_low =
            wide_less_equal(wide_load(segment[4] + r) + wide_set(other[4]), wide_set(least));
        uint32_t crosses = wide_less_equal(less, x) & wide_less_equal(x, most) &
                           wide_less_equal(less, y) & wide_less_equal(y, most) & ~is_low;
        for (uint32_t lane = 0; lane < WIDE_LANES && crosses >> lane; lane++) {
            found[many] = r + lane;
            many += (crosses >> lane & 1) & (r + lane < count);
        }
    }
    return many;
}
