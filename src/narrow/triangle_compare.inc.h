/*  Tiles by comparison. Included for each SIMD instruction set, after triangle_exact.inc.h. */

static TRIANGLE_TILES void WIDE_FN(compare_tile)(TRIANGLE_TILE *tile, uint32_t count,
                                                 const scree_triangle_settings *settings,
                                                 scree_triangle_counts *counts)
{
    const wide zero = wide_set(0);
    (void)settings;
    counts->compared += count;
    for (uint32_t lane = 0; lane < count; lane += WIDE_LANES) {
        WIDE_FN(two_triangles) pair = WIDE_FN(load_pair)(tile, lane);
        WIDE_FN(pair_limits) limits = WIDE_FN(limits_of)(tile, lane, pair.size);
        WIDE_FN(nearest_pair) best = WIDE_FN(nearest_of)(&pair);
        WIDE_FN(pair_sight) sight = WIDE_FN(look_at)(&pair, best.x);
        wide apart = WIDE_FN(proved_apart)(&sight, &limits, zero);
        wide touch = wide_where(sight.square, limits.near_sq, limits.usable, zero);
        WIDE_FN(store_verdicts)
        (tile, lane, apart, touch, wide_less_equal(sight.square, limits.doubted_sq));
        WIDE_FN(store_shares)(tile, lane, best.x, sight.square);
    }
}
