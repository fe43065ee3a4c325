/*  Making images.

    WHICH. Let w be the lattice coordinates that a body is moved by when it is wrapped, and n those of the
    image of j nearest to i. Relative to the wrapped place of i that image is the wrapped j moved by
    s = n + w_i - w_j. Should it overlap i, its volume overlaps the bounds of all wrapped bodies, and so
    does that of i moved by -s with that of j. One of s and -s is positive: its first part that is not 0,
    of z, then y, then x, is. So it is enough to make the images with positive s: either (j, s) was made
    and meets i itself, or (i, -s) and it meets j itself, or s is 0. That is one candidate, and no other
    stands for the pair: of i and j one is itself, and n is what it is. All parts of s are small: on each
    axis the wrapped difference is below L and the nearest one at most L/2, so |s| <= 1 on z; with the
    tilts, of at most half a period each, |s| <= 1 on y and |s| <= 2 on x. */
#include "detect/images.h"

#include "base/bits.h"
#include "base/prefetch.h"
#include "detect/images_place.h"

#include <math.h>
#include <string.h>

/*  Positive shifts: half of the 3 * 3 * 5 around none. */
#define MAX_SHIFTS 22

void scree_images_free(scree_images *images)
{
#define GIVE(name)                                                                                 \
    scree_memory_give(images->memory, &images->name, images->name##_capacity, sizeof *images->name)
    GIVE(sphere);
    GIVE(box);
    GIVE(active);
    GIVE(position);
    GIVE(is_moved);
    GIVE(is_low);
    GIVE(lattice);
    GIVE(owner);
#undef GIVE
}

#define RESERVE(name, wanted)                                                                      \
    scree_memory_reserve(images->memory, &images->name, &images->name##_capacity, wanted,          \
                         sizeof *images->name)

scree_status scree_images_reserve(scree_images *images, scree_store *store, size_t count)
{
    scree_status status = SCREE_OK;
    if (images->is_borrowing)
        status = scree_store_reserve_spheres(store, count);
    else if (store->sphere)
        status = RESERVE(sphere, count);
    return status || (store->has_boxes && RESERVE(box, count)) || RESERVE(lattice, count)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/* ---- images ---- */

typedef struct image_shift
{
    double n[3], by[3];
    double grain; /* of a body that was not moved before */
} image_shift;

/*  How far images are moved along one axis: each distance once, with bits for the shifts that have it. */
typedef struct axis_distances
{
    int count;
    double by[MAX_SHIFTS];
    uint32_t shifts[MAX_SHIFTS];
} axis_distances;

typedef struct shift_list
{
    int count;
    image_shift shift[MAX_SHIFTS];
    axis_distances axis[3];
    double grain; /* twice that of a body that is not moved, two cells away */
} shift_list;

/*  Notes the distances of shift number `s`. */
static void list_distances(shift_list *list, int s)
{
    for (int k = 0; k < 3; k++) {
        axis_distances *axis = &list->axis[k];
        int at = 0;
        while (at < axis->count && axis->by[at] != list->shift[s].by[k])
            at++;
        if (at == axis->count) {
            axis->by[at] = list->shift[s].by[k];
            axis->shifts[at] = 0;
            axis->count++;
        }
        axis->shifts[at] |= 1u << s;
    }
}

/*  Positive shifts. */
static void list_shifts(const scree_placing *p, shift_list *list)
{
    static const double far[3] = {2, 2, 2};
    const scree_cell *cell = &p->images->cell;
    int z_reach = cell->period[2] > 0, y_reach = cell->period[1] > 0;
    int x_reach = cell->period[0] > 0 ? (cell->tilt[0] != 0 || cell->tilt[1] != 0 ? 2 : 1) : 0;
    list->count = list->axis[0].count = list->axis[1].count = list->axis[2].count = 0;
    list->grain = 2 * scree_images_grain(p, far);
    for (int z = 0; z <= z_reach; z++)
        for (int y = -y_reach; y <= y_reach; y++)
            for (int x = -x_reach; x <= x_reach; x++) {
                image_shift *s = &list->shift[list->count];
                if (!(z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)))))
                    continue;
                s->n[0] = x;
                s->n[1] = y;
                s->n[2] = z;
                scree_cell_vector(cell, s->n, s->by);
                s->grain = scree_images_grain(p, s->n);
                list_distances(list, list->count++);
            }
}

/*  Room for all images of one more body. */
static scree_status reserve_images(scree_images *images, scree_store *store)
{
    size_t count = images->image_count + MAX_SHIFTS;
    return RESERVE(owner, count) || scree_images_reserve(images, store, images->bound + count)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/*  Appends the image of a body for a shift. The owner that stands there from the last call is compared before it is
    overwritten. */
static scree_status add_image(const scree_placing *p, uint32_t id, const image_shift *s)
{
    scree_images *images = p->images;
    size_t index = images->image_count, body = (size_t)images->bound + index;
    if (body >= SCREE_MAX_BODIES)
        return SCREE_OUT_OF_MEMORY;
    images->is_same &= index < images->last_image_count && images->owner[index] == id;
    images->owner[index] = id;
    images->image_count++;
    if (!scree_images_is_moved(images, id)) {
        scree_images_write_moved(p, (uint32_t)body, id, s->n, s->by, s->grain);
        return SCREE_OK;
    }
    double lattice[3], by[3];
    for (int k = 0; k < 3; k++)
        lattice[k] = images->lattice[id][k] + s->n[k];
    scree_cell_vector(&images->cell, lattice, by);
    scree_images_write_moved(p, (uint32_t)body, id, lattice, by, scree_images_grain(p, lattice));
    return SCREE_OK;
}

/*  The shifts, as bits, with which the image of a box meets the bounds of all bodies. Without a branch for each of
    them, which cannot be foreseen. */
static uint32_t find_shifts(const shift_list *list, const scree_box *bounds, const scree_box *box,
                            double grain)
{
    uint32_t found = UINT32_MAX;
    for (int k = 0; k < 3; k++) {
        const axis_distances *axis = &list->axis[k];
        const double least = bounds->lower[k] - (box->upper[k] + grain);
        const double most = bounds->upper[k] - (box->lower[k] - grain);
        uint32_t on_axis = 0;
        for (int at = 0; at < axis->count; at++) {
            uint32_t is_within = (axis->by[at] >= least) & (axis->by[at] <= most);
            on_axis |= axis->shifts[at] & (0 - is_within);
        }
        found &= on_axis;
    }
    return found;
}

/*  Those images of a body that meet the bounds of all bodies. */
static scree_status add_images(const scree_placing *p, uint32_t id, const shift_list *list)
{
    scree_images *images = p->images;
    scree_box box = {{0}, {0}};
    scree_images_read_box(images, p->store, id, &box);
    double grain = list->grain;
    if (scree_images_is_moved(images, id)) {
        double most[3];
        for (int k = 0; k < 3; k++)
            most[k] = 2 + fabs(images->lattice[id][k]);
        grain = 2 * scree_images_grain(p, most);
    }
    if (reserve_images(images, p->store))
        return SCREE_OUT_OF_MEMORY;
    uint32_t found = find_shifts(list, &p->shares[0].bounds, &box, grain);
    for (; found; found &= found - 1)
        if (add_image(p, id, &list->shift[scree_lowest_bit(found)]))
            return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

/*  How many words of bits ahead spheres are prefetched. */
#define FETCH_AHEAD 3u

/*  Prefetches the spheres of a word of bits that may have images: they are scattered in memory. */
static void fetch_low(const scree_images *images, scree_sphere *sphere, uint32_t word)
{
    for (uint64_t low = images->is_low[word]; low; low &= low - 1)
        SCREE_PREFETCH(sphere[word * 64 + scree_lowest_bit(low)]);
}

static scree_status add_all_images(const scree_placing *p)
{
    const scree_images *images = p->images;
    const uint32_t words = (images->bound + 63) / 64;
    shift_list shifts;
    list_shifts(p, &shifts);
    for (uint32_t word = 0; word < words; word++) {
        if (!p->store->has_boxes && word + FETCH_AHEAD < words)
            fetch_low(images, scree_images_spheres(images, p->store), word + FETCH_AHEAD);
        for (uint64_t low = images->is_low[word]; low; low &= low - 1)
            if (add_images(p, word * 64 + scree_lowest_bit(low), &shifts))
                return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  The list of what methods work on: the active ids in their order, then the images. */
static scree_status list_bodies(scree_images *images, const scree_store *store)
{
    size_t total = (size_t)images->bound + images->image_count;
    size_t count = store->active_count, active = count + images->image_count;
    if (RESERVE(active, active) || RESERVE(position, total))
        return SCREE_OUT_OF_MEMORY;
    images->is_same &=
        active == images->active_count && images->image_count == images->last_image_count;
    if (images->is_same && count)
        images->is_same =
            memcmp(images->active, store->active, count * sizeof *images->active) == 0;
    images->active_count = (uint32_t)active;
    if (images->is_same)
        return SCREE_OK;
    if (count)
        memcpy(images->active, store->active, count * sizeof *images->active);
    if (images->bound)
        memcpy(images->position, store->position, images->bound * sizeof *images->position);
    for (uint32_t k = 0; k < images->image_count; k++) {
        images->active[count + k] = images->bound + k;
        images->position[images->bound + k] = (uint32_t)count + k;
    }
    return SCREE_OK;
}

/*  Of bodies that were all given together, and lie in the cell, with their images. */
static void find_range(scree_images *images, const scree_store *store)
{
    scree_sphere *sphere = scree_images_spheres(images, store);
    images->has_range = store->has_range && !images->has_moved;
    if (!images->has_range)
        return;
    images->range = store->range;
    for (uint32_t k = 0; k < images->image_count; k++) {
        scree_sphere_range own;
        memcpy(own.least, sphere[images->bound + k], sizeof own.least);
        memcpy(own.most, sphere[images->bound + k], sizeof own.most);
        scree_sphere_range_join(&images->range, &own);
    }
}

scree_status scree_images_build(scree_images *images, scree_store *store, bool *same)
{
    scree_placing p; /* large: only the workers' shares are set */
    *same = false;
    images->is_same = images->bound == store->bound;
    images->last_image_count = images->image_count;
    images->bound = store->bound;
    images->image_count = 0;
    if (RESERVE(is_moved, (size_t)store->bound / 64 + 1) ||
        RESERVE(is_low, (size_t)store->bound / 64 + 1))
        return SCREE_OUT_OF_MEMORY;
    if (scree_images_place_all(&p, images, store) || add_all_images(&p) ||
        list_bodies(images, store))
        return SCREE_OUT_OF_MEMORY;
    find_range(images, store);
    *same = images->is_same;
    return SCREE_OK;
}

scree_bodies scree_images_view(const scree_images *images, const scree_store *store)
{
    scree_bodies bodies = {
        .dimensions = store->dimensions,
        .volume = store->volume,
        .bound = images->bound + images->image_count,
        .active_count = images->active_count,
        .active = images->active,
        .position = images->position,
        .box = images->box,
        .sphere = (const double(*)[4])scree_images_spheres(images, store),
        .range = images->has_range && store->has_range ? &images->range : NULL,
    };
    return bodies;
}
