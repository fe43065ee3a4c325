/*  Memory of a device: all bytes are counted, and a request that cannot succeed is refused before the driver is called.
    */
#include "gpu/opencl_internal.h"

#include <inttypes.h>

/*  Smallest size, so that an empty column can be passed to a kernel. */
#define MIN_BYTES 16u

uint64_t scree_gpu_bytes(const scree_gpu *gpu)
{
    return gpu->bytes;
}

uint64_t scree_gpu_max_bytes(const scree_gpu *gpu)
{
    return gpu->max_bytes;
}

static scree_status check_room(scree_gpu *gpu, size_t bytes, size_t given_back, const char *name)
{
    const uint64_t held = gpu->bytes - given_back;

    if (bytes > gpu->info.largest_buffer)
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY,
                          "\"%s\" needs %zu bytes in one block, and %.60s allows at most %" PRIu64,
                          name, bytes, gpu->info.name, gpu->info.largest_buffer);
    if (held > gpu->budget || bytes > gpu->budget - held)
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY,
                          "\"%s\" needs %zu bytes of device memory in addition to %" PRIu64
                          " allocated: more than the %" PRIu64 " of %.60s",
                          name, bytes, held, gpu->budget,
                          gpu->budget < gpu->info.memory ? "the budget" : gpu->info.name);
    return SCREE_OK;
}

/*  Some drivers allocate only at the first write, so the last bytes are written here to detect a lack of memory. */
static int32_t touch(scree_gpu *gpu, scree_cl_mem memory, size_t bytes)
{
    const uint32_t zero = 0;
    int32_t code;

    SCREE_GPU_CALL(code, gpu, clEnqueueWriteBuffer, gpu->queue, memory, 1, bytes - sizeof zero,
                   sizeof zero, &zero, 0, NULL, NULL);
    return code;
}

static scree_status make_buffer(scree_gpu *gpu, size_t bytes, const char *name,
                                scree_gpu_buffer *buffer)
{
    scree_cl_mem memory;
    int32_t code;

    SCREE_GPU_MAKE(memory, code, gpu, clCreateBuffer, gpu->context, SCREE_CL_MEM_READ_WRITE, bytes,
                   NULL);
    if (!code)
        code = touch(gpu, memory, bytes);
    if (code) {
        if (memory)
            gpu->api.clReleaseMemObject(memory);
        if (code == SCREE_CL_MEM_OBJECT_ALLOCATION_FAILURE || code == SCREE_CL_OUT_OF_RESOURCES)
            return scree_fail(
                gpu->error, SCREE_OUT_OF_MEMORY,
                "\"%s\" needs %zu bytes, and %.60s has no room (%s): scree holds %" PRIu64
                " of its %" PRIu64,
                name, bytes, gpu->info.name, scree_opencl_error_name(code), gpu->bytes,
                gpu->info.memory);
        return scree_gpu_refuse(gpu, code, name);
    }
    buffer->memory = memory;
    buffer->bytes = bytes;
    gpu->bytes += bytes;
    if (gpu->bytes > gpu->max_bytes)
        gpu->max_bytes = gpu->bytes;
    return SCREE_OK;
}

/*  Rounds up to whole words, since buffers are filled by words; SIZE_MAX on overflow. */
static size_t whole_words(size_t bytes)
{
    size_t rounded = bytes > SIZE_MAX - 3 ? SIZE_MAX : (bytes + 3) / 4 * 4;
    return rounded < MIN_BYTES ? MIN_BYTES : rounded;
}

scree_status scree_gpu_reserve(scree_gpu *gpu, scree_gpu_buffer *buffer, size_t bytes,
                               const char *name)
{
    size_t wanted = whole_words(bytes);
    scree_gpu_buffer old = *buffer, fresh = {NULL, 0};
    scree_status status;

    if (old.memory && wanted <= old.bytes)
        return SCREE_OK;
    status = check_room(gpu, wanted, old.bytes, name);
    if (status)
        return status;
    /* both at once if there is room, so that a failure changes nothing */
    if (gpu->budget - gpu->bytes < wanted) {
        scree_gpu_free(gpu, buffer);
        return make_buffer(gpu, wanted, name, buffer);
    }
    status = make_buffer(gpu, wanted, name, &fresh);
    if (!status) {
        scree_gpu_free(gpu, &old);
        *buffer = fresh;
    }
    return status;
}

scree_status scree_gpu_grow(scree_gpu *gpu, scree_gpu_buffer *buffer, size_t bytes,
                            const char *name)
{
    size_t wanted = whole_words(bytes);
    scree_gpu_buffer old = *buffer, fresh = {NULL, 0};
    scree_status status;

    if (old.memory && wanted <= old.bytes)
        return SCREE_OK;
    status = check_room(gpu, wanted, 0, name);
    if (!status)
        status = make_buffer(gpu, wanted, name, &fresh);
    if (!status && old.memory)
        status = scree_gpu_copy(gpu, &old, 0, &fresh, 0, old.bytes);
    if (status) {
        scree_gpu_free(gpu, &fresh);
        return status;
    }
    scree_gpu_free(gpu, &old);
    *buffer = fresh;
    return SCREE_OK;
}

/*  OpenCL releases the memory itself when kernels that use it are complete. */
void scree_gpu_free(scree_gpu *gpu, scree_gpu_buffer *buffer)
{
    if (!buffer->memory)
        return;
    gpu->api.clReleaseMemObject(buffer->memory);
    gpu->bytes -= buffer->bytes;
    buffer->memory = NULL;
    buffer->bytes = 0;
}

/* ---- copies ---- */

static scree_status check_range(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at,
                                size_t bytes)
{
    if (at > buffer->bytes || bytes > buffer->bytes - at)
        return scree_fail(gpu->error, SCREE_BAD_ARGUMENT,
                          "bytes %zu and %zu more of a buffer of %zu", at, bytes, buffer->bytes);
    return SCREE_OK;
}

scree_status scree_gpu_write(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at,
                             const void *data, size_t bytes)
{
    scree_status status = check_range(gpu, buffer, at, bytes);
    int32_t code;

    if (status || bytes == 0)
        return status;
    SCREE_GPU_CALL(code, gpu, clEnqueueWriteBuffer, gpu->queue, buffer->memory, 1, at, bytes, data,
                   0, NULL, NULL);
    return code ? scree_gpu_refuse(gpu, code, "cannot write to the device") : SCREE_OK;
}

scree_status scree_gpu_read(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at, void *data,
                            size_t bytes)
{
    scree_status status = check_range(gpu, buffer, at, bytes);
    int32_t code;

    if (status || bytes == 0)
        return status;
    SCREE_GPU_CALL(code, gpu, clEnqueueReadBuffer, gpu->queue, buffer->memory, 1, at, bytes, data,
                   0, NULL, NULL);
    return code ? scree_gpu_refuse(gpu, code, "cannot read from the device") : SCREE_OK;
}

scree_status scree_gpu_copy(scree_gpu *gpu, const scree_gpu_buffer *from, size_t from_at,
                            const scree_gpu_buffer *to, size_t to_at, size_t bytes)
{
    scree_status status = check_range(gpu, from, from_at, bytes);
    int32_t code;

    if (!status)
        status = check_range(gpu, to, to_at, bytes);
    if (status || bytes == 0)
        return status;
    SCREE_GPU_CALL(code, gpu, clEnqueueCopyBuffer, gpu->queue, from->memory, to->memory, from_at,
                   to_at, bytes, 0, NULL, NULL);
    return code ? scree_gpu_refuse(gpu, code, "cannot copy on the device") : SCREE_OK;
}

scree_status scree_gpu_fill(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at, size_t bytes,
                            uint32_t value)
{
    scree_status status = check_range(gpu, buffer, at, bytes);
    int32_t code;

    if (status || bytes == 0)
        return status;
    SCREE_GPU_CALL(code, gpu, clEnqueueFillBuffer, gpu->queue, buffer->memory, &value, sizeof value,
                   at, bytes, 0, NULL, NULL);
    return code ? scree_gpu_refuse(gpu, code, "cannot fill memory of the device") : SCREE_OK;
}
