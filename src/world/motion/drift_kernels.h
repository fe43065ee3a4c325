/*  The way through a step, for several bodies at once. Bodies that need a closer look are the business of integrate.c. */
#ifndef SCREE_WORLD_DRIFT_KERNELS_H
#define SCREE_WORLD_DRIFT_KERNELS_H

#include "world/state/bodies.h"

/*  Rows of the state before: twins; or those of the bodies themselves, and the step is made in place. */
typedef struct scree_rows_before
{
    const double (*position)[4], (*velocity)[4], (*spin)[4], (*orientation)[4];
    const double (*force)[4], (*torque)[4];
} scree_rows_before;

/*  From there to the end of a step of `dt`, of round bodies that nothing holds; see integrate.c for share. */
typedef void scree_drift_fn(const scree_rows_before *from, scree_crowd *bodies, double dt,
                            double share, uint32_t begin, uint32_t end);

/*  By SIMD level. */
extern scree_drift_fn *const scree_drift_kernels[];

#endif
