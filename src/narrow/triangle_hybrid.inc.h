/*  The iteration of Noble and Weinzierl as published (arXiv:2105.12415, sections 4.2 and 4.3), with its own convergence
    test. Included for each SIMD instruction set, after triangle_pair.inc.h. Numbers (3) and (4) are theirs. */

/*  The penalty of a parameter outside of the triangle, and its derivative (3). */
TRIANGLE_INLINE wide WIDE_FN(penalty)(const wide x[2])
{
    const wide zero = wide_set(0), one = wide_set(1);
    return wide_max(x[0] - one, zero) + wide_max(zero - x[0], zero) + wide_max(x[1] - one, zero) +
           wide_max(zero - x[1], zero) + wide_max((x[0] + x[1]) - one, zero);
}

TRIANGLE_INLINE wide WIDE_FN(penalty_slope)(wide x, wide other)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide slope = wide_where(x, one, zero, one) - wide_where(zero, x, zero, one);
    return slope + wide_where(x + other, one, zero, one);
}

/*  The two halves of a step, (4). */
TRIANGLE_INLINE void WIDE_FN(step_published)(wide x[4], const wide step[4], const wide slope[4],
                                             wide push)
{
    for (int k = 0; k < 4; k++)
        x[k] = x[k] - step[k] * slope[k];
    for (int k = 0; k < 4; k += 2) {
        wide first = WIDE_FN(penalty_slope)(x[k], x[k + 1]);
        wide second = WIDE_FN(penalty_slope)(x[k + 1], x[k]);
        x[k] = x[k] - push * first;
        x[k + 1] = x[k + 1] - push * second;
    }
}

/*  In the tile's unit of length, so that parameters behave as in the caller's units. */
static TRIANGLE_TILES void WIDE_FN(iterate_tile)(TRIANGLE_TILE *tile, uint32_t count,
                                                 const scree_triangle_settings *settings,
                                                 scree_triangle_counts *counts)
{
    const wide zero = wide_set(0), half = wide_set(0.5), one = wide_set(1);
    const wide push = wide_set(settings->penalty / settings->regularisation);
    counts->iterations += (uint64_t)count * settings->steps;
    for (uint32_t lane = 0; lane < count; lane += WIDE_LANES) {
        WIDE_FN(two_triangles) pair = WIDE_FN(load_pair)(tile, lane);
        wide unit_sq = wide_load(&tile->unit_sq[lane]), reach = wide_load(&tile->reach[lane]);
        wide regular = wide_set(settings->regularisation) * unit_sq;
        wide weight = wide_set(settings->penalty) * unit_sq;
        const wide step[4] = {one / (WIDE_FN(triple_dot)(pair.a1, pair.a1) + regular),
                              one / (WIDE_FN(triple_dot)(pair.a2, pair.a2) + regular),
                              one / (WIDE_FN(triple_dot)(pair.f1, pair.f1) + regular),
                              one / (WIDE_FN(triple_dot)(pair.f2, pair.f2) + regular)};
        wide x[4] = {zero, zero, zero, zero}, before = wide_set(INFINITY);
        WIDE_FN(pair_sight) sight = WIDE_FN(look_at)(&pair, x);
        wide functional = half * sight.square;
        for (uint32_t k = 0; k < settings->steps; k++) {
            before = functional;
            WIDE_FN(step_published)(x, step, sight.slope, push);
            sight = WIDE_FN(look_at)(&pair, x);
            functional =
                half * sight.square + weight * (WIDE_FN(penalty)(x) + WIDE_FN(penalty)(x + 2));
        }
        wide usable = wide_where(pair.size, wide_set(TRIANGLE_LARGEST), one, zero);
        wide allowed = wide_load(&tile->unit[lane]) * wide_set(settings->acceptance * 0.5) * reach;
        wide decided = wide_where(wide_abs(functional - before), allowed, usable, zero);
        wide touch = wide_where(sight.square, reach * reach, decided, zero);
        WIDE_FN(store_verdicts)(tile, lane, decided - touch, touch, 0);
        WIDE_FN(store_shares)(tile, lane, x, sight.square);
    }
}
