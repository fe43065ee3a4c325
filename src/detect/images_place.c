/*  Putting bodies into the cell.

    ROUNDING. Bodies that lie in the cell already are left as they are. Others are moved with rounding, and
    the rule itself rounds, so they are enlarged by a bound of both (scree_images_grain). Let u = 2^-53 and m the
    largest sum of magnitudes of coordinates and radius of any body. A place is moved with an error of
    u (m + 7 V), V the sum of the magnitudes of all terms of the lattice vector; the rule's difference
    of two is off by u (2 m + 7 V_i + 7 V_j), and accepts if the rest is 11u of both radii short of it.
    The grain is more than 60u (m + V) for each body that is moved, and of any two with an error one is. */
#include "detect/images_place.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*  Ids that one worker takes at a time: whole words of bits. */
#define TASK_IDS 8192u

/*  No nearest image is looked for if bodies are narrower than this share of a period, and moved by no more
    than so many of them. */
#define NARROW 0.49
#define MAX_MOVES 0x1p24

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double scree_images_grain(const scree_placing *p, const double lattice[3])
{
    double sum = p->reach;
    for (int k = 0; k < 3; k++)
        sum += fabs(lattice[k]) * p->extent[k];
    return 32 * DBL_EPSILON * sum + 0x1p-500;
}

void scree_images_write_moved(const scree_placing *p, uint32_t index, uint32_t id,
                              const double lattice[3], const double by[3], double grain)
{
    scree_images *images = p->images;
    const scree_store *store = p->store;
    memcpy(images->lattice[index], lattice, sizeof images->lattice[index]);
    if (store->sphere) {
        double *moved = scree_images_spheres(images, store)[index];
        memcpy(moved, store->sphere[id], sizeof store->sphere[id]);
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

static void grow_bounds(scree_box *bounds, const scree_box *box)
{
    for (int k = 0; k < 3; k++) {
        bounds->lower[k] = box->lower[k] < bounds->lower[k] ? box->lower[k] : bounds->lower[k];
        bounds->upper[k] = box->upper[k] > bounds->upper[k] ? box->upper[k] : bounds->upper[k];
    }
}

/*  Starts the cell at that multiple of half a period with which the most bodies need not be moved. */
static void choose_origin(scree_images *images, const scree_box *bounds)
{
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * images->cell.period[k];
        double middle = 0.5 * bounds->lower[k] + 0.5 * bounds->upper[k];
        images->origin[k] = half > 0 ? half * nearbyint((middle - half) / half) : 0;
    }
}

/* ---- which bodies have images ---- */

/*  Bodies have images only if they lie so low on some axis that, a period further up, they still meet the
    bounds of all, which end at `upper`: the first part of a positive shift that is not 0 is 1 on z and y, and on x 1 or more. */
static void set_below(scree_placing *p, const double upper[3])
{
    const scree_images *images = p->images;
    for (int k = 0; k < 3; k++) {
        double period = images->cell.period[k];
        p->limits.below[k] =
            period > 0 ? upper[k] - period * (1 - 0x1p-20) + 0x1p-40 * fabs(images->origin[k])
                       : -INFINITY;
    }
    p->limits.below[3] = -INFINITY;
}

static bool is_low(const scree_placing *p, uint32_t id)
{
    const scree_images *images = p->images;
    scree_sphere *sphere = scree_images_spheres(images, p->store);
    bool low = false;
    for (int k = 0; k < 3; k++) {
        double lower = sphere ? sphere[id][k] - sphere[id][3] : images->box[id].lower[k];
        low |= lower <= p->limits.below[k];
    }
    return low;
}

static void mark_low(const scree_placing *p, uint32_t id)
{
    p->images->is_low[id / 64] |= (uint64_t)is_low(p, id) << id % 64;
}

static void mark_low_ids(void *data, size_t task, uint32_t worker)
{
    const scree_placing *p = data;
    const scree_store *store = p->store;
    uint32_t end = (uint32_t)scree_block_end(task, TASK_IDS, p->images->bound);
    (void)worker;
    for (uint32_t id = (uint32_t)(task * TASK_IDS); id < end; id++) {
        if (id % 64 == 0)
            p->images->is_low[id / 64] = 0;
        if (store->position[id] != SCREE_NOT_ACTIVE)
            mark_low(p, id);
    }
}

/* ---- one body, and up to 64 ---- */

static void grow_share(scree_placing_share *found, const scree_box *box)
{
    grow_bounds(&found->bounds, box);
    for (int k = 0; k < 3; k++) {
        found->widest[k] = larger(found->widest[k], 0.5 * (box->upper[k] - box->lower[k]));
    }
}

static void wrap_body(const scree_placing *p, uint32_t id, scree_placing_share *found)
{
    scree_images *images = p->images;
    double place[3], n[3], by[3];
    scree_images_centre(p->store, id, place);
    for (int k = 0; k < 3; k++)
        place[k] -= images->origin[k];
    scree_cell_wrap(&images->cell, place, n);
    for (int k = 0; k < 3; k++) {
        n[k] = 0 - n[k];
        found->max_moves = larger(found->max_moves, fabs(n[k]));
    }
    scree_cell_vector(&images->cell, n, by);
    scree_images_write_moved(p, id, id, n, by, scree_images_grain(p, n));
    images->is_moved[id / 64] |= 1ull << id % 64;
    found->has_moved = true;
    scree_box box;
    scree_images_read_box(images, p->store, id, &box);
    grow_share(found, &box);
}

static void place_body(const scree_placing *p, uint32_t id, scree_placing_share *found)
{
    scree_images *images = p->images;
    const scree_store *store = p->store;
    const scree_range *home = &p->limits.cell;
    double centre[3];
    bool is_home = true;
    scree_images_centre(store, id, centre);
    for (int k = 0; k < 3; k++)
        is_home &= (centre[k] >= home->lower[k]) & (centre[k] < home->upper[k]);
    if (!is_home) {
        wrap_body(p, id, found);
        return;
    }
    if (store->sphere)
        memcpy(images->sphere[id], store->sphere[id], sizeof images->sphere[id]);
    if (store->has_boxes)
        images->box[id] = store->box[id];
    scree_box box;
    scree_images_read_box(images, store, id, &box);
    grow_share(found, &box);
    mark_low(p, id);
}

/*  Whether all bodies are active spheres without boxes, stored as rows. */
static bool are_rows(const scree_store *store)
{
    return !store->has_boxes && store->active_count == store->bound;
}

/*  Up to 64 such rows. */
static void place_spheres(const scree_placing *p, uint32_t id, uint32_t count,
                          scree_placing_share *found)
{
    scree_images *images = p->images;
    scree_range rows;
    for (int k = 0; k < 4; k++) {
        rows.lower[k] = INFINITY;
        rows.upper[k] = -INFINITY;
    }
    const double *from = p->store->sphere[id];
    scree_row_bits bits = scree_images_look_at_rows(from, count, &p->limits, &rows, images->simd);
    found->has_moved |= bits.outside != 0;
    for (int k = 0; k < 3; k++) {
        found->bounds.lower[k] = fmin(found->bounds.lower[k], rows.lower[k]);
        found->bounds.upper[k] = fmax(found->bounds.upper[k], rows.upper[k]);
        found->widest[k] = larger(found->widest[k], 0.5 * rows.upper[3]);
    }
    images->is_low[id / 64] = bits.low;
    if (images->is_borrowing)
        return; /* if some are outside, this is repeated */
    memcpy(images->sphere[id], from, count * sizeof images->sphere[id]);
    for (uint32_t row = 0; bits.outside >> row; row++) {
        if (bits.outside >> row & 1)
            wrap_body(p, id + row, found);
        if (row == 63)
            return;
    }
}

static void place_ids(void *data, size_t task, uint32_t worker)
{
    scree_placing *p = data;
    scree_images *images = p->images;
    scree_placing_share found = p->shares[worker];
    const scree_store *store = p->store;
    uint32_t end = (uint32_t)scree_block_end(task, TASK_IDS, images->bound);
    const bool in_rows = are_rows(store);
    for (uint32_t first = (uint32_t)(task * TASK_IDS); first < end; first += 64) {
        uint32_t count = end - first < 64 ? end - first : 64;
        images->is_moved[first / 64] = images->is_low[first / 64] = 0;
        if (in_rows)
            place_spheres(p, first, count, &found);
        for (uint32_t id = first; !in_rows && id < first + count; id++)
            if (store->position[id] != SCREE_NOT_ACTIVE)
                place_body(p, id, &found);
    }
    p->shares[worker] = found;
}

/* ---- all ---- */

/*  Bounds of rows are found without the rounding outward of boxes. */
static scree_box widen(const scree_placing *p, scree_box bounds)
{
    for (int k = 0; k < 3; k++) {
        bounds.lower[k] -= 32 * DBL_EPSILON * p->reach + 0x1p-500;
        bounds.upper[k] += 32 * DBL_EPSILON * p->reach + 0x1p-500;
    }
    return bounds;
}

static void begin_placing(scree_placing *p, scree_images *images, scree_store *store)
{
    const scree_cell *cell = &images->cell;
    scree_range *home = &p->limits.cell;
    p->images = images;
    p->store = store;
    p->reach = 0;
    for (int k = 0; k < 3; k++) {
        p->reach += 2 * fmax(fabs(store->bounds.lower[k]), fabs(store->bounds.upper[k]));
        p->extent[k] = cell->period[k];
        home->lower[k] = cell->period[k] > 0 ? images->origin[k] : -INFINITY;
        home->upper[k] = cell->period[k] > 0 ? images->origin[k] + cell->period[k] : INFINITY;
    }
    home->lower[3] = -INFINITY;
    home->upper[3] = INFINITY;
    p->extent[1] += fabs(cell->tilt[0]);
    p->extent[2] += fabs(cell->tilt[1]) + fabs(cell->tilt[2]);
    /* while no body is wrapped, all lie within the bounds of the bodies as given */
    set_below(p, widen(p, store->bounds).upper);
}

/*  Joins the results of the workers in the first share. */
static void join_shares(scree_placing *p)
{
    scree_placing_share *all = &p->shares[0];
    for (uint32_t worker = 1; worker < p->images->workers->count; worker++) {
        const scree_placing_share *other = &p->shares[worker];
        grow_bounds(&all->bounds, &other->bounds);
        for (int k = 0; k < 3; k++)
            all->widest[k] = larger(all->widest[k], other->widest[k]);
        all->max_moves = larger(all->max_moves, other->max_moves);
        all->has_moved |= other->has_moved;
    }
}

/*  If rows are used without copying, an id that must be moved ends the attempt. */
static void place_in_cell(scree_placing *p, bool is_borrowing)
{
    static const scree_placing_share nothing = {
        {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, {0, 0, 0}, 0, false};
    p->images->is_borrowing = is_borrowing;
    for (uint32_t worker = 0; worker < p->images->workers->count; worker++)
        p->shares[worker] = nothing;
    scree_workers_run(p->images->workers, scree_block_count(p->store->bound, TASK_IDS), place_ids,
                      p);
    join_shares(p);
}

scree_status scree_images_place_all(scree_placing *p, scree_images *images, scree_store *store)
{
    scree_placing_share *all = &p->shares[0];
    choose_origin(images, &store->bounds);
    begin_placing(p, images, store);
    bool is_borrowing = are_rows(store) && !images->has_moved;
    if (is_borrowing)
        place_in_cell(p, true);
    if (!is_borrowing || all->has_moved) {
        images->is_borrowing = false;
        if (scree_images_reserve(images, store, store->bound))
            return SCREE_OUT_OF_MEMORY;
        place_in_cell(p, false);
    }
    all->bounds = widen(p, all->bounds);
    if (all->has_moved) {
        set_below(p, all->bounds.upper);
        scree_workers_run(images->workers, scree_block_count(store->bound, TASK_IDS), mark_low_ids,
                          p);
    }
    /* see images_pairs.c */
    const double farthest[3] = {all->max_moves + 2, all->max_moves + 2, all->max_moves + 2};
    images->doubt = 16 * scree_images_grain(p, farthest);
    images->has_moved = all->has_moved;
    images->is_narrow = all->max_moves <= MAX_MOVES;
    for (int k = 0; k < 3; k++)
        images->is_narrow &=
            images->cell.period[k] == 0 || 2 * all->widest[k] <= NARROW * images->cell.period[k];
    return SCREE_OK;
}
