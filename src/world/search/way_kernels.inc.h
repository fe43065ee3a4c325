/*  Ways of bodies at one SIMD level: see way_kernels.h. */

/*  Every operation here errs by half a last bit of its result, and results are no more than what is added: the
    rest of `grain` is spare. */
static inline WIDE_TARGET wide WIDE_FN(shorten)(wide from, wide way)
{
    return from - (way + wide_abs(from) * wide_set(2 * DBL_EPSILON));
}

static WIDE_TARGET void WIDE_FN(follow_bodies)(const scree_crowd *bodies, const double (*before)[4],
                                               scree_surface_search *search, uint32_t begin,
                                               uint32_t end)
{
    const wide more = wide_set(1 + 16 * DBL_EPSILON);
    double *left = search->left, *clear = search->clear;
    uint32_t slot = begin;

    for (; slot + WIDE_LANES <= end; slot += WIDE_LANES) {
        wide a[4], b[4];
        wide_load_rows(bodies->position[slot], side_by_side, a);
        wide_load_rows(before[slot - begin], side_by_side, b);
        wide x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        wide way = wide_sqrt(x * x + y * y + z * z) * more;
        wide_store(left + slot, WIDE_FN(shorten)(wide_load(left + slot), way));
        wide_store(clear + slot, WIDE_FN(shorten)(wide_load(clear + slot), way));
    }
    if (slot < end && WIDE_LANES > 1)
        follow_bodies_scalar(bodies, before + (slot - begin), search, slot, end);
}
