/*  The search of a bvh8 tree at one SIMD level: see bvh8_search.c. Eight lanes are one, two or eight
    steps. Lists are appended to without a branch: all lanes are written, those that hit are counted;
    so they have room for eight more than they hold. */

/*  Appends those of from[0..WIDE_LANES), each plus `base`, whose bit is set. */
WIDE_TARGET static inline uint32_t WIDE_FN(append)(uint32_t *to, const uint32_t *from,
                                                   uint32_t base, uint32_t mask)
{
#if WIDE_LEVEL == WIDE_SCALAR
    *to = *from + base;
    return mask;
#elif WIDE_LEVEL == WIDE_128
    to[0] = from[mask == 2] + base;
    to[1] = from[1] + base;
    return (mask & 1) + (mask >> 1);
#elif WIDE_LEVEL == WIDE_AVX2
    __m128i chosen = _mm_loadu_si128((const void *)chosen_lanes[mask]);
    __m128i lanes = _mm_add_epi32(_mm_loadu_si128((const void *)from), _mm_set1_epi32((int)base));
    _mm_storeu_ps((void *)to, _mm_permutevar_ps(_mm_castsi128_ps(lanes), chosen));
    return (uint32_t)__builtin_popcount(mask);
#else
    __m256i lanes =
        _mm256_add_epi32(_mm256_loadu_si256((const void *)from), _mm256_set1_epi32((int)base));
    __m512i chosen = _mm512_maskz_compress_epi32((__mmask16)mask, _mm512_castsi256_si512(lanes));
    _mm256_storeu_si256((void *)to, _mm512_castsi512_si256(chosen));
    return (uint32_t)__builtin_popcount(mask);
#endif
}

WIDE_TARGET static inline void WIDE_FN(repeat)(uint32_t *to, uint32_t value)
{
#if WIDE_LEVEL == WIDE_SCALAR || WIDE_LEVEL == WIDE_128
    for (uint32_t i = 0; i < 8; i++)
        to[i] = value;
#else
    _mm256_storeu_si256((void *)to, _mm256_set1_epi32((int)value));
#endif
}

/*  A box in all lanes. */
typedef struct WIDE_FN(wide_box)
{
    wide lower[3], upper[3];
} WIDE_FN(wide_box);

/*  Box `lane` of a group. */
WIDE_TARGET static inline WIDE_FN(wide_box)
    WIDE_FN(box_of_group)(const double *group, uint32_t lane)
{
    WIDE_FN(wide_box) box;
    for (uint32_t k = 0; k < 3; k++) {
        box.lower[k] = wide_set(group[k * 8 + lane]);
        box.upper[k] = wide_set(group[(3 + k) * 8 + lane]);
    }
    return box;
}

/*  Which of the group's boxes [lane, lane + WIDE_LANES) overlap. */
WIDE_TARGET static inline uint32_t WIDE_FN(overlapping_boxes)(const double *group, uint32_t lane,
                                                              const WIDE_FN(wide_box) * box)
{
    const double *at = group + lane;
    uint32_t mask = wide_less_equal(wide_load(at), box->upper[0]);
    mask &= wide_less_equal(wide_load(at + 8), box->upper[1]);
    mask &= wide_less_equal(wide_load(at + 16), box->upper[2]);
    mask &= wide_less_equal(box->lower[0], wide_load(at + 24));
    mask &= wide_less_equal(box->lower[1], wide_load(at + 32));
    return mask & wide_less_equal(box->lower[2], wide_load(at + 40));
}

/*  Appends the boxes of a group that overlap, as numbers first to first + 7; `lanes` are those asked
    for. */
WIDE_TARGET static inline uint32_t WIDE_FN(select_boxes)(const double *group, uint32_t first,
                                                         uint32_t lanes,
                                                         const WIDE_FN(wide_box) * box,
                                                         uint32_t *to)
{
    uint32_t fill = 0;
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        uint32_t mask = WIDE_FN(overlapping_boxes)(group, lane, box) & lanes >> lane;
        fill += WIDE_FN(append)(to + fill, lane_numbers + lane, first, mask);
    }
    return fill;
}

/*  Body `b` of one leaf against those of another in `lanes`: those that it overlaps are put into the
    sink, which has room, from place `fill` on. Returns the place after them. */
WIDE_TARGET static inline uint32_t WIDE_FN(meet_sphere)(const double *own, uint32_t b,
                                                        const double *other,
                                                        const uint32_t *other_id, uint32_t lanes,
                                                        uint32_t fill, scree_sink *sink)
{
    wide x = wide_set(own[b]), y = wide_set(own[8 + b]), z = wide_set(own[16 + b]),
         r = wide_set(own[24 + b]);
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        wide dx = wide_sub(x, wide_load(other + lane));
        wide dy = wide_sub(y, wide_load(other + 8 + lane));
        wide dz = wide_sub(z, wide_load(other + 16 + lane));
        wide reach = wide_add(r, wide_load(other + 24 + lane));
        wide distance_sq = wide_add(wide_add(wide_mul(dx, dx), wide_mul(dy, dy)), wide_mul(dz, dz));
        uint32_t mask = wide_less_equal(distance_sq, wide_mul(reach, reach)) & lanes >> lane;
        fill += WIDE_FN(append)(sink->second + fill, other_id + lane, 0, mask);
    }
    return fill;
}

WIDE_TARGET static inline uint32_t WIDE_FN(meet_box)(const double *own, uint32_t b,
                                                     const double *other, const uint32_t *other_id,
                                                     uint32_t lanes, uint32_t fill,
                                                     scree_sink *sink)
{
    WIDE_FN(wide_box) box = WIDE_FN(box_of_group)(own, b);
    for (uint32_t lane = 0; lane < 8; lane += WIDE_LANES) {
        uint32_t mask = WIDE_FN(overlapping_boxes)(other, lane, &box) & lanes >> lane;
        fill += WIDE_FN(append)(sink->second + fill, other_id + lane, 0, mask);
    }
    return fill;
}

/*  The same for either kind, and with a sink that may be full. */
WIDE_TARGET static inline uint32_t WIDE_FN(meet)(const leaf_search *own, uint32_t b,
                                                 const double *other, const uint32_t *other_id,
                                                 uint32_t lanes, uint32_t fill, scree_sink *sink)
{
    if (fill > SCREE_SINK_CAPACITY - 8) {
        sink->fill = fill;
        sink->flush(sink);
        fill = 0;
    }
    WIDE_FN(repeat)(sink->first + fill, own->id[b]);
    return own->has_spheres
               ? WIDE_FN(meet_sphere)(own->columns, b, other, other_id, lanes, fill, sink)
               : WIDE_FN(meet_box)(own->columns, b, other, other_id, lanes, fill, sink);
}

/*  Tests the bodies of `leaf` against those of the listed leaves. First boxes show which of the eight bodies can
    reach which leaf; the remaining tests are done in one loop, since their number per leaf cannot be predicted. */
WIDE_TARGET static void WIDE_FN(meet_leaves)(const scree_bvh8 *tree, const leaf_search *own,
                                             const uint32_t *leaves, uint32_t count,
                                             scree_sink *sink)
{
    uint32_t body[CHUNK * 8 + 8], where[CHUNK * 8 + 8], fill = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *group = scree_bvh8_group(tree, 0, leaves[i] / 8);
        WIDE_FN(wide_box) box = WIDE_FN(box_of_group)(group, leaves[i] % 8);
        WIDE_FN(repeat)(where + fill, leaves[i]);
        fill += WIDE_FN(select_boxes)(own->boxes, 0, 255, &box, body + fill);
    }
    uint32_t out = sink->fill;
    for (uint32_t i = 0; i < fill; i++)
        out = WIDE_FN(meet)(own, body[i], scree_bvh8_leaf(tree, where[i]),
                            tree->id + (size_t)where[i] * 8, 255, out, sink);
    sink->fill = out;
}

/*  Pairs within the leaf: each body with those after it. */
WIDE_TARGET static void WIDE_FN(meet_own)(const leaf_search *own, scree_sink *sink)
{
    uint32_t fill = sink->fill;
    for (uint32_t b = 0; b < 7; b++)
        fill = WIDE_FN(meet)(own, b, own->columns, own->id, 255u & ~1u << b, fill, sink);
    sink->fill = fill;
}

/*  All pairs of one leaf with itself and with later leaves, which are among the groups listed; the
    first of them is its own. */
WIDE_TARGET static void WIDE_FN(search_leaf)(const scree_bvh8 *tree, uint32_t leaf,
                                             const uint32_t *groups, uint32_t count,
                                             scree_sink *sink)
{
    uint32_t leaves[CHUNK + 8], fill = 0;
    const double *own_group = scree_bvh8_group(tree, 0, leaf / 8);
    WIDE_FN(wide_box) box = WIDE_FN(box_of_group)(own_group, leaf % 8);
    leaf_search own;
    prepare_leaf(tree, leaf, &own);
    WIDE_FN(meet_own)(&own, sink);
    for (uint32_t i = 0; i < count; i++) {
        const double *group = scree_bvh8_group(tree, 0, groups[i]);
        uint32_t lanes = i == 0 ? 255u & ~1u << leaf % 8 : 255;
        fill += WIDE_FN(select_boxes)(group, groups[i] * 8, lanes, &box, leaves + fill);
        if (fill > CHUNK - 8) {
            WIDE_FN(meet_leaves)(tree, &own, leaves, fill, sink);
            fill = 0;
        }
    }
    WIDE_FN(meet_leaves)(tree, &own, leaves, fill, sink);
}

/*  Lists the groups of leaves that may meet `group`: itself, then later ones. From the top down, at each level: the
    boxes after the group's own ancestor among its siblings, and the children of those found a level above. Lists
    have room for all boxes of level 1. */
WIDE_TARGET static uint32_t WIDE_FN(list_groups)(const scree_bvh8 *tree, uint32_t group,
                                                 uint32_t *list[2])
{
    uint32_t fill = 0;
    uint32_t *now = list[0], *before = list[1];
    if (tree->level_count > 1) {
        const double *own = scree_bvh8_group(tree, 1, group / 8);
        WIDE_FN(wide_box) box = WIDE_FN(box_of_group)(own, group % 8);
        for (uint32_t level = tree->level_count - 1; level > 0; level--) {
            uint32_t before_fill = fill, forebear = group >> 3 * (level - 1);
            uint32_t *other = now;
            now = before;
            before = other;
            fill =
                WIDE_FN(select_boxes)(scree_bvh8_group(tree, level, forebear / 8), forebear / 8 * 8,
                                      255u & ~1u << forebear % 8, &box, now + 1);
            for (uint32_t i = 0; i < before_fill; i++)
                fill += WIDE_FN(select_boxes)(scree_bvh8_group(tree, level, before[1 + i]),
                                              before[1 + i] * 8, 255, &box, now + 1 + fill);
        }
    }
    now[0] = group;
    list[0] = now;
    list[1] = before;
    return fill + 1;
}

WIDE_TARGET static void WIDE_FN(search_groups)(const scree_bvh8 *tree, uint32_t begin, uint32_t end,
                                               uint32_t *list[2], scree_sink *sink)
{
    for (uint32_t group = begin; group < end && !sink->stopped; group++) {
        uint32_t count = WIDE_FN(list_groups)(tree, group, list);
        uint32_t leaf_end = (uint32_t)scree_block_end(group, 8, tree->box_count[0]);
        for (uint32_t leaf = group * 8; leaf < leaf_end && !sink->stopped; leaf++)
            WIDE_FN(search_leaf)(tree, leaf, list[0], count, sink);
    }
}
