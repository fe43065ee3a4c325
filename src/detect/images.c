/*  Making images, and telling which candidate stands for a pair.

    Two bodies overlap if their nearest images do; the rule evaluates this on the numbers as given, so
    it does not depend on how bodies are wrapped here. Let i < j, w the lattice coordinates taken off
    each when wrapped, and n those of the image of j nearest to i. Relative to the wrapped place of i that
    image is the wrapped j moved by s = n + w_j - w_i. Its box overlaps that of i, so it overlaps the
    bounds of all wrapped boxes, so the image (j, s) was made (or s is 0, and it is j itself): the
    candidate {i, (j, s)} is found, and is the only one accepted. All parts of s are small: on each axis
    the wrapped difference is below L and the nearest one at most L/2, so |s| <= 1 on z; with the tilts,
    of at most half a period each, |s| <= 1 on y and |s| <= 2 on x.

    Boxes are wrapped with rounding, and grown by a bound of it. */
#include "detect/images.h"

#include "detect/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

void scree_images_free(scree_images *images)
{
#define GIVE(name)                                                                                 \
    scree_memory_give(images->memory, &images->name, images->name##_capacity, sizeof *images->name)
    GIVE(box);
    GIVE(active);
    GIVE(position);
    GIVE(wrap);
    GIVE(owner);
    GIVE(shift);
#undef GIVE
}

#define RESERVE(name, wanted)                                                                      \
    scree_memory_reserve(images->memory, &images->name, &images->name##_capacity, wanted,          \
                         sizeof *images->name)

/* ---- wrapping ---- */

static void centre_of(const scree_store *store, uint32_t id, double centre[3])
{
    for (int k = 0; k < 3; k++)
        centre[k] = store->sphere ? k < store->dimensions ? store->sphere[id][k] : 0
                                  : 0.5 * (store->box[id].lower[k] + store->box[id].upper[k]);
}

/*  A box moved by a vector, grown by more than the rounding of that and of the rule's own arithmetic. */
static scree_box moved_box(const scree_box *box, const double by[3], double reach)
{
    scree_box moved;
    for (int k = 0; k < 3; k++) {
        double slack = 8 * DBL_EPSILON * (fabs(box->lower[k]) + fabs(box->upper[k]) + reach);
        moved.lower[k] = (box->lower[k] + by[k]) - slack;
        moved.upper[k] = (box->upper[k] + by[k]) + slack;
    }
    return moved;
}

static scree_box wrap_body(scree_images *images, const scree_store *store, uint32_t id)
{
    double centre[3], by[3], reach = 0;
    centre_of(store, id, centre);
    scree_cell_wrap(&images->cell, centre, images->wrap[id]);
    scree_cell_vector(&images->cell, images->wrap[id], by);
    for (int k = 0; k < 3; k++) {
        by[k] = -by[k];
        reach += fabs(by[k]) + images->cell.period[k];
    }
    return moved_box(&store->box[id], by, reach);
}

static void grow_bounds(scree_box *bounds, const scree_box *box)
{
    for (int k = 0; k < 3; k++) {
        bounds->lower[k] = fmin(bounds->lower[k], box->lower[k]);
        bounds->upper[k] = fmax(bounds->upper[k], box->upper[k]);
    }
}

/* ---- images ---- */

/*  What is there from the last time is compared before it is written over. */
static scree_status add_image(scree_images *images, uint32_t id, const int shift[3],
                              const scree_box *box)
{
    size_t index = images->image_count, body = (size_t)images->bound + index;
    if (body >= SCREE_MAX_BODIES || RESERVE(owner, index + 1) || RESERVE(shift, index + 1) ||
        RESERVE(box, body + 1))
        return SCREE_OUT_OF_MEMORY;
    const int8_t as_bytes[3] = {(int8_t)shift[0], (int8_t)shift[1], (int8_t)shift[2]};
    images->is_same &= index < images->last_image_count && images->owner[index] == id &&
                       memcmp(images->shift[index], as_bytes, sizeof as_bytes) == 0;
    images->owner[index] = id;
    memcpy(images->shift[index], as_bytes, sizeof as_bytes);
    images->box[body] = *box;
    images->image_count++;
    return SCREE_OK;
}

static scree_status add_images(scree_images *images, uint32_t id, const scree_box *bounds)
{
    const scree_cell *cell = &images->cell;
    int z_reach = cell->period[2] > 0, y_reach = cell->period[1] > 0;
    int x_reach = cell->period[0] > 0 ? (cell->tilt[0] != 0 || cell->tilt[1] != 0 ? 2 : 1) : 0;
    int shift[3];
    for (shift[2] = -z_reach; shift[2] <= z_reach; shift[2]++)
        for (shift[1] = -y_reach; shift[1] <= y_reach; shift[1]++)
            for (shift[0] = -x_reach; shift[0] <= x_reach; shift[0]++) {
                double n[3] = {shift[0], shift[1], shift[2]}, by[3];
                scree_cell_vector(cell, n, by);
                scree_box box = moved_box(&images->box[id], by, 0);
                bool is_self = shift[0] == 0 && shift[1] == 0 && shift[2] == 0;
                if (!is_self && scree_boxes_overlap(&box, bounds) &&
                    add_image(images, id, shift, &box))
                    return SCREE_OUT_OF_MEMORY;
            }
    return SCREE_OK;
}

/*  The list of what methods work on: the active ids in their order, then the images. */
static scree_status list_bodies(scree_images *images, const scree_store *store)
{
    size_t total = (size_t)images->bound + images->image_count;
    size_t active = (size_t)store->active_count + images->image_count;
    if (RESERVE(active, active) || RESERVE(position, total))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t id = 0; id < images->bound; id++)
        images->position[id] = store->position[id];
    images->is_same &= active == images->active_count;
    for (uint32_t a = 0; a < store->active_count; a++) {
        images->is_same &= images->active[a] == store->active[a];
        images->active[a] = store->active[a];
    }
    for (uint32_t k = 0; k < images->image_count; k++) {
        images->active[store->active_count + k] = images->bound + k;
        images->position[images->bound + k] = store->active_count + k;
    }
    images->active_count = (uint32_t)active;
    return SCREE_OK;
}

scree_status scree_images_build(scree_images *images, const scree_store *store, bool *same)
{
    scree_box bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    *same = false;
    images->is_same = images->bound == store->bound;
    images->last_image_count = images->image_count;
    images->bound = store->bound;
    images->image_count = 0;
    if (RESERVE(box, store->bound) || RESERVE(wrap, store->bound))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t a = 0; a < store->active_count; a++) {
        uint32_t id = store->active[a];
        images->box[id] = wrap_body(images, store, id);
        grow_bounds(&bounds, &images->box[id]);
    }
    for (uint32_t a = 0; a < store->active_count; a++)
        if (add_images(images, store->active[a], &bounds))
            return SCREE_OUT_OF_MEMORY;
    if (list_bodies(images, store))
        return SCREE_OUT_OF_MEMORY;
    *same = images->is_same && images->image_count == images->last_image_count;
    return SCREE_OK;
}

scree_bodies scree_images_view(const scree_images *images, int dimensions)
{
    scree_bodies bodies = {
        .dimensions = dimensions,
        .volume = SCREE_BOXES,
        .bound = images->bound + images->image_count,
        .active_count = images->active_count,
        .active = images->active,
        .position = images->position,
        .box = images->box,
    };
    return bodies;
}

/* ---- mapping back ---- */

void scree_images_nearest(const scree_cell *cell, const scree_store *store, uint32_t i, uint32_t j,
                          double n[3])
{
    double a[3], b[3], difference[3];
    centre_of(store, i, a);
    centre_of(store, j, b);
    for (int k = 0; k < 3; k++)
        difference[k] = a[k] - b[k];
    scree_cell_nearest(cell, difference, n);
}

/*  The rule for nearest images, as it is worded in scree/detect.h. */
static bool nearest_overlap(const scree_images *images, const scree_store *store, uint32_t i,
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

bool scree_images_accept(const scree_images *images, const scree_store *store, bool is_tested,
                         uint32_t *i, uint32_t *j)
{
    static const int8_t none[3] = {0, 0, 0};
    uint32_t a = *i, b = *j;
    const int8_t *shift_a = none, *shift_b = none;
    if (a >= images->bound) {
        shift_a = images->shift[a - images->bound];
        a = images->owner[a - images->bound];
    }
    if (b >= images->bound) {
        shift_b = images->shift[b - images->bound];
        b = images->owner[b - images->bound];
    }
    if (a == b)
        return false;
    bool a_first = a < b;
    const int8_t *shift_i = a_first ? shift_a : shift_b, *shift_j = a_first ? shift_b : shift_a;
    *i = a_first ? a : b;
    *j = a_first ? b : a;
    /* the smaller id stands for itself */
    if (shift_i[0] || shift_i[1] || shift_i[2])
        return false;
    double n[3];
    scree_images_nearest(&images->cell, store, *i, *j, n);
    for (int k = 0; k < 3; k++)
        if (n[k] + images->wrap[*j][k] - images->wrap[*i][k] != shift_j[k])
            return false;
    return !is_tested || nearest_overlap(images, store, *i, *j, n);
}
