/*  What is done to each body in each step, for several bodies at once: sums of forces with the end of the step,
    and the way through the next. Bodies that need a closer look are the business of integrate.c. */
#ifndef SCREE_WORLD_BODY_KERNELS_H
#define SCREE_WORLD_BODY_KERNELS_H

#include "world/step/world_data.h"

typedef struct scree_sum_run
{
    scree_world *world;
    bool finishes; /* Verlet's second half as well; then */
    double share;  /* half the step */
} scree_sum_run;

/*  Forces and torques of the bodies begin .. end - 1: sums over contacts in the order of serials, walls, weight,
    loads; false where one of them is not finite. */
typedef bool scree_sum_fn(const scree_sum_run *run, uint32_t begin, uint32_t end);
/*  From the twins to the end of a step of `dt`, of round bodies that nothing holds; see integrate.c for share. */
typedef void scree_drift_fn(scree_crowd *bodies, double dt, double share, uint32_t begin,
                            uint32_t end);

/*  Takes the way of bodies between position and its twin, rounded up, from what is left and clear. */
typedef void scree_way_fn(const scree_crowd *bodies, scree_surface_search *search, uint32_t begin,
                          uint32_t end);

/*  By SIMD level. */
extern scree_sum_fn *const scree_sum_kernels[];
extern scree_drift_fn *const scree_drift_kernels[];
extern scree_way_fn *const scree_way_kernels[];

#endif
