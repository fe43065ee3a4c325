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
    formula already. */
#include "detect/exact.h"
#include "detect/images.h"

/*  So many candidates are looked at together. */
#define GROUP 8u

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

/*  For narrow bodies. */
static bool is_narrow_pair(const scree_images *images, const scree_store *store, bool is_tested,
                           uint32_t i, uint32_t j)
{
    double n[3];
    uint32_t a = owner_of(images, i), b = owner_of(images, j);
    if (a == b || (i >= images->bound && j >= images->bound))
        return false;
    if (!is_tested && !scree_images_is_moved(images, i) && !scree_images_is_moved(images, j))
        return true;
    find_distance(images, i, j, n);
    return image_overlaps(images, store, a, b, n);
}

/*  True if all of a group are ids. */
static bool are_ids(const scree_images *images, const uint32_t *first, const uint32_t *second)
{
    uint32_t beyond = 0;
    for (uint32_t k = 0; k < GROUP; k++) /* indices are below 2^31: the sign says it */
        beyond |= (images->bound - 1 - first[k]) | (images->bound - 1 - second[k]);
    return !(beyond >> 31);
}

uint32_t scree_images_keep(const scree_images *images, const scree_store *store, bool is_tested,
                           bool is_coarse, scree_sink *sink)
{
    const bool is_narrow = images->is_narrow && !is_coarse;
    const bool are_ids_kept = is_narrow && !is_tested && !images->has_moved;
    uint32_t *first = sink->first, *second = sink->second, kept = 0;
    for (uint32_t k = 0; k < sink->fill; k++) {
        if (are_ids_kept && k + GROUP <= sink->fill && are_ids(images, first + k, second + k)) {
            for (uint32_t l = 0; l < GROUP; l++) {
                first[kept + l] = first[k + l];
                second[kept + l] = second[k + l];
            }
            kept += GROUP;
            k += GROUP - 1;
            continue;
        }
        uint32_t i = first[k], j = second[k];
        bool keeps = is_narrow ? is_narrow_pair(images, store, is_tested, i, j)
                               : is_nearest_pair(images, store, is_coarse, i, j);
        first[kept] = owner_of(images, i);
        second[kept] = owner_of(images, j);
        kept += keeps;
    }
    return kept;
}
