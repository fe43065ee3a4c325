/*  Programs, kernels and their launches. */
#include "gpu/kernel_text.h"
#include "gpu/opencl_internal.h"

#include <string.h>

/* ---- building ---- */

const char *scree_gpu_build_log(const scree_gpu *gpu)
{
    return gpu->log ? gpu->log : "";
}

static void forget_log(scree_gpu *gpu)
{
    scree_memory_give(&gpu->memory, &gpu->log, gpu->log_bytes, 1);
    gpu->log_bytes = 0;
}

/*  Without memory, or if the driver returns nothing, there is no log. */
static void keep_log(scree_gpu *gpu, scree_cl_program program)
{
    size_t bytes = 0;
    int32_t code;

    SCREE_GPU_CALL(code, gpu, clGetProgramBuildInfo, program, gpu->device,
                   SCREE_CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (code || bytes == 0 || scree_memory_take(&gpu->memory, bytes, 1, &gpu->log))
        return;
    gpu->log_bytes = bytes;
    SCREE_GPU_CALL(code, gpu, clGetProgramBuildInfo, program, gpu->device,
                   SCREE_CL_PROGRAM_BUILD_LOG, bytes, gpu->log, NULL);
    if (code)
        forget_log(gpu);
    else
        gpu->log[bytes - 1] = '\0';
}

/*  The first line with an error, otherwise the first line. */
static void first_error(const char *log, char *line, size_t bytes)
{
    const char *at = strstr(log, "error");
    size_t length;

    while (at && at > log && at[-1] != '\n')
        at--;
    if (!at)
        at = log;
    length = strcspn(at, "\n");
    if (length > bytes - 1)
        length = bytes - 1;
    memcpy(line, at, length);
    line[length] = '\0';
}

static scree_status refuse_build(scree_gpu *gpu, int32_t code, const char *name)
{
    char line[120] = "";

    first_error(scree_gpu_build_log(gpu), line, sizeof line);
    return scree_fail(gpu->error, SCREE_DEVICE_ERROR, "%.40s cannot compile \"%s\" (%s): %s",
                      gpu->info.name, name, scree_opencl_error_name(code),
                      line[0] ? line : "the driver gives no reason");
}

scree_status scree_gpu_build_text(scree_gpu *gpu, const char *name, const char *text,
                                  const char *options, scree_gpu_program *program)
{
    scree_cl_program made;
    int32_t code;

    program->program = NULL;
    forget_log(gpu);
    SCREE_GPU_MAKE(made, code, gpu, clCreateProgramWithSource, gpu->context, 1, &text, NULL);
    if (code)
        return scree_gpu_refuse(gpu, code, name);
    SCREE_GPU_CALL(code, gpu, clBuildProgram, made, 1, &gpu->device, options ? options : "", NULL,
                   NULL);
    if (code) {
        keep_log(gpu, made);
        gpu->api.clReleaseProgram(made);
        return refuse_build(gpu, code, name);
    }
    program->program = made;
    return SCREE_OK;
}

scree_status scree_gpu_build(scree_gpu *gpu, const char *text_name, const char *options,
                             scree_gpu_program *program)
{
    char *text = NULL;
    size_t bytes = 0;
    scree_status status =
        scree_kernel_text_whole(text_name, &gpu->memory, &text, &bytes, gpu->error);

    program->program = NULL;
    if (!status)
        status = scree_gpu_build_text(gpu, text_name, text, options, program);
    scree_memory_give(&gpu->memory, &text, bytes, 1);
    return status;
}

void scree_gpu_program_free(scree_gpu *gpu, scree_gpu_program *program)
{
    if (program->program)
        gpu->api.clReleaseProgram(program->program);
    program->program = NULL;
}

/* ---- kernels ---- */

scree_status scree_gpu_kernel_make(scree_gpu *gpu, const scree_gpu_program *program,
                                   const char *name, scree_gpu_kernel *kernel)
{
    scree_cl_kernel made;
    scree_status status;
    int32_t code;

    memset(kernel, 0, sizeof *kernel);
    status = scree_gpu_profile_row(gpu, name, &kernel->number);
    if (status)
        return status;
    SCREE_GPU_MAKE(made, code, gpu, clCreateKernel, program->program, name);
    if (!code)
        SCREE_GPU_CALL(code, gpu, clGetKernelWorkGroupInfo, made, gpu->device,
                       SCREE_CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel->max_local,
                       &kernel->max_local, NULL);
    if (code) {
        if (made)
            gpu->api.clReleaseKernel(made);
        return scree_gpu_refuse(gpu, code, name);
    }
    kernel->kernel = made;
    return SCREE_OK;
}

void scree_gpu_kernel_free(scree_gpu *gpu, scree_gpu_kernel *kernel)
{
    if (kernel->kernel)
        gpu->api.clReleaseKernel(kernel->kernel);
    kernel->kernel = NULL;
}

static int32_t set_arguments(scree_gpu *gpu, const scree_gpu_kernel *kernel,
                             const scree_gpu_argument *arguments, uint32_t argument_count)
{
    int32_t code = SCREE_CL_SUCCESS;

    for (uint32_t k = 0; k < argument_count && !code; k++)
        SCREE_GPU_CALL(code, gpu, clSetKernelArg, kernel->kernel, k, arguments[k].bytes,
                       arguments[k].data);
    return code;
}

scree_status scree_gpu_launch(scree_gpu *gpu, const scree_gpu_kernel *kernel, size_t count,
                              size_t local, const scree_gpu_argument *arguments,
                              uint32_t argument_count)
{
    const char *name = gpu->rows[kernel->number].name;
    scree_cl_event event = NULL;
    size_t global;
    int32_t code;

    if (count == 0)
        return SCREE_OK;
    if (local == 0 || local > kernel->max_local)
        return scree_fail(gpu->error, SCREE_UNSUPPORTED,
                          "kernel %s runs in groups of %zu, and %.60s allows at most %zu", name,
                          local, gpu->info.name, kernel->max_local);
    code = set_arguments(gpu, kernel, arguments, argument_count);
    if (code)
        return scree_gpu_refuse(gpu, code, name);
    global = (count + local - 1) / local * local;
    SCREE_GPU_CALL(code, gpu, clEnqueueNDRangeKernel, gpu->queue, kernel->kernel, 1, NULL, &global,
                   &local, 0, NULL, gpu->has_profile ? &event : NULL);
    if (code)
        return scree_gpu_refuse(gpu, code, name);
    return event ? scree_gpu_note_launch(gpu, kernel->number, event) : SCREE_OK;
}
