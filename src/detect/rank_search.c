/*  Eight bodies at a time are compared without a branch, which compilers turn into vector code;
    only where any of the eight overlaps, as few do, each is looked at alone. */
#include "detect/rank_search.h"

#define RANK_LANES 8u

/*  Negative if the interval (begin, end) and that of body k overlap. Differences instead of
    comparisons, as compilers find vectors in them sooner; ranks are not negative, so nothing
    overflows. */
static inline int32_t overlap_sign(const scree_ranks *axis, size_t k, int32_t begin, int32_t end)
{
    return (axis->lower[k] - end) & (begin - axis->upper[k]);
}

/*  `both` is a constant wherever this and the next are called, so no choice is left in the
    loops. */
static inline size_t collect_hits(scree_ranks a, scree_ranks b, bool both, size_t i, size_t first,
                                  size_t last, uint32_t *hits)
{
    size_t hit_count = 0;
    for (size_t j = first; j < last; j++) {
        int32_t sign = overlap_sign(&a, j, a.lower[i], a.upper[i]) &
                       (both ? overlap_sign(&b, j, b.lower[i], b.upper[i]) : -1);
        hits[hit_count] = (uint32_t)j;
        hit_count += sign < 0;
    }
    return hit_count;
}

static inline size_t search_axes(scree_ranks a, scree_ranks b, bool both, size_t i, size_t first,
                                 size_t last, uint32_t *hits)
{
    int32_t begin_a = a.lower[i], end_a = a.upper[i], begin_b = b.lower[i], end_b = b.upper[i];
    size_t hit_count = 0, j = first;

    for (; j + RANK_LANES <= last; j += RANK_LANES) {
        int32_t any = 0;
        for (size_t lane = 0; lane < RANK_LANES; lane++)
            any |= overlap_sign(&a, j + lane, begin_a, end_a) &
                   (both ? overlap_sign(&b, j + lane, begin_b, end_b) : -1);
        if (any < 0)
            hit_count += collect_hits(a, b, both, i, j, j + RANK_LANES, hits + hit_count);
    }
    return hit_count + collect_hits(a, b, both, i, j, last, hits + hit_count);
}

size_t scree_rank_search(const scree_ranks *other, int count, size_t i, size_t first, size_t last,
                         uint32_t *hits)
{
    return count == 2 ? search_axes(other[0], other[1], true, i, first, last, hits)
                      : search_axes(other[0], other[0], false, i, first, last, hits);
}
