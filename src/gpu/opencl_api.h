/*  The part of OpenCL 1.2 that scree calls, declared here so that neither a build nor a user needs its headers. The
    names of constants and types are those of the standard with a prefix of our own, as a host may include both.
    tests/gpu/test_opencl_api.c compares each of them with the official headers where these are installed. */
#ifndef SCREE_OPENCL_API_H
#define SCREE_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

/*  Opaque handles of the driver. */
typedef struct scree_cl_platform *scree_cl_platform_id;
typedef struct scree_cl_device *scree_cl_device_id;
typedef struct scree_cl_context_s *scree_cl_context;
typedef struct scree_cl_queue_s *scree_cl_queue;
typedef struct scree_cl_mem_s *scree_cl_mem;
typedef struct scree_cl_program_s *scree_cl_program;
typedef struct scree_cl_kernel_s *scree_cl_kernel;
typedef struct scree_cl_event_s *scree_cl_event;

enum
{
    SCREE_CL_SUCCESS = 0,
    SCREE_CL_DEVICE_NOT_FOUND = -1,
    SCREE_CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    SCREE_CL_OUT_OF_RESOURCES = -5,
    SCREE_CL_OUT_OF_HOST_MEMORY = -6,
    SCREE_CL_BUILD_PROGRAM_FAILURE = -11,
    SCREE_CL_PLATFORM_NOT_FOUND_KHR = -1001,

    SCREE_CL_PLATFORM_NAME = 0x0902,
    SCREE_CL_PLATFORM_VERSION = 0x0901,

    SCREE_CL_DEVICE_TYPE_GPU = 1 << 2,
    SCREE_CL_DEVICE_TYPE = 0x1000,
    SCREE_CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    SCREE_CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    SCREE_CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    SCREE_CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    SCREE_CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    SCREE_CL_DEVICE_AVAILABLE = 0x1027,
    SCREE_CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    SCREE_CL_DEVICE_NAME = 0x102B,
    SCREE_CL_DRIVER_VERSION = 0x102D,
    SCREE_CL_DEVICE_VERSION = 0x102F,
    SCREE_CL_DEVICE_EXTENSIONS = 0x1030,
    SCREE_CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,

    SCREE_CL_FP_DENORM = 1 << 0,
    SCREE_CL_FP_ROUND_TO_NEAREST = 1 << 2,

    SCREE_CL_QUEUE_PROFILING_ENABLE = 1 << 1,
    SCREE_CL_MEM_READ_WRITE = 1 << 0,
    SCREE_CL_PROGRAM_BUILD_LOG = 0x1183,
    SCREE_CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    SCREE_CL_PROFILING_COMMAND_START = 0x1282,
    SCREE_CL_PROFILING_COMMAND_END = 0x1283,
};

#define SCREE_CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)
#define SCREE_CL_CONTEXT_PLATFORM ((intptr_t)0x1084)

/*  X(result, name, parameters): each function that is looked up in the library. Type `int` is cl_int; bit fields are 64
    bits wide. */
/* clang-format off */
#define SCREE_OPENCL_FUNCTIONS(X)                                                                                  \
    X(int32_t, clGetPlatformIDs, (uint32_t, scree_cl_platform_id *, uint32_t *))                                   \
    X(int32_t, clGetPlatformInfo, (scree_cl_platform_id, uint32_t, size_t, void *, size_t *))                      \
    X(int32_t, clGetDeviceIDs, (scree_cl_platform_id, uint64_t, uint32_t, scree_cl_device_id *, uint32_t *))       \
    X(int32_t, clGetDeviceInfo, (scree_cl_device_id, uint32_t, size_t, void *, size_t *))                          \
    X(scree_cl_context, clCreateContext, (const intptr_t *, uint32_t, const scree_cl_device_id *,                  \
        void (*)(const char *, const void *, size_t, void *), void *, int32_t *))                                  \
    X(int32_t, clReleaseContext, (scree_cl_context))                                                               \
    X(scree_cl_queue, clCreateCommandQueue, (scree_cl_context, scree_cl_device_id, uint64_t, int32_t *))           \
    X(int32_t, clReleaseCommandQueue, (scree_cl_queue))                                                            \
    X(scree_cl_mem, clCreateBuffer, (scree_cl_context, uint64_t, size_t, void *, int32_t *))                       \
    X(int32_t, clReleaseMemObject, (scree_cl_mem))                                                                 \
    X(scree_cl_program, clCreateProgramWithSource, (scree_cl_context, uint32_t, const char **, const size_t *,     \
        int32_t *))                                                                                                \
    X(int32_t, clReleaseProgram, (scree_cl_program))                                                               \
    X(int32_t, clBuildProgram, (scree_cl_program, uint32_t, const scree_cl_device_id *, const char *,              \
        void (*)(scree_cl_program, void *), void *))                                                               \
    X(int32_t, clGetProgramBuildInfo, (scree_cl_program, scree_cl_device_id, uint32_t, size_t, void *, size_t *))  \
    X(scree_cl_kernel, clCreateKernel, (scree_cl_program, const char *, int32_t *))                                \
    X(int32_t, clReleaseKernel, (scree_cl_kernel))                                                                 \
    X(int32_t, clSetKernelArg, (scree_cl_kernel, uint32_t, size_t, const void *))                                  \
    X(int32_t, clGetKernelWorkGroupInfo, (scree_cl_kernel, scree_cl_device_id, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clEnqueueReadBuffer, (scree_cl_queue, scree_cl_mem, uint32_t, size_t, size_t, void *, uint32_t,     \
        const scree_cl_event *, scree_cl_event *))                                                                 \
    X(int32_t, clEnqueueWriteBuffer, (scree_cl_queue, scree_cl_mem, uint32_t, size_t, size_t, const void *,        \
        uint32_t, const scree_cl_event *, scree_cl_event *))                                                       \
    X(int32_t, clEnqueueCopyBuffer, (scree_cl_queue, scree_cl_mem, scree_cl_mem, size_t, size_t, size_t, uint32_t, \
        const scree_cl_event *, scree_cl_event *))                                                                 \
    X(int32_t, clEnqueueFillBuffer, (scree_cl_queue, scree_cl_mem, const void *, size_t, size_t, size_t, uint32_t, \
        const scree_cl_event *, scree_cl_event *))                                                                 \
    X(int32_t, clEnqueueNDRangeKernel, (scree_cl_queue, scree_cl_kernel, uint32_t, const size_t *, const size_t *, \
        const size_t *, uint32_t, const scree_cl_event *, scree_cl_event *))                                       \
    X(int32_t, clFinish, (scree_cl_queue))                                                                         \
    X(int32_t, clReleaseEvent, (scree_cl_event))                                                                   \
    X(int32_t, clGetEventProfilingInfo, (scree_cl_event, uint32_t, size_t, void *, size_t *))
/* clang-format on */

/*  The functions of the library; all of them or none. */
typedef struct scree_opencl_api
{
#define SCREE_OPENCL_MEMBER(result, name, parameters) result(*name) parameters;
    SCREE_OPENCL_FUNCTIONS(SCREE_OPENCL_MEMBER)
#undef SCREE_OPENCL_MEMBER
} scree_opencl_api;

#endif
