/*  Lattice arithmetic. The lattice is lower triangular, so the brick [0, Lx) x [0, Ly) x [0, Lz) holds
    one image of every point, found by reducing z, then y, then x; and the nearest image of a point that
    is within half a period on every axis is found in the same order. */
#include "detect/cell.h"

#include <math.h>

scree_status scree_cell_check(const double period[3], const double tilt[3], int dimensions,
                              scree_error *error)
{
    /* the vector that each tilt belongs to, and the axis it points along */
    static const int vector_of[3] = {1, 2, 2}, axis_of[3] = {0, 0, 1};
    static const char *const names[3] = {"xy", "xz", "yz"};
    for (int k = 0; k < 3; k++) {
        if (!(period[k] == 0 || (period[k] >= 1 / SCREE_MAX_COORDINATE &&
                                 period[k] <= SCREE_MAX_COORDINATE && k < dimensions)))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "period %c is %g, must be 0 (not periodic) or 1e-100 to 1e100",
                              "xyz"[k], period[k]);
    }
    for (int k = 0; k < 3; k++) {
        bool allowed = period[vector_of[k]] > 0 && period[axis_of[k]] > 0;
        double limit = allowed ? 0.5 * period[axis_of[k]] : 0;
        if (!(fabs(tilt[k]) <= limit))
            return scree_fail(
                error, SCREE_BAD_ARGUMENT,
                "tilt %s is %g, must be at most %g in magnitude: half the period along "
                "it, flip the cell beyond",
                names[k], tilt[k], limit);
    }
    return SCREE_OK;
}

scree_cell scree_cell_make(const double period[3], const double tilt[3], int dimensions)
{
    scree_cell cell = {{0, 0, 0}, {0, 0, 0}, false};
    for (int k = 0; k < 3; k++) {
        cell.period[k] = k < dimensions ? period[k] : 0;
        cell.tilt[k] = tilt[k];
        cell.is_on |= cell.period[k] > 0;
    }
    return cell;
}

/*  Numbers below this can be rounded to integers by adding and subtracting. */
#define WHOLE 0x1p51

/*  nearbyint and floor, without a call where numbers are not huge. */
static inline double round_to_nearest(double x)
{
    return fabs(x) < WHOLE ? (x + 3 * WHOLE) - 3 * WHOLE : nearbyint(x);
}

static inline double round_down(double x)
{
    double nearest = round_to_nearest(x);
    return nearest - (double)(nearest > x);
}

/*  Reduces a copy of the point by whole vectors, the count of each chosen by `count`. */
SCREE_KERNEL_PART void reduce(const scree_cell *cell, const double point[3], double n[3],
                              double (*count)(double))
{
    double p[3] = {point[0], point[1], point[2]};
    n[0] = n[1] = n[2] = 0;
    if (cell->period[2] > 0) {
        n[2] = count(p[2] / cell->period[2]);
        p[1] -= n[2] * cell->tilt[2];
        p[0] -= n[2] * cell->tilt[1];
    }
    if (cell->period[1] > 0) {
        n[1] = count(p[1] / cell->period[1]);
        p[0] -= n[1] * cell->tilt[0];
    }
    if (cell->period[0] > 0)
        n[0] = count(p[0] / cell->period[0]);
}

void scree_cell_nearest(const scree_cell *cell, const double difference[3], double n[3])
{
    reduce(cell, difference, n, round_to_nearest);
}

void scree_cell_wrap(const scree_cell *cell, const double point[3], double n[3])
{
    reduce(cell, point, n, round_down);
}
