/*  A lattice of equal cells over part of space: which cell a coordinate falls into, axis by axis.
    Points outside fall into the outermost cells, so no coordinate is ever without a cell; and the
    number of cells is bounded, so memory follows the number of bodies and never the domain. */
#ifndef SCREE_LATTICE_H
#define SCREE_LATTICE_H

#include "detect/method_bodies.h"

/*  What a lattice is laid over: the range of the centres and the sizes of all active bodies. */
typedef struct scree_extent
{
    double lower[3], upper[3]; /* of the centres, of some at least; 0 without bodies */
    double mean_width[3];      /* of the boxes */
    double width;              /* the largest of all boxes and axes */
    double magnitude;          /* the largest |lower| or |upper| */
} scree_extent;

typedef struct scree_lattice
{
    double origin[3], cell[3];
    uint32_t count[3]; /* cells, at least 1 on each axis; 1 on z in two dimensions */
} scree_lattice;

/*  Not (lower + upper) / 2 with a fused operation: the sum is rounded once, the half is exact. */
static inline double scree_box_centre(const scree_box *box, int axis)
{
    return 0.5 * (box->lower[axis] + box->upper[axis]);
}

/*  The cell of x on an axis: floor((x - origin) / cell), held within the lattice. The range is
    checked in double before the conversion, so any x will do, infinities too. Never decreasing in
    x, because a rounded difference, a rounded quotient, floor and clamp are each never decreasing:
    cells of clamped points keep their order. */
static inline uint32_t scree_lattice_index(const scree_lattice *lattice, int axis, double x)
{
    double at = (x - lattice->origin[axis]) / lattice->cell[axis];
    if (at >= (double)lattice->count[axis])
        return lattice->count[axis] - 1;
    return at >= 1.0 ? (uint32_t)at : 0;
}

/*  True if x lies more than a cell outside, where the outermost cells gather what is far away. */
static inline bool scree_lattice_clamps(const scree_lattice *lattice, int axis, double x)
{
    double at = (x - lattice->origin[axis]) / lattice->cell[axis];
    return (at < -1.0) | (at > (double)lattice->count[axis] + 1.0);
}

void scree_extent_measure(scree_extent *extent, const scree_bodies *bodies);

/*  Leaves a few bodies far from all others out of the range, so that one that has escaped does not
    make all cells huge: on an axis that is longer than 4 cells of cell[k] a body, and at most one body
    in 400 on each. */
void scree_extent_trim(scree_extent *extent, const scree_bodies *bodies, const double cell[3]);

/*  Cells of at least cell[k], and larger where there would be more than `columns` cells along x, or
    more than `rows` rows: cells along y times cells along z. */
void scree_lattice_lay(scree_lattice *lattice, const scree_extent *extent, const double cell[3],
                       double columns, double rows);

#endif
