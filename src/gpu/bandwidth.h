/*  Memory bandwidth of a device, measured with a kernel that copies doubles. The steps of a world are bounded by it. */
#ifndef SCREE_GPU_BANDWIDTH_H
#define SCREE_GPU_BANDWIDTH_H

#include "gpu/opencl.h"

/*  Bytes read and written per second: the best of several runs over a quarter of a gigabyte, or over a fraction of the
    memory if that is less. The device must be opened with `has_profile`, otherwise SCREE_BAD_ARGUMENT. */
scree_status scree_gpu_bandwidth(scree_gpu *gpu, double *bytes_per_second);

#endif
