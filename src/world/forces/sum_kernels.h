/*  Force sums of several bodies at once, including the second half of velocity Verlet in simple steps. */
#ifndef SCREE_WORLD_SUM_KERNELS_H
#define SCREE_WORLD_SUM_KERNELS_H

#include "world/forces/contact_sums.h"

typedef struct scree_sum_run
{
    const scree_sum_job *job;
    bool finishes; /* also does the second half of Verlet; then */
    double share;  /* half the step, and the previous sums: */
    const double (*force)[4], (*torque)[4];
} scree_sum_run;

/*  The end of the group of the body in this slot, or of all bodies. */
static inline uint32_t scree_sums_group_end(uint32_t slot, uint32_t end)
{
    uint32_t stop = (slot / SCREE_SUM_GROUP + 1) * SCREE_SUM_GROUP;
    return stop < end ? stop : end;
}

/*  Forces and torques of the bodies begin .. end - 1: sum over contacts, weight, load. Clears the sums over
    contacts. False if a result is not finite. */
typedef bool scree_sum_fn(const scree_sum_run *run, uint32_t begin, uint32_t end);
/*  By SIMD level. */
extern scree_sum_fn *const scree_sum_kernels[];

#endif
