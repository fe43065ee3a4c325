/*  Displacements of bodies at one SIMD level: see way_kernels.h. */

/*  Each operation has an error of half a unit in the last place, and results are no larger than the operands;
    `grain` includes more than that. */
static inline WIDE_TARGET wide WIDE_FN(shorten)(wide from, wide way)
{
    return from - (way + wide_abs(from) * wide_set(2 * DBL_EPSILON));
}

static inline WIDE_TARGET void WIDE_FN(take_way)(scree_wall_contact_search *search, uint32_t slot,
                                                 wide way)
{
    double *left = search->left + slot, *clear = search->clear + slot;

    wide_store(left, WIDE_FN(shorten)(wide_load(left), way));
    wide_store(clear, WIDE_FN(shorten)(wide_load(clear), way));
}

static WIDE_TARGET double WIDE_FN(follow_bodies)(const scree_body_arrays *bodies,
                                                 const double (*before)[4],
                                                 scree_wall_contact_search *search, uint32_t begin,
                                                 uint32_t end)
{
    const wide more = wide_set(1 + 16 * DBL_EPSILON);
    wide largest = wide_set(0), sum = wide_set(0);
    double lanes[2][WIDE_LANES], most = 0;
    uint32_t slot = begin;

    for (; slot + WIDE_LANES <= end; slot += WIDE_LANES) {
        wide a[4], b[4];
        wide_load_rows(bodies->position[slot], side_by_side, a);
        wide_load_rows(before[slot - begin], side_by_side, b);
        wide x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        wide way = wide_sqrt(x * x + y * y + z * z) * more;
        largest = wide_max(way, largest);
        sum = sum + way;
        if (search)
            WIDE_FN(take_way)(search, slot, way);
    }
    if (slot < end && WIDE_LANES > 1)
        most = follow_bodies_scalar(bodies, before + (slot - begin), search, slot, end);
    wide_store(lanes[0], largest);
    wide_store(lanes[1], sum);
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        most = lanes[0][lane] > most ? lanes[0][lane] : most;
        /* a maximum ignores NaN, a sum does not */
        most = lanes[1][lane] < INFINITY ? most : INFINITY;
    }
    return most;
}
