/*  Rotation of bodies. */
#ifndef SCREE_WORLD_ROTATION_H
#define SCREE_WORLD_ROTATION_H

#include "base/quaternion.h"
#include "world/state/bodies.h"
#include "world/state/series_limit.h"

#include <string.h>

/* ---- one turn about one axis ---- */

/*  The quaternion of a rotation, from its axis times half its angle. */
static inline void scree_turn_by_half(const double half[3], double turn[4])
{
    double s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2], share;

    if (s <= SCREE_SERIES_LIMIT) {
        turn[0] =
            1 + s * (-1.0 / 2 +
                     s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800)))));
        share =
            1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 +
                                                      s * (1.0 / 362880 + s * (-1.0 / 39916800)))));
    } else {
        double angle = sqrt(s), sine;
        scree_sin_cos(angle, &sine, &turn[0]);
        share = sine / angle;
    }
    for (int k = 0; k < 3; k++)
        turn[1 + k] = share * half[k];
}

/*  Normalises a quaternion whose length is almost 1: one Newton step is enough. */
static inline void scree_turn_shorten(double q[4])
{
    double norm = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    double scale = 1.5 - 0.5 * norm;

    for (int k = 0; k < 4; k++)
        q[k] *= scale;
}

/*  The orientation after dt with a constant angular velocity: the exact rotation. Inline, since each step does it
    for each body. */
static inline void scree_turn(const double orientation[4], const double spin[3], double dt,
                              double turned[4])
{
    double half[3], turn[4];

    for (int k = 0; k < 3; k++)
        half[k] = spin[k] * (0.5 * dt);
    /* a body that does not rotate keeps its bits */
    if (half[0] == 0 && half[1] == 0 && half[2] == 0) {
        memcpy(turned, orientation, 4 * sizeof *turned);
        return;
    }
    scree_turn_by_half(half, turn);
    scree_quaternion_multiply(turn, orientation, turned);
    scree_turn_shorten(turned);
}

/* ---- bodies whose inertia differs by axis ---- */

/*  First half of a step for a body whose inertia differs by axis: from the previous state, with the torque at its
    start, to angular velocity and orientation at its end. `share` is c dt, see integrate.c. */
void scree_turn_drift(scree_body_arrays *bodies, uint32_t slot, const double torque[3], double dt,
                      double share);
/*  Adds the change of angular velocity that torque times dt causes. */
void scree_turn_finish(scree_body_arrays *bodies, uint32_t slot, const double torque[3], double dt);

/*  Angular momentum of any body about its centre of mass. */
void scree_body_momentum(const scree_body_arrays *bodies, uint32_t slot, double momentum[3]);

#endif
