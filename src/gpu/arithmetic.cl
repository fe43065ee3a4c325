/*  Every operation that kernels of worlds use, on one row of three doubles: see gpu/arithmetic.c, where the host does
    the same. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define OPERATIONS 16

/*  For tests: the index of an operation whose last bit is changed in a few rows. */
#ifndef PLANTED
#define PLANTED OPERATIONS
#endif
#ifdef PLANTED_FUSED
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

/*  Integers whose range a double covers: other numbers are not converted. */
static long whole_of(double a)
{
    return fabs(a) < 9.0e18 ? (long)a : 0;
}

/*  Through a float, if that is a normal one. */
static double narrow(double a)
{
    return fabs(a) > 1.0e-37 && fabs(a) < 1.0e38 ? (double)(float)a : a;
}

kernel void arithmetic(const uint count, global const double *rows, global ulong *results)
{
    const uint i = (uint)get_global_id(0);
    ulong bits[OPERATIONS];

    if (i >= count)
        return;
    const double a = rows[3 * i], b = rows[3 * i + 1], c = rows[3 * i + 2];
    bits[0] = as_ulong(a + b);
    bits[1] = as_ulong(a - b);
    bits[2] = as_ulong(a * b);
    bits[3] = as_ulong(a / b);
    bits[4] = as_ulong(sqrt(fabs(a)));
    bits[5] = as_ulong(MULTIPLY_ADD(a, b, c));
    bits[6] = as_ulong(c - a * b);
    bits[7] = as_ulong(1.0 / sqrt(fabs(a)));
    bits[8] = as_ulong((double)as_long(a));
    bits[9] = (ulong)whole_of(a);
    bits[10] = as_ulong(floor(a));
    bits[11] = as_ulong(rint(a));
    bits[12] = as_ulong((a < b ? a : b) - (a > c ? a : c));
    bits[13] = as_ulong(narrow(a));
    bits[14] = (ulong)(a < b) | (ulong)(a <= b) << 1 | (ulong)(a == b) << 2 | (ulong)(fabs(a) > 0.0) << 3;
    bits[15] = as_ulong(a + b * 0x1p-1000 * 0x1p-60);
    for (int k = 0; k < OPERATIONS; k++)
        results[(ulong)OPERATIONS * i + k] = bits[k] ^ (ulong)(k == PLANTED && i % 997 == 0);
}
