/*  What scree declares of OpenCL is what the official headers say: constants, and sizes of types. */
#if defined(__has_include)
#if __has_include(<CL/cl.h>)
#define HAVE_HEADERS
#endif
#endif

#ifdef HAVE_HEADERS

#include "test.h"

#include "gpu/opencl_api.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

typedef struct constant
{
    const char *name;
    int64_t here, there;
} constant;

#define SAME(name)                                                                                 \
    {                                                                                              \
#name, (int64_t)SCREE_##name, (int64_t)(name)                                              \
    }

TEST(constants_are_those_of_the_headers)
{
    static const constant all[] = {
        SAME(CL_SUCCESS),
        SAME(CL_DEVICE_NOT_FOUND),
        SAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        SAME(CL_OUT_OF_RESOURCES),
        SAME(CL_OUT_OF_HOST_MEMORY),
        SAME(CL_BUILD_PROGRAM_FAILURE),
        SAME(CL_PLATFORM_NAME),
        SAME(CL_PLATFORM_VERSION),
        SAME(CL_DEVICE_TYPE_GPU),
        SAME(CL_DEVICE_TYPE_ALL),
        SAME(CL_DEVICE_TYPE),
        SAME(CL_DEVICE_MAX_COMPUTE_UNITS),
        SAME(CL_DEVICE_MAX_WORK_GROUP_SIZE),
        SAME(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        SAME(CL_DEVICE_GLOBAL_MEM_SIZE),
        SAME(CL_DEVICE_LOCAL_MEM_SIZE),
        SAME(CL_DEVICE_AVAILABLE),
        SAME(CL_DEVICE_COMPILER_AVAILABLE),
        SAME(CL_DEVICE_NAME),
        SAME(CL_DRIVER_VERSION),
        SAME(CL_DEVICE_VERSION),
        SAME(CL_DEVICE_EXTENSIONS),
        SAME(CL_DEVICE_DOUBLE_FP_CONFIG),
        SAME(CL_FP_DENORM),
        SAME(CL_FP_ROUND_TO_NEAREST),
        SAME(CL_QUEUE_PROFILING_ENABLE),
        SAME(CL_MEM_READ_WRITE),
        SAME(CL_PROGRAM_BUILD_LOG),
        SAME(CL_KERNEL_WORK_GROUP_SIZE),
        SAME(CL_PROFILING_COMMAND_START),
        SAME(CL_PROFILING_COMMAND_END),
        SAME(CL_CONTEXT_PLATFORM),
    };

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].here != all[k].there)
            FAIL("%s is %" PRId64 " here, %" PRId64 " there", all[k].name, all[k].here,
                 all[k].there);
    CHECK_EQUAL(SCREE_CL_PLATFORM_NOT_FOUND_KHR, -1001); /* CL/cl_icd.h, which not all have */
}

TEST(types_have_the_sizes_of_the_headers)
{
    CHECK_EQUAL(sizeof(cl_int), sizeof(int32_t));
    CHECK_EQUAL(sizeof(cl_uint), sizeof(uint32_t));
    CHECK_EQUAL(sizeof(cl_bool), sizeof(uint32_t));
    CHECK_EQUAL(sizeof(cl_device_type), sizeof(uint64_t));
    CHECK_EQUAL(sizeof(cl_command_queue_properties), sizeof(uint64_t));
    CHECK_EQUAL(sizeof(cl_mem_flags), sizeof(uint64_t));
    CHECK_EQUAL(sizeof(cl_context_properties), sizeof(intptr_t));
    CHECK_EQUAL(sizeof(cl_device_id), sizeof(scree_cl_device_id));
    CHECK_EQUAL(sizeof(cl_event), sizeof(scree_cl_event));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(constants_are_those_of_the_headers),
                                      CASE(types_have_the_sizes_of_the_headers)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}

#else

#include <stdio.h>

int main(void)
{
    printf("skipped: CL/cl.h is not there (Debian: opencl-headers)\n");
    return 77;
}

#endif
