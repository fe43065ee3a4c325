/*  Finds pebbles that may reach into a sphere, at one SIMD level: see pebble_query.h. */

static WIDE_TARGET uint32_t WIDE_FN(sift_pebbles)(const double (*pebble)[4], uint32_t count,
                                                  const double centre[3], double more,
                                                  uint32_t *near)
{
    const wide x = wide_set(centre[0]), y = wide_set(centre[1]), z = wide_set(centre[2]);
    uint32_t found = 0;

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        wide column[4];
        wide_load_rows(pebble[at], one_after_another, column);
        wide away_sq = (column[0] - x) * (column[0] - x) + (column[1] - y) * (column[1] - y) +
                       (column[2] - z) * (column[2] - z);
        wide reach = column[3] + wide_set(more);
        uint32_t is_near = wide_less_equal(away_sq, reach * reach);
        for (uint32_t lane = 0; lane < WIDE_LANES && is_near >> lane; lane++) {
            near[found] = at + lane;
            found += (is_near >> lane & 1) & (at + lane < count);
        }
    }
    return found;
}
