/*  Where cells lie: the domain, the edge of the parent cells, the index of a coordinate, and making
    and deleting spaces of cells. All arithmetic is in comparisons of rounded bounds, so that every
    decision about a point is the same wherever it is made.

    WHY THE SLACK. Two spheres that overlap by the rule are found in the leaf that holds the point
    q = c_a + (c_b - c_a) * t, t = r_a / (r_a + r_b), where a is the smaller one (cell_space.c).
    With S = r_a + r_b, u = 2^-53: by the proof beside scree_sphere_bounds, |c_b - c_a| <= S (1 +
    5u) + 2^-536. So on each axis the offset t (c_b - c_a) as computed is off by less than 6u r_a +
    2^-536, the sum by u (|c_a| + r_a) more; without rounding, q is no farther than r_a (1 + 5u) +
    2^-536 from c_a and r_b (1 + 5u) + 2^-536 from c_b. As |c_a| <= |c_b| + S and r_a <= r_b, both
    are less than 2^-48 (|c| + r) + 2^-530 beyond the radius, with room for the roundings of the
    check itself. */
#include "detect/cell_space.h"
#include "detect/conformal.h"

#include "base/portable_math.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define NONE SCREE_CELL_NONE
#define SAMPLES 1024u    /* bodies that an automatic domain is laid over */
#define MAX_ENTRIES 16.0 /* of a piece in parent cells, on average */
#define MAX_ON_AXIS 16777216.0
#define MIN_SHARE 1e-9 /* of the longest edge of the domain: cells are not smaller */

/* ---- bounds and indexes ---- */

static double bound(const scree_space *space, int axis, uint32_t i)
{
    double at = space->origin[axis] + (double)i * space->len;

    if (i == 0 || at < space->range.lower[axis])
        return space->range.lower[axis];
    if (i == space->count[axis] || at > space->range.upper[axis])
        return space->range.upper[axis];
    return at;
}

/*  The largest i with bound(i) <= x, or 0: formula (3), then the step or two that its rounding may
    be off. The guess is clamped before it is converted, so any x will do, infinities too. */
uint32_t scree_space_index(const scree_space *space, int axis, double x)
{
    double at = (x - space->origin[axis]) / space->len;
    uint32_t last = space->count[axis] - 1, i = 0;

    if (at >= (double)last)
        i = last;
    else if (at >= 1.0)
        i = (uint32_t)at;
    while (i > 0 && x < bound(space, axis, i))
        i--;
    while (i < last && x >= bound(space, axis, i + 1))
        i++;
    return i;
}

scree_cell_range scree_space_range(const scree_space *space, const scree_box *box)
{
    scree_cell_range range;

    for (int k = 0; k < 3; k++) {
        bool one = space->count[k] == 1;
        range.first[k] = one ? 0 : scree_space_index(space, k, box->lower[k]);
        range.last[k] = one ? 0 : scree_space_index(space, k, box->upper[k]);
    }
    return range;
}

scree_reach scree_cell_reach(const scree_bodies *bodies, uint32_t id)
{
    scree_reach reach = {.box = bodies->box[id]};

    if (!bodies->sphere) {
        for (int k = 0; k < 3; k++)
            reach.middle[k] = 0.5 * (reach.box.lower[k] + reach.box.upper[k]);
        return reach;
    }
    const double *sphere = bodies->sphere[id];
    double radius = sphere[3] + scree_conformal_slack(sphere, sphere[3]);
    reach.centre = sphere;
    reach.radius_sq = radius * radius;
    for (int k = 0; k < 3; k++)
        reach.middle[k] = k < bodies->dimensions ? sphere[k] : 0;
    for (int k = 0; k < bodies->dimensions; k++) {
        reach.box.lower[k] = sphere[k] - radius;
        reach.box.upper[k] = sphere[k] + radius;
    }
    return reach;
}

/* ---- spaces ---- */

static void make_cell(scree_cell_space *cs, const scree_space *space, uint32_t space_index,
                      const uint32_t at[3])
{
    scree_space_cell *cell = &cs->cell[scree_space_cell_at(space, at)];

    for (int k = 0; k < 3; k++) {
        cell->range.lower[k] = bound(space, k, at[k]);
        cell->range.upper[k] = bound(space, k, at[k] + 1);
    }
    cell->head = scree_lazy_take(&cs->lists);
    cell->child = NONE;
    cell->space = space_index;
    cell->refused = 0;
    atomic_init(&cell->mapped, 0);
    atomic_init(&cell->centroids, 0);
    atomic_init(&cell->extents, 0);
}

/*  Cells and a number for a space: those of a dead one of the same size, or new ones. */
static scree_status claim_space(scree_cell_space *cs, scree_memory *memory, uint32_t m,
                                uint32_t cells, uint32_t *index)
{
    scree_status status = scree_lazy_reserve(&cs->lists, memory, cells);

    if (status)
        return status;
    *index = m <= 64 ? cs->spare[m] : NONE;
    if (*index != NONE) {
        scree_space *space = &cs->space[*index];
        cs->spare[m] = space->parent;
        cs->dead_cells -= cells;
        space->first = space->cells; /* kept here while dead */
        return SCREE_OK;
    }
    if (cells > NONE - 1 - cs->cell_count)
        return SCREE_TOO_LARGE;
    status = scree_memory_reserve(memory, &cs->cell, &cs->cell_capacity,
                                  (size_t)cs->cell_count + cells, sizeof *cs->cell);
    if (!status)
        status = scree_memory_reserve(memory, &cs->space, &cs->space_capacity,
                                      (size_t)cs->space_count + 1, sizeof *cs->space);
    if (status)
        return status;
    *index = cs->space_count++;
    cs->space[*index].first = cs->cell_count;
    cs->cell_count += cells;
    return SCREE_OK;
}

static void make_cells(scree_cell_space *cs, uint32_t index)
{
    const scree_space *space = &cs->space[index];
    uint32_t at[3];

    for (at[2] = 0; at[2] < space->count[2]; at[2]++)
        for (at[1] = 0; at[1] < space->count[1]; at[1]++)
            for (at[0] = 0; at[0] < space->count[0]; at[0]++)
                make_cell(cs, space, index, at);
}

/*  Where a cell would begin if it were not held within anything: the child's origin. */
static void nominal_corner(const scree_cell_space *cs, uint32_t cell, double corner[3])
{
    const scree_space *space = &cs->space[cs->cell[cell].space];
    uint32_t offset = cell - space->first, row = offset / space->count[0];
    uint32_t at[3] = {offset % space->count[0], row % space->count[1], row / space->count[1]};

    for (int k = 0; k < 3; k++)
        corner[k] = space->origin[k] + (double)at[k] * space->len;
}

scree_status scree_cell_space_split(scree_cell_space *cs, scree_memory *memory, uint32_t cell,
                                    uint32_t m, uint32_t *index)
{
    uint32_t cells = cs->dimensions == 2 ? m * m : m * m * m;
    scree_status status = claim_space(cs, memory, m, cells, index);

    if (status)
        return status;
    scree_space *space = &cs->space[*index];
    const scree_space *outer = &cs->space[cs->cell[cell].space];
    nominal_corner(cs, cell, space->origin);
    space->len = outer->len / m;
    space->range = cs->cell[cell].range;
    space->count[0] = space->count[1] = m;
    space->count[2] = cs->dimensions == 2 ? 1 : m;
    space->cells = cells;
    space->parent = cell;
    space->depth = outer->depth + 1;
    cs->cell[cell].child = *index;
    make_cells(cs, *index);
    return SCREE_OK;
}

void scree_cell_space_unsplit(scree_cell_space *cs, uint32_t index)
{
    scree_space *space = &cs->space[index];
    uint32_t m = space->count[0], first = space->first;

    for (uint32_t c = first; c < first + space->cells; c++) {
        scree_lazy_give(&cs->lists, cs->cell[c].head);
        cs->cell[c].head = NONE;
    }
    cs->cell[space->parent].child = NONE;
    cs->dead_cells += space->cells;
    space->parent = cs->spare[m];
    space->cells = first;
    space->first = NONE;
    cs->spare[m] = index;
}

/* ---- the domain ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*  Where most of the centres are: between the 64th part from either end of a sample, and half as
    far again on both sides, but no farther than there are centres. So a few runaways do not stretch
    the cells of all others; they share the outermost cells. */
static void measure_axis(const scree_bodies *bodies, int axis, double *lower, double *upper)
{
    double sample[SAMPLES], least = INFINITY, most = -INFINITY, half;
    uint32_t count = bodies->active_count, taken = count < SAMPLES ? count : SAMPLES;

    for (uint32_t p = 0; p < count; p++) {
        const scree_box *box = &bodies->box[bodies->active[p]];
        double centre = 0.5 * (box->lower[axis] + box->upper[axis]);
        least = fmin(least, centre);
        most = fmax(most, centre);
    }
    for (uint32_t s = 0; s < taken; s++) {
        const scree_box *box = &bodies->box[bodies->active[(uint64_t)s * count / taken]];
        sample[s] = 0.5 * (box->lower[axis] + box->upper[axis]);
    }
    /* cppcheck-suppress uninitvar; there is a body, so there is a sample */
    qsort(sample, taken, sizeof *sample, compare_doubles);
    half = 0.5 * (sample[taken - 1 - taken / 64] - sample[taken / 64]);
    *lower = fmax(least, sample[taken / 64] - half);
    *upper = fmin(most, sample[taken - 1 - taken / 64] + half);
}

static void choose_domain(scree_cell_space *cs, const scree_bodies *bodies)
{
    cs->domain = (scree_box){{0}, {0}};
    for (int k = 0; k < cs->dimensions; k++) {
        cs->domain.lower[k] = cs->def.lower[k];
        cs->domain.upper[k] = cs->def.upper[k];
        if (!cs->is_given && bodies->active_count)
            measure_axis(bodies, k, &cs->domain.lower[k], &cs->domain.upper[k]);
    }
}

/*  The edge of about `wanted` cubes that fill the domain, (V / wanted)^(1/d), and how many there
    are on each axis. An axis shorter than the edge gets one cell and does not count: a sheet is cut
    in two dimensions, a rod in one. */
static void choose_edge(scree_cell_space *cs, double wanted, scree_space *root)
{
    double longest = 0, share[3], magnitude = 0, edge = 1;
    bool counts[3], again = true;

    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, cs->domain.upper[k] - cs->domain.lower[k]);
        magnitude = fmax(magnitude, fmax(fabs(cs->domain.lower[k]), fabs(cs->domain.upper[k])));
        root->count[k] = 1;
    }
    cs->min_len = fmax(MIN_SHARE * longest, fmax(0x1p-46 * magnitude, DBL_MIN));
    root->len = fmax(longest, DBL_MIN);
    if (longest <= cs->min_len) {
        cs->min_len = INFINITY;
        return;
    }
    for (int k = 0; k < 3; k++) {
        share[k] = (cs->domain.upper[k] - cs->domain.lower[k]) / longest;
        counts[k] = share[k] * wanted > 1;
    }
    while (again) {
        double product = 1, axes = 0;
        for (int k = 0; k < 3; k++) {
            product *= counts[k] ? share[k] : 1;
            axes += counts[k];
        }
        edge = axes > 0 ? scree_pow(product / wanted, 1 / axes) : 1;
        again = false;
        for (int k = 0; k < 3; k++) {
            bool short_axis = counts[k] && share[k] < edge;
            counts[k] &= !short_axis;
            again |= short_axis;
        }
    }
    root->len = fmax(edge * longest, cs->min_len);
    for (int k = 0; k < 3; k++)
        if (counts[k])
            root->count[k] =
                (uint32_t)fmin(fmax(ceil(share[k] * longest / root->len), 1), MAX_ON_AXIS);
}

/*  How many times larger the cells must be for MAX_ENTRIES cells a piece: a piece of width w lies
    in 1 + w / len cells of an axis on average. So memory is in proportion to the bodies, even if
    all are as large as the domain. An estimate: only speed and memory depend on it. */
static double enlargement(const scree_bodies *bodies, const scree_space *root)
{
    double sum[3] = {0}, s = 1, most = (MAX_ENTRIES - 1) * bodies->active_count;

    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const scree_box *box = &bodies->box[bodies->active[p]];
        double along[3];
        for (int k = 0; k < 3; k++)
            along[k] =
                fmin((box->upper[k] - box->lower[k]) / root->len, (double)root->count[k] - 1);
        sum[0] += along[0] + along[1] + along[2];
        sum[1] += along[0] * along[1] + along[1] * along[2] + along[2] * along[0];
        sum[2] += along[0] * along[1] * along[2];
    }
    while (sum[0] / s + sum[1] / (s * s) + sum[2] / (s * s * s) > most)
        s *= 1.25;
    return s;
}

/*  Any number is right: only speed. */
static double wanted_cells(const scree_cell_space *cs, const scree_bodies *bodies)
{
    uint32_t most = cs->dimensions == 2 ? 1000 : 10000;
    uint32_t needed = bodies->active_count / cs->def.target + 1;

    if (cs->def.cells)
        return cs->def.cells;
    return needed < most ? needed : most;
}

scree_status scree_cell_space_lay(scree_cell_space *cs, const scree_method_env *env,
                                  const scree_bodies *bodies)
{
    scree_space root = {.parent = NONE};
    double wanted = wanted_cells(cs, bodies), larger;
    uint32_t index;

    choose_domain(cs, bodies);
    choose_edge(cs, wanted, &root);
    larger = enlargement(bodies, &root);
    if (larger > 1) /* only speed: for 1 it is the same edge again */
        choose_edge(cs, fmax(wanted / (larger * larger * (cs->dimensions == 2 ? 1 : larger)), 1),
                    &root);

    cs->cell_count = cs->space_count = cs->dead_cells = 0;
    for (uint32_t m = 0; m < SCREE_COUNT_OF(cs->spare); m++)
        cs->spare[m] = NONE;
    scree_lazy_clear(&cs->lists);
    root.cells = root.count[0] * root.count[1] * root.count[2];
    for (int k = 0; k < 3; k++) {
        root.origin[k] = cs->domain.lower[k];
        root.range.lower[k] = -INFINITY;
        root.range.upper[k] = INFINITY;
    }
    scree_status status = claim_space(cs, env->memory, NONE, root.cells, &index);
    if (status)
        return status;
    root.first = cs->space[index].first;
    cs->space[index] = root;
    make_cells(cs, index);
    return SCREE_OK;
}
