/*  The conformal check of the cell space: does the surface at distance `margin` around a piece
    reach a cell? A sphere in the corner of its box misses cells that the box reaches, and a slanted
    facet misses most of them. The answer may be yes in doubt and is never no where it should be
    yes. */
#ifndef SCREE_CONFORMAL_H
#define SCREE_CONFORMAL_H

#include "detect/method_bodies.h"

/*  Cells may be without end: -INFINITY in lower, INFINITY in upper. */

/*  What is added to a radius so that rounding takes nothing away: see cell_space_layout.c for what
    must be covered. */
double scree_conformal_slack(const double centre[3], double radius);

/*  The sphere grown by `margin`, and by the slack. */
bool scree_conformal_sphere(const scree_box *cell, const double sphere[4], double margin);

/*  The triangle grown by `margin`, by separating axes: the box, the plane, and the nine products of
    edges. In two dimensions a segment: two equal vertices, z = 0. */
bool scree_conformal_triangle(const scree_box *cell, const double vertex[3][3], double margin);

#endif
