/*  Making images.

    WHICH. Let w be the lattice coordinates that a body is moved by when it is wrapped, and n those of the
    image of j nearest to i. Relative to the wrapped place of i that image is the wrapped j moved by
    s = n + w_i - w_j. Should it overlap i, its volume overlaps the bounds of all wrapped bodies, and so
    does that of i moved by -s with that of j. One of s and -s is positive: its first part that is not 0,
    of z, then y, then x, is. So it is enough to make the images with positive s: either (j, s) was made
    and meets i itself, or (i, -s) and it meets j itself, or s is 0. That is one candidate, and no other
    stands for the pair: of i and j one is itself, and n is what it is. All parts of s are small: on each
    axis the wrapped difference is below L and the nearest one at most L/2, so |s| <= 1 on z; with the
    tilts, of at most half a period each, |s| <= 1 on y and |s| <= 2 on x.

    ROUNDING. Bodies that lie in the cell already are left as they are. Others are moved with rounding, and
    the rule itself rounds, so they are enlarged by a bound of both (grain_of). Let u = 2^-53 and m the
    largest sum of magnitudes of coordinates and radius of any body. A place is moved with an error of
    u (m + 7 V), V the sum of the magnitudes of all terms of the lattice vector; the rule's difference
    of two is off by u (2 m + 7 V_i + 7 V_j), and accepts if the rest is 11u of both radii short of it.
    The grain is more than 60u (m + V) for each body that is moved, and of any two with an error one is. */
#include "detect/images.h"

#include "detect/images_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*  Ids that one worker takes at a time: whole words of bits. */
#define TASK_IDS 8192u

/*  Positive shifts: half of the 3 * 3 * 5 around none. */
#define MOST_SHIFTS 22

/*  No nearest image is looked for if bodies are narrower than this share of a period, and moved by no more
    than so many of them. */
#define NARROW 0.49
#define MOST_MOVES 0x1p24

void scree_images_free(scree_images *images)
{
#define GIVE(name)                                                                                 \
    scree_memory_give(images->memory, &images->name, images->name##_capacity, sizeof *images->name)
    GIVE(sphere);
    GIVE(box);
    GIVE(active);
    GIVE(position);
    GIVE(is_moved);
    GIVE(lattice);
    GIVE(owner);
#undef GIVE
}

#define RESERVE(name, wanted)                                                                      \
    scree_memory_reserve(images->memory, &images->name, &images->name##_capacity, wanted,          \
                         sizeof *images->name)

/*  Room for so many ids and images. */
static scree_status reserve_bodies(scree_images *images, const scree_store *store, size_t count)
{
    return (store->sphere && RESERVE(sphere, count)) || (store->has_boxes && RESERVE(box, count)) ||
                   RESERVE(lattice, count)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/* ---- moving bodies ---- */

/*  What a pass over the bodies finds out, and what it needs to know. */
typedef struct share
{
    scree_box bounds;  /* of volumes as methods see them */
    double widest[3];  /* radii, only the first, or half widths */
    double most_moves; /* lattice coordinates */
    bool has_moved;
} share;

typedef struct placing
{
    scree_images *images;
    const scree_store *store;
    double reach;     /* twice the largest sum of magnitudes of coordinates and radius, or more */
    double extent[3]; /* sum of the magnitudes of each lattice vector */
    scree_range home; /* where centres lie that need not be moved */
    share shares[SCREE_MAX_WORKERS];
} placing;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double grain_of(const placing *p, const double lattice[3])
{
    double sum = p->reach;
    for (int k = 0; k < 3; k++)
        sum += fabs(lattice[k]) * p->extent[k];
    return 32 * DBL_EPSILON * sum + 0x1p-500;
}

/*  Writes body or image `index` as that body moved by a lattice vector. */
static void write_moved(const placing *p, uint32_t index, uint32_t id, const double lattice[3])
{
    scree_images *images = p->images;
    const scree_store *store = p->store;
    double by[3], grain = grain_of(p, lattice);
    scree_cell_vector(&images->cell, lattice, by);
    memcpy(images->lattice[index], lattice, sizeof images->lattice[index]);
    if (store->sphere) {
        double *moved = images->sphere[index];
        memcpy(moved, store->sphere[id], sizeof images->sphere[index]);
        for (int k = 0; k < 3; k++) /* without a third axis it moves by 0 */
            moved[k] += by[k];
        moved[3] += grain;
        if (store->has_boxes)
            images->box[index] = scree_sphere_box(moved, store->dimensions);
        return;
    }
    images->box[index] = store->box[id];
    for (int k = 0; k < 3; k++) {
        double more = k < store->dimensions ? grain : 0;
        images->box[index].lower[k] += by[k] - more;
        images->box[index].upper[k] += by[k] + more;
    }
}

static scree_box box_of(const scree_images *images, const scree_store *store, uint32_t index)
{
    return store->has_boxes ? images->box[index]
                            : scree_sphere_box(images->sphere[index], store->dimensions);
}

static void grow_bounds(scree_box *bounds, const scree_box *box)
{
    for (int k = 0; k < 3; k++) {
        bounds->lower[k] = box->lower[k] < bounds->lower[k] ? box->lower[k] : bounds->lower[k];
        bounds->upper[k] = box->upper[k] > bounds->upper[k] ? box->upper[k] : bounds->upper[k];
    }
}

/*  The cell begins on a multiple of half a period that leaves as many bodies as may be where they are. */
static void choose_origin(scree_images *images, const scree_box *bounds)
{
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * images->cell.period[k];
        double middle = 0.5 * bounds->lower[k] + 0.5 * bounds->upper[k];
        images->origin[k] = half > 0 ? half * nearbyint((middle - half) / half) : 0;
    }
}

static void grow_share(share *found, const scree_box *box)
{
    grow_bounds(&found->bounds, box);
    for (int k = 0; k < 3; k++) {
        found->widest[k] = larger(found->widest[k], 0.5 * (box->upper[k] - box->lower[k]));
    }
}

static void wrap_body(const placing *p, uint32_t id, share *found)
{
    scree_images *images = p->images;
    double place[3], n[3];
    scree_images_centre(p->store, id, place);
    for (int k = 0; k < 3; k++)
        place[k] -= images->origin[k];
    scree_cell_wrap(&images->cell, place, n);
    for (int k = 0; k < 3; k++) {
        n[k] = 0 - n[k];
        found->most_moves = larger(found->most_moves, fabs(n[k]));
    }
    write_moved(p, id, id, n);
    images->is_moved[id / 64] |= 1ull << id % 64;
    found->has_moved = true;
    const scree_box box = box_of(images, p->store, id);
    grow_share(found, &box);
}

static void place_body(const placing *p, uint32_t id, share *found)
{
    scree_images *images = p->images;
    const scree_store *store = p->store;
    double centre[3];
    bool is_home = true;
    scree_images_centre(store, id, centre);
    for (int k = 0; k < 3; k++)
        is_home &= (centre[k] >= p->home.lower[k]) & (centre[k] < p->home.upper[k]);
    if (!is_home) {
        wrap_body(p, id, found);
        return;
    }
    if (store->sphere)
        memcpy(images->sphere[id], store->sphere[id], sizeof images->sphere[id]);
    if (store->has_boxes)
        images->box[id] = store->box[id];
    const scree_box box = box_of(images, store, id);
    grow_share(found, &box);
}

/*  Up to 64 spheres, all of them active, of which no boxes are wanted. */
static void place_spheres(const placing *p, uint32_t id, uint32_t count, share *found)
{
    scree_images *images = p->images;
    scree_range rows;
    for (int k = 0; k < 4; k++) {
        rows.lower[k] = INFINITY;
        rows.upper[k] = -INFINITY;
    }
    uint64_t outside = scree_images_copy_rows(p->store->sphere[id], images->sphere[id], count,
                                              &p->home, &rows, images->simd);
    for (int k = 0; k < 3; k++) {
        found->bounds.lower[k] = fmin(found->bounds.lower[k], rows.lower[k]);
        found->bounds.upper[k] = fmax(found->bounds.upper[k], rows.upper[k]);
        found->widest[k] = larger(found->widest[k], 0.5 * rows.upper[3]);
    }
    for (uint32_t row = 0; outside >> row; row++) {
        if (outside >> row & 1)
            wrap_body(p, id + row, found);
        if (row == 63)
            return;
    }
}

static void place_ids(void *data, size_t task, uint32_t worker)
{
    placing *p = data;
    scree_images *images = p->images;
    share found = p->shares[worker];
    const scree_store *store = p->store;
    uint32_t end = (uint32_t)scree_block_end(task, TASK_IDS, images->bound);
    bool are_rows = store->sphere && !store->has_boxes && store->active_count == store->bound;
    for (uint32_t first = (uint32_t)(task * TASK_IDS); first < end; first += 64) {
        uint32_t count = end - first < 64 ? end - first : 64;
        images->is_moved[first / 64] = 0;
        if (are_rows)
            place_spheres(p, first, count, &found);
        for (uint32_t id = first; !are_rows && id < first + count; id++)
            if (store->position[id] != SCREE_NOT_ACTIVE)
                place_body(p, id, &found);
    }
    p->shares[worker] = found;
}

static void begin_placing(placing *p, scree_images *images, const scree_store *store)
{
    static const share nothing = {
        {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, {0, 0, 0}, 0, false};
    const scree_cell *cell = &images->cell;
    p->images = images;
    p->store = store;
    p->reach = 0;
    for (int k = 0; k < 3; k++) {
        p->reach += 2 * fmax(fabs(store->bounds.lower[k]), fabs(store->bounds.upper[k]));
        p->extent[k] = cell->period[k];
        p->home.lower[k] = cell->period[k] > 0 ? images->origin[k] : -INFINITY;
        p->home.upper[k] = cell->period[k] > 0 ? images->origin[k] + cell->period[k] : INFINITY;
    }
    p->home.lower[3] = -INFINITY;
    p->home.upper[3] = INFINITY;
    p->extent[1] += fabs(cell->tilt[0]);
    p->extent[2] += fabs(cell->tilt[1]) + fabs(cell->tilt[2]);
    for (uint32_t worker = 0; worker < images->workers->count; worker++)
        p->shares[worker] = nothing;
}

/*  Puts all bodies into the cell; what the workers have found is joined in the first share. */
static void place_all(placing *p)
{
    scree_images *images = p->images;
    share *all = &p->shares[0];
    scree_workers_run(images->workers, scree_block_count(images->bound, TASK_IDS), place_ids, p);
    for (uint32_t worker = 1; worker < images->workers->count; worker++) {
        const share *other = &p->shares[worker];
        grow_bounds(&all->bounds, &other->bounds);
        for (int k = 0; k < 3; k++)
            all->widest[k] = larger(all->widest[k], other->widest[k]);
        all->most_moves = larger(all->most_moves, other->most_moves);
        all->has_moved |= other->has_moved;
    }
    /* rows are seen without the rounding outward of boxes */
    for (int k = 0; k < 3; k++) {
        all->bounds.lower[k] -= 32 * DBL_EPSILON * p->reach + 0x1p-500;
        all->bounds.upper[k] += 32 * DBL_EPSILON * p->reach + 0x1p-500;
    }
    images->has_moved = all->has_moved;
    images->is_narrow = all->most_moves <= MOST_MOVES;
    for (int k = 0; k < 3; k++)
        images->is_narrow &=
            images->cell.period[k] == 0 || 2 * all->widest[k] <= NARROW * images->cell.period[k];
}

/* ---- images ---- */

typedef struct shift
{
    double n[3], by[3];
} shift;

static int list_shifts(const scree_cell *cell, shift shifts[MOST_SHIFTS])
{
    int z_reach = cell->period[2] > 0, y_reach = cell->period[1] > 0, count = 0;
    int x_reach = cell->period[0] > 0 ? (cell->tilt[0] != 0 || cell->tilt[1] != 0 ? 2 : 1) : 0;
    for (int z = 0; z <= z_reach; z++)
        for (int y = -y_reach; y <= y_reach; y++)
            for (int x = -x_reach; x <= x_reach; x++) {
                shift *s = &shifts[count];
                if (!(z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)))))
                    continue;
                s->n[0] = x;
                s->n[1] = y;
                s->n[2] = z;
                scree_cell_vector(cell, s->n, s->by);
                count++;
            }
    return count;
}

/*  Appends an image. Whose is there from the last time is compared before it is written over. */
static scree_status add_image(const placing *p, uint32_t id, const double lattice[3])
{
    scree_images *images = p->images;
    size_t index = images->image_count, body = (size_t)images->bound + index;
    if (body >= SCREE_MAX_BODIES || RESERVE(owner, index + 1) ||
        reserve_bodies(images, p->store, body + 1))
        return SCREE_OUT_OF_MEMORY;
    images->is_same &= index < images->last_image_count && images->owner[index] == id;
    images->owner[index] = id;
    write_moved(p, (uint32_t)body, id, lattice);
    images->image_count++;
    return SCREE_OK;
}

/*  Those images of a body that meet the bounds of all bodies. */
static scree_status add_images(const placing *p, uint32_t id, const shift *shifts, int count)
{
    scree_images *images = p->images;
    scree_box room = p->shares[0].bounds; /* for shifts with which the image meets the bounds */
    const scree_box box = box_of(images, p->store, id);
    double base[3] = {0, 0, 0}, lattice[3];
    if (scree_images_is_moved(images, id))
        memcpy(base, images->lattice[id], sizeof base);
    for (int k = 0; k < 3; k++)
        lattice[k] = fabs(base[k]) + 2;
    double grain = 2 * grain_of(p, lattice);
    for (int k = 0; k < 3; k++) {
        room.lower[k] -= box.upper[k] + grain;
        room.upper[k] -= box.lower[k] - grain;
    }
    for (int s = 0; s < count; s++) {
        const double *by = shifts[s].by;
        bool meets = (by[0] >= room.lower[0]) & (by[0] <= room.upper[0]) &
                     (by[1] >= room.lower[1]) & (by[1] <= room.upper[1]) &
                     (by[2] >= room.lower[2]) & (by[2] <= room.upper[2]);
        for (int k = 0; k < 3; k++)
            lattice[k] = base[k] + shifts[s].n[k];
        if (meets && add_image(p, id, lattice))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  Bodies that are looked at before images are made of some. */
#define LOW_IDS 256u

static uint32_t list_low(const placing *p, const uint32_t *ids, uint32_t count,
                         const double below[4], uint32_t *low)
{
    const scree_images *images = p->images;
    uint32_t found = 0;
    if (images->sphere)
        return scree_images_list_low(images->sphere[0], ids, count, below, low, images->simd);
    for (uint32_t k = 0; k < count; k++) {
        const double *lower = images->box[ids[k]].lower;
        low[found] = ids[k];
        found += (lower[0] <= below[0]) | (lower[1] <= below[1]) | (lower[2] <= below[2]);
    }
    return found;
}

/*  Bodies have images only if they lie so low on some axis that, a period further up, they still meet the
    bounds: the first part of a positive shift that is not 0 is 1 on z and y, and on x 1 or more. */
static scree_status add_all_images(const placing *p)
{
    scree_images *images = p->images;
    const scree_store *store = p->store;
    const scree_box *bounds = &p->shares[0].bounds;
    shift shifts[MOST_SHIFTS];
    double below[4] = {0, 0, 0, 0};
    int count = list_shifts(&images->cell, shifts);
    for (int k = 0; k < 3; k++) {
        double period = images->cell.period[k];
        below[k] = period > 0 ? bounds->upper[k] - period * (1 - 0x1p-20) +
                                    0x1p-40 * fabs(images->origin[k])
                              : -INFINITY;
    }
    for (uint32_t a = 0; a < store->active_count; a += LOW_IDS) {
        uint32_t low[LOW_IDS] = {0};
        uint32_t some = store->active_count - a < LOW_IDS ? store->active_count - a : LOW_IDS;
        some = list_low(p, store->active + a, some, below, low);
        for (uint32_t k = 0; k < some; k++)
            if (add_images(p, low[k], shifts, count))
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

scree_status scree_images_build(scree_images *images, const scree_store *store, bool *same)
{
    placing p; /* large: only the workers' shares are set */
    *same = false;
    images->is_same = images->bound == store->bound;
    images->last_image_count = images->image_count;
    images->bound = store->bound;
    images->image_count = 0;
    if (reserve_bodies(images, store, store->bound) ||
        RESERVE(is_moved, (size_t)store->bound / 64 + 1))
        return SCREE_OUT_OF_MEMORY;
    choose_origin(images, &store->bounds);
    begin_placing(&p, images, store);
    place_all(&p);
    if (add_all_images(&p) || list_bodies(images, store))
        return SCREE_OUT_OF_MEMORY;
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
        .sphere = (const double(*)[4])images->sphere,
    };
    return bodies;
}
