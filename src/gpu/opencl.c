/*  One device: opening, closing, waiting, and profiling its kernels. */
#include "gpu/opencl_internal.h"

#include "gpu/arithmetic.h"

#include <inttypes.h>
#include <string.h>

/* ---- opening ---- */

/*  The n-th device of all, and its platform. */
typedef struct seeking
{
    size_t left;
    scree_cl_platform_id platform;
    scree_cl_device_id device;
} seeking;

static scree_status seek(void *user, scree_cl_platform_id platform, scree_cl_device_id device)
{
    seeking *sought = user;

    if (sought->left-- == 0) {
        sought->platform = platform;
        sought->device = device;
    }
    return SCREE_OK;
}

/*  Selects the device and reads its properties. */
static scree_status choose(scree_gpu *gpu, const scree_gpu_def *def, seeking *sought)
{
    scree_opencl_system system = {gpu->api, def->fault};
    scree_gpu_devices devices = {0};
    scree_status status = scree_gpu_devices_list(def->allocator, def->fault, &devices, def->error);
    size_t number = 0;

    if (!status)
        status = scree_gpu_choose(&devices, def->device, &number, def->error);
    if (!status) {
        gpu->info = devices.rows[number];
        sought->left = number;
        status = scree_gpu_each_device(&system, seek, sought, def->error);
    }
    if (!status && !sought->device)
        status =
            scree_fail(def->error, SCREE_DEVICE_ERROR, "%s is no longer available", gpu->info.name);
    scree_gpu_devices_free(&devices);
    return status;
}

static scree_status make_queue(scree_gpu *gpu, scree_cl_platform_id platform)
{
    const intptr_t properties[] = {SCREE_CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
    const uint64_t flags = gpu->has_profile ? SCREE_CL_QUEUE_PROFILING_ENABLE : 0;
    int32_t code;

    SCREE_GPU_MAKE(gpu->context, code, gpu, clCreateContext, properties, 1, &gpu->device, NULL,
                   NULL);
    if (code)
        return scree_gpu_refuse(gpu, code, "cannot open the device");
    SCREE_GPU_MAKE(gpu->queue, code, gpu, clCreateCommandQueue, gpu->context, gpu->device, flags);
    return code ? scree_gpu_refuse(gpu, code, "cannot make a queue") : SCREE_OK;
}

static scree_status open_device(scree_gpu *gpu, const scree_gpu_def *def)
{
    seeking sought = {0, NULL, NULL};
    scree_status status = scree_opencl_load(&gpu->api, def->error);

    if (!status)
        status = choose(gpu, def, &sought);
    if (status)
        return status;
    gpu->device = sought.device;
    gpu->budget = gpu->info.memory;
    if (def->budget && def->budget < gpu->budget)
        gpu->budget = def->budget;
    status = make_queue(gpu, sought.platform);
    if (!status && !def->is_unchecked)
        status = scree_arithmetic_check(gpu, NULL);
    return status;
}

scree_status scree_gpu_open(const scree_gpu_def *def, scree_gpu **result)
{
    scree_memory memory;
    scree_gpu *gpu = NULL;
    scree_status status;

    *result = NULL;
    if (scree_memory_init(&memory, def->allocator))
        return scree_fail(def->error, SCREE_BAD_DEF, "allocator has some functions, not all");
    if (scree_memory_take(&memory, 1, sizeof *gpu, &gpu))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "no memory to open a device");
    memset(gpu, 0, sizeof *gpu);
    gpu->memory.allocator = memory.allocator;
    gpu->fault = def->fault;
    gpu->error = def->error;
    gpu->has_profile = def->has_profile;
    status = open_device(gpu, def);
    if (status)
        scree_gpu_close(gpu);
    else
        *result = gpu;
    return status;
}

static void forget_pending(scree_gpu *gpu)
{
    for (size_t k = 0; k < gpu->pending_count; k++)
        gpu->api.clReleaseEvent(gpu->pending[k].event);
    gpu->pending_count = 0;
}

/*  Releases are not counted as calls that may fail: no remedy is possible. */
void scree_gpu_close(scree_gpu *gpu)
{
    scree_memory memory;

    if (!gpu)
        return;
    forget_pending(gpu);
    if (gpu->queue)
        gpu->api.clReleaseCommandQueue(gpu->queue);
    if (gpu->context)
        gpu->api.clReleaseContext(gpu->context);
    scree_memory_give(&gpu->memory, &gpu->log, gpu->log_bytes, 1);
    scree_memory_give(&gpu->memory, &gpu->rows, gpu->row_capacity, sizeof *gpu->rows);
    memory.allocator = gpu->memory.allocator;
    memory.allocator.release(gpu, sizeof *gpu, memory.allocator.user);
}

const scree_gpu_info *scree_gpu_describe(const scree_gpu *gpu)
{
    return &gpu->info;
}

void scree_gpu_say_to(scree_gpu *gpu, scree_error *error)
{
    gpu->error = error;
}

/* ---- waiting and measuring ---- */

/*  Adds the times of launches that have not been read yet; all of them are complete. */
static scree_status read_times(scree_gpu *gpu)
{
    int32_t code = SCREE_CL_SUCCESS;

    for (size_t k = 0; k < gpu->pending_count && !code; k++) {
        scree_gpu_row *row = &gpu->rows[gpu->pending[k].row];
        uint64_t begin = 0, end = 0;
        SCREE_GPU_CALL(code, gpu, clGetEventProfilingInfo, gpu->pending[k].event,
                       SCREE_CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
        if (!code)
            SCREE_GPU_CALL(code, gpu, clGetEventProfilingInfo, gpu->pending[k].event,
                           SCREE_CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        row->launches++;
        row->nanoseconds += end - begin;
    }
    forget_pending(gpu);
    return code ? scree_gpu_refuse(gpu, code, "cannot read how long kernels took") : SCREE_OK;
}

scree_status scree_gpu_finish(scree_gpu *gpu)
{
    int32_t code;

    SCREE_GPU_CALL(code, gpu, clFinish, gpu->queue);
    if (code)
        return scree_gpu_refuse(gpu, code, "the device did not finish");
    return read_times(gpu);
}

scree_status scree_gpu_note_launch(scree_gpu *gpu, uint32_t row, scree_cl_event event)
{
    gpu->pending[gpu->pending_count].event = event;
    gpu->pending[gpu->pending_count].row = row;
    gpu->pending_count++;
    return gpu->pending_count < SCREE_GPU_PENDING ? SCREE_OK : scree_gpu_finish(gpu);
}

scree_status scree_gpu_profile_row(scree_gpu *gpu, const char *name, uint32_t *row)
{
    scree_gpu_row *added;

    for (size_t k = 0; k < gpu->row_count; k++)
        if (strncmp(gpu->rows[k].name, name, sizeof gpu->rows[k].name - 1) == 0) {
            *row = (uint32_t)k;
            return SCREE_OK;
        }
    if (scree_memory_reserve(&gpu->memory, &gpu->rows, &gpu->row_capacity, gpu->row_count + 1,
                             sizeof *gpu->rows))
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY, "no memory for the names of kernels");
    added = &gpu->rows[gpu->row_count];
    memset(added, 0, sizeof *added);
    strncpy(added->name, name, sizeof added->name - 1);
    *row = (uint32_t)gpu->row_count++;
    return SCREE_OK;
}

bool scree_gpu_profile(const scree_gpu *gpu, size_t row, scree_gpu_time *time)
{
    if (!gpu->has_profile || row >= gpu->row_count)
        return false;
    time->kernel = gpu->rows[row].name;
    time->launches = gpu->rows[row].launches;
    time->seconds = 1e-9 * (double)gpu->rows[row].nanoseconds;
    return true;
}

bool scree_gpu_has_profile(const scree_gpu *gpu)
{
    return gpu->has_profile;
}

void scree_gpu_profile_clear(scree_gpu *gpu)
{
    forget_pending(gpu);
    for (size_t k = 0; k < gpu->row_count; k++)
        gpu->rows[k].launches = gpu->rows[k].nanoseconds = 0;
}
