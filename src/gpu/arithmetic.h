/*  Checks whether a device computes with doubles exactly as the host does, including denormals. Results are
    bit-identical on both only if it does. So each device is checked when it is opened, and one that rounds differently
    is refused. */
#ifndef SCREE_GPU_ARITHMETIC_H
#define SCREE_GPU_ARITHMETIC_H

#include "gpu/opencl.h"

/*  Rows of three doubles that every operation is tried on. */
#define SCREE_ARITHMETIC_ROWS 100000u

/*  SCREE_DEVICE_ERROR names the first operation that differs, its operands and both results. `options` is for tests,
    which insert a difference ("-DPLANTED=3" changes operation 3); NULL: none. */
scree_status scree_arithmetic_check(scree_gpu *gpu, const char *options);

/*  Operations by index, such as "a * b + c, rounded twice"; NULL after the last. */
const char *scree_arithmetic_name(uint32_t operation);

/*  Rows of operands, chosen so that every way of rounding is tested; `row` gets three doubles. */
void scree_arithmetic_row(uint32_t number, double row[3]);

#endif
