/*  Prefix sums and a stable radix sort on the device. The result depends on the input only, not on the order in which
    groups run. */
#ifndef SCREE_DEVICE_SORT_H
#define SCREE_DEVICE_SORT_H

#include "gpu/opencl.h"

/*  Levels of the prefix sum; each is 2048 times shorter than the one before. */
#define SCREE_SCAN_LEVELS 3

/*  Kernels and scratch, reused. All zero is empty. */
typedef struct scree_device_sorter
{
    scree_gpu_program program;
    scree_gpu_kernel scan_tiles, scan_add, sort_count, sort_scatter;
    scree_gpu_buffer sums[SCREE_SCAN_LEVELS]; /* 4 bytes per 2048 rows, and so on */
    scree_gpu_buffer histogram;               /* 16 counts per 2048 keys */
    scree_gpu_buffer keys, payload;           /* as many as are sorted */
} scree_device_sorter;

scree_status scree_device_sorter_make(scree_gpu *gpu, scree_device_sorter *sorter);
void scree_device_sorter_free(scree_gpu *gpu,
                              scree_device_sorter *sorter); /* all zero is allowed */

/*  Replaces each of `count` numbers of 32 bits by the sum of those before it, modulo 2^32. */
scree_status scree_device_scan(scree_gpu *gpu, scree_device_sorter *sorter,
                               const scree_gpu_buffer *numbers, uint32_t count);

/*  Sorts `count` keys of 64 bits ascending by their lowest `bits` bits, with a payload of 32 bits; stable. The result
    may be in another buffer than before: both are exchanged with the sorter's. */
scree_status scree_device_sort(scree_gpu *gpu, scree_device_sorter *sorter, scree_gpu_buffer *keys,
                               scree_gpu_buffer *payload, uint32_t count, uint32_t bits);

#endif
