/*  How many bytes a second a device moves: a kernel that copies doubles, as steps of worlds are bounded by that. */
#ifndef SCREE_GPU_BANDWIDTH_H
#define SCREE_GPU_BANDWIDTH_H

#include "gpu/opencl.h"

/*  Bytes read and written a second: the best of some runs over a quarter of a gigabyte, or a part of the memory where that is
    less. For a device that was opened with `has_profile`, else SCREE_BAD_ARGUMENT. */
scree_status scree_gpu_bandwidth(scree_gpu *gpu, double *bytes_per_second);

#endif
