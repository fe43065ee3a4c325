/*  Copies doubles, one a work-item: see gpu/bandwidth.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void copy_doubles(const ulong count, global const double *from, global double *to)
{
    const ulong i = get_global_id(0);

    if (i < count)
        to[i] = from[i];
}
