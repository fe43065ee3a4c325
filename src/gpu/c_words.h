/*  Defines C's names in OpenCL C, so that one text serves both: the scalar level of base/wide.h. Included first by
    kernels, and only by them. */
#ifndef SCREE_C_WORDS_H
#define SCREE_C_WORDS_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef uint uint32_t;
typedef ulong uint64_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef char int8_t;
typedef ushort uint16_t;
#define UINT32_MAX UINT_MAX
#define UINT16_MAX USHRT_MAX
#define UINT64_C(x) x##UL

/* a type in OpenCL, and the name of a variable in formulas */
#define half half_of_it

#define scree_bits_of(x) as_ulong(x)
#define scree_number_of(bits) as_double(bits)

/* unrolls loops over components: arrays indexed by a variable would be in memory, not in registers */
#define SCREE_UNROLL _Pragma("unroll")

#define SCREE_KERNEL_FUNCTION static
#define SCREE_GLOBAL __global
#define SCREE_KERNEL_PART inline __attribute__((always_inline))
#define WIDE_SCALAR 0
#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide_scalar.h"

/*  Row `row` of rows of four, private to a work-item. */
SCREE_KERNEL_PART void scree_load_row(const double *base, uint32_t row, double column[4])
{
    SCREE_UNROLL
    for (int k = 0; k < 4; k++)
        column[k] = base[4 * row + k];
}
#define wide_load_rows(base, row, column) scree_load_row(base, *(row), column)

#endif
