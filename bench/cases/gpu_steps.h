/*  What steps on a device cost: beds of grains (bed.h), laid side by side until there are enough, and stepped there. */
#ifndef SCREE_GPU_STEPS_H
#define SCREE_GPU_STEPS_H

#include "scenes/bed.h"

#define SCREE_GPU_KERNELS 24

typedef struct scree_gpu_steps_row
{
    char name[32];
    double seconds; /* a step */
    double share;   /* launches a step */
} scree_gpu_steps_row;

typedef struct scree_gpu_steps
{
    uint32_t bodies;
    double step;             /* seconds, without what goes to the device and comes back */
    double transfer;         /* seconds of that, once a call */
    double contacts;         /* of bodies with bodies and walls, a body */
    double entries;          /* of rows, a body: both of a pair */
    double searches;         /* a step */
    double bytes, max_bytes; /* of the device, a body: between searches, and at most */
    double traffic;          /* bytes that a step cannot do without, a body */
    uint64_t host_steps;
    size_t row_count;
    scree_gpu_steps_row rows[SCREE_GPU_KERNELS];
} scree_gpu_steps;

/*  `bed` side by side, for `wanted` grains or some more. */
scree_status scree_bed_repeat(const scree_bed *bed, uint32_t wanted, scree_bed *made,
                              scree_error *error);

/*  Steps `bed` on a device: `warm` steps first, then `steps` that are timed, and as many by kernel. */
scree_status scree_gpu_steps_measure(const scree_bed *bed, const char *device, uint32_t threads,
                                     uint64_t warm, uint64_t steps, scree_gpu_steps *figures,
                                     scree_error *error);

#endif
