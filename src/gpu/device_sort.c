/*  Prefix sums and sorts on the device: launches the kernels. */
#include "gpu/device_sort.h"

#include "base/error.h"

#define GROUP 256u
#define TILE 2048u
#define DIGITS 16u
#define DIGIT_BITS 4u

scree_status scree_device_sorter_make(scree_gpu *gpu, scree_device_sorter *sorter)
{
    scree_status status = scree_gpu_build(gpu, "gpu/device_sort.cl", NULL, &sorter->program);

    if (!status)
        status = scree_gpu_kernel_make(gpu, &sorter->program, "scan_tiles", &sorter->scan_tiles);
    if (!status)
        status = scree_gpu_kernel_make(gpu, &sorter->program, "scan_add", &sorter->scan_add);
    if (!status)
        status = scree_gpu_kernel_make(gpu, &sorter->program, "sort_count", &sorter->sort_count);
    if (!status)
        status =
            scree_gpu_kernel_make(gpu, &sorter->program, "sort_scatter", &sorter->sort_scatter);
    if (status)
        scree_device_sorter_free(gpu, sorter);
    return status;
}

void scree_device_sorter_free(scree_gpu *gpu, scree_device_sorter *sorter)
{
    scree_gpu_kernel_free(gpu, &sorter->scan_tiles);
    scree_gpu_kernel_free(gpu, &sorter->scan_add);
    scree_gpu_kernel_free(gpu, &sorter->sort_count);
    scree_gpu_kernel_free(gpu, &sorter->sort_scatter);
    scree_gpu_program_free(gpu, &sorter->program);
    for (int k = 0; k < SCREE_SCAN_LEVELS; k++)
        scree_gpu_free(gpu, &sorter->sums[k]);
    scree_gpu_free(gpu, &sorter->histogram);
    scree_gpu_free(gpu, &sorter->keys);
    scree_gpu_free(gpu, &sorter->payload);
}

/* ---- sums ---- */

static size_t tiles_of(size_t count)
{
    return (count + TILE - 1) / TILE;
}

static scree_status scan_level(scree_gpu *gpu, scree_device_sorter *sorter,
                               const scree_gpu_buffer *numbers, uint32_t count, int level)
{
    scree_gpu_buffer *sums = &sorter->sums[level];
    const size_t tiles = tiles_of(count);
    scree_status status = scree_gpu_reserve(gpu, sums, tiles * sizeof(uint32_t), "sums");
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(*numbers),
                                            SCREE_GPU_BUFFER(*sums)};

    return status ? status
                  : scree_gpu_launch(gpu, &sorter->scan_tiles, tiles * GROUP, GROUP, arguments, 3);
}

static scree_status add_level(scree_gpu *gpu, scree_device_sorter *sorter,
                              const scree_gpu_buffer *numbers, uint32_t count, int level)
{
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(*numbers),
                                            SCREE_GPU_BUFFER(sorter->sums[level])};

    return scree_gpu_launch(gpu, &sorter->scan_add, count, GROUP, arguments, 3);
}

scree_status scree_device_scan(scree_gpu *gpu, scree_device_sorter *sorter,
                               const scree_gpu_buffer *numbers, uint32_t count)
{
    /* level k is summed over tiles of the level before: 2^32 numbers are 2^21, 2^10 and 1 tiles */
    const scree_gpu_buffer *of[SCREE_SCAN_LEVELS];
    uint32_t counts[SCREE_SCAN_LEVELS];
    scree_status status = SCREE_OK;
    int levels = 0;

    while (!status && count > 0 && (levels == 0 || count > 1)) {
        of[levels] = levels == 0 ? numbers : &sorter->sums[levels - 1];
        counts[levels] = count;
        status = scan_level(gpu, sorter, of[levels], count, levels);
        count = (uint32_t)tiles_of(count);
        levels++;
    }
    for (int k = levels - 2; k >= 0 && !status; k--)
        status = add_level(gpu, sorter, of[k], counts[k], k);
    return status;
}

/* ---- the sort ---- */

static scree_status reserve(scree_gpu *gpu, scree_device_sorter *sorter, uint32_t count)
{
    scree_status status =
        scree_gpu_reserve(gpu, &sorter->keys, count * sizeof(uint64_t), "keys to sort");

    if (!status)
        status = scree_gpu_reserve(gpu, &sorter->payload, count * sizeof(uint32_t), "rows to sort");
    if (!status)
        status = scree_gpu_reserve(gpu, &sorter->histogram,
                                   DIGITS * tiles_of(count) * sizeof(uint32_t), "digits to sort");
    return status;
}

static void exchange(scree_gpu_buffer *a, scree_gpu_buffer *b)
{
    const scree_gpu_buffer kept = *a;

    *a = *b;
    *b = kept;
}

static scree_status sort_digit(scree_gpu *gpu, scree_device_sorter *sorter, scree_gpu_buffer *keys,
                               scree_gpu_buffer *payload, uint32_t count, uint32_t shift)
{
    const uint32_t tiles = (uint32_t)tiles_of(count);
    const scree_gpu_argument counting[] = {SCREE_GPU_VALUE(count), SCREE_GPU_VALUE(shift),
                                           SCREE_GPU_VALUE(tiles), SCREE_GPU_BUFFER(*keys),
                                           SCREE_GPU_BUFFER(sorter->histogram)};
    const scree_gpu_argument scattering[] = {
        SCREE_GPU_VALUE(count),         SCREE_GPU_VALUE(shift),
        SCREE_GPU_VALUE(tiles),         SCREE_GPU_BUFFER(*keys),
        SCREE_GPU_BUFFER(*payload),     SCREE_GPU_BUFFER(sorter->histogram),
        SCREE_GPU_BUFFER(sorter->keys), SCREE_GPU_BUFFER(sorter->payload)};
    const size_t items = (size_t)tiles * GROUP;
    scree_status status = scree_gpu_launch(gpu, &sorter->sort_count, items, GROUP, counting, 5);

    if (!status)
        status = scree_device_scan(gpu, sorter, &sorter->histogram, DIGITS * tiles);
    if (!status)
        status = scree_gpu_launch(gpu, &sorter->sort_scatter, items, GROUP, scattering, 8);
    if (!status) {
        exchange(keys, &sorter->keys);
        exchange(payload, &sorter->payload);
    }
    return status;
}

scree_status scree_device_sort(scree_gpu *gpu, scree_device_sorter *sorter, scree_gpu_buffer *keys,
                               scree_gpu_buffer *payload, uint32_t count, uint32_t bits)
{
    scree_status status = reserve(gpu, sorter, count);

    for (uint32_t shift = 0; shift < bits && count > 1 && !status; shift += DIGIT_BITS)
        status = sort_digit(gpu, sorter, keys, payload, count, shift);
    return status;
}
