/*  The first half of a step (kick and drift) for several bodies at once. Bodies that need special treatment are
    handled in integrate.c. */
#ifndef SCREE_WORLD_DRIFT_KERNELS_H
#define SCREE_WORLD_DRIFT_KERNELS_H

#include "world/state/bodies.h"

/*  Rows of the previous state: the second copies, or in place the rows of the bodies themselves. */
typedef struct scree_rows_before
{
    const double (*position)[4], (*velocity)[4], (*spin)[4], (*orientation)[4];
    const double (*force)[4], (*torque)[4];
} scree_rows_before;

/*  Moves spherical free bodies to the end of a step of `dt`; see integrate.c for share. */
typedef void scree_drift_fn(const scree_rows_before *from, scree_body_arrays *bodies, double dt,
                            double share, uint32_t begin, uint32_t end);

/*  By SIMD level. */
extern scree_drift_fn *const scree_drift_kernels[];

#endif
