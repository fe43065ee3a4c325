/*  Shared by the files of the runtime: the open device, and how OpenCL calls are made and their errors reported. */
#ifndef SCREE_OPENCL_INTERNAL_H
#define SCREE_OPENCL_INTERNAL_H

#include "gpu/opencl.h"
#include "gpu/opencl_api.h"

#include "base/error.h"
#include "base/memory.h"

/*  Largest number of launches whose times have not been read yet. */
#define SCREE_GPU_PENDING 256u

/*  Profile of all kernels of one name. 64 bytes. */
typedef struct scree_gpu_row
{
    char name[48]; /* names are shorter; terminated by 0 */
    uint64_t launches;
    uint64_t nanoseconds;
} scree_gpu_row;

typedef struct scree_gpu_pending
{
    scree_cl_event event;
    uint32_t row;
} scree_gpu_pending;

struct scree_gpu
{
    scree_memory memory; /* of the host */
    scree_opencl_api api;
    scree_gpu_info info;
    scree_gpu_fault *fault;
    scree_error *error;
    scree_cl_device_id device;
    scree_cl_context context;
    scree_cl_queue queue;
    uint64_t budget, bytes, max_bytes;
    char *log; /* of the last build that failed: log_bytes with the terminating 0 */
    size_t log_bytes;
    bool has_profile;
    scree_gpu_row *rows;
    size_t row_count, row_capacity;
    scree_gpu_pending pending[SCREE_GPU_PENDING];
    size_t pending_count;
};

/*  Looks up the functions. SCREE_UNSUPPORTED, with a message that says what to install. */
scree_status scree_opencl_load(scree_opencl_api *api, scree_error *error);

/*  OpenCL's name of an error, such as "CL_OUT_OF_RESOURCES". */
const char *scree_opencl_error_name(int32_t code);

/*  Counts a call; not 0 if a test makes it fail. */
int32_t scree_gpu_planted(scree_gpu_fault *fault);

/*  Converts an OpenCL error to a status and a message: "WHAT: CL_NAME (device ...)". */
scree_status scree_gpu_refuse(scree_gpu *gpu, int32_t code, const char *what);

/*  A call that returns its error. */
#define SCREE_GPU_CALL(code, owner, function, ...)                                                 \
    do {                                                                                           \
        (code) = scree_gpu_planted((owner)->fault);                                                \
        if (!(code))                                                                               \
            (code) = (owner)->api.function(__VA_ARGS__);                                           \
    } while (0)

/*  A call that creates an object and writes its error to `code`, its last argument. Some drivers return NULL without an
    error. */
#define SCREE_GPU_MAKE(made, code, owner, function, ...)                                           \
    do {                                                                                           \
        (made) = NULL;                                                                             \
        (code) = scree_gpu_planted((owner)->fault);                                                \
        if (!(code))                                                                               \
            (made) = (owner)->api.function(__VA_ARGS__, &(code));                                  \
        if (!(code) && !(made))                                                                    \
            (code) = SCREE_CL_OUT_OF_RESOURCES;                                                    \
    } while (0)

/*  Keeps the event of a launch, to read its time later. */
scree_status scree_gpu_note_launch(scree_gpu *gpu, uint32_t row, scree_cl_event event);
/*  The row of the profile for a name of kernels. */
scree_status scree_gpu_profile_row(scree_gpu *gpu, const char *name, uint32_t *row);

/*  Shared by listing and opening: the functions and the platforms. */
typedef struct scree_opencl_system
{
    scree_opencl_api api;
    scree_gpu_fault *fault;
} scree_opencl_system;

/*  Calls `seen` for each device of each platform, in the order of their numbers, until it returns a status other than
    SCREE_OK. */
typedef scree_status scree_gpu_seen_fn(void *user, scree_cl_platform_id platform,
                                       scree_cl_device_id device);
scree_status scree_gpu_each_device(scree_opencl_system *system, scree_gpu_seen_fn *seen, void *user,
                                   scree_error *error);

#endif
