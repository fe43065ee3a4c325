/*  A pair of triangles, several in a vector, and what a pair of their points implies. Included for each SIMD
    instruction set, after segment_edges.inc.h. `x` are the parameters of the two edges from the first corner, of the
    first triangle and of the second. */

/*  Relative to the first corner of the first triangle. */
typedef struct
{
    WIDE_FN(triple) a1, a2;     /* the first triangle's other corners */
    WIDE_FN(triple) b0, f1, f2; /* the second's first corner, and its edges from there */
    wide size;                  /* the largest magnitude of all coordinates */
} WIDE_FN(two_triangles);

typedef struct
{
    WIDE_FN(triple) away; /* from the point of the second to that of the first */
    wide square;          /* its squared length */
    wide slope[4];        /* derivative of half of that by each x */
    wide apart; /* separation of the triangles along `away`, times its length; below 0: none */
} WIDE_FN(pair_sight);

TRIANGLE_INLINE wide WIDE_FN(size_with)(WIDE_FN(triple) a, wide size)
{
    size = wide_max(wide_abs(a.x), size);
    size = wide_max(wide_abs(a.y), size);
    return wide_max(wide_abs(a.z), size);
}

TRIANGLE_INLINE WIDE_FN(triple)
    WIDE_FN(corner_at)(const TRIANGLE_TILE *tile, int corner, uint32_t lane)
{
    return (WIDE_FN(triple)){wide_load(&tile->corner[3 * corner][lane]),
                             wide_load(&tile->corner[3 * corner + 1][lane]),
                             wide_load(&tile->corner[3 * corner + 2][lane])};
}

TRIANGLE_INLINE WIDE_FN(two_triangles) WIDE_FN(load_pair)(const TRIANGLE_TILE *tile, uint32_t lane)
{
    WIDE_FN(two_triangles)
    pair = {.a1 = WIDE_FN(corner_at)(tile, 0, lane),
            .a2 = WIDE_FN(corner_at)(tile, 1, lane),
            .b0 = WIDE_FN(corner_at)(tile, 2, lane)};
    WIDE_FN(triple) b1 = WIDE_FN(corner_at)(tile, 3, lane), b2 = WIDE_FN(corner_at)(tile, 4, lane);
    wide size = wide_set(0);
    size = WIDE_FN(size_with)(pair.a1, size);
    size = WIDE_FN(size_with)(pair.a2, size);
    size = WIDE_FN(size_with)(pair.b0, size);
    size = WIDE_FN(size_with)(b1, size);
    pair.size = WIDE_FN(size_with)(b2, size);
    pair.f1 = WIDE_FN(triple_minus)(b1, pair.b0);
    pair.f2 = WIDE_FN(triple_minus)(b2, pair.b0);
    return pair;
}

/*  The vector from the point of the second to that of the first. */
TRIANGLE_INLINE WIDE_FN(triple)
    WIDE_FN(way_at)(const WIDE_FN(two_triangles) * pair, const wide x[4])
{
    WIDE_FN(triple)
    first = {x[0] * pair->a1.x + x[1] * pair->a2.x, x[0] * pair->a1.y + x[1] * pair->a2.y,
             x[0] * pair->a1.z + x[1] * pair->a2.z};
    WIDE_FN(triple)
    second = {x[2] * pair->f1.x + x[3] * pair->f2.x, x[2] * pair->f1.y + x[3] * pair->f2.y,
              x[2] * pair->f1.z + x[3] * pair->f2.z};
    second.x = second.x + pair->b0.x;
    second.y = second.y + pair->b0.y;
    second.z = second.z + pair->b0.z;
    return WIDE_FN(triple_minus)(first, second);
}

/*  A plane perpendicular to `away` with the first triangle on one side and the second on the other separates them: the
    dot products are the derivatives. */
TRIANGLE_INLINE WIDE_FN(pair_sight)
    WIDE_FN(look_at)(const WIDE_FN(two_triangles) * pair, const wide x[4])
{
    const wide zero = wide_set(0);
    WIDE_FN(pair_sight) sight = {.away = WIDE_FN(way_at)(pair, x)};
    sight.square = WIDE_FN(triple_dot)(sight.away, sight.away);
    sight.slope[0] = WIDE_FN(triple_dot)(sight.away, pair->a1);
    sight.slope[1] = WIDE_FN(triple_dot)(sight.away, pair->a2);
    wide rise1 = WIDE_FN(triple_dot)(sight.away, pair->f1);
    wide rise2 = WIDE_FN(triple_dot)(sight.away, pair->f2);
    sight.slope[2] = zero - rise1;
    sight.slope[3] = zero - rise2;
    wide least = wide_min(wide_min(sight.slope[0], sight.slope[1]), zero);
    wide most = wide_max(wide_max(rise1, rise2), zero);
    sight.apart = least - (WIDE_FN(triple_dot)(sight.away, pair->b0) + most);
    return sight;
}

/*  Limits of the decisions, each with the margin that rounding may need; see triangle_tile.h. */
typedef struct
{
    wide usable;     /* 1; 0: too large for these numbers */
    wide near_sq;    /* points no farther apart than this prove contact */
    wide far_sq;     /* a separation of this proves that triangles are apart */
    wide doubted_sq; /* the direction between points that are so near is noise */
} WIDE_FN(pair_limits);

TRIANGLE_INLINE WIDE_FN(pair_limits)
    WIDE_FN(limits_of)(const TRIANGLE_TILE *tile, uint32_t lane, wide size)
{
    const wide zero = wide_set(0), tiny = wide_set(TRIANGLE_TINY);
    wide margin = size * wide_set(TRIANGLE_MARGIN);
    wide near = wide_load(&tile->reach_low[lane]) - margin;
    wide far = wide_load(&tile->reach_high[lane]) + margin;
    wide doubted = margin * wide_set(TRIANGLE_DOUBT);
    near = wide_max(near, zero);
    return (WIDE_FN(pair_limits)){
        .usable = wide_where(size, wide_set(TRIANGLE_LARGEST), wide_set(1), zero),
        .near_sq = near * near - tiny,
        .far_sq = far * far,
        .doubted_sq = doubted * doubted,
    };
}

/*  1 if this proves them apart, otherwise `before`. */
TRIANGLE_INLINE wide WIDE_FN(proved_apart)(const WIDE_FN(pair_sight) * sight,
                                           const WIDE_FN(pair_limits) * limits, wide before)
{
    wide enough = sight->square * limits->far_sq + wide_set(TRIANGLE_TINY);
    wide has = sight->apart * wide_abs(sight->apart);
    return wide_where(enough, has, limits->usable, before);
}

/*  Bytes of eight lanes, the first lane in the lowest; of fewer if there are fewer. */
TRIANGLE_INLINE void WIDE_FN(store_bytes)(uint8_t *to, uint64_t bytes)
{
    memcpy(to, &bytes, WIDE_LANES < sizeof bytes ? WIDE_LANES : sizeof bytes);
}

/*  The state of a vector of pairs; apart and touch are 1 or 0. */
TRIANGLE_INLINE void WIDE_FN(store_verdicts)(TRIANGLE_TILE *tile, uint32_t lane, wide apart,
                                             wide touch, uint32_t doubted)
{
    const wide one = wide_set(1);
    uint32_t are_apart = wide_less_equal(one, apart);
    uint32_t do_touch = wide_less_equal(one, touch) & ~are_apart;
    for (uint32_t k = 0; k < WIDE_LANES; k += 8) {
        uint64_t verdicts = SCREE_TRIANGLES_APART * scree_bytes_of_bits(are_apart >> k) +
                            SCREE_TRIANGLES_TOUCH * scree_bytes_of_bits(do_touch >> k);
        WIDE_FN(store_bytes)(tile->verdict + lane + k, verdicts);
        WIDE_FN(store_bytes)(tile->doubted + lane + k, scree_bytes_of_bits(doubted >> k));
    }
}

TRIANGLE_INLINE void WIDE_FN(store_shares)(TRIANGLE_TILE *tile, uint32_t lane, const wide x[4],
                                           wide square)
{
    wide_store(&tile->share[0][lane], x[0]);
    wide_store(&tile->share[1][lane], x[1]);
    wide_store(&tile->share[2][lane], x[2]);
    wide_store(&tile->share[3][lane], x[3]);
    wide_store(&tile->square[lane], square);
}
