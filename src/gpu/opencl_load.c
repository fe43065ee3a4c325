/*  Loads libOpenCL when it is first needed. It is never unloaded: drivers have their own threads, and unloading them
    while these run ends the process. */
#include "gpu/opencl_internal.h"

#include <inttypes.h>
#include <string.h>

#ifdef SCREE_GPU

#include <dlfcn.h>

static const char what_to_install[] = "install the loader and a driver (Debian: ocl-icd-libopencl1 "
                                      "with pocl-opencl-icd, or that of your GPU)";

static void *open_library(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                        "/System/Library/Frameworks/OpenCL.framework/OpenCL"};

    for (size_t k = 0; k < SCREE_COUNT_OF(names); k++) {
        void *library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (library)
            return library;
    }
    return NULL;
}

/*  C has no cast from an object pointer to a function pointer. */
static bool find_function(void *library, const char *name, void *function, size_t bytes)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, bytes);
    return found != NULL;
}

scree_status scree_opencl_load(scree_opencl_api *api, scree_error *error)
{
    void *library = open_library();

    if (!library)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "no OpenCL on this machine (libOpenCL.so.1 is not found): %s",
                          what_to_install);
#define FIND(result, name, parameters)                                                             \
    if (!find_function(library, #name, &api->name, sizeof api->name))                              \
        return scree_fail(error, SCREE_UNSUPPORTED,                                                \
                          "libOpenCL has no %s: OpenCL 1.2 is needed; %s", #name,                  \
                          what_to_install);
    SCREE_OPENCL_FUNCTIONS(FIND)
#undef FIND
    return SCREE_OK;
}

#else

scree_status scree_opencl_load(scree_opencl_api *api, scree_error *error)
{
    memset(api, 0, sizeof *api);
    return scree_fail(error, SCREE_UNSUPPORTED,
                      "this build of scree has no GPU support (SCREE_GPU is OFF, or it was "
                      "compiled as one file): "
                      "build it with CMake on a POSIX system");
}

#endif

/* ---- errors ---- */

const char *scree_opencl_error_name(int32_t code)
{
    static const char *const run_time[] = {"CL_SUCCESS",
                                           "CL_DEVICE_NOT_FOUND",
                                           "CL_DEVICE_NOT_AVAILABLE",
                                           "CL_COMPILER_NOT_AVAILABLE",
                                           "CL_MEM_OBJECT_ALLOCATION_FAILURE",
                                           "CL_OUT_OF_RESOURCES",
                                           "CL_OUT_OF_HOST_MEMORY",
                                           "CL_PROFILING_INFO_NOT_AVAILABLE",
                                           "CL_MEM_COPY_OVERLAP",
                                           "CL_IMAGE_FORMAT_MISMATCH",
                                           "CL_IMAGE_FORMAT_NOT_SUPPORTED",
                                           "CL_BUILD_PROGRAM_FAILURE",
                                           "CL_MAP_FAILURE",
                                           "CL_MISALIGNED_SUB_BUFFER_OFFSET",
                                           "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
                                           "CL_COMPILE_PROGRAM_FAILURE",
                                           "CL_LINKER_NOT_AVAILABLE",
                                           "CL_LINK_PROGRAM_FAILURE",
                                           "CL_DEVICE_PARTITION_FAILED",
                                           "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"};
    static const char *const invalid[] = {
        "CL_INVALID_VALUE",           "CL_INVALID_DEVICE_TYPE",
        "CL_INVALID_PLATFORM",        "CL_INVALID_DEVICE",
        "CL_INVALID_CONTEXT",         "CL_INVALID_QUEUE_PROPERTIES",
        "CL_INVALID_COMMAND_QUEUE",   "CL_INVALID_HOST_PTR",
        "CL_INVALID_MEM_OBJECT",      "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
        "CL_INVALID_IMAGE_SIZE",      "CL_INVALID_SAMPLER",
        "CL_INVALID_BINARY",          "CL_INVALID_BUILD_OPTIONS",
        "CL_INVALID_PROGRAM",         "CL_INVALID_PROGRAM_EXECUTABLE",
        "CL_INVALID_KERNEL_NAME",     "CL_INVALID_KERNEL_DEFINITION",
        "CL_INVALID_KERNEL",          "CL_INVALID_ARG_INDEX",
        "CL_INVALID_ARG_VALUE",       "CL_INVALID_ARG_SIZE",
        "CL_INVALID_KERNEL_ARGS",     "CL_INVALID_WORK_DIMENSION",
        "CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_WORK_ITEM_SIZE",
        "CL_INVALID_GLOBAL_OFFSET",   "CL_INVALID_EVENT_WAIT_LIST",
        "CL_INVALID_EVENT",           "CL_INVALID_OPERATION",
        "CL_INVALID_GL_OBJECT",       "CL_INVALID_BUFFER_SIZE",
        "CL_INVALID_MIP_LEVEL",       "CL_INVALID_GLOBAL_WORK_SIZE",
        "CL_INVALID_PROPERTY"};
    int64_t at = -(int64_t)code;

    if (at >= 0 && at < (int64_t)SCREE_COUNT_OF(run_time))
        return run_time[at];
    if (at >= 30 && at < 30 + (int64_t)SCREE_COUNT_OF(invalid))
        return invalid[at - 30];
    return code == SCREE_CL_PLATFORM_NOT_FOUND_KHR ? "CL_PLATFORM_NOT_FOUND_KHR"
                                                   : "an error of the driver";
}

int32_t scree_gpu_planted(scree_gpu_fault *fault)
{
    if (!fault)
        return SCREE_CL_SUCCESS;
    return ++fault->calls == fault->at ? fault->code : SCREE_CL_SUCCESS;
}

scree_status scree_gpu_refuse(scree_gpu *gpu, int32_t code, const char *what)
{
    const char *name = scree_opencl_error_name(code);

    if (code == SCREE_CL_MEM_OBJECT_ALLOCATION_FAILURE)
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY,
                          "%s: %s: the memory of %s is full; scree holds %" PRIu64
                          " of its %" PRIu64 " bytes",
                          what, name, gpu->info.name, gpu->bytes, gpu->info.memory);
    if (code == SCREE_CL_OUT_OF_HOST_MEMORY)
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY, "%s: %s (%s)", what, name,
                          gpu->info.name);
    return scree_fail(gpu->error, SCREE_DEVICE_ERROR, "%s: %s (error %d of %s)", what, name,
                      (int)code, gpu->info.name);
}
