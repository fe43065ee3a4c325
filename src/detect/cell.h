/*  The periodic cell: lattice vectors (Lx, 0, 0), (xy, Ly, 0), (xz, yz, Lz), and the nearest image. */
#ifndef SCREE_CELL_H
#define SCREE_CELL_H

#include "base/error.h"
#include "detect/method_bodies.h"

typedef struct scree_cell
{
    double period[3]; /* 0: not periodic on this axis */
    double tilt[3];   /* xy, xz, yz */
    bool is_on;       /* periodic on some axis */
} scree_cell;

/*  A body further away than so many periods is wrapped with too few digits. */
#define SCREE_CELL_MAX_PERIODS 1e6

scree_status scree_cell_check(const double period[3], const double tilt[3], int dimensions,
                              scree_error *error);
scree_cell scree_cell_make(const double period[3], const double tilt[3], int dimensions);

/*  The lattice vector of integer coordinates n. */
static inline void scree_cell_vector(const scree_cell *cell, const double n[3], double vector[3])
{
    vector[0] = n[0] * cell->period[0] + n[1] * cell->tilt[0] + n[2] * cell->tilt[1];
    vector[1] = n[1] * cell->period[1] + n[2] * cell->tilt[2];
    vector[2] = n[2] * cell->period[2];
}

/*  n so that difference - vector(n) is within half a period of 0 on every periodic axis. The negative
    difference gives the negative n. */
void scree_cell_nearest(const scree_cell *cell, const double difference[3], double n[3]);

/*  n so that point - vector(n) lies in [0, L) on every periodic axis, up to rounding. */
void scree_cell_wrap(const scree_cell *cell, const double point[3], double n[3]);

#endif
