/*  The sweeps at one SIMD level: see sweep.c. The last lanes of a run may reach past its end; their
    bits are cut off. */

WIDE_TARGET static size_t WIDE_FN(append_hits)(uint32_t bits, size_t row, size_t end,
                                               uint32_t *hits, size_t count)
{
    if (end - row < WIDE_LANES)
        bits &= (1u << (end - row)) - 1u;
    for (; bits; bits &= bits - 1)
        hits[count++] = (uint32_t)row + scree_lowest_bit(bits);
    return count;
}

WIDE_TARGET static size_t WIDE_FN(sweep_spheres)(double *const column[], size_t i, size_t begin,
                                                 size_t end, uint32_t *hits)
{
    const double *x = column[0], *y = column[1], *z = column[2], *r = column[3];
    wide xi = wide_set(x[i]), yi = wide_set(y[i]), zi = wide_set(z[i]), ri = wide_set(r[i]);
    size_t count = 0;
    for (size_t row = begin; row < end; row += WIDE_LANES) {
        wide dx = wide_sub(xi, wide_load(x + row));
        wide dy = wide_sub(yi, wide_load(y + row));
        wide dz = wide_sub(zi, wide_load(z + row));
        wide reach = wide_add(ri, wide_load(r + row));
        wide distance_sq = wide_add(wide_add(wide_mul(dx, dx), wide_mul(dy, dy)), wide_mul(dz, dz));
        uint32_t bits = wide_less_equal(distance_sq, wide_mul(reach, reach));
        if (bits)
            count = WIDE_FN(append_hits)(bits, row, end, hits, count);
    }
    return count;
}

WIDE_TARGET static size_t WIDE_FN(sweep_boxes)(double *const column[], size_t i, size_t begin,
                                               size_t end, uint32_t *hits)
{
    size_t count = 0;
    for (size_t row = begin; row < end; row += WIDE_LANES) {
        uint32_t bits = ~0u;
        for (int k = 0; k < 3 && bits; k++) {
            const double *lower = column[k], *upper = column[3 + k];
            bits &= wide_less_equal(wide_set(lower[i]), wide_load(upper + row));
            bits &= wide_less_equal(wide_load(lower + row), wide_set(upper[i]));
        }
        if (bits)
            count = WIDE_FN(append_hits)(bits, row, end, hits, count);
    }
    return count;
}
