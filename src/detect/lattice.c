/*  Lays out a lattice: measures the bodies, then chooses the number of cells on each axis. */
#include "detect/lattice.h"

#include <math.h>
#include <string.h>

static void widen(scree_extent *extent, const scree_box *box, int axis)
{
    double centre = scree_box_centre(box, axis);
    double width = box->upper[axis] - box->lower[axis];

    extent->lower[axis] = centre < extent->lower[axis] ? centre : extent->lower[axis];
    extent->upper[axis] = centre > extent->upper[axis] ? centre : extent->upper[axis];
    extent->width = width > extent->width ? width : extent->width;
    extent->mean_width[axis] += width;
}

static void set_magnitude(scree_extent *extent)
{
    extent->magnitude = 0;
    for (int k = 0; k < 3; k++) {
        double reach = fmax(fabs(extent->lower[k]), fabs(extent->upper[k]));
        extent->magnitude = fmax(extent->magnitude, reach);
    }
}

void scree_extent_measure(scree_extent *extent, const scree_bodies *bodies)
{
    memset(extent, 0, sizeof *extent);
    if (bodies->active_count == 0)
        return;
    for (int k = 0; k < bodies->dimensions; k++)
        extent->lower[k] = extent->upper[k] = scree_box_centre(&bodies->box[bodies->active[0]], k);
    for (uint32_t p = 0; p < bodies->active_count; p++)
        for (int k = 0; k < bodies->dimensions; k++)
            widen(extent, &bodies->box[bodies->active[p]], k);
    for (int k = 0; k < bodies->dimensions; k++)
        extent->mean_width[k] /= (double)bodies->active_count;
    set_magnitude(extent);
}

/*  Which of SLOTS equal parts of the range a centre is in; SLOTS if outside. */
#define SLOTS 64u

static uint32_t slot_of(const scree_extent *extent, const scree_box *box, int axis)
{
    double lower = extent->lower[axis], upper = extent->upper[axis];
    double centre = scree_box_centre(box, axis);
    double at = (centre - lower) / ((upper - lower) / SLOTS);

    if (centre < lower || centre > upper)
        return SLOTS;
    return at < SLOTS - 1 ? (uint32_t)at : SLOTS - 1;
}

/*  The range of the centres in slots [first, last]: of the centres, not of the slots, whose ends are
    rounded by more than the bodies are apart if the range is that long. */
static void shrink(scree_extent *extent, const scree_bodies *bodies, int axis, uint32_t first,
                   uint32_t last)
{
    double lower = extent->upper[axis], upper = extent->lower[axis];

    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const scree_box *box = &bodies->box[bodies->active[p]];
        uint32_t slot = slot_of(extent, box, axis);
        if (slot >= first && slot <= last) {
            lower = fmin(lower, scree_box_centre(box, axis));
            upper = fmax(upper, scree_box_centre(box, axis));
        }
    }
    extent->lower[axis] = lower;
    extent->upper[axis] = upper;
}

/*  Cuts sparse slots off both ends, and leaves out no more than *spare bodies. False if less than half
    of the range could go; then nothing changes. */
static bool trim_axis(scree_extent *extent, const scree_bodies *bodies, int axis, uint32_t *spare)
{
    uint32_t slots[SLOTS + 1] = {0}, first = 0, last = SLOTS - 1, left = *spare;

    for (uint32_t p = 0; p < bodies->active_count; p++)
        slots[slot_of(extent, &bodies->box[bodies->active[p]], axis)]++;
    while (first < last && slots[first] <= left)
        left -= slots[first++];
    while (first < last && slots[last] <= left)
        left -= slots[last--];
    if (last - first >= SLOTS / 2)
        return false;
    shrink(extent, bodies, axis, first, last);
    *spare = left;
    return true;
}

void scree_extent_trim(scree_extent *extent, const scree_bodies *bodies, const double cell[3])
{
    for (int k = 0; k < bodies->dimensions; k++) {
        double long_axis = 4 * (double)bodies->active_count * cell[k];
        uint32_t spare = bodies->active_count / 400;

        /* each turn halves the range at least */
        while (spare > 0 && extent->upper[k] - extent->lower[k] > long_axis)
            if (!trim_axis(extent, bodies, k, &spare))
                break;
    }
    set_magnitude(extent);
}

/*  Cells along an axis if nothing bounds them; may be infinite. */
static double natural_count(const scree_extent *extent, const double cell[3], int axis)
{
    return floor((extent->upper[axis] - extent->lower[axis]) / cell[axis]) + 1.0;
}

#define MAX_CELLS 0x1p31 /* on one axis: what fits an index, with room to add one */

static void set_axis(scree_lattice *lattice, const scree_extent *extent, int axis, double cell,
                     double natural, double limit)
{
    double range = extent->upper[axis] - extent->lower[axis];

    lattice->origin[axis] = extent->lower[axis];
    limit = fmin(floor(limit), MAX_CELLS);
    if (natural > limit) {
        natural = limit;
        cell = fmax(cell, range / natural);
    }
    lattice->cell[axis] = cell;
    lattice->count[axis] = (uint32_t)natural;
}

void scree_lattice_lay(scree_lattice *lattice, const scree_extent *extent, const double cell[3],
                       double columns, double rows)
{
    double y = natural_count(extent, cell, 1), z = natural_count(extent, cell, 2);
    double root = sqrt(rows), y_limit = rows, z_limit = rows;

    /* too many rows: the axis with few cells keeps them, or both get the square root */
    if (y * z > rows) {
        y_limit = z <= root ? rows / z : (y <= root ? y : root);
        z_limit = y <= root ? rows / y : (z <= root ? z : root);
    }
    set_axis(lattice, extent, 0, cell[0], natural_count(extent, cell, 0), columns);
    set_axis(lattice, extent, 1, cell[1], y, y_limit);
    set_axis(lattice, extent, 2, cell[2], z, z_limit);
}
