/*  The nearest points of two triangles by iteration, with bounds that prove when enough is known. Included for each
    SIMD instruction set, after triangle_pair.inc.h.

    Each step descends the gradient of half the squared distance, each parameter by itself and half as far as it would
    alone (four at once could overshoot), and is projected back into the triangles. It starts from the centres. All
    pairs of a vector take as many steps as the slowest. The result of a pair that is apart is kept as it was when that
    was proved, so that neighbours make no difference. */

/*  Step length of each parameter: the factor over the second derivative; 0 for an edge that is a point. */
TRIANGLE_INLINE wide WIDE_FN(step_of)(WIDE_FN(triple) edge, wide factor)
{
    const wide zero = wide_set(0);
    wide square = WIDE_FN(triple_dot)(edge, edge);
    return wide_where(square, zero, zero, factor / (square * wide_set(1 + 1e-6)));
}

/*  Projects into the triangle. */
TRIANGLE_INLINE void WIDE_FN(project)(wide x[2])
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide a = wide_max(x[0], zero), b = wide_max(x[1], zero);
    wide beyond = wide_max((a + b) - one, zero) * wide_set(0.5);
    wide on_edge = WIDE_FN(clamped)(a - beyond);
    x[0] = wide_where(beyond, zero, a, on_edge);
    x[1] = wide_where(beyond, zero, b, one - on_edge);
}

TRIANGLE_INLINE void WIDE_FN(step_down)(wide x[4], const wide step[4], const wide slope[4])
{
    x[0] = x[0] - step[0] * slope[0];
    x[1] = x[1] - step[1] * slope[1];
    x[2] = x[2] - step[2] * slope[2];
    x[3] = x[3] - step[3] * slope[3];
    WIDE_FN(project)(x);
    WIDE_FN(project)(x + 2);
}

static inline uint32_t WIDE_FN(lanes_in)(uint32_t lane, uint32_t count)
{
    uint32_t left = count - lane;
    return left < WIDE_LANES ? (1u << left) - 1 : (uint32_t)(((uint64_t)1 << WIDE_LANES) - 1);
}

static TRIANGLE_TILES void WIDE_FN(certify_tile)(TRIANGLE_TILE *tile, uint32_t count,
                                                 const scree_triangle_settings *settings,
                                                 scree_triangle_counts *counts)
{
    const wide zero = wide_set(0), one = wide_set(1), third = wide_set(1.0 / 3);
    const wide factor = wide_set(settings->factor);
    const wide accuracy = wide_set(scree_triangle_accuracy(settings));
    for (uint32_t lane = 0; lane < count; lane += WIDE_LANES) {
        uint32_t asked = WIDE_FN(lanes_in)(lane, count);
        WIDE_FN(two_triangles) pair = WIDE_FN(load_pair)(tile, lane);
        WIDE_FN(pair_limits) limits = WIDE_FN(limits_of)(tile, lane, pair.size);
        wide x[4] = {third, third, third, third};
        WIDE_FN(pair_sight) sight = WIDE_FN(look_at)(&pair, x);
        wide square = sight.square, apart = WIDE_FN(proved_apart)(&sight, &limits, zero);
        uint32_t open = asked ^ (asked & wide_less_equal(one, apart));
        if (open) {
            const wide step[4] = {
                WIDE_FN(step_of)(pair.a1, factor), WIDE_FN(step_of)(pair.a2, factor),
                WIDE_FN(step_of)(pair.f1, factor), WIDE_FN(step_of)(pair.f2, factor)};
            for (uint32_t k = 0; k < settings->steps && open; k++) {
                counts->iterations += scree_count_bits(open);
                WIDE_FN(step_down)(x, step, sight.slope);
                sight = WIDE_FN(look_at)(&pair, x);
                square = wide_where(one, apart, square, sight.square);
                apart = WIDE_FN(proved_apart)(&sight, &limits, apart);
                open = asked ^ (asked & wide_less_equal(one, apart));
            }
        }
        /* square - apart is an upper bound of how far half the squared distance is above the minimum */
        wide touch = wide_where(sight.square, limits.near_sq, limits.usable, zero);
        wide reach = wide_load(&tile->reach_low[lane]);
        touch = wide_where(sight.square - sight.apart, accuracy * reach * reach, touch, zero);
        WIDE_FN(store_verdicts)
        (tile, lane, apart, touch, wide_less_equal(sight.square, limits.doubted_sq));
        WIDE_FN(store_shares)(tile, lane, x, square);
    }
}
