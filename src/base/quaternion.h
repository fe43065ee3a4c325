/*  Rotations as unit quaternions w x y z. */
#ifndef SCREE_QUATERNION_H
#define SCREE_QUATERNION_H

#include "base/common.h"
#include "base/portable_math.h"

#include <math.h>

/*  product = a b: rotates by b first, then by a. `product` must not alias a or b. */
static inline void scree_quaternion_multiply(const double a[4], const double b[4],
                                             double product[4])
{
    product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    product[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    product[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

#include "base/quaternion_turn.inc.h"

/*  Adds `sign` times the rotated vector. */
static inline void scree_quaternion_shift(const double q[4], const double v[3], double sign,
                                          double place[3])
{
    double turned[3];

    scree_quaternion_turn(q, v, turned);
    for (int k = 0; k < 3; k++)
        place[k] += sign * turned[k];
}

/*  Normalises. Returns false, and changes nothing, if the quaternion is zero, not finite, or too large to square. */
static inline bool scree_quaternion_normalise(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0x1p-500 && length < INFINITY))
        return false;
    for (int k = 0; k < 4; k++)
        q[k] /= length;
    return true;
}

/*  Rotation by `angle` about the axis, a unit vector. */
static inline void scree_quaternion_about(const double axis[3], double angle, double q[4])
{
    double sine, cosine;
    scree_sin_cos(0.5 * angle, &sine, &cosine);
    q[0] = cosine;
    for (int k = 0; k < 3; k++)
        q[1 + k] = sine * axis[k];
}

#endif
