/*  Rotation of several free bodies whose inertia differs by axis at once, bit-identical to rotation.h. */
#ifndef SCREE_WORLD_ROTATION_BATCH_H
#define SCREE_WORLD_ROTATION_BATCH_H

#include "world/state/bodies.h"

/*  Bodies per call of a kernel. */
#define SCREE_TUMBLERS 8u

typedef struct scree_tumblers
{
    uint32_t count;
    uint32_t slot[SCREE_TUMBLERS];
} scree_tumblers;

/*  scree_turn_drift with the torque of the previous state, and scree_turn_finish with the change of torque since. No
    component of rotation is frozen. There is at least one body; entries behind the last are overwritten. */
typedef void scree_tumble_fn(scree_body_arrays *bodies, scree_tumblers *some, double dt,
                             double share);
typedef void scree_tumble_end_fn(scree_body_arrays *bodies, scree_tumblers *some, double share);

/*  Angular momenta as of scree_body_momentum; the fourth value is undefined. */
typedef void scree_momenta_fn(const scree_body_arrays *bodies, scree_tumblers *some,
                              double (*momentum)[4]);
/*  Orientations as matrices: turn[k] is that of scree_mesh_pose_of for slot[k]. */
typedef void scree_matrices_fn(const scree_body_arrays *bodies, scree_tumblers *some,
                               double (*turn)[3][3]);

/*  By SIMD level. */
extern scree_tumble_fn *const scree_tumble_kernels[];
extern scree_tumble_end_fn *const scree_tumble_end_kernels[];
extern scree_momenta_fn *const scree_momenta_kernels[];
extern scree_matrices_fn *const scree_matrices_kernels[];

#endif
