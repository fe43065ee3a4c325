/*  On which side of a plane a point lies, without rounding. */
#ifndef SCREE_ORIENT_H
#define SCREE_ORIENT_H

/*  Returns 1, 0 or -1: d is above the plane of a, b and c, seen from where these are counter-clockwise; in it; below.
    Coordinates are 0, or from 2^-280 to 1 in magnitude. */
int scree_orient(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
