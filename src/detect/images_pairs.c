/*  Which candidates stand for pairs.

    Two bodies overlap if their nearest images do; the rule evaluates this on the numbers as given, so
    it does not depend on how bodies are wrapped here. Methods see body i moved by the lattice vector of
    l_i, so a candidate {i, j} of the method is the body of i with the image of the body of j that is
    n = l_j - l_i away. It stands for the pair if that is the nearest one, and is not both an image: then
    it is the only candidate that does, as images.c shows.

    NARROW. If no body is wider than 0.49 of a period, and none lies more than some millions of
    periods away, the nearest image need not be looked for. Should the rule's own formula find that the
    image n periods away overlaps, centres are less than 0.49 of a period apart on each axis: rounding
    included, n is what rounding to the nearest integer gives, on z, then on y and on x. And where an
    exact method finds that two bodies which are not moved overlap, n is 0 and it has used that
    formula already.

    CLEAR. Let g be the largest grain of images_place.c. Radii as methods see them are larger by g at most, places
    are off by less than g / 9, and the rule's difference and sums by less than g / 3. So where two spheres as
    methods see them overlap by more than 16 g, the rule finds that they do: nearly always, and for half the memory
    that the rule would read. */
#include "detect/exact.h"
#include "detect/images.h"

#include "base/bits.h"
#include "base/prefetch.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

#include <string.h>

void scree_images_nearest(const scree_cell *cell, const scree_store *store, uint32_t i, uint32_t j,
                          double n[3])
{
    double a[3], b[3], difference[3];
    scree_images_centre(store, i, a);
    scree_images_centre(store, j, b);
    for (int k = 0; k < 3; k++)
        difference[k] = a[k] - b[k];
    scree_cell_nearest(cell, difference, n);
}

/*  The rule for the image of j that is n away, as it is worded in scree/detect.h. Where i and j change
    places and n its sign, every number is the same or the opposite. */
static bool image_overlaps(const scree_images *images, const scree_store *store, uint32_t i,
                           uint32_t j, const double n[3])
{
    double by[3];
    scree_cell_vector(&images->cell, n, by);
    if (store->sphere) {
        const double *a = store->sphere[i], *b = store->sphere[j];
        double dx = (a[0] - b[0]) - by[0], dy = (a[1] - b[1]) - by[1], dz = (a[2] - b[2]) - by[2];
        double reach = a[3] + b[3];
        return dx * dx + dy * dy + dz * dz <= reach * reach;
    }
    const scree_box *a = &store->box[i], *b = &store->box[j];
    bool overlap = true;
    for (int k = 0; k < 3; k++)
        overlap &= a->lower[k] - b->upper[k] <= by[k] && b->lower[k] - a->upper[k] <= -by[k];
    return overlap;
}

static uint32_t owner_of(const scree_images *images, uint32_t index)
{
    return index < images->bound ? index : images->owner[index - images->bound];
}

/*  How far away the image of the second is that a candidate stands for. */
static void find_distance(const scree_images *images, uint32_t i, uint32_t j, double n[3])
{
    bool i_moved = scree_images_is_moved(images, i), j_moved = scree_images_is_moved(images, j);
    for (int k = 0; k < 3; k++)
        n[k] = (j_moved ? images->lattice[j][k] : 0) - (i_moved ? images->lattice[i][k] : 0);
}

/*  For any cell and any bodies. */
static bool is_nearest_pair(const scree_images *images, const scree_store *store, bool is_coarse,
                            uint32_t i, uint32_t j)
{
    double n[3], nearest[3];
    uint32_t a = owner_of(images, i), b = owner_of(images, j);
    if (a == b || (i >= images->bound && j >= images->bound))
        return false;
    find_distance(images, i, j, n);
    scree_images_nearest(&images->cell, store, a, b, nearest);
    for (int k = 0; k < 3; k++)
        if (n[k] != nearest[k])
            return false;
    return is_coarse || image_overlaps(images, store, a, b, n);
}

/* ---- narrow bodies ---- */

/*  Whether spheres as methods see them overlap beyond doubt. */
static bool overlap_clearly(const double a[4], const double b[4], double doubt)
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    double reach = a[3] + b[3] - doubt;
    return (reach > 0) & (dx * dx + dy * dy + dz * dz <= reach * reach);
}

/*  For candidates that are not both images. */
static bool is_narrow_pair(const scree_images *images, const scree_store *store,
                           scree_sphere *sphere, uint32_t i, uint32_t j)
{
    double n[3];
    uint32_t a = owner_of(images, i), b = owner_of(images, j);
    if (a == b)
        return false;
    if (sphere && overlap_clearly(sphere[i], sphere[j], images->doubt))
        return true;
    find_distance(images, i, j, n);
    return image_overlaps(images, store, a, b, n);
}

/*  Number of candidates processed together. */
#define GROUP 8u

/*  Lists candidates of which one is an image, from `begin`. Returns how many. */
static uint32_t list_images_scalar(const scree_images *images, const scree_sink *sink,
                                   uint32_t begin, uint16_t *asked)
{
    uint32_t count = 0;
    for (uint32_t k = begin; k < sink->fill; k++) {
        asked[count] = (uint16_t)k;
        count += (sink->first[k] >= images->bound) | (sink->second[k] >= images->bound);
    }
    return count;
}

#if WIDE_HAS_X86
/*  Eight at a time; indices are below 2^31. */
__attribute__((target("avx2,bmi"))) static uint32_t
list_images_avx2(const scree_images *images, const scree_sink *sink, uint16_t *asked)
{
    const __m256i last = _mm256_set1_epi32((int)images->bound - 1);
    uint32_t count = 0, k = 0;
    for (; k + GROUP <= sink->fill; k += GROUP) {
        __m256i i = _mm256_loadu_si256((const void *)(sink->first + k));
        __m256i j = _mm256_loadu_si256((const void *)(sink->second + k));
        __m256i beyond = _mm256_cmpgt_epi32(_mm256_max_epi32(i, j), last);
        uint32_t bits = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(beyond));
        for (; bits; bits &= bits - 1)
            asked[count++] = (uint16_t)(k + scree_lowest_bit(bits));
    }
    return count + list_images_scalar(images, sink, k, asked + count);
}
#endif

/*  Lists the candidates that must be tested by the rule: those with moved bodies, or all. Returns their number. */
static uint32_t list_asked(const scree_images *images, bool all, const scree_sink *sink,
                           uint16_t *asked)
{
    const uint32_t *first = sink->first, *second = sink->second;
    uint32_t count = 0;
#if WIDE_HAS_X86
    if (!all && !images->has_moved && images->simd >= SCREE_SIMD_AVX2)
        return list_images_avx2(images, sink, asked);
#endif
    if (!all && !images->has_moved)
        return list_images_scalar(images, sink, 0, asked);
    for (uint32_t k = 0; k < sink->fill; k++) {
        asked[count] = (uint16_t)k;
        uint32_t is_asked = (uint32_t)all | (uint32_t)scree_images_is_moved(images, first[k]) |
                            (uint32_t)scree_images_is_moved(images, second[k]);
        count += is_asked & 1u;
    }
    return count;
}

/*  Removes the listed candidates from a sink, keeping the order. */
static uint32_t drop_listed(scree_sink *sink, const uint16_t *dropped, uint32_t count)
{
    if (count == 0)
        return sink->fill;
    uint32_t kept = dropped[0];
    for (uint32_t d = 0; d < count; d++) {
        uint32_t begin = dropped[d] + 1u, end = d + 1 < count ? dropped[d + 1] : sink->fill;
        memmove(sink->first + kept, sink->first + begin, (end - begin) * sizeof *sink->first);
        memmove(sink->second + kept, sink->second + begin, (end - begin) * sizeof *sink->second);
        kept += end - begin;
    }
    return kept;
}

/*  Candidates of a sink that are tested by the rule, by index. */
typedef struct asking
{
    uint32_t count, one_count;
    uint16_t asked[SCREE_SINK_CAPACITY]; /* candidates: all that may not stay, */
    uint16_t
        one[SCREE_SINK_CAPACITY];    /* and which of these, by their places, are not both images */
    bool drops[SCREE_SINK_CAPACITY]; /* by index: it does not represent a pair */
} asking;

/*  Removes candidates of two images, which never represent a pair; in thin cells these are the majority. */
static void leave_out_both(const scree_images *images, const scree_sink *sink, asking *a)
{
    a->one_count = 0;
    for (uint32_t k = 0; k < a->count; k++) {
        uint32_t i = sink->first[a->asked[k]], j = sink->second[a->asked[k]];
        bool are_both = (i >= images->bound) & (j >= images->bound);
        a->drops[k] = true;
        a->one[a->one_count] = (uint16_t)k;
        a->one_count += !are_both;
    }
}

static void fetch_spheres(scree_sphere *sphere, const scree_sink *sink, const asking *a)
{
    for (uint32_t k = 0; k < a->one_count; k++) {
        SCREE_PREFETCH(sphere[sink->first[a->asked[a->one[k]]]]);
        SCREE_PREFETCH(sphere[sink->second[a->asked[a->one[k]]]]);
    }
}

static uint32_t keep_narrow(const scree_images *images, const scree_store *store, bool is_tested,
                            scree_sink *sink)
{
    uint32_t drops = 0;
    scree_sphere *sphere = scree_images_spheres(images, store);
    asking a; /* large: initialised only as far as there are candidates */
    a.count = list_asked(images, is_tested, sink, a.asked);
    leave_out_both(images, sink, &a);
    if (sphere)
        fetch_spheres(sphere, sink, &a);
    for (uint32_t k = 0; k < a.one_count; k++) {
        uint32_t at = a.asked[a.one[k]], i = sink->first[at], j = sink->second[at];
        a.drops[a.one[k]] = !is_narrow_pair(images, store, sphere, i, j);
        sink->first[at] = owner_of(images, i);
        sink->second[at] = owner_of(images, j);
    }
    uint16_t *dropped = a.one; /* read already */
    for (uint32_t k = 0; k < a.count; k++) {
        dropped[drops] = a.asked[k];
        drops += a.drops[k];
    }
    return drop_listed(sink, dropped, drops);
}

uint32_t scree_images_keep(const scree_images *images, const scree_store *store, bool is_tested,
                           bool is_coarse, scree_sink *sink)
{
    uint32_t *first = sink->first, *second = sink->second, kept = 0;
    if (images->is_narrow && !is_coarse)
        return keep_narrow(images, store, is_tested, sink);
    for (uint32_t k = 0; k < sink->fill; k++) {
        uint32_t i = first[k], j = second[k];
        bool keeps = is_nearest_pair(images, store, is_coarse, i, j);
        first[kept] = owner_of(images, i);
        second[kept] = owner_of(images, j);
        kept += keeps;
    }
    return kept;
}
