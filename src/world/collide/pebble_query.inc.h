/*  Finds pebbles that may reach into a sphere, at one SIMD level: see pebble_query.h. */

static WIDE_TARGET uint32_t WIDE_FN(sift_pebbles)(const double (*pebble)[4], uint32_t count,
                                                  const double centre[3], double more,
                                                  uint32_t *near)
{
    uint32_t found = 0, at = 0;

    for (; at + WIDE_LANES <= count; at += WIDE_LANES) {
        wide column[4], away_sq = wide_set(0);
        wide_load_rows(pebble[at], one_after_another, column);
        for (int k = 0; k < 3; k++) {
            wide step = column[k] - wide_set(centre[k]);
            away_sq = away_sq + step * step;
        }
        wide reach = column[3] + wide_set(more);
        uint32_t is_near = wide_less_equal(away_sq, reach * reach);
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            near[found] = at + lane;
            found += is_near >> lane & 1;
        }
    }
    for (; at < count; at++) {
        uint32_t one[9];
        near[found] = at;
        found += sift_pebbles_scalar(pebble + at, 1, centre, more, one);
    }
    return found;
}
