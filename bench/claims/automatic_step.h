/*  Cycles whose length the margin chooses (PFC's automatic mode), audited by all pairs: was every
    overlap among the pairs that were known at the end of the cycle before? */
#ifndef SCREE_AUTOMATIC_STEP_H
#define SCREE_AUTOMATIC_STEP_H

#include "scree/detect.h"

typedef struct scree_automatic_step
{
    uint32_t cycles;
    uint64_t begun, late; /* overlaps that began, and those not known a cycle before */
    uint64_t begun_forced, late_forced; /* the same with steps longer than the margin allows */
} scree_automatic_step;

scree_status scree_automatic_step_run(size_t n, uint32_t cycles, uint64_t seed,
                                      scree_automatic_step *run, scree_error *error);

#endif
