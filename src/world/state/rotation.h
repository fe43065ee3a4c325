/*  Rotation of bodies. */
#ifndef SCREE_WORLD_ROTATION_H
#define SCREE_WORLD_ROTATION_H

#include "base/quaternion.h"
#include "world/state/bodies.h"
#include "world/state/most_of_series.h"

#include <string.h>

/* ---- one turn about one axis ---- */

/*  The quaternion of the turn whose half angle times its axis this is. */
static inline void scree_turn_by_half(const double half[3], double turn[4])
{
    double s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2], share;

    if (s <= SCREE_MOST_OF_SERIES) {
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

/*  Back to length 1: one step of Newton's is enough from as near as that. */
static inline void scree_turn_shorten(double q[4])
{
    double norm = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    double scale = 1.5 - 0.5 * norm;

    for (int k = 0; k < 4; k++)
        q[k] *= scale;
}

/*  The orientation after turning with a constant spin for dt: the exact rotation about the spin's axis. Once a
    step for every body, so without a call. */
static inline void scree_turn(const double orientation[4], const double spin[3], double dt,
                              double turned[4])
{
    double half[3], turn[4];

    for (int k = 0; k < 3; k++)
        half[k] = spin[k] * (0.5 * dt);
    /* what does not turn keeps its bits */
    if (half[0] == 0 && half[1] == 0 && half[2] == 0) {
        memcpy(turned, orientation, 4 * sizeof *turned);
        return;
    }
    scree_turn_by_half(half, turn);
    scree_quaternion_multiply(turn, orientation, turned);
    scree_turn_shorten(turned);
}

/* ---- bodies whose inertia differs by axis ---- */

/*  A body whose inertia differs by axis, free between two kicks: from the twin rows, with the torque at the
    beginning, to spin and orientation at the end. `share` is c dt, see integrate.c. */
void scree_turn_drift(scree_crowd *bodies, uint32_t slot, const double torque[3], double dt,
                      double share);
/*  Adds to its spin what a change of angular momentum of `torque` times dt comes to. */
void scree_turn_finish(scree_crowd *bodies, uint32_t slot, const double torque[3], double dt);

/*  Angular momentum of any body about its centre. */
void scree_body_momentum(const scree_crowd *bodies, uint32_t slot, double momentum[3]);

#endif
