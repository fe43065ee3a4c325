/*  Checks and bounds of a block at one SIMD level: see columns.c. Rows past the last are copies of it. */

#define WIDE_ALL ((1u << WIDE_LANES) - 1u)

WIDE_TARGET static bool WIDE_FN(usable_spheres)(const scree_block *block)
{
    const wide most = wide_set(SCREE_MAX_COORDINATE), none = wide_set(0);
    uint32_t all = WIDE_ALL;
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        for (int k = 0; k < 3; k++)
            all &= wide_less_equal(wide_abs(wide_load(block->number[k] + row)), most);
        wide r = wide_load(block->number[3] + row);
        all &= wide_less_equal(none, r) & wide_less_equal(r, most);
    }
    return all == WIDE_ALL;
}

WIDE_TARGET static bool WIDE_FN(usable_boxes)(const scree_block *block)
{
    const wide most = wide_set(SCREE_MAX_COORDINATE), least = wide_set(-SCREE_MAX_COORDINATE);
    uint32_t all = WIDE_ALL;
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        for (int k = 0; k < 3; k++) {
            wide lower = wide_load(block->number[k] + row);
            wide upper = wide_load(block->number[3 + k] + row);
            all &= wide_less_equal(least, lower) & wide_less_equal(lower, upper) &
                   wide_less_equal(upper, most);
        }
    }
    return all == WIDE_ALL;
}

/*  The checks of rows in change.c, on one axis: boxes, */
WIDE_TARGET static bool WIDE_FN(boxes_fit_period)(const scree_block *block, uint32_t axis,
                                                  double period)
{
    const wide half = wide_set(0.5 * period), most = wide_set(SCREE_CELL_MAX_PERIODS * period);
    uint32_t near = WIDE_ALL, wide_ones = 0;
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        wide place = wide_load(block->number[axis] + row);
        wide end = wide_load(block->number[3 + axis] + row);
        near &= wide_less_equal(wide_abs(place), most);
        wide_ones |= wide_less_equal(half, wide_sub(end, place));
    }
    return near == WIDE_ALL && wide_ones == 0;
}

/*  and all axes of spheres: where there is no period, it is infinite. */
WIDE_TARGET static bool WIDE_FN(spheres_fit_periods)(const scree_block *block,
                                                     const double period[3])
{
    const double *x = block->number[0], *y = block->number[1], *z = block->number[2];
    const wide max_x = wide_set(SCREE_CELL_MAX_PERIODS * period[0]),
               max_y = wide_set(SCREE_CELL_MAX_PERIODS * period[1]),
               max_z = wide_set(SCREE_CELL_MAX_PERIODS * period[2]);
    const double least = period[0] < period[1] ? (period[0] < period[2] ? period[0] : period[2])
                                               : (period[1] < period[2] ? period[1] : period[2]);
    const wide half = wide_set(0.5 * least), two = wide_set(2);
    uint32_t near = WIDE_ALL, wide_ones = 0;
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        near &= wide_less_equal(wide_abs(wide_load(x + row)), max_x) &
                wide_less_equal(wide_abs(wide_load(y + row)), max_y) &
                wide_less_equal(wide_abs(wide_load(z + row)), max_z);
        wide_ones |= wide_less_equal(half, wide_mul(two, wide_load(block->number[3] + row)));
    }
    return near == WIDE_ALL && wide_ones == 0;
}

/*  Puts two wides into bounds of one axis. */
WIDE_TARGET static void WIDE_FN(join_bounds)(wide least, wide largest, scree_box *bounds,
                                             uint32_t axis)
{
    double low[WIDE_LANES], high[WIDE_LANES];
    wide_store(low, least);
    wide_store(high, largest);
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        bounds->lower[axis] = low[lane] < bounds->lower[axis] ? low[lane] : bounds->lower[axis];
        bounds->upper[axis] = high[lane] > bounds->upper[axis] ? high[lane] : bounds->upper[axis];
    }
}

/*  The formula of scree_sphere_bounds, operation by operation. Without `lower` only the bounds are wanted. */
WIDE_TARGET static void WIDE_FN(bound_spheres)(const scree_block *block, uint32_t axis,
                                               double *lower, double *upper, scree_box *bounds)
{
    const double *centre = block->number[axis], *radius = block->number[3];
    wide least = wide_set(bounds->lower[axis]), largest = wide_set(bounds->upper[axis]);
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        wide c = wide_load(centre + row), r = wide_load(radius + row);
        wide reach = wide_add(wide_mul(wide_set(4 * DBL_EPSILON), wide_add(wide_abs(c), r)),
                              wide_set(0x1p-536));
        wide low = wide_sub(wide_sub(c, r), reach), high = wide_add(wide_add(c, r), reach);
        if (lower) {
            wide_store(lower + row, low);
            wide_store(upper + row, high);
        }
        least = wide_min(low, least);
        largest = wide_max(high, largest);
    }
    WIDE_FN(join_bounds)(least, largest, bounds, axis);
}

/*  Least and largest of the four numbers of spheres; together, so that none waits for another. */
WIDE_TARGET static void WIDE_FN(range_of_spheres)(const scree_block *block,
                                                  scree_sphere_range *range)
{
    wide least[4], largest[4];
    for (int k = 0; k < 4; k++) {
        least[k] = wide_set(range->least[k]);
        largest[k] = wide_set(range->most[k]);
    }
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES)
        for (int k = 0; k < 4; k++) {
            wide number = wide_load(block->number[k] + row);
            least[k] = wide_min(number, least[k]);
            largest[k] = wide_max(number, largest[k]);
        }
    for (int k = 0; k < 4; k++) {
        double low[WIDE_LANES], high[WIDE_LANES];
        wide_store(low, least[k]);
        wide_store(high, largest[k]);
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            range->least[k] = low[lane] < range->least[k] ? low[lane] : range->least[k];
            range->most[k] = high[lane] > range->most[k] ? high[lane] : range->most[k];
        }
    }
}

WIDE_TARGET static void WIDE_FN(bound_boxes)(const scree_block *block, uint32_t axis,
                                             scree_box *bounds)
{
    const wide zero = wide_set(0); /* turns -0.0 into +0.0 */
    wide least = wide_set(bounds->lower[axis]), largest = wide_set(bounds->upper[axis]);
    for (uint32_t row = 0; row < block->count; row += WIDE_LANES) {
        least = wide_min(wide_add(wide_load(block->number[axis] + row), zero), least);
        largest = wide_max(wide_add(wide_load(block->number[3 + axis] + row), zero), largest);
    }
    WIDE_FN(join_bounds)(least, largest, bounds, axis);
}

#undef WIDE_ALL
