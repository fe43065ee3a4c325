/*  Sums of forces of several bodies at once, with the end of the step where nothing else is asked for. */
#ifndef SCREE_WORLD_SUM_KERNELS_H
#define SCREE_WORLD_SUM_KERNELS_H

#include "world/forces/contact_sums.h"

typedef struct scree_sum_run
{
    const scree_sum_job *job;
    bool finishes; /* Verlet's second half as well; then */
    double share;  /* half the step, and the sums at its beginning: */
    const double (*force)[4], (*torque)[4];
} scree_sum_run;

/*  Where the group of the body in this slot ends, or all bodies do. */
static inline uint32_t scree_sums_group_end(uint32_t slot, uint32_t end)
{
    uint32_t stop = (slot / SCREE_SUM_GROUP + 1) * SCREE_SUM_GROUP;
    return stop < end ? stop : end;
}

/*  Forces and torques of the bodies begin .. end - 1: the sum over contacts, weight, load; false where one of them is not
    finite. Sums of contacts are 0 then. */
typedef bool scree_sum_fn(const scree_sum_run *run, uint32_t begin, uint32_t end);
/*  By SIMD level. */
extern scree_sum_fn *const scree_sum_kernels[];

#endif
