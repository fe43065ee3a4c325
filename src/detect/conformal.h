/*  The conformal check of the cell space: does the surface at distance `margin` around a piece
    reach a cell? A sphere in the corner of its box misses cells that the box reaches, and a slanted
    facet misses most of them. The answer may be yes in doubt and is never no where it should be
    yes. */
#ifndef SCREE_CONFORMAL_H
#define SCREE_CONFORMAL_H

#include "detect/bodies.h"

/*  Cells may be without end: -INFINITY in lower, INFINITY in upper. */

/*  Square of the distance from a point to a cell, rounded; 0 inside. Never decreasing as the cell
    shrinks, since every step of it is not. */
static inline double scree_conformal_distance_sq(const scree_box *cell, const double point[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = cell->lower[k] - point[k], above = point[k] - cell->upper[k];
        double d = below > above ? below : above;
        d = d > 0 ? d : 0;
        sum += d * d;
    }
    return sum;
}

/*  What is added to a radius so that rounding takes nothing away: see cell_space_layout.c for what
    must be covered. */
double scree_conformal_slack(const double centre[3], double radius);

/*  The sphere grown by `margin`, and by the slack. */
bool scree_conformal_sphere(const scree_box *cell, const double sphere[4], double margin);

/*  The triangle grown by `margin`, by separating axes: the box, the plane, and the nine products of
    edges. In two dimensions a segment: two equal vertices, z = 0. */
bool scree_conformal_triangle(const scree_box *cell, const double vertex[3][3], double margin);

#endif
