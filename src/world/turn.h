/*  Rotation of bodies. */
#ifndef SCREE_TURN_H
#define SCREE_TURN_H

#include "world/bodies.h"

/*  The orientation after turning with a constant spin for dt: the exact rotation about the spin's axis. */
void scree_turn(const double orientation[4], const double spin[3], double dt, double turned[4]);

/*  A body whose inertia differs by axis, free between two kicks: from the twin rows, with the torque at the
    beginning, to spin and orientation at the end. `share` is c dt, see integrate.c. */
void scree_turn_drift(scree_crowd *bodies, uint32_t slot, const double torque[3], double dt,
                      double share);
/*  Adds to its spin what a change of angular momentum of `torque` times dt comes to. */
void scree_turn_finish(scree_crowd *bodies, uint32_t slot, const double torque[3], double dt);

/*  Angular momentum of any body about its centre. */
void scree_body_momentum(const scree_crowd *bodies, uint32_t slot, double momentum[3]);

#endif
