/*  Part 3 of the rule, and the tests of queries, on the caller's own numbers. */
#ifndef SCREE_EXACT_H
#define SCREE_EXACT_H

#include "detect/method_bodies.h"

static inline bool scree_spheres_overlap(const double a[4], const double b[4])
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2], reach = a[3] + b[3];
    /* discs have z = 0: adding 0 changes no bit */
    return dx * dx + dy * dy + dz * dz <= reach * reach;
}

/*  Squared distance from a point to a box, rounded; 0 inside. Monotone: it does not decrease if the box shrinks,
    since no operation in it does. */
static inline double scree_box_distance_sq(const scree_box *box, const double point[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = box->lower[k] - point[k], above = point[k] - box->upper[k];
        double d = below > above ? below : above;
        d = d > 0 ? d : 0;
        sum += d * d;
    }
    return sum;
}

static inline bool scree_box_meets_sphere(const scree_box *box, const double sphere[4])
{
    return scree_box_distance_sq(box, sphere) <= sphere[3] * sphere[3];
}

#endif
