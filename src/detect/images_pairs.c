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
#if WIDE_HAS_X86
#include "detect/flat_order.h"
#endif

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

/*  Of candidates that are not both images, of two bodies. */
static bool is_narrow_pair(const scree_images *images, const scree_store *store,
                           scree_sphere *sphere, uint32_t i, uint32_t j)
{
    double n[3];
    if (sphere && overlap_clearly(sphere[i], sphere[j], images->doubt))
        return true;
    find_distance(images, i, j, n);
    return image_overlaps(images, store, owner_of(images, i), owner_of(images, j), n);
}

/*  So many candidates are looked at together. */
#define GROUP 8u

/*  Whether a candidate, not of two images, is put to the rule: if a body is moved, or always. */
static inline bool is_asked(const scree_images *images, bool all, uint32_t i, uint32_t j)
{
    if (images->has_moved)
        return ((uint32_t)all | (uint32_t)scree_images_is_moved(images, i) |
                (uint32_t)scree_images_is_moved(images, j)) != 0;
    return ((uint32_t)all | (uint32_t)(i >= images->bound) | (uint32_t)(j >= images->bound)) != 0;
}

/*  Leaves out candidates of two images from number `begin` on, of which `kept` have been kept before, and lists those
    that are to be put to the rule behind `count` others. Returns how many are listed. Two images never stand for a pair;
    and near the boundary of a thin cell there are more of these than of others. */
static uint32_t sift_scalar(const scree_images *images, bool all, uint32_t begin, uint32_t kept,
                            scree_sink *sink, uint32_t *asked, uint32_t count)
{
    for (uint32_t k = begin; k < sink->fill; k++) {
        const uint32_t i = sink->first[k], j = sink->second[k];
        const bool are_both = (i >= images->bound) & (j >= images->bound);
        sink->first[kept] = i;
        sink->second[kept] = j;
        asked[count] = kept;
        count += !are_both & is_asked(images, all, i, j);
        kept += !are_both;
    }
    sink->fill = kept;
    return count;
}

#if WIDE_HAS_X86
/*  Puts those of eight side by side whose bits are set. */
__attribute__((target("avx2"))) static inline __m256i choose_avx2(__m256i eight, uint32_t bits)
{
    const __m128i order = _mm_loadl_epi64((const void *)&order_of_bits[bits]);
    return _mm256_permutevar8x32_epi32(eight, _mm256_cvtepu8_epi32(order));
}

/*  The same if no body is wrapped and only images are requested, eight at a time; indices are below 2^31. */
__attribute__((target("avx2,popcnt,bmi,bmi2"))) static uint32_t
sift_avx2(const scree_images *images, scree_sink *sink, uint32_t *asked)
{
    const __m256i last = _mm256_set1_epi32((int)images->bound - 1);
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    uint32_t count = 0, kept = 0, k = 0;
    for (; k + GROUP <= sink->fill; k += GROUP) {
        __m256i i = _mm256_loadu_si256((const void *)(sink->first + k));
        __m256i j = _mm256_loadu_si256((const void *)(sink->second + k));
        __m256i any = _mm256_cmpgt_epi32(_mm256_max_epi32(i, j), last);
        __m256i both = _mm256_cmpgt_epi32(_mm256_min_epi32(i, j), last);
        uint32_t dropped = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(both));
        uint32_t one = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(any)) ^ dropped;
        uint32_t stay = 0xffu ^ dropped;
        _mm256_storeu_si256((void *)(sink->first + kept), choose_avx2(i, stay));
        _mm256_storeu_si256((void *)(sink->second + kept), choose_avx2(j, stay));
        one = _pext_u32(one, stay); /* among those that stay */
        __m256i place = _mm256_add_epi32(_mm256_set1_epi32((int)kept), numbers);
        _mm256_storeu_si256((void *)(asked + count), choose_avx2(place, one));
        count += scree_count_bits(one);
        kept += scree_count_bits(stay);
    }
    return sift_scalar(images, false, k, kept, sink, asked, count);
}
#endif

static uint32_t sift(const scree_images *images, bool all, scree_sink *sink, uint32_t *asked)
{
#if WIDE_HAS_X86
    if (!all && !images->has_moved && images->simd >= SCREE_SIMD_AVX2)
        return sift_avx2(images, sink, asked);
#endif
    return sift_scalar(images, all, 0, 0, sink, asked, 0);
}

/*  Takes the listed candidates out of a sink, in their order. */
static uint32_t drop_listed(scree_sink *sink, const uint32_t *dropped, uint32_t count)
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

static void fetch_spheres(scree_sphere *sphere, const scree_sink *sink, const uint32_t *asked,
                          uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        SCREE_PREFETCH(sphere[sink->first[asked[k]]]);
        SCREE_PREFETCH(sphere[sink->second[asked[k]]]);
    }
}

static uint32_t keep_narrow(const scree_images *images, const scree_store *store, bool is_tested,
                            scree_sink *sink)
{
    uint32_t asked[SCREE_SINK_CAPACITY]; /* of the candidates that are left */
    uint32_t *const dropped = asked;     /* of what was asked already */
    uint32_t drops = 0, count = sift(images, is_tested, sink, asked);
    scree_sphere *sphere = scree_images_spheres(images, store);
    const bool are_clear = scree_sink_overlap(sink) > images->doubt;
    if (sphere && !are_clear)
        fetch_spheres(sphere, sink, asked, count);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t at = asked[k];
        uint32_t i = sink->first[at], j = sink->second[at];
        /* which of the two is the image cannot be foreseen, so they are not asked one by one */
        const uint32_t a = i < j ? i : j, b = owner_of(images, i < j ? j : i);
        bool stays = a != b && (are_clear || is_narrow_pair(images, store, sphere, i, j));
        sink->first[at] = a;
        sink->second[at] = b;
        dropped[drops] = at;
        drops += !stays;
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
