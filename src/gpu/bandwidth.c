/*  Bytes a second, measured on the device. */
#include "gpu/bandwidth.h"

#include "base/error.h"

#define MAX_BYTES ((uint64_t)128 << 20)
#define RUNS 5
#define GROUP 256u

typedef struct copying
{
    scree_gpu_program program;
    scree_gpu_kernel kernel;
    scree_gpu_buffer from, to;
} copying;

/*  Size of each of the two buffers: at most a sixteenth of the memory. */
static size_t piece_bytes(const scree_gpu_info *info)
{
    uint64_t bytes = info->memory / 16 < MAX_BYTES ? info->memory / 16 : MAX_BYTES;

    if (bytes > info->largest_buffer)
        bytes = info->largest_buffer;
    return (size_t)(bytes / 8 * 8);
}

/*  Time that the kernel has taken so far, from the row of its name. */
static double time_of(const scree_gpu *gpu, const scree_gpu_kernel *kernel)
{
    scree_gpu_time time;

    return scree_gpu_profile(gpu, kernel->number, &time) ? time.seconds : 0;
}

static scree_status run_once(scree_gpu *gpu, copying *work, size_t bytes, double *seconds)
{
    const uint64_t count = bytes / sizeof(double);
    const double before = time_of(gpu, &work->kernel);
    const size_t group = work->kernel.max_local < GROUP ? work->kernel.max_local : GROUP;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(work->from),
                                            SCREE_GPU_BUFFER(work->to)};
    scree_status status = scree_gpu_launch(gpu, &work->kernel, (size_t)count, group, arguments, 3);

    if (!status)
        status = scree_gpu_finish(gpu);
    *seconds = time_of(gpu, &work->kernel) - before;
    return status;
}

static scree_status measure(scree_gpu *gpu, copying *work, double *bytes_per_second)
{
    const size_t bytes = piece_bytes(scree_gpu_describe(gpu));
    scree_status status = scree_gpu_build(gpu, "gpu/bandwidth.cl", NULL, &work->program);
    double best = 0, seconds = 0;

    if (!status)
        status = scree_gpu_kernel_make(gpu, &work->program, "copy_doubles", &work->kernel);
    if (!status)
        status = scree_gpu_reserve(gpu, &work->from, bytes, "measure of bandwidth");
    if (!status)
        status = scree_gpu_reserve(gpu, &work->to, bytes, "measure of bandwidth");
    if (!status)
        status = scree_gpu_fill(gpu, &work->from, 0, bytes, 0);
    for (int k = 0; k < RUNS && !status; k++) {
        status = run_once(gpu, work, bytes, &seconds);
        if (seconds > 0 && (best == 0 || seconds < best))
            best = seconds;
    }
    *bytes_per_second = best > 0 ? 2 * (double)bytes / best : 0;
    return status;
}

scree_status scree_gpu_bandwidth(scree_gpu *gpu, double *bytes_per_second)
{
    copying work = {0};
    scree_status status;

    *bytes_per_second = 0;
    if (!scree_gpu_has_profile(gpu))
        return SCREE_BAD_ARGUMENT;
    status = measure(gpu, &work, bytes_per_second);
    scree_gpu_free(gpu, &work.from);
    scree_gpu_free(gpu, &work.to);
    scree_gpu_kernel_free(gpu, &work.kernel);
    scree_gpu_program_free(gpu, &work.program);
    return status;
}
