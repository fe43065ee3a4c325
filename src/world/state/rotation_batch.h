/*  Free bodies whose inertia differs by axis, several at once: what rotation.h does with each, to the last bit. */
#ifndef SCREE_WORLD_ROTATION_BATCH_H
#define SCREE_WORLD_ROTATION_BATCH_H

#include "world/state/bodies.h"

/*  That go through a kernel together. */
#define SCREE_TUMBLERS 8u

typedef struct scree_tumblers
{
    uint32_t count;
    uint32_t slot[SCREE_TUMBLERS];
} scree_tumblers;

/*  scree_turn_drift, by the torque in the twin; and scree_turn_finish, by what the torque is more than in the twin. Nothing
    holds a component of their spin. There is at least one; places behind the last are written to. */
typedef void scree_tumble_fn(scree_crowd *bodies, scree_tumblers *some, double dt, double share);
typedef void scree_tumble_end_fn(scree_crowd *bodies, scree_tumblers *some, double share);

/*  Their angular momentum, as scree_body_momentum has it; the fourth is of no meaning. */
typedef void scree_momenta_fn(const scree_crowd *bodies, scree_tumblers *some,
                              double (*momentum)[4]);
/*  Their orientations as matrices: turn[k] is what scree_mesh_pose_of makes of that of slot[k]. */
typedef void scree_matrices_fn(const scree_crowd *bodies, scree_tumblers *some,
                               double (*turn)[3][3]);

/*  By SIMD level. */
extern scree_tumble_fn *const scree_tumble_kernels[];
extern scree_tumble_end_fn *const scree_tumble_end_kernels[];
extern scree_momenta_fn *const scree_momenta_kernels[];
extern scree_matrices_fn *const scree_matrices_kernels[];

#endif
